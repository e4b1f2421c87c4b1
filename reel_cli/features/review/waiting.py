"""Items that wait for a person's decision, each with what it would change."""

from collections.abc import Mapping, Sequence
from enum import StrEnum
from functools import cached_property
from typing import Self

from reel_cli.core.change.hand_edits import (
    Edited,
    Step,
    list_uncommitted,
    read_blobs,
    read_steps,
)
from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.suggested_words import find_replacement
from reel_cli.core.files import front_matter
from reel_cli.core.files.exemplar_file import parse_exemplar
from reel_cli.core.files.kit_files import find_kit_file
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.frozen import frozen
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import SESSION_FILE, ratified_commit
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.ring1 import POOL_FILE, approved_blobs
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, EVENTS, IDENTITY, INDEX, WORKING, Snapshot
from reel_cli.core.tape.blocks import verify_chain
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.features.review.index_lines import LineEdit, edited_lines, with_lines

LEAVINGS = ("~", ".swp", ".tmp", ".bak")
RING_0 = {IDENTITY: "the identity", DIRECTIVES: "the directives"}


HAND_EDITS = {
    Edited.CHANGED: "edited by hand",
    Edited.NEW: "a new file",
    Edited.GONE: "deleted by hand",
    Edited.CONFLICT: "in conflict, as a merge left it",
}


class Kind(StrEnum):
    """Kinds of item that wait, which decide what accepting takes."""

    IDENTITY = "identity"
    """Words suggested for ring 0."""
    EXEMPLAR = "exemplar"
    """An exchange suggested for the pool."""
    RING0 = "ring0"
    """An edit of ring 0 that is not in force."""
    POOL = "pool"
    """A removal from the pool, or an edit in it."""
    ROTATION = "rotation"
    """An edit of the list of exemplars to show."""
    TAPE = "tape"
    """A change of what was recorded, which no one can accept."""
    LINE = "line"
    """An edit of a memory's line in the index, offered to the memory's file."""
    CONTRADICTION = "contradiction"
    """Two items that contradict each other."""
    IMMUNITY = "immunity"
    """A memory that must stay, or need not any more."""
    CLOSING = "closing"
    """Notes that a page closes and nobody reviewed."""
    FACT = "fact"
    """Facts about the persona that nobody reviewed."""
    HANDED_IN = "handed-in"
    """A page, something to remember or advice, from a model's tool."""
    HAND = "hand"
    """Any other edit that is not committed."""
    BROKEN = "broken"
    """A proposal that cannot be read."""


NEED_A_NAME = frozenset({Kind.IDENTITY, Kind.RING0, Kind.POOL})


@frozen
class Waiting:
    """One thing that waits: what it is called, and the file it changes from `before` to `after`.

    For an edit, `before` is what was last vouched for, `committed` what the last commit has, and
    `after` what lies on the disk (None: no file). For a proposal, `after` is what accepting it would make.
    """

    item: str
    kind: Kind
    what: str
    why: str
    path: str
    before: bytes | None = None
    after: bytes | None = None
    committed: bytes | None = None
    proposal: Proposal | None = None
    line: LineEdit | None = None


def list_waiting(
    snapshot: Snapshot, repo: Repository | None, uncommitted: Mapping[str, Edited] | None = None
) -> Sequence[Waiting]:
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


def list_tampered(snapshot: Snapshot, repo: Repository) -> Sequence[Waiting]:
    """Return changes of the tape other than growth, committed or not; part of `list_waiting`."""
    own = {path: how for path, how in list_uncommitted(repo).items() if is_own(path, how)}
    with _History(snapshot, repo, own) as history:
        return [one for one in _tape(history) if one.kind is Kind.TAPE]


def find_waiting(waiting: Sequence[Waiting], name: str) -> Waiting:
    """Return one of them by its name or its file's; raises ReelError if none has it."""
    plain = name.removeprefix("./").rstrip("/")
    for names in ({w.item: w for w in waiting}, {w.path: w for w in reversed(waiting)}):
        for called in (plain, f"{plain}.md", plain.removesuffix(".md")):
            if called in names:
                return names[called]
    ends = [one for one in waiting if one.path == one.item and one.path.endswith(f"/{plain}")]
    if len(ends) == 1:
        return ends[0]
    if not waiting:
        message = f"Nothing waits for your word, so {name!r} does not either."
        raise ReelError(message)
    from difflib import get_close_matches

    near = get_close_matches(plain, [w.item for w in waiting], n=1)
    message = f"There is no {name!r} among what waits for your word."
    raise ReelError(message, hint=f"did you mean {near[0]}?" if near else "see what waits with  reel review")


# -- proposals --------------------------------------------------------------------------------


def list_proposals(snapshot: Snapshot) -> list[Waiting]:
    """Return the files in `review/`, in order of their names; includes unreadable ones."""
    found = []
    for path in snapshot.list("review"):
        if not path.endswith(".md"):
            continue
        try:
            found.append(_proposed(snapshot, parse_proposal(snapshot.text(path) or "", path), path))
        except ReelError as error:
            name = path.removeprefix("review/").removesuffix(".md")
            found.append(Waiting(name, Kind.BROKEN, "a suggestion that cannot be read", error.message, path))
    return found


def _proposed(snapshot: Snapshot, proposal: Proposal, path: str) -> Waiting:
    if proposal.sides:
        return _disagreeing(snapshot, proposal, path)
    if proposal.kind is ReviewKind.IMMUNITY:
        return _whole(snapshot, proposal, path)
    if proposal.kind is ReviewKind.HANDED_IN:
        from reel_cli.features.review.handed_in import tell_handed_in

        what, why = tell_handed_in(proposal)
        after = proposal.text.encode()
        return Waiting(proposal.id, Kind.HANDED_IN, what, why, path, None, after, proposal=proposal)
    if proposal.kind is ReviewKind.CLOSING:
        return _closing(snapshot, proposal, path)
    if proposal.kind is ReviewKind.FACT:
        return _facts(snapshot, proposal, path)
    name = snapshot.settings.name
    where = f"on the page of session {proposal.session}" if proposal.session else "by hand"
    if proposal.kind is ReviewKind.EXEMPLAR:
        what = f'an exchange worth showing again: "{proposal.title}"'
        after = proposal.text.encode()
        why = f"{where}: {one_line(proposal.why)}" if proposal.why else f"{name} chose it {where}"
        return Waiting(proposal.id, Kind.EXEMPLAR, what, why, path, None, after, proposal=proposal)
    before, after = None, proposal.text.encode()
    text = snapshot.text(IDENTITY)
    if text is not None:
        head = text[: len(text) - len(front_matter.split(text, IDENTITY).body)]
        body = text[len(head) :]
        exact = find_replacement(proposal.text, body)
        if exact is not None:
            before, after = text.encode(), (head + exact.apply(body)).encode()
    what = "a change to who the persona is on paper"
    why = f"{name} suggests it {where}"
    return Waiting(proposal.id, Kind.IDENTITY, what, why, path, before, after, proposal=proposal)


def _disagreeing(snapshot: Snapshot, proposal: Proposal, path: str) -> Waiting:
    from reel_cli.features.contradictions.find import stands, told_side

    before, after = (f"{told_side(side)}\n".encode() for side in proposal.sides)
    why = "both stay; say whether both may stand, or which holds now"
    if not all(stands(snapshot, side) for side in proposal.sides):
        why = "one of them reads otherwise by now, so it can be settled"
    what = "two things that are held do not agree"
    return Waiting(proposal.id, Kind.CONTRADICTION, what, why, path, before, after, proposal=proposal)


def _whole(snapshot: Snapshot, proposal: Proposal, path: str) -> Waiting:
    from reel_cli.features.fading.immunity import plan_word

    name = proposal.memory
    told = "must stay" if proposal.immune else "may fade after all"
    what = f"{proposal.title} ({name}) {told}"
    why = f"{snapshot.settings.name} says why: {one_line(proposal.text)}"
    before, after = snapshot.read(memory_path(name)), None
    try:
        change = plan_word(snapshot, name, proposal.text, immune=proposal.immune, tags=proposal.tags)
    except ReelError:
        why = "it is no longer there, so this can be dropped"
    else:
        after = change.writes.get(memory_path(name), before) if change is not None else before
        if change is None:
            why = "it is so already, so this can be dropped"
    return Waiting(proposal.id, Kind.IMMUNITY, what, why, path, before, after or before, proposal=proposal)


def _closing(snapshot: Snapshot, proposal: Proposal, path: str) -> Waiting:
    from reel_cli.core.files import working_file
    from reel_cli.features.page.proposals import closing_of

    text, wanted = snapshot.text(WORKING) or "", closing_of(proposal)
    closed = [item for item in working_file.read_items(text) if one_line(item.text) in wanted]
    after = working_file.apply_edit(text, working_file.Edit(closed=closed)) if closed else text
    where = f"on the page of session {proposal.session}"
    why = f"{snapshot.settings.name} closes them {where}, and nobody looked at it"
    if not closed:
        why = "none of them stands there any more, so this can be dropped"
    what = proposal.title
    return Waiting(
        proposal.id, Kind.CLOSING, what, why, path, text.encode(), after.encode(), proposal=proposal
    )


def _facts(snapshot: Snapshot, proposal: Proposal, path: str) -> Waiting:
    from reel_cli.core.kit.proposal_kind import find_proposal_kind

    told = find_proposal_kind(proposal).tell(snapshot, proposal)
    after = told.adds.encode()
    return Waiting(proposal.id, Kind.FACT, told.what, told.why, path, None, after, proposal=proposal)


# -- edits ------------------------------------------------------------------------------------


class _History:
    """The history that the kit's edits are compared with, each part read when it is first needed."""

    def __init__(self, snapshot: Snapshot, repo: Repository, uncommitted: Mapping[str, Edited]) -> None:
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
        return read_steps(self.repo, ("tape/", INDEX))

    @cached_property
    def approved(self) -> Mapping[str, str | None]:
        """Return the approved blob of each file of ring 1."""
        return approved_blobs(self.repo, self.head) if self.head else {}

    @cached_property
    def lines(self) -> Sequence[LineEdit]:
        """Return the edited lines of memories, committed by hand or not at all."""
        pairs = [
            (self.blob(step.before, INDEX), self.blob(step.after, INDEX))
            for step in self.steps.get(INDEX, ())
            if not step.vouched and step.before is not None and step.after is not None
        ]
        if INDEX in self.uncommitted:
            pairs.append((self.committed(INDEX), self.snapshot.read(INDEX)))
        return edited_lines(self.snapshot, pairs) if pairs else ()


def is_own(path: str, how: Edited) -> bool:
    """Return whether a file is one that reel keeps, and not an editor's temporary file beside it."""
    folder, _, name = path.rpartition("/")
    if how is Edited.NEW and folder and (name.startswith(".") or name.endswith(LEAVINGS)):
        return False
    file = find_kit_file(path)
    return file is not None and file.by_hand


def _ring_0(history: _History) -> list[Waiting]:
    commit = ratified_commit(history.repo)
    if commit is None:
        return []
    held = read_blobs(history.repo, commit, "ring0/")
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
        why = "not in force until you say so; the text ratified last is packed"
        told = f"{what} {'was' if path == IDENTITY else 'were'} {how} {by}"
        found.append(Waiting(path, Kind.RING0, told, why, path, before, after, committed))
    return found


def _pool(history: _History) -> list[Waiting]:
    found = []
    for path, approved in sorted(history.approved.items()):
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
            kind, what = Kind.ROTATION, f"the list of exemplars to show was {'deleted' if gone else 'edited'}"
        else:
            how = "taken out of the pool" if gone else "edited"
            kind, what = Kind.POOL, f'the exemplar "{_title(before, path)}" was {how}'
        why = "not approved yet: bundles still use the last approved text"
        found.append(Waiting(path, kind, f"{what} {by}", why, path, before, after, committed))
    return found


def _title(data: bytes | None, path: str) -> str:
    try:
        return parse_exemplar((data or b"").decode(), path).title
    except (ReelError, UnicodeDecodeError):
        return path


def _tape(history: _History) -> list[Waiting]:
    paths = {p for p in (*history.uncommitted, *history.steps) if p == EVENTS or SESSION_FILE.fullmatch(p)}
    return [w for path in sorted(paths) if (w := _tampered(history, path))]


def _tampered(history: _History, path: str) -> Waiting | None:
    """Return what was done to a tape file other than appending; None if it only grew."""
    try:
        now = history.snapshot.read(path)
    except ReelError as error:
        return _unreadable(history, path, error)
    by_hand = [s for s in reversed(history.steps.get(path, ())) if not s.vouched and s.before is not None]
    earlier = [history.blob(step.before, path) for step in by_hand]
    if path in history.uncommitted:
        earlier.append(history.committed(path))
    for before in earlier:
        if before is not None and (now is None or not now.startswith(before)):
            committed = history.committed(path)
            how = "deleted" if now is None else "changed"
            by = "by hand, and committed" if committed == now else "by hand"
            why = "the tape only ever grows, so this cannot be accepted"
            name = "what was noted on the tape" if path == EVENTS else f"session {path[10:-3]}"
            what = f"{name} was {how} {by}"
            return Waiting(path, Kind.TAPE, what, why, path, before, now, committed)
    if path in history.uncommitted and now is not None and verify_chain(now, path) is not None:
        committed = history.committed(path)
        what = "a file that reel did not record lies on the tape" if committed is None else _GREW_WRONG
        why = "what is not in the tape's own form cannot be read back"
        return Waiting(path, Kind.TAPE, what, why, path, committed, now, committed)
    return None


_GREW_WRONG = "something was written behind a recorded session by hand"


def _line(history: _History, edit: LineEdit) -> Waiting:
    why = "a memory's file is the truth, so the edit is offered to the file"
    if edit.line.anchor != edit.memory.anchor and not _was_said(history.snapshot, edit):
        why += "; the phrase was not said like that in what it remembers"
    return Waiting(
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


def _hand(history: _History, path: str) -> Waiting | None:
    how = history.uncommitted[path]
    if path.startswith("review/") and how is not Edited.GONE and path.endswith(".md"):
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
    if before is None and POOL_FILE.fullmatch(path) and ratified_commit(history.repo) is not None:
        why = "not approved yet: bundles leave it out"
    return Waiting(path, Kind.HAND, what, why, path, before, after, committed)


def _unreadable(history: _History, path: str, error: ReelError) -> Waiting:
    what = "a file that cannot be read"
    return Waiting(path, Kind.BROKEN, what, error.message, path, history.committed(path))
