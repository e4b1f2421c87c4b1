"""Notes that a page asks about by number, as their day has passed, and open loops that a chat closes."""

from collections.abc import Mapping, Sequence
from datetime import date, timedelta

from reel_cli.core.evidence.days.passed_days import has_passed as names_passed
from reel_cli.core.evidence.days.passed_days import last_day_of
from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.date_words import MONTHS, SEASONS, WEEKDAYS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences, stem, telling
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import late
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.note_likeness import noted_day
from reel_cli.features.page.prompt.doer import find_doer, find_promiser, is_same_doer

LOOPS = "Open loops"
LONG_AGO = timedelta(days=366)
LONGEST_SENTENCE = 16
"""Words of a sentence above which it does not say plainly that something is closed."""
_LEAST_COMMON, _LEAST_SHARE = 2, 0.85
"""Telling words of a loop that a sentence must have, and their share of the loop's."""
_LEAVES_OPEN = late(
    r"(?i)\b(?:not|never|yet|hope|hopefully|maybe|perhaps|might|may|could|would|if|whether|until|almost|nearly"
    r"|been \w+ing|plan\w*|soon|still)\b|n['’]t\b|\?"
)
"""Pattern of what leaves a matter open, wherever it stands in a sentence."""
_NO_DEED = late(
    r"(?i)\b(?:promised|swor[en]|forgot(?:ten)?|(?:offered|wanted|tried|failed)(?=(?: \w+){0,2} to \w))\b"
)
"""Pattern of past verbs whose deed is not done yet: `you promised to send it`, `I forgot to send it`."""
_SPEAKING = late(
    r"(?i)\b(?:tells?|told|talk(?:s|ed)?|speaks?|spoken?|shows?|showed|shown|mention(?:s|ed)?|explain(?:s|ed)?"
    r"|agree[sd]?|answer(?:s|ed)?|repl(?:y|ies|ied)|admit(?:s|ted)?|says?|said|offer(?:s|ed)?)\b"
)
"""Pattern of verbs of telling, which no telling words have: with one, a loop waits for somebody's words."""
OF_LOOPS = frozenset(
    stem(word)
    for word in (
        "whether",
        "how",
        "ask",
        "find",
        "still",
        "next",
        "go",
        "goes",
        "means",
        "intends",
        *MONTHS,
        *WEEKDAYS,
        *SEASONS,
    )
)
"""Roots that only make a loop a question or an intention, or give its day."""


def tell_passed(items: Sequence[Item], day: date) -> Sequence[str]:
    """Return what the prompt of a page of this day says of the notes whose day has passed, by their numbers.

    Whether a chat closed a note is for the page to say: the prompt does not guess it.
    """
    named = [str(number) for number, item in enumerate(items, start=1) if has_passed(item.text, day)]
    if not named:
        return []
    overdue = [n for n in named if has_deadline(items[int(n) - 1].text)]
    told = f" Overdue: {_list(overdue)}." if 0 < len(overdue) <= _MOST_OVERDUE else ""
    return [f"The day of {_list(named)} has passed: closed, or what came of it?{told}"]


def _list(numbers: Sequence[str]) -> str:
    *first, last = numbers
    return f"{', '.join(first)} and {last}" if first else last


def has_deadline(loop: str) -> bool:
    """Return whether a loop names a day by which something is owed: that it passes does not settle it."""
    text = without_day(loop)
    plain = even(text)
    named = dates(plain, noted_day(loop) or date(2024, 1, 1), feasts=True)
    return any(_DEADLINE.search(plain, 0, one.start) for one in named)


_DEADLINE = late(
    r"(?i)\b(?:by|before|no later than)\s+(?:the\s+)?(?:(?:beginning|start|middle|end) of\s+)?"
    r"(?:\w+day,?\s+)?(?:the\s+)?$"
)
_MOST_OVERDUE = 3
"""Overdue notes above which a prompt has no room to name them once more."""
_WEEKLY = late(
    rf"(?i)\A(?!.*\b(?:until|till|by)\b).*\b(?:(?:{'|'.join(WEEKDAYS)})s|weekly"
    rf"|(?:every|each) (?:{'|'.join(WEEKDAYS)}|week|month|evening|day))\b"
)
"""Pattern of what goes on week by week, with no last day."""
_BEFORE_DAY = late(r"(?i)\bbefore (?=(?:the )?\d)")
_BEFORE_MONTH = late(rf"(?i)\bbefore (?=(?:{'|'.join(MONTHS)})\b(?! \d{{1,2}}\b))")


def has_passed(loop: str, today: date) -> bool:
    """Return whether a loop names a day or month, and each that it names has passed.

    A day without a year, or one like `next Friday`, counts from the day the loop was noted on. A day of
    long ago is what the loop tells of, and none by which it was due. What is so week by week has no such day:
    `the choir is on Wednesdays from 2 September`; nor has what goes on from a day: `takes 5 mg from 4 March`.
    """
    if _WEEKLY.search(loop) or _holds_since(without_day(loop), noted_day(loop)):
        return False
    # what is open before a day is due by it
    text, noted = _BEFORE_MONTH.sub("by 1 ", _BEFORE_DAY.sub("by ", without_day(loop))), noted_day(loop)
    passed, long_ago = (names_passed(text, noted, day, begun=True) for day in (today, today - LONG_AGO))
    return passed and not long_ago


def _holds_since(text: str, noted: date | None) -> bool:
    """Return whether a text tells how somebody lives, or what they take, from each day that it names on."""
    plain = even(text)
    named = [one for one in dates(plain, noted, feasts=True) if one.spans]
    if not named or _ASKS.search(plain):
        return False
    return all(_HOLDS_FROM.search(plain, 0, one.start) for one in named)


_ASKS = late(r"(?i)\b(?:how|whether|ask)\b|\?")
_HOLDS_FROM = late(
    r"(?i)(?:\b(?:(?:takes?|taking)(?! (?:leave|time|part|over|off"
    r"|an? (?:week|day|month|year|break|holiday|trip)"
    r"|the (?:train|bus|van|car|boat|ferry))\b)|lives?|works?|pays?)\b"
    r"|\d ?(?:mg|mcg|µg|ml|units?|tablets?|pills?|drops?|puffs?)\b)[^.;!?]*"
    r"\b(?:from|since|as of|starting(?: on)?)\s+(?:the\s+)?"
    r"(?:tomorrow,?\s+|today,?\s+|\w+day,?\s+(?:the\s+)?)?$"
)
"""Patterns of a note that asks, and of what stands before a day from which something goes on."""


def is_ahead(loop: str, today: date) -> bool:
    """Return whether a loop is for a day that is still to come, or a month that has not begun."""
    text, noted = without_day(loop), noted_day(loop) or today
    last = last_day_of(text, noted)
    named = (span for one in dates(even(text), noted, feasts=True) for span in one.spans)
    return last is not None and any(first > today and end == last for first, end in named)


def find_closed(
    loops: Mapping[str, str], said: Sequence[tuple[str, str]], names: Sequence[str]
) -> Mapping[str, str]:
    """Return for each loop that a chat may have closed the sentence that says so plainly.

    The sentence is short, tells of something done, leaves nothing open, and has most of the loop's own words
    and what a loop asks somebody to say: `whether she talks` is closed by no sentence about a bicycle.
    Whoever did it is the one of whom the loop is, or nobody can tell. `loops` have the one whose loop it is,
    as far as that is known, `said` the speaker. The `names` of the two who talk are no words of a loop.
    """
    of_names = telling(" ".join(names))
    owed_by = {loop: find_promiser(without_day(loop), whose, names[0]) for loop, whose in loops.items()}
    wanted = {loop: telling(without_day(loop)) - of_names - OF_LOOPS for loop in loops}
    deeds = {loop: _SPEAKING.findall(even(without_day(loop))) for loop in loops}
    found: dict[str, str] = {}
    for speaker, text in said if any(len(words) >= _LEAST_COMMON for words in wanted.values()) else ():
        plain = even(text)
        for start, end in sentences(plain):
            sentence = plain[start:end].strip()
            long = len(sentence.split()) > LONGEST_SENTENCE
            if long or _LEAVES_OPEN.search(sentence) or not tells_past(_NO_DEED.sub(" ", sentence)):
                continue
            words, spoken = telling(sentence), {stem(one) for one in _SPEAKING.findall(sentence)}
            for loop, own in wanted.items():
                if not spoken.issuperset(map(stem, deeds[loop])):
                    continue
                common = len(own & words)
                if common < _LEAST_COMMON or common < _LEAST_SHARE * len(own):
                    continue
                if is_same_doer(find_doer(sentence, own, speaker, names[:2]), owed_by[loop]):
                    found[loop] = " ".join(sentence.split()).replace('"', "'")
    return found
