"""Moments that a question finds, each as it stands in its chat, with the matches marked."""

import re
from typing import TYPE_CHECKING, Any

from reel_cli.core.frozen import frozen
from reel_cli.core.values.source import SourceRange
from reel_cli.terminal.plain_text import harmless

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from markupsafe import Markup

    from reel_cli.features.serve.reading import ServedKit
    from reel_cli.features.view.kit_page import ShownChat, ShownMessage

MOST = 5
"""Number of moments shown."""
_WORDS = re.compile(r"(\w+)")


@frozen
class FoundMoment:
    """A moment: its chat's title and day, the link there, and its messages; `text` is all of it, to copy.

    One that is not in a chat has the text alone.
    """

    text: str
    title: str = ""
    day: str = ""
    link: str = ""
    messages: "Sequence[ShownMessage]" = ()


@frozen
class Findings:
    """The answer to a question: the fact that answers it, the moments, and what always holds.

    `strong` tells of a word whether it was searched for and found, `said` is what the command said beside.
    """

    known: str
    moments: "Sequence[FoundMoment]"
    standing: "Sequence[str]"
    strong: "Callable[[str], bool]"
    said: str


def ask_kit(kit: "ServedKit", asked: str, *, noted: bool) -> "tuple[Mapping[str, Any], str]":
    """Return what `reel recall --json --explain` answers, and what was wrong on the way.

    What is found is `noted` as recalled, as by that command.
    """
    from reel_cli.features.recall.command import answer_json
    from reel_cli.features.recall.open_recollection import note_recalls, open_recollection
    from reel_cli.features.recall.recall_answer import RecallRequest

    opened = kit.opened
    wish = RecallRequest(
        limit=MOST, nearest=True, apart=True, resume=True, today=opened.now().date(), asker="user"
    )
    with open_recollection(opened) as recollection:
        found = recollection.recall(asked, wish)
        if noted:
            note_recalls(opened, recollection, [found], asked=True)
    return answer_json(found, explain=True), " ".join(recollection.told)


def read_findings(kit: "ServedKit", told: "Mapping[str, Any]", said: str) -> Findings:
    """Return an answer with its moments as they stand in their chats."""
    from reel_cli.core.kit.known_facts import tell_to_person
    from reel_cli.core.tape.search.forms import match_words

    chats: dict[str, ShownChat | None] = {}
    moments = [_read_moment(kit, hit, chats) for hit in told["hits"]]
    terms = (word for hit in told["hits"] for term in hit["terms"] for word in term.split())
    fact = told["known"] or told["over"]
    known = tell_to_person(kit.opened.snapshot, fact["text"]) if fact else ""
    standing = [one["text"] for one in told["standing"]]
    return Findings(known, moments, standing, match_words(terms), "" if moments else said)


def _read_moment(
    kit: "ServedKit", hit: "Mapping[str, Any]", chats: "dict[str, ShownChat | None]"
) -> FoundMoment:
    name, span = hit["session"], hit["span"]
    if not name or not span:
        return FoundMoment(hit["text"])
    chat = chats[name] if name in chats else chats.setdefault(name, kit.read_chat(name))
    if chat is None:
        return FoundMoment(hit["text"])
    first, last = span
    messages = [one for one in chat.messages if first <= one.number <= last]
    return FoundMoment(
        hit["text"], chat.title, chat.day, kit.address_of(SourceRange(name, first, last)), messages
    )


def mark_matches(text: str, strong: "Callable[[str], bool]") -> "Markup":
    """Return a text as HTML, with the words that are `strong` marked."""
    from markupsafe import Markup, escape

    pieces = _WORDS.split(harmless(text))
    return Markup().join(
        Markup("<mark>{}</mark>").format(piece) if number % 2 and strong(piece) else escape(piece)
        for number, piece in enumerate(pieces)
    )
