"""Words of a reply that speak of how memory is kept, which nobody who remembers would say (REEL §10.1).

`leaks/` has the phrases.
"""

import re
from collections.abc import Iterator

from reel_cli.core.evidence.leaks.all_rules import RULES, SIGN
from reel_cli.core.evidence.leaks.rule import Leak
from reel_cli.core.frozen import frozen
from reel_cli.core.quote_marks import QUOTED
from reel_cli.core.stage_chain import find_syntax

AROUND = 90
"""Characters before and after a phrase that show what it is about."""
WINDOW = 160
"""Characters before and after a sign in which the rules are tried; no phrase is longer."""
LONGEST = 100_000
"""Characters of a reply that are checked; the rest is not."""


@frozen
class LeakedPassage:
    """One place in a reply: what is spoken of, where it stands, the words, the sentence around them.

    Where it is not `sure`, it is a leak only if the words are the number of one that there is.
    """

    kind: Leak
    start: int
    end: int
    words: str
    sentence: str
    sure: bool = True


_ITS_WORK = re.compile(
    r"(?i)\breel\b.{0,80}\b(?:kits?|protocol|software|program|command|tool|memory)\b"
    r"|\bmemory (?:architecture|systems?|engineer\w*|software)\b|\bcontext windows\b|\blanguage models\b"
    r"|\bprompt engineer"
)
_MACHINE = re.compile(
    r"\bAI\b|\bA\.I\.|\bLLM\b|(?i:artificial|language model|chat ?bot|\bbot\b|assistant|machine|digital"
    r"|software|\bprogram\b|made of (?:words|language|text)|no body|instance|still writing down who you are)"
)
_FENCED = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_HEADING = re.compile(r"(?m)^#{1,6} .*$")
_QUOTED = re.compile(r"(?m)^[ \t]*>.*$")
_ENDS = re.compile(r"[.!?…]+[\"')\]*_]*\s|\n")
_EVEN = str.maketrans("‘’ʼ“”‑", "'''\"\"-")


def find_leaks(reply: str) -> list[LeakedPassage]:
    """Return the mentions of the machinery in a reply, in order; at most one sure mention a sentence.

    What stands in a code block or a quotation of lines is passed over.
    """
    if not SIGN.search(reply):
        return []
    text = reply[:LONGEST].translate(_EVEN)
    text = _QUOTED.sub(_blank, _FENCED.sub(_blank, text))
    found: dict[tuple[int, int], LeakedPassage] = {}
    places = [*_places(text.replace("\n", " "))]
    places += [(Leak.TAG, start, end, True) for start, end in find_syntax(text)]
    for kind, start, end, sure in sorted(
        places, key=lambda place: (not place[3], place[0] is Leak.MODEL, place[1])
    ):
        words = " ".join(text[start:end].split())
        bounds = _sentence(text, start, end)
        sentence = " ".join(reply[slice(*bounds)].split())
        found.setdefault(bounds, LeakedPassage(kind, start, end, words, sentence, sure))
    return sorted(found.values(), key=lambda one: one.start)


def find_machinery(text: str, identity: str) -> list[LeakedPassage]:
    """Return the sure mentions of the machinery in a memory's own words: no headings, quotations or tags.

    There are none for an identity that asks for talk of how memories are kept.
    """
    if is_about_memory(identity) or not SIGN.search(text):
        return []
    own = QUOTED.sub(_blank, _HEADING.sub(_blank, text))
    return [one for one in find_leaks(own) if one.sure and one.kind is not Leak.TAG]


def is_taken_up(leaked: LeakedPassage, heard: str, identity: str = "") -> bool:
    """Return whether a mention is no leak, because the words were said before or the identity allows them.

    `heard` is what the user said, and the identity. That it is a model may be said by whoever is not plainly
    a person, or where the user spoke of it.
    """
    if leaked.kind is Leak.MODEL and (not is_of_person(identity) or _MACHINE.search(heard)):
        return True
    return leaked.words.casefold() in " ".join(heard.translate(_EVEN).casefold().split())


def is_of_person(identity: str) -> bool:
    """Return whether an identity is that of somebody, and says nothing of a machine or of being words."""
    return bool(identity.strip()) and _MACHINE.search(identity) is None


def is_about_memory(identity: str) -> bool:
    """Return whether an identity asks for talk of how memories are kept; then nothing is a leak."""
    return _ITS_WORK.search(identity) is not None


def _places(text: str) -> Iterator[tuple[Leak, int, int, bool]]:
    windows = list(_windows(text))
    for rule in RULES:
        for start, end in windows:
            for match in rule.phrase.finditer(text, start, end):
                around = text[max(0, match.start() - AROUND) : match.end() + AROUND]
                if rule.unless is not None and rule.unless.search(around):
                    continue
                sure = rule.about is None or rule.about.search(around) is not None
                if sure or rule.kind is Leak.NAME:
                    yield rule.kind, match.start(), match.end(), sure


def _windows(text: str) -> Iterator[tuple[int, int]]:
    """Yield the parts of a text in which a rule could match: what stands around a sign of one."""
    start = end = 0
    for sign in SIGN.finditer(text):
        if sign.start() - WINDOW > end:
            if end:
                yield start, end
            start = text.rfind(" ", 0, max(0, sign.start() - WINDOW)) + 1
        near = text.find(" ", sign.end() + WINDOW)
        end = near if near >= 0 else len(text)
    if end:
        yield start, end


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    first = max((found.end() for found in _ENDS.finditer(text, 0, start)), default=0)
    after = _ENDS.search(text, end)
    return first, after.end() if after else len(text)


def _blank(found: re.Match[str]) -> str:
    return "".join(c if c == "\n" else " " for c in found[0])
