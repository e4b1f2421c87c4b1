"""A server that prompts go to: which is meant, whether it may have them, and which model is asked."""

import os
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Final

from reel_cli.core.errors import ReelError
from reel_cli.features.wire.address import KNOWN, Address, parse_address
from reel_cli.features.wire.chat import Server
from reel_cli.features.wire.connection import Patience, WireError, ask_json

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

BRIEFLY: Final = Patience(connect=2.0, first=10.0, idle=5.0, whole=15.0)
"""A question that needs no model is answered at once, or nobody is there."""
MOST = 200
"""Maximum number of models that are looked at."""
_NUM_CTX = re.compile(r"(?m)^\s*(?:PARAMETER\s+)?num_ctx\s+([0-9]{1,9})\s*$")
_LONGEST_CONTEXT = 1 << 31


@dataclass(frozen=True, slots=True)
class LoadedModel:
    """A model that is loaded: loaded with a length of `context`, made for `most` (0: unsaid)."""

    app: str
    model: str
    context: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class ServerModels:
    """The answer of a server: its loaded models, and those that are installed; `app` is "" if unknown."""

    app: str
    loaded: Sequence[LoadedModel]
    there: Sequence[str] = ()


def look(address: Address, key: str = "", patience: Patience = BRIEFLY) -> ServerModels:
    """Ask a server what is loaded. WireError where nothing answers, or nothing that makes sense."""
    asking = _ServerProbe(address, key, patience)
    for app, find in _WAYS:
        # other servers are only asked what every such server knows
        if address.app in ("", app) and (address.is_here or address.app):
            found = find(asking)
            if found is not None:
                return found
    return ServerModels("", (), [one for one in asking.models() if "embed" not in one.lower()])


def load(address: Address, model: str, key: str, patience: Patience) -> None:
    """Make Ollama load a model by an empty question; raises WireError if it cannot."""
    ask_json(address, f"{address.above}/api/generate", {"model": model, "stream": False}, key, patience)


class _ServerProbe:
    """One server, asked several small questions."""

    def __init__(self, address: Address, key: str, patience: Patience) -> None:
        self._address, self._key, self._patience = address, key, patience

    def get(self, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Return the answer to an app's own question; empty if the server does not know it."""
        try:
            found = ask_json(self._address, f"{self._address.above}{path}", body, self._key, self._patience)
        except WireError as error:
            if error.status or error.passing:
                return {}
            raise
        return found if isinstance(found, Mapping) else {}

    def models(self) -> list[str]:
        """Return the models that it names, as every such server does."""
        found = ask_json(self._address, f"{self._address.path}/models", None, self._key, self._patience)
        names = [_word(one, "id") for one in _several(found, "data")]
        return [name for name in names if name]


def _lmstudio(asking: _ServerProbe) -> ServerModels | None:
    found: list[LoadedModel] = []
    there: list[str] = []
    newer = asking.get("/api/v1/models")
    if isinstance(newer.get("models"), list):
        for model in _several(newer, "models"):
            name = _word(model, "key")
            if not name or _word(model, "type") == "embedding":
                continue
            there.append(name)
            for one in _several(model, "loaded_instances"):
                config = one.get("config")
                context = _count(config, "context_length") if isinstance(config, Mapping) else 0
                most = _count(model, "max_context_length")
                found.append(LoadedModel("LM Studio", _word(one, "id") or name, context, most))
        return ServerModels("LM Studio", found, there)
    older = asking.get("/api/v0/models")
    if not isinstance(older.get("data"), list):
        return None
    for model in _several(older, "data"):
        name = _word(model, "id")
        if not name or _word(model, "type") == "embeddings":
            continue
        there.append(name)
        if _word(model, "state") == "loaded":
            most = _count(model, "max_context_length")
            found.append(LoadedModel("LM Studio", name, _count(model, "loaded_context_length"), most))
    return ServerModels("LM Studio", found, there)


def _ollama(asking: _ServerProbe) -> ServerModels | None:
    running = asking.get("/api/ps")
    if not isinstance(running.get("models"), list):
        return None
    found: list[LoadedModel] = []
    for model in _several(running, "models"):
        name = _word(model, "name") or _word(model, "model")
        if name:
            one = LoadedModel("Ollama", name, _count(model, "context_length"))
            found.append(_shown(asking, one) if len(found) < 3 else one)
    tags = asking.get("/api/tags")
    there = [_word(one, "name") for one in _several(tags, "models")]
    return ServerModels("Ollama", found, [name for name in there if name])


def _shown(asking: _ServerProbe, one: LoadedModel) -> LoadedModel:
    """Return the model with Ollama's details: its trained length, and its file's length."""
    shown = asking.get("/api/show", {"model": one.model})
    info = shown.get("model_info")
    sizes = info if isinstance(info, Mapping) else {}
    most = next((_count(sizes, key) for key in sizes if str(key).endswith(".context_length")), 0)
    said = shown.get("parameters")
    asked = _NUM_CTX.search(said) if isinstance(said, str) else None
    context = one.context or (int(asked[1]) if asked else 0)
    return replace(one, context=context, most=most)


def _koboldcpp(asking: _ServerProbe) -> ServerModels | None:
    length = _count(asking.get("/api/extra/true_max_context_length"), "value")
    if not length:
        return None
    name = _word(asking.get("/api/v1/model"), "result")
    if not name or name.lower() in ("inactive", "none", "read only"):
        return ServerModels("KoboldCpp", ())
    return ServerModels("KoboldCpp", [LoadedModel("KoboldCpp", name, length)], [name])


def _llamacpp(asking: _ServerProbe) -> ServerModels | None:
    props = asking.get("/props")
    usual = props.get("default_generation_settings")
    if not isinstance(usual, Mapping) or not _count(usual, "n_ctx"):
        return None
    name = _word(props, "model_path").replace("\\", "/").rpartition("/")[2] or "the model"
    return ServerModels("llama.cpp", [LoadedModel("llama.cpp", name, _count(usual, "n_ctx"))], [name])


_WAYS: Sequence[tuple[str, Callable[[_ServerProbe], ServerModels | None]]] = (
    ("lmstudio", _lmstudio),
    ("ollama", _ollama),
    ("koboldcpp", _koboldcpp),
    ("llamacpp", _llamacpp),
)


def _several(value: object, key: str) -> Iterator[Mapping[str, Any]]:
    """Yield the mappings in a list that a server gives under a key, within reason."""
    found = value.get(key) if isinstance(value, Mapping) else None
    for one in found[:MOST] if isinstance(found, list) else ():
        if isinstance(one, Mapping):
            yield one


def _word(value: Mapping[str, Any], key: str) -> str:
    found = value.get(key)
    plain = isinstance(found, str) and found.isprintable() and len(found) <= 300
    return str(found).strip() if plain else ""


def _count(value: Mapping[str, Any], key: str) -> int:
    found = value.get(key)
    sure = isinstance(found, int) and not isinstance(found, bool) and 0 < found < _LONGEST_CONTEXT
    return int(found) if sure and isinstance(found, int) else 0


KEY, OWN_KEY = "REEL_VIA_KEY", "LM_API_TOKEN"
"""Variables that hold a server's key: any server's, and LM Studio's own, which is sent to this machine
only."""
PATIENCE = Patience()


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
    return Connection(Server(address, loaded.model, key, PATIENCE), address.shown, loaded)


def note_loaded(opened: "OpenKit", models: Sequence[LoadedModel]) -> None:
    """Remember with what context models are loaded, for what is said of the kit's window later."""
    opened.state.save_models({one.model: (one.context, one.most) for one in models if one.context})


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
    if named and not address.is_here:
        return LoadedModel("", named)
    try:
        looked = look(address, key)
    except WireError as error:
        if named and error.status:
            return LoadedModel("", named)
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
    return next((one for one in again if one.model == model), LoadedModel(looked.app, model))


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
