"""A server that prompts go to: which is meant, whether it may have them, and which model is asked."""

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.features.wire.address import KNOWN, Address, parse_address
from reel_cli.features.wire.chat import Server
from reel_cli.features.wire.connection import Patience, WireError
from reel_cli.features.wire.loaded import Loaded, ServerModels, load, look

if TYPE_CHECKING:
    from reel_cli.terminal.context import OpenKit

KEY, OWN_KEY = "REEL_VIA_KEY", "LM_API_TOKEN"
"""Variables that hold a server's key: any server's, and LM Studio's own, which is sent to this machine
only."""
PATIENCE = Patience()


@dataclass(frozen=True, slots=True)
class Connected:
    """A server that may be asked, and what it has loaded."""

    server: Server
    shown: str
    """Name of the server on screen."""
    loaded: Loaded


def connect(opened: "OpenKit") -> Connected:
    """Find the server that is meant and its model, and say where memories go if that is another machine.

    Raises ReelError where it may not be asked, or it is open which model is; WireError where it does not
    answer, or the person does not want to.
    """
    address = address_of(opened)
    _require_allowed(opened, address)
    key = find_key(address)
    _agree(opened, address, with_key=bool(key))
    loaded = _find_model(opened, address, key)
    return Connected(Server(address, loaded.model, key, PATIENCE), address.shown, loaded)


def find_here() -> str:
    """Return the first local app, as `--via` names it, with a loaded model; "" if none has one."""
    for name in KNOWN:
        address = parse_address(name)
        try:
            if look(address, find_key(address)).loaded:
                return name
        except WireError:
            continue
    return ""


def address_of(opened: "OpenKit") -> Address:
    """Return the server that is meant: by the command, else by kit.yaml."""
    via = opened.context.via
    if via is not None and via.to:
        return parse_address(via.to)
    return parse_address(opened.snapshot.settings.via, "kit.yaml: via")


def find_key(address: Address) -> str:
    """Return the key to send, from the environment; raises ReelError if it is invalid."""
    key = os.environ.get(KEY, "").strip()
    if not key and address.is_here:
        key = os.environ.get(OWN_KEY, "").strip()
    if key and not (key.isascii() and key.isprintable() and " " not in key):
        message = f"{KEY} holds no key that can be sent."
        raise ReelError(message, hint="a key is one word of plain letters, digits and signs")
    return key


def _find_model(opened: "OpenKit", address: Address, key: str) -> Loaded:
    """Return the model that was named, with what is known of it; else the loaded one."""
    via = opened.context.via
    settings = opened.snapshot.settings
    to = via.to if via is not None else ""
    # the model that kit.yaml names is one of the server it names
    usual = settings.via_model if settings.via in ("", to) or not to else ""
    named = (via.model if via is not None else "") or usual
    if named and not address.is_here:
        return Loaded("", named)
    try:
        looked = look(address, key)
    except WireError as error:
        if named and error.status:
            return Loaded("", named)
        raise
    if named:
        known = (one for one in looked.loaded if one.model == named)
        return next(known, None) or _have_loaded(opened, address, key, looked, named)
    if looked.loaded:
        return looked.loaded[0]
    if len(looked.there) == 1:
        return _have_loaded(opened, address, key, looked, looked.there[0])
    if not looked.there:
        message = "no model is loaded there"
        raise WireError(message, hint=f"load one in {address.shown}, then try again")
    message = f"{address.shown} has no model loaded, and several it could load."
    few = ", ".join(looked.there[:4]) + (" …" if len(looked.there) > 4 else "")
    raise ReelError(message, hint=f"load one, or name it:  --model NAME   (there are {few})")


def _have_loaded(opened: "OpenKit", address: Address, key: str, looked: ServerModels, model: str) -> Loaded:
    """Return a model that is not loaded yet; Ollama's is loaded first, to learn its length.

    It would drop what is too long for that without a word.
    """
    if looked.app != "Ollama":
        return Loaded(looked.app, model)
    opened.console.say(f"{address.shown} loads {model} …")
    load(address, model, key, PATIENCE)
    again = look(address, key).loaded
    return next((one for one in again if one.model == model), Loaded(looked.app, model))


def _require_allowed(opened: "OpenKit", address: Address) -> None:
    """Refuse a host that is neither this machine nor allowed in kit.yaml."""
    if address.is_here or address.host in opened.snapshot.settings.via_allow:
        return
    message = f"{address.host} is not this machine, and what is sent holds what {_name(opened)} remembers."
    raise ReelError(message, hint=f"if you want that, write into kit.yaml:  via: {{allow: [{address.host}]}}")


def _agree(opened: "OpenKit", address: Address, *, with_key: bool) -> None:
    """Warn that memories go elsewhere, before they do; ask, if somebody is there."""
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
