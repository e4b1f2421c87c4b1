"""Doubts that the check shows by itself about the memories and dreams of a lived kit.

python bench/lived_doubts.py KIT [--dream ANSWERS]

Every page and rewritten memory in the kit's history is held against the kit as it was right after it. With
`--dream`, the batches of the kit's dream are answered again, each in a copy of the kit from before it:
ANSWERS has one file for each, in order of their names. The lines are for a person to judge: read each beside
the tape, and count what is right.
"""

import argparse
import os
import re
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import takewhile
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.evidence.grounding.check import told
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.repository import find_own_repository
from reel_cli.core.kit.snapshot import Snapshot

OTHER_PART = re.compile(r"another part \((\S+)\); this one is (\S+)\.")


def git(kit: Path, *args: str) -> list[str]:
    done = subprocess.run(["git", "-C", str(kit), *args], capture_output=True, text=True, check=True)
    return done.stdout.splitlines()


def written(kit: Path) -> Iterator[tuple[str, str, list[str]]]:
    """Yield each commit that wrote memories, with what it says and their paths, in order."""
    for line in git(kit, "log", "--reverse", "--format=%H %s"):
        commit, _, says = line.partition(" ")
        if says.startswith(("checkpoint:", "maintain:", "digest:", "fade:")):
            paths = git(kit, "diff-tree", "--no-commit-id", "--name-only", "-r", "--diff-filter=AM", commit)
            yield commit, says, [path for path in paths if path.startswith("ring3/M-")]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("kit", type=Path)
    parser.add_argument("--dream", type=Path, help="the folder of the answers to a dream's batches")
    parser.add_argument("--explain", action="store_true", help="show what cannot be told as well")
    args = parser.parse_args()
    shown = memories = 0
    repository = find_own_repository(args.kit)
    if repository is None:
        parser.error(f"{args.kit} is no kit with a history")
    for commit, says, paths in written(args.kit):
        with CommitTree(repository, commit) as tree:
            evidence = TapeEvidence(Snapshot(tree, args.kit.name))
            for path in paths:
                text = (tree.read(path) or b"").decode()
                memories += 1
                for one in evidence.judge(parse_memory(text, path), text):
                    sure = one.verdict is Verdict.NOT_BORNE
                    shown += sure
                    if sure or (args.explain and one.verdict is Verdict.CANNOT_TELL):
                        print(f"{says} {path[6:-3]}: {'' if sure else '(cannot tell) '}{told(one.detail)}")
    if args.dream:
        shown += dream(args.kit, sorted(args.dream.iterdir()))
    print(f"\n{shown} lines shown, {memories} memories")
    return 0


def send(run: list[str], text: str, kit: Path, env: dict[str, str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(run, input=text, cwd=kit, env=env, capture_output=True, text=True, check=False)


def dream(kit: Path, answers: list[Path]) -> int:
    """Answer the batches of a dream again; return how many doubts were shown."""
    env = {**os.environ, "NO_COLOR": "1", "COLUMNS": "500", "PYTHONPATH": str(HERE.parent)}
    for who in ("AUTHOR", "COMMITTER"):
        env |= {f"GIT_{who}_NAME": "bench", f"GIT_{who}_EMAIL": "bench@example.org"}
    lines = git(kit, "log", "--reverse", "--format=%H %cI %s")
    batches = [line.split(" ", 2) for line in lines if ": batch " in line or ": how things are now" in line]
    shown = 0
    for (commit, at, says), answer in zip(batches, answers, strict=False):
        with tempfile.TemporaryDirectory() as folder:
            copy = Path(folder) / "kit"
            subprocess.run(["git", "clone", "-q", str(kit), str(copy)], check=True)
            git(copy, "reset", "-q", "--hard", f"{commit}^")
            run = [sys.executable, "-m", "reel_cli", "dream", "next"]
            now = {**env, "REEL_NOW": at}
            # the prompt notes what it showed, and a reply is held against that
            subprocess.run([*run, "--prompt"], cwd=copy, env=now, capture_output=True, check=False)
            reply, text = [*run, "--reply", "-", "--yes"], answer.read_text(encoding="utf-8")
            done = send(reply, text, copy, now)
            if other := OTHER_PART.search(done.stderr):
                # a prompt of another version has another mark
                done = send(reply, text.replace(other[1], other[2]), copy, now)
        screen = f"{done.stdout}\n{done.stderr}"
        look = screen.partition("Worth a look")[2].splitlines()[1:]
        listed = takewhile(lambda line: line.startswith("    "), look)
        doubts = [line for line in listed if ": waits" not in line]
        if done.returncode:
            print(f"{says}: {done.stdout[-600:]}{done.stderr[-600:]}")
        shown += len(doubts)
        for line in doubts:
            print(f"{says}: {line.strip()}")
    return shown


if __name__ == "__main__":
    sys.exit(main())
