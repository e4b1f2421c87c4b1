"""A person's own hand in a kit: edits not committed yet, commits not made by reel, what is put back."""

import os
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from enum import StrEnum
from pathlib import Path

from reel_cli.core.change.preflight import check_place, require_branch
from reel_cli.core.errors import StateError
from reel_cli.core.files.commit_message import GONE, OP, RATIFIED, RATIFIED_BY
from reel_cli.core.files.kit_files import find_kit_file, list_kit_files
from reel_cli.core.files.private import new_modes, state_folder, storage_problem, write_private
from reel_cli.core.files.state import State
from reel_cli.core.files.tree import LARGEST_FILE, PRIVATE, WorkTree, too_large
from reel_cli.core.frozen import frozen
from reel_cli.core.git.index import without_filters
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, IDENTITY, INDEX, WORKING
from reel_cli.core.moment import stamp
from reel_cli.core.values.change import name_some

BY_HAND = "edit"
"""The operation under which reel commits a person's own edits; it vouches for nothing."""
MANY = 100
"""Number of files from which the disk is synced once, not file by file."""
SHOWN = 3
"""Number of a person's edited files named; of more, how many."""
_BETWEEN = "\x02"


class EditKind(StrEnum):
    """Ways in which a file on disk differs from the last commit."""

    CHANGED = "changed"
    NEW = "new"
    GONE = "gone"
    CONFLICT = "in conflict"


def list_uncommitted(repo: Repository) -> Mapping[str, EditKind]:
    """Every file of the kit that git sees as changed, new or gone, by kit path; sorted.

    Reads only; not even git's index is refreshed. Raises StateError when git cannot tell, or would read
    through a vast file.
    """
    _require_bounded(repo.root / repo.prefix)
    listed = Git(repo.root)(
        *("status", "--porcelain=v1", "-z", "--untracked-files=all", "--no-renames"),
        *("--ignore-submodules=all", "--", *([repo.prefix] if repo.prefix else [])),
        env=without_filters(repo),
    )
    found: dict[str, EditKind] = {}
    for entry in listed.split(b"\0"):
        if len(entry) < 4:
            continue
        mark, path = entry[:2].decode("ascii"), os.fsdecode(entry[3:])
        name = path[len(repo.prefix) :]
        if path.startswith(repo.prefix) and not set(PRIVATE).intersection(name.split("/")[:-1]):
            found[name] = _edited(mark)
    return dict(sorted(found.items()))


def list_loose(repo: Repository) -> Sequence[str]:
    """Return the new files below a kit's folder that are not the kit's own; reel leaves them alone."""
    return [path for path, how in list_uncommitted(repo).items() if is_loose(path, how)]


def is_loose(path: str, how: EditKind) -> bool:
    """Return whether an uncommitted file is a new one that is not the kit's own."""
    return how is EditKind.NEW and find_kit_file(path) is None


def begin_listing(repo: Repository) -> Callable[[], Mapping[str, EditKind]]:
    """Begin `list_uncommitted`, and return a function that waits for it and has its result, or its error.

    git looks through the work tree for as long as the rest of an overview takes.
    """
    from threading import Thread

    found: list[Mapping[str, EditKind]] = []
    failed: list[BaseException] = []

    def look() -> None:
        try:
            found.append(list_uncommitted(repo))
        except BaseException as error:  # noqa: BLE001 (it is raised where it is waited for)
            failed.append(error)

    thread = Thread(target=look)
    try:
        thread.start()
    except RuntimeError:
        # there is no room for another thread
        return lambda: list_uncommitted(repo)

    def wait() -> Mapping[str, EditKind]:
        thread.join()
        for error in failed:
            raise error
        return found[0]

    return wait


def _require_bounded(kit: Path) -> None:
    """Raise StateError naming a file of the kit's own that is too large for reel and takes git minutes."""
    top = (file.path for file in list_kit_files() if not file.path.endswith("/"))
    for path in (*top, IDENTITY, DIRECTIVES, ACTIVE, WORKING, INDEX):
        try:
            size = os.lstat(kit / path).st_size
        except OSError:
            continue
        if size > LARGEST_FILE:
            raise too_large(path)


def _edited(mark: str) -> EditKind:
    if "U" in mark or mark in ("AA", "DD"):
        return EditKind.CONFLICT
    if mark[1] == "D" or mark == "D ":
        return EditKind.GONE
    return EditKind.NEW if mark == "??" or mark[0] == "A" else EditKind.CHANGED


def tell_edited(paths: Sequence[str]) -> str:
    """Return the sentence on a person's own edits of these files, committed before a change of the same."""
    opened = {IDENTITY: "identity", DIRECTIVES: "rules", WORKING: "now", "kit.yaml": "settings"}
    opened |= {file.path: file.opens_as for file in list_kit_files() if file.opens_as}
    if len(paths) > 1:
        edits = f"edits of {name_some(paths, SHOWN)} are kept too, as a step of their own"
        return f"Your own {edits}. To see when:  reel log"
    way = f"To change it:  reel edit {opened[paths[0]]}" if paths[0] in opened else "To see when:  reel log"
    return f"Your own edit of {paths[0]} is kept too, as a step of its own. {way}"


# -- commits by hand --------------------------------------------------------------------------


@frozen
class Step:
    """One commit's change of one file: its blob before and after, None where there is no file.

    `vouched` says that reel made it, of more than a person's own edits, or that a person ratified it;
    `by_reel` that reel made it, of whatever.
    """

    commit: str
    before: str | None
    after: str | None
    vouched: bool
    op: str = ""
    """The commit's `Reel-Op`; "" for a commit that reel did not make."""

    @property
    def by_reel(self) -> bool:
        """Return whether reel made the commit, according to its trailers."""
        return bool(self.op)


def read_steps(
    repo: Repository, paths: Iterable[str], *, tip: str | None = None, since: str | None = None
) -> Mapping[str, Sequence[Step]]:
    """Return the commits that changed the files below these kit paths, newest first, by path.

    Up to `tip` (None: the commit that is checked out), without what was before `since`; both full ids.
    """
    if repo.head() is None:
        return {}
    wanted = [f"%(trailers:key={key},valueonly,unfold,separator=%x20)" for key in (OP, RATIFIED_BY)]
    listed = Git(repo.root)(
        *("log", "--topo-order", "--raw", "-z", "--no-abbrev", "--no-renames"),
        f"--format=%x01{'%x02'.join(['%H', *wanted])}",
        *(tip or "HEAD", *([f"^{since}"] if since else []), "--", *(repo.prefix + path for path in paths)),
    )
    found: dict[str, list[Step]] = {}
    commit, op, vouched = "", "", False
    parts = iter(listed.split(b"\0"))
    for raw in parts:
        part = raw.lstrip(b"\n")
        if part.startswith(b"\x01"):
            commit, op, signed = part[1:].decode("utf-8", "replace").split(_BETWEEN, 2)
            vouched = bool(signed.strip()) or op.strip() not in ("", BY_HAND)
        elif part.startswith(b":"):
            _, _, before, after, _ = part.decode("ascii").split()
            path = os.fsdecode(next(parts))[len(repo.prefix) :]
            step = Step(commit, _or_none(before), _or_none(after), vouched, op.strip())
            found.setdefault(path, []).append(step)
    return found


def with_ratified(
    repo: Repository, steps: Mapping[str, Sequence[Step]], *, tip: str = "HEAD"
) -> Mapping[str, Sequence[Step]]:
    """Return the steps, with those also vouched for whose text a later commit approved as it stood.

    Only commits up to `tip` count.
    """
    git = Git(repo.root)
    asked = "%x02".join(f"%(trailers:key={key},valueonly,unfold)" for key in (RATIFIED_BY, RATIFIED))
    listed = git("log", "-z", f"--grep=^{RATIFIED}: ", f"--format=%H%x02{asked}", tip, "--")
    texts: dict[tuple[str, str], list[str]] = {}
    for line in listed.decode("utf-8", "surrogateescape").split("\0"):
        commit, signed, named = line.split(_BETWEEN, 2) if line else ("", "", "")
        for text in named.splitlines():
            path, _, blob = text.strip().rpartition(" ")
            # choosing which exemplars are shown needs approval, but no name
            if signed.strip() or path == ACTIVE:
                texts.setdefault((path, blob), []).append(commit)
    if not texts:
        return steps
    order = git("rev-list", "--topo-order", tip, "--").decode("ascii").split()
    place = {commit: number for number, commit in enumerate(order)}

    def ratified(path: str, step: Step) -> bool:
        return any(place[commit] < place[step.commit] for commit in texts.get((path, step.after or GONE), ()))

    return {
        path: [step if step.vouched else replace(step, vouched=ratified(path, step)) for step in own]
        for path, own in steps.items()
    }


def _or_none(blob: str) -> str | None:
    return blob if blob.strip("0") else None


# -- taking a hand edit back ------------------------------------------------------------------


@frozen
class PutBack:
    """A file of the kit that gets other bytes: what it shall hold (None: no file), and what it was seen to.

    With `unstage`, git's index has HEAD's of it again.
    """

    path: str
    data: bytes | None
    seen: bytes | None
    unstage: bool = True


def put_back(  # noqa: PLR0913 (whose kit, which file, from what to what, and when)
    repo: Repository,
    kit: Path,
    path: str,
    data: bytes | None,
    *,
    seen: bytes | None,
    when: datetime,
) -> Path | None:
    """Write these bytes to one file as `put_back_all` does; return where old content is kept, if any."""
    return next(iter(put_back_all(repo, kit, [PutBack(path, data, seen)], when)), None)


def put_back_all(repo: Repository, kit: Path, files: Sequence[PutBack], when: datetime) -> Sequence[Path]:
    """Write these bytes to files of the kit, without a commit.

    What was there is kept first, where only its owner reads it; returns those places. Raises StateError, with
    nothing changed, when a file no longer is as it was seen.
    """
    path: str | None = None
    try:
        with hold_lock(kit) as lock:
            require_branch(repo)
            tree = WorkTree(kit)
            for path in (file.path for file in files):
                check_place(kit, path)
            for file in files:
                if tree.read(file.path) != file.seen:
                    message = f"{file.path} was edited meanwhile; nothing was changed."
                    raise StateError(message, hint="look at it, then run the command again")
            copies = [keep_copy(kit, file.path, file.seen, when) for file in files if file.seen is not None]
            staged = [repo.prefix + file.path for file in files if file.unstage]
            if staged:
                Git(repo.root, (lock,))("reset", "-q", "--", *staged, env=without_filters(repo))
            at_once = len(files) >= MANY and hasattr(os, "sync")
            for file in files:
                path = file.path
                write_file(kit, path, file.data, sync=not at_once)
            if at_once:
                os.sync()
            _note_tape(kit, files, when)
            return copies
    except OSError as error:
        raise storage_problem(error, path or "The kit's folder") from error


def _note_tape(kit: Path, files: Sequence[PutBack], when: datetime) -> None:
    """Note the files of the tape that were altered until now, so that a story is held against them again."""
    if altered := sum(is_altered(file.path, file.seen, file.data) for file in files):
        # imported with the rest of proving only where an altered tape is put back
        from reel_cli.core.git.last_proof import note_put_back

        note_put_back(State(kit), stamp(when), altered)


def is_altered(path: str, seen: bytes | None, recorded: bytes | None) -> bool:
    """Return whether a file of the tape is gone, or lacks something of what was recorded."""
    return path.startswith("tape/") and recorded is not None and not (seen or b"").startswith(recorded)


def keep_copy(kit: Path, path: str, data: bytes, when: datetime) -> Path:
    """Keep a person's text of a file where only its owner reads it; return that place."""
    top = state_folder(kit) / "rejected"
    name = re.sub(r"[^0-9T-]", "", when.strftime("%Y-%m-%dT%H%M%S"))
    place, number = top / name / path, 2
    while os.path.lexists(place):
        place, number = top / f"{name}-{number}" / path, number + 1
    write_private(place, data)
    return place


def write_file(kit: Path, path: str, data: bytes | None, *, sync: bool) -> None:
    """Write one file of the kit, or delete it (None), under the lock that the caller holds; OSError."""
    target = kit / path
    if data is None:
        target.unlink(missing_ok=True)
        for folder in target.relative_to(kit).parents:
            if folder == Path() or any((kit / folder).iterdir()):
                break
            (kit / folder).rmdir()
        return
    mode = target.stat().st_mode & 0o777 if target.exists() else None
    target.parent.mkdir(mode=new_modes(kit)[1], parents=True, exist_ok=True)
    fresh = state_folder(kit) / "put-back"
    write_private(fresh, data, sync=sync)
    fresh.chmod(mode if mode is not None else _usual_mode(kit))
    fresh.replace(target)


def _usual_mode(kit: Path) -> int:
    """Return the mode a new file of this kit gets; the umask is told by kit.yaml, which is one."""
    try:
        return (kit / "kit.yaml").stat().st_mode & 0o666
    except OSError:
        return new_modes(kit)[0] & 0o644
