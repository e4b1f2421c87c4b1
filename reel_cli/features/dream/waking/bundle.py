"""Loading of a warm start: the story, the shared context, what was said last (Dream Weaver §9).

On the page they stand in this order, behind who it is. Each takes at most its share. Where that is not to be
had they divide what there is: the shared context first, the story and what was said last by halves.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple
from zlib import crc32

from reel_cli.core.pack import words
from reel_cli.core.pack.part import BundlePart, LoadedPart, Terms
from reel_cli.core.pack.render import Style, Writer
from reel_cli.core.pack.unit import Unit
from reel_cli.core.pack.words import fold_text, list_spans
from reel_cli.features.dream.dream import Chapter
from reel_cli.features.dream.shortening import ChapterTelling, tell_whole_ones
from reel_cli.features.dream.waking.excerpts import list_stems, tell_excerpts
from reel_cli.features.dream.waking.parts import CONTEXT, PARTS, STORY, TRACES, Boot, Traces

if TYPE_CHECKING:
    from reel_cli.core.pack.draft import BundleDraft

GATED = "Story and last words are left out (experience: gated); ask for them with  reel recall"
LESS_NEW = "no room in the story's share, and less that is not told already"
LONG_PART = "longer than what is left of the context's share"
EARLIER = "too early in the newest session to fit"
NO_ROOM = "no room beside what is remembered"
IN_THE_CHAT = "in this conversation already"
_CONTEXT_THIRDS = 2
"""Thirds of the room that the shared context takes at most if room is short."""
_LEAST_STORY, _LEAST_SMALL = 64, 24
"""Part of the room, one in so many, that the story has before all else that is kept."""
_BEFORE_SCENES = Fraction(3, 4)
"""Part of the room left for scenes that story and context have of chats without memories."""


class WakingPart(BundlePart):
    """The part of a warm start, if one is requested, or usual in the kit."""

    rings = PARTS
    experience = (STORY, TRACES)
    yields = True

    def gather(self) -> bool:
        """Read story, context and tape; ReelError where one of the first two cannot be read."""
        settings, boot = self.holdings.core.settings, self.wish.boot
        if self.source is None or not (settings.boot_always if boot is None else boot):
            return False
        from reel_cli.features.dream.waking.survey import gather_boot

        self.boot = gather_boot(self.source.snapshot, settings)
        if settings.gated and (self.boot.chapters or self.boot.traces):
            self.boot = self.boot._replace(chapters=(), traces=None, told=[*self.boot.told, GATED])
        return True

    def open(self, made: "BundleDraft", terms: Terms) -> LoadedPart:
        """Return the part in one loading."""
        return _LoadedWaking(self, self.boot, made, terms)


class _LoadedWaking(LoadedPart):
    """Story, context and traces in one bundle."""

    def __init__(self, part: BundlePart, boot: Boot, made: "BundleDraft", terms: Terms) -> None:
        super().__init__(part, made, terms)
        self._boot = boot
        self._woken = Woken()
        lived, said = terms.holdings, boot.sessions
        remembered = max(lived.memories.count, lived.lines.count)
        self._untold = Fraction(max(said - remembered, 0), said) if said else Fraction(0)
        """Part of the chats, about, that no memory tells of."""
        # a small window seldom has room for a story beside memories, and keeps none for its mention
        self.tells_story = bool(boot.chapters) and (not terms.budget.small or self._untold > 0)
        self._told_again = False
        """True if the story was chosen beside what is remembered."""
        self._least = terms.budget.room // (_LEAST_SMALL if terms.budget.small else _LEAST_STORY)

    def fill(self, rest: int) -> None:
        """Load the least that stands for each: what the bundle tells without them is worth more.

        In a small window that is a little of the story; all else waits until every memory has its marker.
        """
        budget = self.terms.budget
        rest = 0 if self.made.squeezed else rest
        if not self.terms.topped_up or (budget.small and self.terms.since is not None):
            self._take(self._wake(rest))
        elif budget.small:
            self._take(self._waker().wake_story(min(rest, self._least)))
        else:
            self._take(self._wake(rest, least=self._least))
        self.squeezed = self._woken.squeezed

    def grow(self, rest: int) -> None:
        """Load what fits into the shares and half of `rest` more, in a small window.

        The other half is for scenes: what was said answers more than a story in short.
        """
        if self.terms.budget.small and not self.made.squeezed:
            fuller = self._wake(self.tokens + rest // 2)
            if fuller.tokens > self.tokens:
                self._take(fuller)

    def settle(self) -> None:
        """Include more of the story where there is room left for it, and write down all of it."""
        if not self._told_again:
            self._tell_again()
        self._tell_more(self.made.spare)
        made, woken = self.made, self._woken
        made.warnings += self._boot.told
        made.shares = {**made.shares, **woken.shares}
        made.marks.update(woken.marks)
        for part, ids, reason in woken.left:
            made.left.add(part, ids, reason)

    def chosen(self) -> Mapping[str, Collection[str] | None]:
        """Return the chapters and sections that were marked; what was said last is free."""
        marked = [key.partition(":") for key in self._woken.marks]
        told = {part: {name for ring, _, name in marked if ring == part} for part in (STORY, CONTEXT)}
        return {**told, TRACES: None}

    def _take(self, woken: "Woken") -> None:
        self._woken, self.units = woken, woken.units
        self.tells_story = any(unit.ring == STORY for unit in woken.units)

    def _wake(self, rest: int, least: int | None = None) -> "Woken":
        """Return what fits within `rest` tokens, each in its share, or story and context in `least` of it."""
        shares = self.terms.budget.boot
        if least is None:
            return self._waker(shares).wake(rest)
        lower = {part: min(shares[part], least) for part in (STORY, CONTEXT)}
        woken = self._waker({**shares, **lower}).wake(rest)
        return woken._replace(shares={**woken.shares, **{part: shares[part] for part in lower}})

    def add_before_scenes(self, rest: int) -> None:
        """Load more of story and context: the more, the fewer chats have memories.

        Of chats that memories tell they are told whole, if half of `rest` is enough for that.
        """
        self._tell_again()
        if (room := int(rest * _BEFORE_SCENES * self._untold)) > 0:
            self._tell_more(room)
        if rest > 0 and not self.terms.budget.small:
            before = self._woken.tokens
            fuller = self._waker().extend(self._woken, rest // 2)
            if fuller.tokens > before and fuller.is_whole_but(TRACES):
                self._take(fuller)

    def _tell_again(self) -> None:
        """Choose anew what is told of the story in its room, beside all that is loaded by now."""
        self._told_again = True
        if self.terms.since is None and not self._woken.part(STORY).is_whole:
            self._take(self._waker().tell_again(self._woken))

    def _tell_more(self, spare: int) -> None:
        """Extend story and context into `spare` tokens, if some of them is short or left out."""
        fuller = self._waker().extend(self._woken, max(spare, 0))
        if fuller.tokens > self._woken.tokens:
            self._take(fuller)

    def _waker(self, shares: Mapping[str, int] | None = None) -> "Waker":
        terms = self.terms
        shares = terms.budget.boot if shares is None else shares
        room = StoryRoom(self._least, self._said, small=terms.budget.small)
        return Waker(self._boot, shares, terms.writer, room, terms.since)

    def _said(self) -> Collection[str]:
        """Return the stems of all that is loaded beside the story."""
        return {s for unit in self.made.told() if unit.ring != STORY for s in list_stems(unit.text)}


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
            made = style.told(name, text)
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
