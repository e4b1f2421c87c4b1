"""The life of a kit by months: each chat with its memories, and memories of no chat that is shown."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.moment import day_in_words
from reel_cli.features.view.kit_page import LifeEntry, LifeMonth

if TYPE_CHECKING:
    from reel_cli.features.view.kit_page import ShownChat, ShownMemory


def list_months(chats: "Sequence[ShownChat]", held: "Sequence[ShownMemory]") -> Sequence[LifeMonth]:
    """Return the life by months, newest first; without memories that came from elsewhere."""
    of_chat: dict[str, list[ShownMemory]] = {}
    elsewhere: dict[str, list[ShownMemory]] = {}
    known = {chat.id for chat in chats}
    for shown in held:
        if shown.brought:
            continue
        if shown.session in known:
            of_chat.setdefault(shown.session, []).append(shown)
        else:
            elsewhere.setdefault(shown.order, []).append(shown)
    entries = [(chat.id[:10], LifeEntry(chat.day, chat, of_chat.get(chat.id, ()))) for chat in chats]
    entries += [(day, LifeEntry(memories[0].day, None, memories)) for day, memories in elsewhere.items()]
    months: dict[str, list[LifeEntry]] = {}
    for day, entry in sorted(entries, key=lambda one: one[0], reverse=True):
        months.setdefault(day[:7], []).append(entry)
    return [LifeMonth(f"month-{name}", _tell(name), found) for name, found in months.items()]


def _tell(name: str) -> str:
    """Return `March 2026` for `2026-03`; the name itself where it is no month."""
    try:
        return day_in_words(date.fromisoformat(f"{name}-01")).partition(" ")[2]
    except ValueError:
        return name or "Undated"
