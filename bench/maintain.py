"""`reel maintain --plan` against `reel status`, and what `--auto` takes: in turn, all warm.

The kit is grown up: each of its sessions has a checkpoint and a commit, and there is a ledger of use.

python bench/maintain.py [--memories 5000] [--sessions 500] [--uses 10000] [--runs 9] [--kit PATH]
"""

import argparse
import os
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from large_kit import FIRST_DAY, STUBS, make_large_kit, session_name
from timing import compare, run

from reel_cli.core.files.checkpoint_file import checkpoint_path
from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar
from reel_cli.core.files.ledger_file import journal_path, make_entry, render_entry
from reel_cli.core.values.memory import Exemplar, format_id
from reel_cli.core.values.sizes import parse_tokens

GOAL = 2.0
REEL = [sys.executable, "-m", "reel_cli"]
REPLY = "I was close to how I sound on a good day, and a little quicker than I would like. " * 12


def grow_up(folder: Path, memories: int, sessions: int, uses: int, *, seed: int = 1) -> None:
    """Give a kit of `make_large_kit` what its cold start ends with, a history, and a ledger of use."""
    chance = random.Random(seed)  # noqa: S311 (nothing secret)
    files: dict[str, bytes] = {}
    for number in range(3):
        said = "**Bo:** Well?\n\n**Ada:** Well.\n"
        one = Exemplar(f"evening-{number}", f"Evening {number}", "humor", said, added="2024-01-01")
        files[exemplar_path(one.slug)] = render_exemplar(one).encode()
    for number in range(sessions):
        page = f"timestamp: 2024-01-01\nmessages: 12\ndrift_detected: no\nreply: {REPLY}\n"
        files[checkpoint_path(session_name(number), 1)] = page.encode()
    journal: dict[str, list[str]] = {}
    for _ in range(uses):
        session = session_name(chance.randrange(sessions))
        name = format_id(memories // STUBS + 1 + chance.randrange(memories))
        entry = make_entry(
            f"{session[:10]}T21:00:00Z", session, chance.choice(["recall", "reference", "pack"]), name
        )
        journal.setdefault(journal_path(entry.at), []).append(render_entry(entry))
    files |= {path: ("\n".join(lines) + "\n").encode() for path, lines in journal.items()}
    stream = subprocess.Popen(["git", "fast-import", "--quiet", "--force"], cwd=folder, stdin=subprocess.PIPE)
    assert stream.stdin is not None
    for data in _commits(files, sessions):
        stream.stdin.write(data)
    stream.stdin.close()
    assert stream.wait() == 0
    subprocess.run(["git", "reset", "-q", "--hard"], cwd=folder, check=True)


def _commits(files: dict[str, bytes], sessions: int) -> Iterator[bytes]:
    moment = int(FIRST_DAY.timestamp())
    for number in range(sessions):
        head = (
            f"commit refs/heads/main\ncommitter Bo Lind <bo@example.org> {moment + 172_800 * number} +0000\n"
        )
        text = f"record: an evening\n\nReel-Op: record\nReel-Session: {session_name(number)}\n".encode()
        yield head.encode() + b"data %d\n" % len(text) + text
        if number == 0:
            yield b"from refs/heads/main^0\n"
            for path, data in files.items():
                yield f"M 100644 inline {path}\n".encode() + b"data %d\n" % len(data) + data + b"\n"


def main() -> int:
    """Measure; 1 where the goal is missed."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--uses", type=int, default=10_000)
    parser.add_argument("--runs", type=int, default=9)
    parser.add_argument("--window", type=parse_tokens, default=parse_tokens("128k"))
    parser.add_argument("--kit", type=Path, help="where to make it, to be kept")
    told = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    os.environ["REEL_NOW"] = "2026-11-01T20:00:00+00:00"
    for who in ("AUTHOR", "COMMITTER"):
        os.environ[f"GIT_{who}_NAME"], os.environ[f"GIT_{who}_EMAIL"] = "Bo Lind", "bo@example.org"
    with tempfile.TemporaryDirectory() as place:
        kit = told.kit or Path(place) / "kit"
        if not kit.exists():
            make_large_kit(kit, told.memories, told.sessions, window=told.window)
            grow_up(kit, told.memories, told.sessions, told.uses)
        plan, status = [*REEL, "maintain", "--plan"], [*REEL, "status"]
        both = compare(lambda: run(plan, kit), lambda: run(status, kit), runs=told.runs)
        met = both.wall <= GOAL
        print(
            f"reel maintain --plan : reel status  {both.wall:.2f} (cpu {both.cpu:.2f};"
            f" {both.first.wall * 1000:.0f} : {both.second.wall * 1000:.0f} ms)"
            f"  goal <= {GOAL} {'ok' if met else 'MISSED'}"
        )
        began = time.perf_counter()
        done = subprocess.run(
            [*REEL, "maintain", "--auto"], cwd=kit, capture_output=True, text=True, check=True
        )
        took = time.perf_counter() - began
        print(f"reel maintain --auto: {done.stdout.splitlines()[0]} {took:.1f} s")
    return 0 if met else 1


if __name__ == "__main__":
    sys.exit(main())
