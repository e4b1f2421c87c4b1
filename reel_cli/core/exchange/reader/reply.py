"""Readings of a reply: its fields by key, what is missing, slips of voice, and the merge of two readings."""

import re
from collections.abc import Mapping
from dataclasses import field, replace

from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.repetition import Repetition
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.frozen import frozen
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line

_YES = frozenset({"yes", "true", "y", "shifted", "detected"})


@frozen
class ReplyReading:
    """The reading of a reply under a schema.

    `values` are by field key; `missing` are required fields without a value, in the prompt's order;
    `problems` name what is ambiguous. `cut_off` says the reply stops short, `is_prompt` that it is
    the prompt pasted back. `proposed` are texts under headings that name nothing, which may be the
    missing fields'. `last` is the key of the field the reply ends in, `broken` that of one it breaks off in
    with others still to come, `repeated` what the reply says over and over.
    """

    schema: Schema
    values: Mapping[str, Value] = field(default_factory=dict)
    missing: tuple[FieldSpec, ...] = ()
    problems: tuple[Problem, ...] = ()
    cut_off: bool = False
    is_prompt: bool = False
    dialect: str = "none"
    proposed: Mapping[str, Value] = field(default_factory=dict)
    last: str = ""
    broken: str = ""
    repeated: Repetition | None = None

    def text(self, key: str) -> str:
        """Return a field's own words; "" if there are none."""
        value = self.values.get(key)
        return value.text if value else ""

    def lines(self, key: str) -> tuple[str, ...]:
        """Return a field's items; () if there are none."""
        value = self.values.get(key)
        return value.lines if value else ()

    def empty(self, key: str) -> bool:
        """Return whether a field is present and says that there is nothing."""
        value = self.values.get(key)
        return bool(value and value.empty)

    @property
    def answered(self) -> tuple[FieldSpec, ...]:
        """Return the fields asked for that came through, in the prompt's order."""
        return tuple(spec for spec in self.schema.asked if answers(spec, self.values))

    @property
    def findings(self) -> tuple[Problem, ...]:
        """Return all problems of the reply: what is missing, then what is ambiguous."""
        told = {problem.field for problem in self.problems}
        lacking = (Problem(s.key, f"“{s.label}” is missing.") for s in self.missing if s.key not in told)
        return (*lacking, *self.problems)


def merge(first: ReplyReading, second: ReplyReading) -> ReplyReading:
    """Return the first reading, completed by the second, a repair, where it was missing or ambiguous.

    What the first has beyond doubt stays, whatever the second says of it.
    """
    doubtful = {problem.field for problem in first.problems} | {spec.key for spec in first.missing}
    if first.cut_off:
        doubtful.add(first.last)
    doubtful.add(first.broken)
    taken = {
        key: value
        for key, value in second.values.items()
        if key not in first.values or (key in doubtful and (value.text or not first.values[key].text))
    }
    values = {**first.values, **taken}
    order = {spec.key: place for place, spec in enumerate(first.schema.fields)}
    values = dict(sorted(values.items(), key=lambda item: order.get(item[0], len(order))))
    kept = [problem for problem in first.problems if problem.field not in taken]
    problems = [*kept, *(p for p in second.problems if p.field in taken and p not in kept)]
    whole = replace(first, values=values, problems=tuple(problems))
    missing = missing_of(whole)
    # a part that broke off stays so until it comes again
    broken = first.broken if first.broken not in taken else ""
    if second.broken in taken:
        broken = second.broken
    return replace(
        whole,
        missing=missing,
        cut_off=bool(missing) and (second.cut_off or (first.cut_off and not taken)),
        is_prompt=first.is_prompt and second.is_prompt,
        dialect=first.dialect if first.values else second.dialect,
        proposed={key: value for key, value in first.proposed.items() if key not in values},
        last=second.last or first.last,
        broken=broken if missing else "",
        repeated=second.repeated or first.repeated,
    )


def answers(spec: FieldSpec, values: Mapping[str, Value]) -> bool:
    """Return whether these values answer a field, directly or by one that stands in for it."""
    value = values.get(spec.key)
    if value is not None and not (spec.filled and value.empty):
        return True
    given = [values[key] for key in spec.instead if key in values]
    # "drift detected: yes" announces a description but gives none
    return any(squash(value.text) not in _YES for value in given)


def missing_of(reading: ReplyReading) -> tuple[FieldSpec, ...]:
    """Return the required fields that a reading does not answer."""
    return tuple(s for s in reading.schema.fields if s.required and not answers(s, reading.values))


_MACHINE = re.compile(
    r"\b(?:as an ai\b|ai (?:language )?model|language model|ai assistant|virtual assistant"
    r"|memory system|context window|my training (?:data|cut-?off|set)\b"
    r"|my programming\b(?= (?:does|did|allows|forbids|prevents|says))"
    r"|(?:the|this) (?:user|assistant)(?= (?:asked|said|wanted|requested|and|mentioned|told)\b))",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"(?:dear|hi|hello|hey) [^\W\d_][\w' -]{0,30}[,!:]|to my (?:future|next) self\b", re.IGNORECASE
)
_QUOTED = re.compile(r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”")


def find_slips(schema: Schema, values: Mapping[str, Value], prompt: str = "") -> list[Problem]:
    """Return a problem for each prose field that mentions language models, or greets like a letter.

    What stands in quotation marks was said by someone, and lists quote. A persona whose own pages in the
    prompt call it a language model may call itself one.
    """
    handed = frozenset(match[0].casefold() for match in _MACHINE.finditer(prompt))
    found: list[Problem] = []
    for spec in schema.fields:
        value = values.get(spec.key)
        if value is None or spec.shape != "prose":
            continue
        own = _QUOTED.sub("", value.text)
        machine = next((one for one in _MACHINE.finditer(own) if one[0].casefold() not in handed), None)
        if machine:
            found.append(
                Problem(spec.key, f"It says “{one_line(machine[0], 40)}”, which the persona would not.")
            )
        greeting = _LETTER.match(value.text)
        if greeting:
            found.append(Problem(spec.key, f"It begins like a letter (“{one_line(greeting[0], 40)}”)."))
    return found
