"""`recall.topology` off, `expand` and `phase`: what recall finds with each, on the sets of recall.py.

    python bench/topology.py [--data FOLDER] [--lived TALK=KIT ...]

Prints a table, as results.md has it. `--lived 2=FOLDER` asks LoCoMo's third talk's questions of a kit that
lived through it, page by page: only such a kit has pages, and phases other than stable.
"""

import argparse
import os
import shutil
import statistics
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import UTC
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from recall import KINDS, Kit, make_kit, measure_realmem, measure_talks, read_locomo, read_rounds

from reel_cli.core.values.settings import TOPOLOGIES
from reel_cli.features.recall.recall import Recollection
from reel_cli.features.recall.recall_answer import RecallRequest

ROOM = (("R@10", RecallRequest(limit=10)), ("within 1,024 tokens", RecallRequest(tokens=1024)))


def main() -> int:
    """Measure each topology and print the table."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument(
        "--data", type=Path, default=Path(os.environ.get("REEL_SHARED_DATA", "../shared/data"))
    )
    reader.add_argument("--lived", action="append", default=[], metavar="TALK=KIT")
    asked = reader.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    found: dict[str, list[str]] = {}
    with tempfile.TemporaryDirectory() as folder:
        for topology in TOPOLOGIES:
            work = Path(folder) / topology
            settings = f"recall: {{topology: {topology}}}\n"
            for what, figure in measure(work, asked.data, settings, asked.lived):
                found.setdefault(what, []).append(figure)
                print(topology, what, figure, file=sys.stderr, flush=True)
    print(f"| | {' | '.join(TOPOLOGIES)} |\n| --- |{' --- |' * len(TOPOLOGIES)}")
    for what, figures in found.items():
        print(f"| {what} | {' | '.join(figures)} |")
    return 0


def measure(work: Path, data: Path, settings: str, lived: Sequence[str]) -> Iterator[tuple[str, str]]:
    """Yield each figure with its name."""
    talks = read_locomo(data)
    kits = [(make_kit(work / f"locomo-{n}", kit, settings), kit) for n, kit in enumerate(talks)]
    yield from measure_evidence("LoCoMo", kits)
    if lived:
        copies = []
        for number, place in (one.split("=", 1) for one in lived):
            root = shutil.copytree(place, work / f"lived-{number}")
            with (root / "kit.yaml").open("a", encoding="utf-8") as file:
                file.write(f"\n{settings}")
            copies.append((root, talks[int(number)]))
        yield from measure_evidence(f"{len(copies)} lived kits", copies)
    for what, _, figure, _ in measure_realmem(work, data, settings):
        yield what.partition(" (")[0], figure.partition(" ")[0]
    yield "memories' rounds, R@5 / R@10 / MRR", measure_rounds(work, data)
    for what, _, figure, _ in measure_talks(work, settings):
        yield what.partition(" (")[0], figure.partition(" ")[0]


def measure_evidence(name: str, kits: Sequence[tuple[Path, Kit]]) -> Iterator[tuple[str, str]]:
    """Yield the evidence that is told, of all questions and of each kind."""
    shares: dict[tuple[str, int], list[float]] = {}
    for root, kit in kits:
        with Recollection(root, UTC) as kept:
            for asked in kit.asked:
                for room, wish in ROOM:
                    moments = kept.recall(asked.text, wish, certain=False).moments
                    shown = {(moment.session, turn.number) for moment in moments for turn in moment.turns}
                    share = len(asked.evidence & shown) / len(asked.evidence)
                    for kind in (0, asked.category):
                        shares.setdefault((room, kind), []).append(share)
    for room, _ in ROOM:
        apart = ", ".join(f"{KINDS[kind]} {statistics.mean(shares[room, kind]):.3f}" for kind in (1, 2))
        yield f"{name}, evidence {room}", f"{statistics.mean(shares[room, 0]):.3f} ({apart})"


def measure_rounds(work: Path, data: Path) -> str:
    """Return how early the rounds are told that memories of RealMem were drawn from; on its kits."""
    ranks = []
    for n, kit in enumerate(read_rounds(data)):
        with Recollection(work / f"realmem-{n}", UTC) as kept:
            for asked in kit.asked:
                hits = kept.recall(asked.text, RecallRequest(limit=20), certain=False).moments
                shown = [{(hit.session, number) for number in hit.hit.messages} for hit in hits]
                places = (at for at, some in enumerate(shown, start=1) if asked.evidence & some)
                ranks.append(next(places, 0))
    figures = (
        statistics.mean(0 < rank <= 5 for rank in ranks),
        statistics.mean(0 < rank <= 10 for rank in ranks),
        statistics.mean(1 / rank if rank else 0.0 for rank in ranks),
    )
    return " / ".join(f"{figure:.3f}" for figure in figures)


if __name__ == "__main__":
    sys.exit(main())
