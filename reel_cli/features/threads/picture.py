"""Threads as a picture: a band each, as thick as it weighed day by day, with its first and last telling."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from xml.sax.saxutils import escape

from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import MONTHS
from reel_cli.core.values.change import one_line
from reel_cli.features.threads.phases import PLAIN, Phase
from reel_cli.features.threads.survey import ThreadSurvey, find_sentence, read_passages, words_of
from reel_cli.features.threads.terms import count_terms, spelling

WIDTH, LEFT, ROW, TOP = 960, 150, 62, 76
COLORS = {
    Phase.FORMING: "#56b4e9",
    Phase.STABLE: "#0072b2",
    Phase.REFLECTION: "#e69f00",
    Phase.FRAGMENTING: "#a83200",
}
"""Colors of the phases, which people who see few colors can tell apart."""
STYLE = """<style>
@media (prefers-color-scheme: dark) {
.ground { fill: #1b1a18 } .month { stroke: #3b3833 } .name { fill: #ebe7df } .small { fill: #a9a297 }
.forming { fill: #c3e6f8 } .stable { fill: #3d94d6 } .fragmenting { fill: #e0662f }
}
</style>"""
"""The colors on a dark screen; all others are attributes, for programs that read no style."""
THICKEST = 22.0
"""Thickness of a band on the day it was spoken of most, beside the other threads."""
THINNEST = 3.0
MOST_MONTHS = 8
"""Number of months that are named."""
MOST_NAME = 18
"""Characters of a name that there is room for."""
MOST_OTHERS = 2
"""Number of other words that are named below it."""
MOST_TOLD = 58
"""Characters of a telling, two of which stand below a band."""


@frozen
class ThreadWords:
    """The words beside a band: others that came up with it, and how its first and newest chat tell it.

    A thread of one chat has "" for its first.
    """

    others: str
    first: str
    newest: str


def word_thread(snapshot: Snapshot, one: ThreadSurvey) -> ThreadWords:
    """Return the words for a thread in a picture."""
    texts = [words_of(memory) for memory in one.memories]
    own = {one.thread.name.casefold(), *one.thread.terms[0].split()}
    others = [term for term in one.thread.terms[1:] if own.isdisjoint((term, *term.split()))]
    spelled = [spelling(term, texts).removesuffix("'s").removesuffix("’s") for term in others[:MOST_OTHERS]]
    return ThreadWords(one_line(", ".join(spelled), MOST_NAME + 6), *_tell_ends(snapshot, one))


def _tell_ends(snapshot: Snapshot, one: ThreadSurvey) -> tuple[str, str]:
    chats = one.thread.chats
    ends = [chats[0], chats[-1]] if len(chats) > 1 else [chats[-1]]
    said = read_passages(snapshot, one, ends, MOST_TOLD - 2)
    told = [f"{_short(_day(chat))}: {_tell_page(one, chat) or f'“{said[chat]}”'}" for chat in ends]
    return (told[0] if len(told) > 1 else "", told[-1])


def _tell_page(one: ThreadSurvey, chat: str) -> str:
    """Return the sentence by which a chat's page will be known that names the thread, else the page's title.

    "" where no page tells of it.
    """
    page = next((memory for memory in one.memories if chat in memory.sessions), None)
    if page is None:
        return ""
    term = one.thread.terms[0]
    named = term in count_terms(page.marker)
    return find_sentence(page.marker, term, MOST_TOLD) if named else one_line(page.title, MOST_TOLD)


def draw_threads(snapshot: Snapshot, found: Sequence[ThreadSurvey]) -> str:
    """Return the threads by day: color is the phase, thickness the weight, how much was spoken of it then."""
    days = sorted({_day(chat) for one in found for chat in one.thread.chats})
    height = TOP + ROW * len(found) + 74
    settings = snapshot.settings
    title = f"{settings.user} and {settings.name}: what came up again and again"
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'font-family="system-ui, sans-serif" font-size="13" aria-labelledby="name told">'
        ),
        f'<title id="name">{escape(title)}</title><desc id="told">{_told(found)}</desc>',
        STYLE,
        f'<rect class="ground" width="{WIDTH}" height="{height}" fill="#fdfcf9"/>',
        f'<text class="name" x="{LEFT - 130}" y="24" fill="#222" font-size="17">{escape(title)}</text>',
    ]
    if days:
        parts += _axis(days, TOP + ROW * len(found) + 8)
    most = max((max(_weigh_days(one).values()) for one in found if one.thread.ribs), default=1)
    for row, one in enumerate(found):
        parts += _band(one, days, TOP + ROW * row, most)
        parts += _tell(word_thread(snapshot, one), TOP + ROW * row)
    parts += _legend(found, settings.name, height - 32)
    return "\n".join([*parts, "</svg>"])


def _day(chat: str) -> date:
    return date.fromisoformat(chat[:10])


def _told(found: Sequence[ThreadSurvey]) -> str:
    told = ", ".join(f"{one.thread.name} in {len(one.thread.chats)} chats" for one in found)
    return escape(told, {'"': "&quot;"})


def _place(day: date, days: Sequence[date]) -> float:
    whole = (days[-1] - days[0]).days or 1
    return round(LEFT + 10 + (WIDTH - LEFT - 40) * (day - days[0]).days / whole, 1)


def _short(day: date) -> str:
    return f"{day.day} {MONTHS[day.month - 1][:3]}"


def _axis(days: Sequence[date], y: int) -> list[str]:
    ends = [days[0], days[-1]] if days[0] != days[-1] else [days[0]]
    return [*_months(days, y)] + [
        _write(f"{_short(day)} {day.year}", _place(day, days), y + 12, anchor)
        for day, anchor in zip(ends, ("start", "end"), strict=False)
    ]


def _write(text: str, x: float, y: int, anchor: str, size: float = 13) -> str:
    attributes = f'x="{x}" y="{y}" fill="#555" font-size="{size:g}" text-anchor="{anchor}"'
    return f'<text class="small" {attributes}>{escape(text)}</text>'


def _tell(words: ThreadWords, y: int) -> Iterator[str]:
    """Yield what came up with a thread, how it began, on the left, and where it stands, on the right."""
    for told, x, below, anchor in (
        (words.others, LEFT - 12, 20, "end"),
        (words.first, LEFT + 10, 27, "start"),
        (words.newest, WIDTH - 30, 27, "end"),
    ):
        if told:
            yield _write(told, x, y + below, anchor, 11.5)


def _months(days: Sequence[date], y: int) -> Iterator[str]:
    """Yield a thin line at the first of each month, named where the names have room."""
    count = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month
    numbers = (days[0].month + number for number in range(count))
    firsts = [date(days[0].year + number // 12, number % 12 + 1, 1) for number in numbers]
    for first in firsts[:: max(1, -(-count // MOST_MONTHS))]:
        x = _place(first, days)
        yield f'<line class="month" x1="{x}" y1="{TOP - 16}" x2="{x}" y2="{y - 8}" stroke="#e8e4da"/>'
        named = f"{MONTHS[first.month - 1][:3]}{f' {first.year}' if first.month == 1 else ''}"
        yield _write(named, x, TOP - 24, "middle")


def _weigh_days(one: ThreadSurvey) -> Counter[date]:
    """Return how often a thread was spoken of, by day."""
    found: Counter[date] = Counter()
    for (chat, _), times in one.thread.ribs.items():
        found[_day(chat)] += times
    return found


def _band(one: ThreadSurvey, days: Sequence[date], y: int, most: int) -> list[str]:
    """Return a thread from day to day; between two days it has the color of the earlier."""
    name = escape(one.thread.name)
    short = name if len(one.thread.name) <= MOST_NAME else f"{escape(one.thread.name[: MOST_NAME - 1])}…"
    attributes = f'x="{LEFT - 12}" y="{y + 5}" fill="#222" font-weight="600" text-anchor="end"'
    parts = [
        f'<text class="name" {attributes}>{short}</text>',
    ]
    phases = {_day(chat): one.phases.get(chat, Phase.STABLE) for chat in one.thread.chats}
    marks = [
        (
            day,
            times,
            _place(day, days),
            round(THINNEST + (THICKEST - THINNEST) * (times / most) ** 0.5, 1) / 2,
        )
        for day, times in sorted(_weigh_days(one).items())
    ]
    for (day, _, x, half), (_, _, end, other) in pairwise(marks):
        corners = f"{x},{y - half} {end},{y - other} {end},{y + other} {x},{y + half}"
        parts.append(f'<polygon points="{corners}" fill-opacity="0.4" {_paint(phases[day])}/>')
    parts += [
        f'<circle cx="{x}" cy="{y}" r="{half}" {_paint(phases[day])}>'
        f"<title>{name}, {day}: {times} times, {PLAIN[phases[day]]}</title></circle>"
        for day, times, x, half in marks
    ]
    return parts


def _paint(phase: Phase) -> str:
    return f'class="{phase.value}" fill="{COLORS[phase]}"'


def _legend(found: Sequence[ThreadSurvey], persona: str, y: int) -> Iterator[str]:
    """Yield the meaning of thickness, and of the colors that occur."""
    yield _write("Thicker: more was said of it that day.", LEFT + 10, y, "start")
    seen = {phase for one in found for phase in one.phases.values()}
    yield _write(f"Color: {persona} was", LEFT + 10, y + 18, "start")
    x = LEFT + 24 + 7 * len(f"Color: {persona} was")
    for phase in COLORS:
        if phase in seen:
            yield f'<circle cx="{x}" cy="{y + 14}" r="5" {_paint(phase)}/>'
            yield _write(PLAIN[phase], x + 10, y + 18, "start")
            x += 34 + 7 * len(PLAIN[phase])
