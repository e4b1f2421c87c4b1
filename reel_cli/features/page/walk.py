"""A page at the terminal: which prompt waits, its reply read and shown, and kept after a person's word."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, read_replies, with_whole
from reel_cli.core.pack.budget import name_window
from reel_cli.core.tape.tape_view import chat_of, standing_sessions
from reel_cli.features.page.ask import ask_brief, shorten
from reel_cli.features.page.kept_pages import page_command, short_sessions
from reel_cli.features.page.waiting_page import (
    drop_page,
    find_memory,
    find_page,
    is_stopped,
    memory_due,
    next_memory,
    page_due,
    pending,
    rest_prompt,
    resume,
    sessions_left,
    tell_drop,
    waits_short,
)
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, ring0_in_force
from reel_cli.terminal.input.given_text import read_given
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.transport_option import Before, find_transport

if TYPE_CHECKING:
    from reel_cli.features.page.plan import PagePlan

PageWalk: TypeAlias = "ExchangeWalk[Ask, PagePlan | None]"


def page_walk(
    opened: OpenKit,
    manner: ExchangeOptions,
    command: str,
    answered: Callable[[], Ask],
    due: Callable[[], Ask],
) -> PageWalk:
    """Return the walk of a page, whichever prompt waits for it or is due."""

    def ready() -> Ask:
        # a page about less than the whole would be asked for while memories or notes are missing
        with opened.console.waiting("Writing the prompt"):
            ask = due()
            opened.require_memories()
        return ask

    def judge(ask: Ask, text: str) -> str:
        # a command that only prints the prompt reads no reply, and imports nothing for it
        from reel_cli.features.page.refusal import why_no_answer

        return why_no_answer(ask, opened.snapshot.settings.name, text)

    return ExchangeWalk(
        command,
        answered,
        ready,
        lambda ask, reply: _settle(opened, ask, reply, manner),
        lambda ask: rest_prompt(opened, ask),
        judge=judge,
        limited=True,
    )


def _settle(opened: OpenKit, ask: Ask, reply: str, manner: ExchangeOptions) -> "PagePlan | None":
    from reel_cli.features.page.settle_page import settle

    return settle(opened, ask, reply, manner)


def checkpoint_walk(  # noqa: PLR0913 (the page, and how it is asked for)
    opened: OpenKit,
    manner: ExchangeOptions,
    session: str | None,
    only: str | None = None,
    *,
    prompt: bool = False,
    brief: bool = False,
    anew: bool = False,
) -> PageWalk:
    """Return the walk of a session's page, or of one half of it (`only`), in the chat that it is about.

    `brief` asks for a short page instead, `anew` for all of it once more. `prompt` says that its prompt is
    only printed, which a chat that is not recorded yet can have too.
    """

    def due() -> Ask:
        ask = page_due(opened, session, only, brief=brief, anew=anew)
        if not ask.session and opened.walks and not prompt:
            message = "Nothing recorded waits for a page."
            standing = standing_sessions(opened.snapshot)
            hint = "record the chat first:  reel record FILE   (or only print: --prompt)"
            if standing and standing[-1] in short_sessions(opened.snapshot):
                hint = f"for the rest of the last one, a short one:  reel checkpoint --session {standing[-1]}"
            raise ReelError(message, hint=hint)
        return ask

    def due_told() -> Ask:
        ask = due()
        if prompt and _keep_ready(opened, ask, manner) is not None:
            message = "All that a short page needs has come already."
            raise ReelError(message, hint=f"keep it:  reel checkpoint --brief --session {ask.session}")
        if prompt and not (ask.brief or manner.dry_run) and ask.session and waits_short(opened, ask.session):
            short = f"reel {page_command(opened.snapshot, ask.session)} --prompt --brief"
            opened.console.say(f"This asks for the whole page; the short one was asked for last:  {short}")
        for sentence in ask.hindered:
            opened.console.say(sentence)
        if ask.waits:
            names = " and ".join(f"“{label}”" for label in ask.waits)
            held = opened.snapshot.settings
            limit = "cap" if held.cap < held.window else "window"
            opened.console.say(
                f"This prompt has no room to ask for {names}. If your model holds more:  "
                f"reel config {limit} {name_window(2 * min(held.window, held.cap))}"
            )
        return ask

    command = "consolidate" if only == "consolidation" else page_command(opened.snapshot, session)

    def answered() -> Ask:
        ask = find_page(opened, session, only)
        return shorten(ask) if brief and ask.makes_memory and not ask.anew else ask

    walk = page_walk(opened, manner, command, answered, due_told)
    return replace(
        walk,
        before=lambda ask: _chat_before(opened, ask.session),
        shorter=lambda ask: _shorter(opened, ask),
        drops=lambda ask: "" if manner.dry_run else tell_drop(opened, ask),
        drop=lambda ask: drop_page(opened, ask),
        finish=lambda ask: _take_up(opened, ask, manner) or _keep_ready(opened, ask, manner),
    )


def _shorter(opened: OpenKit, ask: Ask) -> Ask | None:
    """Return the ask for a short page in place of this one; None where that is no way on."""
    if not ask.can_be_short:
        return None
    return with_whole(ask_brief(opened.snapshot, ring0_in_force(opened), opened.now().date(), ask), ask)


def _keep_ready(opened: OpenKit, ask: Ask, manner: ExchangeOptions) -> "Callable[[], PagePlan | None] | None":
    """Return what keeps a short page of which all has come with half of a whole one; None for any other."""
    names = (opened.snapshot.settings.name,)
    if not (ask.brief and ask.session and ask.replies) or read_replies(ask, names).missing:
        return None
    return lambda: _settle(opened, replace(ask, replies=ask.replies[:-1]), ask.replies[-1], manner)


def _take_up(opened: OpenKit, ask: Ask, manner: ExchangeOptions) -> "Callable[[], PagePlan | None] | None":
    """Return what shows a page again at which the person stopped; None where there is none, or nobody to ask.

    One that is asked for in short, or whole, is not taken for the other.
    """
    waiting = pending(opened, ask.op, ask.session) if opened.walks and ask.session else None
    if waiting is None or ask.anew or waiting.brief != ask.brief or not is_stopped(waiting):
        return None
    reply = read_given(waiting.stopped)
    answered = resume(opened, ask, waiting)
    return lambda: _settle(opened, answered, reply, manner)


def consolidation_walk(
    opened: OpenKit, manner: ExchangeOptions, wanted: Sequence[str], *, prompt: bool = False
) -> PageWalk:
    """Return the walk through these sessions, or all without a memory, batch by batch.

    `prompt` says that the prompt is only printed.
    """
    many = 0

    def due() -> Ask:
        nonlocal many
        if opened.walks and not prompt:
            many = len(sessions_left(opened, wanted))
        return memory_due(opened, wanted)

    def announce(ask: Ask) -> str:
        left = len(sessions_left(opened, wanted)) if many > 1 else 0
        if not many:
            return ""
        told = f"Chat {ask.session}, {many - left + 1:,} of {many:,}.\n" if left else ""
        made = f"This makes the memory of {chat_of(opened.snapshot, ask.session)}."
        return f"{told}{made} The prompt has what was said, so any chat with any model will do."

    def following(_: "PagePlan | None") -> Ask | None:
        opened.look_again()
        return next_memory(opened, wanted)

    walk = page_walk(opened, manner, "consolidate", lambda: find_memory(opened, wanted), due)
    return replace(walk, following=following, announce=announce)


def _chat_before(opened: OpenKit, session: str) -> Before:
    """Return the chat that a prompt is meant for: the bundle, and the session's messages that fit."""

    def messages(room: int) -> Sequence[dict[str, str]]:
        return find_transport().gather_chat(opened, session, room)

    return messages
