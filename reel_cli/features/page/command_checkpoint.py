"""`reel checkpoint`: the persona looks at itself, and writes the page it will wake up to."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reel_cli.core.errors import UsageError
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.terminal.options import AsJson, Brief, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.features.page.plan import PagePlan
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.converse import ExchangeOptions
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("checkpoint", cls=ExchangeCommand, epilog="Example:  reel checkpoint --reply page.txt")(
        checkpoint
    )


def checkpoint(
    ctx: typer.Context,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="Which chat; else the newest that lacks one.")
    ] = None,
    only: Annotated[
        Literal["checkpoint", "consolidation"] | None, typer.Option(help="Ask for only one of the two.")
    ] = None,
    brief: Brief = False,
    anew: Annotated[
        bool, typer.Option("--anew", help="Drop what came of the page, and ask for all of it.")
    ] = False,
    drop: Annotated[bool, typer.Option("--drop", help="Do without a page of this chat.")] = False,
    prompt: Prompt = False,
    reply: Reply = None,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch-clipboard",
            envvar="REEL_WATCH_CLIPBOARD",
            help="Take the reply as soon as it is copied.",
        ),
    ] = False,
    yes: Yes = False,
    seen: Annotated[
        str, typer.Option(metavar="DIGEST", help="Keep what a person saw: the digest of --dry-run --json.")
    ] = "",
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask the persona for a self-assessment and a memory of the session, and keep the reply."""
    from reel_cli.features.page.walk import checkpoint_walk
    from reel_cli.terminal.converse import ExchangeOptions, converse

    if brief and only is not None:
        message = "--brief asks for a short page, and --only for one half of a whole one."
        raise UsageError(message, hint="give one of the two")
    if drop and (anew or brief or prompt or reply is not None or only is not None):
        message = "--drop goes with --session alone."
        raise UsageError(message)
    opened: OpenKit = ctx.obj.open_kit()
    if drop or anew or (brief and reply is None):
        from reel_cli.features.page.waiting_page import drop_parts, leave_page, let_be, require_page

        if drop:
            leave_page(opened, require_page(opened, session))
            return
        if anew:
            session = require_page(opened, session)
            drop_parts(opened, session)
        elif let_be(opened, session):
            return
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run, watch=watch, seen=seen)
    again = anew and not brief
    walk = checkpoint_walk(opened, manner, session, only, prompt=prompt, brief=brief, anew=again)
    offer_memory(ctx.obj, converse(opened, walk, manner, prompt=prompt, reply=reply), manner)


def offer_memory(context: "Context", kept: "PagePlan | None", manner: "ExchangeOptions") -> None:
    """Offer to make a memory at once if a page marked a moment that has none (REEL §6.2).

    The chat is still open then, and later conversation would dilute what happened in it.
    """
    from reel_cli.features.page.due import flagged_moment
    from reel_cli.features.page.walk import checkpoint_walk
    from reel_cli.terminal.converse import walk_through

    if kept is None or kept.checkpoint is None or manner.dry_run or manner.as_json:
        return
    opened = context.open_kit()
    session = session_of_checkpoint(kept.checkpoint)
    told = flagged_moment(opened.snapshot, session)
    if not told:
        return
    opened.console.say(f'A moment must not fade and has no memory yet: "{told}"')
    command = f"reel checkpoint --session {session} --only consolidation"
    if manner.yes or not opened.console.interactive:
        opened.console.next_step(f"While the chat is open:  {command} --prompt")
    elif opened.console.confirm("Ask for the memory of it now, while the chat is open?"):
        walk = checkpoint_walk(opened, manner, session, "consolidation")
        walk_through(opened, walk, walk.due(), manner)
    else:
        opened.console.next_step(f"Later:  {command}")
