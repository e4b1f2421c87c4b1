"""What a checkpoint says of working memory, item by item (REEL §6.6, ring_2_delta)."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher

from reel_cli.exchange.phrases import fold
from reel_cli.model.artifact import Delta
from reel_cli.model.working import Item

_STILL = r"still(?: open| on| true| active| going)?|open|unchanged|ongoing|the same|same|continues|no change|active"
_CLOSED = r"closed|close|done|resolved|finished|settled|complete[d]?|no longer open"
_CHANGED = r"changed(?: to)?|updated?|now|→|->"
_STATUS = re.compile(rf"(?P<still>{_STILL})|(?P<closed>{_CLOSED})|(?P<changed>{_CHANGED})", re.IGNORECASE)
_NUMBER = re.compile(
    r"^\(?(?:(?:item|note|no\.?|nr\.?|number|thread|loop)\s+)?#?(\d{1,3})\)?\s*[.):\-–—]*\s*(.*)$",
    re.IGNORECASE | re.DOTALL,
)
_GROUP = re.compile(
    r"^(?P<what>new|opened|added|add|state|still|open|closed|close|resolved|done|changed|updated|unchanged)"
    r"(?:[_ ](?:threads?|loops?|items?|ones?|changes?|notes?|updates?|open|active))*"
    r"(?:\s*[:：]\s*|\s+[-–—]\s+)(?P<rest>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_TAGGED = re.compile(r"<\w+\s+(?:id|n|number|item|key)=[\"']?(\w+)[\"']?\s*>(.*?)</\w+>", re.DOTALL)
"""A note as an element that names its number: `<note id="1">still</note>`."""
_PREFIX = re.compile(r"^(?:>\s*)*(?:[-*•+]\s+|\[[ xX]\]\s*)*")
_NOTHING = frozenset(
    {"nothing", "none", "n/a", "nil", "null", "-", "–", "—", "~", "[]", "{}", "", "nothing new", "none new"}
)
_LIKE = 0.75


@dataclass
class _Draft:
    still: list[int] = field(default_factory=list)
    closed: list[int] = field(default_factory=list)
    changed: list[tuple[int, str]] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    state: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)


def parse_notes(text: str, items: Sequence[Item]) -> Delta:
    """Read the notes; silence about an item changes nothing, nor does what matches no item."""
    draft = _Draft()
    group = ""
    for raw in _TAGGED.sub(r"\1: \2\n", text).splitlines():
        bare = _PREFIX.sub("", raw.strip())
        line = bare.replace("**", "").replace("__", "").strip()
        if not line or fold(line).rstrip(".") in _NOTHING:
            continue
        opened = _GROUP.match(line)
        if opened:
            group = _group(opened["what"])
            line = opened["rest"].strip().strip('"')
            if fold(line).rstrip(".") in _NOTHING:
                continue
            _take(draft, group, line, items)
            continue
        numbered = _NUMBER.match(line)
        if numbered and not (group in ("new", "state") and not _has_status(numbered[2])):
            group = group if group in ("still", "closed", "changed") else ""
            _by_number(draft, int(numbered[1]), numbered[2].strip(), line, items, group)
        elif group:
            _take(draft, group, numbered[2].strip() if numbered else line, items)
        else:
            _by_text(draft, line, items)
    return Delta(
        still=tuple(dict.fromkeys(draft.still)),
        closed=tuple(dict.fromkeys(n for n in draft.closed if n not in draft.still)),
        changed=tuple(draft.changed),
        new=tuple(dict.fromkeys(draft.new)),
        state="\n".join(draft.state).strip(),
        unmatched=tuple(draft.unmatched),
    )


def same_item(one: str, other: str) -> bool:
    """Whether two items say the same thing in nearly the same words."""
    a, b = fold(one).rstrip("."), fold(other).rstrip(".")
    return a == b or SequenceMatcher(None, a, b, autojunk=False).ratio() >= 0.85


def _group(word: str) -> str:
    word = word.casefold()
    if word in ("new", "opened", "added", "add"):
        return "new"
    if word == "state":
        return "state"
    if word in ("closed", "close", "resolved", "done"):
        return "closed"
    return "changed" if word in ("changed", "updated") else "still"


def _has_status(text: str) -> bool:
    return bool(_STATUS.match(text.strip(" *\"'“”-–—:")))


def _take(draft: _Draft, group: str, line: str, items: Sequence[Item]) -> None:
    """One line under `new:`, `state:`, `closed:`, `still:` or `changed:`."""
    line = line.strip()
    if group == "state":
        draft.state.append(line)
    elif group == "new":
        draft.new.append(line.strip('"'))
    elif re.fullmatch(r"#?\d{1,3}(?:\s*(?:,|and|&|;)\s*#?\d{1,3})*\.?", line):
        for number in re.findall(r"\d+", line):
            _by_number(draft, int(number), group, line, items, group)
    else:
        number, rest = _match(line, items)
        numbered = _NUMBER.match(line)
        if numbered and group != "changed":
            _by_number(draft, int(numbered[1]), group, line, items, group)
        elif number is None:
            draft.unmatched.append(line)
        elif group == "still":
            draft.still.append(number)
        elif group == "closed":
            draft.closed.append(number)
        else:
            draft.changed.append((number, rest or line))


def _by_number(  # noqa: PLR0913
    draft: _Draft, number: int, rest: str, line: str, items: Sequence[Item], group: str
) -> None:
    """What a numbered line says of its item: `2. closed`, `2. the ticket - still`, `2` under `closed:`."""
    if not 1 <= number <= len(items):
        draft.unmatched.append(line)
        return
    item = items[number - 1]
    # some repeat the item's words before the verdict
    if fold(rest).startswith(fold(item.text)[:60]) and len(item.text) > 3:
        rest = rest[len(item.text) :] if len(rest) >= len(item.text) else ""
    rest = rest.strip(" \t*\"'“”.:;,-–—()")
    found = _STATUS.match(rest)
    if not found:
        _by_its_end(draft, number, rest, line, group)
        return
    if rest[found.end() :].startswith("?"):
        draft.unmatched.append(line)
    elif found["still"]:
        draft.still.append(number)
    elif found["closed"]:
        draft.closed.append(number)
    else:
        text = rest[found.end() :].strip(" \t\"'“”:;,-–—")
        if text:
            draft.changed.append((number, text))
        else:
            draft.unmatched.append(line)


def _by_its_end(draft: _Draft, number: int, rest: str, line: str, group: str) -> None:
    """A numbered line whose verdict stands at its end, in parentheses, or over the group it is in."""
    inside = re.search(r"\((?:changed|updated)(?: to)?:\s*([^()]{3,})\)", line, re.IGNORECASE)
    tail = re.search(rf"[:—–(→-]\s*[\"'“]?({_STILL}|{_CLOSED})[\"'”]?[.)]?\s*$", line, re.IGNORECASE)
    if inside:
        draft.changed.append((number, inside[1].strip()))
    elif tail:
        kind = "closed" if re.fullmatch(_CLOSED, tail[1], re.IGNORECASE) else "still"
        getattr(draft, kind).append(number)
    elif group in ("still", "closed"):
        getattr(draft, group).append(number)
    elif not rest:
        draft.still.append(number)
    elif group == "changed":
        draft.changed.append((number, rest))
    else:
        draft.unmatched.append(line)


def _by_text(draft: _Draft, line: str, items: Sequence[Item]) -> None:
    """A line that names its item by its words, as `the residency: closed`."""
    head, _, tail = line.rpartition(":")
    if not head:
        head, _, tail = line.rpartition(" - ")
    found = _STATUS.match(tail.strip(" *\"'“”"))
    number, _ = _match(head, items) if head else (None, "")
    if number is None or not found:
        plain, _ = _match(line, items)
        if plain is not None:
            draft.still.append(plain)
        else:
            draft.unmatched.append(line)
    elif found["still"]:
        draft.still.append(number)
    elif found["closed"]:
        draft.closed.append(number)
    else:
        draft.unmatched.append(line)


def _match(text: str, items: Sequence[Item]) -> tuple[int | None, str]:
    """The one item these words name, and what follows an arrow; None where none or several do."""
    before, arrow, after = text.partition("→")
    wanted = fold(before).strip("\"' .")
    hits = [
        number
        for number, item in enumerate(items, start=1)
        if wanted
        and (
            SequenceMatcher(None, wanted, fold(item.text), autojunk=False).ratio() >= _LIKE
            or (len(wanted) >= 8 and wanted in fold(item.text))
            or (len(fold(item.text)) >= 8 and fold(item.text) in wanted)
        )
    ]
    return (hits[0] if len(hits) == 1 else None), after.strip() if arrow else ""
