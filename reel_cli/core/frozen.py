"""Classes and patterns that cost little before they are used.

`frozen` makes values with named fields, like `dataclass(frozen=True, slots=True)`, in a sixth of the time;
`mutable` those that change.

A command defines up to a hundred such classes before it begins. The standard library writes and compiles six
methods for each, which took a fifth of the time of `reel status`. Here `__init__` alone is compiled, when the
first value is made, and the others are closures. `fields`, `replace` and `is_dataclass` work as usual.

`late` makes regular expressions that are compiled when they are first used: most runs need few of them.
"""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from operator import attrgetter
from typing import Any, AnyStr, Never, TypeVar, cast, dataclass_transform

Value = TypeVar("Value")
FEW = 16
"""Number of values of a class for which its `__init__` is not compiled."""
_set = object.__setattr__


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Value]) -> type[Value]:
    """Make a class of frozen values from the fields that its annotations name.

    A class with `__post_init__`, or with a field that no caller gives, needs the standard library's own.
    """
    return _make(cls, _make_frozen_methods)


@dataclass_transform(field_specifiers=(field,))
def mutable(cls: type[Value]) -> type[Value]:
    """Make a class of values that may change, as `frozen` does, like `dataclass(slots=True)`."""
    return _make(cls, _make_methods)


def _make(cls: type[Value], methods: Callable[[type[Any]], Mapping[str, object]]) -> type[Value]:
    own = frozenset(vars(cls))
    if not cls.__doc__:
        # the standard library would make one of the signature, which takes longer than all the rest
        cls.__doc__ = cls.__name__
    made = dataclass(init=False, repr=False, eq=False, slots=True)(cls)
    for name, method in methods(made).items():
        if name not in own:
            setattr(made, name, method)
    return made


def _make_frozen_methods(cls: type[Any]) -> Mapping[str, object]:
    value_of = _comparing(cls)

    def hash_value(self: object) -> int:
        return hash(value_of(self))

    def copy(self: object) -> tuple[type[Any], tuple[object, ...]]:
        return cls, tuple(getattr(self, one.name) for one in fields(cls))

    changes = {"__setattr__": _refuse, "__delattr__": _refuse}
    return {**_make_methods(cls), "__hash__": hash_value, "__reduce__": copy, **changes}


def _comparing(cls: type[Any]) -> Callable[[object], object]:
    """Return a function that gives what a value is compared by."""
    compared = [one.name for one in fields(cls) if one.compare]
    return attrgetter(*compared) if compared else lambda _: ()


def _make_methods(cls: type[Any]) -> Mapping[str, object]:
    value_of = _comparing(cls)

    def is_equal(self: object, other: object) -> object:
        if other.__class__ is not self.__class__:
            return NotImplemented
        return value_of(self) == value_of(other)

    def show(self: object) -> str:
        shown = (f"{one.name}={getattr(self, one.name)!r}" for one in fields(cls) if one.repr)
        return f"{cls.__qualname__}({', '.join(shown)})"

    return {"__init__": _make_init(cls), "__eq__": is_equal, "__hash__": None, "__repr__": show}


def _make_init(cls: type[Any]) -> Callable[..., None]:
    """Return an `__init__` that gives its place to a compiled one when a few values have been made.

    Most classes make no more in a command, and compiling takes as long as a score of values.
    """
    left = FEW
    defaults: dict[str, object] = {}
    names: tuple[str, ...] = ()

    def init(self: object, *given: object, **named: object) -> None:
        nonlocal left, names
        if left == FEW:
            known = fields(cls)
            names = tuple(one.name for one in known)
            # a default that is made anew is left to the compiled one
            defaults.update((one.name, one.default) for one in known if one.default is not MISSING)
        left -= 1
        values = {**defaults, **dict(zip(names, given, strict=False)), **named}
        whole = len(values) == len(names) and (not named or _is_plain(names, len(given), named))
        if left <= 0 or not whole or len(given) > len(names):
            compiled = cls.__init__ = _compile_init(cls)
            compiled(self, *given, **named)
            return
        for name in names:
            _set(self, name, values[name])

    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _is_plain(names: Sequence[str], given: int, named: Mapping[str, object]) -> bool:
    """Return whether named values are fields that were not given by place as well."""
    return named.keys() <= frozenset(names[given:])


def _compile_init(cls: type[Any]) -> Callable[..., None]:
    """Compile `__init__`; a default that a factory makes is made at each call."""
    scope: dict[str, Any] = {"_set": object.__setattr__, "_missing": MISSING}
    given, lines = ["self"], [" pass"]
    for one in fields(cls):
        name = value = one.name
        if one.default_factory is not MISSING:
            scope[f"_make_{name}"] = one.default_factory
            given.append(f"{name}=_missing")
            value = f"_make_{name}() if {name} is _missing else {name}"
        elif one.default is not MISSING:
            scope[f"_default_{name}"] = one.default
            given.append(f"{name}=_default_{name}")
        else:
            given.append(name)
        lines.append(f" _set(self, {name!r}, {value})")
    exec(f"def __init__({', '.join(given)}):\n" + "\n".join(lines), scope)
    init: Callable[..., None] = scope["__init__"]
    init.__qualname__ = f"{cls.__qualname__}.__init__"
    return init


def _refuse(_: object, name: str, *_value: object) -> Never:
    message = f"cannot assign to or delete field {name!r}"
    raise FrozenInstanceError(message)


_ASKED = ("search", "match", "fullmatch", "findall", "finditer", "sub", "subn", "split", "flags")


class LatePattern:
    """A pattern made by `late`, which is compiled when it is first used."""

    def __init__(self, text: str | bytes, flags: int) -> None:
        """Keep the pattern's text and flags without compiling them."""
        self._text, self._flags = text, flags

    @property
    def pattern(self) -> str | bytes:
        """Return the pattern's text, to build others from."""
        return self._text

    def __getattr__(self, name: str) -> Any:  # noqa: ANN401 (whatever the pattern has)
        if name not in _ASKED:
            # introspection must not compile the pattern
            raise AttributeError(name)
        made = re.compile(self._text, self._flags)
        # the methods are found here from now on, without __getattr__
        self.__dict__.update({asked: getattr(made, asked) for asked in _ASKED})
        return self.__dict__[name]


def late(text: AnyStr, flags: int = 0) -> re.Pattern[AnyStr]:
    """Return a pattern like `re.compile`'s, compiled at its first use; for modules with many patterns.

    `re.error` comes with the first use. The functions of `re` do not take it in place of a pattern.
    """
    return cast("re.Pattern[AnyStr]", LatePattern(text, flags))
