"""Exchanges of maintenance: pages to be shortened or made anew, notes, what must stay."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.exchange import Answer, Handout, LeftItem, Offer
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.values.approval import is_mass_closing
from reel_cli.core.values.memory import coarseness
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.fading.ask import Request, RewriteAsk
from reel_cli.features.fading.fading import Step
from reel_cli.features.fading.immunity_review import (
    ImmunityAsk,
    ImmunityReview,
    plan_proposals,
    proposal_name,
)
from reel_cli.features.fading.pass_file import note_loss, note_review
from reel_cli.features.fading.plan import OP
from reel_cli.features.fading.plan_tidying import Tidier, TidyAsk
from reel_cli.features.fading.rewrite_exchange import Rewriter
from reel_cli.features.fading.view import limit_in_words
from reel_cli.terminal.converse import (
    ExchangeOptions,
    ExchangeWalk,
    problems_json,
    ring0_in_force,
    walk_through,
)
from reel_cli.terminal.offers import OfferResult, left_json, read_answer, settle_offers, tell_left

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
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

    @property
    def told(self) -> str:
        """Return the matter in words."""
        return {
            "fade": "pages to shorten",
            "anew": "pages to write again",
            "notes": "the notes",
            "whole": "what must stay",
        }[self.value]


MaintenanceAsk = RewriteAsk | TidyAsk | ImmunityAsk
KINDS: Mapping[str, tuple[Matter, type[MaintenanceAsk]]] = {
    f"{OP}.shorter": (Matter.FADE, RewriteAsk),
    f"{OP}.anew": (Matter.ANEW, RewriteAsk),
    TidyAsk.name: (Matter.NOTES, TidyAsk),
    ImmunityAsk.name: (Matter.WHOLE, ImmunityAsk),
}
"""Each prompt of maintenance by the name it is remembered by."""


HELD_SHOWN = 3
"""Number of pages named that are not asked for."""


class Exchanges:
    """The exchanges of one pass: which are due, and which was handed out before."""

    def __init__(self, made: "Pass", *, beyond_limit: bool = False) -> None:
        """Keep the pass; its findings decide what is due, of pages no more than the pass may lose.

        `beyond_limit` means that the person has confirmed more.
        """
        self._made = made
        self._beyond_limit = beyond_limit

    @property
    def _opened(self) -> "OpenKit":
        return self._made.opened

    @cached_property
    def _ring0(self) -> "Ring0":
        return ring0_in_force(self._opened)

    @cached_property
    def _rewriter(self) -> Rewriter:
        return Rewriter(self._opened.require_repository(), self._ring0, self._made.counter, OP)

    @cached_property
    def _tidier(self) -> Tidier:
        return Tidier(self._opened.require_repository(), self._ring0, self._made.counter, OP)

    @cached_property
    def _review(self) -> ImmunityReview:
        return ImmunityReview(self._ring0, self._made.counter, OP)

    def due(self, only: Matter | None = None) -> MaintenanceAsk | None:
        """Return the first exchange that is due, or the one of this kind; None where there is none.

        What must stay comes last, once in a season.
        """
        return next(self._due(only), None)

    def _due(self, only: Matter | None) -> Iterator[MaintenanceAsk]:
        snapshot, found = self._opened.snapshot, self._made.found
        if only in (None, Matter.FADE):
            asks = [step for step in found.steps if step.asks and step not in self.held]
            yield from self._rewritings(asks, "shorter")
        if only in (None, Matter.ANEW):
            yield from self._rewritings(self._made.drifted, "anew")
        if only in (None, Matter.NOTES) and (notes := self._tidier.make(snapshot)) is not None:
            yield notes
        review = only is Matter.WHOLE or (only is None and self._made.asks_what_stays)
        if review and (whole := self._review.make(snapshot, found.steps)) is not None:
            yield whole

    @cached_property
    def held(self) -> Sequence[Step]:
        """Return the pages that are not asked for, because the pass would lose too much with them.

        All that needs no model counts as taken, whether it is yet or not.
        """
        if self._beyond_limit:
            return ()
        _, beyond = self._made.allowance.split(self._made.found.steps)
        return [step for step in beyond if step.asks]

    def held_in_words(self) -> str:
        """Return which pages are not asked for, and why; "" if all are."""
        if not self.held:
            return ""
        named = ", ".join(step.id for step in self.held[:HELD_SHOWN])
        more = len(self.held) - HELD_SHOWN
        limit = limit_in_words(self._made, "3")
        told = (
            f"{named}{f' and {more:,} more' if more > 0 else ''} {'waits' if not self.held[1:] else 'wait'}"
        )
        return f"{told} for a later pass: with that, more than {limit} would go. To allow it:  --beyond-limit"

    def _rewritings(self, steps: Sequence[Step], purpose: str) -> Iterator[RewriteAsk]:
        if not steps:
            return
        lossy = self._made.lossy(1)
        requests = [Request(step.id, step.after, step.why, again=step.id in lossy) for step in steps]
        made, unasked = self._rewriter.make(self._opened.snapshot, requests, op=OP, purpose=purpose)
        for one in unasked:
            self._opened.console.say(f"{one.id} stays as it is: {one.why}.")
        if made is not None:
            yield made

    def waiting(self, only: Matter | None = None) -> MaintenanceAsk | None:
        """Return the newest maintenance prompt that was handed out and waits for its reply."""
        for name, value in self._opened.state.exchanges().items():
            kind = KINDS.get(name)
            if kind is not None and only in (None, kind[0]) and (found := kind[1].load(value)) is not None:
                return found
        return None

    def answered_by(self, asked: MaintenanceAsk, reply: str) -> MaintenanceAsk:
        """Return the prompt that waits which a reply answers: `asked`, unless only another one takes it."""
        if not self.hand(asked).read(self._opened.snapshot, reply).refusal:
            return asked
        others = (self.waiting(matter) for matter in Matter)
        takes = (
            one
            for one in others
            if one is not None
            and one.name != asked.name
            and self.hand(one).read(self._opened.snapshot, reply).offers
        )
        return next(takes, asked)

    def hand(self, asked: MaintenanceAsk) -> Handout:
        """Return a prompt with the way its reply is read."""
        if isinstance(asked, RewriteAsk):
            return self._rewriter.hand(asked)
        return self._tidier.hand(asked) if isinstance(asked, TidyAsk) else self._review.hand(asked)


class PassLimit:
    """The share of a ring that a pass may lose, kept to across its exchanges too."""

    def __init__(self, made: "Pass", *, beyond: bool) -> None:
        """Keep the pass; `beyond` means that the person has confirmed more already."""
        self._made = made
        self._beyond = beyond
        self._asked = {step.id: step.tokens - step.then for step in made.found.steps if step.asks}

    def beyond(self, offer: Offer) -> str:
        """Return why an offer needs a separate confirmation; "" if it does not."""
        if self._beyond:
            return ""
        standing, closed = (int(offer.told.get(key, 0)) for key in ("standing", "closed"))
        if is_mass_closing(standing, closed):
            return f"{closed:,} of {standing:,} notes would go at once; to allow that, add  --beyond-limit"
        if self._bears(offer):
            return ""
        limit = limit_in_words(self._made, _ring(offer))
        return f"with it, more than {limit} would go in one pass; to allow that, add  --beyond-limit"

    def _bears(self, offer: Offer) -> bool:
        allowance = self._made.allowance
        ring, lost = _ring(offer), _lost(offer)
        gone = allowance.lost.get(ring, 0)
        # ring 2 is counted as it is: a pass begins with what rings 3 and 4 hold
        whole = int(offer.told["tokens_before"]) + gone if ring == "2" else allowance.rings.get(ring, 0)
        # a page is asked for within the limit, and not refused for being shorter than was asked
        lost = min(lost, self._asked.get(offer.id, lost))
        return not lost or (gone + lost) * WHOLE <= whole * allowance.share

    def spend(self, offer: Offer) -> None:
        """Count an offer that was kept."""
        lost, gone = self._made.allowance.lost, _lost(offer)
        lost[_ring(offer)] = lost.get(_ring(offer), 0) + min(gone, self._asked.get(offer.id, gone))


def _ring(offer: Offer) -> str:
    return "2" if offer.id == WORKING else "3"


def _lost(offer: Offer) -> int:
    """Return the tokens an offer takes from its ring; a page that keeps its level loses none."""
    told = offer.told
    same = "from" in told and coarseness(str(told["to"])) <= coarseness(str(told["from"]))
    if same or "tokens_before" not in told:
        return 0
    return int(told["tokens_before"]) - int(told["tokens_after"])


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
        return settle_maintenance(made, taken, reply, manner, beyond_limit=beyond_limit)

    return ExchangeWalk(OP, answered, due, settle, announce=announce)


def settle_maintenance(
    made: "Pass", asked: MaintenanceAsk, reply: str, manner: ExchangeOptions, *, beyond_limit: bool
) -> OfferResult | None:
    """Keep what a reply gives; None where all of it was laid by for a person to decide."""
    opened, handout = made.opened, Exchanges(made).hand(asked)
    if isinstance(asked, ImmunityAsk):
        return _settle_review(made, asked, handout, reply, manner, beyond_limit=beyond_limit)
    if not manner.dry_run:
        made.begin()
    left: list[LeftItem] = []

    def read(snapshot: Snapshot, text: str) -> Answer:
        answer = handout.read(snapshot, text)
        left.extend(answer.left)
        return answer

    limit = PassLimit(made, beyond=beyond_limit)
    try:
        return settle_offers(opened, replace(handout, read=read), reply, manner, limit)
    finally:
        if isinstance(asked, RewriteAsk) and not manner.dry_run:
            _note_losses(opened, asked, left)


def _note_losses(opened: "OpenKit", asked: RewriteAsk, left: Sequence[LeftItem]) -> None:
    """Record which pages of a reply lost too much, so that each is asked for once more and then left."""
    lossy = {one.id for one in left if one.lossy}
    for page in asked.pages:
        if page.id in lossy:
            note_loss(opened.state, page.id, page.blob)


def _settle_review(  # noqa: PLR0913 (a reply, and how it is kept)
    made: "Pass",
    asked: ImmunityAsk,
    handout: Handout,
    reply: str,
    manner: ExchangeOptions,
    *,
    beyond_limit: bool,
) -> OfferResult | None:
    """Settle what must stay with a person, or lay it by; a reply that was read is the review of a season."""
    opened = made.opened
    settled: OfferResult | None = None
    if manner.yes or not opened.console.interactive:
        _lay_by(opened, asked, read_answer(opened, handout, reply, manner), manner)
    else:
        if not manner.dry_run:
            made.begin()
        settled = settle_offers(opened, handout, reply, manner, PassLimit(made, beyond=beyond_limit))
    if not manner.dry_run and (settled is None or not settled.stopped):
        note_review(opened.state, stamp(opened.now()))
        if settled is None and not (after := made.anew()).found.steps:
            after.end()
    return settled


def _lay_by(opened: "OpenKit", asked: ImmunityAsk, answer: Answer, manner: ExchangeOptions) -> None:
    """Write what must stay into `review/`: nobody is here to decide it, and `--yes` decides nothing."""
    console = opened.console
    commit = None
    if answer.offers and not manner.dry_run:
        change = plan_proposals(opened.snapshot, asked, answer.offers, OP, stamp(opened.now()))
        commit = opened.commit_all([change])[0].commit
    if not manner.dry_run:
        opened.state.drop_exchange(asked.name)
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
        console.next_step("Each waits for your decision:  reel review")


def walk_exchanges(made: "Pass", only: Matter | None, *, beyond_limit: bool) -> bool:
    """Guide a person through all that needs the persona's own words; return whether something was left.

    What they leave of one kind keeps them from none of another.
    """
    stayed = False
    usual = [Matter.FADE, Matter.ANEW, Matter.NOTES, *([Matter.WHOLE] if made.asks_what_stays else [])]
    for matter in [only] if only is not None else usual:
        rest = _Rest(made, matter, beyond_limit=beyond_limit)
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

    def __init__(self, made: "Pass", matter: Matter, *, beyond_limit: bool) -> None:
        self.made = made
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
        return settle_maintenance(self.made, asked, reply, ExchangeOptions(), beyond_limit=self._beyond_limit)

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
