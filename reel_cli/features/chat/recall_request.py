"""Requests by which a persona recalls a moment while it answers: a line `Recall: the wrong train`.

REEL §6.4: the model says what it wants to remember, it is looked for, and is gone again once it has answered.
"""

import re
from dataclasses import dataclass

from reel_cli.core.frozen import late
from reel_cli.core.values.change import one_line
from reel_cli.features.recall.moments import REQUEST as LABEL

NOTE = (
    "In this conversation you need not ask for the rest of a memory. Answer with one line,"
    f" `{LABEL}:` and a few words of the moment, and nothing else; what comes back is shown to you, and then"
    " you answer. Most answers need none."
)
NOTHING = "[Nothing comes back that is certain enough. Answer without it.]"
ABOVE = "[That came back already and stands above. Answer with it.]"
NO_MORE = "[That is all there is before you answer. Say it with what you have.]"
LONGEST = 200
"""Characters above which a line is ordinary talk, not a request."""

_MARKS = " \t*_`\"'“”[]()<>#>-"
_OPENS = r"[\s*_`\"'“\[(<>#-]*"
_LINE = late(rf"{_OPENS}{LABEL}[*_` \t]*[:：][ \t]*(.+)", re.IGNORECASE)
_BEGUN = "|".join(LABEL[:end] for end in range(len(LABEL), 0, -1))
_BEGINNING = late(rf"{_OPENS}(?:{_BEGUN})?[*_` \t]*", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Request:
    """The part of a reply that was said, and the query after it."""

    said: str
    query: str


def find_request(reply: str) -> Request | None:
    """Return the first moment that a reply asks for, in a line of its own; None where it asks for none.

    What stands behind that line is a guess at the past, and is not kept.
    """
    lines = reply.strip().split("\n")
    for at, line in enumerate(lines):
        found = _LINE.fullmatch(line.rstrip()) if len(line) <= LONGEST else None
        query = one_line(found[1].strip(_MARKS)) if found else ""
        if query:
            return Request("\n".join(lines[:at]).rstrip(), query)
    return None


def may_become_request(beginning: str) -> bool:
    """Return whether the reply so far may be a request for a moment in its first line."""
    text = beginning.lstrip()
    first, line_end, _ = text.partition("\n")
    if line_end or len(first) > LONGEST:
        return bool(_LINE.fullmatch(first.rstrip()))
    return bool(_BEGINNING.fullmatch(text) or _LINE.match(f"{text}-"))
