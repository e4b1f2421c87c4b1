"""The tool by which a model proposes that a memory leaves the rings."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.tool import HandedInPlan, HandIn, HandInKind, KeepScope, Tool
from reel_cli.core.rings.memory_proposal import ARGUMENTS, name_and_title, propose, proposed_memory
from reel_cli.core.rings.pins import find_pinned
from reel_cli.features.forgetting.plan import plan_forget

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.terminal.open_kit import OpenKit

PRUNE = "prune"


def prune(opened: "OpenKit", given: Mapping[str, Any]) -> HandIn:
    """Propose to let go of a memory; a person decides. ReelError for one that must stay."""
    _refuse_protected(opened.snapshot, given["memory"].strip())
    return propose(opened.snapshot, PRUNE, "letting go of", given, opened.now())


def _keep(scope: KeepScope) -> HandedInPlan:
    name, why = proposed_memory(scope.proposal), scope.proposal.why
    _refuse_protected(scope.snapshot, name)
    return HandedInPlan(
        plan_forget(scope.snapshot, scope.repository, scope.tokenizer, [name], why=why, now=scope.now).change
    )


def _refuse_protected(snapshot: "Snapshot", wanted: str) -> None:
    """Raise ReelError for a memory that is immune or pinned: only a person takes that back (REEL §6.5)."""
    from reel_cli.core.files.ledger_file import read_ledger

    name, title = name_and_title(snapshot, wanted)
    held = snapshot.memories.get(name) or snapshot.index.lines.get(name)
    is_pinned = name in find_pinned(read_ledger(snapshot))
    if is_pinned or (held is not None and held.immune):
        message = f"{title} ({name}) must stay: it is {'pinned' if is_pinned else 'immune'}."
        raise ReelError(message, hint=f"only a person lets go of that:  reel forget {name}")


KINDS = (HandInKind(PRUNE, _keep),)
TOOLS = (
    Tool(
        24,
        PRUNE,
        "Propose to let go",
        "Propose that one of your memories leaves your mind, and only its line stays; that is decided later.",
        ARGUMENTS,
        prune,
    ),
)
