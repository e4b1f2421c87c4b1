"""The difference between two moments, as a person reads it: learnt, let go, changed; then the numbers."""

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, TypeVar

from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import one_line
from reel_cli.features.intake.queue import PLACED
from reel_cli.terminal.bundle_view import LABELS

if TYPE_CHECKING:
    from reel_cli.core.kit.moment_of_kit import Then
    from reel_cli.features.history.diff import Difference, Grown
    from reel_cli.features.history.diff_files import Listed, Text
    from reel_cli.features.history.diff_memories import Remembered
    from reel_cli.terminal.context import OpenKit

T = TypeVar("T")

SHOWN = 12
"""So many of a kind are told one by one; more are counted, and stand in the JSON."""
LONGEST = 200
"""In characters: what is told of a passage before and after."""
FORMS = {
    "L1": "page",
    "L2": "digest",
    "L3": "marker",
    "L4": "tag",
    "stub": "line in the index",
    "": "nothing",
}
"""What each resolution is called on screen."""


def render_difference(opened: "OpenKit", found: "Difference") -> str:
    """The whole screen."""
    console = opened.console

    def fold(line: str) -> str:
        inner = len(line) - len(line.lstrip())
        return console.wrap(line, console.out, hang=" " * (inner + 2 if inner else 0))

    parts = ["\n".join(map(fold, _heading(found)))]
    sections: Sequence[tuple[str, Iterable[str]]] = (
        ("Recorded", _recorded(found)),
        ("Learnt", _learnt(found)),
        ("Let go", _let_go(found)),
        ("Brought back", _brought_back(found)),
        ("Rewritten", _rewritten(found)),
        ("What is going on", _working(found)),
        ("How things are now", _context(found)),
        ("Known by heart", _facts(found)),
        ("Worth keeping", _intake(found)),
        ("Who it is", _ring0(found)),
        ("How it sounds", _exemplars(found)),
        ("Domain data", _domain(found)),
        ("On the shelf", _shelf(found)),
        (
            "Settings",
            (f"{one.key}: {one.before or 'not set'} → {one.after or 'not set'}" for one in found.settings),
        ),
    )
    for heading, lines in sections:
        told = list(lines)
        if told:
            parts.append("\n".join([heading, *(fold(f"  {line}") for line in told)]))
    if len(parts) == 1:
        parts.append("Nothing of what the persona holds is different.")
    parts.append(_tokens(opened, found))
    return "\n\n".join(parts)


def _heading(found: "Difference") -> Iterator[str]:
    start = _when(found.start) if found.start is not None else "the beginning"
    end = _when(found.end) if found.end is not None else "now"
    zone = found.start.zone if found.start is not None else ""
    yield f"From {start} to {end} ({zone}): {_many(found.changes, 'change')}."
    if found.uncommitted:
        yield f"{_many(found.uncommitted, 'file')} of it not committed yet."


def _when(then: "Then") -> str:
    if then.day is not None:
        return f"the end of {day_in_words(then.day)} ({then.short})"
    return f"{day_in_words(then.recorded.date())}, {then.recorded:%H:%M} ({then.short})"


def _recorded(found: "Difference") -> Iterator[str]:
    tape = found.tape
    if tape.sessions or tape.grown:
        sessions = _many(len(tape.sessions), "new session") if tape.sessions else "no new session"
        yield f"{sessions}, {_many(tape.messages, 'message')}"
        yield from _few(tape.sessions, lambda one: f"{one.session}: {_many(one.after, 'message')}")
        yield from _few(tape.grown, _grown)
    if found.checkpoints:
        yield _many(len(found.checkpoints), "checkpoint")
    if tape.corrections > 0:
        yield f"{_many(tape.corrections, 'correction')} of what was said"
    yield from _few(
        tape.purged, lambda one: f"{one[0]}: words of {_many(one[1], 'message')} were purged, for good"
    )
    yield from _few(tape.retracted, lambda session: f"{session} was taken back")
    yield from _few(tape.reinstated, lambda session: f"{session} stands again")
    if tape.grown_up:
        yield "that there is a past now, in which what is old may recede"


def _grown(one: "Grown") -> str:
    """A session that was there before: how far it went on, or what it was called."""
    on = f"{one.before:,} → {one.after:,} messages"
    if not one.was:
        return f"{one.session} went on: {on}"
    also = f", and went on: {on}" if one.before != one.after else ""
    return f"{one.session} was called {one.was} until then{also}"


def _learnt(found: "Difference") -> Iterator[str]:
    new = found.remembered("new")
    yield from _few(new, _memory)
    made = {one.id for one in new} | {one.id for one in found.remembered("restored")} | found.index.back
    made |= {one.id for one in found.memories if one.was}
    yield from _few(
        [line for line in found.index.gained if line.id not in made],
        lambda line: f"{line.id}  line in the index: {line.description}",
    )


def _brought_back(found: "Difference") -> Iterator[str]:
    yield from (_memory(one) for one in found.remembered("restored"))
    told = {one.id for one in found.memories}
    lines = [line for line in found.index.gained if line.id in found.index.back - told]
    yield from _few(lines, lambda line: f"{line.id}  line in the index: {line.description}")


def _let_go(found: "Difference") -> Iterator[str]:
    lost = [one for one in found.memories if one.kind in ("compressed", "pruned", "dormant", "gone")]
    yield from _few(lost, _memory)
    told = {one.id for one in lost}
    yield from _few(
        [line for line in found.index.lost if line.id not in told],
        lambda line: f"{line.id}  left the index: {line.description}",
    )


def _rewritten(found: "Difference") -> Iterator[str]:
    edited = found.remembered("edited")
    yield from _few(edited, lambda one: _memory(one) + (", by hand" if one.by_hand else ""))
    told = {one.id for one in found.memories}
    lines = [line for line in found.index.changed if line.id not in told]
    yield from _few(lines, lambda line: f"{line.id}  its line in the index: {line.description}")


def _memory(one: "Remembered") -> str:
    """A memory on one line: what it is called, what it was and is, in which size, and why."""
    forms = FORMS[one.after]
    if one.before and one.before != one.after:
        forms = f"{FORMS[one.before]} → {forms}"
    sizes = [f"{size:,}" for size in (one.tokens_before, one.tokens_after) if size is not None]
    tokens = f", {' → '.join(dict.fromkeys(sizes))} tokens" if sizes else ""
    why = f" ({one.reason})" if one.reason else f", {one.was} until then" if one.was else ""
    return f"{one.id}  {one_line(one.title)}: {forms}{tokens}{why}"


def _working(found: "Difference") -> Iterator[str]:
    working = found.working
    yield from _items(working.threads, "taken up", "done with")
    yield from _items(working.loops, "left open", "no longer open")
    for name, text in (("State", working.state), ("Calibration", working.calibration)):
        if text is not None:
            yield from _passage(name, text)


def _context(found: "Difference") -> Iterator[str]:
    for heading, text in found.context.items():
        yield from _passage(heading, text)


def _facts(found: "Difference") -> Iterator[str]:
    for name, text in found.facts.items():
        if text.before and text.after:
            yield f"{name}: {one_line(text.after, LONGEST)} (before: {one_line(text.before, LONGEST)})"
        else:
            yield f"{name}: {one_line(text.after or text.before, LONGEST)}{'' if text.after else ' (let go)'}"


def _intake(found: "Difference") -> Iterator[str]:
    intake = found.intake
    if intake.decided:
        yield "decided: " + ", ".join(f"{many:,} {PLACED[where]}" for where, many in intake.decided.items())
    if intake.before != intake.after:
        waits = "waits" if intake.after == 1 else "wait"
        yield f"{intake.after:,} {waits} to be decided (before: {intake.before:,})"


def _items(items: "Listed", opened: str, closed: str) -> Iterator[str]:
    yield from _few(items.opened, lambda text: f"{opened}: {one_line(text, LONGEST)}")
    yield from _few(items.closed, lambda text: f"{closed}: {one_line(text, LONGEST)}")
    yield from _few(items.reworded, lambda text: f"now put as: {one_line(text.after, LONGEST)}")


def _passage(name: str, text: "Text") -> Iterator[str]:
    yield f"{name}, before: {one_line(text.before, LONGEST) or 'nothing'}"
    yield f"{name}, after: {one_line(text.after, LONGEST) or 'nothing'}"


def _ring0(found: "Difference") -> Iterator[str]:
    for one in found.ring0:
        by = f"; your word: {', '.join(one.by)}" if one.by else ""
        yield f"{one.path}: {_many(one.added, 'line')} added, {one.removed:,} taken out{by}"


def _exemplars(found: "Difference") -> Iterator[str]:
    change = found.exemplars
    by = f" (your word: {', '.join(change.by)})" if change.by else ""
    for words, slugs in (
        ("new example", change.added),
        (f"example taken out{by}", change.removed),
        (f"example edited{by}", change.edited),
        ("now active", [slug for slug in change.activated if slug not in change.added]),
        ("resting now", [slug for slug in change.rested if slug not in change.removed]),
    ):
        if slugs:
            yield f"{words}: {', '.join(_few(slugs, str))}"
    if change.anchor is not None:
        yield f"anchor: {change.anchor.before or 'none'} → {change.anchor.after or 'none'}"


def _domain(found: "Difference") -> Iterator[str]:
    """Each table and what became of its rows."""
    for one in found.domain:
        counts = ((one.added, "added"), (one.changed, "changed"), (one.lost, "lost"))
        rows = ", ".join(f"{_many(number, 'row')} {what}" for number, what in counts if number)
        yield f"{one.table}: {', '.join(part for part in (one.became, rows) if part)}"


def _on_shelf(path: str) -> str:
    return one_line(path.removeprefix("shelf/"))


def _shelf(found: "Difference") -> Iterator[str]:
    """What came onto the shelf, changed there and left it."""
    change = found.shelf
    for words, paths in (
        ("added", change.added),
        ("changed", change.changed),
        ("taken off", change.dropped),
        ("noted anew", change.noted),
        ("summed up", change.summed_up),
        ("summaries gone", change.unsummed),
    ):
        if paths:
            yield f"{words}: {', '.join(_few(paths, _on_shelf))}"


def _tokens(opened: "OpenKit", found: "Difference") -> str:
    rows = []
    for ring, (before, after) in sorted(found.tokens.items(), key=lambda pair: list(LABELS).index(pair[0])):
        change = f"{after - before:+,}".replace("-", "−") if after != before else ""
        rows.append((LABELS[ring], f"{before:,}", f"{after:,}", change))
    return opened.console.table(("tokens, as packed", "before", "after", ""), rows, right=(1, 2, 3))


def _few(items: Sequence[T], tell: Callable[[T], str]) -> list[str]:
    if len(items) <= SHOWN + 1:
        return [tell(one) for one in items]
    return [*(tell(one) for one in items[:SHOWN]), f"and {len(items) - SHOWN:,} more (--json has them all)"]


def _many(number: int, one: str) -> str:
    return f"{number:,} {one}{'' if number == 1 else 's'}"
