"""`diff`: what was learnt, changed and lost between two moments of a kit."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.files.commit_message import RATIFIED, RATIFIED_BY
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit, read_log
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.approved_rings import Ring0, read_in_force
from reel_cli.core.kit.hand_edits import EditKind, list_uncommitted
from reel_cli.core.kit.kinds import KindDiff, compare_kinds
from reel_cli.core.kit.moment_of_kit import KitMoment
from reel_cli.core.kit.past import BlobGlance, PastGlance
from reel_cli.core.kit.read_holdings import read_holdings
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.render import MARKDOWN, core_tokens
from reel_cli.core.ports import list_feature_files
from reel_cli.core.tape.tape_view import corrections, count_said, read_session, retracted
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.source import RENUMBERED
from reel_cli.core.values.talk import session_path
from reel_cli.features.history.diff_files import (
    Exemplars,
    Ring0Change,
    SettingChange,
    WorkingChange,
    compare_exemplars,
    compare_ring0,
    compare_settings,
    compare_working,
)
from reel_cli.features.history.diff_memories import IndexChange, MemoryChange, compare_index, compare_memories
from reel_cli.features.history.purged_stretches import count_purged
from reel_cli.features.page.cold_start import find_transition
from reel_cli.features.table import DIFF_NOW

RINGS = ("0", "1", "2", "3", "4")


@dataclass(frozen=True)
class Side:
    """A kit at one moment: what is read of it, and the ring 0 then in force.

    `then` is None for the kit as it lies here now; `uncommitted` counts its files that no commit holds so.
    """

    then: KitMoment | None
    glance: BlobGlance
    ring0: Ring0
    uncommitted: int = 0


@dataclass(frozen=True, slots=True)
class Grown:
    """A session of which something was recorded in between: messages before and after, as shown."""

    session: str
    before: int
    after: int
    was: str = ""
    """Its former name, if another machine had given that name too."""


@dataclass(frozen=True, slots=True)
class Tape:
    """The changes of the tape.

    `sessions` are new, `grown` had messages already before. Of others it is told what was decided: taken
    back, let stand again, put right (how many corrections). `grown_up`: the cold start came to its end.
    """

    sessions: Sequence[Grown] = ()
    grown: Sequence[Grown] = ()
    retracted: Sequence[str] = ()
    reinstated: Sequence[str] = ()
    corrections: int = 0
    grown_up: bool = False
    purged: Sequence[tuple[str, int]] = ()
    """By purge: a session, and the number of its messages from which something was removed for good."""

    @property
    def messages(self) -> int:
        """Return how many messages were said in all of it."""
        return sum(one.after - one.before for one in (*self.sessions, *self.grown))


@dataclass(frozen=True, slots=True)
class Difference:
    """The differences between two moments; `changes` counts the commits in between.

    `tokens` are those of all a ring holds, before and after, by the tokenizer of the later moment.
    """

    start: KitMoment | None
    end: KitMoment | None
    changes: int
    uncommitted: int
    tape: Tape
    checkpoints: Sequence[str]
    memories: Sequence[MemoryChange]
    index: IndexChange
    working: WorkingChange
    ring0: Sequence[Ring0Change]
    exemplars: Exemplars
    settings: Sequence[SettingChange]
    tokens: Mapping[str, tuple[int, int]]
    kinds: Mapping[str, KindDiff]
    """The difference in the files of features, by their keys in the JSON."""

    @property
    def other_kinds(self) -> Sequence[str]:
        """Return the keys of the kit files of features that are not told of with what is going on."""
        known = (key for _, file in list_feature_files() for key in file.no_diff)
        return [key for key in dict.fromkeys([*known, *self.kinds]) if key not in DIFF_NOW]

    def remembered(self, kind: str) -> list[MemoryChange]:
        """Return the memories with this kind of change (`new`, `compressed`, …)."""
        return [one for one in self.memories if one.kind == kind]


def side_then(past: PastGlance, then: KitMoment) -> Side:
    """Return a kit as a commit holds it."""
    return Side(then, past, read_in_force(past, past.commit.repo, past.commit.rev))


def side_now(kit: Path, repo: Repository, head: str) -> Side:
    """Return the kit in a folder as it is on disk; `head` is the checked-out commit."""
    tree = WorkTree(kit)
    ids = dict(CommitTree(repo, head).ids)
    uncommitted = list_uncommitted(repo)
    for path, how in uncommitted.items():
        ids.pop(path, None)
        data = tree.read(path) if how is not EditKind.GONE else None
        if data is not None:
            ids[path] = repo.blob_id(data)
    glance = BlobGlance(tree, kit.resolve().name, kit, ids)
    return Side(None, glance, read_in_force(glance, repo), len(uncommitted))


def compare(repo: Repository, start: Side, end: Side, head: str) -> Difference:
    """Return how `end` differs from `start`; `head` is the newest commit that `end` knows of.

    Raises ReelError naming a file of either that cannot be read.
    """
    since = start.then.commit if start.then is not None else head
    commits = read_log(repo, tip=head, after=since)
    counter = get_tokenizer(end.glance.settings.tokenizer)
    held = [read_holdings(side.glance, MARKDOWN, lambda _: counter, side.ring0) for side in (start, end)]
    before, after = start.glance.ids, end.glance.ids
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    sizes = [{row.id: row.whole for row in one.memories.newest()} for one in held]
    tokens = [
        {**core_tokens(one.core, counter.count), "3": sum(size.values()), "4": one.lines.tokens}
        for one, size in zip(held, sizes, strict=True)
    ]
    return Difference(
        start=start.then,
        end=end.then,
        changes=len(commits),
        uncommitted=end.uncommitted,
        tape=_compare_tape(start.glance, end.glance, changed, commits),
        checkpoints=[path for path in end.glance.checkpoints if path not in before],
        memories=compare_memories(start.glance, end.glance, changed, commits, sizes),
        index=compare_index(start.glance, end.glance, commits),
        working=compare_working(start.glance, end.glance),
        ring0=compare_ring0(start.ring0, end.ring0, _ratifying(repo, since, head, commits)),
        exemplars=compare_exemplars(start.glance, end.glance, changed, commits),
        settings=compare_settings(start.glance, end.glance),
        tokens={ring: (tokens[0][ring], tokens[1][ring]) for ring in RINGS},
        kinds=compare_kinds(start.glance, end.glance, changed),
    )


def _ratifying(repo: Repository, since: str, head: str, commits: Sequence[Commit]) -> list[Commit]:
    """Return the commits in between that approved a text of ring 0, newest first."""
    touching = {commit.id for commit in read_log(repo, paths=["ring0/"], tip=head, after=since)}
    return [
        commit
        for commit in commits
        if commit.values(RATIFIED_BY)
        and (commit.id in touching or any(v.startswith("ring0/") for v in commit.values(RATIFIED)))
    ]


def _moved(start: Snapshot, end: Snapshot, touched: Sequence[str]) -> Mapping[str, str]:
    """Return the old names of renamed sessions by their new names: those that begin alike."""
    known = {begin: s for s in touched if s in start.sessions and (begin := _beginning(start, s))}
    return {s: known[begin] for s in touched if known.get(begin := _beginning(end, s), s) != s}


def _beginning(side: Snapshot, session: str) -> tuple[str, ...]:
    """Return the first messages of a session, with speaker and time."""
    said = [entry.message for entry in read_session(side, session).entries if entry.number is not None]
    return tuple(f"{one.role} {one.time} {one.text}" for one in said[:2])


def _compare_tape(start: Snapshot, end: Snapshot, changed: set[str], commits: Sequence[Commit]) -> Tape:
    before, after = set(start.sessions), set(end.sessions)
    touched = [session for session in end.sessions if session_path(session) in changed]
    counts = count_said(end, touched)
    moved = _moved(start, end, touched) if any(commit.values(RENUMBERED) for commit in commits) else {}
    names = {s: moved.get(s, s) for s in touched if s in moved or s not in moved.values()}
    known = count_said(start, [names[s] for s in touched if names.get(s) in before])
    gone, now_gone = retracted(start), retracted(end)
    known_purges, purges = count_purged(start), count_purged(end)
    purged = [purges[key] for key in sorted(purges.keys() - known_purges.keys())]
    return Tape(
        sessions=[Grown(s, 0, counts[s]) for s in touched if names.get(s) not in before],
        grown=[
            Grown(s, known[was], counts[s], was if was != s else "")
            for s in touched
            if (was := names.get(s, "")) in before
        ],
        retracted=sorted(now_gone - gone - {session for session, _ in purged}),
        reinstated=sorted((gone - now_gone) & after),
        corrections=sum(map(len, corrections(end).values())) - sum(map(len, corrections(start).values())),
        grown_up=find_transition(start) is None and find_transition(end) is not None,
        purged=purged,
    )
