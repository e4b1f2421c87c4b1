"""The shelf as it stands: its files, how hot each is and why, and what of them changed."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from reel_cli.core.errors import ReelError
from reel_cli.core.files.ledger_file import add_entries, make_entry
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.shell import quote
from reel_cli.core.values.change import Change, one_line
from reel_cli.core.values.holdings import Counter
from reel_cli.features.shelf.advice.files import hot_paths
from reel_cli.features.shelf.files import (
    read_contents,
    read_file,
    read_shelf,
    read_touches,
    touch_of,
)
from reel_cli.features.shelf.hotness import Factors, hotness_of, recent_touch, sessions_after
from reel_cli.features.shelf.shelf_file import SHELF, TEXT, Content, ShelfFile, ledger_name, text_of
from reel_cli.features.shelf.sidecar_file import render_sidecar, set_pin
from reel_cli.features.shelf.watched_files import SAME, place_of, state_of

OP = "shelf"
AT_ONCE = 50
"""Number of names in one line of the ledger."""
NAMED = 3


@dataclass(frozen=True, slots=True)
class ShelfEntry:
    """A file on the shelf as it stands.

    `since`: sessions since it was last touched, None for never. `state` tells of a watched file whether it
    is as it was noted, `content` of any other what its bytes are.
    """

    file: ShelfFile
    factors: Factors
    since: int | None
    state: str = SAME
    content: Content | None = None

    @property
    def hotness(self) -> int:
        """Return the score, from 0 to `WHOLE`."""
        return self.factors.hotness

    @property
    def size(self) -> int:
        """Return the size in bytes; for a watched file, the noted size."""
        if self.file.watched is not None:
            return self.file.watched.size
        return self.content.size if self.content is not None else 0

    @property
    def stale(self) -> bool:
        """Return whether its summary was made of a different version."""
        file = self.file
        now = file.watched.sha256 if file.watched is not None else self.content.sha256 if self.content else ""
        told = bool(file.summary or file.summarized_in) and not file.in_history
        changed = self.state != SAME and file.watched is not None
        return told and bool(file.summary_sha256) and (changed or file.summary_sha256 != now)


def stand(  # noqa: PLR0913 (files, and all that is known of them elsewhere)
    snapshot: Snapshot,
    files: Collection[ShelfFile],
    *,
    kit: Path | None,
    hot: Collection[str] = (),
    pending: Sequence[str] = (),
    contents: bool = True,
) -> list[ShelfEntry]:
    """Return the state of files, in the order given; `kit` is the kit's folder, None for the past.

    `hot` are the paths the model would keep at hand, `pending` journal lines that no commit holds yet. What
    cannot be read has no content, and without `contents` nothing has.
    """
    touches = read_touches(snapshot, pending)
    sessions, idle = snapshot.sessions, snapshot.settings.idle_sessions
    there = [file.path for file in files if file.held and not file.trouble] if contents else []
    made = read_contents(snapshot, there)
    found = []
    for file in files:
        last = touch_of(touches, file.path)
        since = None if last is None else sessions_after(sessions, last)
        factors = Factors(recent_touch(since, idle), file.working, file.path in hot, file.pin)
        state = state_of(kit, file.watched) if kit is not None and file.watched is not None else SAME
        found.append(ShelfEntry(file, factors, since, state, made.get(file.path)))
    return found


def stand_all(
    snapshot: Snapshot, *, kit: Path | None, pending: Sequence[str] = (), contents: bool = True
) -> list[ShelfEntry]:
    """Return all files: pinned ones, then the hotter, then by path; else as `stand`."""
    files = read_shelf(snapshot)
    standing = stand(
        snapshot, files.values(), kit=kit, hot=hot_paths(snapshot), pending=pending, contents=contents
    )
    return sorted(standing, key=lambda one: (not one.file.pin, -one.hotness, one.file.path))


def tokens_of(snapshot: Snapshot, one: ShelfEntry, counter: Counter) -> int | None:
    """Return a kit file's token count; None if it is not text, or is elsewhere."""
    if one.content is None or one.content.kind != TEXT:
        return None
    text = text_of(snapshot.read(one.file.path) or b"")
    return counter.count(text) if text is not None else None


def score(file: ShelfFile, idle: int) -> int:
    """Return the hotness of a file that is touched just now."""
    return hotness_of(file, 0, idle, ())


def find_files(snapshot: Snapshot, wanted: Sequence[str], kit: Path | None) -> list[ShelfFile]:
    """Return the files meant: by kit path, by name on the shelf, or by watched place.

    A folder of the shelf means all in it. Raises ReelError where one is not on the shelf.
    """
    shelf: Mapping[str, ShelfFile] | None = None
    found: dict[str, ShelfFile] = {}
    for one in wanted:
        plain = one.strip("/") if one.startswith(f"{SHELF}/") else one
        path = plain if plain.startswith(f"{SHELF}/") else f"{SHELF}/{plain.removeprefix('./').strip('/')}"
        file = read_file(snapshot, path) if ".." not in path.split("/") else None
        if file is not None:
            found[file.path] = file
            continue
        shelf = read_shelf(snapshot) if shelf is None else shelf
        mine = [each for each in shelf.values() if each.path.startswith(f"{path}/")]
        mine = mine or [each for each in shelf.values() if kit is not None and _lies_at(kit, each, one)]
        if not mine:
            raise _not_there(one, shelf)
        found |= {each.path: each for each in mine}
    return list(found.values())


def _lies_at(kit: Path, file: ShelfFile, given: str) -> bool:
    """Return whether a path on disk is a file's: its watched place, or its copy in the kit."""
    try:
        there = Path(given).absolute().resolve()
        place = place_of(kit, file.watched) if file.watched is not None else kit / file.path
        return place.resolve() == there
    except (OSError, ValueError):
        return False


def _not_there(given: str, shelf: Mapping[str, ShelfFile]) -> ReelError:
    shown = one_line(given, 80)
    message = f"There is nothing called {shown} on the shelf."
    same = [file.name for file in shelf.values() if file.name.rpartition("/")[2] == given.rpartition("/")[2]]
    if same:
        return ReelError(message, hint=f"did you mean {same[0]}?")
    return ReelError(message, hint="to see what there is:  reel shelf list")


def plan_pin(
    snapshot: Snapshot, wanted: Sequence[str], *, pin: bool, kit: Path, now: datetime
) -> tuple[Change | None, Sequence[ShelfFile]]:
    """Set or take away the pins of files, and those that this changes; None where all are as wanted.

    Raises ReelError where one is not on the shelf, or its sidecar cannot be read.
    """
    files = find_files(snapshot, wanted, kit)
    fresh = []
    writes: dict[str, bytes | None] = {}
    for file in files:
        if file.trouble:
            raise ReelError(file.trouble, hint="fix its page first")
        if file.pin == pin:
            continue
        text = snapshot.text(file.sidecar)
        text = render_sidecar(file, score(file, snapshot.settings.idle_sessions)) if text is None else text
        writes[file.sidecar] = set_pin(text, pin=pin).encode()
        fresh.append(file)
    if not fresh:
        return None, ()
    done = "pinned" if pin else "unpinned"
    change = Change(OP, f"{done} {names_in_words(fresh)}", writes)
    return note_acts(change, snapshot, [file.path for file in fresh], now, "pin" if pin else "unpin"), fresh


def names_in_words(files: Sequence[ShelfFile]) -> str:
    """Return files for a subject: a few by their names, of more the first and how many."""
    more = f" and {len(files) - NAMED:,} more" if len(files) > NAMED else ""
    return ", ".join(file.name for file in files[:NAMED]) + more


def as_typed(files: Sequence[ShelfFile]) -> str:
    """Return files as a command takes them: the first few, quoted if needed."""
    more = " …" if len(files) > NAMED else ""
    return " ".join(quote(one_line(file.name)) for file in files[:NAMED]) + more


def note_acts(change: Change, snapshot: Snapshot, paths: Sequence[str], now: datetime, act: str) -> Change:
    """Return the change with an act (`touch`, `pin`, `unpin`) on these files noted in the ledger."""
    session = snapshot.sessions[-1] if snapshot.sessions else ""
    names = [ledger_name(path) for path in paths]
    batches = [names[start : start + AT_ONCE] for start in range(0, len(names), AT_ONCE)]
    entries = [make_entry(stamp(now), session, act, " ".join(batch)) for batch in batches]
    return add_entries(change, snapshot, entries)
