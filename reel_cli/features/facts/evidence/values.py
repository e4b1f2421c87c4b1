"""Comparison of two values told under one name at two times: an update, a contradiction, or two things.

A later value is an update, because names are reused for what goes on: plans proceed, numbers grow, states
change. Two values contradict one another only where one of them cannot have changed, or did not change by
the newer words: they reach back to before the older ones were said, or both give another day, number or
name to a thing that has one. In doubt, it is an update. English alone.
"""

from datetime import date
from enum import StrEnum

from reel_cli.core.evidence.days.sentence_time import is_of_many, tells_past
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, spelt_out, stem, stems
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.frozen import late
from reel_cli.features.facts.evidence.fact_answer import HEDGED
from reel_cli.features.facts.evidence.fact_support import PART
from reel_cli.features.facts.evidence.told_value import (
    DAYS_OF_YEAR,
    HAPPENED,
    LEAST_COMMON,
    ToldValue,
    without_dates,
)
from reel_cli.features.facts.evidence.value_counts import gives_other_day, gives_other_number, whens_of
from reel_cli.features.facts.evidence.value_subjects import is_of_another


class Relation(StrEnum):
    """Relations of a newer value to the older one of the same name."""

    UPDATE = "update"
    CONFLICT = "conflict"
    BOTH = "both"
    """They are of two different things, and both may stand."""
    LESS = "less"
    """The newer one tells the same less exactly."""


def compare_values(older: ToldValue, newer: ToldValue) -> Relation:
    """Return what the newer of two values is to the older one."""
    words = f"{newer.value} . {newer.said}"
    corrected = is_correction(words)
    if not corrected and says_less(older, newer):
        return Relation.LESS
    if corrected or _denies_number(older, newer):
        return Relation.UPDATE
    # what somebody had ten years ago is against that they have none
    denied = spelt_out(older.value)
    never = _DENIES_IT.search(denied) or (_DENIES.search(denied) and tells_past(denied))
    apart = not (_CHANGED.search(words) or never)
    if (apart and _is_of_past(newer, older)) or _is_of_now(older, newer):
        return Relation.BOTH
    if _contradict(older, newer):
        return Relation.BOTH if _are_two(older, newer) else Relation.CONFLICT
    both = _of_two_things(older, newer) or _of_two_times(older, newer)
    return Relation.BOTH if both else Relation.UPDATE


def _are_two(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether values that seem to contradict one another are of two things, or of two people."""
    if is_of_another(older, newer):
        return True
    # one cat has one name, where that is what the fact is of
    one_name = older.key.casefold().split()[-1:] == ["name"]
    mine, theirs = _called_of(even(newer.value)), _called_of(even(older.value))
    return bool(mine and theirs and mine.isdisjoint(theirs)) and not one_name


def _is_of_now(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether a newer value tells how things are, and the older one what was done years before.

    `Lives in Turku` and `does not work there` take nothing back from what was in 1991; `did not work there`
    does, and `divorced` is news of `married in 2010`.
    """
    goes_on = tells_past(even(newer.value)) or _REACHES_BACK.search(older.value)
    return not goes_on and _is_long_ago(older, newer) and tells_past(even(older.value))


def _of_two_times(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether the values tell of two times years ago, with words in common, and not the same of both.

    `A storm took it in 1976` and `I lost it at the signal in 1981` have none: one takes the other's place.
    """
    pairs = (older, newer), (newer, older)
    if not _shared(older, newer) or not all(
        _ended_long_ago(one, other) and tells_past(even(one.value)) for one, other in pairs
    ):
        return False
    was, now = ([span for when in whens_of(one) for span in when.spans] for one in (older, newer))
    if any(first <= end and start <= last for first, last in was for start, end in now):
        return False
    one, two = (without_dates(even(told.value), dates(even(told.value), told.day)) for told in (older, newer))
    return set(stems(one)) != set(stems(two)) or bool(_DENIES.search(one)) != bool(_DENIES.search(two))


def _is_long_ago(one: ToldValue, other: ToldValue) -> bool:
    """Return whether a value tells of a time years ago, and the other of no time."""
    return _ended_long_ago(one, other) and _is_of_past(one, other)


def _ended_long_ago(one: ToldValue, other: ToldValue) -> bool:
    """Return whether a value tells of a time that was over a year before either was told."""
    told = min((day for day in (one.day, other.day) if day is not None), default=None)
    ends = [last for when in whens_of(one) for _, last in when.spans]
    return told is not None and bool(ends) and (told - max(ends)).days > DAYS_OF_YEAR


def _denies_number(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether the newer words take back a number of the older value: `not 54. 52`."""
    said = even(newer.said)
    denied = {value for one in numbers(said, said) if _NOT.search(said[: one.start]) for value in one.values}
    old, new = (
        {value for one in numbers(text, text) for value in one.values}
        for text in (even(older.value), even(newer.value))
    )
    return bool((denied & old) and (new - old))


_NOT = late(r"(?i)\bnot\s+(?:the\s+|[$€£])?$")
_CORRECTED = late(
    r"(?i)\b(?:i was wrong|i (?:had|got|said) (?:it|that|this) wrong|wrong before|my mistake|i meant|i mis\w+"
    r"|(?:it )?turn(?:s|ed) out|not .{1,40} as i said|i said [^.!?]{1,40}? (?:didn't i|but it(?:'s| is))"
    r"|(?:that|it|this|all|what i (?:said|told you)) (?:was|is|were) (?:all |quite |just |plain )?"
    r"(?:wrong|mistaken|an? (?:mistake|error)|not (?:right|true|so))|(?:told|gave) (?:you|it|them|that)"
    r"(?: \w+){0,2} wrong|wrong(?:ly)? (?:name|number|year|day|date|one|the first time|last time)"
    r"|scratch that|correct(?:ing)? (?:myself|that|it)|put (?:it|that|this) right|misremember\w*"
    r"|remembered (?:it|that) wrong|mixed (?:it|that|them|those|the \w+) up|correction)\b"
)
"""Words that take back the older value."""


def is_correction(words: str) -> bool:
    """Return whether words take back what was said before."""
    return _CORRECTED.search(even(words)) is not None


_CHANGED = late(
    r"(?i)\b(?:no longer|any ?more|mov(?:e|ed|es|ing)|chang(?:e|ed|es|ing)|switch\w*|instead"
    r"|rather than|becom\w+|became"
    r"|turn(?:s|ed|ing)?|(?:a|my|our|the|his|her|brand) new|start(?:s|ed|ing)?|beg[aiu]n|begins?|quit"
    r"|stopped|g[ai]v\w+ up"
    r"|left|los(?:t|ing)|join(?:ed|ing)|adopt(?:ed|ing)?|got|getting|gone|since|so far|altogether"
    r"|by now|recover\w*"
    r"|repaired|fixed|healed|broke up|split|separat\w+|divorc\w+|postpon\w+|reschedul\w+|cancel\w*"
    r"|pushed|brought forward"
    r"|delay\w*|shift\w*|extend\w*|decid\w+|finish(?:ed)?|done|passed|accepted|after all|said (?:yes|no)"
    r"|c[ao]me (?:home|back)|used to|again|finally|up from|down from|remarried|promot\w+|now|these days"
    r"|nowadays|lately"
    r"|another|second|third|also|too|as well)\b"
)
"""Words by which the newer value came after the older one, or beside it."""
_REACHES_BACK = late(
    r"(?i)\b(?:always|never|all (?:my|his|her|their|our) (?:li(?:fe|ves)|childhood)|born|back then"
    r"|from birth"
    r"|since (?:birth|childhood|i was|he was|she was|they were|we were|my|his|her|their|school|college"
    r"|(?:thir|four|fif|six|seven|eigh|nine)teen|twenty\w*|(?:1[0-9]|[2-9])\b|(?:19|20)\d\d)"
    r"|as an? (?:small |little )?(?:kid|child|boy|girl|student|teenager)|when (?:i|he|she|they"
    r"|we) (?:was|were)"
    r"|years ago|before (?:i|he|she|they|we) (?:was|were) born)\b"
)
"""Words that reach back further than any two talks are apart."""
_NONE_OF = late(r"(?i)\b(?:no|only child)\b")
_DENIES_IT = late(r"\b(?:no|never|always|hates?|can not stand)\b")
"""Words that deny the thing itself, or all times, rather than what is done with it."""
_OVER = late(
    r"\b(?:was|were|had|used to|ex|former\w*|over|off|out|end(?:s|ed)?|almost|nearly|maybe|perhaps)\b"
)
"""Words by which something is told as past or doubtful."""
_WISHES = late(r"(?i)\b(?:want\w*|wish\w*|dream\w*|hop(?:e|es|ed|ing))\b")
_COMING = late(r"(?i)\b(?:will|gonna|going to|again)\b|'ll\b")
_DENIES = late(
    r"(?i)\b(?:not|never|no|none|nobody|nothing|cannot|without|neither|hardly|only child|hates?"
    r"|can not stand|dislikes?)\b"
)
_NOT_YET = late(r"(?i)\b(?:has|have|had|is|am|are) not\b|\byet\b|\bso far\b")
_EITHER = (
    (
        frozenset(map(stem, ["alive", "living", "lives"])),
        frozenset(map(stem, ["dead", "died", "dies"])),
    ),
    (
        frozenset(map(stem, ["vegetarian", "vegan"])),
        frozenset(map(stem, ["meat", "steak", "beef", "pork", "bacon", "ham"])),
    ),
)
"""Stems of which one side excludes the other, of one person."""
_KIN = {
    name: frozenset(map(stem, words.split()))
    for name, words in {
        "child": "children child kids kid son daughter sons daughters twins baby",
        "sibling": "siblings sibling brother sister brothers sisters only",
    }.items()
}
"""Stems of words for the same kind of relative."""
_LASTING = frozenset(
    (
        "birthplace", "blood type", "blood group", "star sign", "zodiac", "mother tongue", "native language",
        "maiden name", "date of birth", "eye color", "eye colour", "place of birth",
    )
)  # fmt: skip
"""Names of what does not change in a life."""
_SINGLE = frozenset(
    (
        "name", "surname", "city", "town", "home", "hometown", "residence", "country", "employer",
        "nationality", "husband", "wife", "spouse", "mother", "father", "mum", "mom", "dad",
    )
)  # fmt: skip
"""Last words of the names of what has one name."""
_PEOPLE = frozenset(("husband", "wife", "spouse", "mother", "father", "mum", "mom", "dad"))
_ONE = (
    late(r"(?i:\b(?:husband|wife|spouse|mother|father|mum|mom|dad)\b)(?:\s+(?i:is|called|named"
        r"|,))*\s+(?P<name>[A-Z][\w'-]+)"),
    late(r"(?i:\b(?:lives?|living|based|resides?) (?:in|at))\s+(?:the\s+)?(?P<name>[A-Z][\w'-]+)"),
    late(r"(?i:\bworks? (?:at|for))\s+(?:the\s+)?(?P<name>[A-Z][\w'-]+)"),
    late(r"(?i:\bborn in)\s+(?P<name>[A-Z][\w'-]+)"),
    late(r"(?i:\b(?:studied|majored in))\s+(?!(?:with|for|the|and|hard|abroad|there"
        r"|together)\b)(?P<name>[a-z]{3,})"),
)  # fmt: skip
"""Relations in which there is one."""
_CALLED = late(r"(?i:\b(?:called|named|name is))\s+(?P<name>[A-Z][\w'-]+)")
_WORK = late(r"(?i)\b(?:is|been|was|as)\s+an?\s+(?P<name>[a-z]+(?:\s[a-z]+)?)")
_AGES = late(r"(?i)\b(?:old|aged?|turn\w*|is|am|i'm|he's|she's)\b")
_FREE = frozenset(stems("love like enjoy favourite favorite great good really very much lot new"))


def says_less(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether the newer value has nothing that the older one lacks, and lacks something exact."""
    one, two = spelt_out(older.value), spelt_out(newer.value)
    if bool(_DENIES.search(one)) != bool(_DENIES.search(two)):
        return False
    if HEDGED.search(one) and not HEDGED.search(two):
        # what might be is so by now
        return False
    if not {found[0] for found in _OVER.finditer(two)} <= {found[0] for found in _OVER.finditer(one)}:
        return False
    if not {found[0] for found in _CHANGED.finditer(two)} <= {found[0] for found in _CHANGED.finditer(one)}:
        return False
    mine = set(stems(newer.value)) - _FREE - set(stems(older.key))
    known = set(stems(older.value)) | set(stems(older.key))
    exact = _exact(older)
    return bool(exact) and mine <= known and not _exact(newer) and bool(known - mine)


def _exact(told: ToldValue) -> frozenset[str]:
    """Return the days, numbers and names that a value gives."""
    text = even(told.value)
    whens = dates(text, told.day)
    counted = numbers(text, without_dates(text, whens))
    days = [text[one.start : one.end] for one in whens]
    counts = [text[one.start : one.end] for one in counted if one.plain]
    return frozenset((*days, *counts, *_names_of(told)))


def _contradict(older: ToldValue, newer: ToldValue) -> bool:
    # what was in 1991 is not against what is now, but against what never was
    denied = [_is_long_ago(one, two) and _denies_past(two) for one, two in ((older, newer), (newer, older))]
    if _is_of_past(older, newer) and not any(denied):
        return False
    words = f"{newer.value} . {newer.said}"
    back = _reaches_back(older, newer)
    changed = _CHANGED.search(words) is not None
    # `no less than 20` is the next step of what goes on, and denies nothing that was said weeks before
    steps = newer.goes_on and not back and (newer.day != older.day) and not any(denied)
    if not (steps or _of_two_times(older, newer)) and _opposed(older, newer, back=back, changed=changed):
        return True
    if changed and not back:
        return False
    return (
        _other_name(older, newer, back=back)
        or _other_only_name(older, newer)
        or (not newer.goes_on and (gives_other_day(older, newer) or gives_other_number(older, newer)))
        or _lasting_differs(older, newer)
    )


def _denies_past(told: ToldValue) -> bool:
    """Return whether a value says that something did not happen, or was not so."""
    text = spelt_out(told.value)
    return bool(_DENIES.search(text)) and tells_past(text) and not _NOT_YET.search(text)


def _is_of_past(one: ToldValue, other: ToldValue) -> bool:
    """Return whether a value tells of a time that was over when either was told, and the other names no time.

    What was in 1991 and what is now may both be so, but for what always was. What happened since the other
    was told is news of it.
    """
    told = min((day for day in (one.day, other.day) if day is not None), default=None)
    times = [span for when in whens_of(one) for span in when.spans]
    over = told is not None and bool(times) and all(last < told for _, last in times)
    return over and not whens_of(other) and not _REACHES_BACK.search(other.value)


def _reaches_back(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether the newer value is about the time before the older one was said."""
    found = _REACHES_BACK.search(newer.value)
    if found and not _COMING.search(newer.value) and not _WISHES.search(newer.value):
        return True
    if older.day is None or newer.day is None:
        return False
    apart = (newer.day - older.day).days / DAYS_OF_YEAR
    text = even(newer.value)
    lengths = [one.seconds for one in numbers(text, text) if one.seconds]
    return any(length / (86_400 * DAYS_OF_YEAR) > max(apart, 1) for length in lengths) and not _AGES.search(
        text
    )


def _opposed(older: ToldValue, newer: ToldValue, *, back: bool, changed: bool) -> bool:
    """Return whether one denies what the other says, and it has not become so since."""
    one, two = spelt_out(older.value), spelt_out(newer.value)
    mine, theirs = set(stems(newer.value)), set(stems(older.value))
    for first, second in _EITHER:
        if (mine & first and theirs & second) or (mine & second and theirs & first):
            return back
    denied, denies = bool(_DENIES.search(one)), bool(_DENIES.search(two))
    if denied == denies:
        return False
    shared = _shared(older, newer)
    key = set(stems(older.key))
    if back:
        # `does not talk to her sister` is not against `grew up with her sister`
        return bool(shared - key or _DENIES_IT.search(one))
    today = newer.day
    if denies and today and any(last >= today for when in whens_of(older) for _, last in when.spans):
        # what was set for a day still to come is not done yet
        return False
    if changed or (denied and _NOT_YET.search(one) and "never" not in one) or _COMING.search(two):
        return False
    # `no job`, `a job at the harbor`: that it came to be is likely; the same verb and thing denied is not
    same = len(shared) >= LEAST_COMMON or (denies and not HAPPENED.search(two))
    return bool(shared - key) and same


def _shared(older: ToldValue, newer: ToldValue) -> set[str]:
    mine, theirs = set(stems(newer.value)), set(stems(older.value))
    shared = (mine & theirs) - _FREE
    for name, words in _KIN.items():
        if mine & words and theirs & words and _NONE_OF.search(older.value):
            # a relative of that kind is what the older words say there is none of
            shared |= {name, f"a {name}"}
    return shared


def _other_name(older: ToldValue, newer: ToldValue, *, back: bool) -> bool:
    pairs = [(older, pattern, newer) for pattern in _ONE]
    if older.key.casefold().split()[-1:] == ["name"]:
        pairs.append((older, _CALLED, newer))
    for one, pattern, two in pairs:
        first, second = pattern.search(even(one.value)), pattern.search(even(two.value))
        if first and second and stem(first["name"]) != stem(second["name"]):
            return True
    was, work = _WORK.search(even(older.value)), _WORK.search(even(newer.value))
    return bool(back and was and work and stem(was["name"]) != stem(work["name"]))


def _other_only_name(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether what is called something, or somewhere, once has two names."""
    about = older.key.casefold().replace("_", " ").split()
    if not about or about[-1] not in _SINGLE:
        return False
    mine, theirs = (_names_of(one) for one in (newer, older))
    if about[-1] in _PEOPLE:
        # `at Bergtun` and `calls Dagny Solveig` are no names of somebody's mother
        mine, theirs = (names & _first_words(told) for names, told in ((mine, newer), (theirs, older)))
    return bool(mine and theirs) and mine.isdisjoint(theirs)


def _first_words(told: ToldValue) -> frozenset[str]:
    """Return the stems of the words with which the parts of a value begin, or by which somebody is called."""
    text = even(told.value)
    called = [found["name"] for found in (*_NAMED_SO.finditer(text), *_CALLED.finditer(text))]
    return frozenset(map(stem, (*called, *(part.split()[0] for part in PART.split(text) if part.strip()))))


_NAMED_SO = late(r"(?i:\b(?:is|was|husband|wife|spouse|mother|father|mum|mom|dad))\s+(?P<name>[A-Z][\w'-]+)")


def _names_of(told: ToldValue) -> frozenset[str]:
    # `so` lets a name be one at the beginning too
    text = f"so {even(told.value)}"
    whens = dates(text, told.day)
    return frozenset(stem(name) for _, _, name in names(text, without_dates(text, whens)))


def _lasting_differs(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether something that does not change in a life has two values."""
    if " ".join(newer.key.casefold().replace("_", " ").split()) not in _LASTING:
        return False
    key = set(stems(newer.key))
    mine, theirs = set(stems(newer.value)) - key, set(stems(older.value)) - key
    return bool(mine - theirs and theirs - mine)


def _of_two_things(older: ToldValue, newer: ToldValue) -> bool:
    """Return whether the values name two relatives, friends or animals, or two events."""
    text, other = even(newer.value), even(older.value)
    mine, theirs = _called_of(text), _called_of(other)
    if mine and theirs and mine.isdisjoint(theirs):
        return True
    if not (older.past and newer.past):
        return False
    shared = (set(stems(text)) & set(stems(other))) - _FREE
    days = [span for when in whens_of(newer) for span in when.spans]
    later = older.day is not None and bool(days) and all(first > older.day for first, _ in days)
    event = HAPPENED.search(text) and HAPPENED.search(other)
    if later and event and len(shared) >= LEAST_COMMON:
        return True
    before = [span for when in whens_of(older) for span in when.spans]
    apart = days and before and not any(a <= d and c <= b for a, b in days for c, d in before)
    return bool(event and apart)


_NAMED = late(
    r"(?i:\b(?:dogs?|cats?|pupp(?:y|ies)|kittens?|pets?|horse|sister|brother|friend|cousin|aunt|uncle"
    r"|son|daughter"
    r"|niece|nephew|kids?|child|colleague|neighbou?r|roommate)\b)(?:\s+(?i:is|called|named"
    r"|,))*\s+(?P<name>[A-Z][\w'-]+)"
)
"""Pattern of somebody of whom there may be several."""


def _called_of(text: str) -> frozenset[str]:
    return frozenset(stem(found["name"]) for found in _NAMED.finditer(text))


def tell_apart(value: str, day: date | None) -> str:
    """Return what tells this value from others under the same name: a name in it, a day, or ""."""
    text = even(value)
    named = _NAMED.search(text) or _CALLED.search(text)
    if named:
        return named["name"]
    for one in dates(text, day):
        if one.kind == "weekday" and is_of_many(one, text):
            continue
        for first, last in one.spans:
            return first.isoformat() if first == last else text[one.start : one.end]
    return ""
