"""`.reel/state/verify.json`: how it went when the tape was last proven on this machine.

Proving reads and commits nothing, so a kit on another machine does not know. Losing the file loses nothing.
"""

import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import NamedTuple

from reel_cli.core.errors import StateError
from reel_cli.core.files.private import state_folder, write_private
from reel_cli.core.files.state import State
from reel_cli.core.moment import moment

FILE = "verify.json"
SEEN = "altered.json"
"""The list of files of the tape that reel saw missing or altered, until they are as recorded again."""


class Proof(NamedTuple):
    """The tape as it was last proven here: when, up to which commit, each file's size and SHA-256.

    It is what still tells of a tape that was changed together with all of its history.
    """

    at: str
    head: str
    tape: Mapping[str, tuple[int, str]]

    def holds(self, path: str, now: bytes | None) -> bool:
        """Return whether a file still begins with its proven bytes."""
        size, known = self.tape[path]
        return now is not None and hashlib.sha256(now[:size]).hexdigest() == known


def make_proof(at: str, head: str, files: Mapping[str, bytes]) -> Proof:
    """Return the proof of these files of the tape."""
    tape = {path: (len(data), hashlib.sha256(data).hexdigest()) for path, data in files.items()}
    return Proof(at, head, tape)


class ProofRecord(NamedTuple):
    """The last proof: when (ISO 8601), how many things were broken; when any last were ("" for never).

    What is put back since then is no longer broken. `at` is "" where nothing was proven here yet, and a file
    of the tape was put back all the same.
    """

    at: str
    broken: int
    failed: str = ""

    @property
    def well(self) -> bool:
        """Return whether nothing is known not to be as recorded."""
        return not self.broken


def note_verified(
    state: State, at: str, broken: int, proof: Proof | None = None, *, mended: str = ""
) -> None:
    """Store the result of the proof if that can be written; without a `proof` the last one stays.

    `mended` is when something that was altered was put back last (ISO 8601).
    """
    before = last_verified(state)
    failed = at if broken else max(before.failed if before is not None else "", mended, key=moment)
    kept = proof or last_proof(state)
    _write(state, ProofRecord(at, broken, failed)._asdict() | ({"proof": kept._asdict()} if kept else {}))


def note_put_back(state: State, at: str, files: int) -> None:
    """Store that so many files of the tape were not as recorded, and are again."""
    _forget_seen(state)
    before = last_verified(state)
    if before is None or not before.at:
        # one file says nothing of the others, which nobody looked at
        _write(state, {"failed": at})
        return
    note_verified(state, at, files)
    note_verified(state, at, max(0, before.broken - files))


def watch_altered(state: State, at: str, altered: Sequence[str]) -> None:
    """Note the files of the tape that are missing or altered now; those noted before that are whole count.

    Git, a backup or an editor puts a file back without reel, which then knows of it only by this.
    """
    noted = state.note(SEEN)
    seen = [path for path in noted if isinstance(path, str)] if isinstance(noted, list) else []
    if set(seen) == set(altered):
        return
    back = set(seen).difference(altered)
    if back:
        note_put_back(state, at, len(back))
    if altered:
        _write(state, sorted(altered), SEEN)


def _forget_seen(state: State) -> None:
    with suppress(OSError):
        (state.folder / SEEN).unlink(missing_ok=True)


def _write(state: State, value: Mapping[str, object] | Sequence[str], name: str = FILE) -> None:
    try:
        state_folder(state.kit)
        write_private(state.folder / name, json.dumps(value).encode())
    except (OSError, StateError):
        return


def last_verified(state: State) -> ProofRecord | None:
    """Return the last verification; None if nothing is known of one here."""
    value = _read(state)
    at, broken, failed = (value.get(key) for key in ("at", "broken", "failed"))
    if value.keys() == {"failed"} and isinstance(failed, str):
        return ProofRecord("", 0, failed)
    if not isinstance(at, str) or type(broken) is not int or not isinstance(failed, str):
        return None
    return ProofRecord(at, max(0, broken), failed)


def last_proof(state: State) -> Proof | None:
    """Return the last proof of the tape made here; None if there never was one."""
    value = _read(state).get("proof")
    if not isinstance(value, dict):
        return None
    at, head, tape = (value.get(key) for key in ("at", "head", "tape"))
    if not isinstance(at, str) or not isinstance(head, str) or not isinstance(tape, dict):
        return None
    files = {
        path: (told[0], told[1])
        for path, told in tape.items()
        if isinstance(told, list) and [type(one) for one in told] == [int, str] and told[0] >= 0
    }
    return Proof(at, head, files)


def _read(state: State) -> Mapping[str, object]:
    value = state.note(FILE)
    return value if isinstance(value, dict) else {}
