"""One question to one server: no proxy, no redirect, within a size and a time.

`http.client` knows neither proxies nor redirects, so what is sent goes to the address and nowhere else.
"""

import http.client
import json
import socket
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any, Final

from reel_cli.features.wire.address import Address
from reel_cli.features.wire.wire_error import WireError, find_too_long

CHUNK = 1 << 16
MOST_BYTES = 8 << 20
"""A body longer than this is no page; the server is not heard to its end."""
_MOST_WHY = 1 << 14
_PASSING: Final = frozenset({408, 409, 425, 429, 500, 502, 503, 504})
"""Status codes of errors that may pass in a moment."""
_LONGEST_TOLD = 200


@dataclass(frozen=True, slots=True)
class Patience:
    """The timeouts for a server, in seconds.

    `first` for the first word (a large prompt takes a processor long to read), `idle` between two, `whole`
    for all of it, `waits` before each further try, `longest_wait` where the server says how long.
    """

    connect: float = 10.0
    first: float = 1800.0
    idle: float = 300.0
    whole: float = 7200.0
    waits: tuple[float, ...] = (1.0, 4.0)
    longest_wait: float = 60.0
    sleep: Callable[[float], None] = time.sleep
    clock: Callable[[], float] = time.monotonic


class AnswerStream:
    """An answer as it comes in."""

    def __init__(
        self,
        response: http.client.HTTPResponse,
        sock: Any,  # noqa: ANN401
        patience: Patience,
        late: threading.Event,
    ) -> None:
        """Read `response`, whose socket is `sock`, within `patience`; `late` says that it was hung up on."""
        self._response, self._sock, self._patience, self._late = response, sock, patience, late
        self._until = patience.clock() + patience.whole
        self._size = 0
        self.is_stream = "event-stream" in (response.headers.get("Content-Type") or "").lower()

    def pieces(self) -> Iterator[bytes]:
        """Yield the body, piece by piece, however slowly it comes; raises WireError if it is endless."""
        while piece := self._response.read1(CHUNK):
            self._sock.settimeout(self._patience.idle)
            self._size += len(piece)
            if self._size > MOST_BYTES:
                message = f"its answer is longer than {MOST_BYTES >> 20} MB"
                raise WireError(message, final=True)
            yield piece
            if self._patience.clock() > self._until:
                raise _not_over(self._patience)
        if self._late.is_set():
            raise _not_over(self._patience)

    def whole(self) -> bytes:
        """Return all of the body."""
        return b"".join(self.pieces())


@contextmanager
def ask(
    address: Address, path: str, body: Mapping[str, Any] | None, key: str, patience: Patience
) -> Iterator[AnswerStream]:
    """Ask a server: GET, or POST where there is a `body`. WireError where it answers with no 200."""
    kind = http.client.HTTPSConnection if address.secure else http.client.HTTPConnection
    connection = kind(address.host, address.port, timeout=patience.connect)
    headers = {"Accept": "text/event-stream, application/json", "Connection": "close"}
    if key:
        headers["Authorization"] = f"Bearer {key}"
    data = None
    if body is not None:
        data = json.dumps(body).encode("ascii")
        headers["Content-Type"] = "application/json"
    late = threading.Event()
    watch = None
    try:
        connection.connect()
        sock = connection.sock
        sock.settimeout(patience.first)
        # a slow or endless header is not bounded by a timeout between two bytes
        watch = threading.Timer(patience.whole, _hang_up, (sock, late))
        watch.daemon = True
        watch.start()
        connection.request("GET" if data is None else "POST", path, data, headers)
        with connection.getresponse() as response:
            incoming = AnswerStream(response, sock, patience, late)
            if response.status != http.HTTPStatus.OK:
                raise _refused(response, incoming)
            yield incoming
    except WireError:
        raise
    except (OSError, http.client.HTTPException, ValueError) as error:
        if late.is_set():
            raise _not_over(patience) from None
        raise _trouble(error, address) from None
    finally:
        if watch is not None:
            watch.cancel()
        connection.close()


def _hang_up(sock: socket.socket, late: threading.Event) -> None:
    """End a connection whose time is over, so that whoever reads from it goes on."""
    late.set()
    with suppress(OSError):
        sock.shutdown(socket.SHUT_RDWR)


def _not_over(patience: Patience) -> WireError:
    return WireError(f"its answer took longer than {patience.whole:g} s")


def _trouble(error: Exception, address: Address) -> WireError:
    """Return the reason of a broken connection, in words that end a sentence."""
    if isinstance(error, TimeoutError):
        return WireError("it did not answer in time")
    if isinstance(error, ConnectionResetError | BrokenPipeError):
        return WireError("what it sent broke off", passing=True)
    if isinstance(error, ssl.SSLError):
        return WireError("its certificate cannot be trusted")
    if isinstance(error, OSError):
        return WireError(f"nothing answers at {address.url}", hint="start its server, and load a model")
    return WireError("its answer broke off or is not HTTP", passing=True)


def ask_json(
    address: Address, path: str, body: Mapping[str, Any] | None, key: str, patience: Patience
) -> Any:  # noqa: ANN401 (whatever a server says)
    """Return a server's answer as JSON; raises WireError if it is not JSON."""
    with ask(address, path, body, key, patience) as incoming:
        data = incoming.whole()
    return read_json(data)


def read_json(data: bytes | str) -> Any:  # noqa: ANN401
    """Return JSON from a server; raises WireError if it is none."""
    try:
        return json.loads(data)
    except (ValueError, RecursionError):
        message = "its answer is not JSON"
        raise WireError(message, passing=True) from None


def _refused(response: http.client.HTTPResponse, incoming: AnswerStream) -> WireError:
    """Return the error for an unsuccessful answer."""
    status = response.status
    if 300 <= status < 400:
        return WireError("it points to another address, and nothing is sent there", status=status)
    answer = _beginning(incoming)
    told = told_why(answer)
    said = f": {told}" if told else ""
    if status in (401, 403):
        return WireError(f"it needs another key{said}", hint="put the key into REEL_VIA_KEY", status=status)
    long = find_too_long(answer.decode("utf-8", "replace"), status=status)
    if long is not None:
        return long
    wait = response.headers.get("Retry-After", "").strip()
    return WireError(
        f"it answered with error {status}{said}",
        passing=status in _PASSING,
        wait=float(wait) if wait.isascii() and wait.isdigit() and len(wait) < 9 else None,
        status=status,
    )


def _beginning(incoming: AnswerStream) -> bytes:
    found = b""
    try:
        for piece in incoming.pieces():
            found += piece
            if len(found) >= _MOST_WHY:
                break
    except (WireError, OSError, http.client.HTTPException):
        pass
    return found[:_MOST_WHY]


def told_why(data: bytes | str | Mapping[str, Any]) -> str:
    """Return a server's own words on what went wrong, in one short line; "" if it has none."""
    value: Any = data
    if not isinstance(data, Mapping):
        try:
            value = json.loads(data)
        except (ValueError, RecursionError):
            return ""
    for _ in range(3):
        if not isinstance(value, Mapping):
            break
        value = value.get("error") or value.get("message") or value.get("detail")
    if not isinstance(value, str):
        return ""
    line = " ".join("".join(c if c.isprintable() else " " for c in value).split())
    return (line if len(line) <= _LONGEST_TOLD else f"{line[:_LONGEST_TOLD]}…").rstrip(".")
