"""Evidence on the tape for a row: the row was mentioned, and its values were said."""

import re
from collections.abc import Sequence
from datetime import date
from functools import cached_property

from reel_cli.core.evidence.days.said_days import bears_years, decided, leaves_year_open
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import quote_key, stem, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING
from reel_cli.core.evidence.grounding.source import Source, SourceMessage, Turn, look_at_turn
from reel_cli.features.tables.cell_values import tell_value
from reel_cli.features.tables.table import Column, Kind, Value

_LOOKED_UP = frozenset(stem(stem(word)) for word in (*MONTHS, *WEEKDAYS, *COUNTING))
"""Words that are held against the days and numbers that were said, and not against its words."""
_TODAY = re.compile(r"(?i)\b(?:today|tonight|this (?:morning|noon|afternoon|evening))\b")
_DETAILS = frozenset((Claim.NAME, Claim.NUMBER, Claim.DATE))


class _Heard:
    """One turn, looked at once, and no further than it is asked about."""

    def __init__(self, turn: Turn, me: str) -> None:
        self.key = quote_key(turn.text)
        self._turn, self._me = turn, me

    @cached_property
    def said(self) -> SourceMessage:
        return look_at_turn(self._turn)

    @cached_property
    def stems(self) -> frozenset[str]:
        return frozenset(stem(stem(word)) for word in self.said.words)

    @cached_property
    def source(self) -> Source:
        return Source([self.said], me=self._me)

    def speaks_of(self, day: date) -> bool:
        """Return whether a day is mentioned; without a year, the one its sentence means (`tense.decided`)."""
        today = self._turn.day
        if day == today and _TODAY.search(self._turn.text):
            return True
        claimed = dates(day.isoformat(), today)
        return bool(claimed) and all(is_borne(one, decided(self.said), []) for one in claimed)


class SpokenTurns:
    """The turns of a stretch, whoever spoke; a value is borne by one of them alone, or not at all."""

    def __init__(self, turns: Sequence[Turn], me: str) -> None:
        """Index the turns; `me` is the speaker who remembers."""
        self._heard = [_Heard(turn, me) for turn in turns]
        self._speakers = frozenset().union(*(telling(name) for name in {turn.speaker for turn in turns}))

    @cached_property
    def words(self) -> frozenset[str]:
        """Return the root of every word that was said, as `telling` has them."""
        return frozenset().union(*(one.stems for one in self._heard))

    def mentions(self, text: str) -> bool:
        """Return whether one turn has these words, or all of the content words among them."""
        plain = text.replace("-", " ").replace("_", " ")
        key, mine = quote_key(plain), telling(plain)
        return any(
            (key.strip() and key in one.key) or (mine and mine <= one.stems | self._speakers)
            for one in self._heard
        )

    def bears(self, value: Value, column: Column) -> bool:
        """Return whether one turn supports a value; always for a choice and for yes or no."""
        if value is None or column.kind in (Kind.ONE_OF, Kind.YES_NO):
            return True
        if column.kind is Kind.NUMBER and not isinstance(value, str):
            size = abs(float(value))
            return any(size in number.values for one in self._heard for number in one.said.numbers)
        text = tell_value(value)
        if column.kind is Kind.DATE:
            return any(one.speaks_of(date.fromisoformat(text)) for one in self._heard)
        mine = telling(text) - _LOOKED_UP
        return any(self._bears(one, text, mine) for one in self._heard)

    def leaves_year_open(self, value: Value, column: Column) -> bool:
        """Return whether it is a supported day whose year nobody said."""
        if value is None or column.kind is not Kind.DATE:
            return False
        text = tell_value(value)
        bearing = [one for one in self._heard if one.speaks_of(date.fromisoformat(text))]
        return bool(bearing) and all(leaves_year_open(text, one.said) for one in bearing)

    def _bears(self, one: _Heard, text: str, mine: frozenset[str]) -> bool:
        key = quote_key(text)
        if key.strip() and key in one.key:
            return True
        if not mine <= one.stems | self._speakers or not any(c.isalnum() for c in text):
            return False
        found = find_ungrounded([Stretch(text, ((0, 1),))], one.source, most=0)
        if any(detail.kind in _DETAILS for detail in found) or not bears_years(text, one.said):
            return False
        # without a meaningful word or a detail, only the exact words count as evidence
        return bool(mine) or any(c.isdigit() for c in text) or bool(telling(text))
