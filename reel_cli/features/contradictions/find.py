"""Contradictions between a new page and the rings: both stay, the pair waits for a decision (REEL §3.5)."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import date

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.claims import HeldText, Slot, read_facts
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences
from reel_cli.core.evidence.grounding.lexicon import telling as telling_words
from reel_cli.core.evidence.grounding.memory_stretches import read_stretches
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import session_of_checkpoint
from reel_cli.core.files.kit_files import find_value_kind
from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.files.review_file import (
    SETTLED,
    pair_key,
    parse_proposal,
    read_settled,
    render_proposal,
    review_path,
)
from reel_cli.core.files.tree import is_proposal_file
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, in_short, one_line
from reel_cli.core.values.memory import Memory
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.core.values.talk import session_order
from reel_cli.features.contradictions.certain_pairs import is_certain
from reel_cli.features.contradictions.compare import Disagreement, find_disagreements
from reel_cli.features.contradictions.notes import (
    NoteChange,
    apply_changes,
    find_changes,
    is_one_matter,
    is_put_right,
)
from reel_cli.features.contradictions.plain_denials import denied_words, find_denials
from reel_cli.features.contradictions.sentence_claims import MOVED, is_moved, takes_back
from reel_cli.features.contradictions.sentence_values import come_to_same, read_values
from reel_cli.features.contradictions.settle import list_decided
from reel_cli.features.contradictions.sides import WORKING_MEMORY, told_side

MOST_FOUND = 5
"""Maximum number of contradictions of one page that are shown and wait; one page seldom has more real
ones."""
MOST_LOOKED_AT = 300
"""Maximum number of memories on the same subjects that are compared, the newest."""
_MAY_TAKE_BACK = late(r"(?i)\b(?:not|instead of|rather than|no longer)\b")
_KINDS = {Slot.DATE: "day", Slot.NUMBER: "number", Slot.NAME: "name"}
"""Kinds of values by the kind of difference."""
_PREFIX = 5
"""Letters of a stem that are looked for in a memory before it is read sentence by sentence."""
SLOTS = {
    Slot.DATE: "a date",
    Slot.NUMBER: "a number",
    Slot.STATE: "how things are",
    Slot.NAME: "a name",
}
"""Names on screen of the kinds of difference between two contradicting statements."""
_DOSE = late(r"(?i)\d\s?(?:mg|mcg|[µμ]g|milligrams?|micrograms?)\b")


def name_difference(slot: Slot, says: str) -> str:
    """Return the name of a difference; one with a dose is not called by the hour or the size."""
    return "a dose" if slot in (Slot.DATE, Slot.NUMBER) and _DOSE.search(says) else SLOTS[slot]


@frozen
class FoundContradictions:
    """The files in which contradictions wait, and what to show of them.

    `noted` are the notes that are put right without a question, each as a line on screen.
    """

    writes: Mapping[str, bytes | None]
    problems: Sequence[Problem]
    noted: tuple[str, ...] = ()


def plan_contradictions(  # noqa: PLR0913 (the kit before and after, what is new, when)
    snapshot: Snapshot,
    memories: Sequence[Memory],
    planned: Snapshot,
    session: str,
    made: str,
    refused: Sequence[str] = (),
) -> FoundContradictions:
    """Compare a page's new memories, and its new working memory, with everything that is held.

    `planned` is the kit as the page leaves it; `made` is ISO 8601; `refused` are texts that the page gave as
    facts and the chat did not bear. A note from before the page that still has the day which a fact of the
    page replaces is put right with that fact, and what a fact of the page changes is decided there alone.
    """
    before = snapshot.text(WORKING) or ""
    after = planned.text(WORKING) or ""
    changed = _find_changed(snapshot, planned)
    stood = set(_notes(before))
    # a note of this very page says what holds now
    moved = [one for one in _find_moved(changed, after) if one.before in stood]
    moved_writes: dict[str, bytes | None] = dict.fromkeys(
        list_decided(snapshot, {side.where for side, _ in changed})
    )
    if moved:
        after = apply_changes(after, moved)
        moved_writes[WORKING] = after.encode()
    planned = planned.after(Change("", "", moved_writes)) if moved_writes else planned
    changed += _find_waiting(snapshot, planned)
    day = read_day(session)
    since = _noted(snapshot, session)
    kept: list[HeldText] = []
    fresh: list[HeldText] = []
    for text in _notes(after):
        (kept if text in stood else fresh).append(HeldText(WORKING_MEMORY, text, day, 0, text))
    new = [telling for memory in memories for telling in _tellings(memory, render_memory(memory))]
    new += fresh
    known = {memory.id for memory in memories}
    held = [*_held(snapshot, new, known), *[replace(one, day=since) for one in kept]]
    found = [*find_denials(new, held), *find_disagreements(new, held)]
    back = list(_taken_back(new, kept, planned))
    # a note that says the same is put right with the fact, and not asked about by itself
    known = {one.newer_sentence for one in back}
    found = [one for one in found if one.older.where != WORKING_MEMORY or one.newer_sentence not in known]
    found += back
    found = [one for one in found if not _is_asked_with_memory(one, found)]
    found = [
        one
        for one in found
        if one.slot is not Slot.NUMBER or not come_to_same(one.older_sentence, one.newer_sentence)
    ]
    places = {side.where for side, _ in changed}
    found = [one for one in found if one.older.where not in places]
    waiting = _known_pairs(snapshot)
    pairs = {pair_key(one.older_sentence, one.newer_sentence): one for one in reversed(found)}
    fresh_pairs = [one for key, one in reversed(pairs.items()) if key not in waiting]
    settled = _settled(planned) if fresh_pairs else ()
    fresh_pairs = [one for one in fresh_pairs if not any(_repeats_pair(one, other) for other in settled)]
    fresh_pairs = _one_of_each(fresh_pairs, [*_asked(planned), *changed])
    people = f"{planned.settings.user} {planned.settings.name}".split()
    history = [
        one
        for one in fresh_pairs
        if _is_history(one) or _is_refused(one, refused) or not is_certain(one, people)
    ]
    files = _as_files(
        snapshot, [one for one in fresh_pairs if one not in history][:MOST_FOUND], session, made
    )
    quiet = [Problem("contradiction", _tell_history(one), quiet=True) for one in history]
    files = replace(files, problems=[*files.problems, *quiet])
    lines = tuple(
        f"changed: “{one.before}” to “{one.after}”" if one.after else f"closed: {one.before}" for one in moved
    )
    return replace(files, writes={**moved_writes, **files.writes}, noted=lines)


def _is_history(one: Disagreement) -> bool:
    """Return whether two memories of different days disagree on what may have changed between the two.

    A day that is still to come holds now in both.
    """
    older, newer = one.older, one.newer
    if one.denial:
        return False
    held = older.where == WORKING_MEMORY or find_value_kind(older.where) is not None
    return not held and newer.where != WORKING_MEMORY and older.day != newer.day and one.slot is not Slot.DATE


def _tell_history(one: Disagreement) -> str:
    sides = _side(one.older, one.older_sentence), _side(one.newer, one.newer_sentence)
    return f"{told_side(sides[0])} was told otherwise later: {told_side(sides[1])}"


def _is_refused(one: Disagreement, refused: Sequence[str]) -> bool:
    """Return whether the newer side gives a day or number that the page gave as a fact and nobody said."""
    was, now = (
        read_values(text, telling.day).by_kind
        for text, telling in ((one.older_sentence, one.older), (one.newer_sentence, one.newer))
    )
    about = telling_words(one.older_sentence) & telling_words(one.newer_sentence)
    for text in refused:
        not_borne = read_values(text, one.newer.day).by_kind
        same = any((now[kind] - was[kind]) & not_borne[kind] for kind in ("day", "number"))
        if same and about & telling_words(text):
            return True
    return False


def _find_changed(snapshot: Snapshot, planned: Snapshot) -> list[tuple[Side, Side]]:
    """Return the values that hold by themselves and that a page changes, as they were and as they are."""
    before = {side.where: side for side in _sides(snapshot)}
    return [
        (other, holds)
        for holds in (_sides(planned) if before else ())
        if (other := before.get(holds.where)) is not None and other.says != holds.says
    ]


def _find_waiting(snapshot: Snapshot, planned: Snapshot) -> list[tuple[Side, Side]]:
    """Return the changes of such values that wait for a decision since the page."""
    known, found = (
        [pair for kind in find_kinds(one) if kind.changes is not None for pair in kind.changes(one)]
        for one in (snapshot, planned)
    )
    return [pair for pair in found if pair not in known]


def _find_moved(changed: Sequence[tuple[Side, Side]], notes: str) -> Sequence[NoteChange]:
    """Return how the notes change for the values to which a page gave another day than they had."""
    moved: dict[str, NoteChange] = {}
    for other, holds in changed if notes.strip() else ():
        if is_moved(other, holds):
            moved |= {one.before: one for one in find_changes(notes, other, holds)}
    return list(moved.values())


def _sides(snapshot: Snapshot) -> Iterator[Side]:
    """Yield the values that hold by themselves, like facts."""
    for kind in find_kinds(snapshot):
        if kind.sides is not None:
            yield from kind.sides(snapshot)


def _is_asked_with_memory(one: Disagreement, found: Sequence[Disagreement]) -> bool:
    """Return whether a note's disagreement is asked about anyway, with a memory that says the same."""
    if one.newer.where != WORKING_MEMORY:
        return False
    older = _side(one.older, one.older_sentence)
    return any(
        (other.slot, other.older.where, other.older_sentence) == (one.slot, older.where, one.older_sentence)
        and is_put_right(one.newer_sentence, _side(other.newer, other.newer_sentence), older)
        for other in found
        if other.newer.where != WORKING_MEMORY
    )


def _one_of_each(found: Sequence[Disagreement], asked: Sequence[tuple[Side, Side]]) -> list[Disagreement]:
    """Return the disagreements without those that are settled with another, or with what is `asked` already.

    A fact is asked about before a memory, a memory before a note, and in the plainest words.
    """

    def rank(one: Disagreement) -> tuple[int, bool, int]:
        noted = one.older.where == WORKING_MEMORY
        older = 0 if find_value_kind(one.older.where) is not None else 2 if noted else 1
        return older, one.newer.where == WORKING_MEMORY, len(one.newer_sentence)

    kept: list[Disagreement] = []
    decided = list(asked)
    for one in sorted(found, key=rank):
        pair = _side(one.older, one.older_sentence), _side(one.newer, one.newer_sentence)
        if not any(is_one_matter(pair, other) for other in decided):
            kept.append(one)
            decided.append(pair)
    return [one for one in found if one in kept]


def _taken_back(
    new: Sequence[HeldText], notes: Sequence[HeldText], planned: Snapshot
) -> Iterator[Disagreement]:
    """Yield for each new sentence that takes a value back the fact or note that still gives it, if any.

    One is enough, since the decision puts the others right.
    """
    held: list[HeldText] | None = None
    people = telling_words(f"{planned.settings.user} {planned.settings.name}")
    for telling in new:
        plain = even(telling.text)
        for start, end in sentences(plain):
            sentence = telling.text[start:end].strip()
            if not (_MAY_TAKE_BACK.search(sentence) or MOVED.search(sentence)):
                continue
            held = [*_values_held(planned), *notes] if held is None else held
            stale = next(
                (
                    one
                    for one in held
                    if not (_is_of_now(one, telling) or _is_of_past(one))
                    and takes_back(sentence, one.text, telling.day, people)
                ),
                None,
            )
            if stale is not None:
                yield Disagreement(Slot.DATE, stale, stale.text, telling, sentence)


def _is_of_now(value: HeldText, telling: HeldText) -> bool:
    """Return whether a value that holds was said as late as a memory tells: it is what holds by then."""
    if value.day is None or telling.day is None or value.where == WORKING_MEMORY:
        return False
    return value.day >= telling.day


def _is_of_past(value: HeldText) -> bool:
    """Return whether all days of a value were over when it was told, so that nothing moves them any more."""
    if value.day is None or value.where == WORKING_MEMORY:
        return False
    last = [end for one in dates(even(value.text), value.day) for _, end in one.spans]
    return bool(last) and max(last) < value.day


def _values_held(snapshot: Snapshot) -> Iterator[HeldText]:
    """Yield the values that hold by themselves, like facts."""
    for side in _sides(snapshot):
        yield HeldText(side.where, side.says, read_day(side.day), 0, side.says)


def disagreements_in_talk(
    snapshot: Snapshot, said: Sequence[str], session: str, answer: str = ""
) -> list[Disagreement]:
    """Return the disagreements between these words of a conversation and what the rings held.

    A day that was over by then may be another year's; where the `answer` names it, it is the same matter.
    """
    new = [HeldText(session, text, read_day(session), 0, text) for text in said]
    held = list(_held(snapshot, new, set())) if new else []
    found = find_disagreements(new, held)
    if found or not answer:
        return found
    for one in held:
        # as if said on the day of what was held
        then = [replace(telling, day=one.day) for telling in new]
        named = _days_of_year(answer, one.day)
        found += [
            pair
            for pair in find_disagreements(then, [one])
            if pair.slot is Slot.DATE and named & _days_of_year(pair.older_sentence, one.day)
        ]
    return found


def _days_of_year(text: str, day: date | None) -> set[tuple[int, int]]:
    """Return the single days that a text names, each as month and day."""
    spans = (span for when in dates(text, day) if when.kind in ("day", "iso") for span in when.spans)
    return {(start.month, start.day) for start, end in spans if start == end}


def _as_files(
    snapshot: Snapshot, pairs: Sequence[Disagreement], session: str, made: str
) -> FoundContradictions:
    writes, problems = {}, []
    taken = set(snapshot.list("review"))
    number = 0
    for one in pairs:
        number += 1
        while review_path(f"{session}-contradiction-{number}") in taken:
            number += 1
        older, newer = _side(one.older, one.older_sentence), _side(one.newer, one.newer_sentence)
        if older.day > newer.day and newer.day:
            # the page is about an older session than the one it disagrees with
            older, newer = newer, older
        name = f"{session}-contradiction-{number}"
        proposal = Proposal(
            name, ReviewKind.CONTRADICTION, session, made,
            f"{name_difference(one.slot, newer.says)}: {in_short(newer.says, 60)}",
            "".join(f"{told_side(side)}\n" for side in (older, newer)), sides=(older, newer),
        )  # fmt: skip
        writes[review_path(name)] = render_proposal(proposal).encode()
        relation = "has changed, as told in" if one.fact is None else "does not agree with"
        what = f"{told_side(older)} {relation} {told_side(newer)}; both stay until you decide"
        problems.append(Problem("contradiction", what))
    return FoundContradictions(writes, problems)


def _side(telling: HeldText, sentence: str) -> Side:
    """Return one side; a note in working memory has no day, since it holds now."""
    day = "" if telling.day is None or telling.where == WORKING_MEMORY else telling.day.isoformat()
    return Side(telling.where, one_line(sentence, 400).rstrip(" ;:,"), day)


# -- what is held -------------------------------------------------------------------------------


def _tellings(memory: Memory, text: str) -> Iterator[HeldText]:
    """Yield a memory's claims by paragraph, without its questions and title."""
    day = read_day(memory.order[0])
    context = f"{memory.title} {memory.body}"
    for stretch in read_stretches(memory, text):
        if not (stretch.title or stretch.anchors or stretch.open):
            yield HeldText(memory.id, stretch.text, day, stretch.lines[0][1], context)


def _held(snapshot: Snapshot, new: Sequence[HeldText], fresh: set[str]) -> Iterator[HeldText]:
    """Yield what older memories and index lines say that could concern the same subjects."""
    if snapshot.memories.keys() <= fresh and snapshot.index.lines.keys() <= snapshot.memories.keys():
        return
    wanted = [_prefixes(fact.subject) for telling in new for fact in read_facts(telling)]
    wanted += [_prefixes(words) for telling in new for words in denied_words(telling.text)]
    wanted = [prefixes for prefixes in wanted if prefixes]
    if not wanted:
        return
    every = frozenset(prefix for prefixes in wanted for prefix in prefixes)
    looked = 0
    for memory in reversed(list(snapshot.memories.values())):
        if memory.id in fresh or not _speaks_of(f"{memory.marker} {memory.body}", every, wanted):
            continue
        if looked == MOST_LOOKED_AT:
            break
        looked += 1
        for telling in _tellings(memory, render_memory(memory)):
            if _speaks_of(telling.text, every, wanted):
                yield telling
    for line in snapshot.index.lines.values():
        if line.id not in snapshot.memories and _speaks_of(line.description, every, wanted):
            day = read_day(line.where.session) if line.where else None
            yield HeldText(line.id, line.description, day, 0, f"{line.description} {line.anchor}")


def _prefixes(subject: Iterable[str]) -> frozenset[str]:
    return frozenset(word[:_PREFIX] for word in subject if len(word) > 1)


def _speaks_of(text: str, every: frozenset[str], wanted: Sequence[frozenset[str]]) -> bool:
    """Return whether a text holds enough words of something new: two of them, or the only one."""
    plain = text.casefold()
    there = {prefix for prefix in every if prefix in plain}
    return any(len(prefixes & there) >= min(2, len(prefixes)) for prefixes in wanted) if there else False


def _notes(text: str) -> list[str]:
    """Return working memory's items and its state."""
    try:
        found = [working_file.without_day(item.text) for item in working_file.read_items(text)]
        return [*found, *filter(None, [working_file.read_section(text, "State").strip()])]
    except ReelError:
        return []


def _known_pairs(snapshot: Snapshot) -> set[str]:
    """Return the pairs that wait, and those that were settled."""
    found: set[str] = set()
    try:
        found.update(read_settled(snapshot.text(SETTLED) or ""))
    except ReelError:
        # reported by the commands that settle contradictions
        found = set()
    return found | {pair_key(older.says, newer.says) for older, newer in _asked(snapshot)}


def _repeats_pair(one: Disagreement, settled: tuple[Side, Side]) -> bool:
    """Return whether a pair was decided already, with a newer side in other words: the same for the same."""
    older, newer = _side(one.older, one.older_sentence), _side(one.newer, one.newer_sentence)
    if (older.where, older.says) != (settled[0].where, settled[0].says):
        return False
    was, now, then = (
        read_values(side.says, read_day(side.day)).by_kind.get(_KINDS.get(one.slot, ""), frozenset())
        for side in (older, newer, settled[1])
    )
    return bool((now - was) & (then - was))


def _settled(snapshot: Snapshot) -> Sequence[tuple[Side, Side]]:
    """Return the pairs that a person decided, as far as they can be read."""
    try:
        settled = read_settled(snapshot.text(SETTLED) or "")
    except ReelError:
        return ()
    pairs: list[tuple[Side, Side]] = []
    for one in settled.values():
        told = [str(one.get(key, "")) for key in ("older", "newer", "day")] if isinstance(one, dict) else []
        sides: list[Side] = []
        for text in told[:2]:
            where, _, says = text.partition(": ")
            memory = snapshot.memories.get(where)
            sides.append(Side(where, says, memory.order[0] if memory is not None else told[2]))
        if sides and all(side.says for side in sides):
            pairs.append((sides[0], sides[1]))
    return pairs


def _asked(snapshot: Snapshot) -> Sequence[tuple[Side, Side]]:
    """Return the pairs that wait for a decision."""
    found: list[tuple[Side, Side]] = []
    for path in snapshot.list("review"):
        if is_proposal_file(path):
            try:
                sides = parse_proposal(snapshot.text(path) or "", path).sides
            except ReelError:
                continue
            if sides:
                found.append((sides[0], sides[1]))
    return found


def _noted(snapshot: Snapshot, session: str) -> date | None:
    """Return the latest day since which working memory is unchanged: the day of the page before this one."""
    paged = [session_of_checkpoint(path) for path in snapshot.checkpoints]
    before = [name for name in paged if session_order(name) < session_order(session)]
    return read_day(max(before, key=session_order)) if before else None
