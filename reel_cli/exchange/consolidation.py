"""A read reply as a consolidation: the five fields, and what has defaults (REEL §6.2)."""

import re
from collections.abc import Sequence

from reel_cli.exchange.reader import Reading
from reel_cli.model.artifact import Consolidation, Problem
from reel_cli.model.memory import PROTOCOL_TAGS, implies_immunity

_TAG = re.compile(rf"\b({'|'.join((*PROTOCOL_TAGS, 'relationship-definitional'))})\b", re.IGNORECASE)
_KEEP = re.compile(
    r"\b(?:keep (?:it |this |that |the |all of it )?(?:\w+ )?whole|(?<!not )(?<!non-)\bimmune\b)"
    r"|\bimmunity\b\W*(?:yes|true|granted)",
    re.IGNORECASE,
)
_FADE = re.compile(
    r"\b(?:(?:may|can|could|should|will|might|let it|let this|to) fade|not immune|no immunity|non-immune"
    r"|(?:don't|do not|needn't|need not|no need to|not) keep (?:it |this )?whole"
    r"|immun\w+\W*(?:no|false|none)\b)",
    re.IGNORECASE,
)
_EITHER = re.compile(r"keep (?:it )?whole\W{0,3}(?:or|/)\W{0,3}(?:it )?(?:may )?fade", re.IGNORECASE)
"""Both verdicts offered, as the prompt does: that is none."""
_TRUE = frozenset({"yes", "true", "y", "immune", "1", "granted", "keep whole"})
_FALSE = frozenset({"no", "false", "n", "not immune", "0", "none", "may fade"})


def parse_consolidation(reading: Reading) -> tuple[Consolidation, list[Problem]]:
    """Type a reading's consolidation fields; what is unclear is not granted, and named."""
    problems: list[Problem] = []
    tags = _tags(reading)
    immune, reason = _immunity(reading, problems)
    return (
        Consolidation(
            happened=reading.text("happened"),
            changed=reading.text("changed"),
            matters=reading.text("matters"),
            unresolved=reading.lines("unresolved"),
            anchors=_phrases(reading.lines("anchors")),
            title=_title(reading.text("title")),
            tags=tags,
            immune=immune or implies_immunity(tags),
            immune_reason=reason or _implied(tags),
            marker=" ".join(reading.text("marker").split()),
            tag=" ".join(reading.text("tag").split()),
        ),
        problems,
    )


def _implied(tags: Sequence[str]) -> str:
    """Why tags alone keep a memory from being pruned."""
    return "its tags make it part of who the persona is" if implies_immunity(tags) else ""


def _title(text: str) -> str:
    """One line without quotes, emphasis or a full stop."""
    line = next((part.strip() for part in text.splitlines() if part.strip()), "")
    line = re.sub(r"^[`\"']*title[`\"']*\s*:[`\s]*", "", line, flags=re.IGNORECASE)
    return line.strip("*_#\"'“”‘’` ").rstrip(".").replace("|", "/").strip()


def _phrases(lines: Sequence[str]) -> tuple[str, ...]:
    """The phrases in the lines: each quoted run, else the line itself without who said it."""
    found: list[str] = []
    for line in lines:
        quoted = re.findall(r'"([^"\n]+)"|“([^”\n]+)”|„([^“”\n]+)[“”]|«([^»\n]+)»', line)
        if quoted:
            found.extend(next(part for part in parts if part).strip() for parts in quoted)
            continue
        plain = re.sub(r"\s+[—–-]\s+\w+(?: \w+)?$", "", line.strip().strip("*_`").strip())
        found.append(plain.strip().strip("'‘’\"").strip())
    return tuple(dict.fromkeys(phrase for phrase in found if phrase))


def _tags(reading: Reading) -> tuple[str, ...]:
    """The protocol's tags named before the verdict on keeping, and a person's own from a `tags` field."""
    named: list[str] = []
    own = reading.lines("tags")
    for line in own:
        plain = line.strip().strip("\"'`*[]").casefold()
        if re.fullmatch(r"[\w][\w -]{1,38}", plain):
            named.append(plain.replace(" ", "-"))
    kind = reading.text("kind")
    verdict = min((m.start() for m in (_KEEP.search(kind), _FADE.search(kind)) if m), default=len(kind))
    for match in _TAG.finditer(kind[:verdict]):
        before = kind[max(0, match.start() - 5) : match.start()].casefold()
        if not re.search(r"\b(?:not|no|nor)\s*$", before):
            named.append(match[1].casefold())
    return tuple(dict.fromkeys(named))


def _immunity(reading: Reading, problems: list[Problem]) -> tuple[bool, str]:
    """Whether the memory is to be kept whole, and why; unclear or without a reason means not."""
    explicit = reading.text("immune").strip()
    kind = reading.text("kind")
    if explicit:
        word, _, rest = explicit.partition("\n")
        head = re.split(r"\s*[,;:(—–-]\s*|\s+because\s+", word.strip().casefold(), maxsplit=1)[0].strip(
            " .*\"'"
        )
        if head in _FALSE or _FADE.search(explicit):
            return False, ""
        if head in _TRUE or _KEEP.search(explicit):
            reason = re.sub(
                r"(?i)^\W*(?:yes|true|y|immune|granted|keep whole)\b[\s,;:.(—–-]*(?:because\s+)?",
                "",
                explicit,
            )
            reason = " ".join((reason or rest or _reason(kind)).split()).rstrip(") ")
            return _with_reason(reason, problems)
        problems.append(Problem("immune", f"{head!r} says neither that it is immune nor that it is not."))
        return False, ""
    if _EITHER.search(kind):
        problems.append(Problem("kind", "it says both that it should be kept whole and that it may fade."))
        return False, ""
    # the first verdict is the memory's; a later one speaks of parts ("the small talk may fade")
    fade, keep = _FADE.search(kind), _KEEP.search(kind)
    if keep and (fade is None or keep.start() < fade.start()):
        return _with_reason(_reason(kind), problems)
    return False, ""


def _reason(kind: str) -> str:
    found = _KEEP.search(kind)
    if not found:
        return ""
    rest = kind[found.end() :]
    rest = re.sub(r"^[\s\"'”’*_.,;:)(—–-]+", "", rest)
    rest = re.sub(r"^(?:because|why|reason|since|as)\b[\s:]*", "", rest, flags=re.IGNORECASE)
    return " ".join(rest.split())


def _with_reason(reason: str, problems: list[Problem]) -> tuple[bool, str]:
    if len(reason.split()) < 2:
        problems.append(Problem("immune", "it asks to be kept whole and gives no reason, so it may fade."))
        return False, ""
    return True, reason
