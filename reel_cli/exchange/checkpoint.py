"""A read reply as a checkpoint: the persona's own assessment, typed (REEL §6.6)."""

import re
from collections.abc import Sequence

from reel_cli.exchange.notes import parse_notes, same_item
from reel_cli.exchange.phrases import fold
from reel_cli.exchange.reader import Reading
from reel_cli.model.artifact import Checkpoint, Delta, Problem, Verdict
from reel_cli.model.working import Item

_COHERENCE = (
    (
        Verdict.UNSURE,
        (
            r"(?:i )?(?:can'?t|cannot|can not|couldn't) (?:quite )?(?:tell|say)|unsure|not sure"
            r"|unclear|uncertain|hard to (?:say|tell)|don't know"
        ),
    ),
    (
        Verdict.PARTLY,
        (
            r"partly|partially|mostly|somewhat|in part|not (?:quite|entirely|fully|wholly)|more or less"
            r"|kind of|almost"
        ),
    ),
    (Verdict.NO, r"no\b|not\b|nope|hardly|barely|false"),
    (
        Verdict.YES,
        (
            r"yes|yeah|yep|very much|fully|entirely|wholly|completely|still (?:me|myself|\w+)|i am|i'm|strong"
            r"|intact|stable|high|solid|coherent|true"
        ),
    ),
)
_STEADY = r"steady|stable|no drift|not shifted|nothing (?:has )?shifted|no shift|none|unchanged|consistent"
_SHIFTED = (
    r"(?:(?:slightly|somewhat|a bit|a little|mostly|clearly|i|it|has|have|something) )*"
    r"(?:shifted|drifted|drift detected|slipped)(?: (?:slightly|somewhat|a bit|a little))?"
)
_UNSURE = r"unsure|uncertain|can'?t tell|cannot tell|not sure"
_NO = re.compile(
    r"\W*(?:no\b|not\b|nothing\b|none\b|false\b|never\b|n/?a\b|nope\b|i (?:wouldn't|would not|won't)\b"
    r"|(?:leave|keep) it\b|unchanged\b|as it is\b|it (?:still )?(?:holds|stands|fits)\b)",
    re.IGNORECASE,
)
_NONE = re.compile(r"(?:nothing|none|no exchange|not today)\b|.*\b(?:can|may|all) stay\b", re.IGNORECASE)
_REST = re.compile(
    r"\b(?:rest|rests|resting|retire|retired|swap(?:ped)? out|rotate(?:d)? out|drop|remove|out|away)\b",
    re.IGNORECASE,
)


def parse_checkpoint(
    reading: Reading, items: Sequence[Item], titles: Sequence[str]
) -> tuple[Checkpoint, list[Problem]]:
    """Type a reading's checkpoint fields.

    `items` are ring 2's as the prompt numbered them, `titles` the pool's exemplar titles. An
    absent or negated verdict is unsure; what matches nothing changes nothing and is named.
    """
    problems: list[Problem] = []
    drift, drift_text = _drift(reading)
    delta = parse_notes(reading.text("notes"), items)
    problems.extend(Problem("notes", f"this note matches nothing: {line}") for line in delta.unmatched)
    show, rest = _rotation(reading.lines("show"), titles)
    paper_text = reading.text("paper")
    return (
        Checkpoint(
            coherence=_coherence(reading.text("coherence")),
            coherence_text=reading.text("coherence"),
            calibration="" if reading.empty("calibration") else reading.text("calibration"),
            drift=drift,
            drift_text=drift_text,
            paper=bool(paper_text) and not reading.empty("paper") and not _NO.match(paper_text),
            paper_text=paper_text,
            show=show,
            rest=rest,
            delta=delta,
            open_loops=_loops(reading, delta),
            flags=reading.lines("fade"),
            timestamp=reading.text("timestamp").strip(),
            given={key: reading.text(key) for key in reading.values},
        ),
        problems,
    )


def _coherence(text: str) -> Verdict:
    """The first verdict in the first sentence; none there means unsure."""
    head = fold(text).lstrip("\"'*-. ")
    sentence = re.split(r"(?<=[.!?;])\s|,", head, maxsplit=1)[0][:120]
    if re.match(
        r"(?:yes|yeah)\W+(?:but |and |and no|well )?(?:only )?(?:partly|partially|mostly|somewhat|in part)\b",
        head,
    ):
        return Verdict.PARTLY
    for verdict, pattern in _COHERENCE:
        if re.match(rf"(?:{pattern})", sentence):
            return verdict
    for verdict, pattern in (_COHERENCE[0], _COHERENCE[1], _COHERENCE[3]):
        if re.search(rf"\b(?:{pattern})", sentence):
            return verdict
    return Verdict.UNSURE


def _drift(reading: Reading) -> tuple[Verdict, str]:
    """The verdict on drift, from the last line's word, or from the protocol's yes or no."""
    text = reading.text("shifted")
    said = fold(reading.text("drift_detected")).strip(" .\"'")
    description = reading.text("drift_description")
    whole = "\n".join(part for part in (text, description) if part)
    if said:
        if re.match(r"(?:yes|true|shifted|y\b)", said):
            return Verdict.YES, whole or reading.text("drift_detected")
        if re.match(r"(?:no|false|steady|none|n\b)", said):
            return Verdict.NO, whole
        if re.match(rf"(?:{_UNSURE})", said):
            return Verdict.UNSURE, whole
    lines = [fold(line).strip(" .*\"'`_") for line in text.splitlines() if line.strip()]
    for line in reversed(lines[-3:]):
        word = re.sub(r"^(?:verdict|overall|in a word|one word|answer)\s*[:-]\s*", "", line)
        for verdict, pattern in ((Verdict.UNSURE, _UNSURE), (Verdict.NO, _STEADY), (Verdict.YES, _SHIFTED)):
            if re.fullmatch(pattern, word):
                return verdict, text
    tail = lines[-1] if lines else ""
    if reading.empty("shifted") and "shifted" in reading.values:
        return Verdict.NO, text
    closing = re.search(rf"(?:[.!?;:-]|\u2014)\s*({_UNSURE}|{_STEADY}|{_SHIFTED})$", tail)
    if closing:
        word = closing[1]
        if re.fullmatch(_UNSURE, word):
            return Verdict.UNSURE, text
        return (Verdict.NO if re.fullmatch(_STEADY, word) else Verdict.YES), text
    if re.search(r"\b(?:nothing (?:has )?shifted|no drift|has not shifted|hasn't shifted)\b", fold(text)):
        return Verdict.NO, text
    return Verdict.UNSURE, text


def _rotation(lines: Sequence[str], titles: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What to show again (titles or first lines) and what to rest (titles)."""
    show: list[str] = []
    rest: list[str] = []
    for line in lines:
        for part in re.split(r"\s*;\s*|,\s+(?=and (?:let|rest|retire|bring))", line):
            named = [title for title in titles if len(title) > 2 and fold(title) in fold(part)]
            if named:
                (rest if _REST.search(part) else show).extend(named)
            elif part.strip() and not _REST.match(part.strip()) and not _NONE.match(part.strip()):
                show.append(part.strip())
    return tuple(dict.fromkeys(show)), tuple(dict.fromkeys(rest))


def _loops(reading: Reading, delta: Delta) -> tuple[str, ...]:
    """The threads carried forward: those listed as open, else those left unresolved."""
    found: list[str] = []
    for line in (*reading.lines("open_loops"), *reading.lines("unresolved")):
        if not any(same_item(line, other) for other in (*found, *delta.new)):
            found.append(line)
    return tuple(found)
