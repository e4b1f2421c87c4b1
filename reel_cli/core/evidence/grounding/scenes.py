"""Things and scenes in a memory that nothing of its source resembles."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import IRREGULAR, WORD, bare, sentences, stem, stems
from reel_cli.core.evidence.grounding.numbers import COUNTING, ORDINALS
from reel_cli.core.evidence.grounding.source import Source
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen
from reel_cli.core.tokens.word_rank import word_rank

_PART = re.compile(r"(?:,\s+(?:and|but|so|which|who|where|after|because|though)\b|[;:,])\s")
_RUN = re.compile(r"(?:,\s+(?:and|but|so|which|who|where|after|because|though)\b|[;:])\s")
_LIGHT = frozenset(
    stem(word)
    for words in (
        "dare manage bother able maybe want wish hope leave turn end begin start full early late toward",
        "towards among recall propose",
        "come way time thing feel seem look mean speak hear talk part kind sort moment evening night",
        "today morning afternoon show share first last next whole same little bit long new good great",
        "nice really almost nearly count put find found give gave call use try keep kept bring brought",
        "set side word fact story matter reason year day week month weekend ago mid born straight quietly",
        "happily proposed suggest describe remind remember note mention explain add agree answer reply",
        "thank enjoy love like nod smile laugh ready plain lot case point whose whom beside behind",
        "soon each half understand eat lots top number world life place idea question sense news piece",
        "stretch rest whatever",
    )
    for word in words.split()
)
"""Words that everything may be told with."""
_TIMES = frozenset(
    map(stem, (*MONTHS, *WEEKDAYS, *COUNTING, *ORDINALS, "decade", "century", "midnight", "noon"))
)
_PEOPLE = frozenset(
    word
    for words in (
        "actor aide artist aunt author baby banker baker barber boss boyfriend brother builder bully",
        "captain carer cashier chef chief child classmate cleaner clerk coach colleague cop couple cousin",
        "customer dancer daughter dentist director doctor driver editor electrician employer engineer ex",
        "fan farmer father fiance fiancee firefighter fisherman gardener girlfriend governor grandfather",
        "grandmother grandson granddaughter guard guide hairdresser helper host husband infant intern",
        "janitor journalist judge kid king landlady landlord lawyer leader librarian lodger man manager",
        "mayor mechanic midwife minister monk mother musician nanny neighbor neighbour nephew niece nun",
        "nurse nephews officer orphan owner painter partner passenger pastor patient pharmacist",
        "photographer physician pilot plumber policeman poet policewoman postman priest principal",
        "prisoner professor psychologist publisher pupil queen rabbi receptionist reporter roommate",
        "sailor salesman scientist secretary senator sergeant shopkeeper singer sister soldier son",
        "stepfather stepmother stranger student supervisor surgeon tailor teacher teenager tenant",
        "therapist tourist trainer tutor twin uncle vet veteran veterinarian volunteer waiter waitress",
        "widow widower wife witness woman worker writer",
    )
    for word in words.split()
)
_BEFORE_NOUN = re.compile(
    r"(?i)\b(?:an?|the|my|our|your|his|her|their|its|some|any|no|one|two|three|another|each|every|\w+'s)"
    r"\s+(?:(?!(?:to|and|or|is|was|are|were|has|had|have|will|can|who|that|of|in|at|on)\b)[a-z][\w'-]*\s+)?$"
)
_LIKENS = re.compile(
    r"(?i)\b(?:as|like)\s+(?:(?:one|you|somebody|someone|people)\s+\w+\s+)?(?:an?|the|my|his|her)\s+$"
)
"""Pattern of likenesses such as `as one tells a husband`: nobody says that there is one."""
_FITS_NOUN = re.compile(r"(?i)\b(?:on|in|at|for|with|as|called)\s+$")
_GAP = re.compile(r"\S {3,}\S")
"""Pattern of a part that a quotation was taken out of."""
_ABSTRACT = ("th", "ness", "ity", "ment", "tion", "sion", "ance", "ence", "ship", "hood", "ism", "dom")
"""Endings of nouns that name no thing: a memory has such words of its own."""
_NO_NOUN = ("ed", "ly", "ing", "est", "ful", "ous", "ive", "able", "less", "ier", *_ABSTRACT)
_DENIES = re.compile(r"(?i)\b(?:not|never|no|nothing|nobody|none|without)\b|n't\b")
_OWN_ACT = re.compile(r"(?i)\W*(?:(?:and|but|so|then|because)\s+)*i(?:'\w+)?\s")
"""A persona's account of its own thoughts, which it said to nobody."""
_FEWEST_PARTS = 4
_MOST_ODD = 25
"""Percent of a page's parts that may resemble nothing; with more, its writer has words of their own."""
_RESEMBLES = 40
"""Percent of a part's words that two neighbouring messages share with what tells of them, and more."""
_SPREAD = 50
"""Percent of a part's words that stand anywhere in the source, up to which the part resembles nothing."""
_CLOSE = 67
"""Percent of a part's other words that one message must have for one word to stand out in it."""
_SOME = 3
_UNCOMMON = 30_000
"""Rank from which on a word is hardly one that somebody tells something else with."""
_HALF = 50
"""Percent of a part's other words that two neighbours must have for an uncommon word to stand out."""
_ONE_PLACE = 2
"""Messages, at most, that have a word which was said in one place."""


@frozen
class OddPart:
    """A part of a text that resembles nothing in its source: its place, its words, the one that stands out.

    `word` is "" where the whole part is odd.
    """

    start: int
    end: int
    words: tuple[str, ...]
    word: str = ""


def odd_scenes(texts: Sequence[str], source: Source) -> list[tuple[int, OddPart]]:
    """Return the parts of a page's texts, each with its text's place, that nothing in the source resembles.

    Empty where many parts are like that: then the page is told in words of its own.
    """
    odd: list[tuple[int, OddPart]] = []
    count = 0
    for place, text in enumerate(texts):
        for start, end in _split(text, _RUN):
            words = content(text[start:end], source)
            if len(words) < 2:
                continue
            near = [_shared(words, turn) for turn in source.pairs]
            most = max(map(len, near), default=0)
            anywhere = len(set().union(*near))
            size = len(words)
            count += size >= _SOME
            if (
                most * 100 <= _RESEMBLES * size
                and anywhere * 100 <= _SPREAD * size
                and size >= _SOME
                and not _GAP.search(text[start:end])
                and not _DENIES.search(text[start:end])
                and not _OWN_ACT.match(text[start:end])
            ):
                odd.append((place, OddPart(start, end, tuple(words))))
    return odd if count >= _FEWEST_PARTS and len(odd) * 100 <= max(_MOST_ODD * count, 100) else []


def odd_words(masked: str, source: Source) -> Iterator[OddPart]:
    """Yield each thing that the source does not know, in a part whose other words one message has.

    A person that nobody spoke of stands out wherever they are. `masked` is a text without its quotations.
    """
    for start, end in _split(masked, _PART):
        part = masked[start:end]
        words = content(part, source)
        first, last = next((a, b) for a, b in _split(masked, _RUN) if a <= start < b)
        around = content(masked[first:last], source)
        for match in WORD.finditer(part):
            plain = bare(match[0])
            if plain not in words or match[0][0].isupper() or "'" in match[0]:
                continue
            before = masked[max(0, start + match.start() - 40) : start + match.start()]
            if _LIKENS.search(before):
                continue
            single = plain.removesuffix("s")
            person = (single in _PEOPLE or plain in _PEOPLE) and _BEFORE_NOUN.search(before) is not None
            ends = not part[match.end() :].strip(" .,;:") and not plain.endswith(("ed", "er", "ly"))
            listed = ends and re.search(r"(?i)\w(?:, \w+)*,? (?:and|or) $", before) is not None
            placed = _BEFORE_NOUN.search(before) or _FITS_NOUN.search(before)
            noun = listed or (placed is not None and not plain.endswith(_NO_NOUN))
            if not (person or (noun and plain not in IRREGULAR)) or source.mentions(plain):
                continue
            others = [word for word in around if word != plain]
            most = max((len(_shared(others, turn)) for turn in source.turns), default=0)
            close = most >= 2 and most * 100 >= _CLOSE * len(others)
            if person or close or _stands_out(plain, [word for word in words if word != plain], source):
                at = start + match.start()
                yield OddPart(at, at + len(match[0]), tuple(others), plain)


def _stands_out(word: str, others: Sequence[str], source: Source) -> bool:
    """Return whether an uncommon word stands among others, one of which was said in one place alone."""
    if (word_rank(word) or _UNCOMMON) < _UNCOMMON or not others:
        return False
    most = max((len(_shared(others, turn)) for turn in source.pairs), default=0)
    rare = (sum(map(word_forms(one).stands_in, source.turns)) for one in others)
    return most * 100 >= _HALF * len(others) and any(1 <= count <= _ONE_PLACE for count in rare)


def part_at(text: str, at: int) -> str:
    """Return the part of a text that a place lies in."""
    return next((text[first:last] for first, last in _split(text, _RUN) if first <= at < last), text)


def content(text: str, source: Source) -> list[str]:
    """Return the telling words of a text, each once: no names of speakers, times, numbers, light words."""
    found: dict[str, None] = {}
    for match in WORD.finditer(text):
        word = bare(match[0])
        if len(word) < 3 or word[:1].isdigit() or word in source.speakers:
            continue
        root = stem(word)
        if stems(word) and root not in _LIGHT and root not in _TIMES:
            found[word] = None
    return list(found)


def _shared(words: Sequence[str], turn: str) -> set[str]:
    return {word for word in words if word_forms(word).stands_in(turn)}


def _split(text: str, bounds: re.Pattern[str]) -> Iterator[tuple[int, int]]:
    """Yield the start and end of each part of a text."""
    for first, last in sentences(text):
        at = first
        for bound in bounds.finditer(text, first, last):
            if text[at : bound.start()].strip():
                yield at, bound.start()
            at = bound.end() if bound[0][0] in ";:," and len(bound[0]) < 3 else bound.start() + 1
        if text[at:last].strip():
            yield at, last
