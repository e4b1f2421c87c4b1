"""Statements that a clause of a memory denies, where nobody denied them."""

import re
from collections.abc import Sequence
from functools import lru_cache

from reel_cli.core.evidence.grounding.lexicon import NEGATORS, sentences, spelt_out, stem
from reel_cli.core.evidence.grounding.polarity import IDIOMS, Statement, polarity
from reel_cli.core.evidence.grounding.repeats import OPEN, WISHED
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.grounding.words import WordForms, word_forms

_NO = re.compile(
    rf"\b(?:{'|'.join(sorted(NEGATORS))}|fail\w*|miss\w*|lost|lose|losing|instead|stop\w*|quit"
    r"|refus\w*|doubt\w*|afraid|scared|alone|without|forbid\w*|forbad\w*|won't|can't"
    r"|unable|prevent\w*|bann\w*|avoid\w*)\b"
)
"""Words with which a denial may come: `I missed it` bears that somebody was not there."""
_SCOPE = 9
"""Words after a no that it may deny."""
_REFUSED = re.compile(
    r"\W*(?:\w+[,!.]?\s+){0,2}?(?:no|nah|nope|not yet|never|i haven't|i don't|sadly|unfortunately)\b"
)
_DENIES = re.compile(r"\b(?:not|never|no|neither|unable|refus(?:ed|es)|(?:quit|stopped)(?= \w+ing\b))\b")
_SAYS_NO = re.compile(r"\b(?:not|never|no|nobody|nothing|none|neither|nor|without)\b")
_FIRMLY = re.compile(r"\b(?:not|never)\b")
_OF_A_THING = re.compile(
    r"\b(?:would|will|could|should|can|may|might|must) (?:not|never)\b"
    r"|\b(?:not|never) (?:\w+ ){1,2}"
    r"(?:the|an?|any(?! more)|this|that|these|those|my|your|his|her|its|our|their)\b"
)
"""Pattern of a no to doing something with a thing: that the thing was spoken of does not deny it."""
_DOES_NOT = r"\b(?:(?:did|do|does|was|were|is|are|has|have|had|will|would|can|could|should) not|never)"
_TELLS = re.compile(
    r"\b(?:not|never)\s+(?:\w+\s+)?(?:tell|told|ask\w*(?! for)|say|said|mention\w*|know|knew|think|thought"
    r"|show\w*|press\w*|speak|spoke\w*|answer\w*|forget|alone|mind|sure|need|worry|hesitate|believe|wait)\b"
)
_FIRST_TIME = re.compile(
    r"(?:\b(?:have|has|had)|'d|'ve|'s) (?:not|never)\b.*\b(?:been|seen|visited|met|heard|read|\w+ before)\b"
)
"""Pattern of denials of what was not so until then."""
_LINE = re.compile(r"(?<=[.!?])\s+")
_SAME = 60
_FEWEST = 2


def denied_statement(clause: str, sentence: str, words: list[str], source: Source) -> Statement | None:
    """Return the statement that a clause denies, where nothing was denied of the same things."""
    if not _is_denial(clause, sentence):
        return None
    denied = [word for word in words if stem(word) in polarity(clause).denied]
    patterns = [word_forms(word) for word in denied or words]
    if _was_denied(patterns, source, whole=not denied):
        return None
    if len(words) < _FEWEST and (
        _OF_A_THING.search(spelt_out(clause)) or not _denies_verb(words, spelt_out(clause))
    ):
        return None
    forms = [word_forms(word) for word in words]
    told = [(one, text) for one, text in source.told if any(pattern.stands_in(text) for pattern in patterns)]
    if any(one.unsure for one, _ in told):
        # a question that was answered with no, or what may have been so
        return None
    told += [
        (one, text)
        for one, text in _answers(source)
        if any(pattern.stands_in(text) for pattern in patterns)
        and any(form.stands_in(one.text) for form in forms)
    ]
    told = [(one, text) for one, text in told if not one.text.endswith("]")]
    shares = [sum(form.stands_in(text) for form in forms) for _, text in told]
    most = max(shares, default=0)
    if not most or most * 100 < _SAME * len(words):
        return None
    best = told[shares.index(most)][0]
    if _SAYS_NO.search(spelt_out(best.text)) or WISHED.search(best.text):
        return None
    return best if most >= _FEWEST or _FIRMLY.search(spelt_out(clause)) else None


def _denies_verb(words: Sequence[str], plain: str) -> bool:
    """Return whether a no right before one of these words says that somebody does not do it."""
    return any(re.search(rf"{_DOES_NOT}\s+{re.escape(word)}\b", plain) for word in words)


def _is_denial(clause: str, sentence: str) -> bool:
    """Return whether a clause denies something for good."""
    plain = spelt_out(clause)
    no = _DENIES.search(plain)
    if no is None or OPEN.search(clause) or _TELLS.search(plain):
        return False
    denies = polarity(clause).says_no or no[0] == "neither" or no[0] not in NEGATORS
    return denies and not _FIRST_TIME.search(spelt_out(sentence))


def _was_denied(patterns: Sequence[WordForms], source: Source, *, whole: bool) -> bool:
    """Return whether somebody denied one of these things, or answered with no when asked about it.

    With `whole`, a no anywhere in the sentence counts.
    """
    for turn, before in zip(source.turns, ["", *source.turns], strict=False):
        if _REFUSED.match(turn) and any(one.stands_in(before) for one in patterns):
            return True
        for line in _LINE.split(turn):
            parts: Sequence[str] = _denied_parts(line)
            parts = [line] if whole and parts else parts
            if any(one.stands_in(part) for part in parts for one in patterns):
                return True
    return False


@lru_cache(maxsize=2)
def _answers(source: Source) -> Sequence[tuple[Statement, str]]:
    """Return the statements that answer a question without a no, each with the question, in lower case."""
    found: list[tuple[Statement, str]] = []
    first = {one.turn: one for one in reversed(source.statements) if not one.whole}
    for said, before, turn in zip(source.said[1:], source.turns, source.turns[1:], strict=False):
        asked = before.rpartition("?")[0].rpartition(". ")[2]
        answer = " ".join(turn[a:b] for a, b in list(sentences(turn))[:2])
        one = first.get(said.turn.number)
        if asked and one is not None and not _NO.search(spelt_out(f"{asked} {answer}")):
            found.append((one, f"{asked} {answer}"))
    return found


@lru_cache(maxsize=4_096)
def _denied_parts(line: str) -> tuple[str, ...]:
    """Return what stands after each no of a sentence, and all of it where the no comes last."""
    plain = IDIOMS.sub(" ", spelt_out(line))
    after = (plain[match.end() :].split() for match in _NO.finditer(plain))
    return tuple(" ".join(words[:_SCOPE]) if words else plain for words in after)
