"""The support of a fact: the turns that it rests on, and whether they deny what its value denies."""

import re
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace

from reel_cli.core.evidence.grounding.date_support import is_borne
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, quote_key, sentences, telling
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import ORDINALS, numbers
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.own_words import LENT, NO
from reel_cli.core.frozen import frozen, late

PART = late(r"\s*[,;]\s+|\s+[-–—]\s+")
"""Pattern of what stands between the parts of a value."""
ENDS = late(
    r"(?i)\b(?:quit|stop\w*|avoid\w*|refus\w*|hat(?:e|es|ed)|dislik\w*|free|lack\w*|miss\w*|fail\w*|wish\w*|only"
    r"|forbid\w*|forbade|prohibit\w*|bann?ed|refrain\w*|abstain\w*"
    r"|(?:keeps?|kept|keeping|stay\w*|hold\w*|held) (?:\w+ ){0,3}(?:from|off|out)\b|prevent\w*"
    r"|except|instead|rather|lost|gone|over|ended|un\w+|dis\w+|[cdw](?:a|o)nt|didnt|isnt|nor|off)\b"
)
"""Words that may be told as a denial."""


@frozen
class FactSupport:
    """The turns that support a fact, and in which form; or the reason why none does.

    `first` and `number` are the first and last message; `words` are those it rests on as they were said,
    ` / ` between those of several turns, a question among them. `value` is the one claimed, or the words as
    they were said, where only they are borne. `open_year` says that it has a year which nobody said;
    `left_out` is what of the value was left out, since nobody said it in the talk. `near` is the message of
    words that do not bear the value, where all of it was said somewhere in the talk. `unsaid` words were said
    by nobody there. `wrong` words have another number than the value. `session` is that of the turns, where
    it is an earlier one. `quoted` words were quoted or pasted; `retold` ones are what somebody else said,
    told with the one who did.
    `answered` says that what the other answered was left out of the words. `speaker` is the one who said
    them, where that is somebody else in a chat of several. `around` says that the turns around say the rest,
    and `wider` has the sentences of theirs that do. `described` are parts of `value` that only describe, and
    that nobody said.
    """

    number: int = 0
    day: str = ""
    why: str = ""
    value: str = ""
    open_year: bool = False
    first: int = 0
    words: str = ""
    source: Source | None = None
    left_out: str = ""
    near: int = 0
    unsaid: bool = False
    wrong: bool = False
    session: str = ""
    quoted: bool = False
    retold: bool = False
    answered: bool = False
    speaker: str = ""
    around: bool = False
    wider: str = ""
    described: tuple[str, ...] = ()

    def without_described(self) -> "FactSupport":
        """Return the support of what of the value was said, with the parts that only describe left out."""
        value = without_parts(self.value, self.described)
        return replace(
            self,
            value=value,
            left_out=", ".join(filter(None, (self.left_out, *self.described))),
            described=(),
        )

    @property
    def place(self) -> str:
        """Return the message or messages, as a source writes them."""
        return f"{self.first}-{self.number}" if self.first not in (0, self.number) else str(self.number)


def denies_more(borne: FactSupport) -> bool:
    """Return whether a value denies something, and no sentence that has its words does."""
    if borne.source is None or not NO.search(even(borne.value)):
        return False
    mine = telling(borne.value)
    texts = [even(one.turn.text) for one in borne.source.said]
    denied = [quote_key(one).strip() for one in PART.split(even(borne.value)) if NO.search(one)]
    if all(any(one in quote_key(text) for text in texts) for one in denied):
        # each denial stands there as it is
        return False
    every = [text[start:end] for text in texts for start, end in sentences(text)]
    quoted = quote_key(even(borne.words))
    words = [key for part in borne.words.split(" / ") if (key := quote_key(even(part)).strip())]

    def is_near(one: str) -> bool:
        """Return whether a sentence has a word of the value, or was quoted, in whole or in part."""
        # `I'm not going to. Decided.` denies in the sentence before, `she's not to know` in the words alone
        key = quote_key(one).strip()
        return bool(telling(one) & mine) or key in quoted or any(part in key for part in words)

    near = [one for one in every if is_near(one)] or every
    said = sum(len(sign.findall(one)) for one in near for sign in (NO, ENDS))
    return said < len(NO.findall(even(borne.value)))


def without_parts(value: str, left: Collection[str]) -> str:
    """Return a value without these parts of it; what stands between the others stays."""
    if not left:
        return value
    parts, between = PART.split(value), PART.findall(value)
    kept = ""
    for at, part in enumerate(parts):
        if even(part) in left:
            continue
        kept += f"{between[at - 1]}{part}" if kept else part
    return kept


def tells_event(part: str) -> bool:
    """Return whether a part of a value denies something, or tells a deed, and does not only describe."""
    return _NOT.search(part) is not None or _DEED.match(part) is not None


_DEED = late(r"(?i)\W*(?:(?:has|have|had|was|were|got) )?[a-z]{2,}ed\b")


def denied_so(value: str, told: str, texts: Sequence[str]) -> bool:
    """Return whether each part of a value that denies something is denied.

    Its words stand in one denying clause of the texts, or some of them in one of what was `told`, or they are
    what something was moved from there: `not Tuesdays any more` of `moved from Tuesdays to Fridays`.
    """
    left = [telling(one[1]) for one in _MOVED_FROM.finditer(even(told))]
    denying, near = (
        [(telling(one), len(_NOT.findall(one))) for text in several for one in clauses(text)]
        for several in (texts, [told])
    )
    plain = [even(text).casefold() for text in texts]
    bare = {one.strip(_MARKS).casefold() for one in clauses(told)}
    for part in PART.split(even(value)):
        words, times = telling(part), len(_NOT.findall(part))
        if not words and part.strip(_MARKS).casefold() in bare:
            # `and she must not know. never`
            continue
        if not times or (words and any(part.casefold() in text for text in plain)):
            continue
        if words and any(words <= one for one in left):
            continue
        # one word alone may be denied of anything
        there = any(
            many >= times and words <= one and (len(words) > 1 or words == one) for one, many in denying
        )
        if not words or not (there or any(many >= times and words & one for one, many in near)):
            return False
    return True


_MARKS = " .!,;"
_MOVED_FROM = late(r"(?i)\b\w{2,}ed from ([^.,;:!?]{2,40}?) to\b")


def counts_exactly(value: str, told: str, texts: Sequence[str]) -> bool:
    """Return whether each number of a value stands in one of the texts as it is: `136` is no `135`.

    Where a quotation has only other numbers, it tells of something else.
    """
    mine = _numbers([_with_days(value, texts)])
    # `the thousand` is no counting by itself, and says how much somebody is owed
    here, there = (_numbers(one, bare=True) for one in ([told], texts))
    counted = frozenset(number for values in mine for number in values)
    told_so = frozenset(number for values in here for number in values)
    if counted and told_so and counted.isdisjoint(told_so):
        return False
    said = frozenset(number for values in there for number in values) | told_so
    return all(values & said for values in mine)


def _with_days(value: str, texts: Sequence[str]) -> str:
    """Return a value with ordinals in figures where the texts have them so: `after every 12th`."""
    said = {float(day) for text in texts for day in _NTH.findall(text)}
    plain = even(value)
    for one in reversed(numbers(plain, plain)):
        word = plain[one.start : one.end].casefold()
        if word in ORDINALS and one.values & said:
            plain = f"{plain[: one.start]}{ORDINALS[word]}th{plain[one.end :]}"
    return plain


def _numbers(texts: Sequence[str], *, bare: bool = False) -> Sequence[frozenset[float]]:
    """Return the numbers of texts, each as the values it may have, no days; `bare`: `the thousand` too."""
    found: list[frozenset[float]] = []
    for text in map(even, texts):
        plain = _OF_DAYS.sub(lambda one: " " * len(one[0]), text)
        for when in dates(text, None):
            plain = f"{plain[: when.start]}{' ' * (when.end - when.start)}{plain[when.end :]}"
        found += [frozenset(one.values) for one in numbers(text, plain) if one.plain or bare]
    return found


def clauses(text: str) -> Iterator[str]:
    """Yield the parts of each sentence of a text."""
    plain = even(text)
    return (one for start, end in sentences(plain) for one in PART.split(plain[start:end]))


def _counts_alike(value: str, told: str) -> bool:
    """Return whether no word that a value counts is counted otherwise in what was told: `3 weeping`."""
    mine, theirs = ({one[2].casefold(): one[1] for one in _COUNTED.finditer(text)} for text in (value, told))
    return all(theirs.get(word, number) == number for word, number in mine.items())


def named(text: str) -> Iterator[str]:
    """Yield the names in a text, one at its beginning too."""
    plain = f"so {text}"
    return (name for _, _, name in names(plain, plain))


def gives_news(value: str, key: str, quoted: Source, held: Source, *, exactly: bool) -> bool:
    """Return whether a quotation gives something of a value: a word, number or day that is not `held`.

    `exactly`: only a day is enough. Where it has other days than the value, it tells of something else. Of a
    new thing that it names, the value may be a name and a day.
    """
    said = quoted.said[0]
    text = even(value)
    if not _counts_alike(text, even(said.turn.text)):
        return False
    days = [one for one in dates(text, said.turn.day) if one.kind in ("day", "iso", "nth", "weekday")]
    numbered = {one.day for one in said.dates if one.kind == "nth"}
    # `Tuesday the seventh` gives the day, and who answers may say of which month
    given = [one for one in days if one.day in numbered or is_borne(one, list(said.dates), [])]
    if days and not given and any(one.kind in ("day", "iso", "nth", "weekday") for one in said.dates):
        return False
    if any(not any(is_borne(one, list(turn.dates), []) for turn in held.said) for one in given):
        return True
    told_words = telling(said.turn.text)
    mine = telling(value) - LENT - held.stems
    # where the name says all of it, its own words are what the quotation gives
    mine = mine - telling(key) or mine
    if not exactly and mine & told_words:
        return True
    about = telling(key) - LENT
    bare = not (exactly or mine - telling(" ".join(named(text))) or held.said)
    if exactly or (bare and days and about and about <= told_words):
        return not exactly
    if _says_anew(text, even(said.turn.text), [even(one.turn.text) for one in held.said]):
        return True
    claimed, told, before = (
        {number for one in texts for found in numbers(one, one) if found.plain for number in found.values}
        for texts in ([text], [even(said.turn.text)], [even(one.turn.text) for one in held.said])
    )
    return bool((claimed & told) - before)


def _says_anew(value: str, told: str, held: Sequence[str]) -> bool:
    """Return whether both have words in a row, a number among them, that nothing held has: `two to five`."""
    mine, theirs, before = (
        {tuple(words[at : at + _ROW]) for words in several for at in range(len(words) - _ROW + 1)}
        for several in (
            [_PLAIN.findall(text.casefold()) for text in texts] for texts in ([value], [told], held)
        )
    )
    return any(numbers(" ".join(row), " ".join(row)) for row in (mine & theirs) - before)


_ROW = 3
_PLAIN = late(r"[\w']+")
_NOT = late(rf"{NO.pattern}|\b(?:do|does|did|is|was|are|were|have|has|had|wo|ca|could|would|should)nt\b")
_NTH = late(r"(?i)\b(\d+)(?:st|nd|rd|th)\b")
_OF_DAYS = late(
    r"(?i)\b\d+(?:st|nd|rd|th)\b|\b\d+ (?:or \d+ )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)"
)
"""Pattern of numbers that are days, which are looked up as such."""
_COUNTED = late(r"(?<![\w.])(\d+) ([a-z]{3,})", re.IGNORECASE)
