"""The screen of a walk through decisions: one thing in short or whole, and its keys."""

from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.values.change import capital, one_line
from reel_cli.terminal.console import Console, find_key
from reel_cli.terminal.decisions.changed_words import mark_changes
from reel_cli.terminal.decisions.items import DecisionItem, split_quietly
from reel_cli.terminal.folding import cells, columns
from reel_cli.terminal.menu import PROMPT
from reel_cli.terminal.plain_text import printable

FEW_LINES = 14
"""Lines of a change that are shown before the rest is left to a key."""
FEW_LETTERS = 400
"""Characters of one line that are shown before the rest is left to a key."""
PIECE = 2_000
"""Characters of a long line that are folded at once where all of it is shown."""
_WORDS = {
    "": "j", "yes": "y", "no": "n", "edit": "e", "split": "s", "whole": "w", "next": "j", "later": "j",
    "back": "k", "quit": "q", "leave": "q", "exit": "q", "help": "?", "h": "?",
}  # fmt: skip
_HELP = {
    "e": "open the text in your editor; you see the result before you keep it",
    "s": "split it, so that each part is decided by itself",
    "w": "show the whole text",
    "u": "not decided after all",
    "j": "the next one, and leave this for later (Enter does the same)",
    "k": "back to the one before, also to change what you decided",
    "q": "leave: what you decided is carried out, the rest waits",
    "?": "this help",
}
LABELS = {
    "e": "edit", "s": "split", "w": "whole text", "u": "undecided", "j": "next", "k": "back", "q": "leave",
    "?": "help",
}  # fmt: skip
"""The walk's own keys, each with its label."""
SUGGESTED = "as it was suggested"
"""Label of `u` where a person's text stands in the place of what was suggested."""


def read_key(word: str, keys: Mapping[str, str]) -> str:
    """Return the key that a typed word stands for, or the word; `keys` come with their labels."""
    return _WORDS.get(word) or find_key(word, keys) or word


def keys_of(item: DecisionItem, *, cut: bool, back: bool) -> dict[str, str]:
    """Return the keys of an item with their labels: its own, then the walk's.

    `cut` means that not all of it is shown, `back` that there is one before it.
    """
    keys = {one.key: one.label for one in item.now.choices}
    if item.now.draft is not None:
        keys["e"] = LABELS["e"]
    if item.now.edited is None and len(split_quietly(item.now)) > 1:
        keys["s"] = LABELS["s"]
    keys |= {"w": LABELS["w"]} if cut else {}
    if item.choice is not None:
        keys["u"] = LABELS["u"]
    elif item.has_own_text:
        keys["u"] = SUGGESTED
    keys["j"] = LABELS["j"]
    keys |= {"k": LABELS["k"]} if back else {}
    return keys | {key: LABELS[key] for key in ("q", "?")}


def show_item(console: Console, item: DecisionItem, place: str, lines: Sequence[str]) -> None:
    """Show one thing at its `place` among the others, with these lines of what would change."""
    console.say()
    what = capital(item.now.what)
    console.heading(console.wrap(printable(f"{place} · {one_line(what, FEW_LETTERS)}"), console.err))
    if item.now.why:
        why = f"{capital(item.now.why).rstrip('.')}."
        console.say(f"  {one_line(why, FEW_LETTERS)}")
    if item.choice is not None:
        console.say(f"  You decided: {item.choice.label}.")
    if lines:
        console.say()
    written = [at for at, line in enumerate(lines) if line.strip()]
    for line in lines[written[0] : written[-1] + 1] if written else ():
        _say_line(console, line)
    console.say()


def _say_line(console: Console, line: str) -> None:
    """Write a line of a change, folded under its mark."""
    shown = printable(line)
    console.say(console.wrap(shown, console.err, "    ", "  ") if shown.strip() else "")


def show_whole(console: Console, lines: Sequence[str]) -> None:
    """Write all lines, a screen at a time."""
    from shutil import get_terminal_size

    room = max(4, get_terminal_size().lines - 2)
    used = 0
    for piece in _pieces(lines):
        _say_line(console, piece)
        used += 1 + (cells(piece) + 4) // columns(console.err)
        if used >= room:
            if find_key(console.ask(f"Enter shows more, q stops {PROMPT}"), {"q": ""}):
                return
            used = 0


def explain_keys(console: Console, item: DecisionItem, keys: Mapping[str, str], total: int) -> None:
    """Write what each of an item's keys does; there are `total` items."""
    console.say()
    own = {one.key for one in item.now.choices}
    for key, label in keys.items():
        console.say(f"  {key}: {label if key in own or label == SUGGESTED else _HELP[key]}")
    first = 1 + sum(key.isdecimal() for key in own)
    if total > first:
        console.say(f"  {'a number' if first == 1 else f'{first:,} or more'}: the decision with that number")
    if total > 1:
        console.say("Nothing is changed before you leave, with q or with Enter after the last.")
        console.say("Ctrl-C stops, and notes what you decided.")
        return
    losing = " or ".join(one.key for one in item.now.choices if one.loses or one.asks)
    asked = f" After {losing} you are asked once more." if losing else ""
    console.say(f"It is the only one, so your answer is carried out at once.{asked}")


def shorten_lines(lines: Sequence[str]) -> tuple[list[str], bool, bool]:
    """Return the first lines, the long ones cut, with how much is left out.

    Also whether anything of the change is left out, and whether anything at all is: of a long line that
    changed in few words, what did not change may be.
    """
    marked = mark_changes(lines[:FEW_LINES])
    short = [line if len(line) <= FEW_LETTERS else f"{line[:FEW_LETTERS].rstrip()}…" for line in marked]
    rest = len(lines) - len(short)
    cut = rest > 0 or short != marked
    if rest > 0:
        short.append(f"… {rest:,} more {'line' if rest == 1 else 'lines'}: w shows all")
    elif cut:
        short.append("… more of it: w shows all")
    return short, cut, cut or marked != list(lines[:FEW_LINES])


def _pieces(lines: Sequence[str]) -> Iterator[str]:
    """Yield the lines, a very long one in pieces, between its words where it has any."""
    for line in lines:
        rest = line
        while len(rest) > PIECE:
            end = rest.rfind(" ", 1, PIECE) if " " in rest[1:PIECE] else PIECE
            yield rest[:end]
            rest = rest[end:]
        yield rest
