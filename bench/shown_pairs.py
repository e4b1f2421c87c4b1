"""How many of the pairs shown as not agreeing are contradictions, and how many contradictions are shown.

python bench/shown_pairs.py [--half dev|test] [--show] [LIST]

Each line of `shown_pairs.yaml` is tried in a kit of its own: the older side is held as a memory, a note or a
fact, and a page of five days later brings the newer one. Counted is what a person is shown to decide; what is
shown as a change is right where the newer side tells one.
"""

import argparse
import sys
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.files.memory_file import render_memory
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.values.memory import FIELDS, Level, Memory, memory_path
from reel_cli.core.values.talk import SourceRange
from reel_cli.features.contradictions.find import plan_contradictions
from reel_cli.features.facts.evidence.fact_support import FactSupport
from reel_cli.features.facts.evidence.values import Relation
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.files import FACTS, add_facts
from reel_cli.features.facts.relation import is_event_of, relate

THEN = date(2026, 3, 2)
NOW = THEN + timedelta(days=5)


class Files:
    """A kit's files, as a tree that lies nowhere."""

    def __init__(self, files: dict[str, str]) -> None:
        self.files = {path: text.encode() for path, text in files.items()}

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> list[str]:
        return sorted(path for path in self.files if path.startswith(f"{folder}/") or not folder)


def main() -> int:
    import yaml

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("list", type=Path, nargs="?", default=HERE / "shown_pairs.yaml")
    parser.add_argument("--half", choices=["dev", "test"], default="test")
    parser.add_argument("--show", action="store_true", help="what is missed, and what is shown wrongly")
    given = parser.parse_args()
    cases = yaml.safe_load(given.list.read_text(encoding="utf-8"))[given.half == "test" :: 2]
    asked, shown = Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    right = 0
    for want, kind, _, older, newer in cases:
        told = how_shown(older, newer)
        fits = told == ("pair" if want == "conflict" else "change" if kind == "change" else "")
        asked[want, kind] += 1
        shown[want, kind] += bool(told)
        right += bool(told) and fits
        if given.show and not fits and (told or want == "conflict"):
            print(f"{f'shown as a {told}' if told else 'missed'} ({kind}): {older} | {newer}")
    for (want, kind), number in asked.items():
        print(f"{want:8} {kind:10} {shown[want, kind]:2} of {number:2} shown")
    every = shown.total()
    print(f"shown    {every}, of which right {right} ({right / max(1, every):.2f})")
    found, true = (sum(many for (want, _), many in of.items() if want == "conflict") for of in (shown, asked))
    print(f"found    {found} of {true} conflicts; shown {every - found} of {asked.total() - true} others")
    return 0


def how_shown(older: str, newer: str) -> str:
    """Return as what a person is shown both sides: a `pair` that does not agree, a `change`, or ""."""
    place, _, was = older.partition(": ")
    came, _, now = newer.partition(": ")
    if place == came == "fact":
        one, two = fact(was, THEN), fact(now, NOW)
        if is_event_of(one[0], two[0]):
            return ""
        relation = relate(one[0], two[0], two[0].value, FactSupport(words=two[1]))
        return "pair" if relation is Relation.CONFLICT else ""
    # the page of the older side's day, by which notes have theirs
    files = {"kit.yaml": "name: Ada\nuser: Bo\n", f"checkpoints/{THEN}-1.1.yaml": ""}
    if place == "fact":
        files[FACTS] = add_facts("", [fact(was, THEN)[0]])
    elif place == "memory":
        old = memory(1, was, THEN)
        files[memory_path(old.id)] = render_memory(old)
    else:
        files[WORKING] = f"## Active threads\n\n- {was}\n"
    snapshot = Snapshot(Files(files), "ada")
    page = memory(2, now, NOW)
    planned = Snapshot(Files({**files, memory_path(page.id): render_memory(page)}), "ada")
    found = plan_contradictions(snapshot, [page], planned, f"{NOW}-1", f"{NOW}T20:00:00Z")
    loud = [one.what for one in found.problems if not one.quiet]
    return "" if not loud else "change" if "has changed" in loud[0] else "pair"


def fact(told: str, day: date) -> tuple[Fact, str]:
    """Return a fact of a day, and the words it was said with."""
    kind, name, value, said = told.split(" | ")
    return Fact(kind, name, value, when=f"{day}T20:00:00Z", evidence=said), said


def memory(number: int, text: str, day: date) -> Memory:
    """Return a memory whose account is this text."""
    body = f"\n## {FIELDS[0]}\n\n{text}\n"
    source = (SourceRange(f"{day}-1", 1, 2),)
    return Memory(f"M-{number:03}", "An evening", Level.L1, body, source=source, marker="", tag="")


if __name__ == "__main__":
    sys.exit(main())
