"""Messages of the whole tape that have some words, letter for letter: where, and who said them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import NamedTuple

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quotation import SPOKEN
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.tape.tape_view import corrections, read_session, speaker
from reel_cli.core.values.talk import Entry, session_path


class Utterance(NamedTuple):
    """A message with the words that were looked for, and its speaker; "" for what put it right later."""

    session: str
    number: int
    speaker: str

    def __str__(self) -> str:
        """Return the place as `2026-02-10-1#48`."""
        return f"{self.session}#{self.number}"


def find_utterances(snapshot: Snapshot, wanted: Sequence[str]) -> Mapping[str, Sequence[Utterance]]:
    """Return every message with each of some words, in order of the tape, and every correction with them.

    Each session is read once and not kept. Raises StateError where one is damaged.
    """
    looks = {words: _likely(words) for words in wanted if re.search(r"\w", words)}
    settings = snapshot.settings
    found: dict[str, list[Utterance]] = {words: [] for words in wanted}
    for session in snapshot.sessions if looks else ():
        likely, entries = _read_likely(snapshot, session, looks)
        tapes = [(entry, Tape([entry])) for entry in entries]
        for words in likely:
            found[words] += [
                Utterance(
                    session, entry.number or 0, speaker(entry, user=settings.user, persona=settings.name)
                )
                for entry, tape in tapes
                if tape.find(words) is not None
            ]
    for session, text in _corrections(snapshot) if looks else ():
        for words, look in looks.items():
            if look(text.lower().encode(), text.casefold()):
                found[words].append(Utterance(session, 0, ""))
    return found


def _read_likely(
    snapshot: Snapshot, session: str, looks: "Mapping[str, _Look]"
) -> tuple[Sequence[str], Sequence[Entry]]:
    """Return the words that a session may have, and its messages if it may have any.

    A look at the bytes shows for nearly every session that it need not be parsed.
    """
    path = session_path(session)
    data = snapshot.tree.read(path) or b""
    lower = data.lower()
    folded = data.decode("utf-8", "replace").casefold() if not all(map(str.isascii, looks)) else ""
    likely = [words for words, look in looks.items() if look(lower, folded)]
    return likely, parse_session(data, path).shown() if likely else ()


def find_on_tape(snapshot: Snapshot, wanted: Sequence[str], sessions: Iterable[str]) -> frozenset[str]:
    """Return which of some words were said in one of these sessions, letter for letter.

    Each session is read once and not kept. Raises StateError where one is damaged.
    """
    looks = {words: _likely(words) for words in wanted if re.search(r"\w", words)}
    found: set[str] = set()
    for session in sessions:
        if not looks:
            break
        likely, entries = _read_likely(snapshot, session, looks)
        if likely:
            tape = Tape(entries)
            found.update(words for words in likely if tape.find(words))
            looks = {words: look for words, look in looks.items() if words not in found}
    return frozenset(found)


def says_itself(snapshot: Snapshot, words: str, places: Sequence[Utterance]) -> bool:
    """Return whether the persona alone said words, and as its own, neither quoted nor told of somebody.

    Fewer than four words anybody may have said.
    """
    parts = re.findall(r"\w+", words)
    if len(parts) < _OWN or not places or any(one.speaker != snapshot.settings.name for one in places):
        return False
    here = re.compile(r"(?i)" + r"\W{1,8}".join(map(re.escape, parts)))
    for one in places:
        entry = read_session(snapshot, one.session).numbered().get(one.number)
        text = even(entry.message.text) if entry is not None else ""
        found = here.search(text)
        if found is None:
            return False
        line = text[text.rfind("\n", 0, found.start()) + 1 : found.end() + _BESIDE].partition("\n\n")[0]
        if _LENT.search(line):
            return False
    return True


_OWN = 4
_BESIDE = 60
"""Characters behind words in which it may say whose they are."""
_LENT = re.compile(
    rf"[\"“”„«»「」]|(?<!\w)'(?=\w)|\*|(?m:^\s*>)|\b(?:(?i:he|she|they|you|who)|(?!Well\b)[A-Z]\w+)\s+(?:{SPOKEN})\b"
)
"""Pattern of a line that lends its words to somebody."""


def _corrections(snapshot: Snapshot) -> Sequence[tuple[str, str]]:
    """Return the words of every correction, with its session; none if the events were changed."""
    try:
        return [(session, event.text) for session, told in corrections(snapshot).items() for event in told]
    except ReelError:
        return ()


_Look = Callable[[bytes, str], bool]


def _likely(words: str) -> _Look:
    """Return a test of whether words may occur in a session, by its lower-case bytes or folded text."""
    if words.isascii():
        parts = re.findall(rb"[a-z0-9]+", words.lower().encode())
        longest = max(parts, key=len, default=b"")
        bare = re.compile(rb"[^a-z0-9]{0,16}".join(parts))
        return lambda lower, _: longest in lower and bare.search(lower) is not None
    told = re.findall(r"\w+", words.casefold())
    most = max(told, key=len)
    pattern = re.compile(r"\W{0,8}".join(map(re.escape, told)))
    return lambda _, folded: most in folded and pattern.search(folded) is not None
