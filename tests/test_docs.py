"""The documentation is true: what it shows happens, what it names exists, what it promises can be checked."""

import hashlib
import json
import os
import re
import runpy
import shlex
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import typer
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]

import reel_cli
from reel_cli.core.files.ledger_file import ACTS
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.resources import read_kit_schema
from reel_cli.core.tape.blocks import read_blocks, verify_chain
from reel_cli.core.values.memory import (
    EXPERIENCE,
    FIELDS,
    IMPORTED,
    LORE,
    ORIGIN_TAGS,
    PROTOCOL_TAGS,
    ROLES,
    SECTIONS,
    SHARED,
)
from reel_cli.core.values.talk import Kind
from reel_cli.terminal.app import build_app
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.doc_pages import (
    clipboard,
    play_page,
    read_examples,
    read_files,
    reel_on_path,
    rewrite_files,
    same,
)
from tests.support.dreaming_persona import now, reply_to
from tests.support.hints import problem_of
from tests.support.shelf import take_over
from tests.support.sifted_chat import sifted

DOCS = CHECKOUT / "docs"
WALKTHROUGH = CHECKOUT / "tests" / "fixtures" / "walkthrough"
WALKS = {
    "three weeks": WALKTHROUGH.with_suffix(".md"),
    "a dream": WALKTHROUGH.with_name("walkthrough-dream.md"),
}
"""A run of three weeks, and a dream of it."""
FROM_WALKS = (*WALKS.values(), DOCS / "walkthrough.md")
"""These, and the page of the docs that shows their files in part."""
EVENING = CHECKOUT / "demo" / "first-evening"
KITS = CHECKOUT / "kits"
FORMAT = DOCS / "kit-format.md"
PAGES = sorted(
    path
    for path in (*CHECKOUT.glob("*.md"), *DOCS.glob("*.md"), KITS / "README.md")
    if path.name not in ("commands.md", "settings.md")
)
FIXTURES = CHECKOUT / "tests" / "fixtures"
PLAYED = [
    *(DOCS / f"{name}.md" for name in ("cards", "concepts", "doctor", "places", "recall", "review")),
    KITS / "README.md",
]
"""The pages whose examples begin with the example kits, or with files of `tests/fixtures`."""
ELSEWHERE = ("chat", "compare", "shelf", "tables")
"""The pages that a test beside their features plays."""
ONE_SCREEN = 35
"""Lines that are read without scrolling."""
MOST_WORDS = 40_000
"""Maximum number of words of the README and the docs together, generated pages included."""
MADE = ("prompt-*.md", "bundle.md")
"""Files that the walkthrough's commands write."""
SEVEN_THIRTY = 1772393460
"""Seconds since 1970: 21 minutes before the tests' clock."""


pytestmark = pytest.mark.needs()
"""The pages tell of all features."""


@pytest.fixture
def update(request: pytest.FixtureRequest) -> bool:
    return bool(request.config.getoption("--update-transcripts"))


# -- what the pages show happens ------------------------------------------------------------------


@pytest.mark.wheel
def test_the_readme_s_examples_happen_as_shown(reel: Reel, update: bool) -> None:  # noqa: FBT001
    """REEL §9.1: paste a bundle, flag moments, ask for a page, update the rings, archive the chat."""
    _lay_out_kits(reel)
    (reel.cwd / "holiday.png").write_bytes(b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
    chats = Path(os.environ["HOME"]) / ".lmstudio" / "conversations"
    chats.mkdir(parents=True)
    chat = Path(shutil.copy(next(EVENING.glob("*.conversation.json")), chats))
    os.utime(chat, (SEVEN_THIRTY, SEVEN_THIRTY))
    reel.env.update(clipboard(reel.cwd.parent, EVENING / "page.md"))
    wrong = play_page(CHECKOUT / "README.md", reel, reel.cwd, update=update)
    assert wrong == []


@pytest.mark.parametrize("page", PLAYED, ids=lambda page: page.stem)
def test_the_page_s_examples_happen_as_shown(page: Path, reel: Reel, update: bool) -> None:  # noqa: FBT001
    _lay_out_kits(reel)
    for folder in (FIXTURES / "cards", FIXTURES / "pages" / page.stem):
        for file in folder.iterdir() if folder.is_dir() else ():
            shutil.copy(file, reel.cwd)
    assert play_page(page, reel, reel.cwd, update=update) == []


def test_every_page_with_examples_is_played() -> None:
    with_examples = {
        page
        for page in PAGES
        if any(one.run and one.command.startswith("reel ") for one in read_examples(page.read_text()))
    }
    elsewhere = {*(DOCS / f"{name}.md" for name in ELSEWHERE), CHECKOUT / "README.md"}
    assert with_examples == {*PLAYED, *elsewhere}


@pytest.mark.parametrize("walk", WALKS)
def test_a_walkthrough_happens_as_shown(reel: Reel, walk: str, update: bool) -> None:  # noqa: FBT001
    _lay_out_kits(reel)
    folder = reel.cwd
    for path in WALKTHROUGH.iterdir():
        if not any(path.match(made) for made in MADE):
            shutil.copy(path, folder)
    reel.env.update(clipboard(folder.parent, EVENING / "page.md"))
    for role in ("AUTHOR", "COMMITTER"):
        reel.env[f"GIT_{role}_NAME"] = "Kenta Tanaka"
        reel.env[f"GIT_{role}_EMAIL"] = "kenta@example.org"
    assert play_page(WALKS[walk], reel, folder, update=update) == []
    for made in sorted(path for pattern in MADE for path in folder.glob(pattern)):
        if update:
            shutil.copy(made, WALKTHROUGH)
        assert (WALKTHROUGH / made.name).read_text() == made.read_text()


@pytest.mark.parametrize("page", FROM_WALKS, ids=lambda page: page.stem)
def test_a_walkthrough_shows_its_files_word_for_word(page: Path, update: bool) -> None:  # noqa: FBT001
    if update:
        rewrite_files(page, WALKTHROUGH)
    different = [
        f"line {line}: {name}"
        for line, name, text in read_files(page.read_text())
        if not same(text, (WALKTHROUGH / name).read_text())
    ]
    assert different == []


def test_each_reply_stands_in_a_walkthrough() -> None:
    shown = {name for page in WALKS.values() for _, name, _ in read_files(page.read_text())}
    assert {path.name for path in WALKTHROUGH.glob("reply-*.md")} <= shown


def test_the_walkthrough_s_conversations_are_those_of_the_data(shared_data: Path) -> None:
    source = json.loads((shared_data / "realmem" / "Kenta_Tanaka_dialogues_256k.json").read_text())
    theirs = {talk["session_uuid"]: talk["dialogue_turns"] for talk in source["dialogues"]}
    ours = [json.loads(path.read_text()) for path in sorted(WALKTHROUGH.glob("session-*.json"))]
    assert len(ours) == 4
    for talk in ours:
        said = [(turn["speaker"].lower(), turn["content"]) for turn in theirs[talk["id"]]]
        assert [(message["role"], message["content"]) for message in talk["messages"]] == said


@pytest.mark.wheel
def test_the_demo_runs_for_somebody_git_does_not_know(tmp_path: Path) -> None:
    script = CHECKOUT / "demo" / "run.sh"
    if not script.is_file():
        pytest.skip("the demo is part of a checkout and not of the wheel")
    home = tmp_path / "home"
    home.mkdir()
    kept = ("LANG", "LC_ALL", "SYSTEMROOT")
    env = {
        **{key: os.environ[key] for key in kept if key in os.environ},
        **reel_on_path(tmp_path),
        "HOME": str(home),
        "TMPDIR": str(tmp_path),
        "GIT_CONFIG_NOSYSTEM": "1",
        "TZ": "UTC",
    }
    done = subprocess.run(["sh", script], env=env, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "git does not know your name yet" in done.stdout
    assert "The page was read." in done.stdout
    kit = next(tmp_path.glob("reel-demo.*/ada"))
    assert done.stdout.endswith(f"cd {kit} && reel status\n")
    assert [line.split("  ")[1] for line in _between(done.stdout, "$ reel log\n", "\n\n").splitlines()] == [
        *("remembered", "recorded", "made")
    ]
    assert git(kit, "status", "--porcelain") == ""
    # compiled patterns, and nothing of the person's
    left = [path.relative_to(home).as_posix() for path in home.rglob("*") if path.is_file()]
    assert [path for path in left if not path.startswith(".cache/reel/patterns.")] == []


# -- what the pages name exists ---------------------------------------------------------------------


def test_every_command_that_a_page_shows_can_be_typed_and_every_one_it_names_exists() -> None:
    wrong = [
        f"{page.name}: {words}: {problem}"
        for page in PAGES
        for words, whole in _commands(page)
        if (problem := problem_of(words))
        and (whole or not re.search("^Missing argument|requires an argument", problem))
    ]
    assert wrong == []


def test_every_option_that_a_guide_names_by_itself_is_one_of_some_command() -> None:
    known = {"--help", "--version", "--install-completion", "--show-completion"}
    known |= set(_options(typer.main.get_command(build_app())))
    guides = [page for page in PAGES if page.parent != CHECKOUT or page.name == "README.md"]
    unknown = [
        f"{page.name}: {option}"
        for page in guides
        for option in re.findall(r"`(--[a-z][a-z-]+)", page.read_text())
        if option not in known
    ]
    assert unknown == []


def test_every_link_between_pages_leads_somewhere() -> None:
    if not (CHECKOUT / "ARCHITECTURE.md").is_file():
        pytest.skip("the pages are whole in a checkout only")
    broken = [
        f"{page.name}: {target}"
        for page in PAGES
        for target in re.findall(r"\]\((?!https?:)([^)]+)", _without_files(page.read_text()))
        if not _leads_somewhere(page, target)
    ]
    assert broken == []


def test_every_page_that_the_program_names_exists() -> None:
    package = Path(next(iter(reel_cli.__path__)))
    named = {
        name
        for path in package.rglob("*.py")
        for name in re.findall(r"\b(?:docs|bench)/[\w./-]+\.md", path.read_text())
    }
    assert len(named) > 2
    assert [name for name in sorted(named) if not (CHECKOUT / name).exists()] == []


def test_the_documentation_stays_short() -> None:
    """The README and the pages of the docs, without the decisions, hold at most 40,000 words together."""
    pages = (CHECKOUT / "README.md", *DOCS.glob("*.md"))
    words = {str(page.relative_to(CHECKOUT)): len(page.read_text().split()) for page in pages}
    total, longest = sum(words.values()), sorted(words, key=lambda name: -words[name])[:5]
    assert total <= MOST_WORDS, (
        f"README.md and docs/*.md hold {total:,} words, and {MOST_WORDS:,} is the most: "
        f"say less elsewhere before you add. Longest: {', '.join(longest)}"
    )


def test_the_first_bundle_is_made_within_the_first_screen_of_the_readme() -> None:
    """Read in a terminal of 80 columns, README has copied the first bundle after at most 35 lines."""
    rows, inside = 0, False
    for line in (CHECKOUT / "README.md").read_text().splitlines():
        if line.startswith("<!--"):
            continue
        inside ^= line.startswith("```")
        rows += -(-len(line) // 80) or 1 if inside else len(textwrap.wrap(line, 80)) or 1
        if inside and line.startswith("Copied: "):
            break
    assert inside
    assert rows <= ONE_SCREEN


def test_every_table_has_as_many_cells_in_each_row() -> None:
    uneven = []
    for page in PAGES:
        plain = re.sub(r"(?ms)^```.*?^```$", "", page.read_text())
        for table in re.findall(r"(?m)(?:^\|.*\n)+", plain):
            rows = table.splitlines()
            cells = {len(re.findall(r"(?<!\\)\|", row)) for row in rows}
            if len(cells) > 1 or not all(row.endswith("|") for row in rows):
                uneven.append(f"{page.name}: {rows[0]}")
    assert uneven == []


SEARCHES = {
    "model declined": "trouble",
    "it says it can't": "trouble",
    "only half of the page": "trouble",
    "forgot me": "trouble",
    "sounds wrong": "trouble",
    "remembers never happened": "trouble",
    "recorded the wrong chat": "trouble",
    "undo mistake": "trouble",
    "deleted a file": "trouble",
    "edited by hand": "trouble",
    "tell another persona": "share",
    "take back": "share",
    "lost laptop": "machines",
    "backup": "machines",
    "move new computer": "machines",
    "two machines": "machines",
    "phone": "places",
    "two models": "model",
    "cost tokens": "model",
    "which window": "model",
    "deleting for good": "forgetting",
    "memories fade": "forgetting",
    "privacy who can read": "privacy",
    "search everything said": "recall",
    "always knows about you": "facts",
    "long chat full": "long-chat",
    "character card": "cards",
    "chats already had export": "chats",
    "memories disagree": "review",
    "reminders due": "due",
    "clipboard": "evening",
    "spreadsheet": "tables",
}
"""Words that a person would search with, and the page that must have them."""


@pytest.mark.parametrize(("words", "name"), SEARCHES.items(), ids=lambda one: one)
def test_a_person_s_own_words_find_the_page(words: str, name: str) -> None:
    """Each of the words begins a word of one section's heading, its page's title or its first line."""
    found = {
        page.stem
        for page in PAGES
        for text in _headlines(page.read_text())
        if all(re.search(rf"(?<![\w']){re.escape(word)}", text) for word in words.split())
    }
    assert name in found


def test_the_generated_pages_are_what_would_be_written() -> None:
    script = CHECKOUT / "tools" / "make_docs.py"
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT)}
    done = subprocess.run(
        [sys.executable, script, "--check"], env=env, capture_output=True, text=True, check=False
    )
    assert (done.stderr, done.returncode) == ("", 0)


def test_no_console_block_is_left_without_its_output() -> None:
    played = (CHECKOUT / "README.md", *PLAYED)
    examples = [(page.name, one) for page in played for one in read_examples(page.read_text())]
    assert len(examples) > 20
    silent = {"cd", "cp"}
    bare = [one for _, one in examples if one.run and one.printed == "\n" and " > " not in one.command]
    assert {shlex.split(one.command)[0] for one in bare} <= silent


# -- the kit's format ----------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def page() -> str:
    return FORMAT.read_text()


@pytest.fixture
def made(reel: Reel) -> Path:
    """A kit made from kits/ada, as every kit is."""
    return take_over(reel, reel.cwd / "my-ada", "ada")


def _dream(reel: Reel) -> None:
    """Live all of a kit's tape again, with something for each of the story's files."""
    reel("dream", "start", "--full", "--yes").ok()
    prompt = reel("dream", "next", "--prompt").ok().out
    fact = "mother: has the tram timetable"
    reply = reply_to(prompt, "It was a good year.", "new: the tram timetable", "Ask sooner.", fact)
    reel("dream", "next", "--reply", "-", "--yes", stdin=reply).ok()


def test_every_file_of_a_kit_is_on_the_page_and_the_other_way_round(
    page: str, made: Path, reel: Reel
) -> None:
    reel.cwd = made
    _dream(reel)
    _dream(reel)
    reel("dream", "next", "--reply", "-", "--yes", stdin=now()).ok()
    reel("domain", "define", "quests", "id", "title").ok()
    (made.parent / "plan.md").write_text("First the glaze.\n")
    reel("shelf", "add", made.parent / "plan.md").ok()
    (made.parent / "old.md").write_text("First the fire.\n")
    reel("shelf", "add", made.parent / "old.md").ok()
    cold = '[{"path": "old.md", "why": "over", "suggested_action": "archive"}]'
    advice = f'{{"why": "we fire tonight", "hot": ["plan.md"], "cold": {cold}}}'
    reel("shelf", "advise", "--reply", "-", "--yes", stdin=advice).ok()
    reel("shelf", "gc", "--yes").ok()
    reply = "The first of the pots is glazed tonight."
    reel("shelf", "summarize", "plan.md", "--reply", "-", "--yes", stdin=reply).ok()
    reel("keep", "--reply", "-", "--yes", stdin=sifted()).ok()
    reel("record", "-", stdin="You: I promise I'll be there.\nAda: Good.\n").ok()
    reel("init", made.parent / "vera", "--template", "companion", "--name", "Vera").ok()
    reel("share", "M-001", "--with", made.parent / "vera", "--yes").ok()
    reel("apart", "roleplay").ok()
    (made / "threads.yaml").write_text("yoga: none\n")
    reel("review", "accept", "threads.yaml").ok()
    patterns = [pattern for row in _table(page, "## The files") for pattern in _spans(row[0])]
    cards = CHECKOUT / "tests" / "fixtures" / "cards"
    apart = made.parent / f"{made.name}-chats/roleplay"
    files = [*git(made, "ls-files").splitlines(), *git(apart, "ls-files").splitlines()]
    for card in ("mira.charx", "mira-v3.png"):
        reel("init", made.parent / card, "--card", cards / card).ok()
        reel("--kit", made.parent / card, "import", "lorebook", cards / "silt-world.json", "--yes").ok()
        files += git(made.parent / card, "ls-files").splitlines()
    homeless = [path for path in files if not any(_names(pattern, path) for pattern in patterns)]
    unused = [pattern for pattern in patterns if not any(_names(pattern, path) for path in files)]
    assert homeless == [], "not in the list of docs/kit-format.md"
    assert unused == [], "in the list, and made by nothing above: make such a file here, too"
    attributes = re.search(r"```text\n(\* -text.*?)```", page, re.DOTALL)
    assert attributes
    assert (made / ".gitattributes").read_text().endswith(attributes[1])


@pytest.mark.parametrize("command", ["status", "diff"])
def test_the_keys_of_the_json_are_on_the_page_for_programs(command: str, made: Path, reel: Reel) -> None:
    reel.cwd = made
    told = json.loads(reel(command, "--json").ok().out)
    line = _between((DOCS / "json.md").read_text(), f"\n`{command}`: ", "\n")
    missing = told.keys() - set(_spans(line))
    assert not missing, f"in empty or no_diff of a row of features/table.py, and make docs: {missing}"


@pytest.mark.parametrize(
    ("heading", "files"),
    [
        ("## `ring1/`", "ring1/*.md"),
        ("## `ring3/M-nnn.md`", "ring3/*.md"),
        ("## `checkpoints/<session>.<n>.yaml`", "checkpoints/*.yaml"),
        ("## `review/<name>.md`", "review/*.md"),
        ("### A session: `tape/<year>/<session>.md`", "tape/*/*.md"),
    ],
)
def test_the_keys_on_the_page_are_those_of_the_files(page: str, heading: str, files: str) -> None:
    told = {key for row in _table(page, heading) for key in _spans(row[0])}
    found = {key for path in KITS.glob(f"*/{files}") for key in _keys(path)}
    assert found == told


def test_the_keys_of_the_tape_s_blocks_are_on_the_page(page: str) -> None:
    heading = "### A session: `tape/<year>/<session>.md`"
    told = {key for row in _table(page, heading, 1) for key in _spans(row[0])}
    events = set(_spans(_between(page, "### `tape/events.md`", "\n- ")))
    for path in KITS.glob("*/tape/**/*.md"):
        for block in read_blocks(path.read_bytes(), path.name):
            assert set(block.header) <= (events if path.name == "events.md" else told)
    assert {kind for row in _table(page, heading, 2) for kind in _spans(row[0])} == set(Kind)


def test_the_words_with_a_fixed_choice_are_those_of_the_program(page: str) -> None:
    def told(heading: str, key: str) -> set[str]:
        row = next(row for row in _table(page, heading) if _spans(row[0]) == [key])
        return set(_spans(row[1]))

    assert told("## `ring1/`", "role") == set(ROLES)
    assert told("## `journal/<year>-<month>.jsonl`", "do") == set(ACTS)
    assert told("## `ring3/M-nnn.md`", "tags") == {
        *PROTOCOL_TAGS, *ORIGIN_TAGS, "relationship-definitional", EXPERIENCE, LORE, IMPORTED,
        SHARED,
    }  # fmt: skip
    assert ", ".join(FIELDS) in page
    assert ", ".join(SECTIONS) in page


def test_the_trailers_on_the_page_are_those_of_the_program(page: str) -> None:
    package = Path(next(iter(reel_cli.__path__)))
    used = {
        name
        for path in package.rglob("*.py")
        for name in re.findall(r'"(Reel-[A-Z][A-Za-z0-9-]*)"', path.read_text())
    }
    assert {name for row in _table(page, "## Commits") for name in _spans(row[0])[:1]} == used


def test_the_page_s_program_proves_a_tape_and_finds_what_was_changed() -> None:
    first_broken_line = runpy.run_path(str(CHECKOUT / "tools" / "verify_chain.py"))["first_broken_line"]
    files = sorted(KITS.glob("*/tape/**/*.md"))
    assert len(files) > 20
    for path in files:
        data = path.read_bytes()
        assert first_broken_line(data) is None
        for place in range(0, len(data), max(1, len(data) // 40)):
            harmed = data[:place] + bytes([data[place] ^ 1]) + data[place + 1 :]
            if harmed[: harmed.find(b"\n---\n") + 5] == data[: data.find(b"\n---\n") + 5]:
                assert first_broken_line(harmed) is not None, (path.name, place)
                assert verify_chain(harmed) is not None, (path.name, place)
        assert first_broken_line(data[:-9]) == verify_chain(data[:-9])
        assert first_broken_line(data[:-9]) is not None


def test_the_chain_follows_from_the_page_s_three_steps() -> None:
    def short(data: bytes) -> str:
        return hashlib.sha256(data).hexdigest()[:32]

    for path in KITS.glob("*/tape/**/*.md"):
        data = path.read_bytes()
        front = data[: data.index(b"\n---\n") + len(b"\n---\n")]
        before = short(front + b"\n")
        for block in read_blocks(data, path.name):
            line = data.split(b"\n")[block.line - 1]
            bare = re.sub(rb', "hash": "[0-9a-f]{32}"\}$', b"}", line[len(b"<!-- ") : -len(b" -->")])
            before = short(before.encode() + bare + b"\n" + block.content)
            assert block.digest == before


def test_a_journal_line_s_id_follows_from_the_page() -> None:
    for path in KITS.glob("*/journal/*.jsonl"):
        for line in path.read_text().splitlines():
            entry = json.loads(line)
            told = "\0".join(entry[key] for key in ("at", "session", "do", "on"))
            assert entry["id"] == hashlib.sha256(told.encode()).hexdigest()[:12]


def test_every_index_line_follows_the_page_s_grammar() -> None:
    where = r"\d{4}-\d\d-\d\d-\d+(?:#\d+(?:-\d+)?)?"
    line = re.compile(
        r'M-\d{3,} \| [^|]+ \| "(?:[^"\\|]|\\.)*" \| [^|]* \| (?:not )?immune(?:, pruned)?'
        rf"(?: <!-- {where} -->)?"
    )
    for path in KITS.glob("*/ring4/index.md"):
        entries = [text for text in path.read_text().splitlines() if text.startswith("M-")]
        assert entries
        assert [text for text in entries if not line.fullmatch(text)] == []


def test_the_page_s_examples_are_taken_from_the_kit(page: str) -> None:
    files = [path for path in (KITS / "ada").rglob("*") if path.is_file() and ".reel" not in path.parts]
    kit = "\n".join(path.read_text() for path in files)
    blocks = re.findall(r"```(?:markdown|yaml|text|json)\n(.*?)```", page, re.DOTALL)
    examples = [text for text in blocks if re.match(r"---|protocol|anchor|M-|\{", text)]
    assert len(examples) == 7
    lines = [part for text in examples for line in text.splitlines() for part in line.split("[…]")]
    assert [line for line in lines if line.rstrip(' "') not in kit] == []


def test_the_example_settings_follow_the_schema(page: str) -> None:
    example = re.search(r"```yaml\n(protocol:.*?)```", page, re.DOTALL)
    assert example
    Draft202012Validator(json.loads(read_kit_schema())).validate(parse_mapping(example[1], "kit.yaml"))


# -- reading the pages -----------------------------------------------------------------------------------


def _lay_out_kits(reel: Reel) -> None:
    shutil.copytree(KITS, reel.cwd / "kits", ignore=shutil.ignore_patterns(".reel"))


def _commands(path: Path) -> Iterator[tuple[str, bool]]:
    """Every command line that a page shows in a block, whole, and every one that it names in its text."""
    text = path.read_text()
    for fenced in re.findall(r"```(?:console|sh)\n(.*?)```", text, re.DOTALL):
        lines = fenced.replace("\\\n", "")
        yield from ((words, True) for words in re.findall(r"(?m)^\$? ?(reel .*)$", lines))
    plain = re.sub(r"```.*?```", "", text, flags=re.DOTALL)
    yield from ((words, False) for words in re.findall(r"`(reel [^`]+)`", plain))


def _options(command: Any) -> Iterator[str]:
    """Every option of a command and of the commands in it."""
    for param in command.params:
        yield from (*param.opts, *param.secondary_opts)
    for one in getattr(command, "commands", {}).values():
        yield from _options(one)


def _table(text: str, heading: str, number: int = 0) -> list[list[str]]:
    """The rows of the nth table, or list of keys, under a heading, cell by cell."""
    section = text.split(f"\n{heading}\n", 1)[1]
    section = re.split(r"\n#{2,3} ", section, maxsplit=1)[0]
    lines = re.findall(r"(?m)(?:^\|.*\n)+|(?:^- `.*\n)+", section)[number].splitlines()
    if lines[0].startswith("-"):
        return [[cell.strip() for cell in line[2:].split(":", 1)] for line in lines]
    rows = [re.split(r"(?<!\\)\|", line.strip("|\n")) for line in lines]
    return [[cell.strip() for cell in row] for row in rows[2:]]


def _spans(text: str) -> list[str]:
    return re.findall(r"`([^`]+)`", text)


def _leads_somewhere(page: Path, target: str) -> bool:
    """Whether there is such a file, with such a heading where one is named."""
    name, _, anchor = target.partition("#")
    place = page.parent / name if name else page
    if not place.exists() or not anchor:
        return place.exists()
    headings = re.findall(r"(?m)^#+ (.*)$", place.read_text())
    return anchor in {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in headings}


def _headlines(text: str) -> Iterator[str]:
    """Each section's heading and first line, below the page's title, as a search would see them."""
    plain = re.sub(r"(?ms)^```.*?^```$|^<!--.*?-->$", "", text)
    title, *sections = re.split(r"(?m)^#+ ", plain)[1:]
    for section in (title, *sections):
        lines = [line for line in section.splitlines() if line.strip()]
        yield f"{title.splitlines()[0]}\n{' '.join(lines[:2])}".lower().replace("\u2019", "'")


def _without_files(text: str) -> str:
    """A page without the Markdown files that it shows, whose links are a kit's own."""
    return re.sub(r"(?ms)^```md\n.*?^```$", "", text)


def _names(pattern: str, path: str) -> bool:
    """Whether a path is one of those that the page's pattern stands for."""
    parts = re.split(r"(<\w+>|nnn)", pattern)
    # what is cut out stands at the odd places
    told = "".join(
        (r"\d{3,}" if part == "nnn" else r"[^/]+") if place % 2 else re.escape(part)
        for place, part in enumerate(parts)
    )
    return re.fullmatch(told, path) is not None and (path == pattern or path != "ring1/active.yaml")


def _keys(path: Path) -> set[str]:
    """The keys of a YAML file, or of a file's front matter."""
    text = path.read_text()
    if path.suffix == ".md":
        text = text.split("---\n")[1]
    return set(parse_mapping(text, path.name))


def _between(text: str, start: str, end: str) -> str:
    return text.split(start, 1)[1].split(end, 1)[0]
