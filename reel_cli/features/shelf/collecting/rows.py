"""Rows of every file at hand, as collecting needs them, kept from one time to the next."""

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

from reel_cli.core.evidence.phrases import fold
from reel_cli.core.files.state import State
from reel_cli.core.files.tree import WorkTree
from reel_cli.core.kit.glance import Glance
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.tape.tape_view import count_said
from reel_cli.core.tokens.counter import get_tokenizer
from reel_cli.core.values.holdings import Counter
from reel_cli.features.shelf.advice.files import hot_paths
from reel_cli.features.shelf.advice.text_signs import read_kinds
from reel_cli.features.shelf.collecting.policy import Row
from reel_cli.features.shelf.files import parse_touches, read_shelf, read_touches, touch_of
from reel_cli.features.shelf.hotness import Factors, recent_touch, sessions_after
from reel_cli.features.shelf.note import FEW, ROWS, note_shelf
from reel_cli.features.shelf.shelf_file import ShelfFile, ledger_name, text_of
from reel_cli.features.shelf.watched_files import read_place

BYTES_A_TOKEN = 2
"""Bytes assumed per token of a watched file that is long, or not there."""
LONGEST_WATCHED = 1 << 20
"""Bytes above which a file's text is not counted."""
TELLING = 5
"""A name of fewer letters might be any word."""


class KeptRow(NamedTuple):
    """The kept row of one file at hand.

    `touched` is the session of its last use by the journal, None for none; `held` whether it is pinned, or
    its page cannot be read; `reads_as` the tag that its text stands for; `names` what it may be called in a
    talk, folded.
    """

    path: str
    tokens: int
    touched: str | None
    held: bool
    tags: Sequence[str]
    reads_as: str
    names: Sequence[str]


def look_rows(snapshot: Snapshot, counter: Counter) -> list[KeptRow]:
    """Return the files at hand, in order of path, read one by one."""
    files = [file for file in read_shelf(snapshot).values() if file.working]
    texts = [file.path for file in files if file.held and not file.trouble]

    def count(path: str) -> int:
        text = text_of(snapshot.read(path) or b"")
        return counter.count(text) if text else 0

    tokens: Mapping[str, int] = snapshot.note(f"shelf tokens {counter.name}", texts, count)
    kinds = read_kinds(snapshot, texts)
    tokens = {**tokens, **_count_watched(snapshot, files, counter)}
    touches = read_touches(snapshot)
    return [
        KeptRow(
            file.path,
            tokens.get(file.path, 0),
            touch_of(touches, file.path),
            file.kept,
            file.tags,
            kinds.get(file.path, ""),
            _names(file),
        )
        for file in files
    ]


def keep_rows(kit: Path) -> list[KeptRow]:
    """Return the files at hand from a shelf's note; see `note_shelf` for its validity."""

    def make() -> tuple[dict[str, Any], Sequence[str]]:
        glance = Glance(WorkTree(kit), kit.resolve().name, kit)
        rows = look_rows(glance, get_tokenizer(glance.settings.tokenizer))
        # few files are each checked, in case one was edited in place
        return {"rows": rows}, [row.path for row in rows] if len(rows) <= FEW else ()

    return [KeptRow(*one) for one in note_shelf(kit, make, name=ROWS, every=True)["rows"]]


def rows_of(snapshot: Snapshot, kept: Iterable[KeptRow], pending: Sequence[str] = ()) -> list[Row]:
    """Return the present rows: how hot each is, and for how long it was not used.

    `pending` are journal lines that no commit holds yet.
    """
    sessions, idle = snapshot.sessions, snapshot.settings.idle_sessions
    least, hot = snapshot.settings.shelf_hot, hot_paths(snapshot)
    lately = parse_touches(pending)
    after: dict[str | None, int | None] = {None: None}
    said = _said(snapshot)
    rows = []
    for one in kept:
        last = one.touched
        if lately and (name := ledger_name(one.path)) in lately:
            last = lately[name]
        if last not in after:
            after[last] = sessions_after(sessions, last or "")
        since = after[last]
        listed = one.path in hot
        hotness = Factors(recent_touch(since, idle), True, listed, one.held).hotness  # noqa: FBT003
        turns = sum(said[len(said) - since :]) // 2 if since and said else 0
        loads = one.held or listed or hotness >= least
        rows.append(Row(one.path, one.tokens, since, hotness, listed, one.held, loads, turns))
    return rows


def _said(snapshot: Snapshot) -> Sequence[int]:
    """Return how many messages each session has, in order; none where the kit does not count turns."""
    if not snapshot.settings.shelf_idle_turns:
        return ()
    counts = count_said(snapshot, snapshot.sessions)
    return [counts[session] for session in snapshot.sessions]


def _count_watched(snapshot: Snapshot, files: Iterable[ShelfFile], counter: Counter) -> Mapping[str, int]:
    """Return the tokens of watched files, about as they were when their pages were last written."""
    kit = snapshot.tree.root if isinstance(snapshot.tree, WorkTree) else None
    allowed = State(kit).watched() if kit is not None else frozenset()
    watched = {file.sidecar: file for file in files if file.watched is not None and not file.trouble}

    def count(page: str) -> int:
        one = watched[page].watched
        if one is None:
            return 0
        found = None
        if kit is not None and one.path in allowed and one.size <= LONGEST_WATCHED:
            found = read_place(kit, one.path, LONGEST_WATCHED)
        if found is None or len(found) > LONGEST_WATCHED:
            return one.size // BYTES_A_TOKEN
        text = text_of(found)
        return counter.count(text) if text else 0

    notes = snapshot.note(f"shelf watched tokens {counter.name}", watched, count)
    return {watched[page].path: size for page, size in notes.items()}


def _names(file: ShelfFile) -> list[str]:
    names = {fold(name) for name in (file.title, file.path, file.name, file.name.rpartition("/")[2])}
    return sorted(name for name in names if len(name) >= TELLING)
