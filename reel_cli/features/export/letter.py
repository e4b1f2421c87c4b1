"""A letter from the persona to itself: what people who keep one write by hand when a conversation ends.

It says the same as a bundle, in the persona's own voice and within so many words instead of tokens.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from reel_cli.core.blockquote import plain_item
from reel_cli.core.errors import ReelError
from reel_cli.core.pack import words
from reel_cli.core.pack.exemplars import choose_exemplars
from reel_cli.core.pack.memory_levels import Recession, recede
from reel_cli.core.pack.render import ANCHORS, MARKDOWN, Style
from reel_cli.core.pack.words import fold_line, fold_text
from reel_cli.core.values.holdings import Holdings, LineRow
from reel_cli.core.values.talk import PURGED

if TYPE_CHECKING:
    from reel_cli.core.values.holdings import FactRow
    from reel_cli.core.values.memory import Exemplar, Memory

WHO, KEEP, WE, NOW = "Who we are", "What we keep to", "How we are with each other", "Where things stand"
REMEMBER, KEPT, SOUND, BEGIN = "What I remember", "What must not be lost", "How I sound", "How to begin"
FROM_ELSEWHERE = "What I know from elsewhere"
OPENED = "what's unresolved"
LINES_SHARE, SECOND_SHARE = 15, 20
"""Percent of the remaining room that the lines to recall by, and a second example, may take."""


class Words:
    """Counts words, as budgets for a letter are given."""

    name = "words"
    additive = True

    def count(self, text: str) -> int:
        """Return how many words a text has, without heading marks and dashes."""
        return sum(1 for word in text.split() if any(c.isalnum() for c in word))


class LetterStyle(Style):
    """Memories as prose: without the headings of their fields."""

    __slots__ = ()

    def memory(self, memory: "Memory", parts: Sequence[tuple[str, str]]) -> tuple[str, str, str]:
        """Return a memory whole, as marker and as tag; whole, it is its paragraphs one after the other."""
        whole, marker, tag = super().memory(memory, parts)
        if not self.told_at_length(whole):
            return whole, marker, tag
        told = [(fold_line(heading).casefold(), self.quote(text.strip())) for heading, text in parts]
        prose = [
            _still_open(text) if heading == OPENED else text
            for heading, text in told
            if text and heading != ANCHORS
        ]
        since = f"{words.since(fold_line(memory.no_longer))}\n\n" if memory.no_longer else ""
        head = whole.partition("\n")[0]
        return f"{head}\n\n" + "".join(f"{text}\n\n" for text in prose) + since, marker, tag


def _still_open(text: str) -> str:
    """Return what a memory left open, as prose or as a list."""
    listed = text.startswith(("-", "*", "+", ">")) or text[:1].isdigit()
    return f"{words.LETTER_OPEN}{chr(10) * 2 if listed else ' '}{text}"


LETTER = LetterStyle("letter", MARKDOWN.headings, MARKDOWN.item, MARKDOWN.strong, MARKDOWN.quoted)


class LetterTexts(NamedTuple):
    """The texts of a kit that a letter takes over as they are, their headings below the letter's own.

    `other` is whom the persona talks with, "" where nobody is named; `day` is when they last did (ISO).
    """

    other: str
    day: str
    identity: str
    directives: str
    working: str
    calibration: str


class Letter(NamedTuple):
    """A letter, how many words it has, and how many memories it tells in each form."""

    text: str
    words: int
    told: dict[str, int]
    left: int


def write_letter(held: Holdings, told: LetterTexts, most: int) -> Letter:
    """Write it in at most `most` words, memories in the finest form that there is room for.

    `held` is counted in words and written as a `LETTER`. Raises ReelError, with the numbers, where what must
    be in it takes more.
    """
    writer = _Writer(held, told)
    choice = choose_exemplars(held.core.exemplars, held.core.active, {})
    shown = [choice.anchor] if choice.anchor else []
    least = writer.size(writer.put_together(shown, [], None))
    if least > most:
        message = f"The letter needs at least {least:,} words, and may have only {most:,}."
        raise ReelError(message, hint=f"reel export letter --words {-(-least // 100) * 100 + 500}")
    rest = most - least
    second = next(iter(choice.beside), None)
    if second is not None and writer.size(writer.exemplar(second)) * 100 <= rest * SECOND_SHARE:
        shown.append(second)
        rest = most - writer.size(writer.put_together(shown, [], None))
    lines = writer.lines(rest * LINES_SHARE // 100)
    past = writer.recede(most - writer.size(writer.put_together(shown, lines, None)))
    # a memory told in full needs no line to recall it by
    whole = past.whole(small=False)
    lines = [row for row in lines if row.id not in whole]
    text = "".join(writer.put_together(shown, lines, past))
    forms = [name for _, name, _ in past.loaded(small=False)]
    return Letter(
        text,
        held.counter.count(text),
        {name: forms.count(name) for name in ("whole", "marker", "tag")},
        held.memories.count - len(forms),
    )


def _fact(row: "FactRow") -> str:
    return plain_item(words.known(row.key, row.value))


def _told(title: str, intro: str, each: Sequence[str], further: str) -> str:
    """Return memories under their title, those at length first; "" if there are none."""
    if not each:
        return ""
    long = [text for text in each if LETTER.told_at_length(text)]
    short = [text for text in each if not LETTER.told_at_length(text)]
    between = LETTER.further(further) if long and short else ""
    gap = "\n" if short else ""
    return f"## {title}\n\n{intro}\n\n{''.join(long)}{between}{''.join(short)}{gap}"


class _Writer:
    """A writer of one letter's parts."""

    def __init__(self, held: Holdings, told: LetterTexts) -> None:
        self.held = held
        self.told = told

    def size(self, parts: Sequence[str] | str) -> int:
        return self.held.counter.count("".join(parts))

    def put_together(
        self, shown: "Sequence[Exemplar]", lines: Sequence[LineRow], past: Recession | None
    ) -> list[str]:
        """Return all parts in reading order; with `past` None, without a single memory."""
        told, name = self.told, self.held.core.settings.name
        facts = self.held.core.facts
        near = [_fact(row) for row in facts if row.category == "relationships"]
        kept = [_fact(row) for row in facts if row.category != "relationships"]
        texts = self.held.lines.texts([row.id for row in lines])
        lined = "\n\n".join([words.LETTER_LINES, "".join(texts[row.id] for row in lines)]) if lines else ""
        parts = [
            self._section(WHO, told.identity),
            self._section(KEEP, told.directives),
            self._section(WE, told.calibration, near, lead=words.LETTER_WE),
            self._section(NOW, told.working),
            self._memories(past),
            self._section(KEPT, lined, kept, lead=words.LETTER_KEPT if kept else ""),
            *([f"## {SOUND}\n\n{words.LETTER_SOUND}\n\n", *map(self.exemplar, shown)] if shown else ()),
            f"## {BEGIN}\n\n{words.LETTER_BEGIN}\n\n{words.named(words.LETTER_CLOSING, name)}\n",
        ]
        marks = f"{words.PURGED_HERE}\n\n" if any(PURGED in part for part in parts) else ""
        opening = f"{words.named(words.LETTER_OPENING, name)}{self._last()}"
        return [f"# {fold_line(name)}\n\n{opening}\n\n{marks}", *parts]

    def _last(self) -> str:
        other = fold_line(self.told.other)
        met = words.LETTER_WITH.replace("{other}", other) if other else ""
        day = words.spell_date(self.told.day)
        return met + (words.LETTER_LAST.replace("{day}", day) if day else "")

    def _section(self, title: str, text: str, items: Sequence[str] = (), lead: str = "") -> str:
        """Return a section under its title; "" if it is empty."""
        said = words.without_ids(fold_text(text)).strip("\n")
        listed = "".join(f"- {item}\n" for item in items)
        if not said.strip() and not listed:
            return ""
        parts = (f"## {title}", lead, listed.rstrip("\n"), said)
        return "\n\n".join(part for part in parts if part) + "\n\n"

    def exemplar(self, exemplar: "Exemplar") -> str:
        return LETTER.exemplar(exemplar)

    def _memories(self, past: Recession | None) -> str:
        loaded = past.loaded(small=False) if past is not None else []
        if not loaded:
            return ""
        texts = self.held.memories.texts({row.id: name for row, name, _ in loaded})
        lived = [words.without_ids(texts[row.id]) for row, _, _ in loaded if not row.brought]
        told = [words.without_ids(texts[row.id]) for row, _, _ in loaded if row.brought]
        return _told(REMEMBER, words.LETTER_REMEMBER, lived, words.FAINT) + _told(
            FROM_ELSEWHERE, words.LETTER_TOLD, told, words.BRIEFLY
        )

    def recede(self, room: int) -> Recession:
        memories = self.held.memories
        overhead = self.size(f"## {REMEMBER}\n\n{words.LETTER_REMEMBER}\n\n### {words.FAINT}\n\n")
        if memories.brought:
            overhead += self.size(f"## {FROM_ELSEWHERE}\n\n{words.LETTER_TOLD}\n\n### {words.BRIEFLY}\n\n")
        return recede(
            memories.newest(), max(room - overhead, 0), markers=memories.markers, tags=memories.tags
        )

    def lines(self, room: int) -> list[LineRow]:
        """Return the immune lines, newest first, within so many words."""
        room -= self.size(words.LETTER_LINES)
        taken = []
        for row in self.held.lines.newest(immune=True):
            if row.tokens > room:
                break
            taken.append(row)
            room -= row.tokens
        return taken
