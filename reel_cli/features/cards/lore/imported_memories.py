"""Memories that come from elsewhere: lore of a card or lorebook, another program's memories, notes.

No stretch of the tape stands behind such a memory, and its tag says so: `lore` for what is known of a world,
`imported` for what was remembered elsewhere. So nothing looks for its source, and no session counts as
remembered for it.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.phrases import quotations
from reel_cli.core.files import front_matter
from reel_cli.core.files.index_file import EMPTY, line_for, put_lines
from reel_cli.core.files.markdown import split_sections
from reel_cli.core.files.memory_file import cut_marker, render_body, render_memory
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import INDEX, Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.pack.words import since
from reel_cli.core.quote_marks import unquote
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.memory import (
    FIELDS,
    IMPORTED,
    LORE,
    Level,
    Memory,
    format_id,
    is_brought,
    memory_path,
)
from reel_cli.features.cards.lore.book import LoreEntry, LoreText
from reel_cli.features.cards.lore.notes import LoreNote

if TYPE_CHECKING:
    from reel_cli.core.tokens.counter import Tokenizer

OP = "import"
ENTRY = "entry"
"""The front-matter key of lore that tells which entry of its lorebook it is; of two books, which entries."""
NOTED = "noted"
"""The front-matter key of an imported note that holds what else stood in its own, as JSON."""
LEAST_MARKER, WHOLE = 30, 100
"""Tokens: an entry above a marker's size is held as a digest (L2), and recedes to a marker later."""
MARKER_WORDS = 60
ANCHORS = FIELDS[4]
TELLS = FIELDS[2]
LONGEST_TEXT = 256 * 1024
"""Maximum characters of one memory's text."""
_HEADING = re.compile(r"(?m)^(#{1,4})(?=[ \t])")
_ANY_HEADING = re.compile(r"#{1,6}[ \t]+")
_QUOTED = re.compile(r"(?m)^[ \t]*(?:>[ \t]?)+")
_TAG = re.compile(r"[^\w/ -]+")
_ANCHORS = re.compile(rf"(?m)^## {re.escape(ANCHORS)}[ \t]*$")
_NEXT = re.compile(r"(?m)^#{1,2}[ \t]")
_TELLS = re.compile(rf"\s*^## {re.escape(TELLS)}[ \t]*$", re.MULTILINE)
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(.*)")


@dataclass(frozen=True, slots=True)
class ImportedMemory:
    """One thing to remember: what it says, what finds it, and where it is from.

    `created` is ISO 8601, "" where it has no day. `fields` are further lines of front matter, as YAML text.
    """

    title: str
    text: str
    phrases: tuple[str, ...]
    tags: tuple[str, ...]
    created: str = ""
    constant: bool = False
    fields: Mapping[str, str] = field(default_factory=dict)

    @property
    def entry(self) -> str:
        """Return the identifier of its lorebook entry; "" if it has none."""
        return self.fields.get(ENTRY, "")


@dataclass(frozen=True, slots=True)
class MemoryImport:
    """The plan of an import: the change (None: nothing), its memories, and how many were known.

    `beside` are the titles of those under whose name something else is remembered already.
    """

    change: Change | None
    memories: tuple[Memory, ...]
    known: int
    beside: tuple[str, ...] = ()
    renewed: tuple[Memory, ...] = ()
    """Memories that exist already and get the wording their source has by now."""


def from_lore(entry: LoreEntry) -> ImportedMemory:
    """Return a lorebook's entry as a thing to remember."""
    fields = {ENTRY: render_scalar(entry.key)}
    return ImportedMemory(
        entry.title, entry.text, entry.phrases, (LORE, "factual"), "", entry.constant, fields
    )


def from_noted(noted: LoreNote) -> ImportedMemory:
    """Return another program's memory as a thing to remember."""
    tags = (one_line(_TAG.sub(" ", tag), 40) for tag in noted.tags)
    more = {key: value for key, value in noted.more.items() if value}
    fields = {NOTED: render_scalar(json.dumps(more, ensure_ascii=False))} if more else {}
    # only this kit's person decides what is immune or lore
    own = (tag for tag in tags if tag and tag not in {LORE, "identity", "relationship-definitional"})
    all_tags = tuple(dict.fromkeys((IMPORTED, "factual", *own)))
    return ImportedMemory(noted.title, noted.text, noted.phrases, all_tags, noted.created, fields=fields)


@dataclass(frozen=True, slots=True)
class Form:
    """The form of a thing as a memory: the parts that do not depend on when it came."""

    level: Level
    title: str
    body: str
    anchor: str
    marker: str


def form_of(one: ImportedMemory, count: Callable[[str], int]) -> Form:
    """Return a thing's form as a memory; its phrases become retrieval anchors, the first its line's.

    ReelError where it is longer than a memory can be.
    """
    if len(one.text) > LONGEST_TEXT:
        message = f"“{one_line(one.title, 60)}” is longer than a memory can be ({LONGEST_TEXT >> 10} KB)."
        raise ReelError(message, hint="cut it into several, each about one thing")
    text = demote(one.text.strip())
    title = one_line(one.title) or one_line(text, 80)
    phrases = one.phrases or (title.replace('"', "'"),)
    quoted = "".join(f'- "{phrase}"\n' for phrase in phrases)
    if count(text) <= WHOLE:
        body = f"\n{text}\n\n## {ANCHORS}\n\n{quoted}"
        return Form(Level.L3, title, body, phrases[0], _run_on(text, title))
    body = render_body({TELLS: text, ANCHORS: quoted})
    return Form(Level.L2, title, body, phrases[0], _marker(_run_on(text, title), count))


def _run_on(text: str, title: str) -> str:
    """Return a text on one line, with headings before their text unless they repeat the title."""
    told: list[str] = []
    for line in _QUOTED.sub("", text).split("\n"):
        heading = _ANY_HEADING.match(line)
        words = one_line(line[heading.end() :].rstrip("# \t") if heading else line)
        if heading and words.casefold() == title.casefold():
            continue
        told.append(f"{words}:" if heading and words and words[-1] not in ".!?…:" else words)
    return one_line(" ".join(told)).removesuffix(":") or one_line(text)


def demote(text: str) -> str:
    """Return a text with its headings below those of a memory's own parts."""
    return _HEADING.sub(r"\1##", text)


def _marker(text: str, count: Callable[[str], int]) -> str:
    """Return the beginning of a text, as long as a marker may be, without asking anyone.

    Whole sentences where that is enough; else words, or in a script without spaces letters, cut off.
    """
    marker = cut_marker(text, MARKER_WORDS)
    if count(marker) < LEAST_MARKER:
        marker = " ".join(text.split()[:MARKER_WORDS]) + "…"
    while count(marker) > WHOLE:
        marker = marker[: len(marker) * 3 // 4].rstrip("… ") + "…"
    return marker


def make_memory(one: ImportedMemory, name: str, now: datetime, count: Callable[[str], int]) -> Memory:
    """Return the memory that a thing becomes."""
    form = form_of(one, count)
    return Memory(
        id=name,
        # the same entry imported on two machines is one memory after they are joined
        uid=_uid(one, form),
        title=form.title,
        level=form.level,
        body=form.body,
        created=one.created or stamp(now),
        tags=one.tags,
        immune=one.constant,
        immune_reason="its lorebook always includes it" if one.constant else "",
        undated=not one.created and LORE not in one.tags,
        anchor=form.anchor,
        marker=form.marker,
    )


def _uid(one: ImportedMemory, form: Form) -> str:
    return hashlib.sha256(f"{one.entry} {form.title} {form.body}".encode()).hexdigest()[:8]


def write_memories(
    things: Sequence[ImportedMemory], index: str, first_number: int, now: datetime, tokenizer: "Tokenizer"
) -> tuple[tuple[Memory, ...], dict[str, bytes | None], tuple[tuple[str, str], ...]]:
    """Return the memories, their files and lines, and the trailers about them."""
    memories = tuple(
        make_memory(one, format_id(first_number + place), now, tokenizer.count)
        for place, one in enumerate(things)
    )
    writes: dict[str, bytes | None] = {}
    trailers: list[tuple[str, str]] = []
    for one, memory in zip(things, memories, strict=True):
        path = memory_path(memory.id)
        text = front_matter.set_fields(render_memory(memory), dict(one.fields), path)
        writes[path] = text.encode()
        trailers.append(("Reel-Memory", f"{memory.id} {memory.level} {tokenizer.count(memory.body)}"))
    if memories:
        writes[INDEX] = put_lines(index or EMPTY, map(line_for, memories)).encode()
        trailers.append(("Reel-Tokenizer", tokenizer.name))
    return memories, writes, tuple(trailers)


def plan_import(  # noqa: PLR0913 (what, into what, from where, by which clock and count)
    snapshot: Snapshot,
    things: Iterable[ImportedMemory],
    kept: Mapping[str, bytes],
    what: str,
    *,
    now: datetime,
    tokenizer: "Tokenizer",
    first_number: int,
    renewed: Sequence[Memory] = (),
) -> MemoryImport:
    """Plan to import entries into a kit, each once: what is remembered already stays as it is.

    `kept` are the files to write beside them, `what` says in the subject what came. `renewed` are memories
    whose pages are among them.
    """
    known = _KitMemories(snapshot)
    fresh: list[ImportedMemory] = []
    double = 0
    beside: list[str] = []
    for one in things:
        form = form_of(one, tokenizer.count)
        if known.has(one, form):
            double += 1
            continue
        if known.is_called(form.title):
            beside.append(form.title)
        known.add(one, form)
        fresh.append(one)
    memories, writes, trailers = write_memories(
        fresh, snapshot.text(INDEX) or "", first_number, now, tokenizer
    )
    writes |= {path: data for path, data in kept.items() if snapshot.read(path) != data}
    if not writes:
        return MemoryImport(None, (), double)
    new = f"{len(memories):,} {'memory' if len(memories) == 1 else 'memories'}"
    if not memories and not renewed:
        new = "nothing new to remember, kept as it came"
    if renewed:
        again = f"{len(renewed):,} renewed"
        new = f"{new}, {again}" if memories else again
        told = writes.get(INDEX)
        index = told.decode() if told is not None else snapshot.text(INDEX) or ""
        writes[INDEX] = put_lines(index or EMPTY, map(line_for, renewed)).encode()
        rows = (("Reel-Memory", f"{one.id} {one.level} {tokenizer.count(one.body)}") for one in renewed)
        trailers = (*rows, *(trailers or (("Reel-Tokenizer", tokenizer.name),)))
    change = Change(OP, f"{what}: {new}", writes, trailers)
    return MemoryImport(change, memories, double, tuple(dict.fromkeys(beside)), tuple(renewed))


class _KitMemories:
    """The memories of a kit, by entry, by text and by name."""

    def __init__(self, snapshot: Snapshot) -> None:
        self._bodies = {one_line(memory.body) for memory in snapshot.memories.values()}
        self._uids = {memory.uid for memory in snapshot.memories.values()}
        self._titles = {memory.title.casefold() for memory in snapshot.memories.values()}
        self._entries = set(held_entries(snapshot))
        self._gone = {
            (line.description, line.anchor) for line in snapshot.index.lines.values() if line.pruned
        }

    def has(self, one: ImportedMemory, form: Form) -> bool:
        """Return whether it is remembered, or was and was let go."""
        return (
            (bool(one.entry) and one.entry in self._entries)
            or one_line(form.body) in self._bodies
            or _uid(one, form) in self._uids
            or (form.title.replace("|", "/"), form.anchor.replace("|", "/")) in self._gone
        )

    def is_called(self, title: str) -> bool:
        """Return whether a memory of that name exists."""
        return title.casefold() in self._titles

    def add(self, one: ImportedMemory, form: Form) -> None:
        """Record that it will be remembered."""
        self._bodies.add(one_line(form.body))
        self._titles.add(form.title.casefold())
        if one.entry:
            self._entries.add(one.entry)


def told_text(body: str) -> str:
    """Return a memory's text without its anchor phrases."""
    sections = split_sections(body)
    if ANCHORS not in sections:
        return body.strip()
    if len(sections) == 1:
        return body.partition(f"## {ANCHORS}")[0].strip()
    return "\n\n".join(text for name, text in sections.items() if name != ANCHORS and text).strip()


def held_entries(snapshot: Snapshot) -> Mapping[str, Memory]:
    """Return the kit's lore, by lorebook entry."""
    found = {}
    for memory in snapshot.memories.values():
        if not is_brought(memory.tags):
            continue
        for entry in entries_of(snapshot, memory):
            found[entry] = memory
    return found


def entries_of(snapshot: Snapshot, memory: Memory) -> list[str]:
    """Return the entries that a memory is; first the one whose words it has."""
    path = memory_path(memory.id)
    return (front_matter.split(snapshot.text(path) or "", path).text(ENTRY) or "").split()


def read_page(body: str, title: str, anchor: str = "", *, constant: bool = False) -> LoreText:
    """Return a page as an entry; `anchor` is a phrase that finds it, in its list or not.

    The last section with the phrases is the list of them; whatever else is written on the page is told.
    """
    *_, found = [None, *_ANCHORS.finditer(body)]
    text, listed = (body, "") if found is None else (body[: found.start()], body[found.end() :])
    after = _NEXT.search(listed)
    listed, behind = (listed[: after.start()], listed[after.start() :]) if after else (listed, "")
    phrases: list[str] = [anchor] if anchor else []
    beside: list[str] = []
    for line in listed.splitlines():
        item = _ITEM.fullmatch(line)
        said = (item[1] if item else line).strip()
        quoted = [unquote(said)] if unquote(said) != said else quotations(said)
        if item:
            phrases += quoted or [said]
        elif quoted and said.startswith(('"', "“", "„", "«")):
            phrases += quoted
        elif said or beside:
            beside.append(line)
    told = [_TELLS.sub("", text, count=1) if _TELLS.match(text) else text, "\n".join(beside), behind]
    whole = "\n\n".join(part.strip() for part in told if part.strip())
    return LoreText(title, whole, tuple(dict.fromkeys(phrase for phrase in phrases if phrase)), constant)


def tell_memory(memory: Memory) -> str:
    """Return all that a memory from elsewhere says."""
    return page_of(memory, memory.anchor).text


def page_of(memory: Memory, came_anchor: str) -> LoreText:
    """Return a memory's page as an entry; its line's phrase counts only if it changed."""
    anchor = memory.anchor if memory.anchor != came_anchor else ""
    page = read_page(memory.body, memory.title, anchor, constant=memory.immune)
    if not memory.no_longer:
        return page
    return LoreText(page.title, f"{page.text}\n\n{since(memory.no_longer)}", page.phrases, page.constant)
