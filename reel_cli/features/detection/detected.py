"""Fit of a loaded model and the kit: whether the kit is packed for its window."""

from enum import StrEnum
from typing import TYPE_CHECKING

from reel_cli.core.values.settings import Settings

if TYPE_CHECKING:
    from reel_cli.features.wire.connect import Loaded


class Overflow(StrEnum):
    """Policies of LM Studio for a chat that outgrows the window, as its files call them."""

    CUT_MIDDLE = "truncateMiddle"
    ROLL = "rollingWindow"
    STOP = "stopAtLimit"


def tell_fit(loaded: "Loaded", settings: Settings | None, policy: str = "") -> list[str]:
    """Return notes on a model and a kit of these settings, a sentence each.

    `policy` is the app's for chats that grow too long, "" where it is not known.
    """
    told = []
    window = min(settings.window, settings.cap) if settings is not None else 0
    context = loaded.context
    if not context:
        told.append(f"{loaded.app} does not say with what length {loaded.model} is loaded.")
    elif window > context:
        told.append(
            f"The kit is packed for {window:,} tokens, and {loaded.model} holds {context:,}:"
            f" {_lost(loaded, policy)}"
        )
    elif loaded.app == "LM Studio" and policy in ("", Overflow.CUT_MIDDLE):
        usual = "as is its default" if not policy else "as your last chat there has it"
        told.append(
            f"When a chat outgrows this, LM Studio cuts out its middle, {usual}, and says nothing. Under"
            " Context Overflow choose Stop at limit, and reel keep goes on in time."
        )
    elif loaded.app == "Ollama":
        told.append("When a chat outgrows this, Ollama leaves out the oldest of it, and says nothing.")
    if context and window and context >= 2 * window:
        told.append(f"There is room for more than the {window:,} tokens the kit is packed for.")
    if loaded.most and context and loaded.most > context:
        told.append(f"It was made for up to {loaded.most:,}; loaded with more, it holds more.")
    return told


def _lost(loaded: "Loaded", policy: str) -> str:
    if loaded.app == "LM Studio" and policy == Overflow.STOP:
        return "LM Studio stops there."
    if loaded.app == "LM Studio" and policy != Overflow.ROLL:
        return "LM Studio cuts the middle out of a bundle that is too long, and says nothing."
    return f"{loaded.app} leaves out what is too long, the oldest first, and says nothing."
