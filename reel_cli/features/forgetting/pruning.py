"""Memories that are gone without a trace, and traces that lead nowhere (REEL §10.4)."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.index_edit import put_line, raw_line
from reel_cli.core.files.index_file import line_for, parse_index, parse_line, render_line
from reel_cli.core.files.kit_files import restore_command
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.finding import PRUNING_AMNESIA, Finding
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.kit.hand_edits import Step
from reel_cli.core.kit.kit_damage import is_half_merged
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.rings.line_places import find_places
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import IndexLine, Memory, is_brought, memory_path
from reel_cli.features.forgetting.past import Past, memory_id, told_of
from reel_cli.features.forgetting.plan import stub_of

if TYPE_CHECKING:
    from reel_cli.core.files.commit_message import Forgotten

TELLING = 4
"""Letters from which a word of a line tells what it is about."""
NAMED = 3
"""Maximum number named one by one."""
TAKES_BACK = frozenset({"undo", "redo", "purge", "restore", "merge"})
"""Operations after which nothing shall remind of a memory."""


@dataclass(frozen=True, slots=True)
class Traceless:
    """A memory that left ring 3 and has no line: its ID, title, when, and the line it should have.

    One that `waits` was deleted by hand and is not committed: `reel review` asks about it.
    """

    id: str
    title: str
    when: str
    line: str
    waits: bool


def find_amnesia(snapshot: Snapshot, past: Past | None) -> list[Finding]:
    """Return findings for memories without a stub, and for stubs that resolve to nothing, by number."""
    found = []
    dropped = _list_dropped(snapshot, past)
    for one in find_traceless(snapshot, past):
        if one.id in dropped:
            # the whole index comes back, and this line in it
            continue
        called = f"{one_line(one.title, 60)} ({one.id})"
        what = f"{called} is gone ({one.when}), and left no line in the index"
        mend = "reel doctor --fix  puts the line back" if one.line else f"reel restore {one.id}"
        mend = "reel review" if one.waits else mend
        found.append(Finding("stub", what, mend, one.waits, PRUNING_AMNESIA, INDEX))
    return [*found, *_unresolved(snapshot, past)]


def find_traceless(snapshot: Snapshot, past: Past | None) -> list[Traceless]:
    """Return every memory in history that the kit lacks, except those put to sleep by decision."""
    if past is None:
        return []
    newest: dict[str, Forgotten] = {}
    for loss in past.losses:
        if loss.back is None:
            newest.setdefault(loss.forgot.id, loss.forgot)
    found: dict[str, Traceless] = {}
    for path, steps in past.steps.items():
        name = memory_id(path)
        if name in snapshot.memories or name in snapshot.index.lines or snapshot.read(path) is not None:
            continue
        last = steps[0]
        if last.after is not None and path not in past.kept:
            # a merge took it, and gave it another number
            continue
        commit = past.by_id.get(last.commit)
        asleep = name in newest and newest[name].after == "dormant"
        if asleep or (last.after is None and commit is not None and commit.op in TAKES_BACK):
            continue
        found[name] = _traceless(snapshot, past, path, last)
    return [found[name] for name in sorted(found, key=lambda name: (len(name), name))]


def _traceless(snapshot: Snapshot, past: Past, path: str, last: Step) -> Traceless:
    """Return the record of a lost memory: from its stub in the commit that dropped it, else its last text."""
    name = memory_id(path)
    memory = _last_text(past, path, last)
    title = memory.title if memory is not None else name
    if last.after is not None:
        return Traceless(name, title, "not committed yet", "", waits=True)
    line = _stub_then(past, name) or (render_line(stub_of(snapshot, memory)) if memory is not None else "")
    return Traceless(name, title, told_of(past.by_id[last.commit]), line, waits=False)


def _last_text(past: Past, path: str, last: Step) -> Memory | None:
    blob = last.after or last.before
    if blob is None:
        return None
    try:
        with CommitTree(past.repo, past.commits[0].id) as tree:
            return parse_memory(tree.read_blob(blob, path).decode("utf-8", "replace"), path)
    except ReelError:
        return None


def _stub_then(past: Past, name: str) -> str:
    """Return the line that a loss left of a memory, as it stood then; "" if there was none."""
    loss = next((one for one in past.losses if one.forgot.id == name and one.forgot.after == "stub"), None)
    if loss is None:
        return ""
    try:
        with CommitTree(past.repo, loss.commit) as tree:
            line = raw_line((tree.read(INDEX) or b"").decode("utf-8", "replace"), name)
    except ReelError:
        return ""
    return line if line is not None and parse_line(line) is not None else ""


def _unresolved(snapshot: Snapshot, past: Past | None) -> Iterator[Finding]:
    """Yield findings for lines without a memory in ring 3 or a stretch of the tape.

    What history can bring back all the same is worth a look; what a person has just deleted, nothing.
    """
    kept = past.kept if past is not None else ()
    lost = {one.forgot.id for one in past.losses if one.forgot.after == "stub"} if past is not None else set()
    pointed = {name for name, _ in _pointed(snapshot, past)}
    numbers = _line_numbers(snapshot)
    lengths: dict[str, int] = {}
    for line in snapshot.index.lines.values():
        path = memory_path(line.id)
        if line.id in snapshot.memories or snapshot.read(path) is not None:
            continue
        if path in kept:
            continue
        at = f"{INDEX}:{numbers.get(line.id, 1)}"
        what = _lost_trace(snapshot, line, lengths)
        if what:
            mend = "add to its line where it was said: <!-- SESSION#N-M -->"
            if line.id in pointed:
                mend = "reel doctor --fix  adds where it was"
            elif line.id in lost:
                mend = f"reel restore {line.id}  brings it back; or {mend}"
            yield Finding("stub", what, mend, line.id in lost, PRUNING_AMNESIA, at)


def _pointed(snapshot: Snapshot, past: Past | None) -> list[tuple[str, str]]:
    """Return (ID, new line) for lines without a stretch of tape, if the memory's last text has one."""
    found = []
    for path, steps in past.steps.items() if past is not None else ():
        line = snapshot.index.lines.get(memory_id(path))
        gone = steps[0].after is None and snapshot.read(path) is None
        if past is None or line is None or line.where is not None or not gone:
            continue
        memory = _last_text(past, path, steps[0])
        where = stub_of(snapshot, memory).where if memory is not None else None
        if where is not None and where.session in snapshot.sessions:
            found.append((line.id, render_line(replace(line, pruned=True, where=where))))
    known = {name for name, _ in found}
    # of a file that only the disk lacks, the line is as it was: the file comes back
    kept = past.kept if past is not None else frozenset()
    alone = [
        line
        for line in snapshot.index.lines.values()
        if line.id not in known and line.id not in snapshot.memories
        if (path := memory_path(line.id)) not in kept and snapshot.read(path) is None
    ]
    places = find_places(snapshot, alone)
    found += [(one.id, render_line(replace(one, where=places[one.id]))) for one in alone if one.id in places]
    return found


def _lost_trace(snapshot: Snapshot, line: IndexLine, lengths: dict[str, int]) -> str:
    """Return what is wrong with a line's pointer; "" if it resolves, or that session cannot be read."""
    called = f"{one_line(line.description, 60)} ({line.id})"
    if line.where is None and is_brought(line.tags):
        # an imported memory was never said; history has it
        return ""
    if line.where is None:
        return f"{called} is only a line, and the line does not say where it was said"
    if line.where.session not in snapshot.sessions:
        return f"{called} points to chat {line.where.session}, which does not exist"
    if line.where.last:
        session = line.where.session
        if session not in lengths:
            try:
                lengths[session] = max(read_session(snapshot, session).numbered(), default=0)
            except ReelError:
                lengths[session] = line.where.last
        if lengths[session] < line.where.last:
            return f"{called} points to message {line.where.last} of {session}, which has {lengths[session]}"
    return ""


def _line_numbers(snapshot: Snapshot) -> Mapping[str, int]:
    found: dict[str, int] = {}
    for number, raw in enumerate((snapshot.text(INDEX) or "").splitlines(), start=1):
        line = parse_line(raw)
        if line is not None:
            found.setdefault(line.id, number)
    return found


def find_unlisted(snapshot: Snapshot, past: Past | None) -> list[Finding]:
    """Return findings for memories without an index line; uncommitted ones wait for review.

    Where the file lost lines of the last commit that nothing else tells, it is told of them alone.
    """
    dropped = _list_dropped(snapshot, past)
    if dropped:
        some = "1 line" if len(dropped) == 1 else f"{len(dropped):,} lines"
        what = f"{INDEX} lacks {some} that the last commit has, by which memories are found"
        mend = f"{restore_command([INDEX])}  brings the file back; if you meant it:  reel review"
        return [Finding("index", what, mend, hint_only=bool(snapshot.index.lines), at=INDEX)]
    names = _unlisted(snapshot, past)
    if not names:
        return []
    verb = "has no line" if len(names) == 1 else "have no lines"
    what = f"{names_in_words(names)} {verb} in the index, so nothing brings them to mind"
    return [Finding("index", what, "reel doctor --fix", hint_only=True, at=memory_path(names[0]))]


def find_stale(snapshot: Snapshot) -> list[Finding]:
    """Return findings for index lines that say something else than the memory they stand for.

    The memory's file counts. A line that a person put in other words is not stale, as long as it shares a
    word with the memory.
    """
    numbers = _line_numbers(snapshot)
    found = []
    for line in snapshot.index.lines.values():
        memory = snapshot.memories.get(line.id)
        why = _why_stale(line, memory) if memory is not None else ""
        if memory is not None and why:
            what = f"the index line of {one_line(memory.title, 60)} ({line.id}) {why}"
            mend = f"reel memory show {line.id}  ; its line should be:  {render_line(line_for(memory))}"
            at = f"{INDEX}:{numbers.get(line.id, 1)}"
            found.append(Finding("index", what, mend, hint_only=True, at=at))
    return found


def _why_stale(line: IndexLine, memory: Memory) -> str:
    """Return how a line contradicts its memory, in words; "" if it does not."""
    if line.pruned:
        return "says that the memory is gone, but it is there"
    if memory.immune and not line.immune:
        return "says that the memory may go, but it is immune"
    told = fold(f"{memory.title}\n{memory.marker}\n{memory.tag}\n{memory.body}")
    anchor = fold(line.anchor)
    if anchor and anchor != fold(memory.anchor) and anchor not in told:
        return f'has the phrase "{one_line(line.anchor, 60)}", which is no longer in the memory'
    words = {word for word in fold(line.description).split() if len(word) >= TELLING}
    if words and words.isdisjoint(told.split()):
        return f'is about "{one_line(line.description, 60)}", and the memory is about something else'
    if line.tags and memory.tags and not set(line.tags) & set(memory.tags):
        return f"has the tags {', '.join(line.tags)}, and the memory {', '.join(memory.tags)}"
    return ""


def _unlisted(snapshot: Snapshot, past: Past | None) -> list[str]:
    kept = {memory_id(path) for path, steps in past.steps.items() if steps[0].after} if past else set()
    return [name for name in snapshot.memories if name in kept and name not in snapshot.index.lines]


def _list_dropped(snapshot: Snapshot, past: Past | None) -> frozenset[str]:
    """Return the lines that the file lost; none where the last commit cannot be read, told of elsewhere."""
    with suppress(ReelError):
        return _dropped(snapshot, past)
    return frozenset()


def _dropped(snapshot: Snapshot, past: Past | None) -> frozenset[str]:
    """Return the IDs of all lines that the file lost since the last commit, by hand.

    Empty where every one of them is told by something else, so that it can be put back alone.
    """
    head = past.repo.head() if past is not None else None
    if past is None or head is None or is_half_merged(past.repo):
        return frozenset()
    with CommitTree(past.repo, head) as tree:
        committed = parse_index((tree.read(INDEX) or b"").decode("utf-8", "replace"))
        gone = committed.lines.keys() - snapshot.index.lines.keys()
        # who deleted a memory with its line meant both, and the review asks about them
        gone -= {one for one in gone - snapshot.memories.keys() if tree.read(memory_path(one)) is not None}
    gone -= {parsed.id for _, raw in snapshot.index.broken if (parsed := parse_line(raw)) is not None}
    return frozenset(gone if gone - {name for name, _ in _told_elsewhere(snapshot, past)} else ())


def _told_elsewhere(snapshot: Snapshot, past: Past | None) -> list[tuple[str, str]]:
    """Return (ID, line) for the lines that history or a memory's file tells, and the index lacks."""
    lost = [(one.id, one.line) for one in find_traceless(snapshot, past) if one.line]
    return lost + [
        (name, render_line(line_for(snapshot.memories[name]))) for name in _unlisted(snapshot, past)
    ]


def plan_lines(snapshot: Snapshot, past: Past | None) -> Change | None:
    """Plan to restore missing index lines: those of removed memories, their places, lines of ring 3.

    The former come from history, the latter from the memories' files. Lines are added where their numbers
    belong, and a line that led nowhere gets its stretch of tape; nothing is taken away. None where
    nothing is missing, or where the file lost other lines too: the commit would make that loss final.
    """
    lost = [*_pointed(snapshot, past), *_told_elsewhere(snapshot, past)]
    if not lost or snapshot.index.broken or _dropped(snapshot, past):
        return None
    text = snapshot.text(INDEX) or ""
    for name, line in lost:
        text = put_line(text, name, line)
    lines = "the line" if len(lost) == 1 else "the lines"
    return Change(
        op="doctor",
        summary=f"put {lines} of {names_in_words([name for name, _ in lost])} into the index",
        writes={INDEX: text.encode()},
        trailers=tuple(("Reel-Index", name) for name, _ in lost),
    )


def names_in_words(names: Sequence[str]) -> str:
    """Return a few IDs by name; of more, the first ones and how many are left."""
    more = f" and {len(names) - NAMED:,} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
