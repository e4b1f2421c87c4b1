"""Reader of the chat files under tests/fixtures/chats."""

from pathlib import Path

from reel_cli.core.tape.formats.registry import read_source
from reel_cli.core.values.talk import Conversation

CHATS = Path(__file__).parents[1] / "fixtures" / "chats"


def read_chat(path: str, *, format: str = "auto") -> list[Conversation]:  # noqa: A002
    """The fixture's conversations, as Bo's kit for Ada reads them."""
    data = (CHATS / path).read_bytes()
    return read_source(data, filename=path, format=format, user_names=["Bo"], persona_names=["Ada"])


def brief(conversation: Conversation) -> list[tuple[str, str, str]]:
    """Kind, role and text of every message."""
    return [(m.kind.value, m.role, m.text) for m in conversation.messages]
