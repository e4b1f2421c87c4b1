"""Destination of an export: standard output, or a file that only its owner can read."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError
from reel_cli.terminal.plain_text import harmless_json

if TYPE_CHECKING:
    from collections.abc import Mapping

    from reel_cli.core.values.bundle import Bundle
    from reel_cli.terminal.open_kit import OpenKit

Out = Annotated[
    Path | None, typer.Option("--out", metavar="FILE", help="Write to this file instead of printing.")
]
Force = Annotated[bool, typer.Option("--force", help="Replace an existing file.")]
Window = Annotated[
    str | None, typer.Option(metavar="N", help="Pack for a window of this size: 8k, 128k, 32768.")
]


def write_export(opened: "OpenKit", path: Path, data: bytes, *, force: bool) -> None:
    """Write a file that its owner alone can read, and remember it as written from the kit.

    Raises ReelError where one is there already, or must not be.
    """
    from reel_cli.core.files.private import write_private
    from reel_cli.core.kit.output_place import check_output

    target = check_output(path)
    if target.is_dir() or not target.parent.is_dir():
        message = f"{path} is a folder." if target.is_dir() else f"There is no folder {path.parent}."
        raise ReelError(message, hint="name a file in a folder that is there")
    if target.exists() and not force:
        message = f"{path} is there already."
        raise ReelError(message, hint="take another name, or replace it with  --force")
    try:
        write_private(target, data)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}."
        raise ReelError(message, hint="name a file in a folder you can write to") from None
    opened.state.note_written(target)


def hand_over(  # noqa: PLR0913 (what it is, where it goes, how it is told)
    opened: "OpenKit",
    data: bytes,
    told: str,
    out: Path | None,
    *,
    force: bool,
    as_json: bool,
    more: "Mapping[str, object] | None" = None,
) -> None:
    """Write an export, or print it; `told` is what it is, in words, `more` what `--json` says beside it."""
    if out is not None:
        write_export(opened, out, data, force=force)
    if as_json:
        text = {} if out is not None else {"text": data.decode()}
        opened.console.result_json({"file": str(out) if out else None, **(more or {}), **text})
    elif out is None:
        text_of = data.decode()
        # JSON loses no character by this
        opened.console.result(harmless_json(text_of) if text_of[:1] in ("{", "[") else text_of, whole=True)
    if out is not None:
        opened.console.say(f"Wrote {out}: {told}.")


def packed(opened: "OpenKit", window: str | None, form: str = "markdown") -> "Bundle":
    """Return the bundle of an export, noted as handed out like any other."""
    from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.terminal.bundle_view import note_handed_out, tell_warnings

    wish = BundleRequest(window=parse_tokens(window) if window is not None else None, form=form)
    bundle = pack_kit(opened.root, wish)
    tell_warnings(opened, bundle)
    note_handed_out(opened, bundle)
    return bundle
