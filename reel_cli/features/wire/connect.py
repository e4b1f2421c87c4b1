"""A server that prompts go to: which is meant, whether it may have them, and which model is asked."""

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.shell import quote
from reel_cli.features.wire.address import KNOWN, Address, parse_address
from reel_cli.features.wire.chat import Server
from reel_cli.features.wire.connection import Patience
from reel_cli.features.wire.server_models import LoadedModel, ServerModels, load, look
from reel_cli.features.wire.wire_error import TooLongError, WireError

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

KEY, OWN_KEY = "REEL_VIA_KEY", "LM_API_TOKEN"
"""Variables that hold a server's key: any server's, and LM Studio's own, which is sent to this machine
only."""
PATIENCE = Patience()
_NO_KEY = (401, 403)


@dataclass(frozen=True, slots=True)
class Connection:
    """A server that may be asked, and what it has loaded."""

    server: Server
    shown: str
    """Name of the server on screen."""
    loaded: LoadedModel


def connect(opened: "OpenKit") -> Connection:
    """Find the server that is meant and its model, and say where memories go if that is another machine.

    Raises ReelError where it may not be asked, or it is open which model is; WireError where it does not
    answer, or the person does not want to.
    """
    address = address_of(opened)
    _require_allowed(opened, address)
    key = find_key(address)
    _agree(opened, address, with_key=bool(key))
    loaded = _find_model(opened, address, key)
    note_loaded(opened, [loaded])
    if limit := opened.context.limits.get((address.url, loaded.model)):
        loaded = replace(loaded, context=min(limit, loaded.context or limit))
    return Connection(Server(address, loaded.model, key, PATIENCE), address.shown, loaded)


def note_loaded(opened: "OpenKit", models: Sequence[LoadedModel]) -> None:
    """Remember with what context models are loaded, for what is said of the kit's window later."""
    opened.state.save_models({one.model: (one.context, one.most) for one in models if one.context})


def note_limit(opened: "OpenKit", to: Connection, error: TooLongError, counted: int) -> Connection:
    """Return the connection with the length that the server named, which holds as long as this command runs.

    `counted` are the tokens that reel counted where the server counted `error.size`; the limit is in reel's.
    """
    share = min(1.0, counted / error.size) if error.size and counted else 1.0
    limit = min(int(error.limit * share), to.loaded.context or error.limit)
    opened.context.limits[to.server.address.url, to.loaded.model] = limit
    return replace(to, loaded=replace(to.loaded, context=limit))


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
        message = f"{KEY} has no key that can be sent."
        raise ReelError(message, hint="a key is one word of plain letters, digits and signs")
    return key


def _find_model(opened: "OpenKit", address: Address, key: str) -> LoadedModel:
    """Return the model that was named, with what is known of it; else the loaded one."""
    via = opened.context.via
    settings = opened.snapshot.settings
    to = via.to if via is not None else ""
    # the model that kit.yaml names belongs to the server it names
    usual = settings.via_model if settings.via in ("", to) or not to else ""
    named = (via.model if via is not None else "") or usual
    try:
        looked = look(address, key)
    except WireError as error:
        # a server may keep its list to itself, or be slow with it; a wrong key is known now
        kept = error.status not in _NO_KEY if error.status else not address.is_here
        if named and kept:
            return LoadedModel("", named)
        raise
    if named:
        return _find_named(opened, address, key, looked, named)
    if looked.loaded:
        return looked.loaded[0]
    if len(looked.there) == 1:
        return _have_loaded(opened, address, key, looked, looked.there[0])
    if not looked.there:
        message = "no model is loaded there"
        raise WireError(message, hint=f"load one in {address.shown}, then try again")
    if looked.app:
        message = f"{address.shown} has no model loaded, and several it could load."
        raise ReelError(
            message, hint=f"load one, or name it:  --model {quote(looked.there[0])}   ({_few(looked)})"
        )
    message = f"{address.shown} lists several models, and does not say which is meant."
    raise ReelError(message, hint=f"name one:  --model {quote(looked.there[0])}   ({_few(looked)})")


def _find_named(
    opened: "OpenKit", address: Address, key: str, looked: ServerModels, named: str
) -> LoadedModel:
    """Return the model that was named, with what is known of it; ReelError for one that is not listed."""
    known = next((one for one in looked.loaded if _is_called(one.model, named)), None)
    if known is not None:
        return known
    if looked.app == "llama.cpp" and len(looked.loaded) == 1 and named in looked.there:
        # its one model has two names
        return replace(looked.loaded[0], model=named)
    if not looked.there or any(_is_called(one, named) for one in looked.there):
        return _have_loaded(opened, address, key, looked, named)
    from difflib import get_close_matches

    message = f"{address.shown} has no model called {named!r}, so nothing was sent."
    near = next(iter(get_close_matches(named, looked.there, n=1)), looked.there[0])
    raise ReelError(message, hint=f"name one that it lists:  --model {quote(near)}   ({_few(looked)})")


def _is_called(listed: str, named: str) -> bool:
    """Return whether a name on a list is the one given: Ollama adds a tag, LiteLLM lists patterns."""
    return listed in (named, f"{named}:latest") or ("*" in listed and fnmatchcase(named, listed))


def _few(looked: ServerModels) -> str:
    return f"there are {', '.join(looked.there[:4])}{' …' if len(looked.there) > 4 else ''}"


def _have_loaded(
    opened: "OpenKit", address: Address, key: str, looked: ServerModels, model: str
) -> LoadedModel:
    """Return a model that is not loaded yet; Ollama's is loaded first, to learn its length.

    It would drop what is too long for that without a word.
    """
    if looked.app != "Ollama":
        return LoadedModel(looked.app, model)
    opened.console.say(f"{address.shown} loads {model} …")
    load(address, model, key, PATIENCE)
    again = look(address, key).loaded
    return next((one for one in again if _is_called(one.model, model)), LoadedModel(looked.app, model))


def _require_allowed(opened: "OpenKit", address: Address) -> None:
    """Refuse a host that is neither this machine nor allowed in kit.yaml."""
    if address.is_here or address.host in opened.snapshot.settings.via_allow:
        return
    message = f"{address.host} is not this machine, and what is sent contains {_name(opened)}'s memories."
    raise ReelError(message, hint=f"if you want that, write into kit.yaml:  via: {{allow: [{address.host}]}}")


def _agree(opened: "OpenKit", address: Address, *, with_key: bool) -> None:
    """Warn that memories go elsewhere, before they do; ask, if somebody is there."""
    if address.is_here or opened.context.agreed == address.host:
        return
    openly = "" if address.secure else ", unencrypted"
    key = f", with the key in {KEY}" if with_key else ""
    console = opened.console
    console.say(
        f"{_name(opened)}'s memories would go to {address.host}, which is not this machine{openly}{key}."
    )
    via = opened.context.via
    # an address that came with a kit is never used unasked: the kit may be somebody else's
    unasked = via is not None and via.yes and bool(via.to)
    if not unasked and console.interactive and not console.confirm("Send it there?", default=False):
        message = "nothing was sent"
        raise WireError(message)
    opened.context.agreed = address.host


def _name(opened: "OpenKit") -> str:
    return opened.snapshot.settings.name
