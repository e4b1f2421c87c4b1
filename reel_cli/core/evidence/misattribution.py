"""Quotations that a memory gives to one of the two speakers, and that only the other one said."""

import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from reel_cli.core.evidence.grounding.check import Claim, UngroundedDetail
from reel_cli.core.evidence.grounding.lexicon import WORD, even, sentences, stems
from reel_cli.core.evidence.grounding.source import Passage, clipped
from reel_cli.core.evidence.quotation_check import list_parts
from reel_cli.core.evidence.quoted_words import QuotedWords, find_quoted_words
from reel_cli.core.evidence.said_words import Utterance, find_utterances
from reel_cli.core.frozen import frozen, late
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.sentence_end import split_sentences
from reel_cli.core.tape.tape_view import read_session, speaker
from reel_cli.core.values.memory import FIELDS, PAST_STATES

_SHORT = 3
"""Maximum words of a quotation that two may say by chance: it must be of this memory's own chats."""
_BEFORE, _AFTER = 160, 80
_SKIPPED = frozenset((FIELDS[3], FIELDS[4], PAST_STATES))
"""Sections that tell of no speaker: open questions, lines to find it by, and states of other days."""
_VERB = (
    r"(?:sa(?:id|ys?)|told|tells?|wr(?:ote|ites?)|ask(?:ed|s)|add(?:ed|s)|promis(?:ed|es)|admit(?:ted|s)"
    r"|confess(?:ed|es)|cried|begged|explain(?:ed|s)|exclaim(?:ed|s)|insist(?:ed|s)|murmur(?:ed|s)"
    r"|joke[ds]|whisper(?:ed|s)|shout(?:ed|s)|text(?:ed|s)|messaged|called out|put it"
    r"|sagte|schrieb|fragte|meinte|dit|dijo|disse|escribió|zei|sade|сказала?)"
)
_ANSWER = r"(?:answer(?:ed|s)|repl(?:ied|ies)|respond(?:ed|s)|antwortete)"
"""Verbs of which the quotation may be the object: `I answered "How are you?" with a joke`."""
_ADVERB = (
    r"(?:had|has|have|then|just|only|even|later|finally|once|again|also|still|now|simply|first|quietly|\w+ly)"
)
_TO = (
    r"(?:to me|to him|to her|to us|me|him|her|us|you|them|that|back|again|once|later|then|softly|aloud|\w+ly"
    r"|at last|out loud|in the end|tonight|today|yesterday)"
)
_CLAUSE = late(r"(?<=[.!?…])\s+|\n|[\"“”„«»‘]")
_JOINT = late(r"(?i)\b(?P<other>\w+)\s+(?:and|or|und|et|y|e)\s*\Z")
_UNREAL = late(
    r"(?i)\b(?:if|as if|as though|wish\w*|hop(?:e|ed|ing)|would|could|should|might|may|must|never|not|nobody"
    r"|imagin\w+|dream\w*|pretend\w*|almost|\w+n['’]t|instead|suppos\w+|guess\w*|want\w*|like)\b"
)
"""Words before a speaker by which nothing is claimed to have been said."""
_SAYING = late(rf"(?i)\b(?:{_VERB}|{_ANSWER})\b")


@frozen
class _SpokenQuotation:
    """A quotation of a memory with the speaker it names, and its place in the file."""

    line: int
    quoted: QuotedWords
    speaker: str
    sentence: str


def find_misattributed(
    snapshot: Snapshot, text: str, marker: tuple[str, int], sessions: Collection[str]
) -> list[UngroundedDetail]:
    """Return the quotations of a memory's file that the tape gives to the other speaker alone.

    The words must stand on the tape, said by the other one and never by the one who is named. `marker` is
    the memory's short form with its line, and `sessions` are those that it tells of.
    """
    settings = snapshot.settings
    persona, user = settings.name, settings.user
    if not persona or not user or persona.casefold() == user.casefold():
        return []
    sayings = [one for told, line in (*_parts(text), marker) for one in _sayings(told, line, persona, user)]
    if not sayings:
        return []
    parts = {part for one in sayings for part in list_parts(one.quoted.inside)}
    said = find_utterances(snapshot, sorted(parts))
    found: list[UngroundedDetail] = []
    for one in sayings:
        by = _said_by_other(one, said, (persona, user), sessions)
        if by is not None and not _says_nearly(snapshot, one, sessions):
            near = _passage(snapshot, by, several=len(sessions) > 1)
            found.append(UngroundedDetail(Claim.SPEAKER, one.line, one.quoted.inside, one.sentence, near))
    return found


def _parts(text: str) -> Iterator[tuple[str, int]]:
    """Yield the sections of a memory's file that tell what was said, each with its first line."""
    lines = text.split("\n")
    start = 0
    if lines[0].rstrip() == "---":
        start = next((n for n, line in enumerate(lines[1:], 2) if line.rstrip() == "---"), 0)
    held: list[str] = []
    section, first = "", start + 1
    for number, line in enumerate([*lines[start:], "## "], start + 1):
        if line.startswith("## "):
            if section not in _SKIPPED:
                yield "\n".join(held), first
            section, held, first = line[3:].strip().replace("’", "'"), [], number + 1
        else:
            held.append(line)


def _sayings(text: str, first: int, persona: str, user: str) -> Iterator[_SpokenQuotation]:
    """Yield the quotations of which the text says plainly which of the two said them."""
    voices = _Voices(persona, user)
    bounds = list(sentences(even(text)))
    for one in find_quoted_words(text, persona, user):
        who = "" if one.is_open else voices.speaker_of(text, one)
        if who and who != (one.speaker or who):
            continue
        if who:
            start, end = next(((a, b) for a, b in bounds if a <= one.start < b), (one.start, one.end))
            yield _SpokenQuotation(
                first + text.count("\n", 0, one.start), one, who, even(text)[start:end].strip()
            )


class _Voices:
    """The two speakers, and the words by which a memory names one of them right beside a quotation."""

    def __init__(self, persona: str, user: str) -> None:
        self._names = {"i": persona}
        for name in (user, persona):
            for form in (name, name.split()[0]):
                self._names[form.casefold()] = name
        who = "|".join(re.escape(one) for one in sorted(self._names, key=len, reverse=True))
        self._before = re.compile(
            rf"(?i)(?P<lead>.*?)(?<!\w)(?P<who>{who})(?:['’](?:d|ve))?\s+(?:{_ADVERB}\s+){{0,2}}"
            rf"(?:{_VERB}(?:\s+{_TO}){{0,3}}\s*[:：,—–-]?|{_ANSWER}(?:\s+{_TO}){{0,3}}\s*[:：,])\W{{0,3}}\Z",
            re.DOTALL,
        )
        self._goes_on = re.compile(rf"(?i)\s*,?\s*(?:{_VERB}|{_ANSWER})\s+(?P<who>{who})\s*,\s*\Z")
        self._label = re.compile(rf"(?i)\W*(?P<who>{who})[*_]{{0,2}}\s*[:：][*_]{{0,2}}\s*\Z")
        self._signed = re.compile(rf"(?i)[\s>]*[—–-]{{1,2}}\s*(?P<who>{who})\W*\Z")
        ends = rf"(?:\s+{_TO}){{0,3}}\s*(?:[.,;:!?—–)\n]|\Z)"
        self._tag = re.compile(
            rf"(?i)\s*[,–—-]?\s*(?:(?:{_VERB}|{_ANSWER})\s+(?P<behind>{who})(?!\w|['’]s)"
            rf"|(?P<before>{who})\s+(?:{_ADVERB}\s+){{0,2}}(?:{_VERB}|(?P<answer>{_ANSWER})){ends})"
        )

    def speaker_of(self, text: str, one: QuotedWords) -> str:
        """Return whom the words beside a quotation name as its speaker; "" where they leave it open."""
        clause = split_sentences(_CLAUSE, text[max(0, one.start - _BEFORE) : one.start].rstrip())[-1]
        whole = text[one.start : one.end]
        signed = self._signed.search(whole) if one.form == "block" else None
        before = signed or self._label.fullmatch(clause) or self._goes_on.fullmatch(clause)
        if before is None and (found := self._before.fullmatch(clause)) is not None:
            joint = _JOINT.search(found["lead"])
            if _UNREAL.search(found["lead"]) or (joint and self._is_person(joint["other"])):
                return ""
            before = found
        after = self._after(text, one)
        if before is None and _SAYING.search(clause):
            return ""
        named = {self._names[found.casefold()] for found in (before and before["who"], after) if found}
        return named.pop() if len(named) == 1 else ""

    def _after(self, text: str, one: QuotedWords) -> str:
        """Return the name in the words behind a quotation that say who said it; "" for none."""
        inside = one.inside.rstrip()
        if one.form == "block" or inside.endswith("."):
            # what follows is a sentence of its own
            return ""
        tag = self._tag.match(text, one.end, one.end + _AFTER)
        if tag is None or (tag["answer"] and inside.endswith(("?", "!", "…"))):
            return ""
        return tag["behind"] or tag["before"]

    def _is_person(self, word: str) -> bool:
        plain = word.casefold()
        return plain in self._names or plain in ("he", "she", "they", "we", "you") or word[:1].isupper()


def _said_by_other(
    one: _SpokenQuotation,
    said: Mapping[str, Sequence[Utterance]],
    names: tuple[str, str],
    sessions: Collection[str],
) -> Utterance | None:
    """Return where a part of a quotation was said by the other alone; None if all of it may be right."""
    for part in list_parts(one.quoted.inside):
        places = said.get(part, ())
        if not places or any(place.speaker not in names or place.speaker == one.speaker for place in places):
            continue
        own = [place for place in places if place.session in sessions]
        if len(WORD.findall(part)) > _SHORT:
            return (own or places)[0]
        if own and stems(part):
            return own[0]
    return None


def _says_nearly(snapshot: Snapshot, one: _SpokenQuotation, sessions: Collection[str]) -> bool:
    """Return whether the one who is named said all the telling words of a quotation in one message."""
    words = set(stems(even(one.quoted.inside)))
    settings = snapshot.settings
    for session in sessions:
        if session not in snapshot.sessions:
            continue
        for entry in read_session(snapshot, session).shown():
            who = speaker(entry, user=settings.user, persona=settings.name)
            if who == one.speaker and words <= set(stems(even(entry.message.text))):
                return True
    return False


def _passage(snapshot: Snapshot, place: Utterance, *, several: bool) -> Passage | None:
    entry = read_session(snapshot, place.session).numbered().get(place.number)
    if entry is None:
        return None
    return Passage(place.number, place.speaker, clipped(entry.message.text), place.session if several else "")
