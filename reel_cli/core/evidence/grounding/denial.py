"""Detection of a sentence that affirms what another denies, or denies what it affirms."""

import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence

from reel_cli.core.evidence.grounding.lexicon import WORD, bare, clauses, even, spelt_out, stem, stems
from reel_cli.core.evidence.grounding.polarity import Statement, polarity, turning_words
from reel_cli.core.frozen import frozen

_OPEN = re.compile(
    r"(?i)\b(?:whether|if|unless|might|maybe|perhaps|wonder(?:s|ed|ing)?|guess|still|yet)\b|\?"
)
_ORDER = re.compile(
    r"^\W*(?:(?:[Aa]nd|[Bb]ut|[Ss]o|[Oo]r|[Tt]hen|[Pp]lease|[Jj]ust)\s+)?"
    r"(?:[Dd]o(?: not|n't)\b|(?:[Nn]ot|[Nn]ever|[Nn]o)\s+(?:[A-Z]|"
    r"(?:the|an?|my|his|her|their|for|as|in|on|at|to|even)\b))"
)
"""A clause that begins with its no tells somebody what to do, or only leaves something out."""
_LACKS = re.compile(r"(?i)\W*without\b")
"""The rest of a sentence that was cut before it."""
_CONTINUED = re.compile(r"[,;:()]\s")
_INSISTS = re.compile(
    r"\b(?:do|does|did) (?!not\b|the\b|it\b|that\b|this\b|an?\b|so\b|my\b|his\b|her\b|their\b)(?=[a-z])"
)
"""Pattern of insisting answers to a denial, such as `He does want it`."""
_TELLS = re.compile(
    r"\b(?:never|did not|has not|have not)\s+(?:told|tell|said|say|show(?:ed|n)?|mention(?:ed)?|"
    r"explain(?:ed)?|gave|give|given)\b"
)
"""Pattern of a statement, in the source, that something was never told."""
_ASKED = re.compile(
    r"\b(?:not|never) \w+ (?:\w+ ){0,2}(?:what|why|how|when|where|who|whom|which|whether|if)\b"
    r"|\bhad (?:not|never)\b|\b(?:before|until|till)\b"
)
"""Pattern of questions and of "not yet", which deny nothing for good: the thing may come up or be told
later."""
_EXPERIENCE = re.compile(
    r"\b(?:have|has|had) (?:not|never) (?:\w+ )?(?:been|seen|visited|met|heard|watched|read|tried)\b"
)
"""Pattern of experiences that one speaker lacks and somebody else may have."""
_PAST = re.compile(r"\b(?:did|was|were|has|have|had) (?:not|never)\b|\bnever \w+(?:ed|ent|ave|ook|old|ade)\b")
_LACKING = re.compile(
    r"\b(?:not|never) (?:ever )?(?:had|have|got|owned?|possess(?:ed)?)\b|\b(?:have|has|had) (?:no|none)\b"
)
"""Pattern of a clause that denies having something."""
_NO = re.compile(r"\b(?:not|never)\b")
_A_NO = re.compile(r"(?i)\b(?:not|never|no|cannot|\w+n't)\b")
_OWN_SUBJECT = re.compile(r"(?i)\s*,\s*(?:(?:and|but|so)\s+)?(?:i|he|she|we|they|you|it)\b")
"""The begin of a clause behind a comma that has its own subject."""
_TELLING_FIRST = re.compile(
    r"^\W*(?:\w+ )?(?:i|he|she|we) (?:told|said|asked|showed|says|tells) (?:(?:him|her|me|us|that) )*"
)
_ONLY = re.compile(r"\b(?:just|only|simply)\b")
_NOT_ONLY = re.compile(r"\bnot (?:just|only|simply)\b")
_WHOSE = re.compile(
    r"(?i)^.*\b(?=(?:i|he|she|they|we|it|you|who)(?:'\w+)?\s+(?:\w+\s+){0,2}(?:not|never|\w+n't|cannot)\b)"
)
"""Pattern of the words before the person or thing a denial is about."""
_NONE = re.compile(r"\b(?:nobody|nothing|none|no one|nowhere|neither)\b")
"""Pattern of negative pronouns: the words after them are not denied, or not first."""
_ASKS = re.compile(
    r"\b(?:not|never) (?:ask|speak|spoke|talk|answer|tell|say|show|mention|"
    r"know|knew|think|thought|remember|recall|understand|understood|recogni|gave|give|get|got)\w*\b"
)
"""Pattern of denials that say little of what they are about."""
_HAS = re.compile(r"\b(?:have|has|had|'ve)\b|'s\b|'d\b")
_THING = re.compile(r"(?i)\b(?:the|an?|this|that|my|your|his|her|its|our|their)\s+(\w+)")
"""A thing that a clause names: another sentence may say no to something else about it."""
_COMPOUND = re.compile(r"\b\w+(?:-\w+)+")
_DOES = re.compile(
    r"\b(?:i|he|she|they|we|will|would|is|are|was|were|am|does|did|do|can|could|to|not)\s+(?=(\w+))"
    r"|\b(?:and|who)\s+(?=(\w+))"
)
_MISSED = re.compile(
    r"(?i)\b(?:lost|lose[sd]?|losing|miss(?:ed|es|ing)?|lack(?:s|ed)?|reject\w*|declin\w*|turned down"
    r"|outside|beyond|unlike|without|other than|rather than|apart from|far from|hardly|too \w+ to)\b"
)
"""Words that a no may be told with."""
_DIGITS = re.compile(r"\d+")
_STRONG = 0.7
"""The share of a clause that must have been said with a no, where the clause says yes."""
_INSISTED = 0.5
_DENIED = 0.42
"""The share that must have been said, where the clause says no: a denial seldom comes out of nowhere."""
_APART = 0.55
"""The same where what is denied was said in other words, if at all; and so many of the others were said."""
_APART_FEWEST = 3
_LAST_SHARE = 0.8
"""The same where the no comes last: `a respect that he hasn't`."""
_WHOLE = 0.75
"""The same where it was said in several sentences."""
_RIVAL = 0.75
"""Share of the best match that a rival sentence must stay below."""
_SAID_NO = 1.6
"""Factor for denied words, which count for more: people seldom deny without need."""
_FEWEST = 2
_TELLING = 2.5
"""The weight of a word that is enough by itself: it was said once or twice."""
_FAINT = 0.5
"""Words of so little weight are in every denial (`wants`, `likes`); what they are about is denied."""


Weigh = Callable[[str], float]
"""Function that returns the weight of a stem."""


def contradiction(
    clause: str,
    sentence: str,
    said: Sequence[Statement],
    weight: Weigh,
    voices: Mapping[str, str] | None = None,
) -> Statement | None:
    """Return the statement that the clause turns into its opposite; None if none is similar enough.

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
        # a statement that a speaker makes about themselves says nothing about another
        mine = voices["i"] if voices else ""
        said = [one for one in said if not one.own or (one.speaker == mine) == (whose == mine)]
    if polarity(clause).says_no:
        return _denial(clause, sentence, said, weight)
    return None if _MISSED.search(clause) else _claim(clause, said, weight)


_NEVER_BEFORE = re.compile(
    r"(?:\b(?:have|has|had)|'d|'ve|'s) (?:not|never)\b[^,.;]*\b(?:before|until|till|yet)\b|\byet\b"
)


def is_plain(clause: str) -> bool:
    """Return whether a clause says yes or no of something it names, for good."""
    if is_first_time(clause):
        return False
    plain, side = spelt_out(clause), polarity(clause)
    return not side.says_no or (bool(side.denied) and not _NONE.search(plain))


def is_first_time(clause: str) -> bool:
    """Return whether a clause denies only what was so until then: `I'd never surfed before`."""
    plain = spelt_out(clause)
    return _NEVER_BEFORE.search(plain) is not None or _EXPERIENCE.search(plain) is not None


def _subject(plain: str, voices: Mapping[str, str]) -> str | None:
    """Return the speaker that a clause is about, if a pronoun or a name says so."""
    told = _TELLING_FIRST.sub("", plain)
    no = _NO.search(told)
    words = (match[0].partition("'")[0] for match in WORD.finditer(told, 0, no.start() if no else len(told)))
    found = [voices[word] for word in words if word in voices]
    return (found[-1] if no else found[0]) if found else None


def _not_only(clause: str, said: Sequence[Statement], weight: Weigh) -> Statement | None:
    """Return the statement that says `only`, if a clause says that it is more than that."""
    weights = _weighed(frozenset(stems(clause)), weight)
    for one, _, share in _shares(weights, said):
        plain = spelt_out(one.text)
        if share >= _STRONG and not one.whole and _ONLY.search(plain) and not _NOT_ONLY.search(plain):
            return one
    return None


def _shares(
    weights: dict[str, float], said: Sequence[Statement]
) -> Iterator[tuple[Statement, frozenset[str], float]]:
    """Yield each statement that has any of the words, the words, and their share of the total weight."""
    wanted = frozenset(weights)
    total = math.fsum(weights.values())
    for one in said:
        if shared := wanted & one.stems:
            yield one, shared, math.fsum(map(weights.__getitem__, shared)) / total


def _weighed(words: frozenset[str], weight: Weigh) -> dict[str, float]:
    return {word: heavy for word in words if (heavy := weight(word))}


@frozen
class _Denial:
    """A clause that says no: what its words weigh, what it denies first and `firm`ly, how much must be said.

    It is `telling` where it says that a thing was not told, `distant` where what it denies may be so of
    somebody else, `last` where its no comes after all else; `past` where it denies what was, `lacking`
    where it denies having something.
    """

    weights: dict[str, float]
    first: frozenset[str]
    firm: frozenset[str]
    fewest: int
    turning: frozenset[str]
    telling: bool
    distant: bool
    last: bool
    none: bool
    past: bool
    lacking: bool

    def is_said_otherwise(self, one: Statement, shared: frozenset[str]) -> bool:
        """Return whether the statement denies it too, or can be read either way."""
        if one.turning not in (None, self.turning) or (self.lacking and one.lacked):
            return True
        apart = bool(one.denied) and not self.first & shared and one.turning is not None
        return apart or bool(shared & (one.unsure | one.denied))

    def is_enough(self, one: Statement, shared: frozenset[str], share: float) -> bool:
        """Return whether the statement shares enough with the clause to be what it denies."""
        least, fewest = _APART, _APART_FEWEST
        if one.whole:
            if self.none or self.last:
                return False
            near = self.telling or (len(self.firm & shared) >= _FEWEST and not self.distant)
            least, fewest = _WHOLE, _FEWEST if near else _APART_FEWEST
        elif self.last:
            least, fewest = _LAST_SHARE, self.fewest
        elif self.telling:
            fewest = self.fewest
        elif self.first & shared and not self.distant and not self.none:
            least, fewest = _DENIED, self.fewest
        elif len(self.firm & shared) >= _FEWEST and not self.distant and not self.none:
            least, fewest = _APART, _FEWEST
        return share >= least and len(shared) >= fewest


def _denial(clause: str, sentence: str, said: Sequence[Statement], weight: Weigh) -> Statement | None:
    """Return the statement that a clause denies, or None."""
    plain = spelt_out(clause)
    telling = bool(_TELLS.search(plain))
    if _ORDER.search(clause) or (telling and _ASKED.search(plain)):
        return None
    own = _WHOSE.sub("", even(clause))
    wanted = frozenset(stems(own) or stems(clause))
    if len(wanted) < 3 and not any(weight(word) >= _TELLING for word in wanted):
        begin = max(0, sentence.find(own.lstrip(" ,:()")))
        wanted |= frozenset(stems(_CONTINUED.split(sentence[begin:])[0]))
    apart = _what_was_told(clause, sentence) if telling else frozenset()
    for words in (wanted, wanted | apart) if apart else (wanted,):
        found = _denied(clause, words, said, weight)
        if found is not None:
            return found
    return None


def _denied(
    clause: str, wanted: frozenset[str], said: Sequence[Statement], weight: Weigh
) -> Statement | None:
    """Return the statement that the words of a denying clause contradict, or None."""
    denial = _read_denial(clause, _weighed(wanted, weight))
    if denial is None:
        return None
    best: tuple[float, Statement] | None = None
    rival = 0.0
    for one, shared, share in _shares(denial.weights, said):
        if denial.past and one.ahead and not denial.telling:
            # a plan may not have been carried out
            continue
        if denial.is_said_otherwise(one, shared):
            rival = max(rival, share * (1 if one.whole else _SAID_NO))
        elif denial.is_enough(one, shared, share) and (best is None or share > best[0]):
            best = share, one
    return best[1] if best is not None and rival < best[0] * _RIVAL else None


def _read_denial(clause: str, weights: dict[str, float]) -> _Denial | None:
    """Return a clause that says no, with its words; None if they are too few to tell."""
    if not weights:
        return None
    plain = spelt_out(clause)
    denied = [word for word in polarity(clause).denied if word in weights]
    firm = [word for word in denied if weights[word] > _FAINT]
    telling, none, last = bool(_TELLS.search(plain)), bool(_NONE.search(plain)), not polarity(clause).denied
    lone = sum(heavy > _FAINT for heavy in weights.values()) == 1
    plainly = lone and not (none or last or _ASKS.search(plain))
    fewest = 1 if max(weights.values()) >= _TELLING and (telling or plainly) else _FEWEST
    if len(weights) < fewest:
        return None
    return _Denial(
        weights,
        frozenset(firm[:1] or denied[:1]),
        frozenset(firm),
        fewest,
        turning_words(clause),
        telling,
        bool(_EXPERIENCE.search(plain) or (_ASKS.search(plain) and not telling)),
        last,
        none,
        bool(_PAST.search(plain)),
        bool(_LACKING.search(plain)),
    )


def _what_was_told(clause: str, sentence: str) -> frozenset[str]:
    """Return the stems of what was told, if that stands apart: after a colon, or around `she said`."""
    at = max(0, sentence.find(clause))
    after = sentence[at + len(clause) :]
    if after[:1] == ":":
        return frozenset(stems(after.partition(";")[0]))
    aside = clause[:1] == "," and (not after.strip(" .!") or after[:1] == ",") and not stems(clause)
    return frozenset(stems(sentence)) if aside else frozenset()


def _claim(clause: str, said: Sequence[Statement], weight: Weigh) -> Statement | None:
    """Return the statement that denies what a clause claims, or None."""
    weights = _weighed(frozenset(stems(clause)), weight)
    plain = spelt_out(clause)
    insists = bool(_INSISTS.search(plain))
    if not weights or (len(weights) == 1 and not _is_verb(plain, next(iter(weights)))):
        return None
    mine = turning_words(clause)
    named = frozenset(word for match in _COMPOUND.finditer(clause) for word in stems(match[0]))
    things = frozenset(stem(bare(match[1])) for match in _THING.finditer(even(clause)))
    best: tuple[float, Statement] | None = None
    has = bool(_HAS.search(even(clause)))
    # most clauses have no counterpart; their matches need not be examined
    for one, shared, share in _shares(weights, [one for one in said if one.first]):
        if one.first <= shared and (has or not one.perfect):
            enough = share >= (_INSISTED if insists else _STRONG) and one.turning in (None, mine)
            enough = enough and not one.first & named and any(weights[word] > _FAINT for word in shared)
            enough = (
                enough
                and not shared & one.unsure
                and not (one.whole and one.first <= things)
                and len(shared) >= (_APART_FEWEST if one.whole else min(_FEWEST, len(weights)))
            )
            if enough and (best is None or share > best[0]):
                best = share, one
    if best is None or _is_said_of_number(clause, best[1], said) or _is_restored(clause, best[1]):
        return None
    rival = max(
        (
            share
            for one, shared, share in _shares(weights, said)
            if (has or not one.perfect) and not shared & one.denied
        ),
        default=0.0,
    )
    return best[1] if rival < best[0] * _RIVAL else None


def _is_said_of_number(clause: str, denying: Statement, said: Sequence[Statement]) -> bool:
    """Return whether what one statement denies was said in another of the number that a clause gives.

    `She can't come on the 20th. She comes on 3 April.` says that she comes on 3 April.
    """
    mine = frozenset(_DIGITS.findall(clause))
    if not mine or mine & frozenset(_DIGITS.findall(denying.text)):
        return False
    return any(
        not (one.whole or one.denied or one.unsure)
        and denying.first <= one.stems
        and mine <= frozenset(_DIGITS.findall(one.text))
        for one in said
    )


def _is_restored(clause: str, denying: Statement) -> bool:
    """Return whether what a sentence denies is said in a later clause of it, one with its own subject.

    `She can't come Friday, she comes on Sunday` denies the Friday, and says that she comes.
    """
    mine, left = frozenset(_words(clause)), frozenset[str]()
    for part in clauses(even(denying.text)):
        side = polarity(part)
        if side.says_no:
            left |= frozenset(_words(part[_no_end(part) :]))
        elif left and _OWN_SUBJECT.match(part) and denying.first <= frozenset(stems(part)):
            said = frozenset(_words(part))
            return not mine & (left - said) and bool(mine & (said - left) - denying.first)
    return False


def _words(text: str) -> tuple[str, ...]:
    return tuple(stem(bare(match[0])) for match in WORD.finditer(spelt_out(text)))


def _no_end(clause: str) -> int:
    """Return where the first no of a clause ends."""
    found = _A_NO.search(clause)
    return found.end() if found else 0


def _is_verb(plain: str, root: str) -> bool:
    """Return whether a clause's only word is a verb."""
    for match in _DOES.finditer(plain):
        word = match[1] or match[2]
        if stem(word) == root and (match[1] or not word.endswith("ing")):
            return True
    return False
