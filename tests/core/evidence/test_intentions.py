"""A thing that words only intend, owe, wish or offer was not done; nothing else is taken for one."""

import pytest

from reel_cli.core.evidence.grounding.intentions import only_intended, owed_instead


@pytest.mark.parametrize(
    ("told", "said"),
    [
        ("sent the lease", "Once sent, the lease is final."),
        ("sent the lease", "Once I have sent the lease, I rest."),
        ("sent the lease", "I have to send the lease tomorrow."),
        ("lease sent", "I need to send the lease."),
        ("sent the lease", "The lease must be sent tomorrow."),
        ("sent the lease", "The lease is ready. I'll send it on Monday."),
        ("has sent the lease", "I'll print it, and send the lease after lunch."),
        ("called the landlord", "I need to call the landlord."),
        ("told the boss", "I have to tell my boss on Monday."),
        ("lease signed", "I need the lease signed by Friday."),
        ("sent the lease", "I should have sent the lease."),
        ("sold the car", "I'm selling the car next week."),
        ("bought a dog", "We're thinking of buying a dog."),
        ("moved to Porto", "If I get the job, I'll move to Porto."),
        ("took the exam", "I'd love to take the exam in May"),
        ("has read the contract", "I want to read the contract"),
        ("lease done", "I have to do the lease tomorrow."),
        ("lease finished", "I must see to the lease."),
        ("finished the report", "To do: finish the report"),
        ("helped with the move", "I could help you with the move."),
        ("performed at a festival", "Finishing up a dance to perform at a festival next month."),
        ("hat die Rechnung bezahlt", "Die Rechnung muss noch bezahlt werden."),
        ("a envoyé le bail", "Je dois envoyer le bail demain."),
        ("el contrato ha sido firmado", "El contrato tiene que ser firmado mañana."),
    ],
)
def test_what_is_to_come_was_not_done(told: str, said: str) -> None:
    assert only_intended(told, [said])


@pytest.mark.parametrize(
    ("told", "said"),
    [
        (
            "lost the buoy off Amrum in fog",
            "I once lost the buoy off Amrum in fog and counted till I had it again.",
        ),
        ("lost the buoy", "We had once nearly lost the buoy."),
        ("lost the buoy", "My father once lost the buoy in fog."),
        ("sent the lease", "I had to send the lease yesterday."),
        ("sent the lease", "I have to tell you that I sent the lease."),
        ("sent the lease", "I have to send the lease again. I sent it in May, too."),
        ("has to send the lease", "I have to send the lease tomorrow."),
        ("send the lease tomorrow", "I have to send the lease tomorrow."),
        ("wanted to sell the car", "I wanted to sell the car."),
        ("a dog called Biscuit", "I'll bring Biscuit, a dog called after a cake."),
        ("saw the sea", "We could see the sea from the room, it was lovely."),
        ("practiced outside", "I'd practice outside for hours when I was young."),
        ("visited the castle", "I got to visit the castle."),
        ("got a job", "I managed to get a job."),
        ("wrote a letter", "I took the time to write a letter."),
        ("took insulin", "I take insulin every day."),
        ("had some great ideas", "You must have had some great ideas!"),
        ("joined the firm in 2018", "I worked odd jobs until I joined the firm in 2018."),
        ("made me feel better", "I had a doll like this and it always made me feel better."),
        ("is overwhelmed by exams", "Exams are overwhelming this week."),
        ("the shop is closed", "I have to close the shop."),
        ("met her cousins", "I was so excited to meet her cousins."),
        ("hat die Rechnung bezahlt", "Ich habe die Rechnung bezahlt."),
        ("a envoyé le bail", "Je viens d'envoyer le bail."),
        ("a envoyé le bail", "J'ai envoyé le bail."),
    ],
)
def test_what_was_done_is_left_alone(told: str, said: str) -> None:
    assert not only_intended(told, [said])


def test_a_later_turn_says_that_it_was_done() -> None:
    duty = ["I have to send the lease."]
    assert not only_intended("sent the lease", duty, ["I sent it this morning."])
    assert not only_intended("sent the lease", duty, since=["Done."])
    assert not only_intended("sent the lease", duty, since=["The lease? I did it before work."])
    assert only_intended("sent the lease", duty, ["I sent her flowers."], ["I'll tell you once it's done."])
    assert only_intended("sent the lease", duty, ["You've sent the lease of the attic."])


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("I sent the lease", ["I have to send the lease to Rolf."]),
        # it was done before the duty was spoken of, so that is another one
        ("I sent the lease", ["I did it.", "I have to send the lease."]),
        ("I sent the lease", ["*He does it.* That was the tea.", "I have to send the lease."]),
    ],
)
def test_a_clause_of_a_memory_is_held_against_the_duty_that_it_tells_as_done(
    clause: str, said: list[str]
) -> None:
    assert owed_instead(clause, said) == said[-1].lower()


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("I sent the lease", ["I have to send the lease.", "I did it."]),
        # a deed between asterisks, in the turn that announces it
        (
            "and I crossed out the eighteenth with a ruler",
            ['"I will cross out the eighteenth." *He does it with a ruler.* "Is it a relief?"'],
        ),
        # what depends on something may have come about unasked
        ("I sent the lease", ["I can send the lease."]),
        ("I sent the lease", ["I have to send the lease if he asks."]),
        # another thing was sent than the one that is owed, and to the same person
        ("I sent Rolf the lease", ["I have to send Rolf flowers."]),
        ("After the lease I sent Anna a card", ["I have to send the lease."]),
        # the chat itself is what was meant
        (
            "Hanne practised a first meeting with me",
            ["I'd like to practise a first meeting tonight.", "Nervous. Come in then.", "Thank you."],
        ),
        ("Hanne practised a first meeting", ["I want to practise a first meeting.", "Come in."]),
        ("We played chess", ["I'd like to play chess tonight.", "White or black?"]),
        ("She played chess with me", ["Let's play chess.", "White or black?"]),
        # a verb by which a memory tells what was said with another one
        ("I gave him a cake", ["I have to give him a cake."]),
    ],
)
def test_a_clause_of_a_memory_in_words_of_its_own_is_no_duty_told_as_done(
    clause: str, said: list[str]
) -> None:
    assert not owed_instead(clause, said)


@pytest.mark.parametrize(
    ("clause", "said"),
    [
        ("I practised the speech with her", ["I'd like to practise the speech tomorrow.", "Good luck."]),
        ("I practised the speech", ["I have to practise the speech.", "Good luck."]),
        ("We called the landlord", ["I need to call the landlord tonight.", "Good luck."]),
        ("She called the landlord", ["I'd like to call the landlord tonight.", "Good luck."]),
        # the chat ended there
        ("I practised the speech with her", ["I'd like to practise the speech tonight."]),
    ],
)
def test_what_the_chat_itself_cannot_be_is_held_against_what_was_meant(clause: str, said: list[str]) -> None:
    assert owed_instead(clause, said) == said[0].lower()


@pytest.mark.parametrize(
    ("told", "said", "owed"),
    [
        (told, said, False)
        for told, said in (
            ("The doctor has put her on Lisuvane.", "And I should say: the doctor put me on Lisuvane."),
            ("The doctor has put her on Lisuvane.", "I must say the doctor put me on Lisuvane."),
            ("The doctor has put her on Lisuvane.", "I have to admit that the doctor put me on Lisuvane."),
            ("The doctor has put her on Lisuvane.", "I've got to tell you, the doctor put me on Lisuvane."),
            ("Sie hat den Brief geschickt.", "Ich muss sagen, dass der Brief geschickt ist."),
            ("Sie hat den Brief geschickt.", "Ich muss dir gestehen: den Brief geschickt hat sie."),
            ("Elle a envoyé la lettre.", "Il faut dire : envoyer la lettre, c'est fait."),
            ("Ha enviado la carta.", "Debo decir que enviado está la carta."),
        )
    ]
    + [
        ("The doctor has put her on Lisuvane.", "I should ask the doctor to put me on Lisuvane.", True),
        ("The doctor has put her on Lisuvane.", "I must say that the doctor will put me on Lisuvane.", True),
        ("The doctor has put her on Lisuvane.", "I have to tell my sister to put me on Lisuvane.", True),
        (
            "The doctor has put her on Lisuvane.",
            f"I should {'got to ' * 30}go. I should ask the doctor to put me on Lisuvane.",
            True,
        ),
        ("Sie hat den Brief geschickt.", "Ich muss den Brief schicken, damit er geschickt ist.", True),
    ],
)
def test_words_that_only_lead_up_to_something_told_owe_nothing(told: str, said: str, *, owed: bool) -> None:
    """`I should say: the doctor put me on it` was taken for a duty."""
    assert bool(only_intended(told, [said])) is owed
