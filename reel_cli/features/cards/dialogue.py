"""Example messages and greetings of a card, as exchanges with the speakers' names in bold, and back."""

import re
from collections.abc import Sequence

from reel_cli.features.cards.macros import Names, Span, strip_spans, trace_macros

START = "<START>"
_START = re.compile(r"<start>[ \t]*\n?", re.IGNORECASE)
_PARTED = re.compile(r"(<start>[ \t]*\n?)", re.IGNORECASE)
_SPEAKER = re.compile(r"(?im)^[ \t]*(?:\{\{\s*(char|user)\s*\}\}|<(bot|char|user)>)[ \t]*:[ \t]*")


def split_examples(text: str) -> Sequence[str]:
    """Return the example conversations of `mes_example`, each as it was written, blank ones left out."""
    return [part for part in _START.split(text) if part.strip()]


def join_examples(whole: str, now: Sequence[str | None], more: Sequence[str]) -> str:
    """Return `mes_example` with each example as it is `now` (None: gone), and `more` after them."""
    parts = _PARTED.split(whole)
    texts = iter(now)
    made = ""
    # the marks stand between examples, one before each except perhaps the first
    for mark, part in zip(["", *parts[1::2]], parts[::2], strict=True):
        text = next(texts) if part.strip() else part
        if text is not None:
            made += mark + (_closed(text) if part.endswith("\n") else text)
    for block in more:
        made = f"{_closed(made)}{START}\n{block.strip()}"
    return made


def _closed(text: str) -> str:
    return text if not text or text.endswith("\n") else f"{text}\n"


def to_exchange(text: str, names: Names) -> str:
    """Return one example as a kit holds it, each turn beginning with the speaker's name in bold."""
    return "".join(span.shown for span in trace_exchange(text, names))


def trace_exchange(text: str, names: Names) -> Sequence[Span]:
    """Return the spans of an example, its line ends as a kit has them."""
    plain = text.replace("\r\n", "\n").replace("\r", "\n")
    marked = re.compile(
        rf"(?m)^[ \t]*(?:{re.escape(names.char)}|{re.escape(names.user)})[ \t]*:[ \t]*", re.IGNORECASE
    )
    cuts = sorted(
        (found.start(), found.end(), _who(found, names))
        for pattern in (_SPEAKER, marked)
        for found in pattern.finditer(plain)
    )
    if not cuts:
        return trace_greeting(text, names)
    turns = [_turn(plain[: cuts[0][0]], "", names)]
    for at, (begin, start, who) in enumerate(cuts):
        end = cuts[at + 1][0] if at + 1 < len(cuts) else len(plain)
        turns.append(_turn(plain[start:end], f"**{who}:** ", names, plain[begin:start]))
    spans: list[Span] = []
    for turn in turns:
        shown = any(span.shown for span in turn)
        if shown and any(span.shown for span in spans):
            spans += (Span("", "\n"), Span("", "\n"))
        spans += turn
    return spans


def _turn(text: str, mark: str, names: Names, as_marked: str = "") -> Sequence[Span]:
    """Return the spans of a speaker's words after `mark`, which was written `as_marked`."""
    head, said, tail = strip_spans(trace_macros(text, names))
    begin = Span(as_marked + head, mark if said else mark.rstrip())
    return [span for span in (begin, *said, Span(tail, "")) if any(span)]


def _who(found: re.Match[str], names: Names) -> str:
    word = next((group for group in found.groups() if group), None) if found.re.groups else None
    if word is None:
        word = "user" if found[0].strip().casefold().startswith(names.user.casefold()) else "char"
    return names.user if word.casefold() == "user" else names.char


def to_greeting(text: str, names: Names) -> str:
    """Return the character's greeting as an exchange of one turn; "" if it is empty."""
    return "".join(span.shown for span in trace_greeting(text, names))


def trace_greeting(text: str, names: Names) -> Sequence[Span]:
    """Return the spans of a greeting."""
    head, said, tail = strip_spans(trace_macros(text, names))
    return [Span("", f"**{names.char}:** "), Span(head, ""), *said, Span(tail, "")] if said else ()
