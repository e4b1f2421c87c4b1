"""A reply on the screen as it is written: folded between words, thinking and requests kept back."""

import re
from enum import Enum, auto
from typing import TYPE_CHECKING

from reel_cli.core.tape.formats.finish import split_reasoning
from reel_cli.features.chat.recall_request import find_request, may_become_request
from reel_cli.terminal.folding import cells, columns
from reel_cli.terminal.plain_text import harmless, printable

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console

_TAGS = ("<think>", "<thinking>", "<reasoning>")
_WIDE = (
    "\u1100-\u115f\u2e80-\ua4cf\uac00-\ud7a3\uf900-\ufaff\ufe30-\ufe4f\uff00-\uff60\uffe0-\uffe6"
    "\U0001f300-\U0001faff\U00020000-\U0003fffd"
)
"""A line may end before each of these."""
_PIECES = re.compile(rf"\n|[^\S\n]+|[{_WIDE}]|[^\s{_WIDE}]+")


class _At(Enum):
    """Positions in a reply at which the next text may stand."""

    HEAD = auto()
    """Position at the beginning of the answer, or behind thinking."""
    THINKING = auto()
    LINE = auto()
    """Position at the beginning of a line, which may be a request."""
    FLOW = auto()


class Voice:
    """One reply as it comes, each piece looked at once."""

    def __init__(self, console: "Console", name: str, *, apart: bool) -> None:
        """Show it on stdout, behind `name` where that is a terminal; else `apart` from one before it."""
        self.begun = False
        """True if any of it is on the screen."""
        self.may_ask = True
        """True if it may ask for a moment of the past in a line of its own, which is not shown then."""
        self.asks = False
        """True if a line asks for one, so that the text after it is of no use."""
        self._console = console
        self._name = name
        self._apart = apart
        self._led = False
        """True if its name is on the screen already."""
        self._fold = LineFolder(columns(console.out)) if console.out.isatty() else None
        self._parts: list[str] = []
        self._at = _At.HEAD
        self._left: str = ""
        """Text that has arrived and is not yet classified."""
        self._gap = ""
        """The line ends before it."""
        self._close = ""
        self._fenced = False
        """True within a block of code, where a tag is only shown."""

    @property
    def text(self) -> str:
        """Return all of it that was written, thinking and all."""
        return "".join(self._parts)

    @property
    def said(self) -> str:
        """Return what was said so far, without the thinking before it."""
        return split_reasoning(self.text)[0].strip()

    def hear(self, words: str) -> None:
        """Add text that has just come, and show it as soon as it is known to be spoken."""
        if self.asks:
            return
        self._parts.append(words)
        self._left += words
        steps = {_At.HEAD: self._head, _At.THINKING: self._think, _At.LINE: self._line, _At.FLOW: self._flow}
        while self._left and not self.asks and steps[self._at]():
            pass

    def end(self) -> None:
        """Show the rest of a whole reply, and end its line."""
        rest, self._left = self._left, ""
        if self._at is not _At.THINKING:
            gap, self._gap = self._gap, ""
            self._show(rest.rstrip(), gap)
        self._end_line()

    def pause(self) -> None:
        """Pause the reply for a lookup; what is not shown yet is not said."""
        self._end_line()
        self.begun = self.asks = False
        self._parts, self._at, self._left, self._gap = [], _At.HEAD, "", ""
        self._fenced = False

    def break_off(self) -> None:
        """Abandon the text so far: another try begins below it, with its name."""
        self.pause()
        self._led = False

    # each handler examines the rest, and returns whether more can be done with it

    def _head(self) -> bool:
        self._left = self._left.lstrip()
        if (done := self._tag()) is not None:
            return done
        self._at = _At.LINE
        return True

    def _tag(self) -> bool | None:
        """Begin thinking where a tag says so; None where none does."""
        for tag in _TAGS:
            if self._left.startswith(tag):
                self._at, self._close, self._left = _At.THINKING, f"</{tag[1:]}", self._left[len(tag) :]
                return True
            if tag.startswith(self._left):
                return False
        return None

    def _think(self) -> bool:
        end = self._left.find(self._close)
        if end < 0:
            self._left = self._left[-len(self._close) :]
            return False
        self._at, self._left = _At.HEAD, self._left[end + len(self._close) :]
        return True

    def _line(self) -> bool:
        line, ended, rest = self._left.partition("\n")
        if not self._fenced and line.startswith("<") and (done := self._tag()) is not None:
            return done
        if ended and not line.strip():
            self._gap, self._left = f"{self._gap}{line}\n", rest
            return True
        if self.may_ask:
            self.asks = bool(ended) and find_request(line) is not None
            if self.asks or (not ended and may_become_request(line)):
                return False
        if line.lstrip().startswith(("```", "~~~")):
            self._fenced = not self._fenced
        self._at = _At.FLOW
        return True

    def _flow(self) -> bool:
        # taken before it is shown, so that a piece stopped in between is shown once, on its own line
        line, ended, self._left = self._left.partition("\n")
        before = self._gap
        if ended:
            self._at, self._gap = _At.LINE, "\n"
        elif line:
            self._gap = ""
        self._show(line, before)
        return bool(ended)

    # -- on the screen -------------------------------------------------------------------------

    def _show(self, words: str, gap: str) -> None:
        """Show words behind what ends the line before them."""
        if not words:
            return
        if self.begun:
            words = gap + words
        else:
            self._begin()
        self._put(harmless(words) if self._fold is None else self._fold.add(printable(words)))

    def _begin(self) -> None:
        self.begun = True
        self._console.settle_live()
        if self._led:
            self._put("\n")
        elif self._fold is not None:
            lead = f"{printable(self._name)} > "
            self._fold.column = cells(lead)
            self._put(self._console.accent(lead, self._console.out))
        elif self._apart:
            self._put("\n")
        self._led = True

    def _end_line(self) -> None:
        if self.begun:
            self._put((self._fold.rest() if self._fold is not None else "") + "\n")

    def _put(self, text: str) -> None:
        self._console.write_part(text)


class LineFolder:
    """A folder of words into lines as they come; a word is split only if it is longer than a line."""

    def __init__(self, room: int) -> None:
        """Fold at a width of `room` columns."""
        self.column = 0
        """Columns of the current line that are written."""
        self._room = room
        self._word = ""
        self._space = ""
        """The space before it, which is written with it, or gives way to a new line."""

    def add(self, words: str) -> str:
        """Return the text to write for new words; the last word waits for its end."""
        pieces = _PIECES.findall(self._word + words)
        waits = pieces and not pieces[-1].isspace() and cells(pieces[-1]) <= self._room
        self._word = pieces.pop() if waits else ""
        return "".join(map(self._place, pieces))

    def rest(self) -> str:
        """Return the text that waited, and end the line."""
        word, self._word = self._word, ""
        out = self._place(word) if word else ""
        self.column, self._space = 0, ""
        return out

    def _place(self, piece: str) -> str:
        if piece == "\n":
            self.column, self._space = 0, ""
            return piece
        if piece.isspace():
            self._space += piece
            return ""
        space, self._space = self._space, ""
        wide = cells(piece)
        if self.column + cells(space) + wide > self._room:
            space, self.column = "\n" if self.column else "", 0
        else:
            self.column += cells(space)
        # the terminal wraps a word that is longer than a line
        self.column = self.column + wide if wide <= self._room else wide % self._room
        return space + piece
