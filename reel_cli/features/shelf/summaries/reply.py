"""Exchange about the gist of files, and the reader of the reply in any shape (MEMORY-MGMT §4)."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from reel_cli.core.blockquote import fence_for
from reel_cli.core.evidence.grounding.check import Claim, Stretch, find_ungrounded
from reel_cli.core.evidence.grounding.dates import date_word
from reel_cli.core.evidence.grounding.lexicon import telling
from reel_cli.core.evidence.grounding.source import Source, Turn, look_at_turn
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.cleaning import after_prompt, clean, find_fences, rejoin_prompt, safe
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.schema import find_headings, tell_other
from reel_cli.core.pack.recognize import find_prompt
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line

LONGEST = 100_000
"""Characters above which a page is no summary."""
LEAST = 20
LIKE_A_PROMPT, MOSTLY = 8, 0.9
"""Number of lines, and the share of them from the prompt, that make a reply the prompt pasted back."""
OTHERS = 2
"""Number of headings of another prompt, without any of a summary's, that make it an answer to that one."""
MOST_TOLD = 8
MOST_HELD = 400_000
"""Characters of what was shown that are compared with the page."""
FEWEST = 4
LEAST_SHARED, WHOLE = 1, 8
"""Fraction of the content words, as a pair, that must occur in the sources of a summary."""
_NO_SPACES = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff]")
_HEAD = re.compile(
    r"[ \t>]*(?:#{1,6}[ \t]*)?[*_]{0,3}(?P<name>title|gist|summary)[*_]{0,3}[ \t]*[:：]?[*_]{0,3}"
    r"[ \t]*(?P<rest>.*)",
    re.IGNORECASE,
)
_CHATTER = re.compile(
    r"(?:sure|certainly|of course|okay|ok|here(?: is|'s|’s| are)|below is)\b[^\n]{0,160}[:.!]", re.IGNORECASE
)
_RULE_LINE = re.compile(r"[ \t]*(?:-{3,}|\*{3,}|_{3,}|={3,})[ \t]*")
_WORDS = {
    Claim.QUOTE: "is quoted, but is not there",
    Claim.ANCHOR: "is quoted, but is not there",
    Claim.NAME: "is a name that is not there",
    Claim.NUMBER: "is a number that is not there",
    Claim.DATE: "is a {} that is not there",
    Claim.NEGATION: "is said differently there",
}


@dataclass(frozen=True, slots=True)
class Paper:
    """One file as a prompt shows it: its name, what is to be known of it, and what there is room for."""

    name: str
    about: str
    text: str


@dataclass(frozen=True, slots=True)
class Page:
    """A reply, read: title and gist ("" for none), and the summary; `refusal` says why there is none."""

    title: str = ""
    gist: str = ""
    body: str = ""
    problems: tuple[Problem, ...] = ()
    refusal: str = ""
    is_prompt: bool = False


def render_summary_prompt(  # noqa: PLR0913 (who is asked as what, and about which papers)
    name: str, user: str, identity: str, papers: Sequence[Paper], style: str, words: int
) -> str:
    """Ask for a summary in a style, with ring 0 loaded, of at most so many words."""
    intro, _, form = read_ask("summarize").partition("\n---\n")
    rule = rule_beyond("\n".join(paper.text for paper in papers))
    shown = "\n\n".join(_shown(paper, rule) for paper in papers)
    fill = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "papers": shown,
        "style": style_texts()[style],
        "words": f"{words:,}",
    }
    whole = f"{intro.strip()}\n\n{form.strip()}\n"
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def _shown(paper: Paper, rule: str) -> str:
    """Return one file between rules, and within them in a fence that nothing in it can close."""
    fence = fence_for(paper.text)
    return (
        f"{rule} {paper.name} ({paper.about}) {rule}\n{fence}\n{paper.text.strip(chr(10))}\n{fence}\n"
        f"{rule} The end of {paper.name} {rule}"
    )


def style_texts() -> Mapping[str, str]:
    """Return the prompt's request, by style."""
    blocks = re.split(r"(?m)^## ", read_ask("summarize-styles"))[1:]
    pairs = (block.split("\n", 1) for block in blocks)
    return {name.strip(): hint.strip() for name, hint in pairs}


def read_summary_page(reply: str, prompt: str, name: str) -> Page:
    """Return the page in a reply to a prompt ("" if unknown); `name` is the persona's, as signature.

    Raises ReelError where the text is far too long to be a reply.
    """
    plain, cut = clean(reply)
    answer = after_prompt(plain, safe(prompt)) if prompt else _after_any_prompt(plain)
    if (prompt and is_prompt(answer, safe(prompt))) or (plain.strip() and not answer.strip()):
        return Page(refusal="That is the prompt itself, not the answer to it.", is_prompt=True)
    lines = _without_frame(answer.strip("\n").split("\n"))
    lines, signed = _without_name(lines, name)
    title, gist, told = _parts(lines)
    body = "\n".join(_trimmed(told))
    others = find_headings(answer) if not (title or gist or len(told) < len(lines)) else []
    if len(others) >= OTHERS:
        return Page(refusal=tell_other(others[0]))
    if len(body) < LEAST:
        why = (
            "The answer breaks off before the summary."
            if cut
            else "That reply has no summary in a form that reel can read."
        )
        return Page(refusal=why)
    if len(body) > LONGEST:
        return Page(refusal=f"That is {len(body):,} characters long, which is not a summary.")
    problems = []
    if prompt and not signed:
        what = f"{name}'s name is not on its last line: perhaps the answer was cut off."
        problems.append(Problem("summary", what))
    return Page(one_line(title, 80), one_line(gist, 200), body, tuple(problems))


def _after_any_prompt(text: str) -> str:
    """Return the text after one of reel's own prompts if one was pasted too; else all of it."""
    found = find_prompt(text)
    return text[found[1] :] if found is not None else text


def is_prompt(text: str, prompt: str) -> bool:
    """Return whether nearly every line of the reply is one of the prompt's."""
    told = {squash(line) for line in prompt.split("\n")} - {""}
    text = rejoin_prompt(text, prompt)
    lines = [folded for line in text.split("\n")[:10_000] if (folded := squash(line[:4_000]))]
    return len(lines) >= LIKE_A_PROMPT and sum(line in told for line in lines) >= MOSTLY * len(lines)


def _without_frame(lines: list[str]) -> list[str]:
    """Return the answer without an outer fence, a greeting before it, or its own front matter."""
    lines = _trimmed(lines)
    if lines and _CHATTER.fullmatch(lines[0].strip()):
        lines = _trimmed(lines[1:])
    whole, _ = find_fences(lines, 1)
    if whole is not None and whole.first == 0 and (whole.last is None or whole.last == len(lines) - 1):
        lines = _trimmed(lines[1 : whole.last])
    if lines and lines[0].strip() == "---":
        end = next((at for at, line in enumerate(lines[1:40], 1) if line.strip() == "---"), None)
        if end is not None and all(re.match(r"\s|[\w-]+:|-|$", line) for line in lines[1:end]):
            lines = _trimmed(lines[end + 1 :])
    return lines


def _without_name(lines: list[str], name: str) -> tuple[list[str], bool]:
    """Return the answer without the name at its end, and whether it was there."""
    lines = _trimmed(lines)
    last = lines[-1].strip(" \t*_-–—.~>#") if lines else ""
    if last and squash(last) in {squash(name), squash(f"your {name}")}:
        return _trimmed(lines[:-1]), True
    return lines, False


def _parts(lines: Sequence[str]) -> tuple[str, str, list[str]]:
    """Return title, gist, and the summary's lines; without headings all of it is the summary."""
    found: dict[str, list[str]] = {"title": [], "gist": []}
    current = ""
    for at, line in enumerate(lines):
        head = _HEAD.fullmatch(line) if len(line) < 400 else None
        key = head["name"].casefold() if head and _is_head(line, head["rest"]) else ""
        if key == "summary":
            rest = [head["rest"]] if head and head["rest"].strip() else []
            return _one(found["title"]), _one(found["gist"]), [*rest, *lines[at + 1 :]]
        if key and not found[key]:
            current = key
            found[key] = [head["rest"]] if head and head["rest"].strip() else []
        elif current and line.strip() and not line.lstrip().startswith("#"):
            found[current].append(line)
        elif line.lstrip().startswith("#") or (not current and line.strip()):
            # the page begins without the requested heading
            return _one(found["title"]), _one(found["gist"]), list(lines[at:])
    # a page with only a title and a gist is a page too
    return _one(found["title"]), "", [*found["gist"]]


def _is_head(line: str, rest: str) -> bool:
    """Return whether a line with one of the names is a heading, and not a sentence with that first word."""
    plain = line.lstrip(" \t>")
    return (
        plain.startswith(("#", "*", "_"))
        or not rest.strip()
        or bool(re.match(r"\w+[*_]{0,3}[ \t]*[:：]", plain))
    )


def _one(lines: Sequence[str]) -> str:
    return " ".join(line.strip().strip('*_"“”#') for line in lines).strip()


def _trimmed(lines: Sequence[str]) -> list[str]:
    """Return lines without blank ones and rules at either end."""
    first, last = 0, len(lines)
    while first < last and not lines[first].strip():
        first += 1
    while last > first and (not lines[last - 1].strip() or _RULE_LINE.fullmatch(lines[last - 1])):
        last -= 1
    return list(lines[first:last])


def shares_nothing(body: str, shown: str) -> bool:
    """Return whether a summary shares hardly a word with its source; False for scripts without spaces."""
    mine = telling(body)
    if len(mine) < FEWEST or (not body.isascii() and _NO_SPACES.search(body)):
        return False
    return len(mine & telling(shown[:MOST_HELD])) * WHOLE < LEAST_SHARED * len(mine)


def find_unborne(body: str, shown: str, known: str) -> list[Problem]:
    """Return a problem for each name, number, day or quotation that is not in what was shown.

    `known` holds names that need no source. Deterministic; it tells, and never blocks.
    """
    source = Source([look_at_turn(Turn(1, "the papers", shown[:MOST_HELD]))], known, known)
    stretches = [
        Stretch(line.strip().lstrip("-*+• ").strip(), ((0, at),), title=line.startswith("#"), open=True)
        for at, line in enumerate(body.split("\n"), 1)
        if line.strip()
    ]
    found = find_ungrounded(stretches, source, most=0)
    problems = [
        Problem(
            f"grounding.{one.kind.value}",
            f"“{one_line(one.claim, 80)}” {_WORDS[one.kind].format(date_word(one.claim))}.",
        )
        for one in found[:MOST_TOLD]
    ]
    if len(found) > MOST_TOLD:
        problems.append(Problem("grounding", f"And {len(found) - MOST_TOLD:,} more details like these."))
    return problems
