"""Tables and records of a dream's reply as the plain lines that were asked for."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.exchange.reader.labels import squash

_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")
_PAIR = re.compile(r"[\"“]?([A-Za-z#][A-Za-z _-]{0,20})[\"”]?[ \t]*:[ \t]*(.*)", re.DOTALL)
_THREADS = {
    **dict.fromkeys(("number", "no", "nr", "id", "#"), "number"),
    **dict.fromkeys(("date", "day", "theday", "when", "from"), "day"),
    **dict.fromkeys(("owner", "whose", "who", "whoseitwas"), "owner"),
    **dict.fromkeys(("status", "state", "nowis"), "status"),
    **dict.fromkeys(
        ("what", "whatitwas", "thread", "text", "task", "description", "item", "note", "notes", "evidence",
         "whatshowsit", "why", "detail", "details", "comment"),
        "text",
    ),
    "new": "new",
}  # fmt: skip


def threads_as_lines(text: str) -> str:
    """Threads that came as a table or as records, each on a line as it was asked for; the rest as it is."""
    return "\n".join(_threads(text.split("\n")))


def _threads(lines: Sequence[str]) -> Iterator[str]:
    for line, cells in _cut(lines, _THREADS):
        told = cells or _record(line)
        yield _thread(told) if told else line


def _thread(told: Mapping[str, str]) -> str:
    number = re.search(r"\d{1,6}", told.get("number", ""))
    if number:
        return f"{number[0]}: {told.get('status') or 'open'}, {told.get('text', '')}"
    parts = (told.get(key, "") for key in ("day", "owner", "text", "status"))
    return f"new: {' · '.join(part for part in parts if part)}"


def _record(line: str) -> dict[str, str]:
    """The parts of a line that has nothing but named ones (`day: …; owner: …; what: …`)."""
    plain = re.sub(r"^[ \t]*[-*+•][ \t]+", "", line).strip(" \t{}")
    lead, _, rest = plain.partition(" — ")
    pairs = [
        _PAIR.fullmatch(piece.strip()) for piece in (rest if rest and ":" in rest else plain).split("; ")
    ]
    named = [(_THREADS.get(_name(pair[1]), ""), pair[2].strip(" \"“”',")) for pair in pairs if pair]
    if len(named) < max(2, len(pairs)) or not all(key for key, _ in named):
        return {}
    made = dict(reversed(named))
    if rest and ":" in rest:
        made["text"] = " ".join((lead, made.get("text", ""))).strip()
    return made if made.get("text") else {}


def facts_as_rows(text: str, names: Mapping[str, str]) -> str:
    """Facts of a table that has columns of its own, as rows in the order asked for; the rest as it is."""
    order = ("category", "key", "value", "confidence", "when", "replaces")
    made: list[str] = []
    for line, cells in _cut(text.split("\n"), names):
        row = [f"{key}: {cells[key]}" for key in order if cells.get(key)]
        made.append("\n".join([f"- {row[0]}", *(f"  {part}" for part in row[1:])]) if row else line)
    return "\n".join(made)


def _cut(lines: Sequence[str], names: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Each line, with its cells by their columns where it is a row of a table whose columns are known.

    What stands above a table's rule are its columns, and no row.
    """
    columns: list[str] = []
    for at, line in enumerate(lines):
        ruled = (
            at + 1 < len(lines) and "|" in line and "|" in lines[at + 1] and _RULE.fullmatch(lines[at + 1])
        )
        if ruled:
            columns = [names.get(_name(cell), "") for cell in _cells(line)]
            continue
        if "|" not in line:
            columns = []
        elif _RULE.fullmatch(line):
            continue
        cells = _cells(line)
        known = len([name for name in columns if name]) >= 2 and {"text", "value"} & set(columns)
        yield line, _by_name(columns, cells) if known and len(cells) >= 2 else {}


def _by_name(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    made: dict[str, str] = {}
    for at, cell in enumerate(cells):
        # a column of another name says more of the same
        name = (columns[at] if at < len(columns) else "") or ("text" if "text" in columns else "")
        if name and cell:
            made[name] = f"{made[name]} {cell}" if name in made else cell
    return made


def _cells(line: str) -> list[str]:
    plain = line.strip()
    plain = plain.removeprefix("|").removesuffix("|")
    return [cell.strip(" *_`") for cell in plain.split("|")]


def _name(text: str) -> str:
    return squash(text) or text.strip()
