"""Fields of a kit file that nothing reads: the keys that its reader does not know, with their lines."""

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from reel_cli.core.files import front_matter
from reel_cli.core.files.yaml_text import parse_yaml

if TYPE_CHECKING:
    import yaml

ANY, BELOW = "*", "**"
"""In a known place: any one key or entry of a list, and whatever stands below."""
OWN_KEY = "x-"
"""A key that begins so is a person's own."""
LONGEST_WORD = 40
"""Characters of a word that are shown."""
_Place = tuple[str, ...]


def find_unread_fields(text: str, path: str, known: Sequence[str]) -> Iterator[tuple[int, str]]:
    """Yield the line and the name of each key of a YAML text or a front matter that is none of `known`.

    Those are places like `waiting.*.words`. Of a key that is not read, nothing below it is named. Raises
    ReelError where the file cannot be read.
    """
    begins, node = _compose(text, path)
    places = [tuple(place.split(".")) for place in known]
    if node is not None:
        yield from ((begins + line, name) for line, name in _walk(node, (), places))


def find_line(text: str, path: str, *keys: str) -> int:
    """Return the line, from 1, of the last of some keys, each below the one before it.

    Where it is not there, that of the last one that is; 0 for none. Raises ReelError where the file cannot
    be read.
    """
    import yaml

    begins, node = _compose(text, path)
    line = 0
    for name in keys:
        pairs = node.value if isinstance(node, yaml.MappingNode) else ()
        found = next((pair for pair in pairs if pair[0].value == name), None)
        if found is None:
            break
        line, node = begins + found[0].start_mark.line + 1, found[1]
    return line


def _compose(text: str, path: str) -> "tuple[int, yaml.Node | None]":
    """Return the number of lines before the YAML of a file, and what it holds; ReelError for broken YAML."""
    import yaml

    begins = 0
    if not path.endswith((".yaml", ".yml")):
        raw = front_matter.split(text, path).raw
        begins = text[: text.index(raw)].count("\n") if raw else 0
        text = raw
    parse_yaml(text, path)
    return begins, yaml.compose(text, Loader=getattr(yaml, "CBaseLoader", yaml.BaseLoader))


def _walk(node: "yaml.Node", place: _Place, known: Sequence[_Place]) -> Iterator[tuple[int, str]]:
    import yaml

    if isinstance(node, yaml.SequenceNode):
        for one in node.value:
            yield from _walk(one, (*place, ""), known)
    elif isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            name = str(key.value)
            below = (*place, name)
            if any(_is_known(below, pattern) for pattern in known):
                yield from _walk(value, below, known)
            elif not name.startswith(OWN_KEY):
                yield key.start_mark.line + 1, name


def _is_known(place: _Place, pattern: _Place) -> bool:
    reaches = len(place) <= len(pattern) or pattern[-1] == BELOW
    return reaches and all(part in (key, ANY, BELOW) for key, part in zip(place, pattern, strict=False))
