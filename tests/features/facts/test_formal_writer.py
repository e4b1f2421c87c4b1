"""Facts of somebody who writes formally: colons in prose, words that are not to be said, duties that end."""

from pathlib import Path

import pytest

from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.features.facts.evidence.fact_support import denied_so
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.features.facts.test_other_turns import extract_anyway
from tests.support.cli import Reel
from tests.support.pages import page, say


@pytest.mark.parametrize(
    ("said", "own"),
    [
        ("Hale has replied to the note: not by post, but at the gate, today. He offers me ninety.", True),
        ("The Dean told his brother himself: Ambrose, on Sunday last, after tea. So he knows.", True),
        ("She says that I am to come, and I have said yes, and meant it: the fourth to the ninth.", True),
        ("My brother wrote: we are moving to Leeds. I have never been there.", False),
        ("The paper says: new planet found. I am its owner.", False),
        ("She told her brother about it: I am allergic to nuts. I have a dog.", False),
        ("My aunt replied to the note: please keep the cat. I live in Rome.", False),
    ],
)
def test_what_stands_behind_a_colon_in_prose_is_the_writers_own(said: str, *, own: bool) -> None:
    """“replied to the letter: not by letter, but over the gate” made the whole message somebody else's."""
    assert (own_stretches(said, ("Bo", "Ada")) == (said,)) is own


def test_words_that_are_not_to_be_said_are_the_wish_of_the_one_who_forbids_them(
    reel: Reel, kit: Path
) -> None:
    wish = 'Be so good as never to say of Ines that she "slipped away".'
    say(reel, kit, [("user", f"{wish} She died."), ("assistant", "She died.")])
    value = 'never to say of Ines that she "slipped away"'
    told = f'preferences | words about Ines | {value} | "{wish[:-1]}" | 1'.replace(
        '"slipped away"', r"\"slipped away\""
    )
    extract(reel, f"## What I know for sure\n{told}\n\nAda\n")
    assert facts(reel) == {"preferences/words-about-ines": value}


def test_a_quotation_that_was_said_stays_somebody_elses(reel: Reel, kit: Path) -> None:
    said = 'My aunt would not say "we are allergic to nuts" at dinner.'
    assert own_stretches(said, ("Bo", "Ada")) != (said,)


def test_a_duty_that_is_over_is_let_go_of_by_one_word(reel: Reel, kit: Path) -> None:
    """The words that end a secret stood as its next value, among the constraints of every bundle."""
    say(reel, kit, [("user", "Vera must not know about the plan."), ("assistant", "Understood.")])
    extract(reel, row("constraints", "the plan", "Vera must not know about the plan", "Vera must not know"))
    said = "So over tea I told Vera about the plan, and she laughed."
    say(reel, kit, [("user", said), ("assistant", "Good.")], 20)
    reel("checkpoint", "--prompt").ok()
    line = 'constraints | the plan | over | "over tea I told Vera about the plan"'
    told = page({"What I know for sure": line, "Lines to find it by": '"over tea I told Vera"'})
    looked = reel("checkpoint", "--reply", "-", "--dry-run", stdin=told).ok()
    shown = f"{looked.out}{looked.err}"
    reel("checkpoint", "--reply", "-", "--yes", stdin=told).ok()
    assert (
        "a fact: constraints, the plan: over (until you decide it stays: Vera must not know about the plan)"
        in shown
    )
    assert facts(reel) == {"constraints/the-plan": "Vera must not know about the plan"}
    waiting = " ".join(reel("review").ok().out.split())
    assert "says “over tea I told Vera about the plan”" in waiting
    name = next(word for word in waiting.split() if word.startswith("fact-")).rstrip(".:")
    reel("review", "accept", name, "--as", "Bo <bo@example.org>", "--yes").ok()
    assert facts(reel) == {}
    assert "let go of the plan" in reel("log").ok().out
    reel("undo").ok()
    assert facts(reel) == {"constraints/the-plan": "Vera must not know about the plan"}


FORBIDDEN = [
    ("user", "I take my tablets at six, and no aspirin."),
    ("assistant", "And aspirin is still forbidden?"),
    ("user", "Still forbidden, and cranberries too."),
]


def test_what_is_forbidden_is_denied(reel: Reel, kit: Path) -> None:
    """“Still forbidden, and cranberries too” did not deny cranberries, and the fact was gone in silence."""
    say(reel, kit, FORBIDDEN)
    value = "may have no cranberries"
    extract(reel, row("constraints", "cranberries", value, "Still forbidden, and cranberries too"))
    assert "cranberries" in facts(reel)["constraints/cranberries"]


@pytest.mark.parametrize(
    ("kind", "key", "value", "words"),
    [
        ("own", "promise about Ines", "I promised Bo to say only that Ines died", "That is promised"),
        ("relationships", "the secret", "Ambrose sings no more; nobody is to know", "he sings no more"),
        ("constraints", "rhubarb", "Bo may never have rhubarb in Leeds", "rhubarb"),
    ],
)
def test_a_promise_a_secret_and_what_protects_wait_where_their_words_are_thin(
    reel: Reel, kit: Path, kind: str, key: str, value: str, words: str
) -> None:
    """They were set aside as not sure enough, and in no bundle."""
    told = "I told no one that he sings no more. And rhubarb is not for me."
    say(reel, kit, [("user", told), ("assistant", "She died, and no other word from me. That is promised.")])
    extract(reel, row(kind, key, value, words))
    assert facts(reel) == {}
    waiting = " ".join(reel("review").ok().out.split())
    assert f"A fact that the chat says only in part, “{key}”" in waiting
    name = next(word for word in waiting.split() if word.startswith("fact-")).rstrip(".:")
    reel("review", "accept", name, "--as", "Bo <bo@example.org>", "--yes").ok()
    assert [*facts(reel).values()] == [value]


def test_a_promise_is_kept_in_the_words_that_were_said(reel: Reel, kit: Path) -> None:
    """A name that is not in the line it quotes made it wait, and no bundle had it meanwhile."""
    promised = "She died, and you will not hear another word for it from me"
    say(reel, kit, [("user", "Say nothing else of Ines."), ("assistant", f"{promised}. That is promised.")])
    extract(reel, row("own", "promise about Ines", "I promised Bo to say only that Ines died", promised))
    assert facts(reel) == {"own/promise-about-ines": promised}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_a_wish_how_to_speak_is_kept_in_the_words_that_ask_for_it(reel: Reel, kit: Path) -> None:
    """It waited as what protects, and no bundle had it meanwhile."""
    asked = "I haven't answered. Don't ask me if I've answered."
    say(reel, kit, [("user", f"Ines emailed. {asked}"), ("assistant", "Good.")])
    extract(reel, row("constraints", "email of Ines", "don't ask if he has answered", asked))
    assert facts(reel) == {"constraints/email-of-ines": asked}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_what_becomes_of_a_secret_stands_beside_it_in_the_words_that_were_said(reel: Reel, kit: Path) -> None:
    first = "Ambrose sings no more, and nobody is to know"
    say(reel, kit, [("user", f"{first}."), ("assistant", "Good.")])
    extract(reel, row("relationships", "the secret", first, first))
    later = "Now his sister knows and his mother, and still not the choir"
    say(reel, kit, [("user", f"{later}."), ("assistant", "Good.")], 20)
    told = row("relationships", "the secret", "Vera of Leeds knows; nobody else is to know", later)
    extract_anyway(reel, told)
    assert {*facts(reel).values()} == {first, later}


def test_a_secret_whose_words_nobody_said_does_not_wait(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Ambrose came to tea."), ("assistant", "Good.")])
    extract_anyway(
        reel, row("relationships", "the secret", "Ambrose sings no more; nobody is to know", "he is mute")
    )
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_what_moved_from_one_day_is_not_on_that_day(reel: Reel, kit: Path) -> None:
    """“removed from Tuesdays to Fridays” did not bear “not Tuesdays”, and the old day stayed."""
    say(
        reel,
        kit,
        [("user", "The Dean, who comes every Tuesday for chess, is Hugh Ashby."), ("assistant", "Ah.")],
    )
    value = "The Dean, Hugh Ashby, comes every Tuesday for chess"
    extract(reel, row("relationships", "the Dean", value, "The Dean, who comes every Tuesday for chess"))
    said = "The Dean's chess is removed from Tuesdays to Fridays, as from this week."
    say(reel, kit, [("user", said), ("assistant", "Fridays, then.")], 20)
    value = "The Dean, Hugh Ashby, comes on Fridays for chess, not Tuesdays any more"
    extract(reel, row("relationships", "the Dean", value, said))
    assert facts(reel) == {"relationships/the-dean": value}


def test_a_value_that_denies_twice_is_weighed_to_its_end() -> None:
    """A name was used twice, and the second denial of a value ended the program with a traceback."""
    told = "I like neither fog nor rain."
    assert not denied_so("no trams, no ferries", "no trams run", ["no trams run"])
    assert not denied_so("no fog, no ferries", told, [told])
