"""A bundle at the terminal: what is in it, what is not, and where it goes."""

import os
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.settings import SMALL_WINDOW
from reel_cli.terminal.folding import columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.values.bundle import Bundle, Field, LoadedUnit
    from reel_cli.core.values.place import Place
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

LABELS = {
    "0": "who it is",
    "story": "its story",
    "context": "what is going on",
    "traces": "what was said last",
    "facts": "what it knows by heart",
    "2": "where things stand",
    "1": "how it sounds",
    "4": "what it could recall",
    "3": "what it remembers",
    "buffer": "how it began",
    "scenes": "word for word",
    "shelf": "files on its shelf",
    "domain": "what was looked up",
    "stream": "the conversation so far",
    "apart": "which chat it is for",
    "frame": "headings and frame",
}
"""Names of the parts of a bundle on screen, in the order they are loaded."""
WARM = ("story", "context", "traces")
"""The parts of a warm start."""
COUNTED = {"facts": "fact", "domain": "row", "shelf": "file", "scenes": "talk"}
"""Names of one item of a part that is only counted."""
NAMED = 12
"""Maximum number of left-out items named one by one; more are counted."""


def as_json(bundle: "Bundle") -> dict[str, object]:
    """Return a bundle as JSON values (public contract)."""
    return {
        "text": bundle.text,
        "tokens": bundle.tokens,
        "window": bundle.window,
        "cap": bundle.cap,
        "live": bundle.live,
        "tokenizer": bundle.tokenizer,
        "rings": {
            ring: {
                "tokens": share.tokens,
                "min": share.min,
                "max": share.max,
                **({"beyond": share.beyond} if share.beyond else {}),
            }
            for ring, share in bundle.rings.items()
        },
        "loaded": [
            {
                "ring": item.ring,
                "id": item.id,
                "resolution": item.resolution,
                "tokens": item.tokens,
                **({"source": item.source} if item.source else {}),
            }
            for item in bundle.loaded
        ],
        "left_out": [{"ring": item.ring, "id": item.id, "reason": item.reason} for item in bundle.left_out],
        "warnings": list(bundle.warnings),
        "chosen": list(bundle.chosen),
        "template": bundle.template,
        "characters": bundle.characters,
    }


def explain(opened: "OpenKit", bundle: "Bundle") -> None:
    """Show, on stderr, everything loaded and everything left out, and why."""
    console = opened.console
    rows = []
    for ring, label in LABELS.items():
        if ring != "frame" and ring not in bundle.rings:
            continue
        items = [item for item in bundle.loaded if item.ring == ring]
        tokens = sum(item.tokens for item in items)
        if ring == "frame":
            rows.append((label, f"{tokens:,}", "", ""))
            continue
        share = bundle.rings[ring]
        span = f"{share.min:,}–{share.max:,}" if share.min else f"up to {share.max:,}"
        if ring == "3":
            span = "the rest"
        elif ring == "scenes":
            # no range of the window's, but the room that all else leaves
            span = f"left: {share.max:,}"
        elif ring in WARM and share.max == share.tokens > 0:
            span = "all it needs"
        rows.append((label, f"{tokens:,}", span, _what(ring, items, bundle)))
    room = bundle.cap - bundle.live - bundle.template
    free = bundle.cap - bundle.tokens - bundle.template
    rows.append(("", f"{bundle.tokens:,}", f"of {room:,}", f"{free:,} tokens free for the conversation"))
    if bundle.template:
        rows.append(("around it", f"{bundle.template:,}", "", "what the chat template adds"))
    _say_rows(console, rows)
    if bundle.place is not None:
        console.say(_sizes(bundle, bundle.place))
    for line in bundle.chosen:
        console.say(console.wrap(line, console.err, hang="  "))
    left = _left_out(bundle)
    if left:
        console.say()
        console.say("Left out:")
        for line in left:
            console.say(console.wrap(line, console.err, indent="  ", hang="  "))


def _sizes(bundle: "Bundle", place: "Place") -> str:
    """Return the bundle's length in characters, and each field's if its place has several."""
    told = f"{bundle.characters:,} characters"
    if bundle.like:
        told = f"Packed as for a window of {bundle.like:,} tokens: {told}"
    if len(bundle.fields) < 2:
        return told + (f" of {place.limit:,}" if place.limit is not None else "") + "."
    return f"{told}: " + "; ".join(f"{field.name}, {spell_size(field)}" for field in bundle.fields) + "."


def _say_rows(console: "Console", rows: "Sequence[tuple[str, str, str, str]]") -> None:
    """Show the parts in columns; on a narrow terminal, each one's contents stand below it."""
    header, right = ("", "tokens", "range"), (1,)
    table = console.table((*header, ""), rows, right=right)
    room = columns(console.err) if console.err.isatty() else 0
    if not room or all(len(line) <= room for line in table.splitlines()):
        console.say(table)
        return
    top, *heads = console.table(header, [row[:3] for row in rows], right=right).splitlines()
    console.say(top)
    for head, row in zip(heads, rows, strict=True):
        console.say(head)
        if row[3]:
            console.say(console.wrap(row[3], console.err, indent="    "))


def _what(ring: str, items: "Sequence[LoadedUnit]", bundle: "Bundle") -> str:
    """Return which part of a ring is loaded, in words."""
    if not items:
        return "nothing"
    if ring in ("0", "2"):
        return "whole"
    if ring in ("traces", "stream", "buffer"):
        return " ".join(item.id for item in items)
    if ring == "context":
        gone = sum(1 for item in bundle.left_out if item.ring == ring)
        return f"{len(items)} of {len(items) + gone} parts" if gone else "whole"
    if ring in COUNTED:
        # of one talk there may be several stretches
        short = len({item.id.partition("#")[0] for item in items if item.resolution != "whole"})
        return tell_many(len({item.id.partition("#")[0] for item in items}), COUNTED[ring]) + (
            f", {short:,} in {'part' if ring == 'scenes' else 'short'}" if short else ""
        )
    if ring == "story":
        return _what_of_story(items)
    small = (bundle.like or bundle.cap) <= SMALL_WINDOW
    if ring == "1":
        alone = "with so little room" if bundle.like else f"at {bundle.cap // 1024}K"
        lines = sum(item.resolution == "part" for item in items)
        beside = f", {tell_many(lines, 'line')}" if lines else ""
        told = tell_many(len(items) - lines, "example") + beside
        return f"anchor only {alone}" if small and len(items) == 1 else told
    if ring == "4":
        gone = sum(1 for item in bundle.left_out if item.ring == "4")
        beyond = sum(item.tokens for item in items) - bundle.rings["4"].max
        more = f", {beyond:,} tokens of them in room that was left" if beyond > 0 else ""
        return tell_many(len(items), "line") + more + (f", {gone:,} left out" if gone else "")
    counts = {name: sum(1 for i in items if i.resolution == name) for name in ("whole", "marker", "tag")}
    words = {"whole": "whole", "marker": "marker", "tag": "tag"}
    told = ", ".join(
        f"{number:,} {words[name]}{'' if name == 'whole' or number == 1 else 's'}"
        for name, number in counts.items()
        if number
    )
    earlier = [item.id for item in items if item.source == "history"]
    return told + (f"; {len(earlier):,} in earlier words: {_name_some(earlier)}" if earlier else "")


def _what_of_story(items: "Sequence[LoadedUnit]") -> str:
    """Return the resolutions of the loaded chapters, in words."""
    names = {"whole": "whole", "marker": "in short", "tag": "by title"}
    told = [
        f"{number:,} {words}"
        for name, words in names.items()
        if (number := sum(1 for item in items if item.resolution == name))
    ]
    return f"chapters: {', '.join(told)}"


def _left_out(bundle: "Bundle") -> list[str]:
    """Return the items left out, by part and reason."""
    groups: dict[tuple[str, str], list[str]] = {}
    for item in bundle.left_out:
        groups.setdefault((item.ring, item.reason), []).append(item.id)
    lines = []
    for (ring, reason), ids in groups.items():
        names = _name_some(ids)
        if ring == "story" and len(ids) > 2 and _number(ids[-1]) - _number(ids[0]) == len(ids) - 1:
            names = f"{ids[0]} to {ids[-1]}"
        lines.append(f"{LABELS.get(ring, ring)}: {names} ({reason})")
    return lines


def _name_some(ids: "Sequence[str]") -> str:
    """Return the first IDs, and how many more there are."""
    return " ".join(ids[:NAMED]) + (f" and {len(ids) - NAMED:,} more" if len(ids) > NAMED else "")


def _number(chapter: str) -> int:
    return int(chapter.rpartition("-")[2])


def tell_warnings(opened: "OpenKit", bundle: "Bundle") -> None:
    """Report the warnings of this bundle, one line each."""
    for warning in bundle.warnings:
        opened.console.say(warning)


def is_news(bundle: "Bundle", since: "Mapping[str, str]") -> bool:
    """Return whether a refresh has anything that the bundle before it did not."""
    told = ("3", "4", "story", "context", "facts", "domain", "shelf")
    return any(item.ring in told for item in bundle.loaded) or any(
        since.get(key) != mark for key, mark in bundle.fingerprint.items() if key.startswith("2:")
    )


def note_handed_out(opened: "OpenKit", bundle: "Bundle") -> None:
    """Remember a bundle: to know it again in a chat, to refresh it later, and in the ledger."""
    from reel_cli.core.files.ledger_file import make_entry, render_entry
    from reel_cli.core.moment import stamp

    try:
        for field in bundle.fields if len(bundle.fields) > 1 else ():
            if field.text:
                opened.state.hand_out("field", field.text)
        opened.state.hand_out("bundle", bundle.text)
        opened.state.save_last_pack(bundle.fingerprint)
    except (OSError, StateError):
        # a kit on a read-only disk packs too, but the bundle is not remembered
        return
    ids = " ".join(item.id for item in bundle.loaded if item.ring == "3")
    if ids:
        opened.state.note_line(render_entry(make_entry(stamp(opened.context.now()), "", "pack", ids)))


def note_start(opened: "OpenKit") -> None:
    """Remember when a session was started, and that this kit is used on this machine."""
    from reel_cli.core.kit.known_kits import note_kit
    from reel_cli.core.moment import stamp

    note_kit(opened.root)
    try:
        opened.state.save_last_start(stamp(opened.context.now()))
    except (OSError, StateError):
        return


def write_out(opened: "OpenKit", path: Path, text: str) -> None:
    """Write a bundle to a file that its owner alone can read, and remember it as written from the kit.

    Raises ReelError where that cannot be, or must not.
    """
    from reel_cli.core.kit.output_place import check_output

    check_output(path, "write the bundle somewhere else:  --out bundle.md")
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
        with os.fdopen(descriptor, "w", encoding="utf-8", newline="\n") as file:
            file.write(text)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}."
        raise ReelError(message, hint="name a file in a folder you can write to") from None
    opened.state.note_written(path)


def spell_size(field: "Field") -> str:
    """Return the length of a field's text, in words."""
    of = f" of {field.limit:,}" if field.limit is not None else ""
    return f"{field.characters:,}{of} characters"
