"""The memories of a kit as they are, as they were, and those that are gone."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.commit_message import FORGOT, UNDOES
from reel_cli.core.files.memory_file import memory_path, parse_memory
from reel_cli.core.frozen import late
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.moment import day_in_words
from reel_cli.core.rings.losses import list_losses
from reel_cli.core.tape.tape_view import standing_sessions
from reel_cli.core.values.memory import where_of
from reel_cli.core.values.source import RENUMBERED
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

if TYPE_CHECKING:
    from reel_cli.core.files.ledger_file import Entry
    from reel_cli.core.git.history import Commit
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.rings.losses import Loss
    from reel_cli.core.values.memory import Memory
    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.view.addresses import Addresses

_NAMED = late(r"M-\d{3,}")
_GONE = ("stub", "dormant")
_LONG = ("L1", "L2")
"""Levels whose text is longer than the marker."""


class MemoryAlbum:
    """All memories that a kit has or had, each read once, with what history tells of it."""

    def __init__(
        self, snapshot: "Snapshot", records: Records, chats: Mapping[str, str], addresses: "Addresses"
    ) -> None:
        """Sort the history by memory; `chats` are the titles of chats."""
        self._snapshot = snapshot
        self._records = records
        self._chats = chats
        self._addresses = addresses
        self._standing = frozenset(standing_sessions(snapshot))
        self._by_name = _sort_commits(records.commits)
        self._touched = _sort_entries(records.entries)
        head = records.repo.head() if records.repo is not None else None
        self._then = CommitTree(records.repo, head) if records.repo is not None and head else None
        self._losses: dict[str, list[Loss]] = {}
        for loss in list_losses(records.commits, self._held):
            self._losses.setdefault(loss.forgot.id, []).append(loss)

    def read_all(self, note: Callable[[float], None]) -> Sequence[tuple["Memory | None", ShownMemory]]:
        """Return the memories that are there, oldest first, then those that are gone; `note` counts them."""
        found: list[tuple[Memory | None, ShownMemory]] = []
        for memory in self._snapshot.memories.values():
            found.append((memory, self._show(memory)))
            note(1)
        there = self._snapshot.memories.keys()
        for name, losses in self._losses.items():
            if name not in there and _NAMED.fullmatch(name) and (gone := self._show_gone(name, losses)):
                found.append((None, gone))
        return found

    def _show(self, memory: "Memory") -> ShownMemory:
        where = where_of(memory)
        return ShownMemory(
            memory.id,
            memory.title,
            _day(memory.order[0] or memory.created),
            memory.body,
            list(_standing(memory)),
            self._origins(where),
            self._tell(memory.id, purged(self._snapshot, where), memory.created),
            self._earlier(memory.id, memory.body),
            brief=memory.marker if memory.level in _LONG else "",
        )

    def _show_gone(self, name: str, losses: Sequence["Loss"]) -> ShownMemory | None:
        """Return a memory that was let go; None where it is only a line that left the index."""
        if all(loss.back is not None for loss in losses) or not any(
            loss.forgot.after in _GONE and loss.forgot.before not in _GONE for loss in losses
        ):
            return None
        repo, commits = self._records.repo, self._by_name.get(name, ())
        earlier = self._earlier(name, "")
        session = losses[-1].forgot.source.strip().partition("#")[0]
        return ShownMemory(
            name,
            (title_then(repo, commits, name) if repo is not None else "") or name,
            _day(session[:10] or losses[-1].time[:10]),
            "",
            (LET_GO,),
            (),
            self._tell(name, (), ""),
            earlier,
            session=session,
            gone=True,
            bring_back=f"reel restore {name}",
        )

    def _tell(self, name: str, more: Iterable["LifeEvent"], created: str) -> Sequence[tuple[str, str]]:
        """Return what became of a memory, oldest first, each with its day."""
        made = made_and_lost(self._by_name.get(name, ()), name)
        if created and not any(one.act == "kept" for one in made):
            made.append(LifeEvent(created, "kept", "became a memory"))
        found = [*made, *more, *attention(self._touched.get(name, ()), [name])]
        return [(_day(one.at), one.words) for one in in_order(found)]

    def _held(self, name: str) -> str | None:
        data = self._snapshot.read(memory_path(name)) if _NAMED.fullmatch(name) else None
        repo = self._records.repo
        return repo.blob_id(data) if data is not None and repo is not None else None

    def _origins(self, where: Iterable["SourceRange"]) -> Sequence[Origin]:
        return [
            Origin(self._chats.get(span.session, span.session), self._addresses.find(span))
            for span in where
            if span.session in self._standing
        ]

    def _earlier(self, name: str, now: str) -> Sequence[EarlierForm]:
        """Return its texts of before, newest first, of the losses that stand."""
        found: list[EarlierForm] = []
        for loss in self._losses.get(name, ()):
            text = _read_then(self._then, loss, name) if self._then is not None and loss.back is None else ""
            if text and text != now and text not in {one.text for one in found}:
                found.append(EarlierForm(_day(loss.time), text))
        return found


_KEPT_AS = {
    "L1": "Kept whole.",
    "L2": "Kept in fewer words than it was written in.",
    "L3": "Kept in a few sentences.",
    "L4": "Kept in one line.",
}


def _standing(memory: "Memory") -> Iterator[str]:
    """Yield how a memory stands, a sentence each."""
    yield _KEPT_AS[memory.level.value]
    if memory.immune:
        yield f"It never goes{f': {memory.immune_reason}' if memory.immune_reason else ''}".rstrip(".") + "."
    if memory.no_longer:
        yield f"No longer so: {memory.no_longer}"


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
