"""Filter of purged text: a chat that still holds it is recorded without it.

Two ways. A message that was recorded before is known by its tombstone: what is left of it stands around the
mark, the rest is as long as what went, and where little is left, its neighbours are those it had: one of them
with words left, or all of the chat as long as what went, message by message. The words in the place of its
mark go from the chat's new messages as well. And of longer texts there is a print
(`core/tape/erasure/fingerprint`), by which they are known in any chat.
"""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.erasure.fingerprint import Fingerprint, words_of
from reel_cli.core.tape.erasure.record import EVENTS_NAME, PurgeRecord, parse_purges
from reel_cli.core.tape.erasure.target import cut_words, is_too_short
from reel_cli.core.tape.erasure.tombstones import find_tombstones
from reel_cli.core.tape.session_file import read_front
from reel_cli.core.tape.tape_view import read_events, read_session
from reel_cli.core.values.talk import PURGED, Conversation, Entry, Kind, Message, Session, session_path

TELLING = 3
"""Words beside the mark that identify a message; with fewer, its neighbours are needed too."""

RUN = 3
"""Number of consecutive messages identified by their lengths alone, if those are close."""


@frozen
class TombstonedSession:
    """A session with tombstones: how many bytes went out of which entry (its place in the file, from 1).

    `title` is what it is called now, after all that was learnt later.
    """

    session: Session
    gone: Mapping[int, int]
    title: str | None = None


def withhold(
    conversation: Conversation, buried: Iterable[TombstonedSession], prints: Sequence[Fingerprint]
) -> tuple[Conversation, int]:
    """Return the conversation without what was purged, and how many of its messages held some of it."""
    messages = list(conversation.messages)
    title = conversation.title
    known: set[str] = set()
    for one in buried:
        same = one.session.key is not None and one.session.key == conversation.key
        if not same and one.session.key is not None and conversation.key is not None:
            continue
        found = _Alignment(one, messages, same=same).found()
        for at, text in found.items():
            known.update(_gaps(text, messages[at].text))
            messages[at] = replace(messages[at], text=text)
        if (same or found) and title and one.title and PURGED in one.title and _fits(one.title, title):
            title = one.title
    words = sorted(known, key=len, reverse=True)
    for at, message in enumerate(messages):
        # a line that came since may have again what went from the lines before it
        again = cut_words(message.text, words) if words and message.kind is Kind.SAID else message.text
        messages[at] = replace(message, text=_without_prints(again, prints))
    changed = sum(1 for old, new in zip(conversation.messages, messages, strict=True) if old.text != new.text)
    if not changed and title == conversation.title:
        return conversation, 0
    return replace(conversation, messages=tuple(messages), title=title), changed


def _gaps(left: str, text: str) -> Iterator[str]:
    """Yield what stood in the place of each mark; nothing of a message that went whole."""
    parts = _fold(left).split(PURGED)
    found = re.fullmatch("(.+?)".join(map(re.escape, parts)), _fold(text)) if any(parts) else None
    for gap in found.groups() if found else ():
        if not is_too_short(gap):
            yield gap


def _without_prints(text: str, prints: Sequence[Fingerprint]) -> str:
    for one in prints:
        spans = list(one.find(words_of(text)))
        if spans and one.whole:
            return PURGED
        for start, end in reversed(spans):
            text = text[:start] + PURGED + text[end:]
    return text


class _Alignment:
    """A chat held against one session with tombstones."""

    def __init__(self, buried: TombstonedSession, messages: Sequence[Message], *, same: bool) -> None:
        self._same = same
        self._messages = messages
        places = {id(entry): place for place, entry in enumerate(buried.session.entries, start=1)}
        self._shown = buried.session.shown()
        self._gone = [buried.gone.get(places[id(entry)], 0) for entry in self._shown]
        shown = {id(entry) for entry in self._shown}
        self._beside = [
            (entry, buried.gone[place])
            for place, entry in enumerate(buried.session.entries, start=1)
            if place in buried.gone and id(entry) not in shown
        ]
        self._said = [at for at, message in enumerate(messages) if message.kind is Kind.SAID]
        self._runs: dict[int, bool] = {}

    def found(self) -> Mapping[int, str]:
        """Return the messages that match a tombstone, and the tape's text of them."""
        texts: dict[int, str] = {}
        stones = [k for k, gone in enumerate(self._gone) if gone]
        for i, at in enumerate(self._said):
            for k in stones:
                if self._is(i, k) and (
                    _is_telling(self._shown[k]) or self._beside_each_other(i, k) or self._is_run(k - i)
                ):
                    texts[at] = self._shown[k].message.text
                    break
        for at, message in enumerate(self._messages):
            for entry, gone in self._beside if at not in texts else ():
                alike = entry.message.kind is message.kind or entry.message.kind is Kind.SAID
                if alike and _is_stone(entry, gone, message) and (self._same or _is_telling(entry)):
                    texts[at] = entry.message.text
                    break
        return texts

    def _is(self, i: int, k: int, *, close: bool = False) -> bool:
        """Return whether a message is the entry, or was before something was purged from it."""
        entry, message = self._shown[k], self._messages[self._said[i]]
        if not self._gone[k]:
            return _fold(entry.message.text) == _fold(message.text)
        return _is_stone(entry, self._gone[k], message, close=close)

    def _beside_each_other(self, i: int, k: int) -> bool:
        """Return whether the neighbours before and after match in both, as far as there are any.

        Lengths alone prove nothing, so in a chat without this session's key one of the two must have words.
        """
        beside = [
            (i + step, k + step)
            for step in (-1, 1)
            if 0 <= i + step < len(self._said) and 0 <= k + step < len(self._shown)
        ]
        has_words = any(not self._gone[k] or _is_telling(self._shown[k]) for _, k in beside)
        return (self._same or has_words) and all(self._is(*pair) for pair in beside)

    def _is_run(self, shift: int) -> bool:
        """Return whether chat or session holds the other at this shift, with messages of equal length."""
        if shift not in self._runs:
            pairs = [(i, i + shift) for i in range(len(self._said)) if 0 <= i + shift < len(self._shown)]
            enough = len(pairs) >= RUN and len(pairs) == min(len(self._said), len(self._shown))
            self._runs[shift] = enough and all(self._is(i, k, close=True) for i, k in pairs)
        return self._runs[shift]


def _is_stone(entry: Entry, gone: int, message: Message, *, close: bool = False) -> bool:
    """Return whether a message is the entry before the purge: the same words around a gap of that size.

    It may be half as long, for an app may show a text without its marks; with `close` a tenth may be missing.
    """
    if entry.message.role != message.role:
        return False
    text, left = _fold(message.text), _fold(entry.message.text)
    parts = left.split(PURGED)
    size = len(text.encode("utf-8", "surrogatepass"))
    went = size - sum(len(part.encode("utf-8", "surrogatepass")) for part in parts)
    least = gone - gone // 10 if close else gone // 2
    return least <= went <= gone and went > 0 and _fits(left, text)


def _fits(left: str, text: str) -> bool:
    """Return whether a text is what is left, with something in the place of each mark."""
    first, *rest = left.split(PURGED)
    if not rest or not text.startswith(first):
        return left == text
    at = len(first)
    for part in rest[:-1]:
        found = text.find(part, at + 1)
        if found < 0:
            return False
        at = found + len(part)
    return len(text) - len(rest[-1]) > at and text.endswith(rest[-1])


def _is_telling(entry: Entry) -> bool:
    return len(entry.message.text.replace(PURGED, " ").split()) >= TELLING


def _fold(text: str) -> str:
    return " ".join(text.split())


def withhold_purged(snapshot: Snapshot, conversation: Conversation) -> tuple[Conversation, int]:
    """Return the conversation without what this kit purged, and how many messages held it."""
    records = parse_purges(read_events(snapshot))
    if not records:
        return conversation, 0
    prints = [one for record in records for one in record.prints]
    return withhold(conversation, _buried(snapshot, conversation, records), prints)


def _buried(
    snapshot: Snapshot, conversation: Conversation, records: Sequence[PurgeRecord]
) -> list[TombstonedSession]:
    """Return the sessions with tombstones that this conversation could be."""
    found = []
    for name in dict.fromkeys(name for record in records for name in record.places if name != EVENTS_NAME):
        path = session_path(name)
        data = snapshot.read(path)
        if data is None:
            continue
        try:
            key = read_front(data, path).key
            if key is not None and conversation.key is not None and key != conversation.key:
                continue
            stones = find_tombstones(data, path)
            session = read_session(snapshot, name)
        except ReelError:
            continue
        events = (e for e in read_events(snapshot) if e.session == name and e.kind == "title")
        title = next((event.text for event in reversed(list(events))), session.title)
        found.append(TombstonedSession(session, {stone.place: stone.gone for stone in stones}, title))
    return found
