"""Lines of a dream's reply: dropped threads and facts, however models write them."""

import re
from collections.abc import Iterator, Mapping
from datetime import date

from reel_cli.core.evidence.phrases import QUOTED
from reel_cli.core.exchange.reader.labels import squash
from reel_cli.core.exchange.reader.values import says_nothing
from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.core.values.fact import Fact
from reel_cli.features.dream.dream import Status, Thread, ThreadWord
from reel_cli.features.dream.reply_tables import facts_as_rows, threads_as_lines

_BULLET = re.compile(r"^[ \t]*(?:[-*+•–—]|\d{1,3}[.)])[ \t]+(?:\[[ xX]?\][ \t]*)?")
_WORDS = {
    Status.DONE: ("done", "closed", "finished", "kept", "completed", "resolved", "settled", "fulfilled"),
    Status.LET_GO: ("let go", "let it go", "letting go", "dropped", "abandoned", "given up", "moot"),
    Status.OPEN: ("still open", "open", "still", "unchanged", "pending", "reopened"),
}
_STATUS = {word: status for status, words in _WORDS.items() for word in words}
_STATED = "|".join(sorted(map(re.escape, _STATUS), key=len, reverse=True))
_NUMBERED = re.compile(
    r"[ \t>*_\-•+#\[(]*(?:\d{1,3}[.)][ \t]+(?=\W*(?:thread|no\.?|nr\.?|number|item|#)[ \t]*#?\d))?"
    r"(?:thread|no\.?|nr\.?|number|item)?[ \t]*#?(?P<number>\d{1,6})[\])*_]*"
    r"[ \t]*(?:[.:)\-–—,·|]|→|->|=>|is(?:[ \t]+now)?\b|now\b|was\b)*[ \t]*"
    rf"[*_(]*(?P<status>{_STATED})\b[*_)]*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)
_GOES_ON = re.compile(
    r"[ \t]+(?!(?:because|since|when|as|on|in|at|by|with|now|already|then|there)\b)\w", re.IGNORECASE
)
"""What makes a status a word of a sentence."""
_SUBHEAD = re.compile(r"[ \t]*[^\d·|\n]{1,40}:[ \t]*")
"""A line that only says which threads follow."""
_NEW = re.compile(
    r"^[ \t>*_\-•+]*(?:\d{1,3}[.)][ \t]+)?[*_]*\(?(?:new|added?)"
    r"(?:\)[*_]*[ \t]*[:\-–—]?|[*_]*[ \t]*[:\-–—])[*_]*[ \t]*",
    re.IGNORECASE,
)
_ISO = re.compile(r"\b(\d{4}-\d{2}-\d{2})\b")
_MONTHS = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october",
    "november", "december",
)  # fmt: skip
_SPELT = re.compile(
    rf"\b(?:(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{'|'.join(_MONTHS)})|(?P<m2>{'|'.join(_MONTHS)})\s+"
    rf"(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?),?\s+(?P<y>\d{{4}})\b",
    re.IGNORECASE,
)
_CUT = re.compile(r"\s+[·|•]\s+|\s*·\s*|\s*\|\s*|\s+[—–-]\s+")
_WHOSE = re.compile(r"[ \t]*[(\[]([^()\[\]]{1,40})[)\]][ \t]*:[ \t]*")
_KEYED = re.compile(
    r"(?:^|;[ \t]+)(?:date|day|when|owner|whose|status|task|thread|what|text|description)[ \t]*:[ \t]*",
    re.IGNORECASE,
)
"""The parts of a thread that came as a record."""
_SURE = {
    "high": ("sure", "certain", "high", "very sure", "confirmed", "definite", "explicit"),
    "medium": ("likely", "medium", "probable", "probably", "fairly sure", "moderate"),
    "low": ("unsure", "low", "guess", "maybe", "perhaps", "uncertain", "not sure", "tentative"),
}
_CONFIDENCE = {squash(word): level for level, words in _SURE.items() for word in words}
_NAMES = {
    **dict.fromkeys(("category", "kind", "type"), "category"),
    **dict.fromkeys(("key", "whatabout", "about", "subject", "name", "topic"), "key"),
    **dict.fromkeys(("value", "thefact", "fact", "detail", "is"), "value"),
    **dict.fromkeys(("confidence", "howsure", "certainty", "sureness"), "confidence"),
    **dict.fromkeys(("when", "theday", "day", "date"), "when"),
    **dict.fromkeys(("replaces", "was", "before", "supersedes"), "replaces"),
    **dict.fromkeys(("evidence", "quote", "quotation", "exactwords", "thewords", "inhiswords"), "evidence"),
    "source": "source",
}
_PAIR = re.compile(r"[\"“]?([A-Za-z][A-Za-z _-]{0,20})[\"”]?[ \t]*:[ \t]*(.*)", re.DOTALL)
_LONGEST = 600


@frozen
class Threads:
    """What a reply says of dropped threads: the new ones, and what became of those there are.

    `unknown` are the lines about a number that no thread has.
    """

    new: tuple[Thread, ...] = ()
    words: tuple[ThreadWord, ...] = ()
    unknown: tuple[str, ...] = ()


def read_threads(text: str, name: str, user: str, known: int) -> Threads:
    """The threads of a reply; new ones are numbered on from `known`, the highest there is."""
    new: list[Thread] = []
    words: list[ThreadWord] = []
    unknown: list[str] = []
    for item in _items(threads_as_lines(text)):
        line = item.replace("**", "").replace("__", "").strip(" \t|")
        if _SUBHEAD.fullmatch(line):
            continue
        told = _NUMBERED.fullmatch(line)
        if told and 1 <= int(told["number"]) <= known:
            status = _STATUS[told["status"].casefold()]
            words.append(
                ThreadWord(
                    int(told["number"]), status, one_line(told["rest"].strip(" ,;:.·|—–-*_"), _LONGEST)
                )
            )
            continue
        if told and _is_word_only(told["rest"], name, user):
            unknown.append(line)
            continue
        plain = _NEW.sub("", line, count=1)
        plain = _BULLET.sub("", plain, count=1).strip(" *_")
        if plain and not says_nothing(plain):
            new.append(_thread(plain, name, user, known + len(new) + 1))
    return Threads(tuple(new), tuple(words), tuple(unknown))


def _is_word_only(rest: str, name: str, user: str) -> bool:
    """Whether what follows a number and a status only says why: a thread has its day or its owner there."""
    if _GOES_ON.match(rest):
        # `4. open the bakery account` is a new thread in a numbered list
        return False
    cells = [part.strip(" *_:,;()[]") for part in _CUT.split(rest)]
    return not any(_owner(cell, name, user) or _is_day_only(cell) for cell in cells)


def _items(text: str) -> Iterator[str]:
    """The items of a list, each with the lines that go on from it."""
    item = ""
    for line in text.split("\n"):
        if not line.strip() or re.fullmatch(r"[ \t|:-]+|#+(?!\d).*", line):
            if item:
                yield item
            item = ""
        elif item and line[:1] in " \t" and not _BULLET.match(line):
            item = f"{item} {line.strip()}"
        else:
            if item:
                yield item
            item = line.rstrip()
    if item:
        yield item


def _thread(text: str, name: str, user: str, number: int) -> Thread:
    day = find_day(text)
    owner, status = "", Status.OPEN
    kept: list[str] = []
    text = _WHOSE.sub(lambda m: f" · {m[1]} · " if _owner(m[1], name, user) else m[0], text, count=1)
    for part in _CUT.split(_KEYED.sub(" · ", text)):
        plain = part.strip(" *_:,;()[]")
        told = _STATUS.get(plain.casefold().removeprefix("status: "))
        if told is not None:
            status = told
        elif not owner and (whose := _owner(plain, name, user)):
            owner = whose
        elif plain and not _is_day_only(plain):
            kept.append(part.strip(" *_"))
    return Thread(
        number, status, day, owner, one_line(" · ".join(kept).strip(" ,;:·|"), _LONGEST) or one_line(text)
    )


def _is_day_only(text: str) -> bool:
    undated = _SPELT.sub("", _ISO.sub("", text))
    return undated != text and squash(undated) in ("", "on", "from", "the")


def _owner(text: str, name: str, user: str) -> str:
    folded = squash(re.sub(r"(?i)^(?:owner|whose|by|owed by)\s*:?\s*|['’]s$", "", text))
    if folded in (squash(name), "me", "mine", "i", "myself"):
        return name
    if folded in (squash(user), "you", "yours", "user", "theuser"):
        return user
    both = {
        "both",
        "us",
        "we",
        "ours",
        "shared",
        "bothofus",
        squash(f"{name} and {user}"),
        squash(f"{user} and {name}"),
    }
    return "both" if folded in both else ""


def find_day(text: str) -> str:
    """The first day a text names, in ISO 8601; "" for none."""
    iso = _ISO.search(text)
    if iso:
        return iso[1] if _is_day(iso[1]) else ""
    spelt = _SPELT.search(text)
    if spelt is None:
        return ""
    month = _MONTHS.index((spelt["m1"] or spelt["m2"]).casefold()) + 1
    day = f"{spelt['y']}-{month:02d}-{int(spelt['d1'] or spelt['d2']):02d}"
    return day if _is_day(day) else ""


def _is_day(text: str) -> bool:
    try:
        date.fromisoformat(text)
    except ValueError:
        return False
    return True


def read_facts(text: str) -> Iterator[Fact]:
    """The facts of a reply, as rows, as `key: value` lines, or as records of named parts."""
    for told in read_fact_parts(text):
        yield from _fact(told)


def read_fact_parts(text: str) -> Iterator[dict[str, str]]:
    """Each fact of a reply as what it says of itself, by our names; a value is always among them."""
    for record in _records(facts_as_rows(text, _NAMES)):
        named = _named(record)
        if named:
            yield named
            continue
        line = _BULLET.sub("", record, count=1).strip(" *_")
        if says_nothing(line):
            continue
        cells = [cell.strip(" *_`") for cell in line.strip("|").split("|")]
        if len(cells) == 1:
            cells = [cell.strip(" *_`") for cell in re.split(r"\s+·\s+", line)]
        if len(cells) >= 3:
            if not (squash(cells[0]) in _NAMES and squash(cells[1]) in _NAMES):
                yield _from_cells(cells)
        elif len(cells) == 2 and all(cells):
            yield {"key": cells[0], "value": cells[1]}
        elif (
            pair := re.match(r"(?P<key>[^:=]{1,80}?)\**[ \t]*[:=]\**[ \t]*(?P<value>.+)", line)
        ) is not None:
            yield {"key": pair["key"], "value": pair["value"]}
        elif line:
            yield {"key": one_line(line, 40), "value": line}


def _from_cells(cells: list[str]) -> dict[str, str]:
    made = {"category": cells[0], "key": cells[1], "value": cells[2]}
    for cell in cells[3:]:
        told = re.match(r"(?i)(?:replaces|was|instead of)\s*:?\s*(.+)", cell)
        if told:
            made["replaces"] = told[1]
        elif squash(cell) in _CONFIDENCE or re.fullmatch(r"[01]?\.\d+|[01]|\d{1,3} ?%", cell):
            made["confidence"] = cell
        elif find_day(cell) and not QUOTED.fullmatch(cell):
            made["when"] = cell
        elif cell and len(cell) > len(made.get("evidence", "")):
            made["evidence"] = cell
    return made


def _records(text: str) -> Iterator[str]:
    """Each fact's own lines: an item with what is indented below it, a block of parts, or a line."""
    block: list[str] = []
    for line in text.split("\n"):
        plain = line.strip()
        part = _part_of(line)
        inside = line[:1] in (" ", "\t") and not (_BULLET.match(line) and not part)
        goes_on = bool(plain) and not _BULLET.match(line) and (inside or bool(part))
        again = bool(part) and part in {_part_of(one) for one in block}
        if block and (again or not goes_on):
            yield "\n".join(block)
            block = []
        if not plain or re.fullmatch(r"[|: -]+|```\w*", plain):
            continue
        block.append(line)
    if block:
        yield "\n".join(block)


def name_parts(told: Mapping[str, object]) -> dict[str, str]:
    """The parts of a fact that came as an object, by our names; nothing where it has no value."""
    named = {_NAMES[squash(key)]: str(value) for key, value in told.items() if squash(key) in _NAMES}
    return named if "value" in named else {}


def _part_of(line: str) -> str:
    """Which part of a fact a line names; "" where it names none."""
    named = _PAIR.fullmatch(_BULLET.sub("", line, count=1).strip())
    key = squash(named[1]) if named else ""
    return "" if key in ("name", "is") else _NAMES.get(key, "")


def _named(record: str) -> dict[str, str]:
    """The parts of a record by our names, where it has at least a key and a value by name."""
    made: dict[str, str] = {}
    lead, _, rest = _BULLET.sub("", record, count=1).partition(" — ")
    if _PAIR.fullmatch(rest.partition("; ")[0]) and not _part_of(lead):
        # a record whose telling part was put first
        named = _named(f"value: {lead}\n" + rest.replace("; ", "\n"))
        return named if "key" in named else _named(f"key: {lead}\n" + rest.replace("; ", "\n"))
    pieces = record.split("\n") if "\n" in record else re.split(r";\s+|,\s+(?=[\"“]?\w+[\"”]?\s*:)", record)
    for piece in pieces:
        found = _PAIR.fullmatch(_BULLET.sub("", piece, count=1).strip(" \t{}"))
        if found and squash(found[1]) in _NAMES:
            made.setdefault(_NAMES[squash(found[1])], found[2].strip(" \"“”',"))
    return made if "value" in made and ("key" in made or "category" in made) else {}


def _fact(told: dict[str, str]) -> Iterator[Fact]:
    key, value = one_line(told.get("key", "").strip(" *_"), 80), one_line(told["value"], _LONGEST)
    if not value or says_nothing(value):
        return
    when = find_day(told.get("when", "")) or ""
    # what stands in parentheses at the end of a plain line is how sure it is, or when
    tail = re.search(r"\s*[(\[]([^()\[\]]{1,40})[)\]]\.?$", value)
    sure = told.get("confidence", "")
    if tail and not sure:
        words = [part.strip() for part in tail[1].split(",")]
        level = next((part for part in words if squash(part) in _CONFIDENCE), "")
        if level or all(find_day(part) for part in words):
            sure, when, value = level, when or find_day(tail[1]), value[: tail.start()]
    yield Fact(
        one_line(told.get("category", "").strip(" *_"), 40).casefold() or "other",
        key or one_line(value, 40),
        value,
        _confidence(sure),
        when=when,
        replaces=one_line(told.get("replaces", ""), _LONGEST),
    )


def _confidence(text: str) -> str:
    number = re.search(r"\d+(?:\.\d+)?", text)
    if number:
        share = float(number[0]) / (100 if "%" in text or float(number[0]) > 1 else 1)
        return "high" if share >= 0.8 else "medium" if share >= 0.5 else "low"
    return _CONFIDENCE.get(squash(text), "medium")
