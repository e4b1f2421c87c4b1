"""Proposals of a page that a person decides: ring 0, the pool, immunity, mass closing (REEL §4.2, §6.6)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import takewhile

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim
from reel_cli.core.files.review_file import parse_proposal, render_proposal, review_path
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.tape.tape_view import read_events
from reel_cli.core.tape.voices import is_own, other_voices, persona_names
from reel_cli.core.values.artifact import Checkpoint, Problem, Verdict
from reel_cli.core.values.change import in_short, one_line
from reel_cli.core.values.memory import Memory
from reel_cli.core.values.review import Proposal, ReviewKind
from reel_cli.core.values.talk import Entry, Session, SourceRange, parse_source
from reel_cli.features.page.cold_start import POOL, is_cold
from reel_cli.features.page.kept_pages import pending_flags
from reel_cli.features.page.reply.suggested_change import suggested_words

SHORTEST_QUOTE = 8
"""Characters below which a quotation supports nothing."""
MOST_WHILE_YOUNG = 2
"""Maximum number of suggested exchanges per page that nobody named as worth showing."""


@frozen
class ProposalPlan:
    """The proposals' files, what to show of them, and the claims that led nowhere."""

    writes: Mapping[str, bytes]
    lines: Sequence[str]
    problems: Sequence[Problem]


def plan_proposals(
    snapshot: Snapshot, checkpoint: Checkpoint, session: Session, stem: str, now: datetime
) -> ProposalPlan:
    """Return the proposals of one page, their names beginning with `stem`.

    While the kit is young, the persona's own words that must not fade and what the person marked are signs
    enough (REEL §7.2).
    """
    writes: dict[str, bytes] = {}
    lines: list[str] = []
    problems: list[Problem] = []
    if checkpoint.paper:
        name = f"{stem}-identity"
        title = "A change to who the persona is on paper"
        words = suggested_words(checkpoint.paper_text)
        proposal = Proposal(name, ReviewKind.IDENTITY, session.id, stamp(now), title, f"{words}\n")
        writes[review_path(name)] = render_proposal(proposal).encode()
        lines.append(f"a change to who {snapshot.settings.name} is: {one_line(words)}")
    titles = {exemplar.title for exemplar in snapshot.exemplars.values()}
    shown = session.shown()
    others = other_voices(shown, persona_names(snapshot))
    tape = Tape([entry for entry in shown if entry.message.name not in others])
    chosen: list[tuple[PhraseMatch, str]] = []
    for claim in (c for c in checkpoint.show if c not in titles):
        found = find_claim(tape, claim)
        if found is None:
            elsewhere = find_claim(Tape(shown), claim) if others else None
            why = "is neither an example nor said in this chat" if elsewhere is None else "is another's line"
            problems.append(Problem("show", f'"{one_line(claim, 60)}" {why}'))
            continue
        if not _has_own(session, found.number, others):
            why = f"was not answered by {snapshot.settings.name}"
            problems.append(Problem("show", f'"{one_line(claim, 60)}" {why}'))
            continue
        span = _exchange(session, found.number, others)
        if all(_exchange(session, one.number, others) != span for one, _ in chosen):
            chosen.append((found, ""))
    if is_cold(snapshot):
        chosen += _while_young(snapshot, checkpoint, session, tape, [found for found, _ in chosen])
    for place, (found, why) in enumerate(chosen, 1):
        name = f"{stem}-exemplar-{place}"
        title = _first_sentence(_with_mark(session, found, "?!.…"))
        proposal = Proposal(
            name, ReviewKind.EXEMPLAR, session.id, stamp(now), title,
            _quote(snapshot, session, found.number, others), role="general",
            source=str(_exchange(session, found.number, others)), why=why,
        )  # fmt: skip
        writes[review_path(name)] = render_proposal(proposal).encode()
        told = f" ({why})" if why else ""
        lines.append(f'an example{told}: "{one_line(_with_mark(session, found), 80)}"')
    return ProposalPlan(writes, lines, problems)


def _with_mark(session: Session, found: PhraseMatch, marks: str = "?!") -> str:
    """Return words that were found with the one of these marks that is at their end."""
    text = next((one.message.text for one in session.shown() if one.number == found.number), "")
    at = text.find(found.text)
    behind = text[at + len(found.text) :][:1] if at >= 0 else ""
    return f"{found.text}{behind if behind in tuple(marks) else ''}"


def _while_young(
    snapshot: Snapshot, checkpoint: Checkpoint, session: Session, tape: Tape, chosen: Sequence[PhraseMatch]
) -> Iterator[tuple[PhraseMatch, str]]:
    """Yield unnamed exchanges that may be worth showing, with reasons; skips known ones."""
    name = snapshot.settings.name
    few = f", and {name} has few examples yet" if len(snapshot.exemplars) < POOL else ""
    # a person's words show nothing of how a persona sounds, nor do those of a day when it was not itself
    steady = checkpoint.drift is Verdict.NO or checkpoint.short
    signs = [(flag, f"it must not fade{few}", True) for flag in checkpoint.flags if steady]
    signs += [(mark.text, f"you marked it{few}", False) for mark in pending_flags(snapshot).values()]
    others = other_voices(session.shown(), persona_names(snapshot))
    known = [*_known(snapshot), *(_exchange(session, found.number, others) for found in chosen)]
    left = MOST_WHILE_YOUNG
    for claim, why, own in signs:
        found = find_claim(tape, claim)
        if found is None or not left or not _has_own(session, found.number, others):
            continue
        if own and found.role == "user":
            continue
        span = _exchange(session, found.number, others)
        if any(_meet(span, other) for other in known):
            continue
        known.append(span)
        left -= 1
        yield found, why


def _known(snapshot: Snapshot) -> Iterator[SourceRange]:
    """Yield the stretches of tape that are in the pool, or wait to be."""
    sources = [exemplar.source for exemplar in snapshot.exemplars.values()]
    for path in snapshot.list("review"):
        if path.endswith(".md"):
            try:
                sources.append(parse_proposal(snapshot.text(path) or "", path).source)
            except ReelError:
                continue
    yield from filter(None, map(parse_source, sources))


def _meet(one: SourceRange, other: SourceRange) -> bool:
    """Return whether two stretches share a message; a whole session has all of its messages."""
    if one.session != other.session:
        return False
    return not (one.last and other.last) or (one.first <= other.last and other.first <= one.last)


_SENTENCE_END = late(r"(?<=[.!?…])\s")


def _first_sentence(said: str) -> str:
    """Return the beginning of what a page copied, as a name for its exchange."""
    line = said.strip().splitlines()[0]
    sentence = split_sentences(_SENTENCE_END, line, 1)[0]
    return in_short(sentence if len(sentence) >= SHORTEST_QUOTE else line, 60)


def _exchange(session: Session, number: int, others: Collection[str]) -> SourceRange:
    """Return the stretch of tape with the exchange that a message is part of."""
    numbers = [entry.number or 0 for entry in _entries(session, number, others)]
    return SourceRange(session.id, min(numbers), max(numbers))


def _quote(snapshot: Snapshot, session: Session, number: int, others: Collection[str]) -> str:
    """Return the exchange a message is part of, verbatim."""
    from reel_cli.core.tape.transcript import tell_exchange

    settings = snapshot.settings
    return "\n".join(f"{turn}\n" for turn in tell_exchange(_entries(session, number, others), settings))


def _entries(session: Session, number: int, others: Collection[str]) -> Sequence[Entry]:
    """Return a message to the persona together with its answer, and what was said between them."""
    order = session.shown()
    at = next(i for i, entry in enumerate(order) if entry.number == number)
    if order[at].message.role == "user":
        answers = takewhile(lambda entry: entry.message.role != "user", order[at + 1 :])
        length = next((i for i, entry in enumerate(answers, 1) if is_own(entry.message, others)), 1)
        return order[at : at + 1 + length]
    first = next((i for i in range(at, 0, -1) if order[i].message.role == "user"), 0)
    return order[first : at + 1]


def _has_own(session: Session, number: int, others: Collection[str]) -> bool:
    """Return whether the persona itself speaks in the exchange a message is part of."""
    return any(is_own(entry.message, others) for entry in _entries(session, number, others))


HEADING = "For you to decide, in  reel review"
"""Heading above the items a page leaves to the person."""


def is_flagged_by_person(snapshot: Snapshot, tape: Tape, found: PhraseMatch) -> bool:
    """Return whether the person marked that message themselves, with  reel tape flag."""
    flags = [event.text for event in read_events(snapshot) if event.kind == "flag"]
    own = (find_claim(tape, flag) for flag in flags)
    return any(one is not None and one.number == found.number for one in own)


# -- what must stay -------------------------------------------------------------------------------


def propose_immunity(
    memory: Memory, reason: str, session: str, made: str, tags: Sequence[str] = ()
) -> Proposal:
    """Return a proposal to make a memory immune, with the tags for it."""
    told = reason.strip() or "the page asks for it and gives no reason"
    return Proposal(
        f"whole-{memory.id}", ReviewKind.IMMUNITY, session, made, memory.title, f"{told}\n",
        memory=memory.id, immune=True, tags=tuple(tags),
    )  # fmt: skip


def waits_already(snapshot: Snapshot, proposal: Proposal) -> bool:
    """Return whether the same is already proposed for that memory, so its tags and reason are kept."""
    path = review_path(proposal.id)
    text = snapshot.text(path)
    if text is None:
        return False
    try:
        return parse_proposal(text, path).immune
    except ReelError:
        return False


def tell_held_immunity(memory: Memory, tags: Sequence[str] = ()) -> str:
    """Return the line on screen."""
    as_what = f", as {' and '.join(tags)}" if tags else ""
    return f"must never fade{as_what}: {memory.title}"


# -- notes ----------------------------------------------------------------------------------------


def propose_closing(items: Sequence[str], session: str, name: str, made: str, why: str) -> Proposal:
    """Return a proposal to close notes; `why` says by which rule it waits."""
    title, text = tell_closing(items)
    return Proposal(name, ReviewKind.CLOSING, session, made, title, text, why=why)


def tell_closing(items: Sequence[str]) -> tuple[str, str]:
    """Return the title and the text of a proposal to close notes."""
    count = "a note" if len(items) == 1 else f"{len(items):,} notes"
    return f"{count} to close", "".join(f"- {one_line(item)}\n" for item in items)


def closing_of(proposal: Proposal) -> Sequence[str]:
    """Return the notes that a proposal would close."""
    lines = proposal.text.splitlines()
    return [line.removeprefix("- ").strip() for line in lines if line.startswith("- ")]
