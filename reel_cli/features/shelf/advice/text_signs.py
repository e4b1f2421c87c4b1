"""Recognition of files that must stay by their text, where neither path nor tag says so (MEMORY-MGMT §5.c).

Only what shows plainly counts: a title, the headings of a decision record, lines that are events one by one.
A log that a tool wrote is none of these. Deliverables look like any other text, so they want a tag or a path.
"""

import json
import re
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from reel_cli.core.frozen import late

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

LOOKED_AT = 20_000
"""Characters from a file's beginning that are looked at."""
_TITLE_WORDS = 6
_FEWEST_EVENTS = 3
_NOTES = "shelf reads as 3"
_CONSTITUTION_SIGNS, _DECISION_SIGNS = ("憲法", "宪法", "憲章"), ("決定", "决定")
"""The words of languages that do not part their words."""
_CONSTITUTION = frozenset(
    {
        *("constitution", "constitución", "constituição", "costituzione", "verfassung", "grundgesetz"),
        "конституция",
    }
)
_DECISION = frozenset(
    {
        *("decision", "decisions", "entscheidung", "entscheidungen", "décision", "décisions", "decisión"),
        *("decisiones", "decisão", "decisões", "decisione", "decisioni", "решение", "решения"),
        *_DECISION_SIGNS,
    }
)
_REASONS = frozenset(
    {
        *("status", "context", "consequences", "rationale", "reason", "reasons", "why", "alternatives"),
        *("kontext", "folgen", "konsequenzen", "gründe", "begründung", "alternativen", "statut", "contexte"),
        *("conséquences", "raisons", "pourquoi", "estado", "contexto", "consecuencias", "razones", "motivos"),
        *("consequências", "razões", "contesto", "conseguenze", "motivi", "статус", "контекст"),
        *("последствия", "причины", "状態", "背景", "理由", "結果", "状态", "后果", "原因"),
    }
)
_EVENT_LOG = late(
    r"\b(?:event|audit)[ -](?:log|trail)\b|\blog of events\b"
    r"|ereignis(?:protokoll|log|journal|verzeichnis|liste)|\bprotokoll der ereignisse\b"
    r"|\b(?:journal|registre|historique) des (?:événements|évènements)\b"
    r"|\b(?:registro|registo|bitácora|diario|diário|historial|log) (?:de|dos) (?:eventos|acontecimientos)\b"
    r"|\b(?:registro|diario|giornale|log) degli eventi\b|\b(?:журнал|хроника|лог|реестр) событий\b"
    r"|イベント(?:ログ|記録)|出来事の記録|事件(?:日志|日誌|记录|記錄|紀錄)",
    re.IGNORECASE,
)
_EVENT_LINE = late(
    r"\W{0,3}(?P<at>\d{4}-\d\d-\d\d[T ]\d\d:\d\d\S*)[\s|,;]+\W?(?:events?|ereignis(?:se)?"
    r"|événements?|évènements?|eventos?|eventi|gebeurtenis|событи[ея]|イベント|出来事|事件|이벤트)\W",
    re.IGNORECASE,
)
"""Pattern of one line that tells an event with its time."""
_RECORD = late(r"(?:ADR|decision record)\b[ #:-]*\d*", re.IGNORECASE)
_HEADING = late(r"(?m)^#{1,4}[ \t]+(.+?)[ \t#:]*$")
_KEY = late(r'(?m)^(?: {0,2}|\t)"?([^\W\d_]+)"?[ \t]*:')
_TIMES, _EVENTS = ("timestamp", "time", "at", "when", "date", "ts"), ("event", "event_type", "event_name")


def read_kinds(snapshot: "Snapshot", paths: Iterable[str]) -> Mapping[str, str]:
    """Return the kind of each file by its text, as a tag; "" where it shows none. An overview keeps it."""

    def note(path: str) -> str:
        from reel_cli.features.shelf.shelf_file import text_of

        return reads_as(text_of(snapshot.read(path) or b"") or "")

    return snapshot.note(_NOTES, paths, note)


def reads_as(text: str) -> str:
    """Return `constitution`, `decision` or `event-log` for a text that plainly is one; else ""."""
    head = text[:LOOKED_AT].replace("\r\n", "\n").lstrip("\ufeff")
    title = _title(head)
    words = title.casefold().split()
    if words and len(words) <= _TITLE_WORDS:
        ends = {*words[:2], words[-1]}
        if _CONSTITUTION & ends or any(sign in title for sign in _CONSTITUTION_SIGNS):
            return "constitution"
        if _RECORD.match(title) or words[0].rstrip(":") in _DECISION or title.startswith(_DECISION_SIGNS):
            return "decision"
        if _EVENT_LOG.search(title):
            return "event-log"
    if _holds_events(head):
        return "event-log"
    headings = {found.casefold() for found in _HEADING.findall(head)}
    keys = {found.casefold() for found in _KEY.findall(head)}
    if any(_DECISION & found and _REASONS & found for found in (headings, keys)):
        return "decision"
    return ""


def _title(text: str) -> str:
    """Return the first line with words, without what marks it as a heading."""
    first = next((line for line in text.split("\n", 40) if any(map(str.isalnum, line))), "")
    return first.strip().strip("#*=_ ").removeprefix("title:").strip(" \"'")


def _holds_events(text: str) -> bool:
    """Return whether every line is an event with its time, none before the one above it."""
    lines = [line for line in text.split("\n") if line.strip()]
    # the last one may be cut off
    lines = lines[:-1] if len(text) == LOOKED_AT else lines
    if not text.lstrip().startswith("{"):
        stamps = [found["at"] for line in lines if (found := _EVENT_LINE.match(line))]
        return len(lines) == len(stamps) >= _FEWEST_EVENTS and stamps == sorted(stamps)
    times = []
    for line in lines:
        try:
            one = json.loads(line)
        except (ValueError, RecursionError):
            return False
        if not isinstance(one, dict) or not any(key in one for key in _EVENTS):
            return False
        times.append(next((str(one[key]) for key in _TIMES if key in one), ""))
    return len(times) >= _FEWEST_EVENTS and all(times) and times == sorted(times)
