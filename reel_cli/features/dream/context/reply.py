"""Exchange about the shared context: its prompt and the reading of the reply (Dream Weaver §9.1)."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from reel_cli.core.blockquote import set_apart
from reel_cli.core.exchange.lived_words import read_lived_reply
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.reply import ReplyReading
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.resources import read_ask
from reel_cli.features.dream.context.headings import FIELDS
from reel_cli.features.dream.context.shared_context import LISTS, PARTS
from reel_cli.features.dream.reply import DREAM, read_dream

_PLACE = FieldSpec(
    "place", "Up to which message", loose=("which message", "message"), shape="line", required=False
)
_LOOSE: Mapping[str, tuple[str, ...]] = {
    "now": ("current state", "the current state", "how things stand", "where we stand", "right now"),
    "hours": ("48 hours", "the last two days", "last two days", "lately", "recently"),
    "person": ("the person", "emotional state", "emotional context", "how you are", "the mood"),
    "blocked": ("blocked", "broken", "blockers", "blocked items", "what is blocked", "what is broken"),
    "next": ("next", "next up", "next steps", "what's next", "what is next", "up next"),
}
CONTEXT = Schema(
    "context",
    (_PLACE, *(replace(spec, required=True, loose=_LOOSE[spec.key]) for spec in FIELDS)),
    ("shared context", "the shared context", "context", "the page", "my page"),
)
"""Schema of a reply that was asked for nothing but this."""
_NAMED = re.compile(r"\b\d{4}-\d{2}-\d{2}-\d{1,6}#\d{1,9}\b")
_BELOW = re.compile(rf"\W*(?:up to which message\W+)?({_NAMED.pattern})", re.IGNORECASE)
_HEAD = 200
_MARK = re.compile(r"^[ \t]*[-*+•][ \t]+")
_RULE = "==="
_TOO_LONG = (
    " There is not room for all of it: what is asked for here may have {lines} together. Choose what counts,"
    " and say it in few words."
)
_MOST = {"now": 1, "hours": 10, "person": 1, "blocked": 6, "next": 8}
"""Maximum lines of each part; if not all parts fit, one with more lines is asked for again."""
_LONG = {"now": 600, "person": 600}
_LONG_LINE = 300
"""The same in characters."""


@dataclass(frozen=True, slots=True)
class Moment:
    """The values of a prompt for the shared context: the last message's name and day, and what was said.

    `stands` is the page as it stands, `notes` what else there is to go by; `lines` how many there may be.
    """

    key: str
    day: str
    said: str
    stands: str
    notes: str
    lines: int


def render_context_prompt(name: str, user: str, identity: str, moment: Moment) -> str:
    """Ask for the five parts, with ring 0 loaded."""
    intro, _, outro = read_ask("context").partition("\n---\n")
    whole = f"{intro.strip()}\n\n{_form(moment.key, PARTS)}\n\n{outro.strip()}\n"
    rule = rule_beyond(f"{moment.said}\n{moment.notes}\n{moment.stands}")
    blocks = (("Your page until now", moment.stands), ("What else you know", moment.notes))
    told = "".join(_block(title, text) for title, text in blocks)
    fill = {
        "name": name,
        "user": user,
        "day": moment.day,
        "lines": f"{moment.lines:,}",
        "identity": identity.strip(),
        "notes": told.replace(_RULE, rule) if rule != _RULE else told,
        "said": set_apart(moment.said.strip("\n")),
    }
    whole = whole.replace(_RULE, rule)
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def _block(title: str, text: str) -> str:
    return (
        f"{_RULE} {title} {_RULE}\n{set_apart(text.strip())}\n{_RULE} The end of that {_RULE}\n\n"
        if text.strip()
        else ""
    )


def _form(key: str, parts: Iterable[str]) -> str:
    texts = {spec.key: spec for spec in FIELDS}
    named = [f"## {_PLACE.label}\nCopy this: {key}"] if key else []
    return "\n".join([*named, *(f"## {texts[part].label}\n{texts[part].hint}" for part in parts)])


def render_context_rest(
    name: str, user: str, asked: Sequence[str], key: str, *, lines: int | None = None
) -> str:
    """Ask in the same chat for parts that did not come through; `lines` where there is not room for more."""
    why = "" if lines is None else _TOO_LONG.format(lines=f"{lines:,} line{'' if lines == 1 else 's'}")
    form = _form(key, asked).replace("{{user}}", user)
    return (
        f"{name}, part of what you wrote did not come through; the rest is kept.{why} Write only what is"
        " asked for here, under these headings, as they are. Where there is nothing to say, write"
        f' "nothing".\n\n{form}\n\nSign with your name, alone on the last line of the page.\n'
    )


def read_context_reply(
    reply: str, asked: Sequence[str], *, user: str, prompt: str, names: Sequence[str]
) -> ReplyReading:
    """Return a reply to a prompt for these parts; the whole page again counts as well.

    `user` is what the person is called, who may stand in the heading by that name.
    """
    whole = _naming(user)
    schema = whole if len(asked) == len(PARTS) else whole.only(asked)
    reading = read_lived_reply(reply, schema, prompt=prompt, names=names)
    if len(asked) < len(PARTS) and not any(key in reading.values for key in asked):
        return read_lived_reply(reply, whole, prompt=prompt, names=names)
    return reading


def _naming(user: str) -> Schema:
    if not user.strip():
        return CONTEXT
    own = tuple(
        replace(spec, loose=(*spec.loose, f"How {user} is")) if spec.key == "person" else spec
        for spec in CONTEXT.fields
    )
    return replace(CONTEXT, fields=own)


def place_named(reading: ReplyReading, reply: str) -> str:
    """Return the last message a reply says it covers (`2026-02-10-1#48`); "" if it says none."""
    found = _NAMED.search(reading.text("place")) or _BELOW.match(reply[:_HEAD])
    return found[found.lastindex or 0] if found else ""


def parts_of(reading: ReplyReading) -> dict[str, tuple[str, ...]]:
    """Return the parts that came through, as the lines of each; () for one that says there is nothing."""
    return {key: () if reading.empty(key) else _lines(key, reading) for key in PARTS if key in reading.values}


def _lines(key: str, reading: ReplyReading) -> tuple[str, ...]:
    if key in LISTS:
        return tuple(line for line in (" ".join(line.split()) for line in reading.lines(key)) if line)
    lines = (_MARK.sub("", line) for line in reading.text(key).split("\n"))
    return (" ".join(" ".join(lines).split()),)


def too_long(parts: Mapping[str, Sequence[str]]) -> tuple[str, ...]:
    """Return the parts of a too long page that exceed their share; the longest one if none does."""
    found = tuple(
        key
        for key, lines in parts.items()
        if len(lines) > _MOST[key]
        or len(" ".join(lines)) > _LONG.get(key, len(lines) * _LONG_LINE)
        or (key in LISTS and any(len(line) > _LONG_LINE for line in lines))
    )
    return found or tuple(sorted(parts, key=lambda key: len("\n".join(parts[key])), reverse=True)[:1])


def answers_dream(reply: str, names: Sequence[str]) -> bool:
    """Return whether a reply answers a batch of a dream, and not this prompt."""
    reading = read_dream((reply,), prompt="", names=names)
    return len([spec for spec in reading.answered if spec.key in _DREAMT]) >= 2


def answers_context(reply: str, names: Sequence[str]) -> bool:
    """Return whether a reply answers this prompt, and not a batch of a dream."""
    if all(spec.label.casefold() not in reply.casefold() for spec in FIELDS):
        return False
    reading = read_lived_reply(reply, _STRICT, names=names)
    return len([key for key in PARTS if key in reading.values]) >= 3 and not answers_dream(reply, names)


_STRICT = Schema("context", tuple(FIELDS))
_DREAMT = frozenset(spec.key for spec in DREAM.fields) - {"batch"}
