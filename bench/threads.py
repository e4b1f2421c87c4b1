"""The lattice of threads over a long tape: building it, one chat more, listing, and recall along a thread.

One chat more is also cut by itself, among all the chats and among the first fifty: that must take as long.

    python bench/threads.py [--runs 5] [--sessions 551] [--megabytes 119] [--keep FOLDER] [--dry]

The tape is made of the text of the shared data as `record.py` makes it, in another order for each chat. Whole
commands are run and accounted for by processor time, since the machine may have other work; `reel recall
--thread` runs in turn with `reel recall`. What is written goes to bench/results-threads.md.
"""

import argparse
import os
import platform
import shutil
import sqlite3
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from dream import Row, apart
from record import REEL, make_export
from timing import Taken, compare, run

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.source import session_path
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.survey import POLICY, list_names

STORE = ".reel/cache/lattice.sqlite"
SPEED, MEMORY, RATIO = 5.0, 200.0, 1.5
"""MB a second and MB of memory in building; `recall --thread` against `recall` (issue 22)."""
FEW, UPDATE = 50, 1.5
"""Chats of a short life, and how much longer one chat more may take in the long one."""
QUERY = "Edmonton museum"


def main() -> int:
    """Measure, print, write the report; 1 where a goal is missed."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--runs", type=int, default=5)
    reader.add_argument("--sessions", type=int, default=551)
    reader.add_argument("--megabytes", type=float, default=119)
    reader.add_argument("--keep", type=Path, help="take the kit from this folder, or make it there")
    reader.add_argument("--dry", action="store_true", help="do not write the report")
    asked = reader.parse_args()
    os.environ |= {"PYTHONPATH": str(HERE.parent), "NO_COLOR": "1"}
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "Bo", f"GIT_{who}_EMAIL": "bo@example.org"}
    with tempfile.TemporaryDirectory() as folder:
        source = have_kit(asked.keep or Path(folder) / "source", asked.sessions, int(asked.megabytes * 1e6))
        kit = shutil.copytree(source, Path(folder) / "kit")
        rows: list[Row] = []
        for row in measure(kit, asked.runs):
            print(f"{row[0]:<60} {row[2]:<50} goal {row[1]:<10} {'ok' if row[3] else 'MISSED'}", flush=True)
            rows.append(row)
    if not asked.dry:
        told = report(rows, asked.sessions, asked.megabytes)
        (HERE / "results-threads.md").write_text(told, encoding="utf-8")
    return int(not all(met for *_, met in rows))


def have_kit(kit: Path, sessions: int, size: int) -> Path:
    """A kit with such a tape, made where there is none yet."""
    if not (kit / "kit.yaml").exists():
        kit.parent.mkdir(parents=True, exist_ok=True)
        run([*REEL, "init", str(kit), "--name", "Ada"], kit.parent)
        _record(kit, sessions, size, 1)
    return kit


def _record(kit: Path, sessions: int, size: int, seed: int) -> None:
    export = kit.parent / "export.json"
    apart(partial(make_export, export, sessions, size, seed=seed))
    run([*REEL, "record", str(export)], kit)
    export.unlink()


def measure(kit: Path, runs: int) -> Iterator[Row]:
    """Each thing measured: what, the goal, the figure, and whether it meets the goal."""
    size = sum(file.stat().st_size for file in kit.glob("tape/2*/*.md"))
    listing = [*REEL, "memory", "threads"]
    (kit / STORE).unlink(missing_ok=True)
    first = run(listing, kit)
    speed = size / 1e6 / first.cpu
    told = f"{speed:.1f} MB/s ({size / 1e6:.0f} MB in {first.cpu:.1f} s, wall {first.wall:.0f} s)"
    yield "first `reel memory threads`: the lattice is built", f">= {SPEED:.0f} MB/s", told, speed >= SPEED
    told = f"{first.peak:.0f} MB (the file: {(kit / STORE).stat().st_size / 1e6:.0f} MB)"
    yield "its peak memory", f"<= {MEMORY:.0f} MB", told, first.peak <= MEMORY
    yield "`reel memory threads` again", "none set", _told(run(listing, kit)), True
    _record(kit, 1, 20_000, 2)
    yield "`reel memory threads` after one chat more", "none set", _told(run(listing, kit)), True
    yield measure_update(kit, runs)
    plain = [*REEL, "recall", QUERY]
    both = compare(lambda: run([*plain, "--thread"], kit), lambda: run(plain, kit), runs=runs, warm=1)
    times = f"{both.first.cpu * 1000:.0f} : {both.second.cpu * 1000:.0f} ms"
    told = f"{both.cpu:.2f} ({times}; wall {both.wall:.2f})"
    yield "`reel recall --thread` : `reel recall`, processor time", f"<= {RATIO}", told, both.cpu <= RATIO


def measure_update(kit: Path, runs: int) -> Row:
    """Cut one chat and keep its ribs, among all chats and among a few, in turn: medians of processor time."""
    snapshot = Snapshot(WorkTree(kit), "ada")
    with sqlite3.connect(kit / STORE) as file:
        # the store adds the policy and a number for the names
        chats = {chat: stamp.rsplit(" ", 2)[0] for chat, stamp in file.execute("SELECT id, stamp FROM chats")}
    file.close()
    newest = max(chats)
    few = dict(sorted(chats.items())[:FEW]) | {newest: chats[newest]}

    def refresh(lattice: Lattice, some: dict[str, str]) -> float:
        began = time.process_time()
        lattice.refresh(some, lambda chat: snapshot.tree.read(session_path(chat)) or b"", POLICY, names)
        return time.process_time() - began

    names = list_names(snapshot)
    took: dict[int, list[float]] = {len(chats): [], len(few): []}
    with tempfile.TemporaryDirectory() as folder:
        copy = Path(folder) / STORE
        copy.parent.mkdir(parents=True)
        shutil.copy(kit / STORE, copy)
        with Lattice(copy) as long, Lattice(copy.with_name("few.sqlite")) as short:
            refresh(short, few)
            for _ in range(runs * 3):
                for lattice, some in ((long, chats), (short, few)):
                    refresh(lattice, {chat: stamp for chat, stamp in some.items() if chat != newest})
                    took[len(some)].append(refresh(lattice, some))
    (many, slow), (fewer, fast) = ((count, statistics.median(times) * 1000) for count, times in took.items())
    told = f"{slow / fast:.2f} ({slow:.1f} ms among {many}, {fast:.1f} ms among {fewer})"
    size = (kit / session_path(newest)).stat().st_size
    return (
        f"one chat more ({size / 1000:.0f} KB), many : few chats",
        f"<= {UPDATE}",
        told,
        slow / fast <= UPDATE,
    )


def _told(taken: Taken) -> str:
    return f"{taken.cpu:.2f} s, {taken.peak:.0f} MB (wall {taken.wall:.2f} s)"


def report(rows: list[Row], sessions: int, megabytes: float) -> str:
    """The figures as a page."""
    told = [
        f"| {what} | {goal} | {figure} | {'yes' if met else '**no**'} |" for what, goal, figure, met in rows
    ]
    return (
        "# Threads on a long tape\n\n"
        f"`python bench/threads.py --sessions {sessions} --megabytes {megabytes:g}`, Python"
        f" {platform.python_version()}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f} at the end.\n\n"
        "| what | goal | measured | met |\n| --- | --- | --- | --- |\n" + "\n".join(told) + "\n"
    )


if __name__ == "__main__":
    sys.exit(main())
