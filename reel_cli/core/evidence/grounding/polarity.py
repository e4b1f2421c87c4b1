"""Affirmed and denied parts of a text: each negation, and the words it applies to."""

import re
from collections.abc import Sequence
from dataclasses import replace
from functools import lru_cache

from reel_cli.core.evidence.grounding.lexicon import (
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
from reel_cli.core.frozen import frozen

IDIOMS = re.compile(
    r"\b(?:can not|could not) (?:wait|help(?= (?:but|it|that|my\w*|\w+ing)\b)|agree more|get enough"
    r"|be (?:happier|prouder|better)|imagine|deny"
    r"|believe)\b"
    r"|\b(?:neither|nobody|none|no one)\b[^,.;]{0,20}\b(?:can|could) wait\b"
    r"|\b(?:is|are|was|were) not (?:so|that|very|too) (?:different|far|bad)\b"
    r"|\bnot (?:only|just|sure|bad|to mention|yet sure)\b"
    r"|\bno (?:doubt|matter|worries|problem|wonder|need)\b"
    r"|\bnot hesitate\b|\blong time no\b|\bnothing too\b|\b(?:can|could) not let go\b|\byou never know\b"
    r"|\bnothing (?:but|like|better|beats)\b|\bnever mind\b|\bwhy not\b|\bif not\b|\bor not\b"
    r"|\bwithout (?:a )?doubt\b"
    r"|\b(?:should|is|are|do|does|did|was|were|has|have|would|could|will) not (?:i|you|we|they|he|she|it)\b"
    r"|\bdo not worry\b|\bdo not you\b|\bis not it\b|^\s*no\b,?"
    r"|\bthan ever\b|\bnot for\b"
)
_SUPPOSED = re.compile(
    r"\b(?:whether|if|unless|i (?:had )?thought|supposed to|would have|should have|as though"
    r"|only now|at last)\b"
)
"""Pattern of statements that may not be so, or are no longer so."""
_CONTRAST = re.compile(
    r"^\W*(?:(?:[Aa]nd|[Bb]ut|[Ss]o|[Oo]r)\s+)?(?:[Nn]ot|[Nn]o)\s+(?:[A-Z]|(?:the|an?|my|for|as|in|on|at|to|even)\b)"
)
"""Pattern of contrasts such as `Not at the door`, which leave something out but do not deny the words."""
_REFUSAL = re.compile(r"(?i)\s*(?:no|nope|not|never|nah|sadly|unfortunately)\b")
_AGREEMENT = re.compile(
    r"(?i)\s*(?:(?:thanks|thank you|wow|oh|aw+|hey|glad)\b[^.!?]{0,40}[.!?]\s+){0,2}"
    r"(?:yes|yeah|yep|yup|definitely|absolutely|of course|sure did|indeed)\b"
)
_CLOSED = re.compile(
    r"(?i)(?:and |so |but |oh,? )?"
    r"(?:(?:did|do|does|have|has|is|are|was|were|will) (?:you|he|she|they|it)\b"
    r"|you (?:\w+ )?\w+ (?!who|what)\w+)"
)
"""A question that is answered with yes or no."""
_TAG = re.compile(r"(?i),\s*(?:eh|right|yeah|huh|ok|okay|no|mate|hey|you know)\?$")
"""A question that only wants a nod."""
_AHEAD = re.compile(
    r"\b(?:will|going to|want to|hope|hoping|plan(?:s|ning)? (?:to|on)|i'll|we'll|should|about to)\b|'ll\b"
)
_OWN = re.compile(r"^\W*(?:(?:and|but|so|because|well|oh|yeah|yes|when|since|that|while|as) )*i\b")
_PERFECT = re.compile(r"\b(?:have|has|had) (?:not|never)\b")
_CEASED = re.compile(
    r"(?i)\b(?:suspend|paus|stopp?|cancel|refus|fail|avoid|prevent|intoleran|allergi)\w*"
    r"|\b(?:unable|instead of|except)\b"
)
"""Words that say no without a no: such a clause may be told either way."""
_HAD_NONE = re.compile(
    r"\b(?:i|we|he|she|they|you) (?:(?:have|has|had|do|does|did) )?(?:not|never) (?:ever )?"
    r"(?:had|have|got|owned?|possess(?:ed)?) (?:one|any|it|that|them|those)\b"
    r"|\b(?:i|we|he|she|they|you) (?:have|has|had) none\b"
)
"""Pattern of a sentence that denies having what the words before it name: `I never had one.`"""
_LEFT_UNSAID = re.compile(
    r"\W*(?:(?:but|and|so|no|nah|nope|well|still)\W+)*(?:i|we|he|she|they|you)(?:'m|'re|'s)?"
    r"(?: am| is| are| will| would| do| does| did| can| could| have| has| had)? not"
    r"(?: going to| want to| do it| go)?"
    r"(?:,? (?:though|anyway|after all|in the end|now))?\W*"
)
"""Pattern of a sentence whose no is of something that it does not name: `I'm not going to, though`."""
_UNTOLD = re.compile(
    r"\b(?:nobody|not|never|no one)\b[^,.;]*"
    r"\b(?:told|tell|said|say|mention\w*|know|knew|think|thought|expected|notic\w*|reali[sz]\w*)\b"
)
"""Pattern of ignorance such as `Nobody told me that it is so`: it may well be so."""
_ANY_NO = re.compile(rf"\b(?:{'|'.join(sorted(NEGATORS))})\b")
_LAST = re.compile(r"\b(?:nobody|nothing|none|nowhere|no one)\W*$")


@frozen
class Statement:
    """A stretch of what was said: its message, its stems, those a no stands before, the first of them.

    `unsure` are stems of what may be told either way, `turning` words such as `cancelled` (None in what has
    several parts, each of which stands for itself). What is said to come is `ahead`, what was not so until
    then `perfect`, what speakers say of themselves their `own`; `whole` is all that a message says. What the
    words right after it deny having is `lacked`.
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
    session: str = ""
    lacked: bool = False


@frozen
class Polarity:
    """The negation of a clause: the denied stems, in order, and whether it has a negation at all."""

    denied: tuple[str, ...]
    says_no: bool


def statements(turn: int, text: str, answer: str = "", speaker: str = "") -> list[Statement]:
    """Return the sentences of a message, their clauses, and all of it; `answer` is the next message.

    A question says neither yes nor no, and stands for nothing, unless it was answered.
    """
    found: list[Statement] = []
    plain = even(text)
    refused = bool(_REFUSAL.match(even(answer)))
    agreed = bool(_AGREEMENT.match(even(answer)))
    told: list[Statement] = []
    for start, end in sentences(plain):
        sentence = plain[start:end].strip()
        if told and _HAD_NONE.search(spelt_out(sentence)):
            before = told[-1].text
            told[-1] = replace(told[-1], lacked=True)
            found = [replace(one, lacked=True) if one.text == before else one for one in found]
        whole = frozenset(stems(sentence))
        if told and _LEFT_UNSAID.fullmatch(spelt_out(sentence)):
            # `I'm not going to, though` may deny anything that was said before it
            told = [replace(one, unsure=one.stems) for one in told]
            found = [replace(one, unsure=one.stems) for one in found]
        if not whole:
            continue
        if sentence.endswith("?") and not _TAG.search(sentence):
            if agreed and _CLOSED.match(sentence):
                found.append(Statement(turn, speaker, sentence, whole))
            elif refused:
                found.append(Statement(turn, speaker, sentence, whole, unsure=whole))
            continue
        parts = [_statement(turn, speaker, sentence, part) for part in clauses(sentence) if stems(part)]
        if not parts:
            continue
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
    # a "no" with nothing after it may refer to anything in the clause
    vague = side.says_no and not side.denied
    unsure = vague or _CONTRAST.search(clause) or _UNTOLD.search(plain) or _SUPPOSED.search(plain)
    return Statement(
        turn,
        speaker,
        sentence,
        told,
        frozenset(side.denied),
        frozenset(side.denied[:1]),
        told if unsure else frozenset(),
        turning_words(clause),
        _AHEAD.search(plain) is not None,
        _PERFECT.search(plain) is not None,
        _OWN.search(plain) is not None,
    )


def _together(text: str, parts: Sequence[Statement], *, whole: bool = False) -> Statement:
    """Return several statements merged into one; what one denies and another says may be told either way."""
    none: frozenset[str] = frozenset()
    denied = none.union(*(part.denied for part in parts))
    said = none.union(*(part.stems - part.denied for part in parts))
    return Statement(
        parts[0].turn,
        parts[0].speaker,
        text,
        none.union(*(part.stems for part in parts)),
        denied,
        none.union(*(part.first for part in parts)),
        none.union(denied & said, *(part.unsure for part in parts)),
        parts[0].turning if len(parts) == 1 else None,
        not whole and any(part.ahead for part in parts),
        any(part.perfect for part in parts),
        all(part.own for part in parts),
        whole,
        lacked=any(part.lacked for part in parts),
    )


@lru_cache(maxsize=10_000)
def polarity(clause: str) -> Polarity:
    """Return what a clause denies, idioms apart: the words after the negation, else those before it."""
    plain = spelt_out(clause)
    if not _ANY_NO.search(plain):
        return Polarity((), says_no=False)
    plain = IDIOMS.sub(" ", plain)
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
        return Polarity(tuple(said[-1:]), no)
    # if a clause both affirms and denies a word, the denial concerns something else
    return Polarity(tuple(word for word in denied if word not in said), no)


@lru_cache(maxsize=10_000)
def turning_words(text: str) -> frozenset[str]:
    """Return the words of a text that negate without a `no`."""
    return frozenset(stem(match[0].lstrip("-")) for match in _CEASED.finditer(text))


_QUIT = re.compile(r"(?i)\bquit\w*")


@lru_cache(maxsize=10_000)
def is_negated(text: str) -> bool | None:
    """Return whether a clause as a whole is negative, idioms apart; None if it can be read either way."""
    if _CEASED.search(text) or _QUIT.search(text):
        return None
    plain = IDIOMS.sub(" ", spelt_out(text))
    denying = [word for match in WORD.finditer(plain) if (word := bare(match[0])) in NEGATORS]
    # `neither the one nor the other` denies once
    return sum(word != "nor" or "neither" not in denying for word in denying) % 2 == 1


def comes_then(clause: str, turns: Sequence[str]) -> bool:
    """Return whether a clause tells for a time what was denied until then: `not deciding till December`."""
    mine = {*stems(clause)}
    for turn in turns:
        for found in _NOT_UNTIL.finditer(turn):
            when, deed = {*stems(found["when"])}, {*stems(found["deed"])}
            if when and when <= mine and deed & mine - when:
                return True
    return False


_NOT_UNTIL = re.compile(
    r"(?i)(?:\b\w+n['’]t\b|\b(?:not|never|cannot|(?:do|does|did|wo|is|are|was|ca|have|has)nt)\b)"
    r"(?P<deed>[^.!?]{1,60}?)\b(?:un)?till?\s+(?P<when>[^.!?,;]+)"
)
