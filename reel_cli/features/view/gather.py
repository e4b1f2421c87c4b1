"""Reading a kit for its web page: who it is, what the next chat begins with, the life, the chats."""

from collections.abc import Mapping, Sequence
from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.files.working_file import read_section
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING
from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import bring
from reel_cli.core.values.memory import is_brought
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.home.overview import told_talks
from reel_cli.features.home.summary import summarize
from reel_cli.features.view.addresses import Addresses
from reel_cli.features.view.bundle_shares import read_bundle
from reel_cli.features.view.kit_page import KitPage, LifeEntry, LifeMonth
from reel_cli.features.view.remembered import MemoryAlbum
from reel_cli.features.view.talks import name_chats, read_chats

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.memory import Memory
    from reel_cli.core.values.section import KitSection
    from reel_cli.features.history.lives import Records
    from reel_cli.features.home.summary import KitSummary
    from reel_cli.features.view.kit_page import ShownChat, ShownMemory
    from reel_cli.terminal.open_kit import OpenKit

_NOW = (("State", "How things stand"), ("Active threads", "Going on"), ("Open loops", "Still open"))
"""Sections of the working notes, and what the page calls them."""


def read_page(opened: "OpenKit") -> KitPage:
    """Return all that the page of a kit shows.

    Raises ReelError where its settings cannot be read; a chat or a memory that is damaged is shown as that.
    """
    return KitReader(opened).read_page()


class KitReader:
    """One kit as it lies there, of which each part is read when it is asked for, and once."""

    def __init__(self, opened: "OpenKit") -> None:
        """Read nothing yet."""
        self.opened = opened
        self.snapshot = opened.snapshot

    @cached_property
    def summary(self) -> "KitSummary":
        """Return who it is, since when, what waits."""
        return summarize(self.opened)

    @cached_property
    def chats(self) -> "Sequence[ShownChat]":
        """Return every chat, oldest first."""
        return read_chats(self.snapshot)

    @cached_property
    def addresses(self) -> Addresses:
        """Return where chats and messages stand."""
        return Addresses(self.chats)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Return the titles of chats, index lines and examples, by ID."""
        lines = self.snapshot.index.lines.values()
        exemplars = self.snapshot.exemplars.values()
        return {
            **name_chats(self.snapshot),
            **{line.id: line.description for line in lines},
            **{exemplar.slug: exemplar.title for exemplar in exemplars},
        }

    @cached_property
    def held(self) -> "Sequence[tuple[Memory | None, ShownMemory]]":
        """Return the memories that are there, and those that are gone."""
        album = MemoryAlbum(self.snapshot, _records(self.opened), self.titles, self.addresses)
        with self.opened.console.progress("Reading its life", len(self.snapshot.memories)) as note:
            return album.read_all(note)

    @property
    def now(self) -> Sequence[tuple[str, str]]:
        """Return what is going on, part by part, as Markdown."""
        return _read_now(self.snapshot)

    @property
    def waiting(self) -> Sequence[tuple[str, str]]:
        """Return what wants a person's word, each with its command."""
        return _waiting(self.summary)

    @cached_property
    def life(self) -> Sequence[LifeMonth]:
        """Return the life by months, newest first."""
        return _by_month(self.chats, self.held)

    @cached_property
    def brought(self) -> "Sequence[ShownMemory]":
        """Return the memories that came from elsewhere."""
        return [shown for memory, shown in self.held if memory is not None and is_brought(memory.tags)]

    @cached_property
    def sections(self) -> "Sequence[KitSection]":
        """Return the sections that features bring and that have something to show."""
        return [section for read in bring("sections") for section in _sections(read(self.opened))]

    def read_page(self) -> KitPage:
        """Return all of it."""
        snapshot, held, chats = self.snapshot, self.held, self.chats
        lines = snapshot.index.lines.values()
        links = {
            **{line.id: self.addresses.find(line.where) for line in lines if line.where is not None},
            **{shown.id: shown.id for _, shown in held},
        }
        titles = {**self.titles, **{shown.id: shown.title for _, shown in held}}
        bundle, no_bundle = read_bundle(self.opened, titles, links, self.addresses)
        return KitPage(
            name=snapshot.settings.name,
            user=snapshot.settings.user,
            made=day_in_words(self.opened.context.now().date()),
            chats_told=told_talks(self.summary),
            now=self.now,
            waiting=self.waiting,
            bundle=bundle,
            no_bundle=no_bundle,
            life=self.life,
            brought=self.brought,
            sections=self.sections,
            who=_read_texts(snapshot),
            voice=_read_voice(snapshot),
            chats=chats,
            addresses=self.addresses,
            too_long=sum(chat.left_out for chat in chats),
        )


def _records(opened: "OpenKit") -> "Records":
    from reel_cli.features.history.lives import Records

    repo, state = opened.repository, opened.state
    if repo is None:
        return Records.of(opened.snapshot, (), state.pending_touches())
    from reel_cli.core.git.history import read_log

    return Records.of(opened.snapshot, read_log(repo), state.pending_touches(), repo)


def _sections(found: "Sequence[KitSection]") -> "Sequence[KitSection]":
    """Return the sections that have something to show."""
    return [section for section in found if section.items or section.picture]


def _read_now(snapshot: "Snapshot") -> Sequence[tuple[str, str]]:
    text = snapshot.text(WORKING) or ""
    told = [(title, read_section(text, name).strip()) for name, title in _NOW]
    return [(title, said) for title, said in told if said]


def _waiting(summary: "KitSummary") -> Sequence[tuple[str, str]]:
    """Return what wants a person's word, each with its command."""
    told = [(one.text, one.mend) for one in summary.problems]
    return [*told, *([(f"{tell_waiting(summary.waiting)}.", "reel review")] if summary.waiting else [])]


def _read_texts(snapshot: "Snapshot") -> Sequence[tuple[str, str]]:
    texts = (("Who it is", IDENTITY), ("Its rules", DIRECTIVES))
    told = [(title, (snapshot.text(path) or "").strip()) for title, path in texts]
    return [(title, text) for title, text in told if text]


def _read_voice(snapshot: "Snapshot") -> Sequence[tuple[str, str, str]]:
    """Return each example: its title, how it is used, and the exchange."""
    active = snapshot.active
    found = []
    for slug, exemplar in snapshot.exemplars.items():
        use = "in every chat" if slug == active.anchor else "in use" if slug in active.active else "resting"
        found.append((exemplar.title, use, exemplar.text))
    order = ("in every chat", "in use", "resting")
    return sorted(found, key=lambda one: order.index(one[1]))


def _by_month(
    chats: "Sequence[ShownChat]", held: "Sequence[tuple[Memory | None, ShownMemory]]"
) -> Sequence[LifeMonth]:
    """Return the life by months, newest first: each chat with its memories, and memories of no chat shown."""
    of_chat: dict[str, list[ShownMemory]] = {}
    elsewhere: dict[str, list[ShownMemory]] = {}
    known = {chat.id for chat in chats}
    for memory, shown in held:
        if memory is not None and is_brought(memory.tags):
            continue
        session = _session_of(memory, shown)
        if session in known:
            of_chat.setdefault(session, []).append(shown)
        else:
            elsewhere.setdefault(_day_of(memory, shown), []).append(shown)
    entries = [(chat.id[:10], LifeEntry(chat.day, chat, of_chat.get(chat.id, ()))) for chat in chats]
    entries += [(day, LifeEntry(memories[0].day, None, memories)) for day, memories in elsewhere.items()]
    months: dict[str, list[LifeEntry]] = {}
    for day, entry in sorted(entries, key=lambda one: one[0], reverse=True):
        months.setdefault(day[:7], []).append(entry)
    return [LifeMonth(_month(name), found) for name, found in months.items()]


def _session_of(memory: "Memory | None", shown: "ShownMemory") -> str:
    if memory is None:
        return shown.session
    spans = memory.source or ()
    return spans[-1].session if spans else (memory.sessions[-1] if memory.sessions else "")


def _day_of(memory: "Memory | None", shown: "ShownMemory") -> str:
    return (memory.order[0] or memory.created)[:10] if memory is not None else shown.session[:10]


def _month(name: str) -> str:
    """Return `March 2026` for `2026-03`; the name itself where it is no month."""
    try:
        return day_in_words(date.fromisoformat(f"{name}-01")).partition(" ")[2]
    except ValueError:
        return name or "Undated"
