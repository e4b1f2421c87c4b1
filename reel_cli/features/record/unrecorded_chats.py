"""Chats of the apps that are not on the tape yet, as `reel start` says before the next one begins."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.moment import moment
from reel_cli.core.values.due import KitWarning
from reel_cli.features.record.chat_apps import Chat, mark, newest_chats

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

KIND = "unrecorded"
MOST_READ = 3
"""Number of chats, newest first, that are read to find one that is not recorded."""
MOST_OFFERED = 5
"""Number of chats, newest first, that are read to offer those that are not recorded."""
MOST_SAID = 3
"""Number of times that a chat is reported which nobody records; by then that is meant."""


def chats_unrecorded(opened: "OpenKit") -> Sequence[KitWarning]:
    """Return the newest chat since the last `reel start` that the tape lacks, or of which it lacks the end.

    Chats that were reported before and are still not recorded count as well. A chat that may be another
    kit's does not. A file that was recorded as it is is not read again before it changes.
    """
    noted = opened.state.app_chats()
    since = opened.state.last_start()
    if not since and not noted:
        return ()
    start = moment(since).timestamp() if since else float("inf")
    looked = dict(noted)
    found: list[tuple[Chat, str]] = []
    for chat in _worth_reading(noted, start):
        path, at = str(chat.path), mark(chat.path)
        if at is None:
            continue
        known = noted.get(path)
        times = known[2] if known is not None else 0
        same = known is not None and known[:2] == (at.size, at.mtime_ns)
        if known is not None and same and (not known[3] or times >= MOST_SAID):
            told = known[3]
        else:
            # what was not recorded when the file was looked at may be by now
            told, times = _judge(opened, chat, again=same), times if same else 0
        looked[path] = (at.size, at.mtime_ns, times + bool(told), told)
        if told and times < MOST_SAID:
            found.append((chat, told))
    if looked != noted:
        with suppress(StateError, OSError):
            opened.state.save_app_chats(looked)
    if not found:
        return ()
    first, told = found[0]
    more = f" (and {len(found) - 1} more)" if found[1:] else ""
    return [KitWarning(KIND, f"{told}{more}", _command(first))]


def list_offers(opened: "OpenKit") -> Sequence[tuple[Path, str]]:
    """Return the newest chats that are not recorded to their end, each with a sentence about it.

    A chat that may be another kit's is left out, and so is a file that holds more than one.
    """
    told = [
        (chat.path, _judge(opened, chat, again=False, alone=True)) for chat in newest_chats()[:MOST_OFFERED]
    ]
    return [(path, words) for path, words in told if words]


def _worth_reading(noted: Mapping[str, tuple[int, int, int, str]], start: float) -> Sequence[Chat]:
    """Return the newest chats that may not be recorded.

    They were written since the start, or since they were looked at, or were not recorded then.
    """

    def is_open(chat: Chat) -> bool:
        known = noted.get(str(chat.path))
        if known is None:
            return chat.written >= start
        return bool(known[3]) or (at := mark(chat.path)) is None or known[:2] != (at.size, at.mtime_ns)

    return [chat for chat in newest_chats() if is_open(chat)][:MOST_READ]


def _command(chat: Chat) -> str:
    """Return the command that records a chat."""
    from reel_cli.core.shell import quote_path

    newest = newest_chats()[0]
    return "reel end" if newest.path == chat.path else f"reel end {quote_path(chat.path)}"


def _judge(opened: "OpenKit", chat: Chat, *, again: bool, alone: bool = False) -> str:
    """Return what is not recorded of a chat; "" if nothing is, or it may not be this kit's.

    `again` says that it was reported before; that a session was started since is no doubt then. With
    `alone` a file that holds more than one chat is passed over.
    """
    from reel_cli.core.tape.continuation import State
    from reel_cli.features.record.ownership import Reason, owner_check
    from reel_cli.features.record.read_chats import gather
    from reel_cli.features.record.record_chats import record_one

    with suppress(ReelError, OSError):
        gathered = gather(opened, [str(chat.path)], "auto")
        try:
            if alone and len(gathered.offered) > 1:
                return ""
            item = max(gathered.offered, key=lambda one: (moment(one.touched or ""), -one.number))
            talk = gathered.conversation(item)
        finally:
            gathered.close()
        doubts = owner_check(opened).doubts(talk)
        if any(not again or doubt.reason is not Reason.OLDER for doubt in doubts):
            return ""
        plan = record_one(opened.context, talk, again=False, dry_run=True)
        called = f"“{item.title}”" if item.title else Path(chat.path).name
        if plan.taken_back:
            return ""
        if plan.state is State.NEW:
            many = f"{item.messages:,} message{'' if item.messages == 1 else 's'}"
            return f"{called} in {chat.app} ({many}) is not recorded yet"
        if plan.state is State.GROWN:
            return f"{called} in {chat.app} went on after it was recorded"
    return ""


def is_reported(opened: "OpenKit", path: Path) -> bool:
    """Return whether a chat was reported as this kit's, and not recorded."""
    known = opened.state.app_chats().get(str(path))
    return known is not None and bool(known[3])


def note_recorded(opened: "OpenKit", path: Path) -> None:
    """Remember that a chat's file is on the tape as it is, so that it need not be read to know that."""
    at = mark(path)
    if at is None:
        return
    with suppress(StateError, OSError):
        opened.state.save_app_chats({**opened.state.app_chats(), str(path): (at.size, at.mtime_ns, 0, "")})
