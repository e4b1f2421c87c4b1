"""Checks of domain data: schemas, rows that break them, and filters without a table."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, CheckScope, Stage
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.values.change import one_line
from reel_cli.features.tables.schema_file import (
    FOLDER,
    parse_schema,
    rows_path,
    schema_path,
    table_of_rows,
    table_of_schema,
)
from reel_cli.features.tables.tables import ask, list_tables, read_table

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.tables.rows_file import Problem

CHECK = "domain"
SHOWN = 5


def look_at_domain(snapshot: "Snapshot") -> list[Finding]:
    """Return everything wrong in the kit's tables; rows by their file and line."""
    paths = snapshot.list(FOLDER)
    merging = [path for path in paths if has_marks(snapshot.read(path) or b"")]
    found = [
        Finding(CHECK, f"{path} still has the marks of a merge ( <<<<<<< and >>>>>>> )", _MARKS_MEND)
        for path in merging
    ]
    tables = list_tables(snapshot)
    for name in tables:
        if schema_path(name) not in merging and rows_path(name) not in merging:
            found += _table(snapshot, name)
    for path in paths:
        strange = table_of_schema(path)
        if strange is not None and strange not in tables:
            what = f"{path}: {strange} is not a name for a table, so the file is not used"
            found.append(
                Finding(CHECK, what, "rename it: lower-case letters, digits and - or _, a letter first")
            )
        name_ = table_of_rows(path)
        if name_ is not None and name_ not in tables:
            what = f"{path}: there is no schema for it, so the file is not used"
            found.append(Finding(CHECK, what, f"reel domain define {name_} COLUMN…"))
    return [*found, *_filters(snapshot)]


_MARKS_MEND = "edit the file: keep the right text, and delete the lines with the marks"


def _table(snapshot: "Snapshot", name: str) -> Iterator[Finding]:
    try:
        table = parse_schema(snapshot.text(schema_path(name)) or "", name)
        rows = read_table(snapshot, table)
    except ReelError as error:
        yield Finding(CHECK, error.message.rstrip("."), error.hint or "fix the file")
        return
    yield from _rows(rows_path(name), rows.problems)


def _rows(path: str, problems: Sequence["Problem"]) -> Iterator[Finding]:
    for one in problems[:SHOWN]:
        what = f"{path}, {one.words}"
        mend = "correct that line in the file; until then the row is left out"
        yield Finding(CHECK, what, mend, at=f"{path}:{one.line}")
    if len(problems) > SHOWN:
        yield Finding(
            CHECK, f"{path} has {len(problems) - SHOWN:,} more lines like that", "correct them in the file"
        )


def _filters(snapshot: "Snapshot") -> Iterator[Finding]:
    """Yield findings for filters in kit.yaml that cannot be answered."""
    try:
        asked = snapshot.settings.domain_with
    except ReelError:
        # reported as a file that cannot be read
        return
    for text in asked:
        try:
            ask(snapshot, text)
        except ReelError as error:
            what = f"kit.yaml: domain.with, {one_line(text, 60)!r}: {error.message.rstrip('.')}"
            yield Finding(CHECK, what, error.hint or "correct the filter in kit.yaml")


def check_rows(snapshot: "Snapshot", path: str) -> None:
    """Refuse a table's rows, as they lie there, that break its schema; ReelError naming the first."""
    name = table_of_rows(path)
    if name is None or name not in list_tables(snapshot):
        return
    table = parse_schema(snapshot.text(schema_path(name)) or "", name)
    rows = read_table(snapshot, table)
    if rows.problems:
        count = len({problem.line for problem in rows.problems})
        more = f" ({count:,} rows do not fit)" if count > 1 else ""
        message = f"{path}, {rows.problems[0].words}{more}."
        raise ReelError(message, hint="correct that row first")


_MADE_AGAIN = "reel domain list  puts it aside and makes it again from its dump"


def look_at_store(scope: CheckScope) -> list[Finding]:
    """Return everything wrong in the tables' database, where the kit keeps them there."""
    from reel_cli.core.values.settings import SQLITE
    from reel_cli.features.tables.database import database_path, find_fault
    from reel_cli.features.tables.settle_store import StrangeDatabaseError, list_bad_rows

    path = database_path(scope.kit)
    try:
        stored = scope.snapshot.settings.domain_store == SQLITE
    except ReelError:
        # reported as a file that cannot be read
        return []
    if not stored or not path.exists():
        return []
    if fault := find_fault(path):
        return [Finding(CHECK, f".reel/{path.name} is damaged: {one_line(fault, 80)}", _MADE_AGAIN)]
    try:
        found = list_bad_rows(path, scope.snapshot)
    except StrangeDatabaseError as error:
        return [Finding(CHECK, f".reel/{path.name}: {error}", _MADE_AGAIN)]
    mend = "correct the row in the database; until then bundles have its dump"
    findings = [Finding(CHECK, told.rstrip("."), mend) for told in found[:SHOWN]]
    if len(found) > SHOWN:
        more = f".reel/{path.name} has {len(found) - SHOWN:,} more rows like that"
        findings.append(Finding(CHECK, more, "correct them in the database"))
    return findings


CHECKS = (
    Check(lambda scope: look_at_domain(scope.snapshot), 10, Stage.FILES),
    Check(look_at_store, 11, Stage.FILES),
)
