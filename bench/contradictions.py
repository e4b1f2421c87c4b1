"""How many planted contradictions are found among real memories, and what is reported where none was planted.

python bench/contradictions.py [--half dev|test] [--show]

The memories are what models wrote of the sessions of LoCoMo (its session summaries and observations) and of
RealMemBench (its extracted memories), a page a session. Each pair of
`tests/fixtures/contradictions/pairs.json` is planted in one of those histories: its first sentence at the end
of a page, its second on the next, five days later. A pair of `disagree` should be found, one of `agree` not;
anything else found on those pages is a false alarm. What is found where nothing is planted is counted apart,
and printed with --show, to be read.

`facts.json` beside it has values of facts under one name, a day apart, with the words that were said: the
contradictions among them should be asked about, updates and what may both be so should not.
"""

import argparse
import json
import os
import sys
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import date, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.evidence.claims import HeldText
from reel_cli.features.contradictions.compare import Disagreement, find_disagreements
from reel_cli.features.contradictions.plain_denials import find_denials
from reel_cli.features.facts.evidence.told_value import ToldValue
from reel_cli.features.facts.evidence.values import Relation, compare_values

DATA = Path(os.environ.get("REEL_SHARED_DATA", HERE.parent.parent / "shared" / "data"))
PAIRS = HERE.parent / "tests" / "fixtures" / "contradictions" / "pairs.json"
FACTS = PAIRS.with_name("facts.json")
APART = timedelta(days=5)
THEN = date(2026, 3, 2)

Page = list[HeldText]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--half", choices=["dev", "test"], default="test")
    parser.add_argument("--show", action="store_true", help="what is missed, and every false alarm")
    given = parser.parse_args()
    if not DATA.is_dir():
        print(f"no data in {DATA}", file=sys.stderr)
        return 1
    histories = [pages for pages in read_histories() if len(pages) > 8]
    pairs = json.loads(PAIRS.read_text())[given.half]
    found, asked, wrong = Counter[str](), Counter[str](), 0
    for place, (slot, one, other) in enumerate(pairs["disagree"]):
        asked[slot] += 1
        hits, others = plant(histories, place, one, other)
        found[slot] += bool(hits)
        wrong += others
        if given.show and not hits:
            print(f"missed: {one} | {other}")
    alarms = 0
    for place, (one, other) in enumerate(pairs["agree"]):
        hits, others = plant(histories, place, one, other)
        alarms += hits
        wrong += others
        if given.show and hits:
            print(f"no contradiction: {one} | {other}")
    for slot, number in asked.items():
        print(f"{slot:8} {found[slot]:3} of {number:3} found")
    total = sum(found.values())
    share = total / (total + alarms + wrong)
    print(f"planted  {total} of {sum(asked.values())} found ({total / sum(asked.values()):.2f})")
    print(
        f"pairs that agree: {alarms} of {len(pairs['agree'])} reported; other alarms on those pages: {wrong}"
    )
    print(f"precision {share:.2f}")
    untouched(histories, show=given.show)
    compare_facts(given.half, show=given.show)
    return 0


def compare_facts(half: str, *, show: bool) -> None:
    """Print how many contradicting values of facts are found, and how many others are taken for some."""
    counts, asked = Counter[str](), Counter[str]()
    for want, kind, key, (_, was, _), (said, value, _) in json.loads(FACTS.read_text())[half]:
        past = kind == "history"
        older = ToldValue(key, was, day=THEN, past=past)
        newer = ToldValue(key, value, said, THEN + timedelta(days=1), past=past)
        found = compare_values(older, newer)
        asked[want] += 1
        counts[want] += found is Relation.CONFLICT
        if show and (found is Relation.CONFLICT) != (want == "conflict"):
            print(f"facts, {want} taken for {found}: {key}: {was} | {value}")
    print(f"facts: {counts['conflict']} of {asked['conflict']} contradictions found")
    harmless = asked.total() - asked["conflict"]
    print(f"facts: {counts.total() - counts['conflict']} of {harmless} updates and pairs reported")


def read_histories() -> Iterator[list[Page]]:
    """Each person's memories: a list of pages, oldest first."""
    for talk, item in enumerate(json.loads((DATA / "locomo/dev.json").read_text())):
        said, pages = item["conversation"], []
        for number in range(1, 50):
            summary = item["session_summary"].get(f"session_{number}_summary")
            if summary is None:
                continue
            told = said[f"session_{number}_date_time"].split(" on ")[1]
            day = datetime.strptime(told, "%d %B, %Y").date()  # noqa: DTZ007
            seen = item["observation"].get(f"session_{number}_observation", {})
            texts = [summary, *(text for lines in seen.values() for text, *_ in lines)]
            pages.append(page(f"{talk}.{number}", day, texts))
        yield pages
    for file in sorted((DATA / "realmem").glob("*.json")):
        pages = []
        for number, session in enumerate(json.loads(file.read_text())["dialogues"]):
            texts = [memory["content"].partition("】")[2] for memory in session.get("extracted_memory") or []]
            if texts:
                day = date.fromisoformat(session["current_time"][:10])
                pages.append(page(f"{file.stem[:5]}.{number}", day, texts))
        yield pages


def page(name: str, day: date, texts: Sequence[str]) -> Page:
    context = " ".join(texts)
    return [HeldText(name, text, day, 1, context) for text in texts]


def plant(histories: Sequence[list[Page]], place: int, one: str, other: str) -> tuple[int, int]:
    """How often the planted pair is reported, and what else on its second page is."""
    pages = histories[place % len(histories)]
    first = 2 + place % (len(pages) - 4)
    day = pages[first][0].day or date.min
    older, newer = add(pages[first], one, day), add(pages[first + 1], other, day + APART)
    held = [telling for before in (*pages[:first], older) for telling in before]
    reported = find_pairs(newer, held)
    hits = [r for r in reported if is_of(r, one, other)]
    return min(len(hits), 1), len(reported) - len(hits)


def find_pairs(newer: Page, held: Page) -> list[Disagreement]:
    """Every pair that does not agree, once."""
    found = [*find_denials(newer, held), *find_disagreements(newer, held)]
    return list({(one.older.where, one.newer.where, one.slot): one for one in reversed(found)}.values())


def add(told: Page, sentence: str, day: date) -> Page:
    """A page with one more sentence, and of another day."""
    context = f"{told[0].context} {sentence}"
    moved = [replace(one, day=day, context=context) for one in told]
    return [*moved, replace(moved[0], text=sentence)]


def is_of(found: Disagreement, one: str, other: str) -> bool:
    return found.older_sentence in one and found.newer_sentence in other


def untouched(histories: Sequence[list[Page]], *, show: bool) -> None:
    """Return what is reported where nothing is planted, page by page as they came to be."""
    reported, pages, texts, began = 0, 0, 0, time.perf_counter()
    for history in histories:
        held: list[HeldText] = []
        for told in history:
            pages += 1
            texts += len(told)
            for one in find_pairs(told, held):
                reported += 1
                if show:
                    print(f"{one.older.where} {one.older_sentence}\n{one.newer.where} {one.newer_sentence}\n")
            held += told
    taken = (time.perf_counter() - began) / pages * 1000
    print(
        f"nothing planted: {reported} reported on {pages} pages ({texts:,} paragraphs), {taken:.0f} ms a page"
    )


if __name__ == "__main__":
    sys.exit(main())
