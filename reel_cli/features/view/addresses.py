"""Addresses of chats and messages on the page."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.view.kit_page import ShownChat


class Addresses:
    """The places on the page that something can lead to."""

    def __init__(self, chats: "Iterable[ShownChat]") -> None:
        """Note where each chat and each message stands."""
        self._known: set[str] = set()
        for chat in chats:
            self._known.add(chat.id)
            self._known.update(address_of(chat.id, said.number) for said in chat.messages)

    def find(self, span: "SourceRange") -> str:
        """Return the address at which a stretch begins, else that of its chat; "" where it is not shown."""
        exact = address_of(span.session, max(1, span.first))
        return exact if exact in self._known else span.session if span.session in self._known else ""


def address_of(session: str, number: int) -> str:
    """Return the address of a message; the first one of a chat is reached by the chat's own."""
    return f"{session}-{number}" if number > 1 else session
