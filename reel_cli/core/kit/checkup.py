"""The checks of `reel doctor`: what one is, what it may look at, and in which order their findings are told.

A feature brings its checks to the port `checks`, and the plans that mend without a person's word to `mends`.
"""

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import IntEnum
from itertools import chain
from pathlib import Path
from typing import TypeVar

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.files.unread_fields import OWN_KEY
from reel_cli.core.finding import INTEGRITY, KINDS, Finding
from reel_cli.core.frozen import frozen
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.hand_edits import Step, read_steps
from reel_cli.core.kit.kit_damage import KitDamage, holds_merge_marks
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.nearest import nearest
from reel_cli.core.ports import bring
from reel_cli.core.values.change import Change, one_line

T = TypeVar("T")

MEMORIES = "ring3/"
LAST = 1_000
"""Order of a check whose findings are told last in its stage; several follow the table of features."""


class Stage(IntEnum):
    """The parts of a checkup, in order; a later one is left out where an earlier one found too much."""

    FILES = 0
    """Checks of files that nothing else depends on."""
    READABLE = 1
    """Checks that need rings 0 to 4 to be readable."""
    PATTERNS = 2
    """Checks of how the persona remembers (REEL §10); all of the kit can be read."""


@dataclass
class CheckScope:
    """The kit that a checkup looks at, and how closely.

    `found` are the findings so far; `advance` is called for each memory that is held against the tape.
    """

    snapshot: Snapshot
    kit: Path
    repo: Repository | None
    deep: bool = False
    kinds: Collection[str] = KINDS
    damage: KitDamage = field(default_factory=KitDamage)
    advance: Callable[[float], None] | None = None
    found: list[Finding] = field(default_factory=list)
    _made: dict[str, object] = field(default_factory=dict)

    def once(self, name: str, make: Callable[[], T]) -> T:
        """Return what several checks need: made by the first one that asks, and kept for the others."""
        if name not in self._made:
            self._made[name] = make()
        return self._made[name]  # type: ignore[return-value]

    def memory_steps(self) -> Mapping[str, Sequence[Step]]:
        """Return how each memory's file came to be as it is, also of memories that are gone."""
        repo = self.repo
        return self.once("steps", lambda: read_memory_steps(repo) if repo is not None else {})

    def is_known(self, found: Finding) -> bool:
        """Return whether a finding is about a file that is known to be damaged."""
        return found.what.startswith(
            tuple(f"{p}{end}" for p in self.damage.damaged for end in (" ", ":", ","))
        )


def read_memory_steps(repo: Repository) -> Mapping[str, Sequence[Step]]:
    """Return how each memory's file came to be as it is, by its kit path; ReelError without a history."""
    steps = read_steps(repo, [MEMORIES])
    named = (path for path in steps if path.startswith(MEMORIES))
    return {path: steps[path] for path in named if is_memory_file(path.removeprefix(MEMORIES))}


@frozen
class Check:
    """One check: a function that yields findings; those of a lower `order` in a stage are told first."""

    run: Callable[[CheckScope], Iterable[Finding]]
    order: int = LAST
    stage: Stage = Stage.READABLE
    kind: str = INTEGRITY
    """The kind of finding that it looks for; it is left out where that kind is not asked for."""


def list_checks() -> Sequence[Check]:
    """Return the checks of all features, in the order in which their findings are told."""
    return sorted(chain.from_iterable(bring("checks")), key=lambda check: (check.stage, check.order))


def run_checks(scope: CheckScope, stage: Stage) -> None:
    """Run the checks of one stage, and add what they find to the scope's findings."""
    for check in list_checks():
        if check.stage is stage and check.kind in scope.kinds:
            scope.found += check.run(scope)


@frozen
class MendScope:
    """The kit that `reel doctor --fix` mends; `now` is when what it writes is dated."""

    snapshot: Snapshot
    repo: Repository | None
    now: datetime


def plan_mends(look: Callable[[], MendScope]) -> Iterator[Change]:
    """Yield the changes that need nobody's word; what cannot be read is told of by the checkup itself.

    `look` reads the kit anew for each: what was planned before may be written by then.
    """
    for plan in bring("mends"):
        try:
            change: Change | None = plan(look())
        except ReelError:
            continue
        if change is not None:
            yield change


@frozen
class EntryFile:
    """A file that is a list of entries: what it is called in a finding, and how it is looked at.

    `odd` yields what is odd about its entries, and raises ReelError where the file cannot be read. A fault of
    the file itself is only a hint where nothing but noting stands still for it.
    """

    check: str
    path: str
    odd: Callable[[Snapshot], Iterator[str]]
    mend: str
    unread_mend: str
    shown: int
    needed: bool
    more: str = "entries"


def check_entries(snapshot: Snapshot, file: EntryFile) -> Iterator[Finding]:
    """Yield what is wrong with a file of entries; nothing where there is none."""
    check, path = file.check, file.path
    data = snapshot.read(path)
    if data is None:
        return
    if holds_merge_marks(data):
        what = f"{path} still has the marks of a merge ( <<<<<<< and >>>>>>> )"
        yield Finding(check, what, "keep both sides, and delete the lines with the marks", at=path)
        return
    try:
        found = list(file.odd(snapshot))
    except ReelError as error:
        mend = error.hint or file.unread_mend
        yield Finding(check, error.message.rstrip("."), mend, hint_only=not file.needed, at=path)
        return
    for what in found[: file.shown]:
        yield Finding(check, what, file.mend, hint_only=True, at=path)
    if len(found) > file.shown:
        more = f"{len(found) - file.shown:,} more {file.more} like that"
        yield Finding(check, more, file.mend, hint_only=True, at=path)


def unread_key(told: object, known: Sequence[str]) -> str:
    """Return the first key of an entry that nothing reads, with the one it may be; "" where there is none."""
    for key in told if isinstance(told, dict) else ():
        if key not in known and not key.startswith(OWN_KEY):
            near = nearest(key, known)
            return f"nothing reads {one_line(key, 40)}" + (f" (did you mean {near}?)" if near else "")
    return ""
