"""English signs of what may be worth keeping."""

from re import IGNORECASE

from reel_cli.core.frozen import late
from reel_cli.features.intake.signs import (
    CORRECTION,
    DECISION,
    FEELING,
    HABIT,
    HEALTH,
    LIFE,
    PROMISE,
    REMEMBER,
    REMIND,
    WHO,
    Rules,
    make_sign,
)

_CLOSE = (
    r"(?:wife|husband|partner|girlfriend|boyfriend|fianc[eé]e?|sister|brother|mother|father|mum"
    r"|mom|dad|son"
    r"|daughter|kid|baby|grandmother|grandfather|grandma|grandpa|aunt|uncle|cousin|friend|boss"
    r"|dog|cat|horse)"
)
_NAMED = r"(?-i:[A-Z])"
_BEGINS = r"(?:^|[,;:—–-] ?|\b(?:please|so|but|just|must|should|you to|have to|got to) )"
_ASKS = r"(?:^|[,;:.—–-] ?|\b(?:please|so|but|and|then|just|must|should|(?:can|could|will|would) you) )"
_WEEKDAY = "(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
_MONTH = "(?:january|february|march|april|may|june|july|august|september|october|november|december)"


_SIGNS = (
    make_sign(
        REMEMBER,
        "remember/forget/in mind/for the record/note",
        rf"{_BEGINS}remember(?:,? (?:that|this|it|me|my|i|we|how|never|always|not to)\b|[ \t]?[:–—] ?\w)",
        r"\b(?:don'?t|do not) (?:ever )?forget (?:that|this|me|my|our|about|i|we)\b",
        rf"{_BEGINS}keep (?:it |this |that )?in mind\b",
        rf"\bfor the record\b|{_BEGINS}(?:make a )?note (?:that|this)\b",
    ),
    make_sign(
        REMIND,
        "remind me/ask me/let me forget",
        r"\b(?:don'?t|do not) let me forget\b",
        rf"{_ASKS}remind me\b(?!, (?!please|will you|would you|to\b))"
        r"(?! (?:what|who|whose|why|how|where|when|which|again what))",
        rf"{_ASKS}ask me\b(?=[^.!?\n]*\b(?:{_WEEKDAY}|tomorrow|again|next (?:week|month)"
        rf"|in \w+ (?:day|week|month)s?|the \d{{1,2}}(?:st|nd|rd|th)|{_MONTH})\b)",
    ),
    make_sign(
        CORRECTION,
        "no, /no i /no it/not /wrong/right/never sa/didn/meant/actually",
        r"(?<!\bsaid )(?<!\bsay )(?<!\bsays )\bno,? (?:i (?:said|meant|told)|that'?s not"
        r"|not (?:me|him|her|them|that|this|the|on|in|at|a)"
        r"|it(?:'?s| is) (?!just|all|ok|fine|so|nothing|not|really|good|great))\b",
        r"\b(?:that'?s|that is) (?:not (?:what i|right|true|quite)|wrong)\b",
        r"\byou(?:'re| are| got (?:it|that|this)|'ve got (?:it|that|this)) (?:wrong|mistaken)\b",
        r"\bi (?:never (?:said|meant)|didn'?t (?:say|mean))\b(?! *(?:[.,;!?]|$|any(?:thing)?\b|a word\b))"
        r"|\bi meant\b(?! to (?:say|tell|mention|ask|write)\b)|\bnot \w+, but \w+",
        r"\bit'?s (?-i:[A-Z])\w+[.,;]? not (?-i:[A-Z])\w+|^not (?-i:[A-Z])\w+[.!]?$",
        r"(?:^|[.!?…] +|\bno,? )actually,? (?:it'?s|it is|it was|i'?m|my|that'?s)"
        r" (?!so\b|really\b|very\b|pretty\b)",
    ),
    make_sign(
        HEALTH,
        "allergic/can't/cannot/must/don't/diagnos/i'm/i am/i have/medica/my blood/chemo/insulin"
        "/i take/i inject",
        r"\ballergic to\b|\bi (?:can'?t|cannot|must not|mustn'?t|don'?t) (?:eat|drink|have any)\b",
        r"\bi (?:can'?t|cannot|must not|mustn'?t) have (?:any )?(?:dairy|gluten|milk|nuts?"
        r"|peanuts?|eggs?|soy|wheat"
        r"|shellfish|fish|alcohol|caffeine|sugar|salt|lactose)\b",
        r"\bi(?:'m| am)? (?:take|taking|inject|injecting|on) (?:my )?(?:insulin|antidepressants?"
        r"|blood thinners?"
        r"|beta blockers?|lithium|warfarin|metformin|steroids)\b",
        r"\b(?:was|am|been|got|is) diagnosed\b|\bmy (?:medication|diagnosis|blood (?:pressure|sugar))\b",
        r"\bmy (?:chemo(?:therapy)?|insulin)\b",
        r"\bi(?:'m| am) (?:diabetic|pregnant|vegan|vegetarian|sober|deaf|blind|epileptic|celiac"
        r"|coeliac)\b",
        r"\bi have (?:asthma|diabetes|cancer|epilepsy|adhd|migraines?|depression|ptsd)\b",
    ),
    make_sign(
        PROMISE,
        "promise/swear/my word/ll /will /owe you",
        r"\b(?:i|we) (?:promise(?! myself)|swear|give you my word)\b|\byou have my word\b|\bi owe you\b",
        r"\b(?:i'll|i will|we'll)(?: definitely)? (?:be there"
        r"|tell (?:you(?! ?[,:]| (?:what|this|that)\b)|her|him|them)|remind|call|bring"
        r"|send(?! my (?:love|sympathy|regards|condolences|best)\b)"
        r"|show you|finish|pay|come (?:back|over)|never (?:again|leave|let))\b",
    ),
    make_sign(
        WHO,
        "name/call/born/i live/i grew/i'm/i am/i work/my ",
        rf"\bmy (?:full |real |last |first |middle )?name(?:'s| is)\b|\bcall me {_NAMED}",
        r"\bi(?:'m| am) called\b",
        r"\bi was born\b|\bi (?:live|grew up) (?:in|at|near|on)\b|\bi work (?:as|at|for)\b",
        r"\bi(?:'m| am) (?:from\b|\d{1,3}(?= years?\b| and\b|[.,!;]|$))",
        rf"\bmy {_CLOSE}(?:'s name)?(?: is (?:called )?|'s |,? ){_NAMED}",
        rf"\bmy {_CLOSE} (?:is|was) (?:an? |called|\d)",
        r"\bmy (?:phone|number|address|birthday|e-?mail)\b[^.?!]{0,20}\b(?:is|was)\b",
    ),
    make_sign(
        LIFE,
        "died/passed away/miscarr/funeral/engaged/married/divorce/fired/laid off/promoted/hired/broke up/lost"
        " my/got the/i got in/accepted/had /expecting/pregnant",
        r"\b(?:died|passed away|miscarriage|(?<!\bsaid )funeral)\b"
        r"|\bbroke up\b|\bi got (?:the job|in\b|accepted)",
        r"\b(?:got|am|'m|are|'re|is) (?:engaged|married|divorced|fired|laid off|promoted|hired)\b",
        r"\blost my (?:job|home|house|wife|husband|mother|father|mum|mom|dad)\b",
        r"\bhad (?:a|the|our) baby\b|\bwe(?:'re| are) expecting\b|(?:\b(?:are|is)|'re|'s) pregnant\b",
    ),
    make_sign(
        DECISION,
        "decided/made up/from now on/going to/gonna/i quit/accepted",
        r"\b(?:i|we)(?:'ve| have)? decided\b|\b(?:i|we)(?:'ve| have) made up (?:my|our) minds?\b",
        r"\bfrom now on\b|\bi quit\b|\b(?:i|we) accepted\b",
        r"\bi(?:'m| am) (?:going to|gonna) (?:quit|leave|marry|move|stop|start|apply|sell|buy|tell)\b",
    ),
    make_sign(
        FEELING,
        " so /completely/totally/absolutely/utterly/despair/terrified/heartbroken/devastated/overjoyed"
        "/ashamed/love you/can't stop/of my /to me",
        r"\bi(?:'m| am| feel| was)(?: just| really)? (?:completely|totally|absolutely"
        r"|utterly) (?:desperate\b(?! for)"
        r"|hopeless|alone|miserable|heartbroken|devastated|ashamed|terrified)\b",
        r"\bi(?:'m| am)(?: \w+)? in (?:\w+ )?despair\b",
        r"\bi(?:'m| am| feel| was)(?: just| really)? so (?:desperate\b(?! for)|hopeless|miserable|scared"
        r"|afraid|ashamed|lonely|angry"
        r"|sad|tired of"
        r"|relieved|worried|lost|hurt|(?:proud|happy|grateful)\b"
        r"(?! (?:(?:of|for) )?(?:you|it|that|this|they)\b))\b",
        r"\b(?:terrified|heartbroken|devastated|overjoyed|ashamed of)\b|\bi love you\b",
        r"\bcan'?t stop crying\b|\b(?:worst|best|happiest) (?:day|night|thing|week) of my\b",
        r"\bmeans (?:the world|everything|so much) to me\b",
    ),
    make_sign(
        HABIT,
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
_DAY = late(
    r"\b(?:(?<!last )(?:mon|tues|wednes|thurs|fri|satur|sun)day|tomorrow|tonight|next (?:week"
    r"|month|year)"
    r"|\d{4}-\d{2}-\d{2}|\d{1,2}(?::\d\d)? ?(?:am|pm)\b"
    r"|in (?:a|one|two|three|four|five|six|\d{1,2}) (?:days?|weeks?|months?)"
    rf"|(?:the \d{{1,2}}(?:st|nd|rd|th)(?: of)?|\d{{1,2}}(?:st|nd|rd|th)? of|on) {_MONTH}"
    r"|(?:on|by|until|till|before) the \d{1,2}(?:st|nd|rd|th)(?! (?:floor|century|street|avenue|time|day|page"
    r"|attempt|row|line|hole|grade|anniversary|birthday|try)\b)"
    rf"|(?:end|middle) of (?:{_MONTH}|(?:the|this|next) (?:week|month|year))|mid-{_MONTH}|(?:in|by) {_MONTH}"
    rf"|{_MONTH} \d{{1,2}}|\d{{1,2}} (?:{_MONTH}|(?:jan|feb|mar|apr|jun|jul|aug|sept?|oct|nov|dec)))\b",
    IGNORECASE,
)
_OVER = late(r"\b(?:(?:was|were|went)(?: \w{1,12})?|had an? \w{1,12}) (?:on |at |the |last )*$", IGNORECASE)
"""Pattern of words before a day that put an expected event in the past."""
_WILL = late(
    r"\b(?:i|we)(?:'ll| will|(?:'m| am|'re| are) (?:going to|gonna))\b(?! (?:not|never|miss"
    r"|be (?:so|very|fun"
    r"|great|happy|glad|sad))\b)|^(?:gonna|going to) "
    r"|\b(?:i|we)(?:'m| am|'re| are) (?:ask|bak|book|bring|build|buy|call|clean|collect|cook|deliver|driv"
    r"|fetch|finish|fix|giv|hand|help|mail|mak|meet|mend|paint|pay|phon|pick|post|return|ring|send|sign"
    r"|submitt|tak|tell|tun|visit|writ)ing\b"
    r"|^(?:(?:so|and|then),? )?(?:tomorrow|tonight|next (?:week|\w+day))(?: \w+ing| night)?,? (?:i|we) "
    r"(?!(?:am|are|can|could|do|don't|dread|feel|guess|had|have|hope|know|may|might|must|need|should|suppose|think"
    r"|want|was|were|will|wish|won't|would)\b)[a-z]+\b(?!')"
    r"|\blet me (?:bring|book|call|check|fetch|find|fix|get|give|look|make|mend|order|print|ring"
    r"|send|write)\b",
    IGNORECASE,
)
_DENIED = late(r"\b(?:maybe|perhaps|every|always)\b", IGNORECASE)
_RETOLD = late(
    r"\b(?!i\b)[^\W\d]+ (?:said|says|claims|claimed|wrote|told (?:me|him|her|us|them|you))\b", IGNORECASE
)
RULES = Rules(_SIGNS, _EVENTS, _EVENT, _DAY, over=_OVER, will=_WILL, denied=_DENIED, retold=_RETOLD)
