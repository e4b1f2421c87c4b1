"""A small kit in a real repository, and the person's own git beside reel's."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta, timezone
from pathlib import Path

from reel_cli.core.change.transaction import apply_change
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import (
    KIT_ATTRIBUTES,
    KIT_IGNORE,
    Repository,
    find_repository,
    init_repository,
)
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import AppliedChange, Change
from tests.support.shelf import ready_made

IDENTITY = ("Bo Lind", "bo@example.org")
WHEN = datetime(2026, 2, 10, 21, 14, tzinfo=timezone(timedelta(hours=2)))
START: Mapping[str, bytes] = {
    ".gitattributes": KIT_ATTRIBUTES,
    ".gitignore": KIT_IGNORE,
    "kit.yaml": b"name: Ada\n",
    "ring0/identity.md": b"I am Ada.\n",
    "ring2/working.md": b"one\ntwo\nthree\nfour\nfive\nsix\nseven\n",
    "ring4/index.md": b'M-001 | a | "b" | factual | not immune\n',
}


def run(folder: Path, *args: str, check: bool = True) -> str:
    """Run the person's own git, with none of reel's settings."""
    done = subprocess.run(["git", *args], cwd=folder, capture_output=True, check=False)
    if check and done.returncode:
        raise AssertionError(done.stderr.decode())
    return done.stdout.decode("utf-8", "surrogateescape")


@dataclass
class KitUnderGit:
    """One kit and its repository; the clock moves a minute with each change."""

    root: Path
    repo: Repository
    changes: int = field(default=0)

    def git(self, *args: str, check: bool = True) -> str:
        return run(self.root, *args, check=check)

    def write(self, path: str, data: bytes) -> None:
        place = self.root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)

    def read(self, path: str) -> bytes:
        return (self.root / path).read_bytes()

    def snapshot(self) -> Snapshot:
        return Snapshot(WorkTree(self.root), "ada")

    def apply(
        self,
        writes: Mapping[str, bytes | None],
        *trailers: tuple[str, str],
        op: str = "checkpoint",
        summary: str = "a page",
        notes: Sequence[str] = (),
        snapshot: Snapshot | None = None,
    ) -> AppliedChange:
        return self.apply_change(Change(op, summary, writes, trailers, tuple(notes)), snapshot)

    def apply_change(self, change: Change, snapshot: Snapshot | None = None) -> AppliedChange:
        seen = snapshot or self.snapshot()
        if snapshot is None:
            for path in change.writes:
                seen.read(path)
        self.changes += 1
        return apply_change(
            self.repo,
            self.root,
            change,
            seen.seen(),
            when=WHEN + timedelta(minutes=self.changes),
            identity=IDENTITY,
        )

    def status(self) -> list[str]:
        return self.git(
            "--no-optional-locks", "status", "--porcelain=v1", "--untracked-files=all", "-z"
        ).split("\0")[:-1]

    def subjects(self) -> list[str]:
        return self.git("log", "--format=%s").splitlines()

    def committed(self, path: str, commit: str = "HEAD") -> bytes:
        name = f"{commit}:{self.repo.prefix}{path}"
        return subprocess.run(
            ["git", "cat-file", "blob", name], cwd=self.root, capture_output=True, check=True
        ).stdout

    def files(self) -> dict[str, bytes]:
        tree = WorkTree(self.root)
        return {path: tree.read(path) or b"" for path in tree.list("")}

    def locks(self) -> list[str]:
        left = [str(path) for path in self.repo.common_dir.rglob("*.lock")]
        return left + [str(path) for path in (self.root / ".reel/state").glob("txn*")]


def make_kit(
    place: Path, *, enclosing: Path | None = None, start: Mapping[str, bytes] = START
) -> KitUnderGit:
    """A kit with its first commit: its own repository, or part of the one at `enclosing`."""

    def make() -> None:
        place.mkdir(mode=0o700, parents=True)
        if enclosing is None:
            init_repository(place)
        held(changes=0).apply(start, op="init", summary="Ada")

    def held(changes: int) -> KitUnderGit:
        repo = find_repository(place)
        assert repo is not None
        return KitUnderGit(place, repo, changes)

    if enclosing is None:
        ready_made(place, f"a kit of {sorted(start.items())}", make)
    else:
        make()
    return held(changes=1)


class Before:
    """All that must be as it was when a change is refused."""

    def __init__(self, kit: KitUnderGit) -> None:
        self.kit = kit
        self.state = self.look()

    def look(self) -> tuple[object, ...]:
        kit = self.kit
        index = kit.git("ls-files", "-s", "-z")
        return kit.repo.head(), kit.files(), index, kit.status(), kit.locks()

    def still(self) -> bool:
        assert self.look() == self.state
        return True


def person_at_work(kit: KitUnderGit) -> None:
    """Everything a person may have under way elsewhere, at once."""
    top = kit.repo.root
    for name in ("one", "two", "three", "four", "five", "six", "seven"):
        (top / name).write_text(f"{name}\n")
    run(top, "add", "one", "two", "three", "four", "five", "six")
    run(top, "commit", "-qm", "theirs")
    (top / "one").write_text("staged\n")
    run(top, "add", "one")
    (top / "two").write_text("staged\n")
    run(top, "add", "two")
    (top / "two").write_text("half\n")
    (top / "three").write_text("unstaged\n")
    run(top, "rm", "-q", "four")
    run(top, "mv", "five", 'fünf "5"')
    (top / "six").chmod(0o755)
    run(top, "add", "six")
    (top / "eight").write_text("new, staged\n")
    run(top, "add", "eight")
    (top / "nine").write_text("new, meant to be added\n")
    run(top, "add", "-N", "nine")
