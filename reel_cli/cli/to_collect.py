"""What would be put away, shown; this much has to be quick on the largest shelf."""

from typing import TYPE_CHECKING

from reel_cli.flows.collect_told import Told, recall_told, tell_marks

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.collect_marks import Marks


def show_collectable(opened: "OpenKit", budget: str, *, explain: bool) -> None:
    """Show what would go, by what is kept of the shelf; nothing is changed."""

    def marks() -> "Marks":
        from reel_cli.cli.collecting import Wish, mark, parse_budget  # noqa: PLC0415

        return mark(opened, Wish(parse_budget(budget), dry_run=True), quick=True)

    if budget or explain:
        show_told(opened, tell_marks(marks(), explain=explain))
    else:
        show_told(opened, recall_told(opened.root, marks))
    opened.console.say("Nothing was changed (--dry-run).")


def show_told(opened: "OpenKit", told: Told) -> None:
    """Show what would go on stdout, and what is to be known beside on stderr."""
    console = opened.console
    for line in told.lines:
        console.result(console.wrap(line, console.out, hang="    "))
    for line in told.said:
        console.say(console.wrap(line, console.err, hang="    "))
