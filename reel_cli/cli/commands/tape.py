"""`reel tape`: the sessions as they were recorded, and what is said about them later."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.cli.options import AsJson, DryRun

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit


def register(app: typer.Typer) -> None:
    """Add the group to the app."""
    group = typer.Typer(
        epilog="Example:  reel tape list",
        help="See the recorded sessions; mark a moment; take a recording back.",
        no_args_is_help=True,
    )
    group.command("list", epilog="Example:  reel tape list")(list_sessions)
    group.command("show", epilog="Example:  reel tape show 2026-02-10-1")(show)
    group.command("flag", epilog='Example:  reel tape flag "she named the boat"')(flag)
    group.command("retract", epilog="Example:  reel tape retract 2026-02-10-1")(retract)
    app.add_typer(group, name="tape")


def list_sessions(
    ctx: typer.Context,
    as_json: AsJson = False,
) -> None:
    """List the recorded sessions, oldest first."""
    from reel_cli.flows.sessions import list_recorded  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    found = list_recorded(opened.snapshot)
    if as_json:
        opened.console.result_json(
            [
                {
                    "session": s.id,
                    "title": s.title,
                    "messages": s.messages,
                    "source": s.source,
                    "standing": s.standing,
                }
                for s in found
            ]
        )
        return
    if not found:
        opened.console.say("Nothing has been recorded yet. When a chat is over:  reel end")
        return
    rows = [
        (s.id, f"{s.messages:,}", (s.title or s.source) + ("" if s.standing else "  (taken back)"))
        for s in found
    ]
    opened.console.result(opened.console.table(("session", "messages", ""), rows, right=(1,)))


def show(
    ctx: typer.Context,
    session: Annotated[str, typer.Argument(metavar="SESSION")],
    numbers: Annotated[bool, typer.Option("--numbers", help="Number the messages.")] = False,
    everything: Annotated[
        bool,
        typer.Option("--all", help="Also what was not said: prompts, hidden reasoning, unchosen answers."),
    ] = False,
) -> None:
    """Show a session as it was last seen."""
    from reel_cli.flows.sessions import render_transcript  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    opened.note_if_without_history()
    opened.console.result(render_transcript(opened.snapshot, session, numbers=numbers, everything=everything))


def flag(
    ctx: typer.Context,
    text: Annotated[list[str], typer.Argument(metavar="TEXT...", help="What to remember, in a few words.")],
    dry_run: DryRun = False,
) -> None:
    """Mark a moment while the chat goes on; the next checkpoint asks about it."""
    from reel_cli.flows.record import plan_event  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    change = plan_event(opened.snapshot, "flag", " ".join(text), None, opened.now())
    if not dry_run:
        opened.commit(change)
    opened.console.result("Marked." if not dry_run else "It would be marked (--dry-run).")
    opened.console.next_step("The next  reel checkpoint  will ask about it.")


def retract(
    ctx: typer.Context,
    session: Annotated[str, typer.Argument(metavar="SESSION")],
    undo: Annotated[
        bool, typer.Option("--undo", help="Let a session that was taken back stand again.")
    ] = False,
    why: Annotated[str, typer.Option(metavar="TEXT", help="Why, for the record.")] = "",
    dry_run: DryRun = False,
) -> None:
    """Take a wrong recording back: it stays on the tape and no longer counts."""
    from reel_cli.flows.record import plan_event  # noqa: PLC0415
    from reel_cli.flows.tape_view import retracted  # noqa: PLC0415

    opened: OpenKit = ctx.obj.open_kit()
    if (session in retracted(opened.snapshot)) is not undo:
        state = "is taken back already" if not undo else "stands already"
        opened.console.result(f"{session} {state}; nothing was changed.")
        return
    change = plan_event(opened.snapshot, "reinstate" if undo else "retract", why, session, opened.now())
    if not dry_run:
        opened.commit(change)
    done = (
        "stands again" if undo else "is taken back. Every word of it stays on the tape, and none of it counts"
    )
    opened.console.result(f"{session} {done}." if not dry_run else f"{session} would change (--dry-run).")
    made = [m for m in opened.snapshot.memories.values() if session in m.sessions]
    if made and not undo:
        names = ", ".join(f"{memory.id} ({memory.title})" for memory in made)
        opened.console.say(f"What was made of it is still remembered: {names}")
    if not undo:
        opened.console.next_step(f"To let it stand again:  reel tape retract {session} --undo")
