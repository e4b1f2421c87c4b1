"""The tools of `reel mcp`, which features bring: called, and what they hand in kept or laid by.

What a tool hands in becomes a proposal in `review/`, unless the kit trusts it (`mcp.trust`). Nothing of the
protocol is here.
"""

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.tool import (
    KEPT,
    WAITS,
    HandIn,
    KeepScope,
    Tool,
    ToolAnswer,
    check_arguments,
    plan_kept,
    plan_waiting,
)
from reel_cli.core.ports import bring
from reel_cli.core.tokens.counter import get_tokenizer

if TYPE_CHECKING:
    from reel_cli.core.values.review import Proposal
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit


def list_tools() -> Sequence[Tool]:
    """Return every tool of the server, in the order of their rows."""
    tools: list[Tool] = [tool for tools in bring("tools") for tool in tools]
    return sorted(tools, key=lambda tool: tool.order)


def call(context: "Context", name: str, given: Mapping[str, object]) -> ToolAnswer:
    """Return the result of a tool's call; the kit is opened for it, as it is now.

    Raises ReelError where there is no such tool, an argument is amiss, or it cannot be done.
    """
    tools = list_tools()
    tool = next((one for one in tools if one.name == name), None)
    if tool is None:
        message = "There is no tool of that name."
        raise ReelError(message, hint=f"known are: {', '.join(one.name for one in tools)}")
    arguments = check_arguments(tool.arguments, given)
    opened = context.open_kit()
    if tool.writes:
        opened.require_repository()
    outcome = tool.run(opened, arguments)
    return _hand_in(opened, outcome) if isinstance(outcome, HandIn) else outcome


def _hand_in(opened: "OpenKit", given: HandIn) -> ToolAnswer:
    """Keep it or let it wait, and say which; the exchange it answers is over."""
    told = _keep_or_lay_by(opened, given)
    if given.asked:
        opened.state.drop_exchange(given.asked)
    return ToolAnswer(told.text + given.told, told.values)


def _keep_or_lay_by(opened: "OpenKit", given: HandIn) -> ToolAnswer:
    """Keep it where the kit trusts its tool, else let it wait for a person's word."""
    proposal = given.proposal
    if given.waits:
        return _lay_by(opened, proposal, given.waits)
    if proposal.op not in opened.snapshot.settings.mcp_trust:
        return _lay_by(opened, proposal)
    tokenizer = get_tokenizer(opened.snapshot.settings.tokenizer)
    kept = plan_kept(
        KeepScope(
            opened.snapshot,
            opened.require_repository(),
            proposal,
            opened.now(),
            tokenizer,
            opened.state.pending_touches(),
            unattended=True,
        )
    )
    opened.commit(kept.change)
    waits = [line.removeprefix("+ ") for line in kept.waits]
    look = [problem.what for problem in kept.problems if not problem.quiet]
    text = f"Kept.{' Worth a look:' if look else ''}{_listed(look)}"
    if waits:
        text += f"\nThis waits for a person's decision, in  reel review:{_listed(waits)}"
    return ToolAnswer(text, {"status": KEPT, "waits": waits, "problems": look})


def _listed(lines: Sequence[str]) -> str:
    return "".join(f"\n- {line}" for line in lines)


def _lay_by(opened: "OpenKit", proposal: "Proposal", then: str = "") -> ToolAnswer:
    user = opened.snapshot.settings.user
    whose = "the user's" if user == "You" else f"{user}'s"
    change = plan_waiting(opened.snapshot, proposal)
    values = {"status": WAITS, "item": proposal.id}
    if change is None:
        return ToolAnswer(f"That waits for {whose} decision already.", values)
    opened.commit(change)
    return ToolAnswer(f"It waits for {whose} decision.{then}", values)
