"""Semantic loss by words: how much of sound short texts was never said, and of texts about something else.

    python bench/compression.py KIT…      (kits with memories and their tape; default the example kits)

Markers, tags and digests of each kit are held against their own page and chat, then against those of every
other memory of the kit. The limit is set by the other kits each time (their worst sound text and a
twentieth), so that no kit judges itself.
"""

import sys
from dataclasses import dataclass, field
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.evidence.grounding.check import list_said, list_words
from reel_cli.core.evidence.grounding.memory_stretches import plain_text
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import where_of
from reel_cli.features.compression.loss import FEWEST_WORDS, MOST_UNSAID, count_unsaid

MARGIN = 0.05


@dataclass
class Losses:
    """Shares of unsaid words of one kit's short texts: against their own source, and against others."""

    sound: list[float] = field(default_factory=list)
    strange: list[float] = field(default_factory=list)


def measure(kit: Path) -> Losses:
    """Return the losses of a kit's markers and tags."""
    snapshot = Snapshot(WorkTree(kit), kit.name)
    evidence = TapeEvidence(snapshot)
    held = [(m, source) for m in snapshot.memories.values() if (source := evidence.source(where_of(m)))]
    originals = {m.id: list_words(plain_text(m.body)) | list_said(source) for m, source in held}
    found = Losses()
    for memory, _ in held:
        for text in (memory.marker, memory.tag or memory.title):
            for other, _ in held:
                unsaid, words = count_unsaid(text, originals[other.id])
                if words >= FEWEST_WORDS and text.strip() != plain_text(other.body).strip():
                    (found.sound if other is memory else found.strange).append(unsaid / words)
    return found


def main() -> int:
    """Print the figures of each kit, judged by the others."""
    kits = [Path(kit) for kit in sys.argv[1:]] or [HERE.parent / "kits" / n for n in ("ada", "meridian")]
    found = {kit: measure(kit) for kit in kits}
    print("| kit left out | sound texts | worst | limit by the others | false alarms | others found |")
    print("| --- | --- | --- | --- | --- | --- |")
    for kit, losses in found.items():
        limit = max(x for other, theirs in found.items() if other != kit for x in theirs.sound) + MARGIN
        alarms = sum(x > limit for x in losses.sound)
        caught = sum(x > limit for x in losses.strange) / max(1, len(losses.strange))
        name = kit.name if kit.name != "kit" else kit.parent.name
        print(
            f"| {name} | {len(losses.sound)} | {max(losses.sound):.2f} | {limit:.2f} | {alarms}"
            f" | {caught:.1%} of {len(losses.strange):,} |"
        )
    sound = [x for losses in found.values() for x in losses.sound]
    strange = [x for losses in found.values() for x in losses.strange]
    alarms, caught = (sum(x > MOST_UNSAID for x in some) for some in (sound, strange))
    print(
        f"\nAt {MOST_UNSAID:g}: {alarms} of {len(sound)} sound texts, {caught / len(strange):.1%} of"
        f" {len(strange):,} about something else."
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
