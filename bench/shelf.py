"""Cost of ten thousand files on the shelf, made anew each time in separate kits.

python bench/shelf.py [--files 10000] [--runs 11] [--write]

`reel pack` is run in turn in two kits that are alike but for the shelf, as whole processes. The files are
small texts in twenty folders, and came by one `reel shelf add`, which is timed; so all of them are as
hot as a file gets without a word of anybody's.
Collecting is measured last, with a chat and advice on some of them.
"""

import argparse
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE))

from timing import Compared, Taken, compare, run

GOAL = 1.2
GC_GOAL = 3
ADVISED = 50
"""So many files the persona advises to let go of."""
FOLDERS = 20
SETTLE = 3.0
"""Seconds until no file is as young as the catalog's clock."""


def main() -> int:
    """Measure, print, and with --write keep the results; 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--files", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=11)
    parser.add_argument("--write", action="store_true")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        text, met = measure(Path(folder), asked.files, asked.runs)
    sys.stdout.write(text)
    if asked.write:
        (HERE / "results-shelf.md").write_text(text, encoding="utf-8")
    return int(not met)


def measure(place: Path, files: int, runs: int) -> tuple[str, bool]:
    """The page of results, and whether the goals are met."""
    for name in ("full", "bare"):
        reel(place, "init", name, "--template", "companion", "--window", "32k")
    full, bare = place / "full", place / "bare"
    make_files(place / "many", files)
    adding = reel(full, "shelf", "add", "../many")
    time.sleep(SETTLE)
    first = reel(full, "pack")
    packed = compare(lambda: reel(full, "pack"), lambda: reel(bare, "pack"), runs=runs)
    listing = compare(lambda: reel(full, "shelf", "list"), lambda: git(full, "status"), runs=3)
    status = compare(lambda: reel(full, "status"), lambda: reel(bare, "status"), runs=5)
    advise(place, full)
    time.sleep(SETTLE)
    marked = reel(full, "shelf", "gc", "--dry-run")
    collected = compare(
        lambda: reel(full, "shelf", "gc", "--dry-run"), lambda: git(full, "status"), runs=runs
    )
    rows = [
        (f"`reel pack`, {files:,} files on the shelf : none", f"<= {GOAL}", told(packed.wall, packed)),
        ("the same, by processor time", "", told(packed.cpu, packed, cpu=True)),
        ("the first `reel pack` after they came", "", f"{first.wall:.2f} s"),
        (f"`reel shelf add` of {files:,} files", "", f"{adding.wall:.1f} s, {adding.peak:.0f} MB"),
        ("`reel shelf list` : `git status`", "", told(listing.wall, listing)),
        ("`reel status` with the shelf : without", "", told(status.wall, status)),
        ("`reel shelf gc --dry-run` : `git status`", f"<= {GC_GOAL}", told(collected.wall, collected)),
        ("the same, by processor time", "", told(collected.cpu, collected, cpu=True)),
        ("the first `reel shelf gc --dry-run` after a change", "", f"{marked.wall:.2f} s"),
    ]
    table = "".join(f"| {what} | {goal} | {value} |\n" for what, goal, value in rows)
    head = "# The shelf\n\n<!-- Written by  python bench/shelf.py --write -->\n\n"
    about = (
        f"{files:,} small texts in {FOLDERS} folders, put on the shelf by one command, in a kit of 32K;"
        " against a kit that is the same but for them. Whole processes, run in turn; medians, and of the"
        f" ratios the median of {runs} pairs. All files are equally hot.\n\n"
    )
    page = f"{head}{about}| what | goal | measured |\n| --- | --- | --- |\n{table}"
    return page, packed.wall <= GOAL and collected.wall <= GC_GOAL


def make_files(folder: Path, files: int) -> None:
    """Small texts, in folders."""
    for number in range(files):
        place = folder / f"part-{number % FOLDERS:02d}"
        place.mkdir(parents=True, exist_ok=True)
        (place / f"note-{number:05d}.md").write_text(
            f"# Note {number}\n\nWhat was said of kiln {number}.\n" * 4
        )


def advise(place: Path, kit: Path) -> None:
    """A chat comes in, and the persona advises on some files; as much is cold as there is no room for."""
    said = "".join(f"{who}: What was said of the kiln.\n\n" for who in ("User", "Assistant") * 3)
    (place / "chat.md").write_text(said)
    cold = [
        {"path": f"many/part-{n % FOLDERS:02d}/note-{n:05d}.md", "why": "over", "suggested_action": "archive"}
        for n in range(ADVISED)
    ]
    (place / "advice.json").write_text(json.dumps({"why": "there are many", "cold": cold}))
    reel(kit, "record", "../chat.md")
    reel(kit, "shelf", "advise", "--reply", "../advice.json", "--yes")


def reel(folder: Path, *arguments: str) -> Taken:
    """Run reel in a folder."""
    command = [sys.executable, "-m", "reel_cli", *arguments]
    return run(command, folder, {"PYTHONPATH": str(HERE.parent)})


def git(folder: Path, *arguments: str) -> Taken:
    """Run git in a folder."""
    return run(["git", *arguments], folder)


def told(ratio: float, both: Compared, *, cpu: bool = False) -> str:
    """A ratio, and the two times."""
    one, two = (both.first.cpu, both.second.cpu) if cpu else (both.first.wall, both.second.wall)
    return f"{ratio:.2f} ({one * 1000:.0f} : {two * 1000:.0f} ms)"


if __name__ == "__main__":
    subprocess.run(["git", "--version"], check=True, stdout=subprocess.DEVNULL)
    sys.exit(main())
