"""The offer to let a persona's preference steer how its pages are shortened; a person decides."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_edit import set_value
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, CheckScope, Stage
from reel_cli.core.kit.proposal_kind import Choice
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.shell import join
from reel_cli.core.values.change import Change
from reel_cli.features.preference.evidence import find_preference
from reel_cli.terminal.decisions.decision import Decision, DecisionOrder, DecisionResult

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

KIT, KEY = "kit.yaml", "maintain.keeps"
OP = "config"
STEER = Choice("y", "let it steer", "It steers how pages are shortened")
NOT = Choice("n", "do not", "It steers nothing")
"""Its answer stands in the kit too, as `none`, so that nobody is asked again."""


def look_at_preference(scope: CheckScope) -> Iterator[Finding]:
    """Yield what the persona keeps, where that shows and nothing says it yet."""
    settings = scope.snapshot.settings
    if settings.keeps or not (line := find_preference(scope.snapshot, scope.repo)):
        return
    what = f"{settings.name} tends to keep {line}. This can steer how pages are shortened"
    yield Finding("preference", what, join(["reel", "config", KEY, line]), hint_only=True)


def find_offer(opened: "OpenKit") -> Sequence[Decision]:
    """Return the decision whether that line steers; none where it does not show, or was decided."""
    settings = opened.snapshot.settings
    if settings.keeps or not (line := find_preference(opened.snapshot, opened.repository)):
        return ()
    shown = [f"What {settings.name} has kept: {line}", f"Its prompts for shorter pages would say so ({KEY})."]

    def settle(opened: "OpenKit", order: DecisionOrder) -> DecisionResult:
        change = plan_preference(opened.snapshot, line if order.choice == STEER else "none")
        return DecisionResult() if order.dry else DecisionResult(opened.commit(change).commit)

    what, why = (
        f"what {settings.name} keeps",
        "learnt from what you brought back, pinned, made a memory of or keep for good",
    )
    return [Decision(KEY, what, why, line, (STEER, NOT), lambda: shown, settle)]


def plan_preference(snapshot: Snapshot, line: str) -> Change:
    """Return the change that lets a line steer; ReelError where a person set one meanwhile."""
    if snapshot.settings.keeps:
        message = f"{KEY} is set meanwhile, and stays as it is."
        raise ReelError(message, hint=f"see it:  reel config {KEY}")
    text = set_value(snapshot.text(KIT) or "", KEY.split("."), render_scalar(line), KIT)
    return Change(OP, f"{KEY} {'set' if line != 'none' else 'off'}", {KIT: text.encode()})


CHECKS = (Check(look_at_preference, 95, Stage.PATTERNS),)
