"""`reel dream reground`: hold a chapter of the story against what was said, and amend what does not fit."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.cli.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.errors import UsageError

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.cli.exchange import Manner
    from reel_cli.cli.regrounding import Choice

ModelName = Annotated[
    str, typer.Option("--model", metavar="NAME", help="Which model writes; the newest on the tape if unsaid.")
]


def reground(
    ctx: typer.Context,
    chapter: Annotated[
        str, typer.Argument(metavar="[CHAPTER]", help="Its number or title; else the one most in doubt.")
    ] = "",
    since: Annotated[
        str, typer.Option(metavar="DATE|SESSION", help="Every chapter that tells of this or later.")
    ] = "",
    listed: Annotated[
        bool, typer.Option("--list", help="The chapters, and what speaks against each.")
    ] = False,
    window: Annotated[
        str | None, typer.Option(metavar="SIZE", help="What the model can hold; as in the dream if unsaid.")
    ] = None,
    model: ModelName = "",
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Hold a chapter of the story against what was said; what does not fit is amended below it."""
    from reel_cli.cli.exchange import Manner  # noqa: PLC0415
    from reel_cli.cli.given import read_given  # noqa: PLC0415
    from reel_cli.cli.regrounding import Choice, list_chapters  # noqa: PLC0415
    from reel_cli.model.change import one_line  # noqa: PLC0415
    from reel_cli.model.settings import parse_tokens  # noqa: PLC0415

    if chapter and since:
        message = "Either one chapter, or all since a day."
        raise UsageError(message)
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    if listed:
        list_chapters(opened, as_json=as_json)
        return
    choice = Choice(chapter, since, parse_tokens(window) if window else None, one_line(model, 80))
    manner = Manner(yes=yes, as_json=as_json, dry_run=dry_run)
    hold_story(opened, choice, manner, read_given(reply) if reply is not None else None, prompt=prompt)


def hold_story(
    opened: "OpenKit", choice: "Choice", manner: "Manner", reply: str | None, *, prompt: bool
) -> None:
    """Hand out the prompt, take the reply, or walk a person through it."""
    from reel_cli.cli import regrounding  # noqa: PLC0415
    from reel_cli.cli.carrying import go_on  # noqa: PLC0415
    from reel_cli.cli.offers import hand_out_several  # noqa: PLC0415

    console = opened.console
    asked = regrounding.next_regrounding(opened, choice)
    if reply is not None:
        regrounding.settle_regrounding(opened, asked, reply, choice, manner)
        if not (manner.dry_run or manner.as_json) and regrounding.waiting(opened) is not None:
            console.next_step("Next:  reel dream reground")
        return
    if prompt or not opened.walks:
        if not manner.dry_run:
            hand_out_several(opened, regrounding.as_handout(opened, asked))
        regrounding.say_which(opened, asked)
        console.result(asked.prompt)
        return
    while (settled_one := regrounding.walk_regrounding(opened, asked, choice, manner)) is not None:
        following = regrounding.waiting(opened) if settled_one.kept else None
        if following is None or not go_on(opened, manner):
            break
        asked = following
