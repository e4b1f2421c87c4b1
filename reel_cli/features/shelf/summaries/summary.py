"""A summary: what files of the shelf come to, in one page that says what it was made of (MEMORY-MGMT §4)."""

from dataclasses import dataclass
from enum import StrEnum

SUMMARIES = "summaries"
"""The folder of the kit that holds them."""


class Style(StrEnum):
    """Styles of a summary."""

    BULLET = "bullet"
    NARRATIVE = "narrative"
    SCHEMA = "schema"
    DIFF = "diff"
    DECISION = "decision"


class SourceState(StrEnum):
    """States of a source since its summary was made.

    `FRESH`: it is what it was; `CHANGED`: it is not; `GONE`: it is on the shelf no more.
    """

    FRESH = "fresh"
    CHANGED = "changed"
    GONE = "gone"


@dataclass(frozen=True, slots=True)
class SummarySource:
    """A file that a summary was made of: its kit path, and the SHA-256 of its bytes then.

    `sha256` is "" where nobody noted it, as in a summary that a person wrote by hand.
    """

    path: str
    sha256: str = ""


@dataclass(frozen=True, slots=True)
class Summary:
    """One summary, as its file tells of it.

    `created` is ISO 8601; `by` says who made it: `reel`, where no model was asked, else the persona's name;
    `since` names the commit whose version of the file a `diff` begins with. `gist` is one sentence;
    `trouble` says what keeps the file from being read.
    """

    path: str
    sources: tuple[SummarySource, ...]
    created: str = ""
    style: str = Style.BULLET.value
    title: str = ""
    body: str = ""
    by: str = ""
    since: str = ""
    gist: str = ""
    trouble: str = ""

    @property
    def paths(self) -> tuple[str, ...]:
        """Return the kit paths of its sources."""
        return tuple(one.path for one in self.sources)

    def made_of(self, path: str) -> str:
        """Return the SHA-256 of a source at that time; "" if it was not noted, or is no source."""
        return next((one.sha256 for one in self.sources if one.path == path), "")

    @property
    def tells(self) -> bool:
        """Return whether it tells its sources' contents; a summary of changes tells only their changes."""
        return self.style != Style.DIFF.value
