"""Exchange in which the persona checks a chapter of its story against the tape."""

import re
from collections.abc import Sequence
from dataclasses import dataclass

from reel_cli.core.blockquote import set_apart
from reel_cli.core.exchange.lived_words import read_lived_reply
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.resources import read_ask
from reel_cli.core.stage_chain import remove_syntax
from reel_cli.features.dream.dream import Amendment
from reel_cli.features.dream.reply import later_told, noticed_told
from reel_cli.features.dream.reply_amendments import split_amendments

REGROUND = Schema(
    "reground",
    (
        FieldSpec(
            "chapter",
            "Which chapter",
            names=("chapter",),
            loose=("the chapter",),
            shape="line",
            required=False,
        ),
        FieldSpec(
            "amend",
            "What does not fit",
            names=("amendments", "amend"),
            loose=("what doesn't fit", "does not fit", "corrections", "what drifted", "drift"),
        ),
    ),
    ("reground", "held against the tape", "my answer"),
)
"""Schema of a reply: amendments, or the statement that there is nothing to amend."""
_KEY = re.compile(r"\b(\d{1,6})-([0-9a-f]{4})\b")
_RULE = "==="


@dataclass(frozen=True, slots=True)
class Ground:
    """A chapter and its stretch as the prompt shows them; `key` is what it is called there (`3-7f2a`).

    `span` is the time in words, `noticed` why the person asks, `later` what was put right since.
    """

    key: str
    span: str
    chapter: str
    said: str
    noticed: str = ""
    later: str = ""


def render_reground(name: str, user: str, identity: str, ground: Ground) -> str:
    """Ask for one chapter, with ring 0 loaded."""
    intro, form, outro = read_ask("reground").split("\n---\n")
    whole = f"{intro.strip()}\n\n{form.strip()}\n\n{outro.strip()}\n"
    whole = whole.replace(_RULE, rule_beyond(f"{ground.chapter}\n{ground.said}\n{ground.later}"))
    fill = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "span": ground.span,
        "key": ground.key,
        "noticed": noticed_told(user, ground.noticed),
        "later": later_told(ground.later),
        "chapter": set_apart(ground.chapter.strip("\n")),
        "said": set_apart(ground.said.strip("\n")),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def read_reground(reply: str, *, prompt: str, names: Sequence[str]) -> ReplyReading:
    """Return a reply under the requested headings; `names` are those it may be signed with."""
    return read_lived_reply(reply, REGROUND, prompt=prompt, names=names)


def chapter_named(reading: ReplyReading, reply: str) -> str:
    """Return the chapter a reply names (`3-7f2a`); "" if it names none."""
    first = reply.strip()[:80].partition("\n")[0]
    found = _KEY.search(reading.text("chapter")) or re.fullmatch(rf"\W*{_KEY.pattern}\W*", first)
    return f"{found[1]}-{found[2]}" if found else ""


def parse_reground(reading: ReplyReading, reply: str, names: Sequence[str]) -> list[Amendment] | None:
    """Return the amendments, [] if there are none to make; None if the reply says neither.

    An answer without the headings is understood where its lines begin with Amend.
    """
    if reading.empty("amend"):
        return []
    text = reading.text("amend")
    if not text:
        signed = {name.casefold() for name in names}
        lines = [line for line in reply.splitlines() if line.strip(" *_.—–-").casefold() not in signed]
        text = remove_syntax("\n".join(lines))
    rest, found = split_amendments(text)
    return found if found or says_nothing(rest) else None
