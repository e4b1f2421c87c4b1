"""Stops the recording of twenty conversations, and lets it be run again.

    python bench/kill_record.py --kills 200 --seed 1

A process of its own plans twenty conversations one on the other and commits them in batches, as
`reel record` does. It is killed: before every write, rename, lock and start of git that it makes; right
after every git; and at random instants. Checked after each: the kit is as after some batch, files and
history alike, and a second run ends with the tape, byte for byte, that an undisturbed one makes.
"""

import argparse
import os
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from kill import IDENTITY, MEMORY, Shim, adopt_orphans, at_event, git, kill_alone, kill_group, wait_for_group

from reel_cli.core.change import early_storage as ahead
from reel_cli.core.change.transaction import apply_change
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.intent import transaction_folder
from reel_cli.core.git.repository import KIT_ATTRIBUTES, KIT_IGNORE, find_repository, init_repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.record.plan import plan_recording
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context

BATCH = 4
START = {
    ".gitattributes": KIT_ATTRIBUTES,
    ".gitignore": KIT_IGNORE,
    "kit.yaml": b"name: Ada\nauthor: Bo Lind <bo@example.org>\n",
    "ring0/identity.md": b"I am Ada.\n",
    "ring4/index.md": b'M-001 | a boat | "the boat was called Perhaps" | factual | not immune\n',
}


def conversations() -> list[Conversation]:
    """Twenty: some of an app and some pasted, and of the pasted some grown since an earlier one."""
    talks: list[Conversation] = []
    for number in range(16):
        said = [f"{number}: what was it again?", "The boat was called Perhaps.", f"and {number} more " * 400]
        key = f"chatgpt:{number}" if number % 3 else None
        day = f"2026-01-{number % 5 + 1:02}T10:00:{number:02}+00:00"
        messages = tuple(Message("user" if n % 2 == 0 else "assistant", t) for n, t in enumerate(said))
        talks.append(Conversation("chatgpt" if key else "text", messages, key, f"talk {number}", day))
    grown = [
        Conversation(t.format, (*t.messages, Message("assistant", "one more"))[:9], t.key, t.title, t.started)
        for t in talks[:10]
        if t.key is None
    ]
    return [*talks[:10], *grown, *talks[10:]]


def record_all(kit: Path) -> None:
    """Record them in batches, with the program's own parts."""
    opened = Context(kit, Console()).open_kit()
    waiting: list[Change] = []
    planned = opened.snapshot
    talks = conversations()
    for number, talk in enumerate(talks, start=1):
        found = plan_recording(
            planned, talk, handed=(), now=opened.now(), zone=opened.zone, known=opened.known
        )
        if found.change is not None:
            waiting.append(found.change)
            opened.store_ahead(found.change)
            planned = planned.after(found.change)
        if number % BATCH == 0 or number == len(talks):
            opened.commit_all(waiting)
            waiting, planned = [], opened.snapshot


@dataclass
class Ground:
    """A fresh kit, what each batch leaves, and a copy of it to kill in."""

    template: Path
    scratch: Path

    def __post_init__(self) -> None:
        repo = init_repository(self.template)
        snapshot = Snapshot(WorkTree(self.template), "ada")
        apply_change(
            repo, self.template, Change("init", "Ada", START), snapshot.seen(),
            when=Context(None, Console()).now(), identity=IDENTITY,
        )  # fmt: skip
        began = time.perf_counter()
        whole = self.copy()
        record_all(whole)
        self.span = time.perf_counter() - began
        self.states = self.after_each_batch(whole)
        self.tape = look(whole)
        self.kills = self.wrong = self.midway = 0

    def copy(self) -> Path:
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.copytree(self.template, self.scratch, symlinks=True)
        return self.scratch

    def after_each_batch(self, whole: Path) -> set[str]:
        """The trees that the kit may have in history: one for the start, and one for each batch."""
        moves = git(whole, "log", "-g", "--format=%T", "refs/heads/main").split()
        return {move.decode() for move in moves}

    def kill(self, prepare: Callable[[], None], killer: Callable[[int], None] | None = None) -> bool:
        kit = self.copy()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            status = 1
            try:
                prepare()
                record_all(kit)
                status = 0
            finally:
                os._exit(status)
        if killer is not None:
            killer(child)
        _, status = os.waitpid(child, 0)
        wait_for_group(child)
        if not os.WIFSIGNALED(status):
            assert os.waitstatus_to_exitcode(status) == 0
            return False
        self.kills += 1
        self.check(kit)
        return True

    def check(self, kit: Path) -> None:
        Context(kit, Console()).open_kit()
        tree = git(kit, "rev-parse", "HEAD^{tree}").decode().strip()
        clean = not git(kit, "--no-optional-locks", "status", "--porcelain")
        whole = tree in self.states and clean and not transaction_folder(kit).exists()
        self.midway += tree != git(self.template, "rev-parse", "HEAD^{tree}").decode().strip()
        record_all(kit)
        git(kit, "fsck", "--strict")
        repo = find_repository(kit)
        assert repo is not None
        locks = list(repo.common_dir.rglob("*.lock"))
        self.wrong += not (whole and look(kit) == self.tape and not locks)


def look(kit: Path) -> tuple[object, ...]:
    """The tape on the disk, and whether history and index agree with it."""
    tree = WorkTree(kit)
    files = {path: tree.read(path) for path in (*tree.list("tape"), *tree.list("journal"))}
    return files, git(kit, "--no-optional-locks", "status", "--porcelain"), git(kit, "log", "--format=%s")


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--kills", type=int, default=200, help="how many random instants")
    reader.add_argument("--every", type=int, default=1, help="only each so many-th write")
    reader.add_argument("--seed", type=int, default=1)
    asked = reader.parse_args()
    os.environ.update({"GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull})
    os.environ["REEL_NOW"] = "2026-02-10T21:14:00+00:00"
    # little as it is, let it be stored while more is planned, as a whole export is
    ahead.AT_LEAST = ahead.AT_ONCE = 8_000
    adopt_orphans()
    chance = random.Random(asked.seed)  # noqa: S311 (a seeded draw)
    with tempfile.TemporaryDirectory(dir=MEMORY if os.access(MEMORY, os.W_OK) else None) as name:
        ground = Ground(Path(name) / "ada", Path(name) / "scratch")
        shim = Shim(Path(name) / "bin")
        number = 1
        while ground.kill(at_event(number, kill_group if number % 2 else kill_alone)):
            number += asked.every
        number = 1
        while ground.kill(shim.prepare("after", number)):
            number += asked.every
        done = 0
        while done < asked.kills:
            wait = chance.uniform(0, ground.span * 1.1)

            def killer(child: int, wait: float = wait) -> None:
                time.sleep(wait)
                with suppress(ProcessLookupError):  # it may be done already
                    os.killpg(child, 9)

            done += ground.kill(lambda: None, killer)
    print(f"{ground.kills} kills, {ground.midway} of them between the first batch and the last")
    print(f"kits wrong: {ground.wrong}")
    return int(bool(ground.wrong))


if __name__ == "__main__":
    sys.exit(main())
