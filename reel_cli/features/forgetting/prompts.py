"""Memories written without the persona's identity at hand (REEL §10.3), as history tells of it."""

from collections.abc import Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, NOTE, RATIFIED, RATIFIED_BY, parse_forgotten
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.finding import IDENTITY_DRIFT, Finding
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import SESSION_FILE, Commit
from reel_cli.core.kit.hand_edits import read_steps
from reel_cli.core.kit.snapshot import IDENTITY, Snapshot
from reel_cli.core.values.memory import Level, memory_path
from reel_cli.features.forgetting.past import Past, memory_id, told_of

RING0 = "Reel-Ring0"
ALWAYS = frozenset({"checkpoint", "consolidate"})
"""Operations that only an exchange can have made."""
MOST_READ = 400
"""Maximum number of hand edits of memories that are read."""
_FADED = frozenset({Level.L1.value, Level.L2.value})


def find_drift(snapshot: Snapshot, past: Past | None) -> list[Finding]:
    """Return findings for prompts without an approved ring 0, and for memories written by hand.

    The newest first, what reel could not have done before what a person may do.
    """
    if past is None:
        return []
    ever = _ever_in_force(past)
    found = []
    first = _first_named(past)
    for place, commit in enumerate(past.commits):
        blobs = commit.values(RING0)
        made = _made(commit)
        if not blobs and _wants_ring0(commit):
            what = f"the prompt of {told_of(commit)} did not say who the persona is"
            found.append(_finding(what, made, snapshot))
        elif not blobs and place < first and _let_go(commit):
            what = f"{told_of(commit)} shortened it, without reading who the persona is"
            found.append(_pruned(what, made))
        elif blobs and ever and not ever.issuperset(blobs):
            what = f"the prompt of {told_of(commit)} had an identity that was never approved"
            found.append(_finding(what, made, snapshot, hint=True))
    return [*found, *_by_hand(snapshot, past)]


def _finding(what: str, made: Sequence[str], snapshot: Snapshot, *, hint: bool = False) -> Finding:
    held = [name for name in made if name in snapshot.memories]
    at = f"{memory_path(held[0])}:1" if held else ""
    names = " ".join(held)
    mend = f"read it:  reel memory show {held[0]}  ; if it is wrong:  reel forget {names}" if held else ""
    return Finding("prompt", what, mend or "reel undo  takes back the last change", hint, IDENTITY_DRIFT, at)


def _first_named(past: Past) -> int:
    """Return the place of the first pass that let go of something and named its ring 0; -1 if none did.

    Passes before it are of a version that named none.
    """
    named = [at for at, commit in enumerate(past.commits) if _let_go(commit) and commit.values(RING0)]
    return max(named, default=-1)


def _let_go(commit: Commit) -> bool:
    """Return whether maintenance let go of something in a commit, with a model or without."""
    return commit.op == "maintain" and bool(commit.values(FORGOT))


def _pruned(what: str, made: Sequence[str]) -> Finding:
    mend = f"reel restore {made[0]}  brings it back" if made else "reel log --forgotten"
    return Finding("prompt", what, mend, hint_only=True, kind=IDENTITY_DRIFT)


def _wants_ring0(commit: Commit) -> bool:
    """Return whether an exchange must have made the commit: for maintenance, if it rewrote text."""
    if commit.op in ALWAYS:
        return True
    if commit.op == "promote":
        return bool(commit.values("Reel-Memory"))
    if commit.op != "maintain":
        return False
    losses = [loss for value in commit.values(FORGOT) if (loss := parse_forgotten(value)) is not None]
    # a memory that only fell a level has no new words
    fell = any(
        loss.before == NOTE or (loss.after in _FADED and loss.tokens_after < loss.tokens_before)
        for loss in losses
    )
    return fell or bool(commit.values("Reel-Memory"))


def _made(commit: Commit) -> list[str]:
    """Return the memories that a commit made or rewrote."""
    losses = (parse_forgotten(value) for value in commit.values(FORGOT))
    names = [value.partition(" ")[0] for value in commit.values("Reel-Memory")]
    return [*names, *(loss.id for loss in losses if loss is not None)]


def _ever_in_force(past: Past) -> frozenset[str]:
    """Return every identity text (its blob) that reel or a person's decision ever put into this history.

    A prompt may be older than its reply, so what was in force before is as good as what is now.
    """
    try:
        steps = read_steps(past.repo, [IDENTITY]).get(IDENTITY, ())
    except ReelError:
        return frozenset()
    named = [
        text.rpartition(" ")[2]
        for commit in past.commits
        if commit.values(RATIFIED_BY)
        for text in commit.values(RATIFIED)
        if text.startswith(f"{IDENTITY} ")
    ]
    first = _first_session(past)
    order = {commit.id: place for place, commit in enumerate(past.commits)}
    # before the first recorded session ring 0 is a draft, and the file counts as it is
    drafts = [s for s in steps if first is None or order.get(s.commit, -1) >= order.get(first, 0)]
    blobs = [*(s.after for s in steps if s.vouched), *(s.after for s in drafts), *named]
    return frozenset(blob for blob in blobs if blob)


def _first_session(past: Past) -> str | None:
    """Return the commit that recorded the first session; None if there is none."""
    try:
        steps = read_steps(past.repo, ["tape/"])
    except ReelError:
        return None
    came = {own[-1].commit for path, own in steps.items() if SESSION_FILE.fullmatch(path)}
    return next((commit.id for commit in reversed(past.commits) if commit.id in came), None)


def _by_hand(snapshot: Snapshot, past: Past) -> Iterator[Finding]:
    """Yield findings for memories whose words now come from a commit made without reel.

    An edit that reel committed is one that a person saw and approved.
    """
    left = MOST_READ
    if not past.commits:
        return
    with CommitTree(past.repo, past.commits[0].id) as tree:
        for path, steps in past.steps.items():
            step = steps[0]
            name = memory_id(path)
            if step.after is None or name not in snapshot.memories or not past.is_unseen(step.commit):
                continue
            if step.commit == past.first or left <= 0:
                continue
            left -= 1
            commit = past.by_id[step.commit]
            mend = f"git show {step.commit[:7]} -- {path}  shows it"
            title = f"{snapshot.memories[name].title} ({name})"
            if step.before is None:
                what = f"{title} was put there by hand ({told_of(commit)}), and not by reel"
            elif _body(tree, step.before, path) != _body(tree, step.after, path):
                what = f"{title} was rewritten by hand ({told_of(commit)}), without asking the persona"
                mend += f"; reel restore {name}  brings back what was there"
            else:
                continue
            yield Finding("prompt", what, mend, hint_only=True, kind=IDENTITY_DRIFT, at=f"{path}:1")


def _body(tree: CommitTree, blob: str, path: str) -> str:
    try:
        return parse_memory(tree.read_blob(blob, path).decode("utf-8", "replace"), path).body.strip()
    except ReelError:
        return ""
