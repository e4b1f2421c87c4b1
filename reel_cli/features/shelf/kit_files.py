"""The shelf's kinds of kit file: pages about its files, summaries of them, and the manifests of advice."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING

from reel_cli.core.errors import ReelError
from reel_cli.core.files.kit_files import KitFileKind
from reel_cli.features.shelf.row import SIDECAR

if TYPE_CHECKING:
    from collections.abc import Collection, Sequence

    from reel_cli.core.kit.kind_join import JoinedFiles, KindJoin
    from reel_cli.core.kit.kinds import KindDiff
    from reel_cli.core.kit.past import BlobGlance
    from reel_cli.core.kit.snapshot import Snapshot
    from reel_cli.core.tape.erasure.target import PurgeTarget


Merge = Callable[[bytes, bytes, bytes], bytes | None]


def _check_sidecar(path: str, text: str) -> None:
    from reel_cli.features.shelf.shelf_file import file_of
    from reel_cli.features.shelf.sidecar_file import parse_sidecar

    parse_sidecar(text, file_of(path))


def _check_summary(path: str, text: str) -> None:
    from reel_cli.features.shelf.summaries.files import is_summary_path, parse_summary

    if is_summary_path(path):
        parse_summary(text, path)


def _check_manifest(path: str, text: str) -> None:
    from reel_cli.features.shelf.advice.files import entries_of

    entries_of(text, path)


def _purge_manifest(path: str, data: bytes, wanted: "PurgeTarget", session: str | None) -> bytes:
    from reel_cli.features.shelf.advice.files import purge_manifest

    return wanted.replace_bytes(data if session is None else purge_manifest(data, path, session))[0]


def _diff(start: "BlobGlance", end: "BlobGlance", changed: "Collection[str]") -> "KindDiff":
    from reel_cli.features.shelf.diff import compare_shelf

    return compare_shelf(start, end, changed)


def _join_file(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import JoinedFiles

    if found.both is None:
        return None
    ours = found.both[0]
    sides = found.path, *found.both, found.base
    files, note = join_file(*sides, found.merge, found.whose, lambda name: found.is_free(name, ours))
    return JoinedFiles(files, [note] if note else [])


def _join_summary(found: "KindJoin") -> "JoinedFiles | None":
    """Return one of two pages about one thing: no line of either belongs into the other."""
    from reel_cli.core.kit.kind_join import JoinedFiles

    if found.both is None:
        return None
    data, note = join_summary(found.path, *found.both)
    return JoinedFiles({found.path: data}, [note])


def _join_log(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import JoinedFiles
    from reel_cli.features.shelf.collecting.session_log import join_logs

    return JoinedFiles({found.path: join_logs(*found.texts()[:2]).encode("utf-8")}) if found.both else None


def _join_manifest(found: "KindJoin") -> "JoinedFiles | None":
    from reel_cli.core.kit.kind_join import BY_HAND, JoinedFiles
    from reel_cli.features.shelf.advice.join import join_manifest

    if found.both is None:
        return None
    made = join_manifest(found.path, *found.texts())
    return BY_HAND if made is None else JoinedFiles({found.path: made.encode("utf-8")})


def _held(snapshot: "Snapshot", path: str) -> bytes | None:
    """Return the file, or the page that stands for it, where it is on the shelf and was not put away."""
    from reel_cli.features.shelf.files import is_at_hand

    if not is_at_hand(snapshot, path):
        return None
    data = snapshot.read(path)
    return data if data is not None else snapshot.read(f"{path}{SIDECAR}")


def _named(snapshot: "Snapshot", said: "Sequence[str]") -> "Sequence[str]":
    from reel_cli.features.shelf.files import find_named
    from reel_cli.features.shelf.shelf_file import ledger_name

    return [ledger_name(path) for path in find_named(snapshot, said)]


def _wants_room(snapshot: "Snapshot") -> bool:
    """Return whether advice wants things cleared away soon, and there is anything that may go."""
    from reel_cli.core.errors import ReelError
    from reel_cli.core.tokens.counter import get_tokenizer
    from reel_cli.features.shelf.advice.files import COLD, read_cold
    from reel_cli.features.shelf.collecting.marks import mark_files
    from reel_cli.features.shelf.collecting.rows import KeptRow, look_rows

    try:
        if snapshot.read(COLD) is None or not read_cold(snapshot).trigger_gc:
            return False
        rows = look_rows(snapshot, get_tokenizer(snapshot.settings.tokenizer))
        return bool(mark_files(snapshot, [KeptRow(*one) for one in rows], kit=None).marks)
    except ReelError:
        return False


def _is_sidecar(path: str) -> bool:
    return path.endswith(SIDECAR)


def _reads_none(_path: str) -> bool:
    return False


_OF_PAGE = (
    "title", "summary", "tags", "hotness", "pin", "working_set", "collected", "collected_as", "archived_from",
    "superseded_by", "postmortem", "attempt", "provenance.created_by", "provenance.created_at",
    "provenance.source",
    "watched.path", "watched.size", "watched.sha256", "watched.mtime", "summarized_in", "summary_date",
    "summary_sha256", "also_summarized_in",
)  # fmt: skip
_OF_SUMMARY = ("summary_of", "created", "style", "title", "sha256", "made_by", "since", "gist")
_OF_MANIFEST = {
    "hot.yml": (
        "updated",
        *(f"keep.*.{key}" for key in ("path", "why", "since", "touches", "promoted", "said")),
    ),
    "cold.yml": (
        *("updated", "trigger_gc"),
        *(
            f"evict.*.{key}"
            for key in ("path", "why", "since", "session", "last_touch", "suggested_action", "said")
        ),
    ),
    "memory_actions.yml": (
        "updated",
        *(
            f"memory_actions.*.{key}"
            for key in ("path", "model_suggested", "suggested_action", "action_taken", "reason")
        ),
    ),
}


def _known_of_manifest(path: str) -> "Sequence[str]":
    return ("protocol", *_OF_MANIFEST.get(path, ()))


def _known_of_page(path: str) -> "Sequence[str]":
    return _OF_PAGE if _is_sidecar(path) else ()


ARCHIVE = KitFileKind(reads=_reads_none, join=_join_file)
SESSION_LOG = KitFileKind(join=_join_log)
SHELF_FOLDER = KitFileKind(
    _check_sidecar,
    lambda path: path.endswith(SIDECAR),
    join=_join_file,
    diff=_diff,
    held=_held,
    named=_named,
    known=_known_of_page,
)
SUMMARIES_FOLDER = KitFileKind(
    _check_summary, join=_join_summary, diff=_diff, known=lambda _path: _OF_SUMMARY
)
MANIFEST = KitFileKind(
    _check_manifest,
    join=_join_manifest,
    purge=_purge_manifest,
    wants_room=_wants_room,
    known=_known_of_manifest,
)


def join_file(  # noqa: PLR0913 (three versions of a file, and how two are made one)
    path: str,
    ours: bytes,
    theirs: bytes,
    base: bytes | None,
    merge: Merge,
    whose: tuple[str, str],
    free: Callable[[str], bool],
) -> tuple[Mapping[str, bytes], str]:
    """Return the files to write, by path, and a note for the person ("" for none).

    Of a page about a file the other side's stays. Of a file that cannot be made one, this side's is put
    beside it under the next `free` name.
    """
    from reel_cli.features.shelf.shelf_file import text_of

    plain = all(text_of(data) is not None for data in (ours, theirs, base or b""))
    made = merge(ours, base, theirs) if plain and base is not None else None
    if made is not None:
        return {path: made}, ""
    if path.endswith(SIDECAR):
        return {path: theirs}, f"{path} was written on both machines: it is as {whose[1]} had it."
    stem, dot, ending = path.rpartition(".")
    stem, ending = (stem, f"{dot}{ending}") if stem and "/" not in ending else (path, "")
    number = 2
    while not free(f"{stem}-{number}{ending}"):
        number += 1
    place = f"{stem}-{number}{ending}"
    told = (
        f"{path} was changed on both machines: it is as {whose[1]} had it, and {place} as {whose[0]} had it."
    )
    return {path: theirs, place: ours}, told


def join_summary(path: str, ours: bytes, theirs: bytes) -> tuple[bytes, str]:
    """Return the newer of two versions of a summary, and a note for the person."""
    made = [_made(data, path) for data in (ours, theirs)]
    newer = ours if made[0] > made[1] else theirs
    return newer, f"{path} was made on both machines: the newer one stays."


def _made(data: bytes, path: str) -> str:
    from reel_cli.features.shelf.summaries.files import parse_summary

    try:
        return parse_summary(data.decode("utf-8", "replace"), path).created
    except ReelError:
        return ""
