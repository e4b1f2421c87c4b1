"""Purge: what was said is gone, out of every file and out of all of history; nothing brings it back."""

import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reel_cli.core.change.chain import render_signature
from reel_cli.core.change.recovery import recover_locked
from reel_cli.core.change.transaction import unbroken
from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files import front_matter
from reel_cli.core.files.exemplar_file import parse_active, parse_exemplar
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.private import storage_problem
from reel_cli.core.files.yaml_text import parse_mapping
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.lock import hold_lock
from reel_cli.core.git.process import Git
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import ACTIVE, EVENTS, INDEX, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.erasure.fingerprint import Fingerprint
from reel_cli.core.tape.erasure.record import (
    EVENTS_NAME,
    PurgeRecord,
    next_purge_name,
    parse_purges,
    render_purge,
)
from reel_cli.core.tape.erasure.tombstones import cut_file
from reel_cli.core.tape.events_file import append_events, parse_events
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.change import Change
from reel_cli.core.values.talk import PURGED, Event, session_of
from reel_cli.features.purge.aim import (
    Aim,
    cut_of,
    own_names,
    prints_of,
    proposed_exchanges,
    rewriter,
    told_of,
)
from reel_cli.features.purge.leftovers import Leftovers, find_leftovers
from reel_cli.features.purge.new_history import FreshHistory
from reel_cli.features.purge.preflight import require_alone
from reel_cli.features.purge.scan import Trace, list_ignored, scan_files, scan_objects
from reel_cli.features.purge.survey import Survey, survey
from reel_cli.features.purge.swap import SwapResult, recover_purge_locked, swap

OP = "purge"


@dataclass(frozen=True, slots=True)
class PurgeResult:
    """The result of a purge.

    `gone` are bytes by session (or `events`) and block; `rewritten` how many of all `commits` were made
    anew. `left` are places where it still stands: not reel's to change, or edited meanwhile.
    """

    name: str
    commit: str
    gone: Mapping[str, Mapping[int, int]]
    rewritten: int
    commits: int
    prints: int
    kept: Sequence[str]
    left: Sequence[Trace]
    leftovers: Leftovers


def purge_kit(  # noqa: PLR0913 (whose history, what of it, and who says so when)
    snapshot: Snapshot,
    repo: Repository,
    kit: Path,
    aim: Aim,
    *,
    now: datetime,
    identity: tuple[str, str],
    waiting: Callable[[], None] | None = None,
) -> PurgeResult:
    """Delete it from every commit and every file, and prove that it is gone; all of it, or nothing happens.

    The history is made anew in a repository beside the kit's own, looked through there, and then takes its
    place. Raises StateError or ReelError, with nothing changed, where that cannot be done.
    """
    kit = kit.absolute()
    try:
        with hold_lock(kit, waiting=waiting) as lock:
            git = Git(repo.root, (lock,))
            recover_locked(repo, kit, git)
            recover_purge_locked(repo, kit, git)
            require_alone(repo)
            fresh = FreshHistory(repo, kit, lock, render_signature(identity, now))
            try:
                done = _Purge(snapshot, fresh, aim, now)
                done.build()
                intent = fresh.intent()
            except BaseException:
                fresh.discard()
                raise
            with unbroken():
                swapped = swap(repo, kit, git, intent)
    except OSError as error:
        raise storage_problem(error) from error
    left = [
        *scan_objects(repo, aim),
        *scan_files(kit, aim, list_ignored(repo)),
    ]
    wanted = None if aim.session else aim.wanted
    return done.told(swapped, left, find_leftovers(repo, kit, wanted, own_names(snapshot)))


@dataclass
class _Purge:
    """One purge on its way: what was on the tape, and what becomes of it."""

    snapshot: Snapshot
    fresh: FreshHistory
    aim: Aim
    now: datetime
    name: str = ""
    gone: Mapping[str, Mapping[int, int]] | None = None
    prints: Sequence[Fingerprint] = ()
    rewritten: int = 0
    commits: int = 0

    def build(self) -> None:
        """Make the new history, and prove it, beside the old one."""
        fresh, aim = self.fresh, self.aim
        fresh.begin(aim)
        with CommitTree(fresh.fresh, fresh.before) as tree:
            before = Snapshot(tree, self.snapshot.name)
            records = parse_purges(parse_events(before.read(EVENTS) or b"", EVENTS))
            self.name = next_purge_name(f"{self.now:%Y-%m-%d}", records)
            self.gone = dict(_gone(before, aim, self.name))
            self.prints = prints_of(self.snapshot, aim, secrets.token_hex(8))
            unreadable = _unreadable(before)
            lines = len(before.index.lines)
        made = fresh.rewrite(rewriter(aim, self.name), aim.wanted)
        self.commits = made.commits
        self.rewritten = _count_commits(fresh, made.names)
        with CommitTree(fresh.fresh, fresh.tip) as tree:
            after = Snapshot(tree, self.snapshot.name)
            spoilt = sorted(_unreadable(after) - unreadable)
            if spoilt or len(after.index.lines) < lines:
                _refuse_structure(spoilt[0] if spoilt else INDEX)
            fresh.commit(self._record(after))
        fresh.seal()
        for trace in scan_objects(fresh.fresh, aim):
            _refuse_structure(_called(fresh, trace))

    def _record(self, kit: Snapshot) -> Change:
        record = PurgeRecord(self.name, stamp(self.now), self.gone or {}, self.prints)
        sessions = [name for name in record.places if name != EVENTS_NAME]
        messages = sum(len(found) for name, found in record.places.items() if name != EVENTS_NAME)
        if self.aim.session:
            what = self.aim.words
        elif messages:
            said = "1 message" if messages == 1 else f"{messages:,} messages"
            where = sessions[0] if len(sessions) == 1 else f"{len(sessions):,} chats"
            what = f"a text, out of {said} of {where}"
        else:
            what = "a text"
        events = [render_purge(record)]
        if self.aim.session and self.aim.session not in retracted(kit):
            # nothing is left of the session: it is not due for a page, not found and not packed
            events.append(Event(0, "retract", record.at, "", self.aim.session))
        writes: dict[str, bytes | None] = {EVENTS: append_events(kit.read(EVENTS), events, EVENTS)}
        if self.aim.session:
            # a proposed example of which nothing is left cannot be accepted
            writes |= dict.fromkeys(proposed_exchanges(kit, self.aim.session))
        return Change(OP, what, writes, tuple(("Reel-Session", name) for name in sessions))

    def told(self, swapped: SwapResult, left: Sequence[Trace], leftovers: Leftovers) -> PurgeResult:
        """Return the result."""
        return PurgeResult(
            self.name,
            self.fresh.tip,
            self.gone or {},
            self.rewritten,
            self.commits,
            len(self.prints),
            swapped.kept,
            left,
            leftovers,
        )


def _gone(kit: Snapshot, aim: Aim, name: str) -> Sequence[tuple[str, Mapping[int, int]]]:
    """Return how many bytes go out of each block of the tape, by session."""
    found: list[tuple[str, Mapping[int, int]]] = []
    for path in kit.list("tape"):
        cut = cut_of(aim, name, path)
        if cut is None:
            continue
        try:
            gone = cut_file(kit.read(path) or b"", path, cut)[1]
        except StateError:
            continue
        if gone:
            found.append((session_of(path) or EVENTS_NAME, gone))
    return found


def _count_commits(fresh: FreshHistory, names: Mapping[str, str]) -> int:
    """Return how many commits of the kit's branch were rewritten."""
    return sum(commit in names for commit in fresh.git("rev-list", fresh.before).decode("ascii").split())


def _unreadable(kit: Snapshot) -> frozenset[str]:
    """Return the files that are unreadable, or, on the tape, not as they were recorded."""
    return frozenset(path for path in kit.list("") if not _is_readable(kit, path))


def _is_readable(kit: Snapshot, path: str) -> bool:
    try:
        if path == "kit.yaml":
            return (
                bool(kit.settings.name) and PURGED not in f"{kit.settings.timezone} {kit.settings.tokenizer}"
            )
        if path == EVENTS:
            return len(parse_events(kit.read(path) or b"", path)) >= 0 and _is_proven(kit, path)
        if session_of(path):
            return _is_proven(kit, path)
        if path.startswith("ring3/M-") and path.endswith(".md"):
            return bool(parse_memory(kit.text(path) or "", path).id)
        if path == ACTIVE:
            return all(slug in kit.exemplars for slug in parse_active(kit.text(path) or "", path).active)
        if path.startswith("ring1/") and path.endswith(".md"):
            return bool(parse_exemplar(kit.text(path) or "", path, later=True).slug)
        if path.endswith(".yaml"):
            parse_mapping(kit.text(path) or "", path)
        if path.endswith(".md") and (kit.read(path) or b"").startswith(b"---\n"):
            front_matter.split(kit.text(path) or "", path)
    except ReelError:
        return False
    return True


def _is_proven(kit: Snapshot, path: str) -> bool:
    return prove(kit.read(path) or b"", path).line is None


def _called(fresh: FreshHistory, trace: Trace) -> str:
    """Return a name for an object that still holds it: its present file, if there is one."""
    blob = trace.where.partition(" ")[2]
    with CommitTree(fresh.fresh, fresh.tip) as tree:
        return next((path for path, name in tree.ids.items() if name == blob), "an older version of a file")


def _refuse_structure(where: str) -> None:
    message = (
        f"Kit files are written with that text ({where} could not be read without it); nothing was changed."
    )
    raise ReelError(
        message, hint="give a longer text, with words around it, so that only what was said is meant"
    )


__all__ = ["PurgeResult", "Survey", "purge_kit", "survey", "told_of"]
