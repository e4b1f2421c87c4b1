"""The lines of a Claude Code session: each read as a record, and those selected that are the conversation."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from reel_cli.core.frozen import frozen
from reel_cli.core.tape.formats.parts import Content, as_fields, as_items, as_text, compact, read_content
from reel_cli.core.tape.formats.source import Notes, Source
from reel_cli.core.tape.formats.times import read_time
from reel_cli.core.values.change import one_line
from reel_cli.core.values.talk import Kind, Message

_PROGRAM_SAYS = (
    "<local-command-", "<bash-", "<task-notification>", "<user-memory-input>", "[Request interrupted by user",
)  # fmt: skip
"""Beginnings of texts in the person's turns that come from the program."""
_COMMAND = re.compile(r"<command-name>\s*(?P<name>[^<\n]{1,200}?)\s*</command-name>")
_ARGUMENTS = ("<command-args>", "</command-args>")
_INSERTED = ("system-reminder", "ide_opened_file", "ide_selection", "ide_diagnostics")
_SPEAKERS = ("user", "assistant")
_MADE_UP = "<synthetic>"


@dataclass(slots=True)
class Record:
    """One line. `parent` is None where it begins a chain, "" where it does not say what it follows.

    `answer` is what the lines of one answer have in common; `place` counts the lines read.
    """

    id: str
    parent: str | None
    place: int
    role: str = "system"
    session: str | None = None
    answer: str | None = None
    stamp: object = None
    model: str | None = None
    sidechain: bool = False
    bridges: bool = False
    """True if the context was compacted here; the record belongs to what came before."""
    content: Content = field(default_factory=Content)
    system: list[str] = field(default_factory=list)
    """Texts that the program added to the conversation by itself."""

    @property
    def counts(self) -> bool:
        """Return whether the record is part of what was said or done, and not bookkeeping."""
        return bool(self.says or self.content.reasoning or self.content.tools or self.content.files)

    @property
    def says(self) -> bool:
        """Return whether the record holds text of the person or of the answer."""
        return any(text.strip() for text in self.content.said)


@dataclass(slots=True)
class Turn:
    """The records of one prompt or one answer, and the roads that were left for it."""

    records: list[Record]
    roads: list[tuple[int, list["Turn"]]] = field(default_factory=list)

    @property
    def says(self) -> bool:
        """Return whether anything in the turn counts as said."""
        return any(record.says for record in self.records)

    def messages(self, kind: Kind, road: int | None, source: Source, notes: Notes) -> Iterator[Message]:
        """Yield the text as `kind`, and what goes beside it."""
        speaker = next((r for r in self.records if r.says), self.records[0])
        time = read_time(speaker.stamp, source.zone, notes)
        if self.says:
            text = "\n\n".join(t for r in self.records for t in r.content.said if t.strip())
            yield Message(speaker.role, text, kind, time=time, model=speaker.model, road=road)
        for record in self.records:
            beside_time = time if record is speaker else read_time(record.stamp, source.zone, notes)
            for message in record.content.beside(record.role, time=beside_time, model=record.model):
                yield replace(message, road=road)
            for text in record.system:
                yield Message("system", text, Kind.SYSTEM, time=beside_time, road=road)


def parse_record(fields: dict[str, object], place: int, notes: Notes) -> Record | None:
    """Return the line as a record; None for bookkeeping that no other line depends on."""
    kind, identity = as_text(fields.get("type")), as_text(fields.get("uuid"))
    message = as_fields(fields.get("message"))
    speaks = kind in _SPEAKERS and bool(message)
    if kind not in _SPEAKERS and as_text(message.get("role")) in _SPEAKERS and "content" in message:
        speaks = True
        what = "a record of a kind reel does not know was read by its role"
        notes.add(what, f"“{one_line(kind or '', 40)}”")
    if identity is None and not speaks:
        return None
    parent = fields.get("parentUuid", "")
    record = Record(
        id=identity or f"#{place}",
        parent=parent if isinstance(parent, str) else None,
        place=place,
        session=as_text(fields.get("sessionId")) or as_text(fields.get("session_id")),
        stamp=fields.get("timestamp"),
        sidechain=fields.get("isSidechain") is True,
    )
    if kind == "system" and fields.get("subtype") == "compact_boundary":
        record.bridges = True
        record.parent = as_text(fields.get("logicalParentUuid")) or ""
    elif isinstance(fields.get("attachment"), dict):
        _read_attachment(as_fields(fields["attachment"]), record, notes)
    elif speaks:
        _read_message(fields, message, record, notes)
    return record


def _read_message(
    fields: dict[str, object], message: dict[str, object], record: Record, notes: Notes
) -> None:
    speaker = next(value for value in (fields.get("type"), message.get("role"), "user") if value in _SPEAKERS)
    record.role = str(speaker)
    found = _read_parts(message.get("content"), notes)
    if fields.get("isMeta") is True:
        return
    if fields.get("isCompactSummary") is True or fields.get("isVisibleInTranscriptOnly") is True:
        record.system = [text for text in found.said if text.strip()]
        return
    record.content = found
    if record.role == "user":
        _sort_prompt(found)
        return
    record.answer = as_text(message.get("id")) or as_text(fields.get("requestId"))
    model = as_text(message.get("model"))
    record.model = None if model == _MADE_UP else model
    if model == _MADE_UP or fields.get("isApiErrorMessage") is True:
        found.tools = [*found.tools, *found.said]
        found.said = []


def _read_parts(value: object, notes: Notes) -> Content:
    """Return the content, with tools' answers as text and without their pictures."""
    if not isinstance(value, list):
        return read_content(value, notes)
    content = Content()
    for part in value:
        fields = as_fields(part)
        if fields.get("type") == "tool_result":
            shown = read_content(fields.get("content"), notes)
            told = {key: fields[key] for key in ("type", "tool_use_id", "is_error") if fields.get(key)}
            content.tools.append(compact({**told, "content": "\n\n".join([*shown.said, *shown.files])}))
        else:
            read_content([part], notes, content)
    return content


def _sort_prompt(content: Content) -> None:
    """Leave as said what the person typed."""
    typed: list[str] = []
    for text in content.said:
        rest, inserted = _without_insertions(text)
        content.files += [one_line(piece, 200) for piece in inserted if piece.startswith("<ide_")]
        start = rest.lstrip()
        command = _COMMAND.search(start[:2000]) if start.startswith("<command-") else None
        if command:
            told = f"{command['name']} {_between(start, *_ARGUMENTS).strip()}".strip()
            (typed if " " in told else content.tools).append(told)
        elif start.startswith(_PROGRAM_SAYS):
            content.tools.append(rest.strip())
        elif rest.strip():
            typed.append(rest if not inserted else rest.strip())
    content.said = typed


def _between(text: str, start: str, end: str) -> str:
    _, found, rest = text.partition(start)
    return rest.partition(end)[0] if found else ""


def _without_insertions(text: str) -> tuple[str, list[str]]:
    """Return the text without what the program put into it, and those pieces."""
    inserted: list[str] = []
    for tag in _INSERTED:
        start, end = f"<{tag}>", f"</{tag}>"
        kept: list[str] = []
        at = 0
        while (found := text.find(start, at)) >= 0 and (close := text.find(end, found)) >= 0:
            kept.append(text[at:found])
            at = close + len(end)
            inserted.append(text[found:at])
        text = "".join([*kept, text[at:]])
    return text, inserted


def _read_attachment(fields: dict[str, object], record: Record, notes: Notes) -> None:
    """Record a prompt that was typed during the previous answer, or a file."""
    kind = as_text(fields.get("type"))
    prompt = fields.get("prompt")
    if kind == "queued_command" and as_text(fields.get("commandMode")) in {None, "prompt"}:
        record.role = "user"
        texts = [prompt] if isinstance(prompt, str) else [as_fields(p).get("text") for p in as_items(prompt)]
        record.content.said = [text for text in texts if isinstance(text, str)]
        _sort_prompt(record.content)
    elif kind in {"file", "new_file", "image", "pdf_reference", "compact_file_reference"}:
        name = as_text(fields.get("filename")) or as_text(fields.get("displayPath"))
        record.role = "user"
        record.content.files = [f"[file: {one_line(name, 200)}]" if name else "[file]"]
    elif kind != "queued_command" and as_text(prompt):
        # the program's bookkeeping has no prompt
        notes.add("a prompt of a kind reel does not know was left out", f"“{one_line(kind or '', 40)}”")


@frozen
class Chain:
    """One session: its turns in order, and all its records in the order of the file.

    `session` is the name it goes by; `sessions` are all that its records bear (a resumed one has more).
    """

    session: str | None
    sessions: frozenset[str]
    records: Sequence[Record]
    said: Sequence[Turn]


def find_chains(records: Sequence[Record], stem: str) -> list[Chain]:
    """Return every session among the records, in file order; `stem` is the file's name."""
    once: dict[str, Record] = {}
    for record in records:
        # a record that outlives a compaction is written again under the same ID; the first place counts
        once.setdefault(record.id, record)
    linked = _linked(once)
    chains: list[Chain] = []
    for group in _sessions(linked):
        names = frozenset(record.session for record in group if record.session)
        last = next((r.session for r in reversed(group) if r.session), None)
        if any(record.counts for record in group):
            name = stem if stem in names else last
            chains.append(Chain(name, names, group, _turns(group)))
    return chains


def _linked(once: Mapping[str, Record]) -> dict[str, Record]:
    """Return the records with parents that exist, and without cycles.

    One that does not say what it follows, or follows a line that is not in the file, follows the line
    before it of the same session.
    """
    linked: dict[str, Record] = {}
    before: dict[str | None, str] = {}
    for record in once.values():
        parent = record.parent
        if parent is not None and (parent == record.id or parent not in once):
            parent = before.get(record.session)
        linked[record.id] = replace(record, parent=parent)
        if record.counts or record.bridges:
            before[record.session] = record.id
    settled: set[str] = set()
    for record in linked.values():
        walked: dict[str, None] = {}
        here: str | None = record.id
        while here is not None and here not in settled:
            walked[here] = None
            above = linked[here].parent
            if above in walked:
                linked[here].parent = above = None
            here = above
        settled.update(walked)
    return linked


def _sessions(linked: Mapping[str, Record]) -> list[list[Record]]:
    """Return the records by session: those that are linked, and those with the same name."""
    roots: dict[str, str] = {}
    for record in linked.values():
        walked: list[str] = []
        here = record.id
        while here not in roots and (above := linked[here].parent) is not None:
            walked.append(here)
            here = above
        root = roots.setdefault(here, here)
        roots.update(dict.fromkeys(walked, root))
    pieces: dict[str, list[Record]] = {}
    for record in linked.values():
        pieces.setdefault(roots[record.id], []).append(record)
    groups: dict[str | None, list[Record]] = {}
    for piece in pieces.values():
        name = next((r.session for r in reversed(piece) if r.session), None)
        groups.setdefault(name, []).extend(piece)
    return [sorted(group, key=lambda record: record.place) for group in groups.values()]


def _turns(group: Sequence[Record]) -> list[Turn]:
    tree = _Tree(group)
    path = tree.path(next(record for record in reversed(group) if record.counts))
    answers = {record.answer for record in path if record.answer}
    on_path = {record.id for record in path}
    along: list[Record] = []
    branches: list[tuple[int, list[Record]]] = []
    for above in (None, *path):
        if above is not None:
            along.append(above)
        for child in tree.children(above):
            if child.id not in on_path:
                inline, left = tree.split(child, answers)
                along += inline
                branches += [(len(along), branch) for branch in left]
    # numbered in the order in which they were left, so that a later reading numbers them alike
    branches.sort(key=lambda branch: max(record.place for record in branch[1]))
    turns, starts = _group(along)
    for number, (at, branch) in enumerate(branches, start=1):
        _alternative(turns, starts, at).roads.append((number, _group(branch)[0]))
    return turns


def _alternative(turns: Sequence[Turn], starts: Sequence[int], at: int) -> Turn:
    """Return the turn taken where record `at` follows, or the last one that says anything."""
    speaking = [(turn, start) for turn, start in zip(turns, starts, strict=True) if turn.says]
    after = next((turn for turn, start in speaking if start >= at), None)
    return after or (speaking[-1][0] if speaking else turns[-1])


def _group(records: Sequence[Record]) -> tuple[list[Turn], list[int]]:
    """Return the records as turns, an answer's lines together, and the record each turn begins at."""
    turns: list[Turn] = []
    starts: list[int] = []
    answering: Turn | None = None
    for at, record in enumerate(records):
        if not record.counts and not record.system:
            continue
        if answering is not None and record.answer and record.answer == answering.records[0].answer:
            answering.records.append(record)
            continue
        turns.append(Turn([record]))
        starts.append(at)
        if record.answer:
            answering = turns[-1]
        elif record.says:
            answering = None
    return turns, starts


class _Tree:
    """The records of one session by what they follow."""

    def __init__(self, group: Sequence[Record]) -> None:
        self.by_id = {record.id: record for record in group}
        self._children: dict[str | None, list[Record]] = {}
        for record in group:
            self._children.setdefault(record.parent, []).append(record)

    def children(self, above: Record | None) -> Sequence[Record]:
        """Return the direct children of a record, in file order; the first records for None."""
        return self._children.get(above.id if above else None, ())

    def path(self, leaf: Record) -> list[Record]:
        """Return the records from the beginning to `leaf`."""
        path = [leaf]
        while path[-1].parent is not None:
            path.append(self.by_id[path[-1].parent])
        path.reverse()
        return path

    def split(self, top: Record, answers: set[str]) -> tuple[list[Record], list[list[Record]]]:
        """Return the records below `top` that belong to the conversation, and the branches not taken.

        Tools that ran side by side fork the chain as well; where nothing but their work is in a fork, or
        further lines of an answer that was taken, it is no other road.
        """
        below: list[Record] = []
        waiting = [top]
        while waiting:
            below.append(waiting.pop())
            waiting.extend(self.children(below[-1]))
        speaking = {record.id for record in below if record.says and record.answer not in answers}
        for record in reversed(below):
            if record.id in speaking and record is not top and record.parent is not None:
                speaking.add(record.parent)
        if top.id not in speaking:
            return sorted(below, key=lambda record: record.place), []
        branches: list[list[Record]] = [[]]
        chains = [(top, False)]
        while chains:
            record, forks = chains.pop()
            if forks:
                branches.append([])
            branches[-1].append(record)
            below = sorted(self.children(record), key=lambda child: child.id in speaking)
            first = next((child for child in below if child.id in speaking), None)
            chains.extend((child, child.id in speaking and child is not first) for child in reversed(below))
        return [], branches
