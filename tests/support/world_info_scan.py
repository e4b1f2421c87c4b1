"""The scan of a World Info as SillyTavern 1.19.0 makes it by default, and what questions bring by it.

SillyTavern/SillyTavern `public/scripts/world-info.js`, `default/content/settings.json`: the last two
messages, whole words, 25 % of 8,192 tokens, recursion. `bench/sillytavern_scan.mjs` asks the program itself.
"""

import re
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.features.cards.lore.kept_books import Shelf
from reel_cli.features.cards.lore.plan_export import write_world
from tests.support.cli import CHECKOUT

QUESTIONS = CHECKOUT / "bench" / "sillytavern_questions.yaml"
WINDOW, SHARE, DEPTH = 8192, 25, 2
BEFORE = "Good evening. Sit down, I was about to put the kettle on."
"""The message before each question, which is about nothing."""


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
    snapshot = Snapshot(WorkTree(CHECKOUT / "kits" / kit), kit)
    shelf = Shelf(snapshot, get_tokenizer(snapshot.settings.tokenizer).count)
    return dict(write_world(shelf, lived=True).book or {})


def title_of(kit: str, memory: str) -> str:
    """Return the title of a memory."""
    return Snapshot(WorkTree(CHECKOUT / "kits" / kit), kit).memories[memory].title


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
