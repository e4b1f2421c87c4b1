"""A kit that is one page away from having a past (REEL §7.3)."""

import json
from dataclasses import replace
from pathlib import Path

from reel_cli.core.files.exemplar_file import exemplar_path, render_exemplar
from reel_cli.core.files.index_file import line_for, put_lines
from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.kit.snapshot import INDEX
from reel_cli.core.values.memory import FIELDS, Exemplar, IndexLine, Level, Memory, memory_path
from reel_cli.core.values.talk import SourceRange
from tests.support.cli import Reel, git
from tests.support.pages import chat

SESSIONS = {"2026-02-10-1": "the walrus orchestra", "2026-02-11-1": "gloves for the ferry"}
TODAY = "2026-02-25-1"
TOLD = "Ada has a past now: 10 memories of 3 chats"
LINE = f"{TOLD}. From here on, what is old may recede; nothing of it is lost.\n"

MEMORY = Memory(
    id="M-001",
    title="An evening",
    level=Level.L1,
    body=render_body({**dict.fromkeys(FIELDS, "Nothing."), FIELDS[0]: "We talked until late."}),
    created="2026-02-10T20:00:00Z",
    anchor="",
    marker="We talked until late.",
    tag="An evening",
)


def grow(reel: Reel, kit: Path, *, memories: int = 9, pool: int = 5) -> None:
    """Fill a fresh companion kit up to one page less than what it takes, and record the chat of that page."""
    for session, about in SESSIONS.items():
        messages = [
            {"role": "assistant" if n % 2 else "user", "content": f"{said} {about}"}
            for n, said in enumerate(
                ("Let us talk of", "Gladly, of", "Tell me about", "There is not much to")
            )
        ]
        started = f"{session[:10]}T19:00:00+00:00"
        talk = json.dumps({"title": about, "created_at": started, "messages": messages})
        reel.given("record", "-", stdin=talk, cwd=kit)
    lines = []
    (kit / "ring3").mkdir(exist_ok=True)
    for number in range(1, memories + 1):
        session = list(SESSIONS)[number % 2]
        memory = replace(
            MEMORY,
            id=f"M-{number:03}",
            uid=f"{number:08x}",
            sessions=(session,),
            source=(SourceRange(session, 1, 4),),
        )
        (kit / memory_path(memory.id)).write_text(render_memory(memory))
        lines.append(line_for(memory))
    for number in range(101, 104):
        where = SourceRange("2026-02-10-1", 1, 1)
        lines.append(IndexLine(f"M-{number}", "A line", "walrus orchestra", ("factual",), where=where))
    (kit / INDEX).write_text(put_lines((kit / INDEX).read_text(), lines))
    for number in range(pool - 3):
        exemplar = Exemplar(
            f"x{number}", f"X {number}", "general", f"**Ada:** {number}.\n", "2026-02-11", "seed"
        )
        (kit / exemplar_path(exemplar.slug)).write_text(render_exemplar(exemplar))
    (kit / "checkpoints").mkdir(exist_ok=True)
    for session in SESSIONS:
        steady = f'kept: "{session[:10]}T20:00:00Z"\nmessages: "4"\ndrift_detected: "no"\n'
        (kit / f"checkpoints/{session}.1.yaml").write_text(steady)
    git(kit, "add", "-A")
    git(kit, "commit", "-qm", "by hand", "--no-verify")
    reel.given("record", "-", stdin=chat(), cwd=kit)
