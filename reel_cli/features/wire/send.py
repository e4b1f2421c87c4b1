"""A prompt over the wire: where it goes is said, the reply taken as a pasted one, the rest asked for."""

import re
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from reel_cli.core.errors import ExitCode, ReelError, UnusableError
from reel_cli.core.exchange.companion_asks import LEAST_REPLY, fits_along, gather_along, room_for_reply
from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.behavior import wire_limit
from reel_cli.core.values.change import one_line
from reel_cli.core.values.settings import MOST_EFFORT
from reel_cli.features.wire.chat import (
    Listener,
    Message,
    Reply,
    ReplyForm,
    ReplyProgress,
    in_turns,
    whole_parts,
)
from reel_cli.features.wire.connect import address_of, connect, note_limit
from reel_cli.features.wire.wire_error import TooLongError, WireError
from reel_cli.terminal.transport_option import CarryResult, Parcel

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

Taken = TypeVar("Taken")

REPAIRS = 2
"""Number of times the rest of a reply is asked for by itself."""
_DEEPEST = "high"
"""The deepest thinking that servers commonly know by a word."""
_LONGEST_NAME = 80
"""Maximum characters of a model's name."""
_ON_DISK = re.compile(r"[~.]{0,2}[\\/]|[A-Za-z]:[\\/]")
_SIGN = 4
"""Approximate characters of a token, for the progress while a reply is written."""


def carry_over_wire(opened: "OpenKit", parcel: Parcel, take: Callable[[str], Taken]) -> CarryResult[Taken]:
    """Send a prompt, and give the reply to `take`; what is missing is asked for twice at most.

    Where it cannot be had over the wire, nothing is lost: what is left to paste comes back with the reason.
    """
    left, tries = parcel, 0
    held: list[str] = []
    try:
        wire = _Wire(opened, parcel)
        messages = wire.begin()
        while True:
            try:
                effort = _DEEPEST if parcel.effort == MOST_EFFORT else parcel.effort
                text = wire.ask(messages, ReplyForm(parcel.shape, effort, wire.most))
            except TooLongError as error:
                if tries:
                    raise
                wire.learn(error)
                messages = wire.begin()
                continue
            with opened.console.hold_json() as held, wire.named():
                try:
                    taken = take(text)
                except UnusableError as error:
                    why: UnusableError = error
                else:
                    opened.console.release(held)
                    return CarryResult(taken)
            tries += 1
            left = replace(left, prompt=why.repair or left.prompt)
            if not why.repair or tries > REPAIRS:
                return CarryResult(left=left, why=why, tries=tries, held=held)
            opened.console.say(f"{why.message} It is asked once more over the wire ({tries} of {REPAIRS}).")
            messages = _once_more(messages, text, why.repair)
    except WireError as error:
        opened.console.settle_live()
        hint = error.hint or None
        told = ReelError(f"{address_of(opened).shown} could not be asked: {error.why}.", hint=hint)
        return CarryResult(left=left, why=told, tries=tries, held=held)
    except ReelError as error:
        if error.exit_code is not ExitCode.MENDABLE or not opened.console.interactive or not tries:
            opened.console.release(held)
            raise
        return CarryResult(left=left, why=error, tries=tries, held=held)


def plain_name(model: str) -> str:
    """Return a model's name for a file of the kit: of a path on the server's disk, the file."""
    name = one_line(model, 2 * _LONGEST_NAME)
    if _ON_DISK.match(name):
        name = re.split(r"[\\/]", name.rstrip("\\/"))[-1]
    return name[:_LONGEST_NAME].strip()


def _once_more(messages: Sequence[Message], text: str, repair: str) -> Sequence[Message]:
    """Return the chat with a request for the rest; the same prompt again starts anew."""
    if messages[-1]["content"].endswith(repair):
        return messages
    return [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": repair}]


def gather_chat(opened: "OpenKit", session: str, room: int) -> Sequence[Message]:
    """Return a prompt's chat, in so many tokens; raises WireError if they are too few."""
    if not fits_along(room):
        message = "the prompt leaves no room for the conversation it is about"
        raise WireError(message, hint="load the model with a longer context, or paste it into the chat")
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)

    def pack(window: int) -> str:
        try:
            return pack_kit(opened.root, BundleRequest(window=window or None, began=False)).text
        except ReelError:
            return ""

    found = gather_along(opened.snapshot, session, room, counter, pack)
    via = opened.context.via
    if via is None or not via.quiet:
        bundle = "the bundle and " if found.bundle else ""
        which = f"the last {found.sent:,} messages" if found.left_out else f"all {found.sent:,} messages"
        gone = f"; {found.left_out:,} earlier ones did not fit" if found.left_out else ""
        opened.console.say(f"The prompt is sent with {bundle}{which} of {session}{gone}.")
    return [{"role": role, "content": text} for role, text in found.messages]


class _Wire:
    """One server, for one prompt."""

    def __init__(self, opened: "OpenKit", parcel: Parcel) -> None:
        self._opened, self._parcel = opened, parcel
        self._counter = get_tokenizer(opened.snapshot.settings.tokenizer)
        self._to = connect(opened)
        self._size = 0
        self._answered = ""

    @contextmanager
    def named(self) -> Iterator[None]:
        """Say which model wrote the reply while it is read: a later one may be pasted from elsewhere."""
        self._opened.context.answered_by = plain_name(self._answered or self._to.loaded.model)
        try:
            yield
        finally:
            self._opened.context.answered_by = ""

    @property
    def _window(self) -> int:
        settings = self._opened.snapshot.settings
        return self._to.loaded.context or settings.window

    def begin(self) -> Sequence[Message]:
        """Return the first messages, and say where they go; raises WireError if they do not fit."""
        prompt = self._counter.count(self._parcel.prompt)
        room = self._window - room_for_reply(self._window) - prompt - self._window // 50
        before = self._parcel.before(room) if self._parcel.before is not None else ()
        messages = in_turns([*before, {"role": "user", "content": self._parcel.prompt}])
        self._size = sum(self._counter.count(one["content"]) for one in messages)
        model, context = self._to.loaded.model, self._to.loaded.context
        if context and self._size + LEAST_REPLY > context:
            message = (
                f"{model} is loaded with {context:,} tokens of context, and the prompt has {self._size:,}"
            )
            raise WireError(message, hint="load it with a longer context, so that nothing is cut out")
        if not self._quiet:
            length = f", {context:,} tokens of context" if context else ""
            self._opened.console.say(f"To {model} at {self._to.shown}{length}: {self._size:,} tokens.")
        return messages

    def learn(self, error: TooLongError) -> None:
        """Note the length that a server named; raises `error` if less of the chat could not be sent."""
        before = self._window
        self._to = note_limit(self._opened, self._to, error, self._size)
        if self._parcel.before is None or self._window >= before:
            raise error
        self._opened.console.say(f"{self._to.shown}: {error.why}. It is sent again with less of the chat.")

    @property
    def most(self) -> int:
        """Return the most tokens of a page: twice what the prompt asks for, as no heading may be cut off.

        0 for no limit: other prompts ask for a length of their own, and a story would be cut off.
        """
        if not self._parcel.limited:
            return 0
        return 2 * wire_limit(self._opened.snapshot.settings, room_for_reply(self._window))

    @property
    def _quiet(self) -> bool:
        via = self._opened.context.via
        return via is not None and via.quiet

    def ask(self, messages: Sequence[Message], form: ReplyForm) -> str:
        """Return the reply's text; of one that was cut off, the parts that are whole."""
        console = self._opened.console
        model = self._to.loaded.model

        def written(told: ReplyProgress) -> None:
            if self._parcel.heard is not None and told.words:
                self._parcel.heard(told.words)
            if console.redraws:
                many, doing = (told.said, "writes") if told.said else (told.thought, "thinks")
                console.live(f"{model} {doing}: about {many // _SIGN:,} tokens …")

        def again(why: str, wait: float) -> None:
            console.say(f"{self._to.shown}: {why}. Once more in {wait:g} s.")
            if self._parcel.heard is not None:
                self._parcel.heard("\n\n")

        if console.redraws:
            console.live(f"{model} reads …")
        known = self._opened.context.effortless
        place = (self._to.shown, model)
        if place in known:
            form = form._replace(effort="")
        try:
            reply = self._to.server.reply(messages, Listener(written, again), form)
        finally:
            console.settle_live()
        if reply.effortless:
            known.add(place)
        self._answered = reply.model
        self._tell(reply)
        return whole_parts(reply.text) if reply.cut else reply.text

    def _tell(self, reply: Reply) -> None:
        """Report that a reply was cut off, or its prompt was."""
        console = self._opened.console
        if reply.effortless and self._parcel.effort != MOST_EFFORT:
            console.say(f"{self._to.shown} does not take  dream.effort , and answered without it.")
        if reply.cut:
            console.say("The reply was cut off; its last part is left out.")
        if self._size and 0 < reply.read < self._size // 2:
            console.say(
                f"{self._to.shown} says it read {reply.read:,} of about {self._size:,} tokens: part of"
                f" the prompt may have been cut out. See  reel model detect {self._to.server.address.typed}"
            )
        self._size = 0  # what follows may be known to the server already, and not be read again
