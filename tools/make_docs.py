"""Write what is generated: the command reference, and the page and the JSON Schema of the settings.

python tools/make_docs.py           writes them
python tools/make_docs.py --check   fails where one is not what it would write
"""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import typer
from settings_schema import render_page, render_schema

from reel_cli.features.table import COMMANDS
from reel_cli.terminal.app import build_app

DOCS = Path(__file__).resolve().parents[1] / "docs"
WIDTH = 88
EXIT_CODES = (
    "Results go to stdout, everything else to stderr. Exit codes: 0 done; 1 something you can mend; "
    "2 the command line is wrong; 3 the kit or git needs attention first; 255 a bug. A command that is "
    "stopped leaves with 130 (Ctrl-C; it says what is committed by then) or 143 (the system ended it). "
    "What is committed stays, and nothing lies between.\n"
)
SCHEMA = Path(sys.modules["reel_cli"].__path__[0]) / "data" / "kit.schema.json"


def main() -> int:
    """Write or check every generated file; 1 where one is stale."""
    os.environ["COLUMNS"] = str(WIDTH)
    os.environ["TERMINAL_WIDTH"] = str(WIDTH)
    made = (
        (DOCS / "commands.md", commands_page()),
        (DOCS / "settings.md", render_page()),
        (SCHEMA, render_schema()),
    )
    stale = []
    for path, text in made:
        if "--check" not in sys.argv[1:]:
            path.write_text(text, encoding="utf-8")
        elif not path.is_file() or path.read_text(encoding="utf-8") != text:
            stale.append(f"{path.parent.name}/{path.name}")
    for name in stale:
        sys.stderr.write(f"{name} is stale: run  make docs\n")
    return 1 if stale else 0


def commands_page() -> str:
    """The command reference, from the program's own help."""
    command = typer.main.get_command(build_app())
    parts = [
        "# Commands\n",
        "<!-- Made by tools/make_docs.py; edit the help in the features' command modules instead. -->\n",
        EXIT_CODES,
    ]
    for name, help_text in _helps(command, ["reel"]):
        parts.append(f"## `{name}`\n\n```text\n{help_text}\n```\n")
    return "\n".join(parts)


def _helps(command: Any, path: list[str]) -> Iterator[tuple[str, str]]:  # noqa: ANN401
    """Each command's help, groups before their verbs, in the order of the panels."""
    context = command.make_context(" ".join(path), [], resilient_parsing=True, max_content_width=WIDTH)
    yield " ".join(path), "\n".join(line.rstrip() for line in command.get_help(context).splitlines())
    verbs = getattr(command, "commands", {})
    order = list(COMMANDS) if len(path) == 1 else list(verbs)
    for name in (n for n in order if n in verbs):
        yield from _helps(verbs[name], [*path, name])


if __name__ == "__main__":
    sys.exit(main())
