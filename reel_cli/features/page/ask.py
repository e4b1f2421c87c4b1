"""Prompts for a page: a checkpoint, a consolidation, or both at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, list_rest, read_replies
from reel_cli.core.exchange.page_part import PagePart, PageRequest, PartRequest, page_parts, parts_among
from reel_cli.core.exchange.prompts import (
    PromptValues,
    brief_hints,
    cut_words,
    part_of,
    render_brief_prompt,
    render_checkpoint_prompt,
    render_consolidation_prompt,
    render_repair_prompt,
)
from reel_cli.core.exchange.schema import (
    ALL_PARTS,
    BRIEF_PARTS,
    CHECKPOINT_PARTS,
    CONSOLIDATION_PARTS,
    PAGE_KEYS,
)
from reel_cli.core.files import working_file
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.words import quote_said
from reel_cli.core.tape.stage_chain import origins
from reel_cli.core.tape.tape_view import (
    correction_line,
    corrections,
    read_session,
    require_standing,
    standing_sessions,
)
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.behavior import manner_of, reply_limit
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import SMALL_WINDOW, WHOLE
from reel_cli.core.values.talk import Entry, Event, Session, SourceRange
from reel_cli.features.page.due import (
    LetGo,
    accounted,
    new_messages,
    nothing_let_go,
    open_span,
    pending_flags,
    unremembered,
)
from reel_cli.features.page.loops import NamedLoops, name_loops
from reel_cli.features.page.short_page import find_short_memory, retell_memory
from reel_cli.features.page.shown_notes import LEAST_ROOM, MOST_PROSE, choose_notes, keep_notes
from reel_cli.features.page.working_notes import as_new_notes

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.tokens.counter import Tokenizer

REPLY_SHARE = WHOLE // 5
"""Share of the cap that a consolidation prompt leaves for its reply."""
QUOTED_FROM = 60
"""Characters of a message that identify the one a correction is about."""
MOST_WORDS = 1_200
"""Words of a page's prompt for a window of 8K or less; a larger window has more in proportion."""
NOTES_SHARE = WHOLE // 40
"""Words of numbered notes in a prompt, as a share of the cap: some 200 for an 8K window."""
MARKED_SHARE, EXAMPLES_SHARE = 12, 24
"""Fractions of the prompt's words for what was marked in the chat, and for the names of the examples."""
LONGEST_MARK = 40
"""Words of one marked line above which a prompt shows only its beginning."""
LEAST_TRANSCRIPT = 200
"""Tokens of room for the conversation below which a window is too small to consolidate in."""


def ask_checkpoint(  # noqa: PLR0913 (the kit, the day, and what is asked about)
    snapshot: Snapshot,
    ring0: "Ring0",
    today: date,
    *,
    session: str | None = None,
    only: str | None = None,
    repository: "Repository | None" = None,
    written: bool = True,
    known: Mapping[str, Sequence[SourceRange]] | None = None,
) -> Ask:
    """The end-of-session ask: assessment and consolidation together, or one of them (`only`).

    An assessment asks for the parts of features that are due as well, as the kit and its history tell.

    Where all of the session is remembered already, only the assessment is asked for. Where no
    session waits for a page, it is for the chat that is still going on (`session` is ""). With `written`
    False, the ask of a session has no prompt yet, for one that was handed out before. `known` are the
    stretches that count as remembered, else those that `remembered` finds.
    """
    target = session or _ended(snapshot)
    if target is None:
        return _ask_unrecorded(snapshot, ring0, today, only, repository)
    require_standing(snapshot, target)
    span = open_span(snapshot, target, known)
    # a short page is completed: its memory is there, and the rest of it is asked for
    short = find_short_memory(snapshot, target) if span is None and only is None else None
    if short is not None:
        span = short.source[0]
    parts: tuple[str, ...] = ALL_PARTS if span is not None else CHECKPOINT_PARTS
    if only == "checkpoint":
        parts, span = CHECKPOINT_PARTS, None
    elif only == "consolidation":
        parts = CONSOLIDATION_PARTS
        span = span or _whole(read_session(snapshot, target))
    lived = read_session(snapshot, target)
    setting = _setting(snapshot, ring0, lived)
    ask = Ask(
        op="consolidate" if only == "consolidation" else "checkpoint",
        session=target,
        span=span,
        parts=parts,
        prompt="",
        ring0=ring0.blob,
        said=len(lived.shown()),
        flags=tuple(flags_shown(snapshot)),
        replies=(retell_memory(snapshot, short),) if short is not None else (),
    )
    if not written:
        return ask
    return _with_prompt(ask, setting, PageRequest(snapshot, lived, parts, today, repository))


def ask_brief(snapshot: Snapshot, ring0: "Ring0", today: date, ask: Ask) -> Ask:
    """Return the ask for a short page in place of a whole one; what came of that stays.

    It shows no notes and no marks: what was marked is for the next page. Notes that came by their numbers
    keep these. Raises ReelError where there is no memory to make.
    """
    if ask.session and ask.span is None:
        message = f"{ask.session} has its memory already, so there is nothing to shorten."
        raise ReelError(message, hint=f"for the rest of its page:  reel checkpoint --session {ask.session}")
    lived = read_session(snapshot, ask.session) if ask.session else None
    prompt = render_brief_prompt(_setting(snapshot, ring0, lived, today))
    came = read_replies(ask, (snapshot.settings.name,)).values if ask.replies else {}
    items = ask.items if "notes" in came else ()
    return replace(shorten(ask), prompt=prompt, items=items, flags=(), passed=())


def shorten(ask: Ask) -> Ask:
    """Return the ask, its parts reduced to those of a short page."""
    return replace(ask, parts=BRIEF_PARTS, state={}, waits=(), hindered=())


def retell(ask: Ask, names: Sequence[str]) -> str:
    """Return what came of a short page, as a reply to a whole one's prompt; `names` are the persona's."""
    reading = read_replies(ask, names)
    parts = []
    for spec in reading.schema.fields:
        if spec.key in reading.values:
            told = reading.text(spec.key) or "nothing"
            if spec.key == "notes" and not ask.items and not reading.empty(spec.key):
                told = as_new_notes(reading.lines(spec.key))
            parts.append(f"## {spec.label}\n{told}\n")
    return "\n".join(parts)


def prompt_words(cap: int) -> int:
    """Return how many words a page's prompt may have in a window of so many tokens."""
    return MOST_WORDS * max(cap, SMALL_WINDOW) // SMALL_WINDOW


def _with_prompt(ask: Ask, setting: PromptValues, page: PageRequest) -> Ask:
    """Return the ask with its prompt, which asks for the parts of features that are due as well.

    Where there is no room for all of them, they take turns from page to page; the notes have what is left.
    """
    if "coherence" in ask.parts:
        words = prompt_words(page.snapshot.settings.cap)
        draft = _with_parts(ask, setting, page, words, page_parts())
        due = [part for part in page_parts() if part.name in draft.asked or part.name in draft.waits]
        first = len(page.snapshot.checkpoints) % len(due) if draft.waits else 0
        if first:
            draft = _with_parts(ask, setting, page, words, [*due[first:], *due[:first]])
        waits = tuple(part.fields[0].label for part in due if part.name in draft.waits)
        ask, setting = replace(draft.ask, waits=waits), draft.setting
    if "notes" in ask.parts:
        ask, setting = _with_notes(ask, setting, page)
    return replace(ask, prompt=render_checkpoint_prompt(setting, ask.parts))


@frozen
class _Draft:
    """A prompt with as many parts of features as it has room for, by their names, still without its notes."""

    ask: Ask
    setting: PromptValues
    asked: Mapping[str, PartRequest]
    waits: Sequence[str] = ()


def _with_parts(
    ask: Ask, setting: PromptValues, page: PageRequest, words: int, order: Sequence[PagePart]
) -> _Draft:
    """Return the prompt with those of these parts that are due and fit, the first ones first."""
    if "notes" in ask.parts:
        notes = page.snapshot.text(WORKING) or ""
        named = " ".join(_loops(page).sentences(working_file.read_items(notes)))
        words -= min(LEAST_ROOM, len(keep_notes(notes).split())) + len(named.split())
    draft = _Draft(ask, setting, {})
    for part in order:
        fixed = sum(len(f"{spec.label} {spec.hint}".split()) + 1 for spec in part.fields)
        room = words - _count(draft.ask, draft.setting) - fixed
        wanted = part.ask(replace(page, keys=draft.ask.parts, room=max(0, room)))
        if wanted is None:
            continue
        if wanted.hindered:
            hindered = (*ask.hindered, wanted.hindered)
            ask = replace(ask, hindered=hindered)
            draft = replace(draft, ask=replace(draft.ask, hindered=hindered))
            continue
        fuller = _add_parts(ask, setting, {**draft.asked, part.name: wanted})
        if _count(fuller.ask, fuller.setting) <= words:
            draft = replace(fuller, waits=draft.waits)
        else:
            draft = replace(draft, waits=(*draft.waits, part.name))
    return draft


def _add_parts(ask: Ask, setting: PromptValues, asked: Mapping[str, PartRequest]) -> _Draft:
    """Return the prompt with these parts of features, in the table's order."""
    for part in page_parts():
        if part.name in asked:
            wanted = asked[part.name]
            fill, preface = {**setting.fill, **wanted.fill}, setting.preface + wanted.preface
            setting = replace(setting, fill=fill, preface=preface)
            ask = replace(ask, parts=(*ask.parts, *part.keys), state={**ask.state, **wanted.state})
    return _Draft(ask, setting, asked)


def _count(ask: Ask, setting: PromptValues) -> int:
    """Return the words of a prompt."""
    return len(render_checkpoint_prompt(setting, ask.parts).split())


def _with_notes(ask: Ask, setting: PromptValues, page: PageRequest) -> tuple[Ask, PromptValues]:
    """Return the ask and its setting with as many of the notes as there is room for."""
    snapshot = page.snapshot
    words = prompt_words(snapshot.settings.cap)
    working = snapshot.text(WORKING) or ""
    loops = _loops(page)
    room = min(snapshot.settings.cap * NOTES_SHARE // WHOLE, words - _count(ask, setting))
    room = max(LEAST_ROOM, room)
    texts, turn = _texts(page.session), len(snapshot.checkpoints)
    while True:
        notes = choose_notes(working, texts, room, turn, loops.texts)
        shown = replace(
            setting,
            working=notes.text,
            items=notes.items,
            longest=notes.longest,
            hints=loops.sentences(notes.items),
        )
        over = _count(ask, shown) - words
        if over <= 0 or room <= LEAST_ROOM:
            break
        room = max(LEAST_ROOM, room - over)
    passed = tuple(item.text for item in notes.items if item.text in loops.passed)
    return replace(ask, items=tuple(notes.items), passed=passed), shown


def _loops(page: PageRequest) -> NamedLoops:
    """Return the open loops that the prompt names."""
    items = working_file.read_items(page.snapshot.text(WORKING) or "")
    day = _day(page.session.id) if page.session is not None else page.today
    return name_loops(page.snapshot, items, day, _texts(page.session))


def _texts(session: Session | None) -> Sequence[str]:
    """Return what was said in a session."""
    return [entry.message.text for entry in session.shown()] if session is not None else ()


def _ended(snapshot: Snapshot) -> str | None:
    """Return the newest session if it waits for its page; older ones have to be named."""
    standing = standing_sessions(snapshot)
    return standing[-1] if standing and new_messages(snapshot, standing[-1]) > 0 else None


def _ask_unrecorded(
    snapshot: Snapshot, ring0: "Ring0", today: date, only: str | None, repository: "Repository | None"
) -> Ask:
    """Return the ask for a chat that is not recorded yet; its reply waits for that."""
    parts = {"checkpoint": CHECKPOINT_PARTS, "consolidation": CONSOLIDATION_PARTS}.get(only or "", ALL_PARTS)
    setting = _setting(snapshot, ring0, None, today)
    op = "consolidate" if only == "consolidation" else "checkpoint"
    ask = Ask(op, "", None, parts, "", ring0.blob, flags=tuple(flags_shown(snapshot)))
    return _with_prompt(ask, setting, PageRequest(snapshot, None, parts, today, repository))


def plain_checkpoint_prompt(snapshot: Snapshot, ring0: "Ring0", session: Session) -> str:
    """Return the prompt for the assessment of a session alone, whatever else is due."""
    ask = Ask("checkpoint", session.id, None, CHECKPOINT_PARTS, "", ring0.blob)
    page = PageRequest(snapshot, session, CHECKPOINT_PARTS, date.min)
    _, setting = _with_notes(ask, _setting(snapshot, ring0, session), page)
    return render_checkpoint_prompt(setting, CHECKPOINT_PARTS)


def ask_consolidation(
    snapshot: Snapshot,
    ring0: "Ring0",
    tokenizer: "Tokenizer",
    sessions: Sequence[str] = (),
    let_go: LetGo = nothing_let_go,
) -> Ask | None:
    """Return the next batch of the oldest of these sessions that has one; None if all is remembered.

    Without `sessions`, those without a memory, less what was let go. As many messages as the window
    holds, from the first that no memory stands for.
    """
    known = None if sessions else accounted(snapshot, let_go)
    for session in sessions or unremembered(snapshot, let_go):
        span = open_span(snapshot, session, known)
        if span is None:
            continue
        return _ask_stretch(snapshot, ring0, tokenizer, span)
    return None


def ask_moment(snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", span: SourceRange) -> Ask:
    """Return the ask that makes one moment a memory: a consolidation of this stretch (REEL §6.4).

    Raises ReelError where the window has no room for all of it.
    """
    ask = _ask_stretch(snapshot, ring0, tokenizer, span)
    if ask.span != span:
        message = f"A {snapshot.settings.cap:,}-token window has no room for all of this moment."
        raise ReelError(message, hint="raise window (and cap) in kit.yaml")
    return replace(ask, op="promote")


def _ask_stretch(snapshot: Snapshot, ring0: "Ring0", tokenizer: "Tokenizer", span: SourceRange) -> Ask:
    """Return the consolidation of a stretch, of as many messages as the window holds."""
    lived = read_session(snapshot, span.session)
    setting = _setting(snapshot, ring0, lived, given=True)
    when = _when(span.session)
    frame = render_consolidation_prompt(setting, "", when)
    cap = snapshot.settings.cap
    reply = reply_limit(snapshot.settings, cap * REPLY_SHARE // WHOLE)
    room = cap - reply - tokenizer.count(frame)
    if room < LEAST_TRANSCRIPT:
        message = (
            f"A {cap:,}-token window has no room for this: the prompt alone needs "
            f"{tokenizer.count(frame):,} and the reply {reply:,}."
        )
        raise ReelError(message, hint="raise window (and cap) in kit.yaml")
    entries = [e for e in lived.shown() if span.first <= (e.number or 0) <= span.last]
    batch, transcript = fill_stretch(span.session, entries, room, tokenizer, snapshot)
    numbers = [entry.number or 0 for entry in batch]
    return Ask(
        op="consolidate",
        session=span.session,
        span=SourceRange(span.session, min(numbers), max(numbers)),
        parts=CONSOLIDATION_PARTS,
        prompt=render_consolidation_prompt(setting, transcript, when),
        ring0=ring0.blob,
        items=(),
    )


def ask_repair(ask: Ask, snapshot: Snapshot, missing: Sequence[str], problems: Sequence[Problem]) -> str:
    """Return the prompt that asks only for what is missing or ambiguous."""
    settings = snapshot.settings
    setting = PromptValues(
        name=settings.name,
        user=settings.user,
        identity="",
        working=keep_notes(snapshot.text(WORKING) or "", {item.text for item in ask.items}, MOST_PROSE),
        items=ask.items,
        longest=LONGEST_MARK,
        examples=_examples(snapshot, prompt_words(settings.cap) // EXAMPLES_SHARE),
        again=brief_hints() if ask.brief else _again(ask, snapshot, missing),
        quote=lambda text: quote_said(text, settings.people),
    )
    keys = [key for key in missing if key in PAGE_KEYS or key in setting.again]
    setting = replace(setting, again={key: setting.again[key] for key in keys if key in setting.again})
    return render_repair_prompt(setting, keys, problems)


def _again(ask: Ask, snapshot: Snapshot, missing: Sequence[str]) -> dict[str, str]:
    """Return the words below the headings of features that are missing, as the prompt had them."""
    found: dict[str, str] = {}
    for part in parts_among(missing):
        for spec in part.fields:
            if spec.key in missing and (text := part_of(ask.prompt, spec.label)):
                found[spec.key] = part.repeat(snapshot, text, missing)
    return found


def ask_rest(ask: Ask, snapshot: Snapshot) -> Ask:
    """Return the ask, its prompt reduced to the parts that are still missing."""
    reading = read_replies(ask, (snapshot.settings.name,))
    if not reading.missing:
        return ask
    left = list_rest(ask, reading)
    told = {problem.field: problem for problem in reading.findings}
    problems = [told.get(spec.key) or Problem(spec.key, f"“{spec.label}” is missing.") for spec in left]
    return replace(ask, prompt=ask_repair(ask, snapshot, [spec.key for spec in left], problems))


def _setting(
    snapshot: Snapshot,
    ring0: "Ring0",
    session: Session | None,
    today: date | None = None,
    *,
    given: bool = False,
) -> PromptValues:
    """Return the values a prompt is written from; `given` means it includes the conversation itself."""
    settings = snapshot.settings
    words = prompt_words(settings.cap)
    marked = [flag.text for flag in flags_shown(snapshot).values()]
    put_right = _put_right(snapshot, session, given=given)
    if not given:
        put_right = fit_lines(put_right, words // MARKED_SHARE, LONGEST_MARK)
    return PromptValues(
        name=settings.name,
        user=settings.user,
        identity=ring0.text,
        examples=_examples(snapshot, words // EXAMPLES_SHARE),
        marked=[*marked, *put_right],
        day=day_in_words(_day(session.id) if session is not None else today or date.min),
        manner=manner_of(settings, settings.cap * REPLY_SHARE // WHOLE),
        lived_tags=bool(origins(_texts(session))),
        quote=lambda text: quote_said(text, settings.people),
    )


def flags_shown(snapshot: Snapshot) -> Mapping[str, Event]:
    """Return the flags that a prompt written now asks about: the oldest, as many as it has room for."""
    room = prompt_words(snapshot.settings.cap) // MARKED_SHARE
    flags = pending_flags(snapshot)
    shown = fit_lines([flag.text for flag in flags.values()], room, LONGEST_MARK)
    return {mark: replace(flag, text=text) for (mark, flag), text in zip(flags.items(), shown, strict=False)}


def fit_lines(lines: Sequence[str], room: int, longest: int) -> list[str]:
    """Return the first of these lines that fit into so many words, each of at most `longest`."""
    found: list[str] = []
    for line in lines:
        shown = cut_words(line, longest)
        room -= len(shown.split()) + 1
        if room < 0:
            break
        found.append(shown)
    return found


def _put_right(snapshot: Snapshot, session: Session | None, *, given: bool) -> list[str]:
    """Return later corrections of a session, each beside the beginning of what it corrects.

    Where the conversation is `given`, only what is about the whole of it: the rest stands in its place.
    """
    if session is None:
        return []
    said = session.numbered()
    found = []
    for event in corrections(snapshot).get(session.id, ()):
        entry = said.get(event.about[0]) if event.about else None
        if entry is None or not given:
            what = f'"{one_line(entry.message.text, QUOTED_FROM)}": ' if entry else ""
            found.append(one_line(f"{what}{correction_line(event)}"))
    return found


def _examples(snapshot: Snapshot, most: int) -> list[str]:
    """Return the active examples that may be named to rest, and the anchor, in at most so many words.

    Where there are more, they take turns from page to page.
    """
    active = snapshot.active
    slugs = dict.fromkeys(slug for slug in (active.anchor, *active.active) if slug in snapshot.exemplars)
    names = [
        f'"{snapshot.exemplars[slug].title}"' + (" (it stays)" if slug == active.anchor else "")
        for slug in slugs
        if slug is not None
    ]
    if sum(len(name.split()) for name in names) <= most:
        return names
    first = len(snapshot.checkpoints) % len(names)
    shown = fit_lines([*names[first:], *names[:first]], most - 2, most // 2)
    return [*shown, f"and {len(names) - len(shown):,} more"] if len(shown) < len(names) else shown


def _whole(session: Session) -> SourceRange:
    numbers = [entry.number or 0 for entry in session.shown()]
    if not numbers:
        message = f"Session {session.id} holds nothing that was said."
        raise ReelError(message)
    return SourceRange(session.id, min(numbers), max(numbers))


def _when(session: str) -> str:
    return f" on {day_in_words(_day(session))}"


def _day(session: str) -> date:
    try:
        return date.fromisoformat(session[:10])
    except ValueError:
        message = f"{session} names a day that there is not."
        raise ReelError(message) from None


def fill_stretch(
    session: str, entries: Sequence[Entry], room: int, tokenizer: "Tokenizer", snapshot: Snapshot
) -> tuple[list[Entry], str]:
    """Return as many whole messages as fit, each with its later corrections.

    One that never could fit is shown with its middle left out.
    """
    from reel_cli.core.tape.transcript import shorten, tell_entries

    batch: list[Entry] = []
    lines: list[str] = []
    used = 0
    for entry, unit in tell_entries(snapshot, session, entries):
        size = tokenizer.count(unit) + 2
        if used + size > room:
            if batch:
                break
            unit = shorten(unit, room, tokenizer)  # noqa: PLW2901
            size = room
        batch.append(entry)
        lines.append(unit)
        used += size
    return batch, "".join(lines).rstrip("\n")
