"""A read reply as a checkpoint: verdicts, rotation and notes, typed (REEL §6.6).

A verdict that is absent, negated or given twice over is unsure; none is guessed from the mood of the rest.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.exchange.consolidation import without_denials
from reel_cli.core.exchange.reader.reply import ReplyReading, answers
from reel_cli.core.exchange.schema import BRIEF_PARTS, COMBINED
from reel_cli.core.values.artifact import Checkpoint, Delta, Problem, Verdict
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import says_no_more
from reel_cli.features.page.notes.working_notes import as_new_notes, parse_notes
from reel_cli.features.page.reply.coherence import read_coherence
from reel_cli.features.page.reply.reported_drift import read_detected, read_drift
from reel_cli.features.page.reply.rotation import NO_SLUGS, read_rotation
from reel_cli.features.page.reply.significance_flags import read_flags
from reel_cli.features.page.reply.suggested_change import suggests_change


def tell_unmatched(line: str) -> str:
    """Return the sentence on a note that names no note there is."""
    return f"this note matches nothing: {line}"


def parse_checkpoint(
    reading: ReplyReading,
    items: Sequence[Item],
    titles: Sequence[str],
    others: Sequence[Item] = (),
    slugs: Mapping[str, str] = NO_SLUGS,
) -> tuple[Checkpoint, list[Problem]]:
    """Type a reading's checkpoint fields.

    `items` are ring 2's as the prompt numbered them, `others` those that it did not show, `titles` the pool's
    exemplar titles, and `slugs` those by the names of their files. An absent or negated verdict is unsure;
    what matches nothing changes nothing and is named.
    """
    problems: list[Problem] = []
    drift, drift_text = _drift(reading, problems)
    delta = parse_notes(reading.text("notes"), items, others)
    problems.extend(Problem("notes", tell_unmatched(line)) for line in delta.unmatched)
    show, rest = read_rotation(reading.lines("show"), titles, slugs)
    fade, promoted = read_flags(reading.lines("fade"))
    promoted = tuple(next(iter(quotations(one)), one) for one in promoted)
    paper_text = reading.text("paper")
    return (
        Checkpoint(
            coherence=read_coherence(reading.text("coherence")),
            coherence_text=reading.text("coherence"),
            calibration="" if reading.empty("calibration") else reading.text("calibration"),
            drift=drift,
            drift_text=drift_text,
            paper=suggests_change(paper_text) and not reading.empty("paper"),
            paper_text=paper_text,
            show=tuple(dict.fromkeys((*show, *promoted))),
            rest=rest,
            delta=delta,
            open_loops=_loops(reading, delta),
            flags=fade,
            timestamp=reading.text("timestamp").strip(),
            given={key: reading.text(key) for key in reading.values},
        ),
        problems,
    )


def parse_brief(
    reading: ReplyReading,
    items: Sequence[Item],
    titles: Sequence[str],
    others: Sequence[Item] = (),
    slugs: Mapping[str, str] = NO_SLUGS,
) -> tuple[Checkpoint, list[Problem]]:
    """Type the reply to the prompt for a short page, which may hold more of a page than was asked for.

    Its notes are new ones where the prompt showed none, whatever numbers they have.
    """
    numbered = bool(items) and len(reading.values) > len(BRIEF_PARTS)
    if not numbered and not reading.empty("notes") and (notes := reading.values.get("notes")) is not None:
        reading = replace(
            reading, values={**reading.values, "notes": replace(notes, text=as_new_notes(notes.lines))}
        )
    checkpoint, problems = parse_checkpoint(reading, items, titles, others, slugs)
    whole = all(answers(spec, reading.values) for spec in COMBINED.fields if spec.required)
    return replace(checkpoint, short=not whole), problems


def _drift(reading: ReplyReading, problems: list[Problem]) -> tuple[Verdict, str]:
    """Return the verdict on drift, from the protocol's yes or no, or the words; and those words."""
    text = reading.text("shifted")
    described = "" if reading.empty("drift_description") else reading.text("drift_description")
    detected = read_detected(reading.text("drift_detected"))
    if detected is not None:
        told = "\n".join(part for part in (text, described) if part)
        return detected, told or (reading.text("drift_detected") if detected is Verdict.YES else "")
    if reading.empty("shifted"):
        return Verdict.NO, text
    text = text or described
    verdict, wrong = read_drift(text)
    if wrong and text:
        problems.append(Problem("shifted", wrong))
    return verdict, text


def _loops(reading: ReplyReading, delta: Delta) -> tuple[str, ...]:
    """Return the threads carried forward: those listed as open, else those left unresolved."""
    found: list[str] = []
    for line in without_denials((*reading.lines("open_loops"), *reading.lines("unresolved"))):
        if not any(says_no_more(line, other) for other in (*found, *delta.new)):
            found.append(line)
    return tuple(found)
