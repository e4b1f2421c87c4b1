"""Words of a chat by which a page closes a note: they stand there, and do not deny it (REEL §6.6)."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import field
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.date_words import MONTHS
from reel_cli.core.evidence.grounding.dates import dates
from reel_cli.core.evidence.grounding.lexicon import even, sentences, telling
from reel_cli.core.evidence.phrases import PhraseMatch, Tape, find_claim, fold, quotations
from reel_cli.core.files.checkpoint_file import read_checkpoint, session_of_checkpoint
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import frozen, late
from reel_cli.core.quote_marks import unquote
from reel_cli.core.tape.talks import talk_day
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.approval import PROTECTING
from reel_cli.core.values.change import one_line
from reel_cli.features.page.notes.note_likeness import asks, is_question, noted_day
from reel_cli.features.page.prompt.loops import OF_LOOPS, has_deadline

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.memory import Item
    from reel_cli.core.values.talk import Entry, Session

LEAST_WORDS = 3
"""Words of a quotation below which it settles nothing."""
_COMMON = 2
"""Telling words that a sentence shares with a note made of it, or all of a shorter one's, and with others."""
_MOST = 0.6
"""Share of a note's own roots that a clause about it has."""
_SAME = 5
"""Letters with which two words begin that are of one family: `photo`, `photographs`."""
_OF_MONTHS = telling(" ".join(MONTHS))
OF_EVERYTHING = telling("good great big new really awesome amazing fun love glad happy time thanks")
"""Roots of words that are said of everything; what somebody does (`come`) may well be of the note."""
_CLOSED = late(
    r"(?i)\b(?:closed|close|done|resolved|finished|settled|completed?|no longer open)\b[\"'”’]?[\s:.,;–—>→-]*"
)
_SAME_AS = late(
    r"(?i)\b(?:same (?:\w+ )?as|see|covered by|part of|merged into|repeats)"
    r" (?:no\. ?|(?:note|item|number|loop|thread) |#)?(\d{1,3})\b"
)
_LEAVES_OPEN = late(
    r"(?i)\b(?:yet|hope|hopes|hoping|hopefully|maybe|perhaps|might|whether|soon|not sure|don't know)\b"
    r"|\bstill (?:not?|never|has|have|had|needs?|must|to|on|out|open|due|waits?|missing|\w+ing|\w+n't)\b"
    r"|\?\W*$"
)
"""Pattern of words that settle nothing; that it is `still 54` may."""
_DENIES = late(r"(?i)\b(?:not|never|cannot)\b|n't\b")
_YET = r"ha(?:ve|s|d)(?:n't| not| never)\b|not (?:yet|done|ready|finished|so far)\b"
_NOT_YET = late(rf"(?i)\b(?:{_YET})")
_NOT_DONE = late(
    rf"(?i)\b(?:{_YET}|did(?:n't| not| never)\b)|(?:\b(?:is|are|was|were)|'s|'re)(?:n't| not) (?:\w+ )?"
    r"(?:here|there|back|in|out|sold|paid|sent|found"
    r"|(?!(?:need|want|allow|invit|plann|suppos|interest)ed\b)\w{2,}ed)\b"
)
"""Pattern of a denial that tells how a thing stands, not that it is given up: `I didn't`, `it isn't back`."""
_ENDS = late(
    r"(?i)\b(?:won't|will not|no longer|any ?more|no need|never mind|forget it|called off|cancel\w*|decided"
    r"|dropped|given up|gave up|bro(?:ke|ken) (?:it|(?:my|his|her|their|the|that|a) (?:promise|word))"
    r"|promise broken|never (?:was|were)|(?:made|making) (?:it|that|them) up|misheard)\b"
    r"|\boff(?=\W*(?:$|[.,;!]))"
    r"|(?:n't|\bnot) (?:going|doing|happening|need\w*|matter|want|have to)\b"
)
"""Pattern of words by which something is over, done or not: `I'm not going`, `it's off`."""
_FORBIDS = late(
    r"(?i)\b(?:can['’]t|cannot|may not|must not|mustn['’]t|never) (?:have|eat|drink|take|touch)\b"
    r"|\bno \w+ for\b|[\"“]no \w+[\"”]"
)
"""Pattern of what somebody must not have, in a note: `no kiwi for Fenna`."""
_EARLY = late(
    r"(?i)\b(?:done|over|sorted|finished|settled|already|early|earlier|later|moved?|postponed"
    r"|put off|put back|brought forward|rescheduled|instead)\b"
)
"""Pattern of words by which what has its day ahead is done already, or has another day."""
_MAY_TELL = late(
    r"(?i)\b(?:it|its|he|him|his|she|her|they|them|their|that|there|both"
    r"|(?<!to )(?<!will )(?<!'ll )(?:cut|put|let|set|read|quit|shut|hit|hurt|split))\b(?!['’]s me\b)"
)
"""Pattern of words that may be of whatever was named before them, or may tell of a deed: `I cut it`."""
_NAME = late(r"(?<=[^\W\d_] )[A-Z][^\W\d_]+|\b[A-Z][^\W\d_]+(?='s\b)")
"""Pattern of a name in a note: not its first word, which may be any, unless something is of it."""
_LIGHT = telling("come comes coming go goes going get gets off out back take takes give gives")
"""Roots of words that any appointment may have."""
_OF_CHILD = late(r"(?i)\b(?:child|baby|twins?|birth|due|grand(?:child|son|daughter|father|mother|pa|ma))\b")
_IS_BORN = late(
    r"(?i)^\W*(?:(?:it's |it is |we have )?an? )?(?:boy|girl)\b"
    r"|\b(?:(?:was|were|is|been|got) born|born (?:yesterday|today|this|last|at|on)"
    r"|had (?:the|her|his) (?:baby|child|twins)|\d (?:grams|pounds|lbs?|kilos?|kg))\b"
)
"""Patterns of a note that waits for a child, and of words that tell of one who is there."""
_CLAUSE_ENDS = late(r"(?i)[,;:.!?\n]|\s[-–—]\s|\s(?:but|and)\s")


@frozen
class SettlingWords:
    """Closed items by number, with the words of the chat that settle each, or deny that it is done."""

    by: Mapping[int, str]
    denied: Mapping[int, str]
    about: Mapping[int, bool]
    """Numbers of those whose words are about the note: True where they have a word of it."""
    far: Collection[int] = ()
    """Numbers of those of which neither the words, without a number, nor the turns beside have a word."""
    idle: Collection[int] = ()
    """Numbers of those in `far` whose words tell of nothing done, and point at nothing before."""
    ends: Collection[int] = ()
    """Numbers of those whose words tell of the note itself, or beside it of something done, off or moved."""
    short: Mapping[int, str] = field(default_factory=dict)
    """Words that were said and are too few to settle anything, by the number of their item."""


def find_settling_words(
    snapshot: "Snapshot",
    session: "Session",
    items: Mapping[int, "Item"],
    closed: Collection[int],
    lines: Sequence[tuple[int, str]],
) -> SettlingWords:
    """Return the words that settle closed items: said in this chat, and about the matter or quoted for it.

    `lines` are the page's, with the number of the item that each closes. A quotation need not name the
    matter, whoever said it, but where the item protects somebody. An item that another one repeats, which
    stays, is settled by that (`closed, the same as 5`).
    """
    shown = session.shown()
    tape = Tape(shown)
    names = telling(f"{snapshot.settings.name} {snapshot.settings.user}")
    found: dict[int, str] = {}
    denied: dict[int, str] = {}
    near: dict[int, bool] = {}
    far, idle, ends, short = set[int](), set[int](), set[int](), dict[int, str]()
    day = talk_day(snapshot, session)
    for number, line in lines:
        item = items.get(number)
        if item is None or number in found or number not in closed:
            continue
        twin = _SAME_AS.search(line)
        other = items.get(int(twin[1])) if twin is not None and int(twin[1]) not in closed else None
        if other is not None and (_roots(item, names) & _roots(other, names)):
            found[number] = one_line(other.text)
            near[number] = True
            ends.add(number)
            continue
        quoted = quotations(line)
        for claim in _claims(line):
            said = find_claim(tape, claim)
            if said is None:
                continue
            words, mine = even(_whole_clauses(shown, said)), _roots(item, names)
            if claim in quoted and len(said.text.split()) < LEAST_WORDS:
                short.setdefault(number, one_line(said.text))
            heard = _heard(shown, said.number, said.text) - names - OF_EVERYTHING
            about = len(said.text.split()) >= LEAST_WORDS and _is_about(snapshot, item, mine, heard)
            leaves = _LEAVES_OPEN.search(words) is not None
            if not _ENDS.search(words) and (
                _denies(words, mine, asks=asks(item.text))
                or (leaves and about and mine & telling(words))
                or _is_ahead(item, words, day)
            ):
                denied[number] = one_line(said.text)
                continue
            if leaves and not _ENDS.search(words):
                continue
            if about or _OF_MONTHS & telling(words) & telling(item.text):
                near[number] = about and has_word_of(mine, heard)
            if about or (
                claim in quoted
                and _is_whole(said, words)
                and not (PROTECTING.search(item.text) or _FORBIDS.search(item.text))
            ):
                found[number] = one_line(said.text)
                beside = _beside(shown, said.number)
                ends |= {number} if _ends_early(item.text, mine, words, heard, beside) else set()
                numbered = any(map(str.isdigit, said.text))
                if not (about or numbered or has_word_of(mine, beside)):
                    far.add(number)
                    idle |= set() if _tells_early(words) or _MAY_TELL.search(words) else {number}
                break
    left = {number: words for number, words in denied.items() if number not in found}
    return SettlingWords(found, left, near, far, idle, ends, short)


def _ends_early(
    note: str, mine: frozenset[str], words: str, heard: frozenset[str], beside: frozenset[str]
) -> bool:
    """Return whether words end a note before its day; a name, or `comes`, alone is no word of it."""
    if has_word_of(_own_of(note, mine), heard) or (_OF_CHILD.search(note) and _IS_BORN.search(words)):
        return True
    return _tells_early(words) and has_word_of(mine - _LIGHT, heard | beside)


def is_told_over(session: "Session", note: str, names: frozenset[str]) -> bool:
    """Return whether a clause of the chat says of a note that it is done early, called off or moved.

    That somebody `rang` or `came` does not: the page did not quote it for the note. What is due by a day may
    be done in any words that have most of its own.
    """
    own = _own_of(note, telling(without_day(note)) - names - OF_EVERYTHING - OF_LOOPS)
    due = has_deadline(note)
    texts = (even(entry.message.text) for entry in session.shown())
    told = (one for text in texts for one in _CLAUSE_ENDS.split(text))
    return any(
        (_ENDS.search(one) or _EARLY.search(one) or (due and _has_most(own, telling(one))))
        and has_word_of(own, telling(one))
        and not (_LEAVES_OPEN.search(one) or (_NOT_DONE.search(one) and not _ENDS.search(one)))
        for one in told
    )


def _has_most(own: frozenset[str], words: frozenset[str]) -> bool:
    return len(own & words) >= max(_COMMON, _MOST * len(own))


def _own_of(note: str, mine: frozenset[str]) -> frozenset[str]:
    """Return the roots of a note that are neither a name nor of any appointment; all if none is left."""
    people = " ".join(one.removesuffix("'s") for one in _NAME.findall(without_day(note)))
    return mine - telling(people) - _LIGHT or mine


def _tells_early(words: str) -> bool:
    return any(find(words) for find in (_ENDS.search, _EARLY.search, tells_past))


def _beside(shown: Sequence["Entry"], number: int) -> frozenset[str]:
    """Return the roots of a turn, and of the turns right before and after it."""
    place = next(at for at, one in enumerate(shown) if one.number == number)
    turns = (one.message.text for one in shown[max(0, place - 1) : place + 2])
    return frozenset().union(*map(telling, turns))


def _whole_clauses(shown: Sequence["Entry"], said: PhraseMatch) -> str:
    """Return the clauses that a quotation is of, with the mark at their end: a cut may leave out a `not`."""
    text = next(one.message.text for one in shown if one.number == said.number)
    start = text.find(said.text)
    if start < 0:
        return said.text
    end = start + len(said.text)
    before = max((found.end() for found in _CLAUSE_ENDS.finditer(text, 0, start)), default=0)
    after = _CLAUSE_ENDS.search(text, end)
    return text[before : after.end() if after is not None else len(text)].strip()


def _denies(words: str, mine: frozenset[str], *, asks: bool) -> bool:
    """Return whether words say that the very thing is not done: of the note, or of a bare `it`.

    Where a note asks something, a plain no is an answer, and `not yet` is none.
    """
    undone = _NOT_YET if asks else _NOT_DONE
    told = [telling(part) for part in _CLAUSE_ENDS.split(words) if undone.search(part)]
    return any(not one or one & mine for one in told)


def _is_ahead(item: "Item", words: str, day: date | None) -> bool:
    """Return whether words say that what a note names a day for is still to come on that day."""
    if day is None or is_question(item.text) or tells_past(words) or _DENIES.search(words):
        return False
    noted = noted_day(item.text) or day
    mine, said = (
        {first for one in dates(even(text), start) for first, last in one.spans if day < first == last}
        for text, start in ((without_day(item.text), noted), (words, day))
    )
    return not mine.isdisjoint(said)


def _is_whole(said: PhraseMatch, words: str) -> bool:
    """Return whether a quotation has so many words that it settles something, or all of its clauses."""
    count = len(said.text.split())
    return count >= LEAST_WORDS or (
        count >= _COMMON and fold(said.text).strip(" .,;:!") == fold(words).strip(" .,;:!")
    )


def find_unsaid(
    session: "Session", items: Mapping[int, "Item"], lines: Sequence[tuple[int, str]]
) -> Mapping[int, str]:
    """Return the words that a page gives for closing an item, but that were not said in this chat, by number.

    One passage that was said is enough; neither what repeats the item itself nor a word or two is one.
    """
    tape = Tape(session.shown())
    given: dict[int, list[str]] = {}
    for number, line in lines:
        if number in items and not _SAME_AS.search(line):
            note = fold(without_day(items[number].text))
            found = (
                quote for quote in quotations(line) if fold(quote) not in note and note not in fold(quote)
            )
            given.setdefault(number, []).extend(quote for quote in found if len(quote.split()) >= LEAST_WORDS)
    return {
        number: quotes[0]
        for number, quotes in given.items()
        if quotes and not any(find_claim(tape, quote) for quote in quotes)
    }


def find_earlier(snapshot: "Snapshot", session: "Session", words: str) -> str:
    """Return the newest other chat in which words stand that a page gives; "" for none of the last few."""
    others = [one for one in standing_sessions(snapshot) if one != session.id]
    for name in others[: -_SEARCHED - 1 : -1]:
        try:
            found = find_claim(Tape(read_session(snapshot, name).shown()), words)
        except ReelError:
            # a broken file is told of by status
            continue
        if found is not None:
            return name
    return ""


_SEARCHED = 20
"""Number of the newest chats in which the words of a page are looked for."""


def _claims(line: str) -> Iterator[str]:
    """Yield what a line may quote: its quotations, else all that stands behind its verdict."""
    yield from quotations(line)
    behind = _CLOSED.split(line, maxsplit=1)[-1]
    yield unquote(behind.strip(" ()[]"))


def _heard(shown: Sequence["Entry"], number: int, words: str) -> frozenset[str]:
    """Return the roots of the sentences with some words, and of the question that their turn answers."""
    place = next(at for at, one in enumerate(shown) if one.number == number)
    text = even(shown[place].message.text)
    wanted = fold(words)
    every = [text[start:end] for start, end in sentences(text)]
    around = [one for one in every if wanted in fold(one)] or [words]
    before = shown[place - 1] if place else None
    if before is not None and before.message.role != shown[place].message.role:
        asked = even(before.message.text)
        parts = (asked[start:end].strip() for start, end in sentences(asked))
        around += [part for part in parts if part.endswith("?")]
    return frozenset().union(*map(telling, around))


def _roots(item: "Item", names: frozenset[str]) -> frozenset[str]:
    return telling(without_day(item.text)) - names - OF_EVERYTHING - OF_LOOPS


def _is_about(snapshot: "Snapshot", item: "Item", mine: frozenset[str], heard: frozenset[str]) -> bool:
    """Return whether what was heard has a word of a note, or two of a sentence that it was made of."""
    if has_word_of(mine, heard):
        return True
    return any(len(heard & words) >= _COMMON for words in _made_of(snapshot, item.text, mine))


def has_word_of(mine: frozenset[str], heard: frozenset[str]) -> bool:
    """Return whether roots have one of a note's, or one of its family: `photo`, `photographs`."""
    return any(
        one == other or (min(len(one), len(other)) >= _SAME and one[:_SAME] == other[:_SAME])
        for one in mine
        for other in heard
    )


def _made_of(snapshot: "Snapshot", note: str, mine: frozenset[str]) -> Iterator[frozenset[str]]:
    """Yield the roots of each sentence that a note was made of, in the chat whose page first had it."""
    wanted, least = fold(without_day(note)), min(_COMMON, len(mine))
    for path in snapshot.checkpoints:
        try:
            fields = read_checkpoint(snapshot.text(path) or "", path)
            told = f"{fields.get('open_loops', '')}\n{fields.get('ring_2_delta', '')}"
            if wanted not in fold(told):
                continue
            turns = [
                even(one.message.text) for one in read_session(snapshot, session_of_checkpoint(path)).shown()
            ]
        except ReelError:
            continue
        every = (telling(text[start:end]) for text in turns for start, end in sentences(text))
        yield from (words for words in every if least and len(words & mine) >= least)
        return
