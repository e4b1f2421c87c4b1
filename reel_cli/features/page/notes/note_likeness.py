"""Likeness of notes: whether one says what another says, and on which day each was noted."""

import re
from collections.abc import Collection
from collections.abc import Set as AbstractSet
from datetime import date
from difflib import SequenceMatcher

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import (
    IRREGULAR,
    STOP,
    UNDER_TWENTY,
    WORD,
    bare,
    even,
    spelt_out,
    stem,
    telling,
)
from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.reader.values import find_day
from reel_cli.core.files.working_file import NOTED, without_day
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words
from reel_cli.features.page.notes.note_dates import (
    join_dates,
    list_open_days,
    resolve_note,
    whole_dates,
    without_dates,
    without_years,
)

_ALIKE = 0.85
_ARTICLES = frozenset(("a", "an", "the", "still"))
_TURNS = frozenset(
    (
        *("not", "no", "never", "none", "nobody", "nothing", "without", "until", "unless", "instead", "if"),
        *("cancelled", "canceled", "postponed", "done", "over", "maybe", "perhaps", "before", "after"),
    )
)
"""Words that turn what the others say."""
_DAYS = frozenset(
    (
        *(*WEEKDAYS, *MONTHS, *UNDER_TWENTY[1:11], "first", "second"),
        *("today", "tomorrow", "tonight", "yesterday", "morning", "noon", "afternoon", "evening", "night"),
    )
)
_ASKS_WHETHER = late(r"(?i)(?:whether|if)\b")
_ASKS = late(r"(?i)(?:whether|if|what|who|whose|whom|which|where|when|how|why)\b|.*\?\W*$")
_CLAUSE = late(r"[;:,]\s+|(?<=\w\w)[.!]\s+")
_PART = late(r"[;:,]\s+|[.!]\s+|\band\b")
_MEANS_TO = late(
    r"(?i)\b(?:means?|plans?|wants?|intends?|promised|has|is going|hopes?|ought|needs?) to\b"
    r"|\b(?:will|wants?)\b"
)
_ADDED = late(r"(?i),\s*(?:before|after|when|while|as|once|until|with|and)\b.*", re.DOTALL)
"""Pattern of what a question adds behind a comma."""
_DENIES = frozenset(("not", "no", "never", "none", "nobody", "nothing", "without"))
_OF_TIME = frozenset(stem(word) for word in ("whether", "still", "yet", "already", *MONTHS, *WEEKDAYS))
_LEAST_DEED = 2
"""Telling words that two notes share to be about one deed: `rang`, `Judit`."""
_CAPITAL = late(r"\b[^\W\d_a-z][\w'’]*")
_FEWEST, _MOST_OF_IT = 3, 0.6
_LEAST_LIKE, _MOST_LIKE = 0.5, 0.75
_FEWEST_TWICE = 3
_ORDINAL = late(r"(?<=\d)(?:st|nd|rd|th)\b")
_LIGHT = telling("come go goes see say says said get take has again off properly o'clock owed")
_WHICH = frozenset(("first", "second", "third", "next", "last", "new", "other"))
_OF_TALES = telling("story tale thing matter bit")
_OWES = {"owed": "owe"}
_SHORT_TAIL = 4
"""Words behind the same first clause that only put it otherwise: `not definite`, `in pencil`."""
_LABEL = 6
"""Telling words above which a line says more than what it is about."""


def says_no_more(one: str, other: str) -> bool:
    """Return whether an item says nothing that another does not say as well, in the same words.

    Words may be left out, never replaced: `due on Monday` is another thing than `due on Friday`. What is
    short beside the other says something of its own, and so does `next Friday` on another day.
    """
    if _are_of_two_days(one, other):
        return False
    mine, theirs = list_words(one), list_words(other)
    if mine == theirs or _is_clause_of(one, other):
        return True
    if len(mine) < _FEWEST or len(mine) < len(theirs) * _MOST_OF_IT:
        return False
    left = iter(theirs)
    return all(word in left for word in mine) and not _TURNS.intersection(set(theirs).difference(mine))


def _is_clause_of(one: str, other: str) -> bool:
    """Return whether an item is to the letter a clause of another that nothing else there turns.

    A year may be left out. Two words are too few to be one.
    """
    mine = list_words(without_years(one))
    clauses = [list_words(without_years(part)) for part in _CLAUSE.split(without_day(other))]
    for first in range(len(clauses)):
        for last in range(first + 1, len(clauses) + 1):
            if len(mine) >= _FEWEST and mine == [word for part in clauses[first:last] for word in part]:
                rest = {word for part in (*clauses[:first], *clauses[last:]) for word in part}
                return not turns(rest)
    return False


def is_same_matter(one: str, other: str, people: Collection[str] = ()) -> bool:
    """Return whether two items are about one matter, in whatever words: nothing in them tells them apart.

    Numbers, days, names and denials tell them apart; but one of `people`, those who talk, may be `him` where
    both say what I do, and nobody else is named.
    """
    if _are_of_two_days(one, other):
        return False
    one, other = join_dates(without_day(one)), join_dates(without_day(other))
    mine, theirs = set(list_words(one)), set(list_words(other))
    if any(tells_apart(word) for word in mine ^ theirs) or not _names_the_same(one, other, people):
        return False
    shorter, longer = sorted((telling(one), telling(other)), key=len)
    if shorter - longer and longer - shorter:
        # `rejected in Lisbon` in place of `accepted in Lisbon`: neither says what the other says
        return False
    both = len(shorter & longer)
    return both >= 2 and both >= _MOST_LIKE * len(shorter) and both >= _LEAST_LIKE * len(longer)


def _names_the_same(one: str, other: str, people: Collection[str]) -> bool:
    """Return whether two items have the same names, or one has `him` for one of those who talk."""
    mine, theirs = list_names(one), list_names(other)
    if mine == theirs:
        return True
    less, more = (one, other) if mine < theirs else (other, one)
    alone = not (mine and theirs) and mine | theirs <= set(map(fold, people))
    both = all(_I.search(text) for text in (one, other))
    return alone and both and _HIM.search(less) is not None and _HIM.search(more) is None


_I = late(r"\bI\b")
_HIM = late(r"(?i)\b(?:him|her|them)\b")


def asks_the_same(one: str, other: str, people: Collection[str] = ()) -> bool:
    """Return whether two notes ask one thing, whichever of the two who talk they name, and with what added.

    `Whether Hanne rang Judit` and `Whether she rang Judit, before the kettle` do; `people` are the names of
    those who talk.
    """
    return is_question(one) and is_question(other) and _is_of_one_deed(one, other, people)


def asks_what_came_of(question: str, intention: str, people: Collection[str] = ()) -> bool:
    """Return whether a question asks what came of what somebody means to do: `to ring Judit on Thursday`."""
    return (
        is_question(question)
        # `whether she rings` before the day that the other names says less than that
        and (_is_past(question) or bool(_named_days(question)) or not _named_days(intention))
        and _MEANS_TO.search(intention) is not None
        and _is_of_one_deed(question, _MEANS_TO.sub(" ", intention), people)
    )


def _is_past(question: str) -> bool:
    """Return whether a question asks after something that was to be done by now: `whether she rang`."""
    return any(IRREGULAR.get(word, word) != word or word.endswith("ed") for word in list_words(question))


def is_intention(text: str) -> bool:
    """Return whether a note tells what somebody means to do."""
    return _MEANS_TO.search(text) is not None


def is_question(text: str) -> bool:
    """Return whether a note asks whether something is so."""
    return _ASKS_WHETHER.match(text) is not None


def asks(text: str) -> bool:
    """Return whether a note asks something: `what the toll house knows`."""
    return _ASKS.match(text) is not None


def _is_of_one_deed(one: str, other: str, people: Collection[str]) -> bool:
    """Return whether two notes tell of one deed: all that one says but its days, the other says too."""
    of_people = telling(" ".join(people))
    days = whole_dates(one), whole_dates(other)
    if all(days) and days[0] != days[1]:
        return False
    one, other = (without_dates(_ADDED.sub("", without_day(text))) for text in (one, other))
    mine, theirs = (telling(text) - of_people - _OF_TIME for text in (one, other))
    numbers = [{word for word in list_words(text) if any(c.isdigit() for c in word)} for text in (one, other)]
    less, more = sorted((mine, theirs), key=len)
    denied = [bool(_DENIES.intersection(list_words(text))) for text in (one, other)]
    return len(less) >= _LEAST_DEED and less <= more and numbers[0] == numbers[1] and denied[0] == denied[1]


def is_said_twice(one: str, other: str) -> bool:
    """Return whether two items of one page are about the same: most words, every name, day and number."""
    one, other = join_dates(without_day(one)), join_dates(without_day(other))
    mine, theirs = telling(one), telling(other)
    both, least = len(mine & theirs), min(len(mine), len(theirs))
    different = set(list_words(one)) ^ set(list_words(other))
    if both < _FEWEST_TWICE or both < _MOST_LIKE * least or any(map(tells_apart, different)):
        return False
    # any sentence may begin with a capital
    return list_names(one[1:]) == list_names(other[1:])


def is_told_in(text: str, note: str) -> bool:
    """Return whether what a page left open is the matter of a note that the same page put otherwise.

    The note has most of its words, two of them no names, and each of its numbers, months and denials;
    a weekday beside a day of the month may be left out. A long note has other matters, too, and one that asks
    is another than one that tells.
    """
    if asks(text) != asks(note):
        return False
    words, theirs, apart, mine, others = _told_of(text, note)
    common = mine & others
    plain = common - telling(" ".join(list_names(text[1:])))
    return (
        apart | _DENIES.intersection(words) <= theirs
        and len(common) >= _FEWEST_TWICE
        and len(plain) >= _LEAST_DEED
        and len(common) >= max(_MOST_LIKE * len(mine), len(others) / 3)
    )


def repeats(text: str, note: str, people: Collection[str] = ()) -> bool:
    """Return whether what an answer leaves open is the matter of a note of the same page, in other words.

    All telling words of it but one are in the note, two at least, and each of its numbers, days, names and
    denials; or both begin with the same clause, and only put otherwise how sure it is. The `people` who talk
    may be named or not.
    """
    if asks(text) != asks(note) or _are_of_two_days(text, note):
        return False
    text, note = join_dates(without_day(text)), join_dates(without_day(note))
    words, theirs = set(list_words(text)), set(list_words(note))
    apart = {word for word in words if word in _DAYS or any(c.isdigit() for c in word)}
    of_people = {fold(part) for name in people for part in name.split()}
    # a name may stand first, where any word has a capital
    named = list_names(text) - of_people - frozenset(fold(word) for word in list_words(note))
    leads = [list_words(_CLAUSE.split(one, maxsplit=1)[0]) for one in (text, note)]
    if not apart <= theirs or named:
        return False
    if len(leads[0]) >= _FEWEST and leads[0] == leads[1]:
        tails = [_CLAUSE.split(one, maxsplit=1)[1:] for one in (text, note)]
        return all(len(list_words(" ".join(tail))) <= _SHORT_TAIL for tail in tails)
    if not _DENIES.intersection(words) <= theirs:
        return False
    light = telling(" ".join(people)) | _OF_TALES
    mine, others = ({_OWES.get(word, word) for word in telling(one)} - light for one in (text, note))
    common = mine & others
    return len(common) >= _LEAST_DEED + (0 if mine <= others else 1) and len(mine - others) <= 1


def is_label_of(text: str, note: str) -> bool:
    """Return whether what a page left open only names what a note tells: `The concert on 29 November`.

    It has few words, and all that say something, its days, numbers and names, stand in the note.
    """
    if asks(text) or asks(note):
        return False
    text, note = (_ORDINAL.sub("", one) for one in (text, note))
    words, theirs, apart, mine, others = _told_of(text, note)
    mine = mine - _LIGHT
    # `Ines does not want it, Rike has to think`: what is denied of something else says nothing of it
    about = {word for part in _PART.split(note) if telling(part) & mine for word in list_words(part)}
    if _DENIES.intersection(words) != _DENIES.intersection(about) or not apart <= theirs:
        return False
    if _WHICH.intersection(words) - theirs:
        # `the first tasting` is one of those every Saturday
        return False
    alone = len(mine) > 1 or any(word[0].isdigit() for word in apart) or len(words) == 1
    return 0 < len(mine) <= _LABEL and alone and mine <= others


def _told_of(
    text: str, note: str
) -> tuple[set[str], set[str], AbstractSet[str], AbstractSet[str], AbstractSet[str]]:
    """Return both texts' words, the first one's days and numbers, and the telling words of both."""
    text, note = without_day(text), without_day(note)
    words, theirs = set(list_words(text)), set(list_words(note))
    days = frozenset(MONTHS) if any(word[0].isdigit() for word in words) else _DAYS
    apart = {word for word in words if word in days or any(c.isdigit() for c in word)}
    return words, theirs, apart, telling(text) - telling(" ".join(_DAYS | apart)), telling(note)


def turns(words: Collection[str]) -> bool:
    """Return whether any of these words turns what the others say."""
    return not _TURNS.isdisjoint(words)


def tells_apart(word: str) -> bool:
    """Return whether a word by itself tells one thing from another: a number, a day or a denial."""
    return word in _TURNS or word in _DAYS or any(c.isdigit() for c in word)


def list_names(text: str) -> frozenset[str]:
    """Return the words that begin with a capital, without those that any sentence may begin with."""
    found = (fold(word) for word in _CAPITAL.findall(text))
    return frozenset(word.removesuffix("'s") for word in found if bare(word) not in STOP)


def list_words(text: str) -> list[str]:
    """Return a text's words without articles; a script without spaces counts as one word."""
    plain = spelt_out(join_dates(without_day(text)))
    return [word for word in WORD.findall(plain) if word not in _ARTICLES]


def session_day(session: str) -> date | None:
    """Return the day of a session by its ID; None where it names none."""
    day = find_day(session[:10])
    return date.fromisoformat(day) if day else None


def noted_day(text: str) -> date | None:
    """Return the day on which an item was noted, which stands at its end; None where none does."""
    found = NOTED.search(text)
    day = find_day(found["day"]) if found else ""
    return date.fromisoformat(day) if day else None


def with_day(text: str, day: date | None, before: str = "") -> str:
    """Return an item's words with their relative days as dates, `by Friday, 6 March 2026`.

    Where a day is named that still needs it to be understood, the day on which they were noted stands at the
    end. The day that `before` had, which they take the place of, is kept where both name the same day that
    has to be reckoned from it.
    """
    if day is None or NOTED.search(text):
        return text
    kept, named = noted_day(before), _named_days(text)
    if kept is not None and named == _named_days(without_day(before)) and _has_to_be_reckoned(text):
        day = kept
    told = resolve_note(text, day)
    return f"{told} (noted {day_in_words(day)})" if list_open_days(told) else told


def tell_note(text: str, today: date) -> str:
    """Return an item's words as a prompt of this day gives them: with the day they were noted on if needed.

    That is where they name no month of theirs (`next Friday`, `the 9th`), or where it was in another year.
    """
    noted = noted_day(text)
    if noted is None or noted.year != today.year:
        return text
    named = _named_days(without_day(text))
    months = any(month in one.casefold() for one in named for month in MONTHS)
    return without_day(text) if months or not _has_to_be_reckoned(without_day(text)) else text


def _has_to_be_reckoned(text: str) -> bool:
    """Return whether a text names a day that depends on when it was noted: `next Friday`, `the 9th`."""
    return any(one.relative or one.kind == "nth" for one in dates(even(text), date(2024, 1, 1)))


def _named_days(text: str) -> list[str]:
    """Return the words by which a text names days."""
    plain = even(text)
    return [plain[one.start : one.end] for one in dates(plain, date(2024, 1, 1))]


def _are_of_two_days(one: str, other: str) -> bool:
    """Return whether both were noted on days of their own, from which what they name is another day."""
    mine, theirs = noted_day(one), noted_day(other)
    if mine is None or theirs is None or mine == theirs:
        return False
    return _resolved(one, mine) != _resolved(other, theirs)


def _resolved(text: str, day: date) -> list[tuple[tuple[date, date], ...]]:
    """Return the spans of days that a text noted on this day names."""
    return [one.spans for one in dates(even(without_day(text)), day)]


def nearly_same(one: str, other: str) -> bool:
    """Return whether two texts are nearly alike, letter by letter; not whether they say the same thing."""
    a, b = fold(one).rstrip("."), fold(other).rstrip(".")
    return a == b or alike(a, b, _ALIKE)


def alike(a: str, b: str, least: float) -> bool:
    """Return whether two folded texts are alike; very different lengths are decided without comparison."""
    if 2 * min(len(a), len(b)) < least * (len(a) + len(b)):
        return False
    return SequenceMatcher(None, a, b, autojunk=False).ratio() >= least
