"""`SHARED-CONTEXT.md` at the terminal: asked for when it is due or wanted, its reply taken in."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.glance import Glance
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.features.dream.context.ask import (
    NAME,
    ContextAsk,
    make_context_ask,
)
from reel_cli.features.dream.context.files import CONTEXT
from reel_cli.features.dream.context.plan import (
    answer_context,
    require_unchanged,
    rest_prompt,
    take_reply,
    what_is_missing,
)
from reel_cli.features.dream.context.shared_context import Freshness
from reel_cli.features.dream.context.state import find_newest, judge_freshness, make_basis, print_of_context
from reel_cli.features.dream.cursor_file import read_cursor
from reel_cli.features.dream.dream import DreamState
from reel_cli.features.dream.plan_weave import Writer
from reel_cli.features.dream.unread_tape import find_left
from reel_cli.terminal.converse import (
    ExchangeOptions,
    ExchangeWalk,
    ask_for_rest,
    converse,
    go_on,
    refuse,
    ring0_in_force,
)
from reel_cli.terminal.offers import OfferResult, settle_offers

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

COMMAND = "dream context"
BOOT = "To begin a chat with the story:  reel start --boot"


def overview_of(opened: "OpenKit") -> Glance:
    """Return an overview of the kit, whose notes on each session are cached."""
    return Glance(WorkTree(opened.root), opened.root.resolve().name, opened.root)


def freshness_of(opened: "OpenKit") -> Freshness:
    """Return whether the shared context is out of date."""
    return judge_freshness(overview_of(opened))


def is_next(opened: "OpenKit") -> bool:
    """Return whether a dream is done with nothing left to read, and the shared context is behind it."""
    cursor = read_cursor(opened.snapshot)
    if cursor is None or cursor.state is not DreamState.DONE:
        return False
    return freshness_of(opened) is Freshness.STALE and not find_left(overview_of(opened), cursor).sessions


def waiting_ask(opened: "OpenKit") -> ContextAsk | None:
    """Return the ask that was handed out and waits for its reply."""
    return find_waiting(opened.state, ContextAsk, NAME)


def fresh_ask(opened: "OpenKit") -> ContextAsk:
    """Return the ask, made anew from the kit as it is."""
    snapshot = opened.snapshot
    cursor = read_cursor(snapshot)
    window = cursor.window if cursor is not None else snapshot.settings.window
    return make_context_ask(
        snapshot, ring0_in_force(opened), get_tokenizer(snapshot.settings.tokenizer), window
    )


def to_hand_out(opened: "OpenKit") -> ContextAsk:
    """Return the ask to hand out: a partly answered one that still fits, else a new one."""
    waiting = waiting_ask(opened)
    if waiting is not None and waiting.seen == print_of_context(opened.snapshot):
        newest = find_newest(opened.snapshot)
        there = set(waiting.heard) <= set(opened.snapshot.sessions)
        if (there and (waiting.kept or waiting.long)) or (newest is not None and str(newest) == waiting.key):
            return waiting
    return fresh_ask(opened)


def _as_handout(ask: ContextAsk, answer: Answer) -> Handout:
    return Handout(ask, COMMAND, lambda *_: answer)


def settle_ask(opened: "OpenKit", ask: ContextAsk, reply: str, manner: ExchangeOptions) -> OfferResult:
    """Process a reply: write the file anew, or keep the complete parts and ask for the rest.

    Raises ReelError where it cannot be used as it is, StateError where the file was changed meanwhile.
    """
    snapshot = opened.snapshot
    require_unchanged(snapshot, ask)
    known = make_basis(snapshot, ask.place, opened.now().date(), _writer_of(opened))
    found = take_reply(snapshot, ask, reply, known)
    if found.refusal:
        return settle_offers(opened, _as_handout(ask, Answer(refusal=found.refusal)), reply, manner)
    if found.ask.asked:
        _ask_for_the_rest(opened, found.ask, what_is_missing(found), manner)
    answer = answer_context(snapshot, found.ask, known, found, opened.now())
    return settle_offers(opened, _as_handout(ask, answer), reply, manner)


def _writer_of(opened: "OpenKit") -> dict[str, str]:
    """Return a note on the model that wrote a reply: the server's word, else the person's for the dream."""
    cursor = read_cursor(opened.snapshot)
    named = cursor.model if cursor is not None and cursor.model and is_next(opened) else ""
    return Writer(sent=opened.context.answered_by).told(named)


def _ask_for_the_rest(opened: "OpenKit", ask: ContextAsk, why: str, manner: ExchangeOptions) -> None:
    """Keep what came through, and refuse with the way to the rest."""
    repair = rest_prompt(opened.snapshot, ask)
    problems = [Problem(key, "too long" if key in ask.long else "missing") for key in ask.asked]
    hint = ask_for_rest(opened, ask, COMMAND, repair, manner)
    refuse(opened, why, problems, manner, repair=repair, hint=hint)


def share(opened: "OpenKit", manner: ExchangeOptions, *, prompt: bool, reply: str | None) -> None:
    """Run the exchange as it was called: the prompt out, a reply in, or both at the terminal."""
    walk = ExchangeWalk(
        COMMAND,
        lambda: waiting_ask(opened) or fresh_ask(opened),
        lambda: to_hand_out(opened),
        lambda asked, text: settle_ask(opened, asked, text, manner),
        lambda asked: rest_prompt(opened.snapshot, asked) if asked.kept or asked.long else asked.prompt,
        effort=opened.snapshot.settings.dream_effort,
    )
    settled = converse(opened, walk, manner, prompt=prompt, reply=reply)
    told = reply is None or not manner.as_json
    if settled is not None and settled.kept and not manner.dry_run and told:
        opened.console.say(f"How things are now is in {CONTEXT}.")
        if way := tell_boot(opened):
            opened.console.next_step(way)


def tell_boot(opened: "OpenKit") -> str:
    """Return the way to begin a chat with the story, once a dream is over; "" where every chat does."""
    cursor = read_cursor(opened.snapshot)
    over = cursor is not None and cursor.state is DreamState.DONE
    return "" if opened.snapshot.settings.boot_always or not over else BOOT


def say_what_is_due(opened: "OpenKit") -> bool:
    """Announce that the shared context is next, if a dream has ended; return whether it is."""
    if not is_next(opened):
        return False
    say_freshness(opened, Freshness.STALE)
    return True


def say_freshness(opened: "OpenKit", fresh: Freshness) -> None:
    """Show the person that the shared context is out of date, and the command that rewrites it."""
    for line in tell_freshness(opened, fresh):
        opened.console.say(line)


def tell_freshness(opened: "OpenKit", fresh: Freshness) -> Sequence[str]:
    """Return the freshness, as lines."""
    if fresh is not Freshness.STALE:
        return ()
    there = opened.snapshot.read(CONTEXT) is not None
    told = f"{CONTEXT} is out of date." if there else f"{CONTEXT} is not there yet."
    return (told, f"Next:  reel {'dream next' if is_next(opened) else COMMAND}")


def offer_what_is_due(opened: "OpenKit", manner: ExchangeOptions) -> None:
    """Continue with the shared context after the last stretch, if the person wants to."""
    if say_what_is_due(opened) and go_on(opened, manner, "Ask for it now?"):
        share(opened, manner, prompt=False, reply=None)
