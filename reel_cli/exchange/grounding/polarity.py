"""Whether a sentence says yes or no to what another says, where both speak of the same thing."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from reel_cli.exchange.grounding.words import (
    NEGATORS,
    PERSONS,
    STOP,
    TOLD,
    WORD,
    bare,
    clauses,
    even,
    sentences,
    spelt_out,
    stem,
    stems,
)

_IDIOMS = re.compile(
    r"\b(?:can not|could not) (?:wait|help|agree more|get enough|be (?:happier|prouder|better)|imagine|deny"
    r"|believe)\b"
    r"|\b(?:neither|nobody|none|no one)\b[^,.;]{0,20}\b(?:can|could) wait\b"
    r"|\b(?:is|are|was|were) not (?:so|that|very|too) (?:different|far|bad)\b"
    r"|\bnot (?:only|just|sure|bad|to mention|yet sure)\b"
    r"|\bno (?:doubt|matter|worries|problem|wonder|need)\b"
    r"|\byou never know\b|\bnothing (?:but|like|better|beats)\b|\bnever mind\b|\bwhy not\b|\bif not\b|\bor not\b"
    r"|\bwithout (?:a )?doubt\b"
    r"|\b(?:should|is|are|do|does|did|was|were|has|have|would|could|will) not (?:i|you|we|they|he|she|it)\b"
    r"|\bdo not worry\b|\bdo not you\b|\bis not it\b|^\s*no\b,?"
    r"|\bthan ever\b|\bnot for\b"
)
_OPEN = re.compile(
    r"(?i)\b(?:whether|if|unless|might|maybe|perhaps|wonder(?:s|ed|ing)?|guess|still|yet)\b|\?"
)
_SUPPOSED = re.compile(
    r"\b(?:whether|if|unless|i (?:had )?thought|supposed to|would have|should have|as though)\b"
)
"""Said of what may not be so, or not any more."""
_ORDER = re.compile(
    r"^\W*(?:(?:[Aa]nd|[Bb]ut|[Ss]o|[Oo]r|[Tt]hen|[Pp]lease|[Jj]ust)\s+)?"
    r"(?:[Dd]o(?: not|n't)\b|(?:[Nn]ot|[Nn]ever|[Nn]o)\s+(?:[A-Z]|(?:the|an?|my|his|her|their|for|as|in|on|at|to|even)\b))"
)
"""A clause that begins with its no tells somebody what to do, or only leaves something out."""
_CONTRAST = re.compile(
    r"^\W*(?:(?:[Aa]nd|[Bb]ut|[Ss]o|[Oo]r)\s+)?(?:[Nn]ot|[Nn]o)\s+(?:[A-Z]|(?:the|an?|my|for|as|in|on|at|to|even)\b)"
)
"""`Not at the door`: something is left out, and not what the words say."""
_LACKS = re.compile(r"(?i)\W*without\b")
"""The rest of a sentence that was cut before it."""
_REFUSAL = re.compile(r"(?i)\s*(?:no|nope|not|never|nah|sadly|unfortunately)\b")
_TAG = re.compile(r"(?i),\s*(?:eh|right|yeah|huh|ok|okay|no|mate|hey|you know)\?$")
"""A question that only wants a nod."""
_CONTINUED = re.compile(r"[,;:()]\s")
_INSISTS = re.compile(
    r"\b(?:do|does|did) (?!not\b|the\b|it\b|that\b|this\b|an?\b|so\b|my\b|his\b|her\b|their\b)(?=[a-z])"
)
"""`He does want it` answers a no."""
_TELLS = re.compile(
    r"\b(?:never|did not|has not|have not)\s+(?:told|tell|said|say|show(?:ed|n)?|mention(?:ed)?|explain(?:ed)?|gave|give|given|sen[dt])\b"
)
"""That a thing was never told, which stands there."""
_ASKED = re.compile(
    r"\b(?:not|never) \w+ (?:\w+ ){0,2}(?:what|why|how|when|where|who|whom|which|whether|if)\b"
    r"|\bhad (?:not|never)\b|\b(?:before|until|till)\b"
)
"""What was not told may be spoken of all the same; and what had not been told then may be told now."""
_EXPERIENCE = re.compile(r"\b(?:have|has|had) (?:not|never) (?:\w+ )?(?:been|seen|visited|met|heard|watched|read|tried)\b")
"""Somebody else may have been there."""
_PAST = re.compile(r"\b(?:did|was|were|has|have|had) (?:not|never)\b|\bnever \w+(?:ed|ent|ave|ook|old|ade)\b")
_AHEAD = re.compile(r"\b(?:will|going to|want to|hope|hoping|plan(?:s|ning)? (?:to|on)|i'll|we'll|should|about to)\b|'ll\b")
_OWN = re.compile(r"^\W*(?:(?:and|but|so|because|well|oh|yeah|yes|when|since|that|while|as) )*i\b")
_NO = re.compile(r"\b(?:not|never)\b")
_TELLING_FIRST = re.compile(r"^\W*(?:\w+ )?(?:i|he|she|we) (?:told|said|asked|showed|says|tells) (?:(?:him|her|me|us|that) )*")
_ONLY = re.compile(r"\b(?:just|only|simply)\b")
_NOT_ONLY = re.compile(r"\bnot (?:just|only|simply)\b")
_NONE = re.compile(r"\b(?:nobody|nothing|none|no one|nowhere|neither)\b")
"""What comes after one of these is not what is denied, or not first."""
_ASKS = re.compile(r"\b(?:not|never) (?:ask|speak|spoke|talk|answer|tell|say|show|mention|know|knew|think|thought|gave|give|get|got)\w*\b")
"""Denials that say little of what they are about."""
_PERFECT = re.compile(r"\b(?:have|has|had) (?:not|never)\b")
_HAS = re.compile(r"\b(?:have|has|had|'ve)\b|'s\b|'d\b")
_COMPOUND = re.compile(r"\w+(?:-\w+)+")
_ALONE = r"\b(?:(?:i|he|she|they|we|will|would|is|are|was|were|am|does|did|do|can|could|to)\s+%s\w*|(?:and|who)\s+%s(?:s|ed)?)\b"
_STRONG = 0.7
"""The share of a clause that must have been said with a no, where the clause says yes."""
_INSISTED = 0.5
_DENIED = 0.42
"""The share that must have been said, where the clause says no: a denial seldom comes out of nowhere."""
_APART = 0.6
"""The same where what is denied was said in other words, if at all; and so many of the others were said."""
_APART_FEWEST = 3
_LAST_SHARE = 0.8
"""The same where the no comes last: `a respect that he hasn't`."""
_WHOLE = 0.75
"""The same where it was said in several sentences."""
_RIVAL = 0.75
_FEWEST = 2
_TELLING = 2.5
"""The weight of a word that is enough by itself: it was said once or twice."""
_FAINT = 0.5
"""Words of so little weight are in every denial (`wants`, `likes`); what they are about is denied."""


@dataclass(frozen=True, slots=True)
class Statement:
    """A stretch of what was said: its message, its stems, those a no stands before, the first of them.

    `unsure` are stems of what may be told either way, `turning` words such as `cancelled`
    (None in what has several parts, each of which stands for itself); what is said to come is `ahead`, what was not so until then `perfect`, what speakers
    say of themselves their `own`; `whole` is all that a message says.
    """

    turn: int
    speaker: str
    text: str
    stems: frozenset[str]
    denied: frozenset[str] = frozenset()
    first: frozenset[str] = frozenset()
    unsure: frozenset[str] = frozenset()
    turning: frozenset[str] | None = frozenset()
    ahead: bool = False
    perfect: bool = False
    own: bool = False
    whole: bool = False


@dataclass(frozen=True, slots=True)
class Polarity:
    """What of a clause a no stands before: those stems, in order; whether it says no at all."""

    denied: tuple[str, ...]
    says_no: bool


def statements(turn: int, text: str, answer: str = "", speaker: str = "") -> list[Statement]:
    """The sentences of a message and their clauses, and all of it; `answer` is what was said next.

    A question says neither yes nor no, and stands for nothing, unless it was answered with a no.
    """
    found: list[Statement] = []
    plain = even(text)
    refused = bool(_REFUSAL.match(even(answer)))
    told: list[Statement] = []
    for start, end in sentences(plain):
        sentence = plain[start:end].strip()
        whole = frozenset(stems(sentence))
        if not whole:
            continue
        if sentence.endswith("?") and not _TAG.search(sentence):
            if refused:
                found.append(Statement(turn, speaker, sentence, whole, unsure=whole))
            continue
        parts = [_statement(turn, speaker, sentence, part) for part in clauses(sentence) if stems(part)]
        told.append(_together(sentence, parts))
        found += parts if len(parts) > 1 else ()
    if len(told) > 1:
        longest = max(told, key=lambda one: len(one.stems)).text
        found.append(_together(longest, told, whole=True))
    return [*told, *found]


def _statement(turn: int, speaker: str, sentence: str, clause: str) -> Statement:
    plain = spelt_out(clause)
    side = polarity(clause)
    told = frozenset(stems(clause))
    # where there is a no with nothing behind it, anything in the clause may be meant
    unsure = (side.says_no and not side.denied) or _CONTRAST.search(clause) or _UNTOLD.search(plain) or _SUPPOSED.search(plain)
    return Statement(
        turn,
        speaker,
        sentence,
        told,
        frozenset(side.denied),
        frozenset(side.denied[:1]),
        told if unsure else frozenset(),
        _turning(clause),
        _AHEAD.search(plain) is not None,
        _PERFECT.search(plain) is not None,
        _OWN.search(plain) is not None,
    )


def _together(text: str, parts: Sequence[Statement], *, whole: bool = False) -> Statement:
    """Several stretches as one."""
    none: frozenset[str] = frozenset()
    return Statement(
        parts[0].turn,
        parts[0].speaker,
        text,
        none.union(*(part.stems for part in parts)),
        none.union(*(part.denied for part in parts)),
        none.union(*(part.first for part in parts)),
        none.union(*(part.unsure for part in parts)),
        parts[0].turning if len(parts) == 1 else None,
        not whole and any(part.ahead for part in parts),
        any(part.perfect for part in parts),
        all(part.own for part in parts),
        whole,
    )


_CEASED = re.compile(
    r"(?i)\b(?:suspend|paus|stopp?|cancel|refus|fail|avoid|prevent|intoleran|allergi)\w*"
    r"|\b(?:unable|instead of|except)\b"
)
"""Words that say no without a no: such a clause may be told either way."""
_MISSED = re.compile(
    r"(?i)\b(?:lost|lose[sd]?|losing|miss(?:ed|es|ing)?|lack(?:s|ed)?|reject\w*|declin\w*|turned down"
    r"|outside|beyond|unlike|without|other than|rather than|apart from|far from|hardly|too \w+ to)\b"
)
"""Words that a no may be told with."""


_UNTOLD = re.compile(
    r"\b(?:nobody|not|never|no one)\b[^,.;]*"
    r"\b(?:told|tell|said|say|mention\w*|know|knew|think|thought|expected|notic\w*|reali[sz]\w*)\b"
)
"""`Nobody told me that it is so`: then it may well be so."""
_LAST = re.compile(r"\b(?:nobody|nothing|none|nowhere|no one)\W*$")


@lru_cache(maxsize=10_000)
def polarity(clause: str) -> Polarity:
    """What of a clause is denied, idioms apart: what comes after the no, or before where nothing does."""
    plain = _IDIOMS.sub(" ", spelt_out(clause))
    denied: list[str] = []
    said: list[str] = []
    no = False
    for match in WORD.finditer(plain):
        word = bare(match[0])
        if word in NEGATORS:
            no = not no
            continue
        root = stem(word)
        if word not in STOP and root not in STOP and root not in TOLD and root not in PERSONS:
            (denied if no else said).append(root)
    if no and not denied and _LAST.search(plain):
        denied = said[-1:]
    return Polarity(tuple(denied), no)


@lru_cache(maxsize=10_000)
def _turning(text: str) -> frozenset[str]:
    return frozenset(stem(match[0].lstrip("-")) for match in _CEASED.finditer(text))


def contradiction(
    clause: str,
    sentence: str,
    said: Sequence[Statement],
    weight: Callable[[str], float],
    voices: Mapping[str, str] | None = None,
) -> Statement | None:
    """What was said that the clause turns into its opposite; None where nothing is that much alike.

    `weight` tells how much a stem says; `voices` has the words a speaker goes by in
    what is remembered (`i`, a name) and who that is, and an empty name for all the others.
    """
    if _OPEN.search(clause) or _LACKS.match(clause):
        return None
    plain = spelt_out(clause)
    if _NOT_ONLY.search(plain):
        return _not_only(clause, said, weight)
    whose = _subject(plain, voices) if voices else None
    if whose is not None:
        # what one speaker says of themselves is not of another
        mine = voices["i"] if voices else ""
        said = [one for one in said if not one.own or (one.speaker == mine) == (whose == mine)]
    if polarity(clause).says_no:
        return _denial(clause, sentence, said, weight)
    return None if _MISSED.search(clause) else _claim(clause, said, weight)


def _subject(plain: str, voices: Mapping[str, str]) -> str | None:
    """Of which speaker a clause tells, where a pronoun or a name says so."""
    told = _TELLING_FIRST.sub("", plain)
    no = _NO.search(told)
    words = (match[0].partition("'")[0] for match in WORD.finditer(told, 0, no.start() if no else len(told)))
    found = [voices[word] for word in words if word in voices]
    return (found[-1] if no else found[0]) if found else None


def _not_only(clause: str, said: Sequence[Statement], weight: Callable[[str], float]) -> Statement | None:
    """What was said to be only that, where a clause says that it is more."""
    weights = _weighed(frozenset(stems(clause)), weight)
    for one, _, share in _shares(weights, said):
        plain = spelt_out(one.text)
        if share >= _STRONG and not one.whole and _ONLY.search(plain) and not _NOT_ONLY.search(plain):
            return one
    return None


def _shares(
    weights: dict[str, float], said: Sequence[Statement]
) -> Iterator[tuple[Statement, frozenset[str], float]]:
    """What was said that has any of the words: which, and what share of all they weigh."""
    wanted = frozenset(weights)
    total = math.fsum(weights.values())
    for one in said:
        shared = wanted & one.stems
        if shared:
            yield one, shared, math.fsum(map(weights.__getitem__, shared)) / total


def _weighed(words: frozenset[str], weight: Callable[[str], float]) -> dict[str, float]:
    return {word: heavy for word in words if (heavy := weight(word))}


def _denial(
    clause: str, sentence: str, said: Sequence[Statement], weight: Callable[[str], float]
) -> Statement | None:
    """What was said, where a clause says that it is not so."""
    if _ORDER.search(clause):
        return None
    plain = spelt_out(clause)
    wanted = frozenset(stems(clause))
    if len(wanted) < 3 and not any(weight(word) >= _TELLING for word in wanted):
        bare_clause = clause.lstrip(" ,:()")
        longer = _CONTINUED.split(sentence[max(0, sentence.find(bare_clause)) :])[0]
        wanted |= frozenset(stems(longer))
    weights = _weighed(wanted, weight)
    telling = bool(_TELLS.search(plain))
    if not weights or (telling and _ASKED.search(plain)):
        return None
    none = bool(_NONE.search(plain))
    last = not polarity(clause).denied
    said_of = [heavy for heavy in weights.values() if heavy > _FAINT]
    alone = max(weights.values()) >= _TELLING and (
        telling or (len(said_of) == 1 and not (none or last) and not _ASKS.search(plain))
    )
    fewest = 1 if alone else _FEWEST
    if len(weights) < fewest:
        return None
    denied = [word for word in polarity(clause).denied if word in weights]
    firm = [word for word in denied if weights[word] > _FAINT]
    first = frozenset(firm[:1] or denied[:1])
    lived = bool(_EXPERIENCE.search(plain))
    past = bool(_PAST.search(plain))
    mine = _turning(clause)
    best: tuple[float, Statement] | None = None
    rival = 0.0
    for one, shared, share in _shares(weights, said):
        if past and one.ahead and not telling:
            continue
        otherwise = one.turning not in (None, mine) or (one.denied and not first & shared and not one.whole)
        if otherwise or shared & (one.unsure | one.denied):
            rival = max(rival, share * (1 if one.whole else 1.6))
            continue
        if one.whole and (none or last):
            enough = False
        elif last:
            enough = share >= _LAST_SHARE and len(shared) >= fewest
        elif one.whole:
            enough = share >= _WHOLE and len(shared) >= (_FEWEST if telling else _APART_FEWEST)
        elif telling:
            enough = share >= _APART and len(shared) >= fewest
        elif first & shared and not lived and not none:
            enough = share >= _DENIED and len(shared) >= fewest
        else:
            enough = share >= _APART and len(shared) >= _APART_FEWEST
        if enough and (best is None or share > best[0]):
            best = share, one
    return best[1] if best is not None and rival < best[0] * _RIVAL else None


def _claim(clause: str, said: Sequence[Statement], weight: Callable[[str], float]) -> Statement | None:
    """What was said to be not so, where a clause says that it is."""
    weights = _weighed(frozenset(stems(clause)), weight)
    plain = spelt_out(clause)
    insists = bool(_INSISTS.search(plain))
    if not weights or (len(weights) == 1 and not _is_verb(plain, next(iter(weights)))):
        return None
    mine = _turning(clause)
    named = frozenset(word for match in _COMPOUND.finditer(clause) for word in stems(match[0]))
    best: tuple[float, Statement] | None = None
    rival = 0.0
    for one, shared, share in _shares(weights, said):
        if one.perfect and not _HAS.search(even(clause)):
            continue
        if one.first and one.first <= shared:
            enough = share >= (_INSISTED if insists else _STRONG) and one.turning in (None, mine)
            enough = enough and not one.first & named and any(weights[word] > _FAINT for word in shared)
            enough = enough and not shared & one.unsure and len(shared) >= min(_FEWEST, len(weights))
            if enough and (best is None or share > best[0]):
                best = share, one
        elif not shared & one.denied:
            rival = max(rival, share)
    return best[1] if best is not None and rival < best[0] * _RIVAL else None


def _is_verb(plain: str, root: str) -> bool:
    """Whether a clause's one word is what somebody does."""
    return re.search(_ALONE % (re.escape(root), re.escape(root)), plain) is not None
