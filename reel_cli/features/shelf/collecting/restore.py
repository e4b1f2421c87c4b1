"""Restoring files that were taken off the shelf, byte for byte as in history (MEMORY-MGMT §5)."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError, StateError, UsageError
from reel_cli.core.git.commit_tree import CommitTree
from reel_cli.core.git.history import Commit
from reel_cli.core.git.repository import Repository
from reel_cli.core.kit.snapshot import WORKING, Snapshot
from reel_cli.core.rings.losses import (
    ON_SHELF,
    RESTORE,
    SHELVED,
    is_shallow,
    list_versions,
    shallow_problem,
    tree_before,
)
from reel_cli.core.shell import quote
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.core.values.memory import MEMORY_ID
from reel_cli.features.forgetting.plan_restore import Back, RestorePlan, losses_of
from reel_cli.features.shelf.collecting.files import ARCHIVE_FOLDER, ArchivedFile, find_archived
from reel_cli.features.shelf.files import read_file
from reel_cli.features.shelf.shelf_file import (
    SHELF,
    SIDECAR,
    ShelfFile,
    is_sidecar,
    sidecar_of,
    text_of,
    title_of,
)
from reel_cli.features.shelf.sidecar_file import same_but_for_marks, without_collected
from reel_cli.features.shelf.survey import names_in_words, note_acts

if TYPE_CHECKING:
    from reel_cli.terminal.open_kit import OpenKit


@dataclass(frozen=True, slots=True)
class _Then:
    """A file as it was before a commit: its bytes (None of a watched one) and its sidecar's."""

    data: bytes | None
    page: bytes | None
    commit: str

    def told(self, page: bytes) -> "_Then":
        """Return the file with another page."""
        return replace(self, page=page)


def is_shelf_name(name: str) -> bool:
    """Return whether a name given to `restore` is a shelf path and not a memory's ID."""
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
) -> RestorePlan:
    """Plan to restore files to the shelf, each with its sidecar; of a folder all that was in it.

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
    places = {path: one for given in wanted for path, one in _archived(snapshot, given).items()}
    meant = (path for one in wanted for path in (_archived(snapshot, one) or _meant(one, gone)))
    for path in dict.fromkeys(meant):
        file = read_file(snapshot, path)
        aside = file is not None and not file.working and not file.trouble
        there = file is not None and (file.held or file.watched is not None)
        if there and not earlier and (not aside or path in places):
            message = f"{path} is on the shelf."
            raise ReelError(message, hint=f"to have the one before it:  reel restore {quote(path)} --earlier")
        if there and earlier:
            then = _before(snapshot, repo, path)
        else:
            then = _put_away(snapshot, repo, path, gone, places.get(path))
            writes |= _out_of_archive(snapshot, repo, path, then, places.get(path))
        both = {path: None if there and not earlier else then.data, sidecar_of(path): then.page}
        writes |= {place: data for place, data in both.items() if data is not None}
        text = text_of(then.data) if then.data is not None else None
        size = counter.count(text) if text else 0
        kept = then.data if then.data is not None else then.page or b""
        items.append(Back(path, title_of(path), "off", ON_SHELF, 0, size, then.commit, repo.blob_id(kept)))
    files = [ShelfFile(item.id, item.title) for item in items]
    trailers = tuple((SHELVED, json.dumps(one_line(item.id), ensure_ascii=False)) for item in items)
    notes = tuple(f"{one_line(item.id)} as it was before {item.commit[:12]}" for item in items)
    change = Change(RESTORE, f"brought back {names_in_words(files)}", writes, trailers, notes)
    return RestorePlan(note_acts(change, snapshot, [item.id for item in items], now, "touch"), items)


def _archived(snapshot: Snapshot, given: str) -> dict[str, ArchivedFile]:
    """Return the file that an archive path means, by its shelf path; none for any other name."""
    plain = given.removeprefix("./").strip("/").removesuffix(SIDECAR)
    if not plain.startswith(f"{ARCHIVE_FOLDER}/"):
        return {}
    found = [one for one in find_archived(snapshot, plain) if one.place == plain]
    return {one.source or f"{SHELF}/{plain.removeprefix(f'{ARCHIVE_FOLDER}/')}": one for one in found[:1]}


def _put_away(
    snapshot: Snapshot,
    repo: Repository,
    path: str,
    gone: Mapping[str, tuple[str, str]],
    asked: ArchivedFile | None,
) -> _Then:
    """Return a file before it was put away, with its page; later words of a person in that stay."""
    file = read_file(snapshot, path)
    if asked is not None:
        data, page = snapshot.read(asked.place), snapshot.text(sidecar_of(asked.place))
        return _Then(data, without_collected(page).encode() if page is not None else None, repo.head() or "")
    then = _then(repo, path, gone, lost=file is not None and file.in_history)
    archived = find_archived(snapshot, path)[:1] if file is None else []
    place = sidecar_of(archived[0].place) if archived else sidecar_of(path)
    if archived and then.data is not None:
        # what a person wrote there since comes back with it; history has what it was
        data = snapshot.read(archived[0].place)
        then = replace(then, data=then.data if data is None else data)
    now = snapshot.text(place)
    if now is None:
        return then
    if then.page is not None and same_but_for_marks(now, then.page.decode("utf-8", "replace")):
        return then
    return then.told(without_collected(now).encode())


def _out_of_archive(
    snapshot: Snapshot, repo: Repository, path: str, then: _Then, asked: ArchivedFile | None
) -> Mapping[str, None]:
    """Return the archive files to delete when a file comes back from there; a changed one stays."""
    found = [asked] if asked is not None else find_archived(snapshot, path)[:1]
    if not found or then.data is None:
        return {}
    place = found[0].place
    data = snapshot.read(place)
    if data is None or repo.blob_id(data) != repo.blob_id(then.data):
        return {}
    snapshot.read(sidecar_of(place))
    return {place: None, sidecar_of(place): None}


def _before(snapshot: Snapshot, repo: Repository, path: str) -> _Then:
    """Return a present file before its last change; its page stays."""
    data = snapshot.read(path)
    now = repo.blob_id(data) if data is not None else ""
    version = next((one for one in list_versions(repo, path) if one.blob != now), None)
    if version is None:
        message = f"{path} has no earlier version in the history."
        raise ReelError(message, hint=f"see it with  reel shelf show {quote(path)}")
    with tree_before(repo, version.commit) as tree:
        return _Then(tree.read(path), None, version.commit)


def _meant(given: str, gone: Mapping[str, object]) -> Sequence[str]:
    """Return the paths that a name means: one file, or all that left a folder."""
    plain = given.removeprefix("./").strip("/")
    path = plain if plain.startswith(f"{SHELF}/") else f"{SHELF}/{plain}"
    path = path.removesuffix(".meta.yml") if is_sidecar(path) else path
    inside = [] if path in gone else [name for name in gone if name.startswith(f"{path}/")]
    return inside or [path]


def _then(repo: Repository, path: str, gone: Mapping[str, tuple[str, str]], *, lost: bool = False) -> _Then:
    """Return a file before it went: by its trailer, else from history at its path.

    `lost`: its page is there and says that only history has the file.
    """
    sidecar = sidecar_of(path)
    if path in gone:
        commit, was = gone[path]
        with tree_before(repo, commit) as tree:
            found = _Then(tree.read(path), tree.read(sidecar), commit)
            held = tree.ids.get(path) or tree.ids.get(sidecar)
        if was and held != was:
            message = f"The history's version of {path} is not the one that left; nothing was changed."
            raise StateError(message, hint=f"compare with  git show {commit[:7]}")
        if found.data is not None or not lost:
            return found
    if lost:
        for version in list_versions(repo, path)[:1]:
            with tree_before(repo, version.commit) as tree:
                return _Then(tree.read(path), tree.read(sidecar), version.commit)
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
    message = f"The history has nothing called {one_line(path, 80)} on the shelf."
    raise ReelError(message, hint="to see what was let go:  reel log --forgotten")


def plan_files(
    opened: "OpenKit", names: Sequence[str], *, level: bool, earlier: bool
) -> "RestorePlan | None":
    """Plan to bring back files of the shelf or summaries; None where other things are meant."""
    from reel_cli.core.git.history import read_log
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.summaries.restore import is_summary_name, plan_restore_summary

    snapshot, repository = opened.snapshot, opened.require_repository()
    counter = get_tokenizer(snapshot.settings.tokenizer)
    if any(map(is_summary_name, names)):
        if not all(map(is_summary_name, names)) or level:
            message = "Summaries are brought back whole; --level is for memories."
            raise UsageError(message, hint="reel restore summaries/NAME.md")
        return plan_restore_summary(snapshot, repository, counter, names, earlier=earlier)
    if not any(map(is_shelf_name, names)):
        return None
    if not all(map(is_shelf_name, names)) or level:
        message = "Files of the shelf are brought back whole; --level is for memories."
        raise UsageError(message, hint="reel restore shelf/FILE")
    log, now = read_log(repository), opened.now()
    return plan_restore_shelf(snapshot, repository, counter, log, names, earlier=earlier, now=now)
