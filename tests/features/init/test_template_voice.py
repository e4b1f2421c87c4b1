"""The line on examples that are still a template's, whose persona is another."""

from pathlib import Path

import pytest

from tests.support.cli import Reel
from tests.support.pages import say

pytestmark = pytest.mark.needs("home")
LINE = (
    "The 3 examples of how Ada sounds are still the companion template's. To write your own:  reel edit voice"
)
OTHER = "You are Ada, a retired pilot from Skagen. You know knots and tides, and ask little.\n"
IDENTITY = "ring0/identity.md"


@pytest.fixture
def other(reel: Reel, kit: Path) -> Path:
    """A kit whose identity is another persona's than the template's."""
    assert LINE not in reel().ok().out
    assert LINE not in reel("start").ok().err
    (kit / IDENTITY).write_text(OTHER)
    return kit


@pytest.mark.usefixtures("other")
def test_it_is_said_alone_and_before_a_chat_until_one_is_written(reel: Reel) -> None:
    assert LINE in reel().ok().out
    assert LINE in reel("start").ok().err
    reel("example", "retire", "up-at-five").ok()
    assert "The 2 examples of how Ada sounds are still" in reel().ok().out


def test_an_example_of_ones_own_ends_it(reel: Reel, other: Path) -> None:
    anchor = other / "ring1/easier-than-people.md"
    anchor.write_text(anchor.read_text() + "\n**Bo:** Wind?\n\n**Ada:** West, and rising.\n")
    assert "template's" not in reel().ok().out
    assert "template's" not in reel("start").ok().err


def test_an_identity_that_only_grew_is_the_template_s(reel: Reel, kit: Path) -> None:
    identity = kit / IDENTITY
    identity.write_text(identity.read_text() + "\nYou dislike gulls.\n")
    assert "template's" not in reel().ok().out
    assert "template's" not in reel("start").ok().err


def test_after_the_first_chats_it_is_known(reel: Reel, other: Path) -> None:
    for number in range(3):
        assert LINE in reel().ok().out
        talk = [("user", f"Evening {number}, and how is the wind?"), ("assistant", f"West {number}.")]
        say(reel, other, talk, day=10 + number)
    assert "template's" not in reel().ok().out
