"""Working notes gone through: which of them may go, which stay, in fewer words where they can (REEL §4.3)."""

import re
from collections.abc import Sequence
from dataclasses import replace

from reel_cli.core.exchange.reader.reader import read_reply
from reel_cli.core.exchange.schema import CHECKPOINT
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Delta, Problem
from reel_cli.core.values.memory import Item
from reel_cli.features.page.working_notes import parse_notes


def render_tidying(  # noqa: PLR0913
    name: str, user: str, identity: str, notes: str, *, words: int, most: int
) -> str:
    """Ask which of the numbered notes may go, with ring 0 loaded; `words` they have, `most` would do."""
    intro, _, outro = read_ask("tidy").partition("\n---\n")
    values = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "notes": notes,
        "words": f"{words:,}",
        "most": f"{most:,}",
    }
    whole = f"{intro.strip()}\n\n{outro.strip()}\n"
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], whole)


def read_tidying(
    reply: str, items: Sequence[Item], *, prompt: str, names: Sequence[str]
) -> tuple[Delta | None, tuple[Problem, ...], bool]:
    """Return the changes to the notes, the problems, and whether the reply is the prompt pasted back.

    None where the reply holds nothing about them. What it adds that was not asked for is named and left.
    """
    whole = CHECKPOINT.only(("notes",))
    schema = replace(whole, fields=tuple(replace(spec, hint="") for spec in whole.fields))
    reading = read_reply(reply, schema, prompt=prompt, names=names)
    if reading.is_prompt or not reading.text("notes"):
        return None, reading.problems, reading.is_prompt
    delta = parse_notes(reading.text("notes"), items)
    problems = [Problem("notes", f"this matches no note: {line}") for line in delta.unmatched]
    problems += [Problem("notes", f"this was not asked for and is left out: {line}") for line in delta.new]
    return delta, (*reading.problems, *problems), False
