"""What a checkup found."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing that is not as it should be: which check found it, what it is, and its mend ("" for none).

    `hint_only` says that it is worth knowing and nothing is wrong.
    """

    check: str
    what: str
    mend: str
    hint_only: bool = False
