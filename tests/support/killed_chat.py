"""`reel chat` as a process of its own that a signal strikes at a point that is counted, never timed."""

import os
import shutil
import signal
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from reel_cli.core.tape.session_file import parse_session
from reel_cli.features.watch.chat_spool import ChatSpool
from reel_cli.terminal.console import Console
from tests.support.chat_server import ChatServer
from tests.support.forked_program import run_forked
from tests.support.killed_program import WRITES
from tests.support.shelf import copy_kit

TURNS = ("What did you sweep?", "Which bucket?", "Good night.")
ANSWERS = (
    "I swept the glass into the bucket.\nAll of it, I think.\n\nNot the corner by the stove.",
    "<think>\nA bucket?\n</think>\n\nThe blue one, with the dent.\nIt leaks.",
    "Good night.\nSleep well.",
)


@dataclass(frozen=True)
class Struck:
    """Lines that a chat showed until it was killed, and bodies that it sent to the server."""

    code: int
    out: str
    err: str
    sent: tuple[str, ...]


def answer(body: dict[str, Any]) -> str:
    """The answer to the turn that is asked."""
    asked = body["messages"][-1]["content"]
    return next(said for turn, said in zip(TURNS, ANSWERS, strict=True) if asked.endswith(turn))


def strike(kit: Path, server: ChatServer, at: int, number: int, *more: str) -> Struck | None:
    """Chat in the kit, and have signal `number` strike at the `at`th step; None where it has fewer.

    A step is a write to the screen or to the chat's own file, before and after it, and whatever else opens,
    renames or deletes a file, or starts a process.
    """
    before = len(server.chats)
    marker = kit.parent / "struck"
    marker.unlink(missing_ok=True)
    code, out, err = run_forked(
        ("chat", "--via", server.address, *more),
        kit,
        "".join(f"{turn}\n" for turn in TURNS).encode(),
        dict(os.environ),
        lambda: _strike_at(at, number, marker),
    )
    if not marker.exists():
        assert code == 0, err.decode()
        return None
    marker.unlink()
    sent = tuple(chat["messages"][-1]["content"] for chat in server.chats[before:])
    return Struck(code, out.decode(), err.decode(), sent)


def _strike_at(at: int, number: int, marker: Path) -> None:
    left = at

    def step() -> None:
        nonlocal left
        left -= 1
        if left == 0:
            os.close(os.open(marker, os.O_CREAT | os.O_WRONLY))
            os.kill(os.getpid(), number)

    def around(made: Callable[..., Any]) -> Callable[..., Any]:
        def stepping(*given: Any, **more: Any) -> Any:
            step()
            done = made(*given, **more)
            step()
            return done

        return stepping

    def watch(event: str, given: tuple[Any, ...]) -> None:
        writes = event == "open" and isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR)
        if left > 0 and (event in WRITES or writes):
            step()

    Console.write_part = around(Console.write_part)  # type: ignore[method-assign]
    ChatSpool._write = around(ChatSpool._write)  # type: ignore[method-assign]
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    signal.signal(signal.SIGHUP, signal.SIG_DFL)
    sys.addaudithook(watch)


def lost(kit: Path, struck: Struck) -> list[str]:
    """Return whatever was shown or sent and is not on the tape."""
    said: list[tuple[str, str]] = []
    for path in sorted(kit.glob("tape/2*/*.md")):
        said += [
            (e.message.role, e.message.text) for e in parse_session(path.read_bytes(), path.name).shown()
        ]
    lines = [line for role, text in said if role == "assistant" for line in text.split("\n")]
    # a piece that was on its way to the screen may be missing there, never on the tape
    shown = [line.rstrip() for line in struck.out.split("\n") if line.strip()]
    missing = [one for one in shown if not any(line.startswith(one) for line in lines)]
    mine = [text for role, text in said if role == "user"]
    missing += [turn for turn in TURNS if any(s.endswith(turn) for s in struck.sent) and turn not in mine]
    return missing


def twice(kit: Path) -> list[str]:
    """Return whatever stands on the tape more than once."""
    said: list[str] = []
    for path in kit.glob("tape/2*/*.md"):
        said += [entry.message.text for entry in parse_session(path.read_bytes(), path.name).shown()]
    return [text for text in set(said) if said.count(text) > 1]


def waiting(kit: Path) -> list[str]:
    """The chats in the kit that are not on the tape."""
    return [path.name for path in kit.glob(".reel/state/chats/*.jsonl")]


def fresh(template: Path, scratch: Path) -> Path:
    """A copy of a kit to strike in."""
    shutil.rmtree(scratch, ignore_errors=True)
    copy_kit(template, scratch)
    return scratch
