"""The pages of a kit asked for in the test's own process, without a socket and without the door."""

import asyncio
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.support.seen_page import Seen, see

if TYPE_CHECKING:
    from collections.abc import MutableMapping


@dataclass
class Shown:
    """A page: its status and its text."""

    status: int
    text: str

    @property
    def seen(self) -> Seen:
        return see(self.text)

    @property
    def words(self) -> str:
        return " ".join(self.seen.text.split())


class SiteInProcess:
    """The pages of a kit, as its browser is given them."""

    def __init__(self, kit: Path, *, read_only: bool = False) -> None:
        from reel_cli.features.serve.site import make_site

        self._app = make_site(Context(kit, Console()), read_only=read_only)

    def ask(self, path: str, form: dict[str, str] | None = None) -> Shown:
        """Open a path, or send a form to it."""
        return asyncio.run(self._ask(path, form))

    def send(self, path: str, **form: str) -> Shown:
        """Send a form of the page as it is now."""
        return self.ask(path, {"tip": self.ask("/tip").text, **form})

    async def _ask(self, path: str, form: dict[str, str] | None) -> Shown:
        place, _, query = path.partition("?")
        scope: dict[str, Any] = {
            "type": "http",
            "method": "GET" if form is None else "POST",
            "path": place,
            "raw_path": place.encode(),
            "query_string": query.encode(),
            "headers": [] if form is None else [(b"content-type", b"application/x-www-form-urlencoded")],
        }
        sent: list[MutableMapping[str, Any]] = []

        async def receive() -> "MutableMapping[str, Any]":
            return {"type": "http.request", "body": urlencode(form or {}).encode(), "more_body": False}

        async def send(message: "MutableMapping[str, Any]") -> None:
            sent.append(message)

        await self._app(scope, receive, send)
        body = b"".join(one.get("body", b"") for one in sent)
        return Shown(sent[0]["status"], body.decode())
