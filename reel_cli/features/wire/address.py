"""Address of a server: a known app's name, or an address."""

import re
from dataclasses import dataclass
from typing import Final
from urllib.parse import urlsplit

from reel_cli.core.errors import UsageError
from reel_cli.core.host import is_this_machine

KNOWN: Final = {
    "lmstudio": "http://127.0.0.1:1234/v1",
    "ollama": "http://127.0.0.1:11434/v1",
    "koboldcpp": "http://127.0.0.1:5001/v1",
}
"""Default addresses of each app's server."""
TITLES: Final = {"lmstudio": "LM Studio", "ollama": "Ollama", "koboldcpp": "KoboldCpp"}
_ADDRESS = re.compile(
    r"https?://(?:[a-z0-9.-]+|\[[0-9a-f:.]+\])(?::[0-9]{1,5})?(?:/[a-z0-9._~/-]*)?", re.IGNORECASE
)
"""Pattern of an address without name, password or query: it is shown, and kits that hold it may be shared."""
_PORTS = range(1, 65536)


@dataclass(frozen=True, slots=True)
class Address:
    """A server's address, up to and with its `/v1`; `shown` is how it is called on screen."""

    shown: str
    app: str
    secure: bool
    host: str
    port: int
    path: str

    @property
    def is_here(self) -> bool:
        """Return whether it is this machine."""
        return is_this_machine(self.host)

    @property
    def url(self) -> str:
        """Return it as it is typed."""
        host = f"[{self.host}]" if ":" in self.host else self.host
        return f"http{'s' if self.secure else ''}://{host}:{self.port}{self.path}"

    @property
    def typed(self) -> str:
        """Return it as short as it can be typed: an app's name, else the address."""
        return self.app or self.url

    @property
    def above(self) -> str:
        """Return the path before `/v1`, where apps have their own questions."""
        return self.path.removesuffix("/v1")


def parse_address(text: str, said: str = "--via") -> Address:
    """Return a server by its app's name or address (`http://localhost:8080`); raises UsageError."""
    app = text.strip().lower()
    url = KNOWN.get(app, text.strip())
    hint = f"one of {', '.join(KNOWN)}, or an address like http://localhost:8080/v1"
    if not _ADDRESS.fullmatch(url):
        message = f"{said} {text!r} is neither an app reel knows nor an address."
        raise UsageError(message, hint=hint)
    try:
        parts = urlsplit(url)
    except ValueError:
        # brackets without an IPv6 address
        message = f"{said} {text!r} names no host and port there could be."
        raise UsageError(message, hint=hint) from None
    secure = parts.scheme == "https"
    try:
        named = parts.port
        port = (443 if secure else 80) if named is None else named
    except ValueError:
        port = 0
    host = parts.hostname or ""
    if not host.strip(".") or port not in _PORTS:
        message = f"{said} {text!r} names no host and port there could be."
        raise UsageError(message, hint=hint)
    known = app if app in KNOWN else ""
    path = parts.path.rstrip("/") or "/v1"
    return Address(TITLES.get(known, parts.netloc.lower()), known, secure, host, port, path)
