"""What a checkup found."""

import re
from dataclasses import dataclass

FALSE_MEMORY = "false-memory"
"""A memory says what its stretch of tape does not bear (REEL §10.5)."""

_PLACE = re.compile(r"([\w.-]+(?:/[\w.-]+)*\.(?:md|ya?ml))(?:, line ([\d,]+))?: ")


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be: which check found it, what it is, and its mend ("" for none).

    `hint_only` says that it is worth knowing and nothing is wrong. `kind` is the protocol's name for what
    went wrong (REEL §10), or `integrity`.
    """

    check: str
    what: str
    mend: str
    hint_only: bool = False
    kind: str = "integrity"
    at: str = ""
    """`path:line` where `what` does not begin with the place."""

    @property
    def where(self) -> str:
        """`path:line`, or the path alone; "" where it is of no one file."""
        found = _PLACE.match(self.what)
        if self.at or found is None:
            return self.at
        return f"{found[1]}:{found[2].replace(',', '')}" if found[2] else found[1]

    @property
    def severity(self) -> str:
        """`serious`, or `hint`."""
        return "hint" if self.hint_only else "serious"
