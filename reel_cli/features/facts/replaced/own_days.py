"""Days of the thing itself that an old value names: on which it was, and since when another value holds.

The chat in which an exam of September was let go may be in November; a mark tells the day of the exam.
"""

from collections.abc import Collection, Iterable
from datetime import date, timedelta

from reel_cli.core.evidence.days.passed_days import last_day_of
from reel_cli.core.evidence.days.said_days import MONTH_AND_MORE
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.frozen import late
from reel_cli.core.moment import read_day
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import category_of, guards_health, is_own
from reel_cli.features.facts.replaced.line_tokens import tokens_in

_DUE = late(r"(?i)\b(?:by|before|within|due(?: on| by)?)\s+(?:the\s+)?(?:\w+day,?\s+)?(?:the\s+)?$")
"""Pattern of what stands before the last day for a thing, on which it may long have been done."""
_SINCE = late(
    r"(?i)\b(?:since|(?<!moved )(?<!changed )(?<!put off )(?<!postponed )from|starting|started|as of)"
    r"\s+(?:on\s+)?(?:the\s+)?(?:\w+day,?\s+)?$"
)


def read_own_day(fact: Fact, value: str) -> date | None:
    """Return the day for which a value of a fact is, by its own words; None where it names no single day.

    A number alone is that of the first such day from when it was noted: `until the 20th`.
    """
    noted = read_day(fact.source) or read_day(fact.when)
    statement = fact.statement if fact.value == value else ""
    for told in filter(None, (statement, f"{fact.key.replace('_', ' ')}: {value}")):
        plain = even(told)
        last = last_day_of(plain, noted)
        if last is not None and f"o:{last.day}" in tokens_in(plain):
            return last
        if last is None and noted is not None and (found := read_numbered_day(plain, noted)) is not None:
            return found
    return None


def read_numbered_day(text: str, noted: date) -> date | None:
    """Return the day that a text gives by its number alone: the first from another in it or `noted`."""
    found = None
    for one in dates(text, noted):
        if one.kind == "nth" and not one.spans and one.day and _ON.search(text[: one.start]):
            ahead = (noted + timedelta(days=far) for far in range(2 * MONTH_AND_MORE))
            found = next((day for day in ahead if day.day == one.day), None)
        elif days := [first for first, last in one.spans if first == last and first >= noted]:
            noted = min(days)
    return found


_ON = late(r"(?i)\b(?:on|until|till?|by|before|to|through|for)\s+(?:the\s+)?(?:\w+day,?\s+)?$")


def is_due(fact: Fact, value: str) -> bool:
    """Return whether the day of a value is the last one for it: `by Sunday 30th`."""
    plain = even(value)
    return any(_DUE.search(plain[: one.start]) for one in dates(plain, read_day(fact.when)))


def read_beginning(fact: Fact) -> date | None:
    """Return the day since which a fact holds, by its own words; None where it names none."""
    noted = read_day(fact.source) or read_day(fact.when)
    for told in (fact.statement, fact.value):
        plain = even(told)
        for one in dates(plain, noted):
            days = [first for first, last in one.spans if first == last]
            if days and _SINCE.search(plain[: one.start]):
                return min(days, key=lambda day: abs((day - noted).days) if noted is not None else 0)
    return None


def list_past_days(fact: Fact, tokens: Iterable[str]) -> Collection[str]:
    """Return those of some tokens that are days before a fact was noted, on which something was done.

    A day since when something holds, or on which somebody was born, is none.
    """
    noted = read_day(fact.source) or read_day(fact.when)
    if noted is None:
        return ()
    found = set[str]()
    for told in (fact.value, fact.replaces):
        plain = even(told)
        for one in dates(plain, noted):
            if _SINCE.search(plain[: one.start]) or _BORN.search(plain):
                continue
            # a day without a year that lies long before is one of the next year
            if one.spans and all(
                last < noted and ((noted - last).days <= 2 * MONTH_AND_MORE or str(last.year) in plain)
                for _, last in one.spans
            ):
                found |= {f"d:{first:%m-%d}" for first, last in one.spans if first == last}
    return found.intersection(tokens)


_BORN = late(r"(?i)\b(?:born|birthday)\b")


def is_settled_in_chat(first: Fact, ends: Fact) -> bool:
    """Return whether the day of a chat is that of the change: of a promise, or of a rule that was lifted."""
    return is_own(first) or (
        bool(ends.dropped) and category_of(first) == "constraints" and not guards_health(first)
    )


def tells_outcome(told: str) -> bool:
    """Return whether a value says what came of its thing: `passed with 71%`, `done 22 September`."""
    return _OUTCOME.match(told) is not None


_OUTCOME = late(
    r"(?i)(?:(?!\b(?:not|never|no|to be|until|till|when|if|once|before|after|will|must|should)\b|n['’]t\b)"
    r"[^;])*?"
    r"\b(?:passed|failed|won|born|done|paid|kept|broken?|finished|signed|sold|rang|settled)\b"
)
