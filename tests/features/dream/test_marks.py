"""Dreams and purges in history, and that it is read once a commit."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from reel_cli.core.change.transaction import apply_change
from reel_cli.core.files.state import State
from reel_cli.core.git.last_proof import ProofRecord, last_verified, note_verified
from reel_cli.core.kit.head_note import HistoryNote
from reel_cli.core.values.change import Change
from reel_cli.features.dream.pulse.outside_facts import Marks, StoryMark, read_marks
from tests.support.kit_under_git import IDENTITY, KitUnderGit, make_kit

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
BATCH = (("Reel-Session", "2026-02-10-1"), ("Reel-Session", "2026-02-11-1"))


@pytest.fixture
def lived(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


def commit(
    kit: KitUnderGit,
    op: str,
    day: int,
    trailers: tuple[tuple[str, str], ...] = (),
    notes: tuple[str, ...] = (),
) -> str:
    snapshot = kit.snapshot()
    path = "ring4/index.md"
    told = "batch 1, 2 March 2026" if trailers == BATCH else "a step"
    told = "held chapter 1 against what was said, nothing to amend" if trailers == BATCH[:1] else told
    change = Change(op, told, {path: (snapshot.read(path) or b"") + b"\n"}, trailers, notes)
    apply_change(
        kit.repo, kit.root, change, snapshot.seen(), when=NOON + timedelta(days=day), identity=IDENTITY
    )
    return kit.git("rev-parse", "HEAD").strip()


def on(day: int) -> str:
    return (NOON + timedelta(days=day)).isoformat()


def test_a_batch_is_a_dream_and_its_beginning_and_end_are_none(lived: KitUnderGit) -> None:
    assert read_marks(lived.repo) == Marks()
    commit(lived, "dream", 1)
    first = commit(lived, "dream", 2, BATCH)
    commit(lived, "purge", 3)
    commit(lived, "record", 4, BATCH)
    commit(lived, "dream", 5, BATCH)
    commit(lived, "dream", 6)
    commit(lived, "dream", 7, BATCH[:1])
    sessions = tuple(session for _, session in BATCH)
    found = read_marks(lived.repo)
    assert found == Marks(
        (StoryMark(on(5), sessions), StoryMark(on(2), sessions)),
        (StoryMark(on(3)),),
        (StoryMark(on(7), sessions[:1]),),
    )
    assert (found.dreams, found.purges) == ((on(5), on(2)), (on(3),))
    assert read_marks(lived.repo, first) == Marks((StoryMark(on(2), sessions),))


def test_a_dream_that_was_taken_back_is_none(lived: KitUnderGit) -> None:
    commit(lived, "dream", 1, BATCH)
    second = commit(lived, "dream", 2, BATCH)
    commit(lived, "undo", 3, (("Reel-Undoes", second),))
    assert read_marks(lived.repo).dreams == (on(1),)


def test_what_only_speaks_of_a_dream_is_none(lived: KitUnderGit) -> None:
    commit(lived, "record", 1, BATCH, notes=("Reel-Op: dream",))
    lived.git("commit", "-q", "--allow-empty", "-m", "x\n\nReel-Op: dreaming\nReel-Session: 2026-02-10-1")
    assert read_marks(lived.repo) == Marks()


def test_a_history_that_cannot_be_read_tells_nothing(lived: KitUnderGit) -> None:
    commit(lived, "dream", 1, BATCH)
    assert read_marks(lived.repo, "HEAD; rm") == Marks()
    assert read_marks(lived.repo, "0" * 40) == Marks()


# -- the note on a history ------------------------------------------------------------------------


def counted() -> tuple[Callable[[], list[int]], list[int]]:
    made: list[int] = []

    def make() -> list[int]:
        made.append(len(made))
        return [len(made)]

    return make, made


def test_a_note_holds_until_another_commit_is_checked_out(lived: KitUnderGit) -> None:
    make, made = counted()

    def ask(facts: str = "", kind: str = "a") -> list[int]:
        return HistoryNote(kind, make, facts).recall(lived.root, lived.repo)

    assert [ask(), ask(), ask("b"), ask("b"), ask("", "c"), ask("b")] == [[1], [1], [2], [2], [3], [2]]
    commit(lived, "dream", 1)
    assert [ask("b"), ask("b")] == [[4], [4]]
    assert made == [0, 1, 2, 3]


def test_where_no_catalog_can_be_used_it_is_made_each_time(lived: KitUnderGit, tmp_path: Path) -> None:
    make, _ = counted()
    assert HistoryNote("a", make).recall(lived.root, lived.repo) == [1]
    catalog = lived.root / ".reel/cache/catalog.sqlite"
    catalog.unlink()
    (tmp_path / "elsewhere").touch()
    catalog.symlink_to(tmp_path / "elsewhere")
    assert [HistoryNote("a", make).recall(lived.root, lived.repo) for _ in range(2)] == [[2], [3]]


# -- how it went when the tape was proven ---------------------------------------------------------


def test_that_it_was_once_not_well_is_kept(tmp_path: Path) -> None:
    state = State(tmp_path)
    assert last_verified(state) is None
    note_verified(state, on(1), 0)
    assert last_verified(state) == ProofRecord(on(1), 0)
    note_verified(state, on(2), 3)
    note_verified(state, on(3), 0)
    found = last_verified(state)
    assert found == ProofRecord(on(3), 0, failed=on(2))
    assert found.well


def test_where_nothing_can_be_written_nothing_is_noted(tmp_path: Path) -> None:
    (tmp_path / ".reel").write_text("in the way")
    note_verified(State(tmp_path), on(1), 0)
    assert last_verified(State(tmp_path)) is None
