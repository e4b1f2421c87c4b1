"""Story so far, as the next batch's prompt holds it: new chapters whole, old ones as a digest."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.pack.words import quote_chapter
from reel_cli.core.tape.tape_view import retracted
from reel_cli.features.dream.dream import Chapter, Status, Thread
from reel_cli.features.dream.earlier_story import facts_anew, in_force
from reel_cli.features.dream.shortening import tell_in_short, tell_newest_whole
from reel_cli.features.dream.story.book import open_book
from reel_cli.features.dream.story.files import HISTORY, REMEMBER
from reel_cli.features.dream.story.missed_file import MISSED
from reel_cli.features.dream.story.resting_threads import list_standing
from reel_cli.features.facts.files import parse_facts, with_standing_source
from reel_cli.features.facts.policy import current_facts

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter

_LATEST = "The end of your story so far:"
_SURE = {"high": "sure", "medium": "likely", "low": "unsure"}
"""Words for confidences in a prompt."""
NEWEST_THREADS, TURNED_THREADS = 16, 8
"""Open threads that each prompt of a dream shows, and older ones that it shows by turns."""
_NOTE_TOKENS = 24
"""Tokens of the note that says how many chapters are left out."""


def tell_notes(snapshot: Snapshot, room: int, counter: "Counter") -> str:
    """Return the story, open threads, proposal and facts, in at most `room` tokens; "" for none yet."""
    threads = list_standing(snapshot)
    facts = current_facts(with_standing_source(snapshot, parse_facts(facts_anew(snapshot))))
    lists = [
        (
            "Threads that were dropped and are open, by number:",
            [
                f"{t.number}. {t.day} · {t.owner} · {t.text}"
                for t in list_asked(
                    [t for t in threads if t.status is Status.OPEN], len(open_book(snapshot, HISTORY))
                )
            ],
        ),
        (
            "What you hold on to:",
            [
                f"- {f.category} | {f.key} | {f.value} | {_SURE.get(f.confidence, f.confidence)}"
                f" | {f.when or 'no day'}"
                for f in facts
            ],
        ),
    ]
    notes = _AsNotes(snapshot.settings.people)
    side: list[str] = []
    left = room
    for heading, lines in lists:
        if lines and (told := _newest(heading, lines, min(left, room // 6), counter)):
            side.append(told)
            left -= counter.count(told) + 2
    # a prompt does not have what was taken back, or the reply would tell it again
    gone = retracted(snapshot)
    remember = _chapters(open_book(snapshot, REMEMBER).without(gone), min(left, room // 6), counter, notes)
    if remember:
        side.append(f"How you want to remember:\n\n{remember}")
        left -= counter.count(side[-1]) + 2
    story = _chapters(open_book(snapshot, HISTORY).without(gone), left - 12, counter, notes)
    whole = [f"Your story so far:\n\n{story}"] if story else []
    return "\n\n".join((*whole, *side))


def list_asked(threads: Sequence[Thread], turn: int) -> Sequence[Thread]:
    """Return the open threads that a prompt shows: the newest, and at each `turn` other ones of the rest."""
    older, newest = threads[:-NEWEST_THREADS], threads[-NEWEST_THREADS:]
    if len(older) <= TURNED_THREADS:
        return threads
    at = turn * TURNED_THREADS % len(older)
    some = [*older[at:], *older[:at]][:TURNED_THREADS]
    return [*sorted(some, key=lambda one: one.number), *newest]


def has_dreamt(snapshot: Snapshot) -> bool:
    """Return whether a dream wrote something of what the next prompt tells."""
    return any((snapshot.read(path) or b"").strip() for path in (HISTORY, REMEMBER, MISSED))


def open_threads(snapshot: Snapshot, room: int, counter: "Counter") -> str:
    """Return the dropped threads that are open, the newest that fit into `room` tokens; "" for none."""
    threads = list_standing(snapshot, in_force(snapshot, MISSED))
    lines = [f"{one.day} · {one.owner} · {one.text}" for one in threads if one.status is Status.OPEN]
    return _newest("Threads that were dropped and are open:", lines, room, counter) if lines else ""


def newest_chapters(snapshot: Snapshot, room: int, counter: "Counter") -> str:
    """Return the newest chapters that fit whole into `room` tokens, or the last one shortened."""
    chapters = open_book(snapshot, in_force(snapshot, HISTORY)).without(retracted(snapshot))
    left, notes = room - counter.count(_LATEST) - 2, _AsNotes(snapshot.settings.people)
    kept: list[str] = []
    for one in reversed(chapters):
        text = notes.whole(one).rstrip("\n")
        left -= counter.count(text) + 2
        if left < 0:
            break
        kept.insert(0, text)
    if chapters and not kept:
        left = room - counter.count(_LATEST) - 2
        last = tell_in_short(chapters[-1], left, notes, counter.count).text.rstrip("\n")
        kept = [last] if counter.count(last) + counter.count(_LATEST) + 2 <= room else []
    return "\n\n".join((_LATEST, *kept)) if kept else ""


def _newest(heading: str, lines: Sequence[str], room: int, counter: "Counter") -> str:
    """Return the newest lines that fit, in order, and how many are left out."""
    left = room - counter.count(heading) - 20
    kept: list[str] = []
    for line in reversed(lines):
        left -= counter.count(line) + 2
        if left < 0:
            break
        kept.insert(0, line)
    gone = len(lines) - len(kept)
    if not kept:
        return ""
    return "\n".join((heading, *([f"[{gone:,} older ones are left out here]"] if gone else []), *kept))


class _AsNotes:
    """The form of chapters in a prompt."""

    def __init__(self, names: Sequence[str]) -> None:
        """Keep the names; `names` are the speakers'."""
        self._names = names

    def whole(self, chapter: Chapter) -> str:
        """Return a chapter under its heading."""
        return f"{quote_chapter(chapter.title, chapter.text, self._names)}\n\n"

    def short(self, chapter: Chapter, text: str) -> str:
        """Return the chapter's digest."""
        return quote_chapter(f"{chapter.title} (in short)", text, self._names).rstrip("\n") + "\n\n"


def _chapters(chapters: Sequence[Chapter], room: int, counter: "Counter", notes: "_AsNotes") -> str:
    """Return all chapters whole if they fit; else the newest, after a digest of the others."""
    told = tell_newest_whole(chapters, room - _NOTE_TOKENS, notes, counter.count)
    text = "".join(one.text for one in told).rstrip("\n")
    gone = len(chapters) - len(told)
    return f"[{gone:,} older chapters are left out here]\n\n{text}".rstrip("\n") if gone else text
