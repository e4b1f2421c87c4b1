"""Lines to read before a chat: a few at most, the most important first, each with its command."""

import json
import os
from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.values.due import KitWarning
from reel_cli.core.values.review import tell_waiting

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

MOST = 3
"""Number of things that are said; of more, the rest is counted."""
REST = "reel status"
"""The command that shows all."""
_ORDER = ("gone", "approval", "unrecorded", "page", "flag", "window", "review", "upkeep", "voice", "told")
"""The kinds of what is said, the most important first; what is damaged comes before all of them."""
_BESIDE = (
    *("review", "story", "ring0", "ring1", "ring2", "ring3", "ring4", "shelf", "archive", "kit.yaml"),
    *("facts.yaml", "intake.yaml", "stream.md"),
)
"""Paths beside the kit's past on which it depends what waits and what is due."""
_UPKEEP = {
    "notes": "going through the notes",
    "maintenance": "maintenance",
    "dream": "a dream",
    "shelf": "tidying the shelf",
    "backup": "a backup",
}
"""Upkeep beside pages, as it is called on screen."""


def list_before_chat(opened: "OpenKit", damage: Sequence[KitWarning], told: Sequence[str]) -> Sequence[str]:
    """Return what should be known before a chat, a line each; nothing where all is well.

    `damage` is what is missing or damaged, `told` what packing found, a sentence each.
    """
    from reel_cli.terminal.kit_warnings import in_a_line

    # an edit that packing names itself is not counted as well, where nothing else waits
    named = tell_waiting(sum("reel review" in text for text in told))
    owed = [one for one in _of_kit(opened) if one.kind != "review" or one.text != named]
    found = [(one.kind, in_a_line(one)) for one in (*_unrecorded(opened), *owed)]
    # what waits for an approval comes before what is only told
    found += [("approval" if "  reel " in text else "told", text) for text in told]
    found.sort(key=lambda one: _ORDER.index(one[0]) if one[0] in _ORDER else len(_ORDER))
    lines = [*(in_a_line(one) for one in damage), *(line for _, line in found)]
    if len(lines) > MOST:
        more = len(lines) - MOST + 1
        lines = [*lines[: MOST - 1], f"{more:,} more things to see to:  {REST}"]
    return lines


def _unrecorded(opened: "OpenKit") -> Sequence[KitWarning]:
    from reel_cli.features.record.unrecorded_chats import chats_unrecorded

    return chats_unrecorded(opened)


def _of_kit(opened: "OpenKit") -> Sequence[KitWarning]:
    """Return what is owed, waits or is due; made again only when the kit or the day has changed."""
    from reel_cli.core.kit.kit_note import note_kit

    repo, state = opened.repository, opened.state
    facts = [opened.now().date().isoformat(), (repo.head() or "") if repo is not None else ""]
    facts += [json.dumps(state.exchanges(), sort_keys=True)]
    facts += [str(state.note(name)) for name in ("maintain.json", "backup.json", "models.json")]
    facts += [f"{path} {stamp}" for path in _BESIDE for stamp in _stamps(f"{opened.root}/{path}")]

    def make() -> list[tuple[str, str, str]]:
        return [(one.kind, one.text, one.mend) for one in _list_all(opened)]

    return [KitWarning(*row) for row in note_kit(opened.root, "before a chat", facts, make)]


def _stamps(path: str) -> Iterator[str]:
    """Yield a stamp of a file, or of each file right in a folder; nothing where there is none."""
    with suppress(OSError):
        try:
            with os.scandir(path) as entries:
                for entry in sorted(entries, key=lambda one: one.name):
                    seen = entry.stat(follow_symlinks=False)
                    yield f"{entry.name} {seen.st_size} {seen.st_mtime_ns} {seen.st_ino}"
        except NotADirectoryError:
            seen = os.lstat(path)
            yield f"{seen.st_size} {seen.st_mtime_ns} {seen.st_ino}"


def _list_all(opened: "OpenKit") -> Iterator[KitWarning]:
    from reel_cli.features.page.owed_pages import chats_forgotten
    from reel_cli.terminal.kit_warnings import list_owed

    for find in (_gone, list_owed, chats_forgotten, _waiting, _window, _due, _voice):
        # what cannot be read is said as damage
        with suppress(ReelError):
            yield from find(opened)


def _gone(opened: "OpenKit") -> Sequence[KitWarning]:
    from reel_cli.features.forgetting.hand_removals import find_gone

    return find_gone(opened.overview, opened.repository)


def _waiting(opened: "OpenKit") -> Iterator[KitWarning]:
    """Yield how many things wait for a decision, as `reel status` and `reel review` count them."""
    from reel_cli.features.review.open_decisions import list_waiting

    waiting = list_waiting(opened.overview, opened.repository)
    if waiting:
        first = next((f"; the first is {one.what}" for one in waiting if one.protects), "")
        yield KitWarning("review", f"{tell_waiting(len(waiting))}{first}", "reel review")


def _window(opened: "OpenKit") -> Iterator[KitWarning]:
    """Yield that the model used last is loaded with less than the kit is packed for."""
    settings, models = opened.overview.settings, opened.state.models()
    packed = min(settings.window, settings.cap)
    if models and 0 < (held := list(models.values())[-1][0]) < packed:
        model = list(models)[-1]
        what = f"the model {model} holds {held:,} tokens, and {settings.name} is packed for {packed:,}"
        yield KitWarning("window", what, f"reel model set --window {held}")


def _due(opened: "OpenKit") -> Iterator[KitWarning]:
    """Yield the upkeep that is due, in one line."""
    from reel_cli.features.status.survey import read_due
    from reel_cli.features.status.upkeep import gather_facts
    from reel_cli.features.status.view import COMMANDS

    due = {
        _UPKEEP[one.what]: one.command or COMMANDS.get(one.what, REST)
        for one in read_due(opened.root, gather_facts(opened))
        if one.what in _UPKEEP
    }
    *others, last = due or [""]
    if last:
        told = f"{', '.join(others)} and {last} are due" if others else f"{last} is due"
        commands = set(due.values())
        yield KitWarning("upkeep", told, commands.pop() if len(commands) == 1 else REST)


def _voice(opened: "OpenKit") -> Iterator[KitWarning]:
    """Yield that the examples are a template's, whose persona is another."""
    from reel_cli.features.init.template_voice import MEND, tell_template_voice

    if told := tell_template_voice(opened.overview):
        yield KitWarning("voice", told, MEND)
