"""Cycles of a conversation: a person's turn and the reply to it (SRIP-11 §II)."""

from collections.abc import Iterable


def divide_into_cycles(roles: Iterable[str]) -> list[list[int]]:
    """Return the places of a conversation's turns by cycle, without unanswered ones at its end.

    A turn that is said in several messages is one, and so is its reply. What was said before the first turn
    is in the first cycle.
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
