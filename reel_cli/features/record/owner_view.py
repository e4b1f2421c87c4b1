"""Confirmation for a chat that may belong to another kit."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import one_line

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.choice import Offered
    from reel_cli.features.record.ownership import OwnerCheck
    from reel_cli.features.record.read_chats import Gathered
    from reel_cli.terminal.context import OpenKit

SAME = "Record it here all the same?"
SHOWN = 6
"""Maximum number of chats for which the reason why they may not be this kit's is given one by one."""


def owner_check(opened: "OpenKit") -> "OwnerCheck":
    """Return what chats are held against, and note that this kit is one of this machine's."""
    from reel_cli.core.kit.known_kits import list_kits, note_kit
    from reel_cli.features.record.ownership import OtherKits, OwnerCheck

    note_kit(opened.root)
    others = OtherKits(opened.root, opened.repository, list_kits())
    return OwnerCheck(opened.snapshot, opened.known, others, opened.state.last_start())


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

    doubts = owner_check(opened).doubts(talk)
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


def may_record_each(
    opened: "OpenKit", gathered: "Gathered", chosen: "Sequence[Offered]", *, agreed: bool
) -> "tuple[Sequence[Offered], dict[int, str]]":
    """Return those of many chats to record, and why the others are refused, by their numbers.

    What another kit holds, or another character speaks in, is asked about once for all, and left out on a no;
    it is refused where nobody is there to ask. `agreed` says that the person has said yes already. That some
    are older than the last start is only told, as it is of a file that is named: an export is.
    """
    from reel_cli.features.record.ownership import Reason

    console, check = opened.console, owner_check(opened)
    older: list[str] = []
    strangers: dict[int, str] = {}
    with console.progress("Looking", len(chosen)) as advance:
        for item in chosen:
            doubts = check.doubts(gathered.conversation(item))
            if any(doubt.reason is not Reason.OLDER for doubt in doubts):
                strangers[item.number] = " ".join(doubt.text for doubt in doubts)
            elif doubts:
                older.append(doubts[0].text)
            advance(1)
    if older:
        few = "One of these chats" if len(older) == 1 else f"{len(older):,} of these chats"
        console.say(console.wrap(f"{few} {older[0].removeprefix('It ')}", console.err))
    refused = strangers and not agreed and not console.interactive
    if not strangers or refused:
        return [item for item in chosen if item.number not in strangers], strangers
    for item in [item for item in chosen if item.number in strangers][:SHOWN]:
        told = f"{_name(item)}: {strangers[item.number]}"
        console.say(console.wrap(told, console.err, "", "  "))
    if len(strangers) > SHOWN:
        console.say(f"and {len(strangers) - SHOWN:,} more like these")
    which = "it" if len(strangers) == 1 else f"these {len(strangers):,}"
    if agreed or console.confirm(f"Record {which} here all the same?", default=False):
        return chosen, {}
    rest = [item for item in chosen if item.number not in strangers]
    if rest:
        console.say(f"Left out: {len(strangers):,} of {len(chosen):,}.")
    return rest, {}


def _name(item: "Offered") -> str:
    return f"“{one_line(item.title, 40)}”" if item.title else one_line(item.place or item.opening, 60)
