"""A prompt over the wire: where it goes is said, the reply taken as a pasted one, the rest asked for."""

import os
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from reel_cli.cli.via import Parcel
from reel_cli.errors import ExitCode, ReelError, UnusableError
from reel_cli.flows.along import fits_along, gather_along
from reel_cli.flows.pack import Wish, pack_kit
from reel_cli.tokens import get_tokenizer
from reel_cli.wire.address import Address, parse_address
from reel_cli.wire.chat import Listener, Message, Reply, Server, Told, whole_parts
from reel_cli.wire.connection import Patience, WireError
from reel_cli.wire.loaded import Loaded, Looked, load, look

if TYPE_CHECKING:
    from reel_cli.cli.context import OpenKit

Taken = TypeVar("Taken")

REPAIRS = 2
"""So many times the rest of a reply is asked for by itself."""
KEY, OWN_KEY = "REEL_VIA_KEY", "LM_API_TOKEN"
"""Where a server's key is: any server's, and LM Studio's own, which goes to this machine only."""
PATIENCE = Patience()
_REPLY_SHARE, _LEAST_REPLY, _MOST_REPLY = 5, 256, 4096
"""A fifth of the window is left for the reply, between these tokens."""
_SIGN = 4
"""About so many characters are a token, for what is shown while a reply is written."""


@dataclass(frozen=True, slots=True)
class Carried(Generic[Taken]):
    """What was made of the reply; or what is left to carry by hand, why, and after how many replies."""

    taken: Taken | None = None
    left: Parcel | None = None
    why: ReelError | None = None
    tries: int = 0
    held: Sequence[str] = ()


def carry_over_wire(opened: "OpenKit", parcel: Parcel, take: Callable[[str, int], Taken]) -> Carried[Taken]:
    """Send a prompt, and give the reply to `take`; what is missing is asked for twice at most.

    Where it cannot be had over the wire, nothing is lost: what is left to paste comes back with the reason.
    """
    left, tries = parcel, 0
    held: list[str] = []
    try:
        wire = _Wire(opened, parcel)
        messages = wire.begin()
        while True:
            text = wire.ask(messages, parcel.shape)
            with opened.console.hold_json() as held:
                try:
                    taken = take(text, tries)
                except UnusableError as error:
                    why: UnusableError = error
                else:
                    opened.console.release(held)
                    return Carried(taken)
            tries += 1
            left = replace(left, prompt=why.repair or left.prompt)
            if not why.repair or tries > REPAIRS:
                return Carried(left=left, why=why, tries=tries, held=held)
            opened.console.say(f"{why.message} It is asked once more over the wire ({tries} of {REPAIRS}).")
            messages = _once_more(messages, text, why.repair)
    except WireError as error:
        opened.console.settle_live()
        hint = error.hint or None
        told = ReelError(f"{wire_name(opened)} could not be asked: {error.why}.", hint=hint)
        return Carried(left=left, why=told, tries=tries, held=held)
    except ReelError as error:
        if error.exit_code is not ExitCode.MENDABLE or not opened.console.interactive or not tries:
            opened.console.release(held)
            raise
        return Carried(left=left, why=error, tries=tries, held=held)


def _once_more(messages: Sequence[Message], text: str, repair: str) -> Sequence[Message]:
    """The chat that goes on with a request for the rest; the same prompt once more begins anew."""
    if messages[-1]["content"].endswith(repair):
        return messages
    return [*messages, {"role": "assistant", "content": text}, {"role": "user", "content": repair}]


def gather_chat(opened: "OpenKit", session: str, room: int) -> Sequence[Message]:
    """The chat that a prompt is meant for, in so many tokens; WireError where they are too few."""
    if not fits_along(room):
        message = "the prompt leaves no room for the conversation it is about"
        raise WireError(message, hint="load the model with a longer context, or paste it into the chat")
    counter = get_tokenizer(opened.snapshot.settings.tokenizer)

    def pack(window: int) -> str:
        try:
            return pack_kit(opened.root, Wish(window=window or None)).text
        except ReelError:
            return ""

    found = gather_along(opened.snapshot, session, room, counter, pack)
    via = opened.context.via
    if via is None or not via.quiet:
        bundle = "the bundle and " if found.bundle else ""
        which = f"the last {found.sent:,} messages" if found.left_out else f"all {found.sent:,} messages"
        gone = f"; {found.left_out:,} before them had no room" if found.left_out else ""
        opened.console.say(f"With the prompt go {bundle}{which} of {session}{gone}.")
    return [{"role": role, "content": text} for role, text in found.messages]


def wire_name(opened: "OpenKit") -> str:
    """How the server is called on screen."""
    return _address(opened).shown


def _address(opened: "OpenKit") -> Address:
    via = opened.context.via
    if via is not None and via.to:
        return parse_address(via.to)
    return parse_address(opened.snapshot.settings.via, "kit.yaml: via")


def find_key(address: Address) -> str:
    """The key to send, from the environment; ReelError where it can be none."""
    key = os.environ.get(KEY, "").strip()
    if not key and address.is_here:
        key = os.environ.get(OWN_KEY, "").strip()
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        message = f"{KEY} holds no key that can be sent."
        raise ReelError(message, hint="a key is one word of plain letters, digits and signs")
    return key


class _Wire:
    """One server, for one prompt."""

    def __init__(self, opened: "OpenKit", parcel: Parcel) -> None:
        self._opened, self._parcel = opened, parcel
        self._address = _address(opened)
        self._counter = get_tokenizer(opened.snapshot.settings.tokenizer)
        _require_allowed(opened, self._address)
        self._key = find_key(self._address)
        _agree(opened, self._address, with_key=bool(self._key))
        self._loaded = self._find_model()
        self._server = Server(self._address, self._loaded.model, self._key, PATIENCE)
        self._size = 0

    @property
    def _window(self) -> int:
        settings = self._opened.snapshot.settings
        return self._loaded.context or settings.window

    def _find_model(self) -> Loaded:
        """The model that was named, with what is known of it; else the one that is loaded."""
        via = self._opened.context.via
        settings = self._opened.snapshot.settings
        to = via.to if via is not None else ""
        # the model that kit.yaml names is one of the server it names
        usual = settings.via_model if settings.via in ("", to) or not to else ""
        named = (via.model if via is not None else "") or usual
        if named and not self._address.is_here:
            return Loaded("", named)
        try:
            looked = look(self._address, self._key)
        except WireError as error:
            if named and error.status:
                return Loaded("", named)
            raise
        if named:
            known = (one for one in looked.loaded if one.model == named)
            return next(known, None) or self._have_loaded(looked, named)
        if looked.loaded:
            return looked.loaded[0]
        if len(looked.there) == 1:
            return self._have_loaded(looked, looked.there[0])
        if not looked.there:
            message = "no model is loaded there"
            raise WireError(message, hint=f"load one in {self._address.shown}, then try again")
        message = f"{self._address.shown} has no model loaded, and several it could load."
        few = ", ".join(looked.there[:4]) + (" …" if len(looked.there) > 4 else "")
        raise ReelError(message, hint=f"load one, or name it:  --model NAME   (there are {few})")

    def _have_loaded(self, looked: Looked, model: str) -> Loaded:
        """A model that is not loaded yet; Ollama's is loaded first, for only then it says its length.

        It would drop what is too long for that without a word.
        """
        if looked.app != "Ollama":
            return Loaded(looked.app, model)
        self._opened.console.say(f"{self._address.shown} loads {model} …")
        load(self._address, model, self._key, PATIENCE)
        again = look(self._address, self._key).loaded
        return next((one for one in again if one.model == model), Loaded(looked.app, model))

    def begin(self) -> Sequence[Message]:
        """The first messages, once they are known to fit; where they go is said. WireError if they do not."""
        reply_room = min(max(self._window // _REPLY_SHARE, _LEAST_REPLY), _MOST_REPLY)
        prompt = self._counter.count(self._parcel.prompt)
        room = self._window - reply_room - prompt - self._window // 50
        before = self._parcel.before(room) if self._parcel.before is not None else ()
        messages = _joined([*before, {"role": "user", "content": self._parcel.prompt}])
        self._size = sum(self._counter.count(one["content"]) for one in messages)
        model, context = self._loaded.model, self._loaded.context
        if context and self._size + _LEAST_REPLY > context:
            message = (
                f"{model} is loaded with {context:,} tokens of context, and the prompt has {self._size:,}"
            )
            raise WireError(message, hint="load it with a longer context, so that nothing is cut out")
        if not self._quiet:
            length = f", {context:,} tokens of context" if context else ""
            self._opened.console.say(f"To {model} at {self._address.shown}{length}: {self._size:,} tokens.")
        return messages

    @property
    def _quiet(self) -> bool:
        via = self._opened.context.via
        return via is not None and via.quiet

    def ask(self, messages: Sequence[Message], shape: Mapping[str, Any] | None) -> str:
        """The reply's text; of one that was cut off, the parts that are whole."""
        console = self._opened.console
        model = self._loaded.model

        def written(told: Told) -> None:
            if console.redraws:
                many, doing = (told.said, "writes") if told.said else (told.thought, "thinks")
                console.live(f"{model} {doing}: about {many // _SIGN:,} tokens …")

        def again(why: str, wait: float) -> None:
            console.say(f"{self._address.shown}: {why}. Once more in {wait:g} s.")

        if console.redraws:
            console.live(f"{model} reads …")
        try:
            reply = self._server.reply(messages, Listener(written, again), shape)
        finally:
            console.settle_live()
        self._tell(reply)
        return whole_parts(reply.text) if reply.cut else reply.text

    def _tell(self, reply: Reply) -> None:
        """Say what is to be known of a reply: that it was cut off, or its prompt was."""
        console = self._opened.console
        if reply.cut:
            console.say("The reply was cut off; its last part is left out.")
        if self._size and 0 < reply.read < self._size // 2:
            console.say(
                f"{self._address.shown} says it read {reply.read:,} of about {self._size:,} tokens: part of"
                " the prompt may have been cut out. See  reel model detect"
            )
        self._size = 0  # what follows may be known to the server already, and not be read again


def _joined(messages: Sequence[Message]) -> list[Message]:
    """Messages in turns: chat templates want the user first, and nobody twice in a row."""
    found: list[Message] = []
    for one in messages:
        if found and found[-1]["role"] == one["role"]:
            found[-1] = {**one, "content": f"{found[-1]['content']}\n\n{one['content']}"}
            continue
        if one["role"] == "assistant" and (not found or found[-1]["role"] == "system"):
            found.append({"role": "user", "content": "[…]"})
        found.append(dict(one))
    return found


def _require_allowed(opened: "OpenKit", address: Address) -> None:
    """Refuse a host that is neither this machine nor allowed in kit.yaml."""
    if address.is_here or address.host in opened.snapshot.settings.via_allow:
        return
    message = f"{address.host} is not this machine, and what is sent holds what {_name(opened)} remembers."
    raise ReelError(message, hint=f"if you want that, write into kit.yaml:  via: {{allow: [{address.host}]}}")


def _agree(opened: "OpenKit", address: Address, *, with_key: bool) -> None:
    """Say that memories go elsewhere, before they do; ask, where somebody is there."""
    if address.is_here or opened.context.agreed == address.host:
        return
    openly = "" if address.secure else ", readable on the way"
    key = f", with the key in {KEY}" if with_key else ""
    console = opened.console
    console.say(
        f"What {_name(opened)} remembers goes to {address.host}, which is not this machine{openly}{key}."
    )
    via = opened.context.via
    # an address that came with a kit is never taken unasked: the kit may be somebody else's
    unasked = via is not None and via.yes and bool(via.to)
    if not unasked and console.interactive and not console.confirm("Send it there?", default=False):
        message = "it was not sent, as you wished"
        raise WireError(message)
    opened.context.agreed = address.host


def _name(opened: "OpenKit") -> str:
    return opened.snapshot.settings.name
