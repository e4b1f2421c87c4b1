"""An example of which a purge took words is in no bundle until a person writes it anew."""

import json
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat

SESSION = "2026-02-25-1"
NAME = "standing-up"
TOLD = "a purge took words of “Standing up”, so no bundle shows it"
AS_EXAMPLE = "**Bo:** Fine. Chapter four"
"""Its beginning as an example; the chat itself has no bold names."""
PURGE = ("purge", "--match", "with her coat on", "--confirm", "Ada")


@pytest.fixture
def shown(reel: Reel, kit: Path) -> Path:
    """A kit with an example out of a chat, in use."""
    reel.given("record", "-", stdin=chat())
    reel.given("example", "add", "--from", f"{SESSION}#3-4", "--title", "Standing up")
    assert is_heard(reel)
    return kit


def is_heard(reel: Reel) -> bool:
    ways = ("pack",), ("pack", "--window", "64k"), ("pack", "--boot"), ("export", "letter")
    card = "Fine. Chapter four" in reel("export", "card").ok().out
    return card or any(AS_EXAMPLE in reel(*way).ok().out for way in ways)


def words(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("what", [("--match", "with her coat on"), (SESSION,)])
def test_no_bundle_has_it_and_every_screen_says_so(reel: Reel, shown: Path, what: tuple[str, ...]) -> None:
    err = words(reel("purge", *what, "--confirm", "Ada").ok().err)
    assert f"A{TOLD[1:]}. To be told of this no more: reel example retire {NAME}" in err
    assert not is_heard(reel)
    assert all("**Bo:** _purged_" not in reel(*way).ok().out for way in (("pack",), ("export", "card")))
    left = json.loads(reel("pack", "--json").ok().out)["left_out"]
    assert [one["id"] for one in left if one["reason"] == "a purge took words of it"] == [NAME]
    assert f"lost words, in no bundle  {NAME}" in reel("example", "list").ok().out
    found = json.loads(reel("doctor", "--json").out)["findings"]
    assert [one["mend"] for one in found if one["evidence"] == TOLD] == [
        f"write ring1/{NAME}.md anew without _purged_, or  reel example retire {NAME}"
    ]
    assert f"examples: {TOLD}:  reel example retire {NAME}" in reel("status", "--due").out


def test_the_command_ends_it(reel: Reel, shown: Path) -> None:
    reel(*PURGE).ok()
    assert words(reel("example", "retire", NAME).ok().err) == "No bundle shows it now."
    assert TOLD not in words(reel("status").ok().out)
    assert TOLD not in words(reel("doctor").out)
    refused = reel("example", "activate", NAME)
    assert refused.code == 1
    assert f"write it anew in ring1/{NAME}.md, without _purged_" in refused.err


def test_written_anew_it_is_shown_again(reel: Reel, shown: Path) -> None:
    reel(*PURGE).ok()
    place = shown / f"ring1/{NAME}.md"
    place.write_text(place.read_text(encoding="utf-8").replace("_purged_", "by the door"), encoding="utf-8")
    assert AS_EXAMPLE not in reel("pack").ok().out, "bundles still begin with the text approved last"
    reel("review", "accept", f"ring1/{NAME}.md", "--yes", "--as", "Bo <bo@example.org>").ok()
    assert is_heard(reel)
    assert TOLD not in words(reel("status").ok().out)


def test_the_one_in_every_bundle_rests_too_and_another_takes_its_place(reel: Reel, shown: Path) -> None:
    reel("example", "anchor", NAME).ok()
    err = words(reel(*PURGE).ok().err)
    assert not is_heard(reel)
    command = err.partition("To be told of this no more: reel ")[2].split()[:3]
    assert command[:2] == ["example", "anchor"]
    reel(*command).ok()
    reel("example", "retire", NAME).ok()
    assert TOLD not in words(reel("status").ok().out)
    assert git(shown, "status", "--porcelain") == ""
