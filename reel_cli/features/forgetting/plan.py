"""A person lets go of memories: what is in ring 3 becomes a line, what is a line leaves (REEL §6.5, §6.7)."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.files.index_edit import drop_line, put_entry
from reel_cli.core.files.index_file import line_for, render_line
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.ports import bring
from reel_cli.core.rings.pins import decide
from reel_cli.core.rings.read_memory import find_memory
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import Change, titled
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import IndexLine, Memory, memory_path, where_of
from reel_cli.core.values.source import SourceRange

OP = "forget"
USUAL_REASON = "your word"
NAMED = 3
"""Maximum number of memories named in a subject; more are counted."""


@frozen
class LettingGo:
    """One thing that is let go: what it is called, the loss, and what is to be said of it before.

    `held` is the memory, None for a line of the index.
    """

    title: str
    loss: Forgotten
    held: Memory | None
    line: IndexLine | None
    immune: bool
    immune_reason: str


@frozen
class ForgetPlan:
    """The plan of a forgetting."""

    change: Change
    items: Sequence[LettingGo]


def plan_forget(  # noqa: PLR0913
    snapshot: Snapshot, repo: Repository, counter: Counter, wanted: Sequence[str], *, why: str, now: datetime
) -> ForgetPlan:
    """Return the plan to forget memories and lines by ID: a memory becomes a stub, a line goes to sleep.

    Immunity is no hindrance: it guards against what runs by itself. Raises ReelError, and plans
    nothing, where the kit does not hold one of them.
    """
    reason = why or USUAL_REASON
    index = snapshot.text(INDEX) or ""
    items: list[LettingGo] = []
    writes: dict[str, bytes | None] = {}
    fresh = index
    for memory, line in {
        _name(*found): found for found in (find_memory(snapshot, one) for one in wanted)
    }.values():
        if memory is not None:
            stub = stub_of(snapshot, memory)
            fresh = put_entry(fresh, stub)
            path = memory_path(memory.id)
            writes[path] = None
            source = ",".join(map(str, where_of(memory)))
            blob = repo.blob_id(snapshot.read(path) or b"")
            tokens = counter.count(memory.body)
            loss = Forgotten(memory.id, memory.level.value, "stub", tokens, 0, source, blob, reason)
            items.append(LettingGo(memory.title, loss, memory, stub, memory.immune, memory.immune_reason))
        elif line is not None:
            fresh = drop_line(fresh, line.id)
            source = str(line.where) if line.where else ""
            tokens = counter.count(render_line(line))
            blob = repo.blob_id(index.encode())
            loss = Forgotten(line.id, "stub", "dormant", tokens, 0, source, blob, reason)
            items.append(LettingGo(line.description, loss, None, line, line.immune, ""))
    writes[INDEX] = fresh.encode()
    trailers = [(FORGOT, render_forgotten(item.loss)) for item in items]
    trailers.append(("Reel-Tokenizer", counter.name))
    told = items_in_words([(item.loss.id, item.title) for item in items])
    change = Change(OP, f"let go of {told}", writes, tuple(trailers))
    change = decide(change, snapshot, [item.loss.id for item in items], pin=False, now=now)
    stretches = {item.loss.id: _stretches(item) for item in items}
    for let_go in bring("let_go"):
        change = let_go(snapshot, change, stretches)
    return ForgetPlan(change, items)


def _stretches(item: LettingGo) -> tuple[SourceRange, ...]:
    if item.held is not None:
        return where_of(item.held)
    return (item.line.where,) if item.line is not None and item.line.where is not None else ()


def take_out(
    snapshot: Snapshot, repo: Repository, counter: Counter, names: Iterable[str], why: str
) -> tuple[dict[str, bytes | None], list[tuple[str, str]]]:
    """Return what takes memories out with no line left of them: files, and trailers that tell each loss.

    An ID without a memory is that of a line. The trailers name no place on the tape.
    """
    lines = index = snapshot.text(INDEX) or ""
    writes: dict[str, bytes | None] = {}
    trailers: list[tuple[str, str]] = []
    for name in names:
        memory, path = snapshot.memories.get(name), memory_path(name)
        if memory is not None:
            blob, tokens = repo.blob_id(snapshot.read(path) or b""), counter.count(memory.body)
            loss = Forgotten(name, memory.level.value, "dormant", tokens, 0, "", blob, why)
            writes[path] = None
        elif name in snapshot.index.lines:
            loss = Forgotten(name, "stub", "dormant", 0, 0, "", repo.blob_id(index.encode()), why)
        else:
            continue
        trailers.append((FORGOT, render_forgotten(loss)))
        lines = drop_line(lines, name)
    if trailers:
        writes[INDEX] = lines.encode()
        trailers.append(("Reel-Tokenizer", counter.name))
    return writes, trailers


def stub_of(snapshot: Snapshot, memory: Memory) -> IndexLine:
    """Return the line that remains of a memory leaving ring 3: pruned, with its place on the tape."""
    line = line_for(memory)
    return IndexLine(
        line.id,
        line.description,
        line.anchor,
        line.tags,
        line.immune,
        pruned=True,
        where=_where(snapshot, memory),
    )


def _where(snapshot: Snapshot, memory: Memory) -> SourceRange | None:
    """Return the stretch of tape that a line can name: where its phrase was said, else the first."""
    spans = where_of(memory)
    if len(spans) > 1 and memory.anchor:
        for span in spans:
            if span.session in snapshot.sessions:
                said = read_session(snapshot, span.session).shown()
                inside = [e for e in said if not span.last or span.first <= (e.number or 0) <= span.last]
                if Tape(inside).find(memory.anchor) is not None:
                    return span
    return spans[0] if spans else None


def _name(memory: Memory | None, line: IndexLine | None) -> str:
    return memory.id if memory is not None else line.id if line is not None else ""


def items_in_words(items: Sequence[tuple[str, str]]) -> str:
    """Return memories for a subject: one by ID and title, several by IDs, of many the first."""
    if len(items) == 1:
        return titled(items[0][1], items[0][0])
    names = [name for name, _ in items]
    more = f" and {len(names) - NAMED} more" if len(names) > NAMED else ""
    return ", ".join(names[:NAMED]) + more
