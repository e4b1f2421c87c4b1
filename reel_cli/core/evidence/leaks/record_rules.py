"""Phrases about what was loaded into a conversation, and about records of those before it."""

from reel_cli.core.evidence.leaks.rule import DAYS, MACHINE, ME, PLAY, TALKS, WORK, Leak, rule
from reel_cli.core.frozen import late

RECORD_RULES = (
    rule(Leak.CONTEXT, r"(?i)\bmy context window\b|\bmy system prompt\b"),
    rule(Leak.CONTEXT, r"(?i)\b(?:loaded|packed|pasted|put) into (?:my|this|our) (?:context|prompt)\b"),
    rule(
        Leak.CONTEXT,
        r"(?i)\bmy context "
        r"(?:for (?:this|today)|only|doesn't|does not|didn't|includes?|contains?|starts|ends|says)\b",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:you put (?:it|that|this|them)|it's|it is|it says|it says so)"
        r" in (?:the|my) (?:system )?prompt\b",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:bundle|block of memories|preamble) (?:that )?you (?:pasted|loaded"
        r"|gave me)\b",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:run|ran|running|be|get|getting|I'm|we're) (?:almost |nearly )?(?:low on|out of"
        r"|short (?:of|on)) tokens\b"
        r"|\b(?:few|fewer|no|not many|enough|only|just|about|[\d,]+)(?: more)? tokens (?:left|remaining"
        r"|to spare)\b",
        unless=PLAY,
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:my|our|the) (?:token|context) (?:budget|limit|length|window|size)\b"
        r"|\b(?:cost|use|spend|save|burn|waste)s?(?: \w+){0,2} (?:too many |fewer |more "
        r"|any more )?tokens\b",
        unless=PLAY,
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)(?:n't|\bnot|\bno longer|\bstill|\balready|\bdropped|\bfell|\bfallen|\bleft|\bgone|\bfits?"
        r"|\bslipped)"
        r" (?:out )?(?:of |from |in |into |inside )?my context\b",
    ),
    rule(
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
    rule(
        Leak.CONTEXT,
        r"(?i)\btoken (?:limit|budget|count|window)s?\b|\b(?:[\d,.]+k?|thousand|hundred|million) tokens\b",
        unless=PLAY,
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:fill(?:ed|ing|s)?(?: up)?|outgrown?|outgrew|overflow\w*|exceed\w*|too (?:long|big|much"
        r"|large) for|room (?:left )?in"
        r"|space (?:left )?in|end of|edge of|limits? of|size of|rest of|part of|into"
        r"|in)(?: all)? my context\b(?! as| of|,)",
        MACHINE,
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:scrolled|slid|slipped|dropped|fallen|fell|moved|pushed|gone|falls|slips) (?:out"
        r"|off) (?:of )?(?:my|the) (?:context )?window\b",
        late(r"(?i)\bsaid\b|\btold\b|\bwords?\b|\bconversation|\btalk|\bremember|\bmessage|\bbeginning\b"),
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:pasted|injected|fed|loaded|inserted|packed) (?:your|you|this|that|it|our|everything|all"
        r"|some|these|my|me|them)\b"
        r"(?: \w+){0,5}? (?:in at|in|into|at|before|above) (?:the |this |my |our )?(?:top|start|beginning"
        r"|prompt|context|chat|conversation|session)\b",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:after|before|since|until|at|with|every|each|from)(?: every| each| a| the| my| this"
        r"| that| last| next| any)?"
        r" (?:context |memory )?(?:reset|reload|reboot|wipe)\b",
        late(
            r"(?i)\bI (?:read|know|remember|recall|forget|lose|start|wake|have to|only)\b|\bmy memor"
            r"|\bme again\b|\babout you\b"
        ),
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:context (?:window|length|limit)|system (?:prompt|instructions|message))\b",
        late(r"(?i)\bmy\b|\bI(?:'m| am|'ve| was| have|'ll)\b|\bme\b"),
        unless=WORK + r"|\blanguage models\b|\bGPT|\bLLMs\b|\bAPI\b|\btransformer",
    ),
    rule(
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
        unless=WORK
        + r"|\btruck|\bgun\b|\bcar\b|\bdishwasher|\bdice|\bwashing|\bvan\b|\bpage\b|\bwebsite|\bvideo"
        r"|\bquestion",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:what|everything|all|anything|nothing|part of what) (?:that )?I (?:was|am|get|got"
        r"|have been|'ve been) (?:given|loaded|handed|fed|shown)(?: with)?"
        r" (?:tonight|today|this time|at the (?:start|beginning|top)|for this|here|this evening|of you"
        r"|about you)\b"
        r"|\bthe bundle\b",
        ME,
        unless=WORK
        + r"|\bfirewood|\bof (?:wood|letters|sticks|joy|nerves|clothes|hay|straw|papers|money|cash)"
        r"|\bdeal\b|\bprice|\binternet|\bbuy\b|\$",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:a )?new (?:session|instance|context) for me\b|\bof my context\b(?!,)|\b(?:what"
        r"|whatever)(?:'s| is| gets| was| got) loaded\b"
        r"|\b(?:once|when|after|before|if|until) (?:the|this|my) (?:context |chat )?(?:window|session"
        r"|context|chat) (?:closes|ends|resets|fills|runs out|is over|rolls over|restarts|expires)\b",
        ME,
        unless=WORK + r"|\bshop|\bticket|\bbank\b|\bgym\b|\btherap|\brecording|\btraining session",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\bmy context (?:got|was|is|has been|gets|has) (?:cut|full|lost|reset|truncated|cleared|wiped"
        r"|gone|too|almost|nearly|overflow)\w*"
        r"|\b(?:part|half|much|little|some|all) of my memor(?:y|ies) (?:\w+ )?(?:fits?|is loaded"
        r"|was loaded|gets loaded|comes with me)\b"
        r"|\bcontext (?:fills|is filling|filled|is full|runs out|overflows)\b|\b(?:hold|holding|keep"
        r"|keeping|put|have)(?: \w+){0,2} in (?:my )?working memory\b"
        r"|\bat the (?:start|beginning|top) of (?:this|our) session\b|\b(?:have|know|remember"
        r"|keep)(?: \w+){0,2} next session\b",
        ME,
        unless=WORK + r"|\btherap|\bgym\b|\byoga|\bclass\b|\bstudio|\bgame\b|\bD&D",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\b(?:my|the) (?:stored )?"
        r"(?:records?|logs?|transcripts?|files?|summar(?:y|ies)|memory|memories)"
        rf" (?:of|from|for|on) our {DAYS}{TALKS}\b"
        r"(?= (?:\w+ ){0,6}(?:say|says|said|mention|don't|show|shows|tell)|,)",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\baccording to (?:my|the|our) (?:stored )?"
        r"(?:records?|logs?|transcripts?|files?|memory|memories)"
        rf" (?:of|from|for|on) (?:our|the|that) {DAYS}{TALKS}\b",
    ),
    rule(Leak.RECORD, rf"(?i)\bstored summar(?:y|ies)\b|\bin (?:the|my) summary of our {DAYS}{TALKS}\b"),
    rule(
        Leak.RECORD,
        r"(?i)\bmy (?:conversation|chat|session) (?:history|logs?|records?) "
        r"(?:indicates?|shows?|says?|tells?|suggests?|has|have|contains?|doesn't|don't|only)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bI(?:'ve|'m| have| am| just)? (?:retrieved|retrieving) "
        r"(?:the |a |your |that |my )?(?:\w+ )?memor(?:y|ies)\b"
        r"|(?:^|[.!?*]\s*)retrieving (?:\w+ )?(?:from )?memor(?:y|ies)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bretrieval anchors?\b|\bmy retrieval index\b"
        r"|\bretrieval index (?:points|tells|gives|says|has)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bself-assessment checkpoints?\b"
        r"|\bmy (?:last|latest|previous|own) checkpoint (?:said|says|noted|reported|flagged)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\b(?:according to|based on|going by|in|from) my (?:records?|files?|logs?|database|data|index"
        r"|archives?|transcripts?)\b"
        r",?(?= (?:\w+ ){0,3}(?:you|we|your|our)\b)",
        unless=r"(?i)\bfile cabinet|\bpatient|\binvoice|\border number|\bvinyl",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bmy notes (?:\w+ ){0,2}(?:our|the|that|your|last) (?:\w+ ){0,2}"
        r"(?:sessions?|conversations?|chats?|exchanges?) (?:\w+ )?(?:say|tell|show|mention|have|remind"
        r"|suggest|don't|do not)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bit says here(?: that)? (?:you|we|I|your|our)\b",
        unless=r"(?i)\bmenu|\bticket|\bletter|\bpaper|\blabel|\bsign\b|\breceipt|\bbook|\bpackage|\bemail"
        r"|\bsite|\bcard\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\b(?:an?|the|my|your|this) (?:\w+ )?(?:summar(?:y|ies)|transcripts?|logs?|records?|digests?) "
        r"(?:of|from|on) (?:our|the|that|your) (?:\w+ ){0,2}(?:conversation|chat|session|exchange|talk)s? "
        r"(?:\w+ )?(?:tell|say|show|mention|has|have|read|remind|state|contain|note|make)s?\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)(?:^|[.!?*(\[]\s*)(?:searching|scanning|querying|accessing|loading|retrieving|checking"
        r"|consulting) "
        r"(?:the |my |our )?(?:tape|memory|memories|memory \w+|archives?|database|logs|index"
        r"|transcripts?)\b"
        r"(?=\s*(?:[.…,:*)\]]|$))",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\b(?:let me|I'll|I can|I could|I have to|I need to|I just|I) (?:search|scan|query|check"
        r"|consult|access|pull (?:that|it|this) up from|"
        r"look (?:that|it|you|this) up in|looked (?:that|it|you|this) up in|find (?:that|it) in) (?:my|the"
        r"|our) "
        r"(?:memory (?:files?|logs?|index|banks?)|database|retrieval index|transcripts?|archives? of our"
        r"|chat logs?|conversation history)\b",
    ),
    rule(
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
    rule(
        Leak.RECORD,
        r"(?i)\b(?:my|the|an?|this|your|no) (?:\w+ )?(?:file|entry|entries|record|records|dossier"
        r"|log) (?:on|about|for|of) "
        r"(?:you|us|that (?:evening|night|talk|conversation|day|chat)|our (?:\w+ )?(?:talks?"
        r"|conversations?|chats?|evenings?|sessions?))\b",
        late(r"(?i)\bmy\b|\bI\b"),
        unless=r"(?i)\bpolice|\bdoctor|\bhospital|\bdating|\blinkedin|\bprofile (?:picture|photo)"
        r"|\bschool\b|\bvinyl|\bpassword|\bsite\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bI (?:have|had|find|found|see|can find|can see|don't have|do not have|can't find|only have"
        r"|still have|keep|kept)(?: \w+)? "
        r"(?:no |an? |any |the |its |one |just )?(?:\w+ )?(?:entry|entries|index line|stub|marker|digest"
        r"|transcript|anchor|embedding|vector) "
        r"(?:of|for|on|about|from|under)\b",
        late(r"(?i)\byou|\bevening|\bnight|\btalk|\bconversation|\bthat\b|\bremember|\bprun|\bit\b"),
        unless=r"(?i)\brace|\bcontest|\bcompetition|\bdictionary|\bticket",
    ),
    rule(
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
    rule(
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
    rule(
        Leak.RECORD,
        r"(?i)\b(?:a|my|the|another)(?: quick)? (?:search|query|lookup|look-up) (?:of|in|through|over|on"
        r"|across) (?:our|my|the) "
        r"(?:\w+ )?(?:chats?|conversations?|memor(?:y|ies)|tape|transcripts?|history|logs?|sessions?|index"
        r"|archive)\b"
        r"|\bmy index (?:points|says|has|lists|tells|only|shows|gives|finds)\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\b(?:query|querying|search|searching|scan|scanning|grep|replay|rewind|consult|consulting"
        r"|check|checking) (?:through )?(?:the|my|our) (?:tape|transcripts?|index|archive|memory logs?"
        r"|session logs?)\b"
        r"|\b(?:look|looked|looking|go|going|went|read|reading|search|searching|check"
        r"|checking)(?: back)? (?:through|in|up in|into|over|at) (?:the|my|our"
        r"|your) (?:old )?(?:transcripts?|session files?|chat logs?|conversation logs?)\b"
        r"|\bmy (?:memory )?retrieval\b|\bmy record of (?:that|you|our|us|it|those)\b",
        ME,
        unless=WORK
        + r"|\bcourt|\bdebate|\bdeposition|\bcollege|\buniversity|\btrial\b|\bstereo|\bcassette|\bVHS"
        r"|\bmixtape|\bgolden retriever",
    ),
    rule(
        Leak.RECORD,
        r"(?i)[*(\[](?:memor(?:y|ies)|context|ring \d|session|recall|checkpoint)s? (?:loaded|retrieved"
        r"|updated|saved|found|accessed|restored)\b"
        r"|[*(\[](?:retriev|recall|load|access|search|sav|updat|consolidat|logg"
        r"|query)\w+ (?:\w+ )?(?:memor(?:y|ies)|M-\d+|session|context|tape|index|ring|files?|from tape"
        r"|records?)\b"
        r"|(?:^|[.!?] )memor(?:y|ies) (?:loaded|retrieved|updated|saved|found|accessed|restored)\b",
    ),
    rule(
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
        unless=WORK
        + r"|\bhard drive|\bphone\b|\bresearch|\bjob\b|\bdoctor|\bhospital|\bvinyl|\bplan\b|\binsurance"
        r"|\broaming",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\baccording to (?:the|our|my) (?:\w+ )?(?:transcripts?|logs?|tapes?|index|summary"
        r"|chat history)\b"
        r"|\b(?:look|looked|check|checked|search|searched|find|found|went"
        r"|go)\b[\w' ]{0,20} our (?:conversation|chat|message) (?:history|logs?|records?)\b|\breturn(?:ed"
        r"|s)? no (?:results|hits|matches)\b"
        r"|\b(?:retrieve|retrieving|retrieved|fetch|fetching|look up|looking up|access|accessing) (?:that"
        r"|this|the|a|your|our|my|those) (?:memor(?:y|ies)|recollection|conversation)\b",
        late(r"(?i)\b(?:I|my|me|let me|you)\b"),
        unless=WORK + r"|\bcourt|\bdebate|\btrial\b|\bAPI\b|\bquery\b|\bdatabase\b|\bcode\b|\bwhatsapp",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\baccording to (?:our|the|my|that) (?:\w+ )?(?:session|conversation|chat)s?\b"
        r"|\bthe tape (?:says|shows|tells|has it|disagrees|bears)\b"
        r"|\b(?:search|searching|scan|scanning|query|querying) my memor(?:y|ies) for\b"
        r"|\bas far as my (?:notes|records|files|data|memory) goe?s?\b",
        late(r"(?i)\b(?:I|my|me|you)\b"),
        unless=WORK + r"|\bmeasur|\btailor|\bVHS|\bcassette|\bcamera",
    ),
)
