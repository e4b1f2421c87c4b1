"""Whether a reply is the answer to another prompt: it has that one's headings, and none of its own."""

import re

from reel_cli.exchange.dreaming import DREAM
from reel_cli.exchange.regrounding import REGROUND
from reel_cli.exchange.schema import COMBINED, Schema
from reel_cli.exchange.shared_context import CONTEXT
from reel_cli.exchange.sifting import SIFT_WITH_ROWS
from reel_cli.exchange.told_facts import FACTS

_ALL = (COMBINED, CONTEXT, DREAM, REGROUND, SIFT_WITH_ROWS, FACTS)
_LONGEST = 80
_DRESS = re.compile(r"^[\s>#*_\[\"'{<-]*(?:\d{1,2}[.)][ \t]*)?[*_]*")
_ONE_WORD = re.compile(r"\w+")


def find_others_heading(reply: str, own: Schema) -> str:
    """The first heading of the reply that only another prompt asks for; "" where it has one of its own.

    A heading counts as it is asked for, in any dress; what models put in its place tells nothing.
    """
    mine = {_fold(spec.label) for spec in own.fields}
    others = {
        _fold(spec.label): spec.label
        for schema in _ALL
        for spec in schema.asked
        if not _ONE_WORD.fullmatch(spec.label)
    }
    found = ""
    for line in reply.splitlines():
        head = _fold(_DRESS.sub("", line[: _LONGEST * 2]).partition(":")[0])
        if head in mine:
            return ""
        found = found or others.get(head, "")
    return found


def _fold(text: str) -> str:
    return re.sub(r"\W|_", "", text).casefold() if len(text) <= _LONGEST else ""
