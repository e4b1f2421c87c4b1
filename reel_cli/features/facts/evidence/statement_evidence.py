"""Evidence for a sentence about somebody: that it says no more than a fact's support and what is near."""

import re
from collections.abc import Sequence
from datetime import date

from reel_cli.core.evidence.days.said_days import bears_years
from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.intentions import only_intended
from reel_cli.core.evidence.grounding.lexicon import even, stems, telling
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.own_words import (
    ADDRESSED,
    LENT,
    LIMITS,
    NO,
    OF_ANOTHER,
    ONESELF,
    is_named,
    missing_detail,
    sentences_around,
)
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.fact_support import FactSupport

_LEAST_OWN = 0.5
"""Share of a statement's telling words that has to be of the supporting turns, where others lend some."""


def has_details(statement: str, value: str) -> bool:
    """Return whether a statement, which a bundle tells alone, has each weekday and number of its value."""
    mine, theirs = even(value), even(statement)
    told = {number for one in numbers(theirs, theirs) for number in one.values}
    if any(one.values.isdisjoint(told) for one in numbers(mine, mine) if one.plain or one.clock):
        return False
    days = ({one.weekday for one in dates(text, None)} - {None} for text in (mine, theirs))
    return next(days) <= next(days)


def bears_statement(
    statement: str, support: FactSupport, key: str, speakers: tuple[str, str], near: Source | None = None
) -> bool:
    """Return whether a sentence about somebody says no more than the words that support a fact.

    `speakers` are the one who said them, and the other. It has to name the first, before it names the other,
    deny what was denied and nothing else, leave open what was open, and give each `my` to the first and each
    `your` to the other. `near` are the turns around: they may say what those words only point to.
    """
    source = support.source
    whose, other = speakers
    plain = even(statement)
    if source is None or not plain.strip() or _SPEAKERS.search(plain) or not is_named(plain, whose):
        return False
    around = sentences_around(support.words, source)
    said = " ".join(around) or even(support.words)
    if only_intended(plain, [one.turn.text for one in source.said]):
        return False
    if any(one.endswith("?") for one in around) or (
        is_named(plain, other) and not _may_name(plain, said, speakers)
    ):
        return False
    if not (_bears_details(plain, source, near) and _bears_days(plain, said, source)):
        return False
    who = telling(whose) | telling(other)
    joins = who | LENT | _TIMES
    mine, lent = telling(plain), telling(key) | telling(support.value) | joins
    meant = mine - joins
    clauses = [one for one in _CLAUSE.split(said) if telling(one) & (mine - telling(whose))]
    borrowed = mine - source.stems - lent - _LIGHT
    if len(meant & (telling(said) | telling(support.value))) < _LEAST_OWN * len(meant):
        return False
    if borrowed and not (
        _may_borrow(plain, borrowed, meant, near) and all(_keeps(one, mine | joins) for one in clauses)
    ):
        return False
    return (
        # whose words leave something out may be about somebody else, or of what is over or nearly was
        all(_may_shorten(one, plain, mine | lent) for one in clauses)
        and _leaves_as_open(plain, clauses)
        and all(_is_owned(one[1], plain, other) for one in _MINE.finditer(said))
        and all(_is_given(one[1], plain, other) for one in _YOURS.finditer(said))
    )


def _keeps(clause: str, told: frozenset[str]) -> bool:
    """Return whether a clause leaves nothing out, or points to it: no word takes the place of one said."""
    return bool(_POINTS.search(clause)) or telling(_ADVERB.sub(" ", clause)) <= told | _LIGHT


def _leaves_as_open(plain: str, clauses: Sequence[str]) -> bool:
    """Return whether a sentence denies what the clauses deny and no more, and leaves open what they do."""
    denied = sum(len(NO.findall(one)) for one in clauses)
    denies = len(NO.findall(plain))
    if bool(denies) != bool(denied) or denies > denied:
        return False
    return not any(_LEFT_OPEN.search(one) for one in clauses) or bool(_LEFT_OPEN.search(plain))


def _may_name(plain: str, said: str, speakers: tuple[str, str]) -> bool:
    """Return whether a sentence may name the other one: as somebody whom the first speaks to, in those words.

    What it gives to the other as theirs has to be told as `your` as well.
    """
    whose, other = (even(one).strip() for one in speakers)
    if not ADDRESSED.search(said) or _is_about_other(said):
        return False
    if _place(whose, plain) > _place(other, plain):
        return False
    theirs = re.findall(rf"(?i)(?<!\w){re.escape(other)}'s?\s+((?:[a-z-]+\s+)?[a-z-]+)", plain)
    given = {stem for one in _YOURS.finditer(said) for stem in telling(one[0])}
    return all(telling(one) & given for one in theirs if telling(one))


def _is_about_other(said: str) -> bool:
    """Return whether the first one spoken of is the one spoken to: `You sold your car`."""
    first = _SUBJECT.search(said)
    return first is None or ONESELF.fullmatch(first[0]) is None


def _place(name: str, text: str) -> int:
    found = re.search(rf"(?i)(?<!\w){re.escape(name)}(?!\w)", text)
    return found.start() if found is not None else len(text)


def _bears_details(plain: str, source: Source, near: Source | None) -> bool:
    """Return whether every name, number and day was said in the supporting turns, or close to them."""
    return not missing_detail(plain, source) or (near is not None and not missing_detail(plain, near))


def _bears_days(plain: str, said: str, source: Source) -> bool:
    """Return whether the turns bear each day with its year; the day of the talk itself bounds what they tell.

    `by 3 May` may stand for anything said on it, `shortly before` for what is told as recent, and
    `in the week before` for what was last week, yesterday or some days ago.
    """
    today = source.said[-1].turn.day
    text = plain
    for when in reversed([one for one in dates(plain, None) if one.kind == "day"]):
        if today is None or when.spans != ((today, today),):
            continue
        if _ON.search(text[: when.start]) and _RECENT.search(said) and not _TODAY.search(said):
            return False
        lead = _UP_TO.search(text[: when.start])
        if lead is None or (lead["soon"] and not _RECENT.search(said)):
            continue
        if lead["week"] and not _LAST_WEEK.search(said):
            continue
        text = f"{text[: lead.start()]} {text[when.end :]}"
    return _bears_beginning(plain, said, today) and any(bears_years(text, one) for one in source.said)


def _bears_beginning(plain: str, said: str, today: date | None) -> bool:
    """Return whether words say something of the month since which a sentence tells that it is so.

    The month of the talk is not said by the talk alone: `it is 40 mg now` may be so for years.
    """
    begun = [one for one in dates(plain, None) if one.kind == "month" and _SINCE.search(plain[: one.start])]
    if not begun or _RECENT.search(said):
        return True
    told = [span for one in dates(said, today) for span in one.spans]
    months = {plain[one.start : one.end].split(maxsplit=1)[0].casefold() for one in begun}
    return all(month in said.casefold() for month in months) or any(
        first <= last_told and first_told <= last
        for one in begun
        for first, last in one.spans
        for first_told, last_told in told
    )


def _may_borrow(plain: str, borrowed: frozenset[str], mine: frozenset[str], near: Source | None) -> bool:
    """Return whether words of a sentence that its turn does not have may come from the turns around it.

    They are fewer than its own, and change neither of whom it tells nor whether it is so.
    """
    if near is None or len(borrowed) > (1 - _LEAST_OWN) * len(mine):
        return False
    if any(telling(one[0]) & borrowed for sign in (OF_ANOTHER, LIMITS) for one in sign.finditer(plain)):
        return False
    return all(
        one in near.stems or any(_is_spelt_alike(one, other) for other in near.stems) for one in borrowed
    )


_SAME, _MORE = 5, 2
"""Letters with which two spellings of a word begin alike, and by which one may be longer."""


def _is_spelt_alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return len(short) >= _SAME and len(long) - len(short) <= _MORE and long.startswith(short[:-1])


def _may_shorten(clause: str, plain: str, told: frozenset[str]) -> bool:
    """Return whether a sentence may leave out what it does of a clause.

    Not of whom it tells, nothing by which it is over, nearly so, or open, and not what it begins with.
    """
    if _NOT_SO.search(clause) and not _NOT_SO.search(plain):
        return False
    if not telling(clause) - told:
        return True
    there = {one.casefold() for sign in (OF_ANOTHER, LIMITS) for one in _WORDS.findall(_all(sign, plain))}
    for sign in (OF_ANOTHER, LIMITS):
        if {one.casefold() for one in _WORDS.findall(_all(sign, clause))} - there - _BEING:
            return False
    if any(telling(name) - told for _, _, name in names(clause, clause)):
        return False
    first = next((found.start() for found in _WORDS.finditer(clause) if telling(found[0]) & told), 0)
    subjects = _SUBJECT.findall(clause[: first + 1])
    if subjects and ONESELF.fullmatch(subjects[-1]) is None:
        return False
    return telling(_ADVERB.sub(" ", clause[:first])) <= told | _LIGHT


def _all(sign: "re.Pattern[str]", text: str) -> str:
    return " ".join(found[0] for found in sign.finditer(text))


def _is_owned(thing: str, plain: str, other: str) -> bool:
    """Return whether a sentence gives somebody else than the other a thing that was told as `my`."""
    leads = _leads(thing, plain)
    return not leads or (
        any(_OWNED.search(lead) for lead in leads) and not any(_is_theirs(lead, other) for lead in leads)
    )


def _is_given(thing: str, plain: str, other: str) -> bool:
    """Return whether a sentence leaves the other a thing that was told as `your`."""
    return all(
        _is_theirs(lead, other) or not _OWNED.search(lead) or _THE.search(lead)
        for lead in _leads(thing, plain)
    )


def _leads(thing: str, plain: str) -> Sequence[str]:
    """Return what stands before each place of a thing in a sentence."""
    return [plain[: found.start()] for found in re.finditer(rf"(?i)\b{re.escape(thing)}\b", plain)]


def _is_theirs(lead: str, other: str) -> bool:
    """Return whether these words before a thing give it to the other by name."""
    name = re.escape(even(other).strip())
    return re.search(rf"(?i)(?<!\w){name}'s?\s+(?:[a-z-]+\s+){{0,2}}$", lead) is not None


_TIMES = frozenset(
    (
        *stems(f"{' '.join(WEEKDAYS)} {' '.join(MONTHS)} day week weekend month last next today yesterday"),
        *stems("tomorrow tonight ago just recently lately now already morning evening night"),
        *stems("shortly before after since about around early late beginning end half"),
    )
)
"""Stems of words for time, which a statement may tell as a date."""
_LIGHT = frozenset(stems("took keep find gave bring came use used call part see"))
"""Stems of words that join others and tell little by themselves."""
_BEING = frozenset(("was", "were", "but"))
"""Words that limit a value by themselves, and a clause only as the rest of it does."""
_NOT_SO = late(
    r"(?i)\b(?:used to|almost|nearly|quit\w*|stopped|gave up|no longer|any ?more|formerly|supposedly"
    r"|ex-|as if|(?:was|were|been|got|being) \w+(?:ed|en|t) by|says?|said|thinks?|claims?)\b"
)
"""Words by which a thing is over, nearly was, is done by somebody else, or is somebody's word."""
_SPEAKERS = late(r"(?i)\b(?:i|i'[a-z]+|me|my|mine|myself|we|us|our|ours|you|your|yours)\b")
_YOURS = late(r"(?i)\byour\s+(?:[a-z-]+\s+)?([a-z-]+)")
_SUBJECT = late(
    r"(?i)\b(?:i|i'[a-z]+|we|we'[a-z]+|my|our|you|you'[a-z]+|your|he|she|they|he's|she's|they're|his|her|their)\b"
)
_ADVERB = late(r"(?i)\b(?:\w+ly|just|even|also|still|now|ever|never|always|often|too|so|super|been|got to)\b")
_POINTS = late(r"(?i)\b(?:it|its|this|that|these|those|they|them|their|there|one|ones|another)\b")
"""Words for what the turns around name."""
_WORDS = late(r"[\w'-]+")
_CLAUSE = late(r"(?i)[,;:.!?/]\s+|\s+(?:and|but|so|because)\s+")
_MINE = late(r"(?i)\bmy\s+([a-z]+)")
_OWNED = late(
    r"(?i)(?:(?:\b(?:his|her|their|the)|'s?)\s+(?:[a-z-]+\s+){0,2}"
    r"|\b(?:has|have|had|owns?|keeps?|with)\s+(?:[a-z-]+\s+){1,2})$"
)
_THE = late(r"(?i)\bthe\s+(?:[a-z-]+\s+){0,2}$")
_UP_TO = late(
    r"(?i)(?:\b(?:by|as of|(?P<soon>(?:shortly|just|soon) before)|(?P<week>in the (?:week|days) before))\s+"
    r"|\((?:as of |by |on )?)$"
)
"""Pattern of words before the day of a talk that put what was said at that day or before."""
_SINCE = late(
    r"(?i)\b(?:since|from|as of|starting(?: in)?|beginning(?: in)?)\s+"
    r"(?:(?:early|mid|late|the (?:beginning|start|middle|end) of)[ -])?$"
)
"""Pattern of words before the month since which something is so."""
_ON = late(r"(?i)\bon (?:\w+day, )?$")
_TODAY = late(r"(?i)\b(?:today|tonight|this (?:morning|afternoon|evening)|just now)\b")
_RECENT = late(
    r"(?i)\b(?:just|recent\w*|lately|newly|new|yesterday|last|the other day|finally|today|ago"
    r"|this (?:week|morning))\b"
)
_LAST_WEEK = late(
    r"(?i)\b(?:last (?:week\w*|night|monday|tuesday|wednesday|thursday|friday|saturday|sunday)|yesterday"
    r"|this (?:past )?week|days? ago|the other day)\b"
)
_LEFT_OPEN = late(
    r"(?i)\b(?:want\w*|hop(?:e|es|ed|ing)|plan\w*|think\w*|consider\w*|maybe|perhaps|might|may|wish\w*|if|would"
    r"|could|going to|gonna|will|try\w*|trying|dream\w*|intend\w*|look\w* (?:into|forward)|determined|keen"
    r"|someday|one day|soon|promis\w*)\b|'ll\b"
)
"""Words by which a thing is not so yet."""
