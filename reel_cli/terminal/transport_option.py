"""`--via`: how the prompts of a command travel, as one option of every command that has an exchange."""

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Generic, Protocol, TypeVar

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.core.frozen import frozen
from reel_cli.core.ports import bring, is_brought

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit

Taken = TypeVar("Taken")

PASTE = "paste"
"""The word for carrying prompts by hand, where kit.yaml says otherwise."""


@frozen
class Via:
    """The person's choice: the target (an app, an address or `paste`), the model, and whether to ask.

    `quiet` says that a program reads the answer.
    """

    to: str
    model: str = ""
    yes: bool = False
    quiet: bool = False

    def travels(self, opened: "OpenKit") -> bool:
        """Return whether prompts are sent: the person's choice, or the kit's setting if a person is here."""
        if self.to:
            return self.sends
        habit = bool(opened.snapshot.settings.via) and opened.console.interactive
        return habit and is_brought("transports")

    @property
    def sends(self) -> bool:
        """Return whether prompts are sent, by the person's own choice."""
        return bool(self.to) and self.to != PASTE


_ASKS = ("promote", "ask", "reground")
"""Options of a command; if one of these is given, only that asks a model."""
_NOT_BOTH = {
    "--prompt": "prompt",
    "--reply": "reply",
    "--from": "said",
    "--plan": "plan",
    "--auto": "auto",
    "--list": "listed",
    "--resume": "resume",
}

Before = Callable[[int], Sequence[dict[str, str]]]
"""Function that returns the messages before a prompt in a chat, within so many tokens."""


@frozen
class Parcel:
    """A prompt to be carried: by which command its reply is given, and what goes before it over a wire.

    `shape` is the reply's JSON Schema, where the reply is JSON; `effort` how deeply a model should think
    before it, where the kit says so. `heard` is told the reply's words as they come. The kit's length of
    pages holds for a reply that is `limited`.
    """

    prompt: str
    command: str
    before: Before | None = None
    shape: Mapping[str, Any] | None = None
    effort: str = ""
    heard: Callable[[str], None] | None = None
    limited: bool = False


@frozen
class CarryResult(Generic[Taken]):
    """The result of the reply; or what is left to carry by hand, why, and after how many replies."""

    taken: Taken | None = None
    left: Parcel | None = None
    why: ReelError | None = None
    tries: int = 0
    held: Sequence[str] = ()


class Transport(Protocol):
    """A way for prompts to a model and for its replies back, brought to the port `transports`."""

    def check_address(self, text: str) -> None:
        """Raise UsageError where a text is no address."""

    def is_here(self, text: str) -> bool:
        """Return whether an address is one on this machine; False for what is none."""

    def carry(self, opened: "OpenKit", parcel: Parcel, take: Callable[[str], Taken]) -> CarryResult[Taken]:
        """Send a prompt, give each reply to `take`, and ask for what is missing."""

    def gather_chat(self, opened: "OpenKit", session: str, room: int) -> Sequence[dict[str, str]]:
        """Return the messages of the chat that a prompt is meant for, in so many tokens."""


def find_transport() -> Transport:
    """Return what carries prompts; only where something is brought to the port `transports`."""
    transport: Transport = next(bring("transports"))
    return transport


def follows(*turns: str) -> Before:
    """Return the earlier questions and answers, in turns; empty ones are left out."""
    roles = ("user", "assistant")
    messages = [{"role": roles[at % 2], "content": text} for at, text in enumerate(turns) if text]
    return lambda _: messages


class ExchangeCommand(typer.core.TyperCommand):
    """A command with an exchange: it takes `--via` and `--model`, and notes them for who carries prompts."""

    alone = ""
    """Name of the option that goes with `--via` and asks nobody, "" for none."""
    takes_reply = True
    """True if it is about one prompt and its reply; then other ways to give a reply do not go with
    `--via`."""

    def __init__(self, *arguments: Any, **options: Any) -> None:  # noqa: ANN401 (as Typer has them)
        """Add the options; a command with a `--model` of its own keeps that."""
        super().__init__(*arguments, **options)
        self._own_model = any(param.name == "model" for param in self.params)
        if not is_brought("transports"):
            return
        self.params.append(
            typer.core.TyperOption(
                param_decls=["via", "--via"],
                type=str,
                metavar="APP|URL",
                help="Send the prompt to lmstudio, ollama, koboldcpp or an address; or paste.",
            )
        )
        if not self._own_model:
            self.params.append(
                typer.core.TyperOption(
                    param_decls=["model", "--model"],
                    type=str,
                    metavar="NAME",
                    help="With --via: the model to ask; else the loaded one.",
                )
            )

    def invoke(self, ctx: Any) -> Any:  # noqa: ANN401
        """Store how prompts are to travel, then run the command."""
        given = ctx.params
        to = given.pop("via", None)
        model = given.get("model") if self._own_model else given.pop("model", None)
        if to is None and model and not self._own_model:
            message = "--model goes with --via."
            raise UsageError(message, hint="add  --via lmstudio")
        context = ctx.obj
        if to is not None:
            _check_address(str(to))
            if self.takes_reply:
                _check(str(to), given, interactive=context.console.interactive, alone=self.alone)
        context.via = Via(
            str(to or "").strip(),
            str(model or "").strip(),
            yes=bool(given.get("yes")),
            quiet=bool(given.get("as_json")),
        )
        return super().invoke(ctx)


def _check_address(to: str) -> None:
    """Refuse what is no address."""
    if to.strip() != PASTE:
        find_transport().check_address(to)


def _check(to: str, given: dict[str, Any], *, interactive: bool, alone: str = "") -> None:
    """Refuse what does not go with a prompt that is sent."""
    if to.strip() == PASTE:
        return
    for flag in _ASKS:
        if flag in given and not given[flag]:
            message = f"--via goes only with --{flag}."
            raise UsageError(message)
    given_beside = ((flag, given.get(name)) for flag, name in _NOT_BOTH.items() if name != alone)
    beside = [flag for flag, value in given_beside if value not in (None, False)]
    if beside:
        message = f"--via sends the prompt and takes the reply itself; {beside[0]} does not go with it."
        raise UsageError(message)
    agreed = given.get("yes") or given.get("dry_run") or (alone and given.get(alone))
    if "yes" in given and not (interactive or agreed):
        message = "Without a terminal, reel cannot ask whether to keep the reply."
        raise ReelError(message, hint="add --yes to keep it without a question, or --dry-run to only look")
