"""`domain/` as a kind of kit file: the schemas of tables, and their rows."""

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.tables.schema_file import parse_schema, table_of_schema


def _check(path: str, text: str) -> None:
    if (table := table_of_schema(path)) is not None:
        parse_schema(text, table)


DOMAIN = KitFileKind(_check)
