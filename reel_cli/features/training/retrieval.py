"""Samples in which a moment came back: the cue, the query where one was written, the moment, the answer."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.voices import as_heard, other_voices
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.talk import Kind, Session
from reel_cli.features.recall.moments import CAME_BACK, CAME_TO_MIND, REQUEST
from reel_cli.features.training.policy import Sample, SampleKind
from reel_cli.features.training.survey import Source, Turn, whole_turns

BEFORE = 12
"""Number of turns told before a recalled moment."""
LEAST_QUOTED = 24
"""Characters of a turn, found on the tape, that show that it was pasted from there."""
_TOOL = re.compile(r"(?:.*[^a-z])?recall", re.IGNORECASE)
"""Names of the tool of `reel mcp`, whatever a program puts before them."""
_REQUEST = re.compile(rf"(?:.*\n)?{REQUEST}: [^\n]+", re.DOTALL)
_QUESTION, _CALLED = 2, 4
"""Number of turns from the question to the answer, without and with a query and a moment between them."""


@frozen
class _Lead:
    """The turns from a question to its answer, and the sessions of the moment in them; () for no moment.

    `used` is the number of turns of the chat that they stand for.
    """

    turns: Sequence[Turn]
    origins: tuple[str, ...] = ()
    used: int = _QUESTION

    @property
    def is_sought(self) -> bool:
        """Return whether the persona says in it what it looks for."""
        return len(self.turns) == _CALLED


@dataclass
class _Chat:
    """A chat whose answers are looked at one by one; `seen` are the turns of earlier sessions."""

    source: Source
    session: Session
    seen: Sequence[tuple[str, str]]

    def lead(self, turns: Sequence[Turn], asked: str, answered: str) -> _Lead:
        """Return what leads to the last turn; the times are those of the question and of that answer."""
        cue, answer = turns[-2][1], turns[-1]
        called = len(turns) >= _CALLED and _REQUEST.fullmatch(turns[-3][1]) is not None
        used = _CALLED if called else _QUESTION
        origins = find_pasted(cue, self.source.settings, self.seen)
        recalls = self.source.recalls
        if recalls is None or (origins and called):
            return _Lead(turns[-used:], origins, used)
        if origins:
            cue, back = recalls.find_pasted(cue, self.session.id, asked)
        else:
            back = recalls.find(cue, self.session.id, asked, answered)
            origins = back.sessions
        shown = ("user", f"{CAME_BACK}\n\n{back.block}")
        if called:
            return _Lead([*turns[-_CALLED:-2], shown, answer], origins, used)
        if back.query:
            return _Lead([("user", cue), ("assistant", _request(back.query)), shown, answer], origins)
        return _Lead([("user", f"{back.block}\n\n{cue}".strip()), answer], origins)


def add_retrievals(source: Source, session: Session, seen: Sequence[tuple[str, str]]) -> int:
    """Add samples in which a moment from the tape was pasted into the chat or came back; return how many.

    A query that a person, or the persona, wrote stands before the moment as what the persona says to
    remember, so that a model learns to ask (REEL §8.2).
    """
    found = 0
    said: list[Turn] = []
    asked = ""
    chat = _Chat(source, session, seen)
    for role, text, kind, time in _as_heard(session, source.personas):
        if role == "user" and kind is not Kind.BUNDLE:
            query = _read_query(text) if kind is Kind.TOOL else ""
            said.append(("assistant", _request(query)) if query else (role, text))
            asked = time
            continue
        if role != "assistant" or kind is not Kind.SAID:
            continue
        said.append((role, text))
        turns = whole_turns(said)
        if len(turns) < _QUESTION or said[-2][0] != "user":
            continue
        lead = chat.lead(turns, asked, time)
        if lead.origins:
            found += 1
            before = turns[: -lead.used][-BEFORE:]
            told = (*source.fitting([], before, lead.turns), *lead.turns)
            # whose words came back is part of it too
            sessions = (session.id, *lead.origins)
            made = Sample(SampleKind.RETRIEVAL, f"{session.id}#{found}", sessions, told)
            source.offer(replace(made, heard=source.ring0.text, rank=0 if lead.is_sought else 1))
    return found


def _request(query: str) -> str:
    """Return the line by which a persona asks for a moment."""
    return f"{REQUEST}: {query}"


def _read_query(text: str) -> str:
    """Return the query of a tool's call that recalls; "" for another call, or an answer."""
    try:
        call = json.loads(text) if text.startswith("{") else None
        given = next((call[key] for key in ("arguments", "input", "args") if key in call), "") if call else ""
        given = json.loads(given) if isinstance(given, str) and given else given
    except (ValueError, RecursionError):
        return ""
    query = given.get("query") if isinstance(given, dict) else None
    name = call.get("name", "") if isinstance(call, dict) else ""
    return one_line(query) if isinstance(query, str) and _TOOL.fullmatch(str(name)) else ""


def _as_heard(session: Session, personas: Sequence[str]) -> Iterator[tuple[str, str, Kind, str]]:
    """Yield what was said and when, and tool output, which the model saw as part of what it answered."""
    stands = session.shown()
    shown = {entry.number for entry in stands}
    others = other_voices(stands, personas)
    for entry in session.entries:
        message = entry.message
        if message.kind is Kind.TOOL and message.text.startswith(CAME_TO_MIND):
            # the ledger leads to its words
            continue
        if message.kind is Kind.TOOL:
            yield "user", message.text, message.kind, message.time or ""
        elif entry.number in shown and entry.number is not None:
            yield *as_heard(message, others), message.kind, message.time or ""


def find_pasted(text: str, settings: Settings, seen: Sequence[tuple[str, str]]) -> tuple[str, ...]:
    """Return the earlier sessions whose turns, told by speaker, occur in a text."""
    names = "|".join(re.escape(name) for name in (settings.user, settings.name) if name)
    told = re.findall(rf"(?m)^(?:{names}): (.{{{LEAST_QUOTED},}})$", text) if names else []
    pieces = [fold(line).strip("…")[:200] for line in told]
    return tuple(dict.fromkeys(name for piece in pieces for name, words in seen if piece and piece in words))


def fold(text: str) -> str:
    """Return a text in small letters, with single spaces."""
    return " ".join(text.casefold().split())
