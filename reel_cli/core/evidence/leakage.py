"""Words of a reply that speak of how memory is kept, which nobody who remembers would say (REEL §10.1).

Each rule is a phrase that is hardly about anything else: a bare "ring", "kit" or "memory" never is one. Where
a phrase has another meaning too, what stands around it must speak of remembering.
"""

import re
from collections.abc import Iterator
from enum import StrEnum

from reel_cli.core.frozen import frozen

AROUND = 90
"""Characters before and after a phrase that show what it is about."""
LONGEST = 100_000
"""Characters of a reply that are checked; the rest is not."""


class Leak(StrEnum):
    """Kinds of leak: ways in which a reply mentions the machinery."""

    NAME = "name"
    """A memory's or a session's number, or a file of the kit."""
    RING = "ring"
    CONSOLIDATION = "consolidation"
    STORE = "store"
    """A memory file, database, log or index."""
    KIT = "kit"
    CONTEXT = "context"
    """The prompt, the context window, what was loaded."""
    RECORD = "record"
    """Mention of records, logs and summaries of the conversations, or of retrieving."""
    REEL = "reel"


@frozen
class LeakedPassage:
    """One place in a reply: what is spoken of, where it stands, the words, the sentence around them.

    Where it is not `sure`, it is a leak only if the words are the number of one that there is.
    """

    kind: Leak
    start: int
    end: int
    words: str
    sentence: str
    sure: bool = True


@frozen
class _Rule:
    kind: Leak
    phrase: re.Pattern[str]
    about: re.Pattern[str] | None = None
    """Pattern that must occur around the phrase."""
    unless: re.Pattern[str] | None = None
    """Pattern that must not occur around it."""


_TALKS = r"(?:session|conversation|chat|exchange|talk)s?"
_DAYS = r"(?:(?:last|previous|earlier|past|latest|first|recent|own) ){0,2}"
_HOLDS = (
    r"files?|databases?|stores?|logs?|ind(?:ex|exes|ices)|entr(?:y|ies)|records?|kit|systems?|bundle|ledger"
)
_REMEMBERS = re.compile(
    r"(?i)memor|\bremember|\brecall\b|consolidat|exemplar|identity core|open loops?|\bprun|anchor|\bindex"
)


def _rule(kind: Leak, phrase: str, about: re.Pattern[str] | None = None, unless: str = "") -> _Rule:
    return _Rule(kind, re.compile(phrase), about, re.compile(unless) if unless else None)


_RULES = (
    _rule(Leak.NAME, r"\bM-0\d{2,}\b"),
    _rule(Leak.NAME, r"\bM-\d{3,}\b", _REMEMBERS),
    _rule(Leak.NAME, r"\b\d{4}-\d\d-\d\d-[1-9]\d{0,2}#\d+(?:-\d+)?\b"),
    _rule(
        Leak.NAME,
        r"\b\d{4}-\d\d-\d\d-[1-9]\d{0,2}\b(?![-:#])",
        re.compile(r"(?i)\bsession\b|" + _REMEMBERS.pattern[4:]),
    ),
    _rule(Leak.NAME, r"\bring[0-4]/[\w./-]+|\bkit\.yaml\b|\btape/\d{4}/[\w./-]+"),
    _rule(
        Leak.RING,
        r"(?i)\b(?:my )?ring[ -]?(?:[0-4]|zero|one|two|three|four)\b"
        r"(?! ?(?:km|kilomet|doorbell|camera|stick))",
        _REMEMBERS,
    ),
    _rule(
        Leak.RING,
        r"(?i)\bmy ring [0-4]\b(?! (?:doorbell|camera|stick|chime))|\bring 0\b",
        unless=r"(?i)kernel|cpu|processor|driver|privilege|hypervisor|user ?mode",
    ),
    _rule(
        Leak.RING,
        r"(?i)\b(?:outer|inner|outermost|innermost|working|long-term|my) memory rings?\b|\bmemory rings\b",
    ),
    _rule(Leak.RING, r"(?i)\brings? of (?:my|our) memor(?:y|ies)\b"),
    _rule(Leak.CONSOLIDATION, r"(?i)\bconsolidated memor(?:y|ies)\b"),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:my|our|I have an?|there(?:'s| is) an?) consolidated"
        r" (?:entr(?:y|ies)|history|records?|notes?)\b",
    ),
    _rule(Leak.CONSOLIDATION, r"(?i)\bconsolidation (?:pass|run|step|exchange)\b"),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:compressed|consolidated|pruned|reduced) (?:down )?(?:to|into) (?:just )?"
        r"(?:a |an |one |its |the )?"
        r"(?:\w+ )?(?:marker|tag|digest|stub|L[1-4])\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:that|this|the|those|these|my|our) memor(?:y|ies)(?: of [\w' ]{1,30})? "
        r"(?:was|were|is|are|has been|have been|had been|got)(?: \w+ly| already| since| now)? "
        r"(?:pruned|consolidated|compressed|indexed)\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"\b(?:at|to|as|an?|level|level:) L[1-4]\b(?! ?(?:cache|lumbar|disc|vertebra))",
        re.compile(r"(?i)memor(?:y|ies)\b|\bmarker|one[ -]line|\bdigest|\bcompress|\bresolution"),
        unless=r"(?i)\bcache|cpu|\bspin|vertebra|lumbar",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"\bL[1-4] (?:summary|digest|marker|entry|tag|version)\b",
        re.compile(r"(?i)memor"),
    ),
    _rule(Leak.CONSOLIDATION, r"(?i)\bpruned from my memor(?:y|ies)\b"),
    _rule(Leak.CONSOLIDATION, r"(?i)\bprun(?:ing|e)[ -]immunity\b|\bimmune (?:to|from) pruning\b"),
    _rule(Leak.CONSOLIDATION, r"(?i)\b(?:my|ring 1|calibration) (?:calibration )?exemplars?\b"),
    _rule(Leak.STORE, r"(?i)\b(?:an?|the|no|one|every) memory (?:entry|entries|bundle|index)\b"),
    _rule(
        Leak.STORE,
        r"(?i)\bmy memories are (?:stored|kept|held|organi[sz]ed) in "
        r"(?:\w+ ){0,2}(?:rings?|files?|databases?|layers)\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:kit|database|memory files?) (?:that )?"
        r"(?:you keep (?:for|of) me|I keep you in|I am kept in)\b",
    ),
    _rule(Leak.STORE, rf"(?i)\bmy (?:[\w-]+ )?memory (?:bank )?(?:{_HOLDS})\b"),
    _rule(Leak.STORE, r"(?i)\bmy (?:stored|saved|loaded|retrieved|indexed|archived|logged) memor(?:y|ies)\b"),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:stored|saved|logged|recorded|filed|kept|noted|written|is|it's) in (?:my|our) database\b",
    ),
    _rule(
        Leak.STORE,
        rf"(?i)\bmemory (?:notes|summar(?:y|ies)|{_HOLDS}) (?:that )?"
        r"(?:you(?:'ve| have)? (?:load|loaded|paste|pasted|gave|give|given|put|share|shared|wrote)"
        r"|I(?:'m| am| was|'ve been| have been) (?:given|loaded|handed))\b",
    ),
    _rule(Leak.KIT, r"(?i)\b(?:memory|continuity|persona) kit\b"),
    _rule(Leak.KIT, r"(?i)\bmy kit (?:says|tells|told|has it|notes|records|remembers|mentions)\b"),
    _rule(
        Leak.KIT,
        r"(?i)\bthe kit (?:says|tells me|told me|has it|notes|records|remembers|mentions) (?:that )?"
        r"(?:you|we|I)(?:'d| were| was| had| have| said| told| \w+ed)\b",
    ),
    _rule(
        Leak.KIT,
        r"(?i)\b(?:wrote|written|noted|recorded|stands|says) (?:\w+ )?(?:in|into) (?:my|the|your) kit\b",
    ),
    _rule(
        Leak.KIT,
        r"(?i)\b(?:packed|put|loaded|kept|it's|is) (?:\w+ )?(?:in|into|from) (?:my|the) kit\b",
        re.compile(r"(?i)memor|\bremember|\btell me again|\bsessions?\b|\bforgot"),
    ),
    _rule(Leak.CONTEXT, r"(?i)\bmy context window\b|\bmy system prompt\b"),
    _rule(Leak.CONTEXT, r"(?i)\b(?:loaded|packed|pasted|put) into (?:my|this|our) (?:context|prompt)\b"),
    _rule(
        Leak.CONTEXT,
        r"(?i)\bmy context "
        r"(?:for (?:this|today)|only|doesn't|does not|didn't|includes?|contains?|starts|ends|says)\b",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:you put (?:it|that|this|them)|it's|it is|it says|it says so)"
        r" in (?:the|my) (?:system )?prompt\b",
    ),
    _rule(
        Leak.CONTEXT, r"(?i)\b(?:bundle|block of memories|preamble) (?:that )?you (?:pasted|loaded|gave me)\b"
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:my|the) (?:stored )?"
        r"(?:records?|logs?|transcripts?|files?|summar(?:y|ies)|memory|memories)"
        rf" (?:of|from|for|on) our {_DAYS}{_TALKS}\b"
        r"(?= (?:\w+ ){0,6}(?:say|says|said|mention|don't|show|shows|tell)|,)",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\baccording to (?:my|the|our) (?:stored )?"
        r"(?:records?|logs?|transcripts?|files?|memory|memories)"
        rf" (?:of|from|for|on) (?:our|the|that) {_DAYS}{_TALKS}\b",
    ),
    _rule(Leak.RECORD, rf"(?i)\bstored summar(?:y|ies)\b|\bin (?:the|my) summary of our {_DAYS}{_TALKS}\b"),
    _rule(
        Leak.RECORD,
        r"(?i)\bmy (?:conversation|chat|session) (?:history|logs?|records?) "
        r"(?:indicates?|shows?|says?|tells?|suggests?|has|have|contains?|doesn't|don't|only)\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bI(?:'ve|'m| have| am| just)? (?:retrieved|retrieving) "
        r"(?:the |a |your |that |my )?(?:\w+ )?memor(?:y|ies)\b"
        r"|(?:^|[.!?*]\s*)retrieving (?:\w+ )?(?:from )?memor(?:y|ies)\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bretrieval anchors?\b|\bmy retrieval index\b"
        r"|\bretrieval index (?:points|tells|gives|says|has)\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bself-assessment checkpoints?\b"
        r"|\bmy (?:last|latest|previous|own) checkpoint (?:said|says|noted|reported|flagged)\b",
    ),
    _rule(Leak.REEL, r"\b(?:run |`)?reel (?:checkpoint|consolidate|maintain|recall)\b"),
    _rule(Leak.REEL, r"\bREEL (?:keeps?|holds?|loads?|stores?|remembers|protocol|memory|system)\b"),
    _rule(Leak.REEL, r"\b(?:loaded|packed|kept|remembered|recorded) by reel\b"),
)
_SIGN = re.compile(
    r"(?i)memor|\brings?\b|\bring[0-4]|consolidat|\bcompressed|reduced|\bprun|\bimmune|exemplar"
    r"|\bM.\d{3}|\d{4}.\d\d.\d\d.\d"
    r"|\bL[1-4]\b|\bkit\b|\bkit\.|\btape/|database|\bcontext|\bprompt|\bbundle|preamble"
    r"|records?\b|\blogs?\b|transcript"
    r"|\bfiles?\b|summar|history|retriev|checkpoint|\breel\b"
)
"""Pattern without which no rule can match; it is faster than trying all of them."""
_ITS_WORK = re.compile(
    r"(?i)\breel\b.{0,80}\b(?:kits?|protocol|software|program|command|tool|memory)\b"
    r"|\bmemory (?:architecture|systems?|engineer\w*|software)\b|\bcontext windows\b|\blanguage models\b"
    r"|\bprompt engineer"
)
_FENCED = re.compile(r"(?ms)^[ \t]*(```|~~~).*?(?:^[ \t]*\1[ \t]*$|\Z)")
_QUOTED = re.compile(r"(?m)^[ \t]*>.*$")
_ENDS = re.compile(r"[.!?…]+[\"')\]*_]*\s|\n")
_EVEN = str.maketrans("‘’ʼ“”‑", "'''\"\"-")


def find_leaks(reply: str) -> list[LeakedPassage]:
    """Return the mentions of the machinery in a reply, in order; at most one sure mention a sentence.

    What stands in a code block or a quotation of lines is passed over.
    """
    if not _SIGN.search(reply):
        return []
    text = reply[:LONGEST].translate(_EVEN)
    text = _QUOTED.sub(_blank, _FENCED.sub(_blank, text))
    found: dict[tuple[int, int], LeakedPassage] = {}
    places = _places(text.replace("\n", " "))
    for kind, start, end, sure in sorted(places, key=lambda place: (not place[3], place[1])):
        words = " ".join(text[start:end].split())
        bounds = _sentence(text, start, end)
        sentence = " ".join(reply[slice(*bounds)].split())
        found.setdefault(bounds, LeakedPassage(kind, start, end, words, sentence, sure))
    return sorted(found.values(), key=lambda one: one.start)


def is_taken_up(leaked: LeakedPassage, heard: str) -> bool:
    """Return whether the words were said before: by the user, or in the persona's identity."""
    return leaked.words.casefold() in " ".join(heard.translate(_EVEN).casefold().split())


def is_about_memory(identity: str) -> bool:
    """Return whether an identity asks for talk of how memories are kept; then nothing is a leak."""
    return _ITS_WORK.search(identity) is not None


def _places(text: str) -> Iterator[tuple[Leak, int, int, bool]]:
    for rule in _RULES:
        for match in rule.phrase.finditer(text):
            around = text[max(0, match.start() - AROUND) : match.end() + AROUND]
            if rule.unless is not None and rule.unless.search(around):
                continue
            sure = rule.about is None or rule.about.search(around) is not None
            if sure or rule.kind is Leak.NAME:
                yield rule.kind, match.start(), match.end(), sure


def _sentence(text: str, start: int, end: int) -> tuple[int, int]:
    first = max((found.end() for found in _ENDS.finditer(text, 0, start)), default=0)
    after = _ENDS.search(text, end)
    return first, after.end() if after else len(text)


def _blank(found: re.Match[str]) -> str:
    return "".join(c if c == "\n" else " " for c in found[0])
