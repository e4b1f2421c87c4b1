"""One value of a YAML text set or taken out: everything else stays, character for character."""

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_edit import add_item, drop_item, drop_value, set_value
from reel_cli.core.files.yaml_text import parse_mapping

BASE = """\
# the first line
name: Ada  # who it is
dream:
  # how often
  every: 7d   # a week
  threshold: 0.3

via: lmstudio
behavior: {list_tolerance: 0.2, token_policy: {base: 900}}
keep:
domain:
  with:
  - quests
  - leads
# the last line
"""


@pytest.mark.parametrize(
    ("path", "value", "gone", "fresh"),
    [
        ("name", "Bo", "name: Ada  # who it is", "name: Bo  # who it is"),
        ("window", "32k", "", "window: 32k"),
        ("dream.every", "10d", "  every: 7d   # a week", "  every: 10d   # a week"),
        ("dream.over", "5", "", "  over: 5"),
        ("via", "ollama", "via: lmstudio", "via: ollama"),
        ("behavior.list_tolerance", "0.9", "", "behavior: {list_tolerance: 0.9, token_policy: {base: 900}}"),
        ("behavior.token_policy.min", "4", "", "token_policy: {base: 900, min: 4}}"),
        ("keep.at", "0.8", "", "keep: {at: 0.8}"),
        ("prune.idle_sessions", "3", "", "prune: {idle_sessions: 3}"),
        ("a.b.c", "d", "", "a: {b: {c: d}}"),
        ("domain.with", "[one]", "  - leads\n", "  with: [one]"),
    ],
)
def test_a_value_is_set_and_the_rest_stays(path: str, value: str, gone: str, fresh: str) -> None:
    made = set_value(BASE, path.split("."), value, "kit.yaml")
    assert fresh in made
    assert not gone or gone not in made
    kept = [line for line in BASE.splitlines() if "#" in line and (not gone or line not in gone)]
    assert all(line in made for line in kept)
    before, after = parse_mapping(BASE, "x"), parse_mapping(made, "x")
    section = path.partition(".")[0]
    assert {key: one for key, one in before.items() if key != section} == {
        key: one for key, one in after.items() if key != section
    }


@pytest.mark.parametrize("path", ["name", "dream.every", "via", "behavior.list_tolerance", "domain.with"])
def test_a_value_is_taken_out_and_the_rest_stays(path: str) -> None:
    keys = path.split(".")
    made = drop_value(BASE, keys, "kit.yaml")
    found = parse_mapping(made, "x")
    assert (found.get(keys[0]) or {}) == (
        {key: one for key, one in parse_mapping(BASE, "x")[keys[0]].items() if key != keys[-1]}  # type: ignore[union-attr]
        if len(keys) > 1
        else {}
    )
    assert "# the first line" in made
    assert "# the last line" in made


def test_a_section_that_is_empty_then_goes_as_well() -> None:
    made = drop_value("a: {b: {c: d}}\ne: f\n", ["a", "b", "c"], "kit.yaml")
    assert made == "e: f\n"
    assert drop_value(made, ["a", "b"], "kit.yaml") == made


@pytest.mark.parametrize("text", ["", "# only a remark", "{a: b}", "a: b", "a: {b: c,}"])
def test_a_value_is_added_to_any_text(text: str) -> None:
    made = set_value(text, ["a", "z"] if "{b" in text else ["z"], "1", "kit.yaml")
    found = parse_mapping(made, "x")
    assert (found["a"] if "{b" in text else found)["z"] == "1"  # type: ignore[call-overload, index]


@pytest.mark.parametrize(
    ("text", "added", "dropped"),
    [
        ("a: [x, y]  # few\n", "a: [x, y, z]  # few\n", "a: [y]  # few\n"),
        ("a:\n- x  # one\n- y\nb: 1\n", "a:\n- x  # one\n- y\n- z\nb: 1\n", "a:\n- y\nb: 1\n"),
        ("a:\n  - y\n  - x", "a:\n  - y\n  - x\n  - z\n", "a:\n  - y\n"),
        ("a: x\nb: 1\n", "a: [x, z]\nb: 1\n", "b: 1\n"),
        ("a: []\n", "a: [z]\n", "a: []\n"),
        ("b: 1\n", "b: 1\na: [z]\n", "b: 1\n"),
    ],
)
def test_an_item_is_added_and_taken_out_and_the_rest_stays(text: str, added: str, dropped: str) -> None:
    assert add_item(text, ["a"], "z", "kit.yaml") == added
    assert drop_item(text, ["a"], "x", "kit.yaml") == dropped
    assert drop_item(text, ["a"], "q", "kit.yaml") == text


def test_a_text_that_the_editor_stumbles_over_is_named_with_its_line() -> None:
    with pytest.raises(ReelError, match=r"kit\.yaml, line 2"):
        add_item("a: [x]\nb: 1\t\n", ["a"], "z", "kit.yaml")
