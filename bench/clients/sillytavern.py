"""SillyTavern: its server and its page in a Chromium, with what reel exports, and the chats that it keeps."""

import json
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from clients.check import Check, Report
from clients.kit import CHECKOUT, EVENING, QUESTIONS, Kit
from clients.llamacpp import answers, free_port
from clients.local_server import AGAIN, MODEL, OTHERWISE, LocalServer, serve_answers, text_of
from clients.workshop import CannotInstallError, Program, Workshop, run_command

PAGE = Path(__file__).with_name("sillytavern_page.mjs")
SCAN = CHECKOUT / "bench/sillytavern_scan.mjs"
QUESTIONS_KEPT = CHECKOUT / "bench/sillytavern_keys.py"
"""The questions that its own scan is asked, and how many of twenty have to bring their memory."""
ENOUGH = 15
TOLD = "No, tell me otherwise."
"""Words said in a branch."""
BROWSERS = ("chromium", "chromium-browser", "google-chrome")
DRIVER = "puppeteer-core"
_FIELD = re.compile(r"(?m)^=== (.*?) \([\d,]+ characters\) ===\n")


def install(workshop: Workshop, packages: tuple[str, ...]) -> Program:
    """Install the program, and beside it what drives a browser."""
    if not any(map(shutil.which, BROWSERS)):
        message = "its page needs a Chromium on the PATH"
        raise CannotInstallError(message)
    workshop.install_node("puppeteer", packages[1])
    return workshop.install_app("sillytavern", packages[0])


def check_sillytavern(program: Program, report: Report) -> None:
    """Import, talk, hide, narrate, branch and swipe in the page, and record the chats' folder."""
    kit = Kit(program.home / "kit")
    wishes = export(kit, program.home)
    with serve_answers() as server:
        seen = use_page(program, {**wishes, "endpoint": server.address})
        if "error" in seen:
            report.broken.append(f"the page does as it is asked (seen: {seen['error']})")
            return
        check_imports(kit, report, wishes, seen)
        check_sent(report, wishes, server)
    check_chats(kit, report, program.home / "data/default-user/chats/Ada")


def export(kit: Kit, folder: Path) -> dict[str, Any]:
    """Write out everything that reel has for the program, and return where it is."""
    files = {
        "card": (folder / "ada.png", ("card", "--memories")),
        "book": (folder / "harbour.json", ("lorebook",)),
        "chatPreset": (folder / "reel chat.json", ("preset", "--for", "sillytavern")),
        "textPreset": (folder / "reel text.json", ("preset", "--for", "sillytavern-text")),
    }
    for path, words in files.values():
        done = kit.reel("export", *words, "--out", path)
        assert done.code == 0, done.err
    bundle = kit.reel("pack", "--for", "sillytavern").out
    parts = _FIELD.split(bundle)
    books = folder / "books"
    written = run_command(
        [sys.executable, str(QUESTIONS_KEPT), "--out", str(books)], said="", env=kit.environment(), cwd=folder
    )
    assert written.code == 0, written.err
    fields = {
        name.rpartition(" → ")[2]: text.strip() for name, text in zip(parts[1::2], parts[2::2], strict=True)
    }
    named = {name: str(path) for name, (path, _) in files.items()}
    preset = json.loads(files["textPreset"][0].read_text("utf-8"))
    return {
        **named,
        "books": str(books),
        "textName": preset["context"]["name"],
        "main": fields["Main Prompt"],
        "description": fields["Description"],
        "scenario": fields.get("Scenario", ""),
        "model": MODEL,
        "questions": QUESTIONS,
        "otherwise": TOLD,
    }


def use_page(program: Program, wishes: Mapping[str, Any]) -> dict[str, Any]:
    """Start the server, let the page be used, and return what was seen there."""
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    flags: list[str | Path] = [
        "--port",
        str(port),
        "--dataRoot",
        program.home / "data",
        "--configPath",
        program.home / "config.yaml",
    ]
    flags += ["--browserLaunchEnabled", "false"]
    app = program.folder / "package"
    file = program.home / "wishes.json"
    file.write_text(json.dumps({**wishes, "url": url}))
    browser = next(filter(None, map(shutil.which, BROWSERS)))
    with program.start("node", "server.js", *flags, cwd=app, ready=lambda: answers(f"{url}/csrf-token")):
        driver = program.workshop.folder / "puppeteer"
        done = program.run("node", PAGE, driver, browser, file, patience=600)
        assert done.code == 0, done.err
        seen: dict[str, Any] = json.loads(done.out)
        if "error" not in seen:
            asked = program.run("node", SCAN, url, wishes["books"], browser, cwd=driver, patience=600)
            assert asked.code == 0, asked.err
            seen["brought"] = re.findall(r"(?m)^(\w+): (\d+) of (\d+) questions", asked.out)
    return seen


def check_imports(kit: Kit, report: Report, wishes: Mapping[str, Any], seen: Mapping[str, Any]) -> None:
    """Compare what the program made of the exports with what was exported."""
    back = kit.path.parent / "back.json"
    back.write_text(seen["card"]["out"])
    card, ours = json.loads(seen["card"]["out"])["data"], kit.path.parent / "ours.json"
    kit.reel("export", "card", "--memories", "--out", ours)
    given = json.loads(ours.read_text("utf-8"))["data"]
    differ = [name for name, value in given.items() if name != "extensions" and card.get(name) != value]
    report.same("its import and export of the card keep every field", differ, [])
    made = kit.reel("init", kit.path.parent / "again", "--card", back, "--name", "Ada")
    report.show("and `reel init --card` takes the card that it exports", made.code == 0, made.err)
    entries = json.loads(Path(wishes["book"]).read_text("utf-8"))["entries"]
    report.same("its World Info has every memory", seen["book"], len(entries))
    window = json.loads(kit.reel("status", "--json").out)["window"] if False else 32_768
    for name, brought, asked in seen["brought"]:
        report.show(
            f"of {asked} questions to the kit {name} its own scan of the World Info answers {ENOUGH} or more",
            int(brought) >= ENOUGH,
            brought,
        )
    report.same("and it was asked about both kits", [row[0] for row in seen["brought"]], ["ada", "meridian"])
    report.same(
        "the preset for chat completion sets the context",
        (seen["chatPreset"]["context"], seen["chatPreset"]["unlocked"]),
        (window, True),
    )
    story = json.loads(Path(wishes["textPreset"]).read_text("utf-8"))["context"]["story_string"]
    report.same(
        "the preset for text completion is taken by Master Import", seen["textPreset"]["story"], story
    )


def check_sent(report: Report, wishes: Mapping[str, Any], server: LocalServer) -> None:
    """Look what the model was sent for the first turn."""
    texts = [text_of(one) for one in server.chats[0]]
    whole = "\n".join(texts)
    report.show(
        "the model is sent the bundle's fields whole, in their order, before the chat",
        -1
        < whole.find(wishes["main"])
        < whole.find(wishes["description"])
        < whole.find(wishes["scenario"])
        < whole.rfind(QUESTIONS[0]),
        whole[:600],
    )
    report.same(
        "and each once",
        [whole.count(wishes[name]) for name in ("main", "description", "scenario")],
        [1, 1, 1],
    )


def check_chats(kit: Kit, report: Report, folder: Path) -> None:
    """Record the folder with the chat, its checkpoint and its branch."""
    before = kit.sessions()
    rows = kit.record(folder)
    report.same(
        "`reel record` knows the files by themselves", {row["format"] for row in rows}, {"sillytavern"}
    )
    report.same("the chat, its checkpoint and its branch are three files", len(rows), 3)
    new = sorted({*kit.sessions()} - {*before})
    report.same("and one session", len(new), 1)
    messages = kit.messages(new[0])
    said = [(about["role"], text) for about, text in messages if about["kind"] == "said"]
    report.same(
        "with what was said on both ways, each once", [turn for turn in said if turn in EVENING], EVENING
    )
    report.show(
        "and in the branch",
        ("user", TOLD) in said and {("assistant", OTHERWISE), ("assistant", AGAIN)} & {*said},
        said,
    )
    hidden = [text for about, text in messages if about.get("mark") == "hidden"]
    report.same("hidden messages were said, and are marked", hidden, [text for _, text in EVENING[:2]])
    narrated = [(about["role"], text) for about, text in messages if about.get("mark") == "narration"]
    report.same("narration is narration", narrated, [("system", "The bell rings twice.")])
    left = {text for about, text in messages if about["kind"] != "said"}
    report.show("the swipe that is not shown is kept beside", {OTHERWISE, AGAIN} & left, messages[-3:])
    report.same("recorded again: nothing is added", sum(row["added"] for row in kit.record(folder)), 0)


CHECK = Check(
    name="SillyTavern",
    pinned=("sillytavern@1.19.0", "puppeteer-core@24"),
    newest=("sillytavern@latest", "puppeteer-core@latest"),
    install=install,
    version=lambda program: re.findall(
        r'"version": "([^"]+)"', (program.folder / "package/package.json").read_text()
    )[0],
    run=check_sillytavern,
)
