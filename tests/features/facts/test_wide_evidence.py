"""Facts whose quotation says only a part of them, and the chat, or what is known before, says the rest."""

from pathlib import Path

import pytest

from reel_cli.core.values.approval import is_about_persona
from tests.features.facts.test_fact_extract import extract, facts, row
from tests.support.cli import Reel
from tests.support.pages import say

NIGHT = [
    ("user", "Listen to the weir. It is roaring."),
    ("assistant", "I have nothing in the log for the 15th of October. What was it?"),
    ("user", "gerard. my husband. its 17 years tonight. 2009"),
    ("assistant", "I am here."),
    ("user", "he went down to the weir and he never came back. he was 44"),
    ("assistant", "May I ask about him, another time?"),
    ("user", "you can ask me about gerard. just dont be springing it on me"),
    ("assistant", "I shall not."),
]


def rows(*lines: tuple[str, str, str, str]) -> str:
    told = "\n".join(f'{kind} | {key} | {value} | "{words}" | 0.9' for kind, key, value, words in lines)
    return f"## What I know for sure\n{told}\n\nAda\n"


def told(reel: Reel, reply: str) -> str:
    return reel("fact", "extract", "--reply", "-", "--yes", stdin=reply).err


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        # each part of a day in another turn
        (
            "Gerard",
            "husband, went to the weir 15 October 2009, 44",
            "gerard. my husband. its 17 years tonight.",
        ),
        # another form of the verb, and the pronouns turned
        ("asking", "may be asked about Gerard, not sprung on her", "just dont be springing it on me"),
    ],
)
def test_the_turns_around_say_the_rest_of_a_fact(
    reel: Reel, kit: Path, key: str, value: str, words: str
) -> None:
    """“15 October 2009” was “no day that it speaks of”, and the fact was lost."""
    say(reel, kit, NIGHT)
    assert "not kept" not in told(reel, row("history", key, value, words))
    assert list(facts(reel).values()) == [value]


@pytest.mark.parametrize(
    "value",
    [
        "husband, went to the weir 15 October 2008, 44",
        "husband, went to the weir 16 October 2009, 44",
        "husband, went to the weir 15 October 2009, 47",
        "husband Colm, went to the weir 15 October 2009, 44",
    ],
)
def test_what_stands_nowhere_is_refused(reel: Reel, kit: Path, value: str) -> None:
    say(reel, kit, NIGHT)
    told(reel, row("history", "Gerard", value, "gerard. my husband. its 17 years tonight. 2009"))
    assert value not in facts(reel).values()


@pytest.mark.parametrize(
    ("said", "key", "value", "words"),
    [
        (
            "and dont mix it with mine i'm getting my own eyes tested in tuam the 24th of june",
            "eye test",
            "24 June, tuam",
            "getting my own eyes tested in tuam the 24th of june",
        ),
        (
            "it doesn't suit the kiosk i open at half 9",
            "kiosk hours",
            "opens half 9",
            "i open at half 9",
        ),
        (
            "He paid it without touching Baba's £3,000, which has gone to him already.",
            "the £3,000",
            "it has gone to Baba already",
            "Baba's £3,000, which has gone to him already",
        ),
    ],
)
def test_a_denial_of_something_else_denies_no_fact(
    reel: Reel, kit: Path, said: str, key: str, value: str, words: str
) -> None:
    say(reel, kit, [("user", said), ("assistant", "I see.")])
    assert "denies it" not in told(reel, row("context", key, value, words))
    assert list(facts(reel).values()) == [value]


def test_a_denial_of_the_fact_is_shown(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "i dont open at half 9 i never get up before ten"), ("assistant", "I see.")])
    shown = told(reel, row("context", "hours", "opens half 9", "i dont open at half 9"))
    assert facts(reel) == {}
    assert "half 9" in shown


def test_a_fact_under_its_own_name_takes_no_place_of_another(reel: Reel, kit: Path) -> None:
    """“No run under 400” was asked as the new value of an inhaler, with its name in it."""
    say(
        reel,
        kit,
        [
            ("user", "The reliever is the blue one, it is in my pocket on any run. I am allergic to cashew."),
            ("assistant", "Noted."),
        ],
    )
    extract(
        reel,
        rows(
            (
                "constraints",
                "reliever",
                "the blue one, in his pocket on any run",
                "it is in my pocket on any run",
            ),
            ("constraints", "cashew", "allergic to cashew", "I am allergic to cashew"),
        ),
    )
    before = facts(reel)
    say(
        reel,
        kit,
        [
            (
                "user",
                "Below 400 on the meter, no run that day. And there'll be no cashew at the wedding at all.",
            ),
            ("assistant", "Good."),
        ],
        20,
    )
    extract(
        reel,
        rows(
            ("constraints", "no run under 400", "below 400 on the meter, no run that day", "no run that day"),
            (
                "constraints",
                "cashew at the wedding",
                "no cashew at all",
                "there'll be no cashew at the wedding",
            ),
        ),
    )
    assert facts(reel).items() > before.items()
    assert len(facts(reel)) == len(before) + 2
    assert reel("review").ok().out == "Nothing waits for your decision.\n"


@pytest.mark.parametrize(
    ("value", "words"),
    [
        ("combined pill and lamotrigine NO", "combined pill and lamotrigine NO. the oestrogen drops it"),
        ("it does not go with lamotrigine", "about the combined pill. it does not go with lamotrigine"),
    ],
)
def test_what_a_medicine_does_not_go_with_is_no_dose_of_it(
    reel: Reel, kit: Path, value: str, words: str
) -> None:
    """Accepted as a new value of lamotrigine it lost the dose, rejected it lost the warning."""
    say(reel, kit, [("user", "i take lamotrigine 100 in the morning"), ("assistant", "Noted.")])
    extract(
        reel, rows(("constraints", "lamotrigine", "100 in the morning", "lamotrigine 100 in the morning"))
    )
    before = facts(reel)
    say(reel, kit, [("user", words), ("assistant", "Good.")], 20)
    extract(reel, rows(("constraints", "combined pill", value, words)))
    assert facts(reel).items() > before.items()
    assert len(facts(reel)) == len(before) + 1


def test_a_promise_about_what_the_other_spoke_of_is_the_personas_own(reel: Reel, kit: Path) -> None:
    """“It” is the vet, of whom only the user spoke: the promise was refused as something said again."""
    words = "I will ask you how it went."
    say(reel, kit, [("user", "the vet is on 12 May at ten"), ("assistant", words)])
    extract(reel, rows(("own", "asking about the vet", "I will ask how the vet went", words)))
    assert facts(reel) == {"own/asking-about-the-vet": "I will ask how the vet went"}


@pytest.mark.parametrize("value", ["no lamotrigine any more", "does not take lamotrigine", "off lamotrigine"])
def test_a_medicine_that_is_over_waits_under_any_name(reel: Reel, kit: Path, value: str) -> None:
    say(reel, kit, [("user", "i take lamotrigine 100 in the morning"), ("assistant", "Noted.")])
    extract(
        reel, rows(("constraints", "lamotrigine", "100 in the morning", "lamotrigine 100 in the morning"))
    )
    before = facts(reel)
    say(reel, kit, [("user", f"so the tablets. kez {value}"), ("assistant", "Good.")], 20)
    extract(reel, rows(("constraints", "tablets", value, f"kez {value}")))
    assert facts(reel) == before
    assert "lamotrigine" in reel("review").ok().out


@pytest.mark.parametrize(
    ("key", "value", "words"),
    [
        ("Aoife", "coeliac, no flour near her", "shes a coeliac tamsin so put that down. no flour near her"),
        ("tea", "two sugars", "do you take sugar in the tea? two, and stand on the spoon"),
        ("tea", "two sugars", '"two, and stand on the spoon" / "do you take sugar in the tea"'),
        ("never say", 'never say "you\'ve got this"', 'One condition: please never say "you\'ve got this"'),
        ("scarf", "a scarf for Tamsin", "Grey wool, the scarf, a present for you"),
    ],
)
def test_who_is_only_addressed_is_not_what_a_fact_is_about(key: str, value: str, words: str) -> None:
    assert not is_about_persona(key, value, words, "Tamsin")


@pytest.mark.parametrize(
    "words", ["You are a keeper of bees.", "Tamsin is a keeper of bees.", "You keep bees."]
)
def test_what_is_said_of_the_persona_is_about_it(words: str) -> None:
    assert is_about_persona("bees", "keeper of bees", words, "Tamsin")
