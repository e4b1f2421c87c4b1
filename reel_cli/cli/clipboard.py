"""The clipboard, through the system's own tools, then the terminal's (OSC 52)."""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Callable

LARGEST_OSC52 = 74_000
"""In bytes after encoding; many terminals drop more than this without a word."""
PATIENCE = 5
"""In seconds; a clipboard tool that hangs longer is given up."""


def _mac() -> bool:
    return sys.platform == "darwin"


def _windows() -> bool:
    return sys.platform == "win32" or bool(os.environ.get("WSL_DISTRO_NAME"))


def _wayland() -> bool:
    return bool(os.environ.get("WAYLAND_DISPLAY"))


def _x11() -> bool:
    return bool(os.environ.get("DISPLAY"))


_Tools = tuple[tuple[Callable[[], bool], list[str]], ...]
_COPY: _Tools = (
    (_mac, ["pbcopy"]),
    (_windows, ["clip.exe"]),
    (_wayland, ["wl-copy"]),
    (_x11, ["xclip", "-selection", "clipboard"]),
    (_x11, ["xsel", "--clipboard", "--input"]),
)
_PASTE: _Tools = (
    (_mac, ["pbpaste"]),
    (_windows, ["powershell.exe", "-NoProfile", "-Command", "Get-Clipboard -Raw"]),
    (_wayland, ["wl-paste", "--no-newline"]),
    (_x11, ["xclip", "-selection", "clipboard", "-o"]),
    (_x11, ["xsel", "--clipboard", "--output"]),
)


def copy(text: str) -> str | None:
    """Copy to the clipboard; how it was done, or None where it could not be."""
    for fits, command in _COPY:
        if fits() and shutil.which(command[0]):
            encoded = (
                text.encode("utf-16-le") if command[0] == "clip.exe" else text.encode("utf-8", "replace")
            )
            try:
                done = subprocess.run(
                    command,
                    input=encoded,
                    stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL,
                    timeout=PATIENCE,
                    check=False,
                )
            except (OSError, subprocess.TimeoutExpired):
                continue
            if done.returncode == 0:
                return command[0]
    return _copy_by_terminal(text)


def paste() -> str | None:
    """The clipboard's text; None where there is no tool to read it."""
    for fits, command in _PASTE:
        if fits() and shutil.which(command[0]):
            try:
                done = subprocess.run(command, capture_output=True, timeout=PATIENCE, check=False)
            except (OSError, subprocess.TimeoutExpired):
                continue
            if done.returncode == 0:
                return done.stdout.decode("utf-8", "replace").replace("\r\n", "\n")
    return None


def _copy_by_terminal(text: str) -> str | None:
    """Ask the terminal to copy (OSC 52); through tmux where that is between us and it."""
    encoded = base64.b64encode(text.encode("utf-8", "replace"))
    if len(encoded) > LARGEST_OSC52 or os.environ.get("TERM") in (None, "", "dumb", "linux"):
        return None
    sequence = b"\x1b]52;c;" + encoded + b"\a"
    if os.environ.get("TMUX"):
        sequence = b"\x1bPtmux;" + sequence.replace(b"\x1b", b"\x1b\x1b") + b"\x1b\\"
    try:
        descriptor = os.open("/dev/tty", os.O_WRONLY | os.O_NOCTTY)
    except OSError:
        return None
    try:
        os.write(descriptor, sequence)
    except OSError:
        return None
    finally:
        os.close(descriptor)
    return "the terminal"
