"""`reel chat`: a chat with a model over the wire. It packs, talks, recalls and lets go, records, keeps."""

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError
from reel_cli.core.moment import stamp
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import one_line, tell_many
from reel_cli.core.values.talk import Kind, Message
from reel_cli.features.chat.answer import AnswerSource
from reel_cli.features.chat.fit_window import wants_summary
from reel_cli.features.chat.mind import Mind
from reel_cli.features.chat.recall_request import NOTE
from reel_cli.features.chat.talk import Talk
from reel_cli.features.chat.voice import Voice
from reel_cli.features.recall.moments import CAME_TO_MIND
from reel_cli.features.status.metrics_view import told_of_facts
from reel_cli.features.stream import walk as keeping
from reel_cli.features.stream.ask import KeepOptions
from reel_cli.features.stream.stretch import find_stretch, read_kept
from reel_cli.features.stream.view import make_beginning
from reel_cli.features.watch.gauge import Gauge
from reel_cli.features.watch.gauge_view import line_of
from reel_cli.features.watch.growing_chat import GrowingChat, write_beside
from reel_cli.features.wire.wire_error import TooLongError
from reel_cli.terminal.bundle_view import note_handed_out, tell_warnings
from reel_cli.terminal.converse import ExchangeOptions, walk_through

if TYPE_CHECKING:
    from collections.abc import Sequence

    from reel_cli.core.values.bundle import Bundle
    from reel_cli.features.wire.connect import Connection
    from reel_cli.terminal.open_kit import OpenKit

FORMAT = "chat"
ASK_AGAIN = 5
"""Percent by which the window must be fuller before somebody who said no is asked again."""
HARDLY = 50
"""Percent of the window below which summing up frees hardly any room."""
SHOWN = 160
"""Characters of the last turn that are shown."""
KEEPS = 3
"""Maximum number of stretches of a long chat that are kept one after the other."""


@dataclass(frozen=True, slots=True)
class Begins:
    """The beginning of a chat: a new bundle, a session that goes on, or the last keep."""

    wish: BundleRequest
    session: str = ""
    resumes: bool = False


class Chat:
    """One chat, its turns given one by one: `begin`, `say` what the person says, `end` or `leave`."""

    def __init__(self, opened: "OpenKit", to: "Connection", *, unasked: bool) -> None:
        """Connect to the model of a server; `unasked`: keep what it writes without a review."""
        self._console, self._to = opened.console, to
        opened.context.chats = True
        self._unasked = unasked
        self._sessions: dict[str, int] = {}
        """The sessions that something was added to, and how many messages of each came in here."""
        self._start(opened)

    def _start(self, opened: "OpenKit") -> None:
        """Begin a conversation of its own, with the kit as it is now."""
        self._opened = opened
        self._settings = settings = opened.snapshot.settings
        self._counter = get_tokenizer(settings.tokenizer)
        self._talk = Talk(
            settings, self._counter, min(self._to.loaded.context or settings.window, settings.window)
        )
        self._stream = GrowingChat(opened, FORMAT)
        self._gauge = Gauge(settings, self._counter, opened.snapshot.index.lines.values())
        self._mind = Mind(opened)
        self._has_past = bool(opened.snapshot.sessions)
        mind = self._mind if self._has_past else None
        self._answering = AnswerSource(opened, self._to, settings.name, self._talk, opened.now, mind)
        self._bundle = ""
        self._declined = 0
        """Percent of the window in use when the person last declined to sum up."""

    # -- beginning and end -----------------------------------------------------------------------

    def begin(self, how: Begins) -> None:
        """Pack, and say with whom it goes on and how much room there is.

        Raises ReelError where there is no such session, nothing was kept, or it does not fit.
        """
        if how.resumes:
            kept = read_kept(self._opened.snapshot)
            if kept is None:
                message = "Nothing was summed up yet, so there is nothing to resume."
                raise ReelError(message, hint="begin a chat with  reel chat")
            self._wake(make_beginning(self._opened, kept).bundle)
        elif how.session:
            self._go_on_with(how.session, how.wish)
        else:
            self._wake(pack_kit(self._opened.root, how.wish))
        context = self._to.loaded.context
        length = f", {context:,} tokens of context" if context else ""
        self._console.say(f"{self._settings.name} is {self._to.loaded.model} at {self._to.shown}{length}.")
        self.show_fullness()
        if self._console.interactive:
            self._console.say("/help shows more. Ctrl-D ends it with its page, Ctrl-C leaves it.")

    def _go_on_with(self, session: str, wish: BundleRequest) -> None:
        """Continue a session on the tape: its messages, and the summary that it went on from."""
        self._stream = GrowingChat(self._opened, FORMAT, session)
        self._mind.session = session
        self._talk.turns = list(self._stream.base)
        stretch = find_stretch(self._opened.snapshot, session) if self._talk.turns else None
        if stretch is not None and stretch.kept is not None:
            # of the session that was summed up, the bundle has the turns that are in no summary yet
            self._talk.told = len(self._talk.turns) if stretch.kept.session == session else 0
            self._wake(make_beginning(self._opened, stretch.kept).bundle)
        else:
            self._wake(pack_kit(self._opened.root, wish._replace(began=False)))
        self._console.say(
            f"{session} goes on, with {tell_many(len(self._talk.turns), 'message')} in it. Said last:"
        )
        names = {"user": self._settings.user, "assistant": self._settings.name}
        for turn in self._talk.turns[-2:]:
            self._console.say(f"  {names.get(turn.role, turn.role)}: {one_line(turn.text, SHOWN)}")

    def leave(self) -> None:
        """Report what was recorded; StateError if the kit refused it, with the place where it is then."""
        told = self._put_away()
        if not self._sessions:
            self._console.say(told or "Nothing was said.")
            return
        told = tell_many(sum(self._sessions.values()), "message")
        self._console.say(f"Recorded {told} in {tell_many(len(self._sessions), 'chat')}.")

    def rescue(self) -> None:
        """Keep what was said and is not on the tape yet, where the chat ends by an error."""
        try:
            told = self._put_away()
        except StateError as error:
            self._console.error(error.message, error.hint)
        else:
            if told:
                self._console.say(told)

    def end(self) -> None:
        """End it with its page: the persona looks at itself, and what it writes is kept after a review."""
        from reel_cli.features.page.command_checkpoint import offer_memory
        from reel_cli.features.page.kept_pages import new_messages
        from reel_cli.features.page.walk import checkpoint_walk

        self.leave()
        context, session = self._opened.context, self._stream.session
        opened = context.open_kit()
        if not session or not self._sessions or new_messages(opened.snapshot, session) == 0:
            return
        manner = ExchangeOptions(yes=self._unasked, begins="reel chat")
        context.waiting = "its page can come later:  reel end"
        self._console.say(f"{self._settings.name} is asked for the page of {session}.")
        walk = checkpoint_walk(opened, manner, session)
        offer_memory(context, walk_through(opened, walk, walk.due(), manner), manner)
        context.open_kit().breathe(ends=True)
        if len(self._sessions) > 1:
            self._console.next_step("The part that was summed up has no memory yet:  reel consolidate")

    @property
    def user(self) -> str:
        """Return the person's name."""
        return self._settings.user

    @property
    def goes_on_with(self) -> str:
        """Return the option with which `reel chat` continues this chat; "" if none of it is on the tape."""
        if not self._sessions:
            return ""
        return f"--session {self._stream.session}" if self._stream.session else "--resume"

    # -- turns -----------------------------------------------------------------------------------

    def say(self, text: str) -> bool:
        """Record the person's words, send them to the model, and record its answer.

        Whether there was an answer.
        """
        if not self._talk.fits(text):
            size = self._counter.count(text)
            self._console.say(
                f"That has {size:,} tokens; there is no room for that much. It was not sent; say it in parts."
            )
            return False
        self._talk.turns.append(Message("user", text, time=stamp(self._opened.now())))
        self._stream.put_aside(self._messages())
        self._look()
        self._record()
        return self._answer(text)

    def answer_again(self) -> None:
        """Ask the model for another answer; the previous one stays on the tape as retracted."""
        said = self._talk.said()
        asked = next((turn.text for turn in reversed(said) if turn.role == "user"), None)
        if asked is None:
            self._console.say("You have said nothing yet.")
            return
        talk = self._talk
        before, answered = talk.take_back_reply(), False
        try:
            answered = self._answer(asked)
        finally:
            if not answered:
                talk.turns += before

    def recall(self, query: str) -> None:
        """Look for a moment at the person's wish: shown to them, and before the model for its next answer."""
        self._mind.ask_for(query, self._talk.room_for_mind)

    def show_fullness(self) -> None:
        """Show how full the window is."""
        self._console.say(line_of(self._gauge.full))

    def _answer(self, text: str) -> bool:
        """Request an answer, show it, and record it; return whether there is one.

        Raises KeyboardInterrupt where nobody reads on who could say what comes next: a pipe was stopped.
        """
        came_back = self._mind.recollect(text, self._talk.room_for_mind) if self._has_past else ""
        answered = any(turn.role == "assistant" for turn in self._talk.turns)
        voice = Voice(self._console, self._settings.name, apart=answered)
        self._answering.spool = self._stream.spool
        try:
            answer = self._answering.answer(came_back, voice)
        except BaseException:
            # whatever ends it, the part that was shown is kept
            self._take(self._answering.said_so_far(voice))
            self._settle()
            raise
        self._take(answer.said, answer.thinking, answer.looked_up)
        try:
            voice.end()
        finally:
            self._settle()
        if answer.too_long is not None:
            return self._make_room(text, answer.too_long)
        if answer.why:
            self._console.say(f"  ({answer.why})")
        if answer.stopped and (self._opened.context.ended or not self._console.interactive):
            raise KeyboardInterrupt
        return bool(answer.said)

    def _make_room(self, text: str, refusal: TooLongError) -> bool:
        """Sum up, if that is wished, or send less, where a server says how much its model takes.

        Whether there is an answer then.
        """
        self._to, talk = self._answering.to, self._talk
        before, talk.window = talk.window, min(talk.window, self._to.loaded.context)
        told = f"{self._to.loaded.model} at {self._to.shown} refused this: {refusal.why}."
        if talk.window >= before or not talk.fits(text):
            self._console.error(told, refusal.hint)
            return False
        self._console.say(told)
        limit = self._to.loaded.context
        if len(talk.said()) > 1 and wants_summary(self._opened, limit, unasked=self._unasked):
            # it is said again behind the summary, and counts once
            asked = talk.turns.pop()
            if self.keep():
                return self.say(text)
            talk.turns.append(asked)
        return self._answer(text)

    def _take(self, said: str, thinking: str = "", looked_up: "Sequence[tuple[str, str]]" = ()) -> None:
        """Record an answer, with what was looked up for it and the thinking before it (REEL §4.6).

        What came back without being asked for is recorded by its places: its words are on the tape already.
        It is on the disk before its end is shown.
        """
        if not said:
            return
        now, model = stamp(self._opened.now()), self._to.loaded.model
        if self._mind.places:
            came = f"{CAME_TO_MIND}{json.dumps(self._mind.places)[1:]}}}"
            self._talk.turns.append(Message("tool", came, Kind.TOOL, name="recall", time=now))
            self._mind.places = ()
        for query, found in looked_up:
            call = json.dumps({"name": "recall", "arguments": {"query": query}}, ensure_ascii=False)
            self._talk.turns.append(Message("assistant", call, Kind.TOOL, time=now, model=model))
            self._talk.turns.append(Message("tool", found, Kind.TOOL, name="recall", time=now))
        self._talk.turns.append(Message("assistant", said, time=now, model=model))
        if thinking:
            self._talk.turns.append(Message("assistant", thinking, Kind.REASONING, time=now, model=model))
        self._stream.put_aside(self._messages())

    def _settle(self) -> None:
        """Record the spoken turns on the tape."""
        if self._stream.waits(self._messages()):
            self._look()
            self._record()

    # -- the window --------------------------------------------------------------------------------

    def keep_if_due(self, coming: str = "") -> None:
        """Sum up and go on from there where the window is as full as it should get; asked, or by itself.

        `coming` is what is said next, and would make it so full.
        """
        full = self._gauge.full
        if coming and self._talk.said():
            full = full._replace(turns=full.turns + self._counter.count(coming))
        if not full.due or (self._declined and full.percent < self._declined + ASK_AGAIN):
            return
        told = (
            f"With that the {full.held_to} is {full.percent} % full."
            if coming
            else f"The {full.held_to} is {full.percent} % full."
        )
        if self._unasked:
            self._console.say(f"{told} Summing it up now.")
        elif not self._console.interactive:
            self._stream.say_once(f"{told} With --yes it would be summed up; later:  reel keep")
            self._declined = full.percent
            return
        elif not self._console.confirm(f"{told} Sum it up and go on from there?"):
            self._declined = full.percent
            return
        if not self.keep():
            self._declined = full.percent

    def keep(self, *, by_hand: bool = False) -> bool:
        """Sum up the conversation, and go on from its summary in a new session; whether that was done."""
        if not self._talk.said():
            self._console.say("Nothing was said yet.")
            return False
        if not self._record():
            self._console.say("Part of it is not recorded yet, so it cannot be summed up now.")
            return False
        full = self._gauge.full
        hardly = (
            f"The {full.held_to} is only {full.percent} % full; summing up would free very little."
            " Sum up anyway?"
        )
        if (
            by_hand
            and full.percent < HARDLY
            and not self._unasked
            and not self._console.confirm(hardly, default=False)
        ):
            return False
        try:
            return self._keep()
        except KeyboardInterrupt:
            self._console.settle_live()
            self._console.say()
            if self._opened.context.ended:
                raise
            self._console.say("It was not summed up; the chat goes on as it was.")
        except ReelError as error:
            self._console.error(error.message, error.hint)
        return False

    def _keep(self) -> bool:
        manner = ExchangeOptions(yes=self._unasked, goes_on=True)
        for _ in range(KEEPS):
            opened = self._opened.context.open_kit()
            ask = keeping.to_hand_out(opened, self._stream.session, KeepOptions())
            walk = keeping.walk_of(opened, ask.span.session, ask.wished, manner)
            if walk_through(opened, walk, ask, manner) is None:
                return False
            opened = self._opened.context.open_kit()
            kept = read_kept(opened.snapshot)
            begun = make_beginning(opened, kept) if kept is not None else None
            if begun is not None and not begun.gap:
                self._stream.close()
                self._start(opened)
                self._wake(begun.bundle)
                self._console.say(f"Going on from there. {line_of(self._gauge.full)}")
                if told := told_of_facts(begun.facts):
                    self._console.say(told)
                return True
            self._console.say("There is more than one summary can hold.")
        self._console.say("The rest is not summed up yet. To go on with that:  /keep")
        return False

    def _wake(self, bundle: "Bundle") -> None:
        """Begin with a bundle, and with how to ask for more where there is a past."""
        tell_warnings(self._opened, bundle)
        note_handed_out(self._opened, bundle)
        self._bundle = bundle.text
        note = f"\n\n{NOTE}" if self._has_past else ""
        manner = f"\n\n{self._talk.manner}" if self._talk.manner else ""
        self._talk.system = f"{bundle.text.rstrip()}{note}{manner}"
        self._look()

    def _look(self) -> None:
        """Count what is new, and note which phrases of the index came up in it."""
        # what was looked up is let go once it is answered
        turns = [turn for turn in self._talk.turns if turn.kind is not Kind.TOOL]
        seen = self._gauge.look([Message("system", self._bundle, Kind.SYSTEM), *turns])
        self._mind.named += seen.named

    # -- the tape ----------------------------------------------------------------------------------

    def _put_away(self) -> str:
        """Record all of it on the tape, or in a file beside it, as StateError says then.

        Return what to say of words that had no answer; "" else.
        """
        if self._is_unanswered:
            said = self._talk.said()
            path = write_beside(self._opened, FORMAT, said) if said else None
            # only now: until then what was said lies in the spool alone
            self._stream.close()
            self._talk.turns.clear()
            if path is None:
                return ""
            return f"There was no answer, so no chat was recorded. What you said lies in {path}"
        if self._record():
            self._stream.close()
        else:
            self._stream.save_beside(self._messages())
        return ""

    @property
    def _is_unanswered(self) -> bool:
        """Return whether a chat has only just begun: a session begins with the first answer."""
        turns = self._talk.turns
        return self._stream.session is None and not any(turn.role == "assistant" for turn in turns)

    def _messages(self) -> list[Message]:
        """Return the chat for the tape: its beginning, unless it began earlier, and its turns."""
        began = [] if self._stream.goes_on else [Message("system", self._bundle, Kind.SYSTEM)]
        return [*began, *self._talk.turns]

    def _record(self) -> bool:
        """Record new turns; return whether the tape has all of it now. Obstacles are reported."""
        messages = self._messages()
        if self._is_unanswered or not self._stream.waits(messages):
            return True
        recorded = self._stream.record(messages)
        if recorded is None:
            # nobody has said anything yet, or sending failed
            return self._stream.stuck is None
        _, found = recorded
        self._opened.look_again()
        self._mind.session = found.session
        self._sessions[found.session] = found.messages - len(self._stream.base)
        self._stream.note(found.called, self._gauge.full)
        return True
