"""Where chat apps keep their conversations."""

import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

LM_STUDIO = (".lmstudio/conversations", ".cache/lm-studio/conversations")
"""Below the home folder; the second is where versions before 0.3.10 kept them."""
DEEPEST = 4


@dataclass(frozen=True, slots=True)
class Chat:
    """A conversation file, its app, and when it was last written (seconds since 1970)."""

    path: Path
    app: str
    written: float


def newest_chat() -> Chat | None:
    """The conversation that was last written to, in the apps reel knows; None where there is none."""
    return max(_chats(), key=lambda chat: chat.written, default=None)


def _chats() -> Iterator[Chat]:
    for folder in LM_STUDIO:
        top = Path.home() / folder
        for here, folders, files in os.walk(top):
            if len(Path(here).relative_to(top).parts) >= DEEPEST:
                folders.clear()
            for name in files:
                if name.endswith((".conversation.json", ".chat.json")):
                    path = Path(here) / name
                    try:
                        yield Chat(path, "LM Studio", path.stat().st_mtime)
                    except OSError:
                        continue
