"""Pages of which a reply came through in part: the rest is still to be asked for."""

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from reel_cli.features.page.due import HalfPage

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask

OPS = ("checkpoint", "consolidate")


def find_half_pages(exchanges: Iterable[Mapping[str, Any]], name: str) -> Mapping[str, HalfPage]:
    """Return the half pages among the exchanges under way, by session; `name` is the persona's.

    `exchanges` come newest first. Nothing is parsed unless a reply came through in part.
    """
    begun = [value for value in exchanges if value.get("replies") and value.get("op") in OPS]
    if not begun:
        return {}
    from reel_cli.core.exchange.open_ask import Ask

    found: dict[str, HalfPage] = {}
    for value in begun:
        ask = Ask.load(value)
        if ask is not None and ask.session not in found:
            found[ask.session] = _measure(ask, name)
    return found


def _measure(ask: "Ask", name: str) -> HalfPage:
    from reel_cli.core.exchange.open_ask import read_replies
    from reel_cli.features.page.plan import count_parts

    got, asked = count_parts(ask.parts, read_replies(ask, (name,)))
    return HalfPage(ask.op, ask.session, got, asked)
