"""Talks with an assistant that answers at length, made for measuring recall; nothing in them is anyone's.

Three writers, each with three matters (assistant_talks.yaml), taken up by turns over a dozen evenings. The
person says in a few words what is so; the answer is several hundred words long and repeats the matter's
vocabulary, so that most rounds hold words of most questions and few their answer. The questions use other
words beside those said. Some facts change later: then only the newest counts. Each writer says a few things
that hold always, and is asked for them by requests that share no word with them.

The same call makes the same talks: `Random` is seeded by the writer's name.
"""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

Pair = tuple[str, str]
"""Words of a person's turn, and a question that it answers."""


@dataclass(frozen=True)
class Matter:
    """A matter: facts with their questions, changes of them, bare requests, and an assistant's vocabulary."""

    facts: Sequence[Pair]
    changes: Sequence[Pair]
    requests: Sequence[str]
    advice: Sequence[str]
    things: Sequence[str]


@dataclass(frozen=True)
class Writer:
    """A person with matters; `always` are standing instructions with a question that calls for each."""

    name: str
    matters: Sequence[Matter]
    always: Sequence[Pair]
    style: str


@dataclass
class Talk:
    """A written talk: rounds by evening, questions with the rounds that answer them, by kind."""

    name: str
    evenings: list[tuple[date, list[tuple[str, str]]]] = field(default_factory=list)
    asked: list[tuple[str, str, set[tuple[int, int]]]] = field(default_factory=list)
    """Kind (`fact`, `change`, `pair`, `always`), question, rounds as (evening, round), both from 0."""


def read_writers() -> Iterator[Writer]:
    """Yield the writers of assistant_talks.yaml."""
    import yaml

    text = Path(__file__).with_suffix(".yaml").read_text(encoding="utf-8")
    for name, has in yaml.safe_load(text).items():
        matters = [
            Matter(
                _pairs(one["facts"]),
                _pairs(one["changes"]),
                one["requests"],
                one["advice"],
                one["things"].split(", "),
            )
            for one in has["matters"]
        ]
        yield Writer(name, matters, _pairs(has["always"]), has["style"])


def _pairs(lines: Sequence[str]) -> list[Pair]:
    halves = (line.split(" | ") for line in lines)
    return [(said, asked) for said, asked in halves]


_FRAMES = (
    "Think of the {a} and the {b} together, since one depends on the other.",
    "Before you change the {a}, have a look at the {b}.",
    "If the {a} gives you trouble, the {b} is usually where it begins.",
    "It pays to note how the {a} was each time, beside the {b}.",
    "As for the {a}, less is more, and the {b} will show you why.",
    "Do not worry about the {a} until the {b} is settled.",
    "A good {a} forgives a poor {b}, but not the other way round.",
    "Give the {a} a week, then compare it with the {b}.",
    "People often ask about the {a}; the short answer is that the {b} matters more.",
    "Keep an eye on the {a} whenever you work on the {b}.",
)
_TITLES = (
    "Where to start",
    "What matters most",
    "A plan",
    "Common mistakes",
    "In the long term",
    "A few details",
)


def write_talks() -> Iterator[Talk]:
    """Yield the talk of each writer."""
    for writer in read_writers():
        yield _write(writer)


def _write(writer: Writer) -> Talk:
    dice = random.Random(writer.name)  # noqa: S311
    talk = Talk(writer.name)
    evenings = 12
    # (evening, matter, what is said, questions for it)
    plan: list[list[tuple[Matter, str, list[tuple[str, str]]]]] = [[] for _ in range(evenings)]
    pairs: list[tuple[str, str, str]] = []
    for at, matter in enumerate(writer.matters):
        mine = [e for e in range(evenings) if e % len(writer.matters) == at]
        facts = list(matter.facts)
        dice.shuffle(facts)
        for n, (said, asked) in enumerate(facts):
            plan[mine[n * (len(mine) - 1) // len(facts)]].append((matter, said, [("fact", asked)]))
        for said, asked in matter.changes:
            plan[mine[-1]].append((matter, said, [("change", asked)]))
        for n, request in enumerate([*matter.requests, *matter.requests]):
            again = request if n < len(matter.requests) else f"Coming back to this: {request}"
            plan[mine[n % len(mine)]].append((matter, again, []))
        one, two = facts[0], facts[5]
        pairs.append((one[0], two[0], f"{one[1]} And also: {two[1]}"))
    for n, (said, asked) in enumerate(writer.always):
        plan[n].append((writer.matters[n], said, [("always", asked)]))
    where: dict[str, tuple[int, int]] = {}
    for evening, rounds in enumerate(plan):
        dice.shuffle(rounds)
        day = date(2024, 1, 9) + timedelta(days=17 * evening)
        written = []
        for number, (matter, told, questions) in enumerate(rounds):
            where[told] = (evening, number)
            written.append((told, _answer(matter, told, writer.style, dice)))
            talk.asked += [(kind, question, {(evening, number)}) for kind, question in questions]
        talk.evenings.append((day, written))
    talk.asked += [("pair", question, {where[one], where[two]}) for one, two, question in pairs]
    return talk


def _answer(matter: Matter, said: str, style: str, dice: random.Random) -> str:
    """Return an answer of several hundred words that takes up what was said."""
    echo = " ".join(said.rstrip("?.! ").split()[:18])
    parts: list[str] = []
    for title in dice.sample(_TITLES, dice.randint(3, 5)):
        lines = dice.sample(matter.advice, 3)
        for frame in dice.sample(_FRAMES, dice.randint(2, 4)):
            a, b = dice.sample(matter.things, 2)
            lines.append(frame.format(a=a, b=b))
        dice.shuffle(lines)
        if style == "headed":
            parts.append(f"### {title}\n\n" + "\n".join(f"- {line}" for line in lines))
        elif style == "listed":
            parts.append(f"**{title}**\n\n" + "\n".join(f"{n}. {line}" for n, line in enumerate(lines, 1)))
        else:
            parts.append(" ".join(lines))
    opening = {
        "headed": f"Great question! So: {echo}. Here is how I would go about it.",
        "listed": f"TL;DR for \u201c{echo}\u201d below.",
        "prose": f"You raise an interesting point when you write: {echo}. Permit me a few words about it.",
    }[style]
    closing = "Tell me how it goes, and we can take it from there."
    return "\n\n".join([opening, *parts, closing])
