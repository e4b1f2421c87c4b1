"""The prompt by which a shared memory is taken in, and its reply (REEL §12.1, §6.2)."""

import re
from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile

from reel_cli.core.blockquote import set_apart
from reel_cli.core.exchange.lived_words import read_lived_reply
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.reader.values import Value
from reel_cli.core.exchange.schema import CONSOLIDATION, Schema, read_hints
from reel_cli.core.frozen import frozen
from reel_cli.core.resources import read_ask
from reel_cli.core.values.change import one_line

KEYS = ("title", "happened", "matters", "marker")
_RULE = "==="
_HEADING = re.compile(r"(?m)^[ \t]{0,3}#{1,6}[ \t]+\S")


@frozen
class TellingPrompt:
    """The contents of the prompt: who takes it in and who tells it, the title, the day in words, the text.

    `lived` where the taker was there, and `text` is what was said.
    """

    name: str
    teller: str
    identity: str
    title: str
    day: str
    text: str
    lived: bool


def render_telling(shown: TellingPrompt) -> str:
    """Ask for a shared memory in the taker's own words, with ring 0 loaded."""
    told, lived, middle, outro = read_ask("share").split("\n---\n")
    intro = lived if shown.lived else told
    hints = read_hints("share-parts")
    form = "\n".join(f"## {label}\n{hint}" for label, hint in hints.items())
    whole = f"{intro.strip()}\n\n{middle.strip()}\n\n{form}\n\n{outro.strip()}\n"
    whole = whole.replace(_RULE, rule_beyond(shown.text))
    fill = {
        "name": shown.name,
        "teller": shown.teller,
        "identity": shown.identity.strip(),
        "title": one_line(shown.title),
        "when": f" ({shown.day})" if shown.day else "",
        "text": set_apart(shown.text.strip("\n")),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def read_telling(reply: str, *, prompt: str, names: Sequence[str]) -> ReplyReading:
    """Return a reply under the requested headings; `names` are those it may be signed with.

    Text under any other heading is left out: no part of what was told stands there.
    """
    reading = read_lived_reply(reply, _schema(), prompt=prompt, names=names, once=True)
    values = {key: _until_heading(value) for key, value in reading.values.items() if key in KEYS}
    return replace(reading, values=values)


def _until_heading(value: Value) -> Value:
    """Return a value up to the first heading inside it."""
    found = _HEADING.search(value.text)
    if found is None:
        return value
    text = value.text[: found.start()].rstrip()
    lines = tuple(takewhile(lambda line: not _HEADING.match(line), value.lines))
    return replace(value, text=text, lines=lines, empty=not text)


def _schema() -> Schema:
    """Return a page's schema of which only what the prompt asks for is asked, and the rest is known."""
    hints = read_hints("share-parts")
    fields = tuple(
        replace(spec, hint=hints[spec.label], required=spec.key == "happened")
        if spec.key in KEYS
        else replace(spec, asked=False, required=False)
        for spec in CONSOLIDATION.fields
    )
    return replace(CONSOLIDATION, fields=fields)
