"""The server of the page: a socket on this machine, its address, and how it ends."""

import gc
import logging
import socket
from importlib.util import find_spec
from threading import Event
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.features.serve.gate import KEY, Gate, make_token

if TYPE_CHECKING:
    from types import FrameType

    from reel_cli.terminal.open_kit import OpenKit

HOST = "127.0.0.1"
_NEEDED = ("starlette", "uvicorn", "multipart")


def require_extra() -> None:
    """Raise ReelError where the packages that `reel serve` needs are not installed."""
    if any(find_spec(name) is None for name in _NEEDED):
        message = "The page in the browser needs three small packages more."
        raise ReelError(message, hint="in the folder of this project:  pipx install --force '.[web]'")


def run_server(opened: "OpenKit", port: int, *, opens: bool, read_only: bool) -> None:
    """Serve the kit's page until it is stopped; ReelError where the port is taken."""
    import uvicorn

    from reel_cli.features.serve.site import make_site

    # a server lives longer than a command, and gives back what pages leave behind sooner
    gc.set_threshold(50_000, 20, 20)
    console = opened.console
    taken = _bind(port)
    token = make_token()
    number = taken.getsockname()[1]
    ending = Event()
    site = make_site(opened.context, read_only=read_only, ending=ending)
    app = Gate(site, number, token, read_only=read_only)
    address = f"http://{HOST}:{number}/?{KEY}={token}"
    settings = opened.snapshot.settings
    console.say(f"{settings.name}'s page is at the address below, until you press Ctrl-C here.")
    console.result(address)
    if opens and console.interactive:
        import webbrowser

        webbrowser.open(address)
    config = uvicorn.Config(
        app, log_config=None, access_log=False, lifespan="off", ws="none", server_header=False
    )

    class PageServer(uvicorn.Server):
        def handle_exit(self, sig: int, frame: "FrameType | None") -> None:
            ending.set()
            # of an answer that is broken off, its traceback tells a person nothing
            logging.getLogger("uvicorn.error").disabled = True
            super().handle_exit(sig, frame)

    server = PageServer(config)
    # a command that is not done does not keep the program from ending
    server.config.timeout_graceful_shutdown = 2
    with taken:
        server.run(sockets=[taken])
    console.say("The page is closed; nothing of it stays.")


def _bind(port: int) -> socket.socket:
    made = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
    made.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        made.bind((HOST, port))
        # a browser that comes before the server is ready waits
        made.listen()
    except OSError as error:
        made.close()
        message = f"Port {port} cannot be used: {error.strerror or error}."
        raise ReelError(message, hint="take a free one:  reel serve") from None
    return made
