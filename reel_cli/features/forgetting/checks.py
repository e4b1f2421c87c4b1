"""Checks of how memories came about and went (REEL §10.2 to §10.4)."""

from collections.abc import Iterable

from reel_cli.core.evidence.memory_check import hold_all_against_tape
from reel_cli.core.finding import DEATH_SPIRAL, IDENTITY_DRIFT, INTEGRITY, PRUNING_AMNESIA, Finding
from reel_cli.core.kit.checkup import Check, CheckScope, MendScope, Stage
from reel_cli.core.values.change import Change
from reel_cli.features.forgetting.lineage import find_spirals, read_regeneration
from reel_cli.features.forgetting.past import Past, read_past
from reel_cli.features.forgetting.prompts import find_drift
from reel_cli.features.forgetting.pruning import find_amnesia, find_stale, find_unlisted, plan_lines


def _past(scope: CheckScope) -> Past | None:
    return scope.once("past", lambda: read_past(scope.snapshot, scope.repo, lambda _: scope.memory_steps()))


def _spirals(scope: CheckScope) -> Iterable[Finding]:
    past = _past(scope)
    notes = scope.once("notes", lambda: hold_all_against_tape(scope.snapshot, scope.kit, scope.advance))
    return find_spirals(scope.snapshot, past, notes, read_regeneration(scope.snapshot, scope.kit, scope.repo))


def mend_lines(scope: MendScope) -> Change | None:
    """Plan the index lines that memories lack; None where none is missing."""
    return plan_lines(scope.snapshot, read_past(scope.snapshot, scope.repo))


CHECKS = (
    Check(lambda scope: find_unlisted(scope.snapshot, _past(scope)), 10, Stage.PATTERNS, INTEGRITY),
    Check(lambda scope: find_stale(scope.snapshot), 15, Stage.PATTERNS, INTEGRITY),
    Check(_spirals, 50, Stage.PATTERNS, DEATH_SPIRAL),
    Check(lambda scope: find_drift(scope.snapshot, _past(scope)), 60, Stage.PATTERNS, IDENTITY_DRIFT),
    Check(lambda scope: find_amnesia(scope.snapshot, _past(scope)), 70, Stage.PATTERNS, PRUNING_AMNESIA),
)
