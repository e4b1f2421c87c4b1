"""Threads on the web page of a kit: the picture, and each by its evenings."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.moment import day_in_words
from reel_cli.core.values.section import KitSection, SectionItem, SectionLine
from reel_cli.core.values.source import SourceRange

if TYPE_CHECKING:
    from reel_cli.features.threads.survey import ThreadSurvey
    from reel_cli.terminal.open_kit import OpenKit


def show_section(opened: "OpenKit") -> Sequence[KitSection]:
    """Return the threads as a picture, and each by its evenings; none where nothing came up three times."""
    from reel_cli.features.threads.noted_pages import read_noted_pages
    from reel_cli.features.threads.picture import draw_threads
    from reel_cli.features.threads.survey import open_lattice, survey_threads, tell_chats

    with (
        opened.console.counting("Reading the recorded chats") as progress,
        open_lattice(opened.root, opened.snapshot, progress) as lattice,
    ):
        found = survey_threads(lattice, opened.snapshot, pages=read_noted_pages(opened.overview))
    if not found:
        return ()
    items = [_item(one, tell_chats(opened.snapshot, one)) for one in found]
    intro = f"What was spoken of again and again: {', '.join(one.thread.name for one in found)}."
    return [KitSection("threads", "Threads", intro, items, draw_threads(opened.snapshot, found))]


def _item(one: "ThreadSurvey", told: Mapping[str, str]) -> SectionItem:
    lines = [
        SectionLine(told[chat], day_in_words(date.fromisoformat(chat[:10])), SourceRange(chat, 1, 0))
        for chat in one.thread.chats
    ]
    return SectionItem(one.thread.name, day=f"{len(one.thread.chats)} chats", lines=lines)
