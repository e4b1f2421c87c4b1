"""The life of a kit over time: chats, memories, facts, dreams and losses, as a picture and a table."""

from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import date
from html import escape

from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words

MOST = 60
"""Number of columns that a phone's width has room for."""
_SPANS = (1, 3, 12, 120)
"""Months that one column may stand for."""
_LANE, _TALL, _LABEL, _AXIS = 46, 24, 14, 20
"""Heights in pixels: of a lane, of its tallest bar, of its name, and of the years below all of them."""


@frozen
class TimelineColumn:
    """A stretch of time in words, how often each thing happened in it, and where its newest month is told."""

    name: str
    counts: Sequence[int]
    link: str


@frozen
class Timeline:
    """The names of the lanes, the columns that are not empty, newest first, and the picture (SVG)."""

    lanes: Sequence[str]
    columns: Sequence[TimelineColumn]
    picture: str


def make_timeline(days: Mapping[str, Sequence[str]]) -> Timeline | None:
    """Return the timeline of days (ISO 8601) by the names of their lanes; None where nothing happened.

    A lane without days is left out, and so is a day that is none.
    """
    months = {
        name: [found for day in told if (found := _month(day)) is not None] for name, told in days.items()
    }
    months = {name: told for name, told in months.items() if told}
    if not months:
        return None
    first, last = min(map(min, months.values())), max(map(max, months.values()))
    span = next((one for one in _SPANS if (last - first) // one < MOST), _SPANS[-1])
    first -= first % span
    number = (last - first) // span + 1
    counts = {name: Counter((month - first) // span for month in told) for name, told in months.items()}
    columns = [
        TimelineColumn(
            _tell(first + at * span, span),
            [found[at] for found in counts.values()],
            _address(max(m for told in months.values() for m in told if (m - first) // span == at)),
        )
        for at in range(number)
        if any(found[at] for found in counts.values())
    ]
    return Timeline([*counts], columns[::-1], _draw(counts, first, span, number))


def _month(day: str) -> int | None:
    """Return the number of a day's month, counted from year 0; None for no day."""
    try:
        found = date.fromisoformat(day[:10])
    except ValueError:
        return None
    return found.year * 12 + found.month - 1


def _address(month: int) -> str:
    return f"month-{month // 12:04}-{month % 12 + 1:02}"


def _tell(month: int, span: int) -> str:
    """Return a column's stretch of time: `March 2026`, `April to June 2026`, `2026`."""
    last = month + span - 1
    if span >= 12:
        return f"{month // 12}" if span == 12 else f"{month // 12} to {last // 12}"
    name = _name_month(last)
    return name if span == 1 else f"{_name_month(month).partition(' ')[0]} to {name}"


def _name_month(month: int) -> str:
    return day_in_words(date(month // 12, month % 12 + 1, 1)).partition(" ")[2]


def _draw(counts: Mapping[str, Counter[int]], first: int, span: int, number: int) -> str:
    """Return a lane of bars for each name; widths are shares of the page's, heights pixels."""
    wide = 100 / number
    tall = _LANE * len(counts)
    label = f"{', '.join(counts)} from {_tell(first, span)} to {_tell(first + (number - 1) * span, span)}"
    parts = [
        f'<svg class="timeline" width="100%" height="{tall + _AXIS}" role="img" aria-label="{escape(label)}">'
    ]
    parts += _years(first, span, number, tall)
    for lane, (name, found) in enumerate(counts.items()):
        base = _LANE * (lane + 1) - 4
        parts.append(f'<text x="0" y="{base - _LANE + _LABEL + 2}">{escape(name)} {found.total():,}</text>')
        parts.append(f'<line class="axis" x1="0" x2="100%" y1="{base}" y2="{base}"/>')
        most = max(found.values())
        for at, count in sorted(found.items()):
            high = max(3.0, _TALL * count / most)
            told = f"{_tell(first + at * span, span)}: {count:,}"
            parts.append(
                f'<rect class="c0" x="{at * wide + wide * 0.1:.2f}%" y="{base - high:.1f}"'
                f' width="{min(wide * 0.8, 6):.2f}%" height="{high:.1f}"><title>{told}</title></rect>'
            )
    return "".join([*parts, "</svg>"])


def _years(first: int, span: int, number: int, tall: int) -> list[str]:
    """Return a line and a number for each year's beginning, as far apart as there is room."""
    last = first + number * span
    years = range(first // 12 if first % 12 == 0 else first // 12 + 1, (last - 1) // 12 + 1)
    step = max(1, -(-len(years) // 6))
    parts = []
    if first % 12 and (not years or (years[0] * 12 - first) / (last - first) > 0.15):
        parts.append(f'<text x="0" y="{tall + 14}">{first // 12}</text>')
    for year in years[::step]:
        x = 100 * (year * 12 - first) / (last - first)
        parts.append(f'<line class="rule" x1="{x:.2f}%" x2="{x:.2f}%" y1="0" y2="{tall}"/>')
        end = ' text-anchor="end"' if x > 92 else ""
        parts.append(f'<text x="{x:.2f}%" y="{tall + 14}"{end}>{year}</text>')
    return parts
