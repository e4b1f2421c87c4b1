"""Threads as a picture: a line each, a mark for each day it came up, as SVG."""

from collections.abc import Sequence
from datetime import date
from xml.sax.saxutils import escape

from reel_cli.features.threads.phases import PLAIN, Phase
from reel_cli.features.threads.survey import ThreadSurvey

WIDTH, LEFT, ROW, TOP = 960, 180, 34, 46
COLORS = {
    Phase.FORMING: "#7a9e7e",
    Phase.STABLE: "#4a6fa5",
    Phase.REFLECTION: "#a58f4a",
    Phase.FRAGMENTING: "#a54a4a",
}
"""Colors of the phases, told apart by their lightness too."""


def draw_threads(found: Sequence[ThreadSurvey]) -> str:
    """Return the threads by day: color is the phase, thickness how much was spoken of it that day."""
    days = sorted({_day(chat) for one in found for chat in one.thread.chats})
    height = TOP + ROW * len(found) + 60
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {height}" role="img" '
            f'font-family="system-ui, sans-serif" font-size="13" aria-label="{_told(found)}">'
        ),
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
    return [
        f'<text x="{_place(day, days)}" y="{y + 12}" fill="#555" text-anchor="{anchor}">{day}</text>'
        for day, anchor in zip(ends, ("start", "end"), strict=False)
    ]


def _line(one: ThreadSurvey, days: Sequence[date], y: int) -> list[str]:
    chats = one.thread.chats
    ends = _place(_day(chats[0]), days), _place(_day(chats[-1]), days)
    name = escape(one.thread.name)
    parts = [
        f'<text x="{LEFT - 8}" y="{y + 5}" fill="#222" text-anchor="end">{name}</text>',
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
