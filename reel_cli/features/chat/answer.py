"""One answer in a chat: asked for, shown as it comes, with what the persona looks up on the way."""

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from reel_cli.core.moment import stamp
from reel_cli.core.tape.formats.finish import split_reasoning
from reel_cli.core.values.change import tell_many
from reel_cli.features.chat.recall_request import ABOVE, NO_MORE, NOTHING, find_request
from reel_cli.features.chat.voice import Voice
from reel_cli.features.wire.chat import Listener, Reply, ReplyForm, ReplyProgress, in_turns
from reel_cli.features.wire.connect import note_limit
from reel_cli.features.wire.wire_error import TooLongError, WireError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from datetime import datetime

    from reel_cli.features.chat.mind import Mind
    from reel_cli.features.chat.talk import OutgoingMessages, Talk
    from reel_cli.features.watch.chat_spool import ChatSpool
    from reel_cli.features.wire.connect import Connection
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit

REQUESTS = 2
"""Number of times the model may ask for a moment before one answer."""


class _Enough(Exception):  # noqa: N818 (nothing is wrong: the rest of a reply is of no use)
    """A reply asks for a moment, and is not heard to its end."""


class _NoScreen(Exception):  # noqa: N818
    """An error for a reply that nobody reads any more; it is not one of the server's errors."""


@dataclass(frozen=True, slots=True)
class Answer:
    """The reply ("" for none) and the thinking before it; `stopped` means by the person.

    `why` says in words why it is not whole, or is none.
    """

    said: str
    thinking: str = ""
    stopped: bool = False
    why: str = ""
    looked_up: "Sequence[tuple[str, str]]" = ()
    """The queries of the persona on the way, each with the text that came back."""
    too_long: TooLongError | None = None
    """The server's refusal of a chat that is too long for its model."""


@dataclass(slots=True)
class _Heard:
    """The parts of a reply received so far."""

    text: str = ""
    thought: str = ""
    failed: bool = False
    stopped: bool = False
    cut: bool = False
    broken: bool = False
    too_long: TooLongError | None = None


@dataclass
class AnswerSource:
    """A source of one chat's answers from one server."""

    opened: "OpenKit"
    to: "Connection"
    name: str
    talk: "Talk"
    now: "Callable[[], datetime]"
    mind: "Mind | None"
    """The past to look things up in; None where there is none."""
    spool: "ChatSpool | None" = None
    """Spool that each piece is written to before it is shown."""
    _parts: list[str] = field(default_factory=list)
    """The answer under way, as far as it was written before the reply at hand."""
    _told: set[str] = field(default_factory=set)

    @property
    def console(self) -> "Console":
        """Return where it is shown."""
        return self.opened.console

    def said_so_far(self, voice: Voice) -> str:
        """Return the answer so far, if something other than the server ended it."""
        return "\n\n".join(filter(None, (*self._parts, voice.said)))

    def answer(self, came_back: str, voice: Voice) -> Answer:
        """Return the answer to what was said last, shown by `voice` except its end, or why there is none.

        `came_back` is what comes to mind over what was said.
        """
        parts = self._parts = []
        thoughts: list[str] = []
        after: list[tuple[str, str]] = []
        given: set[str] = set()
        looked_up: list[tuple[str, str]] = []
        for tries in range(REQUESTS + 1):
            sent = self.talk.send(came_back, after)
            self._tell_left_out(sent, came_back)
            if came_back and not sent.minded and not tries and self.mind is not None:
                self.mind.withdraw()
            voice.may_ask = self.mind is not None
            heard = self._hear(sent, voice)
            said, thought = split_reasoning(heard.text)
            thoughts += [heard.thought, *thought]
            request = find_request(said) if voice.may_ask else None
            parts.append((said if request is None else request.said).strip())
            if request is None or heard.stopped or heard.failed or self.mind is None:
                break
            voice.pause()
            if self.spool is not None:
                self.spool.end_part(parts[-1])
            if tries == REQUESTS:
                break
            after.append(("assistant", said.strip()))
            found = self.mind.look_up(request.query, self.talk.room_behind(after))
            found = ABOVE if found in given - {NOTHING} else found
            given.add(found)
            looked_up.append((request.query, found))
            after.append(("user", found if tries + 1 < REQUESTS else f"{found}\n\n{NO_MORE}"))
        said = "\n\n".join(filter(None, parts))
        why = self._why(heard, said=said)
        thinking = "\n\n".join(filter(None, thoughts))
        return Answer(said, thinking, heard.stopped, why, looked_up, heard.too_long)

    def _why(self, heard: _Heard, *, said: str) -> str:
        """Return why an answer is missing or not whole; "" if it is whole."""
        if heard.too_long is not None:
            return ""
        if not said and heard.failed:
            return "What you said is kept. To ask for an answer once more:  /again"
        if not said:
            why = "stopped before it said anything" if heard.stopped else "gave no answer"
            return f"{self.name} {why}. To ask again:  /again"
        if heard.broken:
            return "The server stopped in the middle of this answer. For another one:  /again"
        if heard.cut:
            whose = "the kit's (behavior.token_policy)" if self.talk.most else "the server's"
            return f"The answer is cut off: it reached {whose} limit."
        return ""

    def _hear(self, sent: "OutgoingMessages", voice: Voice) -> _Heard:
        """Return one reply of the model, shown as it comes; one that the person stops counts so far."""
        console, model, shown = self.console, self.to.loaded.model, self.to.shown

        def written(told: ReplyProgress) -> None:
            self._put_aside(told.words)
            try:
                voice.hear(told.words)
                if not voice.begun and console.redraws:
                    console.live(f"{model} thinks …")
            except (OSError, ValueError) as error:
                raise _NoScreen from error
            if voice.asks:
                raise _Enough

        def again(why: str, wait: float) -> None:
            voice.break_off()
            self._begin_try()
            console.say(f"{shown}: {why}. Once more in {wait:g} s.")

        if console.redraws:
            console.live(f"{model} reads …")
        self._begin_try()
        messages = in_turns([{"role": role, "content": text} for role, text in sent.messages])
        try:
            reply = self.to.server.reply(messages, Listener(written, again), ReplyForm(most=self.talk.most))
        except TooLongError as error:
            self.to = note_limit(self.opened, self.to, error, sent.tokens)
            voice.break_off()
            return _Heard(failed=True, too_long=error)
        except WireError as error:
            console.settle_live()
            voice.break_off()
            console.error(f"There is no answer from {shown}: {error.why}.", error.hint or None)
            return _Heard(failed=True)
        except _Enough:
            return _Heard(voice.text)
        except (KeyboardInterrupt, _NoScreen):
            return _Heard(voice.text, stopped=True)
        finally:
            console.settle_live()
        if voice.text != reply.text:
            # of several tries, keep the one that came furthest
            voice.break_off()
            voice.hear(reply.text)
        self._tell_read(reply, sent.tokens)
        return _Heard(reply.text, reply.thought, cut=reply.cut, broken=reply.broken)

    def _put_aside(self, words: str) -> None:
        if self.spool is not None:
            self.spool.hear(words)

    def _begin_try(self) -> None:
        if self.spool is not None:
            self.spool.begin_try(self.to.loaded.model, stamp(self.now()))

    def _tell_read(self, reply: Reply, size: int) -> None:
        if 0 < reply.read < size // 2:
            self._say_once(
                "read",
                f"{self.to.shown} says it read {reply.read:,} of about {size:,} tokens: part of the chat may"
                f" have been cut out. See  reel model detect {self.to.server.address.typed}",
            )

    def _tell_left_out(self, sent: "OutgoingMessages", came_back: str) -> None:
        if came_back and not sent.minded:
            self.console.say("  (there was no room for it)")
        if sent.left_out:
            self._say_once(
                "left out",
                f"There is no room left for the first {tell_many(sent.left_out, 'message')}; the tape has"
                " them. To sum up and go on from there:  /keep",
            )

    def _say_once(self, about: str, what: str) -> None:
        if about not in self._told:
            self._told.add(about)
            self.console.say(what)
