"""The half of a test's cases that one run tries, and the half that the next does."""

from types import SimpleNamespace
from typing import Any

from tests.conftest import _cases_of_turn


def _case(name: str, **more: Any) -> Any:
    return SimpleNamespace(nodeid=name, **more)


def test_by_turns_each_case_is_tried_and_a_test_without_cases_always() -> None:
    many = [_case(f"test_a.py::test_many[{n}]", callspec=n) for n in range(5)]
    few = [_case(f"test_a.py::test_few[{n}]", callspec=n) for n in range(3)]
    plain = _case("test_a.py::test_plain")
    turns = [_cases_of_turn([*many, *few, plain], turn, 2) for turn in (0, 1)]
    assert [len([one for one in run if one in many]) for run in turns] == [3, 2]
    assert all(one in turns[0] or one in turns[1] for one in many)
    assert all(one in run for run in turns for one in (*few, plain))
