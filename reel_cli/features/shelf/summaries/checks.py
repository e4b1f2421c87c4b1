"""Checks of summaries: unreadable or old ones, those without sources, and one-way links."""

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.finding import Finding
from reel_cli.core.kit.checkup import Check, Stage
from reel_cli.core.tape.events_file import has_marks
from reel_cli.core.values.change import one_line
from reel_cli.features.shelf.files import read_shelf
from reel_cli.features.shelf.shelf_file import ShelfFile
from reel_cli.features.shelf.summaries.due import find_old, summarize_command
from reel_cli.features.shelf.summaries.files import Sources, read_summaries
from reel_cli.features.shelf.summaries.summary import SUMMARIES, SourceState, Summary

if TYPE_CHECKING:
    from reel_cli.core.kit.snapshot import Snapshot

CHECK = "summaries"
SHOWN = 5


def look_at_summaries(snapshot: "Snapshot") -> list[Finding]:
    """Return everything wrong with summaries; of one kind, the first few."""
    shelf = read_shelf(snapshot)
    known = read_summaries(snapshot)
    if not known and not any(file.summarized_in for file in shelf.values()):
        return []
    root = snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None
    sources = Sources(snapshot, root, shelf)
    return [
        *_few(list(_unreadable(snapshot, known))),
        *_few(list(_missing(shelf, known))),
        *_few(list(_old(known, sources))),
        *_few(list(_one_way(shelf, known, sources))),
    ]


def _unreadable(snapshot: "Snapshot", known: Mapping[str, Summary]) -> Iterator[Finding]:
    for path, one in known.items():
        try:
            marks = has_marks(snapshot.read(path) or b"")
        except ReelError:
            marks = False
        if marks:
            what = f"{one_line(path)} still has the marks of a merge ( <<<<<<< and >>>>>>> )"
            yield Finding(
                CHECK,
                what,
                "edit the file: keep the right text, and delete the lines with the marks",
                at=path,
            )
        elif one.trouble:
            yield Finding(CHECK, one_line(one.trouble).rstrip("."), f"fix {one_line(path)}", at=path)


def _missing(shelf: Mapping[str, ShelfFile], known: Mapping[str, Summary]) -> Iterator[Finding]:
    """Yield findings for pages that link to a missing summary."""
    for file in shelf.values():
        told = file.summarized_in
        if told and told not in known:
            what = f"{file.sidecar} leads to {one_line(told, 80)}, which is not there"
            yield Finding(CHECK, what, f"make it again:  {summarize_command((file.path,))}", at=file.sidecar)


def _old(known: Mapping[str, Summary], sources: Sources) -> Iterator[Finding]:
    for one in find_old(known, sources):
        what = f"{one.path} is old: {one_line(one.changed[0], 80)} changed since it was made"
        mend = f"{summarize_command(one.sources, one.style)}  makes it anew"
        yield Finding(CHECK, what, mend, hint_only=True, at=one.path)


def _one_way(
    shelf: Mapping[str, ShelfFile], known: Mapping[str, Summary], sources: Sources
) -> Iterator[Finding]:
    """Yield findings for summaries that a source's page does not link back to."""
    for path, one in known.items():
        for source in one.paths:
            file = shelf.get(source)
            if file is None or file.trouble or sources.state(one, source) is SourceState.GONE:
                continue
            if path != file.summarized_in and path not in file.also_summarized_in:
                what = f"{one_line(source)} has the summary {path}, and its page does not say so"
                mend = f"write into {file.sidecar}:  summarized_in: {path}"
                yield Finding(CHECK, what, mend, hint_only=True, at=source)


def _few(found: list[Finding]) -> list[Finding]:
    if len(found) <= SHOWN:
        return found
    more = f"and {len(found) - SHOWN:,} more like that"
    return [*found[:SHOWN], Finding(CHECK, more, f"see {SUMMARIES}/", hint_only=found[0].hint_only)]


CHECKS = (Check(lambda scope: look_at_summaries(scope.snapshot), 30, Stage.FILES),)
