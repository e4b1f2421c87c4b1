"""Detection of things said that may be worth remembering, by their words alone.

It is deterministic, looks at each character a fixed number of times, and errs on the side of silence: what
it passes over is on the tape all the same, and goes into the page and its memory as ever.
"""

import re
from collections.abc import Sequence
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.core.question_words import is_question
from reel_cli.features.intake.entry import LONGEST
from reel_cli.features.intake.languages.choice import rules_of
from reel_cli.features.intake.signs import (
    APPOINTMENT,
    CORRECTION,
    PROMISE,
    REMEMBER,
    REMIND,
    WEIGHTS,
    Rules,
    Sign,
)

LOOKED_AT = 4_000
"""Characters of a turn that are read, from its beginning: a longer one is pasted text."""
MOST = 2
"""Maximum number of sentences of one turn that may wait."""


class Notice(NamedTuple):
    """The words that may be worth keeping, as they were said, and why."""

    words: str
    why: str


_SENTENCE = late(
    r"(?:[^.!?。！？\n]|(?:(?<=\bDr)|(?<=\bMr)|(?<=\bMrs)|(?<=\bMs)|(?<=\bSt)|(?<=\bProf))\.(?=[ \t])"
    r"|(?<=\d)\.(?=\d))*[.!?。！？]*[\"'”’)」』]*[ \t]*\n?"
)
"""Pattern of a sentence; the dot of a title or within a number does not end it."""
_HIDDEN = late(r"```[^`]*```|(?m:^[ \t]*>.*$)")
_ONLY_ASKS = late(
    r"(?:\W|(?:this|that|it|these|those|please|ok|okay|will|you|now|then|always|ever|das|dies|es|bitte|dir|dran|daran"
    r"|immer|gut|ça|cela|ceci|bien|toi|s'il|te|plaît|vous|esto|eso|lo|por|favor|siempre|isso|isto|sempre|это|этого"
    r"|об|этом|пожалуйста|всегда)\b|[これそあのをはもねよ、]|ください|[这那请吧哦啊了]|件事|个|好)*",
    re.IGNORECASE,
)
"""Pattern of what is left of a sentence that asks to remember what another one says."""
_CLAUSE = late(r"(?<!\d)[,:]|[;!?—–…，；：、！？\n]")
_REMINDS = late(
    r"\berinnere? mich\b|\brappelle(?:z)?-moi\b|\brecuérd[ae]me\b|\blembr[ae]-me\b|\bme lembr[ae]\b"
    r"|\bricord(?:a|i)mi\b|\bнапомни(?:те)? мне\b|リマインドして|思い出させて|提醒我",
    re.IGNORECASE,
)
"""Pattern of a wish to be reminded, in languages whose rules have no sign of their own for it."""
_ONLY_PROMISES = late(
    r"(?i)\W*(?:and |so |yes,? |ok,? )?(?:i |ich |je |te |lo |le |eu )*"
    r"(?:promised?|swear|versproch(?:en)?|versprech(?:e|s)?|promis|promets|prometido|prometo|promesso|prometto"
    r"|обещаю|約束|约定)(?: (?:it|that|you|es|dir|to you))?\W*"
)
"""Pattern of a sentence that promises what the one before it says."""
_ONLY_DENIES = late(r"(?i)not \w+[.!]?")
"""Pattern of a sentence that says what the one before it corrects."""
_BEGINS_TO_ASK = late(
    r"(?i)\W*(?:and |so |but )?(?:what|how|when|where|why|who|which)"
    r" (?:do|does|did|is|are|was|were|can|could|should|shall|would|will|have|has)\b"
)
"""Pattern of a question, also one without its mark."""
_SHORT = 2
"""Number of words up to which a sentence belongs to the one before it: `Not today.`"""
_MARKS = "\"'”’“«»)」』 "
"""Characters behind the mark that ends a sentence."""


def weight_of(why: str) -> int:
    """Return the weight of a reason, from 4 to 10; 0 for one that is not reel's."""
    return WEIGHTS.get(why, 0)


def notice(text: str, *, own: bool = False) -> Sequence[Notice]:
    """Return what may be worth remembering in a turn, the `MOST` weightiest sentences; mostly none.

    `own`: the persona said it; of that, only promises. What is quoted, or set as code, is passed over, and
    so is what is asked. A turn is read by the rules of each language that it has words of.
    """
    shown = text[:LOOKED_AT]
    plain = shown.replace("’", "'")
    small = plain.lower()
    found: list[_NoticedSentence] = []
    hidden: Sequence[tuple[int, int]] | None = None
    for rules in rules_of(small):
        signs = [
            sign for sign in rules.signs if (sign.why == PROMISE or not own) and _may_show(sign, plain, small)
        ]
        dated = not own and _may_be_dated(rules, plain, small)
        if signs or dated:
            hidden = _hidden(text, plain, own=own) if hidden is None else hidden
            found += _sentences(plain, rules, signs, hidden, dated=dated)
    chosen: list[_NoticedSentence] = []
    for one in sorted(found, key=lambda one: (-one.weight, one.start)):
        # two languages may part the same words into sentences in two ways
        if len(chosen) < MOST and all(one.end <= other.start or other.end <= one.start for other in chosen):
            chosen.append(one)
    chosen.sort(key=lambda one: one.start)
    return tuple(Notice(_quote(shown[one.start : one.end], one.at), one.why) for one in chosen)


def says_what_before(text: str) -> bool:
    """Return whether a turn only asks to remember something, and was said of what came before it."""
    told = " ".join(text.split())
    plain = told.replace("’", "'")
    return len(told) <= LONGEST and any(_only_asks(plain, rules.signs) for rules in rules_of(plain.lower()))


def last_words(text: str) -> str:
    """Return the end of a turn as it was said: its last sentences, as many as a candidate may have."""
    told = " ".join(text[:LOOKED_AT].split())
    ends = [match.start() for match in _SENTENCE.finditer(told) if match[0].strip()]
    start = next((at for at in ends if len(told) - at <= LONGEST), max(0, len(told) - LONGEST))
    return told[start:].strip()


def find_promises(text: str, *, own: bool = False) -> Sequence[tuple[str, str]]:
    """Return each sentence of a turn that promises something for a day to come, with the words of the day.

    As `notice` reads a turn; where there is `Rules.will`, any words that say what the speaker will do are a
    promise here, and so is what a person asks to be reminded of. What is denied or retold is none.
    """
    shown = text[:LOOKED_AT]
    plain = shown.replace("’", "'")
    found: dict[str, str] = {}
    for rules in rules_of(plain.lower()):
        days = [one.span() for one in rules.day.finditer(plain)]
        if not days:
            continue
        told = [(one.why, one.told) for one in rules.signs if one.why in (PROMISE, REMIND)]
        told += [(PROMISE, rules.will)] if rules.will is not None else []
        told += [(REMIND, _REMINDS)]
        signs = [
            Sign(why, (), one, rules.denied, rules.retold) for why, one in told if why == PROMISE or not own
        ]
        for one in _sentences(plain, rules, signs, _hidden(text, plain, own=own), dated=False):
            if rules.past is not None and rules.past.search(plain, one.start, one.end):
                continue
            ahead = (
                plain[start:end]
                for start, end in days
                if one.start <= start < one.end and not _is_over(rules, plain, start)
                if ";" not in plain[min(start, one.start + one.at) : max(start, one.start + one.at)]
            )
            if day := next(ahead, ""):
                found.setdefault(_quote(shown[one.start : one.end], one.at), day)
    return tuple(found.items())


class _NoticedSentence(NamedTuple):
    """A sentence that may matter: where it stands, why, and where in it."""

    start: int
    end: int
    why: str
    weight: int
    at: int


def _may_show(sign: Sign, plain: str, small: str) -> bool:
    if sign.cues:
        return any(cue in small for cue in sign.cues)
    return sign.told.search(plain) is not None


def _may_be_dated(rules: Rules, plain: str, small: str) -> bool:
    if rules.events:
        return any(cue in small for cue in rules.events)
    return rules.event.search(plain) is not None


def _hidden(text: str, plain: str, *, own: bool) -> Sequence[tuple[int, int]]:
    """Return the stretches of a turn that are quoted, or set as code."""
    if own:
        return [match.span() for match in _HIDDEN.finditer(plain)] if "```" in plain or ">" in plain else []
    from reel_cli.core.evidence.quotation import find_quoted

    # one character replaces one, so that the masked text has the same length
    return [(one.start, one.end) for one in find_quoted(text) if one.start < LOOKED_AT]


def _sentences(
    plain: str, rules: Rules, signs: Sequence[Sign], hidden: Sequence[tuple[int, int]], *, dated: bool
) -> list[_NoticedSentence]:
    """Return each sentence that these rules notice, with its weightiest reason."""
    found: list[_NoticedSentence] = []
    before: int | None = None
    bare: _NoticedSentence | None = None
    for match in (rules.sentence or _SENTENCE).finditer(plain):
        start, end = match.span()
        told = match[0].strip()
        if not told:
            continue
        if bare is not None:
            # what a turn begins with is about what follows
            found[found.index(bare)] = bare._replace(end=end)
            bare = None
        begins = start + len(match[0]) - len(match[0].lstrip())
        ends = told.rstrip(_MARKS)
        asks = is_question(ends) or _BEGINS_TO_ASK.match(told) is not None
        reasons = [
            one
            for one in _reasons(told, rules, signs, dated=dated)
            if (not asks or one.why in (CORRECTION, REMIND))
            and not any(a <= begins + one.at < b for a, b in hidden)
        ]
        if before is not None and not reasons and _ONLY_PROMISES.fullmatch(told):
            reasons = [_Reason(PROMISE, 0)]
        if reasons:
            best = max(reasons, key=lambda one: WEIGHTS[one.why])
            made = _NoticedSentence(start, end, best.why, WEIGHTS[best.why], best.at)
            if best.why == REMEMBER and _only_asks(told, signs):
                if before is None:
                    bare = made
                else:
                    made = made._replace(start=before, at=made.at + start - before)
            elif best.why == CORRECTION and before is not None and _ONLY_DENIES.fullmatch(told):
                # `It's Elis. Not Elliot.`
                made = made._replace(start=before, at=made.at + start - before)
            elif best.why == PROMISE and _ONLY_PROMISES.fullmatch(told):
                # `I'll write you that. Not today. Promise.`
                found = [one for one in found if before is None or one.start < before]
                made = made if before is None else made._replace(start=before, at=made.at + start - before)
            found.append(made)
        if before is None or len(told.split()) > _SHORT:
            before = start
    return found


def _only_asks(sentence: str, signs: Sequence[Sign]) -> bool:
    """Return whether a sentence asks to remember something, and does not say what."""
    asks = (found for sign in signs if sign.why == REMEMBER for found in sign.told.finditer(sentence))
    return any(_ONLY_ASKS.fullmatch(sentence[: one.start()] + " " + sentence[one.end() :]) for one in asks)


class _Reason(NamedTuple):
    """The reason why a sentence may matter, and its place in the sentence."""

    why: str
    at: int


def _reasons(sentence: str, rules: Rules, signs: Sequence[Sign], *, dated: bool) -> list[_Reason]:
    """Return each reason why a sentence may matter."""
    found = [_Reason(one.why, at) for one in signs if (at := _find(one, sentence)) is not None]
    event = rules.event.search(sentence) if dated else None
    if event is None or (rules.past is not None and rules.past.search(sentence)):
        return found
    day = next(
        (one for one in rules.day.finditer(sentence) if not _is_over(rules, sentence, one.start())), None
    )
    if day:
        found.append(_Reason(APPOINTMENT, min(day.start(), event.start())))
    return found


def _find(sign: Sign, sentence: str) -> int | None:
    """Return the first place of a sentence that shows a reason; None where there is none."""
    if sign.retold is not None and sign.retold.search(sentence):
        return None
    found = sign.told.finditer(sentence)
    return next((one.start() for one in found if not _is_denied(sign, sentence, *one.span())), None)


def _is_denied(sign: Sign, sentence: str, start: int, end: int) -> bool:
    """Return whether the clause around these words says that they are not so."""
    if sign.denied is None:
        return False
    begins = max((one.end() for one in _CLAUSE.finditer(sentence, 0, start)), default=0)
    stop = _CLAUSE.search(sentence, end)
    return sign.denied.search(sentence, begins, stop.start() if stop else len(sentence)) is not None


def _is_over(rules: Rules, sentence: str, day: int) -> bool:
    return rules.over is not None and rules.over.search(sentence[max(0, day - 40) : day]) is not None


def _quote(sentence: str, at: int) -> str:
    """Return a sentence on one line as it was said; of a long one, whole words around a place."""
    told = sentence.strip()
    if len(told) > LONGEST:
        start = max(0, at - LONGEST // 4)
        begin = told.rfind(" ", 0, start) + 1
        # some scripts have no spaces
        begin = begin if start - begin <= LONGEST // 4 else start
        end = told.rfind(" ", begin, begin + LONGEST)
        told = told[begin : end if end > begin else begin + LONGEST]
    return " ".join(told.split())
