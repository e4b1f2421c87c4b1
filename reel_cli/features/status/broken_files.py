"""Unreadable files of a kit, and the kit without them."""

from collections.abc import Callable, Mapping, Sequence

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import CORE_FILES, check_file, list_kit_files
from reel_cli.core.files.tree import Tree
from reel_cli.core.kit.snapshot import EVENTS, INDEX, Snapshot
from reel_cli.core.tape.tape_view import read_events, read_session
from reel_cli.core.values.source import session_path


class _Without:
    """A tree in which some files are not there."""

    def __init__(self, tree: Tree, hidden: frozenset[str]) -> None:
        self._tree = tree
        self._hidden = hidden

    def read(self, path: str) -> bytes | None:
        """Return the file's bytes, or None where there is none, or it is left out."""
        return None if path in self._hidden else self._tree.read(path)

    def list(self, folder: str) -> Sequence[str]:
        """Return every file below a folder that is not left out."""
        return [path for path in self._tree.list(folder) if path not in self._hidden]


def without(tree: Tree, hidden: Mapping[str, str]) -> Tree:
    """Return the tree without these files."""
    return _Without(tree, frozenset(hidden))


def find_broken(snapshot: Snapshot) -> Mapping[str, str]:
    """Return every unreadable file, by kit path, with what is wrong in words."""
    broken: dict[str, str] = {}

    def attempt(path: str, read: Callable[[], object]) -> None:
        try:
            read()
        except ReelError as error:
            broken[path] = error.message.rstrip(".")

    def look(path: str) -> None:
        attempt(path, lambda: check_file(path, snapshot.read(path) or b""))

    needed = [file for file in list_kit_files() if file.needed]
    for file in (file for file in needed if file in CORE_FILES):
        for path in snapshot.list(file.name) if file.path.endswith("/") else (file.path,):
            look(path)
    attempt(INDEX, lambda: snapshot.text(INDEX))
    attempt(EVENTS, lambda: read_events(snapshot))
    for file in (file for file in needed if file not in CORE_FILES):
        look(file.path)
    for session in snapshot.sessions:
        attempt(session_path(session), lambda session=session: read_session(snapshot, session))  # type: ignore[misc]
    return broken
