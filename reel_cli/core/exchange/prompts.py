"""Prompts for a model, composed from templates, with ring 0 always in them."""

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import field, replace

from reel_cli.core.blockquote import plain_breaks, plain_item, quote, set_apart
from reel_cli.core.exchange.page_part import parts_among
from reel_cli.core.exchange.schema import (
    ALL_PARTS,
    BRIEF_PARTS,
    COMBINED,
    CONSOLIDATION_PARTS,
    FieldSpec,
    read_hints,
)
from reel_cli.core.frozen import frozen
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.memory import Item

_RULE = "==="
"""Mark before and after a conversation in a prompt."""
_SCENES = (
    " Where it carried scene tags or orders with headers, tell the scene as you lived it, what was"
    " wanted, and how it came out; leave the tags and headers out."
)
_STEADY = (
    " In your last {count} pages nothing had. Do not say it out of habit: tell of the least sign of a shift,"
    " or what makes you unsure."
)


@frozen
class PromptValues:
    """The values a prompt is written from: the persona, the user, the notes and the examples."""

    name: str
    user: str
    identity: str
    """Ring 0, verbatim: identity and directives."""
    working: str = ""
    """Ring 2 as it stands, verbatim."""
    items: Sequence[Item] = ()
    """Ring 2's listed items, in the order they are numbered."""
    longest: int = 0
    """Words of one item above which the prompt shows only its beginning; 0 for no limit."""
    tell: Callable[[str], str] = str
    """Return an item's words as the prompt gives them."""
    hints: Sequence[str] = ()
    """Sentences about single notes, which name them by their numbers."""
    examples: Sequence[str] = ()
    """The active exemplars, each as it may be named."""
    marked: Sequence[str] = ()
    """Moments flagged during the chat."""
    day: str = ""
    """The day the chat was had, in words."""
    preface: str = ""
    """Text that feature parts put before the page's headings."""
    fill: Mapping[str, str] = field(default_factory=dict)
    """Values for the placeholders in these parts' hints."""
    again: Mapping[str, str] = field(default_factory=dict)
    """Filled-in text below the headings of parts that are asked for once more, by key."""
    manner: str = ""
    """The kit's request for how replies are written, as a prompt says it."""
    lived_tags: bool = False
    """True if the conversation carried STAGE tags or CHAIN messages (REEL §5)."""
    steady: int = 0
    """Number of pages in a row that told of no shift, where they are many (REEL §10.6); else 0."""
    quote: Callable[[str], str] = quote
    """Function that quotes a text of the kit that could be taken for the prompt's own words."""


def render_checkpoint_prompt(setting: PromptValues, parts: Sequence[str] = ALL_PARTS) -> str:
    """Ask, in the chat itself, for the page of this session (REEL §6.2, §6.6)."""
    return _compose("checkpoint", setting, parts, {})


def render_brief_prompt(setting: PromptValues) -> str:
    """Ask for a short page: what happened, what matters, three notes (REEL §6.2)."""
    return _compose("brief", replace(setting, again=brief_hints()), BRIEF_PARTS, {})


def brief_hints() -> Mapping[str, str]:
    """Return what a short page's prompt says below each heading, by key."""
    hints = read_hints("brief-parts")
    return {spec.key: hints[spec.label] for spec in fields_of(BRIEF_PARTS)}


def render_consolidation_prompt(
    setting: PromptValues, transcript: str, when: str, parts: Sequence[str] = CONSOLIDATION_PARTS
) -> str:
    """Ask for the consolidation of a recorded stretch, given in the prompt (REEL §6.2)."""
    return _compose(
        "consolidate", setting, parts, {"transcript": set_apart(transcript.rstrip("\n")), "when": when}
    )


def render_repair_prompt(setting: PromptValues, parts: Sequence[str], problems: Iterable[Problem]) -> str:
    """Ask only for the parts that are missing or ambiguous."""
    reasons = "\n".join(f"- {problem.what}" for problem in problems)
    return _compose("repair", setting, parts, {"reasons": reasons})


def fields_of(parts: Sequence[str]) -> Sequence[FieldSpec]:
    """Return the fields with these keys in the prompt's order: the page's own, then those of features."""
    brought = [spec for part in parts_among(parts) for spec in part.fields]
    own = {spec.key: spec for spec in COMBINED.fields}
    return [spec for spec in (*map(own.__getitem__, ALL_PARTS), *brought) if spec.key in parts]


def part_of(prompt: str, label: str) -> str:
    """Return the text below a heading of a prompt; "" if there is none."""
    found = re.findall(rf"(?ms)^## {re.escape(label)}\n(.+?)(?=\n\n|\n## |\Z)", prompt)
    return str(found[-1]).strip() if found else ""


def number_notes(working: str, items: Sequence[Item], quote: Callable[[str], str] = quote) -> str:
    """Return ring 2 as a prompt gives it: its items numbered from 1, the rest as it stands, or quoted."""
    return _notes(PromptValues(name="", user="", identity="", working=working, items=items, quote=quote))


def cut_words(text: str, most: int) -> str:
    """Return a text of at most so many words, an ellipsis where something is left out; 0 for no limit."""
    words = text.split()
    return text if not most or len(words) <= most else " ".join(words[:most]).rstrip(",;:—–-") + "…"


def _compose(ask: str, setting: PromptValues, parts: Sequence[str], more: Mapping[str, str]) -> str:
    intro, _, outro = read_ask(ask).partition("\n---\n")
    known = fields_of(parts)
    hints = {spec.key: spec.hint for spec in known}
    hints |= {key: f"{{{{again_{key}}}}}" for key in setting.again}
    values = {
        "name": setting.name,
        "user": setting.user,
        "identity": setting.identity.strip(),
        "notes": _notes(setting),
        "hints": "".join(f" {hint}" for hint in setting.hints),
        "examples": ", ".join(setting.examples) or "none yet",
        "day": setting.day,
        "marked": _marked(setting),
        "preface": setting.preface,
        "manner": setting.manner,
        **setting.fill,
        **{f"again_{key}": text for key, text in setting.again.items()},
        **more,
    }
    asked = [f"## {spec.label}\n{_hint(spec.key, hints[spec.key], setting)}" for spec in known]
    whole = f"{intro.strip()}\n\n" + "\n".join(asked) + f"\n\n{outro.strip()}\n"
    whole = whole.replace(_RULE, rule_beyond(more.get("transcript", "")))
    filled = re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], whole)
    # ring 0 and transcripts keep their blank lines
    return filled if "{{identity}}" in whole else re.sub(r"\n{3,}", "\n\n", filled)


def rule_beyond(text: str) -> str:
    """Return enough equals signs that no line of a page or of the tape can pass for a rule."""
    longest = max((len(run) for run in re.findall(r"(?m)^[ \t>*]*(=+)", plain_breaks(text))), default=0)
    return "=" * max(len(_RULE), longest + 1)


def _hint(key: str, hint: str, setting: PromptValues) -> str:
    if key == "shifted" and setting.steady:
        return hint + _STEADY.format(count=setting.steady)
    return hint + _SCENES if key == "happened" and setting.lived_tags else hint


def _marked(setting: PromptValues) -> str:
    if not setting.marked:
        return ""
    lines = "\n".join(f"- {plain_item(' '.join(mark.split()))}" for mark in setting.marked)
    return f"\n{setting.user} marked this along the way:\n{lines}\n"


def _notes(setting: PromptValues) -> str:
    """Return ring 2 for a prompt: items numbered, headings as plain lines, the rest quoted if needed."""
    if not setting.working.strip():
        return "(nothing yet)"
    numbers = {item.lines[0]: number for number, item in enumerate(setting.items, start=1)}
    ends = {item.lines[0]: item.lines[1] for item in setting.items}
    lines = setting.working.splitlines()
    out: list[str] = []
    other: list[str] = []

    def close() -> None:
        if any(line.strip() for line in other):
            out.append(set_apart(setting.quote("\n".join(line for line in other if line.strip()))))
        other.clear()

    i = 0
    while i < len(lines):
        heading = re.match(r"#{1,6}[ \t]+(.+)", lines[i])
        plain = f"{heading[1].strip()}:" if heading else ""
        if i in numbers:
            close()
            shown = cut_words(setting.tell(setting.items[numbers[i] - 1].text), setting.longest)
            out.append(f"{numbers[i]}. {plain_item(shown)}")
            # an item cut by an odd line break may end where it begins
            i = max(i + 1, ends[i])
            continue
        if plain and setting.quote(plain) == plain:
            close()
            out.append(plain)
        else:
            other.append(lines[i])
        i += 1
    close()
    return "\n".join(out)
