"""Walks at a terminal through the prompts of maintenance, each from its prompt to the settled reply."""

from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.features.fading.ask import RewriteAsk
from reel_cli.features.fading.exchange.exchanges import KINDS, Exchanges, MaintenanceAsk, Matter
from reel_cli.features.fading.exchange.settlement import settle_maintenance
from reel_cli.features.fading.plan import OP
from reel_cli.features.fading.plan_tidying import TidyAsk
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, walk_through
from reel_cli.terminal.offers import OfferResult

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass


def maintenance_walk(
    made: "Pass", manner: ExchangeOptions, only: Matter | None, *, prompt: bool, beyond_limit: bool
) -> ExchangeWalk[MaintenanceAsk, OfferResult | None]:
    """Return the walk through the prompt that is due, or the one of a kind; `prompt`: it is only printed."""
    exchanges = Exchanges(made, beyond_limit=beyond_limit)

    def answered() -> MaintenanceAsk:
        asked = exchanges.waiting(only) or exchanges.due(only)
        if asked is None:
            message = "No prompt of reel maintain waits for a reply."
            raise ReelError(message, hint="get one with  reel maintain --prompt")
        return asked

    def due() -> MaintenanceAsk:
        asked = exchanges.due(only)
        if asked is None and (held := held_in_words()):
            raise ReelError(held, hint="to ask for them anyway:  reel maintain --prompt --beyond-limit")
        if asked is None:
            message = "There is nothing to ask the persona now."
            raise ReelError(message, hint="to see what is due:  reel maintain --plan")
        return asked

    def held_in_words() -> str:
        return exchanges.held_in_words() if only in (None, Matter.FADE) else ""

    def announce(asked: MaintenanceAsk) -> str:
        told = []
        if prompt and isinstance(asked, RewriteAsk) and asked.rest:
            pages, rest = len(asked.pages), len(asked.rest)
            told.append(f"This prompt is about {pages:,} of {pages + rest:,} memories; the others come next.")
        # told before the work is done, not when the answer comes back
        if isinstance(asked, RewriteAsk) and asked.purpose == "shorter" and (held := held_in_words()):
            told.append(held)
        return " ".join(told)

    def settle(asked: MaintenanceAsk, reply: str) -> OfferResult | None:
        taken = exchanges.answered_by(asked, reply) if only is None else asked
        if taken is not asked:
            newer, older = (KINDS[one.name][0] for one in (asked, taken))
            made.opened.console.say(
                f"That answers the earlier prompt about {older.told}. The one about {newer.told} still waits:"
                f"  reel maintain --only {newer} --reply FILE"
            )
        return settle_maintenance(made, taken, reply, manner, only, beyond_limit=beyond_limit)

    return ExchangeWalk(OP, answered, due, settle, announce=announce)


def walk_exchanges(made: "Pass", only: Matter | None, *, beyond_limit: bool) -> bool:
    """Guide a person through all that needs the persona's own words; return whether something was left.

    What they leave of one kind keeps them from none of another.
    """
    stayed = False
    usual = [Matter.FADE, Matter.ANEW, Matter.NOTES, *([Matter.WHOLE] if made.asks_what_stays else [])]
    for matter in [only] if only is not None else usual:
        rest = _Rest(made, matter, alone=only is not None, beyond_limit=beyond_limit)
        if rest.ahead is None:
            continue
        if not made.opened.console.confirm(_question(rest.ahead)):
            stayed = True
            continue
        settled = walk_through(made.opened, rest.walk, rest.ahead, ExchangeOptions())
        if settled is None or settled.stopped:
            return True
        stayed |= rest.is_left or bool(settled.left)
        made = rest.made
    return stayed


class _Rest:
    """The prompts of one kind that are due, each made from the kit as the one before left it."""

    def __init__(self, made: "Pass", matter: Matter, *, alone: bool, beyond_limit: bool) -> None:
        self.made = made
        self._only = matter if alone else None
        exchanges = Exchanges(made, beyond_limit=beyond_limit)
        self.ahead = exchanges.due(matter)
        if self.ahead is None and matter is Matter.FADE and (held := exchanges.held_in_words()):
            made.opened.console.say(held)
        """The prompt that was not settled yet."""
        self._matter, self._beyond_limit = matter, beyond_limit
        walk = maintenance_walk(made, ExchangeOptions(), matter, prompt=False, beyond_limit=beyond_limit)
        self.walk = replace(walk, settle=self._settle, following=self._following, question=_question)

    @property
    def is_left(self) -> bool:
        """Return whether one that is due was not gone through."""
        return self.ahead is not None

    def _settle(self, asked: MaintenanceAsk, reply: str) -> OfferResult | None:
        manner, beyond = ExchangeOptions(), self._beyond_limit
        return settle_maintenance(self.made, asked, reply, manner, self._only, beyond_limit=beyond)

    def _following(self, settled: OfferResult | None) -> MaintenanceAsk | None:
        self.ahead = None
        if settled is None:
            return None
        kept = {offer.id for offer, _ in settled.kept}
        all_named = bool(self.made.named) and kept.issuperset(map(str.upper, self.made.named))
        self.made = self.made.anew(kept)
        # a reply that changes nothing, or leaves something, would be asked for again and again
        if settled.left or not kept or self._matter is Matter.WHOLE or all_named:
            return None
        self.ahead = Exchanges(self.made, beyond_limit=self._beyond_limit).due(self._matter)
        return self.ahead


def _question(asked: MaintenanceAsk) -> str:
    if isinstance(asked, RewriteAsk):
        pages, rest = [page.id for page in asked.pages], len(asked.rest)
        more = f", and {rest:,} are left for the next" if rest else ""
        told = f"{', '.join(pages[:-1])} and {pages[-1]}" if len(pages) > 1 else pages[0]
        return f"One prompt is enough for {told}{more}. Ask now?"
    if isinstance(asked, TidyAsk):
        return "The notes on where things stand are too long. Ask which may go?"
    return "Ask which memories must never fade?"
