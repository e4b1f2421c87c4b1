"""Removal of what surrounds an answer: hidden thought, control codes, the pasted prompt, fences, endings."""

import re
from collections.abc import Iterable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.exchange.reader.labels import SECTION, Names, find_labels, squash
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.frozen import frozen, late

_FENCE = re.compile(r"[ \t>]{0,40}(`{3,}|~{3,})[ \t]*([\w+-]{0,40})[ \t]*")


@frozen
class Fence:
    """One fence: its opening line, its closing line (None where it is never closed)."""

    first: int
    last: int | None

    def holds(self, line: int) -> bool:
        """Return whether the line is inside the fence."""
        return self.first < line and (self.last is None or line < self.last)


@frozen
class _Mark:
    line: int
    ticks: str
    indent: int
    named: bool


def is_fence(line: str) -> bool:
    """Return whether the line opens or closes a code fence."""
    return ("```" in line or "~~~" in line) and bool(_FENCE.fullmatch(line))


def find_fences(lines: Sequence[str], first_label: int) -> tuple[Fence | None, list[Fence]]:
    """Return the fence around the whole answer, if any, and the other fences, in order.

    A fence is around the whole when it opens before the first label and what lies between it and
    the last fence line, or the end, pairs up by itself.
    """
    marks = [
        _Mark(number, found[1], found.start(1), bool(found[2]))
        for number, line in enumerate(lines)
        if ("```" in line or "~~~" in line) and (found := _FENCE.fullmatch(line))
    ]
    if marks and marks[0].line < first_label:
        inner = marks[1:]
        if inner and not inner[-1].named and inner[-1].line > first_label and _pairs_up(inner[:-1]):
            return Fence(marks[0].line, inner[-1].line), _pair(inner[:-1])
        if len(inner) % 2 == 0 and _pairs_up(inner):
            return Fence(marks[0].line, None), _pair(inner)
    return None, _pair(marks)


def _pairs_up(marks: Sequence[_Mark]) -> bool:
    return all(fence.last is not None for fence in _pair(marks))


def _pair(marks: Sequence[_Mark]) -> list[Fence]:
    found: list[Fence] = []
    opened: _Mark | None = None
    for mark in marks:
        if opened is None:
            opened = mark
        elif not mark.named and mark.ticks.startswith(opened.ticks) and mark.indent <= opened.indent + 1:
            found.append(Fence(opened.line, mark.line))
            opened = None
    if opened is not None:
        found.append(Fence(opened.line, None))
    return found


LONGEST = 8_000_000
"""A reply of more characters is refused; a page has a few thousand."""
MOST_LINES = 200_000
"""A reply of more lines is refused."""
_REGION = 60
"""Lines below one label that are taken for the prompt's; more are quoted text."""
_TELLING = 8
_PREFIX = 20
"""Letters that identify a line of the prompt, even if it is cut off there."""
_MOSTLY = 0.8
_TAGS = r"think|thinking|thoughts?|reasoning|scratchpad|seed:think|mm:think"
_THOUGHT = re.compile(
    rf"(?P<open><(?:{_TAGS})>|\[THINK\]|◁think▷|<\|begin_of_thought\|>|<\|channel\|>\s*(?:analysis|commentary)\b)"
    rf"|(?P<close></(?:{_TAGS})>|\[/THINK\]|◁/think▷|<\|end_of_thought\|>|<\|channel\|>\s*final\s*<\|message\|>)",
    re.IGNORECASE,
)
_TOKEN = re.compile(r"<\|[\w/]{1,30}\|>|</?s>|<(?:end_of_turn|start_of_turn|eos|bos|pad)>|\[/?INST\]")
_BREAKS = re.compile("\r\n|[\r\x0b\x0c\x1c-\x1e\x85\u2028\u2029]")
_CONTROL = re.compile("[\x00-\x08\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2060\u2066-\u2069\ufeff]")
_PLACEHOLDER = re.compile(r"\{\{\w+\}\}")


def clean(text: str) -> tuple[str, bool]:
    """Return the answer as plain text with LF, and whether it broke off inside a hidden thought.

    Raises ReelError when the text is far too long to be a reply.
    """
    if len(text) > LONGEST or text.count("\n") + text.count("\r") > MOST_LINES:
        message = "This is far too long to be a reply."
        raise ReelError(message, hint="copy only the model's last answer")
    text = safe(text)
    text, cut = _without_thought(text)
    return _unquoted(_TOKEN.sub("", text)), cut


def safe(text: str) -> str:
    """Return the text with LF for every line break and without control codes or lone surrogates."""
    plain = _CONTROL.sub("", _BREAKS.sub("\n", text))
    try:
        plain.encode()
    except UnicodeEncodeError:
        plain = plain.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    return plain


def _without_thought(text: str) -> tuple[str, bool]:
    """Cut through the last thought's end, whether or not its beginning is there.

    A thought at the very end leaves what stands before it; one that never ends, too.
    """
    marks = list(_THOUGHT.finditer(text))
    end, cut = len(text), False
    while marks:
        last = marks.pop()
        if last["open"]:
            end, cut = last.start(), cut or not text[last.end() : end].isspace()
        elif text[last.end() : end].strip():
            return text[last.end() : end], cut
        else:
            while marks and not marks[-1]["open"]:
                marks.pop()
            end = marks.pop().start() if marks else 0
    return text[:end], cut


def _unquoted(text: str) -> str:
    """Return the text without quote marks if nearly every line has one."""
    if ">" not in text:
        return text
    lines = text.split("\n")
    filled = [line.lstrip() for line in lines if line and not line.isspace()]
    if sum(line.startswith(">") for line in filled) * 10 < len(filled) * 9:
        return text
    return "\n".join(
        line.lstrip().removeprefix(">").removeprefix(" ") if line.lstrip().startswith(">") else line
        for line in lines
    )


def rejoin_prompt(text: str, prompt: str) -> str:
    """Return the text with the prompt's lines whole again where a terminal broke them, or cut the first one.

    A text that is copied from a screen has a line break at each edge, also within a word. A first line is a
    cut one where the prompt goes on below it; else it may well be the answer's own.
    """
    told = {folded: line for line in prompt.split("\n") if len(folded := squash(line)) >= _TELLING}
    by_start: dict[str, list[str]] = {}
    for folded in told:
        by_start.setdefault(folded[:_TELLING], []).append(folded)
    longest = max(map(len, told.values()), default=0)
    lines = text.split("\n")
    pieces = [squash(line) if len(line) <= longest else "" for line in lines]
    first = next((at for at, piece in enumerate(pieces) if piece), len(lines))
    found, at = lines[:first], first
    while at < len(lines):
        whole, size = "", 0
        if pieces[at] and pieces[at] not in told:
            starts = by_start.get(pieces[at][:_TELLING], ()) if at > first else [*told]
            whole, size = _find_broken(pieces[at : at + _REGION], starts, cut=at == first)
            if at == first and size and not _goes_on([*told], whole, pieces[at + size :]):
                size = 0
        found += [told[whole]] if size else [lines[at]]
        at += max(1, size)
    return "\n".join(found)


def _goes_on(told: Sequence[str], line: str, pieces: Iterable[str]) -> bool:
    """Return whether the next piece of some length begins the prompt's line after this one."""
    after = told[told.index(line) + 1 :]
    piece = next((one for one in pieces if len(one) >= _TELLING), "")
    return bool(piece and after) and after[0].startswith(piece)


def _find_broken(pieces: Sequence[str], told: Iterable[str], *, cut: bool) -> tuple[str, int]:
    """Return the prompt's line of which the first pieces consist, and how many; `cut`: of its end alone."""
    for line in told:
        size, had = 0, ""
        while size < len(pieces) and pieces[size] and (had + pieces[size]) in line:
            had += pieces[size]
            size += 1
            if line.endswith(had) if cut else line == had:
                return (line, size) if len(had) >= _TELLING else ("", 0)
    return "", 0


def after_prompt(text: str, prompt: str) -> str:
    """Return the text after the prompt, if the prompt was pasted with the answer; else the text unchanged."""
    told = [folded for line in prompt.split("\n") if len(folded := squash(line)) >= _TELLING]
    if len(told) < 3:
        return text
    lines = text.split("\n")
    longest = max(len(line) for line in prompt.split("\n")) * 2 + 40
    seen = [squash(line) if len(line) <= longest else "" for line in lines]
    last = next((n for n in range(len(seen) - 1, -1, -1) if seen[n] == told[-1]), -1)
    wanted = {folded for line in prompt.split("\n") if (folded := squash(line))}
    before = [folded for folded in seen[: last + 1] if folded][-len(told) :]
    if last < 0 or sum(folded in wanted for folded in before) < _MOSTLY * len(told):
        return text
    rest = "\n".join(lines[last + 1 :])
    return rest if rest.strip() else text


@frozen
class Echoes:
    """The prompt's own words, by field; what of them stands in a reply is no answer."""

    lines: Mapping[str, frozenset[str]]
    patterns: Mapping[str, tuple[tuple[str, ...], ...]]
    hints: Mapping[str, str]
    longest: int

    def drop(self, key: str, text: str) -> str:
        """Return the text of a field without the prompt's words."""
        known, patterns = self.lines.get(key, frozenset()), self.patterns.get(key, ())
        if not known and not patterns:
            return text
        hint = self.hints.get(key, "")
        kept: list[str] = []
        after = False
        for line in text.split("\n"):
            # a short line counts as an echo of the prompt only right after another
            echo = self._is_echo(line, known, patterns, 1 if after else _TELLING)
            after = echo or (after and not line.strip())
            if not echo:
                kept.append(line)
        head = kept[0].lstrip("(*_ ") if kept else ""
        if hint and head.casefold().startswith(hint.casefold()):
            kept[0] = head[len(hint) :].lstrip(")*_ ")
        return "\n".join(kept)

    def _is_echo(
        self, line: str, known: frozenset[str], patterns: Iterable[tuple[str, ...]], least: int
    ) -> bool:
        if not least <= len(line) <= self.longest:
            return False
        folded = squash(line)
        return len(folded) >= least and (
            folded in known
            or (len(folded) >= _PREFIX and any(told.startswith(folded) for told in known))
            or any(
                folded.startswith(pieces[0])
                and folded.endswith(pieces[-1])
                and all(p in folded for p in pieces)
                for pieces in patterns
            )
        )


def find_echoes(schema: Schema, names: Names, prompt: str) -> Echoes:
    """Return the prompt's words below each label, from the sent prompt and from the schema's hints."""
    lines: dict[str, set[str]] = {}
    patterns: dict[str, list[tuple[str, ...]]] = {}
    longest = 0
    told = [(spec.key, line) for spec in schema.fields for line in spec.hint.split("\n")]
    # hints quote the kit, and an answer may use the same words
    quoting = {spec.key for spec in schema.fields if re.search(r"(?m)^\{\{\w+\}\}$", spec.hint)}
    below = [pair for pair in _below_labels(prompt.split("\n"), names) if pair[0] not in quoting]
    for key, line in [*told, *below]:
        longest = max(longest, len(line) * 2 + 200)
        pieces = tuple(squash(piece) for piece in _PLACEHOLDER.split(line))
        if len(pieces) > 1 and sum(map(len, pieces)) >= _TELLING:
            patterns.setdefault(key, []).append(pieces)
        elif pieces[0]:
            lines.setdefault(key, set()).add(pieces[0])
    return Echoes(
        {key: frozenset(found) for key, found in lines.items()},
        {key: tuple(found) for key, found in patterns.items()},
        {spec.key: spec.hint for spec in schema.fields if spec.hint and "\n" not in spec.hint},
        longest,
    )


def _below_labels(lines: Sequence[str], names: Names) -> list[tuple[str, str]]:
    """Return (field, line) for the lines below each of the prompt's headings."""
    labels = [label for label in find_labels(lines, names) if label.strong and label.key != SECTION]
    forms = [label.form for label in labels]
    form = max(forms, key=forms.count, default="")
    labels = [label for label in labels if label.form == form]
    found: list[tuple[str, str]] = []
    ends = [*(label.line for label in labels), len(lines)][1:]
    for label, end in zip(labels, ends, strict=True):
        region = lines[label.line + label.size : end]
        if len(region) > _REGION:
            blank = next((n for n, line in enumerate(region) if not line.strip()), _REGION)
            region = region[: min(blank, _REGION)]
        found.extend((label.key, line) for line in [label.text, *region] if line.strip())
    return found


_LEAST_SIGNED = 3
_LONE_NAME = late(r"[^\W\d_][\w'’-]{0,24}(?: [^\W\d_][\w'’-]{0,24})?")
_RULE = late(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")
_CHATTER = late(
    r"[*_(]{0,3}(?:please )?(?:let me know\b|i hope (?:this|that|it)\b|hope this\b|would you like (?:me|to)\b"
    r"|if you(?:'d|’d| would) like\b|if you (?:need|want|have)\b|is there anything\b|feel free\b"
    r"|shall i\b|should i\b|do you want me\b|i can also\b"
    r"|\(?note(?: that)?\b[:,]?|this (?:page|entry|checkpoint|journal) (?:was|is|captures|follows)\b"
    r"|end of (?:page|entry|checkpoint|journal)\b|word count\b)",
    re.IGNORECASE,
)
_YOU = late(r"\b(?:you|your|you'd|note|anything|page|entry|checkpoint|journal|word count)\b", re.IGNORECASE)
_VALEDICTION = late(
    r"[\W_]*(?:(?:with )?(?:all my )?(?:much )?love|yours(?: truly| always| ever)?|always(?: yours)?"
    r"|sincerely|(?:warmly|fondly)|best|until (?:next time|tomorrow|then)"
    r"|see you (?:soon|tomorrow|there)|signed)[\W_]*",
    re.IGNORECASE,
)
_CLOSED = late(r"[.!?…\"'”’»)\]*_`~>|。！？]$|[^\w\s,;:–—-]$")
_TAG = late(r"[ \t]*\[/[A-Za-z]{1,20}\][ \t]*")
_STAGED = late(r"[ \t]*\*(?!\*)[^*\n\"“”]{6,300}\*[ \t]*")
_AROUND_NAME = " *_—–-"
"""Characters that stand around a signature."""
_QUOTED = re.compile(r"[\"“”„«»]")
_BROKEN_WORDS = 5
_DOUBTFUL_WORDS = 2
_AFTER_NAME = 40
_AFTERWORD = 600
_SIGNATURE = 80


def strip_ending(text: str, names: Sequence[str]) -> tuple[str, bool]:
    """Return the last field without sign-off and closing chatter, and whether it was signed or closed.

    Only whole lines at the end go: from the line with a name in `names` on, for the name is the
    page's last line; a fence, a rule, a valediction, a closing tag; a stage direction, and a
    paragraph that speaks to the person about the page, where each stands apart.
    """
    lines = text.rstrip().split("\n")
    signed = _signature(lines, names)
    closed = signed is not None
    if signed is not None:
        del lines[signed:]
        while lines and (not lines[-1].strip() or _is_valediction(lines[-1])):
            lines.pop()
    lone = sum(map(is_fence, lines)) % 2 == 1
    while lines:
        line = lines[-1]
        if not line.strip() or (len(line) < _SIGNATURE and (_RULE.fullmatch(line) or _TAG.fullmatch(line))):
            lines.pop()
        elif lone and is_fence(line):
            lines.pop()
            lone = False
        else:
            start = _paragraph(lines)
            if start is None or not (_is_chatter(lines[start:]) or _STAGED.fullmatch(line)):
                break
            if not any(lines[n].strip() for n in range(start)):
                break
            del lines[start:]
            closed = True
    return "\n".join(lines), closed


def find_lone_name(text: str) -> str:
    """Return the name that stands alone at the end of a page, below its last part; "" for none."""
    lines = [line.strip() for line in text.rstrip().split("\n")]
    if len(lines) < _LEAST_SIGNED or lines[-2]:
        return ""
    before = next((line for line in reversed(lines[:-1]) if line), "#")
    found = _LONE_NAME.fullmatch(lines[-1].strip(_AROUND_NAME))
    return found[0] if found and found[0][:1].isupper() and not before.startswith("#") else ""


def _signature(lines: Sequence[str], names: Sequence[str]) -> int | None:
    """Return the line that holds only a name, separated from the text above it or last of all."""
    called = {squash(name) for name in names} | {squash(name.split()[0]) for name in names if name.split()}
    called -= {""}
    alone = called | {f"signed{name}" for name in called} | {f"signature{name}" for name in called}
    for number in range(len(lines) - 1, max(0, len(lines) - _AFTER_NAME), -1):
        line = lines[number]
        if len(line) > _SIGNATURE or not line.strip():
            continue
        if _QUOTED.search(line) and not any(
            line.strip(_AROUND_NAME) == name.strip(_AROUND_NAME) for name in names
        ):
            # a quotation, unless the marks are the name's own
            continue
        above = lines[number - 1]
        apart = not above.strip() or bool(_RULE.fullmatch(above[:_SIGNATURE])) or _is_valediction(above)
        if squash(line) in alone and (apart or number == len(lines) - 1):
            return number
        first, _, more = line.strip(_AROUND_NAME).partition(",")
        if apart and squash(first) in called and 0 < len(more.split()) < _BROKEN_WORDS + 1:
            return number
    return None


def _is_valediction(line: str) -> bool:
    if len(line) >= _SIGNATURE:
        return False
    words = line.strip(" ,")
    # "Yours, in a singlet," is a closing too
    return bool(_VALEDICTION.fullmatch(line)) or (
        line.rstrip().endswith(",")
        and len(words.split()) <= _BROKEN_WORDS
        and bool(_VALEDICTION.match(words))
    )


def _paragraph(lines: Sequence[str]) -> int | None:
    """Return the first line of the last paragraph, if that is short enough for an afterword."""
    for back in range(1, 5):
        at = len(lines) - back
        if at <= 0:
            return None
        if not lines[at - 1].strip() or _RULE.fullmatch(lines[at - 1][:200]):
            return at
    return None


def _is_chatter(lines: Sequence[str]) -> bool:
    """Return whether a paragraph only offers further service."""
    text = " ".join(lines)
    return len(text) < _AFTERWORD and bool(_CHATTER.match(text)) and bool(_YOU.search(text))


def stops_short(text: str, spec: FieldSpec) -> bool:
    """Return whether the last field ends in the middle of a sentence."""
    line = text.rstrip().rpartition("\n")[2].strip()
    if not line or _CLOSED.search(line[-2:]):
        return False
    if spec.shape == "prose":
        return len(line.split()) >= _BROKEN_WORDS
    if line.count('"') % 2 or line.count("“") > line.count("”"):
        # the quotation is never closed
        return True
    return line.endswith((",", ";", "-", "–", "—", " and", " the", " a", " of", " to"))


def trails_off(text: str, spec: FieldSpec) -> bool:
    """Return whether a field may end in the middle of a sentence, if nothing of what was to follow came.

    A short sentence without its end is a doubt then, and so is the one item of a list without it.
    """
    *before, line = [line.strip() for line in text.rstrip().split("\n") if line.strip()] or [""]
    if not line or _CLOSED.search(line[-2:]):
        return False
    if spec.shape == "prose":
        return len(line.split()) >= _DOUBTFUL_WORDS
    return bool(before) and all(_CLOSED.search(one[-2:]) for one in before)
