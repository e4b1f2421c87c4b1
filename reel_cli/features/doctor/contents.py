"""Checks of a kit's own files: unreadable ones, dead references, contents that make no sense."""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import CORE_FILES, check_file, restore_command
from reel_cli.core.files.ledger_file import holds_entry
from reel_cli.core.files.tree import is_memory_file
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import CheckScope, Stage, run_checks
from reel_cli.core.kit.kit_damage import KitDamage, find_damage, warn_of_damage
from reel_cli.core.kit.snapshot import EVENTS, Snapshot
from reel_cli.core.ports import list_feature_files
from reel_cli.core.rings.lost_header import is_headless
from reel_cli.core.tape.events_file import has_marks, parse_events
from reel_cli.terminal.kit_warnings import warn_of_anchor

if TYPE_CHECKING:
    from reel_cli.core.git.repository import Repository

FOLDERS = (*(f.name for f in CORE_FILES if f.needed and f.path.endswith("/")), "review")
RINGS = ("ring", "kit.yaml")


def look_at_damage(
    snapshot: Snapshot, kit: Path, repo: "Repository | None"
) -> tuple[KitDamage, list[Finding]]:
    """Look for files that are missing or damaged on the disk, and for exemplars that are active and gone."""
    try:
        damage = find_damage(kit, repo)
    except ReelError:
        # problems of the repository are reported separately
        damage = KitDamage()
    told = [*warn_of_damage(damage)]
    told += [one for one in warn_of_anchor(snapshot) if one.path not in damage.missing]
    found = []
    for one in told:
        check = "tape" if one.path.startswith("tape/") else "file"
        found.append(Finding(check, one.text, one.mend, at=one.path))
    return damage, found


def look_at_contents(scope: CheckScope) -> Sequence[Finding]:
    """Return everything in the kit's files that is not as it should be, but for the damage that is known.

    The tape is followed by its own chain; with `deep`, through all its versions as well.
    """
    broken = [one for one in _unreadable(scope.snapshot) if not scope.is_known(one)]
    scope.found += broken
    run_checks(scope, Stage.FILES)
    if not any(one.check == "file" for one in broken) and not lacks_rings(scope.damage):
        run_checks(scope, Stage.READABLE)
    scope.found += _unreadable_by_kind(scope)
    scope.found += _damaged_ledger(scope.snapshot)
    return scope.found


def lacks_rings(damage: KitDamage) -> bool:
    """Return whether so much is missing or damaged that nothing else can be told of what is remembered."""
    return any(path.startswith(RINGS) for path in (*damage.missing, *damage.damaged))


def find_unreadable(snapshot: Snapshot) -> list[Finding]:
    """Return findings for the unreadable files, without which nothing else can be told."""
    return list(_unreadable(snapshot))


def _unreadable(snapshot: Snapshot) -> Iterator[Finding]:
    if snapshot.read("kit.yaml") is None:
        yield Finding("file", "kit.yaml is missing", "reel restore kit.yaml")
    paths = ["kit.yaml", *(path for folder in FOLDERS for path in snapshot.list(folder))]
    paths += [path for path in snapshot.list("story") if path.endswith(".yaml")]
    if _reads(snapshot):
        paths = [path for path in paths if not _is_memory(path)]
    for path in paths:
        try:
            check_file(path, snapshot.read(path) or b"")
        except ReelError as error:
            mend = error.hint or f"fix the file, or  {restore_command([path])}"
            yield Finding("file", _plain(error), mend)
    yield from _headless(snapshot)
    for path in paths:
        try:
            data = snapshot.read(path) or b""
        except ReelError:
            # reported above
            continue
        if not path.startswith("tape/") and has_marks(data):
            what = f"{path} still has the marks of a merge ( <<<<<<< and >>>>>>> )"
            yield Finding(
                "file", what, "edit the file: keep the right text, and delete the lines with the marks"
            )
    try:
        parse_events(snapshot.read(EVENTS) or b"", EVENTS)
    except ReelError as error:
        yield Finding("file", _plain(error), error.hint or "")


def _headless(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding for each memory that begins without its header."""
    for path in filter(_is_memory, snapshot.list("ring3")):
        with suppress(ReelError):
            # a file that cannot be read is another finding
            if (data := snapshot.read(path)) and is_headless(path, data):
                what = f"{path}, line 1: the header with its title and source is gone"
                yield Finding("header", what, restore_command([path]), at=path)


def _unreadable_by_kind(scope: CheckScope) -> Iterator[Finding]:
    """Yield findings for features' files that cannot be read and that no other finding is about."""
    snapshot = scope.snapshot
    places = (one.where or one.what.partition(" ")[0] for one in scope.found)
    told = {*scope.damage.damaged, *(place.partition(":")[0].rstrip(",") for place in places)}
    for _, file in list_feature_files():
        paths = snapshot.list(file.name) if file.path.endswith("/") else [file.path]
        for path in paths if file.kind else ():
            if path in told:
                continue
            try:
                data = snapshot.read(path)
                if data is not None:
                    check_file(path, data)
            except ReelError as error:
                mend = error.hint or "fix the file, or delete it"
                hint_only = not file.needed
                yield Finding(PurePosixPath(file.name).stem, _plain(error), mend, hint_only, at=path)


def _damaged_ledger(snapshot: Snapshot) -> Iterator[Finding]:
    """Yield a finding for each file of the ledger with lines that are passed over, at the first of them."""
    for path in snapshot.list("journal"):
        text = (snapshot.read(path) or b"").decode("utf-8", "replace")
        told = enumerate(text.split("\n"), start=1)
        lines = [number for number, line in told if line.strip() and not holds_entry(line)]
        if lines:
            more = f" (and {len(lines) - 1:,} more)" if len(lines) > 1 else ""
            what = f"{path}, line {lines[0]:,}: it holds no entry, and is passed over{more}"
            yield Finding("file", what, "delete the line in your editor; nothing reads it")


def _reads(snapshot: Snapshot) -> bool:
    """Return whether all memories can be read; they are needed later, and read once."""
    try:
        return len(snapshot.memories) >= 0
    except ReelError:
        return False


def _is_memory(path: str) -> bool:
    return path.startswith("ring3/") and is_memory_file(path.removeprefix("ring3/"))


def _plain(error: ReelError) -> str:
    return error.message.rstrip(".")
