"""`reel serve`: an evening by clicks, and nobody else gets in."""

import importlib.util
import json
import re
import socket
from pathlib import Path
from urllib.parse import urlencode

import pytest

from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.values.memory import Level, Memory, memory_path
from tests.features.contradictions.test_contradictions import FIRST, ITEM, LATER, SECOND
from tests.features.record.test_record_latest import put
from tests.features.watch.test_watch import chat_file
from tests.support.cli import Reel, git
from tests.support.lived_kit import LETTER, PAGE, PHONE, live
from tests.support.pages import chat, page
from tests.support.seen_page import HOSTILE
from tests.support.served_kit import TOKEN, Browser, PageAnswer, click_in_process, make_app, open_browser
from tests.support.shelf import take_over

pytest.importorskip("starlette")
pytest.importorskip("uvicorn")
pytest.importorskip("multipart")


@pytest.fixture
def served(reel: Reel, kit: Path) -> Browser:
    click_in_process(reel)
    return open_browser(kit)


@pytest.fixture
def looked_at(reel: Reel, kit: Path) -> Browser:
    click_in_process(reel)
    return open_browser(kit, read_only=True)


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def words(told: PageAnswer) -> str:
    return told.words


def test_an_evening_is_done_by_clicks(served: Browser, kit: Path) -> None:
    assert "When a chat is over, bring it here." in words(served.ask("/evening"))
    recorded = served.send("/evening/record", text=chat())
    assert "Recorded" in words(recorded)
    prompt = served.ask("/evening")
    assert "Write the page you will wake up to next time" in prompt.text
    before = head(kit)
    read = served.send("/evening/read", reply=page())
    assert "A memory to keep: The letter that wasn't hers" in words(read)
    assert "What it changes" in words(read)
    assert head(kit) == before
    kept = served.ask("/evening/keep", read.form("/evening/keep"))
    assert kept.status == 200
    assert "Kept" in words(kept)
    assert (kit / "ring3/M-001.md").exists()
    assert git(kit, "status", "--porcelain") == ""
    life = words(served.ask("/life"))
    assert "The letter that wasn't hers" in life


def test_half_an_answer_is_told_and_stays_in_its_box(served: Browser, kit: Path) -> None:
    served.send("/evening/record", text=chat())
    half = page().partition("## What matters")[0]
    read = served.send("/evening/read", reply=half)
    assert "3 of 15 parts came" in words(read)
    assert "Still to come: " in words(read)
    assert half.strip() in read.seen.text
    assert not (kit / "ring3/M-001.md").exists()


def test_a_short_page_is_asked_for_and_kept(served: Browser, kit: Path) -> None:
    served.send("/evening/record", text=chat())
    half = page().partition("## What matters")[0]
    asked = served.send("/evening/read", reply=half, step="shorter")
    assert "in a short answer" in words(asked)
    assert half.strip() in asked.seen.text
    assert asked.text.count("## ") < served.ask("/evening").text.count("## ")
    read = served.send("/evening/read", reply=page(), brief="1")
    kept = served.ask("/evening/keep", read.form("/evening/keep"))
    assert "Kept" in words(kept)
    assert "Take it back" in words(kept)
    served.send("/do", deed="undo", what="")
    assert not (kit / "ring3/M-001.md").exists()


def test_a_chat_of_a_chat_program_is_picked(served: Browser, kit: Path) -> None:
    talk = chat_file("Is the ice thick?", "Thick enough for a hare.")
    place = put(Path.home() / ".lmstudio/conversations/1772050000000.conversation.json", talk)
    assert "is not recorded yet" in words(served.ask("/evening"))
    other = put(kit.parent / "1772050000001.conversation.json", talk)
    assert "is recorded already, or is not there" in words(served.send("/evening/record", chat=str(other)))
    assert "Recorded" in words(served.send("/evening/record", chat=str(place)))
    assert "is not recorded yet" not in words(served.ask("/evening"))


def test_a_chat_that_may_be_of_another_kit_is_asked_about_and_not_lost(served: Browser, kit: Path) -> None:
    talk = "Bot: The invoice is ready.\nBo: Send it on.\nBot: Sent.\n"
    refused = served.send("/evening/record", text=talk)
    assert "It is a chat with Bot, and this kit is Ada." in words(refused)
    assert talk in refused.seen.text
    insist = "It belongs here: record it all the same"
    assert insist in words(refused)
    # no other refusal is about whose chat it is
    assert insist not in words(served.send("/evening/record", text="no names at all"))
    assert list((kit / "tape").rglob("20*.md")) == []
    assert "Recorded" in words(served.send("/evening/record", text=talk, same="1"))


def test_only_what_was_done_is_taken_back_or_done_again(served: Browser, reel: Reel, kit: Path) -> None:
    assert "A mistake?" not in words(served.ask("/"))
    live(reel, kit)
    assert "Set that chat aside" in words(served.ask("/"))
    served.send("/do", deed="forget", what="M-001")
    assert "The last change: " in words(served.ask("/"))
    assert "Do it again" not in words(served.ask("/"))
    served.ask("/do", served.ask("/").form("/do"))
    assert "Taken back: " in words(served.ask("/"))


def test_the_menu_marks_the_page_that_is_open(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    for path, name in (("/", "Now"), ("/evening", "After a chat"), ("/memory/M-001", "Life")):
        assert re.findall(r'aria-current="page">([^<]+)<', served.ask(path).text) == [name]


def test_a_memory_is_let_go_and_comes_back(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    shown = served.ask("/memory/M-001")
    assert PAGE.title in words(shown)
    assert "He asked me for his phone number" in words(shown)
    served.send("/do", deed="forget", what="M-001")
    assert not (kit / "ring3/M-001.md").exists()
    assert "Bring it back" in words(served.ask("/memory/M-001"))
    served.send("/do", deed="restore", what="M-001")
    assert (kit / "ring3/M-001.md").exists()
    assert "Done" in words(served.send("/do", deed="undo", what=""))
    assert not (kit / "ring3/M-001.md").exists()


def test_a_moment_is_found_and_read_in_its_chat(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    found = served.ask("/find?q=phone+number")
    link = next(one for one in found.seen.values("href") if one.startswith(f"/chat/{PHONE}"))
    told = served.ask(link.partition("#")[0])
    assert told.status == 200
    assert link.partition("#")[2] in told.seen.values("id")
    assert "<mark>phone</mark> <mark>number</mark>" in found.text
    assert "10 February 2026" in words(found)


@pytest.mark.needs("facts")
def test_a_fact_that_answers_is_shown(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    fact = ("relationships", "sister", "Bo's sister lives in Lisbon", "--source", f"{LETTER}#3")
    reel("fact", "add", *fact).ok()
    assert "Bo's sister lives in Lisbon" in words(served.ask("/find?q=Where+does+my+sister+live%3F"))


def test_what_waits_is_decided(served: Browser, kit: Path) -> None:
    file = kit / "ring0/directives.md"
    was = file.read_text()
    file.write_text(f"{was}- Never say sorry.\n")
    cards = served.ask("/decide")
    assert "Never say sorry." in words(cards)
    served.send("/do", deed="reject", what="ring0/directives.md")
    assert file.read_text() == was
    assert "Nothing waits for you." in words(served.ask("/decide"))


def test_a_change_of_who_it_is_takes_a_name(reel: Reel, kit: Path) -> None:
    lived = take_over(reel, kit.parent / "lived", "ada")
    file = lived / "ring0/directives.md"
    file.write_text(f"{file.read_text()}- Never say sorry.\n")
    asked = {"deed": "accept", "what": "ring0/directives.md"}
    click_in_process(reel)
    served = open_browser(lived)
    assert "Bo Lind <bo@example.org>" in served.ask("/decide").seen.values("value")
    assert "needs a name" in words(served.send("/do", **asked))
    before = head(lived)
    assert "Done" in words(served.send("/do", **asked, by="Cora <cora@example.org>"))
    assert "Cora <cora@example.org>" in git(lived, "show", "--format=%an <%ae>%n%B", f"{before}..HEAD")


def test_which_of_two_holds_is_a_button(served: Browser, reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page({**FIRST})).ok()
    reel("record", "-", stdin=json.dumps(LATER)).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page(SECOND)).ok()
    card = served.ask("/decide")
    assert {"older", "newer", "reject"} <= set(card.seen.values("value"))
    assert "Done" in words(served.send("/do", deed="newer", what=ITEM))
    assert ITEM not in served.ask("/decide").text


def test_what_changed_meanwhile_is_not_written_over(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    old = head(kit)
    reel("memory", "pin", "M-003").ok()
    done = served.ask("/do", {"tip": old, "deed": "forget", "what": "M-001"})
    assert "Something was changed elsewhere since this page was shown, so nothing was done" in words(done)
    assert (kit / "ring3/M-001.md").exists()


def test_the_window_is_chosen(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    assert "of the 8,192 tokens" in words(served.ask("/"))
    assert "of the 32,768 tokens" in words(served.ask("/?window=32k"))
    assert "is not a window size" in words(served.ask("/?window=huge"))


def test_the_text_is_fitted_to_the_place_where_it_is_pasted(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    card = served.ask("/?place=sillytavern")
    names = {attrs["aria-label"] for tag, attrs in card.seen.elements if tag == "textarea"}
    assert len(names) > 1
    assert "The text to paste" not in names
    assert "There is none now" in words(served.ask("/?place=nowhere"))


def test_what_waits_leads_to_the_page_that_does_it(served: Browser, kit: Path) -> None:
    served.send("/evening/record", text=chat())
    (kit / "ring0/directives.md").write_text("- Never say sorry.\n")
    waits = served.ask("/")
    main = waits.text.partition("<main")[2]
    assert 'href="/evening"' in main
    assert 'href="/decide"' in main


def test_the_printed_address_works_once(served: Browser) -> None:
    stranger = Browser(served.app, served.kit)
    assert stranger.ask(f"/?key={TOKEN}").status == 403
    for path in ("/", "/life", "/changes", "/page.css", "/chat/2026-02-25-1"):
        assert stranger.ask(path).status == 403, path
    stranger.cookie = f"reel-{served.port}=guessed"
    assert stranger.ask("/").status == 403
    assert served.ask("/").status == 200


def test_cookies_of_other_programs_on_this_machine_keep_nobody_out(served: Browser, kit: Path) -> None:
    other = Browser(make_app(kit, served.port + 1), kit, served.port + 1)
    other.enter()
    # a browser sends to each port the cookies of all, also those that are no proper ones
    served.cookie = other.cookie = f'settings={{"theme": "dark"}}; {served.cookie}; {other.cookie}; [x]=1'
    assert (served.ask("/").status, other.ask("/").status) == (200, 200)
    assert served.cookie.count("reel-") == 2


def test_another_name_for_this_machine_is_refused(served: Browser) -> None:
    for host in (
        "example.org",
        f"example.org:{served.port}",
        "127.0.0.1",
        f"127.0.0.1:{served.port + 1}",
        "",
    ):
        assert served.ask("/", Host=host).status == 421, host


@pytest.mark.parametrize(
    "sent",
    [
        {"Origin": "https://example.org"},
        {"Origin": "null"},
        {"Origin": ""},
        {"Sec_Fetch_Site": "cross-site"},
        {"Sec_Fetch_Site": "same-site"},
    ],
)
def test_a_form_of_another_site_changes_nothing(
    served: Browser, reel: Reel, kit: Path, sent: dict[str, str]
) -> None:
    live(reel, kit)
    before = head(kit)
    form = {"tip": before, "deed": "forget", "what": "M-001"}
    assert served.ask("/do", form, **sent).status == 403
    assert head(kit) == before


def test_what_is_only_looked_at_cannot_be_changed(looked_at: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    assert "/evening" not in looked_at.ask("/").seen.values("href")
    assert "button" not in {tag for tag, _ in looked_at.ask("/memory/M-001").seen.elements}
    assert looked_at.send("/do", deed="forget", what="M-001").status == 403
    assert (kit / "ring3/M-001.md").exists()


def test_no_path_and_no_option_comes_from_outside(served: Browser, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    before = head(kit)
    (kit / "ring3/notes.md").write_text("# Of my own\n")
    for path in (
        *("/chat/..%2f..%2fkit.yaml", "/chat/%2e%2e", "/chat/%00"),
        *("/memory/..%2fkit", "/memory/notes", "/memory/%00", "/..%2f", "/static/page.js"),
    ):
        assert served.ask(path).status == 404, path
    for form in (
        {"deed": "forget", "what": "--all"},
        {"deed": "accept", "what": "--as"},
        {"deed": "accept", "what": "a\0b"},
        {"deed": "purge", "what": "M-001"},
        {"deed": "restore", "what": "../../secret"},
    ):
        assert "Not done" in words(served.send("/do", **form))
    assert head(kit) == before


def test_nothing_of_the_kit_acts_in_the_browser(served: Browser, reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat(*(("user", text) for text in HOSTILE), title=HOSTILE[0])).ok()
    memory = Memory("M-001", HOSTILE[1], Level.L1, "\n\n".join(HOSTILE), marker=HOSTILE[0])
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / memory_path("M-001")).write_text(render_memory(memory))
    pages = [
        served.ask(path) for path in ("/", "/life", "/known", "/memory/M-001", "/chats", "/chat/2026-02-25-1")
    ]
    pages += [served.ask("/find?" + urlencode({"q": text})) for text in HOSTILE[:2]]
    pages += [served.send("/evening/read", reply="\n".join(HOSTILE))]
    for told in pages:
        seen = told.seen
        assert not seen.open
        assert not seen.crossed
        assert told.status == 200, told.text
        scripts = [attrs for tag, attrs in seen.elements if tag == "script"]
        assert scripts == [{"src": "/page.js", "defer": None}]
        assert not [name for _, attrs in seen.elements for name in attrs if name.startswith("on")]
        assert [link for link in seen.values("href") if not re.match(r"/(?!/)|#|data:,$|$", link)] == []
        assert told.headers["content-security-policy"].startswith("default-src 'none';")
        assert told.headers["cache-control"] == "no-store"


def test_a_chat_too_long_for_the_page_is_refused_before_it_is_read(served: Browser) -> None:
    sent = served.ask("/evening/record", {"text": "x"}, Content_Length=str(1 << 30))
    assert sent.status == 413


def test_a_form_that_does_not_say_how_long_it_is_is_read_all_the_same(served: Browser, kit: Path) -> None:
    form = urlencode({"tip": head(kit), "deed": "undo", "what": ""}).encode()
    assert served.ask_in_pieces("/do", form[:20], form[20:]).status == 200


def test_a_kit_that_cannot_be_read_says_so(served: Browser, kit: Path) -> None:
    (kit / "kit.yaml").write_text("protocol: [")
    told = served.ask("/")
    assert told.status == 500
    assert "kit.yaml" in words(told)


def test_without_its_packages_the_command_names_them(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    found = importlib.util.find_spec
    monkeypatch.setattr(
        "reel_cli.features.serve.server.find_spec", lambda name: None if name == "uvicorn" else found(name)
    )
    done = reel("serve")
    assert done.code == 1
    assert done.err.splitlines() == [
        "Error: The page in the browser needs three small packages more.",
        "Hint: in the folder of this project:  pipx install --force '.[web]'",
    ]


def test_a_port_that_is_taken_is_said(reel: Reel, kit: Path) -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = reel("serve", "--port", str(taken.getsockname()[1]), "--no-open")
    assert done.code == 1
    assert "Hint: take a free one:  reel serve" in done.err


def test_an_open_page_is_told_once_the_kit_changed(
    served: Browser, reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.serve import changes

    shown = head(kit)
    assert served.ask("/").seen.values("data-tip") == [shown]
    looks = 0

    async def pause() -> None:
        nonlocal looks
        looks += 1
        if looks == 3:
            reel("record", "-", stdin=chat()).ok()

    monkeypatch.setattr(changes, "pause", pause)
    told = served.ask(f"/changes?tip={shown}")
    assert told.headers["content-type"].startswith("text/event-stream")
    assert told.text == f": waiting\n\ndata: {head(kit)}\n\n"
    assert looks == 3
