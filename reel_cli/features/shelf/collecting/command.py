"""`reel shelf gc` and `postmortem`: what is cold is put away, and what a failed attempt taught is kept."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.options import AsJson, DryRun, Sure

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def gc(
    ctx: typer.Context,
    budget: Annotated[
        str,
        typer.Option("--budget", metavar="TOKENS", help="Tokens that may stay at hand: 2k, 1500."),
    ] = "",
    explain: Annotated[
        bool, typer.Option("--explain", help="List every file, and what was advised and stays.")
    ] = False,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Put away what is cold. It goes as advised, or after long disuse, and more where there is no room.

    What is pinned, must be kept or was used lately stays. Every file comes back with  reel restore .
    """
    opened: OpenKit = ctx.obj.open_kit()
    if dry_run and not as_json:
        from reel_cli.features.shelf.collecting.walk import show_collectable

        show_collectable(opened, budget, explain=explain)
        return
    from reel_cli.features.shelf.collecting.walk import CollectionOptions, collect, parse_budget

    wish = CollectionOptions(parse_budget(budget), explain=explain, yes=yes, dry_run=dry_run, as_json=as_json)
    collect(opened, wish)


def postmortem(
    ctx: typer.Context,
    file: Annotated[str, typer.Argument(metavar="FILE", help="Its name, on the shelf or in archive/.")],
    text: Annotated[
        str, typer.Option("--text", metavar="WORDS", help="What was tried, why it failed, what it taught.")
    ] = "",
    source: Annotated[
        str | None, typer.Option("--from", metavar="FILE|-", help="The same, from a file or stdin.")
    ] = None,
    none: Annotated[bool, typer.Option("--none", help="None is needed; do not ask again.")] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Keep what a failed attempt taught, beside it in archive/."""
    from reel_cli.features.shelf.collecting.walk import keep_postmortem

    if sum((bool(text), source is not None, none)) > 1:
        message = "--text, --from and --none do not go together."
        raise UsageError(message, hint="choose one of them")
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    keep_postmortem(opened, file, text, source, none=none, dry_run=dry_run, as_json=as_json)
