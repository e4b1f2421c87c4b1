"""The facts of a kit as `reel status --metrics` and a new beginning measure them (SRIP-11 §VI)."""

from reel_cli.core.kit.known_facts import FactReader, KnownFacts
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.facts.ask import list_rounds
from reel_cli.features.facts.plan import list_facts, proper_categories
from reel_cli.features.facts.policy import category_of
from reel_cli.features.facts.statement import rows_of


def read_known(snapshot: Snapshot) -> KnownFacts:
    """Return the facts that go into every bundle, and which categories have one."""
    standing = list_facts(snapshot)
    there = {category_of(one) for one in (*standing.held, *(rest.fact for rest in standing.resting))}
    kinds = proper_categories(snapshot)
    return KnownFacts(
        rows_of(standing.held, snapshot.settings.user),
        len(standing.resting),
        [one for one in kinds if one in there],
        [one for one in kinds if one not in there],
        snapshot.settings.facts_most,
    )


KNOWN = FactReader(read_known, list_rounds)
