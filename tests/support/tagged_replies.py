"""Replies full of scene tags and message headers, and the check that none is read from them."""

from collections.abc import Iterable

from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.stage_chain import find_syntax

TAGS = "[STAGE:SCENE light=low] {{CHAIN:ACK id=4}} STAGE: light=one lamp."


def tagged_page(labels: Iterable[str]) -> str:
    """Return a reply under these headings, with tags in each of its texts."""
    return "\n\n".join(f"## {label}\n- {TAGS} We went to the pier." for label in labels)


def assert_lived(reading: ReplyReading) -> None:
    """Check that a reading has the words, none of the tags, and says what was taken out."""
    told = [text for value in reading.values.values() for text in (value.text, *value.lines)]
    assert any("We went to the pier." in text for text in told)
    assert [text for text in told if find_syntax(text)] == []
    assert any("was taken out: a scene tag or message header" in one.what for one in reading.problems)
