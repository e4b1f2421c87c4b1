"""Prompt for what must be known by heart, and its reply, however models write it (SRIP-11 §III.5b)."""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.blockquote import plain_item, set_apart
from reel_cli.core.exchange.prompts import cut_words, rule_beyond
from reel_cli.core.exchange.reader.items import bare_value
from reel_cli.core.exchange.reader.labels import cut_rows, squash
from reel_cli.core.exchange.reader.values import find_day, says_nothing
from reel_cli.core.exchange.schema import FieldSpec, Schema
from reel_cli.core.frozen import frozen, late
from reel_cli.core.quote_marks import CLOSING, OPENING, QUOTED, unquote
from reel_cli.core.resources import read_ask
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import WHOLE
from reel_cli.core.values.talk import PURGED
from reel_cli.features.facts.evidence.certainty import read_certainty
from reel_cli.features.facts.fact import Fact
from reel_cli.features.facts.policy import ABOUT, read_category

if TYPE_CHECKING:
    from reel_cli.core.exchange.reader.reply import ReplyReading

_BULLET = re.compile(r"^[ \t]*(?:[-*+•–—]|\d{1,3}[.)])[ \t]+(?:\[[ xX]?\][ \t]*)?")
_NAMES = {
    **dict.fromkeys(("category", "kind", "type"), "category"),
    **dict.fromkeys(("key", "whatabout", "about", "subject", "name", "topic"), "key"),
    **dict.fromkeys(("value", "thefact", "fact", "detail", "is"), "value"),
    **dict.fromkeys(("confidence", "howsure", "certainty", "sureness"), "confidence"),
    **dict.fromkeys(("when", "theday", "day", "date"), "when"),
    **dict.fromkeys(("replaces", "was", "before", "supersedes"), "replaces"),
    **dict.fromkeys(("evidence", "quote", "quotation", "exactwords", "thewords", "inhiswords"), "evidence"),
    **dict.fromkeys(("statement", "sentence", "inasentence", "asasentence"), "statement"),
    "source": "source",
}
_PAIR = re.compile(r"[\"“]?([A-Za-z][A-Za-z _-]{0,20})[\"”]?[ \t]*:[ \t]*(.*)", re.DOTALL)
_LONGEST = 600


def read_facts(text: str) -> Iterator[Fact]:
    """Yield the facts of a reply, as rows, as `key: value` lines, or as records of named parts."""
    for told in read_fact_parts(text):
        yield from _fact(told)


def read_fact_parts(text: str) -> Iterator[dict[str, str]]:
    """Yield each fact of a reply as named parts, always with a value."""
    for record in _records(_as_rows(text, _NAMES)):
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
    texts: list[str] = []
    for cell in cells[3:]:
        told = re.match(r"(?i)(?:replaces|was|instead of)\s*:?\s*(.+)", cell)
        if told:
            made["replaces"] = told[1]
        elif read_certainty(cell) is not None and not _COUNT.fullmatch(cell):
            made["confidence"] = cell
        elif find_day(cell) and not QUOTED.fullmatch(cell) and len(cell.split()) <= _DAY_WORDS:
            made["when"] = cell
        elif cell:
            texts.append(cell)
    # two quotations after one another are two passages: a question and its answer
    texts = [
        one
        for text in texts
        for one in ([found[0] for found in QUOTED.finditer(text)] if _ALL_QUOTED.fullmatch(text) else [text])
    ]
    # a statement may begin with a title in marks; a quotation has its marks around all of it
    whole = [one for one in texts if one[0] in OPENING and one.rstrip(".。")[-1:] in CLOSING]
    quoted = whole or [one for one in texts if one[0] in OPENING][-1:]
    plain = [one for one in texts if one not in quoted]
    if texts:
        words = quoted if plain or not quoted else [max(quoted, key=len)]
        made["evidence"] = " / ".join(words) or texts[-1]
    stated = (one for one in plain if one != made.get("evidence") and not one.endswith("?"))
    made["statement"] = next(stated, "")
    return made


_COUNT = re.compile(r"[2-9]|\d{2,3}")
"""Pattern of a number that is no certainty by itself."""
_ALL_QUOTED = re.compile(rf"(?:(?:{QUOTED.pattern})[\s,;/&+–—、，-]*(?:and\s+)?)+")
"""Pattern of quotations and nothing else."""
_DAY_WORDS = 5
"""Words of a cell that gives a day; a longer one is a sentence with a day in it."""
_HEADING = re.compile(r"#{1,6}[ \t]+\S")
"""Pattern of a heading that the prompt did not have, kept from an earlier one."""


def _records(text: str) -> Iterator[str]:
    """Yield each fact's own lines: an item with what is indented below it, a block of parts, or a line."""
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
        if not plain or re.fullmatch(r"[|: -]+|```\w*", plain) or _HEADING.match(line):
            continue
        block.append(line)
    if block:
        yield "\n".join(block)


def name_parts(told: Mapping[str, object]) -> dict[str, str]:
    """Return the parts of a fact that came as an object, by our names; empty if it has no value."""
    named = {_NAMES[squash(key)]: str(value) for key, value in told.items() if squash(key) in _NAMES}
    return named if "value" in named else {}


def _part_of(line: str) -> str:
    """Return the part of a fact that a line names; "" if it names none."""
    named = _PAIR.fullmatch(_BULLET.sub("", line, count=1).strip())
    key = squash(named[1]) if named else ""
    return "" if key in ("name", "is") else _NAMES.get(key, "")


def _named(record: str) -> dict[str, str]:
    """Return the parts of a record by our names, if it has at least a key and a value."""
    made: dict[str, str] = {}
    lead, _, rest = _BULLET.sub("", record, count=1).partition(" — ")
    if _PAIR.fullmatch(rest.partition("; ")[0]) and not _part_of(lead):
        # a record whose descriptive part comes first
        named = _named(f"value: {lead}\n" + rest.replace("; ", "\n"))
        return named if "key" in named else _named(f"key: {lead}\n" + rest.replace("; ", "\n"))
    pieces = record.split("\n") if "\n" in record else re.split(r";\s+|,\s+(?=[\"“]?\w+[\"”]?\s*:)", record)
    for piece in pieces:
        found = _PAIR.fullmatch(_BULLET.sub("", piece, count=1).strip(" \t{}"))
        if found and squash(found[1]) in _NAMES:
            made.setdefault(_NAMES[squash(found[1])], bare_value(found[2]))
    return made if "value" in made and ("key" in made or "category" in made) else {}


def _fact(told: dict[str, str]) -> Iterator[Fact]:
    key, value = one_line(told.get("key", "").strip(" *_"), 80), one_line(told["value"], _LONGEST)
    if not value or says_nothing(value):
        return
    when = find_day(told.get("when", "")) or ""
    # parentheses at the end of a plain line hold the certainty or the date
    tail = re.search(r"\s*[(\[]([^()\[\]]{1,40})[)\]]\.?$", value)
    sure = told.get("confidence", "")
    if tail and not sure:
        words = [part.strip() for part in tail[1].split(",")]
        level = next((part for part in words if read_certainty(part) is not None), "")
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
    sure = read_certainty(text)
    if sure is None:
        return "medium"
    return "high" if sure >= _HIGH else "medium" if sure >= WHOLE // 2 else "low"


def _as_rows(text: str, names: Mapping[str, str]) -> str:
    """Return facts of a table with own columns as rows in the requested order; the rest unchanged."""
    order = ("category", "key", "value", "confidence", "when", "replaces")
    made: list[str] = []
    for line, cells in cut_rows(text.split("\n"), names):
        row = [f"{key}: {cells[key]}" for key in order if cells.get(key)]
        made.append("\n".join([f"- {row[0]}", *(f"  {part}" for part in row[1:])]) if row else line)
    return "\n".join(made)


MOST_ASKED = 12
"""Maximum number of facts of one stretch that are asked for."""
FIELD = FieldSpec(
    "facts",
    "What I know for sure",
    names=("anchor facts", "known facts"),
    loose=("key facts", "known for sure", "facts to know by heart"),
    required=False,
    hint=(
        "What {{user}} said that one would be sorry not to know by heart, and what you told of your own life"
        " or promised (kind: own); {{most}} at most, nothing you gather. One a line: kind | its name, a word"
        " or two | the fact, in the words said and as few as will do | as a sentence: whose, what, since when"
        ' | "the place where it was said, letter for letter" "and its question, where needed" |'
        " how sure, from 0 to 1. The kinds: {{kinds}}.{{look}} What has changed, give as it is now, with all"
        " of it that still holds, under the same kind and name.{{known}}"
    ),
    by_line=True,
)
"""Field on a page, where the bare word `facts` is taken for what happened."""
FACTS = Schema(
    "facts",
    (replace(FIELD, names=(*FIELD.names, "facts"), loose=(*FIELD.loose, "what is known", "what I know")),),
    ("the page", "my page"),
)
LONGEST_KEY, LONGEST_VALUE = 80, 600
_MEDIUM, _HIGH = 7_000, 8_000
_KNOWN = " Known already, and not to be said again"
_ENDED = " (if over or done: kind | name | over | the words)"
_NAMED = "and these:"
_RULE = "==="
_ROOM_TO_EXPLAIN = 150
"""Words of room from which a prompt says of the kinds that every kit has what they are about."""


_OVER = re.compile(
    r"(?i)\W*(?:(?:it|this|that)(?: is|['’]s) )?(?:now )?"
    r"(?:over|no longer(?: so| true)?|not any ?more|ended|done|kept|settled|finished)\W*"
)
_ONLY_ASSENT = late(
    r"(?i)(?:\W*\b(?:yes|yeah|ok|okay|sure|fine|i|we|will|do|shall|i['’]ll|we['’]ll|promise|promised|it|so|that"
    r"|tomorrow|today|tonight|later|soon|then|now|maybe|again|too)\b)+\W*"
)
"""Pattern of an answer that agrees to something and does not name it."""
_POINTS = late(r"(?i)\b(?:in|of|on|at|with|for|to|from|about|by) (?P<word>it|that|this|them|those|these)\W*$")
"""Pattern of a value whose last word names something that only the chat has."""
_SEVERAL = ("them", "those", "these")
_PLURAL = late(r"(?i)(?:[^\Ws]s|people|children|men|women|teeth|feet|mice|geese|sheep)\W*$")
"""Words for several things, and the end of a name that says which: `staples: 27 of them`."""


@frozen
class ToldFact:
    """One fact as a reply gives it; `sure` is of `WHOLE`, `evidence` the words it claims were said.

    `statement` is the fact as a sentence about somebody.
    """

    category: str
    key: str
    value: str
    evidence: str = ""
    sure: int = _MEDIUM
    when: str = ""
    statement: str = ""

    @property
    def is_over(self) -> bool:
        """Return whether the reply says no more than that what was known under this name is so no longer."""
        return _OVER.fullmatch(self.value) is not None


def fault_of(one: ToldFact, kinds: Sequence[str]) -> str:
    """Return what is wrong with the form of a told fact; "" for nothing."""
    if not one.key:
        return "it does not say what it is about"
    if not {one.category, read_category(one.category)} & set(kinds):
        return (
            f"“{one_line(one.category, 40)}” is not a kind of fact here"
            if one.category
            else "no kind is given"
        )
    if _ONLY_ASSENT.fullmatch(one.value.strip()):
        return "it does not say what is to be done"
    found = None if one.statement else _POINTS.search(one.value)
    if found and not (found["word"].casefold() in _SEVERAL and _PLURAL.search(one.key)):
        return f"it does not say what “{found['word']}” is"
    if len(one.key) > LONGEST_KEY or len(one.value) > LONGEST_VALUE:
        return "it is too long for a fact"
    return ""


@frozen
class FactRequest:
    """The values of a prompt for facts: the kinds, what to look for, and what is known.

    `keys` are those of facts that are known as well, and named without their values.
    """

    kinds: Sequence[str]
    look: str = ""
    known: Sequence[str] = ()
    keys: Sequence[str] = ()
    ended: bool = False
    """True if the reply may say that something known is over."""

    def within(self, room: int) -> "FactRequest":
        """Return it in at most so many words: the kinds, then what they are, then the facts."""
        kinds, look = list(self.kinds), cut_words(self.look, max(1, room // 3)) if self.look else ""
        if room < _ROOM_TO_EXPLAIN:
            kinds = [name if (name := one.partition(" (")[0]) in ABOUT else one for one in kinds]
        if len(" ".join([*kinds, look]).split()) > room * 2 // 3:
            kinds = [one.partition(" (")[0] for one in kinds]
        left = room - len(" ".join([*kinds, look, _KNOWN, _NAMED, _ENDED if self.ended else ""]).split())
        told = [_in_short(one) for one in self.known]
        known = _first(told, left - left // _NAMED_SHARE, _LONGEST_KNOWN)
        left -= sum(len(one.split()) + 1 for one in known)
        # what is not told with its value is told by its name, if there is room
        unsaid = [one.split(" | ")[1] for one in self.known[len(known) :] if " | " in one]
        return FactRequest(kinds, look, known, _first([*unsaid, *self.keys], left, 40), self.ended)

    def fill(self) -> dict[str, str]:
        """Return the values for the part of a page."""
        known = "".join(f"\n- {plain_item(one_line(one, _LONGEST_KNOWN))}" for one in self.known)
        if self.keys:
            known += f"\n- {_NAMED} {'; '.join(plain_item(one_line(one, 40)) for one in self.keys)}"
        return {
            "kinds": ", ".join(self.kinds),
            "look": f" {self.look.strip()}" if self.look.strip() else "",
            "known": f"{_KNOWN}{_ENDED if self.ended else ''}:{known}" if known else "",
            "most": str(MOST_ASKED),
        }


def _in_short(known: str) -> str:
    """Return a known fact in few words: `kind | name | the beginning of its value`."""
    head, mark, value = known.rpartition(" | ")
    return f"{head}{mark}{cut_words(value, _SHOWN)}"


_LONGEST_KNOWN = 240
"""Characters of a known fact that a prompt shows."""
_NAMED_SHARE = 5
"""Share of the room for known facts that those named without their values have."""
_SHOWN = 24
"""Words of a known fact's value above which a prompt shows its beginning."""


def _first(lines: Sequence[str], room: int, longest: int) -> list[str]:
    """Return the first of these lines that fit into so many words, each on one line."""
    found: list[str] = []
    for line in lines:
        told = one_line(line, longest)
        room -= len(told.split()) + 1
        if room < 0:
            break
        found.append(told)
    return found


def render_facts_prompt(  # noqa: PLR0913 (who asks whom, as what, about which words)
    name: str, user: str, identity: str, said: str, when: str, wanted: FactRequest
) -> str:
    """Ask for the facts of a stretch of tape, given in the prompt, with ring 0 loaded."""
    intro, _, outro = read_ask("facts").partition("\n---\n")
    whole = f"{intro.strip()}\n\n## {FIELD.label}\n{FIELD.hint}\n\n{outro.strip()}\n"
    whole = whole.replace(_RULE, rule_beyond(said))
    fill = {
        "name": name,
        "user": user,
        "identity": identity.strip(),
        "said": set_apart(said.strip("\n")),
        "when": when,
        **wanted.fill(),
    }
    return re.sub(r"\{\{(\w+)\}\}", lambda found: fill[found[1]], whole)


def read_facts_reply(reply: str, prompt: str, names: Sequence[str]) -> "ReplyReading":
    """Return the reading of a reply to the prompt for facts alone."""
    from reel_cli.core.exchange.lived_words import read_lived_reply

    return read_lived_reply(reply, FACTS, prompt=prompt, names=names)


def text_of(reading: "ReplyReading", reply: str, names: Sequence[str]) -> str | None:
    """Return the answer's words; the whole reply if it is a list without heading, None for none."""
    if FIELD.key in reading.values:
        return "" if reading.empty(FIELD.key) else reading.text(FIELD.key)
    plain = reply.strip()
    lines = plain.splitlines()
    if lines and lines[-1].strip(" *_—-.") in names:
        plain = "\n".join(lines[:-1]).strip()
    if says_nothing(plain):
        return ""
    rows = [line for line in plain.splitlines() if line.count("|") >= 3]
    return "\n".join(rows) if rows else plain if plain[:1] in "[{" else None


def read_told(text: str) -> Iterator[ToldFact]:
    """Yield the facts of an answer, in any of the forms that models write."""
    for parts in _objects(text) or read_fact_parts(text.replace('\\"', '"')):
        value = one_line(unquote(parts["value"].strip(" *_`")))
        # what lost a word to a purge is not known for sure
        if not value or says_nothing(value) or _MARKED.search(f"{parts.get('key', '')}\n{parts['value']}"):
            continue
        yield ToldFact(
            one_line(parts.get("category", "").strip(" *_`[]()")).casefold(),
            one_line(unquote(parts.get("key", "").strip(" *_`"))),
            value,
            one_line(unquote(parts.get("evidence", "").strip(" *_`"))),
            _sure(parts.get("confidence", "")),
            find_day(parts.get("when", "")),
            one_line(unquote(parts.get("statement", "").strip(" *_`"))),
        )


_MARKED = re.compile(rf"(?m){PURGED[:-1]}\b|\b{PURGED[1:]}|^{PURGED[1:-1]}$")
"""Pattern of a purge's mark, of which the reader may have taken underscores for emphasis."""


def _objects(text: str) -> list[dict[str, str]]:
    """Return the facts of a JSON answer; none if it is not JSON."""
    if text.lstrip()[:1] not in ("[", "{"):
        return []
    try:
        # the end of an enclosing object may follow
        value, _ = json.JSONDecoder().raw_decode(text.strip())
    except (ValueError, RecursionError):
        return []
    listed = value if isinstance(value, list) else [value]
    return [named for one in listed if isinstance(one, dict) and (named := name_parts(one))]


def _sure(text: str) -> int:
    sure = read_certainty(text)
    return _MEDIUM if sure is None else sure
