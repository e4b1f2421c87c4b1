"""Due pages: sessions without a checkpoint, stretches of tape without a memory (REEL §6.2, §6.6)."""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.ports import bring, is_brought
from reel_cli.core.tape.tape_view import count_said, read_session, said_after, standing_sessions
from reel_cli.core.values.change import in_short, one_line
from reel_cli.core.values.due import Due
from reel_cli.core.values.memory import EXPERIENCE
from reel_cli.core.values.settings import TURNS
from reel_cli.core.values.source import SourceRange
from reel_cli.features.page.kept_pages import (
    checkpoint_counts,
    flags_of,
    last_checkpoint,
    new_messages,
    pending_flags,
)

MOST_NAMED = 5
"""Number of sessions without a memory up to which each is named; a whole imported export is one line."""

PART = "part of the page"
STOPPED_PAGE = "the page of chat"
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


class Stretches(Mapping[str, Sequence[SourceRange]]):
    """Stretches of tape by session; there may be tens of thousands, and most commands ask for few of them."""

    def __init__(self, noted: Mapping[str, Sequence[Any]]) -> None:
        """Take for each session what `_count` returns of its stretches."""
        self._noted = noted

    def __getitem__(self, session: str) -> Sequence[SourceRange]:
        """Return the stretches of a session."""
        numbers = [int(number) for number in self._noted[session][2].split()]
        return [
            SourceRange(session, first, last) for first, last in zip(numbers[::2], numbers[1::2], strict=True)
        ]

    def __contains__(self, session: object) -> bool:
        """Return whether a session has any."""
        return session in self._noted

    def __iter__(self) -> Iterator[str]:
        """Yield the sessions that have any."""
        return iter(self._noted)

    def __len__(self) -> int:
        """Return the count of these sessions."""
        return len(self._noted)

    def covered(self, session: str) -> int:
        """Return how many messages of a session are in a stretch, twice where two have it; 0 for none."""
        noted = self._noted.get(session)
        return noted[0] if noted is not None else 0

    def end(self, session: str) -> int:
        """Return the last message of a session that is in a stretch; 0 where all are, or none."""
        noted = self._noted.get(session)
        return noted[1] if noted is not None else 0

    def with_more(self, spans: Iterable[SourceRange]) -> "Stretches":
        """Return these and others."""
        more: dict[str, list[tuple[int, int]]] = {}
        for span in spans:
            if span.session not in more:
                more[span.session] = [(own.first, own.last) for own in self.get(span.session, ())]
            if (span.first, span.last) not in more[span.session]:
                more[span.session].append((span.first, span.last))
        return Stretches({**self._noted, **{session: _count(own) for session, own in more.items()}})


def _count(spans: Sequence[tuple[int, int]]) -> tuple[int, int, str]:
    """Return how many messages these stretches cover, the last of them (0 for all), and their numbers."""
    covered = sum(last - first + 1 if last else WHOLE for first, last in spans)
    end = max(last for _, last in spans) if all(last for _, last in spans) else 0
    return covered, end, " ".join(f"{first} {last}" for first, last in spans)


def remembered(snapshot: Snapshot) -> Stretches:
    """Return the stretches of tape that memories and index lines cover, by session."""

    def collect(rings: Snapshot) -> Mapping[str, tuple[int, int, str]]:
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
        return {session: _count(spans) for session, spans in found.items()}

    return Stretches(snapshot.note_rings("remembered", collect))


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


def accounted(snapshot: Snapshot, let_go: LetGo) -> Stretches:
    """Return the stretches that need no memory, by session: those that have one, or had one that was let go.

    What was let go is only looked up where something has no memory.
    """
    return _account(snapshot, let_go)[0]


def _account(snapshot: Snapshot, let_go: LetGo) -> tuple[Stretches, Sequence[str]]:
    """Return the stretches that need no memory, by session, and the sessions that need one."""
    known = remembered(snapshot)
    left = _without_memory(snapshot, known)
    gone = let_go() if left else ()
    if not gone:
        return known, left
    wider = known.with_more(gone)
    return wider, _without_memory(snapshot, wider)


def _without_memory(snapshot: Snapshot, known: Stretches) -> Sequence[str]:
    standing = standing_sessions(snapshot)
    said = count_said(snapshot, [s for s in standing if known.covered(s) <= MOMENT])
    longer = grown_sessions(snapshot, known)
    return [
        session
        for session in standing
        if said.get(session, 0) > 2 * known.covered(session)
        or session in longer
        or (session in known and session == standing[-1] and open_span(snapshot, session, known) is not None)
    ]


def grown_sessions(
    snapshot: Snapshot, known: Stretches | None = None, among: Collection[str] | None = None
) -> Mapping[str, int]:
    """Return the sessions that go on after all that is remembered of them, and by how many messages.

    One answer that was edited later is no such message. `known` are the stretches that count as remembered.
    With `among`, only these sessions are looked at.
    """
    known = remembered(snapshot) if known is None else known
    ends = {
        session: end
        for session in standing_sessions(snapshot)
        if (end := known.end(session)) and (among is None or session in among)
    }
    return {session: count for session, count in said_after(snapshot, ends).items() if count}


def lacks_page(
    snapshot: Snapshot, session: str, known: Mapping[str, Sequence[SourceRange]] | None = None
) -> int:
    """Return how many messages of a session a page is to be asked for; 0 where none is wanted.

    None is where the memory of most of it was made without a page. `known` are the stretches that count as
    remembered, else those that `remembered` finds.
    """
    fresh = new_messages(snapshot, session)
    if not fresh or last_checkpoint(snapshot, session) is not None:
        return fresh
    spans = (remembered(snapshot) if known is None else known).get(session, ())
    covered = sum(span.last - span.first + 1 if span.last else WHOLE for span in spans)
    return 0 if covered * 2 >= count_said(snapshot, [session])[session] else fresh


def _tell_rhythm(snapshot: Snapshot, newest: str, fresh: int, start: tuple[str, str]) -> str:
    from reel_cli.core.tape.rhythm import tell_rhythm
    from reel_cli.core.tape.session_size import StartBundle

    return tell_rhythm(snapshot, newest, fresh, StartBundle(*start))


def list_due(  # noqa: PLR0913 (all that a page may be due by)
    snapshot: Snapshot,
    let_go: LetGo = nothing_let_go,
    halves: Mapping[str, HalfPage] | None = None,
    *,
    cold: bool = False,
    asked: str | None = None,
    start: tuple[str, str] = ("", ""),
    stopped: Collection[str] = (),
) -> Sequence[Due]:
    """Return everything that the sessions ask for now, first a moment that must not fade.

    `cold`: while the kit is young every session has its checkpoint, and within one it is asked for
    twice as often (REEL §7.2); later a session that went by without one is let be. `halves` are the pages
    of which a part came through, by session. `asked` is the earlier session whose page `reel end` goes on
    with, `start` the bundle that was handed out last and when a session was last started. `stopped` are the
    sessions whose page came and is neither kept nor declined.
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
    pages = _due_checkpoints(snapshot, halves or {}, known, start, cold=cold)
    for session in standing_sessions(snapshot)[-1:]:
        came = Due("checkpoint", f"{STOPPED_PAGE} {session} came; it is neither kept nor declined")
        if session in stopped:
            pages = [came if _asks_for_page(one) else one for one in pages]
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
    # the next page of the chat that was recorded last makes the memory of its end
    last = standing_sessions(snapshot)[-1:]
    ends = [s for s in last if lacks_page(snapshot, s, known)] or [asked or ""]
    due.extend(
        Due(
            "consolidation",
            f"chat {s} has no memory{' of its end' if s in known else ''} yet",
            "reel end" if s in ends else "",
        )
        for s in left
    )
    return due


def _due_checkpoints(
    snapshot: Snapshot,
    halves: Mapping[str, HalfPage],
    known: Mapping[str, Sequence[SourceRange]],
    start: tuple[str, str],
    *,
    cold: bool,
) -> Sequence[Due]:
    standing = standing_sessions(snapshot)
    marked = [one_line(flag.text, 60) for flag in pending_flags(snapshot).values()]
    if not standing:
        return [Due("checkpoint", f"a moment was marked: {marked[-1]}", "reel end")] if marked else ()
    due: list[Due] = []
    newest = standing[-1]
    fresh = lacks_page(snapshot, newest, known)
    half = halves.get(newest)
    if half is not None and half.op == "checkpoint" and fresh:
        due.append(Due("checkpoint", f"{PART} of chat {newest} came through, {half.told}"))
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
        rhythm = _tell_rhythm(snapshot, newest, fresh, start)
        due.append(
            Due("checkpoint", f"chat {newest} has no page yet{more}{f'; it {rhythm}' if rhythm else ''}")
        )
    elif (another := _another_page(snapshot, newest, fresh, cold=cold)) is not None:
        due.append(another)
    elif fresh and (rhythm := _tell_rhythm(snapshot, newest, fresh, start)):
        due.append(Due("checkpoint", f"{newest} has gone on since its page; it {rhythm}"))
    elif marked:
        command = "" if fresh else f"reel checkpoint --session {newest}"
        due.append(Due("checkpoint", f"a moment was marked: {marked[-1]}", command))
    doubt = find_doubt(snapshot, standing)
    return [*due, doubt] if doubt is not None else due


def find_doubt(snapshot: Snapshot, standing: Sequence[str]) -> Due | None:
    """Return that the persona was not sure of being the same on its last page that speaks of it."""
    _, page = _find_doubtful_page(snapshot, standing)
    if page is None:
        return None
    name = snapshot.settings.name
    return Due("identity", f"{name} was not sure of being still the same: {_short(page)}")


def mark_doubt(snapshot: Snapshot, standing: Sequence[str]) -> str:
    """Return the mark of the page with that doubt, by which it is known once a person looked; "" for none."""
    session, page = _find_doubtful_page(snapshot, standing)
    return f"{session}: {page.get('identity_coherence', '')}" if page is not None else ""


def _find_doubtful_page(snapshot: Snapshot, standing: Sequence[str]) -> tuple[str, Mapping[str, str] | None]:
    """Return the last page that speaks of being the same, with its session; None where it has no doubt."""
    for session in reversed(standing):
        page = last_checkpoint(snapshot, session)
        # a short page does not speak of it
        if page and page.get("coherence"):
            return session, page if page["coherence"] in ("partly", "no", "unsure") else None
    return "", None


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
    return due.what == "checkpoint" and due.why.startswith((PART, STOPPED_PAGE, "chat "))


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
    # a colon and a command follow
    return in_short(checkpoint.get("identity_coherence", ""), 80).rstrip(" .;:,")
