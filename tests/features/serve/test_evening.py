"""The evening in the browser: an answer gone through line by line, in halves, changed, and kept as shown."""

import os
import signal
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.features.serve.shown_answer import AnswerLine
from tests.support.cli import Reel, git
from tests.support.killed_program import killed_at
from tests.support.pages import chat, page
from tests.support.seen_page import HOSTILE
from tests.support.served_kit import Browser, click_in_process, open_browser, serve_kit
from tests.support.shelf import take_over

pytest.importorskip("starlette")
pytest.importorskip("multipart")
HALF = page().partition("## What matters")[0]
REST = "## What matters" + page().partition("## What matters")[2]
KEEP, READ = "/evening/keep", "/evening/read"


@pytest.fixture
def served(reel: Reel, kit: Path) -> Browser:
    reel.given("record", "-", stdin=chat())
    click_in_process(reel)
    return open_browser(kit)


def head(kit: Path) -> str:
    return git(kit, "rev-parse", "HEAD").strip()


def line_of(form: dict[str, str], text: str) -> str:
    """The numbers of the line that says this, as its fields end with them."""
    return next(name.removeprefix("line-") for name, value in form.items() if value == text)


def test_what_is_not_ticked_is_not_kept(served: Browser, kit: Path) -> None:
    read = served.send(READ, reply=page())
    assert 'found by "careful looks cold"' in read.words
    form = read.form(KEEP)
    del form[f"keep-{line_of(form, 'careful looks cold')}"]
    form[f"line-{line_of(form, 'He asked instead of guessing.')}"] = "He asked.\r\n\r\nI told him."
    before = head(kit)
    again = served.ask(KEEP, form)
    assert "You changed something after this was shown." in again.words
    assert head(kit) == before
    assert 'found by "careful looks cold"' not in again.words
    assert "careful looks cold" in again.form(KEEP).values()
    kept = served.ask(KEEP, again.form(KEEP))
    assert "Kept" in kept.words
    memory = (kit / "ring3/M-001.md").read_text()
    assert "He asked.\n\nI told him." in memory
    assert "careful looks cold" not in memory
    assert "penicillin never" in memory


def test_a_fact_is_shown_as_a_sentence_above_the_row_that_is_read(served: Browser, kit: Path) -> None:
    row = (
        'commitments | pages | forty by 30 April | The residency wants 40 pages | "wants forty pages" | 0.95'
    )
    read = served.send(READ, reply=page({"What I know for sure": row}))
    assert "<p>pages: The residency wants 40 pages</p>" in read.text
    assert "As it was written" in read.words
    form = read.form(KEEP)
    assert form[f"line-{line_of(form, row)}"] == row
    assert AnswerLine("1. changed: a | b").told == ""


def test_an_answer_keeps_its_end_when_a_line_is_left_out(served: Browser) -> None:
    form = served.send(READ, reply=page({"Never let fade": '"careful looks cold from outside'})).form(KEEP)
    del form[f"keep-{line_of(form, 'careful looks cold')}"]
    again = served.ask(KEEP, form)
    assert "You changed something after this was shown." in again.words
    assert "cut off" not in again.words
    assert again.form(KEEP)["reply"].rstrip().endswith("\nAda")


def test_what_it_changes_is_shown_first_and_leads_on_to_what_is_to_be_decided(served: Browser) -> None:
    shown = page({"Worth showing again": '"Fine. Chapter four: she should open a letter that isn\'t hers."'})
    read = served.send(READ, reply=shown)
    changes, lines = read.words.index("3. What it changes"), read.words.index("4. Line by line")
    assert changes < read.words.rindex("changed: ") < lines
    assert '<li class="new">new: the residency' in read.text
    assert "1 thing waits" not in read.words
    kept = served.ask(KEEP, read.form(KEEP))
    assert "1 thing waits for your decision." in kept.words
    assert "Decide 1 waiting" in kept.words
    decide = served.ask("/decide")
    assert "From what was written on 25 February 2026." in decide.words
    done = served.ask("/do", decide.form("/do"))
    # the card has shown the words
    assert "is an example now. Back" in done.words
    assert "Chapter four" not in done.seen.text.partition("is an example now")[2]


def test_an_answer_that_nobody_changed_is_kept_as_it_was_pasted(served: Browser, kit: Path) -> None:
    odd = page().replace("## What matters", "**What matters:**")
    kept = served.ask(KEEP, served.send(READ, reply=odd.replace("\n", "\r\n")).form(KEEP))
    assert "Kept" in kept.words
    stored = (kit / "checkpoints/2026-02-25-1.1.yaml").read_text()
    assert "**What matters:**" in stored
    assert list((kit / "review").glob("*.md")) == []


def test_what_is_kept_is_what_was_shown(served: Browser, kit: Path) -> None:
    form = served.send(READ, reply=page()).form(KEEP)
    shown = served.send(KEEP, reply=page({"What matters": "Something else."}), digest=form["digest"])
    assert "You changed something" in shown.words
    assert not (kit / "ring3/M-001.md").exists()
    for digest in ("", "0" * 16, "--yes"):
        assert "Kept" not in served.ask(KEEP, {**form, "digest": digest}).words
    assert not (kit / "ring3/M-001.md").exists()


def test_the_rest_of_half_an_answer_follows_it(served: Browser, kit: Path) -> None:
    half = served.send(READ, reply=HALF)
    told = half.words.partition("3 of 15 parts came")[2].partition("Ask for the rest")[0]
    assert "Still to come: What matters, What's unresolved" in told
    # the count is told once, and so is each part that is missing
    assert half.words.count("of 15 parts") == 1
    assert [told.count(label) for label in ("What matters", "My notes", "is missing")] == [1, 1, 0]
    assert "reel" not in half.seen.text.partition("3 of 15 parts came")[2].partition("Another chat")[0]
    form = half.text.partition('id="rest-text"')[2]
    assert "What matters" in form.partition("</textarea>")[0]
    whole = served.ask(READ, {**half.form(READ), **_last_form(half.text), "rest": REST})
    assert "Kept" in served.ask(KEEP, whole.form(KEEP)).words
    assert "I said why I was careful" in (kit / "ring3/M-001.md").read_text()


def _last_form(html: str) -> dict[str, str]:
    from tests.support.served_kit import read_form

    return read_form(html[html.rindex('action="/evening/read') :], READ)


def test_a_part_that_breaks_off_is_asked_for_again(served: Browser) -> None:
    half = served.send(READ, reply=f"{HALF}## What matters\nHe asked instead o")
    assert "3 of 15 parts came It stops in the middle of “What matters”." in half.words
    came = half.text.partition("Look at what came")[2].partition("</details>")[0]
    assert came.count("<fieldset") == 3


def test_the_bar_below_an_answer_counts_its_lines(served: Browser) -> None:
    read = served.send(READ, reply=page())
    boxes = read.text.count('aria-label="Keep ')
    assert f"{boxes} lines. Nothing is kept yet." in read.words
    form = read.form(KEEP)
    del form[f"keep-{line_of(form, 'careful looks cold')}"]
    assert f"{boxes} lines, 1 left out" in served.ask(READ, form).words


def test_a_step_without_its_form_leads_to_the_evening(served: Browser) -> None:
    for path in (READ, KEEP, "/evening/record", "/evening/write"):
        led = served.ask(path)
        assert (led.status, led.headers["location"]) == (303, "/evening")


def test_two_tabs_keep_one_page(served: Browser, kit: Path) -> None:
    tabs = [served.send(READ, reply=page()).form(KEEP) for _ in range(2)]
    assert "Kept" in served.ask(KEEP, tabs[0]).words
    before = head(kit)
    second = served.ask(KEEP, tabs[1])
    assert "Something was changed elsewhere since this page was shown" in second.words
    assert head(kit) == before


def test_an_edit_by_hand_meanwhile_stays(served: Browser, kit: Path) -> None:
    form = served.send(READ, reply=page()).form(KEEP)
    notes = kit / "ring2/working.md"
    notes.write_text(f"{notes.read_text()}\nHe moved to Brno.\n")
    assert "Kept" in served.ask(KEEP, form).words
    assert "He moved to Brno." in notes.read_text()
    assert git(kit, "status", "--porcelain") == ""


def test_a_chat_recorded_by_mistake_is_taken_back_and_counts_again(served: Browser, kit: Path) -> None:
    listed = served.ask("/chats")
    done = served.ask("/chats/back", listed.form("/chats/back"))
    assert "Done" in done.words
    assert "reel " not in done.words.partition("Done")[2].partition("This page is")[0]
    assert "When a chat is over, bring it here." in served.ask("/evening").words
    listed = served.ask("/chats")
    assert "taken back" in listed.words
    assert "Done" in served.ask("/chats/again", listed.form("/chats/again")).words
    assert "Write the page" in served.ask("/evening").text
    before = head(kit)
    for name in ("--undo", "../x", "", "the letter"):
        assert "Not done" in served.send("/chats/back", what=name).words
    assert head(kit) == before


def test_taking_a_chat_back_takes_back_nothing_else(served: Browser, kit: Path) -> None:
    served.ask(KEEP, served.send(READ, reply=page()).form(KEEP))
    assert (kit / "ring3/M-001.md").exists()
    done = served.ask("/chats/back", served.ask("/chats").form("/chats/back"))
    # an undo would take the page before it
    assert 'value="undo"' not in done.text
    again = served.ask("/chats/again", done.form("/chats/again"))
    assert "Done" in again.words
    assert ", taken back" not in served.ask("/chats").words
    assert "Count it again" in served.ask("/chats/back", again.form("/chats/back")).words
    assert (kit / "ring3/M-001.md").exists()


def test_what_is_taken_back_is_the_page_and_no_edit_by_hand_since(served: Browser, kit: Path) -> None:
    kept = served.ask(KEEP, served.send(READ, reply=page()).form(KEEP))
    rules = kit / "ring0/directives.md"
    rules.write_text(f"{rules.read_text()}- Never say sorry.\n")
    os.utime(rules, (4_000_000_000, 4_000_000_000))
    told = served.ask("/do", kept.form("/do"))
    assert "was edited by hand since, so nothing was taken back" in told.words
    assert "Never say sorry." in rules.read_text()
    # the last change, whatever it was, is taken back on the first page
    assert "Took back: your edit" in served.ask("/do", served.ask("/").form("/do")).words
    assert "Never say sorry." not in rules.read_text()
    assert "Done" in served.ask("/do", kept.form("/do")).words
    assert not (kit / "ring3/M-001.md").exists()


def test_a_click_that_changed_nothing_offers_nothing_to_take_back(served: Browser, kit: Path) -> None:
    served.ask(KEEP, served.send(READ, reply=page()).form(KEEP))
    assert "Take it back" in served.send("/do", deed="pin", what="M-001").words
    again = served.send("/do", deed="pin", what="M-001")
    assert "Done" in again.words
    assert "Take it back" not in again.words


def test_a_chat_that_was_just_recorded_is_taken_back_and_given_its_day(served: Browser, kit: Path) -> None:
    talk = "You: The ice is thick.\n\nAda: Thick enough for a hare.\n"
    told = served.send("/evening/record", text=talk)
    assert "“The ice is thick.”, 2 messages. It has no date, so it counts as today's." in told.words
    assert "For another day" not in told.words
    back = served.ask("/chats/back", told.form("/chats/back"))
    assert "is taken back" in back.words
    assert "Recorded" in served.send("/evening/record", text=talk, day="2026-02-26").words
    assert (kit / "tape/2026/2026-02-26-1.md").exists()
    # of one that is known there is nothing to take back
    assert "Take it back" not in served.send("/evening/record", text=talk, day="2026-02-26").words


def test_a_file_keeps_the_name_that_says_who_speaks_and_when(served: Browser, kit: Path) -> None:
    at = "28/02/2026, 14:3"
    talk = f"{at}1 - Messages are encrypted.\n{at}2 - Ada 🌙 (home): Hello.\n{at}3 - Bob: Hi.\n"
    told = served.bring("/evening/record", "WhatsApp Chat with Ada 🌙 (home).txt", talk.encode(), same="1")
    assert "Recorded" in told.words
    tape = (kit / "tape/2026/2026-02-28-1.md").read_text()
    assert '"role": "assistant", "name": "Ada 🌙 (home)"' in tape
    long = f"2026-02-27 {'a long title ' * 12}.md"
    served.bring("/evening/record", long, b"You: Is it far?\n\nAda: Not on skates.\n")
    assert (kit / "tape/2026/2026-02-27-1.md").exists()
    for name in ("..", "../../x.md", "a/b.md", "\x01", "x" * 4_000):
        sent = served.bring("/evening/record", name, b"You: Now?\n\nAda: Now.\n")
        assert sent.status == 200
        assert "Recorded" in sent.words or "recorded already" in sent.words


def test_what_is_said_at_a_terminal_is_not_said_here(served: Browser, reel: Reel) -> None:
    from reel_cli.features.serve.browser_words import leave_out_commands

    told = served.send("/evening/record", text="Bo: Is it open?\nAda: It is.\nBo: Good.\n", day="2026-02-26")
    assert "Recorded" in told.words
    assert "reel end" not in told.text
    for said, plain in (
        ("Kept.\nNext time:  reel start   (to take this page back:  reel undo)", "Kept."),
        (
            "Error: The chat tells its own day (4 May); --on is for others.",
            "The chat tells its own day (4 May)",
        ),
        ("Error: It is Bot.\nHint: to record it all the same:  --yes", "It is Bot."),
        ("Error: --on x is not a day.", "--on x is not a day."),
        ("It has no date. If it was another:\n  reel tape retract X\n  reel record X", "It has no date."),
        ("A reel of film, he said.", "A reel of film, he said."),
        ("Error: --on 2099-01-01 is still to come.", "The day 2099-01-01 is still to come."),
        (
            "“Tea” is recorded already (2026-03-01-1); nothing was added.",
            "“Tea” is recorded already; nothing was added.",
        ),
        (
            "“Tea” (M-004) is already the memory of this moment.",
            "“Tea” is already the memory of this moment.",
        ),
        (
            "Error: That looks like a page, not a chat.\nHint: hand it in as the page:  reel checkpoint",
            "That is an answer about a chat, not the chat itself.",
        ),
        ("Error: the text has no end.", "The text has no end."),
    ):
        assert leave_out_commands(said) == plain


def test_a_million_characters_are_read(served: Browser, kit: Path) -> None:
    before = head(kit)
    told = served.send(READ, reply="word " * 200_000)
    assert told.status == 200
    assert "This answer cannot be used" in told.words
    many = page({"My notes": "\n".join(f"new: note {number}" for number in range(400))})
    read = served.send(READ, reply=many)
    # an answer of so many lines is edited as one text
    assert not [name for name in read.form(KEEP) if name.startswith("line-")]
    assert head(kit) == before


def test_what_a_hostile_answer_says_is_only_words(served: Browser) -> None:
    told = served.send(READ, reply=page({"What matters": "\n\n".join(HOSTILE), "My notes": HOSTILE[1]}))
    seen = told.seen
    assert not seen.crossed
    assert not seen.open
    assert [attrs for tag, attrs in seen.elements if tag == "script"] == [{"src": "/page.js", "defer": None}]
    assert not {tag for tag, _ in seen.elements} & {"img", "iframe", "object"}
    assert not [name for _, attrs in seen.elements for name in attrs if name.startswith("on")]
    assert "\x1b" not in told.text
    assert "\u202e" not in told.form(KEEP)["digest"]


def test_the_cookie_of_one_kit_opens_no_other(served: Browser, reel: Reel, kit: Path) -> None:
    other = open_browser(take_over(reel, kit.parent / "other", "ada"))
    for stranger, own in ((other, served), (served, other)):
        own_cookie, stranger.cookie = stranger.cookie, own.cookie
        assert stranger.ask("/evening").status == 403
        assert stranger.send(READ, reply=page()).status == 403
        stranger.cookie = own_cookie
    form = served.send(READ, reply=page()).form(KEEP)
    assert "Kept" not in other.ask(KEEP, form).words
    assert "Kept" in served.ask(KEEP, form).words


@pytest.mark.parametrize("at", [12, 25, 40])
def test_a_keep_that_is_killed_is_whole_or_not_at_all(
    served: Browser, reel: Reel, kit: Path, at: int
) -> None:
    from reel_cli.features.serve import page_maker
    from reel_cli.features.serve.commands import Answer

    form = served.send(READ, reply=page()).form(KEEP)
    answer = kit.parent / "answer.txt"

    def run(root: Path, arguments: Sequence[str], given: str = "") -> Answer:
        if "--seen" not in arguments:
            return Answer(1, "", "This was killed.")
        answer.write_text(given)
        words = [str(answer) if word == "-" else word for word in arguments]
        code = killed_at(at, root, "--kit", str(root), *words)
        assert code == -signal.SIGKILL
        return Answer(code, "", "This was killed.")

    with reel.monkeypatch.context() as patch:
        patch.setattr(page_maker, "run_command", run)
        assert "This was killed." in served.ask(KEEP, form).words
    # the page that is opened next finishes or discards what was begun
    assert served.ask("/evening").status == 200
    assert git(kit, "status", "--porcelain") == ""
    whole = (kit / "ring3/M-001.md").exists()
    assert whole == (kit / "checkpoints/2026-02-25-1.1.yaml").exists()
    if not whole:
        assert "Kept" in served.ask(KEEP, form).words


def test_an_evening_goes_over_a_real_server_and_real_commands(kit: Path) -> None:
    uvicorn = pytest.importorskip("uvicorn")
    assert uvicorn
    from http.client import HTTPConnection
    from urllib.parse import urlencode

    from tests.support.served_kit import TOKEN, read_form

    with serve_kit(kit) as port:
        line = HTTPConnection("127.0.0.1", port, timeout=120)
        host = f"127.0.0.1:{port}"
        line.request("GET", f"/?key={TOKEN}", headers={"Host": host})
        entered = line.getresponse()
        entered.read()
        sent = {"Cookie": entered.headers["set-cookie"].partition(";")[0], "Origin": f"http://{host}"}
        sent["Content-Type"] = "application/x-www-form-urlencoded"

        def send(path: str, form: dict[str, str]) -> str:
            line.request("POST", path, urlencode(form), sent)
            return line.getresponse().read().decode()

        recorded = send("/evening/record", {"tip": head(kit), "text": chat()})
        assert "Recorded" in recorded
        read = send(READ, {"tip": head(kit), "reply": page()})
        assert "Kept" in send(KEEP, read_form(read, KEEP))
        line.close()
    assert (kit / "ring3/M-001.md").exists()
    assert git(kit, "status", "--porcelain") == ""
