"""The user's words that a fact without a quotation may rest on, chosen from the turns of its chats."""

from collections.abc import Collection, Iterator, Sequence

from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.evidence.unspaced_clause import find_said, is_east_asian
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Entry, Session

_MOST = 4
"""Number of places that are looked at for a fact, those with most of its words."""
_NEAR = 4
"""Messages between two turns of the user that say a fact together."""
_SHARE = 0.5
"""Share of a value's words that a place must have."""
_SHORT = 12
"""Words up to which a turn may be only the answer to the question before it."""
_TOKEN = late(r"\w+")
_STOPS = late(r"[。！？!?\n]")


@frozen
class ChosenWords:
    """Words of a chat for a fact, as a page would quote them, and the last message they are of."""

    session: str
    number: int
    words: str


def choose_words(
    value: str, sessions: Sequence[Session], within: Collection[tuple[str, int]]
) -> list[ChosenWords]:
    """Return the places of the user's words that have most of a value's, the newest of equal ones first.

    Only messages `within` count, by session and number.
    """
    found: list[tuple[int, str, ChosenWords]] = []
    wanted = _words_of(value)
    for session in sessions:
        for count, one in _choose(value, wanted, session, within):
            when = next(entry.message.time or "" for entry in session.shown() if entry.number == one.number)
            found.append((count, when or session.id, one))
    most = max((count for count, _, _ in found), default=0)
    best = [one for one in found if one[0] == most and most >= _SHARE * len(wanted)]
    best.sort(key=lambda one: (one[1], one[2].session, one[2].number), reverse=True)
    return [one for _, _, one in best[:_MOST]]


def _choose(
    value: str, wanted: frozenset[str], session: Session, within: Collection[tuple[str, int]]
) -> Iterator[tuple[int, ChosenWords]]:
    """Yield the places in a chat with words of a value, and how many."""
    shown = [one for one in session.shown() if one.number and (session.id, one.number) in within]
    asked: Entry | None = None
    last: tuple[int, str, frozenset[str]] = (0, "", frozenset())
    for entry in shown:
        number, text = entry.number or 0, entry.message.text
        if entry.message.role != "user":
            asked = entry
            continue
        if is_east_asian(value):
            if said := find_said(value, text):
                part = next((one for one in _STOPS.split(text) if said in one), said)
                yield len(wanted), ChosenWords(session.id, number, part.strip())
            asked = None
            continue
        words, held = _sentences_with(wanted, text)
        question = _last_question(asked) if asked is not None else ""
        more = _words_of(question) & wanted - held
        if question and more and len(text.split()) <= _SHORT:
            whole = f"{question} / {words or _first(text)}"
            yield len(held | more), ChosenWords(session.id, number, whole)
        elif words:
            yield len(held), ChosenWords(session.id, number, words)
            before, said, known = last
            if said and held - known and known - held and number - before <= _NEAR:
                yield len(held | known), ChosenWords(session.id, number, f"{said} / {words}")
            last = number, words, held
        asked = None


def _sentences_with(wanted: frozenset[str], text: str) -> tuple[str, frozenset[str]]:
    """Return the sentences of a turn that have words of a value, each another one, and these words."""
    told = [one_line(text[start:end]) for start, end in sentences(even(text)) if text[start:end].strip()]
    held = [(_words_of(one) & wanted, at, one) for at, one in enumerate(told)]
    chosen: list[tuple[int, str]] = []
    known: frozenset[str] = frozenset()
    for mine, at, one in sorted(held, key=lambda part: (-len(part[0]), part[1])):
        if mine - known:
            chosen.append((at, one))
            known |= mine
    return " / ".join(one for _, one in sorted(chosen)), known


def _words_of(text: str) -> frozenset[str]:
    """Return the roots of a text's telling words, and its numbers; all words where it has none."""
    plain = even(text)
    tokens = frozenset(one.casefold() for one in _TOKEN.findall(plain))
    numbers = frozenset(one for one in tokens if one[:1].isdigit())
    return (telling(plain) | numbers) or tokens


def _last_question(entry: Entry) -> str:
    text = entry.message.text
    told = [one_line(text[start:end]) for start, end in sentences(even(text)) if text[start:end].strip()]
    return told[-1] if told and told[-1].endswith("?") else ""


def _first(text: str) -> str:
    return next((one_line(text[a:b]) for a, b in sentences(even(text)) if text[a:b].strip()), one_line(text))
