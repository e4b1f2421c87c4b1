"""The door; it answers `--version` before anything heavy is imported."""

import sys

from reel_cli import __version__


def main() -> None:
    """Run `reel` with the process's own arguments and leave with its exit code."""
    arguments = sys.argv[1:]
    if arguments == ["--version"]:
        print(f"reel {__version__}")  # noqa: T201
        return
    from reel_cli.cli.app import run  # noqa: PLC0415

    sys.exit(run(arguments))


if __name__ == "__main__":
    main()
