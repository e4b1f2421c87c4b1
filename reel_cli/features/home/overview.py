"""`reel` alone: who is here, what is going on, what wants a decision, and the one next step."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.moment import day_in_words
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.core.values.due import KitWarning
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.home.places import find_around, list_below, list_known, open_beside, show_path
from reel_cli.features.home.summary import KitSummary, is_chatting, summarize
from reel_cli.features.init.template_voice import MEND
from reel_cli.terminal.kit_warnings import in_a_line, note_fresh_clone

if TYPE_CHECKING:
    from datetime import datetime

    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context

MOST_LINES = 12
GOING_ON = (160, 100, 60, 0)
"""Lengths to which what is going on is cut until all has room."""
PROBLEMS = 2
"""Maximum number of problems told one by one."""
NO_KIT = (
    "There is no kit here. A kit is a folder that keeps one persona: who it is, how it sounds, what it "
    "remembers."
)


def show(context: "Context") -> None:
    """Show the kit that this folder is in, or each of several; the first step where there is none."""
    here = Path.cwd()
    console = context.console
    if context.kit_option is not None or find_around(here) is not None:
        opened = context.open_kit(reading=True)
        note_fresh_clone(opened)
        console.result(tell_one(console, summarize(opened), "reel ", context.now()))
        return
    below = list_below(here)
    if len(below) == 1:
        summary, way = (
            summarize(open_beside(context, below[0]), beside=True),
            f"cd {show_path(below[0])} && reel ",
        )
        console.result(tell_one(console, summary, way, context.now()))
        return
    kits = below or [place for place in list_known(here) if find_around(place) == place]
    if kits:
        console.result(
            tell_several(console, [(one, summarize(open_beside(context, one), beside=True)) for one in kits])
        )
        return
    console.result(console.wrap(NO_KIT, console.out))
    console.result("Make one:  reel init ada --template companion --name Ada")
    console.result("Then:      cd ada && reel start")


def tell_one(console: "Console", summary: KitSummary, way: str, now: "datetime") -> str:
    """Return a kit in at most twelve lines; `way` is how its commands begin."""
    lines: list[str] = []
    for room in GOING_ON:
        told = _tell(summary, way, now, room)
        lines = [
            line
            for text in map(console.steps, told)
            for line in console.wrap(text, console.out, hang="  ").split("\n")
        ]
        if len(lines) <= MOST_LINES:
            break
    return "\n".join(lines)


def _tell(summary: KitSummary, way: str, now: "datetime", room: int) -> list[str]:
    # where files are missing, that no chat is there may be their loss
    lost = not summary.chats and any(one.kind not in ("page", "flag") for one in summary.problems)
    told_first = summary.readable and not lost
    lines = [f"{summary.name}. {told_talks(summary)}" if told_first else f"{summary.name}."]
    step = _next_step(summary, now)
    # a command that is the next step is said once
    told = [replace(one, mend="") if one.mend == step else one for one in summary.problems[:PROBLEMS]]
    problems = [_through(in_a_line(one), way) for one in told]
    lines += problems if lost else []
    if room and summary.now:
        lines.append(f"Going on: {one_line(summary.now, room)}")
    lines += [one_line(text, room) for text in summary.noted if room]
    if summary.noted_end and room:
        lines.append(_through(summary.noted_end, way))
    if summary.doubt and room:
        lines.append(_through(summary.doubt, way))
    lines += [] if lost else problems
    if len(summary.problems) > PROBLEMS:
        lines.append(f"{len(summary.problems) - PROBLEMS:,} more:  {way}status")
    if summary.waiting:
        lines.append(f"{tell_waiting(summary.waiting)}:  {way}review")
    if is_chatting(summary, now):
        lines.append("You ran reel start; when the chat is over, record it.")
    if told_first and not summary.chats and not summary.began and summary.templates:
        lines.append(f"To make {summary.name} yours:  {way}edit identity")
    if summary.voice and room:
        lines.append(_through(in_a_line(KitWarning("voice", summary.voice, MEND)), way))
    return [*lines, _through(f"Next:  {step}", way)]


def _next_step(summary: KitSummary, now: "datetime") -> str:
    """Return the one command that comes next, as it is typed inside the kit."""
    chatting = is_chatting(summary, now)
    # a chat that goes on ends first, whatever pages the earlier ones lack
    later = ("flag", "facts", "page") if chatting else ("flag", "facts")
    urgent = next((one.mend for one in summary.problems if one.mend and one.kind not in later), "")
    return urgent or ("reel end" if chatting else "reel start")


def _through(text: str, way: str) -> str:
    """Return a line whose command works from here."""
    return text.replace("  reel ", f"  {way}", 1)


def tell_several(console: "Console", kits: Sequence[tuple[Path, KitSummary]]) -> str:
    """Return a line for each kit, and how to go into one; at most twelve lines."""
    shown = kits[: MOST_LINES - 2] if len(kits) > MOST_LINES - 1 else kits
    rows = [
        (show_path(place), one.name, *(row_of(one) if one.readable else ("cannot be read", "")))
        for place, one in shown
    ]
    table = console.listing(rows, 2).splitlines()
    if len(table) > MOST_LINES - 2:
        table = console.table((), [row[:3] for row in rows]).splitlines()
    lines = [line[: _width(console)] for line in table]
    if len(shown) < len(kits):
        lines.append(f"{len(kits) - len(shown):,} more:  reel kits")
    return "\n".join([*lines, f"Go into one:  cd {show_path(kits[0][0])}"])


def _width(console: "Console") -> int | None:
    from reel_cli.terminal.folding import columns

    return columns(console.out) if console.out.isatty() else None


def told_talks(summary: KitSummary) -> str:
    """Return how often somebody talked with the persona, since when, and when last."""
    if not summary.chats and summary.aside:
        return f"No chat counts: {tell_many(summary.aside, 'chat')} taken back. To see which:  reel tape list"
    if not summary.chats:
        return "No chat is recorded yet."
    first, last = (day_in_words(date.fromisoformat(day)) for day in (summary.first, summary.last))
    if summary.chats == 1:
        return f"1 chat, on {last}."
    if first == last:
        return f"{summary.chats:,} chats, all on {last}."
    return f"{summary.chats:,} chats since {first}, the last on {last}."


def row_of(summary: KitSummary) -> tuple[str, str]:
    """Return the day of the last chat, and what is wrong or waits, in few words."""
    if not summary.readable:
        return "cannot be read", summary.problems[0].text
    last = day_in_words(date.fromisoformat(summary.last)) if summary.last else "no chat yet"
    notes = [f"{summary.waiting:,} to decide"] if summary.waiting else []
    owed = [one for one in summary.problems if one.kind in ("page", "flag")]
    notes += ["a page is missing"] if owed else []
    notes += ["something is damaged"] if len(owed) < len(summary.problems) else []
    return last, ", ".join(notes)
