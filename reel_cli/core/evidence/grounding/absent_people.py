"""People whom a text tells of and its chat does not: put in another's place, or in a scene of their own."""

import re
from collections.abc import Callable, Iterator, Sequence

from reel_cli.core.evidence.days.sentence_time import PAST
from reel_cli.core.evidence.grounding.lexicon import STOP, WORD, bare, even, sentences, stem, stems
from reel_cli.core.evidence.grounding.names import is_word, names
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source, SourceMessage, clipped
from reel_cli.core.frozen import late

_PARENTS = (
    r"(?:mam(?:my|ma)?|mum(?:my)?|mom(?:my)?|dad(?:dy)?|da|nan(?:a|ny)?|gran(?:ny|ma|dad|pa)?|auntie|papa|baba"
    r"|aai|aji)"
)
_KIN = late(
    r"(?i)\b(?:my|our|me) (?:\w+ )?(?:mothers?|fathers?|sons?|daughters?|aunts?|uncles?|cousins?|sisters?"
    r"|brothers?|wife|husband|partner|girlfriend|boyfriend|kids?|child(?:ren)?|parents?|nephews?|nieces?"
    rf"|family|grand\w+)\b|\b{_PARENTS}(?:['’]?s)?\b"
)
"""Pattern of words for the speaker's own people, who have names as well."""
_PRONOUNS = frozenset(
    [
        "i",
        "me",
        "my",
        "mine",
        "you",
        "your",
        "yours",
        "he",
        "him",
        "his",
        "she",
        "her",
        "hers",
        "it",
        "its",
        "they",
        "them",
        "their",
        "we",
        "us",
        "our",
    ]
)
_HE = frozenset(("he", "she", "they"))
_RUN, _LONG_RUN, _TELLING = 3, 5, 2
"""Words behind a name that a chat has behind another one, and how many of a short run tell something."""
_MEETS = late(
    r"(?i)\b(?:told|said|asked|rang|phoned|cried|wept|laughed|came|sang|danced|played|shouted|visited|hugged"
    r"|kissed|thanked|promised|apologi[sz]ed|wrote)\b"
)
"""Pattern of what people do in a scene."""
_A_THING = late(r"\b(?:an?|some)\s+(?:[a-z]+\s+)?(?P<thing>[a-z]{4,})\b(?!\s+of\b)")
_NO_THING = ("ed", "ly", "ing", "ness", "ity", "ment", "tion", "sion", "ance", "ence", "er", "or")


def find_other_doer(
    name: str, sentence: str, source: Source, is_known: Callable[[str], bool]
) -> Passage | None:
    """Return where a chat tells of another person, in the same words, what a sentence tells of a name.

    The other stands right before these words, or is the `he` there: `joby holding the back of it`. The
    sentence does not name that person; nor is it one of the speaker's own people, who have names as well.
    """
    mine, behind = _split_at(name, sentence)
    if len(behind) < _RUN:
        return None
    told = {bare(word[0]) for word in WORD.finditer(sentence)}
    for message in source.said:
        text = even(message.turn.text)
        found = [*WORD.finditer(text)]
        said = [_fold(bare(one[0])) for one in found]
        for at in range(1, len(found)):
            length = _count_same(behind, said[at:])
            words = [bare(one[0]) for one in found[at : at + length]]
            least = _TELLING if length < _LONG_RUN else 1
            if length < _RUN or sum(bool(stems(word)) for word in words) < least:
                continue
            before = bare(found[at - 1][0])
            if before in mine:
                return None
            others = {before} if before not in _HE else {*_people(text[: found[at].start()])}
            others = {one for one in others if one not in told and one not in mine}
            own = before in _HE and _KIN.search(text, 0, found[at].start())
            if not own and any(_is_person(one, message, is_known) for one in others):
                return _passage(message, found[at].start(), source)
    return None


def is_alone(name: str, sentence: str, source: Source) -> bool:
    """Return whether a chat has nothing of what a sentence tells of somebody whom it never names.

    Where the chat speaks of the speaker's own people, one of them may be meant.
    """
    if not _MEETS.search(sentence) or any(_KIN.search(turn) for turn in source.turns):
        return False
    if any(map(source.names.bears, _split_at(name, sentence)[0])):
        return False
    capitals = {bare(one[0]) for one in WORD.finditer(sentence) if one[0][0].isupper()}
    words = [word for word in content(sentence, source) if word not in capitals]
    return bool(words) and bare(name) in capitals and not any(map(source.mentions, words))


def find_thing(part: str, source: Source) -> str:
    """Return the thing that somebody named has in a part of a text, and that no turn mentions; else ""."""
    for start, end, name in names(part, part):
        behind = re.match(r"(?:\s+[A-Z][\w'’-]+)*\s+(?:then |also |never )?", part[end:])
        if bare(name) in source.speakers or behind is None or not PAST.match(part, end + behind.end()):
            continue
        for found in _A_THING.finditer(part, start):
            thing = found["thing"]
            if not (thing.endswith(_NO_THING) or thing in STOP or source.mentions(thing)):
                return thing
    return ""


def _split_at(name: str, sentence: str) -> tuple[frozenset[str], Sequence[str]]:
    """Return the words of the whole name that a name is part of, and the folded words behind it."""
    found = [*WORD.finditer(sentence)]
    at = next((n for n, one in enumerate(found) if one[0] == name or bare(one[0]) == bare(name)), -1)
    if at < 0:
        return frozenset(), ()
    first = last = at
    while last + 1 < len(found) and found[last + 1][0][0].isupper():
        last += 1
    while first and found[first - 1][0][0].isupper():
        first -= 1
    mine = frozenset(bare(one[0]) for one in found[first : last + 1])
    return mine, [_fold(bare(one[0])) for one in found[last + 1 :]]


def _fold(word: str) -> str:
    return "*" if word in _PRONOUNS else stem(word)


def _count_same(one: Sequence[str], other: Sequence[str]) -> int:
    length = 0
    for mine, theirs in zip(one, other, strict=False):
        if mine != theirs:
            break
        length += 1
    return length


def _people(text: str) -> Iterator[str]:
    for _, _, name in names(text, text):
        yield bare(name)


def _is_person(word: str, message: SourceMessage, is_known: Callable[[str], bool]) -> bool:
    """Return whether a word is a name in a message, or in all that is known where nobody writes capitals."""
    if not word.isalpha() or word in STOP or word in _PRONOUNS or is_word(word) or _KIN.fullmatch(word):
        return False
    return word in message.capitals or is_known(word)


def _passage(message: SourceMessage, at: int, source: Source) -> Passage:
    text = message.turn.text
    first, last = next(((a, b) for a, b in sentences(even(text)) if a <= at < b), (0, len(text)))
    session = message.turn.session if source.several else ""
    return Passage(message.turn.number, message.turn.speaker, clipped(text[first:last]), session)
