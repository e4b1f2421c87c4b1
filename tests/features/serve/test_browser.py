"""The page in a real browser: an evening by clicks, with and without its script, and `reel view`'s file."""

import re
import shutil
from collections.abc import Iterator
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.support.cli import Reel, git
from tests.support.lived_kit import PHONE, live
from tests.support.pages import chat, page
from tests.support.served_kit import TOKEN, serve_kit

if TYPE_CHECKING:
    from playwright.sync_api import Browser, ConsoleMessage, Page, Route

for needed in ("starlette", "uvicorn", "multipart"):
    pytest.importorskip(needed)
playwright = pytest.importorskip("playwright.sync_api", reason="needs the group browser of pyproject.toml")
axe = pytest.importorskip("axe_playwright_python.sync_playwright", reason="needs the group browser")
NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
FOUND = next(filter(None, map(shutil.which, NAMES)), None)
SPARING = ("--disable-gpu", "--renderer-process-limit=1")
"""Options of Chromium that save time: no simulated graphics card, and one process for all pages."""
pytestmark = pytest.mark.skipif(FOUND is None, reason="needs Chromium: apt-get install chromium")

PATHS = (
    *("/", "/evening", "/life", "/known", "/memory/M-001", "/find?q=phone", "/chats", f"/chat/{PHONE}"),
    *("/decide", "/decide/look", "/then", "/who"),
)
MANY_WRITINGS = (
    ("user", "مرحبا آدا، اليوم زرت المنارة مع أختي. هل تتذكرين الباب الأزرق؟"),
    ("assistant", "今日は手紙を読んだのですね。灯台の章の最初のページを、声に出して。"),
    ("user", f"היום קראתי את המכתב בקול. {'Supercalifragilistic' * 12}"),
)
WIDTHS = (1440, 768, 375)
HEIGHT = 800
READING_SIDE = """one => {
  const range = document.createRange(), box = one.getBoundingClientRect();
  range.selectNodeContents(one);
  const last = [...range.getClientRects()].pop();
  return last.left - box.left < box.right - last.right ? "left" : "right";
}"""
"""At which side of its box the last line of a text stands."""


@pytest.fixture(scope="module")
def browser() -> Iterator["Browser"]:
    with (
        playwright.sync_playwright() as started,
        started.chromium.launch(executable_path=FOUND, args=SPARING) as launched,
    ):
        yield launched


@pytest.fixture
def site(kit: Path, browser: "Browser") -> Iterator[str]:
    with serve_kit(kit) as port:
        yield f"http://127.0.0.1:{port}"
        # an open page goes on asking, and the server waits for it
        for context in browser.contexts:
            context.close()


def look(
    browser: "Browser", address: str, *, script: bool = True, policy: bool = True
) -> tuple["Page", list[str]]:
    """Open an address in a browser of its own; the list takes what the browser complains of.

    Without the `policy` of the pages a test can run a script in them.
    """
    context = browser.new_context(
        java_script_enabled=script, bypass_csp=not policy, viewport={"width": 1280, "height": HEIGHT}
    )
    context.grant_permissions(["clipboard-read", "clipboard-write"])
    context.set_default_timeout(20_000)
    opened = context.new_page()
    complaints: list[str] = []

    def note(message: "ConsoleMessage") -> None:
        if message.type in ("error", "warning"):
            complaints.append(message.text)

    opened.on("console", note)
    opened.on("pageerror", lambda error: complaints.append(str(error)))
    opened.goto(address)
    return opened, complaints


def click(opened: "Page", name: str) -> None:
    """Click a button, and wait for the page that it leads to."""
    with opened.expect_navigation():
        opened.get_by_role("button", name=name, exact=True).click()


def follow(opened: "Page", name: str) -> None:
    # beside a page's name stands how much of it waits
    opened.get_by_role("link", name=re.compile(rf"{name}( \d+ waiting)?")).first.click()


def drop(opened: "Page", name: str, text: str) -> None:
    """Drop a file on the heading of a page."""
    made = opened.evaluate_handle(
        """([name, text]) => {
          const taken = new DataTransfer();
          taken.items.add(new File([text], name, { type: "text/plain" }));
          return taken;
        }""",
        [name, text],
    )
    opened.dispatch_event("h1", "drop", {"dataTransfer": made})


def record_and_read(opened: "Page") -> None:
    """Record a pasted chat, and have the answer to its prompt read."""
    follow(opened, "After a chat")
    opened.get_by_label("Or paste the chat").fill(chat())
    click(opened, "Record it")
    assert "Write the page you will wake up to" in opened.get_by_label("The prompt").input_value()
    opened.get_by_label("The answer").fill(page())
    click(opened, "Read it")
    assert opened.get_by_text("A memory to keep: The letter that wasn't hers").is_visible()
    opened.get_by_text("Every word of it").first.click()
    assert opened.get_by_text('found by "careful looks cold"').is_visible()


def test_a_whole_evening_is_clicked(browser: "Browser", site: str, kit: Path) -> None:
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    assert opened.url == f"{site}/"
    record_and_read(opened)
    opened.get_by_role("button", name="Copy it").click()
    opened.get_by_role("button", name="Copied").wait_for()
    copied = opened.evaluate("navigator.clipboard.readText()")
    assert copied == opened.get_by_label("The prompt").input_value()
    opened.get_by_label("Keep Lines to find it by, line 3").uncheck()
    opened.get_by_text('found by "careful looks cold"').wait_for(state="detached")
    # what was open stays open
    assert opened.get_by_text('found by "penicillin never"').is_visible()
    assert opened.get_by_text("1 left out").is_visible()
    click(opened, "Keep it")
    memory = kit / "ring3/M-001.md"
    assert "careful looks cold" not in memory.read_text()
    follow(opened, "Find")
    opened.get_by_role("searchbox").fill("penicillin")
    click(opened, "Find")
    assert opened.locator("mark", has_text="penicillin").first.is_visible()
    opened.get_by_role("heading", name="the letter").get_by_role("link").click()
    assert opened.get_by_text("Remind me, penicillin never.").is_visible()
    opened.goto(f"{site}/memory/M-001")
    opened.get_by_role("button", name="Let it go").click()
    back = opened.get_by_role("button", name="Bring it back")
    back.wait_for()
    assert not memory.exists()
    back.click()
    opened.get_by_role("button", name="Unpin it").wait_for()
    assert memory.exists()
    follow(opened, "Now")
    click(opened, "Take it back")
    assert not memory.exists()
    assert git(kit, "status", "--porcelain") == ""
    assert complaints == []


def test_a_memory_of_the_life_is_opened_and_let_go_where_it_stands(
    browser: "Browser", site: str, reel: Reel, kit: Path
) -> None:
    live(reel, kit)
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    follow(opened, "Life")
    opened.locator("summary", has_text="The phone number test").click()
    opened.get_by_text("He asked me for his phone number").wait_for()
    opened.get_by_role("button", name="Let it go").click()
    opened.get_by_role("button", name="Take it back").wait_for()
    assert opened.locator("summary", has_text="let go").is_visible()
    assert not (kit / "ring3/M-001.md").exists()
    # the page itself knows of the change: nothing changed elsewhere
    opened.get_by_role("button", name="Take it back").click()
    opened.get_by_role("button", name="Let it go").wait_for()
    assert (kit / "ring3/M-001.md").exists()
    assert opened.url == f"{site}/life"
    assert complaints == []


def test_a_button_takes_back_only_the_change_it_was_shown_for(
    browser: "Browser", site: str, reel: Reel, kit: Path
) -> None:
    live(reel, kit)
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    follow(opened, "Life")
    back = opened.get_by_role("button", name="Take it back")

    def do(title: str, button: str, then: str) -> None:
        fold = opened.locator("details.memory", has_text=title)
        if not fold.locator("form").count():
            fold.locator("summary").first.click()
        fold.get_by_role("button", name=button, exact=True).click()
        fold.get_by_role("button", name=then, exact=True).wait_for()

    do("The phone number test", "Let it go", "Bring it back")
    do("The dream of the walrus", "Pin it", "Unpin it")
    assert back.count() == 1
    do("The dream of the walrus", "Take it back", "Pin it")
    assert not (kit / "ring3/M-001.md").exists()
    # a memory that is read after a change elsewhere does not hide that change
    do("The dream of the walrus", "Pin it", "Unpin it")
    reel("restore", "M-001").ok()
    other = opened.locator("summary", has_text="The phone number test")
    other.click()
    other.click()
    back.click()
    opened.get_by_text("Something was changed elsewhere since").wait_for()
    assert (kit / "ring3/M-001.md").exists()
    opened.get_by_text("Something was changed elsewhere.").wait_for()
    assert complaints == []


def test_moments_are_found_as_one_types_and_can_be_copied(
    browser: "Browser", site: str, reel: Reel, kit: Path
) -> None:
    live(reel, kit)
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    follow(opened, "Find")
    opened.get_by_role("searchbox").press_sequentially("phone number")
    opened.locator("#found mark", has_text="phone").first.wait_for()
    opened.get_by_role("button", name="Copy it").first.click()
    opened.get_by_role("button", name="Copied").wait_for()
    assert "phone number" in opened.evaluate("navigator.clipboard.readText()")
    assert complaints == []


def test_what_was_typed_before_the_script_came_is_looked_for(
    browser: "Browser", site: str, reel: Reel, kit: Path
) -> None:
    live(reel, kit)
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    held: list[Route] = []
    opened.route("**/page.js", lambda route: held.append(route))  # noqa: PLW0108 - playwright takes no built-in
    follow(opened, "Find")
    opened.get_by_role("searchbox").press_sequentially("phone number")
    held[0].continue_()
    opened.locator("#found mark", has_text="phone").first.wait_for()
    assert complaints == []


def test_a_slider_leads_through_the_days(browser: "Browser", site: str, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    opened.goto(f"{site}/then")
    # the kit was made on the first of its two days, and lived on the other
    opened.get_by_text("At the end of 1 March 2026").wait_for()
    opened.get_by_role("slider").press("End")
    opened.locator("#then > p", has_text="Nothing.").wait_for()
    assert "/then?day=" in opened.url
    assert complaints == []


def test_the_written_page_finds_words_by_itself(browser: "Browser", reel: Reel, kit: Path) -> None:
    live(reel, kit)
    place = kit.parent / "page.html"
    reel("view", place).ok()
    opened, complaints = look(browser, place.as_uri())
    opened.get_by_label("Find on this page").fill("STAIR built")
    opened.locator("#find mark", has_text="stair").first.wait_for()
    opened.locator("#find a").first.click()
    assert opened.locator(":target").is_visible()
    assert complaints == []


def test_the_evening_needs_no_script(browser: "Browser", site: str, kit: Path) -> None:
    opened, complaints = look(browser, f"{site}/?key={TOKEN}", script=False)
    record_and_read(opened)
    click(opened, "Keep it")
    assert (kit / "ring3/M-001.md").exists()
    assert complaints == []


def test_axe_finds_nothing_on_any_page(browser: "Browser", site: str, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    reel("record", "-", stdin=chat(created_at="2026-02-27T19:00:00+00:00")).ok()
    place = kit.parent / "page.html"
    reel("view", place).ok()
    opened, _ = look(browser, f"{site}/?key={TOKEN}", policy=False)

    def check() -> None:
        for colors in ("light", "dark"):
            opened.emulate_media(color_scheme=colors)
            found = axe.Axe().run(opened)
            assert found.violations_count == 0, (opened.url, colors, found.generate_report())

    for path in PATHS:
        opened.goto(f"{site}{path}")
        check()
    opened.goto(f"{site}/evening")
    for answer in (page(), page().partition("## What matters")[0]):
        opened.get_by_label("The answer").fill(answer)
        click(opened, "Read it")
        check()
    opened.goto(place.as_uri())
    check()


def test_no_page_is_wider_than_the_screen(browser: "Browser", site: str, reel: Reel, kit: Path) -> None:
    live(reel, kit)
    reel("record", "-", stdin=chat(*MANY_WRITINGS, title=MANY_WRITINGS[0][1])).ok()
    place = kit.parent / "page.html"
    reel("view", place).ok()
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    for address in (*(f"{site}{path}" for path in PATHS), place.as_uri(), f"{site}/chat/2026-02-25-2"):
        opened.goto(address)
        for width in WIDTHS:
            opened.set_viewport_size({"width": width, "height": HEIGHT})
            assert opened.evaluate("document.documentElement.scrollWidth") <= width, (address, width)
    # the chat in many writings is the last of them
    for width in WIDTHS:
        opened.set_viewport_size({"width": width, "height": HEIGHT})
        for text, side in ((MANY_WRITINGS[0][1], "right"), (MANY_WRITINGS[1][1], "left")):
            said = opened.locator(".words", has_text=text)
            assert said.evaluate(READING_SIDE) == side
        assert opened.locator("h2").evaluate(READING_SIDE) == "right"
    assert complaints == []


def test_what_waits_is_decided_by_keys(browser: "Browser", site: str, kit: Path) -> None:
    file = kit / "ring0/directives.md"
    was = file.read_text()
    file.write_text(f"{was}- Never say sorry.\n")
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    assert opened.get_by_role("link", name="Decide 1 waiting").is_visible()
    follow(opened, "Decide")
    # shown by the script, which listens from then on
    opened.get_by_text("Keys: j and k").wait_for()
    opened.keyboard.press("n")
    opened.keyboard.press("j")
    opened.keyboard.press("e")
    opened.get_by_label("In your own words").press("Escape")
    opened.keyboard.press("Tab")
    opened.locator("h3").first.click()
    opened.keyboard.press("j")
    opened.keyboard.press("n")
    opened.get_by_text("Nothing waits for you.").wait_for()
    assert not opened.get_by_text("waiting").count()
    # the edit is gone from the file, and no change of the history is there to be taken back
    assert not opened.get_by_role("button", name="Take it back").is_visible()
    assert file.read_text() == was
    assert complaints == []


def test_the_pictures_of_the_readme_can_be_taken_anew(
    browser: "Browser", tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spec = spec_from_file_location("make_pictures", Path(__file__).parents[3] / "tools/make_pictures.py")
    assert spec is not None
    assert spec.loader is not None
    pictures = module_from_spec(spec)
    spec.loader.exec_module(pictures)
    monkeypatch.setattr(pictures, "PICTURES", tmp_path)
    with pictures.serve_copy(tmp_path) as address:
        pictures.take_all(browser.new_page(viewport=pictures.SIZE), address)
    names = sorted(file.name for file in (Path(__file__).parents[3] / "docs/pictures").glob("*.png"))
    assert sorted(file.name for file in tmp_path.glob("*.png")) == names


def test_a_chat_is_dropped_anywhere_on_the_page(browser: "Browser", site: str, kit: Path) -> None:
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    follow(opened, "After a chat")
    opened.get_by_text("You can drop it anywhere on this page.").wait_for()
    drop(opened, "tea.txt", "You: Is there tea?\n\nAda: There is.\n")
    click(opened, "Record it")
    assert opened.get_by_text("Recorded “Is there tea?”, 2 messages.").is_visible()
    # the next one opens its fold
    assert not opened.get_by_label("A file from your chat program").is_visible()
    drop(opened, "tea.txt", "You: And milk?\n\nAda: And milk.\n")
    assert opened.get_by_label("A file from your chat program").is_visible()
    assert complaints == []


def test_an_open_page_says_that_the_kit_changed_elsewhere(
    browser: "Browser", site: str, reel: Reel, kit: Path
) -> None:
    opened, complaints = look(browser, f"{site}/?key={TOKEN}")
    assert not opened.get_by_text("Something was changed elsewhere.").is_visible()
    reel("record", "-", stdin=chat()).ok()
    opened.get_by_text("Something was changed elsewhere.").wait_for()
    assert complaints == []


def test_a_link_of_the_written_page_opens_what_is_folded(browser: "Browser", reel: Reel, kit: Path) -> None:
    live(reel, kit)
    place = kit.parent / "page.html"
    reel("view", place).ok()
    opened, complaints = look(browser, "about:blank")
    asked: list[str] = []
    opened.on("request", lambda request: asked.append(request.url))
    opened.goto(place.as_uri())
    said = opened.locator(".words", has_text="a stair that was never built").first
    assert not said.is_visible()
    opened.locator("summary", has_text="The phone number test").first.click()
    opened.locator("#M-001 a").first.click()
    said.wait_for()
    assert [url for url in asked if not url.startswith(("file:", "data:"))] == []
    assert complaints == []
