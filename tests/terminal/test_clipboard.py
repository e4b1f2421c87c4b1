"""The clipboard: which way is taken where, how it goes through tmux and screen; waiting for a reply on it."""

import base64
import shlex
import shutil
import sys
from pathlib import Path

import pytest

from reel_cli.terminal import clipboard
from reel_cli.terminal.input import typed_line
from tests.support.cli import Reel, git
from tests.support.pages import chat, page

OSC = b"\x1b]52;c;" + base64.b64encode(b"hello") + b"\a"


class Desk:
    """A machine of the test's own: tools that note who was called, a clipboard that is a file, a terminal."""

    def __init__(self, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.folder, self._patch = folder, monkeypatch
        self.held, self.called = folder / "held", folder / "called"
        self.terminal: list[bytes] = []
        for name in ("SSH_TTY", "SSH_CLIENT", "WSL_INTEROP", "TERMUX_VERSION", "STY"):
            monkeypatch.delenv(name, raising=False)
        monkeypatch.setenv("PATH", f"{folder}:/bin:/usr/bin")
        monkeypatch.setattr(clipboard, "_kernel", lambda: "linux")
        monkeypatch.setattr(clipboard, "_WINDOWS", (str(folder / "windows"),))
        monkeypatch.setattr(shutil, "which", self._which)
        monkeypatch.setattr(clipboard, "_write_terminal", self._write)

    def put(self, *names: str, works: bool = True, where: str = "") -> None:
        """Install tools; those that do not work say so by their exit code."""
        place = self.folder / where
        place.mkdir(exist_ok=True)
        for name in names:
            held, called = shlex.quote(str(self.held)), shlex.quote(str(self.called))
            reads = (
                f'case "{name} $*" in *paste*|*-o|*output|*get*|power*) cat {held};; *) cat > {held};; esac'
            )
            (place / name).write_text(f"#!/bin/sh\necho {name} >> {called}\n{reads if works else 'exit 1'}\n")
            (place / name).chmod(0o755)

    def env(self, **values: str) -> None:
        for name, value in values.items():
            self._patch.setenv(name, value)

    def calls(self) -> list[str]:
        return self.called.read_text().split() if self.called.exists() else []

    def _write(self, data: bytes) -> bool:
        self.terminal.append(data)
        return True

    def _which(self, name: str, path: str | None = None) -> str | None:
        place = (self.folder if path is None else Path(path)) / name
        return str(place) if place.is_file() else None


@pytest.fixture
def desk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Desk:
    folder = tmp_path / "desk"
    folder.mkdir()
    return Desk(folder, monkeypatch)


ALL = (
    "pbcopy",
    "pbpaste",
    "clip.exe",
    "powershell.exe",
    "wl-copy",
    "wl-paste",
    "xclip",
    "xsel",
    "termux-clipboard-set",
)


@pytest.mark.parametrize(
    ("platform", "env", "tool"),
    [
        ("darwin", {}, "pbcopy"),
        ("linux", {"WSL_DISTRO_NAME": "Ubuntu", "WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "clip.exe"),
        ("linux", {"WAYLAND_DISPLAY": "wayland-0", "DISPLAY": ":0"}, "wl-copy"),
        ("linux", {"DISPLAY": ":0"}, "xclip"),
        ("linux", {"TERMUX_VERSION": "0.118"}, "termux-clipboard-set"),
        ("linux", {}, clipboard.BY_TERMINAL),
        # who sits at another machine has no use for this one's clipboard, but a forwarded display is theirs
        ("darwin", {"SSH_CONNECTION": "1 2 3 4"}, clipboard.BY_TERMINAL),
        ("linux", {"SSH_TTY": "/dev/pts/3", "WSL_DISTRO_NAME": "Ubuntu"}, clipboard.BY_TERMINAL),
        ("linux", {"SSH_CONNECTION": "1 2 3 4", "DISPLAY": "localhost:10.0"}, "xclip"),
    ],
)
def test_the_nearest_clipboard_is_taken(
    desk: Desk, monkeypatch: pytest.MonkeyPatch, platform: str, env: dict[str, str], tool: str
) -> None:
    desk.put(*ALL)
    monkeypatch.setattr(sys, "platform", platform)
    desk.env(TERM="xterm-256color", **env)
    assert clipboard.copy("hello") == tool
    if tool == clipboard.BY_TERMINAL:
        assert (desk.terminal, desk.calls(), clipboard.can_read()) == ([OSC], [], False)
    else:
        assert (desk.terminal, desk.calls()) == ([], [tool])
        assert desk.held.read_bytes() == "hello".encode("utf-16-le" if tool == "clip.exe" else "utf-8")


def test_a_tool_that_fails_makes_way_for_the_next_and_line_ends_are_one(desk: Desk) -> None:
    desk.put("wl-copy", "wl-paste", works=False)
    desk.put("xsel")
    desk.env(WAYLAND_DISPLAY="wayland-0", DISPLAY=":0", TERM="xterm")
    assert clipboard.copy("hé\n") == "xsel"
    desk.held.write_bytes("hé\r\nthere".encode())
    assert clipboard.paste() == "hé\nthere"
    assert desk.calls() == ["wl-copy", "xsel", "wl-paste", "xsel"]


def test_windows_tools_are_found_where_wsl_keeps_its_path_to_itself(
    desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    desk.put("clip.exe", "powershell.exe", where="windows")
    monkeypatch.setattr(clipboard, "_kernel", lambda: "linux version 5.15 microsoft-standard-wsl2")
    assert clipboard.copy("hello") == "clip.exe"
    desk.held.write_text("a page\r\n")
    assert clipboard.paste() == "a page\n"


def test_tmux_sends_it_itself_and_else_passes_it_on(desk: Desk) -> None:
    desk.env(TERM="tmux-256color", TMUX="/run/tmux-1/default,1,0")
    desk.put("tmux")
    assert clipboard.copy("hello") == clipboard.BY_TERMINAL
    assert (desk.calls(), desk.held.read_text(), desk.terminal) == (["tmux"], "hello", [])
    desk.put("tmux", works=False)
    assert clipboard.copy("hello") == clipboard.BY_TERMINAL
    assert desk.terminal == [b"\x1bPtmux;" + OSC.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"]


def test_screen_gets_it_in_pieces_it_can_hold(desk: Desk) -> None:
    desk.env(TERM="screen.xterm-256color", STY="1.pts")
    text = "a long page " * 300
    assert clipboard.copy(text) == clipboard.BY_TERMINAL
    pieces = [piece.removesuffix(b"\x1b\\") for piece in desk.terminal[0].split(b"\x1bP")[1:]]
    assert max(map(len, pieces)) <= 700
    assert b"".join(pieces) == b"\x1b]52;c;" + base64.b64encode(text.encode()) + b"\a"


@pytest.mark.parametrize(
    ("term", "size", "why"),
    [
        ("xterm", 80_000, "it is larger than what a terminal copies (55 kB)"),
        ("dumb", 10, "there is no clipboard here that reel can reach"),
        ("linux", 80_000, "there is no clipboard here that reel can reach"),
    ],
)
def test_why_it_could_not_be_copied(desk: Desk, term: str, size: int, why: str) -> None:
    desk.env(TERM=term)
    assert clipboard.copy("x" * size) is None
    assert (clipboard.why_not("x" * size), desk.terminal) == (why, [])


def test_what_is_too_large_to_be_a_text_is_not_read(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.put("xclip")
    desk.env(DISPLAY=":0")
    monkeypatch.setattr(clipboard, "LARGEST_READ", 1000)
    desk.held.write_text("x" * 1000)
    assert clipboard.paste() == "x" * 1000
    desk.held.write_text("x" * 200_000)
    assert clipboard.paste() is None


KEY = "\r"
STOP = "\x03"


# -- waiting for a reply ----------------------------------------------------------------------


@pytest.fixture
def told(reel: Reel, kit: Path) -> Path:
    reel("record", "-", stdin=chat()).ok()
    return kit


def watching(desk: Desk, monkeypatch: pytest.MonkeyPatch, *steps: str) -> None:
    """Between two looks at the clipboard a text is copied, a line is typed (KEY), or Ctrl-C (STOP)."""
    desk.put("xclip")
    desk.env(DISPLAY=":0", TERM="xterm")
    left = iter(steps)

    def within(_: float) -> bool:
        step = next(left)
        if step == STOP:
            raise KeyboardInterrupt
        if step not in ("", KEY):
            desk.held.write_text(step)
        return step == KEY

    monkeypatch.setattr(typed_line, "is_typed_within", within)


def test_a_reply_that_is_copied_is_taken_without_a_key(
    reel: Reel, told: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    prompt = reel("checkpoint", "--prompt").ok().out
    private = "correct horse battery staple"
    watching(desk, monkeypatch, "", private, "", prompt, "## What happened\nA storm came.\n", page())
    run = reel("checkpoint", "--watch-clipboard", "--yes", tty=True).ok()
    assert "Watching the clipboard: copy the answer, and reel takes it." in run.err
    assert run.err.count("still watching)") == 3
    assert "(passed over what was copied: it is no page; still watching)" in run.err
    assert "(what was copied is the prompt itself; still watching)" in run.err
    assert "(passed over: only one part is in it; still watching)" in run.err
    assert "Took the answer from the clipboard." in run.err
    assert "The letter that wasn't hers" in (told / "ring3/M-001.md").read_text()
    # what was copied meanwhile is nobody's business
    assert private not in run.err + run.out
    kept = (path for path in told.rglob("*") if path.is_file())
    assert not [path for path in kept if private.encode() in path.read_bytes()]


def test_the_page_of_an_earlier_evening_on_the_clipboard_is_not_taken_and_keys_work(
    reel: Reel, told: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = git(told, "rev-parse", "HEAD")
    watching(desk, monkeypatch, "", KEY)
    desk.held.write_text(page())
    monkeypatch.setattr(clipboard, "copy", lambda _: None)
    run = reel("checkpoint", env={"REEL_WATCH_CLIPBOARD": "1"}, stdin="q\n", tty=True).ok()
    assert "The prompt is kept." in run.err
    assert "Took" not in run.err
    assert git(told, "rev-parse", "HEAD") == before


def test_what_is_missing_is_asked_for_and_taken_as_well(
    reel: Reel, told: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    rest = "## What matters\nHe asked instead of guessing.\n"
    watching(desk, monkeypatch, page({"What matters": None}), rest)
    run = reel("checkpoint", "--watch-clipboard", "--yes", tty=True).ok()
    assert run.err.count("Took the answer from the clipboard.") == 2
    assert "He asked instead of guessing." in (told / "ring3/M-001.md").read_text()


def test_ctrl_c_leaves_everything_as_it_was(
    reel: Reel, told: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching(desk, monkeypatch, STOP)
    before = git(told, "rev-parse", "HEAD")
    run = reel("checkpoint", "--watch-clipboard", tty=True)
    assert (run.code, git(told, "rev-parse", "HEAD"), git(told, "status", "--porcelain")) == (130, before, "")
    assert "Stopped. Nothing was changed." in run.err


def test_ctrl_c_after_half_an_answer_says_that_it_stays(
    reel: Reel, told: Path, desk: Desk, monkeypatch: pytest.MonkeyPatch
) -> None:
    watching(desk, monkeypatch, page({"What matters": None}), STOP)
    run = reel("checkpoint", "--watch-clipboard", tty=True)
    assert "14 of 15 parts are kept" in run.err
    assert "Stopped. What came of the answer stays." in run.err
    assert (run.code, git(told, "status", "--porcelain")) == (130, "")


def test_nothing_is_read_unless_asked_for_and_where_nothing_can_be_read_that_is_said(
    reel: Reel, told: Path, desk: Desk
) -> None:
    desk.put("xclip")
    desk.env(DISPLAY=":0", TERM="xterm")
    reel("checkpoint", stdin="q\n", tty=True).ok()
    assert desk.calls() == ["xclip"]  # it copied the prompt
    desk.env(DISPLAY="", SSH_CONNECTION="1 2 3 4")
    run = reel("checkpoint", "--watch-clipboard", stdin="q\n", tty=True).ok()
    assert (
        "The clipboard cannot be watched: over SSH a terminal lets reel write to it, not read it." in run.err
    )
    assert "The prompt is kept." in run.err


def test_a_chat_that_was_copied_is_recorded(desk: Desk, reel: Reel, kit: Path) -> None:
    desk.put("xclip")
    desk.env(DISPLAY=":0", TERM="xterm")
    desk.held.write_text("You: Ice?\n\nAda: Thick.\n")
    run = reel("end", tty=True, stdin="\nq\n").ok()
    assert "Enter: the chat that you copied." in run.err
    assert "Recorded the pasted chat, “Ice?”, 2 messages." in run.out


def test_where_pasting_may_bring_nothing_a_key_shows_the_prompt(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A terminal may take a text and not pass it on; the place of a hidden file is no help there."""
    reel.given("record", "-", stdin=chat())
    monkeypatch.setattr(clipboard, "copy", lambda _: "the terminal")
    done = reel("checkpoint", stdin="q\n", tty=True).ok()
    told = "If pasting brings nothing, s shows the prompt here, to copy by hand."
    assert told in " ".join(done.err.split())
    assert "What happened" not in done.out
    assert ".reel/state" not in done.err
    # a second terminal for another command is not needed
    shown = reel("checkpoint", stdin="s\nq\n", tty=True).ok()
    assert "## What happened\n" in shown.out
    assert "The prompt is kept." in shown.err


@pytest.mark.parametrize(
    ("command", "way"),
    [
        (("start",), "reel pack"),
        (("pack", "--copy"), "leave out --copy"),
        (("pack", "--for", "ollama", "--copy"), "reel pack --for ollama"),
        (("recall", "penicillin", "--copy"), "leave out --copy"),
    ],
)
def test_what_a_terminal_was_only_asked_to_copy_is_not_called_copied(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch, command: tuple[str, ...], way: str
) -> None:
    """Each day's text was "Copied" where no clipboard was there, and only the first day named a way."""
    reel.given("record", "-", stdin=chat())
    monkeypatch.setattr(clipboard, "copy", lambda _: clipboard.BY_TERMINAL)
    told = " ".join(reel(*command, tty=True).ok().err.split())
    assert "Copied" not in told
    assert "Asked the terminal to copy" in told
    assert "f pasting brings nothing" in told
    assert way in told
    monkeypatch.setattr(clipboard, "copy", lambda _: "xclip")
    told = " ".join(reel(*command, tty=True).ok().err.split())
    assert "Copied" in told
    assert "pasting brings nothing" not in told


def test_where_pasting_may_bring_nothing_what_asks_for_the_rest_is_shown(
    reel: Reel, kit: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """At the question no command can be typed, so that its key is named there, and the command elsewhere."""
    reel.given("record", "-", stdin=chat())
    (reel.cwd / "half.txt").write_text(page({"What matters": None}))
    monkeypatch.setattr(clipboard, "copy", lambda _: clipboard.BY_TERMINAL)
    done = reel("checkpoint", stdin="f half.txt\ns\nq\n", tty=True)
    told = " ".join(done.err.split())
    assert "if pasting brings nothing, s shows it" in told
    assert "this prints it" not in told
    assert ("What matters" in done.out, "What happened" in done.out) == (True, False)
    way = "reel checkpoint --prompt"
    given = reel("checkpoint", "--reply", "half.txt", tty=True)
    assert f"if pasting brings nothing, this prints it: {way}" in " ".join(given.err.split())
    rest = reel(*way.split()[1:]).ok().out
    assert ("What matters" in rest, "What happened" in rest) == (True, False)
