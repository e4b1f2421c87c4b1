"""Recall of the past while a chat goes on (REEL §6.4), within a budget."""

from collections.abc import Callable, Iterable, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.frozen import late
from reel_cli.core.question_words import MARKS, is_question
from reel_cli.features.recall.moments import Moment, render_block
from reel_cli.features.recall.recall_answer import RecallAnswer, RecallRequest, as_lived
from reel_cli.features.recall.recall_query import Scope

if TYPE_CHECKING:
    from reel_cli.core.values.memory import IndexLine
    from reel_cli.features.recall.recall import Recollection

MOST = 3
"""Maximum number of moments that come to mind at once."""
LEAST_WORDS = 2
"""Words of a question that a moment must contain to come to mind by itself."""
_SENTENCE = late(rf"[^.!…\n;。！{MARKS}]+[.!…;。！{MARKS}]*")


def find_questions(text: str) -> str:
    """Return the questions in a turn, on one line; "" if there are none.

    Only a question looks for something by itself: what is merely told resembles the past nearly always.
    """
    asked = (" ".join(one.split()) for one in _SENTENCE.findall(text) if is_question(one))
    return " ".join(asked).strip(f" !！{MARKS}")


def come_to_mind(  # noqa: PLR0913 (what was said, and the bounds of what may be told)
    recollection: "Recollection",
    text: str,
    named: Iterable["IndexLine"],
    *,
    tokens: int,
    count: Callable[[str], int],
    before: str = "",
) -> Sequence[RecallAnswer]:
    """Return the moments recalled for a turn: by phrases of the index in it, and by its questions.

    All of it takes at most so many `tokens`. `before` is the session that goes on, which the model sees in
    any case.
    """
    found: list[RecallAnswer] = []
    told: list[Moment] = []
    asked = find_questions(text)
    for cue, by_phrase in [*((line.anchor, True) for line in named), *([(asked, False)] if asked else [])]:
        left = tokens - count(render_block(told)) if told else tokens
        if left <= 0 or len(told) >= MOST:
            break
        answer = look_up(recollection, cue, tokens=left, before=before)
        known = {(moment.session, moment.message) for moment in told}
        fresh = [
            moment
            for moment in answer.moments
            if (moment.session, moment.message) not in known
            and (by_phrase or len(moment.hit.terms) >= LEAST_WORDS)
        ][: MOST - len(told)]
        if fresh and count(render_block([*told, *fresh])) <= tokens:
            told += fresh
            found.append(recollection.only(answer, *fresh))
    return found


def look_up(recollection: "Recollection", query: str, *, tokens: int, before: str = "") -> RecallAnswer:
    """Return the moments that are certain enough, within so many tokens, from before a session began."""
    scope = Scope(until=before) if before in recollection.standing else Scope()
    wish = RecallRequest(limit=MOST, tokens=tokens, scope=scope, asker="assistant")
    return as_lived(recollection.recall(query, wish))
