"""Changes of working memory in a checkpoint: which of its items go on, close or begin (REEL §4.3, §6.6).

Silence changes nothing, and neither does a word that is not clear: it is handed back as unmatched.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import field
from itertools import pairwise

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.exchange.reader.answer_words import note_in_english
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.files.working_file import without_day
from reel_cli.core.frozen import late, mutable
from reel_cli.core.quote_marks import unquote
from reel_cli.core.values.artifact import Delta
from reel_cli.core.values.memory import Item
from reel_cli.features.page.notes.named_items import IN_QUOTES, NotedItems, find_item, find_meant

_DASH = r"(?:[—–]|(?<=\s)-(?=\s))"
_STILL = r"(?:still|open|unchanged|ongoing|(?:the )?same|continues|no changes?|active)\b"
_CLOSED = r"(?:closed|close(?=\W*$)|done|resolved|finished|settled|completed?|no longer open)\b"
_CLOSED_THEN = (
    rf"(?=\s*(?:$|[.,;:!?()\[>→/\"'”“„«‘]|{_DASH})"
    r"|\s+(?:because|since|as|now|today|tonight|for|when|by|on|at|or|(?:it|that|this)(?:['’]s| is| was)"
    r"|(?:the )?same as)\b)"
)
"""`closed` takes an item away, so it must stand as a verdict: `done with the ending` is none."""
_CHANGED = (
    rf"(?:(?:changed?|updated?)(?:\s+to\b|(?=\s*(?:$|[.,;:：!?]|{_DASH})))|now\b(?:\s+reads\b)?|→|->|=>)"
)
_VERDICT = late(
    rf"(?:(?:is|was|has been)\s+(?:now\s+)?)?(?:(?P<still>{_STILL})|(?P<closed>{_CLOSED}){_CLOSED_THEN})"
    rf"|(?P<changed>{_CHANGED})",
    re.IGNORECASE,
)
_DOUBT = late(
    r"[^.;:!—–]{0,15}\?|\s*/|\s+or\b|,?\s*(?:almost|nearly|not (?:quite|really|yet))\b", re.IGNORECASE
)
"""Pattern of doubt right behind a verdict: it is asked, or offered along with another."""
_LAST = late(
    rf"(?:[.!?:—–(→]|\s-)\s*[\"'“]?(?P<word>{_STILL}(?: open)?|{_CLOSED})[\"'”]?[.)!]*\s*$", re.IGNORECASE
)
_INSIDE = late(r"\((?:changed|updated)(?: to)?:\s*([^()]{3,})\)", re.IGNORECASE)
_NUMBER = late(
    r"\(?(?P<word>(?:(?:active|open)\s+)?(?:item|note|no\.?|nr\.?|number|thread|loop)\s+)?#?(?P<number>\d{1,3})(?![\d,]*\d)"
    r"(?!\.\d|:\d\d\b)"
    r"(?P<mark>\)?\s*[.):]|\s*[-–—](?=\s)|\))?\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_NUMBERS = late(
    r"\(?#?(?P<numbers>\d{1,3}(?:\s*(?:,\s*and|,|;|and|&|\+|/|to|-|–)\s*#?\d{1,3})+)\)?\s*(?:[:.)]|[-–—](?=\s))?\s*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_CLOSES = late(
    r"(?:closed|resolved|done)\s+(?P<word>(?:items?|notes?|no\.|threads?|loops?)\s+)?"
    r"(?P<numbers>#?\d{1,3}(?:\s*(?:,\s*and|,|;|and|&)\s*#?\d{1,3})*)(?P<rest>(?:\s*(?:[.,;:!(\"“„«]|[—–]|-\s)(?!\d).*)?)",
    re.IGNORECASE | re.DOTALL,
)
"""A verdict before its number: `closed 5, Bo went`, `closed loop 5 (the date)`."""
_GROUP = late(
    r"(?P<what>new|opened|added|add|state|still|open|active|closed|close|resolved|done|changed|updated|unchanged"
    r"|calibration)"
    r"(?:[_ ](?:(?:thread|loop|item|one|change|note|update)s?|open|active|of (?:things|play|affairs)))*"
    rf"(?:,?[ ](?:then|now))?(?:\s*[:：]\s*|\s*{_DASH}\s*)(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_GROUPS = {
    "new": "new", "opened": "new", "added": "new", "add": "new", "state": "state",
    "closed": "closed", "close": "closed", "resolved": "closed", "done": "closed",
    "changed": "changed", "updated": "changed", "calibration": "calibration",
}  # fmt: skip
_TAGGED = late(r"<\w+\s+(?:id|n|number|item|key)=[\"']?(\w+)[\"']?\s*>(.*?)</\w+>", re.DOTALL)
"""A note as an element that names its number: `<note id="1">still</note>`."""
_PREFIX = late(r"^(?:>\s*)*(?:[-*•+]\s+|\[[ xX]\]\s*)*")
_SEVERAL = late(
    r"(?<=[^\W\d][.!?])\s+(?=(?:new|state)\s*:)"
    r"|(?:(?<=[^\W\d])[.!?]|[;,])\s+(?=(?:new|opened|added|active|open|closed|resolved|changed|state)"
    rf"[_ ](?:thread|loop|item|note|change)s?\s*(?::|{_DASH}))"
    rf"|;\s+(?=(?:new|opened|closed|changed|state|still)\s*(?::|{_DASH})|\(?#?\d{{1,3}}[.):]\s"
    rf"|[^;:\n]{{3,120}}:\s*(?:{_STILL}|{_CLOSED}))",
    re.IGNORECASE,
)
"""The places at which a line holds one note after another."""
_LABELLED = late(r"(?:[A-Z][\w'’]*)(?: [\w'’]+){0,5}:\s")
_REST = late(
    r"(?:and\s+)?(?:(?:all|everything|every\s+one|each)(?:\s+(?:of\s+)?(?:the|my))?"
    r"(?:\s+(?:other|rest|remaining|else|ones?|others|notes?|items?|threads?|loops?|numbers?)){0,3}"
    r"|(?:the\s+|my\s+)?(?:others?|rest|remaining)(?:\s+(?:of\s+(?:them|these)|ones?|notes?|items?"
    r"|threads?|loops?|numbers?)){0,2})"
    rf"\s*(?:{_DASH}|[:：,=])?\s*(?:(?:are|is|stays?|remains?|stand|as)\s+)?(?:all\s+)?"
    rf"(?:{_STILL}|as\s+(?:they|it)\s+(?:are|were|is|was|stood?)|as\s+before)(?:\s+(?:open|the\s+same|as\s+is))?[\s.!)*]*",
    re.IGNORECASE,
)
"""A line about all notes that no other line names: `the rest: still`, `all others: still open`."""
_FREE = ("new", "state", "calibration")
"""Groups whose lines are no verdicts on items."""
_NOTHING = frozenset(
    (
        "nothing", "none", "n/a", "nil", "null", "-", "--", "~", "[]", "{}", "", "nothing new", "none new",
        "nothing else", "nothing more", "none today", "nothing today",
    )
)  # fmt: skip
_AS_BEFORE = frozenset({"same", "the same", "unchanged", "still", "as before", "no change", "same as before"})
_LISTED = late(r",\s+(?:and\s+)?|\s+and\s+")
_PARTED = late(r"\s*;\s*(?:and\s+)?")
_QUOTATION = late(r"[\"“„«‘'][^\"“”„«»]{3,}[\"”“»’'][.,!]?(?:\s*[(—–-].{0,40})?")
_FIELD = late(r"\A[\"“]?(?:loop|thread|item|note|question|text|name)[ \t]*:[ \t]*", re.IGNORECASE)
_SETTLES = late(
    r"[(\[][^()\[\]\"“„«]{0,30}[\"“„«]|(?:[:;,.?!]\s*)?(?:\s-\s+|[—–→]\s*|\s)[\"“„«]"
    r"|[;,(—–]\s*(?:settled|answered|resolved|closed|done)[ \t]*(?:by|with|because|since|:)",
    re.IGNORECASE,
)
"""Beginning of the words that settle a note, behind it."""
_FEWEST_NAMED = 3
_EDGES = " \t*\"'“”-–—:"


@mutable
class _Draft:
    """The verdicts as they come: (item's number, verdict, new words), and all the rest."""

    verdicts: list[tuple[int, str, str]] = field(default_factory=list)
    new: list[str] = field(default_factory=list)
    state: list[str] = field(default_factory=list)
    unmatched: list[str] = field(default_factory=list)
    settled_by: list[tuple[int, str]] = field(default_factory=list)
    rest_stays: bool = False
    """Whether a line says that all notes go on that no other line names."""

    def settle(self, line: str, before: int) -> None:
        """Keep a line that closes one item, and no more: the words that settle it may stand behind that."""
        given = self.verdicts[before:]
        if len(given) == 1 and given[0][1] == "closed":
            # a quotation mark that nobody closed ends with its line
            ended = f'{line}"' if line.count('"') == 1 else line
            self.settled_by.append((given[0][0], ended))

    def goes_on(self, line: str, known: "NotedItems") -> bool:
        """Return whether a line is only a quotation below an item that was closed, and keep it for that."""
        if not _QUOTATION.fullmatch(line) or not self.settled_by or find_item(line, known):
            return False
        number = self.settled_by[-1][0]
        if self.verdicts[-1][:2] != (number, "closed"):
            return False
        self.settled_by.append((number, line))
        return True

    def leaves_rest(self, line: str, known: "NotedItems") -> bool:
        """Return whether a line says that all notes go on that no other one names, and keep that."""
        leaves = bool(known.numbered) and _REST.fullmatch(line) is not None
        self.rest_stays |= leaves
        return leaves

    def say(self, number: int, verdict: str, words: str, line: str) -> None:
        """Set an item's verdict; a change to nothing is none."""
        if verdict == "changed" and _says_nothing(words):
            self.unmatched.append(line)
        else:
            self.verdicts.append((number, verdict, words))


def parse_notes(text: str, items: Sequence[Item], others: Sequence[Item] = ()) -> Delta:
    """Read the notes; silence about an item changes nothing, nor does what matches no item.

    `others` had no room in the prompt: they are known by their words alone, and numbered after `items`.
    """
    draft, known = _Draft(), NotedItems(items, others)
    group = ""
    for raw in _lines(text, known):
        line = raw
        opened = False
        # `Open loops: new: …` has one heading inside another
        while found := _GROUP.fullmatch(line):
            opened, group = True, _GROUPS.get(found["what"].casefold(), "still")
            line = found["rest"].strip()
        if (found := _CLOSES.fullmatch(line)) and (group not in _FREE or found["word"]):
            line = f"{found['numbers']}: closed{found['rest']}"
        if (
            _says_nothing(line)
            or draft.leaves_rest(line, known)
            or (not opened and draft.goes_on(line, known))
        ):
            continue
        before = len(draft.verdicts)
        several = _NUMBERS.fullmatch(line)
        if several and _by_numbers(draft, several, line, known, group):
            continue
        numbered = _NUMBER.fullmatch(line)
        listed = numbered is not None and bool(numbered["mark"])
        inside = _GROUP.fullmatch(numbered["rest"]) if numbered and listed else None
        if inside and _GROUPS.get(inside["what"].casefold()) in _FREE:
            # a list that continues the numbering: `3. new: how is week one going?`
            if not _says_nothing(inside["rest"]):
                _take(draft, _GROUPS[inside["what"].casefold()], inside["rest"].strip(), known)
        elif group == "state" and not opened and draft.state and _LABELLED.match(line):
            # another heading begins; the state has been told
            group = ""
            draft.unmatched.append(line)
        elif numbered and (group not in _FREE or (listed and _verdict(numbered["rest"]) is not None)):
            group = group if group in ("still", "closed", "changed") else ""
            _by_number(draft, int(numbered["number"]), numbered["rest"].strip(), line, known, group)
        elif group:
            # a list mark only counts in a list; `268 pages` is new text
            _take(draft, group, numbered["rest"].strip() if numbered and listed else line, known)
        else:
            _by_text(draft, line, known)
        draft.settle(line, before)
    named = {number for number, _, _ in draft.verdicts}
    rest = [n for n in range(1, len(items) + 1) if n not in named] if draft.rest_stays else []
    draft.verdicts += [(n, "still", "") for n in rest]
    return _settled(draft)


_LIST_MARK = late(r"\A[ \t]*(?:[-*•]|\(?\d{1,3}[.):])[ \t]+")
_NAMED_NOTE = late(r"(?:new|state|calibration)\b[^:]{0,20}:", re.IGNORECASE)
_BARE_VERDICT = late(
    r"\W*(?:\d{1,3}[.):][ \t]*)?(?:still|closed|changed|unchanged)[^\w\"“„«]*(?:[\"“„«].*)?$", re.IGNORECASE
)
"""A verdict on a note without words of its own: at most a quotation follows."""


def as_new_notes(lines: Sequence[str]) -> str:
    """Return notes that answer a prompt without numbered ones: each is a new one, whatever number it has."""
    plain = (_LIST_MARK.sub("", line).strip() for line in lines if not _BARE_VERDICT.match(line))
    kept = (line for line in plain if not _REST.fullmatch(line))
    return "\n".join(line if _NAMED_NOTE.match(line) else f"new: {line}" for line in kept)


def _lines(text: str, known: NotedItems) -> Iterator[str]:
    """Yield the notes one by one, without list marks and emphasis."""
    for raw in _TAGGED.sub(r"\1: \2\n", text).splitlines():
        bare = _PREFIX.sub("", raw.strip()).replace("**", "").replace("__", "").strip()
        for line in _split_notes(bare, known):
            if not _says_nothing(line):
                yield note_in_english(line.strip())


def _split_notes(line: str, known: NotedItems) -> Iterator[str]:
    """Yield the notes of a line; a note's own words and a quotation are whole, whatever marks they have."""
    texts = (without_day(item.text) for item in (*known.numbered, *known.others))
    # of the line as it is: casefolded, `ß` is longer
    places = (re.search(re.escape(text), line, re.IGNORECASE) for text in texts)
    whole = [place.span() for place in places if place is not None]
    whole += [found.span() for found in IN_QUOTES.finditer(line)]
    begin = 0
    for found in _SEVERAL.finditer(line):
        if not any(start < found.start() < end for start, end in whole):
            yield line[begin : found.start()]
            begin = found.end()
    yield line[begin:]


def _says_nothing(line: str) -> bool:
    return fold(line).rstrip(".") in _NOTHING or says_nothing(line)


def _settled(draft: _Draft) -> Delta:
    """Return the delta; an item with two verdicts gets none."""
    given: dict[int, set[tuple[str, str]]] = {}
    for number, verdict, words in draft.verdicts:
        given.setdefault(number, set()).add((verdict, words))
    torn = [number for number, verdicts in given.items() if len(verdicts) > 1]
    verdicts = list(dict.fromkeys(v for v in draft.verdicts if v[0] not in torn))
    quarrels = [f"{n} is given more than one verdict ({_listed(v for v, _ in given[n])})" for n in torn]
    return Delta(
        still=tuple(number for number, verdict, _ in verdicts if verdict == "still"),
        closed=tuple(number for number, verdict, _ in verdicts if verdict == "closed"),
        changed=tuple((number, words) for number, verdict, words in verdicts if verdict == "changed"),
        new=tuple(dict.fromkeys(draft.new)),
        state=_as_sentences(draft.state).strip(),
        unmatched=(*draft.unmatched, *quarrels),
        settled_by=tuple(draft.settled_by),
    )


def _as_sentences(lines: Sequence[str]) -> str:
    """Return the lines of a state, each a sentence where the next one begins another."""
    told = list(lines)
    for at, (line, after) in enumerate(pairwise(told)):
        if line[-1:].isalnum() and after[:1].isupper():
            told[at] = f"{line}."
    return "\n".join(told)


def _listed(words: Iterable[str]) -> str:
    return ", ".join(sorted(set(words)))


def _verdict(text: str) -> tuple[str, str] | None:
    """Return a note's leading verdict (`still`, `closed`, `changed`) and new words; None if unclear."""
    text = unquote(text.strip().lstrip(".:;,-–—(* ")).lstrip(_EDGES + ".,;(").rstrip()
    found = _VERDICT.match(text)
    # a question in the words that close it is no doubt
    if not found or _DOUBT.match(IN_QUOTES.sub('""', text[found.end() :])):
        return None
    if found["still"]:
        return "still", ""
    if found["closed"]:
        return "closed", ""
    words = _bare(text[found.end() :])
    if not words:
        return None
    if _says_nothing(words) or fold(words).rstrip(".") in _AS_BEFORE:
        return "still", ""
    closed = re.match(rf"{_CLOSED}{_CLOSED_THEN}", words, re.IGNORECASE)
    return ("closed", "") if closed and not _DOUBT.match(words[closed.end() :]) else ("changed", words)


def _bare(words: str) -> str:
    """Return words after a verdict, without the quotes around them."""
    return unquote(words.strip().lstrip("\"'”").strip().lstrip(":：.;,-–—").strip())


def _take(draft: _Draft, group: str, line: str, known: NotedItems) -> None:
    """Apply one line under `new:`, `state:`, `closed:`, `still:` or `changed:`."""
    words = unquote(line)
    if group == "state":
        if fold(words).rstrip(".") not in _AS_BEFORE:
            draft.state.append(words)
    elif group == "new":
        if not _says_nothing(words):
            draft.new.append(words)
    elif group == "calibration":
        draft.unmatched.append(line)
    else:
        several = _NUMBERS.fullmatch(line)
        numbered = _NUMBER.fullmatch(line)
        if several and not several["rest"] and group != "changed":
            _give(draft, _numbers(several["numbers"]), group, line, known)
        elif numbered and (group != "changed" or numbered["mark"]):
            _by_number(draft, int(numbered["number"]), numbered["rest"].strip(), line, known, group)
        else:
            _by_group(draft, group, line, known)


def _by_group(draft: _Draft, group: str, line: str, known: NotedItems) -> None:
    """Apply a line under a verdict, which names its item by its words."""
    before, arrow, after = line.partition("→")
    number = find_item(before, known)
    if number is None and group != "changed":
        number = _find_before_words(line, known)
    if number is None and group == "closed":
        number = find_meant(line, line, known)
    listed = [find_item(part, known) for part in (_PARTED if ";" in line else _LISTED).split(line)]
    if group != "changed" and len(listed) > 1 and all(listed):
        draft.verdicts += [(one, group, "") for one in listed if one is not None]
    elif number is None or (group == "changed" and not arrow):
        draft.unmatched.append(line)
    else:
        draft.say(number, group, _bare(after) if group == "changed" else "", line)


def _find_before_words(line: str, known: NotedItems) -> int | None:
    """Return the item named before the words that settle it: `The ticket? ("I have it")`.

    Fewer than three words are too few, as several items may have them.
    """
    line = _FIELD.sub("", line)
    for mark in _SETTLES.finditer(line):
        named = unquote(line[: mark.start()].rstrip(" \t:,;."))
        if len(named.split()) >= _FEWEST_NAMED and (number := find_item(named, known)):
            return number
    return None


def _by_numbers(draft: _Draft, several: re.Match[str], line: str, known: NotedItems, group: str) -> bool:
    """Apply a line about several items, as `1 and 2: still`; return whether it is such a line."""
    verdict = _verdict(several["rest"])
    if not several["rest"] and group in ("still", "closed"):
        verdict = (group, "")
    if verdict is None or verdict[0] == "changed":
        return False
    _give(draft, _numbers(several["numbers"]), verdict[0], line, known)
    return True


def _numbers(text: str) -> list[int]:
    numbers = [int(n) for n in re.findall(r"\d+", text)]
    if len(numbers) == 2 and re.search(r"-|–|\bto\b", text) and numbers[0] < numbers[1]:
        return list(range(numbers[0], numbers[1] + 1))
    return numbers


def _give(draft: _Draft, numbers: Sequence[int], verdict: str, line: str, known: NotedItems) -> None:
    """Set the same verdict for several items; for none of them if one of the numbers is no item's."""
    if all(1 <= number <= len(known.numbered) for number in numbers):
        draft.verdicts += [(number, verdict, "") for number in numbers]
    else:
        draft.unmatched.append(line)


def _by_number(  # noqa: PLR0913
    draft: _Draft, number: int, rest: str, line: str, known: NotedItems, group: str
) -> None:
    """Apply a numbered line to its item: `2. closed`, `2. the ticket - still`, `2` under `closed:`."""
    if not 1 <= number <= len(known.numbered):
        draft.unmatched.append(line)
        return
    item = known.numbered[number - 1]
    # some replies repeat the item's words before the verdict
    repeated = item.text if fold(rest).startswith(fold(item.text)[:60]) else without_day(item.text)
    if len(repeated) > 3 and fold(rest).startswith(fold(repeated)[:60]):
        rest = rest[len(repeated) :] if len(rest) >= len(repeated) else ""
    rest = rest.strip()
    verdict = _verdict(rest) or _at_its_end(rest, line)
    named = re.split(rf"[:(→]|{_DASH}", IN_QUOTES.sub("", rest) if verdict else rest, maxsplit=1)[0]
    another = find_item(named, known)
    if another not in (None, number):
        # the number names one item and the words another
        draft.unmatched.append(line)
    elif verdict is not None:
        draft.say(number, *verdict, line)
    elif group in ("still", "closed") or not rest.strip(_EDGES + "."):
        draft.say(number, group if group == "closed" else "still", "", line)
    elif group == "changed":
        draft.say(number, group, _bare(rest), line)
    else:
        draft.unmatched.append(line)


def _at_its_end(rest: str, line: str) -> tuple[str, str] | None:
    """Return a verdict that stands at a note's end, or in parentheses."""
    inside = _INSIDE.search(line)
    if inside:
        return "changed", inside[1].strip()
    last = _LAST.search(f". {rest}" if rest else "")
    if not last:
        return None
    return ("closed" if re.match(_CLOSED, last["word"], re.IGNORECASE) else "still"), ""


def _by_text(draft: _Draft, line: str, known: NotedItems) -> None:
    """Apply a line that names its item by its words, as `the residency: closed`."""
    for part in re.finditer(rf"[:(]|{_DASH}|→", line):
        named, words = line[: part.start()], line[part.end() :].rstrip(") ")
        number = find_item(named, known)
        if number is None and _verdict(words) == ("closed", ""):
            number = find_meant(line, named, known)
        if number is None:
            continue
        verdict = ("changed", _bare(words)) if part[0] == "→" and words.strip() else _verdict(words)
        if verdict is not None:
            draft.say(number, *verdict, line)
            return
    number = find_item(line, known)
    if number is None:
        draft.unmatched.append(line)
    else:
        draft.say(number, "still", "", line)
