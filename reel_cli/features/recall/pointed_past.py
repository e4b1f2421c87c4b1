"""The part of the past that the rings' pointers lead to: by a tag, an origin, or words for one."""

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.glance import Glance
from reel_cli.core.rings.pointers import Pointers
from reel_cli.core.stage_chain import origins
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.search import Hit
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Session
from reel_cli.features.recall.recall_query import ORIGINS, Scope

LIFT = 1.25
"""Factor of a score if the query names the way a moment came (`chain`, `stage`)."""


@frozen
class PointedPast:
    """The part of the past that a tag or an origin leaves: memories and lines, and whole sessions."""

    pointers: Pointers
    whole: Collection[str] = ()
    origin: str = ""
    others: Pointers = Pointers(())
    """Pointers to what came by another origin, and by this one not at all."""

    def sessions(self, among: Sequence[str]) -> list[str]:
        """Return the sessions that may hold any of it."""
        return [s for s in among if s in self.whole or s in self.pointers.sessions]

    def holds(self, hit: Hit) -> bool:
        """Return whether a hit is part of it."""
        if _is_among(hit, self.pointers):
            return True
        return hit.session in self.whole and not _is_among(hit, self.others)

    def has_any(self, *, named: bool) -> bool:
        """Return whether there is any of it; whole chats count where they are `named`, or words of them."""
        return bool(self.pointers.all or (self.whole and named))

    def says_otherwise(self, text: str) -> bool:
        """Return whether a message itself has another origin's syntax, and none of this one's."""
        found = origins([text]) if self.origin else set()
        return bool(found) and self.origin not in found


def pointed_past(
    scope: Scope, glance: Glance, standing: Sequence[str], pointers: Callable[[], Pointers]
) -> "PointedPast | None":
    """Return the part of the past that `--tag` and `--origin` leave; None if neither is given."""
    if not scope.tag and not scope.origin:
        return None
    wanted = scope.tag.casefold()
    tagged = [p for p in pointers().all if not wanted or wanted in map(str.casefold, p.tags)]
    if not scope.origin:
        return PointedPast(Pointers(tagged))
    origin = ORIGINS[scope.origin]
    whole = {s for s, found in _session_origins(glance, standing).items() if origin in found}
    if not wanted:
        others = Pointers(p for p in tagged if origin not in p.tags and {*ORIGINS.values()} & {*p.tags})
        return PointedPast(Pointers(p for p in tagged if origin in p.tags), whole, origin, others)
    # tagged as asked for, and of that origin itself or from sessions of it
    both = (p for p in tagged if origin in p.tags or (p.where and all(w.session in whole for w in p.where)))
    return PointedPast(Pointers(both), origin=origin)


def _session_origins(glance: Glance, sessions: Iterable[str]) -> dict[str, Sequence[str]]:
    """Return which of STAGE and CHAIN each session has, as tags (REEL §5.4)."""
    paths = {session_path(session): session for session in sessions}

    def note(path: str) -> list[str]:
        try:
            session = parse_session(glance.tree.read(path) or b"", path)
        except ReelError:
            return []
        return sorted(origins(entry.message.text for entry in session.shown()))

    return {paths[path]: kept for path, kept in glance.note("origins 2", paths, note).items()}


def lift_hits(hits: Sequence[Hit], past: PointedPast, *, first: bool, alone: bool) -> list[Hit]:
    """Return the hits, best first, with a higher score for those of a past that came by one origin.

    Behind them all are those that came by another origin. With `first` those of the origin stand before all
    others. With `alone` nothing but the origin was asked for, and no others are returned.
    """
    ranked: list[tuple[int, float, Hit]] = []
    for hit in hits:
        if past.holds(hit):
            ranked.append((-first, -hit.score * LIFT, replace(hit, score=hit.score * LIFT)))
        elif not alone:
            ranked.append((_is_among(hit, past.others), -hit.score, hit))
    return [hit for _, _, hit in sorted(ranked, key=lambda one: one[:2])]


def find_came_by(
    past: PointedPast, sessions: Sequence[str], read: Callable[[str], Session], most: int
) -> list[Hit]:
    """Return the first message of an origin, and the one behind it, in each of the first chats with one."""
    hits: list[Hit] = []
    for name in [one for one in sessions if one in past.whole][:most]:
        try:
            said = read(name).numbered()
        except ReelError:
            # told of where the chat is looked at
            continue
        of_origin = (one for one, entry in said.items() if past.origin in origins([entry.message.text]))
        if (first := next(of_origin, None)) is not None:
            near = tuple(one for one in (first, first + 1) if one in said)
            hits.append(Hit(name, first, (near[0], near[-1]), 1.0, 1.0, messages=near))
    return hits


def _is_among(hit: Hit, pointers: Pointers) -> bool:
    """Return whether a hit was found through one of these, or is where one of them points."""
    if hit.note is not None and hit.note in pointers.ids:
        return True
    return hit.message is not None and bool(pointers.over(hit.session, (hit.message, hit.message)))
