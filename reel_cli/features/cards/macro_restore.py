"""A card's text that was edited in a kit, written again as the card had it wherever the words are the same.

Macros stay where they were, whatever the two are called by now; only what was edited goes out as it reads.
"""

import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import Enum
from functools import cached_property
from typing import TypeVar

from reel_cli.features.cards.macros import Names, Span, clean_text, replace_macros, strip_spans

BOUNDARY = "\0"
"""Separator of two fields in a raw text; no card's text can contain it."""
MOST_PAIRS = 100_000
"""Pairs of equal parts above which nothing is compared between the first change and the last."""
_CHAR, _USER = "\1", "\2"
CHAR_MACRO, USER_MACRO = "{{char}}", "{{user}}"
T = TypeVar("T")


@dataclass(frozen=True)
class NamePair:
    """The two names when a text came (`came`), and now (`now`)."""

    came: Names
    now: Names

    @cached_property
    def _who(self) -> dict[str, str]:
        # a name that has passed from one to the other means whom it meant when the text came
        return {self.now.user: _USER, self.now.char: _CHAR, self.came.user: _USER, self.came.char: _CHAR}

    @cached_property
    def _token(self) -> re.Pattern[str]:
        known = sorted((name for name in self._who if name), key=len, reverse=True)
        names = "|".join(map(re.escape, known)) or r"(?!)"
        # a name may stand in the middle of a word, as macros do
        return re.compile(rf"(?ms)^\*\*(?:{names}):\*\*[ \t]*|{names}|(?:(?!{names})\w)+|.")

    def tokens(self, text: str) -> list[str]:
        """Return a text in words, names and single other characters; a speaker's mark is one."""
        return self._token.findall(text)

    def speaker(self, token: str) -> str:
        """Return the macro that a speaker's mark (`**Mira:** `) stands for; "" if none."""
        marked = token.startswith("**") and token.rstrip().endswith(":**")
        who = self._who.get(token.rstrip()[2:-3], "") if marked else ""
        return {"": "", _CHAR: CHAR_MACRO, _USER: USER_MACRO}[who]

    def written(self, token: str) -> str:
        """Return an exchange's token in the form of a card's example."""
        who = self.speaker(token)
        return f"{who}: " if who else token

    def key(self, token: str) -> str:
        """Return a key that is equal for two tokens with the same meaning."""
        who = self.speaker(token)
        return f"**{who}" if who else self._who.get(token, token)

    def even(self, text: str) -> str:
        """Return a form that is equal for two texts that differ only in the two names."""
        return "".join(map(self.key, self.tokens(text)))


class Kind(Enum):
    """Kinds of a card's text: a field of its own, an example, or a greeting."""

    FIELD = "field"
    EXAMPLE = "example"
    GREETING = "greeting"


class Silent(Enum):
    """Places in which text that a kit does not show (`{{original}}`) is kept, the best first."""

    ANYWHERE = "even where the words around it went"
    BESIDE = "where the words around it stayed"
    NOWHERE = "nowhere"


@dataclass(frozen=True, slots=True)
class Came:
    """A text of a card that came into a kit: as written, stretch by stretch, and how it is read again."""

    raw: str
    spans: Sequence[Span]
    read: Callable[[str], str]
    kind: Kind = Kind.FIELD

    @property
    def shown(self) -> str:
        """Return the text as the kit has it."""
        return "".join(span.shown for span in self.spans).strip()


def restore(came: Came, now: str, naming: NamePair) -> str:
    """Return the card's form of a text that came so and reads `now`; unchanged if only names differ."""
    plain = now.strip()
    if plain == came.shown:
        return came.raw
    literal = write_anew(plain, came.kind, naming)
    if not plain:
        return literal
    wanted = naming.even(came.read(literal))
    for silent in Silent:
        made = "".join(_align(came, plain, naming, silent))
        if naming.even(came.read(made)) == wanted:
            return came.raw if made == clean_text(came.raw) else made
    return literal


def write_anew(text: str, kind: Kind, naming: NamePair) -> str:
    """Return a kit's text in a card's form of this kind; an example's speakers become macros."""
    if kind is Kind.FIELD:
        return text
    tokens = naming.tokens(text.strip())
    if kind is Kind.GREETING:
        own = tokens and naming.speaker(tokens[0]) == CHAR_MACRO
        return "".join(tokens[1:] if own else tokens).strip()
    return "".join(naming.written(token) for token in tokens)


def _align(came: Came, now: str, naming: NamePair, silent: Silent) -> Iterator[str]:
    """Yield the text as written where it is unchanged, else as it reads now; outer blanks as they were."""
    head, spans, tail = strip_spans(came.spans)
    write = naming.written if came.kind is Kind.EXAMPLE else str
    old = [(span, naming.key(span.shown)) for span in _split(spans, naming)]
    new = [(token, naming.key(token)) for token in naming.tokens(now)]
    yield head
    for same, mine, theirs in _matched(old, new):
        pairs = _pairs(mine, theirs, naming) if same else None
        if pairs is not None:
            bare = silent is Silent.NOWHERE
            yield from (_kept(span, token) for span, token in pairs if span.shown or not bare)
            continue
        if silent is Silent.ANYWHERE:
            yield from (span.raw for span in mine if span.raw and not span.shown)
        yield from map(write, theirs)
    yield tail


def _split(spans: Sequence[Span], naming: NamePair) -> list[Span]:
    """Return unchanged spans cut into tokens; the others whole."""
    found: list[Span] = []
    for span in spans:
        if span.raw == span.shown:
            found += (Span(token, token) for token in naming.tokens(span.raw))
        else:
            found.append(span)
    return found


def _line_ends(last: str, key: str) -> bool:
    return last.endswith("\n") and key != "\n"


def _sentence_ends(last: str, key: str) -> bool:
    return last in {".", "!", "?", "…", "。"} and key != last


def _word_ends(last: str, key: str) -> bool:
    return last.isspace() and not key.isspace()


def _token_ends(_last: str, _key: str) -> bool:
    return True


_BY = (_line_ends, _sentence_ends, _word_ends, _token_ends)
"""Functions that cut a text into stretches compared as one, between two tokens, largest first."""


def _matched(
    old: Sequence[tuple[Span, str]],
    new: Sequence[tuple[str, str]],
    by: Sequence[Callable[[str, str], bool]] = _BY,
) -> Iterator[tuple[bool, Sequence[Span], Sequence[str]]]:
    """Yield unchanged and changed stretches: by lines, within those by sentences, and so on.

    Each stretch comes with its key.
    """
    before, after = _cut(old, by[0]), _cut(new, by[0])
    keys, others = (["".join(key for _, key in group) for group in groups] for groups in (before, after))
    for tag, a, b, c, d in _differing(keys, others):
        mine = [one for group in before[a:b] for one in group]
        theirs = [one for group in after[c:d] for one in group]
        if tag == "replace" and len(by) > 1:
            yield from _matched(mine, theirs, by[1:])
        else:
            yield tag == "equal", [span for span, _ in mine], [token for token, _ in theirs]


def _cut(stretches: Sequence[tuple[T, str]], ends: Callable[[str, str], bool]) -> list[list[tuple[T, str]]]:
    found: list[list[tuple[T, str]]] = []
    last = ""
    for one in stretches:
        if not found or (last and one[1] and ends(last, one[1])):
            found.append([])
        found[-1].append(one)
        last = one[1] or last
    return found


def _differing(old: Sequence[str], new: Sequence[str]) -> Iterator[tuple[str, int, int, int, int]]:
    """Yield operations as `difflib` does, without comparing the equal ends."""
    most = min(len(old), len(new))
    head = next((at for at in range(most) if old[at] != new[at]), most)
    tail = next((at for at in range(most - head) if old[-1 - at] != new[-1 - at]), most - head)
    ends = len(old) - tail, len(new) - tail
    yield "equal", 0, head, 0, head
    mine, theirs = old[head : ends[0]], new[head : ends[1]]
    there = Counter(theirs)
    if sum(there[key] for key in mine) > MOST_PAIRS:
        yield "different", head, ends[0], head, ends[1]
    else:
        parts = SequenceMatcher(None, mine, theirs, autojunk=False)
        for tag, a, b, c, d in parts.get_opcodes():
            yield tag, head + a, head + b, head + c, head + d
    yield "equal", ends[0], len(old), ends[1], len(new)


def _pairs(old: Sequence[Span], new: Sequence[str], naming: NamePair) -> Sequence[tuple[Span, str]] | None:
    """Return each span with its present text, "" if it shows nothing; None if they do not pair."""
    pairs = []
    at = 0
    for span in old:
        many = len(naming.tokens(span.shown))
        pairs.append((span, "".join(new[at : at + many])))
        at += many
    return pairs if at == len(new) else None


def _kept(span: Span, token: str) -> str:
    return span.raw if span.raw != span.shown or span.shown == token else token


def reader(names: Names) -> Callable[[str], str]:
    """Return a function that reads a plain field."""
    return lambda text: replace_macros(text, names).strip()
