"""Exchanges of a pass: which are due, which were handed out, and which prompt a reply answers."""

from collections.abc import Iterator, Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Handout
from reel_cli.features.fading.ask import Request, RewriteAsk
from reel_cli.features.fading.fading import Step
from reel_cli.features.fading.immunity_review import ImmunityAsk, ImmunityReview
from reel_cli.features.fading.plan import OP
from reel_cli.features.fading.plan_tidying import Tidier, TidyAsk
from reel_cli.features.fading.rewrite_exchange import Rewriter
from reel_cli.features.fading.view import limit_in_words
from reel_cli.terminal.converse import ring0_in_force

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
