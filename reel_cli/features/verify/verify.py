"""Prove that nothing was altered: every byte ever put on the tape is where it was put (REEL §4.6)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.process import git_process
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.moment import moment
from reel_cli.core.shell import quote
from reel_cli.core.tape.chain_proof import Proven, prove
from reel_cli.core.tape.erasure.purged_chats import list_purged_chats
from reel_cli.core.tape.events_file import parse_events
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.talk import SESSION_ID, session_path
from reel_cli.features.verify.hand_commits import prove_approval, prove_hands
from reel_cli.features.verify.verify_history import Broken, prove_history
from reel_cli.features.verify.verify_losses import prove_losses
from reel_cli.features.verify.verify_purges import prove_purges
from reel_cli.features.verify.verify_rings import prove_rings

if TYPE_CHECKING:
    from reel_cli.core.git.last_proof import Proof
    from reel_cli.core.git.repository import Repository

NOT_AS_PROVEN = "this is not what was checked here on {day}, and the history of that day is gone"
LOST = "this was checked here on {day}, and is gone with the history of that day"
MEND = (
    "a backup or another copy of the kit has it; if you made the history anew yourself, delete"
    " .reel/state/verify.json"
)

REWRITTEN = (
    "The history that was proven here on {day} ({commit}) is no longer part of this one;"
    " what is on the tape is the same."
)

_NUMBERED = re.compile(rb'(?m)^<!-- \{"n": \d+, .*"hash": "[0-9a-f]{32}"\} -->$')
CHANGED = "what begins here is no longer what was recorded"


def hold_against_proof(
    files: Mapping[str, bytes], proof: "Proof | None", repo: "Repository | None"
) -> tuple[Sequence[Broken], Sequence[str]]:
    """Return what is no longer as it was proven, and notes.

    As long as the commit of then is part of the history, the history proves more than this; and a purge makes
    both anew, and says so on the tape.
    """
    if proof is None or repo is None or _is_past(repo, proof.head) or _purged_since(files, proof):
        return (), ()
    day = proof.at[:10]
    bad = [path for path in proof.tape if not proof.holds(path, files.get(path))]
    broken = [
        Broken(path, None, (NOT_AS_PROVEN if path in files else LOST).format(day=day), mend=MEND)
        for path in sorted(bad)
    ]
    return broken, () if broken else (REWRITTEN.format(day=day, commit=proof.head[:7]),)


def _is_past(repo: "Repository", commit: str) -> bool:
    told = git_process(repo.root, "merge-base", "--is-ancestor", commit, "HEAD")
    return told.returncode == 0


def _purged_since(files: Mapping[str, bytes], proof: "Proof") -> bool:
    try:
        events = parse_events(files.get(EVENTS) or b"", EVENTS)
    except ReelError:
        return False
    return any(event.kind == "purge" and moment(event.at) >= moment(proof.at) for event in events)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The result of verifying a kit's tape: what could be proven, and what is broken.

    `messages` counts what was said on the tape, all versions included. `history` is `whole`, `shallow`
    (older commits are not here) or `none`; `notes` say in words what could not be proven, or bears on it.
    """

    sessions: int
    messages: int
    commits: int
    history: str
    sources: int
    anchors: int
    broken: Sequence[Broken]
    notes: Sequence[str] = field(default=())
    taken_back: tuple[int, int] = (0, 0)
    """Numbers of the sessions that were taken back, and of their messages."""
    purged: int = 0
    """Number of those that were purged whole."""
    tape: Mapping[str, bytes] = field(default_factory=dict, repr=False)
    """The tape's files, of which a proof can be kept."""
    mended: Sequence[Broken] = ()
    """Things that were altered and are as recorded again."""

    @property
    def proven(self) -> bool:
        """Return whether all is as it was recorded."""
        return not self.broken


def verify_tape(snapshot: Snapshot, repo: "Repository | None", proof: "Proof | None" = None) -> Verdict:
    """Check the tape and the journal against all of their history, and the rings against the tape.

    `proof` is how the tape was last proven on this machine, where that is known. Raises StateError where git
    cannot read the history at all.
    """
    files = _read_all(snapshot)
    chains = {path: prove(data, path) for path, data in files.items() if data and _is_tape(path)}
    past = prove_history(files, chains, repo)
    unreadable = {broken.path: broken for broken in _unreadable(snapshot)}
    # an unreadable file still exists: it was not deleted
    altered = [broken for broken in past.broken if broken.commit or broken.path not in unreadable]
    told = {broken.path: broken for broken in altered}
    own = [_broken_chain(path, proven) for path, proven in chains.items() if proven.line and path not in told]
    rest = [broken for path, broken in unreadable.items() if path not in told]
    purges, purged = prove_purges(files, [path for path, proven in chains.items() if not proven.line])
    hands, by_hand = prove_hands(files, [*altered, *own, *rest], repo)
    since, remade = hold_against_proof(files, proof, repo)
    known = {broken.path for broken in (*altered, *own, *rest, *hands)}
    since = [broken for broken in since if broken.path not in known]
    rings = prove_rings(snapshot, files, chains, told, repo)
    counts = {path: _count(files[path], proven) for path, proven in chains.items() if path != EVENTS}
    gone = [session_path(name) for name in _taken_back(snapshot)]
    return Verdict(
        sessions=len(snapshot.sessions),
        messages=sum(counts.values()),
        commits=past.commits,
        history=past.history,
        sources=rings.sources,
        anchors=rings.anchors,
        broken=[
            *altered,
            *own,
            *rest,
            *hands,
            *since,
            *purges,
            *rings.broken,
            *prove_losses(repo),
            *prove_approval(repo),
        ],
        notes=[*past.notes, *purged, *by_hand, *remade],
        taken_back=(len(gone), sum(counts.get(path, 0) for path in gone)),
        purged=len(list_purged_chats(snapshot)) if gone else 0,
        tape={path: data for path, data in files.items() if path.startswith("tape/")},
        mended=past.mended,
    )


def _taken_back(snapshot: Snapshot) -> Sequence[str]:
    """Return the retracted sessions; none if the events are unreadable, which is told elsewhere."""
    try:
        gone = retracted(snapshot)
    except ReelError:
        return ()
    return [name for name in snapshot.sessions if name in gone]


def _read_all(snapshot: Snapshot) -> dict[str, bytes]:
    """Return the files of the tape and the journal, by kit path; skips unreadable ones."""
    found: dict[str, bytes] = {}
    for path in (*snapshot.list("tape"), *snapshot.list("journal")):
        try:
            data = snapshot.read(path)
        except ReelError:
            continue
        if data is not None:
            found[path] = data
    return found


def _unreadable(snapshot: Snapshot) -> list[Broken]:
    found = []
    for path in (*snapshot.list("tape"), *snapshot.list("journal")):
        try:
            snapshot.read(path)
        except ReelError as error:
            what = error.message.rstrip(".").removeprefix(path).lstrip()
            found.append(Broken(path, None, what, mend=error.hint or ""))
    return found


def _count(data: bytes, proven: Proven) -> int:
    """Return how many messages a session has, even if it is not as it was recorded."""
    return len(proven.said) if proven.line is None else len(_NUMBERED.findall(data))


def _is_tape(path: str) -> bool:
    """Return whether a file is one that reel writes on the tape."""
    name = path.rpartition("/")[2]
    return path == EVENTS or (name.endswith(".md") and SESSION_ID.fullmatch(name[:-3]) is not None)


def _broken_chain(path: str, proven: Proven) -> Broken:
    return Broken(
        path,
        proven.line,
        CHANGED,
        mend=f"reel restore {quote(path)}  brings the recorded text back, if the change is not committed",
    )


def as_json(verdict: Verdict) -> Mapping[str, object]:
    """Return the verdict as JSON."""
    return {
        "proven": verdict.proven,
        "sessions": verdict.sessions,
        "messages": verdict.messages,
        "taken_back": verdict.taken_back[0],
        "commits": verdict.commits,
        "history": verdict.history,
        "sources": verdict.sources,
        "anchors": verdict.anchors,
        "broken": [_broken_json(one) for one in verdict.broken],
        "mended": [_broken_json(one) for one in verdict.mended],
        "notes": list(verdict.notes),
    }


def _broken_json(one: Broken) -> Mapping[str, object]:
    return {
        "path": one.path,
        "line": one.line,
        "what": one.what,
        "commit": one.commit.id if one.commit else None,
        "time": one.commit.time if one.commit else None,
        "subject": one.commit.subject if one.commit else None,
        "put_back": one.put_back.id if one.put_back else None,
        "mend": one.mend or None,
    }
