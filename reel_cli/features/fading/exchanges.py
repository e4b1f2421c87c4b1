"""Exchanges of maintenance: pages to be shortened or made anew, notes, what must stay."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Handout, Offer
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.moment import stamp
from reel_cli.core.values.approval import is_mass_closing
from reel_cli.core.values.memory import coarseness
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.fading.ask import Request, Rewriting
from reel_cli.features.fading.immunity_review import (
    ImmunityAsk,
    ImmunityReview,
    plan_proposals,
    proposal_name,
)
from reel_cli.features.fading.plan import OP
from reel_cli.features.fading.plan_tidying import Tidier, Tidying
from reel_cli.features.fading.rewrite_exchange import Rewriter
from reel_cli.features.fading.view import limit_in_words
from reel_cli.terminal.converse import (
    ExchangeOptions,
    carry_exchange,
    hand_out,
    problems_json,
    ring0_in_force,
)
from reel_cli.terminal.offers import (
    left_json,
    read_answer,
    settle_offers,
    tell_left,
    walk_offers,
)

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.open_kit import OpenKit


class Matter(StrEnum):
    """Matters of an exchange of maintenance, as `--only` names them."""

    FADE = "fade"
    """Pages that have grown old and are written shorter."""
    ANEW = "anew"
    """Memories that differ from what was said and are made again from it."""
    NOTES = "notes"
    """Ring 2 above its range."""
    WHOLE = "whole"
    """Key of the content that must stay: grants and revocations of immunity."""


class Exchanges:
    """The exchanges of one pass: which are due, and which was handed out before."""

    def __init__(self, made: "Pass") -> None:
        """Keep the pass; its findings decide what is due."""
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
        """Return the first exchange that is due, or the one of this kind; None where there is none.

        What must stay is asked only where it is asked for.
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
        """Return the newest maintenance prompt that was handed out and waits for its reply."""
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
        """Keep the pass; `beyond` means that the person has confirmed more already."""
        self._made = made
        self._beyond = beyond

    def beyond(self, offer: Offer) -> str:
        """Return why an offer needs a separate confirmation; "" if it does not."""
        if self._beyond:
            return ""
        standing, closed = (int(offer.told.get(key, 0)) for key in ("standing", "closed"))
        if is_mass_closing(standing, closed):
            return (
                f"{closed:,} of {standing:,} notes would be let go at once; --beyond-limit says yes to that"
            )
        if self._bears(offer):
            return ""
        limit = limit_in_words(self._made, _ring(offer)).replace(" went ", " would be gone ")
        return f"more than {limit} with it; --beyond-limit says yes to that"

    def _bears(self, offer: Offer) -> bool:
        allowance = self._made.allowance
        ring, lost = _ring(offer), _lost(offer)
        gone = allowance.lost.get(ring, 0)
        # ring 2 is counted as it is: a pass begins with what rings 3 and 4 hold
        whole = int(offer.told["tokens_before"]) + gone if ring == "2" else allowance.rings.get(ring, 0)
        return not lost or (gone + lost) * WHOLE <= whole * allowance.share

    def spend(self, offer: Offer) -> None:
        """Count an offer that was kept."""
        lost = self._made.allowance.lost
        lost[_ring(offer)] = lost.get(_ring(offer), 0) + _lost(offer)


def _ring(offer: Offer) -> str:
    return "2" if offer.id == WORKING else "3"


def _lost(offer: Offer) -> int:
    """Return the tokens an offer takes from its ring; a page that keeps its level loses none."""
    told = offer.told
    same = "from" in told and coarseness(str(told["to"])) <= coarseness(str(told["from"]))
    if same or "tokens_before" not in told:
        return 0
    return int(told["tokens_before"]) - int(told["tokens_after"])


def print_prompt(made: "Pass", only: Matter | None, *, dry_run: bool) -> None:
    """Print the prompt that is due, and remember it. Raises ReelError where none is."""
    opened = made.opened
    handout = _require_due(made, only)
    if not dry_run:
        hand_out(opened, handout.ask, handout.command)
    if isinstance(handout.ask, Rewriting) and handout.ask.rest:
        pages, rest = len(handout.ask.pages), len(handout.ask.rest)
        opened.console.say(f"This covers {pages:,} of {pages + rest:,}; the others come next.")
    opened.console.result(handout.prompt)


def send_prompt(made: "Pass", manner: ExchangeOptions, *, only: Matter | None, beyond_limit: bool) -> None:
    """Send the prompt that is due, and keep what its reply gives. Raises ReelError where none is due."""
    handout = _require_due(made, only)
    if not manner.dry_run:
        hand_out(made.opened, handout.ask, handout.command)
    carry_exchange(
        made.opened,
        handout.ask,
        handout.command,
        lambda _, reply: take_reply(made, reply, manner, only=only, beyond_limit=beyond_limit),
    )


def _require_due(made: "Pass", only: Matter | None) -> Handout:
    handout = Exchanges(made).due(only)
    if handout is None:
        message = "Nothing needs the persona's own words now."
        raise ReelError(message, hint="see what is due with  reel maintain --plan")
    return handout


def take_reply(
    made: "Pass", reply: str, manner: ExchangeOptions, *, only: Matter | None, beyond_limit: bool
) -> None:
    """Keep what a reply gives of the prompt that waits, else of the one that is due."""
    exchanges = Exchanges(made)
    handout = exchanges.waiting(only) or exchanges.due(only)
    if handout is None:
        message = "No prompt of maintenance waits for a reply."
        raise ReelError(message, hint="get one with  reel maintain --prompt")
    if isinstance(handout.ask, ImmunityAsk) and (manner.yes or not made.opened.console.interactive):
        _lay_by(made.opened, handout, reply, manner)
        return
    if not manner.dry_run:
        made.begin()
    settled = settle_offers(made.opened, handout, reply, manner, PassLimit(made, beyond=beyond_limit))
    if not manner.dry_run and not settled.left and not (after := made.anew()).found.steps:
        after.end()


def _lay_by(opened: "OpenKit", handout: Handout, reply: str, manner: ExchangeOptions) -> None:
    """Write what must stay into `review/`: nobody is here to decide it, and `--yes` decides nothing."""
    console = opened.console
    answer = read_answer(opened, handout, reply, manner)
    commit = None
    if answer.offers and not manner.dry_run:
        change = plan_proposals(opened.snapshot, handout, answer.offers, OP, stamp(opened.now()))
        commit = opened.commit_all([change])[0].commit
    if not manner.dry_run:
        opened.state.drop_exchange(handout.ask.name)
        opened.context.waiting = ""
    items = [proposal_name(offer.id) for offer in answer.offers]
    if manner.as_json:
        told = [{"item": item, "id": o.id, **o.told} for item, o in zip(items, answer.offers, strict=True)]
        console.result_json(
            {
                "commit": commit,
                "kept": [],
                "left": left_json(answer.left),
                "review": told,
                "problems": problems_json(answer.problems),
                "repair": "",
            }
        )
        return
    for offer in answer.offers:
        console.result("\n".join([offer.heading, *(f"  {line}" for line in offer.shown)]))
    tell_left(console, answer.left)
    for problem in answer.problems:
        console.say(problem.what)
    if answer.nothing:
        console.say(answer.nothing)
    if manner.dry_run:
        console.say("Nothing was changed (--dry-run).")
    elif items:
        console.next_step("Each waits for your word:  reel review")


def walk_exchanges(made: "Pass", only: Matter | None, *, beyond_limit: bool) -> bool:
    """Guide a person through all that needs the persona's own words; return whether something was left.

    What they leave of one kind keeps them from none of another.
    """
    matters = [only] if only is not None else [Matter.FADE, Matter.ANEW, Matter.NOTES]
    stayed = False
    for matter in matters:
        while (handout := Exchanges(made).due(matter)) is not None:
            if not made.opened.console.confirm(_question(handout)):
                stayed = True
                break
            made.begin()
            settled = walk_offers(
                made.opened, handout, ExchangeOptions(), PassLimit(made, beyond=beyond_limit)
            )
            if settled is None or settled.stopped:
                return True
            kept = {offer.id for offer, _ in settled.kept}
            all_named = bool(made.named) and kept.issuperset(map(str.upper, made.named))
            made = made.anew(kept)
            # a reply that changes nothing, or one that leaves something, would be asked for again and again
            if settled.left or not settled.kept:
                stayed |= bool(settled.left)
                break
            if matter is Matter.WHOLE or all_named:
                break
    return stayed


def _question(handout: Handout) -> str:
    if isinstance(handout.ask, Rewriting):
        pages, rest = [page.id for page in handout.ask.pages], len(handout.ask.rest)
        more = f", and {rest:,} are left for the next" if rest else ""
        told = f"{', '.join(pages[:-1])} and {pages[-1]}" if len(pages) > 1 else pages[0]
        return f"One paste covers {told}{more}. Go through it now?"
    if isinstance(handout.ask, Tidying):
        return "The notes on where things stand have grown too long. Go through them now?"
    return "Ask which memories must stay?"
