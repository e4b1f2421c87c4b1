"""The door; it answers `--version` before anything heavy is imported."""

import gc
import os
import sys

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


if __name__ == "__main__":
    main()
