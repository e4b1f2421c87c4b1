"""Text that reel itself put into a chat: bundles and prompts, recognized however an app wrapped them.

None of it was said: else a persona would confirm its memories by its own memories. Words that such a handout
quotes may have been said all the same, which the tape tells.
"""

import re
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cached_property, lru_cache
from typing import TypeAlias

from reel_cli.core.errors import ReelError
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.talk import Kind, Message, session_path

Recogniser: TypeAlias = Callable[[str], "tuple[int, int] | None"]
"""Function that returns the (start, end) of reel's own text in a text; None if there is none."""

MOSTLY = 80
"""Percent of a long message's lines that make it a handed-out text."""
_LONG_LINES = 6
_LONG_TEXT = 200
_SHORTEST = 40
"""A handed-out text shorter than this (folded) might be said by anybody."""
_SHORTEST_TITLE = 12
"""A shorter title might be a person's own."""
_START = 4_000
"""Characters of a handed-out text that are folded to rule out what is shorter."""
_MARK = re.compile(r"[^\W_]+")
_MARKS = 4
_FIRST_WORDS = 8
_SAID, _SYSTEM = Kind.SAID, Kind.SYSTEM
_LETTERS_BESIDE = ("\u017f", "\u212a")
"""Characters that equal an s or a k when case is ignored."""
_QUOTES = {"'": "‘’‚`´", '"': "“”„«»", "-": "–—−‐‑"}
"""Characters by what replaces them, one for one, so that offsets in the folded text hold in the text."""


class _HandedText:
    """A text that was handed out; most chats end before anything of it is folded or looked for."""

    def __init__(self, whole: str, is_prompt: Recogniser) -> None:
        """Keep the text as it was handed out."""
        self.whole = whole
        self._is_prompt = is_prompt

    @cached_property
    def kind(self) -> Kind:
        """Return the kind of a message that holds it."""
        return Kind.EXCHANGE if self._is_prompt(self.whole) else Kind.BUNDLE

    @cached_property
    def start(self) -> str:
        """Return its first characters, folded: a text that is shorter does not hold it."""
        return _fold(self.whole[:_START])

    @cached_property
    def text(self) -> str:
        """Return it folded."""
        return _fold(self.whole)

    @cached_property
    def lines(self) -> frozenset[str]:
        """Return its lines, folded."""
        return frozenset(_folded_lines(self.whole))

    @cached_property
    def marks(self) -> tuple[str, ...]:
        """Return its longest words, which occur in every text that holds it."""
        return tuple(sorted(set(_MARK.findall(self.text)), key=lambda word: (-len(word), word))[:_MARKS])


def mark_own(  # noqa: PLR0913 (the texts, and all that tells them apart)
    messages: Sequence[Message],
    *,
    handed: Sequence[str],
    is_bundle: Recogniser,
    is_prompt: Recogniser,
    signs: Sequence[Sequence[str]] | None = None,
    was_said: Callable[[str], bool] = lambda _: False,
) -> list[Message]:
    """Return the messages, with reel's own words marked and separated from what was said.

    A stretch that is a bundle becomes `BUNDLE`, one that is a prompt `EXCHANGE`, and so do the
    answers up to the user's next message; what stands beside them stays said. `handed` are bundles
    and prompts as they were handed out: found whole, trimmed, wrapped anew or with other quotes. They quote
    the tape: what is only a piece of one and `was_said` before, stays said.
    `signs` (lower case) are such that nothing the recognisers find is without all the words of one of
    them, upper or lower case; where they are given, most of an export is passed over quickly.
    """
    texts = _handed_texts(tuple(handed), is_prompt)
    signed = _signed(messages, signs)
    if not signed and not texts:
        return list(messages)
    marked: list[Message] = []
    answering = False
    for message in messages:
        if not (message.kind is _SAID or message.kind is _SYSTEM):
            marked.append(message)
            continue
        if signed or (message.role != "assistant" and _may_be_handed(message.text, texts)):
            parts = _part(message, texts, is_bundle, is_prompt, was_said)
        else:
            parts = [message]
        if message.role == "user":
            answering = any(part.kind is Kind.EXCHANGE for part in parts)
        elif answering and message.role == "assistant":
            parts = [replace(part, kind=Kind.EXCHANGE) if part.kind is Kind.SAID else part for part in parts]
        marked += parts
    return marked


def own_title(title: str | None, marked: Sequence[Message]) -> str | None:
    """Return the title of a chat; None where it is only the beginning of reel's own text in it.

    Many programs call a chat by its first words, and these were a bundle or a prompt.
    """
    words = " ".join((title or "").rstrip(".…").split())
    if len(words) < _SHORTEST_TITLE:
        return title
    own = (m.text for m in marked if m.kind is Kind.BUNDLE or m.kind is Kind.EXCHANGE)
    return None if any(" ".join(text[:_START].split()).startswith(words) for text in own) else title


def _signed(messages: Sequence[Message], signs: Sequence[Sequence[str]] | None) -> bool:
    """Return whether one of the signs may occur in what was said, so that each message must be checked."""
    if signs is None:
        return True
    text = "\n".join([m.text for m in messages if m.kind is _SAID or m.kind is _SYSTEM])
    if not text.isascii() and any(letter in text for letter in _LETTERS_BESIDE):
        return True
    whole = text.encode("utf-8", "surrogatepass").lower()
    return any(all(word in whole for word in sign) for sign in _rarest_first(tuple(map(tuple, signs))))


@lru_cache(maxsize=4)
def _rarest_first(signs: tuple[tuple[str, ...], ...]) -> list[list[bytes]]:
    """Return the signs, each with the word first that is likeliest to be missing: with a colon, or long."""
    rare = (sorted(sign, key=lambda w: (w[-1:] != ":", w[-1:].isalnum(), -len(w))) for sign in signs)
    return [[word.encode() for word in sign] for sign in rare]


def _may_be_handed(text: str, handed: Sequence[_HandedText]) -> bool:
    """Return whether a text may hold a handed-out one, or be most of one; never wrongly False."""
    if not handed:
        return False
    # folding makes no text longer
    if any(len(text) >= len(own.start) and all(mark in text for mark in own.marks) for own in handed):
        return True
    if len(text) < _LONG_TEXT:
        return False
    # a piece of a longer text may begin within a word and continues with whole ones
    first = text.split(None, _FIRST_WORDS)
    inner = [word for word in first[1:_FIRST_WORDS] if word.isascii() and word.isalnum()]
    if len(first) <= _FIRST_WORDS or all(any(word in own.whole for own in handed) for word in inner):
        return True
    lines = [line for line in text.split("\n") if line.strip()]
    # if none of this many lines is reel's, too few of the rest can be
    missing = [_fold(line) for line in lines[: len(lines) * (100 - MOSTLY) // 100 + 1]]
    return len(lines) >= _LONG_LINES and any(line in own.lines for own in handed for line in missing)


@lru_cache(maxsize=4)
def _handed_texts(handed: tuple[str, ...], is_prompt: Recogniser) -> list[_HandedText]:
    texts = [_HandedText(text, is_prompt) for text in handed]
    return [own for own in texts if len(own.start) >= _SHORTEST or len(own.text) >= _SHORTEST]


def _fold(text: str) -> str:
    for plain, marks in _QUOTES.items():
        for mark in marks:
            # many times as fast as `translate`
            text = text.replace(mark, plain)
    return " ".join(text.split())


def is_piece_of(text: str, whole: str) -> bool:
    """Return whether a text is another, or a piece of it, with different wrapping or quotes."""
    return _fold(text) in _fold(whole)


def _folded_lines(text: str) -> list[str]:
    return [folded for line in text.split("\n") if (folded := _fold(line))]


def _part(
    message: Message,
    handed: Sequence[_HandedText],
    is_bundle: Recogniser,
    is_prompt: Recogniser,
    was_said: Callable[[str], bool],
) -> list[Message]:
    """Return one message as the pieces that are reel's and those that are not, in order."""
    parts: list[Message] = []
    text = message.text
    while text.strip():
        own = _first_own(text, is_bundle, is_prompt)
        if own and own[1] == len(text):
            own = own[0], own[0] + _known_end(text[own[0] :], handed), own[2]
        earlier = (
            None
            if message.role == "assistant"
            else _find_handed(text[: own[0]] if own else text, handed, was_said)
        )
        start, end, kind = earlier or own or (len(text), len(text), message.kind)
        if text[:start].strip():
            said = text if start == len(text) else text[:start].rstrip()
            parts.append(replace(message, text=said))
        if end > start:
            parts.append(replace(message, text=text[start:end], kind=kind))
        text = text[end:].lstrip() if end < len(text) else ""
    return parts or [message]


def _first_own(text: str, is_bundle: Recogniser, is_prompt: Recogniser) -> tuple[int, int, Kind] | None:
    """Return the first bundle or prompt by its own build."""
    found: list[tuple[int, int, Kind]] = []
    for kind, recognise in ((Kind.BUNDLE, is_bundle), (Kind.EXCHANGE, is_prompt)):
        span = recognise(text)
        if span is not None and 0 <= span[0] < span[1] <= len(text):
            found.append((*span, kind))
    return min(found, default=None)


def _known_end(text: str, handed: Sequence[_HandedText]) -> int:
    """Return the end of reel's own text at the beginning of `text`, if its last line is in another field.

    That shows by what was handed out; else all of the text is reel's.
    """
    folded = _fold(text)
    known = max((len(own.text) for own in handed if folded.startswith(own.text)), default=0)
    return _unfold(text, 0, known)[1] if known else len(text)


def _find_handed(
    text: str, handed: Sequence[_HandedText], was_said: Callable[[str], bool]
) -> tuple[int, int, Kind] | None:
    """Return where a handed-out text occurs in this one, or all of it if it is mostly such a text."""
    folded = _fold(text)
    for own in handed:
        if own.text == folded:
            return 0, len(text), own.kind
        if len(folded) >= _LONG_TEXT and folded in own.text:
            return None if was_said(text) else (0, len(text), own.kind)
        if own.text in folded:
            start, end = _unfold(text, folded.index(own.text), len(own.text))
            return start, end, own.kind
    lines = _folded_lines(text)
    if len(lines) >= _LONG_LINES and len(folded) >= _LONG_TEXT:
        for own in handed:
            if sum(1 for line in lines if line in own.lines) * 100 >= len(lines) * MOSTLY:
                return None if was_said(text) else (0, len(text), own.kind)
    return None


def _unfold(text: str, start: int, length: int) -> tuple[int, int]:
    """Return the stretch of `text` that folds to `length` characters from `start` of its folded form.

    Folding drops spaces at the edges and makes one of many, and changes no other count.
    """
    place = 0
    first = 0
    spaces = True
    for index, char in enumerate(text):
        if char.isspace():
            spaces = True
            continue
        if spaces and place:
            place += 1
        spaces = False
        if place == start:
            first = index
        place += 1
        if place == start + length:
            return first, index + 1
    return first, len(text)


_WORD = re.compile(r"\w+")
_TELLING = 4
"""Number of a text's longest words that rule out most sessions without parsing them."""


def said_before(snapshot: Snapshot) -> Callable[[str], bool]:
    """Return a test of whether a text is something said in a session, or a piece of it.

    The newest session is looked at first. What was taken back since, or marked otherwise, was said all the
    same.
    """
    held: dict[str, list[str]] = {}

    def was_said(text: str) -> bool:
        words = sorted(set(_WORD.findall(text)), key=len)[-_TELLING:]
        marks = [word.encode("utf-8", "surrogateescape") for word in words]
        for session in reversed(snapshot.sessions):
            data = snapshot.read(session_path(session)) or b""
            if not all(mark in data for mark in marks):
                continue
            if session not in held:
                held[session] = _said_in(data, session)
            if any(is_piece_of(text, whole) for whole in held[session]):
                return True
        return False

    return was_said


def _said_in(data: bytes, session: str) -> list[str]:
    try:
        parsed = parse_session(data, session_path(session))
    except ReelError:
        return []
    return [entry.message.text for entry in parsed.entries if entry.message.kind is Kind.SAID]
