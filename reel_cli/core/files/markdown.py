"""Markdown as its readers see it: sections and list items, not those in fences."""

import re
from collections.abc import Mapping, Sequence

from reel_cli.core.values.memory import Item

_BULLET = re.compile(r"- (?!\d+[.)])([^\s\-*+#>=~`<|_\[&\\][^\t<`]*)")
_PARAGRAPH = re.compile(r"[^\s\-*+#>=~`<|\d_\[&\\][^\t<`]*")
_UNDERLINE = re.compile(r"(?m)^ {0,3}-+[ \t\r]*$")
"""Pattern of a line that makes a heading of the paragraph above it, however short."""
_SIMPLE_HEADING = re.compile(r"(?m)^##[ \t]+(.+?)[ \t]*#*[ \t]*$")


def split_sections(text: str, level: int = 2) -> Mapping[str, str]:
    """Return the text under each heading of `level`, by heading, in order; drops text before the first."""
    sections: dict[str, str] = {}
    lines = text.splitlines(keepends=True)
    spans = heading_lines(text, level)
    for i, (name, _, stop) in enumerate(spans):
        end = spans[i + 1][1] if i + 1 < len(spans) else len(lines)
        content = "".join(lines[stop:end]).strip()
        sections[name] = f"{sections[name]}\n\n{content}" if name in sections else content
    return sections


def heading_lines(text: str, level: int = 2) -> Sequence[tuple[str, int, int]]:
    """Return each heading of `level` with its first line and the line after it (0-based)."""
    marks = ("```", "~~~", "<")
    if level == 2 and not any(mark in text for mark in marks) and not _UNDERLINE.search(text):
        # without fences, HTML or setext headings the plain reading is right
        return [
            (m[1].strip(), line := text.count("\n", 0, m.start()), line + 1)
            for m in _SIMPLE_HEADING.finditer(text)
        ]
    from markdown_it import MarkdownIt

    tokens = MarkdownIt("commonmark").parse(text)
    return [
        (tokens[i + 1].content.strip(), token.map[0], token.map[1])
        for i, token in enumerate(tokens)
        if token.type == "heading_open" and token.tag == f"h{level}" and token.level == 0 and token.map
    ]


def close_blocks(text: str) -> str:
    """Return a text in which no comment, fence or HTML goes on over the next `##` line, or over the end.

    One that nobody closed would hide every heading below it.
    """
    if not any(mark in text for mark in ("```", "~~~", "<")):
        return text
    from markdown_it import MarkdownIt

    parser = MarkdownIt("commonmark")
    # each turn closes one block, and every block has a line
    for _ in range(text.count("\n") + 1):
        tokens = parser.parse(f"{text}\n\n## -\n")
        last = tokens[-1]
        if last.type == "heading_close" or last.map is None:
            break
        lines = text.split("\n")
        first = last.map[0]
        end = next((n for n in range(first + 1, len(lines)) if lines[n].startswith("## ")), len(lines))
        while end > first + 1 and not lines[end - 1].strip():
            end -= 1
        closes = last.markup if last.type == "fence" else _closing_mark(last.content)
        text = "\n".join((*lines[:end], closes, *([""] if end < len(lines) else []), *lines[end:]))
    return text


def _closing_mark(html: str) -> str:
    """Return what ends a block of HTML that blank lines do not end."""
    began = html.lstrip()
    for mark, closes in (("<!--", "-->"), ("<?", "?>"), ("<![CDATA[", "]]>"), ("<!", ">")):
        if began.startswith(mark):
            return closes
    return "</pre>"


def list_items(text: str, sections: Sequence[str]) -> Sequence[Item]:
    """Return the top-level list items under the named `##` sections, in file order."""
    plain = _plain_items(text, sections)
    return _parsed_items(text, sections) if plain is None else plain


def _plain_items(text: str, sections: Sequence[str]) -> Sequence[Item] | None:
    """Return the list items of a text that needs no parser; None if it may need one.

    That is: headings, paragraphs and one-line bullets, nothing indented, fenced, set off or quoted, and
    nothing but a blank line or a bullet after a bullet. Working memory is nearly always so, and
    markdown-it takes longer to import than a checkpoint's commit takes.
    """
    found: list[Item] = []
    section = ""
    after_bullet = False
    for number, line in enumerate(text.splitlines()):
        bullet = _BULLET.fullmatch(line)
        heading = _SIMPLE_HEADING.fullmatch(line)
        if bullet:
            if section in sections:
                found.append(Item(section, bullet[1].strip(), (number, number + 1)))
        elif heading:
            section = heading[1].strip()
        elif line.strip() and (after_bullet or not _PARAGRAPH.fullmatch(line)):
            return None
        after_bullet = bullet is not None
    return found


def _parsed_items(text: str, sections: Sequence[str]) -> Sequence[Item]:
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


_HIGH = re.compile(r"(?m)^[ \t]{0,3}#{1,2}(?=[ \t])")
_UNDERLINE = re.compile(r"(?m)^(?=[ \t]{0,3}(?:=+|-+)[ \t]*$|<{7}|>{7}|={7}|\|{7})")
"""Pattern of lines that turn the line above into a heading, or look like the marks of a conflict."""


def plain_chapter(text: str) -> str:
    """Return text for within a chapter: no heading in it starts another, no comment hides anything."""
    text = _UNDERLINE.sub("\\\\", text.replace("\r", ""))
    return _HIGH.sub("###", text).replace("<!--", "‹!--").replace("-->", "--›").strip("\n")
