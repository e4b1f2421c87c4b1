"""Chats and notes before the chat whose facts are weighed, and what they and the kit say of a thing."""

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from reel_cli.core.errors import ReelError
from reel_cli.core.evidence.grounding.lexicon import even, telling
from reel_cli.core.evidence.own_words import is_named
from reel_cli.core.files.working_file import read_items
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.tape.tape_view import read_session
from reel_cli.core.values.talk import Message, Session
from reel_cli.features.facts.fact import Fact

MOST_EARLIER = 8
"""Number of chats, back from the one asked about, in which words are looked for that it does not have."""
_STEM = 5
"""Letters of a root by which two names are of one thing: `insurer` and `insurance`."""
_DAY = 10


class EarlierTalk:
    """The chats before the one whose facts are weighed, and what they and the kit say of a thing."""

    def __init__(self, snapshot: Snapshot, session: Session) -> None:
        self._snapshot, self._this = snapshot, session.id

    def chats(self) -> Iterator[Session]:
        """Yield the last chats before, the newest first."""
        this = self._this
        names = [name for name in self._snapshot.sessions if name[:_DAY] <= this[:_DAY] and name != this]
        for name in reversed(names[-MOST_EARLIER:]):
            try:
                yield read_session(self._snapshot, name)
            except ReelError:
                # the doctor names a tape that cannot be read
                continue

    def known_about(self, key: str, value: str, standing: Iterable[Fact]) -> Sequence[str]:
        """Return the facts and notes of what one names, and what the user said of it before."""
        about = telling(key)
        mine = {word[:_STEM] for word in about | telling(value)}
        known = [
            f"{other.key.replace('_', ' ')}: {other.value}"
            for other in standing
            if {word[:_STEM] for word in telling(other.key)} <= mine
        ]
        said = [one.text for one in self._said if one.role == "user"]
        return [*known, *(text for text in (*self._notes, *said) if about and about <= telling(text))]

    def has_detail(self, why: str) -> bool:
        """Return whether the name, number or day that a refusal quotes stands anywhere before."""
        detail = why.partition("“")[2].partition("”")[0]
        texts = (*self._notes, *(one.text for one in self._said))
        return bool(detail) and any(is_named(even(text), detail) for text in texts)

    @cached_property
    def stems(self) -> frozenset[str]:
        """Return the stems of all that was said and noted before."""
        return telling("\n".join(self.texts))

    @property
    def texts(self) -> Sequence[str]:
        """Return all that was said before, and the notes."""
        return [*self._notes, *(one.text for one in self._said)]

    @property
    def who(self) -> Sequence[str]:
        """Return what says who the persona is, and the names of both."""
        told = (self._snapshot.text(path) for path in self._snapshot.list("ring0"))
        return [*(one for one in told if one), *self.names]

    @property
    def names(self) -> Sequence[str]:
        """Return the names of both, and others by which they are called."""
        settings = self._snapshot.settings
        return [settings.name, settings.user, *settings.people]

    @cached_property
    def _said(self) -> Sequence[Message]:
        return [entry.message for session in self.chats() for entry in session.shown()]

    @cached_property
    def _notes(self) -> Sequence[str]:
        return [one.text for one in read_items(self._snapshot.text(WORKING) or "")]
