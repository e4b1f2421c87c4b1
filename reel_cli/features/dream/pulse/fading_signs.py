"""Signs of fading in the chats: the person's own words, and a question asked again (Dream Weaver §10.1).

Derived from the tape each time, so that kits made before have them too; what is known of one session is
cached with its file. A sign counts until a dream has read the message that shows it.
"""

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import datetime
from itertools import pairwise
from typing import Any

from reel_cli.core.errors import StateError
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import IDENTITY, Snapshot
from reel_cli.core.moment import day_in_words, moment
from reel_cli.core.question_words import MARKS, end_of_question
from reel_cli.core.tape.last_turns import day_said, last_days
from reel_cli.core.tape.session_file import parse_session
from reel_cli.core.values.change import one_line
from reel_cli.core.values.source import Ranges, holds
from reel_cli.core.values.talk import session_path
from reel_cli.features.dream.pulse.fading_words import FadingWords, fold_sentence

EDITION = 7
"""Version of what is noted of a session; raised when `data/fading.txt` changes."""
MOST_TOLD = 3
"""Maximum number of signs that are reasons for one dream, the newest."""
RECENT = 30
"""Days for which a sign counts; an older one says nothing about today."""
A_WEEK = 7
"""Days within which a question was answered that should not be asked again."""
MOST_NUMBER = 10**9
"""Number that no message reaches."""
MOST_READ = 60
"""Maximum number of sessions that are looked at, the newest."""
_LONGEST_SHOWN = 80
_SENTENCE_END = re.compile(r"[.!?…。！？؟;।॥።\n]+")
_LISTED = re.compile(r"[\s\"'“”]*(?:[-*•#>|]|\d+[.)])")
_OF_THE_DAY = re.compile(
    r"(?i)\b(?:today|tonight|this (?:morning|afternoon|evening)|heute|aujourd|ce (?:matin|soir)|hoy|hoje|oggi"
    r"|vandaag|dzisiaj|dzis|сегодня)\b|今日|今天|今晩|今晚|今夜|오늘"
)
"""Pattern of a question about the day itself, which is asked anew each day."""
_UNSPACED = re.compile(r"[\u0e00-\u0eff\u0f00-\u0fff\u1000-\u109f\u1780-\u17ff]+")
"""Pattern of stretches in alphabets without spaces between words: Thai, Lao, Tibetan, Burmese, Khmer."""
_CLUSTER = re.compile(r"\w\W*")
_WORD = re.compile(
    rf"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]|{_UNSPACED.pattern}"
    # marks of vowels are no letters
    r"|(?:\w|[\u0591-\u05c7\u064b-\u0670\u0900-\u0903\u093a-\u094f\u0951-\u0963\u0980-\u0dff])+"
)
_FEWEST_WORDS, _SHORT_TELLING = 4, 2
_SHORT = 5
"""Number of words below which a question has to say the same, and with two telling words."""
_ALIKE, _WITHIN = 0.5, 0.75
"""Shares of common words from which two questions ask the same: of all words that either has, and of those of
the shorter one."""
_HABIT = 2
"""Number of earlier chats with a question from which asking it is a habit, as a greeting is."""
_ANSWERING = 0.5
"""Share of the shorter answer's telling words from which two answers with these in common tell the same."""
_LONGEST_ANSWER = 60
"""Words above which a message is no answer to one question."""
_ASKS_FOR = re.compile(
    r"\b(?:wh(?:at|o|om|ich|ere|en|ose)|how|name[ds]?|called|remind|wie|was|wer|wen|wem|wo|wann|welche[rsmn]?|heisst"
    r"|name|comment|quel(?:le)?s?|qui|ou|quand|appelle|que|quien|como|donde|cual|cuando|llama|qual|quem|onde"
    r"|quando|chama|come|chi|dove|quale|chiama|hoe|wat|wie|waar|wanneer|heet|vad|vem|var|nar|heter|hva|hvem|hvor"
    r"|jak|kto|gdzie|kiedy|nazywa)\b"
)
"""Pattern of a question, folded, that asks for something other than yes or no."""
_SAID_AGAIN = (
    "said",
    "told",
    "tell",
    "still",
    "again",
    "before",
    "already",
    "yes",
    "mentioned",
    "remember",
    "ever",
)
"""Words with which an answer says that it was given before."""
_BOTH = 2
_TELLING = 5
"""Number of messages in which a word stands at most where it tells an answer from others."""


@frozen
class FadingSign:
    """One sign of fading: its day (ISO 8601), and the words on one line.

    `answered` is the day on which a question that was asked again was answered; "" for a person's own words.
    """

    day: str
    words: str
    answered: str = ""

    def tell(self, persona: str) -> str:
        """Return the sign as the reason for a dream: `on 3 March 2026 you said “you're fading”`."""
        when = _in_words(self.day)
        if not self.answered:
            return f"on {when} you said “{self.words}”"
        return (
            f"on {when} {persona} asked “{self.words}”, which you had answered on {_in_words(self.answered)}"
        )


@frozen
class _Question:
    """A question of the persona: where it stands, its words, and the words of the answer."""

    session: str
    number: int
    text: str
    words: frozenset[str]
    answer: frozenset[str]


def tell_fading(
    snapshot: Snapshot, sessions: Sequence[str], now: datetime, unread: Mapping[str, Ranges] | None = None
) -> Sequence[str]:
    """Return the newest signs as reasons for a dream, the newest first.

    Nothing where a session cannot be read: that is told of as that. Without `unread` nothing was dreamt of.
    """
    left = dict.fromkeys(sessions, ((1, MOST_NUMBER),)) if unread is None else unread
    try:
        found = find_fading(snapshot, sessions, left, now)
    except StateError:
        # an unreadable session is reported separately
        return ()
    return tuple(one.tell(snapshot.settings.name) for one in reversed(found[-MOST_TOLD:]))


def find_fading(
    snapshot: Snapshot, sessions: Sequence[str], unread: Mapping[str, Ranges], now: datetime
) -> Sequence[FadingSign]:
    """Return the signs in messages that no dream has read, oldest first.

    `sessions` are those that count, oldest first, `unread` the messages that are still to be read by session.
    Raises StateError if a session cannot be read.
    """
    today, last = now.date(), last_days(snapshot, sessions)
    ends = {name: (today - (day or today)).days for name, day in last.items()}
    recent = [name for name in sessions if name in unread and ends[name] <= RECENT]
    if not recent:
        return ()
    since = ends[recent[0]] + RECENT
    near = [name for name in sessions if ends[name] <= since][-MOST_READ:]
    notes = _read_notes(snapshot, near)
    found = [
        (name, number, FadingSign(day, one_line(words, _LONGEST_SHOWN)))
        for name in near
        if name in recent
        for number, words, at in notes[name]["said"]
        for day in [day_said(name, at)]
        if holds(unread[name], number) and (today - moment(day).date()).days <= RECENT
    ]
    unseen = {name: unread[name] for name in recent if name in notes}
    found += _asked_again(notes, unseen, snapshot.text(IDENTITY) or "")
    order = {name: at for at, name in enumerate(near)}
    return tuple(sign for _, _, sign in sorted(found, key=lambda one: (order[one[0]], one[1])))


def _read_notes(snapshot: Snapshot, sessions: Sequence[str]) -> Mapping[str, Any]:
    own = snapshot.settings.dream_noticed
    kind = f"fading {EDITION} {'|'.join(own)}"
    made: list[FadingWords] = []

    def look(path: str) -> dict[str, Any]:
        if not made:
            made.append(FadingWords(own))
        return _look(snapshot.tree.read(path) or b"", path, made[0])

    names = {session_path(session): session for session in sessions}
    notes = snapshot.note(kind, names, look)
    return {names[path]: note for path, note in notes.items()}


def _look(data: bytes, path: str, words: FadingWords) -> dict[str, Any]:
    """Return what one session shows as JSON.

    `said` has the person's words of fading by number, `asked` the questions with the words of their answers,
    `spoken` the words of each message of the person.
    """
    shown = parse_session(data, path).shown()
    said: list[list[Any]] = []
    asked: list[list[Any]] = []
    spoken: list[list[str]] = []
    for at, entry in enumerate(shown):
        message = entry.message
        if message.role == "user":
            spoken.append(sorted(set(_words(message.text))) if len(message.text) < 1_500 else [])
            if sentence := words.find(message.text):
                said.append([entry.number or 0, sentence, message.time or ""])
        elif message.role == "assistant" and (question := _last_question(message.text)):
            after = shown[at + 1].message if at + 1 < len(shown) else None
            answer = _words(after.text) if after is not None and after.role == "user" else []
            if 0 < len(answer) <= _LONGEST_ANSWER:
                asked.append([entry.number or 0, question, sorted(set(answer))])
    return {"said": said, "asked": asked, "spoken": spoken}


def _last_question(text: str) -> str:
    """Return the question that a message ends with; "" where it ends otherwise, or with one of a list."""
    lines = [line for line in text.splitlines() if line.strip()]
    if not lines or _LISTED.match(lines[-1]):
        return ""
    asked = lines[-1][: end_of_question(lines[-1])]
    bare = asked.rstrip(MARKS).rstrip(";" if asked.endswith(";") else "")
    begins = max((end.end() for end in _SENTENCE_END.finditer(bare)), default=0)
    question = " ".join(asked[begins:].split())
    return question if len(set(_words(question))) >= _FEWEST_WORDS else ""


def _asked_again(
    notes: Mapping[str, Any], unread: Mapping[str, Ranges], identity: str
) -> Iterator[tuple[str, int, FadingSign]]:
    """Yield the questions that were asked again within a week and answered as before.

    It is the answer that tells a question from a habit, and from the same words about another matter: what
    was answered before would answer it now. A question that the identity names is a habit as well.
    """
    asked = [
        _Question(name, number, text, frozenset(_words(text)), frozenset(answer))
        for name, note in notes.items()
        for number, text, answer in note["asked"]
    ]
    used = Counter(word for note in notes.values() for message in note["spoken"] for word in message)
    named = [frozenset(_words(sentence)) for sentence in _SENTENCE_END.split(identity)]
    for at, one in enumerate(asked):
        if _OF_THE_DAY.search(one.text) or any(one.words <= sentence for sentence in named):
            continue
        if one.session not in unread or not holds(unread[one.session], one.number):
            continue
        before = [
            other
            for other in asked[:at]
            if other.session != one.session and (_is_same(one, other, used) or _is_reworded(one, other, used))
        ]
        near = [other for other in before if _days(other.session, moment(one.session[:10])) <= A_WEEK]
        if len({other.session for other in before}) >= _HABIT or not near:
            continue
        if _answers(one, near[-1], used):
            words = one_line(one.text, _LONGEST_SHOWN)
            yield one.session, one.number, FadingSign(one.session[:10], words, near[-1].session[:10])


def _answers(one: _Question, other: _Question, used: Mapping[str, int]) -> bool:
    """Return whether the answer to the other question would answer this one: both tell the same.

    Words of the questions tell nothing, nor do small words and those that the person often uses.
    """
    from reel_cli.core.evidence.grounding.lexicon import telling

    first, second = (
        {word for word in answer - one.words - other.words if _is_word(word) and telling(word)}
        for answer in (one.answer, other.answer)
    )
    common = {word for word in first & second if used[word] <= _TELLING}
    least = _ANSWERING * min(len(first), len(second))
    # small words are known of some languages in Latin letters only
    known = all(word < "\u0300" for word in common)
    return bool(common) and (len(common) >= least if known else len(common) > least)


def _is_same(one: _Question, other: _Question, used: Mapping[str, int]) -> bool:
    from reel_cli.core.evidence.grounding.lexicon import telling

    if min(len(one.words), len(other.words)) < _SHORT:
        mine, theirs = ({word for word in asked.words if telling(word)} for asked in (one, other))
        return mine == theirs and sum(used[word] <= _TELLING for word in mine) >= _SHORT_TELLING
    common = len(one.words & other.words)
    least = min(len(one.words), len(other.words))
    return common >= _ALIKE * len(one.words | other.words) and common >= _WITHIN * least


def _is_reworded(one: _Question, other: _Question, used: Mapping[str, int]) -> bool:
    """Return whether two questions ask the same in other words: of the same thing, for the same name.

    The name stands in no other message of the person, and is most of what both answers tell. Names are known
    in Latin letters only.
    """
    if not all(_ASKS_FOR.search(fold_sentence(asked.text)) for asked in (one, other)):
        return False
    mine, theirs = (_roots(asked.words) for asked in (one, other))
    if not mine & theirs:
        return False
    told, before = (_roots(asked.answer) - mine - theirs - _roots(_SAID_AGAIN) for asked in (one, other))
    common = one.answer & other.answer
    alone = max(len(one.answer), len(other.answer)) <= _BOTH
    named = any(word < "\u0300" and used[word] <= _BOTH and _is_name(word, alone=alone) for word in common)
    return named and 2 * len(told & before) > len(told | before)


def _roots(words: Collection[str]) -> frozenset[str]:
    from reel_cli.core.evidence.grounding.lexicon import telling

    return frozenset().union(*(telling(_SAME_KIN.get(word, word)) for word in words))


_SAME_KIN = {
    **dict.fromkeys(("mum", "mom", "mam", "mama", "mummy", "mommy"), "mother"),
    **dict.fromkeys(("dad", "papa", "daddy"), "father"),
    **dict.fromkeys(("kid", "kids", "child"), "children"),
    **dict.fromkeys(("town", "village"), "city"),
    **dict.fromkeys(("mutti", "mami"), "mutter"),
    **dict.fromkeys(("papi", "vati"), "vater"),
    "maman": "mère",
    "job": "work",
}
"""Words of a question that are another's in other words."""


_RARE = 60_000
"""Rank behind which a word is hardly one of everyday speech."""


def _is_name(word: str, *, alone: bool) -> bool:
    """Return whether a word is rare, or more often written with a capital.

    `ines` is an ending of many words, and so has a rank by itself: it is a name where it stands `alone`.
    """
    from reel_cli.core.tokens.word_rank import word_rank

    lower, upper = word_rank(word), word_rank(word.capitalize())
    rare = lower is None or (alone and lower > _RARE)
    return len(word) > _BOTH and (rare or (lower is not None and upper is not None and upper < lower))


def _is_word(word: str) -> bool:
    """Return whether it may say something: a letter or two do not, but for those that are words."""
    return len(word) > 2 or word > "\u3000" or bool(_UNSPACED.match(word))


def _words(text: str) -> list[str]:
    """Return the words of a text, folded; in alphabets without spaces every two letters with their marks."""
    found: list[str] = []
    for word in _WORD.findall(fold_sentence(text)):
        if _UNSPACED.match(word):
            letters = _CLUSTER.findall(word)
            found += map("".join, pairwise(letters)) if letters[1:] else letters
        else:
            found.append(word)
    return found


def _days(session: str, now: datetime) -> int:
    return (now.date() - moment(session[:10]).date()).days


def _in_words(day: str) -> str:
    return day_in_words(moment(day).date())
