"""Recall of the memory check on errors planted in the memories of a kit, and its doubts about what is sound.

python bench/planted_errors.py [LIST.yaml] [--kits FOLDER] [--show]

A list names a memory of a kit, or has a chat and a page about it (`planted_chats.yaml`), and pairs: what
stands there, and what stands there instead (`planted_errors.yaml`).
Each pair is tried by itself. An error is found if the check says something of the changed memory that it does
not say of the memory as it was written.
"""

import argparse
import sys
from collections import Counter
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.evidence.grounding.check import Stretch, told
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.evidence.judge import Judge
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.values.memory import memory_path

SOUND = "sound"


def entries(path: Path) -> list[dict[str, Any]]:
    import yaml

    return list(yaml.safe_load(path.read_text(encoding="utf-8")))


def pairs(entry: dict[str, Any]) -> Iterator[tuple[str, str, str]]:
    for kind, changes in [*entry["errors"].items(), (SOUND, entry["sound"])]:
        for was, now in changes:
            yield kind, was, now


class EmptyKit:
    """A kit of its settings alone, for a chat that stands in the list itself."""

    def __init__(self, me: str, other: str) -> None:
        self.settings = f"name: {me}\nuser: {other}\n".encode()

    def read(self, path: str) -> bytes | None:
        return self.settings if path == "kit.yaml" else None

    def list(self, _folder: str) -> list[str]:
        return []


def chat_doubts(entry: dict[str, Any], text: str) -> Counter[str]:
    me, other, turns = entry["me"], entry["other"], entry["turns"]
    after = [*(words for _, words in turns[1:]), ""]
    said = [
        look_at_turn(Turn(number, who, words, entry["day"]), answer)
        for number, ((who, words), answer) in enumerate(zip(turns, after, strict=True), 1)
    ]
    names = f"{me} {other}"
    known = Knowledge(Snapshot(EmptyKit(me, other), "kit"))
    judge = Judge(Source(said, names, names, (), me), known, me, other)
    found = judge.judge([Stretch(text, ((0, 1),), told=True)])
    return Counter(told(one.detail) for one in found if one.verdict is Verdict.NOT_BORNE)


def doubts(evidence: TapeEvidence, text: str, path: str) -> Counter[str]:
    return Counter(told(detail) for detail in evidence.check(parse_memory(text, path), text))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("list", nargs="?", type=Path, default=HERE / "planted_errors.yaml")
    parser.add_argument("--kits", type=Path, default=HERE.parent / "kits")
    parser.add_argument("--show", action="store_true", help="show every change, not only what is misjudged")
    args = parser.parse_args()
    planted, found, alarms = Counter[str](), Counter[str](), 0
    evidence: dict[str, TapeEvidence] = {}
    for entry in entries(args.list):
        if "chat" in entry:
            name, text, ask = entry["chat"], entry["page"], partial(chat_doubts, entry)
        else:
            kit, path = entry["kit"], memory_path(entry["memory"])
            if kit not in evidence:
                evidence[kit] = TapeEvidence(Snapshot(WorkTree(args.kits / kit), kit))
            text = (args.kits / kit / path).read_text(encoding="utf-8")
            name, ask = f"{kit} {entry['memory']}", partial(doubts, evidence[kit], path=path)
        before = ask(text)
        alarms += before.total()
        for line in before:
            print(f"{name}, as written: {line}")
        for kind, was, now in pairs(entry):
            # the last place is the body's: the front matter may say the same above it
            start, place, end = text.rpartition(was)
            if not place:
                parser.error(f"{name} does not say: {was}")
            said = ask(start + now + end) - before
            planted[kind] += 1
            found[kind] += bool(said)
            wrong = bool(said) == (kind == SOUND)
            if wrong or args.show:
                mark = "!" if wrong else " "
                print(f"{mark} {kind}: {name}: {now}", *said, sep="\n      ")
    print(f"\n{'kind':12}planted  found")
    for kind in planted:
        if kind != SOUND:
            print(f"{kind:12}{planted[kind]:7}{found[kind]:7}")
    errors, caught = (count.total() - count[SOUND] for count in (planted, found))
    print(f"{'all':12}{errors:7}{caught:7}  {caught / errors:.2f}")
    print(f"doubted: {found[SOUND]} of {planted[SOUND]} sound changes; {alarms} lines on memories as written")
    return 0


if __name__ == "__main__":
    sys.exit(main())
