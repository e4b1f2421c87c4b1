"""The verdicts on what a text claims, and the detail that each is on."""

from enum import StrEnum

from reel_cli.core.evidence.grounding.check import UngroundedDetail
from reel_cli.core.frozen import frozen


class Verdict(StrEnum):
    """The answers to whether what is known bears a claim."""

    BORNE = "borne"
    CANNOT_TELL = "cannot tell"
    NOT_BORNE = "not borne"


@frozen
class Judgement:
    """A doubtful detail of a text, and the verdict on it; `detail.nearest` is the passage against it."""

    verdict: Verdict
    detail: UngroundedDetail
