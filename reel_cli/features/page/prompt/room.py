"""The room of a page's prompt: which parts of features it asks for, and which notes it shows."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import date
from functools import partial

from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.exchange.page_part import PagePart, PageRequest, PartRequest, page_parts
from reel_cli.core.exchange.prompts import PromptValues, render_checkpoint_prompt
from reel_cli.core.files import working_file
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.pack.resting_parts import standing_working
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.page.notes.note_likeness import tell_note
from reel_cli.features.page.prompt.loops import has_passed, tell_passed
from reel_cli.features.page.prompt.shown_notes import LEAST_ROOM, choose_notes, keep_notes
from reel_cli.features.page.prompt.values import prompt_words, texts_of

NOTES_SHARE = WHOLE // 40
"""Words of numbered notes in a prompt, as a share of the cap: some 200 for an 8K window."""
ROOM_BESIDE = 170
"""Words of notes for which a prompt has room before it asks for a second part of a feature."""
OTHERS_FIRST = 8
"""One prompt of so many begins with a part that is not `first`, so that each is asked for some day."""


def with_prompt(ask: Ask, setting: PromptValues, page: PageRequest) -> Ask:
    """Return the ask with its prompt, which asks for the parts of features that are due as well.

    Where there is no room for all of them, those that are `first` take turns from page to page, and one
    page in `OTHERS_FIRST` begins with one of the others; what is urgent comes before all, and the notes have
    what is left.
    """
    if "coherence" in ask.parts:
        words = prompt_words(page.snapshot.settings.cap)
        order = sorted(page_parts(), key=lambda part: not part.first)
        draft = _with_parts(ask, setting, page, words, order)
        due = [part for part in order if part.name in draft.asked or part.name in draft.waits]
        first = [part for part in due if part.first]
        others = [part for part in due if not part.first]
        if draft.waits:
            pages = len(page.snapshot.checkpoints)
            turns = [*_rotate(first, pages), *_rotate(others, pages // OTHERS_FIRST)]
            if pages % OTHERS_FIRST == OTHERS_FIRST - 1:
                turns = [*turns[len(first) :], *turns[: len(first)]]
            turns.sort(key=lambda part: part.name not in draft.urgent)
            draft = _with_parts(ask, setting, page, words, turns)
        # the others lose little by it: candidates wait, a context is renewed later
        waits = tuple(part.fields[0].label for part in first if part.name in draft.waits)
        ask, setting = replace(draft.ask, waits=waits), draft.setting
    if "notes" in ask.parts:
        ask, setting = with_notes(ask, setting, page)
    return replace(ask, prompt=render_checkpoint_prompt(setting, ask.parts))


def _rotate(parts: Sequence[PagePart], turn: int) -> Sequence[PagePart]:
    """Return the parts in their order, beginning with another one at each turn."""
    at = turn % len(parts) if parts else 0
    return [*parts[at:], *parts[:at]]


@frozen
class _Draft:
    """A prompt with as many parts of features as it has room for, by their names, still without its notes."""

    ask: Ask
    setting: PromptValues
    asked: Mapping[str, PartRequest]
    waits: Sequence[str] = ()
    urgent: Sequence[str] = ()


def _with_parts(
    ask: Ask, setting: PromptValues, page: PageRequest, words: int, order: Sequence[PagePart]
) -> _Draft:
    """Return the prompt with those of these parts that are due and fit, the first ones first.

    The one that begins and those that are `first` leave the notes their least room, the others more.
    """
    most, notes = words, 0
    if "notes" in ask.parts:
        text = standing_working(page.snapshot, page.snapshot.text(WORKING) or "")
        most -= len(" ".join(tell_passed(working_file.read_items(text), _day(page))).split())
        notes = len(keep_notes(text).split())
    draft = _Draft(ask, setting, {})
    for part in order:
        words = most - min(notes, ROOM_BESIDE if draft.asked and not part.first else LEAST_ROOM)
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
        if wanted.urgent:
            draft = replace(draft, urgent=(*draft.urgent, part.name))
        fuller = _add_parts(ask, setting, {**draft.asked, part.name: wanted})
        if _count(fuller.ask, fuller.setting) <= words:
            draft = replace(fuller, waits=draft.waits, urgent=draft.urgent)
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


def with_notes(ask: Ask, setting: PromptValues, page: PageRequest) -> tuple[Ask, PromptValues]:
    """Return the ask and its setting with as many of the notes as there is room for."""
    snapshot = page.snapshot
    words = prompt_words(snapshot.settings.cap)
    working = standing_working(snapshot, snapshot.text(WORKING) or "")
    room = min(snapshot.settings.cap * NOTES_SHARE // WHOLE, words - _count(ask, setting))
    room = max(LEAST_ROOM, room)
    texts, turn = texts_of(page.session), len(snapshot.checkpoints)
    while True:
        notes = choose_notes(working, texts, room, turn, _day(page))
        shown = replace(
            setting,
            working=notes.text,
            items=notes.items,
            longest=notes.longest,
            tell=partial(tell_note, today=_day(page)),
            hints=tell_passed(notes.items, _day(page)),
        )
        over = _count(ask, shown) - words
        # the numbers of those whose day has passed take of the notes' own room
        least = LEAST_ROOM - len(" ".join(shown.hints).split())
        if over <= 0 or room <= least:
            break
        room = max(least, room - over)
    passed = tuple(item.text for item in notes.items if has_passed(item.text, _day(page)))
    return replace(ask, items=tuple(notes.items), passed=passed), shown


def _day(page: PageRequest) -> date:
    """Return the day of the chat that a page is about."""
    return talk_day(page.snapshot, page.session) if page.session is not None else page.today
