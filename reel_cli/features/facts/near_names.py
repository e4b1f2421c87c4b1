"""Facts under nearly the same name: `end of the lease` and `lease end`, `nuts` and `nut allergy`.

Two names are one where they have the same words, whatever their order and number; or where one has all words
of the other, no word tells two things apart (`new rent`, `left knee`, `Astrid's knee`), and the values are of
the same thing. A number or word that the newer value denies is that of the older one (`ten, not twelve`).
"""

import re
from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from reel_cli.core.evidence.grounding.lexicon import even, sentences, stem, telling
from reel_cli.core.evidence.grounding.numbers import COUNTING, numbers
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.frozen import late
from reel_cli.features.facts.choice import CURRENT
from reel_cli.features.facts.evidence.medicine import names_dose
from reel_cli.features.facts.evidence.values import is_correction
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.pending.another_medicine import is_another
from reel_cli.features.facts.policy import category_of, fact_name, is_own

_WORD = late(r"[^\W_]+")
_OWNS = late(r"(?<=\w)['’]s?\b(?!\w)")
_SMALL = frozenset(("a", "an", "the", "of", "at", "in", "on", "my", "our", "his", "her", "their", "its", "s"))
_OWNER = late(r"(?i)\b([^\W_]+)(?:['’]s\b|(?<=s)['’](?=\s))")
_TELLS_APART = late(
    r"(?i)\b(?:new|old|other|another|second|first|third|next|last|former|previous|future|ex|left|right|upper|lower"
    r"|front|back|inner|outer|left|big|bigger|biggest|small|little|elder|older|eldest|younger|youngest|main|spare"
    r"|early|late|morning|evening|night|winter|summer|spring|autumn|north|south|east|west|not|no|never|without"
    r"|mothers?|fathers?|mum|mom|dad|sisters?|brothers?|sons?|daughters?|wife|husband|partner|aunts?|uncles?"
    r"|cousins?|nieces?|nephews?|grand\w+|friends?|neighbou?rs?|boss|landlord|landlady|doctors?|dentist|surgeon"
    r"|teacher|nurse|dogs?|cats?|\d+|to|from|for|with|by|before|after|against)\b"
)
"""Pattern of words by which a name is of another thing, or of somebody else."""
_NAME = late(r"\b[^\W\d_a-zà-ÿ][\w-]+")
_DENIED = late(r"(?i)\b(?:not|rather than|instead of|no longer)\s+(?:the\s+|an?\s+)?(?P<what>[^,.;:!?]+)")
_LIGHT = LENT | frozenset(
    map(stem, (*COUNTING, "euro", "month", "year", "week", "day", "good", "fine", "only"))
)
_HALF, _MOST, _LEAST = 0.5, 0.75, 2
"""Shares of the words of two values that are of one thing, and that say the same; and the least number."""


def find_across(fact: Fact, standing: Iterable[Fact], words: str = "") -> Fact | None:
    """Return the newest standing fact of the same name under another kind, where both are of one matter.

    Only of what somebody has one of at a time, as an age or a doctor: `Rike` is a sister among people, and
    on Friday among what is the case, and both are so. Of a duty, a liking or what happened it is so only
    where the fact's `words` say how it is now.
    """
    kinds = (*_ACROSS, *_NOW_ACROSS) if _IS_NOW.search(words) else _ACROSS
    if category_of(fact) not in kinds or not _ONE_AT_A_TIME.fullmatch(_plain(fact.key)):
        return None
    found = [
        one
        for one in standing
        if category_of(one) in kinds and not is_own(one) and _plain(one.key) == _plain(fact.key)
    ]
    return max(found, key=lambda one: one.when, default=None)


def _plain(key: str) -> str:
    return " ".join(key.replace("_", " ").casefold().split())


_ACROSS = ("identity", "context", "relationships", "constraints")
_NOW_ACROSS = ("preferences", "commitments", "history", "goals")
_IS_NOW = late(
    r"(?i)\b(?:is|are|am|go|goes|have|has|weigh|pay|costs?|drive|i['’]m|it['’]s)\b[^.;!?]*\bnow(?:adays)?\b"
    r"|\b(?:jetzt|inzwischen|maintenant|désormais|ahora|agora|adesso|теперь)(?!\w)"
)
_ONE_AT_A_TIME = late(
    r"(?:my |user(?:['’]s)? |current |home |family )?(?:name|age|birth ?(?:day|date|year|place)|cit(?:y"
    r"|ies)|town|village|home(?: ?town)?|address|residence|place of residence|country|nationality"
    r"|location|lives in|job|work|profession|occupation|role|employer|workplace|company|school"
    r"|university|marital status|pronouns|phone(?: number)?|e-?mail|doctor|gp|dentist|therapist"
    r"|psychiatrist|physiotherapist|surgeon|midwife|vet|lawyer|solicitor|accountant|landlord|landlady"
    r"|rent|mortgage|weight|height|salary|wages?|pay|income|pension|shoe size|size|bike|goal|bedtime|diet"
    r"|[\w-]+ (?:day|night|time|evening)|miete|gewicht|größe|gehalt|auto|lohn|loyer|poids|voiture|salaire"
    r"|alquiler|peso|coche|sueldo|affitto|stipendio"
    r"|boss|manager|teacher|insurer|insurance|bank|car|blood type|stadt|wohnort|alter|beruf|arzt|ärztin"
    r"|hausarzt|zahnarzt|chef|ville|métier|médecin|âge|ciudad|trabajo|médico|edad|cidade|idade|città|età"
    r"|medico|город|возраст|врач)"
)


def find_near(fact: Fact, standing: Iterable[Fact]) -> Fact | None:
    """Return the one standing fact that a new one is of, under nearly the same name; None for none."""
    mine = _stems(fact.key)
    alike = [
        one
        for one in standing
        if fact_name(one) != fact_name(fact) and _may_be(one, fact) and not is_another(one, fact)
    ]
    same = [one for one in alike if mine and _stems(one.key) == mine and _may_share(one, fact)]
    found = same or [one for one in alike if _is_of_one_thing(one, fact) or _is_of_one_dose(one, fact)]
    return found[0] if len(found) == 1 else None


def _may_be(stood: Fact, fact: Fact) -> bool:
    one, other = category_of(stood), category_of(fact)
    return is_own(stood) == is_own(fact) and (one == other or (one in CURRENT and other in CURRENT))


def _is_of_one_thing(stood: Fact, fact: Fact) -> bool:
    was, now = _stems(stood.key), _stems(fact.key)
    common, extra = was & now, was ^ now
    if not common or not extra:
        return False
    words = [*_WORD.findall(even(_OWNS.sub("", stood.key))), *_WORD.findall(even(_OWNS.sub("", fact.key)))]
    rest = " ".join(one for one in words if _stem(one) in extra)
    within = was <= now or now <= was
    if within and _takes_back(stood.value, fact.value):
        return _CHANGES.search(rest) is None
    owners = _owners(stood) | _owners(fact)
    if _TELLS_APART.search(rest) or _NAME.search(rest) or owners & extra or not _may_share(stood, fact):
        return False
    if within:
        return _shared(stood, fact, _HALF)
    same = _values(even(stood.value)) == _values(even(fact.value))
    return same and _shared(stood, fact, _MOST)


def _is_of_one_dose(stood: Fact, fact: Fact) -> bool:
    """Return whether a new fact gives another dose of the medicine that is the other's name."""
    doses = names_dose(even(stood.value)) and names_dose(even(fact.value))
    name = _stems(stood.key)
    return doses and bool(name) and name <= frozenset(map(stem, telling(fact.value)))


_CHANGES = late(r"(?i)\b(?:new|old|other|another|second|third|next|former|previous|ex|left|right)\b")


def _takes_back(older: str, newer: str) -> bool:
    """Return whether the newer value denies a word or a number of the older one."""
    plain = even(newer)
    denied = " ".join(found["what"] for found in _DENIED.finditer(plain))
    return bool(
        denied
        and (
            (telling(denied) - _LIGHT) & telling(older)
            or {many * value for value in _values(denied) for many in (1, 100, 1_000)} & _values(even(older))
        )
    )


def _values(text: str) -> frozenset[float]:
    return frozenset(value for one in numbers(text, text) for value in one.values)


def _shared(stood: Fact, fact: Fact, share: float) -> bool:
    keys = _stems(stood.key) | _stems(fact.key)
    one, other = (telling(even(told.value)) - _LIGHT - keys for told in (stood, fact))
    least = min(len(one), len(other)) if share < _MOST else max(len(one), len(other))
    return len(one & other) >= max(_LEAST, share * least)


def _stems(key: str) -> frozenset[str]:
    words = _WORD.findall(even(key.replace("_", " ")).casefold())
    return frozenset(_stem(one) for one in words if one not in _SMALL)


def _stem(word: str) -> str:
    return stem(stem(word.casefold()))


def _owners(fact: Fact) -> frozenset[str]:
    """Return the words of a name that say whose it is; `of Astrid` says it as `Astrid's` does."""
    plain = even(fact.key.replace("_", " "))
    return frozenset(map(_stem, (*_OWNER.findall(plain), *_OF.findall(plain))))


def _may_share(one: Fact, other: Fact) -> bool:
    mine, theirs = _owners(one), _owners(other)
    return not (mine and theirs) or not mine.isdisjoint(theirs)


_OF = late(r"(?i)\bof (?:(?:the|an?|my|our|his|her|their) )?([^\W_]+)")


def find_misnamed(fact: Fact, standing: Iterable[Fact], said: Sequence[str]) -> Fact | None:
    """Return the one standing fact whose name is that of a new one before it was put right; None for none.

    `said` are the texts of the chat: one of them takes back the old name, or the value does.
    """
    right = _NAME.findall(fact.key)
    found = []
    for one in standing:
        wrong = [name for name in _NAME.findall(one.key) if any(are_alike(name, other) for other in right)]
        if not wrong or not _may_be(one, fact):
            continue
        words = " ".join(_told_of(wrong, even(text)) for text in said)
        # `I was wrong` may be of anything that two people did
        words = words if _SPELT.search(words) else ""
        if find_corrected_name(one.key, f"{fact.key}; {fact.value}", words) == fact.key:
            found.append(one)
    return found[0] if len(found) == 1 else None


def _told_of(names: Iterable[str], text: str) -> str:
    """Return the sentences of a text that have one of some names, each with the one behind it."""
    every = [text[start:end] for start, end in sentences(text)]
    has = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})\b")
    return " ".join(" ".join(every[at : at + 2]) for at, one in enumerate(every) if has.search(one))


def find_corrected_name(key: str, value: str, words: str) -> str:
    """Return a name put right as a value has it, `Dr. Kempa` as `Dr. Kempka`; "" for none.

    The value says that it is put right (`with k`, `not Kempa`), or the words that it rests on do; then these
    may have the right name as well.
    """
    corrected = is_correction(words) or _SPELT.search(words) is not None
    for old in _NAME.findall(key):
        denied = re.search(rf"(?i)\bnot (?:an? |the )?{re.escape(old)}\b", value)
        if not (denied or corrected or _SPELT.search(value)):
            continue
        for new in _NAME.findall(f"{value}; {words}" if corrected else value):
            if are_alike(old, new):
                return key.replace(old, new)
    return ""


def are_alike(old: str, new: str) -> bool:
    """Return whether two names are different, and one may be the other put right."""
    one, other = old.casefold(), new.casefold()
    return one != other and one[0] == other[0] and SequenceMatcher(None, one, other).ratio() >= _LIKE


_SPELT = late(
    r"(?i)\b(?:with (?:an? [a-z]|[b-hj-z])(?!\w)|spell?(?:t|ed|s|ing)?\b"
    r"|mis(?:heard|read|spel\w*|typed|named)|wrong name|names? (?:\w+ )?wrong"
    r"|(?:read(?:ing)?|heard|hearing|wrote|writ(?:ing|ten)|called|calling) (?:it|that|him|her|them) wrong)\b"
)
_LIKE = 0.6
