"""Lorebooks and memories of other programs, into a kit that is there already."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.cards.book import read_lorebook
from reel_cli.cards.macros import Names, replace_names
from reel_cli.cards.note_page import outside_code
from reel_cli.cards.notes import Noted
from reel_cli.flows.brought import Taken, from_lore, from_noted, plan_import
from reel_cli.flows.card_kept import LORE_FOLDER
from reel_cli.flows.card_names import NAMES, render_names
from reel_cli.kit.exemplar_file import slugify
from reel_cli.kit.snapshot import Snapshot
from reel_cli.model.change import one_line

if TYPE_CHECKING:
    from reel_cli.tokens import Tokenizer


@dataclass(frozen=True, slots=True)
class Clock:
    """What an import is planned by: when, by which count, and the first number that is free."""

    now: datetime
    tokenizer: "Tokenizer"
    first_number: int


def plan_lorebook(snapshot: Snapshot, data: bytes, shown: str, by: Clock) -> tuple[Taken, int, str]:
    """Take in a lorebook from a file that is called `shown`.

    Returns what it would do, how many entries are switched off or empty, and the path it is kept at.
    """
    settings = snapshot.settings
    names = Names(settings.name, settings.user)
    found = read_lorebook(data, shown, names)
    path = f"{LORE_FOLDER}/{slugify(shown.rpartition('.')[0] or shown).replace('exemplar', 'lorebook')}.json"
    things = [from_lore(entry) for entry in found.entries if entry.held]
    taken = plan_import(
        snapshot,
        things,
        {path: data, **_names_told(snapshot, path, data, names)},
        f"lore from {one_line(shown, 60)}",
        now=by.now,
        tokenizer=by.tokenizer,
        first_number=by.first_number,
    )
    return taken, sum(not entry.held for entry in found.entries), path


def _names_told(snapshot: Snapshot, path: str, data: bytes, names: Names) -> dict[str, bytes]:
    """What the two are called, where a lorebook speaks of them and nothing tells it yet."""
    speaks = any(tag in data.lower() for tag in (b"{{", b"<user>", b"<char>", b"<bot>"))
    if not speaks or snapshot.read(NAMES) is not None or snapshot.read(path) == data:
        return {}
    return {NAMES: render_names(names)}


def plan_memories(snapshot: Snapshot, found: Iterable[Noted], shown: str, by: Clock) -> Taken:
    """Take in what was remembered elsewhere, from what is called `shown`."""
    names = Names(snapshot.settings.name, snapshot.settings.user)
    return plan_import(
        snapshot,
        [from_noted(_named(noted, names)) for noted in found],
        {},
        f"memories from {one_line(shown, 60)}",
        now=by.now,
        tokenizer=by.tokenizer,
        first_number=by.first_number,
    )


def _named(noted: Noted, names: Names) -> Noted:
    """What was noted, with names where it has their macros."""

    def named(text: str) -> str:
        return replace_names(text, names)

    text = outside_code(noted.text, named)
    return replace(noted, title=named(noted.title), text=text, phrases=tuple(map(named, noted.phrases)))
