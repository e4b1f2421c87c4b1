"""What maintenance asks the persona: pages to be shortened or made anew, notes, what must stay whole."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reel_cli.cli.exchange import Manner, ring0_in_force
from reel_cli.cli.maintenance_view import limit_in_words
from reel_cli.cli.offers import Settled, hand_out_several, settle_offers, walk_offers
from reel_cli.errors import ReelError
from reel_cli.flows.ask_rewriting import Request
from reel_cli.flows.handout import Handout, Offer
from reel_cli.flows.immunity_review import ImmunityReview
from reel_cli.flows.let_fade import OP
from reel_cli.flows.rewriting import Rewriter
from reel_cli.flows.tidying import Tidier
from reel_cli.model.fading import Move, Step
from reel_cli.model.resolution import coarseness

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.cli.maintaining import Pass


class Matter(StrEnum):
    """What an exchange of maintenance is about, as `--only` names it."""

    FADE = "fade"
    """Pages that have grown old, written shorter."""
    ANEW = "anew"
    """Memories that have moved away from what was said, made again from it."""
    NOTES = "notes"
    """Ring 2 over its range."""
    WHOLE = "whole"
    """What must stay whole: grants and revocations of immunity."""


class Exchanges:
    """The exchanges of one pass: which are due, and which was handed out before."""

    def __init__(self, made: "Pass") -> None:
        """What is due follows from what the pass found."""
        self._made = made

    @property
    def _opened(self) -> "OpenKit":
        return self._made.opened

    @cached_property
    def _rewriter(self) -> Rewriter:
        repo, ring0 = self._opened.require_repository(), ring0_in_force(self._opened)
        return Rewriter(repo, ring0, self._made.counter, OP)

    @cached_property
    def _tidier(self) -> Tidier:
        repo, ring0 = self._opened.require_repository(), ring0_in_force(self._opened)
        return Tidier(repo, ring0, self._made.counter, OP)

    @cached_property
    def _review(self) -> ImmunityReview:
        return ImmunityReview(ring0_in_force(self._opened), self._made.counter, OP)

    def due(self, only: Matter | None = None) -> Handout | None:
        """The first exchange that is due, or the one of this kind; None where there is none.

        What must stay whole is asked only where it is asked for.
        """
        return next(self._due(only), None)

    def _due(self, only: Matter | None) -> Iterator[Handout]:
        snapshot = self._opened.snapshot
        if only in (None, Matter.FADE):
            requests = [Request(s.id, s.after, s.why) for s in self._made.found.steps if s.asks]
            yield from self._rewritings(requests, "shorter")
        if only in (None, Matter.ANEW):
            requests = [Request(s.id, s.after, s.why) for s in self._made.drifted]
            yield from self._rewritings(requests, "anew")
        if only in (None, Matter.NOTES) and (notes := self._tidier.ask(snapshot)) is not None:
            yield notes
        if only is Matter.WHOLE and (whole := self._review.ask(snapshot, self._made.found.steps)) is not None:
            yield whole

    def _rewritings(self, requests: Sequence[Request], purpose: str) -> Iterator[Handout]:
        if not requests:
            return
        handout, unasked = self._rewriter.ask(self._opened.snapshot, requests, op=OP, purpose=purpose)
        for one in unasked:
            self._opened.console.say(f"{one.id} stays as it is: {one.why}.")
        if handout is not None:
            yield handout

    def waiting(self, only: Matter | None = None) -> Handout | None:
        """The newest prompt of maintenance that was handed out and waits for its reply."""
        for name, value in self._opened.state.exchanges().items():
            wanted = name.startswith(f"{OP}.") and only in (None, _matter(name))
            if wanted and (found := self._load(value)) is not None:
                return found
        return None

    def _load(self, value: Mapping[str, Any]) -> Handout | None:
        for load in (self._rewriter.load, self._tidier.load, self._review.load):
            found = load(value)
            if found is not None:
                return found
        return None


def _matter(name: str) -> Matter | None:
    return {
        "shorter": Matter.FADE,
        "anew": Matter.ANEW,
        "tidying": Matter.NOTES,
        "immunity": Matter.WHOLE,
    }.get(name.rpartition(".")[2])


class PassLimit:
    """The share of a ring that a pass may lose, kept to across its exchanges too."""

    def __init__(self, made: "Pass", *, beyond: bool) -> None:
        """`beyond` where the person has said yes to more already."""
        self._made = made
        self._beyond = beyond

    def beyond(self, offer: Offer) -> str:
        """Why an offer may not be kept without a separate yes; "" where it may."""
        step = _as_step(offer)
        if step is None or self._beyond or self._made.allowance.bears(step):
            return ""
        limit = limit_in_words(self._made, step).replace(" went ", " would be gone ")
        return f"more than {limit} with it; --beyond-limit says yes to that"

    def spend(self, offer: Offer) -> None:
        """It was kept."""
        step = _as_step(offer)
        if step is not None:
            self._made.allowance.spend(step)


def _as_step(offer: Offer) -> Step | None:
    """An offer that takes fidelity from ring 3, as a step of the pass."""
    told = offer.told
    if "from" not in told or coarseness(str(told["to"])) <= coarseness(str(told["from"])):
        return None
    return Step(
        Move.DESCEND,
        offer.id,
        offer.heading,
        str(told["from"]),
        str(told["to"]),
        int(told["tokens_before"]),
        "",
        asks=True,
        then=int(told["tokens_after"]),
    )


def print_prompt(made: "Pass", only: Matter | None, *, dry_run: bool) -> None:
    """Print the prompt that is due, and remember it. Raises ReelError where none is."""
    opened = made.opened
    handout = Exchanges(made).due(only)
    if handout is None:
        message = "Nothing needs the persona's own words now."
        raise ReelError(message, hint="see what is due with  reel maintain --plan")
    if not dry_run:
        hand_out_several(opened, handout)
    opened.console.result(handout.prompt)


def take_reply(
    made: "Pass", reply: str, manner: Manner, *, only: Matter | None, beyond_limit: bool
) -> Settled:
    """Keep what a reply gives of the prompt that waits, else of the one that is due."""
    exchanges = Exchanges(made)
    handout = exchanges.waiting(only) or exchanges.due(only)
    if handout is None:
        message = "No prompt of maintenance waits for a reply."
        raise ReelError(message, hint="get one with  reel maintain --prompt")
    if handout.stored.get("kind") == "immunity" and manner.yes and not manner.dry_run:
        message = "What must stay whole is for a person to decide, one by one."
        raise ReelError(message, hint="leave out --yes, at a terminal")
    if not manner.dry_run:
        made.begin()
    settled = settle_offers(made.opened, handout, reply, manner, PassLimit(made, beyond=beyond_limit))
    if not manner.dry_run and not settled.left and not (after := made.anew()).found.steps:
        after.end()
    return settled


def walk_exchanges(made: "Pass", only: Matter | None, *, beyond_limit: bool) -> bool:
    """Take a person through all that needs the persona's own words; whether something was left."""
    console = made.opened.console
    while (handout := Exchanges(made).due(only)) is not None:
        if not console.confirm(_question(handout)):
            return True
        made.begin()
        settled = walk_offers(made.opened, handout, Manner(), PassLimit(made, beyond=beyond_limit))
        if settled is None or settled.stopped or settled.left or not settled.kept:
            return True
        made = made.anew()
        if only is Matter.WHOLE:
            return False
    return False


def _question(handout: Handout) -> str:
    kind = handout.stored.get("kind")
    if kind == "rewriting":
        pages = [str(page["id"]) for page in handout.stored["pages"]]
        rest = len(handout.stored["rest"])
        more = f", and {rest:,} are left for the next" if rest else ""
        told = f"{', '.join(pages[:-1])} and {pages[-1]}" if len(pages) > 1 else pages[0]
        return f"One paste covers {told}{more}. Go through it now?"
    if kind == "tidying":
        return "The notes on where things stand have grown too long. Go through them now?"
    return "Ask which memories must stay whole?"
