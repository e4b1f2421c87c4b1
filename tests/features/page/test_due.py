"""Pages that sessions ask for: checkpoints, more often while the kit is young, and urgent moments."""

import json
from pathlib import Path

from tests.support.cli import Reel
from tests.support.growing_kit import TODAY, grow
from tests.support.pages import chat, page

CHECKPOINT = ("--only", "checkpoint")
FLAG = {"Never let fade": '"careful looks cold from outside"'}
MISSING = f'a moment of chat {TODAY} must not fade and has no memory yet: "careful looks cold from outside"'


def due(reel: Reel) -> list[tuple[str, str]]:
    answer = json.loads(reel("status", "--due", "--json").out)
    return [(one["what"], one["why"]) for one in answer["due"]]


def evening(day: int, subject: str, messages: int = 4) -> str:
    """A chat of one evening in March, like no other."""
    said = [
        {"role": "assistant" if n % 2 else "user", "content": f"{subject} {n}, and {subject} again"}
        for n in range(messages)
    ]
    return json.dumps({"title": subject, "created_at": f"2026-03-0{day}T19:00:00+00:00", "messages": said})


def test_while_young_no_session_goes_by_without_its_checkpoint(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    told = []
    for day, subject in ((2, "harbour"), (3, "mittens"), (4, "turnips")):
        reel("record", "-", stdin=evening(day, subject)).ok()
        told += [why for what, why in due(reel) if what == "checkpoint"]
    assert told == [
        "chat 2026-03-02-1 has no page yet",
        "chat 2026-03-03-1 has no page yet, nor has the one before it",
        "chat 2026-03-04-1 has no page yet, nor have the 2 before it",
    ]


def test_what_was_taken_in_before_the_first_checkpoint_is_not_asked_about(reel: Reel, kit: Path) -> None:
    for day, subject in ((2, "harbour"), (3, "mittens")):
        reel("record", "-", stdin=evening(day, subject)).ok()
    assert due(reel)[0] == ("checkpoint", "chat 2026-03-03-1 has no page yet")


def test_once_grown_up_a_session_that_went_by_is_let_be(reel: Reel, kit: Path) -> None:
    grow(reel, kit)
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    for day, subject in ((2, "harbour"), (3, "mittens")):
        reel("record", "-", stdin=evening(day, subject)).ok()
    assert due(reel)[0] == ("checkpoint", "chat 2026-03-03-1 has no page yet")


def grown_on(reel: Reel, messages: int) -> list[tuple[str, str]]:
    """Return what is due after a page, when its chat goes on for so many messages more."""
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    more = [("assistant" if n % 2 else "user", f"And turnips, number {n}.") for n in range(messages)]
    reel("record", "-", stdin=chat(*more)).ok()
    return [one for one in due(reel) if one[0] == "checkpoint"]


def test_within_a_long_session_it_comes_twice_as_often_while_young(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "checkpoint:\n  turns: 8\n")
    reel("record", "-", stdin=chat()).ok()
    assert grown_on(reel, 4) == [("checkpoint", f"{TODAY} has gone on for 4 messages since its page")]


def test_within_a_long_session_it_comes_as_often_as_is_set_later(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "checkpoint:\n  turns: 8\n")
    grow(reel, kit)
    assert grown_on(reel, 6) == []
    more = [("assistant" if n % 2 else "user", f"And turnips, number {n}.") for n in range(8)]
    reel("record", "-", stdin=chat(*more)).ok()
    assert due(reel)[0] == ("checkpoint", f"{TODAY} has gone on for 8 messages since its page")


def test_turns_of_none_do_not_ask_where_nothing_was_said(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "checkpoint:\n  turns: 0\n")
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert due(reel) == []


def test_a_moment_that_must_not_fade_comes_before_all_else(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    done = reel("checkpoint", *CHECKPOINT, "--reply", "-", "--yes", stdin=page(FLAG)).ok()
    assert done.err.endswith(
        'A moment must not fade and has no memory yet: "careful looks cold from outside"\n'
        f"While the chat is open:  reel checkpoint --session {TODAY} --only consolidation --prompt\n"
    )
    assert due(reel) == [("consolidation", MISSING)]
    assert reel("status", "--due").out == f"memory: {MISSING}:  reel consolidate {TODAY}\n"
    assert f"  memory  {MISSING}  reel consolidate {TODAY}\n" in reel("status").ok().out
    reel("record", "-", stdin=evening(4, "turnips")).ok()
    assert [what for what, _ in due(reel)] == ["consolidation", "checkpoint"]
    reel("consolidate", TODAY, "--reply", "-", "--yes", stdin=page()).ok()
    assert [what for what, _ in due(reel)] == ["checkpoint"]


def test_a_page_that_is_a_memory_too_leaves_nothing_to_offer(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    done = reel("checkpoint", "--reply", "-", "--yes", stdin=page(FLAG)).ok()
    assert "has no memory yet" not in done.err
    assert due(reel) == []


def test_what_was_not_said_so_is_nothing_that_cannot_wait(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    done = reel(
        "checkpoint",
        *CHECKPOINT,
        "--reply",
        "-",
        "--yes",
        stdin=page({"Never let fade": "I will never leave"}),
    ).ok()
    assert "has no memory yet" not in done.err
    assert due(reel) == [("consolidation", f"chat {TODAY} has no memory yet")]


def test_the_walk_through_goes_on_to_the_memory(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (kit.parent / "page.txt").write_text(page(FLAG))
    (kit.parent / "memory.txt").write_text(page())
    typed = "f ../page.txt\ny\ny\nf ../memory.txt\ny\n"
    done = reel("checkpoint", *CHECKPOINT, stdin=typed, tty=True).ok()
    assert "Ask for the memory of it now, while the chat is open?" in done.err
    assert due(reel) == []
    made = (kit / "ring3/M-001.md").read_text()
    assert 'immune_reason: "\\"careful looks cold from outside\\" must not fade"' in made


def test_who_says_later_is_told_how(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (kit.parent / "page.txt").write_text(page(FLAG))
    done = reel("checkpoint", *CHECKPOINT, stdin="f ../page.txt\ny\nn\n", tty=True).ok()
    assert done.err.endswith(f"Later:  reel checkpoint --session {TODAY} --only consolidation\n")
    assert due(reel) == [("consolidation", MISSING)]


def test_where_no_chat_is_recorded_there_is_no_memory_to_make(reel: Reel, kit: Path) -> None:
    for options in ((), ("--prompt",)):
        refused = reel("consolidate", *options)
        assert refused.code == 1
        assert "No chat is recorded yet, so there is none to make a memory of." in refused.err
        assert "record the chat first:  reel record FILE" in refused.err
