"""The shared context on a page: whether it is due, what the prompt says of it, what a page changes."""

from collections.abc import Mapping

from reel_cli.core.blockquote import set_apart
from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.open_ask import Ask
from reel_cli.core.exchange.page_part import PageAnswer, PageRequest, PartPlan, PartRequest
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import quote_notes
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.artifact import Problem
from reel_cli.features.dream.context.files import (
    CONTEXT,
    parse_context,
    render_context,
    room_for_parts,
    tell_context,
)
from reel_cli.features.dream.context.headings import LABELS
from reel_cli.features.dream.context.shared_context import PARTS, Place
from reel_cli.features.dream.context.state import (
    is_due,
    lately,
    make_basis,
    print_of_context,
    read_standing_context,
)

NOTHING = PartPlan()
FEWEST_LINES = 12
"""Lines of room below which a person's own sections leave nothing for it."""
LEAST_WORDS, ROOM = 120, 64
"""Words that the five parts may have in a small window; tokens of the cap for each word in a larger one."""


STATE = "context"
"""The key under which a prompt remembers a print of the shared context as it shows it."""


def ask_context(page: PageRequest) -> PartRequest | None:
    """Return what the prompt asks with; None where it is not due, or the page is of the past."""
    snapshot = page.snapshot
    if page.session is not None and page.session.id not in standing_sessions(snapshot)[-1:]:
        return None
    if not is_due(snapshot, None if page.session is not None else page.today):
        return None
    room = room_for_parts(snapshot.text(CONTEXT) or "")
    if room < FEWEST_LINES:
        return None
    words = max(LEAST_WORDS, snapshot.settings.cap // ROOM)
    stands = quote_notes(tell_context(read_standing_context(snapshot)), snapshot.settings.people)
    return PartRequest(preface=_preface(stands, room, words), state={STATE: print_of_context(snapshot)})


def _preface(stands: str, lines: int, words: int) -> str:
    """Return what a page's prompt says of the shared context before its headings."""
    until_now = f"Until now it says:\n{set_apart(stands)}" if stands else "It is not there yet."
    return (
        f"\nThe five headings from “{LABELS[PARTS[0]]}” on are what you will read first when you wake up: how"
        f" things are just now, with days as dates, in at most {lines} lines and {words} words together. Say"
        f" again what still holds. {until_now}\n"
    )


def plan_context(page: PageAnswer) -> PartPlan:
    """Return the shared context as a page has it; where that leaves it out or says too much, it stays."""
    if set(PARTS).isdisjoint(page.ask.parts):
        return NOTHING
    from reel_cli.features.dream.context.reply import parts_of
    from reel_cli.features.dream.context.weave import find_too_long, hold_context, in_order, show_parts

    snapshot, session = page.snapshot, page.session
    parts = parts_of(page.reading)
    if not parts:
        return NOTHING
    why = _why_not(snapshot, page.ask, parts)
    shown = session.shown()
    if why or not shown:
        return _stays(why) if why else NOTHING
    times = [entry.message.time for entry in shown if entry.message.time]
    place = Place(session.id, max(entry.number or 0 for entry in shown), times[-1] if times else "")
    wrote = {"model": page.sent_by, "model_from": "wire"} if page.sent_by else {}
    known = make_basis(snapshot, place, page.now.date(), wrote)
    before = snapshot.text(CONTEXT) or ""
    heard = lately(snapshot, place, parse_context(before).known)
    woven = hold_context(snapshot, in_order(parts, PARTS), heard)
    if find_too_long(before, woven.parts, known):
        why = "the page says more than there is room for"
        return _stays(why)
    text = render_context(before, woven.parts, known)
    told = (f"How things are now, in {CONTEXT}", tuple(show_parts(woven.parts)))
    return PartPlan({CONTEXT: text.encode()}, shown=(told,), problems=woven.problems)


def _stays(why: str) -> PartPlan:
    return PartPlan(problems=(Problem("now", f"{CONTEXT} stays as it is: {why}"),))


def _why_not(snapshot: Snapshot, ask: Ask, parts: Mapping[str, object]) -> str:
    """Return why the shared context is not written from this page; "" if it is."""
    missing = [f"“{LABELS[key]}”" for key in PARTS if key not in parts]
    if missing:
        return f"{', '.join(missing)} did not come through"
    if ask.session not in standing_sessions(snapshot)[-1:]:
        return "there is a newer chat"
    try:
        same = ask.state.get(STATE) == print_of_context(snapshot)
        snapshot.text(CONTEXT)
    except ReelError as error:
        return error.message.rstrip(".")
    return "" if same else "it was changed after the prompt was made"
