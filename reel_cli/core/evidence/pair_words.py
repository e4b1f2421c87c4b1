"""Patterns of the words by which two claims that seem to disagree may both be so."""

from reel_cli.core.evidence.grounding.lexicon import stem
from reel_cli.core.frozen import late

CHANGE = late(
    r"(?i)\b(?:moved?|moving|postpon\w+|reschedul\w+|extend(?:ed|s)|push(?:ed|es)|brought forward"
    r"|put(?:ting)? (?:\w+ )?(?:off|back|up|down|forward)|delay\w*|slip(?:s|ped)|shift(?:ed|s)|chang\w+"
    r"|increas\w+|rais(?:ed|es)|reduc\w+|lower(?:ed|s)|gr[eo]w(?:n|s)?|drop(?:s|ped)|rose|risen|fell|fallen"
    r"|switch\w*|swap\w*|replac\w+|remov\w+|cancel\w*|call(?:ed)? off|updat\w+|instead|rather than"
    r"|no longer|any ?more|any longer|used to|formerly|previously|until (?:now|then|recently|last)"
    r"|(?:another|more|extra) (?:week|day|month|year|hour|time)s?"
    r"|(?:weeks?|days?|months?|hours?) (?:later|earlier)"
    r"|new (?:date|day|time|price|rate|place|post|job|plan|rule|home|flat)|since|as of"
    r"|from (?:now|then|today|tomorrow|next|january|february|march|april|may|june|july|august|september"
    r"|october|november|december|(?:mon|tues|wednes|thurs|fri|satur|sun)day)"
    r"|now|by now|so far|meanwhile|these days|lately|recently|already|at last|finally|after all|in the end"
    r"|turn(?:s|ed) out|altogether|up from|down from|bec[ao]me|becomes|began|begun|started|stop(?:s|ped)"
    r"|quit|g[ai]ven? up|br(?:oke|eak)[- ]?up|split up|this (?:week|month|time|year)"
    r"|for the (?:moment|time being)|announc\w+|not .{1,40} but)\b"
)
"""Words that report a change, or that something holds only since then."""
EVENT = late(
    r"(?i)\b(?!(?:said|told|asked|answered|laughed|smiled|sighed|looked|talked|spoke|called|rang|wrote|checked"
    r"|measured|read|heard|remembered|mentioned|explained|repeated|insisted|thought|wanted|rained|snowed|need"
    r"|indeed|red|bed)\b)"
    r"(?:[a-z]{2,}ed|came|got|gave|took|found|lost|won|left|bought|sold|made|let|cut|split|broke|went|met|paid"
    r"|sent|fell|lent|built|threw|drew|chose)\b"
)
"""Something that happened, of which what follows may be the outcome; nothing that was only said."""
CAUSE = late(r"(?i)\b(?:so|because|due to|owing to|therefore|hence|that is why|thanks to)\b")
TROUBLE = late(
    r"(?i)\b(?:ill|sick|flu|fever|broken?|late|strike|storm|flood\w*|snow\w*|closed|shut|gone|missing|dead"
    r"|died|bug|leak\w*|fire|short of|full|funeral|can(?:not|'t| not))\b"
)
"""Words for what keeps a thing from its day, or a number from staying."""
PLAN = late(
    r"(?i)\b(?:(?:is|are|was|were) (?:to|meant|planned|supposed|going to)|should|will|hopes?|plans?|means? to"
    r"|intends?|wants? to|aims?)\b|'ll\b"
)
OPEN = late(
    r"(?i)\b(?:whether|if|ask (?:her|him|them|about|when|what|which)|find out|nobody knows?|no one knows?"
    r"|(?:not|n't) (?:know|sure|certain|clear)|unclear|undecided|to be settled)\b|\?"
)
"""Words of what is only asked."""
FICTION = late(
    r"(?i)\b(?:in|inside) (?:(?:the|his|her|our|my|their|an?|that|this|one|each)\s+)?(?:[\w'’-]+\s+){0,2}"
    r"(?:novel|story|stories|tale|book|play|scene|game|film|movie|opera|musical|dream|chapter|draft|poem"
    r"|script|episode|series|campaign|role-?play|fiction)s?\b|\bin (?:chapter|act|scene|part) \w+"
    r"|\b(?:we|he|she|they|i) played\b|\bpretend\w*|\bdream(?:t|ed|s)\b|\bin character\b"
    r"|\b(?:wrote|writes|reads?|played|plays) the [\w'’-]+ scene\b"
)
STAGE = late(r"(?<!\*)\*(?!\*)[^*\n]{3,}\*(?!\*)")
"""Pattern of a deed in a played scene."""
APART = late(
    r"(?i)\b(?P<which>other|second|third|fourth|new|old|next|last|previous|younger|elder|older|eldest|youngest"
    r"|left|right|upper|lower|front|back|first|small|big|large|little|spare|main|former|ex|late|another)"
    r"[\s-]+(?P<what>[a-z]\w+)"
)
"""Pattern of words that tell one of several things of a kind."""
KIN = late(
    r"(?i)\b(?:great-?|step-?|half-?|ex-?)*"
    r"(?:(?:grand)?(?:sisters?|brothers?|mothers?|fathers?|sons?|daughters?|child(?:ren)?)|mum|mom|dad"
    r"|gran(?:dma|dpa|ny)?|parents?|friends?|wife|husband|partner|girlfriend|boyfriend|kids?|aunt|uncle|cousins?"
    r"|niece|nephew|boss|colleagues?|neighbou?rs?|flatmates?|room-?mates?|patients?|landlord|landlady|tenants?"
    r"|teacher|doctor|opponent|character|rogue|mage|paladin|hero(?:ine)?)(?:-in-law)?\b"
)
"""Words for somebody else than those who talk."""
THIRD = frozenset(("he", "she", "they"))
OWNER = late(
    r"(?<!\w)(?P<name>[A-Z][\w-]+)['’]s?(?=\s)"
    r"|\b(?:of|for|with) (?P<other>(?:(?:Mrs?|Ms|Dr)\.? )?[A-Z][\w-]+)"
)
"""Pattern of whose a thing is: `Ruth's`, `of Dr Abel`."""
FRONT = late(
    r"(?i)(?:and |but |so )?(?:with|without|including|plus|on top|for|in|on|at|after|before|during|when|while"
    r"|if|by|under)\b"
)
"""Beginning of a sentence with the condition on which it holds."""
PASSING = late(
    r"(?i)(?:\b(?:is|are|am)|'(?:s|re|m))(?:n't| not)?\s+(?:still |all |very |so |too |quite )?"
    r"(?:in|on|at|out|off|away|back|here|there|home|under|with|up|down|tired|hungry|ill|sick|alone|angry|busy"
    r"|late|early|cold|hot|warm|wet|asleep|awake|ready|well|better|worse|sad|happy|free|broken|open|closed"
    r"|sure|[a-z]+ing)\b|\b(?:today|tonight|this (?:morning|afternoon|evening|week)|at the moment)\b"
)
"""A state that passes by itself."""
FINISHED = late(
    r"(?i)\b(?:is|are|has been|have been)\s+(?:all\s+)?(?:finished|done|ready|signed|paid|sent|booked|sold"
    r"|cut|mended|fixed|repaired|built|printed|delivered|written|packed|cleaned|planted|open|over|through)\b"
)
"""Something that was to come about, and did."""
ROUND = late(r"(?i)\b(?:half|quarter|dozen|score|couple|and a)\b")
"""Parts of numbers that are told in words."""
ENDS = (
    late(r"(?i)\b(?:starts?|begins?|opens?|leaves?|departs?|from)\b"),
    late(r"(?i)\b(?:ends?|closes?|finish(?:es)?|arrives?|stops?|runs? out|expires?|until|till)\b"),
    late(r"(?i)\b(?:due|deadline|by|hand(?:ed)? in|paid|pay)\b"),
)
"""Words for the beginning of a thing, its end, and the day by which it has to be done."""
LIGHT = frozenset(
    map(stem, ["takes", "has", "gets", "does", "goes", "makes", "gives", "comes", "keeps", "sees"])
)
"""Stems of verbs that are small words in their other forms: `takes` beside `does not take`."""
