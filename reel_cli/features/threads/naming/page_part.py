"""The question about threads that pages of earlier versions asked: its answers are known, and left out."""

from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.core.exchange.schema import FieldSpec
from reel_cli.core.values.artifact import Problem

FIELD = FieldSpec(
    "thread",
    "Part of something longer",
    loose=("something longer", "part of a thread", "which thread"),
    required=False,
    asked=False,
)


def _ask(_page: PageRequest) -> PartRequest | None:
    """Return nothing: what a chat says often is no matter that goes on."""
    return None


def _plan(page: PageAnswer) -> PartPlan:
    """Return nothing to keep of an answer to a prompt of an earlier version, and a line that says so."""
    if FIELD.key not in page.ask.parts or FIELD.key not in page.reading.values:
        return PartPlan()
    return PartPlan(problems=(Problem(FIELD.key, f"“{FIELD.label}” is no longer asked, and is left out"),))


THREAD_PART = PagePart("thread", (FIELD,), _ask, _plan)
"""The heading stays known: unread, its “no” would be part of the answer above it."""
