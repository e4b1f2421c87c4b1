"""Common prefix of the bundles of neighbouring evenings, and where they part: for a local server's cache.

    python bench/prefix.py /lived/kit … [--windows 8k,16k,32k] [--evenings 14] [--each] [--share .55]

A server that keeps what it computed for a prompt starts again at the first character that changed. For each
of a kit's last evenings (the commit before the next chat is recorded, and the last one) its bundle is packed;
the figure is the length of the prefix that two neighbours have in common over that of the shorter, in
characters. The table says how many of them part in each section, and how long the sections are. With
`--share` the exit code is 1 where the median of a kit's figures is less in one of the windows.
"""

import argparse
import re
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from statistics import median
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from lived_doubts import git

from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import find_own_repository
from reel_cli.core.kit.past import PastGlance
from reel_cli.core.pack.build_bundle import BundleRequest, pack_then
from reel_cli.core.values.sizes import parse_tokens

_SECTION = re.compile(r"(?m)^## (.+)$")


class Parting(NamedTuple):
    """The point at which two neighbouring bundles part."""

    share: float
    section: str
    line: str


def main() -> int:
    """Measure each kit at each window and print the figures."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("kits", nargs="+", type=Path)
    reader.add_argument("--windows", default="8k,16k,32k")
    reader.add_argument("--evenings", type=int, default=14)
    reader.add_argument("--each", action="store_true", help="print each pair of evenings")
    reader.add_argument("--share", type=float, default=0.0, help="the least median to ask for")
    asked = reader.parse_args()
    lowest = 1.0
    for kit in asked.kits:
        for window in asked.windows.split(","):
            bundles = list(pack_evenings(kit, asked.evenings, parse_tokens(window)))
            found = [part(*pair) for pair in pairwise(bundles)]
            lowest = min(lowest, tell(f"{kit.name} at {window}", bundles, found, each=asked.each))
    return int(lowest < asked.share)


def pack_evenings(kit: Path, evenings: int, window: int) -> Iterator[str]:
    """Yield the texts of the bundles with which the last evenings began, and the next one would."""
    repository = find_own_repository(kit)
    if repository is None:
        message = f"{kit} is no kit with a history"
        raise SystemExit(message)
    lines = [line.partition(" ") for line in git(kit, "log", "--reverse", "--format=%H %s")]
    before = [lines[at - 1][0] for at, line in enumerate(lines) if at and line[2].startswith("record:")]
    for commit in [*before, lines[-1][0]][-evenings - 1 :]:
        with CommitTree(repository, commit) as tree:
            yield pack_then(PastGlance(tree, kit.name, kit), BundleRequest(window=window)).text


def part(older: str, newer: str) -> Parting:
    """Return where two bundles part, by the newer one's section and line."""
    pairs = enumerate(zip(older, newer, strict=False))
    same = next((at for at, (one, other) in pairs if one != other), min(len(older), len(newer)))
    heads = [match[1] for match in _SECTION.finditer(newer, 0, newer.find("\n", same) + 1)]
    start = newer.rfind("\n", 0, same) + 1
    line = newer[start : newer.find("\n", same)]
    return Parting(same / min(len(older), len(newer)), heads[-1] if heads else "the beginning", line)


def tell(name: str, bundles: Sequence[str], found: Sequence[Parting], *, each: bool) -> float:
    """Print a kit's figures at one window, and return the median."""
    middle = median(one.share for one in found)
    shares = " ".join(f"{one.share:.2f}" for one in sorted(found))
    print(f"{name}: median {middle:.3f} of {len(found)} ({shares})")
    counts = Counter(one.section for one in found)
    for section, size in sizes(bundles).items():
        print(f"  {size:5.1%}  {counts[section] or '':>3}  {section}")
    if each:
        for one in found:
            print(f"    {one.share:.2f}  {one.section}: {one.line[:100]}")
    return middle


def sizes(bundles: Sequence[str]) -> dict[str, float]:
    """Return each section's mean share of a bundle, in the order of the last bundle."""
    shares: dict[str, list[float]] = {}
    for text in reversed(bundles):
        starts = [(0, "the beginning"), *((m.start(), m[1]) for m in _SECTION.finditer(text))]
        for (start, title), (end, _) in pairwise([*starts, (len(text), "")]):
            shares.setdefault(title, []).append((end - start) / len(text))
    return {title: sum(every) / len(bundles) for title, every in shares.items()}


if __name__ == "__main__":
    sys.exit(main())
