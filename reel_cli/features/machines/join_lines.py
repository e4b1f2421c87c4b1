"""Texts that grew on two machines, made one: line by line, nothing of either left out."""

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.files import front_matter
from reel_cli.core.files.index_edit import drop_line, put_entry, put_line, raw_line
from reel_cli.core.files.index_file import EMPTY, parse_line
from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.files.markdown import heading_lines
from reel_cli.core.kit.snapshot import EVENTS, WORKING
from reel_cli.core.moment import moment
from reel_cli.core.tape.events_file import MADE, append_events, parse_events
from reel_cli.core.values.source import NewNames
from reel_cli.core.values.talk import Event

if TYPE_CHECKING:
    from reel_cli.core.values.memory import IndexLine

_ITEM = re.compile(r"[ \t]*[-*+][ \t]")


def join_events(ours: bytes, theirs: bytes, base: bytes | None, names: NewNames) -> bytes:
    """Return the events of both sides, in order of time, behind what both had.

    Raises StateError where one of them is damaged.
    """
    old = base if base and theirs.startswith(base) else b""
    had = {_told(event) for event in parse_events(base or b"", EVENTS)}
    there = {_told(event): event for event in parse_events(theirs, EVENTS)}
    fresh = {told: event for told, event in there.items() if not old or told not in had}
    for event in parse_events(ours, EVENTS):
        told = replace(event, session=names.name(event.session)) if event.session else event
        told = replace(told, text=names.text(told.text)) if told.kind == MADE else told
        if _told(event) not in had and _told(told) not in there:
            fresh.setdefault(_told(told), told)
    return append_events(old or None, sorted(fresh.values(), key=lambda e: moment(e.at)), EVENTS)


def _told(event: Event) -> tuple[object, ...]:
    return event.kind, event.at, event.session, event.about, event.text


def join_journal(ours: bytes, theirs: bytes, base: bytes | None) -> bytes:
    """Return both sides' lines, each once: common ones, less those one side removed, then others by time."""
    mine, others, old = (_lines(data) for data in (ours, theirs, base or b""))
    known, here, there = set(old), set(mine), set(others)
    kept = [line for line in old if line in here and line in there]
    fresh = dict.fromkeys(line for line in (*others, *mine) if line not in known)
    return b"".join(line + b"\n" for line in (*kept, *sorted(fresh, key=_time_of)))


def _lines(data: bytes) -> Sequence[bytes]:
    return [line.rstrip(b"\r") for line in data.split(b"\n") if line.strip()]


def _time_of(line: bytes) -> tuple[bool, float]:
    entry = parse_entry(line.decode("utf-8", "replace"))
    try:
        return (False, moment(entry.at).timestamp()) if entry is not None else (True, 0.0)
    except ValueError:
        return True, 0.0


def join_index(ours: str, theirs: str, base: str, truth: "Iterable[IndexLine]") -> str:
    """Return both sides' index lines by number; `truth` are the lines of the memories in ring 3.

    A line that one side took away, and the other left as it was, stays away. One that both changed is as
    its memory's file says, else as the other side has it.
    """
    told = {line.id: line for line in truth}
    text = theirs or EMPTY
    before = {name: raw_line(base, name) for name in _ids(base)}
    for name in _ids(ours):
        mine, there = raw_line(ours, name), raw_line(theirs, name)
        old = before.get(name)
        if mine is None or mine in (there, old):
            continue
        if there is None or there == old:
            text = put_line(text, name, mine)
        elif name in told:
            text = put_entry(text, told[name])
    for name in before.keys() - set(_ids(ours)):
        if raw_line(theirs, name) == before[name]:
            text = drop_line(text, name)
    known = {*base.splitlines(), *theirs.splitlines()}
    beside = [line for line in ours.splitlines() if line not in known and parse_line(line) is None]
    return text if not beside else text.rstrip("\n") + "\n" + "\n".join(beside) + "\n"


def _ids(text: str) -> Sequence[str]:
    found = (parse_line(line) for line in text.splitlines())
    return list(dict.fromkeys(line.id for line in found if line is not None))


# -- working memory -----------------------------------------------------------------------------


def join_working(ours: str, theirs: str, base: str) -> tuple[str, Sequence[str]]:
    """Return working memory with both sides' lines, and the sections that both had changed.

    A line that one side took away is gone; one that either wrote is there.
    """
    mine, others, old = (_sections(text) for text in (ours, theirs, base))
    parts: list[str] = []
    both: list[str] = []
    for name in dict.fromkeys([*others, *mine]):
        there, here, was = others.get(name, ""), mine.get(name, ""), old.get(name, "")
        if here in (there, was):
            parts.append(there)
        elif there == was:
            parts.append(here)
        else:
            parts.append(_join_section(here, there, was))
            if name:
                both.append(name)
    text = ""
    for part in parts:
        apart = "" if not text or not part or text.endswith("\n\n") or part.startswith("\n") else "\n"
        text += apart + (part if part.endswith("\n") or not part else part + "\n")
    return text.rstrip("\n") + "\n", both


def _sections(text: str) -> dict[str, str]:
    """Return the raw text of each section with its heading, by heading; "" is the head."""
    body = front_matter.split(text, WORKING).body
    head = text[: len(text) - len(body)]
    lines = body.splitlines(keepends=True)
    spans = heading_lines(body)
    found = {"": head + "".join(lines[: spans[0][1]] if spans else lines)}
    for at, (name, first, _) in enumerate(spans):
        end = spans[at + 1][1] if at + 1 < len(spans) else len(lines)
        raw = "".join(lines[first:end])
        found[name] = found[name] + raw if name in found else raw
    return found


def _join_section(ours: str, theirs: str, base: str) -> str:
    here, there, was = ([line.rstrip() for line in text.splitlines()] for text in (ours, theirs, base))
    kept = [line for line in there if not line or line[0] == "#" or line not in was or line in here]
    more = [line for line in here if line and line not in was and line not in there]
    while kept and not kept[-1]:
        kept.pop()
    for at, line in enumerate(more):
        listed = _ITEM.match(line) is not None
        beside = _ITEM.match(kept[-1]) is not None if kept else False
        if kept and not (listed and beside) and (at == 0 or listed != beside):
            kept.append("")
        kept.append(line)
    return re.sub(r"\n{3,}", "\n\n", "\n".join([*kept, ""])) + "\n"
