"""The tools by which a model recalls, and proposes an exchange as an example."""

from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.tool import Argument, HandIn, Tool, ToolAnswer
from reel_cli.features.recall.recall_query import ORIGINS, Scope

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

PROMOTE = "promote"
SEARCHED = 20
"""Number of newest sessions searched for the words of an example."""
USUAL_TOKENS, MOST_TOKENS = 1_200, 8_000
"""Tokens of a recall by default, and at most."""
_PLACE: Mapping[str, Any] = {
    "session": {"type": ["string", "null"], "description": "The chat it was said in."},
    "message": {"type": ["integer", "null"], "description": "The message's number in it."},
    "text": {"type": "string"},
}
FOUND: Mapping[str, Any] = {
    "hits": {
        "type": "array",
        "description": "The moments told, the best chat first, each chat in order.",
        "items": {
            "type": "object",
            "properties": {
                **_PLACE,
                "span": {"type": ["array", "null"], "items": {"type": "integer"}},
                "speaker": {"type": ["string", "null"]},
                "time": {"type": ["string", "null"], "description": "ISO 8601."},
                "score": {"type": "number"},
                "confidence": {"type": "number"},
            },
            "required": ["text", "confidence"],
        },
    },
    "query": {"type": "string"},
    "known": {"type": ["object", "null"], "description": "The fact that answers by itself: id and text."},
    "over": {"type": ["object", "null"], "description": "The fact that answered until it was over."},
    "standing": {
        "type": "array",
        "description": "Sentences that hold always, if something is asked for.",
        "items": {"type": "object", "properties": _PLACE},
    },
    "discarded": {"type": "integer", "description": "How many were not certain enough."},
    "confidence": {"type": "number"},
    "left_out": {"type": "integer", "description": "How many had no room."},
    "unsure": {"type": "boolean", "description": "Always false: moments that are unsure are discarded."},
}
"""Fields of a recall's answer: those of `reel recall --json`."""


def recall(opened: "OpenKit", given: Mapping[str, Any]) -> ToolAnswer:
    """Return moments of the past, told as one remembers them, within a budget."""
    from reel_cli.features.recall.command import answer_json
    from reel_cli.features.recall.open_recollection import note_recalls, open_recollection, tell_troubles
    from reel_cli.features.recall.recall_answer import RecallRequest, as_lived

    wish = RecallRequest(
        limit=given.get("limit"),
        tokens=given.get("tokens", USUAL_TOKENS),
        today=opened.now().date(),
        resume=True,
        sure=True,
        scope=Scope(tag=given.get("tag", "").strip(), origin=given.get("origin", "")),
    )
    with open_recollection(opened) as recollection:
        found = recollection.recall(" ".join(given["query"].split()), wish)
        tell_troubles(opened, recollection.told)
        note_recalls(opened, recollection, [found], asked=True)
    found = as_lived(found)
    nothing = (
        "What comes to mind does not fit into so few tokens."
        if found.left
        else "Nothing comes to mind that is certain enough."
    )
    return ToolAnswer(found.text or nothing, answer_json(found))


def promote(opened: "OpenKit", given: Mapping[str, Any]) -> HandIn:
    """Propose the exchange in which something was said for the pool of examples; a person decides."""
    from reel_cli.core.evidence.phrases import Tape, find_claim
    from reel_cli.core.exchange.tool import make_proposal
    from reel_cli.core.tape.tape_view import read_session, standing_sessions
    from reel_cli.core.values.review import ReviewKind
    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.memory.exemplars import quote_tape
    from reel_cli.features.recall.promote_walk import exchange_around, usual_title

    snapshot, words = opened.snapshot, " ".join(given["words"].split())
    for session in [*reversed(standing_sessions(snapshot))][:SEARCHED]:
        found = find_claim(Tape(read_session(snapshot, session).shown()), words)
        if found is None:
            continue
        near = SourceRange(session, found.number, found.number)
        span = exchange_around(snapshot, near, found.number)
        draft = quote_tape(snapshot, span)
        if any(one.text.strip() == draft.text.strip() for one in snapshot.exemplars.values()):
            message = "This exchange is an example already."
            raise ReelError(message)
        made = make_proposal(PROMOTE, usual_title(snapshot, span), "", draft.text, opened.now())
        proposal = replace(
            made, kind=ReviewKind.EXEMPLAR, session=session, role="general", source=str(span),
            why=" ".join(given["why"].split()),
        )  # fmt: skip
        return HandIn(proposal, waits=" Nothing changes before that.")
    message = f"Those words were not said in the newest {SEARCHED} sessions."
    raise ReelError(message, hint="quote them as they were said")


TOOLS = (
    Tool(
        10,
        "recall",
        "Recall",
        "Remember moments of earlier conversations that have to do with a question or a few words.",
        (
            Argument("query", "string", "What to remember, in plain words.", 2_000, required=True),
            Argument(
                "origin", "string", "Only what came by way of STAGE or CHAIN.", 10, one_of=tuple(ORIGINS)
            ),
            Argument("tag", "string", "Only memories with this tag, like relational.", 80),
            Argument("limit", "integer", "At most so many moments.", 50),
            Argument("tokens", "integer", f"At most so many tokens; else {USUAL_TOKENS:,}.", MOST_TOKENS),
        ),
        recall,
        writes=False,
        gives=FOUND,
    ),
    Tool(
        26,
        PROMOTE,
        "Propose an example",
        "Propose an exchange in which you were most yourself as an example of how you sound. Quote a line of "
        "it exactly; whether it is kept is decided later.",
        (
            Argument("words", "string", "A line of it, as it was said.", 2_000, required=True),
            Argument("why", "string", "Why, in a sentence.", 300, required=True),
        ),
        promote,
    ),
)
