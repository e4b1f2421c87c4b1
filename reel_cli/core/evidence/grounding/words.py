"""Words as they are looked up in what was said: any form of them, and near synonyms."""

import re
from functools import cache, lru_cache

from reel_cli.core.evidence.grounding.lexicon import IRREGULAR, bare, stem
from reel_cli.core.frozen import frozen

_WORDS = re.compile(r"[^\W_]+")
_SHORTEST = 5
"""Letters of a word that are compared: `kickboxer` is known where `kickboxing` was said, but no bird with a
birthday."""
_ALIKE = (
    *("kid kids child children", "son boy", "daughter girl", "grandma grandmother gran granny nana"),
    *("grandpa grandfather grandad opa", "husband hubby", "spouse partner"),
    *("mom mum mam mother mama mammy mummy mommy mutti mutter maman mamma",),
    *("dad daddy father papa", "dog pup puppy doggo", "cat kitty kitten", "pet animal"),
    *("picture photo photograph image pic snapshot", "phone telephone call ring", "gale storm wind"),
    *("meal food", "house home flat place", "park garden yard", "aunt auntie", "supper dinner"),
    *("car vehicle", "bike bicycle", "road street", "town city village", "job work position", "boss manager"),
    *("class course lesson workshop", "school schools education", "doctor physician medic"),
    *("friend buddy pal", "meeting mtg", "birthday bday", "university uni college"),
    *("write writing writer", "teach teaching", "surfboard surf surfing board"),
    *("group team crew club", "talk speech conversation chat", "book novel", "song tune music track"),
    *("contest competition tournament", "sick ill unwell illness", "hill mountain", "sea ocean beach"),
    *("concert gig show", "trip journey travel vacation holiday getaway", "money cash funds dollars"),
    *("pool swim swimming", "cook dinner meal", "party celebration"),
    *("die dead death died", "apply application", "baby infant toddler newborn"),
    *("bike cycling cyclist", "run running runner jog race"),
)  # fmt: skip
"""Words of which one is known where another was said."""
_KINDS = (
    ("kid", "son daughter"), ("parent", "mom dad"), ("spouse", "husband wife"),
    ("pet", "dog cat rabbit hamster parrot budgie goldfish tortoise"), ("sibling", "sister brother"),
    ("grandparent", "grandma grandpa"), ("meal", "supper lunch breakfast"),
)  # fmt: skip
"""Words for a kind, and for what is of that kind: a son is a child, and no daughter."""


@cache
def _families() -> dict[str, frozenset[str]]:
    """Return the words that are alike, by each of them."""
    found: dict[str, frozenset[str]] = {}
    for words in _ALIKE:
        group = frozenset(words.split())
        for word in group:
            found[word] = found.get(word, frozenset()) | group
    same = dict(found)
    for kind, members in _KINDS:
        names = same.get(kind, frozenset([kind]))
        for member in members.split():
            group = same.get(member, frozenset([member]))
            for word in names:
                found[word] = found.get(word, names) | group
            for word in group:
                found[word] = found.get(word, group) | names
    return found


@cache
def _forms() -> dict[str, tuple[str, ...]]:
    """Return the irregular forms of each base form."""
    found: dict[str, tuple[str, ...]] = {}
    for word, base in IRREGULAR.items():
        found[base] = (*found.get(base, ()), word)
    return found


def list_words(text: str) -> list[str]:
    """Return the words of a text in lower case, in order."""
    return _WORDS.findall(text.lower())


@lru_cache(maxsize=8_192)
def flat_words(text: str) -> str:
    """Return the words of a text in lower case, each with a space on either side."""
    return f" {' '.join(list_words(text))} "


@lru_cache(maxsize=8_192)
def _roots(text: str) -> frozenset[str]:
    """Return the stems of a text's words."""
    return frozenset(map(stem, frozenset(list_words(text))))


@frozen
class WordForms:
    """A word in every form in which it is looked up: its stems, and the beginnings of longer words."""

    roots: frozenset[str]
    beginnings: tuple[str, ...]

    def stands_in(self, text: str) -> bool:
        """Return whether a text has any of the forms."""
        if not self.roots.isdisjoint(_roots(text)):
            return True
        flat = flat_words(text)
        return any(form in flat for form in self.beginnings)

    @property
    def pattern(self) -> str:
        """Return a regular expression of the forms, without what must stand before them."""
        whole = (rf"{re.escape(root.removesuffix('i'))}[a-z]{{0,3}}\b" for root in sorted(self.roots))
        return "(?:" + "|".join((*whole, *(re.escape(form.strip()) for form in self.beginnings))) + ")"


@lru_cache(maxsize=8_192)
def word_forms(word: str) -> WordForms:
    """Return the forms of a word and its near synonyms."""
    plain = bare(word)
    starts: dict[str, None] = {}
    roots: set[str] = set()
    for one in (plain, *sorted(_families().get(plain, _families().get(stem(plain), frozenset())))):
        root = stem(one)
        roots.add(root)
        for form in (one, root, *_forms().get(root, ()), *_forms().get(one, ())):
            roots.add(stem(form))
            if len(form) >= _SHORTEST:
                starts[f" {form[: max(_SHORTEST, len(stem(form)) - 1)]}"] = None
    return WordForms(frozenset(roots), tuple(starts))
