"""Detection of things said that may be worth remembering, by their words alone; English.

It is deterministic, looks at each character a fixed number of times, and errs on the side of silence: what
it passes over is on the tape all the same, and goes into the page and its memory as ever.
"""

from collections.abc import Mapping, Sequence
from re import IGNORECASE, Pattern
from typing import NamedTuple

from reel_cli.core.frozen import late
from reel_cli.features.intake.entry import LONGEST

LOOKED_AT = 4_000
"""Characters of a turn that are read, from its beginning: a longer one is pasted text."""


class Notice(NamedTuple):
    """The words that may be worth keeping, as they were said, and why."""

    words: str
    why: str


class _Sign(NamedTuple):
    """One reason: its weight, and what shows it; without one of the `cues` in small letters it cannot."""

    why: str
    weight: int
    cues: Sequence[str]
    told: Pattern[str]


_CLOSE = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|sister|brother|mother|father|mum|mom|dad|son"
    r"|daughter|kid|baby|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousin|friend|boss|dog|cat|horse)"
)
_NAMED = r"(?-i:[A-Z])"
_BEGINS = r"(?:^|[,;:—–-] ?|\b(?:please|so|but|just|must|should|you to|have to|got to) )"
PROMISE, APPOINTMENT, CORRECTION = "a promise", "an appointment", "a correction"
MOST = 2
"""Maximum number of sentences of one turn that may wait."""


def _sign(why: str, weight: int, cues: str, *told: str) -> _Sign:
    return _Sign(why, weight, cues.split("/"), late("|".join(told), IGNORECASE))


_SIGNS = (
    _sign(
        "asked to be remembered",
        10,
        "remember/forget/in mind/for the record/note",
        rf"{_BEGINS}remember(?:,? (?:that|this|it|me|my|i|we|how|never|always|not to)\b|[ \t]?[:–—] ?\w)",
        r"\b(?:don'?t|do not) (?:ever )?forget (?:that|this|me|my|our|about|i|we)\b",
        rf"{_BEGINS}keep (?:it |this |that )?in mind\b",
        rf"\bfor the record\b|{_BEGINS}(?:make a )?note (?:that|this)\b",
    ),
    _sign(
        CORRECTION,
        9,
        "no, /no i /no it/not /wrong/right/never sa/didn/meant/actually",
        r"\bno,? (?:i (?:said|meant|told)|that'?s not|not (?:me|him|her|them|that|this|the|on|in|at|a)"
        r"|it(?:'?s| is) (?!just|all|ok|fine|so|nothing|not|really|good|great))\b",
        r"\b(?:that'?s|that is) (?:not (?:what i|right|true|quite)|wrong)\b",
        r"\byou(?:'re| are| got (?:it|that|this)|'ve got (?:it|that|this)) (?:wrong|mistaken)\b",
        r"\bi (?:never (?:said|meant)|didn'?t (?:say|mean))\b|\bi meant\b|\bnot \w+, but \w+",
        r"\bactually,? (?:it'?s|it is|it was|i'?m|my|that'?s) (?!so\b|really\b|very\b|pretty\b)",
    ),
    _sign(
        "something about health or limits",
        9,
        "allergic/can't/cannot/must/don't/diagnos/i'm/i am/i have/medica/my blood/chemo/insulin",
        r"\ballergic to\b|\bi (?:can'?t|cannot|must not|mustn'?t|don'?t) (?:eat|drink|have any)\b",
        r"\b(?:was|am|been|got|is) diagnosed\b|\bmy (?:medication|diagnosis|blood (?:pressure|sugar))\b",
        r"\bmy (?:chemo(?:therapy)?|insulin)\b",
        r"\bi(?:'m| am) (?:diabetic|pregnant|vegan|vegetarian|sober|deaf|blind|epileptic|celiac|coeliac)\b",
        r"\bi have (?:asthma|diabetes|cancer|epilepsy|adhd|migraines?|depression|ptsd)\b",
    ),
    _sign(
        PROMISE,
        8,
        "promise/swear/my word/ll /will /owe you",
        r"\b(?:i|we) (?:promise(?! myself)|swear|give you my word)\b|\byou have my word\b|\bi owe you\b",
        r"\b(?:i'll|i will|we'll)(?: definitely)? (?:be there|tell (?:you|her|him|them)|remind|call|bring"
        r"|send|show you|finish|pay|come (?:back|over)|never (?:again|leave|let))\b",
    ),
    _sign(
        "something about who they are",
        8,
        "name/call/born/i live/i grew/i'm/i am/i work/my ",
        rf"\bmy (?:full |real |last |first |middle )?name(?:'s| is)\b|\bcall me {_NAMED}",
        r"\bi(?:'m| am) called\b",
        r"\bi was born\b|\bi (?:live|grew up) (?:in|at|near|on)\b|\bi work (?:as|at|for)\b",
        r"\bi(?:'m| am) (?:from\b|\d{1,3}(?= years?\b| and\b|[.,!;]|$))",
        rf"\bmy {_CLOSE}(?:'s name)?(?: is (?:called )?|'s |,? ){_NAMED}",
        rf"\bmy {_CLOSE} (?:is|was) (?:an? |called|\d)",
        r"\bmy (?:phone|number|address|birthday|e-?mail)\b[^.?!]{0,20}\b(?:is|was)\b",
    ),
    _sign(
        "something that happened in their life",
        8,
        "died/passed away/miscarr/funeral/engaged/married/divorce/fired/laid off/promoted/hired/broke up/lost"
        " my/got the/i got in/accepted/had /expecting/pregnant",
        r"\b(?:died|passed away|miscarriage|funeral)\b|\bbroke up\b|\bi got (?:the job|in\b|accepted)",
        r"\b(?:got|am|'m|are|'re|is) (?:engaged|married|divorced|fired|laid off|promoted|hired)\b",
        r"\blost my (?:job|home|house|wife|husband|mother|father|mum|mom|dad)\b",
        r"\bhad (?:a|the|our) baby\b|\bwe(?:'re| are) expecting\b|(?:\b(?:are|is)|'re|'s) pregnant\b",
    ),
    _sign(
        "a decision",
        7,
        "decided/made up/from now on/going to/gonna/i quit/accepted",
        r"\b(?:i|we)(?:'ve| have)? decided\b|\b(?:i|we)(?:'ve| have) made up (?:my|our) minds?\b",
        r"\bfrom now on\b|\bi quit\b|\b(?:i|we) accepted\b",
        r"\bi(?:'m| am) (?:going to|gonna) (?:quit|leave|marry|move|stop|start|apply|sell|buy|tell)\b",
    ),
    _sign(
        "a strong feeling",
        5,
        " so /terrified/heartbroken/devastated/overjoyed/ashamed/love you/can't stop/of my /to me",
        r"\bi(?:'m| am| feel| was)(?: just| really)? so (?:scared|afraid|ashamed|lonely|angry|sad|tired of"
        r"|relieved|worried|lost|hurt|(?:proud|happy|grateful)\b"
        r"(?! (?:(?:of|for) )?(?:you|it|that|this|they)\b))\b",
        r"\b(?:terrified|heartbroken|devastated|overjoyed|ashamed of)\b|\bi love you\b",
        r"\bcan'?t stop crying\b|\b(?:worst|best|happiest) (?:day|night|thing|week) of my\b",
        r"\bmeans (?:the world|everything|so much) to me\b",
    ),
    _sign(
        "a habit or a taste",
        4,
        "favo/always/never/prefer/stand",
        r"\bmy favou?rite \w+(?: \w+)? (?:is|are|was|has)\b|\bi prefer\b|\bi can'?t stand\b",
        r"\bi(?:'ve| have)? (?:always|never) (?:loved|hated|drink|eat|wear)\b",
    ),
)
_EVENTS = [
    "appointment",
    "meeting",
    "exam",
    "surgery",
    "operation",
    "interview",
    "flight",
    "wedding",
    "birthday",
    "anniversary",
    "deadline",
    "dentist",
    "doctor",
    "surgeon",
    "court",
    "hearing",
    "scan",
    "biopsy",
    "results",
    "test",
    "trip",
    "concert",
    "visit",
    "moving",
    "leaving",
    "due ",
    "therapy",
    "recital",
    "premiere",
    "match",
    "race",
    "graduation",
    "party",
    "check-up",
    "checkup",
    "delivery",
]
_EVENT = late(rf"\b(?:{'|'.join(one.strip() for one in _EVENTS)})\b", IGNORECASE)
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"
_DAY = late(
    r"\b(?:(?<!last )(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|next (?:week|month|year)"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}(?::\d\d)? ?(?:am|pm)\b"
    r"|in (?:a|one|two|three|four|five|six|\d{1,2}) (?:days?|weeks?|months?)"
    rf"|(?:the \d{{1,2}}(?:st|nd|rd|th)(?: of)?|\d{{1,2}}(?:st|nd|rd|th)? of|on) {_MONTH}"
    rf"|{_MONTH} \d{{1,2}}|\d{{1,2}} (?:{_MONTH}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)))\b",
    IGNORECASE,
)
_OVER = late(r"\b(?:was|were|went)(?: \w{1,12})? (?:on |at |the )*$", IGNORECASE)
"""Pattern of words before a day that put an expected event in the past."""
_APPOINTED = 8
_WEIGHTS: Mapping[str, int] = {**{sign.why: sign.weight for sign in _SIGNS}, APPOINTMENT: _APPOINTED}
_SENTENCE = late(r"[^.!?\n]*[.!?]*[\"'”’)]*[ \t]*\n?")
_HIDDEN = late(r"```[^`]*```|(?m:^[ \t]*>.*$)")


def weight_of(why: str) -> int:
    """Return the weight of a reason, from 4 to 10; 0 for one that is not reel's."""
    return _WEIGHTS.get(why, 0)


def notice(text: str, *, own: bool = False) -> Sequence[Notice]:
    """Return what may be worth remembering in a turn, the `MOST` weightiest sentences; mostly none.

    `own`: the persona said it; of that, only promises. What is quoted, or set as code, is passed over, and
    so is what is asked.
    """
    shown = text[:LOOKED_AT]
    plain = shown.replace("’", "'")
    small = plain.lower()
    signs = [
        sign for sign in _SIGNS if any(cue in small for cue in sign.cues) and (sign.why == PROMISE or not own)
    ]
    dated = not own and any(one in small for one in _EVENTS)
    if not (signs or dated):
        return ()
    hidden: Sequence[tuple[int, int]]
    if own:
        hidden = [match.span() for match in _HIDDEN.finditer(plain)] if "```" in plain or ">" in plain else []
    else:
        from reel_cli.core.evidence.quotation import find_quoted

        # one character replaces one, so that the masked text has the same length
        hidden = [(one.start, one.end) for one in find_quoted(text) if one.start < LOOKED_AT]
    found: list[tuple[int, int, Notice]] = []
    for match in _SENTENCE.finditer(plain):
        start, end = match.span()
        told = match[0].strip()
        if not told:
            continue
        begins = start + len(match[0]) - len(match[0].lstrip())
        asks = told.rstrip("\"'”’) ").endswith("?")
        reasons = [
            one
            for one in _reasons(told, signs, dated=dated)
            if (not asks or one.why == CORRECTION) and not any(a <= begins + one.at < b for a, b in hidden)
        ]
        if reasons:
            best = max(reasons, key=lambda one: one.weight)
            found.append((-best.weight, start, Notice(_quote(shown[start:end], best.at), best.why)))
    chosen = sorted(found)[:MOST]
    return tuple(one for _, _, one in sorted(chosen, key=lambda one: one[1]))


class _Reason(NamedTuple):
    """The reason why a sentence may matter, its weight, and its place in the sentence."""

    why: str
    weight: int
    at: int


def _reasons(sentence: str, signs: Sequence[_Sign], *, dated: bool) -> list[_Reason]:
    """Return each reason why a sentence may matter."""
    found = [_Reason(s.why, s.weight, match.start()) for s in signs if (match := s.told.search(sentence))]
    event = _EVENT.search(sentence) if dated else None
    days = _DAY.finditer(sentence) if event else ()
    day = next(
        (one for one in days if not _OVER.search(sentence[max(0, one.start() - 40) : one.start()])), None
    )
    if event and day:
        found.append(_Reason(APPOINTMENT, _APPOINTED, min(day.start(), event.start())))
    return found


def _quote(sentence: str, at: int) -> str:
    """Return a sentence on one line as it was said; of a long one, whole words around a place."""
    told = sentence.strip()
    if len(told) > LONGEST:
        begin = told.rfind(" ", 0, max(0, at - LONGEST // 4)) + 1
        end = told.rfind(" ", begin, begin + LONGEST)
        told = told[begin : end if end > begin else begin + LONGEST]
    return " ".join(told.split())
