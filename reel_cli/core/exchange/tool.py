"""A tool that a model may call: its arguments, told as JSON Schema and held against a call; its outcome."""

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, NoReturn

from reel_cli.core.errors import UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Proposal

LONGEST_TEXT = 200_000
"""Maximum characters of a page."""
LONGEST_NAME = 400
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Pattern of characters refused in a text: control codes, marks that turn a line's direction, half
characters."""


@frozen
class Argument:
    """One argument of a tool.

    `kind` is string, integer, boolean, strings (a list of texts) or hints (a list of objects with `path` and
    `why`); `most` is its greatest length in characters, number, or count; `one_of` its only values.
    """

    name: str
    kind: str
    what: str
    most: int
    required: bool = False
    one_of: Sequence[str] = ()

    def schema(self) -> dict[str, Any]:
        """Return the argument as JSON Schema."""
        told: dict[str, Any] = {"description": self.what}
        if self.kind == "string":
            told |= {"type": "string", "maxLength": self.most}
            return told | ({"enum": list(self.one_of)} if self.one_of else {})
        if self.kind == "integer":
            return told | {"type": "integer", "minimum": 1, "maximum": self.most}
        if self.kind == "boolean":
            return told | {"type": "boolean"}
        if self.kind == "strings":
            return told | {"type": "array", "maxItems": self.most, "items": {"type": "string"}}
        keys = ("path", "why", "suggested_action")
        item = {
            "type": "object",
            "properties": {key: {"type": "string"} for key in keys},
            "required": ["path"],
        }
        return told | {"type": "array", "maxItems": self.most, "items": item}

    def check(self, value: object) -> object:
        """Return the value in its final form; raises UsageError if it does not fit."""
        if self.kind == "string":
            return self._text(value, self.most)
        if self.kind == "boolean":
            if not isinstance(value, bool):
                self._refuse("should be true or false")
            return value
        if self.kind == "integer":
            if isinstance(value, float) and value.is_integer():
                value = int(value)  # as some clients write it: 5.0
            if isinstance(value, bool) or not isinstance(value, int):
                self._refuse("should be a whole number")
            if not 1 <= value <= self.most:
                self._refuse(f"should be from 1 to {self.most:,}")
            return value
        if self.kind == "strings":
            if not isinstance(value, list) or not 0 < len(value) <= self.most:
                self._refuse(f"should be a list of at most {self.most:,} texts, and of one at least")
            return [self._text(one, LONGEST_NAME) for one in value]
        if not isinstance(value, list) or len(value) > self.most:
            self._refuse(f"should be a list of at most {self.most:,} objects with path and why")
        return [self._hint(one) for one in value]

    def _hint(self, one: object) -> dict[str, str]:
        if not isinstance(one, dict) or not isinstance(one.get("path"), str):
            self._refuse("should be a list of objects, each with a path")
        return {str(key)[:40]: str(self._text(text, 2_000)) for key, text in list(one.items())[:8]}

    def _text(self, value: object, most: int) -> str:
        if not isinstance(value, str):
            self._refuse("should be text")
        if len(value) > most:
            self._refuse(f"has {len(value):,} characters; at most {most:,} are taken")
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        if _CONTROL.search(text):
            self._refuse("holds control codes; send plain text")
        if self.required and not text.strip():
            self._refuse("is empty")
        if self.one_of and text not in ("", *self.one_of):
            self._refuse(f"should be one of {', '.join(self.one_of)}")
        return text

    def _refuse(self, why: str) -> NoReturn:
        message = f"{self.name} {why}."
        raise UsageError(message)


@frozen
class HandIn:
    """A proposal that a tool call hands in, kept if the kit trusts the tool, else waiting for a person.

    `waits` says why it waits in any case, "" where trust decides; `told` is said after what became of it.
    `asked` names the exchange that is answered by it.
    """

    proposal: Proposal
    waits: str = ""
    told: str = ""
    asked: str = ""


@frozen
class Tool:
    """One tool: its name, what the model is told of it, what it takes, and what it does.

    `run` takes the open kit and the arguments; it returns what to answer, or what is handed in. `order` is
    its place among the tools.
    """

    order: int
    name: str
    title: str
    what: str
    arguments: tuple[Argument, ...]
    run: Callable[[Any, Mapping[str, Any]], str | HandIn]
    writes: bool = True


def schema_of(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return a tool's arguments as JSON Schema."""
    return {
        "type": "object",
        "properties": {one.name: one.schema() for one in arguments},
        "required": [one.name for one in arguments if one.required],
        "additionalProperties": False,
    }


def check_arguments(arguments: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Any]:
    """Return a call's arguments, each of its type and within its bounds, without missing ones.

    Raises UsageError, with a sentence on the first that is amiss.
    """
    known = {one.name: one for one in arguments}
    for name in given:
        if name not in known:
            message = f"There is no argument {one_line(str(name), 40)!r}."
            raise UsageError(message, hint=f"known are: {', '.join(known) or 'none'}")
    for one in arguments:
        if one.required and given.get(one.name) is None:
            message = f"{one.name} is missing."
            raise UsageError(message, hint=one.what)
    return {name: known[name].check(value) for name, value in given.items() if value is not None}
