"""Where a cap below the window is set, sentences that mean it say so."""

from pathlib import Path

import pytest

from reel_cli.core.pack.budget import plan_budget
from reel_cli.core.values.fullness import empty_stream
from reel_cli.core.values.settings import Settings
from tests.support.cli import Reel

CAPPED, PLAIN = Settings("Ada", window=32_768, cap=4_096), Settings("Ada", window=4_096, cap=4_096)


@pytest.mark.parametrize(("settings", "word"), [(CAPPED, "cap"), (PLAIN, "window")])
def test_each_says_what_it_is_held_to(settings: Settings, word: str) -> None:
    assert (settings.held_to, plan_budget(settings).held_to) == (word, word)
    full = empty_stream(settings, 4_000)
    assert full.told("Tea") == (
        f"Going on: Tea, 97 % of the {word} (4,000 of 4,096 tokens). To go on with room:  reel keep"
    )
    assert settings.raised_by.startswith(f"raise {word}")


def test_what_does_not_fit_into_a_cap_is_told_with_the_cap(reel: Reel, kit: Path) -> None:
    (kit / "ring0/identity.md").write_text("You hum when you think, and you never say why.\n" * 150)
    settings = (kit / "kit.yaml").read_text()
    (kit / "kit.yaml").write_text(f"{settings}cap: 2k\n")
    done = reel("pack")
    assert (done.code, "a 2K cap leaves 1,024" in done.err, "window" in done.err) == (1, True, False)
    (kit / "kit.yaml").write_text(settings)
    assert "a 2K window leaves 1,024" in reel("pack", "--window", "2k").err
