"""The Typer app, put together from only the command that is asked for, and the one error boundary."""

import os
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from functools import cache
from importlib import import_module
from io import TextIOWrapper
from pathlib import Path
from typing import Annotated, Any

import typer

from reel_cli import __version__
from reel_cli.core.command_scope import command_scope
from reel_cli.core.errors import (
    NO_MEMORY,
    NO_MEMORY_HINT,
    ExitCode,
    OvertakenError,
    ReelError,
    StateError,
    UnusableError,
    UsageError,
    is_out_of_memory,
)
from reel_cli.core.ports import bring
from reel_cli.core.values.change import CHAT_RECORDED, capital
from reel_cli.features.table import ALIASES, COMMANDS, PANELS, SHORT
from reel_cli.terminal.console import Console
from reel_cli.terminal.context import Context
from reel_cli.terminal.folding import fold
from reel_cli.terminal.input.given_text import begin, cut_off, rewind

INTERRUPTED = 130
ATTEMPTS = 10
"""Number of times a command is begun, if other reels are faster."""
SIGNALLED = 128
"""Added to the number of the signal that ended a command, as shells do."""
DAY = 24 * 60 * 60
COMPLETION = ("install_completion", "show_completion")
"""Options that set up a shell."""


class Panels(typer.core.TyperGroup):
    """A group whose help lists its commands under the panels' names."""

    shown: Sequence[str] = SHORT
    """The panels that its help shows."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write one section a panel, in the panels' order."""
        for panel in self.shown:
            commands = ((name, self.get_command(ctx, name)) for name in PANELS[panel])
            rows = [
                (name, c.get_short_help_str(200)) for name, c in commands if c is not None and not c.hidden
            ]
            if rows:
                with formatter.section(panel):
                    formatter.write_dl(rows)

    def list_commands(self, ctx: Any) -> list[str]:  # noqa: ANN401, ARG002
        """List the commands in the order of `COMMANDS`."""
        return [name for name in COMMANDS if name in self.commands]

    def get_params(self, ctx: Any) -> list[Any]:  # noqa: ANN401
        """Return the options; those that only set up a shell are shown with all commands."""
        params = super().get_params(ctx)
        for param in params:
            if isinstance(param, typer.core.TyperOption) and param.name in COMPLETION:
                param.hidden = self.shown == SHORT
        return params

    def resolve_command(self, ctx: Any, args: list[str]) -> tuple[str | None, Any, list[str]]:  # noqa: ANN401
        """Return the command that the first word names; raises UsageError with the one that may be meant."""
        name = ALIASES.get(args[0], args[0])
        if name not in self.commands:
            from reel_cli.terminal.unknown_command import unknown_command

            raise unknown_command([name], list(COMMANDS), args[1:])
        return super().resolve_command(ctx, [name, *args[1:]])


class Subcommands(typer.core.TyperGroup):
    """A group of subcommands whose help shows each one's summary whole, folded to the width."""

    def format_commands(self, ctx: Any, formatter: Any) -> None:  # noqa: ANN401
        """Write the subcommands with their summaries."""
        commands = ((name, self.get_command(ctx, name)) for name in self.list_commands(ctx))
        rows = [(name, c.get_short_help_str(200)) for name, c in commands if c is not None and not c.hidden]
        with formatter.section("Commands"):
            formatter.write_dl(rows)


_HelpFormatter: Any = typer.core.TyperCommand.context_class.formatter_class


class HelpText(_HelpFormatter):  # type: ignore[misc]
    """The help of a command, in which no command that it gives as an example is broken."""

    def write_text(self, text: str) -> None:
        """Write a paragraph; one with a command is folded as the screens do it."""
        if "  reel " not in text:
            super().write_text(text)
            return
        indent = " " * self.current_indent
        self.write(f"{fold(text, self.width, indent, '  ')}\n")


# a command has no way of its own to name the class
typer.core.TyperCommand.context_class.formatter_class = HelpText


def build_app(names: Iterable[str] = COMMANDS) -> typer.Typer:
    """Build the app with these commands, importing only their modules."""
    app = typer.Typer(
        name="reel",
        cls=Panels,
        help="Keep an AI persona alive from chat to chat, in a folder of plain text.",
        epilog="All of it:  reel help --all    A word:  reel help window",
        rich_markup_mode=None,
        pretty_exceptions_enable=False,
        invoke_without_command=True,
        context_settings={"help_option_names": ["-h", "--help"]},
    )
    app.callback()(_entry)
    for name in names:
        import_module(COMMANDS[name]).register(app)
    for group in app.registered_groups:
        group.cls = Subcommands
    return app


@cache
def _ready(names: tuple[str, ...]) -> Callable[..., Any]:
    """Return the app as it is called; a process with many commands builds it once for each."""
    return typer.main.get_command(build_app(names))


def render_help(words: Sequence[str] = (), *, every: bool = False) -> str | None:
    """Return the help of a command, of `reel` itself for no words; None where there is no such command.

    `every` lists the commands of all panels.
    """
    names = tuple(COMMANDS) if every else _in_short() if not words else _named(words[0])
    command: Any = _ready(names) if not every else typer.main.get_command(build_app(names))
    if every:
        command.shown = tuple(PANELS)
        command.epilog = command.epilog.rpartition("    ")[2]
    context = command.make_context("reel", [], resilient_parsing=True)
    for word in [ALIASES.get(one, one) for one in words[:1]] + list(words[1:]):
        command = getattr(command, "commands", {}).get(word)
        if command is None:
            return None
        context = command.make_context(word, [], parent=context, resilient_parsing=True)
    text: str = command.get_help(context)
    return text


def _path(arguments: Sequence[str]) -> Sequence[str]:
    """Return the words of the command that a command line names: the command, and one of its own.

    An option that lacks its value is refused without a word of where.
    """
    typed, names = iter(arguments), _needed(arguments)
    command: Any = _ready(names)
    path: list[str] = []
    for word in typed:
        if word in ("--kit", "--chat") and not path:
            next(typed, None)
        elif not word.startswith("-"):
            command = getattr(command, "commands", {}).get(ALIASES.get(word, word))
            if command is None:
                break
            path.append(str(command.name))
    return path


def _in_short() -> tuple[str, ...]:
    return tuple(name for panel in SHORT for name in PANELS[panel] if name in COMMANDS)


def _named(word: str) -> tuple[str, ...]:
    """Return the command that a word names, if it does."""
    name = ALIASES.get(word, word)
    return (name,) if name in COMMANDS else ()


def _entry(
    ctx: typer.Context,
    kit: Annotated[
        Path | None, typer.Option("--kit", metavar="PATH", help="The kit to work on.", envvar="REEL_KIT")
    ] = None,
    chat: Annotated[
        str | None, typer.Option("--chat", metavar="NAME", help="The chat kept apart to work with.")
    ] = None,
    version: Annotated[bool, typer.Option("--version", help="Show the version and leave.")] = False,  # noqa: FBT002
) -> None:
    # a shell leaves ~ as it is within quotes, after = and in a variable
    ctx.obj.kit_option = kit and Path(os.path.expanduser(kit))  # noqa: PTH111 (raises nothing without a home)
    ctx.obj.chat_option = chat
    source = ctx.get_parameter_source("kit")
    typed = kit is not None and source is not None and source.name == "COMMANDLINE"
    if typed or chat is not None:
        from reel_cli.terminal.steps import steps_for_kit

        ctx.obj.console.steps = steps_for_kit(kit if typed else None, chat)
    if version:
        ctx.obj.console.result(f"reel {__version__}")
        raise typer.Exit
    if ctx.invoked_subcommand is None:
        for show in bring("overview"):
            show(ctx.obj)
            return
        ctx.obj.console.result(render_help() or "")


def _needed(arguments: Sequence[str]) -> tuple[str, ...]:
    """Return the commands that a command line needs, as far as that can be told without parsing it."""
    if "_REEL_COMPLETE" in os.environ:
        return tuple(COMMANDS)
    rest = list(arguments)
    while rest:
        word = rest.pop(0)
        if word in ("--kit", "--chat") and rest:
            rest.pop(0)
        elif word in ("-h", "--help"):
            return _in_short()
        elif not word.startswith("-"):
            return _named(word)
    return ()


def _chat_first(arguments: Sequence[str]) -> Sequence[str]:
    """Return a command line with `--chat NAME` at its beginning, wherever it stood: all commands take it."""
    rest = list(arguments)
    end = rest.index("--") if "--" in rest else len(rest)
    at = next((place for place, word in enumerate(rest[:end]) if word.split("=")[0] == "--chat"), None)
    if at is None:
        return rest
    width = 1 if "=" in rest[at] else 2
    if at + width > end:
        # without its name it would take the next word for one
        message = "--chat wants the name of a chat."
        raise UsageError(message, hint="reel apart  lists those that are kept apart")
    return [*rest[at : at + width], *rest[:at], *rest[at + width :]]


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; every error ends as one line and a hint."""
    if isinstance(sys.stdout, TextIOWrapper) and not sys.stdout.isatty():
        # piped output loses no letter, whatever the locale
        sys.stdout.reconfigure(encoding="utf-8")
    console = Console()
    context = Context(kit_option=None, console=console)
    settled = False
    try:
        with command_scope():
            code = _run(console, context, arguments)
        settled = not context.failed
    finally:
        if (console.pasted or not settled) and console.interactive:
            # what is done stays done, also where there is no memory left for this
            with suppress(Exception):
                from reel_cli.terminal.input.typed_line import discard_input

                # the rest of a paste would run as commands in the person's shell
                discard_input()
    return code


def _run(console: Console, context: Context, arguments: Sequence[str]) -> int:
    try:
        _require_zone()
        arguments = _chat_first(arguments)
        app = _ready(_needed(arguments))
        code = _call(app, arguments, context)
        if code == INTERRUPTED:
            # the app reports Ctrl-C this way
            return _stopped(context)
        if context.half_done is not None:
            what, way_out = context.half_done
            console.say(f"{what} is under way.  {way_out}")
        console.flush()
    except ReelError as error:
        context.failed = True
        console.error(error.message, _unquoted(arguments) or _hint(context, error))
        if isinstance(error, UnusableError) and error.kept:
            console.say(error.kept)
        _note_altered(context, error)
        return int(error.exit_code)
    except (KeyboardInterrupt, typer.Abort):
        return _stopped(context)
    except (BrokenPipeError, SystemExit) as error:
        # the reader went away (`| head`), which the app answers by exiting; nothing is wrong
        if isinstance(error, SystemExit) and not isinstance(error.__context__, BrokenPipeError):
            raise
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return int(ExitCode.DONE)
    except Exception as error:  # noqa: BLE001
        if _is_interrupt(error):
            return _stopped(context)
        context.failed = True
        return _trouble(console, error, arguments)
    return int(code or 0)


def _is_interrupt(error: BaseException) -> bool:
    """Return whether Ctrl-C is behind an error: Python 3.11 wraps it where a class is being made."""
    seen: BaseException | None = error
    while seen is not None and not isinstance(seen, KeyboardInterrupt):
        seen = seen.__cause__ or (None if seen.__suppress_context__ else seen.__context__)
    return seen is not None


def _call(app: Callable[..., Any], arguments: Sequence[str], context: Context) -> Any:  # noqa: ANN401
    """Run the command; from its beginning again where another reel changed the kit before it could.

    That is done only while nothing is committed, answered or asked, so that nobody can tell it from a command
    which began a moment later.
    """
    begin()
    for left in reversed(range(ATTEMPTS)):
        try:
            return app(args=list(arguments), prog_name="reel", standalone_mode=False, obj=context)
        except OvertakenError:
            if not left or context.console.answered or context.done:
                raise
        rewind()
        vars(context).update(vars(Context(kit_option=None, console=context.console)))
    return None


def _hint(context: Context, error: ReelError) -> str | None:
    """Return the way out of an error: of a merge under way, of a damaged file, else the error's own."""
    if context.half_done is not None and error.exit_code is not ExitCode.USAGE:
        # however the command sees a file in conflict, this is the next step
        return context.half_done[1]
    if context.opened is not None:
        from reel_cli.terminal.kit_warnings import mend_for

        return mend_for(context.opened, error) or error.hint
    return error.hint


def _require_zone() -> None:
    """Refuse a time zone a day or more off: no time could be told in it."""
    if max(abs(time.timezone), abs(time.altzone)) >= DAY:
        message = f"TZ is {os.environ.get('TZ', '')!r}, which is not a time zone."
        raise UsageError(message, hint="unset TZ, or write it like  Europe/Helsinki")


def _note_altered(context: Context, error: ReelError) -> None:
    """Note what of the tape is not as recorded, where a command stopped at a state that may be due to it."""
    if isinstance(error, StateError) and context.opened is not None:
        from reel_cli.terminal.kit_warnings import note_altered

        with suppress(ReelError, OSError):
            note_altered(context.opened)


def _stopped(context: Context) -> int:
    context.failed = True
    if context.farewell:
        return SIGNALLED + context.ended if context.ended else INTERRUPTED
    if context.done == [CHAT_RECORDED]:
        message = f"Stopped. {CHAT_RECORDED[0].upper()}{CHAT_RECORDED[1:]}."
    elif context.done:
        message = f"Stopped. Done already, and it stays: {'; '.join(context.done)}."
    elif context.stays:
        message = f"Stopped. {capital(context.stays)} stays."
    else:
        message = "Stopped. Nothing was changed."
    context.console.say()
    context.console.say(message)
    if context.opened is not None and (text := cut_off()):
        from reel_cli.terminal.refused_reply import SENTENCE, tell_refused

        if len(text.split()) >= SENTENCE:
            tell_refused(context.opened, text)
    if context.waiting:
        context.console.say(capital(context.waiting))
    return SIGNALLED + context.ended if context.ended else INTERRUPTED


def _unquoted(arguments: Sequence[str], beyond: str = "", command: str = "") -> str | None:
    """Return the hint to quote a file's name, or another, that a shell took for several words; None for none.

    `beyond` are the words that were too many for `command`, as a message tells them.
    """
    from reel_cli.terminal.unknown_command import quote_together

    together = quote_together(arguments, beyond, command)
    return together and f"put quotes around a name of several words:  {together}"


def _usage(console: Console, error: Any, arguments: Sequence[str]) -> int:  # noqa: ANN401
    from reel_cli.terminal.unknown_command import (
        BEYOND,
        ONE_STEP,
        one_at_a_time,
        single_dash,
        unknown_subcommand,
    )

    context = getattr(error, "ctx", None)
    if type(error).__name__ == "NoArgsIsHelpError":
        # a group alone shows its help, like `reel` alone
        console.result(error.format_message())
        return int(ExitCode.DONE)
    where = context.command_path if context else " ".join(["reel", *_path(arguments)])
    names = [
        name for name, one in getattr(context and context.command, "commands", {}).items() if not one.hidden
    ]
    meant = unknown_subcommand(where, error.format_message(), names, arguments)
    if meant is not None:
        console.error(meant.message, meant.hint)
        return int(ExitCode.USAGE)
    message = error.format_message()
    beyond = BEYOND.fullmatch(message)
    if beyond and (several := one_at_a_time(arguments, beyond[1], where)):
        console.error(several.message, several.hint)
        return int(ExitCode.USAGE)
    options = [name for one in getattr(context and context.command, "params", ()) for name in one.opts]
    if message.startswith("No such option") and (way := single_dash(arguments, [*options, "--help"])):
        console.error("An option of several letters has two dashes.", f"did you mean  {way}")
        return int(ExitCode.USAGE)
    hint = ONE_STEP.get(where) or (_unquoted(arguments, beyond[1], where) if beyond else None)
    console.error(message, hint or f"see  {where} --help")
    return int(ExitCode.USAGE)


def _trouble(console: Console, error: Exception, arguments: Sequence[str]) -> int:
    """Report errors no command has reported: the system's, a wrong command line, or a bug."""
    if is_out_of_memory(error):
        console.error(NO_MEMORY, NO_MEMORY_HINT)
        return int(ExitCode.ATTENTION)
    if isinstance(error, OSError):
        place = f": {error.filename}" if error.filename else ""
        console.error(f"{error.strerror or error}{place}.", _os_hint(error))
        return int(ExitCode.ATTENTION)
    if hasattr(error, "format_message"):
        # the vendored Click's own class, which has no public name
        return _usage(console, error, arguments)
    return _bug(console, error)


def _os_hint(error: OSError) -> str | None:
    import errno

    return {
        errno.ENOSPC: "free some space on the disk; the kit is as it was",
        errno.EACCES: "check who owns the folder",
        errno.EROFS: "the folder is read-only; take another, or a copy of the kit where you can write",
    }.get(error.errno or 0)


def _bug(console: Console, error: Exception) -> int:
    if os.environ.get("REEL_DEBUG"):
        raise error
    console.error(
        f"reel has a bug here ({type(error).__name__}: {error}).",
        "please report it; REEL_DEBUG=1 shows where it happened",
    )
    return int(ExitCode.BUG)
