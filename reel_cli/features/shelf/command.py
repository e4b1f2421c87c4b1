"""`reel shelf`: the files the persona is working with."""

from typing import TYPE_CHECKING, Annotated, Any

import typer

from reel_cli.core.values.change import name_some
from reel_cli.features.shelf.advice.command import advise
from reel_cli.features.shelf.collecting.command import gc, postmortem
from reel_cli.features.shelf.summaries.command import summarize
from reel_cli.terminal.options import AsJson, At, DryRun, Sure, Why
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.features.shelf.plan_add import AddedFile, AddPlan
    from reel_cli.features.shelf.plan_drop import DropPlan
    from reel_cli.features.shelf.sources import SkippedFile
    from reel_cli.terminal.open_kit import OpenKit

Given = Annotated[list[str], typer.Argument(metavar="FILE...", help="Files, or folders with all in them.")]
Files = Annotated[
    list[str],
    typer.Argument(metavar="FILE...", help="By name, as  reel shelf list  has it; or a folder."),
]
SHOWN = 12
"""Maximum number of files named one by one; more are counted."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    shelf = typer.Typer(
        epilog="Example:  reel shelf add draft.md notes/",
        help="The files the persona is working with: drafts, notes, logs.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    for name, command, example in (
        ("add", add, "add draft.md notes/"),
        ("list", list_, "list"),
        ("show", show, "show draft.md"),
        ("pin", pin, "pin draft.md"),
        ("unpin", unpin, "unpin draft.md"),
        ("advise", advise, "advise --reply answer.txt"),
        ("summarize", summarize, "summarize notes.md --style decision"),
        ("gc", gc, "gc --dry-run"),
        ("postmortem", postmortem, "postmortem attempt-1.md --from lessons.md"),
        ("drop", drop, 'drop draft.md --why "it is printed"'),
    ):
        kind = ExchangeCommand if name in ("advise", "summarize") else None
        shelf.command(name, cls=kind, epilog=f"Example:  reel shelf {example}")(command)
    app.add_typer(shelf, name="shelf")


def add(
    ctx: typer.Context,
    files: Given,
    watch: Annotated[
        bool, typer.Option("--watch", help="Leave the files where they are, and read them from there.")
    ] = False,
    called: Annotated[
        str, typer.Option("--as", metavar="NAME", help="What it is called on the shelf: notes/plan.md.")
    ] = "",
    pin: Annotated[
        bool, typer.Option("--pin", help="Pin them: they stay, and are packed, until you unpin them.")
    ] = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Put files on the shelf. They are copied into the kit, or watched where they are.

    The next bundle has them, as far as there is room. Adding a file again makes a new version of it.
    """
    from reel_cli.features.shelf.plan_add import plan_add
    from reel_cli.features.shelf.sources import gather_sources

    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    console = opened.console
    found = gather_sources(opened.root, files, watch=watch, called=called)
    _say_passed(opened, found.passed)
    planned = plan_add(opened.snapshot, found.brought, pin=pin, now=opened.now())
    commit = None
    if planned.change is not None and not dry_run:
        commit = opened.commit(planned.change).commit
    if watch and not dry_run:
        opened.state.allow_watched(one.watched.path for one in found.brought if one.watched is not None)
    if as_json:
        console.result_json(_added_json(planned, found.passed, commit))
        return
    _tell_added(opened, planned)
    if dry_run:
        console.say("Nothing was changed (--dry-run).")
    elif commit is not None:
        console.next_step("The next bundle has it if there is room:  reel pack --explain")


def _say_passed(opened: "OpenKit", passed: "list[SkippedFile]") -> None:
    console = opened.console
    for one in passed[:SHOWN]:
        console.say(console.wrap(f"Passed over: {one.shown} {one.why}.", console.err, hang="  "))
    if len(passed) > SHOWN:
        console.say(f"Passed over: {len(passed) - SHOWN:,} more like that.")


def _tell_added(opened: "OpenKit", planned: "AddPlan") -> None:
    console = opened.console
    if planned.change is None:
        one = len(planned.items) == 1
        told = (
            f"{planned.items[0].file.name} is on the shelf already"
            if one
            else "All of them are there already"
        )
        console.say(f"{told}, just as {'it is' if one else 'they are'}.")
        return
    for item in planned.items[:SHOWN]:
        console.result(console.wrap(_added_line(item), console.out, hang="  "))
    if len(planned.items) > SHOWN:
        console.result(f"And {len(planned.items) - SHOWN:,} more.")


def _added_line(item: "AddedFile") -> str:
    from reel_cli.features.shelf.plan_add import NEW, NOTED, SAME, VERSION
    from reel_cli.features.shelf.view import size_in_words

    file = item.file
    size = size_in_words(item.size)
    before = f", {size_in_words(item.before)} before" if item.before is not None else ""
    how = f"watched at {file.watched.path}" if file.watched is not None else ""
    told = {
        NEW: f"{file.name}: {how or 'on the shelf'}, {size}",
        VERSION: f"{file.name}: a new version, {size}{before}",
        SAME: f"{file.name}: there already, as it is",
        NOTED: f"{file.name}: has its page now, {size}",
    }[item.became]
    renamed = f" (from {item.shown})" if item.renamed else ""
    return f"{told}{', pinned' if file.pin else ''}{renamed}."


def _added_json(planned: "AddPlan", passed: "list[SkippedFile]", commit: str | None) -> dict[str, Any]:
    return {
        "commit": commit,
        "added": [
            {
                "path": item.file.path,
                "became": item.became,
                "size": item.size,
                "source": item.shown,
                "watched": item.file.watched is not None,
                "pin": item.file.pin,
            }
            for item in planned.items
        ],
        "passed": [{"path": one.shown, "why": one.why} for one in passed],
    }


def list_(ctx: typer.Context, at: At = None, as_json: AsJson = False) -> None:
    """List what is on the shelf, the hottest first."""
    from reel_cli.features.shelf.survey import stand_all
    from reel_cli.features.shelf.view import as_json as file_json
    from reel_cli.features.shelf.view import show_list

    opened: OpenKit = ctx.obj.open_kit()
    then = opened.look_back(at)
    kit = opened.root if then is None else None
    standing = stand_all(opened.overview, kit=kit, pending=opened.state.pending_touches() if kit else ())
    if kit is not None:
        from reel_cli.features.shelf.note import forget_note

        # packing must notice what was just found
        forget_note(kit)
    if as_json:
        opened.console.result_json([file_json(one) for one in standing])
        return
    show_list(opened, standing)
    if kit is not None and standing:
        _suggest(opened)


def _suggest(opened: "OpenKit") -> None:
    """Suggest one summary for several files."""
    from reel_cli.features.shelf.summaries.due import summarize_command, wanted_now

    several = max(wanted_now(opened.root).several, key=len, default=())
    if several:
        told = f"{len(several):,} files have similar names; one summary could stand for them"
        opened.console.next_step(f"{told}:  {summarize_command(several)}")


def show(ctx: typer.Context, files: Files, at: At = None, as_json: AsJson = False) -> None:
    """Show a file's page, how hot it is and why."""
    from reel_cli.core.rings.read_memory import touch
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.advice.files import hot_paths
    from reel_cli.features.shelf.shelf_file import ledger_name
    from reel_cli.features.shelf.survey import find_files, stand, tokens_of
    from reel_cli.features.shelf.view import as_json as file_json
    from reel_cli.features.shelf.view import show_one

    opened: OpenKit = ctx.obj.open_kit()
    then = opened.look_back(at)
    snapshot = opened.snapshot
    kit = opened.root if then is None else None
    pending = opened.state.pending_touches() if then is None else ()
    found = find_files(snapshot, files, kit)
    standing = stand(snapshot, found, kit=kit, hot=hot_paths(snapshot), pending=pending)
    counter = get_tokenizer(snapshot.settings.tokenizer)
    counts = [tokens_of(snapshot, one, counter) for one in standing]
    if then is None:
        opened.state.note_line(
            touch(snapshot, " ".join(ledger_name(one.path) for one in found), opened.now())
        )
    if as_json:
        told = [{**file_json(one), "tokens": tokens} for one, tokens in zip(standing, counts, strict=True)]
        opened.console.result_json({**told[0], **opened.told_then()} if len(told) == 1 else told)
        return
    for place, (one, tokens) in enumerate(zip(standing, counts, strict=True)):
        if place:
            opened.console.result("")
        show_one(opened, one, tokens)


def pin(ctx: typer.Context, files: Files, as_json: AsJson = False) -> None:
    """Pin files, so that they are never put away. They come along in every bundle while there is room."""
    _pin(ctx.obj.open_kit(), files, pin=True, as_json=as_json)


def unpin(ctx: typer.Context, files: Files, as_json: AsJson = False) -> None:
    """Unpin files."""
    _pin(ctx.obj.open_kit(), files, pin=False, as_json=as_json)


def _pin(opened: "OpenKit", files: list[str], *, pin: bool, as_json: bool) -> None:
    from reel_cli.features.shelf.survey import plan_pin
    from reel_cli.terminal.change_report import report_commit

    opened.require_repository()
    console = opened.console
    change, fresh = plan_pin(opened.snapshot, files, pin=pin, kit=opened.root, now=opened.now())
    commit = opened.commit(change).commit if change is not None else None
    done = "pinned" if pin else "unpinned"
    if as_json:
        console.result_json({"commit": commit, done: [file.path for file in fresh]})
    elif commit is None:
        console.say(f"{'It is' if len(files) == 1 else 'They are'} {done} already.")
    else:
        names = name_some([file.name for file in fresh], SHOWN)
        report_commit(console, commit, f"{done.capitalize()}: {names}")


def drop(
    ctx: typer.Context,
    files: Files,
    why: Why = "",
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Take files off the shelf. A watched file itself is not touched, and reel restore brings all back."""
    from reel_cli.core.rings.pins import require_reason
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.plan_drop import plan_drop
    from reel_cli.terminal.change_report import preview_change, report_commit
    from reel_cli.terminal.console import agreed

    opened: OpenKit = ctx.obj.open_kit()
    console = opened.console
    repository = opened.require_repository()
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)
    reason = require_reason(why)
    planned = plan_drop(opened.snapshot, repository, counter, files, why=reason, kit=opened.root)
    if dry_run:
        preview_change(console, _to_drop(opened, planned), _dropped_json(planned, None) if as_json else None)
        return
    question = "Take it off?" if len(planned.files) == 1 else "Take them off?"
    if not yes and not agreed(console, _to_drop(opened, planned), question, "leave the shelf"):
        return
    commit = opened.commit(planned.change).commit
    if as_json:
        console.result_json(_dropped_json(planned, commit))
        return
    told = planned.files[0].name if len(planned.files) == 1 else f"{len(planned.files):,} files"
    report_commit(console, commit, f"Off the shelf: {told}")
    from reel_cli.core.shell import quote

    console.next_step(f"To bring it back:  reel restore {quote(planned.files[0].path)}")


def _to_drop(opened: "OpenKit", planned: "DropPlan") -> str:
    console = opened.console
    lines = []
    for file, loss in zip(planned.files[:SHOWN], planned.losses, strict=False):
        size = f"{loss.tokens_before:,} tokens" if loss.tokens_before else "not text"
        told = "watched; the file itself is not touched" if file.watched is not None else size
        lines.append(console.wrap(f"{file.name}  ({told})", console.err, hang="    "))
    if len(planned.files) > SHOWN:
        lines.append(f"and {len(planned.files) - SHOWN:,} more")
    return "\n".join(lines)


def _dropped_json(planned: "DropPlan", commit: str | None) -> dict[str, Any]:
    from reel_cli.features.history.log import loss_as_json

    return {"commit": commit, "forgot": [loss_as_json(loss) for loss in planned.losses]}
