"""How long `reel pack` takes, warm, and how much memory: a large kit, a small one, a bare Typer program.

    python bench/pack.py [--rounds 15] [--memories 5000] [--sessions 500] [--window 8k] [--json FILE]

All are run in turn, round after round, so that what else the machine does falls on each alike. Compared are
the best times of each; both the clock's and the processor's are printed.
"""

import argparse
import json
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent

BARE = """\
import typer

app = typer.Typer(pretty_exceptions_enable=False, rich_markup_mode=None)


@app.command()
def say(what: str) -> None:
    typer.echo(what)


app()
"""
MOST_OF_SMALL, MOST_OF_BARE, MOST_MEMORY = 1.3, 2.0, 60
WARMING = 3
"""Runs before the first that counts: one fills the catalog, one comes to trust the youngest files."""


def run(arguments: Sequence[str], env: Mapping[str, str]) -> tuple[float, float, float]:
    """One process: seconds by the clock, seconds of the processor, peak memory in MB."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    begun = time.perf_counter()
    try:
        child = os.posix_spawn(
            sys.executable,
            [sys.executable, *arguments],
            dict(env),
            file_actions=[(os.POSIX_SPAWN_DUP2, nowhere, 1), (os.POSIX_SPAWN_DUP2, nowhere, 2)],
        )
        _, status, used = os.wait4(child, 0)
    finally:
        os.close(nowhere)
    took = time.perf_counter() - begun
    if status:
        message = f"exit {os.waitstatus_to_exitcode(status)}: {' '.join(arguments)}"
        raise RuntimeError(message)
    unit = 1024 * 1024 if sys.platform == "darwin" else 1024
    return took, used.ru_utime + used.ru_stime, used.ru_maxrss / unit


def measure(place: Path, *, rounds: int, memories: int, sessions: int, window: str) -> dict[str, Any]:
    """Make both kits below `place` and measure; times in milliseconds, memory in MB."""
    bare = place / "bare.py"
    bare.write_text(BARE, encoding="utf-8")
    env = {name: value for name, value in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}
    env |= {"PYTHONPYCACHEPREFIX": str(place / "bytecode"), "PYTHONPATH": str(HERE.parent), "NO_COLOR": "1"}
    # by another process: the peak of this one would be taken for that of each it starts
    for name, size in (("small", (50, 50)), ("large", (memories, sessions))):
        sizes = ["--memories", str(size[0]), "--sessions", str(size[1])]
        run([str(HERE / "large_kit.py"), str(place / name), *sizes], env)
    pack = ["-m", "reel_cli", "--kit"]
    jobs = {
        "bare": [str(bare), "hello"],
        "small": [*pack, str(place / "small"), "pack", "--window", window],
        "large": [*pack, str(place / "large"), "pack", "--window", window],
    }
    taken: dict[str, list[tuple[float, float, float]]] = {name: [] for name in jobs}
    for number in range(WARMING + rounds):
        for name, arguments in jobs.items():
            used = run(arguments, env)
            if number >= WARMING:
                taken[name].append(used)
    return {
        name: {
            "best": min(r[0] for r in runs) * 1000,
            "median": statistics.median(r[0] for r in runs) * 1000,
            "processor": min(r[1] for r in runs) * 1000,
            "memory": max(r[2] for r in runs),
        }
        for name, runs in taken.items()
    }


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=15)
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--window", default="8k")
    parser.add_argument("--json", type=Path, help="write the figures here as well")
    told = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        figures = measure(
            Path(folder),
            rounds=told.rounds,
            memories=told.memories,
            sessions=told.sessions,
            window=told.window,
        )
    for name, row in figures.items():
        print(
            f"{name:6} best {row['best']:6.1f} ms  median {row['median']:6.1f} ms"
            f"  processor {row['processor']:6.1f} ms  peak {row['memory']:5.1f} MB"
        )
    large, small, bare = (figures[name] for name in ("large", "small", "bare"))
    goals = {
        f"{told.memories:,} memories against 50": (large["best"] / small["best"], MOST_OF_SMALL),
        f"{told.memories:,} memories against a bare Typer program": (
            large["best"] / bare["best"],
            MOST_OF_BARE,
        ),
        "peak memory, in MB": (large["memory"], MOST_MEMORY),
    }
    for what, (found, most) in goals.items():
        print(f"{what}: {found:.2f}, at most {most}{'' if found <= most else '  <- missed'}")
    if told.json:
        told.json.write_text(json.dumps(figures, indent=1) + "\n", encoding="utf-8")
    return int(any(found > most for found, most in goals.values()))


if __name__ == "__main__":
    sys.exit(main())
