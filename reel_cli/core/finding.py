"""Findings of a checkup."""

import re

from reel_cli.core.frozen import frozen

INTEGRITY = "integrity"
FALSE_MEMORY = "false-memory"
"""A memory says what its stretch of tape does not bear (REEL §10.5)."""
MEMORY_LEAKAGE = "memory-leakage"
"""A reply speaks of how memory is kept (REEL §10.1)."""
DEATH_SPIRAL = "death-spiral"
"""A memory was made of compressions, and has left its source behind (REEL §10.2)."""
IDENTITY_DRIFT = "identity-drift"
"""A memory was written without the persona's identity at hand (REEL §10.3)."""
PRUNING_AMNESIA = "pruning-amnesia"
"""A memory is gone, and nothing tells that it ever was (REEL §10.4)."""
CHECKPOINT_THEATRE = "checkpoint-theatre"
"""Self-assessments that always say the same (REEL §10.6)."""
OVER_ATTACHMENT = "over-attachment"
"""Immunity handed out by age, or to everything (REEL §10.7)."""
KINDS = (
    INTEGRITY,
    FALSE_MEMORY,
    MEMORY_LEAKAGE,
    DEATH_SPIRAL,
    IDENTITY_DRIFT,
    PRUNING_AMNESIA,
    CHECKPOINT_THEATRE,
    OVER_ATTACHMENT,
)
"""Kinds of findings, in the order in which they are reported."""

_PLACE = re.compile(r"([\w.-]+(?:/[\w.-]+)*\.(?:md|ya?ml|csv))(?:, line ([\d,]+))?: ")


@frozen
class Finding:
    """One thing that is not as it should be: which check found it, what it is, and its mend ("" for none).

    `hint_only` says that it is worth knowing and nothing is wrong. `kind` is the protocol's name for what
    went wrong (REEL §10), or `integrity`.
    """

    check: str
    what: str
    mend: str
    hint_only: bool = False
    kind: str = INTEGRITY
    at: str = ""
    """`path:line` where `what` does not begin with the place."""

    @property
    def where(self) -> str:
        """Return `path:line`, or the path alone; "" if it is of no one file."""
        found = _PLACE.match(self.what)
        if self.at or found is None:
            return self.at
        return f"{found[1]}:{found[2].replace(',', '')}" if found[2] else found[1]

    @property
    def severity(self) -> str:
        """Return `serious` or `hint`."""
        return "hint" if self.hint_only else "serious"
