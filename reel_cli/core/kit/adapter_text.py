"""The text of the adapter that a setting names: a file of the kit, or one that ships."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.resources import list_adapters, read_adapter
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

FOLDER = "adapters"


def find_adapter(snapshot: "Snapshot", wanted: str) -> tuple[str, str, str]:
    """Return an adapter's text, its name, and what to call its place.

    `wanted` is a name, of a file in the kit's own `adapters/` or of one that ships, or a path in the kit.
    Raises ReelError where there is none of that name.
    """
    path = wanted if wanted.endswith((".yaml", ".yml")) else f"{FOLDER}/{wanted}.yaml"
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or "\\" in path or ":" in path:
        message = f"kit.yaml: adapter is {one_line(wanted, 60)!r}, which is not a place in the kit."
        raise ReelError(message, hint=f"put the file into {FOLDER}/ and write its name")
    text = snapshot.text(path)
    if text is not None:
        return text, PurePosixPath(path).stem, path
    if wanted in list_adapters():
        return read_adapter(wanted), wanted, f"the adapter {wanted}"
    message = f"kit.yaml: there is no adapter called {one_line(wanted, 60)!r}."
    raise ReelError(
        message, hint=f"the ones that ship: {', '.join(list_adapters())}; your own go into {FOLDER}/"
    )
