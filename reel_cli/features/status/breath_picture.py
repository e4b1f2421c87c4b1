"""Breathing as a picture: an SVG that needs nothing but itself."""

from html import escape
from typing import TYPE_CHECKING

from reel_cli.core.values.change import one_line
from reel_cli.core.values.fullness import FULL_AT
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.status.breath_policy import in_columns

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.status.breath import BreathRecord
    from reel_cli.features.status.breath_policy import Breath

WIDTH, HEIGHT, LEFT, RIGHT, TOP = 800, 420, 60, 20, 44
TALL = 200
"""The window; 100 % is at its top."""
MIDDLE, SWING = 326, 44
"""Height of the axis, from which input rises and output hangs, and the greatest height of either."""
MOST = 200
"""Maximum number of columns."""
FILL, IN, OUT, INK, RULE, FAINT = "#9dc3e6", "#2e7d6b", "#c77b30", "#333333", "#c0392b", "#dddddd"


def draw_breathing(found: "BreathRecord") -> str:
    """Return a picture: context used over time, and below it intake and losses by session."""
    shown = in_columns(found.breaths, MOST)
    step = (WIDTH - LEFT - RIGHT) / max(1, len(shown))
    title = escape(one_line(f"{found.name}: how full its {found.held_to} of {found.cap:,} tokens was", 120))
    parts = [
        (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" width="{WIDTH}"'
            f' height="{HEIGHT}" font-family="sans-serif" font-size="12" fill="{INK}" role="img">'
        ),
        f"<title>{title}</title>",
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
        f'<text x="{LEFT}" y="24" font-size="15">{title}</text>',
        *_axis(),
        *_window(shown, found.cap, step),
        *_breaths(shown, step),
    ]
    if shown:
        first, last = escape(shown[0].session), escape(shown[-1].upto)
        parts.append(f'<text x="{LEFT}" y="{HEIGHT - 14}">{first}</text>')
        if first != last:
            parts.append(f'<text x="{WIDTH - RIGHT}" y="{HEIGHT - 14}" text-anchor="end">{last}</text>')
    else:
        parts.append(f'<text x="{LEFT}" y="{TOP + TALL / 2}">Nothing is recorded yet.</text>')
    return "\n".join([*parts, "</svg>"]) + "\n"


def _axis() -> list[str]:
    lines = []
    for percent in (0, 50, 100):
        y = TOP + TALL * (1 - percent / 100)
        lines.append(
            f'<line x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}" stroke="{FAINT}"/>'
            f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end">{percent} %</text>'
        )
    y = TOP + TALL * (1 - FULL_AT / WHOLE)
    full = f"{FULL_AT * 100 // WHOLE} %"
    ends = f'x1="{LEFT}" y1="{y:.1f}" x2="{WIDTH - RIGHT}" y2="{y:.1f}"'
    return [
        *lines,
        f'<line {ends} stroke="{RULE}" stroke-dasharray="5 4"/>',
        f'<text x="{LEFT - 8}" y="{y + 4:.1f}" text-anchor="end" fill="{RULE}">{full}</text>',
    ]


def _window(shown: "Sequence[Breath]", cap: int, step: float) -> list[str]:
    """Return the bars of how full the window was; what is over the cap reaches the top."""
    bars = []
    for place, one in enumerate(shown):
        share = min(1.0, one.used / cap) if cap else 0.0
        tall = TALL * share
        told = escape(f"{_named(one)}: {one.used:,} tokens, {100 * one.used // cap if cap else 0} %")
        bars.append(_rect(LEFT + place * step, TOP + TALL - tall, step, tall, FILL, told))
    return bars


def _breaths(shown: "Sequence[Breath]", step: float) -> list[str]:
    """Return the bars of what came in, upwards, and what went out, downwards, each to its own scale."""
    most_in = max((one.tokens_in for one in shown), default=0) or 1
    most_out = max((one.acts.out for one in shown), default=0) or 1
    parts = [
        f'<line x1="{LEFT}" y1="{MIDDLE}" x2="{WIDTH - RIGHT}" y2="{MIDDLE}" stroke="{INK}"/>',
        f'<text x="{LEFT - 8}" y="{MIDDLE - 14}" text-anchor="end" fill="{IN}">in</text>',
        f'<text x="{LEFT - 8}" y="{MIDDLE + 24}" text-anchor="end" fill="{OUT}">out</text>',
    ]
    for place, one in enumerate(shown):
        x = LEFT + place * step
        up, down = SWING * one.tokens_in / most_in, SWING * one.acts.out / most_out
        if up:
            told = escape(f"{_named(one)}: {one.tokens_in:,} tokens came in")
            parts.append(_rect(x, MIDDLE - up, step, up, IN, told))
        if down:
            told = escape(f"{_named(one)}: {one.acts.out:,} times out, {one.acts.freed:,} tokens freed")
            parts.append(_rect(x, MIDDLE, step, down, OUT, told))
    return parts


def _named(one: "Breath") -> str:
    return one.session if one.session == one.upto else f"{one.session} to {one.upto}"


def _rect(  # noqa: PLR0913 (a bar has its four sides)
    x: float, y: float, step: float, tall: float, shade: str, told: str
) -> str:
    gap = min(2.0, step * 0.15)
    return (
        f'<rect x="{x + gap / 2:.1f}" y="{y:.1f}" width="{step - gap:.1f}" height="{tall:.1f}"'
        f' fill="{shade}"><title>{told}</title></rect>'
    )
