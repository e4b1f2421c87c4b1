"""Read whom `he` or `she` means: the last name before it, where its speaker brought that up."""

from collections.abc import Iterable

from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.own_words import is_named
from reel_cli.core.frozen import late
from reel_cli.core.moment import MONTHS, WEEKDAYS
from reel_cli.features.facts.evidence.fact_support import named


def brings_up(value: str, before: str, sentence: str, turns: Iterable[tuple[str, str]]) -> bool:
    """Return whether a value names whom a sentence speaks of, whom its speaker named before the other did.

    That is who the sentence says they are called, else the last name `before` its `he` or `she`; `turns` are
    the roles and texts of the talk so far. A title agrees: `Mr Hale` is no `she`.
    """
    spoken, called = _SPOKEN.search(sentence), _CALLED.search(sentence)
    told = f"{before} {sentence[: spoken.start()] if spoken is not None else ''}"
    every = [called[1]] if called is not None else [one for one in named(told) if not _DAY.fullmatch(one)]
    if spoken is None or not every:
        return False
    last = _OWNS.sub("", every[-1])
    if last not in {_OWNS.sub("", one) for one in named(even(value))}:
        return False
    titles = {one[1] for one in _TITLED.finditer(f"{value} {told}") if one[2] == last}
    if any((one == "Mr") != (spoken[0].casefold() == "he") for one in titles):
        return False
    return next((role for role, text in turns if is_named(text, last)), "user") != "user"


_OWNS = late(r"['’]s?$")
_TITLED = late(r"\b(Mr|Mrs|Ms|Miss)\.? ([A-Z][\w-]+)")
_SPOKEN = late(r"(?i)\b(?:he|she)\b")
_CALLED = late(r"(?i:\b(?:called|named)) ([A-Z][\w-]+)")
_DAY = late(rf"(?i)(?:{'|'.join((*MONTHS, *WEEKDAYS))}|Easter|Christmas)s?")
