"""Mends that need nobody's word, for the walk through findings: each is shown, and made on a yes."""

import hashlib
from collections.abc import Sequence
from difflib import unified_diff
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.checkup import MendScope, plan_mends
from reel_cli.core.kit.proposal_kind import Choice
from reel_cli.terminal.decisions.decision import Decision, DecisionOrder, DecisionResult

if TYPE_CHECKING:
    from reel_cli.core.values.change import Change
    from reel_cli.terminal.open_kit import OpenKit

MEND = Choice("y", "mend it", "Mended")


def find_mends(opened: "OpenKit") -> Sequence[Decision]:
    """Return a decision for each change by which `reel doctor --fix` would mend the kit."""
    return [_decide_on(opened, change) for change in _plan(opened)]


def _plan(opened: "OpenKit") -> "list[Change]":
    return list(plan_mends(lambda: MendScope(opened.snapshot, opened.repository, opened.now())))


def _decide_on(opened: "OpenKit", change: "Change") -> Decision:
    texts = sorted((path, opened.snapshot.read(path), data) for path, data in change.writes.items())
    return Decision(
        f"mend {change.line}", change.told, "reel can mend this by itself", repr(sorted(change.writes)),
        (MEND,), partial(_shown, opened, change), partial(_settle, change),
        basis=hashlib.sha256(repr(texts).encode()).hexdigest()[:16],
    )  # fmt: skip


def _shown(opened: "OpenKit", change: "Change") -> Sequence[str]:
    shown: list[str] = []
    for path, data in change.writes.items():
        both = (opened.snapshot.read(path) or b"", data or b"")
        before, after = (text.decode("utf-8", "replace").splitlines() for text in both)
        shown += [path, *list(unified_diff(before, after, n=0, lineterm=""))[2:]]
    return [line for line in shown if not line.startswith("@@")]


def _settle(change: "Change", opened: "OpenKit", order: DecisionOrder) -> DecisionResult:
    again = next((one for one in _plan(opened) if one.line == change.line), None)
    if again is None:
        message = f"This is mended already: {change.told}."
        raise ReelError(message)
    return DecisionResult() if order.dry else DecisionResult(opened.commit(again).commit)
