"""Recall in processes that hash strings differently: the same index, and the same answers."""

import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from reel_cli.core.files.memory_file import render_body, render_memory
from reel_cli.core.tape.session_file import render_session
from reel_cli.core.values.memory import FIELDS, Level, Memory
from reel_cli.core.values.talk import Conversation, Message, SourceRange, session_path
from tests.support.cli import Reel

EVENING = "2026-02-10-1"
INDEX_FILE = ".reel/cache/search.sqlite"
SAID = (
    "Good evening, the lamp is lit.",
    "The kestrel nests in the belfry.",
    "Nine letters lay in the drawer.",
    "The ferry leaves before dawn.",
    "My coat still smells of smoke.",
    "Sleep well, the lamp goes out.",
)


def keep_evening(kit: Path) -> None:
    """Put an evening on the tape, and a memory of it with a phrase of every turn but the first.

    Its one sentence shares no word with any turn, so that a phrase decides where it leads.
    """
    talk = [Message(("user", "assistant")[at % 2], text) for at, text in enumerate(SAID)]
    path = kit / session_path(EVENING)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(render_session(EVENING, Conversation("messages", talk)))
    phrases = " ".join(f"“{text.rstrip('.')}”" for text in SAID[1:])
    body = {**dict.fromkeys(FIELDS, "."), FIELDS[0]: "A grandfather's secret.", FIELDS[4]: phrases}
    memory = Memory(
        "M-001",
        "Confidence",
        Level.L1,
        render_body(body),
        anchor="The ferry leaves before dawn",
        source=(SourceRange(EVENING, 1, len(SAID)),),
    )
    (kit / "ring3").mkdir(exist_ok=True)
    (kit / "ring3/M-001.md").write_text(render_memory(memory))


def recall_anew(reel: Reel, kit: Path, seed: str) -> tuple[dict[str, Any], list[str]]:
    """Return what a process with this hash seed answers from an index it builds, and the index's rows."""
    (kit / INDEX_FILE).unlink(missing_ok=True)
    done = reel.process("recall", "--json", "the secret of a grandfather", env={"PYTHONHASHSEED": seed}).ok()
    with closing(sqlite3.connect(kit / INDEX_FILE)) as index:
        return json.loads(done.out), list(index.iterdump())


def test_an_index_built_anew_answers_alike_whatever_the_hash_seed(reel: Reel, kit: Path) -> None:
    keep_evening(kit)
    answer, rows = recall_anew(reel, kit, "1")
    assert recall_anew(reel, kit, "2") == (answer, rows)
    # the memory's own phrase comes before those that its text quotes
    (hit,) = answer["hits"]
    assert SAID[hit["message"] - 1] == "The ferry leaves before dawn."
