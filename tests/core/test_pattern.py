"""Patterns that are compiled when they are first used."""

import importlib
import pkgutil
import re
from collections.abc import Iterator

import pytest

import reel_cli
from reel_cli.core.frozen import LatePattern, late


def found_in(value: object) -> Iterator[LatePattern]:
    if isinstance(value, LatePattern):
        yield value
    elif isinstance(value, (tuple, list)):
        for one in value:
            yield from found_in(one)


def test_it_answers_as_the_compiled_pattern_does() -> None:
    plain, made = re.compile(r"(?P<a>\w)b", re.IGNORECASE), late(r"(?P<a>\w)b", re.IGNORECASE)
    text = "abXBc"
    assert [m["a"] for m in made.finditer(text)] == [m["a"] for m in plain.finditer(text)] == ["a", "X"]
    assert made.sub("-", text) == plain.sub("-", text) == "--c"
    assert made.findall(text) == plain.findall(text)
    assert made.split(text) == plain.split(text)
    assert made.subn("-", text, 1) == plain.subn("-", text, 1)
    assert (made.pattern, made.flags) == (plain.pattern, plain.flags)
    for asked in ("match", "search", "fullmatch"):
        assert str(getattr(made, asked)("ab")) == str(getattr(plain, asked)("ab"))


def test_nothing_is_compiled_before_it_is_used() -> None:
    wrong = late("(")
    assert not hasattr(wrong, "groups")
    with pytest.raises(re.error):
        wrong.search("x")


def test_every_pattern_of_the_program_compiles() -> None:
    compiled = 0
    for module in pkgutil.walk_packages(reel_cli.__path__, "reel_cli."):
        if module.name.endswith("__main__"):
            continue
        for value in vars(importlib.import_module(module.name)).values():
            for pattern in found_in(value):
                assert isinstance(re.compile(pattern.pattern, pattern.flags & ~re.UNICODE), re.Pattern)
                compiled += 1
    assert compiled > 100
