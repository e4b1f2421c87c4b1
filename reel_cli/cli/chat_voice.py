"""A reply on the screen as it is written: folded between words, thinking and requests kept back."""

import re
from typing import TYPE_CHECKING

from reel_cli.cli.console import cells, columns, printable
from reel_cli.exchange.looking_up import may_become_request
from reel_cli.model.pattern import late
from reel_cli.tape.formats.finish import split_reasoning

if TYPE_CHECKING:
    from reel_cli.cli.console import Console

_TAGS = ("<think>", "<thinking>", "<reasoning>")
_THINKING = late(r"<(think|thinking|reasoning)>.*?(?:</\1>\s*|\Z)", re.DOTALL)
_PIECES = re.compile(r"\n|[^\S\n]+|\S+")


class Voice:
    """One reply as it comes; `text` is all of it that was written, thinking and all."""

    def __init__(self, console: "Console", name: str, *, apart: bool) -> None:
        """Show it on stdout, behind `name` where that is a terminal; else `apart` from one before it."""
        self.text = ""
        self._console = console
        self._name = name
        self._apart = apart
        self._shown = 0
        """Up to where `text` was given to the screen; 0 while it may still be something that is not shown."""
        self._led = False
        """Whether its name stands above already."""
        self._fold = Folding(columns(console.out)) if console.out.isatty() else None

    @property
    def said(self) -> str:
        """What was said so far, without the thinking before it."""
        return split_reasoning(self.text)[0].strip()

    @property
    def begun(self) -> bool:
        """Whether anything of it is on the screen."""
        return self._shown > 0

    def hear(self, words: str) -> None:
        """Take what has just come, and show it as soon as it is known to be said."""
        self.text += words
        if not self.begun:
            start = self._beginning()
            if start is None or may_become_request(self.text[start:]):
                return
            self._begin()
            self._shown = start
        line = self.text.rfind("\n") + 1
        # a line of its own may be a request, until it is known how it goes on
        held = self._shown <= line > 0 and may_become_request(self.text[line:])
        upto = max(self._shown, len(self.text[:line].rstrip())) if held else len(self.text)
        self._write(self.text[self._shown : upto])
        self._shown = upto

    def end(self) -> None:
        """The reply is whole: show what of it is not shown yet, and end its line."""
        rest = self.text[self._shown :] if self.begun else self.said
        if rest.strip() and not self.begun:
            self._begin()
        self._write(rest.rstrip())
        self._shown = len(self.text)
        self._end_line()

    def pause(self) -> None:
        """The reply goes on after a moment was looked up; what is not shown yet is not said."""
        self._end_line()
        self.text, self._shown = "", 0

    def break_off(self) -> None:
        """What came so far is of no use: another try begins below it, with its name."""
        self.pause()
        self._led = False

    def _end_line(self) -> None:
        if self.begun and self._led:
            self._put((self._fold.rest() if self._fold is not None else "") + "\n")

    def _beginning(self) -> int | None:
        """Where in the text what is said begins, behind the thinking; None where that is not known yet."""
        start = len(self.text) - len(self.text.lstrip())
        head = self.text[start : start + len(_TAGS[-1])]
        if any(tag.startswith(head) for tag in _TAGS if len(head) < len(tag)):
            return None
        thinking = _THINKING.match(self.text, start)
        start = thinking.end() if thinking else start
        return start if start < len(self.text) else None

    def _begin(self) -> None:
        self._console.settle_live()
        if self._led:
            self._put("\n")
        elif self._fold is not None:
            lead = f"{printable(self._name)} › "
            self._fold.column = cells(lead)
            self._put(self._console.accent(lead, self._console.out))
        elif self._apart:
            self._put("\n")
        self._led = True

    def _write(self, words: str) -> None:
        self._put(words if self._fold is None else self._fold.add(printable(words)))

    def _put(self, text: str) -> None:
        self._console.write_part(text)


class Folding:
    """Folds words between spaces as they come, so that no word stands across two lines that fits into one."""

    def __init__(self, room: int) -> None:
        """Fold at a width of `room` columns."""
        self.column = 0
        """How far the line is written, in columns."""
        self._room = room
        self._word = ""
        self._space = ""
        """The space before it, which is written with it, or gives way to a new line."""

    def add(self, words: str) -> str:
        """What to write for words that have just come; the last one waits for its end."""
        pieces = _PIECES.findall(self._word + words)
        self._word = pieces.pop() if pieces and not pieces[-1].isspace() else ""
        return "".join(map(self._place, pieces))

    def rest(self) -> str:
        """What waited; the line is over."""
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
        # a word longer than a line goes on in the next one by itself
        self.column = self.column + wide if wide <= self._room else wide % self._room
        return space + piece
