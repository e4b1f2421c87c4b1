"""The life in the browser: a year of it, each memory with what can be done about it."""

from pathlib import Path

import pytest

from tests.features.forgetting.test_forget import fade
from tests.support.cli import Reel
from tests.support.lived_kit import PAGE, live
from tests.support.pages import chat
from tests.support.served_kit import Browser, click_in_process, open_browser

for needed in ("starlette", "multipart"):
    pytest.importorskip(needed)


@pytest.fixture
def site(reel: Reel, kit: Path) -> Browser:
    live(reel, kit)
    click_in_process(reel)
    return open_browser(kit)


def test_a_year_names_its_memories_and_each_is_read_when_it_is_opened(site: Browser, reel: Reel) -> None:
    reel("record", "-", stdin=chat(created_at="2024-05-01T19:00:00+00:00")).ok()
    life = site.ask("/life")
    assert PAGE.title in life.words
    assert PAGE.marker in life.words
    assert "He asked me for his phone number" not in life.words
    assert "/memory/M-001" in life.seen.values("data-more")
    part = site.ask("/memory/M-001?part=1")
    assert "He asked me for his phone number" in part.words
    assert "<html" not in part.text
    older = site.ask("/life?year=2024")
    assert "May 2024" in older.words
    assert PAGE.title not in older.words
    # the timeline is that of all years, and leads to each month
    assert "/life?year=2024#month-2024-05" in life.seen.values("href")
    assert "month-2024-05" in older.seen.values("id")


def test_a_memory_is_pinned_let_go_and_brought_back_where_it_stands(site: Browser) -> None:
    def buttons(mark: str) -> list[str]:
        part = site.ask("/memory/M-001?part=1")
        assert part.seen.values("data-mark") == [mark]
        deeds = [attrs.get("value") for tag, attrs in part.seen.elements if attrs.get("name") == "deed"]
        return [str(deed) for deed in deeds]

    assert buttons("") == ["pin", "forget"]
    site.send("/do", deed="pin", what="M-001")
    assert buttons("pinned") == ["unpin", "forget"]
    assert "pinned" in site.ask("/life").words
    site.send("/do", deed="unpin", what="M-001")
    site.send("/do", deed="forget", what="M-001")
    assert buttons("let go") == ["restore"]
    gone = site.ask("/life")
    assert f"{PAGE.title} let go" in gone.words
    site.send("/do", deed="restore", what="M-001")
    assert buttons("pinned") == ["unpin", "forget"]


def test_a_memory_is_kept_for_good_with_a_reason(site: Browser) -> None:
    assert "Say why it must never go." in site.send("/do", deed="immune", what="M-003", why="  ").words
    assert "Done" in site.send("/do", deed="immune", what="M-003", why="the first\ntest").words
    shown = site.ask("/memory/M-003")
    assert "It never goes: the first test." in shown.words
    assert "Why?" not in shown.words
    assert "Take it back" in site.send("/do", deed="mortal", what="M-003").words
    assert "It never goes" not in site.ask("/memory/M-003").words


def test_a_memory_comes_back_to_the_level_that_is_clicked(site: Browser, kit: Path) -> None:
    whole = (kit / "ring3/M-001.md").read_text()
    fade(kit, "L2")
    fade(kit, "L3", "A marker.\n")
    shown = site.ask("/memory/M-001")
    levels = [attrs["value"] for _, attrs in shown.seen.elements if attrs.get("name") == "level"]
    assert levels == ["L2", "L1"]
    for level in ("--all", "L9"):
        assert "Not done" in site.send("/do", deed="restore", what="M-001", level=level).words
        assert (kit / "ring3/M-001.md").read_text() != whole
    site.send("/do", deed="restore", what="M-001", level="L1")
    assert (kit / "ring3/M-001.md").read_text() == whole
    assert "As it was until" not in site.ask("/memory/M-001").words


def test_what_was_recalled_and_how_it_shrank_is_drawn_and_told_in_numbers(site: Browser, reel: Reel) -> None:
    reel("recall", "phone number").ok()
    reel("forget", "M-001", "--yes").ok()
    part = site.ask("/memory/M-001?part=1")
    assert "Recalled on 1 March 2026." in part.words
    assert "curve" in part.seen.values("class")
    assert "At most 50 tokens; dots: recalled" in part.words
    assert "Its size over time, as a table" in part.words


def test_to_look_at_alone_there_is_nothing_to_click(reel: Reel, kit: Path) -> None:
    live(reel, kit)
    part = open_browser(kit, read_only=True).ask("/memory/M-001?part=1")
    assert "button" not in {tag for tag, _ in part.seen.elements}


def test_a_message_leads_to_what_came_from_it_and_a_memory_to_its_message(site: Browser, reel: Reel) -> None:
    memory = site.ask("/memory/M-001")
    (back,) = [link for link in memory.seen.values("href") if link.startswith("/chat/")]
    chat_page = back.partition("#")[0]
    talk = site.ask(chat_page)
    assert "/memory/M-001" in talk.seen.values("href")
    assert back.partition("#")[2] in talk.seen.values("id")
    pytest.importorskip("reel_cli.features.facts.view")
    turn = f"{chat_page.removeprefix('/chat/')}#2"
    reel("fact", "add", "identity", "name", "Bo", "--source", turn).ok()
    assert "Known by heart: " in site.ask(chat_page).words
