"""Report of what would be put away; cached for a whole shelf, so that looking is nearly free."""

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.shell import quote
from reel_cli.features.shelf.note import FEW, MARKS, note_shelf

if TYPE_CHECKING:
    from reel_cli.features.shelf.collecting.marks import Marks
    from reel_cli.features.shelf.collecting.policy import Mark

SHOWN = 12
"""Maximum number of files named one by one; more are counted."""
HOW = {
    "delete_from_working_set": "set aside",
    "summarize_then_evict": "only its summary stays",
    "archive": "into the archive",
    "compress": "its summary in its place",
}
BESIDE = ("archive", "cold.yml", "summaries", "ring2/working.md", ".reel/state/touches.jsonl")


class DryRunReport(NamedTuple):
    """The files that would go, one a line, and what a person should know beside that."""

    lines: list[str]
    said: list[str]
    why: str = ""
    """Reason to put something away; "" if nothing is to go."""


def recall_told(kit: Path, marks: "Callable[[], Marks]") -> DryRunReport:
    """Return the report on the kit's shelf, from the cache if possible, else from `marks`.

    It is trusted as far as `note_shelf` has it.
    """

    def make() -> tuple[dict[str, list[str]], list[str]]:
        found = marks()
        looked_at = [
            *BESIDE,
            *(path for one in found.waiting for path in (one.path, f"{one.path}.meta.yml")),
            *(path for one in found.marks[:SHOWN] for path in (one.path, f"{one.path}.meta.yml")),
            *(found.files if len(found.files) <= FEW else ()),
        ]
        return tell_marks(found)._asdict(), looked_at

    return DryRunReport(**note_shelf(kit, make, name=MARKS, every=True))


def tell_marks(marks: "Marks", *, explain: bool = False) -> DryRunReport:
    """Return the report: what would go, what waits, and with `explain` also what was advised and stays."""
    shown = marks.marks if explain else marks.marks[:SHOWN]
    lines = [line_of(mark) for mark in shown]
    if len(marks.marks) > len(shown):
        lines.append(f"and {len(marks.marks) - len(shown):,} more; all of them with  --explain")
    if marks.marks:
        files = f"{len(marks.marks):,} file{'' if len(marks.marks) == 1 else 's'}"
        said = [f"{files} to put away, {marks.freed:,} tokens."]
    else:
        said = ["There is nothing to put away."]
    if explain:
        said += [f"{name_of(one.path)} stays: {_line(one.reason)}" for one in marks.stays]
    return DryRunReport(lines, [*said, *remarks(marks)], why_now(marks))


def why_now(marks: "Marks") -> str:
    """Return why it is time to put something away; "" if nothing is to go."""
    told: dict[str, int] = {}
    for one in marks.marks:
        told[one.trigger.value] = told.get(one.trigger.value, 0) + 1
    parts = [
        (told.get("advice", 0), "can go, as advised"),
        (told.get("explicit", 0), "not used for long"),
        (told.get("budget_pressure", 0), f"cold, and what is at hand takes {marks.room.taken:,} tokens"),
    ]
    words = [f"{number:,} file{'' if number == 1 else 's'} {what}" for number, what in parts if number]
    if told.get("budget_pressure"):
        words[-1] += f", over {marks.room.most:,}"
    if words and marks.asked:
        words.append("the persona asks for it")
    return "; ".join(words)


def line_of(mark: "Mark") -> str:
    """Return one file that goes, how and why."""
    size = f"{mark.tokens:,} tokens, " if mark.tokens else ""
    return f"{name_of(mark.path)}  ({size}{HOW[mark.action]}): {_line(mark.why, 200)}"


def remarks(marks: "Marks") -> Iterator[str]:
    """Yield notes for the person on what is summed up first, and on what does not go."""
    made = [marks.summaries[path] for path in marks.drafts]
    for path in made[:SHOWN]:
        yield f"Summed up without a model: {_line(path)}"
    if len(made) > SHOWN:
        yield f"and {len(made) - SHOWN:,} more summaries."
    for one in marks.waiting[:SHOWN]:
        name = name_of(one.path)
        yield f"{name} stays for now, as {one.why}:  reel shelf summarize {quote(name)}"
    if len(marks.waiting) > SHOWN:
        yield f"and {len(marks.waiting) - SHOWN:,} more need a summary first."
    if marks.memories:
        these = "A memory is" if marks.memories == 1 else f"{marks.memories:,} memories are"
        yield f"{these} in cold.yml too; memories fade by  reel maintain  or go by  reel forget ."
    if marks.left > marks.room.most:
        yield (
            f"What is left at hand takes {marks.left:,} tokens, and {marks.room.most:,} is what there should"
            " be: it was used lately, is pinned, in hot.yml, or must be kept."
        )


def name_of(path: str) -> str:
    """Return a file of the shelf as a person calls it."""
    return _line(path.removeprefix("shelf/"))


def _line(text: str, limit: int = 0) -> str:
    from reel_cli.core.values.change import one_line

    return one_line(text, limit)
