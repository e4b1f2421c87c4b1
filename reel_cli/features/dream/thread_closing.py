"""Closings of dropped threads, held against the stretch: a thread is closed by a turn that closes it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import field, replace

from reel_cli.core.evidence.days.sentence_time import tells_past
from reel_cli.core.evidence.grounding.lexicon import even, sentences, stem, telling
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quoted_words import find_quoted_words
from reel_cli.core.frozen import frozen, late
from reel_cli.core.question_words import is_question
from reel_cli.core.values.talk import Entry
from reel_cli.features.dream.dream import Status, Thread, ThreadWord

_LEAST = 2
"""Words of a thread, or of what is said to show its end, that a turn must have."""
_SHARE = 0.5
_LONG_ENOUGH = 5
"""Words of a quotation from which on it can let go of a matter that it does not name."""
_NAME = late(r"[^\W\d_]{2,}")
_NUMBERED = late(r"\b\d{1,2}(?:st|nd|rd|th)\b")
_LEAVES_OPEN = late(
    r"(?i)\b(?:yet|still|hope|hopefully|maybe|perhaps|might|(?<!in )(?<!of )(?<!\d )may(?! \d)"
    r"|could|would|if|whether|until|almost|nearly|will|shall"
    r"|plan(?:s|ned|ning)? (?:to|on|for)|soon|promis\w*|going to|gonna|next|tomorrow|wants?|needs?"
    r"|remind\w*|remember to)\b|['’]ll\b|\?"
)
"""Pattern of what leaves a matter open, or only begins it."""
_DENIED = late(r"(?i)\b(?:not|never|no)\b|n['’]t\b")
_UNDONE = late(
    r"(?i)\b(?:not|never|missed|forgot(?:ten)?|failed|skipped|nicht|nie|kein\w*|verpasst|vergessen|versäumt|jamais|raté"
    r"|manqué|oublié|nunca|olvid\w+|esquec\w+|perdí|perdi|mai|dimenticat\w|perso|не|никогда|забыла?|пропустила?)\b"
    r"|n['’]t\b|\b(?:ne|n['’])\W?\w+ (?:\w+ )?pas\b|なかった|ていない|忘れ|逃し|没|沒|忘|错过|錯過"
)
"""Pattern of words that say that a thing was not done."""
_GIVEN_UP = late(
    r"(?i)\b(?:never ?mind|forget (?:it|about)|no longer|any ?more|cancel\w*|called off|gave up|given up"
    r"|too late|let it go|doesn['’]t matter|off the table|decided (?:not|against)|not (?:going|worth))\b"
)


_BROKEN = late(
    r"(?i)\b(?:broke (?:it|that|this|my word)|not kept|(?:did not|didn['’]t) keep (?:it|to it))\b(?! down)"
    r"|(?:[;,.(]|\b(?:was|is))\s*broken(?=\s*(?:[;,.)]|\Z|and no\b))"
)
"""Pattern of a thread that says itself that the promise was broken."""
_ASKS = late(r"(?i)\b(?:ask(?:ed)?|find out)\b")
_OWN_QUESTION = late(r"(?i)\W*(?:to ask\b|I (?:never|did not|didn['’]t) ask|why\b)")
_TO_BE_ASKED = late(
    r"(?i)(?:\b(?:will|shall|let me|going to|want to)\b|['’]ll\b)[^.!?]{0,30}"
    r"\b(?:ask|check (?:in|back)|follow up)\b"
    r"|\b(?:ask|remind|tell) me\b|\blet (?:me|you) know\b|\bkeep (?:me|you) (?:posted|updated)\b"
)
"""Pattern of a promise to ask, or a wish to be asked or told."""
_GENERIC = frozenset(
    stem(word) for word in ("ask", "asked", "tell", "told", "find", "went", "go", "goes", "way")
)
"""Roots that only say what is to be done about a matter."""


@frozen
class SaidInStretch:
    """Messages with their days that may close threads, and the days of threads that name one which passed.

    Of `before`, all that the dream has read, only what is quoted closes a thread.
    """

    entries: Sequence[tuple[str, Entry]]
    before: Sequence[tuple[str, Entry]] = ()
    passed: Mapping[int, str] = field(default_factory=dict)


@frozen
class _SaidSentence:
    """A sentence that was said: its day, its words, and whether the persona asks something with it."""

    day: str
    text: str
    words: frozenset[str]
    asks: bool


def is_own_question(
    thread: Thread, persona: str, entries: Iterable[tuple[str, Entry]], names: Sequence[str]
) -> bool:
    """Return whether a thread is a question that only the persona asks itself, about what it did not ask.

    `entries` are the messages of the stretch with their days, `names` those of all who talk. Where a message
    of the thread's day speaks of it and says that something will be asked or told, it was promised.
    """
    if thread.owner not in (persona, "", "unclear") or not _OWN_QUESTION.match(thread.text):
        return False
    own = telling(thread.text) - telling(" ".join(names)) - _GENERIC
    return not any(
        day == thread.day and own & telling(entry.message.text) and _TO_BE_ASKED.search(entry.message.text)
        for day, entry in entries
    )


def date_closings(
    words: Sequence[ThreadWord], threads: Mapping[int, Thread], said: "SaidInStretch", names: Sequence[str]
) -> tuple[Sequence[ThreadWord], Sequence[ThreadWord]]:
    """Return the updates with the day of the turn that bears each, and the closings that no turn bears.

    `names` are those of the two who talk. A turn bears a closing that is quoted from it, or a sentence of the
    stretch that tells of something done, or given up, with words of the thread or of what is said to show its
    end. A thing to be asked is done once it is asked. What was overtaken can be let go by whatever was said
    later by somebody whom it is about, and what has a day, after it, without a turn; so can a promise that
    its own line calls broken.
    """
    if not words:
        return (), ()
    now, earlier = (
        [one for one in part if one[1].number is not None] for part in (said.entries, said.before)
    )
    told = list(_sentences(now))
    until = max((day for day, _ in now), default="")
    others = telling(" ".join(names)) | _GENERIC
    dated: list[ThreadWord] = []
    unclosed: list[ThreadWord] = []
    for one in words:
        thread = threads[one.number]
        quotable = [*now, *((day, entry) for day, entry in earlier if day >= thread.day)]
        own = (telling(thread.text) - others) | _numbered_days(thread.text)
        day = _day_quoted(one, thread.text, own, quotable)
        if one.status is not Status.OPEN and not day:
            closing = (line.day for line in told if _closes(line, one, thread, others))
            day = next(closing, "")
            # a sentence bears it; when it was is said by the words that were quoted
            day = day and (_day_quoted(one, thread.text, frozenset(), now) or day)
            if not day and one.status is Status.LET_GO:
                day = _day_overtaken(one, thread, now) or said.passed.get(one.number, "")
            if not day and _BROKEN.search(thread.text):
                # a promise that was broken is never done: any word that it is over lets it go
                given_up = replace(one, status=Status.LET_GO)
                day = _day_quoted(given_up, thread.text, frozenset(), quotable) or until
                if day:
                    dated.append(replace(given_up, day=day))
                    continue
            if not day:
                unclosed.append(one)
                continue
        dated.append(replace(one, day=day))
    return dated, unclosed


def _day_quoted(word: ThreadWord, thread: str, own: frozenset[str], said: Sequence[tuple[str, Entry]]) -> str:
    """Return the day of a quotation that shows the state, from a message that speaks of the thread.

    One that answers a question about the thread speaks of it: `Len's gate?` `Done, in May!`
    """
    is_open = word.status is Status.OPEN
    found = [one.inside for one in find_quoted_words(word.text)]
    quoted = [one.rstrip(".!,") for one in found if is_open or not _LEAVES_OPEN.search(one)]
    if word.status is Status.DONE and not _UNDONE.search(thread):
        # what says that it was missed does not show that it was done
        quoted = [one for one in quoted if not _UNDONE.search(one)]
    before = [None, *(entry for _, entry in said)]
    days = (
        day
        for words in quoted
        for asked, (day, entry) in zip(before, said, strict=False)
        if Tape([entry]).find(words) is not None and (not own or own & _asked_and_said(asked, entry))
    )
    return next(days, "")


def _asked_and_said(before: Entry | None, entry: Entry) -> frozenset[str]:
    """Return the telling words of a message, and of the other's question right before it."""
    question = (
        before is not None
        and before.message.role != entry.message.role
        and before.number is not None
        and entry.number == before.number + 1
    )
    asked = (
        before.message.text if before is not None and question and is_question(before.message.text) else ""
    )
    told = f"{entry.message.text} {asked}"
    return telling(told) | _numbered_days(told)


def _numbered_days(text: str) -> frozenset[str]:
    """Return the days that a text has by their number: `4th was ok` speaks of what was for the 4th."""
    return frozenset(_NUMBERED.findall(text.casefold()))


def _day_overtaken(word: ThreadWord, thread: Thread, said: Sequence[tuple[str, Entry]]) -> str:
    """Return the day of a longer quotation from somebody whom a thread is about, later than the thread.

    What overtakes a matter need not name it: who has the job needs no more practice for it.
    """
    quoted = [one.inside.rstrip(".!,") for one in find_quoted_words(word.text)]
    quoted = [one for one in quoted if len(one.split()) >= _LONG_ENOUGH and not _LEAVES_OPEN.search(one)]
    theirs = [(day, entry) for day, entry in said if entry.message.role == "user" and day > thread.day]
    named = frozenset(_NAME.findall(f"{thread.owner} {thread.text}"))
    several = len({entry.message.name for _, entry in said if entry.message.role == "user"}) > 1
    days = (
        day
        for words in quoted
        for day, entry in theirs
        if Tape([entry]).find(words) is not None
        and (not several or named.intersection(_NAME.findall(entry.message.name or "")))
    )
    return next(days, "")


def _closes(said: _SaidSentence, word: ThreadWord, thread: Thread, others: frozenset[str]) -> bool:
    own, shown = telling(thread.text) - others, telling(word.text) - others
    common = own & said.words
    enough = len(common) >= min(_LEAST, len(own)) and len(common) >= _SHARE * min(len(own), 2 * _LEAST)
    if not common or not (enough or len((shown & said.words) - own) >= _LEAST):
        return False
    if said.asks and _ASKS.search(thread.text):
        return True
    if _LEAVES_OPEN.search(said.text):
        return False
    if word.status is Status.LET_GO:
        return bool(_GIVEN_UP.search(said.text) or _DENIED.search(said.text) or tells_past(said.text))
    undone = _UNDONE.search(said.text) and not _UNDONE.search(thread.text)
    return tells_past(said.text) and not (_DENIED.search(said.text) or undone)


def _sentences(said: Sequence[tuple[str, Entry]]) -> Iterator[_SaidSentence]:
    for day, entry in said:
        text = even(entry.message.text)
        for start, end in sentences(text):
            sentence = text[start:end].strip()
            asks = entry.message.role == "assistant" and is_question(sentence)
            yield _SaidSentence(day, sentence, telling(sentence), asks)
