"""Output of `llm logs`: a dated heading for each exchange, and under it Prompt, Response and more."""

import re
from collections.abc import Iterator

from reel_cli.core.errors import ReelError
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.talk import Conversation, Kind, Message

_EXCHANGE = re.compile(
    r"# (?P<time>\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[ \t]+conversation: (?P<conversation>\S+) id: \S+)?[ \t]*"
)
_MODEL = re.compile(r"Model: \*\*(?P<model>[^*\n]{1,200})\*\*.*")
_BEFORE = frozenset({
    "Prompt", "Prompt fragments", "Options", "System", "System fragments", "Schema", "Tools", "Tool results",
    "Attachments",
})  # fmt: skip
_AFTER = frozenset({"Response", "Reasoning", "Tool calls", "Token usage"})
_KINDS = {
    "System": Kind.SYSTEM, "Tool calls": Kind.TOOL, "Tool results": Kind.TOOL, "Reasoning": Kind.REASONING,
    "Attachments": Kind.ATTACHMENT, "Prompt fragments": Kind.ATTACHMENT,
}  # fmt: skip
_ROLES = {Kind.SYSTEM: "system", Kind.TOOL: "tool", Kind.REASONING: "assistant", Kind.ATTACHMENT: "user"}
_NOTHING = "-- none --"
_CALL = ("- ", "    ")
"""Beginnings of the lines about a tool call; the answer's own text follows them under the same heading."""


def is_llm_log(text: str) -> bool:
    """Return whether the text begins like the output of `llm logs`."""
    head = text[:2000].lstrip()
    return _EXCHANGE.match(head) is not None and "\n## Prompt" in head.replace("\r\n", "\n")


def read_llm_log(source: Source) -> Iterator[Conversation]:
    """Yield the conversations in order of their first exchange; unnamed exchanges continue the last.

    Raises ReelError where there is no exchange.
    """
    found: dict[str | None, list[Message]] = {}
    models: dict[str | None, str] = {}
    notes: dict[str | None, Notes] = {}
    current: str | None = None
    for head, lines in _exchanges(source.text.replace("\r\n", "\n").split("\n")):
        current = head["conversation"] or current
        model = next((m["model"] for line in lines[:4] if (m := _MODEL.fullmatch(line))), None)
        model = models.setdefault(current, model) if model else models.get(current)
        noted = notes.setdefault(current, Notes())
        time = read_time(f"{head['time']}+00:00", source.zone, noted)
        found.setdefault(current, []).extend(_messages(lines, time, model))
    if not found:
        message = f"{source.name} holds no exchange as llm prints it."
        raise ReelError(message, hint="print them with  llm logs -n 0")
    for name, messages in found.items():
        yield Conversation(
            format="markdown",
            messages=tuple(messages),
            started=messages[0].time if messages else None,
            model=models.get(name),
            problems=notes[name].lines(),
        )


def _exchanges(lines: list[str]) -> Iterator[tuple[dict[str, str | None], list[str]]]:
    heads = [(i, found) for i, line in enumerate(lines) if (found := _EXCHANGE.fullmatch(line))]
    ends = [i for i, _ in heads[1:]] + [len(lines)] * bool(heads)
    for (start, found), end in zip(heads, ends, strict=True):
        yield found.groupdict(), lines[start + 1 : end]


def _messages(lines: list[str], time: str | None, model: str | None) -> list[Message]:
    """Return prompt and response, each followed by what belongs to it."""
    sections: list[tuple[str, list[str]]] = []
    answered = False
    for line in lines:
        name = line.lstrip("#").strip() if line.startswith(("## ", "### ")) else ""
        # an answer's own heading may have the same words; after the response only these follow
        if name in (_AFTER - {"Response"} if answered else _BEFORE | _AFTER):
            sections.append((name, []))
            answered = answered or name in _AFTER
        elif sections:
            if sections[-1][0] == "Tool calls" and line.strip() and not line.startswith(_CALL):
                sections.append(("Response", []))
            sections[-1][1].append(line)
    asked: list[Message] = []
    told: list[Message] = []
    for name, body in sections:
        text = "\n".join(body).strip("\n")
        if not text.strip() or text.strip() == _NOTHING:
            continue
        if name == "Prompt":
            asked.insert(0, Message("user", text, time=time))
        elif name == "Response":
            told.insert(0, Message("assistant", text, time=time, model=model))
        elif name in _KINDS:
            beside = told if name in _AFTER else asked
            beside.append(Message(_ROLES[_KINDS[name]], text, _KINDS[name], time=time))
    return asked + told
