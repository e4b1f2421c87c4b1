"""Ten simulated years under each compression policy (SRIP-11 §V), compared by the document's measures.

    python bench/policies.py [--years 10] [--seed 1]

One long chat a week: one to four matters, each for some exchanges; now and then the user tells something that
is a fact. The chat is recorded as it goes on, and a page is kept where the policy asks for one, and at its
end. An invented model writes the pages: in its own words, of a dozen things at most (three on a short
page), with four new facts at most each time it is asked. Maintenance goes through what is due once a month,
with the product's own fading; what needs a model gets its first sentences. All but the model is the
program's own code, and the same seed gives the same table.
"""

import argparse
import random
import re
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from statistics import fmean

HERE = Path(__file__).resolve().parent
sys.path.insert(0, str(HERE.parent))

from invented_friendship import ANSWERS, MOODS, NAMES, PLACES, REASONS, THINGS, VERBS

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.check import list_words
from reel_cli.core.evidence.grounding.memory_stretches import plain_text
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import EVENTS, INDEX, Snapshot
from reel_cli.core.pack.build_bundle import pack_kit
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import parse_session, render_session
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.memory import FIELDS, Level, Memory, format_id, memory_path
from reel_cli.core.values.settings import HYBRID, PAGE_POLICIES, PER_CYCLE, STRUCTURAL, TURNS
from reel_cli.core.values.talk import Conversation, Event, Message, SourceRange, session_path
from reel_cli.features.compression.gauge import Gauge
from reel_cli.features.compression.loss import count_unsaid
from reel_cli.features.compression.policies import find_moves
from reel_cli.features.compression.trailer import COMPRESSION, parse_figures
from reel_cli.features.fading.fading import Step
from reel_cli.features.fading.plan import descended, plan_step
from reel_cli.features.fading.survey import look_through
from reel_cli.features.page.cold_start import MATURITY
from reel_cli.features.status.metrics import recall_of
from reel_cli.features.threads.cohesion import measure_cohesion
from reel_cli.features.threads.ribs import MACRO, MICRO
from tests.support.kit_under_git import START

CATEGORIES = ("identity", "context", "constraints", "relationships", "history", "commitments", "preferences")
TELLS, TELLS_SHORT, FACTS = 12, 3, 4
"""Things on a page and on a short one, and facts of one reply, as models give when asked for all."""
EVERY_TURNS = 25
"""Exchanges of the setting's 50 messages."""
COUNTER = get_tokenizer("o200k_base")
NOWHERE = Repository(Path("/nowhere"), "", Path("/nowhere/.git"), Path("/nowhere/.git"))


@dataclass
class Chat:
    """One chat: its exchanges, and the facts in it by exchange, as (category, key, value)."""

    name: str
    day: date
    exchanges: list[tuple[str, str]] = field(default_factory=list)
    facts: list[tuple[int, tuple[str, str, str]]] = field(default_factory=list)


def talk(day: date, dice: random.Random) -> Chat:
    """Invent a chat."""
    chat = Chat(f"{day}-1", day)
    for _ in range(dice.randint(1, 4)):
        name, place, thing = dice.choice(NAMES), dice.choice(PLACES), dice.choice(THINGS)
        for _ in range(dice.randint(4, 20)):
            number = len(chat.exchanges)
            if dice.random() < 0.08:
                kind = dice.choice(CATEGORIES)
                fact = (kind, f"{kind}-{dice.randint(1, 30)}", f"{thing} {dice.randint(1, 99)}")
                chat.facts.append((number, fact))
                said = f"For the record, my {fact[1].replace('-', ' ')} is {fact[2]}."
            else:
                said = (
                    f"{name} {dice.choice(VERBS)} the {thing} number {dice.randint(2, 940)} near {place}"
                    f" {dice.choice(REASONS)}, and I was {dice.choice(MOODS)} about it."
                )
            chat.exchanges.append((said, dice.choice(ANSWERS)))
    return chat


def cut(chat: Chat, policy: str) -> Iterator[tuple[int, int, bool]]:
    """Yield from which exchange to which each page goes, and whether it is a short one."""
    size = {TURNS: EVERY_TURNS, PER_CYCLE: MICRO, HYBRID: MICRO}.get(policy, 0)
    total = len(chat.exchanges)
    ends = [*range(size, total, size)] if size else []
    if policy == STRUCTURAL:
        session = parse_session(render_session(chat.name, conversation(chat)), session_path(chat.name))
        ends = [(number - 1) // 2 for number in find_moves(session, frozenset())]
    begin = 0
    for end in [*ends, total]:
        yield begin, end, policy == HYBRID and end != total and end % MACRO != 0
        begin = end


def conversation(chat: Chat) -> Conversation:
    """Return a chat as it is recorded."""
    texts = [text for exchange in chat.exchanges for text in exchange]
    said = [Message("assistant" if n % 2 else "user", text) for n, text in enumerate(texts)]
    return Conversation("messages", said, started=f"{chat.day}T20:00:00+00:00")


@dataclass
class Life:
    """One life under a policy: the kit in a folder, and what is counted of it."""

    root: Path
    policy: str
    said: int = 0
    written: int = 0
    pages: int = 0
    asked: int = 0
    kept: int = 0
    told: int = 0
    losses: list[float] = field(default_factory=list)
    refused: int = 0
    facts: dict[str, tuple[str, str, str]] = field(default_factory=dict)
    unasked: list[tuple[str, str, str]] = field(default_factory=list)

    def begin(self) -> None:
        """Write the kit as it begins: mature, so that memories fade."""
        settings = f"name: Ada\nuser: Tomas\nwindow: 32k\ncheckpoint: {{policy: {self.policy}}}\n"
        grown = append_events(None, [Event(0, MATURITY, "2026-01-01T08:00:00Z")], EVENTS)
        self.write({**START, "kit.yaml": settings.encode(), EVENTS: grown})

    def write(self, files: "dict[str, bytes | None] | dict[str, bytes]") -> None:
        """Write files of the kit; None deletes one."""
        for path, data in files.items():
            place = self.root / path
            if data is None:
                place.unlink(missing_ok=True)
            else:
                place.parent.mkdir(parents=True, exist_ok=True)
                place.write_bytes(data)

    def snapshot(self) -> Snapshot:
        """Return the kit as it lies there."""
        return Snapshot(WorkTree(self.root), "ada")

    def live_through(self, chat: Chat) -> None:
        """Record a chat, and keep its pages."""
        self.write({session_path(chat.name): render_session(chat.name, conversation(chat))})
        for begin, end, short in cut(chat, self.policy):
            if begin == end:
                continue
            self.keep_page(chat, begin, end, short=short)

    def keep_page(self, chat: Chat, begin: int, end: int, *, short: bool) -> None:
        """Keep one page of a stretch: its memory, and the facts of its reply."""
        self.pages += 1
        section = chat.exchanges[begin:end]
        number = self.pages
        told = [tell(said) for said, _ in pick(section, TELLS_SHORT if short else TELLS)]
        marker = " ".join(told[:2])
        first = section[0][0]
        body = render_body(
            {
                FIELDS[0]: " ".join(told),
                FIELDS[1]: f"I heard how things stood with {first.split()[0]}.",
                FIELDS[2]: "That it was told to me and to nobody else.",
                FIELDS[3]: "Nothing.",
                FIELDS[4]: f'- "{" ".join(first.split()[:7])}"',
            }
        )
        memory = Memory(
            id=format_id(number),
            uid=f"{number:08x}",
            title=f"Of the {first.split()[3] if len(first.split()) > 3 else 'evening'}",
            level=Level.L1,
            body=body,
            created=f"{chat.day}T22:00:00Z",
            sessions=(chat.name,),
            source=(SourceRange(chat.name, begin * 2 + 1, end * 2),),
            tags=("factual",),
            anchor=" ".join(first.split()[:7]),
            marker=marker,
            tag=f"Of the {chat.day} and of what {first.split()[0]} did then",
        )
        index = (self.root / INDEX).read_text() if (self.root / INDEX).exists() else ""
        self.write(
            {
                memory_path(memory.id): render_memory(memory).encode(),
                INDEX: put_lines(index, [line_for(memory)]).encode(),
            }
        )
        tokens = sum(COUNTER.count(text) for exchange in section for text in exchange)
        self.said += tokens
        self.written += COUNTER.count(body)
        unsaid, words = count_unsaid(plain_text(body), list_words(" ".join(t for e in section for t in e)))
        self.losses.append(unsaid / words)
        self.note_facts([fact for at, fact in chat.facts if begin <= at < end], short=short)

    def note_facts(self, found: list[tuple[str, str, str]], *, short: bool) -> None:
        """Keep the facts of a reply; a short page asks for none, and the next whole one for its as well."""
        self.told += len(found)
        self.unasked += found
        if short:
            return
        self.asked += 1
        for fact in self.unasked[:FACTS]:
            self.facts[fact[1]] = fact
            self.kept += 1
        self.unasked = []
        rows = [
            f"- {{category: {kind}, key: {key}, value: {value}, confidence: high}}\n"
            for kind, key, value in self.facts.values()
        ]
        self.write({"facts.yaml": "".join(rows).encode()})

    def maintain(self, now: datetime) -> None:
        """Let fade what is due, each step as the program takes it."""
        snapshot = self.snapshot()
        steps = look_through(snapshot, COUNTER, now=now).steps
        gauge = Gauge(snapshot)
        gauge.__dict__["_cohesion"] = {}  # worked out once, at the end
        for step in steps:
            writes, trailers = self.take(snapshot, step, gauge)
            self.write(dict(writes))
            for key, value in trailers:
                figures = parse_figures(value) if key == COMPRESSION else None
                if figures is not None and figures.loss is not None:
                    self.losses.append(figures.loss)
            snapshot = self.snapshot()

    def take(
        self, snapshot: Snapshot, step: Step, gauge: Gauge
    ) -> tuple[dict[str, bytes | None], Sequence[tuple[str, str]]]:
        """Return what a step writes, and its trailers; nothing where it would lose too much."""
        if not step.asks:
            try:
                change = plan_step(snapshot, NOWHERE, COUNTER, step, pinned=(), gauge=gauge)
            except ReelError:
                self.refused += 1
                return {}, ()
            return dict(change.writes), change.trailers
        memory = snapshot.memories[step.id]
        body = shorten(memory, step)
        if COUNTER.count(body) >= COUNTER.count(memory.body):
            return {}, ()
        level = Level(step.after)
        verdict = gauge.judge(memory, level, body)
        if verdict.too_far:
            self.refused += 1
            return {}, ()
        writes, _ = descended(snapshot, NOWHERE, COUNTER, memory, level, body, why=step.why)
        return dict(writes), [verdict.trailer]


def pick(section: Sequence[tuple[str, str]], most: int) -> list[tuple[str, str]]:
    """Return so many exchanges of a section, at even distances."""
    if len(section) <= most:
        return list(section)
    return [section[at * len(section) // most] for at in range(most)]


_FACT = re.compile(
    r"(\w+) (\w+) the (\w+) number (\d+) near (.+?) (?:" + "|".join(REASONS) + r"), and I was (\w+)"
)


def tell(said: str) -> str:
    """Return a thing that was said as the persona remembers it, in words of her own."""
    found = _FACT.match(said)
    if found is None:
        return f"He told me something to keep: {said.partition('my ')[2]}"
    name, verb, thing, number, place, mood = found.groups()
    return f"By {place} it was {name} who {verb} a {thing}, {number} of them, and he came home {mood}."


def shorten(memory: Memory, step: Step) -> str:
    """Return a memory's first sentences, as many as fit."""
    sentences = re.split(r"(?<=[.!?])\s+", plain_text(memory.body))
    kept: list[str] = []
    for sentence in sentences:
        if COUNTER.count(" ".join([*kept, sentence])) > step.then:
            break
        kept.append(sentence)
    text = " ".join(kept) or sentences[0]
    if step.after == Level.L3.value:
        return f"\n{text}\n"
    rest = dict.fromkeys(FIELDS[1:4], "Nothing.")
    return render_body({FIELDS[0]: text, **rest, FIELDS[4]: f'- "{memory.anchor}"'})


def live(policy: str, years: int, seed: int, root: Path) -> str:
    """Live the years, and return the policy's row of the table."""
    dice = random.Random(seed)  # noqa: S311 - an invented life
    life = Life(root, policy)
    life.begin()
    day, month = date(2026, 1, 3), 1
    while day < date(2026 + years, 1, 1):
        life.live_through(talk(day, dice))
        day += timedelta(days=7)
        if day.month != month:
            month = day.month
            life.maintain(datetime(day.year, day.month, day.day, 22, tzinfo=UTC))
    snapshot = life.snapshot()
    bundle = pack_kit(root)
    standing = sum(COUNTER.count(memory.body) for memory in snapshot.memories.values())
    recall = recall_of(snapshot, bundle)
    cohesion = measure_cohesion(root, snapshot)
    categories = len({kind for kind, _, _ in life.facts.values()})
    cells = [
        policy,
        f"{life.pages:,}",
        f"{life.written:,}",
        f"{life.written / life.said:.2f}",
        f"{standing:,} ({len(snapshot.memories):,})",
        f"{standing / life.said:.4f}",
        f"{bundle.tokens:,}",
        f"{recall.value or 0:.2f} ({recall.declared - len(recall.missing)} of {recall.declared})",
        f"{life.kept / life.asked:.2f}",
        f"{life.kept / life.told:.2f}",
        f"{categories / len(CATEGORIES):.2f}",
        f"{fmean(life.losses):.3f} ({life.refused})",
        f"{cohesion.value or 0:.2f} ({cohesion.usual or 0:.2f})",
    ]
    return f"| {' | '.join(cells)} |"


HEAD = (
    *("policy", "pages", "written", "CR of pages", "standing (memories)", "CR", "bundle"),
    *("ARI", "FER", "facts kept of those told", "FC", "SL (not taken)", "TC (any two)"),
)


def main() -> int:
    """Live under each policy, and print the table."""
    reader = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    reader.add_argument("--years", type=int, default=10)
    reader.add_argument("--seed", type=int, default=1)
    reader.add_argument("--policy", action="append", choices=PAGE_POLICIES)
    asked = reader.parse_args()
    print(f"| {' | '.join(HEAD)} |\n|{' --- |' * len(HEAD)}", flush=True)
    for policy in asked.policy or PAGE_POLICIES:
        with tempfile.TemporaryDirectory() as folder:
            print(live(policy, asked.years, asked.seed, Path(folder) / "kit"), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
