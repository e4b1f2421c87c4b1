"""Cards, lorebooks and folders of notes made to hang a reader: nested macros, slow patterns, odd files."""

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Reel, git

SLOW_KEYS = ["/(a+)+$/", "/(a|a)*b/i", "/^(([a-z])+.)+[A-Z]([a-z])+$/", "/(?<!/", "(x+x+)+y"]
"""Patterns that take ages against a long row of one letter, and one that is none."""
LONG = "a" * 60_000 + "!"
NESTED = "{{" * 300 + "char" + "}}" * 300
MACROS = (
    "{{a{{b}}}} {{{{char}}}} {{char{{char}}}} {{random:{{random:{{user}}}}}} {{// {{// x}} }}",
    NESTED,
    "{{user",
    "{{setvar::x::{{getvar::x}}}}{{getvar::x}}",
)


def card(**fields: Any) -> bytes:
    """A card of version 2 with these fields."""
    data = {"name": "Mira", "description": "Mira keeps the light.", "extensions": {}, **fields}
    text = json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}, indent=2)
    return f"{text}\n".encode()


def talk(reel: Reel) -> None:
    """Record a long row of one letter, and look it up."""
    said = [{"role": "user", "content": LONG}, {"role": "assistant", "content": f"Oh. {LONG}"}]
    reel("record", "-", stdin=json.dumps({"messages": said})).ok()
    reel("pack", "--cue", LONG).ok()
    reel("recall", LONG[-3_000:]).ok()
    reel("status").ok()


def test_macros_in_macros_end_and_go_out_as_they_came(reel: Reel) -> None:
    (reel.cwd / "card.json").write_bytes(
        card(
            description=" ".join(MACROS),
            first_mes="\n".join(MACROS),
            mes_example=f"<START>\n{{{{user}}}}: {MACROS[0]}\n{{{{{{{{char}}}}}}}}: hi",
            system_prompt=MACROS[3],
            creator_notes="{{" * 200_000,
        )
    )

    reel("init", "mira", "--card", "card.json", "--window", "128k").ok()
    reel.cwd /= "mira"
    reel("export", "card", "--out", "../again.json").ok()

    assert (reel.cwd / "../again.json").read_bytes() == (reel.cwd / "../card.json").read_bytes()


@pytest.mark.parametrize("name", ["{{char}}", "{{a{{b}}}}", NESTED])
def test_a_name_that_is_a_macro_ends_in_a_name_or_one_line(reel: Reel, name: str) -> None:
    (reel.cwd / "card.json").write_bytes(card(name=name))

    run = reel("init", "mira", "--card", "card.json")

    assert run.code in (0, 1)
    assert run.err.count("Error: ") == run.code


def test_patterns_of_a_card_s_book_are_never_run(reel: Reel) -> None:
    entry = {"keys": SLOW_KEYS, "content": "The hidden bell.", "use_regex": True, "enabled": True}
    (reel.cwd / "card.json").write_bytes(card(character_book={"entries": [entry]}))
    reel("init", "mira", "--card", "card.json").ok()
    reel.cwd /= "mira"

    talk(reel)


def test_patterns_of_a_lorebook_are_never_run(reel: Reel, kit: Path) -> None:
    entry = {"key": SLOW_KEYS, "content": "The hidden bell.", "comment": "Bell", "use_regex": True}
    (kit.parent / "world.json").write_text(json.dumps({"entries": {"0": entry}}))
    reel("import", "lorebook", "../world.json", "--yes").ok()

    talk(reel)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="needs pipes")
def test_a_folder_of_odd_files_comes_in_without_them(reel: Reel, kit: Path) -> None:
    notes = kit.parent / "notes"
    notes.mkdir()
    for number in range(3_000):
        (notes / f"n{number}.md").write_text(f"The lamp number {number} is green.\n")
    (notes / "loop").symlink_to(".")
    (notes / "up").symlink_to("../notes")
    (notes / "itself.md").symlink_to("itself.md")
    os.mkfifo(notes / "pipe.md")
    (notes / "vast.md").touch()
    os.truncate(notes / "vast.md", 3 << 30)

    run = reel("import", "memories", notes, "--yes").ok()

    assert "3,000 memories" in run.err
    assert "vast.md is larger than a note can be (1 MB)" in run.err
    assert git(kit, "status", "--porcelain") == ""
    assert "There is nothing new to import.\n" in reel("import", "memories", notes, "--yes").ok().err
