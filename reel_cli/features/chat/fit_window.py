"""A kit packed for more than a model takes: packed for less before the chat, or when the server says so."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError

if TYPE_CHECKING:
    from reel_cli.features.wire.connect import Connection
    from reel_cli.terminal.open_kit import OpenKit


def fit_window(opened: "OpenKit", to: "Connection") -> None:
    """Pack the kit for the length a model is loaded with, if that is shorter; asks first."""
    window, context, model = opened.snapshot.settings.window, to.loaded.context, to.loaded.model
    message = f"{model} is loaded with {context:,} tokens of context, and the kit is packed for {window:,}."
    if not opened.console.interactive:
        raise ReelError(
            message, hint=f"load it with a longer context, or pack for it:  reel config window {context}"
        )
    opened.console.say(message)
    if not _pack_for(opened, context, f"Pack for {context:,} tokens from now on?"):
        message = "Nothing was changed, and the chat did not begin."
        raise ReelError(message, hint=f"load {model} with a longer context, or say yes the next time")


def wants_summary(opened: "OpenKit", context: int, *, unasked: bool) -> bool:
    """Return whether a chat that is too long for `context` tokens is summed up; the kit is packed for it.

    A kit that is packed for more is changed only by a person's word.
    """
    console = opened.console
    if context >= opened.snapshot.settings.window:
        return unasked or (console.interactive and console.confirm("Sum it up and go on from there?"))
    if not console.interactive:
        console.say(f"To have it summed up in time, pack for that:  reel config window {context}")
        return False
    try:
        return _pack_for(opened, context, f"Pack for {context:,} tokens from now on, and sum this up?")
    except ReelError as error:
        console.error(error.message, error.hint)
        return False


def _pack_for(opened: "OpenKit", context: int, question: str) -> bool:
    """Pack the kit for so many tokens, if the person says so; ReelError where what it needs does not fit."""
    from reel_cli.core.kit.model_choice import ModelChanges, plan_model
    from reel_cli.core.pack.build_bundle import BundleRequest, pack_kit

    # the required parts must fit before anything is changed
    pack_kit(opened.root, BundleRequest(window=context))
    change = plan_model(opened.snapshot, ModelChanges(window=context))
    if change is None or not opened.console.confirm(question):
        return False
    opened.commit(change)
    opened.look_again()
    return True
