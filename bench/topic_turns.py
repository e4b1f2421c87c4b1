"""Turns of a talk to something else, as the policy `structural` sees them (SRIP-11 §V).

    python bench/topic_turns.py [--pairs 120] [--seed 5] [--data ../shared/data]

The beginning of one talk of LoCoMo, three to ten exchanges, goes over into another pair's talk: a turn
that is known. Printed: how many are found within four exchanges and how far behind, and how often a rib ends
within a talk, where nobody says whether it should.
"""

import argparse
import random
import sys
from collections.abc import Sequence
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))
sys.path.insert(0, str(HERE))

from recall import read_locomo

from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Conversation, Message
from reel_cli.features.threads.ribs import cut_ribs
from reel_cli.features.threads.terms import plain_form

NAME = "2026-01-01-1"
NEAR = 4


def main() -> int:
    """Print what is found."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--pairs", type=int, default=120)
    reader.add_argument("--seed", type=int, default=5)
    reader.add_argument("--data", type=Path, default=HERE.parent.parent / "shared" / "data")
    asked = reader.parse_args()
    names: set[str] = set()
    talks: list[tuple[int, list[Message]]] = []
    for number, kit in enumerate(read_locomo(asked.data)):
        for name, content in kit.sessions.items():
            said = [entry.message for entry in parse_session(content, session_path(name)).shown()]
            names |= {plain_form(one.name) for one in said if one.name}
            talks.append((number, [Message(one.role, one.text) for one in said]))
    dice = random.Random(asked.seed)  # noqa: S311
    behind: list[int] = []
    pairs = 0
    for _ in range(asked.pairs):
        (one, before), (other, after) = dice.sample(talks, 2)
        if one == other:
            continue
        pairs += 1
        before = before[: 2 * dice.choice((3, 4, 6, 8, 10))]
        after = after[1:] if before[-1].role == after[0].role else after
        turn = _count(before)
        near = [at - turn for at in _cut([*before, *after], names) if turn <= at <= turn + NEAR]
        behind += near[:1]
    within = sum(len(_cut(said, names)) for _, said in talks)
    total = sum(_count(said) for _, said in talks)
    print(f"turns found: {len(behind)} of {pairs}, {fmean(behind):.2f} exchanges behind on average")
    print(f"within a talk: a rib ends every {total / max(1, within):.1f} exchanges")
    return 0


def _cut(said: Sequence[Message], names: set[str]) -> list[int]:
    """Return before which exchanges ribs end."""
    session = parse_session(render_session(NAME, Conversation("messages", said)), session_path(NAME))
    return [rib.cycles[0] - 1 for rib in cut_ribs(session, "structural", frozenset(names))][1:]


def _count(said: Sequence[Message]) -> int:
    session = parse_session(render_session(NAME, Conversation("messages", said)), session_path(NAME))
    return cut_ribs(session, "per_section")[-1].cycles[1]


if __name__ == "__main__":
    sys.exit(main())
