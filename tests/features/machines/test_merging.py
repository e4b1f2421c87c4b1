"""A merge under way ended as one commit, with real git: everything or nothing, and proven afterwards."""

import shutil
import tempfile
from contextlib import nullcontext
from datetime import UTC, datetime
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import StateError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.git.text_merge import merge_texts
from reel_cli.core.kit.memory_numbers import used_memory_numbers
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.features.machines import merging
from reel_cli.features.machines.merging import conclude, find_merge
from reel_cli.features.machines.plan import JoinPlan, NoCommonSide, plan_join
from reel_cli.features.verify.verify import verify_tape
from tests.support.two_machines import START, Life, git, lives, write_history

WHEN = datetime(2026, 2, 12, 21, 14, tzinfo=UTC)
IDENTITY = ("Bo Lind", "bo@example.org")


def repository(folder: Path) -> Repository:
    found = find_repository(folder)
    assert found is not None
    return found


def mend(folder: Path) -> JoinPlan | None:
    repo = repository(folder)
    merge = find_merge(repo)
    if merge is None:
        return None
    joined = plan_join(
        NoCommonSide() if merge.base is None else CommitTree(repo, merge.base),
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
    paths = kit.list("tape/2026")
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


@settings(max_examples=10, deadline=None)
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


# -- stopped, or in the way -----------------------------------------------------------------------


@pytest.fixture
def parted(tmp_path: Path) -> Path:
    """A kit with a merge in conflict: both sides recorded on one day, and remembered."""
    folder = tmp_path / "ada"
    folder.mkdir()
    base = Life("both")
    ours, theirs = base.part("ours"), base.part("theirs")
    for life, words in ((ours, "the kite"), (theirs, "the boat")):
        life.record("2026-02-10", [words, "home again"])
        life.remember(0, words)
        life.note(0, words)
    write_history(folder, base, ours, theirs)
    git(folder, "merge", "-q", "laptop", check=False)
    return folder


SAID = {("the kite", "home again"), ("the boat", "home again")}


@pytest.mark.parametrize("at", ["update_entries", "write_new", "sync_folder"])
def test_a_stop_on_the_way_leaves_a_merge_that_is_settled_anew(
    parted: Path, monkeypatch: pytest.MonkeyPatch, at: str
) -> None:
    head = git(parted, "rev-parse", "HEAD")
    calls = []
    real = getattr(merging, at)

    def stop(*given: object, **more: object) -> object:
        calls.append(given)
        if len(calls) == 2:
            raise KeyboardInterrupt
        return real(*given, **more)

    with monkeypatch.context() as patch:
        patch.setattr(merging, at, stop)
        with pytest.raises(KeyboardInterrupt):
            mend(parted)
    assert git(parted, "rev-parse", "HEAD") == head
    assert (parted / ".git/MERGE_HEAD").exists()
    assert mend(parted) is not None
    assert (all_said(parted), wrong(parted), git(parted, "status", "--porcelain")) == (SAID, [], "")


def test_a_stop_after_the_commit_is_put_away(parted: Path) -> None:
    mark = parted / ".git/MERGE_HEAD"
    kept = mark.read_text()
    mend(parted)
    mark.write_text(kept)
    assert mend(parted) is None
    assert (mark.exists(), git(parted, "status", "--porcelain"), wrong(parted)) == (False, "", [])


def test_a_text_that_was_edited_since_is_not_lost(parted: Path) -> None:
    index = parted / "ring4/index.md"
    index.write_text("# What could be recalled\n\nmy own lines\n")
    before = git(parted, "status", "--porcelain")
    with pytest.raises(StateError, match=r"ring4/index.md was edited since the merge began") as caught:
        mend(parted)
    assert caught.value.hint is not None
    assert "git checkout -m -- ring4/index.md" in caught.value.hint
    assert index.read_text().endswith("my own lines\n")
    assert git(parted, "status", "--porcelain") == before
    git(parted, "checkout", "-q", "-m", "--", "ring4/index.md")
    mend(parted)
    assert wrong(parted) == []


def test_working_memory_as_a_person_has_settled_it_stays(parted: Path) -> None:
    mine = "## Active threads\n\n- both of them\n"
    (parted / "ring2/working.md").write_text(mine)
    git(parted, "add", "ring2/working.md")
    mend(parted)
    assert (parted / "ring2/working.md").read_text() == mine
    assert git(parted, "show", "HEAD:ring2/working.md") == mine


def test_a_side_chosen_in_git_already_loses_nothing(parted: Path) -> None:
    git(parted, "checkout", "-q", "--ours", ".")
    git(parted, "add", "-A")
    mend(parted)
    assert (all_said(parted), wrong(parted)) == (SAID, [])


def test_a_merge_moved_on_meanwhile_is_refused(parted: Path) -> None:
    repo = repository(parted)
    merge = find_merge(repo)
    assert merge is not None
    joined = plan_join(NoCommonSide(), NoCommonSide(), NoCommonSide(), merge_texts)
    git(parted, "merge", "--abort")
    with pytest.raises(StateError, match="The merge changed meanwhile"):
        conclude(
            *(repo, parted, merge, joined.files, (), joined.change),
            when=WHEN,
            identity=IDENTITY,
            unbroken=nullcontext,
        )


def test_no_common_beginning(tmp_path: Path) -> None:
    """Two kits that were made apart, each on its machine."""
    folder = tmp_path / "ada"
    folder.mkdir()
    ours, theirs = Life("ours"), Life("theirs")
    ours.record("2026-02-10", ["the kite", "home again"])
    theirs.record("2026-02-10", ["the boat", "home again"])
    write_history(folder, ours, Life("none", [dict(START)]), Life("none", [dict(START)]))
    other = tmp_path / "other"
    other.mkdir()
    write_history(other, theirs, Life("none", [dict(START)]), Life("none", [dict(START)]))
    git(folder, "fetch", "-q", str(other), "main")
    git(folder, "merge", "-q", "--allow-unrelated-histories", "FETCH_HEAD", check=False)
    mend(folder)
    assert (all_said(folder), wrong(folder)) == (SAID, [])


def test_a_kit_inside_another_repository(parted: Path, tmp_path: Path) -> None:
    whole = tmp_path / "home"
    whole.mkdir()
    git(whole, "init", "-q", "-b", "main")
    for side in ("base", "ours", "theirs"):
        if side == "theirs":
            git(whole, "switch", "-q", "-c", "laptop", "HEAD^")
        revision = {"base": "laptop~3", "ours": "main", "theirs": "laptop"}[side]
        shutil.rmtree(whole / "kits", ignore_errors=True)
        (whole / "kits").mkdir()
        git(parted, "worktree", "add", "-q", "--detach", str(tmp_path / side), revision)
        shutil.copytree(tmp_path / side, whole / "kits/ada", ignore=shutil.ignore_patterns(".git"))
        (whole / "diary.txt").write_text(f"{side}\n")
        git(whole, "add", "-A")
        git(whole, "commit", "-q", "-m", side)
    git(whole, "merge", "-q", "main", check=False)
    kit = whole / "kits/ada"
    with pytest.raises(StateError, match=r"diary.txt is in conflict too, and is not part of the kit"):
        mend(kit)
    (whole / "diary.txt").write_text("both\n")
    git(whole, "add", "diary.txt")
    mend(kit)
    assert (all_said(kit), wrong(kit), git(whole, "status", "--porcelain")) == (SAID, [], "")
    assert git(whole, "show", "HEAD:diary.txt") == "both\n"
