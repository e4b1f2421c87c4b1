"""One value, or one item of a list, set or taken out in the text of a YAML file.

All other characters stay, comments among them.
"""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import parse_mapping, render_flow, render_scalar

if TYPE_CHECKING:
    import yaml


def set_value(text: str, path: Sequence[str], value: str, where: str) -> str:
    """Return the text with this value at a path of keys; `value` is YAML on one line.

    A section that is missing is added on one line. Raises ReelError for a text that cannot be read.
    """
    root = _compose(text, where)
    above, node, rest = _descend(root, path)
    if node is not None and not rest:
        return _replace(text, node, value)
    for key in reversed(rest[1:]):
        value = f"{{{render_scalar(key)}: {value}}}"
    return _insert(text, above, rest[0], value, top=above is root)


def drop_value(text: str, path: Sequence[str], where: str) -> str:
    """Return the text without the value at a path of keys, and without sections that are empty then."""
    import yaml

    above, node, rest = _descend(_compose(text, where), path)
    if node is None or rest or not isinstance(above, yaml.MappingNode):
        return text
    if len(path) > 1 and len(above.value) == 1:
        return drop_value(text, path[:-1], where)
    pairs = above.value
    at = next(number for number, (key, _) in enumerate(pairs) if key.value == path[-1])
    key, value = pairs[at]
    if above.flow_style:
        start = pairs[at - 1][1].end_mark.index if at else key.start_mark.index
        end = value.end_mark.index if at or len(pairs) == 1 else pairs[at + 1][0].start_mark.index
        return text[:start] + text[end:]
    start = text.rfind("\n", 0, key.start_mark.index) + 1
    end = text.find("\n", _end(value))
    return text[:start] + (text[end + 1 :] if end >= 0 else "")


def add_item(text: str, path: Sequence[str], item: str, where: str) -> str:
    """Return the text with one more item in the list at a path of keys; one value becomes a list.

    Raises ReelError for a text that cannot be read.
    """
    import yaml

    _, node, rest = _descend(_compose(text, where), path)
    if isinstance(node, yaml.ScalarNode) and not rest:
        return set_value(text, path, render_flow([*([node.value] if node.value else []), item]), where)
    if not isinstance(node, yaml.SequenceNode) or rest or not node.value:
        return set_value(text, path, render_flow([item]), where)
    last = _end(node.value[-1])
    if node.flow_style:
        return f"{text[:last]}, {render_scalar(item)}{text[last:]}"
    end = text.find("\n", last)
    line = f"{' ' * node.start_mark.column}- {render_scalar(item)}\n"
    return f"{text}\n{line}" if end < 0 else f"{text[: end + 1]}{line}{text[end + 1 :]}"


def drop_item(text: str, path: Sequence[str], item: str, where: str) -> str:
    """Return the text without an item of the list at a path of keys; the last one goes with its key.

    Raises ReelError for a text that cannot be read.
    """
    import yaml

    _, node, rest = _descend(_compose(text, where), path)
    if isinstance(node, yaml.ScalarNode) and not rest and node.value == item:
        return drop_value(text, path, where)
    items = node.value if isinstance(node, yaml.SequenceNode) and not rest else []
    at = next((number for number, one in enumerate(items) if one.value == item), None)
    if at is None:
        return text
    if len(items) == 1:
        return drop_value(text, path, where)
    if isinstance(node, yaml.SequenceNode) and node.flow_style:
        start = _end(items[at - 1]) if at else items[at].start_mark.index
        end = _end(items[at]) if at else items[1].start_mark.index
        return text[:start] + text[end:]
    start = text.rfind("\n", 0, items[at].start_mark.index) + 1
    end = text.find("\n", _end(items[at]))
    return text[:start] + (text[end + 1 :] if end >= 0 else "")


def _compose(text: str, where: str) -> "yaml.MappingNode | None":
    """Return the mapping that a text is; None for a text without any value."""
    import yaml

    parse_mapping(text, where)
    try:
        # the loader in Python counts characters, as the text is cut by them; it refuses a few tabs more
        node = yaml.compose(text, Loader=yaml.BaseLoader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        message = f"{where}, line {line}: {error.problem or 'this is not YAML'}."
        raise ReelError(message, hint="correct the line, or put quotes around the text") from None
    return node if isinstance(node, yaml.MappingNode) else None


def _descend(
    root: "yaml.MappingNode | None", path: Sequence[str]
) -> "tuple[yaml.Node | None, yaml.Node | None, Sequence[str]]":
    """Return the node that holds the last key there is, its value, and the keys that there are none of."""
    import yaml

    above: yaml.Node | None = root
    node: yaml.Node | None = root
    for number, key in enumerate(path):
        if not isinstance(node, yaml.MappingNode):
            return node, None, path[number:]
        above = node
        node = next((value for name, value in node.value if name.value == key), None)
        if node is None:
            return above, None, path[number:]
    return above, node, ()


def _replace(text: str, node: "yaml.Node", value: str) -> str:
    start, end = node.start_mark.index, _end(node)
    if start == end:
        # an empty value stands right behind its colon
        return f"{text[:start]} {value}{text[end:]}"
    line = text[text.rfind("\n", 0, start) + 1 : start]
    if not line.strip():
        # a block below its key goes behind the colon
        start = len(text[:start].rstrip())
        return f"{text[:start]} {value}{text[end:]}"
    return f"{text[:start]}{value}{text[end:]}"


def _insert(text: str, above: "yaml.Node | None", key: str, value: str, *, top: bool) -> str:
    import yaml

    line = f"{render_scalar(key)}: {value}"
    flow = isinstance(above, yaml.MappingNode) and above.flow_style
    if above is None or (top and not flow):
        return f"{text}{'' if not text or text.endswith(chr(10)) else chr(10)}{line}\n"
    if not isinstance(above, yaml.MappingNode):
        return _replace(text, above, f"{{{line}}}")
    if above.flow_style:
        end = above.end_mark.index - 1
        head = text[:end].rstrip()
        comma = ", " if above.value and not head.endswith(",") else " " if head.endswith(",") else ""
        return f"{head}{comma}{line}{text[end:]}"
    first = above.value[0][0]
    end = text.find("\n", _end(above))
    indent = " " * first.start_mark.column
    if end < 0:
        return f"{text}\n{indent}{line}\n"
    return f"{text[: end + 1]}{indent}{line}\n{text[end + 1 :]}"


def _end(node: "yaml.Node") -> int:
    """Return the index behind a node's last character, without the comments and empty lines behind it."""
    return max(_ends(node))


def _ends(node: "yaml.Node") -> "Iterator[int]":
    import yaml

    if isinstance(node, yaml.MappingNode) and not node.flow_style:
        for key, value in node.value:
            yield from (*_ends(key), *_ends(value))
    elif isinstance(node, yaml.SequenceNode) and not node.flow_style:
        for item in node.value:
            yield from _ends(item)
    elif isinstance(node, yaml.ScalarNode) and node.style in ("|", ">"):
        yield node.end_mark.index - 1
    else:
        yield node.end_mark.index
