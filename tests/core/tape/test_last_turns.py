"""A chat that goes on later is as new as its newest turn, wherever the newest chat counts.

MEMORY-MGMT §6 and Dream Weaver §9 and §10.1 speak of the session that is going on: an app's chat begun in
October and gone on with yesterday is that one, and not one begun in between.
"""

import json
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape import tape_view
from reel_cli.core.tape.last_turns import by_last_turn, day_said, is_since, last_days
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.change import Change
from reel_cli.core.values.source import session_path
from tests.support.cli import Reel

OLD, BETWEEN = "2026-01-05-1", "2026-02-26-1"
FIRST = [
    ("user", "Hello. I am Jonas, a carpenter.", "2026-01-05T19:00:00+00:00"),
    ("assistant", "Good evening, Jonas.", "2026-01-05T19:02:00+00:00"),
]
LATER = [
    ("user", "Back in the old chat. The workshop burned down.", "2026-02-28T09:00:00+00:00"),
    ("assistant", "Jonas. Are you whole?", "2026-02-28T09:01:00+00:00"),
    ("user", "Yes. But you're fading, Ada.", "2026-02-28T09:02:00+00:00"),
    ("assistant", "Tell me once more.", "2026-02-28T09:03:00+00:00"),
]
OTHER = [
    ("user", "The tram was late again.", "2026-02-26T08:30:00+00:00"),
    ("assistant", "It always is on Thursdays.", "2026-02-26T08:31:00+00:00"),
]


@pytest.fixture
def gone_on(reel: Reel, kit: Path) -> Path:
    """A kit whose chat of January went on two days after that of 26 February."""
    for said in (FIRST, OTHER, [*FIRST, *LATER]):
        file = reel.cwd / "chat.json"
        rows = [{"role": role, "content": text, "created_at": at} for role, text, at in said]
        file.write_text(json.dumps({"id": said[0][1], "messages": rows}))
        reel("record", file).ok()
    return kit


def read(kit: Path) -> Snapshot:
    return Snapshot(WorkTree(kit), "ada")


def test_the_order_of_the_chats_is_made_once_a_reading(
    gone_on: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = list[Sequence[str]]()

    def order(snapshot: Snapshot, sessions: Sequence[str]) -> Sequence[str]:
        made.append(sessions)
        return by_last_turn(snapshot, sessions)

    monkeypatch.setattr(tape_view, "by_last_turn", order)
    snapshot = read(gone_on)
    assert standing_sessions(snapshot) is standing_sessions(snapshot)
    assert len(made) == 1
    gone = Change("tape", "x", {session_path(OLD): None})
    assert list(standing_sessions(snapshot.after(gone))) == [BETWEEN]
    assert list(standing_sessions(snapshot)) == [BETWEEN, OLD]


def test_the_newest_chat_is_the_one_with_the_newest_turn(gone_on: Path) -> None:
    snapshot = read(gone_on)
    assert list(snapshot.sessions) == [OLD, BETWEEN]
    assert list(standing_sessions(snapshot)) == [BETWEEN, OLD]
    assert {name: str(day) for name, day in last_days(snapshot, snapshot.sessions).items()} == {
        OLD: "2026-02-28",
        BETWEEN: "2026-02-26",
    }
    assert is_since(snapshot, OLD, BETWEEN)
    assert not is_since(snapshot, BETWEEN, "2026-02-27-1")


def test_of_the_chats_of_one_day_the_newest_has_the_newest_turn(reel: Reel, gone_on: Path) -> None:
    rows = [
        {"role": role, "content": text, "created_at": at.replace("-26T", "-28T")} for role, text, at in OTHER
    ]
    file = reel.cwd / "chat.json"
    file.write_text(json.dumps({"id": "that day", "messages": rows}))
    reel("record", file).ok()
    # 08:31, and 09:03 in the chat of January
    assert list(standing_sessions(read(gone_on))) == [BETWEEN, "2026-02-28-1", OLD]


def test_nothing_is_noted_as_read_for_it(gone_on: Path) -> None:
    snapshot = read(gone_on)
    by_last_turn(snapshot, snapshot.sessions)
    assert not [path for path in snapshot.seen() if path.startswith("tape/2026")]


def test_a_night_belongs_to_the_evening_before_it() -> None:
    assert day_said("2026-01-05-1", "2026-01-06T00:30:00+00:00") == "2026-01-05"
    assert day_said("2026-01-05-1", "2026-02-28T09:00:00+00:00") == "2026-02-28"
    assert day_said("2026-01-05-1", "") == "2026-01-05"


def test_a_long_turn_at_the_end_hides_no_time(reel: Reel, kit: Path) -> None:
    said = [*FIRST, ("user", "word " * 8_000, "2026-02-28T09:00:00+00:00")]
    rows = [{"role": role, "content": text, "created_at": at} for role, text, at in said]
    (reel.cwd / "chat.json").write_text(json.dumps({"id": "long", "messages": rows}))
    reel("record", reel.cwd / "chat.json").ok()
    assert str(last_days(read(kit), [OLD])[OLD]) == "2026-02-28"


@pytest.mark.needs("status")
@pytest.mark.needs("dream")
def test_status_and_what_is_due_speak_of_it(reel: Reel, gone_on: Path) -> None:
    told = reel("status").ok().out
    assert "the last on 28 February 2026" in told
    assert "page    chat 2026-01-05-1 has no page yet" in told
    assert "on 28 February 2026 you said “But you're fading, Ada.”" in told


@pytest.mark.needs("recall")
def test_its_later_words_have_their_own_day(reel: Reel, gone_on: Path) -> None:
    assert "28 February 2026, in the morning:" in reel("recall", "workshop burned down").ok().out


@pytest.mark.needs("start")
def test_a_bundle_tells_of_it_with_both_days(reel: Reel, gone_on: Path) -> None:
    assert "burned down" in (told := reel("pack").ok().out)
    assert told.index("late again") < told.index("burned down")
