"""`reel checkpoint`: the persona looks at itself, and writes the page it will wake up to."""

from typing import TYPE_CHECKING, Annotated, Literal

import typer

from reel_cli.cli.context import OpenKit
from reel_cli.cli.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.errors import ReelError

if TYPE_CHECKING:
    from reel_cli.flows.asking import Ask


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("checkpoint", epilog="Example:  reel checkpoint --reply page.txt")(checkpoint)


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
    yes: Yes = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Ask the persona for a self-assessment and a memory of the session, and keep the reply."""
    from reel_cli.cli.exchange import Manner, hand_out, settle, walk  # noqa: PLC0415
    from reel_cli.cli.given import read_given  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    manner = Manner(yes=yes, as_json=as_json, dry_run=dry_run)
    if reply is not None:
        settle(opened, find_ask(opened, session, only), read_given(reply), manner)
        return
    ask = to_hand_out(opened, session, only)
    if prompt or not opened.console.interactive:
        if not dry_run:
            hand_out(opened, ask)
        opened.console.result(ask.prompt)
        return
    if not ask.session:
        message = "Nothing recorded waits for a page."
        raise ReelError(message, hint="record the chat first:  reel record FILE   (or only print: --prompt)")
    walk(opened, ask, manner)


def to_hand_out(opened: OpenKit, session: str | None, only: str | None) -> "Ask":
    """The prompt to hand out: what is left to ask for where a reply came through in part."""
    from reel_cli.cli.exchange import pending, ring0_in_force  # noqa: PLC0415
    from reel_cli.flows.ask_page import ask_checkpoint, ask_rest  # noqa: PLC0415

    ask = ask_checkpoint(
        opened.snapshot, ring0_in_force(opened), opened.now().date(), session=session, only=only
    )
    waiting = pending(opened, ask.op, session)
    if waiting is not None and waiting.replies and waiting.session == ask.session:
        return ask_rest(waiting, opened.snapshot)
    return ask


def find_ask(opened: OpenKit, session: str | None, only: str | None) -> "Ask":
    """The ask a reply belongs to: the prompt that was handed out, else the newest session that lacks one."""
    from reel_cli.cli.exchange import pending, resume, ring0_in_force  # noqa: PLC0415
    from reel_cli.flows.ask_page import ask_checkpoint  # noqa: PLC0415
    from reel_cli.flows.due import without_checkpoint  # noqa: PLC0415

    opened.require_repository()
    op = "consolidate" if only == "consolidation" else "checkpoint"
    waiting = pending(opened, op, session)
    target = session or (waiting.session if waiting else "") or without_checkpoint(opened.snapshot)
    if target is None:
        message = "No session waits for a page."
        raise ReelError(message, hint="record the chat first:  reel record FILE")
    fresh = ask_checkpoint(
        opened.snapshot, ring0_in_force(opened), opened.now().date(), session=target, only=only
    )
    return resume(opened, fresh, waiting)
