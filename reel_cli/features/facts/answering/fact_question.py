"""A question as a fact may answer it: the kind of answer that is asked for, and the thing it is about.

English; a question in another language, and one of no kind known here, is answered by the fact whose name it
asks for.
"""

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from functools import lru_cache

from reel_cli.core.frozen import frozen, late
from reel_cli.core.tape.search.forms import ASKING, STOP, bases, forms
from reel_cli.core.tape.search.query import words

LEAD = (
    r"(?i)\W*(?:(?:so|and|but|hey|well|ok(?:ay)?|please|tell me|remind me|(?:do )?you (?:remember|know)"
    r"|remember)\W+)*"
)
IS = r"(?:['’]s|['’]re|\s+(?:is|are|was|were|am))\b"
_DO = r"(?:do|does|did|have|has)"
_AUX = (
    r"(?:is|are|am|was|were|do|does|did|has|have|had|can|could|may|might|must|should|shall|will|would)"
    r"(?:n['’]?t)?"
)
UNFIT, DOSE, MEDICINE = "unfit", "dose", "medicine"
SCHEDULE, PROMISE, WHETHER = "schedule", "promise", "whether"
"""Kinds of question: for what somebody must not eat or drink, for a dose, for somebody's medicines, for when
something is taken, for what was promised, and one that wants a yes or a no."""
_NEGATED = r"(?:not|n['’]t|cannot|never|avoid)\b"
_MAY = r"(?:can|may|must|should|could|do|does|am|is|are)(?:n['’]?t|['’]t|not)?"
_MEDICINES = r"(?:medicines?|medications?|meds|pills?|tablets?|drugs?|prescriptions?)"
_NOT_FOOD = (
    rf"(?:what|which)\b(?=.*{_NEGATED})"
    rf"(?:\s+(?:food|foods|dishes|things|(?:\w+\s+)?(?:{_MEDICINES}|painkillers?)))?"
)
KINDS = (
    ("antibiotic", r"antibiotics?"),
    ("painkiller", r"pain ?killers?|anti-?inflammator(?:y|ies)"),
    ("medicine", rf"{_MEDICINES}"),
)
"""Kinds of medicine that somebody must not have, and the words for each."""
_KIND = rf"(?:\w+\s+)?(?:{'|'.join(words for _, words in KINDS)})"
_GIVEN = r"(?:(?:not|never|be|allowed to|supposed to)\s+)*(?:have|get|given|prescribed)"
_HAVE = r"(?:(?:not|never|allowed to|supposed to|have to)\s+)*(?:eat|drink|take|use|avoid|avoid eating)"
_PROMISED = r"(?:promise[sd]?|owe[sd]?|vow(?:ed)?|swore)"
PROMISING = late(rf"(?i)(?:{_PROMISED}|promising|owing|anything|something)$")
_NAMES = r"(?:(?:right|full|real|proper|exact)\s+)?names?"
_KINDS: Sequence[tuple[str, re.Pattern[str]]] = tuple(
    (kind, late(rf"{LEAD}{pattern}\W*$"))
    for kind, pattern in (
        (
            UNFIT,
            rf"{_NOT_FOOD}\s+{_MAY}\s+(?:not\s+)?(?P<thing>.+?)\s+{_HAVE}",
        ),
        (
            UNFIT,
            rf"(?:what|which)\b(?=.*{_NEGATED})\s+{_KIND}\s+{_MAY}\s+(?:not\s+)?(?P<thing>.+?)\s+{_GIVEN}",
        ),
        (
            UNFIT,
            rf"(?:what|which)\b(?=.*{_NEGATED})\s+{_KIND}\s+{_MAY}\s+(?:not\s+)?(?P<thing>.+?)\s+{_HAVE}",
        ),
        (PROMISE, rf"(?:what|which)\b.*?\b{_DO}\s+(?P<thing>(?:i|you|we)\b.*\b{_PROMISED}\b.*)"),
        (PROMISE, rf"(?:is|was) there (?:something|anything)\s+(?P<thing>(?:i|you|we)\b.*\b{_PROMISED}\b.*)"),
        (PROMISE, r"(?:do|did|have)\s+(?P<thing>(?:i|you|we)\s+owe\s+(?:me|you|us)\s+(?:any|some)thing\b.*)"),
        (DOSE, r"(?:what|which|how (?:much|big|high))\b(?P<thing>.*?\b(?:dose|dosage)\b.*?)"),
        (DOSE, r"how (?:much|many)\b(?P<thing>.+?)\s+(?:am|are|is|was|were)\s+(?:\w+\s+){1,3}on"),
        (DOSE, r"how much\s+(?P<thing>[^\W\d_]{4,})"),
        (
            MEDICINE,
            rf"(?:what|which)(?:{IS}\s+(?:the|my|your))?\s+(?:\w+\s+)?{_MEDICINES}\b(?P<thing>.*?)",
        ),
        ("name", rf"(?:what|how){IS}\s+(?P<thing>.+?)\s+(?:called|named)"),
        ("name", rf"what{IS}\s+the {_NAMES}\s+(?:of|for)\s+(?P<thing>.+?)"),
        ("name", rf"what{IS}\s+(?P<thing>.+?)\s+{_NAMES}"),
        ("name", rf"what {_DO} (?P<who>[\w'’ ]+?) (?:call|called|name|named) (?P<thing>.+?)"),
        ("role", rf"who{IS}\s+(?P<thing>.+?)"),
        ("who", r"who(?:m|se)?\b(?P<thing>.+?)"),
        (SCHEDULE, r"how often\b(?P<thing>.+?)"),
        ("time", r"(?:at )?what time\b(?P<thing>.+?)"),
        ("when", r"(?:since |until |till )?when\b(?P<thing>.+?)"),
        ("when", r"(?:on |in )?(?:what|which) (?:days?|date|week|weekend|month|year)\b(?P<thing>.+?)"),
        ("where", r"where\b(?P<thing>.+?)"),
        ("age", r"how old\b(?P<thing>.+?)"),
        ("weight", r"how heavy\b(?P<thing>.+?)"),
        ("weight", rf"(?:what|how much) {_DO} (?P<thing>.+?) weigh"),
        ("length", r"how (?:long|tall|high|wide|deep|thick|far)\b(?P<thing>.+?)"),
        ("number", r"how (?:big|large)\b(?P<thing>.+?)"),
        ("amount", rf"(?:what|how much) {_DO} (?P<thing>.+?) cost"),
        ("amount", rf"what {_DO} (?:i|we|you|they|he|she) pay for (?P<thing>.+?)"),
        ("amount", r"how much\b(?P<thing>.+?)"),
        ("number", r"how many\b(?P<thing>.+?)"),
        ("why", r"why\b(?P<thing>.+?)"),
        ("what", r"what (?:happens|is happening|happened|is planned|is going on)\b(?P<thing>.+?)"),
        ("all", r"(?:what|which)(?:\s+\w+)?\s+(?:has|have)\b(?P<thing>.+?)"),
        ("all", r"(?:what|how) about\b(?P<thing>.+?)"),
        ("state", rf"how{IS}\s+(?P<thing>.+?)(?:\s+(?:doing|going|now|today|feeling))?"),
        ("thing", rf"(?:what|which){IS}\s+(?P<thing>.+?)"),
        ("what", r"(?:what|which)\b(?P<thing>.+?)"),
        (WHETHER, rf"{_AUX}\s+(?P<thing>.+?)"),
        ("other", r"how do (?:i|you|we) (?:like|take|drink|have) (?P<thing>.+?)"),
        ("other", r"(?P<thing>.+?)"),
    )
)
"""The kinds of question, with the pattern of each and of the words for what it asks about."""
_ANOTHER = late(
    r"(?i)\?.*$|,?\s+and\s+(?:what|how|when|where|who|why|which|did|do|does|is|are|was|were|what['’]s)\b.*$"
    r"|,\s*(?:and\s+)?(?:what|how|when|where|who|why|which|until|till|since)\b.*$"
)
"""Pattern of what follows the first question of several."""
_IDLE_END = late(
    r"(?i)[\s,]+(?:now|nowadays|these days|today|currently|at the moment|at present|right now|by now|again"
    r"|exactly|actually|really|in the end|finally|then|please|anyway)\W*$"
)
"""Pattern of words at the end of a question that its answer need not have."""
_PAST = late(
    r"(?i)\b(?:used? to|previously|formerly|originally|initially|at first|in the past)\b"
    r"|[\s,]+before\W*$"
)
"""Pattern of words that ask for what held before."""
_PLANNED = late(r"(?i)\b(?:going|supposed|meant) to (?:be|happen)\b")
_STILL = late(r"(?i)\bstill\b(?P<doing>\s+\w+)?")
_GUESSES = late(r"(?i)\b(?:might|would|likely|probably)\b")
_ASKED_PAST = late(r"(?i)\b(?:did|was|were|had)\b")
_MEASURING = frozenset(["cost", "costs", "pay", "paid", "spend", "spent", "price", "weigh", "weighs"])
"""Words of a question for an amount that its answer need not have."""
_TAKE = frozenset(("take", "takes", "taking", "inject", "swallow"))
_TAKING = frozenset((
    *("take", "takes", "took", "taken", "taking", "get", "gets", "need", "needs", "use", "inject", "swallow"),
    *("dose", "doses", "dosage", "mg", "milligram", "milligrams", "ml", "mcg", "units", "drops"),
    *("pill", "pills", "tablet", "tablets"),
))  # fmt: skip
"""The same of a question for a dose; it is one where one of them stands there."""
_IDLE: Mapping[str, frozenset[str]] = {
    "amount": _MEASURING,
    "weight": _MEASURING,
    DOSE: _TAKING,
    MEDICINE: _TAKING,
    SCHEDULE: _TAKING,
    "when": frozenset(("get", "got", "happen", "happened")),
    "where": frozenset(("live", "lives", "living", "stay", "keep", "kept", "sit", "sits", "located", "find")),
    "other": frozenset(("take", "like", "drink")),
    WHETHER: frozenset(("eat", "drink", "take", "use", "get", "like", "love", "hate", "mind")),
}
"""By kind of question: words that its answer need not have, where others are asked for."""
_IDLE_ANYWHERE = frozenset(("now", "currently", "nowadays", "exactly", "actually", "really", "finally"))
_ALIKE: Mapping[str, frozenset[str]] = {
    "born": frozenset(("birthday", "birth")),
    "owe": frozenset(("owed", "owes", "owing")),
    "operated": frozenset(("operation",)),
}
"""Words that a fact may have in place of another one."""
_WHICH_ONE = frozenset(
    ("first", "second", "third", "fourth", "fifth", "last", "next", "previous", "new", "other")
)
"""Words that tell one thing of several, each of which an answer must have."""
_GOING_ON = late(r"(?i)\b(?:am i|are you|are we|is \w+|are they)\s+(?:\w+ly\s+)?(?P<verb>\w{2,}ing)\b")
_MINE, _YOURS = late(r"(?i)\b(?:my|i|me|mine|our)\b"), late(r"(?i)\b(?:your|you|yours)\b")
_THIRD = late(r"(?i)\b(?:she|he|they)\b")
_FIRST_BY, _SECOND_BY = late(rf"(?i)\bi\b(?=.*\b{_PROMISED})"), late(rf"(?i)\byou\b(?=.*\b{_PROMISED})")


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
    past: bool = False
    """True if what held before is asked for, by such words."""
    still: bool = False
    """True if it is asked whether something still holds."""
    doing: str = ""
    """The word behind `still`, which a fact that says otherwise need not have."""
    was: bool = False
    """True if the question is put in the past tense."""
    third: bool = False
    """True if it is about a `she`, `he` or `they`, and so not about who asks."""
    guesses: bool = False
    """True if it asks for a guess (`What might her degree be in?`), which no fact is."""

    def needs(self, word: str) -> bool:
        """Return whether a fact must have a word of the question to answer it."""
        return word in self.content if self.content else word not in ASKING

    def which(self) -> frozenset[str]:
        """Return numbers and words like `second` that tell one thing of several, as each answer has them."""
        wanted = {word for word in self.said if word.isdecimal()} | (self.said & _WHICH_ONE)
        return frozenset(wanted - {"next"} if self.upcoming else wanted)

    def is_asked(self, word: str) -> bool:
        """Return whether a word is one of the question's, in any form."""
        return any(not one.isdisjoint(_spread(word)) for one in self.content.values())

    def is_name(self, word: str) -> bool:
        """Return whether a word has a capital in the question."""
        return re.search(rf"\b{re.escape(word.capitalize())}\b", self.text) is not None

    def lacking(self, told: Iterable[str]) -> list[str]:
        """Return the words asked for that are not among those `told`, in any form."""
        said = set(told)
        return [
            word
            for word, one in self.content.items()
            if one.isdisjoint(said) and all(one.isdisjoint(_spread(other)) for other in said)
        ]


def read_question(text: str, people: Collection[str], asker: str) -> AskedFact:
    """Parse a question; `people` are words of the speakers' names, `asker` is the role of who asks, or "".

    Of several questions in one it is the first.
    """
    plain = _ANOTHER.sub("", " ".join(text.split())) or " ".join(text.split())
    still, was = _STILL.search(plain), _ASKED_PAST.search(plain) is not None
    past = _PAST.search(plain) is not None or (was and _PLANNED.search(plain) is not None)
    plain = " ".join(_PLANNED.sub(" ", _PAST.sub(" ", _STILL.sub(r" \g<doing>", plain))).split())
    while (short := _IDLE_END.sub("", plain)) != plain:
        plain = short
    matches = ((kind, pattern.match(plain)) for kind, pattern in _KINDS)
    kind, found = next(((kind, one) for kind, one in matches if one is not None), ("other", None))
    groups = found.groupdict() if found is not None else {"thing": plain}
    thing = words(f"{groups.get('who') or ''} {groups['thing']}")
    if kind in ("amount", "number") and not _TAKING.isdisjoint(thing):
        kind = DOSE
    if kind in ("when", "time") and not was and not _TAKE.isdisjoint(thing):
        kind = SCHEDULE
    upcoming = kind in ("when", "time") and "next" in thing
    content = {
        word: frozenset((*forms(word), *bases(word), *_ALIKE.get(word, ())))
        for word in thing
        if len(word) > 1
        and word not in STOP
        and word not in people
        and not (upcoming and word == "next")
        and word not in _IDLE.get(kind, ())
    }
    content = {word: one for word, one in content.items() if word not in _IDLE_ANYWHERE} or content
    if kind == "name" and not content:
        # `What is my name?`
        content = {"name": frozenset(("name",))}
    mine, yours = _MINE.search(plain) is not None, _YOURS.search(plain) is not None
    if kind == PROMISE:
        # `What did I promise you?` asks for what is mine
        mine, yours = (
            _FIRST_BY.match(groups["thing"]) is not None,
            _SECOND_BY.match(groups["thing"]) is not None,
        )
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
        past,
        still is not None,
        (still["doing"] or "").strip().casefold() if still is not None else "",
        was,
        not (mine or yours) and _THIRD.search(plain) is not None,
        _GUESSES.search(plain) is not None,
    )


@lru_cache(1 << 14)
def _spread(word: str) -> frozenset[str]:
    """Return a word in all its forms; of the short ones (`died`, `goes`) as well."""
    cut = word[:-1] if word.endswith("ied") else word[:-2] if word.endswith("oes") else ""
    roots = (*bases(word), cut) if cut else bases(word)
    return frozenset(one for root in roots for one in (root, *forms(root), *bases(root)))
