"""ChatGPT's export: `conversations.json`, whole or in numbered parts, each conversation a tree."""

import hashlib
import json
import re
from collections.abc import Iterator

from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label, tell_keys
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import lay_out, newest_leaf
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_SAID = frozenset({"text", "multimodal_text"})
_SYSTEM = frozenset({"user_editable_context", "model_editable_context"})
_REASONING = frozenset({"thoughts", "reasoning_recap"})
_HIDDEN_CHANNELS = frozenset({"commentary", "analysis"})
_PROGRAM = frozenset({
    "code", "execution_output", "tether_quote", "tether_browsing_display", "tether_browsing_code", "stderr",
    "system_error", "computer_output", "citable_code_output", "sonic_webpage", "super_widget",
    "app_pairing_content", "computer_initialize_state", "automation_turn",
})  # fmt: skip
"""Types of content that tools and the app write."""
_TEXTS = ("text", "result", "output_str", "content", "summary")
_LONGEST_CALL = 1_000_000
_ROLES = frozenset({"user", "assistant", "system", "tool"})
_MARK = re.compile("\ue200([^\ue200\ue201]*)\ue201")
_PRIVATE = re.compile("[\ue200-\ue20f]")
_BLANKS = re.compile(r"[ \t]+(?=[.,;:!?)]|$)", re.MULTILINE)


def read_node(message: dict[str, object], time: str | None, notes: Notes) -> Iterator[Message]:
    """Yield the messages of one node, in their order; none for the app's own empty ones."""
    author, meta = as_fields(message.get("author")), as_fields(message.get("metadata"))
    content = _content(message.get("content"), notes)
    role = author.get("role") or message.get("role") or message.get("author")
    if not isinstance(role, str) or role not in _ROLES:
        if content or "author" in message:
            notes.add("a message of nobody reel knows was kept beside what was said", one_line(str(role), 40))
        role = "system"
    model = as_text(meta.get("model_slug")) if role == "assistant" else None
    kind, name = _kind(message, role, content, meta, notes)
    said, files = _sort_parts(content, meta, notes)
    text = _text(content, said, meta, kind)
    if kind is Kind.SYSTEM:
        role, model = "system", None
    elif kind is Kind.TOOL:
        role = "tool"
    if text.strip():
        yield Message(role, text, kind, name=name, time=time, model=model)
    owner = "user" if role == "user" else "assistant"
    for label in files:
        yield Message(owner, label, Kind.ATTACHMENT, time=time)


def _content(given: object, notes: Notes) -> dict[str, object]:
    """Return a message's content in the export's form; plain text and a list of parts are read as well."""
    if isinstance(given, str | list) and given:
        form = "plain text" if isinstance(given, str) else "a list"
        notes.add("a message's content of a form reel does not know was read as text", form)
        return {"content_type": "text", "parts": [given] if isinstance(given, str) else given}
    return as_fields(given)


def _kind(
    message: dict[str, object], role: str, content: dict[str, object], meta: dict[str, object], notes: Notes
) -> tuple[Kind, str | None]:
    """Return the kind of the message, and the tool's name if one speaks or is spoken to."""
    shape = as_text(content.get("content_type"))
    recipient = as_text(message.get("recipient")) or "all"
    if role == "system" or shape in _SYSTEM:
        return Kind.SYSTEM, None
    if role == "tool":
        return Kind.TOOL, as_text(as_fields(message.get("author")).get("name"))
    if shape in _REASONING:
        return Kind.REASONING, None
    if recipient != "all":
        return Kind.TOOL, recipient
    if shape and shape not in _SAID and not _is_plain(shape, content, notes):
        return Kind.TOOL, shape
    if meta.get("is_visually_hidden_from_conversation") is True:
        return Kind.SYSTEM, None
    if role == "assistant" and as_text(message.get("channel")) in _HIDDEN_CHANNELS:
        return Kind.REASONING, None
    return Kind.SAID, None


def _is_plain(shape: str, content: dict[str, object], notes: Notes) -> bool:
    """Return whether content of a type that reel does not know has plain text in its parts."""
    if shape in _PROGRAM:
        return False
    plain = any(isinstance(part, str) and part.strip() for part in as_items(content.get("parts")))
    done = "read as text" if plain else "kept beside what was said"
    notes.add(f"a message of a kind reel does not know was {done}", f"“{one_line(shape, 40)}”")
    return plain


def _sort_parts(
    content: dict[str, object], meta: dict[str, object], notes: Notes
) -> tuple[list[str], list[str]]:
    """Return the texts among the parts, and a label for each file in them or attached."""
    attached = [as_fields(item) for item in as_items(meta.get("attachments"))]
    names = {str(file.get("id")): file for file in attached}
    files = {key: file_label({"type": _file_type(file), **file}) for key, file in names.items()}
    said: list[str] = []
    for number, part in enumerate(as_items(content.get("parts"))):
        if isinstance(part, str):
            said.append(part)
            continue
        fields = as_fields(part)
        kind = as_text(fields.get("content_type")) or ""
        spoken = fields.get("text")
        if isinstance(spoken, str) and kind in {"audio_transcription", "text", ""}:
            said.append(spoken)
        elif "asset_pointer" in kind:
            _note_asset(fields, kind, files, number)
        elif isinstance(spoken, str) and spoken.strip():
            said.append(spoken)
            notes.add("a part of a kind reel does not know was read as text", f"“{one_line(kind, 40)}”")
        elif kind or fields:
            notes.add("a part of an unknown kind was left out", f"“{one_line(kind, 40)}”")
    return said, list(files.values())


def _file_type(file: dict[str, object]) -> str:
    mime = as_text(file.get("mime_type")) or as_text(file.get("mimeType")) or ""
    return "image" if mime.startswith("image/") else "file"


def _note_asset(fields: dict[str, object], kind: str, files: dict[str, str], number: int) -> None:
    """Record a picture, sound or film, unless it is also among the attachments."""
    pointer = as_text(fields.get("asset_pointer")) or ""
    if pointer.rpartition("/")[2] in files:
        return
    what = "image" if kind.startswith("image") else "sound" if "audio" in kind else "film"
    drawn = as_fields(as_fields(fields.get("metadata")).get("dalle")).get("prompt")
    prompt = one_line(as_text(drawn) or "", 1000)
    files[f"{number} {pointer}"] = f"[{what}: {prompt}]" if prompt else f"[{what}]"


def _text(content: dict[str, object], said: list[str], meta: dict[str, object], kind: Kind) -> str:
    shape = as_text(content.get("content_type"))
    if shape == "thoughts":
        thoughts = (as_fields(item) for item in as_items(content.get("thoughts")))
        pairs = ((as_text(t.get("summary")), as_text(t.get("content"))) for t in thoughts)
        return "\n\n".join("\n".join(part for part in pair if part) for pair in pairs if any(pair))
    if shape in _SYSTEM:
        keys = ("user_profile", "user_instructions", "model_set_context")
        return "\n\n".join(text for key in keys if (text := as_text(content.get(key))))
    text = "\n".join(part for part in said if part.strip())
    if not text and not as_items(content.get("parts")):
        text = next((found for key in _TEXTS if (found := as_text(content.get(key)))), "")
        rest = {
            key: value for key, value in content.items() if key not in {"content_type", "parts", "language"}
        }
        if not text and any(rest.values()):
            text = compact(rest)
    if kind is Kind.TOOL:
        return compact(text) if content.get("content_type") != "code" else compact(text, _LONGEST_CALL)
    return as_seen(text, meta) if "\ue200" in text or "【" in text else text


def as_seen(text: str, meta: dict[str, object]) -> str:
    """Return the text with the app's source marks replaced by what it shows instead.

    A source becomes its link, a thing that is named its name; a mark that shows nothing goes.
    """
    for item in as_items(meta.get("content_references")):
        found = as_fields(item)
        mark, shown = found.get("matched_text"), found.get("alt")
        if isinstance(mark, str) and mark.strip() and ("\ue200" in mark or mark.startswith("【")):
            text = text.replace(mark, shown if isinstance(shown, str) else _mark_shown(mark))
    text = _MARK.sub(lambda match: _mark_shown(match[0]), text)
    return _BLANKS.sub("", _PRIVATE.sub("", text))


def _mark_shown(mark: str) -> str:
    """Return the text of a mark without a description: `entity` and `url` carry the shown words."""
    kind, _, rest = mark.strip("\ue200\ue201").partition("\ue202")
    if kind == "url":
        return rest.partition("\ue202")[0]
    if kind == "entity":
        try:
            named = json.loads(rest)
        except (ValueError, RecursionError):
            return ""
        words = [word for word in as_items(named)[1:2] if isinstance(word, str)]
        return words[0] if words else ""
    return ""


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
            source.notes.add("an entry that is no conversation was left out", tell_keys(fields))
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
    found = node.get("message")
    # a node without one that has content is itself the message
    return as_fields(node if "message" not in node and "content" in node else found)


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


READER = Reader("chatgpt", _sniff, _read, _list_keys)
