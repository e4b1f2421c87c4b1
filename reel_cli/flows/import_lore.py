"""Lorebooks and memories of other programs, into a kit that is there already."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.cards.book import read_lorebook
from reel_cli.cards.macros import Names
from reel_cli.cards.notes import Noted, note_from
from reel_cli.errors import ReelError
from reel_cli.flows.brought import Taken, from_lore, from_noted, plan_import
from reel_cli.flows.lore_out import LORE_FOLDER
from reel_cli.kit import front_matter
from reel_cli.kit.exemplar_file import slugify
from reel_cli.kit.snapshot import Snapshot
from reel_cli.kit.yaml_text import Plain
from reel_cli.model.change import one_line

if TYPE_CHECKING:
    from reel_cli.tokens import Tokenizer

_OTHER_NAMES = ("aliases", "alias")
_TAGS = ("tags", "tag")


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
    found = read_lorebook(data, shown, Names(settings.name, settings.user))
    path = f"{LORE_FOLDER}/{slugify(shown.rpartition('.')[0] or shown).replace('exemplar', 'lorebook')}.json"
    things = [from_lore(entry) for entry in found.entries if entry.held]
    taken = plan_import(
        snapshot,
        things,
        {path: data},
        f"lore from {one_line(shown, 60)}",
        now=by.now,
        tokenizer=by.tokenizer,
        first_number=by.first_number,
    )
    return taken, sum(not entry.held for entry in found.entries), path


def plan_memories(snapshot: Snapshot, found: Iterable[Noted], shown: str, by: Clock) -> Taken:
    """Take in what was remembered elsewhere, from what is called `shown`."""
    return plan_import(
        snapshot,
        [from_noted(noted) for noted in found],
        {},
        f"memories from {one_line(shown, 60)}",
        now=by.now,
        tokenizer=by.tokenizer,
        first_number=by.first_number,
    )


def read_vault(notes: Iterable[tuple[str, bytes]], shown: str) -> Sequence[Noted]:
    """The notes of a folder; ReelError where there is none in it, or one is no text."""
    found = []
    for path, data in notes:
        try:
            text = data.decode("utf-8-sig")
        except UnicodeDecodeError:
            message = f"{one_line(path, 200)} is not a text in UTF-8."
            raise ReelError(message, hint="save it as UTF-8, or take it out of the folder") from None
        noted = _note(path, text.replace("\r\n", "\n"))
        if noted is not None:
            found.append(noted)
    if not found:
        message = f"No notes were found in {shown}."
        raise ReelError(message, hint="a note is a Markdown file with something in it")
    return found


def _note(path: str, text: str) -> Noted | None:
    try:
        document = front_matter.split(text, path)
        fields, body = document.fields, document.body
    except ReelError:
        # what is no front matter is a part of the note
        fields, body = {}, text
    tags = [tag.lstrip("#").lower() for key in _TAGS for tag in _texts(fields.get(key, ""))]
    also = [name for key in _OTHER_NAMES for name in _texts(fields.get(key, ""))]
    plain = {key: ", ".join(_texts(value, cut=False)) for key, value in fields.items()}
    return note_from(path, body, plain, tuple(tags), tuple(also))


def _texts(value: Plain, *, cut: bool = True) -> list[str]:
    if isinstance(value, str):
        return [part.strip() for part in value.split(",") if part.strip()] if cut else [value]
    if isinstance(value, list):
        return [one for one in value if isinstance(one, str)]
    return [f"{key}: {', '.join(_texts(inner, cut=False))}" for key, inner in value.items()]
