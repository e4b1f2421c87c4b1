"""What reel itself put into a chat: bundles and prompts, recognised however an app has wrapped them.

None of it was said (DESIGN §2, "The tape is the truth"): else a persona would confirm its memories by its
own memories.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TypeAlias

from reel_cli.model.tape import Kind, Message

Recogniser: TypeAlias = Callable[[str], "tuple[int, int] | None"]
"""Where in a text, as (start, end), something of reel's stands; None where nothing does."""

MOSTLY = 80
"""So many per cent of a long message's lines make it a handed-out text."""
_LONG_LINES = 6
_LONG_TEXT = 200
_QUOTES = str.maketrans({
    "‘": "'", "’": "'", "‚": "'", "`": "'", "´": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"',
    "–": "-", "—": "-", "−": "-", "‐": "-", "‑": "-",
})  # fmt: skip
"""One character for one, so that a place in the folded text can be found again in the text."""


@dataclass(frozen=True, slots=True)
class _Handed:
    """A text that was handed out, folded."""

    kind: Kind
    text: str
    lines: frozenset[str]


def mark_own(
    messages: Sequence[Message], *, handed: Sequence[str], is_bundle: Recogniser, is_prompt: Recogniser
) -> list[Message]:
    """The messages, with reel's own words marked and parted from what was said.

    A stretch that is a bundle becomes `BUNDLE`, one that is a prompt `EXCHANGE`, and so do the
    answers up to the user's next message; what stands beside them stays said. `handed` are bundles
    and prompts as they were handed out: found whole, trimmed, wrapped anew or with other quotes.
    """
    texts = [_fold_handed(text, is_prompt) for text in handed if text.strip()]
    marked: list[Message] = []
    answering = False
    for message in messages:
        if message.kind not in {Kind.SAID, Kind.SYSTEM}:
            marked.append(message)
            continue
        parts = _part(message, texts, is_bundle, is_prompt)
        if message.role == "user":
            answering = any(part.kind is Kind.EXCHANGE for part in parts)
        elif answering and message.role == "assistant":
            parts = [replace(part, kind=Kind.EXCHANGE) if part.kind is Kind.SAID else part for part in parts]
        marked += parts
    return marked


def _fold_handed(text: str, is_prompt: Recogniser) -> _Handed:
    kind = Kind.EXCHANGE if is_prompt(text) else Kind.BUNDLE
    return _Handed(kind, _fold(text), frozenset(_folded_lines(text)))


def _fold(text: str) -> str:
    return " ".join(text.translate(_QUOTES).split())


def _folded_lines(text: str) -> list[str]:
    return [folded for line in text.split("\n") if (folded := _fold(line))]


def _part(
    message: Message, handed: Sequence[_Handed], is_bundle: Recogniser, is_prompt: Recogniser
) -> list[Message]:
    """Split one message at the first thing of reel's in it, and go on with what is left of it."""
    own: tuple[int, int, Kind] | None = None
    for kind, recognise in ((Kind.BUNDLE, is_bundle), (Kind.EXCHANGE, is_prompt)):
        span = recognise(message.text)
        if span is not None and 0 <= span[0] < span[1] <= len(message.text):
            own = (*span, kind)
            break
    if own is None and message.role != "assistant":
        own = _find_handed(message.text, handed)
    if own is None:
        return [message]
    start, end, kind = own
    before = replace(message, text=message.text[:start].rstrip())
    after = replace(message, text=message.text[end:].lstrip())
    parts = [replace(message, text=message.text[start:end], kind=kind)]
    if before.text:
        parts.insert(0, before)
    return [*parts, *_part(after, handed, is_bundle, is_prompt)] if after.text else parts


def _find_handed(text: str, handed: Sequence[_Handed]) -> tuple[int, int, Kind] | None:
    """Where a handed-out text stands in this one, or (whole) that this one is mostly such a text."""
    folded = _fold(text)
    for own in handed:
        if own.text == folded or (len(folded) >= _LONG_TEXT and folded in own.text):
            return 0, len(text), own.kind
        if own.text in folded:
            start, end = _unfold(text, folded.index(own.text), len(own.text))
            return start, end, own.kind
    lines = _folded_lines(text)
    if len(lines) >= _LONG_LINES and len(folded) >= _LONG_TEXT:
        for own in handed:
            if sum(1 for line in lines if line in own.lines) * 100 >= len(lines) * MOSTLY:
                return 0, len(text), own.kind
    return None


def _unfold(text: str, start: int, length: int) -> tuple[int, int]:
    """The stretch of `text` that folds to `length` characters from `start` of its folded form.

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
