"""The adapter a kit has chosen: one that ships, or one of its own."""

from pathlib import PurePosixPath

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.resources import list_adapters, read_adapter
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.adapter import Adapter
from reel_cli.features.facts.adapter_file import FOLDER, parse_adapter


def adapter_of(snapshot: Snapshot) -> Adapter:
    """Return the kit's adapter; an empty one if it has none.

    `adapter` in `kit.yaml` is a name, of a file in the kit's own `adapters/` or of one that ships, or a path
    in the kit. Raises ReelError where there is none of that name, or it makes no sense.
    """
    wanted = snapshot.settings.adapter
    if not wanted:
        return Adapter()
    path = wanted if wanted.endswith((".yaml", ".yml")) else f"{FOLDER}/{wanted}.yaml"
    parts = PurePosixPath(path).parts
    if path.startswith("/") or ".." in parts or "\\" in path or ":" in path:
        message = f"kit.yaml: adapter is {one_line(wanted, 60)!r}, which is not a place in the kit."
        raise ReelError(message, hint=f"put the file into {FOLDER}/ and write its name")
    text = snapshot.text(path)
    if text is not None:
        return parse_adapter(text, PurePosixPath(path).stem, path)
    if wanted in list_adapters():
        return parse_adapter(read_adapter(wanted), wanted, f"the adapter {wanted}")
    message = f"kit.yaml: there is no adapter called {one_line(wanted, 60)!r}."
    raise ReelError(
        message, hint=f"the ones that ship: {', '.join(list_adapters())}; your own go into {FOLDER}/"
    )
