"""A chat that was purged whole is called purged on every screen, and one that was taken back is not."""

from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import chat, say

SESSION, OTHER = "2026-02-25-1", "2026-02-10-1"
ALL = "what was said is gone for good"
WAYS = (
    *(("status",), ("tape", "list"), ("tape", "show", SESSION), ("tape", "verify"), ("log",)),
    *(("tape", "retract", SESSION), ("recall", "--session", SESSION, "letter"), ("why", SESSION)),
)


@pytest.fixture
def gone(reel: Reel, kit: Path) -> Path:
    """A kit with one chat, and one that was purged."""
    say(reel, kit, [("user", "The heron is back on the weir."), ("assistant", "Then count it.")], 10)
    reel("record", "-", stdin=chat()).ok()
    reel("purge", SESSION, "--confirm", "Ada").ok()
    return kit


def screens(reel: Reel) -> str:
    runs = [reel(*way) for way in WAYS]
    return "\n".join(run.out + run.err for run in runs)


def test_every_screen_calls_it_purged(reel: Reel, gone: Path) -> None:
    told = screens(reel)
    assert "taken back" not in told
    assert "Ada: 1 chat, 2 messages, the last on 10 February 2026; 1 more purged." in told
    assert f"{SESSION}         6  (purged)\n" in told
    assert f"{SESSION} was purged: {ALL}, and it does not count." in told
    assert f"{SESSION} is purged; nothing was changed." in told
    assert f"Chat {SESSION} was purged, so there is nothing in it to search." in told
    assert "1 chat, 2 messages, and 1 purged with 6 messages" in told


def test_the_two_are_counted_apart(reel: Reel, gone: Path) -> None:
    reel("tape", "retract", OTHER, "--yes").ok()
    told = screens(reel)
    assert "Ada. 2 chats, 1 taken back and 1 purged." in told
    assert "(taken back) t\n" in told
    assert "and 2 taken back or purged with 8 messages" in told


def test_one_that_lost_a_word_is_none_of_them(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("purge", "--match", "with her coat on", "--confirm", "Ada").ok()
    reel("tape", "retract", SESSION, "--yes").ok()
    assert "1 chat, all taken back." in reel("status").ok().out
