"""Make a kit with many memories and sessions, the same one for the same seed, through the program's own code.

python bench/large_kit.py PATH [--memories 5000] [--sessions 500] [--seed 1] [--window 8192]
"""

import argparse
import random
import sys
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.creation import create_kit, find_place
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import FIELDS, IndexLine, Level, Memory, format_id, memory_path
from reel_cli.core.values.talk import Conversation, Message, SourceRange, session_path
from reel_cli.features.init.plan import Choices, plan_init
from reel_cli.features.init.template import read_template

FIRST_DAY = datetime(2024, 1, 1, 19, 30, tzinfo=UTC)
WHO = ("Bo Lind", "bo@example.org")
MESSAGES = 12
STUBS = 20
"""One index line in so many stands for a memory that has left ring 3."""

AGES = ((Level.L1, 2), (Level.L2, 20), (Level.L3, 60), (Level.L4, 100))
"""Up to which age, in percent of all memories, each level is met."""

THINGS = """
    the lamp, a letter, the ferry, her brother, the second chapter, a borrowed coat, the harbour,
    an old piano, the timetable, the kitchen, a missed train, the garden, the printer, his father, a map,
    the rehearsal, the contract, a broken cup, the night shift, the bridge, the choir, a long walk, the roof
""".replace("\n", " ").split(", ")
DEEDS = """
    came up again, would not let go, was finished at last, turned out otherwise, had to wait, got a name,
    was worth the trouble, kept both of us awake, made her laugh, went quiet, was read aloud, cost a day,
    had been there all along, was put away unread, fell into place, was nobody's fault
""".replace("\n", " ").split(", ")
TURNS = """
    and I noticed it late, because it was Thursday, which he denied, as far as I could tell,
    and then it rained,
    and we left it there, without a word about Sunday, and that was new, so I asked again, for once
""".replace("\n", " ").split(", ")
TAGS = ("relational", "operational", "emotional", "factual")


class Chance:
    """Sentences that are never quite the same, all from one seed."""

    def __init__(self, seed: int) -> None:
        self.random = random.Random(seed)  # noqa: S311 (nothing secret)

    def sentence(self) -> str:
        thing, deed, turn = (self.random.choice(part).strip() for part in (THINGS, DEEDS, TURNS))
        return f"{thing[:1].upper()}{thing[1:]} {deed}, {turn} ({self.random.randint(2, 9_999)})."

    def text(self, sentences: int) -> str:
        return " ".join(self.sentence() for _ in range(max(1, sentences)))

    def title(self) -> str:
        thing, deed = (self.random.choice(part).strip() for part in (THINGS, DEEDS))
        return f"{thing[:1].upper()}{thing[1:]} {deed}"


def session_of(number: int, sessions: int, memories: int) -> int:
    """Which session (from 0) a memory (from 0) comes from."""
    return number * sessions // memories


def session_name(number: int) -> str:
    """A session every other day."""
    return f"{FIRST_DAY + timedelta(days=2 * number):%Y-%m-%d}-1"


def conversation(number: int, chance: Chance) -> Conversation:
    started = FIRST_DAY + timedelta(days=2 * number)
    messages = [
        Message(
            role="user" if at % 2 == 0 else "assistant",
            text=chance.text(chance.random.randint(1, 6)),
            time=(started + timedelta(minutes=3 * at)).isoformat(),
        )
        for at in range(MESSAGES)
    ]
    return Conversation("messages", messages, title=chance.title(), started=started.isoformat())


def memory(  # noqa: PLR0913
    number: int, memories: int, name: str, session: str, said: Conversation, chance: Chance
) -> Memory:
    age = 100 * (memories - 1 - number) // memories
    level = next(level for level, oldest in AGES if age < oldest)
    first = chance.random.randint(1, MESSAGES - 4)
    title, marker = chance.title(), chance.text(3)
    long = 6 if level is Level.L1 else 2
    fields = {name: chance.text(long) for name in FIELDS}
    fields[FIELDS[4]] = f'- "{said.messages[first].text[:40]}"'
    body = {Level.L3: f"\n{marker}\n", Level.L4: f"\n{title}\n"}.get(level) or render_body(fields)
    return Memory(
        id=name,
        uid=f"{chance.random.getrandbits(64):016x}",
        title=title,
        level=level,
        body=body,
        created=f"{session[:10]}T20:15:00+00:00",
        sessions=(session,),
        source=(SourceRange(session, first, first + 3),),
        tags=tuple(sorted(chance.random.sample(TAGS, 2))),
        immune=chance.random.random() < 0.1,
        anchor=said.messages[first].text[:40],
        marker=marker,
        tag=title,
    )


def contents(memories: int, sessions: int, seed: int) -> Iterator[tuple[str, bytes]]:
    """Every file of rings 3 and 4 and of the tape, by kit path."""
    chance = Chance(seed)
    said = [conversation(number, chance) for number in range(sessions)]
    for number, spoken in enumerate(said):
        name = session_name(number)
        yield session_path(name), render_session(name, spoken)
    lines: list[IndexLine] = []
    stubs = memories // STUBS
    for number in range(stubs):
        at = session_of(number, sessions, stubs) // STUBS
        where = SourceRange(session_name(at), 1, 4)
        title, phrase = chance.title(), said[at].messages[0].text[:40]
        lines.append(IndexLine(format_id(number + 1), title, phrase, ("factual",), pruned=True, where=where))
    for number in range(memories):
        at = session_of(number, sessions, memories)
        made = memory(number, memories, format_id(stubs + number + 1), session_name(at), said[at], chance)
        yield memory_path(made.id), render_memory(made).encode()
        lines.append(line_for(made))
    yield "ring4/index.md", put_lines("", lines).encode()


def make_large_kit(folder: Path, memories: int, sessions: int, *, seed: int = 1, window: int = 8192) -> None:
    """Make the kit in `folder`, which must not exist, with all of it in its first commit."""
    new = plan_init(
        read_template("companion"), Choices(name="Ada", user="Bo", window=window), ratified_by="Bo Lind"
    )
    change = new.change.also(dict(contents(memories, sessions, seed)))
    create_kit(find_place(folder), change, when=FIRST_DAY, identity=WHO)


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("path", type=Path)
    parser.add_argument("--memories", type=int, default=5_000)
    parser.add_argument("--sessions", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--window", type=int, default=8192)
    told = parser.parse_args()
    make_large_kit(told.path, told.memories, told.sessions, seed=told.seed, window=told.window)
    print(f"{told.path}: {told.memories:,} memories, {told.sessions:,} sessions")
    return 0


if __name__ == "__main__":
    sys.exit(main())
