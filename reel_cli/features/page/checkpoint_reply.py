"""A read reply as a checkpoint: the persona's own assessment, typed (REEL §6.6)."""

from collections.abc import Sequence

from reel_cli.core.evidence.phrases import QUOTED, quotations
from reel_cli.core.exchange.consolidation import without_denials
from reel_cli.core.exchange.reader.reply import Reading
from reel_cli.core.values.artifact import Checkpoint, Delta, Problem, Verdict
from reel_cli.core.values.working import Item
from reel_cli.features.page.rotation import read_rotation
from reel_cli.features.page.verdicts import read_coherence, read_detected, read_drift, suggests_change
from reel_cli.features.page.working_notes import parse_notes, same_item


def parse_checkpoint(
    reading: Reading, items: Sequence[Item], titles: Sequence[str]
) -> tuple[Checkpoint, list[Problem]]:
    """Type a reading's checkpoint fields.

    `items` are ring 2's as the prompt numbered them, `titles` the pool's exemplar titles. An
    absent or negated verdict is unsure; what matches nothing changes nothing and is named.
    """
    problems: list[Problem] = []
    drift, drift_text = _drift(reading, problems)
    delta = parse_notes(reading.text("notes"), items)
    problems.extend(Problem("notes", f"this note matches nothing: {line}") for line in delta.unmatched)
    show, rest = read_rotation(reading.lines("show"), titles)
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
            show=show,
            rest=rest,
            delta=delta,
            open_loops=_loops(reading, delta),
            flags=_flags(reading.lines("fade")),
            timestamp=reading.text("timestamp").strip(),
            given={key: reading.text(key) for key in reading.values},
        ),
        problems,
    )


def _drift(reading: Reading, problems: list[Problem]) -> tuple[Verdict, str]:
    """Return the verdict on drift, from the protocol's yes or no, or the words; and those words."""
    text = reading.text("shifted")
    detected = read_detected(reading.text("drift_detected"))
    if detected is not None:
        told = "\n".join(part for part in (text, reading.text("drift_description")) if part)
        return detected, told or (reading.text("drift_detected") if detected is Verdict.YES else "")
    if reading.empty("shifted"):
        return Verdict.NO, text
    text = text or reading.text("drift_description")
    verdict, wrong = read_drift(text)
    if wrong and text:
        problems.append(Problem("shifted", wrong))
    return verdict, text


def _flags(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the moments that must not fade; a line of several quotations counts as several."""
    found: list[str] = []
    for line in lines:
        said = quotations(line)
        bare = QUOTED.sub(" ", line)
        found.extend(said if len(said) > 1 and len(bare.split()) <= len(said) else [line])
    return tuple(dict.fromkeys(found))


def _loops(reading: Reading, delta: Delta) -> tuple[str, ...]:
    """Return the threads carried forward: those listed as open, else those left unresolved."""
    found: list[str] = []
    for line in without_denials((*reading.lines("open_loops"), *reading.lines("unresolved"))):
        if not any(same_item(line, other) for other in (*found, *delta.new)):
            found.append(line)
    return tuple(found)
