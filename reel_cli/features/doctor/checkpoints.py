"""Self-assessments that say the same every time (REEL §10.6)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.checkpoint_file import read_checkpoint
from reel_cli.core.finding import CHECKPOINT_THEATRE, Finding
from reel_cli.core.kit.glance import note_files
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE

MANY = 8
"""Number of consecutive sessions without a shift after which one might have been missed."""
NEWEST = 40
"""Number of the newest checkpoints that are compared with each other."""
ALIKE = WHOLE * 7 // 10
"""The share of two texts' runs of words that both have, above which the one repeats the other."""
FEWEST_WORDS = 8
"""Words below which texts are alike by chance, unless they are the same."""
BARE = 2
"""Words (yes; nothing, steady) up to which an answer is a verdict and no description."""
OFTEN = 3
"""Number of equal answers from which they are serious."""
_RUN = 3
_EDITION = 2
_WORD = re.compile(r"[^\W_]+(?:['’][^\W_]+)*")
_TEXTS = ("identity_coherence", "calibration_state", "drift_description")
_MEND = (
    "ask it what was different this time before you ask for its page; "
    "hold its word against the numbers with  reel status --drift"
)


@dataclass(frozen=True, slots=True)
class SelfAssessment:
    """The self-assessment of a checkpoint: its path, session, whether it reports drift, and the words."""

    path: str
    session: str
    drift: str
    text: str

    @property
    def words(self) -> list[str]:
        """Return the words in lower case."""
        return _WORD.findall(self.text.casefold())


def find_theatre(snapshot: Snapshot, kit: Path) -> list[Finding]:
    """Return findings for checkpoints that never report a shift, or repeat one another."""
    said = _read(snapshot, kit)
    return [*_never(said), *_repeated(said[-NEWEST:])]


def repeating(snapshot: Snapshot, kit: Path) -> frozenset[str]:
    """Return the paths of checkpoints that repeat one of another session."""
    said = _read(snapshot, kit)
    return frozenset(finding.at.rpartition(":")[0] for finding in _repeated(said))


def _read(snapshot: Snapshot, kit: Path) -> list[SelfAssessment]:
    def note(path: str) -> tuple[str, str] | None:
        try:
            fields: Mapping[str, str] = read_checkpoint(snapshot.text(path) or "", path)
        except ReelError:
            # reported as a file that cannot be read
            return None
        texts = [text for key in _TEXTS if len((text := fields.get(key, "")).split()) > BARE]
        return fields.get("drift_detected", ""), one_line(" / ".join(texts))

    notes = note_files(kit, f"theatre {_EDITION}", snapshot.checkpoints, note)
    return [
        SelfAssessment(path, Path(path).stem.rpartition(".")[0], noted[0], noted[1])
        for path in snapshot.checkpoints
        if (noted := notes[path]) is not None
    ]


def _never(said: Sequence[SelfAssessment]) -> list[Finding]:
    """Return a finding if many sessions never reported any drift."""
    sessions = {one.session for one in said}
    if len(sessions) < MANY or any(one.drift != "no" for one in said):
        return []
    newest = said[-1]
    what = (
        f"in {len(sessions):,} sessions no page told of a shift, not once; the newest says"
        f' "{one_line(newest.text, 120)}"'
    )
    return [
        Finding("checkpoint", what, _MEND, hint_only=True, kind=CHECKPOINT_THEATRE, at=f"{newest.path}:1")
    ]


def _repeated(said: Sequence[SelfAssessment]) -> list[Finding]:
    """Return a finding for each page that repeats an earlier one, with the most similar."""
    runs = [_runs(one.words) for one in said]
    pairs = []
    for place in range(1, len(said)):
        best = max(range(place), key=lambda other: (_likeness(said, runs, place, other), other))
        share = _likeness(said, runs, place, best)
        if share >= ALIKE and said[place].session != said[best].session:
            pairs.append((said[place], said[best], share))
    hint = len(pairs) + 1 < OFTEN
    found = []
    for one, other, share in reversed(pairs):
        how = "says word for word" if share >= WHOLE else f"says, by {share // 100} %,"
        what = (
            f"{Path(one.path).stem} {how} what {Path(other.path).stem} did:"
            f' "{one_line(one.text, 110)}" | "{one_line(other.text, 110)}"'
        )
        at = f"{one.path}:1"
        found.append(Finding("checkpoint", what, _MEND, hint, CHECKPOINT_THEATRE, at))
    return found


def _runs(words: Sequence[str]) -> frozenset[tuple[str, ...]]:
    return frozenset(tuple(words[i : i + _RUN]) for i in range(max(1, len(words) - _RUN + 1)))


def _likeness(
    said: Sequence[SelfAssessment], runs: Sequence[frozenset[tuple[str, ...]]], one: int, other: int
) -> int:
    """Return the share of word runs that both have, of all that either has."""
    mine, theirs = said[one].words, said[other].words
    if mine == theirs:
        return WHOLE if mine else 0
    if min(len(mine), len(theirs)) < FEWEST_WORDS:
        return 0
    return WHOLE * len(runs[one] & runs[other]) // len(runs[one] | runs[other])
