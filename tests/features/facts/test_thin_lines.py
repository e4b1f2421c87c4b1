"""Facts whose quoted line is thin, while the lines beside it say whom and what it means."""

from pathlib import Path

import pytest

from reel_cli.core.evidence.grounding.intentions import only_intended, tells_done
from reel_cli.features.facts.evidence.details.word_forms import without_known
from tests.features.facts.test_fact_extract import extract, facts
from tests.support.cli import Reel
from tests.support.pages import say

OWN = [
    ("user", "hello. Bert my uncle is here"),
    ("assistant", "Hello. I lent Mr Askew my good saw, and had to break the kindling over my knee."),
    ("user", "ask for it back"),
    ("assistant", "He's had it since Easter. Neither of us will say a word."),
    ("user", "lamp"),
    ("assistant", "I only wanted to say one more thing about your uncle"),
    ("user", "LAMP. you promised"),
    ("assistant", "You said the word and I went straight on. I'm sorry."),
    ("user", "ok. he is a plumber, retired, Bert"),
    ("assistant", "He sounds kind. You like him, and I like a quiet man."),
]


def keeps(reel: Reel, line: str) -> bool:
    """Return whether a fact of a reply is kept as it is told."""
    kind, key, value, quoted = line.split(" | ")
    told = f"{kind} | {key} | {value} | Of the {key}: {value}. | {quoted} | 1"
    reply = f"## What I know for sure\n{told}\n\nAda\n"
    reel("fact", "extract", "--reply", "-", "--yes", "--json", stdin=reply)
    return value in facts(reel).values()


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('own | saw | Mr Askew has had my saw since Easter | "He\'s had it since Easter."', True),
        (
            (
                "own | lamp broken | talked straight on after lamp, and was sorry | "
                '"You said the word and I went straight on."'
            ),
            True,
        ),
        # another name, another thing, and somebody in the user's life
        ('own | saw | Bert has had my saw since Easter | "He\'s had it since Easter."', False),
        ('own | saw | Mrs Askew has had my saw since Easter | "He\'s had it since Easter."', False),
        ('own | axe | Mr Askew has had my axe since Easter | "He\'s had it since Easter."', False),
        ('own | kind man | Bert is kind | "He sounds kind."', False),
    ],
)
def test_what_the_persona_tells_of_somebody_it_named_is_of_its_life(
    reel: Reel, kit: Path, line: str, *, kept: bool
) -> None:
    say(reel, kit, OWN)
    assert keeps(reel, line) is kept


BEFORE = [
    ("user", "Viv's moving day is 26 june, with Colm, a mason. Hal is my brother, three years older."),
    ("assistant", "Noted."),
]
KNOWN = """## What I know for sure
relationships | Viv's move | 26 June; Colm, a mason | "Viv's moving day is 26 june, with Colm, a mason" | 1
history | Hal | brother, three years older | "Hal is my brother, three years older" | 1

Ada
"""
CHAT = [
    ("user", "I failed chemistry"),
    ("assistant", "By how much?"),
    ("user", "41. you need 43 to pass"),
    ("assistant", "When can you go again?"),
    ("user", "again on monday 5 october. if I fail that I can't start the job"),
    (
        "assistant",
        "I came aboard in thirty-six to mend a pump. The Constance kept me eleven years, a crew of thirty.",
    ),
    ("user", "Viv. not 26 june anymore. 12 june. the van was double booked"),
    ("assistant", "Hal was on the Alma, you said?"),
    ("user", "i used to think it was the 11th. the Alma went down on the 9th of february 88"),
    ("assistant", "And that inhaler in the shed."),
    ("user", "that shed! no inhaler in the shed any more. one in my coat, and one at the desk on a string"),
    ("assistant", "Good."),
    ("user", "office is 9 to 3. dont wait for answers then"),
    ("assistant", "I won't."),
]
RESIT = '"again on monday 5 october. if I fail that I can\'t start the job"'
MOVED = '"not 26 june anymore. 12 june. the van was double booked"'
LOST = '"i used to think it was the 11th"'
COAT = '"one in my coat, and one at the desk on a string"'
HOURS = '"office is 9 to 3"'


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        (
            f"commitments | chemistry | failed with 41 (43 to pass); resit 5 October, for the job | {RESIT}",
            True,
        ),
        (
            f"commitments | chemistry | failed with 42 (43 to pass); resit 5 October, for the job | {RESIT}",
            False,
        ),
        (f"relationships | Viv's move | 12 June, moved from 26; Colm, a mason | {MOVED}", True),
        (f"relationships | Viv's move | 12 June, moved from 24; Colm, a mason | {MOVED}", False),
        (f"relationships | Viv's move | 26 June, moved from 12; Colm, a mason | {MOVED}", False),
        (f"history | Hal | brother, three years older; the Alma, 9 February 88, not the 11th | {LOST}", True),
        (f"history | Hal | brother, three years older; the Alma, 9 February 88, not the 9th | {LOST}", False),
        (
            f"constraints | inhaler | one in the coat, one at the desk; none in the shed any more | {COAT}",
            True,
        ),
        (
            f"constraints | inhaler | one in the coat, one at the desk; none in the car any more | {COAT}",
            False,
        ),
        (
            f"constraints | inhaler | one in the coat, one at the desk; none in the coat any more | {COAT}",
            False,
        ),
        (f"commitments | office | 9 to 3, no answers then | {HOURS}", True),
        (f"commitments | office | 9 to 3, no questions then | {HOURS}", False),
        ('own | barge | Constance, 1936 | "I came aboard in thirty-six to mend a pump"', True),
        ('own | barge | Constance, 1930 | "I came aboard in thirty-six to mend a pump"', False),
        ('own | barge | Constance, 1946 | "I came aboard in thirty-six to mend a pump"', False),
    ],
)
def test_a_line_beside_the_quotation_says_the_rest(reel: Reel, kit: Path, line: str, *, kept: bool) -> None:
    say(reel, kit, BEFORE, day=10)
    extract(reel, KNOWN)
    say(reel, kit, CHAT, day=12)
    assert keeps(reel, line) is kept


def test_what_was_read_wrong_was_misread() -> None:
    assert not without_known(frozenset({"misread"}), frozenset({"read", "wrong"}))
    assert without_known(frozenset({"misread"}), frozenset({"read"}))


@pytest.mark.parametrize(
    ("line", "kept"),
    [
        ('preferences | coffee | may have it again | "can and may have coffee again if i want"', True),
        ('preferences | coffee | may not have it again | "can and may have coffee again if i want"', False),
        ('preferences | tea | may have it again | "can and may have coffee again if i want"', False),
    ],
)
def test_it_is_what_the_fact_is_of(reel: Reel, kit: Path, line: str, *, kept: bool) -> None:
    say(reel, kit, [("user", "can and may have coffee again if i want. tea never"), ("assistant", "Good.")])
    assert keeps(reel, line) is kept


@pytest.mark.parametrize(("told", "done"), [("may be stopped in January", False), ("stopped in May", True)])
def test_what_may_be_done_is_not_told_as_done(told: str, *, done: bool) -> None:
    assert tells_done(told) is done
    assert bool(only_intended(told, ["if it goes well we might stop it in january, or in may"])) is done
