"""What cards write in place of a name: replaced on the way into a kit."""

import re
from collections.abc import Callable
from dataclasses import dataclass

_COMMENT = re.compile(r"\{\{\s*(?://|comment:)[^{}]*\}\}[ \t]*\n?", re.IGNORECASE)
_ORIGINAL = re.compile(r"\{\{\s*original\s*\}\}[ \t]*\n?", re.IGNORECASE)
_NAME = re.compile(r"\{\{\s*(?P<macro>char|user|persona|bot)\s*\}\}|<(?P<tag>char|user|bot)>", re.IGNORECASE)
_BRACED = re.compile(r"\{\{\s*(char|user|persona|bot)\s*\}\}", re.IGNORECASE)
_LEFT = re.compile(r"\{\{\s*([A-Za-z_]+)")
_DECORATOR = re.compile(r"(?:@@@?[a-z_]+[^\n]*(?:\n|$))+", re.IGNORECASE)
_ESCAPE = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b\n]*(?:\x07|\x1b\\)?)")
"""What steers a terminal, whole: without its first letter the rest of it would be left to read."""
_CONTROL = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\ufeff\u2028\u2029\ud800-\udfff]")


@dataclass(frozen=True, slots=True)
class Names:
    """What the two of a card are called in a kit."""

    char: str
    user: str


def replace_macros(text: str, names: Names) -> str:
    """A text of a card as a kit holds it: names in place of their macros, comments and control codes out.

    What is drawn anew each time (`{{random:…}}`, `{{time}}`) stays as it stands; `macros_left` names it.
    """
    plain = clean_text(text)
    plain = _ORIGINAL.sub("", _COMMENT.sub("", plain))

    def named(found: re.Match[str]) -> str:
        word = (found["macro"] or found["tag"]).lower()
        return names.user if word in {"user", "persona"} else names.char

    return _NAME.sub(named, plain)


def replace_names(text: str, names: Names) -> str:
    """A text that is no card's, with names in place of their macros in braces; `<user>` may be anything."""
    return _BRACED.sub(
        lambda found: names.user if found[1].lower() in {"user", "persona"} else names.char, text
    )


def names_then(content: str, shown: Callable[[str, Names], str], text: str, names: Names) -> Names | None:
    """What the two were called when a content was shown as this text; None where it says something else.

    `shown` is how a content is shown; a name that is not in it is as in `names`.
    """
    char, user = "\x00c\x00", "\x00u\x00"
    parts = re.split(f"({char}|{user})", shown(content, Names(char, user)).strip())
    seen: set[str] = set()
    pattern = ""
    for part in parts:
        group = {char: "char", user: "user"}.get(part)
        if group is None:
            pattern += re.escape(part)
        else:
            pattern += f"(?P={group})" if group in seen else f"(?P<{group}>[^\\n]{{1,80}}?)"
            seen.add(group)
    found = re.fullmatch(pattern, text) if seen else None
    if found is None:
        return None
    said = found.groupdict()
    return Names(said.get("char", names.char), said.get("user", names.user))


def clean_text(text: str) -> str:
    """A text with plain line ends and without control codes; half a character becomes a question mark."""
    plain = _ESCAPE.sub("", text.replace("\r\n", "\n").replace("\r", "\n"))
    return _CONTROL.sub(lambda found: "\ufffd" if found[0] >= "\ud800" else "", plain)


def macros_left(text: str) -> tuple[str, ...]:
    """The names of macros that stand in a text, each once, in order."""
    return tuple(dict.fromkeys(found.lower() for found in _LEFT.findall(text)))


def drop_decorators(text: str) -> str:
    """A lorebook entry's text without the lines at its head that only steer a program (`@@depth 4`)."""
    found = _DECORATOR.match(text)
    return text[found.end() :] if found else text
