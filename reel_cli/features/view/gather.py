"""Reading a kit for its web page: who it is, what the next chat begins with, the life, the chats."""

from collections.abc import Sequence
from datetime import date
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
from reel_cli.features.view.talks import read_chats

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
    snapshot = opened.snapshot
    settings = snapshot.settings
    summary = summarize(opened)
    chats = read_chats(snapshot)
    addresses = Addresses(chats)
    named = {chat.id: chat.title for chat in chats}
    album = MemoryAlbum(snapshot, _records(opened), named, addresses)
    with opened.console.progress("Reading its life", len(snapshot.memories)) as note:
        held = album.read_all(note)
    titles = {
        **named,
        **{line.id: line.description for line in snapshot.index.lines.values()},
        **{shown.id: shown.title for _, shown in held},
        **{exemplar.slug: exemplar.title for exemplar in snapshot.exemplars.values()},
    }
    lines = snapshot.index.lines.values()
    links = {
        **{line.id: addresses.find(line.where) for line in lines if line.where is not None},
        **{shown.id: shown.id for _, shown in held},
    }
    bundle, no_bundle = read_bundle(opened, titles, links, addresses)
    return KitPage(
        name=settings.name,
        user=settings.user,
        made=day_in_words(opened.context.now().date()),
        chats_told=told_talks(summary),
        now=_read_now(snapshot),
        waiting=_waiting(summary),
        bundle=bundle,
        no_bundle=no_bundle,
        life=_by_month(chats, held),
        brought=[shown for memory, shown in held if memory is not None and is_brought(memory.tags)],
        sections=[section for read in bring("sections") for section in _sections(read(opened))],
        who=_read_texts(snapshot),
        voice=_read_voice(snapshot),
        chats=chats,
        addresses=addresses,
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
