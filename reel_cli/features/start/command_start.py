"""`reel start`: pack, copy, and say in a line what is in it."""

import re
from collections import Counter
from contextlib import nullcontext
from typing import TYPE_CHECKING

import typer

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import join
from reel_cli.terminal.options import Boot, Cue, For, With

if TYPE_CHECKING:
    from reel_cli.core.values.bundle import Bundle
    from reel_cli.terminal.open_kit import OpenKit


_STORY = "story/history.md"
_WOVEN = re.compile(rb'"on": "(\d{4}-\d\d-\d\d)"')
"""The day on which a chapter was woven, in the comment below its heading."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("start", epilog="Example:  reel start")(start)


def start(
    ctx: typer.Context,
    cue: Cue = "",
    boot: Boot = None,
    rows: With = None,
    place: For = None,
) -> None:
    """Copy the text your next chat begins with, and say what is in it."""
    from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
    from reel_cli.features.start.chat_notices import list_before_chat
    from reel_cli.features.start.command_pack import LIST, list_places, wish_for
    from reel_cli.features.start.noted_days import list_noted, tell_end, tell_noted, tell_today
    from reel_cli.terminal.bundle_view import note_handed_out, note_start
    from reel_cli.terminal.kit_warnings import find_kit_warnings, note_fresh_clone

    opened: OpenKit = ctx.obj.open_kit()
    if place in LIST:
        list_places(opened, as_json=False)
        return
    opened.note_if_without_history()
    note_fresh_clone(opened)
    today = opened.now().date()
    named = list_noted(opened.overview, today)
    noted, end = tell_noted(named, today), tell_end(named, today)
    told_today, chosen = tell_today(opened, noted), tuple(rows or ())
    wish = BundleRequest(cue=cue, boot=boot, rows=chosen, today=told_today, day=today.isoformat())
    if rows:
        from reel_cli.terminal.pointing import pointing
    with opened.console.waiting("Packing"), pointing(opened.console) if rows else nullcontext():
        bundle = pack_kit(opened.root, wish_for(opened, wish, place))
    damage, told = find_kit_warnings(opened, bundle)
    with opened.console.waiting("Looking"):
        lines = list_before_chat(opened, damage, told)
    for line in filter(None, (*lines, *noted, end)):
        opened.console.say(line)
    if boot is None and (way := _tell_story(opened, bundle)):
        opened.console.say(way)
    note_handed_out(opened, bundle)
    note_start(opened)
    if bundle.place is not None:
        _hand_over(opened, bundle)
    else:
        _copy(opened, bundle)
    opened.keep_up()


def _tell_story(opened: "OpenKit", bundle: "Bundle") -> str:
    """Return the way to a bundle with the story, on the first start after it grew; "" at any other."""
    story = opened.overview.read(_STORY) or b""
    days = _WOVEN.findall(story)
    if not days or any(item.ring == "story" for item in bundle.loaded):
        return ""
    fresh = days[-1].decode() >= opened.state.last_start()[:10]
    return "The story is not in it. To begin a chat with the story:  reel start --boot" if fresh else ""


def _hand_over(opened: "OpenKit", bundle: "Bundle") -> None:
    """Copy a bundle into the fields of its place, one after the other; else show them."""
    from reel_cli.features.start.command_pack import copy_for, labelled, tell_place

    opened.console.say(f"Packed: {_contents(opened, bundle)}")
    tell_place(opened, bundle)
    try:
        copy_for(opened, bundle)
    except ReelError as error:
        opened.console.say(f"{error.message} {_where_instead(opened, bundle)}")
        opened.console.result(labelled(bundle), whole=True)
    opened.console.next_step("Talk. Then:  reel end")


def _copy(opened: "OpenKit", bundle: "Bundle") -> None:
    """Copy a bundle, or show it where there is no clipboard; say what is in it."""
    from reel_cli.terminal import clipboard

    how = clipboard.copy(bundle.text)
    console = opened.console
    done = clipboard.copied(how) if how else "Packed"
    console.say(f"{done}: {_contents(opened, bundle)}")
    if how == clipboard.BY_TERMINAL:
        console.say("If pasting brings nothing, this shows the text, to copy by hand:  reel pack")
    if how is None:
        why = clipboard.why_not(bundle.text)
        told = "" if console.sends_results else f"{why[:1].upper()}{why[1:]}. "
        console.say(f"{told}{_where_instead(opened, bundle)}")
        console.show_to_paste(bundle.text)
    opened.console.next_step("Paste it at the start of a new chat, and talk. Then:  reel end")


def _where_instead(opened: "OpenKit", bundle: "Bundle") -> str:
    """Return where the text goes that could not be copied, and how to have it in a file."""
    if opened.console.sends_results:
        return "The text went to the file or program that you named."
    place = ("--for", bundle.place.name) if bundle.place is not None else ()
    return f"To have the text in a file:  {join(('reel', 'start', *place))} > FILE"


def _contents(opened: "OpenKit", bundle: "Bundle") -> str:
    """Return what is in the bundle, in words."""
    from reel_cli.core.pack.exemplars import OUT_OF_USE

    name = opened.overview.settings.name
    described = any((item.ring, item.id) == ("0", "identity") for item in bundle.loaded)
    parts = [*([f"who {name} is"] if described else []), *_warm(bundle)]
    counts = Counter(item.ring for item in bundle.loaded if (item.ring, item.resolution) != ("1", "part"))
    if examples := counts["1"]:
        # all that the kit has, as  reel example list  counts them, without those that were put away
        left = (item for item in bundle.left_out if item.reason != OUT_OF_USE)
        every = len({item.id for part in (bundle.loaded, left) for item in part if item.ring == "1"})
        of = f" of {every:,}" if every > examples else ""
        parts.append(f"{examples:,}{of} example{'' if every == 1 else 's'}")
    if facts := counts["facts"]:
        parts.append(f"{facts:,} fact{'' if facts == 1 else 's'}")
    if counts["2"]:
        parts.append("where things stand")
    if rows := counts["domain"]:
        parts.append(f"{rows:,} row{'' if rows == 1 else 's'} looked up")
    # lore was told and not lived: before the first chat there is no memory
    told = _list_lore(opened) if counts["3"] else frozenset()
    lore = sum(1 for item in bundle.loaded if item.ring == "3" and item.id in told)
    unread = sum(1 for item in bundle.left_out if item.ring == "3" and item.id not in told)
    if memories := counts["3"] - lore:
        of = f" of {memories + unread:,}" if unread else ""
        parts.append(f"{memories:,}{of} memor{'y' if memories + unread == 1 else 'ies'}")
    elif not unread:
        # a line about a memory that is missing is there all the same
        lived = counts["4"] - sum(1 for item in bundle.loaded if item.ring == "4" and item.id in told)
        parts.append("no memory" if lived else "no memory yet")
    if lore:
        parts.append(f"{lore:,} {'entry' if lore == 1 else 'entries'} of lore")
    missing = "" if described else f" Nothing is written yet about who {name} is:  reel edit identity"
    return f"{', '.join(parts)}.{missing}"


def _list_lore(opened: "OpenKit") -> frozenset[str]:
    """Return the memories that are lore."""
    from reel_cli.core.values.memory import LORE

    lines = opened.overview.index.lines.values()
    return frozenset(line.id for line in lines if LORE in line.tags)


def _warm(bundle: "Bundle") -> list[str]:
    """Return the extra parts of a warm start, in words."""
    from reel_cli.terminal.bundle_view import LABELS

    chapters = sum(1 for item in bundle.loaded if item.ring == "story")
    parts = [f"its story ({chapters:,} chapter{'' if chapters == 1 else 's'})"] if chapters else []
    there = {item.ring for item in bundle.loaded}
    return [*parts, *(LABELS[ring] for ring in ("context", "traces") if ring in there)]
