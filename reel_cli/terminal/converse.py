"""One exchange at the terminal: a reply taken in, the prompt printed, or a person taken through both."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reel_cli.core.exchange.exchange import Asked
from reel_cli.core.frozen import frozen
from reel_cli.terminal.exchange_walk import ExchangeOptions, hand_out
from reel_cli.terminal.given_text import read_given
from reel_cli.terminal.transport import carry_exchange

if TYPE_CHECKING:
    from reel_cli.terminal.context import OpenKit

Taken = TypeVar("Taken")


def _own_prompt(asked: Asked) -> str:
    return asked.prompt


@frozen
class ExchangeWalk(Generic[Asked, Taken]):
    """A feature's exchange, as it goes at the terminal.

    `command` is how a reply is given. `answered` returns the exchange that a given reply belongs to, `due`
    the one whose prompt goes out; both raise ReelError where there is none. `settle` reads a reply and
    keeps what it gives. `text` is the prompt to paste: the exchange's own, or what asks for the rest of its
    answer. `shape` is the JSON Schema of a reply that is JSON.
    """

    command: str
    answered: Callable[[], Asked]
    due: Callable[[], Asked]
    settle: Callable[[Asked, str], Taken]
    text: Callable[[Asked], str] = _own_prompt
    shape: Mapping[str, Any] | None = None


def converse(
    opened: "OpenKit",
    walk: ExchangeWalk[Asked, Taken],
    manner: ExchangeOptions,
    *,
    prompt: bool,
    reply: str | None,
) -> Taken | None:
    """Run an exchange as its command was called; None if no reply was taken."""
    if reply is not None:
        return walk.settle(walk.answered(), read_given(reply))
    asked = walk.due()
    if prompt or not opened.walks:
        opened.console.result(put_out(opened, walk, asked, manner))
        return None
    return walk_through(opened, walk, asked, manner)


def put_out(
    opened: "OpenKit", walk: ExchangeWalk[Asked, Taken], asked: Asked, manner: ExchangeOptions
) -> str:
    """Return the prompt to paste, remembered so that its reply may come tomorrow."""
    text = walk.text(asked)
    if not manner.dry_run:
        hand_out(opened, asked, walk.command, text)
    return text


def walk_through(
    opened: "OpenKit", walk: ExchangeWalk[Asked, Taken], asked: Asked, manner: ExchangeOptions
) -> Taken | None:
    """Guide a person through it: carry the prompt, take the reply, settle it; None for later."""
    text = put_out(opened, walk, asked, manner)
    return carry_exchange(opened, asked, walk.command, walk.settle, text=text, shape=walk.shape)
