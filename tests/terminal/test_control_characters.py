"""Nothing in a kit steers a terminal: no control character reaches a stream, piped or not."""

import json
import re
import shlex
import shutil
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from reel_cli.terminal.plain_text import harmless, harmless_json, printable
from tests.features.memory.test_memory import remembered  # noqa: F401 (a fixture)
from tests.support.cli import Reel, Run
from tests.support.pages import page

NASTY = "\x1b[31mred\x1b[0m\x07 \x1b]0;title\x07 \x9b2J \x1b[2J \u202eevil\u2066 \x7f\x08 over\rwritten \x0c"
STEERING = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
READING = [
    "pack --window 32k", "pack --explain", "pack --json", "pack --format messages", "start", "status",
    "status --json", "log", "log --json", "log --forgotten", "tape show 2026-03-01-1", "tape list",
    "tape list --json", "tape verify", "recall letter",
    "recall letter --json", "memory list", "memory show M-001", "memory list --json", "exemplar list",
    "exemplar show the-bus-window", "fact list", "fact list --json", "fact history preferences.tea",
    "review", "review --json", "why letter", "why 'red letter'", "why --json red", "diff", "diff --json",
    "doctor", "checkpoint --prompt", "consolidate --prompt", "keep --prompt", "maintain --prompt",
    "maintain --dry-run", "dream next --prompt", "fact extract --prompt", "shelf list", "domain list",
    "export letter", "export training", "export card", "status --metrics",
]  # fmt: skip


@pytest.fixture
def hostile(reel: Reel, kit: Path) -> Path:
    """A kit whose chats, names, titles, memories, facts and settings hold control characters."""
    turns = [
        {"role": "user", "content": f"The letter. {NASTY}", "name": NASTY},
        {"role": "assistant", "content": f"I read the letter twice. {NASTY}", "name": NASTY},
    ]
    chat = {"title": NASTY, "messages": turns * 4}
    reel("record", "-", "--yes", stdin=json.dumps(chat)).ok()
    told = page({"What happened": f"Bo read a letter. {NASTY}"})
    reel("checkpoint", "--reply", "-", "--yes", stdin=told)
    reel("fact", "add", "preferences", "tea", f"green {NASTY}")
    reel("tape", "flag", NASTY)
    reel("dream", "start", "--yes")
    for path in ("ring1/the-bus-window.md", "ring2/working.md", "ring0/identity.md", "ring4/index.md"):
        with (kit / path).open("a", encoding="utf-8", newline="") as file:
            file.write(f"\n{NASTY}\n")
    return kit


def steered(run: Run) -> list[str]:
    return STEERING.findall(run.out) + STEERING.findall(run.err)


def test_no_reading_command_passes_one_on(reel: Reel, hostile: Path) -> None:
    shown = 0
    for line in READING:
        done = reel(*shlex.split(line))
        assert steered(done) == [], line
        assert done.code != 2, line
        shown += "red" in done.out
    assert shown > 20
    assert "\x1b" in (hostile / "tape/2026/2026-03-01-1.md").read_text(encoding="utf-8")


def test_what_json_escapes_a_program_reads_as_it_was(reel: Reel, hostile: Path) -> None:
    bundle = json.loads(reel("pack", "--json", "--window", "32k").ok().out)
    assert NASTY.splitlines()[0][:5] in bundle["text"]


def test_a_file_s_name_steers_nothing(reel: Reel, kit: Path) -> None:
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3" / "M-a\x1b[31mb.md").write_text("x\n", encoding="utf-8")
    for line in ("doctor", "doctor --json", "doctor --fix", "tape verify", "status"):
        for tty in (False, True):
            done = reel(*shlex.split(line), tty=tty)
            assert "\x1b[31mb" not in done.out + done.err, (line, tty)


@given(st.text(st.characters() | st.sampled_from(list(NASTY))))
def test_every_other_character_stays(text: str) -> None:
    shown = harmless(text)
    assert len(shown) == len(text)
    assert all(b in (a, "�") for a, b in zip(text, shown, strict=True))
    assert not STEERING.findall(shown.replace("\r\n", "\n"))
    assert json.loads(harmless_json(json.dumps(text, ensure_ascii=False))) == text


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("10\xa0000\u202f€", "10 000 €"),
        ("👩\u200d💻", "👩\u200d💻"),
        ("می\u200cروم", "می\u200cروم"),
        ("\u202eevil\u2066 \x1b[2J \x9b2J", "�evil� �[2J �2J"),
    ],
)
def test_a_terminal_shows_joined_signs_and_every_space(text: str, shown: str) -> None:
    assert printable(text) == shown


@pytest.mark.usefixtures("remembered")
def test_a_line_break_in_a_name_or_title_makes_no_line_of_its_own(reel: Reel, kit: Path) -> None:
    broken = '"One\\nEVIL: two\\u2028EVIL: three"'
    for path, key in (("kit.yaml", "name"), ("kit.yaml", "user"), ("ring3/M-001.md", "title"),
                      ("ring1/the-bus-window.md", "title")):  # fmt: skip
        file = kit / path
        text = re.sub(rf"(?m)^{key}: .*\n", "", file.read_text())
        file.write_text(text.replace("---\n", f"---\n{key}: {broken}\n", 1) if "---\n" in text
                        else f"{key}: {broken}\n{text}")  # fmt: skip
    other = kit.parent / "b\nEVIL: folder"
    shutil.copytree(kit, other)
    for line in (
        "", "kits", "status", "memory list", "memory show M-001", "exemplar list", "config", "config name",
        "exemplar show the-bus-window", "memory pin M-001 --dry-run", "log", "start", "doctor",
    ):  # fmt: skip
        for place in (kit, other, kit.parent):
            done = reel(*shlex.split(line), cwd=place)
            bare = [one.lstrip(" -~+") for one in (done.out + done.err).splitlines()]
            assert [one for one in bare if one.startswith("EVIL")] == [], (line, place)
