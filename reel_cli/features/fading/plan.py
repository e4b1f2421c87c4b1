"""A memory fades one step: what is written, and the loss that history tells of (REEL §4.4, §6.5, §6.7)."""

from collections.abc import Collection, Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.files.index_edit import drop_line, put_entry, raw_line
from reel_cli.core.files.index_file import line_for, parse_line, render_line
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.ports import bring
from reel_cli.core.values.change import Change, titled
from reel_cli.core.values.compression import CompressionGauge
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import (
    PLAIN,
    Level,
    Memory,
    coarseness,
    implies_immunity,
    memory_path,
    where_of,
)
from reel_cli.features.fading.fading import Move, Step
from reel_cli.features.fading.immunity_proposal import waiting_to_stay
from reel_cli.features.fading.plain_step import carry_over, fainter_of, other_form_of
from reel_cli.features.forgetting.plan import stub_of

OP = "maintain"
Trailers = tuple[tuple[str, str], ...]


class CompressionLossError(ReelError):
    """A memory would say too much that nobody said, whichever way it is shortened (SRIP-11 §III.6)."""


def find_gauge(snapshot: Snapshot) -> CompressionGauge | None:
    """Return what judges shorter texts of a kit (SRIP-11 §III.6); None where nothing does."""
    return next((make(snapshot) for make in bring("gauges")), None)


def descended(  # noqa: PLR0913 (what is written, and what is told of it)
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    memory: Memory,
    level: Level,
    body: str,
    *,
    why: str,
) -> tuple[Mapping[str, bytes | None], Forgotten]:
    """Return the files of a memory that fades to a level with a new body, and the loss to record.

    All else that the file says stays, byte for byte, also what a person wrote under headings of their
    own; its line in the index stays too, and is put there where it is missing. An L3 keeps its anchors.
    The body it has, given again, goes down a level as it is. Raises ReelError where that would be no loss:
    a level that is not coarser, another body that is not shorter.
    """
    path = memory_path(memory.id)
    file = snapshot.text(path) or ""
    text = memory.body if body == memory.body else carry_over(body, memory.body, level)
    before, after = counter.count(memory.body), counter.count(text)
    if coarseness(level.value) <= coarseness(memory.level.value):
        message = f"{memory.id} is {PLAIN[memory.level.value]} already."
        raise ReelError(message)
    if after >= before and text != memory.body:
        message = f"{memory.id} would not get shorter: {before:,} tokens now, {after:,} then."
        raise ReelError(message)
    whole = front_matter.set_fields(file, {"level": level.value}, path)
    head = whole.removesuffix(front_matter.split(whole, path).body)
    writes: dict[str, bytes | None] = {path: f"{head}{text}".encode()}
    index = snapshot.text(INDEX) or ""
    raw = raw_line(index, memory.id)
    line = parse_line(raw) if raw is not None else None
    if line is None or line.pruned:
        writes[INDEX] = put_entry(index, line_for(memory)).encode()
    loss = Forgotten(
        memory.id,
        memory.level.value,
        level.value,
        before,
        after,
        ",".join(map(str, where_of(memory))),
        repo.blob_id(snapshot.read(path) or b""),
        why,
    )
    return writes, loss


def plan_step(  # noqa: PLR0913 (one step, and the moment it is taken in)
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    step: Step,
    *,
    pinned: Collection[str],
    reads: Mapping[str, bytes | None] | None = None,
    gauge: CompressionGauge | None = None,
) -> Change:
    """Return the change for a step that needs no model: a memory fades or is pruned, or a line sleeps.

    It is planned on the files as they are now. `pinned` is what is pinned; `reads` are the bytes that
    was decided on, which must still be so; `gauge` judges its text. Raises ReelError where the step is not to
    be taken any more: the memory is another one, pinned or immune now, or gone; CompressionLossError where it
    would lose too much.
    """
    if step.asks:
        message = f"{step.id} needs a model to become {PLAIN[step.after]}."
        raise ReelError(message)
    if step.id in pinned:
        message = f"{step.id} is pinned now."
        raise ReelError(message)
    loss, writes, measured = _take(snapshot, repo, counter, step, gauge)
    became = (
        PLAIN[loss.after] if step.move is not Move.DESCEND else f"{PLAIN[loss.before]} to {PLAIN[loss.after]}"
    )
    trailers = ((FORGOT, render_forgotten(loss)), ("Reel-Tokenizer", counter.name), *measured)
    return Change(OP, f"{titled(step.title, step.id)}, {became}", writes, trailers, reads=dict(reads or {}))


def _take(
    snapshot: Snapshot, repo: Repository, counter: Counter, step: Step, gauge: CompressionGauge | None
) -> tuple[Forgotten, Mapping[str, bytes | None], Trailers]:
    path = memory_path(step.id)
    index = snapshot.text(INDEX) or ""
    raw = raw_line(index, step.id)
    line = parse_line(raw) if raw is not None else None
    if step.move is Move.SLEEP:
        if line is None or not (line.pruned or line.where) or snapshot.read(path) is not None:
            raise _changed(step)
        if line.immune or implies_immunity(line.tags):
            raise _immune(step)
        _require_decided(snapshot, step)
        loss = Forgotten(
            *(step.id, "stub", "dormant", counter.count(render_line(line)), 0),
            *(str(line.where) if line.where else "", repo.blob_id(index.encode()), step.why),
        )
        return loss, {INDEX: drop_line(index, step.id).encode()}, ()
    text = snapshot.text(path)
    memory = parse_memory(text, path) if text is not None else None
    if text is None or memory is None or memory.level.value != step.before:
        raise _changed(step)
    if step.move is Move.PRUNE:
        if memory.immune or (line is not None and line.immune):
            raise _immune(step)
        _require_decided(snapshot, step)
        stub = stub_of(snapshot, memory)
        loss = Forgotten(
            *(step.id, memory.level.value, "stub", counter.count(memory.body), 0),
            *(",".join(map(str, where_of(memory))), repo.blob_id(text.encode()), step.why),
        )
        return loss, {path: None, INDEX: put_entry(index, stub).encode()}, ()
    level = Level(step.after)
    body, measured = choose_form(text, memory, level, counter, gauge)
    if not body:
        raise _changed(step)
    writes, loss = descended(snapshot, repo, counter, memory, level, body, why=step.why)
    return loss, writes, measured


def choose_form(
    text: str, memory: Memory, level: Level, counter: Counter, gauge: CompressionGauge | None
) -> tuple[str, Trailers]:
    """Return the body that a memory gets without a model, "" where there is none, and its figures.

    What lost too much is made another way, once (SRIP-11 §III.6). Raises CompressionLossError where that did
    too.
    """
    form = fainter_of(text, memory, counter.count)
    if form.asks or form.stuck or gauge is None or form.body in ("", memory.body):
        return ("" if form.asks or form.stuck else form.body), ()
    first = verdict = gauge.judge(memory, level, form.body)
    if verdict.too_far:
        form = other_form_of(memory, counter.count)
        shorter = bool(form.body) and counter.count(form.body) < counter.count(memory.body)
        verdict = gauge.judge(memory, level, form.body) if shorter else first
    if verdict.too_far:
        message = f"Shorter, {first.too_far}."
        raise CompressionLossError(message)
    return form.body, (verdict.trailer,)


def _changed(step: Step) -> ReelError:
    return ReelError(
        f"{step.id} was changed meanwhile.", hint="see what is due now with  reel maintain --plan"
    )


def _require_decided(snapshot: Snapshot, step: Step) -> None:
    """Refuse a step with a memory of which it is not decided yet whether it must stay (REEL §3.3)."""
    if step.id in waiting_to_stay(snapshot):
        message = f"{step.id} may have to stay; that waits in reel review."
        raise ReelError(message, hint="decide it with  reel review")


def _immune(step: Step) -> ReelError:
    return ReelError(f"{step.id} is immune now.")
