"""Frozen values do what a frozen dataclass with slots does."""

from collections.abc import Sequence
from copy import copy, deepcopy
from dataclasses import FrozenInstanceError, dataclass, field, fields, is_dataclass, replace

import pytest

from reel_cli.core.frozen import FEW, frozen, mutable


@frozen
class Leaf:
    """A value of the three kinds of field."""

    name: str
    size: int = 3
    parts: list[str] = field(default_factory=list)
    about: str = field(default="", compare=False, repr=False)


@dataclass(frozen=True, slots=True)
class Standard:
    """The same, as the standard library makes it."""

    name: str
    size: int = 3
    parts: list[str] = field(default_factory=list)
    about: str = field(default="", compare=False, repr=False)


@frozen
class Pair:
    """A value that can be hashed."""

    first: int
    second: Sequence[str] = ()


@frozen
class Nothing:
    """A value without a field."""


@pytest.mark.parametrize("make", [Leaf, Standard])
def test_fields_defaults_and_copies_are_those_of_a_dataclass(make: type[Leaf]) -> None:
    one = make("oak", parts=["bark"])
    assert is_dataclass(one)
    assert [f.name for f in fields(one)] == ["name", "size", "parts", "about"]
    assert (one.name, one.size, one.parts, one.about) == ("oak", 3, ["bark"], "")
    assert make("a").parts == []
    assert make("a").parts is not make("a").parts
    assert replace(one, size=4) == make("oak", 4, ["bark"])
    assert copy(one) == deepcopy(one) == one
    assert repr(one) == f"{make.__name__}(name='oak', size=3, parts=['bark'])"
    assert not hasattr(one, "__dict__")


@pytest.mark.parametrize("make", [Leaf, Standard])
def test_values_are_equal_by_class_and_compared_fields(make: type[Leaf]) -> None:
    assert make("oak", about="a tree") == make("oak")
    assert make("oak") != make("elm")
    others: list[object] = [("oak", 3, [], ""), Pair(3), "oak"]
    assert all(make("oak") != other for other in others)
    assert {Pair(1, ("a",)): "x"}[Pair(1, ("a",))] == "x"
    assert Nothing() == Nothing()
    assert len({Nothing(), Nothing()}) == 1
    with pytest.raises(TypeError):
        hash(make("oak"))


@pytest.mark.parametrize("make", [Leaf, Standard])
def test_nothing_is_changed_and_nothing_is_left_out(make: type[Leaf]) -> None:
    one = make("oak")
    with pytest.raises(FrozenInstanceError):
        one.name = "elm"  # type: ignore[misc]
    with pytest.raises(FrozenInstanceError):
        del one.name
    with pytest.raises(TypeError, match="name"):
        make()  # type: ignore[call-arg]
    with pytest.raises(TypeError, match="colour"):
        make("oak", colour="green")  # type: ignore[call-arg]


@mutable
class Tally:
    """A value that changes."""

    name: str
    seen: list[str] = field(default_factory=list)
    count: int = 0


@dataclass(slots=True)
class StandardTally:
    """The same, as the standard library makes it."""

    name: str
    seen: list[str] = field(default_factory=list)
    count: int = 0


@pytest.mark.parametrize("make", [Tally, StandardTally])
def test_a_value_that_may_change_does_what_a_dataclass_does(make: type[Tally]) -> None:
    one = make("oak")
    one.count += 2
    one.seen.append("leaf")
    assert one == make("oak", ["leaf"], 2) != make("oak")
    assert copy(one) == deepcopy(one) == one
    assert repr(one) == f"{make.__name__}(name='oak', seen=['leaf'], count=2)"
    with pytest.raises(TypeError):
        hash(one)
    with pytest.raises(AttributeError):
        one.other = 1  # type: ignore[attr-defined]


def test_the_first_values_and_the_many_after_them_are_made_alike() -> None:
    @frozen
    class Point:
        """A value with a field that has a default."""

        x: int
        y: int = 5

    for number in range(3 * FEW):
        assert (Point(number), Point(x=number)) == (Point(number, 5), Point(y=5, x=number))
        for wrong in ({}, {"y": 1}, {"y": 1, "z": 2}, {"x": 1, "y": 2, "z": 3}):
            with pytest.raises(TypeError):
                Point(**wrong)
        for given in ((1, 2, 3), (1,)):
            with pytest.raises(TypeError):
                Point(*given, x=1)  # type: ignore[misc]


def test_a_class_without_words_is_called_by_its_name(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(_: object) -> None:
        raise AssertionError

    monkeypatch.setattr("inspect.signature", refuse)

    class Bare:
        size: int

    assert frozen(Bare).__doc__ == "Bare"
    assert Leaf.__doc__ == "A value of the three kinds of field."
