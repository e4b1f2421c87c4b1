"""Models of a server: what it has loaded, with which length, and what else it lists."""

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from reel_cli.features.wire.address import Address
from reel_cli.features.wire.connection import Patience, ask_json
from reel_cli.features.wire.wire_error import WireError

BRIEFLY: Final = Patience(connect=2.0, first=10.0, idle=5.0, whole=15.0)
"""A question that needs no model is answered at once, or nobody is there."""
MOST = 2_000
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


def look(address: Address, key: str = "") -> ServerModels:
    """Ask a server what is loaded. WireError where nothing answers, or nothing that makes sense."""
    asking = _ServerProbe(address, key)
    for app, find in _WAYS:
        # other servers are only asked what every such server knows
        if address.app in ("", app) and (address.is_here or address.app):
            found = find(asking)
            if found is not None:
                return found
    return _listed(asking)


def load(address: Address, model: str, key: str, patience: Patience) -> None:
    """Make Ollama load a model by an empty question; raises WireError if it cannot."""
    ask_json(address, f"{address.above}/api/generate", {"model": model, "stream": False}, key, patience)


class _ServerProbe:
    """One server, asked several small questions."""

    def __init__(self, address: Address, key: str) -> None:
        self._address, self._key = address, key

    def get(self, path: str, body: Mapping[str, Any] | None = None) -> Mapping[str, Any]:
        """Return the answer to an app's own question; empty if the server does not know it."""
        try:
            found = ask_json(self._address, f"{self._address.above}{path}", body, self._key, BRIEFLY)
        except WireError as error:
            if error.status or error.passing:
                return {}
            raise
        return found if isinstance(found, Mapping) else {}

    def models(self) -> list[Mapping[str, Any]]:
        """Return the models that it lists, as every such server does, each with what it says of it."""
        found = ask_json(self._address, f"{self._address.path}/models", None, self._key, BRIEFLY)
        rows = [(_word(one, "id").lower(), one) for one in _several(found, "data")]
        return [row for name, row in rows if name and "embed" not in name]

    def current(self) -> Mapping[str, Any]:
        """Return the model that TabbyAPI has loaded; empty for none."""
        beside = self._address.path.removeprefix(self._address.above)
        return self.get(f"{beside}/model")


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
    # without an alias of its own it repeats the file's name
    names = list(dict.fromkeys([name, *filter(None, [_word(props, "model_alias")])]))
    return ServerModels("llama.cpp", [LoadedModel("llama.cpp", name, _count(usual, "n_ctx"))], names)


def _listed(asking: _ServerProbe) -> ServerModels:
    """Return the models of a server that is only known to speak as OpenAI's does.

    Most say nothing of what is loaded. vLLM lists what it has loaded, with its length; llama.cpp says it of
    each of several; TabbyAPI lists its folder, and the loaded one elsewhere.
    """
    rows = asking.models()
    found: list[LoadedModel] = []
    for row in rows:
        status, meta = (row.get(key) for key in ("status", "meta"))
        length = _count(row, "max_model_len") or (_count(meta, "n_ctx") if isinstance(meta, Mapping) else 0)
        if _count(row, "max_model_len") or (isinstance(status, Mapping) and status.get("value") == "loaded"):
            found.append(
                LoadedModel(_OWNERS.get(_word(row, "owned_by").lower(), ""), _word(row, "id"), length)
            )
    owners = {_word(row, "owned_by").lower() for row in rows}
    if "tabbyapi" in owners:
        one = asking.current()
        told = one.get("parameters")
        length = _count(told, "max_seq_len") if isinstance(told, Mapping) else 0
        found += [LoadedModel("TabbyAPI", name, length)] if (name := _word(one, "id")) else []
    apps = [one.app for one in found]
    if not found and ("tabbyapi" in owners or any(isinstance(row.get("status"), Mapping) for row in rows)):
        # these say of each model whether it is loaded, and none is
        apps = [app for owner, app in _OWNERS.items() if owner in owners]
    return ServerModels(apps[0] if apps else "", found, [_word(row, "id") for row in rows])


_OWNERS: Final = {"vllm": "vLLM", "llamacpp": "llama.cpp", "tabbyapi": "TabbyAPI"}
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
