"""What was taken off the shelf comes back, byte for byte as history has it (Memory Management §5)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from shlex import quote

from reel_cli.errors import ReelError, StateError
from reel_cli.flows.restore import Back, Restoring, losses_of
from reel_cli.flows.shelf import names_in_words, note_acts
from reel_cli.kit.git import CommitTree, Repository
from reel_cli.kit.history import Commit
from reel_cli.kit.losses import (
    ON_SHELF,
    RESTORE,
    SHELVED,
    is_shallow,
    list_versions,
    shallow_problem,
    tree_before,
)
from reel_cli.kit.shelf_files import read_file
from reel_cli.kit.snapshot import WORKING, Snapshot
from reel_cli.model.change import Change, one_line
from reel_cli.model.holdings import Counter
from reel_cli.model.memory import MEMORY_ID
from reel_cli.model.shelf import SHELF, ShelfFile, is_sidecar, sidecar_of, text_of, title_of


@dataclass(frozen=True, slots=True)
class _Then:
    """A file as it was before a commit: its bytes (None of a watched one) and its sidecar's."""

    data: bytes | None
    page: bytes | None
    commit: str


def is_shelf_name(name: str) -> bool:
    """Whether a name given to `restore` is of the shelf: a path, and no memory's ID."""
    plain = name.removeprefix("./")
    climbs = plain.startswith("/") or ".." in plain.split("/")
    return (
        not climbs and plain != WORKING and not MEMORY_ID.fullmatch(plain) and ("/" in plain or "." in plain)
    )


def plan_restore_shelf(  # noqa: PLR0913 (the kit and its history, what is wanted, and when)
    snapshot: Snapshot,
    repo: Repository,
    counter: Counter,
    commits: Sequence[Commit],
    wanted: Sequence[str],
    *,
    earlier: bool = False,
    now: datetime,
) -> Restoring:
    """Bring files back onto the shelf, each with its sidecar; of a folder all that was in it.

    With `earlier`, files that are there become what they were before they last changed; their pages stay.
    `commits` are the kit's, newest first. Raises ReelError where there is nothing to bring back, or another
    file has the name now, and StateError where history does not hold what was noted of it.
    """
    gone: dict[str, tuple[str, str]] = {}
    for loss in losses_of(snapshot, repo, commits):
        if loss.back is None and loss.forgot.id.startswith(f"{SHELF}/"):
            gone.setdefault(loss.forgot.id, (loss.commit, loss.forgot.was))
    items: list[Back] = []
    writes: dict[str, bytes | None] = {}
    for path in dict.fromkeys(path for one in wanted for path in _meant(one, gone)):
        file = read_file(snapshot, path)
        there = file is not None and (file.held or file.watched is not None)
        if there and not earlier:
            message = f"{path} is on the shelf."
            raise ReelError(message, hint=f"to have the one before it:  reel restore {quote(path)} --earlier")
        then = _before(snapshot, repo, path) if there else _then(repo, path, gone)
        both = {path: then.data, sidecar_of(path): then.page}
        writes |= {place: data for place, data in both.items() if data is not None}
        text = text_of(then.data) if then.data is not None else None
        size = counter.count(text) if text else 0
        kept = then.data if then.data is not None else then.page or b""
        items.append(Back(path, title_of(path), "off", ON_SHELF, 0, size, then.commit, repo.blob_id(kept)))
    files = [ShelfFile(item.id, item.title) for item in items]
    trailers = tuple((SHELVED, json.dumps(one_line(item.id), ensure_ascii=False)) for item in items)
    notes = tuple(f"{one_line(item.id)} as it was before {item.commit[:12]}" for item in items)
    change = Change(RESTORE, f"brought back {names_in_words(files)}", writes, trailers, notes)
    return Restoring(note_acts(change, snapshot, [item.id for item in items], now, "touch"), items)


def _before(snapshot: Snapshot, repo: Repository, path: str) -> _Then:
    """A file that is there, as it was before it last changed; its page stays."""
    data = snapshot.read(path)
    now = repo.blob_id(data) if data is not None else ""
    version = next((one for one in list_versions(repo, path) if one.blob != now), None)
    if version is None:
        message = f"{path} was never any other, as far as history goes."
        raise ReelError(message, hint=f"see it with  reel shelf show {quote(path)}")
    with tree_before(repo, version.commit) as tree:
        return _Then(tree.read(path), None, version.commit)


def _meant(given: str, gone: Mapping[str, object]) -> Sequence[str]:
    """The paths that a name means: one file, or all that went of a folder."""
    plain = given.removeprefix("./").strip("/")
    path = plain if plain.startswith(f"{SHELF}/") else f"{SHELF}/{plain}"
    path = path.removesuffix(".meta.yml") if is_sidecar(path) else path
    inside = [] if path in gone else [name for name in gone if name.startswith(f"{path}/")]
    return inside or [path]


def _then(repo: Repository, path: str, gone: Mapping[str, tuple[str, str]]) -> _Then:
    """A file as it was before it went: by its trailer, else by what history has at its path."""
    sidecar = sidecar_of(path)
    if path in gone:
        commit, was = gone[path]
        with tree_before(repo, commit) as tree:
            found = _Then(tree.read(path), tree.read(sidecar), commit)
            held = tree.ids.get(path) or tree.ids.get(sidecar)
        if was and held != was:
            message = f"What history holds of {path} is not what was noted when it left; nothing was changed."
            raise StateError(message, hint=f"compare with  git show {commit[:7]}")
        return found
    head = repo.head()
    if head is not None:
        with CommitTree(repo, head) as tree:
            # deleted by hand, and not committed yet
            if path in tree.ids or sidecar in tree.ids:
                return _Then(tree.read(path), tree.read(sidecar), head)
        for place in (path, sidecar):
            for version in list_versions(repo, place)[:1]:
                with tree_before(repo, version.commit) as tree:
                    return _Then(tree.read(path), tree.read(sidecar), version.commit)
    if is_shallow(repo):
        raise shallow_problem()
    message = f"There never was anything called {one_line(path, 80)} on the shelf, as far as history goes."
    raise ReelError(message, hint="see what was let go with  reel log --forgotten")
