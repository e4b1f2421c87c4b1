"""Text pasted on standard input."""

import io
import os
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path

import pytest

from reel_cli.terminal.input.given_text import read_all
from tests.support.cli import Reel


class Terminal(io.RawIOBase):
    """Gives one typed line a read; Ctrl-D is one empty read, and reading on would wait for ever."""

    def __init__(self, *lines: bytes) -> None:
        self._lines = [*lines, b""]

    def readable(self) -> bool:
        return True

    def readinto(self, buffer: bytearray) -> int:  # type: ignore[override]
        line = self._lines.pop(0)
        buffer[: len(line)] = line
        return len(line)


def test_one_ctrl_d_ends_a_paste(monkeypatch: pytest.MonkeyPatch) -> None:
    typed = Terminal(b"You: Good evening.\n", b"\n", b"Ada: Good evening.\n")
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BufferedReader(typed)))  # type: ignore[type-var]
    assert read_all(1 << 20) == b"You: Good evening.\n\nAda: Good evening.\n"


@pytest.mark.parametrize("end", ["", "\n"], ids=["a line without its end", "whole lines"])
@pytest.mark.parametrize("command", [("record", "-"), ("end", "-")], ids=["record", "end"])
def test_one_ctrl_d_ends_a_paste_on_a_real_terminal(
    reel: Reel, kit: Path, command: tuple[str, ...], end: str
) -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    mine, theirs = pty.openpty()
    with subprocess.Popen(
        reel.command(*command), cwd=kit, env={**os.environ, "TERM": "xterm"},
        stdin=theirs, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True,
    ) as recording:  # fmt: skip
        os.write(mine, f"You: Good evening.\nAda: Good evening, Bo.\nYou: The last line{end}\x04".encode())
        try:
            said, _ = recording.communicate(timeout=20)
        finally:
            recording.kill()
    os.close(mine)
    os.close(theirs)
    assert b"3 messages" in said, said
    (session,) = (kit / "tape").rglob("*-1.md")
    assert "The last line" in session.read_text()


def test_a_pasted_line_may_be_longer_than_a_terminal_hands_over(monkeypatch: pytest.MonkeyPatch) -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    termios = pytest.importorskip("termios", reason="there are no such terminals here")
    mine, theirs = pty.openpty()
    before = termios.tcgetattr(theirs)
    long = "wörter " * 1500

    def paste() -> None:
        while termios.tcgetattr(theirs)[3] & termios.ICANON:
            pass
        for piece in (long[:5000], long[5000:], "\nAda: Tö\x7foo\x7f\x7f no\n", "\x04"):
            os.write(mine, piece.encode())

    def take_echo() -> None:
        with suppress(OSError):
            while os.read(mine, 1 << 16):
                pass

    with os.fdopen(theirs, encoding="utf-8") as terminal:
        monkeypatch.setattr(sys, "stdin", terminal)
        echo = threading.Thread(target=take_echo)
        echo.start()
        pasting = threading.Thread(target=paste)
        pasting.start()
        assert read_all(1 << 20).decode() == f"{long}\nAda: T no\n"
        pasting.join()
        assert termios.tcgetattr(theirs)[3] == before[3]
    echo.join()
    os.close(mine)


@pytest.mark.parametrize(
    ("command", "usual"),
    [(("record",), "Hint: name a chat's file, or - to paste it\n"), (("checkpoint", "--yes", "--reply"), "")],
    ids=["a chat", "a page"],
)
def test_the_file_that_a_mistyped_name_means_is_named(
    reel: Reel, kit: Path, command: tuple[str, ...], usual: str
) -> None:
    folder = kit.parent / "my chats"
    folder.mkdir()
    (folder / "chat.txt").write_text("You: Ice?\n\nAda: Thick.\n")
    reel("record", "-", stdin="You: Rain?\n\nAda: Since noon.\n").ok()
    refused = reel(*command, "../my chats/chta.txt")
    assert refused.code == 1
    assert refused.err == (
        "Error: There is no file ../my chats/chta.txt.\nHint: did you mean  '../my chats/chat.txt'\n"
    )
    for other in ("../my chats/nothing like it", "../no folder/chat.txt", "\0"):
        assert "did you mean" not in reel(*command, other).err
    assert reel(*command, "nothing like it").err == f"Error: There is no file nothing like it.\n{usual}"


def test_a_file_that_is_not_there_is_met_with_the_one_above_it_or_one_alike(reel: Reel, kit: Path) -> None:
    (kit.parent / "e5.txt").write_text("Jo: Late.\n\nAda: Sit down.\n")
    (kit / "p1.txt").write_text("Jo: Late.\n\nAda: Sit down.\n")
    assert "Hint: did you mean  ../e5.txt\n" in reel("end", "e5.txt").err
    assert "did you mean" not in reel("end", "nope.txt").err
    (kit / "p1.txt").unlink()
    # where a file is asked for, the command with its name names it too
    asked = reel("end", tty=True, stdin="reel end ../e5.txt\nq\n")
    assert "was not run" not in asked.err
    assert "Recorded e5.txt" in asked.out + asked.err


def test_one_chat_of_a_folder_is_offered_with_its_file(reel: Reel, kit: Path) -> None:
    (folder := kit.parent / "talks").mkdir()
    (folder / "e5.txt").write_text("Jo: Late.\n\nAda: Sit down.\n")
    (folder / "e6.txt").write_text("Jo: A walk by the sea.\n\nAda: How was it?\n")
    reel("record", folder / "e6.txt").ok()
    told = reel("end", folder, tty=True, stdin="n\n")
    assert "Record e5.txt, “Late.” (2 messages" in " ".join((told.out + told.err).split())


def test_part_of_a_templates_name_is_met_with_all_of_it(reel: Reel) -> None:
    assert "did you mean game-npc?" in reel("init", "orla", "--template", "npc").err
