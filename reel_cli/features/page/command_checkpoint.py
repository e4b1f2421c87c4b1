"""`reel checkpoint`: the persona looks at itself, and writes the page it will wake up to."""

from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reel_cli.core.errors import ReelError
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.via import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.features.page.plan import PagePlan
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.converse import ExchangeOptions


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("checkpoint", cls=ExchangeCommand, epilog="Example:  reel checkpoint --reply page.txt")(
        checkpoint
    )


def checkpoint(
    ctx: typer.Context,
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="Which session; else the newest that lacks one.")
    ] = None,
    only: Annotated[
        Literal["checkpoint", "consolidation"] | None, typer.Option(help="Ask for one of the two alone.")
    ] = None,
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
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask the persona for a self-assessment and a memory of the session, and keep the reply."""
    from reel_cli.features.page.walk import hand_out_page, settle, walk
    from reel_cli.terminal.converse import ExchangeOptions
    from reel_cli.terminal.given_text import read_given

    opened: OpenKit = ctx.obj.open_kit()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run, watch=watch)
    if reply is not None:
        kept = settle(opened, find_ask(opened, session, only), read_given(reply), manner)
        offer_memory(ctx.obj, kept, manner)
        return
    ask = to_hand_out(opened, session, only)
    if prompt or not opened.walks:
        if not dry_run:
            hand_out_page(opened, ask)
        opened.console.result(ask.prompt)
        return
    if not ask.session:
        message = "Nothing recorded waits for a page."
        raise ReelError(message, hint="record the chat first:  reel record FILE   (or only print: --prompt)")
    offer_memory(ctx.obj, walk(opened, ask, manner, in_chat=True), manner)


def offer_memory(context: "Context", kept: "PagePlan | None", manner: "ExchangeOptions") -> None:
    """Offer to make a memory at once if a page marked a moment that has none (REEL §6.2).

    The chat is still open then, and later conversation would dilute what happened in it.
    """
    from reel_cli.features.page.due import flagged_moment
    from reel_cli.features.page.walk import walk

    if kept is None or kept.checkpoint is None or manner.dry_run or manner.as_json:
        return
    opened = context.open_kit()
    session = PurePosixPath(kept.checkpoint).stem.rpartition(".")[0]
    told = flagged_moment(opened.snapshot, session)
    if not told:
        return
    opened.console.say(f'A moment must not fade and has no memory yet: "{told}"')
    command = f"reel checkpoint --session {session} --only consolidation"
    if manner.yes or not opened.console.interactive:
        opened.console.next_step(f"While the chat is open:  {command} --prompt")
    elif opened.console.confirm("Ask for the memory of it now, while the chat is open?"):
        walk(opened, to_hand_out(opened, session, "consolidation"), manner, in_chat=True)
    else:
        opened.console.next_step(f"Later:  {command}")


def to_hand_out(opened: OpenKit, session: str | None, only: str | None) -> "Ask":
    """Return the prompt to hand out: only what is missing, if part of a reply came."""
    from reel_cli.features.page.ask import ask_checkpoint, ask_rest
    from reel_cli.features.page.walk import pending, resume
    from reel_cli.terminal.converse import ring0_in_force

    ask = ask_checkpoint(
        opened.snapshot,
        ring0_in_force(opened),
        opened.now().date(),
        session=session,
        only=only,
        repository=opened.repository,
    )
    waiting = pending(opened, ask.op, session)
    if waiting is not None and waiting.replies and waiting.session in ("", ask.session):
        # half of it may have come before the chat was recorded
        half = waiting if waiting.session == ask.session else resume(opened, ask, waiting)
        return ask_rest(half, opened.snapshot)
    return ask


def find_ask(opened: OpenKit, session: str | None, only: str | None) -> "Ask":
    """Return the ask a reply belongs to: the one handed out, else of the newest session without one."""
    from reel_cli.features.page.ask import ask_checkpoint
    from reel_cli.features.page.due import without_checkpoint
    from reel_cli.features.page.walk import pending, resume
    from reel_cli.terminal.converse import ring0_in_force

    opened.require_repository()
    op = "consolidate" if only == "consolidation" else "checkpoint"
    waiting = pending(opened, op, session)
    target = session or (waiting.session if waiting else "") or without_checkpoint(opened.snapshot)
    if target is None:
        message = "No session waits for a page."
        raise ReelError(message, hint="record the chat first:  reel record FILE")
    fresh = ask_checkpoint(
        opened.snapshot,
        ring0_in_force(opened),
        opened.now().date(),
        session=target,
        only=only,
        repository=opened.repository,
    )
    return resume(opened, fresh, waiting)
