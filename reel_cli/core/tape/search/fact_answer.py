"""Answers to questions by facts: of the thing that is asked about, and with what is asked for.

A question for a name is answered by a name, one for a day by a date, one for an amount by a number, and each
only by a fact of that very thing: `the boat has moved` does not say what the boat is called. Where that is
not sure there is no answer but the moments of the tape. English; a question in another language, and one of
no kind known here, is answered by the fact whose name it asks for.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import pairwise

from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import MONTHS, WEEKDAYS
from reel_cli.core.tape.search.forms import ASKING, STOP, forms
from reel_cli.core.tape.search.query import pairs, words

OWN = "fact own/"
"""Beginning of the ID of a fact of the persona's own life."""
_LEAD = (
    r"(?i)\W*(?:(?:so|and|but|hey|well|ok(?:ay)?|please|tell me|remind me|(?:do )?you (?:remember|know)"
    r"|remember)\W+)*"
)
_IS = r"(?:['’]s|['’]re|\s+(?:is|are|was|were|am))\b"
_DO = r"(?:do|does|did|have|has)"
UNFIT = "unfit"
"""The kind of question for what somebody must not eat or drink."""
_NEGATED = r"(?:not|n['’]t|cannot|never|avoid)\b"
_MAY = r"(?:can|may|must|should|could|do|does|am|is|are)(?:n['’]?t|['’]t|not)?"
_NOT_FOOD = rf"(?:what|which)\b(?=.*{_NEGATED})(?:\s+(?:food|foods|dishes|things))?"
_HAVE = r"(?:(?:not|never|allowed to|supposed to|have to)\s+)*(?:eat|drink|avoid|avoid eating)"
_KINDS: Sequence[tuple[str, re.Pattern[str]]] = tuple(
    (kind, late(rf"{_LEAD}{pattern}\W*$"))
    for kind, pattern in (
        (
            UNFIT,
            rf"{_NOT_FOOD}\s+{_MAY}\s+(?:not\s+)?(?P<thing>.+?)\s+{_HAVE}",
        ),
        ("name", rf"(?:what|how){_IS}\s+(?P<thing>.+?)\s+(?:called|named)"),
        ("name", rf"what{_IS}\s+the names?\s+(?:of|for)\s+(?P<thing>.+?)"),
        ("name", rf"what{_IS}\s+(?P<thing>.+?)\s+names?"),
        ("name", rf"what {_DO} (?P<who>[\w'’ ]+?) (?:call|called|name|named) (?P<thing>.+?)"),
        ("role", rf"who{_IS}\s+(?P<thing>.+?)"),
        ("who", r"who(?:m|se)?\b(?P<thing>.+?)"),
        ("time", r"(?:at )?what time\b(?P<thing>.+?)"),
        ("when", r"(?:since )?when\b(?P<thing>.+?)"),
        ("when", r"(?:on |in )?(?:what|which) (?:day|date|week|weekend|month|year)\b(?P<thing>.+?)"),
        ("where", r"where\b(?P<thing>.+?)"),
        ("age", r"how old\b(?P<thing>.+?)"),
        ("weight", r"how heavy\b(?P<thing>.+?)"),
        ("weight", rf"(?:what|how much) {_DO} (?P<thing>.+?) weigh"),
        ("length", r"how (?:long|tall|high|wide|deep|thick|far)\b(?P<thing>.+?)"),
        ("number", r"how (?:big|large)\b(?P<thing>.+?)"),
        ("amount", rf"(?:what|how much) {_DO} (?P<thing>.+?) cost"),
        ("amount", r"how much\b(?P<thing>.+?)"),
        ("number", r"how many\b(?P<thing>.+?)"),
        ("why", r"why\b(?P<thing>.+?)"),
        ("all", r"(?:what|which)(?:\s+\w+)?\s+(?:has|have)\b(?P<thing>.+?)"),
        ("state", rf"how{_IS}\s+(?P<thing>.+?)(?:\s+(?:doing|going|now|today|feeling))?"),
        ("thing", rf"(?:what|which){_IS}\s+(?P<thing>.+?)"),
        ("what", r"(?:what|which)\b(?P<thing>.+?)"),
        ("other", r"(?P<thing>.+?)"),
    )
)
"""The kinds of question, with the pattern of each and of the words for what it asks about."""
_MEASURING = frozenset(["cost", "costs", "pay", "paid", "spend", "spent", "price", "weigh", "weighs"])
"""Words of a question for an amount that its answer need not have."""
_GOING_ON = late(r"(?i)\b(?:am i|are you|are we|is \w+|are they)\s+(?:\w+ly\s+)?(?P<verb>\w{2,}ing)\b")
_GOES_ON = r"(?:\b(?:is|are|am|been|was|started|began|just)|['’](?:s|m|re|ve been))\s+(?:\w+ly\s+)?"
_WHICH_ONE = frozenset(
    ("first", "second", "third", "fourth", "fifth", "last", "next", "previous", "new", "other")
)
"""Words that tell one thing of several, each of which an answer must have."""
_MINE, _YOURS = late(r"(?i)\b(?:my|i|me|mine|our)\b"), late(r"(?i)\b(?:your|you|yours)\b")
_FRAME = late(
    r"(?i)\s*\((?:said|you said|noted)\b[^()]*\)$|^[^:“]{1,60}\b(?:said|noted) on \d{1,2} \w+ \d{4}:\s*"
)
"""Pattern of the words of a statement that say by whom and when it was said."""
_MONTH = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?"
    r"|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b"
)
_WEEKDAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_TIME = (
    r"\d{1,2}(?:[:.]\d\d)? ?(?:am|pm)\b|\b\d{1,2}[:.]\d\d\b|\b\d{1,2} o['’]clock"
    r"|\b(?:noon|midnight|half past)\b"
)
_SMALL = (
    r"(?:one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|nine)ty)"
)
_NUMBER = rf"(?:\d[\d.,]*|{_SMALL}(?:[- ]{_SMALL})?|(?:a )?(?:hundred|thousand))"
_ORDINAL = (
    r"(?:first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|last"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teenth|twentieth|thirtieth)"
)
_SPELLED_DAY = (
    rf"(?:on|by|from|since|until|till) the (?:(?:twenty|thirty)[- ])?{_ORDINAL}(?=\s+(?:of|day)\b|[^\w\s]|$)"
    rf"|{_ORDINAL} of (?:the|each|every) month\b"
)
"""A day without a digit, which is no floor and no time: `on the ninth`, `first of the month`."""
_UNIT = (
    r"(?:kilos?|kgs?|kilograms?|pounds?|lbs?|stone|grams?|foot|feet|ft|met(?:re|er)s?|cm|mm|inch(?:es)?|miles?|km|m"
    r"|minutes?|hours?|days?|nights?|weeks?|months?|years?)"
)
_MONEY = (
    r"(?:rents?|fees?|prices?|costs?|salary|wages?|pay|bonus|insurance|mortgage|budget|bills?|fines?|tickets?|tax"
    r"|deposit|allowance|supplement|groceries|utilities|pass)"
)
_BEARS: Mapping[str, re.Pattern[str]] = {
    "time": late(rf"(?i)(?:{_TIME})"),
    "when": late(
        rf"(?i)\b(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?{_MONTH}|(?:in|by|since|until|till|from|of|about)"
        rf" {_MONTH}|{_MONTH} (?:\d{{1,2}}|(?:19|20)\d\d)\b|(?:19|20)\d\d\b|{_WEEKDAY}s?\b"
        rf"|(?:spring|summer|autumn|winter)\b|christmas|easter|the \d{{1,2}}(?:st|nd|rd|th)\b"
        rf"|{_SPELLED_DAY}|{_TIME})"
    ),
    "age": late(
        rf"(?i)(?:(?:\b(?:is|was|turns?|turned|be|aged?)|['’]s)\s+(?:(?:about|nearly|already|now|only)\s+)?{_NUMBER}\b"
        rf"(?!\.?\d|\s*{_UNIT}\b(?! old))|\b{_NUMBER}[- ]years?[- ]old\b"
        rf"|\b\d{{1,3}}(?:st|nd|rd|th)\b|^{_NUMBER}\b(?!\.?\d|\s*{_UNIT}\b(?! old)))"
    ),
    "weight": late(rf"(?i)\b{_NUMBER}\s*(?:kilos?|kgs?|kilograms?|pounds?|lbs?|stone|grams?|g)\b"),
    "length": late(rf"(?i)\b{_NUMBER}[ -]*(?!kilo|kg|pound|lb|stone|gram){_UNIT}\b"),
    "amount": late(
        rf"(?i)[£$€]\s?\d|\b{_NUMBER}\s*(?:k|grand|quid|pounds?|euros?|dollars?|yen|kr|million|thousand)\b"
        rf"|\b{_NUMBER}\s+(?:an?|per) (?:month|week|year|session|hour|day)\b"
        rf"|\b{_MONEY}\b.*\b{_NUMBER}|\b{_NUMBER}\b.*\b{_MONEY}\b|\bfor {_NUMBER}\b"
    ),
    "number": late(rf"(?i)\b{_NUMBER}\b(?!\s*(?:minutes?|hours?|days?|weeks?|months?|years?)\b)"),
    "why": late(r"(?i)\b(?:because|since|as|so|for|to|due|thanks)\b"),
}
"""By kind of question: the pattern of what its answer has."""
_BORN = late(
    rf"(?i)\bborn (?:(?:on|in) )?(?:\d{{1,2}}(?:st|nd|rd|th)? (?:of )?)?(?:{_MONTH} )?(?:19|20)\d\d\b"
)
_WHOLE_DATE = late(rf"(?i)\b(?:\d{{1,2}} )?{_MONTH} \d{{4}}\b|\bin (?:19|20)\d\d\b")
_DATE = late(rf"\b(?P<day>\d{{1,2}}) (?P<month>{'|'.join(MONTHS)}) (?P<year>\d{{4}})\b")
_PLACE = late(
    r"(?i)\b(?:in|at|on|near|by|from|to|above|next to|behind|under|opposite|off)\s+"
    r"(?:(?:the|a|an|my|her|his|their|your)\s+)?"
    r"(?!\d[\d.:]*(?:\W|am\b|pm\b|st\b|nd\b|rd\b|th\b|$))"
    rf"(?!{_WEEKDAY}|{_MONTH}|(?:first|last|next|time|hold|nights?|days?|call)\b)\w+"
)
_NAME = r"(?:[^\W\d_a-zß-öø-ÿ][\w’'-]*\w)"
"""Pattern of a word with a capital letter, where case counts."""
_CAPITAL = late(rf"(?<![\w’'-]){_NAME}(?: {_NAME})*")
_NO_NAMES = frozenset(
    (
        *map(str.lower, (*MONTHS, *WEEKDAYS)),
        *("christmas", "easter"),
        *("the", "it", "he", "she", "they", "we", "there", "this", "that"),
    )
)
"""Words with a capital letter that are no names."""
_PLACED = late(r"(?i)\b(?:in|at|to|from|near|of|on|with|for|by)\s+(?:the\s+)?$")
"""Pattern of words before a name that make it the name of a place, or of somebody else."""
_PEOPLE = (
    r"(?:(?:grand|step)?(?:mother|father|mum|mom|dad|son|daughter)|sister|brother|wife|husband|partner|aunt|uncle"
    r"|cousin|niece|nephew|friend|boss|colleague|neighbou?r|landlord|landlady|teacher|doctor|nurse|vet|dog|cat"
    r"|girlfriend|boyfriend|flatmate|roommate|mentor|coach|cook|girl|boy|kid|child|widow|surveyor|manager)"
)
_SOMEBODY = late(rf"(?i)\b{_PEOPLE}\b")
_ONESELF = frozenset(("i", "my", "you", "your", "not", "is", "am"))
_GENERIC = frozenset(
    (
        *("name", "names", "current", "new", "now", "own", "favourite", "favorite"),
        *("date", "day", "time", "place", "cost", "price", "fee"),
    )
)
"""Words of a fact's name that do not make it one of another thing."""
_EMPTY = frozenset(["way", "ways", "thing", "things", "something"])
_FIRST_WORDS = 5
"""Number of words of a statement among which what it is about stands."""
_UNFIT = late(
    r"(?i)\b(?:allerg(?:y|ic|ies)\b|intoleran(?:t|ce)\b|co?eliac\b|vegan\b|vegetarian\b"
    r"|(?:can(?:not|['’]t| not)|must(?:n['’]t| not)|do(?:es)?(?:n['’]t| not)|never)"
    r" (?:eats?|drinks?|touch(?:es)?)\b)"
)
"""Pattern of statements of what somebody must not have."""
_EVENT = 2
"""Number of words from which a statement that has them all is of the event whose day is asked for."""
EXACT, HEAD, SUBJECT = 3, 2, 1
"""How a fact is of the thing that is asked about: by its whole name, its name's last word, its statement."""


@frozen
class AskedFact:
    """A question as a fact may answer it: what is asked for, of which thing, and whose it is.

    `content` has for each word of the thing its forms. `whose` is the role that the question's `my` or `your`
    stands for; "" for neither.
    """

    kind: str
    text: str
    content: Mapping[str, frozenset[str]]
    whose: str
    said: frozenset[str]
    """All words of the question, and those of the speakers' names."""
    going_on: str = ""
    """The verb of what somebody is just doing: `reading` of `What am I reading?`."""
    upcoming: bool = False
    """True if the day or time of the next one of several is asked for."""

    def needs(self, word: str) -> bool:
        """Return whether a fact must have a word of the question to answer it."""
        return word in self.content if self.content else word not in ASKING


@frozen
class FactLine:
    """A fact as it may answer: its ID, its name in lower case, and its statement."""

    id: str
    key: str
    line: str


def read_question(text: str, people: Collection[str], asker: str) -> AskedFact:
    """Parse a question; `people` are words of the speakers' names, `asker` is the role of who asks, or ""."""
    plain = " ".join(text.split())
    matches = ((kind, pattern.match(plain)) for kind, pattern in _KINDS)
    kind, found = next(((kind, one) for kind, one in matches if one is not None), ("other", None))
    groups = found.groupdict() if found is not None else {"thing": plain}
    thing = words(f"{groups.get('who') or ''} {groups['thing']}")
    upcoming = kind in ("when", "time") and "next" in thing
    content = {
        word: frozenset(forms(word))
        for word in thing
        if len(word) > 1
        and word not in STOP
        and word not in people
        and not (upcoming and word == "next")
        and (kind not in ("amount", "weight") or word not in _MEASURING)
    }
    if kind == "name" and not content:
        # `What is my name?`
        content = {"name": frozenset(("name",))}
    mine, yours = _MINE.search(plain) is not None, _YOURS.search(plain) is not None
    other = {"user": "assistant", "assistant": "user"}.get(asker, "")
    going = _GOING_ON.search(plain) if kind in ("what", "thing") else None
    return AskedFact(
        "what" if going is not None else kind,
        plain,
        content,
        "" if mine == yours else asker if mine else other,
        frozenset((*words(plain), *people)),
        going["verb"].casefold() if going is not None else "",
        upcoming,
    )


def find_next(facts: Iterable[FactLine], today: str) -> FactLine | None:
    """Return the fact with the first day that is not before `today` (ISO); None where two share it."""
    days: dict[str, list[FactLine]] = {}
    for fact in facts:
        told = sorted(
            f"{found['year']}-{MONTHS.index(found['month']) + 1:02}-{int(found['day']):02}"
            for found in _DATE.finditer(_without_frame(fact))
        )
        if told and told[-1] >= today:
            days.setdefault(next(day for day in told if day >= today), []).append(fact)
    first = days[min(days)] if days else []
    return first[0] if len(first) == 1 else None


def rank_answer(asked: AskedFact, fact: FactLine) -> int:
    """Return how well a fact answers a question: `EXACT`, `HEAD`, `SUBJECT`, or 0 where it does not."""
    own = fact.id.startswith(OWN)
    if (asked.whose == "user" and own) or (asked.whose == "assistant" and not own):
        return 0
    said = _without_frame(fact)
    if asked.going_on and not re.search(rf"(?i){_GOES_ON}{re.escape(asked.going_on)}\b", said):
        return 0
    if asked.kind == UNFIT:
        return HEAD if _is_unfit(asked, fact, said) else 0
    wanted = {word for word in asked.said if word.isdecimal()} | (asked.said & _WHICH_ONE)
    if not (wanted - {"next"} if asked.upcoming else wanted).issubset((*words(said), *words(fact.key))):
        return 0
    how = _likeness(asked, fact, said)
    if asked.kind in ("all", "state") and how != EXACT:
        return 0
    return how if how and _says_more(asked, said) and _is_borne(asked, fact.key, said, how) else 0


def _without_frame(fact: FactLine) -> str:
    """Return a fact's statement without its name before a colon, and without who said it when."""
    name, colon, rest = fact.line.partition(": ")
    told = rest if colon and words(name) == words(fact.key) else fact.line
    return _FRAME.sub("", _FRAME.sub("", told))


def _is_unfit(asked: AskedFact, fact: FactLine, said: str) -> bool:
    """Return whether a statement says what the one whom a question names, or who asks, must not have."""
    found = _UNFIT.search(said)
    if found is None:
        return False
    told = {*words(said), *words(fact.key)}
    if asked.content:
        return all(not told.isdisjoint(one) for one in asked.content.values())
    whose = re.match(r"(.+?)(?:['’]s|s['’])\s", said) or re.match(r"(.+?)(?:['’]s|s['’])\s", fact.key)
    if whose is not None:
        return asked.said.issuperset(words(whose[1]))
    before = words(said[: found.start()])
    return not before or before[0] in asked.said or before[0] in _ONESELF


def _likeness(asked: AskedFact, fact: FactLine, said: str) -> int:
    """Return whether a fact is of the very thing that is asked about, and by what; 0 where it is not."""
    name = [word for word in words(fact.key) if len(word) > 1 and word not in STOP]
    of_it = [_is_asked(asked, word) for word in name]
    if any(of_it) and all(is_so or word in _GENERIC for word, is_so in zip(name, of_it, strict=True)):
        return EXACT
    whose = re.match(r"(.+?)(?:['’]s|s['’])\s", fact.key)
    if whose is not None and asked.said.isdisjoint(words(whose[1])):
        # of somebody whom the question does not name
        return 0
    if of_it and of_it[-1]:
        return HEAD
    if not asked.content:
        # in a script without spaces every sign that was asked for is there
        return 0 if words(asked.text) else HEAD
    if asked.kind in ("other", "all", "state"):
        return 0
    if asked.kind == "when" and len(asked.content) >= _EVENT:
        return SUBJECT
    # where a name stands by the thing is looked at closer below
    first = words(said)[: None if asked.kind in ("name", "role") else _FIRST_WORDS]
    if asked.kind == "thing":
        # `X's hobbies are`, and not whatever speaks of them
        first = [word for word, after in pairwise(first) if after in ("is", "are", "was", "were")]
    return SUBJECT if not _head(asked).isdisjoint(first) else 0


def _is_asked(asked: AskedFact, word: str) -> bool:
    """Return whether a word is one of the question's, in any form."""
    return any(word in one or not one.isdisjoint(forms(word)) for one in asked.content.values())


def _says_more(asked: AskedFact, said: str) -> bool:
    """Return whether a statement says anything that the question does not."""
    return any(pair not in asked.text for pair in pairs(said)) or any(
        word not in STOP and word not in asked.said and word not in _EMPTY and not _is_asked(asked, word)
        for word in words(said)
    )


def _head(asked: AskedFact) -> frozenset[str]:
    """Return the forms of the word that names the thing asked about, the last; none for no word."""
    return next(reversed(list(asked.content.values())), frozenset())


def _is_borne(asked: AskedFact, key: str, said: str, how: int) -> bool:
    """Return whether a statement has what is asked for."""
    if asked.kind in ("name", "role", "who"):
        return _tells_who(asked, said, how)
    if asked.kind == "where":
        return bool(_PLACE.search(said) or (how == EXACT and _names(asked, said)))
    pattern = _BEARS.get(asked.kind)
    if pattern is None:
        return True
    if asked.kind in ("when", "time"):
        return pattern.search(said) is not None
    if asked.kind == "age" and _BORN.search(said):
        return True
    told = _WHOLE_DATE.sub(" ", said)
    # `hall fee: 21`
    return pattern.search(f"{key}: {told}" if asked.kind == "amount" else told) is not None


def _tells_who(asked: AskedFact, said: str, how: int) -> bool:
    """Return whether a statement names somebody or something, as the question wants it."""
    heads = "|".join(map(re.escape, sorted(_head(asked))))
    if not heads:
        return False
    if asked.kind == "role" and _CAPITAL.search(_asked_about(asked)):
        # `Who is Denise?` wants what she is, and not her name
        is_so = rf"(?:{heads})\b,?\s+(?:is|was)\s+(?:an?|the|my|his|her|their|[\w]+['’]s)\s"
        kin = rf"\b{_PEOPLE}\s+(?:is\s+)?(?:{heads})\b(?!['’]s)"
        then = rf"\b(?:{heads})\b,?\s+(?:is\s+)?[^.;]{{0,30}}\b{_PEOPLE}\b"
        begins = rf"^(?:(?:my|your|the|his|her|their|an?|[\w]+['’]s)\s+)?(?:\w+\s+)?{_PEOPLE}\b"
        every = [is_so, kin, then, *([begins] if how == EXACT else [])]
        return any(re.search(f"(?i){one}", said.strip("“")) for one in every)
    names = _names(asked, said)
    if asked.kind == "who":
        return bool(names or _SOMEBODY.search(said))
    if not names:
        return False
    if how == EXACT:
        return True
    named = "|".join(map(re.escape, names))
    beside = (
        rf"(?i:\b(?:{heads})\b,?(?:\s+(?:is|are|was|were))?(?:\s+(?:called|named))?,?\s+)(?:{named})"
        rf"|(?i:\b(?:called|named|name is|name['’]s)\s+(?:(?:her|him|it|them)\s+)?)(?:{named})"
        rf"|(?:{named})(?i:,?\s+(?:is|was|my|the)\s+(?:\w+\s+){{0,2}}(?:{heads})\b(?!['’]s))"
        rf"|^(?i:(?:the\s+|my\s+|[\w]+['’]s\s+)?(?:{heads})\s+(?:is|was|are|were)\b).*(?:{named})"
    )
    return re.search(beside, said) is not None


def _asked_about(asked: AskedFact) -> str:
    return re.sub(rf"{_LEAD}who{_IS}\s+", "", asked.text)


def _names(asked: AskedFact, said: str) -> list[str]:
    """Return the names in a statement that the question does not have; those of places and dates left out."""
    found = []
    for one in _CAPITAL.finditer(said):
        word = one[0].removesuffix("'s").removesuffix("’s")
        if asked.said.issuperset(words(word)) or word.casefold() in _NO_NAMES:
            continue
        begins = (
            not said[: one.start()].strip(" “\"'(").rstrip() or said[: one.start()].rstrip()[-1:] in ".!?"
        )
        alone = re.match(rf"(?:['’]s\b)?\s*(?:[,.;!”\"(]|$|(?:is|was|and {_NAME})\b)", said[one.end() :])
        if not _PLACED.search(said[: one.start()]) and (not begins or alone):
            found.append(one[0])
    return found
