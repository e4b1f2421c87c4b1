"""The words by which a claim is known, and by which it is known to be none; English."""

from reel_cli.core.evidence.grounding.words import stem
from reel_cli.core.pattern import late


def _stems(words: str) -> frozenset[str]:
    return frozenset(map(stem, words.split()))


FIXED = _stems(
    "deadline due birthday anniversary wedding appointment exam interview surgery operation flight ferry"
    " train vet dentist doctor meeting hearing viva recital concert premiere funeral launch delivery checkup"
    " scan visit rehearsal tournament race graduation moving inspection"
)
"""Stems of things that have a fixed day."""
ONCE = _stems("deadline birthday anniversary wedding surgery graduation funeral")
"""Stems of events that stay the same also when they are over."""
YEARLY = _stems("birthday anniversary")
"""Stems of events that have the same day each year."""
SET = late(
    r"(?i)(?:\b(?:is|are|be|was|were|falls|fell|starts|begins|ends|opens|closes|leaves|arrives|due|scheduled"
    r"|booked|planned|set|stays|meets|happens|wants?|wanted|needs?|needed|must|has to|have to|had to)"
    r"|'s|'re)\b[^.;!?]{0,40}?"
    r"\b(?:by|until|on|for|at|to|is|are|'s|due|the|was|falls|starts|begins|ends|next|this)?\s*$"
)
BY = late(r"(?i)\b(?:by|due|until|is|are|falls|on|for)\s+(?:on\s+)?(?:the\s+)?$")
NTH = late(r"(?i)(?:th|nd|rd|st|second|third|fourth|fifth|sixth)$")
ONE_OF_MANY = late(r"(?i)\b(?:next|another|last|previous|this)\s+[a-z]")
EVERY = late(r"(?i)\b(?:every|each|always)\s+$")
OPEN = late(
    r"\bmay\b|(?i:\b(?:whether|if|unless|might|maybe|perhaps|wonder\w*|guess|hope\w*|wish\w*|would|could|should"
    r"|thought|almost|nearly|imagine|pretend\w*|dream\w*|joke\w*|instead|rather|suppose\w*|used to|asked"
    r"|originally|previously|formerly|not yet)\b)|\?"
)
"""Pattern of sentences that claim nothing."""
ABOUT = late(
    r"(?i)\b(?:about|around|roughly|nearly|almost|some|over|under|at least|at most|up to|more than|less than"
    r"|fewer than|another|extra|first|only|every|per|each|to|of the|or|between|past|last|next"
    r"|these|those)\s*$"
    r"|[-–/~+<>=$€£]\s*$"
)
"""Pattern of the words before a number that make it vague, one of many, or a part."""
OR_MORE = late(
    r"(?i)\s*(?:or so|or more|plus|\+|-|–|to\s+\d|or\s+\w+|more|of\s+(?:the|them|us|his|her|my)|%)"
)
LABEL = late(
    r"(?i)\b(chapter|room|number|no|page|part|volume|act|scene|bus|tram|line|level|day|week|version|grade|year"
    r"|age|phase|step|stage|season|episode|gate|platform|floor|unit|session|track|type|section|apartment|flat)\s*$"
)
STANDS = late(
    r"(?i)\b(?:is|are|am|has|have|owns?|wants?|needs?|costs?|takes?|requires?|weighs?|pays?|earns?|owes?|keeps?"
    r"|wanted|needed|required|lasts?|holds?|counts?|sleeps?|gets?)\b|\w'(?:s|re|m|ve)\b"
)
"""Pattern of statements that hold in general, or that are requests."""
DONE = late(
    r"(?i)\s+(?:already |now |just |only )?\w+(?:ed|en|wn|ne|ad|old|ent|ept|ought|aught|un|ung|ound)\s"
)
"""A participle after `has`: what was done so far, which grows."""
GROWS = _stems("year month week day hour minute old time session step left")
"""Stems of units whose count grows or recurs."""
NOW = late(
    r"(?i)\b(?:is|are|am|has|have|do|does|can|'s|'re|'m|'ve|still|anymore|any longer|no longer|never"
    r"|always)\b"
    r"|\b(?:i|you|we|they|he|she|it|[A-Z]\w+)\s+(?:\w+ly\s+)?(?:lives?|works?|likes?|loves?|hates?|drinks?|smokes?"
    r"|eats?|plays?|wants?|needs?|speaks?|drives?|owns?|believes?|trusts?|knows?|wears?|takes?)\b"
    r"|(?:n't|'s|'re|'m|'ve)\b"
)
PAST = late(
    r"(?i)\b(?:did|was|were|had|could|ago|yesterday|last\s+\w+|that (?:day|night|evening)|once|back then)\b"
)
CEASED = late(
    r"(?i)\b(?:stopped|quit|gave up|given up|no longer|not\b[^.;]{0,30}\b(?:anymore|any more|any longer)"
    r"|has left|left (?:the|his|her|their|my)|is done with|broke up)\b|\banymore\b"
    r"|n't\b[^.;]{0,30}\banymore\b"
)
TURNS = _stems("stop quit give still anymore longer never done always keep ever left")
FILL = _stems(
    "still now already actually currently finally just also only really anyway soon due set scheduled booked"
    " planned moved fall start begin again though said told says want need ask is are exactly probably"
    " definitely officially date day week month year time morning evening afternoon noon night tomorrow"
)
"""Stems of filler words that say nothing of the subject."""
RELATIONS = (
    (
        "lives in",
        late(r"(?i:\blives? (?:in|at))\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"),
    ),
    (
        "works at",
        late(r"(?i:\bworks? (?:at|for))\s+(?:the\s+)?(?P<name>[A-Z][\w'’-]*(?:\s[A-Z][\w'’-]*)*)"),
    ),
    (
        "is called",
        late(r"(?i:\b(?:is|are|'s) (?:called|named)|\bname is)\s+(?P<name>[A-Z][\w'’-]*)"),
    ),
)
WHO = {
    word: who
    for who, words in {
        "i": "i me my mine myself", "you": "you your yours", "he": "he him his himself",
        "she": "she her hers herself", "they": "they them their theirs", "we": "we us our ours",
    }.items()
    for word in words.split()
}  # fmt: skip
QUOTED = late(r'"[^"\n]*"|‘[^‘’\n]*’(?!\w)')
STANDS_AT = late(r"(?i)\b(?:is|are|leaves|opens|closes|starts|begins|ends|arrives|departs|'s)\b")
REQUIRED = late(r"(?i)\b(?:takes?|lasts?|requires?|costs?)\s+$")
SAME_VERB = {
    "are": "is",
    "am": "is",
    "is": "is",
    "owns": "have",
    "own": "have",
    "keeps": "have",
    "needs": "want",
    "need": "want",
    "needed": "want",
    "requires": "want",
    "require": "want",
    "required": "want",
    "wants": "want",
    "want": "want",
    "wanted": "want",
    "weighs": "weigh",
    "lasts": "take",
}
DAYS = frozenset(("iso", "day", "weekday", "nth", "near", "month"))
"""Kinds of dates that a thing may be set for."""
AT = late(r"(?i)\bat\s+$")
STOPPED = late(r"(?i)\b(?:stopped|quit|stops)\b")
