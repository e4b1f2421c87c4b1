"""A dream at the terminal: the estimate, the next batch out, its reply in, how far it has come."""

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.kit.approved_rings import read_in_force
from reel_cli.core.pack.budget import name_window
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.source import holds
from reel_cli.features.dream.batch import NAME, Batch, count_frame, make_batch, with_reply
from reel_cli.features.dream.context.walk import overview_of
from reel_cli.features.dream.cursor_file import read_cursor
from reel_cli.features.dream.dream import Cursor, DreamState
from reel_cli.features.dream.estimate import Estimate, PromptFrame, estimate
from reel_cli.features.dream.notes import tell_notes
from reel_cli.features.dream.plan_dream import running
from reel_cli.features.dream.plan_weave import Writer, answer_batch, read_batch, rest_prompt
from reel_cli.features.dream.reply import render_page
from reel_cli.features.dream.unread_tape import UnreadMessages, find_left, measure_word
from reel_cli.features.dream.waking.tape_models import models_seen, newest_model
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, ask_for_rest, refuse, ring0_in_force
from reel_cli.terminal.input.given_text import edit_text
from reel_cli.terminal.offers import OfferResult, settle_offers

if TYPE_CHECKING:
    from reel_cli.core.exchange.reader.reply import ReplyReading
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

COMMAND = "dream next"
_BAR = 30
_USUAL = tuple(size * 1024 for size in (32, 128))
"""Windows that many models have, in tokens."""


def estimate_for(
    opened: "OpenKit", cursor: Cursor, left: UnreadMessages, price: tuple[float, float] | None
) -> Estimate:
    """Return an estimate of what this dream will take from here."""
    from reel_cli.features.dream.context.ask import make_context_ask

    snapshot = opened.snapshot
    counter = get_tokenizer(snapshot.settings.tokenizer)
    fresh = not cursor.read and cursor.batch == 0
    notes = "" if fresh else tell_notes(snapshot, cursor.window // 2, counter)
    # an edit that is not approved yet is told of with the prompt, and once
    ring0 = read_in_force(snapshot, opened.repository)
    frame = count_frame(snapshot, ring0, counter, cursor, left) if left.sessions else 0
    try:
        context = counter.count(make_context_ask(snapshot, ring0, counter, cursor.window).prompt)
    except ReelError:
        context = 0
    word = measure_word(snapshot, left, counter)
    given = PromptFrame(cursor.window, frame, counter.count(notes), context, word)
    return estimate(left, given, price)


def say_estimate(opened: "OpenKit", cursor: Cursor, left: UnreadMessages, found: Estimate) -> None:
    """Show the estimate in words."""
    console = opened.console
    sessions = f"{len(left.sessions):,} chat" + ("" if len(left.sessions) == 1 else "s")
    console.say(f"To be read: {sessions}, about {left.tokens:,} tokens.")
    console.say(f"With a window of {cursor.window:,} tokens that is {_takes(found)}.")
    if found.most is not None:
        room = f"{found.thinking:,} tokens"
        console.say(f"If the model thinks at length, up to {room} more: {found.most:,.2f} in all.")
    if found.prompts > 1 and (larger := _larger(opened, cursor.window)):
        told, window = larger
        fewer = estimate_for(opened, replace(cursor, window=window), left, None).prompts
        if fewer < found.prompts:
            size = str(window) if window % 1024 else name_window(window).lower()
            console.say(f"{told}: about {tell_many(fewer, 'prompt')} with  --window {size}")


def _larger(opened: "OpenKit", window: int) -> tuple[str, int] | None:
    """Return what could hold more than a window, in words, and how much: a model seen here, else many."""
    able = {name: max(sizes) for name, sizes in opened.state.models().items() if max(sizes) > window}
    if able:
        name = max(able, key=lambda one: able[one])
        return f"The model {name} can hold {able[name]:,} tokens", able[name]
    size = next((size for size in _USUAL if size >= 2 * window), None)
    return ("Many models can hold more", size) if size is not None else None


def _takes(found: Estimate) -> str:
    prompts = tell_many(found.prompts, "prompt") + (" and one for SHARED-CONTEXT.md" if found.context else "")
    cost = "" if found.cost is None else f", at a cost of up to {found.cost:,.2f}"
    if found.usual is not None and f"{found.usual:,.2f}" != f"{found.cost:,.2f}":
        cost += f" (usually {found.usual:,.2f})"
    return (
        f"about {prompts}: {found.tokens_in:,} tokens to read and up to {found.tokens_out:,} to write{cost}"
    )


def estimate_line(left: UnreadMessages, found: Estimate) -> str:
    """Return the estimate: `3 sessions, about 1 prompt: 3,100 tokens to read and up to 800 to write`."""
    sessions = f"{len(left.sessions):,} chat" + ("" if len(left.sessions) == 1 else "s")
    return f"{sessions}, {_takes(found)}"


def next_batch(opened: "OpenKit") -> Batch:
    """Return the batch that waits for its reply, if it still fits; else the next one, made anew.

    Raises ReelError where no dream is under way, or nothing is left to read.
    """
    cursor = running(opened.snapshot)
    left = find_left(overview_of(opened), cursor)
    waiting = find_waiting(opened.state, Batch, NAME)
    if waiting is not None and _fits(waiting, cursor, left):
        return waiting
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    batch = make_batch(opened.snapshot, ring0_in_force(opened), counter, cursor, left)
    if batch is None:
        message = "All recorded chats were read."
        raise ReelError(message, hint="end this dream with  reel dream stop")
    return batch


def _fits(batch: Batch, cursor: Cursor, left: UnreadMessages) -> bool:
    """Return whether a batch that was handed out is still next: none of it was read or retracted since."""
    return batch.number == cursor.batch + 1 and all(
        any(holds(left.sessions.get(session, ()), number) for pair in ranges for number in pair)
        for session, ranges in batch.parts.items()
    )


def as_handout(
    opened: "OpenKit",
    batch: Batch,
    model: str = "",
    reading: "ReplyReading | None" = None,
    *,
    unattended: bool = False,
) -> Handout:
    """Return the batch as an exchange at the terminal.

    `model` is what answers it, where the person says so; `reading` that of the reply, if it was read already.
    `unattended`: nobody looks at what the reply would do.
    """

    def read(snapshot: "Snapshot", reply: str) -> Answer:
        writer = Writer(model, newest_model(models_seen(overview_of(opened))), opened.context.answered_by)
        return answer_batch(
            snapshot, batch, reply, opened.now(), is_last, writer, reading, unattended=unattended
        )

    def is_last(later: Cursor) -> bool:
        return not find_left(overview_of(opened), later).sessions

    if reading is None:
        return Handout(batch, COMMAND, read)
    # a declined page is set aside whole
    page = render_page(opened.snapshot.settings.name, reading)
    return Handout(replace(batch, replies=()), COMMAND, read, page=page)


def walk_of(opened: "OpenKit", manner: ExchangeOptions, model: str = "") -> ExchangeWalk[Batch, OfferResult]:
    """Return the walk through the batches that are left at the terminal; `model` is what answers them."""

    def following(settled: OfferResult) -> Batch | None:
        if not settled.kept:
            return None
        opened.look_again()
        return next_batch(opened) if say_how_far(opened) else None

    return ExchangeWalk(
        COMMAND,
        lambda: next_batch(opened),
        lambda: next_batch(opened),
        lambda batch, reply: settle_batch(opened, batch, reply, manner, model),
        lambda batch: _text(opened, batch),
        following,
        announce=_say_shortened,
        effort=opened.snapshot.settings.dream_effort,
    )


def _say_shortened(batch: Batch) -> str:
    """Return that a message did not fit whole; "" where all did."""
    if not batch.shortened:
        return ""
    return (
        f"{tell_many(batch.shortened, 'message')} did not fit: the prompt has its beginning and its end."
        " To read it whole:  reel dream stop  and  reel dream start --window SIZE"
    )


def _text(opened: "OpenKit", batch: Batch) -> str:
    """Return the prompt to paste next: the batch's own, or the one for the rest of its answer."""
    if not batch.replies:
        return batch.prompt
    reading = read_batch(opened.snapshot, replace(batch, replies=batch.replies[:-1]), batch.replies[-1])
    return rest_prompt(opened.snapshot, batch, reading) if reading.missing else batch.prompt


def settle_batch(
    opened: "OpenKit", batch: Batch, reply: str, manner: ExchangeOptions, model: str = ""
) -> OfferResult:
    """Process a reply: weave it, or keep the complete parts and ask for the rest.

    Raises ReelError where it cannot be used as it is.
    """
    while True:
        reading = read_batch(opened.snapshot, batch, reply)
        handout = as_handout(opened, batch, model, reading, unattended=manner.yes)
        if reading.missing and any(spec.key != "batch" for spec in reading.answered):
            _ask_for_the_rest(opened, batch, handout, reading, reply, manner)
        settled = settle_offers(opened, handout, reply, manner)
        if not settled.edit:
            return settled
        # the whole answer, including what came earlier
        reply = edit_text(opened.console, opened.state.folder / "reply.md", handout.page)
        batch = replace(batch, replies=())


def _ask_for_the_rest(  # noqa: PLR0913 (a reply, and all it is read with)
    opened: "OpenKit",
    batch: Batch,
    handout: Handout,
    reading: "ReplyReading",
    reply: str,
    manner: ExchangeOptions,
) -> None:
    """Keep what came through, and refuse with the way to the rest; nothing where it is refused otherwise."""
    answer = handout.read(opened.snapshot, reply)
    if answer.problems != reading.findings:
        return
    repair = rest_prompt(opened.snapshot, batch, reading)
    hint = ask_for_rest(opened, with_reply(batch, reply), COMMAND, repair, manner)
    refuse(opened, answer.refusal, answer.problems, manner, repair=repair, hint=hint)


def is_under_way(opened: "OpenKit") -> bool:
    """Return whether a dream goes on."""
    cursor = read_cursor(opened.snapshot)
    return cursor is not None and cursor.state is DreamState.RUNNING


def say_how_far(opened: "OpenKit") -> bool:
    """Show how far the dream has come, and what is next; return whether it goes on."""
    console = opened.console
    cursor = read_cursor(opened.snapshot)
    if cursor is None:
        return False
    left = find_left(overview_of(opened), cursor)
    console.say(progress_line(left.done, left.total, left.read, left.tokens))
    if cursor.state is DreamState.RUNNING:
        console.next_step("Next:  reel dream next")
    elif cursor.state is DreamState.DONE and not left.sessions:
        console.say("The dream is done; the story is in story/history.md.")
    return cursor.state is DreamState.RUNNING


def progress_line(done: int, total: int, read: int, tokens: int) -> str:
    """Return a bar of the sessions read, their tokens, and what is left."""
    full = _BAR if not total else done * _BAR // total
    left = f", about {read:,} tokens read and {tokens:,} left" if tokens else ""
    return f"[{'#' * full}{'.' * (_BAR - full)}] {done:,} of {total:,} chats{left}"


def estimate_json(cursor: Cursor, left: UnreadMessages, found: Estimate) -> dict[str, Any]:
    """Return the estimate as JSON."""
    return {
        "mode": cursor.mode.value,
        "window": cursor.window,
        "sessions": len(left.sessions),
        "tokens": left.tokens,
        "prompts": found.prompts,
        "tokens_in": found.tokens_in,
        "tokens_out": found.tokens_out,
        "cost": found.cost,
        "cost_usual": found.usual,
        "thinking": found.thinking,
        "cost_most": found.most,
    }
