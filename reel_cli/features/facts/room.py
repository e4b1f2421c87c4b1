"""Room of the facts that must be in a bundle, in their share of the kit's own window."""

from collections.abc import Sequence

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.render import MARKDOWN, Writer
from reel_cli.core.values.fact import Fact
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.facts.plan import stand
from reel_cli.features.facts.policy import fact_name, is_firm, rows_of


def share_of(snapshot: Snapshot) -> int:
    """Return how many tokens the facts may take at the kit's own cap."""
    return snapshot.settings.cap * snapshot.settings.facts_share // WHOLE


def size_of(snapshot: Snapshot, facts: Sequence[Fact], counter: Counter) -> int:
    """Return the token count of the facts that must be packed."""
    held = [one for one in stand(snapshot, facts).held if is_firm(one)]
    return sum(unit.tokens for unit in Writer(MARKDOWN, counter.count).facts(rows_of(held)))


def without_too_many(
    snapshot: Snapshot, noted: Sequence[Fact], fresh: Sequence[Fact], counter: Counter
) -> tuple[list[Fact], list[Fact]]:
    """Return the fresh facts that have room, and those that have none: the less sure go first."""
    kept, full = list(fresh), list[Fact]()
    before = size_of(snapshot, noted, counter) if fresh else 0
    while kept and size_of(snapshot, [*noted, *kept], counter) > max(before, share_of(snapshot)):
        held = {fact_name(one) for one in stand(snapshot, [*noted, *kept]).held}
        inside = [one for one in kept if fact_name(one) in held] or kept
        weakest = min(reversed(inside), key=lambda one: float(one.confidence))
        kept.remove(weakest)
        full.append(weakest)
    return kept, full
