"""Marks beside the lines of a bundle that tell a value which holds no longer.

One rule for memories, the story, what was said word for word, notes and facts: a line that tells an old value
near the name of its thing, from before it changed, says so at its end.
"""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS
from reel_cli.core.pack.words import (
    CHANGES_BELOW,
    CHANGES_BY_HEART,
    CHANGES_OVER,
    IS_OVER,
    NO_LONGER_SO,
    SINCE,
    changed,
    fold_line,
    known,
    list_some,
    over_on,
    over_since,
)
from reel_cli.core.values.holdings import OldValue
from reel_cli.features.facts.replaced.line_tokens import COUNTED, DOSES, tokens_in
from reel_cli.features.facts.replaced.own_days import tells_outcome

_ENDED = late(
    r"(?i)\b(?:off|out|over|gone|stopp?(?:s|ed)?|no longer|not allergic|struck|lifted|crossed|cancell?ed"
    r"|ended|instead|may|again|allowed|used to|was wrong|any ?more|before)\b"
)
_DONE = late(r"(?i)\b(?:kept|broke|broken|forgot\w*|no longer)\b")
"""Patterns of a change itself, and of a promise that is told with what came of it."""
_BESIDE = {
    "no": late(r"(?i)\b(?:no|not|never|none|nothing|nobody|without|cannot)\b|n['’]t\b"),
    "allergic": late(
        r"(?i)\b(?:no|nor|not|never|none|without|cannot|avoids?|stands?|holds?|still|too|allerg\w*|reacts?"
        r"|intoleran\w*)\b|n['’]?t\b|\balso me\b|\bme too\b"
    ),
    "owe": late(r"(?i)\b(?:ow(?:e|ed|es|ing)|promis\w*|rest of|still to)\b"),
}
_DATED = late(rf"\((?:said |noted |[^()]*?, )?(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})\)")
_HEADED = late(rf"^#+ (?:.*\()?(\d{{1,2}}) ({'|'.join(MONTHS)}) (\d{{4}})\)?$")
_WEIGHTS = {"d": 2.0, "n": 2.0, "t": 1.5, "N": 2.0, "w": 1.5, "o": 1.5, "p": 2.0, "m": 1.5}
_DIGIT, _NAMED, _ENOUGH, _MOST_NAMED = 1.0, 0.5, 2.5, 2
"""Weight of a single digit and of a word of the name, the least that tells a value, the words that count."""


class TokenLine(NamedTuple):
    """A sentence of a bundle, with its tokens and those of the line it stands in."""

    text: str
    tokens: frozenset[str]
    around: frozenset[str]
    lower: bool
    """True if it is written without capitals, so that names have none either."""


Found = Sequence[tuple[int, Sequence[int]]]
"""Lines of a text, by number, with the old values that each tells, by their places."""


class LineMarks:
    """The marks of one bundle: the last beside the old values of a fact tells what holds."""

    def __init__(self, values: Sequence[OldValue], facts: Iterable[str] = ()) -> None:
        """Look for these values; `facts` are the IDs of the facts that hold."""
        self._values = values
        self._facts = facts

    @cached_property
    def _by_sign(self) -> Mapping[str, Sequence[int]]:
        found: dict[str, list[int]] = {}
        for place, value in enumerate(self._values):
            for sign in _signs([*value.slots, *value.told[-1:], *value.promised]):
                found.setdefault(sign, []).append(place)
        return found

    @cached_property
    def _signs(self) -> re.Pattern[str]:
        """Return a pattern that each line has which tells an old value; to take every line apart is slow."""
        signs = sorted(self._by_sign, key=len, reverse=True)
        told = (rf"(?<!\d){sign}(?!\d)" if sign.isdigit() else re.escape(sign) for sign in signs)
        return re.compile("|".join(told) or r"(?!)")

    def find(self, text: str, day: str = "") -> Found:
        """Return what a unit's text tells; `day` (ISO) is when it was told, "" where its lines say it."""
        found: list[tuple[int, Sequence[int]]] = []
        for place, line in enumerate(text.split("\n")):
            if line.startswith("#"):
                day = _day_in(_HEADED.search(line)) or day
            elif signs := {*self._signs.findall(line.casefold())}:
                dated = _day_in(_DATED.search(line)) or day
                if told := [*self._find(line, signs, dated)]:
                    found.append((place, told))
        return found

    def take_named(self, text: str) -> tuple[str, Mapping[str, str]]:
        """Return a memory's text without what it says of facts that changed, and what it said of each name.

        Only what holds of something that is no fact stays, which the bundle tells nowhere else.
        """
        before, mark, said = text.rpartition(_HOLDS)
        holds, _, behind = said.partition(f"{_CLOSE}\n")
        items = [one for one in _ITEM.finditer(holds) if _slug(one["name"]) in self._newest] if mark else []
        if not items:
            return text, {}
        ends = [*(one.start() for one in items[1:]), len(holds)]
        named = {one["name"]: holds[one.end() : end] for one, end in zip(items, ends, strict=True)}
        rest = holds[: items[0].start()]
        return f"{f'{before}{mark}{rest}{_CLOSE}' if rest else before.rstrip()}\n{behind}", named

    def list_changes(
        self,
        named: Mapping[str, str],
        found: Iterable[int],
        by_heart: Collection[str],
        below: Collection[str] = (),
    ) -> Sequence[str]:
        """Return the lines that tell once, by its newest value, what changed of these names and old values.

        Facts that the bundle tells are only named, those known `by_heart` and those `below` (IDs) apart. What
        is over is told as it was; by what came of it if its last value says so.
        """
        known_by_heart, told_below = ({_slug_of(one) for one in ids} for ids in (by_heart, below))
        names = {_slug(one.name): (one.name, "") for one in map(self._values.__getitem__, found)}
        names |= {_slug(name): (name, said) for name, said in named.items()}
        told, heart, rest, over = list[str](), list[str](), list[str](), list[str]()
        for slug, (name, said) in names.items():
            newest = self._newest[slug]
            if slug in known_by_heart:
                heart.append(fold_line(name))
            elif slug in told_below:
                rest.append(fold_line(name))
            elif newest is None:
                told.append(changed(name, "", said))
            elif newest.over and not newest.held and tells_outcome(newest.was):
                told.append(known(name, newest.was))
            elif newest.over and not newest.held:
                over.append(over_on(name, newest.ended or newest.since, newest.was))
            else:
                told.append(changed(name, newest.ended, newest.now or newest.part or said, newest.was))
        lists = ((CHANGES_OVER, over), (CHANGES_BY_HEART, heart), (CHANGES_BELOW, rest))
        return [*told, *(line for words, names in lists for line in list_some(words, names))]

    @cached_property
    def _newest(self) -> Mapping[str, OldValue | None]:
        """Return the newest old value by the slug of a fact's name; None where nothing is known of one."""
        newest: dict[str, OldValue | None] = dict.fromkeys(map(_slug_of, self._facts))
        return newest | {_slug(one.name): one for one in self._values}

    def last(self, found: Sequence[Found]) -> frozenset[tuple[int, int, int]]:
        """Return where each value that holds is told, by text, line and old value: beside the last old one.

        What stands before it, of memories that hardly change, says only that something else holds.
        """
        places: dict[tuple[str, str], tuple[int, int, int]] = {}
        for text, lines in enumerate(found):
            for line, told in lines:
                for one in told:
                    places[self._values[one].id, self._values[one].now] = text, line, one
        return frozenset(places.values())

    def mark(self, text: str, found: Found, full: Collection[tuple[int, int]]) -> str:
        """Return a text with marks at the end of these lines; `full` has those that tell what holds."""
        lines = text.split("\n")
        for place, told in found:
            marks = [_word(self._values[one], full=(place, one) in full) for one in told]
            lines[place] = " ".join([lines[place], *marks])
        return "\n".join(lines)

    def _find(self, line: str, signs: Collection[str], day: str) -> Iterator[int]:
        """Yield the places of the old values that a line of this day tells; at most one of each fact."""
        plain = even(line)
        lower = plain.casefold()
        places = sorted({place for sign in signs for place in self._by_sign[sign]})
        asked = [
            (place, one)
            for place in places
            for one in [self._values[place]]
            if not (one.over and line[:2] not in _ITEMS and not one.told)
            and not (day and one.since and day >= one.since)
            and f"{one.name}: " not in line
            and any(name[:_ROOT] in lower for name in (*one.keyed, *one.names, *one.told))
            and not (day and one.begun and not one.slots and day < one.begun)
        ]
        if not asked:
            return
        bare = _DATED.sub(" ", plain)
        parts = [bare[start:end] for start, end in sentences(bare)]
        tokens = [frozenset(tokens_in(part)) for part in parts]
        around = frozenset[str]().union(*tokens)
        spoken = not any(map(str.isupper, bare.partition(": ")[2]))
        found: dict[frozenset[str], int] = {}
        for part, mine in zip(parts, tokens, strict=True):
            told = TokenLine(part, mine, around, spoken)
            # a note may tell of what is over as it was
            was = not day and tells_past(part)
            for place, one in asked:
                if was and one.over and not one.told:
                    continue
                if (name := frozenset(one.keyed)) not in found and _tells(told, one):
                    found[name] = place
        yield from self._apart(found.values(), around)

    def _apart(self, places: Collection[int], around: frozenset[str]) -> Iterator[int]:
        """Yield these old values without one whose day another tells whose name stands in the line."""
        told = {place: {*self._values[place].slots} & around for place in places}
        named = [place for place in places if around.issuperset(self._values[place].keyed)]
        for place in places:
            days = {slot for slot in told[place] if slot[0] in "do"}
            if place in named or not any(days and days <= told[other] for other in named):
                yield place


def _word(value: OldValue, *, full: bool) -> str:
    how = IS_OVER if value.over and not value.held else NO_LONGER_SO
    return over_since(
        fold_line(value.name), how, value.ended, fold_line(value.now or value.part) if full else ""
    )


def _slug(name: str) -> str:
    return _BREAK.sub("-", name.casefold())


def _slug_of(fact: str) -> str:
    """Return the slug of the name in a fact's ID."""
    return _slug(fact.partition("/")[2])


_BREAK = late(r"[\s_/-]+")
_ITEM = late(r"(?:^|; )(?P<name>[^;:]{1,60}): ")
"""Pattern of the name of a fact before its value."""


_HOLDS, _, _CLOSE = SINCE.partition("{holds}")
_ITEMS = ("- ", "• ", "* ")
_ROOT = 4
"""Letters that two forms of a word share at least, by which a line is looked at more closely."""
_WORDS_OF = {number: word for word, number in COUNTED.items()}


def _signs(tokens: Sequence[str]) -> Iterator[str]:
    """Yield letters, in lower case, one of which stands in each line that may have one of these tokens."""
    for token in tokens:
        kind, mark, told = token.partition(":")
        if not mark:
            yield token[:_ROOT]
        elif kind in "Np":
            yield told[:_ROOT]
        elif kind == "n":
            number = told.partition("/")[0]
            yield number
            if number.isdigit():
                yield f"{int(number):,}"
                yield f"{int(number):,}".replace(",", " ")
                if int(number) in _WORDS_OF:
                    yield _WORDS_OF[int(number)]
        elif kind == "m":
            yield MONTHS[int(told) - 1][:_MONTH].casefold()
        elif kind == "d":
            yield str(int(told[_MONTH:]))
        else:
            yield told[:_MONTH] if kind == "w" else told


_MONTH = 3
"""Letters of a month or weekday in short."""


def _forms(slots: Sequence[str], *, lower: bool) -> Iterator[str]:
    """Yield the tokens by which a line may give these slots."""
    for slot in slots:
        if slot[0] == "p" or (slot[0] == "N" and lower):
            yield slot[2:]
        elif slot.startswith("n:"):
            number, _, unit = slot.partition("/")
            yield from (slot, f"{number}/") if unit else (number,)
        else:
            yield slot


def _tells(line: TokenLine, value: OldValue) -> bool:
    """Return whether a sentence tells an old value, and not what holds."""
    if value.over and _gives_another(line, value):
        return False
    told = value.told and all(one in line.tokens for one in value.told) and line.tokens.isdisjoint(value.rest)
    told = told or (sum(one in line.tokens for one in value.promised) > 1)
    if told and not (_DONE if value.promised else _ENDED).search(line.text):
        beside = not value.beside or any(
            _BESIDE[value.beside].search(part) for part in _parts_beside(line.text, value)
        )
        if value.beside == "allergic":
            # by what else the old value says: whose word it was, since when
            beside = beside or any(one in line.tokens for one in value.names if one not in value.told)
        # what nobody owes by its name may still be told by its day or number
        if beside or value.beside != "owe" or not value.slots:
            return beside
    if any(form in line.around for form in _forms(value.new, lower=line.lower)):
        return False
    mine = [slot for slot in value.slots if not line.tokens.isdisjoint(_forms([slot], lower=line.lower))]
    keyed = sum(one in line.tokens for one in value.keyed)
    named = keyed + sum(one in line.tokens for one in value.names)
    if mine and all(one[0] in "mow" for one in mine) and any(one[0] == "d" for one in value.slots):
        # a month alone, and a person, are those of many things
        people = {one[2:] for one in tokens_in(value.name) if one.startswith("N:")}
        things = [one for one in value.keyed if one not in people] or value.keyed
        if not line.tokens.issuperset(things):
            return False
    weight = sum(map(_weight, mine)) + _NAMED * min(named, _MOST_NAMED)
    dated = any(slot.startswith("d:") for slot in mine)
    of_it = keyed or (named > 1 and not value.over) or (named and dated)
    return bool(mine and of_it) and weight >= _ENOUGH


def _parts_beside(text: str, value: OldValue) -> Sequence[str]:
    """Return the parts of a sentence in one of which the word stands that an old value has beside its name.

    What is no promise by its own words, `the verse: a few lines`, is one where a clause owes it.
    """
    if value.beside != "owe" or value.promised:
        return [text]
    return [part for part in _CLAUSE.split(text) if {*value.told} <= {*tokens_in(part)}]


_CLAUSE = late(r"[,;:]|\s(?:and|but)\s")


def _gives_another(line: TokenLine, value: OldValue) -> bool:
    """Return whether a sentence gives a dose, and not that of a value."""
    units = {slot.partition("/")[2] for slot in value.slots} & DOSES
    doses = {token for token in line.tokens if token[:2] == "n:" and token.partition("/")[2] in units}
    return bool(doses) and doses.isdisjoint(value.slots)


def _weight(slot: str) -> float:
    if slot.partition("/")[2] in DOSES:
        return _WEIGHTS["n"]
    return _DIGIT if slot.startswith("n:") and slot[3:4] in ("/", "") else _WEIGHTS[slot[0]]


def _day_in(found: re.Match[str] | None) -> str:
    if found is None:
        return ""
    return f"{found[3]}-{MONTHS.index(found[2]) + 1:02d}-{int(found[1]):02d}"
