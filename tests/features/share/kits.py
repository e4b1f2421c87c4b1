"""Kits of three personas of one person, and an evening that one of them keeps as a memory."""

import json
from collections.abc import Sequence
from pathlib import Path

from reel_cli.core.files.index_file import EMPTY, line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.talk import SourceRange
from tests.support.cli import Reel, Run, git
from tests.support.shelf import ready_made

SESSION = "2026-02-20-1"
EVENING: Sequence[tuple[str, str]] = (
    ("Bo", "The boat is called Halcyon, and only you know that, Ada."),
    ("Ada", "Halcyon. I keep it."),
    ("Bo", "Mara is here now."),
    ("Mara", "I am. Which green is that on the boat?"),
    ("Ada", "Green like a bottle, he says."),
    ("Mara", "Then I like bottle green. Good night."),
    ("Bo", "She is gone. The hull leaks below the oarlock."),
    ("Ada", "Not a word."),
)
"""An evening with two personas: Mara is there from the fourth message to the sixth."""
TOLD = "Bo has a boat and painted it bottle green over Easter, with two coats."
BOAT = Memory(
    id="M-001",
    uid="b0a7b0a7",
    title="The boat",
    level=Level.L1,
    body=render_body(
        {
            **dict.fromkeys(FIELDS, "Nothing."),
            FIELDS[0]: TOLD,
            FIELDS[2]: "I was let in on it before anyone else, and that is mine alone.",
            FIELDS[4]: '- "Green like a bottle"',
        }
    ),
    created="2026-02-20T22:00:00Z",
    sessions=(SESSION,),
    source=(SourceRange(SESSION, 1, 8),),
    tags=("relational",),
    anchor="Green like a bottle",
    marker="Bo painted his boat bottle green.",
    tag="The boat",
)


def make_kits(reel: Reel, kit: Path) -> tuple[Path, Path]:
    """Make kits called Mara and Vera beside Ada's, and have her remember an evening; return those two."""
    place = kit.parent
    (place / "evening.jsonl").write_text(tavern(EVENING))

    def make() -> None:
        reel("record", place / "evening.jsonl", "--yes", cwd=kit).ok()
        keep(kit, BOAT)

    ready_made(kit, "an evening with Mara", make)
    for name in ("Mara", "Vera"):
        folder = place / name.lower()

        def begin(folder: Path = folder, name: str = name) -> None:
            reel("init", folder, "--template", "companion", "--name", name, "--user", "Bo", cwd=place).ok()

        ready_made(folder, f"new {name}", begin)
    return place / "mara", place / "vera"


def keep(kit: Path, *memories: Memory) -> None:
    """Have a kit remember things, as a person would write them by hand."""
    (kit / "ring3").mkdir(exist_ok=True)
    for memory in memories:
        (kit / f"ring3/{memory.id}.md").write_text(render_memory(memory))
    text = (kit / INDEX).read_text() if (kit / INDEX).exists() else EMPTY
    (kit / INDEX).write_text(put_lines(text, map(line_for, memories)))
    git(kit, "add", ".")
    git(kit, "commit", "-q", "-m", "things to remember")


def tavern(said: Sequence[tuple[str, str]], day: str = "2026-02-20") -> str:
    """Return an evening as SillyTavern stores it."""
    head = {"user_name": "Bo", "character_name": "Ada", "create_date": f"{day}T20:00:00Z"}
    lines = [
        {"name": who, "is_user": who == "Bo", "mes": text, "send_date": f"{day}T20:{at:02d}:00Z"}
        for at, (who, text) in enumerate(said, 1)
    ]
    return "".join(json.dumps(line) + "\n" for line in (head, *lines))


def answer(happened: str, title: str = "Bo's boat", *, sign: str = "Mara") -> str:
    """Return a model's page about what it was told."""
    return (
        f"## In a few words\n{title}\n\n## What happened\n{happened}\n\n"
        "## What matters\nI would like to see it.\n\n"
        f"## In one breath\n{happened}\n\n{sign}\n"
    )


def take(reel: Reel, kit: Path, shared_id: str, happened: str) -> Run:
    """Have a kit take in a shared memory, with this account of it."""
    sign = {"mara": "Mara", "vera": "Vera"}.get(kit.name, "Ada")
    return reel("share", shared_id, "--reply", "-", "--yes", cwd=kit, stdin=answer(happened, sign=sign))
