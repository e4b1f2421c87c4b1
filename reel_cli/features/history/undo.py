"""Taking back reel's last change, and doing it again, each with a new change; nothing leaves history."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date
from itertools import takewhile

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, RATIFIED, RATIFIED_BY, UNDOES, list_undone
from reel_cli.core.files.exemplar_file import parse_exemplar
from reel_cli.core.files.ledger_file import DECISIONS, parse_entry
from reel_cli.core.files.review_file import parse_proposal
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import RING_0, SESSION_FILE, Commit, changed_files, read_log
from reel_cli.core.git.identity import author_identity
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.text_merge import merge_texts
from reel_cli.core.kit.hand_edits import BY_HAND
from reel_cli.core.kit.snapshot import ACTIVE, DIRECTIVES, EVENTS, IDENTITY, INDEX, WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import list_feature_files
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.talk import SESSION_ID
from reel_cli.features.history.log import read_words

PASSED_OVER = (None, "undo", "redo", "tape", "merge")
"""Operations that no undo takes back; None is a commit that reel did not make.

What a person noted on the tape (a mark, a retraction) stays, and prevents none.
"""
NEUTRAL = (*PASSED_OVER, BY_HAND)
"""Operations that no redo stops at: an edit is also committed just before the change of the same file."""
GROWING = ("tape/", "journal/")
CONFLICT = b"\0"
"""Returned in place of a file's bytes where two changes stand in the same place."""
NAMED = 4
"""Maximum number of texts named; more are counted."""
EDITED = {IDENTITY: "identity", DIRECTIVES: "rules", WORKING: "now", "kit.yaml": "settings"}
"""Words of `reel edit` for the texts it opens."""
BESIDE = ("journal/", "checkpoints/", "intake.yaml")
"""Folders of files, and a file, that a person does not read, told only where nothing else changed."""


class ChatStaysError(ReelError):
    """The refusal to undo a recording, which is taken back in another way; names its `session`.

    `grew` says that the recording only added messages to a chat that was there.
    """

    def __init__(self, session: str, *, grew: bool) -> None:
        """Say when the chat was, and how it is taken back."""
        day = day_in_words(date.fromisoformat(session[:10]))
        message = f"The last change recorded the chat of {day}; its words are kept in any case."
        if grew:
            message = (
                f"The last change only added messages to the chat of {day}; their words are kept in "
                "any case. Only the whole chat can be set aside."
            )
        super().__init__(message, hint=f"if it should not count:  reel tape retract {session}")
        self.session = session
        self.grew = grew


@dataclass(frozen=True, slots=True)
class Undo:
    """The change that takes one back, or does it again; `what` is that one in the log's words."""

    change: Change
    what: str
    again: tuple[str, ...]
    """Texts that are as they were before it, as a person calls them."""
    back: tuple[str, ...]
    """Those it took away, which are there again."""
    gone: tuple[str, ...]
    """Those it brought, which are out of the kit again."""

    def told(self) -> Sequence[str]:
        """Return what the undo does, one line a kind."""
        changed = "Changed again" if self.change.op == "redo" else "As before"
        kinds = ((self.back, "Back"), (self.again, changed), (self.gone, "Gone"))
        told = [f"{how}: {names_of_texts(texts)}." for texts, how in kinds if texts]
        if self.change.op != "redo" and any(text.startswith("the memory") for text in self.gone):
            told.append("The chat itself stays as it was recorded.")
        return told


def undo_last(repo: Repository, snapshot: Snapshot) -> Undo:
    """Plan to take back the last change not taken back yet.

    Raises ReelError where there is none, or it only let the tape grow.
    """
    return _describe(repo, snapshot, plan_undo(repo, snapshot))


def redo_last(repo: Repository, snapshot: Snapshot) -> Undo:
    """Plan to do again what was taken back last; ReelError where there is nothing to do again."""
    return _describe(repo, snapshot, plan_redo(repo, snapshot))


def _describe(repo: Repository, snapshot: Snapshot, change: Change) -> Undo:
    before = {path: snapshot.read(path) for path in change.writes}
    shown = [path for path in sorted(before) if not path.startswith(BESIDE)] or sorted(before)
    planned = snapshot.after(change)

    # a suggestion that was decided on again is not lost: its text is in the file that it became
    left = [p for p in shown if change.writes[p] is None]
    gone = [p for p in left if not p.startswith("review/")] if len(left) < len(shown) else left

    def call(paths: Iterable[str]) -> tuple[str, ...]:
        return tuple(call_file(snapshot, path, planned) for path in paths)

    undone = next(value for key, value in change.trailers if key == UNDOES)
    what = read_words(repo, snapshot, undone)
    if change.summary == BY_HAND:
        what = f"your edit of {names_of_texts(call(shown))}"
    return Undo(
        change,
        what,
        again=call(p for p in shown if before[p] is not None and change.writes[p] is not None),
        back=call(p for p in shown if before[p] is None),
        gone=call(gone),
    )


def call_file(before: Snapshot, path: str, after: Snapshot | None = None) -> str:
    """Return what a person calls the text of a file; its path where it has no other name."""
    name = before.settings.name
    called = {
        IDENTITY: f"who {name} is",
        DIRECTIVES: f"{name}'s rules",
        ACTIVE: "the choice of examples",
        WORKING: "where things stand",
        INDEX: "the list of what can be recalled",
        "facts.yaml": "the facts",
        "kit.yaml": "the settings",
    }
    return called.get(path) or _titled(before, path) or (after and _titled(after, path)) or path


def _titled(snapshot: Snapshot, path: str) -> str:
    """Return what kind of text this is, with its title; "" where it has none there."""
    kind, _, rest = path.rpartition("/")
    title = ""
    try:
        text = snapshot.text(path)
        if kind == "ring3" and (memory := snapshot.memories.get(rest.removesuffix(".md"))) is not None:
            title = memory.title
        elif kind == "ring1" and text is not None:
            title = parse_exemplar(text, path, later=True).title
        elif kind == "review" and text is not None:
            title = parse_proposal(text, path).title
    except ReelError:
        return ""
    names = {"ring3": "the memory", "ring1": "the example", "review": "the suggestion"}
    return f"{names[kind]} “{one_line(title, 80)}”" if title.strip() else ""


def plan_undo(repo: Repository, snapshot: Snapshot) -> Change:
    """Return the change that undoes reel's last one; asked again, the one before it.

    Later changes elsewhere in the same files stay. What stands on the tape stays, and so does the
    attention noted in the journal; a recording that was retracted is passed over. It can be applied only
    while nothing else is committed. Raises ReelError where there is nothing to take back, or where a later
    change stands in the same place.
    """
    tip = repo.head()
    log = read_log(repo, tip=tip)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    gone, passed = retracted(snapshot), list[str]()
    noted = ""
    # what recording writes beside the tape stays with it
    beside = (*GROWING, *(file.path for _, file in list_feature_files() if file.put_back))
    for commit in log:
        if commit.op in PASSED_OVER or commit.id in undone:
            stands = commit.op == "tape" and commit.id not in undone
            noted = noted or (commit.id if stands else "")
            continue
        if commit.op == "init":
            break
        if commit.op == "purge":
            message = "A purge cannot be undone, and reel undo does not go back beyond it."
            hint = "to bring back what was let go:  reel log --forgotten  ; to see the rest:  reel log"
            raise ReelError(message, hint=hint)
        changed = changed_files(repo, commit.id)
        if commit.op == BY_HAND and all(path.startswith(beside) for path in changed):
            # an edit of what only grows was decided on in review
            continue
        if not changed and commit.values(RATIFIED):
            raise _only_approved(snapshot, commit)
        sessions = _sessions(changed)
        if not gone.issuperset(sessions):
            grew = all(changed[path][0] is not None for path in changed if SESSION_FILE.fullmatch(path))
            raise _of_a_note(repo, noted, sessions[0]) if noted else ChatStaysError(sessions[0], grew=grew)
        if sessions and all(path.startswith(beside) for path in changed):
            passed += [one for one in reversed(sessions) if one not in passed]
            noted = ""
            continue
        change = _take_back(repo, snapshot, commit, changed)
        if change is not None:
            return replace(change, tip=tip)
    message, hint = "There is nothing left to undo.", "to see what was done:  reel log"
    if passed:
        which = "the chat that was" if len(passed) == 1 else f"the {len(passed)} chats that were"
        hint = f"to make {which} taken back count again:  reel tape retract {' '.join(passed)} --undo"
    raise ReelError(message, hint=hint)


def _only_approved(snapshot: Snapshot, commit: Commit) -> ReelError:
    """Return the error for a change that approved texts which were in history already."""
    paths = [value.rpartition(" ")[0] for value in commit.values(RATIFIED)]
    what = names_of_texts([call_file(snapshot, path) for path in paths])
    message = f"The last change approved {what} as it stood, and changed no text."
    word = next((EDITED[path] for path in paths if path in EDITED), "")
    return ReelError(message, hint=f"to change it:  reel edit {word}" if word else "to see it:  reel log")


def plan_redo(repo: Repository, snapshot: Snapshot) -> Change:
    """Return the change that does again what the last undo took back; asked again, the one before it.

    It can be applied only while nothing else is committed. Raises ReelError where nothing was taken back
    since reel's last change, or where a later edit stands in the same place.
    """
    tip = repo.head()
    log = read_log(repo, tip=tip)
    undone = list_undone((commit.id, commit.values(UNDOES)) for commit in log)
    for commit in log:
        if commit.op == "undo" and commit.id not in undone:
            changed = changed_files(repo, commit.id)
            of_chat = commit.values("Reel-Session") and EVENTS in changed
            if of_chat and all(path == EVENTS or path.startswith("ring3/") for path in changed):
                # memories are marked with what holds once a chat counts or not
                raise _of_a_taken_note(repo, commit)
            change = _take_back(repo, snapshot, commit, changed)
            if change is not None:
                return replace(change, op="redo", summary=commit.subject.removeprefix("undo: "), tip=tip)
        elif commit.op not in NEUTRAL and commit.id not in undone:
            break
    message = "There is nothing to do again: nothing was undone since the last change."
    hint = "to see what was done and undone:  reel log"
    passed = takewhile(lambda commit: commit.op in NEUTRAL, log)
    noted = (one for commit in passed if commit.op == "tape" for one in commit.values("Reel-Session"))
    if gone := [one for one in noted if one in retracted(snapshot)]:
        message = "A chat that was taken back does not come back with reel redo."
        hint = f"to make it count again:  reel tape retract {gone[0]} --undo"
    raise ReelError(message, hint=hint)


def _of_a_taken_note(repo: Repository, commit: Commit) -> ReelError:
    """Return the error for doing again what only noted something of a chat, with the way to note it."""
    session = commit.values("Reel-Session")[0]
    with CommitTree(repo, commit.id) as tree:
        events = parse_events(tree.read(EVENTS) or b"", EVENTS)
    if events and events[-1].kind == "retract":
        message = f"What was taken back last is that {session} counts again."
        return ReelError(message, hint=f"to let it count again:  reel tape retract {session} --undo")
    message = f"What was taken back last is that no page of {session} is wanted."
    return ReelError(message, hint=f"to do without it again:  reel checkpoint --session {session} --drop")


def _take_back(
    repo: Repository, snapshot: Snapshot, commit: Commit, changed: Mapping[str, tuple[str | None, str | None]]
) -> Change | None:
    """Return the change that undoes a commit, of which this `changed`; None if its effect is gone already."""
    writes: dict[str, bytes | None] = {}
    with CommitTree(repo, commit.id) as history:
        for path, (before, after) in changed.items():
            if path.startswith("tape/"):
                continue
            now = snapshot.read(path)
            was, became = (
                None if blob is None else history.read_blob(blob, path) for blob in (before, after)
            )
            wanted = _reverted(path, now, was, became)
            if wanted is CONFLICT:
                raise _in_the_way(repo, snapshot, commit, path)
            if wanted != now:
                writes[path] = wanted
    if not writes:
        if all(path.startswith(GROWING) for path in changed):
            message = f"The last change ({commit.subject}) only noted something, and notes stay."
            raise ReelError(message, hint="to see it:  reel log  ; if it was wrong, note the opposite")
        return None
    trailers = [(UNDOES, commit.id)]
    if any(_needs_a_name(path, snapshot) for path in writes):
        name, mail = author_identity(repo, snapshot.settings.author)
        trailers.append((RATIFIED_BY, f"{name} <{mail}>"))
    return Change("undo", _name_of(commit), writes, tuple(trailers))


def _name_of(commit: Commit) -> str:
    """Return a commit's operation and first ID; an old one's subject may hold recorded words."""
    keys = ("Reel-Session", "Reel-Memory", "Reel-Index", FORGOT)
    named = [value.split(" ")[0] for key in keys for value in commit.values(key)]
    found = next((name for name in named if MEMORY_ID.fullmatch(name) or SESSION_ID.fullmatch(name)), "")
    return f"{commit.op}: {found}" if found else commit.op or ""


def _sessions(changed: Iterable[str]) -> Sequence[str]:
    """Return the sessions among a commit's files."""
    return [path.rpartition("/")[2].removesuffix(".md") for path in changed if SESSION_FILE.fullmatch(path)]


def _of_a_note(repo: Repository, noted: str, session: str) -> ReelError:
    """Return the error for an undo after a note on the tape, with the way to note the opposite as a hint.

    `noted` is the commit of the newest note; `session` is the chat recorded before it, which would go.
    """
    with CommitTree(repo, noted) as tree:
        events = parse_events(tree.read(EVENTS) or b"", EVENTS)
    last = events[-1] if events else None
    about = last.session if last is not None and last.session else session
    day = day_in_words(date.fromisoformat(about[:10]))
    kind = last.kind if last is not None else ""
    if kind == "retract":
        message = f"The last change took the chat of {day} back, and that is noted for good."
        return ReelError(message, hint=f"to make it count again:  reel tape retract {about} --undo")
    if kind == "reinstate":
        message = f"The last change let the chat of {day} count again, and that is noted for good."
        return ReelError(message, hint=f"to take it back again:  reel tape retract {about}")
    message = f"The last change noted something about a chat, and notes stay, as the chat of {day} does."
    return ReelError(message, hint=f"if the note was wrong, add another:  reel tape correct {about} TEXT")


def _needs_a_name(path: str, snapshot: Snapshot) -> bool:
    """Return whether a write changes ring 0, or deletes or edits a file of the ring 1 pool."""
    taken_from_pool = path.startswith("ring1/") and path.endswith(".md") and snapshot.read(path) is not None
    return taken_from_pool or path.startswith(RING_0)


def _reverted(path: str, now: bytes | None, was: bytes | None, became: bytes | None) -> bytes | None:
    """Return the file without what turned `was` into `became`; `CONFLICT` if that is unclear."""
    if path.startswith("journal/"):
        return _without_own_lines(now, was, became)
    if now in (was, became):
        return was
    merged = None
    if not path.startswith(RING_0) and now is not None and was is not None and became is not None:
        merged = merge_texts(now, became, was)
    return CONFLICT if merged is None else merged


def _in_the_way(repo: Repository, snapshot: Snapshot, commit: Commit, path: str) -> ReelError:
    """Return the error for a file that was changed again since, with what changed it and a way on."""
    later = read_log(repo, paths=[path], after=commit.id, limit=1)
    by = "by hand" if not later or later[0].op is None else f"by “{read_words(repo, snapshot, later[0].id)}”"
    message = f"{path} was changed again later in the same place, {by}; nothing was undone."
    word = EDITED.get(path) or (path[len("ring3/") : -3] if path.startswith("ring3/") else "")
    mend = f"put it right:  reel edit {word}" if word else f"correct {path} by hand"
    return ReelError(message, hint=f"to see what is different:  reel diff  ; then {mend}")


def _without_own_lines(now: bytes | None, was: bytes | None, became: bytes | None) -> bytes | None:
    """Return the journal without the pins of one change and with those it took; all else there remains."""
    before, after = (was or b"").splitlines(), (became or b"").splitlines()
    own = {line for line in after if line not in set(before) and _is_a_decision(line)}
    lines = [line for line in (now or b"").splitlines(keepends=True) if line.rstrip(b"\r\n") not in own]
    bare = [line.rstrip(b"\r\n") for line in lines]
    for at, line in enumerate(before):
        if line in after or line in bare or not _is_a_decision(line):
            continue
        # behind the last line that stood above it and is still there
        above = next((bare.index(one) + 1 for one in reversed(before[:at]) if one in bare), 0)
        lines.insert(above, line + b"\n")
        bare.insert(above, line)
    return b"".join(lines) if lines or now is not None else None


def _is_a_decision(line: bytes) -> bool:
    entry = parse_entry(line.decode("utf-8", "replace"))
    return entry is not None and entry.do in DECISIONS


def _counted(kind: str, count: int) -> str:
    """Return texts of one kind, counted: `2 proposals`; one is called as it is."""
    if count == 1:
        return kind
    word = kind.removeprefix("the ")
    return f"{count} {word[:-1] + 'ies' if word.endswith('y') else word + 's'}"


def names_of_texts(texts: Sequence[str]) -> str:
    """Return the texts' names as a list in words; many are counted."""
    if len(texts) > NAMED:
        kinds = Counter(text.partition(" “")[0] for text in texts)
        texts = [_counted(kind, count) for kind, count in kinds.items()]
        if len(texts) > NAMED:
            return f"{len(kinds)} texts"
    return " and ".join(filter(None, [", ".join(texts[:-1]), texts[-1]]))
