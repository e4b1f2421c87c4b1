"""False positives of the quotation check: ordinary turns that count as quoted, and so as no evidence.

    python bench/own_words.py [--show]

Reads the person's turns of the talks in REEL_SHARED_DATA (../shared/data). A turn with a stretch that counts
as quoted is not yet a mistake: people do quote. `--show` prints each such stretch, to be read.
"""

import json
import os
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

from reel_cli.core.evidence.quotation import find_quoted

DATA = Path(os.environ.get("REEL_SHARED_DATA", Path(__file__).resolve().parents[2] / "shared" / "data"))


def turns() -> Iterator[tuple[str, str]]:
    """Yield the set and the words of each turn; in LoCoMo both speakers are people."""
    for talk in json.loads((DATA / "locomo/dev.json").read_text(encoding="utf-8")):
        for session in talk["conversation"].values():
            if isinstance(session, list):
                yield from (("LoCoMo dev", turn.get("text", "")) for turn in session)
    for place in sorted((DATA / "realmem").glob("*.json")):
        for dialogue in json.loads(place.read_text(encoding="utf-8"))["dialogues"]:
            said = (t for t in dialogue["dialogue_turns"] if t["speaker"].lower() == "user")
            yield from (("RealMem", turn["content"]) for turn in said)


def main() -> None:
    """Count, and show what was found where that is asked for."""
    seen: Counter[str] = Counter()
    quoted: Counter[str] = Counter()
    for name, text in turns():
        seen[name] += 1
        found = find_quoted(text)
        quoted[name] += bool(found)
        if "--show" in sys.argv:
            for first, last in found:
                print(f"{name}: {text[first:last][:150]!r}")
    for name, count in seen.items():
        print(f"{name}: {quoted[name]} of {count:,} turns have a quoted stretch ({quoted[name] / count:.1%})")


if __name__ == "__main__":
    main()
