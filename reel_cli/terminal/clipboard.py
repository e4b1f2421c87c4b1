"""The clipboard, through the system's own tools; where there are none, through the terminal (OSC 52).

Over SSH a tool of the machine that reel runs on would fill a clipboard nobody sits at; so there only a
display that is forwarded counts, and else the terminal is asked, which is where the person is.

Where the person asked for it, a reply is waited for on the clipboard; every key goes on working. What is
copied meanwhile stays in memory: what is no answer is neither kept nor shown, for it may be anything.
"""

import base64
import os
import shutil
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.terminal.menu import PROMPT

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console

LARGEST_OSC52 = 74_000
"""Bytes after encoding; many terminals drop longer sequences without notice."""
LARGEST_READ = 8_000_000
"""Bytes above which a clipboard is no text that somebody copied."""
PATIENCE = 5
"""Seconds after which a clipboard tool is given up."""
BY_TERMINAL = "the terminal"
NOWHERE = "there is no clipboard here that reel can reach"
_SCREEN_PIECE = 700
"""Bytes that GNU screen passes on in one piece; it drops what is longer."""
_WINDOWS = ("/mnt/c/Windows/System32", "/mnt/c/Windows/System32/WindowsPowerShell/v1.0")
"""Folders of Windows' tools for a WSL that does not have them on its PATH."""
_GET = "[Console]::OutputEncoding = [Text.Encoding]::UTF8; Get-Clipboard -Raw"


def over_ssh() -> bool:
    """Return whether the person works over SSH."""
    return any(os.environ.get(name) for name in ("SSH_CONNECTION", "SSH_TTY", "SSH_CLIENT"))


@cache
def _kernel() -> str:
    try:
        return Path("/proc/version").read_text(encoding="utf-8", errors="replace").casefold()
    except OSError:
        return ""


def is_wsl() -> bool:
    """Return whether this is a Linux inside Windows, whose clipboard is Windows' own."""
    if any(os.environ.get(name) for name in ("WSL_DISTRO_NAME", "WSL_INTEROP")):
        return True
    return sys.platform == "linux" and "microsoft" in _kernel()


def _mac() -> bool:
    return sys.platform == "darwin" and not over_ssh()


def _windows() -> bool:
    return (sys.platform == "win32" or is_wsl()) and not over_ssh()


def _termux() -> bool:
    return bool(os.environ.get("TERMUX_VERSION")) and not over_ssh()


def _wayland() -> bool:
    return bool(os.environ.get("WAYLAND_DISPLAY"))


def _x11() -> bool:
    return bool(os.environ.get("DISPLAY"))


_Tools = tuple[tuple[Callable[[], bool], tuple[str, ...]], ...]
_COPY: _Tools = (
    (_mac, ("pbcopy",)),
    (_windows, ("clip.exe",)),
    (_termux, ("termux-clipboard-set",)),
    (_wayland, ("wl-copy",)),
    (_x11, ("xclip", "-selection", "clipboard")),
    (_x11, ("xsel", "--clipboard", "--input")),
)
_PASTE: _Tools = (
    (_mac, ("pbpaste",)),
    (_windows, ("powershell.exe", "-NoProfile", "-Command", _GET)),
    (_termux, ("termux-clipboard-get",)),
    (_wayland, ("wl-paste", "--no-newline", "--type", "text")),
    (_x11, ("xclip", "-selection", "clipboard", "-o")),
    (_x11, ("xsel", "--clipboard", "--output")),
)


def copy(text: str) -> str | None:
    """Copy to the clipboard; how it was done, or None where it could not be (`why_not` says why)."""
    for command in _usable(_COPY):
        windows = os.path.basename(command[0]) == "clip.exe"  # noqa: PTH119 (as the system names it)
        encoded = text.encode("utf-16-le" if windows else "utf-8", "replace")
        if _gave(command, encoded):
            return os.path.basename(command[0])  # noqa: PTH119
    return _copy_by_terminal(text)


def copied(how: str | None) -> str:
    """Return the words for a text that was copied in some way, to begin a sentence with.

    A terminal that was asked to copy does not say whether it did.
    """
    return "Asked the terminal to copy" if how == BY_TERMINAL else "Copied"


def paste() -> str | None:
    """Return the clipboard's text; None if no tool can read it, or it holds no text."""
    for command in _usable(_PASTE):
        data = _took(command)
        if data is not None:
            return data.decode("utf-8", "replace").replace("\r\n", "\n")
    return None


def can_read() -> bool:
    """Return whether a tool here reads the clipboard; a terminal can only be written to."""
    return next(_usable(_PASTE), None) is not None


def can_copy() -> bool:
    """Return whether a tool here fills the clipboard, or a terminal that may be asked to."""
    return next(_usable(_COPY), None) is not None or _speaks()


def keys() -> Sequence[tuple[str, str]]:
    """Return the key that takes a reply from the clipboard; none where no tool here reads it."""
    return [("Enter", "the answer that you copied")] if can_read() else []


def why_not(text: str) -> str:
    """Return why a text could not be copied, in a clause."""
    if _speaks() and len(_encoded(text)) > LARGEST_OSC52:
        return f"it is larger than what a terminal copies ({LARGEST_OSC52 * 3 // 4 // 1000} kB)"
    return NOWHERE


def _usable(tools: _Tools) -> Iterator[Sequence[str]]:
    """Yield the commands that belong here and are installed, the likeliest first."""
    for fits, command in tools:
        if not fits():
            continue
        place = shutil.which(command[0])
        if place is None and fits is _windows and is_wsl():
            place = shutil.which(command[0], path=os.pathsep.join(_WINDOWS))
        if place is not None:
            yield (place, *command[1:])


def _gave(command: Sequence[str], data: bytes) -> bool:
    """Run a tool with the text as input; return whether it succeeded."""
    try:
        done = subprocess.run(
            command,
            input=data,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            timeout=PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _took(command: Sequence[str]) -> bytes | None:
    """Return a tool's output; None if it fails, hangs, or gives more than a text can be."""
    try:
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
    except OSError:
        return None
    with process:
        late = threading.Timer(PATIENCE, process.kill)
        late.daemon = True
        late.start()
        try:
            data = process.stdout.read(LARGEST_READ + 1) if process.stdout else b""
            if len(data) > LARGEST_READ:
                process.kill()
                return None
            return data if process.wait() == 0 else None
        except BaseException:
            process.kill()
            raise
        finally:
            late.cancel()


def _encoded(text: str) -> bytes:
    return base64.b64encode(text.encode("utf-8", "replace"))


def _speaks() -> bool:
    """Return whether the terminal may know OSC 52."""
    return os.environ.get("TERM", "") not in ("", "dumb", "linux")


def wrapped(sequence: bytes) -> bytes:
    """Return a sequence for the terminal, wrapped for what stands between: tmux, or GNU screen."""
    if os.environ.get("TMUX"):
        return b"\x1bPtmux;" + sequence.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    if os.environ.get("STY") or os.environ.get("TERM", "").startswith("screen"):
        pieces = (sequence[at : at + _SCREEN_PIECE] for at in range(0, len(sequence), _SCREEN_PIECE))
        return b"".join(b"\x1bP" + piece + b"\x1b\\" for piece in pieces)
    return sequence


def _copy_by_terminal(text: str) -> str | None:
    """Ask the terminal to copy (OSC 52), through whatever stands between."""
    encoded = _encoded(text)
    if len(encoded) > LARGEST_OSC52 or not _speaks():
        return None
    tmux = shutil.which("tmux") if os.environ.get("TMUX") else None
    # tmux passes a program's own sequences on only if configured to; its own it sends by default
    if tmux is not None and _gave((tmux, "load-buffer", "-w", "-"), text.encode("utf-8", "replace")):
        return BY_TERMINAL
    return BY_TERMINAL if _write_terminal(wrapped(b"\x1b]52;c;" + encoded + b"\a")) else None


def _write_terminal(data: bytes) -> bool:
    try:
        descriptor = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        return False
    try:
        while data:
            data = data[os.write(descriptor, data) :]
    except OSError:
        return False
    finally:
        os.close(descriptor)
    return True


EVERY = 0.7
"""The clipboard is looked at this often, in seconds; less often where looking takes long."""
SHARE = 4
"""Factor of the time a look took that is waited until the next."""


class ClipboardWatch:
    """Watcher for one exchange's reply; `judge` returns why a text is not it, "" if it is."""

    def __init__(self, console: "Console", judge: Callable[[str], str]) -> None:
        """Keep the judge; nothing is read before `ask`."""
        self._console, self._judge = console, judge
        self._told = False
        self.taken = ""
        """The text that `ask` found on the clipboard; "" if a line was typed instead."""

    def ask(self) -> str:
        """Return the next typed line or pasted text; or "" with `taken`, as soon as an answer is copied.

        What is on the clipboard at the beginning is not looked at: it was copied for something else.
        Raises EOFError at the end of input.
        """
        console, self.taken = self._console, ""
        if not can_read():
            self._say_once(f"The clipboard cannot be watched: {_unreadable()}. Use the keys.")
            return console.ask(PROMPT, block=True)
        self._say_once("Watching the clipboard: copy the answer, and reel takes it.")
        before, seconds = paste(), EVERY
        console.drop_early()
        with console.typing() as wait:
            while True:
                if console.redraws:
                    console.live(f"{PROMPT} ")
                if (line := wait(seconds)) is not None:
                    if line.ended:
                        raise EOFError
                    return line.text.strip()
                began = time.monotonic()
                text = paste()
                seconds = max(EVERY, SHARE * (time.monotonic() - began))
                if text is None or text == before or not text.strip():
                    continue
                before = text
                if why := self._judge(text):
                    console.say(f"({why}; still watching)")
                    continue
                self.taken = text
                console.say("Took the answer from the clipboard.")
                return ""

    def _say_once(self, line: str) -> None:
        if not self._told:
            self._console.say(line)
            self._told = True


def _unreadable() -> str:
    if over_ssh():
        return "over SSH a terminal lets reel write to it, not read it"
    return NOWHERE
