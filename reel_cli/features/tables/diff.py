"""Changes of domain data between two moments: tables, and rows by their keys."""

from collections.abc import Collection, Sequence
from dataclasses import asdict, dataclass

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.kinds import KindDiff
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import tell_many
from reel_cli.features.tables.schema_file import FOLDER, rows_path, schema_path
from reel_cli.features.tables.table import Row, Value
from reel_cli.features.tables.tables import find_table, list_tables, read_table


@dataclass(frozen=True, slots=True)
class TableChange:
    """The changes of one table's rows, counted; `became` is new, gone or defined anew, or "" for none."""

    table: str
    added: int = 0
    changed: int = 0
    lost: int = 0
    became: str = ""


def compare_domain(start: Snapshot, end: Snapshot, changed: Collection[str]) -> KindDiff:
    """Return what became of the tables."""
    found = find_changes(start, end, set(changed))
    return KindDiff("domain", [asdict(one) for one in found], "Domain data", list(map(_tell, found)))


def _tell(one: TableChange) -> str:
    """Return a table and what became of its rows, on one line."""
    counts = ((one.added, "added"), (one.changed, "changed"), (one.lost, "lost"))
    rows = ", ".join(f"{tell_many(number, 'row')} {what}" for number, what in counts if number)
    return f"{one.table}: {', '.join(part for part in (one.became, rows) if part)}"


def find_changes(start: Snapshot, end: Snapshot, changed: set[str]) -> Sequence[TableChange]:
    """Return the tables that are different; one whose files cannot be read counts as one without rows."""
    if not any(path.startswith(f"{FOLDER}/") for path in changed):
        return ()
    before, after = list_tables(start), list_tables(end)
    found = []
    for name in sorted({*before, *after}):
        if not changed & {schema_path(name), rows_path(name)}:
            continue
        old, new = _rows(start, name), _rows(end, name)
        both = old.keys() & new.keys()
        became = "new" if name not in before else "gone" if name not in after else ""
        if not became and schema_path(name) in changed:
            became = "defined again"
        altered = sum(_differs(old[key], new[key]) for key in both)
        one = TableChange(name, len(new.keys() - both), altered, len(old.keys() - both), became)
        found += [one] if one != TableChange(name) else []
    return found


def _differs(before: Row, after: Row) -> bool:
    """Return whether two rows differ; an empty column that came or went does not count."""
    return any(before.get(name) != after.get(name) for name in {*before, *after})


def _rows(side: Snapshot, name: str) -> dict[Value, Row]:
    if name not in list_tables(side):
        return {}
    try:
        return read_table(side, find_table(side, name)).by_key()
    except ReelError:
        return {}
