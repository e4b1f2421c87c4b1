"""Tools that a model may call: arguments, outcomes, and texts that wait for a person's word (REEL §9.3)."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import field, replace
from datetime import datetime
from typing import TYPE_CHECKING, Any, NoReturn

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.files.review_file import parse_proposal, render_proposal, review_path
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import stamp
from reel_cli.core.ports import bring
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.review import Proposal, ReviewKind

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.counter import Tokenizer

LONGEST_TEXT = 200_000
"""Maximum characters of a page."""
LONGEST_NAME = 400
_CONTROL = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ud800-\udfff]")
"""Pattern of characters refused in a text: control codes, marks that turn a line's direction, half
characters."""
_OUTSIDE = re.compile(r"[/\\~]|[A-Za-z]:|(?:.*[/\\])?\.\.(?:[/\\]|$)", re.DOTALL)
"""Pattern of the beginning of a path that leads out of the folder it is looked up in."""


@frozen
class Argument:
    """One argument of a tool.

    `kind` is string, integer, boolean, strings (a list of texts) or hints (a list of objects with `path` and
    `why`); `most` is its greatest length in characters, number, or count; `one_of` its only values.
    """

    name: str
    kind: str
    what: str
    most: int
    required: bool = False
    one_of: Sequence[str] = ()

    def schema(self) -> dict[str, Any]:
        """Return the argument as JSON Schema."""
        told: dict[str, Any] = {"description": self.what}
        if self.kind == "string":
            told |= {"type": "string", "maxLength": self.most}
            return told | ({"enum": list(self.one_of)} if self.one_of else {})
        if self.kind == "integer":
            return told | {"type": "integer", "minimum": 1, "maximum": self.most}
        if self.kind == "boolean":
            return told | {"type": "boolean", "default": False}
        if self.kind == "strings":
            return told | {"type": "array", "maxItems": self.most, "items": {"type": "string"}}
        keys = ("path", "why", "suggested_action")
        item = {
            "type": "object",
            "properties": {key: {"type": "string"} for key in keys},
            "required": ["path"],
        }
        return told | {"type": "array", "maxItems": self.most, "items": item}

    def check(self, value: object) -> object:
        """Return the value in its final form; raises UsageError if it does not fit."""
        if self.kind == "string":
            return self._text(value, self.most)
        if self.kind == "boolean":
            if not isinstance(value, bool):
                self._refuse("should be true or false")
            return value
        if self.kind == "integer":
            if isinstance(value, float) and value.is_integer():
                value = int(value)  # as some clients write it: 5.0
            if isinstance(value, bool) or not isinstance(value, int):
                self._refuse("should be a whole number")
            if not 1 <= value <= self.most:
                self._refuse(f"should be from 1 to {self.most:,}")
            return value
        if self.kind == "strings":
            if not isinstance(value, list) or not 0 < len(value) <= self.most:
                self._refuse(f"should be a list of at most {self.most:,} texts, and of one at least")
            return [self._text(one, LONGEST_NAME) for one in value]
        if not isinstance(value, list) or len(value) > self.most:
            self._refuse(f"should be a list of at most {self.most:,} objects with path and why")
        return [self._hint(one) for one in value]

    def _hint(self, one: object) -> dict[str, str]:
        if not isinstance(one, dict) or not isinstance(one.get("path"), str):
            self._refuse("should be a list of objects, each with a path")
        if _OUTSIDE.match(one["path"].strip()):
            # refused with all that came with it, so that nobody has to find it in what waits
            self._refuse(
                f"names {one_line(one['path'], 80)}, which is outside the kit; nothing of it is taken"
            )
        return {str(key)[:40]: str(self._text(text, 2_000)) for key, text in list(one.items())[:8]}

    def _text(self, value: object, most: int) -> str:
        if not isinstance(value, str):
            self._refuse("should be text")
        if len(value) > most:
            self._refuse(f"has {len(value):,} characters; at most {most:,} are taken")
        text = value.replace("\r\n", "\n").replace("\r", "\n")
        if _CONTROL.search(text):
            self._refuse("holds control codes; send plain text")
        if self.required and not text.strip():
            self._refuse("is empty")
        if self.one_of and text not in ("", *self.one_of):
            self._refuse(f"should be one of {', '.join(self.one_of)}")
        return text

    def _refuse(self, why: str) -> NoReturn:
        message = f"{self.name} {why}."
        raise UsageError(message)


@frozen
class HandIn:
    """A proposal that a tool call hands in, kept if the kit trusts the tool, else waiting for a person.

    `waits` says why it waits in any case, "" where trust decides; `told` is said after what became of it.
    `asked` names the exchange that is answered by it.
    """

    proposal: Proposal
    waits: str = ""
    told: str = ""
    asked: str = ""


@frozen
class ToolAnswer:
    """The answer to a call: `text` for the model, `values` for a program, as the tool's `gives` says."""

    text: str
    values: Mapping[str, Any] = field(default_factory=dict)

    @property
    def structured(self) -> dict[str, Any]:
        """Return all of it as one JSON object."""
        return {"text": self.text, **self.values}


KEPT, WAITS, ASKS, MADE = "kept", "waits", "asks", "made"
_TEXTS: Mapping[str, Any] = {"type": "array", "items": {"type": "string"}}
HANDED_IN: Mapping[str, Any] = {
    "status": {
        "type": "string",
        "enum": [KEPT, WAITS, ASKS, MADE],
        "description": "kept: it is in the kit. waits: a person decides. asks: the text asks for the rest. "
        "made: reel makes it without a model, and the text is it.",
    },
    "item": {"type": "string", "description": "The name under which it waits."},
    "waits": {**_TEXTS, "description": "What of a thing that is kept waits for a person all the same."},
    "problems": {**_TEXTS, "description": "What is worth a look."},
}
"""Fields of the answer to whatever hands something in."""


@frozen
class Tool:
    """One tool: its name, what the model is told of it, what it takes, and what it does.

    `run` takes the open kit and the arguments; it returns what to answer, or what is handed in. `order` is
    its place among the tools. `gives` are the fields of its answer beside the text, as JSON Schema has them.
    """

    order: int
    name: str
    title: str
    what: str
    arguments: tuple[Argument, ...]
    run: Callable[[Any, Mapping[str, Any]], ToolAnswer | HandIn]
    writes: bool = True
    gives: Mapping[str, Any] = field(default_factory=lambda: HANDED_IN)


def schema_of(arguments: Sequence[Argument]) -> dict[str, Any]:
    """Return a tool's arguments as JSON Schema."""
    return {
        "type": "object",
        "properties": {one.name: one.schema() for one in arguments},
        "required": [one.name for one in arguments if one.required],
        "additionalProperties": False,
    }


def answer_schema_of(tool: Tool) -> dict[str, Any]:
    """Return a tool's answer as JSON Schema; the first of its own fields is always there."""
    text = {"type": "string", "description": "The answer in words."}
    return {
        "type": "object",
        "properties": {"text": text, **tool.gives},
        "required": ["text", *list(tool.gives)[:1]],
    }


def check_arguments(arguments: Sequence[Argument], given: Mapping[str, object]) -> dict[str, Any]:
    """Return a call's arguments, each of its type and within its bounds, without missing ones.

    Raises UsageError, with a sentence on the first that is amiss.
    """
    known = {one.name: one for one in arguments}
    for name in given:
        if name not in known:
            message = f"There is no argument {one_line(str(name), 40)!r}."
            raise UsageError(message, hint=f"known are: {', '.join(known) or 'none'}")
    for one in arguments:
        if one.required and given.get(one.name) is None:
            message = f"{one.name} is missing."
            raise UsageError(message, hint=one.what)
    return {name: known[name].check(value) for name, value in given.items() if value is not None}


OP = "hand-in"
MOST_WAITING = 40
"""Maximum number of handed-in items that may wait, so that no model can fill a kit with unread ones."""


@frozen
class HandedInPlan:
    """The plan for keeping something that was handed in: the change, and what is worth a look."""

    change: Change
    problems: tuple[Problem, ...] = ()
    waits: tuple[str, ...] = ()
    """One line for each part of it that waits for the person's decision."""


@frozen
class KeepScope:
    """A kit in which something that was handed in is to be kept, and when.

    `pending` are journal lines that no commit holds yet. `unattended`: no person reads it, for the kit trusts
    the tool; so what only a person may decide waits.
    """

    snapshot: "Snapshot"
    repository: "Repository"
    proposal: Proposal
    now: datetime
    tokenizer: "Tokenizer"
    pending: Sequence[str] = ()
    unattended: bool = False


@frozen
class HandInKind:
    """A kind of thing that is handed in: what it is called, and how it is kept."""

    op: str
    plan: Callable[[KeepScope], HandedInPlan]


def make_proposal(  # noqa: PLR0913 (what a file in review/ says)
    op: str,
    called: str,
    session: str,
    text: str,
    now: datetime,
    *,
    why: str = "",
    where: str = "",
    asked: str = "",
) -> Proposal:
    """Return what waits of a thing that was handed in; `called` says what it is."""
    mark = hashlib.sha256(f"{op}\0{session}\0{text.strip()}".encode()).hexdigest()[:8]
    title = f"{called} of session {session}" if session else called
    made = stamp(now)
    return Proposal(
        f"{op}-{mark}", ReviewKind.HANDED_IN, session, made, title, f"{text.strip()}\n",
        why=why, op=op, where=where, asked=asked,
    )  # fmt: skip


def plan_waiting(snapshot: "Snapshot", proposal: Proposal) -> Change | None:
    """Plan handed-in content as a file in `review/`; None if it waits there already.

    Raises ReelError where too much waits.
    """
    path = review_path(proposal.id)
    if snapshot.read(path) is not None:
        return None
    if sum(one.kind is ReviewKind.HANDED_IN or bool(one.op) for one in _proposals(snapshot)) >= MOST_WAITING:
        message = f"{MOST_WAITING} things that were handed in wait for a decision already."
        raise ReelError(message, hint="they are decided with  reel review")
    trailers = (("Reel-Session", proposal.session),) if proposal.session else ()
    summary = f"{proposal.title} waits for a decision"
    return Change(OP, summary, {path: render_proposal(proposal).encode()}, trailers)


def _proposals(snapshot: "Snapshot") -> Sequence[Proposal]:
    found = []
    for path in snapshot.list("review"):
        if path.endswith(".md"):
            try:
                found.append(parse_proposal(snapshot.text(path) or "", path))
            except ReelError:
                continue
    return found


def plan_kept(scope: KeepScope) -> HandedInPlan:
    """Keep what was handed in, as the reply to a prompt would be; its file, if it has one, goes.

    Raises ReelError where it cannot be kept.
    """
    proposal = scope.proposal
    kinds: dict[str, HandInKind] = {one.op: one for kinds in bring("handed_in") for one in kinds}
    kind = kinds.get(proposal.op)
    if kind is None:
        message = f"This reel was installed without what keeps review/{proposal.id}.md."
        raise ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
    kept = kind.plan(scope)
    path = review_path(proposal.id)
    if scope.snapshot.read(path) is None:
        return kept
    return replace(kept, change=kept.change.also({path: None}))


def read_asked(proposal: Proposal) -> Mapping[str, Any]:
    """Return a proposal's values about its prompt; empty if they are not a JSON object."""
    try:
        value = json.loads(proposal.asked) if proposal.asked else {}
    except (ValueError, RecursionError):
        return {}
    return value if isinstance(value, dict) else {}


def unknown_prompt(proposal: Proposal) -> ReelError:
    """Return the error for a proposal that does not say which prompt it answers."""
    message = f"review/{proposal.id}.md does not say what it is the answer to."
    return ReelError(message, hint=f"drop it with  reel review reject {proposal.id}")
