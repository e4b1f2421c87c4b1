"""Facts whose quoted line is thin, while the lines beside it say whom and what it means."""

from pathlib import Path

import pytest

from tests.features.facts.test_fact_extract import facts
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
