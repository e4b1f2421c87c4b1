"""Settle doubts about memories: by a person's word, or by the persona's that all of it was said."""

from collections.abc import Sequence

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.evidence.grounding.check import told
from reel_cli.core.evidence.memory_check import is_hint
from reel_cli.core.evidence.note_check import NOTES, check_kept_notes, note_key
from reel_cli.core.evidence.tape_evidence import TapeEvidence, key_of
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.review_file import SETTLED, read_settled, settle_doubt
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.rings.read_memory import meant_memory
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import memory_path


def plan_right(snapshot: Snapshot, places: Sequence[str], day: str) -> Change | None:
    """Return the change that settles the doubts about some memories; None where there are none.

    A place is a memory (`M-004`, or its title), the working notes (`notes`), or a line of one (`M-004:14`).
    Raises UsageError for another.
    """
    held = snapshot.text(SETTLED) or ""
    read_settled(held)
    evidence = TapeEvidence(snapshot)
    notes: list[str] = []
    for place in places:
        given, _, line = place.rpartition(":") if place.rpartition(":")[2].isdecimal() else (place, "", "")
        if given == NOTES:
            for doubted in check_kept_notes(snapshot, evidence, [int(line)] if line else ()):
                doubt = one_line(f"{WORKING}: {told(doubted)}", 300)
                held = settle_doubt(held, note_key(doubted), doubt, day)
                notes.append(doubt)
            continue
        name = meant_memory(snapshot, given) or given
        if name not in snapshot.memories or (line and not line.isdecimal()):
            message = f"{place!r} is not a memory, nor a line of one."
            raise UsageError(message, hint="reel doctor  lists them, like M-004 or M-004:14")
        path = memory_path(name)
        text = snapshot.text(path) or ""
        memory = parse_memory(text, path)
        for one in evidence.judge(memory, text):
            if one.verdict is Verdict.NOT_BORNE and (not line or one.detail.line == int(line)):
                doubt = one_line(f"{name}: {told(one.detail)}", 300)
                held = settle_doubt(held, key_of(memory, one.detail), doubt, day)
                notes.append(doubt)
    if not notes:
        return None
    count = "a doubt" if len(notes) == 1 else f"{len(notes):,} doubts"
    summary = f"{', '.join(places)}: {count} settled as right"
    return Change("review", summary, {SETTLED: held.encode()}, notes=tuple(notes))


def plan_cleared(snapshot: Snapshot, names: Sequence[str], day: str) -> Change | None:
    """Return the change that settles the rules' doubts of memories of which the persona says: all was said.

    A quotation that is not on the tape stays in doubt: no word bears it. None where nothing is settled.
    """
    held = snapshot.text(SETTLED) or ""
    read_settled(held)
    evidence = TapeEvidence(snapshot)
    word = f"all of it was said, according to {snapshot.settings.name}"
    notes: list[str] = []
    for name in names:
        path = memory_path(name)
        text = snapshot.text(path) or ""
        memory = parse_memory(text, path)
        for one in evidence.check(memory, text):
            if is_hint(one.kind):
                doubt = one_line(f"{name}: {told(one)}", 300)
                held = settle_doubt(held, key_of(memory, one), doubt, day, word)
                notes.append(doubt)
    if not notes:
        return None
    count = "a doubt" if len(notes) == 1 else f"{len(notes):,} doubts"
    return Change("review", f"{count} settled: {word}", {SETTLED: held.encode()}, notes=tuple(notes))


def require_doubts(change: Change | None, places: Sequence[str]) -> Change:
    """Return the change; raises ReelError where nothing was doubted."""
    if change is None:
        message = f"Nothing of {', '.join(places)} is in doubt."
        raise ReelError(message)
    return change
