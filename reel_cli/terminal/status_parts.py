"""Parts of `reel status` that features bring: a line or section, what `--json` says, what is due."""

import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import field
from typing import TYPE_CHECKING

from reel_cli.core.frozen import frozen
from reel_cli.core.ports import StatusPlace, list_status_places, resolve

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.values.due import Due
    from reel_cli.terminal.console import Console
    from reel_cli.terminal.open_kit import OpenKit


@frozen
class StatusScope:
    """The kit that `reel status` looks at; `due` is what is due in it, as far as that is known."""

    opened: "OpenKit"
    snapshot: "Snapshot"
    cold: bool
    due: Sequence["Due"] = ()


@frozen
class StatusPart:
    """A feature's part of `reel status`; those of a lower `order` come first.

    `text` returns folded lines ("" for none), `json` the keys for a program, and `due` what is due in a kit
    as it is now; looking back, nothing is asked for what is due.
    """

    order: int
    text: Callable[[StatusScope], str] | None = None
    json: Callable[[StatusScope], Mapping[str, object]] | None = None
    due: Callable[[StatusScope], Sequence["Due"]] | None = None


@frozen
class StatusParts:
    """The parts that have something to say of a kit, in order, and what `--json` says for the others."""

    parts: Sequence[StatusPart]
    empty: Mapping[str, object] = field(default_factory=dict)

    def text(self, scope: StatusScope) -> Iterator[tuple[int, str]]:
        """Yield each part's place among the lines, and its lines."""
        yield from ((part.order, part.text(scope)) for part in self.parts if part.text is not None)

    def json(self, scope: StatusScope) -> Mapping[str, object]:
        """Return the keys of all parts."""
        told = dict(self.empty)
        for part in self.parts:
            told |= part.json(scope) if part.json is not None else {}
        return told

    def due(self, scope: StatusScope) -> Sequence["Due"]:
        """Return what is due of all parts."""
        return [one for part in self.parts if part.due is not None for one in part.due(scope)]


def find_parts(scope: StatusScope) -> StatusParts:
    """Return the parts of features that have files in the kit; the others are not imported."""
    empty: dict[str, object] = {}
    found: list[StatusPart] = []
    for feature, place in list_status_places():
        if _is_asked(scope, place):
            found.append(resolve(feature, place.place))
        else:
            empty |= place.empty
    return StatusParts(sorted(found, key=lambda part: part.order), empty)


def _is_asked(scope: StatusScope, place: StatusPlace) -> bool:
    if not place.files:
        return True
    if scope.opened.past is None:
        return any(os.path.lexists(scope.opened.root / file) for file in place.files)
    return any(
        scope.snapshot.list(file.removesuffix("/")) if file.endswith("/") else scope.snapshot.read(file)
        for file in place.files
    )


def section(console: "Console", heading: str, lines: Sequence[str]) -> str:
    """Return lines under a heading; "" where there are none."""
    if not lines:
        return ""
    return "\n".join([heading, *(_indented(console, line) for line in lines)])


def _indented(console: "Console", line: str) -> str:
    """Return a line under a heading; one that fits keeps its columns."""
    whole = f"  {line}"
    return whole if fits(console, whole) else console.wrap(line, console.out, "  ")


def fits(console: "Console", text: str, indent: int = 0) -> bool:
    """Return whether text fits on the screen without being folded."""
    if not console.out.isatty():
        return True
    from shutil import get_terminal_size

    return max(map(len, text.splitlines())) + indent <= get_terminal_size().columns
