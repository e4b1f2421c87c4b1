"""Threads as a picture: a line each, a mark for each day it came up, as SVG."""

from collections.abc import Iterator, Sequence
from datetime import date
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
MOST_MONTHS = 8
"""Number of months that are named."""
MOST_NAME = 24
"""Characters of a name that there is room for."""


def draw_threads(found: Sequence[ThreadSurvey]) -> str:
    """Return the threads by day: color is the phase, thickness how much was spoken of it that day."""
    days = sorted({_day(chat) for one in found for chat in one.thread.chats})
    height = TOP + ROW * len(found) + 60
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            'font-family="system-ui, sans-serif" font-size="13" aria-labelledby="name told">'
        ),
        f'<title id="name">Threads</title><desc id="told">{_told(found)}</desc>',
        f'<rect width="{WIDTH}" height="{height}" fill="#fdfcf9"/>',
    ]
    if days:
        parts += _axis(days, TOP + ROW * len(found) + 8)
    for row, one in enumerate(found):
        parts += _line(one, days, TOP + ROW * row)
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
        f'<text x="{_place(day, days)}" y="{y + 12}" fill="#555" text-anchor="{anchor}">{day}</text>'
        for day, anchor in zip(ends, ("start", "end"), strict=False)
    ]


def _months(days: Sequence[date], y: int) -> Iterator[str]:
    """Yield a thin line at the first of each month, named where the names have room."""
    count = (days[-1].year - days[0].year) * 12 + days[-1].month - days[0].month
    numbers = (days[0].month + number for number in range(count))
    firsts = [date(days[0].year + number // 12, number % 12 + 1, 1) for number in numbers]
    for first in firsts[:: max(1, -(-count // MOST_MONTHS))]:
        x = _place(first, days)
        yield f'<line x1="{x}" y1="{TOP - 16}" x2="{x}" y2="{y - 8}" stroke="#e8e4da"/>'
        yield f'<text x="{x}" y="{TOP - 24}" fill="#555" text-anchor="middle">{first:%Y-%m}</text>'


def _line(one: ThreadSurvey, days: Sequence[date], y: int) -> list[str]:
    chats = one.thread.chats
    ends = _place(_day(chats[0]), days), _place(_day(chats[-1]), days)
    name = escape(one.thread.name)
    short = name if len(one.thread.name) <= MOST_NAME else f"{escape(one.thread.name[: MOST_NAME - 1])}…"
    parts = [
        f'<text x="{LEFT - 8}" y="{y + 5}" fill="#222" text-anchor="end">{short}</text>',
        f'<line x1="{ends[0]}" y1="{y}" x2="{ends[1]}" y2="{y}" stroke="#c9c4b8" stroke-width="1.5"/>',
    ]
    for chat in chats:
        times = sum(count for (mine, _), count in one.thread.ribs.items() if mine == chat)
        phase = one.phases.get(chat, Phase.STABLE)
        radius = min(12.0, round(3 + times**0.5 * 1.6, 1))
        parts.append(
            f'<circle cx="{_place(_day(chat), days)}" cy="{y}" r="{radius}" fill="{COLORS[phase]}" '
            f'fill-opacity="0.85"><title>{name}, {chat[:10]}: {times} times, {PLAIN[phase]}</title></circle>'
        )
    return parts


def _legend(y: int) -> list[str]:
    parts = []
    for number, (phase, color) in enumerate(COLORS.items()):
        x = LEFT + 10 + number * 130
        parts += [
            f'<circle cx="{x}" cy="{y - 4}" r="5" fill="{color}"/>',
            f'<text x="{x + 10}" y="{y}" fill="#555">{PLAIN[phase]}</text>',
        ]
    return parts
