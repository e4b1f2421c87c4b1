"""`reel doctor`: one look at everything that can be wrong, and what can be mended at once."""

from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.cli.joining import join_machines
from reel_cli.cli.options import AsJson
from reel_cli.errors import ExitCode, UsageError
from reel_cli.model.finding import FALSE_MEMORY

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.doctor import Checkup
    from reel_cli.model.change import Change


MOST_SHOWN = 5
"""So many doubtful details of memories are told one by one."""


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("doctor", epilog="Example:  reel doctor")(doctor)


def doctor(
    ctx: typer.Context,
    guard: Annotated[
        str | None,
        typer.Option(metavar="on|off", help="Let git refuse commits that alter the past, or not."),
    ] = None,
    mend: Annotated[bool, typer.Option("--mend", help="Mend what can be mended without you.")] = False,
    deep: Annotated[
        bool, typer.Option("--deep", help="Read all of the repository and all of the tape's history too.")
    ] = False,
    as_json: AsJson = False,
) -> None:
    """Look at everything that can be wrong with the kit, each with its mend."""
    from reel_cli.flows.doctor import examine  # noqa: PLC0415

    if guard not in (None, "on", "off"):
        message = f"--guard is on or off, not {guard!r}."
        raise UsageError(message)
    opened: OpenKit = ctx.obj.open_kit(joining=True)
    if guard is not None:
        _set_guard(opened, on=guard == "on", as_json=as_json)
        return
    if mend:
        join_machines(opened)
        _mend(opened)
        opened = ctx.obj.open_kit(joining=True)
    found = examine(
        opened.snapshot,
        opened.root,
        opened.repository,
        now=opened.context.now(),
        shown=opened.root.name,
        deep=deep,
    )
    if as_json:
        opened.console.result_json(
            {
                "well": found.well,
                "git": found.git or None,
                "guard": found.guard,
                "findings": [
                    {
                        "kind": one.kind,
                        "severity": one.severity,
                        "where": one.where or None,
                        "evidence": one.what,
                        "mend": one.mend or None,
                        "check": one.check,
                    }
                    for one in found.findings
                ],
            }
        )
    else:
        _show(opened, found)
    if not found.well:
        raise typer.Exit(int(ExitCode.MENDABLE))


def _show(opened: "OpenKit", found: "Checkup") -> None:
    console = opened.console
    wrong = [one for one in found.findings if not one.hint_only]
    if wrong:
        things = "One thing wants" if len(wrong) == 1 else f"{len(wrong):,} things want"
        console.result(f"{things} mending:")
    else:
        guarded = {"on": ", the guard is on", "off": ", the guard is off"}.get(found.guard, "")
        console.result(f"All is well: git {found.git}{guarded}.")
    false = [one for one in found.findings if one.hint_only and one.kind == FALSE_MEMORY]
    beyond = false[MOST_SHOWN:]
    for one in found.findings:
        if one in beyond:
            continue
        if one.hint_only and one is next(f for f in found.findings if f.hint_only):
            console.result("\nWorth knowing:")
        names_a_file = {".", "/"}.intersection(one.what.partition(" ")[0])
        told = one.what if names_a_file else one.what[:1].upper() + one.what[1:]
        console.result(console.wrap(f"{told}.", console.out, "  ", "  "))
        if one.mend:
            console.result(console.wrap(one.mend, console.out, "    ", "  "))
    if beyond:
        what = f"{len(beyond):,} more places where a memory says what its stretch of tape does not."
        console.result(console.wrap(what, console.out, "  ", "  "))
        console.result("    reel doctor --json  lists them")


def _set_guard(opened: "OpenKit", *, on: bool, as_json: bool) -> None:
    from reel_cli.kit.guard import CALL, install_guard, look_at_guard, remove_guard  # noqa: PLC0415

    repository = opened.require_repository()
    console = opened.console
    if on:
        now = install_guard(repository)
        if not now.on:
            where = f"in {now.elsewhere}" if now.elsewhere is not None else f"in {now.folder / 'pre-commit'}"
            if not as_json:
                console.result("The guard is laid beside your own hook, which stays as it is.")
                console.say(f"To have it called, write this line into the hook {where}:")
                console.say(f"  {CALL}")
        elif not as_json:
            console.result("The guard is on: a plain git commit can add to the past, and not alter it.")
    else:
        gone = remove_guard(repository)
        now = look_at_guard(repository)
        if not as_json:
            console.result(
                "The guard is off. What is on the tape is still proven by  reel tape verify"
                if gone
                else "The guard was off already; nothing was changed."
            )
    if as_json:
        console.result_json({"guard": "on" if now.on else "off"})


def _mend(opened: "OpenKit") -> None:
    """Mend what needs nobody's word, and say what was done."""
    import os  # noqa: PLC0415

    from reel_cli.flows.doctor_mend import plan_joining  # noqa: PLC0415
    from reel_cli.flows.lost_sessions import plan_bringing_back  # noqa: PLC0415
    from reel_cli.kit.leftovers import (  # noqa: PLC0415
        drop_cache,
        find_git_leftovers,
        find_leftovers,
        is_sound,
        list_caches,
    )
    from reel_cli.kit.private import OTHERS  # noqa: PLC0415

    console = opened.console
    mode = opened.root.stat().st_mode
    if os.name != "nt" and mode & OTHERS:
        opened.root.chmod(mode & ~OTHERS & 0o7777)
        console.say("The kit's folder is yours alone now.")
    left = find_leftovers(opened.root, opened.context.now())
    for path in left:
        path.unlink(missing_ok=True)
    if left:
        console.say(f"Removed {len(left):,} of a stopped command's files.")
    repository = opened.repository
    half = find_git_leftovers(repository.common_dir, opened.context.now()) if repository is not None else ()
    for path in half:
        path.unlink(missing_ok=True)
    if half:
        console.say(f"Removed {len(half):,} of a stopped git's half-written files.")
    for cache in list_caches(opened.root):
        if not is_sound(cache):
            drop_cache(cache)
            console.say(
                f"Removed {cache.relative_to(opened.root).as_posix()}; it is made anew when it is needed."
            )
    for plan in (plan_bringing_back, plan_joining):
        _commit(opened, plan(opened.snapshot, opened.repository))


def _commit(opened: "OpenKit", change: "Change | None") -> None:
    if change is not None:
        opened.commit_all([change])
        opened.console.say(f"Committed: {change.subject}")
