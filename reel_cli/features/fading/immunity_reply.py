"""Exchange about which memories must stay, answered line by line (REEL §6.7, §10.7)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from reel_cli.core.blockquote import plain_item
from reel_cli.core.exchange.consolidation import judge_keeping
from reel_cli.core.exchange.reader.cleaning import after_prompt, clean
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.trees import Tree, parse_json
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import is_age_alone

_NUMBERED = re.compile(
    r"[ \t>*_`#(\[{\"'•+-]*(?:memory|no\.?|number|item)?[ \t_-]*#?(?P<number>\d{1,3})"
    r"[\"'`]?[ \t]*(?:[.):\]]|[-–—→](?=\s)|\*\*)[ \t*_:\"'`]*(?P<rest>.*)",
    re.IGNORECASE,
)
_JSON = re.compile(r"[\[{](?=\s{0,80}[{\[\"'])")
_SAME = re.compile(r"(?i)\W*(?:same|as (?:it is|before|now)|unchanged|no change|still)\b")
_LEAST_REASON = 2
"""Words below which a text is no reason."""


@dataclass(frozen=True, slots=True)
class ImmunityEntry:
    """One memory as the prompt tells it: what it is called, when it was, its marker, how it stands."""

    title: str
    day: str
    marker: str
    immune: bool
    reason: str
    id: str = ""


@dataclass(frozen=True, slots=True)
class Word:
    """The reply about one memory: its number in the prompt, whether it is kept for good, and why."""

    number: int
    immune: bool
    reason: str


def render_keeping_whole(name: str, user: str, identity: str, memories: Sequence[ImmunityEntry]) -> str:
    """Ask which memories must stay, with ring 0 loaded."""
    intro, _, outro = read_ask("immunity").partition("\n---\n")
    values = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "count": f"{len(memories):,}",
        "memories": "\n".join(_line(number, one) for number, one in enumerate(memories, start=1)),
    }
    whole = f"{intro.strip()}\n\n{outro.strip()}\n"
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], whole)


def _line(number: int, one: ImmunityEntry) -> str:
    when = f" ({one.day})" if one.day else ""
    stands = "kept for good" if one.immune else "may fade"
    why = f", because {one.reason.removeprefix('because ')}" if one.immune and one.reason else ""
    return (
        f"{number}. {plain_item(one_line(one.title))}{when}: {one_line(one.marker, 300)} [now: {stands}{why}]"
    )


def read_keeping_whole(
    reply: str, memories: Sequence[ImmunityEntry], prompt: str
) -> tuple[list[Word], tuple[Problem, ...], bool]:
    """Return what is to change, the problems, and whether the reply is the prompt pasted back.

    A line that is unclear, or gives no reason, changes nothing. Raises ReelError when the text is far too
    long to be a reply.
    """
    plain, _ = clean(reply)
    if squash(plain) == squash(prompt):
        return [], (), True
    answer = after_prompt(plain, prompt)
    said: dict[int, str] = {}
    last = 0
    for line in _lines(answer):
        found = _NUMBERED.match(line)
        if found and 1 <= int(found["number"]) <= len(memories):
            last = int(found["number"])
            said[last] = found["rest"]
        elif last and line.strip() and line[:1] in " \t":
            # a reason that continues, or a value on the line below its number
            said[last] += f" {line.strip()}"
    words: list[Word] = []
    problems: list[Problem] = []
    for number, text in said.items():
        one = memories[number - 1]
        immune, reason = judge_keeping(text)
        if immune is None:
            if not _SAME.match(text):
                problems.append(
                    Problem(
                        f"{number}", f"{one.title}: the answer is neither yes nor no: {one_line(text, 80)}"
                    )
                )
        elif immune != one.immune:
            if len(reason.split()) < _LEAST_REASON:
                problems.append(
                    Problem(f"{number}", f"{one.title}: no reason is given, so it stays as it is")
                )
            elif immune and is_age_alone(reason):
                problems.append(
                    Problem(f"{number}", f"{one.title}: its age is no reason, so it stays as it is")
                )
            else:
                words.append(Word(number, immune, reason.rstrip('"}, ')))
    if not said:
        problems.append(Problem("reply", "that reply names none of the memories"))
    return words, tuple(problems), False


def _lines(answer: str) -> Sequence[str]:
    """Return the reply's lines; for JSON, a line for each of its values."""
    opened = _JSON.search(answer)
    if opened is None:
        return answer.split("\n")
    return [*answer[: opened.start()].split("\n"), *_flat(parse_json(answer, opened.start()).tree)]


def _flat(tree: Tree) -> Iterator[str]:
    """Yield each member of a mapping or list as a line that begins with its number."""
    if isinstance(tree, str):
        return
    if isinstance(tree, list):
        for part in tree:
            told = _words(part)
            number = next((word for word in told if word.isdigit()), "")
            yield f"{number}: {', '.join(word for word in told if word != number)}"
        return
    for key, value in tree.items:
        if re.search(r"\d", key):
            yield f"{key}: {', '.join(_words(value))}"
        else:
            yield from _flat(value)


def _words(tree: Tree) -> list[str]:
    if isinstance(tree, str):
        return [one_line(tree)]
    if isinstance(tree, list):
        return [word for part in tree for word in _words(part)]
    return [word for _, value in tree.items for word in _words(value)]
