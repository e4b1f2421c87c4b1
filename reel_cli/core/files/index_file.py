"""`ring4/index.md`: the retrieval index, one line a pointer (REEL §4.5)."""

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from reel_cli.core.frozen import frozen
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import IndexLine, Memory
from reel_cli.core.values.source import parse_source

EMPTY = "# What could be recalled\n\n"
_STARTS = re.compile(r"\s*(?:[-*]\s+)?M-\d+\s*\|")
_OTHER = re.compile(r"\s*(?:[-*]\s+)?([^\s|]{1,40}?)\d*\s*\|")
_TITLE = re.compile(r"#\s|\s*(?:<!--.*)?$")
"""A line that says nothing of itself: the title, a comment, a blank."""
_LINE = re.compile(
    r'\s*(?:[-*]\s+)?(?P<id>M-\d{3,})\s*\|(?P<what>[^|]*)\|\s*"(?P<anchor>[^"\\|]*(?:\\.[^"\\|]*)*)"\s*'
    r"\|(?P<tags>[^|]*)\|(?P<flags>[^|<]*)(?P<fields>\|[^<]*)?(?:<!--\s*(?P<where>[^>]*?)\s*-->)?\s*"
)
_ANCHOR = re.compile(r'[^|]*\|[^|]*\|\s*"([^"\\|]*)"\s*\|')
"""The beginning of a line whose anchor phrase has nothing escaped in it."""
_FLAGS = {
    "immune": (True, False),
    "not immune": (False, False),
    "immune, pruned": (True, True),
    "not immune, pruned": (False, True),
}
_KNOWN = frozenset(flag for flags in _FLAGS for flag in flags.split(", "))
_IMMUNE = ("immune", "not immune")


@frozen
class Index:
    """The index as read: its lines by ID in file order, and those that do not parse by line number."""

    lines: Mapping[str, IndexLine]
    broken: Sequence[tuple[int, str]] = ()


def parse_index(text: str, *, later: bool = True) -> Index:
    """Read the index; a line that looks like an entry and is none is kept aside, never dropped.

    In a kit that is not `later`, that is also a line with none of the flags that 1.0 knows.
    """
    lines: dict[str, IndexLine] = {}
    broken: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), start=1):
        if not _STARTS.match(raw):
            continue
        line = parse_line(raw, later=later)
        if line is None or line.id in lines:
            broken.append((number, raw))
        else:
            lines[line.id] = line
    return Index(lines, tuple(broken))


def parse_line(raw: str, *, later: bool = True) -> IndexLine | None:
    """Return one entry, or None if it does not parse.

    Flags and fields that a later 1.x may add are kept as they stand (REEL §11.2); such a flag may stand in
    place of those of 1.0 where the kit is `later`, and says nothing of immunity.
    """
    found = _LINE.fullmatch(raw)
    if not found:
        return None
    name, what, anchor, tags, flag, fields, where = found.groups()
    flags, more = _FLAGS.get(flag.strip()), ""
    if flags is None or fields:
        known, others = _part_flags(flag)
        alone = later and bool(others) and known in ("", "pruned")
        flags = _FLAGS.get(f"not immune, {known}".rstrip(", ") if alone else known)
        if flags is None:
            return None
        more = "".join(f", {one}" for one in others) + (f" {fields.strip()}" if fields else "")
        more = more.removeprefix(", ") if alone else more
    return IndexLine(
        id=name,
        description=what.strip(),
        anchor=re.sub(r"\\(.)", r"\1", anchor) if "\\" in anchor else anchor,
        tags=tuple(t.strip() for t in tags.split(",") if t.strip()),
        immune=flags[0],
        pruned=flags[1],
        where=parse_source(where) if where else None,
        more=more,
    )


def list_pruned(text: str) -> Iterator[IndexLine]:
    """Yield the entries of memories that were pruned; the others, which may be thousands, are not parsed."""
    for raw in text.splitlines():
        if "pruned" in raw.casefold() and (line := parse_line(raw)) is not None and line.pruned:
            yield line


def find_unread_lines(_path: str, text: str) -> Iterator[tuple[int, str]]:
    """Yield what reel keeps of lines and does not read, each with its line.

    That is the end of an entry, and all that is none: the beginning of lines of a kind that it does not know
    (`R-001 | …`), else the words.
    """
    from reel_cli.core.files.unread_fields import LONGEST_WORD

    for number, raw in enumerate(text.splitlines(), start=1):
        if not _STARTS.match(raw):
            if found := _OTHER.match(raw):
                yield number, f"lines like {found[1]}"
            elif not _TITLE.match(raw):
                yield number, f"the line {one_line(raw.strip(' #-*'), LONGEST_WORD)}"
        elif (line := parse_line(raw)) is not None and line.more:
            yield number, one_line(line.more.strip(" ,|"), LONGEST_WORD)


def set_immune(raw: str, *, immune: bool) -> str:
    """Return a line with only its flag changed; one that does not parse as it is."""
    found = _LINE.fullmatch(raw)
    if found is None:
        return raw
    start, end = found.span("flags")
    flags = raw[start:end].split(",")
    places = [at for at, one in enumerate(flags) if " ".join(one.split()).casefold() in _IMMUNE]
    if places:
        one = flags[places[0]]
        flags[places[0]] = one.replace(one.strip(), _IMMUNE[not immune])
    elif immune:
        # a flag of a later version stays beside it
        flags.insert(0, f" {_IMMUNE[0]}")
    return f"{raw[:start]}{','.join(flags)}{raw[end:]}"


def _part_flags(text: str) -> tuple[str, Sequence[str]]:
    """Return the flags that reel knows, as they are written, and the others."""
    given = [" ".join(one.split()) for one in text.split(",")]
    known = [one.casefold() for one in given if one.casefold() in _KNOWN]
    return ", ".join(known), [one for one in given if one and one.casefold() not in _KNOWN]


def list_anchors(text: str) -> Iterator[str | None]:
    """Yield the anchor phrase of every entry, and some others, unparsed; None where it does not show."""
    for raw in text.splitlines():
        found = _ANCHOR.match(raw)
        if found:
            yield found[1]
        elif _STARTS.match(raw):
            yield None


def render_line(line: IndexLine) -> str:
    """Return one entry, exactly as the protocol writes it, without a newline."""
    phrase = _clean(line.anchor).replace("\\", "\\\\").replace('"', '\\"')
    own, more = _IMMUNE[not line.immune], line.more
    if more and not line.immune and not more.startswith((",", " ")):
        # a later version's flag stands in place of those of 1.0, and says nothing of immunity
        own, bar, rest = more.partition(" |")
        more = f"{bar}{rest}"
    elif more and not more.startswith((",", " ")):
        more = f", {more}"
    flags = own + (", pruned" if line.pruned else "")
    where = f" <!-- {line.where} -->" if line.where else ""
    tags = ", ".join(_clean(t) for t in line.tags)
    return f'{line.id} | {_clean(line.description)} | "{phrase}" | {tags} | {flags}{more}{where}'


def _clean(text: str) -> str:
    """Return the text as a field: without bars or line ends."""
    return " ".join(text.replace("|", "/").split())


def line_for(memory: Memory) -> IndexLine:
    """Return the line of a memory in ring 3, whose file is authoritative."""
    return IndexLine(
        id=memory.id,
        description=memory.title,
        anchor=memory.anchor,
        tags=memory.tags,
        immune=memory.immune,
    )


def put_lines(text: str, lines: Iterable[IndexLine]) -> str:
    """Return the index with these entries replaced in place, or appended; other lines are kept."""
    fresh = {line.id: line for line in lines}
    out = (text or EMPTY).splitlines()
    for i, raw in enumerate(out):
        line = parse_line(raw) if _STARTS.match(raw) else None
        if line is not None and line.id in fresh:
            out[i] = render_line(keep_more(line, fresh.pop(line.id)))
    if out and out[-1].strip() and not _STARTS.match(out[-1]) and fresh:
        out.append("")
    out.extend(render_line(line) for line in fresh.values())
    return "\n".join(out) + "\n"


def keep_more(old: IndexLine, new: IndexLine) -> IndexLine:
    """Return a line that takes another's place, with what reel does not know of that one."""
    return replace(new, more=new.more or old.more)
