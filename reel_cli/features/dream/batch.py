"""One batch of a dream: what it tells, the prompt that asks about it, and how it waits for its reply."""

import zlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import NOT_STORED, Exchange
from reel_cli.core.moment import day_in_words
from reel_cli.core.values.settings import Settings
from reel_cli.core.values.source import Ranges
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.dream.cursor_file import render_ranges
from reel_cli.features.dream.dream import Cursor, shows_sessions
from reel_cli.features.dream.later_corrections import find_later, heard_of, tell_later
from reel_cli.features.dream.notes import has_dreamt, tell_notes
from reel_cli.features.dream.reply import Stretch, render_dream
from reel_cli.features.dream.story.mentions import find_mentions, tell_mentions
from reel_cli.features.dream.story.promises import find_promises, tell_promises
from reel_cli.features.dream.story.resting_threads import list_standing
from reel_cli.features.dream.unread_tape import UnreadMessages, collect

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

KIND = "dream"
NAME = "dream.batch"
"""Name under which the batch that waits for its reply is remembered: one at a time."""
MOST_WRITING = 16_384
"""Maximum tokens left free to think and write in."""
LEAST_SAID = 200
"""Tokens of conversation below which a window is too small."""
MOST_LATER = 1_500
"""Maximum tokens of later corrections in one prompt."""
_THREADS = 16
"""The part of a window that threads may take which were spoken of again, and as much for promises."""
_WORDS = (120, 1_200)
"""The story of one batch has so many words, at least and at most, in a window of `_USUAL` tokens or less."""
_USUAL = 65_536
_MOST_WORDS = 3_000
"""Words that the story of one batch has at most in a larger window, in proportion to it."""


@dataclass(frozen=True, slots=True)
class Batch(Exchange):
    """A batch that was, or could be, handed out; `replies` are the earlier, incomplete ones."""

    kind = KIND
    name = NAME

    number: int
    parts: Mapping[str, Ranges]
    prompt: str
    ring0: str
    words: int
    replies: tuple[str, ...] = ()
    shortened: int = 0
    """Number of messages that did not fit whole."""
    heard: Mapping[str, int] = field(default_factory=dict)
    """Corrections the cursor will mark as seen, by session, once the reply is woven."""
    promised: tuple[str, ...] = ()
    """Promises for a day that has passed, of which nothing was said since, with those it has no room for."""
    missed: tuple[str, ...] = ()
    """Those of `promised` that are sure: they are written down where the reply does not list them."""
    waiting: bool = field(default=False, metadata=NOT_STORED)
    """True if its prompt was handed out before."""

    def as_waiting(self) -> "Batch":
        """Return the batch as one whose prompt was handed out before."""
        return replace(self, waiting=True)

    def is_sound(self) -> bool:
        """Return whether it shows parts of sessions."""
        return bool(self.parts) and shows_sessions(self.parts)

    @property
    def key(self) -> str:
        """Return the batch's key in the prompt, which tells replies to other batches apart: `3-7f2a`."""
        return batch_key(self.number, self.parts)

    @property
    def spans(self) -> tuple[SourceRange, ...]:
        """Return the batch's stretches of the tape."""
        return tuple(SourceRange(s, first, last) for s, pairs in self.parts.items() for first, last in pairs)

    @property
    def days(self) -> str:
        """Return the time it is about, in words."""
        return days_in_words(list(self.parts))


def batch_key(number: int, parts: Mapping[str, Ranges]) -> str:
    """Return the name of a batch: its number, and a fingerprint of what it reads."""
    told = ";".join(f"{session} {render_ranges(ranges)}" for session, ranges in parts.items())
    return f"{number}-{zlib.crc32(told.encode()) & 0xFFFF:04x}"


def days_in_words(sessions: Sequence[str]) -> str:
    """Return the sessions' days: `10 February 2026`, or `10 February 2026 to 3 March 2026`."""
    days = sorted({session[:10] for session in sessions})
    first, last = (day_in_words(date.fromisoformat(day)) for day in (days[0], days[-1]))
    return first if first == last else f"{first} to {last}"


def room_to_write(window: int) -> int:
    """Return how many tokens of a window stay free for the reply."""
    return min(MOST_WRITING, window // 4)


def words_for(window: int) -> int:
    """Return about how many words the story of one batch may have."""
    low, high = _WORDS
    if window > _USUAL:
        return min(_MOST_WORDS, high * window // _USUAL // 100 * 100)
    return max(low, min(high, room_to_write(window) // 4))


def make_batch(
    snapshot: "Snapshot", ring0: "Ring0", counter: "Counter", cursor: Cursor, left: UnreadMessages
) -> Batch | None:
    """Return the next batch and its prompt; None where nothing is left to read.

    Raises ReelError where the window has no room for ring 0 and anything of the tape.
    """
    if not left.sessions:
        return None
    settings = snapshot.settings
    number, words = cursor.batch + 1, words_for(cursor.window)
    limit = cursor.window - room_to_write(cursor.window)
    later, told_sessions = tell_later(
        find_later(snapshot, cursor), min(MOST_LATER, cursor.window // 10), counter
    )
    frame = _count_frame(settings, ring0, counter, cursor, left, words, later)
    if limit - frame < LEAST_SAID:
        message = f"A window of {cursor.window:,} tokens has no room for the identity and for what was said."
        raise ReelError(message, hint="start again with a larger one:  reel dream start --window 32k")
    half = min(cursor.window // 2, (limit - frame) * 2 // 3)
    notes = tell_notes(snapshot, half, counter)
    room = limit - frame - counter.count(notes)
    threads = list_standing(snapshot)
    for _ in range(4):
        told = collect(snapshot, left.sessions, room, counter)
        parts = {one.session: one.numbers for one in told}
        said = "".join(one.text for one in told)
        key, span = batch_key(number, parts), days_in_words(list(parts))
        dreamt = has_dreamt(snapshot)
        due = find_promises(snapshot, parts, cursor.started[:10], threads)
        promised = tuple(one.line for one in due)
        share = cursor.window // _THREADS
        asked = tell_mentions(find_mentions(snapshot, parts, threads), share, counter)
        owed = tell_promises(promised, share, counter)
        stretch = Stretch(key, span, said, notes, words, cursor.because, later, dreamt, owed, asked)
        prompt = render_dream(settings.name, settings.user, ring0.text, stretch)
        if counter.additive and not (promised or asked) and not any(one.shortened for one in told):
            # its parts were counted, each with room to spare
            break
        over = counter.count(prompt) - limit
        if over <= 0:
            break
        room -= over + 8
    shortened = sum(one.shortened for one in told)
    heard = heard_of(snapshot, cursor, [*told_sessions, *parts])
    missed = tuple(one.line for one in due if one.is_sure)
    return Batch(
        *(number, parts, prompt, ring0.blob, words),
        shortened=shortened,
        heard=heard,
        promised=promised,
        missed=missed,
    )


def count_frame(
    snapshot: "Snapshot", ring0: "Ring0", counter: "Counter", cursor: Cursor, left: UnreadMessages
) -> int:
    """Return the tokens of the next batch's prompt without notes and without what was said."""
    later, _ = tell_later(find_later(snapshot, cursor), min(MOST_LATER, cursor.window // 10), counter)
    words = words_for(cursor.window)
    return _count_frame(snapshot.settings, ring0, counter, cursor, left, words, later)


def _count_frame(  # noqa: PLR0913 (all that a prompt has beside its stretch)
    settings: Settings,
    ring0: "Ring0",
    counter: "Counter",
    cursor: Cursor,
    left: UnreadMessages,
    words: int,
    later: str,
) -> int:
    blank = Stretch("0" * 8, days_in_words(list(left.sessions)), "", "", words, cursor.because, later)
    return counter.count(render_dream(settings.name, settings.user, ring0.text, blank)) + 60


def with_reply(batch: Batch, reply: str) -> Batch:
    """Return the batch with one more incomplete reply kept."""
    return replace(batch, replies=(*batch.replies, reply))
