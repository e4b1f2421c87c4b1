"""`reel chat`: a chat with a model over the wire. It packs, talks, recalls and lets go, records, keeps."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.cli import keeping
from reel_cli.cli.beginnings import make_beginning
from reel_cli.cli.bundle import note_handed_out, tell_warnings
from reel_cli.cli.chat_mind import Mind
from reel_cli.cli.chat_voice import Voice
from reel_cli.cli.exchange import Manner, walk
from reel_cli.cli.gauging import line_of
from reel_cli.cli.growing import Growing
from reel_cli.cli.metrics_view import told_of_facts
from reel_cli.cli.recorded import count
from reel_cli.errors import ExitCode, ReelError
from reel_cli.exchange import looking_up
from reel_cli.flows.gauge import Gauge
from reel_cli.flows.keep_ask import Keeping
from reel_cli.flows.pack import Wish, pack_kit
from reel_cli.flows.stream import read_kept
from reel_cli.flows.talk import Talk
from reel_cli.model.moment import stamp
from reel_cli.model.tape import Kind, Message
from reel_cli.tape.formats.finish import split_reasoning
from reel_cli.tokens import get_tokenizer
from reel_cli.wire.chat import Listener, Reply, Told, in_turns
from reel_cli.wire.connection import WireError

if TYPE_CHECKING:
    from reel_cli.cli.connecting import Connected
    from reel_cli.cli.context import OpenKit
    from reel_cli.model.bundle import Bundle

FORMAT = "chat"
REQUESTS = 2
"""So often the model may ask for a moment before one answer."""
ASK_AGAIN = 5
"""So much fuller, of 100, the window is before somebody who said no is asked again."""
KEEPS = 3
"""So many stretches of a long chat are kept one after the other."""


@dataclass(frozen=True, slots=True)
class Begins:
    """How a chat begins: a bundle as it is wished for, or what goes on: a session, or the last keep."""

    wish: Wish
    session: str = ""
    resumes: bool = False


class _Enough(Exception):  # noqa: N818 (nothing is wrong: the rest of a reply is of no use)
    """A reply asks for a moment, and is not heard to its end."""


class Chat:
    """One chat, its turns given one by one: `begin`, `say` what the person says, `end`."""

    def __init__(self, opened: "OpenKit", to: "Connected", *, unasked: bool) -> None:
        """Talk to the model of a server; `unasked`: keep what it writes without a review."""
        self._opened, self._console, self._to = opened, opened.console, to
        self._unasked = unasked
        settings = opened.snapshot.settings
        self._settings, self._counter = settings, get_tokenizer(settings.tokenizer)
        self._window = min(to.loaded.context or settings.window, settings.window)
        self._talk = Talk(settings, self._counter, self._window)
        self._stream = Growing(opened, FORMAT)
        self._gauge = self._new_gauge()
        self._mind = Mind(opened)
        self._bundle = ""
        self._may_recall = False
        self._declined = 0
        """How full the window was, of 100, when the person last did not want to sum up."""
        self._told: set[str] = set()
        self._sessions: dict[str, int] = {}
        self._stuck: ReelError | OSError | None = None

    # -- beginning and end -----------------------------------------------------------------------

    def begin(self, how: Begins) -> None:
        """Pack, and say with whom it goes on and how much room there is.

        Raises ReelError where there is no such session, nothing was kept, or it does not fit.
        """
        if how.resumes:
            kept = read_kept(self._opened.snapshot)
            if kept is None:
                message = "Nothing was kept yet, so there is nothing to resume."
                raise ReelError(message, hint="begin a chat with  reel chat")
            self._wake(make_beginning(self._opened, kept).bundle)
        else:
            self._wake(pack_kit(self._opened.root, how.wish))
        if how.session:
            self._stream = Growing(self._opened, FORMAT, how.session)
            self._talk.turns = list(self._stream.base)
            self._look()
            self._console.say(
                f"{how.session} goes on, with {count(len(self._talk.said()), 'message')} in it."
            )
        context = self._to.loaded.context
        length = f", {context:,} tokens of context" if context else ""
        self._console.say(f"{self._settings.name} is {self._to.loaded.model} at {self._to.shown}{length}.")
        self._console.say(line_of(self._gauge.full))
        if self._console.interactive:
            self._console.say("/help shows more. Ctrl-D ends it with its page, Ctrl-C leaves it.")

    def leave(self) -> None:
        """Say what was recorded, and how to go on; StateError where the kit would not take it."""
        self._record()
        if self._stuck is not None and self._stream.waits(self._taped()):
            self._stream.save_beside(self._talk.turns, self._stuck)
        if not self._sessions:
            self._console.say("Nothing was said.")
            return
        told = f"{count(sum(self._sessions.values()), 'message')} in {count(len(self._sessions), 'session')}"
        self._console.say(f"Recorded {told}.")

    def end(self) -> None:
        """End it with its page: the persona looks at itself, and what it writes is kept after a review."""
        from reel_cli.cli.commands.checkpoint import offer_memory, to_hand_out  # noqa: PLC0415
        from reel_cli.cli.to_collect import exhale  # noqa: PLC0415
        from reel_cli.flows.due import new_messages  # noqa: PLC0415

        self.leave()
        context, session = self._opened.context, self._stream.session
        opened = context.open_kit()
        if not session or session not in opened.snapshot.sessions:
            return
        if not self._sessions or new_messages(opened.snapshot, session) == 0:
            return
        manner = Manner(yes=self._unasked, begins="reel chat")
        context.waiting = "its page can come later:  reel checkpoint"
        self._console.say(f"{self._settings.name} is asked for the page of {session}.")
        offer_memory(context, walk(opened, to_hand_out(opened, session, None), manner, in_chat=True), manner)
        exhale(context.open_kit())

    @property
    def goes_on_with(self) -> str:
        """How `reel chat` goes on with this one later; "" where nothing of it is on the tape."""
        if not self._sessions or not self._stream.session:
            return ""
        if self._talk.turns:
            return f"--session {self._stream.session}"
        return "--resume"

    # -- turns -----------------------------------------------------------------------------------

    def say(self, text: str) -> None:
        """Take what the person says: on the tape, to the model, and its answer on the tape."""
        if not self._talk.fits(text):
            size = self._counter.count(text)
            self._console.say(
                f"That has {size:,} tokens; there is no room for so much. It was not sent; say it in parts."
            )
            return
        self._talk.turns.append(Message("user", text, time=stamp(self._opened.now())))
        self._look()
        self._record()
        self._answer(self._recollect(text))

    def answer_again(self) -> None:
        """Have the model answer once more; what it said before stays on the tape as taken back."""
        before = self._talk.take_back_reply()
        said = self._talk.said()
        if not said:
            self._console.say("Nothing was said yet.")
            return
        if not self._answer(self._recollect(said[-1].text)):
            self._talk.turns += before

    def recall(self, query: str) -> None:
        """Look for a moment at the person's wish: shown to them, and before the model for its next answer."""
        self._mind.ask_for(query, self._talk.room_for_mind, self._stream.session or "")

    def show_fullness(self) -> None:
        """Say how full the window is."""
        self._console.say(line_of(self._gauge.full))

    def _recollect(self, text: str) -> str:
        """What comes to mind over what was said, as it stands before the model; "" for nothing."""
        if not self._may_recall:
            return ""
        return self._mind.recollect(text, self._talk.room_for_mind, self._stream.session or "")

    def _answer(self, mind: str) -> bool:
        """Get the answer to what was said last, as it is written; whether there is one."""
        after: list[tuple[str, str]] = []
        said = said_before = thought = ""
        answered = any(turn.role == "assistant" for turn in self._talk.turns)
        voice = Voice(self._console, self._settings.name, apart=answered)
        for tries in range(REQUESTS + 1):
            sent = self._talk.send(mind, after)
            self._tell_left_out(sent.left_out, minded=sent.minded or not mind)
            messages = in_turns([{"role": role, "content": text} for role, text in sent.messages])
            voice.may_ask = self._may_recall and tries < REQUESTS
            reply = self._ask(messages, sent.tokens, voice)
            if reply is None:
                return self._keep_reply(said_before, "", voice) if said_before else False
            said, thought = split_reasoning(reply.text)[0].strip(), reply.thought
            request = looking_up.find_request(said) if voice.may_ask else None
            if request is None:
                break
            voice.pause()
            said_before = "\n\n".join(filter(None, (said_before, request.said)))
            found = self._mind.look_up(request.query, self._talk.room_for_mind, self._stream.session or "")
            after += [("assistant", said), ("user", found)]
        return self._keep_reply("\n\n".join(filter(None, (said_before, said))), thought, voice)

    def _keep_reply(self, said: str, thought: str, voice: Voice) -> bool:
        """Show what of an answer is not shown yet, and put it on the tape."""
        _, thoughts = split_reasoning(voice.text)
        voice.end()
        if not said:
            return False
        now, model = stamp(self._opened.now()), self._to.loaded.model
        self._talk.turns.append(Message("assistant", said, time=now, model=model))
        thinking = "\n\n".join(filter(None, (thought, *thoughts)))
        if thinking:
            self._talk.turns.append(Message("assistant", thinking, Kind.REASONING, time=now, model=model))
        self._look()
        self._record()
        return True

    def _ask(self, messages: Sequence[dict[str, str]], size: int, voice: Voice) -> Reply | None:
        """One answer of the model, shown as it comes; None where there is none.

        One that the person stops is an answer as far as it came.
        """
        console, model = self._console, self._to.loaded.model

        def written(told: Told) -> None:
            voice.hear(told.words)
            if voice.asks:
                raise _Enough
            if not voice.begun and console.redraws:
                console.live(f"{model} thinks …")

        def again(why: str, wait: float) -> None:
            voice.break_off()
            console.say(f"{self._to.shown}: {why}. Once more in {wait:g} s.")

        if console.redraws:
            console.live(f"{model} reads …")
        try:
            reply = self._to.server.reply(messages, Listener(written, again))
        except WireError as error:
            console.settle_live()
            voice.break_off()
            console.error(f"{self._to.shown} could not be asked: {error.why}.", error.hint or None)
            console.say("What you said is on the tape. For an answer:  /again")
            return None
        except _Enough:
            return Reply(voice.text, cut=True)
        except KeyboardInterrupt:
            console.settle_live()
            if not voice.said:
                voice.break_off()
                console.say("Stopped before anything was said. For an answer:  /again")
                return None
            return Reply(voice.text, cut=True)
        finally:
            console.settle_live()
        if voice.text != reply.text:
            # of several tries, the one that came furthest
            voice.break_off()
            voice.hear(reply.text)
        if 0 < reply.read < size // 2:
            self._say_once(
                "read",
                f"{self._to.shown} says it read {reply.read:,} of about {size:,} tokens: part of the chat may"
                " have been cut out. See  reel model detect",
            )
        return reply

    # -- the window --------------------------------------------------------------------------------

    def keep_if_due(self) -> None:
        """Sum up and go on from there where the window is as full as it should get; asked, or by itself."""
        full = self._gauge.full
        if not full.due or full.percent < self._declined + ASK_AGAIN * (self._declined > 0):
            return
        told = f"The window is {full.percent} % full."
        if self._unasked:
            self._console.say(f"{told} It is summed up now.")
        elif not self._console.interactive:
            self._say_once("full", f"{told} With --yes it would be summed up; later:  reel keep")
            return
        elif not self._console.confirm(f"{told} Sum it up and go on from there?"):
            self._declined = full.percent
            return
        if not self.keep():
            self._declined = full.percent

    def keep(self) -> bool:
        """Sum up the conversation, and go on from its summary in a new session; whether that was done."""
        self._record()
        manner = Manner(yes=self._unasked, goes_on=True)
        for _ in range(KEEPS):
            opened = self._opened.context.open_kit()
            try:
                ask = keeping.to_hand_out(opened, self._stream.session, Keeping())
                if keeping.walk_ask(opened, ask, manner) is None:
                    return False
                opened = self._opened.context.open_kit()
                kept = read_kept(opened.snapshot)
                begun = make_beginning(opened, kept) if kept is not None else None
            except ReelError as error:
                if error.exit_code is not ExitCode.MENDABLE:
                    raise
                self._console.error(error.message, error.hint)
                return False
            if begun is not None and not begun.gap:
                self._go_on_from(opened, begun.bundle)
                if told := told_of_facts(begun.facts):
                    self._console.say(told)
                return True
            self._console.say("There is more than one summary can hold; the rest is summed up as well.")
        return False

    def _go_on_from(self, opened: "OpenKit", bundle: "Bundle") -> None:
        """Go on in a new session, which begins with this bundle."""
        self._opened = opened
        self._stream = Growing(opened, FORMAT)
        self._talk = Talk(self._settings, self._counter, self._window)
        self._declined = 0
        self._mind = Mind(opened)
        self._gauge = self._new_gauge()
        self._wake(bundle)
        self._console.say(f"Going on from there. {line_of(self._gauge.full)}")

    def _wake(self, bundle: "Bundle") -> None:
        """Begin with a bundle, and with how to ask for more where there is a past."""
        tell_warnings(self._opened, bundle)
        note_handed_out(self._opened, bundle)
        self._bundle = bundle.text
        self._may_recall = bool(self._opened.snapshot.sessions)
        self._talk.system = (
            f"{bundle.text.rstrip()}\n\n{looking_up.NOTE}" if self._may_recall else bundle.text
        )
        self._look()

    def _new_gauge(self) -> Gauge:
        return Gauge(self._settings, self._counter, self._opened.snapshot.index.lines.values())

    def _taped(self) -> list[Message]:
        """The chat as it goes on the tape: what it began with, and what was said."""
        began = [] if self._stream.base else [Message("system", self._bundle, Kind.SYSTEM)]
        return [*began, *self._talk.turns]

    def _look(self) -> None:
        """Count what is new, and note which phrases of the index came up in it."""
        seen = self._gauge.look([Message("system", self._bundle, Kind.SYSTEM), *self._talk.turns])
        self._mind.named += seen.named

    def _tell_left_out(self, left_out: int, *, minded: bool) -> None:
        if not minded:
            self._console.say("  (there was no room for it)")
        if left_out:
            self._say_once(
                "left out",
                f"There is no room any more for the first {count(left_out, 'message')}; the tape has them."
                " To sum up and go on from there:  /keep",
            )

    # -- the tape ----------------------------------------------------------------------------------

    def _record(self) -> None:
        """Put on the tape what is new; what is in the way is told, and it is tried again the next time."""
        messages = self._taped()
        if not self._stream.waits(messages):
            return
        try:
            recorded = self._stream.record(messages)
        except (ReelError, OSError) as error:
            self._stuck = error
            why = error.message if isinstance(error, ReelError) else f"{error.strerror or error}."
            self._say_once(why, f"{why} It is not on the tape yet; it is tried again.")
            return
        if recorded is None:
            return
        _, found = recorded
        self._stuck = None
        self._opened.look_again()
        self._sessions[found.session] = found.messages - len(self._stream.base)
        self._stream.note(found.called, self._gauge.full)

    def _say_once(self, about: str, what: str) -> None:
        if about not in self._told:
            self._told.add(about)
            self._console.say(what)
