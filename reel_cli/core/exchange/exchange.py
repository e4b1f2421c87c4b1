"""Prompts that wait for a reply: one base for all of them, stored as JSON by their fields, and read back.

`Handout` is for those that go out in one paste and are answered with several changes, each decided alone;
`open_ask.py` asks for the page of a session.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, Field, field, fields, is_dataclass
from types import UnionType
from typing import TYPE_CHECKING, Any, ClassVar, Self, TypeVar, get_args, get_origin

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import SourceRange, parse_source

if TYPE_CHECKING:
    from reel_cli.core.files.state import State

Asked = TypeVar("Asked", bound="Exchange")

FLAT: Mapping[str, bool] = {"flat": True}
"""Metadata of a dataclass, or of a mapping of all other keys, stored among the exchange's own."""
NOT_STORED: Mapping[str, bool] = {"stored": False}
"""Metadata of a field that only this run knows."""


def stored_as(key: str) -> Mapping[str, str]:
    """Return metadata of a field that is stored under another key than its name."""
    return {"key": key}


class Exchange:
    """A prompt, with what must be known of it when its reply comes.

    A subclass is a frozen dataclass of strings, numbers, stretches of tape, and tuples, mappings and
    dataclasses of those; they are stored under the names of its fields. `kind` is stored as well, where
    there is one, so that no exchange is taken for another. `name` is the name it is remembered by, one
    prompt at a time.
    """

    __slots__ = ()
    kind: ClassVar[str] = ""

    if TYPE_CHECKING:

        @property
        def name(self) -> str:
            """Return the name it is remembered by."""

        @property
        def prompt(self) -> str:
            """Return the prompt as it is sent."""

        @property
        def ring0(self) -> str:
            """Return the blob of ring 0 as the prompt carries it."""

        @property
        def replies(self) -> tuple[str, ...]:
            """Return its earlier, incomplete replies."""

        @property
        def brief(self) -> bool:
            """Return whether it is the short form of a longer prompt."""

    else:
        replies = ()
        brief = False

    @property
    def stored(self) -> dict[str, Any]:
        """Return the exchange as JSON values."""
        kind = {"kind": self.kind} if self.kind else {}
        return {**_dump_fields(self), **self.also_stored(), **kind}

    def also_stored(self) -> Mapping[str, Any]:
        """Return values that others read of a stored prompt, and reading it back does not need."""
        return {}

    def is_sound(self) -> bool:
        """Return whether what was read back can be an exchange of this kind."""
        return True

    def as_waiting(self) -> Self:
        """Return the exchange as one whose prompt was handed out before."""
        return self

    @classmethod
    def load(cls, value: Mapping[str, Any]) -> Self | None:
        """Read an exchange from JSON values; None where they are not one of this kind."""
        if cls.kind and value.get("kind") != cls.kind:
            return None
        try:
            found: Self = _read_fields(cls, value)
        except (KeyError, TypeError, ValueError):
            return None
        return found if found.is_sound() else None


def find_waiting(state: "State", kind: type[Asked], name: str) -> Asked | None:
    """Return the exchange of this name that waits for its reply; None where there is none."""
    found = kind.load(state.exchanges().get(name, {}))
    return None if found is None else found.as_waiting()


def _dump_fields(value: Any) -> dict[str, Any]:  # noqa: ANN401 (any dataclass)
    found: dict[str, Any] = {}
    for one in fields(value):
        told = _dump(getattr(value, one.name))
        if one.metadata.get("flat"):
            found = {**told, **found}
        elif one.metadata.get("stored", True):
            found[_key(one)] = told
    return found


def _dump(value: Any) -> Any:  # noqa: ANN401
    if value is None or isinstance(value, str | int):
        return value
    if isinstance(value, SourceRange):
        return str(value)
    if is_dataclass(value):
        return _dump_fields(value)
    if isinstance(value, Mapping):
        return {key: _dump(one) for key, one in value.items()}
    return [_dump(one) for one in value]


def _read_fields(kind: Any, value: Mapping[str, Any]) -> Any:  # noqa: ANN401
    own = {_key(one) for one in fields(kind)}
    given: dict[str, Any] = {}
    for one in fields(kind):
        if one.metadata.get("flat"):
            rest = {key: told for key, told in value.items() if key not in own}
            given[one.name] = _read_fields(one.type, rest) if is_dataclass(one.type) else rest
        elif one.metadata.get("stored", True) and (_key(one) in value or _is_required(one)):
            given[one.name] = _read(one.type, value[_key(one)])
    return kind(**given)


def _key(one: "Field[Any]") -> str:
    return str(one.metadata.get("key", one.name))


def _is_required(one: "Field[Any]") -> bool:
    return one.default is MISSING and one.default_factory is MISSING


def _read(kind: Any, value: Any) -> Any:  # noqa: ANN401 (one return for each shape)
    """Read a value as its field's annotation says; raises ValueError where it is something else."""
    if kind in (str, int, bool):
        return _checked(kind, value)
    if kind is SourceRange:
        return _found(parse_source(_checked(str, value)))
    if is_dataclass(kind):
        return _read_fields(kind, _checked(dict, value))
    origin, inner = get_origin(kind), get_args(kind)
    if origin is UnionType:
        # an earlier version stored "" for a missing stretch
        return None if value is None or (value == "" and str not in inner) else _read(inner[0], value)
    if origin is Mapping:
        return {key: _read(inner[1], told) for key, told in _checked(dict, value).items()}
    told = _checked(list, value)
    if origin is Sequence or inner[-1] is Ellipsis:
        return tuple(_read(inner[0], one) for one in told)
    return tuple(_read(each, one) for each, one in zip(inner, told, strict=True))


def _checked(kind: type, value: Any) -> Any:  # noqa: ANN401
    if type(value) is not kind:
        message = f"{value!r} is no {kind.__name__}"
        raise ValueError(message)
    return value


def _found(value: Any) -> Any:  # noqa: ANN401
    if value is None:
        message = "no stretch of tape"
        raise ValueError(message)
    return value


@frozen
class Offer:
    """One change a reply offers, to be decided by itself: a heading, what it would do, what speaks against.

    `plan` makes the change from the kit as it then stands; it raises ReelError, with a sentence on what is
    offered, where the kit no longer fits. `doubts` are such that only a person may pass over them.
    """

    id: str
    title: str
    heading: str
    shown: tuple[str, ...]
    plan: Callable[[Snapshot], Change]
    doubts: tuple[Problem, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    """Values for a program, beside `id` and `commit`."""
    bearer: str = "what was said"
    """Name of the source it is checked against and that does not support the doubtful parts."""


@frozen
class LeftItem:
    """One thing that stays as it is, and why; `again` where another reply may do better.

    `done` where it is as the reply has it already; `lossy` where the text lost too much; `doubts` are what
    its source does not bear.
    """

    id: str
    title: str
    why: str
    again: bool = True
    done: bool = False
    lossy: bool = False
    doubts: tuple[Problem, ...] = ()


@frozen
class Answer:
    """A reply, read and checked; `refusal` says why none of it can be used.

    `nothing` is a sentence where the reply is good and wants nothing changed. `asks_again` says that all of
    the model's answer was there, and another is wanted.
    """

    offers: tuple[Offer, ...] = ()
    left: tuple[LeftItem, ...] = ()
    problems: tuple[Problem, ...] = ()
    refusal: str = ""
    nothing: str = ""
    asks_again: bool = False


EMPTY = Answer(refusal="The reply is empty.")
NO_ANSWER = Answer(refusal="That is the prompt itself, not the answer to it.")


@frozen
class Handout:
    """An exchange whose reply offers changes, each to be decided by itself.

    `command` is how its reply is given. `read` reads a reply; `repeat` asks again for the things of these IDs
    and for what was to be asked after all of them; None where that is nothing. `page` is the answer, where a
    person may edit it before it is kept; what they decline is laid by in a file of the name `declined`.
    """

    ask: Exchange
    command: str
    read: Callable[[Snapshot, str], Answer]
    repeat: Callable[[Snapshot, Sequence[str]], "Handout | None"] = lambda *_: None
    page: str = ""
    declined: str = "declined.md"
    refused: str = "reply"
    """The beginning of the name of a file with a reply that was refused whole."""
    options: str = ""
    """Options, each behind a space, by which the command asks for the rest."""

    @property
    def prompt(self) -> str:
        """Return the prompt as it is sent."""
        return self.ask.prompt
