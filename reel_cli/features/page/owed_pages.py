"""Pages that a kit is owed: a chat without one, half of one, turns said after one, a flag in none."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.files.index_file import parse_line
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.kit.glance import glance_at_memory
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.last_turns import last_day
from reel_cli.core.tape.tape_view import chat_of, count_said, standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.due import KitWarning
from reel_cli.core.values.source import SourceRange
from reel_cli.features.page.due import HalfPage, grown_sessions, lacks_page, remembered
from reel_cli.features.page.kept_pages import left_without_page, page_notes, pending_flags, short_sessions

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.terminal.open_kit import OpenKit

OPS = ("checkpoint", "consolidate")


def find_half_pages(exchanges: Iterable[Mapping[str, Any]], name: str) -> Mapping[str, HalfPage]:
    """Return the half pages among the exchanges under way, by session; `name` is the persona's.

    `exchanges` come newest first. Nothing is parsed unless a reply came through in part.
    """
    begun = [value for value in exchanges if value.get("replies") and value.get("op") in OPS]
    if not begun:
        return {}
    from reel_cli.core.exchange.open_ask import Ask

    found: dict[str, HalfPage] = {}
    for value in begun:
        ask = Ask.load(value)
        if ask is not None and ask.session not in found:
            found[ask.session] = _measure(ask, name)
    return found


def _measure(ask: "Ask", name: str) -> HalfPage:
    from reel_cli.core.exchange.open_ask import count_parts, read_replies

    got, asked = count_parts(ask.parts, read_replies(ask, (name,)))
    return HalfPage(ask.op, ask.session, got, asked, ask.brief)


KIND = "page"
FLAG = "flag"
STOPPED = "it is neither kept nor declined"
ALL_OF_THEM = "reel consolidate"
"""The command that goes through all chats without a memory."""
MADE_LAST = 32
"""Number of memories that include those of the newest session."""
MARKED = 60
"""Characters that identify a marked moment."""


def list_owed(
    snapshot: Snapshot, exchanges: Collection[Mapping[str, Any]], at_once: str | None = None
) -> Sequence[KitWarning]:
    """Return what no page tells of yet, the newest chat first; nothing where all is kept.

    `exchanges` are those under way, newest first; `at_once` is as `find_at_once` gives it. Of an overview
    nothing is read that is known already, and history is not asked: `due.list_due` knows more, and takes
    longer. Raises ReelError where a file cannot be read.
    """
    standing = standing_sessions(snapshot)
    halves = find_half_pages(exchanges, snapshot.settings.name)
    owed: list[KitWarning] = []
    asked = None
    if "" in halves:
        owed.append(_half(halves[""], "a chat that is not recorded yet", short=False))
    newest: KitWarning | None = None
    if standing:
        seen = _seen(snapshot)
        longer = _longer(snapshot, standing, seen)
        newest = _newest(snapshot, standing[-1], seen, longer, halves)
        if newest is not None and _is_stopped(standing[-1], exchanges):
            newest = KitWarning(
                KIND, f"the page of {_last_chat(snapshot, standing[-1])} came; {STOPPED}", "reel end"
            )
        owed += [newest] if newest is not None else []
        asked = _find_told(snapshot, exchanges, at_once) if newest is None else None
        if asked is not None:
            owed.append(_asked(snapshot, asked, halves, exchanges, at_once=asked == at_once))
        owed += _older(snapshot, [session for session in longer if session not in (standing[-1], asked)])
    flags = pending_flags(snapshot)
    # the next prompt asks about them, unless it was made before and asks for the rest of a page
    if flags and (newest is None or standing[-1] in halves):
        owed.append(_flagged([flag.text for flag in flags.values()], standing, waits=newest is not None))
    return owed


def find_asked(
    snapshot: Snapshot,
    exchanges: Iterable[Mapping[str, Any]],
    known: Mapping[str, Sequence[SourceRange]] | None = None,
) -> str | None:
    """Return the session whose page was asked for last and has not come whole; None where there is none.

    The rest of a short page counts. `known` are the stretches that count as remembered, else those that
    `remembered` finds.
    """
    names = [str(one.get("session") or "") for one in exchanges if one.get("op") == OPS[0]]
    standing = {*standing_sessions(snapshot)} if any(names) else set()
    waiting = [name for name in names if name in standing]
    if not waiting:
        return None
    short = short_sessions(snapshot)
    known = remembered(snapshot) if known is None else known
    return next((one for one in waiting if one in short or lacks_page(snapshot, one, known)), None)


def find_at_once(opened: "OpenKit") -> str | None:
    """Return the earlier session whose page `reel end` goes on with, before it asks for a newer chat."""
    asked = find_asked(opened.overview, opened.state.exchanges().values())
    if asked is None:
        return None
    from reel_cli.features.record.latest_chat import is_newer_chat

    return None if is_newer_chat(opened, asked) else asked


def _find_told(
    snapshot: Snapshot, exchanges: Collection[Mapping[str, Any]], at_once: str | None
) -> str | None:
    """Return the session whose page was asked for last, where that is told; None else.

    One that was only asked for before another chat was recorded is not: it is a chat without a memory.
    """
    asked = find_asked(snapshot, exchanges)
    if asked is None or asked == at_once or _is_stopped(asked, exchanges):
        return asked
    begun = asked in find_half_pages(exchanges, snapshot.settings.name)
    return asked if begun and asked not in short_sessions(snapshot) else None


def half_sessions(snapshot: Snapshot, exchanges: Iterable[Mapping[str, Any]]) -> Mapping[str, HalfPage]:
    """Return the sessions of whose page half came through and the rest is still to come."""
    halves = find_half_pages(exchanges, snapshot.settings.name)
    sessions = [session for session in standing_sessions(snapshot) if session in halves]
    seen = _seen(snapshot) if sessions else {}
    said = count_said(snapshot, sessions) if sessions else {}
    left = {session: left_without_page(snapshot, session) for session in sessions}
    return {
        session: halves[session]
        for session in sessions
        if said[session] > (seen[session] or said[session] if session in seen else left[session])
    }


def _seen(snapshot: Snapshot) -> Mapping[str, int | None]:
    """Return how many messages each session's last page looks back on; None if it does not say."""
    seen = {session_of_checkpoint(path): note.messages for path, note in page_notes(snapshot).items()}
    return {
        session: None if count is None else max(count, left_without_page(snapshot, session))
        for session, count in seen.items()
    }


def _longer(snapshot: Snapshot, standing: Sequence[str], seen: Mapping[str, int | None]) -> Mapping[str, int]:
    """Return the sessions that went on after their page, with their count of unremembered messages."""
    pages = {session: count for session in standing if (count := seen.get(session)) is not None}
    said = count_said(snapshot, pages)
    longer = {session: said[session] - pages[session] for session in pages if said[session] > pages[session]}
    if not longer:
        return longer
    known = remembered(snapshot)
    rest = grown_sessions(snapshot, known, longer)
    return {
        session: min(more, rest.get(session, 0)) if session in known else more
        for session, more in longer.items()
        if session not in known or session in rest
    }


def _last_chat(snapshot: Snapshot, session: str) -> str:
    return f"the last chat ({day_in_words(last_day(snapshot, session))})"


def _is_stopped(session: str, exchanges: Iterable[Mapping[str, Any]]) -> bool:
    """Return whether a session's page came, and the person stopped at the question whether to keep it."""
    files = (str(one.get("stopped") or "") for one in exchanges if one.get("session") == session)
    return any(file and Path(file).is_file() for file in files)


def _asked(
    snapshot: Snapshot,
    session: str,
    halves: Mapping[str, HalfPage],
    exchanges: Iterable[Mapping[str, Any]],
    *,
    at_once: bool,
) -> KitWarning:
    """Return a warning on a page that was asked for, though the last chat owes none."""
    chat, command = (
        chat_of(snapshot, session),
        "reel end" if at_once else f"reel checkpoint --session {session}",
    )
    if _is_stopped(session, exchanges):
        return KitWarning(KIND, f"the page of {chat} came; {STOPPED}", command)
    if session in halves:
        return replace(_half(halves[session], chat, short=_is_short(snapshot, session)), mend=command)
    return KitWarning(KIND, f"the page of {chat} was asked for and has not come yet", command)


def _newest(
    snapshot: Snapshot,
    session: str,
    seen: Mapping[str, int | None],
    longer: Mapping[str, int],
    halves: Mapping[str, HalfPage],
) -> KitWarning | None:
    """Return the debt of the newest chat; None where its page is there and nothing was said after it."""
    chat = _last_chat(snapshot, session)
    if session in seen:
        after = longer.get(session, 0)
        if not after:
            return None
        if session in halves:
            return _half(halves[session], chat, short=_is_short(snapshot, session))
        what = f"{_came(after)} after the page of {chat} and {_is(after)} in no memory yet"
        return KitWarning(KIND, what, "reel end")
    said = count_said(snapshot, [session])[session]
    if said <= left_without_page(snapshot, session):
        return None
    if not said or _covered(snapshot, session, said) * 2 >= said:
        # its memory was made without a page
        return None
    if session in halves:
        return _half(halves[session], chat, short=_is_short(snapshot, session))
    what = f"{chat} is kept word for word, but has no page yet, so no memory is made of it"
    return KitWarning(KIND, what, "reel end")


def _covered(snapshot: Snapshot, session: str, said: int) -> int:
    """Return how many messages of the newest session a memory stands for.

    Only the memories made last are looked at: a large kit takes long to read.
    """
    files = [path for path in snapshot.list("ring3") if is_memory_file(path.removeprefix("ring3/"))]
    files.sort(key=lambda path: (len(path), path))
    spans = []
    for path in files[-MADE_LAST:]:
        memory = glance_at_memory(snapshot.text(path) or "", path)
        if session in memory.sessions and not memory.source:
            return said
        spans += [span for span in memory.source if span.session == session]
    for line in (snapshot.text(INDEX) or "").splitlines():
        stub = parse_line(line) if session in line else None
        if stub is not None and stub.pruned and stub.where is not None and stub.where.session == session:
            spans.append(stub.where)
    return said if any(not span.last for span in spans) else sum(s.last - s.first + 1 for s in spans)


def _older(snapshot: Snapshot, sessions: Sequence[str]) -> list[KitWarning]:
    """Return earlier chats that went on after their memory was made, in one line."""
    if not sessions:
        return []
    if len(sessions) > 1:
        chats = f"{len(sessions):,} earlier chats"
        what = f"{chats} went on after their pages, and the rest of them is in no memory yet"
        return [KitWarning(KIND, what, "reel consolidate")]
    what = f"{chat_of(snapshot, sessions[0])} went on after its page, and the rest of it is in no memory yet"
    return [KitWarning(KIND, what, f"reel consolidate {sessions[0]}")]


def _is_short(snapshot: Snapshot, session: str) -> bool:
    return session in short_sessions(snapshot)


def _half(half: HalfPage, chat: str, *, short: bool) -> KitWarning:
    """Return the warning on a page that came in part; `short`: a short page of the chat is kept."""
    command = "reel end" if half.op == "checkpoint" else half.command
    if short:
        told = f"the short page of {chat} is kept; of its rest {half.got} of {half.asked} parts came"
        return KitWarning(KIND, told, half.command)
    return KitWarning(KIND, f"part of the page of {chat} came through, {half.told}", command)


def _flagged(texts: Sequence[str], standing: Sequence[str], *, waits: bool) -> KitWarning:
    """Return a warning on a flagged moment no page was asked about; `waits`: half of another page does."""
    more = f" and {len(texts) - 1:,} more" if len(texts) > 1 else ""
    what = f"you marked “{one_line(texts[-1], MARKED)}”{more}, and no page was asked about it yet"
    if waits:
        return KitWarning(FLAG, f"{what}; the next one is, once that page is whole")
    return KitWarning(FLAG, what, f"reel checkpoint --session {standing[-1]}" if standing else "reel end")


def _came(messages: int) -> str:
    return f"{messages:,} message{'' if messages == 1 else 's'} came"


def _is(messages: int) -> str:
    return "is" if messages == 1 else "are"


def chats_forgotten(opened: "OpenKit") -> "Sequence[KitWarning]":
    """Return in one line how many chats before the newest have no memory, and how to make one of each.

    Nothing is returned while the file of a memory is missing: it may be theirs, and no page is kept before
    it is back.
    """
    from reel_cli.core.kit.kit_damage import list_missing
    from reel_cli.core.rings.losses import note_let_go
    from reel_cli.features.page.due import unremembered

    snapshot, repo = opened.overview, opened.repository
    standing = standing_sessions(snapshot)
    known = remembered(snapshot)
    asked = _find_told(snapshot, opened.state.exchanges().values(), find_at_once(opened))
    forgotten = unremembered(snapshot, lambda: note_let_go(opened.root, repo) if repo else ())
    # the newest, a page that was asked for, and what came after a memory was made have lines of their own
    left = [one for one in forgotten if one not in known and one not in (standing[-1], asked)]
    said = count_said(snapshot, left)
    left = [one for one in left if said[one] > left_without_page(snapshot, one)]
    if not left or list_missing(opened.root, repo, under=("ring3/",)):
        return ()
    if len(left) > 1:
        return [KitWarning(KIND, f"{len(left):,} earlier chats are in no memory yet", ALL_OF_THEM)]
    return [
        KitWarning(KIND, f"{chat_of(snapshot, left[0])} is in no memory yet", f"reel consolidate {left[0]}")
    ]


def pages_owed(opened: "OpenKit") -> "Sequence[KitWarning]":
    """Return what no page tells of yet; nothing where the kit cannot be read, which others say.

    The answer is kept in the kit's catalog and holds while no file of the kit changes.
    """
    from reel_cli.core.kit.kit_note import note_kit
    from reel_cli.core.values.due import KitWarning

    exchanges = opened.state.exchanges()

    with suppress(ReelError):
        at_once = find_at_once(opened)

        def make() -> list[tuple[str, str, str]]:
            owed = list_owed(opened.overview, exchanges.values(), at_once)
            return [(one.kind, one.text, one.mend) for one in owed]

        facts = [json.dumps(exchanges, sort_keys=True), at_once or ""]
        rows = note_kit(opened.root, "owed", facts, make)
        return [KitWarning(*row) for row in rows]
    return ()
