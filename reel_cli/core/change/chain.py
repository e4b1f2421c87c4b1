"""Chains of changes, one commit each on the one before, written before any branch names them."""

from collections.abc import Mapping, Sequence
from dataclasses import field
from datetime import datetime
from pathlib import Path

from reel_cli.core.change.preflight import Plan, plan_targets
from reel_cli.core.errors import StateError
from reel_cli.core.files.commit_message import GONE, RATIFIED, RATIFIED_BY, TOLD_ALONE, render_message
from reel_cli.core.frozen import frozen, mutable
from reel_cli.core.git.index import StagedChange
from reel_cli.core.git.intent import StagedEntry, Target
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.objects import NewObjects, clean_name, render_commit
from reel_cli.core.git.storage.trees import Trees
from reel_cli.core.values.change import Change

BY_HAND = Change("edit", "by hand", {})


@frozen
class Link:
    """The result of one change: its commit (the one before, if there was nothing to commit).

    `by_hand` is the commit before it that holds the person's own edits of its files, `edited` names these.
    """

    commit: str | None
    by_hand: str | None = None
    edited: tuple[str, ...] = ()


@mutable
class _Path:
    """One path through the whole chain: as it was found, and as the last change leaves it."""

    first: Plan
    last: Plan
    made_anew: bool = False
    """True if it was deleted on the way, so that nothing of the old file continues."""

    def target(self) -> Target:
        mode = self.last.mode if self.first.staged is None or self.made_anew else self.first.staged.mode
        return Target(self.first.path, self.first.old_id, self.last.new_id, mode, self.first.staged, None)


@mutable
class Chain:
    """The building of the commits; `trees` begin as those of `tip`, and the objects gather in `objects`.

    `snapshot` is what the disk holds at the targets; `staged` how the person's index differs from `tip`.
    """

    repo: Repository
    kit: Path
    tip: str | None
    trees: Trees
    objects: NewObjects
    snapshot: Mapping[str, bytes | None]
    staged: Mapping[str, StagedChange]
    signature: str
    paths: dict[str, _Path] = field(default_factory=dict)

    def add(self, change: Change) -> Link:
        """Commit one change on top; StateError where a target is not fit for it."""
        plans = plan_targets(
            self.repo,
            self.kit,
            change,
            {path: self._now(path) for path in change.writes},
            {path: self.trees.entry(self.repo.prefix + path) for path in change.writes},
            self.staged,
            {path for path in change.writes if path in self.paths},
        )
        whole = ratifying(change, plans)
        told = any(key in TOLD_ALONE for key, _ in change.trailers)
        if all(plan.settled for plan in plans) and whole is change and not told:
            for plan in plans:
                self._keep(plan)
            return Link(self.tip)
        theirs = [plan for plan in plans if plan.by_hand or (plan.path in change.as_found and plan.differs)]
        by_hand = None
        if theirs:
            by_hand = self._commit(BY_HAND, {plan.path: plan.entry(plan.old_id) for plan in theirs})
        for plan in plans:
            for data, blob in ((plan.new, plan.new_id), (plan.old if plan.by_hand else None, plan.old_id)):
                there = plan.committed is not None and plan.committed.blob == blob
                if data is not None and blob is not None and not there:
                    self.objects.add("blob", data, blob)
            self._keep(plan)
        made = self._commit(whole, {plan.path: plan.entry(plan.new_id) for plan in plans})
        return Link(made, by_hand, tuple(plan.path for plan in theirs))

    def targets(self) -> tuple[Target, ...]:
        """Return a target for every path, from the file on disk to what the last change leaves."""
        return tuple(path.target() for path in self.paths.values())

    def _now(self, path: str) -> bytes | None:
        return self.paths[path].last.new if path in self.paths else self.snapshot.get(path)

    def _keep(self, plan: Plan) -> None:
        known = self.paths.get(plan.path)
        if known is None:
            self.paths[plan.path] = _Path(plan, plan, plan.new is None)
        else:
            known.last = plan
            known.made_anew = known.made_anew or plan.new is None

    def _commit(self, change: Change, entries: Mapping[str, StagedEntry | None]) -> str:
        at_root = {self.repo.prefix + path: entry for path, entry in entries.items()}
        for path, entry in at_root.items():
            self.trees.set(path, entry)
        tree = self.trees.write(at_root)
        message = render_message(change)
        self.tip = self.objects.add("commit", render_commit(tree, self.tip, self.signature, message))
        return self.tip


def render_signature(identity: tuple[str, str], when: datetime) -> str:
    """Return `Name <mail> seconds zone` as git writes it; raises StateError if the name or mail is empty."""
    name, mail = map(clean_name, identity)
    if not name or not mail:
        message = "A commit needs a name and a mail."
        raise StateError(message, hint="write  author: Your Name <mail>  in kit.yaml")
    moment = when.astimezone() if when.tzinfo is None else when
    return f"{name} <{mail}> {int(moment.timestamp())} {moment.strftime('%z')[:5]}"


def ratifying(change: Change, plans: Sequence[Plan]) -> Change:
    """Return the change; if it approves a text that history already has, with a trailer that names it."""
    if all(key != RATIFIED_BY for key, _ in change.trailers):
        return change
    there = [(RATIFIED, f"{p.path} {p.new_id or GONE}") for p in plans if p.settled]
    return change.also({}, *there) if there else change
