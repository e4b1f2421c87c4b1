"""A hostile card and a message of a million characters, as the served page and the written one show them."""

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.support.cli import Reel
from tests.support.seen_page import HOSTILE, Seen, see
from tests.support.served_kit import open_browser

pytest.importorskip("starlette")
pytest.importorskip("multipart")
PATHS = ("/", "/who", "/known", "/life", "/chats", "/decide", "/decide/look", "/evening")
MILLION = 1_000_000


def is_only_words(seen: Seen) -> bool:
    """Whether a page is whole, and nothing but its own script can act in it."""
    acts = [name for _, attrs in seen.elements for name in attrs if name.startswith("on")]
    tags = {tag for tag, _ in seen.elements}
    odd = [link for link in seen.values("href") if not re.match(r"/(?!/)|#|data:,$|$", link)]
    return not (seen.open or seen.crossed or acts or odd or tags & {"iframe", "object", "base"})


@pytest.mark.needs("cards")
def test_a_hostile_card_is_only_words(reel: Reel, tmp_path: Path) -> None:
    card = tmp_path / "card.json"
    fields = ("description", "personality", "scenario", "first_mes", "mes_example", "system_prompt")
    data: dict[str, Any] = {
        "name": f"Mallory {HOSTILE[0]}",
        **{name: "\n\n".join(HOSTILE) for name in fields},
    }
    data["character_book"] = {"name": HOSTILE[1], "entries": [{"keys": ["ferry"], "content": HOSTILE[4]}]}
    card.write_text(json.dumps({"spec": "chara_card_v2", "spec_version": "2.0", "data": data}))
    kit = tmp_path / "mallory"
    reel("init", kit, "--card", card, cwd=tmp_path).ok()
    site = open_browser(kit)
    for path in PATHS:
        told = site.ask(path)
        assert told.status == 200, path
        assert is_only_words(told.seen), path
        assert [attrs for tag, attrs in told.seen.elements if tag == "script"] == [
            {"src": "/page.js", "defer": None}
        ]
        assert not re.search("[\x1b\u202a-\u202e]", told.text)
    assert "<script>alert(1)</script>" in site.ask("/who").seen.text
    place = tmp_path / "page.html"
    reel("--kit", kit, "view", place).ok()
    assert is_only_words(see(place.read_text(encoding="utf-8")))


def test_a_message_of_a_million_characters_is_recorded_shown_and_found(reel: Reel, kit: Path) -> None:
    site = open_browser(kit)
    long = "walrus " + "x" * MILLION + " <b>"
    told = site.bring("/evening/record", "chat.txt", f"You: {long}\n\nAda: Well.\n".encode())
    assert "Recorded" in told.words
    shown = site.ask("/chat/2026-03-01-1")
    assert "x" * MILLION + " <b>" in shown.seen.text
    assert is_only_words(shown.seen)
    found = site.ask("/find?q=walrus")
    assert found.status == 200
    assert is_only_words(found.seen)
    place = kit.parent / "page.html"
    reel("view", place).ok()
    assert "x" * MILLION + " <b>" in see(place.read_text(encoding="utf-8")).text
