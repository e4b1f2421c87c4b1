"""The readers of all transcript formats (`core/tape/format_rows.py`), and the one way to read a source."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from importlib import import_module
from typing import NoReturn

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.tape.format_rows import FORMAT_ROWS, FORMATS, PASTED, FormatRow
from reel_cli.core.tape.formats.decoding import OF_A_CARD
from reel_cli.core.tape.formats.finish import finish
from reel_cli.core.tape.formats.parts import tell_keys
from reel_cli.core.tape.formats.source import Reader, Source
from reel_cli.core.tape.formats.unread_chats import UnreadChats
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation

KNOWN = "reel record --help  lists what it reads; any other chat can be pasted:  reel record -"
"""Hint for a file that no reader knows."""
_HERE = __name__.rpartition(".")[0]

_JSON_START = re.compile(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[\[{"]|\]\s*$|$))')


def read_source(  # noqa: PLR0913
    data: bytes,
    *,
    filename: str | None = None,
    format: str = "auto",  # noqa: A002
    user_names: Sequence[str] = (),
    persona_names: Sequence[str] = (),
    zone: tzinfo = UTC,
) -> list[Conversation]:
    """Return every conversation in a file or paste, each with at least one message that was said.

    `format` is "auto" or one of `FORMATS`; `filename` tells the pasted text from a file and is part
    of telling formats apart; the names say whose side a speaker is on. A time without a zone is
    taken to be in `zone`. What was left out or guessed stands in each conversation's `problems`.

    Raises ReelError saying what was seen where nothing can be read, UsageError for an unknown
    format.
    """
    source = Source(data, filename, tuple(user_names), tuple(persona_names), zone)
    reader = choose(source, format)
    found = list(reader.read(source))
    conversations = [finish(conversation, source) for conversation in found]
    spoken = [conversation for conversation in conversations if conversation.said()]
    unread = UnreadChats()
    for raw, finished in zip(found, conversations, strict=True):
        if not finished.said():
            # the notes on the whole file go with a single conversation only
            unread.add(raw if len(found) > 1 else finished)
    if not found:
        unread.add_entries(source.notes.lines())
    if not spoken:
        raise unread.error(source.name)
    if unread.count:
        spoken[0] = replace(spoken[0], problems=(*spoken[0].problems, unread.remark().rstrip(".")))
    return spoken


def reader_of(row: FormatRow) -> Reader:
    """Import and return the reader of a row."""
    found: Reader = import_module(f"{_HERE}.{row.place}").READER
    return found


def named_reader(name: str) -> Reader | None:
    """Return the reader of a named format; None for "auto". Raises UsageError for an unknown one."""
    if name == "auto":
        return None
    row = next((row for row in FORMAT_ROWS if row.name == name), None)
    if row is None:
        message = f"{one_line(name, 40)!r} is not a format reel reads."
        raise UsageError(message, hint=f"one of  auto {' '.join(FORMATS)}")
    return reader_of(row)


_TAPE = re.compile(rb"---\n(?:session: \d{4}-\d\d-\d\d-\d+|tape: events)\n(?:[a-z]+: [^\n]*\n)*---\n")


def choose(source: Source, name: str) -> Reader:
    """Return the reader for a source: the named one, or the one that is surest; ReelError where none is."""
    if _TAPE.match(source.data):
        message = f"{source.name} is of a kit's own tape, and no chat of an app."
        raise ReelError(message, hint="reel init NEW --template KIT  takes a whole kit over, tape and all")
    named = named_reader(name)
    if named is not None:
        if not source.is_database and not source.is_long:
            _ = source.text
        return named
    sure, reader = surest(source)
    if source.is_database and (sure == 0 or reader.name in PASTED):
        from reel_cli.core.tape.formats.database import refuse_foreign

        refuse_foreign(source)
    if sure == 0 or (reader.name in PASTED and _looks_like_json(source)):
        if source.opening not in {"{", "["}:
            _ = source.text
        _refuse_json(source)
    return reader


def surest(source: Source) -> tuple[int, Reader]:
    """Return the reader that is surest of a source, and how sure; of equals, the earlier one."""
    likely = could_be(source)
    best = _best_of(likely, source) if likely else None
    return best if best and best[0] else _best_of((row for row in FORMAT_ROWS if row.pasted), source)


def could_be(source: Source) -> list[FormatRow]:
    """Return the formats of programs that a source can be of, by the signs of their rows."""
    if source.is_database:
        return [row for row in FORMAT_ROWS if row.is_database]
    others = [row for row in FORMAT_ROWS if not row.pasted and (row.signs or not row.is_database)]
    if not _looks_like_json(source):
        return [row for row in others if not row.signs]
    # a file whose very beginning is broken has no fields, and may be of any of them
    fields = {key for value in source.first if isinstance(value, dict) for key in value}
    return [row for row in others if row.signs and (not source.first or not fields.isdisjoint(row.signs))]


def _best_of(rows: Iterable[FormatRow], source: Source) -> tuple[int, Reader]:
    scored = [(_sniff(reader, source), reader) for reader in map(reader_of, rows)]
    return max(scored, key=lambda one: one[0])


def _sniff(reader: Reader, source: Source) -> int:
    try:
        return reader.sniff(source)
    except ReelError:
        return 0


def _looks_like_json(source: Source) -> bool:
    if source.opening not in {"{", "["}:
        return False
    try:
        head = source.data[:4096].decode("utf-8", "replace") if source.is_long else source.text
    except ReelError:
        return True
    return _JSON_START.match(head) is not None or (not source.is_long and source.json_fault is None)


def _refuse_json(source: Source) -> NoReturn:
    is_list = source.opening == "["
    if not is_list and source.is_json_lines:
        held = next(
            (tell_keys(value) for value in source.first if isinstance(value, dict) and value), "nothing"
        )
        message = f"{source.name} is JSON Lines (one object a line) of no program that reel knows: {held}."
        raise ReelError(message, hint=KNOWN)
    if not (source.is_long and is_list and source.first) and source.json_fault is not None:
        message = f"{source.name} cannot be read: {source.json_fault}."
        raise ReelError(message, hint="export the chat again, or save it as plain text with speaker lines")
    first = source.first[0] if source.first else None
    if not is_list and isinstance(first, dict):
        what = f"an object with {tell_keys(first)}" if first else "an empty object"
    else:
        inner = tell_keys(first) if isinstance(first, dict) else ""
        what = f"a list of objects with {inner}" if inner else "a list without messages"
    if isinstance(first, dict) and str(first.get("spec", "")).startswith("chara_card"):
        message = f"{source.name} is a character card, not a chat."
        raise ReelError(message, hint=OF_A_CARD)
    message = f"{source.name} is JSON, but no chat that reel knows: {what}."
    raise ReelError(message, hint=KNOWN)
