"""Checks of `intake.yaml`: entries that are unreadable or lead nowhere."""

from collections.abc import Iterator

from reel_cli.core.files.yaml_text import parse_yaml
from reel_cli.core.kit.checkup import Check, EntryFile, check_entries, unread_key
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.intake.files import ENTRY_KEYS, FILE_KEYS, INTAKE, LISTS, entry_lines
from reel_cli.features.intake.queue import read_queue


def _odd_intake(snapshot: Snapshot) -> Iterator[str]:
    there = frozenset(snapshot.sessions)
    for one in read_queue(snapshot).waiting:
        if one.place and one.place.session not in there:
            yield f"{INTAKE}: {one.source} is not on the tape"
    text = snapshot.text(INTAKE) or ""
    value = parse_yaml(text, INTAKE)
    fields = value if isinstance(value, dict) else {}
    if why := unread_key(fields, FILE_KEYS):
        yield f"{INTAKE}: {why}"
    for name in LISTS:
        entries = fields.get(name, ())
        odd = {
            at: why
            for at, told in enumerate(entries if isinstance(entries, list) else ())
            if (why := unread_key(told, ENTRY_KEYS))
        }
        lines = entry_lines(text, name) if odd else ()
        for at, why in odd.items():
            yield f"{INTAKE}, line {lines[at] if at < len(lines) else 1}: {why}"


_MEND = f"open {INTAKE}, and correct or delete the entry"
_FILE = EntryFile("intake", INTAKE, _odd_intake, _MEND, _MEND, shown=3, needed=False)
CHECKS = (Check(lambda scope: check_entries(scope.snapshot, _FILE), 100),)
