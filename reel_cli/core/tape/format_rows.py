"""A row for every transcript format: its name, its reader's module, its files' endings.

Nothing is imported for a row, so that the command line can name every format without loading a reader. The
registry, `--format`, the search through folders and archives, and `--watch` all read these rows.
"""

from collections.abc import Sequence
from typing import NamedTuple


class FormatRow(NamedTuple):
    """One transcript format.

    `place` is its reader's module below `core/tape/formats`, in which `READER` has the same `name`. Files
    with one of its `endings` (in lower case, with the dot) are read in a folder or an archive. `grows`: such
    a file is written as the chat goes on, and a watched folder is searched for it. `pasted`: text anyone
    could have written, read only where no program's own file was recognized.
    """

    name: str
    place: str
    endings: Sequence[str]
    grows: bool = False
    pasted: bool = False


_DATABASE = (".db", ".db3", ".sqlite", ".sqlite3")

FORMAT_ROWS: Sequence[FormatRow] = (
    FormatRow("chatgpt", "apps.chatgpt", [".json"]),
    FormatRow("claude", "apps.claude", [".json"]),
    FormatRow("lmstudio", "apps.lmstudio", [".json"], grows=True),
    FormatRow("claude-code", "apps.claudecode", [".jsonl"], grows=True),
    FormatRow("jan", "apps.jan", [".jsonl"], grows=True),
    FormatRow("koboldai", "apps.koboldai", [".json"]),
    FormatRow("openwebui", "apps.openwebui", [".json", *_DATABASE]),
    FormatRow("sillytavern", "apps.sillytavern", [".jsonl"], grows=True),
    FormatRow("sharegpt", "apps.sharegpt", [".json", ".jsonl"]),
    FormatRow("textgen", "apps.textgen", [".json"], grows=True),
    FormatRow("ollama", "apps.ollama", _DATABASE),
    FormatRow("llm", "apps.llm", _DATABASE),
    FormatRow("messages", "apps.messages", [".json", ".jsonl", ".ndjson"]),
    FormatRow("markdown", "pasted.markdown", [".md", ".markdown"], pasted=True),
    FormatRow("text", "pasted.text", [".txt", ".text", ".log"], pasted=True),
)
"""Every format; where two readers are equally sure, the earlier one reads."""

FORMATS = tuple(row.name for row in FORMAT_ROWS)
"""Values of `--format`, beside `auto`."""
STRUCTURED = frozenset(ending for row in FORMAT_ROWS if not row.pasted for ending in row.endings)
"""Endings of files that a program wrote."""
PLAIN = frozenset(ending for row in FORMAT_ROWS if row.pasted for ending in row.endings)
"""Endings of text that anyone could have written."""
GROWING = tuple(sorted({ending for row in FORMAT_ROWS if row.grows for ending in row.endings}))
"""Endings of files that a watched folder is searched for."""
