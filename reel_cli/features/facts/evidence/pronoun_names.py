"""Words that point with a pronoun to somebody whom the turns before named: `I owe her one`."""

import re
from collections.abc import Collection, Sequence
from dataclasses import replace

from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.frozen import late
from reel_cli.core.values.talk import Entry
from reel_cli.features.facts.evidence.fact_support import named

_PRONOUN = late(r"(?i)\b(?:she|he|him|her|his)\b")
_OBJECT = late(
    r"(?i)\s*(?:[.,;:!?]|$|(?:an?|the|one|two|three|some|any|no|to|for|that|what|how|on|in|at|by|back|and|or)\b)"
)
_BEGINS = late(r"(?:^|[.!?:;\n\"])[\s\"']*$")
_PLACE = late(r"(?i)\b(?:of|at|in|from|near|by|on)\s+$")
"""Pattern of what stands before the name of a place, which no pronoun means."""


def put_name(
    shown: Sequence[Entry], evidence: str, value: str, speakers: Collection[str]
) -> tuple[Sequence[Entry], str] | None:
    """Return a talk, and words of it, with a name in place of their only pronoun; None where it is unsure.

    The name is the value's, it was said before those words, and no other person was, but the two who talk.
    """
    plain = even(evidence)
    wanted = [one for one in named(value) if one.casefold() not in plain.casefold()]
    pronouns = list(_PRONOUN.finditer(plain))
    if len(wanted) != 1 or len(pronouns) != 1 or len(plain) != len(evidence):
        return None
    place = next((at for at, one in enumerate(shown) if Tape([one]).find(evidence) is not None), -1)
    if place < 0 or _people_in(shown[:place], speakers) != {wanted[0].casefold()}:
        return None
    [found], entry = pronouns, shown[place]
    word, after = found[0].casefold(), plain[found.end() :]
    owns = word == "his" or (word == "her" and _OBJECT.match(after) is None)
    told = f"{plain[: found.start()]}{wanted[0]}{chr(39) + 's' if owns else ''}{after}"
    text = even(entry.message.text)
    if plain.strip() not in text:
        return None
    message = replace(entry.message, text=text.replace(plain.strip(), told.strip(), 1))
    return [*shown[:place], replace(entry, message=message), *shown[place + 1 :]], told


def _people_in(entries: Sequence[Entry], speakers: Collection[str]) -> set[str]:
    """Return the names in turns that may be of people, but those of the two who talk."""
    of_two = {even(one).casefold() for one in speakers}
    found: set[str] = set()
    for entry in entries:
        text = even(entry.message.text)
        for name in {*named(text)} - {one for one in named(text) if one.casefold() in of_two}:
            places = re.finditer(rf"\b{re.escape(name)}\b", text)
            if any(_is_person(text[: one.start()], text[one.end() :]) for one in places):
                found.add(name.casefold())
    return found


def _is_person(before: str, after: str) -> bool:
    """Return whether a word with a capital may name a person, by what stands before and after it.

    At the beginning of a sentence any word has one, unless somebody is called by it.
    """
    begins = _BEGINS.search(before) is not None
    return not _PLACE.search(before) and (not begins or after.startswith((",", "'s")))
