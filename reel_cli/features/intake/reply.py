"""Deciding what to keep of what was said: the part of a page, its answer, and lines a persona leaves itself.

A line a persona may end a reply with: `Remember: the surgeon calls on Friday (because she is afraid of it)`.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from reel_cli.core.frozen import frozen, late
from reel_cli.core.quote_marks import MARKS, unquote
from reel_cli.core.values.change import one_line
from reel_cli.features.intake.entry import DOMAIN, EXPERIENCE, FACTS, LONGEST, NOWHERE, WORKING, Candidate
from reel_cli.features.intake.signs import APPOINTMENT

LONGEST_WHY = 200
MOST_SAID = 1_000
"""Maximum characters of one answer."""
SAME_KINDS = "as under the heading before"
"""The kinds of facts, where the page asks for facts as well."""
MOST_FURTHER = 4
"""Maximum number of things that a page may bring up by itself."""
MOST_LINES = 5
"""Maximum number of such lines read at the end of one reply."""
_TAIL = 3_000
"""Characters at the end of a reply within which such lines are looked for."""

_PLACES = (
    (NOWHERE, r"nowhere|no(?:ne|thing| need)?|skip|drop|leave(?: it)?|let (?:it )?go|forget(?: it)?|discard"),
    (DOMAIN, r"(?:(?:in|into|to) )?(?:the )?table|domain(?: data)?|row"),
    (WORKING, r"open(?: loops?)?|working(?: memory)?|(?:to )?keep in mind|in mind|to-?do|for now|note"),
    (FACTS, r"(?:an? )?(?:anchor )?facts?|by heart|known for sure"),
    (
        EXPERIENCE,
        r"lived|(?:an? )?(?:experiences?|memory|memories|moment|episode)|something (?:we|you|i) lived",
    ),
)
_MEANT = {FACTS: "a fact", EXPERIENCE: "lived", WORKING: "open", DOMAIN: "a row of a table"}
"""The persona's words for each place, if it left a line of its own."""
_PLACE = tuple((where, late(rf"(?:as )?(?:{told})\b", re.IGNORECASE)) for where, told in _PLACES)
_ITEM = late(
    r"[ \t>]*(?:[-*+•][ \t]+)?(?:\|[ \t]*)?(?:\[[ xX]?\][ \t]*)?[*_`(\[#]*(?:no\.? ?|number )?"
    r"(\d{1,3}(?:[ \t]*(?:,|-|–|and|&)[ \t]*\d{1,3}){0,40})[*_`)\]]*[ \t]*"
    r"(?:[.:)|=–—→-]+[*_`]*|(?=[A-Za-z*_`]))[ \t]*(.*)",
    re.IGNORECASE,
)
_REST = late(
    r"[ \t>]*(?:[-*+•][ \t]+)?[*_`]*(?:all )?(?:the )?(?:rest|others?|all(?: of them)?)[*_`]*[ \t]*"
    r"[:–—|-]+[ \t]*(.*)",
    re.IGNORECASE,
)
_APART = late(r"[ \t]+(?:[–—]+|--+|-)[ \t]+|[ \t]*[—|][ \t]*")
_LEAD = " \t*_`\"'“”()[]:,;.–—|-→="
_NO_MARKS = "".join(mark for mark in _LEAD if mark not in "\"'“”()[]")
_DASH = late(r"[ \t]+(?:[–—]+|--+|-)[ \t]+|[ \t]*—[ \t]*")
_BAR = late(r"(?<!\\)\|")
_BECAUSE = late(r"\b(?:because|why:|reason:)[ \t]+([^()]*)\)?[ \t]*\.?$", re.IGNORECASE)
_NAMED = late(
    r"\b(as (?:an? )?[a-z ]{3,30}|to keep in mind(?: now)?|in the table [\w-]{1,40})[)\]]?\.?$", re.IGNORECASE
)
_BEFORE = " \t,;.–—-(["
"""Characters before a reason or a place that belong to neither."""


@frozen
class Answer:
    """The answer about one number: where it goes ("" if unreadable), and why.

    `told` is what else stands there: a fact's kind, name and value, or a note's words; `row` a table's row,
    as it is told.
    """

    number: int
    where: str
    why: str = ""
    told: tuple[str, ...] = ()
    row: str = ""
    said: str = ""
    """The answer as it stands, to be named where it cannot be used."""
    words: str = ""
    """The words that the answer brings up by itself; "" where it is about a number that was asked."""


_ASKED = (
    "Some of what was said may be worth keeping:\n{noticed}\n"
    "Say of each, by number, in one line, where it goes and why: {places}, or nowhere, as most. For"
    ' instance, "2: fact — relationships / sister / Rike — she comes up often" or "3: nowhere — said in'
    ' passing".{further}{kinds}'
)
_AND_FURTHER = (
    " Then add what else was said and should be kept, if it stands nowhere else on this page: its words, as"
    " they were said, in quotation marks in place of a number; {most} at most."
)
_ONLY_FURTHER = (
    "Was anything said that should be kept and stands nowhere else on this page? Then, in {most} lines at"
    " most: its words, as they were said, in quotation marks; where they go, and why: {places}. For"
    ' instance "My sister Rike calls on Sundays" — lived — she lights up. Else: nothing.{kinds}'
)
_FACT_ASKED = "fact (known by heart; then kind / name / value, in {user}'s words), "
_PLACES_ASKED = "lived (a moment to find again), open (in mind for now; then what)"


def ask_about(
    candidates: Sequence[Candidate], tables: Sequence[str], kinds: Sequence[str], user: str, *, further: bool
) -> str:
    """Return what the page's part says; `tables` are those that rows can go into, as described.

    `further`: it also asks for what nobody noticed; where there are no candidates, for that alone.
    """
    form = "table: key | column = value | column = value, only what was said of it"
    asked = f", table (then a row of it, as in  {form}; there is {'; '.join(tables)})" if tables else ""
    fact, told = _FACT_ASKED.format(user=user), f" The kinds of facts: {', '.join(kinds)}."
    if not candidates:
        # facts are asked for under their own heading
        fact, told = ("", "") if kinds == [SAME_KINDS] else (fact, told)
        return _ONLY_FURTHER.format(most=MOST_FURTHER, places=f"{fact}{_PLACES_ASKED}{asked}", kinds=told)
    noticed = "\n".join(f"{at}. {_shown(one)}" for at, one in enumerate(candidates, start=1))
    more = _AND_FURTHER.format(most=MOST_FURTHER) if further else ""
    places = f"{fact}{_PLACES_ASKED}{asked}"
    return _ASKED.format(noticed=noticed, places=places, further=more, kinds=told)


def _shown(one: Candidate) -> str:
    who = f"{one_line(one.who, 40)}: " if one.who else ""
    # beside an appointment the day of the chat reads as the day that was agreed
    day = f", {one.when[:10]}" if one.when and one.why != APPOINTMENT else ""
    meant = f", meant as {_MEANT[one.where]}" if one.where in _MEANT else ""
    why = f" ({one_line(one.why, 80)}{day}{meant})" if one.why else ""
    return one_line(f'{who}"{one_line(one.words, LONGEST)}"{why}')


# -- the answer ----------------------------------------------------------------------------------------


def read_answers(text: str, count: int) -> Iterator[Answer]:
    """Yield the answers, in any form models write; `count` is how many were asked about."""
    found = list(_objects(text, count)) or list(_lines(text, count))
    named = {one.number for one in found}
    for one in found:
        if one.number or one.words:
            yield one
        else:
            yield from (replace(one, number=at) for at in range(1, count + 1) if at not in named)


def _lines(text: str, count: int) -> Iterator[Answer]:
    from reel_cli.core.exchange.reader.values import says_nothing

    last: list[Answer] = []
    for line in text.splitlines():
        item, rest = _ITEM.fullmatch(line[:2_000]), _REST.fullmatch(line[:2_000])
        unasked = item is None or all(number > count for number in _numbers(item[1]))
        further = _further(item[2] if item is not None else line[:2_000]) if unasked else None
        if further is not None:
            yield from last
            last = [further]
            continue
        if item is None and rest is None:
            if last and line.strip() and not says_nothing(line):
                last = [_more(one, line) for one in last]
            continue
        yield from last
        if item is not None:
            last = [_read(number, item[2]) for number in _numbers(item[1])]
        elif rest is not None:
            last = [_read(0, rest[1])]
    yield from last


def _more(one: Answer, line: str) -> Answer:
    """Return an answer that continues below its number."""
    if len(one.said) > MOST_SAID:
        return one
    said = f"{one.said} — {line.strip(_LEAD)}" if one.said else line
    return replace(_read(one.number, said), words=one.words)


def _further(line: str) -> Answer | None:
    """Return an answer that begins with words of the chat and names a place for them; None for any other."""
    told = line.strip(" \t>*-+•–—_`|")
    closes = {**MARKS, "‘": "’"}.get(told[:1], "")
    for at in (at for at, mark in enumerate(told) if at and mark in closes):
        after = told[at + 1 :].lstrip(_LEAD)
        if after != told[at + 1 :] and read_place(after)[0]:
            words = one_line(told[1:at].strip(_LEAD), MOST_SAID)
            return replace(_read(0, after), words=words) if any(map(str.isalnum, words)) else None
    return None


def _numbers(text: str) -> Sequence[int]:
    found: list[int] = []
    for part in re.split(r",|&|and", text):
        ends = [int(one) for one in re.findall(r"\d+", part)]
        if len(ends) == 2 and 0 <= ends[1] - ends[0] < 100:
            found += range(ends[0], ends[1] + 1)
        else:
            found += ends
    return list(dict.fromkeys(found))


def _read(number: int, text: str) -> Answer:
    """Return an answer such as `fact — relationships / sister / Ines — she will ask again`."""
    said = one_line(text.strip().strip("|"), 2 * MOST_SAID)
    plain = said.strip(_LEAD)
    where, end = read_place(plain)
    if not where:
        # some replies repeat the words first
        parts = [part for part in _APART.split(plain) if part.strip()]
        at = next((at for at, part in enumerate(parts) if at and read_place(part.strip(_LEAD))[0]), 0)
        if not at:
            return Answer(number, "", said=said)
        plain = " — ".join(parts[at:]).strip(_LEAD)
        where, end = read_place(plain)
    rest = plain[end:]
    rest, because = _because(rest)
    if where == DOMAIN:
        row, others = _row(rest)
        return Answer(number, where, _why(others, because), row=row, said=said)
    around = _LEAD if where != FACTS else _NO_MARKS
    parts = [part.strip(around if "/" not in part else " \t*_`") for part in _APART.split(rest.strip(around))]
    parts = [part for part in parts if part]
    if where == FACTS:
        told, parts = _fact(parts)
        return Answer(number, where, _why(parts, because), told, said=said)
    if where == WORKING and (len(parts) > 1 or because):
        return Answer(number, where, _why(parts[1:], because), tuple(parts[:1]), said=said)
    return Answer(
        number, where, _why(parts, because), tuple(parts[:1]) if where == WORKING else (), said=said
    )


def _because(text: str) -> tuple[str, str]:
    """Return the text, and a reason that is marked as one."""
    found = _BECAUSE.search(text)
    return (text[: found.start()].rstrip(_BEFORE), found[1].strip(_LEAD)) if found else (text, "")


def _why(parts: Sequence[str], because: str) -> str:
    return one_line(because or "; ".join(parts), LONGEST_WHY)


def _fact(parts: list[str]) -> tuple[tuple[str, ...], list[str]]:
    """Return (kind, name and value, if all three are there) and what else is said."""
    for at, part in enumerate(parts):
        told = [_trim(one) for one in _trim(part).split("/", 2)]
        if len(told) == 3 and all(told):
            return tuple(told), [*parts[:at], *parts[at + 1 :]]
    if len(parts) >= 3:
        return tuple(_trim(part) for part in parts[:3]), parts[3:]
    return (), parts


def _trim(text: str) -> str:
    """Return a part of a fact without what joins it to others; a mark goes only where it has no other."""
    plain = text.strip(_NO_MARKS)
    if plain[:1] + plain[-1:] in ("()", "[]") and not set("()[]") & set(plain[1:-1]):
        plain = plain[1:-1].strip(_NO_MARKS)
    whole = unquote(plain)
    for first, last in ("“”", "()", "[]"):
        if whole.count(first) != whole.count(last):
            whole = whole.removeprefix(first).removesuffix(last)
    return whole if whole.count('"') % 2 == 0 else whole.strip('"')


def _row(text: str) -> tuple[str, list[str]]:
    """Return a row, its columns separated by bars, and the reasons behind its last column."""
    parts = [part for one in _DASH.split(text) if (part := one.strip(_LEAD))]
    last = max((at for at, one in enumerate(parts) if "=" in one), default=-1)
    if last < 0:
        last = max((at for at, one in enumerate(parts) if ":" in one), default=0)
    row, others = parts[: last + 1], parts[last + 1 :]
    pieces = [piece.strip() for piece in _BAR.split(" | ".join(row))]
    if not others and len(pieces) > 1 and "=" not in pieces[-1] and any("=" in one for one in pieces):
        others = [pieces.pop()]
    return " | ".join(pieces), others


def read_place(text: str) -> tuple[str, int]:
    """Return the place a text begins with, and where its name ends; ("", 0) for none."""
    for where, told in _PLACE:
        if found := told.match(text):
            end = found.end()
            return where, end
    return "", 0


def _objects(text: str, count: int) -> Iterator[Answer]:
    """Yield the answers in JSON; nothing if it is not JSON."""
    if text.lstrip()[:1] not in ("[", "{"):
        return
    try:
        value, _ = json.JSONDecoder().raw_decode(text.strip())
    except (ValueError, RecursionError):
        return
    if isinstance(value, dict) and all(str(key).isdigit() for key in value):
        value = [
            {"number": key, **(one if isinstance(one, dict) else {"where": one})}
            for key, one in value.items()
        ]
    for one in value if isinstance(value, list) else [value]:
        if isinstance(one, dict):
            told = {str(key).casefold(): value for key, value in one.items()}
            number = next(
                (str(told[key]) for key in ("number", "n", "no", "id", "item", "#") if key in told), ""
            )
            asked = int(number) if number.isascii() and number.isdigit() and len(number) < 4 else 0
            words = next((told[key] for key in ("words", "quote", "said") if key in told), "")
            if isinstance(words, str) and words.strip() and not 1 <= asked <= count:
                yield replace(_object(0, told), words=one_line(unquote(words), MOST_SAID))
            elif number.isascii() and number.isdigit() and len(number) < 4:
                yield _object(asked, told)


def _object(number: int, told: Mapping[str, object]) -> Answer:
    def text(*keys: str) -> str:
        return one_line(
            next((str(told[key]) for key in keys if told.get(key) not in (None, "")), ""), MOST_SAID
        )

    read = _read(number, text("where", "place", "target", "decision", "keep"))
    why = one_line(text("why", "reason", "because") or read.why, LONGEST_WHY)
    fact = (text("kind", "category"), text("name", "key"), text("value", "fact"))
    row = told.get("columns", told.get("row"))
    cells = {str(key): str(one) for key, one in row.items()} if isinstance(row, dict) else {}
    if read.where == FACTS and all(fact):
        return replace(read, why=why, told=fact)
    if read.where == DOMAIN:
        pieces = [f"{key} = {value}".replace("|", "\\|") for key, value in cells.items()]
        pieces = pieces or [row if isinstance(row, str) else read.row]
        table = text("table")
        told_row = " | ".join([f"{table}:", *pieces] if table else pieces)
        return replace(read, why=why, row=one_line(told_row, MOST_SAID))
    if read.where == WORKING and (note := text("note", "text", "words", "value")):
        return replace(read, why=why, told=(note,))
    return replace(read, why=why)


# -- what a persona wrote down by itself ------------------------------------------------------------------


@frozen
class Line:
    """One line that a reply ends with: what to remember, why, and where, as far as that is named."""

    words: str
    why: str = ""
    where: str = ""


def read_remember_lines(text: str, label: str) -> Sequence[Line]:
    """Return the lines at a reply's end that say what to remember, in order."""
    tail = text[-_TAIL:]
    if label.casefold() not in tail.casefold():
        return ()
    told = re.compile(
        rf"[ \t>]*(?:[-*+•][ \t]+|\d{{1,2}}[.)][ \t]+)?[*_`(\[]*{re.escape(label)}[ \t]*"
        r"(?:[(\[]([^()\[\]]{1,60})[)\]])?"
        rf"[ \t]*(as [a-z ]{{1,40}})?[*_`]*[ \t]*:[*_`]*[ \t]*(.+)",
        re.IGNORECASE,
    )
    found: list[Line] = []
    lines = tail.splitlines()
    for line in reversed(lines):
        if not line.strip(" \t*_`-—–=~"):
            continue
        one = told.fullmatch(line)
        made = _line(one[3], one[1] or one[2] or "") if one else None
        if made is None or len(found) == MOST_LINES:
            break
        found.append(made)
    return found[::-1]


def _line(text: str, named: str) -> Line | None:
    plain = one_line(text, MOST_SAID).rstrip("*_`")
    if plain.endswith((")", "]")) and plain.count("(") < plain.count(")"):
        plain = plain[:-1]
    where = read_place(named.strip())[0] if named else ""
    for _ in range(2):
        tail = _NAMED.search(plain)
        if tail and not where and (place := read_place(tail[1])[0]):
            where, plain = place, plain[: tail.start()].rstrip(_BEFORE)
        found = _BECAUSE.search(plain)
        if found:
            words = unquote(plain[: found.start()].rstrip(_BEFORE).strip(" \t*_`"))
            return (
                Line(one_line(words, LONGEST), one_line(found[1].strip(_LEAD), LONGEST_WHY), where)
                if words
                else None
            )
    words = unquote(plain.strip(" \t*_`"))
    return Line(one_line(words, LONGEST), "", where) if any(map(str.isalnum, words)) else None
