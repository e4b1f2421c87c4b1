"""SillyTavern's chats followed: found where it keeps them, each evening without a word.

A chat file is as SillyTavern 1.19.0 saves it (SillyTavern/SillyTavern `public/script.js`, `saveChat`).
"""

import io
import json
import os
from collections.abc import Sequence
from pathlib import Path

import pytest

from reel_cli.features.record.chat_apps import SILLYTAVERN, newest_chats, sillytavern_folders
from reel_cli.features.watch.watch_files import Follower
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.support.cli import Reel, git

IDLE = 60.0


def save(folder: Path, name: str, *said: str, character: str = "Ada", at: int = 1000) -> Path:
    """Let SillyTavern save a chat, whose file was written at a second."""
    lines: list[dict[str, object]] = [
        {"chat_metadata": {"integrity": f"of {name}"}, "user_name": "unused", "character_name": "unused"}
    ]
    lines += [
        {
            "name": character if number % 2 else "Bo",
            "is_user": number % 2 == 0,
            "is_system": False,
            "send_date": f"2026-02-28T20:{number:02}:00.000Z",
            "mes": text,
        }
        for number, text in enumerate(said)
    ]
    path = folder / character / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(map(json.dumps, lines)), "utf-8")
    os.utime(path, (at, at))
    return path


@pytest.fixture
def chats() -> Path:
    return Path.home() / "SillyTavern/data/default-user/chats"


class Watching:
    """An evening's watch whose clock is in the test's hand."""

    def __init__(self, kit: Path, folder: Path, remember: Sequence[str]) -> None:
        self.err = io.StringIO()
        opened = Context(kit, Console(io.StringIO(), self.err)).open_kit()
        self.follower = Follower(opened, [folder], idle=IDLE, format="auto", remember=remember)
        self.follower.begin(0, present=False)
        self.now = 0.0

    def pass_by(self) -> None:
        for _ in range(2):
            self.now += IDLE + 1
            self.follower.beat(self.now)

    def end(self) -> None:
        self.follower.end(self.now)


def recorded(kit: Path) -> list[str]:
    return git(kit, "log", "--grep=^Reel-Op: record", "--reverse", "--format=%s").splitlines()


def test_its_folders_are_found_where_its_guide_puts_it(chats: Path) -> None:
    save(chats, "Lamp", "Is anybody in?", "The lamp is lit.")
    (chats.parent / "group chats").mkdir()
    assert sillytavern_folders() == [chats, chats.parent / "group chats"]
    assert [(chat.app, chat.path.stem) for chat in newest_chats()] == [(SILLYTAVERN, "Lamp")]


def test_an_evening_that_nobody_watched_is_recorded_when_the_next_begins(kit: Path, chats: Path) -> None:
    save(chats, "old", "Is it old?", "It is.", at=1000)
    first = Watching(kit, chats, [])
    save(chats, "Lamp", "Is anybody in?", "The lamp is lit.", at=2000)
    first.pass_by()
    first.end()
    # what was there when nobody had asked for anything stays unrecorded
    assert recorded(kit) == ["record: 2026-02-28-1, 2 messages"]
    save(chats, "Lamp", "Is anybody in?", "The lamp is lit.", "Still?", "Still.", at=3000)
    save(chats, "Oil", "And the oil?", "It is low.", at=3001)
    save(chats, "Wolf", "Who are you?", "A wolf.", character="Holo", at=3002)
    second = Watching(kit, chats, [])
    second.pass_by()
    second.end()
    assert recorded(kit)[1:] == ["record: 2026-02-28-1, 2 messages more", "record: 2026-02-28-2, 2 messages"]
    assert "Holo" not in second.err.getvalue()
    third = Watching(kit, chats, [])
    third.pass_by()
    third.end()
    assert len(recorded(kit)) == 3


def test_another_character_is_told_of_once_and_left_out(kit: Path, chats: Path) -> None:
    chats.mkdir(parents=True)
    watch = Watching(kit, chats, [])
    for name in ("Wolf", "Apple"):
        save(chats, name, "Who are you?", "A wolf.", character="Holo")
    watch.pass_by()
    assert watch.err.getvalue().count("It is a chat with Holo, and this kit is Ada.") == 1
    assert recorded(kit) == []


def test_a_folder_that_was_named_once_is_followed_from_then_on(kit: Path, chats: Path) -> None:
    chats.mkdir(parents=True)
    Watching(kit, chats, [str(chats)]).end()
    again = Watching(kit, chats, [str(chats)])
    assert "without being told" not in again.err.getvalue()
    state = again.follower._opened.state.following()
    assert state is not None
    assert state[0] == [str(chats)]


def test_the_end_of_an_evening_takes_the_newest_chat_with_this_persona(
    reel: Reel, kit: Path, chats: Path
) -> None:
    save(chats, "Lamp", "Is anybody in?", "The lamp is lit.", at=2000)
    save(chats, "Wolf", "Who are you?", "A wolf.", character="Holo", at=3000)
    run = reel("record", "--latest").ok()
    assert 'Newest chat: "Lamp" in SillyTavern, 2 messages' in run.err
    assert "Holo" not in run.err
    assert recorded(kit) == ["record: 2026-02-28-1, 2 messages"]
