"""Random lives of a kit that part from one beginning, as files and as a history that git has."""

import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from hypothesis import strategies as st

from reel_cli.core.files.checkpoint_file import checkpoint_path
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.ledger_file import make_entry, render_entry
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.git.repository import KIT_ATTRIBUTES, KIT_IGNORE, blob_id
from reel_cli.core.kit.snapshot import EVENTS, INDEX, WORKING
from reel_cli.core.tape.events_file import append_events
from reel_cli.core.tape.session_file import append_entries, parse_session, render_session
from reel_cli.core.values.memory import (
    FIELDS,
    IndexLine,
    Level,
    Memory,
    format_id,
    memory_number,
    memory_path,
)
from reel_cli.core.values.talk import (
    Conversation,
    Entry,
    Event,
    Message,
    SourceRange,
    session_of,
    session_path,
)

DAYS = ("2026-02-10", "2026-02-11")
WORDS = ("the kite", "the boat", "<<<<<<< HEAD\n=======\n>>>>>>> x", "M-001 and 2026-02-10-1#1", "---\n\n🙂")
START: Mapping[str, bytes] = {
    ".gitattributes": KIT_ATTRIBUTES,
    ".gitignore": KIT_IGNORE,
    "kit.yaml": b"name: Ada\nauthor: Bo <bo@example.org>\n",
    "ring0/identity.md": b"I am Ada.\n",
    WORKING: b"## Active threads\n\n- the first\n\n## State\n\nQuiet.\n",
    INDEX: b"# What could be recalled\n\n",
}


@dataclass
class Life:
    """A kit's files after each act, the last being how it is now; `who` marks what is only this side's."""

    who: str
    moments: list[dict[str, bytes]] = field(default_factory=lambda: [dict(START)])

    @property
    def files(self) -> dict[str, bytes]:
        return self.moments[-1]

    @property
    def sessions(self) -> list[str]:
        return sorted(name for name in map(session_of, self.files) if name)

    def part(self, who: str) -> "Life":
        return Life(who, [dict(self.files)])

    def act(self, writes: Mapping[str, bytes]) -> None:
        self.moments.append({**self.files, **writes})

    # -- what may happen -------------------------------------------------------------------------

    def record(self, day: str, said: Sequence[str]) -> None:
        number = 1 + sum(name.startswith(day) for name in self.sessions)
        name = f"{day}-{number}"
        chat = Conversation("messages", [Message(_role(i), text) for i, text in enumerate(said)])
        self.act({session_path(name): render_session(name, chat, started=f"{day}T19:00:00+00:00")})

    def go_on(self, which: int, said: Sequence[str]) -> None:
        if self.sessions:
            path = session_path(self.sessions[which % len(self.sessions)])
            known = len(parse_session(self.files[path], path).numbered())
            more = [Entry(known + i + 1, Message(_role(known + i), text)) for i, text in enumerate(said)]
            self.act({path: append_entries(self.files[path], more, path)})

    def remember(self, which: int, title: str) -> None:
        if not self.sessions:
            return
        name = self.sessions[which % len(self.sessions)]
        number = self._next()
        memory = Memory(
            id=format_id(number),
            title=title,
            level=Level.L1,
            body=render_body(dict.fromkeys(FIELDS, f"Of {title}.")),
            created="2026-02-10T20:00:00Z",
            uid=f"{self.who}{number}",
            sessions=(name,),
            source=(SourceRange(name, 1, 1),),
            marker=title,
            tag=title,
        )
        line = IndexLine(format_id(number + 1), f"{title} alone", "", where=SourceRange(name, 1, 1))
        told = sum(path.startswith(f"checkpoints/{name}.") for path in self.files) + 1
        day = f"{name[:10]}T2{len(self.moments) % 10}:00:00Z"
        entry = render_entry(make_entry(day, name, "reference", memory.id)).encode() + b"\n"
        journal = "journal/2026-02.jsonl"
        lines = put_lines(self.files[INDEX].decode(), [line_for(memory), line])
        self.act(
            {
                memory_path(memory.id): render_memory(memory).encode(),
                INDEX: lines.encode(),
                checkpoint_path(name, told): f"calibration_state: {self.who} {title!r}\n".encode(),
                journal: self.files.get(journal, b"") + entry,
                WORKING: self.files[WORKING].replace(
                    b"\n\n## State", f"\n- {self.who} {number}\n\n## State".encode()
                ),
            }
        )

    def note(self, which: int, text: str) -> None:
        if self.sessions:
            name = self.sessions[which % len(self.sessions)]
            event = Event(0, "flag", f"2026-02-1{len(self.moments) % 10}T21:00:00Z", text, name)
            self.act({EVENTS: append_events(self.files.get(EVENTS), [event], EVENTS)})

    def _next(self) -> int:
        return (
            max((memory_number(line[:5]) for line in self.files[INDEX].decode().splitlines()), default=0) + 1
        )


def _role(number: int) -> str:
    return "assistant" if number % 2 else "user"


SAID = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3)
ACTS = st.lists(
    st.one_of(
        st.tuples(st.just("record"), st.sampled_from(DAYS), SAID),
        st.tuples(st.just("go_on"), st.integers(0, 3), SAID),
        st.tuples(st.just("remember"), st.integers(0, 3), st.sampled_from(["one day", "another"])),
        st.tuples(st.just("note"), st.integers(0, 3), st.sampled_from(WORDS)),
    ),
    max_size=5,
)


def live(life: Life, acts: Sequence[tuple[object, ...]]) -> Life:
    for act, *given in acts:
        getattr(life, str(act))(*given)
    return life


@st.composite
def lives(draw: st.DrawFn) -> tuple[Life, Life, Life]:
    """A kit's beginning, and how it went on on two machines."""
    base = live(Life("both"), draw(ACTS))
    return base, live(base.part("ours"), draw(ACTS)), live(base.part("theirs"), draw(ACTS))


@dataclass(frozen=True)
class Files:
    """One side, as a commit would have it."""

    files: Mapping[str, bytes]

    @property
    def ids(self) -> Mapping[str, str]:
        return {path: blob_id(data) for path, data in self.files.items()}

    def read(self, path: str) -> bytes | None:
        return self.files.get(path)

    def list(self, folder: str) -> Sequence[str]:
        return sorted(path for path in self.files if path.startswith(f"{folder}/") or not folder)


def write_history(folder: Path, base: Life, ours: Life, theirs: Life) -> None:
    """A repository with both lives, `main` and `laptop`, one commit an act."""
    stream: list[bytes] = []
    base_mark = len(base.moments)
    mark = 0
    for branch, life in (("main", base), ("laptop", theirs), ("main", ours)):
        before, parent = ({}, 0) if life is base else (life.moments[0], base_mark)
        for files in life.moments if life is base else life.moments[1:]:
            mark += 1
            stream.append(f"commit refs/heads/{branch}\nmark :{mark}\n".encode())
            stream.append(f"committer Bo <bo@example.org> {1770000000 + mark} +0000\n".encode())
            stream.append(b"data 2\nan\n" + (f"from :{parent}\n".encode() if parent else b""))
            stream += [
                f"M 100644 inline {path}\ndata {len(data)}\n".encode() + data + b"\n"
                for path, data in files.items()
                if before.get(path) != data
            ]
            before, parent = files, mark
        if life is base:
            stream.append(f"reset refs/heads/laptop\nfrom :{mark}\n\n".encode())
    git(folder, "init", "-q", "-b", "main", ".")
    git(folder, "fast-import", "--quiet", "--force", given=b"".join(stream))
    git(folder, "reset", "-q", "--hard")


def git(folder: Path, *args: str, given: bytes = b"", check: bool = True) -> str:
    """The person's own git."""
    done = subprocess.run(["git", *args], cwd=folder, input=given, capture_output=True, check=False)
    assert not check or done.returncode == 0, done.stderr.decode()
    return done.stdout.decode("utf-8", "surrogateescape")
