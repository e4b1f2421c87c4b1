"""Names in a text, told from words that only begin a sentence, and looked up in what was said."""

import itertools
import re
from collections.abc import Collection, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cached_property, lru_cache

from reel_cli.core.evidence.grounding.lexicon import NEGATORS, PERSONS, STOP, WORD, bare, stem
from reel_cli.core.tokens.word_rank import word_rank

_CODE = re.compile(r"(?=.*[^\W\d]\d)(?!\d+(?:[X×]|[a-z]{1,3})\d+[a-z]*$)[^\W_\u2e80-\ud7ff\uf900-\ufaff]{4,}")
"""Pattern of a word of letters and digits behind them; `3x10kg`, `1h30`, `Q3` are none."""
_BEGINS = re.compile(r"(?:^|[.!?…:;\n]|\s-|\s/)(?:[^\w,]|_)*$|[\"(]$")
_DOES = re.compile(
    r"'s\b|\s+(?:has|had|is|was|does|did|will|would|can|joins|wins|gets|goes|comes|takes|makes)\b"
)
"""Pattern of the words after the first word of a title that make it a person."""
_SPEAKS = re.compile(
    r"\s+(?:(?:also|then|later|just|and \w+)\s+)?(?:told|tells|said|says"
    r"|asked|asks|mention(?:ed|s)|shar(?:ed|es)"
    r"|show(?:ed|s)|admit(?:ted|s)|promis(?:ed|es)|suggest(?:ed|s)|advis(?:ed|es)|express(?:ed|es)|prais(?:ed|es)"
    r"|encourag(?:ed|es)|congratulat(?:ed|es)|compliment(?:ed|s)|repl(?:ied|ies)|answer(?:ed|s)|agree[ds]"
    r"|explain(?:ed|s)|hop(?:ed|es)|plan(?:ned|s)|want(?:ed|s)|lov(?:ed|es)|lik(?:ed|es)|thank(?:ed|s)"
    r"|won|wins|wrote|writes|attend(?:ed|s)|believ(?:ed|es)|admir(?:ed|es)|owns|owned|watch(?:ed|es)"
    r"|tried|offer(?:ed|s)|celebrat(?:ed|es)|join(?:ed|s)|thinks|thought|knows|knew|met|bought|decid(?:ed|es)"
    r"|remember(?:ed|s)|prefer(?:red|s)|enjoy(?:ed|s)|dream(?:ed|t|s)|lives|plays|reads|paint(?:ed|s)|cook(?:ed|s)"
    r"|volunteer(?:ed|s)|participat(?:ed|es)|invit(?:ed|es)|visit(?:ed|s)|learn(?:ed|t|s)|wonder(?:ed|s)"
    r"|wish(?:ed|es)|laugh(?:ed|s)|smil(?:ed|es)|cried|loses|writes)\b"
)
"""Pattern of the words after the first word of a sentence that make it a name: speaking, wanting."""
_PRONOUN_NEXT = re.compile(r",?\s+(?:i|he|she|we|they|it|there)\b(?!-)", re.IGNORECASE)
"""Pattern of the words after the first word of a sentence that make it an adverb: `Meanwhile I …`."""
_NOBODY = (
    STOP
    | PERSONS
    | NEGATORS
    | {
        *("people", "friends", "others", "parents", "doctors", "customers", "fans", "strangers", "neighbors"),
        *(
            "meanwhile",
            "afterwards",
            "somehow",
            "finally",
            "suddenly",
            "together",
            "people",
            "kids",
            "family",
        ),
    }
)
_NO_NAMES = frozenset(
    [
        "i",
        "ok",
        "okay",
        "tv",
        "ps",
        "pm",
        "am",
        "mr",
        "mrs",
        "ms",
        "dr",
        "miss",
        "sir",
        "god",
        "mom",
        "mum",
        "mama",
        "dad",
        "papa",
        "grandma",
        "grandpa",
        "granny",
        "gran",
        "nan",
        "aunt",
        "auntie",
        "uncle",
        "ai",
        "id",
        "cv",
        "diy",
        "faq",
        "lol",
        "omg",
        "q",
        "a",
        "b",
        "c",
        "d",
        "e",
        "vs",
        "re",
        "asap",
        "fyi",
        "btw",
        "bf",
        "gf",
    ]
)
"""Words with a capital letter that are no names, or names that everybody has."""
_ENDINGS = (
    *("ing", "ed", "ly", "tion", "ness", "ment", "less", "ful", "able", "ism"),
    # of illnesses
    *("itis", "osis", "algia", "aemia"),
)
_PEOPLES = {
    "spanish": "spain", "french": "france", "finnish": "finland", "polish": "poland", "dutch": "netherlands",
    "swiss": "switzerland", "greek": "greece", "danish": "denmark", "welsh": "wales", "turkish": "turkey",
    "british": "britain", "uk": "england",
}  # fmt: skip
_NICKNAMES = [
    set(names.split())
    for names in [
        "robert bob rob bobby",
        "william will bill billy",
        "elizabeth liz beth lizzie eliza",
        "richard rick dick\n    ",
        "james jim jimmy",
        "john jack johnny jon jonathan",
        "margaret maggie meg peggy",
        "katherine catherine kate kathy katie kath\n    ",
        "michael mike mick",
        "joseph joe joey",
        "thomas tom tommy",
        "edward ed eddie ted",
        "anthony tony",
        "patricia pat patty tricia\n    ",
        "susan sue",
        "deborah debbie deb",
        "jennifer jen jenny",
        "alexander alex sasha",
        "alexandra alex sasha",
        "charles charlie chuck\n    ",
        "christopher chris",
        "daniel dan danny",
        "david dave",
        "stephen steve",
        "steven steve",
        "andrew andy drew",
        "henry harry hank\n    ",
        "nicholas nick",
        "matthew matt",
        "samuel sam",
        "samantha sam",
        "rebecca becky becca",
        "victoria vicky tori",
        "theodore ted theo\n    ",
        "frederick fred freddie",
        "lawrence larry",
        "gerald gerry jerry",
        "philadelphia philly",
        "california cali",
        "television tv\n    ",
        "california la",
        "christmas xmas",
    ]
]


def names(text: str, masked: str, *, title: bool = False) -> Iterator[tuple[int, int, str]]:
    """Yield each name as (start, end, word); in a title, or first in a sentence, only rarer words.

    A code of letters and digits with a capital (`LH4711`, but not `mp3s`) names one thing as well.
    `masked` is the text with all blank that is looked at otherwise (dates, quotations).
    """
    cased = title and _is_title_case(text)
    german = _is_german(text)
    for match in WORD.finditer(masked):
        word = match[0]
        if _CODE.fullmatch(word) and word != word.lower():
            yield match.start(), match.end(), word
            continue
        plain = bare(word)
        if not word[0].isupper() or plain in _NO_NAMES or plain in PERSONS or not plain.isalpha():
            continue
        if re.match(r"(?i)i'|[a-z]$", word):
            continue
        begins = cased or bool(_BEGINS.search(text[max(0, match.start() - 6) : match.start()]))
        if begins and _PRONOUN_NEXT.match(text, match.end()):
            continue
        letters = text[match.start() : match.end()]
        loud = len(letters) > 1 and letters.isupper() and is_word(plain)
        if loud and is_word(plain):
            continue
        if begins and (plain in _NOBODY or (is_word(plain) and not _SPEAKS.match(text, match.end()))):
            continue
        if title and not match.start() and not (_is_known(plain) or _DOES.match(text, match.end())):
            continue
        if title and not match.start() and _OF_A_THING.match(text, match.end()):
            continue
        if german and not _is_german_name(text, match.start(), match.end()):
            continue
        yield match.start(), match.end(), word


def _is_german(text: str) -> bool:
    """Return whether a text is German, in which every noun has a capital letter."""
    return len(_GERMAN.intersection(text.split())) >= _FEW_GERMAN


def _is_german_name(text: str, start: int, end: int) -> bool:
    """Return whether the words around a German word with a capital letter make it a name."""
    before = text[max(0, start - _LONGEST_LEAD) : start]
    return bool(_NAMES_GERMAN.search(before) or _GERMAN_NAME.match(text, end))


_OF_A_THING = re.compile(r"\s+of\s+(?:the|an?|my|our|his|her|their)\b")
"""Pattern behind the first word of a title that makes it no name: `Captain of the gas bottle`."""
_LONGEST_LEAD = 24
_GERMAN = frozenset(
    WORD.findall(
        "und der das den dem des ein eine einen einem einer ist nicht ich mich mir dich dir wir sie auf im"
        " vom zum zur auch sich hatte hat habe wird wurde bei für aus nach noch nur dass weil wenn kein keine"
    )
)
_FEW_GERMAN = 3
"""Different German words from which a text is German."""
_NAMES_GERMAN = re.compile(
    r"(?:\b(?:hei(?:ß|ss)(?:t|e|en)|hie(?:ß|ss)(?:en)?|namens|genannt|[Hh]err[n]?|[Ff]rau|[Tt]ante|[Oo]nkel|[Oo]ma|[Oo]pa"
    r"|[Ss]chwester|[Bb]ruder|[Ff]reundin|[Ff]reund|[Kk]ollegin|[Kk]ollege|Hund|Katze|Kater|[Ss]ohn|[Tt]ochter),?\s+)$"
)
"""Pattern of German words before a name: other nouns have a capital letter as well."""
_GERMAN_NAME = re.compile(
    r"\s+(?:sagte?|fragte?|meinte?|schrieb|schreibt|rief|ruft|erzählte?|antwortete?|lachte?|weinte?|versprach"
    r"|verspricht|wohnte?|heißt|hieß)\b"
)
"""Pattern of German words after a name: what only somebody does."""


def _is_title_case(text: str) -> bool:
    """Return whether most of a title's longer words are capitalised, as in `The Lighthouse at Night`."""
    longer = [match[0] for match in WORD.finditer(text) if len(match[0]) > 3][1:]
    return not longer or sum(word[0].isupper() for word in longer) * 2 > len(longer)


_CYRILLIC = re.compile("[\u0400-\u04ff]")
_CASE = re.compile("(?<=..)(?:[ая]ми|[ое](?:го|му|и|ю|м|в)|[ая][мх]|[ыи]м|[аяуюыиеоь])$")
"""Pattern of the ending by which a Russian name tells its case, without the marks above its letters."""


def _undeclined(word: str) -> str:
    """Return a Cyrillic name without the ending of its case: `вен` of `вена`, `вену` and `венои`."""
    return _CASE.sub("", word)


_LEAST_ALIKE = 0.5


def find_like(name: str, text: str) -> float:
    """Return how much the likeliest other name in a text resembles a name, of 1; 0 where none does.

    It begins with the same letter: `Tone`, of `Trine`.
    """
    plain, best = bare(name), 0.0
    for match in WORD.finditer(text):
        other = bare(match[0])
        if match[0][0].isupper() and other[:1] == plain[:1] and other != plain and other not in _NOBODY:
            best = max(best, SequenceMatcher(None, plain, other, autojunk=False).ratio())
    return best if best >= _LEAST_ALIKE else 0.0


class Names:
    """The names in a recorded text, with a test of whether a name is among them."""

    def __init__(
        self,
        words: Collection[str],
        runs: Sequence[Sequence[str]],
        capitals: Collection[str],
    ) -> None:
        """Keep the bare `words`, and the `runs` of them that were said one after another.

        `capitals` are the words that had a capital letter.
        """
        self._words = words
        self._runs = runs
        self._capitals = capitals

    @cached_property
    def _joined(self) -> Collection[str]:
        """Return neighbouring words joined to one."""
        return {a + b for run in self._runs for a, b in itertools.pairwise(run)}

    @cached_property
    def _letters(self) -> Collection[str]:
        """Return the initials of neighbouring words."""
        return {
            "".join(w[0] for w in run[i : i + n])
            for run in self._runs
            for n in (2, 3, 4)
            for i in range(len(run))
        }

    @cached_property
    def _stems(self) -> Collection[str]:
        return {stem(word) for word in self._words}

    @cached_property
    def _undeclined(self) -> Collection[str]:
        """Return the roots of the Cyrillic words that had a capital letter."""
        return {_undeclined(word) for word in self._capitals if _CYRILLIC.match(word)}

    def bears(self, name: str) -> bool:
        """Return whether the name was said, or a short form, a variant or another spelling of it."""
        plain = bare(name)
        if plain in self._words or plain in self._joined:
            return True
        if _CODE.fullmatch(plain):
            # another code is not another spelling of this one
            return False
        # `two Jos` are two of a name that is too short for a stem
        if stem(plain) in self._stems or plain.removesuffix("s") in self._capitals:
            return True
        if _PEOPLES.get(plain, plain) in self._words or any(
            plain in group and not group.isdisjoint(self._words) for group in _NICKNAMES
        ):
            return True
        if _CYRILLIC.match(plain) and _undeclined(plain) in self._undeclined:
            return True
        return any(_alike(plain, other) for other in self._capitals) or self._initials(plain, name)

    def _initials(self, plain: str, name: str) -> bool:
        """Return whether the initials or the full name were said: `NYC` for New York City, and vice versa."""
        if name.isupper() and 2 <= len(name) <= 5:
            return plain in self._letters
        return any(c in ("nyc", "usa", "uk", "la", "ny") and plain in _SPELT[c] for c in self._capitals)


_SPELT = {
    "nyc": {"new", "york", "city"}, "ny": {"new", "york"}, "usa": {"united", "states", "america"},
    "uk": {"united", "kingdom", "britain", "england"}, "la": {"los", "angeles"},
}  # fmt: skip


@lru_cache(maxsize=20_000)
def _alike(one: str, other: str) -> bool:
    """Return whether a name is a short form or another spelling of a name that was said."""
    short, long = sorted((one, other), key=len)
    if len(short) >= 2 and long.startswith(short) and not is_word(short):
        return True
    if is_word(other):
        # a common word is not a spelling of a name
        return False
    if len(long) - len(short) <= 1 and _is_known(one) and _is_known(other):
        # Marta and Martha are two names that people have
        return False
    if len(short) >= 4 and short[:4] == long[:4] and len(long) - len(short) <= 3:
        return True
    return len(short) >= 5 and SequenceMatcher(None, one, other, autojunk=False).ratio() >= 0.84


def _is_known(plain: str) -> bool:
    """Return whether a word is a common name; at the start of a title, a rarer one may be anything."""
    return word_rank(plain.capitalize()) is not None


_BRITISH = re.compile(r"(?<=[a-z]{2})our(?=s?$|ful$|less$|ed$|ing$|able$|ite$)")
"""Pattern of the letters that the table of words, which is of American spelling, has without a `u`."""


@lru_cache(maxsize=20_000)
def is_word(plain: str) -> bool:
    """Return whether a word occurs more often in lower case than with a capital, as no name does.

    A token's rank tells how often its letters stand together in a large body of text.
    """
    american = _BRITISH.sub("or", plain)
    if american != plain and is_word(american):
        return True
    lower, upper = word_rank(plain), word_rank(plain.capitalize())
    if lower is None and upper is None:
        # neither is common, so the ending decides
        single = plain.removesuffix("s")
        return plain.endswith(_ENDINGS) or (single != plain and len(single) > 4 and is_word(single))
    return lower is not None and (upper is None or lower <= upper)
