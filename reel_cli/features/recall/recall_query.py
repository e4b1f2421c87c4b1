"""Queries of the past: the words, and the stretch to search."""

import re
from collections.abc import Sequence
from datetime import date, timedelta

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.stage_chain import CHAIN_ORIGIN, STAGE_ORIGIN
from reel_cli.core.values.source import SESSION_ID, session_order

ORIGINS = {"stage": STAGE_ORIGIN, "chain": CHAIN_ORIGIN}
"""Values of `--origin`, each with the tag of what came of it (REEL §5.4)."""
_SPOKEN_OF = {
    CHAIN_ORIGIN: re.compile(r"(?i)\b(?:chain|directives?)\b"),
    STAGE_ORIGIN: re.compile(r"(?i)\b(?:stage|scenes?)\b"),
}
_ASKING = re.compile(
    r"(?i)^(?:please )?(?:find|search|show|list|get|retrieve|recall|remember|look up|give)\b"
    r"(?: (?:me|for|all|any|the|my|our))* (?:memor(?:y|ies)|moments?)\b"
)
_ABOUT = re.compile(
    r"(?i)^(?:(?:that|which|are|is|of|about|on|for|from|with|related|relating|regarding|concerning|to)\b ?)+"
)
_THINGS = r"(?!(?:is|was|does|has|this|his)\b)\w{3,}(?<!s)s\b"
_LIST = re.compile(
    r"(?i)^(?:in (?:what|which) order\b|how many\b"
    rf"|what (?:(?:kind|type|sort)s? of )?(?:\w+ ){{0,2}}?{_THINGS}"
    rf"|which (?:\w+ ){{0,2}}?{_THINGS}|who all\b|what (?:all|different|other)\b|list\b)"
    r"|\ball the\b|\bin what order\b"
)
_DAY = re.compile(r"(\d{4})(?:-(\d{2})(?:-(\d{2}))?)?")


@frozen
class Scope:
    """The stretch to search; empty fields restrict nothing.

    `since` and `until` are a day, a month, a year (`2026-02-10`, `2026-02`, `2026`) or a session. A day is
    the one its session began on. Since and until a day are inclusive; until a session is what was recorded
    before it.
    """

    tag: str = ""
    origin: str = ""
    since: str = ""
    until: str = ""
    session: str = ""


def sessions_in(scope: Scope, standing: Sequence[str], known: Sequence[str]) -> Sequence[str]:
    """Return the sessions that count within the scope's times and session.

    `known` are all on the tape. Raises ReelError for a session that is not there, UsageError for what is
    neither a day nor a session.
    """
    found = list(standing)
    if scope.session:
        session = _require_session(scope.session.strip(), known)
        if session not in standing:
            message = f"Session {session} was taken back, so nothing in it is remembered."
            raise ReelError(message, hint=f"to let it stand again:  reel tape retract {session} --undo")
        found = [session]
    if scope.since:
        since = scope.since.strip()
        if SESSION_ID.fullmatch(since):
            start = session_order(_require_session(since, known))
            found = [s for s in found if session_order(s) >= start]
        else:
            first, _ = _days(since, "--since")
            found = [s for s in found if s[:10] >= first]
    if scope.until:
        until = scope.until.strip()
        if SESSION_ID.fullmatch(until):
            end = session_order(_require_session(until, known))
            found = [s for s in found if session_order(s) < end]
        else:
            _, last = _days(until, "--until")
            found = [s for s in found if s[:10] <= last]
    return found


def without_asking(text: str) -> str:
    """Return a query without the words that only ask for memories; the whole of it where no others are left.

    `find memories of CHAIN directives related to DCD` (REEL §5.4) asks for `CHAIN directives related to DCD`.
    """
    asking = _ASKING.match(text)
    return (_ABOUT.sub("", text[asking.end() :].strip()) or text) if asking else text


def asks_for_list(text: str) -> bool:
    """Return whether a query asks for all there is of something: `which pets`, `in what order`."""
    return _LIST.search(text) is not None


def spoken_origin(text: str) -> tuple[str, str] | None:
    """Return the origin that a query mentions, and the query without those words; else None.

    `chain directives about DCD` speaks of what came by way of CHAIN.
    """
    for origin, pattern in _SPOKEN_OF.items():
        if pattern.search(text):
            return origin, _ABOUT.sub("", " ".join(pattern.sub(" ", text).split()))
    return None


def _require_session(session: str, known: Sequence[str]) -> str:
    if session not in known:
        message = f"There is no session {session} on the tape."
        near = ", ".join(known[-3:])
        raise ReelError(message, hint=f"the newest are: {near}" if near else "nothing is recorded yet")
    return session


def _days(text: str, option: str) -> tuple[str, str]:
    """Return the first and last day of a day, month or year; raises UsageError if it is none."""
    found = _DAY.fullmatch(text)
    try:
        if not found:
            raise ValueError  # noqa: TRY301
        year, month, day = (int(part) if part else None for part in found.groups())
        first = date(year or 0, month or 1, day or 1)
        if day:
            last = first
        elif month:
            last = (first.replace(day=28) + timedelta(days=4)).replace(day=1) - timedelta(days=1)
        else:
            last = date(first.year, 12, 31)
    except (ValueError, OverflowError):
        message = f"{option} {text!r} is neither a day nor a session."
        raise UsageError(message, hint="write it as 2026-02-10, 2026-02 or 2026-02-10-1") from None
    return first.isoformat(), last.isoformat()
