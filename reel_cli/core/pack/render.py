"""How a bundle is written: its units in Markdown, or in plain text without marks of ours.

A bundle is a chain of units, each with its size. Each ends in a newline and begins with a mark or word of
ours, never with whitespace or `/`, so that their token counts add up to the whole's. Text taken over
verbatim is therefore in one unit with the heading above it.
"""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple, Self
from zlib import crc32

from reel_cli.core.blockquote import plain_item
from reel_cli.core.pack import words
from reel_cli.core.pack.unit import CHANGED, LATELY, Beyond, Unit
from reel_cli.core.pack.words import FRAME, OWN_LINES, fold_line, quote_page, quote_said
from reel_cli.core.stage_chain import lived_exchange, remove_syntax
from reel_cli.core.values.holdings import Core, FactRow, LineRow, MemoryRow
from reel_cli.core.values.memory import REEL_TAGS, UNWRITTEN, is_brought

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import Lines, Memories
    from reel_cli.core.values.memory import Exemplar, IndexLine, Memory


FORMATS = ("markdown", "text", "messages")
"""Formats of a bundle; `messages` is a JSON list of one system message, in Markdown."""

EDITION = 8
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

    today: str = ""
    """The line about the day at the bundle's end; "" for none, since a bundle as such reads no clock."""

    def among(self, names: Sequence[str]) -> Self:
        """Return the style for a kit in whose chats these people speak."""
        return self._replace(names=tuple(names))

    # -- the frame -------------------------------------------------------------------------

    def opening(self, name: str, *, purged: bool = False) -> str:
        """Return the title, and the line by which a bundle is recognized.

        `purged` adds the line on the marks of a purge, for a bundle that has any.
        """
        marks = f"{words.PURGED_HERE}\n\n" if purged else ""
        return f"{self.headings[0]}{fold_line(name)}\n\n{words.named(words.OPENING, name)}\n\n{marks}"

    def trust(self, *, warm: bool = False) -> str:
        """Return the order of trust; `warm` if there is a story."""
        return f"{self.section(words.TRUST)}{words.TRUST_WARM if warm else words.TRUST_TEXT}\n\n"

    def closing(self, name: str, *, label: str = "") -> str:
        """Return the bundle's last words, under a heading that tells them from what was said.

        `label` is what a line begins with that the persona may leave to be remembered; "" for none.
        """
        noting = f"{words.noting(label)}\n\n" if label else ""
        today = f"{self.today}\n\n" if self.today else ""
        return f"{self.section(words.HERE)}{noting}{today}{words.named(words.CLOSING, name)}\n"

    def refresh_opening(self, name: str, *, purged: bool = False) -> str:
        """Return the first line of a refresh in the middle of a chat; `purged` as in `opening`."""
        marks = f"{words.PURGED_HERE}\n\n" if purged else ""
        return f"{words.named(words.REFRESH_OPENING, name)}\n\n{marks}"

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
        """Return an exchange, verbatim under its title, except for STAGE and CHAIN syntax (REEL §5.2)."""
        said = quote_said(lived_exchange(exemplar.text), None)
        return f"{self.headings[2]}{self._head(fold_line(remove_syntax(exemplar.title)))}\n\n{said}\n\n"

    def line_of_voice(self, line: str) -> str:
        """Return words of the persona's own as an item."""
        return f"{self.item}{plain_item(fold_line(line))}\n"

    def told(self, title: str, text: str) -> str:
        """Return a part of a section under its own title; the title alone if there is no text."""
        said = self.quote(text)
        head = self._head(fold_line(title) or words.UNTITLED)
        return f"{self.headings[2]}{head}\n\n" + (f"{said}\n\n" if said.strip() else "")

    def further(self, title: str) -> str:
        """Return the heading between memories told at length and those told in a line."""
        return f"{self.headings[2]}{title}\n\n"

    def field(self, title: str) -> str:
        """Return the heading of one field of a memory told at length."""
        return f"{self.headings[3]}{title}\n\n"

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
        told = plain_item(": ".join(part for part in (what, quoted) if part)) or "…"
        own = [fold_line(tag) for tag in line.tags if tag.strip() and tag.casefold() not in REEL_TAGS]
        notes = "; ".join([*own, *([words.LET_GO] if line.pruned else [])])
        return f"{self.item}{told}{f' ({notes})' if notes else ''}\n"

    def memory(self, memory: "Memory", parts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
        """Return a memory whole, as marker and as tag; an L3 is its paragraph, an L4 its one line."""
        title = "" if memory.title == memory.id else fold_line(memory.title)
        date = words.spell_date(memory.order[0])
        parts = [(h, t) for h, t in parts if h.casefold() != ANCHORS and t.strip() != UNWRITTEN]
        told = [(self._field(h), self.quote(t.strip())) for h, t in parts]
        told = [(heading, text) for heading, text in told if text]
        if len(told) == 1 and is_brought(memory.tags):
            # lore has only one part, whose title adds nothing
            told = [("", told[0][1])]
        plain = fold_line(" ".join(t for _, t in parts))
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
            # omit a title that the text begins with
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
        """Return a text of the kit, quoted where it could be taken for the bundle's own words.

        STAGE and CHAIN syntax is left out: it tells what was lived (REEL §5).
        """
        return quote_page(remove_syntax(text), self.names)

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


class FactMarks(NamedTuple):
    """Text around a fact: the heading of a section above it, and whether its kind begins or ends with it."""

    heading: str
    begins: bool
    ends: bool


class Writer:
    """A writer of a bundle's units in one style, which also predicts the size of the lists' own words."""

    def __init__(self, style: Style, count: Callable[[str], int]) -> None:
        """Write in `style` and size by `count`."""
        self.style = style
        self.count = count

    def unit(self, ring: str, name: str, text: str) -> list[Unit]:
        """Return a unit of its own; none if there is no text."""
        return [Unit(ring, name, text, self.count(text))] if text else []

    def clashes(self, told: Sequence[tuple[str, str]]) -> list[Unit]:
        """Return the units of the contradictions: (name, sentence) pairs, one unit each."""
        units = []
        for place, (name, text) in enumerate(told):
            last = place == len(told) - 1
            item = self.style.end(text) if last else f"{self.style.item}{text}\n"
            units.append(Unit(FRAME, name, item, self.count(item)))
        self.open(units, self.style.section(words.CLASH))
        return units

    def changes(self, lines: Sequence[str]) -> list[Unit]:
        """Return the unit that tells what changed since what stands before it; none without lines."""
        items = "".join(f"{self.style.item}{plain_item(line)}\n" for line in lines)
        text = f"{self.style.section(words.CHANGES, words.CHANGES_INTRO)}{items}\n"
        return [one._replace(spot=CHANGED) for one in self.unit(FRAME, CHANGED, text)] if items else []

    def facts(self, rows: Sequence[FactRow]) -> list[Unit]:
        """Return the units of facts, in this order, each kind under its heading."""
        around = zip((None, *rows), rows, (*rows[1:], None), strict=False)
        return [self.fact(row, self.fact_marks(before, row, after)) for before, row, after in around]

    def fact(self, row: FactRow, marks: "FactMarks") -> Unit:
        """Return the unit of a fact with what stands around it."""
        text = self.style.fact(row.key, row.value)
        text = (self.style.about(row.category) if marks.begins else "") + text + ("\n" if marks.ends else "")
        text = marks.heading + text
        return Unit("facts", row.id, text, self.count(text))

    def fact_marks(self, before: FactRow | None, row: FactRow, after: FactRow | None) -> "FactMarks":
        """Return what stands around a fact between these two of a section."""
        begins = before is None or before.category != row.category
        ends = after is None or after.category != row.category
        heading = "" if before is not None else self.style.section(words.KNOWN, words.KNOWN_INTRO)
        return FactMarks(heading, begins, ends)

    # -- ring 4 ----------------------------------------------------------------------------

    def lines_overhead(self, lines: "Lines") -> int:
        """Return the most tokens that the index takes beside its lines."""
        end = self.count(self.style.end(words.RECALL_ALL))
        lived = self.count(self._recall(more=True)) + end
        if not lines.brought:
            return lived
        heard = self.count(self._heard(more=True)) + end
        return heard + (lived if lines.count > lines.brought else 0)

    def _recall(self, *, more: bool) -> str:
        return self.style.section(words.RECALL, _with_more(words.RECALL_INTRO, words.RECALL_MORE, more=more))

    def _heard(self, *, more: bool) -> str:
        return self.style.section(words.HEARD, _with_more(words.HEARD_INTRO, words.HEARD_MORE, more=more))

    def lines(
        self, rows: Sequence[LineRow], texts: Mapping[str, str], *, more: bool, more_heard: bool = False
    ) -> list[Unit]:
        """Return the units of the index, oldest line first, with what was not lived apart.

        `rows` are the newest first. `more` says that lines were left out, `more_heard` that lines of what was
        not lived were.
        """
        oldest = rows[::-1]
        lived = [Unit("4", row.id, texts[row.id], row.tokens) for row in oldest if not row.brought]
        self.open(lived, self._recall(more=more))
        self._close(lived, "" if more else words.RECALL_ALL)
        heard = [Unit("4", row.id, texts[row.id], row.tokens) for row in oldest if row.brought]
        self.open(heard, self._heard(more=more_heard))
        self._close(heard, "" if more_heard else words.RECALL_ALL)
        return lived + heard

    # -- ring 3 ----------------------------------------------------------------------------

    def memories_overhead(self, memories: "Memories", *, late: bool = False, gone: int = 0) -> int:
        """Return the most tokens that the memories' sections take beside the memories.

        `late` is whether those of the last evenings have a section of their own, `gone` how many were let go.
        """
        longest = Beyond(told=True, lived=True, gone=gone)
        lived = self.count(self._remember(longest)) + self.count(self.style.further(words.FAINT))
        lived += self.count(self.style.section(words.REMEMBER_LATELY)) if late else 0
        if not memories.brought:
            return lived
        told = self.count(self._told(longest)) + self.count(self.style.further(words.BRIEFLY))
        return told + (lived if memories.count > memories.brought else 0)

    def _remember(self, beyond: "Beyond", below: str = "") -> str:
        intro = _with_more(words.REMEMBER_INTRO, words.REMEMBER_MORE, more=beyond.lived)
        intro = _with_more(intro, words.REMEMBER_ALL, more=beyond.none_lived)
        intro = _with_more(intro, words.REMEMBER_GONE.format(number=beyond.gone), more=bool(beyond.gone))
        return self.style.section(words.REMEMBER, _with_more(intro, below, more=bool(below)))

    def _told(self, beyond: "Beyond") -> str:
        intro = _with_more(words.TOLD_INTRO, words.TOLD_MORE, more=beyond.told)
        intro = _with_more(intro, words.REMEMBER_ALL, more=beyond.none_told)
        return self.style.section(words.TOLD, intro)

    def memories(
        self,
        loaded: Sequence[tuple[MemoryRow, str, int]],
        texts: Mapping[str, str],
        beyond: "Beyond",
        *,
        apart: bool = False,
        late: Collection[str] = (),
    ) -> list[Unit]:
        """Return the units of the memories: what was not lived stands first, since it hardly changes.

        Of each those told in a line come first, then those told at length; each group oldest first, while
        `loaded` is newest first. `beyond` says what there is besides. `apart` says that there are
        scenes below those of the lived that are told at length. Those in `late` stand apart, behind all that
        has settled.
        """
        heard, short = self._by_length([one for one in loaded if one[0].brought], texts)
        told = self._with_further(short, heard, words.BRIEFLY)
        self.open(told, self._told(beyond))
        lately = [one for one in loaded if not one[0].brought and one[0].id in late]
        earlier = [one for one in loaded if not one[0].brought and one not in lately]
        if not earlier:
            lately, earlier = [], lately
        last = self._write_lately(lately, texts)
        pages, faint = self._by_length(earlier, texts)
        below = words.SCENES_BELOW if apart and pages else ""
        if faint and below:
            self._close(faint)
            self.open(pages, self.style.section(words.REMEMBER_MORE_FULLY, below))
            lived = faint + pages
        else:
            lived = self._with_further(faint, pages, words.FAINT)
        self.open(lived, self._remember(beyond, "" if faint else below))
        at_length = {unit.id for unit in pages}
        return told + [unit._replace(page=unit.id) if unit.id in at_length else unit for unit in lived] + last

    def _write_lately(
        self, loaded: Sequence[tuple[MemoryRow, str, int]], texts: Mapping[str, str]
    ) -> list[Unit]:
        """Return the units of the last evenings' memories, the oldest first, under a heading of their own."""
        pages, faint = self._by_length(loaded, texts)
        self._close(faint)
        units = faint + [unit._replace(page=unit.id) for unit in pages]
        self.open(units, self.style.section(words.REMEMBER_LATELY))
        return [unit._replace(spot=LATELY) for unit in units]

    def _by_length(
        self, loaded: Sequence[tuple[MemoryRow, str, int]], texts: Mapping[str, str]
    ) -> tuple[list[Unit], list[Unit]]:
        """Return the units told at length, and those told in a line, the oldest first."""
        made = [Unit("3", row.id, texts[row.id], size, name) for row, name, size in reversed(loaded)]
        at_length = [self.style.told_at_length(unit.text) for unit in made]
        pages = [unit for unit, is_page in zip(made, at_length, strict=True) if is_page]
        return pages, [unit for unit, is_page in zip(made, at_length, strict=True) if not is_page]

    def _with_further(self, faint: list[Unit], pages: list[Unit], further: str) -> list[Unit]:
        if pages:
            self.open(faint, self.style.further(further))
        self._close(faint)
        return faint + pages

    # -- headings go with the first unit, last items with the last ------------------------------

    def open(self, units: list[Unit], text: str) -> None:
        """Write a section's heading before the first of its units."""
        if units:
            first = units[0]
            tokens = first.tokens + self.count(text)
            units[0] = first._replace(text=text + first.text, tokens=tokens)

    def open_list(self, units: list[Unit], heading: str) -> None:
        """Write a list's heading before its first item, and a blank line behind its last."""
        self.open(units, heading)
        self._close(units)

    def _close(self, units: list[Unit], said: str = "") -> None:
        """Write a list's end behind its last item: our last words, or a blank line."""
        if units:
            last, end = units[-1], self.style.end(said) if said else ""
            text = last.text + (end or "\n")
            tokens = last.tokens + self.count(end) if end else self.count(text)
            units[-1] = last._replace(text=text, tokens=tokens)


def _with_more(intro: str, more_said: str, *, more: bool) -> str:
    return f"{intro} {more_said}" if more else intro


def core_tokens(core: Core, count: Callable[[str], int]) -> Mapping[str, int]:
    """Return the tokens of rings 0 to 2, as they would be written into a bundle."""
    slugs = {core.active.anchor, *core.active.active}
    voice = [MARKDOWN.exemplar(exemplar) for exemplar in core.exemplars if exemplar.slug in slugs]
    heading = [MARKDOWN.section(words.VOICE, words.VOICE_INTRO)] if voice else []

    def size(title: str, text: str) -> int:
        return count(MARKDOWN.verbatim(title, text)) if text.strip() else 0

    return {
        "0": size(words.WHO, core.identity) + size(words.HOW, core.directives),
        "1": sum(count(text) for text in (*heading, *voice)),
        "2": size(words.NOW, core.working),
    }
