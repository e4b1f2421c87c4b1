"""The search index of a kit, opened and brought up to date."""

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING
from zlib import crc32

from reel_cli.core.errors import ReelError
from reel_cli.core.files.tree import look_at
from reel_cli.core.frozen import frozen
from reel_cli.core.rings.pointers import blobs_stamp, pointers_stamp
from reel_cli.core.tape.search.index import SearchIndex, open_index
from reel_cli.core.tape.search.refresh import RefreshResult
from reel_cli.core.tape.tape_view import retracted
from reel_cli.core.values.source import session_path
from reel_cli.core.values.talk import Event

if TYPE_CHECKING:
    from reel_cli.core.kit.glance import Glance
    from reel_cli.core.kit.past import PastGlance
    from reel_cli.core.values.search import Note


INDEX_FILE = ".reel/cache/search.sqlite"
VECTORS_FILE = ".reel/cache/vectors.sqlite"
INDEX_THEN = ".reel/cache/search-then.sqlite"
"""The index of the moment of the past that was last asked; it goes on from there to the next one."""


@frozen
class RecallSource:
    """The kit that is searched: as it is, or `then`, as a commit holds it."""

    kit: Path
    glance: "Glance | PastGlance"
    then: "PastGlance | None"
    standing: Sequence[str]
    """Its sessions that count."""
    mended: Mapping[str, Sequence[Event]]
    """Corrections, by session."""


def open_kit_index(
    source: RecallSource,
    say: Callable[[str], None],
    progress: Callable[[int, int], None] | None,
    embedding: Callable[[int, int], None] | None,
) -> SearchIndex:
    """Open the index of a kit and bring it up to date; `say` is told what was wrong on the way."""
    glance, then = source.glance, source.then
    index = open_index(source.kit / (INDEX_FILE if then is None else INDEX_THEN))
    try:
        done = index.refresh(
            {session: _stamp(source, session) for session in source.standing},
            lambda session: glance.tree.read(session_path(session)) or b"",
            corrections=source.mended,
            notes=lambda: _read_notes(glance),
            notes_stamp=_stamp_notes(source),
            progress=progress,
        )
        _tell_refresh(done, say)
        _add_meaning(source, index, say, embedding)
    except BaseException:
        index.close()
        raise
    return index


def _read_notes(glance: "Glance") -> Sequence["Note"]:
    from reel_cli.features.recall.ring_notes import read_notes

    return read_notes(glance)


def _stamp_notes(source: RecallSource) -> str:
    """Return a stamp that changes with the notes, and with the chats that were taken back."""
    glance, then = source.glance, source.then
    stamp = pointers_stamp(glance, source.kit) if then is None else blobs_stamp(then.commit.ids)
    gone = " ".join(sorted(retracted(glance)))
    return f"{stamp} {len(gone)} {crc32(gone.encode()):08x}" if gone else stamp


def _add_meaning(
    source: RecallSource,
    index: SearchIndex,
    say: Callable[[str], None],
    progress: Callable[[int, int], None] | None,
) -> None:
    """Add embeddings if the kit uses them; for the past, only words decide."""
    settings = source.glance.settings
    if settings.embeddings == "off" or source.then is not None:
        return
    from reel_cli.features.recall.embeddings.semantic import TapeVectors, choose_embedder

    embedder = choose_embedder(settings.embeddings, settings.embedding_model)
    if embedder is not None:
        index.use(TapeVectors(source.kit / VECTORS_FILE, embedder, say), progress)


def _stamp(source: RecallSource, session: str) -> str:
    path = session_path(session)
    if source.then is not None:
        return source.then.commit.ids[path]
    look = look_at(f"{source.kit}/{path}", path)
    if look.stamp:
        return look.stamp
    # a link's own stat says nothing about its target
    from zlib import crc32

    try:
        return f"{crc32(source.glance.tree.read(path) or b''):08x}"
    except ReelError as error:
        # the index reports it later
        return f"{crc32(error.message.encode()):08x} unread"


def _tell_refresh(done: RefreshResult, say: Callable[[str], None]) -> None:
    if done.remade is not None:
        say("The search index could not be read; it was made again from the recorded chats.")
    if done.unkept is not None:
        say("The search index cannot be stored here, so each search reads all recorded chats.")
    for what in list(done.damaged.values())[:3]:
        say(f"{what} It is not searched.")
