"""Clauses of a memory that deny what was said, or say what was denied, of one thing."""

import re
from collections.abc import Iterator, Mapping
from functools import cache
from itertools import pairwise

from reel_cli.core.evidence.grounding.answers import answered_no
from reel_cli.core.evidence.grounding.denied_statements import denied_statement
from reel_cli.core.evidence.grounding.lexicon import (
    WORD,
    bare,
    clauses,
    quote_key,
    sentences,
    spelt_out,
    stem,
    stems,
)
from reel_cli.core.evidence.grounding.polarity import Statement, polarity
from reel_cli.core.evidence.grounding.repeats import OPEN, UNSURE, said_but_for_no
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen, late

_OPPOSITES = (
    ("pass", "fail"), ("win", "lose"), ("buy", "sell"), ("accept", "reject refuse decline"),
    ("arrive", "leave"),
    ("love", "hate dislike"), ("begin start", "finish end stop quit"),
    ("attend join march went go", "miss skip"),
    ("marry", "divorce"), ("born", "die"), ("remember", "forget"), ("open", "close shut"), ("keep", "lose"),
    ("improve", "worsen"), ("increase rise", "decrease fall drop"), ("agree", "disagree"), ("hire", "fire"),
    ("succeed", "fail"), ("gain", "lose"), ("easy", "hard difficult tough"), ("calm", "nervous anxious"),
    ("older", "younger"), ("better", "worse"), ("married", "divorced single"),
    ("long", "short brief"), ("big huge large", "small tiny"), ("early", "late"), ("hot warm", "cold cool"),
    ("cheap", "expensive"), ("slow", "fast quick"), ("full", "empty"), ("loud", "quiet silent"),
    ("wet", "dry"), ("high", "low"), ("rich", "poor"), ("strong", "weak"), ("heavy", "light"),
    ("happy glad", "sad unhappy"), ("excited", "bored"), ("proud", "ashamed"), ("alone", "together"),
    ("always", "never"), ("often", "never rarely seldom"), ("sometimes", "never always"),
    ("many", "few"), ("more", "less fewer"), ("closer", "farther further"), ("relieved", "disappointed"),
)  # fmt: skip
_COMPOUND = re.compile(r"\b\w+(?:-\w+)+")
_COMMA = re.compile(r"[,;:]\s")
_HOPES = re.compile(r"(?i)\b(?:sure|if|hope)\b")
_LINK = re.compile(r"(?i)^\W*(?:and|but|so|that|then)\s+")
_LEFT_OPEN = late(
    r"(?i)\b(?:was|were|is|are) (?:due|to be|supposed|meant)\b"
    r"|^\W*(?:(?:and|but|so|well) )?(?:my )?(?!(?:i|you|we|it|that|this|which|who)\b)\w+ "
    r"(?:says|reckons|claims|insists|thinks)\b"
)
"""Pattern of what is only due, or what somebody else says of it: to deny it contradicts nobody."""
_RUN = 4
"""Words in a row that were said."""
_FEWEST = 2


@frozen
class Reversal:
    """A clause that says the opposite of a statement: its place, its telling words, and the statement."""

    start: int
    end: int
    words: tuple[str, ...]
    said: Passage


def reversals(masked: str, source: Source) -> Iterator[Reversal]:
    """Yield the clauses that turn one statement round, where nothing that was said is on their side."""
    for first, last in sentences(masked):
        sentence = masked[first:last]
        if "?" in sentence:
            continue
        at = first
        for clause in clauses(sentence):
            at = masked.index(clause, at)
            start, end = at, at + len(clause)
            at = end
            words = content(clause, source)
            if len(WORD.findall(clause)) >= _RUN and source.has(_LINK.sub("", clause)):
                # it was said in these very words
                continue
            said = (
                _doubted(clause, sentence, source)
                or _asserted(clause, source)
                or said_but_for_no(clause, sentence, source)
                or denied_statement(clause, sentence, words, source)
                or _opposite(clause, words, source)
                or answered_no(clause, sentence, source)
            )
            if said is not None and not _left_open(clause, source.passage(said)):
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                yield Reversal(start + lead, end, tuple(words), source.passage(said))


def _left_open(clause: str, said: Passage) -> bool:
    """Return whether a clause denies what was only due, or what somebody told of another's opinion."""
    denies = polarity(clause).says_no and not _LEFT_OPEN.search(clause)
    return denies and _LEFT_OPEN.search(said.text) is not None


def _doubted(clause: str, sentence: str, source: Source) -> Statement | None:
    """Return what somebody said in so many words, if a clause has them unsure of it."""
    # what stands after the next comma is doubted no more
    told = sentence[sentence.find(clause) :].lstrip(" ,:()")
    match = UNSURE.search(spelt_out(_COMMA.split(told)[0]))
    if match is None or ("sure" not in clause and "doubt" not in clause and "certain" not in clause):
        return None
    words = quote_key(match[1]).split()[-_RUN:]
    if len(words) < _RUN:
        return None
    key = f" {' '.join(words)} "
    said = [one for one in source.statements if not one.whole and key in quote_key(one.text)]
    unsure = [one for one in said if one.text.endswith("?") or _HOPES.search(one.text)]
    return said[0] if said and not unsure else None


def _asserted(clause: str, source: Source) -> Statement | None:
    """Return the question that was answered with no, if a clause says that it is so."""
    if polarity(clause).says_no or OPEN.search(clause):
        return None
    told = frozenset(stems(clause))
    asked = (one for one in source.statements if one.text.endswith("?") and one.unsure == one.stems)
    return next((one for one in asked if len(one.stems) >= _FEWEST and one.stems <= told), None)


def _opposite(clause: str, words: list[str], source: Source) -> Statement | None:
    """Return the statement that tells the same with the opposite of one of a clause's words."""
    if polarity(clause).says_no:
        return None
    for match in WORD.finditer(clause):
        word = bare(match[0])
        others = _opposites().get(stem(word), ())
        if not others or (word not in words and OPEN.search(clause)):
            continue
        rest = [one for one in words if one != word]
        others = tuple(one for one in others if not word_forms(one).stands_in(clause))
        before, after = WORD.findall(clause[: match.start()])[-1:], WORD.findall(clause[match.end() :])[:1]
        mine, forms = word_forms(word), [word_forms(part) for part in rest]
        for other in others:
            theirs = word_forms(other)
            best, most, rival = None, 0, 0
            for one, whole in source.told:
                # `high-end` is no end
                text = _COMPOUND.sub(" ", whole)
                if not (theirs.stands_in(text) or mine.stands_in(text)):
                    continue
                shared = sum(form.stands_in(text) for form in forms)
                shared += any(
                    _stand_together(one, other, text) for one in before if bare(one) in rest
                ) or any(_stand_together(other, one, text) for one in after if bare(one) in rest)
                if one.denied or one.unsure or mine.stands_in(text):
                    rival = max(rival, shared)
                elif shared > most:
                    best, most = one, shared
            if best is not None and most >= max(_FEWEST, len(rest)) and rival < most:
                return best
    return None


def _stand_together(first: str, second: str, text: str) -> bool:
    """Return whether two words stand side by side in a text, in any form: `long process`."""
    told = [stem(match[0]) for match in WORD.finditer(text)]
    return (stem(first), stem(second)) in pairwise(told)


@cache
def _opposites() -> Mapping[str, tuple[str, ...]]:
    """Return the opposites of each word, by its stem."""
    found: dict[str, tuple[str, ...]] = {}
    for one, other in _OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            for word in mine.split():
                found[stem(word)] = (*found.get(stem(word), ()), *theirs.split())
    return found
