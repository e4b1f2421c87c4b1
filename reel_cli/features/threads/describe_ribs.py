"""The rib points of a thread with all that the document gives them (SRIP-11 §IV)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import Any

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.ribs import RibPoint, join_terms
from reel_cli.features.threads.survey import ThreadSurvey, is_told

MOST_TERMS = 12
"""Number of terms of a centroid that are shown: those said most."""
MOST_CHARACTERS = 200
"""Length of a passage that stands for a rib which no page tells of."""


def describe_ribs(lattice: Lattice, snapshot: Snapshot, one: ThreadSurvey) -> list[dict[str, Any]]:
    """Return the ribs of a thread, then the coarse ones over them, as JSON has them."""
    chats = standing_sessions(snapshot)
    found = []
    for chat in one.thread.chats:
        fine = lattice.list_ribs([chat])
        place = chats.index(chat)
        before = lattice.list_ribs(chats[place - 1 : place])[-1:] if place else []
        parents = {rib.id: [earlier.id] for earlier, rib in pairwise([*before, *fine])}
        passages = {entry.number or 0: entry.message.text for entry in read_session(snapshot, chat).shown()}
        found += [
            _describe(rib, rib.terms, parents.get(rib.id, []), one, passages)
            for rib in fine
            if (chat, rib.cycles[0]) in one.thread.ribs
        ]
        for rib in lattice.list_ribs([chat], coarse=True):
            within = [part for part in fine if rib.cycles[0] <= part.cycles[0] <= rib.cycles[1]]
            ids = [part.id for part in within]
            if any((chat, part.cycles[0]) in one.thread.ribs for part in within):
                found.append(_describe(rib, join_terms(within), ids, one, passages))
    return sorted(found, key=lambda rib: bool(rib["coarse"]))


def _describe(
    rib: RibPoint,
    terms: Mapping[str, int],
    parents: Sequence[str],
    one: ThreadSurvey,
    passages: Mapping[int, str],
) -> dict[str, Any]:
    order = sorted(terms, key=lambda term: (-terms[term], term))[:MOST_TERMS]
    phase = one.phases.get(rib.session)
    passage = one_line(passages.get(rib.middle, ""), MOST_CHARACTERS)
    return {
        "id": rib.id,
        "session": rib.session,
        "cycles": list(rib.cycles),
        "messages": list(rib.messages),
        "coarse": rib.coarse,
        "summary": next(_find_markers(rib, one.memories), passage),
        "centroid": {"kind": "lexical", "terms": {term: terms[term] for term in order}},
        "density": rib.density,
        "entropy": rib.entropy,
        "retention": round(rib.retention, 6),
        "phase": phase.value if phase else None,
        "lineage": list(parents),
        "created_at": rib.time or None,
    }


def _find_markers(rib: RibPoint, memories: Sequence[Memory]) -> Iterator[str]:
    """Yield the markers of the pages that tell of a rib, or their titles."""
    return (memory.marker or memory.title for memory in memories if is_told(memory, rib))
