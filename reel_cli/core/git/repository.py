"""The repository a kit is in: where it is, where it stands and whether its branch is whole, read from files.

git is asked where files do not tell.
"""

import os
import re
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import NoReturn, cast

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import OWNER_FOLDER, open_at_once, read_plain, storage_problem
from reel_cli.core.frozen import late
from reel_cli.core.git.git_folder import ForeignRepositoryError, GitFolder
from reel_cli.core.git.process import Git, git_problem, git_process, run_git
from reel_cli.core.shell import quote

__all__ = [
    "KIT_ATTRIBUTES",
    "KIT_IGNORE",
    "Git",
    "Repository",
    "blob_id",
    "find_own_repository",
    "find_repository",
    "init_repository",
    "is_commit_id",
    "run_git",
]

KIT_ATTRIBUTES = b"""\
# every byte as it was written, whatever the settings of git are
* -text -ident -filter !working-tree-encoding
tape/** -text
journal/** merge=union
"""
"""A kit's `.gitattributes`. `-text` on everything keeps `git status` clean under any `core.autocrlf`."""

KIT_IGNORE = b".reel/\n"
"""A kit's `.gitignore`."""

COMMIT_ID = late(r"[0-9a-f]{40}|[0-9a-f]{64}")
REF_CHAIN = 5
OUTSIDE_FILES = "refs/heads/.invalid"
"""Ref that HEAD names if the refs are not stored in files (reftable)."""
OWN_REFS = ("refs/bisect/", "refs/rewritten/", "refs/worktree/")
_SETTINGS = late(r"filter\.[\s\S]*|(user|author)\.(name|email)")
HEAD_ROOM = 4096
"""More than the compressed head of an object takes, in bytes."""


def is_commit_id(text: str) -> bool:
    """Return whether `text` is a full object id, the only form in which a revision is passed to git."""
    return COMMIT_ID.fullmatch(text) is not None


def blob_id(data: bytes, *, sha256: bool = False) -> str:
    """Return the id under which git keeps these bytes."""
    import hashlib

    make = hashlib.sha256 if sha256 else hashlib.sha1
    digest = make(b"blob %d\0" % len(data), usedforsecurity=False)
    digest.update(data)
    return digest.hexdigest()


@dataclass(frozen=True, repr=False)
class Repository:
    """The git repository around a kit.

    `root` is the top of the work tree, `prefix` the kit's place in it ("" or "sub/kit/", POSIX).
    `git_dir` is this work tree's own, `common_dir` the one that linked work trees share.
    """

    root: Path
    prefix: str
    git_dir: Path
    common_dir: Path

    @property
    def index(self) -> Path:
        """Return the path of the person's index."""
        return self.git_dir / "index"

    @cached_property
    def sha256(self) -> bool:
        """Return whether objects are named by SHA-256."""
        try:
            config = read_plain(self.common_dir / "config")
        except OSError:
            return False
        return re.search(rb"(?im)^[ \t]*objectformat[ \t]*=[ \t]*\"?sha256", config) is not None

    def blob_id(self, data: bytes) -> str:
        """Return the id under which this repository keeps these bytes."""
        known = self.remembered.get(id(data))
        return known[1] if known is not None and known[0] is data else blob_id(data, sha256=self.sha256)

    @cached_property
    def loose_objects(self) -> str:
        """Return the folder of loose objects, with the separator behind it."""
        return os.path.join(self.common_dir, "objects", "")  # noqa: PTH118 (put together for every object)

    @cached_property
    def plain(self) -> bool:
        """Return whether every object's name leads to that object, with none replaced (git-replace)."""
        try:
            packed = read_plain(self.common_dir / "packed-refs")
        except FileNotFoundError:
            packed = b""
        except OSError:
            return False
        elsewhere = any(os.path.lexists(self.common_dir / name) for name in ("refs/replace", "reftable"))
        return not elsewhere and b" refs/replace/" not in packed and "GIT_REPLACE_REF_BASE" not in os.environ

    @cached_property
    def remembered(self) -> dict[int, tuple[bytes, str]]:
        """Return the cache of ids by the very bytes, which saves an export a tenth of a second."""
        return {}

    def read_settings(self) -> Mapping[str, str]:
        """Return git's settings of filters and of the person's name by key, the last where there are several.

        They are read once for a command, and again where the repository's own file has changed since.
        """
        try:
            found = os.stat(self.common_dir / "config")  # noqa: PTH116 (asked for with every comparison)
            look = (found.st_mtime_ns, found.st_size, found.st_ino)
        except OSError:
            look = (0, 0, 0)
        if self._settings.get("look") != look:
            asked = git_process(self.root, "config", "-z", "--list")
            pairs = (os.fsdecode(item).partition("\n") for item in asked.stdout.split(b"\0") if item)
            told = {key: value for key, _, value in pairs if _SETTINGS.fullmatch(key)}
            whole = asked.stdout if asked.returncode == 0 else None
            self._settings.update(look=look, told=told, whole=whole)
        return cast("Mapping[str, str]", self._settings["told"])

    def read_all_settings(self) -> bytes | None:
        """Return all settings as `git config -z --list` prints them; None where git cannot read them."""
        self.read_settings()
        return cast("bytes | None", self._settings["whole"])

    @cached_property
    def _settings(self) -> dict[str, object]:
        return {}

    def branch(self) -> str | None:
        """Return the full name of the branch that is checked out; None when HEAD is detached."""
        head = self._head_file()
        if head is not None:
            return head[5:] if head.startswith("ref: ") else None
        named = git_process(self.root, "symbolic-ref", "-q", "HEAD")
        if named.returncode > 1:
            raise git_problem(named.stderr.decode("utf-8", "replace"), "symbolic-ref", self.root)
        return named.stdout.decode("utf-8", "replace").strip() or None

    def head(self) -> str | None:
        """Return the commit that is checked out; None where there is none yet."""
        value = self._head_file()
        for _ in range(REF_CHAIN):
            if value is None:
                break
            if is_commit_id(value):
                require_commit(self, value)
                return value
            name = value.removeprefix("ref: ")
            if name == value or ".." in name or not name.startswith("refs/"):
                break
            value = self._loose_ref(name)
            if value is None:
                value = self._packed_ref(name)
                if value is None:
                    require_unborn(self, name)
                    return None
                require_commit(self, value)
                return value
        return self._ask_head()

    def _head_file(self) -> str | None:
        """Return HEAD's own line, or None if its file does not tell."""
        path = self.git_dir / "HEAD"
        if path.is_symlink():
            return None
        try:
            line = read_plain(path).decode("utf-8", "surrogateescape").strip()
        except OSError:
            return None
        return None if line == f"ref: {OUTSIDE_FILES}" else re.sub(r"^ref:\s*", "ref: ", line)

    def _loose_ref(self, name: str) -> str | None:
        folder = self.git_dir if name.startswith(OWN_REFS) else self.common_dir
        try:
            return read_plain(folder / name).decode("utf-8", "surrogateescape").strip()
        except OSError:
            return None

    def _packed_ref(self, name: str) -> str | None:
        try:
            packed = read_plain(self.common_dir / "packed-refs")
        except OSError:
            return None
        found = re.search(
            rb"(?m)^([0-9a-f]{40,64}) " + re.escape(name.encode("utf-8", "surrogateescape")) + rb"$", packed
        )
        return found[1].decode("ascii") if found else None

    def _ask_head(self) -> str | None:
        asked = git_process(self.root, "rev-parse", "--verify", "-q", "HEAD^{commit}")
        if asked.returncode > 1:
            raise git_problem(asked.stderr.decode("utf-8", "replace"), "rev-parse", self.root)
        return asked.stdout.decode("ascii", "replace").strip() or None


def find_repository(kit: Path) -> Repository | None:
    """Find the repository whose work tree holds `kit`, by looking at files only; None if none does.

    Raises StateError when a `.git` points nowhere, or held a history and is damaged, and
    ForeignRepositoryError when it leads to a repository that is not this work tree's own.
    """
    kit = kit.resolve()
    for place in (kit, *kit.parents):
        git_dir = _git_dir(place / ".git")
        if git_dir is None:
            continue
        inside = kit.relative_to(place).as_posix()
        found = Repository(
            root=place,
            prefix="" if inside == "." else f"{inside}/",
            git_dir=git_dir,
            common_dir=_common_dir(git_dir),
        )
        GitFolder(kit, place, found.git_dir, found.common_dir).check()
        return found
    return None


def find_own_repository(kit: Path) -> Repository | None:
    """Return the repository as `find_repository` does, but None if it is not the kit's own.

    A kit is read without its history then.
    """
    try:
        return find_repository(kit)
    except ForeignRepositoryError:
        return None


def _git_dir(mark: Path) -> Path | None:
    """Return the directory a `.git` stands for, or None if it is no repository's."""
    if mark.is_dir():
        whole = os.path.lexists(mark / "HEAD") and (mark / "objects").is_dir()
        if not whole and _had_history(mark):
            _refuse_damage(mark)
        return mark if whole else None
    try:
        line = read_plain(mark)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        message = f"{mark} cannot be read: {error.strerror}."
        raise StateError(message, hint="put the kit's own .git folder back in its place") from error
    if not line.startswith(b"gitdir: ") or b"\0" in line:
        message = f"{mark} is damaged: it should say where the repository is."
        raise StateError(message, hint="if you know where, write  gitdir: PATH  into it")
    target = mark.parent / os.fsdecode(line.removeprefix(b"gitdir: ").rstrip(b"\r\n"))
    if not os.path.lexists(target / "HEAD"):
        message = f"{mark} points to a repository that is not there."
        raise StateError(message, hint="move it back, or run  git worktree repair  in the main repository")
    return Path(os.path.normpath(target))


def _had_history(git_dir: Path) -> bool:
    """Return whether an incomplete directory was once a repository; a half-made one never was."""
    if any(os.path.lexists(git_dir / name) for name in ("index", "logs", "packed-refs")):
        return True
    return any(next((git_dir / folder).glob("*/*"), None) for folder in ("objects", "refs"))


def _refuse_damage(git_dir: Path) -> NoReturn:
    if (git_dir / "objects").is_dir():
        from reel_cli.core.git.head_file import head_problem

        raise head_problem(git_dir)
    missing = "the folder with its objects is missing"
    message = f"{git_dir} is damaged: {missing}, so the history cannot be read; nothing was changed."
    hint = "keep that folder, and copy it first; then put objects back from a backup or a clone"
    raise StateError(message, hint=hint)


def _common_dir(git_dir: Path) -> Path:
    try:
        line = read_plain(git_dir / "commondir")
    except FileNotFoundError:
        return git_dir
    except OSError as error:
        message = f"{git_dir / 'commondir'} cannot be read: {error.strerror}."
        raise StateError(message, hint="move it away: only linked work trees have one") from error
    if b"\0" in line:
        message = f"{git_dir / 'commondir'} is damaged: it should say where the repository is."
        raise StateError(message, hint="move it away: only linked work trees have one")
    return Path(os.path.normpath(git_dir / os.fsdecode(line.rstrip(b"\r\n"))))


def init_repository(path: Path) -> Repository:
    """Make a repository with the branch `main` in `path`, without the person's template and its hooks."""
    try:
        path.mkdir(mode=OWNER_FOLDER, parents=True, exist_ok=True)
    except OSError as error:
        raise storage_problem(error, str(path)) from error
    run_git(path, "init", "-q", "--template=", "-b", "main")
    made = find_repository(path)
    if made is None or made.prefix:
        message = f"git could not make a repository in {path}."
        raise StateError(message)
    return made


def require_commit(repo: Repository, name: str) -> None:
    """Raise StateError where the id that is checked out names another kind of object."""
    kind = _kind_of(repo, name)
    if kind in ("", "commit"):
        return
    branch = repo.branch() or "HEAD"
    message = f"{_short(branch)} points at a {kind}, not at a commit; nothing was changed."
    raise StateError(message, hint=_way_back(repo, branch, name))


def require_unborn(repo: Repository, branch: str) -> None:
    """Raise StateError where a branch without a commit had some, or something else is in its file's place.

    git writes its log first, so a first commit that was stopped stands in the log and never was.
    """
    place = repo.common_dir / branch
    blocked = place.is_dir() and any(place.rglob("*"))
    if not blocked and not any(old.strip("0") for old, _ in _moves(repo, branch)):
        return
    message = f"{_short(branch)} has lost its commits; nothing was changed."
    away = ""
    if blocked:
        message = f"{place} is not a plain file, and git cannot work with it; nothing was changed."
        away = "move it away, then  "
    raise StateError(message, hint=f"{away}{_way_back(repo, branch, '')}")


def _way_back(repo: Repository, branch: str, wrong: str) -> str:
    """The command that has a branch lead to its newest commit again, as far as git's log tells."""
    known = [new for _, new in _moves(repo, branch) if new != wrong and _kind_of(repo, new) in ("", "commit")]
    update = f"git update-ref {quote(branch)} "
    return f"{update}{known[-1]}" if known else f"git fsck --lost-found  lists commits;  {update}COMMIT"


def _moves(repo: Repository, branch: str) -> list[tuple[str, str]]:
    """The ids that each entry of git's log leads from and to, oldest first."""
    folder = repo.git_dir if branch == "HEAD" else repo.common_dir
    try:
        lines = read_plain(folder / "logs" / branch).decode("ascii", "replace").splitlines()
    except OSError:
        return []
    words = (line.split(" ", 2) for line in lines)
    return [(row[0], row[1]) for row in words if len(row) > 1]


def _kind_of(repo: Repository, name: str) -> str:
    """Return the kind of an object; "" where it is missing or damaged, which is git's to tell of."""
    loose = _loose_kind(repo, name)
    if loose:
        return loose
    from reel_cli.core.git.storage.pack_lookup import find_packed_kind

    return find_packed_kind(Path(repo.loose_objects, "pack"), name)


def _loose_kind(repo: Repository, name: str) -> str:
    """The kind of a loose object; "" where it is not loose, or is damaged."""
    path = Path(f"{repo.loose_objects}{name[:2]}{os.sep}{name[2:]}")
    try:
        with open(path, "rb", opener=open_at_once) as file:
            head = zlib.decompressobj().decompress(file.read(HEAD_ROOM), 64)
    except (OSError, zlib.error):
        return ""
    return head.partition(b" ")[0].decode("ascii", "replace")


def _short(branch: str) -> str:
    return f"The branch {branch.removeprefix('refs/heads/')}" if branch != "HEAD" else "HEAD"
