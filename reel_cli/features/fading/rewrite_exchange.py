"""Memories written again, as an exchange, and the walk of `reel consolidate --again` (REEL §6.2, §12.4)."""

from collections.abc import Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Answer, Handout, find_waiting
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import EXPERIENCE, Memory, where_of
from reel_cli.core.values.sizes import parse_tokens
from reel_cli.core.values.talk import session_order
from reel_cli.features.fading.ask import Request, RewriteAsk, UnaskedMemory, ask_rewriting
from reel_cli.features.fading.plan_rewriting import read_pages
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, ring0_in_force
from reel_cli.terminal.offers import OfferResult, settle_offers

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.values.holdings import Counter
    from reel_cli.terminal.open_kit import OpenKit

AGAIN = "consolidate --again"
OP = "consolidate"
"""The operation that its commits belong to."""
WAITING = f"{OP}.wider"
"""The name by which its prompt is remembered."""
NAMED = 5
"""Maximum number of memories named that cannot be asked for; more are counted."""
AGAIN_LEVELS = {"L1": "L1", "L2": "L2", "L3": "L2", "L4": "L2"}
"""Level at which a memory is rewritten: its own, and for a marker or a tag a digest."""


class Rewriter:
    """An exchange that asks for memories of one kit to be rewritten, and reads the reply."""

    def __init__(self, repo: "Repository", ring0: "Ring0", counter: "Counter", command: str) -> None:
        """Keep the values; `command` is how a reply is given, as in `reel COMMAND --reply FILE`."""
        self._repo = repo
        self._ring0 = ring0
        self._counter = counter
        self._command = command

    def make(
        self, snapshot: Snapshot, requests: Sequence[Request], *, op: str, purpose: str, window: int = 0
    ) -> tuple[RewriteAsk | None, Sequence[UnaskedMemory]]:
        """Return the prompt for as many as fit, and those that cannot be asked for (`ask_rewriting`)."""
        return ask_rewriting(
            snapshot, self._ring0, self._counter, requests, op=op, purpose=purpose, window=window
        )

    def hand(self, made: RewriteAsk) -> Handout:
        """Return the prompt with the way its reply is read."""

        def read(snapshot: Snapshot, reply: str) -> Answer:
            return read_pages(snapshot, self._repo, made, reply, self._counter)

        def repeat(snapshot: Snapshot, names: Sequence[str]) -> Handout | None:
            return self._repeat(snapshot, made, names)

        return Handout(made, self._command, read, repeat)

    def _repeat(self, snapshot: Snapshot, made: RewriteAsk, names: Sequence[str]) -> Handout | None:
        """Return the prompt for these again; in maintenance, what follows them is looked up anew."""
        asked = {page.id: Request(page.id, page.level, page.why, again=True) for page in made.pages}
        requests = [asked[name] for name in names if name in asked]
        if made.purpose == "wider":
            memories = snapshot.memories
            requests += [request_again(memories[name]) for name in made.rest if name in memories]
        again, _ = self.make(snapshot, requests, op=made.op, purpose=made.purpose, window=made.window)
        return self.hand(again) if again is not None else None


def request_again(memory: Memory) -> Request:
    """Return the request to rewrite a memory from all of its source that fits now."""
    return Request(memory.id, AGAIN_LEVELS[memory.level.value], "written again for a larger window")


def list_again(snapshot: Snapshot, since: str | None) -> Sequence[Request]:
    """Return memories that the tape can make again, oldest first; `since` is a day or a session.

    Raises ReelError where `since` is neither.
    """
    least = _since(since) if since else None
    found = [
        memory
        for memory in snapshot.memories.values()
        if where_of(memory)
        and EXPERIENCE not in memory.tags
        and (least is None or memory.order[: len(least)] >= least)
    ]
    return [request_again(memory) for memory in sorted(found, key=lambda memory: memory.order)]


def _since(text: str) -> tuple[str, ...] | tuple[str, int]:
    try:
        return (date.fromisoformat(text).isoformat(),)
    except ValueError:
        pass
    try:
        return session_order(text)
    except ValueError:
        message = f"{text!r} is neither a day nor a chat."
        raise ReelError(message, hint="write it like 2026-02-10 or 2026-02-10-1") from None


def walk_again(
    opened: "OpenKit", since: str | None, window: str | None, manner: ExchangeOptions
) -> ExchangeWalk[RewriteAsk, OfferResult]:
    """Return the walk through the memories of a day or session and later, or all; `window` is their size."""
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    rewriter = Rewriter(opened.require_repository(), ring0_in_force(opened), counter, AGAIN)
    chosen = since is not None or window is not None

    def fresh() -> RewriteAsk:
        requests = list_again(opened.snapshot, since)
        if not requests:
            message = "There is no memory to write again." if since is None else "No memory is that new."
            raise ReelError(message, hint="see them with  reel memory list")
        size = parse_tokens(window) if window else 0
        made, unasked = rewriter.make(opened.snapshot, requests, op=OP, purpose="wider", window=size)
        _say_unasked(opened, unasked)
        if made is None:
            message = "None of these memories can be written again."
            raise ReelError(message, hint="try a larger window:  --window 128k")
        return made

    def following(settled: OfferResult) -> RewriteAsk | None:
        more = not settled.stopped and (settled.kept or opened.console.interactive)
        return next_again(opened) if more else None

    return ExchangeWalk(
        AGAIN,
        lambda: next_again(opened) or fresh(),
        lambda: (None if chosen else next_again(opened)) or fresh(),
        lambda asked, reply: settle_offers(opened, rewriter.hand(asked), reply, manner),
        following=following,
    )


def next_again(opened: "OpenKit") -> RewriteAsk | None:
    """Return the prompt that waits for its reply, or comes next."""
    return find_waiting(opened.state, RewriteAsk, WAITING)


def _say_unasked(opened: "OpenKit", unasked: Sequence[UnaskedMemory]) -> None:
    for one in unasked[:NAMED]:
        opened.console.say(f"{one.id} stays as it is: {one.why}.")
    if len(unasked) > NAMED:
        opened.console.say(f"So do {len(unasked) - NAMED} more.")
