"""Reading a kit for its web page: who it is, what the next chat begins with, the life, the chats."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.files.working_file import read_section
from reel_cli.core.kit.snapshot import DIRECTIVES, IDENTITY, WORKING
from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import bring
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.home.overview import told_talks
from reel_cli.features.home.summary import summarize
from reel_cli.features.view.addresses import Addresses
from reel_cli.features.view.bundle_shares import read_bundle, without_tape
from reel_cli.features.view.kit_page import KitPage, Origin
from reel_cli.features.view.life_months import list_months
from reel_cli.features.view.memories import MemoryAlbum
from reel_cli.features.view.talks import list_chats, name_chats, read_chats
from reel_cli.features.view.timeline import Timeline, make_timeline

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.section import KitSection
    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.history.lives import Records
    from reel_cli.features.home.summary import KitSummary
    from reel_cli.features.view.kit_page import LifeMonth, ShownChat, ShownMemory
    from reel_cli.terminal.open_kit import OpenKit

_NOW = (("State", "How things stand"), ("Active threads", "Going on"), ("Open loops", "Still open"))
"""Sections of the working notes, and what the page calls them."""


def read_page(opened: "OpenKit", *, tape: bool = True) -> KitPage:
    """Return all that the page of a kit shows; without the `tape`, nothing that was said word for word.

    Raises ReelError where its settings cannot be read; a chat or a memory that is damaged is shown as that.
    """
    return KitReader(opened, tape=tape).read_page()


class KitReader:
    """One kit as it lies there, of which each part is read when it is asked for, and once."""

    def __init__(self, opened: "OpenKit", *, tape: bool = True) -> None:
        """Read nothing yet; without the `tape`, nothing that was said word for word is shown."""
        self._tape = tape
        self.opened = opened
        self.snapshot = opened.snapshot

    @cached_property
    def summary(self) -> "KitSummary":
        """Return who it is, since when, what waits."""
        return summarize(self.opened)

    @cached_property
    def overview(self) -> "Snapshot":
        """Return the kit at a glance, of which lists are known without reading every file."""
        return self.opened.overview

    @cached_property
    def chats(self) -> "Sequence[ShownChat]":
        """Return every chat, oldest first; without what was said where that is not shown."""
        return read_chats(self.snapshot) if self._tape else list_chats(self.overview, openings=False)

    @cached_property
    def addresses(self) -> Addresses:
        """Return where chats and messages stand."""
        return Addresses(self.chats if self._tape else ())

    @cached_property
    def chat_titles(self) -> Mapping[str, str]:
        """Return the titles of chats, by ID."""
        return name_chats(self.overview, openings=self._tape)

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Return the titles of chats, index lines and examples, by ID."""
        lines = self.snapshot.index.lines.values()
        exemplars = self.snapshot.exemplars.values()
        return {
            **self.chat_titles,
            **{line.id: line.description for line in lines},
            **{exemplar.slug: exemplar.title for exemplar in exemplars},
        }

    @cached_property
    def album(self) -> MemoryAlbum:
        """Return the memories, each of which is read when it is asked for."""
        today = self.opened.now().date().isoformat()
        return MemoryAlbum(self.snapshot, self.overview, _records(self.opened), self._origin, today)

    def _origin(self, span: "SourceRange") -> Origin:
        return Origin(self.chat_titles.get(span.session, span.session), self.addresses.find(span))

    @cached_property
    def held(self) -> "Sequence[ShownMemory]":
        """Return the memories that are there, and those that are gone."""
        with self.opened.console.progress("Reading its life", len(self.snapshot.memories)) as note:
            return self.album.read_all(note)

    @property
    def now(self) -> Sequence[tuple[str, str]]:
        """Return what is going on, part by part, as Markdown."""
        return read_now(self.snapshot)

    @property
    def waiting(self) -> Sequence[tuple[str, str]]:
        """Return what wants a person's word, each with its command."""
        return _waiting(self.summary)

    @cached_property
    def life(self) -> "Sequence[LifeMonth]":
        """Return the life by months, newest first."""
        return list_months(self.chats, self.held)

    @cached_property
    def brought(self) -> "Sequence[ShownMemory]":
        """Return the memories that came from elsewhere."""
        return [shown for shown in self.held if shown.brought]

    @cached_property
    def sections(self) -> "Sequence[KitSection]":
        """Return the sections that features bring and that have something to show."""
        return [section for read in bring("sections") for section in _sections(read(self.opened))]

    def draw_timeline(self, chats: "Sequence[ShownChat]", held: "Sequence[ShownMemory]") -> Timeline | None:
        """Return how often things happened, over time; None where nothing did."""
        lanes: dict[str, Sequence[str]] = {
            "Chats": [chat.id[:10] for chat in chats],
            "Memories": [shown.order for shown in held if not shown.gone and not shown.brought],
        }
        for read in bring("happenings"):
            lanes |= read(self.opened)
        return make_timeline({**lanes, "Let go or shortened": self.album.lost_days})

    def read_page(self) -> KitPage:
        """Return all of it."""
        snapshot, held, chats = self.snapshot, self.held, self.chats
        lines = snapshot.index.lines.values()
        links = {
            **{line.id: self.addresses.find(line.where) for line in lines if line.where is not None},
            **{shown.id: shown.id for shown in held},
        }
        titles = {**self.titles, **{shown.id: shown.title for shown in held}}
        bundle, no_bundle = read_bundle(self.opened, titles, links, self.addresses)
        if bundle is not None and not self._tape:
            bundle = without_tape(bundle)
        return KitPage(
            name=snapshot.settings.name,
            user=snapshot.settings.user,
            made=day_in_words(self.opened.context.now().date()),
            chats_told=told_talks(self.summary),
            now=self.now,
            waiting=self.waiting,
            bundle=bundle,
            no_bundle=no_bundle,
            timeline=self.draw_timeline(chats, held),
            life=self.life,
            brought=self.brought,
            sections=self.sections,
            who=_read_texts(snapshot),
            voice=_read_voice(snapshot),
            chats=chats,
            addresses=self.addresses,
            too_long=sum(chat.left_out for chat in chats),
            tape=self._tape,
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


def read_now(snapshot: "Snapshot") -> Sequence[tuple[str, str]]:
    """Return what is going on in a kit, part by part, as Markdown."""
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
