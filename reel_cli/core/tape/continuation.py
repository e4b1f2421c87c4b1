"""Match of a conversation with the tape, and the entries to add for it: pure functions.

A conversation with a key is known by it. Pasted text is known by what was said, whitespace folded: one
reading begins with the other, or most of the shorter stands in the other, in order.
"""

from bisect import bisect_left
from collections import Counter
from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import field
from datetime import timedelta
from enum import StrEnum
from itertools import pairwise
from typing import TypeAlias

from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.moment import NEVER, moment
from reel_cli.core.values.talk import Conversation, Entry, Kind, Message, Session

Pairs: TypeAlias = list[tuple[int, int]]
"""Pairs of an index in the old reading and one in the new; both increase."""


def align(old: Sequence[Hashable], new: Sequence[Hashable]) -> Pairs:
    """Pair what both readings have, in order.

    The common beginning and end; between them, what stands once in each (in the longest order that
    both agree on), and whatever is alike right beside those. No pair is ever wrong; with many
    repeated messages some may be missed. O(n log n).
    """
    head, tail = _edges(old, new, (0, 0), (len(old), len(new)))
    pairs = [(i, i) for i in range(head)]
    end = (len(old) - tail, len(new) - tail)
    at = (head, head)
    for anchor in [*_anchors(old, new, at, end), end]:
        before, after = _edges(old, new, at, anchor)
        pairs += [(at[0] + i, at[1] + i) for i in range(before)]
        pairs += [(anchor[0] - i, anchor[1] - i) for i in range(after, 0, -1)]
        if anchor != end:
            pairs.append(anchor)
        at = (anchor[0] + 1, anchor[1] + 1)
    return pairs + [(end[0] + i, end[1] + i) for i in range(tail)]


def _edges(
    old: Sequence[Hashable], new: Sequence[Hashable], start: tuple[int, int], end: tuple[int, int]
) -> tuple[int, int]:
    """Return how many items are equal at the start, and then at the end, of the stretch."""
    room = min(end[0] - start[0], end[1] - start[1])
    head = 0
    while head < room and old[start[0] + head] == new[start[1] + head]:
        head += 1
    tail = 0
    while tail < room - head and old[end[0] - 1 - tail] == new[end[1] - 1 - tail]:
        tail += 1
    return head, tail


def _anchors(
    old: Sequence[Hashable], new: Sequence[Hashable], start: tuple[int, int], end: tuple[int, int]
) -> Pairs:
    """Return pairs of items that occur exactly once in both stretches, as many as possible in order."""
    in_old, in_new = Counter(old[start[0] : end[0]]), Counter(new[start[1] : end[1]])
    where = {new[j]: j for j in range(start[1], end[1]) if in_new[new[j]] == 1}
    both = [(i, where[old[i]]) for i in range(start[0], end[0]) if in_old[old[i]] == 1 and old[i] in where]
    lasts: list[int] = []
    ends: list[int] = []
    previous: list[int] = []
    for position, (_, j) in enumerate(both):
        at = bisect_left(lasts, j)
        previous.append(ends[at - 1] if at else -1)
        lasts[at : at + 1] = [j]
        ends[at : at + 1] = [position]
    rising: Pairs = []
    position = ends[-1] if ends else -1
    while position >= 0:
        rising.append(both[position])
        position = previous[position]
    return rising[::-1]


LEAST_COMMON = 2
"""Messages in common that make one pasted text the beginning of another."""
LIKENESS = (3, 60)
"""Messages in common, and percent of the shorter reading, that make an edited one the same."""
NAMED_LIKENESS = (2, 50)
"""The same, where the person has said which session it is."""
_TELLING = 20
"""Characters from which one message alone shows that two readings overlap."""
_WORDS = 40


class State(StrEnum):
    """Results of a recording (public contract of `record --json`)."""

    NEW = "new"
    KNOWN = "known"
    GROWN = "grown"
    CORRECTED = "corrected"


@frozen
class Continuation:
    """The entries to append to a session; `common` counts the said messages that both readings have."""

    state: State
    entries: tuple[Entry, ...]
    common: int = 0

    @property
    def added(self) -> int:
        """Return the number of appended messages that count as said."""
        return sum(1 for entry in self.entries if entry.number is not None)


def match(session: Session, conversation: Conversation, *, named: bool = False) -> Continuation | None:
    """Return what `conversation` adds to `session`; None if it is another conversation.

    With the same key, the session afterwards shows exactly what the conversation holds: changed
    messages supersede, removed ones are retracted. Without one, whitespace is folded, and a
    reading that begins later or ends earlier takes nothing away. `named`: the person said that
    this continues the session, so it is never None; what overlaps nothing is appended whole.
    """
    shown, said = session.shown(), conversation.said()
    if session.key is not None and session.key == conversation.key:
        old_items = [(e.message.role, e.message.text) for e in shown]
        pairs = align(old_items, [(m.role, m.text) for m in said])
        return continue_session(session, conversation, pairs, partial=False)
    if session.key is not None and conversation.key is not None and not named:
        return None
    old, new = [_fold(e.message.text) for e in shown], [_fold(m.text) for m in said]
    pairs = align(old, new)
    if not _alike(old, new, pairs, LIKENESS) and not _same_start(session, conversation, pairs):
        if not named:
            return None
        if not _alike(old, new, pairs, NAMED_LIKENESS):
            pairs = _overlap(old, new)
    if not named and tell_apart(session, conversation, pairs) is not Likeness.ONE:
        return None
    return continue_session(session, conversation, pairs, partial=True)


def may_be_one(session: Session, conversation: Conversation) -> bool:
    """Return whether two readings that `match` takes for two chats may be of one after all."""
    if session.key is not None and conversation.key is not None:
        return False
    old = [_fold(entry.message.text) for entry in session.shown()]
    new = [_fold(message.text) for message in conversation.said()]
    pairs = align(old, new)
    alike = _alike(old, new, pairs, LIKENESS) or _same_start(session, conversation, pairs)
    return alike and tell_apart(session, conversation, pairs) is Likeness.UNSURE


def best_match(
    sessions: Iterable[Session], conversation: Conversation
) -> tuple[Session, Continuation] | None:
    """Return the session that `conversation` continues: the one with its key, else with most in common."""
    best: tuple[Session, Continuation] | None = None
    for session in sessions:
        found = match(session, conversation)
        if found is None:
            continue
        if session.key is not None and session.key == conversation.key:
            return session, found
        if best is None or found.common > best[1].common:
            best = session, found
    return best


def may_match(data: bytes, conversation: Conversation) -> bool:
    """Return whether a session file could hold the same conversation: cheap, and never wrongly False.

    For pasted text, so that not every session need be parsed: one of its first three messages has
    all its words in the file. (Only where all three were edited would a session be missed.)
    """
    for message in conversation.said()[:3]:
        words = sorted(set(message.text.split()), key=len, reverse=True)[:_WORDS]
        if all(word.encode("utf-8") in data for word in words):
            return True
    return False


def could_match(
    source: str,
    started: str | None,
    conversation: Conversation,
    old: Sequence[Hashable],
    new: Sequence[Hashable],
) -> bool:
    """Return whether `match` could match a session without the conversation's key; never wrongly False.

    `source` and `started` are the session's. `old` and `new` stand for what is shown there and what
    is said here, in order: whatever is equal for texts that fold to the same one will do, though it
    may be equal for others too.
    """
    shorter = min(len(old), len(new))
    # a pair needs one block of each side, so this is the most that can be paired
    common = sum((Counter(old) & Counter(new)).values())
    if not common:
        return False
    least, percent = LIKENESS
    if common >= least and common * 100 >= shorter * percent:
        return True
    if _same_moment(source, started, conversation):
        return True
    beginning = all(old[i] == new[i] for i in range(shorter))
    return beginning and (shorter >= LEAST_COMMON or len(old) == len(new))


def _fold(text: str) -> str:
    return " ".join(text.split())


def _alike(old: Sequence[str], new: Sequence[str], pairs: Pairs, likeness: tuple[int, int]) -> bool:
    shorter = min(len(old), len(new))
    beginning = shorter > 0 and pairs[:shorter] == [(i, i) for i in range(shorter)]
    if beginning and (shorter >= LEAST_COMMON or len(old) == len(new)):
        return True
    least, percent = likeness
    return len(pairs) >= least and len(pairs) * 100 >= shorter * percent


def _same_start(session: Session, conversation: Conversation, pairs: Pairs) -> bool:
    """Return whether both began at the same moment of the same day, to the second, and share a message."""
    return bool(pairs) and _same_moment(session.source, session.started, conversation)


def _same_moment(source: str, began: str | None, conversation: Conversation) -> bool:
    started = conversation.started
    same = started is not None and started == began and source == conversation.format
    return same and "T00:00:00" not in (started or "")


class Likeness(StrEnum):
    """Results of comparing two readings that have words in common: one chat, two, or not known for sure."""

    ONE = "one"
    TWO = "two"
    UNSURE = "unsure"


def tell_apart(session: Session, conversation: Conversation, pairs: Pairs) -> Likeness:
    """Return whether two readings with common words are of one chat; `pairs` are the common messages.

    An app that writes its times in another zone moves them by quarters of an hour, by less than most of a
    day: words that were said at other moments were said twice. A message without a time is of the moment at
    which its chat began. Without times, and by times that a zone may have moved, readings that go on
    differently are of two chats if they have different titles.
    """
    shown, said = session.shown(), conversation.said()
    if not pairs:
        return Likeness.ONE
    own = all(shown[old].message.time and said[new].time for old, new in pairs)
    begun, starts = session.started or "", conversation.started or ""
    times = [
        (moment(shown[old].message.time or begun), moment(said[new].time or starts)) for old, new in pairs
    ]
    moved = [abs(both[1] - both[0]) for both in times if NEVER not in both]
    differ = _go_on_differently(len(shown), len(said), pairs)
    if len(moved) == len(pairs):
        if max(moved) <= _PRECISION:
            return Likeness.ONE
        if min(moved) >= _MOST_ZONES and (own or differ):
            return Likeness.TWO if own else Likeness.UNSURE
        if own and differ and not any(map(_is_zone, moved)):
            return Likeness.UNSURE
    titles = {_fold(title).casefold() for title in (session.title, conversation.title) if title}
    return Likeness.UNSURE if differ and len(titles) > 1 else Likeness.ONE


def _go_on_differently(old: int, new: int, pairs: Pairs) -> bool:
    """Return whether both readings have messages of their own between the same common ones, or at an edge."""
    ends = [(-1, -1), *pairs, (old, new)]
    return any(after[0] - before[0] > 1 and after[1] - before[1] > 1 for before, after in pairwise(ends))


def _is_zone(moved: timedelta) -> bool:
    """Return whether times that moved by so much may be of one moment, written in two zones."""
    rest = moved % _QUARTER
    return moved < _MOST_ZONES and min(rest, _QUARTER - rest) <= _PRECISION


_QUARTER = timedelta(minutes=15)
_PRECISION = timedelta(seconds=90)
"""Time by which apps that write minutes differ from those that write seconds, rounded up."""
_MOST_ZONES = timedelta(hours=15)
"""Time by which two zones may differ, rounded up."""


def _overlap(old: Sequence[str], new: Sequence[str]) -> Pairs:
    """Return the pairs where a pasted stretch matches the session, or the session's end matches its start."""
    for start in range(len(old) if new else 0):
        length = min(len(old) - start, len(new))
        if (length >= LEAST_COMMON or len(new[0]) >= _TELLING) and all(
            old[start + i] == new[i] for i in range(length)
        ):
            return [(start + i, i) for i in range(length)]
    return []


@mutable
class _Edits:
    """The edits by index in the new reading: the number kept, the one replaced, and those gone before it."""

    kept: dict[int, int] = field(default_factory=dict)
    replaced: dict[int, int] = field(default_factory=dict)
    gone: dict[int, list[Entry]] = field(default_factory=dict)

    @property
    def last_fixed(self) -> int:
        """Return the last index with a fixed place; new messages after it go to the end."""
        return max([*self.kept, *self.replaced], default=-1)


def _edits(shown: Sequence[Entry], said: Sequence[Message], pairs: Pairs, *, partial: bool) -> _Edits:
    edits = _Edits()
    start, new_start = 0, 0
    if partial and not pairs:
        return edits
    for end, new_end in [*pairs, (len(shown), len(said))]:
        at_edge = start == 0 or end == len(shown)
        if not (partial and at_edge and new_start == new_end):
            _compare_gap(edits, shown[start:end], said, range(new_start, new_end))
        if end < len(shown):
            edits.kept[new_end] = shown[end].number or 0
        start, new_start = end + 1, new_end + 1
    return edits


def _compare_gap(edits: _Edits, olds: Sequence[Entry], said: Sequence[Message], new: range) -> None:
    """Pair each new message with the next old one of the same role; record the unpaired old ones as gone."""
    at = 0
    gone: list[Entry] = []
    used_up: set[str] = set()
    for j in new:
        role = said[j].role
        if role in used_up:
            continue
        found = next((i for i in range(at, len(olds)) if olds[i].message.role == role), None)
        if found is None:
            used_up.add(role)
            continue
        edits.replaced[j] = olds[found].number or 0
        gone += olds[at:found]
        at = found + 1
    gone += olds[at:]
    if gone:
        edits.gone[new.stop] = gone


def continue_session(
    session: Session, conversation: Conversation, pairs: Pairs, *, partial: bool
) -> Continuation:
    """Return what a conversation adds to a session; `pairs` are the messages that both have.

    Afterwards it shows what the conversation holds; with `partial`, also what it had before and behind.
    """
    edits = _edits(session.shown(), conversation.said(), pairs, partial=partial)
    held = TapeEntries(session)
    last = len(session.numbered())
    current, index = 0, -1
    entries: list[Entry] = []
    for message in conversation.messages:
        if message.kind is not Kind.SAID:
            if not held.take(message):
                entries.append(Entry(None, message, after=None if current == last else current))
            continue
        index += 1
        entries += _retraction(edits.gone, index)
        if index in edits.kept:
            current = edits.kept[index]
            continue
        supersedes = (edits.replaced[index],) if index in edits.replaced else ()
        after = current if index < edits.last_fixed and not supersedes else None
        last += 1
        entries.append(Entry(last, message, after=after, supersedes=supersedes))
        current = last
    entries += _retraction(edits.gone, index + 1)
    corrected = any(e.supersedes or (e.number and e.after is not None) for e in entries)
    state = State.CORRECTED if corrected else State.GROWN if entries else State.KNOWN
    return Continuation(state, tuple(entries), len(pairs))


def _retraction(gone: Mapping[int, Sequence[Entry]], index: int) -> list[Entry]:
    olds = gone.get(index, ())
    if not olds:
        return []
    numbers = tuple(old.number for old in olds if old.number is not None)
    return [Entry(None, Message(olds[0].message.role, "", Kind.RETRACTION), supersedes=numbers)]


class TapeEntries:
    """The entries on the tape beside the said messages; each accounts for one message of its kind."""

    def __init__(self, session: Session) -> None:
        self._extras: Counter[tuple[Kind, str]] = Counter(
            (e.message.kind, e.message.text) for e in session.entries if e.message.kind is not Kind.SAID
        )
        self._said = {e.message.text for e in session.numbered().values()}

    def take(self, message: Message) -> bool:
        """Return whether the message is on the tape already, and use it up; answers are not repeated."""
        if message.kind is Kind.VERSION and message.text in self._said:
            return True
        held = self._extras[message.kind, message.text] > 0
        if held:
            self._extras[message.kind, message.text] -= 1
        return held
