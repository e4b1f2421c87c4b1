"""The tool by which a model proposes that a memory stays as it is."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.tool import HandedInPlan, HandIn, HandInKind, KeepScope, Tool
from reel_cli.core.rings.memory_proposal import ARGUMENTS, propose, proposed_memory
from reel_cli.core.rings.pins import plan_pins

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

PIN = "pin"


def pin(opened: "OpenKit", given: Mapping[str, Any]) -> HandIn:
    """Propose to pin a memory; a person decides."""
    return propose(opened.snapshot, PIN, "a pin for", given, opened.now())


def _keep(scope: KeepScope) -> HandedInPlan:
    name = proposed_memory(scope.proposal)
    change, _ = plan_pins(scope.snapshot, [name], pin=True, why=scope.proposal.why, now=scope.now)
    if change is None:
        message = f"{name} is pinned already."
        raise ReelError(message, hint=f"drop it with  reel review reject {scope.proposal.id}")
    return HandedInPlan(change)


KINDS = (HandInKind(PIN, _keep),)
TOOLS = (
    Tool(
        22,
        PIN,
        "Propose a pin",
        "Propose that one of your memories should not fade; whether it does is decided later.",
        ARGUMENTS,
        pin,
    ),
)
