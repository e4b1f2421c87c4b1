"""The question for a chat that no app on this machine has: its file, the clipboard, or a paste."""

from typing import TYPE_CHECKING

from reel_cli.core.values.change import one_line
from reel_cli.terminal.console import HELP, find_key, is_command, tell_unknown
from reel_cli.terminal.menu import PROMPT, say_keys

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

THE_PAGE = "e"
"""The key, and the answer, that goes on with the page of an earlier chat."""
SHORT = 3
"""Letters up to which an answer was more likely meant for a key than for a file."""
_TRIED = ("p", "-")


def ask_chat(opened: "OpenKit", earlier: str = "") -> str | None:
    """Return the chat's file, or `-` for one that is pasted or was copied; None for none.

    A text of several lines that is pasted in place of a name is the chat, and so is one line after `p`.
    `earlier` is the page of an earlier chat that a key goes on with; the answer is then THE_PAGE.
    """
    from reel_cli.terminal import clipboard
    from reel_cli.terminal.input.given_text import dropped_path, find_typed, lay_input
    from reel_cli.terminal.refused_reply import unlost_paste

    console = opened.console
    console.say("Drag the chat's file into this window, or type its name, and press Enter.")
    copied = [("Enter", "the chat that you copied")] if clipboard.can_read() else []
    keys = [*copied, ("p", "paste it here"), *([("e", earlier)] if earlier else []), ("q", "later")]
    say_keys(console, keys)
    told, pasting = dict(keys[len(copied) :]), False
    while True:
        try:
            with unlost_paste(opened, "the chat", "end"):
                answer = console.ask(PROMPT, block=True)
        except EOFError:
            answer = "q"
        key = find_key(answer, told)
        answer = key if key and (answer == key or find_typed(dropped_path(answer)) is None) else answer
        if answer == "q":
            return None
        if answer in _TRIED:
            pasting = True
            console.say("Paste the whole chat now, and press Enter.")
            continue
        if answer == THE_PAGE and earlier:
            return THE_PAGE
        if "\n" in answer:
            lay_input(f"{answer}\n")
            return "-"
        if not answer and copied:
            text = clipboard.paste() or ""
            if text.strip():
                lay_input(text)
                return "-"
            console.say("The clipboard is empty.")
        elif answer and answer not in HELP:
            # the command that takes the file has its name
            name = dropped_path(answer.removeprefix("reel end "))
            if find_typed(name) is not None:
                return name
            if pasting:
                lay_input(f"{answer}\n")
                return "-"
            _say_no_file(console, answer, name, keys)
        else:
            console.say("Save the chat as a file from your chat program, and drag it into this window.")
            say_keys(console, keys)


def _say_no_file(console: "Console", answer: str, name: str, keys: "Sequence[tuple[str, str]]") -> None:
    """Say that an answer is neither a key nor the `name` of a file; a short one was meant for a key."""
    from reel_cli.terminal.input.given_text import LONGEST_NAME

    missing = f"There is no file {one_line(name, LONGEST_NAME)} here."
    console.say(console.wrap(tell_unknown(answer) if is_command(answer) else missing, console.err))
    if len(answer) <= SHORT:
        say_keys(console, keys)
