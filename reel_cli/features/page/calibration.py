"""Calibration that a page answers: the state carried on, and what stood before it (REEL §6.2)."""

import re
from collections.abc import Callable, Sequence

from reel_cli.core.blockquote import plain_item
from reel_cli.core.sentence_end import find_ends

EARLIER = "Before that:"
"""The line above what earlier checkpoints said."""
MOST_EARLIER = 3
LONGEST_EARLIER = 300
"""Characters above which an earlier answer is cut to its first whole sentences."""

_UNSETTLED = re.compile(r"(?i)\W*(?:(?:nothing|none)(?: yet)?\W*|not (?:yet )?settled\b.{0,80})")
"""Pattern of the placeholder that a new kit has there."""
_SENTENCE_END = re.compile(r"[.!?…][\"'”’)\]]*(?=\s)")


def carry_on(standing: str, newest: str, same: Callable[[str, str], bool]) -> str:
    """Return the section with a new word first, then the last distinct ones, newest first.

    `standing` is the section as it is, `newest` may be of several paragraphs, and `same` says whether
    two texts say the same. An empty `newest` leaves the section as it stands.
    """
    if not newest.strip():
        return standing
    head, earlier = read_calibration(standing)
    now = _shorten(newest)
    kept: list[str] = []
    for text in (_shorten(one) for one in (head, *earlier)):
        if text and not _UNSETTLED.fullmatch(text) and not any(same(text, o) for o in (now, *kept)):
            kept.append(text)
    if not kept:
        return newest.strip()
    return "\n".join(
        [newest.strip(), "", EARLIER, *(f"- {plain_item(text)}" for text in kept[:MOST_EARLIER])]
    )


def tidy_calibration(section: str) -> str:
    """Return the section out of which words were taken: its first line stands for now, the rest before it."""
    head, earlier = read_calibration(section)
    if EARLIER not in section.splitlines() or (head and earlier):
        return section
    told = [head, *earlier] if head else list(earlier)
    if len(told) < 2:
        return "".join(told)
    return "\n".join([told[0], "", EARLIER, *(f"- {one}" for one in told[1:])])


def read_calibration(section: str) -> tuple[str, Sequence[str]]:
    """Return the newest word, and the earlier ones, each on one line."""
    head: list[str] = []
    earlier: list[str] = []
    listing = False
    for line in section.splitlines():
        if line.strip() == EARLIER:
            listing = True
        elif listing and line.startswith(("- ", "* ")):
            earlier.append(line[2:].strip())
        elif listing and earlier and line.startswith("  ") and line.strip():
            earlier[-1] = f"{earlier[-1]} {line.strip()}"
        elif line.strip():
            listing = False
            # a word that looked like a heading is a quotation
            head.append(line.strip().removeprefix(">").strip())
    return " ".join(head), earlier


def _shorten(text: str) -> str:
    """Return one line of at most `LONGEST_EARLIER` characters, in whole sentences if possible."""
    plain = " ".join(text.split())
    if len(plain) <= LONGEST_EARLIER:
        return plain
    cut = plain[:LONGEST_EARLIER]
    ends = [found.end() for found in find_ends(_SENTENCE_END, cut)]
    return cut[: ends[-1]] if ends else cut[: LONGEST_EARLIER - 1].rsplit(" ", 1)[0] + "…"
