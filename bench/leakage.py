"""Accuracy of the leak check: a list of leaks, a list of lookalikes, and real conversations.

python bench/leakage.py [--data ../shared/data]
"""

import argparse
import json
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from reel_cli.core.evidence.leakage import LeakedPassage, find_leaks, is_taken_up

LISTS = Path(__file__).parents[1] / "tests/fixtures/leakage"


PERSON = "You are Ada, who keeps a lighthouse."
"""Identity for the lists: somebody, and no machine."""


def leaks_in(text: str, heard: str = "", identity: str = "") -> list[LeakedPassage]:
    """Return the leaks of a reply, of no kit in particular."""
    return [one for one in find_leaks(text) if one.sure and not is_taken_up(one, heard, identity)]


def read_list(path: Path) -> Iterator[tuple[str, str]]:
    """Each reply of a list, and the heading it stands under."""
    under = ""
    for line in path.read_text(encoding="utf-8").splitlines():
        if line.startswith("["):
            under = line.strip("[]")
        elif line.strip():
            yield under, line


def replies(data: Path) -> Iterator[tuple[str, str, str]]:
    """Yield messages of assistants and of people: (source, words, answer)."""
    for item in json.loads((data / "locomo/dev.json").read_text(encoding="utf-8")):
        for key, turns in item["conversation"].items():
            for turn in turns if key.startswith("session_") and isinstance(turns, list) else ():
                yield "locomo", turn["text"], ""
    for path in sorted((data / "realmem").glob("*.json")):
        yield from _turns("realmem", json.loads(path.read_text(encoding="utf-8")))
    for path in sorted((data / "samples").rglob("*.json")):
        yield from _turns(f"samples/{path.parent.name}", json.loads(path.read_text(encoding="utf-8")))


def _turns(name: str, told: object) -> Iterator[tuple[str, str, str]]:
    """Every message of whatever form, an assistant's with what was said to it before in the same list."""
    if isinstance(told, dict):
        yield from (turn for value in told.values() for turn in _turns(name, value))
    if not isinstance(told, list):
        return
    heard: list[str] = []
    for one in told:
        who = (
            next((one[k] for k in ("role", "from", "sender", "speaker") if k in one), None)
            if isinstance(one, dict)
            else None
        )
        text = (
            next((one[k] for k in ("content", "value", "text") if isinstance(one.get(k), str)), None)
            if who
            else None
        )
        if text is None:
            yield from _turns(name, one)
        elif str(who).casefold() in ("assistant", "gpt", "model", "chatgpt", "bing", "bard"):
            yield name, text, "\n".join(heard)
        else:
            heard.append(text)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--data", type=Path, default=Path(__file__).parents[2] / "shared" / "data")
    parser.add_argument("--show", action="store_true", help="tell each reply that is told wrong")
    told = parser.parse_args()
    for name, wanted in (
        ("leaks", True),
        ("near", False),
        ("held-out-leaks", True),
        ("held-out-near", False),
        ("plain-leaks", True),
        ("plain-near", False),
    ):
        rows = [
            (under, line, leaks_in(line, identity=PERSON)) for under, line in read_list(LISTS / f"{name}.txt")
        ]
        for under in dict.fromkeys(row[0] for row in rows):
            own = [row for row in rows if row[0] == under]
            print(f"{name:6} {sum(bool(row[2]) for row in own):3} of {len(own):3} told of  {under}")
        print(f"{name:6} {sum(bool(row[2]) for row in rows):3} of {len(rows):3} in all")
        for _, line, leaks in rows:
            if told.show and bool(leaks) is not wanted:
                print(f"    {[one.words for one in leaks]}  {line}")
    seen, fired = Counter[str](), Counter[str]()
    for name, text, heard in replies(told.data):
        seen[name] += 1
        leaks = leaks_in(text, heard)
        fired[name] += bool(leaks)
        for leak in leaks if told.show else ():
            print(f"    {name}: {leak.kind}: {leak.words!r} in {leak.sentence[:200]}")
    for name, count in seen.items():
        print(f"real   {fired[name]:3} of {count:6,} told of  {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
