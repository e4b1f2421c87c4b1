import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.git.index import put_in_index
from reel_cli.core.git.repository import KIT_ATTRIBUTES, blob_id, find_repository, init_repository
from reel_cli.core.values.change import AppliedChange
from tests.support.kit_under_git import START, Before, KitUnderGit, make_kit, person_at_work, run

WORKING = "ring2/working.md"
TAPE = "tape/2026/2026-02-10-1.md"


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


@pytest.fixture
def enclosed(tmp_path: Path) -> KitUnderGit:
    house = init_repository(tmp_path / "house")
    (house.root / "diary.txt").write_text("mine\n")
    run(house.root, "add", ".")
    run(house.root, "commit", "-qm", "house")
    return make_kit(tmp_path / "house/rooms/ada", enclosing=house.root)


# -- what a commit is -----------------------------------------------------------------------------


def test_a_change_becomes_one_commit_and_the_files_to_match(kit: KitUnderGit) -> None:
    base = kit.repo.head()
    applied = kit.apply(
        {WORKING: b"new\n", TAPE: b"said\r\n", "ring4/index.md": None},
        ("Reel-Session", "2026-02-10-1"),
        ("Reel-Forgot", 'M-004 L2->L3 231->74 was=3f9a why="190 days, over range"'),
        summary="2026-02-10-1, a page",
        notes=("What was said.",),
    )
    assert applied == AppliedChange(commit=kit.repo.head() or "")
    assert kit.git("rev-parse", "HEAD^").strip() == base
    assert kit.git("log", "-1", "--format=%B").rstrip("\n").split("\n") == [
        "checkpoint: 2026-02-10-1, a page",
        "",
        "What was said.",
        "",
        "Reel-Op: checkpoint",
        "Reel-Session: 2026-02-10-1",
        'Reel-Forgot: M-004 L2->L3 231->74 was=3f9a why="190 days, over range"',
    ]
    assert kit.git("log", "-1", "--format=%an %ae %aI %cn %ce %cI").strip() == (
        "Bo Lind bo@example.org 2026-02-10T21:16:00+02:00 Bo Lind bo@example.org 2026-02-10T21:16:00+02:00"
    )
    assert kit.git("show", "--format=", "--name-status", "--no-renames", "HEAD").splitlines() == [
        f"M\t{WORKING}",
        "D\tring4/index.md",
        f"A\t{TAPE}",
    ]
    assert (kit.read(WORKING), kit.read(TAPE), kit.committed(TAPE)) == (b"new\n", b"said\r\n", b"said\r\n")
    assert not (kit.root / "ring4").exists()
    assert (kit.status(), kit.locks(), kit.git("fsck", "--strict")) == ([], [], "")
    assert "checkpoint: 2026-02-10-1, a page" in kit.git("reflog", "-1")


def test_the_first_commit_of_a_repository(tmp_path: Path) -> None:
    kit = make_kit(tmp_path / "ada")
    assert kit.subjects() == ["init: Ada"]
    assert kit.git("rev-list", "--count", "HEAD").strip() == "1"
    assert (kit.files(), kit.status(), kit.locks()) == (dict(START), [], [])


def test_nothing_to_do_makes_no_commit(kit: KitUnderGit) -> None:
    base = kit.repo.head()
    assert kit.apply({WORKING: START[WORKING]}) == AppliedChange(commit=base or "")
    assert kit.apply({}) == AppliedChange(commit=base or "")
    assert (kit.repo.head(), kit.locks()) == (base, [])


def test_nothing_to_do_where_there_is_no_commit_yet(tmp_path: Path) -> None:
    kit = KitUnderGit(tmp_path / "ada", init_repository(tmp_path / "ada"))
    with pytest.raises(ReelError, match="nothing to commit"):
        kit.apply({})
    assert kit.locks() == []


def test_ratifying_what_history_has_is_a_commit_that_names_it(kit: KitUnderGit) -> None:
    kit.write("ring0/identity.md", b"edited\n")
    kit.git("commit", "-qam", "by plain git")
    kit.apply({"ring0/identity.md": b"edited\n"}, ("Reel-Ratified-By", "Bo <b@c>"), op="review")
    assert kit.git("log", "-1", "--format=%(trailers:key=Reel-Ratified,valueonly)").strip() == (
        "ring0/identity.md " + blob_id(b"edited\n")
    )
    assert kit.git("diff", "--stat", "HEAD^", "HEAD") == ""


def test_many_files_in_one_change(kit: KitUnderGit) -> None:
    writes = {f"ring3/M-{number:03}.md": b"%d\n" % number for number in range(450)}
    kit.apply(writes)
    again = {path: data + b"more\n" for path, data in writes.items()}
    kit.apply({**again, "ring3/M-000.md": None})
    assert kit.status() == []
    assert kit.committed("ring3/M-449.md") == b"449\nmore\n"
    assert not (kit.root / "ring3/M-000.md").exists()


# -- a person's own edits -------------------------------------------------------------------------


def edit_unstaged(kit: KitUnderGit) -> None:
    kit.write(WORKING, b"by hand\n")


def edit_staged(kit: KitUnderGit) -> None:
    kit.write(WORKING, b"by hand\n")
    kit.git("add", WORKING)


def delete_unstaged(kit: KitUnderGit) -> None:
    (kit.root / WORKING).unlink()


def delete_staged(kit: KitUnderGit) -> None:
    kit.git("rm", "-q", WORKING)


@pytest.mark.parametrize("edit", [edit_unstaged, edit_staged])
def test_an_edit_by_hand_of_a_target_gets_its_own_commit_first(
    kit: KitUnderGit, edit: Callable[[KitUnderGit], None]
) -> None:
    edit(kit)
    mine = kit.files().get(WORKING)
    applied = kit.apply({WORKING: b"reel's\n", TAPE: b"said"})
    assert kit.subjects() == ["checkpoint: a page", "edit: by hand", "init: Ada"]
    assert applied.by_hand == kit.git("rev-parse", "HEAD^").strip()
    assert kit.git("show", "--format=", "--name-status", "HEAD^").split() == ["M", WORKING]
    assert kit.committed(WORKING, "HEAD^") == mine
    assert kit.git("log", "-1", "--format=%(trailers)", "HEAD^").strip() == "Reel-Op: edit"
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (b"reel's\n", [], [])


@pytest.mark.parametrize("delete", [delete_unstaged, delete_staged])
def test_a_deletion_by_hand_is_never_part_of_a_change(
    kit: KitUnderGit, delete: Callable[[KitUnderGit], None]
) -> None:
    whole = kit.read(WORKING)
    delete(kit)
    staged = kit.status()
    with pytest.raises(StateError, match=f"{WORKING} is missing") as refused:
        kit.apply({WORKING: b"reel's\n", TAPE: b"said"})
    assert refused.value.hint == f"bring it back:  reel restore {WORKING}"
    assert (kit.subjects(), kit.status(), kit.locks()) == (["init: Ada"], staged, [])
    kit.apply({TAPE: b"said"})
    assert kit.committed(WORKING) == whole
    # the same text, or taking it away for good, is no loss that anybody would have to be asked about
    kit.apply({WORKING: whole})
    assert (kit.read(WORKING), kit.status()) == (whole, [])
    delete(kit)
    kit.apply({WORKING: None})
    assert (kit.status(), kit.subjects().count("edit: by hand")) == ([], 0)


def test_an_untracked_target_is_an_edit_by_hand(kit: KitUnderGit) -> None:
    kit.write(TAPE, b"mine")
    kit.apply({TAPE: b"reel's"})
    assert kit.subjects() == ["checkpoint: a page", "edit: by hand", "init: Ada"]
    assert (kit.committed(TAPE, "HEAD^"), kit.committed(TAPE)) == (b"mine", b"reel's")


def test_a_change_that_takes_an_edit_as_it_is_needs_no_commit_before(kit: KitUnderGit) -> None:
    edit_unstaged(kit)
    applied = kit.apply({WORKING: b"by hand\n"}, op="review", summary="accepted")
    assert (applied.by_hand, kit.subjects()[0], kit.status()) == (None, "review: accepted", [])


def test_going_back_on_an_edit_keeps_it_in_history(kit: KitUnderGit) -> None:
    edit_unstaged(kit)
    kit.apply({WORKING: START[WORKING]}, op="review", summary="rejected")
    assert kit.subjects() == ["review: rejected", "edit: by hand", "init: Ada"]
    assert (kit.committed(WORKING, "HEAD^"), kit.status()) == (b"by hand\n", [])


def half_staged(kit: KitUnderGit) -> None:
    edit_staged(kit)
    kit.write(WORKING, b"and more\n")


def staged_then_taken_back(kit: KitUnderGit) -> None:
    edit_staged(kit)
    kit.write(WORKING, START[WORKING])


def removed_from_the_index_only(kit: KitUnderGit) -> None:
    kit.git("rm", "-q", "--cached", WORKING)


@pytest.mark.parametrize("state", [half_staged, staged_then_taken_back, removed_from_the_index_only])
def test_a_half_staged_target_is_refused(kit: KitUnderGit, state: Callable[[KitUnderGit], None]) -> None:
    state(kit)
    before = Before(kit)
    with pytest.raises(StateError, match=rf"^{WORKING} is half staged.*nothing was changed\.$"):
        kit.apply({WORKING: b"reel's\n", TAPE: b"said"})
    assert before.still()


@pytest.mark.parametrize("where", ["kit", "enclosed"])
@pytest.mark.parametrize("by_hand", [False, True])
def test_edits_elsewhere_stay_as_they_are(
    where: str, request: pytest.FixtureRequest, *, by_hand: bool
) -> None:
    kit: KitUnderGit = request.getfixturevalue(where)
    person_at_work(kit)
    top = kit.repo.root
    before = (run(top, "ls-files", "-s", "-z", "--", ":(exclude)*working.md").split("\0"), kit.status())
    disk = {p.name: p.read_bytes() for p in top.iterdir() if p.is_file()}
    if by_hand:
        edit_unstaged(kit)
    kit.apply({WORKING: b"reel's\n"})
    after = (run(top, "ls-files", "-s", "-z", "--", ":(exclude)*working.md").split("\0"), kit.status())
    assert after == before
    assert {p.name: p.read_bytes() for p in top.iterdir() if p.is_file()} == disk
    changed = run(top, "diff", "--name-only", "--no-renames", f"HEAD~{1 + by_hand}", "HEAD").split()
    assert changed == [f"{kit.repo.prefix}{WORKING}"]


def test_a_staged_change_of_mode_stays_staged(kit: KitUnderGit) -> None:
    (kit.root / WORKING).chmod(0o755)
    kit.git("add", WORKING)
    kit.apply({WORKING: b"reel's\n"})
    assert kit.git("diff", "--cached", "--summary").strip() == f"mode change 100644 => 100755 {WORKING}"
    assert stat.S_IMODE((kit.root / WORKING).stat().st_mode) == 0o755


def test_an_executable_stays_one(kit: KitUnderGit) -> None:
    kit.write("ring1/run.md", b"x\n")
    (kit.root / "ring1/run.md").chmod(0o750)
    kit.apply({"ring1/run.md": b"y\n"})
    assert kit.git("ls-tree", "HEAD", "ring1/run.md").split()[0] == "100755"
    assert stat.S_IMODE((kit.root / "ring1/run.md").stat().st_mode) == 0o750
    assert kit.status() == []


@pytest.mark.parametrize(
    ("attributes", "person"),
    [
        (KIT_ATTRIBUTES, ""),
        (KIT_ATTRIBUTES, "* text=auto eol=crlf\n"),
        (KIT_ATTRIBUTES, "* text working-tree-encoding=UTF-16 ident\n"),
        (b"tape/** -text\n", ""),
        (b"tape/** -text\n", "* text=auto\n"),
    ],
)
def test_status_is_clean_whatever_git_would_do_to_line_ends(
    tmp_path: Path, attributes: bytes, person: str
) -> None:
    (tmp_path / "attributes").write_text(person)
    run(tmp_path, "config", "--global", "core.autocrlf", "true")
    run(tmp_path, "config", "--global", "core.attributesFile", str(tmp_path / "attributes"))
    kit = make_kit(tmp_path / "ada", start={**START, ".gitattributes": attributes})
    writes = {TAPE: b"said\r\nand\n\r\n", WORKING: b"lf\n$Id$\n", "ring1/crlf.md": b"dos\r\n"}
    kit.apply(writes)
    for path, data in writes.items():
        assert (kit.read(path), kit.committed(path)) == (data, data)
    for path in writes:
        (kit.root / path).touch()
    assert kit.status() == []
    assert kit.git("diff", "HEAD") == ""


# -- an enclosing repository ----------------------------------------------------------------------


def test_in_an_enclosing_repository_only_the_kits_paths_change_and_no_hook_runs(
    enclosed: KitUnderGit,
) -> None:
    hooks = enclosed.repo.git_dir / "hooks"
    hooks.mkdir()
    for name in ("pre-commit", "post-commit", "reference-transaction", "post-index-change"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {hooks}/ran\nexit 1\n")
        (hooks / name).chmod(0o755)
    enclosed.apply({WORKING: b"new\n"})
    assert not (hooks / "ran").exists()
    assert run(enclosed.repo.root, "show", "--format=", "--name-only").split() == [f"rooms/ada/{WORKING}"]
    assert (enclosed.status(), enclosed.locks()) == ([], [])


def test_an_ignored_kit_is_committed_all_the_same(tmp_path: Path) -> None:
    house = init_repository(tmp_path / "house")
    (house.root / ".gitignore").write_text("rooms/\n")
    kit = make_kit(tmp_path / "house/rooms/ada", enclosing=house.root)
    kit.apply({WORKING: b"new\n"})
    assert kit.committed(WORKING) == b"new\n"


def test_any_name_of_a_folder_will_do(tmp_path: Path) -> None:
    house = init_repository(tmp_path / "house")
    kit = make_kit(house.root / 'odd "name" \\ é\nline/=ada', enclosing=house.root)
    kit.write(WORKING, b"mine\n")
    kit.apply({WORKING: b"new\n"})
    assert (kit.committed(WORKING), kit.status()) == (b"new\n", [])


def test_a_kit_named_from_where_one_stands(enclosed: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(enclosed.root / "ring2")
    KitUnderGit(Path(".."), enclosed.repo).apply({WORKING: b"new\n"})
    assert (enclosed.committed(WORKING), enclosed.status()) == (b"new\n", [])


def test_any_name_of_a_branch_will_do(kit: KitUnderGit) -> None:
    name = os.fsdecode(b"refs/heads/caf\xe9")
    subprocess.run(["git", "symbolic-ref", "HEAD", name], cwd=kit.root, check=True)
    subprocess.run(["git", "update-ref", name, "main"], cwd=kit.root, check=True)
    kit.apply({WORKING: b"new\n"})
    assert (kit.repo.branch(), kit.committed(WORKING), kit.status()) == (name, b"new\n", [])


def test_in_a_linked_work_tree(kit: KitUnderGit, tmp_path: Path) -> None:
    kit.git("worktree", "add", "-q", "-b", "other", str(tmp_path / "second"))
    repo = find_repository(tmp_path / "second")
    assert repo is not None
    second = KitUnderGit(tmp_path / "second", repo)
    second.apply({WORKING: b"there\n"})
    assert (second.status(), second.committed(WORKING)) == ([], b"there\n")
    assert (kit.subjects(), kit.status(), kit.read(WORKING)) == (["init: Ada"], [], START[WORKING])


# -- who may read ---------------------------------------------------------------------------------


def modes(root: Path) -> dict[str, int]:
    return {
        path.relative_to(root).as_posix(): stat.S_IMODE(path.stat().st_mode)
        for path in sorted(root.rglob("*"))
        if ".git" not in path.relative_to(root).parts[:1]
    }


def test_a_private_kits_files_are_its_owners_alone(kit: KitUnderGit) -> None:
    kit.apply({TAPE: b"said"})
    assert {mode for path, mode in modes(kit.root).items() if (kit.root / path).is_dir()} == {0o700}
    assert {mode for path, mode in modes(kit.root).items() if (kit.root / path).is_file()} == {0o600}


def test_an_open_kits_files_follow_the_umask_and_reels_own_do_not(tmp_path: Path) -> None:
    before = os.umask(0o022)
    try:
        (tmp_path / "ada").mkdir(mode=0o755)
        kit = KitUnderGit(tmp_path / "ada", init_repository(tmp_path / "ada"))
        kit.apply(START, op="init")
        kit.apply({TAPE: b"said"})
    finally:
        os.umask(before)
    found = modes(kit.root)
    assert (found["tape/2026"], found[TAPE]) == (0o755, 0o644)
    assert (found[".reel"], found[".reel/state"], found[".reel/state/lock"]) == (0o700, 0o700, 0o600)


def test_reels_own_folder_is_ignored_anywhere(tmp_path: Path) -> None:
    house = init_repository(tmp_path / "house")
    bare = {key: data for key, data in START.items() if key != ".gitignore"}
    kit = make_kit(tmp_path / "house/ada", enclosing=house.root, start=bare)
    assert kit.status() == []
    assert (kit.root / ".reel/.gitignore").read_bytes() == b"*\n"


# -- the disk -------------------------------------------------------------------------------------


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    place = tmp_path / "disk"
    place.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m,mode=0700", "tmpfs", str(place)],
        capture_output=True,
        check=False,
    )
    if mounted.returncode:
        pytest.skip("needs the right to mount a small tmpfs")
    yield place
    subprocess.run(["umount", "-l", str(place)], check=True)


def test_a_disk_that_fills_up_at_any_step(small_disk: Path) -> None:
    kit = make_kit(small_disk / "ada")
    kit.write(WORKING, b"by hand\n")
    page = os.sysconf("SC_PAGE_SIZE")
    free = os.statvfs(small_disk).f_bavail * os.statvfs(small_disk).f_frsize
    ballast = small_disk / "ballast"
    ballast.write_bytes(b"x" * (free - free % page))
    before = Before(kit)
    refusals: list[tuple[str, bool]] = []
    while True:
        try:
            kit.apply({WORKING: b"reel's\n", TAPE: b"said" * 3000, "ring4/index.md": None})
        except StateError as problem:
            refusals.append((str(problem), before.still()))
        else:
            break
        kit.changes = 1
        os.truncate(ballast, ballast.stat().st_size - page)
    assert len(refusals) > 10
    assert set(refusals) == {("The disk is full.", True)}
    assert (kit.subjects()[:2], kit.status(), kit.locks()) == (
        ["checkpoint: a page", "edit: by hand"],
        [],
        [],
    )


LIMITED = """
import resource
import sys
from pathlib import Path
from reel_cli.core.errors import StateError
from tests.support.kit_under_git import IDENTITY, START, WHEN, Before, KitUnderGit
from tests.support.kit_under_git import make_kit, person_at_work, run
from reel_cli.core.git.repository import find_repository
resource.setrlimit(resource.RLIMIT_FSIZE, (int(sys.argv[2]),) * 2)
kit = KitUnderGit(Path(sys.argv[1]), find_repository(Path(sys.argv[1])))
try:
    kit.apply({"tape/2026/2026-02-10-1.md": b"said" * 3000})
except StateError as error:
    print(error.message, "|", error.hint)
"""


def test_a_file_that_may_not_grow(kit: KitUnderGit) -> None:
    before = Before(kit)
    for limit in (0, 100, 2000):
        done = subprocess.run(
            [sys.executable, "-c", LIMITED, str(kit.root), str(limit)],
            capture_output=True,
            check=True,
            text=True,
            cwd=Path(__file__).parents[3],
        )
        assert done.stdout == "The disk is full. | make some room, then run the command again\n"
        assert before.still()


def test_a_folder_that_may_not_be_written(kit: KitUnderGit) -> None:
    before = Before(kit)
    subprocess.run(["chmod", "-R", "a-w", str(kit.root)], check=True)
    try:
        if os.access(kit.root, os.W_OK):
            pytest.skip("this user may write everywhere")
        with pytest.raises(StateError, match="cannot be written"):
            kit.apply({WORKING: b"x"})
    finally:
        subprocess.run(["chmod", "-R", "u+w", str(kit.root)], check=True)
    assert before.still()


def test_a_disk_that_is_mounted_read_only(small_disk: Path) -> None:
    kit = make_kit(small_disk / "ada")
    before = Before(kit)
    subprocess.run(["mount", "-o", "remount,ro", str(small_disk)], check=True)
    with pytest.raises(StateError, match=r"cannot be written\.$"):
        kit.apply({WORKING: b"x"})
    assert before.still()


# -- git's look at the files ----------------------------------------------------------------------


def unread(kit: KitUnderGit) -> list[str]:
    """Name the files that git has to read to tell whether they are as committed, and those that are not."""
    return kit.git("diff-files", "--name-only").splitlines()


def test_git_need_not_read_what_reel_has_written(kit: KitUnderGit) -> None:
    kit.apply({WORKING: b"new\n", TAPE: b"said\r\n", "ring4/index.md": None})
    assert WORKING not in unread(kit)
    assert TAPE not in unread(kit)


def test_a_file_written_again_right_after_its_change_shows(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def written_first(*args: object, **options: object) -> object:
        kit.write(WORKING, b"own\n")
        return put_in_index(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr("reel_cli.core.change.recovery.put_in_index", written_first)
    kit.apply({WORKING: b"new\n"})
    assert kit.status() == [f" M {WORKING}"]


def test_an_index_that_knows_nothing_of_its_files_is_refreshed(kit: KitUnderGit) -> None:
    """Earlier versions left it so, and every `git status` read all files again."""
    kit.apply({f"ring3/M-{number:03}.md": b"kept\n" for number in range(1, 130)})
    kit.repo.index.unlink()
    kit.git("read-tree", "HEAD")
    kit.write("ring3/M-007.md", b"mine\n")
    assert len(unread(kit)) > 100
    kit.apply({WORKING: b"new\n"})
    assert unread(kit) == ["ring3/M-007.md"]
    assert kit.status() == [" M ring3/M-007.md"]
