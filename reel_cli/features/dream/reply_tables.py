"""Tables and records of threads in a dream's reply as the plain lines that were asked for."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.exchange.reader.labels import column_name, cut_rows

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
    """Return threads from a table or records as lines in the requested form; the rest unchanged."""
    return "\n".join(_threads(text.split("\n")))


def _threads(lines: Sequence[str]) -> Iterator[str]:
    for line, cells in cut_rows(lines, _THREADS):
        told = cells or _record(line)
        yield _thread(told) if told else line


def _thread(told: Mapping[str, str]) -> str:
    number = re.search(r"\d{1,6}", told.get("number", ""))
    if number:
        return f"{number[0]}: {told.get('status') or 'open'}, {told.get('text', '')}"
    parts = (told.get(key, "") for key in ("day", "owner", "text", "status"))
    return f"new: {' · '.join(part for part in parts if part)}"


def _record(line: str) -> dict[str, str]:
    """Return the parts of a line of only named parts (`day: …; owner: …; what: …`)."""
    plain = re.sub(r"^[ \t]*[-*+•][ \t]+", "", line).strip(" \t{}")
    lead, _, rest = plain.partition(" — ")
    pairs = [
        _PAIR.fullmatch(piece.strip()) for piece in (rest if rest and ":" in rest else plain).split("; ")
    ]
    named = [(_THREADS.get(column_name(pair[1]), ""), pair[2].strip(" \"“”',")) for pair in pairs if pair]
    if len(named) < max(2, len(pairs)) or not all(key for key, _ in named):
        return {}
    made = dict(reversed(named))
    if rest and ":" in rest:
        made["text"] = " ".join((lead, made.get("text", ""))).strip()
    return made if made.get("text") else {}
