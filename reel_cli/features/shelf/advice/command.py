"""`reel shelf advise`: what the persona would keep at hand and let go, and what the kit makes of it."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def advise(
    ctx: typer.Context,
    prompt: Prompt = False,
    reply: Reply = None,
    said: Annotated[
        str | None,
        typer.Option("--from", metavar="SESSION[#N]", help="Use advice from a recorded chat."),
    ] = None,
    explain: Annotated[
        bool,
        typer.Option("--explain", help="Show every decision and its reason; alone, for the current advice."),
    ] = False,
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask the persona what to keep at hand. What it says is advice: kit.yaml and your pins decide.

    Nothing is moved: hot.yml and cold.yml note the advice, memory_actions.yml what is made of it.
    """
    from reel_cli.features.shelf.advice.walk import ask_advice, explain_standing, take_said
    from reel_cli.terminal.converse import ExchangeOptions

    if sum((prompt, reply is not None, said is not None)) > 1:
        message = "--prompt, --reply and --from do not go together."
        raise UsageError(message, hint="choose one of them")
    opened: OpenKit = ctx.obj.open_kit()
    if explain and not prompt and reply is None and said is None:
        opened.note_if_without_history()
        explain_standing(opened, as_json=as_json)
        return
    opened.require_repository()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    if said is not None:
        take_said(opened, said, manner, explain=explain)
        return
    ask_advice(opened, manner, prompt=prompt, reply=reply, explain=explain)
