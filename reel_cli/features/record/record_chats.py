"""Recording of conversations: one, or a whole export, committed in batches or as one change."""

import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import field, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.tape.continuation import State
from reel_cli.core.values.change import Change
from reel_cli.features.record.plan import RecordPlan, plan_recording
from reel_cli.features.record.source_files import note_sources

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.choice import ConversationOffer
    from reel_cli.features.record.read_chats import ChatOutlines
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

_TOLD = (State.NEW, State.GROWN, State.CORRECTED, State.KNOWN)
"""The order in which states are summed up."""
_DETAILS = re.compile(r" \([^()]*\)$")
"""Pattern of the end of a remark: how often and where it applies."""
_LIKE = "begins like another chat, and is kept beside it"
BATCH_SESSIONS = 300
BATCH_BYTES = 128 * 1024 * 1024
"""Bytes committed at once; Ctrl-C loses no more than the current batch."""


@frozen
class LeftOut:
    """A conversation that cannot go on the tape, and why, in words."""

    why: str
    hint: str | None = None


@mutable
class Tally:
    """The results of many recordings, counted; `added` counts messages that are new on the tape."""

    states: Counter[State] = field(default_factory=Counter)
    added: int = 0
    undated: int = 0
    """Number of new ones without a date."""
    taken_back: list[str] = field(default_factory=list)
    purged: int = 0
    problems: dict[str, list[str]] = field(default_factory=dict)
    """Problems while reading, by kind, with the places where they occurred."""

    @property
    def count(self) -> int:
        """Return the number of conversations."""
        return self.states.total()

    def add(self, name: str, found: RecordPlan) -> None:
        """Count one; `name` is what to call it where it is an example."""
        self.states[found.state] += 1
        self.added += found.added
        self.undated += found.undated
        self.purged += found.purged
        if found.taken_back and not found.purged:
            self.taken_back.append(found.session)
        if found.like:
            self.problems.setdefault(_LIKE, []).append(name)
        for problem in found.problems:
            self.problems.setdefault(_DETAILS.sub("", problem), []).append(name)

    def states_in_words(self) -> str:
        """Return the counts of the states in words: `548 new, 2 grown, 1 known`."""
        return ", ".join(f"{self.states[state]:,} {state.value}" for state in _TOLD if self.states[state])


def squash(parts: Sequence[RecordPlan]) -> Change | None:
    """Return one change for all of `parts`, each planned on those before it; None for none.

    Its commit names every session it touches.
    """
    changes = [part.change for part in parts if part.change is not None]
    if len(changes) < 2:
        return changes[0] if changes else None
    sessions = list(dict.fromkeys(part.session for part in parts if part.change is not None))
    days = sorted(session[:10] for session in sessions)
    span = days[0] if days[0] == days[-1] else f"{days[0]} to {days[-1]}"
    added = sum(part.added for part in parts)
    count = f"{len(changes):,} conversations ({span}), {added:,} message{'' if added == 1 else 's'}"
    writes: dict[str, bytes | None] = {}
    reads: dict[str, bytes | None] = {}
    for change in changes:
        # what a later part read from an earlier one is not on the disk yet
        reads.update({path: data for path, data in change.reads.items() if path not in writes})
        writes.update(change.writes)
    others = _once(pair for change in changes for pair in change.trailers if pair[0] != "Reel-Session")
    notes = tuple(dict.fromkeys(note for change in changes for note in change.notes))
    trailers = (*(("Reel-Session", session) for session in sessions), *others)
    as_found = tuple(dict.fromkeys(path for change in changes for path in change.as_found))
    return Change("record", count, writes, trailers, notes, reads, as_found=as_found)


def _once(pairs: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    yield from dict.fromkeys(pairs)


@mutable
class Outcome:
    """The result for each conversation, in the order in which they were recorded."""

    recorded: "list[tuple[ConversationOffer, RecordPlan]]" = field(default_factory=list)
    left_out: "list[tuple[ConversationOffer, LeftOut]]" = field(default_factory=list)
    committed: int = 0
    """Number of conversations of which something was committed."""


def record_one(
    context: "Context",
    talk: "Conversation",
    *,
    session: str | None = None,
    again: bool = False,
    dry_run: bool = False,
) -> "RecordPlan":
    """Record one conversation as its own commit, on the kit as it stands now.

    `session`: the one on the tape that it continues. `again`: the person named it, so a chat whose session
    was taken back becomes a new one.
    """
    opened = context.open_kit()
    if not dry_run:
        opened.bring_back_records()
    found = _plan(opened, opened.snapshot, opened.state.handed_out(), talk, session, again=again)
    if found.change is not None and not dry_run:
        opened.commit(found.change)
    return found


def record_chosen(  # noqa: PLR0913 (what to record, and the ways in which a person may want it)
    context: "Context",
    gathered: "ChatOutlines",
    chosen: "Sequence[ConversationOffer]",
    *,
    session: str | None = None,
    again: bool = False,
    dry_run: bool = False,
    squashed: bool = False,
) -> Outcome:
    """Record many, oldest first, so that the sessions of a day and the history follow time.

    A branch comes after the chat it was copied from, which gives the session its name.

    What cannot be recorded is left out and told, unless it is all there is: then its error is
    raised. Commits go in batches; `squashed` makes all of it one commit. Where the person stops,
    what is committed stays, and the context says how much that is. `again`: a chat whose session was
    taken back becomes a new one.
    """
    opened = context.open_kit()
    if not dry_run:
        opened.bring_back_records()
    now = opened.now()
    order = sorted(chosen, key=lambda item: (item.when(now), item.branch))
    outcome = Outcome()
    with _telling_how_far(context, outcome, len(order)):
        what = "Looking" if dry_run else "Recording"
        with opened.console.progress(what, sum(item.messages for item in order)) as advance:
            batches = _Batches(opened, outcome, advance, endless=squashed or dry_run, again=again)
            try:
                for item in order:
                    talk = gathered.conversation(item)
                    batches.add(item, talk, alone=len(order) == 1, session=session)
                    if batches.full:
                        batches.commit(squashed=False)
                if not dry_run:
                    batches.commit(squashed=squashed)
            finally:
                opened.drop_ahead()
    if not dry_run:
        note_sources(opened, ((item.source, item.place) for item, _ in outcome.recorded))
    return outcome


class _Batches:
    """Recordings planned on top of one another, and committed together."""

    def __init__(
        self,
        opened: "OpenKit",
        outcome: Outcome,
        advance: Callable[[float], None],
        *,
        endless: bool,
        again: bool,
    ) -> None:
        self._opened = opened
        self._handed = opened.state.handed_out()
        self._outcome = outcome
        self._advance = advance
        self._endless = endless
        self._again = again
        self._planned: Snapshot = opened.snapshot
        self._waiting: list[RecordPlan] = []
        self._written: dict[str, int] = {}
        self._bytes = self._planned_since = 0
        self._uncommitted = 0.0

    @property
    def full(self) -> bool:
        """Return whether it is time to commit what waits, and to free what was read for it."""
        if self._endless and self._written:
            return False
        return self._planned_since >= BATCH_SESSIONS or self._bytes >= BATCH_BYTES

    def add(
        self, item: "ConversationOffer", talk: "Conversation", *, alone: bool, session: str | None
    ) -> None:
        """Plan one more; where it cannot be recorded, note why."""
        self._planned_since += 1
        try:
            found = _plan(self._opened, self._planned, self._handed, talk, session, again=self._again)
        except StateError:
            raise
        except ReelError as error:
            if alone:
                raise
            self._outcome.left_out.append((item, LeftOut(error.message, error.hint)))
            return
        finally:
            # planning and committing take about the same time
            part = item.messages if self._endless else item.messages / 2
            self._advance(part)
            self._uncommitted += item.messages - part
        if found.change is not None:
            self._planned = self._planned.after(found.change)
            self._keep(found, found.change)
            self._bytes += sum(len(data) for data in found.change.writes.values() if data)
            if not self._endless:
                self._opened.store_ahead(found.change)
        self._outcome.recorded.append((item, replace(found, change=None)))

    def _keep(self, found: "RecordPlan", change: "Change") -> None:
        """Keep it until it is committed; where all become one change, a file only as the last leaves it."""
        for path in change.writes if self._endless else ():
            earlier = self._written.get(path)
            if earlier is not None and (was := self._waiting[earlier].change) is not None:
                bare = replace(was, writes={**was.writes, path: None})
                self._waiting[earlier] = replace(self._waiting[earlier], change=bare)
        self._written.update(dict.fromkeys(change.writes, len(self._waiting)))
        self._waiting.append(found)

    def commit(self, *, squashed: bool) -> None:
        """Commit what waits, and go on from the kit as it is then."""
        changes = [found.change for found in self._waiting if found.change is not None]
        if squashed and changes:
            whole = squash(self._waiting)
            changes = [whole] if whole is not None else []
        self._opened.commit_all(changes)
        self._outcome.committed += len(self._waiting)
        self._planned = self._opened.snapshot
        self._waiting, self._bytes, self._planned_since = [], 0, 0
        self._written.clear()
        self._advance(self._uncommitted)
        self._uncommitted = 0.0


def _plan(  # noqa: PLR0913 (what to plan, on what, and how)
    opened: "OpenKit",
    snapshot: "Snapshot",
    handed: Sequence[str],
    talk: "Conversation",
    session: str | None,
    *,
    again: bool,
) -> "RecordPlan":
    return plan_recording(
        snapshot,
        talk,
        handed=handed,
        now=opened.now(),
        zone=opened.zone,
        session=session,
        known=opened.known,
        again=again,
    )


@contextmanager
def _telling_how_far(context: "Context", outcome: Outcome, count: int) -> Iterator[None]:
    """Record in the context what is committed, in case of a stop or a failure between batches."""
    before = len(context.done)
    try:
        yield
    except KeyboardInterrupt:
        committed = len(context.done) - before
        if committed and count > 1:
            if committed > 1:
                context.done[before:] = [f"recorded {committed:,} of {count:,} conversations"]
            context.waiting = "run the same command again; it goes on where it stopped"
        raise
    except ReelError as error:
        if not outcome.committed:
            raise
        done = f"{outcome.committed:,} of {count:,} conversations are recorded already and stay so"
        hint = f"{error.hint}; {done}" if error.hint else done
        raise type(error)(error.message, hint=hint) from error
