"""Clauses of a memory that say the opposite of one clause of the talk, about the same thing.

Both must have the same subject, verb and object in the same order, and differ by one no, or by one word and
its opposite. A denial may leave out what the other side adds at its end (`She never sang` denies `She sang in
June`), never the other way round.
"""

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import cache, lru_cache

from reel_cli.core.evidence.grounding.date_words import MONTHS, WEEKDAYS
from reel_cli.core.evidence.grounding.lexicon import (
    IRREGULAR,
    NEGATORS,
    WORD,
    bare,
    clauses,
    even,
    sentences,
    spelt_out,
    stem,
    stems,
)
from reel_cli.core.evidence.grounding.polarity import IDIOMS, comes_then, polarity
from reel_cli.core.evidence.grounding.source import Passage, Source, clipped
from reel_cli.core.frozen import frozen, late

_OPPOSITES = (
    ("pass", "fail"), ("win", "lose"), ("buy", "sell"), ("accept", "reject refuse decline"),
    ("arrive", "leave"), ("love like", "hate dislike"), ("begin start", "finish end stop quit"),
    ("attend join", "miss skip"), ("marry", "divorce"), ("remember", "forget"), ("open", "close shut"),
    ("keep", "lose"), ("stay", "go leave"), ("improve", "worsen"), ("agree", "disagree"),
    ("increase rise", "decrease fall drop"),
    ("hire", "fire"), ("gain", "lose"), ("easy", "hard difficult tough"), ("calm", "nervous anxious"),
    ("older", "younger"), ("better", "worse"), ("married", "divorced single"), ("long", "short brief"),
    ("big huge large", "small tiny"), ("early", "late"), ("hot warm", "cold cool"), ("full", "empty"),
    ("cheap", "expensive"), ("slow", "fast quick"), ("loud", "quiet silent"), ("wet", "dry"),
    ("high", "low"), ("rich", "poor"), ("strong", "weak"), ("heavy", "light"), ("alone", "together"),
    ("happy glad", "sad unhappy"), ("excited", "bored"), ("proud", "ashamed"), ("many", "few"),
)  # fmt: skip


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_IDLE = _words(
    "a an the this these those some any already yet still again even just really very too also then now"
    " ever simply actually quite always all so am is are was were be been being do does did will shall"
    " and but or because since though although while only well oh yes yeah"
)
"""Words without which two clauses are compared."""
_THIRD = _words("he him his she her hers they them their theirs who whose")
_THINGS = _words("it its that which")
_LINKS = _words(
    "about above across after against along around as at before behind beside between by during for from in"
    " inside into near of off on onto out outside over since through till to towards under until up with"
    " within"
)
_TIMES = _words("last this next week month year night morning evening day today yesterday").union(
    MONTHS, WEEKDAYS
)
_SPOKEN_AROUND = late(
    r"\b(?:by (?:then|now)|at (?:last|all)|so far|in (?:fact|the end)|(?:all the|every) (?:way|time|day))\b"
)
_FUTURE = re.compile(r"\b(?:will|shall)\b|'ll\b")
_MAY_BE = late(
    r"\b(?:if|unless|would|should|might|may|must|maybe|perhaps|whether|wish\w*|hop(?:e|es|ed|ing)|suppos\w+"
    r"|imagin\w+|pretend\w*|almost|nearly|due|wants?|wanted|plans?|planned|promis\w+|about to|going to"
    r"|no longer|any ?more|used to|as though|like (?:i|he|she|it|we|they|you)|sure|doubts?|wonder\w*)\b"
)
"""Pattern of clauses that nobody holds to be so, or that were so for a time."""
_SUBORDINATE = late(r"\W*(?:when|after|before|until|till|once|without|than)\b")
_REPORTED = late(
    r"\b(?!i\b|and\b|but\b|so\b)\w+ (?:says?|said|thinks?|thought|reckons?|claims?|claimed|insists?|heard)\b"
)
"""Pattern of what somebody else is said to hold."""
_IN_JEST = late(
    r"(?i)\b(?:ha(?:ha)+|lol|lmao|rofl|kidding|jok(?:e|es|ing)|as if|yeah,? right)\b|;-?\)|[😂🤣😜😉🙃]"
)
_ASKED = late(r"(?i)(?:and |so |but |well, )?(?:did|do|does|have|has|are|is|was|were|will|can) (.+)")
_ASKED_WHO = late(r"(?i)(?:and |so |but )?(?:who|which of \w+) (.+)")
_NO = late(
    r"(?i)\W*(?:oh |well )?,?\s*(?:no|nope|nah|not yet|never)\b"
    r"(?! (?:way|problem|worries|idea|need|doubt|wonder|matter))"
)
_YES = late(
    r"(?i)\W*(?:thanks [^.!?]{0,20}[.!]\s*)?(?:oh |well )?"
    r"(?:yes|yeah|yep|yup|of course|absolutely|definitely)\b"
)
_NOBODY = late(r"(?i)\W*(?:nobody|no one|none|neither)\b")
_ANY_NO = late(
    rf"\b(?:{'|'.join(sorted(NEGATORS))}|can not|fail\w*|miss\w*|lost|instead|stopp?\w*|quit|refus\w*"
    r"|cancel\w*|avoid\w*|declin\w*|forbid\w*|forbad\w*|too \w+ to)\b"
)
"""Words by which a thing may be denied in other words."""
_UNCHANGED = _words("let put cut set hit hurt shut read come become run")
"""Participles that are spelt as their verb."""
_NOS = frozenset(("not", "never", "no"))
_ANYBODY = "*"
_NEAR = 2
"""Telling words around them that two clauses of one telling word must share, to be about one thing."""


@frozen
class Opposite:
    """A clause that says the opposite of what was said: its place, its telling words, and the passage."""

    start: int
    end: int
    words: tuple[str, ...]
    denies: bool
    said: Passage


@frozen
class _Clause:
    """A clause as it is compared: its words in order, those that tell something, and whether it denies."""

    words: tuple[str, ...]
    telling: frozenset[str]
    denies: bool
    able: bool = False
    ahead: bool = False
    past: bool = False


@frozen
class _SaidClause:
    """A clause of the talk: the message's place, what was said in it, and the words to be shown.

    `own` is what the message says in this clause alone, so that what stands around it is the rest.
    """

    clause: _Clause
    place: int
    message: frozenset[str]
    own: frozenset[str]
    alone: bool
    shown: str


def opposites(masked: str, source: Source, me: str, other: str) -> Iterator[Opposite]:
    """Yield the clauses of a text without its quotations that say the opposite of one that was said."""
    for first, last in sentences(masked):
        for found in _CONTRAST.finditer(masked, first, last):
            turned = _find_turned(found, source)
            if turned is not None:
                yield Opposite(*found.span(), stems(found[0]), denies=True, said=turned)
        at = first
        for clause in clauses(masked[first:last]):
            start = masked.index(clause, at)
            at = start + len(clause)
            said = find_opposite(clause, masked[first:last], source, me, other)
            if said is not None and not comes_then(clause, source.turns):
                lead = len(clause) - len(clause.lstrip(" ,:()"))
                denies = polarity(clause).says_no
                yield Opposite(start + lead, at, stems(clause), denies, said)


def find_opposite(clause: str, sentence: str, source: Source, me: str, other: str) -> Passage | None:
    """Return what was said of the same thing in the opposite sense; None where anything bears the clause."""
    if "?" in sentence or _SUBORDINATE.match(clause.casefold()):
        return None
    mine = _read(clause, me, other, me)
    if mine is None or not mine.telling:
        return None
    said = _said_clauses(source, me, other)
    around = frozenset(stems(sentence.replace(clause, " ")))
    against = [one for one in said if _contradicts(mine, one, around, other)]
    if not against or any(_agrees(mine, one.clause, other) for one in said):
        return None
    found = against[0]
    if _borne_otherwise(mine, found, source):
        return None
    turn = source.said[found.place].turn
    session = turn.session if source.several else ""
    return Passage(turn.number, turn.speaker, clipped(found.shown), session)


def _find_turned(mine: re.Match[str], source: Source) -> Passage | None:
    """Return what was said with the two sides of a `one but not the other` turned round."""
    for one in source.said:
        text = even(one.turn.text)
        for said in _CONTRAST.finditer(text):
            if (stem(said[1]), stem(said[2])) == (stem(mine[2]), stem(mine[1])):
                start, end = next((a, b) for a, b in sentences(text) if a <= said.start() < b)
                session = one.turn.session if source.several else ""
                return Passage(one.turn.number, one.turn.speaker, clipped(one.turn.text[start:end]), session)
    return None


_CONTRAST = late(r"(?i)\b(\w+),? but not (?:the |an? |my |his |her |their |our )?(\w+)")


def _contradicts(mine: _Clause, said: _SaidClause, around: frozenset[str], other: str) -> bool:
    theirs = said.clause
    if len(theirs.telling & mine.telling) < _NEAR:
        # one verb between pronouns: either all that was said, or among other words of the same thing
        whole = said.alone and len(mine.words) == len(theirs.words)
        if not whole and len((around & said.message) - said.own) < _NEAR:
            return False
    if theirs.denies != mine.denies:
        denial, claim = (mine, theirs) if mine.denies else (theirs, mine)
        if denial is mine and denial.able and not claim.able:
            # who cannot now may have done it then
            return False
        if mine.ahead and theirs.past:
            # what was not done may be done yet
            return False
        return _covers(denial.words, claim.words, other, page_first=denial is mine)
    if mine.denies or len(mine.words) != len(theirs.words):
        return False
    pairs = list(zip(mine.words, theirs.words, strict=True))
    apart = [(one, two) for one, two in pairs if not _same(one, two, other)]
    return len(apart) == 1 and apart[0][1] in _antonyms().get(apart[0][0], ())


def _agrees(mine: _Clause, theirs: _Clause, other: str) -> bool:
    """Return whether a clause of the talk says the same, or half of it."""
    if mine.denies != theirs.denies:
        return False
    return _covers(mine.words, theirs.words, other, page_first=True) or _covers(
        theirs.words, mine.words, other, page_first=False
    )


def _covers(short: Sequence[str], long: Sequence[str], other: str, *, page_first: bool) -> bool:
    """Return whether a clause begins with another, times of day before it and additions behind it apart."""
    lead = 0
    while lead < len(long) and (long[lead] in _TIMES or (long[lead] in _LINKS and lead + 1 < len(long))):
        lead += 1
    for start in {0, lead}:
        part = long[start : start + len(short)]
        rest = long[start + len(short) :]
        if len(part) < len(short) or (rest and not (rest[0] in _LINKS or rest[0] in _TIMES)):
            continue
        pairs = zip(short, part, strict=True)
        if all(_same(*(pair if page_first else pair[::-1]), other) for pair in pairs):
            return True
    return False


def _same(page: str, said: str, other: str) -> bool:
    """Return whether a page and the talk name the same; `he` is the other of the two, or a third."""
    if page == "#":
        return said in ("#", _ANYBODY, f"@{other}", f"@&{other}")
    return said in (page, _ANYBODY) or (page[:1] == "@" and said == f"@&{page.lstrip('@&')}")


def _borne_otherwise(mine: _Clause, against: _SaidClause, source: Source) -> bool:
    """Return whether any other sentence may bear the clause in words of its own."""
    core = mine.telling & against.clause.telling or mine.telling
    least = max(1, len(core) - 1)
    for place, plain, words, asked in _sentences(source):
        if plain == spelt_out(against.shown):
            continue
        if mine.denies:
            if len(core & words) >= least and _denies(plain, core):
                return True
            continue
        no = any(stem(found[0]) not in core for found in _ANY_NO.finditer(plain))
        shared = len(core & words)
        if (shared == len(core) or (place > against.place and shared >= least)) and not (
            asked or no or _MAY_BE.search(plain) or _FUTURE.search(plain)
        ):
            return True
    return False


def _denies(plain: str, core: frozenset[str]) -> bool:
    """Return whether a sentence has a no beside one of these words, or by itself."""
    return any(
        not core.isdisjoint(stems(part)) or len(WORD.findall(part)) == 1
        for part in clauses(plain)
        if any(stem(found[0]) not in core for found in _ANY_NO.finditer(part))
    )


@lru_cache(maxsize=2)
def _sentences(source: Source) -> Sequence[tuple[int, str, frozenset[str], bool]]:
    """Return each sentence that was said: its message's place, it spelt out, its stems, whether it asks."""
    found = []
    for place, turn in enumerate(source.turns):
        for start, end in sentences(turn):
            plain = spelt_out(turn[start:end].strip())
            found.append((place, plain, frozenset(stems(plain)), plain.endswith("?")))
    return found


@lru_cache(maxsize=2)
def _said_clauses(source: Source, me: str, other: str) -> Sequence[_SaidClause]:
    """Return the clauses that somebody said to be so or not so."""
    found: list[_SaidClause] = []
    for place, one in enumerate(source.said):
        text = even(one.turn.text)
        if _IN_JEST.search(text):
            continue
        speaker = one.turn.speaker
        heard = me if speaker == other else other
        before = even(source.said[place - 1].turn.text) if place else ""
        found += _answered(before, text, place, speaker, heard)
        every = Counter(stems(text))
        message = frozenset(every)
        for start, end in sentences(text):
            sentence = text[start:end].strip(' *_"()')
            plain = spelt_out(sentence)
            if sentence.endswith(("?", "]")) or _REPORTED.search(plain):
                continue
            parts = list(clauses(sentence))
            for part in parts:
                told = _read(part, speaker, heard, speaker)
                if told is None or (not told.denies and _FUTURE.search(spelt_out(part))):
                    continue
                own = frozenset(one for one, many in Counter(stems(part)).items() if many == every[one])
                found.append(_SaidClause(told, place, message, own, len(parts) == 1, sentence))
    return found


def _answered(asked: str, answer: str, place: int, speaker: str, heard: str) -> Iterator[_SaidClause]:
    """Yield what a message says by a yes, a no, or a nobody to the question before it."""
    last = [asked[start:end].strip() for start, end in sentences(asked)][-1:]
    if not last or not last[0].endswith("?") or " or " in last[0]:
        return
    # `as you said you would` is no part of what is asked
    question = last[0].rstrip("?").partition(",")[0]
    who, did = _ASKED_WHO.fullmatch(question), _ASKED.fullmatch(question)
    no = _NO.match(answer) is not None
    if who is not None and _NOBODY.match(answer):
        told = _read(f"{heard} {who[1]}", heard, speaker, heard)
        told = told and replace(told, words=(_ANYBODY, *told.words[1:]), denies=True)
    elif did is not None and (no or _YES.match(answer)):
        told = _read(did[1], heard, speaker, heard)
        past = question.casefold().split()[0] in ("did", "have", "has", "was", "were")
        told = None if told is None or told.denies else replace(told, denies=no, past=past)
    else:
        return
    if told is not None:
        around = frozenset(stems(f"{asked} {answer}".replace(last[0], " ")))
        first = next((answer[start:end].strip() for start, end in sentences(answer)), answer)
        yield _SaidClause(told, place, around, frozenset(), alone=False, shown=first)


def _read(clause: str, speaker: str, heard: str, subject: str) -> _Clause | None:
    """Return a clause as it is compared; None for what has no verb, several nos, or may be otherwise."""
    plain = spelt_out(clause)
    idiom = IDIOMS.search(plain)
    # who cannot let go of something keeps it
    if _MAY_BE.search(plain) or (idiom is not None and "let go" not in idiom[0]):
        return None
    plain = _SPOKEN_AROUND.sub(" ", plain)
    told = [bare(match[0]) for match in WORD.finditer(plain)]
    nos = [word for word in told if word in NEGATORS]
    if len(nos) > 1 or any(word not in _NOS for word in nos) or _is_order(told):
        return None
    names = {bare(speaker.split(maxsplit=1)[0]): speaker} if speaker else {}
    names |= {bare(heard.split(maxsplit=1)[0]): heard} if heard else {}
    words: list[str] = []
    telling: list[str] = []
    verb = False
    for place, word in enumerate(told):
        known = _person(word, speaker, heard, names)
        if known:
            verb = verb or word in ("i", "we", "he", "she", "they", "you", "it")
            words.append(known)
        elif word == "have" or IRREGULAR.get(word) == "have":
            verb = True
            if not _helps(told[place + 1 :]):
                words.append("have")
        elif word in _NOS:
            continue
        elif word in _IDLE or word in ("can", "could"):
            verb = verb or word not in ("a", "an", "the")
        else:
            verb = verb or word.endswith("ed") or word in IRREGULAR or stem(word) in _antonyms()
            words.append(stem(word))
            telling += [stem(word)] if stems(word) else []
    if not verb or len(words) < _NEAR:
        return None
    if told[0] in ("and", "but") and not _has_subject(words):
        words = [f"@{subject}", *words]
    able, ahead = not {"can", "could"}.isdisjoint(told), _FUTURE.search(plain) is not None
    past = not {"did", "was", "were", "has", "had", "have"}.isdisjoint(told)
    return _Clause(tuple(words), frozenset(telling), bool(nos), able, ahead, past)


def _is_order(told: Sequence[str]) -> bool:
    """Return whether a clause tells somebody to do or not to do something."""
    return tuple(told[:2]) in (("do", "not"), ("please", "do")) or told[:1] == ["never"]


def _has_subject(words: Sequence[str]) -> bool:
    return words[0][:1] in "@#~" or not words[0].endswith("ed")


def _helps(rest: Sequence[str]) -> bool:
    """Return whether a `have` before these words only puts the verb behind it in the past."""
    word = next((one for one in rest if one not in _NOS and one not in _IDLE), "")
    return word.endswith("ed") or word in _UNCHANGED or IRREGULAR.get(word, word) != word


def _person(word: str, speaker: str, heard: str, names: dict[str, str]) -> str:
    """Return who a word names: one of the two, a third, a thing named before; "" for any other word."""
    if word in ("i", "me", "my", "mine", "myself"):
        return f"@{speaker}"
    if word in ("you", "your", "yours", "yourself"):
        return f"@{heard}"
    if word in ("we", "us", "our", "ours"):
        return f"@&{speaker}"
    if word in names:
        return f"@{names[word]}"
    return "#" if word in _THIRD else "~" if word in _THINGS else ""


@cache
def _antonyms() -> dict[str, frozenset[str]]:
    """Return the opposites of each word, by stem."""
    found: dict[str, frozenset[str]] = {}
    for one, other in _OPPOSITES:
        for mine, theirs in ((one, other), (other, one)):
            for word in mine.split():
                more = frozenset(map(stem, theirs.split()))
                found[stem(word)] = found.get(stem(word), frozenset()) | more
    return found
