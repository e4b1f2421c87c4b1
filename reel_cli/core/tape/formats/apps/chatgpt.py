"""ChatGPT's export: `conversations.json`, whole or in numbered parts, each conversation a tree."""

import hashlib
import re
from collections.abc import Iterator

from reel_cli.core.tape.formats.apps.chatgpt_content import read_node
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out, newest_leaf
from reel_cli.core.values.talk import Conversation, Kind, Message

_ABOUT = frozenset({"conversation_id", "current_node", "create_time", "title"})
_IDS = re.compile(rb'"conversation_id"\s*:\s*"([^"\\]{1,100})"')
_OLD_IDS = re.compile(rb'"id"\s*:\s*"([^"\\]{1,100})"')


def _sniff(source: Source) -> int:
    if source.opening not in {"[", "{"}:
        return 0
    found = [as_fields(value) for value in source.first]
    if any(_is_tree(fields) for fields in found):
        return 95
    bare = any("mapping" in fields and len(_ABOUT & fields.keys()) > 1 for fields in found)
    return 60 if bare else 0


def _is_tree(fields: dict[str, object]) -> bool:
    nodes = [as_fields(node) for node in list(as_fields(fields.get("mapping")).values())[:50]]
    return any("message" in node or ("children" in node and "id" in node) for node in nodes)


def _read(source: Source) -> Iterator[Conversation]:
    for value in source.items():
        fields = as_fields(value)
        if _ABOUT.isdisjoint(fields) and "mapping" not in fields:
            source.notes.add("an entry that is no conversation was left out")
            continue
        yield read_tree(fields, source)


def read_tree(fields: dict[str, object], source: Source) -> Conversation:
    """Return one conversation: the branch that the app shows, and the others beside it."""
    notes = Notes()
    mapping = as_fields(fields.get("mapping"))
    nodes = {name: as_fields(node) for name, node in mapping.items()}
    if not isinstance(fields.get("mapping"), dict):
        notes.add("it holds no tree of messages")
    leaf = fields.get("current_node")
    parents = _parents(nodes)
    if not isinstance(leaf, str) or leaf not in nodes:
        leaf = newest_leaf(parents, lambda name: _number(_message(nodes[name]).get("create_time")))
        if leaf is not None:
            notes.add("which branch was shown last is not said; the newest was taken")
    messages = lay_out(parents, leaf, lambda name: list(_read_one(_message(nodes[name]), source, notes)))
    default = as_text(fields.get("default_model_slug"))
    return Conversation(
        format="chatgpt",
        messages=tuple(messages),
        key=_key(fields, nodes),
        title=as_text(fields.get("title")),
        started=read_time(fields.get("create_time"), source.zone, notes),
        model=next((m.model for m in messages if m.model and m.kind is Kind.SAID), default),
        problems=notes.lines(),
    )


def _message(node: dict[str, object]) -> dict[str, object]:
    return as_fields(node.get("message"))


def _read_one(message: dict[str, object], source: Source, notes: Notes) -> Iterator[Message]:
    if message:
        stamp = message.get("create_time") or message.get("update_time")
        yield from read_node(message, read_time(stamp, source.zone, notes), notes)


def _parents(nodes: dict[str, dict[str, object]]) -> dict[str, str | None]:
    """Return each node's parent: by its own field, else by the node that lists it as a child."""
    listed: dict[str, str] = {}
    for name, node in nodes.items():
        for child in as_items(node.get("children")):
            if isinstance(child, str):
                listed.setdefault(child, name)
    return {
        name: parent if isinstance(parent := node.get("parent"), str) else listed.get(name)
        for name, node in nodes.items()
    }


def _number(value: object) -> float:
    return float(value) if isinstance(value, int | float) and abs(value) < 1e18 else 0.0


def _key(fields: dict[str, object], nodes: dict[str, dict[str, object]]) -> str | None:
    """Return the conversation's own ID; else one made of its time and its first message's ID."""
    own = as_text(fields.get("conversation_id")) or as_text(fields.get("id"))
    if own:
        return f"chatgpt:{own}"
    first = next((as_text(message.get("id")) for node in nodes.values() if (message := _message(node))), None)
    began = fields.get("create_time")
    if first is None and not isinstance(began, int | float | str):
        return None
    digest = hashlib.sha256(f"{began}\n{first}".encode("utf-8", "replace")).hexdigest()
    return f"chatgpt:made-{digest[:24]}"


def _list_keys(source: Source) -> list[str]:
    """Return candidate keys of all conversations in the file, without parsing it."""
    if not source.has_early_key("mapping"):
        return []
    ids = _IDS.findall(source.data) or _OLD_IDS.findall(source.data)
    return [f"chatgpt:{name.decode('utf-8', 'replace')}" for name in ids]


READER = Reader("chatgpt", "ChatGPT's export", _sniff, _read, _list_keys)
