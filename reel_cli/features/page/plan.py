"""Plan of a page: a model's reply, checked against the ask and the tape, becomes a change."""

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim, fold
from reel_cli.core.exchange.consolidation import parse_consolidation
from reel_cli.core.exchange.lived_words import without_syntax
from reel_cli.core.exchange.open_ask import Ask, count_parts, list_rest, read_replies, schema_for, until
from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PartPlan, parts_to_plan
from reel_cli.core.exchange.reader.failure import FEW, Failure, find_failure
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import COMBINED, COUNTED
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import BETWEEN, read_checkpoint
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import INDEX, WORKING, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.artifact import Checkpoint, Consolidation, Problem
from reel_cli.core.values.behavior import is_too_much_of_a_list
from reel_cli.core.values.change import Change, one_line, titled
from reel_cli.core.values.memory import IndexLine, Memory
from reel_cli.core.values.talk import Kind
from reel_cli.features.page.checkpoint_reply import parse_brief, parse_checkpoint
from reel_cli.features.page.due import checkpoints_of
from reel_cli.features.page.plan_checkpoint import CheckpointSource, PageTerms, plan_checkpoint, plan_loops
from reel_cli.features.page.proposals import HEADING
from reel_cli.features.page.short_page import find_short_memory

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer
    from reel_cli.core.values.settings import Settings


EMPTY_MEMORY = '"What happened" is empty, and that is the memory itself.'
PARTS_KEPT = "parts are kept"
"""Words of a refusal that are true only where what came through is kept."""


@frozen
class Phrase:
    """One line to find a memory by: as the model gave it, and what was really said.

    `found` stands on the tape word for word; else `nearest` is what comes closest, or None.
    """

    claimed: str
    found: PhraseMatch | None
    nearest: PhraseMatch | None = None


@frozen
class Page:
    """A reply, read and held against the tape; `refusal` says why it cannot be kept, if so.

    `problems` are named in any case; those that do not refuse never block.
    """

    ask: Ask
    reply: str
    reading: ReplyReading
    consolidation: Consolidation | None
    checkpoint: Checkpoint | None
    phrases: tuple[Phrase, ...]
    problems: tuple[Problem, ...]
    missing: tuple[str, ...] = ()
    refusal: str = ""
    alone: ReplyReading | None = None
    """The reading of this reply by itself."""
    adds: bool = True
    """False if nothing of the page is in this reply, whatever came before it."""


@frozen
class PagePlan:
    """The plan for keeping a page: the change, and what to show of it."""

    change: Change
    memories: tuple[Memory, ...] = ()
    index: tuple[IndexLine, ...] = ()
    checkpoint: str | None = None
    shown: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Changes in words: (heading, lines that begin with `+`, `-` or `~`)."""
    short: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """By heading, the lines of a section that are shown until a person asks for all; the others are whole."""
    problems: tuple[Problem, ...] = field(default=())
    told: Mapping[str, Any] = field(default_factory=dict)
    """Values for a program from the parts of features."""
    brief: bool = False
    """True for a short page, of which more can be asked for later."""


def limit_to_reply(snapshot: Snapshot, ask: Ask, reply: str) -> Ask:
    """Return the ask without what was said after its reply, where the tape knows where the reply was given.

    A person may go on talking after the page and only then keep it. Those turns are in no page yet.
    """
    if ask.op not in ("checkpoint", "consolidate") or not ask.session:
        return ask
    first = fold(ask.replies[0] if ask.replies else reply)
    session = read_session(snapshot, ask.session)
    last = 0
    for entry in session.entries if first else ():
        last = max(last, entry.number or 0)
        own = entry.message.kind is Kind.EXCHANGE and entry.message.role == "assistant"
        if own and last and first in fold(entry.message.text):
            said = sum((one.number or 0) <= last for one in session.shown())
            span = until(ask.span, last) if ask.span is not None else None
            return replace(ask, said=said, span=span) if span is not None or ask.op == "checkpoint" else ask
    return ask


def read_page(snapshot: Snapshot, ask: Ask, reply: str) -> Page:
    """Read a reply to an ask; nothing is decided that a person should decide."""
    settings = snapshot.settings
    reading, taken_out = without_syntax(read_replies(ask, (settings.name,), reply))
    alone = read_replies(replace(ask, replies=()), (settings.name,), reply) if ask.replies else reading
    missing = tuple(spec.key for spec in reading.missing)
    # text under an unknown heading counts for the known ones, and is not asked for under its own name
    problems = [p for p in reading.findings if p.field in ask.parts or p.field not in missing]
    refusal = _refusal(snapshot, ask, reply, reading, alone)
    if refusal == EMPTY_MEMORY and any(problem.field == "happened" for problem in taken_out):
        refusal = '"What happened" holds only scene tags or message headers, and no memory of what was lived.'
    consolidation = checkpoint = None
    phrases: tuple[Phrase, ...] = ()
    if not refusal:
        if ask.span is not None and "happened" in ask.parts:
            consolidation, found = parse_consolidation(reading)
            problems += found
            phrases = _hold_against_tape(snapshot, ask, consolidation.anchors)
            refusal = _of_another_session(snapshot, ask, phrases)
        if "coherence" in ask.parts:
            titles = [exemplar.title for exemplar in snapshot.exemplars.values()]
            checkpoint, found = parse_checkpoint(reading, ask.items, titles)
            problems += found
        elif ask.brief:
            titles = [exemplar.title for exemplar in snapshot.exemplars.values()]
            checkpoint, found = parse_brief(reading, ask.items, titles)
            problems += found
        problems += [*taken_out, *_lists(reading, settings)]
    # a refusal under the first heading is no part of a page
    adds = bool(alone.values) and find_page_failure(snapshot, reply, alone) is None
    return Page(
        ask,
        reply,
        reading,
        consolidation,
        checkpoint,
        phrases,
        tuple(problems),
        missing,
        refusal,
        alone,
        adds=adds,
    )


def choose_nearest(page: Page, likeness: int) -> tuple[list[PhraseMatch], list[Problem]]:
    """Settle the phrases without a person: the nearest at or above `likeness`, else dropped; all reported."""
    kept: list[PhraseMatch] = []
    problems: list[Problem] = []
    for phrase in page.phrases:
        if phrase.found is not None:
            kept.append(phrase.found)
        elif phrase.nearest is not None and phrase.nearest.likeness >= likeness:
            kept.append(phrase.nearest)
            problems.append(
                Problem(
                    "anchors",
                    f'"{phrase.claimed}" was not said so; took "{phrase.nearest.text}" '
                    f"(message {phrase.nearest.number}, {phrase.nearest.likeness // 100} % alike)",
                )
            )
        else:
            problems.append(Problem("anchors", f'"{phrase.claimed}" was not said; dropped'))
    return kept, problems


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

    def add_memory(self, consolidation: Consolidation, phrases: Sequence[PhraseMatch]) -> None:
        """Add the memory that a consolidation makes, and what it leaves open."""
        from reel_cli.features.page.plan_memory import MemorySource, plan_memory, show_memory

        snapshot, page, ask, tokenizer = self.snapshot, self.page, self.page.ask, self.terms.tokenizer
        uid = page_uid(ask, page.reply, self.terms.now)
        short = _short_memory(snapshot, ask)
        source = MemorySource(consolidation, ask, self.session, phrases, page.checkpoint, uid, short)
        made = plan_memory(snapshot, source, self.terms)
        self.memories, self.index = (made.memory,), made.index
        self.writes.update(made.writes)
        self.problems += made.problems
        size = tokenizer.count(made.memory.body)
        self.trailers.append(("Reel-Memory", f"{made.memory.id} {made.memory.level} {size}"))
        self.trailers.append(("Reel-Tokenizer", tokenizer.name))
        self.trailers += [("Reel-Index", line.id) for line in made.index if line.id != made.memory.id]
        heading, lines = show_memory(made, size, self.snapshot.settings.name)
        self.shown.append((heading, lines))
        # the page itself was read in the chat; how it is told in a breath is enough to know it by
        self.short[heading] = lines[:1]
        if made.waits:
            self.shown.append((HEADING, made.waits))
        if page.checkpoint is None and ask.session == standing_sessions(snapshot)[-1]:
            left_open = plan_loops(snapshot, consolidation.unresolved)
            self.writes.update(left_open.writes)
            self.shown += left_open.shown

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

    def plan_parts(self, parts: Sequence[PagePart]) -> Iterator[PartPlan]:
        """Add the parts of features in the order they are shown in; what each writes, the next one sees."""
        page, terms = self.page, self.terms
        asked = (self.snapshot, page.ask, page.reading, self.session)
        answer = PageAnswer(
            *asked, terms.now, terms.tokenizer, terms.highest_number, self.writes, terms.unattended
        )
        for part in sorted(parts, key=lambda part: part.place):
            planned = part.plan(answer)
            self.writes.update(planned.writes)
            self.trailers += planned.trailers
            self.problems += planned.problems
            self.shown += planned.shown
            self.index = (*self.index, *planned.index)
            yield planned

    def add_contradictions(self) -> None:
        """Add what contradicts what is known, where there is anything yet that a page could contradict."""
        if not _holds_anything(self.snapshot):
            return
        from reel_cli.features.contradictions.find import plan_contradictions

        day, session = stamp(self.terms.now), self.page.ask.session
        planned = self.snapshot.after(Change(self.page.ask.op, "", dict(self.writes)))
        at_odds = plan_contradictions(self.snapshot, self.memories, planned, session, day)
        self.writes.update(at_odds.writes)
        self.problems += at_odds.problems

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
        return PagePlan(
            change,
            memories=self.memories,
            index=self.index,
            checkpoint=self.checkpoint_file,
            shown=_as_one(self.shown),
            short=self.short,
            problems=tuple(self.problems),
            told=told,
            brief=checkpoint is not None and checkpoint.short,
        )


def _short_memory(snapshot: Snapshot, ask: Ask) -> Memory | None:
    """Return the memory of a short page that this page completes."""
    short = find_short_memory(snapshot, ask.session) if not ask.brief else None
    return short if short is not None and short.source[0] == ask.span else None


def _as_one(shown: Sequence[tuple[str, tuple[str, ...]]]) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the shown sections, with everything that waits for a decision under the last heading."""
    waits = [line for heading, lines in shown if heading == HEADING for line in lines]
    rest = [one for one in shown if one[0] != HEADING]
    return (*rest, (HEADING, tuple(waits))) if waits else tuple(rest)


def _holds_anything(snapshot: Snapshot) -> bool:
    """Return whether there is anything yet that a page could contradict."""
    if snapshot.memories or snapshot.index.lines:
        return True
    text = snapshot.text(WORKING) or ""
    try:
        return bool(working_file.read_items(text) or working_file.read_section(text, "State").strip())
    except ReelError:
        return True


_LATEST = 20
"""Number of chats, back from the newest, in which the words of a reply are looked up."""


def find_page_failure(snapshot: Snapshot, reply: str, alone: ReplyReading) -> Failure | None:
    """Return what a reply is that is no page, the recorded chat among it; None for one that may be a page."""
    failure = find_failure(reply, alone)
    # an export of the chat has a title and a date of its own
    headless = failure is None and not alone.values.keys() - {"title", "timestamp"}
    if not headless and failure not in (Failure.TALK, Failure.OTHER_TEXT, Failure.LIST, Failure.DATA):
        return failure
    text = squash(reply)
    for session in [*reversed(standing_sessions(snapshot))][:_LATEST]:
        said = [squash(entry.message.text) for entry in read_session(snapshot, session).shown()]
        again = [one for one in said if one and one in text]
        if len(again) > 1 and sum(map(len, again)) * 2 > len(text):
            return Failure.CHAT
    return failure


def _refusal(snapshot: Snapshot, ask: Ask, reply: str, reading: ReplyReading, alone: ReplyReading) -> str:
    """Return why a reply cannot be kept, in one sentence; "" if it can.

    `reading` is that of all that came so far, `alone` that of the reply by itself.
    """
    failure = find_page_failure(snapshot, reply, alone)
    if failure in (Failure.EMPTY, Failure.PROMPT, Failure.CHAT):
        return failure
    nothing = _of_another_prompt(ask, reply, reading if alone.values else alone) or failure
    if nothing:
        return nothing
    for path in checkpoints_of(snapshot, ask.session):
        old = _earlier_reply(snapshot, path)
        if fold(reply) in [fold(part) for part in (old, *old.split(BETWEEN)) if part]:
            return f"That page is in the kit already ({path})."
    if reading.missing:
        got, asked = count_parts(ask.parts, reading)
        left = [spec for spec in list_rest(ask, reading) if spec.key in COUNTED]
        order = [spec.key for spec in reading.schema.fields]
        ended = order.index(reading.last) if reading.last else -1
        after = (spec for spec in left if order.index(spec.key) > ended)
        first = next(after, reading.missing[0]).label
        if alone.repeated is not None and alone.repeated.at_end:
            return f'The model repeats itself before it comes to "{first}"; {got} of {asked} {PARTS_KEPT}.'
        if alone.broken and reading.broken:
            label = reading.schema[reading.broken].label
            return f'The reply stops in the middle of "{label}"; {got} of {asked} {PARTS_KEPT}.'
        if reading.cut_off:
            return f'The reply stops before "{first}"; {got} of {asked} {PARTS_KEPT}.'
        names = ", ".join(f'"{spec.label}"' for spec in left[:3])
        more = f" and {len(left) - 3} more" if len(left) > 3 else ""
        verb = "is" if len(left) == 1 else "are"
        return f"{names}{more} {verb} missing; {got} of {asked} {PARTS_KEPT}."
    if "happened" in ask.parts and ask.span is not None and reading.empty("happened"):
        return EMPTY_MEMORY
    return ""


def _of_another_prompt(ask: Ask, reply: str, reading: ReplyReading) -> str:
    """Return why a reply answers another prompt and not a page's; "" if it may be a page."""
    if len(reading.answered) > FEW:
        return ""
    from reel_cli.core.exchange.schema import find_headings, tell_other

    own = [spec.label for spec in (*COMBINED.fields, *schema_for(ask.parts).fields)]
    return next(map(tell_other, find_headings(reply, own)), "")


def _earlier_reply(snapshot: Snapshot, path: str) -> str:
    """Return the reply that a checkpoint file keeps; "" if the file is unreadable."""
    try:
        return read_checkpoint(snapshot.text(path) or "", path).get("reply", "")
    except ReelError:
        return ""


def _hold_against_tape(snapshot: Snapshot, ask: Ask, claimed: Sequence[str]) -> tuple[Phrase, ...]:
    shown = read_session(snapshot, ask.session).shown()
    span = ask.span
    tape = Tape([e for e in shown if span is None or span.first <= (e.number or 0) <= span.last])
    phrases = []
    for phrase in claimed:
        found = find_claim(tape, phrase)
        phrases.append(Phrase(phrase, found, None if found else tape.nearest(phrase)))
    return tuple(phrases)


def _of_another_session(snapshot: Snapshot, ask: Ask, phrases: Sequence[Phrase]) -> str:
    """Return that the page is about another session: no phrase is here, most are there; else ""."""
    if len(phrases) < 2 or any(phrase.found for phrase in phrases):
        return ""
    for other in [s for s in reversed(standing_sessions(snapshot)) if s != ask.session][:_LATEST]:
        tape = Tape(read_session(snapshot, other).shown())
        if sum(tape.find(phrase.claimed) is not None for phrase in phrases) * 2 > len(phrases):
            return f"That page is about chat {other}, not {ask.session}."
    return ""


def _lists(reading: ReplyReading, settings: "Settings") -> list[Problem]:
    """Return a problem for each list that should be prose, if the kit avoids lists."""
    return [
        Problem(key, "is a list, where sentences were asked for")
        for key in ("happened", "changed", "matters", "marker")
        if is_too_much_of_a_list(reading.text(key), settings)
    ]


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
    return [Problem("notes", f"working memory is now {size:,} tokens, over its range of {most:,}")]


def _whole_reply(page: Page) -> str:
    """Return the reply as given; if it came in parts, all of them."""
    return BETWEEN.join((*page.ask.replies, page.reply))


def page_uid(ask: Ask, reply: str, now: datetime) -> str:
    """Return eight hex digits that tell equal pages of two machines apart."""
    return hashlib.sha256(f"{ask.name}\0{now.isoformat()}\0{reply}".encode()).hexdigest()[:8]
