"""`reel consolidate`: make the memory of any session on the tape, its transcript in the prompt."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Yes
from reel_cli.terminal.via import ExchangeCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.features.page.due import LetGo


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
        bool, typer.Option("--again", help="Make the memories there are anew, beside what they were.")
    ] = False,
    since: Annotated[
        str | None, typer.Option(metavar="DATE|SESSION", help="With --again: only of then or later.")
    ] = None,
    window: Annotated[
        str | None, typer.Option(metavar="SIZE", help="With --again: what the model can hold, like 128k.")
    ] = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Make the memory of recorded sessions, batch by batch, in any chat with any model."""
    from reel_cli.features.page.walk import hand_out_page, settle, walk
    from reel_cli.terminal.converse import ExchangeOptions, go_on
    from reel_cli.terminal.given_text import read_given

    opened: OpenKit = ctx.obj.open_kit()
    manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
    if again:
        from reel_cli.features.page.remake_memories import consolidate_again

        if sessions:
            message = "--again makes memories anew, and takes no session."
            raise UsageError(message, hint="choose from when on with  --since SESSION")
        consolidate_again(opened, since=since, window=window, prompt=prompt, reply=reply, manner=manner)
        return
    if since is not None or window is not None:
        message = "--since and --window go with --again."
        raise UsageError(message)
    wanted = sessions or []
    if reply is not None:
        opened.require_repository()
        if settle(opened, find_ask(opened, wanted), read_given(reply), manner) is not None and not dry_run:
            _say_next(ctx.obj.open_kit(), wanted)
        return
    ask = to_hand_out(opened, wanted)
    if prompt or not opened.walks:
        if not dry_run:
            hand_out_page(opened, ask)
        opened.console.result(ask.prompt)
        return
    many = len(_left(opened, wanted))
    while True:
        left = len(_left(opened, wanted))
        if many > 1 and left:
            opened.console.say(f"Session {ask.session}, {many - left + 1:,} of {many:,}.")
        if walk(opened, ask, manner, first=_first(opened, wanted, ask)) is None:
            break
        opened = ctx.obj.open_kit()
        following = _next(opened, wanted)
        if following is None or not go_on(opened, manner):
            break
        ask = following


def _first(opened: OpenKit, wanted: "Sequence[str]", ask: "Ask") -> str:
    """Return the original prompt behind an ask for the rest, for sending; else ""."""
    fresh = _next(opened, wanted) if ask.replies and opened.over_wire else None
    return fresh.prompt if fresh is not None and fresh.name == ask.name else ""


def _next(opened: OpenKit, wanted: "Sequence[str]") -> "Ask | None":
    """Return the next batch, made anew from the tape."""
    from reel_cli.core.tape.tape_view import read_session
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.page.ask import ask_consolidation
    from reel_cli.terminal.converse import ring0_in_force

    for session in wanted:
        read_session(opened.snapshot, session)
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    return ask_consolidation(opened.snapshot, ring0_in_force(opened), tokenizer, wanted, _let_go(opened))


def to_hand_out(opened: OpenKit, wanted: "Sequence[str]") -> "Ask":
    """Return the next batch's prompt, or only what is missing if part of its reply came."""
    from reel_cli.features.page.ask import ask_rest

    ask = _next(opened, wanted)
    if ask is None:
        message = "Every session has its memory already."
        raise ReelError(message, hint="see them with  reel memory list")
    from reel_cli.core.exchange.exchange import find_waiting
    from reel_cli.core.exchange.open_ask import Ask

    waiting = find_waiting(opened.state, Ask, ask.name)
    return ask_rest(waiting, opened.snapshot) if waiting is not None and waiting.replies else ask


def find_ask(opened: OpenKit, wanted: "Sequence[str]") -> "Ask":
    """Return the ask a reply belongs to: the prompt that was handed out, else the next batch."""
    from reel_cli.features.page.due import open_span
    from reel_cli.features.page.walk import pending

    waiting = pending(opened, "consolidate", None)
    if waiting is not None and waiting.session and (not wanted or waiting.session in wanted):
        left = open_span(opened.snapshot, waiting.session)
        if left is not None and waiting.span is not None and left.first <= waiting.span.first:
            return waiting
        opened.state.drop_exchange(waiting.name)
    ask = _next(opened, wanted)
    if ask is None:
        message = "Every session has its memory already."
        raise ReelError(message, hint="see them with  reel memory list")
    return ask


def _left(opened: OpenKit, wanted: "Sequence[str]") -> "Sequence[str]":
    """Return the requested sessions that are still to be remembered."""
    from reel_cli.features.page.due import unremembered

    return [s for s in unremembered(opened.snapshot, _let_go(opened)) if not wanted or s in wanted]


def _say_next(opened: OpenKit, wanted: "Sequence[str]") -> None:
    left = _left(opened, wanted)
    if left:
        opened.console.next_step(f"{len(left)} more to go. Next:  reel consolidate {left[0]} --prompt")


def _let_go(opened: OpenKit) -> "LetGo":
    """Return a function that reads from history what was let go, which is not asked for again."""
    from reel_cli.core.rings.losses import list_let_go

    return lambda: list_let_go(opened.repository) if opened.repository else ()
