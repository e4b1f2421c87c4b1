"""Lines of a dream's reply, as lists or tables: threads, and dropped threads, however models write them."""

import re
from collections.abc import Iterator, Mapping, Sequence

from reel_cli.core.exchange.reader.answer_words import note_in_english
from reel_cli.core.exchange.reader.items import bare_value
from reel_cli.core.exchange.reader.labels import column_name, cut_rows, squash
from reel_cli.core.exchange.reader.values import find_day, is_day_only, names_impossible_day, says_nothing
from reel_cli.core.frozen import frozen, late
from reel_cli.core.values.change import one_line
from reel_cli.features.dream.dream import Status, Thread, ThreadWord

_PAIR = re.compile(r"[\"“]?([A-Za-z#][A-Za-z _-]{0,20})[\"”]?[ \t]*:[ \t]*(.*)", re.DOTALL)
_THREADS = {
    **dict.fromkeys(("number", "no", "nr", "id", "#"), "number"),
    **dict.fromkeys(("date", "day", "theday", "when", "from"), "day"),
    **dict.fromkeys(("owner", "whose", "who", "whoseitwas"), "owner"),
    **dict.fromkeys(("status", "state", "nowis"), "status"),
    **dict.fromkeys(
        ("what", "whatitwas", "thread", "text", "task", "description", "item", "note", "notes", "evidence",
         "whatshowsit", "why", "detail", "details", "comment"),
        "text",
    ),
    "new": "new",
}  # fmt: skip
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
    r"[ \t]*(?:[.:：)\-–—,，、·|]|→|->|=>|is(?:[ \t]+now)?\b|now\b|was\b)*[ \t]*"
    rf"[*_(]*(?P<status>{_STATED})\b[*_)]*(?P<rest>.*)",
    re.IGNORECASE | re.DOTALL,
)

_GOES_ON = re.compile(
    r"[ \t]+(?!(?:because|since|when|as|on|in|at|by|with|now|already|then|there)\b)\w", re.IGNORECASE
)
"""Pattern of the text after a status that makes it part of a sentence."""
_SUBHEAD = re.compile(r"[ \t]*[^\d·|\n]{1,40}:[ \t]*")
"""A line that only says which threads follow."""
_NEW = re.compile(
    r"^[ \t>*_\-•+]*(?:\d{1,3}[.)][ \t]+)?[*_]*\(?(?:new|added?)"
    r"(?:\)[*_]*[ \t]*[:：\-–—]?|[*_]*[ \t]*[:：\-–—])[*_]*[ \t]*",
    re.IGNORECASE,
)

_CUT = re.compile(r"\s+[·|•]\s+|\s*·\s*|\s*\|\s*|\s+[—–-]\s+")
_WHOSE = re.compile(r"[ \t]*[(\[]([^()\[\]]{1,40})[)\]][ \t]*:[ \t]*")
_KEYED = re.compile(
    r"(?:^|;[ \t]+)(?:date|day|when|owner|whose|status|task|thread|what|text|description)[ \t]*:[ \t]*",
    re.IGNORECASE,
)
"""The parts of a thread that came as a record."""
_LONGEST = 600
_SEVERAL = late(r",\s*(?:and\s+)?|\s+(?:and|&)\s+")
"""Pattern of what stands between the names of several people."""
_NO_OWNER = ("unclear", "unknown", "nobody", "n/a")
"""Words in an owner's place that name none."""
NO_SUCH_DAY = "unclear"
"""A thread's day where its line names one that no calendar has."""


def threads_as_lines(text: str) -> str:
    """Return threads from a table or records as lines in the requested form; the rest unchanged."""
    return "\n".join(_threads(text.split("\n")))


def _threads(lines: Sequence[str]) -> Iterator[str]:
    for line, cells in cut_rows(lines, _THREADS):
        told = cells or _record(line)
        yield _thread_line(told) if told else line


def _thread_line(told: Mapping[str, str]) -> str:
    number = re.search(r"\d{1,6}", told.get("number", ""))
    if number:
        return f"{number[0]}: {told.get('status') or 'open'}, {told.get('text', '')}"
    parts = (told.get(key, "") for key in ("day", "owner", "text", "status"))
    return f"new: {' · '.join(part for part in parts if part)}"


def _record(line: str) -> dict[str, str]:
    """Return the parts of a line of only named parts (`day: …; owner: …; what: …`)."""
    plain = re.sub(r"^[ \t]*[-*+•][ \t]+", "", line).strip(" \t{}")
    lead, _, rest = plain.partition(" — ")
    pairs = [
        _PAIR.fullmatch(piece.strip()) for piece in (rest if rest and ":" in rest else plain).split("; ")
    ]
    named = [(_THREADS.get(column_name(pair[1]), ""), bare_value(pair[2])) for pair in pairs if pair]
    if len(named) < max(2, len(pairs)) or not all(key for key, _ in named):
        return {}
    made = dict(reversed(named))
    if rest and ":" in rest:
        made["text"] = " ".join((lead, made.get("text", ""))).strip()
    return made if made.get("text") else {}


@frozen
class Threads:
    """The part of a reply about dropped threads: new ones, and updates of existing ones.

    `unknown` are the lines about a number that no thread has.
    """

    new: tuple[Thread, ...] = ()
    words: tuple[ThreadWord, ...] = ()
    unknown: tuple[str, ...] = ()


def read_threads(text: str, name: str, user: str, known: int) -> Threads:
    """Return the threads of a reply; new ones are numbered on from `known`, the highest there is."""
    new: list[Thread] = []
    words: list[ThreadWord] = []
    unknown: list[str] = []
    for item in _items(threads_as_lines(text)):
        line = note_in_english(item.replace("**", "").replace("__", "").strip(" \t|"))
        if _SUBHEAD.fullmatch(line):
            continue
        told = _NUMBERED.fullmatch(line)
        if told and 1 <= int(told["number"]) <= known:
            status = _STATUS[told["status"].casefold()]
            words.append(
                ThreadWord(
                    int(told["number"]),
                    status,
                    one_line(told["rest"].strip(" ,;:.，；：、。·|—–-*_"), _LONGEST),
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
    """Return whether the text after a number and a status only gives a reason, without day or owner."""
    if _GOES_ON.match(rest):
        # `4. open the bakery account` is a new thread in a numbered list
        return False
    cells = [part.strip(" *_:,;()[]") for part in _CUT.split(rest)]
    return not any(_owner(cell, name, user) or is_day_only(cell) for cell in cells)


def _items(text: str) -> Iterator[str]:
    """Yield the items of a list, each with its continuation lines."""
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
    day = NO_SUCH_DAY if names_impossible_day(text) else find_day(text)
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
        elif plain and not is_day_only(plain) and plain.casefold() not in _NO_OWNER:
            kept.append(part.strip(" *_"))
    return Thread(
        number, status, day, owner, one_line(" · ".join(kept).strip(" ,;:·|"), _LONGEST) or one_line(text)
    )


def _owner(text: str, name: str, user: str) -> str:
    folded = squash(re.sub(r"(?i)^(?:owner|whose|by|owed by)\s*:?\s*|['’]s$", "", text))
    if folded in (squash(name), "me", "mine", "i", "myself"):
        return name
    if folded in (squash(user), "you", "yours", "user", "theuser"):
        return user
    several = _SEVERAL.split(user)
    if len(several) > 1 and (one := next((one for one in several if squash(one) == folded), "")):
        return one
    mine = squash(re.sub(r"(?i)['’]s\b", "", text)).replace("mine", squash(name))
    folded = mine if "and" in text.casefold().split() else folded
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
