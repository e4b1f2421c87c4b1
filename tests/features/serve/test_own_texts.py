"""The texts that a person writes, edited in the browser: saved as `reel edit` does, nothing written over."""

import re
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.pages import chat
from tests.support.served_kit import Browser, PageAnswer, click_in_process, open_browser

for needed in ("starlette", "multipart"):
    pytest.importorskip(needed)


@pytest.fixture
def site(reel: Reel, kit: Path) -> Browser:
    click_in_process(reel)
    return open_browser(kit)


def form_of(told: PageAnswer, name: str) -> dict[str, str]:
    """The fields of the form for one text."""
    from tests.support.served_kit import read_form

    forms = re.split(r'(?=<form method="post" action="/who/edit">)', told.text)[1:]
    return next(form for form in (read_form(one, "/who/edit") for one in forms) if form["name"] == name)


def test_where_things_stand_is_edited_and_counts_at_once(site: Browser, kit: Path) -> None:
    notes = kit / "ring2/working.md"
    before = notes.read_text()
    form = form_of(site.ask("/who"), "now")
    assert form["text"] == before
    done = site.ask("/who/edit", {**form, "text": form["text"] + "\nHe moved to Brno.\n"})
    assert "Saved. The next chat begins with it." in done.words
    assert notes.read_text() == before + "\nHe moved to Brno.\n"
    assert git(kit, "status", "--porcelain") == ""
    site.ask("/do", done.form("/do"))
    assert notes.read_text() == before


def test_who_it_is_waits_for_an_approval_once_somebody_talked_with_it(
    site: Browser, reel: Reel, kit: Path
) -> None:
    reel("record", "-", stdin=chat()).ok()
    identity = kit / "ring0/identity.md"
    before = identity.read_text()
    form = form_of(site.ask("/who"), "identity")
    done = site.ask("/who/edit", {**form, "text": before.replace("\n", "\r\n") + "You like snow.\r\n"})
    assert "It counts once you approve it, under Decide" in done.words
    assert identity.read_text() == before + "You like snow.\n"
    assert "You like snow." in site.ask("/decide").words
    assert "You like snow." not in site.ask("/").words
    site.ask("/do", done.form("/do"))
    assert identity.read_text() == before


def test_what_cannot_be_saved_stays_in_its_box(site: Browser, kit: Path) -> None:
    identity = kit / "ring0/identity.md"
    form = form_of(site.ask("/who"), "identity")
    long = site.ask("/who/edit", {**form, "text": "You are she. " * 4_000})
    assert "answer no" in long.text
    assert form_of(long, "identity")["text"].startswith("You are she. You are")
    assert identity.read_text() == form["text"]
    broken = form_of(site.ask("/who"), "voice")
    refused = site.ask("/who/edit", {**broken, "text": "---\ntitle: x\n"})
    assert "answer no" in refused.text
    assert git(kit, "status", "--porcelain") == ""


def test_an_edit_elsewhere_meanwhile_is_not_written_over(site: Browser, kit: Path) -> None:
    notes = kit / "ring2/working.md"
    form = form_of(site.ask("/who"), "now")
    notes.write_text(f"{form['text']}\nShe is in Oslo.\n")
    mine = {**form, "text": "Mine."}
    refused = site.ask("/who/edit", mine)
    assert "Something was changed elsewhere since this page was shown" in refused.words
    assert form_of(refused, "now")["text"] == "Mine."
    assert "She is in Oslo." in notes.read_text()
    assert "There is nothing of that name." in site.send("/who/edit", name="kit.yaml", text="x").words
    unchanged = site.ask("/who/edit", form_of(site.ask("/who"), "rules"))
    assert "Nothing was changed" in unchanged.words
    assert "Take it back" not in unchanged.words.partition("Done")[2].partition("Back")[2]


def test_the_picture_of_a_card_is_shown(site: Browser, kit: Path) -> None:
    pytest.importorskip("reel_cli.features.cards.png")
    from reel_cli.features.cards.png import plain_picture

    assert "/face.png" not in site.ask("/").seen.values("src")
    assert site.ask("/face.png").status == 404
    (kit / "card").mkdir()
    (kit / "card/picture.png").write_bytes(b"no picture")
    assert site.ask("/face.png").status == 404
    face = plain_picture()
    (kit / "card/picture.png").write_bytes(face)
    told = site.ask("/")
    assert "/face.png" in told.seen.values("src")
    assert site.ask("/face.png").data == face
