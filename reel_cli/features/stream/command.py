"""`reel keep`: the conversation that outgrows its window goes on in a new chat, from a summary."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import UsageError
from reel_cli.features.record.command_record import Format
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command(
        "keep", cls=ExchangeCommand, epilog="Example:  reel keep --pin 'at most 2,000 words a chapter'"
    )(keep)


def keep(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(
            metavar="[SOURCE|-]", help="The chat's file; if not given, the one being watched, or the newest."
        ),
    ] = None,
    format: Format = "auto",  # noqa: A002
    overlap: Annotated[
        int | None,
        typer.Option(
            min=0, metavar="TOKENS", help="Tokens of the last messages to carry over, word for word."
        ),
    ] = None,
    pin: Annotated[
        list[str] | None,
        typer.Option(
            "--pin", metavar="TEXT", help="A rule to keep to in this conversation; may be repeated."
        ),
    ] = None,
    unpin: Annotated[bool, typer.Option("--unpin", help="Drop what was pinned before.")] = False,
    resume: Annotated[
        bool, typer.Option("--resume", help="Only give the last keep's beginning again.")
    ] = False,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Yes = False,
    as_json: AsJson = False,
    dry_run: DryRun = False,
) -> None:
    """Sum up a conversation that outgrows its window, and go on in a new chat."""
    from reel_cli.core.values.change import one_line
    from reel_cli.features.stream import view as beginnings
    from reel_cli.features.stream import walk as keeping
    from reel_cli.features.stream.ask import KeepOptions
    from reel_cli.terminal.converse import ExchangeOptions, converse

    opened: OpenKit = ctx.obj.open_kit()
    if resume:
        if source or pin or unpin or prompt or reply is not None:
            message = "--resume only gives the last beginning again; nothing is asked or pinned."
            raise UsageError(message, hint="leave out the other options; --overlap may stay")
        beginnings.resume_last(opened, overlap=overlap, as_json=as_json)
        return
    opened.require_repository()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    pinned = tuple(line for text in pin or () if (line := one_line(text)))
    wished = KeepOptions(overlap, pinned, unpin)
    session = keeping.take_snapshot(opened, source, format, yes=yes) if not dry_run else None
    if session == "":
        return
    opened.require_memories()
    walk = keeping.walk_of(opened, session, wished, manner, prompt=prompt)
    converse(opened, walk, manner, prompt=prompt, reply=reply)
    if reply is None and (prompt or not opened.walks):
        waiting = keeping.waiting_ask(opened)
        where = "the same chat" if waiting is not None and waiting.replies else "any chat with room for it"
        opened.console.next_step(f"Paste this into {where}. With the answer:  reel keep --reply FILE")
