"""Facts that need the turn before, the answer to a request or a part said nearby, and false ones beside."""

from datetime import date
from pathlib import Path

import pytest

from reel_cli.core.evidence.days.passed_days import has_passed
from reel_cli.core.values.approval import is_about_persona
from tests.features.facts.test_fact_extract import aside, extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

CROSSING = [
    ("user", "She's here. Ysolde, this is Ada. Ada, don't bite."),
    ("assistant", "I never bite for free."),
    ("user", "Does her story pay the fare?"),
    ("assistant", "It pays it twice. She owes nothing, and I owe her one crossing back."),
]


@pytest.mark.parametrize(
    ("value", "also", "kept"),
    [
        ("owed to Ysolde, one back", "", "owed to Ysolde, one back"),
        ("owed to Ysolde, one back", "And I saw Judit with Paul.", "owed to Ysolde, one back"),
        # what nobody said is left out
        ("owed to Judit, one back", "", None),
        ("owed to Ysolde, two back", "", "owed to Ysolde"),
    ],
)
def test_a_name_may_come_from_the_turn_before(
    reel: Reel, kit: Path, value: str, also: str, kept: str | None
) -> None:
    """“I owe her one crossing back” was refused, since Ysolde was named some turns before."""
    say(reel, kit, [CROSSING[0], CROSSING[1], ("user", f"{also} {CROSSING[2][1]}".strip()), CROSSING[3]])
    extract_anyway(reel, row("own", "crossing", value, "I owe her one crossing back."))
    assert facts(reel).get("own/crossing") == kept


def extract_anyway(reel: Reel, reply: str) -> None:
    reel("fact", "extract", "--reply", "-", "--yes", "--json", stdin=reply)


@pytest.mark.parametrize(
    ("answer", "kept"),
    [
        ("Do, do that, be as tedious as you like.", True),
        ("Yes please.", True),
        ("No, I'll manage.", False),
        ("Yes, but not every time.", False),
        ("Sure, maybe.", False),
        ("Maybe later.", False),
        ("What time is it?", False),
    ],
)
def test_an_offer_that_was_accepted_is_a_promise(reel: Reel, kit: Path, answer: str, *, kept: bool) -> None:
    """“Shall I ask about it each time?” and “Do!” were in no list, and nothing said so."""
    offer = "Shall I ask you about it each time we talk, until you tell me it's sent?"
    say(reel, kit, [("user", "The permit runs out."), ("assistant", f"{offer} I can."), ("user", answer)])
    value = "ask about it each time until it's sent"
    extract_anyway(reel, row("own", "permit", value, f'{answer}" "{offer}'))
    assert (facts(reel).get("own/permit") == value) is kept


def test_what_the_persona_shall_do_is_a_promise_of_its_own(reel: Reel, kit: Path) -> None:
    said = "I shall say so every time you mention snacks."
    say(reel, kit, [("user", "No sesame for Halima."), ("assistant", f"No sesame. {said}")])
    extract_anyway(reel, row("own", "sesame", said.rstrip("."), said))
    assert facts(reel) == {"own/sesame": said.rstrip(".")}


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("He rang and asked could he start in January instead of December. I said yes.", True),
        ("He rang and asked could he start in January instead of December.", False),
        ("He rang and asked could he start in January instead of December. I said no.", False),
        ("He rang and asked could he start in January. I said yes, but only if he asks his wife.", False),
    ],
)
def test_a_request_that_was_granted_is_no_supposition(
    reel: Reel, kit: Path, said: str, *, kept: bool
) -> None:
    say(reel, kit, [("user", said), ("assistant", "Good.")])
    value = "start in January instead of December" if "December" in said else "start in January"
    extract_anyway(reel, row("commitments", "Cathal pays back", value, said))
    assert ("commitments/cathal-pays-back" in facts(reel)) is kept


def test_words_that_deny_what_a_fact_denies_need_no_other_word_of_it(reel: Reel, kit: Path) -> None:
    talk = [
        ("user", "I gave Cathal the money."),
        ("assistant", "Who is it not to go to?"),
        ("user", "Orla. She's not to know, with the two thousand he owes her."),
    ]
    say(reel, kit, talk)
    words = 'She\'s not to know, with the two thousand he owes her." "Who is it not to go to?'
    extract(reel, row("constraints", "the money", "Orla's not to know", words))
    assert facts(reel)["constraints/the-money"] == "Orla's not to know"


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("daughter, 29, nurse in Leeds", True),
        ("her daughter; 29; shift until 14.00, not after 16.30, call after every twelfth", True),
        # another number, name or day is cut, and so is what is denied or was done
        ("nurse in Leeds, 28", False),
        ("nurse in Leeds, with Hampus", False),
        ("29, nurse in Leeds, due 4 October", False),
        ("29, nurse in Leeds, never smokes", False),
        ("29, nurse in Leeds, divorced last spring", False),
    ],
)
def test_a_part_that_only_describes_is_not_cut(reel: Reel, kit: Path, value: str, *, kept: bool) -> None:
    """Of parts that were cut from pages, each wrong one only described, or had its number in other words."""
    said = "Lotte, she is 29 and a nurse in Leeds, shift until fourteen hundred, not after sixteen thirty."
    say(reel, kit, [("user", said), ("assistant", "And the call?"), ("user", "Every 12th I call.")])
    extract_anyway(reel, row("relationships", "Lotte", value, "Lotte, she is 29 and a nurse in Leeds"))
    assert (list(facts(reel).values()) == [value]) is kept


def test_to_be_so_old_on_a_day_is_a_birthday(reel: Reel, kit: Path) -> None:
    said = "Now Mam. She'll be eighty-six on the seventh of November, it's a Saturday."
    say(reel, kit, [("user", said), ("assistant", "A good age.")])
    value = "eighty-six on the seventh of November"
    extract(reel, row("commitments", "Mam's birthday", value, said))
    assert (list(facts(reel).values()), aside(reel)) == ([value], {})


def test_a_fact_keeps_the_day_that_was_said_beside_its_words(reel: Reel, kit: Path) -> None:
    """“Daughter” nobody had said: the month went with it; a part that only describes stays as well."""
    talk = [
        ("user", "Orla rang from Utrecht last night. I thought it was the job. She's expecting! Joost too."),
        ("assistant", "How good."),
        ("user", "I could not say a word."),
        ("assistant", "When is it to be?"),
        ("user", "They say the first week of May. Nobody's to know."),
    ]
    say(reel, kit, talk)
    words = 'Orla rang from Utrecht last night" "She\'s expecting!'
    extract(reel, row("relationships", "Orla", "daughter, in Utrecht; expecting, first week of May", words))
    assert list(facts(reel).values()) == ["daughter, in Utrecht; expecting, first week of May"]


@pytest.mark.parametrize(
    ("fact", "today", "passed"),
    [
        ("Requiem: Sunday the twenty-second, at four", date(2026, 11, 8), False),
        ("Requiem: Sunday the twenty-second, at four", date(2026, 11, 23), True),
        ("dentist: Thursday the 12th", date(2026, 11, 8), False),
        ("dentist: Thursday", date(2026, 11, 8), True),
    ],
)
def test_a_weekday_with_its_day_of_the_month_is_no_nearer_one(
    fact: str, today: date, *, passed: bool
) -> None:
    """A fact of 22 November rested from 1 November on, as its Sunday had passed."""
    assert has_passed(fact, date(2026, 10, 30), today) is passed


def test_how_somebody_wants_to_be_spoken_to_is_a_fact_about_them() -> None:
    asked = "whatever you do don't tell me to calm down"
    assert not is_about_persona("calm down", "never tell him to calm down", asked, "Ada")
    assert is_about_persona("calm", "calm", "whatever you do, you are calm", "Ada")


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("You asked about medicines: I am allergic to penicillin.", True),
        ("Since you asked: it was fine. I am allergic to penicillin.", True),
        ("My sister wrote: I am allergic to penicillin.", False),
        ("You asked about the letter. It says: I am allergic to penicillin.", False),
    ],
)
def test_an_answer_that_names_its_question_is_the_persons_own_word(
    reel: Reel, kit: Path, said: str, *, kept: bool
) -> None:
    say(reel, kit, [("assistant", "Which medicines can you take?"), ("user", said)])
    extract_anyway(
        reel, row("constraints", "allergy", "allergic to penicillin", "I am allergic to penicillin")
    )
    assert ("constraints/allergy" in facts(reel)) is kept


def test_a_name_that_a_thing_had_before_is_borne_in_what_is_told_of_it_anew(reel: Reel, kit: Path) -> None:
    """“The Canon, Aubrey Lisle” was refused on the day his chess was moved, as his name was not said."""
    first = "The Canon, who comes to me every Tuesday for chess, is Aubrey Lisle in the directory."
    say(reel, kit, [("user", first), ("assistant", "Tuesdays.")])
    extract(
        reel,
        row(
            "relationships",
            "the Canon",
            "The Canon, Aubrey Lisle in the directory, comes every Tuesday for chess",
            first,
        ),
    )
    moved = "The Canon's chess is moved from Tuesdays to Fridays, as from this week"
    say(
        reel,
        kit,
        [("user", f"{moved}, because Mrs Gwilliam has joined a choir."), ("assistant", "Fridays, then.")],
    )
    now = "The Canon, Aubrey Lisle, comes on Fridays for chess, not Tuesdays any more"
    extract_anyway(reel, row("relationships", "the Canon", now, moved))
    assert list(facts(reel).values()) == [now]


RING = [
    ("user", "On the 18th I am taking the ring back to the jeweller in Otley."),
    ("assistant", "And Otley, or would you rather not?"),
    ("user", "No, I went. He gave me six-forty and kept a tenner for the box."),
    ("assistant", "I am glad of the slice."),
]


@pytest.mark.parametrize(
    ("value", "kept"),
    [
        ("sold to the jeweller in Otley for six-forty", True),
        ("sold to the jeweller in Skipton for six-forty", False),
        ("sold to the jeweller in Otley for six-fifty", False),
        ("sold to the saxophonist in Otley for six-forty", False),
    ],
)
def test_a_value_stays_as_written_where_all_of_it_was_said_around_its_words(
    reel: Reel,
    kit: Path,
    value: str,
    kept: bool,  # noqa: FBT001
) -> None:
    """The fact was refused, since “Otley” stood one message before the words quoted."""
    say(reel, kit, RING)
    extract_anyway(reel, row("history", "ring", value, "He gave me six-forty and kept a tenner for the box."))
    assert (facts(reel).get("history/ring") == value) is kept


def test_another_number_of_a_later_chat_is_a_change_and_waits_for_nobody(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "We have sixty hives aboard."), ("assistant", "Sixty.")])
    extract(reel, row("history", "bees", "sixty hives aboard", "sixty hives aboard"))
    say(reel, kit, [("user", "They paid for fifty-eight hives."), ("assistant", "Good.")], 20)
    extract(reel, row("history", "bees", "fifty-eight hives paid for", "They paid for fifty-eight hives"))
    assert facts(reel) == {"history/bees": "fifty-eight hives paid for"}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_an_offer_and_what_came_of_it_are_steps_and_no_contradiction(reel: Reel, kit: Path) -> None:
    """“No less than 20” was taken to deny the 15 percent of six weeks before, and somebody was asked."""
    for day, value in ((10, "15 percent maybe. maybe more"), (20, "10 percent off. no less than 20")):
        say(reel, kit, [("user", f"About the rent: {value}"), ("assistant", "Good.")], day)
        extract(reel, row("context", "rent reduction", value, value))
    assert facts(reel) == {"context/rent-reduction": "10 percent off. no less than 20"}
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


def test_the_list_of_facts_gives_a_relative_day_its_date(reel: Reel, kit: Path) -> None:
    said = "The exam is tomorrow at nine."
    say(reel, kit, [("user", said), ("assistant", "Sleep well.")])
    extract(reel, row("commitments", "exam", "tomorrow at nine", said))
    assert facts(reel)["commitments/exam"] == "tomorrow at nine"
    assert "tomorrow at nine (tomorrow: 11 February 2026)" in reel("fact", "list").ok().out


def test_of_somebodys_health_nothing_is_kept_that_nobody_said(reel: Reel, kit: Path) -> None:
    talk = [("user", "Dr Anand's done my bloods and I'm borderline. Down to one sugar in my tea from three.")]
    say(reel, kit, [*talk, ("assistant", "Good.")])
    value = "borderline diabetic, down to one sugar in his tea from three"
    extract_anyway(reel, row("context", "sugar", value, "Dr Anand's done my bloods and I'm borderline"))
    assert value not in facts(reel).values()
