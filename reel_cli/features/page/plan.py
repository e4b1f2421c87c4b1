"""Plan of a page: what a reply says, once it is read, becomes a change."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import told as in_words
from reel_cli.core.evidence.note_check import check_new_notes, note_key
from reel_cli.core.evidence.phrases import PhraseMatch
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PartPlan, parts_to_plan
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import BETWEEN
from reel_cli.core.files.commit_message import CLOSED, FORGOT, NOTE, Forgotten, render_forgotten
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.review_file import SETTLED, settle_doubt
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import INDEX, WORKING, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.artifact import Checkpoint, Consolidation, Problem
from reel_cli.core.values.change import Change, one_line, titled
from reel_cli.core.values.memory import PAST_STATES, IndexLine, Level, Memory, memory_path
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.page.notes.closing_review import HEADING as NOTES
from reel_cli.features.page.notes.closing_review import review_closings
from reel_cli.features.page.notes.plan_notes import (
    has_newer_page,
    in_short,
    is_of_whole,
    plan_loops,
)
from reel_cli.features.page.notes.resting_notes import REASON, RESTING, name_resting, rest_notes, tell_resting
from reel_cli.features.page.past_states import (
    PAST_STATE,
    PastState,
    find_earlier_states,
    find_past_states,
    keep_past_states,
)
from reel_cli.features.page.plan_checkpoint import CheckpointSource, PageTerms, plan_checkpoint
from reel_cli.features.page.proposals import HEADING
from reel_cli.features.page.read_page import Page
from reel_cli.features.page.short_page import find_short_memory, find_whole_memory

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer


@frozen
class PagePlan:
    """The plan for keeping a page: the change, and what to show of it."""

    change: Change
    memories: tuple[Memory, ...] = ()
    index: tuple[IndexLine, ...] = ()
    checkpoint: str | None = None
    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Changes in words: (heading, lines)."""
    short: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By heading, the lines of a section that are shown until a person asks for all; the others are whole."""
    problems: tuple[Problem, ...] = field(default=())
    told: Mapping[str, Any] = field(default_factory=dict)
    """Values for a program from the parts of features."""
    brief: bool = False
    """True for a short page, of which more can be asked for later."""
    doubts: Mapping[str, str] = field(default_factory=dict)
    """Sentences of its memory that the tape does not bear, by the key under which a person settles each."""

    def seen(self, snapshot: Snapshot, day: str) -> Change:
        """Return the change as a person who was shown its doubts keeps it: they are not asked about again."""
        if not self.doubts:
            return self.change
        settled = (self.change.writes.get(SETTLED) or snapshot.read(SETTLED) or b"").decode()
        for key, doubt in self.doubts.items():
            settled = settle_doubt(settled, key, doubt, day)
        return replace(self.change, writes={**self.change.writes, SETTLED: settled.encode()})


def plan_page(snapshot: Snapshot, page: Page, phrases: Sequence[PhraseMatch], terms: PageTerms) -> PagePlan:
    """Return the change that keeps a page: memory, index, checkpoint, notes, active set, proposals.

    `phrases` are the lines to find it by, each verbatim on the tape.
    """
    draft = _PageDraft(snapshot, page, terms)
    parts, told = parts_to_plan(page.ask.parts, snapshot)
    if page.consolidation is not None and page.ask.span is not None:
        draft.add_memory(page.consolidation, phrases)
    if page.checkpoint is not None:
        draft.add_checkpoint(page.checkpoint)
        for brought in draft.plan_parts(parts):
            told |= brought.told
        draft.problems += _over_range(snapshot, draft.writes, terms.tokenizer)
    draft.add_note_doubts()
    draft.add_contradictions()
    return draft.finish(told)


class _PageDraft:
    """The plan of a page in the making."""

    def __init__(self, snapshot: Snapshot, page: Page, terms: PageTerms) -> None:
        """Begin with what the reader found."""
        self.snapshot, self.page, self.terms = snapshot, page, terms
        self.session = read_session(snapshot, page.ask.session)
        self.writes: dict[str, bytes | None] = {}
        self.trailers: list[tuple[str, str]] = [("Reel-Session", page.ask.session)]
        self.problems: list[Problem] = list(page.problems)
        self.shown: list[tuple[str, tuple[str, ...]]] = []
        self.short: dict[str, Sequence[str]] = {}
        self.memories: tuple[Memory, ...] = ()
        self.index: tuple[IndexLine, ...] = ()
        self.checkpoint_file: str | None = None
        self.doubts: Mapping[str, str] = {}
        self.refused: list[str] = []
        self._evidence = TapeEvidence(snapshot)

    def add_memory(self, consolidation: Consolidation, phrases: Sequence[PhraseMatch]) -> None:
        """Add the memory that a consolidation makes, and what it leaves open."""
        from reel_cli.features.page.plan_memory import MemorySource, plan_memory, show_memory

        snapshot, page, ask, tokenizer = self.snapshot, self.page, self.page.ask, self.terms.tokenizer
        uid = page_uid(ask, page.reply, self.terms.now)
        short = _earlier_memory(snapshot, ask)
        past = [*self._find_past_states(), *find_earlier_states(snapshot, self.terms.repository, ask.session)]
        source = MemorySource(consolidation, ask, self.session, phrases, page.checkpoint, uid, short, past)
        made = plan_memory(snapshot, source, self.terms, self._evidence)
        self.memories, self.index = (made.memory,), made.index
        self.writes.update(made.writes)
        self.problems += made.problems
        self.doubts = made.doubts
        size = tokenizer.count(made.memory.body)
        self.trailers.append(("Reel-Memory", f"{made.memory.id} {made.memory.level} {size}"))
        self.trailers.append(("Reel-Tokenizer", tokenizer.name))
        self.trailers += [("Reel-Index", line.id) for line in made.index if line.id != made.memory.id]
        self.trailers += [(PAST_STATE, one.trailer) for one in past]
        again = ask.anew and short is not None
        heading, lines = show_memory(made, self.snapshot.settings.name, again=again)
        self.shown.append((heading, lines))
        # the page itself was read in the chat; how it is told in a breath is enough to know it by
        self.short[heading] = lines[:1]
        if made.waits:
            self.shown.append((HEADING, made.waits))
        if page.checkpoint is None and ask.session == standing_sessions(snapshot)[-1]:
            left_open = plan_loops(snapshot, consolidation.unresolved, self._said_by_user())
            self.writes.update(left_open.writes)
            self.shown += left_open.shown

    def _said_by_user(self) -> Sequence[str]:
        return [one.message.text for one in self.session.shown() if one.message.role == "user"]

    def _find_past_states(self) -> Sequence[PastState]:
        """Return what the page ends that was so for long; nothing where a later chat has its page already."""
        snapshot, ask, checkpoint = self.snapshot, self.page.ask, self.page.checkpoint
        if checkpoint is None or has_newer_page(snapshot, ask.session):
            return ()
        unattended, repository = self.terms.unattended, self.terms.repository
        review = review_closings(snapshot, checkpoint, ask, self.session, unattended=unattended)
        return find_past_states(snapshot, repository, checkpoint, ask, review.held)

    def add_checkpoint(self, checkpoint: Checkpoint) -> None:
        """Add what the fields of a checkpoint change."""
        snapshot, writes = self.snapshot, self.writes
        reply = _whole_reply(self.page)
        source = CheckpointSource(checkpoint, self.page.ask, self.session, reply, self.memories)
        kept = plan_checkpoint(snapshot, source, self.terms)
        writes.update(kept.writes)
        if kept.marked:
            text = writes.get(INDEX) or snapshot.read(INDEX) or b""
            writes[INDEX] = put_lines(text.decode(), [line_for(m) for m in kept.marked]).encode()
        self.checkpoint_file = kept.path
        self.problems += kept.problems
        self.shown += kept.shown
        self.short |= dict.fromkeys(kept.usual, ())
        self._rest_notes()
        if not self.memories:
            self._keep_past_states()

    def _say_still(self) -> Sequence[str]:
        """Return the notes of which the page says by their number that they go on."""
        items, checkpoint = self.page.ask.items, self.page.checkpoint
        numbers = checkpoint.delta.still if checkpoint is not None else ()
        return [items[number - 1].text for number in numbers if 0 < number <= len(items)]

    def _rest_notes(self) -> None:
        """Let notes rest that are over, or not spoken of for long; history and the memories have them."""
        session = self.page.ask.session
        if has_newer_page(self.snapshot, session):
            return
        before = self.snapshot.text(WORKING) or ""
        after = (self.writes.get(WORKING) or before.encode()).decode()
        repository, count = self.terms.repository, self.terms.tokenizer.count
        text, resting = rest_notes(self.snapshot, before, after, session, self._say_still(), repository)
        if not resting:
            return
        self.writes[WORKING] = text.encode()
        blob = repository.blob_id(before.encode()) if repository is not None else ""
        for item in resting:
            loss = Forgotten(
                WORKING, NOTE, CLOSED, count(item.text), 0, "", blob, one_line(item.text, REASON)
            )
            self.trailers.append((FORGOT, render_forgotten(loss)))
        told = tell_resting(resting)
        self.shown.append((RESTING, (told, *(f"rests: {item.text}" for item in resting))))
        self.short[RESTING] = (told, f"rests: {name_resting(resting)}")

    def _keep_past_states(self) -> None:
        """Put what a checkpoint without a memory ends into the one that its chat has already."""
        session = self.page.ask.session
        whole = (Level.L1, Level.L2)
        own = [m for m in self.snapshot.memories.values() if session in m.sessions and m.level in whole]
        past = self._find_past_states() if own else ()
        if past:
            memory, path = own[-1], memory_path(own[-1].id)
            text = (self.writes.get(path) or self.snapshot.read(path) or b"").decode()
            self.writes[path] = keep_past_states(memory, text, past).encode()
            self.trailers += [(PAST_STATE, one.trailer) for one in past]
            self.shown.append((f"{PAST_STATES}, in {memory.title}", tuple(f"+ {one.line}" for one in past)))

    def plan_parts(self, parts: Sequence[PagePart]) -> Iterator[PartPlan]:
        """Add the parts of features in the order they are shown in; what each writes, the next one sees."""
        page, terms = self.page, self.terms
        asked = (self.snapshot, page.ask, page.reading, self.session)
        answer = PageAnswer(
            *asked,
            terms.now,
            terms.tokenizer,
            terms.highest_number,
            self.writes,
            terms.unattended,
            terms.sent_by,
        )
        for part in sorted(parts, key=lambda part: part.place):
            planned = part.plan(answer)
            self.writes.update(planned.writes)
            self.trailers += planned.trailers
            self.problems += planned.problems
            self.shown += planned.shown
            self.index = (*self.index, *planned.index)
            self.refused += planned.refused
            for heading, lines in planned.shown:
                if heading in self.short and heading not in planned.short:
                    self.short[heading] = (*self.short[heading], *lines)
            self.short |= planned.short
            yield planned

    def add_note_doubts(self) -> None:
        """Add what the page says in its notes and nothing known bears; once what its memory says as well."""
        ask, after = self.page.ask, self.writes.get(WORKING)
        if after is None:
            return
        before = self.snapshot.text(WORKING) or ""
        span = ask.span or SourceRange(ask.session, 1, 0)
        told = [problem.what for problem in self.problems if problem.field.startswith("grounding.")]
        for one in check_new_notes(self._evidence, before, after.decode(), [span]):
            what = in_words(one)
            self.doubts = {**self.doubts, note_key(one): one_line(f"{WORKING}: {what}", 300)}
            if not any(other.startswith(what.partition(";")[0]) for other in told):
                self.problems.append(Problem(f"grounding.{one.kind.value}", what))

    def add_contradictions(self) -> None:
        """Add what contradicts what is known, where there is anything yet that a page could contradict."""
        if not _holds_anything(self.snapshot):
            return
        from reel_cli.features.contradictions.find import plan_contradictions

        day, session = stamp(self.terms.now), self.page.ask.session
        planned = self.snapshot.after(Change(self.page.ask.op, "", dict(self.writes)))
        at_odds = plan_contradictions(self.snapshot, self.memories, planned, session, day, self.refused)
        self.writes.update(at_odds.writes)
        self.problems += at_odds.problems
        if at_odds.noted:
            self.shown.append((NOTES, at_odds.noted))

    def finish(self, told: Mapping[str, Any]) -> PagePlan:
        """Return the plan; `told` are values of features' parts for a program."""
        ask, checkpoint = self.page.ask, self.page.checkpoint
        title = self.memories[0].title if self.memories else f"chat {ask.session}"
        change = Change(
            op=ask.op,
            summary=titled(one_line(title, 100), ask.session) if self.memories else title,
            writes=self.writes,
            trailers=(*self.trailers, ("Reel-Ring0", ask.ring0)),
        )
        shown = _as_one(self.shown)
        self.short |= {name: in_short(lines) for name, lines in shown if name == NOTES}
        return PagePlan(
            change,
            memories=self.memories,
            index=self.index,
            checkpoint=self.checkpoint_file,
            shown=shown,
            short=self.short,
            problems=tuple(self.problems),
            told=told,
            brief=checkpoint is not None and checkpoint.short,
            doubts=self.doubts,
        )


def _earlier_memory(snapshot: Snapshot, ask: Ask) -> Memory | None:
    """Return the memory that this page completes or writes again: a short page's, or that of all its chat."""
    if ask.anew:
        return find_whole_memory(snapshot, ask.session)
    short = find_short_memory(snapshot, ask.session) if not ask.brief else None
    return short if short is not None and short.source[0] == ask.span else None


def _as_one(shown: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the shown sections, each heading once; what waits for a decision comes last."""
    joined: dict[str, tuple[str, ...]] = {}
    for heading, lines in shown:
        joined[heading] = (*joined.get(heading, ()), *lines)
    if NOTES in joined:
        joined[NOTES] = tuple(sorted(joined[NOTES], key=is_of_whole))
    # a fact, which may keep somebody safe, comes before an example
    waits = tuple(sorted(joined.pop(HEADING, ()), key=lambda line: not line.startswith("a fact: ")))
    return (*joined.items(), (HEADING, waits)) if waits else tuple(joined.items())


def _holds_anything(snapshot: Snapshot) -> bool:
    """Return whether there is anything yet that a page could contradict."""
    if snapshot.memories or snapshot.index.lines:
        return True
    text = snapshot.text(WORKING) or ""
    try:
        return bool(working_file.read_items(text) or working_file.read_section(text, "State").strip())
    except ReelError:
        return True


def _over_range(
    snapshot: Snapshot, writes: Mapping[str, bytes | None], tokenizer: "Tokenizer"
) -> list[Problem]:
    data = writes.get(WORKING)
    if data is None:
        return []
    size = tokenizer.count(working_file.read_body(data.decode()))
    most = snapshot.settings.ranges["2"].tokens(snapshot.settings.cap)[1]
    if size <= most:
        return []
    # `reel maintain` lets notes go
    what = f"the notes take {size:,} tokens now, more than the {most:,} meant for them"
    return [Problem("notes", what, quiet=True)]


def digest_plan(page: Page, plan: PagePlan) -> str:
    """Return a short name of what a person is shown of a page: another for another answer or effect."""
    shown = [list(plan.shown), [problem.what for problem in plan.problems]]
    told = json.dumps([page.ask.name, _whole_reply(page), shown])
    return hashlib.sha256(told.encode()).hexdigest()[:16]


def _whole_reply(page: Page) -> str:
    """Return the reply as given; if it came in parts, all of them."""
    return BETWEEN.join((*page.ask.replies, page.reply))


def page_uid(ask: Ask, reply: str, now: datetime) -> str:
    """Return eight hex digits that tell equal pages of two machines apart."""
    return hashlib.sha256(f"{ask.name}\0{now.isoformat()}\0{reply}".encode()).hexdigest()[:8]
