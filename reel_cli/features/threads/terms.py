"""Terms of what was said: the words that can carry a thread, without a model and in any script."""

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from math import sqrt

from reel_cli.core.frozen import frozen, late
from reel_cli.core.tape.search.forms import ASKING, STOP
from reel_cli.core.tape.search.query import pairs
from reel_cli.features.threads.everyday_words import EVERYDAY_ABROAD

_WORD = late(r"([^\W\d_]{3,}(?:['’][^\W\d_]+)*)")
_LEAST = 3
"""Letters of the shortest word that is a term; shorter ones are between words."""
_LONGEST_KNOWN, _MOST_KNOWN = 32, 1 << 16
"""Characters of a stretch, and number of those met last, up to which its terms are held in memory."""
_EVERYDAY = """
able about above absolutely across actually again against ago agree ahead alone along already alright
although always amazing among another anyone anything anyway anywhere appreciate around ask asked away
awesome awhile back bad basically bear beautiful because become been before began begin behind being believe
best better beyond big bit bring brought busy call came can care carry catch chance change check choose
clear close come coming completely cool could couple course cut dear definitely deserve did different
difficult does done don down each early easy either else end enjoy enjoyed enough especially even ever every
everybody everyone everything exactly excited exciting expect experience fact far fast feel feeling felt few
figure find fine finish first forget forward found free full fun gave get getting give giving glad goal goes
going gone good got great grow guess had half happen happy hard has have haven hear heard heart hello help
helped helpful here hey high hold hope hoping hour however huge idea imagine important incredible indeed
inside inspire inspiring instead interesting into journey just keep keeping kept kind knew know known lately
later learn least leave left less let life like likely little live living long look looking lot love loved
lovely luck lucky made main make making many matter maybe mean meaning meant mention might mind minute miss
moment month more morning most move much must myself need never new next nice night none nothing notice now
off often old once one only onto open other otherwise ought out outside over own part passion past pay
peaceful people perfect perhaps person pick piece place plan please plenty point positive possible pretty
probably proud push put quick quite rather ready real realize really reason recently remember remind
reminder right round run sad said same saw say says second see seem seems seen self send sense sent set
several share shared she should show shown side simple simply since small some somebody someone something
sometimes somewhere soon sorry sort sound sounds special spend spent start started still stop strong such
support supportive sure take taken taking talk tell than thank thanks that their them then there these they
thing things think thinking this those though thought three through time times tiny today together told
tomorrow tonight too took total totally touch toward tried true try trying turn two under understand until
upon use used using usually very wait walk want wanted was watch way week weekend weird well went were what
whatever when where whether which while who whole why will wish with within without woah wonder wonderful
won word work working world worry worth would wow wrong yeah year yes yesterday yet you young your yourself
evening afternoon everyday day days last friend friends fight face front hand group monday tuesday wednesday
thursday friday saturday sunday january february march april june july august september october november
december spring summer autumn winter four five six seven eight nine ten eleven twelve hundred thousand man
men woman women photo picture seeing starting story truly okay yep gonna lol btw congrat congratulation dude
buddy buddie guy stuff vibe motivate motivated motivating focused determined thrilled grateful appreciated
happened became sharing tough stay staying staring enjoying doing having saying helping asking hearing
needed allow bunch brings bringing
"""
"""Commonest words of English talk that name no matter by themselves."""


def plain_form(word: str) -> str:
    """Return a word in lower case, without a possessive or an English plural's ending."""
    word = word.casefold().replace("’", "'").removesuffix("'s")
    if not word.isascii():
        return word
    if len(word) > _LEAST + 1 and word.endswith("ies"):
        return f"{word[:-3]}y"
    if len(word) > _LEAST and word.endswith("s") and not word.endswith(("ss", "us", "is")):
        return word[:-1]
    return word


EVERYDAY = frozenset(map(plain_form, (*STOP, *ASKING, *_EVERYDAY.split(), *EVERYDAY_ABROAD)))


class WordForms(dict[str, str | Sequence[str]]):
    """The terms in each stretch of characters between spaces, found when it is first asked for.

    Most stretches are one term, and stand for it by themselves; "" is one of no term. A sequence has several,
    with "" between two that are not side by side.
    """

    def __init__(self, leave_out: frozenset[str]) -> None:
        """Begin with none; `leave_out` are plain forms that are no terms."""
        super().__init__()
        self._nothing = EVERYDAY | leave_out
        self._older: dict[str, str | Sequence[str]] = {}
        self._matters: dict[str, str] = {}

    def __missing__(self, stretch: str) -> str | Sequence[str]:
        """Return the terms of a stretch that is not known yet, or was not met for long."""
        found = self._older.get(stretch)
        if found is None:
            found = self._read(stretch)
        if len(stretch) <= _LONGEST_KNOWN:
            if len(self) >= _MOST_KNOWN:
                # what is met again comes back from there, the rest is let go
                self._older = dict(self)
                self.clear()
            self[stretch] = found
        return found

    def _read(self, stretch: str) -> str | Sequence[str]:
        if stretch.isalpha():
            return self._name_matter(stretch) if len(stretch) >= _LEAST else ""
        gap, *parts = _WORD.split(stretch)
        found = [""] if gap else []
        for word, between in zip(parts[::2], parts[1::2], strict=True):
            found.append(self._name_matter(word))
            if between not in ("", "-"):
                found.append("")
        return found if any(found) else ""

    def _name_matter(self, word: str) -> str:
        """Return the term that a word is; "" where it names no matter, or its script has no spaces."""
        word = word.casefold()
        known = self._matters.get(word)
        if known is None:
            plain = plain_form(word)
            nothing = len(plain) < _LEAST or "'" in plain or plain in self._nothing
            known = "" if nothing or next(pairs(word), "") else plain
            if len(word) <= _LONGEST_KNOWN:
                if len(self._matters) >= _MOST_KNOWN:
                    self._matters.clear()
                self._matters[word] = known
        return known


@frozen
class TermsOfText:
    """The terms of a text, each as often as it stands there.

    `single` are words, and pairs of characters in scripts without spaces; `double` two words side by side.
    `words` is how many words there are of any kind.
    """

    single: Sequence[str]
    double: Sequence[tuple[str, str]]
    words: int


def read_terms(text: str, forms: WordForms) -> TermsOfText:
    """Return the terms of a text; `forms` are worth keeping from text to text."""
    lines = text.count("\n")
    # words on two lines are not side by side
    stretches = [*filter(None, text.replace("\n", " \n ").split(" "))] if lines else text.split()
    single: list[str] = []
    double: list[tuple[str, str]] = []
    before = ""
    # every word of a tape comes by here
    for found in map(forms.__getitem__, stretches):
        if not found:
            before = ""
        elif found.__class__ is str:
            single.append(found)
            if before:
                double.append((before, found))
            before = found
        else:
            for term in found:
                if term:
                    single.append(term)
                    if before:
                        double.append((before, term))
                before = term
    unspaced = list(pairs(text))
    single += unspaced
    return TermsOfText(single, double, len(stretches) - lines + len(unspaced))


def list_terms(text: str, leave_out: frozenset[str] = frozenset()) -> list[str]:
    """Return the terms of a text, each as often as it stands there; two side by side are one as well.

    Scripts without spaces give pairs of characters. `leave_out` are plain forms, such as the speakers' names.
    """
    found = read_terms(text, keep_forms(leave_out))
    return [*found.single, *(f"{one} {other}" for one, other in found.double)]


keep_forms = lru_cache(maxsize=4)(WordForms)


def count_terms(text: str, leave_out: frozenset[str] = frozenset()) -> Counter[str]:
    """Return how often each term stands in a text, as `list_terms` finds them."""
    return Counter(list_terms(text, leave_out))


def cosine(one: Mapping[str, float], other: Mapping[str, float]) -> float:
    """Return the cosine of two sparse vectors, 0 to 1; 0 where one is empty."""
    if len(other) < len(one):
        one, other = other, one
    dot = sum(weight * other[term] for term, weight in one.items() if term in other)
    if not dot:
        return 0.0
    return dot / sqrt(sum(w * w for w in one.values()) * sum(w * w for w in other.values()))


def spelling(term: str, texts: Sequence[str]) -> str:
    """Return how a term is mostly written in these texts; the term itself where none has it."""
    ends = "(?:'s|’s|s|es)?"
    words = [
        re.escape(word.removesuffix("y")) + (r"(?:y|ies)" if word.endswith("y") else "")
        for word in term.split()
    ]
    # any of the words may have had its ending
    pattern = re.compile(rf"\b{f'{ends}[ -]'.join(words)}{ends}\b", re.IGNORECASE)
    seen = Counter(match[0] for text in texts for match in pattern.finditer(text))
    return seen.most_common(1)[0][0] if seen else term
