"""Replies of maintenance settled: kept within the limit of a pass, or put into `review/` for a person."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Answer, Handout, LeftItem, Offer
from reel_cli.core.files.commit_message import PART
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.values.change import Change
from reel_cli.features.fading.ask import RewriteAsk
from reel_cli.features.fading.exchange.exchanges import KINDS, Exchanges, MaintenanceAsk, Matter
from reel_cli.features.fading.exchange.pass_limit import PassLimit
from reel_cli.features.fading.immunity_review import ImmunityAsk, plan_proposals, proposal_name
from reel_cli.features.fading.pass_file import note_loss, note_review
from reel_cli.features.fading.plan import OP
from reel_cli.terminal.converse import ExchangeOptions, problems_json
from reel_cli.terminal.offers import OfferResult, left_json, read_answer, settle_offers, tell_left

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.open_kit import OpenKit


def settle_maintenance(  # noqa: PLR0913 (a reply, and how it is kept)
    made: "Pass",
    asked: MaintenanceAsk,
    reply: str,
    manner: ExchangeOptions,
    only: Matter | None = None,
    *,
    beyond_limit: bool,
) -> OfferResult | None:
    """Keep what a reply gives; None where all of it was laid by for a person to decide.

    `only` is the one kind that a person asked for, which is no pass through the rings.
    """
    opened, handout = made.opened, Exchanges(made).hand(asked)
    if isinstance(asked, ImmunityAsk):
        return _settle_review(made, asked, handout, reply, manner, only, beyond_limit=beyond_limit)
    if not manner.dry_run:
        made.begin()
    left: list[LeftItem] = []

    def read(snapshot: Snapshot, text: str) -> Answer:
        answer = handout.read(snapshot, text)
        left.extend(answer.left)
        return _as_part(answer, asked, only)

    limit = PassLimit(made, beyond=beyond_limit)
    try:
        further = " --beyond-limit" if beyond_limit else ""
        return settle_offers(opened, replace(handout, read=read, options=further), reply, manner, limit)
    finally:
        if isinstance(asked, RewriteAsk) and not manner.dry_run:
            _note_losses(opened, asked, left)


def is_pass_done(made: "Pass", only: Matter | None) -> bool:
    """Return whether nothing of a pass is left; after `only` one kind of it, no other may be due either."""
    return not made.found.steps and (only is None or Exchanges(made).due() is None)


def _as_part(answer: Answer, asked: MaintenanceAsk, only: Matter | None) -> Answer:
    """Return the answer, its commits marked as a part of maintenance unless pages fade in a pass.

    A pass is known in history by what faded in it; the other kinds tell nothing of rings 3 and 4.
    """
    matter = KINDS[asked.name][0]
    if only is None and matter is Matter.FADE:
        return answer

    def marked(offer: Offer) -> Offer:
        def plan(snapshot: Snapshot) -> Change:
            change = offer.plan(snapshot)
            return replace(change, trailers=(*change.trailers, (PART, matter.value)))

        return replace(offer, plan=plan)

    return replace(answer, offers=tuple(map(marked, answer.offers)))


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
    only: Matter | None,
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

        def read(snapshot: Snapshot, text: str) -> Answer:
            return _as_part(handout.read(snapshot, text), asked, only)

        limit = PassLimit(made, beyond=beyond_limit)
        settled = settle_offers(opened, replace(handout, read=read), reply, manner, limit)
    if not manner.dry_run and (settled is None or not settled.stopped):
        note_review(opened.state, stamp(opened.now()))
        if settled is None and is_pass_done(after := made.anew(), only):
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
