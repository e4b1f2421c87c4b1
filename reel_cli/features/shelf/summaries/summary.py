"""A summary: what files of the shelf come to, in one page that says what it was made of (MEMORY-MGMT §4)."""

from dataclasses import dataclass
from enum import StrEnum

SUMMARIES = "summaries"
"""The folder of the kit that holds them."""


class Style(StrEnum):
    """What kind of page it is."""

    BULLET = "bullet"
    NARRATIVE = "narrative"
    SCHEMA = "schema"
    DIFF = "diff"
    DECISION = "decision"


class SourceState(StrEnum):
    """How a source stands to the summary that was made of it.

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
        """The kit paths of its sources."""
        return tuple(one.path for one in self.sources)

    def made_of(self, path: str) -> str:
        """The SHA-256 of a source as it was then; "" where it was not noted, or is no source."""
        return next((one.sha256 for one in self.sources if one.path == path), "")

    @property
    def tells(self) -> bool:
        """Whether it says what stands in its sources; one of changes says only what became of them."""
        return self.style != Style.DIFF.value
