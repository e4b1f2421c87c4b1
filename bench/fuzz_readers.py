"""Coverage-guided fuzzing of the transcript readers: python bench/fuzz_readers.py GROUP [libFuzzer options].

Wants atheris (`pip install atheris`), which reel itself does not need; the tests fuzz without it. GROUP is
`json`, `pasted`, `database` or `archive`. Useful options: -max_total_time=300 -max_len=8192, and a folder for
the inputs that were found to reach further. The seeds are the tests' own samples. An input that raises
anything but a refusal, or that takes over ten seconds, is written to the folder it runs in.
"""

import importlib
import io
import signal
import sys
import tempfile
import zipfile
from pathlib import Path
from typing import Any

try:
    atheris: Any = importlib.import_module("atheris")
except ModuleNotFoundError:
    sys.exit("atheris is not installed:  pip install atheris")

CHECKOUT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(CHECKOUT))

with atheris.instrument_imports(include=["reel_cli"]):
    from reel_cli.core.errors import ReelError
    from reel_cli.core.tape.format_rows import FORMATS
    from reel_cli.core.tape.formats.open_source import open_intake
    from reel_cli.core.tape.formats.registry import read_source
    from reel_cli.core.tape.session_file import parse_session, render_session
    from reel_cli.core.values.talk import Conversation

from tests.support.chat_samples import samples
from tests.support.database_samples import Sample

GROUPS = ("json", "pasted", "database", "archive")
NAMES = {"json": "chat.json", "pasted": "", "database": "x.db", "archive": "export.zip"}
MOST_TIME = 10
"""So much of the processor an input may take, in seconds."""


def seeds(group: str) -> list[Sample]:
    """The samples that are of the group."""
    found = samples()
    databases = [sample for sample in found if sample[1].startswith(b"SQLite")]
    texts = [sample for sample in found if sample[0].endswith((".json", ".jsonl"))]
    if group == "database":
        return databases
    if group == "json":
        return texts
    if group == "pasted":
        return [sample for sample in found if sample not in databases and sample not in texts]
    packed: list[Sample] = []
    for name, data in texts:
        buffer = io.BytesIO()
        with zipfile.ZipFile(buffer, "w", zipfile.ZIP_STORED) as archive:
            archive.writestr(f"chats/{name}", data)
            archive.writestr("chats/thread.json", b'{"object": "thread", "id": "t1", "title": "x"}')
        packed.append((name, buffer.getvalue()))
    return packed


def check(conversations: list[Conversation]) -> None:
    """Fail where a conversation is not whole."""
    for conversation in conversations:
        if not conversation.said():
            message = "nothing was said"
            raise AssertionError(message)
        stored = render_session("2026-01-01-1", conversation)
        session = parse_session(stored, "tape/2026/2026-01-01-1.md")
        if [entry.message for entry in session.entries] != list(conversation.messages):
            message = "it is not read back as it was stored"
            raise AssertionError(message)


def read(group: str, data: bytes) -> None:
    """Read an input as the group's way in does; its last byte chooses whether a format is forced."""
    if group in {"pasted", "json"}:
        chosen = ("auto", "auto", *FORMATS)[data[-1] % (len(FORMATS) + 2)] if data else "auto"
        check(read_source(data, filename=NAMES[group], format=chosen, persona_names=["Ada", "[x]"]))
        return
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, NAMES[group])
        path.write_bytes(data)
        check([taken.conversation for taken in open_intake(path, persona_names=["Ada"])])


def main() -> None:
    """Fuzz the group that was named until libFuzzer is told to stop."""
    if len(sys.argv) < 2 or sys.argv[1] not in GROUPS:
        sys.exit(f"usage: python {sys.argv[0]} {'|'.join(GROUPS)} [libFuzzer options]")
    group = sys.argv.pop(1)

    def once(data: bytes) -> None:
        signal.setitimer(signal.ITIMER_VIRTUAL, MOST_TIME)
        try:
            read(group, data)
        except ReelError as error:
            if not (error.message + (error.hint or "")).isprintable():
                raise AssertionError(error.message) from error
        finally:
            signal.setitimer(signal.ITIMER_VIRTUAL, 0)

    def too_long(*_: object) -> None:
        message = f"an input took over {MOST_TIME} seconds"
        raise AssertionError(message)

    signal.signal(signal.SIGVTALRM, too_long)
    with tempfile.TemporaryDirectory() as corpus:
        for number, (name, data) in enumerate(seeds(group)):
            Path(corpus, f"{number}-{name}").write_bytes(data)
        atheris.Setup([*sys.argv, corpus], once)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
