"""Checks of the shelf: pages without files and files without pages, and watched files."""

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.state import State
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, MendScope, Stage
from reel_cli.core.moment import stamp
from reel_cli.core.shell import quote
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.values.change import Change, one_line
from reel_cli.features.shelf.files import read_contents, read_shelf
from reel_cli.features.shelf.names import clean_name
from reel_cli.features.shelf.shelf_file import UNREADABLE
from reel_cli.features.shelf.sidecar_file import render_sidecar
from reel_cli.features.shelf.summaries.summary import SUMMARIES
from reel_cli.features.shelf.survey import OP, as_typed, names_in_words, score
from reel_cli.features.shelf.watched_files import CHANGED, GONE, state_of

if TYPE_CHECKING:
    from collections.abc import Sequence
    from datetime import datetime

    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.features.shelf.shelf_file import ShelfFile

CHECK = "shelf"
SHOWN = 5
MADE_BY = "reel doctor"


def look_at_shelf(snapshot: "Snapshot") -> list[Finding]:
    """Return everything wrong on the shelf; of one kind, the first few."""
    files = list(read_shelf(snapshot).values())
    root = snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None
    contents = read_contents(snapshot, [file.path for file in files if file.held])
    closed = frozenset(path for path, content in contents.items() if content.kind == UNREADABLE)
    strange = frozenset(file.path for file in files if not file.noted and not _is_plain(file))
    summaries = frozenset(snapshot.list(SUMMARIES))
    found = [
        *_few([_named(path) for path in sorted(strange)]),
        *_few([_closed(path) for path in sorted(closed)]),
        *_few([one for one in map(_trouble, files) if one is not None]),
        *_few(list(_marks(snapshot, files))),
        *_few([one for one in (_untold(summaries, file) for file in files) if one is not None]),
        *_few(
            [_without_page(file) for file in files if not file.noted and file.path not in closed | strange]
        ),
    ]
    if root is not None:
        states = [(file, state_of(root, file.watched)) for file in files if file.watched is not None]
        found += _few([_watched(file, state) for file, state in states if state == GONE])
        found += _few([_watched(file, state) for file, state in states if state == CHANGED])
        allowed = State(root).watched()
        found += _few([_unread(one) for one, _ in states if one.watched and one.watched.path not in allowed])
    return found


def plan_pages(snapshot: "Snapshot", now: "datetime") -> Change | None:
    """Make the pages that are missing; None where none is."""
    shelf = read_shelf(snapshot)
    contents = read_contents(snapshot, [file.path for file in shelf.values() if not file.noted])
    files = [
        shelf[path] for path, one in contents.items() if one.kind != UNREADABLE and _is_plain(shelf[path])
    ]
    if not files:
        return None
    writes: dict[str, bytes | None] = {}
    for file in files:
        data = snapshot.read(file.path)
        if data is None:
            continue
        # a file put there by hand is recorded with its page
        writes[file.path] = data
        made = replace(file, created_by=MADE_BY, created_at=stamp(now))
        writes[file.sidecar] = render_sidecar(made, score(file, 0)).encode()
    return Change(OP, f"pages for {names_in_words(files)}", writes)


def _is_plain(file: "ShelfFile") -> bool:
    """Return whether a file that was put there by hand has a name that can be kept."""
    try:
        return clean_name(file.name) == file.name
    except ReelError:
        return False


def _named(path: str) -> Finding:
    what = f"{one_line(path)} has a name that does not work on every disk"
    return Finding(CHECK, what, "give it a plain one", at=one_line(path))


def _closed(path: str) -> Finding:
    return Finding(CHECK, f"{one_line(path)} is not a plain file", "put a copy of the file there", at=path)


def _trouble(file: "ShelfFile") -> Finding | None:
    if not file.trouble:
        return None
    what = one_line(file.trouble).rstrip(".")
    if not file.held and file.noted and file.watched is None and " is gone, and only " in what:
        return Finding(
            CHECK, what, f"reel restore {quote(one_line(file.path))}  brings it back", at=file.sidecar
        )
    return Finding(CHECK, what, f"fix {file.sidecar}", at=file.sidecar)


def _untold(summaries: frozenset[str], file: "ShelfFile") -> Finding | None:
    """Return a finding for a file only in history, whose summary is gone."""
    told = file.summarized_in
    if not file.in_history or (told and told in summaries):
        return None
    what = f"{one_line(file.path)} is only in the history, and its summary is gone"
    return Finding(CHECK, what, f"reel restore {quote(one_line(file.path))}  brings it back", at=file.sidecar)


def _marks(snapshot: "Snapshot", files: "Sequence[ShelfFile]") -> Iterator[Finding]:
    for file in files:
        try:
            data = snapshot.read(file.sidecar) if file.noted else None
        except ReelError:
            continue
        if data is not None and has_marks(data):
            what = f"{file.sidecar} still has the marks of a merge ( <<<<<<< and >>>>>>> )"
            yield Finding(
                CHECK, what, "edit the file: keep the right text, and delete the lines with the marks"
            )


def _without_page(file: "ShelfFile") -> Finding:
    what = f"{one_line(file.path)} has no page about it"
    return Finding(CHECK, what, "reel doctor --fix  makes one", hint_only=True, at=file.path)


def _watched(file: "ShelfFile", state: str) -> Finding:
    place = one_line(file.watched.path) if file.watched is not None else ""
    if state == GONE:
        mend = f"put it back, or  reel shelf drop {as_typed([file])}"
        return Finding(
            CHECK, f"{file.path}: {place}, which it watches, is not there any more", mend, at=file.path
        )
    what = f"{file.path}: {place}, which it watches, changed since it was noted"
    mend = f"reel shelf add --watch {quote(place)}  notes it as it is now"
    return Finding(CHECK, what, mend, hint_only=True, at=file.path)


def _unread(file: "ShelfFile") -> Finding:
    place = one_line(file.watched.path) if file.watched is not None else ""
    what = f"{file.path}: {place} is not read: it was not allowed on this machine"
    mend = f"if it is yours:  reel shelf add --watch {quote(place)}"
    return Finding(CHECK, what, mend, hint_only=True, at=file.path)


def _few(found: list[Finding]) -> list[Finding]:
    if len(found) <= SHOWN:
        return found
    more = f"and {len(found) - SHOWN:,} more like that"
    return [
        *found[:SHOWN],
        Finding(CHECK, more, "to see all:  reel shelf list", hint_only=found[0].hint_only),
    ]


def mend_pages(scope: MendScope) -> Change | None:
    """Plan to make the pages that are missing; None where none is."""
    return plan_pages(scope.snapshot, scope.now)


CHECKS = (Check(lambda scope: look_at_shelf(scope.snapshot), 20, Stage.FILES),)
