"""A card and a lorebook on their way out: made, written, and told of."""

from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.cli.exporting import hand_over
from reel_cli.errors import UsageError
from reel_cli.flows.card_parts import ASSETS

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.card_out import CardOut
    from reel_cli.flows.lore_out import Written

NAMED = 5
"""So many titles are named one by one."""


def export_card(  # noqa: PLR0913
    opened: "OpenKit", out: Path | None, picture: Path | None, *, lived: bool, force: bool, as_json: bool
) -> None:
    """Write the kit as a card: a PNG or JSON by the file's name, JSON where it is printed."""
    from reel_cli.cards.card_file import render_card_png  # noqa: PLC0415
    from reel_cli.cards.json_text import render_json  # noqa: PLC0415
    from reel_cli.flows.card_out import make_card  # noqa: PLC0415
    from reel_cli.kit.ring0 import read_in_force  # noqa: PLC0415
    from reel_cli.tokens import get_tokenizer  # noqa: PLC0415

    kind = out.suffix.lower() if out is not None else ".json"
    if kind not in (".png", ".json"):
        message = "A card is written as PNG or as JSON."
        raise UsageError(message, hint="end the name in .png or .json")
    ring0 = read_in_force(opened.snapshot, opened.repository)
    count = get_tokenizer(opened.snapshot.settings.tokenizer).count
    made = make_card(
        opened.snapshot, count, identity=ring0.identity, directives=ring0.directives, lived=lived
    )
    if kind == ".png":
        data = render_card_png(made.card, _picture(picture) or made.picture)
        told = "a card for programs of version 2 and 3"
        if picture is None and made.picture is None:
            told += ", in a plain picture ( --picture  takes another)"
    else:
        data = render_json(made.card, indent=2) + b"\n"
        told = "a card"
    more = {**_more(made.book), "changed": list(made.changed)}
    hand_over(opened, data, told, out, force=force, as_json=as_json, more=more)
    if not as_json:
        _tell_card(opened, made, waiting=ring0.waiting)


def _picture(path: Path | None) -> bytes | None:
    if path is None:
        return None
    from reel_cli.cards.png import is_png, split_png  # noqa: PLC0415
    from reel_cli.cli.beginning_with_card import read_bytes  # noqa: PLC0415

    data = read_bytes(path)
    if not is_png(data):
        message = f"{path.name} is no PNG."
        raise UsageError(message, hint="save the picture as PNG")
    split_png(data, path.name)
    return data


def _tell_card(opened: "OpenKit", made: "CardOut", *, waiting: "Sequence[str]") -> None:
    for path in waiting:
        opened.console.say(f"{path} was edited by hand and is not in force yet; the ratified text was taken.")
    if made.changed and not made.new:
        opened.console.say(f"Not as it came, but as the kit has it now: {', '.join(made.changed)}.")
    _tell_gone(opened, made.book)
    assets = len(opened.snapshot.list(ASSETS))
    if assets:
        files = "1 file of its CHARX stays" if assets == 1 else f"{assets:,} files of its CHARX stay"
        opened.console.say(f"{files} in {ASSETS}/; this card only names them.")
    if made.book.lived:
        opened.console.say(
            f"{_memories(made.book.lived)} of its own went into the book: mind whom you give it to."
        )
    if made.named:
        user = opened.snapshot.settings.user
        opened.console.say(f"The name {user} stands in it, in {', '.join(made.named)}.")


def export_lorebook(opened: "OpenKit", out: Path | None, *, lived: bool, force: bool, as_json: bool) -> None:
    """Write the kit's lore, and its memories where wished, as a World Info."""
    from reel_cli.cards.json_text import render_json  # noqa: PLC0415
    from reel_cli.flows.lore_out import Shelf, write_world  # noqa: PLC0415
    from reel_cli.tokens import get_tokenizer  # noqa: PLC0415

    count = get_tokenizer(opened.snapshot.settings.tokenizer).count
    made = write_world(Shelf(opened.snapshot, count), lived=lived)
    data = render_json(made.book, indent=2) + b"\n"
    told = f"a World Info, {made.lore:,} of lore, {_memories(made.lived)}"
    more = {**_more(made), "changed": list(made.changed)}
    hand_over(opened, data, told, out, force=force, as_json=as_json, more=more)
    if not as_json:
        _tell_gone(opened, made)


def _tell_gone(opened: "OpenKit", made: "Written") -> None:
    if made.gone:
        named = ", ".join(made.gone[:NAMED])
        more = f" and {len(made.gone) - NAMED:,} more" if len(made.gone) > NAMED else ""
        opened.console.say(f"Left out, as the kit let it go: {named}{more}.")
    if made.unset:
        which = ", ".join(made.unset[:NAMED])
        opened.console.say(f"A book has one scan depth and budget for all; those of {which} are not in it.")


def _memories(number: int) -> str:
    return f"{number:,} {'memory' if number == 1 else 'memories'}"


def _more(made: "Written") -> dict[str, object]:
    return {"lore": made.lore, "memories": made.lived, "gone": list(made.gone), "unset": list(made.unset)}
