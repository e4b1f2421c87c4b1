"""Values that the prompts of a page are written from."""

from collections.abc import Container, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.exchange.prompts import PromptValues, cut_words
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import day_in_words, moment
from reel_cli.core.pack.words import quote_said
from reel_cli.core.stage_chain import origins
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.tape_view import correction_line, corrections
from reel_cli.core.values.behavior import manner_of
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import SMALL_WINDOW, WHOLE
from reel_cli.core.values.talk import Event, Session
from reel_cli.features.page.cold_start import count_steady
from reel_cli.features.page.kept_pages import page_notes, pending_flags

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0


REPLY_SHARE = WHOLE // 5
"""Share of the cap that a consolidation prompt leaves for its reply."""
QUOTED_FROM = 60
"""Characters of a message that identify the one a correction is about."""
MOST_WORDS = 1_200
"""Words of a page's prompt for a window of 8K or less; a larger window has more in proportion."""
MARKED_SHARE, EXAMPLES_SHARE = 12, 24
"""Fractions of the prompt's words for what was marked in the chat, and for the names of the examples."""
MANY_STEADY = 8
"""Number of sessions in a row without any shift after which a page is asked for the least sign of one."""
_MIDNIGHT = "T00:00:00"
"""The time of a chat of which only the day is known."""
LONGEST_MARK = 40
"""Words of one marked line above which a prompt shows only its beginning."""


def prompt_words(cap: int) -> int:
    """Return how many words a page's prompt may have in a window of so many tokens."""
    return MOST_WORDS * max(cap, SMALL_WINDOW) // SMALL_WINDOW


def texts_of(session: Session | None) -> Sequence[str]:
    """Return what was said in a session."""
    return [entry.message.text for entry in session.shown()] if session is not None else ()


def page_values(
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
    steady = count_steady(snapshot)
    marked = list(flags_shown(snapshot, session).values())
    put_right = _put_right(snapshot, session, given=given)
    if not given:
        put_right = fit_lines(put_right, words // MARKED_SHARE, LONGEST_MARK)
    return PromptValues(
        name=settings.name,
        user=settings.user,
        identity=ring0.text,
        examples=name_examples(snapshot, words // EXAMPLES_SHARE),
        marked=[*marked, *put_right],
        day=day_in_words(talk_day(snapshot, session) if session is not None else today or date.min),
        manner=manner_of(settings, settings.cap * REPLY_SHARE // WHOLE),
        lived_tags=bool(origins(texts_of(session))),
        steady=steady if steady >= MANY_STEADY else 0,
        quote=lambda text: quote_said(text, settings.people),
    )


def flags_shown(snapshot: Snapshot, session: Session | None) -> Mapping[str, str]:
    """Return what a prompt written now asks about: the oldest flags as told, as many as it has room for."""
    room = prompt_words(snapshot.settings.cap) // MARKED_SHARE
    told: dict[str, str] = {}
    for mark, flag in pending_flags(snapshot).items():
        text = f"{cut_words(flag.text, LONGEST_MARK)}{_doubt_chat(snapshot, flag, session)}"
        room -= len(text.split()) + 1
        if room < 0:
            break
        told[mark] = text
    return told


def _doubt_chat(snapshot: Snapshot, flag: Event, session: Session | None) -> str:
    """Return words behind a flag that was set before the session began, or may have been; "" for another."""
    if session is None:
        return ""
    started = session.started or ""
    if started and _MIDNIGHT not in started:
        return " (marked before this chat began)" if moment(flag.at) < moment(started) else ""
    # of this chat only the day is known, and another has its page, which did not ask about the flag
    others = (path for path in page_notes(snapshot) if f"/{session.id}." not in path)
    return " (perhaps in an earlier chat)" if any(others) else ""


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


def name_examples(snapshot: Snapshot, most: int) -> list[str]:
    """Return the active examples that may be named to rest, the anchor, and others that may be shown again.

    That is in at most so many words; where there are more, the active ones take turns from page to page.
    """
    active = snapshot.active
    slugs = dict.fromkeys(slug for slug in (active.anchor, *active.active) if slug in snapshot.exemplars)
    names = [
        f'"{snapshot.exemplars[slug].title}"' + (" (it stays)" if slug == active.anchor else "")
        for slug in slugs
        if slug is not None
    ]
    room = most - sum(len(name.split()) for name in names)
    if room >= 0:
        return [*names, *_name_resting(snapshot, slugs, room - 1)]
    first = len(snapshot.checkpoints) % len(names)
    shown = fit_lines([*names[first:], *names[:first]], most - 2, most // 2)
    return [*shown, f"and {len(names) - len(shown):,} more"] if len(shown) < len(names) else shown


def _name_resting(snapshot: Snapshot, shown: Container[str | None], most: int) -> list[str]:
    """Return the examples that are not shown, the newest first, but none that a person lets rest."""
    pool = sorted(snapshot.exemplars.values(), key=lambda one: (one.added, one.slug), reverse=True)
    left = [
        f'"{one.title}"' for one in pool if one.slug not in shown and one.slug not in snapshot.active.resting
    ]
    named = fit_lines(left, most - 8, most)
    return [f"not shown now, but yours to ask for: {named[0]}", *named[1:]] if named else []
