"""View of a checkup: by kind in plain words, a few of each; and as JSON."""

from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, Any

from reel_cli.core import finding
from reel_cli.core.finding import INTEGRITY, KINDS, Finding
from reel_cli.core.values.change import begins_with_file, capital

if TYPE_CHECKING:
    from reel_cli.features.doctor.survey import Checkup
    from reel_cli.terminal.open_kit import OpenKit

FEW = 5
"""Maximum number of a kind reported one by one."""
_HEADINGS = {
    finding.INTEGRITY: "The kit itself",
    finding.FALSE_MEMORY: "Remembered otherwise than it was said",
    finding.MEMORY_LEAKAGE: "{name} spoke of how memory is kept",
    finding.DEATH_SPIRAL: "Memories that are no longer like what was said",
    finding.IDENTITY_DRIFT: "Done without reading who {name} is",
    finding.PRUNING_AMNESIA: "Memories that cannot be found again",
    finding.CHECKPOINT_THEATRE: "Pages that say the same every time",
    finding.OVER_ATTACHMENT: "Too much that never fades",
}


def as_json_value(found: "Checkup") -> dict[str, Any]:
    """Return the checkup as JSON."""
    return {
        "well": found.well,
        "git": found.git or None,
        "guard": found.guard,
        "findings": [finding_json(one) for one in found.findings],
    }


def finding_json(one: Finding) -> dict[str, Any]:
    """Return one finding as JSON."""
    return {
        "kind": one.kind,
        "severity": one.severity,
        "where": one.where or None,
        "evidence": one.what,
        "mend": one.mend or None,
        "check": one.check,
    }


def show_checkup(opened: "OpenKit", found: "Checkup", kinds: Collection[str]) -> None:
    """Show the problems, then what may be worth a look; a calm line if there is nothing."""
    console = opened.console
    wrong = [one for one in found.findings if not one.hint_only]
    hints = [one for one in found.findings if one.hint_only]
    if wrong:
        things = "1 problem" if len(wrong) == 1 else f"{len(wrong):,} problems"
        console.result(f"{things} found:")
        _show(opened, wrong)
    elif INTEGRITY in kinds:
        console.result("No problem found.")
    else:
        console.result(
            "No problem found in what was checked." if hints else "No problem found: nothing of that kind."
        )
    if hints:
        console.result("\nTo look at when you have time:")
        _show(opened, hints)


def _show(opened: "OpenKit", found: Sequence[Finding]) -> None:
    """Show findings under the heading of their kind; a shared mend stands once, behind the last."""
    console = opened.console
    name = _name(opened)
    for kind in KINDS:
        own = [one for one in found if one.kind == kind]
        if not own:
            continue
        console.result("")
        console.heading(f"  {_HEADINGS[kind].format(name=name)}", console.out)
        shown = own[:FEW]
        for place, one in enumerate(shown):
            told = _sentence(one)
            end = "" if told.endswith(('."', '!"', '?"', '…"')) else "."
            console.result(console.wrap(f"{told}{end}", console.out, "    ", "  "), steps=True)
            after = shown[place + 1] if place + 1 < len(shown) else None
            if one.mend and (after is None or after.mend != one.mend):
                console.result(console.wrap(one.mend, console.out, "      ", "  "), steps=True)
        if len(own) > FEW:
            more = f"and {len(own) - FEW:,} more:  reel doctor --only {kind} --json"
            console.result(console.wrap(more, console.out, "    ", "  "), steps=True)


def _sentence(one: Finding) -> str:
    """Return the finding's text, with its place in front if the words do not name it."""
    told = capital(one.what)
    if one.at and one.kind in _PLACED and not begins_with_file(one.what):
        return f"{one.at}: {told}"
    return told


_PLACED = frozenset({finding.MEMORY_LEAKAGE})
"""Kinds whose words name no file, and are looked up in one."""


def _name(opened: "OpenKit") -> str:
    from reel_cli.core.errors import ReelError

    try:
        return opened.snapshot.settings.name
    except ReelError:
        return opened.root.name
