"""Replika as replika_backup saves it: a CSV file of Timestamp, From, Text, Reaction and ID."""

import csv
from collections.abc import Iterator
from datetime import datetime
from io import StringIO
from itertools import pairwise

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_HEAD = ["timestamp", "from", "text"]
_SIDES = {"me": "user", "user": "user", "rep": "assistant", "robot": "assistant", "replika": "assistant"}
_LONGEST_FIELD = 1_000_000
_SURE = 95


def _sniff(source: Source) -> int:
    head = source.data[:200].decode("utf-8-sig", "replace").split("\n")[0]
    columns = [name.strip().strip('"').casefold() for name in head.split(",")]
    return _SURE if columns[:3] == _HEAD else 0


def _read(source: Source) -> list[Conversation]:
    notes = Notes()
    rows = list(_rows(source))
    if [name.strip().casefold() for name in (rows[0] if rows else [])[:3]] != _HEAD:
        message = f"{source.name} is no backup of Replika: its first line names no Timestamp, From and Text."
        raise ReelError(message, hint="leave out --format, and reel tells by itself what the file is")
    found: list[tuple[str | None, list[Message]]] = []
    oldest: list[str] = []
    for number, row in enumerate(rows[1:], start=2):
        if not any(row):
            continue
        role = _SIDES.get(row[1].strip().casefold()) if len(row) >= len(_HEAD) else None
        if role is None:
            notes.add("a row that does not say who spoke was left out", f"row {number}")
            continue
        time = read_time(row[0], source.zone, notes)
        # the tool writes the end of a line as two characters
        said = [Message(role, row[2].replace("\\n", "\n"), time=time)]
        reaction = row[3].strip() if len(row) > 3 else ""
        if reaction and reaction != "None":
            said.append(Message("user", f"[reaction: {one_line(reaction, 40)}]", Kind.ATTACHMENT, time=time))
        found.append((time, said))
        oldest.append(row[4].strip() if len(row) > 4 else "")
    if _is_backwards([time for time, _ in found]):
        found.reverse()
        oldest.reverse()
    return [
        Conversation(
            format="replika",
            messages=tuple(message for _, said in found for message in said),
            key=f"replika:{one_line(oldest[0], 100)}" if oldest and oldest[0] else None,
            problems=notes.lines(),
        )
    ]


def _rows(source: Source) -> Iterator[list[str]]:
    limit = csv.field_size_limit(_LONGEST_FIELD)
    try:
        yield from csv.reader(StringIO(source.text, newline=""))
    except csv.Error as error:
        message = f"{source.name} cannot be read as a table: {one_line(str(error), 80)}."
        raise ReelError(message, hint="save the backup again") from None
    finally:
        csv.field_size_limit(limit)


def _is_backwards(times: list[str | None]) -> bool:
    """Return whether the newest stands first, as the tool writes it unless it is told otherwise."""
    moments = [datetime.fromisoformat(time) for time in times if time]
    return len(moments) > 1 and moments[0] > moments[-1] and all(a >= b for a, b in pairwise(moments))


READER = Reader("replika", _sniff, _read)
