"""Google AI Studio: a prompt as it keeps it in Google Drive, a file without an ending that is JSON."""

from collections.abc import Iterator, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.parts import as_fields, as_items, as_text, compact, file_label
from reel_cli.core.tape.formats.source import Notes, Reader, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.tape.formats.trees import put_in_order
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Conversation, Kind, Message

_ROLES = {"user": "user", "model": "assistant", "assistant": "assistant", "system": "system"}
_FILES = {
    "driveDocument": "file", "driveImage": "image", "driveVideo": "film", "driveAudio": "sound",
    "inlineFile": "file", "inlineImage": "image", "inlineData": "file", "fileData": "file",
    "youtubeVideo": "film",
}  # fmt: skip
_TOOLS = ("executableCode", "codeExecutionResult", "functionCall", "functionResponse")
_SURE = 95


def _sniff(source: Source) -> int:
    if source.opening != "{":
        return 0
    return _SURE if any(_chunks(as_fields(value)) is not None for value in source.first[:1]) else 0


def _chunks(root: dict[str, object]) -> list[object] | None:
    chunks = as_fields(root.get("chunkedPrompt")).get("chunks")
    return chunks if isinstance(chunks, list) else None


def _read(source: Source) -> Iterator[Conversation]:
    root = as_fields(next(source.items(), None))
    chunks = _chunks(root)
    if chunks is None:
        message = f"{source.name} is no prompt of Google AI Studio: it holds no chunks."
        raise ReelError(message, hint="download it from the folder Google AI Studio in Google Drive")
    notes = Notes()
    used = as_text(as_fields(root.get("runSettings")).get("model"))
    model = used.removeprefix("models/") if used else None
    groups = [
        list(_read_chunk(as_fields(chunk), model, f"chunk {n}", source, notes))
        for n, chunk in enumerate(chunks, 1)
    ]
    told = _instruction(root.get("systemInstruction"))
    waiting = [
        as_fields(item) for item in as_items(as_fields(root.get("chunkedPrompt")).get("pendingInputs"))
    ]
    draft = next((text for item in waiting if (text := as_text(item.get("text")))), None)
    if draft:
        notes.add("what was typed and not sent was left out", f"“{one_line(draft, 60)}”")
    yield Conversation(
        format="aistudio",
        messages=tuple(
            [Message("system", told, Kind.SYSTEM)] * bool(told) + put_in_order(_with_files(groups))
        ),
        title=as_text(root.get("title"))
        or (source.filename or "").rpartition("/")[2].removesuffix(".json")
        or None,
        model=model,
        problems=notes.lines(),
    )


def _with_files(groups: Sequence[list[Message]]) -> Iterator[list[Message]]:
    """Yield the groups, each file, a chunk of its own, with the words that it was sent with."""
    held: list[Message] = []
    last: list[Message] = []
    for group in groups:
        if group and all(m.role == "user" and m.kind is Kind.ATTACHMENT for m in group):
            (last if last and last[0].role == "user" else held).extend(group)
            continue
        if last:
            yield last
        last, held = group + held, []
    yield last + held


def _instruction(value: object) -> str:
    """Return the system instruction: a string, or an object with a text or with parts."""
    if isinstance(value, str):
        return value
    fields = as_fields(value)
    parts = [text for part in as_items(fields.get("parts")) if (text := as_text(as_fields(part).get("text")))]
    return as_text(fields.get("text")) or "\n\n".join(parts)


def _read_chunk(
    fields: dict[str, object], model: str | None, where: str, source: Source, notes: Notes
) -> Iterator[Message]:
    given = fields.get("role")
    role = _ROLES.get(given) if isinstance(given, str) else None
    if role is None:
        notes.add("a chunk that does not say who speaks was left out", where)
        return
    time = read_time(fields.get("createTime"), source.zone, notes)
    model = model if role == "assistant" else None
    parts = [as_fields(part) for part in as_items(fields.get("parts"))]
    if fields.get("isEdited") is True:
        notes.add("a message that was edited later is kept as it was last")
    said, thoughts = _texts(fields, parts)
    if said.strip():
        kind = Kind.SYSTEM if role == "system" else Kind.SAID
        yield Message(role, said, kind, time=time, model=model)
    if thoughts.strip():
        yield Message(role, thoughts, Kind.REASONING, time=time, model=model)
    for held in (fields, *parts):
        for key in _TOOLS:
            if held.get(key):
                yield Message("tool", compact({key: held[key]}), Kind.TOOL, time=time)
        for key, what in _FILES.items():
            if key in held:
                about = as_fields(held[key])
                name = as_text(about.get("name")) or as_text(about.get("id")) or ""
                yield Message(role, file_label({"type": what, "name": name}), Kind.ATTACHMENT, time=time)
    broken = as_text(fields.get("errorMessage"))
    if broken:
        notes.add("an answer ended in an error", one_line(broken, 80))


def _texts(fields: dict[str, object], parts: list[dict[str, object]]) -> tuple[str, str]:
    """Return what was said, and what was thought: the chunk's own text, else that of its parts."""
    text = as_text(fields.get("text"))
    if text is not None:
        thought = fields.get("isThought") is True or fields.get("thought") is True
        return ("", text) if thought else (text, "")
    texts = [
        (part.get("thought") is True, part["text"]) for part in parts if isinstance(part.get("text"), str)
    ]
    said, thoughts = (
        "".join(str(text) for hidden, text in texts if hidden is side) for side in (False, True)
    )
    return said, thoughts


READER = Reader("aistudio", _sniff, _read)
