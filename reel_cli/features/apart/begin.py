"""The beginning of a chat kept apart: a copy of the kit, with its history, in a folder of its own."""

import os
import shutil
from pathlib import Path
from tempfile import mkdtemp
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.process import Git, git_process
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.kit.apart_kits import (
    APART,
    CHAT_NAME,
    ApartNote,
    chats_folder,
    find_apart,
    read_apart,
    render_apart,
)
from reel_cli.core.shell import quote_path
from reel_cli.core.values.change import Change

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

OP = "apart"
SEEN = "refs/reel/home"
"""The reference of a chat's kit to the commit of its home that it took in last."""
_LOCAL = {"GIT_ALLOW_PROTOCOL": "file"}
"""Environment of a git process that copies between two folders of this machine."""


def require_new(opened: "OpenKit", chat: str, *, moving: str = "") -> Path:
    """Return the folder of a chat that can be begun; ReelError where it cannot.

    `moving` is a recorded chat that it would begin with.
    """
    note = read_apart(opened.root)
    name = opened.snapshot.settings.name
    if note is not None:
        message = f"This is a chat of {name}'s that is kept apart already: {note.chat}."
        raise ReelError(message, hint=f"begin another in {name}'s own kit")
    if not CHAT_NAME.fullmatch(chat):
        message = f"“{chat}” cannot be a folder's name."
        raise ReelError(message, hint="use letters, digits, - and _:  reel apart roleplay")
    repository = opened.require_repository()
    if repository.prefix or repository.head() is None:
        message = f"{name}'s kit has no history of its own to begin a chat from."
        raise ReelError(message, hint="a kit in a folder of its own has one:  reel init NEW --template KIT")
    folder = chats_folder(opened.root) / chat
    if find_apart(opened.root, chat) is not None:
        message = f"{name} has a chat “{chat}” that is kept apart already."
        hint = f"a recorded chat can only begin a new one:  reel apart {chat}-2 {moving}"
        raise ReelError(message, hint=hint if moving else f"reel --chat {chat} start")
    if os.path.lexists(folder):
        message = f"{quote_path(folder)} is something else."
        raise ReelError(message, hint="take another name")
    if os.path.lexists(folder.parent) and not folder.parent.is_dir():
        message = f"{quote_path(folder.parent)} is where {name}'s chats would lie, and it is no folder."
        raise ReelError(message, hint="rename it first")
    return folder


def begin_apart(opened: "OpenKit", chat: str) -> Path:
    """Copy a kit, with all that was committed, for a chat that is kept apart; return the copy's folder.

    Until the copy is whole it has another name, and a stop leaves none.
    """
    folder = require_new(opened, chat)
    home = opened.root.resolve()
    folder.parent.mkdir(mode=home.stat().st_mode & 0o777, exist_ok=True)
    made = Path(mkdtemp(prefix=".new-", dir=folder.parent))
    try:
        repository = _copy(home, made)
        _keep_author(opened.require_repository(), repository)
        _note(opened, made, ApartNote(chat, os.path.relpath(home, folder)))
        made.chmod(home.stat().st_mode & 0o777)
        made.rename(folder)
    except BaseException:
        shutil.rmtree(made, ignore_errors=True)
        raise
    _guard_as(opened.require_repository(), folder)
    return folder


def _copy(home: Path, folder: Path) -> Repository:
    """Clone a kit's checked-out branch, without a remote: nothing is to go back."""
    git = Git(home)
    git(
        *("clone", "-q", "--no-hardlinks", "--no-tags", "--single-branch", "--origin", "home"),
        *("--", str(home), str(folder)),
        env=_LOCAL,
    )
    copy = Git(folder)
    copy("update-ref", SEEN, "HEAD")
    copy("remote", "remove", "home")
    found = find_repository(folder)
    if found is None:
        message = f"{folder} could not be made."
        raise ReelError(message, hint="look whether the disk is full")
    return found


def _keep_author(home: Repository, copy: Repository) -> None:
    """Take along the author that the kit's own repository names."""
    for key in ("user.name", "user.email"):
        told = git_process(home.root, "config", "--local", "--get", key)
        if not told.returncode:
            Git(copy.root)("config", "--local", key, told.stdout.decode("utf-8").rstrip("\n"))


def _note(opened: "OpenKit", folder: Path, note: ApartNote) -> None:
    from reel_cli.terminal.open_kit import OpenKit

    copy = OpenKit(context=opened.context, root=folder, repository=find_repository(folder))
    text = render_apart(note).encode()
    copy.commit_all([Change(OP, f"a chat kept apart: {note.chat}", {APART: text}, ())])


def _guard_as(home: Repository, folder: Path) -> None:
    """Set up the guard of recorded chats, where the kit has it."""
    from reel_cli.core.git.guard import install_guard, look_at_guard

    copy = find_repository(folder)
    if copy is not None and look_at_guard(home).on:
        install_guard(copy)


def fetch_home(home: Path, repository: Repository) -> None:
    """Copy the commits of a chat's home that its kit lacks."""
    Git(repository.root)(
        "fetch", "-q", "--no-tags", "--no-write-fetch-head", "--", str(home), "HEAD", env=_LOCAL
    )
