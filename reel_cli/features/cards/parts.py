"""Parts of a character card and their places in a kit, in both directions."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import pairwise

from reel_cli.core.files.json_text import Json, as_list, as_object, as_text
from reel_cli.core.frozen import late
from reel_cli.core.pack.words import OWN_LINES
from reel_cli.core.resources import template_folder
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.memory import CARD_SOURCE
from reel_cli.features.cards.dialogue import (
    split_examples,
    to_exchange,
    to_greeting,
    trace_exchange,
    trace_greeting,
)
from reel_cli.features.cards.lore.book import Lorebook, parse_book
from reel_cli.features.cards.macro_restore import Came, Kind
from reel_cli.features.cards.macros import Names, Span, macros_left, replace_macros, trace_macros

FOLDER = "card"
CARD = f"{FOLDER}/card.json"
OTHER = f"{FOLDER}/chara.json"
PICTURE = f"{FOLDER}/picture.png"
ASSETS = f"{FOLDER}/charx"
NOTE = "depth_prompt"
"""The key under `extensions` of the note that a chat program puts before the last turns, over and over."""
NOTE_NAME = "Character's Note"
"""Its name in SillyTavern."""
HEADINGS = {
    # not last, since what a person adds at the end belongs to no note
    NOTE: NOTE_NAME,
    "personality": "Personality",
    "scenario": "Scenario",
    "system_prompt": "Instructions",
}
"""The parts of an identity that follow the description, each a field of the card, and their headings."""
RULES = ("system_prompt", "post_history_instructions")
"""The fields that become directives, in their order."""
_CLIMB = re.compile(r"(?:^|[/\\])(?:\.{1,2}[/\\])+|^[/\\]+")
_OURS = re.compile(rf"(?m)(?:^|\A\s*)(?P<mark>## )(?=(?:{'|'.join(HEADINGS.values())})[ \t]*$)")
_BUNDLES = late(
    rf"^[ ]{{0,3}}(?P<mark>(?:\#{{1,2}}[ \t]+)?)(?P<title>{'|'.join(sorted(map(re.escape, OWN_LINES)))})"
    r"[ \t]*:?[ \t]*(?:\#+[ \t]*)?$",
    re.IGNORECASE | re.MULTILINE,
)
"""A line that a bundle has for the heading of a section; its plain form has no mark."""
_LOWERED = 3
"""The level of a heading that was lowered: below the sections of a bundle."""
FROM = CARD_SOURCE
NAMELESS = {
    "creator_notes": "its creator's notes",
    "creator_notes_multilingual": "its creator's notes",
    "tags": "its tags",
    "creator": "who made it",
    "character_version": "its version",
    "assets": "its assets",
    "group_only_greetings": "its greetings for groups",
    "source": "where it was published",
    "creation_date": "its dates",
    "modification_date": "its dates",
}
"""Fields that a kit has no place for, each with its name on screen."""
PLACED = frozenset(
    {
        *("name", "nickname", "description", "personality", "scenario", "first_mes", "mes_example"),
        *("system_prompt", "post_history_instructions", "alternate_greetings", "character_book"),
    }
)


@dataclass(frozen=True, slots=True)
class Piece:
    """One exemplar that a card brings: the field it is from, the words as they came, and as held."""

    source: str
    title: str
    raw: str
    text: str

    @property
    def field(self) -> str:
        """Return the field it is from."""
        return self.source.removeprefix(FROM).partition(" ")[0]

    @property
    def is_example(self) -> bool:
        """Return whether it is an example; else it is a greeting."""
        return is_example(self.source)


@dataclass(frozen=True, slots=True)
class Parts:
    """A card as texts of a kit; `rules` is "" where the card had none of its own.

    `moved` are rules that are too long for directives; they stand at the end of the identity.
    """

    identity: str
    rules: str
    moved: str
    pieces: tuple[Piece, ...]
    book: Lorebook | None
    macros: tuple[str, ...] = ()
    without_place: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Sections:
    """An identity taken apart by the headings that a card's has: what stands first, what under each."""

    first: str
    under: Mapping[str, str] = field(default_factory=dict)


def is_example(source: str) -> bool:
    """Return whether an example that came with a card is from its examples, by its source."""
    return source.startswith(f"{FROM}mes_example")


def persona_of(fields: Mapping[str, Json]) -> str:
    """Return the character's name; "" if the card gives none."""
    called = as_text(fields.get("nickname")).strip() or as_text(fields.get("name"))
    # a name like a path would be taken for one wherever it is shown
    return one_line(_CLIMB.sub("", one_line(replace_macros(called, Names("", "")))), 80)


def take_apart(fields: Mapping[str, Json], names: Names, count: Callable[[str], int], limit: int) -> Parts:
    """Return a card's fields as texts of a kit; directives may have up to `limit` tokens."""
    said = said_by(fields, names)
    moved, rules = _place_rules(said, count, limit)
    parts = {**said, "system_prompt": moved}
    pieces = tuple(_pieces(fields, names))
    book = fields.get("character_book")
    lore = parse_book(as_object(book), names) if isinstance(book, dict) else None
    texts = [
        *said.values(),
        *(piece.text for piece in pieces),
        *(e.text for e in (lore.entries if lore else ())),
    ]
    return Parts(
        identity=render_identity(parts, names),
        rules=rules,
        moved=moved,
        pieces=pieces,
        book=lore,
        macros=tuple(dict.fromkeys(name for text in texts for name in macros_left(text))),
        without_place=tuple(dict.fromkeys(_without_place(fields))),
    )


def _place_rules(said: Mapping[str, str], count: Callable[[str], int], limit: int) -> tuple[str, str]:
    """Return the rules that are too long and go to the end of the identity, and those for the directives."""
    before, after = (said[key] for key in RULES)
    both = "\n\n".join(text for text in (before, after) if text)
    if count(both) <= limit:
        return "", both
    if before and after and count(after) <= limit:
        return before, after
    return both, ""


def text_of(fields: Mapping[str, Json], key: str) -> str:
    """Return the text of a field of ring 0, of which the note stands under the extensions."""
    if key == NOTE:
        return as_text(as_object(as_object(fields.get("extensions")).get(NOTE)).get("prompt"))
    return as_text(fields.get(key))


def with_note(fields: Mapping[str, Json], text: str) -> dict[str, Json]:
    """Return a card's extensions with the text as its note."""
    known = as_object(fields.get("extensions"))
    usual: dict[str, Json] = {"depth": 4, "role": "system"}
    return {**known, NOTE: {**usual, **as_object(known.get(NOTE)), "prompt": text}}


def said_by(fields: Mapping[str, Json], names: Names) -> Mapping[str, str]:
    """Return the texts of ring 0 by their fields, as a kit has them.

    Where a text has one of our headings or a bundle's of its own, that stands lower: it is no boundary.
    """
    return {
        key: _said(text_of(fields, key), names)
        for key in ("description", "personality", "scenario", NOTE, *RULES)
    }


def _said(text: str, names: Names) -> str:
    shown = replace_macros(text, names)
    for place, marks in reversed(_to_lower(shown)):
        shown = f"{shown[:place]}{marks}{shown[place:]}"
    return shown.strip()


def _to_lower(text: str) -> Sequence[tuple[int, str]]:
    """Return where a text has one of our headings or a bundle's, each with the marks that lower it."""
    # text before the first word is removed, so a heading after it counts
    ours = [(found.start("mark"), "#") for found in _OURS.finditer(text)]
    for found in _BUNDLES.finditer(text):
        level = found["mark"].count("#")
        ours.append((found.start("mark"), "#" * (_LOWERED - level) + ("" if level else " ")))
    return sorted(ours)


def list_lowered(fields: Mapping[str, Json], names: Names) -> Sequence[str]:
    """Return the titles of a bundle's sections that a card's texts have for headings, each once."""
    texts = (replace_macros(text_of(fields, key), names) for key in (*HEADINGS, "description", *RULES))
    found = (one["title"] for text in texts for one in _BUNDLES.finditer(text))
    return tuple(dict.fromkeys(one_line(title) for title in found))


def came_as(raw: str, names: Names) -> Came:
    """Return a text of ring 0 as its field has it, span by span."""
    return Came(raw, lower_headings(trace_macros(raw, names)), partial(_said, names=names))


def lower_headings(spans: Sequence[Span]) -> list[Span]:
    """Return the spans of a text, with one more `#` on headings that are ours."""
    places = _to_lower("".join(span.shown for span in spans))
    made: list[Span] = []
    at = 0
    for raw, shown in spans:
        here = [(place - at, marks) for place, marks in places if at <= place < at + len(shown)]
        at += len(shown)
        if raw != shown:
            for place, marks in reversed(here):
                shown = f"{shown[:place]}{marks}{shown[place:]}"  # noqa: PLW2901
            made.append(Span(raw, shown))
            continue
        cuts = [(0, ""), *here, (len(raw), "")]
        for (start, marks), (end, _) in pairwise(cuts):
            made += [Span("", marks)] if marks else []
            made += [Span(raw[start:end], raw[start:end])] if end > start else []
    return made


def piece_came(piece: Piece, names: Names) -> Came:
    """Return an example as its field has it, span by span."""
    if piece.is_example:
        spans, read = trace_exchange(piece.raw, names), partial(to_exchange, names=names)
        return Came(piece.raw, spans, read, Kind.EXAMPLE)
    spans, read = trace_greeting(piece.raw, names), partial(to_greeting, names=names)
    return Came(piece.raw, spans, read, Kind.GREETING)


def render_identity(parts: Mapping[str, str], names: Names) -> str:
    """Return the identity that these fields make."""
    told = [parts.get("description", "")]
    told += [f"## {heading}\n\n{parts[key]}" for key, heading in HEADINGS.items() if parts.get(key)]
    text = "\n\n".join(part for part in told if part) or f"You are {names.char}."
    # text that begins like front matter would be read as such
    return ("\n" if text.startswith("---") else "") + text + "\n"


def split_identity(text: str) -> Sections:
    """Split an identity into its sections; of two same headings the last counts."""
    lines = text.strip().splitlines()
    starts: list[tuple[int, str]] = []
    end = len(lines)
    for key, heading in reversed(HEADINGS.items()):
        at = next((n for n in range(end - 1, -1, -1) if lines[n].rstrip() == f"## {heading}"), None)
        if at is not None:
            starts.append((at, key))
            end = at
    starts.reverse()
    under: dict[str, str] = {}
    for place, (at, key) in enumerate(starts):
        stop = starts[place + 1][0] if place + 1 < len(starts) else len(lines)
        under[key] = "\n".join(lines[at + 1 : stop]).strip()
    return Sections("\n".join(lines[:end]).strip(), under)


def _pieces(fields: Mapping[str, Json], names: Names) -> Sequence[Piece]:
    found: list[Piece] = []
    examples = split_examples(as_text(fields.get("mes_example")))
    for number, raw in enumerate(examples, start=1):
        title = "An example" if len(examples) == 1 else f"Example {number}"
        found.append(Piece(f"{FROM}mes_example {number}", title, raw, to_exchange(raw, names)))
    first = as_text(fields.get("first_mes"))
    found.append(Piece(f"{FROM}first_mes", "How it begins", first, to_greeting(first, names)))
    others = [one for one in as_list(fields.get("alternate_greetings")) if isinstance(one, str)]
    for number, raw in enumerate(others, start=1):
        title = f"Another beginning {number}" if len(others) > 1 else "Another beginning"
        found.append(Piece(f"{FROM}alternate_greetings {number}", title, raw, to_greeting(raw, names)))
    return found


def _without_place(fields: Mapping[str, Json]) -> Sequence[str]:
    """Return what a kit has no place for, in words."""
    found = []
    for key, value in fields.items():
        if key in PLACED or not value:
            continue
        if key == "extensions":
            names = [one_line(name, 30) for name in as_object(value) if name != NOTE]
            if names or not isinstance(value, dict):
                found.append(f"settings for other programs ({name_some(names, 4) or 'extensions'})")
        else:
            found.append(NAMELESS.get(key) or f"“{one_line(key, 30)}”")
    return found


def usual_rules(names: Names) -> str:
    """Return the directives of a kit whose card has none of its own."""
    text = (template_folder() / "card" / "ring0" / "directives.md").read_text(encoding="utf-8")
    return fill_names(text, names)


def first_working(names: Names) -> str:
    """Return the working memory of a kit that begins with a card."""
    text = (template_folder() / "card" / "ring2" / "working.md").read_text(encoding="utf-8")
    return fill_names(text, names)


def fill_names(text: str, names: Names) -> str:
    """Return a template's text with both names, each put in once."""
    parts = text.split("{{name}}")
    return names.char.join(part.replace("{{user}}", names.user) for part in parts)
