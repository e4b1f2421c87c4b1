"""Detection of a reply to another prompt: it has that prompt's headings, and none of its own."""

import re
from collections.abc import Sequence
from functools import cache

from reel_cli.core.exchange.schema import COMBINED, Schema
from reel_cli.core.ports import bring

_WITHOUT_SCHEMA = ("What does not hold", "What must stay")
_GIST, _BESIDE_IT = "Gist", ("Title", "Summary")
"""The headings of a summary: one of them alone may stand in any page."""
_LONGEST = 80
_DRESS = re.compile(r"^[\s>#*_\[\"'{<-]*(?:\d{1,2}[.)][ \t]*)?[*_]*")
_ONE_WORD = re.compile(r"\w+")


def find_others_heading(reply: str, own: Schema) -> str:
    """Return the first heading that only another prompt asks for; "" if the reply has one of its own.

    A heading counts as it is asked for, in any dress; what models put in its place tells nothing.
    """
    found = find_headings(reply, [spec.label for spec in own.fields])
    return found[0] if found else ""


def find_headings(reply: str, own: Sequence[str] = ()) -> list[str]:
    """Return the headings of the reply that other prompts ask for, each once; none where one is `own`."""
    mine = set(map(_fold, own))
    asked = [
        spec.label for schema in _schemas() for spec in schema.asked if not _ONE_WORD.fullmatch(spec.label)
    ]
    others = {_fold(label): label for label in (*asked, *_WITHOUT_SCHEMA)}
    pages = {_fold(label): label for label in (_GIST, *_BESIDE_IT)}
    found: dict[str, None] = {}
    page: dict[str, None] = {}
    for line in reply.splitlines():
        head = _fold(_DRESS.sub("", line[: _LONGEST * 2]).partition(":")[0])
        if head in mine:
            return []
        if head in others:
            found[others[head]] = None
        elif head in pages:
            page[pages[head]] = None
    return [*found, *(page if _GIST in page and len(page) > 1 else ())]


@cache
def _schemas() -> Sequence[Schema]:
    """Return the schema of every prompt's reply."""
    return (COMBINED, *bring("answers"))


def tell_other(heading: str) -> str:
    """Return the sentence that refuses a reply for a heading nobody asked for."""
    return f"That answers another prompt: nobody asked here for “{heading}”."


def _fold(text: str) -> str:
    return re.sub(r"\W|_", "", text).casefold() if len(text) <= _LONGEST else ""
