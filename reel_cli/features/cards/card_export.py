"""A card and a lorebook on their way out: made, written, and told of."""

import re
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.values.change import name_some
from reel_cli.features.cards.parts import ASSETS, CARD, NOTE_NAME
from reel_cli.terminal.export_file import hand_over

if TYPE_CHECKING:
    from collections.abc import Iterator

    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.features.cards.lore.plan_export import LorebookPlan
    from reel_cli.features.cards.plan_export import CardOut
    from reel_cli.terminal.open_kit import OpenKit

_GATED = "are found by query only (experience: gated), and a program loads a book's entries by itself"
"""Why no book of a gated kit has what was lived (Memory Keep §II.2)."""
NAMED = 5
"""Maximum number of titles named one by one."""


def export_card(  # noqa: PLR0913
    opened: "OpenKit", out: Path | None, picture: Path | None, *, lived: bool, force: bool, as_json: bool
) -> None:
    """Write the kit as a card: a PNG or JSON by the file's name, JSON where it is printed."""
    from reel_cli.core.files.json_text import render_json
    from reel_cli.core.kit.approved_rings import read_in_force
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.cards.card_file import render_card_png
    from reel_cli.features.cards.kept_card import check_picture
    from reel_cli.features.cards.plan_export import make_card

    kind = out.suffix.lower() if out is not None else ".json"
    if kind not in (".png", ".json"):
        message = "A card is written as PNG or as JSON."
        raise UsageError(message, hint="end the name in .png or .json")
    if lived and opened.snapshot.settings.gated:
        message = f"The memories of this kit {_GATED}."
        raise ReelError(message, hint="leave out --memories, or first  reel config experience loaded")
    ring0 = read_in_force(opened.snapshot, opened.repository)
    count = get_tokenizer(opened.snapshot.settings.tokenizer).count
    made = make_card(
        opened.snapshot, count, identity=ring0.identity, directives=ring0.directives, lived=lived
    )
    if kind == ".png":
        face = _picture(picture) or (check_picture(made.picture) if made.picture is not None else None)
        data = render_card_png(made.card, face, made.second)
        told = "a card for programs of version 2 and 3"
        if picture is None and made.picture is None:
            told += ", in a plain picture ( --picture  takes another)"
    else:
        data = render_json(made.card, indent=2) + b"\n"
        told = "a card"
    notes = list(_notes(opened, made, ring0))
    more = {**_more(made.book), "changed": list(made.changed), "notes": notes}
    hand_over(opened, data, told, out, force=force, as_json=as_json, more=more)
    if not as_json:
        for line in notes:
            opened.console.say(line)


def _picture(path: Path | None) -> bytes | None:
    if path is None:
        return None
    from reel_cli.features.cards.card_kit import read_bytes
    from reel_cli.features.cards.png import is_png, split_png

    data = read_bytes(path)
    if not is_png(data):
        message = f"{path.name} is not a PNG."
        raise UsageError(message, hint="save the picture as PNG")
    split_png(data, path.name)
    return data


def _notes(opened: "OpenKit", made: "CardOut", ring0: "Ring0") -> "Iterator[str]":
    """Yield what a person should know of a card before giving it away."""
    from reel_cli.core.kit.hand_edits import list_uncommitted
    from reel_cli.core.pack.build_bundle import told_of_drafts
    from reel_cli.core.values.source import parse_source
    from reel_cli.features.cards.kept_card import lost_card
    from reel_cli.features.cards.plan_export import shown_examples

    settings = opened.snapshot.settings
    for path in ring0.waiting:
        yield f"{path} was edited and is not approved yet; the card uses the last approved text."
    repository = opened.repository
    edited = list_uncommitted(repository) if repository is not None and repository.head() else {}
    unseen = [*ring0.drafts, *(path for path in edited if path.startswith(("ring1/", "ring3/")))]
    if unseen:
        yield f"{told_of_drafts(unseen, 'written')}. Look with  reel review"
    if lost_card(opened.snapshot):
        yield f"{CARD} is missing; the card is made without the parts that only it had."
    if made.changed and not made.new:
        changed = (f"its {NOTE_NAME}" if key == "extensions" else key for key in made.changed)
        yield f"Changed since the card was imported: {', '.join(changed)}."
    if made.old:
        told = f"{made.old} is called {settings.name} now, and so is {{{{char}}}} wherever it stands"
        still = f"; “{made.old}” is still in {', '.join(made.still)}" if made.still else ""
        yield f"{told}{still}."
    yield from _gone(made.book)
    assets = len(opened.snapshot.list(ASSETS))
    if assets:
        files = "1 file of its CHARX stays" if assets == 1 else f"{assets:,} files of its CHARX stay"
        yield f"{files} in {ASSETS}/; this card only names them."
    yield from _lived(made.book, "the book")
    lived = [one.slug for one in shown_examples(opened.snapshot) if parse_source(one.source) is not None]
    if lived:
        told = "1 example is" if len(lived) == 1 else f"{len(lived):,} examples are"
        yield f"{told} word for word from your chats. To leave one out:  reel example retire {lived[0]}"
    for user, fields in made.named.items():
        yield f"The name {user} is in it, in {', '.join(fields)}."


def export_lorebook(opened: "OpenKit", out: Path | None, *, lived: bool, force: bool, as_json: bool) -> None:
    """Write the kit's lore, and its memories where wished, as a World Info."""
    from reel_cli.core.files.json_text import render_json
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.cards.lore.kept_books import Shelf
    from reel_cli.features.cards.lore.plan_export import write_world
    from reel_cli.features.cards.plan_export import NO_NAME

    count = get_tokenizer(opened.snapshot.settings.tokenizer).count
    gated = lived and opened.snapshot.settings.gated
    made = write_world(Shelf(opened.snapshot, count), lived=lived and not gated)
    data = render_json(made.book, indent=2) + b"\n"
    told = f"a World Info, {made.lore:,} of lore, {_memories(made.lived)}"
    notes = [*_gone(made), *_lived(made, "it")]
    if gated:
        notes.append(f"The persona's own memories are left out: they {_GATED}.")
    user = opened.snapshot.settings.user
    if user != NO_NAME and re.search(rf"(?i)(?<!\w){re.escape(user)}(?!\w)", data.decode()):
        notes.append(f"The name {user} is in it.")
    more = {**_more(made), "changed": list(made.changed), "notes": notes}
    hand_over(opened, data, told, out, force=force, as_json=as_json, more=more)
    if not as_json:
        for line in notes:
            opened.console.say(line)


def _lived(made: "LorebookPlan", where: str) -> "Iterator[str]":
    if made.lived:
        were = "is" if made.lived == 1 else "are"
        yield f"{_memories(made.lived)} of its own {were} in {where}: be careful whom you give it to."


def _gone(made: "LorebookPlan") -> "Iterator[str]":
    if made.gone:
        named = name_some(made.gone, NAMED)
        yield f"Left out, because the kit let it go: {named}."
    if made.unset:
        which = ", ".join(made.unset[:NAMED])
        yield f"A book has one scan depth and budget for all; those of {which} are not in it."


def _memories(number: int) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'}"


def _more(made: "LorebookPlan") -> dict[str, object]:
    return {"lore": made.lore, "memories": made.lived, "gone": list(made.gone), "unset": list(made.unset)}
