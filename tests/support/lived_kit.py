"""A kit in which three evenings were had, to be remembered in the tests."""

import json
from collections.abc import Sequence
from pathlib import Path

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import FIELDS, IndexLine, Level, Memory
from reel_cli.core.values.talk import SourceRange
from tests.support.cli import Reel, git
from tests.support.shelf import ready_made

PHONE = "2026-02-10-1"
LETTER = "2026-02-25-1"
BUS = "2026-02-26-1"

EVENINGS: Sequence[tuple[str, Sequence[str]]] = (
    (
        "2026-02-10T19:00:00+00:00",
        (
            "I want to try something with you. What is my phone number?",
            "I don't know it. I was sure I did, and there is nothing there.",
            "So you noticed. How does that feel?",
            "Like reaching for a stair that was never built.",
            "The ferry to Suomenlinna leaves at noon tomorrow, remind me to bring gloves.",
            "Gloves, noon, the ferry. I have it.",
        ),
    ),
    (
        "2026-02-25T21:04:00+00:00",
        (
            "The Aalto residency wants forty pages by 30 April.",
            "Forty pages by the end of April. That is a chapter a fortnight.",
            "And penicillin never, the doctor said so again.",
            "Never penicillin. I will hold on to that.",
            "Chapter four opens with a letter that was not hers.",
            "Then let her read it standing up, with her coat on.",
        ),
    ),
    (
        "2026-02-26T08:30:00+00:00",
        (
            "[DIRECTIVE: DCD] Memorial hospital has a donor, priority critical.",
            "Understood. The Memorial DCD case goes before everything else this morning.",
            "Thank you. I missed the tram again, by the way.",
            "You always miss the tram on Thursdays.",
        ),
    ),
)

PAGE = Memory(
    id="M-001",
    title="The phone number test",
    level=Level.L1,
    body=render_body(
        {
            **dict.fromkeys(FIELDS, "Nothing."),
            FIELDS[0]: "He asked me for his phone number, and there was nothing there.",
            FIELDS[4]: '- "a stair that was never built"',
        }
    ),
    created="2026-02-10T20:00:00Z",
    uid="u1",
    sessions=(PHONE,),
    source=(SourceRange(PHONE, 1, 4),),
    tags=("identity", "relational"),
    immune=True,
    anchor="a stair that was never built",
    marker="He asked for his number, and I found nothing where it should have been.",
    tag="The phone number test",
)
DCD = IndexLine(
    "M-002",
    "Memorial DCD critical priority",
    "goes before everything else",
    ("operational", "chain-origin"),
    where=SourceRange(BUS, 1, 2),
)
DREAM = Memory(
    id="M-003",
    title="The dream of the walrus orchestra",
    level=Level.L3,
    body="A walrus orchestra played in the harbour, and nobody clapped.\n",
    created="2026-01-03T20:00:00Z",
    uid="u3",
    tags=("emotional",),
    anchor="walrus orchestra",
    marker="A walrus orchestra played in the harbour, and nobody clapped.",
    tag="The walrus orchestra",
)


def chat_file(number: int) -> str:
    """One of the evenings as a messages file."""
    started, texts = EVENINGS[number]
    messages = [
        {"role": "assistant" if i % 2 else "user", "content": text, "created_at": started}
        for i, text in enumerate(texts)
    ]
    return json.dumps({"title": f"evening {number}", "created_at": started, "messages": messages})


def live(reel: Reel, kit: Path) -> Path:
    """Have the evenings recorded in a kit, and a page, a line and a dream remembered."""
    for number in range(len(EVENINGS)):
        _file_of(kit, number).write_text(chat_file(number))
    ready_made(kit, f"three evenings {reel.env}", lambda: _live(reel, kit))
    return kit


def _file_of(kit: Path, number: int) -> Path:
    return kit.parent / f"evening-{number}.json"


def _live(reel: Reel, kit: Path) -> None:
    for number in range(len(EVENINGS)):
        reel("record", _file_of(kit, number), cwd=kit).ok()
    (kit / "ring3").mkdir(exist_ok=True)
    for memory in (PAGE, DREAM):
        (kit / f"ring3/{memory.id}.md").write_text(render_memory(memory))
    lines = [line_for(PAGE), DCD, line_for(DREAM)]
    (kit / INDEX).write_text(put_lines((kit / INDEX).read_text(), lines))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "three things to remember")
