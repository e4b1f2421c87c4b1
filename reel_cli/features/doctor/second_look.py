"""A second look at memories that are not kept yet: a model holds them against what was said (REEL §10.5)."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.artifact import Problem
from reel_cli.features.doctor.ask import CheckAsk, CheckedReply, ask_own_word, hear
from reel_cli.terminal.converse import ExchangeOptions, ExchangeWalk, refuse, ring0_in_force, walk_through

if TYPE_CHECKING:
    from reel_cli.core.values.change import Change
    from reel_cli.terminal.open_kit import OpenKit

COMMAND = "doctor --ask"


def look_again(opened: "OpenKit", change: "Change", names: Sequence[str]) -> Sequence[str]:
    """Have a model hold memories of a planned change against the tape; return what it says, a line each.

    Where the answer is to come later, one line says so: the prompt waits, and fits the memories once they
    are kept.
    Raises ReelError where nothing can be asked about them.
    """
    planned = opened.snapshot.after(change)
    counter = get_tokenizer(planned.settings.tokenizer)
    asked, unasked = ask_own_word(planned, ring0_in_force(opened), counter, names)
    if asked is None:
        message = f"This cannot be checked: {unasked[0].why}."
        raise ReelError(message)
    if not opened.sends:
        opened.console.say("The prompt for that holds the page and what was said, so any chat can answer it.")
    prompt, before, ends = asked, opened.context.waiting, opened.context.ends
    # its answer is another command's than the page's
    opened.context.ends, opened.context.back_to = False, "the page"
    walk: ExchangeWalk[CheckAsk, Sequence[CheckedReply]] = ExchangeWalk(
        COMMAND,
        lambda: prompt,
        lambda: prompt,
        lambda _, reply: _settle(opened, planned, prompt, reply),
    )
    try:
        heard = walk_through(opened, walk, prompt, ExchangeOptions())
    finally:
        opened.context.waiting, opened.context.ends, opened.context.back_to = before, ends, ""
    if heard is None:
        return ["It is not checked yet, and the page waits for your answer:"]
    return [line for one in heard for line in _tell(one, planned.settings.name)]


def _settle(opened: "OpenKit", planned: Snapshot, asked: CheckAsk, reply: str) -> Sequence[CheckedReply]:
    heard, problems, refusal = hear(planned, asked, reply)
    if refusal:
        what = [Problem("reply", refusal), *problems]
        refuse(opened, refusal, what, ExchangeOptions(), repair=asked.prompt)
    opened.state.drop_exchange(asked.name)
    return heard


def _tell(heard: CheckedReply, name: str) -> Sequence[str]:
    """Return what came of one memory's check, without lines of a file that is not there yet."""
    doubts = [f"{one.what.partition(': ')[2]}." for one in heard.findings]
    if heard.clear:
        return [*doubts, f"All of “{heard.title}” was said, according to {name}.", *heard.remarks]
    if heard.why:
        return [*doubts, f"Nothing can be told from the answer: {heard.why}.", *heard.remarks]
    return [*doubts, *heard.remarks]
