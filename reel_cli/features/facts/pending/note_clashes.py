"""Notes of a page that do not agree with its facts: another day, or a name that a fact was refused for."""

from collections.abc import Iterator, Sequence
from datetime import date

from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import in_short
from reel_cli.features.facts.reply import ToldFact

_REFUSED_NAME = late(r"(?:[\w -]{1,30}, )?(?P<fact>[^:]{1,60}): .*?the name “(?P<name>[^”]+)” is not in\b")
"""Pattern of the reason for which a fact waits or is not kept, as it names a name that was not said."""
_SHARE = 0.75
"""Share of a note's telling words that a fact of the same page has which tells the same."""
_LONGEST = 80
"""Characters of a note that are told."""


def find_note_clashes(
    notes: Sequence[str], told: Sequence[ToldFact], reasons: Sequence[str], day: date | None
) -> Iterator[Problem]:
    """Yield a problem for each new note of a page that a fact of the same page is at odds with.

    `told` are the facts as the page gives them, `reasons` why some wait or are not kept, `day` that of the
    chat. A name that a fact was refused for is doubted in a note about the same; of two days for one event
    both are told.
    """
    for note in notes:
        for one in told:
            if other := _find_other_day(note, one, day):
                what = f"“{in_short(note, _LONGEST)}” has another day than the fact “{one.key}” of this page"
                yield Problem("notes", f"{what}, {other}; one of the two is wrong")
                break
    for found in filter(None, map(_REFUSED_NAME.match, reasons)):
        about = next((one for one in told if one.key == found["fact"]), None)
        if about is None:
            continue
        for note in notes:
            same = telling(even(note)) & telling(even(f"{about.key} {about.value}"))
            if found["name"] in note and same - telling(found["name"]):
                what = f"“{in_short(note, _LONGEST)}” names {found['name']}, and the fact “{about.key}”"
                yield Problem("notes", f"{what} was stopped for that name")


def _find_other_day(note: str, fact: ToldFact, day: date | None) -> str:
    """Return the days that a fact gives to the event of a note, as words; "" where they agree."""
    key = telling(even(fact.key))
    text = even(f"{fact.key}; {fact.value}; {fact.statement}")
    mine, theirs = _days_of(note, day), _days_of(f"{fact.value}; {fact.statement}", day)
    if not (key and mine and theirs) or mine & theirs:
        return ""
    words = telling(_without_days(even(note), day))
    if not key <= words or len(words & telling(text)) < _SHARE * len(words):
        return ""
    ahead = [one for one in theirs if day is None or one >= day]
    return " and ".join(day_in_words(one) for one in sorted(ahead or theirs))


def _days_of(text: str, day: date | None) -> frozenset[date]:
    """Return the days with a month that a text names, as a chat of that day means them."""
    return frozenset(one.spans[0][0] for one in dates(even(text), day) if one.kind == "day" and one.spans)


def _without_days(text: str, day: date | None) -> str:
    for one in reversed(dates(text, day)):
        text = f"{text[: one.start]} {text[one.end :]}"
    return text
