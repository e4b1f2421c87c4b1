"""`reel model detect`: which model is loaded, and with what window, as the apps' own servers say."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING, Any

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.shell import quote_path
from reel_cli.core.values.change import name_some
from reel_cli.core.values.settings import Settings
from reel_cli.features.models.model_files import ModelFile, find_model_files
from reel_cli.features.record.chat_apps import newest_chats
from reel_cli.features.wire.address import KNOWN, parse_address
from reel_cli.features.wire.connect import find_key, note_loaded
from reel_cli.features.wire.server_models import LoadedModel, look
from reel_cli.features.wire.wire_error import WireError

if TYPE_CHECKING:
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit


SHOWN = 8
"""Maximum number of model files named; more are counted."""
LARGEST_CHAT = 32 << 20
"""Bytes above which a chat is not read only to learn a setting."""
_POLICY = "llm.prediction.contextOverflowPolicy"


class Overflow(StrEnum):
    """Policies of LM Studio for a chat that outgrows the window, as its files call them."""

    CUT_MIDDLE = "truncateMiddle"
    ROLL = "rollingWindow"
    STOP = "stopAtLimit"


def tell_fit(loaded: "LoadedModel", settings: Settings | None, policy: str = "") -> list[str]:
    """Return notes on a model and a kit of these settings, a sentence each.

    `policy` is the app's for chats that grow too long, "" where it is not known.
    """
    told = []
    window = min(settings.window, settings.cap) if settings is not None else 0
    context = loaded.context
    if not context:
        told.append(f"{loaded.app} does not say how long a context {loaded.model} is loaded.")
    elif window > context:
        told.append(
            f"The kit is packed for {window:,} tokens, and {loaded.model} holds {context:,}:"
            f" {_lost(loaded, policy)}"
        )
    elif loaded.app == "LM Studio" and policy in ("", Overflow.CUT_MIDDLE):
        usual = "as is its default" if not policy else "as your last chat there has it"
        told.append(
            f"When a chat outgrows this, LM Studio cuts out its middle, {usual}, and says nothing. Under"
            " Context Overflow choose Stop at limit, and reel keep goes on in time."
        )
    elif loaded.app == "Ollama":
        told.append("When a chat outgrows this, Ollama leaves out the oldest of it, and says nothing.")
    if context and window and context >= 2 * window:
        told.append(f"There is room for more than the {window:,} tokens the kit is packed for.")
    if loaded.most and context and loaded.most > context:
        told.append(f"It was made for up to {loaded.most:,}; loaded with more, it holds more.")
    return told


def _lost(loaded: "LoadedModel", policy: str) -> str:
    if loaded.app == "LM Studio" and policy == Overflow.STOP:
        return "LM Studio stops there."
    if loaded.app == "LM Studio" and policy != Overflow.ROLL:
        return "LM Studio cuts the middle out of a bundle that is too long, and says nothing."
    if loaded.app in ("LM Studio", "Ollama", "KoboldCpp"):
        return f"{loaded.app} leaves out what is too long, the oldest first, and says nothing."
    return f"{loaded.app or 'the server'} refuses what is too long, and says by how much."


@dataclass(frozen=True, slots=True)
class DetectOptions:
    """The options: which server, which model of several, and whether to set the window."""

    where: str = ""
    model: str = ""
    set_window: bool = False
    yes: bool = False
    dry_run: bool = False
    as_json: bool = False


@dataclass(frozen=True, slots=True)
class DetectedServer:
    """One server that answered: its name, its address as `--via` takes it, what it has loaded, what it lists.

    `tells` is whether it says what is loaded; of a server of an unknown kind nobody can know.
    """

    shown: str
    via: str
    loaded: Sequence[LoadedModel]
    there: Sequence[str]
    tells: bool


def detect(context: "Context", wished: DetectOptions) -> None:
    """Look, show what was found, and set the window where that is wished.

    Raises ReelError where a server that was named does not answer, or nothing was found to set.
    """
    opened = _kit(context, needed=wished.set_window)
    settings = opened.snapshot.settings if opened is not None else None
    seen = _look_around(wished.where)
    files = find_model_files() if not wished.where else ()
    loaded = [one for server in seen for one in server.loaded]
    if wished.model:
        loaded = [one for one in loaded if one.model == wished.model]
        if not loaded:
            message = f"No model called {wished.model!r} is loaded."
            where = f" {wished.where}" if wished.where else ""
            raise ReelError(message, hint=f"see those that are with  reel model detect{where}")
    if opened is not None and not wished.dry_run:
        note_loaded(opened, loaded)
    policy = _policy() if any(one.app == "LM Studio" for one in loaded) else ""
    told = {one: tell_fit(one, settings, policy) for one in loaded}
    if not wished.as_json:
        _show(context.console, seen, files, told)
    done = _set_window(opened, loaded, wished) if opened is not None else None
    if wished.as_json:
        context.console.result_json(_as_json(seen, files, told, done))
    elif done is None and loaded and settings is not None and loaded[0].context not in (0, settings.window):
        where = f" {wished.where}" if wished.where else ""
        which = f" --model {loaded[0].model}" if wished.model or len(loaded) > 1 else ""
        context.console.next_step(f"To use that length:  reel model detect{where} --set{which}")
    elif not loaded and files and opened is not None:
        file = quote_path(files[0].shown)
        context.console.next_step(f"To count with one:  reel model set --tokenizer {file}")


def _kit(context: "Context", *, needed: bool) -> "OpenKit | None":
    try:
        return context.open_kit()
    except ReelError:
        if needed or context.kit_option is not None:
            raise
        return None


def _look_around(where: str) -> list[DetectedServer]:
    """Return the servers that answer: the one named, else those of apps at their usual addresses."""
    found = []
    for name in [where] if where else KNOWN:
        address = parse_address(name, "WHERE")
        try:
            looked = look(address, find_key(address))
        except WireError as error:
            if where:
                message = f"{address.shown} could not be asked: {error.why}."
                raise ReelError(message, hint=error.hint or None) from None
            continue
        if where or looked.app:
            tells = bool(looked.app or looked.loaded)
            found.append(
                DetectedServer(looked.app or address.shown, name, looked.loaded, looked.there, tells)
            )
    return found


def _policy() -> str:
    """Return LM Studio's policy for long chats, from its newest chat; "" if unknown."""
    for chat in newest_chats():
        if chat.app != "LM Studio":
            continue
        try:
            if chat.path.stat().st_size > LARGEST_CHAT:
                return ""
            value = json.loads(chat.path.read_bytes())
        except (OSError, ValueError, RecursionError):
            return ""
        return _policy_in(value)
    return ""


def _policy_in(chat: object) -> str:
    config = chat.get("perChatPredictionConfig") if isinstance(chat, Mapping) else None
    fields = config.get("fields") if isinstance(config, Mapping) else None
    for one in fields if isinstance(fields, list) else ():
        if isinstance(one, Mapping) and one.get("key") == _POLICY:
            value = one.get("value")
            return str(value) if value in list(Overflow) else ""
    return ""


def _show(
    console: "Console",
    seen: Sequence[DetectedServer],
    files: Sequence[ModelFile],
    told: Mapping[LoadedModel, Sequence[str]],
) -> None:
    for server in seen:
        if not server.loaded:
            console.result(console.wrap(_tell_none(server), console.out, hang="  "))
        for one in server.loaded:
            length = f"{one.context:,} tokens" if one.context else "of a length it does not say"
            console.result(console.wrap(f"{server.shown}: {one.model}, {length}", console.out, hang="  "))
            for line in told.get(one, ()):
                console.result(console.wrap(line, console.out, "  ", "  "))
    if not seen:
        nobody = "No server of LM Studio, Ollama or KoboldCpp answers on this machine."
        console.result(console.wrap(nobody, console.out))
        console.say("In LM Studio it is switched on under Developer, or with  lms server start")
    if files:
        console.result("Model files here:")
        for file in files[:SHOWN]:
            console.result(f"  {file.shown}  ({_size(file.size)})")
        if len(files) > SHOWN:
            console.result(f"  and {len(files) - SHOWN:,} more")


def _tell_none(server: DetectedServer) -> str:
    """Return a line on a server of which no model is known to be loaded."""
    if server.tells or not server.there:
        return f"{server.shown}: no model is loaded."
    return f"{server.shown} lists {name_some(server.there, SHOWN)}, and does not say which is loaded."


def _size(size: int) -> str:
    return f"{size / 1e9:.1f} GB" if size >= 1e8 else f"{size / 1e6:.0f} MB"


def _set_window(
    opened: "OpenKit", loaded: Sequence[LoadedModel], wished: DetectOptions
) -> dict[str, Any] | None:
    """Set the kit's window to the loaded length, where that is wished; what was set, None for nothing."""
    if not wished.set_window:
        return None
    from reel_cli.core.kit.model_choice import ModelChanges, plan_model

    opened.require_repository()
    console = opened.console
    known = [one for one in loaded if one.context]
    if not known:
        message = "No loaded model says how long its context is."
        raise ReelError(message, hint="set it by hand:  reel model set --window 16k")
    if len(known) > 1:
        message = "Several models are loaded."
        raise UsageError(message, hint=f"choose one:  --model {known[0].model}")
    context, was = known[0].context, opened.snapshot.settings
    change = plan_model(opened.snapshot, ModelChanges(window=context))
    if change is None:
        console.say(f"The kit is packed for {context:,} tokens already.")
        return {"window": context, "commit": None}
    if wished.dry_run:
        console.say(f"The kit would be packed for {context:,} tokens. Nothing was changed (--dry-run).")
        return {"window": context, "commit": None}
    if not wished.yes:
        if not console.interactive:
            message = "Nothing was set: without a terminal, reel cannot ask you."
            raise ReelError(message, hint="add --yes to set it, or --dry-run to only look")
        if not console.confirm(f"Pack for {context:,} tokens from now on, and not for {was.window:,}?"):
            console.say("Nothing was changed.")
            return None
    commit = opened.commit(change).commit
    if not wished.as_json:
        console.result(f"The kit is packed for {context:,} tokens now.")
    return {"window": context, "commit": commit}


def _as_json(
    seen: Sequence[DetectedServer],
    files: Sequence[ModelFile],
    told: Mapping[LoadedModel, Sequence[str]],
    done: dict[str, Any] | None,
) -> dict[str, Any]:
    return {
        "servers": [
            {
                "app": server.shown,
                "via": server.via,
                "lists": list(server.there),
                "loaded": [
                    {
                        "model": one.model,
                        "context": one.context or None,
                        "made_for": one.most or None,
                        "told": list(told.get(one, ())),
                    }
                    for one in server.loaded
                ],
            }
            for server in seen
        ],
        "files": [{"path": file.shown, "bytes": file.size} for file in files],
        "set": done,
    }
