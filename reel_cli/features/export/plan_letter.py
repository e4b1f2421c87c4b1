"""A letter from the persona to its next self, out of what the kit holds."""

from itertools import pairwise

from reel_cli.core.files.markdown import heading_lines, split_sections
from reel_cli.core.kit.approved_rings import Ring0
from reel_cli.core.kit.read_holdings import read_holdings
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.export.letter import LETTER, Letter, LetterTexts, Words, write_letter

CALIBRATION = "Calibration"
NOBODY = ("", "you", "user")
"""Names that a kit has for the user if nobody is named."""


def make_letter(snapshot: Snapshot, ring0: Ring0, most: int) -> Letter:
    """Write the letter in at most `most` words, with the ring 0 that is in force; nothing in it is made up.

    Raises ReelError where the kit cannot be read, or where what must be in it takes more words.
    """
    held = read_holdings(snapshot, LETTER, lambda _name: Words(), ring0)
    core = held.core
    user = core.settings.user
    told = LetterTexts(
        other="" if user.strip().casefold() in NOBODY else user,
        day=max(snapshot.sessions, default="")[:10],
        identity=_below(core.identity),
        directives=_below(core.directives),
        working=_below(_without(core.working, CALIBRATION)),
        calibration=_below(split_sections(core.working).get(CALIBRATION, "")),
    )
    return write_letter(held, told, most)


def _without(text: str, section: str) -> str:
    """Return a text without one of its sections."""
    lines = text.splitlines(keepends=True)
    spans = [*heading_lines(text), ("", len(lines), len(lines))]
    for (heading, start, _), (_, end, _) in pairwise(spans):
        if heading == section:
            return "".join([*lines[:start], *lines[end:]])
    return text


def _below(text: str) -> str:
    """Return a text whose headings are below those of the letter's sections."""
    lines = text.splitlines(keepends=True)
    for level in (1, 2):
        for _, start, end in heading_lines(text, level):
            if end == start + 1 and lines[start].startswith("#"):
                lines[start] = "#" * (3 - level) + lines[start]
    return "".join(lines)
