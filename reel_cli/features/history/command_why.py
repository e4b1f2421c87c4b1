"""`reel why`: the life of what is remembered, in order of time."""

import re
from datetime import date, datetime
from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.errors import UsageError
from reel_cli.core.moment import day_in_words
from reel_cli.core.shell import quote
from reel_cli.terminal.options import AsJson

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.search import CourseStep, MemoryCourse
    from reel_cli.features.history.lives import Life, LifeEvent
    from reel_cli.features.history.why import Kit, Passage, PhraseTrace
    from reel_cli.terminal.open_kit import OpenKit

_POSSESSIVE = re.compile(r"(?<=\w)['’]s?\s*$")
"""Pattern of the end of a name that says that something is theirs."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("why", epilog="Example:  reel why M-014")(why)


def why(
    ctx: typer.Context,
    what: Annotated[
        list[str],
        typer.Argument(
            metavar="M-014|TEXT...", help="A memory, a chat, an example, or words that were said."
        ),
    ],
    as_json: AsJson = False,
) -> None:
    """Show the history of a memory or a phrase: said, kept, recalled, faded, packed or left out, and why."""
    from reel_cli.features.history.why import find_life, trace_phrase

    wanted = " ".join(what).strip()
    if not wanted:
        message = "Name what to explain."
        raise UsageError(message, hint="a memory, like M-014, or words that were said")
    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    kit = _kit(opened)
    life = find_life(kit, wanted)
    if life is not None:
        course, against = _course(opened, life)
        if as_json:
            told = _life_json(life)
            if life.kind == "memory":
                told |= _course_json(course, against)
            opened.console.result_json(told)
        else:
            _show_life(opened, life, _tell_course(course, against))
        return
    from reel_cli.features.recall.open_recollection import open_recollection, tell_troubles

    with open_recollection(opened) as recollection:
        traced = trace_phrase(kit, recollection, wanted)
        bare = _POSSESSIVE.sub("", wanted)
        if bare != wanted and not (traced.said or traced.carried):
            # somebody asks for `Ida's` who means what is hers
            traced = trace_phrase(kit, recollection, bare)
        tell_troubles(opened, recollection.told)
    if as_json:
        opened.console.result_json(_traced_json(traced))
    else:
        _show_traced(opened, traced)


def _kit(opened: "OpenKit") -> "Kit":
    from reel_cli.features.history.lives import Records
    from reel_cli.features.history.why import Kit

    repository, state = opened.repository, opened.state
    if repository is None:
        records = Records.of(opened.snapshot, (), state.pending_touches())
        return Kit(opened.root, opened.snapshot, records, state.last_pack())
    from reel_cli.core.git.history import read_log

    records = Records.of(opened.snapshot, read_log(repository), state.pending_touches(), repository)
    return Kit(
        opened.root,
        opened.snapshot,
        records,
        state.last_pack(),
        lambda path: read_log(repository, paths=[path]),
    )


def _course(opened: "OpenKit", life: "Life") -> "tuple[MemoryCourse, Sequence[tuple[str, str]]]":
    """Return the memories that share a thread with a memory, and what is held against it."""
    from reel_cli.core.kit.read_holdings import list_clashes
    from reel_cli.core.ports import bring
    from reel_cli.core.values.search import MemoryCourse

    if life.kind != "memory":
        return MemoryCourse(), ()
    find = next(bring("courses"), None)
    with opened.console.counting("Reading the recorded chats") as progress:
        course = find(opened.root, opened.snapshot, life.id, progress) if find else MemoryCourse()
    sides = [
        (mine, other)
        for clash in list_clashes(opened.snapshot)
        for mine, other in ((clash.older, clash.newer), (clash.newer, clash.older))
    ]
    return course, [(other[0], other[1]) for mine, other in sides if mine[0] == life.id]


def _tell_course(course: "MemoryCourse", against: "Sequence[tuple[str, str]]") -> list[str]:
    told = []
    for words, steps in (("It came from", course.before), ("It went on in", course.after)):
        if steps:
            told += [f"{words}:", *(f"- “{step.title}” ({step.id}). {step.reason}" for step in steps)]
    if against:
        told.append(f"It contradicts: {', '.join(f'“{says}” ({name})' for name, says in against[:3])}.")
    return told


def _course_json(course: "MemoryCourse", against: "Sequence[tuple[str, str]]") -> dict[str, Any]:
    def told(steps: "Sequence[CourseStep]") -> list[dict[str, Any]]:
        return [
            {
                "id": step.id,
                "title": step.title,
                "thread": step.thread,
                "type": step.type,
                "weight": step.weight,
                "reason": step.reason,
            }
            for step in steps
        ]

    return {
        "came_from": told(course.before),
        "went_on_in": told(course.after),
        "contradicts": [{"id": name, "words": says} for name, says in against],
    }


def _show_life(opened: "OpenKit", life: "Life", course: "Sequence[str]" = ()) -> None:
    from reel_cli.features.history.lives import TAKEN_BACK

    console = opened.console
    head = life.title if life.kind == "session" and life.title else f"{life.id}  {life.title}".rstrip()
    parts = [console.wrap(head, console.out)]
    parts += ["\n".join(_happening(opened, one) for one in life.happenings)] if life.happenings else []
    parts += ["\n".join(console.wrap(line, console.out, hang="  ") for line in course)] if course else []
    parts.append("\n".join(console.wrap(line, console.out) for line in life.standing))
    console.result("\n\n".join(parts))
    if life.kind in ("memory", "line"):
        console.next_step(f"Read it:  reel memory show {life.id}")
    elif life.kind == "asleep" and TAKEN_BACK not in life.standing:
        console.next_step(f"To bring it back:  reel restore {life.id}")
    elif life.kind == "session":
        console.next_step(f"Read it:  reel tape show {life.id.partition('#')[0]}")


def _happening(opened: "OpenKit", one: "LifeEvent") -> str:
    """Return one event, on a line of its own."""
    console = opened.console
    commit = f"  ({one.commit[:7]})" if one.commit else ""
    line = f"{_day(opened, one.at)}  {' '.join(one.words.split())}{commit}"
    return console.wrap(line, console.out, hang=" " * 12)


def _show_traced(opened: "OpenKit", traced: "PhraseTrace") -> None:
    console = opened.console
    parts = []
    if traced.said:
        heading = f"“{traced.phrase}” was said:"
        lines = [console.wrap(heading, console.out), *(_said(opened, place) for place in traced.said)]
        if traced.times > len(traced.said):
            lines.append(f"  and {traced.times - len(traced.said):,} more times")
        parts.append("\n".join(lines))
    for life in traced.carried:
        lines = [f"{life.id}  {life.title}", *(f"  {line}" for line in _in_short(opened, life))]
        parts.append("\n".join(console.wrap(line, console.out, hang="    ") for line in lines))
    if parts:
        console.result("\n\n".join(parts))
    if not traced.said:
        console.say(f"Nobody said exactly “{traced.phrase}”.")
        for moment in traced.nearest[:1]:
            console.say(
                f"The nearest was on {moment.heading} (chat {moment.session}, message {moment.message})."
            )
    if traced.said and not traced.carried:
        console.say("No memory and no line of the index has it.")
        console.next_step(f"To keep it:  reel recall {quote(traced.phrase)} --promote")
    elif traced.carried:
        console.next_step(f"Everything about it:  reel why {traced.carried[0].id}")
    else:
        console.next_step(f"To see what comes nearest:  reel recall {quote(traced.phrase)} --explain")


def _said(opened: "OpenKit", place: "Passage") -> str:
    console, moment = opened.console, place.moment
    day = _day(opened, moment.time or (moment.session or "")[:10])
    line = f"{day}  {moment.speaker}: {place.around} (chat {moment.session}, message {moment.message})"
    return console.wrap(f"  {line}", console.out, hang=" " * 14)


def _in_short(opened: "OpenKit", life: "Life") -> list[str]:
    """Return a life in a few lines: when it was kept, its uses, its losses, its present state."""
    kept = [one for one in life.happenings if one.act in ("kept", "faded", "undone")]
    used = [one for one in life.happenings if one.act in ("recall", "reference")]
    lines = [f"{_words_day(opened, one.at)}: {one.words}" for one in kept]
    if used:
        lines.append(f"last recalled on {_words_day(opened, used[-1].at)}")
    return [*lines, *life.standing]


def _day(opened: "OpenKit", at: str) -> str:
    """Return the day in the kit's zone, as in `reel log`."""
    try:
        when = datetime.fromisoformat(at)
    except ValueError:
        return at[:10]
    return (when.astimezone(opened.zone) if when.tzinfo else when).strftime("%Y-%m-%d")


def _words_day(opened: "OpenKit", at: str) -> str:
    try:
        return day_in_words(date.fromisoformat(_day(opened, at)))
    except ValueError:
        return at[:10]


def _life_json(life: "Life") -> dict[str, Any]:
    return {
        "kind": life.kind,
        "id": life.id,
        "title": life.title,
        "life": [
            {
                "time": one.at,
                "what": one.act,
                "words": one.words,
                "session": one.session,
                "commit": one.commit,
            }
            for one in life.happenings
        ],
        "now": list(life.standing),
    }


def _traced_json(traced: "PhraseTrace") -> dict[str, Any]:
    return {
        "kind": "phrase",
        "text": traced.phrase,
        "times": traced.times,
        "said": [
            {
                "session": place.moment.session,
                "message": place.moment.message,
                "speaker": place.moment.speaker,
                "time": place.moment.time,
                "words": place.words,
            }
            for place in traced.said
        ],
        "nearest": [
            {"session": moment.session, "message": moment.message, "confidence": moment.hit.confidence}
            for moment in traced.nearest
        ],
        "carried": [_life_json(life) for life in traced.carried],
    }
