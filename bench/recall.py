"""`python bench/recall.py`: how well and how fast the tape is searched; written to bench/results-recall.md.

python bench/recall.py [--data DIR] [--only locomo|realmem|rounds|talks|sure|speed] [--fit] [--tape 119]
                       [--semantic static|URL] [--model NAME]

Every conversation (LoCoMo) and every person (RealMem) is a kit of its own, asked through the flow behind
`reel recall`; what is counted is the text that comes back. Beside each figure stands plain FTS5's on the same
documents: `porter unicode61`, any of the question's words less those that only ask (`plain_words`).
"""

import argparse
import itertools
import json
import math
import os
import random
import re
import sqlite3
import statistics
import subprocess
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE)]

from assistant_talks import write_talks

from reel_cli.core.tape.search import answer as answering
from reel_cli.core.tape.search.confidence import features
from reel_cli.core.tape.search.forms import STOP
from reel_cli.core.tape.search.index import SearchIndex, open_index
from reel_cli.core.tape.search.overview import Overview
from reel_cli.core.tape.search.query import words
from reel_cli.core.tape.search.ranking import Ranking
from reel_cli.core.tape.session_file import append_entries, first_entries, parse_session, render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.search import Question
from reel_cli.core.values.talk import Conversation, Message, session_order, session_path
from reel_cli.features.recall.moments import render_block
from reel_cli.features.recall.recall import Recollection
from reel_cli.features.recall.recall_answer import RecallRequest
from reel_cli.features.recall.recall_query import Scope

Row = tuple[str, str, str, bool]
"""A measure, its goal, the figure, and whether the goal is met."""
KINDS = {1: "multi-hop", 2: "temporal", 3: "open-domain", 4: "single-hop"}


@dataclass
class BenchQuestion:
    """A question, the turns or the sessions that hold its answer, and up to where to look."""

    text: str
    evidence: set[tuple[str, int]] = field(default_factory=set)
    sessions: set[str] = field(default_factory=set)
    category: int = 0
    until: str = ""


@dataclass
class Kit:
    """A kit's tape, and what is asked of it."""

    names: Mapping[str, str]
    sessions: dict[str, bytes] = field(default_factory=dict)
    asked: list[BenchQuestion] = field(default_factory=list)


def main() -> int:
    """Measure everything asked for; 1 where a goal is missed."""
    parser = argparse.ArgumentParser()
    parser.add_argument(
        "--data", type=Path, default=Path(os.environ.get("REEL_SHARED_DATA", "../shared/data"))
    )
    parser.add_argument("--only", choices=["locomo", "realmem", "rounds", "talks", "sure", "speed"])
    parser.add_argument("--fit", action="store_true", help="work out the constants of confidence.py anew")
    parser.add_argument("--tape", type=int, default=119, help="MB of the tape that speed is measured on")
    parser.add_argument("--semantic", default="off", help="static or an address: with embeddings, too")
    parser.add_argument("--model", default="", help="the model that address is asked for")
    options = parser.parse_args()
    os.environ["PYTHONPATH"] = str(HERE.parent)
    with tempfile.TemporaryDirectory() as folder:
        work = Path(folder)
        if options.fit:
            fit_confidence(work, options.data)
            return 0
        parts: dict[str, Callable[[], Iterator[Row]]] = {
            "locomo": lambda: measure_locomo(work, options.data),
            "realmem": lambda: measure_realmem(work, options.data),
            "locomo, embeddings": lambda: measure_locomo(work / "with", options.data, meant),
            "realmem, embeddings": lambda: measure_realmem(work / "with", options.data, meant),
            "rounds": lambda: measure_rounds(work, options.data),
            "talks": lambda: measure_talks(work),
            "sure": lambda: measure_sure(work, options.data),
            "speed": lambda: measure_speed(work, options.data, options.tape),
        }
        meant = f"recall: {{embeddings: '{options.semantic}', model: '{options.model}'}}\n"
        if options.semantic == "off":
            parts = {name: measure for name, measure in parts.items() if "embeddings" not in name}
        rows: list[Row] = []
        for name, measure in parts.items():
            if options.only in (None, name.partition(",")[0]):
                for found in measure():
                    row = (f"{found[0]}, with embeddings", *found[1:]) if "embeddings" in name else found
                    mark = "ok" if row[3] else "MISSED"
                    print(f"{row[0]:<62} {row[2]:<40} goal {row[1]:<14} {mark}", flush=True)
                    rows.append(row)
    if options.only is None:
        (HERE / "results-recall.md").write_text(render(rows), encoding="utf-8")
    return 0 if all(row[3] for row in rows) else 1


def render(rows: Sequence[Row]) -> str:
    lines = [
        "# Recall, measured",
        "",
        (
            f"`python bench/recall.py`, {datetime.now(UTC):%Y-%m-%d}, Python {sys.version.split()[0]}, "
            f"SQLite {sqlite3.sqlite_version}, {os.cpu_count()} cores. "
            "Definitions: the docstrings of bench/recall.py."
        ),
        "",
        "| what | goal | measured | |",
        "|---|---|---|---|",
    ]
    lines += [
        f"| {what} | {goal} | {figure} | {'ok' if met else 'missed'} |" for what, goal, figure, met in rows
    ]
    return "\n".join(lines) + "\n\n" + CHOICE.read_text(encoding="utf-8")


CHOICE = HERE / "recall_choices.md"
"""How the ways of ranking were chosen, as the results end with it."""


# -- the sets ------------------------------------------------------------------------------------


def read_locomo(data: Path) -> list[Kit]:
    """One kit a conversation; the evidence turns of the questions of categories 1 to 4."""
    kits = []
    for item in json.loads((data / "locomo" / "dev.json").read_text(encoding="utf-8")):
        talk = item["conversation"]
        kit = Kit({"user": talk["speaker_a"], "assistant": talk["speaker_b"]})
        place: dict[str, tuple[str, int]] = {}
        for key in sorted((k for k in talk if re.fullmatch(r"session_\d+", k)), key=lambda k: int(k[8:])):
            when = datetime.strptime(talk[f"{key}_date_time"], "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)
            messages = []
            session = _session_id(kit, when.date())
            for number, turn in enumerate(talk[key], start=1):
                place[turn["dia_id"]] = (session, number)
                shares = f" [shares {turn['blip_caption']}]" if turn.get("blip_caption") else ""
                role = "user" if turn["speaker"] == talk["speaker_a"] else "assistant"
                messages.append(
                    Message(role, turn["text"] + shares, name=turn["speaker"], time=when.isoformat())
                )
            kit.sessions[session] = render_session(session, Conversation("messages", messages))
        for qa in item["qa"]:
            ids = {part for e in qa["evidence"] for part in re.split(r"[;\s]+", e)}
            evidence = {place[i] for i in ids if i in place}
            if evidence and qa["category"] in KINDS:
                kit.asked.append(BenchQuestion(qa["question"], evidence, category=qa["category"]))
        kits.append(kit)
    return kits


def read_realmem(data: Path) -> list[Kit]:
    """One kit a person; the sessions whose memories the answer to each query used, of those before it."""
    kits = []
    for path in sorted((data / "realmem").glob("*.json")):
        dialogues = json.loads(path.read_text(encoding="utf-8"))["dialogues"]
        dialogues.sort(key=lambda d: d["current_time"][:10])
        kit = Kit({"user": path.name.split("_")[0]})
        known: dict[str, str] = {}
        for dialogue in dialogues:
            day = date.fromisoformat(dialogue["current_time"][:10])
            session = _session_id(kit, day)
            turns = dialogue["dialogue_turns"]
            for turn, after in itertools.pairwise(turns):
                if turn.get("is_query"):
                    used = {known[u] for u in after.get("memory_session_uuids") or [] if u in known}
                    if used:
                        kit.asked.append(BenchQuestion(turn["content"], sessions=used, until=session))
            known[dialogue["session_uuid"]] = session
            messages = [
                Message(t["speaker"].lower(), t["content"], time=f"{day}T12:00:00+00:00") for t in turns
            ]
            kit.sessions[session] = render_session(session, Conversation("messages", messages))
        kits.append(kit)
    return kits


def read_rounds(data: Path) -> list[Kit]:
    """One kit a person; memories drawn from the talk, half of them asked for by half of their words.

    The evidence is the round (what was said, and what was answered) that a memory was drawn from. Halves are
    every other word that is not among the commonest. When it was said makes no round likelier than another,
    so this is what a bonus for the recent has to answer to.
    """
    kits = read_realmem(data)
    for kit, path in zip(kits, sorted((data / "realmem").glob("*.json")), strict=True):
        dialogues = json.loads(path.read_text(encoding="utf-8"))["dialogues"]
        dialogues.sort(key=lambda d: d["current_time"][:10])
        drawn: list[BenchQuestion] = []
        for session, dialogue in zip(kit.sessions, dialogues, strict=True):
            said = [turn["content"] for turn in dialogue["dialogue_turns"]]
            users = [turn["speaker"] == "User" for turn in dialogue["dialogue_turns"]]
            for memory in dialogue["extracted_memory"]:
                source = memory["source_content_snapshot"]
                text = re.sub(
                    r"\u3010.*?\u3011|\b([Tt]he )?([Uu]ser|[Aa]ssistant)('s)?\b", "", memory["content"]
                )
                if memory["type"] == "Schedule" or said.count(source) != 1 or len(text.split()) < 4:
                    continue
                first = said.index(source) + users[said.index(source)]
                evidence = {(session, n) for n in (first, first + 1) if 0 < n <= len(said)}
                drawn.append(BenchQuestion(text.strip()[:400], evidence))
        random.Random(11).shuffle(drawn)  # noqa: S311
        kit.asked = drawn[:60]
        for asked in drawn[60:120]:
            kept = [w for w in words(asked.text) if w not in STOP][::2]
            kit.asked.append(BenchQuestion(" ".join(kept), asked.evidence))
    return kits


def _session_id(kit: Kit, day: date) -> str:
    return next(s for n in range(1, 1000) if (s := f"{day}-{n}") not in kit.sessions)


def make_kit(folder: Path, kit: Kit, settings: str = "") -> Path:
    """A kit on disk with these sessions on its tape, and these lines more in kit.yaml."""
    persona = kit.names.get("assistant", "Ada")
    subprocess.run(
        [sys.executable, "-m", "reel_cli", "init", str(folder), "--name", persona],
        check=True,
        capture_output=True,
    )
    for session, content in kit.sessions.items():
        path = folder / session_path(session)
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    with (folder / "kit.yaml").open("a", encoding="utf-8") as file:
        file.write(settings)
    return folder


def told(kept: Recollection) -> None:
    """Say what went wrong: figures without the embeddings that were asked for would lie."""
    for what in kept.told:
        print(what, file=sys.stderr)


# -- plain FTS5 ----------------------------------------------------------------------------------


def plain_words(text: str) -> str:
    """The query: any of the words, without those that say how something is asked."""
    return " OR ".join(f'"{w}"' for w in dict.fromkeys(words(text)) if w not in STOP) or '""'


class Plain:
    """Documents with a place each, in a table of FTS5 and nothing else."""

    def __init__(self, documents: Sequence[tuple[tuple[str, int], str]]) -> None:
        self.places = [place for place, _ in documents]
        self._file = sqlite3.connect(":memory:")
        self._file.execute("CREATE VIRTUAL TABLE t USING fts5(body, tokenize = 'porter unicode61')")
        self._file.executemany(
            "INSERT INTO t (rowid, body) VALUES (?, ?)", enumerate(t for _, t in documents)
        )

    def find(self, text: str) -> list[tuple[str, int]]:
        """The places of all documents with any of the words, best first."""
        query = "SELECT rowid FROM t WHERE t MATCH ? ORDER BY rank"
        return [self.places[row] for (row,) in self._file.execute(query, (plain_words(text),))]


def turns_of(kit: Kit) -> list[tuple[tuple[str, int], str]]:
    """Every turn of a kit, `speaker: text` where the speaker has a name."""
    return [
        ((name, e.number or 0), f"{e.message.name}: {e.message.text}" if e.message.name else e.message.text)
        for name, content in kit.sessions.items()
        for e in parse_session(content, session_path(name)).shown()
    ]


def sessions_of(kit: Kit) -> list[tuple[tuple[str, int], str]]:
    """Every session of a kit as one document."""
    whole: dict[str, list[str]] = {}
    for (name, _), text in turns_of(kit):
        whole.setdefault(name, []).append(text)
    return [((name, 0), "\n".join(texts)) for name, texts in whole.items()]


def rounds_of(kit: Kit) -> list[tuple[tuple[str, int], str]]:
    """Every round of a kit, what was said and what was answered, as one document."""
    turns = turns_of(kit)
    return [(one[0], f"{one[1]}\n{two[1]}") for one, two in zip(turns[::2], turns[1::2], strict=True)]


# -- what is found -------------------------------------------------------------------------------


def measure_locomo(work: Path, data: Path, settings: str = "") -> Iterator[Row]:
    """Evidence recall among ten hits, and within so many tokens of the text returned."""
    count = get_tokenizer("o200k_base").count
    found: dict[tuple[str, int], list[float]] = {}
    plain: dict[str, list[float]] = {}
    for n, kit in enumerate(read_locomo(data)):
        documents = dict(turns_of(kit))
        bare = Plain(list(documents.items()))
        with Recollection(make_kit(work / f"locomo-{n}", kit, settings), UTC) as kept:
            for asked in kit.asked:
                for what, wish in (
                    ("R@10", RecallRequest(limit=10)),
                    ("B1024", RecallRequest(tokens=1024)),
                    ("B2048", RecallRequest(tokens=2048)),
                ):
                    moments = kept.recall(asked.text, wish, certain=False).moments
                    assert wish.tokens is None or count(render_block(moments)) <= wish.tokens
                    shown = {(m.session, t.number) for m in moments for t in m.turns}
                    share = len(asked.evidence & shown) / len(asked.evidence)
                    found.setdefault((what, asked.category), []).append(share)
                    room, fit = wish.tokens or 0, set[tuple[str, int]]()
                    for number, place in enumerate(bare.find(asked.text)):
                        room -= count(documents[place]) if wish.tokens else 0
                        if room < 0 or (wish.limit and number >= wish.limit):
                            break
                        fit.add(place)
                    plain.setdefault(what, []).append(len(asked.evidence & fit) / len(asked.evidence))
            told(kept)
    for what, goal, text in (
        ("R@10", 0.78, "LoCoMo, evidence among ten hits"),
        ("B1024", 0.80, "LoCoMo, evidence within 1,024 tokens"),
        ("B2048", 0.87, "LoCoMo, evidence within 2,048 tokens"),
    ):
        every = [x for (w, _), shares in found.items() if w == what for x in shares]
        apart = ", ".join(
            f"{KINDS[c]} {statistics.mean(found[what, c]):.3f}" for c in (1, 3, 2, 4) if (what, c) in found
        )
        figure = statistics.mean(every)
        beside = f"FTS5 {statistics.mean(plain[what]):.3f}; {apart}"
        yield (f"{text} ({len(every)} questions)", f">= {goal}", f"{figure:.3f} ({beside})", figure >= goal)


def measure_realmem(work: Path, data: Path, settings: str = "") -> Iterator[Row]:
    """Sessions in the order of their best hit, of those before the query's own; each person apart, too."""
    figures: dict[str, list[tuple[float, float, float, float]]] = {}
    for n, kit in enumerate(read_realmem(data)):
        bare = Plain(sessions_of(kit))
        with Recollection(make_kit(work / f"realmem-{n}", kit, settings), UTC) as kept:
            for asked in kit.asked:
                wish = RecallRequest(limit=100, scope=Scope(until=asked.until))
                moments = kept.recall(asked.text, wish, certain=False).moments
                order = list(dict.fromkeys(m.session for m in moments if m.session))
                before = session_order(asked.until)
                other = [s for s, _ in bare.find(asked.text) if session_order(s) < before]
                figures.setdefault(kit.names["user"], []).append(
                    (*_in_order(order, asked.sessions), *_in_order(other, asked.sessions))
                )
            told(kept)
    every = [figure for one in figures.values() for figure in one]
    for at, what, goal in ((0, "R@5", 0.60), (1, "MRR", 0.55)):
        mine = _mean(every, at)
        apart = ", ".join(
            f"{name} {_mean(one, at):.3f} : {_mean(one, at + 2):.3f}" for name, one in figures.items()
        )
        figure = f"{mine:.3f} (FTS5 {_mean(every, at + 2):.3f}; {apart})"
        yield (f"RealMem, session {what} ({len(every)} queries)", f">= {goal:.2f}", figure, mine >= goal)


def _mean(figures: Sequence[Sequence[float]], at: int) -> float:
    return statistics.mean(figure[at] for figure in figures)


def _in_order(order: Sequence[str], wanted: set[str]) -> tuple[float, float]:
    """R@5, and one over the first one's rank."""
    first = next((1 / rank for rank, session in enumerate(order, start=1) if session in wanted), 0.0)
    return len(wanted & set(order[:5])) / len(wanted), first


def measure_rounds(work: Path, data: Path) -> Iterator[Row]:
    """Rounds in the order of the first hit that shows a turn of them; whole tapes, nothing about when."""
    ranks: list[int] = []
    others: list[int] = []
    for n, kit in enumerate(read_rounds(data)):
        tape = open_tape(work / f"rounds-{n}", kit)
        bare = Plain(turns_of(kit))
        for asked in kit.asked:
            hits = tape.find(Question(asked.text), limit=20, threshold=0.0).hits
            shown = [{(hit.session, number) for number in hit.messages} for hit in hits]
            ranks.append(next((r for r, some in enumerate(shown, start=1) if asked.evidence & some), 0))
            places = bare.find(asked.text)[:20]
            others.append(next((r for r, place in enumerate(places, start=1) if place in asked.evidence), 0))
    figure, other = (
        " / ".join(
            f"{value:.3f}"
            for value in (
                statistics.mean(0 < rank <= 5 for rank in some),
                statistics.mean(0 < rank <= 10 for rank in some),
                statistics.mean(1 / rank if rank else 0.0 for rank in some),
            )
        )
        for some in (ranks, others)
    )
    what = f"memories' rounds, R@5 / R@10 / MRR ({len(ranks)} asked)"
    yield (what, "none", f"{figure} (FTS5 by turn {other})", True)


def read_talks() -> list[tuple[Kit, dict[int, str]]]:
    """One kit a writer of `assistant_talks.py`, with each question's kind; evidence: rounds' first turns."""
    kits = []
    for talk in write_talks():
        kit = Kit({"user": talk.name})
        sessions = []
        for day, rounds in talk.evenings:
            said = [
                Message(role, text)
                for one in rounds
                for role, text in zip(("user", "assistant"), one, strict=True)
            ]
            sessions.append(_session_id(kit, day))
            kit.sessions[sessions[-1]] = render_session(sessions[-1], Conversation("messages", said))
        kinds = {}
        for n, (kind, question, where) in enumerate(talk.asked):
            kinds[n] = kind
            kit.asked.append(BenchQuestion(question, {(sessions[e], 2 * r + 1) for e, r in where}))
        kits.append((kit, kinds))
    return kits


def measure_talks(work: Path, settings: str = "") -> Iterator[Row]:
    """Assistant-style talks with long answers: distinct rounds in the order of the hits that show them.

    What holds always is asked for by a request that shares no word with it, so those questions are apart.
    """
    count = get_tokenizer("o200k_base").count
    figures: dict[str, list[tuple[float, ...]]] = {}
    for n, (kit, kinds) in enumerate(read_talks()):
        bare = Plain(rounds_of(kit))
        with Recollection(make_kit(work / f"talks-{n}", kit, settings), UTC) as kept:
            for number, asked in enumerate(kit.asked):
                moments = kept.recall(asked.text, RecallRequest(limit=40), certain=False).moments
                order: dict[tuple[str, int], None] = {}
                for moment in moments:
                    for told_turn in (moment.message or 0, *(turn.number for turn in moment.turns)):
                        order.setdefault((moment.session or "", told_turn - (told_turn + 1) % 2))
                fit = kept.recall(asked.text, RecallRequest(tokens=1024), certain=False).moments
                assert count(render_block(fit)) <= 1024
                shown = {(m.session or "", t.number - (t.number + 1) % 2) for m in fit for t in m.turns}
                ranked = [
                    _of_rounds(list(places), asked.evidence) for places in (order, bare.find(asked.text))
                ]
                within = len(asked.evidence & shown) / len(asked.evidence)
                kind = "always" if kinds[number] == "always" else kit.names["user"]
                figures.setdefault(kind, []).append((*ranked[0], *ranked[1], within))
            told(kept)
    writers = [name for name in figures if name != "always"]
    every = [figure for name in writers for figure in figures[name]]

    for at, what in enumerate(("R@5", "R@10", "MRR")):
        mine, other = _mean(every, at), _mean(every, at + 3)
        apart = ", ".join(
            f"{w} {_mean(figures[w], at):.3f} : {_mean(figures[w], at + 3):.3f}" for w in writers
        )
        goal, met = (">= 1.15 x FTS5", mine >= 1.15 * other) if what == "R@10" else ("> FTS5", mine > other)
        figure = f"{mine:.3f} ({mine / other:.2f} x FTS5 {other:.3f}; {apart})"
        yield (f"long answers, rounds {what} ({len(every)} questions)", goal, figure, met)
    yield ("long answers, rounds within 1,024 tokens", "none", f"{_mean(every, 6):.3f}", True)


def _of_rounds(order: Sequence[tuple[str, int]], wanted: set[tuple[str, int]]) -> tuple[float, float, float]:
    """R@5, R@10, and one over the first one's rank."""
    first = next((1 / rank for rank, place in enumerate(order, start=1) if place in wanted), 0.0)
    five, ten = (len(wanted & set(order[:n])) / len(wanted) for n in (5, 10))
    return five, ten, first


# -- how sure to be ------------------------------------------------------------------------------


def open_tape(folder: Path, kit: Kit) -> SearchIndex:
    """An index of a kit's sessions alone."""
    index = open_index(folder / "cache" / "search.sqlite")
    index.refresh(dict.fromkeys(kit.sessions, "1"), kit.sessions.__getitem__)
    return index


def swap_names(text: str, of: Kit, to: Kit) -> str:
    """A question about one conversation put as one about another: the speakers' names swapped."""
    for role, name in of.names.items():
        if role in to.names:
            text = re.sub(rf"\b{re.escape(name)}\b", to.names[role], text)
    return text


def measure_sure(work: Path, data: Path) -> Iterator[Row]:
    """Each question put to its own conversation, and to the four others."""
    kits = read_locomo(data)
    tapes = [open_tape(work / f"sure-{n}", kit) for n, kit in enumerate(kits)]
    judged: list[tuple[float, bool]] = []
    kept = {True: 0, False: 0}
    for of in kits:
        for asked in of.asked:
            for to, tape in zip(kits, tapes, strict=True):
                question = Question(swap_names(asked.text, of, to), names=to.names)
                found = tape.find(question, limit=1)
                best = max((h.confidence for h in (*found.hits, *found.discarded)), default=0.0)
                judged.append((best, of is to))
                kept[of is to] += bool(found.hits)
    own = sum(mine for _, mine in judged)
    area = auroc(judged)
    refused, rejected = 1 - kept[True] / own, 1 - kept[False] / (len(judged) - own)
    yield ("confidence, own question or another tape's: AUROC", ">= 0.88", f"{area:.3f}", area >= 0.88)
    yield ("answerable questions refused", "<= 5 %", f"{refused:.1%}", refused <= 0.05)
    yield ("unanswerable questions refused", ">= 50 %", f"{rejected:.1%}", rejected >= 0.5)


def auroc(judged: Sequence[tuple[float, bool]]) -> float:
    """The chance that one that is gets more than one that is not; a tie counts half."""
    order = sorted(judged)
    above = total = 0.0
    at = 0
    while at < len(order):
        end = next((i for i in range(at, len(order)) if order[i][0] != order[at][0]), len(order))
        yes = sum(mine for _, mine in order[at:end])
        total += yes * (above + (end - at - yes) / 2)
        above += end - at - yes
        at = end
    yes = sum(mine for _, mine in order)
    return total / (yes * (len(order) - yes))


Example = tuple[int, str, tuple[float, ...], bool]
"""A fold (conversation or person), the set, the features, and whether the tape holds the answer."""


def fit_confidence(work: Path, data: Path) -> None:
    """Work out confidence.py's constants anew, and what they are worth on conversations not fitted on.

    Logistic regression (Newton's method, ridge 1; both classes weigh the same, and each set what `SHARES`
    says) on questions put to the tape that holds the answer and to one that does not: LoCoMo's, RealMem's,
    RealMem's memories (`read_rounds`), and the assistant talks'. The threshold lets 96 % of LoCoMo's
    answerable questions through, each judged without its own conversation. A set is also judged by what was
    fitted on the three others alone.
    """
    examples = _examples(work, data)
    for what, others in (("each fold", False), ("each fold and set", True)):
        held: list[tuple[float, bool, str]] = []
        for fold in sorted({e[0] for e in examples}):
            for left in SHARES if others else ("",):
                weights = _regress([e for e in examples if e[0] != fold and e[1] != left])
                mine = [e for e in examples if e[0] == fold and (e[1] == left or not others)]
                held += [(_weigh(weights, e[2]), e[3], e[1]) for e in mine]
        if not others:
            own = sorted(s for s, y, n in held if y and n == "locomo")
            least = own[int(0.04 * len(own))]
        for name in SHARES:
            _tell_refused(f"{name}, {what} judged without itself", [h for h in held if h[2] == name], least)
    weights = _regress(examples)
    print("BIAS =", round(weights[0], 2))
    print("WEIGHTS =", tuple(round(w, 2) for w in weights[1:]))
    print("THRESHOLD =", round(1 / (1 + math.exp(-least)), 3))


def _tell_refused(what: str, held: Sequence[tuple[float, bool, str]], least: float) -> None:
    """Print what is refused at one threshold for all sets, and at the set's own 4 % of the answerable."""
    mine, other = (sorted(s for s, y, _ in held if y is kind) for kind in (True, False))
    own = mine[int(0.04 * len(mine))]
    print(
        f"{what}: AUROC {auroc([(s, y) for s, y, _ in held]):.3f}, "
        f"answerable refused {statistics.mean(s < least for s in mine):.1%}, "
        f"unanswerable {statistics.mean(s < least for s in other):.1%}; "
        f"at 4 % of its own answerable {statistics.mean(s < own for s in other):.1%}"
    )


SHARES = {"locomo": 3.0, "realmem": 1.0, "rounds": 1.0, "talks": 1.0}
"""Weight of each set when confidence is fitted; most real questions are short."""


Posed = tuple[int, str, SearchIndex, Question, bool]
"""A fold, the set, a tape, a question put to it, and whether that tape holds the answer."""


def _examples(work: Path, data: Path) -> list[Example]:
    seen: list[tuple[float, ...]] = []

    def judge(file: sqlite3.Connection, ranked: Ranking, overview: Overview) -> float:
        if ranked.scores and overview.turns and not all(term.kind for term in ranked.terms):
            seen.append(tuple(features(file, ranked, overview)))
        return 0.5

    kept = vars(answering)["judge"]
    vars(answering)["judge"] = judge
    examples: list[Example] = []
    dice = random.Random(4)  # noqa: S311
    for fold, name, tape, question, mine in itertools.chain(
        _pose_locomo(work, data, dice), _pose_realmem(work, data, dice), _pose_rounds(work, data, dice),
        _pose_talks(work),
    ):  # fmt: skip
        seen.clear()
        tape.find(question, limit=1)
        examples += [(fold, name, found, mine) for found in seen]
    vars(answering)["judge"] = kept
    return examples


def _pose_locomo(work: Path, data: Path, dice: random.Random) -> Iterator[Posed]:
    kits = read_locomo(data)
    tapes = [open_tape(work / f"fit-l{n}", kit) for n, kit in enumerate(kits)]
    for fold, of in enumerate(kits):
        for asked in of.asked:
            for to, tape in zip(kits, tapes, strict=True):
                if of is to or dice.random() < 0.5:
                    question = Question(swap_names(asked.text, of, to), names=to.names)
                    yield fold, "locomo", tape, question, of is to


def _pose_realmem(work: Path, data: Path, dice: random.Random) -> Iterator[Posed]:
    kits = read_realmem(data)
    tapes = [open_tape(work / f"fit-r{n}", kit) for n, kit in enumerate(kits)]
    for fold, of in enumerate(kits):
        for asked in of.asked:
            past = [s for s in of.sessions if session_order(s) < session_order(asked.until)]
            yield fold, "realmem", tapes[fold], Question(asked.text, sessions=past), True
            other = dice.choice([n for n in range(len(kits)) if n != fold])
            there = list(kits[other].sessions)[: len(past)]
            yield fold, "realmem", tapes[other], Question(asked.text, sessions=there), False


def _pose_rounds(work: Path, data: Path, dice: random.Random) -> Iterator[Posed]:
    kits = read_rounds(data)
    tapes = [open_tape(work / f"fit-m{n}", kit) for n, kit in enumerate(kits)]
    for fold, of in enumerate(kits):
        for asked in of.asked:
            yield fold, "rounds", tapes[fold], Question(asked.text), True
            other = dice.choice([n for n in range(len(kits)) if n != fold])
            yield fold, "rounds", tapes[other], Question(asked.text), False


def _pose_talks(work: Path) -> Iterator[Posed]:
    talks = read_talks()
    tapes = [open_tape(work / f"fit-t{n}", kit) for n, (kit, _) in enumerate(talks)]
    for fold, (of, kinds) in enumerate(talks):
        for number, asked in enumerate(of.asked):
            for at, tape in enumerate(tapes) if kinds[number] != "always" else ():
                yield fold, "talks", tape, Question(asked.text), at == fold


def _weigh(weights: Sequence[float], values: Sequence[float]) -> float:
    return weights[0] + sum(w * v for w, v in zip(weights[1:], values, strict=True))


def _regress(examples: Sequence[Example]) -> list[float]:
    size = len(examples[0][2]) + 1
    weights = [0.0] * size
    each = Counter((e[1], e[3]) for e in examples)
    whole = len(examples) / 2 / sum(SHARES[name] for name in {e[1] for e in examples})
    share = {(name, mine): whole * SHARES[name] / count for (name, mine), count in each.items()}
    for _ in range(8):
        slope = [0.0] + [-w for w in weights[1:]]
        bend = [[float(i == j and i > 0) for j in range(size)] for i in range(size)]
        for _, name, values, mine in examples:
            at = (1.0, *values)
            chance = 1 / (1 + math.exp(-max(-30.0, min(30.0, _weigh(weights, values)))))
            pull = share[name, mine] * (mine - chance)
            stiff = share[name, mine] * chance * (1 - chance)
            for i in range(size):
                slope[i] += pull * at[i]
                held = stiff * at[i]
                for j in range(i, size):
                    bend[i][j] += held * at[j]
        for i in range(size):
            for j in range(i):
                bend[i][j] = bend[j][i]
        weights = [w + s for w, s in zip(weights, _solve(bend, slope), strict=True)]
    return weights


def _solve(matrix: list[list[float]], right: list[float]) -> list[float]:
    rows = [[*row, value] for row, value in zip(matrix, right, strict=True)]
    for i in range(len(rows)):
        pivot = max(range(i, len(rows)), key=lambda k: abs(rows[k][i]))
        rows[i], rows[pivot] = rows[pivot], rows[i]
        for k in range(len(rows)):
            if k != i:
                factor = rows[k][i] / rows[i][i]
                rows[k] = [a - factor * b for a, b in zip(rows[k], rows[i], strict=True)]
    return [row[-1] / row[i] for i, row in enumerate(rows)]


# -- how fast ------------------------------------------------------------------------------------


def make_tape(data: Path, size: int) -> dict[str, bytes]:
    """Sessions of so many bytes together, out of RealMem's talk over and over."""
    talks = [
        [Message(t["speaker"].lower(), t["content"]) for t in dialogue["dialogue_turns"]]
        for path in sorted((data / "realmem").glob("*.json"))
        for dialogue in json.loads(path.read_text(encoding="utf-8"))["dialogues"]
    ]
    # a chat app's sessions are longer: 30 of these make one
    joined = [[m for talk in talks[i : i + 30] for m in talk] for i in range(0, len(talks), 30)]
    sessions: dict[str, bytes] = {}
    total = number = 0
    while total < size:
        session = f"{date(2020, 1, 1) + timedelta(number // 2)}-{number % 2 + 1}"
        sessions[session] = render_session(session, Conversation("messages", joined[number % len(joined)]))
        total += len(sessions[session])
        number += 1
    return sessions


def measure_speed(work: Path, data: Path, size: int) -> Iterator[Row]:
    """Building, asking against a bare FTS5 query of the same words, and one session more."""
    large = make_tape(data, size * 1_000_000)
    total = sum(map(len, large.values()))
    questions = [a.text for kit in read_locomo(data) for a in kit.asked]
    random.Random(7).shuffle(questions)  # noqa: S311
    path = work / "large" / "cache" / "search.sqlite"
    with open_index(path) as index:
        began = time.perf_counter()
        index.refresh(dict.fromkeys(large, "1"), large.__getitem__)
        pace = total / 1e6 / (time.perf_counter() - began)
        yield (f"index of {total / 1e6:.0f} MB built", ">= 10 MB/s", f"{pace:.1f} MB/s", pace >= 10)
        bare = sqlite3.connect(path)
        ours, theirs = [], []
        for text in questions[:60]:
            plain = " OR ".join(f'"{w}"' for w in dict.fromkeys(words(text)) if w not in STOP)
            query = "SELECT rowid, rank FROM turns WHERE turns MATCH ? ORDER BY rank LIMIT 20"
            theirs.append(_timed(lambda q=plain, s=query: bare.execute(s, (q,)).fetchall()))  # type: ignore[misc]
            ours.append(_timed(lambda t=text: index.find(Question(t), limit=20)))  # type: ignore[misc]
        bare.close()
        mine, other = statistics.median(ours) * 1000, statistics.median(theirs) * 1000
        figure = f"{mine / other:.2f} ({mine:.1f} : {other:.1f} ms)"
        yield ("a query, warm, p50 : a bare FTS5 query", "<= 3", figure, mine / other <= 3)
        long = _update(index, large)
    few = dict(list(large.items())[: max(1, len(large) // 10)])
    with open_index(work / "small" / "cache" / "search.sqlite") as index:
        index.refresh(dict.fromkeys(few, "1"), few.__getitem__)
        short = _update(index, few)
    figure = f"{long / short:.2f} ({long * 1000:.1f} : {short * 1000:.1f} ms)"
    yield ("one session grown by a message: tape : a tenth of it", "<= 1.5", figure, long / short <= 1.5)


def _update(index: SearchIndex, sessions: Mapping[str, bytes]) -> float:
    """The median time of bringing the index up to date after one session grew by a message."""
    stamps = dict.fromkeys(sessions, "1")
    name = next(iter(sessions))
    content = sessions[name]
    times = []
    number = len(first_entries(Conversation("messages", []))) + content.count(b'<!-- {"n": ')
    for n in range(9):
        more = first_entries(Conversation("messages", [Message("user", f"one more thing, number {n}")]))[0]
        content = append_entries(content, [type(more)(number + n + 1, more.message)], session_path(name))
        stamps[name] = f"grown {n}"
        times.append(_timed(lambda c=content: index.refresh(dict(stamps), lambda _: c)))  # type: ignore[misc]
    return statistics.median(times)


def _timed(work: Callable[[], object]) -> float:
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


if __name__ == "__main__":
    sys.exit(main())
