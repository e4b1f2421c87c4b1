"""A reply to the sifting of a conversation: read, held against the tape, and kept as one change.

In that one change the patterns become memories, the summary takes the place of the one before, and what it
stands for is flushed: before it nothing is, after it all is.
"""

import hashlib
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import StateError
from reel_cli.core.evidence.phrases import PhraseMatch, Tape
from reel_cli.core.exchange.exchange import EMPTY, NO_ANSWER
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import find_others_heading, tell_other
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.markdown import plain_chapter
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.frozen import late
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import EXPERIENCE, FIELDS, Level, Memory, format_id, memory_path
from reel_cli.core.values.source import to_ranges
from reel_cli.core.values.talk import SourceRange, session_order
from reel_cli.features.stream.ask import StreamAsk, most_patterns, pinned_after, print_of_stream
from reel_cli.features.stream.files import STREAM_FILE, render_stream
from reel_cli.features.stream.reply import (
    SIFT_WITH_ROWS,
    KeepPrompt,
    Observation,
    is_signed,
    parse_patterns,
    read_sift,
    render_sift_rest,
    stretch_named,
)
from reel_cli.features.stream.rows import HeldRows, hold_rows
from reel_cli.features.stream.stream import KeptConversation
from reel_cli.features.stream.stretch import Stretch, find_stretch
from reel_cli.features.stream.text_check import (
    HeldText,
    find_untold_agreements,
    find_untold_quarrels,
    hold_texts,
    leave_out,
)

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer

OP = "keep"
TITLE_LONGEST = 80
TAG_OF = {"mood": "emotional", "friction": "relational", "progress": "operational", "habit": "relational"}
"""The protocol's tag of each kind of pattern."""
FEWEST_WORDS = 2
"""A quotation of fewer words shows nothing."""
_ID = re.compile(r"\bM-\d{3,}\b")


@dataclass(frozen=True, slots=True)
class Pattern:
    """One thing that shows over time, and the words on the tape that show it."""

    kind: str
    text: str
    shown: tuple[tuple[str, PhraseMatch], ...]
    """The words that show it as they stand on the tape, each with its session."""


@dataclass(frozen=True, slots=True)
class SiftReading:
    """A reply, read; `refusal` says why it cannot be kept, `missing` what is still to come of it.

    `long` says that the summary came and was too long.
    """

    ask: StreamAsk
    summary: str = ""
    patterns: tuple[Pattern, ...] = ()
    problems: tuple[Problem, ...] = ()
    missing: tuple[str, ...] = ()
    refusal: str = ""
    long: bool = False
    rows: HeldRows = field(default_factory=HeldRows)
    """Rows for the tables."""
    again: tuple[str, ...] = ()
    """The memories whose patterns it names once more."""
    emptied: str = ""
    """Why nothing is left of a summary that nobody reads before it is kept; "" where some is."""


@dataclass(frozen=True, slots=True)
class KeptNow:
    """The plan of a keep: the change, what the conversation goes on from, the memories it makes."""

    change: Change
    kept: KeptConversation
    memories: tuple[Memory, ...]
    unpinned: tuple[str, ...] = ()
    """IDs that were pinned to another conversation, and are let go."""


_SENTENCE_END = late(r"(?<=[.!?…])\s")


def require_same(snapshot: Snapshot, ask: StreamAsk) -> None:
    """Raise StateError if the conversation was kept meanwhile, or left the tape."""
    if ask.span.session not in standing_sessions(snapshot):
        message = "The chat that was asked about is no longer recorded, or has another ID."
        raise StateError(message, hint="ask again:  reel keep --prompt")
    if print_of_stream(snapshot) != ask.seen:
        message = "The conversation was summed up again after this prompt; that summary stays."
        raise StateError(message, hint="ask again, about what was said since:  reel keep --prompt")


def read_sifted(
    snapshot: Snapshot, ask: StreamAsk, reply: str, count: Callable[[str], int], *, unattended: bool = False
) -> SiftReading:
    """Read a reply beside those that came before, and hold what it says to have noticed against the tape.

    If it is `unattended`, nobody reads it before it is kept, and what the tape does not bear is left out.
    """
    if not reply.strip():
        return SiftReading(ask, refusal=EMPTY.refusal)
    names = (snapshot.settings.name,)
    asks_rows = bool(ask.tables)
    own = read_sift((reply,), prompt=ask.frame, names=names, rows=asks_rows)
    if own.is_prompt:
        return SiftReading(ask, refusal=NO_ANSWER.refusal)
    named = stretch_named(own, reply)
    if named and named != ask.key:
        return SiftReading(ask, refusal=f"That is about {named}; this asks about {ask.key}.")
    if not named and (heading := find_others_heading(reply, SIFT_WITH_ROWS)):
        return SiftReading(ask, refusal=tell_other(heading))
    # a whole answer takes the place of what came before it, which may have been refused
    lacks = tuple(spec.key for spec in own.missing)
    is_whole = not lacks or (lacks == ("domain",) and is_signed(reply, names))
    earlier = () if is_whole else ask.replies
    reading = read_sift((*earlier, reply), prompt=ask.frame, names=names, rows=asks_rows)
    if not any(key in reading.values for key in ("summary", "patterns", "domain")):
        return SiftReading(ask, refusal="None of it could be read.")
    missing = tuple(spec.key for spec in reading.missing)
    if missing == ("domain",) and is_signed(reply, names):
        # the page is whole but does not mention the tables, which is reported and not asked for again
        missing = ()
    noticed = parse_patterns(reading)
    texts = [_summary(reading), *(one.text for one in noticed)]
    held = hold_texts(snapshot, texts, _spans(snapshot, ask))
    kept, left_out = _leave_out(snapshot, ask, held, asked=not unattended)
    told, *patterns_told = kept if unattended else held
    summary = told.text
    noticed = tuple(
        replace(one, text=held.text)
        for one, held in zip(noticed, patterns_told, strict=True)
        if any(map(str.isalnum, held.text))
    )
    unsaid = find_untold_agreements(
        snapshot, (told.text, *(one.text for one in noticed)), _spans(snapshot, ask)
    )
    doubts = [*(problem for one in held for problem in one.problems), *left_out, *unsaid]
    emptied = _why_emptied(held[0], left_out) if "summary" not in missing and texts[0] and not summary else ""
    if "summary" not in missing and not summary:
        missing = ("summary", *missing)
    long = "summary" not in missing and count(summary) > ask.room
    if long:
        missing = ("summary", *missing)
    patterns, problems = _hold(snapshot, ask, noticed)
    rows = hold_rows(snapshot, ask.spans, reading.lines("domain"))
    found = (*reading.findings, *problems, *doubts, *rows.problems)
    again = _seen_again(snapshot, noticed)
    return SiftReading(
        ask, summary, patterns, found, missing, long=long, rows=rows, again=again, emptied=emptied
    )


def _leave_out(
    snapshot: Snapshot, ask: StreamAsk, held: Sequence[HeldText], *, asked: bool
) -> tuple[Sequence[HeldText], list[Problem]]:
    """Return a summary and patterns without what the tape does not bear, and what was left out in words.

    A pattern is one claim, and goes whole. Where a person is `asked`, the words say what `--yes` leaves out.
    """
    spans = _spans(snapshot, ask)
    quarrels = find_untold_quarrels(snapshot, [one.text for one in held], spans)
    kept: list[HeldText] = []
    problems: list[Problem] = []
    for place, (one, more) in enumerate(zip(held, quarrels, strict=True)):
        # a pattern becomes a memory by itself, so that a number in it has to have been said
        alone = [sentence for sentence in one.unsaid if place and sentence not in one.doubted]
        doubted = tuple(dict.fromkeys((*one.doubted, *more, *alone)))
        kept.append(one._replace(text="" if place and doubted else leave_out(one.text, doubted)))
        for sentence in doubted:
            why = "no quarrel was spoken of" if sentence in more else "the chat does not bear it"
            why = "it has a number or day that nobody said" if sentence in alone else why
            gone = (
                "would be left out by --yes" if asked else "is left out, as nobody reads it before it is kept"
            )
            what = f"“{one_line(sentence, 80)}” {gone}: {why}"
            problems.append(Problem("patterns" if place else "summary", what))
    return kept, problems


def _why_emptied(held: HeldText, left_out: Sequence[Problem]) -> str:
    """Return the first thing that speaks against a summary, without the words that were said instead."""
    found = [one.what for one in (*held.problems, *left_out)]
    return found[0].partition("; ")[0].rstrip(".") if found else "it has no words"


def _spans(snapshot: Snapshot, ask: StreamAsk) -> tuple[SourceRange, ...]:
    """Return the stretches that a summary tells of: what it goes on from, too."""
    kept = find_stretch(snapshot, ask.span.session).kept
    return _joined((*(kept.whole if kept is not None else ()), *ask.spans))


def _summary(reading: ReplyReading) -> str:
    """Return the summary, fit for `stream.md` and for a bundle."""
    if reading.empty("summary"):
        return ""
    return plain_chapter(_ID.sub("that memory", reading.text("summary"))).strip()


def refusal_of(found: SiftReading) -> str:
    """Return why a reply is not enough yet, in a sentence; "" if it is."""
    if found.refusal or not found.missing:
        return found.refusal
    if found.long:
        return "The summary is longer than there is room for."
    if found.emptied:
        return f"Nothing of its summary is left that can be kept: {found.emptied}."
    if "summary" in found.missing:
        return "It has no summary, so nothing can be kept."
    if found.missing == ("domain",):
        return "What goes into the tables did not come through; the rest did."
    return "What shows over time did not come through; the summary did."


def kept_parts(found: SiftReading, reply: str) -> StreamAsk:
    """Return the ask as it waits for the rest; a summary that is too long or not borne is not kept."""
    replies = () if found.long or found.emptied else (*found.ask.replies, reply)
    return replace(found.ask, replies=replies)


def rest_prompt(snapshot: Snapshot, found: SiftReading) -> str:
    """Return the prompt for the parts that are missing."""
    settings = snapshot.settings
    most = most_patterns(settings)
    asked = KeepPrompt(found.ask.key, "", "", found.ask.words, tables=found.ask.tables, patterns=most)
    missing = ("summary", "patterns") if found.long or found.emptied else found.missing
    return render_sift_rest(settings.name, settings.user, missing, asked, shorter=found.long)


# -- what shows over time, held against the tape ---------------------------------------------------


def _hold(
    snapshot: Snapshot, ask: StreamAsk, noticed: tuple[Observation, ...]
) -> tuple[tuple[Pattern, ...], list[Problem]]:
    """Return the patterns whose words were said in the stretch; the others are named, and left out."""
    tapes = {
        span.session: Tape(
            [
                entry
                for entry in read_session(snapshot, span.session).shown()
                if span.first <= (entry.number or 0) <= span.last
            ]
        )
        for span in reversed(ask.spans)
    }
    least, most = snapshot.settings.anchor_similarity, most_patterns(snapshot.settings)
    known = {_told(memory) for memory in _patterns(snapshot)}
    kept: list[Pattern] = []
    problems: list[Problem] = []
    for one in noticed:
        about = one_line(one.text, 60)
        shown = [found for words in one.words if (found := _find(tapes, words, least)) is not None]
        if one_line(one.text).casefold() in known:
            problems.append(Problem("patterns", f"“{about}” is remembered already; left out"))
        elif not shown:
            problems.append(Problem("patterns", f"nothing that was said shows “{about}”; left out"))
        elif len(kept) == most:
            problems.append(Problem("patterns", f"“{about}” is more than was asked for; left out"))
        else:
            known.add(one_line(one.text).casefold())
            unique = {found.text: (session, found) for session, found in shown}
            kept.append(Pattern(one.kind, one.text, tuple(unique.values())))
    return tuple(kept), problems


def _patterns(snapshot: Snapshot) -> list[Memory]:
    return [memory for memory in snapshot.memories.values() if EXPERIENCE in memory.tags]


def _seen_again(snapshot: Snapshot, noticed: tuple[Observation, ...]) -> tuple[str, ...]:
    """Return the memories of earlier patterns that are noticed again."""
    told = {one_line(one.text).casefold() for one in noticed}
    return tuple(memory.id for memory in _patterns(snapshot) if _told(memory) in told)


def _told(memory: Memory) -> str:
    return one_line(memory.body.partition(f"## {FIELDS[4]}")[0]).casefold()


def _find(tapes: Mapping[str, Tape], words: str, least: int) -> tuple[str, PhraseMatch] | None:
    """Return the session and the place in which words were said, else the nearest."""
    if len(words.split()) < FEWEST_WORDS:
        return None
    for session, tape in tapes.items():
        if found := tape.find(words):
            return session, found
    near = [(session, found) for session, tape in tapes.items() if (found := tape.nearest(words))]
    best = max(near, key=lambda one: one[1].likeness, default=None)
    return best if best is not None and best[1].likeness >= least else None


# -- the one change --------------------------------------------------------------------------------


def plan_keep(
    snapshot: Snapshot, found: SiftReading, *, now: datetime, tokenizer: "Tokenizer", first_number: int
) -> KeptNow:
    """Return one commit with patterns and stream; raises StateError if kept meanwhile."""
    ask = found.ask
    require_same(snapshot, ask)
    stretch = find_stretch(snapshot, ask.span.session)
    memories = tuple(
        _memory(stretch, one, format_id(first_number + place), now)
        for place, one in enumerate(found.patterns)
    )
    noticed = (*found.again, *(memory.id for memory in memories))
    kept = replace(_kept(stretch, found, now), noticed=noticed)
    before = snapshot.text(STREAM_FILE) or ""
    writes: dict[str, bytes | None] = {STREAM_FILE: render_stream(kept, before).encode()}
    trailers = [("Reel-Session", ask.span.session)]
    for memory in memories:
        writes[memory_path(memory.id)] = render_memory(memory).encode()
        size = tokenizer.count(memory.body)
        trailers.append(("Reel-Memory", f"{memory.id} {memory.level} {size}"))
    if memories:
        lines = put_lines(snapshot.text(INDEX) or "", map(line_for, memories))
        writes[INDEX] = lines.encode()
        trailers.append(("Reel-Tokenizer", tokenizer.name))
    for put in found.rows.puts:
        writes.update(put.change.writes if put.change is not None else {})
    trailers.append(("Reel-Ring0", ask.ring0))
    many = sum(span.last - span.first + 1 for span in ask.spans)
    what = f"{ask.span.session}, {many:,} message{'' if many == 1 else 's'}"
    if memories:
        what += f", {len(memories):,} pattern{'' if len(memories) == 1 else 's'}"
    if rows := found.rows.count:
        what += f", {rows:,} row{'' if rows == 1 else 's'}"
    change = Change(OP, what, writes, tuple(trailers))
    return KeptNow(change, kept, memories, _unpinned(snapshot, stretch))


def _unpinned(snapshot: Snapshot, stretch: Stretch) -> tuple[str, ...]:
    from reel_cli.features.stream.stretch import read_kept

    before = read_kept(snapshot)
    return tuple(before.pinned) if before is not None and stretch.kept is None else ()


def _kept(stretch: Stretch, found: SiftReading, now: datetime) -> KeptConversation:
    ask, before = found.ask, stretch.kept
    return KeptConversation(
        session=ask.span.session,
        upto=ask.span.last,
        summary=found.summary,
        at=stamp(now),
        keeps=before.keeps + 1 if before is not None else 1,
        whole=_joined((*(before.whole if before is not None else ()), *ask.spans)),
        pinned=pinned_after(stretch, ask.wished),
        overlap=ask.wished.overlap,
    )


def _joined(spans: Iterable[SourceRange]) -> tuple[SourceRange, ...]:
    """Return stretches in order, with adjoining ones joined."""
    made: list[SourceRange] = []
    for span in spans:
        if made and made[-1].session == span.session and made[-1].last + 1 >= span.first:
            made[-1] = replace(made[-1], last=max(made[-1].last, span.last))
        else:
            made.append(span)
    return tuple(made)


def _memory(stretch: Stretch, one: Pattern, name: str, now: datetime) -> Memory:
    """Return a pattern as a memory: a paragraph (L3), found by its words, from where they occur."""
    session = stretch.lived.id
    places: dict[str, list[int]] = {}
    for name_, found in one.shown:
        places.setdefault(name_, []).append(found.number)
    source = tuple(
        SourceRange(name_, first, last)
        for name_ in sorted(places, key=session_order)
        for first, last in to_ranges(places[name_])
    )
    phrases = "".join(f'- "{found.text}"\n' for _, found in one.shown)
    text = plain_chapter(one.text)
    model = stretch.lived.model or ""
    return Memory(
        id=name,
        uid=hashlib.sha256(f"{session} {stamp(now)} {name} {text}".encode()).hexdigest()[:8],
        title=one_line(split_sentences(_SENTENCE_END, text, 1)[0], TITLE_LONGEST),
        level=Level.L3,
        body=f"\n{text}\n\n## {FIELDS[4]}\n\n{phrases}",
        created=stamp(now),
        sessions=tuple(dict.fromkeys(span.session for span in source)),
        source=source,
        tags=tuple(dict.fromkeys((EXPERIENCE, TAG_OF.get(one.kind, "relational")))),
        anchor=one.shown[0][1].text,
        model=model,
        marker=one_line(text),
    )
