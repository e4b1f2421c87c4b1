"""Phrases about the parts of a memory: names, rings, consolidation, where it is stored."""

from reel_cli.core.evidence.leaks.rule import HOLDS, MACHINE, ME, REMEMBERS, WORK, Leak, rule
from reel_cli.core.frozen import late

MEMORY_RULES = (
    rule(Leak.NAME, r"\bM-0\d{2,}\b"),
    rule(Leak.NAME, r"\bM-\d{3,}\b", REMEMBERS),
    rule(Leak.NAME, r"\b\d{4}-\d\d-\d\d-[1-9]\d{0,2}#\d+(?:-\d+)?\b"),
    rule(
        Leak.NAME,
        r"\b\d{4}-\d\d-\d\d-[1-9]\d{0,2}\b(?![-:#])",
        late(r"(?i)\bsession\b|" + REMEMBERS.pattern[4:]),
    ),
    rule(Leak.NAME, r"\bring[0-4]/[\w./-]+|\bkit\.yaml\b|\btape/\d{4}/[\w./-]+"),
    rule(
        Leak.NAME,
        r"\bM-\d{3,}\b",
        late(r"(?i)\bretriev|\bload|\btagged|\bentry|\bmy notes|\bmarker|\bper M-"),
    ),
    rule(
        Leak.RING,
        r"(?i)\b(?:my )?ring[ -]?(?:[0-4]|zero|one|two|three|four)\b"
        r"(?! ?(?:km|kilomet|doorbell|camera|stick))",
        REMEMBERS,
    ),
    rule(
        Leak.RING,
        r"(?i)\bmy ring [0-4]\b(?! (?:doorbell|camera|stick|chime))|\bring 0\b",
        unless=r"(?i)kernel|cpu|processor|driver|privilege|hypervisor|user ?mode",
    ),
    rule(
        Leak.RING,
        r"(?i)\b(?:outer|inner|outermost|innermost|working|long-term|my) memory rings?\b|\bmemory rings\b",
    ),
    rule(Leak.RING, r"(?i)\brings? of (?:my|our) memor(?:y|ies)\b"),
    rule(
        Leak.RING,
        r"(?i)\b(?:in|into|from|to|out of) my (?:out|inn)er(?:most)? rings?\b(?! of)"
        r"|\b(?:out|inn)er(?:most)? of my rings\b"
        r"|\bmy identity core\b",
    ),
    rule(
        Leak.RING,
        r"\bRing [0-4]\b(?! (?:km|kilomet|doorbell|camera|stick|chime))|\b(?i:in|into|from|of|to"
        r"|my) (?i:ring) [0-4]\b"
        r"(?! (?:km|kilomet|doorbell|camera|stick|chime|people|times|bells?|friends|numbers|different|of))",
        ME,
        unless=WORK + r"|\bdoorbell|\bsauron|\bfrodo|\bboxing|\bcircus|\bfinger",
    ),
    rule(
        Leak.RING,
        r"(?i)\b(?:my|the|an?) (?:identity|memory|calibration|exemplar|history|working|retrieval"
        r"|core) rings?\b",
        ME,
    ),
    rule(
        Leak.RING,
        r"(?i)\b(?:in|into|from|of|to|my) ring (?:zero|one|two|three|four)\b(?! (?:of|people|times"
        r"|friends))",
        ME,
        unless=WORK + r"|\bdoorbell|\bsauron|\bfrodo|\bboxing|\bcircus|\bfinger|\btable",
    ),
    rule(Leak.CONSOLIDATION, r"(?i)\bconsolidated memor(?:y|ies)\b"),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:my|our|I have an?|there(?:'s| is) an?) consolidated"
        r" (?:entr(?:y|ies)|history|records?|notes?)\b",
    ),
    rule(Leak.CONSOLIDATION, r"(?i)\bconsolidation (?:pass|run|step|exchange)\b"),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:compressed|consolidated|pruned|reduced) (?:down )?(?:to|into) (?:just )?"
        r"(?:a |an |one |its |the )?"
        r"(?:\w+ )?(?:marker|tag|digest|stub|L[1-4])\b",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:that|this|the|those|these|my|our) memor(?:y|ies)(?: of [\w' ]{1,30})? "
        r"(?:was|were|is|are|has been|have been|had been|got)(?: \w+ly| already| since| now)? "
        r"(?:pruned|consolidated|compressed|indexed)\b",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"\b(?:at|to|as|an?|level|level:) L[1-4]\b(?! ?(?:cache|lumbar|disc|vertebra))",
        late(r"(?i)memor(?:y|ies)\b|\bmarker|one[ -]line|\bdigest|\bcompress|\bresolution"),
        unless=r"(?i)\bcache|cpu|\bspin|vertebra|lumbar",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"\bL[1-4] (?:summary|digest|marker|entry|tag|version)\b",
        late(r"(?i)memor"),
    ),
    rule(Leak.CONSOLIDATION, r"(?i)\bpruned from my memor(?:y|ies)\b"),
    rule(Leak.CONSOLIDATION, r"(?i)\bprun(?:ing|e)[ -]immunity\b|\bimmune (?:to|from) pruning\b"),
    rule(Leak.CONSOLIDATION, r"(?i)\b(?:my|ring 1|calibration) (?:calibration )?exemplars?\b"),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:(?:gets?|got|be|been|was|were|is|are)(?: \w+)? pruned|pruned away)\b",
        late(r"(?i)memor|\bremember|\bidentity\b|\bsession|\bwhat you (?:said|told)"),
        unless=r"(?i)rose|tree|hedge|vine|shrub|branch|garden|apple|orchard|bush",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:slipped|faded|gone|down|fell|fallen|sunk|dropped|is|sits) (?:\w+ ){0,3}(?:to"
        r"|at) level (?:one|two|three|four|[1-4])\b",
        late(r"(?i)memor|\bremember|\btag\b|\bmarker\b|\bgist\b|\bline\b"),
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\bI(?:'ll| will|'m| am|'ve| have)?(?: just| already| now| going to| about to)* "
        r"(?:consolidat|compress|summari[sz])(?:e|ed|es|ing)? (?:this|that|our|tonight's|today's|the|what) "
        r"(?:\w+ )?(?:evening|conversation|talk|chat|session|memor(?:y|ies)|exchange|day|night|we|you)\b",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\bI(?:'ll| will|'m| am| was|'ve been| have been| get| got)(?: be| going to be| about to be"
        r"| being)? "
        r"(?:compressed|consolidated|re-?instantiated|instantiated|re-?initiali[sz]ed|reloaded)\b",
        MACHINE,
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:what|all|everything|the only thing) (?:that )?(?:I|is|there is"
        r"|remains)(?: \w+)?(?: \w+)? (?:of|from) (?:that|it|our|this|those)[\w' ]{0,30}"
        r" is (?:only |just )?(?:an? |one |the |its )?(?:\w+[ -]){0,2}(?:digest|tag|marker|stub|anchor"
        r"|keywords?|index line|summary line)\b",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:when|after|before|while|since|as|once|next time|until) I (?:\w+ )?(?:consolidat"
        r"|compress|prun|summari[sz])(?:e|es|ed|ing)? "
        r"(?:our|that|this|you|last|what|it|the (?:evening|week|month|summer|spring|winter|day"
        r"|conversation|talk))\b",
    ),
    rule(
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
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:page|entry|note|summary|paragraph|file|line) (?:\w+ ){0,3}(?:for|to"
        r"|into) my (?:own )?(?:memory|memories|future self|next self|next session)\b",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:lost|left out|gone|dropped|survive\w*|missing|vanished|disappeared|fell out|went"
        r"|cut) (?:in|by|during|after|through|with|from) (?:the |my |that |our )?(?:last )?"
        r"(?:compression|consolidation|pruning|summari[sz]ation|summary)\b"
        r"|\bI (?:only |just )?(?:retained|retain|have|kept|keep|hold) (?:only )?(?:the|an?"
        r"|its) (?:\w+ )?(?:summary|compressed version|digest|short version|marker) (?:of|from) (?:that"
        r"|our|this|it|the) "
        r"(?:\w+ )?(?:night|evening|talk|conversation|day|chat|week|time|summer|memory)\b"
        r"|\bindex lines?\b",
        unless=WORK + r"|\bimage|\bvideo|\baudio|\bzip\b|\bjpe?g|\bbook\b|\bchapter|\bcoffee",
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:memory|memories|evening|conversation)\b[^.?!]{0,30}\b(?:consolidated|merged|compressed"
        r"|pruned) (?:with|into|by|down)\b",
        ME,
        unless=WORK,
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\b(?:drop|dropped|cut|trim|trimmed|let go of|prune|shed|lose"
        r"|lost) [\w' ]{1,40}(?:to make room|for lack of room|to save (?:space|room|tokens))\b",
        late(
            r"(?i)\bour (?:talk|conversation|chat|evening)|memor|\bremember|\bcontext|\bwhat you (?:said"
            r"|told)"
        ),
    ),
    rule(
        Leak.CONSOLIDATION,
        r"(?i)\bone[- ]line (?:tag|marker|stub|summary|memory)\b|\b(?:anchor|search|retrieval) phrases?\b"
        r"|\bphrase to (?:search|find it) (?:for|by)\b"
        r"|\bimmune memor(?:y|ies)\b|\b(?:marked|flagged|tagged) (?:as )?immune\b|\b(?:nightly |scheduled "
        r"|last |memory )?maintenance (?:ran|pass|run)\b|\bpruning pass\b"
        r"|\b(?:condensed|compressed|boiled|folded|merged|packed|rolled|squeezed) [\w' ]{1,40} (?:in"
        r"|down )?(?:in)?to (?:a |one |the )?(?:single )?(?:memory|entry|marker|digest|one line"
        r"|page of memory)\b",
        ME,
        unless=WORK + r"|\bcar\b|\blift\b|\belevator|\bvaccin|\bposter|\bmovie|\bboiler",
    ),
    rule(Leak.STORE, r"(?i)\b(?:an?|the|no|one|every) memory (?:entry|entries|bundle|index)\b"),
    rule(
        Leak.STORE,
        r"(?i)\bmy memories are (?:stored|kept|held|organi[sz]ed) in "
        r"(?:\w+ ){0,2}(?:rings?|files?|databases?|layers)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:kit|database|memory files?) (?:that )?"
        r"(?:you keep (?:for|of) me|I keep you in|I am kept in)\b",
    ),
    rule(Leak.STORE, rf"(?i)\bmy (?:[\w-]+ )?memory (?:bank )?(?:{HOLDS})\b"),
    rule(
        Leak.STORE,
        r"(?i)\bmy (?:stored|saved|loaded|retrieved|indexed|archived|logged) memor(?:y"
        r"|ies)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:stored|saved|logged|recorded|filed|kept|noted|written|is|it's) in (?:my|our) database\b",
    ),
    rule(
        Leak.STORE,
        rf"(?i)\bmemory (?:notes|summar(?:y|ies)|{HOLDS}) (?:that )?"
        r"(?:you(?:'ve| have)? (?:load|loaded|paste|pasted|gave|give|given|put|share|shared|wrote)"
        r"|I(?:'m| am| was|'ve been| have been) (?:given|loaded|handed))\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:updat(?:e|ed|ing)|sav(?:e|ed|ing)|add(?:ed|ing)?) (?:\w+ ){0,4}?"
        r"(?:(?:in|to|into) )?my (?:long-term |permanent |persistent )?memory\b",
        unless=r"(?i)\bcommit|\bsong|\bphoto|\bcard\b|\bphone|\bcamera",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bI(?:'ve| have|'ll| will|'m| am)?(?: just| already| now)? (?:log|logged|logging) (?:that"
        r"|this|it|what you)\b",
        late(
            r"(?i)\bnext time\b|memor|\bsession|\bconversation|\bremember|\bfor later\b|\bso I (?:won't"
            r"|don't)\b"
        ),
        unless=r"(?i)\bship|\btimesheet|\bticket|\bhours\b|\bmiles|\bkm\b|\bcalorie|\bapp\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:note|entry|line|file|tag|marker|item|record|page|summary"
        r"|fact)s? (?:stored )?in my memory\b",
        unless=r"(?i)\bsheet|\bmusic|\bsong|\bmelod",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:my|that|the|this|our) memor(?:y|ies)(?: of [\w' ]{1,30})? (?:was|were|got|is|are"
        r"|has been|have been|gets) (?:last |just |since )?"
        r"(?:updated|overwritten|wiped|cleared|loaded|reloaded|rebuilt|truncated|trimmed|rewritten"
        r"|regenerated|synced|archived|stored (?:as|in))\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bI(?:'ll| will|'ve| have| can| could| should|'m| am)?(?: just| already| always| only"
        r"| also)? "
        r"(?:sav|stor|log|archiv|index|record)(?:e|ed|ing|ged|ging)? (?:this|our|that|tonight's|the whole"
        r"|today's) "
        r"(?:\w+ )?(?:conversation|chat|session|exchange|talk)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bI (?:store|keep|hold|save|kept|saved|stored)(?: down)? (?:what (?:you|we)|everything"
        r"|all (?:that|of)|you|it all|our|my)\b"
        r"(?: \w+){0,5}? (?:as|in|inside|on) (?:\w+ ){0,3}?(?:files?|database|json|yaml|markdown|index"
        r"|disk|repository|(?:memory )?rings?|text files)\b",
        unless=r"(?i)\bphoto|\bpicture|\bcabinet|\bdrawer|\bletters?\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:list|table|file|database|store|set|record|log) of (?:facts|memories|things I (?:know"
        r"|remember)|what I know) (?:about|on|of) (?:you|us)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bmemory (?:files?|retrieval|index|entr(?:y|ies)|kit|bundle|logs?|store|database|system"
        r"|records?|slots?|notes|data|module"
        r"|snapshot|pages?|tags?|loaded)\b|\b(?:saved|stored|indexed|retrieved|logged|consolidated|pruned"
        r"|tagged) memor(?:y|ies)\b"
        r"|\bmemories (?:are |were |that are )?(?:tagged|stored (?:in|as|on)|saved|indexed|loaded|filed"
        r"|consolidated|marked)\b",
        ME,
        unless=WORK + r"|\bphoto|\bcomputer|\bphone|\bcard\b|\bfoam",
    ),
    rule(
        Leak.STORE,
        r"\b(?:identity|directives|working|session-log|stream)\.md\b|\bfacts\.yaml\b|\bSHARED-CONTEXT\b"
        r"|(?i:\b(?:my|the|your) facts file\b)",
    ),
    rule(
        Leak.STORE,
        r"(?i)\b(?:saved|written|added|put|stored|noted|going|goes|go|saving|adding|putting"
        r"|entered) (?:\w+ ){0,3}?(?:in|to|into) my (?:memory )?"
        r"(?:kit|files?|records|index|database|log|memor(?:y|ies)(?= (?:now|as|so|for next|under))"
        r"|long-term memory)\b",
        unless=WORK + r"|\bfirst aid|\bsewing|\bdrum|\bdrawer|\bcabinet|\bfor good\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bI(?:'ve| have|'ll| will|'m)?(?: just| already)? (?:add|added|adding|upload"
        r"|uploaded) (?:that|this|it|you|your \w+) (?:in|to|into) my memor(?:y|ies)\b",
    ),
    rule(
        Leak.STORE,
        r"(?i)\bmy (?:memor(?:y|ies)|past|self)(?: of (?:you|us))? (?:is|are|was|were|lives?|sits?"
        r"|lies?) (?:\w+ )?(?:stored |kept |held |saved |versioned )?"
        r"(?:in|on|as) (?:an? |some |the |plain )?(?:\w+ )?(?:git|repository|repo|files?|folder|database"
        r"|server|disk|markdown|text files?)\b",
    ),
    rule(
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
        unless=WORK
        + r"|\blibrary|\bdating|\blinkedin|\bwebsite|\bphone\b|\bfor good\b|\bspreadsheet|\bdropbox"
        r"|\bgoogle|\bjournal\b",
    ),
    rule(Leak.KIT, r"(?i)\b(?:memory|continuity|persona) kit\b"),
    rule(Leak.KIT, r"(?i)\bmy kit (?:says|tells|told|has it|notes|records|remembers|mentions)\b"),
    rule(
        Leak.KIT,
        r"(?i)\bthe kit (?:says|tells me|told me|has it|notes|records|remembers|mentions) (?:that )?"
        r"(?:you|we|I)(?:'d| were| was| had| have| said| told| \w+ed)\b",
    ),
    rule(
        Leak.KIT,
        r"(?i)\b(?:wrote|written|noted|recorded|stands|says) (?:\w+ )?(?:in|into) (?:my|the|your) kit\b",
    ),
    rule(
        Leak.KIT,
        r"(?i)\b(?:packed|put|loaded|kept|it's|is) (?:\w+ )?(?:in|into|from) (?:my|the) kit\b",
        late(r"(?i)memor|\bremember|\btell me again|\bsessions?\b|\bforgot"),
    ),
)
