"""Exchanges about several things at once: a prompt, and a reply that offers a change for each of them.

`open_ask.py` asks for the page of a session; this module is for everything else that goes out in one paste.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import field
from typing import Any

from reel_cli.core.exchange.exchange import Exchange
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change


@frozen
class Offer:
    """One change a reply offers, to be decided by itself: a heading, what it would do, what speaks against.

    `plan` makes the change from the kit as it then stands; it raises ReelError, with a sentence on what is
    offered, where the kit no longer fits. `doubts` are such that only a person may pass over them.
    """

    id: str
    title: str
    heading: str
    shown: tuple[str, ...]
    plan: Callable[[Snapshot], Change]
    doubts: tuple[Problem, ...] = ()
    told: Mapping[str, Any] = field(default_factory=dict)
    """Values for a program, beside `id` and `commit`."""
    bearer: str = "what was said"
    """Name of the source it is checked against and that does not support the doubtful parts."""


@frozen
class Left:
    """One thing that stays as it is, and why; `again` where another reply may do better.

    `done` where it is as the reply has it already; `doubts` are what its source does not bear.
    """

    id: str
    title: str
    why: str
    again: bool = True
    done: bool = False
    doubts: tuple[Problem, ...] = ()


@frozen
class Answer:
    """A reply, read and checked; `refusal` says why none of it can be used.

    `nothing` is a sentence where the reply is good and wants nothing changed.
    """

    offers: tuple[Offer, ...] = ()
    left: tuple[Left, ...] = ()
    problems: tuple[Problem, ...] = ()
    refusal: str = ""
    nothing: str = ""


EMPTY = Answer(refusal="The reply is empty.")
NO_ANSWER = Answer(refusal="That is the prompt itself, not the answer to it.")


@frozen
class Handout:
    """An exchange whose reply offers changes, each to be decided by itself.

    `command` is how its reply is given. `read` reads a reply; `repeat` asks again for the things of these IDs
    and for what was to be asked after all of them; None where that is nothing. `page` is the answer, where a
    person may edit it before it is kept, and where what they decline is laid by.
    """

    ask: Exchange
    command: str
    read: Callable[[Snapshot, str], Answer]
    repeat: Callable[[Snapshot, Sequence[str]], "Handout | None"] = lambda *_: None
    page: str = ""

    @property
    def prompt(self) -> str:
        """Return the prompt as it is sent."""
        return self.ask.prompt
