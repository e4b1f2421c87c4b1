"""Conversations put aside while an export is read, so that only their outlines stay in memory."""

import json
from dataclasses import fields
from operator import attrgetter
from tempfile import SpooledTemporaryFile
from typing import Any

from reel_cli.model.tape import Conversation, Kind, Message

IN_MEMORY = 16 * 1024 * 1024
"""So many bytes stay in memory; beyond it they go to a file without a name, which nobody else can open."""
_OF_MESSAGE = tuple(field.name for field in fields(Message))
_message_values = attrgetter(*_OF_MESSAGE)
_KIND = _OF_MESSAGE.index("kind")
_KINDS = {kind.value: kind for kind in Kind}


class Spool:
    """Conversations by the place they were put at; all is gone when it is closed."""

    def __init__(self) -> None:
        """Begin empty."""
        self._file = SpooledTemporaryFile(max_size=IN_MEMORY)  # noqa: SIM115 (closed by `close`)
        self._end = 0

    def put(self, conversation: Conversation) -> tuple[int, int]:
        """Put one aside; returns its place."""
        about = {field.name: getattr(conversation, field.name) for field in fields(conversation)}
        outline = about | {"messages": [_message_values(m) for m in conversation.messages]}
        data = json.dumps(outline, ensure_ascii=False, check_circular=False).encode("utf-8", "surrogatepass")
        self._file.seek(self._end)
        self._file.write(data)
        place = self._end, len(data)
        self._end += len(data)
        return place

    def get(self, place: tuple[int, int]) -> Conversation:
        """The conversation at a place, as it was put there."""
        start, length = place
        self._file.seek(start)
        value: dict[str, Any] = json.loads(self._file.read(length).decode("utf-8", "surrogatepass"))
        messages = tuple(_message(values) for values in value["messages"])
        return Conversation(**{**value, "messages": messages, "problems": tuple(value["problems"])})

    def close(self) -> None:
        """Let it all go."""
        self._file.close()


def _message(values: list[Any]) -> Message:
    """A message of its fields' values, in their order."""
    values[_KIND] = _KINDS[values[_KIND]]
    return Message(*values)
