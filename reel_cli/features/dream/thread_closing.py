"""Closings of dropped threads, held against the stretch: a thread is closed by a turn that closes it."""

from collections.abc import Iterable, Iterator, Mapping, Sequence

from reel_cli.core.evidence.fact_days import tells_past
from reel_cli.core.evidence.grounding.lexicon import even, sentences, stem
from reel_cli.core.evidence.own_words import telling
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.evidence.quoted_words import find_quoted_words
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.talk import Entry
from reel_cli.features.dream.dream import Status, Thread, ThreadWord

_LEAST = 2
"""Words of a thread, or of what is said to show its end, that a turn must have."""
_SHARE = 0.5
_LEAVES_OPEN = late(
    r"(?i)\b(?:yet|still|hope|hopefully|maybe|perhaps|might|may|could|would|if|whether|until|almost|nearly|will"
    r"|shall|plan\w*|soon|promis\w*|going to|gonna|next|tomorrow|want\w*|need\w*|remind\w*|remember to)\b"
    r"|['’]ll\b|\?"
)
"""Pattern of what leaves a matter open, or only begins it."""
_DENIED = late(r"(?i)\b(?:not|never|no)\b|n['’]t\b")
_GIVEN_UP = late(
    r"(?i)\b(?:never ?mind|forget (?:it|about)|no longer|any ?more|cancel\w*|called off|gave up|given up"
    r"|too late|let it go|doesn['’]t matter|off the table|decided (?:not|against)|not (?:going|worth))\b"
)


_ASKS = late(r"(?i)\b(?:ask(?:ed)?|find out)\b")
_GENERIC = frozenset(
    stem(word) for word in ("ask", "asked", "tell", "told", "find", "went", "go", "goes", "way")
)
"""Roots that only say what is to be done about a matter."""


@frozen
class _SaidSentence:
    """A sentence that was said: its words, and whether the persona asks something with it."""

    text: str
    words: frozenset[str]
    asks: bool


def find_unclosed(
    words: Sequence[ThreadWord],
    threads: Mapping[int, Thread],
    entries: Iterable[Entry],
    names: Sequence[str],
) -> Sequence[ThreadWord]:
    """Return the closings that no turn of the stretch bears; `names` are those of the two who talk.

    A turn bears one that is quoted from it, or a sentence of it that tells of something done, or given up,
    with words of the thread or of what is said to show its end. A thing to be asked is done once it is asked.
    """
    closings = [one for one in words if one.status is not Status.OPEN]
    if not closings:
        return ()
    said = [entry for entry in entries if entry.number is not None]
    told = list(_sentences(said))
    others = telling(" ".join(names)) | _GENERIC
    return [
        one
        for one in closings
        if not _is_quoted(one, telling(threads[one.number].text) - others, said)
        and not any(_closes(sentence, one, threads[one.number], others) for sentence in told)
    ]


def _is_quoted(word: ThreadWord, own: frozenset[str], said: Sequence[Entry]) -> bool:
    """Return whether a quotation shows the end, from a message that speaks of the thread."""
    quoted = [one.inside for one in find_quoted_words(word.text) if not _LEAVES_OPEN.search(one.inside)]
    return any(
        Tape([entry]).find(words.rstrip(".!,")) is not None and (not own or own & telling(entry.message.text))
        for words in quoted
        for entry in said
    )


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
    return tells_past(said.text) and not _DENIED.search(said.text)


def _sentences(said: Sequence[Entry]) -> Iterator[_SaidSentence]:
    for entry in said:
        text = even(entry.message.text)
        for start, end in sentences(text):
            sentence = text[start:end].strip()
            asks = entry.message.role == "assistant" and sentence.endswith("?")
            yield _SaidSentence(sentence, telling(sentence), asks)
