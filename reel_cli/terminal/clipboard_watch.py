"""Waiting for a reply to appear on the clipboard, where a person asked for that; every key goes on working.

What is copied meanwhile stays in memory: what is no answer is neither kept nor shown, for it may be anything.
"""

import select
import sys
import time
from collections.abc import Callable
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.terminal import clipboard

if TYPE_CHECKING:
    from reel_cli.core.exchange.open_ask import Ask
    from reel_cli.terminal.context import OpenKit

EVERY = 0.7
"""The clipboard is looked at this often, in seconds; less often where looking takes long."""
SHARE = 4
"""Factor of the time a look took that is waited until the next."""
ENOUGH = 2
"""Number of a page's parts that make a text an answer; if fewer are asked for, all of them."""


class ClipboardWatch:
    """Watcher for one exchange's reply; `judge` returns why a text is not it, "" if it is."""

    def __init__(self, opened: "OpenKit", judge: Callable[[str], str]) -> None:
        """Keep the judge; nothing is read before `ask`."""
        self._console, self._judge = opened.console, judge
        self._told = False
        self.taken = ""
        """The text that `ask` found on the clipboard; "" if a line was typed instead."""

    def ask(self) -> str:
        """Return the next typed line; or "" with `taken`, as soon as an answer is copied.

        What is on the clipboard at the beginning is not looked at: it was copied for something else.
        Raises EOFError at the end of input.
        """
        console, self.taken = self._console, ""
        if not clipboard.can_read():
            self._say_once(f"The clipboard cannot be watched: {_unreadable()}. The keys work.")
            return console.ask("›")
        self._say_once("Watching the clipboard: copy the answer, and it is taken without a key.")
        before, wait = clipboard.paste(), EVERY
        while True:
            if console.redraws:
                console.live("› ")
            if _typed_within(wait):
                return console.read_line()
            began = time.monotonic()
            text = clipboard.paste()
            wait = max(EVERY, SHARE * (time.monotonic() - began))
            if text is None or text == before or not text.strip():
                continue
            before = text
            if why := self._judge(text):
                console.say(f"({why}; still watching)")
                continue
            self.taken = text
            console.say("Took the answer from the clipboard.")
            return ""

    def _say_once(self, line: str) -> None:
        if not self._told:
            self._console.say(line)
            self._told = True


def watch_for(opened: "OpenKit", ask: "Ask") -> ClipboardWatch:
    """Watch for the reply to a prompt that was handed out, or to the request for the rest of it."""

    def judge(text: str) -> str:
        # what came through of it by now is kept in the prompt's state
        from reel_cli.core.exchange.exchange import find_waiting
        from reel_cli.core.exchange.open_ask import Ask

        waiting = find_waiting(opened.state, Ask, ask.name)
        return why_no_answer(waiting or ask, opened.snapshot.settings.name, text)

    return ClipboardWatch(opened, judge)


def why_no_answer(ask: "Ask", name: str, text: str) -> str:
    """Return why a copied text is not the answer to a prompt, in a clause; "" if it looks like one.

    `name` is the persona's. The reader's own judgement counts: which parts of the page it finds.
    """
    from dataclasses import replace

    from reel_cli.core.exchange.open_ask import read_replies
    from reel_cli.core.exchange.prompts import find_prompt

    try:
        reading = read_replies(replace(ask, replies=()), (name,), text)
    except ReelError:
        return "passed over what was copied: it is far too long for a page"
    span = find_prompt(text)
    alone = span is not None and not (text[: span[0]] + text[span[1] :]).strip()
    if reading.is_prompt or alone:
        return "what was copied is the prompt itself"
    wanted = len(read_replies(ask, (name,)).missing) if ask.replies else len(reading.schema.asked)
    found = len(reading.answered)
    if found >= min(ENOUGH, max(1, wanted)):
        return ""
    return (
        "passed over what was copied: it is no page" if not found else "passed over: only one part is in it"
    )


def _unreadable() -> str:
    if clipboard.over_ssh():
        return "over SSH a terminal lets reel write to it, not read it"
    return clipboard.NOWHERE


def _typed_within(seconds: float) -> bool:
    """Return whether a line was typed or the input has ended; waits at most this many seconds."""
    try:
        number = sys.stdin.fileno()
    except (OSError, ValueError):
        # not a terminal of the system's: what it has is there already
        return True
    if sys.platform == "win32":
        import msvcrt

        until = time.monotonic() + seconds
        while not msvcrt.kbhit():
            if time.monotonic() >= until:
                return False
            time.sleep(0.05)
        return True
    return bool(select.select([number], [], [], seconds)[0])
