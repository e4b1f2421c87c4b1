"""Changes of `SHARED-CONTEXT.md` between two moments."""

from collections.abc import Collection

from reel_cli.core.kit.kind_diff import KindDiff, tell_passage
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.dream.context.files import HEADINGS
from reel_cli.features.dream.context.shared_context import PARTS, SharedContext
from reel_cli.features.dream.context.state import read_shared


def compare_context(start: Snapshot, end: Snapshot, _changed: Collection[str]) -> KindDiff:
    """Return the parts that say something else; "" where there was, or is, no such part."""
    before, after = (read_shared(side) or SharedContext() for side in (start, end))
    pairs = {HEADINGS[key]: (before.parts.get(key, ""), after.parts.get(key, "")) for key in PARTS}
    found = {heading: pair for heading, pair in pairs.items() if pair[0] != pair[1]}
    lines = [line for heading, pair in found.items() for line in tell_passage(heading, *pair)]
    value = {heading: {"before": was, "after": now} for heading, (was, now) in found.items()}
    return KindDiff("context", value, "How things are now", lines)
