"""Power of measured drift to tell a voice's own sessions from sessions that somebody else spoke.

python bench/drift.py [--half dev|test] [--each 14] [--seed 1] [--traits]

Sessions of LoCoMo and RealMemBench, each held against the same speaker's before it, as a checkpoint does.
Drift is planted by putting somebody else's words in their place:
  same talk    the other speaker of the same conversation, the same evening (LoCoMo)
  other talk   a speaker of another conversation (LoCoMo)
  other user   another person who talks to the same assistant (RealMemBench; three short turns a session)
  assistant    an assistant's replies: the voice that a persona falls into
Each planted session has its own beside it. AUROC: how often the planted one of a random pair is further off.
The constants of `features/page/drift` were chosen on the half `dev` and nothing else.
"""

import argparse
import json
import os
import random
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.features.page.drift.measure import LATELY, Lately, Measure, SessionDrift, measure
from reel_cli.features.page.drift.style import WritingStyle, join_manners, read_manner

DATA = Path(os.environ.get("REEL_SHARED_DATA", HERE.parent.parent / "shared" / "data"))
HALVES = {"dev": (0, 1), "test": (2, 3, 4)}
"""Which conversations, and which people of RealMemBench."""
FIRST = 6
"""The first session that is measured: there must be something before it."""


class Voice(NamedTuple):
    """Somebody whose sessions there are: of which set, which talk, as whom."""

    data: str
    talk: int
    who: str


class Case(NamedTuple):
    """One session: what came before it, its own words, and others' words in their place."""

    voice: Voice
    before: Sequence[WritingStyle]
    exemplars: WritingStyle
    own: WritingStyle
    planted: Mapping[str, WritingStyle]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--half", choices=sorted(HALVES), default="test")
    parser.add_argument("--each", type=int, default=14, help="so many sessions of each voice")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--traits", action="store_true", help="each trait by itself as well")
    given = parser.parse_args()
    if not DATA.is_dir():
        print(f"no data in {DATA}", file=sys.stderr)
        return 1
    own: dict[str, list[Measure]] = defaultdict(list)
    planted: dict[str, list[Measure]] = defaultdict(list)
    for case in cases(read_voices(), given.half, given.each, given.seed):
        mine = measure(case.own, Lately(case.before), case.exemplars)
        if mine.earlier is None:
            continue
        for kind, manner in case.planted.items():
            other = measure(manner, Lately(case.before), case.exemplars)
            if other.earlier is not None:
                own[kind].append(mine)
                planted[kind].append(other)
    kinds = list(planted)
    print(f"half {given.half}: AUROC by what was planted ({', '.join(f'{k}: {len(own[k])}' for k in kinds)})")
    print(f"{'':24}" + "".join(f"{kind:>12}" for kind in kinds))
    rows = {"distance": distance, "distance from exemplars": from_exemplars}
    for name, read in rows.items():
        print(f"{name:24}" + "".join(f"{auroc(own[k], planted[k], read):12.2f}" for k in kinds))
    if given.traits:
        for trait in next(iter(planted.values()))[0].traits:
            found = (auroc(own[k], planted[k], lambda m, t=trait: abs(m.traits.get(t, 0.0))) for k in kinds)
            print(f"  {trait:22}" + "".join(f"{value:12.2f}" for value in found))
    print("\nwhat is said of them, in per cent: usual / a little off / far")
    print(f"{'own sessions':24}" + "".join(f"{shares(own[k]):>12}" for k in kinds))
    print(f"{'planted':24}" + "".join(f"{shares(planted[k]):>12}" for k in kinds))
    return 0


def read_voices() -> dict[Voice, list[WritingStyle]]:
    """Every speaker's sessions, in order."""
    voices = {}
    for talk, item in enumerate(json.loads((DATA / "locomo/dev.json").read_text())):
        said = item["conversation"]
        numbers = sorted(int(key[8:]) for key in said if key.startswith("session_") and key[8:].isdigit())
        for who in ("speaker_a", "speaker_b"):
            turns = ([t["text"] for t in said[f"session_{n}"] if t["speaker"] == said[who]] for n in numbers)
            voices[Voice("locomo", talk, who)] = [read_manner(one) for one in turns]
    for talk, file in enumerate(sorted((DATA / "realmem").glob("*.json"))):
        sessions = json.loads(file.read_text())["dialogues"]
        for who in ("User", "Assistant"):
            turns = ([t["content"] for t in s["dialogue_turns"] if t["speaker"] == who] for s in sessions)
            voices[Voice("realmem", talk, who)] = [read_manner(one) for one in turns]
    return voices


def cases(voices: Mapping[Voice, list[WritingStyle]], half: str, each: int, seed: int) -> Iterator[Case]:
    """Sessions of the half's voices, with others' words beside them."""
    chance = random.Random(seed)  # noqa: S311
    mine = {voice: sessions for voice, sessions in voices.items() if voice.talk in HALVES[half]}
    assistant = next(v for v in mine if v.who == "Assistant")
    for voice, sessions in mine.items():
        if voice.who == "Assistant":
            continue
        places = range(FIRST, len(sessions))
        for place in sorted(chance.sample(places, min(each, len(places)))):
            others = [
                v for v in mine if v.data == voice.data and v.talk != voice.talk and v.who != "Assistant"
            ]
            other = mine[chance.choice(others)]
            planted = {"other talk" if voice.data == "locomo" else "other user": other[place % len(other)]}
            if voice.data == "locomo":
                twin = voice._replace(who="speaker_b" if voice.who == "speaker_a" else "speaker_a")
                planted["same talk"] = mine[twin][place]
            planted["assistant"] = mine[assistant][place % len(mine[assistant])]
            before = sessions[max(0, place - LATELY) : place]
            yield Case(voice, before, join_manners(sessions[:3]), sessions[place], planted)


def distance(found: Measure) -> float:
    return found.earlier or 0.0


def from_exemplars(found: Measure) -> float:
    return found.exemplars or 0.0


def auroc(own: Sequence[Measure], planted: Sequence[Measure], read: object) -> float:
    """How often a planted one measures more than an own one, ties half."""
    assert callable(read)
    low, high = [read(one) for one in own], [read(one) for one in planted]
    wins = sum((a < b) + 0.5 * (a == b) for a in low for b in high)
    return wins / (len(low) * len(high)) if low and high else float("nan")


def shares(found: Sequence[Measure]) -> str:
    counts = Counter(one.standing for one in found)
    kinds = (SessionDrift.USUAL, SessionDrift.OFF, SessionDrift.FAR)
    return "/".join(f"{100 * counts[kind] / len(found):.0f}" for kind in kinds)


if __name__ == "__main__":
    sys.exit(main())
