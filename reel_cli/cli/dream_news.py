"""What is to be known around a dream: a new model, what was put right, why it began, the story of before."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reel_cli.flows.dream import newest_past
from reel_cli.flows.dream_later import find_later
from reel_cli.flows.models_seen import NewModel, models_seen, new_model
from reel_cli.kit.story_file import HISTORY
from reel_cli.kit.story_source import parse_sourced
from reel_cli.model.change import one_line

if TYPE_CHECKING:
    from reel_cli.cli.console import Console
    from reel_cli.cli.context import OpenKit
    from reel_cli.kit.glance import Glance
    from reel_cli.kit.snapshot import Snapshot
    from reel_cli.model.dream import Cursor


def say_new_model(console: "Console", found: NewModel) -> None:
    """That a new model has come, in words."""
    console.say(
        f"A new model has spoken since the last dream: {found.model}, from {found.since} on (until then"
        f" {found.before}). What it said can be added to the story, or all of it lived again through it."
    )


def ask_how(opened: "OpenKit", found: NewModel) -> bool:
    """Ask the person whether to live all of it again; no where nobody can be asked."""
    console = opened.console
    say_new_model(console, found)
    if not console.interactive:
        console.next_step("To live all of it again:  reel dream start --full")
        return False
    return console.choose("Only what came since (s), or all of it again (a)?", ["s", "a"], "s") == "a"


def news_json(opened: "OpenKit", overview: "Glance", cursor: "Cursor | None") -> Mapping[str, Any]:
    """For a program: the new model, which wrote how many chapters, what was put right since, and more."""
    found = new_model(models_seen(overview), cursor)
    later = find_later(opened.snapshot, cursor)
    return {
        "because": (cursor.because if cursor is not None else "") or None,
        "new_model": found and asdict(found),
        "written_by": dict(_writers(opened.snapshot)),
        "put_right": len(later),
        "past": newest_past(opened.snapshot),
    }


def say_news(opened: "OpenKit", values: Mapping[str, Any]) -> None:
    """The same for a person, after how far the dream has come."""
    console = opened.console
    if values["because"]:
        console.say(f"You began it because: {one_line(values['because'], 300)}")
    writers: Sequence[tuple[str, int]] = list(values["written_by"].items())
    if len(writers) > 1:
        told = ", ".join(f"{count:,} by {model or 'nobody knows which'}" for model, count in writers)
        console.say(f"Chapters by the model that wrote them: {told}.")
    if values["past"]:
        console.say(f"The story from before the full relive lies in {values['past']}/, to look things up in.")
    if values["put_right"]:
        few = "One thing was" if values["put_right"] == 1 else f"{values['put_right']:,} things were"
        console.say(f"{few} put right or taken back after you dreamt of it; the next prompt tells of that.")
        console.next_step("To hold the story against it now:  reel dream reground")
    if values["new_model"] and values["state"] != "running":
        say_new_model(console, NewModel(**values["new_model"]))
        console.next_step("To add what came since:  reel dream start")
        console.next_step("To live all of it again:  reel dream start --full")


def _writers(snapshot: "Snapshot") -> list[tuple[str, int]]:
    """How many chapters each model wrote, in the order in which they began; "" for those nobody knows of."""
    counts: dict[str, int] = {}
    for chapter in parse_sourced(snapshot.text(HISTORY) or ""):
        counts[chapter.model] = counts.get(chapter.model, 0) + 1
    return list(counts.items())
