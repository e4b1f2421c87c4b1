"""Two notes of one thing on one day, told as one that has the words of both."""

import re

from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.files.working_file import NOTED, without_day
from reel_cli.core.frozen import late
from reel_cli.features.page.notes.note_dates import days_of_month, without_days
from reel_cli.features.page.notes.note_likeness import asks, list_names, list_words, tells_apart, turns

LONGEST = 300
"""Characters of a joined note; above them the two stay apart."""
_LEAST, _SHARE = 2, 0.75
"""Telling words that two notes share of what is on the day, and their share of the longer one's."""
_CLAUSE = late(r";\s+|(?<=\w\w)[.!]\s+(?=[A-Z“\"])")
_COMMA = late(r",\s+")


def join_notes(one: str, other: str) -> str | None:
    """Return one note for two of the same thing on the same day, with the words of both; None for two things.

    They name the same day in their first clause, and tell the same of it: all words of the one are in the
    other's, and nothing else tells them apart (a number, a name, a denial). What else either says stays.
    """
    leads = [_first_clause(without_day(text)) for text in (one, other)]
    days = [days_of_month(lead) for lead in leads]
    if not days[0] or days[0] != days[1] or asks(one) != asks(other):
        return None
    words = [{*list_words(without_days(lead))} for lead in leads]
    names = [list_names(without_days(lead[1:])) for lead in leads]
    more, less = words[0] - words[1], words[1] - words[0]
    if turns(more | less) or names[0] != names[1]:
        return None
    told = [telling(without_days(lead)) for lead in leads]
    both = told[0] & told[1]
    if len(both) < max(_LEAST, _SHARE * max(map(len, told))):
        return None
    # the one that says all of the other's first clause, in whichever of its own
    whole = [{*list_words(text)} for text in (one, other)]
    if told[1] <= told[0] and not any(tells_apart(word) for word in less - whole[0]):
        base, added = one, other
    elif told[0] <= told[1] and not any(tells_apart(word) for word in more - whole[1]):
        base, added = other, one
    else:
        return None
    known = telling(base)
    parts = [part for part in _further(without_day(added)) if not (part in base or telling(part) <= known)]
    noted = NOTED.search(other) or NOTED.search(one)
    joined = "; ".join([without_day(base).rstrip(" ."), *parts])
    if len(joined) > LONGEST:
        return None
    return f"{joined}.{f' {noted[0].strip()}' if noted else ''}" if parts else base


_MORE = 2
"""Telling words that the longer of two first clauses of one thing has besides, at most."""


def are_twins(one: str, other: str) -> bool:
    """Return whether two notes are of the same thing on the same day, so that what ends one ends both.

    Their first clauses say the same, or one of them nothing but a name that the other has too: `Wiklund on
    14 April; ask after` and `Wiklund looks at the knee on 14 April`. Behind a bare name of somebody stands
    what the note is about: `Ruth on 14 April; call` and `Ruth has surgery on 14 April` are two things, and so
    are `the blood test` and `the blood test results`.
    """
    texts = [without_day(text) for text in (one, other)]
    leads = [_first_clause(text) for text in texts]
    days = [days_of_month(lead) for lead in leads]
    if not days[0] or days[0] != days[1] or asks(one) != asks(other):
        return False
    bare = [without_days(lead) for lead in leads]
    words, told = [{*list_words(text)} for text in bare], [telling(text) - _ARRANGED for text in bare]
    names = [list_names(text) for text in bare]
    if any(tells_apart(word) or word.casefold() in _RETURNS for word in words[0] ^ words[1]):
        return False
    if not (told[0] and told[1]) or names[0] != names[1] or any(_OWNS.search(lead) for lead in leads):
        return False
    named = telling(" ".join(names[0]))
    if told[0] == told[1] and (told[0] - named or all(map(_OF_THING.match, leads))):
        return True
    whole = [telling(without_days(text)) - _ARRANGED for text in texts]
    return any(
        told[a] <= named & told[b] and whole[a] <= whole[b] and len(told[b] - told[a]) <= _MORE
        for a, b in ((0, 1), (1, 0))
    )


_RETURNS = frozenset(("back", "home", "again"))
_ARRANGED = telling("due set planned booked arranged scheduled")
"""Roots that say of a thing only that it has a day."""
_OF_THING = late(r"(?i)\W*(?:the|an?)\b")
"""Pattern of a first clause that begins with a thing, not with somebody's name."""
_OWNS = late(r"(?i)['’]s\b")
"""Pattern of a thing of somebody, beside which there may be another one on that day."""


def _first_clause(text: str) -> str:
    """Return what a note begins with, up to the end of the part that names its first day."""
    lead = _CLAUSE.split(text, maxsplit=1)[0]
    places = [found.start() for found in _COMMA.finditer(lead)]
    return next((lead[:at] for at in places if days_of_month(lead[:at])), lead)


def _further(text: str) -> list[str]:
    """Return what a note says behind its first clause, in clauses."""
    rest = text[len(_first_clause(text)) :].lstrip(" ,;.!")
    return [part.strip(" .") for part in _CLAUSE.split(rest) if re.search(r"\w", part)]
