"""`reel end`: record the chat, hand out the prompt, take the page, keep it."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError
from reel_cli.terminal.options import DryRun, Format
from reel_cli.terminal.via import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("end", cls=ExchangeCommand, epilog="Example:  reel end")(end)


def end(
    ctx: typer.Context,
    source: Annotated[
        str | None,
        typer.Argument(metavar="[SOURCE|-]", help="The chat's file; else the newest chat."),
    ] = None,
    format: Format = "auto",  # noqa: A002
    reply: Annotated[
        str | None, typer.Option(metavar="FILE|-", help="The model's page, if you have it already.")
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Take the newest chat and keep the page unasked.")
    ] = False,
    dry_run: DryRun = False,
) -> None:
    """End a session: record the chat, ask for the page, keep it."""
    from reel_cli.features.page.command_checkpoint import find_ask, to_hand_out
    from reel_cli.features.page.due import new_messages
    from reel_cli.features.page.walk import hand_out_page, settle, walk
    from reel_cli.features.record.record_chats import record_one
    from reel_cli.features.record.record_view import show_recorded
    from reel_cli.terminal.converse import ExchangeOptions
    from reel_cli.terminal.given_text import read_given

    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    if source is None and _take_up(opened, yes=yes):
        return
    chosen = _choose(opened, source, format, yes=yes, dry_run=dry_run)
    if chosen is None:
        opened.console.say("Nothing was recorded.")
        return
    talk, name = chosen
    found = record_one(ctx.obj, talk, again=source is not None, dry_run=dry_run)
    show_recorded(opened, found, name)
    if found.taken_back:
        return
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    opened = ctx.obj.open_kit()
    ctx.obj.waiting = "its page can come later:  reel end"
    if reply is None and new_messages(opened.snapshot, found.session) == 0:
        opened.console.say(
            f"{found.session} has its page already. For another:  reel checkpoint --session {found.session}"
        )
        return
    manner = ExchangeOptions(yes=yes)
    if reply is not None:
        settle(opened, find_ask(opened, found.session, None), read_given(reply), manner)
        ctx.obj.open_kit().breathe(ends=True)
        return
    ask = to_hand_out(opened, found.session, None)
    if opened.walks:
        walk(opened, ask, manner, in_chat=True)
        ctx.obj.open_kit().breathe(ends=True)
        return
    hand_out_page(opened, ask)
    opened.console.result(ask.prompt)
    opened.breathe(ends=True)
    opened.console.next_step(
        "Paste this into the chat. When you have the page:  reel checkpoint --reply FILE"
    )


def _take_up(opened: "OpenKit", *, yes: bool) -> bool:
    """Resume a page that was asked for and is missing, if there is no newer chat to record."""
    from reel_cli.features.page.command_checkpoint import to_hand_out
    from reel_cli.features.page.walk import pending, walk
    from reel_cli.features.record.chat_apps import newest_chat
    from reel_cli.terminal.converse import ExchangeOptions

    waiting = pending(opened, "checkpoint", None)
    if waiting is None or not waiting.session or newest_chat() is not None or not opened.walks:
        return False
    opened.console.say(f"The page of {waiting.session} has not come yet.")
    walk(opened, to_hand_out(opened, waiting.session, None), ExchangeOptions(yes=yes), in_chat=True)
    return True


def _choose(
    opened: "OpenKit",
    source: str | None,
    format: str,  # noqa: A002
    *,
    yes: bool,
    dry_run: bool,
) -> "tuple[Conversation, str] | None":
    """Return the conversation to record, and its source's name; None if the person declines."""
    import shlex

    from reel_cli.features.record.ownership import SAME, may_record
    from reel_cli.features.record.read_chats import gather, gather_latest

    if source is not None:
        given = gather(opened, [source], format)
        try:
            if len(given.offered) > 1:
                message = (
                    f"{source} holds {len(given.offered):,} conversations; a session ends one at a time."
                )
                raise ReelError(message, hint="record them all with  reel record")
            talk = given.conversation(given.offered[0])
        finally:
            given.close()
        command = f"reel end {shlex.quote(source)} --yes"
        asked = may_record(opened, talk, question=SAME, command=command, agreed=yes or dry_run, named=True)
        return None if asked is False else (talk, source)
    latest = gather_latest(opened, format)
    talk, name = latest.gathered.conversation(latest.item), str(latest.chat.path)
    alone = len(latest.gathered.offered) == 1
    latest.gathered.close()
    if not opened.console.interactive:
        opened.console.say(latest.line)
    command = f"reel end {shlex.quote(name)} --yes" if alone else "reel record --latest --yes"
    asked = may_record(
        opened,
        talk,
        question=f"{latest.line} Record it all the same?",
        command=command,
        agreed=dry_run,
        named=False,
    )
    if asked is not None and not dry_run:
        return (talk, name) if asked else None
    if not (yes or opened.console.interactive):
        message = "Nobody is here to say whether this is the chat."
        raise ReelError(message, hint="add --yes to take the newest, or name its file")
    if yes:
        if opened.console.interactive:
            opened.console.say(latest.line)
        return talk, name
    return (talk, name) if opened.console.confirm(f"{latest.line} Record it?") else None
