"""What was woven so far, as the next batch's prompt carries it: new chapters whole, old ones as a digest."""

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.kit.facts_file import FACTS, parse_facts
from reel_cli.kit.missed_file import MISSED, parse_threads
from reel_cli.kit.snapshot import Snapshot
from reel_cli.kit.story_file import HISTORY, REMEMBER, parse_chapters
from reel_cli.model.dream import Chapter, Status, current_facts

if TYPE_CHECKING:
    from reel_cli.model.holdings import Counter

_SENTENCE = re.compile(r".{12,}?[.!?…][\"”’')*_]*(?=\s|$)", re.DOTALL)
_LATEST = "The end of your story so far:"
_LONGEST = 240
"""In characters: a sentence of a digest is cut to so many."""


def tell_notes(snapshot: Snapshot, room: int, counter: "Counter") -> str:
    """The story, the open threads, the proposal and the facts, in at most `room` tokens; "" for none yet."""
    threads = parse_threads(snapshot.text(MISSED) or "")
    facts = current_facts(parse_facts(snapshot.text(FACTS) or ""))
    lists = [
        (
            "Threads that were dropped and are open, by number:",
            [f"{t.number}. {t.day} · {t.owner} · {t.text}" for t in threads if t.status is Status.OPEN],
        ),
        (
            "What you hold on to:",
            [f"{f.category} | {f.key} | {f.value} | {f.when or 'no day'}" for f in facts],
        ),
    ]
    side: list[str] = []
    left = room
    for heading, lines in lists:
        if lines and (told := _newest(heading, lines, min(left, room // 6), counter)):
            side.append(told)
            left -= counter.count(told) + 2
    remember = _chapters(parse_chapters(snapshot.text(REMEMBER) or ""), min(left, room // 6), counter)
    if remember:
        side.append(f"How you want to remember:\n\n{remember}")
        left -= counter.count(side[-1]) + 2
    story = _chapters(parse_chapters(snapshot.text(HISTORY) or ""), left - 12, counter)
    whole = [f"Your story so far:\n\n{story}"] if story else []
    return "\n\n".join((*whole, *side))


def open_threads(snapshot: Snapshot, room: int, counter: "Counter") -> str:
    """The dropped threads that are open, the newest that fit into `room` tokens; "" for none."""
    threads = parse_threads(snapshot.text(MISSED) or "")
    lines = [f"{one.day} · {one.owner} · {one.text}" for one in threads if one.status is Status.OPEN]
    return _newest("Threads that were dropped and are open:", lines, room, counter) if lines else ""


def newest_chapters(snapshot: Snapshot, room: int, counter: "Counter") -> str:
    """The end of the story: the newest chapters that fit whole into `room` tokens, or the last in short."""
    chapters = parse_chapters(snapshot.text(HISTORY) or "")
    left = room - counter.count(_LATEST) - 2
    kept: list[str] = []
    for one in reversed(chapters):
        text = f"## {one.title}\n\n{one.text}"
        left -= counter.count(text) + 2
        if left < 0:
            break
        kept.insert(0, text)
    if chapters and not kept:
        last = _beginnings(chapters[-1], room - counter.count(_LATEST) - 2, counter)
        kept = [last] if counter.count(last) + counter.count(_LATEST) + 2 <= room else []
    return "\n\n".join((_LATEST, *kept)) if kept else ""


def _newest(heading: str, lines: Sequence[str], room: int, counter: "Counter") -> str:
    """The newest lines that fit, in their order, and how many are left out."""
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


def _chapters(chapters: Sequence[Chapter], room: int, counter: "Counter") -> str:
    """All chapters whole where they fit; else the newest, and before them a digest of those that do not."""
    whole = [f"## {one.title}\n\n{one.text}" for one in chapters]
    sizes = [counter.count(text) + 2 for text in whole]
    if sum(sizes) <= room:
        return "\n\n".join(whole)
    left = room * 3 // 4
    first = len(chapters)
    while first and sizes[first - 1] <= left:
        first -= 1
        left -= sizes[first]
    digest = _digest(chapters[:first], left + room // 4, counter)
    return "\n\n".join((*digest, *whole[first:]))


def _digest(chapters: Sequence[Chapter], room: int, counter: "Counter") -> list[str]:
    """The beginnings of chapters that have no room whole; the oldest by their titles, or only by how many."""
    told: list[str] = []
    left = room - 24
    for place in range(len(chapters) - 1, -1, -1):
        share = left // (place + 1) if place < 8 else left // 8
        text = _beginnings(chapters[place], share, counter)
        size = counter.count(text) + 2
        if size > left:
            told.insert(0, f"[{place + 1:,} older chapters are left out here]")
            break
        told.insert(0, text)
        left -= size
    return told


def _beginnings(chapter: Chapter, room: int, counter: "Counter") -> str:
    """A chapter's title and the first sentence of each paragraph, as many as fit."""
    text = f"## {chapter.title} (in short)\n\n"
    left = room - counter.count(text) - 1
    kept: list[str] = []
    for paragraph in re.split(r"\n[ \t]*\n", chapter.text):
        plain = " ".join(paragraph.split())
        found = None if plain.startswith(">") else _SENTENCE.match(plain)
        sentence = (found[0] if found else plain)[:_LONGEST]
        left -= counter.count(sentence) + 1
        if left < 0:
            break
        kept.append(sentence)
    return text + " ".join(kept) if kept else text.rstrip("\n")
