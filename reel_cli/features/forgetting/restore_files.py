"""Files of a kit that are missing or damaged come back as they were last committed."""

from collections.abc import Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.files.kit_files import find_kind, find_kit_file, is_kit_file, is_kit_text, restore_command
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.tracked_files import read_tracked
from reel_cli.core.kit.hand_edits import PutBack
from reel_cli.core.kit.kit_damage import KitDamage, is_chained, judge_shown, judge_unreadable
from reel_cli.core.kit.snapshot import INDEX, WORKING
from reel_cli.core.rings.losses import RESTORE, is_shallow, list_versions, shallow_problem
from reel_cli.core.rings.lost_header import is_headless
from reel_cli.core.rings.read_memory import memory_name
from reel_cli.core.values.change import Change, name_some
from reel_cli.core.values.memory import MEMORY_ID, memory_path
from reel_cli.core.values.talk import SESSION_ID, session_path

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot

NAMED = 3
"""Maximum number of files named in a subject; more are counted."""


@frozen
class FileBack:
    """A file that comes back: its bytes now (None: missing) and then.

    `before` is the commit that took those bytes away, "" where they are those of the last commit.
    """

    path: str
    seen: bytes | None
    data: bytes
    before: str = ""


@frozen
class FilesBack:
    """The plan of a restore: `put` without a commit, then `change` (None: no commit is needed)."""

    items: Sequence[FileBack]
    put: Sequence[PutBack]
    change: Change | None


def find_lost_files(
    snapshot: "Snapshot", repo: "Repository", damage: KitDamage, names: Sequence[str]
) -> tuple[Sequence[str], Sequence[str]]:
    """Return the kit paths of the missing or damaged files that are named, and the names of what is sound.

    A name is a path, a folder for all that is missing in it, a memory's ID or a session's. Both are empty if
    other things are meant. Raises ReelError where only some of the names are of the kit's files, or nothing
    is missing from a folder, and from nothing else that is named.
    """
    tracked = None
    found: list[str] = []
    sound: list[str] = []
    others: list[str] = []
    whole: ReelError | None = None
    for name in names:
        path = _path(name)
        inside = "" if path == "." else f"{path}/"
        if path in damage.missing or path in damage.damaged:
            found.append(path)
            continue
        tracked = tracked if tracked is not None else read_tracked(repo)
        if any(known.startswith(inside) for known in tracked):
            below = [missing for missing in damage.missing if missing.startswith(inside)]
            if not below:
                message = f"Nothing is missing from {'this kit' if path == '.' else path}."
                damaged = [p for p in damage.damaged if p.startswith(inside)]
                hint = restore_command(damaged[:1]) if damaged else "to check all of it:  reel doctor"
                whole = whole or ReelError(message, hint=hint)
                sound.append(name)
            found += below
        elif path in tracked:
            if _is_damaged(snapshot, repo, path):
                found.append(path)
            else:
                sound.append(name)
        elif is_kit_file(path) and _is_deleted(snapshot, repo, path):
            found.append(path)
        else:
            others.append(name)
    if whole is not None and not found:
        raise whole
    if found and others:
        named = name_some(others, NAMED)
        what = "is no missing or damaged file" if len(others) == 1 else "are no missing or damaged files"
        message = f"{named} {what}; nothing was changed."
        hint = f"to bring back the rest, without {named}:  {restore_command(list(dict.fromkeys(found)))}"
        raise ReelError(message, hint=hint)
    return list(dict.fromkeys(found)), list(dict.fromkeys(sound)) if found else ()


def name_restorable(names: Sequence[str]) -> Sequence[str]:
    """Return those names of sound files of which a restore may bring back more: memories, or notes."""
    kinds = {name: find_kit_file(_path(name)) for name in names}
    own = [name for name, kind in kinds.items() if kind is not None and kind.own_restore]
    return own or [name for name in names if _path(name) == WORKING]


def require_lost(repo: "Repository", names: Sequence[str]) -> None:
    """Raise ReelError for a file of the kit that is sound, or that the last commit lacks."""
    tracked = read_tracked(repo)
    for path in map(_path, names):
        kind = find_kit_file(path)
        if kind is None or kind.own_restore or not (path in tracked or kind.path == path):
            continue
        message = f"{path} is neither missing nor damaged; nothing was changed."
        if path not in tracked:
            message = f"The last commit has no {path}; nothing was changed."
        raise ReelError(
            message, hint="to see what was changed:  reel log  ; to take the last change back:  reel undo"
        )


def plan_restore_files(snapshot: "Snapshot", repo: "Repository", paths: Sequence[str]) -> FilesBack:
    """Plan to bring files back: as git has them, else as they last were whole in history.

    Raises StateError where history holds no whole text of one.
    """
    tracked = read_tracked(repo)
    head = repo.head()
    if head is None:
        message = "This kit has no history yet, so there is nothing to bring back."
        raise StateError(message)
    items: list[FileBack] = []
    put: list[PutBack] = []
    writes: dict[str, bytes | None] = {}
    with CommitTree(repo, head) as tree:
        for path in paths:
            seen = snapshot.read(path)
            # a missing file comes back from the index, so that staged changes are kept
            known = tree.ids.get(path)
            blob = tracked.get(path, known) if seen is None else known
            unstage = seen is not None or path not in tracked
            now = tree.read_blob(blob, path) if blob is not None else None
            if now is not None and _is_sound(path, now):
                items.append(FileBack(path, seen, now))
                put.append(PutBack(path, now, seen, unstage))
                continue
            earlier = _last_whole(repo, tree, path)
            items.append(FileBack(path, seen, *earlier))
            if seen != now:
                put.append(PutBack(path, now, seen, unstage))
            writes[path] = earlier[0]
    if not writes:
        return FilesBack(items, put, None)
    named = ", ".join(list(writes)[:NAMED]) if len(writes) <= NAMED else f"{len(writes)} files"
    notes = tuple(f"{item.path} as it was before {item.before[:12]}" for item in items if item.before)
    return FilesBack(items, put, Change(RESTORE, f"brought back {named}", writes, (), notes))


def plan_marks(snapshot: "Snapshot", planned: FilesBack) -> Change | None:
    """Return the change of a restore whose files lie there, with the marks that its memories need now."""
    from reel_cli.core.kit.known_facts import mark_restored

    ids = [_id_in(item.path) for item in planned.items if item.path == memory_path(_id_in(item.path))]
    then = snapshot.after(planned.change) if planned.change is not None else snapshot
    marked = mark_restored(then, ids)
    if not marked:
        return planned.change
    named = ", ".join(sorted(map(_id_in, marked)))
    change = planned.change or Change(RESTORE, f"marked {named} with what holds now", {})
    return change.also(marked)


def _id_in(path: str) -> str:
    """Return a file's name without its folder and ending: of a memory, its ID."""
    return PurePosixPath(path).stem


def _path(name: str) -> str:
    """Return the kit path that a name stands for."""
    memory = memory_name(name)
    if MEMORY_ID.fullmatch(memory):
        return memory_path(memory)
    if SESSION_ID.fullmatch(name):
        return session_path(name)
    return PurePosixPath(name).as_posix()


def _is_damaged(snapshot: "Snapshot", repo: "Repository", path: str) -> bool:
    """Return whether a named file cannot be read, as committed or not, or lacks lines of journal or index."""
    data, head = snapshot.read(path), repo.head()
    if data is None or head is None or not _is_sound(path, data):
        return data is not None
    if path != INDEX and not path.startswith("journal/"):
        return False
    with CommitTree(repo, head) as tree:
        known = tree.read(path)
    if known is None:
        return False
    if path == INDEX:
        committed, now = (parse_index(text.decode("utf-8", "replace")).lines for text in (known, data))
        return not committed.keys() <= now.keys()
    return not set(known.splitlines()) <= set(data.splitlines())


def _is_deleted(snapshot: "Snapshot", repo: "Repository", path: str) -> bool:
    """Return whether a file was deleted by hand, committed or not, and nothing else restores it."""
    file, head = find_kit_file(path), repo.head()
    if (file is not None and file.own_restore) or head is None or snapshot.read(path) is not None:
        return False
    with CommitTree(repo, head) as tree:
        return path in tree.ids or bool(list_versions(repo, path))


def _last_whole(repo: "Repository", tree: CommitTree, path: str) -> tuple[bytes, str]:
    """Return the newest whole text that history has of a file, and the commit that took it away."""
    for version in list_versions(repo, path):
        try:
            data = tree.read_blob(version.blob, path)
        except ReelError:
            continue
        if _is_sound(path, data):
            return data, version.commit
    if is_shallow(repo):
        raise shallow_problem()
    message = f"The history has no whole text of {path}."
    raise StateError(message, hint="a backup may have it; otherwise correct the file by hand")


def _is_sound(path: str, data: bytes) -> bool:
    """Return whether a text of history is whole, and so is worth bringing back."""
    if not is_kit_text(path):
        kind = find_kind(path)
        try:
            if kind is not None and kind.check_bytes is not None:
                kind.check_bytes(path, data)
        except ReelError:
            return False
        return True
    if is_chained(path):
        from reel_cli.core.tape.chain_proof import prove

        return prove(data, path).line is None
    return not judge_shown(data) and not judge_unreadable(path, data) and not is_headless(path, data)
