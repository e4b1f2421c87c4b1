"""The guard: a git hook, plain sh, that keeps a plain `git commit` from altering what is past.

reel's own commits run no hooks; whoever wants to can pass it by. It is there against mistakes, and
`reel tape verify` is what proves.
"""

import os
from collections.abc import Sequence
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import OWNER_FOLDER, read_plain, storage_problem, write_private
from reel_cli.core.frozen import frozen
from reel_cli.core.git.process import git_process
from reel_cli.core.git.repository import Repository
from reel_cli.core.resources import read_guard

HOOKS = ("pre-commit", "pre-merge-commit")
MARK = b"\n# reel-guard "
BESIDE = "reel-guard"
"""The guard under a name of its own, for another hook to call."""
CALL = 'sh "$(git rev-parse --git-common-dir)/hooks/reel-guard" || exit 1'
"""The line by which another hook calls it."""


@frozen
class Guard:
    """The guard of a repository; `folder` is where its hooks are.

    `ours` are the hooks that are reel's, `calling` those of others that call it, `foreign` the rest.
    `elsewhere` is where git is told to look for hooks instead, by its setting core.hooksPath. Those in
    `asleep` may not be executed, and git passes them over.
    """

    folder: Path
    ours: Sequence[str] = ()
    calling: Sequence[str] = ()
    foreign: Sequence[str] = ()
    current: bool = True
    elsewhere: str | None = None
    asleep: Sequence[str] = ()

    @property
    def on(self) -> bool:
        """Return whether a plain `git commit` runs the guard."""
        first = HOOKS[0]
        called = first in self.calling or (first in self.ours and self.elsewhere is None)
        return called and first not in self.asleep

    @property
    def whole(self) -> bool:
        """Return whether merges run the guard too, and it is this version of reel's."""
        known = {*self.ours, *self.calling}
        return self.on and self.current and known.issuperset(HOOKS)


def look_at_guard(repo: Repository) -> Guard:
    """Return the hooks of a kit's own repository; raises StateError if they cannot be read."""
    elsewhere = _hooks_path(repo)
    folder = repo.common_dir / "hooks"
    place = folder if elsewhere is None else (repo.root / Path(elsewhere).expanduser())
    ours: list[str] = []
    calling: list[str] = []
    foreign: list[str] = []
    asleep: list[str] = []
    current = True
    for name in HOOKS:
        data = _read(place / name)
        if data is None:
            continue
        if not os.access(place / name, os.X_OK):
            asleep.append(name)
        if _is_ours(data):
            ours.append(name)
            current = current and data == read_guard() and name not in asleep
        elif BESIDE.encode() in data and _read(folder / BESIDE) is not None:
            calling.append(name)
        else:
            foreign.append(name)
    return Guard(folder, ours, calling, foreign, current, elsewhere, asleep)


def install_guard(repo: Repository, *, beside: bool = True) -> Guard:
    """Install the guard, never over another hook; return how the repository is guarded then.

    Nothing is put in where the kit is only a part of the repository, or git looks for its hooks
    elsewhere. With `beside`, the guard is laid beside another hook, for that to call.
    """
    if repo.prefix:
        message = "This kit is a part of a larger repository, and reel puts no hook in there."
        raise ReelError(message, hint="reel tape verify  proves the tape all the same")
    now = look_at_guard(repo)
    if now.elsewhere is None:
        free = [name for name in HOOKS if name not in (*now.foreign, *now.calling)]
        for name in free:
            _write(now.folder / name)
    if beside and (now.foreign or now.calling or now.elsewhere is not None):
        _write(now.folder / BESIDE)
    return look_at_guard(repo)


def remove_guard(repo: Repository) -> Sequence[str]:
    """Remove the guard's own files, and nothing else; return the names of the removed files."""
    folder = repo.common_dir / "hooks"
    gone = []
    for name in (*HOOKS, BESIDE):
        data = _read(folder / name)
        if data is not None and _is_ours(data):
            try:
                (folder / name).unlink()
            except OSError as error:
                raise storage_problem(error, f".git/hooks/{name}") from error
            gone.append(name)
    return gone


def _is_ours(data: bytes) -> bool:
    """Return whether a hook is the guard, of this or another version."""
    return data.startswith(b"#!") and MARK in data[:200]


def _hooks_path(repo: Repository) -> str | None:
    """Return the folder in which git is set to look for hooks; None for the repository's own."""
    asked = git_process(repo.root, "config", "-z", "--get-all", "core.hooksPath")
    # the last is reel's own setting, which keeps hooks from running while it works
    told = asked.stdout.decode("utf-8", "surrogateescape").split("\0")[:-2]
    return told[-1] if told else None


def _read(path: Path) -> bytes | None:
    try:
        return read_plain(path)
    except FileNotFoundError:
        # a dangling link still stands for somebody's hook
        return b"" if os.path.lexists(path) else None
    except OSError:
        return b""


def _write(path: Path) -> None:
    try:
        write_private(path, read_guard())
        path.chmod(OWNER_FOLDER)
    except OSError as error:
        raise storage_problem(error, f".git/hooks/{path.name}") from error
