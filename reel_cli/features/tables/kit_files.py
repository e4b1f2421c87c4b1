"""`domain/` as a kind of kit file: the schemas of tables, and their rows."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.tables.schema_file import parse_schema, schema_path, table_of_rows, table_of_schema

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import PurgeTarget


def _check(path: str, text: str) -> None:
    if (table := table_of_schema(path)) is not None:
        parse_schema(text, table)


def _purge(path: str, data: bytes, wanted: "PurgeTarget", _session: str | None) -> bytes:
    from reel_cli.features.tables.sheet import purge_rows

    return purge_rows(data, wanted) if table_of_rows(path) is not None else wanted.replace_bytes(data)[0]


def _diff(start: "Snapshot", end: "Snapshot", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.tables.diff import compare_domain

    return compare_domain(start, end, changed)


def _edited(snapshot: "Snapshot", path: str) -> None:
    from reel_cli.features.tables.checks import check_rows

    check_rows(snapshot, path)


def _join(found: "KindJoin") -> "JoinedFiles | None":
    """Return a table's rows from both sides, by their keys; as any text where one cannot be read."""
    from reel_cli.core.kit.kind_join import JoinedFiles, text_in
    from reel_cli.features.tables.rows_file import join_rows

    table = table_of_rows(found.path)
    if table is None or found.both is None:
        return None
    made = join_rows(table, text_in(found.joined(schema_path(table))), *found.texts(), found.whose[1])
    return None if made is None else JoinedFiles({found.path: made[0].encode("utf-8")}, made[1])


DOMAIN = KitFileKind(_check, edited=_edited, join=_join, diff=_diff, purge=_purge)
