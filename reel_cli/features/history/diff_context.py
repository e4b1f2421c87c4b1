"""What changed between two moments in `SHARED-CONTEXT.md`."""

from collections.abc import Mapping

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.features.dream.context.files import HEADINGS
from reel_cli.features.dream.context.shared_context import PARTS, SharedContext
from reel_cli.features.dream.context.state import read_shared
from reel_cli.features.history.diff_files import Text


def compare_context(start: Snapshot, end: Snapshot) -> Mapping[str, Text]:
    """The parts that say something else, by their headings; "" where there was, or is, no such part."""
    before, after = (read_shared(side) or SharedContext() for side in (start, end))
    pairs = {key: Text(before.parts.get(key, ""), after.parts.get(key, "")) for key in PARTS}
    return {HEADINGS[key]: text for key, text in pairs.items() if text.before != text.after}
