"""Evidence for a fact in a turn of the user: its words were said, of now, and its value is made of them."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.dates import MONTHS, WEEKDAYS, When, date_word, dates, is_borne
from reel_cli.core.evidence.grounding.lexicon import even, sentences, stem, stems
from reel_cli.core.evidence.grounding.numbers import COUNTING
from reel_cli.core.evidence.grounding.source import Said, Source, Turn, look_at_turn
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import own_stretches
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry

NEAR = 60
"""Days within which a day without a year is taken to be meant, if its sentence leaves the year open."""

_BOUND = late(r"[.!?;]\s+|\n")
_LEADS_ON = late(r"(?i)\b(?:next|coming|upcoming)\s+(?:\w+,?\s+){0,2}$")
_LEADS_BACK = late(r"(?i)\b(?:last|past|previous)\s+(?:\w+,?\s+){0,2}$")
_IS_ON = late(r"(?i)(?:\b(?:is|are|am)|'[sm]|'re)\s+(?:(?:on|for|from|the|until|till)\s+)*$")
_COMING = late(
    r"(?i)\b(?:will|won't|shall|due|deadline|gonna|going to|until|till|by|expect\w*|plan(?:s|ned|ning)?"
    r"|schedul\w*|hop(?:e|es|ing)|soon|upcoming|remind|must|should|supposed|wants? to|needs? to|ha(?:ve|s) to"
    r"|let's|expires?|begins?|starts?|opens?|closes?|ends?|leaves|arrives?|departs?)\b|'ll\b"
)
_DONE_BY_NOW = late(
    r"(?i)(?:\b(?:is|are|am|be|being|gets?|getting|have|has)|'s|'re|'ve)\s+(?:\w+ly\s+|already\s+)?"
    r"\w+ed\b(?:,?\s+(?:and|or)\s+\w+ed\b)?"
)
"""Pattern of things done by now, which put no day in the past: `I've booked it for 3 June`."""
_SET_FOR = late(r"(?i)\b(?:for|to|until|till)\s+(?:the\s+)?(?:\w+day,?\s+)?$")
_PAST = late(
    r"(?i)\b(?:was|wasn't|were|weren't|did|didn't|had|hadn't|since|ago|been|born|died|went|came|got|met|saw|took"
    r"|left|gave|made|said|told|found|lost|bought|sold|fell|broke|began|wrote|sent|paid|spent|won|became|flew"
    r"|drove|ran|grew|knew|thought|brought|kept|held|heard|felt|spoke|chose|ate|slept|woke|built|taught|quit"
    r"|(?!(?:need|plan+|schedul|expect|suppos|hundr|inde|spe|fe|se|we|sacr|nak|wick|alfr|fr|be|re|sh|shr)ed\b)"
    r"[a-z]{2,}ed)\b"
)


def decided(said: Said) -> list[When]:
    """Return the dates of a turn; of a day without a year only the past or future one its sentence means.

    Where it says neither, or both, the last such day and the next are left.
    """
    text = even(said.turn.text)
    today = said.turn.day
    return [_decide(one, text, today) if today and _has_no_year(one) else one for one in said.dates]


def bears_years(text: str, said: Said) -> bool:
    """Return whether a turn supports every day that a text gives with a year."""
    whens = decided(said)
    return all(is_borne(one, whens, []) for one in _named(text))


def leaves_year_open(text: str, said: Said) -> bool:
    """Return whether a text gives a year to a day that the turn says without one, and the day is not near."""
    today = said.turn.day
    if today is None:
        return False
    whens = decided(said)
    for named in _named(text):
        days = [first for first, _ in named.spans if abs((first - today).days) > NEAR]
        bearing = [one for one in whens if is_borne(named, [one], [])]
        if days and bearing and all(map(_has_no_year, bearing)):
            return True
    return False


def _named(text: str) -> Iterator[When]:
    # without a reference day, only a date with its year counts
    return (one for one in dates(even(text), None) if one.kind == "day")


def _has_no_year(one: When) -> bool:
    days = {(first.month, first.day) for first, _ in one.spans}
    return one.kind == "day" and len(one.spans) == 2 and len(days) == 1


def _decide(one: When, text: str, today: date) -> When:
    side = _side(text, one.start, one.end)
    if not side:
        return one
    return replace(one, spans=tuple(span for span in one.spans if (span[0] > today) == (side > 0)))


def _side(text: str, start: int, end: int) -> int:
    """Return -1 for past, 1 for future, 0 if the sentence does not say."""
    first = max((found.end() for found in _BOUND.finditer(text, 0, start)), default=0)
    bound = _BOUND.search(text, end)
    before = text[first:start]
    if _LEADS_ON.search(before):
        return 1
    if _LEADS_BACK.search(before):
        return -1
    sentence = f"{before}…{text[end : bound.start() if bound else len(text)]}"
    coming = bool(_COMING.search(sentence) or _IS_ON.search(before))
    past = bool(not _SET_FOR.search(before) and _PAST.search(_DONE_BY_NOW.sub("", sentence)))
    return coming - past


_SAID = {
    Claim.NAME: "the name “{}” is not in it",
    Claim.NUMBER: "the number “{}” is not in it",
    Claim.DATE: "“{}” is no {} that it speaks of",
}
_LENT = frozenset(
    map(
        stem,
        (
            *stems("name named call called age aged old year years user person own now currently"),
            *stems("live lives lived living work works working job day date time month week"),
            *map(stem, (*MONTHS, *WEEKDAYS, *COUNTING)),
        ),
    )
)
"""Words that only join what was said to who said it, and those that are looked up as days and numbers."""
_MOST_WORDS = 16
"""A sentence of so many words at most may stand for a value that is not made of what was said."""


@frozen
class FactSupport:
    """The turn that supports a fact, and in which form; or the reason why none does.

    `value` is the one claimed, or the words as they were said, where only they are borne. `open_year` says
    that it has a year which nobody said.
    """

    number: int = 0
    day: str = ""
    why: str = ""
    value: str = ""
    open_year: bool = False


class UserTurns:
    """The turns of one user in one session, to look evidence up in: their own words, nothing they pasted."""

    def __init__(self, entries: Sequence[Entry], user: str, persona: str, started: str) -> None:
        """Keep the user's turns among `entries`; `started` is the session's day."""
        self._turns = [entry for entry in entries if entry.message.role == "user" and entry.number]
        # quoted or pasted text is somebody else's words
        self._own = [own_stretches(entry.message.text, (user, persona)) for entry in self._turns]
        self._tapes = [
            Tape([replace(entry, message=replace(entry.message, text=part)) for part in parts])
            for entry, parts in zip(self._turns, self._own, strict=True)
        ]
        self._others = Tape([entry for entry in entries if entry.message.role != "user"])
        self._user, self._persona, self._started = user, persona, started
        self._sources: dict[int, Source] = {}

    def bears(self, value: str, evidence: str) -> FactSupport:
        """Return the first turn that has the evidence and supports the value, or why none does."""
        if not any(c.isalnum() for c in evidence):
            return FactSupport(why="no words are given that say so")
        places = [at for at, tape in enumerate(self._tapes) if tape.find(evidence) is not None]
        if not places:
            shown = one_line(evidence, 60)
            if self._others.find(evidence) is not None:
                return FactSupport(why=f"“{shown}” was said by {self._persona}, not by {self._user}")
            if any(Tape([entry]).find(evidence) is not None for entry in self._turns):
                return FactSupport(
                    why=f"{self._user} quoted or pasted “{shown}”, and it is not their own word"
                )
            return FactSupport(why=f"{self._user} never said “{shown}”")
        found = [self._hold(at, value, evidence) for at in places]
        return next((one for one in found if not one.why), found[0])

    def _hold(self, at: int, value: str, evidence: str) -> FactSupport:
        """Return how much of a value the turn at this place supports."""
        entry, source = self._turns[at], self._source(at)
        day = (entry.message.time or self._started)[:10]
        for one in find_ungrounded([Stretch(value, ((0, 1),))], source, most=0):
            if one.kind in _SAID:
                claim = one_line(one.claim, 40)
                return FactSupport(why=_SAID[one.kind].format(claim, date_word(claim)))
        said = source.said[0]
        if not bears_years(value, said):
            return FactSupport(why=_SAID[Claim.DATE].format(one_line(value, 40), date_word(value)))
        mine = telling(value)
        if mine <= source.stems | _LENT:
            return FactSupport(entry.number or 0, day, value=value, open_year=leaves_year_open(value, said))
        found = self._tapes[at].find(evidence)
        words = _nearest_sentence(one_line(found.text), mine - _LENT) if found is not None else ""
        if words:
            return FactSupport(entry.number or 0, day, value=words)
        return FactSupport(why=f"what was said there does not bear “{one_line(value, 60)}”")

    def _source(self, at: int) -> Source:
        if at not in self._sources:
            entry = self._turns[at]
            day = _day((entry.message.time or self._started)[:10])
            said = look_at_turn(Turn(entry.number or 0, self._user, "\n\n".join(self._own[at]), day))
            who = f"{self._user} {self._persona}"
            self._sources[at] = Source([said], known=who, who=who, me=self._persona)
        return self._sources[at]


def _nearest_sentence(said: str, mine: frozenset[str]) -> str:
    """Return the whole text if it is short, else the short sentence that shares most words with a value."""
    parts = [said] if len(said.split()) <= _MOST_WORDS else [said[a:b].strip() for a, b in sentences(said)]
    short = [part for part in parts if len(part.split()) <= _MOST_WORDS and telling(part) & mine]
    return max(short, key=lambda part: len(telling(part) & mine), default="")


def telling(text: str) -> frozenset[str]:
    """Return the roots of a text's content words, without numbers in digits."""
    plain = even(text)
    words = (word for start, end in sentences(plain) for word in stems(plain[start:end]))
    return frozenset(stem(word) for word in words if not word[:1].isdigit())


def _day(text: str) -> date | None:
    try:
        return date.fromisoformat(text)
    except ValueError:
        return None
