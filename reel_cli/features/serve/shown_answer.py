"""An answer as the page shows it: its lines, each to keep, edit or drop, and what they would change."""

import hashlib
import json
import re
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from starlette.datastructures import FormData

    from reel_cli.features.serve.commands import Answer

MOST_LINES = 300
"""Lines of an answer above which it is edited as one text: a page has some thirty."""
_LONGEST_NAME = 60
_LINE = re.compile(r"line-(\d{1,4})-(\d{1,4})")
_FEWEST_CELLS = 3
"""Cells of a fact: its kind, its name and its value; a sentence, a quotation and how sure it is follow."""
_NO_WORDS = re.compile(r"[\"“„«]|[\d.,%~ ]+\Z|(?:high|medium|low)\Z", re.IGNORECASE)
_KINDS = {"new": "new", "+": "new", "closed": "gone", "changed": "other"}
"""Words by which the terminal tells a change, and its kind on the page."""


@frozen
class AnswerLine:
    """One line of an answer; what is not kept is left out of it."""

    text: str
    kept: bool = True

    @property
    def told(self) -> str:
        """Return what a row of cells, such as a fact, says to a person; "" where the line is no such row."""
        cells = [cell.strip(" *_`") for cell in self.text.strip("-•| ").split("|")]
        if "\n" in self.text or len(cells) < _FEWEST_CELLS or not all(cells[:_FEWEST_CELLS]):
            return ""
        words = (cell for cell in cells[_FEWEST_CELLS:] if cell and not _NO_WORDS.match(cell))
        return f"{cells[1]}: {next(words, cells[2])}"


@frozen
class AnswerPart:
    """A part of an answer: its heading and its lines."""

    label: str
    lines: "Sequence[AnswerLine]"

    @property
    def says_nothing(self) -> bool:
        """Return whether the part only says that there is nothing."""
        from reel_cli.core.exchange.reader.values import says_nothing

        return all(says_nothing(line.text) for line in self.lines)


@frozen
class ShownChange:
    """One thing that an answer would change: a heading, and lines, each with its kind, "" for plain words.

    `more` are the lines that only tell again what the answer itself says.
    """

    heading: str
    lines: "Sequence[tuple[str, str]]"
    more: "Sequence[tuple[str, str]]" = ()


@frozen
class ReadAnswer:
    """An answer as `reel checkpoint --dry-run --json` read it.

    `why` says why it cannot be kept, "" where it can; `missing` are parts that did not come, which `rest`
    asks for. If nothing else is wrong, `came` of the parts `asked` for came, `broken` is the one that breaks
    off, and `besides` are others that came. `digest` names what is shown here, and only that is kept.
    """

    why: str
    parts: "Sequence[AnswerPart]" = ()
    missing: "Sequence[str]" = ()
    rest: str = ""
    changes: "Sequence[ShownChange]" = ()
    problems: "Sequence[str]" = ()
    digest: str = ""
    came: int = 0
    asked: int = 0
    broken: str = ""
    besides: "Sequence[str]" = ()


def read_shown(done: "Answer") -> ReadAnswer:
    """Return what the command told of an answer."""
    told = json.loads(done.out) if done.out.strip() else {}
    parts = [
        AnswerPart(label, [AnswerLine(text) for text in lines])
        for label, lines in told.get("came", {}).items()
        if lines
    ]
    many = sum(len(part.lines) for part in parts)
    changes = [_read_change(**one) for one in told.get("changed", ())]
    half = told.get("half") or {"came": 0, "asked": 0, "broken": "", "besides": ()}
    # they are told in one line
    named = {f"“{label}” is missing." for label in told.get("missing", ())}
    named.add(f"“{half['broken']}” breaks off in the middle.")
    return ReadAnswer(
        "" if done.ok else done.plain,
        parts if many <= MOST_LINES else (),
        told.get("missing", ()),
        told.get("repair", ""),
        changes,
        [
            what
            for what in dict.fromkeys(
                problem["what"] for problem in told.get("problems", ()) if not problem.get("quiet")
            )
            if what not in named
        ],
        told.get("digest", ""),
        **half,
    )


def _read_change(what: str, lines: "Sequence[str]", short: int) -> ShownChange:
    marked = [(_KINDS.get(re.split(r":? ", line, maxsplit=1)[0], ""), line) for line in lines]
    # what waits is decided on another page, without that command
    return ShownChange(what.partition(", in  reel ")[0], marked[:short], marked[short:])


def write_answer(parts: "Sequence[AnswerPart]") -> str:
    """Return the answer that these parts make, without the lines that are not kept."""
    return "\n\n".join("\n\n".join((f"## {part.label}", *_kept(part))) for part in parts)


def _kept(part: AnswerPart) -> "Iterator[str]":
    left = [line.text for line in part.lines if line.kept and line.text.strip()]
    # a heading with nothing below it would be asked for again
    yield from left or ["nothing"]


def name_parts(parts: "Sequence[AnswerPart]") -> str:
    """Return a name of these parts as they stand, to tell whether a person changed them."""
    return hashlib.sha256(write_answer(parts).encode("utf-8", "replace")).hexdigest()[:16]


def read_parts(form: "FormData") -> "Sequence[AnswerPart]":
    """Return the parts as a person left them: which lines are ticked, and what each says."""
    found: dict[int, dict[int, AnswerLine]] = {}
    for name in form:
        match = _LINE.fullmatch(name)
        if match:
            part, line = int(match[1]), int(match[2])
            kept = f"keep-{part}-{line}" in form
            found.setdefault(part, {})[line] = AnswerLine(field(form, name), kept)
    return [
        AnswerPart(field(form, f"part-{number}"), [lines[at] for at in sorted(lines)])
        for number, lines in sorted(found.items())
    ]


def field(form: "Mapping[str, object]", name: str) -> str:
    """Return a field of a form; browsers end each line of it with two characters."""
    return str(form.get(name, "")).replace("\r\n", "\n")


@frozen
class GivenAnswer:
    """An answer as a person gave it: as it was pasted, and its lines as they left them, if they were shown.

    `name` is that of the lines as they were shown first.
    """

    reply: str
    parts: "Sequence[AnswerPart]" = ()
    name: str = ""
    brief: bool = False

    @property
    def text(self) -> str:
        """Return the answer that is to be read: as it was pasted while no line was changed."""
        if not self.parts or name_parts(self.parts) == self.name:
            return self.reply
        return f"{write_answer(self.parts)}\n\n{self._signature}".rstrip("\n")

    @property
    def _signature(self) -> str:
        """Return the name below the answer, by which its end is known; "" where it ends in a part."""
        last = self.reply.rstrip().rpartition("\n")[2].strip()
        inside = any(last and last in line.text for part in self.parts for line in part.lines)
        return "" if inside or last.startswith("#") or len(last) > _LONGEST_NAME else last


def read_given(form: "FormData") -> GivenAnswer:
    """Return the answer that a form holds; the rest of one that came in halves follows what came first."""
    reply, rest, brief = field(form, "reply"), field(form, "rest").strip(), bool(form.get("brief"))
    parts = read_parts(form)
    if rest:
        return GivenAnswer(f"{write_answer(parts) or reply}\n\n{rest}", brief=brief)
    return GivenAnswer(reply, parts, field(form, "parts"), brief)
