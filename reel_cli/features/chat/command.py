"""`reel chat`: talk with the persona in the terminal, over a model that runs on this machine."""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from reel_cli.core.errors import ReelError, UsageError
from reel_cli.terminal.options import Boot, Cue, With
from reel_cli.terminal.transport_option import PASTE, ExchangeCommand, Via

if TYPE_CHECKING:
    from types import FrameType

    from reel_cli.features.chat.walk import Chat
    from reel_cli.features.wire.connect import Connection
    from reel_cli.terminal.context import Context
    from reel_cli.terminal.open_kit import OpenKit

ENDINGS = ("SIGTERM", "SIGHUP")
SIGNALLED = 128
"""Added to the number of the signal that ended the chat, as shells do."""
LEAVES = ("/leave", "/quit", "/exit")
WORDS = ("/recall", "/again", "/keep", "/full", "/help", "/end", *LEAVES)
HELP = (
    ("/recall WORDS", "look for a moment, for the next answer to use"),
    ("/again", "ask for the last answer again"),
    ("/keep", "sum up, and go on with more room"),
    ("/full", "how full the window is"),
    ("/end", "end it with its page (Ctrl-D)"),
    ("/leave", "leave; its page can come later (Ctrl-C)"),
    ("//", "at the beginning of a line: a plain /"),
    ("\\", "at a line's end: what you say goes on in the next line"),
)


class _Chat(ExchangeCommand):
    takes_reply = False


def register(app: typer.Typer) -> None:
    """Add the command to the app."""
    app.command("chat", cls=_Chat, epilog="Example:  reel chat --via lmstudio")(chat)


def chat(
    ctx: typer.Context,
    cue: Cue = "",
    boot: Boot = None,
    rows: With = None,
    session: Annotated[str, typer.Option("--session", metavar="ID", help="Go on with this chat.")] = "",
    resume: Annotated[bool, typer.Option("--resume", help="Go on from the last keep.")] = False,
    yes: Annotated[
        bool, typer.Option("--yes", "-y", help="Sum up and take its page without a review.")
    ] = False,
) -> None:
    """Talk with the persona here, over a model that runs on this machine."""
    from reel_cli.core.pack.build_bundle import BundleRequest
    from reel_cli.features.chat.walk import Begins, Chat
    from reel_cli.terminal.kit_warnings import note_fresh_clone
    from reel_cli.terminal.pointing import pointing

    if session and resume:
        message = "--session and --resume each say what goes on."
        raise UsageError(message, hint="leave out one of the two")
    opened: OpenKit = ctx.obj.open_kit()
    opened.require_repository()
    server = _typed(opened.context.via)
    to = _connect(opened)
    note_fresh_clone(opened)
    going = Chat(opened, to, unasked=yes)
    with pointing(opened.console, asked=bool(rows)):
        going.begin(
            Begins(BundleRequest(cue=cue, boot=boot, rows=tuple(rows or ())), session.strip(), resume)
        )
    with ended_from_outside(opened.context):
        try:
            ends = _talk(opened, going) if opened.console.interactive else _take_piped(going, server) and yes
        except BaseException:
            going.rescue()
            raise
        if ends:
            going.end()
        else:
            _leave(opened, going, server)
    if opened.context.ended:
        raise typer.Exit(SIGNALLED + opened.context.ended)


@contextmanager
def ended_from_outside(context: "Context") -> Iterator[None]:
    """Make SIGTERM, or a closed terminal, stop the chat as Ctrl-C does.

    A second one ends it at once; what was said is on the disk.
    """
    import signal
    import threading

    def on_signal(number: int, _frame: "FrameType | None") -> None:
        signal.signal(number, signal.SIG_DFL)
        context.ended = number
        raise KeyboardInterrupt

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    numbers = [getattr(signal, name) for name in ENDINGS if hasattr(signal, name)]
    # a signal that is ignored, as under nohup, stays ignored
    numbers = [number for number in numbers if signal.getsignal(number) is not signal.SIG_IGN]
    before = {number: signal.signal(number, on_signal) for number in numbers}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _connect(opened: "OpenKit") -> "Connection":
    """Return the server to talk to: the one named, the kit's own, else the first local one that answers."""
    from reel_cli.core.git.identity import author_identity
    from reel_cli.features.chat.fit_window import fit_window
    from reel_cli.features.wire.connect import address_of, connect, find_here
    from reel_cli.features.wire.wire_error import WireError

    via = opened.context.via or Via("")
    if PASTE in (via.to, opened.snapshot.settings.via if not via.to else ""):
        message = "A chat here talks to the model directly; it cannot go by copy and paste."
        raise UsageError(message, hint="to chat in another program:  reel start")
    if not via.to and not opened.snapshot.settings.via:
        opened.context.via = replace(via, to=find_here() or _nobody(), model=via.model)
    elif not via.to and not opened.console.interactive:
        opened.context.via = replace(via, to=_own_address(opened))
    try:
        to = connect(opened)
    except WireError as error:
        shown = address_of(opened).shown
        message = f"{shown} could not be asked: {error.why}."
        raise ReelError(message, hint=error.hint or None) from None
    author_identity(opened.repository, opened.snapshot.settings.author)
    window, context = opened.snapshot.settings.window, to.loaded.context
    if context and context < window:
        fit_window(opened, to)
    return to


def _nobody() -> NoReturn:
    message = "No model is loaded in LM Studio, Ollama or KoboldCpp on this machine."
    raise ReelError(message, hint="load one and switch its server on, or name another:  --via http://…/v1")


def _own_address(opened: "OpenKit") -> str:
    """Return the kit's own server, where it may be taken unasked: on this machine."""
    from reel_cli.features.wire.connect import address_of

    address = address_of(opened)
    if not address.is_here and address.host in opened.snapshot.settings.via_allow:
        message = (
            "Nothing was sent: without a terminal, reel cannot ask whether memories may leave this machine."
        )
        raise ReelError(message, hint=f"say it with  --via {opened.snapshot.settings.via}")
    return opened.snapshot.settings.via


def _talk(opened: "OpenKit", going: "Chat") -> bool:
    """Run turns at the terminal until the person ends it; return whether with its page."""
    from reel_cli.features.chat.typing import TurnPrompt

    typing = TurnPrompt(opened.console)
    try:
        while True:
            text = typing.turn(going.user)
            word, _, rest = text.partition(" ")
            word = word.lower()
            if text.startswith("//") or not text.startswith("/"):
                text = text.removeprefix("/") if text.startswith("//") else text
                if text:
                    going.keep_if_due(text)
                    with typing.ahead():
                        going.say(text)
                    going.keep_if_due()
            elif word == "/end" or word in LEAVES:
                return word == "/end"
            else:
                _do(opened, going, word, rest.strip())
    except EOFError:
        return True
    except KeyboardInterrupt:
        opened.console.say()
        return False


def _take_piped(going: "Chat", server: str) -> bool:
    """Send the turns on standard input, as long as they are answered.

    Raises ReelError where one is not; what was said is on the tape.
    """
    from reel_cli.features.chat.typing import piped_turns

    for text in piped_turns():
        going.keep_if_due(text)
        if not going.say(text):
            message = "There was no answer, so what follows was not sent."
            on = f" {going.goes_on_with}" if going.goes_on_with else ""
            kept = "what was said is on the tape; to go on" if on else "to try again"
            raise ReelError(message, hint=f"{kept}:  reel chat{on}{server}")
        going.keep_if_due()
    return True


def _typed(via: Via | None) -> str:
    """Return the options that name the same server and model once more."""
    from reel_cli.core.shell import quote

    if via is None or not via.to:
        return ""
    return f" --via {quote(via.to)}{f' --model {quote(via.model)}' if via.model else ''}"


def _leave(opened: "OpenKit", going: "Chat", server: str) -> None:
    """Show how to continue, and how to get its page; `server` names it as the person did."""
    going.leave()
    if going.goes_on_with:
        opened.console.say(f"To go on with it:  reel chat {going.goes_on_with}{server}")
        opened.console.next_step(f"Next:  reel end{_typed(opened.context.via)}")


def _do(opened: "OpenKit", going: "Chat", word: str, rest: str) -> None:
    """Run the command that a word with a slash names."""
    from reel_cli.core.nearest import nearest

    console = opened.console
    if word == "/recall" and rest:
        going.recall(rest)
    elif word == "/again":
        going.answer_again()
    elif word == "/keep":
        going.keep(by_hand=True)
    elif word == "/full":
        going.show_fullness()
    elif word == "/help":
        for line in console.table((), [(f"  {name}", what) for name, what in HELP]).split("\n"):
            console.say(line)
    else:
        near = nearest(word, WORDS)
        did = f" Did you mean {near}?" if near else ""
        told = (
            "Say what to look for:  /recall the wrong train"
            if word == "/recall"
            else f"There is no {word}.{did}"
        )
        console.say(told)
        console.say("Nothing was sent. /help shows what there is.")
