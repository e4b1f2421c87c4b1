"""Selection of the shelf's files to put away now, and of those that stay all the same (MEMORY-MGMT §8)."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.features.shelf.advice.advice import COMPRESS, LEAVE, SUMMARIZE, LetGo
from reel_cli.features.shelf.advice.files import read_cold
from reel_cli.features.shelf.advice.plan import judge_files
from reel_cli.features.shelf.advice.policy import TAG, AdviceOutcome, Decision, must_keep
from reel_cli.features.shelf.collecting.auto_summaries import draft_unaided
from reel_cli.features.shelf.collecting.policy import (
    Mark,
    Room,
    Row,
    Trigger,
    WaitingFile,
    idle,
    press,
    room_for,
    taken_by,
)
from reel_cli.features.shelf.collecting.rows import KeptRow, rows_of
from reel_cli.features.shelf.files import read_file
from reel_cli.features.shelf.holdings import spoken_of
from reel_cli.features.shelf.shelf_file import SHELF, ShelfFile
from reel_cli.features.shelf.summaries.due import holds_text
from reel_cli.features.shelf.summaries.files import Sources, fresh_summary, read_summaries, read_summary
from reel_cli.features.shelf.summaries.plan import Draft, place_of

NEEDS_SUMMARY = frozenset({SUMMARIZE, COMPRESS})
"""The actions after which only a summary stands for a file."""


@dataclass(frozen=True, slots=True)
class Marks:
    """The files to put away, those that wait, and those that were advised and stay.

    `advised` are the entries of `cold.yml` by path; `done` those that need nothing any more; `memories` how
    many of them are about memories, which are let go of elsewhere. `room` is what there is before, in tokens.
    """

    marks: Sequence[Mark]
    waiting: Sequence[WaitingFile]
    stays: Sequence[Decision]
    room: Room
    advised: Mapping[str, LetGo]
    summaries: Mapping[str, str]
    """The kit path of the fresh summary that replaces a file, by the path of the file."""
    files: Sequence[str] = ()
    """Files at hand before it."""
    loaded: Sequence[Row] = ()
    """Rows hot enough for a bundle before it."""
    done: Sequence[str] = ()
    asked: bool = False
    """True if the advice was to put things away soon."""
    memories: int = 0
    trigger: Trigger = Trigger.EXPLICIT
    drafts: Mapping[str, Draft] = field(default_factory=dict)
    """The summaries that are made in the same step, without a model, by the path of the file that goes."""

    @property
    def left(self) -> int:
        """Return how many tokens of the files hot enough for a bundle stay."""
        gone = {one.path for one in self.marks}
        return self.room.taken - sum(row.tokens for row in self.loaded if row.path in gone)

    @property
    def freed(self) -> int:
        """Return how many tokens go; a summary that comes to hand in a file's place stays."""
        return sum(one.tokens - min(one.left, one.tokens) for one in self.marks)


def mark_files(  # noqa: PLR0913 (the kit, what is kept of its shelf, and how much is wanted)
    snapshot: Snapshot,
    kept: Sequence[KeptRow],
    *,
    kit: Path | None,
    budget: int | None = None,
    pending: Sequence[str] = (),
    glance: Snapshot | None = None,
) -> Marks:
    """Decide what of the shelf is to go: what stands as advised, what is idle, and more where room is wanted.

    `budget` is how many tokens may be at hand after it, None for the kit's own measure: 80 % of the shelf's
    share. Nothing is changed. Raises ReelError where a manifest cannot be read.
    """
    settings = snapshot.settings
    most = room_for(settings.shelf_share, settings.cap) if budget is None else budget
    rows = rows_of(snapshot, kept, pending)
    tokens = {one.path: one.tokens for one in kept}
    cold = read_cold(snapshot)
    advised = {one.path: one for one in cold.evict if one.path.startswith(f"{SHELF}/")}
    files = _files(snapshot, advised)
    decisions, _ = judge_files(snapshot, files, pending, glance)
    marks, stays, done = [], [], []
    for path, file in files.items():
        decision = decisions.get(path)
        if decision is None:
            continue
        if file.in_history or (not file.working and _action(file, advised[path].action) == LEAVE):
            done.append(path)
        elif decision.lets_go:
            why = advised[path].why or decision.reason
            marks.append(Mark(path, _action(file, decision.action), why, tokens.get(path, 0), Trigger.ADVICE))
        else:
            stays.append(decision)
    told, waiting, summaries, drafts = _with_summaries(snapshot, kit, files, marks)
    # postponed advice does not keep a file from leaving for other reasons
    settled = {one.path for one in told}
    wait = {one.path for one in waiting}
    rows = [row._replace(waits=row.path in wait) for row in rows] if wait else rows
    settled |= {one.path for one in stays if one.taken is AdviceOutcome.OVERRIDDEN}
    free = [row for row in rows if row.path not in settled]
    free = _may_go(snapshot, kept, free, pending, glance)
    idle_ones = list(idle(free, settings.shelf_idle, settings.shelf_idle_turns))
    gone = frozenset(one.path for one in (*told, *idle_ones))
    held = {row.path for row in rows} - {row.path for row in free}
    pressed = press([row._replace(pinned=row.pinned or row.path in held) for row in rows], most, gone)
    marks = [*told, *idle_ones, *pressed]
    return Marks(
        marks,
        waiting,
        stays,
        Room(most, taken_by(rows)),
        advised,
        summaries,
        [row.path for row in rows],
        [row for row in rows if row.loads],
        done,
        cold.trigger_gc,
        sum(bool(MEMORY_ID.search(one.path)) for one in cold.evict if one.path not in advised),
        _trigger(marks, asked=cold.trigger_gc),
        drafts,
    )


def _trigger(marks: Iterable[Mark], *, asked: bool) -> Trigger:
    if any(one.trigger is Trigger.BUDGET for one in marks):
        return Trigger.BUDGET
    return Trigger.ADVICE if asked else Trigger.EXPLICIT


def _files(snapshot: Snapshot, paths: Iterable[str]) -> dict[str, ShelfFile]:
    found = {path: read_file(snapshot, path) for path in paths}
    return {path: file for path, file in found.items() if file is not None}


def _action(file: ShelfFile, action: str) -> str:
    """Return the action that is possible for a file: a watched one stays where it is."""
    return LEAVE if file.watched is not None and action not in NEEDS_SUMMARY else action


def _with_summaries(
    snapshot: Snapshot, kit: Path | None, files: Mapping[str, ShelfFile], marks: Iterable[Mark]
) -> tuple[list[Mark], list[WaitingFile], dict[str, str], dict[str, Draft]]:
    """Return those that can go now, those that wait for a summary, and the summary of each file.

    Last are the summaries that can be made at once, without a model.
    """
    go: list[Mark] = []
    waiting: list[WaitingFile] = []
    told: dict[str, str] = {}
    drafts: dict[str, Draft] = {}
    known = None
    for mark in marks:
        if mark.action not in NEEDS_SUMMARY:
            go.append(mark)
            continue
        known = read_summaries(snapshot) if known is None else known
        file = files[mark.path]
        if not holds_text(snapshot, file):
            go.append(mark._replace(action=LEAVE, why=f"{mark.why} (no text that could be summed up)"))
            continue
        summary = fresh_summary(snapshot, file, Sources(snapshot, kit, {file.path: file}), known)
        if summary is not None:
            told[mark.path] = summary.path
            go.append(_leaving(snapshot, mark, read_summary(snapshot, summary.path).body))
        elif (draft := draft_unaided(snapshot, kit, file, mark.why)) is not None:
            drafts[mark.path] = draft
            told[mark.path] = place_of(known, draft)[0]
            go.append(_leaving(snapshot, mark, draft.body.strip("\n")))
        else:
            old = bool(file.summarized_in)
            why = "its summary is of an earlier version" if old else "it has no summary yet"
            waiting.append(WaitingFile(mark.path, mark.action, why))
    return go, waiting, told, drafts


def _leaving(snapshot: Snapshot, mark: Mark, body: str) -> Mark:
    """Return a mark with the tokens of the summary that comes in the file's place, where one does."""
    if mark.action != COMPRESS:
        return mark
    return mark._replace(left=get_tokenizer(snapshot.settings.tokenizer).count(body))


def _may_go(
    snapshot: Snapshot,
    kept: Iterable[KeptRow],
    rows: Sequence[Row],
    pending: Sequence[str],
    glance: Snapshot | None,
) -> list[Row]:
    """Return the rows that may go: no pin, no rule of kit.yaml, no mention in talks."""
    rules = snapshot.settings.shelf_keep
    by_path = any(not pattern.startswith(TAG) for patterns in rules.values() for pattern in patterns)
    about = {one.path: one for one in kept}
    talk = fold("\n".join(spoken_of(snapshot))) if rows else ""
    free: list[Row] = []
    named: dict[str, Row] = {}
    for row in rows:
        if row.pinned:
            continue
        one = about[row.path]
        if (one.tags or one.reads_as or by_path) and must_keep(row.path, one.tags, rules, one.reads_as):
            continue
        if talk and any(name in talk for name in one.names):
            named[row.path] = row
        free.append(row)
    if not named:
        return free
    _, known = judge_files(snapshot, _files(snapshot, named), pending, glance)
    stay = {path for path, told in known.items() if told.noted or told.referenced}
    return [row for row in free if row.path not in stay]
