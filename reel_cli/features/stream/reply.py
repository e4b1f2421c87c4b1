"""Asking the persona to sift a conversation that outgrows its window, and reading what it wrote.

It is asked for a summary to go on from, and for what shows only over time; facts are no matter of this
(Memory Keep §I.f).
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from reel_cli.core.blockquote import set_apart
from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.exchange.lived_words import read_lived_reply
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.reply import ReplyReading, merge
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.resources import read_ask
from reel_cli.core.values.change import one_line

SIFT = Schema(
    "sift",
    (
        FieldSpec("stretch", "Which stretch", names=("stretch",), shape="line", required=False),
        FieldSpec(
            "summary",
            "The conversation so far",
            names=("summary",),
            loose=(
                "so far",
                "the story so far",
                "where we are",
                "what happened",
                "the summary",
                "my summary",
            ),
            filled=True,
        ),
        FieldSpec(
            "patterns",
            "What shows over time",
            names=("patterns",),
            loose=(
                "over time",
                "patterns across time",
                "what I notice",
                "what I noticed",
                "insights",
                "trends",
            ),
            shape="list",
            records=True,
        ),
    ),
    ("sift", "the page", "my page"),
)
"""Schema of a reply; the document's own names are always understood."""
ROWS = FieldSpec(
    "domain",
    "What goes into the tables",
    names=("domain", "tables"),
    loose=("rows", "domain data", "into the tables", "in the tables", "table rows", "changed rows"),
    shape="list",
    records=True,
)
"""Field that is asked for as well if the kit has tables."""
SIFT_WITH_ROWS = replace(SIFT, fields=(*SIFT.fields, ROWS))
KINDS = {
    "mood": ("mood", "sentiment", "feeling", "emotion", "tone"),
    "friction": ("friction", "obstacle", "conflict", "tension"),
    "progress": ("progress", "task", "progression"),
    "habit": ("habit", "trend", "behavio", "pattern", "routine"),
}
"""Patterns over time (Memory Keep §I.f), each with the beginnings of the words that name it."""
MOST_PATTERNS, FEW_PATTERNS = 6, 3
"""Number of patterns asked for; fewer in a small window, where each takes room from what was said."""
_KEY = re.compile(r"\b\d{4}-\d{2}-\d{2}-\d{1,6}#\d{1,9}-\d{1,9}\b")
_HEAD = 200
_MARK = re.compile(r"^[ \t]*(?:[-*+•]|\d{1,2}[.)])[ \t]+")
_PARTED = re.compile(r"[ \t]*(?<!\\)\|[ \t]*")
_KEYED = re.compile(r"([A-Za-z][\w -]{1,30}): (.+)")
_RECORD = {
    "kind": ("kind", "type", "category"),
    "text": ("text", "pattern", "what", "notice", "noticed", "observation", "description", "insight"),
    "words": ("words", "quote", "quotes", "evidence", "shown by", "shown_by"),
}
"""Keys under which models give the parts of an observation."""
_NAMED = re.compile(
    r"[*_\[(]*([A-Za-z][A-Za-z /-]{2,40}?)[*_\])]*[ \t]*(?::|[–—]|-(?=[ \t]))[*_]*[ \t]*(?=\S)"
)
_ENDING = re.compile(r"[ \t]*[,;:(–—|-]*[ \t]*[*_]*[\"“„«][^\"“”„«»\n]+[\"”“»][*_]*[.)]*[ \t]*$")
_RULE = "==="
_AGAIN = (
    " It goes on from what you wrote before, and will stand in its place: tell that again where it still"
    " matters."
)
_IN_WORDS = {FEW_PATTERNS: "three", MOST_PATTERNS: "six"}


@dataclass(frozen=True, slots=True)
class KeepPrompt:
    """The values of a prompt: the stretch, what was said in it, and what was written about it before.

    `words` is how many the summary may have, `tables` the tables that rows are asked for, a line each ("" for
    none).
    """

    key: str
    said: str
    before: str
    words: int
    kept: Sequence[str] = ()
    """Items already kept of it, each in a few words."""
    tables: str = ""
    patterns: int = MOST_PATTERNS


@dataclass(frozen=True, slots=True)
class Observation:
    """One thing that shows over time: its kind ("" for none of ours), what, the words that show it."""

    kind: str
    text: str
    words: tuple[str, ...]


def render_sift(name: str, user: str, identity: str, asked: KeepPrompt) -> str:
    """Ask for the summary and the patterns, with ring 0 loaded."""
    intro, form, outro = _parts(asked)
    whole = f"{intro.strip()}\n\n{form.strip()}\n\n{outro.strip()}\n"
    rule = rule_beyond(f"{asked.said}\n{asked.before}")
    before = set_apart(asked.before.strip("\n"))
    told = f"{rule} What you wrote of what came before {rule}\n{before}\n{rule} The end of that {rule}\n\n"
    fill = {
        **_form(asked, user),
        "name": name,
        "identity": identity.strip(),
        "before": told if before else "",
        "kept": _kept(asked.kept),
        "again": _AGAIN if before else "",
        "said": set_apart(asked.said.strip("\n")),
    }
    whole = whole.replace(_RULE, rule)
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def _kept(kept: Sequence[str]) -> str:
    told = "; ".join(f"“{one_line(one, 80)}”" for one in kept)
    return f" (of these you keep already: {told})" if told else ""


def render_sift_rest(
    name: str, user: str, missing: Sequence[str], asked: KeepPrompt, *, shorter: bool
) -> str:
    """Ask in the same chat for what did not come through; `shorter` where the summary was too long."""
    _, form, _ = _parts(asked)
    blocks = {block.split("\n", 1)[0].strip(): block for block in re.split(r"(?m)^## ", form)[1:]}
    wanted = [blocks[SIFT_WITH_ROWS[key].label].rstrip() for key in ("stretch", *missing)]
    told = "\n".join(f"## {block}" for block in wanted)
    fill = {
        "key": asked.key,
        "words": f"{asked.words:,}",
        "user": user,
        "again": "",
        "tables": asked.tables,
        "patterns": _IN_WORDS.get(asked.patterns, ""),
    }
    told = re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], told)
    why = " There is not room for all of it: say it in fewer words." if shorter else ""
    return (
        f"{name}, part of what you wrote did not come through; the rest is kept.{why} Write only what is"
        " asked for here, under these headings, as they are. Where there is nothing to say, write"
        f' "nothing".\n\n{told}\n\nSign with your name, alone on the last line of the page.\n'
    )


def _form(asked: KeepPrompt, user: str) -> dict[str, str]:
    """Return the values for the headings and the text below them."""
    return {
        "user": user,
        "key": asked.key,
        "words": f"{asked.words:,}",
        "tables": asked.tables,
        "patterns": _IN_WORDS.get(asked.patterns, f"{asked.patterns:,}"),
    }


def _parts(asked: KeepPrompt) -> tuple[str, str, str]:
    """Return the prompt's beginning, what is to be written, and its end."""
    intro, form, outro = read_ask("sift").split("\n---\n")
    return intro, f"{form.rstrip()}\n{read_ask('sift-tables')}" if asked.tables else form, outro


def read_sift(
    replies: Sequence[str], *, prompt: str, names: Sequence[str], rows: bool = False
) -> ReplyReading:
    """Return all replies to one prompt so far, read as one; `names` may sign them.

    `rows` says that it asked for rows as well.
    """
    page = SIFT_WITH_ROWS if rows else SIFT
    whole: ReplyReading | None = None
    for reply in replies:
        missing = [spec.key for spec in whole.missing] if whole is not None else []
        schema = page.only(["stretch", *missing]) if missing else page
        reading = read_lived_reply(reply, schema, prompt=prompt, names=names)
        if missing and not any(key in reading.values for key in missing):
            # the whole answer was given again, rather than the missing part
            reading = read_lived_reply(reply, page, prompt=prompt, names=names)
        whole = reading if whole is None else merge(whole, reading)
    return whole or ReplyReading(page)


def is_signed(reply: str, names: Sequence[str]) -> bool:
    """Return whether a reply ends with one of the names, so that its end is not missing."""
    last = reply.rstrip().rpartition("\n")[2]
    marks = " \t*_—–-.~`>"
    return last.strip(marks).casefold() in {name.strip(marks).casefold() for name in names} - {""}


def stretch_named(reading: ReplyReading, reply: str) -> str:
    """Return the stretch a reply names (`2026-02-10-1#1-48`); "" if it names none."""
    found = _KEY.search(reading.text("stretch")) or _KEY.search(reply[:_HEAD])
    return found[0] if found else ""


def parse_patterns(reading: ReplyReading) -> tuple[Observation, ...]:
    """Return the patterns over time, one a line; () if the reply says there are none."""
    if reading.empty("patterns"):
        return ()
    lines = (one_line(_MARK.sub("", line)) for line in reading.lines("patterns"))
    return tuple(noticed for line in lines if (noticed := _noticed(line)).text)


def _of_record(line: str) -> Observation | None:
    """Return an observation whose parts each have a key, as in JSON; None for any other line."""
    keyed = [found for part in _PARTED.split(line) if (found := _KEYED.fullmatch(part))]
    told = {
        name: [found[2].replace("\\|", "|") for found in keyed if found[1].casefold() in keys]
        for name, keys in _RECORD.items()
    }
    if not told["text"] or len(keyed) < 2:
        return None
    words = (one.strip(' "“”„«»') for one in told["words"])
    return Observation(_kind(" ".join(told["kind"])), " ".join(told["text"]), tuple(dict.fromkeys(words)))


def _noticed(line: str) -> Observation:
    if (record := _of_record(line)) is not None:
        return record
    words = tuple(dict.fromkeys(quotations(line)))
    parts = [part for part in _PARTED.split(line.strip(" |")) if part]
    kind = ""
    if (named := _NAMED.match(line)) and (kind := _kind(named[1])):
        parts = [part for part in _PARTED.split(line[named.end() :].strip(" |")) if part]
    elif len(parts) > 1 and (kind := _kind(parts[0])):
        parts = parts[1:]
    # remove a quotation at the end that only shows the evidence
    text = " ".join(part for part in parts if part.strip('"“”„«» ') not in words) or line
    while words and (cut := _ENDING.search(text)) and cut.start() > 0:
        text = text[: cut.start()]
    return Observation(kind, text.strip(" |"), words)


def _kind(text: str) -> str:
    head = text.strip(" *_[]():").casefold()
    found = (kind for kind, names in KINDS.items() if any(part.startswith(names) for part in head.split()))
    return next(found, "") if len(head.split()) <= 4 else ""
