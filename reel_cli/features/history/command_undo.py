"""`reel undo`: take back reel's last change."""

from typing import TYPE_CHECKING

import typer

from reel_cli.terminal.options import DryRun, Sure

if TYPE_CHECKING:
    from collections.abc import Callable

    from reel_cli.features.history.undo import ChatStaysError, Undo
    from reel_cli.features.history.undo_edit import FileStep
    from reel_cli.features.history.undo_note import NoteUndo
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit


UNDONE_BY = "reel redo"
"""The command that does again what `reel undo` took back."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("undo", epilog="Example:  reel undo --dry-run")(undo)


def undo(
    ctx: typer.Context,
    yes: Sure = False,
    dry_run: DryRun = False,
) -> None:
    """Take back the last change; asked again, the one before it."""
    from reel_cli.features.history.undo import undo_last
    from reel_cli.features.history.undo_edit import plan_edit_undo
    from reel_cli.features.history.undo_note import plan_note_undo

    carry_out(
        ctx.obj,
        lambda opened: plan_edit_undo(opened) or plan_note_undo(opened),
        lambda opened: undo_last(opened.require_repository(), opened.snapshot),
        ("Take back", "Took back", UNDONE_BY, "The last change", "Take it back?"),
        yes=yes,
        dry_run=dry_run,
    )


def carry_out(
    context: "Context",
    plan_edit: "Callable[[OpenKit], FileStep | NoteUndo | None]",
    plan: "Callable[[OpenKit], Undo]",
    words: tuple[str, str, str, str, str],
    *,
    yes: bool,
    dry_run: bool,
) -> None:
    """Plan one step back or forth, ask, commit it and say what it did.

    `plan_edit` returns the step of a person's own edit, or of what they noted of a chat, where that is the
    next one. `words` are those of the step, of the answer, the command that goes the other way, what the
    step is called before it is asked about, and the question.
    """
    from reel_cli.core.change.preflight import require_branch
    from reel_cli.features.history.undo import ChatStaysError, Undo
    from reel_cli.features.history.undo_edit import FileStep, tell_waiting_edits

    step_words, done, other_way, called, question = words
    # the next command records a chat that was killed; that change is not the one to undo
    context.takes_up = False
    opened = context.open_kit()
    # a file in conflict would otherwise count as changed since
    require_branch(opened.require_repository())
    step: FileStep | NoteUndo | Undo
    try:
        step = plan_edit(opened) or plan(opened)
        is_edit = isinstance(step, FileStep)
        waiting = "" if is_edit or other_way != UNDONE_BY else tell_waiting_edits(opened)
    except ChatStaysError as error:
        if waiting := tell_waiting_edits(opened):
            opened.console.say(waiting)
        # of a chat that only went on, more would go than the last change
        if dry_run or (yes and error.grew) or not (yes or opened.console.interactive):
            raise
        _take_chat_back(opened, error, agreed=yes)
        return
    if waiting:
        opened.console.say(waiting)
    if dry_run:
        opened.console.result(f"This would {step_words.lower()}: {step.what}")
    else:
        asks = opened.console.interactive and not yes
        if asks:
            opened.console.say(f"{called}: {step.what}")
            if not opened.console.confirm(question):
                opened.console.say("Nothing was changed.")
                return
        _write(opened, step, undo=other_way == UNDONE_BY)
        opened.console.result(opened.console.wrap(f"{done}: {step.what}", opened.console.out))
    for line in step.told():
        opened.console.say(line)
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
    else:
        own_way = "" if isinstance(step, Undo) else step.other_way
        opened.console.next_step(f"Nothing is lost; the other way:  {own_way or other_way}")


def _write(opened: "OpenKit", step: "FileStep | NoteUndo | Undo", *, undo: bool) -> None:
    """Carry out the step: a commit, or a file as it was."""
    from reel_cli.features.history.undo_edit import FileStep, carry_out_file

    if isinstance(step, FileStep):
        carry_out_file(opened, step, undo=undo)
        return
    opened.commit(step.change)


def _take_chat_back(opened: "OpenKit", error: "ChatStaysError", *, agreed: bool) -> None:
    """Ask whether a recorded chat shall not count any more, unless that is `agreed`; every word stays."""
    from reel_cli.features.forgetting.chat_traces import offer_to_let_go
    from reel_cli.features.record.plan import plan_event

    console = opened.console
    console.say(console.wrap(error.message, console.err))
    made = [memory for memory in opened.snapshot.memories.values() if error.session in memory.sessions]
    if made:
        names = ", ".join(f"{memory.id} ({memory.title})" for memory in made)
        told = f"What was made from it stays remembered even if you set it aside: {names}"
        console.say(console.wrap(told, console.err))
    question = "Set that chat aside, so that it does not count?"
    if error.grew:
        question = "Set that whole chat aside, so that none of it counts?"
    if not (agreed or console.confirm(question, default=False)):
        console.say("Nothing was changed.")
        console.next_step(f"If it should not count after all:  reel tape retract {error.session}")
        return
    opened.commit(plan_event(opened.snapshot, "retract", "", error.session, opened.now()))
    console.result("Set aside: the chat does not count any more, and every word of it is kept.")
    # letting go of what was made from the chat is a change of its own, at which a redo stops
    let_go = offer_to_let_go(opened, [error.session], ask=not agreed)
    other_way = f"reel tape retract {error.session} --undo" if let_go else UNDONE_BY
    console.next_step(f"Nothing is lost; the other way:  {other_way}")
