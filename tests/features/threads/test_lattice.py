"""The lattice's file: whatever becomes of it, and whoever else writes to it, the ribs are the same."""

import sqlite3
from collections.abc import Mapping
from pathlib import Path

import pytest

from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Conversation, Message, Session
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.ribs import cut_ribs

MATTERS = ("harbor", "violin", "glacier", "orchard", "lantern", "ferry", "pottery", "meadow")


def chat(name: str, cycles: int) -> bytes:
    messages = []
    for n in range(cycles):
        one, other = MATTERS[n % 8], MATTERS[(n * 3 + 1) % 8]
        time = f"{name[:10]}T10:{n % 60:02}:00+00:00"
        messages += [
            Message("user", f"How is the {one}?", time=time),
            Message("assistant", f"The {other} too."),
        ]
    return render_session(name, Conversation("messages", messages))


class Tape:
    """Chats by name, and which of them were read."""

    def __init__(self, chats: Mapping[str, bytes]) -> None:
        self.chats = dict(chats)
        self.seen: list[str] = []

    def read(self, name: str) -> bytes:
        self.seen.append(name)
        return self.chats[name]

    def refresh(self, lattice: Lattice) -> list[tuple[object, ...]]:
        """Bring a lattice up to date; all that it keeps then."""
        stamps = {name: str(len(data)) for name, data in self.chats.items()}
        lattice.refresh(stamps, self.read, "hybrid", frozenset())
        return lattice.rows()


@pytest.fixture
def tape() -> Tape:
    return Tape({f"2026-03-0{day}-1": chat(f"2026-03-0{day}-1", 12 + day) for day in range(1, 7)})


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / ".reel" / "cache" / "lattice.sqlite"


def session(cycles: int) -> Session:
    return parse_session(chat("2026-03-01-1", cycles), session_path("2026-03-01-1"))


@pytest.mark.parametrize(
    ("cycles", "fine", "coarse"),
    [
        (3, [(1, 3)], []),
        (13, [(1, 13)], []),
        (14, [(1, 10), (11, 14)], [(1, 14)]),
        (50, [(n, n + 9) for n in range(1, 50, 10)], [(1, 50)]),
        (72, [*((n, n + 9) for n in range(1, 60, 10)), (61, 72)], [(1, 50), (51, 72)]),
    ],
)
def test_a_chat_is_condensed_every_10_and_every_50_cycles(
    cycles: int, fine: list[tuple[int, int]], coarse: list[tuple[int, int]]
) -> None:
    """Each run of 10 or 50 cycles gets a node (SRIP-11 §III.1), both by `hybrid` (SRIP-11 §V)."""
    ribs = cut_ribs(session(cycles), "hybrid")
    assert [rib.cycles for rib in ribs if not rib.coarse] == fine
    assert [rib.cycles for rib in ribs if rib.coarse] == coarse
    assert all(0 < rib.density <= 1 and 0 <= rib.entropy <= 1 and rib.time for rib in ribs)


def test_a_chat_more_costs_the_same_however_many_there_are(tape: Tape, path: Path) -> None:
    """Nothing but what changed is condensed (SRIP-11 §III.1)."""
    with Lattice(path) as lattice:
        tape.refresh(lattice)
    tape.seen.clear()
    tape.chats["2026-03-09-1"] = chat("2026-03-09-1", 11)
    with Lattice(path) as lattice:
        tape.refresh(lattice)
        tape.refresh(lattice)
    assert tape.seen == ["2026-03-09-1"]


def test_a_build_that_is_stopped_goes_on_where_it_was(
    tape: Tape, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.features.threads.lattice._COMMIT_EVERY", 1)
    stopping = Tape(tape.chats)

    def read(name: str) -> bytes:
        if len(stopping.seen) == 3:
            raise KeyboardInterrupt
        return Tape.read(stopping, name)

    monkeypatch.setattr(stopping, "read", read)
    with Lattice(path) as lattice, pytest.raises(KeyboardInterrupt):
        stopping.refresh(lattice)
    with Lattice(path) as lattice:
        rows = tape.refresh(lattice)
    assert sorted(tape.seen) == sorted(tape.chats.keys() - set(stopping.seen))
    with Lattice(path.with_name("anew.sqlite")) as lattice:
        assert tape.refresh(lattice) == rows


def test_two_at_once_make_one_lattice(tape: Tape, path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("reel_cli.features.threads.lattice._COMMIT_EVERY", 1)
    other = Tape(tape.chats)
    stamps = {name: str(len(data)) for name, data in tape.chats.items()}
    with Lattice(path) as lattice, Lattice(path) as beside:
        # each goes on with what the other has not done yet
        beside.refresh(dict(list(stamps.items())[:4]), other.read, "hybrid", frozenset())
        rows = tape.refresh(lattice)
        assert not set(tape.seen) & set(other.seen)
        assert other.refresh(beside) == rows


@pytest.mark.parametrize("trouble", ["older", "torn", "empty", "folder", "link"])
def test_whatever_lies_in_its_place(tape: Tape, path: Path, trouble: str) -> None:
    with Lattice(path.with_name("sound.sqlite")) as lattice:
        rows = tape.refresh(lattice)
    if trouble == "older":
        with sqlite3.connect(path) as file:
            file.executescript(
                "PRAGMA application_id = 1380271438; PRAGMA user_version = 1; CREATE TABLE a (b)"
            )
        file.close()
    elif trouble == "torn":
        data = path.with_name("sound.sqlite").read_bytes()
        path.write_bytes(data[:5000] + b"\0" * (len(data) - 5000))
    elif trouble == "empty":
        path.touch()
    elif trouble == "folder":
        path.mkdir()
    else:
        path.symlink_to(path.with_name("elsewhere"))
    for _ in range(2):
        with Lattice(path) as lattice:
            assert tape.refresh(lattice) == rows


def test_while_another_holds_on_to_the_file_it_lives_in_memory(
    tape: Tape, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.core.cache_file.PATIENCE", 0.0)
    with Lattice(path) as lattice:
        tape.refresh(lattice)
    held = sqlite3.connect(path, isolation_level=None)
    held.execute("BEGIN EXCLUSIVE")
    tape.chats["2026-03-09-1"] = chat("2026-03-09-1", 11)
    with Lattice(path) as lattice:
        tape.refresh(lattice)
        assert "2026-03-09-1" in {rib.session for rib in lattice.list_ribs()}
    held.execute("ROLLBACK")
    held.close()
