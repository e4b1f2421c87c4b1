"""Record a conversation: it goes on the tape, once, and only ever grows there (REEL §6.1)."""

from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime, tzinfo

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import MARKED
from reel_cli.core.files.tree import LARGEST_FILE
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.pack.recognize import PROMPT_SIGNS, SIGNS, find_bundle, find_prompt
from reel_cli.core.ports import bring
from reel_cli.core.tape.continuation import State
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.fork import FORK, LATEST, latest_fork, list_forks
from reel_cli.core.tape.known_sessions import KnownSessions, Sketch, print_of
from reel_cli.core.tape.session_file import append_entries, render_session
from reel_cli.core.tape.tape_view import (
    UNTITLED,
    call,
    list_hidden,
    opening_of,
    read_events,
    read_session,
    retracted,
    tell_numbers,
    told_later,
)
from reel_cli.core.tape.voices import persona_names
from reel_cli.core.values.change import Change, for_screen, one_line, titled
from reel_cli.core.values.talk import (
    HIDDEN,
    PURGE,
    PURGED,
    Conversation,
    Entry,
    Event,
    Session,
    session_order,
    session_path,
)
from reel_cli.features.record.find_session import KEY, SessionMatch, find_resembling, find_session
from reel_cli.features.record.own_words import mark_own, own_title, said_before
from reel_cli.features.record.ownership import mark_another, mark_more
from reel_cli.features.record.references import with_references

DRAFTED = ("ring0/", "ring1/")
"""Folders that are drafts until the first session is recorded, and are committed with it as they are."""


@frozen
class RecordPlan:
    """The result of recording one conversation; `change` is None if the tape has all of it.

    `added` and `messages` count what the user and the persona said: new, and in all as now shown.
    """

    session: str
    format: str
    state: State
    added: int
    messages: int
    title: str = ""
    change: Change | None = None
    problems: tuple[str, ...] = ()
    taken_back: bool = False
    purged: bool = False
    """True if it was taken back and everything said in it is purged."""
    instead_of: str = ""
    """The session that was taken back and holds the same chat, where this was recorded anew beside it."""
    like: str = ""
    """The session that may be the same chat, where this was recorded as a new one beside it."""
    undated: bool = False
    """True if it is new and has no date, so that it is filed under the day of its recording."""
    opening: str = ""
    """First words of the session, which stand for a missing title."""
    beside: int = 0
    """Number of messages of a branch that are new and kept beside what is shown."""
    branched: bool = False
    """True if the session shows another branch of the chat than before."""

    @property
    def called(self) -> str:
        """Return the session's name in a list of the tape."""
        return call(self.title, self.opening)


def plan_recording(  # noqa: PLR0913
    snapshot: Snapshot,
    conversation: Conversation,
    *,
    handed: Sequence[str],
    now: datetime,
    zone: tzinfo | None,
    session: str | None = None,
    known: KnownSessions | None = None,
    again: bool = False,
) -> RecordPlan:
    """Return what goes on the tape: a new session, a tail, corrections, or nothing.

    A chat whose session was taken back stays as it is, unless the person asks for it `again`: then it
    becomes a new session beside that one. Where it was, that new one is what it is on the tape as.

    `handed` are the texts reel handed out: they are marked, and never count as said. `session`
    names the session this continues. `known` tells where to look for it on the tape, so that not
    every session is read, and learns what is planned here; the outcome is the same without it.
    Raises ReelError where nothing in it was said.
    """
    marked = mark_own(
        conversation.messages,
        handed=handed,
        is_bundle=find_bundle,
        is_prompt=find_prompt,
        signs=(*SIGNS, *PROMPT_SIGNS),
        was_said=said_before(snapshot),
    )
    title = own_title(conversation.title, marked)
    lived = replace(conversation, messages=tuple(marked), title=title)
    said = [message.text for message in lived.said()]
    if not said:
        message = "Nothing in it was said by anyone but reel itself."
        raise ReelError(message, hint="check that this is the chat you mean")
    lived, withheld = _withhold(snapshot, lived)
    if withheld:
        lived = replace(lived, problems=(*lived.problems, _withheld(withheld)))
    found = find_session(snapshot, lived, session, known)
    if found is not None:
        entries = mark_more(found.more.entries, found.session.entries, persona_names(snapshot))
        found = replace(found, more=replace(found.more, entries=entries))
    before = ""
    if found is not None and again and session is None and _may_come_again(snapshot, found.session):
        before, found = found.session.id, None
    if found is None:
        _require_readable(snapshot, known)
        like = "" if before else find_resembling(snapshot, lived, known)
        lived = mark_another(lived, persona_names(snapshot))
        planned = _record_new(snapshot, lived, said, now=now, zone=zone)
        planned = replace(planned, instead_of=before, like=like)
        shown = said
        fresh = list(enumerate(lived.said(), start=1))
        front = Sketch(planned.session, lived.key or lived.format, lived.started)
        stands = None
    else:
        there, more = found.session, found.more
        planned = _record_more(snapshot, lived, found, now=now)
        now_there = replace(there, entries=(*there.entries, *more.entries)).shown()
        shown = [entry.message.text for entry in now_there]
        changed = any(entry.supersedes for entry in more.entries)
        stands = frozenset(entry.number or 0 for entry in now_there) if changed else None
        fresh = [(e.number, e.message) for e in more.entries if e.number is not None]
        front = Sketch(there.id, there.source, there.started)
    if planned.change is not None and (fresh or stands is not None):
        for listen in bring("heard"):
            change, problem = listen(snapshot, planned.change, planned.session, fresh, stands=stands)
            problems = (*planned.problems, problem) if problem else planned.problems
            planned = replace(planned, change=change, problems=problems)
    if known is not None and planned.change is not None:
        known.note(replace(front, prints=[print_of(text) for text in shown]))
    return planned


def _withheld(count: int) -> str:
    held = "1 message holds" if count == 1 else f"{count:,} messages hold"
    return f"{held} what was purged from this kit; that was left out."


def _require_readable(snapshot: Snapshot, known: KnownSessions | None) -> None:
    """Refuse a new session while an old one cannot be read: it may be the same; StateError."""
    for name in snapshot.sessions if known is None else reversed(known.damaged):
        if not (snapshot.read(session_path(name)) or b"").startswith(b"---\nsession: "):
            read_session(snapshot, name)


def _withhold(snapshot: Snapshot, lived: Conversation) -> tuple[Conversation, int]:
    """Return the conversation without what this kit purged, and how many messages held it."""
    if not any(event.kind == PURGE for event in read_events(snapshot)):
        return lived, 0
    from reel_cli.features.record.erasure_filter import withhold_purged

    return withhold_purged(snapshot, lived)


def _may_come_again(snapshot: Snapshot, session: Session) -> bool:
    """Return whether a session was retracted, with something said in it left: not if it was purged."""
    return session.id in retracted(snapshot) and not _is_purged(session.shown())


def _is_purged(said: Sequence[Entry]) -> bool:
    return all(entry.message.text == PURGED for entry in said)


def _record_new(
    snapshot: Snapshot, conversation: Conversation, said: Sequence[str], *, now: datetime, zone: tzinfo | None
) -> RecordPlan:
    name = _next_name(snapshot, conversation, now, zone)
    path = session_path(name)
    data = render_session(name, conversation)
    if len(data) > LARGEST_FILE:
        message = f"It would be larger than {LARGEST_FILE >> 20} MB on the tape."
        raise ReelError(message, hint="record it in parts, each as a chat of its own")
    drafts: dict[str, bytes | None] = {}
    if not snapshot.sessions:
        for drafted in DRAFTED:
            drafts.update({p: snapshot.read(p) for p in snapshot.list(drafted.rstrip("/"))})
    title = conversation.title or ""
    change = with_references(
        snapshot,
        Change(
            op="record",
            summary=f"{titled(one_line(title, 60) or UNTITLED, name)}, {_count(len(said))}",
            writes={path: data, **drafts},
            trailers=(("Reel-Session", name),),
            as_found=tuple(drafts),
        ),
        said,
        name,
        now,
    )
    count = len(said)
    return RecordPlan(
        name, conversation.format, State.NEW, count, count, title, change, tuple(conversation.problems),
        undated=_began(conversation) is None, opening=opening_of(said[0]),
    )  # fmt: skip


def _began(conversation: Conversation) -> str | None:
    """Return when it began; None if it does not say."""
    return conversation.started or next((m.time for m in conversation.messages if m.time), None)


def _record_more(
    snapshot: Snapshot, conversation: Conversation, found: SessionMatch, *, now: datetime
) -> RecordPlan:
    session, more = found.session, found.more
    path = session_path(session.id)
    if found.fork is not None and conversation.key != session.key:
        # a copy has a name of its own; the session keeps the first chat's
        conversation = replace(conversation, title=None)
    title = conversation.title or told_later(snapshot, session.id).get("title") or session.title or ""
    first = next((entry.message.text for entry in session.entries if entry.number is not None), "")
    if session.id in retracted(snapshot):
        said = session.shown()
        return RecordPlan(
            session.id, conversation.format, State.KNOWN, 0, len(said), title, taken_back=True,
            purged=_is_purged(said), opening=opening_of(first),
        )  # fmt: skip
    writes: dict[str, bytes | None] = {}
    shown = session.shown()
    if more.entries:
        grown = append_entries(snapshot.read(path) or b"", more.entries, path)
        if len(grown) > LARGEST_FILE:
            message = f"{session.id} would be larger than {LARGEST_FILE >> 20} MB on the tape."
            raise ReelError(message)
        writes[path] = grown
        shown = replace(session, entries=(*session.entries, *more.entries)).shown()
    events = _learnt(snapshot, found, conversation, shown, now)
    if events:
        writes[EVENTS] = append_events(snapshot.read(EVENTS), events, EVENTS)
    result = RecordPlan(
        session.id, conversation.format, more.state, more.added, len(shown), title, None,
        tuple(conversation.problems), opening=opening_of(first),
        beside=found.fork.beside if found.fork is not None else 0,
        branched=any(event.kind == LATEST for event in events),
    )  # fmt: skip
    if not writes:
        return result
    what = (
        f"{_count(more.added)} more"
        if more.state is State.GROWN
        else f"{more.state.value}, {_count(more.added)}"
    )
    change = Change(
        op="record",
        summary=f"{titled(one_line(title, 60) or UNTITLED, session.id)}, {what}",
        writes=writes,
        trailers=(("Reel-Session", session.id),),
    )
    fresh = [e.message.text for e in more.entries if e.number is not None]
    return replace(result, change=with_references(snapshot, change, fresh, session.id, now))


def _learnt(
    snapshot: Snapshot, found: SessionMatch, conversation: Conversation, shown: Sequence[Entry], now: datetime
) -> list[Event]:
    """Return events for what is new to the tape: title, model, key, other chats of it, what is hidden.

    `shown` are the session's messages, with what is added now.
    """
    session, fork = found.session, found.fork
    known = {"title": session.title, "model": session.model, KEY: session.key}
    known.update(told_later(snapshot, session.id))
    told = {"title": conversation.title}
    if fork is None or fork.latest:
        told["model"] = conversation.model
    if session.key is None:
        told[KEY] = conversation.key
    if fork is not None:
        known |= {LATEST: latest_fork(snapshot, session), FORK: None}
        if fork.latest:
            told[LATEST] = conversation.key
        if conversation.key != session.key and list_forks(snapshot).get(conversation.key or "") != session.id:
            told[FORK] = conversation.key
    events = [(kind, text) for kind, text in told.items() if text and text != known[kind]]
    said = conversation.said()
    if [entry.message.text for entry in shown] == [message.text for message in said]:
        pairs = zip(shown, said, strict=True)
        hidden = {entry.number or 0 for entry, message in pairs if message.mark == HIDDEN}
        now_there = replace(session, entries=shown)
        if hidden != list_hidden(snapshot, now_there):
            events.append((HIDDEN, tell_numbers(hidden)))
    return [Event(0, kind, stamp(now), text, session.id) for kind, text in events]


def _next_name(snapshot: Snapshot, conversation: Conversation, now: datetime, zone: tzinfo | None) -> str:
    """Return the session's ID: the day it began, if known, and a number of that day."""
    started = _began(conversation)
    day = now
    if started:
        try:
            day = datetime.fromisoformat(started)
        except ValueError:
            day = now
        if day.tzinfo is not None:
            day = day.astimezone(zone)
    prefix = f"{day.date().isoformat()}-"
    sessions = snapshot.sessions
    behind = bisect_left(sessions, (f"{prefix}~", 0), key=session_order)
    before = sessions[behind - 1] if behind else ""
    # a file that was moved to another folder comes back under its own number
    taken = [int(name[11:]) for name in (before, *snapshot.misplaced) if name.startswith(prefix)]
    return f"{prefix}{max(taken, default=0) + 1}"


def _count(messages: int) -> str:
    return f"{messages:,} message{'' if messages == 1 else 's'}"


def plan_event(snapshot: Snapshot, kind: str, text: str, session: str | None, now: datetime) -> Change:
    """Return the change for an event on the tape: a flag, a retraction or its reversal.

    Raises ReelError for a session that is not on the tape, or an empty flag.
    """
    text = text.encode("utf-8", "replace").decode()
    if session is not None:
        read_session(snapshot, session)
    if kind == "flag" and text.strip() in ("", "TEXT"):
        message = "There is nothing to mark."
        raise ReelError(message, hint="write what to remember:  reel tape flag TEXT")
    words = {
        "flag": f"{MARKED}{for_screen(': ' + one_line(text, 60))}",
        "retract": f"take back {session}",
        "reinstate": f"{session} stands again",
        "no_page": f"no page of {session} is wanted",
    }
    event = Event(0, kind, stamp(now), text.strip(), session)
    change = Change(
        op="tape",
        summary=words.get(kind, kind),
        writes={EVENTS: append_events(snapshot.read(EVENTS), [event], EVENTS)},
        trailers=(("Reel-Session", session),) if session else (),
    )
    if kind not in ("retract", "reinstate"):
        return change
    from reel_cli.core.kit.known_facts import mark_memories

    return change.also(mark_memories(snapshot, snapshot.after(change)))
