"""Working notes held against the tape: a page's before it is kept, and those of a kit (REEL §4.3, §10.5).

A note tells of what is to come, so that nothing is asked of it but names, quotations, and numbers and days
beside another one of the same thing.
"""

from collections.abc import Collection, Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.changed_number import find_changed_number
from reel_cli.core.evidence.grounding.check import Claim, Stretch, UngroundedDetail, told
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.memory_check import is_hint
from reel_cli.core.evidence.number_verdict import number_written
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files import working_file
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.review_file import doubt_key
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.values.talk import SourceRange, session_order

if TYPE_CHECKING:
    from reel_cli.core.finding import Finding

NOTES = "notes"
"""Word for the working notes where doubts are settled: `notes`, or `notes:12` for a line of theirs."""
_STATE = "State"
_SAME = 80
"""Percent of a note's telling words that the page has by which it came."""


def check_new_notes(
    evidence: TapeEvidence, before: str, after: str, spans: Sequence[SourceRange]
) -> list[UngroundedDetail]:
    """Return the details of what a page adds to the working notes that nothing known bears.

    So is a number by which a note differs from one that it takes the place of, where nobody said it.
    """
    stood, stands = _read_notes(before), _read_notes(after)
    gone, fresh = (
        [one for one in some if one.text not in {other.text for other in others}]
        for some, others in ((stood, stands), (stands, stood))
    )
    found = _check(evidence, fresh, spans)
    known = {(one.line, one.claim) for one in found}
    changed = [] if not gone else _find_changed(evidence, gone, fresh, spans)
    return [*found, *(one for one in changed if (one.line, one.claim) not in known)]


def _find_changed(
    evidence: TapeEvidence, gone: Sequence[Stretch], fresh: Sequence[Stretch], spans: Sequence[SourceRange]
) -> Iterator[UngroundedDetail]:
    """Yield the numbers of new notes that take the place of another number, and that nobody said."""
    source = evidence.source(spans)
    if source is None:
        return
    said = [one.turn.text for one in source.said]
    for one in fresh:
        mine = telling(one.text)
        for other in gone:
            if not mine or len(mine & telling(other.text)) * 100 < len(mine) * _SAME:
                continue
            place = find_changed_number(other.text, one.text, said)
            if place is None:
                continue
            claim = one.text[slice(*place)]
            detail = UngroundedDetail(
                Claim.NUMBER, one.lines[0][1], claim, one.text, Passage(0, "the note until now", other.text)
            )
            settled = evidence.is_settled(note_key(detail))
            if not (settled or _is_of_another_chat(detail, source, evidence.known)):
                yield detail


def check_kept_notes(
    snapshot: Snapshot, evidence: TapeEvidence, only: Collection[int] = ()
) -> list[UngroundedDetail]:
    """Return the details of the working notes that nothing known bears, with `only` of some lines.

    Each is held against the chat of the page by which it came; what no page told is a person's own word.
    """
    rest = _read_notes(snapshot.text(WORKING) or "")
    found: list[UngroundedDetail] = []
    for session, words in _pages(snapshot):
        if not rest:
            break
        own = [one for one in rest if _is_told(one.text, words)]
        rest = [one for one in rest if one not in own]
        found += _check(evidence, own, [SourceRange(session, 1, 0)])
    return sorted((one for one in found if not only or one.line in only), key=lambda one: one.line)


def find_false_notes(snapshot: Snapshot) -> "list[Finding]":
    """Return a finding for each detail of the working notes that nothing known bears."""
    from reel_cli.core.finding import FALSE_MEMORY, Finding

    return [
        Finding(
            "grounding",
            f"{WORKING}, line {one.line}: {told(one)}",
            f"put the note right (reel edit now); if it is right:  reel doctor --right {NOTES}",
            is_hint(one.kind),
            FALSE_MEMORY,
            f"{WORKING}:{one.line}",
        )
        for one in check_kept_notes(snapshot, TapeEvidence(snapshot))
    ]


def note_key(one: UngroundedDetail) -> str:
    """Return the key under which a doubt about the working notes is settled."""
    return doubt_key(WORKING, one.kind.value, one.claim)


def _check(
    evidence: TapeEvidence, notes: Sequence[Stretch], spans: Sequence[SourceRange]
) -> list[UngroundedDetail]:
    source = evidence.source(spans) if notes else None
    if source is None:
        return []
    doubted = [one.detail for one in evidence.judge_text(notes, spans) if one.verdict is Verdict.NOT_BORNE]
    return [
        one
        for one in doubted
        if not (evidence.is_settled(note_key(one)) or _is_of_another_chat(one, source, evidence.known))
    ]


def _is_of_another_chat(one: UngroundedDetail, source: Source, known: Knowledge) -> bool:
    """Return whether a number stands elsewhere beside a word of its note, which tells of several chats."""
    if one.kind is not Claim.NUMBER:
        return False
    plain = even(one.claim).casefold().strip()
    words = [word for word in content(one.sentence, source) if word not in plain]
    return known.has_line_with(number_written(plain), words)


def _read_notes(text: str) -> list[Stretch]:
    """Return the listed notes and what is going on, each with its line in the file."""
    head = text[: len(text) - len(working_file.read_body(text))].count("\n")
    notes = [
        Stretch(working_file.without_day(one.text), ((0, head + one.lines[0] + 1),), open=True)
        for one in working_file.read_items(text)
    ]
    state = working_file.read_section(text, _STATE).strip()
    if state and not working_file.is_starting(text):
        line = next((n for n, one in enumerate(text.split("\n"), 1) if one and one in state), 1)
        notes.append(Stretch(" ".join(state.split()), ((0, line),), open=True))
    return notes


def _pages(snapshot: Snapshot) -> Iterator[tuple[str, frozenset[str]]]:
    """Yield each chat that has a page and the telling words of its notes, the newest first."""
    by_session = [(session_of_checkpoint(path), path) for path in snapshot.checkpoints]
    for session, path in sorted(by_session, key=lambda one: session_order(one[0]), reverse=True):
        try:
            page = read_checkpoint(snapshot.text(path) or "", path)
        except ReelError:
            # reported as a checkpoint that cannot be read
            continue
        yield session, telling(f"{page.get('ring_2_delta', '')}\n{page.get('open_loops', '')}")


def _is_told(note: str, page: frozenset[str]) -> bool:
    words = telling(note)
    return bool(words) and len(words & page) * 100 >= len(words) * _SAME
