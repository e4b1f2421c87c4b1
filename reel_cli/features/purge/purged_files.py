"""Files of a kit that are more than text, with something purged out of them: the journal, and checkpoints."""

import re
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import make_entry, parse_entry, render_entry
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_mapping
from reel_cli.core.tape.erasure.target import PurgeTarget
from reel_cli.core.values.talk import PURGED

_KEPT = ("timestamp", "kept", "messages", "coherence", "drift_detected")
"""Fields that a checkpoint of a purged session keeps: the time, and the counts."""
_COUNTED = ("replies", "words", "standing", "from_earlier", "from_exemplars")
"""Numbers and fixed words of its measure; nothing of that was said."""


def purge_journal(data: bytes, wanted: PurgeTarget, session: str | None = None) -> bytes:
    """Return a journal without the wanted text; a line with another target gets a new id.

    With a purged `session` go the queries of its day and later: each may tell of it in other words.
    """
    if session is not None and b'"query"' in data:
        data = _without_queries(data, session[:10])
    if not wanted.stands_in_bytes(data):
        return data
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for at, line in enumerate(lines):
        if wanted.stands_in(line):
            entry = parse_entry(line)
            if entry is None:
                lines[at] = wanted.replace(line)[0]
                continue
            told = (entry.session, entry.on, entry.query)
            session, on, query = (wanted.replace(text)[0] for text in told)
            lines[at] = render_entry(make_entry(entry.at, session, entry.do, on, query))
    return wanted.replace_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))[0]


def _without_queries(data: bytes, since: str) -> bytes:
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for at, line in enumerate(lines):
        entry = parse_entry(line)
        if entry is not None and entry.query and entry.at[:10] >= since:
            lines[at] = render_entry(replace(entry, query=""))
    return "\n".join(lines).encode("utf-8", "surrogateescape")


def purge_fact_clash(data: bytes) -> bytes:
    """Return a fact's contradiction with both values removed, if one was said in a purged session."""
    head, rule, _ = data.decode("utf-8", "surrogateescape").partition("\n---\n")
    told = re.sub(r"(?m)^((?:title|older_says|newer_says): ).*$", rf"\g<1>{PURGED}", head)
    return f"{told}{rule}{PURGED}\n".encode("utf-8", "surrogateescape")


def purge_checkpoint(data: bytes, path: str) -> bytes:
    """Return a checkpoint of a purged session: its times stay, its words go."""
    try:
        fields = parse_mapping(data.decode("utf-8"), path)
    except (ReelError, UnicodeDecodeError):
        return f"kept: {PURGED}\n".encode()
    fresh: dict[str, Plain] = {}
    for key, value in fields.items():
        if key in _KEPT and isinstance(value, str):
            fresh[key] = value
        elif isinstance(value, str):
            fresh[key] = PURGED if value and value != "no" else value
        elif isinstance(value, dict):
            fresh[key] = {part: told if part in _COUNTED else _unsaid(told) for part, told in value.items()}
        else:
            fresh[key] = _unsaid(value)
    return render_mapping(fresh).encode()


def _unsaid(value: Plain) -> Plain:
    """Return a value without its words, of the same kind; a mapping keeps its keys."""
    if isinstance(value, str):
        return PURGED if value else ""
    if isinstance(value, dict):
        return {key: _unsaid(told) for key, told in value.items()}
    return [PURGED] if value else []
