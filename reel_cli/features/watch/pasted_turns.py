"""A conversation as it is pasted, turn by turn: lines go in, turns come out as they end."""

import re
from collections.abc import Callable, Sequence
from typing import NamedTuple

from reel_cli.core.pack.recognize import find_bundle, find_prompt
from reel_cli.core.tape.formats.pasted.speaker_lines import People, is_ambiguous, read_speaker_line

END = "."
"""A line with nothing else on it ends a turn."""
_OWN: Sequence[Callable[[str], tuple[int, int] | None]] = (find_bundle, find_prompt)
_MOST_OWN = 4
"""Maximum number of bundles or prompts looked for in one paste."""
_BARE = "bare"
_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")


class PastedTurn(NamedTuple):
    """One turn: whose it is (`user`, `assistant` or `system`), and its words."""

    role: str
    text: str


class PastedTurns:
    """A parser that joins lines to turns.

    A line that names a speaker who is known (`You: …`, `Ada: …`) begins a turn; where none does, the person
    and the persona take turns. What looks like that in a code block, in a bundle or in a prompt of reel's is
    text.
    """

    def __init__(self, people: People, *, last: str = "assistant") -> None:
        """Begin; `last` is who spoke last, before the first of these."""
        self._people = people
        self._last = last
        self._role = ""
        self._lines: list[str] = []
        self._parts: list[str] = []
        self._fence = ""

    @property
    def speaker(self) -> str:
        """Return whose turn it is now, or will be."""
        return self._role or ("assistant" if self._last == "user" else "user")

    @property
    def open(self) -> PastedTurn | None:
        """Return the turn that has not ended; None if nothing is in it yet."""
        text = _text([*self._lines, self.part])
        return PastedTurn(self.speaker, text) if text else None

    @property
    def blank(self) -> bool:
        """Return whether an empty line ends a turn that has not ended, outside a code block."""
        return not (any(self._parts) or self._fence) and bool(self._lines) and not self._lines[-1].strip()

    def feed(self, text: str) -> list[PastedTurn]:
        """Add text, lines or parts of lines; return the turns that have ended with it."""
        first, *more = text.split("\n")
        self._parts.append(first)
        if not more:
            return []
        *lines, last = (self.part, *more)
        self._parts = [last]
        return [turn for line in lines for turn in self._take(line)]

    def paste(self, text: str) -> list[PastedTurn]:
        """Add a paste, behind the text typed on its line, and end the turn with it."""
        whole, self._parts = self.part + text, []
        own, at = _own_spans(whole), 0
        if own and not self._lines:
            # reel's own text is pasted by the person, whoever spoke last
            self._role = self._role or "user"
        ended: list[PastedTurn] = []
        for line in whole.split("\n"):
            if any(start <= at < end for start, end in own):
                self._lines.append(line)
            else:
                ended += self._take(line)
            at += len(line) + 1
        return ended + self.close()

    def cut(self, characters: int) -> None:
        """Remove the last characters of a line that is still being typed."""
        self._parts = [self.part[: max(0, len(self.part) - characters)]]

    @property
    def part(self) -> str:
        """Return the line that is not whole yet."""
        return "".join(self._parts)

    def forget(self) -> None:
        """Discard the turn that has not ended."""
        self._parts, self._lines, self._fence = [], [], ""

    def close(self) -> list[PastedTurn]:
        """End the turn; none where nothing is in it. Who was named to speak next still is."""
        part, self._parts = self.part, []
        ended = self._take(part) if part else []
        if self._fence:
            # a code block that is never closed is none, and may hold turns
            held, self._lines, self._fence = self._lines, [], ""
            for line in held:
                ended += self._take(line, fences=False)
        return ended + self._end()

    def _take(self, line: str, *, fences: bool = True) -> list[PastedTurn]:
        if fences and (fence := _FENCE.fullmatch(line)):
            if not self._fence:
                self._fence = fence[1] if fence[1][0] == "~" or "`" not in fence[2] else ""
            elif fence[1].startswith(self._fence) and not fence[2].strip():
                self._fence = ""
        elif not self._fence and line.strip() == END and not self._in_own_words():
            return self._end()
        elif not self._fence and (named := self._named(line)) is not None and not self._in_own_words():
            ended = self._end()
            self._role, rest = named
            self._lines = [rest] if rest else []
            return ended
        self._lines.append(line)
        return []

    def _in_own_words(self) -> bool:
        """Return whether the turn is in the middle of a bundle, in which anything may occur."""
        text = "\n".join([*self._lines, "…"])
        span = find_bundle(text)
        # an open stretch reaches to the end of any later text
        return span is not None and span[1] >= len(text)

    def _named(self, line: str) -> tuple[str, str] | None:
        """Return the speaker that a line names, and the text behind the name."""
        found = read_speaker_line(line, 0, self._people)
        if found is None or found.style.split("/")[0] == _BARE:
            return None
        side = self._people.side(found.folded)
        return (side, found.rest) if side and not is_ambiguous(found.folded) else None

    def _end(self) -> list[PastedTurn]:
        text, speaker = _text(self._lines), self.speaker
        self._lines, self._fence = [], ""
        if not text:
            return []
        # a system prompt is nobody's turn
        self._last, self._role = (self._last if speaker == "system" else speaker), ""
        return [PastedTurn(speaker, text)]


def _own_spans(text: str) -> list[tuple[int, int]]:
    """Return the (start, end) of reel's own words in a paste."""
    spans: list[tuple[int, int]] = []
    for find in _OWN:
        at = 0
        while len(spans) < _MOST_OWN and (span := find(text[at:])) is not None:
            spans.append((at + span[0], at + span[1]))
            at += span[1]
    return spans


def _text(lines: list[str]) -> str:
    first = next((at for at, line in enumerate(lines) if line.strip()), len(lines))
    return "\n".join(lines[first:]).rstrip()
