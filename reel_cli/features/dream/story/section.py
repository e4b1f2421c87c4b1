"""The story of a kit on its web page, chapter by chapter (Dream Weaver §4)."""

from collections.abc import Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.moment import day_in_words
from reel_cli.core.values.section import KitSection, SectionItem

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


def show_story(opened: "OpenKit") -> Sequence[KitSection]:
    """Return the chapters of the story, from its beginning; none where nothing was dreamt."""
    from reel_cli.features.dream.story.files import HISTORY
    from reel_cli.features.dream.story.source import parse_sourced

    chapters = parse_sourced(opened.snapshot.text(HISTORY) or "")
    items = [SectionItem(one.title, one.text, _day(one.day)) for one in chapters]
    return [KitSection("story", "Its story", items=items)]


def list_days(opened: "OpenKit") -> Mapping[str, Sequence[str]]:
    """Return the days on which a chapter was dreamt."""
    from reel_cli.features.dream.story.files import HISTORY
    from reel_cli.features.dream.story.source import parse_sourced

    return {"Dreams": [one.day for one in parse_sourced(opened.snapshot.text(HISTORY) or "")]}


def _day(day: str) -> str:
    try:
        return f"dreamt on {day_in_words(date.fromisoformat(day))}"
    except ValueError:
        return ""
