"""Judgments of a sentence by its values: it repeats, replaces, takes back or moves those of another text.

A decision has two sides, the other and the one that holds; a sentence of a note, a memory or a chat is held
against both.
"""

from collections.abc import Collection, Sequence
from datetime import date

from reel_cli.core.evidence.claims import FILL, FIXED
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.frozen import late
from reel_cli.core.values.review import Side
from reel_cli.features.contradictions.sentence_values import (
    KINDS,
    SentenceValues,
    folded,
    read_days,
    read_sides,
    read_values,
    read_values_ahead,
)

_SHARED = 0.5
"""Share of a note's telling words that the two sides have, from which it is about the same."""
_ALIKE = 0.75
"""The same where nothing but a denial tells the two sides apart."""
MOVED = late(
    r"(?i)\b(?:moved?|moves|chang(?:ed|es)|pushed|shifted|postponed|delayed|extended|rescheduled"
    r"|put (?:off|back)|brought forward|now|instead)\b"
)
"""Pattern of words by which something has another day than it had."""
_DUE = late(r"(?i)\b(?:deadline|due(?: date)?|hand(?:ed)? in|to be in|submission)\b")
"""Pattern of words for the day by which something has to be done."""
_BY = late(r"(?i)\b(?:by|until|till)\s+(?:the\s+)?$")
"""Pattern of the words before such a day."""
_QUESTION = late(r"(?i)(?:whether|when|which|what|where|who|how|if|is|does|do|has|will)\b")
_LIST = 3
"""Number of days from which a clause is a list of things to come."""
_FEWEST = 2
"""Telling words that a question shares with both sides that answer it, and two texts of one thing share."""
CLAUSES = late(
    r"\s*[;:]\s+|\s+[–—]\s+|,?\s+(?:and|but|so)\s+(?=(?:the|my|his|her|their|it|[A-Z]))"
    r"|,\s+(?=(?:the|my|his|her|their)\s+(?:\w+\s+){1,2}(?:is|are|was|were|has|may|will|must|went|moved)\b)"
)
"""Pattern of what stands between two clauses with a subject each."""
_POINTS_BACK = late(r"(?i)(?:it|its)\b")


def is_moved(other: Side, holds: Side) -> bool:
    """Return whether of two values of one thing the one that holds has another day, and is not the older."""
    before, now = (one.by_kind["day"] for one in read_sides(other, holds))
    return bool(before and now and before != now) and holds.day[:10] >= other.day[:10]


def repeats(text: str, day: date | None, other: Side, holds: Side) -> bool:
    """Return whether a sentence of a text, written on a day, gives the value that `holds` replaces.

    It is about the same, for it has most of the words of that side.
    """
    lost, held = read_sides(other, holds)
    about = telling(lost.rest) - LENT
    changed = [(kind, lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]) for kind in KINDS]
    changed = [(kind, gone, now) for kind, gone, now in changed if gone and now]
    plain = even(text)
    if not changed or not about or folded(holds.says) in folded(text):
        return False
    for start, end in sentences(plain):
        shared = telling(plain[start:end]) & about
        if not shared or len(shared) < _SHARED * len(about):
            continue
        mine = read_values(plain[start:end], day).by_kind
        if any(mine[kind] & gone and not mine[kind] & now for kind, gone, now in changed):
            return True
    return False


def takes_back(sentence: str, held: str, day: date | None, people: Collection[str] = frozenset()) -> bool:
    """Return whether a sentence takes back a day or number that a held text gives, or moves that day.

    `on 28 March, not on 3 April` does so to `Ingrid's visit from 3 April`: both are about the same name, or
    share a thing; a number alone is of many things, and takes most of the held text's telling words.
    `people` are the roots of the names of those who talk, of whom every sentence may be.
    """
    if folded(held) in folded(sentence):
        return False
    told, mine = read_values(sentence, day), read_values(held, day)
    for one in _with_subject(sentence):
        values = read_values(one, day)
        if _moves(one, values, held, mine, day) and _is_same_thing(one, values, mine, day, people):
            return True
    taken = [
        kind
        for kind in ("day", "number")
        if told.by_kind[kind]
        and mine.by_kind[kind] & told.denied[kind]
        and told.by_kind[kind].isdisjoint(mine.by_kind[kind])
    ]
    if not taken:
        return False
    own, said = telling(mine.rest).difference(people), telling(sentence)
    if own and len(own & said) >= _SHARED * len(own):
        return True
    named = (told.by_kind["name"] | mine.by_kind["name"]).difference(people)
    if "day" in taken and own & said - LENT - named:
        return True
    due = _DUE.search(sentence) is not None
    # `the deadline moved from 12 February` names nothing that it is the deadline of
    bare_deadline = telling(MOVED.sub(" ", told.rest)) <= LENT | FILL | FIXED | named | set(people)
    if due and bare_deadline and _is_due(held, day) and "day" in taken:
        return True
    # of one person or boat many things are counted; of the one who told of a deadline, other days are told
    return (
        "day" in taken and bool((told.by_kind["name"] & mine.by_kind["name"]).difference(people)) and not due
    )


def _with_subject(sentence: str) -> Sequence[str]:
    """Return the clauses of a sentence that have a subject of their own; `it` goes with the one before."""
    found: list[str] = []
    for one in CLAUSES.split(sentence):
        if found and _POINTS_BACK.match(one):
            found[-1] = f"{found[-1]} {one}"
        else:
            found.append(one)
    return found


def _is_due(text: str, day: date | None) -> bool:
    """Return whether a text gives a day by which something has to be done: `wants it by 12 February`."""
    plain = even(text)
    return _DUE.search(plain) is not None or any(_BY.search(plain[: one.start]) for one in dates(plain, day))


def _moves(sentence: str, told: SentenceValues, held: str, mine: SentenceValues, day: date | None) -> bool:
    """Return whether a sentence says that what a held text gives a day for has another day now."""
    days = told.by_kind["day"]
    if len(days) >= _LIST:
        # a slate of what is to come says of nothing in it that it moved
        return False
    if not MOVED.search(sentence) or not days or not mine.by_kind["day"]:
        return False
    if _share_a_day(days, mine.by_kind["day"]):
        return False
    own, said = (
        {word for word in telling(_DUE.sub("deadline", even(text))) if word not in LENT | FILL}
        for text in (mine.rest, told.rest)
    )
    own -= mine.by_kind["name"] - told.by_kind["name"] if _DUE.search(sentence) is not None else set()
    if not MOVED.search(mine.rest) and not _is_due(held, day) and _DUE.search(sentence) is not None:
        # the deadline of a thing is not its day
        return False
    shared = own & said
    # of one person much may be told, on many days, and so may of a speech that is read on one and held on one
    of_it = shared == own or len(shared) >= _FEWEST or shared & FIXED or _DUE.search(sentence)
    return bool(shared - mine.by_kind["name"] and of_it) and len(shared) >= _SHARED * len(own)


def _is_same_thing(
    sentence: str, told: SentenceValues, mine: SentenceValues, day: date | None, people: Collection[str]
) -> bool:
    """Return whether a clause that moves a day names nothing that the held text lacks, up to that day.

    `The evening with the new council has moved` is not `Parents' evening`. A clause that gives the old day as
    well may say more of the thing.
    """
    if mine.by_kind["day"] & told.denied["day"]:
        return True
    called = [one.by_kind["name"].difference(people) for one in (told, mine)]
    if all(called) and called[0].isdisjoint(called[1]):
        return False
    plain = even(sentence)
    last = max((one.start for one in dates(plain, day)), default=len(plain))
    head = _DUE.sub("deadline", MOVED.sub(" ", read_values(plain[:last], day).rest))
    own = telling(_DUE.sub("deadline", mine.rest)) | telling("deadline") | called[0] | FILL | LENT
    return not telling(head).difference(own, people)


def _share_a_day(days: Collection[object], others: Collection[object]) -> bool:
    """Return whether a day is among both; `the 27th` may be 27 March."""
    bare = [{f"the {day[1]}" for day in many if isinstance(day, tuple)} for many in (days, others)]
    return not (set(days) | bare[0]).isdisjoint(others) or not bare[1].isdisjoint(days)


def says_instead(text: str, other: Side, holds: Side) -> bool:
    """Return whether a text gives the value that `holds` has in place of the other side's, of its thing."""
    lost, held = read_sides(other, holds)
    mine = read_values(text, read_days(holds, other)[0])
    changed = [(kind, lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]) for kind in KINDS[:2]]
    changed = [(kind, gone, now) for kind, gone, now in changed if gone and now]
    things = (telling(lost.rest) | telling(_DUE.sub("deadline", lost.rest))) - LENT - FILL
    return bool(changed and telling(mine.rest) & things) and all(
        mine.by_kind[kind] & now and not mine.by_kind[kind] & gone for kind, gone, now in changed
    )


def asks_only(note: str, other: Side, holds: Side) -> bool:
    """Return whether a note asks what is decided now, and nothing else."""
    if not _QUESTION.match(note) or len(list(sentences(even(note)))) > 1:
        return False
    mine = read_values(note, read_days(other, holds)[0])
    own = telling(mine.rest)
    sides = read_sides(other, holds)
    words = [telling(one.rest) for one in sides]
    if not own <= words[0] | words[1] or any(len(own & one) < _FEWEST for one in words):
        return False
    if not mine.by_kind["name"] <= sides[0].by_kind["name"] & sides[1].by_kind["name"]:
        # it asks about somebody of whom one of the sides says nothing
        return False
    return all(
        mine.by_kind[kind] <= sides[0].by_kind[kind] | sides[1].by_kind[kind] for kind in ("day", "number")
    )


def says_more(sentence: str, other: Side, holds: Side) -> frozenset[str] | None:
    """Return the telling words that neither side has; None where the sentence does not say the same."""
    then, now_day = read_days(other, holds)
    mine, lost, held = (
        read_values_ahead(words, day)
        for words, day in ((sentence, then), (other.says, then), (holds.says, now_day))
    )
    # what is due by a day and the deadline are one thing, whoever set it
    due = _DUE.search(sentence) is not None and _DUE.search(other.says) is not None
    own, *sides = (
        telling(_DUE.sub("deadline", words) if due else words)
        for words in (mine.rest, other.says, holds.says)
    )
    both = frozenset().union(*sides)
    things = frozenset.intersection(*map(frozenset, sides)) - LENT - FILL
    if things and own.isdisjoint(things):
        # it is about something that one side names besides
        return None
    more = own - both
    taken = mine, lost, held
    much = len(own & both) >= _SHARED * len(own)
    if not own & both or not (
        much or telling(mine.rest) & both & FIXED or _is_of_deadline(sentence, own & both, *taken)
    ):
        return None
    about, called = lost.by_kind["name"] & held.by_kind["name"], mine.by_kind["name"]
    if about and called and about.isdisjoint(called) and not (due and much):
        # both sides are about somebody else, and the older only names this one too
        return None
    for kind in KINDS:
        gone, now = lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]
        if gone and now:
            has = mine.by_kind[kind]
            return more if has & gone and not has & now else None
    if folded(sentence) == folded(other.says):
        return more
    said = telling(other.says)
    alike = len(own & said) >= _ALIKE * len(own | said)
    denied = is_negated(even(sentence))
    same = denied is not None and denied == is_negated(even(other.says)) != is_negated(even(holds.says))
    return more if alike and same else None


def _is_of_deadline(
    sentence: str, shared: frozenset[str], mine: SentenceValues, lost: SentenceValues, held: SentenceValues
) -> bool:
    """Return whether a sentence gives the old day as one by which the same thing is due."""
    gone = lost.by_kind["day"] - held.by_kind["day"]
    things = shared - LENT - FILL - FIXED - mine.by_kind["name"]
    return bool(held.by_kind["day"] and gone & mine.by_kind["day"] and things) and _is_due(sentence, None)
