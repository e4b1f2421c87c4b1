"""Prompts that wait for a reply are stored by their fields; those of an earlier version are read."""

import json
import re
from collections.abc import Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import reel_cli
from reel_cli.core.exchange.exchange import Exchange
from tests.support.installed_features import is_installed

EARLIER: Mapping[str, dict[str, Any]] = json.loads(
    (Path(__file__).parents[2] / "fixtures" / "exchanges.json").read_text(encoding="utf-8")
)
"""One stored prompt of each kind, as version 0.1.0 wrote it, by its class."""
NAMES = sorted(
    name for name in EARLIER if not name.startswith("reel_cli.features.") or is_installed(name.split(".")[2])
)


def kind_of(name: str) -> type[Exchange]:
    module, _, found = name.partition(",")[0].partition(":")
    kind: type[Exchange] = getattr(import_module(module), found)
    return kind


def holds(now: Any, then: Any) -> bool:
    """Whether all that was stored then is stored now, in what lies within it too."""
    if isinstance(then, dict):
        return all(holds(now.get(key), told) for key, told in then.items() if told not in ("", None))
    if isinstance(then, list):
        return len(now) == len(then) and all(map(holds, now, then))
    return bool(now == then)


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_that_an_earlier_version_handed_out_is_read(name: str) -> None:
    kind, value = kind_of(name), EARLIER[name]
    asked = kind.load(value)
    assert asked is not None
    assert (asked.prompt, asked.ring0) == ("The prompt.", "b0")
    again = asked.stored
    assert kind.load(json.loads(json.dumps(again))) == asked
    # nothing of it is lost, and what there is none of may be told otherwise
    assert holds(again, value)


@pytest.mark.parametrize("name", NAMES)
def test_a_prompt_is_taken_for_none_of_another_kind(name: str) -> None:
    readers = {other.partition(",")[0] for other in NAMES if kind_of(other).load(EARLIER[name]) is not None}
    assert readers == {name.partition(",")[0]}


@pytest.mark.parametrize("name", NAMES)
@given(data=st.data())
@settings(max_examples=25, deadline=None)
def test_a_damaged_prompt_is_none_and_no_error(name: str, data: st.DataObject) -> None:
    odd = st.one_of(
        st.none(),
        st.integers(),
        st.text(max_size=5),
        st.lists(st.integers(), max_size=2),
        st.dictionaries(st.text(max_size=3), st.lists(st.text(max_size=3), max_size=2), max_size=2),
    )
    key = data.draw(st.sampled_from(sorted(EARLIER[name])))
    asked = kind_of(name).load({**EARLIER[name], key: data.draw(odd)})
    assert asked is None or asked.stored


def test_no_two_kinds_of_prompt_are_stored_under_one_word() -> None:
    """The recipe's step: a kind has a word of its own, by which no other prompt is taken for it."""
    kinds = {kind_of(name) for name in NAMES}
    words = [kind.kind for kind in kinds if kind.kind]
    assert len(words) == len(set(words))
    sources = (file.read_text(encoding="utf-8") for file in Path(reel_cli.__file__).parent.rglob("*.py"))
    written = {name for text in sources for name in re.findall(r"(?m)^class (\w+)\(Exchange\):", text)}
    # nothing is handed out for what was said in a chat
    assert written - {"AdviceSaid"} == {kind.__name__ for kind in kinds}
