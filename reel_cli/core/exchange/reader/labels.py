"""Recognition of what names a field in a reply: lines, with their style, and the heads of columns."""

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from functools import cache

from reel_cli.core.exchange.schema import Schema
from reel_cli.core.frozen import frozen

SECTION = "§"
"""The key of a line that heads a part of the artifact and holds nothing itself."""

LONGEST = 100
"""A label longer than this is none."""
_LOOK = 240
_EXTRA_WORDS = 5
_LONG = 8
"""A name of fewer letters is too short to be known by when misspelt."""
_SYMBOL = r"(?:(?:\d\uFE0F?\u20E3|[^\w\s\"'“”‘’«»\[\]<>(){}|*`#:：.,;!?/\\~=+&-]{1,8})[ \t]*)?"
_LEAD = re.compile(
    r"(?P<indent>[ \t]*)(?P<quote>(?:>[ \t]?){0,8})[ \t]*(?P<hash>#{1,6}(?!#))?[ \t]*"
    r"(?P<item>(?P<bullet>[-*+•‣▪◦·●○■➤►→](?=[ \t]))|\(?\d{1,3}[.):](?=[ \t*_A-Z\"\[])"
    r"|\(?[A-Za-z][.)](?=[ \t]))?[ \t]*(?:\[[ xX]\][ \t]+)?" + _SYMBOL
)
_OPEN = re.compile(r"\*{1,3}|_{1,2}(?=\S)|`{1,2}|[\"“«\[【<]")
_INNER = re.compile(
    r"(?:(?:part|section|field|step|no\.?)?[ \t]*\d{1,2}(?:[ \t]*/[ \t]*\d{1,2})?[ \t]*[.:)–—-][ \t]*)?"
    + _SYMBOL,
    re.IGNORECASE,
)
_CLOSE = {"[": "]", "【": "】", "<": ">", "“": "”", "«": "»"}
_CLOSERS = re.compile(r"[*_`\"”»\]】>]{0,6}")
_SEPARATOR = re.compile(r"[ \t]*(?:[:：]|(?:--?|–|—)(?=[ \t]|$))")
_COLON = re.compile(r":(?!//)|：")
_DASH = re.compile(r"[ \t]+(?:--?|–|—)(?=[ \t])")
_PARENS = re.compile(r"[(（][^()（）\n]{0,200}[)）]")
_BEGINS_VALUE = re.compile(
    r"[\"“„«`(\[>*+•]|-[ \t]|\d|https?:|(?:none|nothing|n/?a|nil|no|yes)\b[ \t]*[.!,;]?(?:$|[ \t][A-Z])",
    re.IGNORECASE,
)
"""Pattern of a value that begins right behind a bold label, though in lower case."""
_MERGE = re.compile(r"[ \t]*(?:,[ \t]*and\b|/|&|\+|,|\band\b)[ \t]*", re.IGNORECASE)


@frozen
class Label:
    """A line that names fields: more than one where labels are merged (`A & B`).

    `form` is the dress (`h2`, `bold`, `num-colon`, `snake`, `table` …), `text` what follows on the
    line, `indent` its columns of leading space, `size` the lines the label itself takes.
    """

    line: int
    keys: tuple[str, ...]
    strong: bool
    form: str
    text: str
    indent: int = 0
    size: int = 1

    @property
    def key(self) -> str:
        """Return the field the text belongs to."""
        return self.keys[0]

    @property
    def base(self) -> str:
        """Return the form without its list marker."""
        return self.form.rpartition("-")[2]

    @property
    def level(self) -> int:
        """Return a heading's level, 0 for every other form."""
        base = self.base
        return int(base[1]) if base[0] == "h" and base[1:].isdigit() else 0


_LOWERED = bytes(range(256)).lower()
_OTHERS = bytes(code for code in range(128) if not chr(code).isalnum())


def squash(text: str) -> str:
    """Return letters and digits alone, in one case: what two spellings of a name share."""
    if text.isascii():
        return text.encode("ascii").translate(_LOWERED, _OTHERS).decode("ascii")
    text = unicodedata.normalize("NFKC", text)
    return "".join(char for char in text.casefold() if char.isalnum())


def _spellings(name: str) -> set[str]:
    """Return a squashed name with its contraction kept, spelled out and dropped."""
    plain = squash(name)
    if not plain.startswith("whats") or "'" not in name:
        return {plain}
    rest = plain.removeprefix("whats")
    return {plain, f"whatis{rest}", f"what{rest}", f"whathas{rest}"}


class Names:
    """The names of a schema's fields, found in any spelling."""

    def __init__(self, schema: Schema) -> None:
        self._found: dict[str, tuple[str, bool]] = {squash(s): (SECTION, False) for s in schema.sections}
        for loose in (True, False):
            for spec in schema.fields:
                for name in spec.loose if loose else (spec.label, *spec.names):
                    strong = not loose and len(re.split(r"[\s_]+", name.strip())) > 1
                    for spelled in _spellings(name):
                        self._found[spelled] = (spec.key, strong)
        self._nearly = self._typos()
        self._starts = {name[:2] for name in self._found}
        self._longest = max((len(name) for name in self._found), default=0)
        self.order = {spec.key: place for place, spec in enumerate(schema.fields)}

    def may_start(self, text: str) -> bool:
        """Return whether a name could begin here; a cheap test, since a reply has many lines."""
        start = squash(text[:8])[:2]
        return start in self._starts or start[:1].isdigit()

    def find(self, text: str) -> tuple[tuple[str, ...], bool]:
        """Return the fields this text names as a whole, and whether that is certain; () if none."""
        if len(text) > LONGEST:
            return (), False
        whole = self._one(text)
        if whole:
            return (whole[0],), whole[1]
        parts = _MERGE.split(text)
        if not 1 < len(parts) <= 4 or not parts[0]:
            return (), False
        found = [self._one(part) for part in parts if part]
        keys = tuple(dict.fromkeys(one[0] for one in found if one))
        if not all(found) or SECTION in keys:
            return (), False
        return keys, all(one[1] for one in found if one)

    def stretched(self, text: str) -> str | None:
        """Return the field whose name these words begin with (`What happened today`)."""
        words = text.split()
        for count in range(len(words) - 1, max(1, len(words) - 1 - _EXTRA_WORDS), -1):
            found = self._found.get(squash("".join(words[:count])))
            if found and found[1]:
                return found[0]
        return None

    def _typos(self) -> dict[str, str]:
        """Return labels as they are and with one letter left out, if that is unique."""
        found: dict[str, str] = {}
        for name, (key, strong) in self._found.items():
            for short in (name, *_shorter(name)) if strong and len(name) >= _LONG else ():
                found[short] = key if found.get(short, key) == key else ""
        return found

    def misspelt(self, text: str) -> str | None:
        """Return the field whose label this is but for one letter (`What happend`)."""
        folded = squash(text) if len(text) <= LONGEST else ""
        if not _LONG - 1 <= len(folded) <= self._longest + 1:
            return None
        keys = {self._nearly.get(short) for short in (folded, *_shorter(folded))} - {None, ""}
        return keys.pop() if len(keys) == 1 else None

    def _one(self, text: str) -> tuple[str, bool] | None:
        folded = squash(text)
        if len(folded) > self._longest + 3:
            return None
        return self._found.get(folded) or self._found.get(folded.lstrip("0123456789"))


def _shorter(name: str) -> list[str]:
    return [name[:at] + name[at + 1 :] for at in range(len(name))]


@cache
def names_of(schema: Schema) -> Names:
    """Return the schema's names, made once."""
    return Names(schema)


def find_labels(lines: Sequence[str], names: Names) -> list[Label]:
    """Return every line that could be a label, in order; the whole reply decides which ones are."""
    found: list[Label] = []
    for number, line in enumerate(lines):
        if not line or line.isspace():
            continue
        label = _read_row(line, number, names) if "|" in line else None
        label = label or read_label(line, number, names)
        if label is None:
            continue
        under = lines[number + 1].strip() if number + 1 < len(lines) else ""
        if not label.text and len(under) > 1 and set(under) in ({"="}, {"-"}) and not label.level:
            label = Label(
                number, label.keys, label.strong, "h1" if under[0] == "=" else "h2", "", label.indent, 2
            )
        found.append(label)
    return found


def read_label(line: str, number: int, names: Names) -> Label | None:
    """Return the label this line begins with, or None."""
    head = line[:_LOOK]
    lead = _LEAD.match(head)
    assert lead  # noqa: S101 - every part of the pattern is optional
    at, marks = lead.end(), ""
    while len(marks) < 4 and (opened := _OPEN.match(head, at)):
        marks += opened[0]
        at = opened.end()
    inner = _INNER.match(head, at)
    at = inner.end() if inner else at
    if not marks and (opened := _OPEN.match(head, at)):
        marks, at = opened[0], opened.end()
    rest = head[at:]
    if not names.may_start(rest):
        return None
    return _shaped(line, lead, at, marks, number, names)


def _shaped(  # noqa: PLR0913 - one line's anatomy
    line: str, lead: re.Match[str], at: int, marks: str, number: int, names: Names
) -> Label | None:
    """Try each place the label may end at: its closing mark, a colon, a dash, the line's end."""
    shown = _PARENS.sub(lambda found: " " * len(found[0]), line[at : at + _LOOK])
    heading = bool(lead["hash"])
    whole_line = len(line) - at <= LONGEST + 60  # a parenthesis may make it long
    for end, after, sep in _ends(shown, marks, whole=whole_line):
        keys, strong = names.find(shown[:end])
        text = line[at + after :].strip()
        if heading:
            text = text.rstrip("#").rstrip() if not text.strip("# ") else text
        if not keys and sep != "dash":
            near = names.misspelt(shown[:end])
            if not near and (not text or sep == "colon") and (heading or marks[:2] in ("**", "__")):
                near = names.stretched(shown[:end])
            keys = (near,) if near else ()
        if not keys:
            continue
        if shown[end : end + 2] == "](":
            continue
        base = _base(line[at : at + end], marks, sep, text, heading=heading, hashes=lead["hash"] or "")
        if base is None:
            continue
        prefix = "" if heading or not lead["item"] else "bul-" if lead["bullet"] else "num-"
        prefix = f"quote-{prefix}" if lead["quote"] else prefix
        indent = len(lead["indent"].expandtabs(4)) + (2 if lead["bullet"] and base == "snake" else 0)
        return Label(number, keys, strong, prefix + base, text, indent)
    return None


def _ends(shown: str, marks: str, *, whole: bool) -> list[tuple[int, int, str]]:
    """Return candidate ends of a label as (label end, text start, separator), in the order to try them."""
    ends: list[tuple[int, int, str]] = []
    if marks:
        last = marks[-2:] if marks[-2:] in ("**", "__", "``") else marks[-1]
        close = shown.find(_CLOSE.get(last, last), 1, LONGEST + 60)
        if close > 0:
            closers = _CLOSERS.match(shown, close)
            after = closers.end() if closers else close
            colon = shown[:close].rstrip().endswith((":", "："))
            sep = None if colon else _SEPARATOR.match(shown, after)
            if sep:
                after = sep.end()
            ends.append((close, after, "colon" if colon or sep else "close"))
    inner: list[tuple[int, int, str]] = []
    sign = _COLON.search(shown, 1, LONGEST + 61)
    if sign:
        closers = _CLOSERS.match(shown, sign.end()) if marks else None
        inner.append((sign.start(), closers.end() if closers else sign.end(), "colon"))
    dash = _DASH.search(shown, 0, LONGEST + 60)
    if dash:
        inner.append((dash.start(), dash.end(), "dash"))
    # `What happened — two things: …` ends at the dash, `What happened: this — and that` at the colon
    ends += sorted(inner)
    if whole:
        ends.append((len(shown), len(shown), "line"))
    return ends


def _base(  # noqa: PLR0913 - the table of dresses
    raw: str, marks: str, sep: str, text: str, *, heading: bool, hashes: str
) -> str | None:
    """Return the style of a label, or None if it is no label."""
    if heading:
        return f"h{len(hashes)}"
    bold = "**" in marks or "__" in marks
    if sep == "close" and text and not any(mark in marks for mark in "[【"):
        # after a label used as a heading the text begins with a capital, a mark, or is a word for nothing;
        # "**What matters** is that…" goes on in lower case
        first = next((char for char in text if char.isalnum()), "A")
        if not bold or (first.islower() and not _BEGINS_VALUE.match(text)):
            return None
    if bold:
        return "bold"
    if "[" in marks or "【" in marks or "<" in marks:
        return "bracket"
    if '"' in marks or "“" in marks or "«" in marks:
        return "quoted" if sep == "colon" else None
    if "`" in marks:
        return "snake" if sep == "colon" else "code"
    if marks:
        return "italic"
    if sep == "colon":
        return "snake" if re.fullmatch(r"[a-z][a-z0-9_]*|[a-z]+(?:[A-Z][a-z0-9]+)+", raw.strip()) else "colon"
    return "dash" if sep == "dash" else "plain"


def split_row(line: str) -> list[str]:
    """Return the cells of a table row; a bar after a backslash is text."""
    row = line.strip().removeprefix("|")
    cells = re.split(r"(?<!\\)\|", row)
    if len(cells) > 1 and not cells[-1].strip():
        cells.pop()
    return [cell.strip().replace("\\|", "|") for cell in cells]


def _read_row(line: str, number: int, names: Names) -> Label | None:
    """Return a label in the first or second cell of a table row."""
    cells = split_row(line)
    barred = line.lstrip().startswith("|")
    for place, cell in enumerate(cells[:-1][:2]):
        if len(cell) > LONGEST + 60 or not (barred or cell.strip("*_` ")[-1:].isalnum()):
            break
        keys, strong = names.find(_PARENS.sub("", cell.strip("*_`: ")))
        if keys and SECTION not in keys:
            if not barred and not strong:
                return None
            return Label(number, keys, strong, "table", " | ".join(cells[place + 1 :]))
    return None


_RULE = re.compile(r"[ \t]*\|?[ \t]*:?-{2,}:?[ \t]*(?:\|[ \t]*:?-{2,}:?[ \t]*)*\|?[ \t]*")


def cut_rows(lines: Sequence[str], names: Mapping[str, str]) -> Iterator[tuple[str, dict[str, str]]]:
    """Yield each line, with its cells by column if it is a row of a table with known columns.

    What stands above a table's rule are its columns, and no row.
    """
    columns: list[str] = []
    for at, line in enumerate(lines):
        ruled = (
            at + 1 < len(lines) and "|" in line and "|" in lines[at + 1] and _RULE.fullmatch(lines[at + 1])
        )
        if ruled:
            columns = [names.get(column_name(cell), "") for cell in _cells(line)]
            continue
        if "|" not in line:
            columns = []
        elif _RULE.fullmatch(line):
            continue
        cells = _cells(line)
        known = len([name for name in columns if name]) >= 2 and {"text", "value"} & set(columns)
        yield line, _by_name(columns, cells) if known and len(cells) >= 2 else {}


def _by_name(columns: Sequence[str], cells: Sequence[str]) -> dict[str, str]:
    made: dict[str, str] = {}
    for at, cell in enumerate(cells):
        # a column with another name adds to the text
        name = (columns[at] if at < len(columns) else "") or ("text" if "text" in columns else "")
        if name and cell:
            made[name] = f"{made[name]} {cell}" if name in made else cell
    return made


def _cells(line: str) -> list[str]:
    plain = line.strip()
    plain = plain.removeprefix("|").removesuffix("|")
    return [cell.strip(" *_`") for cell in plain.split("|")]


def column_name(text: str) -> str:
    """Return what a column is called, squashed."""
    return squash(text) or text.strip()
