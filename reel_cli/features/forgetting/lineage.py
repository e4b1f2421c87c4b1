"""Memories that were made of compressions, or have left their source behind (REEL §10.2)."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.memory_check import Note
from reel_cli.core.files.commit_message import FORGOT, parse_forgotten
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.finding import DEATH_SPIRAL, Finding
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.losses import Loss
from reel_cli.core.tape.tape_view import is_purged
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Level, Memory, memory_path, where_of
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.forgetting.past import Past, memory_id

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

FRESH_SESSIONS = 3
"""Number of last sessions in which a memory that was made anew, or brought back, is not made again."""
FEWEST_WORDS = 12
"""Content words of a memory below which the number of unsupported ones says nothing."""
DRIFTED = WHOLE * 6 // 10
"""The share of a memory's words that were not said above which it is worth a look. Pages that hold to
their sessions have 2 to 5 of ten, pages about another session 7 to 10 (`bench/lineage.py`)."""
STRANGE = WHOLE * 3 // 4
"""The share above which the memory is about something else."""
DEEP = 2
"""Number of successive compressions worth a warning; one more is serious."""
SHRUNK = WHOLE * 8 // 10
"""A hand edit that leaves less than this share of a body's words has compressed it."""
MOST_READ = 400
"""Maximum number of hand edits of memories that are read; a kit with more is not kept by reel."""
_WRITTEN_BY_MODEL = (Level.L1.value, Level.L2.value)
"""Levels of a fading memory that an exchange writes; the marker and the tag were made with the memory."""


@dataclass(frozen=True, slots=True)
class Lineage:
    """The number of times a memory was made from an earlier compression alone, and the day of the last."""

    depth: int
    last: str


@dataclass(frozen=True, slots=True)
class DriftedMemory:
    """A memory that has left its source: its lineage, and how many of its words were not said there.

    `share` is of `WHOLE`, 0 where it has too few words to tell.
    """

    memory: Memory
    lineage: Lineage
    share: int
    unsaid: int
    words: int

    @property
    def deep(self) -> bool:
        """Return whether it was made from compressions too often."""
        return self.lineage.depth >= DEEP

    @property
    def drifted(self) -> bool:
        """Return whether too much of it was not said."""
        return self.share > DRIFTED

    @property
    def serious(self) -> bool:
        """Return whether it is serious, and not only worth a look."""
        return self.lineage.depth > DEEP or self.share >= STRANGE or (self.deep and self.drifted)

    @property
    def reasons(self) -> list[str]:
        """Return the reasons, in words."""
        found = []
        if self.deep:
            found.append(
                f"was shortened from an earlier shortening, and not from the chat, {self.lineage.depth} times"
                f" (last on {self.lineage.last})"
            )
        if self.share:
            found.append(
                f"{self.share // 100} % of its words were not said in its chat"
                f" ({self.unsaid:,} of {self.words:,})"
            )
        return found


def list_strayed(snapshot: Snapshot, past: Past | None, notes: Mapping[str, Note]) -> list[DriftedMemory]:
    """Return the memories of deep lineage, or whose words left their source, the worst first.

    `notes` are what each memory bears of its source.
    """
    lineages = read_lineages(snapshot, past) if past is not None else {}
    found = []
    for memory in snapshot.memories.values():
        _, unsaid, words = notes.get(memory_path(memory.id), ((), 0, 0))
        share = WHOLE * unsaid // words if words >= FEWEST_WORDS else 0
        one = DriftedMemory(memory, lineages.get(memory.id, Lineage(0, "")), share, unsaid, words)
        if one.deep or one.drifted:
            found.append(one)
    return sorted(found, key=lambda one: (-one.lineage.depth, -one.share))


@dataclass(frozen=True, slots=True)
class Regeneration:
    """The rule for which strayed memories a pass of maintenance makes again by itself.

    `waits` are the names that it leaves as they are: pinned, made anew lately, or brought back.
    """

    snapshot: Snapshot
    waits: Collection[str] = ()

    def takes(self, memory: Memory) -> bool:
        """Return whether a pass makes a strayed memory again without being told to."""
        return memory.id not in self.waits and self.can(memory)

    def can(self, memory: Memory) -> bool:
        """Return whether a memory can be made again: it is no tag, and something of its source is left.

        A tag is one line cut from the index.
        """
        spans = where_of(memory)
        return memory.level is not Level.L4 and any(
            span.session in self.snapshot.sessions and not is_purged(self.snapshot, span.session)
            for span in spans
        )


def read_regeneration(snapshot: Snapshot, kit: Path, repo: "Repository | None") -> Regeneration:
    """Return the rule for a kit as it lies on disk, with its history."""
    from reel_cli.core.rings.attention import read_attention
    from reel_cli.core.rings.prunings import read_prunings

    waits = set(read_attention(snapshot).pinned)
    if repo is not None:
        waits |= set(read_prunings(repo, kit).remade_lately(FRESH_SESSIONS))
    return Regeneration(snapshot, waits)


def find_spirals(
    snapshot: Snapshot, past: Past | None, notes: Mapping[str, Note], rule: Regeneration
) -> list[Finding]:
    """Return the strayed memories as findings of the doctor."""
    lost = {loss.forgot.id for loss in past.losses if loss.back is None} if past is not None else set()
    found = []
    for one in list_strayed(snapshot, past, notes):
        memory = one.memory
        joint = " " if one.deep else ": "
        what = f"{one_line(memory.title, 60)} ({memory.id}){joint}{'; '.join(one.reasons)}"
        where = f"{memory_path(memory.id)}:1"
        found.append(
            Finding("lineage", what, _mend(rule, memory, lost), not one.serious, DEATH_SPIRAL, where)
        )
    return found


def _mend(rule: Regeneration, memory: Memory, lost: Collection[str]) -> str:
    spans = where_of(memory)
    if not spans:
        return f"put {memory_path(memory.id)} right, or  reel forget {memory.id}"
    if all(is_purged(rule.snapshot, span.session) for span in spans):
        read = f"reel memory show {memory.id}"
        return f"what was said there was purged, so nothing can be compared; to read it:  {read}"
    back = f"; reel restore {memory.id} --level L1  brings back its first text" if memory.id in lost else ""
    said = f"( reel tape show {spans[0].session} )"
    if not rule.can(memory):
        return f"read it beside what was said {said}, and put {memory_path(memory.id)} right{back}"
    command = "reel maintain" if rule.takes(memory) else f"reel maintain --only anew {memory.id}"
    return f"{command}  makes it again from what was said {said}{back}"


def has_compressed_again(past: Past) -> bool:
    """Return whether history has any memory made from an earlier compression, whatever became of it since."""
    return any(_without_source(loss) for loss in past.losses) or bool(_shortened_by_hand(past))


def _without_source(loss: Loss) -> bool:
    """Return whether a text was shortened without a record that its source was at hand."""
    return loss.forgot.after in _WRITTEN_BY_MODEL and not loss.forgot.source


def read_lineages(snapshot: Snapshot, past: Past) -> dict[str, Lineage]:
    """Return the lineage of each memory in ring 3.

    A step counts where a text was shortened and nothing says that the source was at hand: a loss to L1 or L2
    whose trailer names no source, or a hand edit that takes a good part of the text away. What was brought
    back since, or made anew from the tape, counts no more.
    """
    steps: dict[str, list[tuple[str, bool]]] = {}
    for loss in past.losses:
        if loss.back is None and _without_source(loss):
            steps.setdefault(loss.forgot.id, []).append((loss.time, True))
    for commit in past.commits:
        if commit.op in ("consolidate", "maintain"):
            # a page that fell a level is named too, but was not made anew
            told = map(parse_forgotten, commit.values(FORGOT))
            fell = {forgotten.id for forgotten in told if forgotten is not None}
            made = {value.partition(" ")[0] for value in commit.values("Reel-Memory")}
            for name in made - fell:
                steps.setdefault(name, []).append((commit.time, False))
    for name, time in _shortened_by_hand(past):
        steps.setdefault(name, []).append((time, True))
    found = {}
    for name, own in steps.items():
        if name not in snapshot.memories:
            continue
        depth, last = 0, ""
        for time, compressed in sorted(own):
            depth, last = (depth + 1, time[:10]) if compressed else (0, "")
        if depth:
            found[name] = Lineage(depth, last)
    return found


def _shortened_by_hand(past: Past) -> list[tuple[str, str]]:
    """Return the memories that a person's commits have shortened: ID and time, for each time."""
    wanted = [
        (path, step)
        for path, steps in past.steps.items()
        for step in steps
        if step.before and step.after and past.is_by_hand(step.commit)
    ][:MOST_READ]
    if not wanted:
        return []
    found = []
    with CommitTree(past.repo, past.commits[0].id) as tree:
        for path, step in wanted:
            try:
                texts = [
                    tree.read_blob(blob, path).decode() for blob in (step.before or "", step.after or "")
                ]
                before, after = (len(parse_memory(text, path).body.split()) for text in texts)
            except (ReelError, UnicodeDecodeError):
                continue
            if after * WHOLE < SHRUNK * before:
                found.append((memory_id(path), past.by_id[step.commit].time))
    return found
