"""`reel share`: tell another persona of a memory, take in what one is told, take it back."""

import re
from typing import TYPE_CHECKING, Annotated

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.shell import quote
from reel_cli.terminal.options import AsJson, DryRun, Prompt, Reply, Sure
from reel_cli.terminal.transport_option import ExchangeCommand

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.share.give import GivePlan
    from reel_cli.features.share.shared_kit import SharedKit
    from reel_cli.features.share.withdrawal import BackPlan
    from reel_cli.terminal.open_kit import OpenKit


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("share", cls=ExchangeCommand, epilog="Example:  reel share M-004 --with ../mara")(share)


def share(
    ctx: typer.Context,
    what: Annotated[
        list[str] | None,
        typer.Argument(metavar="[MEMORY|SHARED]...", help="M-004: tell of it. S-001: take it in."),
    ] = None,
    others: Annotated[
        list[str] | None,
        typer.Option("--with", metavar="KIT|GROUP", help="Who may know it. May be repeated."),
    ] = None,
    group: Annotated[
        str | None,
        typer.Option("--group", metavar="NAME", help="Put those --with into a group; --back: take them out."),
    ] = None,
    back: Annotated[
        bool, typer.Option("--back", help="Take it back, from all or from those --with.")
    ] = False,
    prompt: Prompt = False,
    reply: Reply = None,
    yes: Sure = False,
    dry_run: DryRun = False,
    as_json: AsJson = False,
) -> None:
    """Tell another persona of a memory, or take in what this one is told; alone, list both."""
    from reel_cli.features.share.files import SHARED_ID

    opened: OpenKit = ctx.obj.open_kit()
    name = " ".join(what or ()).strip()
    if (ids := [one for one in what or () if re.fullmatch(r"[MSms]-\d+", one)])[1:]:
        message = f"One at a time: {', '.join(ids)}."
        raise UsageError(message, hint=f"reel share {ids[0]}")
    if group is not None:
        if name or prompt or reply is not None:
            message = "--group goes with --with and --back alone."
            raise UsageError(message, hint="reel share --group crew --with ada --with mara")
        _group(opened, group.strip(), others or (), out=back, yes=yes, dry_run=dry_run, as_json=as_json)
        return
    if not name:
        if others or back or prompt or reply is not None:
            message = "Which memory?"
            raise UsageError(message, hint="reel share M-004 --with KIT")
        _list(opened, as_json=as_json)
        return
    shared_id = name.upper() if SHARED_ID.fullmatch(name.upper()) else _taken_as(opened, name)
    if back:
        _take_back(opened, name, shared_id, others or (), yes=yes, dry_run=dry_run, as_json=as_json)
    elif others:
        if shared_id and shared_id == name.upper():
            message = f"{shared_id} is shared already."
            raise UsageError(message, hint="to tell more kits, name the memory:  reel share M-004 --with KIT")
        _give(opened, name, others, yes=yes, dry_run=dry_run, as_json=as_json)
    elif shared_id:
        from reel_cli.features.share.walk import taking_walk
        from reel_cli.terminal.converse import ExchangeOptions, converse

        manner = ExchangeOptions(yes=yes, as_json=as_json, dry_run=dry_run)
        converse(opened, taking_walk(opened, shared_id, manner), manner, prompt=prompt, reply=reply)
    else:
        from reel_cli.core.rings.read_memory import find_memory

        memory, _ = find_memory(opened.snapshot, name)
        known = memory.id if memory is not None else name
        message = f"Who is to be told of {known}?"
        raise UsageError(message, hint=f"reel share {known} --with KIT  ; reel kits  lists them")


def _taken_as(opened: "OpenKit", name: str) -> str:
    """Return the shared memory that one of this kit's memories was taken in from; "" for its own."""
    from reel_cli.core.rings.read_memory import meant_memory
    from reel_cli.features.share.shared_kit import read_shares

    return read_shares(opened.snapshot).taken.get(meant_memory(opened.snapshot, name) or "", "")


def _list(opened: "OpenKit", *, as_json: bool) -> None:
    from reel_cli.features.share.shared_kit import find_shared, read_shares
    from reel_cli.features.share.view import shares_json, show_nothing, show_shares
    from reel_cli.features.share.walk import require_shared

    shares = read_shares(opened.snapshot)
    if find_shared(opened.root, shares) is None:
        show_nothing(opened, as_json=as_json)
        return
    shared, kit = require_shared(opened)
    if as_json:
        opened.console.result_json(shares_json(shared, kit, shares))
    else:
        show_shares(opened, shared, kit, shares)


def _group(
    opened: "OpenKit",
    name: str,
    others: "Sequence[str]",
    *,
    out: bool,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Put kits into a group or take them out, once whatever that changes was shown."""
    from reel_cli.features.share.group import plan_group
    from reel_cli.features.share.view import group_json, show_group
    from reel_cli.features.share.withdrawal import drop_asked
    from reel_cli.terminal.console import agreed

    console = opened.console
    opened.require_repository()
    plan = plan_group(opened, name, others, out=out)
    told = show_group(opened, plan)
    if plan.before == plan.after or dry_run:
        if as_json:
            console.result_json(group_json(plan))
            return
        console.result(told)
        if dry_run:
            console.say("Nothing was changed (--dry-run).")
        elif not plan.after:
            console.next_step(f"To make it:  reel share --group {quote(name)} --with KIT --with KIT")
        return
    if not yes and not agreed(console, told, "Change the group?", "be changed"):
        return
    plan.shared.commit(opened, plan.change)
    drop_asked(opened, plan.shared, plan.losses)
    if as_json:
        console.result_json(group_json(plan))
        return
    console.result(told if yes else told.partition("\n")[0])
    if plan.after:
        console.next_step(f"To tell the group of a memory:  reel share M-004 --with {quote(name)}")


def _give(
    opened: "OpenKit", name: str, others: list[str], *, yes: bool, dry_run: bool, as_json: bool
) -> None:
    from reel_cli.core.rings.read_memory import find_memory
    from reel_cli.features.share.give import plan_giving
    from reel_cli.features.share.view import show_telling
    from reel_cli.terminal.change_report import preview_change
    from reel_cli.terminal.console import agreed

    opened.require_repository()
    memory, line = find_memory(opened.snapshot, name)
    if memory is None:
        known = line.id if line is not None else name
        message = f"{known} is only a line in the index, so there is nothing to tell."
        raise ReelError(message, hint=f"bring it back first:  reel restore {known}")
    plan = plan_giving(opened, memory, others)
    console = opened.console
    told = show_telling(opened, plan)
    who = _in_words(plan)
    nothing = not plan.told and not plan.anew
    data = {"id": plan.one.id, "with": list(plan.told), "commit": None} if as_json else None
    if data is not None and nothing:
        console.result_json(data)
        return
    if nothing:
        console.result(f"{who} may know it already.")
        return
    if dry_run:
        preview_change(console, told, data)
        return
    if not yes and not agreed(console, told, f"Tell {who}?", f"be told to {who}"):
        return
    plan.shared.commit(opened, plan.in_shared)
    commit = opened.commit_all([plan.in_own])[0].commit
    if as_json:
        console.result_json({"id": plan.one.id, "with": list(plan.told), "commit": commit})
        return
    _say_given(opened, plan, who)


def _in_words(plan: "GivePlan") -> str:
    kits = plan.shared.kits
    names = plan.told or plan.anew or plan.one.audience
    return ", ".join(kits[name].name if name in kits else name for name in names)


def _say_given(opened: "OpenKit", plan: "GivePlan", who: str) -> None:
    """Say that a memory is shared, and how each of those told takes it in."""
    from reel_cli.features.share.view import show_folder, take_command

    console = opened.console
    one, shared = plan.one, plan.shared
    console.result(
        console.wrap(f"{who} may know of it now, as {one.id} in {show_folder(shared.root)}.", console.out)
    )
    kits = [kit for name in plan.told for kit in shared.groups.get(name, (name,)) if kit != one.giver]
    for kit in dict.fromkeys(kits):
        if kit in shared.kits:
            console.next_step(f"{shared.kits[kit].name} takes it in:  {take_command(shared, kit, one.id)}")


def _take_back(
    opened: "OpenKit",
    name: str,
    shared_id: str,
    others: "list[str] | tuple[()]",
    *,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Take a memory back from those who were told; in a kit that was told, let go of it here alone."""
    from reel_cli.features.share.shared_kit import read_shares
    from reel_cli.features.share.walk import require_shared
    from reel_cli.features.share.withdrawal import plan_back

    shared, kit = require_shared(opened)
    shares = read_shares(opened.snapshot)
    if not shared_id:
        from reel_cli.core.rings.read_memory import meant_memory

        known = meant_memory(opened.snapshot, name) or name.upper()
        given = shared.find_given(kit, known)
        shared_id = given.id if given is not None else shares.given.get(known, "")
        if not shared_id:
            message = f"{known} is not shared with anyone."
            raise ReelError(message, hint="reel share  lists what is")
    if shared_id in shares.taken.values():
        _let_go_here(opened, shared, kit, shared_id, yes=yes, dry_run=dry_run, as_json=as_json)
        return
    one = shared.require(shared_id)
    if one.giver != kit:
        message = f"{shared_id} is not {opened.snapshot.settings.name}'s to take back."
        raise ReelError(message, hint="take it back in the kit it came from")
    plan = plan_back(shared, one, others)
    _carry_out(opened, plan, yes=yes, dry_run=dry_run, as_json=as_json)


def _carry_out(opened: "OpenKit", plan: "BackPlan", *, yes: bool, dry_run: bool, as_json: bool) -> None:
    from reel_cli.features.share.view import fold_lines
    from reel_cli.features.share.withdrawal import carry_out
    from reel_cli.terminal.change_report import preview_change
    from reel_cli.terminal.console import agreed

    console = opened.console
    kits = plan.shared.kits
    names = [kits[kit].name for kit, _ in plan.takers]
    told = [f"{plan.one.title or plan.one.id} ({plan.one.memory})"]
    told += [f"  {name} forgets it; the history of that kit has it still." for name in names]
    told += [f"  {name}'s kit is not here: it goes there when that kit is next used." for name in plan.absent]
    if names:
        told.append("  What was said of it in their chats since stays on their tapes.")
    shown = fold_lines(console, told)
    if dry_run:
        preview_change(console, shown, _back_json(plan, ()) if as_json else None)
        return
    if not yes and not agreed(console, shown, "Take it back?", "be taken back"):
        return
    failed = carry_out(opened, plan)
    if as_json:
        console.result_json(_back_json(plan, failed))
        return
    from_whom = f" from {', '.join(names)}" if names else ""
    console.result(console.wrap(f"Taken back{from_whom}: {plan.one.title or plan.one.id}.", console.out))
    for line in (*told[1:], *failed) if yes else failed:
        console.say(line.strip())


def _back_json(plan: "BackPlan", failed: "list[str] | tuple[()] | object") -> dict[str, object]:
    return {
        "id": plan.one.id,
        "taken_back_from": [kit for kit, _ in plan.takers],
        "absent": list(plan.absent),
        "problems": list(failed) if isinstance(failed, list | tuple) else [],
    }


def _let_go_here(
    opened: "OpenKit",
    shared: "SharedKit",
    kit: str,
    shared_id: str,
    *,
    yes: bool,
    dry_run: bool,
    as_json: bool,
) -> None:
    """Let go, in this kit alone, of what it was told."""
    from reel_cli.features.share.withdrawal import drop_taken, note_gone
    from reel_cli.terminal.change_report import preview_change
    from reel_cli.terminal.console import agreed

    console = opened.console
    name = opened.snapshot.settings.name
    told = f"{name} forgets {shared_id}; the kit's history has it still."
    taken_back = {"id": shared_id, "taken_back_from": [name], "absent": [], "problems": []}
    if dry_run:
        preview_change(console, told, taken_back if as_json else None)
        return
    if not yes and not agreed(console, told, "Let go of it?", "be let go"):
        return
    drop_taken(opened, shared_id, "let go of what it was told")
    try:
        note_gone(opened, shared, kit, [shared_id])
    except ReelError as error:
        console.say(f"That could not be noted in the shared kit: {error.message}")
    if as_json:
        console.result_json(taken_back)
        return
    console.result(f"{name} no longer knows of it.")
    console.next_step(f"To take it in again:  reel share {shared_id}")
