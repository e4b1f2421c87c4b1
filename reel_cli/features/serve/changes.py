"""Word to an open page that the kit changed elsewhere, as a server-sent event."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.repository import find_repository

if TYPE_CHECKING:
    from collections.abc import AsyncIterator, Sequence

    from starlette.requests import Request
    from starlette.responses import Response
    from starlette.routing import BaseRoute

    from reel_cli.features.serve.page_maker import PageMaker

PAUSE = 0.5
"""Seconds between two looks, at which two small files are read; Ctrl-C waits as long at most."""


class ChangePages:
    """The one address that an open page listens at."""

    def __init__(self, make: "PageMaker") -> None:
        """Tell of the kit whose pages `make` makes."""
        self._make = make

    def list_routes(self) -> "Sequence[BaseRoute]":
        """Return its path."""
        from starlette.routing import Route

        return [Route("/changes", self.tell)]

    async def tell(self, request: "Request") -> "Response":
        """Answer with an event once the kit is at another commit than the page shows, and end then."""
        from starlette.responses import StreamingResponse

        return StreamingResponse(self._wait(request), media_type="text/event-stream")

    async def _wait(self, request: "Request") -> "AsyncIterator[str]":
        shown = request.query_params.get("tip", "")
        # the browser is told at once that it is connected
        yield ": waiting\n\n"
        while not (self._make.ending.is_set() or await request.is_disconnected()):
            tip = self._read_tip(shown)
            if tip != shown:
                yield f"data: {tip}\n\n"
                return
            await pause()

    def _read_tip(self, shown: str) -> str:
        try:
            repository = find_repository(self._make.root)
            return (repository.head() or "") if repository is not None else ""
        except ReelError:
            # in the middle of a write; the next look finds it whole
            return shown


async def pause() -> None:
    """Wait for the next look."""
    from anyio import sleep

    await sleep(PAUSE)
