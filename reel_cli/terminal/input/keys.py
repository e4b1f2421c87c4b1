"""Input from a keyboard or a pipe as text: pastes distinguished from typing, no control sequences."""

import codecs
import os
import queue
import re
import signal
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from enum import Enum, auto

AT_ONCE = 1 << 16
_PASTES, _NO_PASTES = "\x1b[?2004h", "\x1b[?2004l"
"""Sequences that make a terminal mark pasted text, and stop doing so."""
_BEGINS, _ENDS = "\x1b[200~", "\x1b[201~"
_SEQUENCE = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[ -/]+[0-~]|[78=>])"
)

_UNFINISHED = re.compile(
    r"\x1b(?:\[[0-?]*[ -/]*|\][^\x07\x1b]{0,256}\x1b?|[PX^_][^\x1b]{0,256}\x1b?|[ -/]*)?"
)

_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f]")


class Key(Enum):
    """Keys and events that are not text."""

    PASTED = auto()
    """A paste has ended."""
    END = auto()
    """Ctrl-D."""
    ERASE = auto()
    ERASE_LINE = auto()


_KEYS = {"\x04": Key.END, "\x7f": Key.ERASE, "\x08": Key.ERASE, "\x15": Key.ERASE_LINE}


class Keys:
    """A reader of bytes as they come, in pieces of any size; line ends become LF."""

    def __init__(self, *, typed: bool) -> None:
        """Begin; `typed` means from a terminal, so that control codes are keys, and else are dropped."""
        self._typed = typed
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self._rest = ""
        self._began = self._returned = False
        self.pasting = False
        """True if a paste has begun and not ended."""

    def feed(self, data: bytes, *, final: bool = False) -> Iterator[str | Key]:
        """Yield what came, in order: text, and keys."""
        text = self._rest + self._line_ends(self._decoder.decode(data, final))
        if not self._began and text:
            text, self._began = text.removeprefix("\ufeff"), True
        self._rest = ""
        at = 0
        while (start := text.find("\x1b", at)) >= 0:
            yield from self._plain(text[at:start])
            found = _SEQUENCE.match(text, start)
            if found is None and not final and _UNFINISHED.fullmatch(text, start):
                self._rest = text[start:]
                return
            if found is not None and self._typed and found[0] in (_BEGINS, _ENDS):
                ended = self.pasting and found[0] == _ENDS
                self.pasting = found[0] == _BEGINS
                if ended:
                    yield Key.PASTED
            at = found.end() if found is not None else start + 1
        yield from self._plain(text[at:])

    def _line_ends(self, text: str) -> str:
        """Return the text with LF as its line ends; a CR is one at once, whatever comes next."""
        begun = self._returned
        if text:
            self._returned = text.endswith("\r")
        if begun:
            text = text.removeprefix("\n")
        return text.replace("\r\n", "\n").replace("\r", "\n")

    def _plain(self, text: str) -> Iterator[str | Key]:
        if not self._typed or self.pasting:
            if plain := _CONTROL.sub("", text):
                yield plain
            return
        for piece in re.split(r"([\x00-\x08\x0b-\x1f\x7f-\x9f])", text):
            if piece in _KEYS:
                yield _KEYS[piece]
            elif piece and not _CONTROL.fullmatch(piece):
                yield piece


class KeyInput:
    """Standard input, read beside the rest, so that waiting for it never keeps anything else waiting."""

    def __init__(self) -> None:
        """Begin to read."""
        self._pieces: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        threading.Thread(target=self._read, daemon=True).start()

    def get(self, seconds: float) -> bytes | None:
        """Return the next piece; b"" at the end of input, None where nothing came in this time."""
        try:
            return self._pieces.get(timeout=seconds)
        except queue.Empty:
            return None

    def _read(self) -> None:
        stream = sys.stdin
        if stream is None:
            self._pieces.put(b"")
            return
        try:
            number = stream.fileno()
        except (OSError, ValueError):
            number = -1
        piece = b"-"
        while piece:
            try:
                # read past the stream's buffer, whose lock a waiting thread would hold at exit
                piece = os.read(number, AT_ONCE) if number >= 0 else stream.buffer.read(AT_ONCE)
            except (OSError, ValueError):
                piece = b""
            self._pieces.put(piece)


@contextmanager
def typing(*, wanted: bool) -> Iterator[bool]:
    """Read typed and pasted text at the terminal as it comes, lines of any length; yield whether that works.

    What is typed is no longer shown by itself. The terminal is as before at the end. Where it is not
    `wanted`, or there is no such terminal, nothing is done.
    """
    if not wanted:
        yield False
        return
    try:
        import termios
    except ImportError:
        yield False
        return
    try:
        number = sys.stdin.fileno()
        before = termios.tcgetattr(number)
    except (OSError, ValueError, termios.error):
        yield False
        return
    now = termios.tcgetattr(number)
    # keep Enter as it is, or the two characters of a pasted line end would become two lines
    now[0] &= ~(termios.ICRNL | termios.INLCR)
    now[3] &= ~(termios.ICANON | termios.ECHO)
    now[6][termios.VMIN], now[6][termios.VTIME] = 1, 0

    # a terminal that knows no sequences shows them, or has them read aloud
    marks = os.environ.get("TERM") != "dumb"

    def begin(*_: object) -> None:
        termios.tcsetattr(number, termios.TCSADRAIN, now)
        if marks:
            sys.stderr.write(_PASTES)
            sys.stderr.flush()

    try:
        begin()
        with _on_return(begin):
            yield True
    finally:
        termios.tcsetattr(number, termios.TCSADRAIN, before)
        if marks:
            sys.stderr.write(_NO_PASTES)
            sys.stderr.flush()


@contextmanager
def _on_return(begin: Callable[..., None]) -> Iterator[None]:
    """Begin again where Ctrl-Z stopped reel, for the shell sets the terminal as it likes meanwhile."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGCONT, begin)
    try:
        yield
    finally:
        signal.signal(signal.SIGCONT, before)
