"""Recall and precision of the grounding check on planted false details.

python bench/grounding.py PAGES.json… [--half dev|test] [--each 8] [--seed 1] [--show]

A file of pages is a list of `{"id", "day", "user", "persona", "turns": [[who, text]…], "page"}`, the page
under the headings of the consolidation prompt. Each planted copy has one changed detail. Whatever is
reported on a page as it was written counts as a false alarm on every copy of it, unless the page's
`ungrounded` lists it: that is what a reader found to be really without a source.
"""

import argparse
import json
import random
import re
import sys
from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Any

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from reel_cli.core.evidence.grounding.check import UngroundedDetail, find_ungrounded
from reel_cli.core.evidence.grounding.memory_stretches import read_stretches
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.values.memory import FIELDS, Level, Memory

LABELS = dict(zip([*FIELDS[:4], "Lines to find it by"], FIELDS, strict=True))
KINDS = ("quote", "anchor", "name", "number", "date", "negation")
OTHERS = [
    "Marcus",
    "Priya",
    "Helena",
    "Tobias",
    "Yusuf",
    "Ingrid",
    "Desmond",
    "Lucia",
    "Katya",
    "Bernard",
    "Solveig",
    "Amir",
    "Judith",
    "Rosalind",
    "Otto",
    "Fiona",
    "Hamish",
    "Noriko",
    "Silas",
    "Beatrix",
    "Lisbon",
    "Denver",
    "Oslo",
    "Nairobi",
    "Toronto",
    "Kyoto",
    "Cardiff",
    "Boeing",
    "Nestle",
    "Zara",
    "Vikings",
    "Rockets",
    "Narnia",
    "Dune",
    "Monopoly",
]
WORDS = [
    "harbor",
    "envelope",
    "velvet",
    "thunder",
    "ladder",
    "marble",
    "lantern",
    "winter",
    "silver",
    "sister",
    "orchard",
    "kettle",
    "garden",
    "shadow",
    "window",
    "copper",
    "letter",
    "needle",
    "puzzle",
    "saddle",
]
SMALL = [
    "two",
    "three",
    "four",
    "five",
    "six",
    "seven",
    "eight",
    "nine",
    "ten",
    "eleven",
    "twelve",
    "thirteen",
    "fourteen",
    "fifteen",
    "twenty",
    "thirty",
]
MONTHS = [
    "January",
    "February",
    "March",
    "April",
    "May",
    "June",
    "July",
    "August",
    "September",
    "October",
    "November",
    "December",
]
DAYS = ["Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"]
MONTH = "|".join(MONTHS)


@dataclass(frozen=True)
class Plant:
    """A page with one detail changed: what stands there now, and where."""

    kind: str
    old: str
    new: str
    page: str
    at: int


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pages", type=Path, nargs="+")
    parser.add_argument("--half", choices=["dev", "test"])
    parser.add_argument("--each", type=int, default=8, help="so many plants of a kind on a page")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--show", action="store_true", help="name what was missed and each false alarm")
    told = parser.parse_args()
    pages = [page for path in told.pages for page in json.loads(path.read_text("utf-8"))]
    if told.half:
        pages = pages[told.half == "test" :: 2]
    chance = random.Random(told.seed)  # noqa: S311 (nothing secret)
    planted: Counter[str] = Counter()
    found: Counter[str] = Counter()
    named: Counter[str] = Counter()
    alarms: Counter[str] = Counter()
    clean: Counter[str] = Counter()
    for page in pages:
        source = read_source(page)
        before = {(one.kind.value, one.claim) for one in check(page["page"], source)}
        false = {one for one in before if one[1] not in page.get("ungrounded", ())}
        clean.update(kind for kind, _ in false)
        if told.show:
            for kind, claim in sorted(before):
                what = "false alarm" if (kind, claim) in false else "ungrounded"
                print(f"{page['id']}: {what}: {kind} {claim!r}")
        for plant in plants(page, told.each, chance):
            after = check(plant.page, source)
            fresh = [one for one in after if (one.kind.value, one.claim) not in before]
            hits = [one for one in fresh if stands_in(one, plant)]
            planted[plant.kind] += 1
            found[plant.kind] += bool(hits)
            named[plant.kind] += any(one.kind.value == plant.kind for one in hits)
            alarms.update(one.kind.value for one in fresh if one not in hits)
            alarms.update(kind for kind, _ in false)
            if told.show and not hits:
                print(f"{page['id']}: missed: {plant.kind}: {plant.old!r} -> {plant.new!r}")
    print(
        f"{len(pages)} pages, {sum(planted.values())} planted changes, "
        f"{sum(clean.values())} false alarms as written"
    )
    print(
        f"{'kind':<10}{'planted':>8}{'found':>7}{'recall':>8}{'alarms':>8}{'precision':>11}{'named so':>10}"
    )
    for kind in (*KINDS, "all"):
        n, hit, wrong, right = (
            sum(count.values()) if kind == "all" else count[kind] for count in (planted, found, alarms, named)
        )
        if n:
            precision = hit / (hit + wrong) if hit + wrong else 0
            print(f"{kind:<10}{n:>8}{hit:>7}{hit / n:>8.3f}{wrong:>8}{precision:>11.3f}{right:>10}")
    return 0


def read_source(page: Mapping[str, Any]) -> Source:
    day = date.fromisoformat(page["day"])
    turns = [Turn(number, who, text, day) for number, (who, text) in enumerate(page["turns"], 1)]
    names = f"{page['user']} {page['persona']}"
    after = [*(turn.text for turn in turns[1:]), ""]
    said = [look_at_turn(turn, text) for turn, text in zip(turns, after, strict=True)]
    return Source(said, names, names, me=page["persona"])


def check(page: str, source: Source) -> list[UngroundedDetail]:
    """The page as reel would keep it, every line to find it by as the model gave it."""
    parts = re.split(r"^## (.*)\n", page, flags=re.MULTILINE)[1:]
    given = dict(zip(parts[::2], (text.strip() for text in parts[1::2]), strict=True))
    body = render_body({LABELS[label]: text for label, text in given.items() if label in LABELS})
    title, marker = given.get("In a few words", ""), given.get("In one breath", "")
    memory = Memory("M-001", title, Level.L1, body, marker=marker)
    return find_ungrounded(read_stretches(memory, render_memory(memory)), source)


def stands_in(one: UngroundedDetail, plant: Plant) -> bool:
    """Whether what is reported is the planted change."""
    words = plant.new.casefold().replace("’", "'")
    said = f"{one.claim} {one.sentence}".casefold().replace("’", "'")
    return words in " ".join(said.split()) or any(
        part in one.claim.casefold() for part in words.split() if len(part) > 3
    )


def plants(page: Mapping[str, Any], each: int, chance: random.Random) -> Iterator[Plant]:
    """Up to `each` changes of every kind, each at another place."""
    text: str = page["page"]
    kept = kept_of(text)
    lines_at = text.find("## Lines to find it by")
    lines_end = text.find("\n## ", lines_at)
    sites: dict[str, list[tuple[int, int, str]]] = defaultdict(list)
    quoted: set[int] = set()
    for match in re.finditer(r'["“]([^"“”\n]+)["”]', text):
        quoted.update(range(*match.span()))
        words = list(re.finditer(r"[A-Za-z']{3,}", match[1]))
        if len(match[1].split()) >= 3 and words:
            word = chance.choice(words)
            kind = "anchor" if lines_at < match.start() < lines_end else "quote"
            start = match.start(1) + word.start()
            sites[kind].append((start, start + len(word[0]), chance.choice(WORDS)))
    for kind, start, end, new in [*dated(text, chance), *named_in(page, chance), *numbered(text, chance)]:
        heading = text.rfind("\n", 0, start) + 1
        if quoted.isdisjoint(range(start, end)) and not text.startswith("## ", heading):
            sites[kind].append((start, end, new))
    for start, end, new in turned(text, chance):
        if quoted.isdisjoint(range(start, end)) and told_as_fact(text, start):
            sites["negation"].append((start, end, new))
    dates = {at for start, end, _ in sites["date"] for at in range(start, end)}
    sites["number"] = [site for site in sites["number"] if dates.isdisjoint(range(site[0], site[1]))]
    for kind in KINDS:
        places = [site for site in sites[kind] if site[0] in kept]
        for start, end, new in chance.sample(places, min(each, len(places))):
            yield Plant(kind, text[start:end], new, text[:start] + new + text[end:], start)


def kept_of(text: str) -> set[int]:
    """The places of a page that reel keeps as text: not what tells its kind, which becomes tags."""
    parts = re.finditer(r"^## (.*)\n((?:(?!## ).*\n?)*)", text, flags=re.MULTILINE)
    heads = {*LABELS, "In a few words", "In one breath"}
    return {at for part in parts if part[1] in heads for at in range(part.start(2), part.end(2))}


def told_as_fact(text: str, at: int) -> bool:
    """Whether a place is where a page tells what happened; how it felt is the persona's own word."""
    return text.rfind("## What happened", 0, at) == (heading := text.rfind("## ", 0, at)) or (
        text.startswith("## In one breath", heading)
    )


def dated(text: str, chance: random.Random) -> Iterator[tuple[str, int, int, str]]:
    """A day, a month, a weekday or a year becomes another."""
    for match in re.finditer(rf"\b(\d{{1,2}}) ({MONTH})\b", text):
        day = chance.choice([n for n in range(1, 29) if abs(n - int(match[1])) > 0])
        month = chance.choice([m for m in MONTHS if m != match[2]])
        new = chance.choice([f"{day} {match[2]}", f"{match[1]} {month}"])
        yield "date", *match.span(), new
    for match in re.finditer(rf"(?<!\d )\b({MONTH})\b(?! \d{{1,2}}\b)", text):
        yield "date", *match.span(), chance.choice([m for m in MONTHS if m != match[1]])
    for match in re.finditer(rf"\b({'|'.join(DAYS)})\b", text):
        yield "date", *match.span(), chance.choice([d for d in DAYS if d != match[1]])
    for match in re.finditer(r"\b(20[0-2]\d)\b(?!-)", text):
        yield "date", *match.span(), str(int(match[1]) + chance.choice([-3, -2, -1, 1, 2]))


def named_in(page: Mapping[str, Any], chance: random.Random) -> Iterator[tuple[str, int, int, str]]:
    """A name, which the source too writes with a capital inside a sentence, becomes another."""
    said = " ".join(text for _, text in page["turns"])
    inside = {m[1] for m in re.finditer(r"(?<=[a-z,] )([A-Z][a-z]{2,})", said)}
    inside |= {who for who, _ in page["turns"]} | {page["user"], page["persona"]}
    inside -= {*MONTHS, *DAYS}
    others = [name for name in OTHERS if name.casefold() not in said.casefold()]
    for match in re.finditer(r"\b[A-Z][a-z]{2,}\b", page["page"]):
        if match[0] in inside:
            yield "name", *match.span(), chance.choice(others)


def numbered(text: str, chance: random.Random) -> Iterator[tuple[str, int, int, str]]:
    """A number becomes another of its kind."""
    for match in re.finditer(rf"(?i)\b({'|'.join(SMALL)})\b", text):
        new = chance.choice([word for word in SMALL if word != match[1].casefold()])
        yield "number", *match.span(), new.capitalize() if match[1][0].isupper() else new
    for match in re.finditer(r"(?<![\d.,:/-])\b\d+(?:[.,]\d+)?\b(?![\d:/-])", text):
        if re.match(r"(?:19|20)\d\d$", match[0]):
            continue
        value = float(match[0].replace(",", ""))
        changed = (
            value + chance.choice([1, 2, 3, 5, 10]) if value < 100 else value * chance.choice([2, 3]) + 1
        )
        yield "number", *match.span(), f"{changed:g}"


TURNS: Sequence[tuple[str, str]] = (
    (r"\b(is|was|are|were|has been|have been) (?!not\b|never\b)(?=[a-z])", r"\1 not "),
    (r"\b(I'm|she's|he's|they're|it's) (?!not\b|never\b)(?=[a-z])", r"\1 not "),
    (r"\b(I|she|he|they|She|He|They|who) (had|has|have) (?!not\b|never\b)(?=[a-z]+ed\b)", r"\1 \2 never "),
    ((r"\b(I|She|He|she|he|They|they) "
     r"(loved|liked|told|showed|said|joined|found|started|used|dyed|got|went|lost|gave|made|won)\b(?!')"),
     r"\1 never \2"),
    (r"\b(She|He|she|he) (wants|goes|plans|loves|likes|mentors|hopes|works|has)\b", r"\1 never \2"),
    (r"\b(does|do|did|is|was|are|were|could|would|has|have)(?: not|n't) ", r"\1 "),
    (r"\bwon't ", "will "),
    (r"\bnever ", ""),
)  # fmt: skip


def turned(text: str, chance: random.Random) -> Iterator[tuple[int, int, str]]:
    """Turn statements into denials, and the other way round."""
    for pattern, replacement in TURNS:
        for match in re.finditer(pattern, text):
            end = text.find("\n", match.end())
            tail = re.match(r"[^.!?\n]*", text[match.end() : end])
            assert tail is not None
            if r"\1 n" in replacement and re.match(r"[^,;]*(?:\bnot\b|n't\b|\bnever\b)", tail[0]):
                # two of them say nothing new
                continue
            stop = match.end() + min(len(tail[0]), 25)
            yield match.start(), stop, match.expand(replacement) + text[match.end() : stop]
    chance.random()


if __name__ == "__main__":
    sys.exit(main())
