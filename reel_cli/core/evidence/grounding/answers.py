"""Clauses that say yes where the talk said no: to a question, or of a thing that a pronoun names."""

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from reel_cli.core.evidence.grounding.lexicon import clauses, quote_key, sentences, spelt_out, stem, stems
from reel_cli.core.evidence.grounding.polarity import Statement, polarity
from reel_cli.core.evidence.grounding.repeats import OPEN
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen

_DID = re.compile(r"(?i)(?:and |so |but |well, )?(?:did|have|has) (?:you|he|she|they|it)\b")
_WHO = re.compile(r"(?i)(?:and |so |but )?(?:who|which of \w+) (.+)")
_NO = re.compile(r"(?i)\W*(?:oh |well )?[,]?\s*(?:no|nope|not yet|never|nah)\b")
_NOBODY = re.compile(r"(?i)\W*(?:nobody|no one|none|neither)\b")
_AHEAD = re.compile(
    r"\b(?:will|would|shall|to|going|plan\w*|want\w*|promis\w*|hop\w+|should|must|can|could|may|might|asked|told)\b"
)
"""Words of a clause in which nothing is said to be done yet."""
_OF_TWO = re.compile(r"(?i)\bor\b")
_ONESELF = re.compile(r"\b(?:i|me|my|mine|we|us|our)\b")
_DOES = re.compile(
    r"\b(he|she|they|i|we) (?:(?:has|have|had|do|does|did|will|would|can|could) )?(not |never )?"
    r"(?:even |ever |really |always |still |just )?([a-z]+) (it|him|her|them)\b"
)
"""Pattern of somebody who does something, or not, with a thing that was named before."""
_FEWEST = 2
_AROUND = 3
"""Content words around a pronoun that two sentences share, to speak of one thing."""


@frozen
class _Refusal:
    """A question that was answered with no: the words that are so nowhere, and the answer's statement."""

    words: tuple[str, ...]
    run: str
    said: Statement


def answered_no(clause: str, sentence: str, source: Source) -> Statement | None:
    """Return what a clause turns round: an answer that was no, or what was not done with a thing."""
    if polarity(clause).says_no or OPEN.search(clause):
        return None
    plain = spelt_out(clause)
    for one in _refusals(source) if not _AHEAD.search(plain) else ():
        if _says(plain, one) and not _is_said_elsewhere(one, source):
            return one.said
    return _done_with(clause, sentence, source)


def _says(plain: str, one: _Refusal) -> bool:
    if one.run:
        return f" {one.run} " in f" {quote_key(plain)} "
    # who was asked is told of as somebody else, and what the teller did is another matter
    return not _ONESELF.search(plain) and all(word_forms(word).stands_in(plain) for word in one.words)


def _is_said_elsewhere(refused: _Refusal, source: Source) -> bool:
    """Return whether a statement says that it is so after all."""
    return any(
        not (one.whole or one.denied or one.unsure or one.text.endswith("?"))
        and not polarity(text).says_no
        and not _AHEAD.search(spelt_out(text))
        and _says(spelt_out(text), refused)
        for one, text in source.told
    )


@lru_cache(maxsize=2)
def _refusals(source: Source) -> Sequence[_Refusal]:
    """Return the questions of a talk that the next message answers with no."""
    found = []
    first = {one.turn: one for one in reversed(source.statements)}
    for said, before in zip(source.said[1:], source.said, strict=False):
        answer, asked = said.turn.text, before.turn.text
        last = [asked[start:end].strip() for start, end in sentences(asked)][-1:]
        if said.turn.number not in first or not last or not last[0].endswith("?") or _OF_TWO.search(last[0]):
            continue
        # `as you said you would` is no part of what is asked
        question = last[0].rstrip("?").partition(",")[0]
        own = first[said.turn.number]
        who = _WHO.fullmatch(question)
        if who is not None and _NOBODY.match(answer):
            run = quote_key(who[1]).strip()
            found += [_Refusal((), run, own)] if len(run.split()) >= _FEWEST else []
        elif _DID.match(question) and _NO.match(answer):
            words = tuple(dict.fromkeys(stems(question)))
            found += [_Refusal(words, "", own)] if len(words) >= _FEWEST else []
    return found


def _done_with(clause: str, sentence: str, source: Source) -> Statement | None:
    """Return the sentence in which somebody does not do with a thing what the clause says is done."""
    mine = next(_deeds(clause), None)
    if mine is None or mine[1]:
        return None
    around = frozenset(stems(sentence.replace(clause, " ")))
    found = None
    for one in source.statements if len(around) >= _AROUND else ():
        if one.whole or one.text.endswith("?") or len(around & one.stems) < _AROUND:
            continue
        for part in clauses(one.text):
            for who, denied, verb, thing in _deeds(part):
                if (who, verb, thing) != (mine[0], *mine[2:]):
                    continue
                if not denied:
                    return None
                found = found or one
    return found


def _deeds(clause: str) -> Iterator[tuple[str, bool, str, str]]:
    for deed in _DOES.finditer(spelt_out(clause)):
        yield deed[1], bool(deed[2]), stem(deed[3]), deed[4]
