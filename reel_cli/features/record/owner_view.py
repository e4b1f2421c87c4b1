"""Whose chat it is: a chat that may belong to another kit is recorded only after a word."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.ownership import Doubt
    from reel_cli.terminal.context import OpenKit


def doubts_about(opened: "OpenKit", talk: "Conversation") -> "Sequence[Doubt]":
    """Return why a chat may not belong to this kit, and note that this kit is one of this machine's."""
    from reel_cli.core.kit.known_kits import list_kits, note_kit
    from reel_cli.features.record.ownership import find_doubts

    note_kit(opened.root)
    return find_doubts(
        opened.snapshot,
        talk,
        opened.known,
        kit=opened.root,
        repository=opened.repository,
        kits=list_kits(),
        last_start=opened.state.last_start(),
    )


def may_record(  # noqa: PLR0913 (the chat, what to ask, and what was said already)
    opened: "OpenKit",
    talk: "Conversation",
    *,
    question: str,
    command: str,
    agreed: bool,
    named: bool,
) -> bool | None:
    """Return whether to record a chat, None where nothing speaks against it.

    `agreed` says that the person has said so already; `named` that they named its file, and then its age
    alone is only told. `command` records it all the same. Raises ReelError where nobody is there to ask.
    """
    from reel_cli.features.record.ownership import Reason

    doubts = doubts_about(opened, talk)
    if not doubts:
        return None
    console = opened.console
    told = agreed or (named and all(doubt.reason is Reason.OLDER for doubt in doubts))
    if not told and not console.interactive:
        message = " ".join(doubt.text for doubt in doubts)
        raise ReelError(message, hint=f"to record it here all the same:  {command}")
    for doubt in doubts:
        console.say(console.wrap(doubt.text, console.err))
    if told:
        return True if agreed else None
    return console.confirm(question, default=False)
