"""Said text in a bundle: messages, quoted where they hold what could be taken for the bundle's own words."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from reel_cli.core import blockquote
from reel_cli.core.pack import words
from reel_cli.core.pack.folding import fold_line, fold_text
from reel_cli.core.values.memory import FIELDS

_TITLES = (
    *(words.WHO, words.HOW, words.NOW, words.VOICE, words.RECALL, words.REMEMBER, words.FAINT, words.HEARD),
    *(words.TOLD, words.BRIEFLY, words.TRUST, words.STORY, words.CONTEXT, words.TRACES, words.KNOWN),
    *(words.BEGAN, words.LAST_BEGAN, words.LOOKED_UP, words.DESK, words.DESK_NEARBY, words.SO_FAR),
    *(words.OVERLAP, words.PINNED, words.CLASH),
)
OWN_LINES = frozenset(title.casefold() for title in _TITLES)
"""The titles of a bundle's sections: the plain format sets them without a mark."""
_LEAST, _LONGEST = 20, 60
"""Characters, at least and at most, of a frame's line that identify it."""


def _known_by(line: str) -> str:
    """Return the first long stretch of a line of ours without a name in it, in lower case."""
    parts = [part.strip(" .,:") for part in line.split("{name}")]
    return next(part for part in parts if len(part) >= _LEAST)[:_LONGEST].strip().casefold()


_OWN = blockquote.OwnWords(
    OWN_LINES,
    tuple(
        _known_by(line)
        for line in (
            *(words.OPENING, words.CLOSING, words.REFRESH_OPENING, words.REFRESH_CLOSING),
            *(words.LETTER_OPENING, words.LETTER_CLOSING, "alone on the last line of the page"),
        )
    ),
)
"""First lines, last lines and headings by which a bundle, a letter and a prompt are known."""


class Said(NamedTuple):
    """One message as it is told, a blank line after it; `opens` where somebody begins to speak anew."""

    number: int
    text: str
    opens: bool


def quote_said(text: str, names: Sequence[str] | None = ()) -> str:
    """Return a recorded text for a bundle or a prompt, quoted if a line of it could pass for theirs.

    `names` are those who speak around it; None where it is an exchange, whose turns are its own.
    """
    return blockquote.quote(fold_text(text).strip("\n"), names, _OWN)


def quote_page(text: str, names: Sequence[str]) -> str:
    """Return the text of a memory or a chapter, quoted like recorded text, and if it has turns."""
    return blockquote.quote(fold_text(text).strip("\n"), names, _OWN, is_page=True)


def tell_turn(who: str, text: str, names: Sequence[str] = (), label: str = "{}:") -> str:
    """Return a turn for a bundle or a prompt, its text quoted if it could pass for theirs.

    `names` are those who speak; `label` is how the speaker's name is written.
    """
    said = fold_text(text).strip()
    return blockquote.quote_turn(who, said, names, _OWN, label)


def quote_memory(text: str, names: Sequence[str]) -> str:
    """Return a memory's text for a prompt: each field below its heading, quoted if needed.

    A heading that stands there a second time is none of the memory's own.
    """
    own = [f"## {field}" for field in FIELDS]
    parts: list[tuple[str, list[str]]] = [("", [])]
    for line in blockquote.plain_breaks(text).split("\n"):
        if line.rstrip() in own:
            own.remove(line.rstrip())
            parts.append((f"{line.rstrip()}\n\n", []))
        else:
            parts[-1][1].append(line)
    told = (f"{heading}{quote_page(chr(10).join(lines).strip(), names)}" for heading, lines in parts)
    return "\n\n".join(part for part in told if part).strip()


def quote_chapter(title: str, text: str, names: Sequence[str]) -> str:
    """Return a chapter of the story for a prompt, under its title."""
    return f"## {fold_line(title)}\n\n{quote_page(text, names)}"


def quote_notes(text: str, names: Sequence[str]) -> str:
    """Return notes with plain lines as headings (`Where things stand:`), the text quoted if needed."""
    parts: list[list[str]] = [[]]
    told: list[str] = []
    for line in blockquote.plain_breaks(text).split("\n"):
        if line.endswith(":") and line[:-1].casefold() in OWN_LINES:
            parts += [[line], []]
        else:
            parts[-1].append(line)
    for at, part in enumerate(parts):
        if part:
            told.append(part[0] if at % 2 else quote_said("\n".join(part), names))
    return "\n".join(blockquote.set_apart(one) for one in told).rstrip("\n")


def list_spans(session: str, numbers: Iterable[int]) -> list[str]:
    """Return where on the tape these messages are, one ID for each run of numbers: `2026-02-10-1#12-48`."""
    runs: list[list[int]] = []
    for number in sorted(set(numbers)):
        if runs and number == runs[-1][1] + 1:
            runs[-1][1] = number
        else:
            runs.append([number, number])
    return [f"{session}#{first}-{last}" if last > first else f"{session}#{first}" for first, last in runs]
