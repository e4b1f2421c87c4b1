"""A chat with a model as it goes on: its bundle, its turns, and what of them is sent for the next reply."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.exchange.companion_asks import AROUND, LEAST_REPLY, room_for_reply
from reel_cli.core.values.behavior import chat_manner, wire_limit
from reel_cli.core.values.talk import Kind, Message

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Counter
    from reel_cli.core.values.settings import Settings

MIND_SHARE = 10
"""Divisor of the window: what comes to mind takes at most a tenth of it …"""
MIND_MOST = 1_200
"""… and at most this many tokens."""


@dataclass(frozen=True, slots=True)
class OutgoingMessages:
    """The messages for one reply, as (role, text); how many tokens, and what had no room.

    `left_out` are the oldest turns of the chat that are not among them.
    """

    messages: Sequence[tuple[str, str]]
    tokens: int
    left_out: int = 0
    minded: bool = True
    """True if the moments that came to mind are among them."""


class Talk:
    """One chat: `system` is what it begins with, `turns` what was said, with the thinking behind it."""

    def __init__(self, settings: "Settings", counter: "Counter", window: int) -> None:
        """Count by `counter`; the model sees `window` tokens, its reply with them."""
        self.window = window
        self.system = ""
        self.turns: list[Message] = []
        self.told = 0
        """Number of first turns that are told in the beginning and not sent."""
        usual = room_for_reply(window)
        self.most = wire_limit(settings, usual)
        """The most tokens of an answer that the kit asks for; 0 where it does not."""
        self.manner = chat_manner(settings, usual)
        """The form of answers that the kit asks for; "" where it does not."""
        self._counter = counter
        self._around = max(AROUND, settings.template_message)
        self._fixed = settings.template_fixed
        self._sizes: dict[str, int] = {}

    @property
    def room_for_mind(self) -> int:
        """Return the tokens for recalled moments at any one time."""
        return min(self.window // MIND_SHARE, MIND_MOST)

    def said(self) -> list[Message]:
        """Return the turns alone, without those that the beginning already covers."""
        return [turn for turn in self.turns[self.told :] if turn.kind is Kind.SAID]

    def take_back_reply(self) -> list[Message]:
        """Remove the last reply, with the thinking behind it; none if the person spoke last."""
        asked = [at for at, turn in enumerate(self.turns) if turn.role == "user" and at >= self.told]
        last = max(asked, default=len(self.turns))
        gone = self.turns[last + 1 :]
        del self.turns[last + 1 :]
        return gone

    def fits(self, text: str) -> bool:
        """Return whether there is room for a turn at all, beside the chat's beginning."""
        return self._fixed + self._size(self.system) + self._size(text) + LEAST_REPLY <= self.window

    def room_behind(self, after: Sequence[tuple[str, str]]) -> int:
        """Return the tokens for recalled moments behind the last turn and what follows it."""
        least = self._fixed + self._size(self.system) + LEAST_REPLY + self._around
        used = sum(
            self._size(text) for text in (*(turn.text for turn in self.said()[-1:]), *(t for _, t in after))
        )
        return max(0, min(self.room_for_mind, self.window - least - used))

    def send(self, mind: str = "", after: Sequence[tuple[str, str]] = ()) -> OutgoingMessages:
        """Return the messages for the next reply; `mind` goes before the last turn, `after` behind it.

        What does not fit goes without a word being cut: first what came to mind, then the oldest turns.
        """
        turns = [(turn.role, turn.text) for turn in self.said()]
        least = self._fixed + self._size(self.system) + LEAST_REPLY
        last = turns[-1:]
        beyond = sum(self._size(text) for _, text in (*last, *after))
        minded = least + beyond + self._size(mind) <= self.window
        if mind and minded:
            role, text = last[0]
            last = [(role, f"{mind}\n\n{text}")]
        used = least + sum(self._size(text) for _, text in (*last, *after))
        kept: list[tuple[str, str]] = []
        for turn in reversed(turns[:-1]):
            size = self._size(turn[1])
            if used + size > self.window:
                break
            kept.append(turn)
            used += size
        left_out = len(turns) - 1 - len(kept)
        while kept and left_out and kept[-1][0] == "assistant":
            # the remaining talk begins with the person, as chat templates require
            used -= self._size(kept.pop()[1])
            left_out += 1
        messages = [("system", self.system), *reversed(kept), *last, *after]
        return OutgoingMessages(messages, used - LEAST_REPLY, left_out, minded)

    def _size(self, text: str) -> int:
        """Return the token count of a message; each text is counted once."""
        if not text:
            return 0
        if text not in self._sizes:
            self._sizes[text] = self._counter.count(text) + self._around
        return self._sizes[text]
