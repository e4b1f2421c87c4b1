"""Reading Markdown as its readers see it: sections and list items, whatever stands in fences."""

import re
from collections.abc import Mapping, Sequence

from reel_cli.model.working import Item

_SIMPLE_HEADING = re.compile(r"(?m)^##[ \t]+(.+?)[ \t]*#*[ \t]*$")


def split_sections(text: str, level: int = 2) -> Mapping[str, str]:
    """The text under each heading of `level`, by heading, in order; text before the first is dropped."""
    sections: dict[str, str] = {}
    lines = text.splitlines(keepends=True)
    spans = heading_lines(text, level)
    for i, (name, _, stop) in enumerate(spans):
        end = spans[i + 1][1] if i + 1 < len(spans) else len(lines)
        content = "".join(lines[stop:end]).strip()
        sections[name] = f"{sections[name]}\n\n{content}" if name in sections else content
    return sections


def heading_lines(text: str, level: int = 2) -> Sequence[tuple[str, int, int]]:
    """Each heading of `level` with its first line and the line after it (0-based)."""
    if "```" not in text and "~~~" not in text and "<" not in text and level == 2 and "\n---" not in text:
        # no fence, HTML or setext heading can be about: the plain reading is the right one
        return [
            (m[1], line := text.count("\n", 0, m.start()), line + 1) for m in _SIMPLE_HEADING.finditer(text)
        ]
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    return [
        (tokens[i + 1].content.strip(), token.map[0], token.map[1])
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == f"h{level}" and token.level == 0 and token.map
    ]


def list_items(text: str, sections: Sequence[str]) -> Sequence[Item]:
    """The top-level list items under the named `##` sections, in file order."""
    from markdown_it import MarkdownIt

    lines = text.splitlines()
    found: list[Item] = []
    section = ""
    depth = 0
    for i, token in enumerate(tokens := MarkdownIt("commonmark").parse(text)):
        if token.type == "heading_open" and token.level == 0 and token.tag == "h2":
            section = tokens[i + 1].content.strip()
        elif token.type in ("bullet_list_open", "ordered_list_open"):
            depth += 1
        elif token.type in ("bullet_list_close", "ordered_list_close"):
            depth -= 1
        elif token.type == "list_item_open" and depth == 1 and token.map and section in sections:
            start, stop = token.map
            while stop > start and not lines[stop - 1].strip():
                stop -= 1
            raw = " ".join(part.strip() for part in lines[start:stop])
            words = re.sub(r"^(?:[-*+]|\d+[.)])\s+", "", raw)
            found.append(Item(section, words, (start, stop)))
    return found
