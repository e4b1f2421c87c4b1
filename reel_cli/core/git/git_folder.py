"""The folder git keeps a repository in: whether it is the kit's own, and holds only plain files.

A kit that came from elsewhere brings its `.git` along, and that may lead anywhere: reel would commit to
another repository of the person's and put its hook there. A pipe in it would keep git waiting forever. Both
show in the files alone, before any git process is started.
"""

import errno
import os
import re
import stat
from collections.abc import Iterator, Sequence
from pathlib import Path
from threading import Lock
from types import MappingProxyType
from typing import NoReturn

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import LARGEST_OWN, read_plain
from reel_cli.core.frozen import frozen, late

FILES = ("HEAD", "config", "config.worktree", "index", "packed-refs", "shallow")
"""Names that are plain files in every repository that has them."""
LARGEST = MappingProxyType({"index": 1 << 31, "packed-refs": 1 << 31})
"""How large such a file may be, in bytes, where it may be larger than all others."""
FOLDERS = ("objects", "refs", "refs/heads")
DEEP = ("refs", "logs")
"""Folders that git reads and writes at any depth."""
FLAT = ("info", "objects", "objects/info", "objects/pack")
SOCKETS = ("fsmonitor--daemon.ipc",)
"""Names that git makes and that are neither a file nor a folder."""
LOOSE = late(r"[0-9a-f]{2}")
"""The names of the folders that hold loose objects."""
WORK_TREE = late(rb"(?im)^[ \t]*(?:\[[^\]\n]*\][ \t]*)?worktree[ \t]*=[ \t]*(.*)$")
SETTING = late(rb"(?m)^[ \t]*(?:\[[^\]\n]*\][ \t]*)?[A-Za-z][\w-]*[ \t]*=[ \t]*(.*)$")
"""A line of git's settings that has a value, maybe behind the name of its section."""
VALUE_PART = late(rb'"((?:[^"\\]|\\.)*)"|([^"#;\\]+)|\\(.)|[#;].*')
"""A piece of a value in git's settings: in quotes, plain, one escaped sign, or a comment to the end."""

IN_WORK_TREE = (".gitattributes", ".gitignore", ".gitmodules", ".mailmap")
"""Files among a person's own that git reads for itself, in any folder."""

_unread: dict[Path, "GitFolder"] = {}
"""Repositories that no git process has read yet, by work tree."""
_looking = Lock()
"""Held while a repository is looked at for git; another thread waits before it starts its own git."""
_checked: set["GitFolder"] = set()
"""Directories in which all was as it should be when this process looked last."""


class ForeignRepositoryError(StateError):
    """The repository that a kit's `.git` leads to is not the kit's own."""


@frozen
class GitFolder:
    """The directories behind a work tree's `.git`; `root` is its real place, and `kit` lies in it."""

    kit: Path
    root: Path
    git_dir: Path
    common_dir: Path

    def check(self) -> None:
        """Look at what git opens in its directory, but for loose objects, which wait for `check_for_git`.

        Raises ForeignRepositoryError where the repository is not this work tree's own or a part of it lies
        elsewhere, and StateError where something in it is neither a file nor a folder.
        """
        _checked.discard(self)
        places = tuple(dict.fromkeys((self.git_dir, self.common_dir)))
        for place in places:
            for name in FILES:
                _require(place / name, folder=False, most=LARGEST.get(name, LARGEST_OWN))
            for name in FOLDERS:
                _require(place / name, folder=True)
        self._check_owner()
        homes = (self.root, *map(_real, places))
        for entry in self._entries(places):
            self._check_entry(entry, homes)
        _unread[self.root] = self
        _checked.add(self)

    def check_once(self) -> None:
        """Look as `check` does, unless this process has looked at the same directories before.

        For what only reads beside `find_repository`, which looks each time that a kit is opened.
        """
        if self not in _checked:
            self.check()

    def _check_owner(self) -> None:
        """Check that the directories belong to the work tree: inside it, linked, or a submodule."""
        mark = self.root / ".git"
        git_dir, common = _real(self.git_dir), _real(self.common_dir)
        linked = git_dir != common
        told = _work_tree(git_dir / ("config.worktree" if linked else "config"))
        if told is not None and told != self.root:
            self._refuse(f"{git_dir} has its files in {told}")
        if git_dir.is_relative_to(self.root) and common.is_relative_to(self.root):
            return
        if linked and git_dir.parent == common / "worktrees":
            if _backlink(git_dir) != mark:
                self._refuse(f"{mark} leads to {git_dir}", moved="git worktree repair")
        elif linked or told is None:
            self._refuse(f"{mark} leads to {common}")

    def _entries(self, places: Sequence[Path]) -> Iterator[os.DirEntry[str]]:
        for place in places:
            yield from _list(place)
            for name in DEEP:
                yield from _walk(place / name)
        for name in FLAT:
            yield from _list(self.common_dir / name)

    def _check_entry(self, entry: os.DirEntry[str], homes: Sequence[Path]) -> None:
        if entry.is_dir(follow_symlinks=False) or entry.is_file(follow_symlinks=False):
            return
        place = Path(entry.path)
        if entry.is_symlink():
            real = _real(place)
            if not any(real.is_relative_to(home) for home in homes):
                self._refuse(f"{place} leads to {real}")
        if entry.name not in SOCKETS:
            _require(place, folder=None)

    def _refuse(self, finding: str, moved: str = "") -> NoReturn:
        message = f"{finding}, outside this kit, and reel writes only to a repository of the kit's own."
        ways = f"{command_for_history(self.kit)}  makes a kit with a history of its own"
        if moved:
            ways += f"; if this folder was only moved:  {moved}"
        raise ForeignRepositoryError(message, hint=ways)


def command_for_history(kit: Path) -> str:
    """Return the command that makes a kit with a history beside one that has none of its own."""
    from reel_cli.core.shell import quote_path

    whole = kit.absolute()
    return f"reel init {quote_path(whole.with_name(f'{whole.name}-2'))} --template {quote_path(whole)}"


def check_for_git(root: Path) -> None:
    """Look once, before the first git process, at the many files that only git reads for itself.

    They are a repository's loose objects, and the settings among the kit's files. Raises StateError
    naming the first that is no plain file.
    """
    with _looking:
        found = _unread.get(root)
        if found is not None:
            _look_for_git(found, root)
            del _unread[root]


def _look_for_git(found: GitFolder, root: Path) -> None:
    for folder in _list(found.common_dir / "objects"):
        if LOOSE.fullmatch(folder.name):
            for entry in _list(folder.path):
                if not entry.is_file(follow_symlinks=False):
                    _require(Path(entry.path), folder=False)
    for settings in dict.fromkeys((found.git_dir, found.common_dir)):
        for place in _named_files(settings / "config", root):
            _require(place, folder=None)
    _check_work_tree(found.kit, root)


def _check_work_tree(kit: Path, root: Path) -> None:
    """Check that the personal files that git reads for itself are plain; StateError if not."""
    for place in kit.parents:
        if place.is_relative_to(root):
            for name in IN_WORK_TREE:
                _require(place / name, folder=False)
    folders = [str(kit)]
    while folders:
        for entry in _list(folders.pop()):
            # a link to a folder is not followed
            if entry.is_dir(follow_symlinks=False):
                if entry.name != ".git":
                    folders.append(entry.path)
            elif entry.name in IN_WORK_TREE and not entry.is_dir():
                _require(Path(entry.path), folder=False)


def borrowed_objects(common_dir: Path) -> Sequence[str]:
    """Return the folders outside a repository whose objects it uses as its own (git's alternates)."""
    try:
        lines = read_plain(common_dir / "objects" / "info" / "alternates").split(b"\n")
    except OSError:
        return ()
    return [os.fsdecode(line) for line in lines if line.strip() and not line.startswith(b"#")]


def _require(place: Path, *, folder: bool | None, most: int = 0) -> None:
    """See that something is a folder, a plain file, or (None) either, if it is there at all.

    A file that is `most` bytes long must not be longer; 0 for any length.
    """
    wanted = "folder" if folder else "plain file"
    try:
        found = place.stat()
    except OSError as error:
        if error.errno == errno.ELOOP:
            _refuse_place(place, "is a link that leads to itself", wanted)
        return
    if most and stat.S_ISREG(found.st_mode) and found.st_size > most:
        _refuse_place(place, f"is larger than {most // 2**20:,} MB", wanted)
    plain = stat.S_ISREG(found.st_mode) and folder is not True
    if not plain and not (stat.S_ISDIR(found.st_mode) and folder is not False):
        _refuse_place(place, f"is not a {wanted}", wanted)


def _refuse_place(place: Path, finding: str, wanted: str) -> NoReturn:
    message = f"{place} {finding}, and git cannot work with it; nothing was changed."
    hint = f"move it away; a backup or a clone of the kit has the {wanted}"
    if place.name == "index":
        hint = "move it away, then run  git reset  (your files stay as they are)"
    raise StateError(message, hint=hint)


def _work_tree(config: Path) -> Path | None:
    """Return the work tree that a repository's own settings name; None where they name none."""
    try:
        text = read_plain(config)
    except OSError:
        return None
    told = WORK_TREE.findall(text) if b"worktree" in text.lower() else []
    return _real(config.parent / _read_value(told[-1])) if told else None


def _named_files(config: Path, root: Path) -> Iterator[Path]:
    """Yield each place that a repository's own settings may have git read a file from.

    git takes some relative to its settings, some to the work tree. The null device is read at once.
    """
    try:
        text = read_plain(config)
    except OSError:
        return
    for value in map(_read_value, dict.fromkeys(SETTING.findall(text))):
        if value and value != os.devnull:
            named = os.environ.get("HOME", "") + value[1:] if value.startswith("~/") else value
            yield from dict.fromkeys((config.parent / named, root / named))


def _read_value(raw: bytes) -> str:
    """Return a value of git's settings without quotes, escapes and comment."""
    value = b""
    for quoted, plain, escaped in VALUE_PART.findall(raw.rstrip()):
        if not quoted + plain + escaped:
            break
        value += re.sub(rb"\\(.)", rb"\1", quoted) + plain + escaped
    # a path cannot hold a null byte
    return os.fsdecode(value.partition(b"\0")[0].rstrip())


def _backlink(git_dir: Path) -> Path | None:
    """Return the `.git` of the work tree that a linked directory names."""
    try:
        line = read_plain(git_dir / "gitdir").rstrip(b"\r\n")
    except OSError:
        return None
    if b"\0" in line:
        return None
    named = git_dir / os.fsdecode(line)
    return _real(named.parent) / named.name


def _real(place: Path) -> Path:
    return Path(os.path.realpath(place))


def _list(folder: Path | str) -> Sequence[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return list(found)
    except OSError:
        return ()


def _walk(folder: Path | str) -> Iterator[os.DirEntry[str]]:
    for entry in _list(folder):
        yield entry
        if entry.is_dir(follow_symlinks=False):
            yield from _walk(entry.path)
