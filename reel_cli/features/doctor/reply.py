"""Pages the persona itself holds against their sources: what of them was not said (REEL §10.5)."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from enum import StrEnum
from itertools import islice
from typing import NamedTuple

from reel_cli.core.blockquote import set_apart
from reel_cli.core.evidence.phrases import Tape
from reel_cli.core.exchange.pages import part_pages
from reel_cli.core.exchange.prompts import rule_beyond
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.quote_marks import OPENING, QUOTED, unquote
from reel_cli.core.resources import read_ask
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import Entry, Message

ALIKE = WHOLE * 65 // 100
"""Likeness, of `WHOLE`, from which a quotation counts as the page's line."""
SURE = WHOLE * 9 // 10
"""The same, above which it is beyond doubt."""
LEAST_QUOTED = 3
"""Words from which a quotation is a sentence of a page rather than a name."""
MOST_DOUBTS = 40
"""Maximum number of doubts about one page that are read; a page has fewer sentences."""
MOST_ITEMS = 400
LONGEST = 2_000
"""Characters that are read of the text about one sentence."""
_HEADING = re.compile(r"[ \t>]*(?:#{1,6}[ \t]+(?P<hash>.+)|[*_]{2}(?P<bold>[^*_\n]{3,60})[*_]{2}:?)[ \t]*$")
_MARK = re.compile(r"(?P<indent>[ \t]*)(?:[-*+•‣▪][ \t]+|\d{1,3}[.)][ \t]+)(?=\S)")
_BREAK = re.compile(r"\n|→|⇒|->|=>|(?<=\s)\|(?=\s)|(?<=\s)[-–—](?=\s)|;\s(?=[\w ]{2,24}:\s)|(?<=[✓✔✅✗✘❌])")
_ABOUT_SAID = r"(?:said|quote[sd]?|quotation|source|tape|original|evidence|transcript|words|spoken)"
_SAID = re.compile(rf"(?i)[^\w\"]*(?:[\w']+[ _]){{0,4}}{_ABOUT_SAID}(?:[ _]\w+){{0,3}}\s*:\s*")
_LABEL = re.compile(r"(?i)[^\w\"]*[a-z]\w{2,}(?:[ _]\w+){0,3}\s*:\s+")
_LED_BY = re.compile(rf"(?i){_ABOUT_SAID}[^\w\"]*$")
_TELLS_SAYER = re.compile(r"(?i)(?:[\w']+[^\w\"]+){4,}(?:really |only |in fact )?said[^\w\"]*\"?\Z")
_GOES_ON = re.compile(
    rf"(?i)[ \t]*(?:→|⇒|->|=>|[-–—]\s|(?:[\w']+[ _]){{0,4}}{_ABOUT_SAID}\b[^.\n\"]{{0,30}}:)"
)
_NO_WORDS = re.compile(r"(?i)\W*(?:(?:not|never) said|nothing|none|no|n/?a|null|was not|-+)?\b[\w ,.]{0,24}$")
_MADE_UP = re.compile(r"(?i)\b(?:made[ -]up|invent\w*|fabricat\w*|hallucinat\w*|added|embellish\w*)\b")
_CHANGED = re.compile(
    r"(?i)\b(?:chang\w*|altered|differ\w*|wrong\w*|misquot\w*|inaccurate|otherwise|exaggerat\w*|not quite"
    r"|instead)\b"
)
_DOUBTFUL = re.compile(
    rf"{_MADE_UP.pattern}|{_CHANGED.pattern[4:]}|[✗✘❌]|n['’]t\b|"
    r"\b(?:not|never|nowhere|no one|nobody|false|unsupported|unsaid|contradict\w*|rather|drift\w*|doubtful)\b"
)
_HOLDS = re.compile(
    r"(?i)\b(?:said|holds?|true|correct|accurate|supported|verbatim|borne|matche?s|confirmed|faithful"
    r"|ok(?:ay)?|yes|fine)\b|[✓✔✅]"
)
_CUT = "QQ"
"""Placeholder for a sentence or quotation that was cut out."""
_HOLDS_ALONE = re.compile(
    r"(?i)\W*(?:verdict\W+)?(?:it |this )?(?:was |is )?"
    r"(?:said|holds?|true|correct|accurate|verbatim|ok(?:ay)?|yes|fine)(?:[ ,(]+(?!QQ)\w+){0,3}[.)]*|[✓✔✅]"
)
_NOTHING = re.compile(
    r"(?i)\W*(?:nothing|none|no doubts?"
    r"|all (?:of (?:it|this|that) )?(?:was|is|were|holds?)(?: (?:really|indeed))?(?: said| true| fine| here)?"
    r"|(?:everything|it all|the page|this page|it) (?:was said|holds?|is (?:true|fine|right)))"
    r"(?:\W*$|[.!…][\"”]?\s|\W+(?:to|here|wrong|made|added|changed|doubtful|that|in|on|up|does|really"
    r"|was (?:made|changed|added))\b)"
)
_OPENS = tuple(f"|{OPENING}")
"""Characters that begin a quoted sentence of the page, if nothing else marks a line as quoted."""
_BUT = re.compile(r"(?i)\b(?:but|except|apart from|save|although|however)\b")


class Verdict(StrEnum):
    """Verdicts on a sentence."""

    NOT_SAID = "not said"
    CHANGED = "changed"
    MADE_UP = "made up"


@dataclass(frozen=True, slots=True)
class ShownPage:
    """One page as the prompt shows it: its title and day (in words), how it stands, what was said."""

    title: str
    day: str
    text: str
    said: str


@dataclass(frozen=True, slots=True)
class Doubt:
    """One doubtful statement: its words as the page has them, and what is said of it.

    `quotes` are what the reply gives as really said; nobody has looked them up yet.
    """

    words: str
    verdict: Verdict
    quotes: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class PageVerdict:
    """The reply about one page: its doubts, or that all of it was said (`clear`).

    `why` says why nothing can be told from it; `remarks` are about no words of the page.
    """

    doubts: tuple[Doubt, ...] = ()
    clear: bool = False
    why: str = ""
    remarks: tuple[str, ...] = ()


class DoubtingReading(NamedTuple):
    """A reply as read: the judgement of each page, in order, and its problems as a whole.

    `is_prompt` says that it is the prompt pasted back; `strangers` are the titles of pages that were not
    asked about and that it answers.
    """

    pages: Sequence[PageVerdict]
    problems: tuple[Problem, ...]
    is_prompt: bool
    strangers: tuple[str, ...]


def render_doubting(name: str, identity: str, shown: Sequence[ShownPage]) -> str:
    """Ask where pages do not hold, each beside its source, with ring 0 loaded (REEL §10.3)."""
    intro, _, outro = read_ask("check").partition("\n---\n")
    rule = rule_beyond("\n".join(f"{one.text}\n{one.said}" for one in shown))
    values = {
        "name": name,
        "identity": identity.strip(),
        "pages": "\n\n".join(_page(number, one, rule) for number, one in enumerate(shown, start=1)),
        "title": one_line(shown[0].title) if shown else "",
    }
    whole = f"{intro.strip()}\n\n{outro.strip()}\n"
    return re.sub(r"\{\{(\w+)\}\}", lambda found: values[found[1]], whole)


def _page(number: int, one: ShownPage, rule: str) -> str:
    when = f" ({one.day})" if one.day else ""
    return (
        f"{rule} Page {number}: {one_line(one.title)}{when} {rule}\n"
        f"The page as it stands:\n\n{one.text.strip()}\n\n"
        f"What was said:\n\n{set_apart(one.said.strip())}\n{rule} The end of page {number} {rule}"
    )


def read_doubting(
    reply: str,
    pages: Sequence[tuple[str, str]],
    *,
    prompt: str,
    names: Sequence[str],
    strangers: Sequence[str] = (),
) -> DoubtingReading:
    """Return the judgement of each page, and what else is to be known of the reply.

    `pages` are (title, text) in the prompt's order; `names` are those the reply may be signed with, and
    `strangers` the titles of pages that were not asked about. Raises ReelError when the text is far too long
    to be a reply.
    """
    parted = part_pages(reply, [title for title, _ in pages], prompt, strangers)
    passed = {squash(name) for name in names} | {squash(title) for title, _ in pages}
    passed |= {squash(line) for line in read_ask("check").splitlines()}
    found = []
    for number, (title, text) in enumerate(pages, start=1):
        told = [one.what for one in parted.problems if one.field == f"page.{number}"]
        answer = parted.pages.get(number)
        if answer is None:
            found.append(PageVerdict(why=told[0] if told else "it did not come back"))
            continue
        found.append(_judge(answer, f"{title}\n\n{text}", passed))
    whole = tuple(one for one in parted.problems if one.field == "page")
    return DoubtingReading(found, whole, parted.is_prompt, parted.strangers)


def _judge(answer: str, text: str, passed: set[str]) -> PageVerdict:
    page = _as_tape(text)
    doubts: list[Doubt] = []
    remarks: list[str] = []
    nothing, held = False, False
    for heading, item in islice(_items(answer), MOST_ITEMS):
        if not squash(item) or squash(item) in passed:
            continue
        if _says_nothing(item):
            nothing = True
            continue
        read = _read_item(item, page)
        if read is None:
            remarks.append(one_line(item, 160))
            continue
        words, quotes, rest = read
        if _holds(rest, heading, quotes):
            held = True
        elif len(doubts) < MOST_DOUBTS and words not in [doubt.words for doubt in doubts]:
            doubts.append(Doubt(words, _verdict(f"{rest} {heading}", quotes), quotes))
    if doubts:
        return PageVerdict(tuple(doubts), remarks=tuple(remarks))
    if nothing or (held and not remarks):
        return PageVerdict(clear=True)
    if remarks:
        return PageVerdict(why="it quotes no words of the page", remarks=tuple(remarks))
    return PageVerdict(why="it says nothing about the page")


def _holds(rest: str, heading: str, quotes: Sequence[str]) -> bool:
    """Return whether a listed sentence is one that was said, as in replies that list all of them."""
    if _DOUBTFUL.search(rest):
        return False
    if _HOLDS.search(heading) and not _DOUBTFUL.search(heading):
        return True
    if quotes:
        return any(_HOLDS_ALONE.fullmatch(run.strip()) for run in _BREAK.split(rest))
    return _HOLDS.search(rest) is not None


def _verdict(rest: str, quotes: Sequence[str]) -> Verdict:
    if _MADE_UP.search(rest):
        return Verdict.MADE_UP
    if _CHANGED.search(rest) or (quotes and not _DOUBTFUL.search(rest)):
        return Verdict.CHANGED
    return Verdict.NOT_SAID


def _says_nothing(item: str) -> bool:
    plain = item.strip(" \t\"'“”*_.`")
    return len(plain.split()) <= 16 and bool(_NOTHING.match(plain)) and not _BUT.search(plain)


def _as_tape(text: str) -> Tape:
    """Return a page's paragraphs as a tape, to be searched like one."""
    told = [""]
    for line in text.splitlines():
        if line.startswith("#") or not line.strip():
            told.append("")
        elif _MARK.match(line):
            told.append(line)
        else:
            told[-1] = f"{told[-1]} {line.strip()}".strip()
    return Tape([Entry(number, Message("user", line)) for number, line in enumerate(told, start=1) if line])


def _items(answer: str) -> Iterator[tuple[str, str]]:
    """Yield each listed item with the heading above it, as (heading, words)."""
    heading, held, depth = "", list[str](), 0
    lines = answer.split("\n")
    blank = True
    for at, line in enumerate(lines):
        headed = _HEADING.match(line)
        if headed or _is_table_rule(line) or (at + 1 < len(lines) and _is_table_head(line, lines[at + 1])):
            if held:
                yield heading, "\n".join(held)
            heading, held, blank = (headed["hash"] or headed["bold"] if headed else heading), [], True
            continue
        if not line.strip():
            blank = True
            continue
        mark = _MARK.match(line)
        indent = len(mark["indent"]) if mark else len(line) - len(line.lstrip())
        plain = line[mark.end() :] if mark else line
        begins = plain.lstrip()[:1] in _OPENS and not (held and held[-1].endswith(":"))
        goes_on = indent > depth or (not mark and not blank and not begins) or _GOES_ON.match(plain)
        if held and goes_on:
            if mark or _GOES_ON.match(plain) or _LABEL.match(plain):
                held.append(plain.strip())
            else:
                held[-1] = f"{held[-1]} {plain.strip()}"
        else:
            if held:
                yield heading, "\n".join(held)
            held, depth = [plain.strip().strip("|").strip()], indent
        blank = False
    if held:
        yield heading, "\n".join(held)


def _is_table_head(line: str, after: str) -> bool:
    return line.lstrip().startswith("|") and _is_table_rule(after)


def _is_table_rule(line: str) -> bool:
    return "--" in line and not line.strip(" \t|:-")


def _read_item(item: str, page: Tape) -> tuple[str, tuple[str, ...], str] | None:
    """Return (words of the page, what is said to be true, the rest); None if the item has none."""
    plain = re.sub(r"[*_]{2,}", "", item[:LONGEST])
    parts = list(_parts(plain))
    best, most = None, 0
    for part in parts:
        length = len(part.text.split())
        found = page.find(part.text) or page.nearest(part.text)
        likeness = found.likeness if found is not None else 0
        # a few exact words count more than many similar ones
        score = length * (likeness - WHOLE // 2) ** 2 if likeness >= ALIKE else 0
        # a phrase that the prompt gives may be on the page by chance
        score = score // 2 if part.said else score
        if found is not None and score > most:
            best, most = (part, found.text, likeness), score
    if best is None:
        return None
    chosen, words, likeness = best
    if chosen.said and (_names_other_words(parts, page) or _is_given_as_said(chosen, plain)):
        # the page's sentence is quoted first, and it is not on this page: what was said is no doubt of it
        return None
    others = [one for one in parts if one.end <= chosen.start or one.start >= chosen.end]
    quotes = [one for one in others if one.quoted or one.said]
    rest = plain
    for gone in sorted([chosen, *quotes], key=lambda one: -one.start):
        rest = f"{rest[: gone.start]} {_CUT} {rest[gone.end :]}"
    if chosen.quoted and likeness < SURE and not quotes:
        # the words as said, compared with the page that tells them otherwise
        quotes = [chosen]
    told = dict.fromkeys(one.text for one in quotes if one.quoted or not _NO_WORDS.fullmatch(one.text))
    return words, tuple(told), rest


def _is_given_as_said(part: "_Part", item: str) -> bool:
    """Return whether an item says in words of its own what is wrong, and then who said this."""
    return part.quoted and bool(_TELLS_SAYER.search(item[: part.start]))


def _names_other_words(parts: "Sequence[_Part]", page: Tape) -> bool:
    """Return whether an item begins with a quotation that is no words of the page."""
    first = min((one for one in parts if one.quoted), key=lambda one: one.start, default=None)
    if first is None or first.said or len(first.text.split()) < LEAST_QUOTED:
        return False
    near = page.find(first.text) or page.nearest(first.text)
    return near is None or near.likeness < ALIKE


@dataclass(frozen=True, slots=True)
class _Part:
    """A run of an item that may be words of the page, or words that were said."""

    text: str
    start: int
    end: int
    quoted: bool = False
    said: bool = False


def _parts(item: str) -> Iterator[_Part]:
    """Yield the quotations of an item, then the text between its dashes and arrows."""
    covered = unsaid = item
    spans = []
    for quote in QUOTED.finditer(item):
        start, end = quote.span()
        said = bool(_LED_BY.search(item[max(0, start - 40) : start]))
        yield _Part(next(part for part in quote.groups() if part).strip(), start, end, quoted=True, said=said)
        covered = f"{covered[:start]}{'x' * (end - start)}{covered[end:]}"
        if said:
            # what was really said may stand on the page, and is no words that are doubted
            unsaid = f"{unsaid[:start]}{' ' * (end - start)}{unsaid[end:]}"
        spans.append((start, end))
    at = 0
    for found in [*_BREAK.finditer(covered), None]:
        end = found.start() if found else len(item)
        label = _SAID.match(covered, at, end)
        head = label or _LABEL.match(covered, at, end)
        start = head.end() if head else at
        holds_quote = any(start <= first and last <= end for first, last in spans)
        text = unquote(unsaid[start:end].strip())
        if (len(text.split()) > 1 or label) and not (label and holds_quote):
            yield _Part(text, start, end, said=label is not None)
        at = found.end() if found else end
