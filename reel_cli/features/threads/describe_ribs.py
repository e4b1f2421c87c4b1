"""The rib points of a thread with all that the document gives them (SRIP-11 §IV)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Any

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory
from reel_cli.features.threads.lattice import Lattice
from reel_cli.features.threads.ribs import RibPoint, join_terms, list_cycles, weigh_retention
from reel_cli.features.threads.survey import ThreadSurvey, is_told

if TYPE_CHECKING:
    from reel_cli.features.recall.embeddings.semantic import Embedder

MOST_TERMS = 12
"""Number of terms of a centroid that are shown: those said most."""
_DIGITS = 4
"""Digits of a number in a vector."""
MOST_CHARACTERS = 200
"""Length of a passage that stands for a rib which no page tells of."""


def describe_ribs(lattice: Lattice, snapshot: Snapshot, one: ThreadSurvey) -> list[dict[str, Any]]:
    """Return the ribs of a thread, then the coarse ones over them, as JSON has them.

    Where the kit makes embeddings on this machine, they are the centroid, and entropy and retention go by
    them; else by words, as the lattice has them.
    """
    chats = standing_sessions(snapshot)
    embedder = _find_embedder(snapshot)
    found = []
    for chat in one.thread.chats:
        fine = lattice.list_ribs([chat])
        place = chats.index(chat)
        before = lattice.list_ribs(chats[place - 1 : place])[-1:] if place else []
        parents = {rib.id: [earlier.id] for earlier, rib in pairwise([*before, *fine])}
        session = read_session(snapshot, chat)
        passages = {entry.number or 0: entry.message.text for entry in session.shown()}
        mine = [rib for rib in fine if (chat, rib.cycles[0]) in one.thread.ribs]
        described = [_describe(rib, rib.terms, parents.get(rib.id, []), one, passages) for rib in mine]
        for rib in lattice.list_ribs([chat], coarse=True):
            within = [part for part in fine if rib.cycles[0] <= part.cycles[0] <= rib.cycles[1]]
            ids = [part.id for part in within]
            if any((chat, part.cycles[0]) in one.thread.ribs for part in within):
                mine.append(rib)
                described.append(_describe(rib, join_terms(within), ids, one, passages))
        if embedder is not None:
            cycles = [" ".join(entry.message.text for entry in cycle) for cycle in list_cycles(session)]
            embedder = _embed_ribs(embedder, mine, described, cycles)
        found += described
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


def _find_embedder(snapshot: Snapshot) -> "Embedder | None":
    if snapshot.settings.embeddings == "off":
        return None
    from reel_cli.features.recall.embeddings.whole_texts import find_embedder

    return find_embedder(snapshot)


def _embed_ribs(
    embedder: "Embedder", ribs: Sequence[RibPoint], described: Sequence[dict[str, Any]], cycles: Sequence[str]
) -> "Embedder | None":
    """Put the centroid and the measures by embeddings in place of those by words; None where it fails.

    `cycles` are the texts of the ribs' chat.
    """
    from reel_cli.features.recall.embeddings.endpoint import EmbeddingError
    from reel_cli.features.recall.embeddings.whole_texts import average, cosine, embed_texts

    try:
        vectors = embed_texts(embedder, cycles)
    except EmbeddingError:
        return None
    for rib, told in zip(ribs, described, strict=True):
        mine = vectors[rib.cycles[0] - 1 : rib.cycles[1]]
        alike = fmean(cosine(*pair) for pair in combinations(mine, 2)) if len(mine) > 1 else 1.0
        told["entropy"] = round(min(1.0, max(0.0, 1 - alike)), 6)
        told["retention"] = round(weigh_retention(rib.density, told["entropy"]), 6)
        vector = [round(value, _DIGITS) for value in average(mine)]
        told["centroid"] |= {"kind": "embeddings", "model": embedder.name, "vector": vector}
    return embedder


def _find_markers(rib: RibPoint, memories: Sequence[Memory]) -> Iterator[str]:
    """Yield the markers of the pages that tell of a rib, or their titles."""
    return (memory.marker or memory.title for memory in memories if is_told(memory, rib))
