"""`reel consolidate --again`: memories made anew at a larger window, beside what they were (REEL §12.4)."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Handout, find_waiting
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.settings import parse_tokens
from reel_cli.features.fading.ask import Rewriting
from reel_cli.features.fading.rewrite_exchange import AGAIN, Rewriter, list_again
from reel_cli.terminal.converse import ExchangeOptions, go_on, hand_out, ring0_in_force
from reel_cli.terminal.given_text import read_given
from reel_cli.terminal.offers import settle_offers, walk_offers
from reel_cli.terminal.open_kit import OpenKit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.fading.ask import Unasked

OP = "consolidate"
WAITING = f"{OP}.wider"
NAMED = 5
"""Maximum number of memories named that cannot be asked for; more are counted."""


def consolidate_again(  # noqa: PLR0913
    opened: OpenKit,
    *,
    since: str | None,
    window: str | None,
    prompt: bool,
    reply: str | None,
    manner: ExchangeOptions,
) -> None:
    """Print the prompt or process its reply; on a terminal, guide the person through all of them."""
    rewriter = _rewriter(opened)
    fresh = since is not None or window is not None
    if reply is not None:
        handout = _waiting(opened, rewriter) or _first(opened, rewriter, since, window)
        settle_offers(opened, handout, read_given(reply), manner)
        if not manner.dry_run:
            _say_next(opened)
        return
    handout = (None if fresh else _waiting(opened, rewriter)) or _first(opened, rewriter, since, window)
    if prompt or not opened.walks:
        if not manner.dry_run:
            hand_out(opened, handout.ask, handout.command)
        opened.console.result(handout.prompt)
        return
    while (settled := walk_offers(opened, handout, manner)) is not None and not settled.stopped:
        following = _waiting(opened, rewriter)
        if following is None or not (settled.kept or opened.console.interactive) or not go_on(opened, manner):
            break
        handout = following


def _say_next(opened: OpenKit) -> None:
    """Show how many are still to be asked for, if their prompt waits."""
    following = find_waiting(opened.state, Rewriting, WAITING)
    if following is not None:
        left = len(following.pages) + len(following.rest)
        opened.console.next_step(f"{left:,} more to go. Next:  reel {AGAIN} --prompt")
    elif opened.context.done:
        opened.console.say("To have one as it was before:  reel restore ID --earlier")


def _rewriter(opened: OpenKit) -> Rewriter:
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    return Rewriter(opened.require_repository(), ring0_in_force(opened), counter, AGAIN)


def _waiting(opened: OpenKit, rewriter: Rewriter) -> Handout | None:
    return rewriter.load(opened.state.exchanges().get(WAITING, {}))


def _first(opened: OpenKit, rewriter: Rewriter, since: str | None, window: str | None) -> Handout:
    requests = list_again(opened.snapshot, since)
    if not requests:
        message = "There is no memory that could be made again." if since is None else "No memory is so new."
        raise ReelError(message, hint="see them with  reel memory list")
    size = parse_tokens(window) if window else 0
    handout, unasked = rewriter.ask(opened.snapshot, requests, op=OP, purpose="wider", window=size)
    _say_unasked(opened, unasked)
    if handout is None:
        message = "None of these memories can be made again."
        raise ReelError(message, hint="try a larger window:  --window 128k")
    return handout


def _say_unasked(opened: OpenKit, unasked: "Sequence[Unasked]") -> None:
    for one in unasked[:NAMED]:
        opened.console.say(f"{one.id} stays as it is: {one.why}.")
    if len(unasked) > NAMED:
        opened.console.say(f"So do {len(unasked) - NAMED} more.")
