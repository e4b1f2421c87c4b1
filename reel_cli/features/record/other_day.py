"""A chat without a date comes from the day it was recorded on to its own, as long as it has no page."""

from typing import TYPE_CHECKING

from reel_cli.core.tape.continuation import State
from reel_cli.core.tape.tape_view import MOVED

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.terminal.context import Context


def leave_day(context: "Context", talk: "Conversation", day: str) -> str:
    """Take back a chat that stands under another day than `day`, so that it can be recorded anew.

    One with a memory or a page stays, for these name it. Return the session that was taken back, or "".
    """
    from reel_cli.features.page.kept_pages import checkpoints_of
    from reel_cli.features.record.plan import plan_event
    from reel_cli.features.record.record_chats import record_one

    found = record_one(context, talk, dry_run=True)
    snapshot = context.open_kit().snapshot
    if found.state is not State.KNOWN or found.taken_back or found.session.startswith(day[:10]):
        return ""
    if checkpoints_of(snapshot, found.session) or any(
        found.session in memory.sessions for memory in snapshot.memories.values()
    ):
        return ""
    opened = context.open_kit()
    opened.commit(plan_event(opened.snapshot, "retract", f"{MOVED}{day[:10]}", found.session, opened.now()))
    return found.session
