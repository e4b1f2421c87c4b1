"""`reel doctor`: one look at everything that can be wrong, and what can be mended at once."""

from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ExitCode, ReelError, UsageError
from reel_cli.core.finding import FALSE_MEMORY, INTEGRITY, KINDS, Finding
from reel_cli.core.ports import bring
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from reel_cli.features.doctor.survey import Checkup
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("doctor", cls=ExchangeCommand, epilog="Example:  reel doctor")(doctor)


def doctor(
    ctx: typer.Context,
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="[M-004]...", help="With --ask: these memories instead."),
    ] = None,
    ask: Annotated[
        bool,
        typer.Option(
            "--ask", help="Ask the persona to check memories, doubtful or newest, by what was said."
        ),
    ] = False,
    guard: Annotated[
        str | None,
        typer.Option(metavar="on|off", help="Whether git refuses commits that alter the past."),
    ] = None,
    fix: Annotated[
        bool, typer.Option("--fix", "--mend", help="Fix what needs no decision of yours, then look.")
    ] = False,
    only: Annotated[
        list[str] | None,
        typer.Option(metavar="KIND", help=f"Only look for this: {', '.join(KINDS)}. May be repeated."),
    ] = None,
    right: Annotated[
        list[str] | None,
        typer.Option(
            metavar="M-004[:LINE]",
            help="Confirm what is doubted in this memory; the doubt does not come back.",
        ),
    ] = None,
    explain: Annotated[bool, typer.Option("--explain", help="Also list what cannot be checked.")] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Also read the whole repository and the tape's history.")
    ] = False,
    report: Annotated[
        bool,
        typer.Option("--report", help="Show versions and counts for a bug report; no word of any chat."),
    ] = False,
    prompt: Prompt = False,
    reply: Reply = None,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Find what is wrong with the kit or its memories, with what to do.

    Exits with 1 when there is a problem.
    """
    from reel_cli.features.doctor.survey import examine

    if guard not in (None, "on", "off"):
        message = f"--guard is on or off, not {guard!r}."
        raise UsageError(message)
    kinds = _kinds(only or [])
    _require_only_look(others=report and (ask or fix or as_json or bool(right) or guard is not None))
    if ask:
        _require_only_ask(others=fix or deep or bool(only) or guard is not None)
        from reel_cli.features.doctor.ask_walk import ask_own_words

        if not ask_own_words(
            ctx.obj.open_kit(), names or [], prompt=prompt, reply=reply, dry_run=dry_run, as_json=as_json
        ):
            raise typer.Exit(int(ExitCode.MENDABLE))
        return
    if names or prompt or reply is not None:
        message = "Memories, --prompt and --reply go with --ask."
        raise UsageError(message, hint="reel doctor --ask M-001")
    opened = _open(ctx.obj, fix=fix, dry_run=dry_run)
    if right or guard is not None:
        if right:
            _settle_right(opened, right, dry_run=dry_run)
        else:
            if fix:
                _mend(opened, dry_run=dry_run)
            _set_guard(opened, on=guard == "on", as_json=as_json)
        return
    if fix:
        if any(join(opened, dry_run=dry_run) for join in bring("joins")):
            opened = ctx.obj.open_kit(joining=True, reading=True)
        _mend(opened, dry_run=dry_run)
        opened = ctx.obj.open_kit(joining=True, reading=True)
    memories = len(opened.snapshot.list("ring3"))
    with opened.console.progress("Comparing memories with what was said", memories) as advance:
        found = examine(
            opened.snapshot,
            opened.root,
            opened.repository,
            now=opened.context.now(),
            shown=opened.root.name,
            deep=deep,
            kinds=kinds,
            advance=advance,
        )
    found = replace(found, findings=[*found.findings, *_hints(opened, kinds, explain=explain)])
    _note_tape(opened, found, whole=deep and INTEGRITY in kinds)
    if report:
        from reel_cli.features.doctor.report import show_report

        show_report(opened, found)
        return
    _show(opened, found, kinds, as_json=as_json)
    if not found.well:
        raise typer.Exit(int(ExitCode.MENDABLE))


def _show(opened: "OpenKit", found: "Checkup", kinds: tuple[str, ...], *, as_json: bool) -> None:
    from reel_cli.features.doctor.view import as_json_value, show_checkup

    if as_json:
        opened.console.result_json(as_json_value(found))
        return
    show_checkup(opened, found, kinds)
    _offer(opened)


def _offer(opened: "OpenKit") -> None:
    """Offer a person at the terminal to decide on what was found, where a decision can be carried out."""
    console = opened.console
    if opened.repository is None or opened.unfinished is not None or opened.context.half_done is not None:
        return
    if console.interactive and console.out.isatty():
        from reel_cli.terminal.decisions.findings_walk import offer_findings

        offer_findings(opened)


def _settle_right(opened: "OpenKit", places: list[str], *, dry_run: bool) -> None:
    """Keep a person's word that what is doubted of some memories is right."""
    from reel_cli.features.doctor.settle import plan_right, require_doubts

    opened.require_memories()
    day = opened.now().date().isoformat()
    change = require_doubts(plan_right(opened.snapshot, places, day), places)
    for doubt in change.notes:
        opened.console.say(f"Settled as right: {doubt}")
    if dry_run:
        opened.console.say("Nothing was changed (--dry-run).")
        return
    opened.commit(change)
    opened.console.result("This doubt is not raised again.")


def _hints(opened: "OpenKit", kinds: tuple[str, ...], *, explain: bool) -> list[Finding]:
    """Return what is owed, and with `explain` what nobody can tell of the memories."""
    from reel_cli.core.evidence.memory_check import find_unclear
    from reel_cli.terminal.kit_warnings import list_owed

    found: list[Finding] = []
    if INTEGRITY in kinds:
        found += [Finding(one.kind, one.text, one.mend, hint_only=True) for one in list_owed(opened)]
    if explain and FALSE_MEMORY in kinds:
        # what cannot be read is reported by a check of its own
        with suppress(ReelError):
            found += find_unclear(opened.snapshot)
    return found


def _require_only_look(*, others: bool) -> None:
    """Refuse --report together with options that change or ask something."""
    if others:
        message = "--report only looks; it goes with --deep and --only."
        raise UsageError(message, hint="reel doctor --report")


def _require_only_ask(*, others: bool) -> None:
    """Refuse --ask together with options that are not about single memories."""
    if others:
        message = "--ask is for single memories and does not go with --fix, --deep, --only or --guard."
        raise UsageError(message)


def _note_tape(opened: "OpenKit", found: "Checkup", *, whole: bool) -> None:
    """Store how the tape was found, for the pulse; success counts only if the whole tape was checked."""
    from reel_cli.core.git.last_proof import note_verified
    from reel_cli.core.moment import stamp

    broken = sum(one.check == "tape" and not one.hint_only for one in found.findings)
    if broken:
        from reel_cli.terminal.kit_warnings import note_altered

        note_altered(opened)
    if broken or (whole and found.well):
        note_verified(opened.state, stamp(opened.context.now()), broken)


def _kinds(only: list[str]) -> tuple[str, ...]:
    """Return the kinds that are asked for; raises UsageError for an unknown one."""
    for one in only:
        if one not in KINDS:
            message = f"--only {one!r} is not a kind of problem."
            raise UsageError(message, hint=f"one of {', '.join(KINDS)}")
    return tuple(kind for kind in KINDS if kind in only) or KINDS


def _set_guard(opened: "OpenKit", *, on: bool, as_json: bool) -> None:
    from reel_cli.core.git.guard import CALL, install_guard, look_at_guard, remove_guard

    repository = opened.require_repository()
    console = opened.console
    if on:
        now = install_guard(repository)
        if not now.on:
            where = f"in {now.elsewhere}" if now.elsewhere is not None else f"in {now.folder / 'pre-commit'}"
            if not as_json:
                console.result("The guard is written next to your own git hook, which is not changed.")
                console.say(f"To make your hook call it, add this line to {where}:")
                console.say(f"  {CALL}")
        elif not as_json:
            console.result(
                "The guard is on: a plain git commit can add to the recorded chats, and cannot alter them."
            )
    else:
        gone = remove_guard(repository)
        now = look_at_guard(repository)
        if not as_json:
            console.result(
                "The guard is off. To prove the recorded chats at any time:  reel tape verify"
                if gone
                else "The guard was off already; nothing was changed."
            )
    if as_json:
        console.result_json({"guard": "on" if now.on else "off"})


def _mend(opened: "OpenKit", *, dry_run: bool) -> None:
    """Mend what needs nobody's word, and say what was done, or would be."""
    import os

    from reel_cli.core.files.private import OTHERS
    from reel_cli.core.kit.checkup import MendScope, plan_mends

    console = opened.console
    mode = opened.root.stat().st_mode
    if os.name != "nt" and mode & OTHERS:
        if not dry_run:
            opened.root.chmod(mode & ~OTHERS & 0o7777)
        console.say(
            "Only you could open the kit's folder then."
            if dry_run
            else "Only you can open the kit's folder now."
        )
    _clear_away(opened, dry_run=dry_run)
    for change in plan_mends(lambda: MendScope(opened.snapshot, opened.repository, opened.now())):
        if dry_run:
            console.say(f"Would do: {change.told}")
        else:
            opened.commit(change)
            console.say(f"Done: {change.told}")
    if dry_run:
        console.say("Nothing was changed (--dry-run).")


def _open(context: "Context", *, fix: bool, dry_run: bool) -> "OpenKit":
    """Open the kit; with `fix`, once git can read its own files in it."""
    if fix and not dry_run:
        _mend_head(context)
    opened = context.open_kit(joining=True, reading=True)
    if fix and _mend_git(opened, dry_run=dry_run):
        return context.open_kit(joining=True, reading=True)
    return opened


def _mend_head(context: "Context") -> None:
    """Write a damaged HEAD of git's anew; without it the kit cannot be opened."""
    from reel_cli.core.git.repair import mend_head

    branch = mend_head(context.kit_root().resolve())
    if branch:
        context.console.say(f"Wrote git's HEAD anew: this kit is on the branch {branch} again.")


def _mend_git(opened: "OpenKit", *, dry_run: bool) -> bool:
    """Remove git's old locks and make a damaged index anew; return whether anything was done."""
    from reel_cli.core.git.repair import find_index_damage, renew_index

    dropped = not dry_run and _drop_locks(opened)
    damage = None
    # a git that is missing or cannot answer is a finding of its own
    with suppress(ReelError):
        damage = find_index_damage(opened.repository) if opened.repository is not None else None
    if opened.repository is None or damage is None:
        return dropped
    if dry_run:
        opened.console.say("Would make git's index anew; it is damaged.")
        return False
    renew_index(opened.repository)
    opened.console.say("Made git's index anew; it was damaged. Your files are as they were.")
    return True


def _drop_locks(opened: "OpenKit") -> bool:
    """Delete git's old locks that nobody holds, and say which; return whether there were any."""
    import time

    from reel_cli.core.git.locks import drop_old_locks

    if opened.repository is None:
        return False
    gone = drop_old_locks(opened.repository, time.time())
    for path in gone:
        opened.console.say(f"Removed {path}, left by a git command that was stopped.")
    return bool(gone)


def _clear_away(opened: "OpenKit", *, dry_run: bool) -> None:
    """Remove what stopped commands left, and caches that are damaged."""
    from reel_cli.features.doctor.leftovers import (
        drop_cache,
        find_git_leftovers,
        find_leftovers,
        is_sound,
        list_caches,
    )

    console = opened.console
    left = find_leftovers(opened.root, opened.context.now())
    for path in () if dry_run else left:
        path.unlink(missing_ok=True)
    if left:
        console.say(
            f"{'Would remove' if dry_run else 'Removed'} {len(left):,} files of a command that was stopped."
        )
    repository = opened.repository
    half = find_git_leftovers(repository.common_dir, opened.context.now()) if repository is not None else ()
    for path in () if dry_run else half:
        path.unlink(missing_ok=True)
    if half:
        done = "Would remove" if dry_run else "Removed"
        console.say(f"{done} {len(half):,} half-written files of a git command that was stopped.")
    for cache in list_caches(opened.root):
        if not is_sound(cache):
            if not dry_run:
                drop_cache(cache)
            name = cache.relative_to(opened.root).as_posix()
            done = "Would remove" if dry_run else "Removed"
            console.say(f"{done} {name}; reel makes it again when it is needed.")
