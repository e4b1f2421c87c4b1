"""`reel status --metrics`: nothing is claimed where nothing is known."""

import json
from pathlib import Path

from tests.support.cli import Reel


def test_of_a_new_kit_nothing_is_claimed(reel: Reel, kit: Path) -> None:
    found = json.loads(reel("status", "--metrics", "--json").ok().out)
    assert found["compression_ratio"]["value"] is None
    assert "nothing was said yet" in reel("status", "--metrics").ok().out
