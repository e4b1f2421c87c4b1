"""`reel record`: put conversations on the tape."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.moment import MACHINE
from reel_cli.core.tape.format_rows import FORMATS
from reel_cli.terminal.open_kit import OpenKit
from reel_cli.terminal.options import AsJson, DryRun

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.record.choice import Choice, ConversationOffer
    from reel_cli.features.record.read_chats import ChatOutlines
    from reel_cli.features.record.record_chats import Outcome
    from reel_cli.terminal.context import Context

Format = Annotated[
    str, typer.Option("--format", metavar="NAME", help=f"auto, or what it is: {', '.join(FORMATS)}.")
]
"""The option of every command that reads a chat."""
USUAL_IDLE = 60.0
"""Seconds of quiet after which a watched chat is recorded."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("record", epilog="Example:  reel record ~/Downloads/chatgpt-export.zip --dry-run")(record)


def record(
    ctx: typer.Context,
    sources: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="SOURCE...|-", help="Chat files, folders, zip archives, app databases; - for stdin."
        ),
    ] = None,
    format: Format = "auto",  # noqa: A002
    session: Annotated[
        str | None, typer.Option(metavar="ID", help="The recorded chat that this continues.")
    ] = None,
    select: Annotated[
        str | None, typer.Option(metavar="N,N-M", help="Only these, by the numbers that --dry-run shows.")
    ] = None,
    since: Annotated[
        str | None, typer.Option(metavar="DATE", help="Only chats with messages from this day on.")
    ] = None,
    on: Annotated[str | None, typer.Option(metavar="DATE", help="Day of a chat that has no date.")] = None,
    title: Annotated[
        str | None, typer.Option(metavar="TEXT", help="Only chats with this in the title.")
    ] = None,
    squash: Annotated[bool, typer.Option("--squash", help="One commit for all, not one a chat.")] = False,
    latest: Annotated[bool, typer.Option("--latest", help="The newest chat in the apps reel knows.")] = False,
    watch: Annotated[
        bool,
        typer.Option(
            "--watch",
            help="Record as chats go on: the folder named (now or last), the usual ones, or - for pastes.",
        ),
    ] = False,
    idle: Annotated[
        float | None,
        typer.Option(
            min=0, metavar="SECONDS", help="With --watch: seconds of silence before recording. [60]"
        ),
    ] = None,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Record a chat even if it may belong to another kit.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Record conversations; what is recorded already is not added twice."""
    from reel_cli.features.record.choice import Choice, parse_numbers, parse_on, parse_since
    from reel_cli.features.record.record_chats import LeftOut

    if idle is not None and not watch:
        message = "--idle says when to record while watching."
        raise UsageError(message, hint="add --watch")
    if not (sources or latest or watch):
        message = "There is nothing named to record."
        raise UsageError(
            message, hint="name a chat:  reel record FILE  or take the newest:  reel record --latest"
        )
    opened: OpenKit = ctx.obj.open_kit()
    if not dry_run:
        opened.require_repository()
    if watch and sources and "-" in sources:
        _watch_paste(
            opened,
            sources,
            session,
            idle,
            plain=not (latest or select or since or on or title or squash or dry_run or format != "auto"),
            as_json=as_json,
        )
        return
    if watch:
        if session or select or since or on or title or squash or dry_run:
            message = "--watch records each chat as it grows; there is nothing to choose or to plan."
            raise UsageError(message, hint="leave out the other options, or record without --watch")
        from reel_cli.features.watch.watch_files import watch_chats

        quiet = USUAL_IDLE if idle is None else idle
        watch_chats(opened, sources or (), idle=quiet, format=format, present=latest, as_json=as_json)
        return
    choice = Choice(
        parse_numbers(select) if select is not None else (),
        parse_since(since, opened.zone) if since is not None else None,
        title or "",
    )
    day = parse_on(on, opened.zone or MACHINE, opened.now()) if on is not None else None
    gathered, chosen = _take(opened, sources, format, choice, latest=latest, on=day)
    try:
        if session is not None and len(chosen) > 1:
            message = f"--session names one chat, but there are {len(chosen):,} conversations here."
            raise ReelError(message, hint="choose one of them with  --select NUMBER")
        from reel_cli.features.record.other_day import leave_day
        from reel_cli.features.record.record_chats import record_chosen

        options = [*(["--format", format] if format != "auto" else []), *(["--on", on] if on else [])]
        named = ["--latest"] if latest else [*(sources or ()), *options]
        wanted, refused = chosen, dict[int, str]()
        if session is None:
            wanted, refused = _of_this_kit(opened, gathered, chosen, named, agreed=yes or dry_run)
        if not (wanted or refused):
            opened.console.say("Nothing was recorded.")
            return
        left = (
            leave_day(ctx.obj, gathered.conversation(wanted[0]), day)
            if day is not None and len(wanted) == 1 and session is None and not dry_run
            else ""
        )
        outcome = record_chosen(
            ctx.obj,
            gathered,
            wanted,
            session=session,
            # of many chats, retracted ones stay out: only a chat that is named comes back
            again=len(chosen) == 1 and not latest,
            dry_run=dry_run,
            squashed=squash,
        )
        _take_page_along(ctx.obj, left, outcome)
        if refused:
            hint = f"to record them here anyway:  {_all_the_same(named, gathered, list(refused))}"
            left_out = [item for item in chosen if item.number in refused]
            outcome.left_out += [(item, LeftOut(refused[item.number], hint)) for item in left_out]
    finally:
        gathered.close()
    _tell(opened, outcome, gathered.remarks, day, dry_run=dry_run, as_json=as_json)


def _take_page_along(context: "Context", left: str, outcome: "Outcome") -> None:
    """Let what came of a page follow its chat to another day, if it `left` one."""
    if left and outcome.recorded:
        from reel_cli.features.page.waiting_page import move_page

        move_page(context.open_kit(), left, outcome.recorded[0][1].session)


def _of_this_kit(
    opened: OpenKit,
    gathered: "ChatOutlines",
    chosen: "Sequence[ConversationOffer]",
    named: "Sequence[str]",
    *,
    agreed: bool,
) -> "tuple[Sequence[ConversationOffer], dict[int, str]]":
    """Return what to record in this kit, and of many why the others are refused, by their numbers."""
    from reel_cli.features.record.ownership import may_record, may_record_each
    from reel_cli.features.record.retracted_chat import may_record_anew

    if len(chosen) > 1 or (len(gathered.offered) == 1 and Path(chosen[0].source).is_dir()):
        return may_record_each(opened, gathered, chosen, agreed=agreed)
    talk = gathered.conversation(chosen[0])
    asked = may_record(
        opened,
        talk,
        question="Record it here anyway?",
        command=_all_the_same(named, gathered, [chosen[0].number]),
        agreed=agreed,
        named="--latest" not in named,
    )
    if asked is False or ("--latest" not in named and not may_record_anew(opened, talk, agreed=agreed)):
        return (), {}
    return chosen, {}


def _all_the_same(named: "Sequence[str]", gathered: "ChatOutlines", numbers: "Sequence[int]") -> str:
    """Return the command that records what was refused: of several conversations by their numbers."""
    from itertools import groupby

    from reel_cli.core.shell import join

    runs = (list(run) for _, run in groupby(enumerate(sorted(numbers)), lambda pair: pair[1] - pair[0]))
    parts = [f"{run[0][1]}-{run[-1][1]}" if len(run) > 1 else f"{run[0][1]}" for run in runs]
    only = ["--select", ",".join(parts)] if len(gathered.offered) > 1 and "--latest" not in named else []
    return join(["reel", "record", *named, *only, "--yes"])


def _watch_paste(
    opened: OpenKit,
    sources: "list[str]",
    session: str | None,
    idle: float | None,
    *,
    plain: bool,
    as_json: bool,
) -> None:
    """Record turns as they are pasted; UsageError if anything but a session to continue is named."""
    if len(sources) > 1 or not plain:
        message = "--watch - takes what is pasted, turn by turn; there is nothing else to name or to choose."
        raise UsageError(message, hint="of the other options, --session and --idle may stay")
    from reel_cli.features.watch.watch_paste import watch_paste

    watch_paste(opened, session=session, idle=USUAL_IDLE if idle is None else idle, as_json=as_json)


def _take(
    opened: OpenKit,
    sources: "list[str] | None",
    format: str,  # noqa: A002
    choice: "Choice",
    *,
    latest: bool,
    on: str | None,
) -> "tuple[ChatOutlines, Sequence[ConversationOffer]]":
    """Return the conversations in what was named, and the chosen ones."""
    from reel_cli.features.record.choice import choose
    from reel_cli.features.record.read_chats import gather, gather_latest

    if not latest:
        gathered = gather(opened, sources or (), format, on=on)
        try:
            return gathered, choose(gathered.offered, choice)
        except ReelError:
            gathered.close()
            raise
    if sources or choice or on is not None:
        message = "--latest takes the newest chat; there is nothing to name or to choose."
        raise UsageError(message, hint="leave out the files and the other choices")
    from reel_cli.features.record.chat_apps import in_home

    found = gather_latest(opened, format)
    opened.console.say(found.line)
    opened.console.say(f"  {in_home(found.chat.path)}")
    return found.gathered, [found.item]


def _tell(
    opened: OpenKit,
    outcome: "Outcome",
    remarks: "Sequence[str]",
    day: str | None,
    *,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Show what became of it; ReelError where some were left out."""
    from reel_cli.features.record.record_view import as_json_rows, show_outcome, show_plan, tell_day_kept

    if as_json:
        opened.console.result_json(as_json_rows(outcome, remarks))
    elif dry_run:
        show_plan(opened, outcome, remarks)
    else:
        show_outcome(opened, outcome, remarks)
    if day is not None and not as_json:
        tell_day_kept(opened, outcome.recorded, day)
    if outcome.left_out:
        count = len(outcome.recorded) + len(outcome.left_out)
        first, left = outcome.left_out[0]
        name = f"“{first.title}”" if first.title else f"number {first.number:,}"
        what = f"{len(outcome.left_out):,} of {count:,} conversations "
        would = "would be" if dry_run else "was" if len(outcome.left_out) == 1 else "were"
        message = f"{what}{would} left out; the first, {name}: {left.why}"
        raise ReelError(message, hint=left.hint)
