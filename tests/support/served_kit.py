"""A kit whose page is served inside the test's own process, and a browser that clicks on it."""

import asyncio
import socket
import threading
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.support.cli import Reel, git
from tests.support.seen_page import Seen, see

if TYPE_CHECKING:
    from starlette.types import ASGIApp

    from reel_cli.features.serve.commands import Answer

TOKEN = "the-token-of-this-test"  # noqa: S105 (of the tests alone)
PORT = 40_000


@contextmanager
def serve_kit(kit: Path, *, read_only: bool = False) -> Iterator[int]:
    """Serve a kit on a port of this machine, to whoever comes with `TOKEN` first."""
    import uvicorn

    ending = threading.Event()
    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        port = bound.getsockname()[1]
        config = uvicorn.Config(
            make_app(kit, port, read_only=read_only, ending=ending),
            log_config=None,
            lifespan="off",
            ws="none",
        )
        server = uvicorn.Server(config)
        # an open browser keeps its connections
        config.timeout_graceful_shutdown = 1
        running = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        running.start()
        try:
            yield port
        finally:
            ending.set()
            server.should_exit = True
            running.join()


def make_app(
    kit: Path, port: int = PORT, *, read_only: bool = False, ending: threading.Event | None = None
) -> "ASGIApp":
    """The application as `reel serve` makes it, without a server."""
    from reel_cli.features.serve.gate import Gate
    from reel_cli.features.serve.site import make_site

    site = make_site(Context(kit, Console()), read_only=read_only, ending=ending)
    return Gate(site, port, TOKEN, read_only=read_only)


def click_in_process(reel: Reel) -> None:
    """Let each click of the page run its command in this process: it takes a tenth of the time."""
    from reel_cli.features.serve import page_maker
    from reel_cli.features.serve.commands import Answer

    def run(root: Path, arguments: Sequence[str], given: str = "") -> "Answer":
        done = reel("--kit", root, *arguments, cwd=root, stdin=given.encode("utf-8", "replace"))
        return Answer(done.code, done.out, done.err)

    reel.monkeypatch.setattr(page_maker, "run_command", run)


@dataclass
class PageAnswer:
    """One answer of the page."""

    status: int
    text: str
    headers: dict[str, str]
    pieces: Sequence[str] = ()
    """The text as it was sent, piece by piece."""
    data: bytes = b""

    @property
    def seen(self) -> Seen:
        return see(self.text)

    @property
    def words(self) -> str:
        return " ".join(self.seen.text.split())

    def form(self, action: str) -> dict[str, str]:
        """Return the fields of the first form with this action."""
        return read_form(self.text, action)


@dataclass
class Browser:
    """A browser that came by the printed address, and sends what browsers send."""

    app: "ASGIApp"
    kit: Path
    port: int = PORT
    cookie: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def ask(self, path: str, form: Mapping[str, str] | None = None, **headers: str) -> PageAnswer:
        """Open a path, or send a form to it; `headers` in place of the browser's own, with _ for -."""
        if form is None:
            return self._ask("GET", path, {}, [b""], headers)
        data = urlencode(form).encode()
        return self._ask("POST", path, {"content-length": str(len(data))}, [data], headers)

    def bring(self, path: str, name: str, data: bytes, **form: str) -> PageAnswer:
        """Fill in a form of the page as it is now, with a file of this name, and send it."""
        fields = {"tip": git(self.kit, "rev-parse", "HEAD").strip(), **form}
        told = [
            f'--x\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n' for k, v in fields.items()
        ]
        told.append(f'--x\r\nContent-Disposition: form-data; name="file"; filename="{name}"\r\n\r\n')
        body = "".join(told).encode() + data + b"\r\n--x--\r\n"
        sent = {"content-length": str(len(body))}
        return self._ask("POST", path, sent, [body], {"Content_Type": "multipart/form-data; boundary=x"})

    def ask_in_pieces(self, path: str, *pieces: bytes) -> PageAnswer:
        """Send a form in pieces, without saying how long it is."""
        return self._ask("POST", path, {}, pieces, {})

    def _ask(
        self,
        method: str,
        path: str,
        more: Mapping[str, str],
        pieces: Sequence[bytes],
        headers: Mapping[str, str],
    ) -> PageAnswer:
        host = f"127.0.0.1:{self.port}"
        sent = {"host": host, **({"cookie": self.cookie} if self.cookie else {}), **more}
        if method == "POST":
            sent |= {
                "origin": f"http://{host}",
                "sec-fetch-site": "same-origin",
                "content-type": "application/x-www-form-urlencoded",
            }
        sent |= {name.replace("_", "-").lower(): value for name, value in headers.items()}
        return asyncio.run(self._exchange(method, path, sent, pieces))

    async def _exchange(
        self, method: str, path: str, sent: Mapping[str, str], pieces: Sequence[bytes]
    ) -> PageAnswer:
        from urllib.parse import unquote

        plain, _, query = path.partition("?")
        scope: dict[str, Any] = {
            "type": "http", "asgi": {"version": "3.0", "spec_version": "2.4"}, "http_version": "1.1",
            "method": method, "scheme": "http", "path": unquote(plain), "raw_path": plain.encode(),
            "root_path": "", "query_string": query.encode(), "client": ("127.0.0.1", 1), "server": None,
            "headers": [(name.encode(), value.encode("latin-1")) for name, value in sent.items() if value],
        }  # fmt: skip
        left = [
            {"type": "http.request", "body": piece, "more_body": at < len(pieces) - 1}
            for at, piece in enumerate(pieces)
        ]
        said: list[Any] = []
        over = asyncio.Event()

        async def receive() -> Any:
            if left:
                return left.pop(0)
            await over.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            said.append(message)

        try:
            await self.app(scope, receive, send)
        finally:
            over.set()
        head, *bodies = said
        parts = [one.get("body", b"") for one in bodies]
        names = {name.decode(): value.decode("latin-1") for name, value in head["headers"]}
        data = b"".join(parts)
        texts = [part.decode("utf-8", "replace") for part in parts]
        return PageAnswer(head["status"], data.decode("utf-8", "replace"), names, texts, data)

    def enter(self) -> None:
        """Open the printed address."""
        done = self.ask(f"/?key={TOKEN}")
        assert done.status == 303
        self.cookie = done.headers["set-cookie"].partition(";")[0]

    def send(self, path: str, **form: str) -> PageAnswer:
        """Fill in a form of the page as it is now, and send it."""
        return self.ask(path, {"tip": git(self.kit, "rev-parse", "HEAD").strip(), **form})


def open_browser(kit: Path, *, read_only: bool = False) -> Browser:
    """A browser that entered the page of a kit."""
    browser = Browser(make_app(kit, read_only=read_only), kit)
    browser.enter()
    return browser


def read_form(html: str, action: str) -> dict[str, str]:
    """Return the fields that the first form of a page with this action sends as it is."""
    inside = html.partition(f'action="{action}')[2].partition("</form>")[0]
    assert inside, action
    found: dict[str, str] = {}
    seen = see(f"<form {inside}")
    for tag, attrs in seen.elements:
        name = attrs.get("name")
        if tag != "input" or name is None:
            continue
        if attrs.get("type") != "checkbox" or "checked" in attrs:
            found[name] = attrs.get("value") or ""
    return found | {name: text.removeprefix("\n") for name, text in seen.boxes.items()}
