"""Prompts for a page: a checkpoint, a consolidation, or both at once."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask, list_rest, read_replies
from reel_cli.core.exchange.page_part import PageRequest, parts_among
from reel_cli.core.exchange.prompts import (
    PromptValues,
    brief_hints,
    part_of,
    render_brief_prompt,
    render_checkpoint_prompt,
    render_repair_prompt,
)
from reel_cli.core.exchange.schema import (
    ALL_PARTS,
    ASSESSMENT_PARTS,
    BRIEF_PARTS,
    CHECKPOINT_PARTS,
    CONSOLIDATION_PARTS,
    PAGE_KEYS,
)
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.pack.resting_parts import standing_working
from reel_cli.core.pack.words import quote_said
from reel_cli.core.tape.tape_view import read_session, require_standing, standing_sessions
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.talk import Session, SourceRange
from reel_cli.features.page.due import open_span
from reel_cli.features.page.kept_pages import new_messages
from reel_cli.features.page.notes.working_notes import as_new_notes
from reel_cli.features.page.prompt.room import with_notes, with_prompt
from reel_cli.features.page.prompt.shown_notes import MOST_PROSE, keep_notes
from reel_cli.features.page.prompt.values import (
    EXAMPLES_SHARE,
    LONGEST_MARK,
    flags_shown,
    name_examples,
    page_values,
    prompt_words,
)
from reel_cli.features.page.short_page import find_short_memory, retell_memory

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.approved_rings import Ring0


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
    anew: bool = False,
) -> Ask:
    """The end-of-session ask: assessment and consolidation together, or one of them (`only`).

    An assessment asks for the parts of features that are due as well, as the kit and its history tell.

    Where all of the session is remembered already, only the assessment is asked for. Where no
    session waits for a page, it is for the chat that is still going on (`session` is ""). With `written`
    False, the ask of a session has no prompt and no flags, for one that was handed out before. `known` are
    the stretches that count as remembered, else those that `remembered` finds. `anew` asks for the whole page
    of all of a session, whatever is remembered of it.
    """
    target = session or _ended(snapshot)
    if target is None:
        return _ask_unrecorded(snapshot, ring0, today, only, repository)
    require_standing(snapshot, target)
    span = open_span(snapshot, target, known)
    # a short page is completed: its memory is there, and the rest of it is asked for
    short = find_short_memory(snapshot, target) if span is None and only is None and not anew else None
    if short is not None:
        span = short.source[0]
    lived = read_session(snapshot, target)
    # where nothing is remembered of it, any page is about all of it
    anew = anew and span != _whole(lived)
    if anew:
        span = _whole(lived)
    parts: tuple[str, ...] = ALL_PARTS if span is not None else ASSESSMENT_PARTS
    if only == "checkpoint":
        parts, span = ASSESSMENT_PARTS, None
    elif only == "consolidation":
        parts = CONSOLIDATION_PARTS
        span = span or _whole(lived)
    ask = Ask(
        op="consolidate" if only == "consolidation" else "checkpoint",
        session=target,
        span=span,
        parts=parts,
        prompt="",
        ring0=ring0.blob,
        said=len(lived.shown()),
        flags=tuple(flags_shown(snapshot, lived)) if written else (),
        replies=(retell_memory(snapshot, short),) if short is not None else (),
        anew=anew and span is not None and "happened" in parts,
    )
    if not written:
        return ask
    setting = page_values(snapshot, ring0, lived)
    return with_prompt(ask, setting, PageRequest(snapshot, lived, parts, today, repository))


def ask_brief(snapshot: Snapshot, ring0: "Ring0", today: date, ask: Ask) -> Ask:
    """Return the ask for a short page in place of a whole one; what came of that stays.

    It shows no notes and no marks: what was marked is for the next page. Notes that came by their numbers
    keep these. Raises ReelError where there is no memory to make.
    """
    if ask.session and (ask.span is None or ask.anew):
        message = f"{ask.session} has its memory already, so there is nothing to shorten."
        raise ReelError(message, hint=f"for the rest of its page:  reel checkpoint --session {ask.session}")
    lived = read_session(snapshot, ask.session) if ask.session else None
    prompt = render_brief_prompt(page_values(snapshot, ring0, lived, today))
    came = read_replies(ask, (snapshot.settings.name,)).values if ask.replies else {}
    items = ask.items if "notes" in came else ()
    brought = {spec.key for part in parts_among(ask.parts) for spec in part.fields}
    kept = tuple(key for key in ask.parts if key in brought and key in came)
    short = replace(shorten(ask), parts=(*BRIEF_PARTS, *kept), state=ask.state if kept else {})
    return replace(short, prompt=prompt, items=items, flags=(), passed=())


def shorten(ask: Ask) -> Ask:
    """Return the ask, its parts reduced to those of a short page."""
    if ask.brief:
        return ask
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


def _ended(snapshot: Snapshot) -> str | None:
    """Return the newest session if it waits for its page; older ones have to be named."""
    standing = standing_sessions(snapshot)
    return standing[-1] if standing and new_messages(snapshot, standing[-1]) > 0 else None


def _ask_unrecorded(
    snapshot: Snapshot, ring0: "Ring0", today: date, only: str | None, repository: "Repository | None"
) -> Ask:
    """Return the ask for a chat that is not recorded yet; its reply waits for that."""
    parts = {"checkpoint": ASSESSMENT_PARTS, "consolidation": CONSOLIDATION_PARTS}.get(only or "", ALL_PARTS)
    setting = page_values(snapshot, ring0, None, today)
    op = "consolidate" if only == "consolidation" else "checkpoint"
    ask = Ask(op, "", None, parts, "", ring0.blob, flags=tuple(flags_shown(snapshot, None)))
    return with_prompt(ask, setting, PageRequest(snapshot, None, parts, today, repository))


def plain_checkpoint_prompt(snapshot: Snapshot, ring0: "Ring0", session: Session) -> str:
    """Return the prompt for the assessment of a session alone, whatever else is due."""
    ask = Ask("checkpoint", session.id, None, CHECKPOINT_PARTS, "", ring0.blob)
    page = PageRequest(snapshot, session, CHECKPOINT_PARTS, date.min)
    _, setting = with_notes(ask, page_values(snapshot, ring0, session), page)
    return render_checkpoint_prompt(setting, CHECKPOINT_PARTS)


def ask_repair(ask: Ask, snapshot: Snapshot, missing: Sequence[str], problems: Sequence[Problem]) -> str:
    """Return the prompt that asks only for what is missing or ambiguous."""
    settings = snapshot.settings
    setting = PromptValues(
        name=settings.name,
        user=settings.user,
        identity="",
        working=keep_notes(
            standing_working(snapshot, snapshot.text(WORKING) or ""),
            {item.text for item in ask.items},
            MOST_PROSE,
        ),
        items=ask.items,
        longest=LONGEST_MARK,
        examples=name_examples(snapshot, prompt_words(settings.cap) // EXAMPLES_SHARE),
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


def _whole(session: Session) -> SourceRange:
    numbers = [entry.number or 0 for entry in session.shown()]
    if not numbers:
        message = f"Chat {session.id} holds nothing that was said."
        raise ReelError(message)
    return SourceRange(session.id, min(numbers), max(numbers))
