"""Texts of a warm start within a room: story, shared context, what was said last (Dream Weaver §9)."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import NamedTuple
from zlib import crc32

from reel_cli.core.pack import words
from reel_cli.core.pack.render import Style, Writer
from reel_cli.core.pack.unit import Unit
from reel_cli.core.pack.words import fold_text, list_spans
from reel_cli.features.dream.dream import Chapter
from reel_cli.features.dream.shortening import ChapterTelling, tell_whole_ones
from reel_cli.features.dream.waking.excerpts import list_stems, tell_excerpts
from reel_cli.features.dream.waking.parts import CONTEXT, PARTS, STORY, TRACES, Boot, Traces

LESS_NEW = "no room in the story's share, and less that is not told already"
LONG_PART = "longer than what is left of the context's share"
EARLIER = "too early in the newest session to fit"
NO_ROOM = "no room beside what is remembered"
IN_THE_CHAT = "in this conversation already"
_CONTEXT_THIRDS = 2
"""Thirds of the room that the shared context takes at most if room is short."""


class Woken(NamedTuple):
    """The loaded parts, in the order of the page; `shares` is the room each part had, in tokens.

    `squeezed` says that there was less room than the shares.
    """

    units: Sequence[Unit] = ()
    left: Sequence[tuple[str, Sequence[str], str]] = ()
    marks: Mapping[str, str] = {}
    shares: Mapping[str, int] = {}
    squeezed: bool = False

    @property
    def tokens(self) -> int:
        """Return the token count of all units."""
        return sum(unit.tokens for unit in self.units)

    @property
    def is_whole(self) -> bool:
        """Return whether nothing is left out or shortened for lack of room."""
        short = any(ids for _, ids, why in self.left if why != IN_THE_CHAT)
        return not short and all(unit.resolution == "whole" for unit in self.units)

    def is_whole_but(self, name: str) -> bool:
        """Return whether all parts but one are whole."""
        return all(self.part(other).is_whole for other in PARTS if other != name)

    def part(self, name: str) -> "Woken":
        """Return one of the parts."""
        return Woken(
            [unit for unit in self.units if unit.ring == name],
            [row for row in self.left if row[0] == name],
            {key: mark for key, mark in self.marks.items() if key.partition(":")[0] == name},
        )


class StoryRoom(NamedTuple):
    """Terms for the story: the `least` it has of a small room, in tokens, and whether the window is `small`.

    `said` returns the stems of what the bundle says beside it.
    """

    least: int
    said: Callable[[], Collection[str]]
    small: bool = False


class Waker:
    """A loader of a warm start's parts; with `known`, an earlier bundle's marks, only of what is new."""

    def __init__(
        self,
        boot: Boot,
        shares: Mapping[str, int],
        writer: Writer,
        room: StoryRoom,
        known: Mapping[str, str] | None = None,
    ) -> None:
        """Load from `boot` into `shares`, in tokens by part."""
        self.boot = boot
        self.shares = shares
        self.writer = writer
        self.room = room
        self.known = known

    def wake(self, rest: int) -> Woken:
        """Return what fits into the shares and `rest` tokens; a small window divides half of the shares."""
        half = sum(self.shares.values()) // 2
        made = self._divide(half) if self.room.small else self._load(self.shares)
        squeezed = made.tokens > rest
        if squeezed or (self.room.small and half > rest):
            made = self._divide(max(rest, 0))
        return made._replace(squeezed=squeezed)

    def wake_story(self, room: int) -> Woken:
        """Return the story alone, in short."""
        rooms = {STORY: max(min(room, self.shares[STORY]), 0), CONTEXT: 0, TRACES: 0}
        return self._load(rooms)

    def tell_again(self, woken: Woken) -> Woken:
        """Return all with the story chosen anew, in the room that it has."""
        parts = {name: woken.part(name) for name in PARTS}
        parts[STORY] = self._story(parts[STORY].tokens)
        return _together(parts, woken.shares)

    def extend(self, woken: Woken, spare: int) -> Woken:
        """Return story and context with `spare` tokens more, the context in half; the last words stay.

        The context keeps to its share, except in a small window, where that would cut it.
        """
        parts = {name: woken.part(name) for name in PARTS}
        share, small = self.shares[CONTEXT], self.room.small
        most = spare // 2 if small and share else min(spare // 2, share - parts[CONTEXT].tokens)
        for name, load, room in ((CONTEXT, self._context, most), (STORY, self._story, spare)):
            before = parts[name]
            if room <= 0 or not self.shares[name] or before.is_whole:
                continue
            fuller = load(before.tokens + min(room, spare))
            if fuller.tokens > before.tokens:
                parts[name] = fuller
                spare -= fuller.tokens - before.tokens
        used = {name: part.tokens for name, part in parts.items()}
        rooms = used if small else {name: max(used[name], woken.shares.get(name, 0)) for name in PARTS}
        return _together(parts, rooms)

    def _load(self, rooms: Mapping[str, int]) -> Woken:
        parts = {
            STORY: self._story(rooms[STORY]),
            CONTEXT: self._context(rooms[CONTEXT]),
            TRACES: self._traces(rooms[TRACES]),
        }
        return _together(parts, rooms)

    def _divide(self, pool: int) -> Woken:
        """Return one room divided: context first, the story half of the rest or its least, then the others.

        None has more than its share, but for the context of a small window, which its share would cut. What
        is told whole hands on what it does not need, so that the rooms never come to more than there is.
        """
        shares = self.shares
        rooms = dict.fromkeys(PARTS, 0)
        if shares[CONTEXT]:
            most = max(pool - self.room.least, 0) * _CONTEXT_THIRDS // 3
            rooms[CONTEXT] = most if self.room.small else min(shares[CONTEXT], most)
        context = self._context(rooms[CONTEXT])
        rooms[CONTEXT] = _needed(context, rooms[CONTEXT])
        left = pool - rooms[CONTEXT]
        has_traces = shares[TRACES] and self.boot.traces is not None and self.known is None
        beside = min(shares[TRACES], -(-left // 2), max(left - self.room.least, 0)) if has_traces else 0
        if beside and not self._traces(beside).units:
            # not even the last turn fits
            beside = 0
        rooms[STORY] = min(shares[STORY], left - beside)
        story = self._story(rooms[STORY])
        rooms[STORY] = _needed(story, rooms[STORY])
        rooms[TRACES] = min(shares[TRACES], left - rooms[STORY])
        return _together({STORY: story, CONTEXT: context, TRACES: self._traces(rooms[TRACES])}, rooms)

    def _is_new(self, key: str, mark: str) -> bool:
        return self.known is None or self.known.get(key) != mark

    # -- the story -------------------------------------------------------------------------

    def _story(self, room: int) -> Woken:
        ids = [f"chapter-{number}" for number in range(1, len(self.boot.chapters) + 1)]
        new = list(range(len(ids)))
        if self.known is not None:
            new = [n for n in new if self._is_new(f"{STORY}:{ids[n]}", _mark(self.boot.chapters[n]))]
        there = set(new)
        left = [(STORY, [ids[n] for n in range(len(ids)) if n not in there], IN_THE_CHAT)]
        style = self.writer.style
        chapters = [self.boot.chapters[n] for n in new]
        told = self._tell_chapters(chapters, room)
        units = [Unit(STORY, ids[new[one.place]], one.text, one.tokens, one.resolution) for one in told]
        whole = len(told) == len(new)
        self.writer.open(units, style.section(words.STORY, words.STORY_INTRO if whole else words.STORY_SOME))
        there = {one.place for one in told}
        gone = [ids[n] for at, n in enumerate(new) if at not in there]
        left.append((STORY, gone, LESS_NEW if room > 0 else NO_ROOM))
        return Woken(units, left, {f"{STORY}:{ids[new[t.place]]}": _mark(chapters[t.place]) for t in told})

    def _tell_chapters(self, chapters: Sequence[Chapter], room: int) -> Sequence[ChapterTelling]:
        """Return the chapters: all whole, else the newest whole and of the others what is not told yet."""
        style, count = self.writer.style, self.writer.count
        form = _AsStory(style, small=self.room.small)
        intros = (words.STORY_INTRO, words.STORY_SOME)
        room -= max(count(style.section(words.STORY, intro)) for intro in intros)
        if room <= 0:
            return []
        whole = tell_whole_ones(chapters, room, form, count)
        rest = chapters[: len(chapters) - len(whole)]
        if not rest:
            return whole
        said = {*self.room.said(), *(stem for one in whole for stem in list_stems(one.text))}
        left = room - sum(one.tokens for one in whole)
        return [*tell_excerpts(rest, left, form, count, said), *whole]

    # -- the shared context ----------------------------------------------------------------

    def _context(self, room: int) -> Woken:
        """Return all of the context if it fits; else without its longest sections."""
        style, count = self.writer.style, self.writer.count
        head = style.section(words.CONTEXT, words.context_intro(self.boot.written))
        known, units = [], []
        marks: dict[str, str] = {}
        for heading, text in self.boot.context:
            name = heading or words.CONTEXT_ABOVE
            key, mark = f"{CONTEXT}:{name}", f"{crc32(text.encode()):08x}"
            if not self._is_new(key, mark):
                known.append(name)
                continue
            marks[key] = mark
            made = style.told(words.THEN if name == words.NOW else name, text)
            units.append(Unit(CONTEXT, name, made, count(made)))
        over = count(head) + sum(unit.tokens for unit in units) - room
        out: list[int] = []
        for place in sorted(range(len(units)), key=lambda at: (-units[at].tokens, -at)):
            if over <= 0:
                break
            over -= units[place].tokens
            out.append(place)
        gone = [units[place].id for place in sorted(out)]
        kept = [unit for place, unit in enumerate(units) if place not in out]
        self.writer.open(kept, head)
        return Woken(
            kept,
            [(CONTEXT, known, IN_THE_CHAT), (CONTEXT, gone, LONG_PART if room > 0 else NO_ROOM)],
            {key: mark for key, mark in marks.items() if key[len(CONTEXT) + 1 :] not in gone},
        )

    # -- what was said last ----------------------------------------------------------------

    def _traces(self, room: int) -> Woken:
        """Return the newest session's end, cut where somebody begins to speak."""
        traces = self.boot.traces
        if traces is None:
            return Woken()
        if self.known is not None:
            return Woken(
                left=[(TRACES, list_spans(traces.session, [one.number for one in traces.said]), IN_THE_CHAT)]
            )
        starts = [at for at, one in enumerate(traces.said) if one.opens]
        first = self._first_that_fits(traces, starts, room)
        kept = [one.number for one in traces.said[first:]]
        why = EARLIER if room > 0 else NO_ROOM
        left = [(TRACES, list_spans(traces.session, [one.number for one in traces.said[:first]]), why)]
        if not kept:
            return Woken(left=left)
        name = list_spans(traces.session, range(min(kept), max(kept) + 1))[0]
        text = self._conversation(traces, first)
        return Woken([Unit(TRACES, name, text, self.writer.count(text))], left)

    def _first_that_fits(self, traces: Traces, starts: Sequence[int], room: int) -> int:
        """Return the first message from which the rest fits; past the end if not even the last turn does."""
        count = self.writer.count
        used = count(self._conversation(traces, len(traces.said)))
        end = first = len(traces.said)
        for start in reversed(starts):
            used += count("".join(one.text for one in traces.said[start:end]))
            if used > room:
                break
            first = end = start
        while first < len(traces.said) and count(self._conversation(traces, first)) > room:
            first = next((start for start in starts if start > first), len(traces.said))
        return first

    def _conversation(self, traces: Traces, first: int) -> str:
        """Return the section: the messages from the first on, below corrections of all of it."""
        intro = words.traces_intro(traces.day or traces.session[:10], whole=first == 0, asks=traces.asks)
        said = "".join(one.text for one in traces.said[first:])
        return self.writer.style.section(words.TRACES, intro) + fold_text("".join(traces.beside) + said)


def _together(parts: Mapping[str, Woken], rooms: Mapping[str, int]) -> Woken:
    """Return the parts in the order of the page, each with the room it had."""
    marks: dict[str, str] = {}
    for part in parts.values():
        marks.update(part.marks)
    return Woken(
        [unit for name in PARTS for unit in parts[name].units],
        [row for name in PARTS for row in parts[name].left],
        marks,
        dict(rooms),
    )


def _needed(told: Woken, room: int) -> int:
    """Return how much of its room a part needs: its own tokens, unless some of it is left out or short."""
    return told.tokens if told.is_whole else room


class _AsStory:
    """The form of chapters in a bundle; in a small window what is told in short has no title."""

    def __init__(self, style: Style, *, small: bool) -> None:
        self.style = style
        self.small = small

    def whole(self, chapter: Chapter) -> str:
        """Return a chapter under its heading."""
        return self.style.told(chapter.title, chapter.text)

    def short(self, chapter: Chapter, text: str) -> str:
        """Return excerpts of a chapter."""
        # a unit that begins with a sign may not count as it does by itself
        if self.small and text[:1].isalnum():
            return f"{self.style.quote(text)}\n\n"
        return self.style.told(chapter.title, text)


def _mark(chapter: Chapter) -> str:
    return f"{crc32(f'{chapter.title} {chapter.text}'.encode()):08x}"
