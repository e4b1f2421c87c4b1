"""Check of `threads.yaml`: entries that cannot be read or lead nowhere, and keys that nothing reads."""

from collections.abc import Iterator
from contextlib import suppress

from reel_cli.core.errors import ReelError
from reel_cli.core.files.unread_fields import find_line
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import MEMORIES, Check, CheckScope, EntryFile, check_entries, unread_key
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.talk import PURGED
from reel_cli.features.threads.naming.files import (
    KEYS,
    LONGEST,
    MEMBERS,
    NAMES,
    NOT,
    parse_named,
    read_named,
)

_SHOWN = 3
_MEND = "reel edit threads"


def _find_odd(snapshot: Snapshot) -> Iterator[str]:
    text = snapshot.text(NAMES) or ""
    parse_named(text)
    for key, told in parse_mapping(text, NAMES).items():
        if why := unread_key(told, KEYS):
            yield f"{NAMES}, line {find_line(text, NAMES, key)}: {one_line(key, LONGEST)}: {why}"


def _find_nowhere(scope: CheckScope) -> Iterator[Finding]:
    """Yield the memories and chats under a thread that the kit never had; one let go may come back."""
    snapshot = scope.snapshot
    there = frozenset((*snapshot.memories, *snapshot.index.lines, *snapshot.sessions, PURGED))
    missing = [
        (one.key, place, item)
        for one in read_named(snapshot)
        for place, items in ((MEMBERS, one.members), (NOT, one.others))
        for item in items
        if item not in there
    ]
    if not missing:
        return
    # other checks report unreadable history
    with suppress(ReelError):
        gone = {path.removeprefix(MEMORIES).removesuffix(".md") for path in scope.memory_steps()}
        text = snapshot.text(NAMES) or ""
        told = [
            f"{NAMES}, line {find_line(text, NAMES, key, place)}: {one_line(key, LONGEST)}: there is no "
            f"{'memory' if MEMORY_ID.fullmatch(item) else 'chat'} {item} ({place})"
            for key, place, item in missing
            if item not in gone
        ]
        for what in told[:_SHOWN]:
            yield Finding("threads", what, _MEND, hint_only=True, at=NAMES)
        if len(told) > _SHOWN:
            more = f"{len(told) - _SHOWN:,} more like that in {NAMES}"
            yield Finding("threads", more, _MEND, hint_only=True, at=NAMES)


_FILE = EntryFile("threads", NAMES, _find_odd, _MEND, _MEND, shown=_SHOWN, needed=False)
CHECKS = (Check(lambda scope: check_entries(scope.snapshot, _FILE), 101), Check(_find_nowhere, 102))
