"""Edges from one moment to the other chats of its thread, and the reason of each in a sentence."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from reel_cli.core.errors import ReelError
from reel_cli.core.files.memory_file import parse_memory
from reel_cli.core.kit.glance import Glance
from reel_cli.core.rings.pointers import find_over
from reel_cli.core.values.change import one_line
from reel_cli.core.values.memory import MEMORY_ID, Memory, memory_path
from reel_cli.core.values.source import session_order
from reel_cli.core.values.talk import Entry, Session
from reel_cli.features.threads.edges.edge import WEIGHTS, EdgeType, tell_shared
from reel_cli.features.threads.edges.mentions import find_mention
from reel_cli.features.threads.edges.neighbors import Neighbors
from reel_cli.features.threads.find_threads import Thread
from reel_cli.features.threads.ribs import RibPoint
from reel_cli.features.threads.terms import count_terms, spelling

_WHOLE = (1, 1 << 30)
"""Message numbers that hold those of any chat."""
_QUOTED = 80


class Joints:
    """Edges from a moment's chat to the others of a thread."""

    def __init__(
        self, glance: Glance, thread: Thread, session: str, near: Neighbors, ribs: Iterable[RibPoint]
    ) -> None:
        """Keep what the edges are made of; `near` are the ribs that share matters with the moment's.

        `ribs` are those of the thread and the moment's, in whose messages a matter is looked up.
        """
        self._glance = glance
        self._thread = thread
        self._session = session
        self._near = near
        self._moment: list[str] = []
        self._spans: dict[str, list[tuple[int, int]]] = {}
        for rib in ribs:
            self._spans.setdefault(rib.session, []).append(rib.messages)
        self._best = {chat: place for chat, _ in thread.ribs if (place := self._heaviest(chat)) is not None}

    def weigh(self, chat: str) -> int:
        """Return the weight of the heaviest edge between the moment's chat and another."""
        if chat in self._named:
            return WEIGHTS[EdgeType.CAUSES]
        place = self._best.get(chat)
        return self._near.weights[place] if place else WEIGHTS[EdgeType.FOLLOWS]

    def tell(self, chat: str, said: Sequence[Entry], moment: Session) -> str:
        """Return why another chat is there, in one sentence; `said` is what was said there."""
        if words := self._named.get(chat) or self._names(chat):
            return f"The page of the later chat speaks of the earlier: “{one_line(words, _QUOTED)}”."
        self._moment = self._moment or list(self._read_texts(self._session, moment.shown()))
        here = list(self._read_texts(chat, said))
        texts = [*here, *self._moment]
        if place := self._best.get(chat):
            return tell_shared(self._near.shared[place], self._near.matters, texts)
        return f"It is another time that {spelling(self._find_name(here), texts)} came up."

    def _find_name(self, texts: Iterable[str]) -> str:
        """Return how the thread is called, or else the term of it that these texts have."""
        name, terms = self._thread.name, self._thread.terms
        words = {word for term in terms for word in term.split()}
        if self._thread.said or words.issuperset(name.split()):
            return name
        found = count_terms("\n".join(texts))
        return next((term for term in terms if term in found), name)

    def _heaviest(self, chat: str) -> tuple[str, int] | None:
        places = [place for place in self._thread.ribs if place[0] == chat and place in self._near.weights]
        return max(places, key=lambda place: (self._near.weights[place], -place[1]), default=None)

    def _read_texts(self, chat: str, said: Sequence[Entry]) -> Iterator[str]:
        """Yield what was said in the ribs of a chat that are of the thread."""
        spans = self._spans.get(chat, ())
        for entry in said:
            if any(first <= (entry.number or 0) <= last for first, last in spans):
                yield entry.message.text

    @cached_property
    def _own(self) -> list[Memory]:
        """Return the pages over the moment's chat."""
        return list(self._read_pages(self._session))

    @cached_property
    def _named(self) -> dict[str, str]:
        """Return the earlier chats of the thread that a page of the moment's own names, with its words."""
        before = session_order(self._session)
        earlier = [chat for chat in self._thread.chats if session_order(chat) < before]
        found: dict[str, str] = {}
        for page in self._own:
            for other in self._read_named(page):
                words = find_mention(page, [other.id], (), by_day=False)
                found |= {chat: words for chat in earlier if words and chat in other.sessions}
            for chat in earlier:
                if words := find_mention(page, [chat], [chat], by_day=True):
                    found.setdefault(chat, words)
        return found

    def _names(self, chat: str) -> str:
        """Return the words by which a page of a later chat names the moment's; "" where none does."""
        if session_order(chat) <= session_order(self._session):
            return ""
        own = [page.id for page in self._own]
        pages = (page for page in self._read_pages(chat) if page.id not in own)
        names = [*own, self._session]
        found = (find_mention(page, names, [self._session], by_day=True) for page in pages)
        return next((words for words in found if words), "")

    def _read_pages(self, chat: str) -> Iterator[Memory]:
        """Yield the pages over a chat that can be read."""
        for name in find_over(self._glance, [(chat, _WHOLE)]):
            yield from self._read(name)

    def _read_named(self, page: Memory) -> Iterator[Memory]:
        """Yield the other pages whose IDs stand in one."""
        for name in MEMORY_ID.finditer(page.body):
            if name[0] != page.id:
                yield from self._read(name[0])

    def _read(self, name: str) -> Iterator[Memory]:
        path = memory_path(name)
        text = self._glance.text(path) if MEMORY_ID.fullmatch(name) else None
        try:
            if text is not None:
                yield parse_memory(text, path)
        except ReelError:
            # reel doctor names it
            return
