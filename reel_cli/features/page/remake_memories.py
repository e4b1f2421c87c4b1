"""`reel consolidate --again`: memories made anew at a larger window, beside what they were (REEL §12.4)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import find_waiting
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.settings import parse_tokens
from reel_cli.features.fading.ask import Rewriting, Unasked
from reel_cli.features.fading.rewrite_exchange import AGAIN, Rewriter, list_again
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, ring0_in_force
from reel_cli.terminal.offers import OfferResult, settle_offers

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

OP = "consolidate"
WAITING = f"{OP}.wider"
NAMED = 5
"""Maximum number of memories named that cannot be asked for; more are counted."""


def walk_again(
    opened: "OpenKit", since: str | None, window: str | None, manner: ExchangeOptions
) -> ExchangeWalk[Rewriting, OfferResult]:
    """Return the walk through the memories of a day or session and later, or all; `window` is their size."""
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    rewriter = Rewriter(opened.require_repository(), ring0_in_force(opened), counter, AGAIN)
    chosen = since is not None or window is not None

    def fresh() -> Rewriting:
        requests = list_again(opened.snapshot, since)
        if not requests:
            message = (
                "There is no memory that could be made again." if since is None else "No memory is so new."
            )
            raise ReelError(message, hint="see them with  reel memory list")
        size = parse_tokens(window) if window else 0
        made, unasked = rewriter.make(opened.snapshot, requests, op=OP, purpose="wider", window=size)
        _say_unasked(opened, unasked)
        if made is None:
            message = "None of these memories can be made again."
            raise ReelError(message, hint="try a larger window:  --window 128k")
        return made

    def following(settled: OfferResult) -> Rewriting | None:
        more = not settled.stopped and (settled.kept or opened.console.interactive)
        return next_again(opened) if more else None

    return ExchangeWalk(
        AGAIN,
        lambda: next_again(opened) or fresh(),
        lambda: (None if chosen else next_again(opened)) or fresh(),
        lambda asked, reply: settle_offers(opened, rewriter.hand(asked), reply, manner),
        following=following,
    )


def next_again(opened: "OpenKit") -> Rewriting | None:
    """Return the prompt that waits for its reply, or comes next."""
    return find_waiting(opened.state, Rewriting, WAITING)


def _say_unasked(opened: "OpenKit", unasked: Sequence[Unasked]) -> None:
    for one in unasked[:NAMED]:
        opened.console.say(f"{one.id} stays as it is: {one.why}.")
    if len(unasked) > NAMED:
        opened.console.say(f"So do {len(unasked) - NAMED} more.")
