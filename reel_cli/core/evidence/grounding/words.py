"""Words as they are looked up in what was said: any form of them, and near synonyms."""

import re
from functools import cache, lru_cache

from reel_cli.core.evidence.grounding.lexicon import IRREGULAR, bare, stem
from reel_cli.core.frozen import frozen

_WORDS = re.compile(r"[^\W_]+")
_SHORTEST = 5
"""Letters of a stem that are compared: `kickboxer` is known where `kickboxing` was said."""
_WHOLE = 4
"""Letters below which a word must stand alone."""
_ALIKE = (
    *("child kid kids children son daughter boy girl", "grandma grandmother gran granny nana grandparent"),
    *("grandpa grandfather grandad", "husband hubby spouse partner wife", "mom mum mother mama"),
    *("dad father papa", "parent mother father mom dad", "pet dog cat pup puppy doggo kitty kitten animal"),
    *("picture photo photograph image pic snapshot", "phone telephone call ring", "gale storm wind"),
    *("meal dinner lunch supper breakfast food", "house home flat place", "park garden yard"),
    *("car vehicle", "bike bicycle", "road street", "town city village", "job work position", "boss manager"),
    *("class course lesson workshop", "school schools education", "doctor physician medic"),
    *("friend buddy pal", "meeting mtg", "birthday bday", "university uni college"),
    *("write writing writer", "teach teacher teaching"),
    *("group team crew club", "talk speech conversation chat", "book novel", "song tune music track"),
    *("contest competition tournament", "sick ill unwell illness", "hill mountain", "sea ocean beach"),
    *("concert gig show", "trip journey travel vacation holiday getaway", "money cash funds dollars"),
    *("pool swim swimming", "surfboard surf surfing board", "cook dinner meal", "party celebration"),
    *("die dead death died", "apply application", "baby infant toddler newborn"),
    *("bike cycling cyclist", "run running runner jog race"),
)  # fmt: skip
"""Words of which one is known where another was said."""


@cache
def _families() -> dict[str, frozenset[str]]:
    """Return the words that are alike, by each of them."""
    found: dict[str, frozenset[str]] = {}
    for words in _ALIKE:
        group = frozenset(words.split())
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    return found


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of each base form."""
    found: dict[str, tuple[str, ...]] = {}
    for word, base in IRREGULAR.items():
        found[base] = (*found.get(base, ()), word)
    return found


@lru_cache(maxsize=8_192)
def _flat(text: str) -> str:
    """Return the words of a text in lower case, each with a space on either side."""
    return f" {' '.join(_WORDS.findall(text.lower()))} "


@frozen
class WordForms:
    """A word in every form in which it is looked up: beginnings of words, and short words whole."""

    forms: tuple[str, ...]

    def stands_in(self, text: str) -> bool:
        """Return whether a text has any of the forms."""
        flat = _flat(text)
        return any(form in flat for form in self.forms)

    @property
    def pattern(self) -> str:
        """Return a regular expression of the forms, without what must stand before them."""
        return (
            "(?:" + "|".join(re.escape(form.strip()) + r"\b" * (form[-1] == " ") for form in self.forms) + ")"
        )


@lru_cache(maxsize=8_192)
def word_forms(word: str) -> WordForms:
    """Return the forms of a word and its near synonyms."""
    plain = bare(word)
    starts: dict[str, None] = {}
    for one in (plain, *sorted(_families().get(plain, ()))):
        root = stem(one)
        for form in (one, root, *_forms().get(root, ()), *_forms().get(one, ())):
            cut = form if len(form) <= _SHORTEST else form[: max(_SHORTEST, len(stem(form)) - 1)]
            starts[f" {cut} " if len(form) < _WHOLE else f" {cut}"] = None
    return WordForms(tuple(starts))
