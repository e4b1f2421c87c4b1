"""Acts and belongings that a memory gives to one speaker, and the other told of themselves."""

import re
from collections.abc import Iterator
from functools import lru_cache

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import WORD, bare, clauses, even, sentences
from reel_cli.core.evidence.grounding.scenes import content
from reel_cli.core.evidence.grounding.source import Passage, Source, clipped
from reel_cli.core.evidence.grounding.words import word_forms
from reel_cli.core.frozen import frozen

_LEAD = re.compile(
    r"^\W*(?:(?:and|but|so|then|also|when|because|that|while|after|before|where|which)\s+)*"
    r"(?:(?:he|she|i|we|[A-Z]\w+)\s+(?:\w+ly\s+)?(?:told|said|says|tells|mentioned|wrote|added|heard|learned)\s+"
    r"(?:(?:to\s+)?(?:me|him|her|us|[A-Z]\w+)\s+)?(?:that\s+|how\s+)?)?"
    r"(?:(?:in|on|at|last|this|after|before|one|the|a|every|since)\s+[^,]{1,40},\s+"
    r"|(?:[Ll]ast|[Tt]his)\s+(?:week(?:end)?|month|year|\w+day)\s+|(?:[Oo]n|[Ii]n)\s+(?:\w+day,?\s+)?(?:\d{1,2}\s+[A-Z]\w+|[A-Z]\w+\s+\d{1,2})(?:\s+\d{4})?,?\s+)?",
)
_TOLD_OF = re.compile(
    r"\W*(?:and\s+|then\s+)?(?:I|[Hh]e|[Ss]he|[A-Z]\w+)\s+(?:told|reminded)\s+(?:me|him|her|[A-Z]\w+)\s+(?:of|about)\s+"
    r"(?:the|an?)\s+(?:[a-z][\w'-]*\s+){1,5}?(?=(?:I|he|she)\s+[a-z])"
)
"""Pattern of what comes before somebody's act in `I told her of the parade she joined`."""
_ASKS = re.compile(
    r"\W*(?:(?:and|but|then|when)\s+)?(I|[Hh]e|[Ss]he|[A-Z]\w+)\s+(asked|showed|shared|sent)\s+"
    r"(?:(?:me|him|her|[A-Z]\w+)\s+)?(.+)"
)
_TELLING = re.compile(
    r"(?i)^(?:\w+ly\s+)?(?:told|tell|tells|ask\w*|said|say|says|answer\w*|repl\w*|thank\w*|hop\w+|wish\w*|offer\w*"
    r"|promis\w+|mention\w*|agree\w*|suggest\w*|want\w*|think|thinks|thought|know|knows|knew|heard|learned|shar\w+"
    r"|remember\w*|congratulat\w*|encourag\w*|prais\w*|call\w*|wonder\w*|admir\w*|find|finds|found|look\w*|wait\w*"
    r"|am glad|was glad|love|loves|loved|like|likes|liked|did not|do not|does not|didn't|don't|doesn't)\b"
)
"""Verbs after which a clause tells of the talk, or of a feeling that both may have."""
_OWN = re.compile(r"\b(?:i|i'm|i've|i'd|i'll|me|my|mine|myself|we|we're|we've|us|our|ours)\b")
_SAID_TO = re.compile(r"\b(?:you|you're|you've|you'd|your|yours)\b")
_SAID_OF = re.compile(r"(?:\W*\w+,?\s+){0,3}?(?:you|you're|you've|you'd|your)\b")
_MINE = re.compile(
    r"\b(?:(?P<whose>my|our|your)\s+(?P<what>(?:[a-z][\w'-]*\s+){0,1}[a-z][\w'-]*)"
    r"|(?P<noun>[a-z][\w'-]*)\s+of\s+(?P<of>mine|ours|yours))"
)
_OTHERS = re.compile(
    r"(?<=[a-z,;] )[A-Z][a-z]+|\b(?:woman|man|girl|boy|daughter|son|kid|kids|child|children|mom|mother|dad"
    r"|father|sister|brother|friend|people|colleague|wife|husband|neighbor|dog|cat|youngest|oldest|resident"
    r"|volunteer|somebody|someone|who)\b"
)
"""Pattern of others whom `his` and `her` may mean."""
_GOES_ON = re.compile(
    r"\W*(?:and\s+|but\s+|then\s+)?(?:\w+ed|got|went|made|took|had|found|saw|did|was|bought|met)\s"
)
_ORDERS = re.compile(
    r"(?:(?:please|now|then|so|and|ok|okay|just|first|next),?\s+)*(?:write|give|make|list|create|show|tell|find|help"
    r"|explain|draft|suggest|describe|summari[sz]e|translate|rewrite|generate|provide|add|let|send|get|bring)\b"
    r"(?!\s+(?:i|we)\b)"
)
"""Pattern of what is asked of the other, who then does it."""
_THIRD = re.compile(r"\b(?:he|she|his|her|him)\b")
_TOWARD = re.compile(r"(?i)\b(?:he|she|his|her|hers|him)\b|\b(?:told|asked|showed|gave|sent) me\b")
_ELLIPTIC = re.compile(
    r"(?:(?:yeah|yes|well|oh|and|so|also|hey|wow),?\s+)*(?:just\s+|also\s+|recently\s+|already\s+)?"
    r"(?:been|had|got|went|started|joined|made|took|found|saw|did|tried|working|going|thinking|[a-z]{3,}ed)\s"
)
"""Pattern of statements that leave their I out: `Been busy at the shelter.`"""
_LOOSE = frozenset(
    word
    for words in (
        "way day days life time turn words word side place part own back mind head heart thing things",
        "self journey support help work story best first whole question talk hands name dream dreams view",
        "new old experience experiences thoughts feelings passion goal goals love family friend friends",
        "voice home",
    )
    for word in words.split()
)
"""Nouns that both speakers have."""
_SAME = 60
"""Percent of a clause's telling words that a statement must have to be about the same thing."""
_RIVAL = 60
"""Percent of the best match that a statement of the right speaker may reach."""
_FEWEST = 2
_HANDS = re.compile(r"(?i)\b(?:show\w*|sent|send\w*|gave|gives?)\b")
"""Pattern of what is done with a thing that somebody else may have told of."""
_OWES = re.compile(r"(?i)\b(?:must|has to|have to|am to|is to|ought|shall|should|not to|allowed|promised)\b")
"""Pattern of what one of them owes, or may not do, since the other asked for it."""
_MOST_MORE = 4
"""Telling words of a sentence, for each of a clause's, up to which it tells the same and no more."""
_POINTS_BACK = re.compile(r"\b(?:one|it|them|that|those)\b")
_SUPPOSES = re.compile(r"\b(?:could|would|should|can|may|might|maybe|perhaps|let's|if|will|'ll|wish)\b")


@frozen
class WrongOwner:
    """A clause that gives one speaker what the other told: its place, its words, and what was said.

    It is `sure` where the other told all of it, in one sentence, of themselves.
    """

    start: int
    end: int
    words: tuple[str, ...]
    said: Passage
    sure: bool


@frozen
class _Statement:
    """One clause of a message: its speaker, the speaker it is about ("" if that is open), its words."""

    number: int
    speaker: str
    about: str
    text: str
    sentence: str
    session: str


@frozen
class _Talk:
    """The words of two people, by sentence: what they told, what they asked, and pictures they showed."""

    source: Source
    me: str
    other: str
    said: tuple[_Statement, ...]
    asked: tuple[_Statement, ...] = ()
    shown: tuple[_Statement, ...] = ()

    def opposite(self, speaker: str) -> str:
        """Return the other of the two."""
        return self.other if speaker == self.me else self.me


@lru_cache(maxsize=2)
def _talk(source: Source, me: str, other: str) -> _Talk:
    """Return what two people said, sorted once for all paragraphs of a text."""
    acts = list(_acts(source, me, other))
    return _Talk(
        source,
        me,
        other,
        tuple(_statements(source, me, other)),
        tuple(one for one in acts if one.text.endswith("?")),
        tuple(one for one in acts if one.text.endswith("]")),
    )


def exchanged(masked: str, source: Source, me: str, other: str) -> Iterator[WrongOwner]:
    """Yield the clauses that tell of one speaker what only the other said of themselves.

    `masked` is a text without its quotations; `me` and `other` are the two who speak.
    """
    if not me or not other:
        return
    talk = _talk(source, me, other)
    for first, last in sentences(masked):
        sentence = masked[first:last]
        if "?" in sentence:
            continue
        at, before = first, ""
        for clause in clauses(sentence):
            at = masked.index(clause, at)
            start, end = at, at + len(clause)
            at = end
            # "I went hiking and got into a bad spot": the second clause has the first one's subject
            owner = _owner(clause, me, other) or (before if _GOES_ON.match(clause) else "")
            before = owner or (before if not content(clause, source) else "")
            found = _given_away(clause, owner, talk) if owner else None
            told = found is not None
            if found is None:
                found = _belongs(clause, sentence, talk) or _done_by_other(clause, talk)
            if found is not None:
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                words = tuple(content(clause, source))
                open_ = _HANDS.search(clause) or _OWES.search(clause)
                sure = told and not open_ and _tells_all(found, words, source)
                where = Passage(
                    found.number,
                    found.speaker,
                    clipped(found.sentence),
                    found.session if source.several else "",
                )
                yield WrongOwner(start + lead, end, words, where, sure)


def _tells_all(said: _Statement, words: tuple[str, ...], source: Source) -> bool:
    """Return whether a sentence has all of these words, few others, and leaves nothing open.

    One word may be of the message before, to which the sentence points back: `My grandmother fed one`.
    """
    left = [word for word in words if not word_forms(word).stands_in(said.text)]
    if left and len(left) == 1 < _FEWEST < len(words) and _POINTS_BACK.search(said.text):
        before = [one.turn.text for one in source.said if one.turn.number == said.number - 1]
        left = [word for word in left if not any(word_forms(word).stands_in(text) for text in before)]
    return (
        not left
        and _SUPPOSES.search(said.text) is None
        and len(content(said.text, source)) <= _MOST_MORE * len(words)
    )


def _owner(clause: str, me: str, other: str) -> str:
    """Return the speaker a clause tells of; "" if it tells of nobody, or only of the talk."""
    lead = _TOLD_OF.match(clause) or _LEAD.match(clause)
    told = clause[lead.end() if lead else 0 :]
    match = re.match(r"(I|[Mm]y|[Hh]is|[Hh]er|he|she|He|She|[A-Z]\w+)(?:'(?:m|ve|d|s|ll))?\b\s*", told)
    if match is None:
        return me if re.search(r"\b(?:me|my|I)\b", told) and not _TOWARD.search(told) else ""
    if _TELLING.match(told[match.end() :]):
        return ""
    word = match[1]
    if word in ("I", "My", "my"):
        return me
    if (
        word.casefold() in ("he", "she", "his", "her")
        or even(word).casefold() == even(other).split()[0].casefold()
    ):
        return other
    return me if even(word).casefold() == even(me).split()[0].casefold() else ""


def _statements(source: Source, me: str, other: str) -> Iterator[_Statement]:
    """Yield the sentences of both speakers, each with the one it is about."""
    for one in source.said:
        who = one.turn.speaker
        if who not in (me, other):
            continue
        text = even(one.turn.text)
        for first, last in sentences(text):
            sentence = text[first:last].strip()
            plain = sentence.casefold()
            if sentence.endswith(("?", "]")) or '"' in sentence or _ORDERS.match(plain):
                continue
            own, to = _OWN.search(plain) is not None, _SAID_TO.search(plain) is not None
            own = own or _ELLIPTIC.match(plain) is not None
            of_you = to and not own and _SAID_OF.match(plain) is not None and "let's" not in plain
            rest = other if who == me else me
            about = rest if of_you else who if own and not to else ""
            yield _Statement(one.turn.number, who, about, plain, sentence, one.turn.session)


def _acts(source: Source, me: str, other: str) -> Iterator[_Statement]:
    """Yield the questions of both speakers, and the pictures that they showed."""
    for one in source.said:
        if one.turn.speaker in (me, other):
            text = even(one.turn.text)
            for first, last in sentences(text):
                sentence = text[first:last].strip()
                if sentence.endswith(("?", "]")):
                    yield _Statement(
                        one.turn.number, one.turn.speaker, "", sentence.casefold(), sentence, one.turn.session
                    )


def _done_by_other(clause: str, talk: _Talk) -> _Statement | None:
    """Return what the other asked or showed, if a clause says that this one did."""
    match = _ASKS.match(clause)
    if match is None:
        return None
    word = even(match[1]).casefold()
    owner = talk.me if word in ("i", even(talk.me).split()[0].casefold()) else talk.other
    if owner == talk.other and word not in ("he", "she", even(talk.other).split()[0].casefold()):
        return None
    words = content(match[3], talk.source)
    patterns = [word_forms(one) for one in words]
    acts = talk.asked if match[2] == "asked" else talk.shown
    best, most = None, 0
    for one in acts:
        shared = sum(form.stands_in(one.text) for form in patterns)
        if one.speaker != owner and shared > most:
            best, most = one, shared
    if best is None or most < _FEWEST or most * 100 < _SAME * len(words):
        return None
    mine = (one for one in (*talk.said, *talk.asked, *talk.shown) if one.speaker == owner)
    rival = max((sum(form.stands_in(one.text) for form in patterns) for one in mine), default=0)
    return best if rival * 100 < _RIVAL * most else None


def _given_away(clause: str, owner: str, talk: _Talk) -> _Statement | None:
    """Return what the other speaker said of themselves, if the clause gives it to this one."""
    words = content(clause, talk.source)
    if len(words) < _FEWEST:
        return None
    rest = talk.opposite(owner)
    crosses = _crosses(clause, owner, talk)
    others = frozenset(_THIRD.findall(clause.casefold()))
    if crosses and (owner == talk.other or not others):
        return None
    third = re.match(r"(?i)\W*(?:and\s+|but\s+)?(?:he|she|his|her)\b", clause) is not None
    best, most, rival = None, 0, 0
    for one in talk.said:
        shared = sum(word_forms(word).stands_in(one.text) for word in words)
        if third and _THIRD.search(one.text):
            rival = max(rival, shared)
        elif one.about == rest or (not one.about and one.speaker == rest):
            # `I bought her a stool`: of the same third person
            fits = not crosses or (shared == len(words) and others <= set(_THIRD.findall(one.text)))
            if one.about == rest and shared > most and fits:
                best, most = one, shared
        else:
            rival = max(rival, shared)
    enough = best is not None and most >= _FEWEST and most * 100 >= _SAME * len(words)
    return best if enough and rival * 100 < _RIVAL * most else None


def _crosses(clause: str, owner: str, talk: _Talk) -> bool:
    """Return whether a clause tells of both: `She takes on my social media`."""
    told = re.sub(
        r"(?i)\b(?:told|asked|showed|gave|sent|shared with|reminded)\s+(?:me|him|her)\b", "", clause
    )
    if owner == talk.other:
        return re.search(r"\b(?:I|me|my|mine)\b(?!-)", told) is not None
    named = re.escape(even(talk.other).split()[0])
    return re.search(rf"(?i)\b(?:he|she|his|her|him|{named})\b", told) is not None


def _without(sentence: str, me: str, other: str) -> str:
    """Return a sentence without the speakers' names, months and days."""
    names = "|".join(map(re.escape, (*even(me).split(), *even(other).split(), *MONTHS, *WEEKDAYS)))
    return re.sub(rf"(?i)\b(?:{names})\b", "", sentence)


def _belongs(clause: str, sentence: str, talk: _Talk) -> _Statement | None:
    """Return what was said of a thing that is the other speaker's, if the clause gives it to this one."""
    me, other, source = talk.me, talk.other, talk.source
    name = re.escape(even(other).split()[0])
    for match in re.finditer(
        rf"(?i)\b(?:(?P<whose>my|his|her|{name}'s?)\s+(?!my\b|our\b|his\b|her\b|the\b|and\b)"
        rf"(?P<what>(?:[a-z][\w'-]*\s+)?[a-z][\w'-]*)|(?P<noun>[a-z][\w'-]*)\s+of\s+(?P<of>mine|hers|his|{name}'s))",
        clause,
    ):
        word = (match["whose"] or match["of"]).casefold()
        if word in ("his", "her", "hers") and _OTHERS.search(_without(sentence, me, other)):
            continue
        owner = me if word in ("my", "mine") else other
        rest = talk.opposite(owner)
        for noun in (bare(word[0]) for word in WORD.finditer(match["what"] or match["noun"])):
            if noun in _LOOSE or len(noun) < 3 or noun not in content(noun, source):
                continue
            pattern = word_forms(noun)
            held: dict[str, list[_Statement]] = {me: [], other: []}
            for one in talk.said:
                for mine in _MINE.finditer(one.text):
                    if pattern.stands_in(mine["what"] or mine["noun"]):
                        yours = (mine["whose"] or mine["of"]).startswith("your")
                        whose = talk.opposite(one.speaker) if yours else one.speaker
                        held[whose].append(one)
            if held[owner] or not held[rest]:
                continue
            words = [word for word in content(sentence, source) if word != noun]
            best = max(held[rest], key=lambda one: sum(word_forms(w).stands_in(one.text) for w in words))
            if sum(word_forms(word).stands_in(best.text) for word in words) >= 1:
                return best
    return None
