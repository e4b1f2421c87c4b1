"""`reel view`: one web page with all of a kit, in which every text is data and nothing reaches out."""

import json
import re
from base64 import b64encode
from hashlib import sha256
from pathlib import Path

import pytest

from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.values.memory import UNWRITTEN, Level, Memory, memory_path
from reel_cli.features import view
from reel_cli.features.view.memories import page_text
from reel_cli.features.view.timeline import make_timeline
from tests.support.cli import Reel, git
from tests.support.lived_kit import BUS, PAGE, PHONE, live
from tests.support.pages import chat, page
from tests.support.seen_page import HOSTILE, Seen, see

SESSION = "2026-02-25-1"
FIND = Path(view.__file__).parent / "templates/find.js"


def look(reel: Reel, place: Path, *options: str) -> Seen:
    """Write the page of the kit, and read it as a browser does."""
    reel("view", place, *options).ok()
    return see(place.read_text(encoding="utf-8"))


@pytest.fixture
def place(kit: Path) -> Path:
    return kit.parent / "page.html"


@pytest.mark.wheel
def test_a_person_finds_all_of_the_kit_on_the_page(reel: Reel, kit: Path, place: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    bundle = reel("pack").ok().out
    done = reel("view", place).ok()
    assert done.err.splitlines()[0] == f"Wrote {place}: Ada's page, with 1 chat."
    assert f"Open it in your browser:  {place.as_uri()}" in done.err
    seen = look(reel, place)
    assert not seen.open
    assert not seen.crossed
    words = " ".join(seen.text.split())
    for told in (
        "Ada",
        "1 chat, on 25 February 2026.",
        "He is close to a deadline.",
        "The letter that wasn't hers",
        "the residency, forty pages by 30 April",
        "Easier than people",
    ):
        assert told in words, told
    said = json.loads(chat())["messages"]
    assert all(" ".join(one["content"].split()) in words for one in said)
    assert bundle.strip() in seen.text


def test_what_a_memory_is_of_is_one_click_away(reel: Reel, kit: Path, place: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    seen = look(reel, place)
    names = seen.values("id")
    assert len(names) == len(set(names))
    links = seen.values("href")
    assert f"#{SESSION}" in links
    assert not [link for link in links if link.removeprefix("#") not in names]


def test_nothing_of_the_kit_acts_in_the_browser(reel: Reel, kit: Path, place: Path) -> None:
    reel("record", "-", stdin=chat(*(("user", text) for text in HOSTILE), title=HOSTILE[0])).ok()
    memory = Memory(
        "M-001", HOSTILE[1], Level.L1, "\n\n".join(HOSTILE), marker=HOSTILE[0], created="2026-02-25T20:00:00Z"
    )
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / memory_path("M-001")).write_text(render_memory(memory))
    (kit / "ring2/working.md").write_text(f"## State\n\n{HOSTILE[4]}\n\n## Open loops\n\n- {HOSTILE[2]}\n")
    reel("fact", "add", "identity", "name", HOSTILE[1]).ok()
    seen = look(reel, place)
    assert not seen.open
    assert not seen.crossed
    assert not {tag for tag, _ in seen.elements} & {"iframe", "object", "form", "link", "base"}
    assert not [name for _, attrs in seen.elements for name in attrs if name.startswith("on")]
    assert all(link.startswith("#") for link in seen.values("href"))
    assert all(source.startswith("data:image/svg+xml;base64,") for source in seen.values("src"))
    assert "<script>alert(1)</script>" in seen.text
    assert "{{ 7 * 7 }}" in seen.text
    assert not re.search("[\x1b\u202a-\u202e]", place.read_text(encoding="utf-8"))
    policy = next(attrs["content"] for _, attrs in seen.elements if attrs.get("http-equiv"))
    assert str(policy).startswith("default-src 'none';")
    scripts = re.findall(r"<script>(.*?)</script>", place.read_text(encoding="utf-8"), re.DOTALL)
    assert scripts == [FIND.read_text(encoding="utf-8")]
    assert f"script-src 'sha256-{b64encode(sha256(scripts[0].encode()).digest()).decode()}';" in str(policy)


def test_what_was_let_go_is_shown_with_its_words_and_the_way_back(reel: Reel, kit: Path, place: Path) -> None:
    live(reel, kit)
    reel("forget", "M-001", "--yes").ok()
    seen = look(reel, place)
    words = " ".join(seen.text.split())
    assert "memory gone" in seen.values("class")
    assert f"{PAGE.title} let go" in words
    assert "To bring it back: reel restore M-001" in words
    assert "He asked me for his phone number, and there was nothing there." in words
    reel("restore", "M-001").ok()
    assert not [name for name in look(reel, place).values("class") if name == "memory gone"]


def test_a_chat_taken_back_is_not_on_the_page(reel: Reel, kit: Path, place: Path) -> None:
    live(reel, kit)
    assert BUS in look(reel, place).values("id")
    reel("tape", "retract", BUS).ok()
    assert BUS not in look(reel, place).values("id")


@pytest.mark.needs("purge")
def test_what_was_erased_stands_nowhere_on_it(reel: Reel, kit: Path, place: Path) -> None:
    live(reel, kit)
    erased = "a stair that was never built"
    assert erased in look(reel, place).text
    reel("purge", "--match", erased, "--confirm", "Ada").ok()
    assert erased not in look(reel, place).text


def test_what_was_put_right_stands_beside_what_was_said(reel: Reel, kit: Path, place: Path) -> None:
    live(reel, kit)
    reel("tape", "correct", f"{PHONE}#1", "It was his office number.").ok()
    assert "put right on 1 March 2026: It was his office number." in look(reel, place).text


def test_without_the_tape_nothing_that_was_said_is_told(reel: Reel, kit: Path, place: Path) -> None:
    live(reel, kit)
    reel("config", "window", "128k").ok()
    reel("config", "cap", "128k").ok()
    reel("record", "-", stdin="You: The cupboard is blue.\n\nAda: As a plum.\n").ok()
    whole = look(reel, place)
    assert "You always miss the tram on Thursdays." in whole.text
    assert "“The cupboard is blue.”" in whole.text
    done = reel("view", place, "--without", "tape").ok()
    assert done.err.splitlines()[0] == f"Wrote {place}: Ada's page, without what was said word for word."
    seen = see(place.read_text(encoding="utf-8"))
    assert "You always miss the tram on Thursdays." not in seen.text
    # a chat without a title is called by its first words elsewhere
    assert "The cupboard is blue" not in place.read_text(encoding="utf-8")
    assert "a chat without a title" in seen.text
    assert "He asked me for his phone number" in seen.text
    names = seen.values("id")
    assert BUS not in names
    assert not [link for link in seen.values("href") if link.removeprefix("#") not in names]


def test_a_message_has_its_time_of_day_in_the_kit_s_zone(reel: Reel, kit: Path, place: Path) -> None:
    reel("config", "timezone", "Asia/Tokyo").ok()
    said = [
        {"uuid": str(n), "sender": sender, "text": sender, "created_at": f"2026-02-25T19:0{n}:00Z"}
        for n, sender in enumerate(("human", "assistant"))
    ]
    chat = [{"uuid": "u", "name": "late", "created_at": "2026-02-25T19:00:00Z", "chat_messages": said}]
    reel("record", "-", stdin=json.dumps(chat)).ok()
    assert "Ada 04:01" in " ".join(look(reel, place).text.split())


def test_the_life_is_drawn_with_the_same_numbers_in_a_table() -> None:
    chats, facts = ["2024-12-31", "2025-02-01", "2025-02-03", "never"], ["2025-02-03"]
    found = make_timeline({"Chats": chats, "Dreams": [], "Facts": facts})
    assert found is not None
    assert found.lanes == ["Chats", "Facts"]
    told = [(one.name, one.counts, one.link) for one in found.columns]
    assert told == [
        ("February 2025", [2, 1], "month-2025-02"),
        ("December 2024", [1, 0], "month-2024-12"),
    ]
    for bar in ("December 2024: 1", "February 2025: 2", "February 2025: 1", ">2025<"):
        assert bar in found.picture
    assert make_timeline({"Chats": ["undated"]}) is None


@pytest.mark.parametrize(("last", "first_column"), [("2030-01-01", "2024"), ("2099-01-01", "2020 to 2029")])
def test_many_years_keep_to_a_phones_width(last: str, first_column: str) -> None:
    found = make_timeline({"Chats": ["2024-01-01", last]})
    assert found is not None
    assert found.columns[-1].name.endswith(first_column)
    assert found.picture.count("<rect") == 2


def test_headings_are_plain_and_what_was_not_written_is_not_told() -> None:
    body = (
        f'\n## What happened\n\nHe came.\n\n## What changed\n\n{UNWRITTEN}\n\n## Retrieval anchors\n\n- "a"\n'
    )
    assert page_text(body) == '## What happened\n\nHe came.\n\n## Words to find it by\n\n- "a"'
    assert page_text("One line.") == "One line."
    assert page_text(
        "## What happened\n\nHe came.\n\n## What changed\n\nnothing\n\n## What matters\n\nNone."
    ) == ("## What happened\n\nHe came.")


def test_headings_of_one_kind_are_on_one_level(reel: Reel, kit: Path, place: Path) -> None:
    """The first of the memories and of the facts stood one level deeper than the others."""
    live(reel, kit)
    for category, key, value in (("constraints", "nuts", "none"), ("relationships", "sister", "Rike")):
        reel("fact", "add", category, key, value).ok()
    reel("view", str(place)).ok()
    bundle = place.read_text().partition('id="bundle"')[2].partition("</section>")[0]
    headings = re.findall(r"<h(\d)>(.+?)</h\d>", bundle)
    levels = {words: level for level, words in headings}
    assert levels["Constraints"] == levels["Relationships"]
    assert int(levels["Constraints"]) == int(levels["What you know by heart"]) + 1
    memories = {level for level, words in headings if re.search(r"\(\d+ \w+ \d{4}\)$", words)}
    assert len(memories) == 1
    assert int(memories.pop()) == int(levels["What you remember"]) + 1


def test_only_a_page_of_ours_is_written_over(reel: Reel, kit: Path, place: Path) -> None:
    place.write_text("my thesis")
    refused = reel("view", place)
    assert refused.code == 1
    assert place.read_text() == "my thesis"
    assert "--force" in refused.err
    look(reel, place, "--force")
    look(reel, place)
    own = reel("view", kit / "ring0/identity.md", "--force")
    assert own.code == 1
    assert "is a place of the kit's own" in own.err


def test_alone_it_writes_beside_the_kit_and_changes_nothing_in_it(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    before = git(kit, "rev-parse", "HEAD")
    reel("view").ok()
    assert (kit.parent / "ada.html").stat().st_mode & 0o077 == 0
    assert git(kit, "rev-parse", "HEAD") == before
    assert git(kit, "status", "--porcelain") == ""


def test_a_new_kit_and_a_damaged_one_have_a_page_too(reel: Reel, kit: Path, place: Path) -> None:
    assert "Nothing has happened yet." in look(reel, place).text
    reel("record", "-", stdin=chat()).ok()
    file = kit / f"tape/2026/{SESSION}.md"
    file.write_bytes(file.read_bytes().replace(b"e", b"E", 3))
    assert "It cannot be read:" in look(reel, place).text


def test_a_phone_and_a_dark_room_are_thought_of(reel: Reel, kit: Path, place: Path) -> None:
    seen = look(reel, place)
    style = place.read_text().split("<style>")[1].split("</style>")[0]
    assert "prefers-color-scheme: dark" in style
    assert "@media print" in style
    assert any(attrs.get("name") == "viewport" for _, attrs in seen.elements)
