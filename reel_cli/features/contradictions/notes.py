"""Working notes that repeat what no longer holds: closed or put right with the decision.

A note that says nothing else is closed where another says what holds, and says it itself otherwise. A note
that says more keeps its words, with what holds now behind them.
"""

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.evidence.claims import FILL
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.files import working_file
from reel_cli.core.frozen import frozen, late
from reel_cli.core.moment import read_day
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import Item
from reel_cli.core.values.review import Side
from reel_cli.features.contradictions.sentence_claims import (
    CLAUSES,
    asks_only,
    is_moved,
    repeats,
    says_instead,
    says_more,
)
from reel_cli.features.contradictions.sentence_values import (
    KINDS,
    folded,
    read_days,
    read_sides,
    read_values,
    read_values_ahead,
)
from reel_cli.features.contradictions.sides import WORKING_MEMORY
from reel_cli.features.page.notes.note_dates import resolve_note
from reel_cli.features.page.notes.note_likeness import noted_day, with_day

_STANDS = late(
    r"(?i)\b(?:is|are|has|have|can|will|must|comes?|gives?|wants?|needs?|moved|moves|starts|ends)\b"
)
_ALL_OF_IT = telling("whole entire full complete")
_BULLET = late(r"^(?:[-*+]|\d+\.)\s+")


@frozen
class NoteChange:
    """A note as it stands, and as it reads once the other side holds; `after` is "" where it is closed."""

    before: str
    after: str


def find_changes(text: str, other: Side, holds: Side) -> Sequence[NoteChange]:
    """Return how the working notes change once `holds` holds and `other` does not."""
    items = _items(text)
    # what another note says already is not noted twice
    told = holds.where == WORKING_MEMORY or any(says_instead(item, other, holds) for item in items)
    found, said, day = list[NoteChange](), {folded(item) for item in items}, read_day(holds.day)
    for item in working_file.read_items(text):
        words = working_file.without_day(item.text)
        after = "" if asks_only(words, other, holds) else _put_right(words, other, holds, told=told)
        if after == words:
            continue
        if after:
            after = _with_days(item.text, after, day, other, holds)
            # two notes of one thing become one
            fresh = folded(working_file.without_day(after))
            after = "" if fresh in said else after
            said.add(fresh)
        found.append(NoteChange(words, after))
    state = working_file.read_section(text, "State").strip()
    after = _put_right(state, other, holds, told=False)
    if after != state:
        found.append(NoteChange(state, after if day is None else resolve_note(after, day, lean=0)))
    return found


def _with_days(note: str, after: str, day: date | None, other: Side, holds: Side) -> str:
    """Return what a note reads then with its days, as a new note has them; words that stay keep theirs."""
    noted = noted_day(note)
    if noted is not None and noted != day:
        words = resolve_note(working_file.without_day(note), noted)
        fresh = _put_right(words, other, holds, told=False)
        after = fresh if fresh != words else after
    return with_day(after, day, note)


def in_plain_words(text: str, other: Side, holds: Side) -> Side:
    """Return the side that holds in the fewest words that say so: a working note's, or one of its clauses.

    `Judit rang: they printed late, and the manuscript is due on 20 March` says less plainly what holds than
    `The manuscript is due on 20 March.` A clause has a verb and names the same thing.
    """
    whole = holds.says.rstrip(" .")
    parts = [part.strip(" ,.") for part in CLAUSES.split(whole)]
    parts = [f"{part[:1].upper()}{part[1:]}" for part in parts if _STANDS.search(part)]
    for many in (_items(text), parts):
        found = [one for one in many if len(one) < len(whole) and says_instead(one, other, holds)]
        if found:
            return replace(holds, says=min(found, key=len))
    return holds


def _items(text: str) -> list[str]:
    return [working_file.without_day(item.text) for item in working_file.read_items(text)]


def apply_changes(text: str, changes: Sequence[NoteChange]) -> str:
    """Return the working notes with these changes made."""
    wanted = {one.before: one.after for one in reversed(changes)}
    items = list[tuple[Item, str]]()
    for item in working_file.read_items(text):
        words = working_file.without_day(item.text)
        if words in wanted:
            twice = any(wanted[words] == after for _, after in items)
            items.append((item, "" if twice else wanted[words]))
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
    then, now = read_days(other, holds)
    lost, held = (
        read_values_ahead(side.says, day).by_kind["day"] for side, day in ((other, then), (holds, now))
    )
    gone = lost - held if held else frozenset()
    said = ((item, read_values_ahead(item, then).by_kind["day"]) for item in _items(text))
    return [item for item, days in said if days & gone and not days & held]


def tell_change(change: NoteChange) -> str:
    """Return what becomes of one note, as a part of a sentence."""
    after = one_line(working_file.without_day(change.after))
    becomes = f"then reads “{after}”" if after else "is closed"
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


def is_one_matter(pair: tuple[Side, Side], decided: tuple[Side, Side]) -> bool:
    """Return whether the decision of one pair (older, newer) is that of another, which it puts right as well.

    Both give the same new value in place of the same old one, for the same thing.
    """
    lost, held = read_sides(*decided)
    before, after = read_sides(*pair)
    for kind in KINDS:
        gone, now = lost.by_kind[kind] - held.by_kind[kind], held.by_kind[kind]
        if gone and now and not (before.by_kind[kind] & gone and after.by_kind[kind] & now):
            return False
    older = pair[0]
    return (
        (older.where, folded(older.says)) == (decided[0].where, folded(decided[0].says))
        or is_put_right(older.says, *decided)
        or repeats(older.says, read_day(older.day), *decided)
    ) and any(lost.by_kind[kind] - held.by_kind[kind] and held.by_kind[kind] for kind in KINDS)


def _put_right(text: str, other: Side, holds: Side, *, told: bool) -> str:
    """Return a note with each sentence that says what no longer holds put right.

    A sentence on which the next one leans is not taken out: `she rang` of `Anna rings on Sundays; she rang`
    is of nobody by itself.
    """
    if folded(holds.says) in folded(text):
        return text
    plain = even(text)
    pieces, last = [], 0
    for start, end in sentences(plain):
        pieces.append(text[last:start])
        sentence = text[start:end]
        fresh = _sentence(sentence, other, holds, told=told)
        pieces.append(fresh if fresh or not _LEANS.match(plain, end) else sentence)
        last = end
    pieces.append(text[last:])
    made = "".join(pieces)
    # the lines of a longer text stay lines
    return "\n".join(" ".join(line.split()) for line in made.strip().split("\n")) if made != text else text


_LEANS = late(r"(?i)[\s;:,.–—-]*(?:(?:and|but|so|then)\s+)?(?:he|she|they|it|who|his|her|their|its)\b")
"""Pattern of a sentence that names its subject by what stands before it."""


def _sentence(sentence: str, other: Side, holds: Side, *, told: bool) -> str:
    more = says_more(sentence, other, holds)
    if more is None:
        return sentence
    # a side may be the first half of a sentence, up to its semicolon
    words, now = _BULLET.sub("", sentence.strip()), holds.says.strip().rstrip(" .,;:")
    if (
        told
        and more
        <= FILL | LENT | _ALL_OF_IT | read_values(sentence, read_days(other, holds)[0]).by_kind["name"]
    ):
        # another note says what holds, of the same thing
        fresh = ""
    elif more:
        body = words.rstrip(" ;:,")
        fresh = f"{body} (now: {now}){words[len(body) :]}"
    else:
        # what follows the first half of a sentence stays apart from it
        fresh = now + words[len(words.rstrip(" .,;:")) :]
    return sentence.replace(words, fresh)
