"""A kit that begins with a character card: read, asked about, made, and told of part by part."""

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import name_some, one_line, tell_many
from reel_cli.features.cards.parts import ASSETS
from reel_cli.features.init.questions import ask_name, ask_window, find_author, next_step, settle_user

if TYPE_CHECKING:
    from reel_cli.features.cards.card_file import CardFile
    from reel_cli.features.cards.plan_import import CardKit
    from reel_cli.features.init.plan import Choices, NewKit
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context

NAMED = 5
"""Maximum number of a book's entries named one by one."""


def begin_with_card(  # noqa: PLR0913 (as it was typed)
    context: "Context",
    path: Path | None,
    file: Path,
    choices: "Choices",
    *,
    dry_run: bool,
    as_json: bool,
    typed: str,
) -> None:
    """Make a kit from a card, or show what it would be; with no `path`, in a folder called after the card.

    `typed` are the options, for a hint.
    """
    from reel_cli.core.kit.creation import create_kit, find_place, finish_stopped, unguarded, warnings
    from reel_cli.features.cards.card_file import read_card
    from reel_cli.features.cards.nonsense import require_character
    from reel_cli.features.cards.plan_import import plan_card_init

    console = context.console
    shown = one_line(file.name, 80)
    card = read_card(read_bytes(file), shown)
    require_character(card, shown)
    choices = _with_name(console, card, choices, path)
    folder = path or _folder_for(choices.name or "")
    if not dry_run and finish_stopped(folder):
        console.result(f"A command that was stopped had left {folder} unfinished. It is complete now.")
        console.next_step(next_step(folder))
        return
    place = find_place(folder, typed)
    author, asked = find_author(console, place, None)
    if asked:
        choices = replace(choices, author=f"{author[0]} <{author[1]}>")
    choices, called = settle_user(console, choices, author, None if dry_run else folder)
    if choices.window is None and console.interactive:
        choices = replace(choices, window=ask_window(console))
    new, made = plan_card_init(card, shown, choices, now=context.now())
    new = replace(new, notes=(*new.notes, *called))
    applied = None
    if not dry_run:
        applied = create_kit(place, new.change, when=context.now(), identity=author)
    if as_json:
        console.result_json(_as_json(folder, new, made, applied.commit if applied else None))
        return
    _show(console, folder, new, made, dry_run=dry_run)
    for line in (*new.notes, *warnings(place, str(folder)), *(unguarded(place.folder) if applied else ())):
        console.say(line)
    if dry_run:
        console.say("Nothing was made (--dry-run).")
    else:
        console.next_step(next_step(folder))


def read_bytes(file: Path, most: int = 64 * 1024 * 1024) -> bytes:
    """Return a file's bytes, or so many that a reader sees it is too large; ReelError where there is none."""
    shown = one_line(str(file), 200)
    try:
        if file.exists() and not file.is_file():
            message = f"{shown} is not a file."
            raise ReelError(message)
        with file.open("rb") as opened:
            data = opened.read(most + 1)
    except FileNotFoundError:
        message = f"There is no file {shown}."
        raise ReelError(message) from None
    except (OSError, ValueError) as error:
        message = f"{shown} cannot be read: {getattr(error, 'strerror', None) or 'it cannot be opened'}."
        raise ReelError(message) from None
    if not data:
        message = f"{shown} is empty."
        raise ReelError(message)
    return data


def _with_name(console: "Console", card: "CardFile", choices: "Choices", path: Path | None) -> "Choices":
    """Return the choices with the character's name: as typed, else as on the card, else after the folder."""
    from reel_cli.features.cards.parts import persona_of
    from reel_cli.features.init.plan import name_from

    if choices.name is not None:
        return choices
    name = persona_of(card.data)
    if not name and path is not None:
        name = name_from(path, "")
        if name:
            console.say(f"The card has no name for the character; the folder's name is used: {name}.")
    if console.interactive:
        name = ask_name(console, "What is the character called?", name)
    return replace(choices, name=name or None)


def _folder_for(name: str) -> Path:
    from reel_cli.core.files.exemplar_file import slugify

    return Path(slugify(name))


def _show(console: "Console", path: Path, new: "NewKit", made: "CardKit", *, dry_run: bool) -> None:
    verb = "This would make" if dry_run else "Made"
    told = f"{verb} {path}, {new.settings.name} from a character card."
    console.result(console.wrap(told, console.out))
    for name, what in _what_went_where(made):
        console.say(f"  {name:<15}{what}")


def _what_went_where(made: "CardKit") -> list[tuple[str, str]]:
    rules = "as the card has them" if made.parts.rules else "reel's own; the card has none"
    rules = "at the end of the identity" if made.parts.moved else rules
    greetings = sum("mes_example" not in one.source for one in made.exemplars)
    examples = tell_many(len(made.exemplars) - greetings, "example")
    rows = [
        ("how to behave", rules),
        ("how it sounds", f"{examples}, {tell_many(greetings, 'greeting')}"),
    ]
    if made.memories:
        titles = name_some([memory.title for memory in made.memories], NAMED)
        rows.append(("lore", f"{tell_many(len(made.memories), 'entry')}: {titles}"))
    assets = sum(path.startswith(f"{ASSETS}/") for path in made.kept)
    kept = [path for path in made.kept if not path.startswith(f"{ASSETS}/")]
    if assets:
        kept.append(f"{tell_many(assets, 'file')} in {ASSETS}/")
    return [*rows, ("as it came", ", ".join(kept))]


def _as_json(path: Path, new: "NewKit", made: "CardKit", commit: str | None) -> dict[str, object]:
    return {
        "commit": commit,
        "kit": str(path),
        "name": new.settings.name,
        "user": new.settings.user,
        "identity_tokens": new.identity_tokens,
        "exemplars": [one.slug for one in made.exemplars],
        "memories": [memory.id for memory in made.memories],
        "kept": list(made.kept),
        "notes": list(new.notes),
    }
