"""A conversation that goes on while reel looks: what is said in it goes on the tape as it comes."""

import os
import secrets
from collections.abc import Sequence
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING, NoReturn

from reel_cli.cli.gauging import note_of
from reel_cli.cli.recording import record_one
from reel_cli.errors import ReelError, StateError
from reel_cli.flows.tape_view import read_session, standing_sessions
from reel_cli.kit.private import write_private
from reel_cli.model.moment import stamp
from reel_cli.model.tape import Conversation, Kind, Message, session_path

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit
    from reel_cli.flows.record import Recorded
    from reel_cli.model.stream import Fullness

NOBODY_YET = "Nothing in it was said"


class Growing:
    """One conversation: what of it was said, and what of that is recorded."""

    def __init__(self, opened: "OpenKit", format: str, session: str | None = None) -> None:  # noqa: A002
        """A new one, or one that goes on with a `session` on the tape; `base` is what stood there before.

        Raises ReelError where there is no such session, or it was taken back.
        """
        self._opened, self._format = opened, format
        self.key: str | None = None
        self.base: tuple[Message, ...] = ()
        self.session = session
        self.started: str | None = None
        self._recorded: tuple[Message, ...] = ()
        if session is None:
            self.key = f"{format}:{opened.now():%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"
            return
        self.base = self._recorded = tuple(
            entry.message for entry in read_session(opened.snapshot, session).shown()
        )
        if session not in standing_sessions(opened.snapshot):
            message = f"Session {session} was taken back, so nothing is added to it."
            raise ReelError(message, hint=f"let it count again:  reel tape retract {session} --undo")

    @property
    def name(self) -> str:
        """By which its gauge goes."""
        return self.key or self.session or ""

    def waits(self, messages: Sequence[Message]) -> bool:
        """Whether the conversation, as it is now, is not on the tape yet."""
        return tuple(messages) != self._recorded

    def record(
        self, messages: Sequence[Message], still: Sequence[Message] = ()
    ) -> "tuple[Conversation, Recorded] | None":
        """Put the conversation on the tape as it is now; None while nobody but reel has said anything.

        `still` is a turn that has not ended, as it stands. Raises what `record_one` raises.
        """
        now = stamp(self._opened.now())
        self.started = self.started or now
        talk = Conversation(self._format, (*messages, *still), key=self.key, started=self.started)
        try:
            found = record_one(self._opened.context, talk, session=self.session if self.base else None)
        except ReelError as error:
            if error.message.startswith(NOBODY_YET):
                return None
            raise
        self.session, self._recorded = found.session, tuple(messages)
        return talk, found

    def note(self, called: str, full: "Fullness") -> None:
        """Remember that this is the chat which goes on, and how full its window is."""
        if self.session is not None:
            path = str(self._opened.root / session_path(self.session))
            note = note_of(path, called, full, stamp(self._opened.now()))
            self._opened.state.save_stream({**note, "session": self.session})

    def save_beside(self, messages: Sequence[Message], error: "ReelError | OSError") -> NoReturn:
        """Keep what could not be recorded in a file, and raise StateError saying why and where it is."""
        roles = {"user": "You", "assistant": "Assistant", "system": "System"}
        told = messages[len(self.base) :]
        text = "\n\n".join(f"{roles[one.role]}: {one.text}" for one in told if one.kind is not Kind.REASONING)
        data = f"{text}\n".encode("utf-8", "replace")
        path = self._opened.state.folder / f"{self._format}.md"
        try:
            write_private(path, data)
        except (OSError, StateError):
            # a kit that cannot be written at all
            number, name = mkstemp(".md", f"{self._format}-")
            os.write(number, data)
            os.close(number)
            path = Path(name)
        message = error.message if isinstance(error, ReelError) else f"{error.strerror or error}."
        raise StateError(message, hint=f"nothing is lost: it lies in {path}; later:  reel record {path}")
