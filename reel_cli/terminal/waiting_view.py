"""One thing that waits for a person's word, on the screen."""

from typing import TYPE_CHECKING, TextIO

from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from reel_cli.features.review.waiting import Waiting
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import OpenKit

CONTEXT_SHOWN = 80
"""Characters of a line that an edit did not touch."""


def show_waiting(opened: "OpenKit", one: "Waiting", stream: TextIO) -> None:
    """Show an item that waits: its name, what it is and why, and all that it would change."""
    from reel_cli.features.review.diff import changed_lines, render_diff

    console = opened.console
    lines = changed_lines(render_diff(one))
    told = f"{one.what[:1].upper()}{one.what[1:]}; {one.why.rstrip('.')}."
    text = "\n".join(
        [console.wrap(told, stream, "  "), *(_diff_line(console, line, stream) for line in lines)]
    )
    console.heading(one.item, stream)
    if stream is console.out:
        console.result(text)
    else:
        console.say(text)


def _diff_line(console: "Console", line: str, stream: TextIO) -> str:
    """Return a line of a diff, folded under its mark; context lines are cut short."""
    shown = one_line(line[1:], CONTEXT_SHOWN) if line.startswith(" ") else line[1:]
    return console.wrap(f"{line[:1]}{shown}", stream, "    ", " ").rstrip()
