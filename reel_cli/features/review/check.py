"""Whether a file of the kit, as a person edited it, can still be read."""

import re
from collections.abc import Callable, Mapping
from functools import partial

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.checkpoint_file import read_checkpoint
from reel_cli.core.files.exemplar_file import parse_active, parse_exemplar
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import SETTLED, read_settled
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.kit.snapshot import ACTIVE, WORKING
from reel_cli.features.intake.files import INTAKE, parse_intake
from reel_cli.features.shelf.advice.files import MANIFESTS, entries_of
from reel_cli.features.shelf.shelf_file import SHELF, file_of, is_sidecar
from reel_cli.features.shelf.sidecar_file import parse_sidecar
from reel_cli.features.shelf.summaries.files import is_summary_path, parse_summary
from reel_cli.features.tables.schema_file import parse_schema, table_of_schema

_MEMORY = re.compile(r"ring3/M-[^/]*\.md")
_EXEMPLAR = re.compile(r"ring1/[^/]*\.md")
_FRONT = re.compile(r"ring0/[^/]*\.md")

_OF_ITS_OWN: Mapping[str, Callable[[str], object]] = {
    "kit.yaml": lambda text: parse_settings(text, fallback_name="the kit"),
    ACTIVE: lambda text: parse_active(text, ACTIVE),
    SETTLED: read_settled,
    INTAKE: parse_intake,
    **{path: partial(entries_of, path=path) for path in MANIFESTS},
}
"""How each file is read that is the only one of its kind."""


def check_file(path: str, data: bytes) -> None:
    """Read the file as the kit will; ReelError or StateError, naming file and line, where that fails."""
    shelved = path.startswith(f"{SHELF}/")
    if not path.endswith((".md", ".yaml", ".yml")) or (shelved and not is_sidecar(path)):
        # what a person works with may be anything
        return
    try:
        text = data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        message = f"{path}, line {line}: this is not UTF-8 text."
        raise ReelError(message, hint="save the file as UTF-8") from None
    _read(path, text)


def _read(path: str, text: str) -> None:
    if path in _OF_ITS_OWN:
        _OF_ITS_OWN[path](text)
    elif _EXEMPLAR.fullmatch(path):
        parse_exemplar(text, path)
    elif _MEMORY.fullmatch(path):
        parse_memory(text, path)
    elif is_sidecar(path):
        parse_sidecar(text, file_of(path))
    elif is_summary_path(path):
        parse_summary(text, path)
    elif path.startswith("checkpoints/"):
        read_checkpoint(text, path)
    elif (table := table_of_schema(path)) is not None:
        parse_schema(text, table)
    elif path == WORKING or _FRONT.fullmatch(path):
        front_matter.split(text, path)
