"""Write what is generated: commands, glossary, keys of the JSON, settings and their JSON Schema.

python tools/make_docs.py           writes them
python tools/make_docs.py --check   fails where one is not what it would write
"""

import re
import sys
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import typer
from settings_schema import render_page, render_schema

from reel_cli.core.ports import list_status_places
from reel_cli.core.tape.format_rows import FORMATS
from reel_cli.features.help.topics import render_glossary
from reel_cli.features.history.command_diff import difference_json
from reel_cli.features.history.diff import Difference, Tape
from reel_cli.features.history.diff_files import Exemplars, ListChange, WorkingChange
from reel_cli.features.history.diff_memories import IndexChange
from reel_cli.features.status.view import KEYS, in_order
from reel_cli.features.table import COMMANDS, PANELS
from reel_cli.terminal.app import build_app

DOCS = Path(__file__).resolve().parents[1] / "docs"
SHARED_BY = 2
"""Commands that describe an option in the same words before it is described once for all."""
ASKING = ("--prompt", "--reply", "--dry-run", "--json", "--via", "--model")
"""Options of a command that asks the model; a command that has them all is said to ask."""
REVIEWED = ("-y, --yes", "Keep it without a review.")
"""The meaning of --yes in such a command."""
EXIT_CODES = (
    "Results go to stdout, everything else to stderr. Exit codes: 0 done; 1 something you can mend; "
    "2 the command line is wrong; 3 the kit or git needs attention first; 255 a bug. A stopped "
    "command leaves with 130 (Ctrl-C) or 143 (ended by the system); what is committed by then stays.\n"
)
SHARED = "Every command has `--help`, with an example. Arguments and options without words below mean:\n"
ASKS = (
    f"A command that *asks the model* has {', '.join(f'`{name}`' for name in ASKING)}, "
    f"and `{REVIEWED[0]}`: {REVIEWED[1]}\n"
)
SCHEMA = Path(sys.modules["reel_cli"].__path__[0]) / "data" / "kit.schema.json"


def main() -> int:
    """Write or check every generated file; 1 where one is stale."""
    made = (
        (DOCS / "commands.md", commands_page()),
        (DOCS / "settings.md", render_page()),
        (DOCS / "glossary.md", render_glossary()),
        (DOCS / "json.md", json_page((DOCS / "json.md").read_text(encoding="utf-8"))),
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
    """Return the command reference, from the program's own help; what many options share is said once."""
    pages = list(_pages(typer.main.get_command(build_app()), ["reel"]))
    shared = _shared_options(pages)
    parts = [
        "# Commands\n",
        "<!-- Made by tools/make_docs.py; edit the help in the features' command modules instead. -->\n",
        EXIT_CODES,
        SHARED,
        # one and several of the same thing are described in the same words
        *(f"- `{name}`: {text}" for name, text in shared.items() if not shared.keys() & _plural(name)),
        "",
        ASKS,
    ]
    panels = {names[0]: panel for panel, names in PANELS.items()}
    for page in pages:
        if panel := panels.get(page.name.removeprefix("reel ")):
            parts.append(f"## {panel}\n")
        parts += [f"### `{page.name}`\n", f"{page.text}\n", *_option_lines(page, shared)]
    return "\n".join(parts)


def json_page(page: str) -> str:
    """Return the page of the JSON with the keys of `status` and `diff`, those of the features included."""
    notes = WorkingChange(ListChange(), ListChange())
    nothing = Difference(None, None, 0, 0, Tape(), (), (), IndexChange(), notes, (), Exemplars(), (), {}, {})
    status: dict[str, object] = dict.fromkeys(KEYS)
    for _, place in list_status_places():
        status |= place.empty
    keys = f"`status`: {_keys(in_order(status))}.\n\n`diff`: {_keys(difference_json(nothing))}.\n"
    return re.sub(r"(?s)(<!-- Made by .*? -->\n).*?(?=\n## )", lambda found: f"{found[1]}\n{keys}", page)


def _keys(told: Mapping[str, object]) -> str:
    """Return the keys, each with those below it."""
    below = {key: f" ({_keys(value)})" for key, value in told.items() if isinstance(value, Mapping) and value}
    return ", ".join(f"`{key}`{below.get(key, '')}" for key in told)


class CommandPage(NamedTuple):
    """One command's help: its name, what it does, and its arguments and options in order."""

    name: str
    text: str
    options: Sequence[tuple[str, str]]


def _pages(command: Any, path: list[str]) -> Iterator[CommandPage]:  # noqa: ANN401
    """Yield each command's help, groups before their verbs, in the order of the panels."""
    name = " ".join(path)
    context = command.make_context(name, [], resilient_parsing=True)
    records = [param.get_help_record(context) for param in command.get_params(context)]
    options = [(one[0], _plain(one[1])) for one in records if one]
    text = " ".join((command.help or "").split())
    yield CommandPage(name, text, [one for one in options if "--help" not in one[0]])
    verbs = getattr(command, "commands", {})
    order = list(COMMANDS) if len(path) == 1 else list(verbs)
    for verb in (one for one in order if one in verbs):
        yield from _pages(verbs[verb], [*path, verb])


def _plural(name: str) -> set[str]:
    """Return how an argument is called where there may be several of it."""
    return {f"{name}...", f"{name}…"}


def _plain(text: str) -> str:
    """Return what an option's help says, without what the page of the chats or its argument shows."""
    text = text.replace(", ".join(FORMATS), "a format of [this table](chats.md)")
    return re.sub(r" +\[(?:required|x>=\d)\]", "", text).replace("; x>=1]", "]")


def _shared_options(pages: Sequence[CommandPage]) -> Mapping[str, str]:
    """Return the options that several commands describe in the same words, the most common first.

    Of an option with two meanings only the more common one is shared.
    """
    counts = Counter(one for page in pages for one in page.options)
    shared: dict[str, str] = {}
    shown = set()
    for (name, text), count in counts.most_common():
        if count >= SHARED_BY and _short(name) not in shown:
            shared[name] = text
            shown.add(_short(name))
    return shared


def _short(name: str) -> str:
    """Return an option's name without its value: `--window` of `--window SIZE`."""
    return name.partition(" ")[0].rstrip(",")


def _option_lines(page: CommandPage, shared: Mapping[str, str]) -> Iterator[str]:
    options = page.options
    common = [_short(name) for name, text in options if shared.get(name) == text]
    if asks := REVIEWED in options and set(ASKING) <= set(common):
        options = [one for one in options if one != REVIEWED]
        common = [name for name in common if name not in ASKING]
    own = [(name, text) for name, text in options if shared.get(name) != text]
    yield from (f"- `{name}`: {text}" for name, text in own)
    if common or asks:
        yield from [""] * bool(own)
        yield ", ".join([*(f"`{name}`" for name in common), *["*asks the model*"] * asks])
    if page.options:
        yield ""


if __name__ == "__main__":
    sys.exit(main())
