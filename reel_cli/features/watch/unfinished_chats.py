"""Chats that were killed: what was said in them is put on the tape by the next command."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.shell import quote_path
from reel_cli.core.tape.formats.finish import split_reasoning
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.talk import Conversation, Kind, Message
from reel_cli.features.record.record_chats import record_one
from reel_cli.features.watch.chat_spool import ClaimedSpool, UnfinishedChat, claim_spools
from reel_cli.features.watch.growing_chat import NOBODY_YET, write_beside

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def take_up_chats(opened: "OpenKit") -> None:
    """Record interrupted chats on the tape, and report it; obstacles are reported too."""
    context = opened.context
    before, context.takes_up = context.takes_up, False
    try:
        for claimed in claim_spools(opened.root):
            _take_up(opened, claimed)
    finally:
        context.takes_up = before


def _take_up(opened: "OpenKit", claimed: ClaimedSpool) -> None:
    chat, say = claimed.chat, opened.console.say
    if chat is None:
        if aside := claimed.put_aside():
            say(f"A chat that was stopped left a file that cannot be read; it stays at {aside}")
        return
    messages = [*chat.messages, *_half(chat)]
    if not any(message.kind is Kind.SAID for message in messages):
        claimed.drop()
        return
    why = "came with this folder from elsewhere, so it is not recorded by itself."
    if chat.own:
        try:
            done = _record(opened, chat, messages)
        except (StateError, OSError) as error:
            why = error.message if isinstance(error, StateError) else f"{error.strerror or error}."
            say(f"A chat that was stopped is not on the tape yet: {why} It is tried again.")
            return
        except ReelError as error:
            if error.message.startswith(NOBODY_YET):
                claimed.drop()
                return
            why = f"does not go on the tape by itself: {error.message}"
        else:
            if done:
                say(done)
            claimed.drop()
            return
    try:
        path = write_beside(opened, chat.format, [one for one in messages if one.kind is Kind.SAID])
    except OSError:
        return
    claimed.drop()
    lies = quote_path(path)
    say(
        f"A chat that was stopped {why} Nothing is lost: it lies in {path}; to record it:  reel record {lies}"
    )


def _record(opened: "OpenKit", chat: UnfinishedChat, messages: list[Message]) -> str:
    """Record a chat as it stands; what to say of it, "" where the tape had all of it.

    Raises ReelError where it was taken back, or cannot be recorded.
    """
    base: list[Message] = []
    if chat.session is not None:
        entries = read_session(opened.snapshot, chat.session).shown()
        base = [entry.message for entry in entries[: chat.base]]
    talk = Conversation(chat.format, (*base, *messages), key=chat.key, started=chat.started)
    found = record_one(opened.context, talk, session=chat.session)
    if found.taken_back:
        message = f"{found.session} was taken back."
        raise ReelError(message)
    if found.change is None:
        return ""
    opened.look_again()
    half = ", the last answer as far as it came" if chat.half else ""
    added = f"{tell_many(found.added, 'message')} added to {found.session}{half}"
    return f"A chat was stopped; what was said is on the tape now: {added}."


def _half(chat: UnfinishedChat) -> list[Message]:
    """Return the answer so far, and the thinking before it."""
    said, thinking = split_reasoning(chat.half)
    found = [Message("assistant", said.strip(), time=chat.time, model=chat.model)] if said.strip() else []
    thought = "\n\n".join(filter(None, thinking))
    if not found or not thought:
        return found
    return [*found, Message("assistant", thought, Kind.REASONING, time=chat.time, model=chat.model)]
