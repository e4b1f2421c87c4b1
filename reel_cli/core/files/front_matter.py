"""Front matter: read it as strings, change single keys, leave every other line as it was."""

import re
from collections.abc import Mapping

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import Plain, parse_mapping, render_scalar
from reel_cli.core.frozen import frozen

_FENCE = re.compile(r"---[ \t]*\r?\n")
_END = re.compile(r"(?m)^---[ \t]*(?:\r?\n|\Z)")


@frozen
class Document:
    """A file's front matter, raw and parsed, and its body, verbatim."""

    raw: str
    fields: Mapping[str, Plain]
    body: str

    def text(self, key: str, default: str = "") -> str:
        """Return a field as one string; a list is joined by commas."""
        value = self.fields.get(key, default)
        if isinstance(value, list):
            return ", ".join(v for v in value if isinstance(v, str))
        return value if isinstance(value, str) else default

    def items(self, key: str) -> tuple[str, ...]:
        """Return a field as a list of strings, from a YAML list or a comma-separated line."""
        value = self.fields.get(key, "")
        if isinstance(value, list):
            return tuple(v for v in value if isinstance(v, str))
        if isinstance(value, str):
            return tuple(part.strip() for part in value.split(",") if part.strip())
        return ()


def split(text: str, where: str) -> Document:
    """Split a file into front matter and body; a file without front matter is all body.

    Raises ReelError naming `where` and the line when the front matter is broken.
    """
    text = text.removeprefix("\ufeff")
    opened = _FENCE.match(text)
    if not opened:
        return Document("", {}, text)
    closed = _END.search(text, opened.end())
    if not closed:
        message = f"{where}, line 1: the front matter is never closed."
        raise ReelError(message, hint="put a line with --- after its last field")
    raw = text[opened.end() : closed.start()]
    body = text[closed.end() :]
    try:
        fields = parse_mapping(raw, where)
    except ReelError as error:
        raise ReelError(_shift(error.message, where), hint=error.hint) from None
    return Document(raw, fields, body)


def _shift(message: str, where: str) -> str:
    """Count the opening fence into the line number."""
    return re.sub(rf"(?<={re.escape(where)}, line )(\d+)", lambda m: str(int(m[1]) + 1), message, count=1)


def render(fields: Mapping[str, str], body: str) -> str:
    """Return a new file: each field's value is YAML text already (`render_scalar`, `render_flow`)."""
    lines = "".join(f"{key}: {value}\n" for key, value in fields.items())
    return f"---\n{lines}---\n{body}"


def set_fields(text: str, changes: Mapping[str, str | None], where: str) -> str:
    """Change, add or (None) remove top-level keys; values are YAML text on one line.

    Lines of other keys, comments and order stay byte for byte.
    """
    document = split(text, where)
    start = text.index(document.raw) if document.raw else 0
    raw = document.raw
    for key, value in changes.items():
        raw = _set_line(raw, key, value)
    if not document.raw:
        return f"---\n{raw}---\n{text}" if raw else text
    return text[:start] + raw + text[start + len(document.raw) :]


def set_yaml_fields(text: str, changes: Mapping[str, str | None]) -> str:
    """Return a pure YAML file (`kit.yaml`) with these fields changed."""
    for key, value in changes.items():
        text = _set_line(text, key, value)
    return text


def _set_line(raw: str, key: str, value: str | None) -> str:
    """Replace a top-level key with its continuation lines, or append it."""
    name = render_scalar(key)
    lines = raw.splitlines(keepends=True)
    if lines and not lines[-1].endswith("\n"):
        lines[-1] += "\n"
    gap = "" if value is not None and value.startswith("\n") else " "
    new = [] if value is None else [f"{name}:{gap}{value}\n"]
    at = next((i for i, line in enumerate(lines) if re.match(rf"{re.escape(name)}[ \t]*:", line)), None)
    if at is None:
        return "".join(lines + new)
    end = at + 1
    for i in range(at + 1, len(lines)):
        if lines[i].strip() and not re.match(r"[ \t]|-(?:[ \t]|$)", lines[i]):
            break
        if lines[i].strip():
            end = i + 1
    return "".join(lines[:at] + new + lines[end:])
