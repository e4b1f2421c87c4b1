"""A reply that holds several numbered pages, cut at their headings, whatever those are dressed as."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from reel_cli.core.exchange.reader.cleaning import after_prompt, clean
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.trees import Pairs, Tree, parse_json, parse_yaml
from reel_cli.core.frozen import frozen
from reel_cli.core.values.artifact import Problem
from reel_cli.core.values.change import one_line

_WORD = r"(?:pages?|memory|memories|entry|entries|item|journal page|part)"
_DRESS = r"[ \t>#*_=\[(【<`~•\-–—]*(?:[^\w\s\"'“”‘’«»\[\]<>(){}|*`#:.,;!?/\\~=+&-]{1,4}[ \t]*)?[*_]*"
_NUMBERED = re.compile(
    rf"{_DRESS}{_WORD}[ \t]*(?:no\.?|nr\.?|number)?[ \t]*#?[ \t]*(?P<numbers>\d{{1,3}}"
    r"(?:[ \t]*(?:,|&|\+|/|-|–|\band\b|\bto\b|\bund\b)[ \t]*(?:page[ \t]*)?\d{1,3})*)"
    r"(?P<rest>(?:[^\w\n][^\n]{0,160})?)",
    re.IGNORECASE,
)
_PLAIN = re.compile(r"[ \t>#*_=\[(]*(?P<numbers>\d{1,3})[ \t]*[.):\-–—\]]+[ \t]*(?P<rest>\S[^\n]{0,160})")
_HEAD = re.compile(r"[ \t]*(?:#{1,6}[ \t]|[*_]{2}\S|={2,}|\[|【|<)")
_OBJECT = re.compile(r"[\[{](?=\s{0,80}(?:[{\[\"'“]|//|/\*|[A-Za-z_]\w{0,60}\s{0,8}:))")
_PAGE_KEY = re.compile(rf"(?:{_WORD}|number|no|nr|n|id|index)?[_ -]*#?(\d{{1,3}})", re.IGNORECASE)
_NUMBER_KEYS = frozenset({"page", "number", "no", "nr", "n", "id", "index", "pagenumber", "memory", "entry"})
_TITLE_KEYS = frozenset({"title", "heading", "name", "pagetitle"})
_YAML = re.compile(rf"(?im)^(?:-[ \t]+)?(?:{_WORD}[ _-]?\d{{0,3}}|number|id|title|pages)[ \t]*:(?=[ \t\n])")
_END = re.compile(r"(?i)^[=\s]*the end of page \d+[=\s]*$")

LONG_TITLE = 12
"""Letters from which a title is recognised by its beginning."""


@frozen
class PageParts:
    """A reply's pages by number (from 1, as the prompt numbered them), each as text of its own.

    `problems` name what could not be told apart; their `field` is `page.N`, or `page` where no page is
    meant. `is_prompt` says that it is the prompt pasted back. `strangers` are the titles among those that
    were not asked for which head a page.
    """

    pages: dict[int, str]
    problems: tuple[Problem, ...] = ()
    is_prompt: bool = False
    strangers: tuple[str, ...] = ()


def part_pages(
    reply: str, titles: Sequence[str], prompt: str = "", strangers: Sequence[str] = ()
) -> PageParts:
    """Cut a reply into the pages that were asked for; `titles` are theirs, in the prompt's order.

    A page is known by its number, else by its title; where the two name different pages, or the title is
    one of `strangers` (titles of what was not asked for), it is not believed. Raises ReelError when the
    text is far too long to be a reply.
    """
    asked = frozenset(map(squash, titles))
    folded = {squash(title): title for title in strangers}
    known = _Titles(titles, {key: title for key, title in folded.items() if key and key not in asked})
    plain, _ = clean(reply)
    if prompt and squash(plain) == squash(prompt):
        return PageParts({}, is_prompt=True)
    answer = after_prompt(plain, prompt) if prompt else plain
    structured = _from_json(answer, known) or _from_yaml(answer, known)
    if structured is not None:
        return structured
    lines = answer.split("\n")
    heads = list(_heads(lines, known))
    if not heads and len(titles) == 1:
        return PageParts({1: answer} if answer.strip() else {})
    return _cut(lines, heads, known)


@frozen
class _Titles:
    """The titles that were asked for, in order, and those that were not, by what `squash` makes of them."""

    asked: Sequence[str]
    strangers: Mapping[str, str]

    def find_stranger(self, title: str) -> str:
        """Return the title, not asked for, that a heading gives, alone or with more text; "" for none."""
        folded = squash(title)
        if folded in self.strangers:
            return self.strangers[folded]
        long = [one for one in self.strangers if len(one) >= LONG_TITLE and folded.startswith(one)]
        return self.strangers[max(long, key=len)] if long and _titled(title, self) is None else ""

    def find_strangers(self, headings: Iterable[str]) -> tuple[str, ...]:
        """Return those titles that any of some headings gives, each once."""
        return tuple(dict.fromkeys(filter(None, map(self.find_stranger, headings))))


@frozen
class _Head:
    """A heading line: the numbers it names, and the title beside them; `bare`: it is a title and no more."""

    line: int
    numbers: tuple[int, ...]
    title: str
    bare: bool = False


def _heads(lines: Sequence[str], titles: _Titles) -> Iterator[_Head]:
    """Yield the lines that head a page.

    A title alone, without the dress of a heading, heads one where nothing else names that page: below it, it
    is a line of the text.
    """
    found = list(_find_heads(lines, titles))
    named = {number for head in found if not head.bare for number in head.numbers}
    for head in found:
        if not (head.bare and named.intersection(head.numbers)):
            named.update(head.numbers)
            yield head


def _find_heads(lines: Sequence[str], titles: _Titles) -> Iterator[_Head]:
    """Yield the lines that may head a page."""
    known = {squash(title): number for number, title in enumerate(titles.asked, start=1)}
    plain = [number for number, line in enumerate(lines) if _plain_head(line, titles)]
    for at, line in enumerate(lines):
        if len(line) > 240 or not line.strip() or _END.match(line):
            continue
        found = _NUMBERED.fullmatch(line.rstrip())
        if found and (
            _HEAD.match(line) or _is_title(found["rest"], titles) or not found["rest"].strip(" .:*_#=]】>-—–")
        ):
            yield _Head(at, _numbers(found["numbers"]), found["rest"].strip(' \t:*_#=]】>-—–."“”'))
        elif at in plain and (numbered := _PLAIN.fullmatch(line.rstrip())):
            yield _Head(at, _numbers(numbered["numbers"]), numbered["rest"].strip(' \t:*_#=]."“”'))
        elif (number := known.get(squash(line), 0)) and len(squash(line)) > 3:
            yield _Head(at, (number,), "", bare=not _HEAD.match(line))
        elif _HEAD.match(line) and squash(line) in titles.strangers:
            yield _Head(at, (), line.strip(" \t#*_=[]"))


def _plain_head(line: str, titles: _Titles) -> bool:
    """Return whether a line such as `2. The letter` heads a page: only with that page's title."""
    found = _PLAIN.fullmatch(line.rstrip())
    return bool(found) and _is_title(found["rest"] if found else "", titles)


def _numbers(text: str) -> tuple[int, ...]:
    return tuple(dict.fromkeys(int(number) for number in re.findall(r"\d{1,3}", text)))


def _is_title(text: str, titles: _Titles) -> bool:
    return _titled(text, titles) is not None


def _titled(text: str, titles: _Titles) -> int | None:
    """Return the number of the title that a heading gives, in whole or with more text; None if unclear."""
    folded = squash(text)
    found = [
        number
        for number, title in enumerate(titles.asked, start=1)
        if (one := squash(title))
        and (folded.startswith(one) or (len(folded) >= 8 and one.startswith(folded)))
    ]
    exact = [number for number in found if squash(titles.asked[number - 1]) == folded]
    found = exact or found
    return found[0] if len(found) == 1 else None


def _cut(lines: Sequence[str], heads: Sequence[_Head], titles: _Titles) -> PageParts:
    problems: list[Problem] = []
    pages: dict[int, str] = {}
    ends = [*(head.line for head in heads[1:]), len(lines)] if heads else []
    for head, end in zip(heads, ends, strict=True):
        body = "\n".join(line for line in lines[head.line + 1 : end] if not _END.match(line)).strip("\n")
        _put(pages, problems, head.numbers, head.title, body, titles)
    return PageParts(pages, tuple(problems), strangers=titles.find_strangers(one.title for one in heads))


def _put(  # noqa: PLR0913
    pages: dict[int, str],
    problems: list[Problem],
    numbers: Sequence[int],
    title: str,
    body: str,
    titles: _Titles,
) -> None:
    """Add one page, if its number is certain."""
    asked = [number for number in numbers if 1 <= number <= len(titles.asked)]
    if len(numbers) > 1:
        problems += [
            Problem(f"page.{n}", "it was written together with another; each has to stand by itself")
            for n in asked
        ]
        return
    if not asked:
        told = one_line(title, 60) or str(*numbers)
        problems.append(Problem("page", f"a page that was not asked for ({told}) is left out"))
        return
    number = asked[0]
    if titles.find_stranger(title):
        told = f'its heading says "{one_line(title, 60)}", which was not asked for'
        problems.append(Problem(f"page.{number}", told))
        return
    named = _titled(title, titles) if title else None
    if named is not None and named != number:
        for one in (number, named):
            problems.append(
                Problem(f"page.{one}", f'the heading says page {number} and "{titles.asked[named - 1]}"')
            )
        return
    if not body.strip():
        return
    before = pages.get(number)
    if before is not None and squash(before) != squash(body):
        # a draft comes before the final version
        problems.append(Problem(f"page.{number}", "it came twice, with different words; the last is taken"))
    pages[number] = body


def _from_json(text: str, titles: _Titles) -> PageParts | None:
    """Return the pages of a JSON reply; None if it is not JSON, or has no page by number or title."""
    for opened in _OBJECT.finditer(text):
        if opened.start() and text[: opened.start()].count("\n## ") > 1:
            return None
        found = _from_tree(parse_json(text, opened.start()).tree, titles)
        if found is not None:
            return found
    return None


def _from_yaml(text: str, titles: _Titles) -> PageParts | None:
    """Return the pages of a YAML reply; None if it is not YAML."""
    opened = _YAML.search(text)
    if opened is None:
        return None
    body = text[opened.start() :]
    fence = re.search(r"(?m)^[ \t]*(?:`{3,}|~{3,})[ \t]*$", body)
    tree = parse_yaml(body[: fence.start()] if fence else body)
    return None if tree is None or isinstance(tree, str) else _from_tree(tree, titles)


def _from_tree(tree: Tree, titles: _Titles) -> PageParts | None:
    pages: dict[int, str] = {}
    problems: list[Problem] = []
    objects = list(_objects(tree, len(titles.asked), 0))
    for numbers, title, body in objects:
        named = _titled(title, titles) if title else None
        if numbers or named is not None:
            _put(pages, problems, numbers or (named or 0,), title, body, titles)
    if not (pages or problems):
        return None
    return PageParts(pages, tuple(problems), strangers=titles.find_strangers(one[1] for one in objects))


def _objects(tree: Tree, most: int, depth: int) -> Iterator[tuple[tuple[int, ...], str, str]]:
    """Yield each mapping that is a page: its numbers, its title, the rest of it as text."""
    if depth > 4 or isinstance(tree, str):
        return
    if isinstance(tree, list):
        for place, part in enumerate(tree, start=1):
            found = list(_objects(part, most, depth + 1))
            if not found and isinstance(part, Pairs) and len(tree) == most:
                found = [((place,), _title_in(part), _told(part))]
            yield from found
        return
    numbers = _numbered(tree)
    if numbers:
        yield numbers, _title_in(tree), _told(tree)
        return
    for key, value in tree.items:
        numbered = _PAGE_KEY.match(key.strip())
        if numbered and isinstance(value, Pairs | list):
            title = _title_in(value) if isinstance(value, Pairs) else ""
            yield (int(numbered[1]),), title or key.strip()[numbered.end() :].strip(" :-–—_"), _told(value)
        elif numbered and isinstance(value, str) and re.search(r"[A-Za-z]", key):
            yield (int(numbered[1]),), "", value
        else:
            yield from _objects(value, most, depth + 1)


def _numbered(tree: Pairs) -> tuple[int, ...]:
    for key, value in tree.items:
        if squash(key) in _NUMBER_KEYS and isinstance(value, str) and (found := _numbers(value)):
            return found
    return ()


def _title_in(tree: Pairs) -> str:
    return next((v for k, v in tree.items if squash(k) in _TITLE_KEYS and isinstance(v, str)), "")


def _told(tree: Tree) -> str:
    """Return a page's mapping as headings and texts, for the common reader of replies."""
    if isinstance(tree, str):
        return tree
    if isinstance(tree, list):
        return "\n".join(f"- {_flat(part)}" for part in tree)
    parts = []
    for key, value in tree.items:
        if squash(key) in _NUMBER_KEYS | _TITLE_KEYS:
            continue
        if isinstance(value, Pairs) and squash(key) in ("fields", "content", "page", "sections", "text"):
            parts.append(_told(value))
            continue
        body = _told(value).strip() if not isinstance(value, Pairs) else _flat(value)
        parts.append(f"## {key.replace('_', ' ')}\n{body or 'nothing'}\n")
    return "\n".join(parts)


def _flat(tree: Tree) -> str:
    if isinstance(tree, str):
        return one_line(tree)
    if isinstance(tree, list):
        return "; ".join(_flat(part) for part in tree)
    return "; ".join(f"{key}: {_flat(value)}" for key, value in tree.items)
