"""The tape held against what was last proven on this machine: a history made anew cannot hide a change."""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.git.process import git_process
from reel_cli.core.kit.snapshot import EVENTS
from reel_cli.core.moment import moment
from reel_cli.core.tape.tape_view import parse_events
from reel_cli.features.verify.verify_history import Broken

if TYPE_CHECKING:
    from reel_cli.core.git.last_proof import Proof
    from reel_cli.core.git.repository import Repository

CHANGED = "this is not what was proven here on {day}, and the history of that day is gone"
LOST = "this was proven here on {day}, and is gone with the history of that day"
MEND = (
    "a backup or another copy of the kit has it; if you made the history anew yourself, delete"
    " .reel/state/verify.json"
)
REWRITTEN = (
    "The history that was proven here on {day} ({commit}) is no longer part of this one;"
    " what is on the tape is the same."
)


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
        Broken(path, None, (CHANGED if path in files else LOST).format(day=day), mend=MEND)
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
