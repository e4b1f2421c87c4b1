"""Names of a memory that nobody said, of somebody whom the chat calls a letter or two otherwise."""

from collections.abc import Iterator

from reel_cli.core.evidence.grounding.lexicon import bare
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.frozen import frozen, late

_ROLE = (
    r"(?i:(?:grand|step|great-?)*(?:mother|father|parent|son|daughter|uncle|aunt|niece|nephew)|(?:half-?)?(?:brother"
    r"|sister)|grandma|grandpa|cousin|twin|husband|wife|boyfriend|girlfriend|fiancée?|partner|neighbou?r|colleague"
    r"|boss|doctor|nurse|surgeon|dentist|therapist|teacher|landlord|landlady|lawyer|vet|dog|cat|horse|dr|mr|mrs|ms)"
)
_NAME = r"[A-ZÀ-ÖØ-Þ][a-zß-öø-ÿ]{3,}"
_CALLED = late(rf"\b(?P<role>{_ROLE})(?:\.|,|['’]s name (?:is|was)|,? (?:called|named))? (?P<name>{_NAME})\b")
_FREE = frozenset("aeiouy")
"""Letters at the end of a name that forms of it have and lack: `Kath`, `Kathy`, `Anna`, `Anne`."""
_ENDINGS = frozenset(("s", "n", "es", "en", "ns", "m's"))
_LONG = 6
"""Letters from which on two may differ."""


@frozen
class MisspeltName:
    """A name in a text, and the passage that has the other one of the same role; `word` is the name."""

    word: str
    start: int
    end: int
    said: Passage


def find_misspelt(text: str, source: Source) -> Iterator[MisspeltName]:
    """Yield the names behind a role (`grandfather Anselm`) whose bearer the source calls nearly the same.

    A name that was said anywhere in the source is somebody else's; forms of one name are one.
    """
    words = {bare(one) for turn in source.said for one in turn.turn.text.replace("’", "'").split()}
    said = {one.strip('.,;:!?"“”()…-') for one in words}
    for found in _CALLED.finditer(text):
        name = bare(found["name"])
        if name in said:
            continue
        for one in source.statements:
            others = (other for other in _CALLED.finditer(one.text) if not one.whole)
            if any(
                other["role"].casefold() == found["role"].casefold() and _is_slip(name, bare(other["name"]))
                for other in others
            ):
                yield MisspeltName(found["name"], *found.span("name"), source.passage(one))
                break


def _is_slip(name: str, other: str) -> bool:
    """Return whether two names differ in a letter or two, and not as the forms of one name do."""
    if name[:1] != other[:1] or name == other or not (name.isalpha() and other.isalpha()):
        return False
    short, long = sorted((name, other), key=len)
    if long.startswith(short) and (long[len(short) :] in _ENDINGS or set(long[len(short) :]) & _FREE):
        return False
    if name.rstrip("aeiouys") == other.rstrip("aeiouys"):
        return False
    return _differ(name, other) <= (2 if len(short) >= _LONG else 1)


def _differ(one: str, other: str) -> int:
    """Return the number of letters to put, take or change to come from one word to another."""
    row: list[int] = [*range(len(other) + 1)]
    for at, letter in enumerate(one, start=1):
        fresh = [at]
        for place, there in enumerate(other, start=1):
            fresh.append(min(row[place] + 1, fresh[-1] + 1, row[place - 1] + (letter != there)))
        row = fresh
    return row[-1]
