"""Stops a transaction everywhere, and counts what that leaves behind.

    python bench/kill.py --kills 500 --seed 1

Each time a fresh repository with a person's staged, half-staged, unstaged and untracked edits in
it, a process that applies a change, or a chain of them, through `apply_changes`, and a SIGKILL: for the
process and its children together, and for it alone, so that a git it started goes on. (a) Before every write,
rename, lock and start of git, as Python's own audit events tell them; at every git, before it, with
it going on alone, and right after it; inside `update-ref`, while it holds its locks. (b) At random
instants. Then the next command: it recovers, and makes a change of its own. Checked after each:
history, files and index all before or all after, and the person's edits as they were, staged
content too.
"""

import argparse
import ctypes
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reel_cli.core.change.transaction import apply_changes, recover
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.intent import transaction_folder
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.repository import (
    KIT_ATTRIBUTES,
    KIT_IGNORE,
    Repository,
    find_repository,
    init_repository,
)
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import Change

WHEN = datetime(2026, 2, 10, 21, 14, tzinfo=UTC)
IDENTITY = ("Bo Lind", "bo@example.org")
START = {
    ".gitattributes": KIT_ATTRIBUTES,
    ".gitignore": KIT_IGNORE,
    "kit.yaml": b"name: Ada\n",
    "ring2/working.md": b"one\ntwo\n",
    "ring4/index.md": b'M-001 | a | "b" | factual | not immune\n',
    "ring3/M-001.md": b"a page\n" * 40,
}
CHANGE = Change(
    "checkpoint",
    "a page",
    {
        "ring2/working.md": b"one\nand more\n",
        "ring3/M-002.md": b"another page\n" * 40,
        "ring3/M-001.md": None,
        "tape/2026/2026-02-10-1.md": b"said\r\n" * 200,
    },
    (("Reel-Memory", "M-002 L1 120"),),
)
CHAIN = (
    CHANGE,
    Change(
        "record",
        "a session",
        {
            "tape/2026/2026-02-10-2.md": b"and more\r\n" * 2000,
            "ring2/working.md": b"one\nand more\nand more again\n",
            "journal/2026-02.jsonl": b'{"id": "1"}\n',
        },
        (("Reel-Session", "2026-02-10-2"),),
    ),
    Change(
        "record",
        "the session grew",
        {
            "tape/2026/2026-02-10-2.md": b"and more\r\n" * 2500,
            "ring3/M-002.md": None,
            "ring3/M-001.md": b"a page, again\n",
            "journal/2026-02.jsonl": b'{"id": "1"}\n{"id": "2"}\n',
        },
    ),
)
NEXT = Change("note", "the next command", {"journal/2026-03.jsonl": b"{}\n"})
MEMORY = "/dev/shm"  # noqa: S108 (a kill is no power cut, so a disk in memory will do, and is quick)
WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
EVENTS = frozenset(
    {
        *("os.rename", "os.link", "os.remove", "os.rmdir", "os.mkdir", "os.chmod", "os.truncate"),
        *("subprocess.Popen", "fcntl.flock", "shutil.copyfile", "tempfile.mkstemp"),
    }
)

SHIM = """#!/bin/sh
# stands in for git: at the call with the given number, kills as told
number=$(($(cat "$KILL_COUNT" 2>/dev/null || echo 0) + 1))
echo $number > "$KILL_COUNT"
if [ "$number" = "$KILL_AT" ]; then
  case "$KILL_HOW" in
    group) kill -9 0 ;;
    parent) kill -9 $PPID; sleep 0.06 ;;
    after) "$KILL_GIT" "$@"; kill -9 0 ;;
  esac
fi
if [ -n "$KILL_HOOKS" ]; then
  for word; do
    shift
    case "$word" in core.hooksPath=*) word="core.hooksPath=$KILL_HOOKS" ;; esac
    set -- "$@" "$word"
  done
fi
exec "$KILL_GIT" "$@"
"""
HOOKS = {
    "holding its locks": '[ "$1" = prepared ] && kill -9 0; exit 0',
    "holding its locks, alone": '[ "$1" = prepared ] && kill -9 "$(cat "$KILL_COUNT.pid")"; exit 0',
    "branch moved": '[ "$1" = committed ] && kill -9 0; exit 0',
}


def git(folder: Path, *args: str) -> bytes:
    return subprocess.run(["git", *args], cwd=folder, capture_output=True, check=True).stdout


def person_at_work(top: Path) -> None:
    """Leave everything about that a person may have under way, in and beside the kit."""
    for name in ("staged", "half", "unstaged", "removed", "ünïcode"):
        (top / name).write_text(f"{name}\n")
    git(top, "add", "-A")
    git(top, "commit", "-qm", "theirs")
    (top / "staged").write_text("changed and staged\n")
    (top / "half").write_text("changed and staged\n")
    git(top, "add", "staged", "half")
    (top / "half").write_text("changed again\n")
    (top / "unstaged").write_text("changed\n")
    git(top, "rm", "-q", "removed")
    (top / "added").write_text("new and staged\n")
    git(top, "add", "added")
    (top / "untracked").write_text("new\n")


@dataclass
class Place:
    """One repository with a kit in it."""

    top: Path
    kit: Path

    @property
    def repo(self) -> Repository:
        found = find_repository(self.kit)
        assert found is not None
        return found

    def apply(self, *changes: Change) -> str:
        snapshot = Snapshot(WorkTree(self.kit), "ada")
        for path in (path for change in changes for path in change.writes):
            snapshot.read(path)
        made = apply_changes(self.repo, self.kit, changes, snapshot.seen(), when=WHEN, identity=IDENTITY)
        return made[-1].commit

    def look(self) -> tuple[object, object, object]:
        """Return what history, disk and index hold of the kit's targets."""
        paths = sorted({*START, *(path for change in CHAIN for path in change.writes)})
        disk = [(self.kit / p).read_bytes() if (self.kit / p).exists() else None for p in paths]
        prefix = self.repo.prefix
        names = [prefix + path for path in paths]
        index = git(self.top, "ls-files", "-s", "-z", "--", *names)
        history = git(self.top, "ls-tree", "-z", "HEAD", "--", *names)
        return self.repo.head(), disk, (index, history)

    def edits(self) -> tuple[object, ...]:
        """Return the person's own changes: bytes on the disk, bytes staged, and git's status."""
        disk = {p.name: p.read_bytes() for p in sorted(self.top.iterdir()) if p.is_file()}
        names = [":/" + name for name in (*disk, "removed")]
        staged = git(self.top, "ls-files", "-s", "-z", "--", *names)
        status = git(self.top, "--no-optional-locks", "status", "--porcelain", "-z", "--", *names)
        return disk, staged, status

    def locks(self) -> list[Path]:
        left = list(self.repo.common_dir.rglob("*.lock"))
        if transaction_folder(self.kit).exists():
            left.append(transaction_folder(self.kit))
        with hold_lock(self.kit, patience=0):
            return left


def make_template(top: Path, *, enclosed: bool, by_hand: bool) -> Place:
    """A kit with one commit, a person at work around it, and, if asked, in one of its files too."""
    place = Place(top, top / "rooms/ada" if enclosed else top)
    init_repository(top)
    place.kit.mkdir(parents=True, exist_ok=True)
    place.apply(Change("init", "Ada", START))
    person_at_work(top)
    if by_hand:
        (place.kit / "ring2/working.md").write_bytes(b"by hand\n")
    return place


@dataclass
class Tally:
    """Counts of kills, and the harm they did."""

    kills: Counter[str] = field(default_factory=Counter)
    ended: Counter[str] = field(default_factory=Counter)
    between: int = 0
    harmed: int = 0
    locks: int = 0

    def line(self) -> str:
        return f"kits between: {self.between}  edits harmed: {self.harmed}  locks left: {self.locks}"


@dataclass
class Ground:
    """One template, what it holds before and after the change, and copies of it to kill in."""

    template: Place
    scratch: Path
    tally: Tally
    changes: tuple[Change, ...] = (CHANGE,)
    before: tuple[object, object, object] = field(init=False)
    after: tuple[object, object, object] = field(init=False)
    edits: tuple[object, ...] = field(init=False)
    span: float = field(init=False)

    def __post_init__(self) -> None:
        self.before, self.edits = self.template.look(), self.template.edits()
        done = self.copy()
        began = time.perf_counter()
        done.apply(*self.changes)
        self.span = time.perf_counter() - began
        self.after = done.look()
        assert self.after != self.before
        assert done.edits() == self.edits

    def copy(self) -> Place:
        inside = self.template.kit.relative_to(self.template.top)
        shutil.rmtree(self.scratch, ignore_errors=True)
        shutil.copytree(self.template.top, self.scratch, symlinks=True)
        return Place(self.scratch, self.scratch / inside)

    def kill(
        self, kind: str, prepare: Callable[[], None], killer: Callable[[int], None] | None = None
    ) -> bool:
        """Run the change in a process of its own, kill it, let the next command run, and check.

        Returns whether the process was killed (and not done before).
        """
        place = self.copy()
        child = os.fork()
        if child == 0:
            os.setpgid(0, 0)
            status = 1
            try:
                prepare()
                place.apply(*self.changes)
                status = 0
            finally:
                os._exit(status)
        if killer is not None:
            killer(child)
        _, status = os.waitpid(child, 0)
        killed = os.WIFSIGNALED(status)
        assert killed or os.waitstatus_to_exitcode(status) == 0
        if killed:
            self.tally.kills[kind] += 1
            self.check(place, child)
        return killed

    def check(self, place: Place, group: int) -> None:
        recover(place.repo, place.kit)
        wait_for_group(group)
        found = place.look()
        whole = found in (self.before, self.after)
        self.tally.ended["before" if found == self.before else "after" if whole else "between"] += 1
        harmed = place.edits() != self.edits
        locks = place.locks()
        if whole:
            place.apply(NEXT)
            git(place.top, "fsck", "--connectivity-only")
            whole = place.look()[1:] == found[1:]
            harmed = harmed or place.edits() != self.edits
            locks += place.locks()
        self.tally.between += not whole
        self.tally.harmed += harmed
        self.tally.locks += bool(locks)


def adopt_orphans() -> None:
    """Let what outlives a killed process become this one's child, so that it can be waited for (Linux)."""
    with suppress(OSError, AttributeError):
        ctypes.CDLL(None).prctl(36, 1, 0, 0, 0)


def wait_for_group(group: int) -> None:
    """Wait until nothing lives on that a killed process had started."""
    with suppress(ChildProcessError):
        while True:
            os.waitpid(-group, 0)


# -- where it is killed -----------------------------------------------------------------------------


def at_event(number: int, kill: Callable[[], None]) -> Callable[[], None]:
    """Kill before the event with that number, of those that write, lock or start something."""

    def prepare() -> None:
        seen = 0

        def watch(event: str, args: tuple[object, ...]) -> None:
            nonlocal seen
            writes = event == "open" and isinstance(args[2], int) and args[2] & WRITING
            if event in EVENTS or writes:
                seen += 1
                if seen == number:
                    kill()

        sys.addaudithook(watch)

    return prepare


def kill_group() -> None:
    os.killpg(0, signal.SIGKILL)


def kill_alone() -> None:
    os.kill(os.getpid(), signal.SIGKILL)


@dataclass
class Shim:
    """A stand-in for git on the child's PATH."""

    folder: Path

    def __post_init__(self) -> None:
        self.folder.mkdir()
        (self.folder / "git").write_text(SHIM)
        (self.folder / "git").chmod(0o755)

    def prepare(self, how: str, at: int = 0, hook: str = "") -> Callable[[], None]:
        count = self.folder / "count"

        def change_path() -> None:
            count.unlink(missing_ok=True)
            (self.folder / "count.pid").write_text(str(os.getpid()))
            os.environ |= {
                "KILL_GIT": shutil.which("git") or "git",
                "KILL_COUNT": str(count),
                "KILL_AT": str(at),
                "KILL_HOW": how,
                "KILL_HOOKS": "",
            }
            if hook:
                hooks = self.folder / "hooks"
                hooks.mkdir(exist_ok=True)
                (hooks / "reference-transaction").write_text(f"#!/bin/sh\n{hook}\n")
                (hooks / "reference-transaction").chmod(0o755)
                os.environ["KILL_HOOKS"] = str(hooks)
            os.environ["PATH"] = f"{self.folder}{os.pathsep}{os.environ['PATH']}"

        return change_path


def until_done(ground: Ground, kind: str, prepared: Iterator[Callable[[], None]]) -> None:
    """Kill at one place after the other, until the change is done before it."""
    while ground.kill(kind, next(prepared)):
        pass


def everywhere(ground: Ground, shim: Shim, *, quick: bool) -> None:
    """Kill at every place that can be told beforehand."""

    def counting(make: Callable[[int], Callable[[], None]]) -> Iterator[Callable[[], None]]:
        number = 0
        while True:
            number += 1
            yield make(number)

    until_done(ground, "before each write, all", counting(lambda n: at_event(n, kill_group)))
    if not quick:  # there, nothing that it started is alive
        until_done(ground, "before each write, alone", counting(lambda n: at_event(n, kill_alone)))
    for how, kind in (
        ("group", "before each git"),
        ("parent", "at each git, alone"),
        ("after", "after each git"),
    ):
        until_done(ground, kind, counting(lambda n, how=how: shim.prepare(how, n)))  # type: ignore[misc]
    for kind, hook in HOOKS.items():
        assert ground.kill(f"update-ref, {kind}", shim.prepare("", hook=hook))


def at_random(grounds: list[Ground], kills: int, chance: random.Random) -> None:
    """Kill at random instants, half of the time with the children and half of the time alone."""
    done = 0
    while done < kills:
        ground = chance.choice(grounds)
        wait = chance.uniform(0, ground.span * 1.3)
        together = chance.random() < 0.5

        def killer(child: int, wait: float = wait, *, together: bool = together) -> None:
            time.sleep(wait)
            with suppress(ProcessLookupError):
                if together:
                    os.killpg(child, signal.SIGKILL)
                else:
                    os.kill(child, signal.SIGKILL)

        kind = "at a random instant, all" if together else "at a random instant, alone"
        done += ground.kill(kind, lambda: None, killer)


def main() -> int:
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--kills", type=int, default=500, help="how many random instants")
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--quick", action="store_true", help="one kit of the four, every place once")
    asked = reader.parse_args()
    os.environ.update(
        {
            **{f"GIT_{who}_NAME": IDENTITY[0] for who in ("AUTHOR", "COMMITTER")},
            **{f"GIT_{who}_EMAIL": IDENTITY[1] for who in ("AUTHOR", "COMMITTER")},
            "GIT_CONFIG_NOSYSTEM": "1",
            "GIT_CONFIG_GLOBAL": os.devnull,
        }
    )
    adopt_orphans()
    tally = Tally()
    with tempfile.TemporaryDirectory(
        prefix="reel-kill-", dir=MEMORY if os.access(MEMORY, os.W_OK) else None
    ) as name:
        folder = Path(name)
        shim = Shim(folder / "bin")
        kinds = [
            (True, True, CHAIN),
            (True, True, (CHANGE,)),
            (False, False, (CHANGE,)),
            (False, True, CHAIN),
        ]
        grounds = [
            Ground(
                make_template(folder / f"template-{number}", enclosed=enclosed, by_hand=by_hand),
                folder / "scratch",
                tally,
                changes,
            )
            for number, (enclosed, by_hand, changes) in enumerate(kinds[: 1 if asked.quick else 4])
        ]
        for ground in grounds:
            everywhere(ground, shim, quick=asked.quick)
        at_random(grounds, asked.kills, random.Random(asked.seed))  # noqa: S311 (a seeded draw)
    for kind, count in tally.kills.items():
        print(f"{count:6}  {kind}")
    print(
        f"{tally.kills.total():6}  kills; ended "
        + ", ".join(f"{k} {n}" for k, n in sorted(tally.ended.items()))
    )
    print(tally.line())
    return int(bool(tally.between or tally.harmed or tally.locks))


if __name__ == "__main__":
    sys.exit(main())
