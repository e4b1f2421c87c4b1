"""Lines of `reel start` before a chat, and its silence."""

import json
import os
from datetime import datetime
from pathlib import Path

import pytest

from reel_cli.core.files.state import State
from tests.features.watch.test_watch import chat_file
from tests.support.cli import CHECKOUT, Reel
from tests.support.pages import chat, page, say

STARTED = "2026-02-25T18:55:00+00:00"
OVER = "2026-02-25T20:00:00+00:00"


def told(reel: Reel, kit: Path, at: str = OVER) -> list[str]:
    """The lines that `reel start` says before the bundle."""
    lines = reel("start", cwd=kit, env={"REEL_NOW": at}).ok().err.splitlines()
    return lines[: next(place for place, line in enumerate(lines) if line.startswith("Packed"))]


def in_lm_studio(name: str, *said: str, began: str = "2026-02-25T19:00:00+00:00") -> Path:
    """A chat where LM Studio keeps its own, written when the evening was over."""
    written = datetime.fromisoformat(OVER).timestamp() - 60
    kept = json.loads(chat_file(*said, name=name))
    kept["createdAt"] = int(datetime.fromisoformat(began).timestamp() * 1000)
    path = Path.home() / ".lmstudio/conversations" / f"{kept['createdAt']}.conversation.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(kept))
    os.utime(path, (written, written))
    return path


def test_a_kit_whose_chats_all_have_their_page_is_quiet(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    assert told(reel, kit) == []


def test_a_chat_that_was_not_recorded_is_told_until_it_is(reel: Reel, kit: Path) -> None:
    assert told(reel, kit, STARTED) == []
    path = in_lm_studio("The lake", "Is the ice thick?", "Thick enough for a hare.")
    line = "“The lake” in LM Studio (2 messages) is not recorded yet:  reel end"
    assert told(reel, kit) == [line]
    # neither is it forgotten because a session was started meanwhile
    assert told(reel, kit, "2026-02-26T19:00:00+00:00") == [line]
    reel("end", "--yes", env={"REEL_NOW": "2026-02-26T19:05:00+00:00"}).ok()
    after = told(reel, kit)
    assert after == [
        (
            "The last chat (25 February 2026) is kept word for word, but has no page yet, "
            "so no memory is made of it:  reel end"
        )
    ]
    # the chat goes on in the app
    path.write_text(path.read_text())
    in_lm_studio("The lake", "Is the ice thick?", "Thick enough for a hare.", "And for us?", "Ask it.")
    assert told(reel, kit)[0] == "“The lake” in LM Studio went on after it was recorded:  reel end"


def test_a_chat_that_was_told_is_not_told_once_it_is_recorded_by_its_file(reel: Reel, kit: Path) -> None:
    assert told(reel, kit, STARTED) == []
    older = in_lm_studio("The lake", "Is the ice thick?", "Thick enough for a hare.")
    newer = in_lm_studio("The tram", "Late?", "As ever.", began="2026-02-25T19:30:00+00:00")
    os.utime(older, ns=(newer.stat().st_mtime_ns - 10**9,) * 2)
    assert told(reel, kit) == [
        "“The tram” in LM Studio (2 messages) is not recorded yet (and 1 more):  reel end"
    ]
    reel("end", older, "--yes").ok()
    assert told(reel, kit)[0] == "“The tram” in LM Studio (2 messages) is not recorded yet:  reel end"
    reel("record", newer).ok()
    assert not any("not recorded" in line for line in told(reel, kit))


def test_a_chat_of_before_the_start_or_of_nobody_here_is_not_told(reel: Reel, kit: Path) -> None:
    in_lm_studio("Taxes", "How do I file?", "With a form.", began="2026-02-20T19:00:00+00:00")
    assert told(reel, kit, STARTED) == []
    assert told(reel, kit) == []


def test_what_nobody_records_is_told_three_times(reel: Reel, kit: Path) -> None:
    told(reel, kit, STARTED)
    in_lm_studio("The lake", "Is the ice thick?", "Thick enough for a hare.")
    assert [len(told(reel, kit)) for _ in range(5)] == [1, 1, 1, 0, 0]


def test_at_most_three_things_are_told_the_most_important_first(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Is the ice thick?"), ("assistant", "Thick enough for a hare.")], 10)
    say(reel, kit, [("user", "Did you sleep?"), ("assistant", "Between two trams.")], 11)
    told(reel, kit, STARTED)
    in_lm_studio("The lake", "And today?", "Thinner.")
    assert told(reel, kit) == [
        "“The lake” in LM Studio (2 messages) is not recorded yet:  reel end",
        (
            "The last chat (11 February 2026) is kept word for word, but has no page yet, "
            "so no memory is made of it:  reel end"
        ),
        "The chat of 10 February 2026 is in no memory yet:  reel consolidate 2026-02-10-1",
    ]
    with (kit / "ring0/identity.md").open("a") as identity:
        identity.write("\nShe swims in winter.\n")
    first, second, more = told(reel, kit)
    assert first.startswith("ring0/identity.md was edited and is not approved yet")
    assert second.startswith("“The lake” in LM Studio")
    assert more == "2 more things to see to:  reel status"


def test_a_window_that_the_model_does_not_hold_is_told(reel: Reel, kit: Path) -> None:
    State(kit).save_models({"qwen3-8b": (8192, 32768)})
    assert told(reel, kit) == []
    State(kit).save_models({"qwen3-8b": (4096, 32768)})
    line = "The model qwen3-8b holds 4,096 tokens, and Ada is packed for 8,192:  reel model set --window 4096"
    assert told(reel, kit) == [line]
    reel("model", "set", "--window", "4096").ok()
    assert line not in told(reel, kit)


def test_what_waits_for_a_decision_is_told(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--prompt").ok()
    suggested = page({"Worth showing again": "No. I was being careful, and careful looks cold from outside."})
    reel("checkpoint", "--reply", "-", "--yes", stdin=suggested).ok()
    assert told(reel, kit) == ["1 thing waits for your decision:  reel review"]
    # its name is told once
    assert reel("status").ok().out.count("No. I was being careful") == 1


def test_a_chat_whose_memory_is_only_missing_needs_no_new_one(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    say(reel, kit, [("user", "Did you sleep?"), ("assistant", "Between two trams.")], 26)
    (kit / "ring3/M-001.md").unlink()
    lines = told(reel, kit, "2026-02-26T20:00:00+00:00")
    assert lines[0] == "ring3/M-001.md is missing:  reel restore M-001"
    assert not any("no memory yet" in line for line in lines)
    assert "has no memory yet" not in reel("status").ok().out


@pytest.mark.needs("dream")
def test_upkeep_is_told_in_one_line(reel: Reel) -> None:
    reel("init", "ada", "--template", CHECKOUT / "kits/ada").ok()
    kit = reel.cwd / "ada"
    waits = "1 thing waits for your decision:  reel review"
    due = "Maintenance and a dream are due:  reel status"
    assert told(reel, kit, "2026-03-01T20:00:00+00:00") == [waits, due]
    # it is said anew, and right, once the day or the kit is another
    reel("maintain", "--auto", cwd=kit, env={"REEL_NOW": "2026-03-01T20:00:00+00:00"}).ok()
    assert told(reel, kit, "2026-03-01T20:00:00+00:00") == [waits, "A dream is due:  reel dream start"]
    assert told(reel, kit, "2026-04-02T20:00:00+00:00") == [waits, due]
