"""The fading of one memory: its size over time and when it was recalled, as a picture and a table."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from html import escape
from typing import TYPE_CHECKING

from reel_cli.core.files.commit_message import FORGOT, UNDOES, parse_forgotten
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words, is_day
from reel_cli.features.history.lives import FORMS

if TYPE_CHECKING:
    from reel_cli.core.files.ledger_file import Entry
    from reel_cli.core.git.history import Commit

RECALLS = ("recall", "reference")
"""Acts of the ledger by which a memory came up."""
_TALL, _BASE, _ALL = 80, 98, 122
"""Heights of the picture in pixels: of the largest size, of the axis from the top, and of all of it."""


@frozen
class SizePoint:
    """The size of a memory in tokens from a day (ISO 8601) on, and why."""

    day: str
    tokens: int
    words: str

    @property
    def told(self) -> str:
        """Return the day in words."""
        return day_in_words(date.fromisoformat(self.day))


@frozen
class SizeCurve:
    """The sizes of a memory, oldest first; the days on which it was recalled, and its picture (SVG)."""

    points: Sequence[SizePoint]
    recalled: Sequence[str]
    picture: str


def read_curve(
    name: str, began: SizePoint | None, commits: Iterable["Commit"], entries: Iterable["Entry"], today: str
) -> SizeCurve | None:
    """Return the curve of a memory, None where no size is known.

    `began` is its size where history does not tell of its beginning, `commits` are those about it, the
    newest first.
    """
    points = _read_points(name, list(commits)[::-1])
    if began is not None and (not points or began.day < points[0].day):
        points = [began, *points]
    recalled = sorted({one.at[:10] for one in entries if one.do in RECALLS and is_day(one.at[:10])})
    if not points:
        return None
    return SizeCurve(points, recalled, _draw(points, recalled, max(today, points[-1].day)))


def first_size(name: str, commits: Sequence["Commit"]) -> int:
    """Return the size before the first loss that history tells of; 0 for none."""
    for commit in reversed(commits):
        for value in commit.values(FORGOT):
            lost = parse_forgotten(value)
            if lost is not None and lost.id == name:
                return lost.tokens_before
    return 0


def _read_points(name: str, commits: Sequence["Commit"]) -> list[SizePoint]:
    found: list[SizePoint] = []
    before: dict[str, tuple[int, str]] = {}
    size, form = 0, ""
    for commit in commits:
        was = (size, form)
        told = _size_after(name, commit)
        undone = next((before[one] for one in commit.values(UNDOES) if one in before), None)
        if told is not None:
            size, form = told
        elif undone is not None:
            size, form = undone
        else:
            continue
        before[commit.id] = was
        if was != (size, form):
            found.append(SizePoint(commit.time[:10], size, FORMS.get(form, "nothing")))
    return found


def _size_after(name: str, commit: "Commit") -> tuple[int, str] | None:
    for value in commit.values(FORGOT):
        lost = parse_forgotten(value)
        if lost is not None and lost.id == name:
            return lost.tokens_after, lost.after
    for value in commit.values("Reel-Memory"):
        parts = value.split()
        if len(parts) > 2 and parts[0] == name and parts[2].isdigit():
            return int(parts[2]), parts[1]
    return None


def _draw(points: Sequence[SizePoint], recalled: Sequence[str], end: str) -> str:
    """Return the sizes as areas from day to day, and a dot for each day of a recall."""
    first, last = (date.fromisoformat(day).toordinal() for day in (points[0].day, end))
    long = max(1, last - first)
    most = max(1, *(one.tokens for one in points))

    def across(day: str) -> float:
        return 100 * min(1.0, max(0.0, (date.fromisoformat(day).toordinal() - first) / long))

    label = f"Its size over time: {', then '.join(f'{one.tokens:,} tokens' for one in points)}"
    parts = [f'<svg class="curve" width="100%" height="{_ALL}" role="img" aria-label="{escape(label)}">']
    for one, until in zip(points, [*(point.day for point in points[1:]), end], strict=True):
        # the last one may have begun today
        x = min(99.2, across(one.day))
        wide = max(0.8, across(until) - x)
        tall = _TALL * one.tokens / most
        told = f"{one.told}: {one.tokens:,} tokens"
        parts.append(
            f'<rect class="c3" x="{x:.2f}%" y="{_BASE - tall:.1f}" width="{wide:.2f}%"'
            f' height="{tall:.1f}"><title>{escape(told)}</title></rect>'
        )
    parts.append(f'<line class="axis" x1="0" x2="100%" y1="{_BASE}" y2="{_BASE}"/>')
    parts += [
        f'<circle class="c0" cx="{min(98.0, max(2.0, across(day))):.2f}%" cy="{_BASE}" r="4.5">'
        f"<title>recalled on {escape(day_in_words(date.fromisoformat(day)))}</title></circle>"
        for day in recalled
    ]
    dots = "; dots: recalled" if recalled else ""
    parts.append(f'<text x="0" y="11">At most {most:,} tokens{dots}</text>')
    parts.append(f'<text x="0" y="{_ALL - 6}">{points[0].told}</text>')
    if points[0].day != end:
        told = day_in_words(date.fromisoformat(end))
        parts.append(f'<text x="100%" y="{_ALL - 6}" text-anchor="end">{told}</text>')
    return "".join([*parts, "</svg>"])


def tell_recalls(entries: Iterable["Entry"]) -> str:
    """Return when a memory was recalled, in a sentence; "" for never."""
    days: Mapping[str, None] = dict.fromkeys(
        sorted(one.at[:10] for one in entries if one.do in RECALLS and is_day(one.at[:10]))
    )
    if not days:
        return ""
    last = day_in_words(date.fromisoformat([*days][-1]))
    return f"Recalled on {last}." if len(days) == 1 else f"Recalled on {len(days):,} days, last on {last}."
