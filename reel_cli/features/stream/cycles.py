"""The anchor buffer: how a conversation began, word for word (SRIP-11 §III.5a)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

BUFFER = "buffer"
"""Name of the part in the account of a bundle."""


class Cycle(NamedTuple):
    """A user's turn and its reply, all of one session: (number, the words as they are told), in their order.

    What was said before the first turn is in the first cycle. `gap`: what was said right before it is gone.
    """

    session: str
    said: Sequence[tuple[int, str]]
    gap: bool = False


class Buffer(NamedTuple):
    """The first cycles of a conversation, oldest first.

    `now`: it is the one that the bundle goes on with, else the one that was had last. `told` is what a person
    should know of it.
    """

    cycles: Sequence[Cycle] = ()
    now: bool = False
    told: Sequence[str] = ()


def divide_into_cycles(roles: Iterable[str]) -> list[list[int]]:
    """Return the places of a conversation's turns by cycle, without unanswered ones at its end.

    A turn that is said in several messages is one, and so is its reply.
    """
    found: list[list[int]] = []
    places: list[int] = []
    asked = answered = False
    for place, role in enumerate(roles):
        if role == "user":
            if answered:
                found.append(places)
                places, answered = [], False
            asked = True
        elif asked:
            answered = True
        places.append(place)
    return [*found, places] if answered else found
