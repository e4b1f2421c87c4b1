"""The shared context on the page of a session: asked for where it is out of date, kept in the same commit.

Every page knows the headings; what they are about is loaded only for one that is asked for them, or has them.
"""

from reel_cli.core.exchange.page_part import PageAnswer, PagePart, PageRequest, PartPlan, PartRequest
from reel_cli.features.dream.context.headings import FIELDS


def _ask(page: PageRequest) -> PartRequest | None:
    from reel_cli.features.dream.context.page_context import ask_context

    return ask_context(page)


def _plan(page: PageAnswer) -> PartPlan:
    from reel_cli.features.dream.context.page_context import plan_context

    return plan_context(page)


CONTEXT_PART = PagePart("context", FIELDS, _ask, _plan, again=True, place=-1)
