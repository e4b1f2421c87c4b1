"""A character card becomes a kit: its first change, and what is told of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar, set_active, slugify
from reel_cli.core.files.index_file import EMPTY
from reel_cli.core.files.settings_file import parse_settings
from reel_cli.core.git.repository import KIT_ATTRIBUTES, KIT_IGNORE
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, IDENTITY, INDEX, WORKING
from reel_cli.core.pack.exemplars import count_most
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import ActiveSet, Exemplar
from reel_cli.core.values.settings import SMALL_WINDOW, check_name
from reel_cli.features.cards.card_file import CardFile
from reel_cli.features.cards.lore.book import tell_keys
from reel_cli.features.cards.lore.imported_memories import from_lore, write_memories
from reel_cli.features.cards.macros import Names, replace_macros
from reel_cli.features.cards.names import NAMES, render_names
from reel_cli.features.cards.nonsense import beside_the_fields, not_understood, require_character
from reel_cli.features.cards.parts import (
    ASSETS,
    CARD,
    NOTE,
    NOTE_NAME,
    OTHER,
    PICTURE,
    Parts,
    Piece,
    first_working,
    list_lowered,
    take_apart,
    text_of,
    usual_rules,
)
from reel_cli.features.init.plan import Choices, NewKit, count_identity, note_share, settings_text

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.core.values.memory import Memory
    from reel_cli.core.values.settings import Settings

MOST_ACTIVE = 5
"""Maximum number of exemplars in a bundle (REEL §4.2)."""


@dataclass(frozen=True, slots=True)
class CardKit:
    """The parts of a new kit that come from a card: its files and trailers, and where each part went.

    `files` hold what a kit has of the card alone; `kept` are those that keep what a kit has no place for.
    """

    files: dict[str, bytes]
    trailers: tuple[tuple[str, str], ...]
    parts: Parts
    exemplars: tuple[Exemplar, ...]
    memories: tuple["Memory", ...]
    kept: tuple[str, ...]
    notes: tuple[str, ...]


def make_card_kit(
    card: "CardFile", settings: "Settings", *, now: datetime, tokenizer: "Tokenizer"
) -> CardKit:
    """Return a new kit's files from a card; raises ReelError if an entry of its book is far too long."""
    names = Names(settings.name, settings.user)
    parts = take_apart(card.data, names, tokenizer.count, settings.directives_limit)
    exemplars = tuple(_exemplars(parts.pieces, now))
    held = [from_lore(entry) for entry in (parts.book.entries if parts.book else ()) if entry.held]
    once = list({one.entry: one for one in held}.values())
    memories, writes, trailers = write_memories(once, EMPTY, 1, now, tokenizer)
    kept = _kept(card)
    active = _active(exemplars, settings, tokenizer.count)
    files = {
        IDENTITY: parts.identity.encode(),
        DIRECTIVES: _rules(parts, names).encode(),
        WORKING: first_working(names).encode(),
        INDEX: EMPTY.encode(),
        **{exemplar_path(one.slug): render_exemplar(one).encode() for one in exemplars},
        ACTIVE: set_active("", active).encode(),
        **{path: data for path, data in writes.items() if data is not None},
        **kept,
        NAMES: render_names(names, noted=bool(text_of(card.data, NOTE).strip())),
    }
    notes = list(_notes(card, parts))
    if lowered := list_lowered(card.data, names):
        shown = ", ".join(f"“{title}”" for title in lowered)
        notes.insert(
            0, f"A bundle has headings with these names, so the card's are one level lower: {shown}."
        )
    if settings.cap <= SMALL_WINDOW and len(exemplars) > count_most(settings):
        title = next(one.title for one in exemplars if one.slug == active.anchor)
        other = next(one.slug for one in exemplars if one.slug != active.anchor)
        most = f"At {settings.cap >> 10}K a bundle holds {count_most(settings)} short examples at most"
        notes.append(
            f"{most}; “{title}” is always one of them."
            " To have another one always there, run this in the kit's folder:"
            f"  reel example anchor {other}"
        )
    return CardKit(files, trailers, parts, exemplars, memories, tuple(kept), tuple(notes))


def _rules(parts: Parts, names: Names) -> str:
    text = parts.rules or usual_rules(names)
    return ("\n" if text.startswith("---") else "") + text.rstrip("\n") + "\n"


def _kept(card: "CardFile") -> dict[str, bytes]:
    kept = {CARD: card.source}
    if card.other is not None:
        kept[OTHER] = card.other
    if card.picture is not None:
        kept[PICTURE] = card.picture
    return {**kept, **{f"{ASSETS}/{path}": data for path, data in card.assets.items()}}


def _exemplars(pieces: Sequence[Piece], now: datetime) -> list[Exemplar]:
    made: list[Exemplar] = []
    for piece in pieces:
        if not piece.text or any(piece.text == one.text.strip() for one in made):
            continue
        slug = slugify(piece.title, frozenset(one.slug for one in made))
        text = f"{piece.text}\n"
        made.append(Exemplar(slug, piece.title, "general", text, now.date().isoformat(), piece.source))
    return made


def _active(exemplars: Sequence[Exemplar], settings: "Settings", count: Callable[[str], int]) -> ActiveSet:
    """Return the active set: the anchor is the first that its ring has room for, else the shortest."""
    if not exemplars:
        return ActiveSet()
    most = settings.ranges["1"].tokens(settings.cap)[1]
    sizes = {one.slug: count(one.text) for one in exemplars}
    anchor = next((slug for slug, size in sizes.items() if size <= most), min(sizes, key=sizes.__getitem__))
    others = [one.slug for one in exemplars if one.slug != anchor]
    return ActiveSet(anchor, (anchor, *others[: MOST_ACTIVE - 1]))


def _notes(card: "CardFile", parts: Parts) -> Sequence[str]:
    notes = list(card.notes)
    if replace_macros(text_of(card.data, NOTE), Names("", "")).strip():
        notes.append(f"Its {NOTE_NAME} is part of who it is, under a heading of that name.")
    if parts.moved:
        notes.append(
            "Its instructions are too long for the directives, so they are at the end of the identity."
        )
    if parts.book is not None:
        off = sum(not entry.held for entry in parts.book.entries)
        if off:
            entries = "1 entry of its book is" if off == 1 else f"{off:,} entries of its book are"
            notes.append(f"{entries} switched off or empty, and kept in {CARD} alone.")
        notes += tell_keys(parts.book.entries, CARD)
    if parts.macros:
        begun = [name for name in parts.macros if not name.startswith("/")]
        shown = ", ".join(f"{{{{{name}}}}}" for name in begun[:6])
        notes.append(f"Placeholders for other programs stay as they were: {shown}.")
    strange = list(not_understood(card.data))
    if strange:
        notes.append(f"Not understood, and kept in {CARD} alone: {', '.join(strange)}.")
    beside = ", ".join(one_line(key, 30) for key in beside_the_fields(card))
    without = [*parts.without_place, *([f"what stands beside its fields ({beside})"] if beside else ())]
    if without:
        notes.append(f"Kept only in {CARD}, because a kit has no other place for it: {', '.join(without)}.")
    return notes


def plan_card_init(card: CardFile, shown: str, choices: Choices, *, now: datetime) -> tuple[NewKit, CardKit]:
    """Plan the first commit of a kit that begins with a character card, which was called `shown`.

    Returns the kit as planned, and what of the card went where. Raises ReelError as `plan_init` does, and
    where neither the card nor the person says what the character is called.
    """
    require_character(card, shown)
    for name in (choices.name, choices.user):
        if name is not None:
            check_name(name)
    if not choices.name:
        message = f"{shown} does not say what the character is called."
        raise ReelError(message, hint="say it with  --name NAME")
    text = settings_text(choices, choices.name)
    settings = parse_settings(text, fallback_name=choices.name)
    made = make_card_kit(card, settings, now=now, tokenizer=get_tokenizer(settings.tokenizer))
    files = {
        "kit.yaml": text.encode(),
        ".gitignore": KIT_IGNORE,
        ".gitattributes": KIT_ATTRIBUTES,
        **made.files,
    }
    if choices.identity is not None:
        files[IDENTITY] = (choices.identity.rstrip("\n") + "\n").encode()
    change = Change("init", f"{settings.name}, from a character card", files, made.trailers)
    tokens = count_identity(files, settings)
    shares = note_share(settings, tokens)
    return NewKit(change, settings, tokens, (*made.notes, *shares)), made
