"""A consolidation becomes a memory in ring 3 and its lines in the index (REEL §6.2, §4.5)."""

from collections.abc import Mapping, Sequence
from dataclasses import field

from reel_cli.core.blockquote import plain_breaks
from reel_cli.core.evidence.memory_check import find_far_page, hold_against_tape
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import cut_marker, render_body, render_memory
from reel_cli.core.files.review_file import render_proposal, review_path
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.stage_chain import find_syntax, origins, remove_syntax
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.tape_view import speaker
from reel_cli.core.tape.voices import own_entries, persona_names
from reel_cli.core.values.approval import Immunity, hold_immunity
from reel_cli.core.values.artifact import Checkpoint, Consolidation, Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import (
    FIELDS,
    PAST_STATES,
    UNWRITTEN,
    IndexLine,
    Level,
    Memory,
    format_id,
    memory_path,
)
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.page.cold_start import is_cold
from reel_cli.features.page.kept_pages import flags_of
from reel_cli.features.page.past_states import PastState
from reel_cli.features.page.plan_checkpoint import PageTerms
from reel_cli.features.page.proposals import is_flagged_by_person, propose_immunity, tell_held_immunity
from reel_cli.features.page.short_page import complete, own_sections

TITLE_LONGEST = 80
"""Maximum characters of a title, which is also the index line's description."""
NAMING = 2
"""Content words that a phrase shares with a page for it to name what happened."""
_ITSELF = "you"
"""Word for the persona in what it reads itself."""
DEFAULT_WORDS = 8
"""Words of the phrase taken from the tape if the page named none that is there."""


@frozen
class NewMemory:
    """A new memory, its index lines, and the files that hold them."""

    memory: Memory
    index: tuple[IndexLine, ...]
    writes: Mapping[str, bytes]
    problems: tuple[Problem, ...]
    waits: tuple[str, ...] = ()
    """One line for each part of the page that waits for a person's decision."""
    doubts: Mapping[str, str] = field(default_factory=dict)
    """Sentences of it that the tape does not bear, by the key under which a person settles each."""


@frozen
class MemorySource:
    """A consolidation as it came: of which ask and session, with what else the reply says.

    `phrases` are verbatim on the tape. `short` is the memory of a short page, or of one that is written
    again; it becomes this one.
    """

    page: Consolidation
    ask: Ask
    session: Session
    phrases: Sequence[PhraseMatch]
    checkpoint: Checkpoint | None
    uid: str
    short: Memory | None = None
    past: Sequence[PastState] = ()
    """States of working memory that the page ends."""


def plan_memory(
    snapshot: Snapshot, source: MemorySource, terms: PageTerms, evidence: TapeEvidence
) -> NewMemory:
    """Make the L1 of a stretch of tape; every phrase in it stands there word for word."""
    page, ask, session, short = source.page, source.ask, source.session, source.short
    assert ask.span is not None  # noqa: S101
    problems: list[Problem] = []
    entries = [e for e in session.shown() if ask.span.first <= (e.number or 0) <= ask.span.last]
    ranked = [found for found in rank_phrases(source.phrases, page) if not find_syntax(found.text)]
    if not ranked:
        ranked, why = _default_phrase(session, ask.span)
        problems += [] if ask.brief else why
    keeping = _plan_immunity(snapshot, source, Tape(entries), unattended=terms.unattended)
    kinds = tuple(dict.fromkeys((*keeping.tags, *sorted(origins([e.message.text for e in entries])))))
    title = one_line(page.title or _title_of(page), TITLE_LONGEST)
    body = _write_body(source, ranked)
    number = terms.highest_number() + 1
    memory = Memory(
        id=format_id(number),
        uid=source.uid,
        title=title,
        level=Level.L1,
        body=body,
        created=stamp(terms.now),
        sessions=(ask.session,),
        source=(ask.span,),
        tags=kinds,
        immune=keeping.immune,
        immune_reason=keeping.reason if keeping.immune else "",
        anchor=ranked[0].text if ranked else "",
        model=session.model or _model_of(session),
        marker=page.marker or cut_marker(body),
        tag=page.tag or _tag_of(title, ranked),
        asked_as=page.asked_as,
        day=day if (day := talk_day(snapshot, session, ask.span.last).isoformat()) > session.id[:10] else "",
    )
    if short is not None:
        memory, number = complete(short, memory), number - 1
    doubts = hold_against_tape(evidence, memory)
    far = find_far_page(evidence, memory, sum(not one.field.endswith(".anchor") for one, _ in doubts))
    problems += [*([far] if far is not None else []), *(problem for problem, _ in doubts)]
    lines = (line_for(memory), *_more_lines(snapshot, memory, ranked[1:], session, number + 1))
    text = put_lines(snapshot.text(INDEX) or "", lines)
    writes = {memory_path(memory.id): render_memory(memory).encode(), INDEX: text.encode()}
    waits: tuple[str, ...] = ()
    if (held := keeping.held) is not None and held.held:
        proposal = propose_immunity(memory, keeping.waiting, ask.session, stamp(terms.now), held.held_tags)
        writes[review_path(proposal.id)] = render_proposal(proposal).encode()
        waits = (tell_held_immunity(memory, held.held_tags),)
    settles = {key: one_line(f"{memory.id}: {problem.what}", 300) for problem, key in doubts}
    return NewMemory(memory, lines, writes, tuple(problems), waits, settles)


@frozen
class _ImmunityChoice:
    """The immunity of a new memory: what is in force, and what waits for a person's word, with its reason."""

    tags: Sequence[str]
    immune: bool
    reason: str
    held: Immunity | None = None
    waiting: str = ""


def _plan_immunity(
    snapshot: Snapshot, source: MemorySource, tape: Tape, *, unattended: bool
) -> _ImmunityChoice:
    """Return whether a new memory may fade; where nobody reads it, only a person's own word keeps it."""
    page, checkpoint = source.page, source.checkpoint
    immune, reason = page.immune, page.immune_reason
    flags = [*(checkpoint.flags if checkpoint is not None else ()), *flags_of(snapshot, source.ask.session)]
    flagged = [found for flag in flags if (found := find_claim(tape, flag))]
    marked = f'"{one_line(remove_syntax(flagged[0].text), 100)}" must not fade' if flagged else ""
    if flagged and not immune:
        immune, reason = True, marked
    if not unattended:
        return _ImmunityChoice(page.tags, immune, reason)
    own_word = any(is_flagged_by_person(snapshot, tape, found) for found in flagged)
    held = hold_immunity(page.tags, immune=immune, own_word=own_word)
    return _ImmunityChoice(held.tags, held.immune, marked if own_word else "", held, reason)


def _write_body(source: MemorySource, ranked: Sequence[PhraseMatch]) -> str:
    """Return the text of a memory, section by section."""
    page, checkpoint, short = source.page, source.checkpoint, source.short
    # what a short page was not asked about is not nothing
    blank = UNWRITTEN if checkpoint is not None and checkpoint.short else "Nothing."
    return render_body(
        {
            FIELDS[0]: page.happened,
            FIELDS[1]: page.changed or blank,
            FIELDS[2]: page.matters or "Nothing in particular.",
            FIELDS[3]: "\n".join(f"- {line}" for line in page.unresolved) or blank,
            FIELDS[4]: "\n".join(f'- "{found.text}"' for found in ranked) or "None.",
            **(own_sections(short) if short is not None else {}),
            **({PAST_STATES: "\n".join(f"- {one.line}" for one in source.past)} if source.past else {}),
        }
    )


def show_memory(made: NewMemory, persona: str, *, again: bool = False) -> tuple[str, tuple[str, ...]]:
    """Return what is shown of a new memory: a heading, then all of it in words, each part once.

    What the index tells the persona of its own words is shown under the name of the `persona`. `again` says
    that it takes the place of what the memory of the same chat said before.
    """
    memory = made.memory
    keep = f" (kept for good: {memory.immune_reason.rstrip('.')})" if memory.immune else ""
    what = "A memory, written again" if again else "A memory to keep"
    heading = f"{what}: {memory.title}{keep}"
    lines = [one_line(memory.marker)]
    sections = split_sections(memory.body)
    for name in FIELDS[:4]:
        told = [line for line in plain_breaks(sections.get(name, "")).split("\n") if line.strip()]
        if len(told) > 1:
            lines += [f"{name}:", *(f"  {line}" for line in told)]
        else:
            lines += [f"{name}: {line.removeprefix('- ')}" for line in told]
    found = {
        line.anchor: line.description.removeprefix(memory.title).removeprefix(": ") for line in made.index
    }
    for anchor, said in found.items():
        who = f"{persona} said" if said == f"{_ITSELF} said" else said
        lines.append(f'found by "{anchor}"{f" ({who})" if who else ""}' if anchor else f"found by {who}")
    if past := sections.get(PAST_STATES, ""):
        lines += [f"{PAST_STATES}:", *(f"  {line}" for line in past.split("\n") if line.strip())]
    more = [line.removeprefix("- ") for line in sections.get(FIELDS[4], "").split("\n")]
    lines += [f"quoted in it: {line}" for line in more if line[:1] == '"' and line[1:-1] not in found]
    if memory.tag not in (_tag_of(memory.title, ()), f'{memory.title}: "{memory.anchor}"'):
        lines.append(f"In one line: {one_line(memory.tag)}")
    if memory.asked_as:
        lines.append(f"may be asked for as: {'; '.join(memory.asked_as)}")
    if memory.tags:
        lines.append(f"Tags: {', '.join(memory.tags)}")
    return heading, tuple(lines)


def rank_phrases(phrases: Sequence[PhraseMatch], page: Consolidation) -> list[PhraseMatch]:
    """Return the phrases ranked, each once: unique, then three words long, then naming what happened.

    A phrase does so that shares a content word with the page's title, or two with what it tells. Who said it
    does not count: what the persona told of itself is found as well as what the person did.
    """
    from reel_cli.core.pack.cue import content_words

    title = content_words(page.title)
    told = content_words(f"{page.title} {page.tag} {page.marker} {page.happened}")

    def names_it(text: str) -> bool:
        words = content_words(text)
        return bool(words & title) or len(words & told) >= NAMING

    unique = {found.text: found for found in reversed(phrases)}
    order = {found.text: place for place, found in enumerate(phrases)}
    return sorted(
        unique.values(),
        key=lambda f: (f.times > 1, len(f.text.split()) < 3, not names_it(f.text), order[f.text]),
    )


def _default_phrase(session: Session, span: SourceRange) -> tuple[list[PhraseMatch], list[Problem]]:
    """Return the beginning of something the person said, since an anchor must be on the tape."""
    said = [e for e in session.shown() if span.first <= (e.number or 0) <= span.last]
    said.sort(key=lambda e: e.message.role != "user")
    for least in (4, 1):
        for entry in said:
            plain = remove_syntax(entry.message.text)
            line = next((part for part in plain.splitlines() if len(part.split()) >= least), "")
            found = Tape([entry]).find(" ".join(line.split()[:DEFAULT_WORDS])) if line else None
            if found:
                what = f'no line to find it by stands on the tape; took "{found.text}"'
                return [found], [Problem("anchors", what)]
    return [], [Problem("anchors", "no line to find it by stands on the tape")]


def _more_lines(
    snapshot: Snapshot, memory: Memory, phrases: Sequence[PhraseMatch], session: Session, number: int
) -> list[IndexLine]:
    """Return further lines that point at the tape; more while the kit is young (REEL §7.2)."""
    settings = snapshot.settings
    most = settings.index_per_session_cold if is_cold(snapshot) else settings.index_per_session
    said = session.numbered()
    own = {entry.number for entry in own_entries(session.shown(), persona_names(snapshot))}
    there = {(line.anchor, line.where) for line in snapshot.index.lines.values()}
    lines: list[IndexLine] = []
    for found in phrases[: max(0, most - 1)]:
        entry = said[found.number]
        where = SourceRange(session.id, found.number, found.number)
        if (found.text, where) in there:
            # a page that is written again names most of the lines it named before
            continue
        who = _ITSELF if entry.number in own else speaker(entry, user=settings.user, persona=settings.name)
        lines.append(
            IndexLine(
                id=format_id(number + len(lines)),
                description=f"{memory.title}: {who} said",
                anchor=found.text,
                tags=memory.tags,
                where=where,
            )
        )
    return lines


def _title_of(page: Consolidation) -> str:
    """Return how what happened begins, for a page without title."""
    from reel_cli.features.page.first_clause import first_clause

    return first_clause(page.happened)


def _tag_of(title: str, phrases: Sequence[PhraseMatch]) -> str:
    """Return one line with an anchor phrase (REEL §4.4, L4)."""
    return f'{title}: "{phrases[0].text}"' if phrases else title


def _model_of(session: Session) -> str:
    """Return the model that spoke last, where the tape knows it."""
    return next((e.message.model for e in reversed(session.entries) if e.message.model), "") or ""
