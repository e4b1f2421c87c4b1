"""YAML in a kit is bounded before it is read: in length, in depth, and in how many values it holds."""

from pathlib import Path

import pytest

from reel_cli.core.errors import ReelError
from reel_cli.core.files import yaml_text
from reel_cli.core.files.yaml_text import LARGEST, LARGEST_SETTINGS, parse_yaml
from tests.support.cli import Reel

MANY = 3001


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("a: " + "x" * LARGEST, "is larger than 8 MB"),
        ("a:\n" + "- a\n" * MANY, "holds more than 3,000 values"),
        ("a: [" + "a," * MANY + "]", "holds more than 3,000 values"),
        ("a:\n" + "- b: c\n" * MANY, "holds more than 3,000 values"),
        ("? a\n" * MANY, "holds more than 3,000 values"),
        ("a: &x [b]\n" + "c: *x\n", "uses YAML aliases"),
    ],
)
def test_what_would_take_too_long_to_read_is_refused(
    monkeypatch: pytest.MonkeyPatch, text: str, said: str
) -> None:
    monkeypatch.setattr(yaml_text, "MOST_VALUES", MANY - 1)
    with pytest.raises(ReelError, match=said) as caught:
        parse_yaml(text, "facts.yaml")
    assert caught.value.message.startswith("facts.yaml ")


@pytest.mark.parametrize("text", ["x" * (LARGEST_SETTINGS * 2), "x\n  " * 100_000, "a, b: c - d ? " * 50_000])
def test_a_long_text_is_one_value(text: str) -> None:
    block = "reply: |\n" + "".join(f"  {line.strip()}\n" for line in text.splitlines())
    found = parse_yaml(block, "checkpoints/x.yaml")
    assert isinstance(found, dict)
    assert found.keys() == {"reply"}


def test_every_command_names_settings_that_are_too_long(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(yaml_text, "LARGEST_SETTINGS", 10_000)
    with (kit / "kit.yaml").open("a") as file:
        file.write(f"note: {'x' * 20_000}\n")
    for command in (("pack",), ("record", "-"), ("start",)):
        run = reel(*command, stdin="User: hello\n\nAssistant: hello\n")
        assert run.code in {1, 3}, run.err
        assert "kit.yaml is larger than" in run.err
    for command in (("status",), ("doctor",)):
        run = reel(*command)
        assert "is larger than" in run.out + run.err
