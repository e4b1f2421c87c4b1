"""Report of a kit for whoever mends reel: versions, counts and kinds, and no word that anybody said."""

import platform
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import MISSING, fields
from importlib.metadata import PackageNotFoundError, requires, version
from typing import TYPE_CHECKING

from reel_cli import __version__

if TYPE_CHECKING:
    from reel_cli.core.finding import Finding
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.doctor.survey import Checkup
    from reel_cli.terminal.open_kit import OpenKit

FILE = "reel-report.txt"
_DISTRIBUTION = "reel-cli"


def show_report(opened: "OpenKit", found: "Checkup") -> None:
    """Show the report; write it to a file beside the kit only if the person then says so."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.files.private import OWNER_FILE, write_new

    console = opened.console
    text = "\n".join(tell_report(opened.snapshot, found))
    console.result(text)
    if not (console.interactive and console.out.isatty()):
        return
    path = opened.root.parent / FILE
    if not console.confirm(f"That is all of it. Write it to {path}?", default=False):
        console.say("Nothing was written.")
        return
    try:
        path.unlink(missing_ok=True)
        write_new(path, f"{text}\n".encode(), OWNER_FILE)
    except OSError as error:
        message = f"{path} cannot be written: {error.strerror or error}."
        raise ReelError(message, hint="write it elsewhere:  reel doctor --report > FILE") from None
    console.result(f"Wrote {path}")


def tell_report(snapshot: "Snapshot", found: "Checkup") -> Sequence[str]:
    """Return the lines of the report: numbers, and words of reel's own alone."""
    levels = Counter(memory.level.value for memory in snapshot.memories.values())
    return [
        f"reel {__version__}, Python {platform.python_version()}, {sys.platform} {platform.machine()}",
        f"git: {found.git or 'none'}; guard: {found.guard}",
        f"packages: {', '.join(_packages()) or 'unknown'}",
        f"chats: {len(snapshot.sessions)}",
        f"memories: {_counted(levels)}",
        f"index lines: {len(snapshot.index.lines)}",
        f"files: {_counted(Counter(path.partition('/')[0] for path in _folders(snapshot)))}",
        f"settings changed: {', '.join(_settings(snapshot)) or 'none'}",
        f"serious: {_kinds(found, hint_only=False)}",
        f"worth a look: {_kinds(found, hint_only=True)}",
    ]


def _counted(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {counts[name]}" for name in sorted(counts)) or "none"


def _folders(snapshot: "Snapshot") -> Sequence[str]:
    """Return the paths below folders that reel knows; a name that somebody gave is not among them."""
    from reel_cli.core.files.kit_files import list_kit_files

    folders = [file.name for file in list_kit_files() if file.path.endswith("/")]
    return [path for folder in folders for path in snapshot.list(folder)]


def _settings(snapshot: "Snapshot") -> list[str]:
    """Return the settings that differ from their defaults; of texts only that they do."""
    told = []
    for row in fields(snapshot.settings):
        usual = row.default_factory() if row.default_factory is not MISSING else row.default
        value = getattr(snapshot.settings, row.name)
        if value != usual:
            told.append(f"{row.name} {value}" if isinstance(value, int | float) else row.name)
    return told


def _kinds(found: "Checkup", *, hint_only: bool) -> str:
    return _counted(Counter(_kind(one) for one in found.findings if one.hint_only is hint_only))


def _kind(finding: "Finding") -> str:
    return f"{finding.kind}/{finding.check}" if finding.check else finding.kind


def _packages() -> list[str]:
    """Return reel's own packages that are installed, each with its version."""
    import re

    try:
        wanted = requires(_DISTRIBUTION) or ()
    except PackageNotFoundError:
        return []
    names = dict.fromkeys(re.split(r"[^\w.-]", one, maxsplit=1)[0] for one in wanted)
    told = []
    for name in names:
        try:
            told.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            continue
    return told
