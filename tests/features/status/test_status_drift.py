"""`reel status --drift`: the persona's word beside the number, whole commands."""

import json
from pathlib import Path
from typing import Any

import pytest

from reel_cli.features.page.drift.measure import FAR
from tests.features.page.drift.test_drift_measure import SMALL, THINGS
from tests.support.cli import Reel, git
from tests.support.pages import page
from tests.support.shelf import ready_made

ASSISTANT = (
    "## Great question!\n\n- **First**, let me help you plan your day!\n- **Then**, you could have some rest!"
)
STEADY: dict[str, str | None] = {
    "What has shifted": "Nothing.\nsteady",
    "Lines to find it by": '"Tell me"\n"Go on"',
}


def said(seed: int, number: int) -> str:
    """One reply of the usual voice: small words and things, by a rule rather than by chance."""
    words = [
        (THINGS if (seed + 3 * n) % 5 < 2 else SMALL)[(seed * 7 + number * 5 + n * n) % 14] for n in range(16)
    ]
    return " ".join(words[:8]) + ". " + " ".join(words[8:]) + "."


def evening(day: int, replies: list[str]) -> str:
    messages = []
    for text in replies:
        messages += [{"role": "user", "content": "Tell me. Go on."}, {"role": "assistant", "content": text}]
    started = f"2026-01-{day:02}T19:00:00+00:00"
    return json.dumps({"title": f"evening {day}", "created_at": started, "messages": messages})


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    """A kit with seven evenings; in the last, the persona has an assistant's voice."""

    def record() -> None:
        for day in range(1, 7):
            reel("record", "-", stdin=evening(day, [said(day, n) for n in range(8)])).ok()
        reel("record", "-", stdin=evening(7, [ASSISTANT] * 8)).ok()

    ready_made(kit, "seven evenings", record)
    return kit


def drift(reel: Reel, *more: str) -> list[dict[str, Any]]:
    answer: dict[str, Any] = json.loads(reel("status", "--drift", "--json", *more).ok().out)
    assert answer["name"] == "Ada"
    found: list[dict[str, Any]] = answer["drift"]
    return found


def test_a_kit_in_which_nothing_is_recorded_says_so(reel: Reel, kit: Path) -> None:
    assert kit.is_dir()
    assert reel("status", "--drift").ok().out == "Ada. Nothing is recorded yet.\n"
    assert drift(reel) == []


def test_sessions_without_a_checkpoint_are_measured_when_asked(reel: Reel, told: Path) -> None:
    assert told.is_dir()
    rows = drift(reel)
    assert [row["standing"] for row in rows] == ["too early to tell"] * 5 + ["usual", "far"]
    assert [row["session"] for row in rows][-1] == "2026-01-07-1"
    assert rows[-1]["from_earlier"] >= FAR
    assert "more exclamations" in rows[-1]["moved"]
    assert {row["said"] for row in rows} == {None}


def test_a_checkpoint_keeps_the_measure_and_a_word_against_it_is_marked(reel: Reel, told: Path) -> None:
    run = reel("checkpoint", "--reply", "-", "--yes", stdin=page(STEADY)).ok()
    assert "Ada says nothing shifted\n  Measured: " in run.err
    assert "far from the usual.\n" in run.err
    text = (told / "checkpoints/2026-01-07-1.1.yaml").read_text()
    assert text.index("significance_flags:") < text.index("\nmeasured:\n  replies: ") < text.index("\nreply:")
    assert "  standing: far\n" in text
    (row,) = [row for row in drift(reel) if row["checkpoint"]]
    assert (row["said"], row["standing"], row["disagrees"]) == ("steady", "far", True)
    shown = reel("status", "--drift").ok().out
    spark = ["The chats, oldest first (a dot: too early or too little to tell):", "·····▁█"]
    assert shown.splitlines()[2:4] == spark
    assert "steady ≠\n" in shown
    assert shown.endswith("≠  Ada's own word and the number disagree.\n")


def test_where_all_is_too_early_no_dots_and_no_empty_columns_are_shown(reel: Reel, kit: Path) -> None:
    """A row of dots alone said nothing, to the eye or to who hears it."""
    reel("record", "-", stdin=evening(1, [said(1, n) for n in range(8)])).ok()
    shown = reel("status", "--drift").ok().out
    assert "·" not in shown
    assert shown.splitlines()[-2].split() == ["session", "replies", "standing"]
    assert shown.splitlines()[-1].split() == ["2026-01-01-1", "8", "too", "early"]


def test_what_a_checkpoint_holds_is_what_is_shown(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(STEADY)).ok()
    file = told / "checkpoints/2026-01-07-1.1.yaml"
    fresh = file.read_text()
    file.write_text(fresh.replace("standing: far", "standing: usual"))
    assert drift(reel)[-1]["standing"] == "usual"
    file.write_text(fresh.replace("standing: far", "standing: sideways"))
    assert drift(reel)[-1]["standing"] == "far"
    file.write_text("drift_detected: [no\n")
    assert drift(reel)[-1]["standing"] == "far"


def test_what_reel_put_into_the_chat_is_not_the_persona_s_voice(reel: Reel, told: Path) -> None:
    before = drift(reel)[-2]
    bundle = reel("pack").ok().out
    chat = json.loads(evening(6, [said(6, n) for n in range(8)]))
    chat["messages"] += [
        {"role": "assistant", "content": bundle},
        {"role": "system", "content": ASSISTANT * 9},
    ]
    reel("record", "-", stdin=json.dumps(chat)).ok()
    after = drift(reel)[-2]
    assert (told / "tape").is_dir()
    assert (after["replies"], after["words"], after["from_earlier"]) == (
        before["replies"], before["words"], before["from_earlier"],
    )  # fmt: skip


def test_a_session_taken_back_is_not_shown(reel: Reel, told: Path) -> None:
    reel("tape", "retract", "2026-01-07-1").ok()
    assert told.is_dir()
    assert [row["session"] for row in drift(reel)][-1] == "2026-01-06-1"


def test_a_session_that_was_altered_says_nothing_and_breaks_nothing(reel: Reel, told: Path) -> None:
    file = told / "tape/2026/2026-01-03-1.md"
    file.write_text(file.read_text().replace("harbour", "HARBOUR"))
    assert drift(reel)[2]["standing"] == "too little said"


def test_then_is_measured_as_it_was_then(reel: Reel, told: Path) -> None:
    commit = git(told, "rev-parse", "HEAD~1").strip()
    assert len(drift(reel, "--at", commit)) == 6
    assert len(drift(reel, "--at", commit)) == 6


def test_without_git_and_without_a_cache(reel: Reel, told: Path) -> None:
    whole = drift(reel)
    (told / ".git").rename(told.parent / "elsewhere")
    for file in (told / ".reel/cache").iterdir():
        file.unlink()
    assert drift(reel) == whole


def test_on_a_narrow_terminal_each_session_is_a_sentence(reel: Reel, told: Path) -> None:
    assert told.is_dir()
    shown = reel("status", "--drift", tty=True, env={"COLUMNS": "50", "LINES": "40"}).ok().out
    assert max(map(len, shown.splitlines())) <= 50
    assert "7 January 2026: far (" in shown


def test_on_a_usual_terminal_it_is_a_table_without_colour(reel: Reel, told: Path) -> None:
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(STEADY)).ok()
    assert told.is_dir()
    shown = (
        reel("status", "--drift", tty=True, env={"COLUMNS": "80", "LINES": "40", "NO_COLOR": "1"}).ok().out
    )
    assert max(map(len, shown.splitlines())) <= 80
    assert "\x1b" not in shown
    assert [line.split() for line in shown.splitlines() if line.startswith("session")] == [
        ["session", "replies", "apart", "standing", "what", "moved", "Ada", "said"]
    ]
