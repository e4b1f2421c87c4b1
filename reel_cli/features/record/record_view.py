"""View of a recording, done or planned, in words, tables and JSON."""

from collections.abc import Iterable, Sequence
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import bring
from reel_cli.core.shell import quote_path
from reel_cli.core.tape.formats.times import ZONELESS
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.features.record.record_chats import Tally
from reel_cli.terminal.folding import columns
from reel_cli.terminal.input.given_text import find_typed

if TYPE_CHECKING:
    from reel_cli.core.values.talk import Conversation
    from reel_cli.features.record.choice import ConversationOffer
    from reel_cli.features.record.plan import RecordPlan
    from reel_cli.features.record.record_chats import Outcome
    from reel_cli.terminal.open_kit import OpenKit

HANDFUL = 6
"""Number of conversations up to which each gets a line; of more, only the sum is told."""
MOST_KINDS = 8
TITLE = 60
"""Characters of a title in a plan that is piped."""
LEAST_TITLE = 8
ROOM_FOR_SESSION = 76
"""A terminal of so many columns shows the session beside each conversation, too."""


def show_recorded(  # noqa: PLR0913 (what became of it, and how it is told)
    opened: "OpenKit",
    found: "RecordPlan",
    name: str = "",
    *,
    told: bool = False,
    dry_run: bool = False,
    command: str = "reel record FILE",
) -> None:
    """Report in a line what became of one conversation; `name` is its source's, if there are several.

    `told` says that the person was just asked about this very chat, and knows what it is called.
    """
    shown = found.called
    typed = find_typed(name) if name and name != "-" else None
    if name and not found.title and not (typed and typed.is_dir()):
        shown = f"{_called(name)}, {shown},"
    said = tell_many(found.messages, "message")
    title = f"“{shown}”" if found.title and shown == found.title else shown
    # where a page follows, no command takes the session's name
    place = "" if command.startswith("reel end") else f" as {found.session}"
    done, added = ("Would record", " would be") if dry_run else ("Recorded", "")
    now, stays = ("then", "would stay") if dry_run else ("now", "is kept")
    lines = {
        "new": f"{done} {title if place else title.rstrip(',')}{place}, {said}.",
        "known": f"{shown} is recorded already ({found.session}); nothing was added.",
        "grown": f"{shown} has grown: {found.added:,}{added} added to {found.session}, {now} {said}.",
        "corrected": f"{shown} was edited since: {found.added:,}{added} added to {found.session}; "
        f"what stood there {stays}.",
    }
    if told:
        lines["new"] = "Recorded."
    if not found.added:
        shorter = f"so would {found.session} be" if dry_run else f"so is {found.session}"
        lines["corrected"] = f"{shown} is shorter now, and {shorter}; what stood there {stays}."
    if found.branched:
        more = f"{found.added:,}{added} added to {found.session}"
        lines["corrected"] = f"{shown} went on in another branch: {more}; the other one {stays}."
    if found.beside:
        kept = f"{tell_many(found.beside, 'message')}{added} kept beside {found.session}"
        lines["grown"] = f"{shown} has a branch that was left: {kept}."
    if found.purged:
        lines["known"] = f"This chat ({found.session}) was purged from this kit, so it is not recorded again."
    opened.console.result(opened.console.wrap(lines[found.state], opened.console.out))
    if not dry_run and (found.beside or (found.branched and found.state == "corrected")):
        opened.console.say(f"  To read it:  reel tape show {found.session} --roads")
    _tell_taken_back(opened, found)
    _tell_others(opened, found, command, dry_run=dry_run)
    if found.undated:
        _tell_no_date(opened, found, command)
    for problem in _worth_saying(opened, found):
        opened.console.say(f"  {problem}")


def _tell_others(opened: "OpenKit", found: "RecordPlan", command: str, *, dry_run: bool) -> None:
    """Say which other session has the same chat, or may have it."""
    if found.instead_of:
        opened.console.say(_tell_same(found) if dry_run else _tell_other(found))
    if found.like and dry_run:
        opened.console.say(f"  It begins like {found.like}, and would be kept beside it.")
    elif found.like:
        _tell_like(opened, found, command)


def _tell_taken_back(opened: "OpenKit", found: "RecordPlan") -> None:
    """Say how a chat that does not count any more comes back, or that it does not."""
    if found.purged:
        opened.console.say("What is said in another chat is recorded as ever. To begin one:  reel start")
    elif found.taken_back:
        opened.console.say(
            f"{found.session} was taken back earlier. To let it stand again:  "
            f"reel tape retract {found.session} --undo"
        )
        opened.console.say("To record it as a new chat, name its file:  reel record FILE")


def _tell_other(found: "RecordPlan") -> str:
    """Return the sentence on the session that has the same chat and was taken back."""
    if found.instead_of[:10] != found.session[:10]:
        return f"It stood under {day_in_words(date.fromisoformat(found.instead_of[:10]))} until now."
    return _tell_same(found)


def _tell_same(found: "RecordPlan") -> str:
    return f"The same chat as {found.instead_of}, which was taken back and still does not count."


def _tell_like(opened: "OpenKit", found: "RecordPlan", command: str) -> None:
    """Say with which chat a new one has words in common, and how the two are joined."""
    record = command if command.startswith("reel record ") else f"reel record {command.split(None, 2)[-1]}"
    opened.console.say(f"  It begins like {found.like}; both are kept. If it is the same:")
    opened.console.say(f"    reel tape retract {found.session}")
    opened.console.say(f"    {record} --session {found.like}")


def _tell_no_date(opened: "OpenKit", found: "RecordPlan", command: str) -> None:
    """Say under which day a chat without a date stands, and of the first one how another is given."""
    noted = date.fromisoformat(found.session[:10])
    told = "  It has no date, so it counts as today's."
    if not any(name != found.session for name in opened.snapshot.sessions):
        told += f" For another day:  {command} --on {noted - timedelta(days=1)}"
    opened.console.say(told)


def _worth_saying(opened: "OpenKit", found: "RecordPlan") -> Sequence[str]:
    """Return the remarks worth showing; not the time zone if kit.yaml sets it, or nothing was added."""
    told = not found.added or opened.snapshot.settings.timezone is not None
    return [one for one in found.problems if not (told and one.startswith(ZONELESS))]


def tell_day_kept(
    opened: "OpenKit", recorded: "Iterable[tuple[ConversationOffer | Conversation, RecordPlan]]", day: str
) -> None:
    """Report that content that is on the tape already keeps its day."""
    kept = [f.session for i, f in recorded if f.state.value != "new" and i.started == day]
    kept = [session for session in kept if not session.startswith(day[:10])]
    if kept:
        opened.console.say(
            f"A chat keeps its day. For another, take it back and record it again:  "
            f"reel tape retract {kept[0]}"
        )


def show_outcome(opened: "OpenKit", outcome: "Outcome", remarks: Sequence[str]) -> None:
    """Report what was recorded: a line each for a handful, a sum for more."""
    console = opened.console
    if len(outcome.recorded) <= HANDFUL:
        for item, found in outcome.recorded:
            name = (item.place or item.source) if len(outcome.recorded) > 1 else ""
            show_recorded(opened, found, name, command=f"reel record {quote_path(item.source)}")
    else:
        tally = _tally(outcome)
        if tally.states.keys() == {"known"}:
            _result(opened, f"All {tally.count:,} conversations are recorded already; nothing was added.")
        else:
            what = f"Recorded {tally.count:,} conversations: {tally.states_in_words()}"
            _result(opened, f"{what}; {tell_many(tally.added, 'message')}.")
        _show_findings(opened, tally)
    for remark in remarks:
        console.say(f"  {remark}")
    if outcome.committed:
        # of that many chats nobody has the window open: their memories are made one after the other, in any
        # chat
        many = sum(found.state.value != "known" for _, found in outcome.recorded)
        step = "consolidate" if many > HANDFUL else _step_after_few(opened, outcome)
        console.next_step(f"Next:  reel {step}")
        fresh = [found.session for _, found in outcome.recorded if found.added]
        for tell in bring("recorded"):
            tell(opened, fresh if len(fresh) <= HANDFUL else ())


def _step_after_few(opened: "OpenKit", outcome: "Outcome") -> str:
    """Return the step after a few chats: `end` goes on with the newest; earlier ones want memories."""
    sessions = [found.session for _, found in outcome.recorded if found.state.value != "known"]
    newest = standing_sessions(opened.overview)[-1:]
    if not sessions or not newest or newest[0] in sessions:
        return "end"
    return f"consolidate {sessions[0]}" if len(sessions) == 1 else "consolidate"


def show_plan(opened: "OpenKit", outcome: "Outcome", remarks: Sequence[str]) -> None:
    """Show what would be recorded; the sum stands last, where a long list ends on the screen."""
    console = opened.console
    if len(outcome.recorded) == 1:
        ((_, found),) = outcome.recorded
        console.result(
            f"{found.called}: {found.state.value}, {found.added:,} of "
            f"{found.messages:,} messages would be added ({found.session})."
        )
        if found.instead_of:
            console.say(_tell_same(found))
        if found.like:
            console.say(f"  it begins like {found.like}, and would be kept beside it")
        if found.undated:
            console.say("  it has no date, so it would be recorded as today's; for another day:  --on DATE")
        for problem in _worth_saying(opened, found):
            console.say(f"  {problem}")
    elif outcome.recorded:
        tally = _tally(outcome)
        console.result(_table(opened, outcome))
        what = f"{tally.count:,} conversations: {tally.states_in_words()}"
        console.result("")
        _result(opened, f"{what}; {tell_many(tally.added, 'message')} would be added.")
        _show_findings(opened, tally)
    for remark in remarks:
        console.say(f"  {remark}")
    console.say("Nothing was changed (--dry-run).")
    fresh = [item for item, found in outcome.recorded if found.state.value != "known"]
    if len(fresh) > 1:
        newest = max((item.touched[:7] for item in fresh if item.touched), default="")
        since = f"   --since {newest}" if newest else ""
        numbers = sorted(item.number for item in fresh)
        console.next_step(
            f"To record some of them:  --select {numbers[0]},{numbers[-1]}{since}   --title WORD"
        )


def as_json_rows(outcome: "Outcome", remarks: Sequence[str]) -> dict[str, Any]:
    """Return the JSON rows in the order in which the conversations were found."""
    recorded = sorted(outcome.recorded, key=lambda pair: pair[0].number)
    answer: dict[str, Any] = {"recorded": [as_json_row(item, found) for item, found in recorded]}
    if remarks:
        answer["remarks"] = list(remarks)
    if outcome.left_out:
        answer["left_out"] = [
            {"number": item.number, "source": item.source, "title": item.title or None, "why": left.why}
            for item, left in sorted(outcome.left_out, key=lambda pair: pair[0].number)
        ]
    return answer


def as_json_row(item: "ConversationOffer", found: "RecordPlan") -> dict[str, Any]:
    """Return one conversation, as JSON."""
    return {
        "session": found.session,
        "source": item.source,
        "format": found.format,
        "state": found.state.value,
        "added": found.added,
        "beside": found.beside,
        "messages": found.messages,
        "number": item.number,
        "place": item.place or None,
        "title": found.title or None,
        "started": item.started,
        "problems": list(found.problems),
    }


def _result(opened: "OpenKit", text: str) -> None:
    console = opened.console
    console.result(console.wrap(text, console.out))


def _called(source: str) -> str:
    return "the pasted chat" if source == "-" else Path(source).name or source


def _tally(outcome: "Outcome") -> Tally:
    tally = Tally()
    for item, found in outcome.recorded:
        tally.add(found.title or f"number {item.number:,}", found)
    return tally


def _show_findings(opened: "OpenKit", tally: Tally) -> None:
    """Show the remarks on many conversations: each kind once, how often, and where first."""
    console = opened.console
    for kind, names in list(tally.problems.items())[:MOST_KINDS]:
        example = one_line(names[0], 40)
        often = f"in {len(names):,} conversations, first in" if len(names) > 1 else "in"
        console.say(f"  {kind}: {often} “{example}”")
    if len(tally.problems) > MOST_KINDS:
        console.say(f"  {len(tally.problems) - MOST_KINDS:,} more kinds of remark; --json lists them all")
    if tally.undated:
        tell = "1 tells" if tally.undated == 1 else f"{tally.undated:,} tell"
        console.say(f"  {tell} no day and stand{'s' * (tally.undated == 1)} under today's")
    if tally.purged:
        gone = f"{tally.purged:,} were" if tally.purged > 1 else "1 was"
        console.say(f"  {gone} purged from this kit, and not recorded again")
    if tally.taken_back:
        first = tally.taken_back[0]
        were = f"{len(tally.taken_back):,} were" if len(tally.taken_back) > 1 else "1 was"
        console.say(
            f"  {were} taken back earlier and stays so; to let it stand again:  "
            f"reel tape retract {first} --undo"
        )
        console.say("  to record one of them as a new chat, choose it alone:  --select NUMBER")


def _table(opened: "OpenKit", outcome: "Outcome") -> str:
    """Return the plan, one conversation a line, by number."""
    console = opened.console
    width = columns(console.out) if console.out.isatty() else 0
    with_session = not width or width >= ROOM_FOR_SESSION
    header = ["", "date", "title", "messages", "", *(["session"] if with_session else [])]
    rows = []
    for item, found in sorted(outcome.recorded, key=lambda pair: pair[0].number):
        more = f" +{found.added:,}" if found.added and found.state != "new" else ""
        row = [
            f"{item.number:,}",
            _day(opened, item),
            one_line(found.called, TITLE + 2) or "–",
            f"{found.messages:,}",
            f"{found.state.value}{more}",
        ]
        rows.append([*row, found.session] if with_session else row)
    right = (0, 3)
    table = console.table(header, rows, right=right)
    over = max(len(line) for line in table.splitlines()) - width if width else 0
    if over > 0:
        # the title is cut, because no other column can be
        room = max(LEAST_TITLE, max(len(row[2]) for row in rows) - over)
        for row in rows:
            row[2] = one_line(row[2], room)
        table = console.table(header, rows, right=right)
    return table


def _day(opened: "OpenKit", item: "ConversationOffer") -> str:
    """Return the day it began, in the kit's zone."""
    if item.started is None:
        return "–"
    try:
        when = datetime.fromisoformat(item.started)
    except ValueError:
        return "–"
    return (when.astimezone(opened.zone) if when.tzinfo else when).date().isoformat()
