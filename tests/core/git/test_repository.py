import os
import shutil
import stat
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git import commit_tree, identity
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.identity import author_identity, parse_identity
from reel_cli.core.git.process import git_problem
from reel_cli.core.git.repository import blob_id, find_repository, init_repository, run_git
from tests.support.kit_under_git import START, KitUnderGit, make_kit, run


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


def no_process(*_: object, **__: object) -> None:
    message = "a process was started"
    raise AssertionError(message)


# -- finding the repository -----------------------------------------------------------------------


def test_a_kit_alone_in_its_repository(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(subprocess, "Popen", no_process)
    found = find_repository(kit.root)
    assert found is not None
    assert (found.root, found.prefix, found.git_dir, found.common_dir) == (
        kit.root,
        "",
        kit.root / ".git",
        kit.root / ".git",
    )


def test_a_kit_below_an_enclosing_repository_even_when_ignored(tmp_path: Path) -> None:
    init_repository(tmp_path / "house")
    (tmp_path / "house/.gitignore").write_text("rooms/\n")
    kit = tmp_path / "house/rooms/ada"
    kit.mkdir(parents=True)
    found = find_repository(kit)
    assert found is not None
    assert (found.root, found.prefix) == (tmp_path / "house", "rooms/ada/")


def test_a_kit_nowhere_under_git(tmp_path: Path) -> None:
    (tmp_path / "ada").mkdir()
    assert find_repository(tmp_path / "ada") is None


def test_an_empty_dot_git_is_no_repository(tmp_path: Path) -> None:
    (tmp_path / "ada/.git").mkdir(parents=True)
    assert find_repository(tmp_path / "ada") is None


@pytest.mark.parametrize(
    ("gone", "hint"), [("HEAD", "ref: refs/heads/main"), ("objects", "from a backup or a clone")]
)
def test_a_repository_that_lost_a_part_is_named_and_never_made_anew(
    kit: KitUnderGit, gone: str, hint: str
) -> None:
    place = kit.root / ".git" / gone
    shutil.rmtree(place) if place.is_dir() else place.unlink()
    with pytest.raises(StateError, match=r"\.git is damaged") as caught:
        find_repository(kit.root)
    assert str(kit.root / ".git") in caught.value.message
    assert hint in (caught.value.hint or "")


def test_what_a_stopped_git_init_left_is_no_damage(tmp_path: Path) -> None:
    for folder in ("refs/heads", "refs/tags"):
        (tmp_path / "ada/.git" / folder).mkdir(parents=True)
    (tmp_path / "ada/.git/HEAD").write_text("ref: refs/heads/main\n")
    assert find_repository(tmp_path / "ada") is None


@pytest.mark.parametrize("content", [b"", b"not what git wrote\n"])
def test_a_dot_git_file_of_another_content_is_damage(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "ada").mkdir()
    (tmp_path / "ada/.git").write_bytes(content)
    with pytest.raises(StateError, match=r"\.git is damaged"):
        find_repository(tmp_path / "ada")


def test_a_kit_reached_through_a_link_has_its_real_place(kit: KitUnderGit, tmp_path: Path) -> None:
    (tmp_path / "shortcut").symlink_to(kit.root)
    assert find_repository(tmp_path / "shortcut") == kit.repo


def test_a_linked_work_tree_has_its_own_git_dir(kit: KitUnderGit, tmp_path: Path) -> None:
    kit.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "second"))
    found = find_repository(tmp_path / "second")
    assert found is not None
    assert (found.git_dir, found.common_dir) == (
        kit.root / ".git/worktrees/second",
        kit.root / ".git",
    )
    assert (found.branch(), found.head()) == ("refs/heads/other", kit.repo.head())


def test_a_dot_git_file_that_points_nowhere(kit: KitUnderGit, tmp_path: Path) -> None:
    kit.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "second"))
    shutil.rmtree(kit.root)
    with pytest.raises(StateError, match="points to a repository that is not there") as caught:
        find_repository(tmp_path / "second")
    assert caught.value.hint is not None


# -- where it stands ------------------------------------------------------------------------------


def unborn(kit: KitUnderGit) -> None:
    kit.git("checkout", "-q", "--orphan", "fresh")


def packed(kit: KitUnderGit) -> None:
    kit.git("branch", "feature/deep")
    kit.git("checkout", "-q", "feature/deep")
    kit.git("pack-refs", "--all", "--prune")
    assert not (kit.repo.git_dir / "refs/heads/feature/deep").exists()


def moved_after_packing(kit: KitUnderGit) -> None:
    kit.git("pack-refs", "--all", "--prune")
    kit.git("commit", "-q", "--allow-empty", "-m", "more")


def detached(kit: KitUnderGit) -> None:
    kit.git("checkout", "-q", "--detach")


def symbolic_branch(kit: KitUnderGit) -> None:
    kit.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    kit.git("symbolic-ref", "HEAD", "refs/heads/alias")


def untouched(kit: KitUnderGit) -> None:
    del kit


@pytest.mark.parametrize("state", [untouched, unborn, packed, moved_after_packing, detached, symbolic_branch])
def test_head_and_branch_are_what_git_says_and_take_no_process(
    kit: KitUnderGit, state: Callable[[KitUnderGit], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    state(kit)
    head = kit.git("rev-parse", "--verify", "-q", "HEAD", check=False).strip() or None
    branch = kit.git("symbolic-ref", "-q", "--no-recurse", "HEAD", check=False).strip() or None
    monkeypatch.setattr(subprocess, "Popen", no_process)
    assert (kit.repo.head(), kit.repo.branch()) == (head, branch)


def test_refs_in_another_form_are_asked_of_git(kit: KitUnderGit) -> None:
    """HEAD as a link is the one form that this git too keeps elsewhere than in HEAD's text."""
    head = kit.repo.head()
    (kit.repo.git_dir / "HEAD").unlink()
    (kit.repo.git_dir / "HEAD").symlink_to("refs/heads/main")
    assert (kit.repo.head(), kit.repo.branch()) == (head, "refs/heads/main")


def test_a_sha256_repository_is_read_as_one(tmp_path: Path) -> None:
    place = tmp_path / "long"
    place.mkdir()
    run(place, "init", "-q", "--object-format=sha256", "-b", "main")
    found = find_repository(place)
    assert found is not None
    (place / "a").write_bytes(b"hello\n")
    expected = run(place, "hash-object", "a").strip()
    assert (found.sha256, found.blob_id(b"hello\n"), found.head()) == (True, expected, None)
    kit = KitUnderGit(place, found)
    kit.apply({"b": b"1\n"}, op="init")
    kit.apply({"b": b"2\n", "c": b"3\n"})
    kit.apply({"c": None})
    assert found.head() == kit.git("rev-parse", "HEAD").strip()
    assert (kit.status(), kit.committed("b")) == (["?? a"], b"2\n")


@settings(max_examples=25, deadline=None)
@given(data=st.binary(max_size=3000))
def test_blob_ids_are_gits(data: bytes) -> None:
    assert blob_id(data) == run_git(Path("/"), "hash-object", "--stdin", input=data).decode().strip()


# -- git as a process -----------------------------------------------------------------------------


def test_an_inherited_repository_does_not_lead_astray(
    kit: KitUnderGit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = make_kit(tmp_path / "other", start={"only": b"other\n"})
    for name, value in (
        ("GIT_DIR", other.repo.git_dir),
        ("GIT_WORK_TREE", other.root),
        ("GIT_INDEX_FILE", other.repo.index),
        ("GIT_GLOB_PATHSPECS", "1"),
    ):
        monkeypatch.setenv(name, str(value))
    listed = run_git(kit.root, "ls-files", "-z", "--", "kit.yaml")
    assert listed == b"kit.yaml\0"
    made = kit.apply({"ring2/working.md": b"new\n"})
    assert kit.repo.head() == made.commit
    assert other.repo.head() != made.commit


def test_nothing_a_repository_names_is_run(kit: KitUnderGit, tmp_path: Path) -> None:
    trap = tmp_path / "trap"
    trap.write_text(f"#!/bin/sh\ntouch {tmp_path}/ran\n")
    trap.chmod(0o755)
    hooks = kit.repo.git_dir / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("pre-commit", "commit-msg", "post-commit", "reference-transaction", "post-index-change"):
        shutil.copy(trap, hooks / name)
    for key in ("core.fsmonitor", "filter.trap.clean", "filter.trap.smudge", "diff.external", "gpg.program"):
        kit.git("config", key, str(trap))
    kit.git("config", "commit.gpgsign", "true")
    kit.git("config", "log.showSignature", "true")
    kit.apply({"ring2/working.md": b"new\n", ".gitattributes": b"* filter=trap\n"})
    kit.write("ring2/working.md", b"mine\n")
    kit.apply({"ring2/working.md": b"newer\n"})
    assert not (tmp_path / "ran").exists()


def test_git_missing(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    # what lies loose is read without it
    kit.git("gc", "-q")
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(StateError, match=r"^git is not installed\.$") as caught:
        run_git(kit.root, "status")
    assert caught.value.hint is not None
    with pytest.raises(StateError, match=r"^git is not installed\.$"):
        CommitTree(kit.repo, kit.repo.head() or "").list("")


def test_a_failure_is_one_plain_line(kit: KitUnderGit) -> None:
    kit.repo.index.write_bytes(b"not an index at all")
    with pytest.raises(StateError) as caught:
        run_git(kit.root, "ls-files")
    assert caught.value.message.startswith("git's index is damaged")
    assert "\n" not in caught.value.message
    assert run_git(kit.root, "ls-files", check=False) == b""


@pytest.mark.parametrize(
    ("stderr", "message"),
    [
        ("fatal: detected dubious ownership in repository at '/k'\n", "git does not trust this folder"),
        ("error: unable to write file: No space left on device\n", "The disk is full."),
        ("fatal: Unable to create '/k/.git/index.lock': File exists.\n", "Another git is at work"),
        ("error: insufficient permission for adding an object\n", "git may not write"),
        ("fatal: loose object 3f is corrupt\n", "The history of this kit is damaged"),
        ("fatal: not a git repository (or any parent)\n", "git cannot use the repository"),
        ("warning: x\nfatal: something new\x1b[31m\n", "git log failed: something new"),
    ],
)
def test_complaints_in_plain_words(stderr: str, message: str) -> None:
    problem = git_problem(stderr, "log", Path("/k"))
    assert problem.message.startswith(message)
    assert problem.message.isprintable()


def test_a_lock_is_named_in_the_hint() -> None:
    problem = git_problem("fatal: Unable to create '/k/.git/index.lock': File exists.", "x", Path("/k"))
    assert problem.hint == "wait until it is done; if none is running, delete /k/.git/index.lock"


# -- making one -----------------------------------------------------------------------------------


def test_a_new_repository_is_its_owners_alone_and_without_hooks(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    template = tmp_path / "template/hooks"
    template.mkdir(parents=True)
    (template / "post-commit").write_text("#!/bin/sh\n")
    monkeypatch.setenv("GIT_TEMPLATE_DIR", str(template.parent))
    made = init_repository(tmp_path / "new/ada")
    assert stat.S_IMODE(made.root.stat().st_mode) == 0o700
    assert (made.prefix, made.branch(), made.head()) == ("", "refs/heads/main", None)
    assert not (made.git_dir / "hooks").exists()


# -- who ------------------------------------------------------------------------------------------


def test_the_kits_own_author_comes_first(kit: KitUnderGit) -> None:
    assert author_identity(kit.repo, "Ada's keeper <keeper@example.org>") == (
        "Ada's keeper",
        "keeper@example.org",
    )


def test_gits_settings_come_next(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    assert author_identity(None, None) == ("Bo Lind", "bo@example.org")
    kit.git("config", "user.name", "Local Bo")
    assert author_identity(kit.repo, None) == ("Local Bo", "bo@example.org")
    kit.git("config", "author.name", "Bo, as an author,")
    # git takes the comma off its end
    assert author_identity(kit.repo, None) == ("Bo, as an author", "bo@example.org")
    kit.git("config", "author.name", "Bo the Author")
    assert author_identity(kit.repo, None) == ("Bo the Author", "bo@example.org")
    monkeypatch.setenv("GIT_AUTHOR_NAME", "From Outside")
    assert author_identity(kit.repo, None) == ("From Outside", "bo@example.org")


@pytest.mark.parametrize("name", ["Bo Outside", " Bo, ", "B<o", "", "Bö", "..."])
@pytest.mark.parametrize("mail", ["out@example.org", "<out@example.org>", ""])
def test_a_name_from_the_environment_is_the_one_that_git_takes(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch, name: str, mail: str
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_NAME", name)
    monkeypatch.setenv("GIT_AUTHOR_EMAIL", mail)
    asked = identity._plain_identity(kit.repo)
    monkeypatch.setattr(identity, "_plain_identity", lambda _: None)
    assert asked is None or author_identity(kit.repo, None) == asked
    assert (asked is None) == (name in (" Bo, ", "B<o", "", "...") or mail != "out@example.org")


def test_a_date_from_the_environment_is_left_to_git(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GIT_AUTHOR_DATE", "no day at all")
    with pytest.raises(StateError, match=r"cannot read its settings|invalid date"):
        author_identity(kit.repo, None)


def test_no_name_is_made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CONFIG_GLOBAL", os.devnull)
    with pytest.raises(StateError, match="does not know your name") as caught:
        author_identity(None, None)
    assert caught.value.hint is not None
    assert "user.name" in caught.value.hint
    monkeypatch.setenv("GIT_AUTHOR_NAME", "Only A Name")
    with pytest.raises(StateError, match="does not know your name"):
        author_identity(init_repository(tmp_path / "ada"), None)


@pytest.mark.parametrize("author", ["Bo", "<bo@example.org>", "Bo <a b@c>", "Bo\nLind <b@c>", "... <b@c>"])
def test_an_author_that_is_none_is_refused(kit: KitUnderGit, author: str) -> None:
    assert parse_identity(author) is None
    with pytest.raises(ReelError, match=r"kit\.yaml: author"):
        author_identity(kit.repo, author)


# -- a commit's files -----------------------------------------------------------------------------


def test_a_commit_reads_like_the_disk_it_was_made_from(kit: KitUnderGit) -> None:
    kit.apply({"tape/2026/2026-02-10-1.md": b"\r\n\x00bytes", "ring1/ä b.md": "ü\n".encode()})
    then = kit.repo.head()
    assert then is not None
    work = WorkTree(kit.root)
    before = {path: work.read(path) for path in work.list("")}
    kit.apply({"ring4/index.md": None, "ring2/working.md": b"later\n"})
    with CommitTree(kit.repo, then) as tree:
        assert {path: tree.read(path) for path in tree.list("")} == before
        assert tree.list("ring1") == ["ring1/ä b.md"]
        assert tree.list("ring") == []
        assert tree.read("ring1") is None
        assert tree.read("../x") is None


def test_a_commit_of_an_enclosing_repository_shows_only_the_kit(tmp_path: Path) -> None:
    house = init_repository(tmp_path / "house")
    (house.root / "private.txt").write_text("x")
    run(house.root, "add", ".")
    run(house.root, "commit", "-qm", "house")
    kit = make_kit(tmp_path / "house/ada", enclosing=house.root)
    with CommitTree(kit.repo, kit.repo.head() or "") as tree:
        assert tree.list("") == sorted(START)
        assert tree.read("kit.yaml") == START["kit.yaml"]


def test_links_in_a_commit_are_no_files(kit: KitUnderGit) -> None:
    (kit.root / "ring1").mkdir()
    (kit.root / "ring1/a.md").symlink_to("/etc/hostname")
    kit.git("add", "-A")
    kit.git("commit", "-qm", "a link")
    with CommitTree(kit.repo, kit.repo.head() or "") as tree:
        assert (tree.list("ring1"), tree.read("ring1/a.md")) == ([], None)


@pytest.mark.parametrize("rev", ["HEAD", "--output=x", "main", "HEAD~1", "", "3f" * 19])
def test_only_full_ids_name_a_commit(kit: KitUnderGit, rev: str) -> None:
    with pytest.raises(ReelError, match="full id"):
        CommitTree(kit.repo, rev)


def test_a_blob_that_history_lost_is_named(kit: KitUnderGit) -> None:
    blob = blob_id(START["kit.yaml"])
    (kit.repo.git_dir / "objects" / blob[:2] / blob[2:]).unlink()
    with CommitTree(kit.repo, kit.repo.head() or "") as tree:
        with pytest.raises(StateError, match=r"kit\.yaml is missing"):
            tree.read("kit.yaml")
        assert tree.read("ring0/identity.md") == START["ring0/identity.md"]


def test_a_huge_file_is_refused(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(commit_tree, "LARGEST_FILE", 5)
    tree = CommitTree(kit.repo, kit.repo.head() or "")
    with tree, pytest.raises(ReelError, match="larger than"):
        tree.read("kit.yaml")
