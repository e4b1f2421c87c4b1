"""Breathing at the terminal: context used over time, what came in, what went out, when it is due next."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.values.change import tell_many
from reel_cli.core.values.fullness import FULL_AT
from reel_cli.core.values.settings import WHOLE
from reel_cli.features.status.breath_policy import Acts, Breath, Next, in_columns
from reel_cli.terminal.folding import columns

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.status.breath import BreathRecord
    from reel_cli.terminal.open_kit import OpenKit

BARS = " ▁▂▃▄▅▆▇█"
LEVELS = 8
HEIGHT = 10
"""Rows of the plot; each is a tenth of the window."""
FULL_ROW = HEIGHT * FULL_AT // WHOLE
SHOWN = 8
"""Maximum number of sessions told one by one, the newest."""
LEAD = 7
NAMED = (
    ("memories", "memory", "memories", "made"),
    ("shelved", "file", "files", "onto the shelf"),
)

GONE = (
    ("keeps", "conversation", "conversations", "kept"),
    ("pages", "page", "pages", "written"),
    ("passes", "pass", "passes", "of maintenance"),
    ("summaries", "summary", "summaries", "made"),
    ("forgotten", "memory or line", "memories and lines", "let go"),
    ("dropped", "file", "files", "off the shelf"),
)


def status_breath(opened: "OpenKit", at: str | None, *, svg: Path | None, as_json: bool) -> None:
    """Show how a kit breathes, as it is or as it was; with `svg` as a picture in a file as well."""
    from reel_cli.core.tape.session_size import StartBundle
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.status.breath import read_breathing

    opened.look_back(at)
    glance: Snapshot = opened.past or opened.overview
    live = None
    if opened.past is None and (opened.state.folder / "stream.json").is_file():
        from reel_cli.features.watch.gauge_view import live_stream

        chat = live_stream(opened)
        live = chat[1] if chat is not None else None
    counter = get_tokenizer(glance.settings.tokenizer)
    acts = _acts(opened)
    start = StartBundle(*opened.state.last_bundle()) if opened.past is None else StartBundle()
    with opened.console.progress("Counting what was said", len(glance.sessions)) as advance:
        found = read_breathing(
            glance, acts, counter, live=live, start=start, then=opened.then is not None, advance=advance
        )
    if svg is not None:
        _write(opened, svg, found)
    if as_json:
        opened.console.result_json({**breathing_json(found), **opened.told_then()})
        return
    show_breathing(opened, found)


def _acts(opened: "OpenKit") -> "Mapping[str, Acts]":
    """Return the acts from history; cached for the commit that is checked out."""
    from reel_cli.core.kit.head_note import HistoryNote
    from reel_cli.features.status.breath import load_acts, read_acts, store_acts

    repository = opened.repository
    if repository is None:
        return {}
    if opened.past is not None:
        return read_acts(repository, opened.past.commit.rev)
    return load_acts(
        HistoryNote("breath 2", lambda: store_acts(read_acts(repository))).recall(opened.root, repository)
    )


def _write(opened: "OpenKit", path: Path, found: "BreathRecord") -> None:
    from reel_cli.core.kit.output_place import check_output
    from reel_cli.features.status.breath_picture import draw_breathing

    check_output(path)
    try:
        path.write_text(draw_breathing(found), encoding="utf-8", newline="\n")
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror}."
        raise ReelError(message) from None
    opened.state.note_written(path)
    opened.console.say(f"The picture is in {path}")


def breathing_json(found: "BreathRecord") -> dict[str, Any]:
    """Return the kit's breathing as JSON."""
    return {
        "name": found.name,
        "cap": found.cap,
        "full_at": FULL_AT / WHOLE,
        "sessions": [
            {
                "session": one.session,
                "bundle": one.came.bundle,
                "turns": one.came.turns,
                "used": one.used,
                "share": round(one.used / found.cap, 4) if found.cap else None,
                "messages": one.came.messages,
                "in": {"tokens": one.came.turns, **_counts(one.acts, NAMED)},
                "out": {"freed": one.acts.freed, **_counts(one.acts, GONE)},
            }
            for one in found.breaths
        ],
        "before": {
            "in": _counts(found.before, NAMED),
            "out": {"freed": found.before.freed, **_counts(found.before, GONE)},
        },
        "next": [
            {"trigger": one.trigger.value, "due": one.due, "why": one.why, "command": one.command or None}
            for one in found.following
        ],
    }


def _counts(acts: Acts, names: "Sequence[tuple[str, str, str, str]]") -> dict[str, int]:
    return {name: getattr(acts, name) for name, *_ in names}


def show_breathing(opened: "OpenKit", found: "BreathRecord") -> None:
    """Show the plot, the newest sessions in words, and what is due next."""
    console = opened.console
    following = sorted(found.following, key=lambda one: not one.due)
    if not found.breaths:
        due = _following(opened, [one for one in following if one.due])
        console.result("\n\n".join([f"{found.name}. Nothing is recorded yet.", *due]))
        return
    width = max(10, columns(console.out) - LEAD)
    shown = in_columns(found.breaths, width)
    each = -(-len(found.breaths) // len(shown))
    grain = "a column a chat" if each == 1 else f"{each} chats a column, the fullest of them"
    intro = (
        f"How full {found.name}'s {found.held_to} of {found.cap:,} tokens was, {grain}; the line is at 80 %."
    )
    parts = [console.wrap(intro, console.out), "\n".join(plot(shown, found.cap))]
    newest = found.breaths[-SHOWN:]
    parts.append("\n".join(console.wrap(_told(one, found.cap), console.out, hang="  ") for one in newest))
    if len(found.breaths) > len(newest):
        earlier = len(found.breaths) - len(newest)
        parts[-1] = f"{earlier:,} earlier {'chat' if earlier == 1 else 'chats'}:  --json\n{parts[-1]}"
    console.result("\n\n".join([*parts, *_following(opened, following)]))


def _following(opened: "OpenKit", following: "Sequence[Next]") -> "Sequence[str]":
    """Return the paragraph about what asks for breathing out, those that are due with their commands."""
    console, lines = opened.console, []
    for one in following:
        command = f":  {one.command}" if one.due and one.command else ""
        told = f"{'now' if one.due else 'later'}: {one.why}{command}"
        lines.append(console.wrap(told, console.out, "  ", "    "))
    return ["\n".join(["To breathe out", *lines])] if lines else []


def plot(shown: "Sequence[Breath]", cap: int) -> list[str]:
    """Return the window, filled from below, a line at 80 %; beneath it what came in and what went out."""
    fills = [min(HEIGHT * LEVELS, one.used * HEIGHT * LEVELS // cap if cap else 0) for one in shown]
    # a part with few tokens is still shown
    fills = [max(1, fill) if one.used else 0 for fill, one in zip(fills, shown, strict=True)]
    lines = []
    for row in range(HEIGHT, 0, -1):
        line = row == FULL_ROW
        cells = "".join(_cell(fill - (row - 1) * LEVELS, line=line) for fill in fills)
        percent = f"{row * 100 // HEIGHT} %" if row in (HEIGHT, FULL_ROW) else ""
        lines.append(f"{percent:>5}  {cells}".rstrip())
    lines = _without_gap(lines, fills)
    most_in = max((one.tokens_in for one in shown), default=0)
    most_out = max((one.acts.out for one in shown), default=0)
    came = "".join(_bar(one.tokens_in, most_in) for one in shown)
    went = "".join(_bar(one.acts.out, most_out) for one in shown)
    first, last = shown[0].session, shown[-1].upto
    ends = f"{first} … {last}" if len(shown) >= len(first) + len(last) + 3 else f"{first} to {last}"
    days = ends if first != last else first
    return [*lines, f"{'in':>5}  {came}", f"{'out':>5}  {went}", f"{'':>5}  {days}"]


def _without_gap(lines: list[str], fills: "Sequence[int]") -> list[str]:
    """Return the rows without those above the line, and with one for all empty ones below it."""
    tallest = -(-max(fills, default=0) // LEVELS)
    if tallest < FULL_ROW:
        gap = FULL_ROW - 1 - tallest
        below = lines[HEIGHT - FULL_ROW + 1 :]
        return [lines[HEIGHT - FULL_ROW], *([f"{'⋮':>5}", *below[gap:]] if gap > 1 else below)]
    return lines


def _cell(fill: int, *, line: bool) -> str:
    if fill > 0:
        return BARS[min(fill, LEVELS)]
    return "╌" if line else " "


def _bar(value: int, most: int) -> str:
    """Return a bar of one cell; a dot for nothing."""
    return BARS[max(1, value * LEVELS // most)] if value and most else "·"


def _told(one: Breath, cap: int) -> str:
    """Return one session in words: how full, what came in, what went out."""
    percent = one.used * 100 // cap if cap else 0
    came = [f"{one.came.turns:,} tokens in {tell_many(one.came.messages, 'message')}"]
    came += _acts_in_words(one.acts, NAMED)
    went = _acts_in_words(one.acts, GONE)
    if one.acts.freed:
        went.append(f"{one.acts.freed:,} tokens freed")
    out = f"; out: {', '.join(went)}" if went else "; nothing went out"
    return f"{one.session}  {percent} %, in: {', '.join(came)}{out}"


def _acts_in_words(acts: Acts, names: "Sequence[tuple[str, str, str, str]]") -> list[str]:
    return [
        f"{number:,} {one if number == 1 else many} {what}"
        for name, one, many, what in names
        if (number := getattr(acts, name))
    ]
