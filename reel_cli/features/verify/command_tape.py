"""`reel tape`: the sessions as they were recorded, what is said about them later, and the proof of them."""

from contextlib import suppress
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.kit.kinds import find_kinds, find_retold
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.change import name_some, one_line
from reel_cli.core.values.talk import parse_source
from reel_cli.features.verify.command_verify import verify
from reel_cli.terminal.options import AsJson, At, DryRun, Sure

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.verify.sessions import SessionRow
    from reel_cli.terminal.open_kit import OpenKit

NARROWEST = 20
"""A title is never cut to fewer columns than this."""
RETOLD_SHOWN = 5
"""Maximum number named; more are counted."""


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = typer.Typer(
        epilog="Example:  reel tape list",
        help="Show, check, mark, correct and retract recorded chats.",
        no_args_is_help=True,
    )
    group.command("list", epilog="Example:  reel tape list")(list_sessions)
    group.command(
        "show",
        short_help="Show a recorded chat.",
        epilog="Example:  reel tape show 2026-02-10-1",
    )(show)
    group.command(
        "verify",
        short_help="Check that every recorded word is still there, unchanged.",
        epilog="Example:  reel tape verify",
    )(verify)
    group.command(
        "flag",
        short_help="Mark a moment for the next page.",
        epilog='Example:  reel tape flag "she named the boat"',
    )(flag)
    group.command(
        "correct",
        short_help="Note a correction next to what was said.",
        epilog='Example:  reel tape correct 2026-02-10-1#4 "it was the 21st"',
    )(correct)
    group.command(
        "retract",
        short_help="Take a wrong recording back, or make it count again.",
        epilog="Example:  reel tape retract 2026-02-10-1",
    )(retract)
    app.add_typer(group, name="tape")


def list_sessions(
    ctx: typer.Context,
    as_json: AsJson = False,
    at: At = None,
) -> None:
    """List the recorded sessions, oldest first."""
    from reel_cli.core.kit.glance import Glance
    from reel_cli.features.verify.sessions import list_recorded

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    found = list_recorded(opened.past or Glance(opened.snapshot.tree, opened.root.name, opened.root))
    if as_json:
        opened.console.result_json(
            [
                {
                    "session": s.id,
                    "title": s.title,
                    "messages": s.messages,
                    "source": s.source,
                    "standing": s.standing,
                    "problem": s.problem or None,
                }
                for s in found
            ]
        )
        _refuse_damaged(found)
        return
    if not found:
        opened.console.say("Nothing has been recorded yet. When a chat is over:  reel end")
        return
    opened.console.result(_table(opened, found, _tell_pages(opened)))
    _refuse_damaged(found)


def _tell_pages(opened: "OpenKit") -> "Mapping[str, str]":
    """Return words on the sessions with a short page or half of one; none for a moment of the past."""
    if opened.then is not None:
        return {}
    from reel_cli.features.page.kept_pages import short_sessions
    from reel_cli.features.page.owed_pages import half_sessions

    exchanges = opened.state.exchanges().values()
    with suppress(ReelError):
        halves = half_sessions(opened.overview, exchanges) if exchanges else {}
        told = {session: f"part of its page came, {half.told}" for session, half in halves.items()}
        return dict.fromkeys(short_sessions(opened.overview), "a short page") | told
    return {}


def _table(opened: "OpenKit", found: "Sequence[SessionRow]", pages: "Mapping[str, str]") -> str:
    """Return the list in columns; on a terminal a title is cut to the rest of the line."""
    console = opened.console
    rows = [(s.id, "?" if s.problem else f"{s.messages:,}", _called(s, pages)) for s in found]
    header = ("session", "messages", "")
    if console.out.isatty():
        from shutil import get_terminal_size

        from reel_cli.core.values.change import one_line

        taken = max(len(row[0]) for row in rows) + len(header[1]) + 4
        room = max(NARROWEST, get_terminal_size().columns - taken)
        rows = [(*row[:2], one_line(row[2], room)) for row in rows]
    return console.table(header, rows, right=(1,))


def _refuse_damaged(found: "Sequence[SessionRow]") -> None:
    """End with what is wrong with the first session that could not be read, once the rest is shown."""
    damaged = [s.problem for s in found if s.problem]
    if damaged:
        raise StateError(damaged[0], hint="to see what is wrong:  reel tape verify")


def _called(session: "SessionRow", pages: "Mapping[str, str]") -> str:
    if session.problem:
        return "(cannot be read)"
    from reel_cli.core.tape.tape_view import call

    called = call(session.title, session.opening) or session.source
    if session.id in pages:
        return f"({pages[session.id]}) {called}"
    if session.purged:
        return "(purged)"
    return called if session.standing else f"(taken back) {called}"


def show(
    ctx: typer.Context,
    session: Annotated[
        str, typer.Argument(metavar="SESSION", help="Its name in reel tape list, or words of its title.")
    ],
    numbers: Annotated[bool, typer.Option("--numbers", help="Number the messages.")] = False,
    everything: Annotated[
        bool,
        typer.Option(
            "--all", help="Also what was not said aloud: prompts, hidden reasoning, answers not chosen."
        ),
    ] = False,
    roads: Annotated[
        bool, typer.Option("--roads", help="Only what was left: other answers and other branches.")
    ] = False,
    at: At = None,
) -> None:
    """Show a session as it was last seen, what was put right in it, and what became of it."""
    from reel_cli.core.tape.erasure.purged_chats import list_purged_chats
    from reel_cli.core.tape.made_memories import read_stages, tell_stages
    from reel_cli.core.tape.tape_view import retracted
    from reel_cli.features.verify.sessions import meant_session, render_roads, render_transcript
    from reel_cli.terminal.plain_text import printable

    opened: OpenKit = ctx.obj.open_kit()
    opened.look_back(at)
    session = meant_session(opened.snapshot, session)
    if roads:
        text = render_roads(opened.snapshot, session)
        if text:
            opened.console.result(printable(text), prose=True)
        else:
            opened.console.say(f"There is no other answer or branch in {session}.")
        return
    text = render_transcript(opened.snapshot, session, numbers=numbers, everything=everything)
    if session in list_purged_chats(opened.snapshot):
        opened.console.say(f"{session} was purged: what was said is gone for good, and it does not count.")
    elif session in retracted(opened.snapshot):
        opened.console.say(f"{session} was taken back: it stays recorded, and does not count.")
    elif session in (pages := _tell_pages(opened)):
        opened.console.say(
            f"{pages[session].capitalize()}. The rest of it:  reel checkpoint --session {session}"
        )
    # a pager or a later `cat` is a terminal too; the session's own file is exact
    opened.console.result(printable(text), prose=True)
    if told := tell_stages(read_stages(opened.snapshot, session)):
        opened.console.say()
        for line in told:
            opened.console.say(line)


def flag(
    ctx: typer.Context,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="What to remember, in a few words.")],
    dry_run: DryRun = False,
) -> None:
    """Mark a moment while the chat goes on; the next checkpoint asks about it."""
    from reel_cli.features.record.plan import plan_event

    opened: OpenKit = ctx.obj.open_kit()
    change = plan_event(opened.snapshot, "flag", " ".join(text), None, opened.now())
    if dry_run:
        opened.console.result("The moment would be marked (--dry-run).")
        return
    opened.commit(change)
    opened.console.result("Marked.")
    opened.console.next_step("The next page will ask about it.")


def correct(
    ctx: typer.Context,
    about: Annotated[str, typer.Argument(metavar="SESSION[#N[-M]]", help="The chat, or the messages of it.")],
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="How it really was.")],
    dry_run: DryRun = False,
) -> None:
    """Correct what was said: both stand on the tape, and both are shown from now on."""
    from reel_cli.core.tape.tape_view import plan_correction

    opened: OpenKit = ctx.obj.open_kit()
    change = plan_correction(opened.snapshot, about, " ".join(text), opened.now())
    if change is None:
        opened.console.result(f"{about} has that note already; nothing was changed.")
        return
    if dry_run:
        opened.console.result(f"The correction would be noted at {about} (--dry-run).")
        return
    opened.commit(change)
    opened.console.result(f"Corrected at {about}. What was said stays as it was, with this note next to it.")
    session = about.partition("#")[0]
    made = [m for m in opened.snapshot.memories.values() if session in m.sessions]
    if made:
        names = ", ".join(f"{memory.id} ({memory.title})" for memory in made)
        opened.console.say(f"These were made from it; check whether they still hold: {names}")
        opened.console.next_step(f"To put one right:  reel edit {made[0].id}")
    say_facts(opened, about)
    _say_notes(opened, session)
    _say_examples(opened, about)
    say_retold(opened, [about])


def retract(
    ctx: typer.Context,
    sessions: Annotated[
        list[str],
        typer.Argument(metavar="SESSION...", help="Names in reel tape list, or words of titles."),
    ],
    undo: Annotated[bool, typer.Option("--undo", help="Let retracted chats count again.")] = False,
    why: Annotated[str, typer.Option(metavar="TEXT", help="The reason, for the record.")] = "",
    yes: Sure = False,
    dry_run: DryRun = False,
) -> None:
    """Retract wrong recordings: they stay on the tape and no longer count."""
    from reel_cli.core.shell import join
    from reel_cli.core.tape.erasure.purged_chats import list_purged_chats
    from reel_cli.core.tape.tape_view import retracted
    from reel_cli.features.forgetting.chat_traces import list_known, offer_to_let_go, say_known
    from reel_cli.features.record.plan import plan_event
    from reel_cli.features.verify.sessions import meant_sessions
    from reel_cli.terminal.console import agreed

    opened: OpenKit = ctx.obj.open_kit()
    options = [*(["--why", why] if why else []), *(["--yes"] if yes else [])]
    unseen = not (undo or dry_run) and (yes or not opened.console.interactive)
    sessions = [
        *meant_sessions(
            opened.snapshot,
            sessions,
            (lambda name: join(["reel", "tape", "retract", name, *options])) if unseen else None,
        )
    ]
    planned, changes = opened.snapshot, []
    known = list_known(planned)
    gone, purged = retracted(planned), list_purged_chats(planned)
    fresh = [one for one in dict.fromkeys(sessions) if (one in gone) is undo]
    for session in dict.fromkeys(sessions):
        if session not in fresh:
            state = "is purged" if session in purged else "is taken back already"
            state = "counts already" if undo else state
            opened.console.result(f"{session} {state}; nothing was changed.")
            continue
        change = plan_event(planned, "reinstate" if undo else "retract", why, session, opened.now())
        changes.append(change)
        planned = planned.after(change)
    if not fresh:
        return
    # nothing is lost, and one word restores it: like `undo`, this asks a person, but not a script
    asks = opened.console.interactive and not (yes or undo or dry_run)
    question = f"Take {'it' if len(fresh) == 1 else 'them'} back?"
    if asks and not agreed(opened.console, _of_what(opened, fresh), question, default=True):
        return
    if not dry_run:
        opened.commit_all(changes)
    told = _tell_planned(fresh, undo=undo) if dry_run else _tell_done(fresh, undo=undo)
    opened.console.result(opened.console.wrap(told, opened.console.out))
    say_known(opened, known, planned, fresh, dry_run=dry_run)
    if undo:
        _say_twins(opened, planned, fresh, dry_run=dry_run)
    else:
        offer_to_let_go(opened, fresh, ask=asks, dry_run=dry_run)
        _say_resting_examples(opened, planned, dry_run=dry_run)
        say_retold(opened, fresh, dry_run=dry_run)
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
    elif not undo:
        them = "it" if len(fresh) == 1 else "them"
        again = f"reel tape retract {' '.join(fresh)} --undo"
        opened.console.next_step(f"To make {them} count again:  {again}")


def _tell_planned(sessions: "Sequence[str]", *, undo: bool) -> str:
    """Return the sentence on sessions in a dry run."""
    return f"{', '.join(sessions)} would {'count again' if undo else 'be taken back'} (--dry-run)."


def _tell_done(sessions: "Sequence[str]", *, undo: bool) -> str:
    """Return the sentence on sessions that were taken back, or that count again."""
    named, one = ", ".join(sessions), len(sessions) == 1
    if undo:
        return f"{named} {'counts' if one else 'count'} again."
    are, them = ("is", "it") if one else ("are", "them")
    return f"{named} {are} taken back. Every word of {them} stays on the tape, and none of {them} counts."


def _say_twins(opened: "OpenKit", planned: "Snapshot", sessions: "Sequence[str]", *, dry_run: bool) -> None:
    """Name the sessions that have the same chat as one that counts again."""
    from reel_cli.core.tape.same_chat import find_same
    from reel_cli.core.tape.tape_view import retracted

    for session in sessions:
        for twin in set(find_same(planned, session)) - retracted(planned):
            told = f"{twin} has the same chat, so it would count twice."
            if not dry_run:
                told = f"{twin} has the same chat, so it counts twice now. To take one back:  "
                told += f"reel tape retract {twin}"
            opened.console.say(told)


def _say_resting_examples(opened: "OpenKit", planned: "Snapshot", *, dry_run: bool) -> None:
    """Name the examples that rest with what was taken back, and what to do where the anchor is one."""
    from reel_cli.core.pack.resting_parts import find_resting

    resting = find_resting(planned).examples
    titles = [f"“{one_line(one.title, 60)}”" for one in planned.exemplars.values() if one.slug in resting]
    if not titles:
        return
    told = "Examples from it, which would be" if dry_run else "Examples from it,"
    opened.console.say(f"{told} in no bundle either: {name_some(titles, RETOLD_SHOWN)}")
    if not dry_run and planned.active.anchor in resting:
        opened.console.next_step(
            "The one in every bundle is from it; take another:  reel example anchor NAME"
        )


def _of_what(opened: "OpenKit", sessions: "Sequence[str]") -> str:
    """Return the sessions as the list shows them."""
    from reel_cli.core.kit.glance import Glance
    from reel_cli.features.verify.sessions import list_recorded

    found = list_recorded(Glance(opened.snapshot.tree, opened.root.name, opened.root))
    return _table(opened, [one for one in found if one.id in sessions], {})


def say_facts(opened: "OpenKit", about: str) -> None:
    """Name the facts taken from the messages of a place (`2026-02-10-1#4`), and how to put one right."""
    from reel_cli.core.kit.known_facts import read_known
    from reel_cli.core.shell import quote

    struck = _struck(about)
    try:
        held = read_known(opened.snapshot).held
    except ReelError:
        # status tells of a file that cannot be read
        return
    found = [one for one in held if (source := parse_source(one.source)) and source.meets(struck)]
    if not found:
        return
    named = name_some([f"{one.id} ({one_line(one.value, 60)})" for one in found], RETOLD_SHOWN)
    opened.console.say(f"Known by heart from there, and still in bundles: {named}")
    kind, _, key = found[0].id.partition("/")
    opened.console.next_step(f'To put it right:  reel fact add {quote(kind)} {quote(key)} "…"')


def _say_notes(opened: "OpenKit", session: str) -> None:
    """Name what was noted on the day of a chat, and how to change it."""
    from datetime import date

    from reel_cli.core.files.working_file import NOTED, read_items, without_day
    from reel_cli.core.kit.snapshot import WORKING
    from reel_cli.core.moment import day_in_words

    day = day_in_words(date.fromisoformat(session[:10]))
    items = read_items(opened.snapshot.text(WORKING) or "")
    found = [one for one in items if (noted := NOTED.search(one.text)) and noted["day"] == day]
    if not found:
        return
    named = name_some([f"“{one_line(without_day(one.text), 60)}”" for one in found], RETOLD_SHOWN)
    opened.console.say(f"Noted on {day}, and still in bundles: {named}")
    opened.console.next_step("To change a note:  reel edit now")


def _struck(about: str) -> "Mapping[str, range]":
    """Return the messages of a place (`2026-02-10-1#4`) by its chat; all of them for a whole chat."""
    span = parse_source(about)
    if span is None:
        return {}
    return {
        span.session: range(span.first, (span.last or span.first) + 1) if span.first else range(1, 1 << 31)
    }


def _say_examples(opened: "OpenKit", about: str) -> None:
    """Name the examples in use made of the messages of a place, and how to put them away."""
    from reel_cli.core.shell import join

    struck, active = _struck(about), opened.snapshot.active
    found = [
        one
        for one in opened.snapshot.exemplars.values()
        if one.slug == active.anchor or one.slug not in active.resting
        if (source := parse_source(one.source)) and source.meets(struck)
    ]
    if not found:
        return
    named = name_some([f"“{one_line(one.title, 60)}”" for one in found], RETOLD_SHOWN)
    opened.console.say(f"Shown as it was said, as an example of how it sounds: {named}")
    if any(one.slug == active.anchor for one in found):
        opened.console.next_step(
            "The example in every bundle is from it; take another first:  reel example anchor NAME"
        )
    opened.console.next_step(
        f"To put away:  {join(['reel', 'example', 'retire', *(one.slug for one in found)])}"
    )


def say_retold(opened: "OpenKit", places: "Sequence[str]", *, dry_run: bool = False) -> None:
    """Name what tells of these sessions, or of messages of them (`2026-02-10-1#4`), and what can be done.

    A dry run is of the sessions' retraction.
    """
    from reel_cli.core.tape.tape_view import retracted

    snapshot = opened.snapshot
    again = next((kind.reread for kind in find_kinds(snapshot) if kind.reread), "")
    if not again:
        return
    struck: Mapping[str, range] = {
        span.session: range(span.first, (span.last or span.first) + 1)
        if span.first
        else range(1, len(read_session(snapshot, span.session).numbered()) + 1)
        for place in places
        if (span := parse_source(place)) is not None
    }
    # what is known by heart from there has no line: no dream corrects it, and it is named by itself
    found = [one for one in find_retold(snapshot, struck) if one.line]
    if not found:
        return
    named = name_some(
        [f"“{one_line(one.title, 60)}” ({one.path}, line {one.line})" for one in found], RETOLD_SHOWN
    )
    if dry_run:
        opened.console.say(f"Nobody would be told this part of the story until it is written again: {named}")
        return
    if retracted(snapshot).issuperset(struck):
        told = "Until it is written again, nobody is told this part of the story"
        opened.console.say(f"{told}: {named}")
        opened.console.next_step("Whether that is due:  reel status --due")
        return
    opened.console.say(f"The story still has it as it was; the next dream corrects it: {named}")
    opened.console.next_step(f"To correct the story now:  {again}")
