"""A moment that was found again is kept: as a memory of its own, or as an example (REEL §6.4, §4.2)."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, SourceRange
from reel_cli.features.memory.exemplars import Draft, quote_tape
from reel_cli.features.page.ask import ask_moment

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.core.kit.ring0 import Ring0
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.features.recall.moments import Moment

TITLE_WORDS = 7
"""Words of what was said that make the title if none is given."""


def ask_promotion(snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", moment: "Moment") -> "Ask":
    """Return the ask that makes a moment a memory; its source are the shown messages.

    Raises ReelError where it is not on the tape, or a memory stands for just these messages already.
    """
    span = _span(moment)
    for memory in snapshot.memories.values():
        if span in memory.source:
            message = f"{memory.title} ({memory.id}) is the memory of this moment already."
            raise ReelError(message, hint=f"read it with  reel memory show {memory.id}")
    return ask_moment(snapshot, ring0, tokenizer, span)


def draft_example(snapshot: Snapshot, moment: "Moment") -> Draft:
    """Return the exchange around a moment, word for word, with its first words as title.

    That is what the person said and the persona's answer. Raises ReelError where nobody answered.
    """
    span = exchange_around(snapshot, _span(moment), moment.message or 0)
    return replace(quote_tape(snapshot, span), title=usual_title(snapshot, span))


def exchange_around(snapshot: Snapshot, span: SourceRange, message: int) -> SourceRange:
    """Return the exchange of a message: what the person said, up to the persona's answer."""
    shown = read_session(snapshot, span.session).shown()
    place = next((i for i, entry in enumerate(shown) if entry.number == message), None)
    if place is None:
        text = f"Message {message} is no longer part of session {span.session}."
        raise ReelError(text)
    first = last = place
    if _is_persona(shown[place]):
        while first > 0 and _is_persona(shown[first]):
            first -= 1
    else:
        while last + 1 < len(shown) and not _is_persona(shown[last]):
            last += 1
    if _is_persona(shown[first]) or not _is_persona(shown[last]):
        text = "Only one side of this exchange was said, so it shows nothing of how the persona answers."
        raise ReelError(text, hint="choose another moment with  --hit 2")
    numbers = [entry.number or 0 for entry in shown[first : last + 1]]
    return SourceRange(span.session, min(numbers), max(numbers))


def usual_title(snapshot: Snapshot, span: SourceRange) -> str:
    """Return the first words of what was said, for a title."""
    said = read_session(snapshot, span.session).numbered()[span.first].message.text
    words = one_line(said).split()
    return " ".join(words[:TITLE_WORDS]).rstrip(".,;:!?") + ("…" if len(words) > TITLE_WORDS else "")


def _is_persona(entry: Entry) -> bool:
    return entry.message.role != "user"


def _span(moment: "Moment") -> SourceRange:
    if moment.session is None or moment.span is None:
        message = "This is remembered without a place on the tape, so nothing can be made of it."
        raise ReelError(message, hint="choose another moment with  --hit 2")
    return SourceRange(moment.session, *moment.span)
