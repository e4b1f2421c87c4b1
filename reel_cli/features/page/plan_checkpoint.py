"""A checkpoint acts: on working memory, the active set, immunity, and what waits for review (REEL §6.6)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.evidence.phrases import Tape, find_claim, quotations
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files import front_matter
from reel_cli.core.files.checkpoint_file import checkpoint_path, render_checkpoint, session_of_checkpoint
from reel_cli.core.files.exemplar_file import set_active
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.files.working_file import without_day
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.approved_rings import has_pending_rotation
from reel_cli.core.kit.snapshot import ACTIVE, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.core.tape.voices import own_entries, persona_names
from reel_cli.core.values.approval import UNSPOKEN
from reel_cli.core.values.artifact import Checkpoint, Problem, Verdict
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import ActiveSet, Memory, memory_path
from reel_cli.core.values.talk import Session
from reel_cli.features.page.drift.measure import Measure, SessionDrift, describe
from reel_cli.features.page.drift.sessions import measure_session, render_measure
from reel_cli.features.page.drift.verdict import KEY, drop_verdict
from reel_cli.features.page.notes.closing_review import name_chat, review_closings
from reel_cli.features.page.notes.plan_notes import plan_working_notes
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
    approved: the page then leaves it as it is. `sent_by` is the model that a server names as the page's
    writer ("": no server sent it).
    """

    now: datetime
    tokenizer: "Tokenizer"
    highest_number: Callable[[], int]
    unattended: bool = False
    repository: "Repository | None" = None
    sent_by: str = ""


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
    number = 1 + sum(session_of_checkpoint(path) == session.id for path in snapshot.checkpoints)
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
    review = review_closings(snapshot, checkpoint, ask, session, unattended=terms.unattended)
    for note, words, chat in review.unsaid:
        where = f"stands in the {name_chat(chat)}, not in this one" if chat else "is not in this chat"
        what = f"“{one_line(note, 60)}” is closed with “{one_line(words, 60)}”, which {where}"
        problems.append(Problem("notes", what))
    stays = (f"“{one_line(one.text)}” stays open: {UNSPOKEN}" for one in review.stays)
    problems += [Problem("notes", what, quiet=True) for what in stays]
    for name, held, why in (
        ("closing", review.waits, review.why),
        ("closing-ahead", review.coming, review.why_coming),
    ):
        if held:
            notes = [item.text for item in held]
            closing = propose_closing(notes, session.id, f"{stem}-{name}", stamp(now), why)
            writes[review_path(closing.id)] = render_proposal(closing).encode()
            named = "; ".join(without_day(note).rstrip(".") for note in notes)
            waits.append(f"{closing.title} ({why}): {one_line(named)}")
    plan_working_notes(snapshot, checkpoint, ask, writes, shown, problems, review)
    shown += review.lines()
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
        told = one_line(drop_verdict(checkpoint.drift_text))
        shown.append((f"{name} says something shifted", (told, number)))
    elif measured.standing not in (SessionDrift.EARLY, SessionDrift.SHORT):
        word = (
            "says nothing shifted" if checkpoint.drift is Verdict.NO else "is unsure whether anything shifted"
        )
        shown.append((f"{name} {word}", (number,)))
        if checkpoint.drift is Verdict.NO and measured.standing is SessionDrift.USUAL:
            usual.append(f"{name} {word}")
    # a structured reply gives the line as a value, without quotation marks
    lines = [KEY.sub("", line.strip()) for line in checkpoint.drift_text.splitlines()]
    quotes = [q for q in (*quotations(checkpoint.drift_text), *lines) if len(q) >= SHORTEST_QUOTE]
    own = Tape(own_entries(session.shown(), persona_names(snapshot)))
    if checkpoint.drift_text and not any(own.find(quote) for quote in quotes):
        problems.append(Problem("shifted", f"“What has shifted” shows no line that {name} said in this chat"))
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
        what = f"{ACTIVE} was edited and is not approved yet, so the examples stay as they are"
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
            problems.append(
                Problem("fade", f'"{one_line(flag, 60)}" was not said so, and keeps nothing for good')
            )
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
