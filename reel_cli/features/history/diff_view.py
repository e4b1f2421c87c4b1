"""The difference between two moments, as a person reads it: learnt, let go, changed; then the numbers."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.files.commit_message import tell_reason
from reel_cli.core.kit.kinds import LONGEST, tell_few, tell_passage
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.features.table import DIFF_NOW
from reel_cli.terminal.bundle_view import LABELS

if TYPE_CHECKING:
    from reel_cli.core.kit.moment_of_kit import KitMoment
    from reel_cli.features.history.diff import Difference, Grown
    from reel_cli.features.history.diff_files import ListChange
    from reel_cli.features.history.diff_memories import MemoryChange
    from reel_cli.terminal.open_kit import OpenKit

FORMS = {
    "L1": "full page",
    "L2": "shorter page",
    "L3": "a few lines",
    "L4": "one line",
    "stub": "line in the index",
    "": "nothing",
}
"""Names of the resolutions on screen."""


def render_difference(opened: "OpenKit", found: "Difference") -> str:
    """Return the whole screen."""
    console = opened.console

    def fold(line: str) -> str:
        inner = len(line) - len(line.lstrip())
        return console.wrap(line, console.out, hang=" " * (inner + 2 if inner else 0))

    parts = ["\n".join(map(fold, _heading(found)))]
    for heading, told in list_changes(found):
        parts.append("\n".join([heading, *(fold(f"  {line}") for line in told)]))
    if len(parts) == 1:
        parts.append("Nothing is different.")
    parts.append(_tokens(opened, found))
    return "\n\n".join(parts)


def list_changes(found: "Difference") -> Sequence[tuple[str, Sequence[str]]]:
    """Return the changes under their headings, without headings under which nothing is told."""
    sections: Sequence[tuple[str, Iterable[str]]] = (
        ("Recorded", _recorded(found)),
        ("New memories", _learnt(found)),
        ("Let go", _let_go(found)),
        ("Brought back", _brought_back(found)),
        ("Rewritten", _rewritten(found)),
        ("Where things stand", _working(found)),
        *_kinds(found, DIFF_NOW),
        ("Who it is", _ring0(found)),
        ("How it sounds", _exemplars(found)),
        *_kinds(found, found.other_kinds),
        (
            "Settings",
            (f"{one.key}: {one.before or 'not set'} → {one.after or 'not set'}" for one in found.settings),
        ),
    )
    told = [(heading, list(lines)) for heading, lines in sections]
    return [(heading, lines) for heading, lines in told if lines]


def _kinds(found: "Difference", keys: Sequence[str]) -> Iterator[tuple[str, Sequence[str]]]:
    """Yield the sections of these kinds of kit file."""
    there = (found.kinds[key] for key in keys if key in found.kinds)
    yield from ((one.heading, one.lines) for one in there)


def _heading(found: "Difference") -> Iterator[str]:
    start = _when(found.start) if found.start is not None else "the beginning"
    end = _when(found.end) if found.end is not None else "now"
    zone = found.start.zone if found.start is not None else ""
    yield f"From {start} to {end} ({zone}): {tell_many(found.changes, 'change')}."
    if found.uncommitted:
        verb = "is" if found.uncommitted == 1 else "are"
        yield f"{tell_many(found.uncommitted, 'file')} {verb} not committed yet."


def _when(then: "KitMoment") -> str:
    if then.day is not None:
        return f"the end of {day_in_words(then.day)} ({then.short})"
    return f"{day_in_words(then.recorded.date())}, {then.recorded:%H:%M} ({then.short})"


def _recorded(found: "Difference") -> Iterator[str]:
    tape = found.tape
    if tape.sessions or tape.grown:
        sessions = tell_many(len(tape.sessions), "new chat") if tape.sessions else "no new chat"
        yield f"{sessions}, {tell_many(tape.messages, 'message')}"
        yield from tell_few(tape.sessions, lambda one: f"{one.session}: {tell_many(one.after, 'message')}")
        yield from tell_few(tape.grown, _grown)
    if found.checkpoints:
        yield tell_many(len(found.checkpoints), "page")
    if tape.corrections > 0:
        yield f"{tell_many(tape.corrections, 'correction')} of what was said"
    yield from tell_few(
        tape.purged, lambda one: f"{one[0]}: words of {tell_many(one[1], 'message')} were purged, for good"
    )
    yield from tell_few(tape.retracted, lambda session: f"{session} was taken back")
    yield from tell_few(tape.reinstated, lambda session: f"{session} counts again")
    if tape.grown_up:
        yield "the persona is mature now, and old memories may fade"


def _grown(one: "Grown") -> str:
    """Return a changed session: how far it continued, or its old name."""
    on = f"{one.before:,} → {one.after:,} messages"
    if not one.was:
        return f"{one.session} went on: {on}"
    also = f", and went on: {on}" if one.before != one.after else ""
    return f"{one.session} was called {one.was} until then{also}"


def _learnt(found: "Difference") -> Iterator[str]:
    new = found.remembered("new")
    yield from tell_few(new, _memory)
    made = {one.id for one in new} | {one.id for one in found.remembered("restored")} | found.index.back
    made |= {one.id for one in found.memories if one.was}
    yield from tell_few(
        [line for line in found.index.gained if line.id not in made],
        lambda line: f"{line.id}  line in the index: {line.description}",
    )


def _brought_back(found: "Difference") -> Iterator[str]:
    yield from (_memory(one) for one in found.remembered("restored"))
    told = {one.id for one in found.memories}
    lines = [line for line in found.index.gained if line.id in found.index.back - told]
    yield from tell_few(lines, lambda line: f"{line.id}  line in the index: {line.description}")


def _let_go(found: "Difference") -> Iterator[str]:
    lost = [one for one in found.memories if one.kind in ("compressed", "pruned", "dormant", "gone")]
    yield from tell_few(lost, _memory)
    told = {one.id for one in lost}
    yield from tell_few(
        [line for line in found.index.lost if line.id not in told],
        lambda line: f"{line.id}  left the index: {line.description}",
    )


def _rewritten(found: "Difference") -> Iterator[str]:
    edited = found.remembered("edited")
    yield from tell_few(edited, lambda one: _memory(one) + (", by hand" if one.by_hand else ""))
    told = {one.id for one in found.memories}
    lines = [line for line in found.index.changed if line.id not in told]
    yield from tell_few(lines, lambda line: f"{line.id}  its line in the index: {line.description}")


def _memory(one: "MemoryChange") -> str:
    """Return a memory on one line: its name, its old and new form, its sizes, and the reason."""
    forms = FORMS[one.after]
    if one.before and one.before != one.after:
        forms = f"{FORMS[one.before]} → {forms}"
    sizes = [f"{size:,}" for size in (one.tokens_before, one.tokens_after) if size is not None]
    tokens = f", {' → '.join(dict.fromkeys(sizes))} tokens" if sizes else ""
    why = f" ({tell_reason(one.reason)})" if one.reason else f", {one.was} until then" if one.was else ""
    return f"{one.id}  {one_line(one.title)}: {forms}{tokens}{why}"


def _working(found: "Difference") -> Iterator[str]:
    working = found.working
    yield from _items(working.threads, "new", "done")
    yield from _items(working.loops, "open", "no longer open")
    for name, text in (("State", working.state), ("Calibration", working.calibration)):
        if text is not None:
            yield from tell_passage(name, text.before, text.after)


def _items(items: "ListChange", opened: str, closed: str) -> Iterator[str]:
    yield from tell_few(items.opened, lambda text: f"{opened}: {one_line(text, LONGEST)}")
    yield from tell_few(items.closed, lambda text: f"{closed}: {one_line(text, LONGEST)}")
    yield from tell_few(items.reworded, lambda text: f"reworded: {one_line(text.after, LONGEST)}")


def _ring0(found: "Difference") -> Iterator[str]:
    for one in found.ring0:
        by = f"; approved by {', '.join(one.by)}" if one.by else ""
        yield f"{one.path}: {tell_many(one.added, 'line')} added, {one.removed:,} removed{by}"


def _exemplars(found: "Difference") -> Iterator[str]:
    change = found.exemplars
    by = f" (approved by {', '.join(change.by)})" if change.by else ""
    for words, slugs in (
        ("new example", change.added),
        (f"example removed{by}", change.removed),
        (f"example edited{by}", change.edited),
        ("now in use", [slug for slug in change.activated if slug not in change.added]),
        ("no longer in use", [slug for slug in change.rested if slug not in change.removed]),
    ):
        if slugs:
            yield f"{words}: {', '.join(tell_few(slugs, str))}"
    if change.anchor is not None:
        yield f"anchor: {change.anchor.before or 'none'} → {change.anchor.after or 'none'}"


def _tokens(opened: "OpenKit", found: "Difference") -> str:
    rows = []
    for ring, (before, after) in sorted(found.tokens.items(), key=lambda pair: list(LABELS).index(pair[0])):
        change = f"{after - before:+,}".replace("-", "−") if after != before else ""
        rows.append((LABELS[ring], f"{before:,}", f"{after:,}", change))
    return opened.console.table(("tokens in a bundle", "before", "after", ""), rows, right=(1, 2, 3))
