"""Choice of a commit: names are checked before git sees them, and history is read as it is."""

from hashlib import sha1
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.git.commit_tree import is_before
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.git.revisions import (
    find_revision,
    first_commit_of,
    first_parent,
    read_line,
    require_history,
    when_recorded,
)
from tests.support.cli import git
from tests.support.past import commit, head


@pytest.fixture
def repo(tmp_path: Path) -> Repository:
    """Three commits, a day apart."""
    git(tmp_path, "init", "-q")
    for day in (1, 2, 3):
        (tmp_path / f"{day}.txt").write_text(str(day))
        commit(tmp_path, f"day {day}", f"2026-03-0{day}T00:00:00Z")
    found = find_repository(tmp_path)
    assert found is not None
    return found


def test_the_line_is_newest_first_with_the_committers_times(repo: Repository) -> None:
    line = read_line(repo, head(repo.root))
    assert [one.id for one in line] == git(repo.root, "rev-list", "HEAD").split()
    assert [one.seconds for one in line] == [1772496000, 1772409600, 1772323200]
    assert when_recorded(repo, line[1].id) == line[1]


def test_first_parents_and_order(repo: Repository) -> None:
    third, second, first = (one.id for one in read_line(repo, head(repo.root)))
    assert (first_parent(repo, third), first_parent(repo, first)) == (second, None)
    assert (is_before(repo, first, third), is_before(repo, third, first)) == (True, False)
    assert is_before(repo, third, third)
    # a packed history is read by git alone
    git(repo.root, "gc", "-q")
    assert (is_before(repo, first, third), is_before(repo, third, first)) == (True, False)
    assert first_commit_of(repo, "2.txt") == second
    assert first_commit_of(repo, "4.txt") is None


def test_an_ambiguous_beginning_asks_for_more(repo: Repository) -> None:
    last = git(repo.root, "cat-file", "commit", "HEAD")
    seen: dict[str, str] = {}
    for number in range(2000):
        text = f"{last}{number}\n"
        found = sha1(f"commit {len(text)}\0{text}".encode(), usedforsecurity=False).hexdigest()
        if found[:4] in seen:
            break
        seen[found[:4]] = text
    else:
        pytest.fail("no two commits began alike")
    for one in (seen[found[:4]], text):
        (repo.root / "commit").write_text(one)
        git(repo.root, "hash-object", "-t", "commit", "-w", "commit")
    with pytest.raises(ReelError) as told:
        find_revision(repo, found[:4])
    assert (told.value.message, told.value.hint) == (
        f"More than one commit begins with {found[:4]}.",
        "write more of its id",
    )
    assert find_revision(repo, found) == found


def test_there_is_no_history_yet(tmp_path: Path) -> None:
    git(tmp_path, "init", "-q")
    for known in (None, find_repository(tmp_path)):
        with pytest.raises(ReelError, match=r"has no history \(git\) yet"):
            require_history(known, "ada")


def test_only_commits_are_found(repo: Repository) -> None:
    blob = git(repo.root, "rev-parse", "HEAD:1.txt").strip()
    git(repo.root, "tag", "a-file", blob)
    for name in (blob, "a-file"):
        with pytest.raises(ReelError):
            find_revision(repo, name)


@given(text=st.text(alphabet="-aH~^@{}:/.\\*?[ \n\0e1é", max_size=12))
@settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_whatever_is_typed_is_a_commit_or_a_plain_refusal(repo: Repository, text: str) -> None:
    known = git(repo.root, "rev-list", "HEAD").split()
    found, refused = _find(repo, text)
    assert (found in known) != bool(refused)
    assert not text.strip().startswith("-") or "neither a day nor a commit" in refused


def _find(repo: Repository, text: str) -> tuple[str, str]:
    try:
        return find_revision(repo, text), ""
    except (ReelError, UsageError) as error:
        return "", error.message
