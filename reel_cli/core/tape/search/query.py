"""A question taken apart: words, phrases and kinds to look for, who is named, and which month is meant.

Writing without spaces between words is cut into pairs of characters, for the index as for a question.
"""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import pairwise
from unicodedata import category

from reel_cli.core.frozen import frozen, late
from reel_cli.core.tape.search.forms import (
    ASKING,
    DOING,
    KOREAN_ASKING,
    KOREAN_PARTICLES,
    STOP,
    UNSPACED_ASKING,
    forms,
    rarity,
    things,
)
from reel_cli.core.values.search import Question

_WORD = re.compile(r"[^\W_]+")
_UNSPACED = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u1000-\u109f"  # Burmese
    "\u1780-\u17ff"  # Khmer
    "\u0f00-\u0fff"  # Tibetan
    "\u3005-\u3007\u3040-\u30ff\u31f0-\u31ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\uff66-\uff9f"
    "\U0001b000-\U0001b16f\U00020000-\U000323af"
    "]+"
)
"""Pattern of stretches in scripts without spaces between words: Han, kana, Thai, Lao, Khmer, Burmese,
Tibetan."""


def clean(text: str) -> str:
    """Return text that SQLite takes: no NUL, no lone surrogate."""
    if "\0" in text:
        text = text.replace("\0", " ")
    if not text.isascii():
        try:
            text.encode()
        except UnicodeEncodeError:
            text = text.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return text


MISTAKEN = {"ate": "eat"}
"""Words that the index cuts to a word of another meaning (`ate` to `at`), with another form of each."""
_MISTAKEN = late(rf"(?i)\b(?:{'|'.join(MISTAKEN)})\b")


def grams(text: str) -> list[str]:
    """Return what is indexed beside the words of a text: its pairs, and other forms of what is mistaken."""
    return [*pairs(text), *(MISTAKEN[one.lower()] for one in _MISTAKEN.findall(text))]


def pairs(text: str) -> Iterator[str]:
    """Yield the overlapping pairs of characters of every stretch without spaces; else a lone one."""
    if text.isascii():
        return
    for stretch in _UNSPACED.findall(text):
        if len(stretch) == 1:
            yield stretch
        for at in range(len(stretch) - 1):
            yield stretch[at : at + 2]


def words(text: str) -> list[str]:
    """Return the words of a text with spaces, lower case, in order."""
    if text.isascii():
        return _WORD.findall(text.lower())
    # combining marks belong to the letter before them, but `\w` does not match them
    kept = (c if c.isalnum() or category(c)[0] == "M" else " " for c in _UNSPACED.sub(" ", text))
    return "".join(kept).lower().split()


MOST_TERMS = 48
"""Words looked for; of a longer question those that stand in the fewest turns."""
MOST_WORDS = 400
"""Maximum number of different words of a question; later words are ignored."""

KIND_WEIGHT = 0.25
"""Weight of a word that only goes with the kind of thing asked for, relative to a word that was asked for."""

PHRASE_WEIGHT = 0.25
"""Additional weight of two words that stand side by side as in the question."""

NAMING_WEIGHT = 0.1
"""Weight of words that only ask for a name (`what was the dog called`), beside the noun."""

QUESTION, MESSAGE = 8, 12
"""Words of a question, stop words left out, up to which each was chosen, and from which it is a message."""
STATED = 4
"""Words of a sentence that states something, at least; `Hello!` and `Yes, please.` state nothing."""
SPEAKING = frozenset((
    "i", "me", "my", "mine", "myself", "we", "us", "our", "ours", "you", "your", "yours",
    "ich", "mich", "mir", "wir", "uns", "dich", "dir", "je", "moi", "nous", "tu", "toi", "vous",
    "yo", "nosotros", "usted", "io", "noi", "voi", "saya", "aku", "kita", "kami", "kamu", "anda",
))  # fmt: skip
"""Words by which somebody speaks of himself or to another, in some languages."""
LEAST_WEIGHT = 0.1
"""Weight in a message of a word that stands in any text, relative to a rare one."""

_NAMING = frozenset(("call", "calls", "called", "name", "named"))
_ASKS_NAME = re.compile(
    r"(?i)\W*(?:(?:so|and|but|hey|well|tell me|remind me|do you (?:remember|know)|remember)\W+)*"
    r"(?:what|how)(?:\b|['’]s\b|['’]re\b)"
    r"(?:.*\b(?:called|named)\W*$|.*\bname\W*$|.*\bname (?:of|for)\b"
    r"|\W+(?:do|does|did|have|has|had) \w+ (?:call|called|name|named) (?!about|for|me\b|you\b|in\b|on\b))"
)
"""Pattern of questions for what something is called."""

_SAYS_NOTHING = STOP | ASKING | DOING

_MONTHS = (
    "january jan", "february feb", "march mar", "april apr", "may", "june jun", "july jul", "august aug",
    "september sept sep", "october oct", "november nov", "december dec",
)  # fmt: skip
_MONTH = {word: number for number, names in enumerate(_MONTHS, start=1) for word in names.split()}
_BEFORE = r"(?:in|of|since|until|till|by|last|this|next|before|after|during|from|around|early|late|mid)"
_ISO_DAY = re.compile(r"\b((?:19|20)\d\d)-(\d\d)-(\d\d)\b")
_PLAIN_MONTHS = "|".join(sorted({names.split()[0] for names in _MONTHS} - {"may", "march"}))
"""Names that are a month without a capital, too."""
_DAY_NUMBER = re.compile(r"\d+")
_DATE = re.compile(
    rf"(?P<before>\b{_BEFORE}[ -]|\b[0-3]?\d(?:st|nd|rd|th)? (?:of )?)?"
    rf"\b(?P<month>[A-Z][a-z]{{2,8}}|{_PLAIN_MONTHS})\b\.?"
    r"(?P<day>,? [0-3]?\d(?:st|nd|rd|th)?\b(?!\d))?(?P<year>,? (?:of )?(?:19|20)\d\d\b)?"
)


def _ends_open(form: str) -> str:
    """Return the sign with which anything may follow a form: the particles of a Korean word."""
    return " *" if _HANGUL.search(form) else ""


@frozen
class Term:
    """A term to look for: any of `forms` in a turn counts as `word`, at `weight`.

    `kind` marks what a turn need not say (a phrase, what goes with a kind of thing, the words of a date), and
    only makes a turn likelier; `proper` a name or a number.
    """

    word: str
    forms: tuple[str, ...]
    weight: float = 1.0
    kind: bool = False
    proper: bool = False

    @property
    def match(self) -> str:
        """Return the FTS5 query; every form is quoted, so nothing in it is syntax."""
        forms = [form for form in self.forms if form not in MISTAKEN] or self.forms
        return " OR ".join(f'"{form}"{_ends_open(form)}' for form in forms)


@frozen
class Sought:
    """A question as the index is asked.

    `named` are the roles, and the names in lower case, of those the question calls by name; `months` are
    written as in a day's name, `2026-02`, or `-02` where the year is not said, and `days` likewise.
    """

    terms: Sequence[Term]
    named: frozenset[str]
    plain: str
    months: tuple[str, ...] = ()
    days: tuple[str, ...] = ()
    talking: float = 0.0
    """How far it is a message that goes on talking, and not a question: from 0 to 1, by its words."""
    speaks: bool = False
    """Whether it speaks of oneself or to somebody, as a message does and a note does not."""
    states: bool = False
    """Whether a sentence of it states something; what also speaks goes on with a matter, however short."""
    only_dated: bool = False
    """Whether a day or a month is all that is asked for: `What did we talk about on 12 May?`."""


def parse_question(question: Question, people: Mapping[str, frozenset[str]]) -> Sought:
    """Parse a question; `people` are the words of the speakers' names with what each stands for."""
    text = clean(question.text[:200_000])
    said = words(text)
    plain = " ".join([*said, *pairs(text)])
    distinct = list(dict.fromkeys(said))[:MOST_WORDS]
    unspaced = [name for name in people if _UNSPACED.fullmatch(name) and name in text]
    named = frozenset(who for word in (*distinct, *unspaced) for who in people.get(word, ()))
    asked = [word for word in distinct if word not in STOP and word not in people]
    asked = [word for word in asked if word not in KOREAN_ASKING] or asked
    asked = asked or [word for word in distinct if word not in STOP] or distinct
    proper, dated = _proper(text), _date_words(text)
    naming = _naming_words(text, asked, dated)
    talking = min(1.0, max(0.0, (len(asked) - QUESTION) / (MESSAGE - QUESTION)))
    terms = [
        Term(
            word,
            _forms(word),
            NAMING_WEIGHT if word in naming else _weight(word, 0.0 if word in proper else talking),
            word in {*dated, *naming},
            word in proper,
        )
        for word in asked
    ]
    terms += _pair_terms(text, unspaced)
    for word in asked[:MOST_TERMS]:
        if word not in naming and (kin := things(word)):
            terms.append(Term(f"~{word}", tuple(dict.fromkeys((*kin, word))), KIND_WEIGHT, kind=True))
    terms += [
        Term(f"{one} {two}", (f"{one} {two}",), PHRASE_WEIGHT, kind=True)
        for one, two in dict.fromkeys(pairwise(said[:MOST_WORDS]))
        if STOP.isdisjoint((one, two))
        and people.keys().isdisjoint((one, two))
        and naming.isdisjoint((one, two))
    ]
    months = _months(text)
    states = any(one[-1:] in _STATING and len(one.split()) >= STATED for one in _SENTENCE_END.split(text))
    said_besides = (word for word in distinct if word not in dated and word not in people)
    only_dated = bool(months) and all(word in _SAYS_NOTHING for word in said_besides)
    speaks = not SPEAKING.isdisjoint(said)
    return Sought(terms, named, f" {plain} ", months, _days(text), talking, speaks, states, only_dated)


def _forms(word: str) -> tuple[str, ...]:
    """Return the forms of a word; of a Korean one without its particles, which stand at its end."""
    if not _HANGUL.search(word):
        return forms(word)
    root = _PARTICLES.sub("", word) if len(word) > _SHORTEST_ROOT else word
    return (root,)


def _pair_terms(text: str, people: Sequence[str]) -> list[Term]:
    """Return the pairs of a question in a script without spaces; `people` are the speakers whom it names.

    Those of a speaker's name, and of the words by which it only asks, need not be said, as long as others
    are left.
    """
    told: dict[str, int] = {}
    for stretch in _UNSPACED.findall(text):
        places = [*_ASKS.finditer(stretch), *(one for name in people for one in re.finditer(name, stretch))]
        small = {at for found in places for at in range(*found.span())}
        for at in range(max(1, len(stretch) - 1)):
            pair = stretch[at : at + 2]
            # of `猫叫什么` only the cat is left, and `猫叫` is where it has its name
            level = 0 if at in small else 1 if at + 1 in small else 2
            told[pair] = max(level, told.get(pair, 0))
    most = max(told.values(), default=0)
    return [
        Term(pair, (pair,)) if level == most else Term(pair, (pair,), KIND_WEIGHT, kind=True)
        for pair, level in list(told.items())[:MOST_WORDS]
    ]


_ASKS = late(UNSPACED_ASKING)
_HANGUL = late("[\uac00-\ud7a3]")
_PARTICLES = late(f"{KOREAN_PARTICLES}$")
_SHORTEST_ROOT = 2
"""Characters of a Korean word from which a particle may be a part of it."""


_SENTENCE_END = late(r"(?<=[.!?])\s+|\n+")
_STATING = (".", "!")


def _weight(word: str, talking: float) -> float:
    """Return what a word weighs: in a message, less the commoner it is in any text."""
    return 1 - talking * (1 - LEAST_WEIGHT) * (1 - rarity(word)) if talking else 1.0


def name_words(names: Sequence[tuple[str, str]]) -> dict[str, frozenset[str]]:
    """Return the words that may name speakers, from `(role, name)` pairs, each with its speakers."""
    found: dict[str, set[tuple[str, str]]] = {}
    for role, name in names:
        unspaced = [one for one in _UNSPACED.findall(name) if len(one) > 1]
        for word in (*words(name), *unspaced):
            if len(word) > 1 and word not in STOP:
                found.setdefault(word, set()).add((role, name.lower()))
    known: dict[str, frozenset[str]] = {}
    for word, whose in found.items():
        roles = {role for role, _ in whose}
        # several speakers of one role (a group chat) are told apart by name
        many = len({name for r, name in names if r in roles}) > 1
        known[word] = frozenset(n for _, n in whose) if many else frozenset(roles)
    return known


def _months(text: str) -> tuple[str, ...]:
    """Return the months a text names."""
    found = ((_month_of(date), date["year"] or "") for date in _DATE.finditer(text))
    iso = (f"{year}-{month}" for year, month, _ in _ISO_DAY.findall(text))
    return tuple(dict.fromkeys([*(f"{year[-4:]}-{month:02}" for month, year in found if month), *iso]))


def _days(text: str) -> tuple[str, ...]:
    """Return the days a text names, those of a stretch (`between May 3 and May 9`) one by one."""
    found = [
        f"{(date['year'] or '')[-4:]}-{month:02}-{int(number[0]):02}"
        for date in _DATE.finditer(text)
        if (month := _month_of(date))
        and (number := _DAY_NUMBER.search(f"{date['before'] or ''} {date['day'] or ''}"))
    ]
    return tuple(dict.fromkeys([*found, *("-".join(day) for day in _ISO_DAY.findall(text))]))


def _date_words(text: str) -> frozenset[str]:
    """Return the words of the dates in a text: that it was then is told by a session's day, not by words."""
    dates = [date[0] for date in _DATE.finditer(text) if _month_of(date)]
    dates += [day[0] for day in _ISO_DAY.finditer(text)]
    return frozenset(word for date in dates for word in words(date) if word not in STOP)


def _month_of(date: "re.Match[str]") -> int:
    """Return the number of a date's month; 0 for what is not written as a date (`May I ask`)."""
    dated = date["before"] or date["day"] or date["year"]
    return _MONTH.get(date["month"].lower(), 0) if dated else 0


def _naming_words(text: str, asked: Sequence[str], dated: Collection[str]) -> frozenset[str]:
    """Return the words by which a question only asks what something is called, where it has others too."""
    said = frozenset(word for word in asked if word in _NAMING) if _ASKS_NAME.match(text) else frozenset()
    return said if any(word not in said and word not in dated for word in asked) else frozenset()


def _proper(text: str) -> frozenset[str]:
    """Return the words of names and numbers: with a digit, or with a capital within a sentence."""
    found = set()
    for word in _WORD.finditer(text):
        before = text[max(0, word.start() - 3) : word.start()].rstrip(" \"'‘’“(")
        starts = not before or before[-1] in ".?!:\n"
        if (word[0][0].isupper() and not starts) or not word[0].isalpha():
            found.add(word[0].lower())
    return frozenset(found)
