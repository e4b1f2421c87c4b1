"""Facts as statements: of whom, and said when, made of the words as they were said (SRIP-11 §III.5).

A bundle tells the persona who it is, so a bare `my partner` in it reads as the persona's own life. Words are
put otherwise only where the result is sure to be grammatical. All others are quoted, with who said them.
"""

import re
from collections.abc import Mapping, Sequence
from datetime import date

from reel_cli.core.evidence.days.relative_days import name_relative_days
from reel_cli.core.evidence.days.resolved_days import resolve_days
from reel_cli.core.evidence.grounding.lexicon import UNDER_TWENTY, even, telling
from reel_cli.core.frozen import late
from reel_cli.core.moment import day_in_words, read_day
from reel_cli.core.values.holdings import FactRow, count_settled
from reel_cli.core.values.source import session_order
from reel_cli.features.facts.choice import as_ended, is_lasting, last_day, order_facts, reason_of
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import (
    DREAM,
    EXTRACTION,
    OWN,
    OWN_HEADING,
    PERSON,
    category_of,
    fact_id,
    fact_name,
    is_own,
    must_be_there,
    protects,
)

_FIRST = late(r"(?i)\b(?:i|i'[a-z]+|me|my|mine|myself|we|we'[a-z]+|us|our|ours|ourselves|you|your|yours)\b")
_NOBODY = late(r"(?i)(?:he|she|they)(?:['’](?:s|re|ve|ll|d))?\b")
_TO_ANOTHER = late(r"(?i)\b(?:him|her|them)\b")
"""Patterns of a pronoun at the beginning that nothing gives a meaning, and of a second one behind it."""
_QUOTED = late(r'"[^"]*"|“[^”]*”')
_FIRST_ALONE = late(r"(?i)\b(?:i|i'[a-z]+|me|my|mine|myself|we|us|our|ours|ourselves)\b")
_FOREIGN = late(
    r"(?i)\b(?:ich|mich|mir|mein\w*|wir|unser\w*|je|moi|mon|mes|nous|notre|yo|soy|estoy|tengo|mi|mis|nosotros|io"
    r"|sono|mio|mia|miei|eu|sou|meu|minha|ik|mijn|jag|jeg|mit|ja|jestem|mam|mój|moja|moje|nie|es|il|el|la|le|der"
    r"|(?<!n't )(?<!to )(?<!not )(?<!will )(?<!must )(?<!never )die"
    r"|das|und|ist|est|une?|que|con|para|pour|avec|og|och|een|het|zijn|não|está|от|и|я|мой|моя)\b|\b[jlmnd]'(?=\w)"
)
_NON_LATIN = late(r"[\u0370-\u1fff\u2c00-\ud7ff\uf900-\ufdff]")
_PLAIN_WORDS = 3
"""A value of so many words at most is a name or a thing, whatever its language."""
_ENGLISH = late(
    r"(?i)\b(?:the|is|are|was|were|has|have|had|of|and|with|for|from|my|he|she|they|will|to|by|not|since|that|as"
    r"|at|be|been|does|got|who|which|every|than)\b"
)
_MY = late(r"(?i)\bmy\b(?=\s+[a-z])")
_WHOSE = late(r"(?i)(?P<lead>(?:^|, )(?:(?:from|of|with|by|at|to|for|in|on)\s+)?)my\b(?=\s+[a-z])")
"""The word where it names somebody or something; behind a verb, `their` reads as well."""
_BE = {
    "am": "is", "'m": "is", "have": "has", "'ve": "has", "will": "will", "'ll": "will", "don't": "doesn't",
    "haven't": "hasn't", "do": "does",
    **{word: word for word in ("was", "had", "can", "can't", "cannot", "won't", "must", "used")},
    **{word: word for word in ("couldn't", "wasn't", "didn't")},
}  # fmt: skip
_PRESENT = late(
    r"live|work|like|love|hate|want|need|prefer|play|study|teach|take|own|eat|drink|use|speak"
    r"|run|write|read|keep|call|visit|smoke|sleep|drive|travel|avoid|wear|collect"
)
_PAST = late(
    r"moved|went|bought|got|grew|met|lost|left|quit|started|married|worked|lived|stopped"
    r"|changed|sold|broke|became|began|finished|passed|failed|adopted|joined|promised|decided"
    r"|signed|booked"
)
_SENTENCE_I = late(
    r"(?i)i(?P<be>'m|'ve|'ll)?\s+(?:(?P<adverb>also|still|now|just|really|always|never|currently)\s+)?"
    r"(?P<verb>[a-z]+(?:'t)?)\b(?P<rest>.*)",
    re.DOTALL,
)
_GOES_ON = late(r"\b(?:and|but|or|then|,)\s+(?!a\b|an\b|the\b|their\b|\d|[A-Z])")
"""A second clause, whose verb nothing here would put otherwise."""
_WORD = late(r"\w+")
_NO_SESSION = ("", 0)
_MOST_OF = 0.5
"""Share of a value's words in a quotation that may stand for it."""
_LEANS = {"commitments": 1, "history": -1}
"""By category: whether a weekday whose sentence does not say so is to come or past."""


def value_with_days(fact: Fact) -> str:
    """Return a fact's value as it was said, with the dates of its relative days behind it."""
    return _with_days(fact.value, _said_on(fact), _LEANS.get(category_of(fact), 0))


def rows_of(held: Sequence[Fact], user: str, evenings: Sequence[str] = ()) -> list[FactRow]:
    """Return held facts as rows of a bundle; they settle by the sessions that they name and `evenings`."""
    ranks = {fact_name(one): rank for rank, one in enumerate(order_facts(held))}
    named = {session for one in held if (session := told_in(one.source)) != _NO_SESSION}
    sessions = sorted(named | {session_order(name) for name in evenings})
    lately = sessions[settled] if (settled := count_settled(len(sessions))) else _NO_SESSION
    today = read_day(evenings[-1]) if evenings else None
    return [as_ended(row, today) if today is not None else row for row in _rows(held, user, ranks, lately)]


def _rows(
    held: Sequence[Fact], user: str, ranks: Mapping[tuple[str, str], int], lately: tuple[str, int]
) -> list[FactRow]:
    return [
        FactRow(
            fact_id(one),
            OWN_HEADING if is_own(one) else category_of(one),
            "" if _is_named_in(one.key, one.statement) else one.key,
            state(one, user),
            must_be_there(one),
            ranks[fact_name(one)],
            one.source,
            reason_of(one),
            must_be_there(one) and protects(one),
            told_in(one.source) < lately,
            "" if (ends := last_day(one)) is None else ends.isoformat(),
            is_lasting(one),
        )
        for one in held
    ]


def told_in(source: str) -> tuple[str, int]:
    """Return the session that a fact was told in, as day and number; ("", 0) if it is not from the tape."""
    try:
        return session_order(source.partition("#")[0])
    except ValueError:
        return _NO_SESSION


def _is_named_in(key: str, statement: str) -> bool:
    """Return whether a statement has every word of a fact's name, so that the name adds nothing."""
    words, told = (_WORD.findall(text.casefold()) for text in (key.replace("_", " "), statement))
    return bool(told) and {*words} <= {*told}


def state(fact: Fact, user: str) -> str:
    """Return a fact as a bundle tells it: as a statement about somebody, with the day it was said on."""
    day = read_day(fact.source) or read_day(fact.when)
    if fact.said_by or category_of(fact) == OWN:
        return _state_own(fact, user, day)
    lean = _LEANS.get(category_of(fact), 0)
    if fact.statement:
        return _dated(fact.statement, day, lean, reckoned=_said_on(fact))
    value = " ".join(fact.value.split())
    accepted = bool(fact.source and fact.replaces)
    if fact.origin == PERSON and not (fact.evidence or accepted):
        # written by hand, and nobody's saying, also where it names the chat it is from
        plain = put_in_third_person(value, user) or ("" if _FIRST.search(value) else value)
        quoted = f"noted{_on(day)}: {_with_days(f'“{value}”', day, lean)}"
        return resolve_days(plain, day, lean) if plain else quoted
    if fact.origin == DREAM:
        if _FIRST.search(value):
            return f"you noted{_on(day)}: {_with_days(f'“{value}”', day, lean)}"
        return resolve_days(value, day, lean)
    named = name_subject(value, fact.key, user)
    told = put_in_third_person(named, user)
    if told is None or (_NOBODY.match(named) and _TO_ANOTHER.search(named)):
        return _say(f"{user} said", fact, value, day, lean)
    told = resolve_days(told, _said_on(fact), lean)
    if day is None or not (fact.origin == EXTRACTION or (fact.source and (fact.evidence or fact.replaces))):
        return told
    return f"{told}{_said(day)}" if user in told else f"{told}{_said_by(user, day)}"


def state_plainly(fact: Fact, user: str) -> str:
    """Return a fact as a bundle tells it, without the day it was said on."""
    return strip_said(state(fact, user))


def strip_said(told: str) -> str:
    """Return what a bundle tells of a fact without by whom and on which day it was said."""
    return _SAID_ON.sub("", told)


_SAID_ON = late(r" \((?:said|you said so|noted)\b[^()]*\)$")


def _state_own(fact: Fact, user: str, day: date | None) -> str:
    """Return what the persona told of its own life, as said to it; a tale's years are no years of ours."""
    if fact.statement:
        return _dated(fact.statement, day, years=False, reckoned=day)
    value = " ".join(fact.value.split())
    if not fact.said_by:
        if fact.origin == DREAM:
            # a dream is written in the persona's own voice, and its turns are those of both
            own = put_in_second_person(value) if _FIRST.search(value) else value
            return resolve_days(own, day, years=False) if own else f"you noted{_on(day)}: “{value}”"
        if fact.origin != PERSON:
            return _say(f"{user} said", fact, value, day, years=False)
        # a person writes the persona's life in its voice or in another's; a bundle speaks to it throughout
        own = put_in_second_person(value) if _FIRST_ALONE.search(value) else value
        return own or f"you noted{_on(day)}: “{value}”"
    told = put_in_second_person(value)
    if told is None:
        return _say("you said", fact, value, day, years=False)
    return f"{resolve_days(told, day, years=False)} (you said so{_on(day)})"


def state_to_person(fact: Fact, name: str, user: str) -> str:
    """Return a fact of the persona's own life as a person reads it, under the persona's name."""
    day = read_day(fact.source) or read_day(fact.when)
    value = " ".join(fact.value.split())
    if fact.statement:
        return _dated(fact.statement, day, years=False, reckoned=day)
    if fact.said_by or fact.origin == DREAM:
        verb = "said" if fact.said_by else "noted"
        return _say(f"{name} {verb}", fact, value, day, years=False)
    if fact.origin == PERSON:
        return f"of {name}: {f'“{value}”' if _FIRST_ALONE.search(value) else value}"
    return _say(f"{user} said", fact, value, day)


def _say(  # noqa: PLR0913 (the words, whose they are, and how their days are told)
    who: str, fact: Fact, value: str, day: date | None, lean: int = 0, *, years: bool = True
) -> str:
    """Return a fact as somebody's words; as a page's own where its first person was not said like that.

    What was noted in other words than theirs is told as it is, and behind it who said it.
    """
    quoted = _quoted(fact, value)
    told = _with_days(quoted or value, _said_on(fact), lean, years=years)
    if quoted and quoted == value:
        name = who.removesuffix(" said")
        return f"{told} (you said so{_on(day)})" if name == "you" else f"{told}{_said_by(name, day)}"
    return f"{who if quoted else 'as a page tells it'}{_on(day)}: {told}"


def _quoted(fact: Fact, value: str) -> str:
    """Return the words in quotation marks; of an answer, with what was asked. What was not said has none.

    "" where a value in the first person is neither said nor told by the words that were.
    """
    *before, last = fact.evidence.split(" / ")
    if not before and last and not _holds(last, value):
        if not _FIRST.search(value):
            return value
        # no bare first person: rather the words that were said, where they have most of it
        mine = telling(value)
        enough = len(mine & telling(last)) >= _MOST_OF * len(mine)
        return f"“{last}”" if enough else ""
    if not before or any(_holds(one, value) for one in (*before, last)):
        return f"“{value}”"
    if before[-1].endswith("?"):
        return f"“{last}” (to the question “{before[-1]}”)"
    return " … ".join(f"“{part}”" for part in (*before, last))


def _holds(words: str, value: str) -> bool:
    """Return whether words have a value as it stands, but for quotation marks and spaces."""
    return " ".join(even(value).casefold().split()) in " ".join(even(words).casefold().split())


_SECOND_PERSON = {
    "i'm": "you're", "i am": "you are", "i was": "you were", "i've": "you've", "i'll": "you'll",
    "i'd": "you'd", "i": "you", "me": "you", "my": "your", "mine": "yours", "myself": "yourself",
}  # fmt: skip
_RETOLD = late(
    r"(?i)\b(?:said|says|told \w+|wrote|writes|asked|asks|thinks?|thought)\b[^.!?]{0,40}(?::|\")"
    r".*\b(?:i|i'\w+|me|my|mine|we|our)\b"
)
"""Pattern of somebody's words told as they were said, whose `I` is that person."""
_I = late(r"(?i)\b(?:i am|i was|i'm|i've|i'll|i'd|i|me|my|mine|myself)\b")
_NOT_I = late(r"(?i)\b(?:we|we'[a-z]+|us|our|ours|ourselves|you|your|yours|you'[a-z]+|am|was i)\b")


def put_in_second_person(value: str) -> str | None:
    """Return the persona's own words as said to it; None where only a quotation is sure."""
    plain = value.replace("’", "'")
    if _NON_LATIN.search(plain) or _FOREIGN.search(plain) or not plain.isascii() or _RETOLD.search(plain):
        return None
    told = _I.sub(lambda found: _SECOND_PERSON[found[0].casefold()], plain)
    return None if _NOT_I.search(_I.sub("", plain)) else told


_SUBJECT = late(
    r"(?i)(?P<who>he|she|it|they)(?:(?P<short>['’]s|['’]re|['’]ve|['’]ll)|(?=\s+(?:is|are|was|were|has|have|had|will"
    r"|can|does|did|died|lives?|works?|goes|has|got|likes?|loves?|plays?|calls?|called)\b))\s+(?P<rest>.*)",
    re.DOTALL,
)
"""Pattern of a value that begins with a pronoun, which the turn before it gave its meaning."""
_HAS_BEHIND = late(r"(?i)(?:got|been|had|become|gone|gotten)\b")
_IS_BEHIND = late(
    r"(?i)(?:an?|the|my|our|her|his|their|not|in|on|at|from|with|only|just|still|also|very|so|too|about|over|under"
    r"|pregnant|dead|alive|ill|sick|fine|old|young|allergic|married|single|divorced|retired|called|named|due"
    rf"|\d[\d.,]*|{'|'.join(UNDER_TWENTY[1:])}|\w+ty\b|\w+ing)\b"
)
_IS_SOMEBODY_WHO = late(r"(?i)[^.,;!?]*\b(?:who|that|which|where|when|because)\b")
"""Pattern of what makes `it` stand for no thing: `it's not Col who knows the man`."""
_KIN = late(
    r"(?i)(?:(?:grand|step)?(?:mother|father|mum|mom|dad|son|daughter|child|parents?|ma|pa)|sister|brother|wife"
    r"|husband|partner|girlfriend|boyfriend|fianc[ée]e?|aunt|uncle|cousin|niece|nephew|boss|landlord|landlady"
    r"|dog|cat|neighbou?r|flatmate|roommate|friend)s?"
)
_WHOSE_KEY = late(r"(?P<whose>[\w .-]{2,40}?)['’]s? \S.*")


def name_subject(value: str, key: str, user: str) -> str:
    """Return a value with the thing or person that its name is of in place of a pronoun at its beginning.

    Where the name does not say for sure what the pronoun means, or the verb how to be put, the value is left.
    """
    begun = _SUBJECT.fullmatch(value)
    subject = (
        _subject(key.replace("_", " ").strip(), begun["who"].casefold(), user) if begun is not None else ""
    )
    if begun is None or not subject or _IS_SOMEBODY_WHO.match(begun["rest"]):
        return value
    if telling(subject) & telling(begun["rest"]):
        # `it was my turn. the cones`: what it stands for is told by itself
        return value
    if not begun["short"]:
        return f"{subject} {begun['rest']}"
    short = begun["short"].casefold().replace("’", "'")
    verb = {"'re": "are", "'ve": "have", "'ll": "will"}.get(short, "")
    if not verb:
        verb = "has" if _HAS_BEHIND.match(begun["rest"]) else "is" if _IS_BEHIND.match(begun["rest"]) else ""
    return f"{subject} {verb} {begun['rest']}" if verb else value


def _subject(key: str, pronoun: str, user: str) -> str:
    """Return what a pronoun at the beginning of a fact's value means, by the fact's name; "" where unsure."""
    whose = _WHOSE_KEY.fullmatch(key)
    if pronoun == "they" or (pronoun == "it" and len(key.split()) > _PLAIN_WORDS):
        return ""
    if pronoun == "it":
        return key if whose or key[:1].isupper() or _ARTICLE.match(key) else f"the {key}"
    person = whose["whose"] if whose else key
    if _KIN.fullmatch(person):
        return f"{user}'s {person}"
    return person if person[:1].isupper() and len(person.split()) <= 2 else ""


_ARTICLE = late(r"(?i)(?:the|an?|my|his|her|their|our)\s")


def put_in_third_person(value: str, user: str) -> str | None:
    """Return the user's words without a bare first person; None where only a quotation is sure."""
    plain = value.replace("’", "'")
    if _NON_LATIN.search(plain):
        return None
    english = bool(_ENGLISH.search(plain)) and plain.isascii() and not _FOREIGN.search(plain)
    if not _FIRST.search(_QUOTED.sub(" ", plain)):
        # the first person of words in quotation marks is whoever says them
        is_name = len(plain.split()) <= _PLAIN_WORDS or plain.isascii()
        return value if english or (is_name and not _FOREIGN.search(plain)) else None
    if not english:
        return None
    whose = f"{user}'" if user.endswith("s") else f"{user}'s"
    begun = _SENTENCE_I.fullmatch(plain)
    if begun is None:
        # nothing before it says whose `it was my turn` is
        of_a_thing = _THING.sub(lambda found: f"{found[1]}{whose}", plain)
        told = _MY.sub("their", _WHOSE.sub(lambda found: f"{found['lead']}{whose}", of_a_thing))
        return None if _FIRST.search(_without(told, user)) else told
    verb = _verb(begun["be"], begun["verb"].casefold(), begun["adverb"] or "")
    if not verb:
        return None
    rest = _MY.sub("their", begun["rest"])
    if _GOES_ON.search(rest):
        return None
    return None if _FIRST.search(rest) else f"{user} {verb}{rest}"


_THING = late(r"(?i)^((?:the|an?|it|that|this|there|these|those)\b[^.!?;]*?\b)my\b(?=\s+[a-z])")
"""Pattern of `my` in a sentence that is of a thing."""


def _verb(short: str | None, verb: str, adverb: str) -> str:
    """Return the verb behind `I` for the third person; "" where it is not known for sure."""
    lead = f"{adverb} " if adverb else ""
    if short:
        return f"{_BE[short.casefold()]} {lead}{verb}"
    if verb in _BE:
        return (
            f"{lead}{_BE[verb]}"
            if lead and verb in ("have", "had", "used")
            else f"{_BE[verb]}{lead and ' ' + adverb}"
        )
    if _PRESENT.fullmatch(verb):
        ending = "es" if verb.endswith(("s", "sh", "ch")) else "s"
        return f"{lead}{verb[:-1] + 'ies' if verb == 'study' else verb + ending}"
    return f"{lead}{verb}" if _PAST.fullmatch(verb) else ""


def _without(text: str, user: str) -> str:
    return text.replace(user, "")


def _with_days(quoted: str, day: date | None, lean: int = 0, *, years: bool = True) -> str:
    """Return quoted words, with the dates of their relative days behind them: the words stay as they are."""
    named = name_relative_days(quoted, day, lean, years=years) if day is not None else ()
    told = [f"{quoted[start:end].lower()}: {name}" for start, end, name in named]
    return f"{quoted} ({'; '.join(dict.fromkeys(told))})" if told else quoted


def _dated(
    statement: str, day: date | None, lean: int = 0, *, years: bool = True, reckoned: date | None = None
) -> str:
    """Return a statement with the day it was said on, unless it gives a day, month or year of that year.

    `reckoned` is the day from which its relative days count.
    """
    told = resolve_days(statement.rstrip(". "), reckoned, lean, years=years)
    return told if day is not None and re.search(rf"\b{day.year}\b", told) else f"{told}{_said(day)}"


def _said(day: date | None) -> str:
    return f" (said {day_in_words(day)})" if day is not None else ""


def _said_by(who: str, day: date | None) -> str:
    return f" (said by {who}{f', {day_in_words(day)}' if day is not None else ''})"


def _said_on(fact: Fact) -> date | None:
    """Return the day from which the relative days of a fact are reckoned; None where none is known.

    A part of the value that this one replaced was said on a day of its own: `in the water since Saturday`.
    """
    day = read_day(fact.source) or read_day(fact.when)
    if day is None or not fact.replaces:
        return day
    older = [one for one in map(str.strip, PART.split(even(fact.replaces))) if one]
    for text in (fact.value, fact.statement):
        plain = even(text)
        named = name_relative_days(plain, day, _LEANS.get(category_of(fact), 0))
        for start, end, _ in named:
            if any(plain[start:end] in one and one in plain for one in older):
                return None
    return day


def _on(day: date | None) -> str:
    return f" on {day_in_words(day)}" if day is not None else ""
