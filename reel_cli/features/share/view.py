"""The screen of `reel share`: what a kit tells, what it was told, what it could take in."""

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.shell import quote_path
from reel_cli.features.share.ask import in_words, text_for, title_for
from reel_cli.features.share.files import TOLD, SharedMemory, Shares
from reel_cli.features.share.policy import heard_by, list_audience
from reel_cli.features.share.shared_kit import SharedKit

if TYPE_CHECKING:
    from reel_cli.features.share.give import GivePlan
    from reel_cli.features.share.group import GroupPlan
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

MOST = 7
"""Maximum number of shared memories listed under one heading; more are counted."""


def take_command(shared: SharedKit, kit: str, shared_id: str) -> str:
    """Return the command by which a kit takes a memory in, as a person types it from here."""
    folder = shared.folder_of(shared.kits[kit])
    return f"reel --kit {show_folder(folder)} share {shared_id}"


def show_folder(folder: Path) -> str:
    """Return a folder as a person types it from here."""
    return quote_path(os.path.relpath(folder))


def name_audience(one: SharedMemory, shared: SharedKit) -> str:
    """Return those who may know a memory, in words, and how each has it."""
    told = []
    for kit in list_audience(one, shared.groups):
        name = shared.kits[kit].name if kit in shared.kits else f"{kit} (no such kit)"
        taking = one.taken.get(kit)
        told.append(f"{name} ({_how(taking.how) if taking else 'not yet'})")
    return ", ".join(told)


def _how(how: str) -> str:
    return "told" if how == TOLD else "was there"


def show_shares(opened: "OpenKit", shared: SharedKit, kit: str, shares: Shares) -> None:
    """List what a kit tells, what it knows from others, and what it could take in."""
    console = opened.console
    name = opened.snapshot.settings.name
    given = [one for one in shared.memories.values() if one.giver == kit and not one.back]
    taken = [(own, shared.memories[one]) for own, one in shares.taken.items() if one in shared.memories]
    open_now = shared.list_open(kit, shares)
    blocks = [
        (f"{name} tells", [(one.memory, one.title, f"to {name_audience(one, shared)}") for one in given]),
        (
            f"{name} knows from others",
            [(own, title_for(one, kit, shared), f"from {shared.teller_of(one)}") for own, one in taken],
        ),
        (
            f"{name} could take in",
            [(one.id, title_for(one, kit, shared), f"from {shared.teller_of(one)}") for one in open_now],
        ),
    ]
    groups = [
        (group, ", ".join(_called(shared, one) for one in kits)) for group, kits in shared.groups.items()
    ]
    blocks.append(("Groups", [(group, kits, "") for group, kits in groups]))
    shown = [(heading, rows) for heading, rows in blocks if rows]
    for place, (heading, rows) in enumerate(shown):
        if place:
            console.result("")
        console.heading(heading, console.out)
        console.result(console.listing([(f"  {first}", *rest) for first, *rest in rows[:MOST]], 2))
        if len(rows) > MOST:
            console.result(f"  and {len(rows) - MOST:,} more (--json lists all)")
    if not shown:
        show_nothing(opened, as_json=False)
    for why in shared.broken.values():
        console.say(f"Not read: {why}")
    if open_now:
        console.next_step(f"Next:  reel share {open_now[0].id}")
    elif given:
        console.next_step(f"To take one back:  reel share {given[0].memory} --back")


def show_group(opened: "OpenKit", plan: "GroupPlan") -> str:
    """Return a group's kits as they will be, and who may know or forgets what."""
    shared = plan.shared
    kits = ", ".join(_called(shared, kit) for kit in plan.after)
    lines = [f"{plan.name}: {kits}" if kits else f"{plan.name}: no group"]
    lines += [
        f"  {_called(shared, kit)} may then know: {one.title} (from {shared.teller_of(one)})"
        for kit, one in plan.gains
    ]
    lines += [
        f"  {_called(shared, kit)} may no longer know: {one.title} (from {shared.teller_of(one)})"
        for kit, one in plan.losses
    ]
    return fold_lines(opened.console, lines)


def group_json(plan: "GroupPlan") -> dict[str, object]:
    """Return the same for a program."""
    return {
        "group": plan.name,
        "kits": list(plan.after),
        "may_know": [{"kit": kit, "id": one.id} for kit, one in plan.gains],
        "may_not": [{"kit": kit, "id": one.id} for kit, one in plan.losses],
    }


def _called(shared: SharedKit, kit: str) -> str:
    return shared.kits[kit].name if kit in shared.kits else f"{kit} (no such kit)"


def show_nothing(opened: "OpenKit", *, as_json: bool) -> None:
    """Say that a kit shares nothing, and how it could."""
    if as_json:
        nothing: dict[str, list[str]] = {key: [] for key in ("given", "taken", "open", "broken")}
        opened.console.result_json({"shared": None, **nothing, "groups": {}})
        return
    name = opened.snapshot.settings.name
    opened.console.result(f"{name} shares nothing, and nobody has told {name} anything.")
    opened.console.next_step("To tell another persona of a memory:  reel share ID --with KIT")


def shares_json(shared: SharedKit, kit: str, shares: Shares) -> dict[str, object]:
    """Return the same for a program."""
    return {
        "shared": str(shared.root),
        "name": kit,
        "given": [
            {
                "id": one.id,
                "memory": one.memory,
                "title": one.title,
                "with": list(one.audience),
                "taken": {
                    kit: {"memory": t.memory, "how": t.how, "day": t.day} for kit, t in one.taken.items()
                },
            }
            for one in shared.memories.values()
            if one.giver == kit and not one.back
        ],
        "taken": [{"id": one, "memory": own} for own, one in shares.taken.items()],
        "open": [
            {"id": one.id, "title": title_for(one, kit, shared), "from": one.giver}
            for one in shared.list_open(kit, shares)
        ],
        "groups": {group: list(kits) for group, kits in shared.groups.items()},
        "broken": list(shared.broken),
    }


def show_telling(opened: "OpenKit", plan: "GivePlan") -> str:
    """Return what those who are newly told would hear, and who hears it anew, for a person to decide."""
    console = opened.console
    one, shared = plan.one, plan.shared
    lines = [f"{one.title} ({in_words(one.day)})" if in_words(one.day) else one.title]
    named = [kit for name in plan.told for kit in shared.groups.get(name, (name,)) if kit != one.giver]
    for kit in plan.anew:
        who = shared.kits[kit].name if kit in shared.kits else kit
        had = one.taken.get(kit)
        stays = f", and remembers it as it was {'told' if had.how == TOLD else 'lived'}" if had else ""
        lines.append(f"  {who} may know it already{stays}; the words told are new:")
        lines += [f"    {line}" for line in text_for(one, kit, shared).splitlines() if line.strip()]
    for kit in dict.fromkeys(kit for kit in named if kit not in plan.anew):
        who = shared.kits[kit].name if kit in shared.kits else kit
        if heard := heard_by(one, kit, shared.kits):
            lines.append(f"  {who} was there, and takes it in from the {len(heard):,} messages of that time.")
        else:
            lines.append(f"  {who} was not there, and hears this:")
            lines += [f"    {line}" for line in one.told.splitlines() if line.strip()]
    return fold_lines(console, lines)


def fold_lines(console: "Console", lines: Sequence[str]) -> str:
    """Return lines for a person to decide on, each folded below its own beginning."""
    told = ((line, " " * (len(line) - len(line.lstrip()))) for line in lines)
    return "\n".join(console.wrap(line.strip(), console.err, indent) for line, indent in told)
