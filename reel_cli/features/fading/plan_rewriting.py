"""Plan for rewritten pages, each checked against its memory and its source (REEL §6.2, §10.5).

A page that is not beyond doubt leaves its memory as it was: when in doubt, keep (REEL §3.3).
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import Claim, told
from reel_cli.core.evidence.phrases import Tape, fold, quotations
from reel_cli.core.evidence.tape_evidence import MOST_TOLD, TapeEvidence
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, LeftItem, Offer
from reel_cli.core.exchange.page_rewrite import MARKER_PARTS, Rewritten, read_rewriting
from reel_cli.core.exchange.reader.failure import tell_failure
from reel_cli.core.files.commit_message import ANEW, BETWEEN_DOUBTS, FORGOT, render_forgotten
from reel_cli.core.files.front_matter import set_fields, split
from reel_cli.core.files.memory_file import parse_memory, render_body
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.attention import read_attention
from reel_cli.core.values.artifact import Consolidation, Problem
from reel_cli.core.values.change import Change, titled
from reel_cli.core.values.memory import FIELDS, PLAIN, Level, Memory, coarseness, memory_path, where_of
from reel_cli.features.fading.ask import AskedPage, RewriteAsk, snapshot_blob
from reel_cli.features.fading.fading import SIZES
from reel_cli.features.fading.plain_step import carry_over
from reel_cli.features.fading.plan import descended, find_gauge
from reel_cli.features.fading.resemblance import copied_share, likeness

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.values.holdings import Counter

COPIED = 50
"""Percent of a page above which, copied verbatim from what was said, it tells nothing of its own."""
LEAST_LEFT = 4
"""A page shorter than its level's least and than one part in so many of what it was has lost too much."""
LEAST_ANEW = 60
"""Percent of its former length below which a rewritten page says less than before."""
STRANGE = 40
"""Percent of a page's words found in its memory and source below which it is about something else.

Faithful pages of eight models had 89 or more, pages of other memories 57 or fewer.
"""
CLEARLY = 1.1
"""A page that is so many times as like another page of the paste as its own is that one's."""


_NEGATION = f"grounding.{Claim.NEGATION.value}"


@dataclass(frozen=True, slots=True)
class Proposal:
    """One memory written again: how it would read, what it costs, and what is to be said against it.

    `doubts` are details its source does not bear and that it did not have before: a person may keep it
    all the same, nobody else does.
    """

    asked: AskedPage
    before: str
    body: str
    marker: str
    tokens_before: int
    tokens_after: int
    doubts: tuple[Problem, ...] = ()
    problems: tuple[Problem, ...] = ()
    measured: tuple[tuple[str, str], ...] = ()
    """The trailer of its figures, where it is a compression (SRIP-11 §III.6)."""
    doubted: tuple[str, ...] = ()
    """Details that nothing bears in the text as it was, each as `kind:claim`."""


def read_pages(
    snapshot: Snapshot, repo: "Repository", ask: RewriteAsk, reply: str, counter: "Counter"
) -> Answer:
    """Check every page of a reply against its memory; no decision of the person's is made."""
    settings = snapshot.settings
    if not reply.strip():
        return EMPTY
    asked_for = {page.id for page in ask.pages}
    found, problems, is_prompt = read_rewriting(
        reply,
        [page.title for page in ask.pages],
        [page.parts for page in ask.pages],
        prompt=ask.prompt,
        names=(settings.name,),
        strangers=[memory.title for memory in snapshot.memories.values() if memory.id not in asked_for],
    )
    if is_prompt:
        return NO_ANSWER
    judge = _Judge(snapshot, ask, counter)
    offers: list[Offer] = []
    left: list[LeftItem] = []
    for asked, written in zip(ask.pages, found, strict=True):
        one = judge.hold(asked, written)
        if isinstance(one, LeftItem):
            left.append(one)
        else:
            offers.append(_offer(snapshot, repo, ask, one, counter))
    if any(one.page or one.problems or (one.reading and one.reading.values) for one in found):
        return Answer(tuple(offers), tuple(left), problems)
    failure = tell_failure(reply)
    return Answer(tuple(offers), tuple(left), problems, failure, asks_again=failure.asks_again)


def _offer(
    snapshot: Snapshot, repo: "Repository", ask: RewriteAsk, one: Proposal, counter: "Counter"
) -> Offer:
    asked = one.asked
    sizes = f"{one.tokens_before:,} to {one.tokens_after:,} tokens"
    level = PLAIN[asked.level]
    change = level if one.before == asked.level else f"{PLAIN[one.before]} to {level}"
    before = snapshot.memories[asked.id].body
    shown: list[str] = []
    for heading, body in (("As it is:", before), ("As it would be:", one.body)):
        shown.append(heading)
        shown += [line for line in body.strip().splitlines() if line.strip()]
    return Offer(
        id=asked.id,
        title=_called(asked),
        heading=f"{_called(asked)}: {change}, {sizes}",
        shown=(*shown, *(f"? {p.what}" for p in one.problems)),
        plan=lambda now: plan_rewriting(now, repo, ask, one, counter),
        doubts=one.doubts,
        told={
            "from": one.before,
            "to": asked.level,
            "tokens_before": one.tokens_before,
            "tokens_after": one.tokens_after,
        },
    )


def plan_rewriting(
    snapshot: Snapshot, repo: "Repository", ask: RewriteAsk, proposal: Proposal, counter: "Counter"
) -> Change:
    """Return the change that keeps one page: its own commit, and a ledger line if it fell a level."""
    asked = proposal.asked
    memory = snapshot.memories.get(asked.id)
    why = _barred(snapshot, asked, ask)
    if memory is None or why:
        message = f"{why[:1].upper()}{why[1:]}."
        raise ReelError(message)
    if coarseness(asked.level) > coarseness(memory.level.value):
        writes, loss = descended(
            snapshot, repo, counter, memory, Level(asked.level), proposal.body, why=asked.why
        )
        if asked.parts != MARKER_PARTS:
            writes = _with_marker(writes, asked, proposal, counter)
        loss = replace(loss, doubted=BETWEEN_DOUBTS.join(proposal.doubted))
        trailers = [(FORGOT, render_forgotten(loss))]
        tokens = loss.tokens_after
        summary = f"{titled(memory.title, asked.id)}, {PLAIN[memory.level.value]} to {PLAIN[asked.level]}"
    else:
        writes = _written_anew(snapshot, asked, proposal)
        trailers = []
        tokens = proposal.tokens_after
        summary = f"{titled(memory.title, asked.id)}{ANEW}"
    trailers += [("Reel-Session", session) for session in memory.sessions]
    trailers.append(("Reel-Memory", f"{asked.id} {asked.level} {tokens}"))
    trailers += [("Reel-Tokenizer", counter.name), ("Reel-Ring0", ask.ring0), *proposal.measured]
    return Change(ask.op, summary, writes, tuple(trailers), reads=_journal(snapshot))


def _barred(snapshot: Snapshot, asked: AskedPage, ask: RewriteAsk) -> str:
    """Return why a memory must not be rewritten any more; "" if it may be.

    A pin set after the prompt went out is a person's word too; only where they go through what a larger
    window makes of it, one by one, does it not count.
    """
    if asked.id not in snapshot.memories:
        return "it is no longer there"
    if snapshot_blob(snapshot, asked.id) != asked.blob:
        return "it was changed after the prompt was made"
    if ask.purpose != "wider" and asked.id in read_attention(snapshot).pinned:
        return "it is pinned now"
    return ""


def _journal(snapshot: Snapshot) -> Mapping[str, bytes | None]:
    """Return the journal files, whose pins must be unchanged when the page is kept."""
    return {path: snapshot.read(path) for path in snapshot.list("journal") if path.endswith(".jsonl")}


def _called(asked: AskedPage) -> str:
    return f"{asked.title} ({asked.id})"


def _written_anew(snapshot: Snapshot, asked: AskedPage, proposal: Proposal) -> Mapping[str, bytes | None]:
    """Return the memory's file with a new body at its own level, or a finer one; other lines stay."""
    path = memory_path(asked.id)
    file = snapshot.text(path) or ""
    # the file's own word stays, which may be of a later version
    same = parse_memory(file, path).level.value == asked.level
    changes: dict[str, str | None] = {} if same else {"level": asked.level}
    if proposal.marker:
        changes["marker"] = render_scalar(proposal.marker)
    text = set_fields(file, changes, path)
    head = text.removesuffix(split(text, path).body)
    return {path: f"{head}{proposal.body}".encode()}


def _with_marker(
    writes: Mapping[str, bytes | None], asked: AskedPage, proposal: Proposal, counter: "Counter"
) -> Mapping[str, bytes | None]:
    """Return the files of a shorter page with the marker that came with it, where it has a marker's size."""
    path = memory_path(asked.id)
    file = writes.get(path)
    least, most = SIZES[Level.L3.value]
    if file is None or not least <= counter.count(proposal.marker) <= most:
        return writes
    text = set_fields(file.decode(), {"marker": render_scalar(proposal.marker)}, path)
    return {**writes, path: text.encode()}


class _Judge:
    """Checker of a reply's pages against their memories and against one another."""

    def __init__(self, snapshot: Snapshot, ask: RewriteAsk, counter: "Counter") -> None:
        self._snapshot = snapshot
        self._ask = ask
        self._counter = counter
        self._grounding = TapeEvidence(snapshot)
        self._said: dict[str, str] = {}
        self._gauge = find_gauge(snapshot) if ask.purpose == "shorter" else None

    def hold(self, asked: AskedPage, written: Rewritten) -> Proposal | LeftItem:
        """Return one page as a proposal, or why its memory stays as it is."""
        memory = self._snapshot.memories.get(asked.id)
        page = written.page
        body = _body(page, asked, memory, self._tape(memory)) if page and memory else ""
        if memory is not None and body and _is_so(memory, asked, body):
            return LeftItem(asked.id, _called(asked), "it was kept before", again=False, done=True)
        barred = _barred(self._snapshot, asked, self._ask)
        if memory is None or barred:
            return LeftItem(asked.id, _called(asked), barred, again=False)
        if page is None:
            return LeftItem(asked.id, _called(asked), written.why)
        before = self._counter.count(memory.body)
        after = self._counter.count(body)
        why = self._size(asked, before, after) or self._strange(asked, page)
        if why:
            return LeftItem(asked.id, _called(asked), why)
        found = self._unborne(asked, memory, body, page)
        # a negation told otherwise is reported too often where there is none
        unclear = tuple(problem for problem in found if problem.field == _NEGATION)
        doubts = tuple(problem for problem in found if problem.field != _NEGATION)
        verdict = self._gauge.judge(memory, Level(asked.level), body) if self._gauge is not None else None
        if verdict is not None and verdict.too_far and not doubts:
            more = "it stays as it was" if asked.again else "it is asked for once more"
            why = f"too much would be lost: {verdict.too_far}; {more}"
            return LeftItem(asked.id, _called(asked), why, again=not asked.again, lossy=True)
        return Proposal(
            asked,
            memory.level.value,
            body,
            page.marker,
            before,
            after,
            doubts,
            (*unclear, *(p for p in written.problems if p.field not in ("anchors", "kind", "immune"))),
            () if verdict is None else (verdict.trailer,),
            tuple(self._doubted(memory)),
        )

    def _doubted(self, memory: Memory) -> Iterator[str]:
        """Yield what is doubted in a memory as it stands: a larger window tells its words with a mark."""
        text = self._snapshot.text(memory_path(memory.id)) or ""
        for one in self._grounding.check(memory, text)[:MOST_TOLD]:
            yield f"{one.kind.value}:{one.claim}"

    def _size(self, asked: AskedPage, before: int, after: int) -> str:
        low, high = SIZES[asked.level]
        if self._ask.purpose == "shorter" and after >= before:
            return f"it grew: {before:,} tokens before, {after:,} now"
        if after > high:
            return f"it is {after:,} tokens long; a {PLAIN[asked.level]} has at most {high:,}"
        least = before * LEAST_ANEW // 100
        if self._ask.purpose == "shorter":
            least = min(low, before // LEAST_LEFT)
        elif self._ask.purpose == "anew":
            # much of it may never have been said; of a short talk there is little to tell
            said = self._counter.count(self._source(asked))
            least = min(least, low, said * LEAST_ANEW // 100)
        if after < least:
            return f"too little is left of it: {after:,} tokens of {before:,}"
        return ""

    def _strange(self, asked: AskedPage, page: Consolidation) -> str:
        """Return why the page belongs to another memory, or only copies what was said; "" if neither."""
        text = _told(page)
        if copied_share(text, self._source(asked)) * 100 > COPIED:
            return "it only repeats what was said, word for word"
        own = likeness(text, f"{self._old(asked)}\n{self._source(asked)}")
        for number, other in enumerate(self._ask.pages, start=1):
            if other.id != asked.id and not self._meet(asked.id, other.id):
                theirs = likeness(text, f"{self._old(other)}\n{self._source(other)}")
                if theirs > own * CLEARLY:
                    return f"it is about page {number}, {other.title}"
        if own * 100 < STRANGE:
            return "it is about something else"
        return ""

    def _meet(self, one: str, other: str) -> bool:
        """Return whether two memories share a session, so that text about one may concern the other."""
        sessions = [
            {span.session for span in where_of(memory)}
            for name in (one, other)
            if (memory := self._snapshot.memories.get(name)) is not None
        ]
        return len(sessions) > 1 and not sessions[0].isdisjoint(sessions[1])

    def _unborne(
        self, asked: AskedPage, memory: Memory, body: str, page: Consolidation
    ) -> tuple[Problem, ...]:
        """Return what neither source nor old memory supports; for a drifted one, only the source counts."""
        old = self._snapshot.text(memory_path(asked.id)) or ""
        drifted = self._ask.purpose == "anew"
        before = set() if drifted else {fold(one.claim) for one in self._grounding.check(memory, old)}
        text = body if asked.parts == MARKER_PARTS or not page.marker else f"{body}\n{page.marker}\n"
        found = self._grounding.check(memory, f"---\nid: {asked.id}\n---\n{text}")
        return tuple(
            Problem(f"grounding.{one.kind.value}", told(one))
            for one in found
            if fold(one.claim) not in before
        )

    def _tape(self, memory: Memory) -> Tape:
        return Tape(self._grounding.entries(where_of(memory)))

    def _source(self, asked: AskedPage) -> str:
        if asked.id not in self._said:
            memory = self._snapshot.memories.get(asked.id)
            spans = where_of(memory) if memory is not None else ()
            self._said[asked.id] = "\n".join(e.message.text for e in self._grounding.entries(spans))
        return self._said[asked.id]

    def _old(self, asked: AskedPage) -> str:
        memory = self._snapshot.memories.get(asked.id)
        return f"{memory.title}\n{memory.marker}\n{memory.body}" if memory is not None else ""


def _is_so(memory: Memory, asked: AskedPage, body: str) -> bool:
    """Return whether a memory has this body already, because the same reply was given before."""
    level = Level(asked.level)
    return memory.level is level and memory.body in (body, carry_over(body, memory.body, level))


def _told(page: Consolidation) -> str:
    return "\n".join((page.happened, page.changed, page.matters, *page.unresolved, page.marker)).strip()


def _body(page: Consolidation, asked: AskedPage, memory: Memory, tape: Tape) -> str:
    """Return the memory's new body; its anchor phrases stay."""
    if asked.parts == MARKER_PARTS:
        return f"\n{page.marker.strip()}\n"
    fields = render_body(
        {
            FIELDS[0]: page.happened,
            FIELDS[1]: page.changed or "Nothing.",
            FIELDS[2]: page.matters or "Nothing in particular.",
            FIELDS[3]: "\n".join(f"- {line}" for line in page.unresolved) or "Nothing.",
            FIELDS[4]: "\n".join(f'- "{phrase}"' for phrase in _anchors(page, memory, tape)) or "None.",
        }
    )
    return carry_over(fields, memory.body, Level(asked.level))


def _anchors(page: Consolidation, memory: Memory, tape: Tape) -> Sequence[str]:
    """Return the memory's anchor phrases; if it had none, the page's that were really said."""
    from reel_cli.core.files.markdown import split_sections

    section = split_sections(memory.body).get(FIELDS[4], "")
    kept = [phrase for phrase in quotations(section) if phrase != memory.anchor]
    if memory.anchor:
        kept.insert(0, memory.anchor)
    if not kept:
        kept = [found.text for phrase in page.anchors if (found := tape.find(phrase)) is not None]
    return kept
