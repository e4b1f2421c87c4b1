"""Limit of a pass: the share of a ring that its exchanges may lose before a person confirms more."""

from typing import TYPE_CHECKING

from reel_cli.core.exchange.exchange import Offer
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.values.approval import is_mass_closing
from reel_cli.core.values.memory import coarseness
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.fading.view import limit_in_words

if TYPE_CHECKING:
    from reel_cli.features.fading.maintenance_pass import Pass


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
