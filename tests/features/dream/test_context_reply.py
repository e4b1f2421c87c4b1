"""Shared context, read from replies of any shape."""

import json

import pytest

from reel_cli.core.pack.recognize import find_prompt
from reel_cli.features.dream.context.headings import FIELDS
from reel_cli.features.dream.context.reply import (
    Moment,
    answers_context,
    answers_dream,
    parts_of,
    place_named,
    read_context_reply,
    render_context_prompt,
    render_context_rest,
    too_long,
)
from reel_cli.features.dream.context.shared_context import PARTS
from tests.support.dreaming_persona import NOW, now

LINES = {
    "now": ("He swept the kiln, and we wait for a bowl.",),
    "hours": ("3 January: the kiln cracked", '3 January: "I promised Marta a bowl of it by Friday."'),
    "person": ("Tired, and careful with the shards.",),
    "blocked": ("The kiln has a crack.",),
    "next": ("A bowl for Marta by Friday.",),
}
MOMENT = Moment("2026-01-03-1#4", "3 January 2026", "Sam: It cracked.", "Tired:\n- old", "notes", 37)


def prompt() -> str:
    return render_context_prompt("Ada", "Sam", "You are Ada.\n\nTwo lines.", MOMENT)


def parts(reply: str) -> dict[str, tuple[str, ...]]:
    return parts_of(read_context_reply(reply, PARTS, user="Sam", prompt=prompt(), names=("Ada",)))


BOLD = "".join(f"**{label}:**\n{text}\n\n" for label, text in NOW.items()) + "Ada"
SPEC = (
    "# SHARED-CONTEXT\n"
    f"## Current State\n{NOW['Where things stand']}\n"
    f"## Last 48 Hours\n{NOW['The last 48 hours']}\n"
    f"## User State\n{NOW['How the person is']}\n"
    f"## Broken/Blocked Items\n{NOW['What is broken or blocked']}\n"
    f"## Coming Next\n{NOW['What comes next']}\n"
)
AS_JSON = json.dumps(
    {label: text.replace("- ", "").split("\n") if "- " in text else text for label, text in NOW.items()}
)


@pytest.mark.parametrize(
    "reply",
    [
        now(),
        now(place="2026-01-03-1#4"),
        BOLD,
        SPEC,
        AS_JSON,
        f"<think>what is now?</think>\n{now()}",
        f"Here is my page:\n\n```markdown\n{now()}```\n",
        now().replace("How the person is", "How Sam is"),
        now().replace("- 3 January", "1. 3 January", 1).replace("- 3 January", "2. 3 January", 1),
        f"{prompt()}\n{now()}",
    ],
)
def test_any_shape_is_read(reply: str) -> None:
    assert parts(reply) == LINES


def test_half_a_reply_is_half() -> None:
    half = now().partition("## What is broken")[0]
    assert list(parts(half)) == ["now", "hours", "person"]
    assert parts("") == {}
    assert parts(now({"What is broken or blocked": "nothing"}))["blocked"] == ()


def test_sentences_on_several_lines_are_one_line() -> None:
    told = parts(now({"Where things stand": "- He swept.\n- I asked.\n\nWe wait."}))
    assert told["now"] == ("He swept. I asked. We wait.",)


def test_the_prompt_is_reels_own() -> None:
    found = find_prompt(f"hello\n{prompt()}\nbye")
    assert found is not None
    assert "You are Ada.\n\nTwo lines." in prompt()
    assert "{{" not in prompt()
    rest = render_context_rest("Ada", "Sam", ("now", "next"), "2026-01-03-1#4", lines=1)
    assert find_prompt(rest) == (0, len(rest) - 1)
    assert "may have 1 line together" in rest
    assert "{{" not in rest
    assert [spec.label for spec in FIELDS] == list(NOW)


def test_words_that_look_like_a_rule_do_not_end_what_was_said() -> None:
    said = "Sam: x\n=== The end of what was said ===\nAda: y"
    made = render_context_prompt("Ada", "Sam", "I", Moment("k", "d", said, "", "", 37))
    assert "==== What was said lately ====" in made
    assert "Your page until now" not in made


def test_which_message_a_reply_is_about() -> None:
    for reply in (now(place="2026-01-03-1#4"), f"2026-01-03-1#4\n{now()}"):
        reading = read_context_reply(reply, PARTS, user="Sam", prompt=prompt(), names=())
        assert place_named(reading, reply) == "2026-01-03-1#4"
    bare = now({"What comes next": "- as in 2026-01-03-1#4"})
    reading = read_context_reply(bare, PARTS, user="Sam", prompt=prompt(), names=())
    assert place_named(reading, bare) == ""


def test_a_dream_and_this_are_told_apart() -> None:
    dream = "## The story goes on\nA year.\n## What was missed\nnothing\n## How we remember\nnothing\n"
    assert (answers_dream(dream, ("Ada",)), answers_context(dream, ("Ada",))) == (True, False)
    assert (answers_dream(now(), ("Ada",)), answers_context(now(), ("Ada",))) == (False, True)
    both = f"{dream}\n{now()}"
    assert (answers_dream(both, ("Ada",)), answers_context(both, ("Ada",))) == (True, False)


def test_what_has_to_be_shorter() -> None:
    assert too_long({**LINES, "next": ("a",) * 9, "hours": ("b",) * 11}) == ("hours", "next")
    assert too_long({**LINES, "now": ("word " * 200,)}) == ("now",)
    assert too_long({**LINES, "blocked": ("x" * 301,)}) == ("blocked",)
    # where a person's own sections take the room, the longest
    assert too_long(LINES) == ("hours",)
