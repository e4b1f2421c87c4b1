"""A checkpoint acts: on working memory, the active set, immunity, and what waits for review (REEL §6.6)."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.evidence.own_words import telling
from reel_cli.core.evidence.phrases import Tape, find_claim, quotations
from reel_cli.core.exchange.open_ask import Ask, match_items
from reel_cli.core.files import front_matter, working_file
from reel_cli.core.files.checkpoint_file import checkpoint_path, render_checkpoint
from reel_cli.core.files.exemplar_file import set_active
from reel_cli.core.files.memory_file import memory_path
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.files.working_file import without_day
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.approved_rings import has_pending_rotation
from reel_cli.core.kit.snapshot import ACTIVE, WORKING, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.pack.words import quote_said
from reel_cli.core.tape.stage_chain import remove_syntax
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.approval import held_closings, why_held
from reel_cli.core.values.artifact import Checkpoint, Problem, Verdict
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import ActiveSet, Item, Memory
from reel_cli.core.values.talk import Session, session_order
from reel_cli.features.page.calibration import carry_on
from reel_cli.features.page.drift.measure import Measure, SessionDrift, describe
from reel_cli.features.page.drift.sessions import measure_session, render_measure
from reel_cli.features.page.note_likeness import (
    is_same_matter,
    nearly_same,
    says_no_more,
    session_day,
    with_day,
)
from reel_cli.features.page.proposals import (
    HEADING,
    SHORTEST_QUOTE,
    is_flagged_by_person,
    plan_proposals,
    propose_closing,
    propose_immunity,
    tell_held_immunity,
    waits_already,
)

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.tokens.counter import Tokenizer

_ID = re.compile(r"\bM-\d{3,}\b")
_KEY = re.compile(r"^[ \t]*(?:- )?[a-z][a-z_ ]{1,20}:[ ]+")
"""A key that a structured reply puts before each of its values, at the beginning of a line."""


@frozen
class CheckpointFiles:
    """The files a checkpoint writes, and what to show of it."""

    path: str
    writes: Mapping[str, bytes]
    shown: list[tuple[str, tuple[str, ...]]]
    problems: list[Problem]
    usual: Sequence[str] = ()
    """Headings of what is shown and is as always."""
    marked: tuple[Memory, ...] = ()
    """Memories that became immune: their index lines are to be rendered anew."""


@frozen
class PageTerms:
    """The conditions under which a page is kept.

    `highest_number` gives the highest memory number that history ever used. `unattended`: nobody reads the
    page before it is kept, so that what only a person may decide is laid into `review/` (see
    `core/values/approval`). `repository` tells whether the active set has an edit by hand that is not
    approved: the page then leaves it as it is.
    """

    now: datetime
    tokenizer: "Tokenizer"
    highest_number: Callable[[], int]
    unattended: bool = False
    repository: "Repository | None" = None


@frozen
class CheckpointSource:
    """A checkpoint as it came: of which ask, session and reply.

    `fresh` are memories made of the same reply, which carry its flags already.
    """

    checkpoint: Checkpoint
    ask: Ask
    session: Session
    reply: str
    fresh: Sequence[Memory]


def plan_checkpoint(snapshot: Snapshot, source: CheckpointSource, terms: PageTerms) -> CheckpointFiles:
    """Return the change that every field of a checkpoint makes, never to ring 0 or out of the pool."""
    checkpoint, ask, session, now = source.checkpoint, source.ask, source.session, terms.now
    shown: list[tuple[str, tuple[str, ...]]] = []
    problems: list[Problem] = []
    writes: dict[str, bytes] = {}
    number = 1 + sum(
        path.rpartition("/")[2].rpartition(".")[0].rpartition(".")[0] == session.id
        for path in snapshot.checkpoints
    )
    path = checkpoint_path(session.id, number)
    dated = checkpoint if checkpoint.timestamp else replace(checkpoint, timestamp=stamp(now))
    shown_now = len(session.shown())
    said = min(ask.said, shown_now) if ask.said else shown_now
    measured = measure_session(snapshot, session)
    told = render_measure(measured)
    writes[path] = render_checkpoint(
        dated, source.reply, said, stamp(now), told, ask.flags, ask.passed
    ).encode()
    stem = f"{session.id}.{number}"
    waits: list[str] = []
    held, why = find_held_closings(snapshot, checkpoint, ask, session) if terms.unattended else ((), "")
    if held:
        closing = propose_closing([item.text for item in held], session.id, stem, stamp(now), why)
        writes[review_path(closing.id)] = render_proposal(closing).encode()
        waits.append(f"{closing.title} ({why}): {one_line('; '.join(item.text for item in held))}")
    _working(snapshot, checkpoint, ask, writes, shown, problems, held)
    usual: Sequence[str] = ()
    if not checkpoint.short:
        usual = _drift(snapshot, checkpoint, session, measured, shown, problems)
    _rotate(snapshot, checkpoint, terms.repository, writes, shown, problems)
    suggested = plan_proposals(snapshot, checkpoint, session, stem, now)
    writes.update(suggested.writes)
    problems += suggested.problems
    by_person = _Word(terms.unattended, stamp(now), waits)
    marked = _flag(snapshot, checkpoint, session, source.fresh, writes, shown, problems, by_person)
    if suggested.lines or waits:
        shown.append((HEADING, (*suggested.lines, *waits)))
    return CheckpointFiles(path, writes, shown, problems, usual, tuple(marked))


@frozen
class _Word:
    """The approvals of a page: whether a person reads it, its time, and what waits for them, a line each."""

    unattended: bool
    made: str
    waits: list[str]


@frozen
class LeftOpen:
    """Working memory with further open loops in it, and what to show of that."""

    writes: Mapping[str, bytes]
    shown: list[tuple[str, tuple[str, ...]]]


def plan_loops(snapshot: Snapshot, unresolved: Sequence[str]) -> LeftOpen:
    """Return the change that adds what the newest session left open, if its page had no checkpoint."""
    text = snapshot.text(WORKING) or ""
    standing = [item.text for item in working_file.read_items(text)]
    loops: list[str] = []
    day = session_day(standing_sessions(snapshot)[-1])
    for loop in (with_day(_plain(snapshot, line), day) for line in unresolved):
        # what is not noted twice stands in the memory itself
        if not any(says_no_more(loop, one) or is_same_matter(loop, one) for one in (*standing, *loops)):
            loops.append(loop)
    if not loops:
        return LeftOpen({}, [])
    new = working_file.apply_edit(text, working_file.Edit(loops=loops))
    return LeftOpen(
        {WORKING: new.encode()}, [("Where things stand", tuple(f"new: {loop}" for loop in loops))]
    )


def _working(  # noqa: PLR0913
    snapshot: Snapshot,
    checkpoint: Checkpoint,
    ask: Ask,
    writes: dict[str, bytes],
    shown: list[tuple[str, tuple[str, ...]]],
    problems: list[Problem],
    held: Sequence[Item] = (),
) -> None:
    """Apply ring_2_delta, open_loops, calibration_state and drift_description to ring 2.

    `held` are items that stay until a person says otherwise; words that were to replace one are added.
    """
    text = snapshot.text(WORKING) or ""
    items = working_file.read_items(text)
    now = match_items(ask.items or items, items)
    delta = checkpoint.delta
    closed = [now[n] for n in delta.closed if n in now and now[n] not in held]
    closed += [one for one in items if one not in closed and one.text in {item.text for item in closed}]
    day = session_day(ask.session)
    spoken = [(now[n], _plain(snapshot, words)) for n, words in delta.changed if n in now]
    changed = [(item, with_day(words, day, item.text)) for item, words in spoken]
    instead = [words for item, words in changed if item in held]
    changed = [(item, words) for item, words in changed if item not in held]
    problems.extend(
        Problem("notes", f"item {number} has changed or gone meanwhile; left as it is")
        for number in (*delta.closed, *(n for n, _ in delta.changed))
        if number not in now
    )
    noted = _NotesAfter(items, closed, changed)
    noted.add_threads([*instead, *(with_day(_plain(snapshot, text), day) for text in delta.new)])
    noted.add_loops(with_day(_plain(snapshot, text), day) for text in checkpoint.open_loops)
    calibration = _plain(snapshot, checkpoint.calibration)
    if checkpoint.drift is Verdict.YES and checkpoint.drift_text:
        calibration = (
            f"{calibration}\n\nShifted: {_plain(snapshot, _verdictless(checkpoint.drift_text))}".strip()
        )
    people = snapshot.settings.people
    calibration = quote_said(calibration, people)
    state = quote_said(_plain(snapshot, delta.state), people)
    if has_newer_page(snapshot, ask.session) and (state or calibration):
        state = calibration = ""
        what = f"{ask.session} is older than the newest page, so State and Calibration stay as they are"
        problems.append(Problem("notes", what))
    standing_tone = working_file.read_section(text, "Calibration")
    tones = carry_on(standing_tone, calibration, nearly_same) if calibration else ""
    edit = working_file.Edit(closed, noted.changed, noted.threads, noted.loops, state, tones)
    new = working_file.apply_edit(text, edit)
    if new == text:
        return
    writes[WORKING] = new.encode()
    lines = [f"new: {t}" for t in (*noted.threads, *noted.loops)]
    lines += [f"changed: “{item.text}” to “{words}”" for item, words in noted.changed]
    lines += [f"closed: {item.text}" for item in closed]
    if edit.state:
        lines.append(f"State: {one_line(edit.state)}")
    if calibration:
        lines.append(f"How {snapshot.settings.name} was: {one_line(calibration)}")
    shown.append(("Where things stand", tuple(lines)))


class _NotesAfter:
    """The items of ring 2 as a page leaves them, each matter once.

    An item that says more than one that stood takes its place; nothing is left out because it resembles
    another.
    """

    def __init__(
        self, items: Sequence[Item], closed: Sequence[Item], changed: list[tuple[Item, str]]
    ) -> None:
        """Begin with what stood, without what the page closes, and with what it puts otherwise."""
        self.changed = changed
        self.threads: list[str] = []
        self.loops: list[str] = []
        taken = [*closed, *(item for item, _ in changed)]
        self._standing = [item for item in items if item not in taken]
        self._closed = [item.text for item in closed]

    def add_threads(self, texts: Iterable[str]) -> None:
        """Add further items, but for words that stand there already."""
        for text in texts:
            if not self._stands(text) and not self._replaces(text):
                self.threads.append(text)

    def add_loops(self, texts: Iterable[str]) -> None:
        """Add what the page left open, but for what its notes have in other words; the memory keeps both."""
        for text in texts:
            over = any(says_no_more(text, one) for one in self._closed)
            if over or self._stands(text) or any(is_same_matter(text, one) for one in self._texts()):
                continue
            if not self._replaces(text):
                self.loops.append(text)

    def _texts(self) -> list[str]:
        changed = [words for _, words in self.changed]
        return [*(item.text for item in self._standing), *changed, *self.threads, *self.loops]

    def _stands(self, text: str) -> bool:
        return any(says_no_more(text, one) for one in self._texts())

    def _replaces(self, text: str) -> bool:
        """Put words in the place of an item that says less; return whether there is one."""
        less = next((item for item in self._standing if says_no_more(item.text, text)), None)
        if less is not None:
            self._standing.remove(less)
            self.changed.append((less, text))
        return less is not None


def find_held_closings(
    snapshot: Snapshot, checkpoint: Checkpoint, ask: Ask, session: Session
) -> tuple[Sequence[Item], str]:
    """Return the items whose closing waits, and why; one that is to read quite otherwise counts as closed."""
    items = working_file.read_items(snapshot.text(WORKING) or "")
    now = match_items(ask.items or items, items)
    closed = {n: telling(without_day(now[n].text)) for n in checkpoint.delta.closed if n in now}
    for n, words in checkpoint.delta.changed:
        if n in now and (mine := telling(without_day(now[n].text))) and mine.isdisjoint(telling(words)):
            closed[n] = mine
    if not closed:
        return (), ""
    said = frozenset().union(*(telling(entry.message.text) for entry in session.shown()))
    held = [now[n] for n in sorted(held_closings(len(items), closed, said))]
    return held, why_held(len(items), len(closed))


def has_newer_page(snapshot: Snapshot, session: str) -> bool:
    """Return whether a later session has a checkpoint already, so that this one's state is history."""
    paged = [PurePosixPath(path).stem.rpartition(".")[0] for path in snapshot.checkpoints]
    return any(session_order(other) > session_order(session) for other in paged)


def _plain(snapshot: Snapshot, words: str) -> str:
    """Return words for ring 2 without IDs; a memory is named by its title."""
    titles = {memory.id: memory.title for memory in snapshot.memories.values()}
    return _ID.sub(lambda found: titles.get(found[0], "that memory"), words).strip()


def _verdictless(text: str) -> str:
    """Return the drift's description without its final one-word verdict and leading keys."""
    lines = [_KEY.sub("", line) for line in text.strip().splitlines()]
    if len(lines) > 1 and len(lines[-1].split()) <= 2:
        lines.pop()
    return " ".join(" ".join(lines).split())


def _drift(  # noqa: PLR0913
    snapshot: Snapshot,
    checkpoint: Checkpoint,
    session: Session,
    measured: Measure,
    shown: list[tuple[str, tuple[str, ...]]],
    problems: list[Problem],
) -> Sequence[str]:
    """Show the word on drift beside the measure; a verdict without a line of the persona's own is named.

    Returns the headings under which all is as always.
    """
    usual: list[str] = []
    name = snapshot.settings.name
    number = f"{describe(measured)}."
    if checkpoint.drift is Verdict.YES:
        told = one_line(_verdictless(checkpoint.drift_text))
        shown.append((f"{name} says something shifted", (told, number)))
    elif measured.standing not in (SessionDrift.EARLY, SessionDrift.SHORT):
        word = (
            "says nothing shifted" if checkpoint.drift is Verdict.NO else "is unsure whether anything shifted"
        )
        shown.append((f"{name} {word}", (number,)))
        if checkpoint.drift is Verdict.NO and measured.standing is SessionDrift.USUAL:
            usual.append(f"{name} {word}")
    # a structured reply gives the line as a value, without quotation marks
    lines = [_KEY.sub("", line.strip()) for line in checkpoint.drift_text.splitlines()]
    quotes = [q for q in (*quotations(checkpoint.drift_text), *lines) if len(q) >= SHORTEST_QUOTE]
    own = Tape([entry for entry in session.shown() if entry.message.role == "assistant"])
    if checkpoint.drift_text and not any(own.find(quote) for quote in quotes):
        problems.append(
            Problem("shifted", "“What has shifted” quotes no line that the persona said in this chat")
        )
    if checkpoint.coherence is not Verdict.YES:
        shown.append((f"{name} is not sure of being still the same", (one_line(checkpoint.coherence_text),)))
    return usual


def _rotate(  # noqa: PLR0913
    snapshot: Snapshot,
    checkpoint: Checkpoint,
    repository: "Repository | None",
    writes: dict[str, bytes],
    shown: list[tuple[str, tuple[str, ...]]],
    problems: list[Problem],
) -> None:
    """Apply ring_1_rotation: the active set changes, the pool never."""
    if not (checkpoint.show or checkpoint.rest):
        return
    if has_pending_rotation(snapshot, repository):
        # writing the file would approve the edit
        what = f"{ACTIVE} was edited by hand and is not approved yet, so the examples stay as they are"
        problems.append(Problem("show", f"{what}; decide with  reel review"))
        return
    by_title = {exemplar.title: exemplar.slug for exemplar in snapshot.exemplars.values()}
    before = snapshot.active
    active = [slug for slug in before.active if slug in snapshot.exemplars]
    lines = []
    for title in checkpoint.rest:
        slug = by_title.get(title)
        if slug is None:
            problems.append(Problem("show", f'"{one_line(title, 60)}" is no example, so nothing rests'))
        elif slug == before.anchor:
            problems.append(Problem("show", f'"{title}" is in every bundle and does not rest'))
        elif slug in active:
            active.remove(slug)
            lines.append(f"{title} is no longer in use")
    for title in checkpoint.show:
        slug = by_title.get(title)
        if slug is not None and slug not in active and slug != before.anchor:
            active.append(slug)
            lines.append(f"{title} is shown again")
    if lines:
        text = set_active(
            snapshot.text(ACTIVE) or "",
            ActiveSet(before.anchor, tuple(active), tuple(s for s in before.resting if s not in active)),
        )
        writes[ACTIVE] = text.encode()
        shown.append(("Examples", tuple(lines)))


def _flag(  # noqa: PLR0913
    snapshot: Snapshot,
    checkpoint: Checkpoint,
    session: Session,
    fresh: Sequence[Memory],
    writes: dict[str, bytes],
    shown: list[tuple[str, tuple[str, ...]]],
    problems: list[Problem],
    word: "_Word",
) -> list[Memory]:
    """Apply significance_flags: the memory that holds the moment is kept from pruning."""
    tape = Tape(session.shown())
    marked: list[Memory] = []
    for flag in checkpoint.flags:
        found = find_claim(tape, flag)
        if found is None:
            problems.append(Problem("fade", f'"{one_line(flag, 60)}" was not said so; it marks nothing'))
            continue
        if any(
            s.session == session.id and s.first <= found.number <= s.last for m in fresh for s in m.source
        ):
            continue
        for memory in snapshot.memories.values():
            covers = any(s.session == session.id and s.first <= found.number <= s.last for s in memory.source)
            if covers and not memory.immune:
                reason = f'"{one_line(remove_syntax(found.text), 100)}" must not fade'
                if word.unattended and not is_flagged_by_person(snapshot, tape, found):
                    proposal = propose_immunity(memory, reason, session.id, word.made)
                    if not waits_already(snapshot, proposal):
                        writes[review_path(proposal.id)] = render_proposal(proposal).encode()
                        word.waits.append(tell_held_immunity(memory))
                    continue
                path = memory_path(memory.id)
                text = front_matter.set_fields(
                    snapshot.text(path) or "",
                    {"immune": "yes", "immune_reason": render_scalar(reason)},
                    path,
                )
                writes[path] = text.encode()
                marked.append(replace(memory, immune=True, immune_reason=reason))
    if marked:
        shown.append(("Kept for good", tuple(memory.title for memory in marked)))
    return marked
