"""Attention to each memory according to the ledger: its uses, and whether it is pinned (REEL §4.4)."""

from collections.abc import Iterable, Mapping, Sequence

from reel_cli.core.files.ledger_file import USES, Entry, parse_entry
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.pins import find_pinned

Kept = Sequence[str]
"""A ledger entry as it is kept between two runs: when, in which session, what was done, on what."""
_COUNTED = USES | {"pin", "unpin"}


@frozen
class Attention:
    """The uses of each name, in file order, and the names that are pinned."""

    uses: Mapping[str, Sequence[Entry]]
    pinned: frozenset[str]


def read_attention(snapshot: Snapshot, touches: Iterable[str] = ()) -> Attention:
    """Return the ledger as fading needs it; `touches` are journal lines that no commit holds yet.

    Of each journal file an overview keeps what it says from one time to the next.
    """

    def note(path: str) -> list[Kept]:
        return _counted((snapshot.text(path) or "").splitlines())

    journal = [path for path in snapshot.list("journal") if path.endswith(".jsonl")]
    notes = snapshot.note("attention", journal, note)
    entries = [
        Entry("", at, session, do, on)
        for kept in (*(notes[path] for path in journal), _counted(touches))
        for at, session, do, on in kept
    ]
    uses: dict[str, list[Entry]] = {}
    for entry in entries:
        if entry.do in USES:
            for name in entry.on.split():
                uses.setdefault(name, []).append(entry)
    return Attention(uses, find_pinned(entries))


def _counted(lines: Iterable[str]) -> list[Kept]:
    found = (parse_entry(line) for line in lines)
    return [(one.at, one.session, one.do, one.on) for one in found if one is not None and one.do in _COUNTED]
