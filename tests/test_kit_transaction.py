import json
import os
import stat
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from reel_cli.errors import ReelError, StateError
from reel_cli.kit import transaction
from reel_cli.kit.commit_message import render_message
from reel_cli.kit.git import KIT_ATTRIBUTES, blob_id, find_repository, init_repository
from reel_cli.kit.git_index import put_in_index
from reel_cli.kit.git_process import Git
from reel_cli.kit.intent import save_intent
from reel_cli.kit.recovery import Recovery, finish
from reel_cli.kit.transaction import apply_change, recover
from reel_cli.model.change import Applied, Change
from tests.kit_under_git import IDENTITY, START, WHEN, KitUnderGit, make_kit, run

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


class Before:
    """All that must be as it was when a change is refused."""

    def __init__(self, kit: KitUnderGit) -> None:
        self.kit = kit
        self.state = self.look()

    def look(self) -> tuple[object, ...]:
        kit = self.kit
        index = kit.git("ls-files", "-s", "-z")
        return kit.repo.head(), kit.files(), index, kit.status(), kit.locks()

    def still(self) -> bool:
        assert self.look() == self.state
        return True


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
    assert applied == Applied(commit=kit.repo.head() or "")
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
    assert kit.apply({WORKING: START[WORKING]}) == Applied(commit=base or "")
    assert kit.apply({}) == Applied(commit=base or "")
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


# -- the message ----------------------------------------------------------------------------------

nasty = st.text(
    st.one_of(
        st.sampled_from("\n\r\0\x1b:-# \u2028\u0085é"),
        st.characters(codec="utf-8"),
    ),
    max_size=30,
) | st.sampled_from(
    ["Reel-Forgot: M-001", "x\n\nReel-Op: purge", "---", "# c", "(cherry picked from commit 1)", "\ud800", ""]
)


@settings(max_examples=60, deadline=None)
@given(
    summary=nasty,
    notes=st.lists(nasty, max_size=4),
    values=st.lists(nasty.filter(lambda v: v.strip() != ""), max_size=3),
)
def test_nothing_in_a_message_passes_for_another_trailer(
    summary: str, notes: list[str], values: list[str]
) -> None:
    change = Change("record", summary, {}, tuple(("Reel-Memory", v) for v in values), tuple(notes))
    message = render_message(change)
    read = subprocess.run(
        ["git", "interpret-trailers", "--parse", "--no-divider"],
        input=message.encode(),
        capture_output=True,
        check=True,
    ).stdout.decode()
    keys = [line.partition(":")[0] for line in read.splitlines()]
    assert keys == ["Reel-Op", *["Reel-Memory"] * len(values)]
    assert message.startswith("record:")
    assert all(c.isprintable() or c == "\n" for c in message)


def test_a_committed_message_is_read_back_by_git(kit: KitUnderGit) -> None:
    kit.apply(
        {WORKING: b"x"},
        ("Reel-Forgot", "M-001 L1->L2\nReel-Ratified-By: Eve <e@x>"),
        summary="a\n\nReel-Op: purge",
        notes=("Reel-Forgot: M-009", "plain"),
    )
    assert kit.git("log", "-1", "--format=%s|%(trailers:only)").rstrip() == (
        "checkpoint: a Reel-Op: purge|Reel-Op: checkpoint\n"
        "Reel-Forgot: M-001 L1->L2 Reel-Ratified-By: Eve <e@x>"
    )
    assert kit.git("log", "-1", "--format=%(trailers:key=Reel-Ratified-By)").strip() == ""


def test_a_trailer_key_that_is_none_is_refused(kit: KitUnderGit) -> None:
    before = Before(kit)
    with pytest.raises(ReelError, match="cannot name a trailer"):
        kit.apply({WORKING: b"x"}, ("Not a key", "x"))
    assert before.still()


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


@pytest.mark.parametrize("edit", [edit_unstaged, edit_staged, delete_unstaged, delete_staged])
def test_an_edit_by_hand_of_a_target_gets_its_own_commit_first(
    kit: KitUnderGit, edit: Callable[[KitUnderGit], None]
) -> None:
    edit(kit)
    mine = kit.files().get(WORKING)
    applied = kit.apply({WORKING: b"reel's\n", TAPE: b"said"})
    assert kit.subjects() == ["checkpoint: a page", "edit: by hand", "init: Ada"]
    assert applied.by_hand == kit.git("rev-parse", "HEAD^").strip()
    changed = kit.git("show", "--format=", "--name-status", "HEAD^").split()
    assert changed == (["D", WORKING] if mine is None else ["M", WORKING])
    if mine is not None:
        assert kit.committed(WORKING, "HEAD^") == mine
    assert kit.git("log", "-1", "--format=%(trailers)", "HEAD^").strip() == "Reel-Op: edit"
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (b"reel's\n", [], [])


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


def litter(kit: KitUnderGit) -> None:
    """Everything a person may have under way elsewhere, at once."""
    top = kit.repo.root
    for name in ("one", "two", "three", "four", "five", "six", "seven"):
        (top / name).write_text(f"{name}\n")
    run(top, "add", "one", "two", "three", "four", "five", "six")
    run(top, "commit", "-qm", "theirs")
    (top / "one").write_text("staged\n")
    run(top, "add", "one")
    (top / "two").write_text("staged\n")
    run(top, "add", "two")
    (top / "two").write_text("half\n")
    (top / "three").write_text("unstaged\n")
    run(top, "rm", "-q", "four")
    run(top, "mv", "five", 'fünf "5"')
    (top / "six").chmod(0o755)
    run(top, "add", "six")
    (top / "eight").write_text("new, staged\n")
    run(top, "add", "eight")
    (top / "nine").write_text("new, meant to be added\n")
    run(top, "add", "-N", "nine")


@pytest.mark.parametrize("where", ["kit", "enclosed"])
@pytest.mark.parametrize("by_hand", [False, True])
def test_edits_elsewhere_stay_as_they_are(
    where: str, request: pytest.FixtureRequest, *, by_hand: bool
) -> None:
    kit: KitUnderGit = request.getfixturevalue(where)
    litter(kit)
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


# -- preflight ------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("path", "then", "happened"),
    [
        (WORKING, b"edited\n", "was edited"),
        (WORKING, None, "was deleted"),
        (TAPE, b"new\n", "appeared"),
    ],
)
def test_a_file_that_changed_meanwhile_stops_the_change(
    kit: KitUnderGit, path: str, then: bytes | None, happened: str
) -> None:
    seen = kit.snapshot()
    for name in (WORKING, TAPE):
        seen.read(name)
    if then is None:
        (kit.root / path).unlink()
    else:
        kit.write(path, then)
    before = Before(kit)
    with pytest.raises(StateError) as caught:
        kit.apply({WORKING: b"reel's\n", TAPE: b"said\n"}, snapshot=seen)
    assert caught.value.message == f"{path} {happened} meanwhile; nothing was changed."
    assert caught.value.exit_code == 3
    assert before.still()


def test_a_target_that_was_never_read_must_be_new(kit: KitUnderGit) -> None:
    before = Before(kit)
    with pytest.raises(StateError, match=f"^{WORKING} appeared meanwhile"):
        kit.apply({WORKING: b"x"}, snapshot=kit.snapshot())
    assert before.still()


def test_what_the_operation_read_besides_must_still_hold(kit: KitUnderGit) -> None:
    before = Before(kit)
    change = Change("checkpoint", "x", {TAPE: b"said"}, reads={"kit.yaml": b"name: Other\n"})
    with pytest.raises(StateError, match=r"^kit\.yaml was edited meanwhile"):
        kit.apply_change(change)
    assert before.still()
    kit.apply_change(Change("checkpoint", "x", {TAPE: b"said"}, reads={"kit.yaml": START["kit.yaml"]}))


def merging(kit: KitUnderGit) -> None:
    kit.git("checkout", "-q", "-b", "side")
    kit.write("a.txt", b"side\n")
    kit.git("add", "a.txt")
    kit.git("commit", "-qm", "side")
    kit.git("checkout", "-q", "main")
    kit.write("a.txt", b"main\n")
    kit.git("add", "a.txt")
    kit.git("commit", "-qm", "main")
    kit.git("merge", "side", check=False)


def rebasing(kit: KitUnderGit) -> None:
    merging(kit)
    kit.git("merge", "--abort")
    kit.git("rebase", "side", check=False)


def picking(kit: KitUnderGit) -> None:
    merging(kit)
    kit.git("merge", "--abort")
    kit.git("cherry-pick", "side", check=False)


def bisecting(kit: KitUnderGit) -> None:
    kit.git("bisect", "start")


def in_conflict(kit: KitUnderGit) -> None:
    """As a stash leaves it: a conflict in the index, and nothing under way."""
    merging(kit)
    for mark in ("MERGE_HEAD", "MERGE_MSG", "MERGE_MODE"):
        (kit.repo.git_dir / mark).unlink()


def detached(kit: KitUnderGit) -> None:
    kit.git("checkout", "-q", "--detach")


@pytest.mark.parametrize(
    ("state", "message"),
    [
        (merging, "A merge is under way"),
        (rebasing, "A rebase is under way"),
        (picking, "A cherry-pick is under way"),
        (bisecting, "A bisection is under way"),
        (in_conflict, "a.txt is in conflict"),
        (detached, "This repository is not on a branch"),
    ],
)
def test_a_repository_in_between_is_left_alone(
    kit: KitUnderGit, state: Callable[[KitUnderGit], None], message: str
) -> None:
    state(kit)
    before = Before(kit)
    with pytest.raises(StateError, match=f"^{message}.*nothing was changed") as caught:
        kit.apply({WORKING: b"reel's\n"})
    assert caught.value.hint is not None
    assert before.still()


@pytest.mark.parametrize(
    "path",
    [
        *("../x", "/etc/x", "a/../../x", "a//b", "./a", "", ".", "a/", ".git/config", "ring0/.GIT/x"),
        *(".reel/state/x", "a\nb", "a\\b", "C:x", "a\0b", "a/."),
    ],
)
def test_no_path_leaves_the_kit(kit: KitUnderGit, path: str) -> None:
    before = Before(kit)
    with pytest.raises(ReelError, match="not the name of a file inside a kit"):
        kit.apply_change(Change("x", "y", {path: b"x"}), kit.snapshot())
    assert before.still()


def test_no_write_goes_through_a_link(kit: KitUnderGit, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (kit.root / "tape").symlink_to(tmp_path / "out")
    (kit.root / "ring1").mkdir()
    (kit.root / "ring1/a.md").symlink_to(kit.root / "kit.yaml")
    for path, named in ((TAPE, "tape is not a plain folder"), ("ring1/a.md", "ring1/a.md is not a plain")):
        with pytest.raises(StateError, match=f"^{named}"):
            kit.apply({path: b"x"}, snapshot=kit.snapshot())
    assert list((tmp_path / "out").iterdir()) == []
    assert kit.read("kit.yaml") == START["kit.yaml"]


def test_reels_own_folder_may_not_be_a_link(kit: KitUnderGit, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    state = kit.root / ".reel/state"
    (state / "lock").unlink()
    state.rmdir()
    state.symlink_to(tmp_path / "out")
    with pytest.raises(StateError, match=r"\.reel/state is a link"):
        kit.apply({WORKING: b"x"})
    assert list((tmp_path / "out").iterdir()) == []


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
from reel_cli.errors import StateError
from tests.kit_under_git import KitUnderGit
from reel_cli.kit.git import find_repository
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
            cwd=Path(__file__).parents[1],
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


# -- stopped, and taken up again ------------------------------------------------------------------


class Stop(BaseException):
    """What ends a transaction where no handler of ours may be expected."""


def stop_before(monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    """End the next transaction before it calls one of its parts, leaving the disk as a kill would."""

    def stop(*_: object, **__: object) -> None:
        raise Stop

    monkeypatch.setattr(transaction, name, stop)


def left_before_the_files(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> str:
    """A kit whose change is committed, with none of its files in place."""
    with monkeypatch.context() as patch:
        stop_before(patch, "finish")
        with pytest.raises(Stop):
            kit.apply({WORKING: b"new\n", TAPE: b"said\n", "ring4/index.md": None})
    assert (kit.root / ".reel/state/txn/intent").exists()
    assert kit.read(WORKING) == START[WORKING]
    return kit.repo.head() or ""


def left_before_the_branch(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    """A kit whose intent is written, with the branch where it was."""
    with monkeypatch.context() as patch:
        patch.setattr(transaction, "recover_locked", lambda *_: Recovery())
        patch.setattr(transaction._Task, "_move_branch", lambda *_: (_ for _ in ()).throw(Stop))
        with pytest.raises(Stop):
            kit.apply({WORKING: b"new\n", TAPE: b"said\n"})
    assert (kit.root / ".reel/state/txn/intent").exists()


def test_with_nothing_left_behind_recovering_is_one_look(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(subprocess, "Popen", None)
    assert recover(kit.repo, kit.root) == Recovery()


def test_a_committed_change_is_finished(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    new = left_before_the_files(kit, monkeypatch)
    assert recover(kit.repo, kit.root) == Recovery(finished=new)
    assert (kit.read(WORKING), kit.read(TAPE), (kit.root / "ring4").exists()) == (b"new\n", b"said\n", False)
    assert (kit.status(), kit.locks(), kit.repo.head()) == ([], [], new)
    assert recover(kit.repo, kit.root) == Recovery()


def test_the_next_change_finishes_the_one_before(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    left_before_the_files(kit, monkeypatch)
    kit.apply({"ring1/a.md": b"x\n"}, snapshot=kit.snapshot())
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (b"new\n", [], [])


def test_a_change_whose_branch_never_moved_is_discarded(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = Before(kit)
    left_before_the_branch(kit, monkeypatch)
    assert recover(kit.repo, kit.root) == Recovery()
    assert before.still()


def test_a_change_with_commits_on_top_is_finished(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    new = left_before_the_files(kit, monkeypatch)
    kit.git("commit", "-q", "--allow-empty", "-m", "on top")
    assert recover(kit.repo, kit.root).finished == new
    assert (kit.read(WORKING), kit.locks()) == (b"new\n", [])


def test_a_change_the_person_reset_away_is_named_and_let_go(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    new = left_before_the_files(kit, monkeypatch)
    kit.git("reset", "-q", "--hard", "HEAD^")
    kit.git("commit", "-q", "--allow-empty", "-m", "another way")
    before = Before(kit)
    assert recover(kit.repo, kit.root) == Recovery(dropped=new)
    assert before.look()[:4] == before.state[:4]
    assert kit.locks() == []


def test_on_another_branch_nothing_is_put_in_place(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    kit.git("branch", "other")
    new = left_before_the_files(kit, monkeypatch)
    kit.git("symbolic-ref", "HEAD", "refs/heads/other")
    assert recover(kit.repo, kit.root) == Recovery()
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (START[WORKING], [], [])
    assert kit.git("rev-parse", "main").strip() == new


def test_bytes_a_person_wrote_meanwhile_are_kept(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    new = left_before_the_files(kit, monkeypatch)
    kit.write(WORKING, b"mine, just now\n")
    assert recover(kit.repo, kit.root) == Recovery(finished=new, kept=(WORKING,))
    assert kit.read(WORKING) == b"mine, just now\n"
    assert (kit.status(), kit.read(TAPE)) == ([f" M {WORKING}"], b"said\n")


def test_bytes_a_person_writes_during_a_change_are_kept(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def edited_first(*args: object, **options: object) -> object:
        kit.write(WORKING, b"mine, just now\n")
        return finish(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(transaction, "finish", edited_first)
    applied = kit.apply({WORKING: b"new\n", TAPE: b"said\n"})
    assert applied.kept == (WORKING,)
    assert (kit.read(WORKING), kit.read(TAPE)) == (b"mine, just now\n", b"said\n")
    assert kit.status() == [f" M {WORKING}"]


def test_what_a_person_staged_meanwhile_stays_staged(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_before_the_files(kit, monkeypatch)
    kit.write(WORKING, b"mine\n")
    kit.write("other", b"too\n")
    kit.git("add", WORKING, "other")
    recover(kit.repo, kit.root)
    assert kit.status() == ["A  other", f"M  {WORKING}"]
    assert kit.git("show", f":{WORKING}") == "mine\n"


def test_lost_bytes_of_a_stopped_change_come_from_history(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_before_the_files(kit, monkeypatch)
    for file in (kit.root / ".reel/state/txn").glob("[0-9]*"):
        file.write_bytes(b"")
    recover(kit.repo, kit.root)
    assert (kit.read(WORKING), kit.read(TAPE), kit.status()) == (b"new\n", b"said\n", [])


def test_an_intent_that_reel_did_not_write_does_nothing(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    left_before_the_files(kit, monkeypatch)
    place = kit.root / ".reel/state/txn/intent"
    good = json.loads(place.read_bytes())
    forgeries: list[Callable[[dict[str, Any]], object]] = [
        lambda v: v["targets"][0].update(path="../../escaped"),
        lambda v: v["targets"][0].update(path=".git/hooks/pre-commit"),
        lambda v: v["targets"][0].update(file="../../../kit.yaml"),
        lambda v: v.update(new="--output=x"),
        lambda v: v.update(branch="../../x"),
        lambda v: v.update(version=99),
        lambda v: v.update(targets="x"),
        lambda v: v.pop("base"),
    ]
    for forge in forgeries:
        value = json.loads(json.dumps(good))
        forge(value)
        place.parent.mkdir(exist_ok=True)
        place.write_text(json.dumps(value))
        assert recover(kit.repo, kit.root) == Recovery()
        assert not place.exists()
    assert (kit.read(WORKING), kit.read("kit.yaml")) == (START[WORKING], START["kit.yaml"])
    assert not (tmp_path / "escaped").exists()


def test_an_intent_that_the_commit_does_not_bear_out_writes_nothing(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    left_before_the_files(kit, monkeypatch)
    folder = kit.root / ".reel/state/txn"
    value = json.loads((folder / "intent").read_bytes())
    value["targets"][0]["new"] = blob_id(b"slipped in")
    (folder / value["targets"][0]["file"]).write_bytes(b"slipped in")
    (folder / "intent").write_text(json.dumps(value))
    recover(kit.repo, kit.root)
    assert (kit.read(WORKING), kit.read(TAPE)) == (START[WORKING], b"said\n")


def test_ctrl_c_at_any_call_of_git(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    litter(kit)
    kit.write(WORKING, b"mine\n")
    before = Before(kit)
    real = subprocess.run
    allowed = iter(range(0))

    def interrupted(*args: object, **options: object) -> object:
        if next(allowed, None) is None:
            raise KeyboardInterrupt
        return real(*args, **options)  # type: ignore[call-overload]

    stopped = 0
    while True:
        allowed = iter(range(stopped))
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "run", interrupted)
            try:
                kit.apply({WORKING: b"new\n"})
            except KeyboardInterrupt:
                stopped += 1
            else:
                break
        recover(kit.repo, kit.root)
        assert before.still()
    assert stopped > 8
    assert (kit.subjects()[0], kit.locks()) == ("checkpoint: a page", [])


# -- others at work -------------------------------------------------------------------------------


def test_a_branch_that_moves_meanwhile_is_built_upon(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    moved: list[int] = []

    def moving(*args: object) -> None:
        save_intent(*args)  # type: ignore[arg-type]
        if not moved:
            moved.append(1)
            kit.git("commit", "-q", "--allow-empty", "-m", "theirs, just now")

    monkeypatch.setattr(transaction, "save_intent", moving)
    kit.apply({WORKING: b"new\n"})
    assert kit.subjects() == ["checkpoint: a page", "theirs, just now", "init: Ada"]
    assert (kit.status(), kit.locks()) == ([], [])


def test_a_branch_that_never_holds_still(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:

    def moving(*args: object) -> None:
        save_intent(*args)  # type: ignore[arg-type]
        kit.git("commit", "-q", "--allow-empty", "-m", "theirs")

    monkeypatch.setattr(transaction, "save_intent", moving)
    with pytest.raises(StateError, match="kept moving"):
        kit.apply({WORKING: b"new\n"})
    assert (kit.read(WORKING), kit.status(), kit.locks()) == (START[WORKING], [], [])


def test_a_busy_index_leaves_the_rest_to_the_next_command(kit: KitUnderGit) -> None:
    lock = kit.repo.git_dir / "index.lock"
    lock.touch()
    applied = kit.apply({WORKING: b"new\n"})
    assert (kit.repo.head(), kit.read(WORKING)) == (applied.commit, b"new\n")
    assert recover(kit.repo, kit.root) == Recovery(finished=applied.commit, pending=True)
    before = kit.repo.head()
    with pytest.raises(StateError, match="Another git holds this repository's index") as caught:
        kit.apply({WORKING: b"newer\n"})
    assert caught.value.hint is not None
    assert str(lock) in caught.value.hint
    assert (kit.repo.head(), lock.exists()) == (before, True)
    lock.unlink()
    assert recover(kit.repo, kit.root) == Recovery(finished=applied.commit)
    assert (kit.status(), kit.locks()) == ([], [])


def test_an_index_that_git_refreshed_meanwhile(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    def staged_first(*args: object, **options: object) -> object:
        kit.write("other", b"x\n")
        kit.git("add", "other")
        return finish(*args, **options)  # type: ignore[arg-type]

    monkeypatch.setattr(transaction, "finish", staged_first)
    kit.apply({WORKING: b"new\n"})
    assert (kit.status(), kit.locks()) == (["A  other"], [])


def test_where_files_cannot_be_linked_the_index_is_swapped_all_the_same(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*_: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    monkeypatch.setattr(os, "link", refuse)
    kit.write("other", b"x\n")
    kit.git("add", "other")
    kit.apply({WORKING: b"new\n"})
    assert (kit.status(), kit.locks()) == (["A  other"], [])


def test_putting_entries_in_twice_changes_nothing(kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch) -> None:
    left_before_the_files(kit, monkeypatch)
    recover(kit.repo, kit.root)
    before = kit.repo.index.read_bytes()
    git = Git(kit.repo.root)
    put_in_index(kit.repo, git, kit.root / ".reel/state", (), None)
    assert kit.repo.index.read_bytes() == before


def test_the_clock_must_not_be_guessed(kit: KitUnderGit) -> None:
    """A time without a zone is the machine's own."""
    seen = kit.snapshot()
    seen.read(WORKING)
    apply_change(
        kit.repo,
        kit.root,
        Change("x", "y", {WORKING: b"z"}),
        seen.seen(),
        when=WHEN.replace(tzinfo=None),
        identity=IDENTITY,
    )
    assert kit.git("log", "-1", "--format=%aI").strip() == "2026-02-10T21:14:00+00:00"
