"""Threads as a picture: a band each, as thick as it weighed day by day, as SVG."""

from collections import Counter
from collections.abc import Iterator, Sequence
from datetime import date
from itertools import pairwise
from xml.sax.saxutils import escape

from reel_cli.features.threads.phases import PLAIN, Phase
from reel_cli.features.threads.survey import ThreadSurvey

WIDTH, LEFT, ROW, TOP = 960, 180, 34, 46
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
MOST_NAME = 24
"""Characters of a name that there is room for."""


def draw_threads(found: Sequence[ThreadSurvey]) -> str:
    """Return the threads by day: color is the phase, thickness the weight, how much was spoken of it then."""
    days = sorted({_day(chat) for one in found for chat in one.thread.chats})
    height = TOP + ROW * len(found) + 60
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'font-family="system-ui, sans-serif" font-size="13" aria-labelledby="name told">'
        ),
        f'<title id="name">Threads</title><desc id="told">{_told(found)}</desc>',
        STYLE,
        f'<rect class="ground" width="{WIDTH}" height="{height}" fill="#fdfcf9"/>',
    ]
    if days:
        parts += _axis(days, TOP + ROW * len(found) + 8)
    most = max((max(_weigh_days(one).values()) for one in found if one.thread.ribs), default=1)
    for row, one in enumerate(found):
        parts += _band(one, days, TOP + ROW * row, most)
    parts += _legend(height - 14)
    return "\n".join([*parts, "</svg>"])


def _day(chat: str) -> date:
    return date.fromisoformat(chat[:10])


def _told(found: Sequence[ThreadSurvey]) -> str:
    told = ", ".join(f"{one.thread.name} in {len(one.thread.chats)} chats" for one in found)
    return escape(told, {'"': "&quot;"})


def _place(day: date, days: Sequence[date]) -> float:
    whole = (days[-1] - days[0]).days or 1
    return round(LEFT + 10 + (WIDTH - LEFT - 40) * (day - days[0]).days / whole, 1)


def _axis(days: Sequence[date], y: int) -> list[str]:
    ends = [days[0], days[-1]] if days[0] != days[-1] else [days[0]]
    return [*_months(days, y)] + [
        _write(f"{day}", _place(day, days), y + 12, anchor)
        for day, anchor in zip(ends, ("start", "end"), strict=False)
    ]


def _write(text: str, x: float, y: int, anchor: str) -> str:
    return f'<text class="small" x="{x}" y="{y}" fill="#555" text-anchor="{anchor}">{text}</text>'


def _months(days: Sequence[date], y: int) -> Iterator[str]:
    """Yield a thin line at the first of each month, named where the names have room."""
    count = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month
    numbers = (days[0].month + number for number in range(count))
    firsts = [date(days[0].year + number // 12, number % 12 + 1, 1) for number in numbers]
    for first in firsts[:: max(1, -(-count // MOST_MONTHS))]:
        x = _place(first, days)
        yield f'<line class="month" x1="{x}" y1="{TOP - 16}" x2="{x}" y2="{y - 8}" stroke="#e8e4da"/>'
        yield _write(f"{first:%Y-%m}", x, TOP - 24, "middle")


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
    parts = [f'<text class="name" x="{LEFT - 20}" y="{y + 5}" fill="#222" text-anchor="end">{short}</text>']
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


def _legend(y: int) -> list[str]:
    parts = []
    for number, phase in enumerate(COLORS):
        x = LEFT + 10 + number * 130
        parts += [
            f'<circle cx="{x}" cy="{y - 4}" r="5" {_paint(phase)}/>',
            _write(PLAIN[phase], x + 10, y, "start"),
        ]
    return parts
