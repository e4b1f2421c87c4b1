"""The memories of a kit as they are, as they were, and those that are gone."""

from collections.abc import Callable, Container, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, UNDOES
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.frozen import late
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.moment import day_in_words
from reel_cli.core.rings.losses import list_losses, withdrawn_names
from reel_cli.core.rings.pins import find_pinned
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.memory import FIELDS, IMMUNE_TAGS, UNWRITTEN, is_brought, memory_path, where_of
from reel_cli.core.values.source import RENUMBERED, SourceRange, parse_source
from reel_cli.features.history.lives import (
    LET_GO,
    LifeEvent,
    Records,
    attention,
    in_order,
    made_and_lost,
    purged,
)
from reel_cli.features.history.log import title_then
from reel_cli.features.view.kit_page import EarlierForm, Origin, ShownMemory
from reel_cli.features.view.size_curve import (
    RECALLS,
    SizeCurve,
    SizePoint,
    first_size,
    read_curve,
    tell_recalls,
)

if TYPE_CHECKING:
    from reel_cli.core.files.ledger_file import Entry
    from reel_cli.core.git.history import Commit
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.rings.losses import Loss
    from reel_cli.core.values.memory import Memory

MemoryNote = tuple[list[Any], str, str, str, str, str, bool]
"""A memory in a list: its order, ID, title, day, brief text, session, and whether it came from elsewhere."""
PINNED = "You pinned it: it stays as it is."
_NAMED = late(r"M-\d{3,}")
_FILE = late(r"ring3/M-\d{3,}\.md")
_ISO = late(r"\b\d{4}-\d\d-\d\d\b(?!-\d)")
_HEADING = late(r"(?m)^## +(.+?) *$")
_HEADINGS = {FIELDS[4]: "Words to find it by"}
_NOTHING = ("", UNWRITTEN.casefold().rstrip("."), "nothing", "none")
_GONE = ("stub", "dormant")
_LONG = ("L1", "L2")
"""Levels whose text is longer than the marker."""


class MemoryAlbum:
    """All memories that a kit has or had, with what history tells of each."""

    def __init__(
        self,
        snapshot: "Snapshot",
        overview: "Snapshot",
        records: Records,
        origin: "Callable[[SourceRange], Origin]",
        today: str,
    ) -> None:
        """Sort the history by memory; `origin` tells of a stretch of a chat, `today` is a day (ISO 8601).

        Lists are read from the `overview`.
        """
        self._snapshot = snapshot
        self._overview = overview
        self._records = records
        self._origin = origin
        self._today = today
        self._standing = frozenset(standing_sessions(self._overview))
        self._by_name = _sort_commits(records.commits)
        self._touched = _sort_entries(records.entries)
        self._pinned = find_pinned(records.entries)
        head = records.repo.head() if records.repo is not None else None
        self._then = CommitTree(records.repo, head) if records.repo is not None and head else None
        self._losses: dict[str, list[Loss]] = {}
        for loss in list_losses(records.commits, self._held):
            self._losses.setdefault(loss.forgot.id, []).append(loss)

    def read_all(self, note: Callable[[float], None]) -> Sequence[ShownMemory]:
        """Return the memories that are there, oldest first, then those that are gone; `note` counts them."""
        found: list[ShownMemory] = []
        for memory in self._snapshot.memories.values():
            found.append(self._show(memory))
            note(1)
        return [*found, *filter(None, map(self._show_gone, self._list_gone(self._snapshot.memories)))]

    def list_all(self) -> Sequence[ShownMemory]:
        """Return the same without their texts and lives, from what is known already of unchanged files."""
        overview = self._overview
        paths = [path for path in overview.list("ring3") if _FILE.fullmatch(path)]
        notes = overview.note("named memories", paths, lambda path: _note_memory(overview, path))
        found = [_read_note(note, self._pinned) for note in sorted(notes[path] for path in paths)]
        gone = (self._show_gone(name, named=True) for name in self._list_gone({one.id for one in found}))
        return [*found, *filter(None, gone)]

    def list_sources(self) -> Sequence[tuple[str, str, Sequence[SourceRange]]]:
        """Return the ID and title of each memory that is there, with the stretches that it came from."""
        overview = self._overview
        paths = [path for path in overview.list("ring3") if _FILE.fullmatch(path)]
        notes = overview.note("sources of memories", paths, lambda path: _note_sources(overview, path))
        return [
            (name, title, [span for span in map(parse_source, told) if span is not None])
            for name, title, told in (notes[path] for path in paths)
        ]

    def find(self, name: str) -> ShownMemory | None:
        """Return one memory that is there, or was; None for neither."""
        if not _NAMED.fullmatch(name):
            return None
        path = memory_path(name)
        text = self._snapshot.text(path)
        if text is not None:
            return self._show(parse_memory(text, path, later=self._snapshot.is_later))
        return self._show_gone(name) if name in self._losses else None

    @property
    def lost_days(self) -> Sequence[str]:
        """Return the days of the losses that stand (ISO 8601)."""
        return [loss.time[:10] for losses in self._losses.values() for loss in losses if loss.back is None]

    def _list_gone(self, there: Container[str]) -> Sequence[str]:
        return [name for name in self._losses if name not in there and _NAMED.fullmatch(name)]

    def _show(self, memory: "Memory") -> ShownMemory:
        where = where_of(memory)
        touched = self._touched.get(memory.id, ())
        order = memory.order[0] or memory.created
        return ShownMemory(
            memory.id,
            memory.title,
            _day(order),
            order[:10],
            page_text(memory.body),
            list(_standing(memory, pinned=memory.id in self._pinned)),
            self._origins(where),
            self._tell(memory.id, purged(self._snapshot, where), memory.created),
            self._earlier(memory.id, memory.body, memory.level.value),
            session=_session_of(memory),
            brief=memory.marker if memory.level in _LONG else "",
            brought=is_brought(memory.tags),
            pinned=memory.id in self._pinned,
            immune=memory.immune,
            by_nature=not IMMUNE_TAGS.isdisjoint(memory.tags),
            recalled=tell_recalls(touched),
            curve=self._curve(memory.id, order[:10], lambda: self._count(memory.body)),
        )

    def _show_gone(self, name: str, *, named: bool = False) -> ShownMemory | None:
        """Return a memory that was let go; None for a line alone, and for what was told and taken back."""
        losses = self._losses[name]
        if (
            withdrawn_names(losses)
            or all(loss.back is not None for loss in losses)
            or not any(loss.forgot.after in _GONE and loss.forgot.before not in _GONE for loss in losses)
        ):
            return None
        session = losses[-1].forgot.source.strip().partition("#")[0]
        day = session[:10] or losses[-1].time[:10]
        title, back = self._title_then(name), f"reel restore {name}"
        if named:
            return ShownMemory(
                name, title, _day(day), day, session=session, gone=True, bring_back=back, named=True
            )
        return ShownMemory(
            name,
            title,
            _day(day),
            day,
            standing=(LET_GO,),
            happenings=self._tell(name, (), ""),
            # how it was last is brought back without its level being named
            earlier=self._earlier(name, "", next(one.forgot.before for one in losses if one.back is None)),
            session=session,
            gone=True,
            bring_back=back,
            recalled=tell_recalls(self._touched.get(name, ())),
            curve=self._curve(name, day, lambda: 0),
        )

    def _title_then(self, name: str) -> str:
        """Return the title of a memory that is gone, from its line if that is there, else from history."""
        line = self._snapshot.index.lines.get(name)
        if line is not None:
            return line.description
        repo = self._records.repo
        return (title_then(repo, self._by_name.get(name, ()), name) if repo is not None else "") or name

    def _count(self, body: str) -> int:
        from reel_cli.core.tokens.counter import get_tokenizer

        return get_tokenizer(self._snapshot.settings.tokenizer).count(body)

    def _curve(self, name: str, day: str, count: Callable[[], int]) -> SizeCurve | None:
        """Return the memory's size over time; None where it never changed, and nobody recalled it."""
        commits, touched = self._by_name.get(name, ()), self._touched.get(name, ())
        first = first_size(name, commits)
        if not first and not any(one.do in RECALLS for one in touched):
            return None
        tokens = first or count()
        began = SizePoint(day, tokens, "became a memory") if tokens and _day(day) != day else None
        return read_curve(name, began, commits, touched, self._today)

    def _tell(self, name: str, more: Iterable["LifeEvent"], created: str) -> Sequence[tuple[str, str]]:
        """Return what became of a memory, oldest first, each with its day."""
        made = made_and_lost(self._by_name.get(name, ()), name)
        if created and not any(one.act == "kept" for one in made):
            made.append(LifeEvent(created, "kept", "became a memory"))
        found = [*made, *more, *attention(self._touched.get(name, ()), [name])]
        if [one.act for one in found] == ["kept"] and found[0].at[:10] == created[:10]:
            # that it became a memory on its day is nothing to tell
            return ()
        return [(_day(one.at), _plain(one)) for one in in_order(found)]

    def _held(self, name: str) -> str | None:
        data = self._snapshot.read(memory_path(name)) if _NAMED.fullmatch(name) else None
        repo = self._records.repo
        return repo.blob_id(data) if data is not None and repo is not None else None

    def _origins(self, where: Iterable["SourceRange"]) -> Sequence[Origin]:
        return [self._origin(span) for span in where if span.session in self._standing]

    def _earlier(self, name: str, now: str, level: str = "") -> Sequence[EarlierForm]:
        """Return its texts of before, newest first, of the losses that stand; it is at `level` now."""
        found: list[EarlierForm] = []
        for loss in self._losses.get(name, ()):
            text = _read_then(self._then, loss, name) if self._then is not None and loss.back is None else ""
            if text and text != now and page_text(text) not in {one.text for one in found}:
                # a level comes back as it was last
                taken = {level, *(one.level for one in found)}
                before = "" if loss.forgot.before in taken else loss.forgot.before
                found.append(EarlierForm(_day(loss.time), page_text(text), before))
        return found


_KEPT_AS = {
    "L1": "Remembered whole.",
    "L2": "Remembered in fewer words.",
    "L3": "Remembered in a few sentences.",
    "L4": "Remembered in one line.",
}


def _standing(memory: "Memory", *, pinned: bool) -> Iterator[str]:
    """Yield how a memory stands, a sentence each."""
    yield _KEPT_AS[memory.level.value]
    if memory.immune:
        yield f"It never goes{f': {memory.immune_reason}' if memory.immune_reason else ''}".rstrip(".") + "."
    if pinned:
        yield PINNED
    if memory.no_longer:
        yield f"No longer so: {memory.no_longer}"


def _session_of(memory: "Memory") -> str:
    spans = memory.source or ()
    return spans[-1].session if spans else (memory.sessions[-1] if memory.sessions else "")


def _note_memory(snapshot: "Snapshot", path: str) -> "MemoryNote":
    """Return what a list shows of a memory's file, as plain JSON that sorts by its day."""
    memory = parse_memory(snapshot.text(path) or "", path, later=snapshot.is_later)
    brief = memory.marker if memory.level in _LONG else ""
    day = (memory.order[0] or memory.created)[:10]
    return (
        list(memory.order), memory.id, memory.title, day, brief, _session_of(memory), is_brought(memory.tags),
    )  # fmt: skip


def _note_sources(snapshot: "Snapshot", path: str) -> tuple[str, str, list[str]]:
    """Return a memory's ID, its title and its stretches of the tape, as plain JSON."""
    memory = parse_memory(snapshot.text(path) or "", path, later=snapshot.is_later)
    return memory.id, memory.title, [str(span) for span in where_of(memory)]


def _read_note(note: "MemoryNote", pinned: Container[str]) -> ShownMemory:
    _, name, title, day, brief, session, brought = note
    return ShownMemory(
        name, title, _day(day), day,
        session=session, brief=brief, brought=brought, pinned=name in pinned, named=True,
    )  # fmt: skip


def _plain(event: "LifeEvent") -> str:
    """Return an event as a person says it: a packed memory was in the text that a chat began with."""
    words = event.words.replace("packed", "a chat began with it", 1) if event.act == "pack" else event.words
    return _ISO.sub(lambda found: _day(found[0]), words)


def page_text(body: str) -> str:
    """Return a memory's text for the page: without sections that say nothing, and with plainer headings."""
    parts = _HEADING.split(body)
    told = [parts[0].strip()]
    for heading, text in zip(parts[1::2], parts[2::2], strict=True):
        if text.strip().rstrip(".").casefold() not in _NOTHING:
            told.append(f"## {_HEADINGS.get(heading.strip(), heading)}\n\n{text.strip()}")
    return "\n\n".join(filter(None, told)) or body


def _sort_commits(commits: Sequence["Commit"]) -> Mapping[str, Sequence["Commit"]]:
    """Return the commits that tell of each memory, newest first, with those that took one of them back."""
    names: dict[str, set[str]] = {}
    for commit in reversed(commits):
        keys = ("Reel-Memory", "Reel-Index", FORGOT, RENUMBERED)
        told = {name for key in keys for value in commit.values(key) for name in _NAMED.findall(value)}
        for undone in commit.values(UNDOES):
            told |= names.get(undone, set())
        names[commit.id] = told
    found: dict[str, list[Commit]] = {}
    for commit in commits:
        for name in names[commit.id]:
            found.setdefault(name, []).append(commit)
    return found


def _sort_entries(entries: Sequence["Entry"]) -> Mapping[str, Sequence["Entry"]]:
    """Return the ledger's entries about each memory, in their order."""
    found: dict[str, list[Entry]] = {}
    for entry in entries:
        for name in entry.on.split():
            found.setdefault(name, []).append(entry)
    return found


def _read_then(then: CommitTree, loss: "Loss", name: str) -> str:
    """Return a memory's body before a loss; "" where that was no page, or it was erased."""
    if not loss.forgot.was or loss.forgot.before in _GONE:
        return ""
    try:
        data = then.read_blob(loss.forgot.was, name)
        return parse_memory(data.decode("utf-8"), memory_path(name)).body
    except (ReelError, UnicodeDecodeError):
        return ""


def _day(at: str) -> str:
    """Return a day in words; as it stands where it is none."""
    try:
        return day_in_words(date.fromisoformat(at[:10]))
    except ValueError:
        return at
