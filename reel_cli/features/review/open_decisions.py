"""Everything that waits for a person's decision: proposals, then edits by hand, which history shows."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Self

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.commit_message import plain_operation
from reel_cli.core.files.exemplar_file import parse_exemplar
from reel_cli.core.files.index_file import line_for, parse_index, put_lines, render_line
from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.yaml_text import render_flow, render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitStep, CommitTree
from reel_cli.core.git.history import SESSION_FILE
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.approved_rings import POOL_FILE, ApprovalHistory, note_approvals
from reel_cli.core.kit.hand_edits import BY_HAND, EditKind, Step, list_uncommitted, read_steps
from reel_cli.core.kit.head_note import HistoryNote
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, EVENTS, IDENTITY, INDEX, Snapshot
from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.values.memory import IndexLine, Memory, memory_path
from reel_cli.features.review.proposals import Kind, WaitingProposal, list_proposals

LEAVINGS = ("~", ".swp", ".tmp", ".bak")
RING_0 = {IDENTITY: "the identity", DIRECTIVES: "the rules"}
HAND_EDITS = {
    EditKind.CHANGED: "edited by hand",
    EditKind.NEW: "a new file",
    EditKind.GONE: "deleted by hand",
    EditKind.CONFLICT: "in conflict, as a merge left it",
}
_GREW_WRONG = "something was written behind a recorded chat by hand"


@frozen
class LineEdit:
    """A memory as its file has it, and its line as a person wrote it."""

    memory: Memory
    line: IndexLine

    @property
    def rendered(self) -> str:
        """Return the line as it follows from the file."""
        return render_line(line_for(self.memory))

    @property
    def given(self) -> str:
        """Return the line as it stands."""
        return render_line(self.line)


def edited_lines(
    snapshot: Snapshot, pairs: Iterable[tuple[bytes | None, bytes | None]]
) -> Sequence[LineEdit]:
    """Return the lines changed between any of these text pairs that do not follow from their files."""
    touched: set[str] = set()
    for before, after in pairs:
        old, new = _lines(before), _lines(after)
        touched.update(key for key in new if old.get(key) != new[key])
    now = _lines(snapshot.read("ring4/index.md"))
    found = []
    for memory_id in sorted(touched & now.keys()):
        path = memory_path(memory_id)
        if snapshot.read(path) is None:
            continue
        try:
            memory = parse_memory(snapshot.text(path) or "", path)
        except ReelError:
            # a broken file is reported elsewhere; nothing can be offered for it
            continue
        edit = LineEdit(memory, now[memory_id])
        if edit.line != line_for(memory):
            found.append(edit)
    return found


def with_lines(data: bytes, edits: Sequence[LineEdit], *, given: bool = False) -> bytes:
    """Return an index with these memories' lines as they follow from the files, or as `given`."""
    if not edits:
        return data
    text = data.decode("utf-8", "replace")
    known = parse_index(text).lines
    lines = [edit.line if given else line_for(edit.memory) for edit in edits if edit.memory.id in known]
    return put_lines(text, lines).encode()


def take_over(text: str, edit: LineEdit) -> str:
    """Return a memory's file with title, tags, immunity and anchor of the edited line."""
    line, memory = edit.line, edit.memory
    changes: dict[str, str | None] = {}
    if line.description and line.description != memory.title:
        changes["title"] = render_scalar(line.description)
    if line.tags != memory.tags:
        changes["tags"] = render_flow(line.tags)
    if line.immune != memory.immune:
        changes["immune"] = "yes" if line.immune else "no"
        changes["immune_reason"] = "by hand, in the index" if line.immune else None
    if line.anchor != memory.anchor:
        changes["anchor"] = render_scalar(line.anchor)
    return front_matter.set_fields(text, changes, memory_path(memory.id))


def _lines(data: bytes | None) -> Mapping[str, IndexLine]:
    return parse_index((data or b"").decode("utf-8", "replace")).lines


def list_waiting(
    snapshot: Snapshot, repo: Repository | None, uncommitted: Mapping[str, EditKind] | None = None
) -> Sequence[WaitingProposal]:
    """Return everything that waits for a person's decision: proposals first, then edits by file.

    A kit that is not under git has no edits, for there is nothing to hold it against. `uncommitted`
    is what `list_uncommitted` says, where that is known already.
    """
    proposals = list_proposals(snapshot)
    if repo is None:
        return proposals
    told = list_uncommitted(repo) if uncommitted is None else uncommitted
    own = {path: how for path, how in told.items() if is_own(path, how)}
    with _History(snapshot, repo, own) as history:
        found = [*_ring_0(history), *_pool(history), *_tape(history)]
        lines = [_line(history, edit) for edit in history.lines]
        covered = {w.path for w in (*proposals, *found)}
        rest = [w for path in history.uncommitted if path not in covered and (w := _hand(history, path))]
    return [*proposals, *found, *lines, *rest]


def list_tampered(snapshot: Snapshot, repo: Repository) -> Sequence[WaitingProposal]:
    """Return changes of the tape other than growth, committed or not; part of `list_waiting`."""
    own = {path: how for path, how in list_uncommitted(repo).items() if is_own(path, how)}
    with _History(snapshot, repo, own) as history:
        return [one for one in _tape(history) if one.kind is Kind.TAPE]


class _History:
    """The history that the kit's edits are compared with, each part read when it is first needed."""

    def __init__(self, snapshot: Snapshot, repo: Repository, uncommitted: Mapping[str, EditKind]) -> None:
        self.snapshot = snapshot
        self.repo = repo
        self.uncommitted = uncommitted
        self.head = repo.head()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        tree = self.__dict__.get("tree")
        if tree is not None:
            tree.close()

    @cached_property
    def tree(self) -> CommitTree | None:
        return CommitTree(self.repo, self.head) if self.head else None

    def committed(self, path: str) -> bytes | None:
        return self.tree.read(path) if self.tree else None

    def blob(self, blob: str | None, path: str) -> bytes | None:
        return None if blob is None or self.tree is None else self.tree.read_blob(blob, path)

    def blob_id(self, data: bytes | None) -> str | None:
        return None if data is None else self.repo.blob_id(data)

    @cached_property
    def steps(self) -> Mapping[str, Sequence[Step]]:
        """Return the steps of the tape and the index that nobody vouched for, newest first."""

        def read() -> Mapping[str, list[list[object]]]:
            found = read_steps(self.repo, ("tape/", INDEX))
            return {
                path: [[one.commit, one.before, one.after, one.vouched, one.op] for one in by_hand]
                for path, steps in found.items()
                if (by_hand := [step for step in steps if not step.vouched])
            }

        def holds(_: object, step: CommitStep) -> bool:
            # reel vouches for its own commits, but for those of a person's edits
            return plain_operation(step.message.decode("utf-8", "replace")) not in ("", BY_HAND)

        noted = HistoryNote("steps by hand", read, holds=holds).recall(self.kit, self.repo)
        return {path: [Step(*one) for one in steps] for path, steps in noted.items()}  # type: ignore[arg-type]

    @cached_property
    def approvals(self) -> ApprovalHistory:
        return note_approvals(self.kit, self.repo)

    @property
    def kit(self) -> Path:
        return self.repo.root / self.repo.prefix

    @cached_property
    def lines(self) -> Sequence[LineEdit]:
        """Return the edited lines of memories, committed by hand or not at all."""
        pairs = [
            (self.blob(step.before, INDEX), self.blob(step.after, INDEX))
            for step in self.steps.get(INDEX, ())
            if step.before is not None and step.after is not None
        ]
        if INDEX in self.uncommitted:
            pairs.append((self.committed(INDEX), self.snapshot.read(INDEX)))
        return edited_lines(self.snapshot, pairs) if pairs else ()


def is_own(path: str, how: EditKind) -> bool:
    """Return whether a file is one that reel keeps, and not an editor's temporary file beside it."""
    folder, _, name = path.rpartition("/")
    if how is EditKind.NEW and folder and (name.startswith(".") or name.endswith(LEAVINGS)):
        return False
    file = find_kit_file(path)
    return file is not None and file.by_hand


def _ring_0(history: _History) -> list[WaitingProposal]:
    if history.approvals.commit is None:
        return []
    held = history.approvals.ring0
    found = []
    for path, what in RING_0.items():
        try:
            after = history.snapshot.read(path)
        except ReelError as error:
            found.append(_unreadable(history, path, error))
            continue
        if history.blob_id(after) == held.get(path):
            continue
        before, committed = history.blob(held.get(path), path), history.committed(path)
        how = "deleted" if after is None else "edited" if before is not None else "written"
        by = "by hand, and committed" if committed == after else "by hand"
        why = "not approved yet: chats still begin with the text you approved last"
        told = f"{what} {'was' if path == IDENTITY else 'were'} {how} {by}"
        found.append(WaitingProposal(path, Kind.RING0, told, why, path, before, after, committed))
    return found


def _pool(history: _History) -> list[WaitingProposal]:
    found = []
    for path, approved in sorted(history.approvals.ring1.items()):
        try:
            after = history.snapshot.read(path)
        except ReelError as error:
            found.append(_unreadable(history, path, error))
            continue
        if approved is None or history.blob_id(after) == approved:
            continue
        before = history.blob(approved, path)
        committed = history.committed(path)
        by = "by hand, and committed" if committed == after else "by hand"
        gone = after is None
        if path == ACTIVE:
            kind, what = Kind.ROTATION, f"the list of examples to show was {'deleted' if gone else 'edited'}"
        else:
            how = "taken out of the pool" if gone else "edited"
            kind, what = Kind.POOL, f'the example "{_title(before, path)}" was {how}'
        why = "not approved yet: chats still begin with the text you approved last"
        found.append(WaitingProposal(path, kind, f"{what} {by}", why, path, before, after, committed))
    return found


def _title(data: bytes | None, path: str) -> str:
    try:
        return parse_exemplar((data or b"").decode(), path, later=True).title
    except (ReelError, UnicodeDecodeError):
        return path


def _tape(history: _History) -> list[WaitingProposal]:
    paths = {p for p in (*history.uncommitted, *history.steps) if p == EVENTS or SESSION_FILE.fullmatch(p)}
    return [w for path in sorted(paths) if (w := _tampered(history, path))]


def _tampered(history: _History, path: str) -> WaitingProposal | None:
    """Return what was done to a tape file other than appending; None if it only grew."""
    steps = history.steps.get(path, ())
    if path not in history.uncommitted and not steps:
        return None
    try:
        now = history.snapshot.read(path)
    except ReelError as error:
        return _unreadable(history, path, error)
    committed = history.committed(path)
    edits = [(history.blob(step.before, path), history.blob(step.after, path)) for step in reversed(steps)]
    if path in history.uncommitted:
        edits.append((committed, now))
    for before in _recorded(edits):
        if now is None or not now.startswith(before):
            how = "deleted" if now is None else "changed"
            by = "by hand, and committed" if committed == now else "by hand"
            why = "the tape only ever grows, so this cannot be accepted"
            name = "what was noted on the tape" if path == EVENTS else f"chat {path[10:-3]}"
            what = f"{name} was {how} {by}"
            return WaitingProposal(path, Kind.TAPE, what, why, path, before, now, committed)
    if path in history.uncommitted and now is not None and verify_chain(now, path) is not None:
        what = "a file that reel did not record lies on the tape" if committed is None else _GREW_WRONG
        why = "what is not in the tape's own form cannot be read back"
        return WaitingProposal(path, Kind.TAPE, what, why, path, committed, now, committed)
    return None


def _recorded(edits: Iterable[tuple[bytes | None, bytes | None]]) -> list[bytes]:
    """Return the texts that edits found, oldest first, without those that an earlier edit altered."""
    found: list[bytes] = []
    made: set[bytes] = set()
    for before, after in edits:
        if before is not None and before not in made:
            found.append(before)
        if after is not None and found and not after.startswith(found[-1]):
            made.add(after)
    return found


def _line(history: _History, edit: LineEdit) -> WaitingProposal:
    why = "a memory's file is the truth, so the edit is offered to the file"
    if edit.line.anchor != edit.memory.anchor and not _was_said(history.snapshot, edit):
        why += "; the phrase was not said like that in what it remembers"
    return WaitingProposal(
        edit.memory.id,
        Kind.LINE,
        f'the line of "{edit.memory.title}" in the index was edited by hand',
        why,
        INDEX,
        f"{edit.rendered}\n".encode(),
        f"{edit.given}\n".encode(),
        history.committed(INDEX),
        line=edit,
    )


def _was_said(snapshot: Snapshot, edit: LineEdit) -> bool:
    """Return whether the line's phrase is on the tape within the memory's source."""
    from reel_cli.core.evidence.phrases import Tape
    from reel_cli.core.tape.tape_view import read_session

    for span in edit.memory.source:
        try:
            shown = read_session(snapshot, span.session).shown()
        except ReelError:
            continue
        inside = [e for e in shown if not span.last or span.first <= (e.number or 0) <= span.last]
        if Tape(inside).find(edit.line.anchor):
            return True
    return False


def _hand(history: _History, path: str) -> WaitingProposal | None:
    how = history.uncommitted[path]
    if path.startswith("review/") and how is not EditKind.GONE and path.endswith(".md"):
        return None
    committed = before = history.committed(path)
    try:
        after = history.snapshot.read(path)
    except ReelError as error:
        return _unreadable(history, path, error)
    if path == INDEX and before is not None and after is not None:
        before, after = (with_lines(data, history.lines) for data in (before, after))
    if before == after:
        return None
    what, why = HAND_EDITS[how], "not committed yet"
    if before is None and POOL_FILE.fullmatch(path) and history.approvals.commit is not None:
        why = "not approved yet: chats begin without it"
    return WaitingProposal(path, Kind.HAND, what, why, path, before, after, committed)


def _unreadable(history: _History, path: str, error: ReelError) -> WaitingProposal:
    what = "a file that cannot be read"
    return WaitingProposal(path, Kind.BROKEN, what, error.message, path, history.committed(path))
