"""Edges between pages: what each came from, went on in, and disagrees with (SRIP-11 §II, §IV)."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, pairwise

from reel_cli.core.errors import ReelError
from reel_cli.core.files.review_file import SETTLED, read_settled
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.read_holdings import list_clashes
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Memory
from reel_cli.features.threads.edges.edge import (
    WEIGHTS,
    Edge,
    EdgeType,
    Matters,
    find_shared,
    tell_change,
    tell_shared,
)
from reel_cli.features.threads.edges.mentions import find_mention
from reel_cli.features.threads.survey import Pages, ThreadSurvey, words_of

_QUOTED = 80
"""Characters that a reason quotes of a page."""


@frozen
class PageQuestion:
    """Pages whose edges are asked for: those of one page, or those among some."""

    around: str = ""
    among: frozenset[str] = frozenset()

    def asks(self, earlier: str, later: str) -> bool:
        """Return whether the edge between two pages is asked for."""
        return self.around in (earlier, later) if self.around else {earlier, later} <= self.among

    def pairs(self, memories: Sequence[Memory]) -> Iterator[tuple[Memory, Memory]]:
        """Yield the pairs of pages whose edge is asked for, the earlier first."""
        if not self.around:
            yield from combinations((memory for memory in memories if memory.id in self.among), 2)
            return
        at = next((place for place, memory in enumerate(memories) if memory.id == self.around), None)
        if at is not None:
            yield from ((memory, memories[at]) for memory in memories[:at])
            yield from ((memories[at], memory) for memory in memories[at + 1 :])


@frozen
class PageNet:
    """The pages of a kit with the matters that join them: `shared` by two places, the earlier first."""

    pages: Pages
    matters: Matters
    shared: Mapping[tuple[int, int], Sequence[str]]


def join_pages(pages: Pages, matters: Matters) -> PageNet:
    """Return the pages with the matters that join them."""
    nodes = [pages.terms[memory.id] for memory in pages.memories]
    return PageNet(pages, matters, find_shared(nodes, matters))


def find_page_edges(
    snapshot: Snapshot, net: PageNet, threads: Sequence[ThreadSurvey], question: PageQuestion
) -> list[Edge]:
    """Return the edges between pages that are asked for, from the earlier to the later one."""
    edges = [
        *_follow_threads(threads),
        *_share_matters(net, question),
        *_name_earlier(net, question),
        *_replace(snapshot, net.pages),
        *_contradict(snapshot),
    ]
    known = net.pages.terms.keys()
    return [edge for edge in edges if {edge.start, edge.end} <= known and question.asks(edge.start, edge.end)]


def _follow_threads(threads: Sequence[ThreadSurvey]) -> Iterator[Edge]:
    for one in threads:
        for earlier, later in pairwise(one.memories):
            before, after = (one.phases.get(_chat(memory)) for memory in (earlier, later))
            kind, reason = EdgeType.FOLLOWS, f"The next page on {one.thread.name}."
            if before and after and before is not after:
                kind = EdgeType.TRANSFORMS
                reason = f"The next page on {one.thread.name}; {tell_change(before, after)}."
            yield Edge(earlier.id, later.id, kind, WEIGHTS[kind], reason)


def _chat(memory: Memory) -> str:
    return memory.sessions[-1] if memory.sessions else ""


def _share_matters(net: PageNet, question: PageQuestion) -> Iterator[Edge]:
    memories, matters = net.pages.memories, net.matters
    for (one, other), terms in net.shared.items():
        earlier, later = memories[one], memories[other]
        # how a word is written is looked up only where it is told
        if question.asks(earlier.id, later.id):
            reason = tell_shared(terms, matters, [words_of(earlier), words_of(later)])
            yield Edge(earlier.id, later.id, EdgeType.CONTINUITY, matters.weigh(terms), reason)


def _name_earlier(net: PageNet, question: PageQuestion) -> Iterator[Edge]:
    """Yield the edges of pages that name an earlier page, its chat, or its day and a matter of it."""
    kind = EdgeType.CAUSES
    terms = net.pages.terms
    for earlier, later in question.pairs(net.pages.memories):
        shared = terms[earlier.id].keys() & terms[later.id].keys()
        names = (earlier.id, *earlier.sessions)
        by_day = not shared.isdisjoint(net.matters.chats)
        if words := find_mention(later, names, earlier.sessions, by_day=by_day):
            reason = f"{later.id} speaks of that time: “{one_line(words, _QUOTED)}”."
            yield Edge(earlier.id, later.id, kind, WEIGHTS[kind], reason)


def _replace(snapshot: Snapshot, pages: Pages) -> Iterator[Edge]:
    """Yield the pages of which a person said that a later page's words hold instead."""
    marked = {memory.id: memory.no_longer for memory in pages.memories if memory.no_longer}
    if not marked:
        return
    try:
        settled = read_settled(snapshot.text(SETTLED) or "")
    except ReelError:
        # reel doctor names it
        return
    for pair in settled.values():
        if not isinstance(pair, dict) or not {"older", "newer"} <= pair.keys():
            continue
        (one, _, gone), (other, _, holds) = (str(pair[side]).partition(": ") for side in ("older", "newer"))
        for start, end, words in ((one, other, holds), (other, one, gone)):
            if words and words in marked.get(start, ""):
                reason = f"What holds instead: “{one_line(words, _QUOTED)}”."
                yield Edge(start, end, EdgeType.TRANSFORMS, WEIGHTS[EdgeType.TRANSFORMS], reason)


def _contradict(snapshot: Snapshot) -> Iterator[Edge]:
    for clash in list_clashes(snapshot):
        says = " · ".join(f"“{one_line(side[1], _QUOTED)}”" for side in (clash.older, clash.newer))
        reason = f"The two do not agree: {says}."
        kind = EdgeType.CONTRADICTS
        yield Edge(clash.older[0], clash.newer[0], kind, WEIGHTS[kind], reason)
