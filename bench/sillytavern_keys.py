"""How often the keys of exported memories bring the memory that a natural question is about.

    python bench/sillytavern_keys.py [--out FOLDER]

The questions were written before any key was looked at; keys were chosen by those of `ada` alone.

Scans as SillyTavern 1.19.0 does by default (SillyTavern/SillyTavern `public/scripts/world-info.js`,
`default/content/settings.json`): the last two messages, whole words, 25 % of 8,192 tokens, recursion.
`sillytavern_scan.mjs` puts the same questions to the real program.
"""

import argparse
import json
import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.cards.lore.kept_books import Shelf
from reel_cli.features.cards.lore.plan_out import write_world

ROOT = Path(__file__).parents[1]
QUESTIONS = ROOT / "bench" / "sillytavern_questions.yaml"
WINDOW, SHARE, DEPTH = 8192, 25, 2
BEFORE = "Good evening. Sit down, I was about to put the kettle on."
"""The message before each question, which is about nothing."""


def main() -> None:
    """Print, for each kit, how many questions bring their memory, and how many entries come at all."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--out", type=Path, help="a folder for the books and questions, for sillytavern_scan.mjs"
    )
    args = parser.parse_args()
    asked = read_questions()
    for kit, questions in asked.items():
        result = measure(kit, questions)
        for ask, brings in result.missed:
            print(f"  - {ask}  ->  {brings}")
        print(
            f"{kit}: {result.brought} of {len(questions)} questions bring their memory;"
            f" {result.came:.1f} of {result.entries} entries come to one, {result.constant} always;"
            f" {result.keys:.1f} keys an entry"
        )
        if args.out:
            args.out.mkdir(parents=True, exist_ok=True)
            (args.out / f"{kit}.json").write_text(json.dumps(export(kit)), "utf-8")
    if args.out:
        rows = [
            {
                "kit": kit,
                "before": BEFORE,
                "questions": [{"ask": q["ask"], "title": title_of(kit, q["brings"])} for q in questions],
            }
            for kit, questions in asked.items()
        ]
        (args.out / "questions.json").write_text(json.dumps(rows), "utf-8")


class Result(NamedTuple):
    """The figures of one kit: `came` is the mean number of entries that come to a question."""

    brought: int
    came: float
    entries: int
    constant: int
    keys: float
    missed: Sequence[tuple[str, str]]


def read_questions() -> dict[str, list[dict[str, str]]]:
    """Return the questions of each example kit, with the memory that each should bring."""
    import yaml

    found: dict[str, list[dict[str, str]]] = yaml.safe_load(QUESTIONS.read_text("utf-8"))
    return found


def measure(kit: str, questions: Sequence[Mapping[str, str]]) -> Result:
    """Return what the questions bring of an example kit's memories."""
    entries = list(export(kit)["entries"].values())
    missed, came = [], 0
    for question in questions:
        title = title_of(kit, question["brings"])
        titles = [entry["comment"] for entry in scan(entries, [question["ask"], f"X: {BEFORE}"])]
        came += len(titles)
        if title not in titles:
            missed.append((question["ask"], question["brings"]))
    constant = sum(entry["constant"] for entry in entries)
    keys = sum(len(entry["key"]) for entry in entries) / len(entries)
    brought = len(questions) - len(missed)
    return Result(brought, came / len(questions), len(entries), constant, keys, missed)


def export(kit: str) -> dict[str, Any]:
    """Return the World Info of an example kit."""
    snapshot = Snapshot(WorkTree(ROOT / "kits" / kit), kit)
    shelf = Shelf(snapshot, get_tokenizer(snapshot.settings.tokenizer).count)
    return dict(write_world(shelf, lived=True).book or {})


def title_of(kit: str, memory: str) -> str:
    """Return the title of a memory."""
    return Snapshot(WorkTree(ROOT / "kits" / kit), kit).memories[memory].title


def scan(entries: Sequence[Mapping[str, Any]], messages: Sequence[str]) -> list[Mapping[str, Any]]:
    """Return the entries that SillyTavern brings for messages, the newest message first."""
    count = get_tokenizer("cl100k_base").count
    budget = round(SHARE * WINDOW / 100)
    active: list[Mapping[str, Any]] = []
    text, recursed, full, content = "\x01" + "\n\x01".join(messages[:DEPTH]), False, False, ""
    ordered = sorted(entries, key=lambda entry: -entry["order"])
    while True:
        fresh = [
            entry
            for entry in ordered
            if entry not in active
            and not (recursed and entry["excludeRecursion"])
            and (entry["constant"] or any(matches(text, key) for key in entry["key"]))
        ]
        more = ""
        taken = []
        for entry in fresh:
            if full:
                break
            more += f"{entry['content']}\n"
            if count(content) + count(more) >= budget:
                full = True
                continue
            taken.append(entry)
        active += taken
        content += more
        spread = [entry["content"] for entry in taken if not entry["preventRecursion"]]
        if not spread or full:
            return active
        text, recursed = text + "\n\x01" + "\n\x01".join(spread), True


def matches(text: str, key: str) -> bool:
    """Return whether a key stands in a text, by whole words as a browser tells them."""
    text, key = text.lower(), key.lower().strip()
    if len(key.split()) > 1:
        return key in text
    return re.search(rf"(?:^|[^A-Za-z0-9_]){re.escape(key)}(?:$|[^A-Za-z0-9_])", text) is not None


if __name__ == "__main__":
    main()
