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
OTHERS_NEXT, OTHERS_FIRST = 3, 12
"""One prompt of so many asks for a part that is not `first` with less room for notes, and one of so many
before all others where there is no room beside them: so each is asked for some day."""


def with_prompt(ask: Ask, setting: PromptValues, page: PageRequest) -> Ask:
    """Return the ask with its prompt, which asks for the parts of features that are due as well.

    Where there is no room for all of them, those that are `first` come first, since no later page asks for
    the facts of a chat; the others take turns behind them. What is urgent comes before all, and the notes
    have what is left.
    """
    if "coherence" in ask.parts:
        order = sorted(page_parts(), key=lambda part: not part.first)
        draft = _with_parts(ask, setting, page, order)
        due = [part for part in order if part.name in draft.asked or part.name in draft.waits]
        first = [part for part in due if part.first]
        others = [part for part in due if not part.first]
        if draft.waits:
            pages = len(page.snapshot.checkpoints)
            turn, place = divmod(pages, OTHERS_NEXT)
            turns = [*first, *_rotate(others, turn)]
            draft = _with_parts(ask, setting, page, turns)
            passed_over = not set(draft.asked) - {part.name for part in first}
            if place == OTHERS_NEXT - 1 and passed_over:
                draft = _with_parts(ask, setting, page, turns, scant=True)
                passed_over = not set(draft.asked) - {part.name for part in first}
            if pages % OTHERS_FIRST == OTHERS_FIRST - 1 and passed_over and not draft.urgent:
                draft = _with_parts(ask, setting, page, [*_rotate(others, pages // OTHERS_FIRST), *first])
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
    urgent: bool = False


def _with_parts(
    ask: Ask,
    setting: PromptValues,
    page: PageRequest,
    order: Sequence[PagePart],
    *,
    scant: bool = False,
) -> _Draft:
    """Return the prompt with those of these parts that are due and fit, the first ones first.

    The one that begins and those that are `first` leave the notes their least room, the others more. `scant`:
    so does one more, for which those that are `first` say as little as they can.
    """
    most, notes = prompt_words(page.snapshot.settings.cap), 0
    firsts = [part.name for part in order if part.first]
    if "notes" in ask.parts:
        text = standing_working(page.snapshot, page.snapshot.text(WORKING) or "")
        passed = len(" ".join(tell_passed(working_file.read_items(text), _day(page))).split())
        notes = len(keep_notes(text).split()) + passed
    draft = _Draft(ask, setting, {})
    for part in order:
        others = [one for one in draft.asked if one not in firsts]
        beside = part.first or not draft.asked or (scant and not others)
        words = most - min(notes, LEAST_ROOM if beside else ROOM_BESIDE)
        fixed = sum(len(f"{spec.label} {spec.hint}".split()) + 1 for spec in part.fields)
        room = words - _count(draft.ask, draft.setting) - fixed
        room = 0 if scant and part.first else max(0, room)
        wanted = part.ask(replace(page, keys=draft.ask.parts, room=room))
        if wanted is None:
            continue
        if wanted.hindered:
            hindered = (*ask.hindered, wanted.hindered)
            ask = replace(ask, hindered=hindered)
            draft = replace(draft, ask=replace(draft.ask, hindered=hindered))
            continue
        fuller = _add_parts(ask, setting, {**draft.asked, part.name: wanted})
        urgent = draft.urgent or wanted.urgent
        if _count(fuller.ask, fuller.setting) <= words:
            draft = replace(fuller, waits=draft.waits, urgent=urgent)
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
