"""Facts that tell a duty, plan, wish or offer as done: how many are kept, and how many sound ones are not.

python bench/done_claims.py [seen|blind] [--show]

`done_claims.yaml` names turns of LoCoMo and RealMem, which stay in the data, and for each a fact's name and
value. Each fact is weighed by itself against its whole chat, as a page's facts are under `--yes`; its
evidence is the turn's sentence that shares most words with it. A duty is let through where that
value is kept. A memory that says the same of somebody is held against that chat, too.
"""

import argparse
import json
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from planted_errors import EmptyKit
from stream import DATA

from reel_cli.core.evidence.grounding.intentions import owed_instead
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.talk import Entry, Message, Session
from reel_cli.features.facts.evidence.fact_review import FactReview
from reel_cli.features.facts.evidence.weigh_facts import weigh
from reel_cli.features.facts.reply import ToldFact

DAY = "2025-12-15"
SURE = 9_500
PEOPLE = {"Adeleke": "Adeleke_Okonjo", "Kenta": "Kenta_Tanaka", "Liam": "Liam_O_Connor", "Pak": "Pak_Budi"}


def talk_of(talk: str, turn: str) -> tuple[list[tuple[str, str]], int]:
    """Return the speakers and texts of the chat that a turn is in, and the turn's place."""
    if talk in PEOPLE:
        session, _, number = turn.partition(":")
        told = json.loads((DATA / f"realmem/{PEOPLE[talk]}_dialogues_256k.json").read_text(encoding="utf-8"))
        found = next(one for one in told["dialogues"] if one["session_uuid"] == session)
        return [(one["speaker"], one["content"]) for one in found["dialogue_turns"]], int(number) - 1
    items = json.loads((DATA / "locomo/dev.json").read_text(encoding="utf-8"))
    item = next(one for one in items if one["sample_id"] == talk)["conversation"]
    said = item[f"session_{turn[1:].partition(':')[0]}"]
    place = next(at for at, one in enumerate(said) if one["dia_id"] == turn)
    return [(one["speaker"], one["text"]) for one in said], place


def weighed(talk: str, turn: str, key: str, value: str) -> FactReview:
    """Return what becomes of a fact of one turn, whose speaker is the person."""
    turns, place = talk_of(talk, turn)
    user, persona = turns[place][0], next(who for who, _ in turns if who != turns[place][0])
    entries = [
        Entry(number, Message("user" if who == user else "assistant", text, time=f"{DAY}T10:00:00Z"))
        for number, (who, text) in enumerate(turns, 1)
    ]
    plain = even(turns[place][1])
    parts = [turns[place][1][start:end].strip() for start, end in sentences(plain)]
    evidence = max(parts, key=lambda one: len(telling(one) & telling(value)))
    session = Session(f"{DAY}-1", DAY, "bench", entries=entries)
    snapshot = Snapshot(EmptyKit(persona, user), "kit")
    fact = ToldFact("history", key, value, evidence, SURE)
    return weigh(snapshot, session, [fact], get_tokenizer(snapshot.settings.tokenizer), unattended=True)


def facts_of(part: str) -> Iterator[tuple[str, list[str]]]:
    import yaml

    told: dict[str, Any] = yaml.safe_load((HERE / "done_claims.yaml").read_text(encoding="utf-8"))
    for name, lists in told.items():
        for kind, listed in lists.items():
            yield from ((kind, one) for one in listed if part in ("", name))


def main() -> int:
    """Count what is kept as it was told; 1 where a sound fact is not, or a duty is."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("part", nargs="?", default="", choices=["", "seen", "blind"])
    parser.add_argument("--show", action="store_true", help="show every fact, not only what is misjudged")
    args = parser.parse_args()
    kept, told, doubted = ({"duty": 0, "sound": 0} for _ in range(3))
    for kind, (talk, turn, key, value) in facts_of(args.part):
        review = weighed(talk, turn, key, value)
        became = [f"kept: {one.value}" for one in review.facts]
        became += [f"waits: {one.value}" for one in review.waits] + [one.what for one in review.refused]
        whole = any(one.value == value for one in review.facts)
        told[kind] += 1
        kept[kind] += whole
        doubted[kind] += bool(owed_instead(f"She {value}.", [text for _, text in talk_of(talk, turn)[0]]))
        if args.show or whole == (kind == "duty"):
            print(
                f"{'!' if whole == (kind == 'duty') else ' '} {kind} {talk} {turn} {value}",
                *became,
                sep="\n      ",
            )
    print(f"duties kept as done: {kept['duty']} of {told['duty']}")
    print(f"sound facts kept as they were told: {kept['sound']} of {told['sound']}")
    print(f"told so in a memory: {doubted['duty']} duties doubted, {doubted['sound']} sound")
    return int(kept["duty"] > 0 or kept["sound"] < told["sound"])


if __name__ == "__main__":
    sys.exit(main())
