"""A kit as a commit holds it: notes kept by blob say what the files say, whatever befalls the cache."""

import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.past import CACHE, PastGlance
from reel_cli.core.pack.build_bundle import BundleRequest, pack_then
from tests.support.cli import Reel
from tests.support.past import commit, head, make_past


@pytest.fixture
def past(reel: Reel, tmp_path: Path) -> Path:
    """The kit with a past."""
    return make_past(reel, tmp_path / "ada")


def repository(kit: Path) -> Repository:
    found = find_repository(kit)
    assert found is not None
    return found


def glance(kit: Path, rev: str) -> PastGlance:
    return PastGlance(CommitTree(repository(kit), rev), "ada", kit)


def counted(made: list[str]) -> Callable[[str], list[str]]:
    def make(path: str) -> list[str]:
        made.append(path)
        return [path, "ä"]

    return make


def test_a_note_is_made_once_a_blob_and_not_once_a_commit(past: Path) -> None:
    made: list[str] = []
    paths = ["ring3/M-001.md", "ring3/M-003.md", "ring3/M-009.md"]
    old = head(past)
    first = dict(glance(past, old).note("x", paths, counted(made)))
    assert made == paths
    assert {path: list(note) for path, note in first.items()} == {path: [path, "ä"] for path in paths}
    (past / "ring3/M-003.md").write_text((past / "ring3/M-003.md").read_text() + "\nmore\n")
    new = commit(past, "more", "2026-03-01T00:00:00Z")
    made.clear()
    assert dict(glance(past, new).note("x", paths, counted(made))) == first
    # what is not there has no blob to keep a note by
    assert made == ["ring3/M-003.md", "ring3/M-009.md"]
    made.clear()
    glance(past, old).note("x", paths, counted(made))
    glance(past, old).note("another kind", ["ring3/M-001.md"], counted(made))
    assert made == ["ring3/M-009.md", "ring3/M-001.md"]


def _foreign(path: Path) -> None:
    path.unlink()
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE mine (x)")
    other.commit()
    other.close()


def _damaged_rows(path: Path) -> None:
    file = sqlite3.connect(path)
    file.execute("UPDATE notes SET value = replace(value, 'walrus', 'penguin')")
    file.commit()
    file.close()


def _link(path: Path) -> None:
    path.rename(path.with_name("elsewhere"))
    path.symlink_to(path.with_name("elsewhere"))


@pytest.mark.parametrize(
    "spoil",
    [
        _foreign,
        _damaged_rows,
        _link,
        lambda path: path.write_bytes(b"\0" * 5000),
        lambda path: path.write_bytes(path.read_bytes()[:5000]),
        lambda path: (path.unlink(), path.mkdir()),
    ],
)
def test_a_spoilt_cache_changes_nothing(past: Path, spoil: Callable[[Path], object]) -> None:
    wish = BundleRequest(window=131072)
    told = pack_then(glance(past, head(past)), wish)
    assert "walrus" in told.text
    spoil(past / ".reel/cache" / CACHE)
    for _ in range(2):
        assert pack_then(glance(past, head(past)), wish) == told


def test_it_is_its_owners_alone(past: Path) -> None:
    pack_then(glance(past, head(past)))
    assert (past / ".reel/cache" / CACHE).stat().st_mode & 0o077 == 0


def test_notes_of_one_tokenizer_are_not_taken_for_anothers(past: Path) -> None:
    usual = pack_then(glance(past, head(past)))
    settings = past / "kit.yaml"
    kept = [line for line in settings.read_text().splitlines() if not line.startswith("tokenizer:")]
    settings.write_text("\n".join([*kept, "tokenizer: cl100k_base", ""]))
    rev = commit(past, "counts", "2026-03-01T00:00:00Z")
    other = pack_then(glance(past, rev))
    assert (usual.tokenizer, other.tokenizer) == ("o200k_base", "cl100k_base")
    assert other == pack_then(PastGlance(CommitTree(repository(past), rev), "ada", past.parent / "nowhere"))
