"""`reel consolidate`: make the memory of any session on the tape, its transcript in the prompt."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.terminal.converse import ExchangeOptions
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        "consolidate", cls=ExchangeCommand, epilog="Example:  reel consolidate 2026-02-10-1 --prompt"
    )(consolidate)


def consolidate(
    ctx: typer.Context,
    sessions: Annotated[
        list[str] | None, typer.Argument(metavar="[SESSION]...", help="Which; else those without a memory.")
    ] = None,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    again: Annotated[
        bool, typer.Option("--again", help="Write existing memories again, beside what they were.")
    ] = False,
    since: Annotated[
        str | None, typer.Option(metavar="DATE|SESSION", help="With --again: only from then on.")
    ] = None,
    window: Annotated[
        str | None, typer.Option(metavar="SIZE", help="With --again: what the model can hold, like 128k.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make the memory of recorded sessions, batch by batch, in any chat with any model."""
    from reel_cli.features.page.waiting_page import sessions_left
    from reel_cli.features.page.walk import consolidation_walk
    from reel_cli.terminal.converse import ExchangeOptions, converse

    opened: OpenKit = ctx.obj.open_kit()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    if again:
        if sessions:
            message = "--again makes memories anew, and takes no chat."
            raise UsageError(message, hint="choose from when on with  --since SESSION")
        _consolidate_again(opened, since, window, manner, prompt=prompt, reply=reply)
        return
    if since is not None or window is not None:
        message = "--since and --window go with --again."
        raise UsageError(message)
    walk = consolidation_walk(opened, manner, sessions or (), prompt=prompt)
    kept = converse(opened, walk, manner, prompt=prompt, reply=reply)
    if reply is not None and kept is not None and not dry_run:
        opened = ctx.obj.open_kit()
        left = sessions_left(opened, sessions or ())
        if left:
            opened.console.next_step(f"{len(left)} more to go. Next:  reel consolidate {left[0]} --prompt")


def _consolidate_again(
    opened: "OpenKit",
    since: str | None,
    window: str | None,
    manner: "ExchangeOptions",
    *,
    prompt: bool,
    reply: str | None,
) -> None:
    """Make memories anew at a larger window, beside what they were (REEL §12.4)."""
    from reel_cli.features.fading.rewrite_exchange import AGAIN, next_again, walk_again
    from reel_cli.terminal.converse import converse

    converse(opened, walk_again(opened, since, window, manner), manner, prompt=prompt, reply=reply)
    if reply is None or manner.dry_run:
        return
    following = next_again(opened)
    if following is not None:
        left = len(following.pages) + len(following.rest)
        opened.console.next_step(f"{left:,} more to go. Next:  reel {AGAIN} --prompt")
    elif opened.context.done:
        opened.console.say("To have one as it was before:  reel restore ID --earlier")
