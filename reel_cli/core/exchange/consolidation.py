"""A read reply as a consolidation: the five fields, and what has defaults (REEL §6.2)."""

import re
from collections.abc import Iterator, Sequence

from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.evidence.quoted_words import count_words
from reel_cli.core.exchange.reader.answer_words import kind_in_english
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.frozen import late
from reel_cli.core.values.artifact import Consolidation, Problem
from reel_cli.core.values.memory import PROTOCOL_TAGS, implies_immunity, is_age_alone

_NAMES = "|".join((*PROTOCOL_TAGS, "relationship-definitional"))
_TAG = late(rf"\b({_NAMES})\b", re.IGNORECASE)
_ONLY_TAGS = late(
    rf"(?:(?:{_NAMES}|kinds?|tags?|mostly|mainly|also|and|or|both|a|bit|little|of|it is|it's)\b|[^\w\n])+",
    re.IGNORECASE,
)
"""A sentence that names kinds of memory and says nothing else."""
_WHOLE = (
    r"(?:it|this|that|them|all|everything|(?:all|most) of (?:it|this)|most|the rest(?: of it)?"
    r"|(?:the|this) (?:memory|page|whole(?: thing| page)?|lot|day|one))"
)
"""Pattern of the words for the memory as a whole, in a place where others would name a part of it."""
_GOOD = r"(?:whole\b|for good\b(?!\s+(?:reasons?|luck|measure|use|company|times?|old)\b))"
"""Pattern of how a memory is to be kept: as the prompt asks now, and as it asked before."""
_KEEP = late(
    rf"\b(?:keep|kept|stays?|remains?|hold)\b(?P<what>[^.;:!?\n]{{0,60}}?)\s\W{{0,4}}{_GOOD}"
    r"|(?:\bimmunity\b\W*(?:yes|true|granted)|(?<!non-)\bimmune\b(?!\W*(?:no|false|none)\b))"
    r"|\b(?:must|should|may|can|shall)(?:n['’]t| not| never) (?:be allowed to )?fade\b",
    re.IGNORECASE,
)
_FADE = late(
    r"\b(?:may|can|could|should|will|might|let (?:it|this)|to|free to) fade\b"
    r"|\bnon-immune\b|\bimmun\w+\W*(?:no|false|none)\b|\bno immunity\b",
    re.IGNORECASE,
)
_NOT = late(
    r"(?:\b(?:not|never|no need to|no reason to|hardly|nor|needn['’]t|cannot)|n['’]t)(?:\s+\w+){0,3}\W*$",
    re.IGNORECASE,
)
"""A word that turns the verdict right behind it round."""
_PART = late(
    r"\b(?:the|these|those|his|her|their|my|our)\s+(?!(?:whole|memory|page|day|night|evening|lot|one|rest)\b)"
    r"[\w'’-]+(?:\s+[\w'’-]+){0,4}\W*$",
    re.IGNORECASE,
)
"""Words right before a verdict that make it one on a part: `the promise: keep whole`."""
_SUBJECT = late(
    r"\W*(?:(?:but|and|so|then|also|though|after (?:that|this|which)|otherwise|i think)\b\W*)*"
    rf"(?:{_WHOLE})?\W*(?:all|mostly|probably|just|now|gladly|it)?\W*",
    re.IGNORECASE,
)
_EITHER = late(
    r"keep (?:it )?(?:whole|for good)\W{0,3}(?:or|/)\W{0,3}(?:it )?(?:may )?fade"
    r"|may fade\W{0,3}(?:or|/)\W{0,3}keep (?:it )?(?:whole|for good)",
    re.IGNORECASE,
)
"""Pattern of both verdicts offered, as in the prompt: that is no answer."""
_NO_REASON = late(r"(?:but|though|although|or|until|till|unless|for now)\b", re.IGNORECASE)
_TRUE = frozenset({"yes", "true", "y", "immune", "1", "granted", "keep whole", "keep for good"})
_FALSE = frozenset({"no", "false", "n", "not immune", "0", "none", "may fade"})
_LONGEST = 4_000
"""Maximum characters of the answer about a memory's kind and the reason for it."""
MOST_QUESTIONS, LONGEST_QUESTION = 6, 160
"""Bounds of what a page says somebody may ask later; three are asked for."""
_SPOKEN_NOTHING = late(r"(?:nothing|none)\s*[,;.!–—-]", re.IGNORECASE)


def parse_consolidation(reading: ReplyReading) -> tuple[Consolidation, list[Problem]]:
    """Type a reading's consolidation fields; what is unclear is not granted, and named."""
    problems: list[Problem] = []
    tags = _tags(reading)
    immune, reason = _immunity(reading, problems)
    if not (tags or problems or reading.text("immune")) and _says_no_kind(_kind(reading)):
        problems.append(Problem("kind", "it names no kind of memory, nor says whether it may fade."))
    return (
        Consolidation(
            happened=reading.text("happened"),
            changed=reading.text("changed"),
            matters=reading.text("matters"),
            unresolved=without_denials(reading.lines("unresolved")),
            anchors=_phrases(reading.lines("anchors")),
            title=_title(reading.text("title")),
            tags=tags,
            immune=immune or implies_immunity(tags),
            immune_reason=reason or _implied(tags),
            marker=" ".join(reading.text("marker").split()),
            tag=" ".join(reading.text("tag").split()),
            asked_as=_questions(reading.lines("asked_as")),
        ),
        problems,
    )


def without_denials(lines: Sequence[str]) -> tuple[str, ...]:
    """Return a list's items without one that only says there are none (`Nothing, it's all done.`)."""
    return tuple(line for line in lines if not _SPOKEN_NOTHING.match(line))


def _implied(tags: Sequence[str]) -> str:
    """Return the reason why tags alone keep a memory from being pruned; "" if they do not."""
    return "its tags make it part of who the persona is" if implies_immunity(tags) else ""


def _title(text: str) -> str:
    """Return the title as one line without quotes, emphasis or a full stop."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    line = re.sub(r"^[`\"']*title[`\"']*\s*:[`\s]*", "", line, flags=re.IGNORECASE)
    line = line.strip("*_#` ").rstrip(".")
    # quotation marks around the whole text are removed; `"Hi chat," and sixteen goals` keeps its own
    for first, last in ('""', "“”", "''", "‘’", "«»"):
        if len(line) > 2 and line[0] == first and line[-1] == last and first not in line[1:-1]:
            line = line[1:-1]
    return line.rstrip(".").replace("|", "/").strip()


def _questions(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the questions or topics of an answer, each once and on one line."""
    plain = (" ".join(line.split()).strip("\"'“”‘’*_` ") for line in without_denials(lines))
    found = dict.fromkeys(line for line in plain if any(c.isalnum() for c in line))
    return tuple(line for line in found if len(line) <= LONGEST_QUESTION)[:MOST_QUESTIONS]


def _phrases(lines: Sequence[str]) -> tuple[str, ...]:
    """Return the phrases in the lines: each quoted run, else the line itself without its speaker."""
    found: list[str] = []
    for line in lines:
        if quoted := quotations(line):
            found.extend(quoted)
            continue
        plain = re.sub(r"\s+[—–-]\s+\w+(?: \w+)?$", "", line.strip().strip("*_`").strip())
        found.append(plain.strip().strip("'‘’\"“”").strip())
    return tuple(dict.fromkeys(phrase for phrase in found if phrase))


def _tags(reading: ReplyReading) -> tuple[str, ...]:
    """Return the protocol's tags named before the verdict on keeping, and those of a `tags` field."""
    named: list[str] = []
    for line in reading.lines("tags"):
        plain = line.strip().strip("\"'`*[]").casefold()
        if re.fullmatch(r"[\w][\w -]{1,38}", plain):
            named.append(plain.replace(" ", "-"))
    kind = _kind(reading)
    verdict = min((m.start() for m in (_KEEP.search(kind), _FADE.search(kind)) if m), default=len(kind))
    before = list(_named_tags(kind[:verdict]))
    # where the verdict comes first, a sentence of tags alone may follow it
    after = [s for s in re.split(r"[.;\n]", kind[verdict:]) if _ONLY_TAGS.fullmatch(s)] if not before else []
    named += before or [tag for sentence in after for tag in _named_tags(sentence)]
    return tuple(dict.fromkeys(named))


def _kind(reading: ReplyReading) -> str:
    return kind_in_english(reading.text("kind")[:_LONGEST])


def _says_no_kind(kind: str) -> bool:
    """Return whether an answer about the kind of a memory can be read as none: in no language known here."""
    return not kind.isascii() and not (_KEEP.search(kind) or _FADE.search(kind))


def _named_tags(text: str) -> Iterator[str]:
    for match in _TAG.finditer(text):
        if not re.search(
            r"\b(?:not|no|nor|neither|rather than|hardly)\s*(?:so much\s*)?\W*$",
            text[: match.start()],
            re.IGNORECASE,
        ):
            yield match[1].casefold()


def _immunity(reading: ReplyReading, problems: list[Problem]) -> tuple[bool, str]:
    """Return whether the memory is immune, and the reason; unclear or without a reason means it is not."""
    explicit = reading.text("immune").strip()[:_LONGEST]
    kind = _kind(reading)
    if explicit:
        return _stated(explicit, kind, problems)
    keeps = list(_verdicts(kind, _KEEP))
    fades = list(_verdicts(kind, _FADE))
    if _EITHER.search(kind) or (any(whole for _, whole in keeps) and any(whole for _, whole in fades)):
        problems.append(Problem("kind", "it says both that it should be kept for good and that it may fade."))
        return False, ""
    keep = next((match for match, whole in keeps if whole), None)
    if keep is not None:
        return _with_reason(_reason(kind[keep.end() :]), problems)
    if keeps and not any(whole for _, whole in fades):
        problems.append(Problem("kind", "it would keep a part of it for good, and not the memory."))
    return False, ""


def judge_keeping(text: str) -> tuple[bool | None, str]:
    """Return whether a line keeps a memory for good (None: unclear), and the reason ("": none given)."""
    told = text.strip()[:_LONGEST]
    keeps = [match for match, whole in _verdicts(told, _KEEP) if whole]
    fades = [match for match, whole in _verdicts(told, _FADE) if whole]
    if _EITHER.search(told) or bool(keeps) == bool(fades):
        return None, ""
    found = (keeps or fades)[0]
    reason = _reason(told[found.end() :]) or told[: found.start()].strip(' \t,;:–—-*_"“”.')
    return bool(keeps), " ".join(reason.split())


def _stated(explicit: str, kind: str, problems: list[Problem]) -> tuple[bool, str]:
    """Return immunity from a field of its own: yes or no, and the reason, if any."""
    word, _, rest = explicit.partition("\n")
    head = re.split(r"\s*[,;:(—–-]\s*|\s+because\s+", word.strip().casefold(), maxsplit=1)[0].strip(" .*\"'")
    if head in _FALSE or _FADE.search(explicit) or head.startswith(("not ", "no ")):
        return False, ""
    if head in _TRUE or any(True for _ in _verdicts(explicit, _KEEP)):
        reason = re.sub(
            r"(?i)^\W*(?:yes|true|y|immune|granted|keep (?:whole|for good))\b[\s,;:.(—–-]*"
            r"(?:because\s+(?!of\b))?",
            "",
            explicit,
        )
        kept = _KEEP.search(kind)
        reason = " ".join((reason or rest or (_reason(kind[kept.end() :]) if kept else "")).split())
        return _with_reason(reason.rstrip(") "), problems)
    problems.append(Problem("immune", f"{head!r} says neither that it is immune nor that it is not."))
    return False, ""


def _verdicts(text: str, pattern: re.Pattern[str]) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield each verdict that is not denied, and whether it is about the memory and not a part of it."""
    for match in pattern.finditer(text):
        clause = re.split(r"[.;!?\n]", text[: match.start()])[-1]
        if _NOT.search(clause):
            continue
        what = (match.groupdict().get("what") or "").strip(" *_\"'“”")
        whole = not what or bool(re.fullmatch(rf"{_WHOLE}", what, re.IGNORECASE))
        if pattern is _FADE:
            whole = bool(
                _SUBJECT.fullmatch(re.split(r"[,:(—–]|\b(?:but|and)\b", clause)[-1])
            ) and not _PART.search(clause)
        elif whole:
            whole = not _PART.search(clause)
        yield match, whole


def _reason(rest: str) -> str:
    """Return the reason that follows the verdict, without the words that lead into it."""
    rest = re.sub(r"^[\s\"'”’*_.,;:)(—–-]+", "", rest)
    rest = re.sub(r"^(?:because(?!\s+of\b)|why|reason|since|as)\b[\s:]*", "", rest, flags=re.IGNORECASE)
    return "" if _NO_REASON.match(rest) else " ".join(rest.split())


def _with_reason(reason: str, problems: list[Problem]) -> tuple[bool, str]:
    if count_words(reason) < 2:
        problems.append(Problem("immune", "it asks to be kept for good and gives no reason."))
        return False, ""
    if is_age_alone(reason):
        problems.append(
            Problem("immune", "being old is no reason to keep it for good, and it gives no other.")
        )
        return False, ""
    return True, reason
