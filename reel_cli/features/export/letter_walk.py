"""A letter from the persona to its next self: written, handed over, and told of."""

from contextlib import suppress
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.files.markdown import heading_lines, split_sections
from reel_cli.core.kit.approved_rings import Ring0
from reel_cli.core.kit.read_holdings import read_holdings
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.resting_parts import find_resting
from reel_cli.core.pack.some_holdings import without_memories, without_resting
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.features.export.letter import LETTER, Letter, LetterTexts, Words, write_letter
from reel_cli.terminal.export_file import hand_over

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


CALIBRATION = "Calibration"
NOBODY = ("", "you", "user")
"""Names that a kit has for the user if nobody is named."""


def export_letter(opened: "OpenKit", words: int, out: Path | None, *, force: bool, as_json: bool) -> None:
    """Write the persona's letter to its next self; when it is pasted, it is known to be reel's own words."""
    from reel_cli.core.errors import StateError
    from reel_cli.core.kit.approved_rings import read_in_force

    ring0 = read_in_force(opened.snapshot, opened.repository)
    made = make_letter(opened.snapshot, ring0, words)
    with suppress(OSError, StateError):
        opened.state.hand_out("letter", made.text)
    forms = {"whole": "at length", "marker": "in short", "tag": "in a line"}
    counted = ", ".join(f"{number:,} {forms[form]}" for form, number in made.told.items() if number)
    told = f"{made.words:,} words; memories: {counted or 'none'}"
    if made.left:
        told += f"; {made.left:,} found no room (--words)"
    more = {"words": made.words, "memories": {**made.told, "left_out": made.left}}
    hand_over(opened, made.text.encode(), told, out, force=force, as_json=as_json, more=more)
    for path in ring0.waiting:
        opened.console.say(f"{path} was edited and is not approved yet. Decide with  reel review")


def make_letter(snapshot: Snapshot, ring0: Ring0, most: int) -> Letter:
    """Write the letter in at most `most` words, with the ring 0 that is in force; nothing in it is made up.

    Raises ReelError where the kit cannot be read, or where what must be in it takes more words.
    """
    held = read_holdings(snapshot, LETTER, lambda _name: Words(), ring0)
    held = without_resting(held, find_resting(snapshot))
    core = held.core
    if core.settings.gated:
        held = without_memories(held)
    user = core.settings.user
    working = remove_syntax(core.working)
    told = LetterTexts(
        other="" if user.strip().casefold() in NOBODY else user,
        day=max(snapshot.sessions, default="")[:10],
        identity=_below(core.identity),
        directives=_below(core.directives),
        working=_below(_without(working, CALIBRATION)),
        calibration=_below(split_sections(working).get(CALIBRATION, "")),
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
