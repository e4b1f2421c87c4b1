"""Rows written for a spreadsheet or another program."""

import json

from reel_cli.features.tables.sheet import render_rows
from reel_cli.features.tables.tables import QueryResult, as_json


def export_rows(found: QueryResult, form: str, *, for_file: bool = False) -> str:
    """Return rows as `csv`, `json` or `jsonl`.

    In CSV a text that a spreadsheet would take for a formula has an apostrophe in front. For a file it begins
    with a mark, without which spreadsheets take it for an older encoding.
    """
    names = found.query.table.names
    if form == "json":
        return json.dumps([as_json(row) for row in found.rows], ensure_ascii=False, indent=1) + "\n"
    if form == "jsonl":
        return "".join(json.dumps(as_json(row), ensure_ascii=False) + "\n" for row in found.rows)
    text = render_rows([names, *([row[name] for name in names] for row in found.rows)])
    return f"\ufeff{text}" if for_file else text
