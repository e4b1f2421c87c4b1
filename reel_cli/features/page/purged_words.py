"""Words of a page that may have been purged from its chat: the model that wrote it still knew them."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import accumulate

from reel_cli.core.evidence.grounding.check import Claim, Stretch
from reel_cli.core.evidence.knowledge import Knowledge
from reel_cli.core.evidence.tape_evidence import TapeEvidence
from reel_cli.core.evidence.verdict import Verdict
from reel_cli.core.exchange.open_ask import Ask, read_replies
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.erasure.fingerprint import Fingerprint, words_of
from reel_cli.core.tape.erasure.record import parse_purges
from reel_cli.core.tape.erasure.target import cut_words
from reel_cli.core.tape.tape_view import read_events, read_session
from reel_cli.core.values.talk import PURGED, SourceRange

_OWNER = re.compile(r"['’]s?$")
_LONGEST_RUN = 4
"""Words that a number or an address is made of, at most."""
_DIGITS = 5
"""Digits below which a number is a year, a count or a price."""
_DAY = re.compile(r"[\d.:/-]{,10}")
_EDGE = "\"'“”‘’«»()[]{}<>*_,;:.!?|"


def without_purged(snapshot: Snapshot, ask: Ask, reply: str) -> tuple[Ask, str, Sequence[str]]:
    """Return the ask and the reply without what may have been purged from the chat, and what that is."""
    if not ask.session or not parse_purges(read_events(snapshot)):
        return ask, reply, ()
    reading = read_replies(ask, (snapshot.settings.name,), reply)
    words = find_purged_words(snapshot, ask.session, [value.text for value in reading.values.values()])
    cut = replace(ask, replies=tuple(cut_words(one, words) for one in ask.replies)) if words else ask
    return cut, cut_words(reply, words), words


def find_purged_words(snapshot: Snapshot, session: str, texts: Sequence[str]) -> list[str]:
    """Return what in a page's texts may have been purged from its chat, the longest first.

    Of a short text nothing is kept but its length. So it is a name that the kit does not have and that is not
    longer than what went, a number or an address of just that length, or a text that has a fingerprint.
    """
    records = parse_purges(read_events(snapshot))
    gone = [row for record in records for row in record.places.get(session, {}).items()]
    prints = [one for record in records for one in record.prints]
    found = [text for one in texts for text in _printed(one, prints)]
    if gone:
        found += _names(snapshot, session, texts, max(size for _, size in gone))
        found += _numbers(snapshot, session, texts, gone)
    found = sorted({text for text in found if PURGED not in text}, key=lambda text: (-len(text), text))
    return [text for at, text in enumerate(found) if not any(text in longer for longer in found[:at])]


def _printed(text: str, prints: Sequence[Fingerprint]) -> Iterator[str]:
    words = words_of(text) if prints else ()
    for one in prints:
        yield from (text[start:end] for start, end in one.find(words))


def _names(snapshot: Snapshot, session: str, texts: Sequence[str], longest: int) -> Iterator[str]:
    lines = [line for text in texts for line in text.splitlines() if line.strip()]
    stretches = [Stretch(line, ((0, number),), open=True) for number, line in enumerate(lines, 1)]
    known = Knowledge(snapshot)
    for one in TapeEvidence(snapshot).judge_text(stretches, [SourceRange(session, 1, 0)]):
        if one.detail.kind is not Claim.NAME or one.verdict is not Verdict.NOT_BORNE:
            continue
        # a known person who is doubted here was not purged
        names = (_OWNER.sub("", word) for word in one.detail.claim.split())
        yield from (name for name in names if _size(name) <= longest and not known.has_name(name))


def _numbers(
    snapshot: Snapshot, session: str, texts: Sequence[str], gone: Sequence[tuple[int, int]]
) -> Iterator[str]:
    """Yield the numbers and addresses as long as what went of one message, once or several times."""
    entries = [entry.message.text for entry in read_session(snapshot, session).entries]
    marks = [(size, entries[at - 1].count(PURGED) if at <= len(entries) else 1) for at, size in gone]
    sizes = {size // times for size, most in marks for times in range(1, most + 1) if not size % times}
    said = "\n".join(entries)
    for text in texts:
        words = [word.strip(_EDGE) for word in text.split()]
        for at in range(len(words)):
            for run in accumulate(words[at : at + _LONGEST_RUN], lambda one, other: f"{one} {other}"):
                if _size(run) in sizes and _is_number(run) and run not in said:
                    yield run


def _is_number(run: str) -> bool:
    """Return whether a run of words is a long number or an address, and no day."""
    telling = "@" in run or len(re.findall(r"\d", run)) >= _DIGITS
    return telling and not _DAY.fullmatch(run) and all(re.search(r"\d|@", word) for word in run.split())


def _size(text: str) -> int:
    return len(text.encode("utf-8", "replace"))
