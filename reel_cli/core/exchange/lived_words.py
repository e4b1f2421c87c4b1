"""A reply's own words without STAGE and CHAIN syntax: a memory tells what was lived (REEL §5.2, §5.3)."""

from collections.abc import Collection, Sequence
from dataclasses import replace

from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import Schema
from reel_cli.core.stage_chain import find_syntax, protocol_syntax, remove_syntax, scene_tags
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line

_LONGEST = 40


def read_lived_reply(
    text: str, schema: Schema, *, prompt: str = "", names: Sequence[str] = (), once: bool = False
) -> ReplyReading:
    """Read a reply as `read_reply` does, without the scene tags and message headers in it.

    A problem of the reading names what was taken out of each field.
    """
    reading, taken_out = without_syntax(read_reply(text, schema, prompt=prompt, names=names, once=once))
    return replace(reading, problems=(*reading.problems, *taken_out)) if taken_out else reading


def without_syntax(reading: ReplyReading, also: Collection[str] = ()) -> tuple[ReplyReading, list[Problem]]:
    """Return a reading without scene tags and message headers, and a problem for each field that had some.

    `also` are the `scene_tags` of the chat that it is about.
    """
    values = dict(reading.values)
    also = {*also, *scene_tags(value.text for value in values.values())}
    problems: list[Problem] = []
    for key, value in reading.values.items():
        if not find_syntax(value.text, also):
            continue
        taken = protocol_syntax(value.text, also)
        if not taken:
            continue
        text = remove_syntax(value.text, also)
        lines = tuple(filter(None, (remove_syntax(line, also) for line in value.lines))) if text else ()
        values[key] = Value(text, lines, empty=not text)
        more = f" and {len(taken) - 1} more" if len(taken) > 1 else ""
        what = f"“{one_line(taken[0], _LONGEST)}”{more} was taken out: a scene tag or message header"
        problems.append(Problem(key, f"{what}, and a memory keeps what was lived"))
    return (replace(reading, values=values), problems) if problems else (reading, problems)
