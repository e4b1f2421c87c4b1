"""`reel status --metrics`: nothing is claimed where nothing is known."""

import json
from pathlib import Path

from tests.support.cli import Reel
from tests.support.pages import say


def test_of_a_new_kit_nothing_is_claimed(reel: Reel, kit: Path) -> None:
    found = json.loads(reel("status", "--metrics", "--json").ok().out)
    assert found["compression_ratio"]["value"] is None
    assert "nothing was said yet" in reel("status", "--metrics").ok().out


def test_a_short_life_takes_more_than_was_said_and_no_share_is_claimed(reel: Reel, kit: Path) -> None:
    say(reel, kit, [("user", "Hello."), ("assistant", "Hello, Bo.")])
    small = json.loads(reel("status", "--metrics", "--json").ok().out)["compression_ratio"]
    assert small["retained"] > small["said"]
    (line,) = [one for one in reel("status", "--metrics").ok().out.splitlines() if "(CR)" in one]
    assert "%" not in line
    assert f"{small['retained']} tokens tell of the {small['said']} said" in line
