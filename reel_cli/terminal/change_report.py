"""Last words of a command that changes the kit: what it did, or with --dry-run what it would."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reel_cli.core.values.change import capital

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console

NOT_CHANGED = "Nothing was changed (--dry-run)."


def end_sentence(clause: str) -> str:
    """Return the clause with a full stop; as it is where it ends already, or was cut off."""
    return clause if clause.endswith((".", "…", "!", "?")) else f"{clause}."


def as_sentence(clause: str) -> str:
    """Return the clause with a capital and a full stop."""
    return end_sentence(capital(clause))


def preview_change(console: "Console", planned: str, data: Mapping[str, Any] | None = None) -> None:
    """Show what a change would be; `data` instead, where a program asks."""
    if data is not None:
        console.result_json(data)
        return
    console.result(planned)
    console.say(NOT_CHANGED)


def report_commit(console: "Console", commit: str | None, told: str, planned: str = "") -> None:
    """Say what was done, as a clause; where nothing was (--dry-run), what would be, as a sentence."""
    if commit is None:
        preview_change(console, planned)
    else:
        console.result(console.wrap(end_sentence(told), console.out))
