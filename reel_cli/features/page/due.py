"""Due pages: sessions without a checkpoint, stretches of tape without a memory (REEL §6.2, §6.6)."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from reel_cli.core.files.checkpoint_file import SHORT, read_checkpoint
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.ports import bring, is_brought
from reel_cli.core.tape.rhythm import tell_rhythm
from reel_cli.core.tape.tape_view import count_said, read_events, read_session, said_after, standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.due import Due
from reel_cli.core.values.memory import EXPERIENCE
from reel_cli.core.values.settings import TURNS
from reel_cli.core.values.source import SourceRange
from reel_cli.core.values.talk import Event

MOST_NAMED = 5
"""Number of sessions without a memory up to which each is named; a whole imported export is one line."""

HALF = "half of the page"
MOMENT = 8
"""Messages up to which a memory is one moment of a session; a longer one stands for the session."""
WHOLE = 1 << 30


@frozen
class HalfPage:
    """A page of which `got` of `asked` parts came through; `session` is "" for a chat not recorded yet.

    `brief` says that a short page was asked for.
    """

    op: str
    session: str
    got: int
    asked: int
    brief: bool = False

    @property
    def told(self) -> str:
        """Return how much of it there is, in words."""
        return f"{self.got} of {self.asked} parts{' of a short one' if self.brief else ''}"

    @property
    def command(self) -> str:
        """Return the command that asks for the rest."""
        if not self.session:
            return "reel end"
        if self.op == "checkpoint":
            return f"reel checkpoint --session {self.session}"
        return f"reel consolidate {self.session}"


LetGo = Callable[[], Sequence[SourceRange]]
"""Function that returns the stretches of tape whose memory was deleted; called only if needed."""


def nothing_let_go() -> Sequence[SourceRange]:
    """Return no ranges, for a kit whose history is unknown."""
    return ()


def checkpoint_counts(snapshot: Snapshot) -> Mapping[str, int]:
    """Return how many checkpoints each session has."""
    counts: dict[str, int] = {}
    for path in snapshot.checkpoints:
        session = PurePosixPath(path).stem.rpartition(".")[0]
        counts[session] = counts.get(session, 0) + 1
    return counts


def checkpoints_of(snapshot: Snapshot, session: str) -> Sequence[str]:
    """Return the checkpoint files of one session, oldest first."""
    return [p for p in snapshot.checkpoints if PurePosixPath(p).stem.rpartition(".")[0] == session]


@frozen
class PageNote:
    """A checkpoint's counts: messages it looks back on, when it was kept, which flags were asked about.

    `messages` is None where the file does not say, and `flags` where reel did not note it yet. `short` says
    that it is of a short page.
    """

    messages: int | None
    kept: str
    flags: Sequence[str] | None
    short: bool = False


def page_notes(snapshot: Snapshot) -> Mapping[str, PageNote]:
    """Return a note of each checkpoint file by its path, oldest first; an overview keeps them."""

    def note(path: str) -> list[object]:
        fields = read_checkpoint(snapshot.text(path) or "", path)
        seen, flags = fields.get("messages", ""), fields.get("flags_asked")
        kept = fields.get("kept") or fields.get("timestamp", "")
        asked = None if flags is None else flags.splitlines()
        return [int(seen) if seen.isdigit() else -1, kept, asked, fields.get("page") == SHORT]

    notes: Mapping[str, Any] = snapshot.note("pages and their length", snapshot.checkpoints, note)
    return {
        path: PageNote(None if notes[path][0] < 0 else notes[path][0], *notes[path][1:])
        for path in snapshot.checkpoints
    }


def short_sessions(snapshot: Snapshot) -> frozenset[str]:
    """Return the sessions whose newest page is a short one."""
    short = {
        PurePosixPath(path).stem.rpartition(".")[0]: page.short for path, page in page_notes(snapshot).items()
    }
    return frozenset(session for session, is_short in short.items() if is_short)


def last_checkpoint(snapshot: Snapshot, session: str) -> Mapping[str, str] | None:
    """Return the keys of a session's newest checkpoint."""
    mine = checkpoints_of(snapshot, session)
    return read_checkpoint(snapshot.text(mine[-1]) or "", mine[-1]) if mine else None


def flags_of(snapshot: Snapshot, session: str) -> Sequence[str]:
    """Return what the checkpoints of one session marked as not to fade."""
    flags: list[str] = []
    for path in checkpoints_of(snapshot, session):
        flags += read_checkpoint(snapshot.text(path) or "", path).get("significance_flags", "").splitlines()
    return [flag for flag in flags if flag.strip()]


def new_messages(snapshot: Snapshot, session: str) -> int:
    """Return how many messages the session has had since its last checkpoint."""
    said = len(read_session(snapshot, session).shown())
    last = last_checkpoint(snapshot, session)
    if last is None:
        return said
    seen = last.get("messages", "")
    return max(0, said - int(seen)) if seen.isdigit() else 0


def without_checkpoint(snapshot: Snapshot) -> str | None:
    """Return the newest session that lacks a checkpoint, or has grown since its last one."""
    standing = standing_sessions(snapshot)
    if standing and new_messages(snapshot, standing[-1]) > 0:
        return standing[-1]
    counts = checkpoint_counts(snapshot)
    return next((s for s in reversed(standing) if s not in counts), None)


def remembered(snapshot: Snapshot) -> Mapping[str, Sequence[SourceRange]]:
    """Return the stretches of tape that memories and index lines cover, by session."""

    def collect(rings: Snapshot) -> Mapping[str, Sequence[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for memory in rings.memories.values():
            line = rings.index.lines.get(memory.id)
            if line is not None and EXPERIENCE in line.tags:
                continue
            spans = memory.source or tuple(SourceRange(s, 1, 0) for s in memory.sessions)
            for span in spans:
                found.setdefault(span.session, []).append((span.first, span.last))
        for line in rings.index.lines.values():
            if line.where is not None and line.pruned:
                found.setdefault(line.where.session, []).append((line.where.first, line.where.last))
        return found

    noted = snapshot.note_rings("remembered", collect)
    return {name: [SourceRange(name, first, last) for first, last in spans] for name, spans in noted.items()}


def open_span(
    snapshot: Snapshot, session: str, known: Mapping[str, Sequence[SourceRange]] | None = None
) -> SourceRange | None:
    """Return the stretch of a session that no memory covers yet; None if all is remembered.

    It runs from the first such message to the last, so that what was corrected late is in it. `known` are
    the stretches that count as remembered, else those that `remembered` finds.
    """
    spans = (remembered(snapshot) if known is None else known).get(session, ())
    if any(span.last == 0 for span in spans):
        return None
    numbers = [entry.number or 0 for entry in read_session(snapshot, session).shown()]
    left = [n for n in numbers if not any(s.first <= n <= s.last for s in spans)]
    return SourceRange(session, min(left), max(left)) if left else None


def unremembered(snapshot: Snapshot, let_go: LetGo = nothing_let_go) -> Sequence[str]:
    """Return sessions without memory, and the newest if part of it has none; oldest first.

    A moment that was made a memory by itself does not stand for its session. What had a memory that was
    let go is not asked for again.
    """
    return _account(snapshot, let_go)[1]


def accounted(snapshot: Snapshot, let_go: LetGo) -> Mapping[str, Sequence[SourceRange]]:
    """Return the stretches that need no memory, by session: those that have one, or had one that was let go.

    What was let go is only looked up where something has no memory.
    """
    return _account(snapshot, let_go)[0]


def _account(snapshot: Snapshot, let_go: LetGo) -> tuple[Mapping[str, Sequence[SourceRange]], Sequence[str]]:
    """Return the stretches that need no memory, by session, and the sessions that need one."""
    known = remembered(snapshot)
    left = _without_memory(snapshot, known)
    gone = let_go() if left else ()
    if not gone:
        return known, left
    wider = {session: list(spans) for session, spans in known.items()}
    for span in gone:
        if span not in wider.setdefault(span.session, []):
            wider[span.session].append(span)
    return wider, _without_memory(snapshot, wider)


def _without_memory(snapshot: Snapshot, known: Mapping[str, Sequence[SourceRange]]) -> Sequence[str]:
    standing = standing_sessions(snapshot)
    covered = {s: sum(span.last - span.first + 1 if span.last else WHOLE for span in known[s]) for s in known}
    said = count_said(snapshot, [s for s in standing if covered.get(s, 0) <= MOMENT])
    longer = grown_sessions(snapshot, known)
    return [
        session
        for session in standing
        if said.get(session, 0) > 2 * covered.get(session, 0)
        or session in longer
        or (session in known and session == standing[-1] and open_span(snapshot, session, known) is not None)
    ]


def grown_sessions(
    snapshot: Snapshot, known: Mapping[str, Sequence[SourceRange]] | None = None
) -> Mapping[str, int]:
    """Return the sessions that go on after all that is remembered of them, and by how many messages.

    One answer that was edited later is no such message. `known` are the stretches that count as remembered.
    """
    known = remembered(snapshot) if known is None else known
    ends = {
        session: max(span.last for span in known[session])
        for session in standing_sessions(snapshot)
        if session in known and all(span.last for span in known[session])
    }
    return {session: count for session, count in said_after(snapshot, ends).items() if count}


def pending_flags(snapshot: Snapshot) -> Mapping[str, Event]:
    """Return the flags that no kept page was asked about, oldest first, each by a mark without its words.

    A checkpoint names the flags in its prompt. One that an older reel kept was asked about all that were
    flagged before.
    """
    flags: dict[str, Event] = {}
    for event in read_events(snapshot):
        if event.kind == "flag":
            same = sum(other.at == event.at for other in flags.values())
            flags[f"{event.at} {same + 1}" if same else event.at] = event
    if not flags:
        return flags
    notes = page_notes(snapshot).values()
    asked = {mark for page in notes for mark in page.flags or ()}
    taken = max((moment(page.kept) for page in notes if page.flags is None), default=moment(""))
    return {mark: one for mark, one in flags.items() if mark not in asked and moment(one.at) > taken}


def loops_asked(snapshot: Snapshot) -> frozenset[str]:
    """Return the open loops that kept pages were asked about by name, because their day had passed."""

    def note(path: str) -> list[str]:
        return read_checkpoint(snapshot.text(path) or "", path).get("loops_asked", "").splitlines()

    notes = snapshot.note("loops asked", snapshot.checkpoints, note)
    return frozenset(loop for loops in notes.values() for loop in loops)


def list_due(
    snapshot: Snapshot,
    let_go: LetGo = nothing_let_go,
    halves: Mapping[str, HalfPage] | None = None,
    *,
    cold: bool = False,
) -> Sequence[Due]:
    """Return everything that the sessions ask for now, first a moment that must not fade.

    `cold`: while the kit is young every session has its checkpoint, and within one it is asked for
    twice as often (REEL §7.2); later a session that went by without one is let be. `halves` are the pages
    of which a part came through, by session.
    """
    known, left = _account(snapshot, let_go)
    paged = checkpoint_counts(snapshot)
    moments = {s: told for s in left if s in paged and (told := flagged_moment(snapshot, s, known))}
    due = [
        Due(
            "consolidation",
            f'a moment of chat {session} must not fade and has no memory yet: "{told}"',
            f"reel consolidate {session}",
        )
        for session, told in moments.items()
    ]
    pages = _due_checkpoints(snapshot, halves or {}, cold=cold)
    due += pages
    # the page of a session makes its memory, too
    newest = standing_sessions(snapshot)[-1:] if any(_asks_for_page(one) for one in pages) else []
    left = [session for session in left if session not in (*moments, *newest)]
    for part in (False, True):
        several = [session for session in left if (session in known) is part]
        if len(several) > MOST_NAMED:
            rest = " of their end" if part else ""
            why = f"{len(several)} chats have no memory{rest} yet, from {several[0]} to {several[-1]}"
            due.append(Due("consolidation", why))
            left = [session for session in left if (session in known) is not part]
    due.extend(
        Due("consolidation", f"chat {s} has no memory{' of its end' if s in known else ''} yet") for s in left
    )
    return due


def _due_checkpoints(snapshot: Snapshot, halves: Mapping[str, HalfPage], *, cold: bool) -> Sequence[Due]:
    standing = standing_sessions(snapshot)
    marked = [one_line(flag.text, 60) for flag in pending_flags(snapshot).values()]
    if not standing:
        return [Due("checkpoint", f"a moment was marked: {marked[-1]}", "reel end")] if marked else ()
    due: list[Due] = []
    newest = standing[-1]
    fresh = new_messages(snapshot, newest)
    half = halves.get(newest)
    if half is not None and half.op == "checkpoint" and fresh:
        due.append(Due("checkpoint", f"{HALF} of chat {newest} came through, {half.told}"))
        if marked:
            due.append(Due("checkpoint", f"a moment was marked after that page was asked for: {marked[-1]}"))
    elif last_checkpoint(snapshot, newest) is None and fresh:
        before = _passed_over(snapshot, standing) if cold else 0
        more = (
            ", nor has the one before it"
            if before == 1
            else f", nor have the {before:,} before it"
            if before
            else ""
        )
        rhythm = tell_rhythm(snapshot, newest, fresh)
        due.append(
            Due("checkpoint", f"chat {newest} has no page yet{more}{f'; it {rhythm}' if rhythm else ''}")
        )
    elif (another := _another_page(snapshot, newest, fresh, cold=cold)) is not None:
        due.append(another)
    elif fresh and (rhythm := tell_rhythm(snapshot, newest, fresh)):
        due.append(Due("checkpoint", f"{newest} has gone on since its page; it {rhythm}"))
    elif marked:
        command = "" if fresh else f"reel checkpoint --session {newest}"
        due.append(Due("checkpoint", f"a moment was marked: {marked[-1]}", command))
    doubt = find_doubt(snapshot, standing)
    return [*due, doubt] if doubt is not None else due


def find_doubt(snapshot: Snapshot, standing: Sequence[str]) -> Due | None:
    """Return that the persona was not sure of being the same on its last page that speaks of it."""
    pages = (last_checkpoint(snapshot, session) for session in reversed(standing))
    # a short page does not speak of it
    last = next((page for page in pages if page and page.get("coherence")), None)
    if last is None or last.get("coherence") not in ("partly", "no", "unsure"):
        return None
    name = snapshot.settings.name
    return Due("identity", f"{name} was not sure of being still the same: {_short(last)}")


def _another_page(snapshot: Snapshot, session: str, fresh: int, *, cold: bool) -> Due | None:
    """Return the further page that a chat is due after so many messages; None where it is due none."""
    settings = snapshot.settings
    if fresh and settings.page_policy != TURNS and is_brought("page_rules"):
        (find,) = bring("page_rules")
        asked: Due | None = find(snapshot, session, fresh)
        return asked
    turns = settings.checkpoint_turns
    if fresh < max(1, turns // 2 if cold else turns):
        return None
    return Due("checkpoint", f"{session} has gone on for {fresh} messages since its page")


def _asks_for_page(due: Due) -> bool:
    """Return whether a page of the newest session is due that has none, or half of one."""
    return due.what == "checkpoint" and due.why.startswith((HALF, "chat "))


def _passed_over(snapshot: Snapshot, standing: Sequence[str]) -> int:
    """Return how many sessions before the newest went by since the last one with a checkpoint.

    In a kit that has none at all, what was recorded was not lived with reel.
    """
    counts = checkpoint_counts(snapshot)
    if not counts:
        return 0
    earlier = reversed(standing[:-1])
    return next((number for number, session in enumerate(earlier) if session in counts), 0)


def flagged_moment(
    snapshot: Snapshot, session: str, known: Mapping[str, Sequence[SourceRange]] | None = None
) -> str:
    """Return a line that the session's checkpoint flagged and no memory covers; "" if none.

    That is the one thing that cannot wait: later conversation dilutes it (REEL §6.2). `known` are the
    stretches that count as remembered.
    """
    flags = flags_of(snapshot, session)
    span = open_span(snapshot, session, known) if flags else None
    if span is None:
        return ""
    from reel_cli.core.evidence.phrases import Tape, find_claim

    entries = [
        e for e in read_session(snapshot, session).shown() if span.first <= (e.number or 0) <= span.last
    ]
    tape = Tape(entries)
    return next((one_line(found.text, 60) for flag in flags if (found := find_claim(tape, flag))), "")


def _short(checkpoint: Mapping[str, str]) -> str:
    text = " ".join(checkpoint.get("identity_coherence", "").split())
    return text if len(text) <= 80 else text[:79].rstrip() + "…"
