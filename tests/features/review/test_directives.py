"""The directives are in every prompt there is, so they have a limit in tokens."""

from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat

DIRECTIVES = "ring0/directives.md"
RULE = "Never say that the ice is thick. "
"""Eight tokens by the kit's count."""


def limit_to(kit: Path, tokens: str) -> None:
    with (kit / "kit.yaml").open("a") as file:
        file.write(f"directives:\n  limit: {tokens}\n")


def test_over_the_limit_nothing_is_packed_and_the_overrun_is_named(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.2: load rules every time, within a strict limit."""
    limit_to(kit, "90")
    (kit / DIRECTIVES).write_text(RULE * 12)
    found = reel("pack")
    assert (found.code, found.out) == (1, "")
    assert found.err == (
        "Error: ring0/directives.md takes 96 tokens, 6 over its limit of 90: it is in every prompt.\n"
        "Hint: shorten it, or raise directives.limit in kit.yaml\n"
    )
    (kit / DIRECTIVES).write_text(RULE * 11)
    assert RULE in reel("pack").ok().out


def test_the_usual_limit_is_a_thousand_tokens(reel: Reel, kit: Path) -> None:
    (kit / "kit.yaml").write_text((kit / "kit.yaml").read_text() + "window: 64k\n")
    (kit / DIRECTIVES).write_text(RULE * 140)
    assert "over its limit of 1,000" in reel("pack").err
    limit_to(kit, "2k")
    reel("pack").ok()


def test_an_edit_over_the_limit_is_not_accepted(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    (kit / DIRECTIVES).write_text(RULE * 140)
    before = git(kit, "rev-parse", "HEAD")
    found = reel("review", "accept", DIRECTIVES, "--as", "Bo Lind <bo@example.org>", "--yes")
    assert (found.code, git(kit, "rev-parse", "HEAD")) == (1, before)
    assert "over its limit of 1,000" in found.err
    reel("pack").ok()
    (kit / DIRECTIVES).write_text(RULE * 20)
    reel("review", "accept", DIRECTIVES, "--as", "Bo Lind <bo@example.org>", "--yes").ok()


@pytest.mark.parametrize("text", ["none", "0", "-3"])
def test_a_limit_that_is_none_is_refused(reel: Reel, kit: Path, text: str) -> None:
    limit_to(kit, text)
    assert "directives.limit" in reel("pack").err


def test_a_cap_above_the_window_is_refused(reel: Reel, kit: Path) -> None:
    settings = kit / "kit.yaml"
    lines = [line for line in settings.read_text().splitlines() if not line.startswith("window:")]
    settings.write_text("\n".join([*lines, "window: 8k", "cap: 9000", ""]))
    for command in ("pack", "status"):
        found = reel(command)
        assert (found.code, "cap (9,000) is above window (8,192)" in found.err) == (1, True)
