"""Renumbering of sessions and memories in merges, according to history and as far as it holds."""

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import parse_entry
from reel_cli.core.frozen import frozen
from reel_cli.core.tape.chain_proof import prove
from reel_cli.core.tape.events_file import MADE
from reel_cli.core.tape.twins import holds_session
from reel_cli.core.values.source import RENUMBERED, NewNames, parse_renumbered
from reel_cli.core.values.talk import Event, session_of, session_path

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.git.tape_history import Blobs, Step

MOST_STEPS = 8
"""Maximum number of times one item may have been renumbered, one machine after the other."""


@frozen
class Claim:
    """A commit's claim that a session or memory has a new name; `merge`: it has several parents."""

    commit: str
    old: str
    new: str
    merge: bool


@frozen
class NameClaims:
    """The claims that hold: by session and by memory, the names that it may have now."""

    claims: Sequence[Claim]
    kept: Mapping[str, frozenset[str]]
    """Blobs of one side that a merge put aside and that are elsewhere now, by the path of a session."""

    def keeps(self, step: "Step") -> bool:
        """Return whether the session that a merge set aside is kept under the name that the merge gave it."""
        return step.merge and step.before in self.kept.get(step.path, ())

    def event_forms(self, event: Event) -> Sequence[Event]:
        """Return an event as it may be told now: with each name that what it is about may have."""
        if event.kind == MADE:
            return [replace(event, text=text) for text in self._texts(event.text)]
        names = _forms(event.session, self.claims) if event.session else (None,)
        return [replace(event, session=name) for name in names]

    def _texts(self, text: str) -> Sequence[str]:
        merges: dict[str, dict[str, str]] = {}
        for claim in self.claims:
            merges.setdefault(claim.commit, {})[claim.old] = claim.new
        found = [text]
        for _ in range(MOST_STEPS):
            now = (NewNames(names).text(one) for one in found for names in merges.values())
            more = [one for one in dict.fromkeys(now) if one not in found]
            if not more:
                break
            found += more
        return found

    def holds_line(self, line: bytes, there: Collection[bytes]) -> bool:
        """Return whether a journal line is present with what it is about under a newer name."""
        text = line.decode("utf-8", "replace")
        entry = parse_entry(text)
        if entry is None:
            return False
        from reel_cli.core.tape.retelling import retell_entry

        return any(
            retell_entry(text, NewNames({entry.session: session, entry.on: on})).encode("utf-8") in there
            for session in _forms(entry.session, self.claims)
            for on in _forms(entry.on, self.claims)
        )


def read_renumbered(
    repo: "Repository", steps: Sequence["Step"], read: Callable[[str], bytes | None], blobs: "Blobs"
) -> NameClaims:
    """Compare renumbering in commits with the tape; `read` returns a file's bytes.

    A session's claim holds where a merge put one side's file of that name aside, and the session that the
    claim names has all of it. A memory's holds in a merge, or beside a session's that does. Raises
    StateError where git cannot read its history.
    """
    claims = _read_claims(repo)
    if not claims:
        return NameClaims((), {})
    aside: dict[str, set[str]] = {}
    for step in steps:
        if step.merge and step.before is not None and session_of(step.path) is not None:
            aside.setdefault(step.path, set()).add(step.before)
    sessions = [claim for claim in claims if claim.old[0] != "M"]
    kept: dict[str, set[str]] = {}
    held: list[Claim] = []
    for claim in sessions:
        path = session_path(claim.old)
        places = [session_path(name) for name in _forms(claim.old, sessions)]
        sound = [(place, now) for place in places if (now := read(place)) and _is_sound(now, place)]
        there = [b for b in aside.get(path, ()) if any(_stands(now, blobs, b, path) for _, now in sound)]
        if there:
            held.append(claim)
            kept.setdefault(path, set()).update(there)
    joining = {claim.commit for claim in held}
    held += [claim for claim in claims if claim.old[0] == "M" and (claim.merge or claim.commit in joining)]
    return NameClaims(held, {path: frozenset(found) for path, found in kept.items()})


def _forms(name: str, claims: Sequence[Claim]) -> Sequence[str]:
    """Return all names a thing ever had, from one of its names on."""
    found = [name]
    for _ in range(MOST_STEPS):
        more = [c.new for c in claims if c.old in found and c.new not in found]
        if not more:
            break
        found += dict.fromkeys(more)
    return found


def _is_sound(data: bytes, path: str) -> bool:
    return prove(data, path).line is None


def _stands(now: bytes, blobs: "Blobs", blob: str, path: str) -> bool:
    try:
        data = blobs.read(blob)
        return _is_sound(data, path) and holds_session(now, data, path)
    except ReelError:
        return False


def _read_claims(repo: "Repository") -> Sequence[Claim]:
    from reel_cli.core.git.process import AS_IT_IS, Git

    if repo.head() is None:
        return ()
    listed = Git(repo.root)(
        *("log", "-z", f"--grep=^{RENUMBERED}: ", "--full-history"),
        f"--format=%H%x00%P%x00%(trailers:key={RENUMBERED},valueonly,unfold)",
        *("HEAD", "--"),
        env=AS_IT_IS,
    ).decode("utf-8", "replace")
    parts = listed.split("\0")
    found = []
    for commit, parents, values in zip(parts[::3], parts[1::3], parts[2::3], strict=False):
        for value in values.splitlines():
            pair = parse_renumbered(value)
            if pair is not None:
                found.append(Claim(commit, *pair, len(parents.split()) > 1))
    return found
