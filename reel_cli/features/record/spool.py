"""Conversations put aside while an export is read, so that no more than so much of it stays in memory."""

import json
from dataclasses import fields
from functools import cached_property
from operator import attrgetter
from sys import getsizeof
from tempfile import TemporaryFile
from typing import IO, Any, TypeAlias

from reel_cli.core.values.talk import Conversation, Kind, Message

IN_MEMORY = 160 * 1024 * 1024
"""Bytes kept in memory; more go to a file without a name, which nobody else can open."""
_BESIDE_TEXT = 160
"""Approximate bytes a message takes beside its text."""
_OF_MESSAGE = tuple(field.name for field in fields(Message))
_message_values = attrgetter(*_OF_MESSAGE)
_KIND = _OF_MESSAGE.index("kind")
_KINDS = {kind.value: kind for kind in Kind}


Place: TypeAlias = "Conversation | tuple[int, int]"
"""A stored conversation: itself, or the offset and length of it in the file."""


class Spool:
    """Conversations by the place they were put at; all is gone when it is closed."""

    def __init__(self, in_memory: int = IN_MEMORY) -> None:
        """Begin empty; about `in_memory` bytes need no file."""
        self._room = in_memory
        self._end = 0

    @cached_property
    def _file(self) -> IO[bytes]:
        return TemporaryFile()  # closed by `close`

    def put(self, conversation: Conversation) -> Place:
        """Store a conversation; return its place."""
        texts = [message.text for message in conversation.messages]
        size = sum(map(getsizeof, texts)) + len(texts) * _BESIDE_TEXT
        if size <= self._room:
            self._room -= size
            return conversation
        about = {field.name: getattr(conversation, field.name) for field in fields(conversation)}
        outline = about | {"messages": [_message_values(m) for m in conversation.messages]}
        data = json.dumps(outline, ensure_ascii=False, check_circular=False).encode("utf-8", "surrogatepass")
        self._file.seek(self._end)
        self._file.write(data)
        place = self._end, len(data)
        self._end += len(data)
        return place

    def get(self, place: Place) -> Conversation:
        """Return the conversation at a place, unchanged."""
        if isinstance(place, Conversation):
            return place
        start, length = place
        self._file.seek(start)
        value: dict[str, Any] = json.loads(self._file.read(length).decode("utf-8", "surrogatepass"))
        messages = tuple(_message(values) for values in value["messages"])
        return Conversation(**{**value, "messages": messages, "problems": tuple(value["problems"])})

    def close(self) -> None:
        """Delete the file."""
        if "_file" in self.__dict__:
            self._file.close()


def _message(values: list[Any]) -> Message:
    """Return a message from its fields' values, in order."""
    values[_KIND] = _KINDS[values[_KIND]]
    return Message(*values)
