"""Sessions since a line was pruned, by the order of commits alone."""

from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli import __version__
from reel_cli.core.files.catalog_store import open_store
from reel_cli.core.files.commit_message import Forgotten, render_forgotten
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.rings.prunings import NAME, read_prunings
from tests.support.kit_under_git import START, KitUnderGit, make_kit, run

STUBS = (
    b'M-001 | a | "b" | factual | not immune, pruned\n'
    b'M-002 | a | "b" | factual | not immune\n'
    b'M-003 | a | "b" | factual | not immune, pruned\n'
)


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada", start={**START, "ring4/index.md": STUBS})


def record(kit: KitUnderGit, session: str) -> None:
    kit.apply({f"tape/{session}": b"x"}, ("Reel-Session", session), op="record", summary="an evening")


def prune(kit: KitUnderGit, name: str, after: str = "stub", op: str = "maintain") -> None:
    loss = Forgotten(name, "L4", after, 10, 0, reason="idle")
    data = f"{kit.changes}".encode()
    kit.apply({f"ring3/{name}": data}, ("Reel-Forgot", render_forgotten(loss)), op=op)


def since(kit: KitUnderGit, name: str) -> list[str] | None:
    found = read_prunings(kit.repo, kit.root).since(name)
    return None if found is None else list(found)


def test_only_evenings_recorded_after_the_last_pruning_count(kit: KitUnderGit) -> None:
    record(kit, "2026-02-01-1")
    prune(kit, "M-002")
    record(kit, "2026-02-02-1")
    prune(kit, "M-002")
    record(kit, "2025-01-01-1")
    record(kit, "2026-02-04-1")
    assert since(kit, "M-002") == ["2025-01-01-1", "2026-02-04-1"]


def test_a_line_that_was_pruned_in_the_first_commit_counts_from_there(kit: KitUnderGit) -> None:
    record(kit, "2026-02-01-1")
    assert since(kit, "M-001") == ["2026-02-01-1"]
    assert since(kit, "M-002") is None
    assert since(kit, "M-777") is None


def test_other_losses_and_other_operations_are_none(kit: KitUnderGit) -> None:
    prune(kit, "M-002", after="L3")
    kit.apply({"x": b"x"}, ("Reel-Session", "2026-02-02-1"), op="checkpoint")
    assert since(kit, "M-002") is None
    assert since(kit, "M-001") == []
    prune(kit, "M-002", op="forget")
    assert since(kit, "M-002") == []


def test_what_was_read_once_is_read_on_from_there(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    prune(kit, "M-002")
    record(kit, "2026-02-01-1")
    assert since(kit, "M-002") == ["2026-02-01-1"]
    record(kit, "2026-02-02-1")
    asked: list[str] = []
    within = read_prunings.__globals__
    monkeypatch.setitem(within, "_read_course", noting(asked, within["_read_course"]))
    for _ in range(2):
        assert since(kit, "M-002") == ["2026-02-01-1", "2026-02-02-1"]
        assert since(kit, "M-001") == ["2026-02-01-1", "2026-02-02-1"]
    assert asked == [f"{run(kit.root, 'rev-parse', 'HEAD~1').strip()}..{kit.repo.head()}"]


def noting(
    asked: list[str], real: Callable[[Repository, str], list[str]]
) -> Callable[[Repository, str], list[str]]:
    def read_course(repo: Repository, commits: str) -> list[str]:
        asked.append(commits)
        return real(repo, commits)

    return read_course


def test_a_history_that_was_rewritten_is_read_anew(kit: KitUnderGit) -> None:
    prune(kit, "M-002")
    record(kit, "2026-02-01-1")
    assert since(kit, "M-002") == ["2026-02-01-1"]
    run(kit.root, "reset", "-q", "--hard", "HEAD~2")
    assert since(kit, "M-002") is None
    assert since(kit, "M-001") == []


@pytest.mark.parametrize("kept", ["null", "[]", '{"head": "--all"}', "{", '{"head": 1}'])
def test_a_cache_that_is_damaged_says_nothing(kit: KitUnderGit, kept: str) -> None:
    prune(kit, "M-002")
    store = open_store(kit.root)
    store.keep(NAME, __version__, kept)
    store.close(keep=True)
    assert since(kit, "M-002") == []


def test_where_nothing_can_be_kept_all_is_read_each_time(kit: KitUnderGit) -> None:
    prune(kit, "M-002")
    (kit.root / ".reel").rename(kit.root.parent / "away")
    (kit.root / ".reel").symlink_to(kit.root.parent / "away")
    assert since(kit, "M-002") == []


def test_a_kit_in_a_larger_repository_begins_where_it_was_made(tmp_path: Path) -> None:
    top = tmp_path / "top"
    top.mkdir()
    run(top, "init", "-q", "-b", "main")
    (top / "notes").write_text("before the kit")
    run(top, "add", ".")
    run(top, "commit", "-qm", "theirs")
    kit = make_kit(top / "ada", enclosing=top, start={**START, "ring4/index.md": STUBS})
    record(kit, "2026-02-01-1")
    assert since(kit, "M-001") == ["2026-02-01-1"]


def test_a_repository_without_a_commit_has_no_course(tmp_path: Path) -> None:
    run(tmp_path, "init", "-q")
    repo = find_repository(tmp_path)
    assert repo is not None
    assert read_prunings(repo, tmp_path).since("M-001") is None


def test_what_was_made_in_the_last_sessions_is_known_with_its_day(kit: KitUnderGit) -> None:
    def make(name: str, op: str) -> None:
        kit.apply({f"ring3/{name}": b"%d" % kit.changes}, ("Reel-Memory", f"{name} L1 200"), op=op)

    make("M-004", "consolidate")
    for number, name in enumerate(("M-005", "M-006", "M-007"), start=1):
        record(kit, f"2026-02-0{number}-1")
        make(name, "restore")
    found = read_prunings(kit.repo, kit.root)
    assert found.made_lately(1) == {"M-007": "2026-02-10"}
    assert found.made_lately(2) == dict.fromkeys(["M-007", "M-006"], "2026-02-10")
    assert found.made_lately(3) == dict.fromkeys(["M-007", "M-006", "M-005"], "2026-02-10")
    assert found.made_lately(4) == dict.fromkeys(["M-007", "M-006", "M-005", "M-004"], "2026-02-10")
