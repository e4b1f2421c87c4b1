"""The kit as one request finds it."""

from datetime import date
from functools import cached_property
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.frozen import frozen
from reel_cli.core.moment import day_in_words
from reel_cli.core.ports import bring
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.review import tell_waiting
from reel_cli.features.home.overview import told_talks
from reel_cli.features.record.unrecorded_chats import list_offers
from reel_cli.features.review.settle import own_name
from reel_cli.features.view.addresses import Addresses, address_of
from reel_cli.features.view.bundle_shares import read_bundle
from reel_cli.features.view.gather import KitReader
from reel_cli.features.view.life_months import list_months
from reel_cli.features.view.talks import list_chats, read_chat

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reel_cli.core.values.source import SourceRange
    from reel_cli.features.view.kit_page import LifeMonth, ShownBundle, ShownChat, ShownMemory
    from reel_cli.features.view.timeline import Timeline
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit


class _Anywhere(Addresses):
    """Addresses of chats that need not be read first: each has a page of its own."""

    def find(self, span: "SourceRange") -> str:
        """Return the address of the message at which a stretch begins."""
        return address_of(span.session, max(1, span.first))


@frozen
class LifeYear:
    """One year of the life; `years` names all, newest first. The oldest has what came from elsewhere."""

    year: str
    years: "Sequence[str]"
    timeline: "Timeline | None"
    life: "Sequence[LifeMonth]"
    brought: "Sequence[ShownMemory]"


class ServedKit:
    """Readings of the kit that one request asks for; nothing is kept for the next."""

    def __init__(self, context: "Context") -> None:
        """Open the kit as it lies there now."""
        self._opened = context.open_kit(reading=True)
        self.reader = KitReader(self._opened)
        self.reader.addresses = _Anywhere(())
        self.changed = False
        """True if the click that this is shown after changed the kit."""
        self.new_chats: Sequence[str] = ()
        """IDs of the chats that it recorded."""

    @staticmethod
    def address_of(span: "SourceRange") -> str:
        """Return the address of a stretch of a chat."""
        return address_of(span.session, max(1, span.first))

    @cached_property
    def tip(self) -> str:
        """Return the commit that is shown; "" for none."""
        repository = self._opened.repository
        return (repository.head() or "") if repository is not None else ""

    @property
    def name(self) -> str:
        """Return what the persona is called."""
        return self._opened.snapshot.settings.name

    @cached_property
    def face(self) -> bytes | None:
        """Return the picture that came with the persona's card, as PNG; None where there is none."""
        return next(filter(None, (read(self._opened.snapshot) for read in bring("faces"))), None)

    @property
    def told(self) -> str:
        """Return how often somebody talked with it, and when last."""
        return told_talks(self.reader.summary)

    @property
    def decisions(self) -> int:
        """Return how many things wait for a decision."""
        return self.reader.summary.waiting

    @property
    def waiting(self) -> str:
        """Return how many things wait for a decision, in a sentence; "" for none."""
        return f"{tell_waiting(self.decisions)}." if self.decisions else ""

    @property
    def owes_a_page(self) -> bool:
        """Return whether a recorded chat has no page yet, or half of one."""
        return any(one.kind == "page" for one in self.reader.summary.problems)

    @cached_property
    def places(self) -> "Sequence[tuple[str, str]]":
        """Return the names and titles of the places that a text can be fitted to."""
        from reel_cli.core.pack.places import known_places

        return [
            (place.name, place.title[:1].upper() + place.title[1:])
            for place in known_places(self._opened.snapshot)
        ]

    @cached_property
    def offers(self) -> "Sequence[tuple[str, str]]":
        """Return the files of chats that the chat programs hold and the kit lacks, each in a sentence."""
        return [(str(path), told) for path, told in list_offers(self._opened)]

    def read_bundle(self, window: str, place: str) -> "tuple[ShownBundle | None, str]":
        """Return what the next chat begins with at a window and a place, or why there is none.

        "" is the kit's own window, and no place.
        """
        from reel_cli.core.pack.build_bundle import BundleRequest
        from reel_cli.core.pack.places import find_place
        from reel_cli.core.values.sizes import parse_tokens

        reader = self.reader
        lines = self._opened.snapshot.index.lines
        links = {name: name for name in lines} | {
            line.id: reader.addresses.find(line.where) for line in lines.values() if line.where is not None
        }
        try:
            wish = BundleRequest(
                window=parse_tokens(window) if window else None,
                place=find_place(self._opened.snapshot, place) if place else None,
            )
        except ReelError as error:
            return None, error.message
        return read_bundle(self._opened, reader.titles, links, reader.addresses, wish)

    @property
    def opened(self) -> "OpenKit":
        """Return the kit as commands have it."""
        return self._opened

    def find_memory(self, name: str) -> "ShownMemory | None":
        """Return a memory that is there or was; None for neither."""
        return self.reader.album.find(name)

    def read_year(self, asked: str) -> LifeYear:
        """Return a year of the life, the newest where none of that name is; memories are only named."""
        chats, held = list_chats(self.reader.overview), self.reader.album.list_all()
        by_year: dict[str, list[LifeMonth]] = {}
        for month in list_months(chats, held):
            by_year.setdefault(month.name.rpartition(" ")[2], []).append(month)
        years = list(by_year)
        year = asked if asked in by_year else next(iter(years), "")
        brought = [one for one in held if one.brought] if year in ("", *years[-1:]) else ()
        timeline = self.reader.draw_timeline(chats, held)
        return LifeYear(year, years, timeline, by_year.get(year, ()), brought)

    @property
    def own_name(self) -> str:
        """Return the person's name as it stands on commits; "" where git knows none."""
        try:
            return own_name(self._opened)
        except ReelError:
            return ""

    @property
    def server(self) -> str:
        """Return the server that kit.yaml names for prompts; "" where there is none, or no way to it."""
        from reel_cli.core.ports import is_brought
        from reel_cli.terminal.transport_option import PASTE

        named = self._opened.snapshot.settings.via
        return named if named != PASTE and is_brought("transports") else ""

    @property
    def server_is_here(self) -> bool:
        """Return whether that server runs on this machine."""
        from reel_cli.terminal.transport_option import find_transport

        return find_transport().is_here(self.server)

    @property
    def taken_back(self) -> "Collection[str]":
        """Return the IDs of the chats that were taken back."""
        return retracted(self._opened.snapshot)

    def list_chats(self) -> "Sequence[tuple[str, str]]":
        """Return the chats' IDs and titles, the newest first."""
        gone = set(self._opened.snapshot.sessions)
        titles = self.reader.chat_titles
        return [(name, titles.get(name) or _untitled(name)) for name in sorted(gone, reverse=True)]

    def read_chat(self, name: str) -> "ShownChat | None":
        """Return one chat; None where there is none of that ID."""
        return read_chat(self._opened.snapshot, name)


def _untitled(session: str) -> str:
    """Return a name for a chat without title and words: its day, and which of that day it is."""
    day, number = day_in_words(date.fromisoformat(session[:10])), session[11:]
    return f"A chat of {day}{f', number {number}' if number != '1' else ''}"
