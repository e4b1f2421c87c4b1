"""Past or to come: the time that a sentence tells of, and whether a weekday is one of many."""

from reel_cli.core.evidence.claims import FIXED
from reel_cli.core.evidence.grounding.dates import A_WEEKDAY, When
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.frozen import late

_BOUND = late(r"[.!?;]\s+|\n")
_LEADS_ON = late(r"(?i)\b(?:next|coming|upcoming)\s+(?:\w+,?\s+){0,2}$")
_LEADS_BACK = late(r"(?i)\b(?:last|past|previous)\s+(?:\w+,?\s+){0,2}$")
IS_ON = late(r"(?i)(?:\b(?:is|are|am)|'[sm]|'re)\s+(?:(?:on|for|from|the|until|till)\s+)*$")
COMING = late(
    r"(?i)\b(?:will|won't|shall|due|deadline|gonna|going to|until|till|by|expect\w*|plan(?:s|ned|ning)?"
    r"|schedul\w*|hop(?:e|es|ing)|soon|upcoming|remind|must|should|supposed|wants? to|needs? to|ha(?:ve|s) to"
    r"|let's|expires?|begins?|starts?|opens?|closes?|ends?|leaves|arrives?|departs?)\b|'ll\b"
)
_DONE_BY_NOW = late(
    r"(?i)(?:\b(?:is|are|am|be|being|gets?|getting|have|has)|'s|'re|'ve)\s+(?:\w+ly\s+|already\s+)?"
    r"\w+ed\b(?:,?\s+(?:and|or)\s+\w+ed\b)?"
)
"""Pattern of things done by now, which put no day in the past: `I've booked it for 3 June`."""
_SET_FOR = late(r"(?i)\b(?:for|to|until|till)\s+(?:the\s+)?(?:\w+day,?\s+)?$")
PAST = late(
    r"(?i)\b(?:was|wasn't|were|weren't|did|didn't|had|hadn't|since|ago|been|born|died|went|came|got|met|saw|took"
    r"|left|gave|made|said|told|found|lost|bought|sold|fell|broke|began|wrote|sent|paid|spent|won|became|flew"
    r"|rang|sang|swam|drank|wore|stood|hid|threw|stole|shook|froze|forgot|fed|led|rode|dug|hung|swept|wept"
    r"|understood|drew|caught|fought|drove|ran|grew|knew|thought|brought|kept|held|heard|felt|spoke|chose|ate|slept|woke|built|taught|quit"
    r"|(?!(?:need|plan+|schedul|expect|suppos|hundr|inde|spe|fe|se|we|ne|ble|bre|gre|proce|succe|exce"
    r"|sacr|hatr|nak|wick|alfr|fr|be|re|sh|shr)ed\b)[a-z]{2,}ed)\b"
)
_FEELS = late(
    r"(?i)(?:\b(?:is|are|am|be|being|gets?|getting|feels?|feeling|looks?|seems?)|'s|'re|'m)\s+"
    r"(?:(?:\w+ly|so|too|very|still|all|a (?:bit|little)|not|just|quite|rather)\s+)*"
    r"(?:tired|bored|worried|scared|frightened|terrified|excited|thrilled|relieved|pleased|delighted|exhausted"
    r"|interested|confused|annoyed|stressed|embarrassed|disappointed|overwhelmed|frustrated|depressed"
    r"|concerned|surprised|amazed|puzzled|flattered|touched)\b"
)
"""Pattern of how somebody feels now, which is nothing done: `I am tired`."""


def side_of_day(text: str, start: int, end: int) -> int:
    """Return -1 for past, 1 for future, 0 if the sentence does not say."""
    first, last = sentence_around(text, start, end)
    return _side(text[first:start], text[end:last])


def side_of_clause(text: str, start: int, end: int) -> int:
    """Return the same of the clause that leads to a day: `it hurt, and he'll try again on Saturday`."""
    first, _ = sentence_around(text, start, end)
    begins = max((found.end() for found in _CLAUSE.finditer(text, first, start)), default=first)
    return _side(text[begins:start], "")


_CLAUSE = late(r"(?i)[,:]\s+|\b(?:and|but|so)\s+")


def _side(before: str, behind: str) -> int:
    if _LEADS_ON.search(before):
        return 1
    if _LEADS_BACK.search(before):
        return -1
    sentence = f"{before}…{behind}"
    coming = bool(COMING.search(sentence) or IS_ON.search(before))
    past = bool(not _SET_FOR.search(before) and PAST.search(_DONE_BY_NOW.sub("", _FEELS.sub("", sentence))))
    return coming - past


def sentence_around(text: str, start: int, end: int) -> tuple[int, int]:
    """Return where the sentence begins and ends in which a day stands."""
    first = max((found.end() for found in _BOUND.finditer(text, 0, start)), default=0)
    bound = _BOUND.search(text, end)
    return first, bound.start() if bound else len(text)


def is_of_many(one: When, text: str) -> bool:
    """Return whether a weekday is one of many (`on Tuesdays`, `a Saturday`, of a timetable), or a name.

    So is one in a list of weekdays (`Tuesday, Wednesday and Friday mornings`), of somebody's work, one that
    says of which kind a thing is (`a Saturday job`), and the new one of a habit (`sauna is Friday now`).
    """
    plural = text[one.start : one.end].casefold().endswith("days")
    before = text[: one.start]
    again = _AGAIN_AND_AGAIN.search(before) or _OF_MANY.match(text, one.end)
    again = again or _LISTED_BEFORE.search(before) or _LISTED_BEHIND.match(text, one.end)
    again = again or _REGULARLY.search(_clause_around(text, one.start, one.end))
    again = again or (_IS_KIND.match(text, one.end) if not _WHICH.match(text, one.start) else None)
    habit = again is not None or _is_new_habit(one, text)
    marked = before[-1:] in ('"', "“") and text[one.end : one.end + 1] in ('"', "”")
    return plural or marked or bool(habit or _CALLED.search(before) or _IS_NAME.match(text, one.end))


def _is_new_habit(one: When, text: str) -> bool:
    """Return whether something is done on a weekday from now on; an appointment is of one day."""
    first, last = sentence_around(text, one.start, one.end)
    subject = _IS_BEFORE.search(text[first : one.start])
    if subject is None or not _NOW.match(text, one.end) or _HAS_NUMBER.match(text, one.end):
        return False
    return not telling(text[first:last]) & FIXED


_IS_BEFORE = late(r"(?i)(?<!\bit )(?<!\bthat )(?<!\btoday )\b(?:is|are)\s+(?:on\s+)?$")
_NOW = late(r"(?i)\s+now\b")
_WHICH = late(r"(?i)(?:last|next|this|past|coming|that)\s")
_IS_KIND = late(
    r"(?i) (?:jobs?|shifts?|work|roasts?|markets?|rota|rounds?|school|girl|boy|lad|kid|papers?|best|routine"
    r"|habit|ritual|regulars?|staff|slot|lie-in|cleaning|pay|wages?|baking|bread|cakes?|pint|pub|sauna|choir|bank)\b"
)
"""Pattern of what stands behind a weekday that says of which kind it is: `Saturday job`, `Sunday roast`."""


def _clause_around(text: str, start: int, end: int) -> str:
    """Return the sentence around a day that has no date of its own."""
    first, last = sentence_around(text, start, end)
    return "" if _HAS_NUMBER.match(text, end) else text[first:last]


_CALLED = late(
    r"(?i)\b(?:called|named|nicknamed|dubbed|titled|christened|known as|(?:the|its|his|her|their|our) name is"
    r"|calls? (?:it|him|her|them|us|this|that|[a-z]+self))\s+(?:the\s+)?[\"'“‘]?$"
)
_IS_NAME = late(r"(?i) (?:table|club|group|lot|circle|choir|team|league|gang|crew)\b")
"""Patterns of what stands before and behind a weekday that is a name: `still called Thursday`."""
NOT_ON = late(r"(?i)\b(?:not|never|(?<!\bor )no|nothing)\b[^.,;:]*$|n['’]t\b[^.,;:]*$")
"""Pattern of what stands before a day on which a thing is not to be: `not wanted in April`."""


def tells_past(sentence: str) -> bool:
    """Return whether a sentence tells of something that was done or has happened, and of nothing to come."""
    told = _FEELS.sub("", sentence)
    past = PAST.search(told) or _DONE_BY_NOW.search(told)
    return past is not None and not COMING.search(sentence)


DAY_NAME = rf"{A_WEEKDAY}s?"
_AGAIN_AND_AGAIN = late(
    rf"(?i)(?:\b(?:every|each|any|an?|one|odd|occasional|some|most|alternate|other|good|black|easter|ash|palm"
    rf"|first|second|third|fourth|fifth|1st|2nd|3rd|[45]th|{DAY_NAME}\s*(?:-|–|to|through)"
    rf"|mornings|afternoons|evenings|nights)\s+(?:on\s+)?"
    r"|\ban?\s+(?:(?:wet|dry|free|quiet|busy|long|slow|bad|hard|rainy|sunny|cold|hot|grey|lazy|dull|whole|plain"
    r"|ordinary|normal|nice|lovely|rough|empty|full),?\s+){1,3})$"
)
_OF_MANY = late(
    rf"(?i)(?:\s*(?:-|–|to|through)\s*{DAY_NAME}\b|['’]s\b"
    r"|\s+(?:early\s+|late\s+)?(?:morning|lunchtime|afternoon|evening|night|shift|session|game|call|dinner|walk|lesson|lunche)s\b"
    r"|\s+(?:in|out\s+of)\s+(?:every\s+)?(?:two|three|four|five|six|ten|[2-9])\b(?!\s*(?:\w+\s+)?"
    r"(?:minutes?|hours?|days?|weeks?|months?|years?))"
    r"|\s+(?:of\s+)?(?:each|every|a|the)\s+(?:week|fortnight|month|quarter|year)\b"
    r"|(?:\s+at\s+\d[\d:.]*(?:\s*[ap]\.?m\.?)?)?:(?!\d))"
)
"""Pattern behind a day of several, or one of a timetable: `Saturday at 4:00 PM: one wine`."""
_JOINED = r"\s*(?:,\s*(?:and|or)?|&|\+|/|\band\b|\bor\b)?\s*"
_PART_OF_DAY = r"(?:\s+(?:morning|lunchtime|afternoon|evening|night)s?)?"
_LISTED_BEFORE = late(rf"(?i)\b{DAY_NAME}{_PART_OF_DAY}{_JOINED}$")
_LISTED_BEHIND = late(rf"(?i){_PART_OF_DAY}{_JOINED}\b{DAY_NAME}\b(?!,?\s+(?:the\s+)?\d)")
_HAS_NUMBER = late(r"(?i),?\s+(?:the\s+)?\d{1,2}(?:st|nd|rd|th)?\b(?!\s*(?:am|pm|o['’]clock)\b|[:.]\d)")
_REGULARLY = late(
    r"(?i)\b(?:works (?:in|at|as|for|on)|(?:I|we|they) work (?:in|at|as|for|on)|rota|timetable|usually|always"
    r"|regularly|normally|every week|weekly|fortnightly|teaches|volunteers)\b"
)
"""Patterns of another weekday beside one, and of what is done regularly, on a weekday without its date."""
GOES = late(
    r"(?i)\b(?:go(?:es|ing)?|com(?:es?|ing)|rings?|ringing|fl(?:y|ies|ying)|mov(?:es?|ing)|viewing)\b"
)
"""Pattern of what puts a weekday ahead, in a sentence of the present."""


def goes_on_day(text: str, when: When) -> int:
    """Return 1 where a weekday's sentence tells of the present, and of what is to be on that day; else 0."""
    first, last = sentence_around(text, when.start, when.end)
    sentence = text[first:last]
    return int(GOES.search(sentence) is not None and PAST.search(sentence) is None)
