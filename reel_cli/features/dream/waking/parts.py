"""Parts of a warm start beside the rings: the story, the shared context, what was said last."""

from collections.abc import Sequence
from typing import NamedTuple

from reel_cli.core.pack.words import MessageText
from reel_cli.features.dream.dream import Chapter

STORY, CONTEXT, TRACES = PARTS = ("story", "context", "traces")
"""The names of the parts, in the order in which a bundle has them (Dream Weaver §9)."""


class Traces(NamedTuple):
    """The newest session's messages, oldest first; `beside` is what was put right about all of it.

    `asks` says that its last message asks something, `day` (ISO 8601) is that message's.
    """

    session: str
    said: Sequence[MessageText]
    beside: Sequence[str] = ()
    asks: bool = False
    day: str = ""


class Boot(NamedTuple):
    """The parts that a warm start adds to a bundle, from one moment of one kit.

    `sessions` is the number of chats. `context` is the shared context's sections, each with its heading (""
    for what stands above them), and `written` the day of the talk after which it was written (ISO, or "").
    `told` is what a person should know of it.
    """

    chapters: Sequence[Chapter] = ()
    context: Sequence[tuple[str, str]] = ()
    written: str = ""
    traces: Traces | None = None
    told: Sequence[str] = ()
    sessions: int = 0
