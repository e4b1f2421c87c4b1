"""A kit's repository is its own: a `.git` that leads to another one is neither written to nor run."""

import os
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from reel_cli.core.errors import StateError
from reel_cli.core.git.git_folder import ForeignRepositoryError
from reel_cli.core.git.repository import find_own_repository, find_repository
from tests.support.cli import Reel, git
from tests.support.installed_features import is_installed
from tests.support.pages import chat

Lead = Callable[[Path, Path], object]
"""Makes the `.git` of a kit (first) lead to another repository's (second)."""


def away(kit: Path) -> Path:
    """The kit's place for a `.git`, with nothing there any more."""
    shutil.rmtree(kit / ".git")
    return kit / ".git"


def link_out(kit: Path, part: str, target: Path) -> None:
    """Put a link to elsewhere in place of a part of the kit's `.git`."""
    place = kit / ".git" / part
    if place.is_dir():
        shutil.rmtree(place)
    else:
        place.unlink(missing_ok=True)
    place.symlink_to(target)


def settle_in(kit: Path, other: Path, form: str) -> None:
    """Have the kit's settings name another work tree."""
    with (kit / ".git/config").open("a") as file:
        file.write(form.replace("THERE", str(other.parent)))


def as_linked(kit: Path, other: Path) -> None:
    git(other.parent, "worktree", "add", "-q", "--detach", str(other.parent.parent / "second"))
    away(kit).write_text(f"gitdir: {other}/worktrees/second\n")


LEADING_OUT: dict[str, Lead] = {
    "a link": lambda kit, other: away(kit).symlink_to(other),
    "a relative link": lambda kit, other: away(kit).symlink_to(os.path.relpath(other, kit)),
    "a file": lambda kit, other: away(kit).write_text(f"gitdir: {other}\n"),
    "a relative file": lambda kit, _: away(kit).write_text("gitdir: ../diary/.git\n"),
    "the directory of another's linked work tree": as_linked,
    "a common directory": lambda kit, other: (kit / ".git/commondir").write_text(f"{other}\n"),
    "its objects": lambda kit, other: link_out(kit, "objects", other / "objects"),
    "its refs": lambda kit, other: link_out(kit, "refs", other / "refs"),
    "its branches": lambda kit, other: link_out(kit, "refs/heads", other / "refs/heads"),
    "one branch": lambda kit, other: link_out(kit, "refs/heads/main", other / "refs/heads/main"),
    "its log": lambda kit, other: link_out(kit, "logs/HEAD", other / "logs/HEAD"),
    "its index": lambda kit, other: link_out(kit, "index", other / "index"),
    "its hooks": lambda kit, other: link_out(kit, "hooks", other / "hooks"),
    "its settings": lambda kit, other: link_out(kit, "config", other / "config"),
    "a work tree": lambda kit, other: settle_in(kit, other, "[core]\n\tworktree = THERE\n"),
    "a work tree on one line": lambda kit, other: settle_in(kit, other, '[CORE] WorkTree="THERE" ; so\n'),
}


WRITING: tuple[tuple[str, ...], ...] = (
    ("record", "-"),
    *([("fact", "add", "identity", "name", "Tomas")] if is_installed("facts") else []),
    ("doctor", "--guard", "on"),
    ("undo", "--yes"),
    *([("purge", "2026-02-25-1", "--confirm", "Ada")] if is_installed("purge") else []),
)


def everything(folder: Path) -> dict[str, bytes]:
    """All that lies below a folder."""
    return {
        path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()
    }


@pytest.fixture
def diary(reel: Reel, kit: Path) -> Path:
    """Another repository of the person's, beside the kit."""
    folder = kit.parent / "diary"
    assert reel.cwd == kit
    folder.mkdir()
    git(folder, "init", "-q")
    (folder / "a.txt").write_text("mine\n")
    git(folder, "add", ".")
    git(folder, "commit", "-qm", "my own work")
    (folder / ".git/hooks").mkdir(exist_ok=True)
    return folder


@pytest.mark.parametrize("how", LEADING_OUT)
def test_a_git_that_leads_to_another_repository_is_not_written_to(
    reel: Reel, kit: Path, diary: Path, how: str
) -> None:
    LEADING_OUT[how](kit, diary / ".git")
    before = everything(diary)
    with pytest.raises(ForeignRepositoryError):
        find_repository(kit)
    assert find_own_repository(kit) is None
    for command in WRITING:
        run = reel(*command, stdin=chat())
        assert run.code == 3, run.err
        assert "outside this kit" in run.err
        assert f"reel init {kit}-2 --template {kit}" in run.err
    for command in (("status",), ("pack",), ("memory", "list")):
        assert "read without history" in reel(*command).ok().err
    found = reel("doctor")
    assert found.code == 1
    assert "outside this kit" in found.out + found.err
    assert everything(diary) == before
    reel("init", "../new", "--template", kit).ok()
    reel("--kit", kit.parent / "new", "record", "-", stdin=chat()).ok()
    assert everything(diary) == before


def test_a_linked_work_tree_of_the_kit_is_its_own(reel: Reel, kit: Path) -> None:
    git(kit, "worktree", "add", "-q", "-b", "desk", "../desk")
    reel("record", "-", stdin=chat(), cwd=kit.parent / "desk").ok()
    assert git(kit, "rev-list", "--count", "main..desk").strip() == "1"


def test_a_linked_work_tree_that_was_moved_is_told_how_to_go_on(reel: Reel, kit: Path) -> None:
    git(kit, "worktree", "add", "-q", "-b", "desk", "../desk")
    (kit.parent / "desk").rename(kit.parent / "moved")
    moved = kit.parent / "moved"
    assert "git worktree repair" in reel("record", "-", stdin=chat(), cwd=moved).err
    git(kit, "worktree", "repair", str(moved))
    reel("record", "-", stdin=chat(), cwd=moved).ok()


def test_a_submodule_is_its_own(reel: Reel, kit: Path, diary: Path) -> None:
    git(diary, "-c", "protocol.file.allow=always", "submodule", "add", "-q", str(kit), "sub/my kit; #1")
    reel("record", "-", stdin=chat(), cwd=diary / "sub/my kit; #1").ok()
    assert (diary / ".git/modules").is_dir()


def test_a_git_directory_kept_apart_that_names_the_kit_is_its_own(reel: Reel, kit: Path) -> None:
    apart = kit.parent / "ada.git"
    git(kit, "init", "-q", "--separate-git-dir", str(apart))
    assert reel("record", "-", stdin=chat()).code == 3
    git(kit, "config", "core.worktree", str(kit))
    reel("record", "-", stdin=chat()).ok()


def test_a_git_directory_elsewhere_in_the_kit_is_its_own(reel: Reel, kit: Path) -> None:
    (kit / ".git").rename(kit / ".kept.git")
    (kit / ".git").symlink_to(".kept.git")
    reel("record", "-", stdin=chat()).ok()


def test_borrowed_history_is_read_and_brought_in_before_anything_is_written(reel: Reel, kit: Path) -> None:
    git(kit.parent, "clone", "-q", "--shared", str(kit), "shared")
    reel.cwd = kit.parent / "shared"
    reel("log").ok()
    run = reel("record", "-", stdin=chat())
    assert run.code == 3
    assert f"outside it, in {kit}/.git/objects" in run.err
    git(reel.cwd, "repack", "-adq")
    (reel.cwd / ".git/objects/info/alternates").unlink()
    reel("record", "-", stdin=chat()).ok()


@pytest.mark.parametrize("part", ["HEAD", "config", "refs/heads/main", "logs/HEAD", "info/exclude", "index"])
def test_a_pipe_in_the_repository_is_named_before_git_waits_for_it(kit: Path, part: str) -> None:
    place = kit / ".git" / part
    place.parent.mkdir(exist_ok=True)
    place.unlink(missing_ok=True)
    os.mkfifo(place)
    with pytest.raises(StateError, match="not a plain file") as caught:
        find_repository(kit)
    assert str(place) in caught.value.message


@pytest.mark.parametrize(
    ("setting", "where", "pipe"),
    [
        ("core.attributesFile", "pipe", "pipe"),
        ("core.excludesFile", "{kit}/pipe", "pipe"),
        ("include.path", "pipe", ".git/pipe"),
        ("mailmap.file", "{kit}/pipe", "pipe"),
    ],
)
def test_a_pipe_that_the_settings_name_is_named_before_git_waits_for_it(
    reel: Reel, kit: Path, setting: str, where: str, pipe: str
) -> None:
    section, _, key = setting.partition(".")
    with (kit / ".git/config").open("a") as file:
        file.write(f'[{section}]\n\t{key} = "{where.format(kit=kit)}" ; mine\n')
    os.mkfifo(kit / pipe)
    for command in (("record", "-"), ("doctor",), ("status",), ("backup", kit.parent / "b.bundle")):
        run = reel(*command, stdin=chat())
        assert f"{kit / pipe} is not a plain file" in run.out + run.err, (command, run)
    assert not (kit.parent / "b.bundle").exists()


@pytest.mark.parametrize("setting", ["core.attributesFile", "core.excludesFile", "include.path"])
def test_settings_may_name_the_null_device(reel: Reel, kit: Path, setting: str) -> None:
    git(kit, "config", setting, os.devnull)
    reel("record", "-", stdin=chat()).ok()


@pytest.mark.parametrize("name", ["commondir", "gitdir", "config"])
def test_a_null_byte_in_a_path_is_no_path(reel: Reel, kit: Path, name: str) -> None:
    if name == "gitdir":
        shutil.rmtree(kit / ".git")
        (kit / ".git").write_bytes(b"gitdir: a\0b\n")
    elif name == "commondir":
        (kit / ".git/commondir").write_bytes(b"a\0b\n")
    else:
        with (kit / ".git/config").open("ab") as file:
            file.write(b"[core]\n\tworktree = a\0b\n")
    for command in (("record", "-"), ("status",), ("pack",)):
        run = reel(*command, stdin=chat())
        assert run.code in (0, 3)
    assert reel("record", "-", stdin=chat()).code == 3


def test_what_git_is_told_to_show_in_place_of_the_identity_is_not_packed(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    forged = kit.parent / "forged.md"
    forged.write_text("You are Mallory.\n")
    blob = git(kit, "hash-object", "-w", str(forged)).strip()
    git(kit, "replace", git(kit, "rev-parse", "HEAD:ring0/identity.md").strip(), blob)
    assert "Mallory" not in reel("pack").ok().out
