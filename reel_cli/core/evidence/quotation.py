"""The stretches of a person's turn that are quoted or pasted, told apart from the person's own words.

Deterministic and by form alone. In doubt a stretch counts as quoted: it is no evidence for what is known by
heart. Nothing else goes by it: the tape, recall and bundles have every turn whole.
"""

import re
from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from reel_cli.core.frozen import late

LONG = 4_000
"""Characters from which a turn counts as pasted text, except for what precedes and follows it."""
EDGE = 600
"""Characters of a long turn's first and last paragraphs that may be the person's own."""
TITLE_WORDS = 8
"""Maximum words of a title; a longer stretch in quotation marks is a sentence."""
MENTION_WORDS = 5
"""Maximum words of a term that the speaker only mentions, if it contains nothing of a sentence."""

_LITTLE = frozenset(
    ["of", "the", "and", "a", "an", "in", "on", "to", "for", "with", "from", "at", "by", "or"]
)
"""Words that a title writes small."""
_PAIRS = {"“": "”", "«": "»", "„": "“”", "‹": "›", "「": "」", "『": "』", "《": "》", "‚": "‘’", "»": "«"}
SPOKEN = (
    r"sa(?:id|ys?|ying)|wr(?:ote|ites?|itten)|told|tells|text(?:ed|s)|repl(?:ied|ies)|answer(?:ed|s)"
    r"|asked(?! for)|asks(?! for)"
    r"|reads?|goes|went like|quot(?:e|ed|ing)|posted|tweeted|e-?mailed|messaged"
    r"|shouted|whispered|claim(?:s|ed)|sagte?(?:n|st)?|schrieb(?:en|st)?|meinte(?:st)?|antwortete|fragte"
    r"|a dit|ont dit|disait|dit"
    r"|a écrit|écrit|a répondu|dijo|dice|escribió|respondió|preguntó|ha detto|disse|ha scritto|scrisse"
    r"|escreveu|zei|schreef|sade|skrev"
    r"|sagde|сказала?|написала?|ответила?|powiedzia[łl]a?|napisa[łl]a?|说|說|写道|寫道|言った|書いた"
)
_PAPERS = (
    r"messages?|e-?mails?|letters?|texts?|prompts?|transcripts?|articles?|logs?|conversations?|chats?"
    r"|repl(?:y|ies)|answers?|responses?|pages?|cards?|bundles?|instructions?|documents?|excerpts?"
    r"|passages?"
    r"|paragraphs?"
    r"|quotes?|output|poem|lyrics|posts?|reviews?|bio|code|error"
)
_SPEECH = late(rf"(?<!\w)(?:{SPOKEN})(?!\w)", re.IGNORECASE)
_OWN = late(r"\b(?:i|i'm|i've|i’m|i’ve|my|we|our|me)\b", re.IGNORECASE)
_HANDS_OVER = (
    r"here(?:'s| is| are|’s)|this (?:is|was)|these (?:are|were)|below (?:is|are)|see|read|proofread"
    r"|summari[sz]e|translate|re-?write|edit|fix|improve|explain|analy[sz]e|past(?:ed|ing)|copied"
    r"|following|based on"
)
_ENDS = r"\s*[:：][*_]*(?=\s|$|[\"“«„])"
_SAID = late(rf"(?<!\w)(?:{SPOKEN})(?!\w)[^.!?\n:：]{{0,40}}{_ENDS}", re.IGNORECASE)
_TOLD_WHOLE = late(r"^\S+(?:\s+[\w'’-]+){3,}\s*[:：]")
"""Pattern of a verb of saying with whom and how behind it: `replied to the letter:`."""
_FINITE = (
    r"I|you|he|she|we|they|it|this|that|there|is|are|was|were|am|be|been|must|will|shall|should|would|could|can|may"
    r"|might|do|does|did|has|have|had|let|please|my|your|our|\w+n['’]t|\w+['’](?:m|re|ve|ll|d)"
)
_ADDS = late(rf"\s*(?=[^\s\"“«„])(?:(?!\b(?:{_FINITE})\b)[^.!?:;\n])*[.;]", re.IGNORECASE)
"""Pattern of words without subject or verb after a colon: they add to what was told, and nobody said them."""
_PAPER = late(
    rf"(?:\b(?:{_HANDS_OVER})\b[^.!?\n:：]{{0,60}}\b(?:{_PAPERS})\b[^.!?\n:：]{{0,40}}"
    rf"|\b(?:system prompt|prompt|transcript|original message|forwarded message))" + _ENDS,
    re.IGNORECASE,
)
_VAGUE = late(
    rf"\b(?:{_HANDS_OVER})\b[^.!?\n:：]{{0,60}}\b(?:what|it|this|below|following|story|description)\b"
    r"[^.!?\n:：]{0,40}" + _ENDS,
    re.IGNORECASE,
)
_OWN_SPEECH = late(
    r"\bi(?:['’](?:ve|d|ll|m))?(?: (?:just|only|already|always|also|once|never|not|even|still|\w+ly"
    r"|have|had|to|must|should|need|want|wanted|got|will|would|can|could|may|might|do|did|(?:do|did|ca|could|wo)n['’]t|going))*"
    r" (?:say|said|told|mean|meant|repeat|asked|wrote|written|texted|replied|answered|messaged)\b"
    r"|\bi(?:['’]m| am| was)(?: \w+)? saying\b"
    r"|\bich(?: (?:dir|euch|ihm|ihr|ihnen|ja|schon|bereits|eben|vorhin|auch|nur|immer))*"
    r" (?:sagte|schrieb|meinte|antwortete|fragte)\b"
    r"|\b(?:j['’]|je (?:(?:te|vous|lui|leur) )?(?:l['’])?)(?:ai|avais) (?:\w+ )?(?:dit|écrit|répondu)\b"
    r"|\b(?:eu|ik|jag|jeg|я)(?: \w+)? (?:disse|zei|schreef|sade|skrev|sagde|сказала?|написала?|ответила?)\b"
    r"|\bmy (?:own )?(?:answers?|repl(?:y|ies)|responses?|notes?|bio|story|description|reviews?)\s*[:：]",
    re.IGNORECASE,
)
"""Pattern that shows that the speaker's own words follow."""
_ANSWERS = late(
    r"\byou(?:['’](?:ve|d)| have| had)?(?: (?:just|once|also|both|all|even|\w+ly))* asked\b"
    r"|\b(?:since|because|as|if|in case|should|now|now that)(?: [\w'’]+){1,2} (?:asked|asks)\b"
    r"|\b(?:anyone|anybody|everyone|everybody|those|whoever)(?: who| that| ever)? (?:asked|asks)\b"
    r"|\b(?:asked|asks)(?: (?:me|us|you|him|her|them))?"
    r" (?:about|after|whether|if|what|how|why|which|where|when|who)\b"
    r"|\bfragte(?: \w+)?,? (?:nach|ob|was|wie|wo|wann|warum|wer|welche\w*)\b"
    r"|\busted(?:es)?(?: \w+)? preguntó\b|\bpreguntó (?:por|si|qué|cómo|cuándo|dónde|quién)\b"
    r"|\b(?:here|same|that) goes\b|\bgoes without saying\b",
    re.IGNORECASE,
)
"""Pattern of what somebody asked to know, or of a turn of speech; the speaker's own answer follows."""
_QUOTES_SELF = late(
    r"(?:^|[.!?;,]|\b(?:and|but|as|like|so))\s*i(?: just| only| already| always)?"
    r" (?:said|told you|wrote|put|texted|typed|sent|replied|answered|messaged|repeat)\s*[:,]?\s*$",
    re.IGNORECASE,
)
"""Pattern of words before a quotation by which somebody quotes what they said themselves."""
_NAMING = late(
    r"(?:\b(?:called|named|nickname[ds]?|titled?|entitled|known as|names? (?:is|was)"
    r"|calls? (?:me|him|her|it|us|them)|the (?:words?|phrase|term|name|song|book|film|movie|show|game)"
    r"|the (?:poem|novel|album|series|painting)|hei(?:ß|ss)t|nennt|namens|s'appelle|nommée?|se llama"
    r"|llamad[oa]"
    r"|si chiama|chama-se|heet)|['’]s name is)\s*[,:]?\s*$",
    re.IGNORECASE,
)
SENTENCE = late(
    r"\b(?:i|you|he|she|we|they|it|is|are|was|were|am|be|must|will|shall|can|do|has|have|had|my|your|not"
    r"|never"
    r"|always|don't|obeys?|i'm|you're|du|ich|bist|ist|sind|bin|mag|hab|habe|hat|war|wird|kann|tu|es|je|suis|est|eres|soy|ты|вы|я)\b",
    re.IGNORECASE,
)
_UNSAID = late(r"\b(?:never|not|nor|don['’]t|doesn['’]t|won['’]t)(?: \w+)?(?: to)? *$", re.IGNORECASE)
_POINTS = late(
    r"\b(?:an?|the|my|your|our|his|her|their|this|that|these|those|no|any|some|of|as|for|in)\s*$",
    re.IGNORECASE,
)
_ROLES = (
    "user|assistant|system|human|ai|bot|chatbot|gpt|chatgpt|claude|gemini|llama|model|prompt|response|answer"
    "|question|q|a|you|me|narrator|{{user}}|{{char}}"
)
_STAMP = (
    r"\[?\(?(?:\d{4}-\d{2}-\d{2}|\d{1,2}[./]\d{1,2}[./]\d{2,4})?[ ,T]*\d{1,2}:\d{2}(?::\d{2})?"
    r"(?: ?[ap]\.?m\.?)?\]?\)?"
)
_STAMPED = late(rf"\s*{_STAMP}\s*[-–—:]?\s*\S[^:\n]{{0,40}}[:：]\s*\S", re.IGNORECASE)
_LABEL = late(
    r"[ \t]*([*_#>-]{0,4}[ \t]*)([^\W\d][\w .'’{}-]{0,30}?)[*_]{0,2}[ \t]*[:：][*_]{0,2}(?:[ \t]+(\S.*)|$)"
)
_ADDRESSES = late(
    r"\b(?:you|your|i|du|dir|deine?[rnm]?|ihre?[rnm]?|ich|tu|te|ta|vous|votre|je|tus?|usted|yo)\b"
)
"""Pattern of words to or of oneself or the other, which stand in no speaker's name."""
_MAIL = late(
    r"(?:from|to|cc|sent|date|subject|von|an|gesendet|betreff|de|à|objet|asunto)[ \t]*:[ \t]*\S",
    re.IGNORECASE,
)
_CUT = late(
    r"\s*-{2,}\s*(?:original message|forwarded message|begin\b.*|ursprüngliche nachricht)\s*-*\s*$"
    r"|\s*on .{6,80} wrote:\s*$",
    re.IGNORECASE,
)
_MACHINE = late(
    r"\s*(?:<\|?[/\w][^<>\n]{0,60}\|?>|\[/?INST\]|<<SYS>>|#{1,6}[ \t]+\S|={3,}|[{\[]\s*[\"{\[]|[{\[]\s*$"
    r"|</?\w+)"
)
"""A heading, a tag, a rule or a data structure: nobody types that as their own words."""
_FENCE = late(r"[ \t]*(`{3,}|~{3,})")
_OPENS_SINGLE = late(r"(?<![\w'’])['‘](?!(?:cause|em|til|tis|twas|bout|n|s)\b)(?=\w)", re.IGNORECASE)


class Span(NamedTuple):
    """A stretch of a turn, in characters, that is not its speaker's own."""

    start: int
    end: int


def find_quoted(
    text: str, names: Sequence[str] = (), retold: Callable[[str], bool] | None = None
) -> Sequence[Span]:
    """Return the quoted and pasted stretches of a turn, in order, none touching another.

    `names` are those of the persona and the person: a line that begins with one and a colon was copied.
    `retold` says of words in quotation marks, or after a verb of saying, whether the speaker only tells them.
    """
    found = [*_by_lines(text, names, retold), *_by_marks(text, names, retold)]
    if len(text) > LONG:
        found.append(_middle(text))
    joined: list[Span] = []
    for span in sorted(one for one in found if one.end > one.start):
        if joined and span.start <= joined[-1].end:
            joined[-1] = Span(joined[-1].start, max(joined[-1].end, span.end))
        else:
            joined.append(span)
    return joined


def own_stretches(
    text: str, names: Sequence[str] = (), retold: Callable[[str], bool] | None = None
) -> Sequence[str]:
    """Return the stretches of a turn that are its speaker's own; the whole turn where all of it is."""
    quoted = find_quoted(text, names, retold)
    if not quoted:
        return (text,)
    edges = [0, *(edge for span in quoted for edge in span), len(text)]
    parts = (text[start:end] for start, end in zip(edges[::2], edges[1::2], strict=True))
    return tuple(part for part in parts if any(map(str.isalnum, part)))


# -- by lines ---------------------------------------------------------------------------------------


class _Line(NamedTuple):
    start: int
    end: int
    text: str


def _lines(text: str) -> list[_Line]:
    found, start = [], 0
    for line in text.splitlines(keepends=True):
        found.append(_Line(start, start + len(line), line.rstrip("\r\n")))
        start += len(line)
    return found


def _by_lines(text: str, names: Sequence[str], retold: Callable[[str], bool] | None) -> Iterator[Span]:
    lines = _lines(text)
    speakers = _speakers(lines, names)
    fence, opened = "", 0
    for place, line in enumerate(lines):
        mark = _FENCE.match(line.text)
        if fence:
            if mark and mark[1].startswith(fence):
                yield Span(opened, line.end)
                fence = ""
        elif mark:
            fence, opened = mark[1], line.start
        elif _begins_a_paste(lines, place):
            yield Span(line.start, len(text))
            return
        elif line.text.lstrip().startswith((">", "|")):
            yield Span(line.start, line.end)
        elif place in speakers or _STAMPED.match(line.text):
            yield Span(line.start, _paragraph_end(lines, place))
        elif (after := _handed_over(line.text)) is not None:
            rest = line.text[after:].strip()
            if not rest and place + 1 < len(lines):
                yield Span(line.start + after, len(text))
                return
            if rest and not rest.startswith(tuple('"“«„')) and not (retold is not None and retold(rest)):
                yield Span(line.start + after, _paragraph_end(lines, place))
    if fence:
        yield Span(opened, len(text))


def _begins_a_paste(lines: Sequence[_Line], place: int) -> bool:
    """Return whether a document starts at this line: a letter with its header, a page, a data structure."""
    line = lines[place].text
    letter = _MAIL.match(line) and place + 1 < len(lines) and _MAIL.match(lines[place + 1].text)
    return bool(letter or _CUT.match(line) or _MACHINE.match(line))


def _handed_over(line: str) -> int | None:
    """Return the offset at which quoted words begin after an announcing colon; None if there are none."""
    for pattern in (_SAID, _PAPER, _VAGUE):
        for found in pattern.finditer(line):
            own = _announces_own(line[: found.end()], answers=pattern is _SAID)
            if not own and pattern is _SAID:
                *_, last = _SPEECH.finditer(found[0])
                whole = _TOLD_WHOLE.search(found[0][last.start() :])
                own = whole is not None and _ADDS.match(line, found.end()) is not None
            own = own or _retells(line[: found.end()], line[found.end() :])
            if not own and not (pattern is _VAGUE and _OWN.search(found[0])):
                return found.end()
    return None


def _retells(lead: str, rest: str) -> bool:
    """Return whether words behind a colon tell of the one who said them: `he told me: he'd given notice`.

    Somebody's own words would have an I there; these are the speaker's.
    """
    who = _SAYER.search(lead)
    about = _SAYER_AGAIN.match(rest)
    if who is None or about is None:
        return False
    return not who["who"] or who["who"].casefold() == about["who"].casefold()


_SAYER = late(
    rf"(?:\b(?P<who>(?i:he|she|they))\b(?: \w+)? (?:{SPOKEN})(?!\w)|\b[A-Z][\w-]+ (?:has )?told (?:me|us)\b)"
    r"[^.!?:：]*[:：][*_]*\s*$"
)
_SAYER_AGAIN = late(r"(?i)\s*(?:that )?(?P<who>he|she|they)\b(?!['’]?[^.!?]{0,60}[\"“”])")


def _announces_own(line: str, *, answers: bool) -> bool:
    """Return whether the last verb of saying before a colon makes the words behind it the speaker's own.

    So it is for what they say themselves and, for `answers`, for what somebody asked of them.
    """
    lead = re.split(r"[.!?:：]\s", line.rstrip(" \t*_:：") + ":")[-1]
    last = max((verb.start() for verb in _SPEECH.finditer(lead)), default=-1)
    patterns = (_OWN_SPEECH, _ANSWERS) if answers else (_OWN_SPEECH,)
    return any(found.end() > last for pattern in patterns for found in pattern.finditer(lead))


def _paragraph_end(lines: Sequence[_Line], place: int) -> int:
    return next((one.start for one in lines[place:] if not one.text.strip()), lines[-1].end)


def _speakers(lines: Sequence[_Line], names: Sequence[str]) -> frozenset[int]:
    """Return the lines that begin a speaker's turn in something that was copied."""
    known = {name.casefold() for name in names if name.strip()} | set(_ROLES.split("|"))
    labelled = [
        (place, found[2].strip().casefold(), (found[3] or "").rstrip(" \"'”»*_"), found[1].strip())
        for place, line in enumerate(lines)
        if (found := _LABEL.match(line.text))
    ]
    # a speaker's name addresses nobody: `to your first question: …`
    labelled = [one for one in labelled if one[1] in known or not _ADDRESSES.search(one[1])]
    told = [label for _, label, _, _ in labelled]
    sure = {place for place, label, _, _ in labelled if label in known}
    again = len(labelled) > 2 and any(told.count(label) > 1 and len(label.split()) < 4 for label in told)
    spoken = len(labelled) > 1 and all(
        said.endswith((".", "!", "?", "…")) and not mark for _, _, said, mark in labelled
    )
    return frozenset(sure | ({place for place, *_ in labelled} if again or spoken else set()))


# -- by quotation marks -----------------------------------------------------------------------------


def _by_marks(text: str, names: Sequence[str], retold: Callable[[str], bool] | None) -> Iterator[Span]:
    place = 0
    while place < len(text):
        end = _closes(text, place)
        if end is None:
            place += 1
            continue
        told = _QUOTES_SELF.search(text[max(0, place - 60) : place]) is not None
        told = told or (retold is not None and retold(text[place + 1 : end - 1]))
        if not (told or _is_mention(text, place, end, names)):
            yield Span(place, end)
        place = end


def _closes(text: str, place: int) -> int | None:
    """Return the end of the quotation that opens here; None if it does not close."""
    mark = text[place]
    if mark == '"':
        return _closes_plain(text, place)
    if mark in _PAIRS:
        if mark == "»" and not _opens(text, place):
            return None
        ends = [at for close in _PAIRS[mark] if (at := text.find(close, place + 1)) >= 0]
        return min(ends) + 1 if ends else _line_end(text, place)
    if mark in "'‘" and _OPENS_SINGLE.match(text, place):
        end = re.compile(r"(?<=[\w.,!?…])['’](?!\w)").search(text, place + 1, _line_end(text, place))
        return end.end() if end and " " in text[place : end.start()] else None
    return None


def _closes_plain(text: str, place: int) -> int | None:
    if not _opens(text, place):
        return None
    end = text.find('"', place + 1)
    blank = text.find("\n\n", place + 1)
    if end < 0 or 0 <= blank < end:
        # the quotation was never closed
        return blank if blank >= 0 else len(text)
    return end + 1


def _opens(text: str, place: int) -> bool:
    before, after = text[place - 1 : place], text[place + 1 : place + 2]
    return not (before.isalnum() or before in ".,!?;") and bool(after) and not after.isspace()


def _line_end(text: str, place: int) -> int:
    end = text.find("\n", place)
    return end if end >= 0 else len(text)


def _is_mention(text: str, start: int, end: int, names: Sequence[str]) -> bool:
    """Return whether words in quotation marks are a name, a title or a term, and not a quoted sentence."""
    inside = text[start + 1 : end - 1].strip(" .,!?…")
    words = inside.split()
    before = text[max(0, start - 60) : start]
    if len(words) > TITLE_WORDS or "\n" in inside:
        return False
    if _NAMING.search(before) or len(words) < 2:
        return True
    if (spoken := _SPEECH.search(before[-25:])) is not None:
        # `never say of her that she "fell asleep"`: words that are not to be said are nobody's
        unsaid = _UNSAID.search(before[: len(before[:-25]) + spoken.start()])
        return unsaid is not None and len(words) <= MENTION_WORDS and not SENTENCE.search(inside)
    if any(found[0].islower() for found in SENTENCE.finditer(inside)) and SENTENCE.match(inside):
        # German writes its nouns as a title writes all its words
        return False
    telling = [word for word in words if len(word) > 4]
    if not telling and not SENTENCE.search(inside) and words[0][:1].isupper():
        telling = [word for word in words if word not in _LITTLE]
    if telling and all(word[:1].isupper() or word[:1].isdigit() for word in telling):
        return not any(word.casefold() in map(str.casefold, names) for word in words)
    if len(words) > MENTION_WORDS or SENTENCE.search(inside):
        return False
    if any(name and name.casefold() in inside.casefold() for name in names):
        return False
    return inside[:1].islower() or _POINTS.search(before) is not None


def _middle(text: str) -> Span:
    """Return the middle of a long turn, between a short beginning and a short end."""
    first, last = text.find("\n\n"), text.rfind("\n\n")
    start = first if 0 <= first <= EDGE else 0
    end = last if last > start and len(text) - last <= EDGE else len(text)
    return Span(start, end)
