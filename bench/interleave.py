"""Concurrent changes of one kit by two processes, in which nothing may be lost.

    python bench/interleave.py --changes 1000

Each adds a line to a file both share, and a file of its own, in one change; where the other was
quicker it reads anew and tries again. At the end every line and every file is there, in the files
and in history, and each change is a commit.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reel_cli.core.change.transaction import apply_change, recover
from reel_cli.core.errors import StateError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import read_log
from reel_cli.core.git.repository import find_repository, init_repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change

IDENTITY = ("Bo Lind", "bo@example.org")
SHARED = "journal/2026-02.jsonl"
MEMORY = "/dev/shm"  # noqa: S108 (it is the order of things that is tested, not the disk)


def change_once(kit: Path, name: str, number: int) -> bool:
    """Read, decide, apply; whether it went through."""
    repo = find_repository(kit)
    assert repo is not None
    try:
        recover(repo, kit)
        snapshot = Snapshot(WorkTree(kit), "ada")
        own = f"ring3/{name}-{number}.md"
        writes: dict[str, bytes | None] = {
            SHARED: (snapshot.read(SHARED) or b"") + f"{name} {number}\n".encode(),
            own: b"" if snapshot.read(own) is not None else f"{name} {number}\n".encode(),
        }
        apply_change(
            repo,
            kit,
            Change("note", f"{name} {number}", writes),
            snapshot.seen(),
            when=datetime.now(UTC),
            identity=IDENTITY,
        )
    except StateError as error:
        if "meanwhile" in error.message or "Another reel" in error.message:
            return False
        raise
    return True


def worker(kit: Path, name: str, changes: int) -> None:
    """Make so many changes, and print how often the other was quicker."""
    again = 0
    for number in range(changes):
        while not change_once(kit, name, number):
            again += 1
    print(again)


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--changes", type=int, default=1000, help="in all, half for each process")
    reader.add_argument("--worker", nargs=3, metavar=("KIT", "NAME", "CHANGES"), help=argparse.SUPPRESS)
    asked = reader.parse_args()
    if asked.worker:
        worker(Path(asked.worker[0]), asked.worker[1], int(asked.worker[2]))
        return 0
    each = asked.changes // 2
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as folder:
        kit = Path(folder) / "ada"
        repo = init_repository(kit)
        assert change_once(kit, "start", 0)
        began = time.perf_counter()
        names = ("one", "two")
        workers = [
            subprocess.Popen(
                [sys.executable, __file__, "--worker", str(kit), name, str(each)], stdout=subprocess.PIPE
            )
            for name in names
        ]
        again = sum(int(process.communicate()[0]) for process in workers)
        took = time.perf_counter() - began
        assert all(process.returncode == 0 for process in workers)
        wanted = {f"{name} {number}" for name in names for number in range(each)}
        lines = set((kit / SHARED).read_text().splitlines())
        commits = {commit.subject.removeprefix("note: ") for commit in read_log(repo)}
        with CommitTree(repo, repo.head() or "") as tree:
            files = {(tree.read(path) or b"").decode().strip() for path in tree.list("ring3")}
            same = all(tree.read(path) == (kit / path).read_bytes() for path in tree.list(""))
        lost = sum(len(wanted - found) for found in (lines, commits, files))
    print(f"{2 * each} changes by two processes in {took:.1f} s; {again} times one had to read anew")
    print(f"lost: {lost}" + ("" if same else "; the files differ from history"))
    return int(bool(lost) or not same)


if __name__ == "__main__":
    sys.exit(main())
