"""Recognition of the two sister protocols on the tape: STAGE (with a world), CHAIN (between personas).

REEL §5 wants of them the lived scene, the intent and the outcome, never their syntax. Neither protocol's
own text is at hand, so a family of plausible forms is taken: tags in brackets or angle brackets, a version
mark, header blocks, and objects in JSON. Ordinary prose about stages and chains is none of it.
"""

import re
from collections.abc import Collection, Iterable

from reel_cli.core.blockquote import fenced_lines

STAGE_ORIGIN, CHAIN_ORIGIN = "stage-origin", "chain-origin"

_STAGE_WORDS = r"STAGE|SCENE|SENSES?|SENSORY|AMBIEN(?:T|CE)|ENVIRONMENT|LOCATION|PRESENCE"
_CHAIN_WORDS = r"CHAIN|DIRECTIVE|ORDER|REPORT|ESCALATION|ACK(?:NOWLEDGE(?:MENT)?)?|DELEGATION|BROADCAST"
_PAIRS = r"[ \t]?(?:[A-Z_]+[ \t]+)?[\w-]+=(?:\"[^\"\n]*\"|[^\n.!?\"\[\]{}⟦⟧【】]|\.(?=\d))*[.!?]?"
"""Pattern of names with values after a protocol's own name, to the sentence's end: `light=low sound=rain`."""
_INNER = r"[^\[\]\n]*"
"""Pattern of text without an opening bracket, or a long run of them would be searched through for each."""
_OPEN, _CLOSE = r"(?:\{\{|⟦|【|\[\[)[ \t]?", r"(?:\}\}|⟧|】|\]\])"
"""Patterns of brackets that nothing else in prose puts around such a word."""


def _prompt(name: str) -> str:
    """Return the pattern of a protocol's name as a prompt before a line: `STAGE> wind`, `CHAIN>bo: held`."""
    whom = r"(?:[-=]?>{1,2}|[→»])[A-Za-z][\w-]{0,40}[ \t]?:(?!\S)"
    ends = rf"(?:{whom}|[-=]?>{{1,2}}(?![\w=])|[ \t]?[→»])"
    return rf"(?<![\w<])(?:{name})(?:[./:][A-Za-z_]{{1,20}})?{ends}[ \t]?"


def _comment(name: str, words: str) -> str:
    """Return the pattern of a comment of markup that is a message: `<!-- STAGE: fog -->`."""
    begins = rf"{name}\b|(?:{words})[ \t]?[:|=/]|(?i:{name})[ \t]?[:|=/]"
    return rf"<!--[ \t]*/?(?:{begins})(?:(?!-->)[^\n]){{0,400}}-->"


_TO_WHOM = r"(?:[ \t]*(?:[-=]?>|→)[ \t]*[\w@-]+)?"
_ARROW = r"[ \t]?(?:[-=]?>{1,2}|[→»])[ \t]?"
_FIELD = r"(?i:from|to|cc|via|priority|ref|in-reply-to|reply-to|message-id|id|type|status|date|thread|seq)"
_ANY_FIELD = rf"[ \t]+(?:{_FIELD}|(?i:subject))[ \t]?[:=]"
_VALUE = rf"(?:[\w@#/+:-]+(?:[ \t]+[\w@#/+:-]+){{1,3}}?(?={_ANY_FIELD})|[\w@#/+-]+)"
_SUBJECT = r"(?:(?:(?![ \t](?:I|[Ww]e|[Mm]y|[Oo]ur)\b)[^.!?;|\n]){1,60}(?=[.;|\n]|\Z)|[\w@-]+)"
_ONE_FIELD = rf"[ \t]+(?:{_FIELD}[ \t]?[:=][ \t]?{_VALUE}|(?i:subject)[ \t]?[:=][ \t]?{_SUBJECT})[,;|]?"
_FIELDS = rf"(?:{_ONE_FIELD})*"
"""Patterns of what stands behind a message's name: `-> sovereign`, `From: sovereign`, `Subject: the ferry`.

A value is one word, or several before the next field; a subject lasts until its sentence ends.
"""
_STAGE = re.compile(
    rf"\[[ \t]?/?(?:{_STAGE_WORDS})(?:[ \t]?[:|=]{_INNER}|[ \t]{_INNER})?\]"
    rf"|\[[ \t]?/?(?i:stage|scene)[ \t]?[:|]{_INNER}\]"
    r"|</?(?i:stage|scene|sense)(?:[ \t:][^<>\n]*)?/?>"
    rf"|\bSTAGE/\d+(?:\.\d+)*\b(?:[ \t]+(?:{_STAGE_WORDS})\b)?(?:[ \t]+[\w-]+=[\w\"'-]+)*{_FIELDS}"
    rf"|{_comment('STAGE', _STAGE_WORDS)}"
    r"|\b(?i:stage)\.(?i:emote|scene|sense|ambient|sound|location)\([^()\n]*\)"
    rf"|\bSTAGE\.(?:EMOTE|{_STAGE_WORDS})\b(?:{_TO_WHOM}[ \t]?:|{_ARROW})?"
    rf"|{_OPEN}/?(?:{_STAGE_WORDS})\b[^{{}}⟦⟧【】\[\]\n]*{_CLOSE}"
    rf"|\{{[ \t]?/?(?:{_STAGE_WORDS})[ \t]?[:|=][^{{}}\n]*\}}"
    rf"|\[/?STAGE[/.]{_INNER}\]|{_OPEN}/?(?:stage|scene)[:=|][^{{}}⟦⟧【】\[\]\n]*{_CLOSE}"
    r"|\([ \t]?STAGE:[^()\n]*\)|@STAGE(?:\{[^{}\n]*\}|\([^()\n]*\))"
    r"|\bSTAGE::[A-Za-z_]+(?:\([^()\n]*\))?"
    rf"|\bSTAGE:{_PAIRS}|{_prompt('STAGE')}"
)
_CHAIN = re.compile(
    rf"\[[ \t]?/?(?:{_CHAIN_WORDS})(?:[ \t]?[:|=#]{_INNER}|[ \t]{_INNER})?\]"
    rf"|\[[ \t]?/?(?i:chain|directive)[ \t]?[:|]{_INNER}\]"
    r"|</?(?i:chain|directive)(?:[ \t:][^<>\n]*)?/?>"
    rf"|\bCHAIN/\d+(?:\.\d+)*\b(?:(?:[ \t]+(?:{_CHAIN_WORDS})\b)?{_TO_WHOM}"
    rf"(?:(?:{_ONE_FIELD})+(?:(?<=\w)[.:](?=\s|$))?|(?:(?<=\w)[.:](?=\s|$)|(?=[ \t*_]*\r?(?:\n|\Z)))))?"
    rf"|{_comment('CHAIN', _CHAIN_WORDS)}"
    rf"|\b(?i:chain)\.(?i:ack(?:nowledge)?|report|order|directive|escalate|delegate|broadcast)\([^()\n]*\)"
    rf"|\bCHAIN\.(?:{_CHAIN_WORDS})\b(?:{_TO_WHOM}[ \t]?:|{_ARROW})?"
    rf"|{_OPEN}/?(?:{_CHAIN_WORDS})\b[^{{}}⟦⟧【】\[\]\n]*{_CLOSE}"
    rf"|\{{[ \t]?/?(?:{_CHAIN_WORDS})[ \t]?[:|=#][^{{}}\n]*\}}"
    rf"|\[/?CHAIN[/.]{_INNER}\]|{_OPEN}/?(?:chain|directive)[:=|][^{{}}⟦⟧【】\[\]\n]*{_CLOSE}"
    r"|\([ \t]?CHAIN:[^()\n]*\)|@CHAIN(?:\{[^{}\n]*\}|\([^()\n]*\))"
    r"|\bCHAIN::[A-Za-z_]+(?:\([^()\n]*\))?|\bCHAIN(?:\|[A-Z_]+[:=][^|\s]+)+\|?"
    rf"|\bCHAIN:{_PAIRS}|{_prompt('CHAIN')}"
)
_PROTOCOL = r"@?(?i:proto(?:col)?)"
_JSON_SIGN = re.compile(
    rf"\"{_PROTOCOL}\"\s{{0,4}}:\s{{0,4}}\"(?i:(?P<named>stage|chain))\b[^\"\n]{{0,40}}\""
    r"|\"(?P<key>STAGE|CHAIN)\"\s{0,4}:"
)
"""Pattern of what makes an object in JSON a message of a protocol."""
_STRING = r"\"(?:[^\"\\\n]|\\.){0,4000}+\""
_IN_OBJECT = rf"(?:[^{{}}\"]{{1,200}}+|{_STRING}"
_JSON = re.compile(rf"\{{{_IN_OBJECT}|\{{{_IN_OBJECT}|\{{{_IN_OBJECT}){{0,99}}+\}}){{0,99}}+\}}){{0,99}}+\}}")
"""Pattern of an object in JSON with at most two others one within another; its cost is bounded."""
_JSON_WORDS = re.compile(
    rf"\"(?i:body|content|text|message|intent|outcome|summary)\"\s{{0,4}}:\s{{0,4}}(?P<words>{_STRING})"
)
"""Pattern of what such a message says: that is meant, and no form of it."""
_BEFORE_SIGN, _MOST_NESTED = 400, 3
"""Characters before a sign in which its object begins, and how many braces are tried for it."""
_INNER_TAG = re.compile(
    r"</?(?P<tag>[A-Za-z][A-Za-z_-]{2,})(?:\s[^<>\n]*)?/?>"
    rf"|\[/?(?P<pair>[A-Za-z][A-Za-z_-]{{2,}})[ \t]?[:=|]{_INNER}\](?!\()"
)
"""Pattern of what a scene's own tag beside it makes a tag: `<feel>`, `[SOUND: far rain]`."""
_PERCEIVED = frozenset(
    re.findall(
        r"\w+",
        "ambience ambient atmosphere emotion environment expression feel feeling feelings gaze gesture light"
        " lighting mood noise posture presence proximity scene sensation sense senses setting sight smell"
        " sound sounds stage state surroundings taste texture tone touch warmth weather",
    )
)
"""Names of what a persona perceives of a place and of itself in it (REEL §5.1, §5.2).

Words in brackets are a tag under one of these alone: `[todo: insulin]` is a person's note, and would be lost.
So is a name in capitals, `<STATE>`, since `<YOUR NAME>` is a gap to fill. One of these in angle brackets that
is closed, `<feel>cold</feel>` or `<state mood="tired"/>`, is a tag without any other beside it.
"""
_HTML = frozenset(
    re.findall(
        r"\w+",
        "abbr address article aside audio bdi bdo big blockquote body button canvas caption center cite"
        " code col data del details dfn dialog div embed fieldset figcaption figure font footer form frac"
        " frame head header html iframe img input ins kbd label legend link main map mark math menu meta"
        " mfrac mrow msqrt msub msup mtable mtd mtr nav nobr object option output param path picture pre"
        " progress rect ruby samp script search section select slot small source span strike strong style"
        " sub summary sup svg table tbody template text textarea tfoot thead think thinking time title"
        " track var video wbr",
    )
)
"""Names of tags that are no scene's."""
_HEADER = re.compile(
    r"^[ \t>*]{0,8}(PROTOCOL|FROM|TO|PRIORITY|TYPE|DIRECTIVE|INTENT|STATUS|REF)\*{0,2}:\*{0,2}[ \t]*\S.*$",
    re.MULTILINE,
)
_BELOW = re.compile(
    r"[ \t>*_-]{0,8}(?P<name>[A-Za-z][A-Za-z-]{0,20}(?:[ -][A-Za-z]{2,12})?)[*_]{0,2}[ \t]?[:=][*_]{0,2}"
    r"(?:[ \t]+|(?=\S))(?P<value>\S[^\n]*)"
)
"""Pattern of a line below a message's first one: `Priority: high`."""
_ROUTING = frozenset(
    re.findall(
        r"[\w-]+",
        "from to cc bcc via subject re priority urgency id ref reference type kind date time timestamp sent"
        " thread seq sequence channel topic reply-to in-reply-to message-id correlation-id sender recipient"
        " ttl version protocol expires ack requires-ack hop hops session encoding content-type",
    )
)
"""Names of fields that say how a message goes, and nothing of what it is about but its subject.

By when something is to be done is what is meant, so `deadline` is none of them.
"""
_SAYS = frozenset(re.findall(r"\w+", "body content text message intent outcome summary result status report"))
"""Names of fields whose words are what is meant; their name alone is form."""
_MOST_MARKS = 9
_BEGINS_LINE = re.compile(r"(?:\A|\n)[ \t>*_-]*\Z")
_ENDS_LINE = re.compile(r"[ \t*_:]{0,8}(?=\r?\n)\r?")
_SENTENCE = re.compile(r"[.!?…][\"”*_]*\s*\Z")
_MOST_WORDS = 6
"""Words of the longest value that a field of form has; a subject may have more."""
_SUBJECTS, _TYPES = frozenset({"subject", "re", "topic"}), frozenset({"type", "kind"})
_OF_TYPE = re.compile(
    rf"(?i)\W*(?:{_CHAIN_WORDS}|{_STAGE_WORDS}|message|request|response|query|reply|notice|update|info|alert"
    r"|command|event|handoff|status|task)\W*"
)
"""Pattern of the type of a message; `Type: O negative` is somebody's blood."""
_OWN = re.compile(r"\b(?:I|me|[Ww]e|us|[Mm]y|[Oo]ur|[Yy]ou|[Yy]our)\b")
"""Pattern of words that somebody says, and no field does."""
_STATES = frozenset(
    re.findall(
        r"[\w-]+",
        "ack acknowledged accepted active closed complete completed confirmed delivered done held in-progress"
        " ok okay open pending queued ready received sent",
    )
)
"""Values that say how a message stands; with one, a field `status` or `result` is form as a whole."""
_SIGNS = (
    "[",
    "<",
    "{",
    "⟦",
    "【",
    "STAGE",
    "CHAIN",
    "FROM",
    "chain.",
    "stage.",
    "Chain.",
    "Stage.",
)
"""Text without any of these has no syntax."""
_NAMED = re.compile(r"PROTOCOL\W{1,6}(?i:(stage|chain))\b")
_NEEDED = frozenset({"FROM", "TO", "PRIORITY"})
_FROM = re.compile(r"(?:^|(?<=[\s{\[(]))FROM:[ \t]?\S+")
_TO = re.compile(r"(?:^|\s)TO:[ \t]?\S+")
_PRIORITY = re.compile(r"(?:^|\s)PRIORITY:[ \t]?[^\s{}\[\]()]+")
_WITHIN = 240
"""A header on one line, or after other words, stands within so many characters."""
_LONGEST_SNIPPET = 120


def origins(texts: Iterable[str]) -> set[str]:
    """Return which of `stage-origin` and `chain-origin` these texts have; code blocks do not count."""
    found: set[str] = set()
    for text in texts:
        bare = _without_code(text)
        if _STAGE.search(bare):
            found.add(STAGE_ORIGIN)
        if _CHAIN.search(bare):
            found.add(CHAIN_ORIGIN)
        for start, end in _headers(bare):
            named = _NAMED.search(bare, start, end)
            found.add(STAGE_ORIGIN if named and named[1].upper() == "STAGE" else CHAIN_ORIGIN)
        found.update(one for one, _ in _objects(bare))
    return found


def scene_tags(texts: Iterable[str]) -> frozenset[str]:
    """Return the names of the tags beside STAGE's own in these texts: `<feel>cold</feel>`, `[feel: cold]`.

    There are none where no text has STAGE syntax; HTML and mathematics are none either.
    """
    bare = [_without_code(text) for text in texts]
    if not any("<" in text or "[" in text for text in bare) or not any(map(_has_stage, bare)):
        return frozenset()
    found = {_name_of(match) for text in bare for match in _INNER_TAG.finditer(text)}
    return frozenset(found - _HTML - {""})


def _closed_tags(text: str) -> set[str]:
    """Return the names of what one perceives that a text has as tags with an end: `<feel>cold</feel>`."""
    opened, closed = set[str](), set[str]()
    for match in _INNER_TAG.finditer(text) if "</" in text or "/>" in text else ():
        name = _name_of(match) if match["tag"] else ""
        if name and _PERCEIVED.issuperset(re.split("[_-]", name)):
            alone, ends = match[0].endswith("/>"), match[0].startswith("</")
            if alone or not ends:
                opened.add(name)
            if alone or ends:
                closed.add(name)
    return opened & closed


def _name_of(match: re.Match[str]) -> str:
    """Return the name of an inner tag in lower case; "" for words in brackets that are none."""
    tag: str = match["tag"] or match["pair"]
    name = tag.lower()
    free = match["tag"] is not None and name == tag
    return name if free or _PERCEIVED.issuperset(re.split("[_-]", name)) else ""


def find_syntax(text: str, also: Collection[str] = ()) -> list[tuple[int, int]]:
    """Return where the pieces of STAGE and CHAIN syntax stand in a text; `also` are a chat's `scene_tags`."""
    if not any(sign in text for sign in _SIGNS):
        return []
    spans = [
        span
        for pattern in (_STAGE, _CHAIN)
        for match in pattern.finditer(text)
        for span in _with_fields_below(text, match)
    ]
    spans += _headers(text)
    spans += [span for _, pieces in _objects(text) for span in pieces]
    names, closed = {*also, *(scene_tags([text]) if spans else ())}, _closed_tags(text)
    if names or closed:
        known = set(spans)
        inner = (
            match
            for match in _INNER_TAG.finditer(text)
            if (name := _name_of(match)) in names or (match["tag"] and name in closed)
        )
        spans += [match.span() for match in inner if match.span() not in known]
    return spans


def remove_syntax(text: str, also: Collection[str] = ()) -> str:
    """Return a text without STAGE and CHAIN syntax, and without lines that held nothing else.

    Code keeps its own. A text with none of it is returned as it is. `also` are a chat's `scene_tags`.
    """
    spans = _outside_code(text, also)
    if not spans:
        return text
    pieces, at = [], 0
    for start, end in spans:
        pieces.append(text[at : max(at, start)])
        at = max(at, end)
    lines = _CUTS.sub(_CUT, _CUT.join((*pieces, text[at:]))).split("\n")
    left = (_mend_line(line) if _CUT in line else line for line in lines)
    return _BLANK_LINES.sub("\n\n", "\n".join(line for line in left if line is not None)).strip()


def lived_exchange(text: str) -> str:
    """Return an example's exchange without STAGE and CHAIN syntax; a turn that was nothing else reads `…`."""
    lived = remove_syntax(text)
    return text if lived == text else _EMPTY_TURN.sub(r"\1 …", lived)


def protocol_syntax(text: str, also: Collection[str] = ()) -> list[str]:
    """Return the pieces that `remove_syntax` takes out, in order, each once, on one line and cut if long."""
    pieces = (
        " ".join(text[start:end].split())[:_LONGEST_SNIPPET] for start, end in _outside_code(text, also)
    )
    # of a message in JSON, the braces behind its words are no piece of their own
    return list(dict.fromkeys(piece for piece in pieces if any(map(str.isalnum, piece))))


_CUT = "\0"
_CUTS = re.compile(rf"{_CUT}(?:[ \t]*{_CUT})+")
_EMPTY_BRACKETS = re.compile(rf"[\[({{⟦【]+[ \t{_CUT}]*{_CUT}[ \t{_CUT}]*[\])}}⟧】]+")
"""Pattern of brackets around nothing but cuts."""
_EMPTY_EMPHASIS = re.compile(
    rf"(?<![^\s{_CUT}(\[“„«\"'])(\*{{1,3}}|_{{1,3}}|~~){_CUT}[ \t{_CUT}.]*\1(?![\w*_])"
)
"""Pattern of emphasis of nothing but cuts: `*[STAGE/emote: shiver]*`."""
_OPENS_EMPHASIS = re.compile(rf"(?<![^\s{_CUT}(\[“„«\"'])([*_]{{1,3}}|~~)[{_CUT}]+[ \t]*(?=\w)")
_ENDS_EMPHASIS = re.compile(rf"(?<=[\w.!?…])[ \t]*[{_CUT}]+([*_]{{1,3}}|~~)(?![\w*_])")
_OWN_END = re.compile(rf"(?:^|(?<=[.!?…])|(?<=[.!?…] ))[{_CUT}]+[.,;:](?![.…])")
"""Pattern of a cut with the mark that ended it, where no sentence goes on."""
_BLANK_LINES = re.compile(r"\n{3,}")
_EMPTY_TURN = re.compile(r"(?m)^(\*\*[^*\n]{1,80}:\*\*)[ \t]*(?=\n*(?:\Z|\*\*[^*\n]{1,80}:\*\*))")
_INLINE_CODE = re.compile(r"`[^`\n]+`")


def _outside_code(text: str, also: Collection[str] = ()) -> list[tuple[int, int]]:
    """Return the bounds of the pieces of syntax outside code, in order."""
    spans = sorted(find_syntax(text, also))
    if not spans or ("`" not in text and "~~~" not in text):
        return spans
    code = [match.span() for match in _INLINE_CODE.finditer(text)]
    lines = text.split("\n")
    at = 0
    for line, fenced in zip(lines, fenced_lines(lines), strict=True):
        if fenced:
            code.append((at, at + len(line) + 1))
        at += len(line) + 1
    code = _joined(sorted(code))
    return [
        (start, end) for start, end in spans if not any(one <= start and end <= other for one, other in code)
    ]


def _mend_line(line: str) -> str | None:
    """Return a line whose cuts are closed; None if no word is left in it."""
    indent = line[: len(line) - len(line.lstrip(" "))]
    line = _EMPTY_EMPHASIS.sub(_CUT, _EMPTY_BRACKETS.sub(_CUT, line))
    line = _OWN_END.sub(_CUT, line)
    line = _ENDS_EMPHASIS.sub(r"\1", _OPENS_EMPHASIS.sub(r"\1", line))
    ended = re.sub(rf"[,;:]?[ \t]*{_CUT}[ \t{_CUT}]*(?=[.!?…])", "", line)
    closed = re.sub(rf"[ \t]*{_CUT}[ \t{_CUT}]*", " ", ended).strip()
    closed = re.sub(r" (?=[.,;:!?…])", "", closed)
    return indent + closed if any(map(str.isalnum, closed)) else None


def _has_stage(text: str) -> bool:
    return _STAGE.search(text) is not None or any(one == STAGE_ORIGIN for one, _ in _objects(text))


def _objects(text: str) -> list[tuple[str, list[tuple[int, int]]]]:
    """Return each message in JSON: its protocol, and the bounds of it but for the words that it says."""
    found: list[tuple[str, list[tuple[int, int]]]] = []
    done = 0
    for sign in _JSON_SIGN.finditer(text) if "{" in text else ():
        if sign.start() < done:
            continue
        whole = _object_around(text, max(done, sign.start() - _BEFORE_SIGN), sign)
        if whole is None:
            continue
        name = str(sign["named"] or sign["key"])
        spans, done = [], whole[1]
        at = whole[0]
        for said in _JSON_WORDS.finditer(text, *whole):
            start, end = said.span("words")
            spans.append((at, start + 1))
            at = end - 1
        spans.append((at, done))
        found.append((STAGE_ORIGIN if name.upper() == "STAGE" else CHAIN_ORIGIN, spans))
    return found


def _object_around(text: str, first: int, sign: re.Match[str]) -> tuple[int, int] | None:
    """Return the bounds of the outermost object that holds a sign and begins at `first` or later."""
    found, brace = None, sign.start()
    for _ in range(_MOST_NESTED):
        brace = text.rfind("{", first, brace)
        if brace < 0:
            break
        whole = _JSON.match(text, brace)
        if whole is not None and whole.end() >= sign.end():
            found = whole.span()
    return found


def _without_code(text: str) -> str:
    if "```" not in text and "~~~" not in text:
        return text
    lines = text.split("\n")
    return "\n".join(line for line, fenced in zip(lines, fenced_lines(lines), strict=True) if not fenced)


def _with_fields_below(text: str, head: re.Match[str]) -> list[tuple[int, int]]:
    """Return the bounds of a message's first line and of the fields right below it.

    Lines with a name of `_ROUTING` are form, and of a field that says what is meant its name is. A line with
    any other name, or with a sentence behind it, may be what somebody says or a fact, and ends the fields.
    """
    ends = _ENDS_LINE.match(text, head.end())
    named = "CHAIN" in head[0].upper() or "STAGE/" in head[0]
    begins = _BEGINS_LINE.search(text, max(0, head.start() - _MOST_MARKS), head.start())
    if ends is None or not named or head[0].startswith(("</", "[/")):
        return [head.span()]
    if head.start() and begins is None:
        return [head.span()]
    at = ends.end()
    found = [head.span()]
    while at < len(text) and (field := _BELOW.match(text, at + 1)) is not None:
        name, end = field["name"].casefold().replace(" ", "-"), field.end()
        if name in _SAYS:
            found.append((at + 1, end if _tells_state(name, field["value"]) else field.start("value")))
        elif _OWN.search(field["value"]) or (name in _TYPES and not _OF_TYPE.fullmatch(field["value"])):
            break
        elif name in _SUBJECTS or (_is_form(name, head[0]) and not _is_told(field["value"])):
            found.append((at, end))
        else:
            break
        at = end
    return _joined(found)


def _is_form(name: str, head: str) -> bool:
    return name in _ROUTING or ("STAGE" in head and name in _PERCEIVED | {"location", "place"})


def _is_told(value: str) -> bool:
    """Return whether a value may be a person's own words: a sentence, or longer than a field's are."""
    return _SENTENCE.search(value) is not None or len(value.split()) > _MOST_WORDS


def _tells_state(name: str, value: str) -> bool:
    """Return whether a field says no more than how a message stands: `Status: done`."""
    return name in {"status", "result"} and "-".join(value.casefold().strip(" \t\r.!*_").split()) in _STATES


def _joined(spans: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Return bounds in order, those that touch as one."""
    joined: list[tuple[int, int]] = []
    for start, end in spans:
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], end)
        else:
            joined.append((start, end))
    return joined


def _headers(text: str) -> list[tuple[int, int]]:
    """Return the bounds of header blocks: FROM, TO and PRIORITY on consecutive lines, or close together."""
    spans: list[tuple[int, int]] = []
    block: list[re.Match[str]] = []
    for match in [*_HEADER.finditer(text), None]:
        if match is not None and block and text[block[-1].end() : match.start()].strip("\r\n") == "":
            block.append(match)
            continue
        named = {part[1] for part in block}
        if named >= _NEEDED or ("PROTOCOL" in named and _NAMED.search(block[0][0])):
            spans.append((block[0].start(), block[-1].end()))
        block = [match] if match is not None else []
    for first in _FROM.finditer(text):
        end = first.start() + _WITHIN
        to = _TO.search(text, first.end(), end)
        priority = _PRIORITY.search(text, to.end(), end) if to else None
        if priority and "\n\n" not in text[first.end() : priority.start()]:
            spans.append((first.start(), priority.end()))
    apart: list[tuple[int, int]] = []
    for span in sorted(spans):
        if not apart or span[0] >= apart[-1][1]:
            apart.append(span)
    return apart
