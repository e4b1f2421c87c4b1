import errno
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from reel_cli.core.change.early_storage import StoredAhead
from reel_cli.core.change.transaction import apply_change, apply_changes
from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.git.repository import find_repository, init_repository
from reel_cli.core.git.storage import pack_file as git_pack
from reel_cli.core.git.storage.objects import AT_MOST_LOOSE, NewObjects
from reel_cli.core.git.storage.pack_file import object_id
from reel_cli.core.git.storage.trees import Folder, Item, parse_tree
from reel_cli.core.values.change import AppliedChange, Change
from tests.support.kit_under_git import (
    IDENTITY,
    START,
    WHEN,
    Before,
    KitUnderGit,
    make_kit,
    person_at_work,
    run,
)
from tests.support.shelf import ready_made

WORKING = "ring2/working.md"
INDEX = "ring4/index.md"
TAPE = "tape/2026/2026-02-10-1.md"
PATHS = (WORKING, INDEX, TAPE, "tape/events.md", "ring2/deep/er.md", "kit.yaml")


def read_all(kit: KitUnderGit, changes: Sequence[Change]) -> dict[str, bytes | None]:
    snapshot = kit.snapshot()
    for path in (path for change in changes for path in change.writes):
        snapshot.read(path)
    return dict(snapshot.seen())


def apply_all(
    kit: KitUnderGit, *changes: Change, stored: frozenset[str] = frozenset()
) -> tuple[AppliedChange, ...]:
    seen = read_all(kit, changes)
    return apply_changes(
        kit.repo, kit.root, changes, seen, when=WHEN, identity=IDENTITY, stored=lambda: stored
    )


def one_by_one(kit: KitUnderGit, *changes: Change) -> tuple[AppliedChange, ...]:
    return tuple(
        apply_change(kit.repo, kit.root, change, read_all(kit, [change]), when=WHEN, identity=IDENTITY)
        for change in changes
    )


def state(kit: KitUnderGit) -> tuple[object, ...]:
    """History by id, files with their modes, index, and what is left to do."""
    modes = {path: (kit.root / path).stat().st_mode for path in kit.files()}
    return (
        kit.git("log", "--format=%H %s").splitlines(),
        (kit.files(), modes),
        kit.git("ls-files", "-s"),
        (kit.status(), kit.locks()),
    )


@pytest.fixture
def kit(tmp_path: Path) -> KitUnderGit:
    return make_kit(tmp_path / "ada")


# -- a chain is what its changes are one by one ---------------------------------------------------

contents = st.one_of(st.none(), st.binary(max_size=6), st.sampled_from([START[WORKING], b"by hand\n"]))
writes = st.dictionaries(st.sampled_from(PATHS), contents, min_size=0, max_size=4)
chains = st.lists(writes, min_size=1, max_size=5)
# a file deleted by hand is refused; tests/core/change/test_transaction.py shows that
edits = st.sampled_from(["none", "unstaged", "staged", "executable", "mode staged", "untracked"])


def edit_by_hand(kit: KitUnderGit, edit: str) -> None:
    place = kit.root / WORKING
    if edit in ("unstaged", "staged"):
        place.write_bytes(b"by hand\n")
    if edit in ("executable", "mode staged"):
        place.chmod(0o755)
    if edit in ("staged", "mode staged"):
        kit.git("add", WORKING)
    if edit == "executable":
        kit.git("commit", "-qam", "executable")
    if edit == "untracked":
        kit.write("ring2/deep/er.md", b"by hand\n")
        (kit.root / "ring2/deep/er.md").chmod(0o700)


@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(chain=chains, edit=edits, enclosed=st.booleans(), sha256=st.booleans())
def test_a_chain_is_what_its_changes_are_one_by_one(
    tmp_path_factory: pytest.TempPathFactory,
    chain: Sequence[Mapping[str, bytes | None]],
    edit: str,
    enclosed: bool,  # noqa: FBT001 (hypothesis hands it over by name)
    sha256: bool,  # noqa: FBT001
) -> None:
    top = tmp_path_factory.mktemp("chain")
    house = top / "one"
    place = house / "rooms/ada" if enclosed else house / "ada"

    def make() -> None:
        house.mkdir()
        run(house, "init", "-q", "-b", "main", *(("--object-format=sha256",) if sha256 else ()))
        make_kit(place, enclosing=house)

    ready_made(house, f"a house {enclosed} {sha256}", make)
    repo = find_repository(place)
    assert repo is not None
    kit = KitUnderGit(place, repo, changes=1)
    edit_by_hand(kit, edit)
    shutil.copytree(house, top / "two", symlinks=True)
    other_root = top / "two" / kit.root.relative_to(house)
    found = find_repository(other_root)
    assert found is not None
    other = KitUnderGit(other_root, found)
    changes = [Change("note", f"number {n}", one, (("Reel-Session", "s"),)) for n, one in enumerate(chain)]
    expected = one_by_one(other, *changes)
    actual = apply_all(kit, *changes)
    assert [a.commit for a in actual] == [a.commit for a in expected]
    assert [a.by_hand for a in actual] == [a.by_hand for a in expected]
    assert state(kit) == state(other)
    assert kit.git("fsck", "--strict") == ""
    shutil.rmtree(top)


def test_each_change_has_its_own_subject_and_trailers_and_the_branch_moves_once(kit: KitUnderGit) -> None:
    moves = len(kit.git("reflog").splitlines())
    apply_all(
        kit,
        Change("record", "one", {TAPE: b"said\n"}, (("Reel-Session", "2026-02-10-1"),)),
        Change("record", "two", {TAPE: b"said\nmore\n"}, (("Reel-Session", "2026-02-10-2"),)),
    )
    assert kit.subjects() == ["record: two", "record: one", "init: Ada"]
    assert kit.git(
        "log", "-2", "--format=%(trailers:key=Reel-Session,valueonly,separator=)"
    ).splitlines() == [
        "2026-02-10-2",
        "2026-02-10-1",
    ]
    assert (kit.committed(TAPE, "HEAD^"), kit.committed(TAPE)) == (b"said\n", b"said\nmore\n")
    assert len(kit.git("reflog").splitlines()) == moves + 1


def test_no_changes_are_no_commit(kit: KitUnderGit) -> None:
    before = Before(kit)
    assert apply_all(kit) == ()
    assert before.still()


# -- all or nothing ---------------------------------------------------------------------------------


def half_stage(kit: KitUnderGit) -> None:
    kit.write(INDEX, b"staged\n")
    kit.git("add", INDEX)
    kit.write(INDEX, b"and edited\n")


def link_in_the_way(kit: KitUnderGit) -> None:
    (kit.root / INDEX).unlink()
    (kit.root / INDEX).symlink_to("../kit.yaml")


@pytest.mark.parametrize("hinder", [half_stage, link_in_the_way])
def test_where_a_later_change_cannot_be_none_is(
    kit: KitUnderGit, hinder: Callable[[KitUnderGit], None]
) -> None:
    hinder(kit)
    before = Before(kit)
    with pytest.raises(StateError):
        apply_all(kit, Change("note", "a", {TAPE: b"said\n"}), Change("note", "b", {INDEX: b"new\n"}))
    assert before.still()


def test_what_a_later_change_read_of_an_earlier_one_must_be_what_that_wrote(kit: KitUnderGit) -> None:
    first = Change("note", "a", {WORKING: b"a\n"})
    before = Before(kit)
    with pytest.raises(StateError, match="was edited meanwhile"):
        apply_all(kit, first, Change("note", "b", {TAPE: b"b"}, reads={WORKING: START[WORKING]}))
    assert before.still()
    apply_all(kit, first, Change("note", "b", {TAPE: b"b"}, reads={WORKING: b"a\n"}))
    assert kit.subjects()[:2] == ["note: b", "note: a"]


def test_an_empty_chain_of_a_repository_without_a_commit(tmp_path: Path) -> None:
    kit = KitUnderGit(tmp_path / "ada", init_repository(tmp_path / "ada"))
    with pytest.raises(ReelError, match="nothing to commit"):
        apply_all(kit, Change("note", "a", {}))
    assert kit.locks() == []


def test_a_folder_that_is_a_file_in_history_is_refused(kit: KitUnderGit) -> None:
    kit.write("shelf", b"a file\n")
    kit.git("add", "shelf")
    kit.git("commit", "-qm", "a file")
    (kit.root / "shelf").unlink()
    (kit.root / "shelf").mkdir()
    before = Before(kit)
    with pytest.raises(StateError, match="shelf is a file in history"):
        apply_all(kit, Change("note", "a", {"shelf/one.md": b"x"}))
    assert before.still()


# -- what stands beside -----------------------------------------------------------------------------


def test_what_else_the_folders_hold_stays_as_it_is(kit: KitUnderGit, tmp_path: Path) -> None:
    other = init_repository(tmp_path / "other")
    (other.root / "x").write_text("x")
    run(other.root, "add", "x")
    run(other.root, "commit", "-qm", "x")
    kit.write("ring2/tool.sh", b"#!/bin/sh\n")
    (kit.root / "ring2/tool.sh").chmod(0o755)
    (kit.root / "ring2/link").symlink_to("tool.sh")
    kit.write('ring2/ünï çode "x"', b"x")
    kit.write("ring2.md", b"sorts between ring2 and ring2/")
    kit.git("add", "-A")
    kit.git("update-index", "--add", "--cacheinfo", f"160000,{other.head()},ring2/module")
    kit.git("commit", "-qm", "beside")
    before = kit.git("ls-tree", "-r", "HEAD").splitlines()
    apply_all(
        kit,
        Change("note", "a", {WORKING: b"a\n"}),
        Change("note", "b", {WORKING: b"b\n", "ring2/z.md": b"z"}),
    )
    after = kit.git("ls-tree", "-r", "HEAD").splitlines()
    assert [line for line in after if not line.endswith((WORKING, "ring2/z.md"))] == [
        line for line in before if not line.endswith(WORKING)
    ]
    assert kit.git("write-tree").strip() == kit.git("rev-parse", "HEAD^{tree}").strip()
    assert kit.git("fsck", "--strict") == ""


def test_a_persons_edits_elsewhere_stay_through_a_chain(kit: KitUnderGit) -> None:
    person_at_work(kit)
    before = (kit.status(), kit.git("diff"), kit.git("diff", "--cached"))
    apply_all(kit, *(Change("note", f"{n}", {TAPE: b"%d\n" % n}) for n in range(3)))
    assert (kit.status(), kit.git("diff"), kit.git("diff", "--cached")) == before


def test_the_trees_are_those_that_git_itself_makes(kit: KitUnderGit) -> None:
    names = ("a", "a.b", "a/b", "a-b", "a0", "ab/c.d/e", "ab.c", "z/z/z/z")
    apply_all(kit, *(Change("note", name, {f"x/{name}.md": name.encode()}) for name in names))
    assert kit.git("write-tree").strip() == kit.git("rev-parse", "HEAD^{tree}").strip()
    assert kit.git("fsck", "--strict") == ""


# -- how objects are stored -------------------------------------------------------------------------


@pytest.mark.parametrize("sha256", [False, True])
@pytest.mark.parametrize("count", [0, 1, 3, AT_MOST_LOOSE + 20])
def test_objects_are_stored_as_git_would(tmp_path: Path, count: int, *, sha256: bool) -> None:
    subprocess.run(
        ["git", "init", "-q", *(("--object-format=sha256",) if sha256 else ()), str(tmp_path / "r")],
        check=True,
    )
    repo = find_repository(tmp_path / "r")
    assert repo is not None
    from reel_cli.core.git.process import Git

    objects = NewObjects(repo)
    held = {objects.add("blob", data): data for data in (os.urandom(n * 37) for n in range(count))}
    with (tmp_path / "scratch").open("x+b") as scratch:
        objects.write(Git(repo.root), scratch)
    for name, data in held.items():
        assert name == object_id("blob", data, sha256=sha256) == repo.blob_id(data)
        found = subprocess.run(
            ["git", "cat-file", "blob", name], cwd=repo.root, capture_output=True, check=True
        )
        assert found.stdout == data
    assert run(repo.root, "fsck", "--strict", "--no-dangling") == ""


def test_what_is_stored_ahead_is_there_and_what_is_not_is_stored_all_the_same(kit: KitUnderGit) -> None:
    big = os.urandom(5 << 20)
    changes = [Change("note", "big", {TAPE: big}), Change("note", "small", {TAPE: big + b"small"})]
    ahead = StoredAhead(kit.repo)
    for change in changes[:1]:
        ahead.put(change)
    stored = ahead.finish()
    assert stored == {kit.repo.blob_id(big)}
    missing = kit.repo.blob_id(big + b"small")
    apply_all(kit, *changes, stored=stored | {missing})
    assert (kit.committed(TAPE, "HEAD^") == big, kit.committed(TAPE) == big + b"small") == (True, True)
    assert (kit.git("fsck", "--strict"), kit.status(), kit.locks()) == ("", [], [])
    assert ahead.finish() == frozenset()


def test_what_another_git_takes_away_while_the_rest_is_stored_is_stored_again(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch
) -> None:
    big = os.urandom(5 << 20)
    changes = [Change("note", "big", {TAPE: big}), Change("note", "small", {TAPE: big + b"small"})]
    ahead = StoredAhead(kit.repo)
    ahead.put(changes[0])
    stored, write = ahead.finish(), NewObjects.write
    cleaned: list[str] = []

    def clean_up_first(self: NewObjects, *arguments: Any) -> None:
        if not cleaned:
            cleaned.append(kit.git("gc", "-q", "--prune=now"))
        write(self, *arguments)

    monkeypatch.setattr(NewObjects, "write", clean_up_first)
    apply_all(kit, *changes, stored=stored)
    assert (len(cleaned), kit.committed(TAPE, "HEAD^") == big) == (1, True)
    assert (kit.git("fsck", "--strict"), kit.status(), kit.locks()) == ("", [], [])


def test_of_what_was_stored_ahead_and_is_let_go_nothing_is_left(kit: KitUnderGit) -> None:
    packs, turn = kit.repo.common_dir / "objects/pack", sys.getswitchinterval()
    ahead = StoredAhead(kit.repo)
    for number in range(8):
        ahead.put(Change("note", "big", {TAPE: os.urandom(1 << 20) + bytes([number])}))
    assert sys.getswitchinterval() < turn
    assert len(list(packs.iterdir())) == 1
    ahead.drop()
    assert (list(packs.iterdir()), sys.getswitchinterval(), ahead.finish()) == ([], turn, frozenset())
    big = os.urandom(5 << 20)
    ahead.put(Change("note", "big", {TAPE: big}))
    assert ahead.finish() == {kit.repo.blob_id(big)}


@pytest.mark.parametrize("step", ["_create", "deflate", "_sync"])
def test_where_nothing_can_be_stored_ahead_the_transaction_does_it(
    kit: KitUnderGit, monkeypatch: pytest.MonkeyPatch, step: str
) -> None:
    def refuse(*_: object) -> bytes:
        raise OSError(errno.ENOSPC, "no room")

    change = Change("note", "big", {TAPE: os.urandom(5 << 20)})
    with monkeypatch.context() as patched:
        patched.setattr(git_pack, step, refuse)
        ahead = StoredAhead(kit.repo)
        ahead.put(change)
        stored = ahead.finish()
    assert (stored, list((kit.repo.common_dir / "objects/pack").iterdir())) == (frozenset(), [])
    apply_all(kit, change, stored=stored)
    assert (kit.committed(TAPE), kit.git("fsck", "--strict"), kit.status()) == (change.writes[TAPE], "", [])


def test_a_file_deleted_and_made_anew_on_the_way_is_another_file(kit: KitUnderGit) -> None:
    kit.write(WORKING, b"mine\n")
    (kit.root / WORKING).chmod(0o755)
    kit.git("commit", "-qam", "executable")
    apply_all(kit, Change("note", "gone", {WORKING: None}), Change("note", "back", {WORKING: b"mine\n"}))
    assert kit.git("ls-files", "-s", WORKING).split()[0] == "100644"
    assert ((kit.root / WORKING).stat().st_mode & 0o100, kit.status(), kit.locks()) == (0, [], [])


def test_a_tree_that_is_cut_off_is_refused() -> None:
    whole = Folder({b"a": Item("100644", "12" * 20)}).render()
    assert parse_tree(whole, sha256=False) == {b"a": Item("100644", "12" * 20)}
    for end in range(1, len(whole)):
        with pytest.raises(StateError):
            parse_tree(whole[:end], sha256=False)


def test_little_is_not_stored_ahead(kit: KitUnderGit) -> None:
    ahead = StoredAhead(kit.repo)
    ahead.put(Change("note", "a", {TAPE: b"said", WORKING: None}))
    assert ahead.finish() == frozenset()
