"""A kit that was kept on two machines made one again: what each recorded stays, and nothing leads astray."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

from reel_cli.core.files.index_file import line_for
from reel_cli.core.files.kit_files import find_kind, list_kit_files
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin, MergeTexts, text_in
from reel_cli.core.kit.snapshot import ACTIVE, EVENTS, INDEX, WORKING, Snapshot
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.tape.retelling import retell
from reel_cli.core.values.change import Change
from reel_cli.core.values.memory import coarseness
from reel_cli.core.values.source import NewNames
from reel_cli.core.values.talk import SESSION_ID, session_of
from reel_cli.features.machines.join_lines import (
    join_events,
    join_index,
    join_journal,
    join_working,
)
from reel_cli.features.machines.join_names import JoinedTape, NoCommonSide, Side, join_memories, join_tape

if TYPE_CHECKING:
    from reel_cli.core.values.memory import IndexLine, Memory

__all__ = ["JOIN", "JoinPlan", "NoCommonSide", "Side", "plan_anew", "plan_join"]

JOIN = "merge"
"""The operation's name."""
WHOSE = ("this machine", "the other machine")

_CHECKPOINT = re.compile(rf"checkpoints/({SESSION_ID.pattern})\.([1-9]\d*)\.yaml")
_PROPOSAL = re.compile(rf"review/({SESSION_ID.pattern})(.*)\.md")
_MEMORY = re.compile(r"ring3/(M-\d{3,})\.md")


JOINED = ("tape/", "journal/", "checkpoints/", "ring3/", "ring4/")
"""Paths where nothing of either side is left out."""
WRITTEN_STAYS = (
    *("ring3/", "tape/", "journal/", "checkpoints/", "review/"),
    *("shelf/", "summaries/", "archive/"),
)
"""Paths of files that stay if one side wrote in them, though the other deleted them."""
PLACED = ("checkpoints/", "review/", "ring1/", "ring3/", "story/past/")
"""Paths where a new file of this side may need another name, since the other side has one of that name."""


@dataclass(frozen=True, slots=True)
class JoinPlan:
    """The kit after both sides were joined.

    `files` is every path in which the two differ, as it is to be (None: no file). `yours` are those that
    both changed and only a person can settle; they are not among `files`. `change` tells history of it,
    `notes` the person, in plain sentences.
    """

    files: Mapping[str, bytes | None]
    yours: Sequence[str]
    change: Change
    notes: Sequence[str] = field(default=())


def plan_join(  # noqa: PLR0913 (three kits, and how to join them)
    base: Side,
    ours: Side,
    theirs: Side,
    merge: MergeTexts,
    *,
    used: int = 0,
    whose: tuple[str, str] = WHOSE,
) -> JoinPlan:
    """Join the two sides of a merge; what each had when they parted is `base`.

    What `theirs` has keeps its numbers. `used` is the highest that a memory ever had on either side; `whose`
    are the words for the two sides. Nothing that was said on one of
    them is left out, and what points to it still does. Raises StateError where the tape of one side is
    damaged, ReelError where one of its files cannot be read.
    """
    tape = join_tape(base, ours, theirs)
    memories = join_memories(base, ours, theirs, tape.names, used)
    names = NewNames({**tape.names, **memories})
    work = _Work(base, ours, theirs, merge, names, tape, whose)
    work.run()
    notes = [*_tell_names(tape, memories, whose[0]), *work.notes]
    many = [_many(len(tape.moved), "chat"), _many(len(memories), "memory", "memories")]
    told = " and ".join(one for one in many if one)
    summary = "joined what two machines recorded" + (f"; {told} got another number" if told else "")
    change = Change(JOIN, summary, {}, names.trailers(), tuple(notes))
    return JoinPlan(work.files, work.yours, change, notes)


def plan_anew(joined: JoinPlan, snapshot: Snapshot) -> Change | None:
    """Return what the last commit, a merge concluded by hand, left out or left unfinished.

    What a person settled in it stays, but where the marks of a conflict were committed. None where
    nothing is amiss.
    """
    writes: dict[str, bytes | None] = {}
    for path, data in joined.files.items():
        now = snapshot.read(path)
        if now != data and (path.startswith(JOINED) or (now is not None and has_marks(now))):
            writes[path] = data
    notes = tuple(note for note in joined.notes if WORKING not in note or WORKING in writes)
    return replace(joined.change, writes=writes, notes=notes) if writes else None


def _tell_names(tape: JoinedTape, memories: Mapping[str, str], whose: str) -> Sequence[str]:
    told = [f"{name} was recorded on both machines, and is one chat." for name in dict.fromkeys(tape.same)]
    told += [f"Chat {old} of {whose} is {new} now." for old, new in tape.moved]
    told += [f"Memory {old} of {whose} is {new} now." for old, new in memories.items()]
    return told


def _many(number: int, one: str, more: str = "") -> str:
    return f"{number:,} {one if number == 1 else more or one + 's'}" if number else ""


@dataclass
class _Work:
    base: Side
    ours: Side
    theirs: Side
    merge: MergeTexts
    names: NewNames
    tape: JoinedTape
    whose: tuple[str, str]
    files: dict[str, bytes | None] = field(default_factory=dict)
    yours: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def run(self) -> None:
        """Decide every path in which the two sides differ; the index last, when ring 3 is settled."""
        mine = self._told()
        theirs = self.theirs.ids
        # a memory merged with one of the other side under that side's number leaves its own
        left = (path for path in self.ours.ids if _MEMORY.fullmatch(path) and self._is_renamed(path))
        apart = [
            path
            for path in sorted({*mine, *theirs, *self.base.ids, *self.tape.files, *left})
            if path in self.tape.files or path in mine or self.ours.ids.get(path) != theirs.get(path)
        ]
        # the index comes last, after ring 3; rows come after their schemas
        for path in sorted(apart, key=lambda path: (path == INDEX, path.endswith(".csv"))):
            if path in self.tape.files:
                self.files[path] = self.tape.files[path]
                continue
            here = mine[path] if path in mine else self._kept(path)
            self._settle(path, here, self.theirs.read(path), self.base.read(path))

    def _kept(self, path: str) -> bytes | None:
        """Return this side's file at an unchanged path, unless it has another name now."""
        return self.ours.read(path) if self.ours.ids.get(path) == self.base.ids.get(path) else None

    def _told(self) -> dict[str, bytes]:
        """Return this side's changed files, each under its new name and with new pointers."""
        told: dict[str, bytes] = {}
        moved: list[tuple[str, bytes]] = []
        kinds = (find_kind(file.path) for file in list_kit_files())
        twice = {path for kind in kinds if kind is not None for path in kind.noted_twice}
        for path, blob in self.ours.ids.items():
            # two machines may have noted the same event of two things that shared a name
            alike = self.names and path.startswith((EVENTS, INDEX, "journal/", *twice))
            if blob == self.theirs.ids.get(path) and not alike and not self._is_renamed(path):
                continue
            if path in self.tape.files or (session_of(path) and self._is_renamed(path)):
                continue
            if blob == self.base.ids.get(path):
                continue
            data = self.ours.read(path) or b""
            before = self.base.read(path)
            data = data if path == EVENTS else retell(path, data, before, self.names)
            if before is None and path.endswith((".md", ".yaml")) and path.startswith(PLACED):
                moved.append((path, data))
            else:
                told[path] = data
        for path, data in moved:
            place = self._place(path, data, told)
            told[place] = data
        return told

    def _is_renamed(self, path: str) -> bool:
        found = _MEMORY.fullmatch(path) or _CHECKPOINT.fullmatch(path) or _PROPOSAL.fullmatch(path)
        name = found[1] if found else session_of(path)
        return name is not None and self.names.name(name) != name

    def _place(self, path: str, data: bytes, told: Mapping[str, bytes]) -> str:
        """Return the path of a new file of this side, beside those of the other side."""
        memory = _MEMORY.fullmatch(path)
        if memory is not None:
            return f"ring3/{self.names.name(memory[1])}.md"

        def free(place: str) -> bool:
            return place not in told and self.theirs.read(place) in (None, data)

        number = 0
        checkpoint, proposal = _CHECKPOINT.fullmatch(path), _PROPOSAL.fullmatch(path)
        if checkpoint is not None:
            session, number = self.names.name(checkpoint[1]), int(checkpoint[2])
            while not free(f"checkpoints/{session}.{number}.yaml"):
                number += 1
            return f"checkpoints/{session}.{number}.yaml"
        if path == ACTIVE or (proposal is None and not path.endswith(".md")):
            return path
        stem = path.removesuffix(".md")
        if proposal is not None:
            stem = f"review/{self.names.name(proposal[1])}{proposal[2]}"
        place, number = f"{stem}.md", 1
        while not free(place):
            number += 1
            place = f"{stem}-{number}.md"
        return place

    # -- one path ---------------------------------------------------------------------------------

    def _settle(self, path: str, ours: bytes | None, theirs: bytes | None, base: bytes | None) -> None:
        if path == EVENTS and ours not in (None, base) and self.names:
            self.files[path] = join_events(ours or b"", theirs or b"", base, self.names)
        elif ours in (theirs, base):
            self.files[path] = theirs
        elif theirs == base:
            self.files[path] = ours
        elif (found := self._join_kind(path, ours, theirs, base)) is not None:
            self.files |= found.files
            self.notes += [note for note in found.notes if note not in self.notes]
            if not found.files:
                self.yours.append(path)
        elif ours is not None and theirs is not None and (made := self._join(path, ours, theirs, base)):
            self.files[path] = made
        elif path.startswith(WRITTEN_STAYS) or path == ACTIVE:
            # one side deleted it, the other edited it: the edit stays
            self.files[path] = theirs if theirs is not None else ours
        else:
            self.yours.append(path)

    def _join_kind(
        self, path: str, ours: bytes | None, theirs: bytes | None, base: bytes | None
    ) -> JoinedFiles | None:
        """Return what the file's kind makes of it; None where it is joined as any other."""
        kind = find_kind(path)
        if kind is None or kind.join is None:
            return None

        def joined(other: str) -> bytes | None:
            return self.files[other] if other in self.files else self.theirs.read(other)

        def is_free(name: str, data: bytes) -> bool:
            return all(one in (None, data) for one in (self.theirs.read(name), self.ours.read(name)))

        def sides(other: str) -> tuple[bytes | None, bytes | None, bytes | None]:
            return self.ours.read(other), self.theirs.read(other), self.base.read(other)

        found: JoinedFiles | None = kind.join(
            KindJoin(path, ours, theirs, base, self.merge, self.whose, joined, is_free, sides)
        )
        return found

    def _join(self, path: str, ours: bytes, theirs: bytes, base: bytes | None) -> bytes | None:
        """Return one text of two that both changed; None if a person has to decide."""
        if path == EVENTS:
            return join_events(ours, theirs, base, self.names)
        if path.startswith("journal/"):
            return join_journal(ours, theirs, base)
        if path == WORKING:
            text, both = join_working(*(text_in(data) for data in (ours, theirs, base or b"")))
            if both:
                what = f"{', '.join(both)}: what both machines wrote stands there"
                self.notes.append(f"{what}; in {path}, delete what no longer holds.")
            return text.encode("utf-8")
        if path == INDEX:
            truth = list(self._lines())
            return join_index(text_in(ours), text_in(theirs), text_in(base), truth).encode("utf-8")
        made = self.merge(ours, base or b"", theirs) if base is not None else None
        if made is None and _MEMORY.fullmatch(path):
            return self._finer(path, ours, theirs)
        if made is None and path == ACTIVE:
            self.notes.append(
                f"Which examples are in use was changed on both machines: it is as {self.whose[1]} had it."
            )
            return theirs
        return made

    def _finer(self, path: str, ours: bytes, theirs: bytes) -> bytes:
        """Return the version of a memory that keeps more of it, of two that were changed."""
        mine, other = (parse_memory(text_in(data), path) for data in (ours, theirs))
        here = coarseness(mine.level.value) < coarseness(other.level.value)
        whose = self.whose[0] if here else self.whose[1]
        self.notes.append(f"{mine.id} was changed on both machines: it is as {whose} had it.")
        return ours if here else theirs

    def _lines(self) -> "Sequence[IndexLine]":
        """Return the index lines of the future memories among those that either side changed."""
        found: list[Memory] = []
        for path, data in self.files.items():
            if data is not None and _MEMORY.fullmatch(path):
                found.append(parse_memory(text_in(data), path))
        return [line_for(memory) for memory in found]
