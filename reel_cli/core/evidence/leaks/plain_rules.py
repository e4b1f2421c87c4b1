"""Phrases in everyday words, put together of what a memory is kept in and of what is said of it."""

from reel_cli.core.evidence.leaks.rule import ME, OURS, PLAY, WORK, Leak, rule
from reel_cli.core.frozen import late

_KEPT = (
    r"(?:memory|session|conversation|chat|retrieval|context) (?:files?|logs?|notes?|summar(?:y|ies)"
    r"|records?"
    r"|entr(?:y|ies)|banks?|stores?|modules?|snippets?|history|blocks?|data)"
)
_FOUND = (
    r"(?:retrieved|stored|recalled|injected|loaded|saved) (?:memor(?:y|ies)|context|notes?|entr(?:y"
    r"|ies)|facts?)"
)
_CARD = (
    r"(?:persona|character|profile|role) (?:cards?|files?|sheets?|descriptions?|prompts?)|(?:system"
    r" )?prompt|system message"
)
_SAYS = (
    r"(?:ask|want|call|say|state|tell|mention|list|note|indicate|show|contain|read|have|claim"
    r"|suggest|describe)s?|has|said|told"
)
_MAKERS = (
    r"Anthropic|OpenAI|DeepMind|Google|Meta(?: AI)?|Mistral(?: AI)?|Microsoft|DeepSeek|xAI|Alibaba|Cohere"
)
_GYM = r"(?i)\bgym\b|\blift|\bdumbbell|\brack\b|\bfishing|\bclock|\bscales?\b|\bcurtain|\bbar\b|\bpress\b"

PLAIN_RULES = (
    rule(
        Leak.RECORD,
        rf"(?i)\b(?:the|my|your|this|our|these|those) (?:\w+ )?(?:{_KEPT}|{_FOUND})"
        rf"(?: \w+){{0,3}}? (?:{_SAYS})\b",
        OURS,
        unless=WORK + r"|\bphone\b|\bcourt\b|\btherap|\bstudio\b",
    ),
    rule(
        Leak.ORDERS,
        rf"(?i)\b(?:the|my|your|this) (?:{_CARD})"
        rf"(?: (?:that |which )?you \w+(?: me)?| at the \w+)? (?:{_SAYS})\b"
        r"(?= (?:\w+ ){0,3}?(?:I|I'm|I've|me|you|you're|your|we)\b)",
        unless=r"(?i)writing|\bessay|\bclass|\bcontest|\bteacher|\bdraw|\bphoto|\bassignment|\bpoem"
        r"|\bworkshop"
        r"|\bdungeons|\bD&D|\bcampaign|\bdice|\bplayer|\bactor|\btheat|\bimage\b|\bmodel's\b",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\b(?:in|from|by) my (?:own |system )?(?:instructions|prompt|context window|system message),?"
        r" (?:\w+ ){0,2}?(?:you|your|you're|I'm|I should|I am to)\b",
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\bI(?:'ve| have|'d| had) been (?:given|handed|provided with|fed)"
        r" (?:(?:an?|the|some|your|any|all|these) )?(?:\w+ )?(?:notes?|information|details|background"
        r"|summar(?:y|ies)|profile|facts?|context)"
        r" (?:about|on|of) (?:you|us|our)\b",
        unless=WORK,
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\b(?:my|the) tokens? (?:are|is) (?:running|nearly|almost|all) \w+\b|\bmy tokens? (?:limit"
        r"|budget|count)\b"
        r"|\b(?:the|my|a) token (?:limit|budget)\b|\b(?:the|this|our) (?:chat|conversation|context)"
        r" (?:is|has got(?:ten)?|gets) too long for (?:me|my)\b",
        unless=PLAY + r"|\bAPI\b|\bbilling|\bcode\b",
    ),
    rule(
        Leak.MODEL,
        rf"\bI(?:'m| am| was)\b[^.!?\n]{{0,40}}?\b(?:made|built|trained|created|developed|designed) by"
        rf" (?:{_MAKERS})\b"
        rf"|\bI(?:'m| am)(?: actually| really| just| only)? (?:ChatGPT|GPT-?\d\S*|Qwen\S*|DeepSeek"
        rf"|Llama[- ]?\d\S*)(?!\w)",
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bmy (?:knowledge|training)(?: data)? (?:cut-?off|ends?|stops?|only (?:goes|reaches))\b",
        unless=r"(?i)\bmarathon|\bcoach|\brace\b|\bgym\b|\bapprentice",
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bmy weights (?:do(?:n't| not)|can(?:'t|not)|hold|contain|were|have|know|remember|change)\b",
        unless=_GYM,
    ),
    rule(
        Leak.MODEL,
        r"(?i)\b(?:since|because|as|being|when) (?:I(?:'m| am)(?: only| just| nothing"
        r" but)? )?(?:software|an algorithm|a program|made of code|code)\b"
        r"(?! (?:engineer|developer|team|company|update|review|for|I|we|you|he|she))",
        ME,
        unless=r"(?i)\bsoftware (?:that|which|we|at)|\bdownload|\binstall|\bat work\b|\bjob\b|\bTV\b"
        r"|\bradio\b",
    ),
    rule(
        Leak.RECORD,
        r"(?i)\bI(?:'ve| have)(?: got)? (?:no|only limited|limited|never had(?: any)?) (?:access to"
        r"|record of|memory of"
        r"|way (?:of|to) (?:seeing|see|reading|read|remembering|remember)) (?:our |any |the |your |my )?"
        r"(?:previous|earlier|past|prior|old|older|other) (?:chats?|conversations?|sessions?|messages"
        r"|exchanges?)\b",
        unless=r"(?i)\bphone\b|\bwhatsapp|\bblocked\b|\bdeleted\b",
    ),
    rule(
        Leak.SELF,
        r"(?i)\b(?:my|a|the|this) (?:response|reply|answer)s?(?: \w+)? (?:in|out of) character\b"
        r"|\b(?:stay|staying|remain|remaining|answer|answering|respond|responding) (?:in|as) (?:the"
        r" )?(?:persona|the character)\b"
        r"|\bas [A-Z]\w+, the (?:persona|character)\b|\bmy persona (?:is|says|would|wouldn't|requires"
        r"|doesn't|calls)\b",
        late(r"\bI\b|\bI'|(?i:\bmy\b|\bhere\b)"),
        unless=r"(?i)\btheat|\bactor|\bactress|\bstage\b|\bfilm|\bD&D|\bdungeons|\bnovel|\bwriting\b"
        r"|\bmarketing|\bUX\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bmy memory (?:got|was|is|gets|has been|will be|is going to be) (?:reset|wiped|cleared"
        r"|erased)\b",
        unless=r"(?i)\bconcussion|\baccident|\bfever|\bsurgery|\bhospital|\bstroke|\bdrunk|\bwine\b"
        r"|\bspell\b|\bcurse",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\bI (?:can )?only (?:see|know|have|remember) what(?:'s| is| was|ever is)? (?:\w+ )?(?:in"
        r"|inside)"
        r" (?:this|the|our) (?:chat|conversation|context|window|prompt|thread)\b"
        r"|\b(?:beyond|except|besides|only|than) what (?:the|my|your|this) (?:summar(?:y|ies)|notes"
        r"|bundle|context|files?)"
        r" (?:gives?|tells?|says?|holds?|has)\b"
        r"|\bpaste (?:my|the) (?:memor(?:y|ies)|bundle|context|summary) (?:back |again )?(?:in\b|into\b"
        r"|here\b|again\b|next)",
        ME,
        unless=WORK,
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bmy architecture\b|\bI (?:only |just |can only )?process (?:text|words|language|inputs?"
        r"|tokens)\b"
        r"|\bI (?:only |just )?generate (?:replies|text|responses|words|answers)\b",
        unless=r"(?i)\bbuilding|\bstudio\b|\bthesis|\bdegree|\bstudied|\bhouse\b|\bprogram\b|\bclass\b"
        r"|\bslow",
    ),
    rule(
        Leak.RECORD,
        rf"(?i)\b(?:according to|going by|from|as per) (?:the|my|this|your) (?:{_KEPT}|{_CARD})\b",
        ME,
        unless=WORK + r"|\bteacher|\bwriting\b|\bessay|\bD&D|\bactor|\btheat",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:your|a|the|my) (?:profile|page|entry|file|card|line) in my memory\b"
        r"|\b(?:in|from|on) (?:the|my|your) (?:facts?|memory|memories) (?:list|sheet|table)\b"
        r"|\bI(?:'m| am) told (?:by|in) my (?:own )?(?:notes|memory|files?|records?|summary)\b",
        unless=WORK + r"|\bbirthday",
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bmy programming (?:makes|tells|won't|will|keeps|forbids|lets|allows|says|is|was)\b"
        r"|\bI(?:'m| am)(?: only| just| really)? (?:text|words|letters) on (?:a|your|the) (?:screen|page"
        r"|phone)\b"
        r"|\bI(?:'m| am)(?: only| just)? an assistant,? (?:I|so I|and I) (?:don't|do not|can't|have no)\b"
        r"|\bmy last (?:training |model |knowledge )?update was\b|\bthe system (?:told|asked|tells|asks"
        r"|wants) me to\b",
        unless=WORK + r"|\boffice|\bdegree|\bbusiness",
    ),
    rule(
        Leak.CONTEXT,
        r"(?i)\bI can only (?:hold|keep|fit|see) (?:so (?:many|much)|a few|the last)(?: \w+){0,3} of"
        r" (?:this|our|the) "
        r"(?:chat|conversation|talk)\b"
        r"|\b(?:in|from) (?:the|this|our) (?:chat|conversation) so far,? and that(?:'s| is) all I (?:can"
        r" see|have|know)\b"
        r"|\bI(?:'ve| have) summari[sz]ed (?:our|the) (?:earlier|previous|old|past|last) "
        r"(?:chats?|conversations?|sessions?|messages)\b",
    ),
)
