"""Settle two things that do not agree, by a person's word: both may stand, or one holds now (REEL §3.5)."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.own_words import LENT
from reel_cli.core.files import front_matter
from reel_cli.core.files.kit_files import KitFileKind, find_value_kind
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import SETTLED, parse_proposal, read_settled, review_path, settle
from reel_cli.core.files.tree import is_proposal_file
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.kinds import find_kinds
from reel_cli.core.kit.proposal_kind import Choice, ProposalInWords, ProposalKind
from reel_cli.core.kit.snapshot import INDEX, WORKING, Snapshot
from reel_cli.core.moment import read_day
from reel_cli.core.shell import join
from reel_cli.core.values.change import Change, for_screen, in_short, one_line
from reel_cli.core.values.memory import Memory, memory_path
from reel_cli.core.values.review import Proposal, ReviewKind, Side
from reel_cli.core.values.source import SESSION_ID, session_order
from reel_cli.features.contradictions.notes import (
    apply_changes,
    find_changes,
    in_plain_words,
    put_right,
    tell_changes,
)
from reel_cli.features.contradictions.sentence_claims import repeats, takes_back
from reel_cli.features.contradictions.sentence_values import read_days, swap_value
from reel_cli.features.contradictions.sides import WORKING_MEMORY, stands, told_side

OP = "review"
BOTH, OLDER, NEWER = "both", "older", "newer"
_TOLD = 30
"""Characters of each side in the name of a pair."""
_ROOT, _LEAST_ROOT = 6, 4
"""Letters of a word's root that are looked for in a memory, at most, and at least."""
NO_QUARREL = "they agree"
"""The word for a pair that was no contradiction at all."""


def tell_contradiction(snapshot: Snapshot, proposal: Proposal) -> ProposalInWords:
    """Return the two sides, the older first, and what there is to say."""
    older, newer = proposal.sides
    if _is_one_value(proposal):
        why = "the newer holds meanwhile; say which holds: --holds newer, --holds older or --holds both"
    else:
        why = "both stay until you decide; say whether both may stand, or which holds now"
    if not all(_is_held(snapshot, proposal, side) for side in proposal.sides):
        why = "one of them reads otherwise by now, so it can be settled"
    notes = tell_changes(snapshot.text(WORKING) or "", older, newer)
    told = [
        *notes,
        *_tell_facts(snapshot, older, newer),
        *_tell_memories(snapshot, older, newer),
    ]
    if told:
        head, mark, rest = why.partition("; ")
        why = f"{head}; {'; '.join(told)}{mark}{rest}"
    people = telling(f"{snapshot.settings.user} {snapshot.settings.name}")
    changed = takes_back(newer.says, older.says, read_days(older, newer)[1], people)
    head = "one that has changed" if changed else "two that do not agree"
    what = f"{head}: {' and '.join(f'“{in_short(one.says, _TOLD)}”' for one in proposal.sides)}"
    becomes = [f"{one[:1].upper()}{one[1:]}." for one in told]
    if notes:
        becomes.append("To word a note yourself afterwards:  reel edit now")
    return ProposalInWords(what, why, f"{told_side(newer)}\n", f"{told_side(older)}\n", becomes=becomes)


def _is_held(snapshot: Snapshot, proposal: Proposal, side: Side) -> bool:
    """Return whether a side still stands; a fact's, beside another text, only with the same value."""
    kind = find_value_kind(side.where)
    if kind is None or _is_one_value(proposal):
        return stands(snapshot, side)
    return _still_holds(snapshot, kind, side)


def _tell_facts(snapshot: Snapshot, older: Side, newer: Side) -> list[str]:
    """Return what each decision would do to facts, one of the sides or others, as parts of a sentence."""
    told = []
    for other, holds, which in ((older, newer, "second"), (newer, older, "first")):
        loses = find_value_kind(other.where)
        if loses is not None and loses.give_way is not None and other.where != holds.where:
            fact, value = one_line(other.says), _new_value(snapshot, other, other, holds)
            becomes = f"the fact “{fact}” then reads “{one_line(value)}”"
            if not value:
                becomes = f"say first what the fact “{fact}” says now"
            if _still_holds(snapshot, loses, other):
                told.append(f"if the {which} holds, {becomes}")
        for _, side, words in _stale_facts(snapshot, other, holds):
            told.append(
                f"if the {which} holds, the fact “{one_line(side.says)}” then reads “{one_line(words)}”"
            )
    return told


def _tell_memories(snapshot: Snapshot, older: Side, newer: Side) -> list[str]:
    """Return which other memories each decision would mark, as parts of a sentence."""
    return [
        f"if the {which} holds, the memory “{one_line(memory.title, 60)}” is marked with it"
        for other, holds, which in ((older, newer, "second"), (newer, older, "first"))
        for memory in list_stale_memories(snapshot, other, holds)
    ]


def _is_one_value(proposal: Proposal) -> bool:
    """Return whether the sides are two values of one fact, of which only one can be packed."""
    older, newer = proposal.sides
    return older.where == newer.where and find_value_kind(older.where) is not None


def plan_settle(snapshot: Snapshot, proposal: Proposal, today: str, word: str) -> Change:
    """Return the change that settles one: it is recorded, and what no longer holds is marked.

    `word` is `both`, `older`, `newer`, the place of the side that holds (`M-004`), or NO_QUARREL; "" is
    `both`, except for two values of one fact. Raises UsageError for another, ReelError where what does not
    hold is no memory that could be marked.
    """
    older, newer = proposal.sides
    kind = find_value_kind(older.where) if older.where == newer.where else None
    if not word and kind is not None:
        message = f"Which holds: “{one_line(older.says, 60)}” or “{one_line(newer.says, 60)}”?"
        hint = f"say it:  reel review accept {proposal.id} --holds {NEWER}  (or {OLDER}, or {BOTH})"
        raise ReelError(message, hint=hint)
    word = word or BOTH
    holds = _holding(word, older, newer)
    held = snapshot.text(SETTLED) or ""
    read_settled(held)
    writes: dict[str, bytes | None] = {review_path(proposal.id): None}
    told = "not a contradiction" if word == NO_QUARREL else "both stand"
    if word == BOTH and kind is not None and kind.hold_both is not None:
        writes.update(kind.hold_both(snapshot, (older, newer)))
        told = "both stand"
    elif holds is not None:
        other = newer if holds is older else older
        kind, loses = find_value_kind(holds.where), find_value_kind(other.where)
        if kind is not None and kind.hold is not None:
            writes.update(kind.hold(snapshot, holds, today))
            told = f"“{one_line(holds.says, 60)}” holds now"
        else:
            told = f"{_called(holds)} holds now, {_called(other)} does not"
        if loses is None and other.where != WORKING_MEMORY:
            writes.update(_mark(snapshot, other, holds, proposal.id))
        elif (
            loses is not None
            and loses.give_way is not None
            and other.where != holds.where
            and _still_holds(snapshot, loses, other)
        ):
            value = _require_value(snapshot, other, holds, proposal.id, word)
            writes.update(loses.give_way(snapshot, other, value, today))
        for memory in list_stale_memories(snapshot, other, holds):
            writes.update(_mark(snapshot, replace(other, where=memory.id), holds, proposal.id))
        writes.update(_put_notes_right(snapshot, other, holds, proposal.id))
        writes.update(_put_facts_right(snapshot, writes, other, holds, today))
    writes[SETTLED] = settle(held, proposal, told, today).encode()
    summary = f"two things that did not agree: {told}"
    if holds is not None:
        held_now = for_screen(f": “{one_line(holds.says, 60)}” holds now", ": one of them holds now")
        summary = f"two things that did not agree{held_now}"
    return Change(OP, summary, writes, notes=(f"{older.says} / {newer.says}",))


def _still_holds(snapshot: Snapshot, kind: KitFileKind, side: Side) -> bool:
    """Return whether a fact still has the value of a side; what it was put right to since is kept."""
    now = kind.sides(snapshot) if kind.sides is not None else ()
    return any((one.where, one.says) == (side.where, side.says) for one in now)


def _new_value(snapshot: Snapshot, fact: Side, other: Side, holds: Side) -> str:
    """Return a fact's value with what holds in place of what does not; "" where it cannot be told."""
    name = f"{fact.says.partition(': ')[0]}: "
    plain = in_plain_words(snapshot.text(WORKING) or "", other, holds)
    made = swap_value(fact.says, other, plain)
    return made.removeprefix(name) if made.startswith(name) else ""


def _require_value(snapshot: Snapshot, fact: Side, holds: Side, item: str, word: str) -> str:
    """Return a fact's new value; raises ReelError with the command that gives it where it cannot be told.

    A sentence is no value: it says one thing of a fact that may hold several.
    """
    value = _new_value(snapshot, fact, fact, holds)
    if value:
        return value
    kind, _, key = fact.where.partition("#")[2].partition("/")
    message = (
        f"“{one_line(holds.says, 60)}” does not say all that the fact “{one_line(fact.says, 60)}” is now."
    )
    add = join(["reel", "fact", "add", kind, fact.says.partition(": ")[0] or key, "THE NEW VALUE"])
    raise ReelError(message, hint=f"say it:  {add}   and then:  reel review accept {item} --holds {word}")


def list_decided(snapshot: Snapshot, places: Collection[str]) -> Sequence[str]:
    """Return the files of waiting contradictions between a fact at one of these places and another text."""
    found = []
    for path in snapshot.list("review"):
        if not is_proposal_file(path):
            continue
        with suppress(ReelError):
            sides = parse_proposal(snapshot.text(path) or "", path).sides
            if sides and sides[0].where != sides[1].where and any(one.where in places for one in sides):
                found.append(path)
    return found


def _holding(word: str, older: Side, newer: Side) -> Side | None:
    sides = {OLDER: older, NEWER: newer}
    if older.where != newer.where:
        sides |= {older.where: older, newer.where: newer}
    if word in (BOTH, NO_QUARREL):
        return None
    if word not in sides:
        message = f"{word!r} is neither side of it."
        raise UsageError(message, hint=f"say  --holds {OLDER}, {NEWER} or {BOTH}")
    return sides[word]


def _called(side: Side) -> str:
    return "what stands in working memory" if side.where == WORKING_MEMORY else side.where


def _put_notes_right(snapshot: Snapshot, other: Side, holds: Side, item: str) -> dict[str, bytes]:
    """Return the working notes as they read with what holds, if that changes them.

    Raises ReelError where one of the notes does not hold and it cannot be told which.
    """
    text = snapshot.text(WORKING) or ""
    changes = find_changes(text, other, holds)
    if other.where == WORKING_MEMORY and not changes:
        message = f"{_called(other)} is not found there any more.".capitalize()
        hint = f"put it right in {WORKING}, then  reel review accept {item} --holds both"
        raise ReelError(message, hint=hint)
    return {WORKING: apply_changes(text, changes).encode()} if changes else {}


def _stale_facts(snapshot: Snapshot, other: Side, holds: Side) -> Iterator[tuple[KitFileKind, Side, str]]:
    """Yield each fact, beside the two sides, that says what no longer holds, and the value it comes to."""
    places = {other.where, holds.where}
    plain = in_plain_words(snapshot.text(WORKING) or "", other, holds)
    for kind in find_kinds(snapshot):
        for side in kind.sides(snapshot) if kind.sides is not None and kind.give_way is not None else ():
            after = "" if side.where in places else put_right(side.says, other, plain)
            if after and after != side.says:
                value = _new_value(snapshot, side, other, holds)
                if not value and _keeps_words(after, side.says):
                    value = after.removeprefix(f"{side.says.partition(': ')[0]}: ")
                if value:
                    yield kind, side, value


def _keeps_words(after: str, before: str) -> bool:
    """Return whether a text that was put right still begins as it did, so that no sentence stands for it."""
    return after.startswith(before.rstrip(" .,;:"))


def list_stale_memories(snapshot: Snapshot, other: Side, holds: Side) -> Sequence[Memory]:
    """Return the memories, beside the two sides, that say what no longer holds."""
    roots = {word[:_ROOT] for word in telling(other.says) - LENT if len(word) >= _LEAST_ROOT}
    found = []
    for memory in snapshot.memories.values():
        text = f"{memory.body}\n{memory.marker}\n{memory.tag}"
        plain = text.casefold()
        if memory.id not in (other.where, holds.where) and any(root in plain for root in roots):
            day = read_day(memory.order[0])
            paragraphs = (line for line in text.splitlines() if line.strip())
            if any(repeats(line, day, other, holds) for line in paragraphs):
                found.append(memory)
    return found


def _put_facts_right(
    snapshot: Snapshot, writes: Mapping[str, bytes | None], other: Side, holds: Side, today: str
) -> dict[str, bytes]:
    """Return the files in which facts that repeat what no longer holds say what does."""
    made: dict[str, bytes] = {}
    for kind, side, words in list(_stale_facts(snapshot, other, holds)):
        if kind.give_way is not None:
            planned = snapshot.after(Change(OP, "", {**writes, **made}))
            made.update(kind.give_way(planned, side, words, today))
    return made


def mark_earlier(  # noqa: PLR0913
    snapshot: Snapshot,
    session: str,
    other: Side,
    holds: Side,
    item: str,
    only: Collection[str] | None = None,
) -> dict[str, bytes]:
    """Return the memories of chats before a session that have every word of a side, marked with the other.

    One that is marked with an earlier value of the same fact takes the newer one. `only` limits them, by ID.
    """
    about = telling(other.says) - LENT
    if not about or not SESSION_ID.fullmatch(session):
        return {}
    marked: dict[str, bytes] = {}
    for memory in _memories(snapshot, only):
        if _mark_of(memory, holds.says) == holds.says:
            continue
        told = telling(f"{memory.body}\n{memory.marker}\n{memory.tag}")
        name, mark, _ = holds.says.partition(": ")
        earlier = bool(mark) and f"{name}: " in memory.no_longer
        if memory.order[:2] < session_order(session) and (about <= told or earlier):
            marked |= _mark(snapshot, replace(other, where=memory.id), holds, item)
    return marked


def _memories(snapshot: Snapshot, only: Collection[str] | None) -> Iterator[Memory]:
    """Yield the memories of a kit; with `only`, those of these IDs."""
    return (one for one in snapshot.memories.values() if only is None or one.id in only)


def _mark_of(memory: Memory, says: str) -> str:
    """Return a memory's mark for the fact that `says` (`name: …`) is about, with its name; "" for none."""
    name, named, _ = says.partition(": ")
    found = re.search(_marks_of(name), memory.no_longer) if named else None
    return found.group().lstrip("; ") if found else ""


def mark_ended(snapshot: Snapshot, name: str, only: Collection[str] | None = None) -> dict[str, bytes]:
    """Return the memories that a value of this name is told to hold against, now that none does."""
    marked: dict[str, bytes] = {}
    for memory in _memories(snapshot, only):
        if memory.no_longer.startswith(f"{name}: ") or f"; {name}: " in memory.no_longer:
            path = memory_path(memory.id)
            value = _joined(memory.no_longer, f"{name}: {ENDED}")
            text = snapshot.text(path) or ""
            marked[path] = front_matter.set_fields(text, {"no_longer": render_scalar(value)}, path).encode()
    return marked


def mark_again(
    snapshot: Snapshot, says: str, session: str, only: Collection[str] | None = None
) -> dict[str, bytes]:
    """Return the memories marked with an earlier value of a fact, marked with the one that holds (`name: …`).

    A memory of the chat in which that was said, or of a later one, tells it itself: it loses its mark.
    """
    marked: dict[str, bytes] = {}
    for memory in _memories(snapshot, only):
        if _mark_of(memory, says) in ("", says):
            continue
        path = memory_path(memory.id)
        value = _joined(memory.no_longer, says)
        if session and memory.order[:2] >= session_order(session):
            value = value.removesuffix(says).rstrip("; ")
        text = snapshot.text(path) or ""
        fields = {"no_longer": render_scalar(value) if value else None}
        marked[path] = front_matter.set_fields(text, fields, path).encode()
    return marked


ENDED = "not known"
"""The words of a memory's mark for a fact that was let go."""


def _mark(snapshot: Snapshot, other: Side, holds: Side, item: str) -> dict[str, bytes]:
    """Return the memory with a mark of what holds instead; its text stays as it was."""
    path = memory_path(other.where)
    text = snapshot.text(path)
    if text is None:
        message = f"{other.where} is no memory that could be marked."
        hint = f"put it right in its line in {INDEX}, then  reel review accept {item} --holds both"
        raise ReelError(message, hint=hint)
    value = _joined(parse_memory(text, path).no_longer, holds.says)
    return {path: front_matter.set_fields(text, {"no_longer": render_scalar(value)}, path).encode()}


def _joined(before: str, says: str) -> str:
    """Return what holds instead, with a further one; a newer value of one fact takes the older one's place.

    Of `metoprolol: 75 mg` and `metoprolol: stopped` only the second holds.
    """
    name, mark, _ = says.partition(": ")
    if mark:
        before = re.sub(_marks_of(name), "", before).lstrip("; ")
    return before if says in before else f"{before}; {says}" if before else says


def _marks_of(name: str) -> str:
    """Return the pattern of a memory's mark for the fact of this name."""
    return rf"(?:^|; ){re.escape(name)}: .*?(?=; [^;:]{{1,60}}: |$)"


def _choices(proposal: Proposal) -> tuple[Choice, ...]:
    """Return the decisions on two things that do not agree.

    That both are right and that nothing contradicts come to the same, except for two values of one fact: of
    those, "both" gives the one that is not in force a name of its own.
    """
    holds = (
        Choice("1", "the first holds", "Settled, the older holds", OLDER),
        Choice("2", "the second holds", "Settled, the newer holds", NEWER),
    )
    if _is_one_value(proposal):
        return (
            *holds,
            Choice("b", "both hold, each under a name of its own", "Settled, both stand", BOTH),
            Choice("n", "leave both as they are", "Settled, no contradiction", drops=True),
        )
    return (*holds, Choice("b", "both are right", "Settled, both stand", drops=True))


CONTRADICTIONS = ProposalKind(
    ReviewKind.CONTRADICTION,
    tell_contradiction,
    plan_settle,
    _choices,
    lambda snapshot, proposal, today: plan_settle(snapshot, proposal, today, NO_QUARREL),
    names=lambda proposal: [one.says for one in proposal.sides],
)
