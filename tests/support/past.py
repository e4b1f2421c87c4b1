"""A kit with a past: made, lived in and edited on days that are known, each step a commit of that day."""

import os
import subprocess
from pathlib import Path

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import Memory, memory_path
from tests.support.cli import Reel, Run
from tests.support.lived_kit import DREAM, PAGE, chat_file
from tests.support.shelf import ready_made

MADE = "2026-02-01T12:00:00+00:00"
FIRST = "2026-02-10T22:30:00+00:00"
"""Half past midnight on the 11th in Helsinki."""
REMEMBERED = "2026-02-12T09:00:00+00:00"
SECOND = "2026-02-25T22:00:00+00:00"
THIRD = "2026-02-26T10:00:00+00:00"


def make_past(reel: Reel, folder: Path, *, zone: str = "UTC") -> Path:
    """Make the kit: three evenings on the tape, a page and a dream remembered after the first of them."""

    def make() -> None:
        at(reel, MADE, "init", folder, "--template", "companion", "--name", "Ada").ok()
        settings = folder / "kit.yaml"
        settings.write_text(settings.read_text() + f"timezone: {zone}\n")
        commit(folder, "the zone", MADE)
        record(reel, folder, 0, FIRST)
        keep(folder, PAGE, DREAM)
        commit(folder, "two things to remember", REMEMBERED)
        record(reel, folder, 1, SECOND)
        record(reel, folder, 2, THIRD)

    for number in range(3):
        chat_of(folder, number).write_text(chat_file(number))
    ready_made(folder, f"a past {zone} {reel.env}", make)
    reel.cwd = folder
    return folder


def at(reel: Reel, when: str, *arguments: str | Path) -> Run:
    """Run a command at a time."""
    return reel(*arguments, env={"REEL_NOW": when})


def record(reel: Reel, folder: Path, number: int, when: str) -> None:
    """Record one of the evenings."""
    at(reel, when, "--kit", folder, "record", chat_of(folder, number)).ok()


def chat_of(folder: Path, number: int) -> Path:
    """Where the chat of one of the evenings lies; `make_past` puts them there."""
    return folder.parent / f"evening-{number}.json"


def keep(folder: Path, *memories: Memory) -> None:
    """Write memories and their lines, as they lie in a kit."""
    (folder / "ring3").mkdir(exist_ok=True)
    for memory in memories:
        (folder / memory_path(memory.id)).write_text(render_memory(memory))
    index = folder / INDEX
    index.write_text(put_lines(index.read_text(), [line_for(memory) for memory in memories]))


def commit(folder: Path, subject: str, when: str, *more: str) -> str:
    """Commit all that lies there, at a time, past the guard; returns the commit."""
    env = {**os.environ, "GIT_COMMITTER_DATE": when, "GIT_AUTHOR_DATE": when}
    subprocess.run(["git", "add", "-A", "."], cwd=folder, check=True)
    subprocess.run(
        ["git", "commit", "-q", "--no-verify", "-m", subject, *more], cwd=folder, check=True, env=env
    )
    return head(folder)


def head(folder: Path) -> str:
    """The commit that is checked out."""
    return subprocess.run(
        ["git", "rev-parse", "HEAD"], cwd=folder, check=True, capture_output=True, text=True
    ).stdout.strip()
