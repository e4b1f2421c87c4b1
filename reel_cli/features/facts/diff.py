"""Changes of the facts between two moments."""

from collections.abc import Collection

from reel_cli.core.kit.kinds import LONGEST, KindDiff
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.features.facts.files import read_facts
from reel_cli.features.facts.policy import current_facts, fact_id


def compare_facts(start: Snapshot, end: Snapshot, _changed: Collection[str]) -> KindDiff:
    """Return the facts that came, went or have another value, by their IDs."""
    before, after = (
        {fact_id(one): one.value for one in current_facts(read_facts(side))} for side in (start, end)
    )
    names = [*before, *(name for name in after if name not in before)]
    pairs = {name: (before.get(name, ""), after.get(name, "")) for name in names}
    found = {name: pair for name, pair in pairs.items() if pair[0] != pair[1]}
    value = {name: {"before": was, "after": now} for name, (was, now) in found.items()}
    return KindDiff(
        "facts", value, "Known by heart", [_tell(name, was, now) for name, (was, now) in found.items()]
    )


def _tell(name: str, was: str, now: str) -> str:
    if was and now:
        return f"{name}: {one_line(now, LONGEST)} (before: {one_line(was, LONGEST)})"
    return f"{name}: {one_line(now or was, LONGEST)}{'' if now else ' (let go)'}"
