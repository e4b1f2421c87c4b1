"""`reel dream reground`: hold a chapter of the story against what was said, and amend what does not fit."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes

if TYPE_CHECKING:
    from reel_cli.features.dream.story.walk import Choice
    from reel_cli.terminal.converse import ExchangeOptions
    from reel_cli.terminal.open_kit import OpenKit

ModelName = Annotated[
    str, typer.Option("--model", metavar="NAME", help="The model that writes; else the newest on the tape.")
]


def reground(
    ctx: typer.Context,
    chapter: Annotated[
        str,
        typer.Argument(metavar="[CHAPTER]", help="Its number or title; if not given, the most doubtful one."),
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="DATE|SESSION", help="Every chapter about this time or later.")
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="List the chapters, and what is doubtful in each.")
    ] = False,
    window: Annotated[
        str | None,
        typer.Option(metavar="SIZE", help="The model's context window; if not given, as in the dream."),
    ] = None,
    model: ModelName = "",
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Check a chapter against what was said. Corrections are added below it."""
    from reel_cli.core.values.change import one_line
    from reel_cli.core.values.sizes import parse_tokens
    from reel_cli.features.dream.story.walk import Choice, list_chapters
    from reel_cli.terminal.converse import ExchangeOptions

    if chapter and since:
        message = "Either one chapter, or all since a day."
        raise UsageError(message)
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    if listed:
        list_chapters(opened, as_json=as_json)
        return
    choice = Choice(chapter, since, parse_tokens(window) if window else None, one_line(model, 80))
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    hold_story(opened, choice, manner, reply, prompt=prompt)


def hold_story(
    opened: "OpenKit", choice: "Choice", manner: "ExchangeOptions", reply: str | None, *, prompt: bool
) -> None:
    """Hand out the prompt, take the reply, or walk a person through it."""
    from reel_cli.features.dream.story import walk as regrounding
    from reel_cli.terminal.converse import converse

    converse(opened, regrounding.walk_of(opened, choice, manner), manner, prompt=prompt, reply=reply)
    told = reply is not None and not (manner.dry_run or manner.as_json)
    if told and regrounding.waiting(opened) is not None:
        opened.console.next_step("Next:  reel dream reground")
