"""The door; it answers `--version` before anything heavy is imported."""

import atexit
import gc
import os
import sys

from reel_cli import __version__

TYPE_CHECKING = False
"""As `typing` has it, which is not loaded this early: Ctrl-C would show where."""
if TYPE_CHECKING:
    from types import TracebackType

AGAIN = 0.01
"""Seconds after which Ctrl-C is raised again."""
YOUNG = 200_000
"""Number of new objects from which Python looks for those that hold one another and nobody needs."""


def main(*, hears_ctrl_c: bool = False) -> None:
    """Run `reel` with the process's own arguments and leave with its exit code.

    `hears_ctrl_c` says that Ctrl-C ends the process in silence, and that the command takes it while it runs.
    """
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(f"reel {__version__}")  # noqa: T201
        return
    # imported before all else, because it words the error if the rest cannot be loaded
    import signal

    from reel_cli.core.errors import NO_MEMORY, NO_MEMORY_HINT, ExitCode, is_out_of_memory

    try:
        from reel_cli.terminal.app import run

        if hears_ctrl_c:
            signal.signal(signal.SIGINT, signal.default_int_handler)
        code = run(arguments)
        if hears_ctrl_c:
            # all is written; now it may end the process again
            signal.signal(signal.SIGINT, signal.SIG_DFL)
    except Exception as error:
        if not is_out_of_memory(error):
            raise
        # there was too little memory even for the usual message
        os.write(2, f"Error: {NO_MEMORY}\nHint: {NO_MEMORY_HINT}\n".encode())
        os._exit(int(ExitCode.ATTENTION))
    sys.exit(code)


def start() -> None:
    """Run `reel` as the process it is: leave without the interpreter taking everything apart first.

    That takes a fifth of the time of `reel pack`, and what a command wrote is closed by then.
    """
    # most of what a command makes lives until it ends; looking through it took a twelfth of a page
    gc.set_threshold(YOUNG, 20, 20)
    sys.excepthook = _report
    sys.unraisablehook = _report_unraisable
    hears_ctrl_c = _let_ctrl_c_end()
    from reel_cli.core.pattern_cache import keep_patterns

    patterns = keep_patterns()
    if patterns is not None:
        atexit.register(patterns.save)
    try:
        main(hears_ctrl_c=hears_ctrl_c)
    except SystemExit as error:
        if isinstance(error.code, int | None) and _is_done():
            os._exit(error.code or 0)
        raise
    if _is_done():
        os._exit(0)


def _report(kind: type[BaseException], error: BaseException, trace: "TracebackType | None") -> None:
    """Report an exception that ends the process; Ctrl-C in silence, and Python leaves with its exit code."""
    if not isinstance(error, KeyboardInterrupt):
        sys.__excepthook__(kind, error, trace)


def _report_unraisable(unraisable: "sys.UnraisableHookArgs") -> None:
    """Report an exception where Python cannot raise it; raise Ctrl-C again where it can.

    A key pressed while Python calls a destructor or the callback of a weak reference, as each import does,
    would show a traceback and be lost.
    """
    if isinstance(unraisable.exc_value, KeyboardInterrupt):
        import signal
        import threading

        # a moment later: raised in here it would be lost as well. Sent to the main thread, since one that
        # another thread takes ends no wait for a key
        main = threading.main_thread().ident
        if main is not None and hasattr(signal, "pthread_kill"):
            threading.Timer(AGAIN, signal.pthread_kill, [main, signal.SIGINT]).start()
        else:
            threading.Timer(AGAIN, signal.raise_signal, [signal.SIGINT]).start()
    else:
        sys.__unraisablehook__(unraisable)


def _let_ctrl_c_end() -> bool:
    """Let Ctrl-C end the process in silence while modules are loaded; False where it is ignored.

    Python would raise it in their midst, and what is half loaded words no error.
    """
    import signal

    if signal.getsignal(signal.SIGINT) is not signal.default_int_handler:
        return False
    signal.signal(signal.SIGINT, signal.SIG_DFL)
    return True


def _is_done() -> bool:
    """Run what waits for the end and flush; False if the usual way out has something left to say or to do."""
    import threading

    if threading.active_count() > 1:
        return False
    atexit._run_exitfuncs()  # noqa: SLF001 (nothing public runs them)
    try:
        for stream in (sys.stdout, sys.stderr):
            if stream is not None:
                stream.flush()
    except (OSError, ValueError):
        return False
    return True


if __name__ == "__main__":
    start()
