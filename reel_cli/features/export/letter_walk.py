"""A letter from the persona to its next self: written, handed over, and told of."""

from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.terminal.export_file import hand_over

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def export_letter(opened: "OpenKit", words: int, out: Path | None, *, force: bool, as_json: bool) -> None:
    """Write the persona's letter to its next self; when it is pasted, it is known to be reel's own words."""
    from reel_cli.core.errors import StateError
    from reel_cli.core.kit.approved_rings import read_in_force
    from reel_cli.features.export.plan_letter import make_letter

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
        opened.console.say(f"{path} was edited by hand and is not in force yet. Decide with  reel review")
