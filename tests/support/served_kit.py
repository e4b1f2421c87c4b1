"""A kit whose page is served inside the test's own process."""

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context

TOKEN = "the-token-of-this-test"  # noqa: S105 (of the tests alone)


@contextmanager
def serve_kit(kit: Path, *, read_only: bool = False) -> Iterator[int]:
    """Serve a kit on a port of this machine, to whoever comes with `TOKEN` first."""
    import uvicorn

    from reel_cli.features.serve.gate import Gate
    from reel_cli.features.serve.site import make_site

    with socket.socket() as bound:
        bound.bind(("127.0.0.1", 0))
        bound.listen()
        port = bound.getsockname()[1]
        app = Gate(make_site(Context(kit, Console()), read_only=read_only), port, TOKEN, read_only=read_only)
        config = uvicorn.Config(app, log_config=None, lifespan="off", ws="none")
        server = uvicorn.Server(config)
        # an open browser keeps its connections
        config.timeout_graceful_shutdown = 1
        running = threading.Thread(target=server.run, kwargs={"sockets": [bound]})
        running.start()
        try:
            yield port
        finally:
            server.should_exit = True
            running.join()
