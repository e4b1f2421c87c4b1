"""A grown-up kit with a year of evenings behind it, whose memories are of every age and level."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, timedelta
from pathlib import Path
from typing import Any

from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.ledger_file import journal_path, make_entry, render_entry
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.snapshot import EVENTS, INDEX, Snapshot
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import FIELDS, IndexLine, Level, Memory, format_id, memory_path
from reel_cli.core.values.talk import Conversation, Event, Message, SourceRange, session_path
from reel_cli.features.page.cold_start import MATURITY
from tests.support.kit_under_git import START, KitUnderGit, make_kit
from tests.support.kits_at_random import Files

FIRST = date(2025, 3, 10)
EVENINGS = 24
SESSIONS = [f"{FIRST + timedelta(days=15 * n)}-1" for n in range(EVENINGS)]
"""Every fifteen days, the last on 2026-02-18; the tests' clock stands at 2026-03-01."""

MARKER = (
    "He brought the letter back unopened and we talked about the harbour until the lamp went out,"
    " and neither of us said what we both knew about the residency in the spring."
)
"""36 tokens: the size of a marker."""
TAG = "The unopened letter, and the lamp that went out before anyone said it"
"""14 tokens: the size of a tag."""
PHRASE = "the clockwork must be wound"


def memory(number: int, level: str = "L1", *, evening: int | None = None, **more: Any) -> Memory:
    """A memory of one of the evenings (its own number's, where none is given)."""
    at = (number - 1 if evening is None else evening) % EVENINGS
    session = SESSIONS[at]
    long = 4 if level == "L1" else 1
    fields = {name: " ".join([f"{MARKER} That was evening {number}."] * long) for name in FIELDS[:4]}
    fields[FIELDS[4]] = f'- "{PHRASE}"\n- "evening {number}"'
    bodies = {"L3": f"\n{MARKER}\n\n## Retrieval anchors\n\n{fields[FIELDS[4]]}\n", "L4": f"\n{TAG}\n"}
    made = Memory(
        id=format_id(number),
        uid=f"{number:08x}",
        title=f"Evening {number}",
        level=Level(level),
        body=bodies.get(level) or render_body(fields),
        created=f"{session[:10]}T22:00:00Z",
        sessions=(session,),
        source=(SourceRange(session, 1, 4),),
        tags=("factual",),
        anchor=PHRASE,
        marker=MARKER,
        tag=TAG,
    )
    return replace(made, **more)


@dataclass
class Year:
    """Content of the kit; `uses` are (evening, act, names), in order."""

    memories: Sequence[Memory]
    stubs: Sequence[IndexLine] = ()
    uses: Sequence[tuple[int, str, str]] = ()
    settings: str = "window: 128k\n"
    grown: bool = True
    evenings: Sequence[str] = field(default_factory=lambda: SESSIONS)

    def files(self) -> Mapping[str, bytes]:
        """Every file, by kit path."""
        found: dict[str, bytes] = {**START, "kit.yaml": f"name: Ada\n{self.settings}".encode()}
        for session in self.evenings:
            found[session_path(session)] = render_session(session, evening(session))
        for one in self.memories:
            found[memory_path(one.id)] = render_memory(one).encode()
        lines = [*map(line_for, self.memories), *self.stubs]
        found[INDEX] = put_lines("", lines).encode()
        if self.grown:
            event = Event(0, MATURITY, "2025-04-01T20:00:00Z")
            found[EVENTS] = append_events(None, [event], EVENTS)
        journal: dict[str, str] = {}
        for at, act, names in self.uses:
            session = self.evenings[at]
            entry = make_entry(f"{session[:10]}T21:30:00Z", session, act, names)
            path = journal_path(entry.at)
            journal[path] = journal.get(path, "") + render_entry(entry) + "\n"
        return {**found, **{path: text.encode() for path, text in journal.items()}}

    def snapshot(self) -> Snapshot:
        """The kit in memory."""
        return Files(self.files()).snapshot()

    def make(self, place: Path, *, enclosing: Path | None = None) -> KitUnderGit:
        """The kit in a repository of its own, or in a larger one."""
        return make_kit(place, enclosing=enclosing, start=self.files())


def evening(session: str) -> Conversation:
    """Return what was said on an evening."""
    about = "walrus orchestra" if session == SESSIONS[0] else "lamp"
    said = (
        f"Evening of {session[:10]}: tell me about the {about}.",
        "It went out again, and the clockwork must be wound every forty minutes.",
        "And the letter?",
        "Still unopened.",
    )
    messages = [
        Message("assistant" if n % 2 else "user", text, time=f"{session[:10]}T19:0{n}:00+00:00")
        for n, text in enumerate(said)
    ]
    return Conversation("messages", messages, started=f"{session[:10]}T19:00:00+00:00")


def more_evenings(kit: KitUnderGit, sessions: Iterable[str]) -> None:
    """Further evenings, each recorded by a commit of its own as reel makes it."""
    for session in sessions:
        data = render_session(session, evening(session))
        kit.apply({session_path(session): data}, ("Reel-Session", session), op="record", summary="an evening")


def of_every_age() -> Year:
    """Ten memories and two stubs: what descends, what is pruned, and what each guard keeps."""
    return Year(
        [
            memory(1, "L4", evening=0),
            memory(2, "L4", evening=1, immune=True),
            memory(3, "L4", evening=2, tags=("identity",)),
            memory(4, "L3", evening=3),
            memory(5, "L2", evening=4),
            memory(6, "L2", evening=5),
            memory(7, "L2", evening=6, marker=""),
            memory(8, "L1", evening=18),
            memory(9, "L1", evening=22),
            memory(10, "L1", evening=23),
        ],
        [
            IndexLine("M-011", "A stub", PHRASE, pruned=True, where=SourceRange(SESSIONS[0], 1, 2)),
            IndexLine("M-012", "A kept stub", PHRASE, immune=True, pruned=True),
        ],
        [(23, "pin", "M-006"), (2, "recall", "M-005"), (5, "pack", "M-001")],
    )
