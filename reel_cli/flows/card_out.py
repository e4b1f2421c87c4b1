"""A kit as a character card: every field as it came, unless the kit says something else by now."""

from collections.abc import Callable, Mapping, Sequence
from copy import deepcopy
from dataclasses import dataclass

from reel_cli.cards.card_file import V1_FIELDS, fields_of, version_of, with_spec
from reel_cli.cards.dialogue import START, from_exchange, from_greeting
from reel_cli.cards.json_text import Json, as_text
from reel_cli.cards.macros import Names
from reel_cli.flows.card_parts import (
    FROM,
    PICTURE,
    RULES,
    Parts,
    Piece,
    persona_of,
    render_identity,
    said_by,
    split_identity,
    take_apart,
    usual_rules,
)
from reel_cli.flows.lore_out import Shelf, Written, card_in, write_book
from reel_cli.kit.snapshot import Snapshot


@dataclass(frozen=True, slots=True)
class CardOut:
    """A card to be written: its JSON, its picture (None: a plain one), and what is worth telling.

    `changed` are the fields that say something else than when they came; `named` are those that the
    person's name stands in.
    """

    card: dict[str, Json]
    picture: bytes | None
    changed: tuple[str, ...]
    named: tuple[str, ...]
    book: Written
    new: bool = False
    """Whether the kit began without a card."""


def make_card(
    snapshot: Snapshot, count: Callable[[str], int], *, identity: str, directives: str, lived: bool = False
) -> CardOut:
    """Make the card of a kit, with the ring 0 that is in force.

    With `lived`, what the persona remembers of its own goes into the card's book as well. Raises ReelError
    where the card that is kept in the kit cannot be read.
    """
    settings = snapshot.settings
    names = Names(settings.name, settings.user)
    card = _kept(snapshot)
    fields = fields_of(card)
    parts = take_apart(fields, names, count, settings.directives_limit)
    new: dict[str, Json] = {}
    if settings.name != persona_of(fields):
        new["nickname" if as_text(fields.get("nickname")).strip() else "name"] = settings.name
    new |= _ring0(fields, parts, names, identity, directives)
    new |= _pool(snapshot, parts.pieces, names)
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
    user = settings.user
    named = [key for key in changed if user != "You" and user in str(new[key])]
    return CardOut(
        made, snapshot.read(PICTURE), tuple(changed), tuple(named), book, new=not card_in(snapshot)
    )


def _kept(snapshot: Snapshot) -> dict[str, Json]:
    """The card that the kit began with; an empty one where it began with none."""
    card = card_in(snapshot)
    if not card:
        return {"spec": "chara_card_v2", "spec_version": "2.0", "data": dict(fields_of(with_spec({}, 2)))}
    return card


def _ring0(
    fields: Mapping[str, Json], parts: Parts, names: Names, identity: str, directives: str
) -> dict[str, Json]:
    """The fields that are not as they came, of those that ring 0 is made of."""
    new: dict[str, Json] = {}
    said = said_by(fields, names)
    moved = parts.moved
    if identity.strip() != parts.identity.strip():
        now = split_identity(identity)
        whole = render_identity({"description": now.first, **now.under}, names)
        if not any(said.values()) and ("system_prompt" in now.under or whole.strip() != identity.strip()):
            # it did not come with a card, and its headings are its own
            new["description"], moved = identity.strip(), ""
        else:
            told = {
                "description": now.first,
                **{key: now.under.get(key, "") for key in ("personality", "scenario")},
            }
            new |= {key: text for key, text in told.items() if text != said[key]}
            moved = now.under.get("system_prompt", "")
    usual = usual_rules(names).strip()
    own = "" if directives.strip() == usual and not parts.rules else directives.strip()
    if (moved, own) != (parts.moved, parts.rules):
        rules = (
            dict(zip(RULES, (moved, own), strict=True)) if moved and own else _split_rules(moved or own, said)
        )
        new |= {key: text for key, text in rules.items() if text != said[key]}
    return new


def _split_rules(whole: str, said: Mapping[str, str]) -> dict[str, str]:
    """Which of the rules stand before a chat and which after it, as far as they are still told apart."""
    before, after = (said[key] for key in RULES)
    if after and whole.endswith(f"\n\n{after}"):
        return {RULES[0]: whole.removesuffix(f"\n\n{after}"), RULES[1]: after}
    if after and whole == after:
        return {RULES[0]: "", RULES[1]: after}
    if before and whole.startswith(f"{before}\n\n") and after:
        return {RULES[0]: before, RULES[1]: whole.removeprefix(f"{before}\n\n")}
    return {RULES[0]: whole, RULES[1]: ""}


def _pool(snapshot: Snapshot, pieces: Sequence[Piece], names: Names) -> dict[str, Json]:
    """The greetings and examples, of those that came as they came, and the pool's others as examples."""
    texts = {exemplar.text.strip() for exemplar in snapshot.exemplars.values()}
    by_source = {
        one.source: one.text.strip() for one in snapshot.exemplars.values() if one.source.startswith(FROM)
    }

    def now(piece: Piece, back: Callable[[str, Names], str]) -> str | None:
        """A piece as it reads now; None where it left the pool."""
        if not piece.text or piece.text in texts:
            return piece.raw
        held = by_source.get(piece.source)
        return back(held, names) if held is not None else None

    new: dict[str, Json] = {}
    kinds: dict[str, list[tuple[Piece, str | None]]] = {
        "mes_example": [],
        "first_mes": [],
        "alternate_greetings": [],
    }
    for piece in pieces:
        kind = piece.source.removeprefix(FROM).split()[0]
        kinds[kind].append((piece, now(piece, from_exchange if kind == "mes_example" else from_greeting)))
    for piece, text in kinds["first_mes"]:
        if text != piece.raw:
            new["first_mes"] = text or ""
    kept = [text for _, text in kinds["alternate_greetings"]]
    if kept != [piece.raw for piece, _ in kinds["alternate_greetings"]]:
        new["alternate_greetings"] = [text for text in kept if text is not None]
    came = {piece.text for piece in pieces}
    sources = {piece.source for piece in pieces}
    more = [
        from_exchange(one.text, names)
        for one in snapshot.exemplars.values()
        if one.text.strip() not in came and one.source not in sources
    ]
    examples = kinds["mes_example"]
    if more or any(text != piece.raw for piece, text in examples):
        blocks = [text for _, text in examples if text is not None] + more
        new["mes_example"] = "\n".join(f"{START}\n{block.strip()}" for block in blocks)
    return new
