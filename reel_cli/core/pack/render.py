"""How a bundle is written: Markdown, or plain text without marks of ours.

A bundle is a chain of units. Each ends in a newline and begins with a mark or word of ours, never with
whitespace or `/`, so that their token counts add up to the whole's. Text taken over verbatim is
therefore in one unit with the heading above it.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple, Self
from zlib import crc32

from reel_cli.core.blockquote import plain_item
from reel_cli.core.pack import words
from reel_cli.core.pack.folding import fold_line
from reel_cli.core.pack.quoting import OWN_LINES, quote_page, quote_said
from reel_cli.core.values.memory import is_brought

if TYPE_CHECKING:
    from reel_cli.core.values.exemplar import Exemplar
    from reel_cli.core.values.memory import IndexLine, Memory

FORMATS = ("markdown", "text", "messages")
"""Formats of a bundle; `messages` is a JSON list of one system message, in Markdown."""

EDITION = 5
"""Raised whenever `Style.memory` or `Style.line` writes the same thing differently: counts are kept by it."""

ANCHORS = "retrieval anchors"
"""The field of a memory that its index line carries already."""


class Style(NamedTuple):
    """The marks of one format; `headings` are those of the title, a section, a part and a field."""

    name: str
    headings: tuple[str, str, str, str]
    item: str
    strong: str
    quoted: str
    """Characters around a title that would otherwise begin a unit with the kit's own character."""
    names: tuple[str, ...] = ()
    """Names of the speakers in the kit's chats: no text of the kit may look like a turn of theirs."""

    def among(self, names: Sequence[str]) -> Self:
        """Return the style for a kit in whose chats these people speak."""
        return self._replace(names=tuple(names))

    # -- the frame -------------------------------------------------------------------------

    def opening(self, name: str) -> str:
        """Return the title, and the line by which a bundle is recognized."""
        return f"{self.headings[0]}{fold_line(name)}\n\n{words.named(words.OPENING, name)}\n\n"

    def closing(self, name: str, *, warm: bool = False, label: str = "") -> str:
        """Return the order of trust, and the bundle's last line; `warm` if there is a story.

        `label` is what a line begins with that the persona may leave to be remembered; "" for none.
        """
        noting = f"{words.noting(label)}\n\n" if label else ""
        trust = words.TRUST_WARM if warm else words.TRUST_TEXT
        return f"{self.section(words.TRUST)}{trust}\n\n{noting}{words.named(words.CLOSING, name)}\n"

    def refresh_opening(self, name: str) -> str:
        """Return the first line of a refresh in the middle of a chat."""
        return f"{words.named(words.REFRESH_OPENING, name)}\n\n"

    def refresh_closing(self, name: str) -> str:
        """Return the last line of a refresh."""
        return f"{words.named(words.REFRESH_CLOSING, name)}\n"

    # -- sections --------------------------------------------------------------------------

    def section(self, title: str, intro: str = "") -> str:
        """Return a section's heading and its first words; not a unit: it goes with the next one."""
        return f"{self.headings[1]}{title}\n\n" + (f"{intro}\n\n" if intro else "")

    def verbatim(self, title: str, text: str) -> str:
        """Return a text of the kit, whole and byte for byte, under a heading."""
        return f"{self.section(title)}{text}" + ("\n" if text.endswith("\n") else "\n\n")

    def exemplar(self, exemplar: "Exemplar") -> str:
        """Return an exchange, verbatim under its title."""
        said = quote_said(exemplar.text, None)
        return f"{self.headings[2]}{self._head(fold_line(exemplar.title))}\n\n{said}\n\n"

    def told(self, title: str, text: str) -> str:
        """Return a part of a section under its own title; the title alone if there is no text."""
        said = self.quote(text)
        head = self._head(fold_line(title) or words.UNTITLED)
        return f"{self.headings[2]}{head}\n\n" + (f"{said}\n\n" if said.strip() else "")

    def further(self, title: str) -> str:
        """Return the heading between memories told at length and those told in a line."""
        return f"{self.headings[2]}{title}\n\n"

    def about(self, category: str) -> str:
        """Return the heading of one kind of facts."""
        return f"{self.headings[2]}{self._head(fold_line(category).capitalize())}\n\n"

    def fact(self, key: str, value: str) -> str:
        """Return a fact, as an item."""
        return f"{self.item}{plain_item(words.known(key, value))}\n"

    def end(self, text: str) -> str:
        """Return a list's last item, in our words."""
        return f"{self.item}{text}\n\n"

    # -- what rows are made of -------------------------------------------------------------

    def line(self, line: "IndexLine") -> str:
        """Return an index line as its description and the phrase to find it by."""
        what = fold_line(line.description) if line.description != line.id else ""
        phrase = fold_line(line.anchor)
        quoted = f'"{phrase}"' if phrase else ""
        return f"{self.item}{plain_item(': '.join(part for part in (what, quoted) if part)) or '…'}\n"

    def memory(self, memory: "Memory", parts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
        """Return a memory whole, as marker and as tag; an L3 is its paragraph, an L4 its one line."""
        title = "" if memory.title == memory.id else fold_line(memory.title)
        date = words.spell_date(memory.order[0])
        told = [(self._field(h), self.quote(t.strip())) for h, t in parts if h.casefold() != ANCHORS]
        told = [(heading, text) for heading, text in told if text]
        if len(told) == 1 and is_brought(memory.tags):
            # lore has but one part, and what it is called says nothing
            told = [("", told[0][1])]
        plain = fold_line(" ".join(t for h, t in parts if h.casefold() != ANCHORS))
        since = f" {words.since(fold_line(memory.no_longer))}" if memory.no_longer else ""
        tag = self._tag(fold_line(memory.tag) or title or plain, date, since)
        if memory.level == "L4":
            line = self._tag(plain or fold_line(memory.tag) or title, date, since)
            return line, line, line
        marker = self._marker(title, date, fold_line(memory.marker) or plain, since)
        if memory.level == "L3":
            marker = self._marker(title, date, plain or fold_line(memory.marker), since)
            return marker, marker, tag
        whole = [f"{self.headings[2]}{self._head(title, date)}\n\n"]
        for heading, text in told:
            whole.append(f"{self.headings[3]}{heading}\n\n{text}\n\n" if heading else f"{text}\n\n")
        if since:
            whole.append(f"{since.strip()}\n\n")
        return "".join(whole), marker, tag

    def told_at_length(self, text: str) -> bool:
        """Return whether a memory's text stands under its own heading rather than in the list."""
        return not text.startswith(self.item)

    def _marker(self, title: str, date: str, text: str, since: str) -> str:
        if not text or text == title:
            return self._tag(title or text, date, since)
        when = f"({date})" if date else ""
        if title and text.startswith(title) and not text[len(title) : len(title) + 1].isalnum():
            # a title that its text begins with says nothing more
            return f"{self.item}{f'{when} {text}' if when else plain_item(text)}{since}\n"
        head = f"{self.strong}{title}{self.strong}" if title else ""
        return f"{self.item}{' '.join(part for part in (head, when) if part) or 'Once'}: {text}{since}\n"

    def _tag(self, text: str, date: str, since: str) -> str:
        return f"{self.item}{plain_item(text) or 'A moment'}{f' ({date})' if date else ''}{since}\n"

    def _field(self, heading: str) -> str:
        """Return a field's heading; in quotes if only that tells it from a section's."""
        title = fold_line(heading)
        return f"“{title}”" if not self.headings[3] and title.casefold() in OWN_LINES else title

    def quote(self, text: str) -> str:
        """Return a text of the kit, quoted where it could be taken for the bundle's own words."""
        return quote_page(text, self.names)

    def _head(self, title: str, date: str = "") -> str:
        named = f"{self.quoted[:1]}{title}{self.quoted[1:]}" if title else ""
        when = f"({date})" if named and date else date
        return " ".join(part for part in (named, when) if part) or "A moment"

    @property
    def key(self) -> str:
        """Return changes whenever the same memory or line would be written differently."""
        people = "\n".join(self.names)
        return f"{self.name} {EDITION} {crc32(people.encode()):08x}"


MARKDOWN = Style("markdown", ("# ", "## ", "### ", "#### "), "- ", "**", "")
PLAIN = Style("text", ("", "", "", ""), "• ", "", "“”")


def style_of(form: str) -> Style:
    """Return the style a format is written in."""
    return PLAIN if form == "text" else MARKDOWN
