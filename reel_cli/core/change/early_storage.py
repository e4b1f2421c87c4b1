"""Storing what is planned while more is being planned: bytes in git that nothing names yet."""

import os
import sys
import threading
import zlib
from collections.abc import Sequence
from contextlib import suppress
from queue import Empty, SimpleQueue

from reel_cli.core.errors import ReelError
from reel_cli.core.git.repository import Repository
from reel_cli.core.git.storage.pack_file import BlobPack
from reel_cli.core.values.change import Change

AT_LEAST = 4 * 1024 * 1024
"""Bytes above which objects get a pack of their own; fewer are left to the transaction."""
AT_ONCE = 1024 * 1024
"""Approximate bytes handed to another thread at once."""
TURN = 0.0002
"""Seconds that a thread waits for another that computes; at Python's own 5 ms it would mostly wait."""


class StoredAhead:
    """A writer that stores the new bytes of changes in git in the background, ready for a transaction.

    It only saves time: what it could not store, or what is gone again, the transaction stores.
    """

    def __init__(self, repo: Repository) -> None:
        """Begin with nothing."""
        self._repo = repo
        self._begin()

    def _begin(self) -> None:
        self._pack: BlobPack | None = None
        self._failed = False
        self._waiting: list[bytes] = []
        self._bytes = 0
        self._queue: SimpleQueue[Sequence[bytes] | None] = SimpleQueue()
        self._workers: list[threading.Thread] = []
        self._turn = 0.0
        self._repo.remembered.clear()

    def put(self, change: Change) -> None:
        """Queue the new bytes of a change, and store them as soon as enough have gathered."""
        for data in change.writes.values():
            if data is not None:
                self._waiting.append(data)
                self._bytes += len(data)
        if self._pack is None and self._bytes >= AT_LEAST and not self._failed:
            try:
                self._pack = BlobPack(self._repo.common_dir / "objects/pack", sha256=self._repo.sha256)
            except OSError:
                self._failed = True
        if self._pack is not None and self._bytes >= AT_ONCE:
            self._hand_over()

    def finish(self) -> frozenset[str]:
        """Wait until all that was begun is stored; return its blobs' ids, and begin anew."""
        try:
            if self._pack is None:
                return frozenset()
            self._hand_over()
            self._work_off(self._pack)
            self._end_workers()
            with suppress(OSError, ReelError):
                return frozenset() if self._failed else self._pack.seal()
            return frozenset()
        finally:
            self.drop()

    def drop(self) -> None:
        """Discard everything that is not stored for good, and start again."""
        with suppress(Empty):
            while True:
                self._queue.get_nowait()
        self._end_workers()
        if self._pack is not None:
            self._pack.drop()
        self._begin()

    def _hand_over(self) -> None:
        """Move the waiting bytes into the queue, in pieces that several threads can share."""
        pack = self._pack
        # leave one processor to the planner
        if pack is not None and len(self._workers) < max(1, (os.cpu_count() or 1) - 1):
            if not self._workers:
                self._turn = sys.getswitchinterval()
                sys.setswitchinterval(min(self._turn, TURN))
            self._workers.append(threading.Thread(target=self._work, args=(pack,), daemon=True))
            self._workers[-1].start()
        piece: list[bytes] = []
        size = 0
        for data in self._waiting:
            piece.append(data)
            size += len(data)
            if size >= AT_ONCE:
                self._queue.put(piece)
                piece, size = [], 0
        if piece:
            self._queue.put(piece)
        self._waiting, self._bytes = [], 0

    def _work(self, pack: BlobPack) -> None:
        while (piece := self._queue.get()) is not None:
            self._store(pack, piece)

    def _work_off(self, pack: BlobPack) -> None:
        """Process pieces that the workers have not reached yet."""
        with suppress(Empty):
            while (piece := self._queue.get_nowait()) is not None:
                self._store(pack, piece)

    def _store(self, pack: BlobPack, piece: Sequence[bytes]) -> None:
        try:
            if not self._failed:
                names = pack.add(piece)
                self._repo.remembered.update((id(d), (d, name)) for d, name in zip(piece, names, strict=True))
        except (OSError, ValueError, MemoryError, zlib.error):
            self._failed = True

    def _end_workers(self) -> None:
        for _ in self._workers:
            self._queue.put(None)
        for worker in self._workers:
            worker.join()
        if self._workers:
            self._workers.clear()
            sys.setswitchinterval(self._turn)
