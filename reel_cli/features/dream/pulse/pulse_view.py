"""The heartbeat at the terminal: what is due and why, and how memory was used, week by week."""

from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.core.moment import day_in_words, moment
from reel_cli.core.values.settings import WHOLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.dream.pulse.pulse import Pulse
    from reel_cli.features.dream.pulse.pulse_policy import Disruption, Heartbeat, Part
    from reel_cli.features.dream.pulse.week_measures import Week
    from reel_cli.terminal.open_kit import OpenKit

BARS = "▁▂▃▄▅▆▇█"
UNKNOWN = "·"
SHOWN = 12
"""Maximum number of weeks in the table, the newest."""
SHOWN_DISRUPTIONS = 5
SHOWN_MODELS = 3
MEASURES = (
    ("searched", "recalled", "chats with a recall"),
    ("tools", "tools again", "tools used that were used before"),
    ("dropped", "still open", "dropped threads that are still open"),
    ("closed", "loops closed", "open loops that were closed"),
)
"""A week's measures: its field, its column, what it is a share of."""


def status_pulse(opened: "OpenKit", at: str | None, *, as_json: bool) -> None:
    """Show the pulse of a kit, as it is or as it was."""
    from reel_cli.core.files.tree import WorkTree
    from reel_cli.core.kit.glance import Glance
    from reel_cli.features.dream.pulse.outside_facts import look_beside
    from reel_cli.features.dream.pulse.pulse import read_pulse
    from reel_cli.features.dream.pulse.pulse_weeks import read_weeks
    from reel_cli.features.page.cold_start import is_cold

    opened.look_back(at)
    glance = opened.past or Glance(WorkTree(opened.root), opened.root.resolve().name, opened.root)
    beside = look_beside(opened)
    found = read_pulse(glance, beside, cold=is_cold(glance))
    weeks, whole = read_weeks(glance, found, beside.now)
    if as_json:
        value = {"name": glance.settings.name, **pulse_json(found)}
        settings = glance.settings
        value["dream"] |= {
            "every_days": settings.dream_every.days or None,
            "every_sessions": settings.dream_every.sessions or None,
        }
        value["weeks"] = [_week_json(week) for week in weeks]
        value["whole"] = _week_json(whole)
        opened.console.result_json({**value, **opened.told_then()})
        return
    off = not any(glance.settings.dream_every)
    _show(opened, glance.settings.name, found, off=off)
    if found.sessions:
        _show_weeks(opened, weeks, whole)


# -- for a program ------------------------------------------------------------------------------


def pulse_json(found: "Pulse") -> dict[str, Any]:
    """Return the pulse as JSON values; unknown ones are null."""
    heart, dreamt, verified = found.heart, found.dreamt, found.verified
    return {
        "recall": {
            "since": heart.since or None,
            "over": heart.over,
            "threshold": heart.threshold / WHOLE,
            "now": _part_json(heart.now),
            "before": _part_json(heart.before),
            "trend": heart.trend.value if heart.trend is not None else None,
            "below": heart.below if heart.now is not None else None,
        },
        "dream": {
            "state": found.state.value if found.state is not None else "none",
            "last": dreamt.last.isoformat() if dreamt.last is not None else None,
            "days": found.age,
            "sessions_since": len(dreamt.unread),
        },
        "models": [
            {"model": one.model, "first": one.first, "last": one.last, "sessions": one.sessions}
            for one in found.models
        ],
        "disruptions": [
            {"kind": one.kind.value, "at": one.at, "what": one.what, "since_dream": one.fresh}
            for one in found.disruptions
        ],
        "verified": (
            None
            if verified is None or not verified.at
            else {"at": verified.at, "well": verified.well, "failed": verified.failed or None}
        ),
        "ahead": list(found.ahead),
        "due": bool(found.reasons),
        "reasons": [{"kind": one.kind.value, "why": one.why} for one in found.reasons],
        "reground": found.shaken and {"why": found.shaken.why, "command": found.shaken.command},
    }


def _part_json(part: "Part | None") -> dict[str, Any] | None:
    return None if part is None else {"part": part.part, "of": part.of, "share": round(part.share, 4)}


def _week_json(week: "Week") -> dict[str, Any]:
    parts = {field: _part_json(getattr(week, field)) for field, _, _ in MEASURES}
    return {**({"week": week.monday} if week.monday else {}), "sessions": week.sessions, **parts}


# -- for a person -------------------------------------------------------------------------------


def _show(opened: "OpenKit", name: str, found: "Pulse", *, off: bool) -> None:
    console = opened.console
    if not found.sessions and not found.ahead:
        console.result(f"{name}. Nothing is recorded yet.")
        return
    told = [_told_heart(found.heart), _told_dreams(found)]
    if found.models:
        told.append(_told_models(found))
    if found.verified is not None and not found.verified.well:
        day = _day(found.verified.at)
        told.append(f"At the last check, on {day}, recorded chats were not as recorded:  reel tape verify")
    if found.ahead:
        one = len(found.ahead) == 1
        count = "One chat is" if one else f"{len(found.ahead):,} chats are"
        told.append(f"{count} dated in the future, and {'does' if one else 'do'} not count here.")
    console.result("\n".join(console.wrap(line, console.out, hang="  ") for line in told), steps=True)
    if found.disruptions:
        lines = [_told_disruption(one) for one in found.disruptions[-SHOWN_DISRUPTIONS:]]
        if len(found.disruptions) > SHOWN_DISRUPTIONS:
            lines.insert(0, f"{len(found.disruptions) - SHOWN_DISRUPTIONS:,} earlier:  --json")
        console.result("\nWhat broke the thread")
        console.result("\n".join(console.wrap(line, console.out, "  ", "  ") for line in lines))
    due = console.wrap(_told_due(opened, found, off=off), console.out, hang="  ")
    console.result(f"\n{due}", steps=True)
    if found.shaken is not None:
        told_story = f"{found.shaken.why[:1].upper()}{found.shaken.why[1:]}"
        command = f":  {found.shaken.command}" if opened.then is None else "."
        console.result(console.wrap(f"{told_story}{command}", console.out, hang="  "), steps=True)


def _told_heart(heart: "Heartbeat") -> str:
    if not heart.since:
        return "Recall was never used here."
    if heart.now is None:
        told = "1 chat" if heart.counted == 1 else f"{heart.counted:,} chats"
        return f"Recall was first used in {heart.since}; {told} since then; it is too early to say how often."
    now = heart.now
    line = f"Something was recalled in {now.part} of the last {now.of} chats ({_percent(now)})"
    line += f", below {heart.threshold / WHOLE:.0%}".replace("%", " %") if heart.below else ""
    if heart.before is not None and heart.trend is not None:
        line += f"; before that in {heart.before.part} of {heart.before.of}: {heart.trend.value}"
    return f"{line}."


def _told_dreams(found: "Pulse") -> str:
    from reel_cli.core.values.change import tell_many
    from reel_cli.features.dream.waking.schedule import in_days

    dreamt = found.dreamt
    fresh = tell_many(len(dreamt.unread), "chat")
    if dreamt.under_way:
        return f"A dream is under way, {fresh} left:  reel dream next"
    if not dreamt.ever:
        return "There is no story yet."
    if found.age is None:
        when = (
            f"on {day_in_words(dreamt.last.date())}, a date still to come" if dreamt.last else "at some time"
        )
    else:
        when = in_days(found.age)
    return f"The last dream was {when}; {fresh if dreamt.unread else 'no chat'} since."


def _told_models(found: "Pulse") -> str:
    from reel_cli.core.values.change import tell_many

    shown = found.models[-SHOWN_MODELS:]
    runs = [f"{one.model} from {_day(one.first[:10])} ({tell_many(one.sessions, 'chat')})" for one in shown]
    earlier = len(found.models) - len(shown)
    before = [f"{earlier:,} earlier (--json)"] if earlier else []
    return f"{'Model' if len(found.models) == 1 else 'Models'}: {', then '.join([*before, *runs])}."


def _told_disruption(one: "Disruption") -> str:
    since = "; not dreamt of yet" if one.fresh else ""
    return f"{_day(one.at)}: {one.what}{since}"


def _told_due(opened: "OpenKit", found: "Pulse", *, off: bool) -> str:
    if off:
        return "No dream is ever due, because kit.yaml says  dream: {every: never} ."
    if not found.reasons:
        return "No dream is due."
    command = "  reel dream start" if opened.then is None else ""
    was = "was due then" if opened.then is not None else "is due"
    return f"A dream {was}: {'; '.join(one.why for one in found.reasons)}{':' if command else '.'}{command}"


def _show_weeks(opened: "OpenKit", weeks: "Sequence[Week]", whole: "Week") -> None:
    """Show each measure as a line of bars, the newest weeks in a table, and unknown ones in words."""
    from reel_cli.terminal.folding import columns

    console = opened.console
    known = [measure for measure in MEASURES if getattr(whole, measure[0]) is not None]
    console.result("\nWeek by week")
    lines = []
    width = columns(console.out) - 2 if console.out.isatty() else 78
    for field, _, what in known:
        part: Part = getattr(whole, field)
        lines.append(f"{what}: {part.part:,} of {part.of:,}")
        lines.append(spark([getattr(week, field) for week in weeks], width))
    lines += [_unknown(field) for field, _, _ in MEASURES if field not in {m[0] for m in known}]
    console.result("\n".join(console.wrap(line, console.out, "  ", "  ") for line in lines))
    if not known:
        return
    shown = weeks[-SHOWN:]
    header = ("week of", "sessions", *(column for _, column, _ in known))
    rows = [
        (week.monday, f"{week.sessions:,}", *(_cell(getattr(week, field)) for field, _, _ in known))
        for week in shown
    ]
    table = console.table(header, rows, right=range(1, len(header)))
    room = columns(console.out)
    if console.out.isatty() and max(map(len, table.splitlines())) > room:
        table = "\n".join(console.wrap(_sentence(week), console.out, hang="  ") for week in shown)
    console.result(f"\n{table}")
    if len(weeks) > len(shown):
        console.result(f"\nEarlier weeks ({len(weeks) - len(shown):,}):  --json")


def spark(parts: "Sequence[Part | None]", width: int) -> str:
    """Return shares as bars, newest last, as many as fit; a dot if nothing is known."""
    return "".join(
        UNKNOWN if part is None else BARS[min(int(part.share * len(BARS)), len(BARS) - 1)]
        for part in parts[-max(width, 1) :]
    )


def _unknown(field: str) -> str:
    return {
        "searched": "recalls: none yet, so nothing is known",
        "tools": "tools: none are on the tape that were used twice, so nothing is known",
        "dropped": "dropped threads: a dream would name them; none are known",
        "closed": "open loops: no page of these chats left any",
    }[field]


def _cell(part: "Part | None") -> str:
    return "" if part is None else f"{part.part:,} of {part.of:,}"


def _sentence(week: "Week") -> str:
    from reel_cli.core.values.change import tell_many

    told = [f"{column} {_cell(part)}" for field, column, _ in MEASURES if (part := getattr(week, field))]
    return f"week of {_day(week.monday)}: {', '.join([tell_many(week.sessions, 'chat'), *told])}"


def _percent(part: "Part") -> str:
    return f"{part.share * 100:.0f} %"


def _day(at: str) -> str:
    found = moment(at)
    return day_in_words(date(found.year, found.month, found.day))
