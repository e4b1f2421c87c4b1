"""`reel record --watch -`: what is pasted turn by turn goes on the tape as it comes."""

import io
import json
import os
import signal
import stat
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path

import pytest

from reel_cli.core.errors import StateError
from reel_cli.core.git.lock import hold_lock
from reel_cli.features.watch.watch_paste import PAUSE, RETRY, PasteWatch
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from tests.features.watch.test_watched_gauge import LINE, LONG, Terminal
from tests.support.cli import CHECKOUT, Reel, git
from tests.support.sifted_chat import ask, key_of, sifted

NAME = "2026-03-01-1"


@dataclass
class Evening:
    """Somebody pastes; the clock is in the test's hand."""

    kit: Path
    pasting: PasteWatch
    out: io.StringIO
    err: io.StringIO
    now: float = 100.0

    def paste(self, text: str) -> None:
        """A paste as a terminal marks it."""
        self.type(f"\x1b[200~{text}\x1b[201~")

    def type(self, text: str) -> None:
        """Return what comes in one piece."""
        self.now += 0.1
        self.pasting.take(text.encode(), self.now)

    def wait(self, seconds: float = 0.2) -> None:
        """Nothing comes for so long."""
        self.now += seconds
        self.pasting.rest(self.now)

    def tape(self, name: str = NAME) -> list[tuple[str, str]]:
        """Return who said what, as the tape has it."""
        from reel_cli.core.tape.session_file import parse_session

        path = self.kit / "tape/2026" / f"{name}.md"
        shown = parse_session(path.read_bytes(), path.name).shown() if path.exists() else []
        return [(entry.message.role, entry.message.text) for entry in shown]


def begin(kit: Path, *, typed: bool = True, session: str | None = None, as_json: bool = False) -> Evening:
    """Begin to take turns, at a terminal or from a pipe."""
    out, err = io.StringIO(), Terminal() if typed else io.StringIO()
    opened = Context(kit, Console(out, err)).open_kit()
    pasting = PasteWatch(opened, session=session, idle=60.0, as_json=as_json, typed=typed, raw=typed)
    pasting.begin()
    return Evening(kit, pasting, out, err)


@pytest.fixture(autouse=True)
def terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", "100")


def test_at_a_terminal_each_paste_is_a_turn_and_goes_on_the_tape(reel: Reel, kit: Path) -> None:
    evening = begin(kit)
    evening.paste("Is the ice\r\n\r\nthick?")
    assert evening.tape() == [("user", "Is the ice\n\nthick?")]
    evening.paste("You: no\rAda: Thick enough.\rYou: And us?")
    evening.type("Ask\x7f\x7f\x7fAda: Ask the haer\x7f\x7fre.\r")
    evening.type("It said no.\r")
    evening.wait()
    assert evening.tape()[4:] == []
    evening.type("\r")
    evening.wait()
    assert evening.tape() == [
        ("user", "Is the ice\n\nthick?"),
        ("user", "no"),
        ("assistant", "Thick enough."),
        ("user", "And us?"),
        ("assistant", "Ask the hare.\nIt said no."),
    ]
    evening.type("half a tu")
    assert not evening.pasting.ended
    evening.pasting.end()
    assert evening.tape()[5:] == [("user", "half a tu")]
    shown = evening.err.getvalue()
    assert "Bo > Is the ice thick?\n" in shown
    assert "(bundle 1,122, 3 messages " in shown
    assert "Ada > Ask the hare.\n" not in shown  # as it was typed, with its name
    assert shown.endswith(
        "Recorded 6 messages in 1 chat.\n"
        f"To go on with it:  reel record --watch - --session {NAME}\nNext:  reel end\n"
    )
    assert evening.out.getvalue() == f"20:00  “Is the ice thick?”: 1 message, recorded as {NAME}\n"
    assert "Going on: “Is the ice thick?”" in reel("status").ok().out
    reel("tape", "verify").ok()


def test_a_pipe_is_recorded_when_it_is_quiet_and_at_its_end(kit: Path) -> None:
    evening = begin(kit, typed=False)
    evening.type("You: Is the ice thick?\nAda: Thick")
    evening.type("\n")
    assert evening.tape() == []
    evening.wait(PAUSE)
    assert evening.tape() == [("user", "Is the ice thick?")]
    evening.type("enough.\n\nFor a \x1b[1mhare\x1b[0m.\r\n")
    evening.wait(61)
    # the turn has not ended, and is on the tape as it stands all the same
    assert evening.tape()[1:] == [("assistant", "Thick\nenough.\n\nFor a hare.")]
    evening.type("And a fox.\nYou: Hm")
    evening.pasting.end()
    assert evening.tape()[1:] == [("assistant", "Thick\nenough.\n\nFor a hare.\nAnd a fox."), ("user", "Hm")]
    assert evening.err.getvalue().splitlines()[1:4] == [
        "13 % full, 1,127 of 8,192 tokens (bundle 1,122, 1 message 5)",
        "13 % full, 1,142 of 8,192 tokens (bundle 1,122, 3 messages 20)",
        "Recorded 3 messages in 1 chat.",
    ]


def test_warnings_come_once_and_phrases_are_named(kit: Path) -> None:
    with (kit / "ring4/index.md").open("a") as index:
        index.write(LINE)
    evening = begin(kit)
    for text in ("A hare for the ice?", "A hare for the ice.", *[LONG] * 9, LONG * 10):
        evening.paste(text)
    shown = evening.err.getvalue()
    assert shown.count("came up") == 1
    assert 'reel recall "a hare for the ice" --copy\n' in shown
    assert shown.count(": the window is ") == 1
    assert shown.count("Next:  reel keep\n") == 1
    assert "one message takes 9,000 tokens, more than the" in shown
    assert len(evening.tape()) == 12
    assert evening.tape()[-1][1] == (LONG * 10).rstrip()


def test_a_session_is_gone_on_with(reel: Reel, kit: Path) -> None:
    first = begin(kit)
    for text in ("Yes?", "Yes.", "Yes?"):
        first.paste(text)
    first.pasting.end()
    evening = begin(kit, session=NAME)
    evening.paste("Yes.")
    evening.paste("Yes?")
    evening.type("Yes, ")
    evening.wait()
    evening.wait(61)
    evening.type("I said.")
    evening.pasting.end()
    texts = ["Yes?", "Yes.", "Yes?", "Yes.", "Yes?", "Yes, I said."]
    assert evening.tape() == [(("user", "assistant")[n % 2], text) for n, text in enumerate(texts)]
    assert evening.out.getvalue().startswith("20:00  “Yes?”: 1 more message\n")
    # without it, what is said again is said again
    again = begin(kit, as_json=True)
    again.paste("Yes?")
    again.pasting.end()
    assert json.loads(again.out.getvalue())["session"] == "2026-03-01-2"
    reel("tape", "retract", NAME).ok()
    for name in (NAME, "2026-03-09-1"):
        assert reel("record", "--watch", "-", "--session", name, stdin="You: Hm").code == 1
    assert len(evening.tape()) == 6


def test_from_the_paste_to_its_keep_and_the_new_chat(reel: Reel, kit: Path) -> None:
    evening = begin(kit)
    for number in range(6):
        evening.paste(f"The kiln cracked again, and this is bucket {number}.")
    prompt = ask(reel)
    assert key_of(prompt) == f"{NAME}#1-6"
    evening.paste(prompt)
    assert len(evening.tape()) == 6
    reply = sifted(patterns="nothing")
    kept = json.loads(reel("keep", "--reply", "-", "--yes", "--json", stdin=reply).ok().out)
    evening.paste(f"{kept['text']}\n\nGo on.")
    evening.paste("So I will.")
    assert "That is a bundle, so a new chat begins here.\n" in evening.err.getvalue()
    shown = evening.err.getvalue()
    assert "Bo > [a bundle, known as reel's own] Go on.\n" in shown
    assert "Bo > [a prompt, known as reel's own]\n" in shown
    evening.pasting.end()
    assert evening.tape("2026-03-01-2") == [("user", "Go on."), ("assistant", "So I will.")]
    assert len(evening.tape()) == 6


def test_what_cannot_be_recorded_is_tried_again_and_never_lost(
    kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("reel_cli.core.git.lock.PATIENCE", 0.05)
    evening = begin(kit)
    with hold_lock(kit):
        evening.paste("Is the ice thick?")
        evening.wait(RETRY + 1)
        evening.wait(RETRY + 1)
        assert evening.tape() == []
        assert evening.err.getvalue().count("It is tried again.") == 1
    evening.wait(RETRY + 1)
    assert evening.tape() == [("user", "Is the ice thick?")]
    evening.paste("Ada: Thick enough.")
    with hold_lock(kit):
        evening.type("You: And us?")
        with pytest.raises(StateError) as stopped:
            evening.pasting.end()
    assert "nothing is lost: it lies in " in (stopped.value.hint or "")
    (beside,) = kit.glob(".reel/state/pasted-*.md")
    assert beside.read_text() == "You: Is the ice thick?\n\nAssistant: Thick enough.\n\nYou: And us?\n"


def test_only_a_bundle_is_nothing_yet_and_ctrl_d_ends_it(reel: Reel, kit: Path) -> None:
    evening = begin(kit)
    evening.paste(reel("pack").ok().out)
    assert (evening.tape(), "It is tried again" in evening.err.getvalue()) == ([], False)
    evening.type("\x04")
    assert evening.pasting.ended
    evening.pasting.end()
    assert evening.err.getvalue().endswith("Nothing new was said.\n")


def test_the_command(reel: Reel, kit: Path) -> None:
    run = reel("record", "--watch", "-", stdin="You: Is it thick?\r\nAda: Thick enough.\r\n").ok()
    assert run.out == f"20:00  “Is it thick?”: 2 messages, recorded as {NAME}\n"
    assert git(kit, "log", "-1", "--format=%s") == f"record: {NAME}, 2 messages\n"
    assert reel("record", "--watch", "-", stdin="").ok().err.endswith("Nothing new was said.\n")
    for more in (("chat.json",), ("--latest",), ("--title", "x"), ("--dry-run",), ("--format", "text")):
        assert reel("record", "--watch", "-", *more, stdin="You: Hm").code == 2


def test_on_a_real_terminal_a_long_paste_and_ctrl_c_in_the_middle_of_a_turn(kit: Path) -> None:
    pty = pytest.importorskip("pty", reason="there are no such terminals here")
    termios = pytest.importorskip("termios", reason="there are no such terminals here")
    long = "word " * 2000  # more than such a terminal takes in one line by itself
    mine, theirs = pty.openpty()
    command = [sys.executable, "-m", "reel_cli", "record", "--watch", "-"]
    env = {**os.environ, "PYTHONPATH": str(CHECKOUT), "TERM": "xterm", "COLUMNS": "80"}
    shown = b""
    with subprocess.Popen(
        command, cwd=kit, env=env, stdin=theirs, stdout=theirs, stderr=theirs, start_new_session=True
    ) as watching:

        def until(words: bytes) -> None:
            nonlocal shown
            while words not in shown and (piece := os.read(mine, 1 << 16)):
                shown += piece

        until(b"Bo > ")
        os.write(mine, f"\x1b[200~{long}\x1b[201~".encode())
        until(b"recorded as")
        os.write(mine, b"Half a tu")
        until(b"Half a tu")
        watching.send_signal(signal.SIGINT)
        until(b"Next:  reel end")
        assert watching.wait() == 0
    echo = termios.tcgetattr(theirs)[3] & (termios.ECHO | termios.ICANON)
    os.close(mine)
    os.close(theirs)
    assert echo == termios.ECHO | termios.ICANON
    session = (kit / f"tape/2026/{NAME}.md").read_text()
    assert (long.strip() in session, "\nHalf a tu\n" in session) == (True, True)


@pytest.mark.skipif(os.geteuid() == 0, reason="the owner of everything may write everywhere")
def test_a_kit_that_cannot_be_written_leaves_it_elsewhere(kit: Path) -> None:
    evening = begin(kit)
    kit.chmod(stat.S_IRUSR | stat.S_IXUSR)
    (kit / ".reel/state").chmod(stat.S_IRUSR | stat.S_IXUSR)
    try:
        evening.paste("Is the ice thick?")
        with pytest.raises(StateError) as stopped:
            evening.pasting.end()
    finally:
        kit.chmod(stat.S_IRWXU)
        (kit / ".reel/state").chmod(stat.S_IRWXU)
    place = Path((stopped.value.hint or "").rpartition("reel record ")[2])
    assert place.read_text() == "You: Is the ice thick?\n"
    place.unlink()
