"""Plan that puts cold files away: what goes, why, and how it comes back (MEMORY-MGMT §5, §8)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import NamedTuple

from reel_cli.core.files.commit_message import FORGOT, Forgotten, render_forgotten
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.rings.losses import ON_SHELF
from reel_cli.core.values.change import Change
from reel_cli.core.values.holdings import Counter
from reel_cli.features.shelf.advice.advice import ARCHIVE, COMPRESS, LEAVE, SUMMARIZE
from reel_cli.features.shelf.advice.plan import without_done
from reel_cli.features.shelf.collecting.files import archive_place, archived_page, superseded_page
from reel_cli.features.shelf.collecting.marks import Marks
from reel_cli.features.shelf.collecting.policy import DONE, Mark, Trigger, find_successor, is_failed
from reel_cli.features.shelf.collecting.session_log import SESSION_LOG, GcAction, GcReport, append_report
from reel_cli.features.shelf.files import read_file, read_shelf
from reel_cli.features.shelf.shelf_file import ShelfFile, sidecar_of, text_of
from reel_cli.features.shelf.sidecar_file import render_sidecar, set_collected, set_told_in
from reel_cli.features.shelf.summaries.files import read_summary
from reel_cli.features.shelf.summaries.plan import plan_summary
from reel_cli.features.shelf.survey import names_in_words, score

PUT_AWAY = {LEAVE: "aside", SUMMARIZE: "summary", ARCHIVE: "archive", COMPRESS: "compressed"}
"""The resolution of a collected file, by the action of the advice."""

OP = "gc"
REPORT = "Reel-GC"
"""The trailer: what set it off, how many files went, and how many tokens that freed."""


class Went(NamedTuple):
    """One file that goes: what becomes of it, where it is then, and what stands for it ("" for nothing)."""

    file: ShelfFile
    mark: Mark
    loss: Forgotten
    place: str
    summary: str = ""
    successor: str = ""
    postmortem: bool = False


@dataclass(frozen=True, slots=True)
class CollectionPlan:
    """The plan of a collection; `passed` are files that stay after all, each with the reason."""

    change: Change
    went: Sequence[Went]
    report: GcReport
    passed: Sequence[tuple[str, str]] = ()


def plan_collection(  # noqa: PLR0913 (the kit and its history, what is to go, and when)
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    marks: Marks,
    *,
    now: datetime,
    trigger: Trigger | None = None,
) -> CollectionPlan | None:
    """Return the plan to let go of the marked files, as they are now; None if none goes.

    The summaries that need no model are made with it. A file that changed in the meantime so that it must
    stay is passed over. Raises ReelError where a file cannot be read.
    """
    made, summaries, later = _summarize(snapshot, marks, now)
    work = _Work(later, repo, counter, stamp(now), replace(marks, summaries=summaries))
    for mark in marks.marks:
        work.let_go(mark)
    leaves_list = {one.file.path for one in work.went} | set(marks.done)
    if not work.went and not marks.done:
        return None
    writes: dict[str, bytes | None] = {
        **made.writes,
        **work.writes,
        **without_done(snapshot, leaves_list, now),
    }
    report = GcReport(
        (trigger or marks.trigger).value,
        stamp(now),
        [GcAction(one.file.path, DONE[one.mark.action], one.summary) for one in work.went],
        sum(one.loss.tokens_before - one.loss.tokens_after for one in work.went),
    )
    if work.went:
        writes[SESSION_LOG] = append_report(snapshot.text(SESSION_LOG) or "", report).encode()
    told = f"triggered_by={report.triggered_by} files={report.files_affected}"
    trailers = [*made.trailers, *((FORGOT, render_forgotten(one.loss)) for one in work.went)]
    trailers += [(REPORT, f"{told} tokens_freed={report.tokens_freed}"), ("Reel-Tokenizer", counter.name)]
    what = names_in_words([one.file for one in work.went])
    summary = f"{what} put away" if work.went else "what was put away is off the list"
    return CollectionPlan(Change(OP, summary, writes, tuple(trailers)), work.went, report, work.passed)


def _summarize(snapshot: Snapshot, marks: Marks, now: datetime) -> tuple[Change, Mapping[str, str], Snapshot]:
    """Return the change that makes the summaries due, the summary of each file, and the kit after it."""
    kit = snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None
    made, later = Change(OP, "", {}), snapshot
    summaries = dict(marks.summaries)
    for mark in marks.marks:
        draft = marks.drafts.get(mark.path)
        if draft is None or _stays(read_file(snapshot, mark.path), mark):
            continue
        planned = plan_summary(later, draft, kit=kit, now=now)
        later = later.after(planned.change)
        summaries[mark.path] = planned.summary.path
        made = replace(
            made,
            writes={**made.writes, **planned.change.writes},
            trailers=(*made.trailers, *planned.change.trailers),
        )
    return made, summaries, later


class _Work:
    """The files let go of so far, and what is to be written for it."""

    def __init__(self, snapshot: Snapshot, repo: Repository, counter: Counter, at: str, marks: Marks) -> None:
        self.snapshot, self.repo, self.counter, self.at = snapshot, repo, counter, at
        self.marks = marks
        self.writes: dict[str, bytes | None] = {}
        self.went: list[Went] = []
        self.passed: list[tuple[str, str]] = []
        self._shelf: list[str] | None = None

    def let_go(self, mark: Mark) -> None:
        """Remove one file by its action; for a watched one, only its page changes."""
        file = read_file(self.snapshot, mark.path)
        why = _stays(file, mark)
        if file is None or why:
            self.passed.append((mark.path, why))
            return
        if mark.action == LEAVE or not file.held:
            self._set_aside(file, mark)
        elif mark.action == ARCHIVE:
            self._archive(file, mark)
        else:
            self._summarized(file, mark)

    def _set_aside(self, file: ShelfFile, mark: Mark) -> None:
        """Set a file aside: it stays where it is, and its page says that it is in no bundle."""
        page, successor = self._marked(file, mark, working=False)
        self.writes[file.sidecar] = page.encode()
        # its bytes need not be kept in memory: nothing is made of them
        data = self.snapshot.tree.read(file.path) if file.held else None
        known = self.snapshot.read(file.sidecar)
        was = data if data is not None else known if known is not None else b""
        summary = self.marks.summaries.get(file.path, "")
        self._note(file, mark, was, mark.tokens, file.path, summary=summary, successor=successor)

    def _archive(self, file: ShelfFile, mark: Mark) -> None:
        """Move a file and its page into the archive, under a free name."""
        data = self.snapshot.read(file.path) or b""
        place = archive_place(self.snapshot, file, self.writes)
        failed = is_failed(file, mark.why)
        page, successor = self._marked(file, mark, working=False)
        page = archived_page(page, file.path, failed=failed)
        for new in (place, sidecar_of(place)):
            # read so that the commit fails if something is put there meanwhile
            self.snapshot.read(new)
        self.writes |= {file.path: None, place: data, sidecar_of(place): page.encode()}
        if file.noted:
            self.snapshot.read(file.sidecar)
            self.writes[file.sidecar] = None
        self._note(file, mark, data, self._count(data), place, successor=successor, postmortem=failed)

    def _summarized(self, file: ShelfFile, mark: Mark) -> None:
        """Remove a file with a summary: history keeps it, and its page stays."""
        summary = self.marks.summaries[file.path]
        data = self.snapshot.read(file.path) or b""
        compress = mark.action == COMPRESS
        page, successor = self._marked(file, mark, working=compress)
        self.writes |= {file.path: None, file.sidecar: page.encode()}
        left = self.counter.count(read_summary(self.snapshot, summary).body) if compress else 0
        size = self._count(data)
        self._note(file, mark, data, size, file.path, left=left, summary=summary, successor=successor)

    def _note(  # noqa: PLR0913 (one file, what it was, and what is left of it)
        self,
        file: ShelfFile,
        mark: Mark,
        was: bytes,
        tokens: int,
        place: str,
        *,
        left: int = 0,
        summary: str = "",
        successor: str = "",
        postmortem: bool = False,
    ) -> None:
        after = PUT_AWAY[mark.action]
        loss = Forgotten(
            file.path, ON_SHELF, after, tokens, min(left, tokens), "", self.repo.blob_id(was), mark.why
        )
        self.went.append(Went(file, mark, loss, place, summary, successor, postmortem))

    def _marked(self, file: ShelfFile, mark: Mark, *, working: bool) -> tuple[str, str]:
        """Return a file's page with what became of it, and its successor ("" for none)."""
        successor = find_successor(file, mark.why, self._at_hand)
        page = set_collected(self._page(file), mark.action, self.at, working=working)
        told = self.marks.summaries.get(file.path, "")
        if told and told != file.summarized_in:
            summary = read_summary(self.snapshot, told)
            page = set_told_in(page, told, summary.created, summary.made_of(file.path))
        return superseded_page(page, file.path, successor), successor

    def _page(self, file: ShelfFile) -> str:
        text = self.snapshot.text(file.sidecar) if file.noted else None
        return (
            render_sidecar(file, score(file, self.snapshot.settings.idle_sessions)) if text is None else text
        )

    def _count(self, data: bytes) -> int:
        text = text_of(data)
        return self.counter.count(text) if text else 0

    def _at_hand(self) -> Sequence[str]:
        if self._shelf is None:
            gone = {one.path for one in self.marks.marks if one.action != LEAVE}
            self._shelf = [one.path for one in read_shelf(self.snapshot).values() if one.path not in gone]
        return self._shelf


def _stays(file: ShelfFile | None, mark: Mark) -> str:
    """Return why a file stays, as it is now; "" if it goes."""
    if file is None:
        return "it is no longer on the shelf"
    if file.trouble:
        return file.trouble
    if file.pin:
        return "it is pinned"
    if not file.working and mark.action == LEAVE:
        return "it is set aside already"
    return ""
