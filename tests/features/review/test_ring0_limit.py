"""Identity and directives are limited where they are written, and not found out at the next pack."""

import json
import re
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat

IDENTITY = "ring0/identity.md"
NAMED = ("--as", "Bo Lind <bo@example.org>", "--yes")
LINE = "You hum when you think, and you never say why.\n"
LONG = LINE * 2_500
"""About 28,000 tokens."""
SAYS = "At a window of 8K they may take 3,072 together, three quarters of what a bundle holds."


def numbers(error: str) -> list[int]:
    return [int(found.replace(",", "")) for found in re.findall(r"\b\d[\d,]*\b", error)]


def count(reel: Reel, text: str) -> int:
    return int(reel("model", "tokens", "-", stdin=text).ok().out)


def test_a_long_identity_is_refused_when_the_kit_is_made(reel: Reel) -> None:
    (reel.cwd / "who.md").write_text(LONG)
    done = reel("init", "ada", "--identity", "who.md")
    assert done.code == 1
    assert SAYS in done.err
    assert numbers(done.err)[0] > 27_000
    assert not (reel.cwd / "ada").exists()
    # the mend works as printed
    size = re.search(r"--window (\w+)", done.err)
    assert size
    reel("init", "ada", "--identity", "who.md", "--window", size[1]).ok()
    reel("--kit", "ada", "pack").ok()


def test_one_from_standard_input_is_kept_in_a_file(reel: Reel) -> None:
    done = reel("init", "ada", "--identity", "-", stdin=LONG)
    assert (done.code, "your text is kept in identity.md; shorten" in done.err) == (1, True)
    assert (reel.cwd / "identity.md").read_text() == LONG
    again = reel("init", "ada", "--identity", "-", stdin=LONG)
    assert "your text is kept in identity-2.md" in again.err


def test_a_long_card_is_refused_with_the_numbers(reel: Reel) -> None:
    card = {"spec": "chara_card_v2", "spec_version": "2.0", "data": {"name": "Ada", "description": LONG}}
    (reel.cwd / "ada.json").write_text(json.dumps(card))
    for words in (("init", "ada", "--card", "ada.json"), ("import", "ada.json", "ada")):
        done = reel(*words)
        if done.code == 2:
            continue
        assert (done.code, SAYS in done.err) == (1, True)
        assert not (reel.cwd / "ada").exists()
    reel("init", "ada", "--card", "ada.json", "--window", "128k").ok()


def test_an_edit_over_the_limit_waits_and_is_not_accepted(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    head = git(kit, "rev-parse", "HEAD")
    (kit / IDENTITY).write_text(LONG)
    done = reel("review", "accept", IDENTITY, *NAMED)
    assert (done.code, SAYS in done.err, git(kit, "rev-parse", "HEAD")) == (1, True, head)
    assert (kit / IDENTITY).read_text() == LONG
    reel("pack").ok()
    hint = re.search(r"reel (config window \w+)", done.err)
    assert hint
    reel(*hint[1].split()).ok()
    reel("review", "accept", IDENTITY, *NAMED).ok()
    assert "You hum when you think" in reel("pack").ok().out


def test_the_editor_refuses_it_and_keeps_what_was_saved(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (reel.cwd / "long.md").write_text(LONG)
    monkeypatch.setenv("EDITOR", f"cp {reel.cwd / 'long.md'}")
    done = reel("edit", "identity")
    assert (done.code, SAYS in done.err) == (1, True)
    assert "reel edit identity" in done.err
    assert (kit / IDENTITY).read_text() == LONG


@pytest.mark.parametrize(
    "words", [("config", "window", "2k"), ("model", "set", "--window", "2k"), ("config", "cap", "2k")]
)
def test_a_window_or_cap_below_the_identity_is_refused(reel: Reel, kit: Path, words: tuple[str, ...]) -> None:
    (kit / IDENTITY).write_text(LINE * 150)
    before = (kit / "kit.yaml").read_text()
    done = reel(*words)
    what = "a cap" if "cap" in words else "a window"
    assert (done.code, f"At {what} of 2K they may take 768 together" in done.err) == (1, True)
    assert (kit / "kit.yaml").read_text() == before
    reel("pack").ok()


def test_the_limit_itself_is_allowed_and_one_more_is_not(reel: Reel, kit: Path) -> None:
    """Memory Keep §I.1: load identity from files every time; it does not grow by itself."""
    reel("record", "-", stdin=chat()).ok()
    rules = int(
        reel("model", "tokens", "-", stdin=(kit / "ring0/directives.md").read_text().strip()).ok().out
    )
    for more, code in ((1, 1), (0, 0)):
        words = "word" + " word" * (3_072 - rules + more - 1)
        assert count(reel, words) == 3_072 - rules + more
        (kit / IDENTITY).write_text(words + "\n")
        assert reel("review", "accept", IDENTITY, *NAMED).code == code
    reel("pack").ok()


def test_a_kit_that_is_over_it_already_goes_on_as_before(reel: Reel, kit: Path) -> None:
    (kit / IDENTITY).write_text(LINE * 280)
    git(kit, "commit", "-qam", "by hand")
    reel("record", "-", stdin=chat()).ok()
    reel("pack").ok()
    reel("config", "checkpoint.turns", "60").ok()
    # it may get better, and not worse
    (kit / IDENTITY).write_text(LINE * 281)
    assert reel("review", "accept", IDENTITY, *NAMED).code == 1
    (kit / IDENTITY).write_text(LINE * 279)
    reel("review", "accept", IDENTITY, *NAMED).ok()
    reel("init", "../second", "--template", ".").ok()


def test_rules_over_their_limit_are_refused_by_the_editor_and_the_setting(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (reel.cwd / "rules.md").write_text(LINE * 120)
    monkeypatch.setenv("EDITOR", f"cp {reel.cwd / 'rules.md'}")
    assert "over its limit of 1,000" in reel("edit", "rules").err
    (kit / "ring0/directives.md").write_text(LINE * 60)
    assert "over its limit of 90" in reel("config", "directives.limit", "90").err
