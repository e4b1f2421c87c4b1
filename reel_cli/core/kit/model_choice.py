"""The model of a kit: its window, its tokenizer, and the tokens that its chat template adds."""

from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files import front_matter
from reel_cli.core.files.settings_file import parse_settings, render_tokenizer
from reel_cli.core.frozen import frozen
from reel_cli.core.tokens.choice import parse_choice
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.change import Change
from reel_cli.core.values.settings import WHOLE, Settings
from reel_cli.core.values.sizes import render_tokens

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tokens.chat_templates import TemplateCost
    from reel_cli.core.tokens.choice import About

KIT = "kit.yaml"
NONE, AUTO = "none", "auto"


@frozen
class PackSizes:
    """The sizes a kit is packed for, in tokens; `room` is the most that a bundle may take.

    `about` is what the model's file says, None where the tokenizer is none; `told` what is to be known of it.
    """

    window: int
    cap: int
    live: int
    room: int
    tokenizer: str
    template_fixed: int
    template_message: int
    about: "About | None"
    told: str


@frozen
class ModelChanges:
    """The model settings to change; None keeps one. `template`: `auto`, `none`, a name or `FIXED+MESSAGE`."""

    window: int | None = None
    cap: int | None = None
    tokenizer: str | None = None
    template: str | None = None


def look_at_model(settings: Settings) -> PackSizes:
    """Return the sizes that these settings give; raises ReelError if the tokenizer is not available."""
    tokenizer = get_tokenizer(settings.tokenizer)
    cap = min(settings.window, settings.cap)
    live = -(-cap * settings.live // WHOLE)
    around = settings.template_fixed + settings.template_message
    return PackSizes(
        settings.window,
        cap,
        live,
        max(0, cap - live - around),
        settings.tokenizer,
        settings.template_fixed,
        settings.template_message,
        getattr(tokenizer, "about", None),
        getattr(tokenizer, "told", ""),
    )


def wrapping_of(tokenizer: str | None) -> "TemplateCost | None":
    """Return what a model file's chat template adds; None if the tokenizer is no such file or unknown."""
    if tokenizer is None or not parse_choice(tokenizer).is_file:
        return None
    from reel_cli.core.tokens.chat_templates import find_wrapping

    about: About | None = getattr(get_tokenizer(tokenizer), "about", None)
    return find_wrapping(about.template) if about is not None else None


def render_wrapping(wrapping: "TemplateCost") -> str:
    """Return the wrapping as `template:` in kit.yaml."""
    return f"{{fixed: {wrapping.fixed}, message: {wrapping.message}}}"


def plan_model(snapshot: "Snapshot", wanted: ModelChanges) -> Change | None:
    """Set what the kit is packed for; None where all of it is so already. Other lines stay byte for byte.

    Raises ReelError for what makes no sense, or where its text is none that can be edited.
    """
    settings = snapshot.settings
    changes: dict[str, str | None] = {}
    told: list[str] = []
    if wanted.window is not None and wanted.window != settings.window:
        changes["window"] = render_tokens(wanted.window)
        told.append(f"window {changes['window']}")
        if wanted.cap is None and settings.cap > wanted.window:
            # a cap above the window has no effect
            changes["cap"] = None
    if wanted.cap is not None and wanted.cap != settings.cap:
        changes["cap"] = render_tokens(wanted.cap)
        told.append(f"cap {changes['cap']}")
    if wanted.tokenizer is not None and wanted.tokenizer != settings.tokenizer:
        get_tokenizer(wanted.tokenizer)
        changes["tokenizer"] = render_tokenizer(wanted.tokenizer)
        told.append(f"tokens counted by {_called(wanted.tokenizer)}")
    fixed, each = around = _around(wanted, settings)
    if around != (settings.template_fixed, settings.template_message):
        changes["template"] = f"{{fixed: {fixed}, message: {each}}}" if fixed or each else None
        told.append(f"{fixed + each} tokens for the chat template")
    if not changes:
        return None
    before = snapshot.text(KIT) or ""
    text = front_matter.set_yaml_fields(before, changes)
    planned = parse_settings(text, fallback_name=snapshot.name)
    if look_at_model(planned).room == 0:
        message = "That leaves a bundle no room."
        raise ReelError(message, hint=f"take a larger {planned.held_to}, or a smaller template")
    if text == before:
        return None
    return Change("model", ", ".join(told) or "as it was", {KIT: text.encode()})


def _called(tokenizer: str) -> str:
    """Return a tokenizer in few words: a file by its name."""
    choice = parse_choice(tokenizer)
    return str(choice._replace(what=choice.what.replace("\\", "/").rpartition("/")[2]))


def _around(wanted: ModelChanges, settings: Settings) -> tuple[int, int]:
    """Return the tokens that the chat template adds: once, and for each message."""
    as_it_is = settings.template_fixed, settings.template_message
    template = wanted.template
    if template is None and wanted.tokenizer in (None, settings.tokenizer):
        return as_it_is
    if template is None or template == AUTO:
        found = wrapping_of(wanted.tokenizer or settings.tokenizer)
        if found is None and template == AUTO:
            message = "The tokenizer says nothing of a chat template that reel knows."
            raise ReelError(message, hint="say what it adds, once and for each message:  --template 10+5")
        # a template of the earlier model does not apply to this one
        return (found.fixed, found.message) if found else as_it_is
    return _read_template(template)


def _read_template(template: str) -> tuple[int, int]:
    from reel_cli.core.tokens.chat_templates import KNOWN, find_wrapping

    if template == NONE:
        return 0, 0
    if found := find_wrapping(template):
        return found.fixed, found.message
    fixed, _, message = template.partition("+")
    if all(part.isascii() and part.isdigit() and len(part) <= 6 for part in (fixed, message or "0")):
        return int(fixed), int(message or "0")
    text = f"There is no chat template called {template!r} here."
    names = ", ".join(wrapping.name for wrapping in KNOWN)
    raise ReelError(text, hint=f"{AUTO}, {NONE}, a number like 10+5, or one of {names}")
