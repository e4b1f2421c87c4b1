"""A table's rows without what is purged: cell by cell, so that the file stays a table."""

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.features.tables.sheet import parse_sheet, render_rows, unguard


def purge_rows(data: bytes, wanted: PurgeTarget) -> bytes:
    """Return the file with the mark in place of the text; other files are treated as plain text."""
    if not wanted.may_stand_in_bytes(data):
        return data
    try:
        sheet = parse_sheet(data.decode("utf-8"), "rows", ())
    except (ReelError, UnicodeDecodeError):
        return wanted.replace_bytes(data)[0]
    if not sheet.plain:
        return wanted.replace_bytes(data)[0]
    found = False
    parts = [sheet.raw_head]
    for number, cells in enumerate(sheet.rows):
        told = [wanted.replace(unguard(cell)) for cell in cells]
        hit = any(gone for _, gone in told)
        found = found or hit
        parts.append(render_rows([[cell for cell, _ in told]]) if hit else sheet.raw(number))
    # what reaches over several cells, or stands in the header, goes as well
    return wanted.replace_bytes("".join(parts).encode("utf-8") if found else data)[0]
