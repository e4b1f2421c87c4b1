"""Survey of what is due to fade, from a kit's files, ledger and history (REEL §4.4, §6.5, §6.7)."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from reel_cli.core.files.index_file import parse_index, render_line
from reel_cli.core.files.ledger_file import Entry
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.read_holdings import write_memory
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.pack.budget import plan_budget
from reel_cli.core.pack.render import MARKDOWN, Style
from reel_cli.core.rings.attention import Attention, read_attention
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.holdings import Counter, kept_under
from reel_cli.core.values.memory import IMMUNE_TAGS, implies_immunity, where_of
from reel_cli.core.values.talk import SourceRange, parse_source
from reel_cli.features.fading.fading import (
    FRESH_SESSIONS,
    REMADE_DAYS,
    WAITS,
    BundleForms,
    FadingPlan,
    Fallen,
    Form,
    MemoryValues,
    Rules,
    Stub,
)
from reel_cli.features.fading.immunity_proposal import waiting_to_stay
from reel_cli.features.fading.kit_clock import LAST, KitClock
from reel_cli.features.fading.plain_step import fainter_of
from reel_cli.features.fading.policy import plan_pass, plan_raises
from reel_cli.features.page.cold_start import is_cold

PrunedBefore = Callable[[str], Collection[str] | None]
"""The sessions that were recorded since a line was pruned; None where history does not tell."""


MadeLately = Callable[[int], Mapping[str, str]]
"""Function that returns what was made, rewritten or brought back in the last sessions, and on which day."""


def nothing_lately(_sessions: int) -> Mapping[str, str]:
    """Return nothing, for a kit whose history is unknown."""
    return {}


def never_pruned(_name: str) -> Collection[str] | None:
    """Return None, for a kit whose history is unknown: no line sleeps there."""
    return None


Asleep = Callable[[], Collection[str]]
"""Function that returns the stretches of tape whose lines ever left the index."""


def none_asleep() -> Collection[str]:
    """Return nothing, for a kit whose history is unknown."""
    return ()


Bundling = Callable[[], BundleForms | None]
"""Function that returns the parts of a bundle of the kit's window; None where none can be packed."""


def no_bundle() -> BundleForms | None:
    """Return None: nothing is known of what a bundle has room for."""
    return None


LastSteps = Callable[[], Mapping[str, tuple[str, int]]]
"""Function that returns the day of each memory's last step down, and how many sessions followed."""


def no_steps() -> Mapping[str, tuple[str, int]]:
    """Return nothing, for a kit whose history is unknown."""
    return {}


FallenBefore = Callable[[], Mapping[str, Fallen]]
"""The last step down that maintenance took with each memory, where it stands."""


def never_fell() -> Mapping[str, Fallen]:
    """Return nothing, for a kit whose history is unknown: nothing comes back by itself."""
    return {}


def look_through(  # noqa: PLR0913
    snapshot: Snapshot,
    counter: Counter,
    *,
    now: datetime,
    touches: Iterable[str] = (),
    moved: Collection[str] = (),
    since_pruning: PrunedBefore = never_pruned,
    made_lately: MadeLately = nothing_lately,
    fallen: FallenBefore = never_fell,
    last_steps: LastSteps = no_steps,
    bundled: Bundling = no_bundle,
    asleep: Asleep = none_asleep,
    strayed: Collection[str] = (),
    lossy: Collection[str] = (),
) -> FadingPlan:
    """Look through rings 3 and 4 for what is due to fade; in the cold start nothing is.

    `touches` are journal lines that no commit holds yet, `moved` those that took a step in this pass,
    `strayed` those that are made again from the tape, `lossy` those of which shorter texts lost too much.
    History is asked for through `since_pruning`, `made_lately`, `last_steps` and `asleep`, a bundle through
    `bundled`, and only where it matters.
    Raises ReelError naming a memory's file that cannot be read.
    """
    settings = snapshot.settings
    least, most = settings.ranges["3"].tokens(settings.cap)
    notes = _read_notes(snapshot, counter)
    lines = _read_lines(snapshot, counter)
    rings = {"3": sum(note.tokens for note in notes.values()), "4": sum(line.tokens for line in lines)}
    small = plan_budget(settings).small
    weight = sum(note.weights(small=small)[0] for note in notes.values())
    attention = read_attention(snapshot, touches)
    if is_cold(snapshot):
        return FadingPlan(weight=weight, most=most, cold=True, rings=rings, pinned=attention.pinned)
    clock = KitClock(standing_sessions(snapshot), now)
    guarded = dict.fromkeys(waiting_to_stay(snapshot), WAITS)
    guarded |= {line.id: "immune" for line in lines if line.immune}
    lately = made_lately(FRESH_SESSIONS) if notes else {}
    remade = {name for name, day in lately.items() if clock.days_since(read_day(day)) < REMADE_DAYS}
    steps = last_steps() if notes else {}
    bundle = bundled() if notes or lines else None
    held = [
        replace(
            _held(name, note, clock, attention.uses.get(name, ()), small=small),
            guarded=note.guarded or guarded.get(name, ""),
            pinned=name in attention.pinned,
            moved=name in moved,
            remade=name in remade,
            strayed=name in strayed,
            stuck="a shorter text would say what nobody said" if name in lossy else note.stuck,
            stepped=clock.step_in_words(steps.get(name)),
            shown=None if bundle is None else bundle.forms.get(name, Form.ABSENT),
            goes_on=bundle is not None and name in bundle.going_on,
        )
        for name, note in notes.items()
    ]
    stubs = [
        Stub(
            line.id,
            line.title,
            line.tokens,
            clock.sessions_of(since_pruning(line.id)),
            guarded=guarded.get(line.id, ""),
            pinned=line.id in attention.pinned,
            uses=clock.uses(attention.uses.get(line.id, ())),
        )
        for line in lines
        if line.pruned and line.id not in notes and line.id not in moved
    ]
    stubs += _idle_pointers(lines, notes, stubs, attention, clock, moved, asleep)
    if bundle is not None:
        stubs = [replace(stub, shown=stub.id in bundle.lines) for stub in stubs]
    rules = Rules(settings.ages, settings.idle_sessions, most, least, small)
    found = plan_pass(held, stubs, rules)
    raises = plan_raises(held, found, fallen(), rules) if weight < least else ()
    return replace(found, rings=rings, raises=raises, pinned=attention.pinned)


def _idle_pointers(  # noqa: PLR0913 (all that a line is held against)
    lines: Iterable["_Line"],
    notes: Mapping[str, "_Note"],
    stubs: Sequence[Stub],
    attention: Attention,
    clock: KitClock,
    moved: Collection[str],
    asleep: Asleep,
) -> list[Stub]:
    """Return lines that point at the tape where a memory left ring 3, and may sleep too.

    They count from when that memory was pruned; where its own line sleeps already, from the stretch itself. A
    line that points where no memory ever was stays.
    """
    free = [
        line
        for line in lines
        if line.where
        and not line.pruned
        and not line.immune
        and line.id not in notes
        and line.id not in moved
    ]
    if not free:
        return []
    held: dict[str, list[SourceRange]] = {}
    for span in (parse_source(text) for note in notes.values() for text in note.spans):
        if span is not None:
            held.setdefault(span.session, []).append(span)
    slept: dict[str, list[SourceRange]] = {}
    for span in _spans(asleep()):
        slept.setdefault(span.session, []).append(span)
    since = {stub.id: stub.sessions for stub in stubs}
    pruned: dict[str, list[tuple[SourceRange, int | None]]] = {}
    for line in lines:
        if line.pruned and (span := parse_source(line.where)) is not None:
            pruned.setdefault(span.session, []).append((span, since.get(line.id)))
    found = []
    for line in free:
        span = parse_source(line.where)
        if span is None or any(_meet(span, other) for other in held.get(span.session, ())):
            continue
        counts = [idle for other, idle in pruned.get(span.session, ()) if _meet(span, other)]
        if None in counts or not (counts or any(_meet(span, other) for other in slept.get(span.session, ()))):
            continue
        sessions = min((idle for idle in counts if idle is not None), default=clock.sessions_after_of(span))
        uses = clock.uses(attention.uses.get(line.id, ()))
        pinned = line.id in attention.pinned
        found.append(Stub(line.id, line.title, line.tokens, sessions, pinned=pinned, uses=uses, pointer=True))
    return found


def _spans(sources: Iterable[str]) -> list[SourceRange]:
    return [span for text in sources if (span := parse_source(text)) is not None]


def _meet(one: SourceRange, other: SourceRange) -> bool:
    """Return whether two stretches of a session share a message; one without an end is the whole session."""
    return (not other.last or one.first <= other.last) and (not one.last or other.first <= one.last)


# -- what is kept of each file --------------------------------------------------------------


@frozen
class _Note:
    """The parts of a memory's file that fading needs: its sizes, its next form's, and when it was lived."""

    title: str
    level: str
    tokens: int
    then: int
    asks: bool
    stuck: str
    weight: int
    weight_then: int
    marker: int
    tag: int
    guarded: str
    created: str
    order: Sequence[Any]
    spans: Sequence[str]

    def weights(self, *, small: bool) -> tuple[int, int]:
        """Return its tokens in ring 3, now and a level down, at the finest form the window is made of."""
        if not small:
            return self.weight, self.weight_then
        finest = {"L3": (self.marker, self.tag), "L4": (self.tag, 0)}
        return finest.get(self.level, (self.marker, self.marker))


@frozen
class _Line:
    """The parts of an index line that fading needs; with the description if no memory stands for it."""

    id: str
    title: str
    tokens: int
    immune: bool
    pruned: bool
    where: str = ""


def _read_notes(snapshot: Snapshot, counter: Counter) -> Mapping[str, _Note]:
    paths = [path for path in snapshot.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]

    def note(path: str) -> Sequence[object]:
        return _note_memory(snapshot.text(path) or "", path, style, counter, later=snapshot.is_later)

    style = MARKDOWN.among(snapshot.settings.people)
    key = f"fading 4 {style.key} {kept_under(counter)}{' later' if snapshot.is_later else ''}"
    notes: Mapping[str, Any] = snapshot.note(key, paths, note)
    return {
        path.removeprefix("ring3/").removesuffix(".md"): _Note(*kept)
        for path, kept in ((path, notes[path]) for path in paths)
    }


def _note_memory(text: str, path: str, style: Style, counter: Counter, *, later: bool) -> Sequence[object]:
    memory = parse_memory(text, path, later=later)
    written = write_memory(text, path, style, counter.count, later=later)
    fainter = fainter_of(text, memory, counter.count)
    tokens = counter.count(memory.body)
    row = written.row
    then = {"L2": row.marker, "L3": row.tag, "L4": 0}.get(memory.level.value, row.whole)
    if fainter.asks:
        then = min(row.whole, row.whole * fainter.tokens // max(1, tokens))
    tags = sorted(IMMUNE_TAGS.intersection(memory.tags))
    guarded = " and ".join(tags) if tags else "immune" if memory.immune else ""
    return (
        *(memory.title, memory.level.value, tokens, fainter.tokens, fainter.asks, fainter.stuck),
        *(row.whole, then, row.marker, row.tag, guarded, memory.created, written.order),
        [str(span) for span in where_of(memory)],
    )


def _read_lines(snapshot: Snapshot, counter: Counter) -> Sequence[_Line]:
    def note(path: str) -> list[Sequence[object]]:
        return [
            (
                line.id,
                line.description if line.pruned or line.where else "",
                counter.count(render_line(line)),
                line.immune or implies_immunity(line.tags),
                line.pruned,
                str(line.where or ""),
            )
            for line in parse_index(snapshot.text(path) or "").lines.values()
        ]

    notes: Mapping[str, Any] = snapshot.note(f"fading lines 2 {kept_under(counter)}", [INDEX], note)
    return [_Line(*kept) for kept in notes[INDEX]]


def _held(name: str, note: _Note, clock: KitClock, uses: Iterable[Entry], *, small: bool) -> MemoryValues:
    day, nth, first, number = note.order
    # an imported memory was not lived on any day, and counts from the day it came
    since = day or note.created[:10]
    place = (since, nth) if nth else (since, LAST)
    made = read_day(note.created)
    weight, weight_then = note.weights(small=small)
    return MemoryValues(
        id=name,
        title=note.title,
        level=note.level,
        tokens=note.tokens,
        then=note.then,
        weight=weight,
        weight_then=weight_then,
        days=clock.days_since(read_day(since)),
        sessions=clock.sessions_after(place),
        # a memory made by a fast clock counts from the day of its session
        made=clock.days_since(made if made is not None and made <= clock.today else read_day(since)),
        asks=note.asks,
        stuck=note.stuck,
        uses=clock.uses(uses),
        order=(day, nth, first, number),
    )
