"""Files come onto the shelf: copied, or watched where they lie, each with its sidecar."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime

from reel_cli.core.errors import ReelError
from reel_cli.core.files.yaml_text import render_scalar
from reel_cli.core.kit.snapshot import Snapshot
from reel_cli.core.moment import stamp
from reel_cli.core.values.change import Change
from reel_cli.features.shelf.files import read_shelf
from reel_cli.features.shelf.shelf_file import SHELF, Shelf, ShelfFile, sidecar_of, text_of, title_of
from reel_cli.features.shelf.sidecar_file import (
    parse_sidecar,
    render_sidecar,
    render_watched,
    set_pin,
    set_sidecar,
    without_collected,
)
from reel_cli.features.shelf.sources import ShelfSource
from reel_cli.features.shelf.survey import OP, as_typed, note_acts, score

NEW, VERSION, SAME, NOTED = "new", "version", "same", "noted"
"""Results for an added file: new, a changed version, or the same as before; `noted` only got its sidecar."""
MADE_BY = "reel shelf add"


@dataclass(frozen=True, slots=True)
class AddedFile:
    """One file and what comes of it; `size` in bytes, `before` that of the version before it."""

    file: ShelfFile
    became: str
    size: int
    before: int | None = None
    shown: str = ""
    renamed: bool = False


@dataclass(frozen=True, slots=True)
class AddPlan:
    """The plan of an addition; `change` is None if all is there already."""

    change: Change | None
    items: Sequence[AddedFile]


def plan_add(snapshot: Snapshot, brought: Sequence[ShelfSource], *, pin: bool, now: datetime) -> AddPlan:
    """Plan to add files to the shelf, with `pin` to stay there until a person says otherwise.

    A name that is there already is a new version of it, whose sidecar stays as it is. Raises ReelError, and
    plans nothing, where a name is something else there.
    """
    shelf = read_shelf(snapshot)
    _refuse_clashes(shelf, brought)
    writes: dict[str, bytes | None] = {}
    items = []
    for one in brought:
        item = _place(snapshot, shelf.get(one.path), one, writes, pin=pin, now=now)
        items.append(item)
    if not writes:
        return AddPlan(None, items)
    done = [item for item in items if item.became != SAME]
    change = Change(OP, _told(done or items), writes)
    change = note_acts(change, snapshot, [item.file.path for item in items], now, "touch")
    pinned = [item.file.path for item in items if pin and item.file.sidecar in writes]
    return AddPlan(note_acts(change, snapshot, pinned, now, "pin"), items)


def _told(items: Sequence[AddedFile]) -> str:
    names = [item.file.name for item in items]
    if len(names) > 1:
        return f"{len(names):,} files on the shelf"
    words = {NEW: "on the shelf", VERSION: "in a new version", NOTED: "has its page"}
    return f"{names[0]} {words.get(items[0].became, 'stays on the shelf')}"


def _place(  # noqa: PLR0913 (one file, what is there of it, and how it is put there)
    snapshot: Snapshot,
    there: ShelfFile | None,
    one: ShelfSource,
    writes: dict[str, bytes | None],
    *,
    pin: bool,
    now: datetime,
) -> AddedFile:
    sidecar = sidecar_of(one.path)
    old = snapshot.read(one.path) if there is not None and there.held else None
    text = snapshot.text(sidecar) if there is not None and there.noted else None
    data = old if one.there else one.data
    if data is not None and (data != old or text is None):
        # a file put there by hand is recorded with its page
        writes[one.path] = data
    size = one.watched.size if one.watched is not None else len(data or b"")
    if text is None:
        file = _new(one, pin=pin, now=now)
        if one.sidecar is not None:
            file, page = _with_page(one, file)
        else:
            page = render_sidecar(file, score(file, snapshot.settings.idle_sessions))
        writes[sidecar] = page.encode()
        became = NEW if there is None else VERSION if data != old else NOTED
        return AddedFile(file, became, size, len(old) if old is not None else None, one.shown, one.renamed)
    file = there or ShelfFile(one.path, title_of(one.path))
    page = _page_again(text, file, one, pin=pin)
    if page != text:
        writes[sidecar] = page.encode()
    before = file.watched.size if file.watched is not None else len(old or b"")
    other = (data is not None and data != old) or (
        one.watched is not None and file.watched is not None and one.watched.sha256 != file.watched.sha256
    )
    if page != text:
        file = replace(file, pin=file.pin or pin, working=True, watched=one.watched or file.watched)
    return AddedFile(file, VERSION if other else SAME, size, before, one.shown, one.renamed)


def _new(one: ShelfSource, *, pin: bool, now: datetime) -> ShelfFile:
    return ShelfFile(
        one.path,
        title_of(one.path),
        pin=pin,
        created_by=MADE_BY,
        created_at=stamp(now),
        source=one.shown,
        watched=one.watched,
        held=one.watched is None,
    )


def _with_page(one: ShelfSource, file: ShelfFile) -> tuple[ShelfFile, str]:
    """Return a file that brought its own sidecar, and the sidecar with reel's notes on its source."""
    text = text_of(one.sidecar or b"")
    try:
        told = parse_sidecar(text or "", one.path)
        if text is None or told.watched is not None:
            raise ReelError(one.shown)  # noqa: TRY301
    except ReelError:
        return file, render_sidecar(file, 0)
    made = {"created_by": MADE_BY, "created_at": file.created_at, "source": file.source}
    lines = "".join(f"\n  {key}: {render_scalar(value)}" for key, value in made.items())
    changes: dict[str, str | None] = {} if told.created_by or told.created_at else {"provenance": lines}
    if file.pin and not told.pin:
        changes["pin"] = "true"
    return replace(told, pin=told.pin or file.pin), set_sidecar(text, changes)


def _page_again(text: str, file: ShelfFile, one: ShelfSource, *, pin: bool) -> str:
    """Return the sidecar of a file that is added again, with only what changed."""
    if pin and not file.pin:
        text = set_pin(text, pin=True)
    if not file.working or file.collected_as:
        text = without_collected(text)
    if one.watched is not None and one.watched != file.watched:
        text = set_sidecar(text, {"watched": render_watched(one.watched)})
    return text


def _refuse_clashes(shelf: Shelf, brought: Sequence[ShelfSource]) -> None:
    """Refuse a name that is something else: a folder, a file of other letters, kept in the other way."""
    folded = {path.casefold(): path for path in shelf}
    folders = _folders([*shelf, *(one.path for one in brought)])
    for one in brought:
        there = shelf.get(one.path)
        other = folded.get(one.path.casefold())
        if there is None and other is not None:
            message = f"{one.name} differs from {other} only in capitals."
            raise ReelError(message, hint="give it another name with  --as NAME")
        if one.path in folders or any(part in shelf for part in _folders({one.path: None})):
            message = f"{one.name} cannot be both a file and a folder of the shelf."
            raise ReelError(message, hint="give it another name with  --as NAME")
        if there is None:
            continue
        if there.trouble and there.noted and not (there.watched is None and not there.held):
            raise ReelError(
                there.trouble, hint="fix that page first, or give the file another name with  --as"
            )
        if (there.watched is None) != (one.watched is None) and (there.held or there.watched is not None):
            how = "is a copy of a file" if there.watched is None else "is watched in its place"
            message = f"{there.path} {how}; it cannot be both a copy and watched."
            raise ReelError(message, hint=f"take it off first:  reel shelf drop {as_typed([there])}")
        if one.watched is not None and there.watched is not None and one.watched.path != there.watched.path:
            message = f"{there.path} is another file that is watched: {there.watched.path}."
            raise ReelError(message, hint="give it another name with  --as NAME")


def _folders(paths: Mapping[str, object] | Iterable[str]) -> set[str]:
    found = set()
    for path in paths:
        parts = path.split("/")
        found |= {"/".join(parts[:depth]) for depth in range(2, len(parts))}
    return found - {SHELF}
