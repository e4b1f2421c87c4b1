"""Reader of `memory.advise` in any shape that a model answers in (MEMORY-MGMT §9).

An object as JSON or YAML, bare, fenced, in prose or as a tool call, or lines of advice in what was said.
Nothing is invented: what cannot be read as advice is named, and left out.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeGuard

from reel_cli.core.blockquote import plain_item
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.cleaning import after_prompt, clean, safe
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.trees import Pairs, Tree
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.advice.advice import (
    ACTIONS,
    LEAVE,
    LONGEST_PATH,
    LONGEST_WHY,
    MOST_HINTS,
    SUMMARIZE,
    Advice,
    Hint,
)
from reel_cli.features.shelf.advice.reply_page import find_page
from reel_cli.features.shelf.advice.reply_shapes import MANIFEST, Shape, find_lines, find_objects, line_hint
from reel_cli.features.shelf.summaries.reply import is_prompt

LIKE_A_PROMPT, MOSTLY = 8, 0.9
"""Number of lines, and the share of them from the prompt, that make a reply the prompt pasted back."""
_PATH = ("path", "file", "filename", "filepath", "id", "name", "item", "memory")
_WHY = ("why", "reason", "because", "rationale", "note")
_ACTION = ("suggestedaction", "action", "suggestion", "do")
_YES, _NO = ("true", "yes", "on", "1"), ("false", "no", "off", "0", "")
_ACTIONS: Mapping[str, str] = {
    **{squash(one): one for one in ACTIONS},
    **dict.fromkeys(("delete", "remove", "evict", "drop", "letgo", "removefromworkingset"), LEAVE),
    **dict.fromkeys(("summarize", "summarise", "summarisethenevict", "summarizeandevict"), SUMMARIZE),
}


@dataclass(frozen=True, slots=True)
class AdviceReading:
    """A reply, read: its advice, or why there is none; `problems` are the things in it that were left out."""

    advice: Advice | None = None
    problems: tuple[Problem, ...] = ()
    refusal: str = ""
    is_prompt: bool = False


def read_advice(reply: str, *prompts: str) -> AdviceReading:
    """Return the advice in a reply; `prompts` were handed out for it, and their words do not count.

    Raises ReelError where the text is far too long to be a reply.
    """
    plain, _ = clean(reply)
    answer = plain
    for prompt in prompts:
        answer = after_prompt(answer, safe(prompt))
    if is_prompt(answer, "\n".join(map(safe, prompts))):
        return AdviceReading(refusal="That is the prompt itself, not the answer to it.", is_prompt=True)
    shape = find_objects(answer) or find_lines(answer) or find_page(answer)
    return (
        _judge(shape)
        if shape
        else AdviceReading(refusal="That reply has no advice in a form that reel can read.")
    )


def read_advice_lines(text: str, where: str) -> AdviceReading:
    """Return the advice in recorded words, an object or lines; for lines `where` is the reason."""
    plain, _ = clean(text)
    shape = find_objects(plain) or find_lines(plain)
    if shape is None:
        return AdviceReading(refusal=f"There is no advice in {where}.")
    if shape.lines and "why" not in shape.fields:
        shape.fields["why"] = f"said in {where}"
    return _judge(shape)


def _judge(shape: Shape) -> AdviceReading:
    """Return the advice in the fields, checked against the schema."""
    if shape.cut:
        return AdviceReading(refusal="The advice breaks off before its end.")
    fields = shape.fields
    given = fields.get("why", "")
    why = one_line(safe(given) if isinstance(given, str) else "", LONGEST_WHY)
    if not why and fields.keys() & MANIFEST.keys():
        why = "as hot.yml and cold.yml list it"
    if not why:
        return AdviceReading(refusal="The advice gives no reason: it needs a “why” beside hot and cold.")
    problems = _Problems()
    hot = tuple(_hints(fields.get("hot", ""), problems, cold=False))
    cold = tuple(_hints(fields.get("cold", ""), problems, cold=True))
    if len(hot) + len(cold) > MOST_HINTS:
        return AdviceReading(
            refusal=f"The advice names {len(hot) + len(cold):,} things; {MOST_HINTS} are the most."
        )
    trigger = fields.get("trigger_gc", "")
    word = squash(trigger) if isinstance(trigger, str) else "?"
    if word not in (*_YES, *_NO):
        problems.add("trigger_gc", "trigger_gc is neither true nor false, and counts as false.")
    return AdviceReading(Advice(why, hot, cold, word in _YES), tuple(problems.found))


@dataclass(slots=True)
class _Problems:
    found: list[Problem] = field(default_factory=list)

    def add(self, about: str, what: str) -> None:
        if len(self.found) <= MOST_HINTS:
            self.found.append(Problem(one_line(about, 80), what))


def _hints(tree: Tree, problems: _Problems, *, cold: bool) -> Iterator[Hint]:
    """Yield the things one of the two lists names; reports unreadable ones."""
    for one in _items(tree):
        parts = line_hint(one, {*_ACTIONS} if cold else set()) if isinstance(one, str) else _parts(one)
        path = safe(parts.get("path", "")).strip()
        shown = one_line(path, 80)
        if not path or says_nothing(path):
            if not isinstance(one, str) or one.strip():
                problems.add("cold" if cold else "hot", "One thing is named without a path, and is left out.")
            continue
        if len(path) > LONGEST_PATH or not path.isprintable():
            problems.add(shown, f"“{shown}” is not the path of a file.")
            continue
        why = one_line(safe(parts.get("why", "")), LONGEST_WHY)
        if not cold:
            yield Hint(path, why)
            continue
        said = parts.get("action", "").strip()
        action = _ACTIONS.get(squash(said), "") if said else LEAVE
        if not action:
            known = ", ".join(ACTIONS)
            problems.add(path, f"{shown}: “{one_line(said, 40)}” is not an action; the actions are {known}.")
            continue
        yield Hint(path, why, action)


def _items(tree: Tree) -> Sequence["str | Pairs"]:
    """Return the things named in a list, a mapping of paths, or lines of text."""
    if isinstance(tree, str):
        return [] if says_nothing(tree) else [line for line in tree.split("\n") if line.strip()]
    if isinstance(tree, Pairs):
        if _has_path(tree):
            return [tree]
        return [
            Pairs([("path", path), *(about.items if isinstance(about, Pairs) else [("why", about)])])
            for path, about in tree.items
        ]
    return [one for one in tree if _is_item(one)]


def _is_item(one: Tree) -> TypeGuard["str | Pairs"]:
    return not isinstance(one, list) and not (isinstance(one, str) and says_nothing(one))


def _has_path(tree: Pairs) -> bool:
    return any(squash(key) in _PATH for key, value in tree.items if isinstance(value, str))


def _parts(tree: Pairs) -> dict[str, str]:
    """Return path, reason and action of one thing, under any of their names."""
    found: dict[str, str] = {}
    for kind, names in (("path", _PATH), ("why", _WHY), ("action", _ACTION)):
        given = {squash(key): value for key, value in reversed(tree.items) if isinstance(value, str)}
        found[kind] = next((given[name] for name in names if given.get(name)), "")
    return found


def render_advice_prompt(name: str, user: str, identity: str, listed: Sequence[str]) -> str:
    """Ask which of the things listed stay at hand, with ring 0 loaded; each is one line."""
    intro, _, form = read_ask("advise").partition("\n---\n")
    whole = f"{intro.strip()}\n\n{form.strip()}\n"
    lines = "\n".join(f"- {plain_item(one)}" for one in listed)
    fill = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "listed": lines,
    }
    whole = whole.replace("===", rule_beyond(lines))
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def render_advice_again(name: str, reason: str) -> str:
    """Ask once more in the same chat, where an answer could not be used; `reason` is a sentence."""
    form = read_ask("advise").partition("\n---\n")[2].strip()
    fill = {"name": name, "reason": reason}
    again = re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], read_ask("advise-again").strip())
    return f"{again}\n\n{form}\n"
