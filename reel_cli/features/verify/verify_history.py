"""The tape and the journal held against every version that history has of them."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.files.ledger_file import DECISIONS, holds_entry, parse_entry
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.tape.chain_proof import Proven, prove
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.renumbered_names import NameClaims, read_renumbered
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.talk import SESSION_ID, Event, session_of

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.git.tape_history import Blobs, Break, CommitLine, Grows, Step, TapeHistory

NONE = NameClaims((), {})
NOT_COMMITTED = "to bring the recorded text back:  reel restore {path}"
COMMITTED = "git show {commit}^:./{path}  has what stood there"
IN_A_MERGE = "git log -m -p -1 {commit}  shows what each side had"
BRING_BACK = "reel doctor --fix  brings it back as a chat of its own"
LEFT_OUT = "reel doctor --fix  writes them behind what is there"
DROPPED = "git merge {commit}  brings it back, for as long as git keeps it"


@dataclass(frozen=True, slots=True)
class Broken:
    """One thing that is no longer as it was: the file, the line (from 1), what happened, and the mend.

    `commit` is the one that did it; None where it is not committed, or history does not tell.
    `put_back` is the later commit that set it right again.
    """

    path: str
    line: int | None
    what: str
    commit: "CommitLine | None" = None
    put_back: "CommitLine | None" = None
    mend: str = ""


@dataclass(frozen=True, slots=True)
class Past:
    """The result of verifying history: the number of commits, how much of it is here, what is broken."""

    commits: int = 0
    history: str = "none"
    broken: Sequence[Broken] = ()
    notes: Sequence[str] = field(default=())
    mended: Sequence[Broken] = ()
    """Things that were altered and are as recorded again."""


@dataclass
class _Doubt:
    """A path of which not every version is the beginning of what is there now."""

    path: str
    versions: Sequence[str]
    steps: Sequence["Step"]
    beside: Sequence["Step"]
    """All steps of every path, in which a file that was renamed is found again."""

    def renamed(self, step: "Step") -> str:
        """Return the new path of a file that a commit moved; "" if it is gone."""
        same = (other for other in self.beside if other.commit == step.commit and other.path != self.path)
        return next((other.path for other in same if other.after == step.before != other.before), "")


def prove_history(
    files: Mapping[str, bytes], chains: Mapping[str, Proven], repo: "Repository | None"
) -> Past:
    """Compare each version of each file with the current one.

    A tape file begins with every version it ever had. Where two machines' `tape/events.md` were merged,
    all that was noted stands in it. The journal's lines are a set: each is still there, but for pins that
    an undo took back. Raises StateError where git cannot read the history.
    """
    if repo is None:
        return Past(notes=["This kit has no history (git), so each file was checked only by its own chain."])
    from reel_cli.core.git.tape_history import Blobs, read_sizes, read_tape_history

    past = read_tape_history(repo)
    dropped = past.dropped_versions()
    versions = past.versions()
    sizes = read_sizes(repo, (b for known in (versions, dropped) for blobs in known.values() for b in blobs))
    blobs = Blobs(repo)
    broken: list[Broken] = []
    mended: list[Broken] = []
    doubts = _doubts(repo, past, versions, files, sizes)
    renumbered = NONE
    if doubts or dropped:
        renumbered = read_renumbered(repo, past.steps, files.get, blobs)
    for path, doubt in doubts.items():
        missing = [blob for blob in doubt.versions if blob not in sizes]
        if missing:
            broken.append(_lost(path, missing))
        else:
            lost, back = _explain(repo, blobs, doubt, files.get(path), chains, renumbered)
            broken += lost
            mended += back
        blobs.forget()
    broken += _dropped(repo, blobs, past, dropped, files, sizes, renumbered)
    history = "shallow" if past.shallow else "whole" if past.commits else "none"
    return Past(past.commits, history, broken, _notes(past, versions, files), mended)


def _doubts(
    repo: "Repository",
    past: "TapeHistory",
    versions: Mapping[str, Sequence[str]],
    files: Mapping[str, bytes],
    sizes: Mapping[str, int],
) -> Mapping[str, _Doubt]:
    from reel_cli.core.git.tape_history import is_beginning

    found: dict[str, _Doubt] = {}
    for path, own in versions.items():
        now = files.get(path)
        if now is None:
            bad = list(own)
        else:
            bad = [blob for blob in own if not is_beginning(repo, now, blob, sizes.get(blob))]
        if bad:
            found[path] = _Doubt(path, bad, [step for step in past.steps if step.path == path], past.steps)
    return found


def _notes(
    past: "TapeHistory", versions: Mapping[str, Sequence[str]], files: Mapping[str, bytes]
) -> Sequence[str]:
    notes = []
    if past.shallow:
        notes.append(
            f"This clone holds only the newest {past.commits:,} commits; what was written before them "
            "is proven by each file's own chain.  git fetch --unshallow  fetches the rest."
        )
    fresh = [path for path in files if path.startswith("tape/") and path not in versions]
    if fresh:
        names = ", ".join(fresh[:3]) + (f" and {len(fresh) - 3:,} more" if len(fresh) > 3 else "")
        notes.append(f"Not committed yet, and checked only by its own chain: {names}")
    return notes


# -- what happened ----------------------------------------------------------------------------


def _explain(  # noqa: PLR0913 (one file, its past, and what is known of both)
    repo: "Repository",
    blobs: "Blobs",
    doubt: _Doubt,
    now: bytes | None,
    chains: Mapping[str, Proven],
    renumbered: NameClaims,
) -> tuple[list[Broken], list[Broken]]:
    """Return the steps that broke a file, and those of which all is as it was again.

    None if it holds all of every version after all.
    """
    from reel_cli.core.git.tape_history import find_breaks, name_commits

    grows = _grows_for(doubt.path, renumbered)
    try:
        whole = now is not None and (doubt.path not in chains or chains[doubt.path].line is None)
        if whole and all(grows(blobs.read(blob), now or b"") for blob in doubt.versions):
            return [], []
        found = find_breaks(blobs, doubt.steps, now, grows)
        breaks = [one for one in found if not (renumbered.keeps(one.step) or _joined_since(one))]
    except StateError as error:
        return [Broken(doubt.path, None, error.message.rstrip("."), mend=error.hint or "")], []
    names = name_commits(repo, (c for one in breaks for c in (one.step.commit, one.put_back) if c))
    back = _put_back(breaks, doubt.steps)
    told = [(one.step in back, _broken(one, names, doubt, now, blobs)) for one in breaks]
    return [one for whole, one in told if not whole], [one for whole, one in told if whole]


def _put_back(breaks: Sequence["Break"], steps: Sequence["Step"]) -> set["Step"]:
    """Return the steps of breaks that were put back before anything was recorded on top of them.

    A commit that brings back the altered text itself, which was altered again meanwhile, records nothing.
    """
    broke = {one.step for one in breaks}
    again = {(one.put_back, one.step.before) for one in breaks if one.put_back}
    broke |= {step for step in steps if (step.commit, step.after) in again}
    found: set[Step] = set()
    for one in breaks:
        if one.put_back is None or one.step not in steps:
            continue
        rest = steps[steps.index(one.step) + 1 :]
        ends = [place for place, step in enumerate(rest) if step.commit == one.put_back]
        between = rest[: ends[0]] if ends else rest
        if broke.issuperset(between):
            found |= {one.step, *between}
    return found


def _joined_since(one: "Break") -> bool:
    """Return whether notes that a merge left out were appended again later."""
    return one.step.path == EVENTS and one.step.merge and one.put_back is not None


def _broken(
    one: "Break", names: Mapping[str, "CommitLine"], doubt: _Doubt, now: bytes | None, blobs: "Blobs"
) -> Broken:
    path, step = doubt.path, one.step
    commit = names.get(step.commit or "")
    before = None if step.before is None else blobs.read(step.before)
    after = now
    if step.commit is not None:
        after = None if step.after is None else blobs.read(step.after)
    line: int | None = one.line
    if path.startswith("journal/") and before is not None:
        line = _first_lost_line(before, after or b"")
        what = "the journal is gone" if after is None else "a line of the journal is gone"
    elif after is None:
        moved = doubt.renamed(step)
        what = f"{_subject(path)} was " + (f"renamed to {moved}" if moved else "deleted")
    elif path == EVENTS and step.merge:
        what = "what was noted on another machine was left out when the two were merged"
    elif step.merge:
        what = f"what one side of a merge had of {_subject(path)} was left out of it"
    else:
        cut = before is not None and before.startswith(after)
        what = f"{_subject(path)} was {'cut short' if cut else 'altered'}"
    return Broken(path, line, what, commit, names.get(one.put_back or ""), _mend(one, commit, path))


def _mend(one: "Break", commit: "CommitLine | None", path: str) -> str:
    if one.put_back:
        return ""
    if commit is None:
        return NOT_COMMITTED.format(path=path)
    if one.step.merge:
        if session_of(path) is not None and one.step.before is not None:
            return BRING_BACK
        return LEFT_OUT if path == EVENTS else IN_A_MERGE.format(commit=commit.short)
    return COMMITTED.format(commit=commit.short, path=path)


def _subject(path: str) -> str:
    name = path.rpartition("/")[2].removesuffix(".md")
    if path == EVENTS:
        return "what was noted on the tape"
    return f"chat {name}" if SESSION_ID.fullmatch(name) else path


def _lost(path: str, missing: Sequence[str]) -> Broken:
    count = tell_many(len(missing), "earlier version")
    return Broken(
        path, None, f"history has lost {count} of it", mend="git fsck  says what is missing; a clone has it"
    )


def _dropped(  # noqa: PLR0913 (two histories, and what is there now)
    repo: "Repository",
    blobs: "Blobs",
    past: "TapeHistory",
    dropped: Mapping[str, Sequence[str]],
    files: Mapping[str, bytes],
    sizes: Mapping[str, int],
    renumbered: NameClaims,
) -> list[Broken]:
    """Return what was recorded in commits that left history, and is nowhere else.

    What did not prove itself there either is no loss: so a tampering that was taken out of history is
    not told of again.
    """
    from reel_cli.core.git.tape_history import is_beginning, name_commits

    found = []
    for path, versions in dropped.items():
        if path.startswith("journal/"):
            continue
        now, grows = files.get(path) or b"", _grows_for(path, renumbered)
        for blob in reversed(versions):
            if blob not in sizes or is_beginning(repo, now, blob, sizes[blob]):
                continue
            try:
                data = blobs.read(blob)
            except StateError:
                continue
            if prove(data, path).line is None and not grows(data, now):
                step = next((s for s in past.dropped if s.path == path and blob in (s.after, s.before)), None)
                commit = step.commit if step else None
                name = name_commits(repo, [commit] if commit else []).get(commit or "")
                mend = DROPPED.format(commit=name.short) if name else ""
                what = f"{_subject(path)} was recorded in a commit that is no longer part of the history"
                found.append(Broken(path, None, what, name, None, mend))
                break
        blobs.forget()
    return found


# -- what growing is --------------------------------------------------------------------------


def _grows_for(path: str, renumbered: NameClaims) -> "Grows":
    if path == EVENTS:
        return lambda before, after: _holds_events(before, after, renumbered)
    if path.startswith("journal/"):
        return lambda before, after: _first_lost_line(before, after, renumbered) is None
    return _begins


def _begins(before: bytes, after: bytes) -> bool:
    return after.startswith(before)


def _first_lost_line(before: bytes, after: bytes, renumbered: NameClaims = NONE) -> int | None:
    """Return the first missing line, from 1; a pin removed by an undo does not count, nor what is no entry.

    Nor is one that stands there with what it is about under another number.
    """
    there = set(after.splitlines())
    for number, line in enumerate(before.splitlines(), start=1):
        if line.strip() and line not in there and holds_entry(line.decode("utf-8", "replace")):
            entry = parse_entry(line.decode("utf-8", "replace"))
            if (entry is None or entry.do not in DECISIONS) and not renumbered.holds_line(line, there):
                return number
    return None


def _holds_events(before: bytes, after: bytes, renumbered: NameClaims) -> bool:
    if after.startswith(before):
        return True
    try:
        return prove(before, EVENTS).line is None and not missing_events(before, after, renumbered)
    except ReelError:
        return False


def missing_events(before: bytes, after: bytes, renumbered: NameClaims = NONE) -> Sequence[Event]:
    """Return the events of the first `tape/events.md` that the second does not have.

    What is about a session that got another number is looked for under that one too. Raises StateError
    where one of them cannot be read.
    """
    known = {_what(event) for event in parse_events(after, EVENTS)}
    return [
        event
        for event in parse_events(before, EVENTS)
        if known.isdisjoint(map(_what, renumbered.event_forms(event)))
    ]


def _what(event: Event) -> tuple[object, ...]:
    return event.kind, event.at, event.session, event.about, event.text
