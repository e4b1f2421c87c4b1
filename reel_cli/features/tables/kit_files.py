"""`domain/` as a kind of kit file: the schemas of tables, and their rows."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.tables.schema_file import parse_schema, table_of_rows, table_of_schema

if TYPE_CHECKING:
    from collections.abc import Collection

    from reel_cli.core.kit.kind_diff import KindDiff
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import Wanted


def _check(path: str, text: str) -> None:
    if (table := table_of_schema(path)) is not None:
        parse_schema(text, table)


def _purge(path: str, data: bytes, wanted: "Wanted", _session: str | None) -> bytes:
    from reel_cli.features.tables.purge import purge_rows

    return purge_rows(data, wanted) if table_of_rows(path) is not None else wanted.replace_bytes(data)[0]


def _diff(start: "Snapshot", end: "Snapshot", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.tables.diff import compare_domain

    return compare_domain(start, end, changed)


DOMAIN = KitFileKind(_check, diff=_diff, purge=_purge)
