"""What changed between two moments of what is known by heart."""

from collections.abc import Mapping

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import current_facts, fact_id
from reel_cli.features.history.diff_files import Text


def compare_facts(start: Snapshot, end: Snapshot) -> Mapping[str, Text]:
    """The facts that came, went or have another value, by their IDs; "" where there was, or is, none."""
    before, after = (
        {fact_id(one): one.value for one in current_facts(read_facts(side))} for side in (start, end)
    )
    names = [*before, *(name for name in after if name not in before)]
    pairs = {name: Text(before.get(name, ""), after.get(name, "")) for name in names}
    return {name: text for name, text in pairs.items() if text.before != text.after}
