"""Every transcript format there is, and the one way in."""

import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from typing import NoReturn

from reel_cli.errors import ReelError, UsageError
from reel_cli.model.change import one_line
from reel_cli.model.tape import Conversation
from reel_cli.tape.formats import lmstudio, markdown, messages, text
from reel_cli.tape.formats.finish import finish
from reel_cli.tape.formats.source import Reader, Source

READERS: tuple[Reader, ...] = (lmstudio.READER, messages.READER, markdown.READER, text.READER)
"""One row a format; where two are equally sure, the earlier one reads."""

FORMATS = tuple(reader.name for reader in READERS)
"""What `--format` takes, beside `auto`."""

_JSON_START = re.compile(r'\s*(?:\{\s*(?:"|\}|$)|\[\s*(?:[\[{"]|\]\s*$|$))')
_MOST_KEYS = 8


def read_source(  # noqa: PLR0913
    data: bytes,
    *,
    filename: str | None = None,
    format: str = "auto",  # noqa: A002
    user_names: Sequence[str] = (),
    persona_names: Sequence[str] = (),
    zone: tzinfo = UTC,
) -> list[Conversation]:
    """Every conversation in a file or paste, each with at least one message that was said.

    `format` is "auto" or one of `FORMATS`; `filename` tells the pasted text from a file and is part
    of telling formats apart; the names say whose side a speaker is on. A time without a zone is
    taken to be in `zone`. What was left out or guessed stands in each conversation's `problems`.

    Raises ReelError saying what was seen where nothing can be read, UsageError for an unknown
    format.
    """
    source = Source(data, filename, tuple(user_names), tuple(persona_names), zone)
    reader = _choose(source, format)
    conversations = [finish(conversation, source) for conversation in reader.read(source)]
    spoken = [conversation for conversation in conversations if conversation.said()]
    if not spoken:
        message = f"{source.name} has no message in it."
        raise ReelError(message, hint="record the chat once something has been said in it")
    if len(spoken) < len(conversations):
        left_out = f"conversations without a message were left out ({len(conversations) - len(spoken)})"
        spoken[0] = replace(spoken[0], problems=(*spoken[0].problems, left_out))
    return spoken


def _choose(source: Source, name: str) -> Reader:
    if name != "auto":
        found = next((reader for reader in READERS if reader.name == name), None)
        if found is None:
            message = f"{one_line(name, 40)!r} is not a format reel reads."
            raise UsageError(message, hint=f"one of  auto {' '.join(FORMATS)}")
        _ = source.text
        return found
    scored = [(reader.sniff(source), -place, reader) for place, reader in enumerate(READERS)]
    best = max(scored, key=lambda row: row[:2])
    is_json = source.json_fault is None or _JSON_START.match(source.text) is not None
    if best[0] == 0 or (is_json and best[2] in {markdown.READER, text.READER}):
        _refuse_json(source)
    return best[2]


def _refuse_json(source: Source) -> NoReturn:
    hint = "reel reads " + "; ".join(reader.shape for reader in READERS)
    if source.json_fault is not None:
        message = f"{source.name} cannot be read: {source.json_fault}."
        raise ReelError(message, hint="export the chat again, or save it as plain text with speaker lines")
    value = source.json
    if isinstance(value, dict):
        keys = ", ".join(one_line(key, 30) or "“”" for key in list(value)[:_MOST_KEYS])
        more = ", …" if len(value) > _MOST_KEYS else ""
        what = f"an object with {keys}{more}" if value else "an empty object"
    else:
        first = value[0] if isinstance(value, list) and value else None
        inner = (
            ", ".join(one_line(key, 30) for key in list(first)[:_MOST_KEYS])
            if isinstance(first, dict)
            else ""
        )
        what = f"a list of objects with {inner}" if inner else "a list without messages"
    message = f"{source.name} is JSON, but no chat that reel knows: {what}."
    raise ReelError(message, hint=hint)
