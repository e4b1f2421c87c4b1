"""Estimate of what a dream will take: prompts, tokens, money (Dream Weaver §10.2)."""

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import NamedTuple

from reel_cli.core.tape.transcript import cut_size
from reel_cli.features.dream.batch import LEAST_SAID, room_to_write, words_for
from reel_cli.features.dream.reply import dozens_for
from reel_cli.features.dream.unread_tape import UnreadMessages

_HEADING = 20
"""Tokens of a session's heading in a prompt."""
_LEAST_WRITTEN = 250
"""Tokens of a usual reply beside what grows with its stretch: headings, threads, how to remember."""
_PART_WRITTEN = 10
"""A usual reply grows by one token for so many that were said, until it is as long as was asked for.

Measured on recorded dreams of 3,664 to 24,264 tokens, whose replies have 553 to 1,904."""
_WORD = 1.3
"""Tokens of a word with its marks, in English."""
_BARE_WORD, _MOST_WORD = 1.12, 2.4
"""Tokens of a word by itself, in English, and at most: in a script without spaces nobody counts words so."""
_OVER = 1.05
"""Share by which a story is longer than was asked for."""
_DOZEN = 300
"""Tokens of a dozen facts, each in its five fields."""
_BESIDE, _BESIDE_SHARE = 200, 0.35
"""Tokens of headings, threads and how to remember: a part that stays, and one for each word of the story."""
_PART_LISTED = 100
"""The longest reply grows by one token for so many that were said, for its threads: the longest of five
replies to stretches of about 110,000 tokens had 3,655."""
_NOTED = 0.6
"""The part of a reply that later prompts show: its story and its threads."""
_CONTEXT = 400
"""Tokens of a shared context as long as it is asked for."""
_READ_OVER = 1.03
"""Share by which more may be read than was counted: a part of each chat is."""
_MOST_PROMPTS = 10_000
"""Number of prompts from which on all are taken to have the same size."""


@dataclass(frozen=True, slots=True)
class Estimate:
    """Estimate of a dream: prompts, tokens to read and to write, the cost (None: no price given).

    `tokens_out` and `cost` are those of replies as long as their prompts ask for, `usual` is the cost with
    replies as models usually write them. `thinking` is how many tokens the replies leave room to think in,
    `most` the cost if all of them are used. Tokens include those of the prompt for the shared context that
    comes after the last batch.
    """

    prompts: int
    tokens_in: int
    tokens_out: int
    cost: float | None
    usual: float | None = None
    thinking: int = 0
    most: float | None = None
    context: bool = False
    """True if the prompt for the shared context is among it, which is no batch."""


@dataclass(frozen=True, slots=True)
class PromptFrame:
    """The tokens that prompts have beside what was said, and the window they are made for.

    `frame` is a batch's prompt without notes and words said, `notes` what was woven so far, `context` the
    prompt for the shared context as it is today (0: there is none); `word` is how many tokens a
    word has by itself (0: as in English).
    """

    window: int
    frame: int
    notes: int = 0
    context: int = 0
    word: float = 0


def estimate(left: UnreadMessages, given: PromptFrame, price: tuple[float, float] | None = None) -> Estimate:
    """Return an estimate of the rest of a dream, packed session by session as its batches are.

    `price` is for a million tokens, read and written.
    """
    window, word = given.window, given.word
    most = _run(left, given, lambda said: longest_for(said, window, word), _CONTEXT)
    usual = _run(left, given, lambda said: written_for(said, window), _LEAST_WRITTEN)
    reads = int(most.reads * _READ_OVER)
    thinking = max(0, most.prompts * room_to_write(window) - most.batches)
    told = Estimate(
        most.prompts, reads, most.writes, None, None, thinking, None, bool(given.context and most.prompts)
    )
    if price is None:
        return told
    cost = (reads * price[0] + most.writes * price[1]) / 1_000_000
    common = (usual.reads * price[0] + usual.writes * price[1]) / 1_000_000
    return replace(told, cost=cost, usual=min(cost, common), most=cost + thinking * price[1] / 1_000_000)


class _Run(NamedTuple):
    """A dream gone through: prompts, tokens read, tokens written, and those of the batches alone."""

    prompts: int
    reads: int
    writes: int
    batches: int


def _run(left: UnreadMessages, given: PromptFrame, reply: Callable[[int], int], context: int) -> _Run:
    """Go through the rest of a dream; `reply` returns the tokens of the reply to a stretch of so many."""
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
            prompts, writes = prompts + more, writes + more * reply(room)
            reads += more * (given.frame + held) + rest
            break
        said = _take(sizes, room)
        written = reply(said)
        prompts, reads, writes = prompts + 1, reads + given.frame + held + said, writes + written
        notes += int(written * _NOTED)
    batches = writes
    if given.context and prompts:
        reads += min(limit, given.context + min(notes - given.notes, limit // 3))
        writes += context
    return _Run(prompts, reads, writes, batches)


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


def longest_for(said: int, window: int, word: float = 0) -> int:
    """Return how many tokens the reply to a stretch has that is as long as its prompt asks for.

    `word` is how many tokens a word has by itself where the persona speaks (0: as in English).
    """
    words, share = words_for(window), min(max(word, _BARE_WORD), _MOST_WORD) / _BARE_WORD
    beside = _BESIDE + _BESIDE_SHARE * words + _DOZEN * dozens_for(words) + said // _PART_LISTED
    return int((words * _WORD * _OVER + beside) * share)


def written_for(said: int, window: int) -> int:
    """Return about how many tokens the reply to a stretch of so many tokens usually has."""
    return min(longest_for(said, window), _LEAST_WRITTEN + said // _PART_WRITTEN)
