"""A model's proposal about one memory, as it waits for a person's word (REEL §9.3)."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from reel_cli.core.exchange.tool import Argument, HandIn, make_proposal, read_asked, unknown_prompt
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.rings.read_memory import find_memory
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.core.values.review import Proposal

ARGUMENTS = (
    Argument("memory", "string", "Which memory: its ID, like M-004, or its title.", 200, required=True),
    Argument("why", "string", "Why, in a sentence.", 300, required=True),
)


def propose(snapshot: Snapshot, op: str, called: str, given: Mapping[str, Any], now: datetime) -> HandIn:
    """Return a proposal about the memory that a call names, whatever the kit trusts.

    `called` says what is to be done with it. Raises ReelError where the kit does not hold it.
    """
    name, title = name_and_title(snapshot, given["memory"].strip())
    why = " ".join(given["why"].split())
    proposal = make_proposal(
        op,
        f"{called} {title} ({name})",
        "",
        f"{title} ({name})",
        now,
        why=why,
        asked=json.dumps({"memory": name}),
    )
    return HandIn(proposal, waits=" Nothing changes before that.")


def name_and_title(snapshot: Snapshot, wanted: str) -> tuple[str, str]:
    """Return the ID and the title of a memory, or of what is left of it; ReelError where there is neither."""
    memory, line = find_memory(snapshot, wanted)
    if memory is not None:
        return memory.id, memory.title
    return (line.id, line.description) if line is not None else (wanted, "")


def proposed_memory(proposal: Proposal) -> str:
    """Return the ID that a proposal is about; ReelError where its file names none."""
    name = read_asked(proposal).get("memory")
    if not isinstance(name, str) or not MEMORY_ID.fullmatch(name):
        raise unknown_prompt(proposal)
    return name
