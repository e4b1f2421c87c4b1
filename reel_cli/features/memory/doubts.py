"""Memories that the tape does not bear, for a person to decide on: right, wrong or gone (REEL §10.5)."""

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import told
from reel_cli.core.evidence.memory_check import hold_all_against_tape
from reel_cli.core.evidence.note_check import NOTES, check_kept_notes
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.files import front_matter
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.kit.proposal_kind import Choice
from reel_cli.core.kit.snapshot import WORKING
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import memory_path
from reel_cli.features.doctor.settle import plan_right, require_doubts
from reel_cli.features.forgetting.plan import plan_forget
from reel_cli.features.review.accept import plan_accept
from reel_cli.features.review.diff import changed_lines, render_diff
from reel_cli.features.review.proposals import Kind, WaitingProposal
from reel_cli.terminal.decisions.decision import Decision, DecisionOrder, DecisionResult, Draft

if TYPE_CHECKING:
    from reel_cli.core.values.memory import Memory
    from reel_cli.terminal.open_kit import OpenKit

Detail = tuple[str, int, str]
"""One thing that is doubted: its kind, its line in the file, and the doubt in words."""
RIGHT = Choice("y", "it is right", "It is right")
FORGET = Choice("f", "let go of the memory", "Forgotten", loses=True)
SO = Choice("y", "keep it so", "Corrected")
LONGEST = 300
"""Characters of a memory's line that are shown below a doubt."""


def find_doubtful_memories(opened: "OpenKit") -> Sequence[Decision]:
    """Return a decision for each memory that says what its stretch of tape does not bear."""
    snapshot = opened.snapshot
    with opened.console.progress(
        "Holding what is remembered against the tape", len(snapshot.memories)
    ) as done:
        notes = hold_all_against_tape(snapshot, opened.root, done)
    by_path = {memory_path(memory.id): memory for memory in snapshot.memories.values()}
    decisions = [
        _decide_on(opened, by_path[path], list(details))
        for path, (details, _, _) in notes.items()
        if details and path in by_path
    ]
    of_notes = [
        (one.kind.value, one.line, told(one)) for one in check_kept_notes(snapshot, TapeEvidence(snapshot))
    ]
    return [*decisions, *([_decide_on_notes(opened, of_notes)] if of_notes else [])]


def _decide_on_notes(opened: "OpenKit", details: Sequence[Detail], line: int = 0) -> Decision:
    """Return the decision about some doubts of the working notes; `line` is the one of a note, 0 for all."""
    text = opened.snapshot.text(WORKING) or ""
    many = "one thing in them does" if len(details) == 1 else f"{len(details):,} things in them do"
    mark = hashlib.sha256(repr((text, details)).encode("utf-8", "replace")).hexdigest()[:16]
    parts = [(n, [one for one in details if one[1] == n]) for n in dict.fromkeys(n for _, n, _ in details)]
    return Decision(
        f"{NOTES}#{line}" if line else NOTES,
        f"the notes of what is going on ({WORKING})",
        f"{many} not fit what was said",
        mark,
        (RIGHT,),
        partial(_shown, text, details),
        partial(_settle, NOTES, f"{NOTES}:{line}" if line else NOTES),
        split=None if line else lambda: [_decide_on_notes(opened, own, n) for n, own in parts],
    )


def _decide_on(opened: "OpenKit", memory: "Memory", details: Sequence[Detail], line: int = 0) -> Decision:
    """Return the decision about some doubts of a memory; `line` is the one of a part, 0 for all."""
    text = opened.snapshot.text(memory_path(memory.id)) or ""
    many = "one thing in it does" if len(details) == 1 else f"{len(details):,} things in it do"
    mark = hashlib.sha256(repr((text, details)).encode("utf-8", "replace")).hexdigest()[:16]
    place = f"{memory.id}:{line}" if line else memory.id
    return Decision(
        f"{memory.id}#{line}" if line else memory.id,
        f"“{one_line(memory.title)}” ({memory.id})",
        f"{many} not fit what was said",
        mark,
        (RIGHT, FORGET) if not line else (RIGHT,),
        partial(_shown, text, details),
        partial(_settle, memory.id, place),
        None if line else Draft(text, f"{memory.id}.md", partial(_take, memory)),
        None if line else partial(_split, opened, memory, details),
    )


def _shown(text: str, details: Sequence[Detail]) -> Sequence[str]:
    lines = text.split("\n")
    shown: list[str] = []
    for _, number, words in details:
        shown.append(f"{words}.")
        # a line that another change moved is told by the doubt alone
        if 0 < number <= len(lines) and (told_line := _around(lines[number - 1], words)):
            shown.append(f"  it says: {told_line}")
    return shown


def _around(line: str, words: str) -> str:
    """Return a memory's line, cut around what is doubted of it where it is long."""
    claim = words.partition('"')[2].partition('"')[0].rstrip("…")
    told = one_line(line)
    at = max(0, told.find(claim) - LONGEST // 3)
    start = told.rfind(" ", 0, at) + 1 if len(told) > LONGEST else 0
    return f"{'…' if start else ''}{one_line(told[start:], LONGEST)}"


def _split(opened: "OpenKit", memory: "Memory", details: Sequence[Detail]) -> Sequence[Decision]:
    """Return a decision for each line of the memory that is doubted."""
    lines = dict.fromkeys(line for _, line, _ in details)
    return [
        _decide_on(opened, memory, [one for one in details if one[1] == line], line) for line in lines if line
    ]


def _settle(name: str, place: str, opened: "OpenKit", order: DecisionOrder) -> DecisionResult:
    snapshot, now = opened.snapshot, opened.now()
    if order.choice == FORGET:
        counter = get_tokenizer(snapshot.settings.tokenizer)
        change = plan_forget(snapshot, opened.require_repository(), counter, [name], why="", now=now).change
    else:
        change = require_doubts(plan_right(snapshot, [place], now.date().isoformat()), [place])
    return _carry_out(opened, change, order)


def _carry_out(opened: "OpenKit", change: Change, order: DecisionOrder) -> DecisionResult:
    return DecisionResult() if order.dry else DecisionResult(opened.commit(change).commit)


def _take(memory: "Memory", opened: "OpenKit", text: str) -> Decision:
    """Return the decision about a memory with a person's text; raises ReelError for one that is no memory."""
    path = memory_path(memory.id)
    if parse_memory(text, path).level is not memory.level or not front_matter.split(text, path).text("id"):
        message = f"The lines between the two --- belong to {memory.id}; its id and its level stay."
        raise ReelError(message, hint="edit the words below them")
    before = opened.snapshot.read(path)
    one = WaitingProposal(path, Kind.HAND, "", "", path, before, text.encode())
    found = next((d for d in find_doubtful_memories(opened) if d.item == memory.id), None)
    if found is None:
        message = f"{memory.id} is not doubted any more."
        raise ReelError(message)
    return replace(
        found, edited=text, choices=(SO,), shown=lambda: changed_lines(render_diff(one)),
        settle=partial(_settle_edited, path, before, text),
        draft=Draft(text, f"{memory.id}.md", partial(_take, memory)),
    )  # fmt: skip


def _settle_edited(
    path: str, before: bytes | None, text: str, opened: "OpenKit", order: DecisionOrder
) -> DecisionResult:
    """Write a memory as a person put it right; its line in the index follows."""
    snapshot = opened.snapshot
    if snapshot.read(path) != before:
        message = f"{path} changed meanwhile; it was left as it is."
        raise ReelError(message, hint="look at it again with  reel doctor")
    edited = snapshot.after(Change("edit", path, {path: text.encode()}))
    one = WaitingProposal(path, Kind.HAND, "", "", path, before, text.encode())
    change = plan_accept(
        edited, opened.require_repository(), [one], [one],
        by="", today=opened.now().date().isoformat(), tokenizer=get_tokenizer(snapshot.settings.tokenizer),
    )  # fmt: skip
    return _carry_out(opened, replace(change, op="memory"), order)
