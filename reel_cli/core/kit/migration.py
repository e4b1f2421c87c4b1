"""Versions of the protocol, and the steps that bring a kit from one to the next (REEL §11.1)."""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.ports import bring
from reel_cli.core.values.settings import PROTOCOL, read_version


class Version(NamedTuple):
    """A version of the protocol; only a new `major` may break what was written before."""

    major: int
    minor: int

    def __str__(self) -> str:
        """Return it as `kit.yaml` has it: `REEL/1.0`."""
        return f"REEL/{self.major}.{self.minor}"


@frozen
class Migration:
    """A step of a kit from one version of the protocol to the next.

    `does` is a sentence for the person, `plan` returns the files as they will be and raises ReelError for
    what it cannot carry. A step within a major version may only add; `kit.yaml` names the new version after
    it without the step's doing.
    """

    since: Version
    to: Version
    does: str
    plan: Callable[[Snapshot], Mapping[str, bytes | None]]


def parse_version(text: str) -> Version:
    """Return a version as `kit.yaml` names it; ReelError where it is none."""
    found = read_version(text)
    if found is None:
        message = f"kit.yaml: {text!r} is not a protocol this reel knows."
        raise ReelError(message, hint=f"write  protocol: {PROTOCOL}")
    return Version(*found)


def list_steps(since: Version) -> Sequence[Migration]:
    """Return the steps that a kit of this version has before it, one after another."""
    known = {step.since: step for steps in bring("migrations") for step in steps if step.to > step.since}
    route: list[Migration] = []
    while since in known:
        route.append(known[since])
        since = known[since].to
    return route
