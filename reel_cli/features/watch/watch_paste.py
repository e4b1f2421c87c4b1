"""`reel record --watch -`: a conversation as it is pasted or piped in, each turn on the tape as it comes."""

import json
import time
from typing import TYPE_CHECKING

from reel_cli.core.files.tree import LARGEST_FILE
from reel_cli.core.moment import stamp
from reel_cli.core.pack.recognize import find_bundle, find_prompt
from reel_cli.core.tape.formats.pasted.speaker_lines import People
from reel_cli.core.tape.tape_view import opening_of
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.core.values.talk import Conversation, Kind, Message
from reel_cli.features.record.choice import offer
from reel_cli.features.record.record_view import as_json_row
from reel_cli.features.watch.gauge_view import LiveGauge, line_of
from reel_cli.features.watch.growing_chat import GrowingChat
from reel_cli.features.watch.pasted_turns import END, PastedTurn, PastedTurns
from reel_cli.features.watch.watch_files import NAP, ending
from reel_cli.terminal.folding import columns
from reel_cli.terminal.input.keys import Key, KeyInput, Keys, typing

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.features.record.plan import RecordPlan
    from reel_cli.features.watch.gauge import Gauge
    from reel_cli.terminal.open_kit import OpenKit

FORMAT = "pasted"
PAUSE = 0.5
"""Seconds a pipe is quiet before the turns that have ended are recorded."""
RETRY = 5.0
"""Seconds after a failure until recording is tried again."""
BUNDLE, PROMPT = "[a bundle, known as reel's own]", "[a prompt, known as reel's own]"
SHOWN = 60
"""Characters of a pasted turn that are shown."""


def watch_paste(opened: "OpenKit", *, session: str | None, idle: float, as_json: bool) -> None:
    """Record turns from standard input as they come, until it or the person ends it.

    `session` goes on with one that is on the tape. Raises ReelError where there is no such session,
    StateError where the kit would not take the last of it.
    """
    typed = opened.console.interactive
    with ending() as ended, typing(wanted=typed and opened.console.redraws) as raw:
        pasting = PasteWatch(opened, session=session, idle=idle, as_json=as_json, typed=typed, raw=raw)
        pasting.begin()
        incoming = KeyInput()
        while not (ended.asked or pasting.ended):
            piece = incoming.get(NAP)
            if piece is None:
                pasting.rest(time.monotonic())
            elif piece:
                pasting.take(piece, time.monotonic())
            else:
                break
        pasting.end()


class PasteWatch:
    """One watch over what is pasted: `begin`, `take` what comes, `rest` now and then, `end`."""

    def __init__(  # noqa: PLR0913 (what is watched, and the ways in which it is)
        self,
        opened: "OpenKit",
        *,
        session: str | None,
        idle: float,
        as_json: bool = False,
        typed: bool = False,
        raw: bool = False,
    ) -> None:
        """Begin; `typed`: a person sits at a terminal; `raw`: nothing else echoes what they type.

        `idle` is how long a turn that has not ended waits to be recorded, in seconds.
        """
        self.ended = False
        """True if the person has ended it."""
        self._opened, self._console = opened, opened.console
        self._idle, self._as_json, self._typed, self._raw = idle, as_json, typed, raw
        settings = opened.snapshot.settings
        people = People.named(() if settings.user == "You" else (settings.user,), (settings.name,))
        self._names = {"user": settings.user, "assistant": settings.name, "system": "System"}
        self._gauges = LiveGauge(opened, "auto")
        self._stream = self._go_on(session) if session else GrowingChat(opened, FORMAT)
        self._messages: list[Message] = list(self._stream.base)
        last = self._messages[-1].role if self._messages else "assistant"
        self._turns = PastedTurns(people, last=last)
        self._keys = Keys(typed=typed)
        self._paste: list[str] = []
        self._sessions: dict[str, int] = {}
        """The sessions that something was added to, and how many messages of each came in here."""
        self._coming = 0
        self._shown = False
        """True if lines of this turn are on the terminal as they were typed."""
        self._gauge_line = ""
        self._now = 0.0
        self._since: float | None = None
        self._tried: float | None = None

    # -- beginning and end ---------------------------------------------------------------------

    def begin(self) -> None:
        """Show how it works, and how full the window is."""
        say, me = self._console.say, self._names["assistant"]
        if not self._typed:
            say("Recording messages from standard input as they come, until its end or Ctrl-C.")
            return
        say("Paste each message as it comes; it is recorded at once.")
        say(f"You: or {me}: at the beginning of a line says who speaks; otherwise the speakers alternate.")
        say(f"A paste is one message. A typed message ends with an empty line, or a line with only {END}")
        say("Ctrl-D or Ctrl-C stops.")
        self._show_gauge()
        self._draw()

    def take(self, data: bytes, now: float) -> None:
        """Process input."""
        self._now = self._since = now
        self._coming += len(data)
        if self._coming > LARGEST_FILE:
            self._stream.say_once(f"One turn is larger than {LARGEST_FILE >> 20} MB; it was left out.")
            self._turns.forget()
            self._paste.clear()
            self.ended = True
            return
        for one in self._keys.feed(data):
            if isinstance(one, str):
                self._type(one)
            elif one is Key.PASTED:
                self._end_paste()
            elif one is Key.END and self._turns.open is not None:
                self._keep(self._turns.close())
            elif one is Key.END:
                self.ended = True
                return
            else:
                self._turns.cut(1 if one is Key.ERASE else len(self._turns.part))
        if self._typed:
            self._record()
            self._draw()

    def rest(self, now: float) -> None:
        """Record what is whole after a pause, and an open turn after `idle` seconds."""
        self._now = now
        if self._since is None or (self._tried is not None and now - self._tried < RETRY):
            return
        quiet = now - self._since
        if self._typed and self._turns.blank and not self._keys.pasting:
            self._keep(self._turns.close())
        if self._typed or quiet >= PAUSE:
            self._record()
        if quiet >= self._idle and self._turns.open is not None:
            self._record(whole=True)
            self._since = None
        self._draw()

    def end(self) -> None:
        """Record what was given, also of a turn that has not ended, and say what was recorded in all.

        Raises StateError where the kit would not take it; then it lies beside, in a file.
        """
        for one in self._keys.feed(b"", final=True):
            if isinstance(one, str):
                self._type(one)
        self._end_paste()
        self._keep(self._turns.close())
        if self._console.err.isatty():
            self._console.say()  # off the line on which the terminal wrote ^C
        self._record()
        if self._waiting:
            self._stream.save_beside(self._messages)
        if not self._sessions:
            self._console.say("Nothing new was said.")
            return
        told = tell_many(sum(self._sessions.values()), "message")
        self._console.say(f"Recorded {told} in {tell_many(len(self._sessions), 'chat')}.")
        self._console.say(f"To go on with it:  reel record --watch - --session {list(self._sessions)[-1]}")
        self._console.next_step("Next:  reel end")

    # -- turns ---------------------------------------------------------------------------------

    def _go_on(self, session: str) -> GrowingChat:
        """Return the stream of a session on the tape; raises ReelError if missing or retracted."""
        stream = GrowingChat(self._opened, FORMAT, session)
        self._gauges.gauge(session).look(stream.base)
        return stream

    @property
    def _waiting(self) -> bool:
        """Return whether a turn that has ended is not on the tape yet."""
        return self._stream.waits(self._messages)

    def _type(self, text: str) -> None:
        """Add text; typed text is shown line by line, and pasted text when its turn has ended."""
        if self._keys.pasting:
            self._paste.append(text)
            return
        if self._raw:
            *lines, _ = (self._turns.part + text).split("\n")
            for line in lines:
                if line.strip() and line.strip() != END:
                    self._console.say(
                        f"  {line}" if self._shown else f"{self._name(self._turns.speaker)}{line}"
                    )
                    self._shown = True
        self._keep(self._turns.feed(text))

    def _end_paste(self) -> None:
        """Add a whole paste, which ends its turn."""
        if self._paste:
            text = "".join(self._paste)
            self._paste.clear()
            self._keep(self._turns.paste(text))

    def _keep(self, turns: "Sequence[PastedTurn]") -> None:
        """Store ended turns; a bundle, if something was said already, begins a new chat."""
        for turn in turns:
            self._coming = 0
            if self._messages and find_bundle(turn.text) is not None:
                self._begin_anew()
            now = stamp(self._opened.now())
            self._stream.started = self._stream.started or now
            self._messages.append(_message(turn, now))
            seen = self._gauge.look(self._messages, len(self._messages) - 1)
            if self._raw and not self._shown:
                self._console.say(f"{self._name(turn.role)}{one_line(_told(turn.text), SHOWN)}")
            self._shown = False
            if self._typed:
                self._show_gauge()
            self._gauges.tell(self._title, seen)

    def _begin_anew(self) -> None:
        """Continue in a new session if all of the previous one is on the tape."""
        self._record()
        if not self._waiting:
            self._stream, self._messages = GrowingChat(self._opened, FORMAT), []
            self._console.say("That is a bundle, so a new chat begins here.")

    @property
    def _gauge(self) -> "Gauge":
        return self._gauges.gauge(self._stream.name)

    @property
    def _title(self) -> str:
        first = next((message.text for message in self._messages if find_bundle(message.text) is None), "")
        return f"“{opening_of(first)}”" if first else "This chat"

    # -- recording -----------------------------------------------------------------------------

    def _record(self, *, whole: bool = False) -> None:
        """Record new turns; `whole`: with the turn that has not ended, as it is."""
        stream, messages = self._stream, tuple(self._messages)
        still = self._turns.open if whole else None
        if still is None and not self._waiting:
            return
        open_turn = (_message(still, stamp(self._opened.now())),) if still is not None else ()
        recorded = stream.record(messages, open_turn)
        if recorded is None:
            # sending failed, or there is only text from reel yet
            self._tried = self._now if stream.stuck is not None else None
            return
        self._tried = None
        talk, found = recorded
        if found.added:
            self._announce(talk, found)
        if not self._typed:
            self._show_gauge()
        stream.note(found.called, self._gauge.full)

    def _announce(self, talk: Conversation, found: "RecordPlan") -> None:
        new = found.session not in self._sessions
        self._sessions[found.session] = found.messages - len(self._stream.base)
        if self._as_json:
            row = as_json_row(offer(talk, 1, "-"), found)
            self._console.result(json.dumps(row, ensure_ascii=False), whole=True)
        elif new or not self._typed:
            more = f"{found.added:,} more {'message' if found.added == 1 else 'messages'}"
            if found.state.value == "new":
                more = f"{tell_many(found.added, 'message')}, recorded as {found.session}"
            line = f"{self._opened.now():%H:%M}  {found.called}: {more}"
            self._console.result(self._console.wrap(line, self._console.out))
        self._console.flush()

    # -- on the screen -------------------------------------------------------------------------

    def _show_gauge(self) -> None:
        console, full = self._console, self._gauge.full
        line = line_of(full, columns(console.err) if console.redraws else 0)
        if line != self._gauge_line:
            self._gauge_line = line
            console.say(line)

    def _draw(self) -> None:
        """Keep the line up to date on which it is typed."""
        if self._raw and not self.ended:
            name = "  " if self._shown else self._name(self._turns.speaker)
            part = self._turns.part
            room = max(8, columns(self._console.err) - len(name) - 2)
            # other than ASCII may be two columns wide
            self._console.live(f"{name}{part[-room:] if part.isascii() else part[-room // 2 :]}")

    def _name(self, role: str) -> str:
        return f"{self._names[role]} > "


def _told(text: str) -> str:
    """Return a pasted turn as it is shown; a bundle or a prompt by its kind."""
    for find, name in ((find_bundle, BUNDLE), (find_prompt, PROMPT)):
        if (span := find(text)) is not None:
            return f"{text[: span[0]]} {name} {text[span[1] :]}"
    return text


def _message(turn: PastedTurn, now: str) -> Message:
    return Message(turn.role, turn.text, Kind.SYSTEM if turn.role == "system" else Kind.SAID, time=now)
