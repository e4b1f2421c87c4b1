"""A conversation that goes on while reel looks: what is said in it goes on the tape as it comes."""

import os
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from tempfile import mkstemp
from typing import TYPE_CHECKING

from reel_cli.core.errors import OvertakenError, ReelError, StateError
from reel_cli.core.files.private import write_private
from reel_cli.core.moment import stamp
from reel_cli.core.shell import quote_path
from reel_cli.core.tape.tape_view import read_session, standing_sessions
from reel_cli.core.values.talk import Conversation, Kind, Message, session_path
from reel_cli.features.record.record_chats import record_one
from reel_cli.features.watch.chat_spool import ChatSpool
from reel_cli.features.watch.gauge_view import note_of

if TYPE_CHECKING:
    from reel_cli.core.values.fullness import Fullness
    from reel_cli.features.record.plan import RecordPlan
    from reel_cli.terminal.open_kit import OpenKit

NOBODY_YET = "Nothing in it was said"
_ROLES = {"user": "You", "assistant": "Assistant", "system": "System"}


ATTEMPTS = 10
"""Number of times a chat is recorded anew, if other reels are faster."""


class GrowingChat:
    """One conversation: what of it was said, and what of that is recorded.

    Where its session is taken back meanwhile, or somebody else writes into it, what is said from there on
    goes into a new one: nothing of either is lost.
    """

    def __init__(self, opened: "OpenKit", format: str, session: str | None = None) -> None:  # noqa: A002
        """Start a new chat, or go on with a `session` on the tape; `base` is its earlier text.

        Raises ReelError where there is no such session, or it was taken back.
        """
        self._opened, self._format = opened, format
        self.session = session
        self.started: str | None = None
        self.base: tuple[Message, ...] = ()
        self.goes_on = session is not None
        """True if it continues a session that was on the tape before it was looked at."""
        self.stuck: ReelError | OSError | None = None
        """Error of the last recording, if it failed."""
        self._key: str | None = None
        self._recorded: tuple[Message, ...] = ()
        self._before = 0
        """Number of its messages that belong to an earlier session."""
        self._size = 0
        """Bytes of the session's file after the last write."""
        self._told: set[str] = set()
        if session is None:
            self._key = self._new_key()
        else:
            self.base = self._recorded = tuple(
                entry.message for entry in read_session(opened.snapshot, session).shown()
            )
            self._size = self._size_now()
            if session not in standing_sessions(opened.snapshot):
                message = f"Chat {session} was taken back, so nothing is added to it."
                raise ReelError(message, hint=f"let it count again:  reel tape retract {session} --undo")
        self.name = self._key or session or ""
        """Name its gauge is filed under."""
        self.spool: ChatSpool | None = None
        """Spool of the chat until the tape has it; None if it is in another file anyway."""

    def put_aside(self, messages: Sequence[Message]) -> None:
        """Write the conversation, as it is now, to disk before anything is done with it."""
        self.started = self.started or stamp(self._opened.now())
        if self.spool is None:
            head = {"format": self._format, "key": self._key, "started": self.started}
            if self._key is None:
                head["session"] = self.session
            self.spool = ChatSpool(self._opened.root, head, self.base)
        if self.spool.is_gone:
            # a purge has emptied the folder; the tape says how much of the chat still counts
            return
        self.spool.note(messages[self._before :])

    def close(self) -> None:
        """Delete the spool; the tape has its contents."""
        if self.spool is not None:
            self.spool.drop()

    def waits(self, messages: Sequence[Message]) -> bool:
        """Return whether the conversation, as it is now, is not on the tape yet."""
        return tuple(messages) != self._recorded

    def record(
        self, messages: Sequence[Message], still: Sequence[Message] = ()
    ) -> "tuple[Conversation, RecordPlan] | None":
        """Record the conversation as it is now; `still` is a turn that has not ended, as it is.

        None while nobody but reel has said anything, and where it failed: that is said, and it can be tried
        again.
        """
        try:
            done = self._record(messages, still)
        except (ReelError, OSError) as error:
            self.stuck = error
            self.say_once(f"{_why(error)} It is tried again.")
            return None
        self.stuck = None
        self._told.clear()
        return done

    def note(self, called: str, full: "Fullness") -> None:
        """Remember that this is the chat which goes on, and how full its window is."""
        if self.session is not None:
            path = str(self._opened.root / session_path(self.session))
            note = note_of(path, called, full, stamp(self._opened.now()))
            self._opened.state.save_stream({**note, "session": self.session})

    def save_beside(self, messages: Sequence[Message]) -> None:
        """Keep in a file what could not be recorded, where there is such; StateError says where it lies."""
        # all of it, so that it is recognised when it is recorded
        told = [one for one in messages[max(self._before, len(self.base)) :] if one.kind is Kind.SAID]
        if self.stuck is None or not told:
            return
        path = write_beside(self._opened, self._format, told)
        self.close()
        hint = f"nothing is lost: it lies in {path}; later:  reel record {quote_path(path)}"
        raise StateError(_why(self.stuck), hint=hint)

    def say_once(self, what: str) -> None:
        """Report something, unless it was reported since the last recording."""
        if what not in self._told:
            self._told.add(what)
            self._opened.console.say(what)

    def _record(
        self, messages: Sequence[Message], still: Sequence[Message]
    ) -> "tuple[Conversation, RecordPlan] | None":
        if self.session is not None and self._size_now() != self._size:
            self._part(f"Something else was recorded in {self.session} meanwhile", messages)
        done = self._put(messages, still)
        if done is not None and done[1].taken_back:
            self._part(f"{self.session} was taken back meanwhile", messages)
            done = self._put(messages, still)
        if done is not None:
            self.session, self._recorded = done[1].session, tuple(messages)
            written = (done[1].change.writes if done[1].change is not None else {}).get(
                session_path(self.session)
            )
            self._size = len(written) if written is not None else self._size_now()
            if self.spool is not None and self.spool.is_gone:
                # begun anew with the next turn
                self.close()
                self.spool = None
        return done

    def _put(
        self, messages: Sequence[Message], still: Sequence[Message]
    ) -> "tuple[Conversation, RecordPlan] | None":
        now = stamp(self._opened.now())
        self.started = self.started or now
        own = (*messages[self._before :], *still)
        talk = Conversation(self._format, own, key=self._key, started=self.started)
        named = self.session if self._key is None else None
        try:
            return talk, _once_more(lambda: record_one(self._opened.context, talk, session=named))
        except ReelError as error:
            if error.message.startswith(NOBODY_YET):
                return None
            raise

    def _part(self, why: str, messages: Sequence[Message]) -> None:
        """Continue in a new session with what is not recorded yet."""
        self._opened.console.say(f"{why}; what is said from here on goes into a chat of its own.")
        self._before, self._key = len(self._recorded), self._new_key()
        self.session, self.started, self.base = None, None, ()
        if (old := self.spool) is not None:
            self.spool = None
            self.put_aside(messages)
            old.drop()

    def _new_key(self) -> str:
        return _new_key(self._opened, self._format)

    def _size_now(self) -> int:
        try:
            return (self._opened.root / session_path(self.session or "")).stat().st_size
        except OSError:
            return -1


def write_beside(opened: "OpenKit", format: str, messages: Sequence[Message]) -> Path:  # noqa: A002
    """Write what was said into a file that `reel record` takes, in the kit where that can be; return it."""
    text = "\n\n".join(f"{_ROLES.get(one.role, one.role)}: {one.text}" for one in messages)
    data = f"{text}\n".encode("utf-8", "replace")
    path = opened.state.folder / f"{_new_key(opened, format).replace(':', '-')}.md"
    try:
        write_private(path, data)
    except (OSError, StateError):
        # the kit is read-only
        number, name = mkstemp(".md", f"{format}-")
        os.write(number, data)
        os.close(number)
        path = Path(name)
    return path


def _new_key(opened: "OpenKit", format: str) -> str:  # noqa: A002
    return f"{format}:{opened.now():%Y%m%dT%H%M%S}-{secrets.token_hex(4)}"


def _once_more(record: "Callable[[], RecordPlan]") -> "RecordPlan":
    """Record; once more where the file changed meanwhile, and again while another reel is quicker with it."""
    for _ in range(ATTEMPTS):
        try:
            return record()
        except OvertakenError:
            continue
        except StateError as error:
            if "meanwhile" not in error.message:
                raise
            break
    return record()


def _why(error: ReelError | OSError) -> str:
    return error.message if isinstance(error, ReelError) else f"{error.strerror or error}."
