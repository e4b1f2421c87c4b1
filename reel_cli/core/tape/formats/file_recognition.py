"""Recognition of one file among others: by its own marks, or as text in which somebody speaks."""

from collections.abc import Callable
from typing import TypeAlias

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.format_rows import PASTED
from reel_cli.core.tape.formats.registry import surest
from reel_cli.core.tape.formats.source import Reader, Source

CERTAIN = 40
"""A file among others is a chat from this certainty on; what anyone could have written is below it."""
Recognise: TypeAlias = Callable[[Source, Reader | None], Reader | None]
"""Function that returns the reader of one file among others, given the reader that was named, if one was."""


def recognise_plain(source: Source, named: Reader | None) -> Reader | None:
    """Return the reader of a text among others, whatever it holds."""
    return named or surest(source)[1]


def recognise_named(source: Source, named: Reader | None) -> Reader | None:
    """Return the reader of a text beside a program's files; None unless the persona speaks in it by name."""
    from reel_cli.core.tape.formats.pasted.pasted_chat import speaks_by_name

    return recognise_plain(source, named) if named or speaks_by_name(source) else None


def recognise_file(source: Source, named: Reader | None) -> Reader | None:
    """Return the reader of one file among others; None if the file is no chat of a program."""
    sure, reader = surest(source)
    if named is not None:
        try:
            return named if named.sniff(source) else None
        except ReelError:
            return None
    return reader if sure >= CERTAIN and reader.name not in PASTED else None
