"""Reading of a page: a model's reply, held against the ask and the tape; or why it is no page."""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.leakage import find_machinery, is_taken_up
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim, fold
from reel_cli.core.exchange.consolidation import parse_consolidation
from reel_cli.core.exchange.lived_words import without_syntax
from reel_cli.core.exchange.open_ask import (
    Ask,
    count_parts,
    list_asked,
    list_rest,
    read_replies,
    schema_for,
    until,
    without_replaced,
)
from reel_cli.core.exchange.reader.cleaning import find_lone_name
from reel_cli.core.exchange.reader.failure import FEW, Failure, find_failure
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import COMBINED, COUNTED
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import BETWEEN, read_checkpoint
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING, Snapshot
from reel_cli.core.moment import day_in_words
from reel_cli.core.stage_chain import scene_tags
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.tape.voices import is_same_name, persona_names
from reel_cli.core.values.artifact import Checkpoint, Consolidation, Problem
from reel_cli.core.values.behavior import is_too_much_of_a_list
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.memory import Item
from reel_cli.core.values.talk import Kind
from reel_cli.features.page.kept_pages import checkpoints_of
from reel_cli.features.page.notes.working_notes import parse_notes
from reel_cli.features.page.page_home import LATEST, PageHome, find_page_home
from reel_cli.features.page.reply.checkpoint_reply import parse_brief, parse_checkpoint, tell_unmatched

if TYPE_CHECKING:
    from reel_cli.core.values.settings import Settings


EMPTY_MEMORY = '"What happened" is empty, and that is the memory itself.'
PARTS_KEPT = "parts are kept"
"""Words of a refusal that are true only where what came through is kept."""


_OF_MEMORY = ("happened", "changed", "matters", "unresolved", "marker")
"""Parts of a page that make the memory."""


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
    home: PageHome | None = None
    """The chat that the page is about, where it is not the one it was given for."""
    adds: bool = True
    """False if nothing of the page is in this reply, whatever came before it."""


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
    names = _list_names(snapshot, reply)
    reading, taken_out = without_syntax(read_replies(ask, names, reply), _tags_of(snapshot, ask))
    alone = read_replies(replace(ask, replies=()), names, reply) if ask.replies else reading
    missing = tuple(spec.key for spec in reading.missing)
    # text under an unknown heading counts for the known ones, and is not asked for under its own name
    problems = [p for p in reading.findings if p.field in ask.parts or p.field not in missing]
    refusal = _refusal(snapshot, ask, reply, reading, alone)
    if refusal == EMPTY_MEMORY and any(problem.field == "happened" for problem in taken_out):
        refusal = '"What happened" holds only scene tags or message headers, and no memory of what was lived.'
    consolidation = checkpoint = None
    phrases: tuple[Phrase, ...] = ()
    home = _find_home(snapshot, ask, alone, refusal)
    if home is not None and (home.session or missing or ask.replies):
        # nothing of it may be joined with what came of the right one
        refusal = tell_home(snapshot, ask, home, reply)
    if not refusal:
        if ask.span is not None and "happened" in ask.parts:
            consolidation, found = parse_consolidation(reading)
            problems += found
            phrases = _hold_against_tape(snapshot, ask, consolidation.anchors)
        if "coherence" in ask.parts:
            checkpoint, found = _parse(parse_checkpoint, snapshot, ask, reading)
            problems += found
        elif ask.brief:
            checkpoint, found = _parse(parse_brief, snapshot, ask, reading)
            problems += found
        problems += [*taken_out, *_lists(reading, settings), *_tell_machinery(snapshot, ask, reading)]
        if other := _kept_for_another(snapshot, ask, reply):
            day = day_in_words(date.fromisoformat(other[:10]))
            problems.append(
                Problem("", f"the very same page is kept already, for the chat of {day} ({other})")
            )
        problems += [
            Problem("", f"it is signed “{other}”, and this kit is {settings.name}’s") for other in names[1:]
        ]
    # a refusal under the first heading is no part of a page
    foreign = home is not None and bool(refusal)
    adds = bool(alone.values) and not foreign and find_page_failure(snapshot, reply, alone) is None
    return Page(
        without_replaced(ask, (settings.name,), reply),
        reply,
        reading,
        consolidation,
        checkpoint,
        phrases,
        tuple(problems),
        missing,
        refusal,
        alone,
        home,
        adds=adds,
    )


def _list_names(snapshot: Snapshot, reply: str) -> tuple[str, ...]:
    """Return the names that a page may be signed with: the persona's, and that of another if it is."""
    signed, name = find_lone_name(reply), snapshot.settings.name
    if not signed or any(is_same_name(signed, one) for one in persona_names(snapshot)):
        return (name,)
    return (name, signed)


def _tags_of(snapshot: Snapshot, ask: Ask) -> Collection[str]:
    """Return the scene's own tags in the chat that a page is about (REEL §5.2)."""
    try:
        shown = read_session(snapshot, ask.session).shown() if ask.session else ()
    except ReelError:
        return ()
    return scene_tags(entry.message.text for entry in shown)


def _tell_machinery(snapshot: Snapshot, ask: Ask, reading: ReplyReading) -> list[Problem]:
    """Return a problem for each part of a memory that speaks of how memory is kept (REEL §10.1)."""
    told = "\n".join(snapshot.text(path) or "" for path in (IDENTITY, DIRECTIVES))
    slips = {one.field for one in reading.problems if one.what.startswith("It says “")}
    found = {
        key: leaks
        for key in _OF_MEMORY
        if key in reading.values and key not in slips and (leaks := find_machinery(reading.text(key), told))
    }
    if not found:
        return []
    try:
        shown = read_session(snapshot, ask.session).shown() if ask.session else ()
    except ReelError:
        shown = ()
    heard = "\n".join(entry.message.text for entry in shown if entry.message.role != "assistant")
    return [
        Problem(key, f"It speaks of “{one_line(leaked.words, 40)}”, which nobody who remembers would.")
        for key, leaks in found.items()
        if (leaked := next((one for one in leaks if not is_taken_up(one, heard, told)), None)) is not None
    ]


def _parse(
    parse: Callable[..., tuple[Checkpoint, list[Problem]]],
    snapshot: Snapshot,
    ask: Ask,
    reading: ReplyReading,
) -> tuple[Checkpoint, list[Problem]]:
    """Return a checkpoint by a parser of whole or short pages, which knows every item and example."""
    slugs = {exemplar.slug: exemplar.title for exemplar in snapshot.exemplars.values()}
    titles = list(slugs.values())
    standing = working_file.read_items(snapshot.text(WORKING) or "")
    others = list_asked(ask.numbered, standing)[len(ask.numbered) :]
    checkpoint, problems = parse(reading, ask.numbered, titles, others, slugs)
    if ask.unnumbered:
        problems = _tell_passed_over(checkpoint.delta.unmatched, ask.items, problems)
    return checkpoint, problems


def _tell_passed_over(
    unmatched: Sequence[str], items: Sequence[Item], problems: Sequence[Problem]
) -> list[Problem]:
    """Return the problems of a page whose prompt is not known, with the notes that it names by number alone.

    That a numbered note goes on changes nothing, and is not told.
    """
    read = {line: parse_notes(line, items) for line in unmatched}
    acts = [line for line, delta in read.items() if delta.closed or delta.changed]
    known = {tell_unmatched(line) for line, delta in read.items() if delta.still or line in acts}
    rest = [problem for problem in problems if problem.what not in known]
    if not acts:
        return rest
    what = "notes have changed since this page was asked for, so its numbers close none of them"
    return [*rest, Problem("notes", f"{what}; left out: {'; '.join(acts)}")]


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


_PARAGRAPHS = re.compile(r"\n\s*\n")


def tell_parts(page: Page) -> Mapping[str, Any]:
    """Return what came of an answer and what did not, as JSON values.

    `came` has the lines of each part that is whole, by its heading: a list's items, the lines
    of a part that has one a line, else its paragraphs.
    Written below their headings again, a blank line between any two, they read as they were read here.
    `half` counts the parts of an answer that is refused only for what is missing, as the refusal does, names
    those that came besides, and the one that breaks off; None for any other.
    """
    reading = page.reading
    whole = {spec.key: spec for spec in reading.schema.fields if spec.key in reading.values}
    whole.pop(reading.broken, None)
    came = {}
    for key, spec in whole.items():
        text = reading.text(key)
        lines = spec.shape == "list" or spec.by_line
        pieces = text.split("\n") if lines else _PARAGRAPHS.split(text)
        came[spec.label] = [piece for piece in pieces if piece.strip()]
    left = [spec.label for spec in list_rest(page.ask, reading) if spec.key in COUNTED]
    half = None
    if PARTS_KEPT in page.refusal:
        got, asked = count_parts(page.ask.parts, reading)
        broken = reading.schema[reading.broken].label if reading.broken else ""
        besides = [whole[key].label for key in whole if key not in COUNTED]
        half = {"came": got, "asked": asked, "besides": besides, "broken": broken}
    return {"came": came, "missing": left, "half": half}


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
    if path := _is_kept(snapshot, ask.session, reply):
        return f"That page is in the kit already ({path})."
    if reading.missing:
        got, asked = count_parts(ask.parts, reading)
        left = [spec for spec in list_rest(ask, reading) if spec.key in COUNTED]
        order = [spec.key for spec in reading.schema.fields]
        ended = order.index(reading.last) if reading.last else -1
        # a last heading with nothing below it is still to come itself
        after = (spec for spec in left if order.index(spec.key) >= ended)
        first = next(after, reading.missing[0]).label
        if alone.repeated is not None and alone.repeated.at_end:
            return f'The model repeats itself before it comes to "{first}"; {got} of {asked} {PARTS_KEPT}.'
        if alone.broken and reading.broken:
            label = reading.schema[reading.broken].label
            return f'The reply stops in the middle of "{label}"; {got} of {asked} {PARTS_KEPT}.'
        if reading.cut_off:
            return f'The reply stops before "{first}"; {got} of {asked} {PARTS_KEPT}.'
        names = name_some([f'"{spec.label}"' for spec in left], 3)
        verb = "is" if len(left) == 1 else "are"
        return f"{names} {verb} missing; {got} of {asked} {PARTS_KEPT}."
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


_TOLD = ("title", "happened", "changed", "matters", "breath")
"""Parts of a page that tell of this chat alone; its notes tell of earlier ones too."""


def _find_home(snapshot: Snapshot, ask: Ask, alone: ReplyReading, refusal: str) -> PageHome | None:
    """Return where a reply belongs that may be a page, and is not about the chat that was asked about."""
    if not ask.session or not alone.values or (refusal and PARTS_KEPT not in refusal):
        return None
    told = "\n".join(alone.text(key) for key in _TOLD if key in alone.values)
    return find_page_home(snapshot, ask.session, alone.lines("anchors"), told)


def tell_home(snapshot: Snapshot, ask: Ask, home: PageHome, reply: str) -> str:
    """Return in a sentence that a page is about another chat."""
    if home.unsaid:
        lines = f"None of its {home.unsaid} lines to find it by was said in this chat"
        return f"{lines}, so this may be the page of another one."
    if not home.session:
        return "This looks like the page of another evening: hardly anything on it was said in this chat."
    day = day_in_words(date.fromisoformat(home.session[:10]))
    same = home.session[:10] == ask.session[:10]
    which = f"chat, {home.session}" if same else f"evening, of {day}"
    after = ", which is kept already" if _is_kept(snapshot, home.session, reply) else ""
    return f"This looks like the page of another {which}{after}."


def _is_kept(snapshot: Snapshot, session: str, reply: str) -> str:
    """Return the file of the checkpoint that keeps this reply; "" where none does."""
    for path in checkpoints_of(snapshot, session):
        old = _earlier_reply(snapshot, path)
        if fold(reply) in [fold(part) for part in (old, *old.split(BETWEEN)) if part]:
            return path
    return ""


def _kept_for_another(snapshot: Snapshot, ask: Ask, reply: str) -> str:
    """Return the chat, of the latest, for which the same page was kept before; "" for none."""
    others = (
        [one for one in reversed(standing_sessions(snapshot)) if one != ask.session] if ask.session else []
    )
    return next((one for one in others[:LATEST] if _is_kept(snapshot, one, reply)), "")


def _lists(reading: ReplyReading, settings: "Settings") -> list[Problem]:
    """Return a problem for each list that should be prose, if the kit avoids lists."""
    return [
        Problem(key, "is a list, where sentences were asked for")
        for key in ("happened", "changed", "matters", "marker")
        if is_too_much_of_a_list(reading.text(key), settings)
    ]
