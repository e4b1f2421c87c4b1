"""reel's own writing of git's objects against `git fast-import` and dulwich, on the same commits.

    python bench/git_engines.py [--runs 9] [--sessions 300] [--megabytes 40] [--dulwich FOLDER]

A fresh kit records one chat, keeps a page about it, and records an export. The commits that came of each are
then stored once more, on top of the same parent in a copy of the kit, by each engine; every engine must
arrive at the very ids. What is told is the median of the processor time of the storing process and its gits,
in milliseconds, and of its wall time, less its imports. `--dulwich` names a folder that dulwich lies in
(`pip install --target FOLDER dulwich`).
"""

import argparse
import os
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from record import REEL, fresh, make_export

from reel_cli.core.change.early_storage import AT_LEAST, StoredAhead
from reel_cli.core.git.intent import StagedEntry
from reel_cli.core.git.process import Git, git_environment, git_options
from reel_cli.core.git.repository import Repository, find_repository
from reel_cli.core.git.storage.objects import NewObjects, present, render_commit
from reel_cli.core.git.storage.trees import Trees, read_folders
from reel_cli.core.values.change import Change
from tests.support.pages import chat, page


@dataclass(frozen=True)
class Made:
    """One commit: its id, signature and message, and the files that it changed."""

    commit: str
    signature: str
    message: str
    files: dict[str, bytes]


Engine = Callable[[Repository, str, Sequence[Made]], str]


def main() -> int:
    """Measure and print; 1 where an engine arrives at another commit."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--runs", type=int, default=9)
    reader.add_argument("--sessions", type=int, default=300)
    reader.add_argument("--megabytes", type=int, default=40)
    reader.add_argument("--dulwich", type=Path)
    asked = reader.parse_args()
    engines: dict[str, Engine] = {
        "reel": by_reel,
        "fast-import": lambda repo, base, chain: by_fast_import(repo, base, chain, 50),
        "fast-import --depth=0": lambda repo, base, chain: by_fast_import(repo, base, chain, 0),
    }
    if asked.dulwich:
        sys.path.append(str(asked.dulwich))
        engines["dulwich"] = by_dulwich
    with tempfile.TemporaryDirectory() as folder:
        cases = make_cases(Path(folder), asked.sessions, asked.megabytes * 1_000_000)
        arrived = [measure(Path(folder), *case, engines, asked.runs) for case in cases]
    return int(not all(arrived))


def make_cases(work: Path, sessions: int, size: int) -> list[tuple[str, Path]]:
    """Kits before and after one chat, one page and one export."""
    for who in ("AUTHOR", "COMMITTER"):
        os.environ |= {f"GIT_{who}_NAME": "Bo", f"GIT_{who}_EMAIL": "bo@example.org"}
    os.environ["PYTHONPATH"] = str(HERE.parent)

    def reel(place: Path, *arguments: str) -> Path:
        subprocess.run([*REEL, *arguments], cwd=place, check=True, capture_output=True)
        return place

    reel(work, "init", "empty", "--name", "Ada")
    (work / "chat.json").write_text(chat())
    (work / "page.md").write_text(page())
    make_export(work / "export.json", sessions, size)
    told = reel(fresh(work / "empty", work / "one chat"), "record", str(work / "chat.json"))
    kept = reel(fresh(told, work / "one page"), "checkpoint", "--reply", str(work / "page.md"), "--yes")
    every = reel(fresh(work / "empty", work / "an export"), "record", str(work / "export.json"))
    return [("empty", told), ("one chat", kept), ("empty", every)]


def measure(work: Path, before: str, after: Path, engines: dict[str, Engine], runs: int) -> bool:
    """Let each engine store the commits, in turn, and print its medians; whether all arrived."""
    base = git(work / before, "rev-parse", "HEAD").decode().strip()
    commits = git(after, "rev-list", "--reverse", f"{base}..").decode().split()
    chain = [read_commit(after, one) for one in commits]
    taken: dict[str, list[tuple[float, float, bool]]] = {name: [] for name in engines}
    for run in range(runs + 1):
        for name, engine in engines.items():
            repo = find_repository(fresh(work / before, work / "copy"))
            assert repo is not None
            began, cpu = time.perf_counter(), processor()
            tip = engine(repo, base, chain)
            if run:
                taken[name].append((processor() - cpu, time.perf_counter() - began, tip == chain[-1].commit))
    for name, rows in taken.items():
        cpus, walls, same = zip(*rows, strict=True)
        cpu, wall = (statistics.median(values) * 1000 for values in (cpus, walls))
        ids = "same" if all(same) else "OTHER"
        print(f"{after.name:<10} {name:<22} cpu {cpu:7.1f}  wall {wall:7.1f}  {ids} ids", flush=True)
    return all(same for rows in taken.values() for *_, same in rows)


def processor() -> float:
    """The processor time of this process and of its children that have ended."""
    used = [resource.getrusage(who) for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)]
    return sum(one.ru_utime + one.ru_stime for one in used)


def git(place: Path, *arguments: str) -> bytes:
    """Run git and return what it printed."""
    return subprocess.run(["git", *arguments], cwd=place, check=True, capture_output=True).stdout


def read_commit(place: Path, commit: str) -> Made:
    """Read a commit with all that it changed."""
    head, _, message = git(place, "cat-file", "commit", commit).decode().partition("\n\n")
    signature = head.rpartition("committer ")[2].split("\n")[0]
    names = git(place, "diff-tree", "-r", "-z", "--name-only", f"{commit}^", commit).decode().split("\0")
    files = {name: git(place, "cat-file", "blob", f"{commit}:{name}") for name in names if name}
    return Made(commit, signature, message, files)


def by_reel(repo: Repository, base: str, chain: Sequence[Made]) -> str:
    """Store as a transaction does."""
    own, told, tip = Git(repo.root), frozenset[str](), base
    if sum(len(data) for made in chain for data in made.files.values()) >= AT_LEAST:
        ahead = StoredAhead(repo)
        for made in chain:
            ahead.put(Change("record", "", made.files))
        told = ahead.finish()
    objects, again = NewObjects(repo), NewObjects(repo)
    trees = Trees(objects, read_folders(repo, own, base, {path for made in chain for path in made.files}))
    for made in chain:
        for path, data in made.files.items():
            trees.set(path, StagedEntry("100644", objects.add("blob", data)))
        written = render_commit(trees.write(made.files), tip, made.signature, made.message)
        tip = objects.add("commit", written)
    objects.hand_over(told, again)
    with tempfile.TemporaryFile() as scratch:
        objects.write(own, scratch)
    again.leave_out(present(own, told))
    with tempfile.TemporaryFile() as scratch:
        again.write(own, scratch)
    return tip


def by_fast_import(repo: Repository, base: str, chain: Sequence[Made], depth: int) -> str:
    """Store with one fast-import, at git's level of compression for loose objects."""
    ref = "refs/reel/next"
    options = ["-c", "core.compression=1", "-c", "pack.compression=1"]
    command = ["fast-import", "--quiet", "--done", "--date-format=raw-permissive", f"--depth={depth}"]
    with subprocess.Popen(
        ["git", *git_options(), *options, *command],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=repo.root,
        env=git_environment(),
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for number, made in enumerate(chain, start=1):
            message = made.message.encode()
            process.stdin.write(f"commit {ref}\nmark :{number}\ncommitter {made.signature}\n".encode())
            process.stdin.write(b"data %d\n%b\n" % (len(message), message))
            if number == 1:
                process.stdin.write(f"from {base}\n".encode())
            for path, data in made.files.items():
                process.stdin.write(b"M 100644 inline %b\ndata %d\n%b\n" % (path.encode(), len(data), data))
        process.stdin.write(f"get-mark :{len(chain)}\nreset {ref}\nfrom {'0' * 40}\n\ndone\n".encode())
        process.stdin.close()
        return process.stdout.read().decode().strip()


def by_dulwich(repo: Repository, base: str, chain: Sequence[Made]) -> str:
    """Store with dulwich: a few objects loose, many as one pack."""
    objects = import_module("dulwich.objects")
    new: dict[bytes, Any] = {}
    with import_module("dulwich.repo").Repo(str(repo.root)) as opened:
        store = opened.object_store

        def put(tree: bytes | None, parts: Sequence[str], blob: bytes) -> bytes:
            made = (new.get(tree) or store[tree]).copy() if tree else objects.Tree()
            name = parts[0].encode()
            if len(parts) == 1:
                made[name] = (0o100644, blob)
            else:
                made[name] = (0o040000, put(made[name][1] if name in made else None, parts[1:], blob))
            new[made.id] = made
            return bytes(made.id)

        tip = base.encode()
        tree = store[tip].tree
        for made in chain:
            for path, data in made.files.items():
                blob = objects.Blob.from_string(data)
                new[blob.id] = blob
                tree = put(tree, path.split("/"), blob.id)
            commit = objects.Commit()
            who, _, when = made.signature.partition("> ")
            moment, zone = when.split()
            commit.tree, commit.parents, commit.message = tree, [tip], made.message.encode()
            commit.author = commit.committer = f"{who}>".encode()
            commit.author_time = commit.commit_time = int(moment)
            commit.author_timezone = commit.commit_timezone = int(zone[:3]) * 3600 + int(zone[3:]) * 60
            tip = commit.id
            new[tip] = commit
        if len(new) < 100:
            for one in new.values():
                store.add_object(one)
        else:
            store.add_objects([(one, None) for one in new.values()])
    return bytes(tip).decode()


if __name__ == "__main__":
    sys.exit(main())
