"""Words that show a page was written about the persona and not by it; flagged, never changed."""

import re
from collections.abc import Mapping

from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import Schema
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line

_MACHINE = re.compile(
    r"\b(?:as an ai\b|ai (?:language )?model|language model|ai assistant|virtual assistant"
    r"|memory system|context window|my (?:training|programming)"
    r"|(?:the|this) (?:user|assistant)(?= (?:asked|said|wanted|requested|and|mentioned|told)\b))",
    re.IGNORECASE,
)
_LETTER = re.compile(
    r"(?:dear|hi|hello|hey) [^\W\d_][\w' -]{0,30}[,!:]|to my (?:future|next) self\b", re.IGNORECASE
)
_QUOTED = re.compile(r"\"[^\"\n]{0,400}\"|“[^”\n]{0,400}”")


def find_slips(schema: Schema, values: Mapping[str, Value]) -> list[Problem]:
    """Return a problem for each prose field that mentions language models, or greets like a letter.

    What stands in quotation marks was said by someone, and lists quote.
    """
    found: list[Problem] = []
    for spec in schema.fields:
        value = values.get(spec.key)
        if value is None or spec.shape != "prose":
            continue
        own = _QUOTED.sub("", value.text)
        machine = _MACHINE.search(own)
        if machine:
            found.append(
                Problem(spec.key, f"It says “{one_line(machine[0], 40)}”, which the persona would not.")
            )
        greeting = _LETTER.match(value.text)
        if greeting:
            found.append(Problem(spec.key, f"It begins like a letter (“{one_line(greeting[0], 40)}”)."))
    return found
