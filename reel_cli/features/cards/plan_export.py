"""A kit as a character card: every field as it came, unless the kit says something else by now."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.files.json_text import Json, as_list, as_object, as_text
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.resting_parts import find_resting
from reel_cli.core.stage_chain import lived_exchange
from reel_cli.core.values.memory import Exemplar
from reel_cli.features.cards.card_file import V1_FIELDS, fields_of, version_of, with_second, with_spec
from reel_cli.features.cards.dialogue import join_examples
from reel_cli.features.cards.kept_card import card_in, other_card_in
from reel_cli.features.cards.lore.kept_books import Shelf
from reel_cli.features.cards.lore.plan_export import LorebookPlan, write_book
from reel_cli.features.cards.macro_restore import (
    BOUNDARY,
    CHAR_MACRO,
    Came,
    Kind,
    NamePair,
    restore,
    write_anew,
)
from reel_cli.features.cards.macros import Span, strip_spans
from reel_cli.features.cards.names import is_noted, naming_of
from reel_cli.features.cards.parts import (
    ASSETS,
    FROM,
    NOTE,
    PICTURE,
    RULES,
    Parts,
    Piece,
    came_as,
    is_example,
    persona_of,
    piece_came,
    render_identity,
    said_by,
    split_identity,
    take_apart,
    text_of,
    usual_rules,
    with_note,
)
from reel_cli.features.cards.png import is_png, split_png

NO_NAME = "You"
"""Name of a person who gave none."""


@dataclass(frozen=True, slots=True)
class CardOut:
    """A card to be written: its JSON, its picture (None: a plain one), and what is worth telling.

    `changed` are the fields that say something else than when they came; `named` tells in which of them a
    name of the person stands. Where the persona was renamed since the card came, `old` is what it was
    called, and `still` are the fields in which that name stands, not as a macro.
    """

    card: dict[str, Json]
    picture: bytes | None
    changed: tuple[str, ...]
    named: Mapping[str, Sequence[str]]
    book: LorebookPlan
    new: bool = False
    """True if the kit began without a card."""
    second: dict[str, Json] | None = None
    """Card for programs of version 2, if a second card came in the same picture."""
    old: str = ""
    still: tuple[str, ...] = ()


def make_card(
    snapshot: Snapshot, count: Callable[[str], int], *, identity: str, directives: str, lived: bool = False
) -> CardOut:
    """Make the card of a kit, with the ring 0 that is in force.

    With `lived`, what the persona remembers of its own goes into the card's book as well. Raises ReelError
    where the card that is kept in the kit cannot be read.
    """
    settings = snapshot.settings
    naming = naming_of(snapshot)
    held = card_in(snapshot)
    card = held or {"spec": "chara_card_v2", "spec_version": "2.0", "data": fields_of(with_spec({}, 2))}
    fields = fields_of(card)
    parts = take_apart(fields, naming.came, count, settings.directives_limit)
    new: dict[str, Json] = {}
    if settings.name != persona_of(fields):
        new["nickname" if as_text(fields.get("nickname")).strip() else "name"] = settings.name
    new |= _Ring0(fields, parts, naming, noted=is_noted(snapshot)).changed(identity, directives)
    new |= _Pool(snapshot, fields, parts.pieces, naming).changed()
    book = write_book(Shelf(snapshot, count), lived=lived)
    if book.book is not None:
        new["character_book"] = book.book
    changed = [key for key, value in new.items() if fields.get(key) != value]
    made = deepcopy(with_spec(card, max(2, version_of(card))))
    data = made["data"]
    assert isinstance(data, dict)  # noqa: S101
    for key in changed:
        data[key] = new[key]
        if key in V1_FIELDS and (key in card or version_of(card) == 1):
            made[key] = new[key]
    users = dict.fromkeys((naming.now.user, naming.came.user))
    named = {
        user: [key for key in changed if _stands(user, data[key])]
        for user in users
        if user not in {NO_NAME, ""}
    }
    old = naming.came.char if naming.came.char != naming.now.char else ""
    picture, other = snapshot.read(PICTURE), other_card_in(snapshot)
    return CardOut(
        made,
        picture if picture is not None else _icon(snapshot, fields),
        tuple(changed),
        {user: found for user, found in named.items() if found},
        book,
        new=not held,
        second=with_second(made, other, changed) if other else None,
        old=old,
        still=tuple(key for key in _TEXTS if old and _stands(old, data.get(key))),
    )


def _icon(snapshot: Snapshot, fields: Mapping[str, Json]) -> bytes | None:
    """Return the face that came in a CHARX, if it is a PNG; else None."""
    icons = [as_object(one) for one in as_list(fields.get("assets"))]
    icons = [one for one in icons if one.get("type") == "icon"]
    kept = frozenset(snapshot.list(ASSETS))
    for icon in sorted(icons, key=lambda one: one.get("name") != "main"):
        path = f"{ASSETS}/{_EMBEDDED.sub('', as_text(icon.get('uri')))}"
        data = snapshot.read(path) if path in kept else None
        try:
            if data is not None and is_png(data) and split_png(data, path):
                return data
        except ReelError:
            continue
    return None


_EMBEDDED = re.compile(r"embedd?ed://")
_MARKED = re.compile(r"\*\*[^*\n]+:\*\*")
_TEXTS = (
    *("description", "personality", "scenario", *RULES),
    *("first_mes", "alternate_greetings", "mes_example", "character_book"),
)


def _stands(name: str, value: Json) -> bool:
    """Return whether a name occurs in a value, as a separate word."""
    return any(re.search(rf"(?<!\w){re.escape(name)}(?!\w)", text) for text in _texts(value))


def _texts(value: Json) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    inner = value.values() if isinstance(value, dict) else as_list(value)
    for one in inner:
        yield from _texts(one)


class _Ring0:
    """The fields that ring 0 is made of, as they read now."""

    def __init__(self, fields: Mapping[str, Json], parts: Parts, naming: NamePair, *, noted: bool) -> None:
        self._fields, self._parts, self._naming, self._noted = fields, parts, naming, noted
        self._said = said_by(fields, naming.came)

    def changed(self, identity: str, directives: str) -> dict[str, Json]:
        """Return the fields that differ from their imported form."""
        new: dict[str, str] = {}
        moved = self._parts.moved
        bare = not any(self._said.values())
        if not (self._even(identity, self._parts.identity) if bare else identity == self._parts.identity):
            now = split_identity(identity)
            whole = render_identity({"description": now.first, **now.under}, self._naming.came)
            if bare and ("system_prompt" in now.under or whole.strip() != identity.strip()):
                # it did not come with a card, and its headings are its own
                new["description"], moved = identity.strip(), ""
            else:
                told = {key: now.under.get(key, "") for key in ("personality", "scenario")}
                told["description"] = now.first
                # the identity of a kit made when no note came in has none to lose
                told |= {NOTE: now.under.get(NOTE, "")} if self._noted or NOTE in now.under else {}
                new |= {key: restore(self._came(key), text, self._naming) for key, text in told.items()}
                moved = now.under.get("system_prompt", "")
        usual = usual_rules(self._naming.came)
        own = "" if not self._parts.rules and self._even(directives, usual) else directives.strip()
        if (moved, own) != (self._parts.moved, self._parts.rules):
            new |= self._rules(moved, own)
        changed: dict[str, Json] = {
            key: text for key, text in new.items() if text != text_of(self._fields, key)
        }
        if NOTE in changed:
            changed["extensions"] = with_note(self._fields, as_text(changed.pop(NOTE)))
        return changed

    def _even(self, now: str, came: str) -> bool:
        """Return whether two texts differ at most in the two names."""
        return self._naming.even(now.strip()) == self._naming.even(came.strip())

    def _came(self, key: str) -> Came:
        return came_as(text_of(self._fields, key), self._naming.came)

    def _rules(self, moved: str, own: str) -> dict[str, str]:
        """Return the rules before a chat and those after it, as far as they can be told apart."""
        before, after = map(self._came, RULES)
        if moved and own:
            texts = (restore(came, text, self._naming) for came, text in ((before, moved), (after, own)))
            return dict(zip(RULES, texts, strict=True))
        whole = moved or own
        if not after.shown:
            return {RULES[0]: restore(before, whole, self._naming), RULES[1]: after.raw}
        if not before.shown:
            return {RULES[0]: before.raw, RULES[1]: restore(after, whole, self._naming)}
        apart = (Span(BOUNDARY, "\n"), Span("", "\n"))
        spans = (*_bare(before.spans), *apart, *_bare(after.spans))
        both = Came(f"{before.raw}{BOUNDARY}{after.raw}", spans, self._both)
        first, found, second = restore(both, whole, self._naming).partition(BOUNDARY)
        return dict(zip(RULES, (first, second) if found else (whole, ""), strict=True))

    def _both(self, raw: str) -> str:
        first, found, second = raw.partition(BOUNDARY)
        read = came_as("", self._naming.came).read
        return "\n\n".join(text for text in (read(first), read(second)) if text) if found else read(raw)


def _bare(spans: Sequence[Span]) -> Sequence[Span]:
    """Return the spans of a text, with blank ends hidden."""
    head, inner, tail = strip_spans(spans)
    return [Span(head, ""), *inner, Span(tail, "")]


def shown_examples(snapshot: Snapshot) -> Sequence[Exemplar]:
    """Return the examples that a card has: all but those that rest or lost words in a purge."""
    rests = {*snapshot.active.resting, *find_resting(snapshot).examples}
    return [one for one in snapshot.exemplars.values() if one.slug not in rests and not one.lost_words]


class _Pool:
    """The greetings and examples that came, as they read now, and what else is in the pool as examples.

    What rests was put away by a person, so it is as if it had left the pool.
    """

    def __init__(
        self, snapshot: Snapshot, fields: Mapping[str, Json], pieces: Sequence[Piece], naming: NamePair
    ) -> None:
        self._fields, self._pieces, self._naming = fields, pieces, naming
        self._all = shown_examples(snapshot)
        self._held = {one.source: one.text.strip() for one in self._all if one.source.startswith(FROM)}
        self._texts = {exemplar.text.strip() for exemplar in self._all}
        self._even = {naming.even(text) for text in self._texts}

    def changed(self) -> dict[str, Json]:
        """Return the fields that differ from their imported form."""
        now = {piece.source: self._now(piece) for piece in self._pieces}
        more = self._others()
        new: dict[str, Json] = {}
        for piece in self._pieces:
            if piece.field == "first_mes" and now[piece.source] != piece.raw:
                new["first_mes"] = now[piece.source] or ""
        if more["first_mes"] and not as_text(self._fields.get("first_mes")):
            new["first_mes"] = more["first_mes"].pop(0)
        greetings = as_list(self._fields.get("alternate_greetings"))
        texts = iter([now[piece.source] for piece in self._pieces if piece.field == "alternate_greetings"])
        kept = [next(texts) if isinstance(one, str) else one for one in greetings]
        kept = [one for one, came in zip(kept, greetings, strict=True) if one is not None or came is None]
        kept += [*more["first_mes"], *more["alternate_greetings"]]
        if kept != greetings:
            new["alternate_greetings"] = kept
        whole = as_text(self._fields.get("mes_example"))
        examples = [now[piece.source] for piece in self._pieces if piece.is_example]
        made = join_examples(whole, examples, more["mes_example"])
        return {**new, "mes_example": made} if made != whole else new

    def _only_greets(self, text: str) -> bool:
        """Return whether an exemplar is words of the persona that answer nobody."""
        speakers = {self._naming.speaker(token) for token in self._naming.tokens(text.strip())} - {""}
        return speakers == {CHAR_MACRO} and _MARKED.match(text.strip()) is not None

    def _now(self, piece: Piece) -> str | None:
        """Return a piece as it is written now; None if it left the pool."""
        if not piece.text or piece.text in self._texts:
            return piece.raw
        held = self._held.get(piece.source)
        if held is not None:
            return restore(piece_came(piece, self._naming.came), held, self._naming)
        return piece.raw if self._naming.even(piece.text) in self._even else None

    def _others(self) -> dict[str, list[str]]:
        """Return the pool's examples that are none of the imported pieces, by target field."""
        came = {piece.text for piece in self._pieces}
        sources = {piece.source for piece in self._pieces if piece.text}
        found: dict[str, list[str]] = {"first_mes": [], "alternate_greetings": [], "mes_example": []}
        for one in self._all:
            if one.text.strip() in came or one.source in sources:
                continue
            field = one.source.removeprefix(FROM).partition(" ")[0] if one.source.startswith(FROM) else ""
            greets = field in found and not is_example(one.source)
            if not greets and self._only_greets(one.text):
                # the first becomes the greeting of a card that has none
                field, greets = "first_mes", True
            kind = Kind.GREETING if greets else Kind.EXAMPLE
            found[field if greets else "mes_example"].append(
                write_anew(lived_exchange(one.text), kind, self._naming)
            )
        return found
