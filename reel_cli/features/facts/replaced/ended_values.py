"""Facts that are over: since when, and by which words, as a person and a persona read it."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from reel_cli.core.moment import day_in_words, read_day
from reel_cli.core.pack.words import known
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import PURGED
from reel_cli.features.facts.fact import RENAMED, Fact
from reel_cli.features.facts.policy import (
    PERSON,
    current_facts,
    fact_id,
    fact_name,
    is_own,
    same_value,
)
from reel_cli.features.facts.statement import rows_of, strip_said

_LONGEST = 120
"""Number of characters of the words that ended a fact, at most."""


class EndedFact(NamedTuple):
    """A fact that nothing replaced when it ended, and all that was noted of it.

    `statement` is its last value as a bundle told it, `end` since when it is over and by which words; `since`
    is the message with these words, "" where nobody said them.
    """

    id: str
    key: str
    statement: str
    end: str
    since: str
    noted: Sequence[Fact]

    def line(self) -> str:
        """Return the line that answers a question for it."""
        end, _, words = self.end.partition(" (")
        return f"{end[:1].upper()}{end[1:]}: {self.statement}{f' ({words}' if words else ''}"


def list_ended(facts: Sequence[Fact], user: str) -> Iterator[EndedFact]:
    """Yield what is over; neither the persona's own life nor what goes on under another name or kind."""
    held = {fact_name(one)[1] for one in current_facts(facts)}
    for name in dict.fromkeys(fact_name(one) for one in facts if one.dropped):
        course = [one for one in facts if fact_name(one) == name]
        end, noted = course[-1], [one for one in course if not one.dropped]
        last = next((one for one in reversed(noted) if same_value(one.value, end.value)), end)
        told = f"{last.key} {last.value} {last.statement}"
        if not end.dropped or end.dropped.startswith(RENAMED) or name[1] in held or PURGED in told:
            continue
        if any(map(is_own, course)):
            continue
        [row] = rows_of([last], user)
        statement = strip_said(known(row.key, row.value) if row.key else row.value)
        since = end.source if end.evidence else ""
        yield EndedFact(fact_id(last), last.key, statement, _tell_end(end), since, noted)


def _tell_end(end: Fact) -> str:
    """Return since when a fact is over, and by which words; where a person let it go, since when."""
    said = end.evidence and PURGED not in end.evidence
    day = read_day(end.source if end.evidence else end.when) or read_day(end.when)
    when = day_in_words(day) if day is not None else ""
    if end.origin == PERSON and not end.evidence:
        return f"let go{f' on {when}' if when else ''}"
    since = f" since {when}" if when else ""
    return f"over{since}{f' (“{one_line(end.evidence, _LONGEST)}”)' if said else ''}"
