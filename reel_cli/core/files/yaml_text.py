"""YAML read as strings and written so that it reads back as the same strings."""

import json
import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import quote

if TYPE_CHECKING:
    import yaml

Plain: TypeAlias = "str | list[Plain] | dict[str, Plain]"
"""The values of kit YAML: text, lists and mappings; numbers, dates and truth values are not guessed."""

DEEPEST = 64
LARGEST = 8 << 20
"""Characters above which a text is refused unread. A checkpoint with its reply has some 10,000."""
LARGEST_SETTINGS = 1 << 20
"""The same for kit.yaml, which people write by hand."""
MOST_VALUES = 300_000
"""Keys, values, lists and mappings; a hundred thousand of them take the parser a second."""
_MAY_BE_DEEP = re.compile(r"(?m)^[ \t?:-]{32}")
_PLAIN = re.compile(r"[A-Za-z0-9_./+][A-Za-z0-9_ ./+@()-]*(?<! )")
_TAKEN = frozenset({"null", "true", "false", "yes", "no", "on", "off"})


def parse_yaml(text: str, where: str) -> Plain:
    """Parse YAML into strings, lists and dicts; aliases are refused.

    Raises ReelError naming `where` and the line when the text is not YAML.
    """
    import yaml

    most = LARGEST_SETTINGS if where == "kit.yaml" else LARGEST
    if len(text) > most:
        message = f"{where} is larger than {most >> 20} MB, and nothing reel writes there is."
        raise ReelError(
            message,
            hint=f"take the long value out, or put back its last good text:  reel restore {quote(where)}",
        )
    try:
        _guard(text, where)
        loader = getattr(yaml, "CBaseLoader", yaml.BaseLoader)(text)
        try:
            node = loader.get_single_node()
        finally:
            loader.dispose()
        return "" if node is None else _as_strings(node)
    except yaml.MarkedYAMLError as error:
        # the parser reports an unclosed quote at the end of the file; the person mends it where it opens
        opened = error.context_mark if "quoted" in (error.context or "") else _never_closed(text, error)
        # a line without its colon is noticed in the one below
        colon = error.context_mark if error.problem == "could not find expected ':'" else None
        mark = opened or colon or error.problem_mark
        line = mark.line + 1 if mark else 1
        what = "this quotation mark is never closed" if opened else error.problem or "this is not YAML"
        message = f"{where}, line {line}: {what}."
        raise ReelError(message, hint="correct the line, or put quotes around the text") from None
    except (yaml.YAMLError, RecursionError, ValueError) as error:
        message = f"{where} cannot be read as YAML: {str(error).splitlines()[0]}."
        raise ReelError(message) from None


def _as_strings(node: "yaml.Node") -> Plain:
    """Return a node's value with every scalar as a string; yaml's own constructor would guess types."""
    import yaml

    if isinstance(node, yaml.ScalarNode):
        text: str = node.value
        return text
    if isinstance(node, yaml.SequenceNode):
        return [_as_strings(one) for one in node.value]
    found: dict[str, Plain] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            problem = "found unhashable key"
            raise yaml.MarkedYAMLError(problem=problem, problem_mark=key.start_mark)
        found[key.value] = _as_strings(value)
    return found


def _never_closed(text: str, error: "yaml.MarkedYAMLError") -> "yaml.Mark | None":
    """Return where the quotation begins that was never closed and runs into the wrong line; None if none.

    What is not closed ends with the next quotation mark, lines below, and it is there that YAML stumbles.
    """
    import yaml

    wrong: yaml.Mark | None = error.problem_mark
    if wrong is None:
        return None
    try:
        for token in yaml.scan(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
            if token.start_mark.line > wrong.line:
                return None
            if (
                isinstance(token, yaml.ScalarToken)
                and token.style in ("'", '"')
                and token.start_mark.line < token.end_mark.line == wrong.line
            ):
                began: yaml.Mark = token.start_mark
                return began
    except yaml.YAMLError:
        return None
    return None


def parse_mapping(text: str, where: str) -> dict[str, Plain]:
    """Parse YAML that must be a mapping (an empty text is an empty one)."""
    value = parse_yaml(text, where)
    if value == "":
        return {}
    if not isinstance(value, dict):
        message = f"{where} should hold `key: value` lines."
        raise ReelError(message)
    return value


def _guard(text: str, where: str) -> None:
    """Refuse aliases, deep nesting and a flood of values before anything is built of them."""
    import yaml

    if (
        not ("&" in text and "*" in text)
        and not _MAY_BE_DEEP.search(text)
        and sum(map(text.count, "[{")) <= DEEPEST
        and sum(map(text.count, "\n,:-?")) < MOST_VALUES
    ):
        return
    depth = values = 0
    # the C loader builds nested values by recursion, so deep nesting would crash the process
    for event in yaml.parse(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader)):
        values += isinstance(event, yaml.NodeEvent)
        if values > MOST_VALUES:
            message = f"{where} holds more than {MOST_VALUES:,} values."
            raise ReelError(message, hint="nothing reel writes is as long; restore it from history")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if isinstance(event, yaml.AliasEvent):
            message = f"{where} uses YAML aliases, which kits do not."
            raise ReelError(message, hint="write the value out where it is used")
        if depth > DEEPEST:
            message = f"{where} is nested too deeply."
            raise ReelError(message)


_UNSAFE = str.maketrans(
    {chr(c): f"\\u{c:04x}" for c in (*range(0x7F, 0xA0), 0x2028, 0x2029, 0xFEFF, 0xFFFE, 0xFFFF)}
)
"""Characters that YAML forbids or takes for a line end, and that JSON would leave as they are."""


def render_scalar(text: str) -> str:
    """Return one YAML scalar on one line that reads back as exactly `text`."""
    if _PLAIN.fullmatch(text) and text.casefold() not in _TAKEN:
        return text
    return json.dumps(text, ensure_ascii=False).translate(_UNSAFE)


def render_flow(items: Sequence[str]) -> str:
    """Return a flow list on one line: `[a, "b: c"]`."""
    return "[" + ", ".join(render_scalar(item) for item in items) + "]"


def render_value(value: Plain, indent: int = 0) -> str:
    """Return a block-style value, to follow `key:`; ends without a newline."""
    pad = "  " * (indent + 1)
    if isinstance(value, str):
        if "\n" in value and _block_safe(value):
            lines = value.rstrip("\n").split("\n")
            keep = "" if value.endswith("\n") else "-"
            return f" |{keep}\n" + "\n".join(f"{pad}{line}" if line else "" for line in lines)
        return " " + render_scalar(value)
    if isinstance(value, list):
        if not value:
            return " []"
        return "".join(
            f"\n{pad}-{render_value(item, indent + 1)}"
            if isinstance(item, str)
            else f"\n{pad}- {render_inline(item)}"
            for item in value
        )
    if not value:
        return " {}"
    return "".join(f"\n{pad}{render_scalar(k)}:{render_value(v, indent + 1)}" for k, v in value.items())


def render_inline(value: Plain) -> str:
    """Return a value on one line, in quotes and brackets."""
    return json.dumps(value, ensure_ascii=False).translate(_UNSAFE)


def _block_safe(text: str) -> bool:
    """Return whether a literal block keeps this text: printable, no leading space, at most one final LF."""
    return (
        not text.startswith((" ", "\n"))
        and not text.endswith("\n\n")
        and all(c.isprintable() or c == "\n" for c in text)
    )


def render_mapping(value: Mapping[str, Plain]) -> str:
    """Return a whole YAML document from a mapping, in its order."""
    return "".join(f"{render_scalar(k)}:{render_value(v)}\n" for k, v in value.items())
