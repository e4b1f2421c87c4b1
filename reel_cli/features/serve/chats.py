"""The list of chats: each to read, and to take back where it was recorded by mistake."""

from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.source import SESSION_ID
from reel_cli.features.serve.commands import Answer
from reel_cli.features.serve.page_maker import NOTHING, Reverse, read_form

if TYPE_CHECKING:
    from collections.abc import Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from reel_cli.features.serve.page_maker import PageMaker
    from reel_cli.features.serve.reading import ServedKit


BACK = Reverse("Take it back", action="/chats/back")
AGAIN = Reverse("Count it again", action="/chats/again")


@frozen
class ListedChat:
    """A recorded chat in the list; one that was `taken_back` does not count."""

    name: str
    title: str
    taken_back: bool

    @property
    def year(self) -> str:
        """Return the year of its day."""
        return self.name[:4]

    @property
    def day(self) -> str:
        """Return its day in words."""
        return day_in_words(date.fromisoformat(self.name[:10]))


class ChatPages:
    """The list of chats, and what its buttons do."""

    def __init__(self, make: "PageMaker") -> None:
        """Answer with pages that `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[BaseRoute]":
        """Return the paths of the list."""
        from starlette.routing import Route

        return [
            Route("/chats", self.show),
            Route("/chats/back", self.take_back, methods=["POST"]),
            Route("/chats/again", self.count_again, methods=["POST"]),
        ]

    def show(self, _: "Request") -> "Response":
        """List the chats, the newest first."""
        return self._make.answer(lambda kit: self._make.page(kit, "chats.html", chats=_list_chats(kit)))

    async def take_back(self, request: "Request") -> "Response":
        """Take a chat back: it stays on the tape and no longer counts."""
        return await self._retract(request, AGAIN)

    async def count_again(self, request: "Request") -> "Response":
        """Let a chat that was taken back count again."""
        return await self._retract(request, BACK, "--undo")

    async def _retract(self, request: "Request", reverse: Reverse, *options: str) -> "Response":
        form = await read_form(request)
        name = str(form.get("what", ""))

        def write() -> Answer:
            if not SESSION_ID.fullmatch(name):
                return Answer(2, "", NOTHING)
            return self._make.run(["tape", "retract", name, "--yes", *options])

        def tell(kit: "ServedKit", done: Answer) -> "Response":
            # an undo takes nothing back that was only noted on the tape
            return self._make.done_page(kit, done, "/chats", replace(reverse, what=name))

        return await self._make.write(form, write, tell)


def _list_chats(kit: "ServedKit") -> "Sequence[ListedChat]":
    gone = kit.taken_back
    return [ListedChat(name, title, name in gone) for name, title in kit.list_chats()]
