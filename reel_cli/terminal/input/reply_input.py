"""A reply as a person brings it, from the clipboard, an editor or a file, or their wish for less."""

from enum import Enum
from pathlib import Path
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.terminal.console import HELP, find_key, is_command, tell_unknown
from reel_cli.terminal.input.given_text import dropped_path, edit_text, find_typed, read_given
from reel_cli.terminal.input.typed_line import LONG
from reel_cli.terminal.menu import PROMPT, say_keys
from reel_cli.terminal.refused_reply import SENTENCE, unlost_paste

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

_PASTE = ("", "Paste the answer here and press Enter")
_HELP_KEY = ("?", "other ways")
_SHORTER = ("b", "a short page")


class Turn(Enum):
    """A person's wish that is no reply."""

    SHORTER = "shorter"
    DROP = "drop"


PAGES = ("checkpoint", "consolidate")
"""Commands whose prompts ask for a page."""


def later(opened: "OpenKit", command: str) -> str:
    """Return the command with which a prompt that waits is answered another time."""
    return "reel end" if opened.context.ends else f"reel {command} --reply FILE"


def ask_again(opened: "OpenKit", command: str) -> str:
    """Return the command that asks over the same wire once more."""
    via = opened.context.via
    return f"reel {command} --via {via.to}" if via is not None and via.to else f"reel {command}"


def _name_reply(command: str) -> str:
    return "page" if command.partition(" ")[0] in PAGES else "answer"


def _say_later(opened: "OpenKit", command: str) -> None:
    """Show how the reply can come later."""
    opened.console.say(
        f"The prompt is kept. When you have the {_name_reply(command)}:  {later(opened, command)}"
    )
    if opened.over_wire:
        opened.console.say(f"To ask the model again:  {ask_again(opened, command)}")


def wait_for_reply(  # noqa: PLR0913 (what is asked for, and what is shown with it)
    opened: "OpenKit",
    command: str,
    choices: tuple[bool, str],
    *,
    begun: bool = False,
    lead: str = "",
    prompt: str = "",
) -> str | Turn | None:
    """Wait until the person has the reply: on the clipboard, in an editor or a file; None for later.

    `choices` says whether they may ask for less, and in a word or two how they may do without a reply (""
    for not at all). Where an answer has `begun` to come, that they can ask for less is shown at once. `lead`
    is what is shown in one line with the keys, and says what Enter does. The `prompt` is shown to who asks
    for it, where it could not be pasted.
    """
    from reel_cli.terminal import clipboard

    console, watch = opened.console, opened.context.watch
    shorter, drops = choices
    back = opened.context.back_to
    keys = (
        *([_SHORTER] if begun and shorter else []),
        ("q", f"back to {back}" if back else "later"),
        _HELP_KEY,
    )
    if lead:
        console.say(" ".join((lead, *(f"{key}: {words}." for key, words in keys))))
    else:
        say_keys(console, (*(clipboard.keys() or [_PASTE]), *keys))
    known = {
        "e": "your editor", "f": "a file", **({"s": "show the prompt"} if prompt else {}),
        **({"b": _SHORTER[1]} if shorter else {}), **({"d": drops} if drops else {}), **dict(keys),
    }  # fmt: skip
    while True:
        try:
            with unlost_paste(opened, f"the {_name_reply(command)}", f"{command} --reply"):
                answer = watch.ask() if watch else console.ask(PROMPT, block=True)
        except EOFError:
            answer = "q"
        if watch and watch.taken:
            return watch.taken
        key = find_key(answer, known)
        answer = key if key and not _is_file(answer) else answer
        if answer == "q":
            _say_later(opened, command)
            return None
        if answer == "s" and prompt:
            console.show_to_paste(prompt)
            continue
        if answer == "b" and shorter:
            return Turn.SHORTER
        if answer == "d" and drops:
            return Turn.DROP
        text = _take_answer(opened, answer, shorter=shorter, drops=drops)
        if text is not None:
            return text


def _take_answer(opened: "OpenKit", answer: str, *, shorter: bool, drops: str) -> str | None:
    """Return the reply that a line brings, or is; None, and a line that says so, where it brings none."""
    if not answer:
        return _read_clipboard(opened)
    if answer == "e":
        try:
            text = edit_text(opened.console, opened.state.folder / "reply.md", "")
        except ReelError as error:
            # the chat and the prompt are safe, and there are other ways to give the answer
            opened.console.error(error.message, error.hint)
            return None
        if text.strip():
            return text
        opened.console.say("Nothing was saved in the editor.")
        return None
    if "\n" in answer:
        return f"{answer}\n"
    if answer == "f" or answer.startswith("f "):
        return _read_named(opened, answer[1:].strip())
    if _is_file(answer):
        return _read_named(opened, answer)
    long = (len(answer) > LONG and " " in answer) or len(answer.split()) >= SENTENCE
    if long and not is_command(answer):
        # more than a key or a name, so it may be an answer of one paragraph, or a refusal
        return f"{answer}\n"
    _explain_keys(opened, answer, shorter=shorter, drops=drops)
    return None


_SHORT = "ask for a short page: what happened, what matters, three notes, no facts"


def _explain_keys(opened: "OpenKit", answer: str, *, shorter: bool, drops: str) -> None:
    """Say what each key does, after a person asked for that or typed none of them."""
    from reel_cli.terminal import clipboard

    console, back = opened.console, opened.context.back_to
    if answer not in HELP:
        console.say(console.wrap(tell_unknown(answer), console.err))
    if is_command(answer):
        return
    told = [("Enter", "take the answer that you copied")] if clipboard.keys() else []
    told += [
        ("paste", "the answer itself can be pasted here; then press Enter"),
        ("e", "open your editor: paste the answer there, save, close"),
        ("f", "name a file with the answer"),
        ("s", "show the prompt here, to copy it by hand"),
        *([("b", _SHORT)] if shorter else []),
        *([("d", drops)] if drops else []),
        ("q", f"{f'go back to {back}' if back else 'leave it for another time'}; the prompt is kept"),
    ]
    for key, words in told:
        console.say(f"  {key:<5}  {words}")


def _is_file(answer: str) -> bool:
    """Tell whether a person typed a file's name where a key was asked for."""
    place = find_typed(dropped_path(answer)) if len(answer) > 1 else None
    return place is not None and place.is_file()


def _read_named(opened: "OpenKit", name: str) -> str | None:
    """Return the text of a file that a person names, or is asked to name; None where there is none."""
    name = name or opened.console.ask("Which file?", block=True)
    if "\n" in name:
        # the answer itself, where its file was asked for
        return f"{name}\n"
    if name in ("", "q"):
        return None
    path = find_typed(dropped_path(name)) or Path(name)
    try:
        text = read_given(str(path))
    except ReelError as error:
        opened.console.error(error.message, error.hint)
        return None
    # a purge names the files that keep what it took
    opened.state.note_recorded_from([path])
    return text


def _read_clipboard(opened: "OpenKit") -> str | None:
    """Return the text on the clipboard; None, and a line that says so, where there is none."""
    from reel_cli.terminal import clipboard

    text = clipboard.paste()
    if text is None:
        opened.console.say("reel cannot read a clipboard here: paste the answer, or use e or f.")
    elif not text.strip():
        opened.console.say("The clipboard is empty.")
        return None
    return text
