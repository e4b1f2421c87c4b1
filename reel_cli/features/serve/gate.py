"""The door of the page: this machine alone, one browser, and writes only from the page itself.

Web pages have reached local servers by giving their own name this machine's address, and have sent forms to
them. So the name that was asked for, the token, and where a write comes from are each looked at.
"""

import re
import secrets
from hmac import compare_digest
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Mapping

    from starlette.types import ASGIApp, Message, Receive, Scope, Send

COOKIE = "reel"
KEY = "key"
"""The name of the token in the address that is printed."""
USED = (
    "Open the address that reel serve printed. It works once, in one browser: if that one is gone, press"
    " Ctrl-C where reel serve runs, and start it again."
)
"""The answer to a browser that has neither the token nor the cookie."""
READING = ("GET", "HEAD")
MOST_BYTES = 64 << 20
"""Bytes of a request above which it is refused: an export of all chats has room."""
POLICY = (
    "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; "
    "form-action 'self'; frame-ancestors 'none'; base-uri 'none'"
)
HEADERS = {
    "Content-Security-Policy": POLICY,
    "X-Content-Type-Options": "nosniff",
    # nothing goes to another site; under "no-referrer" browsers send `Origin: null` with the page's own forms
    "Referrer-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
}


@frozen
class Refusal:
    """A request that is not answered: the status, and a sentence for whoever is at the browser."""

    status: int
    words: str


def make_token() -> str:
    """Return a token that nobody can guess."""
    return secrets.token_urlsafe(32)


class Gate:
    """An application that only the browser reaches that was given the printed address.

    The token in that address works once: it becomes a cookie that scripts cannot read and other sites do not
    send, under another value.
    """

    def __init__(self, app: "ASGIApp", port: int, token: str, *, read_only: bool = False) -> None:
        """Let requests through to `app` that name this machine and `port`."""
        self._app = app
        self._hosts = {f"127.0.0.1:{port}", f"localhost:{port}"}
        self._token = token
        # browsers send the cookies of one port to all others, and those of one name replace each other
        self._name = f"{COOKIE}-{port}"
        self._cookie = make_token()
        self._read_only = read_only

    async def __call__(self, scope: "Scope", receive: "Receive", send: "Send") -> None:
        """Answer one request."""
        if scope["type"] != "http":
            # of lifespan and web sockets there is nothing here
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        refusal = self._find_refusal(scope["method"], headers)
        if refusal is not None:
            await _answer(send, refusal.status, refusal.words)
            return
        if self._is_known(headers):
            await self._app(scope, _limited(receive), _with_headers(send))
            return
        if self._token and compare_digest(_key_of(scope["query_string"].decode("latin-1")), self._token):
            self._token = ""
            cookie = f"{self._name}={self._cookie}; HttpOnly; SameSite=Strict; Path=/"
            await _answer(send, 303, "", {"Set-Cookie": cookie, "Location": "/"})
            return
        await _answer(send, 403, USED)

    def _find_refusal(self, method: str, headers: "Mapping[str, str]") -> Refusal | None:
        """Return why a request is refused whoever sends it; None for none."""
        if headers.get("host") not in self._hosts:
            return Refusal(421, "This page answers under its own address alone.")
        site = headers.get("sec-fetch-site", "none")
        if method in READING:
            return None
        if method != "POST":
            return Refusal(405, "This cannot be done here.")
        if self._read_only:
            return Refusal(403, "This page was opened to look at alone (--read-only).")
        origin = headers.get("origin", "")
        if origin.removeprefix("http://") not in self._hosts or site not in ("same-origin", "none"):
            return Refusal(403, "Only the page itself can change something.")
        length = re.fullmatch(r"[0-9]{1,12}", headers.get("content-length", "0"))
        if length is None or int(length[0]) > MOST_BYTES:
            return Refusal(413, "That is too long.")
        return None

    def _is_known(self, headers: "Mapping[str, str]") -> bool:
        # cookies of other programs on this machine come along, of whatever form
        pairs = (pair.strip().partition("=") for pair in headers.get("cookie", "").split(";"))
        return any(
            name == self._name and compare_digest(value.encode(), self._cookie.encode())
            for name, _, value in pairs
        )


def _key_of(query: str) -> str:
    from urllib.parse import parse_qs

    return parse_qs(query).get(KEY, [""])[0].encode("ascii", "replace").decode()


def _limited(receive: "Receive") -> "Receive":
    """Return a reader that ends a request longer than it may be, whatever its header said."""
    size = 0

    async def read() -> "Message":
        nonlocal size
        message = await receive()
        size += len(message.get("body", b""))
        return {"type": "http.disconnect"} if size > MOST_BYTES else message

    return read


def _with_headers(send: "Send") -> "Send":
    """Return a sender that adds to each answer what keeps a page to itself."""

    async def write(message: "Message") -> None:
        if message["type"] == "http.response.start":
            added = [(name.lower().encode(), value.encode()) for name, value in HEADERS.items()]
            message = {**message, "headers": [*message["headers"], *added]}
        await send(message)

    return write


async def _answer(send: "Send", status: int, words: str, more: "Mapping[str, str] | None" = None) -> None:
    body = words.encode()
    headers = {"Content-Type": "text/plain; charset=utf-8", "Content-Length": str(len(body)), **HEADERS}
    told = [(name.lower().encode(), value.encode()) for name, value in {**headers, **(more or {})}.items()]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})
