"""Replies of maintenance settled: kept within the limit of a pass, or put into `review/` for a person."""

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Answer, Handout, LeftItem
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.features.fading.ask import RewriteAsk
from reel_cli.features.fading.exchange.exchanges import Exchanges, MaintenanceAsk
from reel_cli.features.fading.exchange.pass_limit import PassLimit
from reel_cli.features.fading.immunity_review import ImmunityAsk, plan_proposals, proposal_name
from reel_cli.features.fading.pass_file import note_loss, note_review
from reel_cli.features.fading.plan import OP
from reel_cli.terminal.converse import ExchangeOptions, problems_json
from reel_cli.terminal.offers import OfferResult, left_json, read_answer, settle_offers, tell_left

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass
    from reel_cli.terminal.open_kit import OpenKit


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
