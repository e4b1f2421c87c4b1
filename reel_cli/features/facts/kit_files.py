"""`facts.yaml` as a kind of kit file."""

from typing import TYPE_CHECKING

from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.facts.files import parse_facts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import FactRow


def _check(_path: str, text: str) -> None:
    parse_facts(text)


def _rows(snapshot: "Snapshot") -> "tuple[Sequence[FactRow], Sequence[tuple[str, str]]]":
    """Return the facts for a bundle, and those that rest."""
    from reel_cli.features.facts.files import read_facts
    from reel_cli.features.facts.policy import divide, fact_id, rows_of

    settings = snapshot.settings
    standing = divide(read_facts(snapshot), settings.facts_sure, settings.facts_most)
    return rows_of(standing.held), [(fact_id(one.fact), one.why) for one in standing.resting]


FACTS_FILE = KitFileKind(_check, rows=_rows)
