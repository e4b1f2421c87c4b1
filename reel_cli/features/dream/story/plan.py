"""A chapter of the story held against its stretch of tape: ask, answer, amend (Dream Weaver §6.4)."""

import zlib
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER, Answer, Exchange, Offer
from reel_cli.core.moment import day_in_words
from reel_cli.core.pack.words import quote_chapter
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, for_screen, one_line
from reel_cli.core.values.source import Ranges
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.dream.batch import LEAST_SAID, MOST_LATER, days_in_words, room_to_write
from reel_cli.features.dream.batch_checks import Checks
from reel_cli.features.dream.cursor_file import CURSOR, read_cursor, render_cursor, render_ranges
from reel_cli.features.dream.dream import Amendment, shows_sessions
from reel_cli.features.dream.later_corrections import count_later, find_later, tell_later
from reel_cli.features.dream.plan_weave import MODEL, OP, UNKNOWN, Writer
from reel_cli.features.dream.reply_amendments import split_joined
from reel_cli.features.dream.story.choice import parts_left
from reel_cli.features.dream.story.files import HISTORY, render_amendment, stands_in
from reel_cli.features.dream.story.reply import (
    Ground,
    chapter_named,
    parse_reground,
    read_reground,
    render_reground,
)
from reel_cli.features.dream.story.source import SourcedChapter, add_to_chapter, parse_sourced
from reel_cli.features.dream.unread_tape import collect

if TYPE_CHECKING:
    from reel_cli.core.kit.approved_rings import Ring0
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.holdings import Counter

NAME = "dream.reground"
"""Name under which the chapter that waits for its reply is remembered: one at a time."""
KIND = "reground"
_NOTHING_LEFT = "(What was said then was taken back, all of it.)"


@dataclass(frozen=True, slots=True)
class ChapterRecheck(Exchange):
    """A chapter that was, or could be, handed out, with the part of its stretch that is in the prompt.

    `over` says that nothing of the stretch is left after this part; `since` is where the person wanted to
    begin ("" for one chapter alone); `heard` is what the cursor will say of what was put right.
    """

    kind = KIND
    name = NAME

    number: int
    title: str
    source: tuple[str, ...]
    parts: Mapping[str, Ranges]
    prompt: str
    ring0: str
    over: bool
    since: str = ""
    heard: Mapping[str, int] = field(default_factory=dict)

    def is_sound(self) -> bool:
        """Return whether it shows parts of sessions."""
        return shows_sessions(self.parts)

    @property
    def key(self) -> str:
        """Return the key in the prompt."""
        return ground_key(self.number, self.source, self.parts)

    @property
    def spans(self) -> tuple[SourceRange, ...]:
        """Return the part's stretches of the tape."""
        return tuple(SourceRange(s, first, last) for s, pairs in self.parts.items() for first, last in pairs)


def ground_key(number: int, source: tuple[str, ...], parts: Mapping[str, Ranges]) -> str:
    """Return the name of a chapter with one part of its stretch: its number, and a fingerprint of both."""
    told = ";".join(f"{session} {render_ranges(ranges)}" for session, ranges in parts.items())
    return f"{number}-{zlib.crc32(f'{source} against {told}'.encode()) & 0xFFFF:04x}"


def make_regrounding(  # noqa: PLR0913 (a prompt, and all that goes into it)
    snapshot: "Snapshot",
    ring0: "Ring0",
    counter: "Counter",
    chapter: SourcedChapter,
    window: int | None = None,
    since: str = "",
) -> ChapterRecheck:
    """Return the prompt for a chapter and as much of the rest of its stretch as fits.

    Raises ReelError where the window has no room for the chapter and anything of the tape, or nothing of the
    tape it was woven from is there any longer.
    """
    settings, cursor = snapshot.settings, read_cursor(snapshot)
    window = window or (cursor.window if cursor is not None else snapshot.settings.window)
    left = parts_left(snapshot, chapter)
    found = find_later(snapshot, cursor, chapter.sessions)
    later, told_sessions = tell_later(found, min(MOST_LATER, window // 10), counter)
    if not left and not found:
        message = f"No chat is left of what “{one_line(chapter.title, 80)}” is about."
        raise ReelError(message, hint="to see the other chapters:  reel dream reground --list")
    because = cursor.because if cursor is not None else ""
    source = tuple(str(span) for span in chapter.spans)
    told = quote_chapter(chapter.title, chapter.text, settings.people)
    blank = Ground("0" * 8, days_in_words(chapter.sessions), told, "", because, later)
    limit = window - room_to_write(window)
    room = limit - counter.count(render_reground(settings.name, settings.user, ring0.text, blank)) - 40
    if room < LEAST_SAID:
        message = f"A window of {window:,} tokens has no room for this chapter and for what was said."
        raise ReelError(message, hint="take a larger one:  reel dream reground --window 32k")
    for _ in range(4):
        pieces = collect(snapshot, left, room, counter)
        parts = {one.session: one.numbers for one in pieces}
        said = "".join(one.text for one in pieces) or _NOTHING_LEFT
        key = ground_key(chapter.number, source, parts)
        span = days_in_words(list(parts) or list(chapter.sessions))
        ground = replace(blank, key=key, span=span, said=said)
        prompt = render_reground(settings.name, settings.user, ring0.text, ground)
        over_limit = counter.count(prompt) - limit
        if over_limit <= 0:
            break
        room -= over_limit + 8
    counts = count_later(snapshot)
    heard = {session: counts[session] for session in sorted(told_sessions)}
    return ChapterRecheck(
        chapter.number, chapter.title, source, parts, prompt, ring0.blob, parts == left, since, heard
    )


def answer_regrounding(
    snapshot: "Snapshot", asked: ChapterRecheck, reply: str, now: datetime, writer: Writer = UNKNOWN
) -> Answer:
    """Read a reply, hold what it amends against the tape, and offer it as one change."""
    if not reply.strip():
        return EMPTY
    names = (snapshot.settings.name, asked.key)
    reading = read_reground(reply, prompt=asked.prompt, names=names)
    if reading.is_prompt:
        return NO_ANSWER
    named = chapter_named(reading, reply)
    if named and named != asked.key:
        return Answer(refusal=f"That answers about another chapter ({named}); this one is {asked.key}.")
    amendments = parse_reground(reading, reply, names)
    if amendments is None:
        return Answer(
            refusal="It corrects nothing, and does not say that nothing is wrong.",
            problems=reading.findings,
        )
    chapter = find_asked(snapshot, asked)
    joined = (split_joined(one, partial(stands_in, chapter.text)) for one in amendments)
    amendments = [one for several in joined for one in several]
    astray = [one.old for one in amendments if not stands_in(chapter.text, one.old)]
    if amendments and len(astray) == len(amendments):
        what = f"“{one_line(astray[0], 80)}” is not in the chapter, and it corrects nothing else."
        return Answer(refusal=what, problems=reading.findings)
    kept, problems = _check(snapshot, asked, chapter, amendments)
    few = f"{len(kept):,} amendment" + ("" if len(kept) == 1 else "s") if kept else "nothing to amend"
    shown = [one_line(f"Amended: “{one_line(one.old, 60)}”: {one.new}") for one in kept]
    shown += [] if kept else ["The chapter is right; reel notes with it that it was compared."]
    shown += (
        ["Worth a look:", *(f"  {one_line(problem.what, 300)}" for problem in problems)] if problems else []
    )
    told = {
        "chapter": asked.number,
        "title": asked.title,
        "amended": len(kept),
        "over": asked.over,
    }
    offer = Offer(
        id=asked.key,
        title=f"Chapter {asked.number}",
        heading=f"Chapter {asked.number}, {one_line(asked.title, 80)}: {few}",
        shown=tuple(shown),
        plan=lambda later: plan_regrounding(later, asked, kept, now, writer),
        told=told,
    )
    return Answer((offer,), (), tuple(problems))


def find_asked(snapshot: "Snapshot", asked: ChapterRecheck) -> SourcedChapter:
    """Return the chapter as it is now; raises StateError if it is gone, or this part was checked."""
    for chapter in parse_sourced(snapshot.text(HISTORY) or ""):
        if tuple(str(span) for span in chapter.spans) == asked.source and chapter.title == asked.title:
            break
    else:
        message = f"The chapter “{one_line(asked.title, 80)}” is no longer in the story."
        raise StateError(message, hint="to see the chapters:  reel dream reground --list")
    left = parts_left(snapshot, chapter)
    if any(session not in left for session in asked.parts):
        message = "This chapter was compared meanwhile, or its chat was taken back."
        raise StateError(message, hint="begin again:  reel dream reground --prompt")
    return chapter


def _check(
    snapshot: "Snapshot", asked: ChapterRecheck, chapter: SourcedChapter, amendments: list[Amendment]
) -> tuple[list[Amendment], list[Problem]]:
    """Return the amendments that can stand, with quotations as they were said, and their problems."""
    checks = Checks(snapshot, asked.parts)
    kept: list[Amendment] = []
    problems: list[Problem] = []
    for one in amendments:
        if not stands_in(chapter.text, one.old):
            what = f"“{one_line(one.old, 80)}” is not in the chapter, so its correction is left out"
            problems.append(Problem("amend", what))
            continue
        new, found = checks.mend_quotes(one.new)
        mended = replace(one, new=new)
        if render_amendment(mended, "").partition("“")[2] in chapter.amended or mended in kept:
            continue
        problems += found
        kept.append(mended)
    # an amendment's denial makes no claim
    problems += [
        problem
        for problem in checks.claims([one.new for one in kept], ())
        if problem.field not in ("grounding.negation", "grounding.quote")
    ]
    return kept, problems


def plan_regrounding(
    snapshot: "Snapshot", asked: ChapterRecheck, amendments: list[Amendment], now: datetime, writer: Writer
) -> Change:
    """Return one commit: the amendments below the chapter, and that this part was checked.

    Raises StateError where the chapter is gone, or was held against it meanwhile.
    """
    chapter = find_asked(snapshot, asked)
    text = snapshot.text(HISTORY) or ""
    cursor, before = read_cursor(snapshot), snapshot.text(CURSOR) or ""
    wrote = writer.told(cursor.model if cursor is not None else "")
    about: dict[str, object] = {
        "again": now.date().isoformat(),
        "held": [str(span) for span in asked.spans],
        **({"over": True} if asked.over else {}),
        **wrote,
    }
    when = day_in_words(now.date())
    lines = [render_amendment(one, when) for one in amendments]
    texts = {HISTORY: add_to_chapter(text, chapter, lines, about)}
    if cursor is not None and asked.heard:
        texts[CURSOR] = render_cursor(replace(cursor, heard={**cursor.heard, **asked.heard}), before)
    few = f"{len(amendments):,} amended" if amendments else "nothing to amend"
    trailers = (
        ("Reel-Ring0", asked.ring0),
        *(((MODEL, wrote["model"]),) if wrote else ()),
        *(("Reel-Session", session) for session in asked.parts),
    )
    writes = {path: told.encode() for path, told in texts.items() if told != (snapshot.text(path) or "")}
    title = one_line(chapter.title, 60)
    return Change(
        OP,
        f"held {for_screen(f'“{title}”', f'chapter {asked.number}')} against what was said, {few}",
        writes,
        trailers,
    )
