"""Files of a kit that are more than text, with something purged out of them: the journal, and checkpoints."""

import re
from contextlib import suppress

from reel_cli.core.errors import ReelError
from reel_cli.core.files.entry_list import set_entries
from reel_cli.core.files.ledger_file import make_entry, parse_entry, render_entry
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_mapping
from reel_cli.core.tape.erasure.target import MARK, Wanted
from reel_cli.core.values.talk import parse_source
from reel_cli.features.dream.dream import Fact
from reel_cli.features.facts.files import parse_facts
from reel_cli.features.facts.policy import fact_name, is_firm
from reel_cli.features.shelf.advice.files import LISTS, entries_of

_KEPT = ("timestamp", "kept", "messages", "coherence", "drift_detected")
"""What a checkpoint of a purged session still says: when, and how it counted."""
_COUNTED = ("replies", "words", "standing", "from_earlier", "from_exemplars")
"""What of its measure is numbers, and one of a few fixed words: nothing of that was said."""


def purge_journal(data: bytes, wanted: Wanted) -> bytes:
    """A journal without what is wanted; a line that changes gets the id it has as it is now."""
    if not wanted.stands_in_bytes(data):
        return data
    lines = data.decode("utf-8", "surrogateescape").split("\n")
    for at, line in enumerate(lines):
        if wanted.stands_in(line):
            entry = parse_entry(line)
            if entry is None:
                lines[at] = wanted.replace(line)[0]
                continue
            session, on = (wanted.replace(text)[0] for text in (entry.session, entry.on))
            lines[at] = render_entry(make_entry(entry.at, session, entry.do, on))
    return wanted.replace_bytes("\n".join(lines).encode("utf-8", "surrogateescape"))[0]


def purge_facts(data: bytes, session: str) -> bytes:
    """What is known by heart without what was said in a session that is purged, also as what it replaced."""
    try:
        text = data.decode("utf-8")
        blocks = [(block, parse_facts(block)) for block in re.split(r"(?m)^(?=- )", text)]
    except (ReelError, UnicodeDecodeError):
        return data
    gone = {(fact_name(one), one.value) for _, facts in blocks for one in facts if _is_of(one, session)}
    if not gone:
        return data
    kept = []
    for block, facts in blocks:
        if not any(_is_of(one, session) for one in facts):
            before = any((fact_name(one), one.replaces) in gone for one in facts)
            kept.append(re.sub(r"(?m)^(  replaces: ).*$", rf"\g<1>{MARK}", block) if before else block)
    return "".join(kept).encode()


def purge_manifest(data: bytes, path: str, session: str) -> bytes:
    """`hot.yml` or `cold.yml` without the reasons that were said in a session that is purged."""
    try:
        text = data.decode("utf-8")
        entries = entries_of(text, path)
    except (ReelError, UnicodeDecodeError):
        return data
    mine = [one for one in entries if one.get("said", "").partition("#")[0] == session and one.get("why")]
    if not mine:
        return data
    once = {one["path"]: {**one, "why": MARK} if one in mine else one for one in reversed(entries)}
    return set_entries(text, LISTS[path], {}, list(once.values())[::-1]).encode()


def lines_of_facts(data: bytes, session: str) -> list[int]:
    """The lines, from 1, on which what was said in a session stands among the facts."""
    before = data.decode("utf-8", "replace")
    found, line = [], 1
    for block in re.split(r"(?m)^(?=- )", before):
        with suppress(ReelError):
            if any(_is_of(one, session) for one in parse_facts(block)):
                found.append(line)
        line += block.count("\n")
    return found


def _is_of(fact: Fact, session: str) -> bool:
    """Whether the user said it in a session; what a dream tells in its own words is told of instead."""
    span = parse_source(fact.source)
    return is_firm(fact) and span is not None and span.session == session


def purge_fact_clash(data: bytes) -> bytes:
    """Two values of a fact that wait for a word, of which one was said in a purged session: neither stays."""
    head, rule, _ = data.decode("utf-8", "surrogateescape").partition("\n---\n")
    told = re.sub(r"(?m)^((?:title|older_says|newer_says): ).*$", rf"\g<1>{MARK}", head)
    return f"{told}{rule}{MARK}\n".encode("utf-8", "surrogateescape")


def purge_checkpoint(data: bytes, path: str) -> bytes:
    """A checkpoint of a session that was purged: its times stay, its words go."""
    try:
        fields = parse_mapping(data.decode("utf-8"), path)
    except (ReelError, UnicodeDecodeError):
        return f"kept: {MARK}\n".encode()
    fresh: dict[str, Plain] = {}
    for key, value in fields.items():
        if key in _KEPT and isinstance(value, str):
            fresh[key] = value
        elif isinstance(value, str):
            fresh[key] = MARK if value and value != "no" else value
        elif isinstance(value, dict):
            fresh[key] = {part: told if part in _COUNTED else _unsaid(told) for part, told in value.items()}
        else:
            fresh[key] = _unsaid(value)
    return render_mapping(fresh).encode()


def _unsaid(value: Plain) -> Plain:
    """A value without its words, of the same kind; a mapping keeps its keys."""
    if isinstance(value, str):
        return MARK if value else ""
    if isinstance(value, dict):
        return {key: _unsaid(told) for key, told in value.items()}
    return [MARK] if value else []
