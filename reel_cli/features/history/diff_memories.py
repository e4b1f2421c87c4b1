"""Changes of memories and index lines between two moments."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from reel_cli.core.files.commit_message import FORGOT, Forgotten, parse_forgotten
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.git.history import Commit
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import IndexLine, Memory, memory_number, memory_path
from reel_cli.core.values.source import RENUMBERED

STUB = "stub"
NOTHING = ""


@dataclass(frozen=True, slots=True)
class MemoryChange:
    """The change of one memory.

    `kind` is new, compressed, restored, pruned, dormant (its stub left the index), gone (neither file nor
    line is left), or edited. `before` and `after` are its levels, `stub`, or "" where there was nothing of
    it; tokens are of the whole as it would be written, None where there is no file. `by_hand` says of what
    was edited that no commit of reel's kept it. `reason` is what the record of the loss says, or that only
    the immunity is another; `was` is its name before, where another machine had given that one too.
    """

    kind: str
    id: str
    title: str
    before: str
    after: str
    tokens_before: int | None = None
    tokens_after: int | None = None
    by_hand: bool = False
    reason: str = ""
    was: str = ""


@dataclass(frozen=True, slots=True)
class IndexChange:
    """The lines the index gained, lost, and has otherwise than before (as they are after).

    `back` are the numbers of those it gained that were brought back.
    """

    gained: Sequence[IndexLine] = ()
    lost: Sequence[IndexLine] = ()
    changed: Sequence[IndexLine] = ()
    back: frozenset[str] = frozenset()


def compare_index(start: Snapshot, end: Snapshot, commits: Sequence[Commit]) -> IndexChange:
    """Return what the index gained and lost."""
    before, after = start.index.lines, end.index.lines
    return IndexChange(
        gained=[line for name, line in after.items() if name not in before],
        lost=[line for name, line in before.items() if name not in after],
        changed=[line for name, line in after.items() if name in before and before[name] != line],
        back=frozenset(
            value.strip()
            for commit in commits
            if commit.op == "restore"
            for value in commit.values("Reel-Index")
        ),
    )


def compare_memories(
    start: Snapshot,
    end: Snapshot,
    changed: set[str],
    commits: Sequence[Commit],
    sizes: Sequence[Mapping[str, int]],
) -> Sequence[MemoryChange]:
    """Return the change of each memory whose file or stub changed, in order of their numbers.

    `changed` are the paths that differ, `commits` those in between, newest first, and `sizes` each side's
    tokens by memory.
    """
    lost = _lost(commits)
    kept = {value.split(" ")[0] for commit in commits for value in commit.values("Reel-Memory")}
    brought_back = {
        value.split(" ")[0]
        for commit in commits
        if commit.op == "restore"
        for value in commit.values("Reel-Memory")
    }
    lines = [one.index.lines for one in (start, end)]
    files = {
        path.removeprefix("ring3/").removesuffix(".md")
        for path in changed
        if path.startswith("ring3/") and is_memory_file(path.removeprefix("ring3/"))
    }
    # a deleted stub has no file on either side
    stubs = {name for name, line in lines[0].items() if line.pruned and name not in lines[1]}
    held = [{name: _memory(side, name) for name in files} for side in (start, end)]
    moved = _moved(*held) if any(commit.values(RENUMBERED) for commit in commits) else {}
    found = []
    for name in sorted(files | stubs, key=lambda name: (memory_number(name), name)):
        was = moved.get(name, name)
        if was == name and name in moved.values():
            # the earlier holder of this name has another one now
            was = NOTHING
        memories = [held[0].get(was), held[1].get(name)]
        forms = [_form(memories[0], lines[0].get(was)), _form(memories[1], lines[1].get(name))]
        if not any(forms):
            continue
        kind = _kind(forms[0], forms[1])
        if kind == "new" and name in brought_back:
            kind = "restored"
        told = memories[1] or memories[0]
        line = lines[1].get(name) or lines[0].get(was)
        loss = lost.get(name)
        immunity = _only_immunity(*memories)
        found.append(
            MemoryChange(
                kind=kind,
                id=name,
                title=told.title if told is not None else line.description if line is not None else "",
                before=forms[0],
                after=forms[1],
                tokens_before=sizes[0].get(was),
                tokens_after=sizes[1].get(name),
                by_hand=kind == "edited" and name not in kept and not immunity and was == name,
                reason=loss.reason
                if loss is not None and kind in ("compressed", "pruned", "dormant")
                else immunity
                if kind == "edited"
                else "",
                was=was if was != name else "",
            )
        )
    return found


def _only_immunity(before: Memory | None, after: Memory | None) -> str:
    """Return the change of a memory's immunity if nothing else changed; else ""."""
    if before is None or after is None or before == after:
        return ""
    if replace(before, immune=after.immune, immune_reason=after.immune_reason) != after:
        return ""
    return "immune now" if after.immune else "no longer immune"


def _moved(before: Mapping[str, Memory | None], after: Mapping[str, Memory | None]) -> Mapping[str, str]:
    """Return the old names of renamed memories by their new names; two machines had given the same one."""
    names = {memory.uid: name for name, memory in before.items() if memory is not None and memory.uid}
    return {
        name: names[memory.uid]
        for name, memory in after.items()
        if memory is not None
        and names.get(memory.uid, name) != name
        and not _is_same(before.get(name), memory)
    }


def _is_same(before: Memory | None, memory: Memory) -> bool:
    return before is not None and before.uid == memory.uid


def _kind(before: str, after: str) -> str:
    """Return the kind of change, by its two forms."""
    if not before:
        return "new"
    if STUB in (before, after):
        if before == after:
            return "edited"
        return "pruned" if after == STUB else "restored" if after else "dormant"
    if not after:
        return "gone"
    if before == after:
        return "edited"
    return "compressed" if before < after else "restored"


def _form(memory: Memory | None, line: IndexLine | None) -> str:
    if memory is not None:
        return memory.level.value
    return STUB if line is not None and line.pruned else NOTHING


def _memory(side: Snapshot, name: str) -> Memory | None:
    path = memory_path(name)
    text = side.text(path)
    return parse_memory(text, path) if text is not None else None


def _lost(commits: Sequence[Commit]) -> dict[str, Forgotten]:
    """Return the newest loss of each memory."""
    found: dict[str, Forgotten] = {}
    for commit in commits:
        for loss in map(parse_forgotten, commit.values(FORGOT)):
            if loss is not None:
                found.setdefault(loss.id, loss)
    return found
