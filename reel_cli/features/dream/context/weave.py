"""Checks of a new shared context against the tape and the room there is for it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.files import working_file
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.resting_parts import standing_working
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.core.values.source import Ranges
from reel_cli.features.dream.batch_checks import Checks, EarlierWork
from reel_cli.features.dream.context.files import parse_context, render_context
from reel_cli.features.dream.context.headings import LABELS
from reel_cli.features.dream.context.reply import too_long
from reel_cli.features.dream.context.shared_context import (
    MOST_CHARACTERS,
    MOST_LINES,
    PARTS,
    SPAN,
    ContextBasis,
    Place,
)
from reel_cli.features.dream.context.state import read_standing_context
from reel_cli.features.dream.earlier_story import in_force
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.missed_file import MISSED
from reel_cli.features.dream.story.resting_chapters import list_told
from reel_cli.features.dream.story.resting_threads import list_standing
from reel_cli.features.dream.story.source import read_prints
from reel_cli.features.facts.files import FACTS

_SENTENCES = {"now": 3, "person": 3}
"""Sentences that each part was asked for in, at most."""
_POINTS = (5, 10)
_MUCH = 30
"""Messages from which on so few points leave much out."""
Parts = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Woven:
    """The five parts as they would stand, and what is to be known of them before they are kept."""

    parts: Parts
    problems: tuple[Problem, ...] = ()


def hold_context(snapshot: Snapshot, parts: Parts, heard: Mapping[str, Ranges]) -> Woven:
    """Return the parts with quotations as they were said, and what `heard` does not support.

    What the page said until now, the story and the notes say needs no second source.
    """
    before = [read_standing_context(snapshot), snapshot.text(FACTS) or ""]
    before += [chapter.text for chapter in list_told(snapshot, in_force(snapshot, HISTORY))]
    before += [thread.text for thread in list_standing(snapshot, in_force(snapshot, MISSED))]
    before.append(standing_working(snapshot, working_file.read_body(snapshot.text(WORKING) or "")))
    doubted = read_prints(snapshot.read(in_force(snapshot, HISTORY)) or b"").doubted
    checks = Checks(snapshot, heard, EarlierWork(before, doubted=doubted))
    problems: list[Problem] = []
    held: dict[str, tuple[str, ...]] = {}
    for key, lines in parts.items():
        mended = [checks.mend_quotes(line) for line in lines]
        held[key] = tuple(text for text, _ in mended if text)
        problems += [problem for _, found in mended for problem in found]
    sure = [line for key in ("now", "hours", "person") for line in held.get(key, ())]
    unsettled = [line for key in ("blocked", "next") for line in held.get(key, ())]
    problems += checks.claims(sure, unsettled)
    return Woven(held, tuple(problems))


def measure_parts(parts: Parts, heard: Mapping[str, Ranges]) -> Sequence[Problem]:
    """Return the parts that are not of the size they were asked for in, and points that are older than that.

    `heard` is what the prompt showed: few points are worth a word only where much was said.
    """
    if not heard:
        return ()
    found: list[Problem] = []
    for key, most in _SENTENCES.items():
        text = even(" ".join(parts.get(key, ())))
        number = sum(1 for _ in sentences(text))
        if number > most:
            what = f"“{LABELS[key]}” has {number} sentences; {most} at most were asked for"
            found.append(Problem(key, what))
    points = parts.get("hours", ())
    said = sum(last - first + 1 for ranges in heard.values() for first, last in ranges)
    few, many = _POINTS
    if len(points) > many or (len(points) < few and said >= _MUCH):
        what = f"“{LABELS['hours']}” has {tell_many(len(points), 'point')}; five to ten were asked for"
        found.append(Problem("hours", what))
    newest = date.fromisoformat(max(heard)[:10])
    for point in points:
        ends = [last for one in dates(even(point), newest) if one.weekday is None for _, last in one.spans]
        if ends and max(ends) < newest - SPAN - timedelta(days=1):
            what = f"“{one_line(point, 60)}” is older than the last 48 hours"
            found.append(Problem("hours", what))
    return found


def find_too_long(before: str, parts: Parts, known: ContextBasis) -> tuple[str, ...]:
    """Return the parts that must be shorter for the file to fit; () if it fits."""
    made = parse_context(render_context(before, {**dict.fromkeys(PARTS, ()), **parts}, known))
    if made.lines <= MOST_LINES and made.characters <= MOST_CHARACTERS:
        return ()
    return too_long(parts)


def show_parts(parts: Parts) -> list[str]:
    """Return the five parts, for a person."""
    shown: list[str] = []
    for key, lines in parts.items():
        shown.append(f"{LABELS[key]}:" if lines else f"{LABELS[key]}: nothing")
        shown += [f"  {one_line(line)}" for line in lines]
    return shown


def day_of(place: Place) -> str:
    """Return the day of a message in words."""
    return day_in_words(place.when.date())


def in_order(parts: Parts, order: Sequence[str]) -> dict[str, tuple[str, ...]]:
    """Return the parts in the order they are asked for."""
    return {key: parts[key] for key in order if key in parts}
