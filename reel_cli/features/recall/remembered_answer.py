"""Answers that a memory gives and the line it leads to does not: the memory is told with the line."""

from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import fold_line, since
from reel_cli.core.tape.search.forms import match_words
from reel_cli.core.tape.search.query import words
from reel_cli.core.values.memory import MEMORY_ID, memory_path
from reel_cli.features.recall.moments import Moment

UNSURE = 0.6
"""Highest certainty of a moment in which no word of the question stands, only in a note that leads there."""


def said_terms(moment: Moment) -> frozenset[str]:
    """Return the words of the question that stand in a moment itself, and not only in what leads to it."""
    terms = moment.hit.terms
    if moment.hit.lead is None:
        return frozenset(terms)
    text = "\n".join(turn.text for turn in moment.turns).casefold()
    said = words(text)
    return frozenset(term for term in terms if term in text or any(map(match_words([term]), said)))


def tell_lead(moment: Moment, snapshot: Snapshot) -> Moment:
    """Return the moment with what the memory says that led to it, where none of its turns is like that.

    The words of the question stand in the memory alone, for instance in what may be asked of it later, so
    which of its lines answers is not known. Of a memory that holds no longer it is told what holds.
    """
    lead = moment.hit.lead
    if lead is None:
        return moment
    if not said_terms(moment):
        hit = replace(moment.hit, confidence=min(moment.hit.confidence, UNSURE))
        moment = replace(moment, hit=hit)
    if not MEMORY_ID.fullmatch(lead):
        return moment
    try:
        text = snapshot.text(memory_path(lead)) or ""
    except ReelError:
        # a broken file is told of by status
        return moment
    if not moment.hit.loose and "\nno_longer:" not in text:
        return moment
    return _tell_memory(moment, lead, text, snapshot)


def _tell_memory(moment: Moment, lead: str, text: str, snapshot: Snapshot) -> Moment:
    """Return a moment with what the memory says that led to it, or what holds in its place."""
    from reel_cli.core.files.memory_file import parse_memory
    from reel_cli.features.recall.objections import concerns

    try:
        memory = parse_memory(text, memory_path(lead))
    except ReelError:
        return moment
    if memory.no_longer and (moment.hit.loose or concerns(moment, fold_line(memory.no_longer), snapshot)):
        holds = since(fold_line(memory.no_longer))[1:-1]
        moment = replace(moment, mended=(*moment.mended, holds))
    if not moment.hit.loose:
        return moment
    told = fold_line(memory.marker or memory.title)
    hit = replace(moment.hit, confidence=min(moment.hit.confidence, UNSURE))
    return replace(moment, hit=hit, reason=moment.reason or f"Remembered of it: {told}")
