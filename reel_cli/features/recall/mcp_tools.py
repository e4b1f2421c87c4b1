"""The tool by which a model recalls."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reel_cli.core.exchange.tool import Argument, Tool

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

USUAL_TOKENS, MOST_TOKENS = 1_200, 8_000
"""Tokens of a recall by default, and at most."""


def recall(opened: "OpenKit", given: Mapping[str, Any]) -> str:
    """Return moments of the past, told as one remembers them, within a budget."""
    from reel_cli.features.recall.open_recollection import note_recalls, open_recollection, tell_troubles
    from reel_cli.features.recall.recall_answer import RecallRequest

    wish = RecallRequest(
        limit=given.get("limit"),
        tokens=given.get("tokens", USUAL_TOKENS),
        today=opened.now().date(),
        resume=True,
    )
    with open_recollection(opened) as recollection:
        found = recollection.recall(" ".join(given["query"].split()), wish)
        tell_troubles(opened, recollection.told)
        note_recalls(opened, recollection, [found])
    if found.text:
        return found.text
    if found.left:
        return "What comes to mind does not fit into so few tokens."
    return "Nothing comes to mind that is certain enough."


TOOLS = (
    Tool(
        10,
        "recall",
        "Recall",
        "Remember moments of earlier conversations that have to do with a question or a few words.",
        (
            Argument("query", "string", "What to remember, in plain words.", 2_000, required=True),
            Argument("limit", "integer", "At most so many moments.", 50),
            Argument("tokens", "integer", f"At most so many tokens; else {USUAL_TOKENS:,}.", MOST_TOKENS),
        ),
        recall,
        writes=False,
    ),
)
