"""The door; it answers `--version` before anything heavy is imported."""

import atexit
import gc
import os
import sys
from typing import TypeGuard

from reel_cli import __version__


def main() -> None:
    """Run `reel` with the process's own arguments and leave with its exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(f"reel {__version__}")  # noqa: T201
        return
    # most of what a command makes lives until it ends, and looking through it again and again takes long
    gc.set_threshold(50_000, 20, 20)
    # imported first, because it words the error if the rest cannot be loaded
    from reel_cli.core.errors import NO_MEMORY, NO_MEMORY_HINT, ExitCode, is_out_of_memory

    try:
        from reel_cli.terminal.app import run

        code = run(arguments)
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
    from reel_cli.core.pattern_cache import keep_patterns

    patterns = keep_patterns()
    if patterns is not None:
        atexit.register(patterns.save)
    try:
        main()
    except SystemExit as error:
        if _is_done(error.code):
            os._exit(error.code or 0)
        raise
    if _is_done(0):
        os._exit(0)


def _is_done(code: object) -> TypeGuard[int | None]:
    """Run what waits for the end and flush; False if the usual way out has something left to say or to do."""
    import threading

    if not isinstance(code, int | None) or threading.active_count() > 1:
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
