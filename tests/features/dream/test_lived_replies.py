"""Replies to a dream's prompts: read without scene tags and message headers (REEL §5.2)."""

from reel_cli.core.stage_chain import find_syntax
from reel_cli.features.dream.context.reply import CONTEXT, read_context_reply
from reel_cli.features.dream.context.shared_context import PARTS
from reel_cli.features.dream.reply import DREAM, read_dream
from reel_cli.features.dream.story.reply import parse_reground, read_reground
from tests.support.tagged_replies import TAGS, assert_lived, tagged_page


def test_a_batch_keeps_no_syntax() -> None:
    """REEL §5.2, for the story."""
    reply = tagged_page(spec.label for spec in DREAM.fields)
    assert_lived(read_dream([reply], prompt="", names=("Ada",)))


def test_the_shared_context_keeps_none() -> None:
    """REEL §5.2, for SHARED-CONTEXT.md."""
    reply = tagged_page(spec.label for spec in CONTEXT.fields)
    assert_lived(read_context_reply(reply, PARTS, user="Bo", prompt="", names=("Ada",)))


def test_a_chapter_that_is_put_right_keeps_none() -> None:
    """REEL §5.2, where the answer has no heading either."""
    reply = f'Amend "we met at noon": {TAGS} we met at ten'
    reading = read_reground(reply, prompt="", names=("Ada",))
    found = parse_reground(reading, reply, ("Ada",))
    assert found
    assert find_syntax(repr(found)) == []
