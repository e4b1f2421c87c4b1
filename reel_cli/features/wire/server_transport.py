"""Servers as a way for prompts, brought to the port `transports`; nothing is loaded before it is used."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, TypeVar

from reel_cli.features.wire.address import parse_address

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit
    from reel_cli.terminal.transport_option import CarryResult, Parcel

Taken = TypeVar("Taken")


class ServerTransport:
    """Prompts are sent to the server that `--via` or kit.yaml names."""

    def check_address(self, text: str) -> None:
        """Raise UsageError where a text is no address of a server."""
        parse_address(text)

    def is_here(self, text: str) -> bool:
        """Return whether an address is one on this machine; False for what is none."""
        from reel_cli.core.errors import ReelError

        try:
            return parse_address(text).is_here
        except ReelError:
            return False

    def carry(
        self, opened: "OpenKit", parcel: "Parcel", take: Callable[[str], Taken]
    ) -> "CarryResult[Taken]":
        """Send a prompt, and give the reply to `take`; what is missing is asked for twice at most."""
        from reel_cli.features.wire.send import carry_over_wire

        return carry_over_wire(opened, parcel, take)

    def gather_chat(self, opened: "OpenKit", session: str, room: int) -> Sequence[dict[str, str]]:
        """Return the chat that a prompt is meant for, in so many tokens; WireError where they are too few."""
        from reel_cli.features.wire.send import gather_chat

        return gather_chat(opened, session, room)


SERVERS = ServerTransport()
