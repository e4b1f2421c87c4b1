"""Trimming of what an app's window puts around a turn when a whole chat is selected and copied."""

import re
from collections.abc import Sequence

from reel_cli.core.frozen import frozen

_THOUGHT = re.compile(
    r"(?:Thought|Reasoned|Pondered) for (?:about )?"
    r"(?:[\d.,]+ ?[smh]\w*(?: (?:and )?[\d.,]+ ?[smh]\w*)?|an? \w+|a (?:few|couple of) \w+)"
)
"""Pattern of the heading of a folded piece of reasoning."""
_SPEED = re.compile(r"[\d.,]+ tok(?:ens)?/s(?:ec)?")
_STATISTICS = re.compile(
    rf"(?:{_SPEED.pattern}|[\d.,]+ tokens|[\d.,]+ ?s(?:ec)? to first token|Stop(?: reason)?: .{{1,60}}|•)"
)
"""Pattern of the statistics that LM Studio shows below an answer."""
_FOOTER = re.compile(
    r"(?:\w+(?: \w+)?) (?:can|may) make mistakes\..{0,80}|\w+ is AI and can make mistakes\..{0,80}"
)
"""Pattern of the footer that the big web apps show below the last turn."""
_DAY = re.compile(
    r"[A-Z][a-z]{2,8} \d{1,2}, \d{4},?(?: at)? \d{1,2}:\d{2}(?::\d{2})?(?:[ \u202f]?[AaPp][Mm])?"
)
_COUNTERS = re.compile(r"#\d{1,6}|\d{1,5}(?:\.\d{1,2})?s|\d{1,6}t")
"""Pattern of the counters SillyTavern shows beside a name: the turn's number, its duration, its tokens."""
_MOST_COUNTERS = 3


@frozen
class TrimmedTurn:
    """A turn's lines without what the window added; `time` is what it said of when, as it was written."""

    lines: Sequence[str]
    time: str | None = None
    added: str = ""
    """The first line that was left out; "" for none."""


def trim_copied(lines: Sequence[str], *, last: bool) -> TrimmedTurn:
    """Return a turn's lines without what the app's window shows around it.

    Only what stands at the turn's very edges, in the app's own words, is left out; `last` says that no
    turn follows. Lines are taken to begin and end with one that is not blank.
    """
    start, time = _beginning(lines)
    end = _end(lines, last=last)
    if start >= end:
        return TrimmedTurn(lines)
    gone = [*lines[:start], *lines[end:]]
    kept = lines[start:end]
    return TrimmedTurn(kept, time, next((line.strip() for line in gone if line.strip()), ""))


def _beginning(lines: Sequence[str]) -> tuple[int, str | None]:
    filled = [i for i, line in enumerate(lines[:12]) if line.strip()]
    at, time, counters = 0, None, 0
    for place, index in enumerate(filled[:-1]):
        line = lines[index].strip()
        if time is None and _DAY.fullmatch(line):
            time = line
        elif (time and counters < _MOST_COUNTERS and _COUNTERS.fullmatch(line)) or (
            not at and _THOUGHT.fullmatch(line)
        ):
            counters += 1
        else:
            break
        at = filled[place + 1]
    return at, time


def _end(lines: Sequence[str], *, last: bool) -> int:
    end = len(lines)
    if last and end and _FOOTER.fullmatch(lines[end - 1].strip()):
        end = _without_blank(lines, end - 1)
    at, speed = end, False
    while at and (not lines[at - 1].strip() or _STATISTICS.fullmatch(lines[at - 1].strip())):
        speed = speed or _SPEED.fullmatch(lines[at - 1].strip()) is not None
        at -= 1
    return _without_blank(lines, at) if speed else end


def _without_blank(lines: Sequence[str], end: int) -> int:
    while end and not lines[end - 1].strip():
        end -= 1
    return end
