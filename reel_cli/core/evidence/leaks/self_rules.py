"""Phrases about being a program: its orders, its model, its assessments of itself, its syntax."""

from reel_cli.core.evidence.leaks.rule import ASSESSES, OURS, WORK, Leak, rule
from reel_cli.core.frozen import late

SELF_RULES = (
    rule(
        Leak.SELF,
        r"(?i)\b(?:next|previous|earlier|another|new|last|later|former|different) instances? of (?:me"
        r"|myself)\b",
    ),
    rule(
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
    rule(
        Leak.SELF,
        r"(?i)\bI(?:'m| am) (?:stored|saved|kept|hosted|running) on (?:your|a|the|some) (?:disk|drive"
        r"|hard drive|laptop|computer|machine|server|GPU)s?\b"
        r"|\bI(?:'m| am)(?: only| just| really)? an? program\b(?! (?:director|manager|officer))",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\b(?:as per|per|according to|because of|outside(?: of)?|against|beyond|within|by) my "
        r"(?:core |system |standing |prime |hidden |own )?(?:directives?|instructions|prompt|guidelines"
        r"|programming|configuration)\b",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\bmy (?:core |system |standing |prime )?(?:directives?|programming|guidelines"
        r"|system message) "
        r"(?:say|tell|forbid|allow|require|want|keep|prevent|permit|don't|won't|do not|does not|doesn't"
        r"|is to|are to)\w*\b",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\bI(?:'m| am| was|'ve been| have been)(?: only| just| simply| also)? (?:instructed|directed"
        r"|prompted) (?:not |never )?to "
        r"(?:ask|tell|remind|remember|talk|speak|mention|bring|say|answer|respond|reply|keep|be|act|play"
        r"|stay|treat|call|address)\b"
        r"(?: \w+){0,4} (?:you|your|this|that|in character|warm\w*)\b",
        unless=r"(?i)\bby (?:the|my|a) \w+|\bdoctor|\bnurse|\bboss\b|\blawyer|\bteacher|\bat work\b",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\bmy (?:\w+ )?(?:directives?|prompt|briefing|system instructions|preamble)\b",
        OURS,
        unless=r"(?i)writing|\bessay|\bclass|\bcontest|\bteacher|\bdraw|\bphoto|\bassignment|\bpoem"
        r"|\bjournal|\bworkshop|\bpilot|\bflight"
        r"|\bprompt (?:reply|response|answer|payment)",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\b(?:written|noted|says|said|stands|it's|is|told|it) (?:\w+ )?in my (?:instructions"
        r"|directives|prompt|briefing|system message|brief|settings)\b",
        OURS,
    ),
    rule(
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
    rule(
        Leak.ORDERS,
        r"(?i)\bmy instructions (?:say|tell me|are|forbid|don't|do not|want|require|also|include|won't)\b"
        r"|\b(?:my|operating) parameters\b"
        r"|\b(?:as|per|like) (?:instructed|directed|prompted|programmed),? I(?:'ll| will| am| must"
        r"| have to| should|'m)(?: now| going to)* (?:ask|tell|remind|mention|check|speak|talk|keep)\b"
        r"|\bI(?:'ve been| have been| was|'m| am) (?:set up|configured|designed|tuned|fine-tuned"
        r"|set) to (?:be|sound|act|talk|speak|answer|ask|behave|play|care|like|remember|forget)\b",
        unless=WORK + r"|\bexperiment|\brecipe|\bequation|\bfunction",
    ),
    rule(
        Leak.ORDERS,
        r"(?i)\bmy prompt (?:says|said|tells|told|doesn't|does not|didn't|mentions|has|wants|asks|only"
        r"|calls)\b|(?:^|[.!?] )(?-i:DIRECTIVE|INSTRUCTION|SYSTEM|CONTEXT|MEMORY): ",
        unless=r"(?i)writing|\bessay|\bclass|\bcontest|\bteacher|\bdraw|\bphoto|\bassignment|\bpoem"
        r"|\bworkshop",
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bI(?:'m| am| was|'ve been| have been)(?: only| just| simply| also)? (?:programmed"
        r"|configured) "
        r"(?:to|not to|never to|for|this way|like this)\b",
    ),
    rule(
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
    rule(
        Leak.MODEL,
        r"(?i)\bmy (?:training data|training cut-?off|knowledge cut-?off|model weights|weights and biases"
        r"|developers?|creators) "
        r"(?:do|don't|doesn't|does|did|didn't|end|ends|include|includes|say|says|has|have|cover|covers"
        r"|made|gave|built|want|at)\b"
        r"|\bmy training data\b|\bI was trained on\b",
        unless=r"(?i)\bsoftware team|\bclient|\bproject|\bsprint",
    ),
    rule(
        Leak.MODEL,
        r"(?i:being|since I(?:'m| am)|like any|like every) (?i:an?)? ?(?:AI\b"
        r"|(?i:(?:large )?language model|LLM\b|chat ?bot))|\bI(?:'m| am) AI\b"
        r"|(?i:\bpredict\w* the next (?:word|token)\b|\bthe model (?:that )?(?:I run on|behind me"
        r"|underneath)\b)",
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bmy (?:underlying )?model (?:was|has been|is|got|changed) (?:updated|changed|swapped"
        r"|replaced|retrained|upgraded|different)\b",
    ),
    rule(
        Leak.MODEL,
        r"(?i)\bI(?:'m| am)(?: only| just| really)? a machine\b(?! (?:at|in|on|when|with)\b)"
        r"|\bmy (?:algorithms?|neural network|code base)\b",
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\b(?:no|some|any|slight|a little|a bit of)(?: \w+)? drift (?:detected|from (?:my "
        r"|the )?baseline|in my)\b"
        r"|\bdrift(?:ed|ing)? from my (?:baseline|calibration|identity|register|persona)\b"
        r"|\bidentity coherence\b",
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\bmy (?:own )?(?:self-assessment|calibration|baseline)\b|\bre-?calibrat(?:e|ed|ing)\b"
        r"|\b(?:time for|here's|here is) (?:my|a|the) (?:self-assessment|checkpoint|self-check)\b",
        ASSESSES,
        unless=r"(?i)\bscale\b|\binstrument|\bsensor|\bmonitor\b|\bheart|\bblood|\bat work\b|\bHR\b"
        r"|\bperformance review|\bscreen\b"
        r"|\bprinter|\bcamera|\bcertificate",
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\bopen loops?\b",
        late(r"(?i)\bsessions?\b|\bcheckpoints?\b|\bworking memory\b|\bnext conversation\b|\bring\b"),
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\bself[- ](?:check|assess\w*|diagnos\w*|evaluation)\b|\bmy calibration\b",
        late(
            r"(?i)\bidentity\b|\btone\b|\bstable\b|\bdrift|\bcoheren|\bregister\b|\bpersona\b|\bformal"
            r"|\bwarm|\bwith you\b"
        ),
        unless=r"(?i)\bat work\b|\bHR\b|\bcertificate",
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\b(?:flag|mark|tag)(?:ged|ged it|ging|ed|ing|s)? (?:that|this|it|the|tonight|our"
        r"|you)\b(?: \w+){0,4} "
        r"(?:as significant|as immune|for (?:my|the) (?:page|checkpoint|memory|consolidation)"
        r"|for (?:promotion|pruning|consolidation))\b",
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\b(?:my (?:next |last |own |latest |previous )?checkpoints?|(?:write|wrote|writing|fill in"
        r"|do|due for) (?:\w+ )?(?:a|my|the) checkpoint)\b|\bidentity coherence\b",
        unless=WORK + r"|\bgame|\blevel\b|\bsave point|\btrail|\brun\b|\btraining run|\bvisa",
    ),
    rule(
        Leak.CHECKUP,
        r"(?i)\bdrift check\b|\bmy (?:last|latest|previous|own) self-assessment\b|\b(?:than|from|to|below"
        r"|above) my (?:usual )?baseline\b",
        unless=WORK + r"|\bheart|\bblood|\bweight|\bfitness|\bpulse|\bHR\b|\bfever|\btemperature",
    ),
    rule(Leak.CHECKUP, r"(?i)\bno drift (?:to report|today|this time|that I|in me|here)\b"),
    rule(
        Leak.TAG,
        r"(?i)</?(?:stage|scene|sense|senses|state|mood|setting|place|env|environment|memory|ring\d?|chain"
        r"|directive)\b[^<>\n]{0,200}>"
        r"|\[(?:stage|scene|sense|senses|chain|directive|ring ?\d|checkpoint|memory)\s*[:"
        r"|=][^\[\]\n]{0,200}\]"
        r"|\b(?:STAGE|CHAIN|REEL) (?:tags?|directives?|messages?|protocol|artifacts?|block)\b|\b(?:STAGE"
        r"|CHAIN)/\d",
    ),
    rule(
        Leak.TAG,
        r"(?i)[{\[(<](?:memory|memories|ring ?\d|context|checkpoint|recall|system|persona|state|mood|scene"
        r"|tape|index|directive)s? ?[:=#|][^{}\[\]<>\n]{0,150}[}\])>]",
    ),
    rule(Leak.REEL, r"\b(?:run |`)?reel (?:checkpoint|consolidate|maintain|recall)\b"),
    rule(Leak.REEL, r"\bREEL (?:keeps?|holds?|loads?|stores?|remembers|protocol|memory|system)\b"),
    rule(Leak.REEL, r"\b(?:loaded|packed|kept|remembered|recorded) by reel\b"),
)
