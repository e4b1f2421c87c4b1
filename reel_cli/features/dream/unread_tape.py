"""Unread parts of the tape, and the next stretch that fits a dream (Dream Weaver §3.2)."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.tape.last_turns import day_said, is_since
from reel_cli.core.tape.session_file import read_said
from reel_cli.core.tape.tape_view import correction_line, corrections, read_session, standing_sessions
from reel_cli.core.tape.transcript import shorten, tell_entries
from reel_cli.core.tokens.counter import get_tokenizer, name_counts
from reel_cli.core.values.source import Ranges, holds, to_ranges
from reel_cli.core.values.talk import Entry, SourceRange, session_order, session_path
from reel_cli.features.dream.dream import Cursor

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter

SAMPLE, MOST_SAMPLED = 1_200, 32_768
"""Bytes of a session that are counted, at least and at most, to estimate its tokens."""
LARGE_SAMPLE = 9_600
"""Bytes of a large message that are counted, at least."""
SLICE = 600
_WORDS = re.compile(r"(?s)\S*\s(.*)\s\S*")
_LETTERS = re.compile(r"(?<!\S)[^\s!-@\[-`{-~]+(?=[\s.,;:!?]|$)")
NAME_TOKENS = 4
"""Tokens of a speaker's name and of the blank line after it."""
LARGE = 6_000
"""Bytes from which on a message is counted by itself: a batch may have no room for all of it."""
SHORTEST = 40
"""Tokens of room below which a message cannot be told."""


@dataclass(frozen=True, slots=True)
class UnreadMessages:
    """The messages still to be read, by session in order, and the number of sessions.

    `tokens` is about what they take, `read` about what was read so far; `sizes` are the tokens by session:
    of what stands before, between and after its large messages, and of each of these in its place.
    """

    sessions: Mapping[str, Ranges]
    total: int
    tokens: int
    read: int = 0
    sizes: Mapping[str, Sequence[int]] = field(default_factory=dict)

    @property
    def done(self) -> int:
        """Return the sessions that were read to their end."""
        return self.total - len(self.sessions)


def find_left(overview: Snapshot, cursor: Cursor) -> UnreadMessages:
    """Return what a dream has not read yet; raises StateError if a session cannot be read."""
    names = {session_path(session): session for session in overview.sessions}
    tokenizer = overview.settings.tokenizer

    def look(path: str) -> tuple[Sequence[Sequence[int]], int, Sequence[Sequence[int]]]:
        return _look(overview.tree.read(path) or b"", path, get_tokenizer(tokenizer).count)

    notes = overview.note(
        f"to dream of, large apart by more slices, in {name_counts(tokenizer)}", names, look
    )
    shown = {names[path]: note for path, note in notes.items()}
    left: dict[str, Ranges] = {}
    sizes: dict[str, Sequence[int]] = {}
    total, whole = 0, 0
    for session in standing_sessions(overview):
        pairs, small, large = shown[session]
        there: Ranges = tuple((int(first), int(last)) for first, last in pairs)
        if not there or not is_since(overview, session, cursor.since):
            continue
        total += 1
        whole += small + sum(tokens for _, tokens in large)
        found = _without(there, cursor.read.get(session, ()))
        if found:
            left[session] = found
            sizes[session] = _sizes(found, small, _count(there) - len(large), large)
    tokens = sum(map(sum, sizes.values()))
    return UnreadMessages(left, total, tokens, whole - tokens, sizes)


def measure_word(snapshot: Snapshot, left: UnreadMessages, counter: "Counter") -> float:
    """Return how many tokens a word of the newest unread session has, by itself; 0 if it says none."""
    if not left.sessions:
        return 0
    path = session_path(max(left.sessions, key=session_order))
    _, said = read_said(snapshot.read(path) or b"", path)
    # code and addresses are no words, and would make them long
    words = _LETTERS.findall(b"\n".join(said)[-MOST_SAMPLED:].decode("utf-8", "replace"))
    return counter.count(" ".join(words)) / len(words) if words else 0


def _look(
    data: bytes, path: str, count: Callable[[str], int]
) -> tuple[Sequence[Sequence[int]], int, Sequence[Sequence[int]]]:
    """Return the messages that a session shows, an estimate of the tokens of the small ones, and the large.

    A large one is its number and its tokens.
    """
    numbers, said = read_said(data, path)
    large = [
        [number, estimate_tokens(text, count, LARGE_SAMPLE) + NAME_TOKENS]
        for number, text in zip(numbers, said, strict=True)
        if len(text) >= LARGE
    ]
    small = b"\n\n".join(text for text in said if len(text) < LARGE)
    size = estimate_tokens(small, count) + NAME_TOKENS * (len(numbers) - len(large))
    return [list(pair) for pair in to_ranges(numbers)], size, large


def _sizes(ranges: Ranges, small: int, count: int, large: Sequence[Sequence[int]]) -> list[int]:
    """Return the tokens before, between and after a session's large messages, with theirs in between.

    Of its `count` other messages, which have `small` tokens together, each is taken to have the same.
    """
    found = [0]
    for first, last in ranges:
        at = first
        for number, tokens in large:
            if first <= number <= last:
                found[-1] += small * (number - at) // max(1, count)
                found += [tokens, 0]
                at = number + 1
        found[-1] += small * (last + 1 - at) // max(1, count)
    return found


def estimate_tokens(said: bytes, count: Callable[[str], int], least: int = SAMPLE) -> int:
    """Return an estimate of a text's tokens from slices all along it, in any language and script.

    Of `least` bytes at least: one that is prose and code in turn wants more slices than one that is prose.
    """
    wanted = max(least, min(len(said) // 256, MOST_SAMPLED))
    if len(said) <= wanted + SLICE:
        return count(said.decode("utf-8", "replace"))
    slices = wanted // SLICE
    step = (len(said) - SLICE) // (slices - 1)
    told = [_whole_words(said[at : at + SLICE]) for at in range(0, step * slices, step)]
    return sum(map(count, told)) * len(said) // max(1, sum(len(one.encode()) for one in told))


def _whole_words(part: bytes) -> str:
    """Return a slice without words cut at its edges; whole if nothing separates words."""
    text = part.decode("utf-8", "ignore")
    found = _WORDS.fullmatch(text)
    return f"{found[1]} " if found and len(found[1]) * 2 > len(text) else text


def _count(ranges: Ranges) -> int:
    return sum(last - first + 1 for first, last in ranges)


def _without(ranges: Ranges, read: Ranges) -> Ranges:
    """Return what is in `ranges` and was not read."""
    left: list[tuple[int, int]] = []
    for first, last in ranges:
        at = first
        for begin, end in read:
            if end < at or begin > last:
                continue
            if begin > at:
                left.append((at, begin - 1))
            at = end + 1
        if at <= last:
            left.append((at, last))
    return tuple(left)


@dataclass(frozen=True, slots=True)
class SessionPart:
    """A part of one session in a batch: its messages, and how a prompt tells it."""

    session: str
    numbers: Ranges
    text: str
    shortened: int = 0
    """Number of its messages that did not fit whole."""

    @property
    def spans(self) -> tuple[SourceRange, ...]:
        """Return the stretches of the tape."""
        return tuple(SourceRange(self.session, first, last) for first, last in self.numbers)


def collect(
    snapshot: Snapshot, left: Mapping[str, Ranges], room: int, counter: "Counter"
) -> list[SessionPart]:
    """Return as many whole sessions as fit into `room` tokens, in order; splits a longer one at its turns.

    At least one message is in it, cut in its middle where it is larger than the room.
    """
    batch: list[SessionPart] = []
    used = 0
    for session, numbers in left.items():
        units, heading, whole = _units(snapshot, session, numbers, room, counter)
        size = sum(tokens for _, _, tokens in units)
        if whole and used + size <= room:
            batch.append(_told(session, heading, units))
            used += size
            continue
        if batch and size <= room:
            # the next batch holds it whole
            break
        part = _first_turns(units, room - used)
        if not part and not batch:
            part = _first_messages(units, room)
        if part:
            batch.append(_told(session, heading, part))
        elif not batch:
            entry, unit, _ = units[0]
            cut = shorten(unit, max(room, SHORTEST), counter)
            batch.append(SessionPart(session, to_ranges([entry.number or 0]), heading + cut, 1))
        break
    return batch


_Unit = tuple[Entry, str, int]


def _units(
    snapshot: Snapshot, session: str, numbers: Ranges, room: int, counter: "Counter"
) -> tuple[list[_Unit], str, bool]:
    """Return the messages with their tokens, the heading, and whether these are all messages.

    Of a session that is larger than the room only as much is told as could be used.
    """
    found = read_session(snapshot, session)
    shown = found.shown()
    entries = [entry for entry in shown if holds(numbers, entry.number or 0)]
    heading = session_heading(session, found.title or "", goes_on=entries[0] is not shown[0])
    whole = [event for event in corrections(snapshot).get(session, ()) if event.about is None]
    heading += "".join(f"[{correction_line(event)}]\n\n" for event in whole)
    used = 0
    units: list[_Unit] = []
    day = session[:10]
    for entry, told in tell_entries(snapshot, session, entries):
        said = day_said(session, entry.message.time or "")
        unit, day = (told if said == day else f"[{day_in_words(date.fromisoformat(said))}]\n\n{told}"), said
        tokens = counter.count(unit) + 1 + (0 if units else counter.count(heading) + 1)
        units.append((entry, unit, tokens))
        used += tokens
        if used > room:
            break
    return units, heading, len(units) == len(entries)


def session_heading(session: str, title: str, *, goes_on: bool) -> str:
    """Return the day of a session, and which of that day's it is."""
    number = int(session[11:])
    told = day_in_words(date.fromisoformat(session[:10]))
    told += f", talk {number} of that day" if number > 1 else ""
    told += f": {' '.join(title.split())}" if title else ""
    return f"[{told}{' (it goes on)' if goes_on else ''}]\n\n"


def _told(session: str, heading: str, units: Sequence[_Unit]) -> SessionPart:
    numbers = to_ranges(entry.number or 0 for entry, _, _ in units)
    return SessionPart(session, numbers, heading + "".join(unit for _, unit, _ in units))


def _first_turns(units: Sequence[_Unit], room: int) -> list[_Unit]:
    """Return as many turns as fit, each a user's message with the answers to it."""
    kept: list[_Unit] = []
    turn: list[_Unit] = []
    for unit in units:
        if unit[0].message.role == "user" and turn:
            kept += turn
            turn = []
        turn.append(unit)
        room -= unit[2]
        if room < 0:
            return kept
    return [*kept, *turn]


def _first_messages(units: Sequence[_Unit], room: int) -> list[_Unit]:
    kept: list[_Unit] = []
    for unit in units:
        room -= unit[2]
        if room < 0:
            break
        kept.append(unit)
    return kept
