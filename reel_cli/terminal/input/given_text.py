"""Text that a person hands to a command: in a file, as `-` on standard input, or from their editor.

Standard input is kept, so that a command which begins anew reads the same.
"""

import errno
import os
import sys
import time
from collections.abc import Sequence
from contextlib import suppress
from io import BufferedReader, BytesIO, TextIOWrapper
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.private import write_private
from reel_cli.core.shell import quote_path
from reel_cli.core.values.change import one_line
from reel_cli.terminal.console import Console

_read: list[bytes] = []
_given: list[bytes] = []
_parts: list[bytes] = []
"""The parts of a text that has not ended."""
_PART = 1 << 20
AT_ONCE = 2.0
"""Seconds within which nobody opens a text, reads it and closes it: its editor opened a window and went."""
LONGEST_NAME = 200
"""Characters of a name that is no file's which are shown."""
NO_NAME = (errno.ENAMETOOLONG, errno.EINVAL)
"""Errors of a text that cannot be a file's name."""
LARGEST = 16 * 1024 * 1024
"""Bytes above which a given text is refused rather than read into memory."""


def read_all(most: int) -> bytes:
    """Return what comes on standard input, at most `most` bytes; empty where there is none.

    Where a text was laid there instead (`lay_input`), it is that.
    """
    if _given:
        return _given.pop()[:most]
    typed, parts = _typed(), _parts
    parts.clear()
    _say_how_it_ends()
    data = _read_typed(typed, most, parts) if typed is not None else _read_lines(most, parts)
    parts.clear()
    _read.append(data)
    return data


def _say_how_it_ends() -> None:
    """Tell a person at a terminal, where nothing else shows that a text is waited for."""
    if all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stderr)):
        end = "Ctrl-Z and Enter" if sys.platform == "win32" else "Ctrl-D"
        sys.stderr.write(f"Paste or type the text, press Enter, then {end}.\n")
        sys.stderr.flush()


def cut_off() -> str:
    """Return the text that Ctrl-C stopped while it was typed or pasted on standard input; "" for none."""
    return b"".join(_parts).decode("utf-8", "replace")


def _read_lines(most: int, parts: list[bytes]) -> bytes:
    while most > 0 and sys.stdin is not None:
        # by lines: at a terminal's Ctrl-D `read` returns what it has, and would then wait for another
        part = sys.stdin.buffer.readline(min(most, _PART))
        parts.append(part)
        most -= len(part)
        if not part:
            break
    return b"".join(parts)


def _read_typed(given: BufferedReader, most: int, parts: list[bytes]) -> bytes:
    """Return what is typed or pasted up to Ctrl-D.

    A terminal that hands over whole lines drops what a line has above 4,095 bytes, without a word, and a
    message of a chat is one line; so it hands over characters meanwhile, and Backspace is applied here.
    """
    import re
    import termios

    before = termios.tcgetattr(given)
    by_character = [*before[:6], list(before[6])]
    by_character[3] &= ~termios.ICANON
    by_character[6][termios.VMIN], by_character[6][termios.VTIME] = 1, 0
    end, erase = before[6][termios.VEOF], before[6][termios.VERASE]
    termios.tcsetattr(given, termios.TCSANOW, by_character)
    try:
        while most > 0:
            # a Ctrl-D from before has become a zero
            part, ended, _ = given.read1(min(most, _PART)).replace(b"\0", end).partition(end)
            parts.append(part)
            most -= len(part)
            if ended or not part:
                break
    finally:
        termios.tcsetattr(given, termios.TCSANOW, before)
    data = b"".join(parts)
    if sys.stderr is not None and sys.stderr.isatty():
        # the terminal showed Ctrl-D as ^D; what comes next shall not stand behind it
        sys.stderr.write("\r  \r" if data.endswith(b"\n") or not data else "\n")
    if erase in data:
        # a character is one byte, or one that begins it and those that go on
        one = re.compile(rb"(?:[\x00-\x09\x0b-\x7f]|[\xc0-\xff][\x80-\xbf]*)?" + re.escape(erase))
        while erase in data:
            data = one.sub(b"", data, count=1)
    return data


def lay_input(text: str) -> None:
    """Let the next `read_all` return this text, which a person gave in another way."""
    _given[:] = [text.encode("utf-8", "replace")]


def _typed() -> BufferedReader | None:
    """Return standard input if it is a terminal that hands over whole lines, as most do."""
    given = sys.stdin.buffer if sys.stdin is not None else None
    if not isinstance(given, BufferedReader):
        return None
    try:
        import termios

        return given if termios.tcgetattr(given)[3] & termios.ICANON else None
    except ImportError:
        return None
    except (OSError, ValueError, termios.error):
        return None


def begin() -> None:
    """Forget what an earlier command of this process read."""
    _read.clear()
    _given.clear()
    _parts.clear()


def rewind() -> None:
    """Make the next `read_all` return the same text again."""
    if _read:
        sys.stdin = TextIOWrapper(BytesIO(b"".join(_read)), encoding="utf-8")
        _read.clear()


def read_given(source: str) -> str:
    """Return the text of a file, or of standard input if `source` is `-`; line ends become LF.

    Raises ReelError where there is no such file, or it is not a text.
    """
    from reel_cli.core.file_kind import name_kind

    shown = "What came on standard input" if source == "-" else source
    try:
        data = read_all(LARGEST + 1) if source == "-" else _read_file(Path(source))
    except (FileNotFoundError, ValueError):
        raise no_such_file(source) from None
    except OSError as error:
        if error.errno in NO_NAME:
            raise no_such_file(source) from None
        message = f"{source} cannot be read: {error.strerror}."
        raise ReelError(message) from None
    if len(data) > LARGEST:
        message = f"{shown} is larger than {LARGEST >> 20} MB."
        raise ReelError(message)
    if kind := name_kind(data):
        message = f"{shown} is {kind}, not a plain text."
        raise ReelError(message, hint="save it as plain text, or as Markdown")
    # Notepad and PowerShell save UTF-16 with a byte order mark
    marked = data.startswith((b"\xff\xfe", b"\xfe\xff"))
    try:
        text = data.decode("utf-16" if marked else "utf-8-sig")
    except UnicodeDecodeError:
        text = "\0"
    if "\0" in text:
        message = f"{shown} is not a text in UTF-8."
        raise ReelError(message, hint="save it as plain text, or as Markdown")
    if not text.strip():
        message = f"{shown} is empty."
        first = "copy it and paste it once more" if source == "-" else "save the text in it first"
        raise ReelError(message, hint=f"{first}, or name the file that has it")
    return text.replace("\r\n", "\n").replace("\r", "\n")


def no_such_file(name: str, hint: str | None = None) -> ReelError:
    """Return the error for a file that is not there; it hints at one that may be meant.

    That is one of the same name in the folder above, or one beside it whose name without its ending is alike.
    """
    from reel_cli.core.nearest import nearest

    near = None
    with suppress(OSError, ValueError, RuntimeError):
        place = Path(name).expanduser()
        above = Path(name).parent / ".." / place.name
        beside = {one.stem: one.name for one in place.parent.iterdir() if one.is_file()}
        stem = nearest(place.stem, list(beside))
        near = above if above.is_file() else Path(name).with_name(beside[stem]) if stem is not None else None
    if near is not None:
        hint = f"did you mean  {quote_path(near)}"
    return ReelError(f"There is no file {one_line(name, LONGEST_NAME)}.", hint=hint)


def find_typed(name: str) -> Path | None:
    """Return the file or folder that a person named; None where there is none, or it cannot be looked at.

    No text that they typed or pasted instead raises an error, however long it is.
    """
    try:
        place = Path(name).expanduser()
        return place if place.exists() else None
    except (OSError, ValueError, RuntimeError):
        return None


def dropped_path(typed: str) -> str:
    """Return the path in a line as terminals write it for a file that was dragged into them.

    That is quoted, with backslashes before spaces, or an address beginning with `file://`.
    """
    import shlex
    from urllib.parse import unquote, urlsplit

    line = typed.strip()
    if line.startswith("file://"):
        return unquote(urlsplit(line).path)
    if find_typed(line) is not None:
        return line
    try:
        words = shlex.split(line)
    except ValueError:
        words = []
    return words[0] if len(words) == 1 else line


def _read_file(path: Path) -> bytes:
    if path.exists() and not path.is_file():
        message = f"{path} is not a file."
        raise ReelError(message)
    with path.open("rb") as file:
        return file.read(LARGEST + 1)


VI = ("vi", "vim", "nvim", "view", "elvis", "nvi", "sensible-editor")
"""Editors that show nobody how to leave them, or that may be one of these."""


WITHOUT_WINDOW = (*VI[:-1], "nano", "pico", "micro", "hx", "helix", "joe", "mcedit", "kak", "mg", "ed")
"""Editors that run in the terminal, so that one which closes at once was closed."""


def edit_text(console: Console, path: Path, text: str) -> str:
    """Return `text` as a person edited and saved it in their editor, in a file only they can read.

    Raises ReelError where there is no editor, or it did not end well.
    """
    write_private(path, text.encode("utf-8", "replace"))
    command = find_editor()
    try:
        if run_editor(console, command, path) != 0:
            message = f"{command[0]} ended with an error; nothing was taken from it."
            raise ReelError(message, hint=_spare(path, text))
        return path.read_text(encoding="utf-8", errors="replace")
    finally:
        path.unlink(missing_ok=True)


def find_editor() -> Sequence[str]:
    """Return the command of the person's editor; raises ReelError where there is none."""
    import shlex
    import shutil

    named = next((name for name in ("VISUAL", "EDITOR") if os.environ.get(name)), "")
    command = shlex.split(os.environ.get(named, ""))
    usual = ["notepad"] if sys.platform == "win32" else ["nano", "vi"]
    # it asks who has not chosen yet which of several to take, `ed` among them
    usual.insert(0 if _has_chosen() else len(usual), VI[-1])
    here = [name for name in usual if shutil.which(name)]
    if command and not shutil.which(command[0]):
        message = f"{named} names “{command[0]}”, which is not installed here."
        plain = installed_editor() or "the name of an editor that you have"
        raise ReelError(message, hint=f"take another:  export {named}={plain}")
    if not command and not here:
        message = "No editor was found."
        raise ReelError(message, hint="install one, and name it:  export EDITOR=nano")
    return command or here[:1]


def installed_editor() -> str:
    """Return the name of a plain editor that is installed here; "" where none is known."""
    import shutil

    return next((name for name in ("nano", "vi", "notepad") if shutil.which(name)), "")


def _has_chosen() -> bool:
    """Return whether the person chose an editor for the programs of Debian, which ask for it once."""
    try:
        return (Path.home() / ".selected_editor").is_file()
    except (OSError, RuntimeError):
        return False


def run_editor(console: Console, command: Sequence[str], path: Path) -> int:
    """Open a file in the editor, wait until it is closed, and return the editor's exit code.

    How to leave the editor is said before, since afterwards nothing can be said. Where the person named
    none, and it may be vi, which hides what was said, it opens once they have read that.

    Ctrl-C is the editor's meanwhile: reel would end it, and take with it what is not saved.
    """
    import signal
    import subprocess

    name = Path(command[0]).stem
    console.say(f"Opening {'your editor' if name == VI[-1] else name}. Save and close it when you are done.")
    if name in VI:
        console.say("In vi:  Esc, then  :wq  and Enter; to leave without saving,  :q!")
        if console.interactive and not (os.environ.get("VISUAL") or os.environ.get("EDITOR")):
            with suppress(EOFError):
                console.ask("Enter opens it.")
    # an editor would take for commands what was typed before it opened
    console.drop_early("the editor opened")
    text, began = path.read_bytes() if path.exists() else b"", time.monotonic()
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        code = subprocess.run([*command, str(path)], check=False).returncode
    finally:
        signal.signal(signal.SIGINT, before)
    at_once = time.monotonic() - began < AT_ONCE
    if (
        code == 0
        and at_once
        and name not in WITHOUT_WINDOW
        and text == (path.read_bytes() if path.exists() else b"")
    ):
        console.say(f"{name} came back at once. If its window is open, reel does not wait for it.")
        console.say("To name an editor that reel can wait for:  reel help editor")
    return code


def _spare(path: Path, text: str) -> str | None:
    """Keep what a person saved before their editor was stopped, and return where; None for nothing new."""
    saved = path.read_bytes() if path.exists() else b""
    if saved in (b"", text.encode("utf-8", "replace")):
        return None
    place, number = path.with_name(f"saved-{path.name}"), 2
    while os.path.lexists(place):
        place, number = path.with_name(f"saved-{path.stem}-{number}{path.suffix}"), number + 1
    write_private(place, saved)
    return f"what you saved is in {place}"
