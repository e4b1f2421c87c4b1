"""Working notes that repeat what no longer holds: closed or put right with the decision.

A note that says nothing else is closed where another says what holds, and says it itself otherwise. A note
that says more keeps its words, with what holds now behind them.
"""

from collections.abc import Collection, Sequence
from dataclasses import replace
from datetime import date, timedelta

from reel_cli.core.evidence.claims import FILL, FIXED
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import bare, even, sentences, stem
from reel_cli.core.evidence.grounding.names import names
from reel_cli.core.evidence.grounding.numbers import numbers
from reel_cli.core.evidence.grounding.polarity import is_negated
from reel_cli.core.evidence.own_words import LENT, telling
from reel_cli.core.files import working_file
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.review import Side
from reel_cli.features.contradictions.sides import WORKING_MEMORY

_SHARED = 0.5
"""Share of a note's telling words that the two sides have, from which it is about the same."""
_ALIKE = 0.75
"""The same where nothing but a denial tells the two sides apart."""
_DENIED = late(
    r"(?i)\b(?:not|instead of|rather than|no longer"
    r"|(?:moved|changed|shifted|pushed|brought forward|up|down) from)\s+(?:(?:on|at|the|from|for)\s+)*$"
)
"""Pattern of the words before a value that a sentence only takes back."""
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
_AHEAD = 31
"""Number of days ahead among which the next day of a number is."""
_LIST = 3
"""Number of days from which a clause is a list of things to come."""
_FEWEST = 2
"""Number of telling words that a question must share with both sides to be answered by them."""
_CLAUSES = late(r"\s*[;:]\s+|\s+[–—]\s+|,?\s+(?:and|but|so)\s+(?=(?:the|my|his|her|their|it|[A-Z]))")
"""Pattern of what stands between two clauses with a subject each."""
_STANDS = late(
    r"(?i)\b(?:is|are|has|have|can|will|must|comes?|gives?|wants?|needs?|moved|moves|starts|ends)\b"
)
_ALL_OF_IT = telling("whole entire full complete")
_BULLET = late(r"^(?:[-*+]|\d+\.)\s+")
_KINDS = ("day", "number", "name")


@frozen
class NoteChange:
    """A note as it stands, and as it reads once the other side holds; `after` is "" where it is closed."""

    before: str
    after: str


@frozen
class _Values:
    """The days, numbers and names of a text, by kind, those it takes back, and the text without days."""

    by_kind: dict[str, frozenset[object]]
    denied: dict[str, frozenset[object]]
    rest: str


def find_changes(text: str, other: Side, holds: Side) -> Sequence[NoteChange]:
    """Return how the working notes change once `holds` holds and `other` does not."""
    items = _items(text)
    # what another note says already is not noted twice
    told = holds.where == WORKING_MEMORY or any(_says_instead(item, other, holds) for item in items)
    found = [
        NoteChange(item, "" if _asks_only(item, other, holds) else _put_right(item, other, holds, told=told))
        for item in items
    ]
    state = working_file.read_section(text, "State").strip()
    if state:
        found.append(NoteChange(state, _put_right(state, other, holds, told=False)))
    return [one for one in found if one.before != one.after]


def in_plain_words(text: str, other: Side, holds: Side) -> Side:
    """Return the side that holds in the fewest words that say so: a working note's, or one of its clauses.

    `Judit rang: they printed late, and the manuscript is due on 20 March` says less plainly what holds than
    `The manuscript is due on 20 March.` A clause has a verb and names the same thing.
    """
    whole = holds.says.rstrip(" .")
    parts = [part.strip(" ,.") for part in _CLAUSES.split(whole)]
    parts = [f"{part[:1].upper()}{part[1:]}" for part in parts if _STANDS.search(part)]
    for many in (_items(text), parts):
        found = [one for one in many if len(one) < len(whole) and _says_instead(one, other, holds)]
        if found:
            return replace(holds, says=min(found, key=len))
    return holds


def _items(text: str) -> list[str]:
    return [working_file.without_day(item.text) for item in working_file.read_items(text)]


def _says_instead(text: str, other: Side, holds: Side) -> bool:
    """Return whether a text gives the value that `holds` has in place of the other side's, of its thing."""
    lost, held = (_values(side.says, read_day(side.day)) for side in (other, holds))
    mine = _values(text, read_day(holds.day))
    changed = [(kind, lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]) for kind in _KINDS[:2]]
    changed = [(kind, gone, now) for kind, gone, now in changed if gone and now]
    things = (telling(lost.rest) | telling(_DUE.sub("deadline", lost.rest))) - LENT - FILL
    return bool(changed and telling(mine.rest) & things) and all(
        mine.by_kind[kind] & now and not mine.by_kind[kind] & gone for kind, gone, now in changed
    )


def apply_changes(text: str, changes: Sequence[NoteChange]) -> str:
    """Return the working notes with these changes made."""
    wanted = {one.before: one.after for one in changes}
    items = [
        (item, wanted[words])
        for item in working_file.read_items(text)
        if (words := working_file.without_day(item.text)) in wanted
    ]
    state = working_file.read_section(text, "State").strip()
    edit = working_file.Edit(
        closed=[item for item, after in items if not after],
        changed=[(item, after) for item, after in items if after],
        state=wanted.get(state, ""),
    )
    return working_file.apply_edit(text, edit)


def tell_changes(text: str, older: Side, newer: Side) -> Sequence[str]:
    """Return what each decision would do to the notes, each as a part of a sentence.

    A note of something else that names the day which would not hold stays, and is named.
    """
    told = []
    for other, holds, which in ((older, newer, "second"), (newer, older, "first")):
        changes = find_changes(text, other, holds)
        told += [f"if the {which} holds, {tell_change(one)}" for one in changes]
        told += [
            f"the note “{one_line(item)}” names that day too and stays, if the {which} holds"
            for item in _of_that_day(text, other, holds)
            if item not in (one.before for one in changes)
        ]
    return told


def _of_that_day(text: str, other: Side, holds: Side) -> Sequence[str]:
    """Return the notes that name the day of `other`, where `holds` has another one."""
    lost, held = (_dated(side.says, read_day(side.day)).by_kind["day"] for side in (other, holds))
    gone = lost - held if held else frozenset()
    said = ((item, _dated(item, read_day(other.day)).by_kind["day"]) for item in _items(text))
    return [item for item, days in said if days & gone and not days & held]


def tell_change(change: NoteChange) -> str:
    """Return what becomes of one note, as a part of a sentence."""
    becomes = f"then reads “{one_line(change.after)}”" if change.after else "is closed"
    return f"the note “{one_line(change.before)}” {becomes}"


def put_right(held: str, other: Side, holds: Side) -> str:
    """Return a held text as it reads once `holds` holds and `other` does not."""
    return _put_right(held, other, holds, told=False)


def is_put_right(note: str, other: Side, holds: Side) -> bool:
    """Return whether a note changes when it is decided that `holds` holds and `other` does not."""
    return put_right(note, other, holds) != note


def find_stale(notes: str, before: str, after: str, day: str) -> Sequence[str]:
    """Return the notes that still have a day which an edit of a text of that day changed."""
    was, now = (dict.fromkeys(_sentences(text)) for text in (before, after))
    pairs = [
        (Side("", gone, day), Side("", fresh, day))
        for gone in was
        if gone not in now
        for fresh in now
        if fresh not in was
    ]
    changes = [
        one for other, holds in pairs if is_moved(other, holds) for one in find_changes(notes, other, holds)
    ]
    return list(dict.fromkeys(one.before for one in changes))


def _sentences(text: str) -> Sequence[str]:
    plain = even(text)
    return [text[start:end].strip() for start, end in sentences(plain)]


def is_moved(other: Side, holds: Side) -> bool:
    """Return whether of two values of one thing the one that holds has another day, and is not the older."""
    before, now = (_values(side.says, read_day(side.day)).by_kind["day"] for side in (other, holds))
    return bool(before and now and before != now) and holds.day[:10] >= other.day[:10]


def is_one_matter(pair: tuple[Side, Side], decided: tuple[Side, Side]) -> bool:
    """Return whether the decision of one pair (older, newer) is that of another, which it puts right as well.

    Both give the same new value in place of the same old one, for the same thing.
    """
    lost, held = (_values(side.says, read_day(side.day)) for side in decided)
    before, after = (_values(side.says, read_day(side.day)) for side in pair)
    for kind in _KINDS:
        gone, now = lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]
        if gone and now and not (before.by_kind[kind] & gone and after.by_kind[kind] & now):
            return False
    older = pair[0]
    return (
        (older.where, _folded(older.says)) == (decided[0].where, _folded(decided[0].says))
        or is_put_right(older.says, *decided)
        or repeats(older.says, read_day(older.day), *decided)
    ) and any(lost.by_kind[kind] - held.by_kind[kind] and held.by_kind[kind] for kind in _KINDS)


def repeats(text: str, day: date | None, other: Side, holds: Side) -> bool:
    """Return whether a sentence of a text, written on a day, gives the value that `holds` replaces.

    It is about the same, for it has most of the words of that side.
    """
    lost, held = (_values(side.says, read_day(side.day)) for side in (other, holds))
    about = telling(lost.rest) - LENT
    changed = [(kind, lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]) for kind in _KINDS]
    changed = [(kind, gone, now) for kind, gone, now in changed if gone and now]
    plain = even(text)
    if not changed or not about or _folded(holds.says) in _folded(text):
        return False
    for start, end in sentences(plain):
        shared = telling(plain[start:end]) & about
        if not shared or len(shared) < _SHARED * len(about):
            continue
        mine = _values(plain[start:end], day).by_kind
        if any(mine[kind] & gone and not mine[kind] & now for kind, gone, now in changed):
            return True
    return False


def takes_back(sentence: str, held: str, day: date | None, people: Collection[str] = frozenset()) -> bool:
    """Return whether a sentence takes back a day or number that a held text gives, or moves that day.

    `on 28 March, not on 3 April` does so to `Ingrid's visit from 3 April`: both are about the same name, or
    share a thing; a number alone is of many things, and takes most of the held text's telling words.
    `people` are the roots of the names of those who talk, of whom every sentence may be.
    """
    if _folded(held) in _folded(sentence):
        return False
    told, mine = _values(sentence, day), _values(held, day)
    if any(_moves(one, _values(one, day), held, mine, day) for one in _with_subject(sentence)):
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
    for one in _CLAUSES.split(sentence):
        if found and _POINTS_BACK.match(one):
            found[-1] = f"{found[-1]} {one}"
        else:
            found.append(one)
    return found


_POINTS_BACK = late(r"(?i)(?:it|its)\b")


def _is_due(text: str, day: date | None) -> bool:
    """Return whether a text gives a day by which something has to be done: `wants it by 12 February`."""
    plain = even(text)
    return _DUE.search(plain) is not None or any(_BY.search(plain[: one.start]) for one in dates(plain, day))


def _moves(sentence: str, told: _Values, held: str, mine: _Values, day: date | None) -> bool:
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
    # of one person much may be told, on many days
    return bool(shared - mine.by_kind["name"]) and len(shared) >= _SHARED * len(own)


def _share_a_day(days: Collection[object], others: Collection[object]) -> bool:
    """Return whether a day is among both; `the 27th` may be 27 March."""
    bare = [{f"the {day[1]}" for day in many if isinstance(day, tuple)} for many in (days, others)]
    return not (set(days) | bare[0]).isdisjoint(others) or not bare[1].isdisjoint(days)


def _asks_only(note: str, other: Side, holds: Side) -> bool:
    """Return whether a note asks what is decided now, and nothing else."""
    if not _QUESTION.match(note) or len(list(sentences(even(note)))) > 1:
        return False
    mine = _values(note, read_day(other.day))
    own = telling(mine.rest)
    sides = [_values(side.says, read_day(side.day)) for side in (other, holds)]
    words = [telling(one.rest) for one in sides]
    if not own <= words[0] | words[1] or any(len(own & one) < _FEWEST for one in words):
        return False
    if not mine.by_kind["name"] <= sides[0].by_kind["name"] & sides[1].by_kind["name"]:
        # it asks about somebody of whom one of the sides says nothing
        return False
    return all(
        mine.by_kind[kind] <= sides[0].by_kind[kind] | sides[1].by_kind[kind] for kind in ("day", "number")
    )


def _put_right(text: str, other: Side, holds: Side, *, told: bool) -> str:
    """Return a note with each sentence that says what no longer holds put right."""
    if _folded(holds.says) in _folded(text):
        return text
    plain = even(text)
    pieces, last = [], 0
    for start, end in sentences(plain):
        pieces.append(text[last:start])
        sentence = text[start:end]
        pieces.append(_sentence(sentence, other, holds, told=told))
        last = end
    pieces.append(text[last:])
    made = "".join(pieces)
    # the lines of a longer text stay lines
    return "\n".join(" ".join(line.split()) for line in made.strip().split("\n")) if made != text else text


def _sentence(sentence: str, other: Side, holds: Side, *, told: bool) -> str:
    more = _says_more(sentence, other, holds)
    if more is None:
        return sentence
    # a side may be the first half of a sentence, up to its semicolon
    words, now = _BULLET.sub("", sentence.strip()), holds.says.strip().rstrip(" .,;:")
    if told and more <= FILL | LENT | _ALL_OF_IT | _values(sentence, read_day(other.day)).by_kind["name"]:
        # another note says what holds, of the same thing
        fresh = ""
    elif more:
        body = words.rstrip(" ;:,")
        fresh = f"{body} (now: {now}){words[len(body) :]}"
    else:
        # what follows the first half of a sentence stays apart from it
        fresh = now + words[len(words.rstrip(" .,;:")) :]
    return sentence.replace(words, fresh)


def _says_more(sentence: str, other: Side, holds: Side) -> frozenset[str] | None:
    """Return the telling words that neither side has; None where the sentence does not say the same."""
    mine, lost, held = (
        _dated(words, read_day(day))
        for words, day in ((sentence, other.day), (other.says, other.day), (holds.says, holds.day))
    )
    # what is due by a day and the deadline are one thing, whoever set it
    due = _DUE.search(sentence) is not None and _DUE.search(other.says) is not None
    own, *sides = (
        telling(_DUE.sub("deadline", words) if due else words)
        for words in (mine.rest, other.says, holds.says)
    )
    both = frozenset().union(*sides)
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
    for kind in _KINDS:
        gone, now = lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]
        if gone and now:
            has = mine.by_kind[kind]
            return more if has & gone and not has & now else None
    if _folded(sentence) == _folded(other.says):
        return more
    said = telling(other.says)
    alike = len(own & said) >= _ALIKE * len(own | said)
    denied = is_negated(even(sentence))
    same = denied is not None and denied == is_negated(even(other.says)) != is_negated(even(holds.says))
    return more if alike and same else None


def _is_of_deadline(
    sentence: str, shared: frozenset[str], mine: _Values, lost: _Values, held: _Values
) -> bool:
    """Return whether a sentence gives the old day as one by which the same thing is due."""
    gone = lost.by_kind["day"] - held.by_kind["day"]
    things = shared - LENT - FILL - FIXED - mine.by_kind["name"]
    return bool(held.by_kind["day"] and gone & mine.by_kind["day"] and things) and _is_due(sentence, None)


def _values(text: str, day: date | None) -> _Values:
    """Return the values that a text gives, and those that it takes back."""
    plain = even(text)
    given: dict[str, set[object]] = {kind: set() for kind in _KINDS}
    denied: dict[str, set[object]] = {kind: set() for kind in _KINDS}
    masked = plain
    for when in dates(plain, day):
        masked = f"{masked[: when.start]}{' ' * (when.end - when.start)}{masked[when.end :]}"
        into = denied if _DENIED.search(plain[: when.start]) else given
        into["day"] |= {(first.month, first.day) for first, last in when.spans if first == last}
        if not when.spans:
            into["day"] |= {one for one in (when.weekday, when.day and f"the {when.day}") if one is not None}
    for number in numbers(plain, masked):
        if number.plain:
            into = denied if _DENIED.search(plain[: number.start]) else given
            into["number"] |= number.values
    for start, _, word in names(plain, masked):
        into = denied if _DENIED.search(plain[:start]) else given
        into["name"].add(stem(bare(word)))
    fixed = [{kind: frozenset(many) for kind, many in one.items()} for one in (given, denied)]
    return _Values(fixed[0], fixed[1], masked)


def _dated(text: str, day: date | None) -> _Values:
    """Return the values of a text written on a day; `the 12th` is also the next 12th after that."""
    found = _values(text, day)
    bare = {str(one) for one in found.by_kind["day"] if isinstance(one, str)}
    ahead = [day + timedelta(days=count) for count in range(_AHEAD)] if day is not None and bare else []
    more = {(one.month, one.day) for one in reversed(ahead) if f"the {one.day}" in bare}
    return replace(found, by_kind={**found.by_kind, "day": found.by_kind["day"] | more})


def _folded(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".")
