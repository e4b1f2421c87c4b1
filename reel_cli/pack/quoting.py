"""Said text in a bundle: quoted where it holds what could be taken for the bundle's own words."""

from collections.abc import Sequence

from reel_cli.model import blockquote
from reel_cli.pack import words
from reel_cli.pack.folding import fold_text

_TITLES = (
    *(words.WHO, words.HOW, words.NOW, words.VOICE, words.RECALL, words.REMEMBER, words.FAINT, words.HEARD),
    *(words.TOLD, words.BRIEFLY, words.TRUST, words.STORY, words.CONTEXT, words.TRACES, words.KNOWN),
    *(words.BEGAN, words.LAST_BEGAN, words.LOOKED_UP, words.DESK, words.DESK_NEARBY, words.SO_FAR),
    *(words.OVERLAP, words.PINNED, words.CLASH),
)
OWN_LINES = frozenset(title.casefold() for title in _TITLES)
"""The titles of a bundle's sections: the plain format sets them without a mark."""
_LEAST, _LONGEST = 20, 60
"""In characters: so much of a frame's line is enough to know it by."""


def _known_by(line: str) -> str:
    """The first long stretch of a line of ours that no name stands in, in lower case."""
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
"""What a bundle, a letter and a prompt are known by, in their first and last lines and above their parts."""


def quote_said(text: str, names: Sequence[str] | None = ()) -> str:
    """A said text for a bundle or a prompt, quoted where a line of it could be taken for theirs.

    `names` are those who speak around it; None where it is an exchange, whose turns are its own.
    """
    return blockquote.quote(fold_text(text).strip("\n"), names, _OWN)


def tell_turn(who: str, text: str, names: Sequence[str] = (), label: str = "{}:") -> str:
    """A turn as a bundle or a prompt tells it, its text quoted where it holds what could be taken for theirs.

    `names` are those who speak; `label` is how the speaker's name is written.
    """
    said = fold_text(text).strip()
    return blockquote.quote_turn(who, said, names, _OWN, label)
