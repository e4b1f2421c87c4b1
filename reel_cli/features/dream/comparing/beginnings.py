"""Three ways to begin a chat, for comparing them: who one is, that and summaries, that and the story.

Each is framed like a bundle, so that it is known again when the chat is recorded. The story has all the room
that there is, the summaries as much as the story takes at most; each is filled with whole units (a point, a
sentence) until the next does not fit.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from reel_cli.core.pack import words
from reel_cli.core.pack.contract import require_accounted
from reel_cli.core.pack.render import MARKDOWN
from reel_cli.core.pack.unit import Unit
from reel_cli.core.pack.words import FRAME, fold_line, fold_text, quote_said
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.values.bundle import LoadedUnit
from reel_cli.features.dream.comparing.comparison import Start

STORY = "Your story so far"
CONTEXT = "What is going on between you"
_CUT = "[…]"
_ID = re.compile(r"\bM-\d{3,}\b")
_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{1,6}(?=[ \t])")
_SENTENCE = re.compile(r"(?<=[.!?…])(?:[\"”’')*_]*)\s+(?=\S)")
_SLACK = 3
"""Tokens that the seams between two sections may take in addition to the parts."""


class Point(NamedTuple):
    """One point of a summary: the section it stands in, its text, and when it is left out (lowest last).

    Of points with the same `group`, the others are told only where the first is.
    """

    section: str
    text: str
    rank: int
    group: str = ""


@dataclass(frozen=True, slots=True)
class BeginningMaterial:
    """The material of the three beginnings, as the kit holds it.

    `points` are in the order they are written in, sections together; `chapters` are (title, text), oldest
    first.
    """

    name: str
    identity: str
    directives: str
    points: Sequence[Point]
    chapters: Sequence[tuple[str, str]]
    context: str
    ask: str


@dataclass(frozen=True, slots=True)
class Startup:
    """The three prompts, what is in each, and what they come to in tokens.

    `whole` counts each prompt; `own` what is in it beside what all three share; `room` is what the summaries
    were filled up to, `story_room` what the story was; `held` what there would have been of each.
    """

    texts: Mapping[Start, str]
    loaded: Mapping[Start, Sequence[LoadedUnit]]
    whole: Mapping[Start, int]
    own: Mapping[Start, int]
    room: int
    story_room: int
    held: Mapping[Start, int]


def make_startup(stuff: BeginningMaterial, room: int, count: Callable[[str], int]) -> Startup:
    """Return the three prompts, each of at most `room` tokens if the identity alone fits into it."""
    bare = _framed(stuff, "")
    shared = count(bare)
    every = [
        _SizedPoint(one, f"{MARKDOWN.item}{_plain(fold_line(one.text))}\n", count) for one in stuff.points
    ]
    story = _Story(stuff.chapters, stuff.context, count)
    all_points, all_story = count(_summaries(every)), count(story.told(None))
    story_room = max(0, min(room - shared - _SLACK, all_story))
    target = min(story_room, all_points)

    def tell_points(limit: int) -> str:
        return _summaries(every if all_points <= limit else _fitting(every, limit, count))

    def tell_story(limit: int) -> str:
        return story.told(None if all_story <= limit else limit)

    kept = {
        Start.IDENTITY: "",
        Start.SUMMARIES: _fill(tell_points, target, count),
        Start.STORY: _fill(tell_story, story_room, count),
    }
    own = {start: count(text) if text else 0 for start, text in kept.items()}
    texts = {start: _framed(stuff, text) for start, text in kept.items()}
    whole = {start: count(text) for start, text in texts.items()}
    return Startup(
        texts,
        {start: _account(stuff, start, text, whole[start], count) for start, text in kept.items()},
        whole,
        own,
        target,
        story_room,
        {Start.IDENTITY: 0, Start.SUMMARIES: all_points, Start.STORY: all_story},
    )


def _fill(tell: Callable[[int], str], room: int, count: Callable[[str], int]) -> str:
    """Return what is told in at most `room` tokens."""
    limit = room
    while True:
        told = tell(limit)
        over = (count(told) if told else 0) - room
        if over <= 0 or limit <= 0:
            return told
        # counts of parts and of the whole may differ where a part begins with a sign
        limit = max(0, limit - over)


def _framed(stuff: BeginningMaterial, held: str) -> str:
    """Return a prompt: who the persona is, what is held, and the questions."""
    return "".join(text for _, _, text in _parts(stuff, Start.IDENTITY, held))


def _parts(stuff: BeginningMaterial, start: Start, held: str) -> Iterator[tuple[str, str, str]]:
    """Yield a prompt's parts: each one's name in the account, and its text."""
    name = stuff.name
    yield FRAME, "opening", MARKDOWN.opening(name)
    for part, title, text in (
        ("identity", words.WHO, stuff.identity),
        ("directives", words.HOW, stuff.directives),
    ):
        if text.strip():
            yield "0", part, MARKDOWN.verbatim(title, text)
    if held:
        yield start.value, "held", held
    yield FRAME, "closing", f"{words.named(words.CLOSING, name)}\n\n"
    yield FRAME, "questions", stuff.ask


def _account(
    stuff: BeginningMaterial, start: Start, held: str, tokens: int, count: Callable[[str], int]
) -> Sequence[LoadedUnit]:
    """Return the parts of a prompt; raises ContractError if they are not exactly all of it.

    What the seams between the parts take counts as reel's own words.
    """
    units = [Unit(part, name, text, count(text)) for part, name, text in _parts(stuff, start, held) if text]
    units[0] = units[0]._replace(tokens=units[0].tokens + tokens - sum(unit.tokens for unit in units))
    require_accounted(_framed(stuff, held), units, tokens)
    return [unit.loaded for unit in units]


# -- summaries -------------------------------------------------------------------------------


class _SizedPoint:
    """A point as it is written, with its size."""

    def __init__(self, point: Point, text: str, count: Callable[[str], int]) -> None:
        self.section, self.rank, self.group = point.section, point.rank, point.group
        self.text, self.tokens = text, count(text)


def _fitting(every: Sequence[_SizedPoint], room: int, count: Callable[[str], int]) -> list[_SizedPoint]:
    """Return the points that fit, most wanted first; a longer one may give way to a shorter.

    No section takes more than a third before every other had its chance.
    """
    start = room
    kept: set[int] = set()
    groups: set[str] = set()
    used: dict[str, int] = {}
    wanted = sorted(range(len(every)), key=lambda n: (every[n].rank, n))
    heads = {one.section: count(MARKDOWN.section(one.section)) + _SLACK for one in every}
    first = {one.group: n for n, one in reversed(list(enumerate(every))) if one.group}
    for most in (room // 3, room):
        for place in wanted:
            one = every[place]
            size = one.tokens + (0 if one.section in used else heads[one.section])
            if place in kept or size > room or used.get(one.section, 0) + size > most:
                continue
            if one.group and first[one.group] != place and one.group not in groups:
                continue
            room -= size
            used[one.section] = used.get(one.section, 0) + size
            groups.add(one.group)
            kept.add(place)
    spare = start - count(_summaries([every[place] for place in sorted(kept)]))
    _fill_up(every, kept, groups, set(first.values()), spare)
    return [one for place, one in enumerate(every) if place in kept]


def _fill_up(
    every: Sequence[_SizedPoint], kept: set[int], groups: set[str], firsts: set[int], spare: int
) -> None:
    """Use what is left: one more point, or a longer one in the place of a shorter.

    No section comes or goes by it, and none that others hang on.
    """
    sections = Counter(every[place].section for place in kept)
    goes: dict[int, int] = {}
    comes: dict[int, int] = {}
    for place in sorted(range(len(every)), key=lambda n: (every[n].rank, n)):
        one = every[place]
        if place in kept:
            if place not in firsts and sections[one.section] > 1:
                goes[one.tokens] = place
        elif sections[one.section] and (not one.group or one.group in groups):
            comes.setdefault(one.tokens, place)
    for more in range(spare, 0, -1):
        if more in comes:
            kept.add(comes[more])
            return
        for size in sorted(goes):
            if size + more in comes:
                kept.remove(goes[size])
                kept.add(comes[size + more])
                return


def _summaries(points: Sequence[_SizedPoint]) -> str:
    """Return points under their sections' headings."""
    told: list[str] = []
    section = ""
    for one in points:
        if one.section != section:
            section = one.section
            told.append(("\n" if told else "") + MARKDOWN.section(section))
        told.append(one.text)
    return "".join((*told, "\n")) if told else ""


# -- the story -------------------------------------------------------------------------------


class _Story:
    """The story and the shared context, which are told as far as there is room."""

    def __init__(
        self, chapters: Sequence[tuple[str, str]], context: str, count: Callable[[str], int]
    ) -> None:
        told = ((fold_line(title), [_plain(part) for part in _paragraphs(text)]) for title, text in chapters)
        self._chapters = [(title, parts) for title, parts in told if parts]
        self._context = [_plain(line) for line in _context_lines(context)]
        self._count = count

    def told(self, room: int | None) -> str:
        """Return story and context in at most about `room` tokens; None for all there is."""
        count = self._count
        if room is None:
            return self._story([(t, list(p), False) for t, p in self._chapters]) + _section(
                CONTEXT, self._context
            )
        lines = self._context
        if count(_section(CONTEXT, lines)) > room // 2:
            lines = self._lines_within(room // 2)
        left = room - (count(_section(CONTEXT, lines)) if lines else 0)
        chapters = self._newest(left - count(MARKDOWN.section(STORY)) - count(f"{_CUT} ") - _SLACK)
        whole = len(chapters) == len(self._chapters) and not (chapters and chapters[0][2])
        if whole and lines != self._context:
            lines = self._lines_within(room - count(self._story(chapters)))
        return self._story(chapters) + _section(CONTEXT, lines)

    def _lines_within(self, room: int) -> list[str]:
        """Return the first lines of the shared context that fit."""
        left = room - self._count(MARKDOWN.section(CONTEXT)) - _SLACK
        kept = []
        for line in self._context:
            left -= self._count(f"{line}\n")
            if left < 0:
                break
            kept.append(line)
        return kept

    def _newest(self, room: int) -> list[tuple[str, list[str], bool]]:
        """Return the end of the story that fits: (title, paragraphs, whether its beginning is missing)."""
        found: list[tuple[str, list[str], bool]] = []
        for title, parts in reversed(self._chapters):
            head = self._count(f"### {title}\n\n")
            if head > room:
                break
            room -= head
            kept: list[str] = []
            for part in reversed(parts):
                size = self._count(f"{part}\n\n")
                if size > room:
                    if end := self._end_of(part, room):
                        kept.insert(0, end)
                    break
                room -= size
                kept.insert(0, part)
            else:
                found.insert(0, (title, kept, False))
                continue
            if kept:
                found.insert(0, (title, kept, True))
            break
        return found

    def _end_of(self, paragraph: str, room: int) -> str:
        """Return the last sentences of a paragraph that fit."""
        kept = ""
        for sentence in reversed(split_sentences(_SENTENCE, paragraph)):
            longer = f"{sentence} {kept}".strip()
            if self._count(f"{longer}\n\n") > room:
                break
            kept = longer
        return kept

    def _story(self, chapters: Sequence[tuple[str, Sequence[str], bool]]) -> str:
        if not chapters:
            return ""
        told = [MARKDOWN.section(STORY)]
        for title, parts, cut in chapters:
            text = "\n\n".join(parts)
            told.append(f"### {title}\n\n{f'{_CUT} ' if cut else ''}{text}\n\n")
        return "".join(told)


def _section(title: str, lines: Sequence[str]) -> str:
    return MARKDOWN.section(title) + "".join(f"{line}\n" for line in lines) + "\n" if lines else ""


def _paragraphs(text: str) -> Iterator[str]:
    """Yield the paragraphs of a chapter; one that could pass for the prompt's own words is quoted."""
    for part in re.split(r"\n[ \t]*\n", fold_text(text)):
        if part.strip():
            yield quote_said(part.strip())


def _context_lines(text: str) -> Iterator[str]:
    """Yield the shared context's lines without title and comments; its headings stand below ours."""
    plain = re.sub(r"<!--.*?-->", "", fold_text(text), flags=re.DOTALL)
    for line in plain.split("\n"):
        if line.strip() and not line.startswith("# "):
            heading = _HEADING.match(line)
            yield _HEADING.sub("###", line.strip()) if heading else quote_said(line.strip())


def _plain(text: str) -> str:
    """Return kit text without names that only the files use."""
    return _ID.sub("that memory", text)
