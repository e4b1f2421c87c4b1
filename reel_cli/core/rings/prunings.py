"""Fading in history: the sessions since a line was pruned, recent memories and recent steps (REEL §6.7).

The order of commits counts, not their clocks. What was read of it is kept up to a commit, so that only what
came later is read again; `.reel/cache/catalog.sqlite` holds it, and where that cannot be used all is read.
"""

import json
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any

from reel_cli import __version__
from reel_cli.core.files.catalog_store import TROUBLE, CatalogUnusable, open_store
from reel_cli.core.files.commit_message import FORGOT, OP, parse_forgotten
from reel_cli.core.files.index_file import parse_index
from reel_cli.core.git.commit_tree import CommitTree, is_before
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository, is_commit_id
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.rings.losses import is_shallow
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.talk import SESSION_ID

NAME = "course of history, steps and sleep"
_RECORDED = "record"
_MARKS = "+-~="
"""First characters of the entries in the course that are no sessions."""
_FORMAT = (
    f"%x02%cs%x00%(trailers:key={OP},valueonly,unfold)%x00%(trailers:key=Reel-Session,valueonly,unfold)"
    f"%x00%(trailers:key={FORGOT},valueonly,unfold)%x00%(trailers:key=Reel-Memory,valueonly,unfold)"
)


@dataclass(frozen=True)
class Prunings:
    """The course of a kit's history, in order: sessions as they were recorded, `-M-004` as it was pruned.

    `+M-004 2026-03-01` is when it was made, written anew or brought back, `~M-004 2026-03-01` when it went a
    step down, `=2026-02-10-1#1-4` the stretch of tape of a line that left the index then. `first` are the
    lines that were pruned already in the first commit there is.
    """

    course: Sequence[str] = ()
    first: Collection[str] = ()

    def since(self, name: str) -> Collection[str] | None:
        """Return the sessions recorded since a line was last pruned; None where history does not tell."""
        at = self._pruned.get(name, -1 if name in self.first else None)
        if at is None:
            return None
        return [one for one in self.course[at + 1 :] if one[0] not in _MARKS]

    def made_lately(self, sessions: int) -> Mapping[str, str]:
        """Return what was made, rewritten or restored in so many of the last sessions, with the days."""
        found: dict[str, str] = {}
        after: set[str] = set()
        for one in reversed(self.course):
            if one[0] == "+":
                name, _, day = one[1:].partition(" ")
                found.setdefault(name, day)
            elif one[0] not in _MARKS:
                after.add(one)
                if len(after) >= sessions:
                    break
        return found

    def remade_lately(self, sessions: int) -> Collection[str]:
        """Return what was written anew or restored in so many of the last sessions.

        A page that was made for the first time, or whose last writing made it shorter, is none of them.
        """
        times = Counter(one[1:].partition(" ")[0] for one in self.course if one[0] == "+")
        shorter: dict[str, bool] = {}
        for before, one in zip(("", *self.course), self.course, strict=False):
            if one[0] == "+":
                shorter[one[1:].partition(" ")[0]] = before == f"~{one[1:]}"
        return {name for name in self.made_lately(sessions) if times[name] > 1 and not shorter[name]}

    @cached_property
    def last_steps(self) -> Mapping[str, tuple[str, int]]:
        """Return the day of each memory's last step down, and how many sessions were recorded since."""
        found: dict[str, tuple[str, int]] = {}
        after: set[str] = set()
        for one in reversed(self.course):
            if one[0] == "~":
                name, _, day = one[1:].partition(" ")
                found.setdefault(name, (day, len(after)))
            elif one[0] not in _MARKS:
                after.add(one)
        return found

    @cached_property
    def asleep(self) -> Collection[str]:
        """Return the stretches of tape whose lines ever left the index."""
        return {span for one in self.course if one[0] == "=" for span in one[1:].split(",")}

    @cached_property
    def _pruned(self) -> dict[str, int]:
        return {one[1:]: at for at, one in enumerate(self.course) if one.startswith("-")}


def read_prunings(repo: Repository, kit: Path) -> Prunings:
    """Read the course of a kit's history, or what came to it since it was last read."""
    head = repo.head()
    if head is None:
        return Prunings()
    shallow = is_shallow(repo)
    known = _recall(kit)
    if known is not None and known["head"] == head and known["shallow"] == shallow:
        return Prunings(known["course"], known["first"])
    course: list[str] = []
    if known is not None and known["shallow"] == shallow and is_before(repo, known["head"], head):
        course = [*known["course"], *_read_course(repo, f"{known['head']}..{head}")]
        first = known["first"]
    else:
        course = _read_course(repo, head)
        first = _first_pruned(repo, head)
    _keep(kit, {"head": head, "shallow": shallow, "course": course, "first": first})
    return Prunings(course, first)


def _read_course(repo: Repository, commits: str) -> list[str]:
    listed = Git(repo.root)(
        *("log", "--reverse", "--topo-order"),
        *(f"--grep=^{FORGOT}: ", f"--grep=^{OP}: {_RECORDED}$", "--grep=^Reel-Memory: "),
        *(f"--format={_FORMAT}", commits, "--", *([repo.prefix] if repo.prefix else [])),
    )
    course: list[str] = []
    for commit in listed.decode("utf-8", "replace").split("\x02")[1:]:
        day, op, sessions, losses, made = (part.split("\n") for part in commit.split("\0"))
        if op[0].strip() == _RECORDED:
            course += [name for one in sessions if SESSION_ID.fullmatch(name := one.strip())]
        lost = [one for line in losses if line.strip() and (one := parse_forgotten(line)) is not None]
        course += [f"-{one.id}" for one in lost if one.after == "stub"]
        course += [f"={one.source}" for one in lost if one.after == "dormant" and one.source]
        course += [f"~{one.id} {day[0]}" for one in lost if MEMORY_ID.fullmatch(one.id)]
        course += [f"+{found[0]} {day[0]}" for line in made if (found := MEMORY_ID.match(line))]
    return course


def _first_pruned(repo: Repository, head: str) -> list[str]:
    """Return the lines that are already pruned in the oldest commit."""
    which = ("--reverse", head, "--", repo.prefix) if repo.prefix else ("--max-parents=0", head, "--")
    roots = Git(repo.root)("rev-list", *which).decode("ascii").split()
    if not roots or (len(roots) > 1 and not repo.prefix):
        return []
    with CommitTree(repo, roots[0]) as tree:
        text = (tree.read(INDEX) or b"").decode("utf-8", "replace")
    return [line.id for line in parse_index(text).lines.values() if line.pruned]


# -- what is kept of it ---------------------------------------------------------------------


def _recall(kit: Path) -> dict[str, Any] | None:
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return None
    try:
        value = json.loads(store.recall(NAME, __version__) or "null")
    except (CatalogUnusable, ValueError, *TROUBLE):
        return None
    finally:
        with suppress(*TROUBLE):
            store.close(keep=False)
    fits = isinstance(value, dict) and value.keys() >= {"head", "shallow", "course", "first"}
    return value if fits and is_commit_id(str(value["head"])) else None


def _keep(kit: Path, value: dict[str, Any]) -> None:
    try:
        store = open_store(kit)
    except CatalogUnusable:
        return
    with suppress(*TROUBLE):
        store.keep(NAME, __version__, json.dumps(value))
    with suppress(*TROUBLE):
        store.close(keep=True)
