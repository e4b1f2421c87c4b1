"""`dream compare --ratings`: what people's marks amount to, and no more than they bear."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.features.dream.comparing.comparison import (
    FEW,
    PAIRS,
    STARTS,
    Comparison,
    Marks,
    Measure,
    Start,
    Verdict,
    judge,
)
from reel_cli.features.dream.comparing.intervals import LEVEL, Estimate
from reel_cli.features.dream.comparing.key_file import KEY, key_name, parse_key
from reel_cli.features.dream.comparing.rating_sheet import parse_sheet, row_name, sheet_name

MEASURES = {Measure.COHERENCE: "Cold-start coherence", Measure.ACCURACY: "Relational accuracy"}
NAMES = {Start.STORY: "story", Start.SUMMARIES: "summaries", Start.IDENTITY: "identity only"}
PROTOCOL = {Start.IDENTITY: "A", Start.SUMMARIES: "B", Start.STORY: "C"}
"""Names of the starts in the Dream Weaver document."""


@dataclass(frozen=True, slots=True)
class ComparisonResult:
    """The result of a comparison: `missing` are the ratings that were not given, as `row measure`."""

    comparison: Comparison
    verdict: Verdict
    raters: int
    missing: tuple[str, ...]
    notes: tuple[str, ...]


def name_of(text: str, shown: str) -> str:
    """Return the name of a sheet's comparison; raises ReelError if it is no sheet."""
    found = sheet_name(text)
    if found is None:
        message = f"{shown} is not a rating sheet."
        raise ReelError(message, hint="give the sheet.csv that  reel dream compare --questions FILE  made")
    return found


def take_marks(sheets: Sequence[tuple[str, str]], keys: Sequence[str], *, laid_out: bool) -> ComparisonResult:
    """Judge a comparison by one sheet a person, each as (what to call it, its text).

    `keys` are the texts of such keys as lie beside the sheets; `laid_out` says whether the answers lie there
    as well. Raises ReelError where a sheet or the key cannot be used, or nothing is marked.
    """
    name = name_of(sheets[0][1], sheets[0][0])
    key = next((text for text in keys if key_name(text) == name), None)
    if key is None:
        message = f"The key of the comparison {name} is missing, so the answers cannot be told apart."
        raise ReelError(message, hint=f"name the folder that {KEY} lies in, with  --out FOLDER")
    comparison = parse_key(key)
    marks = [parse_sheet(text, shown, comparison) for shown, text in sheets]
    verdict = judge(comparison, marks)
    if not verdict.given:
        message = "Nothing is marked yet."
        raise ReelError(message, hint="put a number from 1 to 5 into the columns coherence and accuracy")
    missing = tuple(_missing(comparison, sheets, marks))
    notes = tuple(_notes(comparison, verdict, len(sheets), laid_out=laid_out))
    return ComparisonResult(comparison, verdict, len(sheets), missing, notes)


def _missing(
    comparison: Comparison, sheets: Sequence[tuple[str, str]], marks: Sequence[Marks]
) -> Sequence[str]:
    several = len(sheets) > 1
    return [
        f"{f'{shown}: ' if several else ''}{row_name(comparison, row[0], letter)} {measure}"
        for (shown, _), given in zip(sheets, marks, strict=True)
        for row in sorted(given, key=lambda r: (r[0], comparison.letter_of(*r)))
        for letter in [comparison.letter_of(*row)]
        for measure in Measure
        if measure not in given[row]
    ]


def _notes(comparison: Comparison, verdict: Verdict, raters: int, *, laid_out: bool) -> Sequence[str]:
    notes = []
    count = len(comparison.questions)
    if not laid_out:
        notes.append("The answers are not here, so it is unknown what these marks are for.")
    if count < FEW:
        told = "1 question says" if count == 1 else f"{count} questions say"
        notes.append(f"{told} little; ask {FEW} or more to be surer.")
    every = [one for by_pair in verdict.differences.values() for one in by_pair.values()]
    if any(one is None or one.low is None for one in every):
        notes.append("Where there is no interval, there were too few marks, or they were all alike.")
    told = "one person" if raters == 1 else f"{raters} people"
    notes.append(
        f"The intervals are for other questions like these, rated by {told}; each beginning was tried in one"
        " chat, and another chat or another model may differ."
    )
    return notes


def in_words(found: Mapping[tuple[Start, Start], Estimate | None]) -> str:
    """Return the result for the story against the summaries, in a sentence."""
    pair = PAIRS[0]
    one = found[pair]
    if one is None:
        return "No question has a mark for both the story and the summaries."
    if one.low is None:
        if one.n < 2:
            return "One question is not enough to tell the story and the summaries apart."
        if not one.mean:
            return "The story and the summaries were marked alike, question by question."
        return f"Every question sets the story {_apart(one.mean)} the summaries, and by as much."
    if one.above_zero is None:
        return "The story and the summaries cannot be told apart by these marks."
    return f"The story was marked {'above' if one.above_zero else 'below'} the summaries."


def _apart(mean: float) -> str:
    return "above" if mean > 0 else "below"


def judged_json(judged: ComparisonResult) -> dict[str, object]:
    """Return the result as JSON."""
    verdict = judged.verdict
    return {
        "comparison": judged.comparison.name,
        "questions": len(judged.comparison.questions),
        "raters": judged.raters,
        "chats": [start.value for start in judged.comparison.chats],
        "method": "Student's t over the questions; differences are paired",
        "level": LEVEL,
        "means": {
            measure.value: {start.value: _values(verdict.means[measure][start]) for start in STARTS}
            for measure in Measure
        },
        "differences": {
            measure.value: {
                f"{one.value}-{other.value}": _values(verdict.differences[measure][one, other])
                for one, other in PAIRS
            }
            for measure in Measure
        },
        "marks": {"given": verdict.given, "asked": verdict.asked, "missing": list(judged.missing)},
        "tokens": {start.value: judged.comparison.tokens[start] for start in STARTS},
        "notes": list(judged.notes),
    }


def _values(found: Estimate | None) -> dict[str, float | int | None] | None:
    if found is None:
        return None
    rounded = (None if edge is None else round(edge, 4) for edge in (found.low, found.high))
    low, high = rounded
    return {"mean": round(found.mean, 4), "low": low, "high": high, "n": found.n}
