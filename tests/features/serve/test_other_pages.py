"""The pages of another day, of decisions and of moments, as a browser is given them."""

import re
from collections.abc import Sequence
from pathlib import Path

import pytest

from tests.support.cli import Reel, git
from tests.support.lived_kit import PAGE, PHONE, live
from tests.support.pages import chat, page
from tests.support.served_kit import Browser, PageAnswer, click_in_process, open_browser

for needed in ("starlette", "multipart"):
    pytest.importorskip(needed)


@pytest.fixture
def site(reel: Reel, kit: Path) -> Browser:
    live(reel, kit)
    click_in_process(reel)
    return open_browser(kit)


def field(told: PageAnswer, action: str, name: str) -> str:
    return told.form(action)[name]


def test_the_persona_of_another_day_is_shown_with_the_difference(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    site = open_browser(kit)
    assert "there is no other day to show yet" in site.ask("/then").words
    monkeypatch.setenv("REEL_NOW", "2026-03-05T20:00:00+00:00")
    reel("record", "-", stdin=chat()).ok()
    reel("checkpoint", "--reply", "-", "--yes", stdin=page()).ok()
    then = site.ask("/then")
    assert "At the end of 1 March 2026 0 chats, 0 memories." in then.words
    assert "New memories M-001 The letter that wasn't hers: full page" in then.words
    assert "What a chat began with then" in then.words
    assert "/then?day=2026-03-05" in then.seen.values("href")
    now = site.ask("/then?day=2026-03-05")
    assert "1 chat, 1 memory. What is different since Nothing." in now.words
    # a day of which the list knows nothing is none
    assert "At the end of 1 March 2026" in site.ask("/then?day=yesterday").words


def test_a_doubt_is_decided_on_its_card(site: Browser, kit: Path) -> None:
    memory = kit / "ring3/M-001.md"
    memory.write_text(memory.read_text().replace("phone number, and", "phone number of Torvald, and"))
    git(kit, "commit", "-qam", "by hand")
    look = site.ask("/decide/look")
    assert f"“{PAGE.title}” One thing in it" in look.words
    # one card tells of it, and names no file
    assert "ring3/M-001.md, line" not in look.words
    assert "reel doctor --right" not in look.words
    assert f"“{PAGE.title}” (M-001)" not in look.words
    assert "no memory is made of it yet Worth a look. Do it here" in look.words
    assert "/evening" in look.seen.values("href")
    assert "It is right" in look.words
    found = look.form("/decide/look")
    assert found["item"] == "M-001"
    stale = site.ask("/decide/look", {**found, "mark": "another", "key": "y"})
    assert "This is decided already, or reads otherwise now." in stale.words
    done = site.ask("/decide/look", {**found, "key": "y"})
    assert "It is right: " in done.words
    assert f"“{PAGE.title}” One thing in it" not in site.ask("/decide/look").words


def test_a_close_look_begins_at_once_and_keeps_no_other_page_waiting(
    site: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.serve import page_maker
    from reel_cli.features.serve.commands import Answer

    run = vars(page_maker)["run_command"]
    met: list[str] = []

    def look(root: Path, arguments: Sequence[str], given: str = "") -> Answer:
        met.append(site.ask("/chats").words)
        done: Answer = run(root, arguments, given)
        return done

    monkeypatch.setattr(page_maker, "run_command", look)
    told = site.ask("/decide/look")
    assert "Take it back" in met[0]
    at = next(number for number, piece in enumerate(told.pieces) if "Taking a close look." in piece)
    assert 'id="cards"' not in "".join(told.pieces[: at + 1])
    assert 'id="cards"' in told.text


def test_a_close_look_that_takes_too_long_is_ended_and_not_begun_again(
    site: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    from reel_cli.features.serve import decisions, page_maker
    from reel_cli.features.serve.commands import Answer

    judged: list[object] = []
    ended = Answer(1, "", "This took longer than 10 minutes and was ended.")
    monkeypatch.setattr(page_maker, "run_command", lambda *_: ended)
    monkeypatch.setattr(decisions, "list_finding_cards", judged.append)
    told = site.ask("/decide/look")
    assert "A close look did not work This took longer than 10 minutes and was ended." in told.words
    assert not judged


def test_what_the_doctor_finds_without_a_button_has_its_mend(site: Browser, kit: Path) -> None:
    (kit / "tape/2026" / f"{PHONE}.md").unlink()
    look = site.ask("/decide/look")
    assert f"reel restore tape/2026/{PHONE}.md" in look.words


def test_a_proposal_is_kept_in_ones_own_words(reel: Reel, kit: Path) -> None:
    click_in_process(reel)
    site = open_browser(kit)
    file = kit / "ring0/directives.md"
    was = file.read_text()
    file.write_text(f"{was}- Never say sorry.\n")
    cards = site.ask("/decide")
    assert "Never say sorry." in cards.words
    assert "<ins>- Never say sorry.</ins>" in cards.text
    # the rule above it stays, though it begins with a dash
    assert re.search(r"<p> *- If Bo may be in danger", cards.text)
    assert "<del>" not in cards.text
    assert "Your edit of its rules Not kept yet." in cards.words
    item = field(cards, "/decide/edit", "item")
    done = site.send("/decide/edit", item=item, text=f"{was}- Say sorry once.\n")
    assert "It still waits for your decision." in done.words
    assert "Say sorry once." in site.ask("/decide").words
    assert "This is decided already" in site.send("/decide/edit", item="nothing", text="x").words


def test_what_is_only_typed_is_found_and_not_noted(site: Browser, kit: Path) -> None:
    journal = kit / ".reel/state/touches.jsonl"

    def noted() -> str:
        return journal.read_text() if journal.exists() else ""

    before = noted()
    part = site.ask("/find?q=phone+number&part=1")
    assert "<mark>phone</mark> <mark>number</mark>" in part.text
    assert "<html" not in part.text
    assert noted() == before
    open_browser(kit, read_only=True).ask("/find?q=phone+number")
    assert noted() == before
    site.ask("/find?q=phone+number")
    assert "phone number" in noted().removeprefix(before)


def test_a_moment_becomes_an_example_and_a_memory(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    click_in_process(reel)
    site = open_browser(kit)
    found = site.ask("/find?q=penicillin")
    kept = site.send("/find/example", q="penicillin", hit=field(found, "/find/example", "hit"))
    assert "Done" in kept.words
    assert len(list((kit / "ring1").glob("*.md"))) > 1
    asked = site.send("/find/memory", q="penicillin", hit="1")
    assert "Make it a memory" in asked.words
    assert "penicillin" in asked.words
    half = site.send("/find/memory/read", reply="I would rather not.")
    assert "It cannot be kept yet" in half.words
    read = site.send("/find/memory/read", reply=page())
    assert "Keep it?" in read.words
    assert not (kit / "ring3/M-001.md").exists()
    done = site.send("/find/memory/keep", reply=page())
    assert "Done" in done.words
    assert (kit / "ring3/M-001.md").exists()
    again = site.send("/find/memory", q="penicillin", hit="1")
    assert "Not done The letter that wasn't hers is already" in again.words
    assert "is already the memory of this moment. Back" in again.words


def test_an_answer_belongs_to_the_moment_whose_prompt_its_tab_shows(reel: Reel, kit: Path) -> None:
    reel("record", "-", stdin=chat()).ok()
    click_in_process(reel)
    site = open_browser(kit)
    first = site.send("/find/memory", q="penicillin", hit="1")
    site.send("/find/memory", q="chapter four letter", hit="1")
    form = {**first.form("/find/memory/read"), "reply": page()}
    read = site.ask("/find/memory/read", form)
    site.send("/find/memory", q="chapter four letter", hit="1")
    assert "Done" in site.ask("/find/memory/keep", read.form("/find/memory/keep")).words
    assert "2026-02-25-1#4-6" in (kit / "ring3/M-001.md").read_text()
    # once it is kept, its prompt waits for nothing
    assert "This prompt waits for no answer any more" in site.ask("/find/memory/read", form).words


@pytest.mark.needs("shelf")
def test_what_is_cold_on_the_shelf_is_put_away(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from tests.features.shelf.test_shelf_advise import advice, advise, go
    from tests.features.shelf.test_shelf_gc import put

    put(reel, kit, attempt="try\n", plan="keep\n")
    advise(reel, advice([], [go("attempt.txt", "archive", "a failed approach")]))
    monkeypatch.setenv("REEL_NOW", "2026-03-02T20:00:00+00:00")
    click_in_process(reel)
    site = open_browser(kit)
    look = site.ask("/decide/look")
    assert "Files on the shelf can be put away" in look.words
    done = site.ask("/decide/look", {**look.form("/decide/look"), "key": "y"})
    assert "Put away: files on the shelf can be put away." in done.words
    assert not (kit / "shelf/attempt.txt").exists()
