"""Check of `threads.yaml`: entries that cannot be read, and keys that nothing reads."""

from collections.abc import Iterator

from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.kit.checkup import Check, EntryFile, check_entries, unread_key
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.features.threads.naming.files import KEYS, LONGEST, NAMES, find_line, parse_named


def _find_odd(snapshot: Snapshot) -> Iterator[str]:
    text = snapshot.text(NAMES) or ""
    parse_named(text)
    for key, told in parse_mapping(text, NAMES).items():
        if why := unread_key(told, KEYS):
            yield f"{NAMES}, line {find_line(text, key)}: {one_line(key, LONGEST)}: {why}"


_MEND = "reel edit threads"
_FILE = EntryFile("threads", NAMES, _find_odd, _MEND, _MEND, shown=3, needed=False)
CHECKS = (Check(lambda scope: check_entries(scope.snapshot, _FILE), 101),)
