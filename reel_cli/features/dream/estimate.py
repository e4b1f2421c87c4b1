"""Estimate of what a dream will take: prompts, tokens, money (Dream Weaver §10.2)."""

from dataclasses import dataclass

from reel_cli.core.tape.transcript import cut_size
from reel_cli.features.dream.batch import LEAST_SAID, room_to_write, words_for
from reel_cli.features.dream.unread_tape import UnreadMessages

_HEADING = 20
"""Tokens of a session's heading in a prompt."""
_LEAST_WRITTEN = 250
"""Tokens of a reply beside what grows with its stretch: headings, threads, how to remember."""
_PART_WRITTEN = 10
"""A reply grows by one token for so many that were said."""
_TOKENS_A_WORD = 1.7
"""Tokens of the longest reply per word that its story may have: the other parts are included.

These three were measured on recorded dreams of 3,664 to 24,264 tokens, whose replies have 553 to 1,904."""
_PART_LISTED = 100
"""The longest reply grows by one token for so many that were said, for its threads and facts: replies to
stretches of about 48,000 and 111,000 tokens had 3,055 and on average 3,301."""
_MOST_PROMPTS = 10_000
"""Number of prompts from which on all are taken to have the same size."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate of a dream: prompts, tokens to read and to write, the cost (None: no price given).

    `thinking` is how many tokens its replies leave room to think in, `most` the cost if all of them are used.
    Tokens include those of the prompt for the shared context that comes after the last batch.
    """

    prompts: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    thinking: int = 0
    most: float | None = None
    context: bool = False
    """True if the prompt for the shared context is among it, which is no batch."""


@dataclass(frozen=True, slots=True)
class PromptFrame:
    """The tokens that prompts have beside what was said, and the window they are made for.

    `frame` is a batch's prompt without notes and words said, `notes` what was woven so far, `context` the
    prompt for the shared context as it is today (0: there is none).
    """

    window: int
    frame: int
    notes: int = 0
    context: int = 0


def estimate(left: UnreadMessages, given: PromptFrame, price: tuple[float, float] | None = None) -> Estimate:
    """Return an estimate of the rest of a dream, packed session by session as its batches are.

    `price` is for a million tokens, read and written.
    """
    window = given.window
    limit = window - room_to_write(window)
    half = max(0, min(window // 2, (limit - given.frame) * 2 // 3))
    notes, prompts, reads, writes = given.notes, 0, 0, 0
    sizes = [list(one) for one in left.sizes.values()] or [[left.tokens]]
    while sizes:
        held = min(notes, half)
        room = max(limit - given.frame - held, LEAST_SAID)
        if prompts > _MOST_PROMPTS:
            rest = sum(map(sum, sizes))
            more = -(-rest // room)
            prompts, writes = prompts + more, writes + more * written_for(room, window)
            reads += more * (given.frame + held) + rest
            break
        said = _take(sizes, room)
        written = written_for(said, window)
        prompts, reads, writes = prompts + 1, reads + given.frame + held + said, writes + written
        notes += written
    thinking = max(0, prompts * room_to_write(window) - writes)
    if given.context and prompts:
        reads += min(limit, given.context + min(writes, limit // 3))
        writes += _LEAST_WRITTEN
    cost = None if price is None else (reads * price[0] + writes * price[1]) / 1_000_000
    most = None if price is None or cost is None else cost + thinking * price[1] / 1_000_000
    return Estimate(prompts, reads, writes, cost, thinking, most, bool(given.context and prompts))


def _take(sizes: list[list[int]], room: int) -> int:
    """Take the sessions of the next batch out of `sizes`; return their tokens.

    A session that does not fit into the rest stays whole for the next batch, unless no batch could hold it.
    """
    said = 0
    while sizes:
        size = sum(sizes[0]) + _HEADING
        if said + size <= room:
            said += size
            del sizes[0]
            continue
        if said and size <= room:
            break
        said = _take_part(sizes[0], said, room)
        if not any(sizes[0]):
            del sizes[0]
        break
    return said


def _take_part(session: list[int], said: int, room: int) -> int:
    """Take the beginning of a session that no batch can hold; return the batch's tokens with it.

    A large message stays whole for the next batch; one that no batch can hold is cut, and is one by itself.
    """
    while session:
        part = min(session[0], room - said)
        said += part
        session[0] -= part
        if session[0] or len(session) == 1:
            break
        large = session[1]
        if said and said + large > room:
            break
        del session[:2]
        if large > room:
            return cut_size(large, room)
        said += large
    return said


def written_for(said: int, window: int) -> int:
    """Return about how many tokens the reply to a stretch of so many tokens has."""
    longest = int(words_for(window) * _TOKENS_A_WORD) + said // _PART_LISTED
    return min(longest, _LEAST_WRITTEN + said // _PART_WRITTEN)
