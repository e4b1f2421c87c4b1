"""A merge under way ended as one commit, with real git: everything or nothing, and proven afterwards."""

import tempfile
from collections.abc import Callable
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.errors import StateError
from reel_cli.flows.join import Joined, Nothing, plan_join
from reel_cli.flows.verify import verify_tape
from reel_cli.kit import merging
from reel_cli.kit.git import CommitTree, Repository, find_repository
from reel_cli.kit.history import merge_texts, used_memory_numbers
from reel_cli.kit.merging import conclude, find_merge
from reel_cli.kit.snapshot import Snapshot
from reel_cli.kit.tree import WorkTree
from reel_cli.tape.session_file import parse_session
from tests.two_machines import Life, git, lives, write_history

WHEN = datetime(2026, 2, 12, 21, 14, tzinfo=UTC)
IDENTITY = ("Bo Lind", "bo@example.org")


def repository(folder: Path) -> Repository:
    found = find_repository(folder)
    assert found is not None
    return found


def mend(folder: Path) -> Joined | None:
    repo = repository(folder)
    merge = find_merge(repo)
    if merge is None:
        return None
    joined = plan_join(
        Nothing() if merge.base is None else CommitTree(repo, merge.base),
        CommitTree(repo, merge.ours),
        CommitTree(repo, merge.theirs),
        merge_texts,
        used=used_memory_numbers(repo, merge.theirs),
    )
    conclude(
        repo,
        folder,
        merge,
        joined.files,
        joined.yours,
        joined.change,
        when=WHEN,
        identity=IDENTITY,
        unbroken=nullcontext,
    )
    return joined


def merge_and_mend(folder: Path, other: str) -> None:
    git(folder, "merge", "-q", "--no-edit", other, check=False)
    mend(folder)
    assert git(folder, "status", "--porcelain") == ""
    assert not (folder / ".git/MERGE_HEAD").exists()


def wrong(folder: Path) -> list[tuple[str, str]]:
    verdict = verify_tape(Snapshot(WorkTree(folder), "ada"), repository(folder))
    return [(broken.path, broken.what) for broken in verdict.broken]


def all_said(folder: Path) -> set[tuple[str, ...]]:
    kit = Snapshot(WorkTree(folder), "ada")
    paths = [path for path in kit.list("tape/2026")]
    return {
        tuple(entry.message.text for entry in parse_session(kit.read(path) or b"", path).entries)
        for path in paths
    }


def begins(said: set[tuple[str, ...]], life: Life) -> bool:
    known = (
        tuple(e.message.text for e in parse_session(data, path).entries)
        for path, data in life.files.items()
        if path.startswith("tape/2026")
    )
    return all(any(whole[: len(part)] == part for whole in said) for part in known)


@settings(max_examples=12, deadline=None)
@given(lives(), st.booleans())
def test_lives_made_one_are_proven(parted: tuple[Life, Life, Life], both_mend: bool) -> None:  # noqa: FBT001
    base, ours, theirs = parted
    with tempfile.TemporaryDirectory() as place:
        folder = Path(place)
        write_history(folder, base, ours, theirs)
        git(folder, "branch", "desk")
        merge_and_mend(folder, "laptop")
        if both_mend:
            # each machine pulled from the other before it knew that the other had done so
            git(folder, "switch", "-q", "laptop")
            merge_and_mend(folder, "desk")
            assert wrong(folder) == []
            git(folder, "switch", "-q", "main")
            merge_and_mend(folder, "laptop")
        assert wrong(folder) == []
        said = all_said(folder)
        assert begins(said, ours)
        assert begins(said, theirs)
