"""Secrets told in a chat: found in their plain forms, and nowhere else."""

import json
from pathlib import Path

import pytest

from reel_cli.features.purge.told_secrets import find_secrets
from tests.support.cli import Reel


@pytest.mark.parametrize(
    ("said", "found"),
    [
        ("My password is hunter2!x.", ("password", "hunter2!x")),
        ("The password for the router is: 'blue heron'", ("password", "blue heron")),
        ("password: Xk9-opal", ("password", "Xk9-opal")),
        ("Das Passwort ist Amsel77", ("password", "Amsel77")),
        ("My PIN is 4711.", ("PIN", "4711")),
        ("the PIN for the grey card is 081596", ("PIN", "081596")),
        ("pin code 2244", ("PIN", "2244")),
        ("my pin is 4711", ("PIN", "4711")),
        ("It is 4111 1111 1111 1111, valid till May.", ("card number", "4111 1111 1111 1111")),
        ("5500-0000-0000-0004", ("card number", "5500-0000-0000-0004")),
    ],
)
def test_a_plain_secret_is_found(said: str, found: tuple[str, str]) -> None:
    assert list(find_secrets([said, said])) == [found]


@pytest.mark.parametrize(
    "said",
    [
        "The password is forgotten, and the passcode is somewhere.",
        "I changed my password yesterday.",
        "The password is the same as ever.",
        "I put a pin 4711 times through it, and lost my PIN in 2024-05.",
        "PIN 1999 was the year she got it.",
        "password: https://foo.example/reset",
        "Call +49 176 1234 5678 90, or 4111 1111 1111 1112.",
        "ISBN 978-3-16-148410-0",
        "A pin: 4 needles.",
    ],
)
def test_other_words_are_no_secret(said: str) -> None:
    assert list(find_secrets([said])) == []


def test_a_secret_is_named_at_the_end_with_the_command_that_erases_it(reel: Reel, kit: Path) -> None:
    """A bundle quotes a chat: a password told there goes to every model that gets one."""
    told = [{"role": "user", "content": "My PIN is 4711."}, {"role": "assistant", "content": "Not aloud."}]
    place = kit.parent / "secret.json"
    place.write_text(json.dumps({"messages": told, "created_at": "2026-02-25T20:00:00+00:00"}))
    said = reel("end", place).ok().err
    [line] = [one for one in said.splitlines() if "A PIN was told in this chat" in one]
    command = line.partition(":  ")[2]
    assert command == "reel purge --match 4711"
    reel(*command.split()[1:], "--confirm", "Ada").ok()
    assert "4711" not in reel("pack").ok().out
    assert "PIN" not in reel("end").err
