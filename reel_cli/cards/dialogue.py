"""Example messages and greetings of a card, as exchanges with the speakers' names in bold, and back."""

import re
from collections.abc import Sequence

from reel_cli.cards.macros import Names, replace_macros

START = "<START>"
_START = re.compile(r"<start>[ \t]*\n?", re.IGNORECASE)
_SPEAKER = re.compile(r"(?im)^[ \t]*(?:\{\{\s*(char|user)\s*\}\}|<(bot|char|user)>)[ \t]*:[ \t]*")
_TURN = re.compile(r"(?m)^\*\*(.+?):\*\*[ \t]*")


def split_examples(text: str) -> Sequence[str]:
    """The example conversations of `mes_example`, each as it was written, blank ones left out."""
    return [part for part in _START.split(text) if part.strip()]


def to_exchange(text: str, names: Names) -> str:
    """One example as a kit holds it, each turn beginning with the speaker's name in bold."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    marked = re.compile(
        rf"(?m)^[ \t]*(?:{re.escape(names.char)}|{re.escape(names.user)})[ \t]*:[ \t]*", re.IGNORECASE
    )
    cuts = sorted(
        (found.start(), found.end(), _who(found, names))
        for pattern in (_SPEAKER, marked)
        for found in pattern.finditer(plain)
    )
    if not cuts:
        return to_greeting(text, names)
    turns = [replace_macros(plain[: cuts[0][0]], names).strip()]
    for at, (_, start, who) in enumerate(cuts):
        end = cuts[at + 1][0] if at + 1 < len(cuts) else len(plain)
        said = replace_macros(plain[start:end], names).strip()
        turns.append(f"**{who}:** {said}".rstrip())
    return "\n\n".join(turn for turn in turns if turn)


def _who(found: re.Match[str], names: Names) -> str:
    word = next((group for group in found.groups() if group), None) if found.re.groups else None
    if word is None:
        word = "user" if found[0].strip().casefold().startswith(names.user.casefold()) else "char"
    return names.user if word.casefold() == "user" else names.char


def to_greeting(text: str, names: Names) -> str:
    """What the character says first, as an exchange of one turn; "" where that is nothing."""
    said = replace_macros(text, names).strip()
    return f"**{names.char}:** {said}" if said else ""


def from_exchange(text: str, names: Names) -> str:
    """An exchange of a kit as an example of a card."""
    who = {names.char: "{{char}}", names.user: "{{user}}"}

    def spoken(found: re.Match[str]) -> str:
        return f"{who[found[1]]}: " if found[1] in who else found[0]

    return _TURN.sub(spoken, text).strip()


def from_greeting(text: str, names: Names) -> str:
    """What an exchange of one turn says."""
    return text.strip().removeprefix(f"**{names.char}:**").strip()
