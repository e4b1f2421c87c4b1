"""Chats that go on in a chat kept apart: a fork of one of them is the kit's only from where it parted."""

from collections.abc import Sequence
from contextlib import suppress
from functools import cached_property
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.frozen import frozen
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.fork import list_forks
from reel_cli.core.tape.known_sessions import KnownSessions
from reel_cli.core.tape.tape_view import read_session, retracted, told_of_each
from reel_cli.core.values.talk import Conversation
from reel_cli.features.record.find_session import KEY


@frozen
class TapeSide:
    """One kit's tape: where a conversation may stand on it, and what was said there."""

    snapshot: Snapshot
    known: KnownSessions

    def has_key(self, key: str) -> bool:
        """Return whether a chat with this key counts here."""
        gone = retracted(self.snapshot)
        named = [name for name, told in told_of_each(self.snapshot, KEY).items() if told == key]
        fork = list_forks(self.snapshot).get(key)
        return any(name not in gone for name in (*self.known.sure_of(key), *named, *([fork] if fork else [])))

    def said_in(self, conversation: Conversation) -> frozenset[str]:
        """Return the texts of all sessions that count here and have a part of a conversation."""
        key = conversation.key
        names = {*self.known.alike(conversation), *self.known.branching(conversation)}
        if key is not None:
            names |= {*self.known.sure_of(key), list_forks(self.snapshot).get(key, "")}
        texts: set[str] = set()
        for name in names.intersection(self.snapshot.sessions) - retracted(self.snapshot):
            # a damaged session is named by the doctor
            with suppress(ReelError):
                texts.update(
                    entry.message.text.strip() for entry in read_session(self.snapshot, name).entries
                )
        return frozenset(texts)


class ApartCopies:
    """The chats of a kit that are kept apart, seen from the kit or from another of them."""

    def __init__(self, own: TapeSide, folders: Sequence[tuple[str, Path]]) -> None:
        """Hold one kit against these chats, given by name with their kits' folders."""
        self._own = own
        self._folders = folders

    @cached_property
    def _sides(self) -> Sequence[tuple[str, TapeSide]]:
        found = []
        for chat, folder in self._folders:
            # one that is broken is named by its own doctor
            with suppress(ReelError, OSError, ValueError):
                there = Snapshot(WorkTree(folder), folder.name)
                known = KnownSessions()
                known.refresh(there.sessions, lambda _: None, there.read)
                found.append((chat, TapeSide(there, known)))
        return found

    def holder_of(self, conversation: Conversation) -> str | None:
        """Return the chat kept apart in which a fork of one of this kit's chats goes on; None for none.

        It has the fork's own key, or at least half of what this kit's tape lacks of it.
        """
        key = conversation.key
        if not self._folders or (key is not None and self._own.has_key(key)):
            return None
        here = self._own.said_in(conversation)
        said = {message.text.strip() for message in conversation.said()} - {""}
        new = said - here
        if not new or new == said:
            # all of it is here, or none is, and then the kits are asked as for any chat
            return None
        for chat, side in self._sides:
            held = new & side.said_in(conversation)
            if held and (2 * len(held) >= len(new) or (key is not None and side.has_key(key))):
                return chat
        return None
