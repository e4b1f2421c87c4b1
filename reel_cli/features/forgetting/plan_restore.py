"""Restoring of what was let go, byte for byte as history has it (REEL §6.5)."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_edit import put_line, raw_line
from reel_cli.core.files.index_file import line_for, parse_line, render_line
from reel_cli.core.files.kit_files import find_kind
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.known_facts import mark_restored
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.rings.losses import (
    RESTORE,
    Loss,
    is_shallow,
    list_losses,
    list_versions,
    shallow_problem,
    tree_before,
    withdrawn_names,
)
from reel_cli.core.rings.pins import decide
from reel_cli.core.rings.read_memory import memory_name
from reel_cli.core.tape.retelling import retell
from reel_cli.core.values.change import Change
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import MEMORY_ID, IndexLine, Memory, coarseness, memory_path
from reel_cli.core.values.source import NewNames, SourceRange
from reel_cli.features.forgetting.plan import items_in_words


@frozen
class Back:
    """One thing that comes back: from what to what, and the commit before which history has it.

    `tokens_before` and `tokens_after` are its text's, now and then. `more` says whether history has a text
    of it still, where only its line comes back.
    """

    id: str
    title: str
    before: str
    after: str
    tokens_before: int
    tokens_after: int
    commit: str
    was: str
    more: bool = False


@frozen
class RestorePlan:
    """The plan of a restoring."""

    change: Change
    items: Sequence[Back]


@frozen
class _Place:
    """The place of a version: the kit before a commit, and its expected blob ("" if none was noted)."""

    commit: str
    resolution: str
    was: str


def losses_of(snapshot: Snapshot, repo: Repository, commits: Sequence[Commit]) -> Sequence[Loss]:
    """Return every loss in history, newest first, compared with what the kit has now."""

    def held(name: str) -> str | None:
        if MEMORY_ID.fullmatch(name):
            data = snapshot.read(memory_path(name))
            if data is None and name in snapshot.index.lines:
                data = snapshot.read(INDEX)
        else:
            kind = find_kind(name)
            data = kind.held(snapshot, name) if kind is not None and kind.held else snapshot.read(name)
        return None if data is None else repo.blob_id(data)

    return [
        replace(loss, back="") if loss.back is None and _holds_again(snapshot, loss.forgot.id) else loss
        for loss in list_losses(commits, held)
    ]


def _holds_again(snapshot: Snapshot, name: str) -> bool:
    """Return whether a thing that was let go from a file stands there under its name again."""
    path, _, thing = name.partition("#")
    kind = find_kind(path) if thing else None
    return kind is not None and kind.has is not None and kind.has(snapshot, thing)


def plan_restore(  # noqa: PLR0913
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    commits: Sequence[Commit],
    wanted: Sequence[str],
    *,
    level: str | None,
    now: datetime,
    pin: bool = True,
) -> RestorePlan:
    """Plan to restore memories and lines to their state before the last loss, or the newest of a level.

    `commits` are the kit's, newest first. What comes back is pinned, unless `pin` says otherwise: else it
    would fade again at once. Raises ReelError where there is nothing to bring back, or its number is
    another's now, and StateError where history does not hold what was noted of it.
    """
    losses = losses_of(snapshot, repo, commits)
    items: list[Back] = []
    writes: dict[str, bytes | None] = {}
    index = snapshot.text(INDEX) or ""
    for name in dict.fromkeys(memory_name(one) for one in wanted):
        mine = [loss for loss in losses if loss.forgot.id == name]
        _refuse_withdrawn(name, mine)
        place = _choose(snapshot, repo, commits, name, mine, level)
        names = NewNames(next((c.renamed for c in commits if c.id == place.commit), {}))
        old = next((was for was, now_called in names.names.items() if now_called == name), name)
        with tree_before(repo, place.commit) as then:
            index_then = retell(INDEX, then.read(INDEX) or b"", None, names).decode("utf-8", "replace")
            if place.resolution == "stub":
                raw = _line_then(then, place, name, index_then)
                line = parse_line(raw)
                index = put_line(index, name, raw)
                size = counter.count(render_line(line)) if line else 0
                title = line.description if line else name
                more = any(loss.forgot.before != "stub" for loss in mine) or bool(_versions(repo, name, None))
                items.append(Back(name, title, "dormant", "stub", 0, size, place.commit, place.was, more))
                continue
            data = retell(memory_path(old), _file_then(then, place, old), None, names)
        path = memory_path(name)
        memory = parse_memory(data.decode("utf-8", "replace"), path)
        _refuse_another(snapshot, memory)
        present = snapshot.memories.get(name)
        writes[path] = data if present is None else _with_mark_of(present, data, path)
        index = put_line(index, name, _line_of(memory, index_then))
        items.append(
            Back(
                name,
                memory.title,
                _resolution(snapshot, name),
                memory.level.value,
                counter.count(present.body) if present else 0,
                counter.count(memory.body),
                place.commit,
                repo.blob_id(data),
            )
        )
    if index != (snapshot.text(INDEX) or ""):
        writes[INDEX] = index.encode()
    change = describe(items, writes, counter.name)
    change = change.also(mark_restored(snapshot.after(change), [item.id for item in items]))
    if pin:
        change = decide(change, snapshot, [item.id for item in items], pin=True, now=now)
    return RestorePlan(change, items)


def describe(
    items: Sequence[Back], writes: dict[str, bytes | None], tokenizer: str, done: str = "brought back"
) -> Change:
    """Return the change that brings these back, with its trailers."""
    trailers = [
        ("Reel-Index", item.id)
        if item.after == "stub"
        else ("Reel-Memory", f"{item.id} {item.after} {item.tokens_after}")
        for item in items
    ]
    trailers.append(("Reel-Tokenizer", tokenizer))
    told = items_in_words([(item.id, item.title) for item in items])
    notes = tuple(f"{item.id} as it was before {item.commit[:12]}" for item in items)
    return Change(RESTORE, f"{done} {told}", writes, tuple(trailers), notes)


def _choose(  # noqa: PLR0913
    snapshot: Snapshot,
    repo: Repository,
    commits: Sequence[Commit],
    name: str,
    mine: Sequence[Loss],
    level: str | None,
) -> _Place:
    """Return the version that is meant; raises ReelError if there is none that would restore anything."""
    present = _resolution(snapshot, name)
    if level is None:
        found = next((_place(loss) for loss in mine if loss.back is None), None)
        if found is None and present in ("stub", "dormant"):
            found = next(iter(_versions(repo, name, None)), None)
    else:
        if coarseness(present) <= coarseness(level):
            finer = "" if present == level else f", finer than {level}"
            message = f"{name} is at {present} already{finer}; there is nothing to bring back."
            raise ReelError(message, hint=f"read it with  reel memory show {name}")
        found = next((_place(loss) for loss in mine if loss.forgot.before == level), None)
        found = found or next(iter(_versions(repo, name, level)), None)
    if found is not None and coarseness(found.resolution) < coarseness(present):
        return found
    if is_shallow(repo):
        raise shallow_problem()
    if present == "dormant":
        message = f"There is no memory {name}, and there never was."
        raise ReelError(message, hint="to see what was let go:  reel log --forgotten")
    if level is not None:
        message = f"{name} never was at {level}, by the kit's history."
        raise ReelError(message, hint=f"to see what became of it:  reel why {name}")
    nothing = (
        "nothing of it is missing" if present != "stub" else "its line is all that the history has of it"
    )
    message = (
        f"{name} was never let go: {nothing}."
        if not mine
        else f"{name} is whole again already; nothing of it is missing."
    )
    read = f"read it with  reel memory show {name}"
    memory = snapshot.memories.get(name)
    if memory is not None and find_earlier(repo, memory, commits) is not None:
        read = f"{read}  ; its words were other ones before:  reel restore {name} --earlier"
    raise ReelError(message, hint=read)


def find_earlier(repo: Repository, present: Memory, commits: Sequence[Commit]) -> tuple[str, str, str] | None:
    """Return the commit that replaced the earlier words, their blob and their file, or None.

    `commits` are the kit's: of them, only those that came of an exchange give a level back with words.
    """
    rewriting = {commit.id for commit in commits if commit.values("Reel-Ring0")}
    path = memory_path(present.id)
    head = repo.head()
    versions = list_versions(repo, path) if head is not None else ()
    if not versions or head is None:
        return None
    with CommitTree(repo, head) as history:
        for version in versions:
            try:
                text = history.read_blob(version.blob, path).decode()
                memory = parse_memory(text, path)
            except (ReelError, UnicodeDecodeError):
                continue
            raised = coarseness(memory.level.value) > coarseness(present.level.value)
            same = memory.level == present.level or (raised and version.commit in rewriting)
            if not same or memory.uid != present.uid:
                # it has faded to this level, or was restored at it: `reel restore --level` is for those
                return None
            if memory.body.strip() != present.body.strip():
                return version.commit, version.blob, text
    return None


def _place(loss: Loss) -> _Place:
    return _Place(loss.commit, loss.forgot.before, loss.forgot.was)


def _versions(repo: Repository, name: str, level: str | None) -> Sequence[_Place]:
    """Return the versions without a trailer, as after a deletion by hand; of one level if given."""
    if not MEMORY_ID.fullmatch(name):
        return ()
    path = memory_path(name)
    found = []
    versions = list_versions(repo, path)
    head = repo.head()
    if not versions or head is None:
        return ()
    with CommitTree(repo, head) as history:
        for version in versions:
            try:
                memory = parse_memory(history.read_blob(version.blob, path).decode(), path)
            except (ReelError, UnicodeDecodeError):
                continue
            if level in (None, memory.level.value):
                found.append(_Place(version.commit, memory.level.value, version.blob))
                break
    return found


def _file_then(then: CommitTree, place: _Place, name: str) -> bytes:
    """Return the memory's old file; raises StateError if it is not what the loss recorded."""
    path = memory_path(name)
    data = then.read(path)
    if data is None:
        message = f"Commit {place.commit[:7]} says that it let go of {name}, but there was no such file."
        raise StateError(message, hint=f"see it with  git show {place.commit[:7]}")
    _check(then, place, path, name)
    return data


def _line_then(then: CommitTree, place: _Place, name: str, index: str) -> str:
    """Return the line as it was in the index."""
    raw = raw_line(index, name)
    if raw is None:
        message = f"Commit {place.commit[:7]} says that it let go of the line of {name}, but there was none."
        raise StateError(message, hint=f"see it with  git show {place.commit[:7]}")
    _check(then, place, INDEX, name)
    return raw


def _check(then: CommitTree, place: _Place, path: str, name: str) -> None:
    if place.was and then.ids.get(path) != place.was:
        message = f"The history's text of {name} is not the one that was let go; nothing was changed."
        raise StateError(
            message, hint=f"one of them was changed later; to compare:  git show {place.commit[:7]}"
        )


def _with_mark_of(present: Memory, data: bytes, path: str) -> bytes:
    """Return an earlier file of a memory with the mark that it has now: of what holds in its place."""
    text = data.decode("utf-8", "replace")
    if parse_memory(text, path).no_longer == present.no_longer:
        return data
    mark = render_scalar(present.no_longer) if present.no_longer else None
    return front_matter.set_fields(text, {"no_longer": mark}, path).encode()


def _refuse_withdrawn(name: str, mine: Sequence[Loss]) -> None:
    """Refuse to bring back a memory that was told by another kit and taken back (REEL §12.1)."""
    if withdrawn_names(mine):
        message = f"{name} was told by another persona, and was taken back."
        raise ReelError(message, hint="only that persona can tell it again:  reel share  lists what is told")


def _refuse_another(snapshot: Snapshot, memory: Memory) -> None:
    """Refuse to put a memory over another one that has its number now."""
    present, line = snapshot.memories.get(memory.id), snapshot.index.lines.get(memory.id)
    if present is not None:
        another = bool(present.uid and memory.uid and present.uid != memory.uid)
        title = present.title
    elif line is not None:
        another = not _is_line_of(line, memory)
        title = line.description
    else:
        return
    if another:
        message = f"The number {memory.id} is another memory's now: {title}."
        raise ReelError(
            message, hint="first give that one a new number: in its file name, its id and its line"
        )


def _is_line_of(line: IndexLine, memory: Memory) -> bool:
    return (
        line.anchor == memory.anchor
        or line.description == line_for(memory).description
        or any(line.where is not None and _meet(line.where, span) for span in memory.source)
    )


def _meet(one: SourceRange, other: SourceRange) -> bool:
    apart = (one.last and other.first > one.last) or (other.last and one.first > other.last)
    return one.session == other.session and not apart


def _line_of(memory: Memory, index_then: str) -> str:
    """Return the memory's line in the index: the old line if it matches the memory, else a new one."""
    raw = raw_line(index_then, memory.id)
    line = parse_line(raw) if raw is not None else None
    same = line is not None and not line.pruned and line.immune == memory.immune
    return raw if raw is not None and same else render_line(line_for(memory))


def _resolution(snapshot: Snapshot, name: str) -> str:
    """Return a memory's present resolution."""
    memory = snapshot.memories.get(name)
    if memory is not None:
        return memory.level.value
    return "stub" if name in snapshot.index.lines else "dormant"
