"""Bundles with and without `pack.threads`: how much of the gold answers they hold, before and after fading.

    python bench/threads_pack.py /lived/kit=0 /lived/other=2 [--windows 6k,7k,8k] [--days 240] [--runs 9]

Each kit lived one talk of LoCoMo (`../shared/data/locomo/dev.json`, by its number there). For every multi-hop
and temporal question of that talk: the share of the answer's words, those of the question aside, that stands
in what the bundle tells of the past, in paragraphs that share a word with the question. For a temporal
question it must be one paragraph, with two of its words. No model reads or marks anything. Then what needs no
model fades in a copy of each kit, so many days after its last chat, and the figures are taken again. With
`--runs` the command's processor time is compared too.
"""

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from statistics import fmean
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from record import REEL
from timing import compare, run

from reel_cli.core.pack.cue import content_words

TALKS = HERE.parent.parent / "shared" / "data" / "locomo" / "dev.json"
MULTI_HOP, TEMPORAL = 1, 2
_ORDINARY = frozenset(content_words("the and there often times kind would"))


def main() -> int:
    """Measure each kit and print a table."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("kits", nargs="+", metavar="KIT=TALK")
    reader.add_argument("--windows", default="6k,7k,8k")
    reader.add_argument("--days", type=int, default=240)
    reader.add_argument("--runs", type=int, default=0)
    asked = reader.parse_args()
    talks = json.loads(TALKS.read_text(encoding="utf-8"))
    os.environ |= {"PYTHONPATH": str(HERE.parent), "NO_COLOR": "1"}
    print("| kit | window | temporal | multi-hop |\n| --- | --- | --- | --- |")
    for given in asked.kits:
        place, _, number = given.rpartition("=")
        with tempfile.TemporaryDirectory() as folder:
            kits = [Path(folder) / name for name in ("off", "on")]
            for kit in kits:
                shutil.copytree(place, kit, symlinks=True)
                shutil.rmtree(kit / ".reel" / "cache", ignore_errors=True)
            with (kits[1] / "kit.yaml").open("a", encoding="utf-8") as file:
                file.write("pack: {threads: yes}\n")
            last = max(path.stem for path in kits[0].glob("tape/2*/*.md"))[:10]
            os.environ["REEL_NOW"] = f"{last}T23:00:00+00:00"
            _tell(kits, talks[int(number)], asked.windows.split(","), place)
            if asked.runs:
                print(f"| {place} | speed, on : off | {_ratio(kits, asked.runs)} | |", flush=True)
            day = date.fromisoformat(last) + timedelta(days=asked.days)
            os.environ["REEL_NOW"] = f"{day}T23:00:00+00:00"
            for kit in kits:
                _reel(kit, "maintain", "--auto", "--yes")
            _tell(kits, talks[int(number)], asked.windows.split(","), f"{place} after a pass")
    return 0


def _ratio(kits: Sequence[Path], runs: int) -> str:
    """Return the time of `reel pack` with threads to that without, run in turn."""
    pack = [*REEL, "pack"]
    both = compare(lambda: run(pack, kits[1]), lambda: run(pack, kits[0]), runs=runs)
    return f"cpu {both.cpu:.2f} ({both.first.cpu * 1000:.0f} : {both.second.cpu * 1000:.0f} ms)"


def _tell(kits: Sequence[Path], talk: dict[str, Any], windows: Sequence[str], name: str) -> None:
    for window in windows:
        off, on = (score(_reel(kit, "pack", "--window", window), talk) for kit in kits)
        cells = [f"{off[kind]:.3f} → {on[kind]:.3f} ({on[kind] - off[kind]:+.3f})" for kind in off]
        print(f"| {name} | {window} | {' | '.join(cells)} |", flush=True)


def _reel(kit: Path, *words: str) -> str:
    done = subprocess.run([*REEL, *words], cwd=kit, capture_output=True, text=True, check=True)
    return done.stdout


def score(bundle: str, talk: dict[str, Any]) -> dict[int, float]:
    """Return the mean share of the answers that stands near their questions, by kind of question."""
    speakers = content_words(" ".join(talk["conversation"][f"speaker_{one}"] for one in "ab"))
    told = bundle[bundle.find("## What you remember") :]
    lines = [_words(line) for line in told.splitlines() if line.strip() and line[:1] != "#"]
    shares: dict[int, list[float]] = {TEMPORAL: [], MULTI_HOP: []}
    for kind, question, answer in _questions(talk):
        asked, said = (_words(text) - speakers - _ORDINARY for text in (question, answer))
        wanted = said - asked or said
        near = [line for line in lines if line & asked]
        if not wanted:
            continue
        if kind == MULTI_HOP:
            shares[kind].append(len(wanted & set().union(*near)) / len(wanted))
        else:
            enough = max(1, min(2, len(asked)))
            found = (len(wanted & line) / len(wanted) * min(1, len(line & asked) / enough) for line in near)
            shares[kind].append(max(found, default=0.0))
    return {kind: fmean(found) for kind, found in shares.items()}


def _words(text: str) -> set[str]:
    return {*content_words(text), *re.findall(r"\d+", text)}


def _questions(talk: dict[str, Any]) -> Iterator[tuple[int, str, str]]:
    for one in talk["qa"]:
        if one["category"] in (MULTI_HOP, TEMPORAL) and "answer" in one:
            yield one["category"], one["question"], str(one["answer"])


if __name__ == "__main__":
    sys.exit(main())
