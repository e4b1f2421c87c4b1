"""Notices about a dream: a new model, later corrections, the reason for it, the story before it."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import TYPE_CHECKING, Any

from reel_cli.core.values.change import one_line, tell_many
from reel_cli.features.dream.earlier_story import (
    StorySetAside,
    count_past,
    is_unfinished,
    old_story,
    told_past,
)
from reel_cli.features.dream.later_corrections import find_later
from reel_cli.features.dream.story.files import HISTORY
from reel_cli.features.dream.story.source import parse_sourced
from reel_cli.features.dream.waking.tape_models import NewModel, models_seen, new_model

if TYPE_CHECKING:
    from reel_cli.core.kit.glance import Glance
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.dream.dream import Cursor
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit


def say_aside(console: "Console", aside: StorySetAside, cursor: "Cursor", untold: int) -> None:
    """Show what a full relive sets aside, where, what becomes of it, and what the new story leaves out."""
    chapters = f"The story so far ({tell_many(aside.chapters, 'chapter')})" if aside.chapters else ""
    facts = (
        ""
        if not aside.facts
        else "the fact that dreams noted"
        if aside.facts == 1
        else f"the {aside.facts:,} facts that dreams noted"
    )
    if what := " and ".join(filter(None, (chapters, facts))):
        verb = "is" if aside.facts < 2 and not (chapters and facts) else "are"
        console.say(f"{what[0].upper()}{what[1:]} {verb} set aside in {aside.place}/.")
    if aside.facts:
        console.say("Bundles still have those facts until the new story is done.")
    if aside.chapters:
        console.say(
            "Until the new story is done,  reel pack --boot  tells the old one."
            " To have the old one back before that:  reel dream stop --back"
        )
    if untold:
        older = "1 chat is" if untold == 1 else f"{untold:,} chats are"
        console.say(
            f"{older} older than {cursor.since}; {'it is' if untold == 1 else 'they are'} not told again, and"
            " the new story will know nothing of that time."
        )


def say_new_model(console: "Console", found: NewModel) -> None:
    """Show a person that a new model has come."""
    console.say(new_model_line(found))


def new_model_line(found: NewModel) -> str:
    """Return the notice that a new model has come, in words."""
    return (
        f"A new model has spoken since the last dream: {found.model}, from {found.since} on (until then"
        f" {found.before}). What it said can be added to the story, or all of it lived again through it."
    )


def ask_how(opened: "OpenKit", found: NewModel, costs: tuple[str, str]) -> bool:
    """Ask the person whether to live all of it again; no where nobody can be asked.

    `costs` is what either takes, "" where there is nothing to read.
    """
    console = opened.console
    say_new_model(console, found)
    if not console.interactive:
        console.next_step("To write the whole story again:  reel dream start --full")
        return False
    for what, takes in zip(("Only what came since", "All of it again"), costs, strict=True):
        if takes:
            console.say(f"{what}: {takes}.")
    meanings = {"s": "only what came since", "a": "all of it again"}
    return (
        console.choose("Only what came since (s), or all of it again (a)?", ["s", "a"], "s", meanings) == "a"
    )


def news_json(opened: "OpenKit", overview: "Glance", cursor: "Cursor | None") -> Mapping[str, Any]:
    """Return as JSON the new model, the chapters by model, the later corrections, and more."""
    # everything is read anew, including what the new model wrote
    anew = cursor is not None and is_unfinished(cursor)
    found = None if anew else new_model(models_seen(overview), cursor)
    later = find_later(opened.snapshot, cursor)
    return {
        "because": (cursor.because if cursor is not None else "") or None,
        "new_model": found and asdict(found),
        "written_by": dict(_writers(opened.snapshot)),
        "put_right": len(later),
        "past": told_past(opened.snapshot, cursor),
    }


def tell_news(opened: "OpenKit", values: Mapping[str, Any], cursor: "Cursor") -> Sequence[str]:
    """Return the news for a person, to follow the progress of the dream."""
    lines: list[str] = []
    if values["because"]:
        lines.append(f"You began it because: {one_line(values['because'], 3_000)}")
    writers: Sequence[tuple[str, int]] = list(values["written_by"].items())
    if len(writers) > 1:
        told = ", ".join(f"{count:,} by {model or 'nobody knows which'}" for model, count in writers)
        lines.append(f"Chapters, by the model that wrote them: {told}.")
    if values["past"]:
        more = "; others that were laid aside, beside it" if count_past(opened.snapshot) > 1 else ""
        named = cursor.past == values["past"]
        what = "The story from before the full relive" if named else "What was laid aside last"
        lines.append(f"{what} lies in {values['past']}/{more}.")
        if old_story(opened.snapshot) is not None:
            lines.append(
                "Bundles use it until the new one is done. To bring it back:  reel dream stop --back"
            )
    if values["put_right"]:
        few = "One thing was" if values["put_right"] == 1 else f"{values['put_right']:,} things were"
        lines.append(f"{few} corrected or taken back after the story was written; the next prompt says so.")
        lines.append("To correct the story now:  reel dream reground")
    if values["new_model"] and values["state"] != "running":
        lines.append(new_model_line(NewModel(**values["new_model"])))
        lines.append("To add what came since:  reel dream start")
        lines.append("To write the whole story again:  reel dream start --full")
    return lines


def _writers(snapshot: "Snapshot") -> list[tuple[str, int]]:
    """Return the number of chapters by model, in the order in which they began; "" for unknown models."""
    counts: dict[str, int] = {}
    for chapter in parse_sourced(snapshot.text(HISTORY) or ""):
        counts[chapter.model] = counts.get(chapter.model, 0) + 1
    return list(counts.items())
