"""`reel shelf summarize`: what files of the shelf come to, in one page that says what it was made of."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.features.shelf.summaries.summary import Style
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def summarize(
    ctx: typer.Context,
    files: Annotated[
        list[str],
        typer.Argument(metavar="FILE...", help="By name, as  reel shelf list  has it; or a folder."),
    ],
    style: Annotated[
        Style,
        typer.Option(
            "--style",
            metavar="STYLE",
            help="bullet, narrative, schema (how it is built), diff (what changed), or decision.",
        ),
    ] = Style.BULLET,
    called: Annotated[
        str, typer.Option("--as", metavar="NAME", help="The name of the summary: march-logs.")
    ] = "",
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Sum up files, so that a short page can stand in for them. The persona writes it.

    The styles schema (of a table or data file) and diff need no model; diff compares a file with its last
    version, or two files.
    """
    from reel_cli.features.shelf.summaries.walk import summarize_files
    from reel_cli.terminal.converse import ExchangeOptions

    if prompt and reply is not None:
        message = "--prompt and --reply do not go together."
        raise UsageError(message, hint="choose one of them")
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    summarize_files(opened, files, style.value, manner, called=called, prompt=prompt, reply=reply)
