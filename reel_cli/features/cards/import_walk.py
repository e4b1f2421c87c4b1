"""Lore and memories on their way in: read, shown, asked about, kept as one change."""

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import is_kit_file
from reel_cli.core.values.change import capital, one_line
from reel_cli.features.cards.card_kit import read_bytes

if TYPE_CHECKING:
    from reel_cli.features.cards.lore.imported_memories import MemoryImport
    from reel_cli.features.cards.lore.plan import Clock
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

SHOWN = 12
"""Maximum number shown before a person is asked; the others are counted."""


@dataclass(frozen=True, slots=True)
class ImportOptions:
    """The options of an import."""

    yes: bool
    dry_run: bool
    as_json: bool


def import_lorebook(opened: "OpenKit", file: Path, wished: ImportOptions) -> None:
    """Import a lorebook."""
    from reel_cli.features.cards.lore.plan import plan_lorebook

    opened.require_repository()
    shown = one_line(file.name, 80)
    data = _inside(file, shown)
    taken, notes, path = plan_lorebook(opened.snapshot, data, shown, _clock(opened))
    _keep(opened, taken, wished, ("entry", "entries"), notes, path)


def _inside(file: Path, shown: str) -> bytes:
    """Return the lorebook's bytes; for a card in a picture or an archive, the card's."""
    data = read_bytes(file)
    if data[:1] in {b"\x89", b"P"}:
        from reel_cli.features.cards.card_file import read_card

        return read_card(data, shown).source
    return data


def import_memories(opened: "OpenKit", source: Path, wished: ImportOptions) -> None:
    """Import memories from a file, or notes from a folder."""
    from reel_cli.features.cards.lore.note_files import read_notes
    from reel_cli.features.cards.lore.notes import read_memories
    from reel_cli.features.cards.lore.plan import plan_memories
    from reel_cli.features.cards.lore.vault import read_vault

    opened.require_repository()
    shown = one_line(source.name or source.resolve().name, 80)
    if source.is_dir():
        top, place = opened.root.resolve(), source.resolve()
        own = place.is_relative_to(top) and is_kit_file(place.relative_to(top).as_posix())
        if own or (source / "kit.yaml").exists():
            message = f"{shown} is part of a kit, not a folder of notes."
            raise ReelError(message, hint="name the folder that your notes are in")
        vault = read_vault(read_notes(source), shown)
        found, left_out = vault.notes, vault.told()
    else:
        read = read_memories(read_bytes(source), shown)
        found, left_out = read.noted, read.told()
    taken = plan_memories(opened.snapshot, found, shown, _clock(opened))
    _keep(opened, taken, wished, ("memory", "memories"), left_out, None)


def _clock(opened: "OpenKit") -> "Clock":
    from reel_cli.core.kit.memory_numbers import used_memory_numbers
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.core.values.memory import memory_number
    from reel_cli.features.cards.lore.plan import Clock

    snapshot = opened.snapshot
    known = [memory_number(name) for name in (*snapshot.memories, *snapshot.index.lines)]
    used = used_memory_numbers(opened.require_repository())
    first = max([used, *known], default=0) + 1
    return Clock(opened.now(), get_tokenizer(snapshot.settings.tokenizer), first)


def _keep(  # noqa: PLR0913
    opened: "OpenKit",
    taken: "MemoryImport",
    wished: ImportOptions,
    words: tuple[str, str],
    notes: list[str],
    kept: str | None,
) -> None:
    """Show what would come in, ask, and keep it as one commit."""
    console = opened.console
    if taken.known:
        notes.insert(0, f"{taken.known:,} {words[0] if taken.known == 1 else words[1]} known already.")
    notes += [
        f"There is another memory called “{title}” already; both are kept." for title in taken.beside[:SHOWN]
    ]
    if not wished.as_json:
        _show(console, taken, notes)
    commit = None
    if taken.change is not None and not wished.dry_run and _wanted(opened, taken, wished, words):
        commit = opened.commit(taken.change).commit
    if wished.as_json:
        console.result_json(_as_json(taken, commit, notes, kept))
    elif taken.change is None:
        console.say("There is nothing new to import.")
    elif commit is None:
        console.say("Nothing was changed (--dry-run)." if wished.dry_run else "Nothing was changed.")
    else:
        summary = taken.change.told
        console.say(f"{capital(summary)}.")
        console.next_step("Next:  reel pack --explain")


def _show(console: "Console", taken: "MemoryImport", notes: list[str]) -> None:
    for memory in taken.memories[:SHOWN]:
        found_by = f'  "{memory.anchor}"' if memory.anchor != memory.title else ""
        console.result(console.wrap(f"  + {memory.title}{found_by}", console.out, hang="    "))
    if len(taken.memories) > SHOWN:
        console.result(f"  and {len(taken.memories) - SHOWN:,} more")
    for memory in taken.renewed[:SHOWN]:
        console.result(console.wrap(f"  ~ {memory.title}: has new words", console.out, hang="    "))
    if len(taken.renewed) > SHOWN:
        console.result(f"  and {len(taken.renewed) - SHOWN:,} more with new words")
    for note in notes:
        console.say(note)


def _wanted(opened: "OpenKit", taken: "MemoryImport", wished: ImportOptions, words: tuple[str, str]) -> bool:
    if wished.yes:
        return True
    if not opened.console.interactive:
        message = "Nothing was imported: without a terminal, reel cannot ask you."
        raise ReelError(message, hint="add --yes to import it without a question, or --dry-run to only look")
    many = len(taken.memories) + len(taken.renewed)
    what = f"{many:,} {words[0] if many == 1 else words[1]}" if many else "the file"
    return opened.console.confirm(f"Import {what}?")


def _as_json(
    taken: "MemoryImport", commit: str | None, notes: list[str], kept: str | None
) -> dict[str, object]:
    return {
        "commit": commit,
        "memories": [
            {"id": memory.id, "title": memory.title, "anchor": memory.anchor, "tags": list(memory.tags)}
            for memory in taken.memories
        ],
        "renewed": [memory.id for memory in taken.renewed],
        "known": taken.known,
        "kept": kept,
        "notes": notes,
    }
