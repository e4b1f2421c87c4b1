"""The chat that was last written to, in the apps reel knows."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import moment
from reel_cli.features.record.chat_apps import Chat, in_home, newest_chats, places
from reel_cli.features.record.read_chats import Gathered, gather

if TYPE_CHECKING:
    from reel_cli.features.record.choice import Offered
    from reel_cli.terminal.context import OpenKit

TRIED = 5
"""Number of files tried, newest first, before reel reports that none is a chat."""


@frozen
class Latest:
    """The newest chat: its file, everything in it, and which of that it is."""

    chat: Chat
    gathered: Gathered
    item: "Offered"
    line: str
    """Description of the chat, in a line."""


def gather_latest(opened: "OpenKit", format: str) -> Latest:  # noqa: A002
    """Read the newest chat there is; a newer file in which nothing was said yet is passed over, and told.

    Raises ReelError saying where it looked where there is none, or why the newest cannot be read.
    """
    fault: ReelError | None = None
    for chat in newest_chats()[:TRIED]:
        try:
            gathered = gather(opened, [str(chat.path)], format)
        except ReelError as error:
            fault = fault or error
            opened.console.say(f"{chat.path.name} in {chat.app} is passed over: {error.message}")
            continue
        item = max(gathered.offered, key=lambda one: (moment(one.touched or ""), -one.number))
        what = f'"{item.title}"' if item.title else chat.path.name
        said = f"{item.messages:,} message{'' if item.messages == 1 else 's'}"
        line = f"Newest chat: {what} in {chat.app}, {said}, {chat.ago(opened.now())}."
        return Latest(chat, gathered, item, line)
    if fault is not None:
        raise fault
    there = [place for place in places() if place.folder.is_dir()]
    if there:
        looked = ", ".join(f"{in_home(place.folder)} ({place.app})" for place in there)
        message = f"There is no chat yet in {looked}."
    else:
        apps = " or ".join(dict.fromkeys(place.app for place in places()))
        usual = in_home(places()[0].folder)
        message = f"No folder of {apps} was found here; LM Studio's would be {usual}."
    raise ReelError(message, hint="name the chat's file instead, or paste the chat with  -")
