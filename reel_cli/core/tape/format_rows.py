"""A row for every transcript format: its name, its reader's module, its files' endings.

Nothing is imported for a row, so that the command line can name every format without loading a reader. The
registry, `--format`, the search through folders and archives, and `--watch` all read these rows, and by the
signs in a row the registry passes over a reader that a source cannot be for.
"""

from collections.abc import Collection, Sequence
from typing import NamedTuple


class FormatRow(NamedTuple):
    """One transcript format.

    `place` is its reader's module below `core/tape/formats`, in which `READER` has the same `name`. Files
    with one of its `endings` (in lower case, with the dot) are read in a folder or an archive. `signs` are
    names of fields: the format is JSON, and none whose objects have none of them. `grows`: such a file is
    written as the chat goes on, and a watched folder is searched for it. `pasted`: text anyone could have
    written, read only where no program's own file was recognized. `lists_keys`: an export of many
    conversations, whose reader finds their keys without parsing it. `forks`: the app copies a chat whole into
    another file, to go on there.
    """

    name: str
    place: str
    endings: Sequence[str]
    signs: Collection[str] = ()
    grows: bool = False
    pasted: bool = False
    lists_keys: bool = False
    forks: bool = False

    @property
    def is_database(self) -> bool:
        """Return whether a database can be of the format."""
        return not _DATABASES.isdisjoint(self.endings)


_DATABASE = (".db", ".db3", ".sqlite", ".sqlite3")
_DATABASES = frozenset({*_DATABASE, ".vscdb"})

FORMAT_ROWS: Sequence[FormatRow] = (
    FormatRow("chatgpt", "apps.chatgpt", [".json"], ["mapping"], lists_keys=True),
    FormatRow("claude", "apps.claude", [".json"], ["chat_messages", "project"], lists_keys=True),
    FormatRow("lmstudio", "apps.lmstudio", [".json"], ["messages"], grows=True),
    FormatRow(
        "claude-code", "agents.claudecode", [".jsonl"], ["sessionId", "session_id", "parentUuid"], grows=True
    ),
    FormatRow("jan", "apps.jan", [".jsonl"], ["object", "assistants", "role"], grows=True),
    FormatRow("koboldai", "apps.koboldai", [".json"], ["actions"]),
    FormatRow("openwebui", "apps.openwebui", [".json", *_DATABASE], ["chat", "history"]),
    FormatRow(
        *("sillytavern", "apps.sillytavern", [".jsonl"]),
        ["mes", "user_name", "character_name", "chat_metadata", "create_date"],
        grows=True,
        forks=True,
    ),
    FormatRow("sharegpt", "apps.sharegpt", [".json", ".jsonl"], ["conversations", "conversation", "items"]),
    FormatRow(
        "textgen", "apps.textgen", [".json"], ["internal", "visible", "data", "data_visible"], grows=True
    ),
    FormatRow("ollama", "apps.ollama", _DATABASE),
    FormatRow("llm", "apps.llm", _DATABASE),
    FormatRow("gemini", "apps.gemini", [".json", ".txt"], ["conversation_turns", "products", "header"]),
    FormatRow("aistudio", "apps.aistudio", [".json", ""], ["chunkedPrompt"]),
    FormatRow("grok", "apps.grok", [".json"], ["conversations", "responses"]),
    FormatRow("telegram", "messengers.telegram", [".json"], ["type", "chats", "left_chats"]),
    FormatRow("whatsapp", "messengers.whatsapp", [".txt"]),
    FormatRow(
        *("characterai", "messengers.characterai", [".json"]),
        ["histories", "turns", "chats", "conversations", "next_page"],
    ),
    FormatRow("replika", "messengers.replika", [".csv"]),
    FormatRow("codex", "agents.codex", [".jsonl"], ["payload", "record_type", "instructions"], grows=True),
    FormatRow("cursor", "agents.cursor", [".vscdb"]),
    FormatRow("vscode", "agents.vscode", [".json", ".jsonl"], ["requests", "kind"]),
    FormatRow("opencode", "agents.opencode", [".json", *_DATABASE], ["info"]),
    FormatRow(
        *("gemini-cli", "agents.geminicli", [".json", ".jsonl"]),
        ["projectHash", "parts", "history", "contents"],
    ),
    FormatRow("aider", "agents.aider", [".md"]),
    FormatRow("gptme", "agents.gptme", [".jsonl"], ["timestamp"], grows=True),
    FormatRow("pi", "agents.pi", [".jsonl"], ["cwd"], grows=True),
    FormatRow("oterm", "apps.oterm", _DATABASE),
    FormatRow("messages", "apps.messages", [".json", ".jsonl", ".ndjson"], ["role", "messages"]),
    FormatRow("markdown", "pasted.markdown", [".md", ".markdown"], pasted=True),
    FormatRow("text", "pasted.text", [".txt", ".text", ".log"], pasted=True),
)
"""Every format; where two readers are equally sure, the earlier one reads."""

FORMATS = tuple(row.name for row in FORMAT_ROWS)
"""Values of `--format`, beside `auto`."""
PASTED = frozenset(row.name for row in FORMAT_ROWS if row.pasted)
"""Formats of text that anyone could have written; every other is the output of a program."""
PLAIN = frozenset(ending for row in FORMAT_ROWS if row.pasted for ending in row.endings)
"""Endings of text that anyone could have written, a program among others."""
STRUCTURED = frozenset(ending for row in FORMAT_ROWS if not row.pasted for ending in row.endings) - PLAIN
"""Endings of files that only programs write."""
FORKING = frozenset(row.name for row in FORMAT_ROWS if row.forks)
"""Formats of apps that copy a chat into another file."""
GROWING = tuple(sorted({ending for row in FORMAT_ROWS if row.grows for ending in row.endings}))
"""Endings of files that a watched folder is searched for."""
