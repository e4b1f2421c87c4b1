"""Files outside the kit: those that reel wrote where a person asked, and those that chats came from."""

import html
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from reel_cli.core.files.private import read_plain
from reel_cli.core.files.state import State
from reel_cli.core.frozen import frozen
from reel_cli.core.readings import is_sealed
from reel_cli.features.purge.aim import Aim
from reel_cli.features.purge.scan import Trace, stands_in_file


@frozen
class WrittenFiles:
    """The files outside the kit that may still hold it.

    `holding` have the text; `sealed` are no text, so nobody can look; `away` cannot be reached now. All three
    are reel's own work; chats were recorded from those that `came`, which are the person's.
    """

    holding: Sequence[Trace] = ()
    sealed: Sequence[str] = ()
    away: Sequence[str] = ()
    came: Sequence[Trace] = ()

    @property
    def paths(self) -> Sequence[str]:
        """Return the files that are there."""
        return [*(trace.where for trace in self.holding), *self.sealed]


def find_written(state: State, aim: Aim) -> WrittenFiles:
    """Look through the files outside the kit that were written from it, or that a chat came from."""
    own = _look_through(state.written(), state.kit, aim)
    came = _look_through(state.recorded_from(), state.kit, aim)
    unread = [Trace(f"{path} (not text, so it cannot be searched)") for path in came.sealed]
    return replace(own, came=[*came.holding, *unread])


def _look_through(paths: Sequence[Path], root: Path, aim: Aim) -> WrittenFiles:
    holding: list[Trace] = []
    sealed: list[str] = []
    away: list[str] = []
    kit = root.resolve()
    for path in paths:
        if path.resolve().is_relative_to(kit):
            continue
        if not path.exists():
            away.append(str(path))
            continue
        for file in _files_of(path):
            try:
                data = read_plain(file)
            except OSError:
                away.append(str(file))
                continue
            if is_sealed(data):
                sealed.append(str(file))
            elif stands_in_file(data, aim.wanted):
                holding.append(Trace(str(file), tuple(aim.wanted.lines_of_bytes(data))))
            elif aim.wanted.stands_in(html.unescape(data.decode("utf-8", "replace"))):
                holding.append(Trace(str(file)))
    return WrittenFiles(holding, sealed, away)


def remember_files(state: State, wrote: Sequence[Path], came: Sequence[Path], aim: Aim) -> None:
    """Remember the files again after a purge, but for those whose name has what was purged."""
    for paths, keep in ((wrote, state.keep_written), (came, state.keep_recorded_from)):
        if kept := [path for path in paths if not aim.wanted.stands_in(str(path))]:
            keep(kept)


def _files_of(path: Path) -> Iterator[Path]:
    if path.is_dir():
        yield from sorted(file for file in path.rglob("*") if file.is_file())
    else:
        yield path
