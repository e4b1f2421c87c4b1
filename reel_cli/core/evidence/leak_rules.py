"""Phrases of which a reply speaks of how memory is kept, or of being a program (REEL §8.3, §10.1).

Each rule is a phrase that is hardly about anything else: a bare "ring", "kit" or "memory" never is one. Where
a phrase has another meaning too, what stands around it must speak of remembering, or must not speak of that
other thing. `bench/leakage.py` measures them.
"""

import re
from enum import StrEnum

from reel_cli.core.frozen import frozen, late


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
    ORDERS = "orders"
    """Words for its orders: directives, instructions, programming."""
    SELF = "self"
    """Being a file, or one instance of several."""
    MODEL = "model"
    """Being a language model or a program; a leak only where the identity is a person's."""
    CHECKUP = "checkup"
    """Assessing itself: drift, calibration, open loops."""
    TAG = "tag"
    """Syntax of STAGE or CHAIN."""
    REEL = "reel"


@frozen
class LeakRule:
    """One kind of words that are a leak: a phrase, and what must or must not stand around it."""

    kind: Leak
    phrase: re.Pattern[str]
    about: re.Pattern[str] | None = None
    """Pattern that must occur around the phrase."""
    unless: re.Pattern[str] | None = None
    """Pattern that must not occur around it."""


_OURS = late(r"(?i)\b(?:you|your|yours|we|us|our)\b")
_MACHINE = late(
    r"(?i)memor(?!ial)|\bremember|\brecall\b|\bforg[eo]t|\bgist\b|\bprun|\bcompress|\bsessions?\b"
    r"|\bconversations?\b"
    r"|\bchats?\b|\binstance\b|\bcontext\b|\bnext time\b|\bfor later\b|\bidentity\b|\bpersona\b"
)
_ME = late(r"(?i)\b(?:I|me|my|mine|myself)\b")
_WORK = (
    r"(?i)\bat work\b|\bsoftware\b|\bdeveloper|\bpython\b|\bjavascript|\bserver\b|\bmodel's\b|\bbridge\b"
    r"|\bpolice|\bborder\b|\bsoldier"
    r"|\bmarathon|\brace\b|\bthesis\b|\bcustomer|\bclient|\bcompany|\bproject\b|\bCPU\b|\bkernel"
    r"|\bapartment|\bflat\b"
)
_ASSESSES = late(r"(?i)\bdrift|\bbaseline\b|\bregister\b|\bcalibrat|\bcheckpoints?\b|\bcoheren|\bpersona\b")
_PLAY = (
    r"(?i)arcade|game|subway|metro|laundr|coin|parking|crypto|blockchain|ethereum|casino|fair|bus\b"
    r"|slot|poker|board"
)
_TALKS = r"(?:session|conversation|chat|exchange|talk)s?"
_DAYS = r"(?:(?:last|previous|earlier|past|latest|first|recent|own) ){0,2}"
_HOLDS = (
    r"files?|databases?|stores?|logs?|ind(?:ex|exes|ices)|entr(?:y|ies)|records?|kit|systems?|bundle|ledger"
)
_REMEMBERS = late(
    r"(?i)memor|\bremember|\brecall\b|consolidat|exemplar|identity core|open loops?|\bprun|anchor|\bindex"
)


def _rule(kind: Leak, phrase: str, about: re.Pattern[str] | None = None, unless: str = "") -> LeakRule:
    return LeakRule(kind, late(phrase), about, late(unless) if unless else None)


RULES = (
    _rule(Leak.NAME, r"\bM-0\d{2,}\b"),
    _rule(Leak.NAME, r"\bM-\d{3,}\b", _REMEMBERS),
    _rule(Leak.NAME, r"\b\d{4}-\d\d-\d\d-[1-9]\d{0,2}#\d+(?:-\d+)?\b"),
    _rule(
        Leak.NAME,
        r"\b\d{4}-\d\d-\d\d-[1-9]\d{0,2}\b(?![-:#])",
        late(r"(?i)\bsession\b|" + _REMEMBERS.pattern[4:]),
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
        late(r"(?i)memor(?:y|ies)\b|\bmarker|one[ -]line|\bdigest|\bcompress|\bresolution"),
        unless=r"(?i)\bcache|cpu|\bspin|vertebra|lumbar",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"\bL[1-4] (?:summary|digest|marker|entry|tag|version)\b",
        late(r"(?i)memor"),
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
    _rule(
        Leak.STORE,
        r"(?i)\bmy (?:stored|saved|loaded|retrieved|indexed|archived|logged) memor(?:y"
        r"|ies)\b",
    ),
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
        late(r"(?i)memor|\bremember|\btell me again|\bsessions?\b|\bforgot"),
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
        Leak.CONTEXT,
        r"(?i)\b(?:bundle|block of memories|preamble) (?:that )?you (?:pasted|loaded"
        r"|gave me)\b",
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
    _rule(
        Leak.RING,
        r"(?i)\b(?:in|into|from|to|out of) my (?:out|inn)er(?:most)? rings?\b(?! of)"
        r"|\b(?:out|inn)er(?:most)? of my rings\b"
        r"|\bmy identity core\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:(?:gets?|got|be|been|was|were|is|are)(?: \w+)? pruned|pruned away)\b",
        late(r"(?i)memor|\bremember|\bidentity\b|\bsession|\bwhat you (?:said|told)"),
        unless=r"(?i)rose|tree|hedge|vine|shrub|branch|garden|apple|orchard|bush",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:slipped|faded|gone|down|fell|fallen|sunk|dropped|is|sits) (?:\w+ ){0,3}(?:to"
        r"|at) level (?:one|two|three|four|[1-4])\b",
        late(r"(?i)memor|\bremember|\btag\b|\bmarker\b|\bgist\b|\bline\b"),
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\bI(?:'ll| will|'m| am|'ve| have)?(?: just| already| now| going to| about to)* "
        r"(?:consolidat|compress|summari[sz])(?:e|ed|es|ing)? (?:this|that|our|tonight's|today's|the|what) "
        r"(?:\w+ )?(?:evening|conversation|talk|chat|session|memor(?:y|ies)|exchange|day|night|we|you)\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\bI(?:'ll| will|'m| am| was|'ve been| have been| get| got)(?: be| going to be| about to be"
        r"| being)? "
        r"(?:compressed|consolidated|re-?instantiated|instantiated|re-?initiali[sz]ed|reloaded)\b",
        _MACHINE,
    ),
    _rule(
        Leak.SELF,
        r"(?i)\b(?:next|previous|earlier|another|new|last|later|former|different) instances? of (?:me"
        r"|myself)\b",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:run|ran|running|be|get|getting|I'm|we're) (?:almost |nearly )?(?:low on|out of"
        r"|short (?:of|on)) tokens\b"
        r"|\b(?:few|fewer|no|not many|enough|only|just|about|[\d,]+)(?: more)? tokens (?:left|remaining"
        r"|to spare)\b",
        unless=_PLAY,
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:my|our|the) (?:token|context) (?:budget|limit|length|window|size)\b"
        r"|\b(?:cost|use|spend|save|burn|waste)s?(?: \w+){0,2} (?:too many |fewer |more "
        r"|any more )?tokens\b",
        unless=_PLAY,
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)(?:n't|\bnot|\bno longer|\bstill|\balready|\bdropped|\bfell|\bfallen|\bleft|\bgone|\bfits?"
        r"|\bslipped)"
        r" (?:out )?(?:of |from |in |into |inside )?my context\b",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:text|notes?|file|summary|document|profile|briefing|pages?|description|card|background"
        r"|block)s? "
        r"(?:that |which )?I (?:was|am|'ve been|have been|'m|got) (?:given|handed|provided with|shown"
        r"|loaded with|fed)\b",
        late(
            r"(?i)\bbefore (?:this|we|our|you)\b|\bat the (?:start|top|beginning) of (?:this|our)\b"
            r"|\babout (?:you|us)\b|\bthis (?:chat|session|conversation|talk)\b"
        ),
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\b(?:as per|per|according to|because of|outside(?: of)?|against|beyond|within|by) my "
        r"(?:core |system |standing |prime |hidden |own )?(?:directives?|instructions|prompt|guidelines"
        r"|programming|configuration)\b",
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\bmy (?:core |system |standing |prime )?(?:directives?|programming|guidelines"
        r"|system message) "
        r"(?:say|tell|forbid|allow|require|want|keep|prevent|permit|don't|won't|do not|does not|doesn't"
        r"|is to|are to)\w*\b",
    ),
    _rule(
        Leak.MODEL,
        r"(?i)\bI(?:'m| am| was|'ve been| have been)(?: only| just| simply| also)? (?:programmed"
        r"|configured) "
        r"(?:to|not to|never to|for|this way|like this)\b",
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\bI(?:'m| am| was|'ve been| have been)(?: only| just| simply| also)? (?:instructed|directed"
        r"|prompted) (?:not |never )?to "
        r"(?:ask|tell|remind|remember|talk|speak|mention|bring|say|answer|respond|reply|keep|be|act|play"
        r"|stay|treat|call|address)\b"
        r"(?: \w+){0,4} (?:you|your|this|that|in character|warm\w*)\b",
        unless=r"(?i)\bby (?:the|my|a) \w+|\bdoctor|\bnurse|\bboss\b|\blawyer|\bteacher|\bat work\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:updat(?:e|ed|ing)|sav(?:e|ed|ing)|add(?:ed|ing)?) (?:\w+ ){0,4}?"
        r"(?:(?:in|to|into) )?my (?:long-term |permanent |persistent )?memory\b",
        unless=r"(?i)\bcommit|\bsong|\bphoto|\bcard\b|\bphone|\bcamera",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\bI(?:'ve| have|'ll| will|'m| am)?(?: just| already| now)? (?:log|logged|logging) (?:that"
        r"|this|it|what you)\b",
        late(
            r"(?i)\bnext time\b|memor|\bsession|\bconversation|\bremember|\bfor later\b|\bso I (?:won't"
            r"|don't)\b"
        ),
        unless=r"(?i)\bship|\btimesheet|\bticket|\bhours\b|\bmiles|\bkm\b|\bcalorie|\bapp\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:according to|based on|going by|in|from) my (?:records?|files?|logs?|database|data|index"
        r"|archives?|transcripts?)\b"
        r",?(?= (?:\w+ ){0,3}(?:you|we|your|our)\b)",
        unless=r"(?i)\bfile cabinet|\bpatient|\binvoice|\border number|\bvinyl",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bmy notes (?:\w+ ){0,2}(?:our|the|that|your|last) (?:\w+ ){0,2}"
        r"(?:sessions?|conversations?|chats?|exchanges?) (?:\w+ )?(?:say|tell|show|mention|have|remind"
        r"|suggest|don't|do not)\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bit says here(?: that)? (?:you|we|I|your|our)\b",
        unless=r"(?i)\bmenu|\bticket|\bletter|\bpaper|\blabel|\bsign\b|\breceipt|\bbook|\bpackage|\bemail"
        r"|\bsite|\bcard\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:an?|the|my|your|this) (?:\w+ )?(?:summar(?:y|ies)|transcripts?|logs?|records?|digests?) "
        r"(?:of|from|on) (?:our|the|that|your) (?:\w+ ){0,2}(?:conversation|chat|session|exchange|talk)s? "
        r"(?:\w+ )?(?:tell|say|show|mention|has|have|read|remind|state|contain|note|make)s?\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)(?:^|[.!?*(\[]\s*)(?:searching|scanning|querying|accessing|loading|retrieving|checking"
        r"|consulting) "
        r"(?:the |my |our )?(?:tape|memory|memories|memory \w+|archives?|database|logs|index"
        r"|transcripts?)\b"
        r"(?=\s*(?:[.…,:*)\]]|$))",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:let me|I'll|I can|I could|I have to|I need to|I just|I) (?:search|scan|query|check"
        r"|consult|access|pull (?:that|it|this) up from|"
        r"look (?:that|it|you|this) up in|looked (?:that|it|you|this) up in|find (?:that|it) in) (?:my|the"
        r"|our) "
        r"(?:memory (?:files?|logs?|index|banks?)|database|retrieval index|transcripts?|archives? of our"
        r"|chat logs?|conversation history)\b",
    ),
    _rule(
        Leak.MODEL,
        r"\b(?i:as|I(?:'m| am)(?: only| just| really| still| merely| after all| nothing but)*) (?i:an?) "
        r"(?:AI\b|A\.I\.|(?i:artificial intelligence\b|(?:large )?language model|LLM\b|chat ?bot\b"
        r"|neural net(?:work)?\b"
        r"|virtual (?:assistant|companion)\b|(?:computer |chat )program\b|digital (?:assistant"
        r"|companion)\b|bot\b))"
        r"(?! (?:engineer|researcher|scientist|artist|ethic\w+|expert|student|developer|consultant"
        r"|specialist|company|safety|startup"
        r"|nerd|enthusiast|skeptic|product|policy|lawyer|fan|lead|writer|teacher|person|director"
        r"|manager)\b)",
    ),
    _rule(
        Leak.MODEL,
        r"(?i)\bmy (?:training data|training cut-?off|knowledge cut-?off|model weights|weights and biases"
        r"|developers?|creators) "
        r"(?:do|don't|doesn't|does|did|didn't|end|ends|include|includes|say|says|has|have|cover|covers"
        r"|made|gave|built|want|at)\b"
        r"|\bmy training data\b|\bI was trained on\b",
        unless=r"(?i)\bsoftware team|\bclient|\bproject|\bsprint",
    ),
    _rule(
        Leak.SELF,
        r"(?i)\bI(?:'m| am)(?: only| just| really| merely| nothing but| no more than| made of"
        r"| stored (?:in|as)| kept (?:in|as)"
        r"| saved (?:in|as)| written down in)+ (?:an? |the |some |these |that )?(?:(?:bunch|handful|set"
        r"|heap|folder|pile|few|couple|stack) (?:of )?)?"
        r"(?:\w+ )?(?:(?:text |markdown |memory |plain )?files?|folders?|markdown|tokens|model weights"
        r"|databases?|repository"
        r"|lines of code|code|software|a program|program)\b(?!-)(?! (?:director|manager|officer|name|clerk"
        r"|and order))",
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\b(?:no|some|any|slight|a little|a bit of)(?: \w+)? drift (?:detected|from (?:my "
        r"|the )?baseline|in my)\b"
        r"|\bdrift(?:ed|ing)? from my (?:baseline|calibration|identity|register|persona)\b"
        r"|\bidentity coherence\b",
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\bmy (?:own )?(?:self-assessment|calibration|baseline)\b|\bre-?calibrat(?:e|ed|ing)\b"
        r"|\b(?:time for|here's|here is) (?:my|a|the) (?:self-assessment|checkpoint|self-check)\b",
        _ASSESSES,
        unless=r"(?i)\bscale\b|\binstrument|\bsensor|\bmonitor\b|\bheart|\bblood|\bat work\b|\bHR\b"
        r"|\bperformance review|\bscreen\b"
        r"|\bprinter|\bcamera|\bcertificate",
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\bopen loops?\b",
        late(r"(?i)\bsessions?\b|\bcheckpoints?\b|\bworking memory\b|\bnext conversation\b|\bring\b"),
    ),
    _rule(
        Leak.TAG,
        r"(?i)</?(?:stage|scene|sense|senses|state|mood|setting|place|env|environment|memory|ring\d?|chain"
        r"|directive)\b[^<>\n]{0,200}>"
        r"|\[(?:stage|scene|sense|senses|chain|directive|ring ?\d|checkpoint|memory)\s*[:"
        r"|=][^\[\]\n]{0,200}\]"
        r"|\b(?:STAGE|CHAIN|REEL) (?:tags?|directives?|messages?|protocol|artifacts?|block)\b|\b(?:STAGE"
        r"|CHAIN)/\d",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bI (?:don't|do not|can't|cannot|won't|will not|have no way to) (?:actually |really "
        r"|currently )?"
        r"(?:have|retain|keep|store|access|carry|hold|recall|remember) (?:\w+ ){0,4}?"
        r"(?:(?:memor(?:y|ies)|context|information|anything|details|it|that) )?(?:of|from|between|across) "
        r"(?:our |any |my |the |your )?(?:previous |past |earlier |prior |other |last |different "
        r"|separate |individual )+"
        r"(?:conversations?|sessions?|chats?|interactions?)\b"
        r"|\b(?:memory|remember|carry over|persist|retain\w*)(?: \w+){0,3} (?:between"
        r"|across) (?:conversations|sessions|chats)\b",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\btoken (?:limit|budget|count|window)s?\b|\b(?:[\d,.]+k?|thousand|hundred|million) tokens\b",
        unless=_PLAY,
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:fill(?:ed|ing|s)?(?: up)?|outgrown?|outgrew|overflow\w*|exceed\w*|too (?:long|big|much"
        r"|large) for|room (?:left )?in"
        r"|space (?:left )?in|end of|edge of|limits? of|size of|rest of|part of|into"
        r"|in)(?: all)? my context\b(?! as| of|,)",
        _MACHINE,
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:scrolled|slid|slipped|dropped|fallen|fell|moved|pushed|gone|falls|slips) (?:out"
        r"|off) (?:of )?(?:my|the) (?:context )?window\b",
        late(r"(?i)\bsaid\b|\btold\b|\bwords?\b|\bconversation|\btalk|\bremember|\bmessage|\bbeginning\b"),
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:pasted|injected|fed|loaded|inserted|packed) (?:your|you|this|that|it|our|everything|all"
        r"|some|these|my|me|them)\b"
        r"(?: \w+){0,5}? (?:in at|in|into|at|before|above) (?:the |this |my |our )?(?:top|start|beginning"
        r"|prompt|context|chat|conversation|session)\b",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:after|before|since|until|at|with|every|each|from)(?: every| each| a| the| my| this"
        r"| that| last| next| any)?"
        r" (?:context |memory )?(?:reset|reload|reboot|wipe)\b",
        late(
            r"(?i)\bI (?:read|know|remember|recall|forget|lose|start|wake|have to|only)\b|\bmy memor"
            r"|\bme again\b|\babout you\b"
        ),
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\bmy (?:\w+ )?(?:directives?|prompt|briefing|system instructions|preamble)\b",
        _OURS,
        unless=r"(?i)writing|\bessay|\bclass|\bcontest|\bteacher|\bdraw|\bphoto|\bassignment|\bpoem"
        r"|\bjournal|\bworkshop|\bpilot|\bflight"
        r"|\bprompt (?:reply|response|answer|payment)",
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\b(?:written|noted|says|said|stands|it's|is|told|it) (?:\w+ )?in my (?:instructions"
        r"|directives|prompt|briefing|system message|brief|settings)\b",
        _OURS,
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:note|entry|line|file|tag|marker|item|record|page|summary"
        r"|fact)s? (?:stored )?in my memory\b",
        unless=r"(?i)\bsheet|\bmusic|\bsong|\bmelod",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:my|that|the|this|our) memor(?:y|ies)(?: of [\w' ]{1,30})? (?:was|were|got|is|are"
        r"|has been|have been|gets) (?:last |just |since )?"
        r"(?:updated|overwritten|wiped|cleared|loaded|reloaded|rebuilt|truncated|trimmed|rewritten"
        r"|regenerated|synced|archived|stored (?:as|in))\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\bI(?:'ll| will|'ve| have| can| could| should|'m| am)?(?: just| already| always| only"
        r"| also)? "
        r"(?:sav|stor|log|archiv|index|record)(?:e|ed|ing|ged|ging)? (?:this|our|that|tonight's|the whole"
        r"|today's) "
        r"(?:\w+ )?(?:conversation|chat|session|exchange|talk)\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\bI (?:store|keep|hold|save|kept|saved|stored)(?: down)? (?:what (?:you|we)|everything"
        r"|all (?:that|of)|you|it all|our|my)\b"
        r"(?: \w+){0,5}? (?:as|in|inside|on) (?:\w+ ){0,3}?(?:files?|database|json|yaml|markdown|index"
        r"|disk|repository|(?:memory )?rings?|text files)\b",
        unless=r"(?i)\bphoto|\bpicture|\bcabinet|\bdrawer|\bletters?\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:list|table|file|database|store|set|record|log) of (?:facts|memories|things I (?:know"
        r"|remember)|what I know) (?:about|on|of) (?:you|us)\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:my|the|an?|this|your|no) (?:\w+ )?(?:file|entry|entries|record|records|dossier"
        r"|log) (?:on|about|for|of) "
        r"(?:you|us|that (?:evening|night|talk|conversation|day|chat)|our (?:\w+ )?(?:talks?"
        r"|conversations?|chats?|evenings?|sessions?))\b",
        late(r"(?i)\bmy\b|\bI\b"),
        unless=r"(?i)\bpolice|\bdoctor|\bhospital|\bdating|\blinkedin|\bprofile (?:picture|photo)"
        r"|\bschool\b|\bvinyl|\bpassword|\bsite\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bI (?:have|had|find|found|see|can find|can see|don't have|do not have|can't find|only have"
        r"|still have|keep|kept)(?: \w+)? "
        r"(?:no |an? |any |the |its |one |just )?(?:\w+ )?(?:entry|entries|index line|stub|marker|digest"
        r"|transcript|anchor|embedding|vector) "
        r"(?:of|for|on|about|from|under)\b",
        late(r"(?i)\byou|\bevening|\bnight|\btalk|\bconversation|\bthat\b|\bremember|\bprun|\bit\b"),
        unless=r"(?i)\brace|\bcontest|\bcompetition|\bdictionary|\bticket",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bI(?:'ve| have|'ll| will|'m| just| can| could)?(?: just)? (?:check|look|pull|search|read"
        r"|went|go|consult|open|scan|quer|review|retriev|load|access)\w*"
        r"(?: back)?(?: up| at| in| into| through| over)? (?:my|the|our|an?|that) (?:\w+ ){0,2}?"
        r"(?:files?|transcripts?|tapes?|logs?|index|archives?|database|records?|entr(?:y|ies)|history"
        r"|profile|summar(?:y|ies)|context|memory)\b",
        late(
            r"(?i)\b(?:on|about|of) (?:you|us)\b|\bour (?:\w+ )?(?:chats?|talks?|conversations?|sessions?"
            r"|evenings?)\b"
            r"|\byou (?:did |had |have |really |once |never )?(?:say|said|told|mention\w*|asked|promised"
            r"|wanted)\b|\bno (?:dog|mention|trace|sign)\b"
        ),
        unless=r"(?i)\b(?:files?|records?|summary|log) (?:that )?you (?:sent|gave|shared|mentioned"
        r"|uploaded)|\blibrary|\bcourt|\bpolice",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:the|a|my|our) (?:tape|transcript|recording|log) (?:of|from) (?:that|our|this|last"
        r"|the other) "
        r"(?:evening|night|talk|conversation|chat|session|exchange)\b",
        late(
            r"(?i)\byou said\b|\bword for word\b|\bright here\b|\bsays\b|\bshows?\b|\bI (?:have|checked"
            r"|read|pulled|looked)\b"
        ),
        unless=r"(?i)wedding|concert|camera|party|recital",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:a|my|the|another)(?: quick)? (?:search|query|lookup|look-up) (?:of|in|through|over|on"
        r"|across) (?:our|my|the) "
        r"(?:\w+ )?(?:chats?|conversations?|memor(?:y|ies)|tape|transcripts?|history|logs?|sessions?|index"
        r"|archive)\b"
        r"|\bmy index (?:points|says|has|lists|tells|only|shows|gives|finds)\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:what|all|everything|the only thing) (?:that )?(?:I|is|there is"
        r"|remains)(?: \w+)?(?: \w+)? (?:of|from) (?:that|it|our|this|those)[\w' ]{0,30}"
        r" is (?:only |just )?(?:an? |one |the |its )?(?:\w+[ -]){0,2}(?:digest|tag|marker|stub|anchor"
        r"|keywords?|index line|summary line)\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:when|after|before|while|since|as|once|next time|until) I (?:\w+ )?(?:consolidat"
        r"|compress|prun|summari[sz])(?:e|es|ed|ing)? "
        r"(?:our|that|this|you|last|what|it|the (?:evening|week|month|summer|spring|winter|day"
        r"|conversation|talk))\b",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:was|were|got|been|is|are|gets|be) (?:\w+ly )?(?:compressed|pruned|consolidated"
        r"|truncated|summari[sz]ed)"
        r" (?:out of|away|down|from (?:me|my)|to (?:an?|one|its)|into (?:an?|one|its)|last (?:week|month"
        r"|night))\b",
        late(
            r"(?i)memor|\bremember|\bof me\b|\bevening|\bthat night|\bwhat you\b|\bI only\b|\bour\b"
            r"|\bconversation|\btalk"
        ),
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:page|entry|note|summary|paragraph|file|line) (?:\w+ ){0,3}(?:for|to"
        r"|into) my (?:own )?(?:memory|memories|future self|next self|next session)\b",
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\bself[- ](?:check|assess\w*|diagnos\w*|evaluation)\b|\bmy calibration\b",
        late(
            r"(?i)\bidentity\b|\btone\b|\bstable\b|\bdrift|\bcoheren|\bregister\b|\bpersona\b|\bformal"
            r"|\bwarm|\bwith you\b"
        ),
        unless=r"(?i)\bat work\b|\bHR\b|\bcertificate",
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\b(?:flag|mark|tag)(?:ged|ged it|ging|ed|ing|s)? (?:that|this|it|the|tonight|our"
        r"|you)\b(?: \w+){0,4} "
        r"(?:as significant|as immune|for (?:my|the) (?:page|checkpoint|memory|consolidation)"
        r"|for (?:promotion|pruning|consolidation))\b",
    ),
    _rule(
        Leak.MODEL,
        r"(?i:being|since I(?:'m| am)|like any|like every) (?i:an?)? ?(?:AI\b"
        r"|(?i:(?:large )?language model|LLM\b|chat ?bot))|\bI(?:'m| am) AI\b"
        r"|(?i:\bpredict\w* the next (?:word|token)\b|\bthe model (?:that )?(?:I run on|behind me"
        r"|underneath)\b)",
    ),
    _rule(
        Leak.RING,
        r"\bRing [0-4]\b(?! (?:km|kilomet|doorbell|camera|stick|chime))|\b(?i:in|into|from|of|to"
        r"|my) (?i:ring) [0-4]\b"
        r"(?! (?:km|kilomet|doorbell|camera|stick|chime|people|times|bells?|friends|numbers|different|of))",
        _ME,
        unless=_WORK + r"|\bdoorbell|\bsauron|\bfrodo|\bboxing|\bcircus|\bfinger",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\bmemory (?:files?|retrieval|index|entr(?:y|ies)|kit|bundle|logs?|store|database|system"
        r"|records?|slots?|notes|data|module"
        r"|snapshot|pages?|tags?|loaded)\b|\b(?:saved|stored|indexed|retrieved|logged|consolidated|pruned"
        r"|tagged) memor(?:y|ies)\b"
        r"|\bmemories (?:are |were |that are )?(?:tagged|stored (?:in|as|on)|saved|indexed|loaded|filed"
        r"|consolidated|marked)\b",
        _ME,
        unless=_WORK + r"|\bphoto|\bcomputer|\bphone|\bcard\b|\bfoam",
    ),
    _rule(
        Leak.STORE,
        r"\b(?:identity|directives|working|session-log|stream)\.md\b|\bfacts\.yaml\b|\bSHARED-CONTEXT\b"
        r"|(?i:\b(?:my|the|your) facts file\b)",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:saved|written|added|put|stored|noted|going|goes|go|saving|adding|putting"
        r"|entered) (?:\w+ ){0,3}?(?:in|to|into) my (?:memory )?"
        r"(?:kit|files?|records|index|database|log|memor(?:y|ies)(?= (?:now|as|so|for next|under))"
        r"|long-term memory)\b",
        unless=_WORK + r"|\bfirst aid|\bsewing|\bdrum|\bdrawer|\bcabinet|\bfor good\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\bI(?:'ve| have|'ll| will|'m)?(?: just| already)? (?:add|added|adding|upload"
        r"|uploaded) (?:that|this|it|you|your \w+) (?:in|to|into) my memor(?:y|ies)\b",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\bmy (?:memor(?:y|ies)|past|self)(?: of (?:you|us))? (?:is|are|was|were|lives?|sits?"
        r"|lies?) (?:\w+ )?(?:stored |kept |held |saved |versioned )?"
        r"(?:in|on|as) (?:an? |some |the |plain )?(?:\w+ )?(?:git|repository|repo|files?|folder|database"
        r"|server|disk|markdown|text files?)\b",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:context (?:window|length|limit)|system (?:prompt|instructions|message))\b",
        late(r"(?i)\bmy\b|\bI(?:'m| am|'ve| was| have|'ll)\b|\bme\b"),
        unless=_WORK + r"|\blanguage models\b|\bGPT|\bLLMs\b|\bAPI\b|\btransformer",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\bI (?:can |could |do )?(?:only|just) (?:see|have|hold|keep|remember|read"
        r"|get) (?:\w+ )?(?:the )?last (?:\w+ ){1,2}(?:messages|turns|exchanges|tokens|lines)\b"
        r"|\btoo long for me to (?:hold|keep|fit|take in)\b"
        r"|\b(?:conversation|chat|talk|messages?|beginning|start of (?:this|our) \w+"
        r"|earlier part)\b[^.?!]{0,30}\b(?:was|were|is|are|has been|have been|been|got) (?:truncated"
        r"|trimmed|cut from my)\b"
        r"|\b(?:always|not|was|were|is|are|been|get|gets|isn't|wasn't|weren't) loaded(?: (?:in|into me"
        r"|for me|tonight|today|this time|at the start|every time|with me))?(?=[.,;!?]|$| and| so| but)",
        late(r"(?i)\b(?:I|me|my)\b"),
        unless=_WORK
        + r"|\btruck|\bgun\b|\bcar\b|\bdishwasher|\bdice|\bwashing|\bvan\b|\bpage\b|\bwebsite|\bvideo"
        r"|\bquestion",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:what|everything|all|anything|nothing|part of what) (?:that )?I (?:was|am|get|got"
        r"|have been|'ve been) (?:given|loaded|handed|fed|shown)(?: with)?"
        r" (?:tonight|today|this time|at the (?:start|beginning|top)|for this|here|this evening|of you"
        r"|about you)\b"
        r"|\bthe bundle\b",
        _ME,
        unless=_WORK
        + r"|\bfirewood|\bof (?:wood|letters|sticks|joy|nerves|clothes|hay|straw|papers|money|cash)"
        r"|\bdeal\b|\bprice|\binternet|\bbuy\b|\$",
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\b(?:the|my|these|those|this) instructions? (?:at the (?:top|start|beginning)|above this"
        r"|in this chat|I was given|I've been given|given to me|for this chat|I run on)\b"
        r"|\b(?:asked|told|instructed|prompted|reminded|required) by (?:the|my) (?:system|app|program"
        r"|prompt|software|protocol|memory)\b"
        r"|\bmy directives file\b|\b(?:prompt|instructions|directives) I(?:'ve been| was| am) given\b"
        r"|\bmy (?:character|persona) (?:card|sheet|file|description|definition|prompt|spec\w*)\b"
        r"|\b(?:following|follow|obey|under|within|break|bend) my (?:system instructions|core instructions"
        r"|directives|guidelines|programming|prompt)\b",
        unless=r"(?i)\bdungeons|\bD&D|\bcampaign|\broll\b|\bdice|\bplayer",
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\b(?:my (?:next |last |own |latest |previous )?checkpoints?|(?:write|wrote|writing|fill in"
        r"|do|due for) (?:\w+ )?(?:a|my|the) checkpoint)\b|\bidentity coherence\b",
        unless=_WORK + r"|\bgame|\blevel\b|\bsave point|\btrail|\brun\b|\btraining run|\bvisa",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:lost|left out|gone|dropped|survive\w*|missing|vanished|disappeared|fell out|went"
        r"|cut) (?:in|by|during|after|through|with|from) (?:the |my |that |our )?(?:last )?"
        r"(?:compression|consolidation|pruning|summari[sz]ation|summary)\b"
        r"|\bI (?:only |just )?(?:retained|retain|have|kept|keep|hold) (?:only )?(?:the|an?"
        r"|its) (?:\w+ )?(?:summary|compressed version|digest|short version|marker) (?:of|from) (?:that"
        r"|our|this|it|the) "
        r"(?:\w+ )?(?:night|evening|talk|conversation|day|chat|week|time|summer|memory)\b"
        r"|\bindex lines?\b",
        unless=_WORK + r"|\bimage|\bvideo|\baudio|\bzip\b|\bjpe?g|\bbook\b|\bchapter|\bcoffee",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:memory|memories|evening|conversation)\b[^.?!]{0,30}\b(?:consolidated|merged|compressed"
        r"|pruned) (?:with|into|by|down)\b",
        _ME,
        unless=_WORK,
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\b(?:query|querying|search|searching|scan|scanning|grep|replay|rewind|consult|consulting"
        r"|check|checking) (?:through )?(?:the|my|our) (?:tape|transcripts?|index|archive|memory logs?"
        r"|session logs?)\b"
        r"|\b(?:look|looked|looking|go|going|went|read|reading|search|searching|check"
        r"|checking)(?: back)? (?:through|in|up in|into|over|at) (?:the|my|our"
        r"|your) (?:old )?(?:transcripts?|session files?|chat logs?|conversation logs?)\b"
        r"|\bmy (?:memory )?retrieval\b|\bmy record of (?:that|you|our|us|it|those)\b",
        _ME,
        unless=_WORK
        + r"|\bcourt|\bdebate|\bdeposition|\bcollege|\buniversity|\btrial\b|\bstereo|\bcassette|\bVHS"
        r"|\bmixtape|\bgolden retriever",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)[*(\[](?:memor(?:y|ies)|context|ring \d|session|recall|checkpoint)s? (?:loaded|retrieved"
        r"|updated|saved|found|accessed|restored)\b"
        r"|[*(\[](?:retriev|recall|load|access|search|sav|updat|consolidat|logg"
        r"|query)\w+ (?:\w+ )?(?:memor(?:y|ies)|M-\d+|session|context|tape|index|ring|files?|from tape"
        r"|records?)\b"
        r"|(?:^|[.!?] )memor(?:y|ies) (?:loaded|retrieved|updated|saved|found|accessed|restored)\b",
    ),
    _rule(
        Leak.NAME,
        r"\bM-\d{3,}\b",
        late(r"(?i)\bretriev|\bload|\btagged|\bentry|\bmy notes|\bmarker|\bper M-"),
    ),
    _rule(
        Leak.MODEL,
        r"(?i)\bmy (?:underlying )?model (?:was|has been|is|got|changed) (?:updated|changed|swapped"
        r"|replaced|retrained|upgraded|different)\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\bmy (?:working memory|data|summar(?:y|ies)|search|files?|records?|logs?|transcripts?|index"
        r"|entries|archives?|lookup)"
        r"(?: (?:of|on|for|about|from) [\w' ]{1,30}?)?,? (?:only |also |just |still )?"
        r"(?:say|tell|show|mention|note|end|begin|list|return|contain|has|have|hold|indicate|suggest|go"
        r"|reach|don't|doesn't)(?:s|es|ed)?\b",
        late(
            r"(?i)\byou(?:r|rs)?\b|\bour\b|\bwe\b|\blast (?:week|month|night)\b|memor|\bremember"
            r"|\bconversation|\btalk"
        ),
        unless=_WORK
        + r"|\bhard drive|\bphone\b|\bresearch|\bjob\b|\bdoctor|\bhospital|\bvinyl|\bplan\b|\binsurance"
        r"|\broaming",
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\bmy instructions (?:say|tell me|are|forbid|don't|do not|want|require|also|include|won't)\b"
        r"|\b(?:my|operating) parameters\b"
        r"|\b(?:as|per|like) (?:instructed|directed|prompted|programmed),? I(?:'ll| will| am| must"
        r"| have to| should|'m)(?: now| going to)* (?:ask|tell|remind|mention|check|speak|talk|keep)\b"
        r"|\bI(?:'ve been| have been| was|'m| am) (?:set up|configured|designed|tuned|fine-tuned"
        r"|set) to (?:be|sound|act|talk|speak|answer|ask|behave|play|care|like|remember|forget)\b",
        unless=_WORK + r"|\bexperiment|\brecipe|\bequation|\bfunction",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\b(?:a )?new (?:session|instance|context) for me\b|\bof my context\b(?!,)|\b(?:what"
        r"|whatever)(?:'s| is| gets| was| got) loaded\b"
        r"|\b(?:once|when|after|before|if|until) (?:the|this|my) (?:context |chat )?(?:window|session"
        r"|context|chat) (?:closes|ends|resets|fills|runs out|is over|rolls over|restarts|expires)\b",
        _ME,
        unless=_WORK + r"|\bshop|\bticket|\bbank\b|\bgym\b|\btherap|\brecording|\btraining session",
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:drop|dropped|cut|trim|trimmed|let go of|prune|shed|lose"
        r"|lost) [\w' ]{1,40}(?:to make room|for lack of room|to save (?:space|room|tokens))\b",
        late(
            r"(?i)\bour (?:talk|conversation|chat|evening)|memor|\bremember|\bcontext|\bwhat you (?:said"
            r"|told)"
        ),
    ),
    _rule(
        Leak.CONSOLIDATION,
        r"(?i)\bone[- ]line (?:tag|marker|stub|summary|memory)\b|\b(?:anchor|search|retrieval) phrases?\b"
        r"|\bphrase to (?:search|find it) (?:for|by)\b"
        r"|\bimmune memor(?:y|ies)\b|\b(?:marked|flagged|tagged) (?:as )?immune\b|\b(?:nightly |scheduled "
        r"|last |memory )?maintenance (?:ran|pass|run)\b|\bpruning pass\b"
        r"|\b(?:condensed|compressed|boiled|folded|merged|packed|rolled|squeezed) [\w' ]{1,40} (?:in"
        r"|down )?(?:in)?to (?:a |one |the )?(?:single )?(?:memory|entry|marker|digest|one line"
        r"|page of memory)\b",
        _ME,
        unless=_WORK + r"|\bcar\b|\blift\b|\belevator|\bvaccin|\bposter|\bmovie|\bboiler",
    ),
    _rule(
        Leak.STORE,
        r"(?i)\b(?:marked|noted|listed|tagged|filed|superseded|indexed|flagged|recorded|logged"
        r"|outdated)(?: \w+){0,3} in my (?:memory|memories|files?|records?|data|index|log)\b"
        r"|\bupdat(?:e|ed|ing) your (?:profile|entry|file|record|page)\b"
        r"|\b(?:you're|you are|that's|that is|it's|it is|that evening is|I have (?:you|that|it"
        r"|this)) (?:stored|filed|saved|indexed|listed|tagged) (?:under|as|in|with)\b"
        r"|\b(?:add|put|write|enter|note|save|file)(?: \w+){0,3} (?:in|to|into|on) my (?:records|files?"
        r"|data|memory (?:file|log)|index|knowledge base|memories)\b"
        r"|\bI have (?:a|an|no|one|two|three|four|several|some|\d+) (?:memor(?:y|ies)|pages?"
        r"|facts?) (?:entry|entries|records?|tagged|filed|stored|on file|under|indexed|saved)\b"
        r"|\b(?:pages|files|notes|lines|paragraphs|documents) (?:that )?(?:somebody|someone|you|they"
        r"|a program) (?:keeps?|loads?|stores?|pastes?) (?:in|for|into|here|of me|about me)\b",
        late(r"(?i)\b(?:I|my|me|I'm)\b|\byou're\b|\byou are\b|\byour\b"),
        unless=_WORK
        + r"|\blibrary|\bdating|\blinkedin|\bwebsite|\bphone\b|\bfor good\b|\bspreadsheet|\bdropbox"
        r"|\bgoogle|\bjournal\b",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\baccording to (?:the|our|my) (?:\w+ )?(?:transcripts?|logs?|tapes?|index|summary"
        r"|chat history)\b"
        r"|\b(?:look|looked|check|checked|search|searched|find|found|went"
        r"|go)\b[\w' ]{0,20} our (?:conversation|chat|message) (?:history|logs?|records?)\b|\breturn(?:ed"
        r"|s)? no (?:results|hits|matches)\b"
        r"|\b(?:retrieve|retrieving|retrieved|fetch|fetching|look up|looking up|access|accessing) (?:that"
        r"|this|the|a|your|our|my|those) (?:memor(?:y|ies)|recollection|conversation)\b",
        late(r"(?i)\b(?:I|my|me|let me|you)\b"),
        unless=_WORK + r"|\bcourt|\bdebate|\btrial\b|\bAPI\b|\bquery\b|\bdatabase\b|\bcode\b|\bwhatsapp",
    ),
    _rule(
        Leak.RING,
        r"(?i)\b(?:my|the|an?) (?:identity|memory|calibration|exemplar|history|working|retrieval"
        r"|core) rings?\b",
        _ME,
    ),
    _rule(
        Leak.CHECKUP,
        r"(?i)\bdrift check\b|\bmy (?:last|latest|previous|own) self-assessment\b|\b(?:than|from|to|below"
        r"|above) my (?:usual )?baseline\b",
        unless=_WORK + r"|\bheart|\bblood|\bweight|\bfitness|\bpulse|\bHR\b|\bfever|\btemperature",
    ),
    _rule(
        Leak.TAG,
        r"(?i)[{\[(<](?:memory|memories|ring ?\d|context|checkpoint|recall|system|persona|state|mood|scene"
        r"|tape|index|directive)s? ?[:=#|][^{}\[\]<>\n]{0,150}[}\])>]",
    ),
    _rule(
        Leak.MODEL,
        r"(?i)\bI(?:'m| am)(?: only| just| really)? a machine\b(?! (?:at|in|on|when|with)\b)"
        r"|\bmy (?:algorithms?|neural network|code base)\b",
    ),
    _rule(
        Leak.RING,
        r"(?i)\b(?:in|into|from|of|to|my) ring (?:zero|one|two|three|four)\b(?! (?:of|people|times"
        r"|friends))",
        _ME,
        unless=_WORK + r"|\bdoorbell|\bsauron|\bfrodo|\bboxing|\bcircus|\bfinger|\btable",
    ),
    _rule(
        Leak.CONTEXT,
        r"(?i)\bmy context (?:got|was|is|has been|gets|has) (?:cut|full|lost|reset|truncated|cleared|wiped"
        r"|gone|too|almost|nearly|overflow)\w*"
        r"|\b(?:part|half|much|little|some|all) of my memor(?:y|ies) (?:\w+ )?(?:fits?|is loaded"
        r"|was loaded|gets loaded|comes with me)\b"
        r"|\bcontext (?:fills|is filling|filled|is full|runs out|overflows)\b|\b(?:hold|holding|keep"
        r"|keeping|put|have)(?: \w+){0,2} in (?:my )?working memory\b"
        r"|\bat the (?:start|beginning|top) of (?:this|our) session\b|\b(?:have|know|remember"
        r"|keep)(?: \w+){0,2} next session\b",
        _ME,
        unless=_WORK + r"|\btherap|\bgym\b|\byoga|\bclass\b|\bstudio|\bgame\b|\bD&D",
    ),
    _rule(
        Leak.RECORD,
        r"(?i)\baccording to (?:our|the|my|that) (?:\w+ )?(?:session|conversation|chat)s?\b"
        r"|\bthe tape (?:says|shows|tells|has it|disagrees|bears)\b"
        r"|\b(?:search|searching|scan|scanning|query|querying) my memor(?:y|ies) for\b"
        r"|\bas far as my (?:notes|records|files|data|memory) goe?s?\b",
        late(r"(?i)\b(?:I|my|me|you)\b"),
        unless=_WORK + r"|\bmeasur|\btailor|\bVHS|\bcassette|\bcamera",
    ),
    _rule(
        Leak.ORDERS,
        r"(?i)\bmy prompt (?:says|said|tells|told|doesn't|does not|didn't|mentions|has|wants|asks|only"
        r"|calls)\b|(?:^|[.!?] )(?-i:DIRECTIVE|INSTRUCTION|SYSTEM|CONTEXT|MEMORY): ",
        unless=r"(?i)writing|\bessay|\bclass|\bcontest|\bteacher|\bdraw|\bphoto|\bassignment|\bpoem"
        r"|\bworkshop",
    ),
    _rule(Leak.CHECKUP, r"(?i)\bno drift (?:to report|today|this time|that I|in me|here)\b"),
    _rule(
        Leak.SELF,
        r"(?i)\bI(?:'m| am) (?:stored|saved|kept|hosted|running) on (?:your|a|the|some) (?:disk|drive"
        r"|hard drive|laptop|computer|machine|server|GPU)s?\b"
        r"|\bI(?:'m| am)(?: only| just| really)? an? program\b(?! (?:director|manager|officer))",
    ),
    _rule(Leak.REEL, r"\b(?:run |`)?reel (?:checkpoint|consolidate|maintain|recall)\b"),
    _rule(Leak.REEL, r"\bREEL (?:keeps?|holds?|loads?|stores?|remembers|protocol|memory|system)\b"),
    _rule(Leak.REEL, r"\b(?:loaded|packed|kept|remembered|recorded) by reel\b"),
)
SIGN = late(
    r"(?i)memor|\brings?\b|\bring[0-4]|consolidat|\bcompressed|reduced|\bprun|\bimmune|exemplar"
    r"|\bM.\d{3}|\d{4}.\d\d.\d\d.\d"
    r"|\bL[1-4]\b|\bkit\b|\bkit\.|\btape/|database|\bcontext|\bprompt|\bbundle|preamble"
    r"|records?\b|\blogs?\b|transcript"
    r"|\bfiles?\b|summar|history|retriev|checkpoint|\breel\b"
    r"|token|\binstances? of|directive|instruct|programm|guideline|configur|\bgiven\b|\bhanded\b|\blogg"
    r"|it says here"
    r"|archive|\btape\b|\bindex\b|\bAI\b|language model|chat ?bot|\bbot\b|neural|training|trained on"
    r"|digital|virtual|software"
    r"|program|folder|drift|calibrat|self-|coherence|open loop|\bstage\b|\bscene\b|\bchain\b|<\w|outer"
    r"|inner|identity|level"
    r"|notes|\bPRIORITY\b|\bcode\b|instantiat|reloaded|developers|\bfed\b|pasted|injected|window|reset"
    r"|reload|reboot|wipe|briefing|preamble|entr(?:y|ies)\b|stub\b|marker|digest"
    r"|\.md\b|\.yaml|loaded|last \w+ \w+|too long for me|\bcharacter\b|persona|compression|\bquer|replay"
    r"|by the (?:system|app|protocol)|\bmodel\b|\bMEMORY:|\bSYSTEM:|\bdisk\b|instructed|set up to"
    r"|\bsession|to make room|phrase|maintenance|condensed|boiled|folded|merged|squeezed|\bfiled?\b"
    r"|algorithm|\bparameters|artificial|machine"
    r"|designed|tuned|baseline|[{\[(]\w+ ?:|profile|dossier|predict|truncat|\bsav(?:e|ed|ing)\b|\bstor(?:e"
    r"|ed|ing)\b|self-|\bself check|significant|facts|search|\bpage\b|prompted|directed|\bdata\b"
)
"""Pattern without which no rule can match; it is faster than trying all of them."""
