"""Whole processes, timed in turn, so that a slow moment of the machine falls on both."""

import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Taken:
    """Cost of one process: wall and processor time in seconds, peak memory in MB."""

    wall: float
    cpu: float
    peak: float


@dataclass(frozen=True)
class Compared:
    """Two commands run in turn: the medians of each, and of the ratios pair by pair."""

    first: Taken
    second: Taken
    wall: float
    cpu: float


def run(command: Sequence[str], cwd: Path, env: dict[str, str] | None = None) -> Taken:
    """Run a command to its end without its output, and account for it; it must succeed."""
    settings = {**os.environ, **(env or {})}
    # what a person runs keeps its bytecode
    settings.pop("PYTHONDONTWRITEBYTECODE", None)
    began = time.perf_counter()
    with tempfile.TemporaryFile() as errors:
        process = subprocess.Popen(
            command,
            cwd=cwd,
            env=settings,
            stdout=subprocess.DEVNULL,
            stderr=errors,
        )
        _, status, usage = os.wait4(process.pid, 0)
        wall = time.perf_counter() - began
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode != 0:
            errors.seek(0)
            message = f"{command} ended with {process.returncode}: {errors.read().decode()}"
            raise AssertionError(message)
    scale = 1024 if sys.platform != "darwin" else 1024 * 1024
    return Taken(wall, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / scale)


def compare(first: Callable[[], Taken], second: Callable[[], Taken], *, runs: int, warm: int = 2) -> Compared:
    """Run the two in turn and compare them."""
    for _ in range(warm):
        first()
        second()
    pairs = [(first(), second()) for _ in range(runs)]
    return Compared(
        _median([a for a, _ in pairs]),
        _median([b for _, b in pairs]),
        statistics.median(a.wall / b.wall for a, b in pairs),
        statistics.median(a.cpu / b.cpu for a, b in pairs),
    )


def _median(taken: Sequence[Taken]) -> Taken:
    return Taken(
        statistics.median(t.wall for t in taken),
        statistics.median(t.cpu for t in taken),
        statistics.median(t.peak for t in taken),
    )
